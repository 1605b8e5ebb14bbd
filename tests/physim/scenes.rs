//! What the comment at the head of each scene claims happens: run from the scene's file, on all three scalars.

mod heaps;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use physim::math::{Scalar, ScalarKind, ScalarTask};
use physim::scene::overrides::apply_override;
use physim::scene::{Scene, load};
use physim::session::Session;
use physim::world::World;
use physim::world::energy::Energy;
use physim::world::schedule::Schedule;

const PI: f64 = std::f64::consts::PI;
/// Gravity on earth, m/s^2.
const G: f64 = 9.81;

/// A body at the end of a step; SI, world frame.
#[derive(Clone, Debug, PartialEq)]
struct State {
    x: [f64; 3],
    orientation: [f64; 4],
    v: [f64; 3],
    omega: [f64; 3],
}

/// The world at the end of a step.
struct Frame {
    bodies: BTreeMap<String, State>,
    energy: Energy,
    /// The deepest overlap of two shapes, metres.
    overlap: f64,
}

impl Frame {
    fn of<S: Scalar>(world: &World<S>) -> Self {
        let all = world.bodies();
        let state = |index: usize| State {
            x: all.position[index].to_f64(),
            orientation: all.orientation[index].to_array().map(Scalar::to_f64),
            v: all.linear_velocity[index].to_f64(),
            omega: all.angular_velocity[index].to_f64(),
        };
        let points = world.contact_geometry().iter().flat_map(|geometry| geometry.manifold.points());
        Self {
            bodies: (0..all.len()).map(|index| (all.name[index].to_string(), state(index))).collect(),
            energy: world.energy(),
            overlap: points.map(|point| -point.separation.to_f64()).fold(0.0, f64::max),
        }
    }

    fn body(&self, name: &str) -> &State {
        self.bodies.get(name).unwrap_or_else(|| panic!("no body {name}"))
    }

    /// The bodies whose name begins so.
    fn all<'a>(&'a self, beginning: &'a str) -> impl Iterator<Item = (&'a String, &'a State)> {
        self.bodies.iter().filter(move |(name, _)| name.starts_with(beginning))
    }
}

struct Watch {
    scene: Arc<Scene>,
}

impl ScalarTask for Watch {
    type Output = Vec<Frame>;

    fn run<S: Scalar>(self) -> Vec<Frame> {
        let schedule = Schedule::new(self.scene.inputs.clone());
        let mut session = Session::<S>::new(&self.scene, schedule, Vec::new(), 1).expect("the scene makes a world");
        let mut frames = vec![Frame::of(session.world())];
        for _ in 0..self.scene.steps {
            session.advance(&mut ()).unwrap_or_else(|error| panic!("{}: {error}", self.scene.name));
            frames.push(Frame::of(session.world()));
        }
        frames
    }
}

/// Runs a scene with overrides on every scalar and checks its frames, one per step from 0.
fn watch(name: &str, overrides: &[&str], check: impl Fn(&[Frame], ScalarKind)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
    let mut scene = load(&path).unwrap_or_else(|error| panic!("{}", error.render(false)));
    for assignment in overrides {
        apply_override(&mut scene, assignment).unwrap_or_else(|error| panic!("{}", error.render(false)));
    }
    let scene = Arc::new(scene);
    for scalar in ScalarKind::ALL {
        check(&scalar.dispatch(Watch { scene: Arc::clone(&scene) }), scalar);
    }
}

/// The distance between neighbouring numbers of this size: one rounding errs by at most half of it.
fn ulp(scalar: ScalarKind, size: f64) -> f64 {
    match scalar {
        ScalarKind::Fixed => 1.0 / 4_294_967_296.0,
        ScalarKind::F32 => size * f64::from(f32::EPSILON),
        ScalarKind::F64 => size * f64::EPSILON,
    }
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, bound: f64, what: &str) {
    assert!((actual - expected).abs() <= bound, "{what}: {actual}, expected {expected} within {bound:e}");
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|component| component * component).sum::<f64>().sqrt()
}

fn between(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| b[axis] - a[axis])
}

