//! Forces, torques and impulses on free bodies, each against `F = m a` and `torque = I alpha`.
//!
//! Bounds count the roundings from the numbers of the scene to the velocity: mass, tensor and its inverse, torque, answer
//! and ten substeps come to fewer than 40.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near_vector, bits, chain, rounding};

on_every_scalar!(
    off_centre_push_on_a_sphere_and_a_box,
    force_at_the_centre_of_mass_does_not_turn,
    couple_turns_without_pushing,
    turned_body_answers_with_its_turned_inertia,
    dumbbell_answers_with_its_inertia,
    push_lasts_as_long_as_it_is_said_to,
    torque_gives_what_tumbles_its_angular_momentum,
);

const ROUNDINGS: f64 = 40.0;

/// The same push at the same arm on two bodies of 12 kg: `a = F / m` is the same to the bit, and the torque
/// `(0.4, 0, 0) x (0, 0, 6) = (0, -2.4, 0)` turns the sphere by `2/5 m r^2 = 1.2` and the box by `m/3 (1 + 1/16) = 4.25`.
fn off_centre_push_on_a_sphere_and_a_box<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [
            (name: \"sphere\", mass: Total(12), shape: Sphere(radius: 0.5)),
            (name: \"box\", position: Origin(0, 9, 0), mass: Total(12), shape: Cuboid(half_extents: (1, 0.25, 0.25))),
        ],
        inputs: [
            (step: 1, action: Force(body: \"sphere\", force: (0, 0, 6), at: World(0.4, 0, 0))),
            (step: 1, action: Force(body: \"box\", force: (0, 0, 6), at: Local(0.4, 0, 0))),
        ]",
    );
    run.step();
    assert_eq!(bits(run.body("sphere").linear_velocity), bits(run.body("box").linear_velocity));
    let linear = 6.0 / 12.0 * DT;
    let bound = linear * chain::<S>(ROUNDINGS, linear);
    assert_near_vector("velocity", run.velocity("box"), Vec3::new(0.0, 0.0, linear), bound);
    for (name, moment) in [("sphere", 1.2), ("box", 4.25)] {
        let angular = 2.4 / moment * DT;
        // The smallest numbers on the way: the velocity itself, and the tensor's entry for the box's thin axis, 1/24.
        let bound = angular * chain::<S>(ROUNDINGS, angular.min(1.0 / 24.0));
        assert_near_vector(name, run.spin(name), Vec3::new(0.0, -angular, 0.0), bound);
    }
}

/// A force at the centre of mass, said with a point or without, changes v by `F / m dt` and leaves omega zero to the bit, also
/// where the centre of mass is not the body's origin.
fn force_at_the_centre_of_mass_does_not_turn<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [
            (name: \"skew\", position: CentreOfMass(2, 1, 0), mass: Total(4), colliders: [
                (shape: Sphere(radius: 0.5), offset: (-1, 0, 0)), (shape: Sphere(radius: 0.25), offset: (1, 0.5, 0)),
            ]),
            (name: \"box\", position: Origin(9, 0, 0), mass: Total(4), shape: Cuboid(half_extents: (1, 0.25, 0.25))),
        ],
        inputs: [
            (step: 1, action: Force(body: \"skew\", force: (3, -8, 5), at: World(2, 1, 0))),
            (step: 1, action: Force(body: \"box\", force: (3, -8, 5))),
        ]",
    );
    run.step();
    for name in ["skew", "box"] {
        let should_be = Vec3::new(0.75, -2.0, 1.25) * DT;
        assert_near_vector(name, run.velocity(name), should_be, 2.0 * DT * chain::<S>(ROUNDINGS, 0.75 * DT));
        assert_eq!(bits(run.body(name).angular_velocity), bits(Vec3::<S>::ZERO), "{name}");
    }
}

/// Equal and opposite forces at two points: the net force is zero to the bit, the torque is `2 (0.3, 0, 0) x (0, 0, 5) =
/// (0, -3, 0)`, and a ball of `2/5 m r^2 = 0.4` turns by it.
fn couple_turns_without_pushing<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [(name: \"ball\", mass: Total(4), shape: Sphere(radius: 0.5))],
        inputs: [
            (step: 1, action: Force(body: \"ball\", force: (0, 0, 5), at: World(0.3, 0, 0))),
            (step: 1, action: Force(body: \"ball\", force: (0, 0, -5), at: World(-0.3, 0, 0))),
        ]",
    );
    run.step();
    assert_eq!(bits(run.body("ball").linear_velocity), bits(Vec3::<S>::ZERO));
    assert_eq!(bits(run.body("ball").position), bits(Vec3::<S>::ZERO));
    let angular = 3.0 / 0.4 * DT;
    let bound = angular * chain::<S>(ROUNDINGS, 0.1);
    assert_near_vector("spin", run.spin("ball"), Vec3::new(0.0, -angular, 0.0), bound);
}

/// One torque about the world's x axis on a long box, half extents (1, 1/4, 1/4) and 12 kg: along its length it meets
/// `I = 0.5`; turned by 90 degrees about z it meets 4.25; turned by 45 degrees it also turns about y, by half the difference.
fn turned_body_answers_with_its_turned_inertia<S: Scalar>() {
    let (along, across) = (3.0 / 0.5, 3.0 / 4.25);
    let cases = [
        ((0, 0, 1), 0, Vec3::new(along, 0.0, 0.0)),
        ((1, 0, 0), 90, Vec3::new(along, 0.0, 0.0)),
        ((0, 0, 1), 90, Vec3::new(across, 0.0, 0.0)),
        ((0, 1, 0), 90, Vec3::new(across, 0.0, 0.0)),
        ((0, 0, 1), 45, Vec3::new((along + across) / 2.0, (along - across) / 2.0, 0.0)),
        ((0, 0, 1), -45, Vec3::new((along + across) / 2.0, (across - along) / 2.0, 0.0)),
    ];
    for (axis, degrees, acceleration) in cases {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), gyroscopic: Off,
            bodies: [(name: \"box\", mass: Total(12), shape: Cuboid(half_extents: (1, 0.25, 0.25)),
                orientation: AxisDegrees(axis: {axis:?}, degrees: {degrees}))],
            inputs: [(step: 1, action: Torque(body: \"box\", torque: (3, 0, 0)))]"
        ));
        run.step();
        assert_eq!(bits(run.body("box").linear_velocity), bits(Vec3::<S>::ZERO));
        // The tensor's smallest entry is 1/24; the rotation has some roundings more, and mixes the entries.
        let bound = along * DT * chain::<S>(2.0 * ROUNDINGS, 1.0 / 24.0);
        assert_near_vector("spin", run.spin("box"), acceleration * DT, bound);
    }
}

/// Two balls of mass m and radius r, joined at a distance d from their middle: `I = 2 (2/5 m r^2 + m d^2)` across and
/// `2 (2/5 m r^2)` along, by the parallel axis theorem.
fn dumbbell_answers_with_its_inertia<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), gyroscopic: Off,
        bodies: [(name: \"dumbbell\", mass: Total(8), colliders: [
            (shape: Sphere(radius: 0.2), offset: (1, 0, 0)), (shape: Sphere(radius: 0.2), offset: (-1, 0, 0)),
        ])],
        inputs: [
            (step: 1, action: Impulse(body: \"dumbbell\", impulse: (0, 0, 10), at: Local(1, 0, 0))),
            (step: 1, action: AngularImpulse(body: \"dumbbell\", impulse: (0.25, 0, 0))),
        ]",
    );
    run.step();
    let own = 2.0 / 5.0 * 4.0 * 0.2 * 0.2;
    let (along, across) = (2.0 * own, 2.0 * (own + 4.0));
    assert_near_vector("velocity", run.velocity("dumbbell"), Vec3::new(0.0, 0.0, 1.25), chain::<S>(ROUNDINGS, 1.0));
    // The tensor is divided by the mass and by the square of the power of two above the size: 0.016 / 4.
    let bound = 2.0 * chain::<S>(ROUNDINGS, 0.004);
    assert_near_vector("spin", run.spin("dumbbell"), Vec3::new(0.25 / along, -10.0 / across, 0.0), bound);
}

/// A force acts in its steps and is gone after: `v = F / m (number of steps) dt`, the accumulators are cleared.
fn push_lasts_as_long_as_it_is_said_to<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [(name: \"ball\", mass: Total(4), shape: Sphere(radius: 0.5))],
        inputs: [(step: 3, through: 12, action: Force(body: \"ball\", force: (8, 0, 0)))]",
    );
    run.steps(2);
    assert_eq!(bits(run.body("ball").linear_velocity), bits(Vec3::<S>::ZERO));
    run.steps(10);
    let pushed = run.body("ball").linear_velocity;
    run.steps(10);
    assert_eq!(bits(run.body("ball").linear_velocity), bits(pushed));
    let bound = 20.0 * DT * chain::<S>(3.0 * 50.0, 2.0 * DT / 4.0);
    assert_near_vector("velocity", run.velocity("ball"), Vec3::new(20.0 * DT, 0.0, 0.0), bound);
}

/// A torque `T` about axes of the world for a time `t` gives a body the angular momentum `T t`, however it tumbles meanwhile, up to
/// some 100 rad/s here: each substep gives it `T h` at the attitude of then, and between them it stays.
fn torque_gives_what_tumbles_its_angular_momentum<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [(name: \"box\", shape: Cuboid(half_extents: (0.5, 0.25, 0.1)), mass: Total(2))],
        inputs: [(step: 1, through: 600, action: Torque(body: \"box\", torque: (3, 2, 5)))]",
    );
    for second in 1..=10 {
        run.steps(60);
        let should_be = Vec3::new(3.0, 2.0, 5.0) * f64::from(second);
        let bound = 1e-5 * f64::from(second) + 2000.0 * f64::from(second) * rounding::<S>(64.0);
        assert_near_vector("angular momentum", Vec3::from_array(run.energy().angular_momentum), should_be, bound);
    }
}
