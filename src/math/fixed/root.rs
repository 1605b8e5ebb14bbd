//! Square roots of integers, rounded to nearest: one hardware `f64` root as a seed, then an exact integer correction.
//!
//! # Why the result does not depend on the float unit
//! For `n >= 1` the root rounded to nearest is the only integer `s >= 1` with `-s < n - s^2 <= s`, because
//! `(s - 1/2)^2 < n < (s + 1/2)^2` and `n` is whole (a root is never halfway between two integers).
//! [`root_from_seed`] makes that hold by one step up or down, so the seed has to come within one of `s`. A seed whose
//! relative error is at most `4 * 2^-52`, in whatever rounding mode, is off by at most 1/2 up to
//! `2^49`, the largest root it is used for; with the half that is added before truncation the candidate is within one of `s`, and seeds wrong
//! by two more units in the last place still are.

/// The square root of `value * 2^32`, rounded to nearest.
///
/// The root is below `2^47.5`; the seed carries two roundings (conversion and root, the factor is exact).
#[inline]
pub(super) fn root_of_shifted(value: u64) -> u64 {
    root_from_seed(u128::from(value) << 32, (value as f64).sqrt() * 65536.0)
}

/// The square root of `value`, rounded to nearest, from an approximate value of it of at most `2^49`.
#[inline]
pub(super) fn root_from_seed(value: u128, seed: f64) -> u64 {
    let candidate = (seed + 0.5) as i64;
    // The remainder is below three candidates in magnitude, so 64 bits hold it although the square wraps.
    let remainder = (value as i64).wrapping_sub(candidate.wrapping_mul(candidate));
    let up = remainder > candidate;
    let down = remainder <= -candidate && candidate > 0;
    (candidate + i64::from(up) - i64::from(down)) as u64
}

/// The square root of any value, rounded to nearest, in integers alone: slower.
pub(super) fn root_wide(value: u128) -> u128 {
    let floor = value.isqrt();
    floor + u128::from(value - floor * floor > floor)
}