/// A unit axis of a body's frame, in the world frame: a column of the rotation matrix.
fn axis(state: &State, axis: usize) -> [f64; 3] {
    let [w, x, y, z] = state.orientation;
    match axis {
        0 => [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        1 => [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        _ => [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[test]
fn projectile_flies_its_parabola_and_the_stone_rolls_on() {
    watch("projectile", &[], |frames, scalar| {
        let h = 1.0 / 480.0;
        for (step, frame) in frames.iter().enumerate().take(151) {
            let (t, substeps) = (step as f64 / 60.0, 8.0 * step as f64);
            // Each substep rounds the velocity (up to 13 m/s) and the position (up to 21 m); the acceleration is rounded
            // a few times when the weight is divided by the mass.
            let speed_bound = substeps * ulp(scalar, 13.0) + t * 8.0 * ulp(scalar, G);
            let way_bound = t * speed_bound + substeps * ulp(scalar, 21.0);
            for name in ["stone", "stick"] {
                let body = frame.body(name);
                assert_near(body.v[1], 12.0 - G * t, speed_bound, "speed upwards");
                assert_near(body.x[0], 8.0 * t, way_bound, "way");
                assert_near(body.x[1], 1.5 + 12.0 * t - G * t * (t + h) / 2.0, way_bound, "height");
            }
        }
        // The stone skids with v = 8 m/s and no spin; friction has no lever about the ground, so v + 2/5 r omega stays 8.
        let last = frames.last().expect("frames");
        let stone = last.body("stone");
        let relative = last.overlap / 0.05; // by which the lever may differ from the radius
        assert_near(stone.v[0], 8.0 * 5.0 / 7.0, 8.0 * relative, "rolling");
        assert_near(-stone.omega[2] * 0.05, stone.v[0], 8.0 * relative, "surface speed");
    });
}

/// The quarter period of Jacobi's functions with complementary modulus `complement`, by the arithmetic-geometric mean.
fn quarter_period(complement: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, complement);
    for _ in 0..20 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// The times in seconds at which the spin of a body along its middle axis changes its sign; `middle` has that axis as
/// a sum of the body's x and y axes.
fn flips(frames: &[Frame], name: &str, middle: [f64; 2]) -> Vec<f64> {
    let along = |body: &State| middle[0] * dot(body.omega, axis(body, 0)) + middle[1] * dot(body.omega, axis(body, 1));
    let spin: Vec<f64> = frames.iter().map(|frame| along(frame.body(name))).collect();
    let crossing =
        |step: usize| (spin[step] * spin[step + 1] < 0.0).then(|| spin[step] / (spin[step] - spin[step + 1]));
    (0..spin.len() - 1).filter_map(|step| Some((step as f64 + crossing(step)?) / 120.0)).collect()
}

#[test]
fn free_spin_flips_about_the_middle_axis_only() {
    // Moments of the book in kg m^2, its spin in rad/s.
    let [i1, i2, i3]: [f64; 3] = [0.004_16, 0.009_16, 0.013];
    #[expect(clippy::approx_constant, reason = "the number of the scene, not tau")]
    let (small, large): (f64, f64) = (1.0, 6.28);
    let energy_twice = i1 * small * small + i2 * large * large;
    let momentum_squared = i1 * i1 * small * small + i2 * i2 * large * large;
    // Landau and Lifshitz, Mechanics, section 37, with axes 1 and 3 exchanged because L^2 < 2 E I_2.
    let rate = ((i2 - i1) * (energy_twice * i3 - momentum_squared) / (i1 * i2 * i3)).sqrt();
    let modulus_squared =
        (i3 - i2) * (momentum_squared - energy_twice * i1) / ((i2 - i1) * (energy_twice * i3 - momentum_squared));
    let quarter = quarter_period((1.0 - modulus_squared).sqrt()) / rate;
    watch("free_spin", &[], |frames, scalar| {
        for (name, middle) in [("book_middle", [0.0, 1.0]), ("stated", [-1.0, 1.0])] {
            let found = flips(frames, name, middle);
            assert_eq!(found.len(), 3, "{name} {scalar}: {found:?}");
            for (number, time) in found.iter().enumerate() {
                // Second order in the angle per step: a relative error of (omega dt)^2 / 12 where it turns fastest.
                let exact = quarter * (2 * number + 1) as f64;
                assert_near(*time, exact, exact * (large / 120.0) * (large / 120.0) / 8.0, name);
            }
        }
        let start = frames[0].energy.angular_momentum;
        for (step, frame) in frames.iter().enumerate() {
            // Each step carries the momentum through two rotations and two tensors: some thirty roundings of numbers
            // that are at least a hundredth of the largest.
            let bound = step as f64 * 30.0 * 100.0 * ulp(scalar, 1.0) * length(start);
            assert_near(length(between(start, frame.energy.angular_momentum)), 0.0, bound, "angular momentum");
            for (name, along) in [("book_long", 0), ("book_flat", 2)] {
                let body = frame.body(name);
                assert!(dot(body.omega, axis(body, along)) > 0.99 * large, "{name} wobbles at step {step}");
            }
        }
    });
}

#[test]
fn rolling_wall_ends_at_five_ninths_and_never_gains() {
    watch("rolling_wall", &[], |frames, scalar| {
        let (friction, radius, mass) = (0.3, 0.1, 1100.0 * 4.0 / 3.0 * PI * 0.001);
        // Eight iterations of three rows on two contacts, each of which rounds speeds up to 3 m/s.
        let rounding = 48.0 * ulp(scalar, 3.0);
        // The two frictions share the speed along the wall: what one undoes of the other is 1 / (1 + 5/2) = 2/7, so each of
        // the eight iterations leaves (2/7)^2 of the error.
        let unsolved = 3.0 * (2.0_f64 / 7.0).powi(16);
        for (step, pair) in frames.windows(2).enumerate() {
            let rise = pair[1].energy.total() - pair[0].energy.total();
            assert!(rise <= mass * 3.0 * rounding, "{scalar}: energy rises by {rise:e} at step {}", step + 1);
            let ball = pair[1].body("ball");
            let time = (step + 1) as f64 / 60.0;
            for (spin, pressure) in [(-ball.omega[2], 9.4757), (-ball.omega[1], 2.539)] {
                // r dw/dt = mu N r^2 / I = 5/2 mu N / m
                let most = 2.5 * friction * pressure * time + (step + 1) as f64 * rounding;
                assert!(spin * radius <= most, "{scalar}: spins faster than friction can at step {}", step + 1);
                assert!(
                    spin * radius <= ball.v[0] + unsolved + frames.len() as f64 * rounding,
                    "{scalar}: outruns its rolling"
                );
            }
        }
        let last = frames.last().expect("frames");
        let bound = frames.len() as f64 * rounding + 3.0 * last.overlap / radius;
        let ball = last.body("ball");
        assert_near(ball.v[0], 5.0 / 3.0, bound, "speed along the wall");
        assert_near(ball.omega[1] * radius, -5.0 / 3.0, bound, "spin on the wall");
        assert_near(ball.omega[2] * radius, -5.0 / 3.0, bound, "spin on the floor");
    });
}

#[test]
fn couple_turns_without_moving_and_an_off_centre_push_does_both() {
    watch("couple", &[], |frames, scalar| {
        let last = frames.last().expect("frames");
        let spin = 0.5 / (2.0 * (1.0 + 0.05 * 0.05) / 12.0);
        // 240 substeps of acceleration, and the moment of inertia with some ten roundings.
        let bound = 240.0 * ulp(scalar, spin) + 10.0 * spin * spin * ulp(scalar, 1.0);
        for (name, height) in [("pushed", 1.0), ("twisted", 2.0), ("struck", 3.0)] {
            let beam = last.body(name);
            assert_eq!((beam.x, beam.v), ([0.0, height, 0.0], [0.0; 3]), "{name} {scalar}");
            assert_near(beam.omega[1], spin, bound, name);
        }
        assert_eq!(last.body("pushed").omega, last.body("twisted").omega, "{scalar}: a couple is a torque");
        let (mass, radius, friction, impulse) = (6.8, 0.1085, 0.02, 10.0 * 0.1);
        let speed = impulse / mass;
        let pushed = frames[36].body("bowling_ball");
        // A push and a braking in each of 48 substeps, both rounded.
        let rounding = 48.0 * 2.0 * ulp(scalar, speed);
        let slowest = speed - friction * G * 0.1;
        assert!(pushed.v[0] <= speed + rounding && pushed.v[0] >= slowest - rounding, "{scalar}: {:?}", pushed.v);
        let upright = radius * impulse / (0.4 * mass * radius * radius);
        let relative = 3.0 * frames[36].overlap / radius; // by how much the levers differ from the radius
        // 48 substeps of acceleration, then in each substep of the run two rows of friction that could disturb it.
        let bound = 48.0 * 8.0 * ulp(scalar, upright) + 1920.0 * 4.0 * ulp(scalar, upright);
        assert_near(last.body("bowling_ball").omega[1], upright, bound, "upright spin");
        assert_near(last.body("bowling_ball").v[0], speed * 5.0 / 7.0, speed * relative, "rolling");
        assert_near(last.body("straight_ball").v[0], speed * 5.0 / 7.0, speed * relative, "rolling");
        assert_eq!(
            last.body("straight_ball").omega[1],
            0.0,
            "{scalar}: a push through the centre turns nothing upright"
        );
    });
}

#[test]
fn damping_follows_its_three_forms() {
    let (c, h) = (0.5_f64, 1.0 / 480.0);
    let forms: [(&str, &dyn Fn(f64) -> f64); 3] = [
        ("Implicit", &|substeps| (-substeps * (c * h).ln_1p()).exp()),
        ("Exponential", &|substeps| (-c * h * substeps).exp()),
        ("Power", &|substeps| ((1.0 - c).ln() * h * substeps).exp()),
    ];
    for (form, part_left) in forms {
        watch("damping", &[&format!("damping={form}")], |frames, scalar| {
            for step in [1, 60, 600] {
                let frame = &frames[step];
                let substeps = 8.0 * step as f64;
                let part = part_left(substeps);
                for (name, linear, angular) in
                    [("free", 1.0, 1.0), ("linear", part, 1.0), ("angular", 1.0, part), ("both", part, part)]
                {
                    let body = frame.body(name);
                    // Each substep rounds the factor, near 1, some four times, and the product once.
                    let bound = |start: f64| substeps * (4.0 * start * ulp(scalar, 1.0) + ulp(scalar, start));
                    assert_near(body.v[0], 4.0 * linear, if linear < 1.0 { bound(4.0) } else { 0.0 }, form);
                    assert_near(body.omega[0], 10.0 * angular, if angular < 1.0 { bound(10.0) } else { 0.0 }, form);
                }
            }
            if form == "Implicit" {
                let left = (-4800.0 * (0.8 * h).ln_1p()).exp();
                let bound = 4800.0 * 5.0 * ulp(scalar, 13.0);
                assert_near(frames[600].body("falling").v[1], -G / 0.8 * (1.0 - left), bound, "terminal speed");
            }
        });
    }
}

#[test]
fn stack_20_stands() {
    watch("stack_20", &[], |frames, scalar| {
        for (step, frame) in frames.iter().enumerate() {
            let mut below = -0.25;
            for number in 0..20 {
                let [x, y, z] = frame.body(&format!("box[{number}]")).x;
                // What its settling leaves of a sway stays below a ten-thousandth of the tower's height of 10 m.
                assert!(x.abs().max(z.abs()) < 1e-3, "{scalar}: box {number} is off at step {step}: {x}, {z}");
                // The spring between two boxes has half their mass: under 19 of them it gives way by `2 * 19 g / omega^2`, with
                // `omega h = 0.8 sqrt(2)` 0.81 mm, and a little more while the stack settles.
                assert!((y - below - 0.5).abs() < 8.5e-4, "{scalar}: box {number} at step {step}: {y} over {below}");
                below = y;
            }
        }
    });
}

#[test]
fn billiards_scatters_and_stays_on_the_table() {
    watch("billiards", &[], |frames, scalar| {
        let cue_speed = |step: usize| length(frames[step].body("cue_ball").v);
        assert_near(cue_speed(1), 8.0, 0.02, "the blow: 1.36 N s on 170 g, less one step of friction");
        // Over 1.247 m, less two radii, with 8 m/s slowed by 1.96 m/s^2 and damping: 0.152 s.
        assert!(cue_speed(44) > 7.5 && cue_speed(49) < 6.0, "{scalar}: {} then {}", cue_speed(44), cue_speed(49));
        let radius = 0.028_575;
        for (step, frame) in frames.iter().enumerate() {
            for (name, ball) in frame.all("ball_").chain(frame.all("cue_ball")) {
                let [x, y, z] = ball.x;
                let inside = x.abs() < 1.27 - radius + 0.001 && z.abs() < 0.635 - radius + 0.001;
                assert!(inside && y > radius - 0.001 && y < 2.0 * radius, "{scalar}: {name} is at {:?}", ball.x);
            }
            if step > 1 {
                let rise = frame.energy.total() - frames[step - 1].energy.total();
                assert!(rise < 1e-3, "{scalar}: energy rises by {rise} at step {step}");
            }
        }
        for (name, ball) in frames[600].all("ball_") {
            let moved = length(between(frames[0].body(name).x, ball.x));
            assert!(moved > 0.05, "{scalar}: {name} moved by {moved}");
        }
    });
}

#[test]
fn twenty_balls_bounce_in_their_box() {
    watch("twenty_balls", &[], |frames, scalar| {
        let count = |step: usize| frames[step].all("dropped").count() + frames[step].all("launched").count();
        assert_eq!((count(19), count(20), count(184), count(185), count(600)), (8, 9, 19, 20, 20), "{scalar}");
        for (step, frame) in frames.iter().enumerate() {
            for (name, ball) in frame.all("dropped").chain(frame.all("launched")) {
                let [x, y, z] = ball.x;
                let room = 1.5 - 0.12 + 0.02;
                let inside = x.abs() < room && z.abs() < room && (y - 1.5).abs() < room;
                assert!(inside, "{scalar}: {name} is at {:?} at step {step}", ball.x);
            }
        }
        // Without gravity energy is kinetic, and only the kick adds to it.
        for step in (301..450).filter(|step| *step != 320) {
            let rise = frames[step].energy.kinetic - frames[step - 1].energy.kinetic;
            assert!(rise < 1e-3 * frames[step].energy.kinetic, "{scalar}: energy rises by {rise} at step {step}");
        }
        let highest = |range: std::ops::Range<usize>| {
            let heights = frames[range].iter().flat_map(|frame| frame.bodies.values().map(|body| body.x[1]));
            heights.fold(0.0, f64::max)
        };
        assert!(highest(300..450) > 2.7, "{scalar}: without gravity some reach the lid");
    });
}

#[test]
fn shelf_crates_fall_and_the_bricks_stay() {
    watch("shelf_crates", &[], |frames, scalar| {
        let (first, last) = (&frames[0], frames.last().expect("frames"));
        for (name, start) in first.all("crate").chain(first.all("lone")) {
            let end = last.body(name);
            assert!(start.x[1] > 1.6 && end.x[1] > 0.19 && end.x[1] < 1.0, "{scalar}: {name} is at {:?}", end.x);
        }
        let lid = axis(last.body("lone"), 1);
        assert!(lid[1] < -0.99, "{scalar}: the lone crate lies on its lid, not {lid:?}");
        for (name, start) in first.all("brick") {
            assert!(length(between(start.x, last.body(name).x)) < 0.005, "{scalar}: {name} moved");
        }
        let moved = first.all("parcel").filter(|(name, start)| length(between(start.x, last.body(name).x)) > 0.05);
        assert!(moved.count() >= 1, "{scalar}: the pyramid is hit");
        assert_near(last.body("pusher").x[2], -0.7 + 0.5 * 149.0 / 60.0 - 0.5 * 90.0 / 60.0, 1e-4, "the board is back");
        assert!(last.energy.kinetic < 1e-2, "{scalar}: all is at rest");
    });
}

#[test]
fn capsules_and_compounds_stay_in_the_crib_and_the_table_is_shoved() {
    watch("capsules_and_compounds", &[], |frames, scalar| {
        let last = frames.last().expect("frames");
        for (name, body) in last.all("pill").chain(last.all("dumbbell")).chain(last.all("hammer")) {
            let inside = body.x[0].abs() < 0.7 && body.x[2].abs() < 0.7;
            assert!(inside && body.x[1] > 0.02 && body.x[1] < 0.7, "{scalar}: {name} is at {:?}", body.x);
            assert!(length(body.v) < 0.05, "{scalar}: {name} still moves with {:?}", body.v);
        }
        let table = last.body("table");
        assert!(axis(table, 1)[1] > 0.999, "{scalar}: the table stands");
        assert!(length(between(frames[119].body("table").x, table.x)) > 0.1, "{scalar}: the table slid");
        for name in ["ball", "book", "roller"] {
            assert!(last.body(name).x[1] > 0.8, "{scalar}: {name} is on the table");
        }
        let place_on_table = |frame: &Frame| {
            let (table, book) = (frame.body("table"), frame.body("book"));
            [0, 1, 2].map(|side| dot(between(table.x, book.x), axis(table, side)))
        };
        let slip = length(between(place_on_table(&frames[119]), place_on_table(last)));
        assert!(slip < 0.08, "{scalar}: the book goes with the table to within half its width, not {slip}");
        assert!(length(last.body("book").v) < 0.05, "{scalar}: the book lies still");
    });
}

#[test]
fn dice_come_to_rest_on_faces() {
    watch("dice", &[], |frames, scalar| {
        let last = frames.last().expect("frames");
        let dice = ["tetrahedron", "octahedron", "dodecahedron", "icosahedron", "cube"];
        // Radii of the balls inside, from the edges: what lies on the ground has its centre so high, what lies elsewhere higher.
        let radius = [0.0635, 0.0924, 0.1239, 0.1209, 0.1];
        for (name, body, least) in dice
            .iter()
            .zip(radius)
            .flat_map(|(die, radius)| last.all(die).map(move |(name, body)| (name, body, radius)))
        {
            let [x, y, z] = body.x;
            assert!(y > least - 1e-4 && x > -2.3 && x < 1.2 && z.abs() < 0.8, "{scalar}: {name} is at {:?}", body.x);
            assert!(length(body.v) < 0.05, "{scalar}: {name} still moves with {:?}", body.v);
        }
        let on_ground = last.all("dodecahedron").chain(last.all("icosahedron")).filter(|(_, body)| body.x[1] < 0.125);
        assert!(on_ground.count() >= 3, "{scalar}: most lie flat on a face, at the height of the ball inside");
        let is_round = |name: &str| name.starts_with("ball") || name.starts_with("pill");
        for (name, body) in last.bodies.iter().filter(|(name, _)| !is_round(name)) {
            let (speed, spin) = (length(body.v), length(body.omega));
            assert!(
                speed < 0.05 && spin < 0.5,
                "{scalar}: only what is round still rolls, not {name}: {speed} m/s, {spin} rad/s"
            );
        }
    });
}

#[test]
fn kinematic_platforms_carry_and_throw() {
    watch("kinematic_platform", &[], |frames, scalar| {
        let rounding = 1920.0 * ulp(scalar, 4.0);
        for (step, way, height) in [(120, 2.0, 0.0), (150, 2.0, 0.0), (210, 2.0, 0.5), (330, 0.0, 0.5), (480, 0.0, 0.5)]
        {
            let platform = frames[step].body("platform");
            assert_near(platform.x[0], -4.0 + way, rounding, "the platform goes where it is told");
            assert_near(platform.x[1], 0.5 + height, rounding, "the platform rises as it is told");
        }
        for (name, crate_) in frames[60].all("crate") {
            assert_near(crate_.v[0], 1.0, 0.001, name);
            // Slipping for v / (mu g) leaves it v^2 / (2 mu g) behind, to within one step.
            let behind = 1.0 - (crate_.x[0] - frames[0].body(name).x[0]);
            assert_near(behind, 1.0 / (2.0 * 0.6 * G), 1.0 / 60.0, name);
        }
        assert_eq!((frames[359].all("crate").count(), frames[360].all("crate").count()), (3, 2));
        for (step, frame) in frames.iter().enumerate() {
            let time = step as f64 / 60.0;
            let [x, _, z] = between([4.2, 0.0, 0.0], frame.body("ball").x);
            // The rows are made for the middle of the step, so the error is of second order, and less than a hundredth of
            // `(3.5 dt)^2`; to that comes what its places are rounded by. The ball starts with the first step's rows, which already
            // turn it.
            let bound = 0.3 * (3.5_f64 / 60.0).powi(2) / 100.0 + 16.0 * ulp(scalar, 4.5);
            assert_near(x.hypot(z), 0.3, bound, "the ball's circle");
            let drift = x * time.sin() + z * time.cos(); // zero where the angle is exactly -t
            assert_near(drift, 0.0, bound * (1.0 + 10.0 * time), "the ball's angle");
        }
        let from_axis = |step: usize| {
            let [x, y, z] = frames[step].body("rider").x;
            ((x - 7.0).hypot(z), y)
        };
        assert_near(from_axis(299).0, 0.4, 0.02, "the rider stays");
        assert!(from_axis(480).0 > 0.9 && from_axis(480).1 < 0.2, "{scalar}: the rider is thrown off");
    });
}
