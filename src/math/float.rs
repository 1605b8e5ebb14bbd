//! `f32` and `f64` as [`Scalar`]: `+ - * / sqrt` of the hardware, everything else from the version-pinned `libm`.
//!
//! `std`'s transcendental functions differ between targets, so none of them may appear here.

pub(super) mod series;

use crate::math::dispatch::CompiledOnce;
use crate::math::scalar::{Scalar, ScalarKind};

/// Sums of squares from here on have lost nothing that counts to underflow: 2^23 times the smallest normal number.
const SAFE_SQUARE_F32: f32 = f32::MIN_POSITIVE / f32::EPSILON;
/// The same for `f64`.
const SAFE_SQUARE_F64: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// What lanes of floats have to know of a float to measure vectors as it does.
pub trait Float: Scalar {
    /// Sums of squares from here on have lost nothing that counts to underflow.
    const SAFE_SQUARE: Self;
}

impl Float for f32 {
    const SAFE_SQUARE: Self = SAFE_SQUARE_F32;
}

impl Float for f64 {
    const SAFE_SQUARE: Self = SAFE_SQUARE_F64;
}

/// The largest magnitude among the components that are numbers.
fn largest_magnitude<S: Scalar, const N: usize>(v: [S; N]) -> S {
    v.into_iter().fold(S::ZERO, |largest, component| largest.max(component.abs()))
}

