//! What floats add to IEEE 754: ratios rounded once, lengths without underflow, and what becomes of -0 and NaN.

use num_bigint::BigUint;

use crate::math::SplitMix64;
use crate::math::scalar::Scalar;

/// Asserts that a float of `digits` binary digits is the nearest one to `numerator / denominator`, ties to even.
///
/// With the float as `mantissa * 2^exponent`, the mantissa of full width, twice the distance must be less than one unit of
/// the mantissa, or one unit with an even mantissa. Next to a power of two the numbers below lie twice as close.
fn assert_nearest(value: f64, digits: u32, numerator: i64, denominator: i64) {
    let (mantissa, exponent) = libm::frexp(value.abs());
    let mantissa = libm::scalbn(mantissa, digits as i32) as u64;
    let exponent = exponent - digits as i32;
    let (mut above, mut below) = (BigUint::from(numerator.unsigned_abs()), BigUint::from(denominator.unsigned_abs()));
    if exponent >= 0 {
        below <<= exponent;
    } else {
        above <<= -exponent;
    }
    let exact = BigUint::from(mantissa) * &below;
    let (distance, is_below) = if above >= exact { (above - exact, false) } else { (exact - above, true) };
    let unit = if is_below && mantissa == 1 << (digits - 1) { 4_u32 } else { 2 };
    let twice = distance * unit;
    let is_nearest = twice < below || (twice == below && mantissa.is_multiple_of(2));
    assert!(is_nearest, "{numerator} / {denominator} is not {value}");
}

/// A ratio that exceeds the middle of two floats of `digits` binary digits by less than `2^-80` of itself.
///
/// The middle is `m / 2^60` with an odd `m` of one more digit. With a denominator `d` so that `d m = -1` modulo `2^60`,
/// `n = (d m + 1) / 2^60` is whole, and `n / d` exceeds the middle by `1 / (2^60 d)`.
fn just_above_a_tie(random: &mut SplitMix64, digits: u32) -> (i64, i64) {
    let middle = random.bits() >> (63 - digits) | 1 << digits | 1;
    // Newton's iteration doubles the correct bits of the inverse; an odd number is its own to three bits.
    let inverse =
        (0..5).fold(middle, |inverse, _| inverse.wrapping_mul(2_u64.wrapping_sub(middle.wrapping_mul(inverse))));
    let denominator = inverse.wrapping_neg() & ((1 << 60) - 1);
    let numerator = (u128::from(denominator) * u128::from(middle) + 1) >> 60;
    (numerator as i64, denominator as i64)
}

#[test]
fn ratios_are_rounded_once() {
    let mut random = SplitMix64::new(1);
    let mut ratios = vec![
        ((1 << 24) + 1, 1),
        ((1 << 25) + 3, 3),
        ((1 << 53) + 1, 1),
        (i64::MAX, i64::MAX - 1),
        (i64::MIN, 1),
        (i64::MIN, i64::MAX),
        (1, i64::MIN),
        (1, i64::MAX),
        (16_777_217, 1_000_000_007),
    ];
    for _ in 0..100_000 {
        ratios.push((random.sized(), random.sized()));
    }
    ratios.extend((0..10_000).flat_map(|_| [just_above_a_tie(&mut random, 24), just_above_a_tie(&mut random, 53)]));
    for (numerator, denominator) in ratios.into_iter().filter(|&(above, below)| above != 0 && below != 0) {
        let (single, double) = (f32::from_ratio(numerator, denominator), f64::from_ratio(numerator, denominator));
        assert_eq!(single < 0.0, (numerator < 0) != (denominator < 0));
        assert_eq!(double < 0.0, (numerator < 0) != (denominator < 0));
        assert_nearest(f64::from(single), 24, numerator, denominator);
        assert_nearest(double, 53, numerator, denominator);
    }
}

#[test]
fn ratios_without_a_value_follow_ieee() {
    assert_eq!(f32::from_ratio(0, -7).to_bits(), 0);
    assert_eq!(f64::from_ratio(1, 0), f64::INFINITY);
    assert_eq!(f64::from_ratio(-1, 0), f64::NEG_INFINITY);
    assert!(f64::from_ratio(0, 0).is_nan());
}

/// Lengths and directions at one size of components.
fn assert_size<S: Scalar>(size: S) {
    let number = S::from_i32;
    let length = number(13) * size;
    let v = [number(3) * size, number(-4) * size, number(12) * size];
    let error = |a: S, b: S| ((a - b) / b).to_f64().abs();
    // Eight roundings at most: three quotients, two of the sum, the root (halved) and the product.
    let bound = 8.0 * S::EPSILON.to_f64() / 2.0;
    assert!(error(S::length3(v), length) <= bound, "the length of {v:?}");
    let (unit, normal_length) = S::normalise3(v).expect("a direction");
    assert!(error(normal_length, length) <= bound);
    for (component, expected) in unit.into_iter().zip([3, -4, 12]) {
        assert!(error(component, S::from_ratio(expected, 13)) <= bound, "{component} at {size}");
    }
    let q = S::normalise4([size, -size, size, -size]);
    for (component, expected) in q.into_iter().zip([1, -1, 1, -1]) {
        assert!(error(component, S::from_ratio(expected, 2)) <= bound, "{component} at {size}");
    }
}

