//! Quotients of integers, rounded to nearest: one hardware `f64` division as a seed, then an exact integer correction.
//!
//! # Why the result does not depend on the float unit
//! For a numerator `n` and a denominator `d > 0` the quotient rounded to nearest, halves upwards, is the only integer
//! `q` with `-d <= 2 (n - q d) < d`. [`quotient_from_seed`] returns an integer only after that inequality holds, or was
//! made to hold by one step up or down, so all the seed has to do is to come within one of `q`:
//!
//! The seed carries at most three roundings (two conversions and the division; the factor `2^bits` is exact) and adding
//! one half is a fourth. Each is off by at most `2^-52` of its result in *any* of the four rounding modes, together by
//! less than `5 * 2^-52`. Below [`SEED_LIMIT`] that is less than 5/8, so the candidate lies in
//! `(n/d - 9/8, n/d + 9/8]` and `q` in `(n/d - 1/2, n/d + 1/2]`: they differ by less than 2, hence by at most one.
//! There is room for a seed that is wrong by two more units in the last place, which is how the tests try it.

/// Seeds from here on may be off by more than one.
pub(in crate::math) const SEED_LIMIT: f64 = (1_u64 << 49) as f64;
/// Denominators from here on would overflow three times the denominator, the largest double remainder looked at.
pub(in crate::math) const DENOMINATOR_LIMIT: u64 = 1 << 61;

/// `numerator * 2^bits / denominator` rounded to nearest, halves away from zero, saturated, for up to 62 `bits`; a zero
/// denominator counts as infinitely small and positive, and `0 / 0` is 0.
#[inline]
pub(super) fn divide(numerator: i64, bits: u32, denominator: i64) -> i64 {
    let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
    let seed = above as f64 * (1_u64 << bits) as f64 / below as f64;
    if is_seed_safe(below, seed) {
        let quotient = quotient_from_seed(above << (bits + 1), below, seed);
        if (numerator < 0) == (denominator < 0) { quotient } else { -quotient }
    } else {
        divide_wide(i128::from(numerator) << bits, i128::from(denominator))
    }
}

/// Whether [`quotient_from_seed`] may be used; false for a seed that is not a number.
#[inline]
pub(super) fn is_seed_safe(denominator: u64, seed: f64) -> bool {
    seed < SEED_LIMIT && denominator < DENOMINATOR_LIMIT
}

/// `n / denominator` rounded to nearest, halves upwards, from an approximate value of it that [is safe](is_seed_safe).
/// Of the numerator `n` only the lowest 64 bits of `2 n` are needed.
#[inline]
pub(super) fn quotient_from_seed(twice_numerator: u64, denominator: u64, seed: f64) -> i64 {
    let candidate = (seed + 0.5) as i64;
    // Twice the remainder is between -3 and 3 denominators, so 64 bits hold it although the products wrap.
    let twice_remainder = twice_numerator.wrapping_sub((candidate as u64).wrapping_mul(denominator << 1)) as i64;
    let limit = denominator as i64;
    candidate + i64::from(twice_remainder >= limit) - i64::from(twice_remainder < -limit)
}

/// `numerator / denominator` rounded to nearest, halves away from zero, saturated; a zero denominator counts as
/// infinitely small and positive, and `0 / 0` is 0.
pub(super) fn divide_wide(numerator: i128, denominator: i128) -> i64 {
    if denominator == 0 {
        return match numerator.signum() {
            0 => 0,
            1 => i64::MAX,
            _ => i64::MIN,
        };
    }
    let divisor = denominator.unsigned_abs();
    let (quotient, remainder) = (numerator.unsigned_abs() / divisor, numerator.unsigned_abs() % divisor);
    let rounded = quotient.saturating_add(u128::from(remainder >= divisor - remainder));
    let negative = (numerator < 0) != (denominator < 0);
    match i64::try_from(rounded) {
        Ok(magnitude) if negative => -magnitude,
        Ok(magnitude) => magnitude,
        Err(_) if negative => i64::MIN,
        Err(_) => i64::MAX,
    }
}