/// Implements [`Scalar`] for one float type; the two differ in nothing but their widths and `libm` names.
macro_rules! float_scalar {
    ($float:ident, $in_float:ident, $bits:ident, $signed:ident, $kind:expr, $sin:ident, $cos:ident, $atan2:ident, $acos:ident, $exp:ident, $log:ident, $scalbn:ident, $frexp:ident, $safe_square:expr) => {
        impl Scalar for $float {
            type Fraction = Self;

            const KIND: ScalarKind = $kind;
            const BYTES: usize = size_of::<Self>();
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;
            const TWO: Self = 2.0;
            const PI: Self = std::$float::consts::PI;
            const MAX: Self = Self::MAX;
            const EPSILON: Self = Self::EPSILON;
            const FRACTION_HALF: Self = 0.5;

            fn compiled_once<W: CompiledOnce>(input: W::Input<'_, Self>) -> W::Output {
                W::$in_float(input)
            }

            fn from_i32(value: i32) -> Self {
                value as Self
            }

            fn from_ratio(numerator: i64, denominator: i64) -> Self {
                if denominator == 0 {
                    return numerator as Self / 0.0;
                }
                let (quotient, exponent) = wide_quotient(numerator.unsigned_abs(), denominator.unsigned_abs());
                let magnitude = libm::$scalbn(quotient as Self, exponent);
                let ratio = if (numerator < 0) == (denominator < 0) { magnitude } else { -magnitude };
                ratio.canonical()
            }

            fn from_decimal(text: &str) -> Option<Self> {
                let is_decimal =
                    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
                let value: Self = if is_decimal { text.parse().ok()? } else { return None };
                value.is_finite().then(|| value.canonical())
            }

            fn scaled_from_decimal(text: &str) -> Option<(Self, i32)> {
                Self::from_decimal(text).map(Self::to_mantissa_exponent)
            }

            fn fraction(numerator: i64, denominator: i64) -> Self {
                Self::from_ratio(numerator, denominator)
            }

            #[inline(always)]
            fn mul_fraction(self, fraction: Self) -> Self {
                self * fraction
            }

            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            fn write_decimal(self, text: &mut Vec<u8>) {
                text.extend_from_slice(zmij::Buffer::new().format(self).as_bytes());
            }

            #[inline(always)]
            fn to_bits(self) -> u64 {
                u64::from(Self::to_bits(self))
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                Self::from_bits(bits as $bits)
            }

            fn to_ordered(self) -> i64 {
                let bits = Self::to_bits(self) as $signed;
                let magnitude = i64::from(bits & $signed::MAX);
                if bits < 0 { -magnitude } else { magnitude }
            }

            fn from_ordered(ordered: i64) -> Self {
                let magnitude = Self::from_bits(ordered.unsigned_abs() as $bits);
                if ordered < 0 { -magnitude } else { magnitude }
            }

            #[inline]
            fn is_finite(self) -> bool {
                Self::is_finite(self)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                Self::sqrt(self)
            }

            fn sin_cos(self) -> (Self, Self) {
                (libm::$sin(self), libm::$cos(self))
            }

            fn atan2(self, x: Self) -> Self {
                libm::$atan2(self.canonical(), x.canonical())
            }

            fn acos(self) -> Self {
                libm::$acos(Scalar::clamp(self, -1.0, 1.0))
            }

            fn exp(self) -> Self {
                libm::$exp(self)
            }

            fn ln(self) -> Self {
                libm::$log(self)
            }

            #[inline(always)]
            fn scale_by_power_of_two(self, exponent: i32) -> Self {
                // One product by a power of two, which is rounded as `scalbn` is, where that power is a normal number.
                let biased = exponent.saturating_add(Self::MAX_EXP - 1);
                if biased > 0 && biased < 2 * Self::MAX_EXP - 1 {
                    self * Self::from_bits((biased as $bits) << (Self::MANTISSA_DIGITS - 1))
                } else {
                    libm::$scalbn(self, exponent)
                }
            }

            fn mul_scaled(self, mantissa: Self, exponent: i32) -> Self {
                libm::$scalbn(self * mantissa, exponent)
            }

            fn to_mantissa_exponent(self) -> (Self, i32) {
                if self == 0.0 { (0.0, 0) } else { libm::$frexp(self) }
            }

            #[inline(always)]
            fn dot2(a: [Self; 2], b: [Self; 2]) -> Self {
                a[0] * b[0] + a[1] * b[1]
            }

            #[inline(always)]
            fn dot3(a: [Self; 3], b: [Self; 3]) -> Self {
                a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
            }

            #[inline(always)]
            fn dot4(a: [Self; 4], b: [Self; 4]) -> Self {
                a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
            }

            #[inline(always)]
            fn is_longer2([x, y]: [Self; 2], limit: Self) -> bool {
                x * x + y * y > limit * limit
            }

            #[inline]
            fn length3(v: [Self; 3]) -> Self {
                let square = Self::dot3(v, v);
                if square >= $safe_square && square.is_finite() {
                    return square.sqrt();
                }
                // The squares under- or overflow, or there is nothing to measure.
                Self::normalise3(v).map_or(square.sqrt(), |(_, length)| length)
            }

            #[inline]
            fn normalise3(v: [Self; 3]) -> Option<([Self; 3], Self)> {
                let square = Self::dot3(v, v);
                if square >= $safe_square && square.is_finite() {
                    let length = square.sqrt();
                    return Some((v.map(|component| component / length), length));
                }
                // Scaling by the largest component first keeps tiny and huge vectors from losing their squares.
                let largest = largest_magnitude(v);
                if !(largest > 0.0 && largest.is_finite()) {
                    return None;
                }
                let scaled = v.map(|component| component / largest);
                let length = Self::dot3(scaled, scaled).sqrt();
                Some((scaled.map(|component| component / length), length * largest))
            }

            #[inline]
            fn normalise4(q: [Self; 4]) -> [Self; 4] {
                let square = Self::dot4(q, q);
                if square >= $safe_square && square.is_finite() {
                    let length = square.sqrt();
                    return q.map(|component| component / length);
                }
                let largest = largest_magnitude(q);
                if largest == 0.0 {
                    return [1.0, 0.0, 0.0, 0.0];
                }
                let scaled = q.map(|component| component / largest);
                let length = Self::dot4(scaled, scaled).sqrt();
                scaled.map(|component| component / length)
            }

            #[inline]
            fn half_turn(omega: [Self; 3], half_dt: Self) -> [Self; 3] {
                omega.map(|component| component * half_dt)
            }

            #[inline]
            fn mul_quaternion_fraction(scalar: Self, vector: [Self; 3], q: [Self; 4]) -> [Self; 4] {
                let [x, y, z] = vector;
                [
                    Self::dot4([scalar, -x, -y, -z], [q[0], q[1], q[2], q[3]]),
                    Self::dot4([scalar, x, y, -z], [q[1], q[0], q[3], q[2]]),
                    Self::dot4([scalar, y, z, -x], [q[2], q[0], q[1], q[3]]),
                    Self::dot4([scalar, z, x, -y], [q[3], q[0], q[2], q[1]]),
                ]
            }

            #[inline]
            fn rotation_fractions([w, x, y, z]: [Self; 4]) -> [[Self; 3]; 3] {
                let scale = 2.0 / Self::dot4([w, x, y, z], [w, x, y, z]);
                let double = |a: [Self; 2], b: [Self; 2]| Self::dot2(a, b) * scale;
                [
                    [1.0 - double([y, z], [y, z]), double([x, -w], [y, z]), double([x, w], [z, y])],
                    [double([x, w], [y, z]), 1.0 - double([x, z], [x, z]), double([y, -w], [z, x])],
                    [double([x, -w], [z, y]), double([y, w], [z, x]), 1.0 - double([x, y], [x, y])],
                ]
            }

            #[inline(always)]
            fn dot3_fraction(a: [Self; 3], b: [Self; 3]) -> Self {
                Self::dot3(a, b)
            }

            #[inline]
            fn exponential_map(half_turn: [Self; 3]) -> (Self, [Self; 3]) {
                let square = Self::dot3(half_turn, half_turn);
                if square < series::limit::<Self>() {
                    let ratio = series::sum::<Self>(square, series::SINE_OVER_ANGLE);
                    return (series::sum::<Self>(square, series::COSINE), half_turn.map(|component| component * ratio));
                }
                match Self::normalise3(half_turn) {
                    None => (1.0, [0.0; 3]),
                    Some((axis, length)) => {
                        let (sine, cosine) = Scalar::sin_cos(length);
                        (cosine, axis.map(|component| component * sine))
                    }
                }
            }
        }
    };
}

/// `numerator / denominator` as `quotient * 2^exponent`, for a denominator that is not zero.
///
/// The quotient is zero or has at least 63 bits, and its lowest bit is set when the division leaves a remainder. So it
/// lies on the same side of every number of up to 61 bits as the ratio itself does, and converting it to a float, the only
/// rounding, gives the float nearest to the ratio.
fn wide_quotient(numerator: u64, denominator: u64) -> (u128, i32) {
    let shift = numerator.leading_zeros() + 62;
    let scaled = u128::from(numerator) << shift;
    let divisor = u128::from(denominator);
    let has_remainder = !scaled.is_multiple_of(divisor);
    ((scaled / divisor) | u128::from(has_remainder), -(shift as i32))
}

float_scalar!(
    f32,
    in_f32,
    u32,
    i32,
    ScalarKind::F32,
    sinf,
    cosf,
    atan2f,
    acosf,
    expf,
    logf,
    scalbnf,
    frexpf,
    SAFE_SQUARE_F32
);
float_scalar!(f64, in_f64, u64, i64, ScalarKind::F64, sin, cos, atan2, acos, exp, log, scalbn, frexp, SAFE_SQUARE_F64);

#[cfg(test)]
mod tests;