#[test]
fn tiny_and_huge_vectors_keep_their_length_and_direction() {
    for exponent in (-120..=120).step_by(10) {
        assert_size(1.0_f32.scale_by_power_of_two(exponent));
    }
    for exponent in (-1000..=1000).step_by(100) {
        assert_size(1.0_f64.scale_by_power_of_two(exponent));
    }
}

/// What each operation makes of zeros and of what is not a number.
fn assert_special_values<S: Scalar>(nan: S, infinity: S) {
    let minus_zero = -S::ZERO;
    assert_ne!(minus_zero.to_bits(), S::ZERO.to_bits());
    assert_eq!(minus_zero.canonical().to_bits(), S::ZERO.to_bits());
    assert_eq!(minus_zero.to_ordered(), 0);
    assert_eq!(minus_zero.to_mantissa_exponent().0.to_bits(), S::ZERO.to_bits());
    assert_eq!(minus_zero.atan2(minus_zero).to_bits(), S::ZERO.to_bits());
    assert_eq!(minus_zero.atan2(-S::ONE), S::PI);
    assert_eq!(S::from_decimal("-0").map(S::to_bits), Some(0));
    assert_eq!(S::from_decimal("-1e-5000").map(S::to_bits), Some(0));
    // Comparisons choose `self` when neither is smaller, so the operands' order alone decides between the zeros.
    assert_eq!(S::ZERO.min(minus_zero).to_bits(), 0);
    assert_eq!(minus_zero.min(S::ZERO).to_bits(), minus_zero.to_bits());

    assert!(!nan.is_finite() && !infinity.is_finite() && S::MAX.is_finite());
    for result in
        [nan.sqrt(), nan.acos(), nan.exp(), nan.ln(), (-S::ONE).sqrt(), (-S::ONE).ln(), nan.clamp(S::ZERO, S::ONE)]
    {
        assert!(!result.is_finite());
    }
    for position in 0..4 {
        let mut q = [S::ONE, S::ZERO, S::HALF, S::TWO];
        q[position] = nan;
        assert!(S::normalise4(q).into_iter().any(|part| !part.is_finite()), "a NaN was hidden");
        q[position] = infinity;
        assert!(S::normalise4(q).into_iter().any(|part| !part.is_finite()), "an infinity was hidden");
    }
    assert!(!S::length3([S::ONE, nan, S::ZERO]).is_finite() && !S::length3([infinity, S::ONE, S::ONE]).is_finite());
    assert_eq!(S::length3([S::ZERO; 3]), S::ZERO);
    assert_eq!(S::normalise3([S::ZERO; 3]), None);
    assert_eq!(S::normalise4([S::ZERO; 4]), [S::ONE, S::ZERO, S::ZERO, S::ZERO]);
    assert_eq!(infinity.acos(), S::ZERO);
}

#[test]
fn zeros_and_nan_behave_as_documented() {
    assert_special_values(f32::NAN, f32::INFINITY);
    assert_special_values(f64::NAN, f64::INFINITY);
}

#[test]
fn ordered_integers_grow_by_one_from_number_to_number() {
    let mut numbers = vec![f32::MIN, -1.0, -f32::MIN_POSITIVE, -1e-45, 0.0, 1e-45, f32::MIN_POSITIVE, 1.0, 1.5e10];
    numbers.extend((0..64).map(|k| k as f32 * 0.37 - 9.0));
    for number in numbers {
        let next = number.next_up();
        assert_eq!(Scalar::to_ordered(next) - Scalar::to_ordered(number), 1, "{number}");
    }
    assert_eq!(Scalar::to_ordered(1.0_f64.next_up()) - Scalar::to_ordered(1.0_f64), 1);
    assert_eq!(Scalar::to_ordered(0.0_f64.next_down()), -1);
}

#[test]
fn powers_of_two_reach_every_exponent() {
    assert_eq!(1.0_f64.scale_by_power_of_two(-1074), f64::from_bits(1));
    assert_eq!(f64::from_bits(1).scale_by_power_of_two(1074), 1.0);
    assert_eq!(1.0_f64.scale_by_power_of_two(i32::MIN), 0.0);
    assert_eq!(1.0_f32.scale_by_power_of_two(i32::MAX), f32::INFINITY);
    assert_eq!(1.0_f32.scale_by_power_of_two(-149), f32::from_bits(1));
    assert_eq!(1.5_f32.mul_scaled(0.75, 10), 1152.0);
    assert_eq!(Scalar::to_mantissa_exponent(f64::from_bits(3)), (0.75, -1072));
}

#[test]
fn powers_of_two_are_those_of_the_library() {
    let mut random = SplitMix64::new(7);
    for _ in 0..20_000 {
        let (bits, exponent) = (random.bits(), random.below(2400) as i32 - 1200);
        let (double, single) = (f64::from_bits(bits), f32::from_bits(bits as u32));
        let (found, due) = (double.scale_by_power_of_two(exponent), libm::scalbn(double, exponent));
        assert!(
            found.to_bits() == due.to_bits() || found.is_nan(),
            "{double:e} by 2^{exponent}: {found:e}, not {due:e}"
        );
        let (found, due) = (single.scale_by_power_of_two(exponent), libm::scalbnf(single, exponent));
        assert!(
            found.to_bits() == due.to_bits() || found.is_nan(),
            "{single:e} by 2^{exponent}: {found:e}, not {due:e}"
        );
    }
}
