//! Power series in integers with 62 fraction bits.

use crate::math::fixed::{UNIT_BITS, round_shift, wide};

/// One with 62 fraction bits.
pub(super) const UNIT: i64 = 1 << UNIT_BITS;

/// `1 / divisor` with 62 fraction bits, rounded to nearest.
pub(super) const fn reciprocal(divisor: u128) -> i64 {
    (((1 << UNIT_BITS) + divisor / 2) / divisor) as i64
}

/// The product of two numbers with 62 fraction bits, rounded to nearest.
#[inline(always)]
pub(super) const fn multiply(a: i64, b: i64) -> i64 {
    round_shift(wide(a, b), UNIT_BITS)
}

/// The polynomial of these coefficients, lowest first, at `x`: Horner's rule.
///
/// Every step rounds by half a unit of `2^-62`, as every coefficient was: for `|x| <= r < 1` the sum is within
/// `2^-62 / (1 - r)` of the exact polynomial, or `2^-62 n` with `n` coefficients where that is less.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(coefficients: &[i64; N], x: i64) -> i64 {
    coefficients.iter().rev().fold(0, |sum, coefficient| coefficient.wrapping_add(multiply(sum, x)))
}
