//! Friction for a contact as a whole (`Patch`) and for each of its points (`PerPoint`): both keep Coulomb's law.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, wide};

on_every_scalar!(
    box_stops_alike_in_all_directions,
    box_sticks_and_slides_at_its_angle,
    spinning_box_stops_by_the_friction_of_its_corners,
    tall_box_tips_over_its_edge,
);

const GRAVITY: f64 = 9.81;
const MODES: [&str; 2] = ["Patch", "PerPoint"];
/// The length of a substep of the defaults.
const SUBSTEP: f64 = DT / 10.0;

fn scene<S: Scalar>(mode: &str, friction: f64, bodies: &str) -> Run<S> {
    Run::of(&format!(
        "solver: Impulse(friction: {mode}), materials: {{\"default\": (friction: {friction})}}, bodies: [{bodies}]"
    ))
}

/// A box on a plane that rises by so many degrees along x; its half extents are (across, height, across).
fn on_slope<S: Scalar>(mode: &str, friction: f64, degrees: f64, across: f64, height: f64) -> Run<S> {
    let angle = degrees.to_radians();
    let (x, y) = (-height * libm::sin(angle), height * libm::cos(angle));
    let tilted = format!("orientation: AxisDegrees(axis: (0, 0, 1), degrees: {degrees})");
    let bodies = format!(
        "(name: \"slope\", kind: Static, {tilted}, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"box\", {tilted}, position: Origin({x:.9}, {y:.9}, 0), shape: Cuboid(half_extents: ({across}, {height}, {across})))"
    );
    scene(mode, friction, &bodies)
}

/// A flat box slides at 3 m/s in any direction: it stops after `v^2 / (2 mu g)`, to what it makes in two substeps, straight on, and
/// turns by less than a thousandth.
fn box_stops_alike_in_all_directions<S: Scalar>() {
    for mode in MODES {
        for degrees in [0.0_f64, 15.0, 30.0, 45.0, 100.0, 200.0] {
            let (z, x) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
            let bodies = format!(
                "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"box\", position: Origin(0, 0.1, 0), linear_velocity: ({:.9}, 0, {:.9}),
                    shape: Cuboid(half_extents: (0.5, 0.1, 0.5)))",
                3.0 * x,
                3.0 * z
            );
            let mut run = scene::<S>(mode, 0.4, &bodies);
            run.steps(90);
            let (way, stops) = (run.position("box"), 9.0 / (2.0 * 0.4 * GRAVITY));
            let what = format!("{mode} at {degrees} degrees");
            assert_near(&what, way.x * x + way.z * z, stops, 2.0 * 3.0 * SUBSTEP);
            assert_near(&format!("{what}: aside"), way.x * z - way.z * x, 0.0, 1e-3 * stops);
            assert!(run.velocity("box").length() < 1e-3, "{what}: it should rest");
            assert!(libm::fabs(run.body("box").orientation.y.to_f64()) < 5e-4, "{what}: it should not turn");
        }
    }
}

/// Two hundredths above the tangent of the slope the box sticks, two hundredths below it slides with `g (sin - mu cos)`.
fn box_sticks_and_slides_at_its_angle<S: Scalar>() {
    for mode in MODES {
        for degrees in [10.0_f64, 30.0] {
            let (sine, cosine) = (libm::sin(degrees.to_radians()), libm::cos(degrees.to_radians()));
            for share in [1.02, 0.98, 0.5] {
                let friction = share * sine / cosine;
                let mut run = on_slope::<S>(mode, friction, degrees, 0.5, 0.2);
                run.steps(30);
                let before = run.velocity("box").length();
                run.steps(60);
                let due = f64::max(GRAVITY * (sine - friction * cosine), 0.0);
                let what = format!("{mode} at {degrees} degrees, mu {share} of the tangent");
                assert_near(&what, run.velocity("box").length() - before, due, 1e-3 * GRAVITY * sine);
                assert!(run.spin("box").length() < 1e-3, "{what}: it should not turn");
            }
        }
    }
}

/// A square box of half edge a spins about the normal. Its weight is on its corners in both modes, at `sqrt(2) a` from the middle, so
/// its spin falls by `mu g sqrt(2) a / (2/3 a^2)` a second. (Were it spread over the face the torque would be 0.54 of that: the
/// mean distance is 0.765 a. That is what a contact of four points leaves out.)
fn spinning_box_stops_by_the_friction_of_its_corners<S: Scalar>() {
    for mode in MODES {
        for half in [0.2, 1.0] {
            let slows = 0.3 * GRAVITY * libm::sqrt(2.0) / (2.0 / 3.0 * half);
            let spin = 0.8 * slows;
            let bodies = format!(
                "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"box\", position: Origin(0, 0.1, 0), angular_velocity: (0, {spin}, 0),
                    shape: Cuboid(half_extents: ({half}, 0.1, {half})))"
            );
            let mut run = scene::<S>(mode, 0.3, &bodies);
            for step in 1..=72_u32 {
                run.step();
                let due = f64::max(spin - slows * f64::from(step) * DT, 0.0);
                let what = format!("{mode}, half edge {half}: spin in step {step}");
                assert_near(&what, run.spin("box").y, due, 0.02 * spin);
            }
            let (place, spin) = (run.position("box"), run.spin("box"));
            assert!(spin.length() < 1e-3, "{mode}: it should rest: {spin:?}");
            assert!(Vec3::new(place.x, 0.0, place.z).length() < 1e-3, "{mode}: it should stay: {place:?}");
        }
    }
}

/// A tall box that sticks tips over its lower edge when the slope is steeper than its width over its height, here 26.57 degrees, and
/// stands when it is not.
fn tall_box_tips_over_its_edge<S: Scalar>() {
    for mode in MODES {
        for (degrees, tips) in [(25.6_f64, false), (27.5, true)] {
            let mut run = on_slope::<S>(mode, 1.0, degrees, 0.25, 0.5);
            let start = run.position("box");
            let up = |run: &Run<S>| wide(run.body("box").orientation.rotate(Vec3::Y));
            let standing = up(&run);
            run.steps(240);
            let lean = up(&run).dot(standing);
            if tips {
                assert!(lean < 0.7, "{mode}: at {degrees} degrees it should tip");
            } else {
                assert!(lean > 0.9999, "{mode}: at {degrees} degrees it should stand, and leans {lean}");
                assert!((run.position("box") - start).length() < 2e-3, "{mode}: it should stay");
            }
        }
    }
}
