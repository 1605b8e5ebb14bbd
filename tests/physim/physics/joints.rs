//! Balls and sockets: pendulums against their closed forms, what they keep, and how far they open.
//!
//! A substep h is a step of the leapfrog method: what swings at omega rad/s comes round late or early by some `(omega h)^2 / 24`
//! of its period, and what is measured within a step by straight lines by no more. Bounds are of that kind, with room for the
//! roundings of f32.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, bits, rounding};

on_every_scalar!(
    a_small_swing_takes_as_long_as_a_physical_pendulum,
    a_wide_swing_takes_as_long_as_the_elliptic_integral,
    a_conical_pendulum_goes_round_at_one_height,
    a_double_pendulum_keeps_its_energy_the_better_the_shorter_the_substeps,
    a_free_pair_keeps_its_momentum,
    joined_beams_keep_their_angular_momentum,
    a_chain_opens_no_further_than_its_springs,
    the_chain_swings_as_one_and_comes_back,
    the_net_holds_what_falls_on_it,
    a_heavy_world_and_a_light_bob,
    two_points_apart_are_brought_together,
    a_kinematic_body_carries_what_hangs_on_it,
    joined_bodies_pass_through_each_other_unless_they_are_to_collide,
    what_was_joined_to_a_removed_body_falls,
    every_correction_holds_a_pendulum,
    what_spins_about_a_pin_keeps_its_energy,
);

const G: f64 = 9.81;
/// Substeps of a step, and their length in seconds.
const SUBSTEPS: f64 = 10.0;
const H: f64 = DT / SUBSTEPS;

/// The arithmetic-geometric mean: a pendulum let go at the angle `a` has the period `2 pi sqrt(I / (m g L)) / agm(1, cos(a/2))`
/// (Gauss).
fn agm(mut a: f64, mut b: f64) -> f64 {
    for _ in 0..40 {
        (a, b) = ((a + b) / 2.0, (a * b).sqrt());
    }
    a
}

/// A rod of 1 m and 0.1 m square that hangs from its end, turned out by an angle in radians; the period by its closed form.
///
/// `I = (0.1^2 + 1^2) / 12 + 0.5^2` per mass about the end, and the centre is `L = 0.5` from it.
fn rod(angle: f64) -> (String, f64) {
    let keys = format!(
        "bodies: [(name: \"rod\", mass: Total(3), shape: Cuboid(half_extents: (0.05, 0.5, 0.05)),
            position: Origin({:.9}, {:.9}, 0), orientation: AxisRadians(axis: (0, 0, 1), radians: {angle}))],
        joints: [(name: \"pin\", kind: Spherical, a: \"rod\", anchor_a: (0, 0.5, 0), anchor_b: (0, 2, 0))]",
        0.5 * angle.sin(),
        2.0 - 0.5 * angle.cos(),
    );
    let inertia = (0.1_f64.powi(2) + 1.0) / 12.0 + 0.25;
    let period = std::f64::consts::TAU * (inertia / (G * 0.5)).sqrt() / agm(1.0, (angle / 2.0).cos());
    (keys, period)
}

/// The mean period of a swing in the plane of x and y over so many periods: from one passage through the vertical to another.
fn measured_period<S: Scalar>(run: &mut Run<S>, name: &str, periods: u32) -> f64 {
    let (mut first, mut passages, mut step) = (None, 0, 0_u32);
    let mut before = run.position(name).x;
    loop {
        run.step();
        step += 1;
        let now = run.position(name).x;
        if before < 0.0 && now >= 0.0 {
            let time = (f64::from(step) - now / (now - before)) * DT;
            let first = *first.get_or_insert(time);
            if passages == periods {
                return (time - first) / f64::from(periods);
            }
            passages += 1;
        }
        before = now;
        assert!(step < 60 * 60, "it does not swing");
    }
}

fn a_small_swing_takes_as_long_as_a_physical_pendulum<S: Scalar>() {
    let (keys, period) = rod(0.1);
    let measured = measured_period(&mut Run::<S>::of(&keys), "rod", 8);
    let turn = std::f64::consts::TAU / period * H;
    assert_near("period", measured, period, period * (turn * turn + rounding::<S>(100.0)));
}

/// Let go 2.5 rad from the lowest point, the rod is slow at both ends: it takes twice as long as for a small swing, and what
/// energy it lost would show at once.
fn a_wide_swing_takes_as_long_as_the_elliptic_integral<S: Scalar>() {
    let (keys, period) = rod(2.5);
    let measured = measured_period(&mut Run::<S>::of(&keys), "rod", 5);
    // At the lowest point it is 2 sin(a/2) times as fast as a small swing turns in its time.
    let turn = 2.0 * 1.25_f64.sin() * (G * 0.5 / (0.1_f64.powi(2) / 12.0 + 1.0 / 12.0 + 0.25)).sqrt() * H;
    assert_near("period", measured, period, period * (4.0 * turn * turn + rounding::<S>(1000.0)));
}

