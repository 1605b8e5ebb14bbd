//! A number with a binary exponent of its own.

use std::cmp::Ordering;

use crate::math::scalar::Scalar;

/// `mantissa * 2^exponent`: a positive quantity, such as an inverse mass, with the scalar's full precision at any size.
///
/// The mantissa lies in [1/2, 1), or is zero with exponent zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scaled<S> {
    /// From one half to one.
    pub mantissa: S,
    /// The power of two.
    pub exponent: i32,
}

#[expect(
    clippy::should_implement_trait,
    reason = "named calls, so that this slower arithmetic stands out where rows are prepared"
)]
impl<S: Scalar> Scaled<S> {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: S::ZERO, exponent: 0 };

    /// `value * 2^exponent`, normalised.
    #[must_use]
    pub fn new(value: S, exponent: i32) -> Self {
        let (mantissa, shift) = value.to_mantissa_exponent();
        if mantissa == S::ZERO { Self::ZERO } else { Self { mantissa, exponent: exponent.saturating_add(shift) } }
    }

    /// The number nearest to a decimal text, at the scalar's full precision: see [`Scalar::scaled_from_decimal`].
    #[must_use]
    pub fn from_decimal(text: &str) -> Option<Self> {
        S::scaled_from_decimal(text).map(|(mantissa, exponent)| Self { mantissa, exponent })
    }

    /// The number nearest to an `f64`, at the scalar's full precision; zero for what is not finite.
    #[must_use]
    pub fn from_f64(value: f64) -> Self {
        const BITS: i32 = 53;
        if !value.is_finite() {
            return Self::ZERO;
        }
        let (mantissa, exponent) = libm::frexp(value);
        Self::new(S::from_ratio(libm::scalbn(mantissa, BITS) as i64, 1 << BITS), exponent)
    }

    /// Whether this is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.mantissa == S::ZERO
    }

    /// One divided by this number; zero for zero.
    #[must_use]
    pub fn recip(self) -> Self {
        if self.is_zero() { Self::ZERO } else { Self::new(S::ONE / self.mantissa, self.exponent.saturating_neg()) }
    }

    /// The product of two.
    #[must_use]
    pub fn mul(self, other: Self) -> Self {
        // Twice the product, in [1/2, 2): rounding a product below one half would lose a bit of the mantissa.
        let double = self.mantissa.mul_scaled(other.mantissa, 1);
        Self::new(double, self.exponent.saturating_add(other.exponent).saturating_sub(1))
    }

    /// The quotient of two; zero when the divisor is zero.
    #[must_use]
    pub fn div(self, other: Self) -> Self {
        if other.is_zero() {
            Self::ZERO
        } else {
            Self::new(self.mantissa / other.mantissa, self.exponent.saturating_sub(other.exponent))
        }
    }

    /// The sum of two.
    #[must_use]
    pub fn add(self, other: Self) -> Self {
        if self.is_zero() {
            return other;
        }
        if other.is_zero() {
            return self;
        }
        let exponent = self.exponent.max(other.exponent);
        Self::new(self.mantissa_at(exponent) + other.mantissa_at(exponent), exponent)
    }

    /// The mantissa of the same number written with another, not smaller, exponent.
    #[inline(always)]
    #[must_use]
    pub fn mantissa_at(self, exponent: i32) -> S {
        self.mantissa.scale_by_power_of_two(self.exponent.saturating_sub(exponent))
    }

    /// The product with a plain scalar, as a plain scalar. In fixed point a result beyond its range wraps.
    #[inline(always)]
    #[must_use]
    pub fn apply(self, value: S) -> S {
        value.mul_scaled(self.mantissa, self.exponent)
    }

    /// The number as a plain scalar. In fixed point small ones lose digits.
    #[must_use]
    pub fn to_scalar(self) -> S {
        self.mantissa.scale_by_power_of_two(self.exponent)
    }

    /// The nearest `f64`, for reports only.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        libm::scalbn(self.mantissa.to_f64(), self.exponent)
    }

    /// The order of two non-negative numbers.
    #[must_use]
    pub fn compare(self, other: Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .exponent
                .cmp(&other.exponent)
                .then(self.mantissa.partial_cmp(&other.mantissa).unwrap_or(Ordering::Equal)),
        }
    }
}
