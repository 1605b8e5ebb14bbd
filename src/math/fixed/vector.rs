//! Lengths and directions of raw vectors.
//!
//! # Error of a direction
//! The components are scaled by a power of two so that the largest lies in `[2^47, 2^48]`. Seen as a part of the result,
//! which is at most one, these are the errors before the last rounding: scaling down (only for components beyond 2^16) half
//! a unit of each component, `2^-48`, and of the length with it at most `2^-47`; the length, in `[2^47, 2^49]` and rounded to
//! nearest, `2^-48`; its reciprocal `2^95 / length`, in `[2^46, 2^48]` and rounded to nearest, `2^-47`. Together
//! `6 * 2^-48`. Rounding to 32 fraction bits adds half a unit of `2^-32`: in all **at most 0.5 + 2^-13 units in the last
//! place** per component.

use crate::math::fixed::division::quotient_from_seed;
use crate::math::fixed::root::{root_from_seed, root_wide};
use crate::math::fixed::{FRACTION_BITS, dot4_wide, round_shift, wide};

/// Bits of the largest component after scaling.
pub(in crate::math) const SCALED_BITS: u32 = 48;
/// The reciprocal of a scaled length is held as a multiple of `2^-RECIPROCAL_BITS`.
const RECIPROCAL_BITS: u32 = 95;
/// The same power as a float, for the seed.
const RECIPROCAL_SCALE: f64 = (1_u128 << RECIPROCAL_BITS) as f64;
/// From a product of a component and the reciprocal to 32 fraction bits.
const DIRECTION_SHIFT: u32 = RECIPROCAL_BITS - 32;

/// The length of a raw vector, rounded to nearest, saturated.
#[inline]
pub(super) fn length(v: [i64; 3]) -> i64 {
    let magnitudes = v.map(i64::unsigned_abs);
    if (magnitudes[0] | magnitudes[1] | magnitudes[2]) >> SCALED_BITS == 0 {
        root_from_seed(sum_of_squares(magnitudes), length_seed(magnitudes)) as i64
    } else {
        i64::try_from(root_wide(sum_of_squares(magnitudes))).unwrap_or(i64::MAX)
    }
}

/// The direction of a raw vector with 32 fraction bits; `None` for the zero vector.
#[inline]
pub(super) fn direction<const N: usize>(v: [i64; N]) -> Option<[i64; N]> {
    let leading_zeros = leading_zeros(v);
    (leading_zeros < 64).then(|| {
        let scaled = scale(v, leading_zeros);
        over_length(scaled, scaled_length(scaled))
    })
}

/// The same with the length as [`length`] has it, which is mostly told by that of the scaled vector: no second root.
#[inline]
pub(super) fn direction_and_length(v: [i64; 3]) -> Option<([i64; 3], i64)> {
    let leading_zeros = leading_zeros(v);
    (leading_zeros < 64).then(|| {
        let scaled = scale(v, leading_zeros);
        let scaled_length = scaled_length(scaled);
        let told = leading_zeros.checked_sub(64 - SCALED_BITS).and_then(|shift| unscaled(scaled_length, shift));
        (over_length(scaled, scaled_length), told.unwrap_or_else(|| length(v)))
    })
}

/// A length from `2^shift` of it, both rounded to nearest; `None` half way between two, where the first rounding may have led.
#[inline]
fn unscaled(scaled: u64, shift: u32) -> Option<i64> {
    let half = (1_u64 << shift) >> 1;
    let rest = scaled & ((1 << shift) - 1);
    (rest != half || shift == 0).then_some(((scaled + half) >> shift) as i64)
}

/// The leading zeros of the largest magnitude; 64 of the zero vector.
#[inline]
fn leading_zeros<const N: usize>(v: [i64; N]) -> u32 {
    v.into_iter().fold(0, |bits, component| bits | component.unsigned_abs()).leading_zeros()
}

/// The length of a scaled vector, rounded to nearest.
#[inline]
fn scaled_length<const N: usize>(scaled: [i64; N]) -> u64 {
    let magnitudes = scaled.map(i64::unsigned_abs);
    root_from_seed(sum_of_squares(magnitudes), length_seed(magnitudes))
}

/// A scaled vector over its length.
#[inline]
fn over_length<const N: usize>(scaled: [i64; N], length: u64) -> [i64; N] {
    // The lowest 64 bits of twice the numerator, 2^96, are zero.
    let reciprocal = quotient_from_seed(0, length, RECIPROCAL_SCALE / length as f64);
    scaled.map(|component| {
        let product = i128::from(component) * i128::from(reciprocal);
        ((product + (1 << (DIRECTION_SHIFT - 1))) >> DIRECTION_SHIFT) as i64
    })
}

/// By how much the square of the length of a raw quaternion is above one, in units of `2^-64`, where that is less than `2^-22`.
#[inline]
pub(super) fn excess_of_square(v: [i64; 4]) -> Option<i64> {
    const NEARLY: i128 = 1 << (2 * FRACTION_BITS - 22);
    // Four squares of 2^126 come to zero at most, never to one.
    let excess = dot4_wide(v, v).wrapping_sub(1 << (2 * FRACTION_BITS));
    (-NEARLY < excess && excess < NEARLY).then_some(excess as i64)
}

/// The direction of a raw quaternion whose square is `1 + e`, a component at most 0.5 + 2^-13 units in the last place off: over the
/// length is times `1 - e/2`, and what that misses is `3/8 e^2`, less than `2^-45`.
#[inline]
pub(super) fn nearly_unit(v: [i64; 4], excess: i64) -> [i64; 4] {
    v.map(|component| component - round_shift(wide(component, excess), 2 * FRACTION_BITS + 1))
}

/// The exact sum of the squares.
#[inline]
fn sum_of_squares<const N: usize>(magnitudes: [u64; N]) -> u128 {
    magnitudes.into_iter().fold(0, |sum, magnitude| sum + u128::from(magnitude) * u128::from(magnitude))
}

/// The length in `f64`, for components below `2^48`.
///
/// Their conversion is exact; one rounding for a square, up to three for the sum (the first adds to zero) and one for the
/// root, which halves what it is given: a relative error of at most `3 * 2^-52` in any rounding mode.
#[inline]
fn length_seed<const N: usize>(magnitudes: [u64; N]) -> f64 {
    magnitudes.into_iter().map(|magnitude| magnitude as f64).fold(0.0, |sum, value| sum + value * value).sqrt()
}

/// The components times the power of two that brings the largest into `[2^47, 2^48)`, from its leading zeros.
#[inline]
fn scale<const N: usize>(v: [i64; N], leading_zeros: u32) -> [i64; N] {
    v.map(|component| shifted(component, leading_zeros as i32 - (64 - SCALED_BITS) as i32))
}

/// Raw vectors times the power of two that brings the largest component to so many bits, rounded to nearest.
#[inline(always)]
pub(super) fn levelled<const N: usize>(vectors: [[i64; 3]; N], bits: i32) -> [[i64; 3]; N] {
    let largest = vectors.into_iter().flatten().fold(0, |largest, component| largest | component.unsigned_abs());
    if largest == 0 {
        return vectors;
    }
    let shift = largest.leading_zeros() as i32 - (64 - bits);
    vectors.map(|v| v.map(|component| shifted(component, shift)))
}

/// A number times a power of two, rounded to nearest and ties up; what is shifted up has to fit.
#[inline(always)]
const fn shifted(value: i64, shift: i32) -> i64 {
    if shift >= 0 { value << shift } else { ((value >> (-shift - 1)) + 1) >> 1 }
}
