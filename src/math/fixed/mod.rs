//! Fixed point: 64 bits, 32 of them after the point.
//!
//! Here are the type, its operators and its [`Scalar`]; the algorithms on raw bits have files of their own. None of them
//! may call a float function: results come from integers, where a float appears it is a seed that integers correct.

mod decimal;
pub(in crate::math) mod division;
mod exponential;
mod natural;
mod root;
mod series;
mod trigonometry;
pub(in crate::math) mod turning;
pub(in crate::math) mod vector;

#[cfg(test)]
mod tests;

use std::fmt::{Debug, Display, Formatter};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use fixed::types::I32F32;

use crate::math::dispatch::CompiledOnce;
use crate::math::fixed::division::{divide, divide_wide};
use crate::math::scalar::{Scalar, ScalarKind};

/// Fraction bits of [`Fixed`].
const FRACTION_BITS: u32 = 32;
/// Fraction bits of [`FixedFraction`].
const UNIT_BITS: u32 = 62;
/// One, as raw bits.
const ONE: i64 = 1 << FRACTION_BITS;
/// Minus one, as raw bits.
const MINUS_ONE: i64 = -ONE;

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

impl FixedFraction {
    /// Fraction bits.
    pub(in crate::math) const BITS: u32 = UNIT_BITS;

    /// The raw bits.
    pub(in crate::math) const fn to_raw(self) -> i64 {
        self.0
    }
}

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

/// `sum + a * b / 2^bits` of raw numbers, rounded to nearest, ties to the even number, wrapped to 64 bits; `bits` from 1 to 63.
#[inline(always)]
const fn plus_product(sum: i64, a: i64, b: i64, bits: u32) -> i64 {
    let product = wide(a, b);
    let ties_up = sum.wrapping_add(round_shift(product, bits));
    let is_tie = (product as u64) << (64 - bits) == 1 << 63;
    if is_tie { even(ties_up) } else { ties_up }
}

