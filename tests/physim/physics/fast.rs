//! Nothing passes through anything, however fast it is, and what is caught is caught where the bodies meet.

use physim::math::{Scalar, SplitMix64, Vec3};
use physim::world::counts::Counted;

use crate::physics::support::{Run, assert_near, assert_near_vector, chain, wide};

on_every_scalar!(
    thin_wall_stops_what_is_fast,
    thin_wall_stops_sticks_that_spin,
    second_end_of_a_capsule_is_stopped_too,
    small_neighbours_do_not_open_a_large_wall,
    inelastic_box_that_turns_ends_on_the_plane,
    elastic_ball_stays_between_two_thick_walls,
    elastic_balls_stay_in_their_box_and_apart,
    without_continuous_it_passes,
    no_margin_hides_what_is_near,
    bullet_into_a_stack_keeps_momentum,
    fast_boxes_meet_at_their_place,
    long_steps_stop_a_ball_at_its_wall,
    surface_stops_what_is_round,
);

/// Cylinders, cones and coins in any position at a floor of two triangles, without a spin: what hits with its rim spins by some radians a
/// substep then, and touches again with another part of it.
fn surface_stops_what_is_round<S: Scalar>() {
    let mut random = SplitMix64::new(5);
    for (shape, speed) in [
        ("Cylinder(half_height: 0.04, radius: 0.04)", 500),
        ("Cone(half_height: 0.04, radius: 0.03)", 250),
        ("Cylinder(half_height: 0.001, radius: 0.012)", 60),
    ] {
        for number in 0..24 {
            let mut part = || random.below(1001) as f64 / 1000.0;
            let [w, x, y, z] = [(); 4].map(|()| 2.0 * part() - 1.0);
            let start = 0.1 + f64::from(speed) / 60.0 * (0.5 + part());
            let mut run = Run::<S>::of(&format!(
                "bounds: (position: 3000, speed: 3000, angular_speed: 30000), bodies: [
                    (name: \"floor\", kind: Static,
                        shape: Mesh(points: [(-5, 0, -5), (-5, 0, 5), (5, 0, -5), (5, 0, 5)], triangles: [(0, 1, 2), (2, 1, 3)])),
                    (name: \"flies\", position: CentreOfMass(0.3, {start}, 0.7), orientation: Quaternion({w}, {x}, {y}, {z}),
                        linear_velocity: (0, -{speed}, 0), shape: {shape})]"
            ));
            run.steps(5);
            assert_eq!(run.world().counts().get(Counted::PassedThrough), 0);
            let height = run.position("flies").y;
            assert!(height > 0.0, "{shape} {number} from {start} m as ({w}, {x}, {y}, {z}) is at {height} m");
        }
    }
}

/// However small `speculative_distance` is: what is 0.01 mm before a wall does not fly through it, and a cube that tumbles down on a
/// floor does not sink into it with a corner that comes down beside one that touches: by a thousandth of its size at most.
fn no_margin_hides_what_is_near<S: Scalar>() {
    for margin in ["0", "0.00005", "0.001", "0.02"] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), solver: Impulse(speculative_distance: {margin}), bodies: [
                (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.5, 5, 5))),
                (name: \"ball\", position: Origin(-0.60001, 0, 0), linear_velocity: (500, 0, 0), shape: Sphere(radius: 0.1))]"
        ));
        run.steps(3);
        assert_near(&format!("the ball with a margin of {margin}"), run.position("ball").x, -0.6, 1e-4);
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse(speculative_distance: {margin}), materials: {{\"default\": (restitution: 0.5)}}, bodies: [
                (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"cube\", position: Origin(0, 1.1, 0), orientation: AxisDegrees(axis: (1, 0, 2), degrees: 20),
                    shape: Cuboid(half_extents: (0.1, 0.1, 0.1)))]"
        ));
        for step in 1..=240 {
            run.step();
            // How far up each axis of the cube points.
            let upward = wide(run.body("cube").orientation.to_matrix().transpose_mul(Vec3::Y));
            let lowest = run.position("cube").y - 0.1 * upward.taxicab_length();
            assert!(lowest > -2e-4, "a corner is {lowest} m high with a margin of {margin} in step {step}");
        }
        assert!(run.position("cube").y < 0.11, "it lies there");
    }
}

/// A body without weight flies at a wall of 1 cm at x = 0; the farthest it came. Its energy must not rise.
fn farthest<S: Scalar>(body: &str, speed: f64, start: f64, keys: &str) -> f64 {
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0), {keys} bounds: (position: 3000, speed: 3000, angular_speed: 30000), bodies: [
            (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.005, 10, 10))),
            (name: \"flies\", position: Origin({start}, 0, 0), linear_velocity: ({speed}, 0, 0), {body})]"
    ));
    let mut farthest = f64::MIN;
    let energy = run.energy().kinetic;
    for step in 1..=20 {
        run.step();
        let now = run.energy().kinetic;
        assert!(now <= 1.0001 * energy, "{body} at {speed} m/s from {start}: from {energy} to {now} J in step {step}");
        farthest = farthest.max(run.position("flies").x);
    }
    farthest
}

