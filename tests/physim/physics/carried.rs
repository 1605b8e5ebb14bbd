//! What a turntable carries: arms of contacts that turn with it.

use std::f64::consts::PI;

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector};

on_every_scalar!(
    turntable_carries_what_stands_on_it,
    fast_turntable_carries_a_tile,
    turntable_carries_what_all_but_slips,
    turntable_carries_what_spins_about_no_axis_of_its_own,
    turning_paddle_pushes_what_lies_before_it,
    ball_rolls_in_circles_on_a_turntable,
    ball_in_a_corner_is_carried_round
);

/// A body that rides at a distance from the axis keeps it, to a thousandth a turn, while friction holds
/// (`omega^2 r < mu g`) and it does not tip (`omega^2 r < g` width / height).
fn turntable_carries_what_stands_on_it<S: Scalar>() {
    let (cube, tile) = ((0.1, 0.1), (0.1, 0.02));
    carries::<S>([(PI / 4.0, 1.5, cube, 2), (2.0, 0.3, cube, 3), (5.0, 0.3, cube, 6), (6.0, 0.3, tile, 8)]);
}

/// The same at 10 rad/s and more, where a substep of length h misses the arc by up to `(omega h)^3` of the radius, so a turn by up
/// to `2 pi (omega h)^2`: 0.17 % at 10 rad/s, 0.45 % at 16.
fn fast_turntable_carries_a_tile<S: Scalar>() {
    let tile = (0.1, 0.02);
    carries::<S>([(9.0, 0.3, tile, 3), (10.0, 0.3, tile, 3), (11.0, 0.2, tile, 3), (16.0, 0.1, tile, 3)]);
}

/// A cube of 1 m that rides 1 m from the axis at 2 rad/s, held by two fifths of what friction can bear, keeps its radius to a thousandth
/// a turn: in each substep it is given its part of the turn, not all of a step's in the first, for which friction would not do.
fn turntable_carries_what_all_but_slips<S: Scalar>() {
    for rate in [60_u32, 120, 240] {
        let mut run = Run::<S>::of(&format!(
            "dt: \"1/{rate}\", materials: {{\"default\": (friction: 1)}}, bodies: [
                (name: \"table\", kind: Kinematic, position: Origin(0, -0.1, 0), angular_velocity: (0, 2, 0),
                    shape: Cuboid(half_extents: (2, 0.1, 2))),
                (name: \"rider\", position: Origin(1, 0.5, 0), linear_velocity: (0, 0, -2),
                    angular_velocity: (0, 2, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))]"
        ));
        run.steps((PI * f64::from(rate)) as u32);
        let Vec3 { x, z, .. } = run.position("rider");
        assert_near(&format!("radius after a turn in steps of 1/{rate} s"), x.hypot(z), 1.0, 1e-3);
    }
}

/// A wedge has an angular momentum of another direction than its spin, which turns along with it: it stays where it stands. Its points' origin
/// is 1 m from the axis, its centre of mass 1/30 m nearer.
fn turntable_carries_what_spins_about_no_axis_of_its_own<S: Scalar>() {
    for spin in [0.6, 1.2, 1.8] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 1)}}, bodies: [
                (name: \"table\", kind: Kinematic, position: Origin(0, -0.5, 0), angular_velocity: (0, {spin}, 0),
                    shape: Cuboid(half_extents: (3, 0.5, 3))),
                (name: \"wedge\", position: Origin(1, 0.1, 0), linear_velocity: (0, 0, -{spin}), angular_velocity: (0, {spin}, 0),
                    shape: Hull(points: [(-0.1, -0.1, -0.1), (0.1, -0.1, -0.1), (-0.1, -0.1, 0.1), (0.1, -0.1, 0.1),
                        (-0.1, 0.2, -0.1), (-0.1, 0.2, 0.1)]))]"
        ));
        run.steps(60); // it is settled then
        let radius = |run: &Run<S>| {
            let Vec3 { x, z, .. } = run.position("wedge");
            x.hypot(z)
        };
        let start = radius(&run);
        run.steps(600);
        assert_near(&format!("radius after 10 s at {spin} rad/s"), radius(&run), start, 2e-4);
    }
}