/// A ball on an arm L goes round at the angle a to the vertical with `W^2 = g / (L cos a)`: as a point, for a ball that turns
/// with it about the vertical keeps the angular momentum about its own centre.
fn a_conical_pendulum_goes_round_at_one_height<S: Scalar>() {
    let (length, sine, cosine) = (1.0, 0.6, 0.8);
    let rate = (G / (length * cosine)).sqrt();
    let mut run = Run::<S>::of(&format!(
        "bodies: [(name: \"bob\", mass: Total(2), shape: Sphere(radius: 0.1), position: Origin(0.6, -0.8, 0),
            linear_velocity: (0, 0, {:.9}), angular_velocity: (0, {:.9}, 0))],
        joints: [(name: \"string\", kind: Spherical, a: \"bob\", anchor_b: (0, 0, 0))]",
        -rate * sine,
        rate
    ));
    // The first substep takes a velocity of its start for one of its middle: half a substep's turn off its course.
    let bound = length * rate * H;
    for step in 1..=300_u32 {
        run.step();
        let at = run.position("bob");
        let angle = rate * f64::from(step) * DT;
        assert_near("height", at.y, -cosine, bound);
        // The rounds drift apart by what the height is off, in each round.
        let drift = bound * (1.0 + angle / 4.0);
        assert_near_vector("place", at, Vec3::new(sine * angle.cos(), at.y, -sine * angle.sin()), drift);
    }
}

