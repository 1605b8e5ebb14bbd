//! No operation panics on any bits, in a build that checks arithmetic.

use std::hint::black_box;

use crate::math::SplitMix64;
use crate::math::fixed::tests::sample::{adversarial, sample_count};
use crate::math::fixed::{Fixed, FixedFraction};
use crate::math::scalar::Scalar;
use crate::math::scaled::Scaled;

const EXPONENTS: [i32; 12] = [i32::MIN, -129, -128, -127, -96, -64, -63, 0, 63, 64, 129, i32::MAX];

/// Calls everything that takes numbers.
fn exercise(raw: [i64; 8], exponent: i32) {
    let v = raw.map(Fixed::from_raw);
    let fractions = raw.map(FixedFraction);
    black_box((v[0] + v[1], v[0] - v[1], v[0] * v[1], v[0] / v[1], -v[0], v[0].abs(), v[0].canonical()));
    black_box((v[0].sqrt(), v[0].sin_cos(), v[0].atan2(v[1]), v[0].acos(), v[0].exp(), v[0].ln()));
    black_box((v[0].scale_by_power_of_two(exponent), v[0].mul_scaled(v[1], exponent), v[0].to_mantissa_exponent()));
    black_box((Fixed::from_ratio(raw[0], raw[1]), Fixed::fraction(raw[0], raw[1]), v[0].mul_fraction(fractions[1])));
    black_box((v[0].to_ordered(), v[0].to_bits(), v[0].to_f64(), v[0].clamp(v[1], v[2]), v[0].to_string()));
    let [a, b, c, d, e, f, g, h] = v;
    black_box((
        Fixed::dot2([a, b], [c, d]),
        Fixed::dot3([a, b, c], [d, e, f]),
        Fixed::dot4([a, b, c, d], [e, f, g, h]),
    ));
    black_box((Fixed::length3([a, b, c]), Fixed::normalise3([a, b, c]), Fixed::normalise4([a, b, c, d])));
    let turn = [fractions[4], fractions[5], fractions[6]];
    black_box((Fixed::half_turn([a, b, c], fractions[3]), Fixed::exponential_map(turn)));
    black_box(Fixed::mul_quaternion_fraction(fractions[7], turn, [a, b, c, d]));
    let (p, q) = (Scaled::new(a, exponent), Scaled::new(b, exponent.wrapping_mul(3)));
    black_box((p.mul(q), p.div(q), p.add(q), p.recip(), p.apply(c), p.to_scalar(), p.to_f64(), p.compare(q)));
}

#[test]
fn no_bits_make_any_operation_panic() {
    let mut random = SplitMix64::new(13);
    let special = adversarial();
    for index in 0..sample_count(200_000) {
        let raw = std::array::from_fn(|_| match index % 3 {
            0 => random.sized(),
            1 => special[random.index(special.len())],
            _ => [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX][random.index(6)],
        });
        exercise(raw, EXPONENTS[random.index(12)]);
        exercise(raw, random.bits() as i32 % 140);
    }
}

#[test]
fn powers_of_two_scale_to_nearest_or_wrap() {
    let raw = |value: i64, exponent: i32| Fixed::from_raw(value).scale_by_power_of_two(exponent).to_raw();
    assert_eq!([raw(5, -1), raw(-5, -1), raw(7, -2), raw(5, -2)], [3, -2, 2, 1]);
    assert_eq!([raw(i64::MAX, -63), raw(i64::MIN, -63), raw(i64::MIN, -64), raw(i64::MAX, -64)], [1, -1, 0, 0]);
    assert_eq!([raw(1, 62), raw(1, 63), raw(1, 64), raw(3, 63)], [1 << 62, i64::MIN, 0, i64::MIN]);
    for exponent in [i32::MIN, i32::MIN + 1, i32::MAX] {
        assert_eq!(raw(i64::MIN, exponent), 0);
    }
}

#[test]
fn scaled_products_round_once() {
    let mut random = SplitMix64::new(14);
    for _ in 0..100_000 {
        let (a, b, exponent) = (random.sized(), random.sized(), random.below(300) as i32 - 150);
        let product = Fixed::from_raw(a).mul_scaled(Fixed::from_raw(b), exponent).to_raw();
        // floor(a b 2^(exponent - 32) + 1/2), taken modulo 2^64.
        let shift = 32 - exponent;
        let exact = num_bigint::BigInt::from(a) * b;
        let rounded =
            if shift > 0 { (exact + (num_bigint::BigInt::from(1) << (shift - 1))) >> shift } else { exact << -shift };
        assert_eq!(num_bigint::BigInt::from(product), wrapped(&rounded), "{a} * {b} * 2^{exponent}");
    }
    assert_eq!(Fixed::from_raw(i64::MIN).mul_scaled(Fixed::from_raw(i64::MIN), -95), Fixed::from_raw(1));
    assert_eq!(Fixed::ONE.mul_scaled(Fixed::ONE, i32::MIN), Fixed::ZERO);
}

/// The number modulo 2^64, as a signed one.
fn wrapped(value: &num_bigint::BigInt) -> num_bigint::BigInt {
    let half = num_bigint::BigInt::from(1) << 63_u32;
    let low: num_bigint::BigInt = (value + &half) & num_bigint::BigInt::from(u64::MAX);
    low - half
}

#[test]
fn mantissas_lie_between_a_half_and_one() {
    let mut random = SplitMix64::new(15);
    for raw in adversarial().into_iter().chain((0..100_000).map(|_| random.sized())).filter(|&raw| raw != 0) {
        let value = Fixed::from_raw(raw);
        let (mantissa, exponent) = value.to_mantissa_exponent();
        let magnitude = mantissa.to_raw().unsigned_abs();
        assert!((1 << 31..1 << 32).contains(&magnitude), "{raw} has the mantissa {mantissa}");
        // mantissa * 2^exponent is within half a unit of the mantissa of the number.
        let back = i128::from(mantissa.to_raw()) << (exponent + 32);
        let error = (back - (i128::from(raw) << 32)).unsigned_abs();
        assert!(2 * error <= 1 << (exponent + 32), "{raw} became {mantissa} * 2^{exponent}");
    }
    assert_eq!(Fixed::ZERO.to_mantissa_exponent(), (Fixed::ZERO, 0));
}
