//! Elementary functions to 200 bits, from their power series: the oracle for the 62-bit ones.

use std::sync::LazyLock;

use num_bigint::{BigInt, Sign};

/// Fraction bits of every number in here.
pub(super) const BITS: u32 = 200;

/// One.
static ONE: LazyLock<BigInt> = LazyLock::new(|| BigInt::from(1) << BITS);
/// `pi`, by Machin's formula `16 atan(1/5) - 4 atan(1/239)`.
static PI: LazyLock<BigInt> = LazyLock::new(|| {
    let arctangent_of_reciprocal = |n: u32| arctangent_series(&(&*ONE / n));
    16 * arctangent_of_reciprocal(5) - 4 * arctangent_of_reciprocal(239)
});
/// `ln 2 = 2 artanh(1/3)`.
static LN_2: LazyLock<BigInt> = LazyLock::new(|| 2 * hyperbolic_arctangent(&(&*ONE / 3)));

/// A raw number with `bits` fraction bits.
pub(super) fn from_raw(raw: i64, bits: u32) -> BigInt {
    BigInt::from(raw) << (BITS - bits)
}

/// `2^-exponent`.
pub(super) fn power_of_half(exponent: u32) -> BigInt {
    BigInt::from(1) << (BITS - exponent)
}

fn multiply(a: &BigInt, b: &BigInt) -> BigInt {
    (a * b) >> BITS
}

fn divide(a: &BigInt, b: &BigInt) -> BigInt {
    (a << BITS) / b
}

/// The square root of a number that is not negative.
pub(super) fn sqrt(value: &BigInt) -> BigInt {
    (value << BITS).sqrt()
}

/// The sum of `first`, and of each term made from the one before by `next(term, index)`, until they vanish.
fn series(first: BigInt, next: impl Fn(BigInt, u32) -> BigInt) -> BigInt {
    let mut sum = BigInt::ZERO;
    let mut term = first;
    let mut index = 0;
    while term.magnitude().bits() > 1 {
        sum += &term;
        index += 1;
        term = next(term, index);
    }
    sum
}

/// Sine and cosine.
pub(super) fn sin_cos(angle: &BigInt) -> (BigInt, BigInt) {
    let angle = angle % (2 * &*PI);
    let square = multiply(&angle, &angle);
    let taylor = |first: BigInt, offset: u32| {
        series(first, |term, k| -multiply(&term, &square) / ((2 * k + offset - 1) * (2 * k + offset)))
    };
    (taylor(angle.clone(), 1), taylor(ONE.clone(), 0))
}

/// `z - z^3/3 + z^5/5 ...`.
fn arctangent_series(z: &BigInt) -> BigInt {
    odd_series(z, &-multiply(z, z))
}

/// `z + z^3/3 + z^5/5 ...`.
fn hyperbolic_arctangent(z: &BigInt) -> BigInt {
    odd_series(z, &multiply(z, z))
}

/// `z + z q / 3 + z q^2 / 5 ...`.
fn odd_series(z: &BigInt, q: &BigInt) -> BigInt {
    let mut power = z.clone();
    let mut sum = BigInt::ZERO;
    let mut divisor = 1;
    while power.magnitude().bits() > 1 {
        sum += &power / divisor;
        power = multiply(&power, q);
        divisor += 2;
    }
    sum
}

/// The angle of the point `(x, y)` with `y >= 0`, not the origin: from 0 to pi.
///
/// Four times the half-angle formula `tan(a/2) = y / (r + x)`, then the power series.
pub(super) fn half_plane_angle(y: &BigInt, x: &BigInt) -> BigInt {
    if y.sign() == Sign::NoSign {
        return if x.sign() == Sign::Minus { PI.clone() } else { BigInt::ZERO };
    }
    let (mut y, mut x) = (y.clone(), x.clone());
    for _ in 0..4 {
        // Many digits, so that enough are left when the parts of the sum nearly cancel.
        let spare = (2 * u64::from(BITS)).saturating_sub(x.bits().max(y.bits()));
        (x, y) = (x << spare, y << spare);
        x += (&x * &x + &y * &y).sqrt();
    }
    arctangent_series(&divide(&y, &x)) << 4_u32
}

/// The exponential function.
pub(super) fn exp(x: &BigInt) -> BigInt {
    let doublings: BigInt = (x + &*LN_2 / 2_u32) / &*LN_2;
    let rest = x - &doublings * &*LN_2;
    let power = series(ONE.clone(), |term, k| multiply(&term, &rest) / k);
    let doublings = i64::try_from(doublings).unwrap_or(0);
    if doublings >= 0 { power << doublings } else { power >> -doublings }
}

/// The natural logarithm of a positive number.
pub(super) fn ln(x: &BigInt) -> BigInt {
    let exponent = x.bits() as i64 - i64::from(BITS) - 1;
    let mantissa = if exponent >= 0 { x >> exponent } else { x << -exponent };
    let z = divide(&(&mantissa - &*ONE), &(&mantissa + &*ONE));
    2 * hyperbolic_arctangent(&z) + exponent * &*LN_2
}

#[test]
fn the_reference_knows_its_constants() {
    // The first hexadecimal digits of pi and of ln 2 as everyone prints them.
    assert_eq!(PI.clone() >> (BITS - 64), BigInt::from(0x3_243f_6a88_85a3_08d3_u128));
    assert_eq!(LN_2.clone() >> (BITS - 64), BigInt::from(0xb172_17f7_d1cf_79ab_u64));
    let close = |a: &BigInt, b: &BigInt| (a - b).magnitude().bits() < 12;
    let third = &*PI / 3;
    let (sine, cosine) = sin_cos(&third);
    assert!(close(&cosine, &(&*ONE / 2)) && close(&multiply(&sine, &sine), &(&*ONE * 3 / 4)));
    assert!(close(&half_plane_angle(&sine, &-cosine), &(&*PI * 2 / 3)));
    assert!(close(&exp(&ln(&(5 * &*ONE))), &(5 * &*ONE)) && close(&ln(&exp(&-&*ONE)), &-&*ONE));
}
