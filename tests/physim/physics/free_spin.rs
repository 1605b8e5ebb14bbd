//! Bodies that nothing touches, turning: the sense of rotation, both rotation updates, and the tumbling of unequal
//! moments of inertia.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, rounding};

on_every_scalar!(
    one_turn_in_a_second,
    first_order_turns_by_its_closed_form,
    angular_momentum_is_constant,
    the_intermediate_axis_flips,
    without_gyroscopic_torque_the_spin_is_constant,
);

/// Roundings that a substep leaves in a unit quaternion: half turn, sine, cosine, product of four terms, normalisation.
const QUATERNION_ROUNDINGS: f64 = 10.0;

fn turning<S: Scalar>(update: &str) -> Run<S> {
    Run::of(&format!(
        "gravity: (0, 0, 0), rotation: {update},
        bodies: [(name: \"ball\", angular_velocity: (6.283185307179586, 0, 0), shape: Sphere(radius: 0.5))]"
    ))
}

/// Where the body's axis y points after so many substeps: the errors of the quaternion count twice, as an angle.
fn axis_y<S: Scalar>(run: &Run<S>, substeps: f64) -> (Vec3<f64>, f64) {
    let image = run.body("ball").orientation.rotate(Vec3::Y).to_f64();
    (Vec3::from_array(image), 2.0 * substeps * QUATERNION_ROUNDINGS * rounding::<S>(1.0) + 10.0 * rounding::<S>(1.0))
}

/// omega = (2 pi, 0, 0) with the exponential map, exact at any step length: y goes to z after a quarter of a second, to -y
/// after a half, to -z after three quarters and home after one: right-handed.
fn one_turn_in_a_second<S: Scalar>() {
    let mut run = turning::<S>("ExponentialMap");
    for (quarter, should_be) in [Vec3::Z, -Vec3::Y, -Vec3::Z, Vec3::Y].into_iter().enumerate() {
        run.steps(15);
        let (image, bound) = axis_y(&run, 150.0 * (quarter as f64 + 1.0));
        assert_near_vector("axis y", image, should_be, bound);
    }
}

/// The first-order update: `(1, omega h / 2) q`, normalised, turns by `2 atan(omega h / 2)` in each substep and about the
/// same axis. It falls behind by `(omega h)^3 / 12` each, 5.7e-5 rad in the whole second, which the bound can tell apart.
fn first_order_turns_by_its_closed_form<S: Scalar>() {
    let mut run = turning::<S>("FirstOrder");
    let per_substep = 2.0 * libm::atan(std::f64::consts::PI / 600.0);
    for quarter in 1..=4 {
        run.steps(15);
        let substeps = 150.0 * f64::from(quarter);
        let angle = substeps * per_substep;
        let (image, bound) = axis_y(&run, substeps);
        assert_near_vector("axis y", image, Vec3::new(0.0, libm::cos(angle), libm::sin(angle)), bound);
    }
}

/// A free box of moments 13 : 10 : 5 keeps its angular momentum while it tumbles; its angular velocity does not stay.
///
/// Each step takes omega to the body frame, multiplies by I, goes to the world frame, and back the same way with I^-1:
/// four turns of 5 roundings and as many in the matrix's own entries, two tensors of 5 roundings and the inverse's own 10,
/// 60 in all, relative to |L| (fixed: absolute, of numbers near one) and stretched by the tensor's 13 / 5 at most.
fn angular_momentum_is_constant<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0),
        bodies: [(name: \"box\", angular_velocity: (0.5, 3, 0.4), shape: Cuboid(half_extents: (0.5, 1, 1.5)),
            mass: Total(3))]",
    );
    let start = run.energy();
    let before = Vec3::from_array(start.angular_momentum);
    let spin = run.spin("box");
    let mut furthest = 0.0_f64;
    for step in 1..=600_u32 {
        run.step();
        let now = Vec3::from_array(run.energy().angular_momentum);
        let bound = f64::from(step) * 60.0 * 2.6 * rounding::<S>(1.0) * before.length();
        assert!((now - before).length() <= bound, "step {step}: {before:?} became {now:?}, more than {bound:e} off");
        furthest = furthest.max((run.spin("box") - spin).length());
    }
    assert!(furthest > 1.0, "the spin should wander as the box tumbles");
    assert_eq!(run.energy().linear_momentum, [0.0; 3]);
}

/// Euler's equations in the body frame, `I omega' = I omega x omega`, by the classical Runge-Kutta method in steps of 1e-4 s:
/// when the component along the intermediate axis first changes its sign.
fn flip_time(moments: Vec3<f64>, mut omega: Vec3<f64>) -> f64 {
    let rate = |omega: Vec3<f64>| {
        let torque = moments.component_mul(omega).cross(omega);
        Vec3::new(torque.x / moments.x, torque.y / moments.y, torque.z / moments.z)
    };
    let h = 1e-4;
    let mut steps = 0_u32;
    while omega.y > 0.0 {
        let first = rate(omega);
        let second = rate(omega + first * (h / 2.0));
        let third = rate(omega + second * (h / 2.0));
        let fourth = rate(omega + third * h);
        omega += (first + (second + third) * 2.0 + fourth) * (h / 6.0);
        steps += 1;
    }
    f64::from(steps) * h
}

/// A box that spins about its intermediate axis turns over, when the equations say so, and its energy stays.
///
/// The method is of second order: over a time T its phase is off by at most `T (omega dt)^2`, and its energy by at most the
/// local error `(omega dt)^3` of each step, relative.
fn the_intermediate_axis_flips<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), rotation: ExponentialMap,
        bodies: [(name: \"box\", angular_velocity: (0.1, 3, 0.05), shape: Cuboid(half_extents: (0.5, 1, 1.5)),
            mass: Total(3))]",
    );
    // m / 3 (b^2 + c^2) for half extents a, b, c. The middle moment is that of y.
    let moments = Vec3::new(1.0 + 2.25, 0.25 + 2.25, 0.25 + 1.0);
    let expected = flip_time(moments, Vec3::new(0.1, 3.0, 0.05));
    let energy = run.energy().kinetic;
    let mut signs = Vec::new();
    for step in 1..=1200_u32 {
        run.step();
        let body = run.body("box");
        let about_y = body.orientation.to_matrix().transpose_mul(body.angular_velocity).y.to_f64();
        if about_y < 0.0 && signs.is_empty() {
            let time = f64::from(step) * DT;
            let bound = DT + expected * (3.0 * DT) * (3.0 * DT);
            assert_near("time of the flip", time, expected, bound);
        }
        if signs.last() != Some(&(about_y < 0.0)) && (about_y < 0.0 || !signs.is_empty()) {
            signs.push(about_y < 0.0);
        }
        let bound = energy * f64::from(step) * ((3.0 * DT) * (3.0 * DT) * (3.0 * DT) + 500.0 * rounding::<S>(1.0));
        assert_near("energy", run.energy().kinetic, energy, bound);
    }
    assert!(signs.len() >= 3, "the box should keep flipping, and did so {} times", signs.len());
}

/// `gyroscopic: Off` keeps the angular velocity of any body to the bit, as simple texts have it.
fn without_gyroscopic_torque_the_spin_is_constant<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), gyroscopic: Off,
        bodies: [(name: \"box\", angular_velocity: (0.5, 3, 0.4), shape: Cuboid(half_extents: (0.5, 1, 1.5)))]",
    );
    let before = run.body("box").angular_velocity;
    run.steps(120);
    assert_eq!(run.body("box").angular_velocity, before);
}
