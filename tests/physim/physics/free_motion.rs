//! Bodies that nothing touches: uniform motion and free fall.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, bits, rounding, wide};

on_every_scalar!(
    no_force_means_constant_velocity,
    equal_moments_keep_their_spin,
    no_spin_keeps_the_orientation,
    free_fall_follows_the_recurrence,
    free_fall_follows_the_parabola,
    gravity_as_a_force_is_the_same,
    gravity_scale_is_a_factor,
);

/// Ten seconds without any force: v keeps its bits, and `x = x0 + v t`.
///
/// Each of the 6000 substeps adds `v h` to the way of its step: h is off by a relative rounding (fixed: 2^-63, nothing), the
/// product and the sum round once each. The way comes to 1.3/60 m; the position rounds once more when it is added, in each of
/// the 600 steps.
fn no_force_means_constant_velocity<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [(name: \"ball\", position: Origin(1, 2, 3), linear_velocity: (1.3, -0.7, 0.4),
            shape: Sphere(radius: 0.3))]",
    );
    let (start, velocity) = (run.position("ball"), run.body("ball").linear_velocity);
    run.steps(600);
    assert_eq!(bits(run.body("ball").linear_velocity), bits(velocity));
    let (way, end) = (wide(velocity) * 10.0, run.position("ball"));
    let of_the_way = 2.0 * rounding::<S>(1.3 / 600.0) + rounding::<S>(1.3 / 60.0);
    let bound = 6000.0 * of_the_way + 600.0 * rounding::<S>(14.0) + rounding::<S>(14.0);
    for (end, should_be) in end.to_array().into_iter().zip((start + way).to_array()) {
        assert_near("position", end, should_be, bound);
    }
}

/// A ball and a cube have the same moment about every axis: `omega` keeps its bits while they turn about any axis.
fn equal_moments_keep_their_spin<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [
            (name: \"ball\", angular_velocity: (0.3, 2, -1), shape: Sphere(radius: 0.3)),
            (name: \"cube\", position: Origin(5, 0, 0), angular_velocity: (-0.7, 1.1, 5),
                orientation: AxisDegrees(axis: (1, 2, 3), degrees: 40), shape: Cuboid(half_extents: (0.3, 0.3, 0.3))),
        ]",
    );
    let before = ["ball", "cube"].map(|name| bits(run.body(name).angular_velocity));
    run.steps(600);
    assert_eq!(["ball", "cube"].map(|name| bits(run.body(name).angular_velocity)), before);
}

/// Bodies that fall and fly but do not turn keep the bits of their orientations, with either rotation update. Many of them,
/// since a quaternion that is normalised again may or may not keep its last bits.
fn no_spin_keeps_the_orientation<S: Scalar>() {
    for update in ["FirstOrder", "ExponentialMap"] {
        let plank = |degrees: i32| {
            format!(
                "(name: \"plank {degrees}\", position: Origin({degrees}, 0, 0), linear_velocity: (3, 20, -1),
                    shape: Cuboid(half_extents: (0.4, 0.2, 0.1)),
                    orientation: AxisDegrees(axis: (1, 2, 3), degrees: {degrees}))"
            )
        };
        let planks: Vec<String> = (1..100).map(|number| plank(3 * number)).collect();
        let mut run = Run::<S>::of(&format!("rotation: {update}, bodies: [{}]", planks.join(",")));
        let orientations = |run: &Run<S>| -> Vec<[u64; 4]> {
            let bodies = run.world().bodies();
            bodies.orientation.iter().map(|orientation| orientation.to_array().map(S::to_bits)).collect()
        };
        let before = orientations(&run);
        run.steps(60);
        assert_eq!(orientations(&run), before, "{update}");
        let spins = &run.world().bodies().angular_velocity;
        assert!(spins.iter().all(|spin| bits(*spin) == bits(Vec3::<S>::ZERO)), "{update}");
    }
}

/// Semi-implicit Euler, bit for bit: `v += g h`, then `way += v h`, in each of ten substeps; a step ends its way from where
/// it began.
fn free_fall_follows_the_recurrence<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [(name: \"stone\", position: Origin(-3, 7, 0.5), linear_velocity: (4, 9, -2.5),
            mass: Total(3.7), shape: Sphere(radius: 0.1))]",
    );
    let number = |text: &str| S::from_decimal(text).unwrap_or_default();
    let substep = S::fraction(1, 600);
    let gravity = number("-9.81");
    let mut position = [number("-3"), number("7"), number("0.5")];
    let mut velocity = [number("4"), number("9"), number("-2.5")];
    for step in 1..=300 {
        run.step();
        let mut way = [S::ZERO; 3];
        for _ in 0..10 {
            velocity[1] += gravity.mul_fraction(substep);
            for axis in 0..3 {
                way[axis] += velocity[axis].mul_fraction(substep);
            }
        }
        for axis in 0..3 {
            position[axis] += way[axis];
        }
        assert_eq!(bits(run.body("stone").linear_velocity), velocity.map(S::to_bits), "velocity in step {step}");
        assert_eq!(bits(run.body("stone").position), position.map(S::to_bits), "position in step {step}");
    }
}