/// The even number of two that are as near, of which this is the upper one. Not inlined, for ties are so rare that a branch costs least.
#[cold]
#[inline(never)]
const fn even(upper: i64) -> i64 {
    upper & !1
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
        Self::from_raw(divide(self.to_raw(), FRACTION_BITS, other.to_raw()))
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
    // Not the constant of `fixed`, which is rounded down.
    const PI: Self = Self::from_raw(0x3_243f_6a89);
    const MAX: Self = Self::from_raw(i64::MAX);
    const EPSILON: Self = Self::from_raw(1);
    const FRACTION_HALF: FixedFraction = FixedFraction(1 << (UNIT_BITS - 1));

    fn compiled_once<W: CompiledOnce>(input: W::Input<'_, Self>) -> W::Output {
        W::in_fixed(input)
    }

    fn from_i32(value: i32) -> Self {
        Self::from_raw(i64::from(value) << FRACTION_BITS)
    }

    fn from_ratio(numerator: i64, denominator: i64) -> Self {
        Self::from_raw(divide_wide(i128::from(numerator) << FRACTION_BITS, i128::from(denominator)))
    }

    fn from_decimal(text: &str) -> Option<Self> {
        decimal::parse(text).map(Self::from_raw)
    }

    fn scaled_from_decimal(text: &str) -> Option<(Self, i32)> {
        decimal::parse_scaled(text).map(|(mantissa, exponent)| (Self::from_raw(mantissa), exponent))
    }

    fn fraction(numerator: i64, denominator: i64) -> FixedFraction {
        FixedFraction(divide_wide(i128::from(numerator) << UNIT_BITS, i128::from(denominator)))
    }

    #[inline(always)]
    fn mul_fraction(self, fraction: FixedFraction) -> Self {
        Self::from_raw(round_shift(wide(self.to_raw(), fraction.0), UNIT_BITS))
    }

    fn write_decimal(self, text: &mut Vec<u8>) {
        decimal::write_exact(self.to_raw(), text);
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
        Self::from_raw(root::root_of_shifted(self.to_raw().max(0) as u64) as i64)
    }

    fn sin_cos(self) -> (Self, Self) {
        let (sine, cosine) = trigonometry::sin_cos(self.to_raw());
        (Self::from_raw(sine), Self::from_raw(cosine))
    }

    fn atan2(self, x: Self) -> Self {
        Self::from_raw(trigonometry::atan2(self.to_raw(), x.to_raw()))
    }

    fn acos(self) -> Self {
        Self::from_raw(trigonometry::acos(self.to_raw()))
    }

    fn exp(self) -> Self {
        Self::from_raw(exponential::exp(self.to_raw()))
    }

    fn ln(self) -> Self {
        Self::from_raw(exponential::ln(self.to_raw()))
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
        let shift = (FRACTION_BITS as i32).saturating_sub(exponent);
        match shift {
            1..=127 => Self::from_raw(round_shift_unbounded(product, shift.unsigned_abs())),
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
        let mantissa = self.scale_by_power_of_two(-exponent);
        match mantissa.to_raw() {
            ONE => (Self::HALF, exponent + 1),
            MINUS_ONE => (-Self::HALF, exponent + 1),
            _ => (mantissa, exponent),
        }
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

    #[inline(always)]
    fn plus_product(self, a: Self, b: Self) -> Self {
        Self::from_raw(plus_product(self.to_raw(), a.to_raw(), b.to_raw(), FRACTION_BITS))
    }

    #[inline(always)]
    fn sum_in_steps<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        let mut sum = Self::ZERO;
        for index in 0..N {
            sum = sum.plus_product(a[index], b[index]);
        }
        sum
    }

    #[inline(always)]
    fn is_longer2([x, y]: [Self; 2], limit: Self) -> bool {
        let square = |value: Self| wide(value.to_raw(), value.to_raw()).unsigned_abs();
        square(x) + square(y) > square(limit)
    }

    fn length3(v: [Self; 3]) -> Self {
        Self::from_raw(vector::length(v.map(Self::to_raw)))
    }

    #[inline]
    fn normalise3(v: [Self; 3]) -> Option<([Self; 3], Self)> {
        let found = vector::direction_and_length(v.map(Self::to_raw));
        found.map(|(unit, length)| (unit.map(Self::from_raw), Self::from_raw(length)))
    }

    #[inline(always)]
    fn levelled<const N: usize>(vectors: [[Self; 3]; N], exponent: i32) -> [[Self; 3]; N] {
        let bits = FRACTION_BITS as i32 + exponent + 1;
        vector::levelled(vectors.map(|v| v.map(Self::to_raw)), bits).map(|v| v.map(Self::from_raw))
    }

    #[inline]
    fn direction3(v: [Self; 3]) -> Option<[Self; 3]> {
        vector::direction(v.map(Self::to_raw)).map(|unit| unit.map(Self::from_raw))
    }

    #[inline]
    fn normalise4(q: [Self; 4]) -> [Self; 4] {
        let raw = q.map(Self::to_raw);
        let unit = match vector::excess_of_square(raw) {
            Some(excess) => vector::nearly_unit(raw, excess),
            None => vector::direction(raw).unwrap_or([ONE, 0, 0, 0]),
        };
        unit.map(Self::from_raw)
    }

    #[inline(always)]
    fn half_turn(omega: [Self; 3], half_dt: FixedFraction) -> [FixedFraction; 3] {
        omega.map(|component| FixedFraction(round_shift(wide(component.to_raw(), half_dt.0), FRACTION_BITS)))
    }

    fn turned_a_little(q: [Self; 4], omega: [Self; 3], half_dt: FixedFraction, is_kept: bool) -> Option<[Self; 4]> {
        let turned = turning::turned(q.map(Self::to_raw), omega.map(Self::to_raw), half_dt.0)?;
        Some((if is_kept { turning::unit(turned) } else { turned }).map(Self::from_raw))
    }

    fn mul_quaternion_fraction(scalar: FixedFraction, vector: [FixedFraction; 3], q: [Self; 4]) -> [Self; 4] {
        // Differences of exact products: negating a factor of -2 first would wrap.
        let ([w, x, y, z], q) = ([scalar, vector[0], vector[1], vector[2]].map(|part| part.0), q.map(Self::to_raw));
        let difference = |plus: [(i64, i64); 3], minus: (i64, i64)| {
            let sum = plus.into_iter().fold(0_i128, |sum, (a, b)| sum.wrapping_add(wide(a, b)));
            Self::from_raw(round_shift(sum.wrapping_sub(wide(minus.0, minus.1)), UNIT_BITS))
        };
        let dot = wide(x, q[1]).wrapping_add(wide(y, q[2])).wrapping_add(wide(z, q[3]));
        [
            Self::from_raw(round_shift(wide(w, q[0]).wrapping_sub(dot), UNIT_BITS)),
            difference([(w, q[1]), (x, q[0]), (y, q[3])], (z, q[2])),
            difference([(w, q[2]), (y, q[0]), (z, q[1])], (x, q[3])),
            difference([(w, q[3]), (z, q[0]), (x, q[2])], (y, q[1])),
        ]
    }

    fn rotation_fractions(q: [Self; 4]) -> [[FixedFraction; 3]; 3] {
        let [w, x, y, z] = q.map(Self::to_raw);
        let minus_w = w.wrapping_neg();
        let square = |part: i64| wide(part, part);
        let add = |a: i128, b: i128| a.wrapping_add(b);
        let norm = add(add(square(w), square(x)), add(square(y), square(z)));
        // Divided by the square of the length, 1 + e, that is times 1 - e: what e^2 leaves is below any resolution.
        let excess = norm.wrapping_sub(1 << (2 * FRACTION_BITS)) as i64;
        let entry = |sum: i128| {
            let unscaled = round_shift(sum, 2 * FRACTION_BITS - UNIT_BITS);
            FixedFraction(unscaled.wrapping_sub((wide(unscaled, excess) >> (2 * FRACTION_BITS)) as i64))
        };
        let double = |a: i64, b: i64, c: i64, d: i64| entry(add(wide(a, b), wide(c, d)).wrapping_shl(1));
        let diagonal = |plus: i64, first: i64, second: i64| {
            entry(add(square(w), square(plus)).wrapping_sub(add(square(first), square(second))))
        };
        [
            [diagonal(x, y, z), double(x, y, minus_w, z), double(x, z, w, y)],
            [double(x, y, w, z), diagonal(y, z, x), double(y, z, minus_w, x)],
            [double(x, z, minus_w, y), double(y, z, w, x), diagonal(z, x, y)],
        ]
    }

    #[inline(always)]
    fn dot3_fraction(a: [Self; 3], b: [FixedFraction; 3]) -> Self {
        Self::from_raw(round_shift(
            wide(a[0].to_raw(), b[0].0)
                .wrapping_add(wide(a[1].to_raw(), b[1].0))
                .wrapping_add(wide(a[2].to_raw(), b[2].0)),
            UNIT_BITS,
        ))
    }

    fn exponential_map(half_turn: [FixedFraction; 3]) -> (FixedFraction, [FixedFraction; 3]) {
        let (scalar, vector) = trigonometry::exponential_map(half_turn.map(|part| part.0));
        (FixedFraction(scalar), vector.map(FixedFraction))
    }
}

/// A wide value shifted down by 1 to 127 `bits`, rounded to nearest, ties upwards, wrapped to 64 bits: for any value,
/// where [`round_shift`] wants room for the half it adds.
#[inline(always)]
const fn round_shift_unbounded(value: i128, bits: u32) -> i64 {
    (((value >> (bits - 1)) + 1) >> 1) as i64
}

/// The exact sum of four products.
#[inline(always)]
const fn dot4_wide(a: [i64; 4], b: [i64; 4]) -> i128 {
    wide(a[0], b[0]).wrapping_add(wide(a[1], b[1])).wrapping_add(wide(a[2], b[2])).wrapping_add(wide(a[3], b[3]))
}
