//! The trait every number of the engine goes through.
//!
//! An engine generic over [`Scalar`] is compiled once per scalar; which one runs is chosen once, at the edge, by
//! [`ScalarKind::dispatch`]. All operations give the same bits on every machine.

use std::fmt::{Debug, Display};
use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

use crate::math::dispatch::CompiledOnce;
use crate::math::lanes::NativeLanes;

/// Which number type a run uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ScalarKind {
    /// 64-bit fixed point with 32 fraction bits, [`Fixed`](crate::math::Fixed).
    Fixed,
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary64.
    F64,
}

impl ScalarKind {
    /// Every kind, in the order in which they are listed to people.
    pub const ALL: [Self; 3] = [Self::Fixed, Self::F32, Self::F64];

    /// The name on the command line, in JSON and in file names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// The kind of that [`name`](Self::name), if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl Display for ScalarKind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.name())
    }
}

/// A number of the engine.
///
/// Fixed point wraps on overflow (the world checks its bounds every substep) and rounds every result to nearest;
/// floats follow IEEE 754 with rounding to nearest even. Sums of products are separate operations because fixed point
/// adds the exact products and rounds once, while floats round in the written order.
pub trait Scalar:
    Copy
    + Debug
    + Display
    + Default
    + PartialEq
    + PartialOrd
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + NativeLanes
{
    /// A factor of magnitude below 2, such as `dt` in seconds, held with 62 fraction bits where the scalar is fixed point.
    type Fraction: Copy + Debug + Default + PartialEq + Send + Sync + 'static;

    /// Which scalar this is.
    const KIND: ScalarKind;
    /// Bytes of one number in the canonical encoding.
    const BYTES: usize;
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// One half.
    const HALF: Self;
    /// Two.
    const TWO: Self;
    /// The ratio of a circle's circumference to its diameter, rounded to nearest.
    const PI: Self;
    /// The largest finite number.
    const MAX: Self;
    /// The distance from one to the next larger number.
    const EPSILON: Self;
    /// One half as a fraction.
    const FRACTION_HALF: Self::Fraction;

    /// Does some work with the code that this crate has for this scalar.
    fn compiled_once<W: CompiledOnce>(input: W::Input<'_, Self>) -> W::Output;

    /// The whole number `value`.
    fn from_i32(value: i32) -> Self;

    /// `numerator / denominator`, rounded to nearest. The denominator is not zero.
    fn from_ratio(numerator: i64, denominator: i64) -> Self;

    /// The number nearest to a decimal text such as `-12.5e-3`, ties to even; `None` when the text is not a decimal
    /// number or its magnitude does not fit.
    fn from_decimal(text: &str) -> Option<Self>;

    /// A decimal text as a mantissa of magnitude in [1/2, 1) and a binary exponent, so that a small number keeps all digits
    /// the scalar has; `(0, 0)` for zero and for what is too small. Rounded half to even; `None` when the text is not a decimal
    /// number or its magnitude is too large: for a float one that does not fit, for fixed point `10^400`.
    fn scaled_from_decimal(text: &str) -> Option<(Self, i32)>;

    /// `numerator / denominator` with a magnitude below 2, rounded to nearest. The denominator is positive.
    fn fraction(numerator: i64, denominator: i64) -> Self::Fraction;

    /// The product with a fraction, rounded to nearest.
    fn mul_fraction(self, fraction: Self::Fraction) -> Self;

    /// The nearest `f64`, for reports only.
    fn to_f64(self) -> f64;

    /// Appends the number as a decimal: every digit of it in fixed point, for floats the shortest decimal that reads back as
    /// the same number.
    fn write_decimal(self, text: &mut Vec<u8>);

    /// The bits, zero-extended: what the canonical encoding writes, [`BYTES`](Self::BYTES) of them.
    fn to_bits(self) -> u64;

    /// The number of these bits.
    fn from_bits(bits: u64) -> Self;

    /// An integer that grows by one from each number to the next larger one (both zeros of a float are one number).
    fn to_ordered(self) -> i64;

    /// The number of this [`to_ordered`](Self::to_ordered); not a number beyond the ends of a float.
    fn from_ordered(ordered: i64) -> Self;

    /// Whether this is a number at all (not infinite, not NaN). Fixed point always is.
    fn is_finite(self) -> bool;

    /// The same number with one bit pattern only: -0 becomes +0.
    #[must_use]
    fn canonical(self) -> Self {
        self + Self::ZERO
    }

    /// The square root, correctly rounded; zero of a negative fixed-point number, NaN of a negative float.
    #[must_use]
    fn sqrt(self) -> Self;

    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);

    /// The angle in radians of the point `(x, y)`, from -pi to pi; `self` is `y`. Zero for the origin.
    #[must_use]
    fn atan2(self, x: Self) -> Self;

    /// The angle in radians, from 0 to pi, whose cosine this is. Arguments beyond +-1 count as +-1.
    #[must_use]
    fn acos(self) -> Self;

    /// The exponential function. Saturates where fixed point ends.
    #[must_use]
    fn exp(self) -> Self;

    /// The natural logarithm. The smallest fixed-point number for arguments that are not positive; IEEE results for floats.
    #[must_use]
    fn ln(self) -> Self;

    /// `self * 2^exponent`, rounded to nearest in fixed point.
    #[must_use]
    fn scale_by_power_of_two(self, exponent: i32) -> Self;

    /// `self * mantissa * 2^exponent`, rounded once in fixed point.
    #[must_use]
    fn mul_scaled(self, mantissa: Self, exponent: i32) -> Self;

    /// A mantissa of magnitude in [1/2, 1) and an exponent, so that `self = mantissa * 2^exponent`; `(0, 0)` for zero.
    /// In fixed point the mantissa is rounded to its 32 bits, so numbers of magnitude above one lose their last digits.
    fn to_mantissa_exponent(self) -> (Self, i32);

    /// Vectors times a power of two common to all, so that sums of products of them keep their digits: in fixed point the one that brings
    /// the largest component into `[2^exponent, 2^(exponent + 1))`, rounded to nearest. Floats keep theirs at any size.
    #[inline(always)]
    #[must_use]
    fn levelled<const N: usize>(vectors: [[Self; 3]; N], _exponent: i32) -> [[Self; 3]; N] {
        vectors
    }

    /// `a[0] * b[0] + a[1] * b[1]`.
    fn dot2(a: [Self; 2], b: [Self; 2]) -> Self;

    /// `a[0] * b[0] + a[1] * b[1] + a[2] * b[2]`.
    fn dot3(a: [Self; 3], b: [Self; 3]) -> Self;

    /// `a[0] * b[0] + ... + a[3] * b[3]`.
    fn dot4(a: [Self; 4], b: [Self; 4]) -> Self;

    /// `self + a * b`; in fixed point rounded once, to nearest and between two numbers to the even one.
    #[inline(always)]
    #[must_use]
    fn plus_product(self, a: Self, b: Self) -> Self {
        self + a * b
    }

    /// The sum of the products of `a` and `b`, rounded after each as [`plus_product`](Self::plus_product) does: in fixed point quicker
    /// in lanes, and a little less exact, than rounded once.
    #[inline(always)]
    fn sum_in_steps<const N: usize>(a: [Self; N], b: [Self; N]) -> Self {
        let mut sum = a[0] * b[0];
        for index in 1..N {
            sum += a[index] * b[index];
        }
        sum
    }

    /// The length of a vector, without losing small ones to underflow of the squares.
    fn length3(v: [Self; 3]) -> Self;

    /// The vector scaled to length one, and its length; `None` for a zero vector.
    fn normalise3(v: [Self; 3]) -> Option<([Self; 3], Self)>;

    /// The vector scaled to length one, as [`normalise3`](Self::normalise3) has it.
    #[inline]
    fn direction3(v: [Self; 3]) -> Option<[Self; 3]> {
        Self::normalise3(v).map(|(unit, _)| unit)
    }

    /// Whether a vector is longer than a limit of zero or more, by their squares.
    fn is_longer2(v: [Self; 2], limit: Self) -> bool;

    /// The quaternion scaled to length one; the identity `(1, 0, 0, 0)` for zero.
    fn normalise4(q: [Self; 4]) -> [Self; 4];

    /// Half the angle turned at angular velocity `omega` (rad/s) during a step whose half is `half_dt`, as fractions.
    fn half_turn(omega: [Self; 3], half_dt: Self::Fraction) -> [Self::Fraction; 3];

    /// The orientation `q` turned by little at angular velocity `omega` (world frame, rad/s) for a step whose half is `half_dt`, in steps that
    /// lanes can take as well; of length one to rounding, and brought to it if it `is_kept`. `None` where it turns by more, and for
    /// floats, which need no steps of their own.
    #[inline(always)]
    #[must_use]
    fn turned_a_little(_: [Self; 4], _: [Self; 3], _: Self::Fraction, _is_kept: bool) -> Option<[Self; 4]> {
        None
    }

    /// The quaternion product `(scalar, vector) * q` with a left factor given as fractions, not normalised.
    fn mul_quaternion_fraction(scalar: Self::Fraction, vector: [Self::Fraction; 3], q: [Self; 4]) -> [Self; 4];

    /// The rotation matrix of a quaternion of length one but for rounding, by rows. As fractions its entries are not rounded to
    /// the resolution of fixed point, and the quaternion's own rounding changes no length.
    fn rotation_fractions(q: [Self; 4]) -> [[Self::Fraction; 3]; 3];

    /// `a[0] * b[0] + a[1] * b[1] + a[2] * b[2]` with a vector of fractions.
    fn dot3_fraction(a: [Self; 3], b: [Self::Fraction; 3]) -> Self;

    /// For a half turn `h` of length `l`: `(cos l, sin l / l * h)`, the vector part of the exponential map.
    fn exponential_map(half_turn: [Self::Fraction; 3]) -> (Self::Fraction, [Self::Fraction; 3]);

    /// The magnitude.
    #[must_use]
    fn abs(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }

    /// The smaller of two numbers; `self` when they are equal.
    #[must_use]
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// The larger of two numbers; `self` when they are equal.
    #[must_use]
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }

    /// The nearest number from `low` to `high`.
    #[must_use]
    fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }
}