/// The recurrence in closed form: after n substeps `v = v0 - g n h` and `y = y0 + v0 n h - g h^2 n (n + 1) / 2`, which
/// is the parabola of the textbook but for `g h t / 2`, the error of a first-order method.
///
/// Each substep puts into v: the roundings of g, h and their product, and of the sum. An error of v made in one substep
/// goes into y over all substeps that follow, `n^2 / 2` times h in all; beside these, the way of each step and y have their own
/// roundings.
fn free_fall_follows_the_parabola<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [(name: \"stone\", position: Origin(0, 10, 0), linear_velocity: (0, 9, 0), shape: Sphere(radius: 0.1))]",
    );
    let (gravity, h) = (9.81, 1.0 / 600.0);
    for step in 1..=120_u32 {
        run.step();
        let n = f64::from(10 * step);
        let time = n * h;
        let velocity_error = 3.0 * rounding::<S>(gravity * h) + rounding::<S>(11.0);
        let of_the_way = 2.0 * rounding::<S>(11.0 * h) + rounding::<S>(11.0 / 60.0);
        let position_error = n * n / 2.0 * velocity_error * h + n * of_the_way + f64::from(step) * rounding::<S>(15.0);
        let should_be = 10.0 + 9.0 * time - gravity * h * h * n * (n + 1.0) / 2.0;
        assert_near("velocity", run.velocity("stone").y, 9.0 - gravity * time, n * velocity_error);
        assert_near("height", run.position("stone").y, should_be, position_error);
        let textbook = 10.0 + 9.0 * time - gravity * time * time / 2.0;
        assert_near("parabola", run.position("stone").y, textbook, gravity * h * time / 2.0 + position_error);
    }
}

/// Gravity as a force `m g` gives the same fall at every mass: its acceleration `(m g) / m` differs by the roundings of
/// the weight, of `1 / m` twice (m is its inverse again) and of the product.
fn gravity_as_a_force_is_the_same<S: Scalar>() {
    for mass in [0.25, 3.7, 12_000.0] {
        let mut runs = ["Acceleration", "Force"].map(|mode| {
            Run::<S>::of(&format!(
                "gravity_mode: {mode},
                bodies: [(name: \"stone\", mass: Total({mass}), shape: Sphere(radius: 0.5))]"
            ))
        });
        for run in &mut runs {
            run.steps(120);
        }
        let acceleration_error =
            rounding::<S>(9.81 * mass) / mass + 9.81 * 3.0 * 2.0 * rounding::<S>(1.0) + rounding::<S>(9.81);
        let n = 1200.0;
        let velocity_bound = 2.0 * acceleration_error + n * 2.0 * (rounding::<S>(0.05) + rounding::<S>(20.0));
        let position_bound = velocity_bound * 2.0 + n * 2.0 * (rounding::<S>(0.1) + rounding::<S>(20.0));
        let [acceleration, force] = runs;
        let (fast, slow) = (force.velocity("stone").y, acceleration.velocity("stone").y);
        assert_near("velocity", fast, slow, velocity_bound);
        assert_near("height", force.position("stone").y, acceleration.position("stone").y, position_bound);
    }
}

/// A factor on gravity: 0 floats where it is, 2 falls twice as far as 1. A doubling loses nothing in a float; in fixed point
/// each of the two rounds its own `g h`, `n^2 h / 2` times in the height, and its own way, n times.
fn gravity_scale_is_a_factor<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [
            (name: \"none\", position: Origin(0, 0, 0), gravity_scale: 0, shape: Sphere(radius: 0.1)),
            (name: \"once\", position: Origin(5, 0, 0), gravity_scale: 1, shape: Sphere(radius: 0.1)),
            (name: \"twice\", position: Origin(10, 0, 0), gravity_scale: 2, shape: Sphere(radius: 0.1)),
        ]",
    );
    run.steps(60);
    assert_eq!(bits(run.body("none").position), bits(Vec3::<S>::ZERO));
    let (n, own) = (600.0, 3.0 * rounding::<S>(0.0));
    let bound = n * n / 1200.0 * own + n * own;
    assert_near("height", run.position("twice").y, 2.0 * run.position("once").y, bound);
}