/// Two balls on arms of half a metre, let go level: the energy swings about its first value by what half a substep of gravity
/// does, so by half as much with twice the substeps.
fn a_double_pendulum_keeps_its_energy_the_better_the_shorter_the_substeps<S: Scalar>() {
    let departure = |substeps: u32| {
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse(substeps: {substeps}),
            bodies: [
                (name: \"upper\", mass: Total(1), shape: Sphere(radius: 0.1), position: Origin(0.5, 0, 0)),
                (name: \"lower\", mass: Total(1), shape: Sphere(radius: 0.1), position: Origin(1, 0, 0)),
            ],
            joints: [
                (name: \"pivot\", kind: Spherical, a: \"upper\", anchor_b: (0, 0, 0)),
                (name: \"elbow\", kind: Spherical, a: \"lower\", b: \"upper\", anchor_b: (0, 0, 0)),
            ]"
        ));
        let mut largest = 0.0_f64;
        for _ in 0..300 {
            run.step();
            largest = largest.max(run.energy().total().abs());
        }
        largest
    };
    // Speeds of up to 6 m/s, each off by g h / 2: m v g h / 2 for both balls.
    let bound = |substeps: u32| 2.0 * 6.0 * G * DT / f64::from(substeps) / 2.0;
    let departures = [10, 20, 40].map(|substeps| (substeps, departure(substeps)));
    for (substeps, departure) in departures {
        assert!(departure < bound(substeps), "{substeps} substeps: {departure} J beyond {} J", bound(substeps));
    }
    for pair in departures.windows(2) {
        assert!(pair[1].1 < 0.7 * pair[0].1, "{departures:?}");
    }
}

/// Two boxes joined at their corners tumble freely. What a joint gives to one it takes from the other, at points that are as far
/// apart as the joint is open.
fn a_free_pair_keeps_its_momentum<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [
            (name: \"a\", mass: Total(2), shape: Cuboid(half_extents: (0.5, 0.25, 0.125)), angular_velocity: (1, 3, 2)),
            (name: \"b\", mass: Total(5), shape: Cuboid(half_extents: (0.25, 0.5, 0.25)), position: Origin(1, 0.5, 0),
                linear_velocity: (0.5, -1, 0.25), angular_velocity: (-2, 1, 1)),
        ],
        joints: [(name: \"corner\", kind: Spherical, a: \"a\", b: \"b\", anchor_a: (0.5, 0.25, 0.125))]",
    );
    let before = run.energy();
    let mut open = 0.0_f64;
    for _ in 0..600 {
        run.step();
        open = open.max(opening(&run));
    }
    let after = run.energy();
    // 600 steps of 10 substeps of up to 9 passes, each of which rounds both velocities, and nothing pulls one way.
    let bound = 7.0 * 4.0 * 54_000.0 * rounding::<S>(1.0);
    for (is, was) in after.linear_momentum.into_iter().zip(before.linear_momentum) {
        assert_near("linear momentum", is, was, bound);
    }
    // Forces of up to m r w^2 = 30 N at arms that differ by the opening, and as often one way as the other.
    let turned = 30.0 * open * 600.0 * DT;
    for (is, was) in after.angular_momentum.into_iter().zip(before.angular_momentum) {
        assert_near("angular momentum", is, was, turned + bound);
    }
}

/// Two joined beams tumble freely. Unequal moments follow their attitude in every substep: with those of the step's start the
/// joint took 9 % of their angular momentum and a quarter of their energy in 20 s.
fn joined_beams_keep_their_angular_momentum<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), bodies: [
            (name: \"a\", mass: Total(5), shape: Cuboid(half_extents: (0.5, 0.1, 0.2)), angular_velocity: (3, 5, 2)),
            (name: \"b\", mass: Total(3), shape: Cuboid(half_extents: (0.5, 0.05, 0.1)), angular_velocity: (-4, 1, 6),
                position: Origin(1, 0, 0))],
        joints: [(name: \"hinge\", kind: Spherical, a: \"a\", b: \"b\", at: (0.5, 0, 0))]",
    );
    run.step();
    let before = run.energy();
    run.steps(1200);
    let after = run.energy();
    let size = before.angular_momentum.into_iter().map(f64::abs).sum::<f64>();
    for (is, was) in after.angular_momentum.into_iter().zip(before.angular_momentum) {
        assert_near("angular momentum", is, was, 1e-3 * size);
    }
    assert_near("kinetic energy", after.kinetic, before.kinetic, 2e-3 * before.kinetic);
}

/// The widest joint, metres.
fn opening<S: Scalar>(run: &Run<S>) -> f64 {
    let world = run.world();
    let of = |joint| {
        let [a, b] = world.joint_points(joint);
        (b - a).length().to_f64()
    };
    world.joints().iter().map(of).fold(0.0, f64::max)
}

/// Twenty links of 1 kg and a ball of 100 kg at their end, from `scenes/chain.ron`. A joint is a spring of a quarter of the
/// substeps' rate: between masses whose reduced mass is m, the force F opens it by `F / (m w^2)` with `w = 2 pi / (4 h)`.
///
/// The largest force is that at the hook when the ball is lowest: 120 kg times g and `w^2 r`, and half as much again for the
/// waves that run up and down the chain. Between two links m is 1/2 kg.
fn a_chain_opens_no_further_than_its_springs<S: Scalar>() {
    let mut run = Run::<S>::of_file("chain.ron");
    let rate = std::f64::consts::FRAC_PI_2 / H;
    let force = 120.0 * G + 0.771 * 575.0;
    let bound = 1.5 * force / (0.5 * rate * rate);
    let mut open = 0.0_f64;
    for _ in 0..600 {
        run.step();
        open = open.max(opening(&run));
    }
    assert!(open < bound, "{open} m open, bound {bound} m");
    assert!(open > 0.1 * bound, "{open} m open: then the bound of {bound} m says nothing");
}

/// What the comment of `scenes/chain.ron` says: as a stiff pendulum of `I = 2926` and `M L = 575` that is let go at
/// `cos a = 0.8`, within the parts of a hundred by which the chain bends and gives way.
fn the_chain_swings_as_one_and_comes_back<S: Scalar>() {
    let mut run = Run::<S>::of_file("chain.ron");
    let start = run.position("ball");
    let rate = (2.0 * G * 575.0 * 0.2 / 2926.0).sqrt();
    let (mut fastest, mut farthest) = (0.0_f64, 0.0_f64);
    for _ in 0..300 {
        run.step();
        let [speed, at] = [run.velocity("ball").length(), run.position("ball").x];
        fastest = fastest.max(speed);
        farthest = farthest.min(at);
    }
    assert_near("speed", fastest, rate * 5.25, 0.03 * rate * 5.25);
    assert_near("turning point", farthest, -start.x, 0.03 * start.x);
    let hook = run.world().joints().iter().find(|joint| &*joint.name == "hook").expect("a hook");
    assert_eq!(run.world().bodies().index_of(hook.b), None, "the hook is of the world");
}

/// What the comment of `scenes/net.ron` says: the corners are drawn in, and what fell into the net is at rest above its lowest
/// knot.
fn the_net_holds_what_falls_on_it<S: Scalar>() {
    let mut run = Run::<S>::of_file("net.ron");
    assert_near("anchors at the start", opening(&run), 0.3 * 2.0_f64.sqrt(), rounding::<S>(8.0));
    run.steps(360);
    assert!(opening(&run) < 0.02, "{} m open", opening(&run));
    let bodies = run.world().bodies();
    let knots = (0..bodies.len()).filter(|&index| bodies.name[index].starts_with("knot"));
    let lowest = knots.map(|index| bodies.position[index].y.to_f64()).fold(0.0, f64::min);
    assert!((-1.5..-0.3).contains(&lowest), "the lowest knot is at {lowest} m");
    for name in ["box", "first", "second"] {
        assert!(run.position(name).y > lowest, "{name} is at {}", run.position(name).y);
        assert!(run.velocity(name).length() < 0.2, "{name} has {} m/s", run.velocity(name).length());
    }
}

/// A bob of a milligram swings on a body of a thousand tons that floats: the ratio is 10^12, and impulses are speeds.
fn a_heavy_world_and_a_light_bob<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [
            (name: \"bob\", mass: Total(0.000001), shape: Sphere(radius: 0.1), position: Origin(0.0998334166, -0.9950041653, 0)),
            (name: \"rock\", mass: Total(1000000), shape: Sphere(radius: 0.2), gravity_scale: 0),
        ],
        joints: [(name: \"string\", kind: Spherical, a: \"bob\", b: \"rock\", anchor_b: (0, 0, 0))]",
    );
    let inertia = 1.0 + 0.4 * 0.01;
    let period = std::f64::consts::TAU * (inertia / G).sqrt() / agm(1.0, 0.05_f64.cos());
    let measured = measured_period(&mut run, "bob", 4);
    let turn = std::f64::consts::TAU / period * H;
    assert_near("period", measured, period, period * (turn * turn + rounding::<S>(100.0)));
    assert_near_vector("rock", run.position("rock"), Vec3::ZERO, 1e-9);
}

/// Anchors that do not coincide: the joint pulls at no more than the speed of its correction, and holds what it has brought
/// together; without gravity nothing is left of the motion.
fn two_points_apart_are_brought_together<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [
            (name: \"a\", mass: Total(1), shape: Sphere(radius: 0.25)),
            (name: \"b\", mass: Total(3), shape: Sphere(radius: 0.25), position: Origin(4, 0, 0)),
        ],
        joints: [(name: \"rope\", kind: Spherical, a: \"a\", b: \"b\", anchor_a: (0.5, 0, 0), anchor_b: (-0.5, 0, 0))]",
    );
    assert_near("at the start", opening(&run), 3.0, rounding::<S>(8.0));
    let mut before = 3.0;
    for _ in 0..120 {
        run.step();
        let now = opening(&run);
        assert!(before - now < 3.0 * DT * 1.01, "from {before} to {now} m in a step");
        before = now;
    }
    let still = 2000.0 * rounding::<S>(4.0);
    assert_near("in the end", opening(&run), 0.0, still);
    // The common centre of mass stays at 3/4 of 4 m, and the two are 1 m apart.
    assert_near_vector("a", run.position("a"), Vec3::new(2.25, 0.0, 0.0), still);
    assert_near_vector("velocity", run.velocity("b"), Vec3::ZERO, still);
}

/// A trolley that drives at 2 m/s with a bob that hangs and drives with it: seen from the trolley nothing happens.
fn a_kinematic_body_carries_what_hangs_on_it<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [
            (name: \"trolley\", kind: Kinematic, linear_velocity: (2, 0, 0), shape: Cuboid(half_extents: (0.2, 0.1, 0.2))),
            (name: \"bob\", mass: Total(1), shape: Sphere(radius: 0.1), position: Origin(0, -1, 0), linear_velocity: (2, 0, 0)),
        ],
        joints: [(name: \"string\", kind: Spherical, a: \"bob\", b: \"trolley\", at: (0, -0.1, 0))]",
    );
    run.steps(120);
    let bound = 5000.0 * rounding::<S>(4.0);
    // The spring of the joint gives way by g / w^2.
    let sag = G / (std::f64::consts::FRAC_PI_2 / H).powi(2);
    let below = run.position("bob") - run.position("trolley");
    assert_near("beside", below.x, 0.0, bound);
    assert_near("below", below.y, -1.0, 2.0 * sag);
    assert_near_vector("trolley", run.velocity("trolley"), Vec3::new(2.0, 0.0, 0.0), rounding::<S>(2.0));
}

/// Two balls within each other, joined in the middle: they stay to the bit, unless the joint lets them collide.
fn joined_bodies_pass_through_each_other_unless_they_are_to_collide<S: Scalar>() {
    let run = |collide: bool| {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0),
            bodies: [
                (name: \"a\", shape: Sphere(radius: 0.5)),
                (name: \"b\", shape: Sphere(radius: 0.5), position: Origin(0.75, 0, 0)),
            ],
            joints: [(name: \"j\", kind: Spherical, a: \"a\", b: \"b\", anchor_a: (0.375, 0, 0), collide: {collide})]"
        ));
        run.steps(30);
        run
    };
    let apart = run(false);
    assert_eq!(apart.world().contacts().len(), 0);
    let Vec3 { x, y, z } = Vec3::<S>::ZERO;
    assert_eq!(bits(apart.body("a").position), bits(Vec3::new(x, y, z)));
    assert_eq!(run(true).world().contacts().len(), 1);
}

/// A bob whose hook leaves falls from there: `y = y0 - g t^2 / 2`, as semi-implicit substeps have it, and its joint is gone.
fn what_was_joined_to_a_removed_body_falls<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [
            (name: \"hook\", kind: Static, shape: Sphere(radius: 0.1)),
            (name: \"bob\", shape: Sphere(radius: 0.1), position: Origin(0, -1, 0)),
            (name: \"other\", shape: Sphere(radius: 0.1), position: Origin(3, -1, 0)),
        ],
        joints: [
            (name: \"string\", kind: Spherical, a: \"bob\", b: \"hook\", anchor_b: (0, 0, 0)),
            (name: \"rope\", kind: Spherical, a: \"other\", anchor_b: (3, 0, 0)),
        ],
        inputs: [(step: 31, action: Remove(\"hook\"))]",
    );
    run.steps(30);
    assert_eq!(run.world().joints().len(), 2);
    let held = run.position("bob");
    run.steps(60);
    assert_eq!(run.world().joints().len(), 1);
    assert_eq!(&*run.world().joints()[0].name, "rope");
    let fallen = held.y - G / 2.0 * 1.0 * (1.0 + 1.0 / (60.0 * SUBSTEPS));
    // 60 steps of roundings, and the last of what the joint's spring gave it.
    let bound = 600.0 * rounding::<S>(16.0) + 1e-4;
    assert_near_vector("bob", run.position("bob"), Vec3::new(0.0, fallen, 0.0), bound);
    assert_near("other", run.position("other").y, -1.0, 2.0 * G / (std::f64::consts::FRAC_PI_2 / H).powi(2));
}

/// Classic corrections hold a joint too: Baumgarte in the velocities, projection in the positions. The softest is the spring,
/// of which the rod, at the lowest point with 1.4 times its weight, draws `1.4 g / w^2`, with w a quarter of 240 substeps a second.
fn every_correction_holds_a_pendulum<S: Scalar>() {
    let corrections =
        ["Soft(push_speed: 3)", "Baumgarte(beta: 0.2, slop: 0.005)", "Projection(beta: 0.2, slop: 0.005)"];
    let bound = 1.4 * G / (std::f64::consts::FRAC_PI_2 * 240.0).powi(2) + 100.0 * rounding::<S>(2.0);
    for correction in corrections {
        let (keys, period) = rod(0.5);
        let solver =
            format!("solver: Impulse(substeps: 4, iterations: 4, relax_iterations: 0, correction: {correction}),");
        let mut run = Run::<S>::of(&(solver + &keys));
        let measured = measured_period(&mut run, "rod", 3);
        assert_near(correction, measured, period, 0.01 * period);
        assert!(opening(&run) < bound, "{correction}: {} m open", opening(&run));
    }
}

/// A ball of 1 kg that goes round a pin 0.3 m beside its middle, 60 rad/s, for ten seconds: `1/2 m (omega r)^2 + 1/2 (2/5 m r^2) omega^2`,
/// 226.8 J. As it begins it moves along its path; what holds it, by the chord, `2 r sin(omega h / 2) / h`: that costs `(omega h)^2 / 12`, 0.1 %, at most.
/// After that nothing is gained or lost but by rounding, where a correction that also turned the ball won a hundredth a second.
fn what_spins_about_a_pin_keeps_its_energy<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [(name: \"ball\", shape: Sphere(radius: 0.3), mass: Total(1), linear_velocity: (0, 0, 18), angular_velocity: (0, 60, 0))],
        joints: [(name: \"pin\", kind: Spherical, a: \"ball\", anchor_a: (0.3, 0, 0))]",
    );
    assert_near("energy at the start", run.energy().total(), 226.8, 226.8 * 64.0 * rounding::<S>(1.0));
    run.steps(60);
    let settled = run.energy().total();
    assert_near("energy after a second", settled, 226.8, 226.8 * 0.003);
    run.steps(540);
    assert_near("energy after ten seconds", run.energy().total(), settled, settled * 1e-3);
}