/// Balls, cubes, capsules and a capsule that spins, at 200 to 1000 m/s, from several starts: each stays before its wall. Their
/// centres come no nearer than half its thickness and their own radius, less 2 mm that may overlap.
fn thin_wall_stops_what_is_fast<S: Scalar>() {
    for (body, nearest) in [
        ("shape: Sphere(radius: 0.05)", 0.053),
        ("shape: Cuboid(half_extents: (0.1, 0.1, 0.1))", 0.103),
        ("shape: Capsule(half_height: 0.4, radius: 0.05)", 0.053),
        ("shape: Capsule(half_height: 0.4, radius: 0.01), angular_velocity: (0, 0, 500)", 0.013),
    ] {
        stays_before_the_wall::<S>(body, nearest);
    }
}

/// Sticks with edges that spin at 200, 500 and 800 rad/s: they stay before the wall too, and what they hit never gives them energy.
/// One that spins aslant turns by more than a radian in a substep, and precesses: where its ends meet the wall it must be where it
/// was seen to meet it. From these starts it lay in the wall by up to 9 mm, or passed.
fn thin_wall_stops_sticks_that_spin<S: Scalar>() {
    for spin in ["(0, 0, 200)", "(300, 0, 400)"] {
        let body = format!("shape: Cuboid(half_extents: (0.01, 0.5, 0.01)), angular_velocity: {spin}");
        stays_before_the_wall::<S>(&body, 0.013);
    }
    let aslant = "shape: Cuboid(half_extents: (0.5, 0.01, 0.01)), angular_velocity: (563, -528, 209),
        orientation: AxisDegrees(axis: (0.41, -1.63, -0.19), degrees: 78)";
    stays_before_the_wall::<S>(aslant, 0.013);
    for (speed, start) in [(200.0, -5.8819), (400.0, -4.6792), (1000.0, -5.496), (1000.0, -7.2353), (1000.0, -7.2626)] {
        let farthest = farthest::<S>(aslant, speed, start, "");
        assert!(farthest <= -0.013, "{aslant} at {speed} m/s from {start} came to {farthest}");
    }
}

fn stays_before_the_wall<S: Scalar>(body: &str, nearest: f64) {
    for speed in [200.0, 400.0, 1000.0] {
        for start in [-5.0, -5.7, -9.3] {
            let farthest = farthest::<S>(body, speed, start, "");
            assert!(farthest <= -nearest, "{body} at {speed} m/s from {start} came to {farthest}");
            assert!(farthest > start, "{body} should fly");
        }
    }
}

/// A capsule falls aslant on a plate of 10 cm at 200 to 500 m/s. Its lower end is stopped and lifts off as the other comes down, all
/// within a substep: what has parted there may meet again there. It comes to lie on the plate, with its centre 12.5 cm above
/// the plate's.
fn second_end_of_a_capsule_is_stopped_too<S: Scalar>() {
    for speed in [200.0, 400.0, 430.0, 467.0, 500.0] {
        let mut run = Run::<S>::of(&format!(
            "dt: \"1/30\", gravity: (0, 0, 0), bounds: (speed: 3000, angular_speed: 3000),
            materials: {{\"default\": (friction: 0)}},
            bodies: [(name: \"plate\", kind: Static, shape: Cuboid(half_extents: (1, 0.05, 1))),
                (name: \"capsule\", position: Origin(0, 2.2, 0), orientation: AxisRadians(axis: (0, 0, 1), radians: 0.7),
                    linear_velocity: (0, -{speed}, 0), shape: Capsule(half_height: 0.66, radius: 0.075))]"
        ));
        run.steps(3);
        assert_near(&format!("height at {speed} m/s"), run.position("capsule").y, 0.125, 0.002);
    }
}

/// e = 0, no friction, no threshold, no weight: a box at 306 m/s meets a plane with a corner, and is thrown flat onto it within the substep. What a
/// blow leaves of so fast an approach is no other blow: struck at the same moment until the events of the substep were spent, it
/// was not looked at any more and came to lie 37 cm in the plane, in fixed point.
fn inelastic_box_that_turns_ends_on_the_plane<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0), materials: {\"default\": (friction: 0)}, bodies: [
            (name: \"plane\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"box\", position: Origin(0, 1.24, 0), orientation: Quaternion(0.66, -0.70, 0.25, 0.03),
                linear_velocity: (61.66, -305.87, -39.94), angular_velocity: (7.3, 26.87, -11.18),
                shape: Cuboid(half_extents: (0.2577, 0.2479, 0.0998)))]",
    );
    for step in 1..=4 {
        run.step();
        // Flat on its largest face its centre is 9.98 cm above the plane.
        let height = run.position("box").y;
        assert!((0.0988..0.12).contains(&height), "the box is at {height} m in step {step}");
    }
}

