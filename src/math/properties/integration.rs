//! Orientations turned at a constant angular velocity, against the closed forms.

use crate::math::fixed::Fixed;
use crate::math::properties::{norm_defect, rounding};
use crate::math::quat::Quat;
use crate::math::scalar::{Scalar, ScalarKind};
use crate::math::vec3::Vec3;

/// Steps in a second.
const RATE: i64 = 60;

/// How far one step may put a quaternion from the exact one, as a length in four dimensions.
///
/// Fixed point: four components, each rounded by the product (`r`) and by normalising (`1.001 r`); the increment itself has
/// 62 bits. Floats, relative to the quaternion's length: the half turn `r`, its direction and length 7 `r`, sine and cosine 2 `r`,
/// their product `r`, the quaternion product 4 `r`, normalising 4 `r`.
fn step_error<S: Scalar>() -> f64 {
    let roundings = if S::KIND == ScalarKind::Fixed { 2.0 * 2.01 } else { 19.0 };
    roundings * rounding::<S>(1.0)
}

/// How far the angle of all steps together may be off because velocity and step are rounded: by `r` relative each for
/// floats; in fixed point the velocity by two units in the last place (components are twice the rounded pi, or exact), for
/// `seconds`.
fn setting_error<S: Scalar>(angle: f64, seconds: f64) -> f64 {
    if S::KIND == ScalarKind::Fixed { seconds * S::EPSILON.to_f64() } else { 2.0 * rounding::<S>(angle) }
}

/// The turn, in four dimensions, between a quaternion and the half angle `half` about a unit axis.
fn error_against<S: Scalar>(q: Quat<S>, axis: [f64; 3], half: f64) -> f64 {
    let sine = libm::sin(half);
    let expected = [libm::cos(half), axis[0] * sine, axis[1] * sine, axis[2] * sine];
    let parts = q.to_array().into_iter().zip(expected).map(|(part, exact)| (part.to_f64() - exact).powi(2));
    parts.sum::<f64>().sqrt()
}

/// The quaternion after a number of steps from the identity.
fn turned<S: Scalar>(
    omega: Vec3<S>,
    steps: u32,
    advance: impl Fn(Quat<S>, Vec3<S>, S::Fraction) -> Quat<S>,
) -> Quat<S> {
    let half_dt = S::fraction(1, 2 * RATE);
    (0..steps).fold(Quat::IDENTITY, |q, _| advance(q, omega, half_dt))
}

fn comes_round<S: Scalar>() {
    let omega = Vec3::new(S::PI + S::PI, S::ZERO, S::ZERO);
    let pi = std::f64::consts::PI;
    for (steps, half) in [(15, pi / 4.0), (60, pi)] {
        let q = turned(omega, steps, Quat::advance_exponential);
        // Half of the angle of the setting's error, for the quaternion holds half angles.
        let bound = f64::from(steps) * step_error::<S>() + setting_error::<S>(2.0 * half, 1.0) / 2.0;
        let error = error_against(q, [1.0, 0.0, 0.0], half);
        assert!(error <= bound, "after {steps} steps off by {error:e}, allowed are {bound:e}");
    }
    let up = turned(omega, 15, Quat::advance_exponential).rotate(Vec3::Y);
    assert!(up.z.to_f64() > 0.99, "a quarter turn about x takes y to z");
}

#[test]
fn the_exponential_map_comes_round_once_a_second() {
    comes_round::<Fixed>();
    comes_round::<f32>();
    comes_round::<f64>();
}

fn lags_as_first_order_does<S: Scalar>() {
    let omega = Vec3::new(S::PI + S::PI, S::ZERO, S::ZERO);
    let q = turned(omega, 60, Quat::advance_first_order);
    // Each step adds the vector part omega dt / 2 to a scalar part of one: a half angle of atan(omega dt / 2).
    let half = 60.0 * libm::atan(std::f64::consts::PI / 60.0);
    let bound = 60.0 * step_error::<S>() + setting_error::<S>(2.0 * half, 1.0) / 2.0;
    let error = error_against(q, [1.0, 0.0, 0.0], half);
    assert!(error <= bound, "off by {error:e}, allowed are {bound:e}");
    // The same from the other side: it is not the exact turn, but behind it by 60 (x^3 / 3) of half angle.
    let lag = error_against(q, [1.0, 0.0, 0.0], std::f64::consts::PI);
    assert!((lag - 60.0 * libm::pow(std::f64::consts::PI / 60.0, 3.0) / 3.0).abs() < 1e-5 + bound, "behind by {lag:e}");
}

#[test]
fn first_order_turns_by_the_arc_tangent() {
    lags_as_first_order_does::<Fixed>();
    lags_as_first_order_does::<f32>();
    lags_as_first_order_does::<f64>();
}

