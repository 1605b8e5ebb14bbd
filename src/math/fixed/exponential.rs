//! Exponential function and natural logarithm, in integers alone.
//!
//! Inside, numbers have 62 fraction bits; `u` is their unit, `2^-62`.

use crate::math::fixed::series::{UNIT, multiply, polynomial, reciprocal};
use crate::math::fixed::{FRACTION_BITS, ONE, UNIT_BITS, round_shift, wide};

/// `ln 2` with 94 fraction bits.
const LN_2_WIDE: i128 = 0x2c5c_85fd_f473_de6a_f278_ece6;
/// Fraction bits of [`LN_2_WIDE`].
const WIDE_BITS: u32 = 94;
/// `ln 2` with 62 fraction bits.
const LN_2: i64 = 0x2c5c_85fd_f473_de6b;
/// `1 / ln 2` with 62 fraction bits.
const ONE_OVER_LN_2: i64 = 0x5c55_1d94_ae0b_f85e;
/// The exponential of raw arguments from here on saturates: `e^22 > 2^31`.
const LARGEST_EXPONENT: i64 = 22 * ONE;
/// The exponential of raw arguments up to here rounds to zero: `e^-23 < 2^-33`.
const SMALLEST_EXPONENT: i64 = -23 * ONE;

/// Coefficients of the Taylor series of `e^x`: `1 / k!`.
///
/// For `|x| <= ln 2 / 2 + 2^-30` the first term left out is at most `0.3466^17 / 17! < 2^-74`.
const EXPONENTIAL: [i64; 17] = factorials();
/// Coefficients of `z^k` in the series of `ln(1 + z) / z`: `(-1)^k / (k + 1)`.
///
/// For `|z| <= 0.021` the first term left out is at most `0.021^12 / 12 < 2^-70`.
const LOGARITHM: [i64; 11] = alternating_reciprocals();

/// `c`, so that `c / 64` is near `1 / m` for the `m` of each 32nd part of [1, 2): `c m / 64` is within 0.021 of one.
const RECIPROCALS: [u8; 32] = [
    63, 61, 59, 58, 56, 55, 53, 52, 51, 49, 48, 47, 46, 45, 44, 43, //
    42, 41, 41, 40, 39, 38, 38, 37, 36, 36, 35, 34, 34, 33, 33, 32,
];
/// `ln(64 / c)` for each of these, with 62 fraction bits, rounded to nearest.
const LOGARITHM_TABLE: [i64; 32] = [
    0x0102_0565_8935_8475,
    0x0312_9542_93f6_6867,
    0x0534_c457_481f_ab17,
    0x064c_d797_5652_622c,
    0x088b_c741_13f2_3def,
    0x09b2_fe58_0ac8_0b18,
    0x0c11_e0b2_a8d1_e0de,
    0x0d49_f69e_456c_f1b8,
    0x0e88_1bf9_32af_3dac,
    0x1117_8e82_27e4_7bde,
    0x1269_6211_34db_9278,
    0x13c2_5277_3331_83b5,
    0x1522_ae07_38a3_d7ce,
    0x168a_c83e_9c6a_141a,
    0x17fa_fa3b_d815_1bee,
    0x1973_a343_1356_adcf,
    0x1af5_2952_48cd_d067,
    0x1c7f_f9c7_4554_c924,
    0x1c7f_f9c7_4554_c924,
    0x1e14_8a1a_2726_cd95,
    0x1fb3_58af_7a48_8430,
    0x215c_edc5_a0a9_f487,
    0x215c_edc5_a0a9_f487,
    0x2311_dc81_e479_4cc5,
    0x24d2_c422_69b7_24f0,
    0x24d2_c422_69b7_24f0,
    0x26a0_515b_3b19_0b84,
    0x287b_3fe5_f247_899f,
    0x287b_3fe5_f247_899f,
    0x2a64_5c4d_0cf0_ae66,
    0x2a64_5c4d_0cf0_ae66,
    0x2c5c_85fd_f473_de6b,
];

/// `1 / k!` for each `k`.
const fn factorials() -> [i64; 17] {
    let mut coefficients = [UNIT; 17];
    let mut factorial = 1;
    let mut k = 1;
    while k < 17 {
        factorial *= k as u128;
        coefficients[k] = reciprocal(factorial);
        k += 1;
    }
    coefficients
}

/// `(-1)^k / (k + 1)` for each `k`.
const fn alternating_reciprocals() -> [i64; 11] {
    let mut coefficients = [UNIT; 11];
    let mut k = 1;
    while k < 11 {
        let coefficient = reciprocal(k as u128 + 1);
        coefficients[k] = if k % 2 == 0 { coefficient } else { -coefficient };
        k += 1;
    }
    coefficients
}

/// The exponential of a raw number, raw, saturated; within half an ulp plus `2^-60` of the result.
///
/// With `k` the whole number next to `x / ln 2`, it is `2^k e^r` with `r = x - k ln 2`. `ln 2` is off by `2^-95` and `|k| < 34`,
/// so `r` is off by its rounding, `u / 2`, and a little; the polynomial is within `1.6 u`, and `e^r` is between 0.7 and 1.42:
/// a relative error of at most `3 u`. What follows is one rounding to 32 fraction bits.
pub(super) fn exp(x: i64) -> i64 {
    if x >= LARGEST_EXPONENT {
        return i64::MAX;
    }
    if x <= SMALLEST_EXPONENT {
        return 0;
    }
    let doublings = round_shift(wide(x, ONE_OVER_LN_2), FRACTION_BITS + UNIT_BITS);
    let rest = (i128::from(x) << (WIDE_BITS - FRACTION_BITS)) - i128::from(doublings) * LN_2_WIDE;
    let power = i128::from(polynomial(&EXPONENTIAL, round_shift(rest, WIDE_BITS - UNIT_BITS)));
    // Three extra bits keep the shift positive up to the largest argument, where `doublings` is 32.
    let shift = i64::from(UNIT_BITS - FRACTION_BITS) + 3 - doublings;
    let rounded = (((power << 3) >> (shift - 1)) + 1) >> 1;
    i64::try_from(rounded).unwrap_or(i64::MAX)
}

/// The natural logarithm of a raw number, raw, within 0.5 + 2^-20 ulp; the smallest number where it is not defined.
///
/// A positive number is `2^e m` with `1 <= m < 2`; with `c / 64` near `1 / m`, `ln m = ln(64 / c) + ln(1 + z)` where
/// `z = c m / 64 - 1` is exact but for its rounding (`u`). The table is off by `u / 2`, the logarithm of `1 + z` by
/// `2 u`, `e ln 2` by `16 u`: together below `2^-57`, that is `2^-25` ulp.
pub(super) fn ln(x: i64) -> i64 {
    if x <= 0 {
        return i64::MIN;
    }
    let zeros = x.leading_zeros();
    let mantissa = x << (zeros - 1);
    let exponent = 63 - i64::from(FRACTION_BITS) - i64::from(zeros);
    let index = ((mantissa >> (UNIT_BITS - 5)) & 31) as usize;
    let excess = ((wide(mantissa, i64::from(RECIPROCALS[index])) >> 6) - i128::from(UNIT)) as i64;
    let fine = multiply(excess, polynomial(&LOGARITHM, excess));
    let sum = wide(exponent, LN_2) + i128::from(LOGARITHM_TABLE[index]) + i128::from(fine);
    round_shift(sum, UNIT_BITS - FRACTION_BITS)
}
