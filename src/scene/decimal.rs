//! Exact decimal numbers: the text that was written, and integer arithmetic on its value.
//!
//! A [`Decimal`] never passes through a binary float on its way from a scene to a [`Scalar`].

use std::cmp::Ordering;
use std::fmt::{self, Display};
use std::sync::Arc;

use ron::value::RawValue;
use serde::de::Error as DeserializeError;
use serde::ser::Error as SerializeError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::Scalar;

/// Most digits after the point, and most digits in all, that a decimal may need when written without an exponent.
/// Ten to this power is the largest that an `i128` holds.
const MAX_DIGITS: u32 = 38;
/// Longest text of a decimal in bytes.
const MAX_TEXT: usize = 64;

/// A decimal number as it was written, such as `0.1`, `-3` or `1e-3`. Two are equal when their texts are.
#[derive(Clone, PartialEq, Eq)]
pub struct Decimal {
    text: Arc<str>,
}

/// Why a text is not a [`Decimal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecimalError {
    /// `nan` or `inf` in any spelling.
    #[error("`nan` and `inf` are not numbers a scene may have: write a finite decimal number")]
    NotFinite,
    /// Underscores between digits.
    #[error("a number is written without underscores, such as `1000`")]
    Underscore,
    /// Hexadecimal, octal or binary.
    #[error("a number is written in decimal, such as `255` or `0.5`, not in another base")]
    OtherBase,
    /// More digits than are kept exactly.
    #[error("this number has more digits than are kept exactly: at most 38, and at most 38 of them after the point")]
    TooManyDigits,
    /// No number at all.
    #[error("expected a decimal number such as `0.1`, `-3` or `1e-3`")]
    NotANumber,
}

impl Decimal {
    /// Reads a decimal: an optional sign, digits with an optional point, an optional exponent.
    ///
    /// # Errors
    /// When the text is anything else, or needs more than 38 digits or 38 decimal places.
    pub fn new(text: &str) -> Result<Self, DecimalError> {
        Exact::from_text(text).map(|_| Self { text: Arc::from(text) })
    }

    /// The text as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The scalar nearest to this number, ties to even; `None` when its magnitude does not fit the scalar.
    #[must_use]
    pub fn to_scalar<S: Scalar>(&self) -> Option<S> {
        S::from_decimal(&self.text)
    }

    /// The nearest `f64`, for checks of plausibility only.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        self.text.parse().unwrap_or(f64::NAN)
    }

    /// The exact value.
    #[must_use]
    pub fn exact(&self) -> Exact {
        Exact::from_text(&self.text).unwrap_or(Exact::ZERO)
    }
}

impl Default for Decimal {
    fn default() -> Self {
        Self { text: Arc::from("0") }
    }
}

impl Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.text)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_ron(&self.text).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        Self::new(raw.trim().get_ron()).map_err(D::Error::custom)
    }
}

/// The value `coefficient / 10^scale`, for exact sums, products and comparisons.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    coefficient: i128,
    scale: u32,
}

impl Exact {
    /// Zero.
    pub const ZERO: Self = Self { coefficient: 0, scale: 0 };

    /// `coefficient / 10^scale`, in lowest terms.
    #[must_use]
    pub const fn new(coefficient: i128, scale: u32) -> Self {
        let (mut coefficient, mut scale) = (coefficient, scale);
        while scale > 0 && coefficient % 10 == 0 {
            coefficient /= 10;
            scale -= 1;
        }
        Self { coefficient, scale }
    }

    /// The coefficient of the lowest terms, in which the scale is the number of digits after the point.
    #[must_use]
    pub const fn coefficient(self) -> i128 {
        self.coefficient
    }

    /// The number of digits after the point.
    #[must_use]
    pub const fn scale(self) -> u32 {
        self.scale
    }

