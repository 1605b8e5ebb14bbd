//! Bodies of unequal moments that turn while something presses on them: what presses has no arm about their axis, so they spin about that as
//! they did.
//!
//! Bounds: of what a substep turns them by, and of what is pressed in.

use physim::math::{Quat, Scalar, Vec3};

use crate::physics::support::{Run, assert_near, wide};

on_every_scalar!(a_capsule_that_turns_on_ice_does_not_begin_to_roll, a_capsule_that_is_pushed_out_of_a_ball_spins_on,);

/// The spin of a body about its own `y`, rad/s.
fn spin_about_axis<S: Scalar>(run: &Run<S>, name: &str) -> f64 {
    let orientation: Quat<S> = run.body(name).orientation;
    run.spin(name).dot(wide(orientation.rotate(Vec3::Y)))
}

/// It lies flat and turns about the vertical at 5 rad/s, without friction: energy, the angular momentum about the vertical and the spin about
/// its axis stay. With the inertia of the step's start under contacts of now, all of its turn had gone into a roll of 6 rad/s in 10 s.
fn a_capsule_that_turns_on_ice_does_not_begin_to_roll<S: Scalar>() {
    let mut run = Run::<S>::of(
        "materials: {\"ice\": (friction: 0)},
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)), material: \"ice\"),
            (name: \"capsule\", position: Origin(0, 0.1, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: -90),
                angular_velocity: (0, 5, 0), shape: Capsule(half_height: 0.3, radius: 0.1), material: \"ice\")]",
    );
    run.steps(600);
    assert_near("turn", run.spin("capsule").y, 5.0, 0.01);
    assert_near("roll", spin_about_axis(&run, "capsule"), 0.0, 0.01);
}

/// A capsule that spins about its axis and tumbles is 24 cm in a ball, without friction: as it is pushed out it is turned, and its momentum
/// with it. In floats the momentum once stayed behind, and of 2 rad/s about the axis 1.2 were left.
fn a_capsule_that_is_pushed_out_of_a_ball_spins_on<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), materials: {\"ice\": (friction: 0)},
        bodies: [
            (name: \"ball\", position: Origin(0.1, 0.9, 0), shape: Sphere(radius: 0.2), material: \"ice\"),
            (name: \"capsule\", position: Origin(0, 0.5, 0), angular_velocity: (1, 2, 3), material: \"ice\",
                shape: Capsule(half_height: 0.3, radius: 0.1))]",
    );
    for _ in 0..30 {
        run.step();
        assert_near("spin about its axis", spin_about_axis(&run, "capsule"), 2.0, 0.02);
    }
}
