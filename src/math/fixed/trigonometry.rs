//! Sine, cosine, their exponential map, and the inverse functions, in integers alone.
//!
//! Inside, numbers have 62 fraction bits; `u` is their unit, `2^-62`. A result with 32 fraction bits is rounded once at the
//! end, by half a unit in its last place (ulp); everything before is off by a few `u`, which is less than `2^-20` ulp.

use crate::math::fixed::division::{divide_wide, quotient_from_seed};
use crate::math::fixed::root::{root_from_seed, root_wide};
use crate::math::fixed::series::{UNIT, multiply, polynomial, reciprocal};
use crate::math::fixed::{FRACTION_BITS, ONE, UNIT_BITS, round_shift};

/// `2 / pi` with 64 fraction bits.
const TWO_OVER_PI: u64 = 0xa2f9_836e_4e44_152a;
/// `pi / 2` with 94 fraction bits.
const HALF_PI_WIDE: i128 = 0x6487_ed51_10b4_611a_6263_3146;
/// Fraction bits of an angle before its reduction.
const WIDE_BITS: u32 = 94;
/// `pi / 2` with 62 fraction bits.
const HALF_PI: i64 = 0x6487_ed51_10b4_611a;
/// `pi` with 62 fraction bits, which needs 64 bits before the sign.
const PI: i128 = 0xc90f_daa2_2168_c235;

/// Coefficients of `(x^2)^k` in the Taylor series of `cos x`: `(-1)^k / (2k)!`.
///
/// The first term left out is at most `0.62^10 / 20! < 2^-68` for `x^2 <= 0.62`, the largest square in use.
const COSINE: [i64; 10] = alternating_factorials(0);
/// Coefficients of `(x^2)^k` in the Taylor series of `sin x / x`: `(-1)^k / (2k + 1)!`.
const SINE_OVER_ANGLE: [i64; 10] = alternating_factorials(1);
/// The first of them: what they leave out is below `2^-66` where `x^2` is below `2^-9`.
const COSINE_NEAR_ZERO: [i64; 5] = first_five(COSINE);
/// The same of `sin x / x`.
const SINE_OVER_ANGLE_NEAR_ZERO: [i64; 5] = first_five(SINE_OVER_ANGLE);
/// Coefficients of `(z^2)^k` in the series of `atan z / z`: `(-1)^k / (2k + 1)`.
///
/// The first term left out is at most `(1/31)^12 / 13 < 2^-63` for `|z| <= 1/31`.
const ARCTANGENT_OVER_TANGENT: [i64; 6] =
    [UNIT, -reciprocal(3), reciprocal(5), -reciprocal(7), reciprocal(9), -reciprocal(11)];

/// Steps of the table of arc tangents from 0 to 1.
const TABLE_STEPS: i64 = 16;
/// `atan(i / 16)` with 62 fraction bits, rounded to nearest.
const ARCTANGENT_TABLE: [i64; 17] = [
    0x0000_0000_0000_0000,
    0x03fe_ab76_e59f_bd39,
    0x07f5_6ea6_ab0b_db72,
    0x0bdc_bda5_e72d_8113,
    0x0fad_bafc_9640_6eb1,
    0x1362_7737_07eb_cbcd,
    0x16f6_1941_e4de_f08e,
    0x1a64_eec3_cc23_fcb7,
    0x1dac_6705_61bb_4f69,
    0x20ca_fd29_b661_9f8b,
    0x23c0_1757_bdfd_67e7,
    0x268b_e039_9c6f_7688,
    0x292f_1f46_4d3d_c249,
    0x2bab_130e_2d36_3020,
    0x2e01_4f8a_f08c_679d,
    0x3033_a16e_2b14_9990,
    0x3243_f6a8_885a_308d,
];

const fn first_five([a, b, c, d, e, ..]: [i64; 10]) -> [i64; 5] {
    [a, b, c, d, e]
}

