//! Bodies that nothing touches, turning: the sense of rotation, both rotation updates, and the tumbling of unequal
//! moments of inertia.

use physim::math::{Scalar, ScalarKind, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, rounding};

on_every_scalar!(
    one_turn_in_a_second,
    first_order_turns_by_its_closed_form,
    angular_momentum_is_constant,
    slender_bodies_keep_their_angular_momentum,
    the_intermediate_axis_flips,
    flips_keep_their_time,
    energy_of_a_free_body_is_constant,
    a_fast_spin_keeps_its_energy,
    the_fastest_spins_keep_their_energy,
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

/// A batten a hundred times as long as it is thick, along the axes of its body and across them, turns end over end at 20 to 450 rad/s with
/// the angular momentum that it had, to some roundings of the least moment beside the largest, which is `(l / d)^2` of it, and to what is left out
/// of the tangent of turns by 0.75 rad. (In f32 the vector turned by more than a right angle: what rounding made of the spin about the long
/// axis was taken for a turn too large to be found.)
fn slender_bodies_keep_their_angular_momentum<S: Scalar>() {
    for (spin, degrees) in [(20.0, 0), (20.0, 50), (100.0, 0), (100.0, 50), (450.0, 0), (450.0, 50)] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), bodies: [
                (name: \"batten\", colliders: [(shape: Cuboid(half_extents: (0.4, 0.008, 0.006)),
                    orientation: AxisDegrees(axis: (0.3, 1, 0.5), degrees: {degrees}))],
                    orientation: Quaternion(0.4641097, -0.5052609, -0.1866896, 0.7031789),
                    angular_velocity: (-{spin}, {}, -{})),
            ]",
            spin / 64.0,
            spin / 32.0,
        ));
        let momentum = |run: &Run<S>| Vec3::from_array(run.energy().angular_momentum);
        let start = momentum(&run);
        for step in 0..48 {
            run.step();
            let off = (momentum(&run) - start).length() / start.length();
            let bound = 4.0 * (0.4_f64 / 0.008).powi(2) * rounding::<S>(1.0) + 4e-11;
            assert!(off <= bound, "{spin} rad/s, {degrees} degrees: off by {off} in step {step}");
        }
    }
}

/// The elliptic integral `R_F(x, y, z)` by duplication (B. C. Carlson, "Computing Elliptic Integrals by Duplication", 1979).
fn elliptic(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    for _ in 0..60 {
        let shift = (x * y).sqrt() + (y * z).sqrt() + (z * x).sqrt();
        (x, y, z) = ((x + shift) / 4.0, (y + shift) / 4.0, (z + shift) / 4.0);
    }
    ((x + y + z) / 3.0).sqrt().recip()
}

/// When the component of omega along the intermediate axis is zero: the first time, and from one time to the next.
///
/// Jacobi's solution of Euler's equations for moments `I1 > I2 > I3` (L. D. Landau, E. M. Lifshitz, "Mechanics", section 37):
/// `omega2 = a sn(p t)`, and omega begins on its way from a turning point to zero. With `E` twice the energy and `L` the square of
/// the momentum, for `L > E I2`: `p^2 = (I1 - I2)(L - E I3) / (I1 I2 I3)`, `m = (I2 - I3)(E I1 - L) / ((I1 - I2)(L - E I3))` and
/// `a^2 = (E I1 - L) / (I2 (I1 - I2))`; otherwise the same with `I1` and `I3` exchanged.
fn flips(moments: [f64; 3], omega: [f64; 3]) -> (f64, f64) {
    let [mut first, middle, mut third] = moments;
    let energy: f64 = (0..3).map(|axis| moments[axis] * omega[axis] * omega[axis]).sum();
    let momentum: f64 = (0..3).map(|axis| (moments[axis] * omega[axis]).powi(2)).sum();
    if momentum < energy * middle {
        (first, third) = (third, first);
    }
    let (low, high) = ((first - middle) * (momentum - energy * third), (middle - third) * (energy * first - momentum));
    let pace = (low / (first * middle * third)).sqrt();
    let parameter = high / low;
    let sine = omega[1] / ((energy * first - momentum) / (middle * (first - middle))).sqrt();
    let start = sine * elliptic(1.0 - sine * sine, 1.0 - parameter * sine * sine, 1.0);
    (start / pace, 2.0 * elliptic(0.0, 1.0 - parameter, 1.0) / pace)
}

/// The moments over the mass of a cuboid of these half extents, `(b^2 + c^2) / 3`.
fn moments([x, y, z]: [f64; 3]) -> [f64; 3] {
    [(y * y + z * z) / 3.0, (x * x + z * z) / 3.0, (x * x + y * y) / 3.0]
}

/// A box turning freely, and the times at which its spin about y changes its sign.
fn flip_times<S: Scalar>(keys: &str, half: [f64; 3], omega: [f64; 3], rate: u32, seconds: u32) -> Vec<f64> {
    let mut run = spinning::<S>(keys, half, omega, rate);
    let mut times = Vec::new();
    let mut before = omega[1];
    for step in 1..=rate * seconds {
        run.step();
        let body = run.body("box");
        let now = body.orientation.to_matrix().transpose_mul(body.angular_velocity).y.to_f64();
        if (now < 0.0) != (before < 0.0) {
            times.push((f64::from(step) - now / (now - before)) / f64::from(rate));
        }
        before = now;
    }
    times
}