fn drifts_little<S: Scalar>(speed: i32) -> f64 {
    // |(2, 3, 6)| = 7 rad/s, or half of that; every component is exact in every scalar.
    let omega = Vec3::new(S::TWO, S::from_i32(3), S::from_i32(6)) * (S::from_i32(speed) * S::HALF);
    let speed = 3.5 * f64::from(speed);
    let steps = 100_000;
    let q = turned(omega, steps, Quat::advance_exponential);
    let seconds = f64::from(steps) / RATE as f64;
    let setting = if S::KIND == ScalarKind::Fixed { 0.0 } else { rounding::<S>(speed * seconds) };
    // The oracle's angle, 5833 rad, is rounded by 2^-41, and reduced as exactly as it is.
    let bound = f64::from(steps) * step_error::<S>() + setting / 2.0 + 1e-12;
    let error = error_against(q, [2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0], speed / 2.0 * seconds);
    assert!(error <= bound, "off by {error:e}, allowed are {bound:e}");
    let length = q.to_array().into_iter().map(|part| part.to_f64().powi(2)).sum::<f64>();
    assert!((length - 1.0).abs() <= norm_defect::<S>() + 1e-15);
    error
}

#[test]
fn a_hundred_thousand_steps_drift_within_their_roundings() {
    // The slower turns are small ones, which fixed point takes in steps of their own.
    [1, 2].into_iter().for_each(drifts_within_roundings);
}

fn drifts_within_roundings(speed: i32) {
    let (fixed, double) = (drifts_little::<Fixed>(speed), drifts_little::<f64>(speed));
    drifts_little::<f32>(speed);
    // With 62 bits in the step, what is left of the drift is the quaternion's own rounding, as a random walk: the error of a
    // step, 2 r at the most in any direction, times the root of their number. Six times that is never met by chance.
    let walk = 2.0 * 2.01 * rounding::<Fixed>(1.0) * libm::sqrt(100_000.0);
    assert!(fixed <= 6.0 * walk, "off by {fixed:e}: that is a bias, not rounding");
    assert!(double <= fixed);
}

/// One step at 448 rad/s about (2, 3, 6) / 7 turns by a half angle of 3.73 rad, more than fractions of fixed point hold.
fn turns_far<S: Scalar>() {
    let omega = Vec3::new(S::from_i32(128), S::from_i32(192), S::from_i32(384));
    let (axis, half) = ([2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0], 448.0 / 120.0);
    // Each of the four or five doublings doubles what the steps before it were off.
    let bound = 64.0 * step_error::<S>() + setting_error::<S>(2.0 * half, 1.0 / RATE as f64);
    let error = error_against(turned(omega, 1, Quat::advance_exponential), axis, half);
    assert!(error <= bound, "off by {error:e}, allowed are {bound:e}");
    let error = error_against(turned(omega, 1, Quat::advance_first_order), axis, libm::atan(half));
    assert!(error <= bound, "to first order off by {error:e}, allowed are {bound:e}");
}

#[test]
fn turns_of_more_than_a_circle_go_as_far_as_they_should() {
    turns_far::<Fixed>();
    turns_far::<f32>();
    turns_far::<f64>();
}

/// Just below and above the angle from which on sines and cosines are taken, two ways to the same turn agree.
fn is_seamless<S: Scalar>() {
    for thousandths in [1, 30, 61, 62, 63, 64, 100] {
        let half = S::from_ratio(thousandths, 1000);
        let omega = Vec3::new(S::ZERO, half * S::from_i32(2 * RATE as i32), S::ZERO);
        let error = error_against(turned(omega, 1, Quat::advance_exponential), [0.0, 1.0, 0.0], half.to_f64());
        let bound = step_error::<S>() + setting_error::<S>(2.0 * half.to_f64(), 1.0 / RATE as f64);
        assert!(error <= bound, "{thousandths}: off by {error:e}, allowed are {bound:e}");
    }
}

#[test]
fn small_turns_are_those_of_sines_and_cosines() {
    is_seamless::<Fixed>();
    is_seamless::<f32>();
    is_seamless::<f64>();
}

fn stands_still<S: Scalar>() {
    let q = Quat::new(S::ONE, S::HALF, S::from_ratio(1, 3), S::from_ratio(-1, 7));
    let half_dt = S::fraction(1, 120);
    assert_eq!(q.advance_exponential(Vec3::ZERO, half_dt), q);
    assert_eq!(q.advance_first_order(Vec3::ZERO, half_dt), q);
}

#[test]
fn no_velocity_leaves_the_bits_alone() {
    stands_still::<Fixed>();
    stands_still::<f32>();
    stands_still::<f64>();
}
