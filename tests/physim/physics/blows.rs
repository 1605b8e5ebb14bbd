//! Blows in several contacts at the same moment: what falls flat on two floors or on four legs, what is struck at both ends.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, assert_near_vector};

on_every_scalar!(
    what_falls_flat_on_several_contacts_bounces_as_on_one,
    what_is_struck_alike_at_both_ends_does_not_turn,
    blows_at_once_of_unequal_masses_keep_momentum_and_energy,
);

const GRAVITY: f64 = 9.81;
const HEIGHT: f64 = 1.25;

/// What falls, the height of its centre of mass above what it falls on, and what that is.
fn falls() -> [(&'static str, f64, &'static str, String); 5] {
    let cube = "shape: Cuboid(half_extents: (0.4, 0.4, 0.4))";
    let tile = |name: &str, x: f64, z: f64| {
        format!(
            "(name: \"{name}\", kind: Static, position: Origin({x}, -0.5, {z}), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),"
        )
    };
    let two = format!("{}{}", tile("east", 0.4, 0.1), tile("west", -0.6, 0.1));
    let four = format!("{two}{}{}", tile("north", 0.4, -0.9), tile("south", -0.6, -0.9));
    let floor = "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),";
    let legs = "colliders: [(shape: Cuboid(half_extents: (0.05, 0.2, 0.05)), offset: (-0.4, 0, -0.4)),
        (shape: Cuboid(half_extents: (0.05, 0.2, 0.05)), offset: (-0.4, 0, 0.4)),
        (shape: Cuboid(half_extents: (0.05, 0.2, 0.05)), offset: (0.4, 0, -0.4)),
        (shape: Cuboid(half_extents: (0.05, 0.2, 0.05)), offset: (0.4, 0, 0.4))]";
    let balls = "colliders: [(shape: Sphere(radius: 0.1), offset: (-0.4, 0, -0.3)), (shape: Sphere(radius: 0.1), offset: (-0.4, 0, 0.3)),
        (shape: Sphere(radius: 0.1), offset: (0.4, 0, -0.3)), (shape: Sphere(radius: 0.1), offset: (0.4, 0, 0.3))]";
    [
        ("a cube on two tiles", 0.4, cube, two),
        ("a cube on four tiles", 0.4, cube, four),
        ("four legs", 0.2, legs, floor.to_owned()),
        ("four balls", 0.1, balls, floor.to_owned()),
        ("a plank on two posts", 0.05, "shape: Cuboid(half_extents: (1, 0.05, 0.1))", "
            (name: \"east\", kind: Static, position: Origin(0.7, -0.5, 0), shape: Cuboid(half_extents: (0.1, 0.5, 0.1))),
            (name: \"west\", kind: Static, position: Origin(-0.4, -0.5, 0), shape: Cuboid(half_extents: (0.1, 0.5, 0.1))),".to_owned()),
    ]
}

/// What falls flat bounces upright, with e times the speed: to e^2 of its height, whatever it falls on. With e = 0 it stays.
fn what_falls_flat_on_several_contacts_bounces_as_on_one<S: Scalar>() {
    for (what, half_height, shapes, floor) in falls() {
        for (dt, restitution) in
            [("1/30", 0.5), ("1/60", 0.0), ("1/60", 0.5), ("1/60", 1.0), ("1/240", 0.0), ("1/240", 1.0)]
        {
            let mut run = Run::<S>::of(&format!(
                "dt: \"{dt}\", materials: {{\"default\": (friction: 0.5, restitution: {restitution})}}, bodies: [{floor}
                (name: \"it\", position: Origin(0, {}, 0), {shapes})]",
                HEIGHT + half_height
            ));
            let what = format!("{what}, e = {restitution}, steps of {dt} s");
            let fall = (2.0 * HEIGHT / GRAVITY).sqrt();
            let landed = (fall / run.world().settings().step_seconds.to_f64()).ceil();
            (0..landed as u32 + 1).for_each(|_| run.step());
            let mut highest = 0.0_f64;
            for _ in 0..12 {
                run.step();
                let (speed, spin) = (run.velocity("it"), run.spin("it").length());
                assert!(spin < 2e-3, "{what}: it spins by {spin}");
                assert!(speed.x.hypot(speed.z) < 1e-3, "{what}: it goes sideways {speed:?}");
                if speed.y > 1e-3 {
                    let height = run.position("it").y - half_height + speed.y * speed.y / (2.0 * GRAVITY);
                    highest = highest.max(height);
                }
            }
            assert_near(&what, highest, restitution * restitution * HEIGHT, 0.02 * HEIGHT * restitution);
        }
    }
}

/// e = 1, no weight: two balls of mass m strike the ends of a bar of mass M at the same moment and from the same side with speed v.
/// Each gives it the impulse `P = 2 v / (2/M + 1/m)`; it leaves with `2 P / M`, the balls keep `v - P / m`.
fn what_is_struck_alike_at_both_ends_does_not_turn<S: Scalar>() {
    for (ball_mass, bar_mass) in [(1.0, 1.0), (1.0, 50.0), (50.0, 1.0)] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), materials: {{\"default\": (friction: 0.5, restitution: 1)}}, bodies: [
            (name: \"bar\", mass: Total({bar_mass}), shape: Cuboid(half_extents: (1, 0.1, 0.1))),
            (name: \"east\", mass: Total({ball_mass}), position: Origin(0.9, -1, 0), linear_velocity: (0, 5, 0), shape: Sphere(radius: 0.1)),
            (name: \"west\", mass: Total({ball_mass}), position: Origin(-0.9, -1, 0), linear_velocity: (0, 5, 0), shape: Sphere(radius: 0.1))]"
        ));
        run.steps(30);
        let impulse = 2.0 * 5.0 / (2.0 / bar_mass + 1.0 / ball_mass);
        let what = format!("balls of {ball_mass} kg, a bar of {bar_mass} kg");
        assert!(run.spin("bar").length() < 1e-4, "{what}: it spins by {:?}", run.spin("bar"));
        assert_near_vector(&what, run.velocity("bar"), Vec3::new(0.0, 2.0 * impulse / bar_mass, 0.0), 1e-3);
        for ball in ["east", "west"] {
            assert_near_vector(&what, run.velocity(ball), Vec3::new(0.0, 5.0 - impulse / ball_mass, 0.0), 1e-3);
        }
    }
}

/// e = 1, friction, no weight: a ball of 10 kg and one of 10 g strike a bar of 1 kg at the same moment, from different sides and
/// aslant. Momentum stays, and energy does not grow.
fn blows_at_once_of_unequal_masses_keep_momentum_and_energy<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), materials: {\"default\": (friction: 0.7, restitution: 1)}, bodies: [
        (name: \"bar\", mass: Total(1), shape: Cuboid(half_extents: (1, 0.1, 0.1))),
        (name: \"heavy\", mass: Total(10), position: Origin(0.2, -1, 0), linear_velocity: (1, 5, 0.5), angular_velocity: (3, 0, 2), shape: Sphere(radius: 0.1)),
        (name: \"light\", mass: Total(0.01), position: Origin(-0.9, 1, 0), linear_velocity: (0.5, -5, 1), angular_velocity: (0, 2, 9), shape: Sphere(radius: 0.1))]",
    );
    let before = run.energy();
    run.steps(30);
    let after = run.energy();
    assert!(run.velocity("light").y > 0.0 && run.velocity("bar").y > 1.0, "both have struck");
    assert_near("momentum", after.linear_momentum[1], before.linear_momentum[1], 1e-3);
    let [before, after] = [before, after].map(|energy| energy.kinetic);
    assert!(after <= before * 1.0001, "energy grows from {before} to {after} J");
    assert!(after > before * 0.7, "and most of it stays: {after} of {before} J");
}