fn spinning<S: Scalar>(keys: &str, [a, b, c]: [f64; 3], [x, y, z]: [f64; 3], rate: u32) -> Run<S> {
    Run::of(&format!(
        "gravity: (0, 0, 0), dt: \"1/{rate}\", {keys}
        bodies: [(name: \"box\", angular_velocity: ({x}, {y}, {z}), shape: Cuboid(half_extents: ({a}, {b}, {c})),
            mass: Total(3))]"
    ))
}

/// A box that spins about its intermediate axis turns over again and again, when Jacobi's solution says so.
///
/// The method follows the right curve in the body, at a pace that is off by `(omega dt)^2 / 12`, or by as much again with the
/// first-order rotation: over a time T by `T (omega dt)^2 / 6`. Here omega is 3 rad/s and dt 1/60 s.
fn the_intermediate_axis_flips<S: Scalar>() {
    let half = [0.5, 1.0, 1.5];
    for omega in [[0.1, 3.0, 0.05], [0.05, 3.0, 0.2]] {
        for keys in ["rotation: ExponentialMap,", "rotation: FirstOrder,"] {
            let (first, period) = flips(moments(half), omega);
            let times = flip_times::<S>(keys, half, omega, 60, 20);
            assert!(times.len() >= 3, "the box should keep flipping: {times:?}");
            for (index, time) in (0_u32..).zip(times) {
                let should_be = first + f64::from(index) * period;
                let bound = 1e-3 + should_be * (3.0 * DT) * (3.0 * DT) / 6.0;
                assert_near(&format!("flip {index}, {keys}"), time, should_be, bound);
            }
        }
    }
}

/// The flips of a small box that spins at 10 rad/s, only 1/1000 off its axis: each within 0.1 % over 20 s, where the error of
/// the pace is 2e-5. How near the box comes to the axis, and so how long it stays there, hangs on its energy to a part of
/// 1e-6: roundings of 6e-8 in each of the hundreds of steps of a flip are as large as that, so in `f32` only the first counts.
fn flips_keep_their_time<S: Scalar>() {
    let (half, omega) = ([0.05, 0.1, 0.15], [0.01, 10.0, 0.01]);
    let (first, period) = flips(moments(half), omega);
    assert_near("first flip", first, 1.527_884, 1e-6);
    assert_near("sixth flip", first + 5.0 * period, 19.097_377, 1e-6);
    for rate in [1000, 2000] {
        let times = flip_times::<S>("", half, omega, rate, 20);
        let judged = if S::KIND == ScalarKind::F32 { 1 } else { 6 };
        assert!(times.len() >= judged, "{times:?}");
        for (index, time) in (0_u32..).zip(times).take(judged) {
            let should_be = first + f64::from(index) * period;
            assert_near(&format!("flip {index} at 1/{rate}"), time, should_be, 1e-3 * should_be);
        }
    }
}

/// Over 1,000 s the energy of a free body stays where it was, and so does its angular momentum: each of 60,000 steps leaves 60
/// roundings (see above) of random sign, four standard deviations are allowed.
fn energy_of_a_free_body_is_constant<S: Scalar>() {
    for keys in ["rotation: ExponentialMap,", "rotation: FirstOrder,"] {
        let mut run = spinning::<S>(keys, [0.5, 1.0, 1.5], [0.5, 3.0, 0.4], 60);
        let start = run.energy();
        let momentum = Vec3::from_array(start.angular_momentum);
        for step in 1..=60_000_u32 {
            run.step();
            if !step.is_multiple_of(100) {
                continue;
            }
            let now = run.energy();
            let bound = 4.0 * f64::from(step).sqrt() * 60.0 * rounding::<S>(1.0);
            assert_near(&format!("energy, step {step}"), now.kinetic / start.kinetic, 1.0, bound);
            let strayed = (Vec3::from_array(now.angular_momentum) - momentum).length() / momentum.length();
            assert!(strayed <= bound, "momentum, step {step}: {strayed:e} > {bound:e}");
        }
    }
}

/// A body that turns by a radian in a step is followed badly, and still keeps its energy: 4 standard deviations of
/// 60 roundings in each of 600 steps, and what the rounds of the solution leave at 0.8 and at 1.3 radians.
fn a_fast_spin_keeps_its_energy<S: Scalar>() {
    for (omega, allowed) in [([20.0, 40.0, 10.0], 1e-8), ([40.0, 60.0, 30.0], 1e-4)] {
        let mut run = spinning::<S>("", [0.5, 1.0, 1.5], omega, 60);
        let start = run.energy().kinetic;
        for _ in 0..600 {
            run.step();
        }
        let bound = allowed + 4.0 * 600.0_f64.sqrt() * 60.0 * rounding::<S>(1.0);
        assert_near("energy", run.energy().kinetic / start, 1.0, bound);
    }
}

/// Spins near the largest that a scene may ask for, of a box and of a stick, a quarter of a radian in each of the four substeps of a step.
fn the_fastest_spins_keep_their_energy<S: Scalar>() {
    let bounds = "bounds: (angular_speed: 30000), solver: Impulse(substeps: 4),";
    for half in [[0.5, 1.0, 1.5], [0.5, 0.01, 0.012]] {
        let mut run = spinning::<S>(bounds, half, [15_000.0, 22_000.0, 10_000.0], 25_000);
        let start = run.energy().kinetic;
        run.steps(300);
        let bound = 1e-6 + 4.0 * 300.0_f64.sqrt() * 60.0 * rounding::<S>(1.0);
        assert_near("energy", run.energy().kinetic / start, 1.0, bound);
    }
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
