//! Fixed point: 64 bits, 32 of them after the point.

use std::fmt::{Debug, Display, Formatter};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use fixed::types::I32F32;

use crate::math::scalar::{Scalar, ScalarKind};

/// Fraction bits of [`Fixed`].
const FRACTION_BITS: u32 = 32;
/// Fraction bits of [`FixedFraction`].
const UNIT_BITS: u32 = 62;
/// One, as raw bits.
const ONE: i64 = 1 << FRACTION_BITS;

/// A number from -2^31 to 2^31 with a resolution of 2^-32 (2.3e-10).
///
/// Sums and products wrap; the world's bounds check turns an escaped body into an error before that can happen.
/// The operators work on the raw bits because that is several times faster than the wrapped type's own
/// for sums of products, roots and quotients.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd)]
pub struct Fixed(I32F32);

/// A factor of magnitude below 2 with 62 fraction bits: `dt` and `omega dt / 2` lose no accuracy in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedFraction(i64);

impl Fixed {
    /// The number of these raw bits: `raw / 2^32`.
    #[inline(always)]
    #[must_use]
    pub const fn from_raw(raw: i64) -> Self {
        Self(I32F32::from_bits(raw))
    }

    /// The raw bits: the number times 2^32.
    #[inline(always)]
    #[must_use]
    pub const fn to_raw(self) -> i64 {
        self.0.to_bits()
    }
}

/// The exact product of two raw numbers.
#[inline(always)]
const fn wide(a: i64, b: i64) -> i128 {
    a as i128 * b as i128
}

/// A wide value shifted down by `bits` (at least one), rounded to nearest, ties upwards, wrapped to 64 bits.
#[inline(always)]
const fn round_shift(value: i128, bits: u32) -> i64 {
    (value.wrapping_add(1 << (bits - 1)) >> bits) as i64
}

/// `numerator / denominator` rounded to nearest, halves away from zero, saturated; a zero divisor counts as infinitely small.
fn divide_wide(numerator: i128, denominator: i128) -> i64 {
    if denominator == 0 {
        return match numerator.signum() {
            0 => 0,
            1 => i64::MAX,
            _ => i64::MIN,
        };
    }
    let quotient = numerator.unsigned_abs() / denominator.unsigned_abs();
    let remainder = numerator.unsigned_abs() % denominator.unsigned_abs();
    let rounded = quotient + u128::from(remainder >= denominator.unsigned_abs() - remainder);
    let magnitude = rounded.min(1 << 100) as i128;
    let signed = if (numerator < 0) == (denominator < 0) { magnitude } else { -magnitude };
    signed.clamp(i64::MIN as i128, i64::MAX as i128) as i64
}

/// The square root rounded to nearest.
fn sqrt_wide(value: u128) -> u128 {
    let floor = value.isqrt();
    floor + u128::from(value - floor * floor > floor)
}

impl Add for Fixed {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self::from_raw(self.to_raw().wrapping_add(other.to_raw()))
    }
}

impl Sub for Fixed {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self::from_raw(self.to_raw().wrapping_sub(other.to_raw()))
    }
}

impl Mul for Fixed {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::from_raw(round_shift(wide(self.to_raw(), other.to_raw()), FRACTION_BITS))
    }
}

impl Div for Fixed {
    type Output = Self;
    /// The quotient rounded to nearest; saturates, also for a zero divisor.
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self::from_raw(divide_wide(i128::from(self.to_raw()) << FRACTION_BITS, i128::from(other.to_raw())))
    }
}

impl Neg for Fixed {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::from_raw(self.to_raw().wrapping_neg())
    }
}

impl AddAssign for Fixed {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Fixed {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl MulAssign for Fixed {
    #[inline(always)]
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

impl Display for Fixed {
    /// The shortest decimal that reads back as the same number, or with the precision asked for.
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.0, formatter)
    }
}

impl Debug for Fixed {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        Display::fmt(&self.0, formatter)
    }
}

impl Scalar for Fixed {
    type Fraction = FixedFraction;

