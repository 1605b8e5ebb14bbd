//! The length of a step as an exact fraction of a second.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::de::Error as DeserializeError;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::scene::decimal::Decimal;

/// The length of a step in seconds: an exact positive fraction, at most one second, in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeStep {
    numerator: u32,
    denominator: u32,
}

/// Why a text is not a [`TimeStep`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeStepError {
    /// Neither a fraction nor a decimal.
    #[error("expected seconds in quotes, as a fraction such as \"1/60\" or a decimal such as \"0.01\"")]
    NotAFraction,
    /// Zero or less.
    #[error("a step must be longer than zero seconds")]
    NotPositive,
    /// More than a second.
    #[error("a step may be at most one second long")]
    TooLong,
    /// Too many digits.
    #[error("numerator and denominator must fit 32 bits: write a fraction with fewer digits, such as \"1/60\"")]
    TooPrecise,
}

impl TimeStep {
    /// A sixtieth of a second.
    pub const SIXTIETH: Self = Self { numerator: 1, denominator: 60 };

    /// The fraction `numerator / denominator` seconds.
    ///
    /// # Errors
    /// When it is not positive, longer than a second, or needs more than 32 bits in lowest terms.
    pub fn new(numerator: i128, denominator: i128) -> Result<Self, TimeStepError> {
        if denominator == 0 {
            return Err(TimeStepError::NotAFraction);
        }
        if numerator == 0 || (numerator < 0) != (denominator < 0) {
            return Err(TimeStepError::NotPositive);
        }
        let (numerator, denominator) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        if numerator > denominator {
            return Err(TimeStepError::TooLong);
        }
        let divisor = greatest_common_divisor(numerator, denominator);
        let narrow = |value: u128| u32::try_from(value / divisor).map_err(|_| TimeStepError::TooPrecise);
        Ok(Self { numerator: narrow(numerator)?, denominator: narrow(denominator)? })
    }

    /// The numerator of the lowest terms; positive.
    #[must_use]
    pub fn numerator(self) -> i64 {
        i64::from(self.numerator)
    }

    /// The denominator of the lowest terms; positive.
    #[must_use]
    pub fn denominator(self) -> i64 {
        i64::from(self.denominator)
    }
}

fn greatest_common_divisor(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Default for TimeStep {
    fn default() -> Self {
        Self::SIXTIETH
    }
}

impl FromStr for TimeStep {
    type Err = TimeStepError;

    fn from_str(text: &str) -> Result<Self, TimeStepError> {
        let integer = |part: &str| part.trim().parse::<i64>().map(i128::from).map_err(|_| TimeStepError::NotAFraction);
        if let Some((numerator, denominator)) = text.split_once('/') {
            return Self::new(integer(numerator)?, integer(denominator)?);
        }
        let exact = Decimal::new(text.trim()).map_err(|_| TimeStepError::NotAFraction)?.exact();
        let denominator = 10_i128.checked_pow(exact.scale()).ok_or(TimeStepError::TooPrecise)?;
        Self::new(exact.coefficient(), denominator)
    }
}

/// The canonical text: the fraction in lowest terms, such as `1/60`.
impl Display for TimeStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!("{}/{}", self.numerator, self.denominator))
    }
}

impl Serialize for TimeStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeStep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{TimeStep, TimeStepError};

    #[test]
    fn a_time_step_is_a_fraction_in_lowest_terms() {
        for (text, canonical) in [
            ("1/60", "1/60"),
            ("2/120", "1/60"),
            (" 1 / 60 ", "1/60"),
            ("-1/-60", "1/60"),
            ("0.01", "1/100"),
            ("1e-3", "1/1000"),
            ("0.0166", "83/5000"),
            ("1", "1/1"),
        ] {
            assert_eq!(text.parse::<TimeStep>().map(|step| step.to_string()), Ok(canonical.to_owned()), "{text}");
            assert_eq!(canonical.parse::<TimeStep>(), text.parse());
        }
    }

    #[test]
    fn other_time_steps_are_refused() {
        for (text, reason) in [
            ("0", TimeStepError::NotPositive),
            ("-0.5", TimeStepError::NotPositive),
            ("1/-60", TimeStepError::NotPositive),
            ("61/60", TimeStepError::TooLong),
            ("1/4294967296", TimeStepError::TooPrecise),
            ("0.01666666666666", TimeStepError::TooPrecise),
            ("1/60/2", TimeStepError::NotAFraction),
            ("1/0", TimeStepError::NotAFraction),
            ("nan", TimeStepError::NotAFraction),
        ] {
            assert_eq!(text.parse::<TimeStep>(), Err(reason), "{text}");
        }
    }
}
