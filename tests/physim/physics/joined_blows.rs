//! Blows on what is joined to something: the joints answer in the same moment.
//!
//! Bounds: of the rounds over joints and points, that end where nothing changes by 2^-14 m/s, and roundings.

use physim::math::Scalar;

use crate::physics::support::{Run, assert_near};

on_every_scalar!(
    a_bolted_plate_throws_a_ball_back,
    a_rod_on_a_pin_is_struck_as_what_it_is,
    what_is_struck_aslant_on_a_pin_keeps_its_energy,
    two_bolted_cubes_are_struck_as_one,
    nothing_bounces_off_a_bolted_plate_without_restitution,
    a_blow_runs_through_a_row_whether_a_joint_holds_one_of_it_or_not,
    a_stick_that_strikes_what_is_joined_wins_no_energy,
    plates_that_are_joined_on_a_floor_throw_a_ball_back_with_no_more_than_it_had,
);

/// A plate of 1 kg held to the world at its four corners, and a ball that falls on it at 5 m/s.
fn bolted<S: Scalar>(restitution: f64, ball: f64) -> Run<S> {
    let corners = [(0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)];
    let bolts = corners
        .map(|(x, z)| format!("(name: \"bolt {x} {z}\", kind: Spherical, a: \"plate\", anchor_a: ({x}, 0, {z}))"));
    Run::of(&format!(
        "gravity: (0, 0, 0), materials: {{\"any\": (restitution: {restitution}, friction: 0)}},
        bodies: [
            (name: \"plate\", shape: Cuboid(half_extents: (0.5, 0.02, 0.5)), mass: Total(1), material: \"any\"),
            (name: \"ball\", position: Origin(0, 0.5, 0), linear_velocity: (0, -5, 0), shape: Sphere(radius: 0.1), mass: Total({ball}),
                material: \"any\")],
        joints: [{}]",
        bolts.join(", ")
    ))
}

/// A ball of 0.3 kg strikes a cube of 1 kg on a pin beside and below its middle, at whatever angle the face is, both elastic: nothing is lost
/// but what the rounds leave open, 2^-14 m/s of 3 m/s, and nothing won. The cube turns as it is struck; the arm of the joint is not that of the
/// path on which the blow sends it, or a quarter of the energy is lost.
fn what_is_struck_aslant_on_a_pin_keeps_its_energy<S: Scalar>() {
    for degrees in [0, 10, 30, 45, 60, 70] {
        let mut run = Run::<S>::of(&format!(
            "dt: \"1/240\", gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0), materials: {{\"default\": (friction: 0, restitution: 1)}},
            joints: [(name: \"pin\", kind: Spherical, a: \"cube\", at: (0, 0.3, 0))],
            bodies: [
                (name: \"cube\", orientation: AxisDegrees(axis: (0, 0, 1), degrees: {degrees}), mass: Total(1), shape: Cuboid(half_extents: (0.1, 0.1, 0.1))),
                (name: \"ball\", position: Origin(-1, 0.05, 0), linear_velocity: (3, 0, 0), mass: Total(0.3), shape: Sphere(radius: 0.1))]"
        ));
        run.steps(90);
        assert!(run.velocity("ball").x < 2.5, "at {degrees} degrees the ball has struck");
        assert_near(&format!("energy at {degrees} degrees"), run.energy().kinetic, 1.35, 1.35 * 1e-4);
    }
}

/// A plate that cannot move is as good as the world, whatever its mass: the ball comes back as fast as it came.
fn a_bolted_plate_throws_a_ball_back<S: Scalar>() {
    for (mass, bound) in [(0.1, 1e-3), (1.0, 1e-3), (10.0, 5e-3)] {
        let mut run = bolted::<S>(1.0, mass);
        run.steps(30);
        assert_near("speed of the ball", run.velocity("ball").y, 5.0, 5.0 * bound);
        assert!(run.velocity("plate").length() < 5e-3, "the plate moves: {:?}", run.velocity("plate"));
    }
}

/// A rod of `M = 3 kg` and `L = 1 m` hangs from a pin at its end and is hit by a ball of `m = 1 kg` at `a = 0.95 m` below it, `e = 1`.
/// About the pin `I = M (L^2 + w^2) / 12 + M (L/2)^2`; `m a v = m a v' + I omega` and `a omega - v' = v`.
fn a_rod_on_a_pin_is_struck_as_what_it_is<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), materials: {\"any\": (restitution: 1, friction: 0)},
        bodies: [
            (name: \"rod\", position: Origin(0, -0.5, 0), shape: Cuboid(half_extents: (0.05, 0.5, 0.05)), mass: Total(3), material: \"any\"),
            (name: \"ball\", position: Origin(-0.5, -0.95, 0), linear_velocity: (5, 0, 0), shape: Sphere(radius: 0.1), mass: Total(1),
                material: \"any\")],
        joints: [(name: \"pin\", kind: Spherical, a: \"rod\", anchor_a: (0, 0.5, 0))]",
    );
    run.steps(30);
    let (inertia, arm, speed) = (3.0 * (1.0 + 0.01) / 12.0 + 3.0 * 0.25, 0.95, 5.0);
    let omega = 2.0 * arm * speed / (inertia + arm * arm);
    assert_near("spin of the rod", run.spin("rod").z, omega, 0.01);
    assert_near("speed of the ball", run.velocity("ball").x, arm * omega - speed, 0.01);
    assert_near("energy", run.energy().total(), 12.5, 0.02);
}

/// Two cubes of 1 kg held together by three joints, and a ball of 2 kg, `e = 1`: equal masses change their velocities.
fn two_bolted_cubes_are_struck_as_one<S: Scalar>() {
    let bolts = [(0.15, 0.15), (-0.15, 0.15), (0.0, -0.15)].map(|(y, z)| {
        format!("(name: \"bolt {y} {z}\", kind: Spherical, a: \"near\", b: \"far\", at: (0.2, {y}, {z}))")
    });
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0), materials: {{\"any\": (restitution: 1, friction: 0)}},
        bodies: [
            (name: \"near\", shape: Cuboid(half_extents: (0.2, 0.2, 0.2)), mass: Total(1), material: \"any\"),
            (name: \"far\", position: Origin(0.4, 0, 0), shape: Cuboid(half_extents: (0.2, 0.2, 0.2)), mass: Total(1), material: \"any\"),
            (name: \"ball\", position: Origin(-0.9, 0, 0), linear_velocity: (5, 0, 0), shape: Sphere(radius: 0.2), mass: Total(2),
                material: \"any\")],
        joints: [{}]",
        bolts.join(", ")
    ));
    run.steps(40);
    for (body, speed) in [("ball", 0.0), ("near", 5.0), ("far", 5.0)] {
        assert_near(body, run.velocity(body).x, speed, 5e-3);
    }
    assert_near("energy", run.energy().total(), 25.0, 0.02);
}

/// Without restitution it stays, on a plate as heavy as itself and on one of a tenth of its mass.
fn nothing_bounces_off_a_bolted_plate_without_restitution<S: Scalar>() {
    for mass in [1.0, 10.0] {
        let mut run = bolted::<S>(0.0, mass);
        run.steps(30);
        assert!(run.velocity("ball").length() < 0.02, "{mass} kg: {:?}", run.velocity("ball"));
    }
}

/// Equal balls in a row, `e = 1`: the first hands its speed on to the last. Across the row a pin of 1 m holds the one in the middle, which it
/// cannot feel. Each contact of the row once kept the speed of its own blow, and 2 J became 4.7.
fn a_blow_runs_through_a_row_whether_a_joint_holds_one_of_it_or_not<S: Scalar>() {
    let ball = |name: &str, x: f64, speed: f64| {
        format!(
            "(name: \"{name}\", position: Origin({x}, 0, 0), shape: Sphere(radius: 0.1), mass: Total(1), material: \"any\",
                linear_velocity: ({speed}, 0, 0))"
        )
    };
    let balls = [ball("first", -0.5, 2.0), ball("second", 0.0, 0.0), ball("third", 0.2, 0.0)].join(", ");
    for joints in ["", "joints: [(name: \"pin\", kind: Spherical, a: \"second\", anchor_a: (0, 1, 0))]"] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), materials: {{\"any\": (restitution: 1, friction: 0)}}, bodies: [{balls}], {joints}"
        ));
        run.steps(30);
        for (name, speed) in [("first", 0.0), ("second", 0.0), ("third", 2.0)] {
            assert_near(name, run.velocity(name).x, speed, 2e-3);
        }
    }
}

/// A capsule of 20 m/s meets one of two joined balls with its end, `e = 1`: it leaves spinning by 7 degrees a substep and more. The points
/// once kept the speeds that they had before it had turned, and 200 J became 1,039.
fn a_stick_that_strikes_what_is_joined_wins_no_energy<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), materials: {\"any\": (restitution: 1, friction: 0)},
        bodies: [
            (name: \"near\", shape: Sphere(radius: 0.15), material: \"any\"),
            (name: \"far\", position: Origin(0.5, 0, 0), shape: Sphere(radius: 0.15), material: \"any\"),
            (name: \"stick\", position: Origin(0.05, 1, 0), linear_velocity: (0, -20, 0), mass: Total(1), material: \"any\",
                orientation: AxisRadians(axis: (0, 0, 1), radians: 0.6), shape: Capsule(half_height: 0.3, radius: 0.03))],
        joints: [(name: \"link\", kind: Spherical, a: \"near\", b: \"far\", at: (0.25, 0, 0))]",
    );
    for _ in 0..30 {
        run.step();
        assert!(run.energy().total() <= 201.0, "{}: {} J", S::KIND, run.energy().total());
    }
    assert!(run.velocity("near").length() > 0.1, "{}: it met nothing", S::KIND);
    assert!(run.energy().total() >= 180.0, "{}: {} J are left", S::KIND, run.energy().total());
}

/// A ball of 4.2 kg falls from 1.1 m on one of two plates that lie on a floor, `e = 1`: what each point keeps, the plate that the joint drags
/// along would be given for nothing. Restitution is Newton's, so energy may be lost.
fn plates_that_are_joined_on_a_floor_throw_a_ball_back_with_no_more_than_it_had<S: Scalar>() {
    let plate = |name: &str, x: f64| {
        format!(
            "(name: \"{name}\", position: Origin({x}, 0.05, 0), shape: Cuboid(half_extents: (0.25, 0.05, 0.25)), material: \"any\")"
        )
    };
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"any\": (restitution: 1, friction: 0.3)}},
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)), material: \"any\"), {}, {},
            (name: \"ball\", position: Origin(-0.25, 1.2, 0), shape: Sphere(radius: 0.1), material: \"any\")],
        joints: [(name: \"hinge\", kind: Spherical, a: \"left\", b: \"right\", at: (0, 0.05, 0))]",
        plate("left", -0.25),
        plate("right", 0.25)
    ));
    let start = run.energy().total();
    for _ in 0..150 {
        run.step();
        assert!(run.energy().total() <= start * 1.002, "{}: {} J of {start}", S::KIND, run.energy().total());
    }
}