/// No friction, no weight: a paddle that turns at W pushes what lies before it, which glides outward as `r0 cosh(W t)` and stays on
/// its face. A substep of length h misses the arc by an eighth of `(W h)^2` of the radius, and semi-implicit Euler runs up to a
/// substep behind. At the fastest the paddle turns by 1/8 rad in each.
fn turning_paddle_pushes_what_lies_before_it<S: Scalar>() {
    let (radius, half, thick) = (0.4, 0.02, 0.002);
    for (name, shape) in [("ball", "Sphere(radius: 0.02)"), ("cube", "Cuboid(half_extents: (0.02, 0.02, 0.02))")] {
        for (turn_of_substep, touches) in [(0.01, true), (0.03, true), (0.04, true), (0.1, true), (0.04, false)] {
            let omega = turn_of_substep * 600.0;
            let height = half + thick + if touches { 0.0 } else { 0.0005 };
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), materials: {{\"default\": (friction: 0)}}, bodies: [
                    (name: \"paddle\", kind: Kinematic, angular_velocity: (0, 0, {omega}),
                        shape: Cuboid(half_extents: (5, {thick}, 1))),
                    (name: \"it\", position: Origin({radius}, {height}, 0), angular_velocity: (0, 0, {omega}),
                        linear_velocity: ({}, {}, 0), shape: {shape})]",
                -omega * height,
                omega * radius
            ));
            for step in 1.. {
                let angle = omega * DT * f64::from(step);
                if angle > 2.5 {
                    assert!(step > 1, "it was watched");
                    break;
                }
                run.step();
                let Vec3 { x, y, .. } = run.position("it");
                let (along, above) = (x * angle.cos() + y * angle.sin(), y * angle.cos() - x * angle.sin());
                let what = format!("{name} on a paddle that turns by {turn_of_substep} in a substep, step {step}");
                let should_be = radius * angle.cosh();
                let behind = turn_of_substep * should_be;
                let arc = turn_of_substep * turn_of_substep * should_be / 8.0;
                // Its weight on the turning face, `2 W^2 r0 sinh(W t)`, presses it in by that over `omega^2`.
                let sag = 2.0 * omega * omega * radius * angle.sinh() * 2.1e-5 / 9.81;
                assert_near(&format!("height of the {name}: {what}"), above, half + thick, arc + sag + 1e-4);
                assert_near(&format!("radius of the {name}: {what}"), along, should_be, behind + 1e-3);
            }
        }
    }
}

/// Tables that turn at so many rad/s, with a box of these half edges and half height at a distance, for so many turns.
fn carries<S: Scalar>(cases: [(f64, f64, (f64, f64), u32); 4]) {
    for (spin, radius, (half, height), turns) in cases {
        assert!(spin * spin * radius < 9.81 * f64::min(4.0, half / height), "it should neither slip nor tip");
        for (x, z) in [(0.0, 0.0), (3.0, -2.0)] {
            let mut run = Run::<S>::of(&format!(
                "materials: {{\"default\": (friction: 4)}}, bodies: [
                    (name: \"table\", kind: Kinematic, position: Origin({x}, -0.5, {z}), angular_velocity: (0, {spin}, 0),
                        shape: Cuboid(half_extents: (2, 0.5, 2))),
                    (name: \"rider\", position: Origin({}, {height}, {z}), linear_velocity: (0, 0, -{}),
                        angular_velocity: (0, {spin}, 0), shape: Cuboid(half_extents: ({half}, {height}, {half})))]",
                x + radius,
                spin * radius
            ));
            let steps = (2.0 * PI / spin / DT) as u32;
            for turn in 1..=turns {
                run.steps(steps);
                let arm = run.position("rider") - Vec3::new(x, height, z);
                let far = Vec3::new(arm.x, 0.0, arm.z).length();
                let what = format!("radius at {spin} rad/s after turn {turn}");
                let share = f64::max(1e-3, 2.0 * PI * (spin * DT / 10.0) * (spin * DT / 10.0));
                assert_near(&what, far, radius, share * radius * f64::from(turn));
                assert_near("height", arm.y, 0.0, 1e-3);
            }
        }
    }
}