/// `(-1)^k / (2k + offset)!` for each `k`, with 62 fraction bits.
const fn alternating_factorials(offset: u128) -> [i64; 10] {
    let mut coefficients = [0; 10];
    let mut factorial = 1;
    let mut k = 0;
    while k < 10 {
        let coefficient = reciprocal(factorial);
        coefficients[k] = if k % 2 == 0 { coefficient } else { -coefficient };
        let last = 2 * k as u128 + offset;
        factorial *= (last + 1) * (last + 2);
        k += 1;
    }
    coefficients
}

/// Sine and cosine of a raw angle in radians, raw, within 0.5 + 2^-20 ulp for every angle.
///
/// The sine is exactly odd and the cosine exactly even.
pub(super) fn sin_cos(angle: i64) -> (i64, i64) {
    let (sine, cosine) = wide_sin_cos(i128::from(angle.unsigned_abs()) << (WIDE_BITS - FRACTION_BITS));
    let sine = round_shift(i128::from(sine), UNIT_BITS - FRACTION_BITS);
    let cosine = round_shift(i128::from(cosine), UNIT_BITS - FRACTION_BITS);
    (if angle < 0 { -sine } else { sine }, cosine)
}

/// Sine and cosine, within `4 u`, of an angle from 0 to 2^31 with 94 fraction bits.
///
/// The angle less the nearest multiple `k` of `pi / 2`: that constant is off by at most `2^-95`, and `k` is below `2^31`,
/// so the reduction is off by less than `2^-64` and its rounding by `u / 2`. What is left is at most `pi / 4 + 2^-30`,
/// its square below 0.62, where the polynomials are within `2.7 u`; the products with the angle add at most one more `u`.
pub(super) fn wide_sin_cos(angle: i128) -> (i64, i64) {
    let raw = (angle >> (WIDE_BITS - FRACTION_BITS)) as u128;
    let turns = (raw * u128::from(TWO_OVER_PI)) >> 64;
    let quarters = (turns + (1 << (FRACTION_BITS - 1))) >> FRACTION_BITS;
    let rest = round_shift(angle - quarters as i128 * HALF_PI_WIDE, WIDE_BITS - UNIT_BITS);
    let square = multiply(rest, rest);
    let sine = multiply(rest, polynomial(&SINE_OVER_ANGLE, square));
    let cosine = polynomial(&COSINE, square);
    match quarters & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// `(cos l, sin l / l * h)` for a vector `h` of length `l` with 62 fraction bits, each within `8 u` (`2^-59`).
///
/// Both are power series in `l^2`, which needs no root: up to 1/2 the polynomials are within `2 u`, and rounding `l^2`
/// moves them by less than `u / 4`; up to 2^-9, a turn of five degrees, half as many terms leave out less than `u / 16`.
/// Longer vectors (a turn of more than 80 degrees in one step) go through the length, rounded to nearest, where sine and
/// cosine are within `5 u` and dividing by a length of at least 0.7 makes that `7.1 u` of `sin l / l`; the component
/// multiplied by it is at most `l`, so the vector part is within `5 u + 1 u`.
pub(super) fn exponential_map(h: [i64; 3]) -> (i64, [i64; 3]) {
    let square = h.into_iter().fold(0_u128, |sum, component| {
        let magnitude = u128::from(component.unsigned_abs());
        sum + magnitude * magnitude
    });
    let (cosine, sine_over_length) = if square < 1 << (2 * UNIT_BITS - 9) {
        let square = round_shift(square as i128, UNIT_BITS);
        (polynomial(&COSINE_NEAR_ZERO, square), polynomial(&SINE_OVER_ANGLE_NEAR_ZERO, square))
    } else if square < 1 << (2 * UNIT_BITS - 1) {
        let square = round_shift(square as i128, UNIT_BITS);
        (polynomial(&COSINE, square), polynomial(&SINE_OVER_ANGLE, square))
    } else {
        let length = root_wide(square) as i128;
        let (sine, cosine) = wide_sin_cos(length << (WIDE_BITS - UNIT_BITS));
        (cosine, divide_wide(i128::from(sine) << UNIT_BITS, length))
    };
    (cosine, h.map(|component| multiply(component, sine_over_length)))
}

/// The angle of the raw point `(x, y)`, raw, from -pi to pi, within 0.5 + 2^-20 ulp; zero for the origin.
pub(super) fn atan2(y: i64, x: i64) -> i64 {
    let angle = half_plane_angle(y.unsigned_abs(), x);
    if y < 0 { -angle } else { angle }
}

/// The raw angle, from 0 to pi, whose cosine is this raw number of magnitude at most one, within 0.5 + 2^-14 ulp.
///
/// The sine `sqrt(1 - cosine^2)` is taken with 47 fraction bits, so it is off by `2^-48` and the angle by `2^-16` ulp.
pub(super) fn acos(cosine: i64) -> i64 {
    const SINE_BITS: u32 = 47;
    let magnitude = cosine.unsigned_abs().min(ONE as u64);
    let square = (1_u128 << (2 * FRACTION_BITS)) - u128::from(magnitude) * u128::from(magnitude);
    let square = square << (2 * (SINE_BITS - FRACTION_BITS));
    // Conversion and root are two roundings of at most 2^-52 each, in any rounding mode.
    let sine = root_from_seed(square, (square as f64).sqrt());
    let magnitude = (magnitude << (SINE_BITS - FRACTION_BITS)) as i64;
    half_plane_angle(sine, if cosine < 0 { -magnitude } else { magnitude })
}

/// The raw angle, from 0 to pi, of a point `(x, y)` in any common unit.
fn half_plane_angle(y: u64, x: i64) -> i64 {
    let acute = i128::from(quadrant_angle(y, x.unsigned_abs()));
    round_shift(if x < 0 { PI - acute } else { acute }, UNIT_BITS - FRACTION_BITS)
}

/// The angle of a point `(x, y)` in the first quadrant, in any common unit, with 62 fraction bits; zero for the origin.
///
/// In the lower octant, with `i / 16` near `y / x`, the angle is `atan(i / 16) + atan z` where
/// `z = (16 y - i x) / (16 x + i y)`, whose parts are exact integers. `i` comes from the leading 15 bits of `x`, so `i / 16`
/// is within `1/32 + 2^-13` of `y / x` and `|z| <= 1/31`. The quotient is rounded to 53 fraction bits (`2^-54`, that is
/// `2^-22` ulp); a point scaled down to 55 bits is off by `2^-54` as well, all else by less than `4 u`.
fn quadrant_angle(y: u64, x: u64) -> i64 {
    const POINT_BITS: u32 = 55;
    const INDEX_BITS: u32 = POINT_BITS - 15;
    const TANGENT_BITS: u32 = 53;
    let (low, high) = (y.min(x), y.max(x));
    if high == 0 {
        return 0;
    }
    let spare = 64 - POINT_BITS;
    let zeros = high.leading_zeros();
    let scale = |value: u64| {
        if zeros >= spare { value << (zeros - spare) } else { value >> (spare - zeros) }
    };
    let (low, high) = (scale(low) as i64, scale(high) as i64);
    let (coarse_low, coarse_high) = ((low >> INDEX_BITS) as u32, (high >> INDEX_BITS) as u32);
    let index = (coarse_low * TABLE_STEPS as u32 + coarse_high / 2) / coarse_high;
    let across = TABLE_STEPS * low - i64::from(index) * high;
    let along = (TABLE_STEPS * high + i64::from(index) * low) as u64;

    let above = across.unsigned_abs();
    // Below 2^48 and with a denominator of at most 2^60: always in the seed's safe range.
    let seed = above as f64 * (1_u64 << TANGENT_BITS) as f64 / along as f64;
    let quotient = quotient_from_seed(above << (TANGENT_BITS + 1), along, seed) << (UNIT_BITS - TANGENT_BITS);
    let tangent = if across < 0 { -quotient } else { quotient };
    let series = polynomial(&ARCTANGENT_OVER_TANGENT, multiply(tangent, tangent));
    let angle = ARCTANGENT_TABLE[index as usize] + multiply(tangent, series);
    if y > x { HALF_PI - angle } else { angle }
}