    const KIND: ScalarKind = ScalarKind::Fixed;
    const BYTES: usize = 8;
    const ZERO: Self = Self::from_raw(0);
    const ONE: Self = Self::from_raw(ONE);
    const HALF: Self = Self::from_raw(ONE / 2);
    const TWO: Self = Self::from_raw(2 * ONE);
    const PI: Self = Self(I32F32::PI);
    const MAX: Self = Self::from_raw(i64::MAX);
    const EPSILON: Self = Self::from_raw(1);

    fn from_i32(value: i32) -> Self {
        Self::from_raw(i64::from(value) << FRACTION_BITS)
    }

    fn from_ratio(numerator: i64, denominator: i64) -> Self {
        Self::from_raw(divide_wide(i128::from(numerator) << FRACTION_BITS, i128::from(denominator)))
    }

    fn from_decimal(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    fn fraction(numerator: i64, denominator: i64) -> FixedFraction {
        FixedFraction(divide_wide(i128::from(numerator) << UNIT_BITS, i128::from(denominator)))
    }

    #[inline(always)]
    fn mul_fraction(self, fraction: FixedFraction) -> Self {
        Self::from_raw(round_shift(wide(self.to_raw(), fraction.0), UNIT_BITS))
    }

    fn to_f64(self) -> f64 {
        self.to_raw() as f64 / ONE as f64
    }

    #[inline(always)]
    fn to_bits(self) -> u64 {
        self.to_raw() as u64
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        Self::from_raw(bits as i64)
    }

    fn to_ordered(self) -> i64 {
        self.to_raw()
    }

    fn from_ordered(ordered: i64) -> Self {
        Self::from_raw(ordered)
    }

    fn is_finite(self) -> bool {
        true
    }

    #[inline(always)]
    fn canonical(self) -> Self {
        self
    }

    fn sqrt(self) -> Self {
        let raw = self.to_raw().max(0) as u128;
        Self::from_raw(sqrt_wide(raw << FRACTION_BITS) as i64)
    }

    fn sin_cos(self) -> (Self, Self) {
        let angle = self.to_f64();
        (Self(I32F32::saturating_from_num(libm::sin(angle))), Self(I32F32::saturating_from_num(libm::cos(angle))))
    }

    fn atan2(self, x: Self) -> Self {
        Self(I32F32::saturating_from_num(libm::atan2(self.to_f64(), x.to_f64())))
    }

    fn acos(self) -> Self {
        Self(I32F32::saturating_from_num(libm::acos(self.clamp(-Self::ONE, Self::ONE).to_f64())))
    }

    fn exp(self) -> Self {
        Self(I32F32::saturating_from_num(libm::exp(self.to_f64())))
    }

    fn ln(self) -> Self {
        if self <= Self::ZERO {
            return Self::from_raw(i64::MIN);
        }
        Self(I32F32::saturating_from_num(libm::log(self.to_f64())))
    }

    #[inline(always)]
    fn scale_by_power_of_two(self, exponent: i32) -> Self {
        let raw = self.to_raw();
        match exponent {
            0 => self,
            1..=63 => Self::from_raw(raw << exponent),
            -63..=-1 => Self::from_raw(round_shift(i128::from(raw), exponent.unsigned_abs())),
            _ => Self::ZERO,
        }
    }

    #[inline(always)]
    fn mul_scaled(self, mantissa: Self, exponent: i32) -> Self {
        let product = wide(self.to_raw(), mantissa.to_raw());
        let shift = FRACTION_BITS as i32 - exponent;
        match shift {
            1..=126 => Self::from_raw(round_shift(product, shift.unsigned_abs())),
            -63..=0 => Self::from_raw((product << shift.unsigned_abs()) as i64),
            _ => Self::ZERO,
        }
    }

    fn to_mantissa_exponent(self) -> (Self, i32) {
        let raw = self.to_raw();
        if raw == 0 {
            return (Self::ZERO, 0);
        }
        let exponent = FRACTION_BITS as i32 - raw.unsigned_abs().leading_zeros() as i32;
        (self.scale_by_power_of_two(-exponent), exponent)
    }

    #[inline(always)]
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
        Self::from_raw(round_shift(
            wide(a[0].to_raw(), b[0].to_raw()).wrapping_add(wide(a[1].to_raw(), b[1].to_raw())),
            FRACTION_BITS,
        ))
    }

