//! The laws of algebra, each on all three scalars from one generic body, within bounds derived from single roundings.

mod integration;
mod number;
mod rotation;
mod scaled;
mod tensor;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::math::quat::Quat;
use crate::math::scalar::{Scalar, ScalarKind};
use crate::math::vec3::Vec3;

/// Runs a test on the same 2000 samples every time.
fn for_all<T: Strategy>(strategy: &T, test: impl Fn(T::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases: 2000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    if let Err(failure) = runner.run(strategy, test) {
        panic!("{failure}");
    }
}

/// The error of one rounding to nearest, of a result of at most this magnitude: `r` in the bounds.
fn rounding<S: Scalar>(magnitude: f64) -> f64 {
    match S::KIND {
        ScalarKind::Fixed => S::EPSILON.to_f64() / 2.0,
        ScalarKind::F32 | ScalarKind::F64 => magnitude * S::EPSILON.to_f64() / 2.0,
    }
}

/// The error of one sum of at most this magnitude: fixed point adds exactly.
fn sum_rounding<S: Scalar>(magnitude: f64) -> f64 {
    if S::KIND == ScalarKind::Fixed { 0.0 } else { rounding::<S>(magnitude) }
}

/// The error of a sum of `terms` products, when the magnitudes of the products add up to at most `magnitude`.
///
/// Fixed point rounds once. A float rounds every product and every sum, each term at most `terms` times.
fn dot_rounding<S: Scalar>(terms: f64, magnitude: f64) -> f64 {
    if S::KIND == ScalarKind::Fixed { rounding::<S>(magnitude) } else { 1.01 * terms * rounding::<S>(magnitude) }
}

/// How far the square of the length of a normalised quaternion may be from one.
///
/// Fixed point: each component is off by `(1 + 2^-12) r`, and `2 sum |q_i| <= 4`. Floats: the sum of squares is off by 4 `r`
/// relative, the root halves that and adds `r`, the quotient adds `r`: each component by 4 `r`, the square by 8.
fn norm_defect<S: Scalar>() -> f64 {
    8.1 * rounding::<S>(1.0)
}

/// How far apart two numbers are. Nearby numbers subtract exactly.
fn distance<S: Scalar>(a: S, b: S) -> f64 {
    (a - b).to_f64().abs()
}

/// The length of the difference of two vectors.
fn vector_distance<S: Scalar>(a: Vec3<S>, b: Vec3<S>) -> f64 {
    (a - b).to_f64().into_iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// The length, in `f64`.
fn magnitude<S: Scalar>(v: Vec3<S>) -> f64 {
    v.to_f64().into_iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Numbers from `-limit` to `limit` in steps of 2^-30, so that every scalar has something to round.
fn numbers<S: Scalar>(limit: i64) -> impl Strategy<Value = S> {
    ((-limit << 30)..=(limit << 30)).prop_map(|numerator| S::from_ratio(numerator, 1 << 30))
}

/// Vectors of such numbers.
fn vectors<S: Scalar>(limit: i64) -> impl Strategy<Value = Vec3<S>> {
    [numbers::<S>(limit), numbers(limit), numbers(limit)].prop_map(Vec3::from_array)
}

/// Unit quaternions.
fn rotations<S: Scalar>() -> impl Strategy<Value = Quat<S>> {
    [numbers::<S>(1), numbers(1), numbers(1), numbers(1)].prop_map(|parts| Quat::from_array(parts).normalise())
}