    /// The sum; `None` when it needs more than 38 digits.
    #[must_use]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let sum = self.at_scale(scale)?.checked_add(other.at_scale(scale)?)?;
        Some(Self::new(sum, scale))
    }

    /// The difference; `None` when it needs more than 38 digits.
    #[must_use]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(Self { coefficient: other.coefficient.checked_neg()?, scale: other.scale })
    }

    /// The product; `None` when it needs more than 38 digits.
    #[must_use]
    pub fn checked_mul(self, other: Self) -> Option<Self> {
        let product = Self::new(self.coefficient.checked_mul(other.coefficient)?, self.scale + other.scale);
        (product.scale <= MAX_DIGITS).then_some(product)
    }

    /// The same number without its sign.
    #[must_use]
    pub const fn abs(self) -> Self {
        Self { coefficient: self.coefficient.saturating_abs(), scale: self.scale }
    }

    /// Whether the number is zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.coefficient == 0
    }

    /// The plain text of the number, without an exponent.
    #[must_use]
    pub fn to_decimal(self) -> Decimal {
        let lowest = Self::new(self.coefficient, self.scale);
        let mut digits = lowest.coefficient.unsigned_abs().to_string();
        let scale = lowest.scale as usize;
        if scale > 0 {
            digits = format!("{digits:0>width$}", width = scale + 1);
            digits.insert(digits.len() - scale, '.');
        }
        let sign = if lowest.coefficient < 0 { "-" } else { "" };
        Decimal { text: Arc::from(format!("{sign}{digits}")) }
    }

    /// The coefficient over `10^scale`; `None` when that is not a whole number or needs more than 38 digits.
    #[must_use]
    pub fn at_scale(self, scale: u32) -> Option<i128> {
        if scale > MAX_DIGITS {
            return None;
        }
        self.coefficient.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }

    /// The whole number nearest to the value times `2^places`, halves away from zero; the value is below 2^40 in magnitude, and
    /// `places` at most 40.
    #[must_use]
    pub fn to_binary(self, places: u32) -> i64 {
        // A denominator of 38 digits fits twice into 128 bits, so that the fraction can be doubled place by place.
        let denominator = 10_u128.pow(self.scale.min(MAX_DIGITS));
        let magnitude = self.coefficient.unsigned_abs();
        let (mut whole, mut rest) = ((magnitude / denominator) as i64, magnitude % denominator);
        for _ in 0..places {
            rest *= 2;
            let carry = rest >= denominator;
            whole = whole.saturating_mul(2).saturating_add(i64::from(carry));
            rest -= if carry { denominator } else { 0 };
        }
        let nearest = whole.saturating_add(i64::from(2 * rest >= denominator));
        if self.coefficient < 0 { -nearest } else { nearest }
    }

    fn from_text(text: &str) -> Result<Self, DecimalError> {
        if text.len() > MAX_TEXT && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)) {
            return Err(DecimalError::TooManyDigits);
        }
        Self::from_short_text(text)
            .map_err(|error| if error == DecimalError::NotANumber { explain(text) } else { error })
    }

    fn from_short_text(text: &str) -> Result<Self, DecimalError> {
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, parse_exponent(exponent)?),
            None => (text, 0),
        };
        let (negative, unsigned) = match mantissa.strip_prefix('-') {
            Some(unsigned) => (true, unsigned),
            None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
        };
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if (whole.is_empty() && fraction.is_empty()) || !is_digits(whole) || !is_digits(fraction) {
            return Err(DecimalError::NotANumber);
        }
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0').trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Self::ZERO);
        }
        let magnitude: i128 = significant.parse().map_err(|_| DecimalError::TooManyDigits)?;
        let trailing_zeros = digits.len() - digits.trim_end_matches('0').len();
        let power = exponent - fraction.len() as i64 + trailing_zeros as i64;
        Self::from_power(if negative { -magnitude } else { magnitude }, power).ok_or(DecimalError::TooManyDigits)
    }

    /// `coefficient * 10^power`, when it has few enough digits.
    fn from_power(coefficient: i128, power: i64) -> Option<Self> {
        if power < 0 {
            let scale = u32::try_from(-power).ok().filter(|scale| *scale <= MAX_DIGITS)?;
            Some(Self::new(coefficient, scale))
        } else {
            let factor = 10_i128.checked_pow(u32::try_from(power).ok()?)?;
            Some(Self { coefficient: coefficient.checked_mul(factor)?, scale: 0 })
        }
    }
}

fn parse_exponent(text: &str) -> Result<i64, DecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(DecimalError::NotANumber);
    }
    text.parse::<i32>().map(i64::from).map_err(|_| DecimalError::TooManyDigits)
}