    #[inline(always)]
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
        Self::from_raw(round_shift(
            wide(a[0].to_raw(), b[0].to_raw())
                .wrapping_add(wide(a[1].to_raw(), b[1].to_raw()))
                .wrapping_add(wide(a[2].to_raw(), b[2].to_raw())),
            FRACTION_BITS,
        ))
    }

    #[inline(always)]
    fn dot4(a: [Self; 4], b: [Self; 4]) -> Self {
        Self::from_raw(round_shift(dot4_wide(a.map(Self::to_raw), b.map(Self::to_raw)), FRACTION_BITS))
    }

    fn length3(v: [Self; 3]) -> Self {
        let squares = v.map(|component| {
            let magnitude = u128::from(component.to_raw().unsigned_abs());
            magnitude * magnitude
        });
        Self::from_raw(sqrt_wide(squares[0] + squares[1] + squares[2]).min(i64::MAX as u128) as i64)
    }

    fn normalise3(v: [Self; 3]) -> Option<([Self; 3], Self)> {
        let length = Self::length3(v);
        if length == Self::ZERO {
            return None;
        }
        // Small vectors are scaled up first: their length keeps too few digits to divide by.
        let largest = v.map(|component| component.to_raw().unsigned_abs()).into_iter().max().unwrap_or(0);
        let shift = largest.leading_zeros().saturating_sub(3);
        let scaled = v.map(|component| Self::from_raw(component.to_raw() << shift));
        let scaled_length = Self::length3(scaled);
        Some((scaled.map(|component| component / scaled_length), length))
    }

    fn normalise4(q: [Self; 4]) -> [Self; 4] {
        let raw = q.map(Self::to_raw);
        let length = sqrt_wide(dot4_wide(raw, raw).max(0) as u128) as i64;
        if length == 0 {
            return [Self::ONE, Self::ZERO, Self::ZERO, Self::ZERO];
        }
        q.map(|component| component / Self::from_raw(length))
    }

    #[inline(always)]
    fn half_turn(omega: [Self; 3], half_dt: FixedFraction) -> [FixedFraction; 3] {
        omega.map(|component| FixedFraction(round_shift(wide(component.to_raw(), half_dt.0), FRACTION_BITS)))
    }

    fn mul_quaternion_fraction(scalar: FixedFraction, vector: [FixedFraction; 3], q: [Self; 4]) -> [Self; 4] {
        let (w, [x, y, z]) = (scalar.0, vector.map(|component| component.0));
        let q = q.map(Self::to_raw);
        let row = |left: [i64; 4], right: [i64; 4]| Self::from_raw(round_shift(dot4_wide(left, right), UNIT_BITS));
        [
            row([w, -x, -y, -z], [q[0], q[1], q[2], q[3]]),
            row([w, x, y, -z], [q[1], q[0], q[3], q[2]]),
            row([w, y, z, -x], [q[2], q[0], q[1], q[3]]),
            row([w, z, x, -y], [q[3], q[0], q[2], q[1]]),
        ]
    }

    fn exponential_map(half_turn: [FixedFraction; 3]) -> (FixedFraction, [FixedFraction; 3]) {
        let turn = half_turn.map(|component| component.0 as f64 / (1_u64 << UNIT_BITS) as f64);
        let length = (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]).sqrt();
        let sinc = if length == 0.0 { 1.0 } else { libm::sin(length) / length };
        let unit = |value: f64| FixedFraction((value * (1_u64 << UNIT_BITS) as f64) as i64);
        (unit(libm::cos(length)), turn.map(|component| unit(component * sinc)))
    }
}

/// The exact sum of four products.
#[inline(always)]
const fn dot4_wide(a: [i64; 4], b: [i64; 4]) -> i128 {
    wide(a[0], b[0]).wrapping_add(wide(a[1], b[1])).wrapping_add(wide(a[2], b[2])).wrapping_add(wide(a[3], b[3]))
}
