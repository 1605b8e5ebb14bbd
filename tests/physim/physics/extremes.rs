//! Masses and places at the edge: a gram and a thousand tonnes, and bodies in one place.

use physim::math::{Scalar, Vec3};
use physim::world::error::StepError;

use crate::physics::support::{Run, assert_near, rounding};

on_every_scalar!(
    a_gram_and_a_thousand_tonnes_rest,
    bodies_in_one_place_come_apart,
    too_many_bodies_in_one_place_stop_the_run,
);

/// A cube of 1 cm and 1 g and a block of 20 m and 1000 t, put down on a floor: after ten seconds both lie where the contact
/// bears them, `g / omega^2 = 0.021 mm` deep with `omega = 0.8 sqrt(2) 600 / s` whatever the mass, and have not drifted since
/// half that time.
///
/// A substep takes back `omega h / (20 + omega h) = 1 / 18.7` of what is left, and moves nothing once that is less than a rounding of
/// the height: 20 roundings. A spring of damping ratio 10 settles at the rate `omega / 20`, so five seconds leave `exp(-170)` of it. After that each substep leaves 8 roundings, and those of the
/// spin reach the corners by the lever: of the size, where that is above a metre.
fn a_gram_and_a_thousand_tonnes_rest<S: Scalar>() {
    for (size, mass) in [(0.005_f64, 0.001), (10.0, 1e6)] {
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse(substeps: 10),
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"body\", position: Origin(0, {size}, 0), mass: Total({mass}),
                    shape: Cuboid(half_extents: ({size}, {size}, {size})))]"
        ));
        run.steps(300);
        let settled = run.position("body");
        let omega = 0.8 * libm::sqrt(2.0) * 600.0;
        assert_near(
            "depth",
            size - settled.y,
            9.81 / (omega * omega),
            0.05 * 9.81 / (omega * omega) + 20.0 * rounding::<S>(size),
        );
        assert!(Vec3::new(settled.x, 0.0, settled.z).length() < 1e-3 * size, "{size} m: {settled:?}");
        run.steps(300);
        let drift = (run.position("body") - settled).length();
        let bound = 3000.0 * 8.0 * rounding::<S>(size) * size.max(1.0);
        assert!(drift <= bound, "{size} m: drifted by {drift:e}, more than {bound:e}");
        assert!(run.velocity("body").length() < 1e-4, "{size} m: {:?}", run.velocity("body"));
        assert!(run.spin("body").length() < 1e-4, "{size} m: {:?}", run.spin("body"));
    }
}

/// Two bodies at the very same place: a direction is chosen, they come apart, and every number stays a number.
fn bodies_in_one_place_come_apart<S: Scalar>() {
    let shapes = [
        "Sphere(radius: 0.5)",
        "Cuboid(half_extents: (0.5, 0.5, 0.5))",
        "Capsule(half_height: 0.5, radius: 0.25)",
        "Cylinder(half_height: 0.4, radius: 0.5)",
        "Cone(half_height: 0.4, radius: 0.5)",
        "Hull(points: [(0, 0, 0), (1, 0, 0.1), (0, 0.9, 0), (0.1, 0, 0.8), (0.7, 0.6, 0.5)])",
    ];
    for first in shapes {
        for second in shapes {
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0),
                bodies: [(name: \"a\", position: Origin(1, 2, 3), shape: {first}),
                    (name: \"b\", position: Origin(1, 2, 3), shape: {second})]"
            ));
            run.steps(240);
            for name in ["a", "b"] {
                let body = run.body(name);
                assert!(body.position.is_finite() && body.linear_velocity.is_finite(), "{first} and {second}");
                assert!(body.angular_velocity.is_finite(), "{first} and {second}");
                let norm = body.orientation.to_array().map(|part| part.to_f64() * part.to_f64()).iter().sum::<f64>();
                assert_near("length of the quaternion", norm, 1.0, 16.0 * rounding::<S>(1.0));
            }
            let deepest = run.overlaps().fold(0.0, f64::max);
            assert!(deepest < 1e-2, "{first} and {second} still overlap by {deepest}");
        }
    }
}

/// 3,000 balls in one place are `3000 * 2999 / 2` pairs, and the limit is `2^18 + 32 * 3000`: the step fails before anything is
/// taken for their contacts, and the world is as it was. 400 balls stay below and are stepped.
fn too_many_bodies_in_one_place_stop_the_run<S: Scalar>() {
    let balls = |count: u32| {
        Run::<S>::of(&format!(
            "bodies: [], groups: [(name: \"ball\", body: (shape: Sphere(radius: 0.1)),
                layout: Stack(origin: (0, 1, 0), count: {count}, spacing: (0, 0, 0)))]"
        ))
    };
    let mut run = balls(3000);
    let error = run.failing_step();
    assert!(
        matches!(&error, StepError::TooManyPairs { step: 1, count, limit: 358_144, colliders: 3000 } if count == "4498500"),
        "{error:?}"
    );
    assert_eq!(run.world().step_number(), 0);
    assert_eq!(run.failing_step(), error);
    balls(400).step();
}