/// An elastic ball flies to and fro between two walls of half a metre, many times a step, and strikes each again in every step. A
/// contact that lasts may not be seen beyond the middle of the wall: from there it pushes out behind.
fn elastic_ball_stays_between_two_thick_walls<S: Scalar>() {
    for (gap, speed) in [(0.05, 500.0), (0.05, 50.0), (0.5, 500.0), (0.5, 900.0), (3.0, 321.0)] {
        let wall = 0.25 + 0.1 + gap / 2.0;
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), bounds: (speed: 3000), materials: {{\"default\": (restitution: 1, friction: 0)}}, bodies: [
                (name: \"left\", kind: Static, position: Origin(-{wall}, 0, 0), shape: Cuboid(half_extents: (0.25, 50, 50))),
                (name: \"right\", kind: Static, position: Origin({wall}, 0, 0), shape: Cuboid(half_extents: (0.25, 50, 50))),
                (name: \"ball\", position: Origin(0, 0, 0), linear_velocity: ({speed}, 3, 0), shape: Sphere(radius: 0.1))]"
        ));
        for step in 1..=30 {
            run.step();
            let at = run.position("ball").x.abs();
            assert!(at <= gap / 2.0 + 0.001, "{speed} m/s in a gap of {gap} m: {at} m from the middle in step {step}");
        }
        assert_near("speed along the walls", run.velocity("ball").y, 3.0, 1e-4);
    }
}

/// 27 elastic balls of 40 cm at 100 m/s in a box of 4 m, 2 substeps: each meets several others within a substep, and what is struck flies where
/// nobody foresaw it. None leaves the box, none ends in another, and the energy stays as it is, so no meeting was left out and
/// none happened before another that would have prevented it.
fn elastic_balls_stay_in_their_box_and_apart<S: Scalar>() {
    let walls = ["(2.2, 0, 0)", "(-2.2, 0, 0)", "(0, 2.2, 0)", "(0, -2.2, 0)", "(0, 0, 2.2)", "(0, 0, -2.2)"];
    let half = |at: &str| match at.find("2.2") {
        Some(1 | 2) => "(0.2, 3, 3)",
        Some(4 | 5) => "(3, 0.2, 3)",
        _ => "(3, 3, 0.2)",
    };
    let walls = walls.map(|at| {
        format!("(name: \"wall {at}\", kind: Static, position: Origin{at}, shape: Cuboid(half_extents: {})),", half(at))
    });
    let ball = |number: i32| {
        let at = [number % 3, number / 3 % 3, number / 9].map(|place| 1.2 * f64::from(place - 1));
        let turn = f64::from(number) * 2.4; // spread over a sphere, no two alike
        let up = f64::from(number - 13) / 14.0;
        let [x, z] = [turn.cos(), turn.sin()].map(|part| 100.0 * (1.0 - up * up).sqrt() * part);
        format!(
            "(name: \"{number}\", position: Origin({}, {}, {}), linear_velocity: ({x}, {}, {z}), shape: Sphere(radius: 0.2)),",
            at[0],
            at[1],
            at[2],
            100.0 * up
        )
    };
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0), bounds: (speed: 3000), materials: {{\"default\": (restitution: 1, friction: 0)}},
        solver: Impulse(substeps: 2), bodies: [{}{}]",
        walls.concat(),
        (0..27).map(ball).collect::<String>()
    ));
    let energy = run.energy().kinetic;
    for step in 1..=30 {
        run.step();
        let places: Vec<_> = (0..27).map(|number| run.position(&number.to_string())).collect();
        for (number, at) in places.iter().enumerate() {
            let farthest = at.x.abs().max(at.y.abs()).max(at.z.abs());
            assert!(farthest <= 1.801, "ball {number} is in a wall, {farthest} m from the middle, in step {step}");
            let nearest = places[..number].iter().map(|other| (*other - *at).length()).fold(f64::MAX, f64::min);
            assert!(nearest >= 0.399, "ball {number} is in another in step {step}: {nearest} m apart");
        }
    }
    assert_near("energy", run.energy().kinetic, energy, 1e-5 * energy);
}

/// Two sticks near each other meet a wall of 40 m. What is flush to a wall of this size is measured by the sticks: measured by the
/// wall, each stick continued the other's faces, its edges were no edges, and both passed without a contact, slow as they were.
fn small_neighbours_do_not_open_a_large_wall<S: Scalar>() {
    let stick = "shape: Cuboid(half_extents: (0.03, 0.22, 0.03))";
    for speed in [2.0, 5.0, 20.0] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), bodies: [
                (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.01, 20, 20))),
                (name: \"first\", position: Origin(-0.3, 0, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: -20),
                    linear_velocity: ({speed}, 0, 0), {stick}),
                (name: \"second\", position: Origin(-0.3882, 0.4148, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 44),
                    linear_velocity: ({speed}, 0, 0), {stick})]"
        ));
        for step in 1..=40 {
            run.step();
            for name in ["first", "second"] {
                let at = run.position(name).x;
                assert!(at <= -0.038, "{name} at {speed} m/s is at {at} in step {step}");
            }
        }
    }
}