/// A ball that rolls on a turntable of spin w runs in circles with 2/7 of w, in the table's sense, for its moment is 2/5 m r^2;
/// where it starts does not matter. Over thirty seconds its speed is not off by half a hundredth; and its heading after one
/// of its circles is that of the start to a hundredth of the circle.
fn ball_rolls_in_circles_on_a_turntable<S: Scalar>() {
    let (table, radius, speed, away) = (2.0, 0.1, 0.5, 1.0);
    // It rolls from the start: its spin makes its lowest point as fast as the table below, (0, 0, -table * away).
    let spin = (-(-table * away) / radius, -speed / radius);
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (friction: 1)}}, bodies: [
            (name: \"table\", kind: Kinematic, position: Origin(0, -0.5, 0), angular_velocity: (0, {table}, 0),
                shape: Cuboid(half_extents: (20, 0.5, 20))),
            (name: \"ball\", position: Origin({away}, {radius}, 0), linear_velocity: ({speed}, 0, 0),
                angular_velocity: ({}, 0, {}), shape: Sphere(radius: {radius}))]",
        spin.0, spin.1
    ));
    let period = 2.0 * PI / (2.0 / 7.0 * table);
    let mut seen = 0;
    for step in 1..=1800_u32 {
        run.step();
        let velocity = run.velocity("ball");
        assert_near(&format!("speed in step {step}"), velocity.length(), speed, 0.005 * speed);
        for quarter in 1..=4_u32 {
            let time = period * f64::from(quarter) / 4.0;
            if (f64::from(step) * DT - time).abs() < DT / 2.0 {
                // About +y from +x comes -z.
                let heading = [Vec3::X, -Vec3::Z, -Vec3::X, Vec3::Z][quarter as usize % 4] * speed;
                assert_near_vector(&format!("heading after {quarter}/4"), velocity, heading, 2.0 * PI * 0.01 * speed);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 4);
}

/// A hollow cube of 10 kg spins in free space, with a ball of 3 kg that lies in one of its corners and is carried along. Once the ball lies there,
/// after 2.5 s, nothing changes for 7.5 more: not the energy, nor the angular momentum of both, to a thousandth; and the ball turns with the cube.
///
/// Both have equal moments of inertia. Rows that serve for two substeps were off the circle by half of one each, and the ball crept by that:
/// 1.6 % of the angular momentum went, and 2 % of the energy.
fn ball_in_a_corner_is_carried_round<S: Scalar>() {
    let wall = |half: &str, offset: &str| format!("(shape: Cuboid(half_extents: ({half})), offset: ({offset}))");
    let walls = [
        wall("0.05, 1.1, 1.1", "-1.05, 0, 0"),
        wall("0.05, 1.1, 1.1", "1.05, 0, 0"),
        wall("1.1, 0.05, 1.1", "0, -1.05, 0"),
        wall("1.1, 0.05, 1.1", "0, 1.05, 0"),
        wall("1.1, 1.1, 0.05", "0, 0, -1.05"),
        wall("1.1, 1.1, 0.05", "0, 0, 1.05"),
    ];
    let mut run = Run::<S>::of(&format!(
        "dt: \"1/60\", gravity: (0, 0, 0), materials: {{\"default\": (friction: 0.5)}}, bodies: [
            (name: \"shell\", angular_velocity: (2, 3, 1), colliders: [{}],
                mass: Given(mass: 10, centre: (0, 0, 0), inertia: (12.3, 12.3, 12.3, 0, 0, 0))),
            (name: \"ball\", position: Origin(0.7, 0.7, 0.7), linear_velocity: (1.4, -0.7, -0.7),
                angular_velocity: (2, 3, 1), mass: Total(3), shape: Sphere(radius: 0.3))]",
        walls.join(", ")
    ));
    let length = |vector: [f64; 3]| vector.into_iter().map(|part| part * part).sum::<f64>().sqrt();
    let before = length(run.energy().angular_momentum);
    run.steps(150);
    let carried = run.energy().kinetic;
    for step in 150..600 {
        run.step();
        let energy = run.energy();
        assert_near(&format!("energy in step {step}"), energy.kinetic, carried, 1e-3 * carried);
        assert_near(&format!("momentum in step {step}"), length(energy.angular_momentum), before, 1e-3 * before);
    }
    let slip = (run.spin("ball") - run.spin("shell")).length();
    assert!(slip < 1e-3, "the ball turns against the shell by {slip} rad/s");
}