/// Which of the usual mistakes a text that is not a decimal makes.
fn explain(text: &str) -> DecimalError {
    let lower = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    let starts_with_digit = lower.bytes().next().is_some_and(|byte| byte.is_ascii_digit());
    if ["nan", "inf"].iter().any(|word| lower.starts_with(word)) {
        DecimalError::NotFinite
    } else if ["0x", "0b", "0o"].iter().any(|prefix| lower.starts_with(prefix)) {
        DecimalError::OtherBase
    } else if starts_with_digit && lower.contains('_') {
        DecimalError::Underscore
    } else {
        DecimalError::NotANumber
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.at_scale(scale), other.at_scale(scale)) {
            (Some(a), Some(b)) => a.cmp(&b),
            // A number too large for the common scale is the larger in magnitude; both cannot be, for one has that scale.
            (None, _) => self.coefficient.cmp(&0),
            (_, None) => 0.cmp(&other.coefficient),
        }
    }
}

impl From<i64> for Exact {
    fn from(value: i64) -> Self {
        Self { coefficient: i128::from(value), scale: 0 }
    }
}

impl Display for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.to_decimal().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{Decimal, DecimalError, Exact};

    #[test]
    fn a_decimal_keeps_its_text_and_means_its_value() {
        for (text, coefficient, scale) in [
            ("0", 0, 0),
            ("-0.000", 0, 0),
            ("0.1", 1, 1),
            ("+12.50", 125, 1),
            (".5", 5, 1),
            ("5.", 5, 0),
            ("-1.62e0", -162, 2),
            ("1e-3", 1, 3),
            ("25E2", 2500, 0),
            ("1200e-2", 12, 0),
            ("0e99999", 0, 0),
            ("99999999999999999999999999999999999999", 10_i128.pow(38) - 1, 0),
        ] {
            let decimal = Decimal::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(decimal.as_str(), text);
            assert_eq!((decimal.exact().coefficient(), decimal.exact().scale()), (coefficient, scale), "{text}");
            assert_eq!(decimal.to_scalar::<f64>(), text.parse().ok().map(|value: f64| value + 0.0));
        }
    }

    #[test]
    fn what_is_no_decimal_is_refused_with_its_reason() {
        for (text, reason) in [
            ("nan", DecimalError::NotFinite),
            ("-Inf", DecimalError::NotFinite),
            ("0x1F", DecimalError::OtherBase),
            ("1_0", DecimalError::Underscore),
            ("", DecimalError::NotANumber),
            (".", DecimalError::NotANumber),
            ("1e", DecimalError::NotANumber),
            ("1e5.0", DecimalError::NotANumber),
            ("--1", DecimalError::NotANumber),
            ("1 2", DecimalError::NotANumber),
            ("1e39", DecimalError::TooManyDigits),
            ("1e-39", DecimalError::TooManyDigits),
            ("1e99999999999", DecimalError::TooManyDigits),
            ("1e-99999999999", DecimalError::TooManyDigits),
        ] {
            assert_eq!(Decimal::new(text), Err(reason), "{text}");
        }
        assert_eq!(Decimal::new(&"9".repeat(1 << 20)), Err(DecimalError::TooManyDigits));
    }

    #[test]
    fn a_decimal_is_rounded_to_a_binary_grid() {
        for (text, places, expected) in [
            ("0", 20, 0),
            ("1", 0, 1),
            ("0.5", 0, 1),
            ("-0.5", 0, -1),
            ("0.49999999999999999999999999999999999999", 0, 0),
            ("0.1", 4, 2),
            ("-0.1", 20, -104_858),
            ("10000", 34, 10_000 << 34),
            ("0.00000000000000000000000000000000000001", 40, 0),
            ("0.99999999999999999999999999999999999999", 40, 1 << 40),
        ] {
            let decimal = Decimal::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(decimal.exact().to_binary(places), expected, "{text}");
        }
    }

    #[test]
    fn numbers_of_very_different_scale_keep_their_order() {
        let large = Exact::new(10_i128.pow(37), 0);
        let small = Exact::new(1, 38);
        let negative = Exact::new(-10_i128.pow(37), 0);
        let mut numbers = [large, small, negative];
        numbers.sort();
        assert_eq!(numbers, [negative, small, large]);
        assert!(small.cmp(&negative).is_gt() && large.cmp(&small).is_gt());
    }
}