/// The control: with `continuous: Off` a cube at 400 m/s, 6.7 m a step, is seldom where the wall is.
fn without_continuous_it_passes<S: Scalar>() {
    let passes = [-5.0, -5.7, -9.3].map(|start| {
        let solver = "continuous: Off, solver: Impulse(substeps: 1),";
        farthest::<S>("shape: Cuboid(half_extents: (0.1, 0.1, 0.1))", 400.0, start, solver) > 1.0
    });
    assert!(passes.into_iter().filter(|passes| *passes).count() >= 2, "nothing tunnels: {passes:?}");
}

/// A ball of 1 kg at 500 m/s hits a stack of ten boxes of 125 kg: the momentum, forwards and aside, is what it was.
fn bullet_into_a_stack_keeps_momentum<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), bounds: (position: 3000, speed: 3000, angular_speed: 3000), bodies: [
            (name: \"bullet\", position: Origin(-20, 2.6, 0), linear_velocity: (500, 0, 0), mass: Total(1),
                shape: Sphere(radius: 0.05))],
        groups: [(name: \"box\", body: (shape: Cuboid(half_extents: (0.25, 0.25, 0.25))),
            layout: Stack(origin: (0, 0.25, 0), count: 10, spacing: (0, 0.5, 0)))]",
    );
    let momentum = |run: &Run<S>| Vec3::from_array(run.energy().linear_momentum);
    run.steps(30);
    assert!(run.velocity("bullet").x < 400.0, "the bullet should hit: {:?}", run.velocity("bullet"));
    let (bullet, struck) = (run.position("bullet").x, run.position("box[5]").x);
    assert!(bullet < struck, "the bullet should not pass the box that it hits: {bullet} and {struck}");
    // 125 kg times the rounding of a velocity, in ten boxes and thirty steps of ten substeps with a few rows each.
    let error = 500.0 * 1e-6 + 125.0 * 4.0 * chain::<S>(300.0, 1.0);
    assert_near_vector("momentum", momentum(&run), Vec3::new(500.0, 0.0, 0.0), error);
}

/// Two cubes fly at each other with 120 m/s in all: their faces are 19.3 m apart, so they meet after 0.161 s, in the middle of a
/// step, where the first has gone 9.65 m. Without restitution they stay there.
fn fast_boxes_meet_at_their_place<S: Scalar>() {
    for speed in [60.0, 120.0, 240.0] {
        let half = speed / 2.0;
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), materials: {{\"default\": (friction: 0)}}, bodies: [
                (name: \"a\", position: Origin(-10, 0, 0), linear_velocity: ({half}, 0, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
                (name: \"b\", position: Origin(10.3, 0, 0), linear_velocity: (-{half}, 0, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))]"
        ));
        run.steps(60);
        for (name, place) in [("a", -0.35), ("b", 0.65)] {
            assert_near_vector(&format!("{name} at {speed}"), run.position(name), Vec3::new(place, 0.0, 0.0), 1e-3);
            assert!(run.velocity(name).length() < 0.01 && run.spin(name).length() < 0.01, "{name} moves at {speed}");
        }
    }
}

/// Steps of a quarter of a second: a ball at 20 m/s makes 5 m in each, untouched, and stops in the fourth at its wall after 19 m.
fn long_steps_stop_a_ball_at_its_wall<S: Scalar>() {
    let mut run = Run::<S>::of(
        "dt: \"1/4\", gravity: (0, 0, 0), bodies: [
            (name: \"wall\", kind: Static, position: Origin(20, 0, 0), shape: Cuboid(half_extents: (0.5, 5, 5))),
            (name: \"ball\", linear_velocity: (20, 0, 0), shape: Sphere(radius: 0.5))]",
    );
    for step in 1..=8_u32 {
        run.step();
        let (place, speed) = if step < 4 { (5.0 * f64::from(step), 20.0) } else { (19.0, 0.0) };
        let error = if step < 4 { 20.0 * chain::<S>(100.0, 1.0) } else { 1e-3 };
        assert_near(&format!("place after step {step}"), run.position("ball").x, place, error);
        assert_near(&format!("speed after step {step}"), run.velocity("ball").x, speed, error);
    }
}
