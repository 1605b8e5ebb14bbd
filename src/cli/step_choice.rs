//! Steps as people write them: one, a range, an open end, the last.

use std::ops::RangeInclusive;

use crate::analysis::show::ShowError;

/// The steps that are meant, and whether they are a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepChoice {
    first: StepName,
    last: StepName,
    /// Whether it was written as a range, be it of one step.
    pub is_range: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepName {
    Last,
    Number(u32),
}

impl StepName {
    fn number(self, last: u32) -> u32 {
        match self {
            Self::Last => last,
            Self::Number(number) => number,
        }
    }
}

const EXPECTED_STEPS: &str = "expected a step number or `last`, or a range of them such as `10..20` or `100..last`";

impl StepChoice {
    /// Every step.
    pub const ALL: Self = Self { first: StepName::Number(0), last: StepName::Last, is_range: true };

    /// The last step.
    pub const LAST: Self = Self { first: StepName::Last, last: StepName::Last, is_range: false };

    /// Reads `60`, `10..20` with both ends, `100..`, `..5`; `last` is the last step.
    pub fn parse(text: &str) -> Result<Self, String> {
        let name = |text: &str, open: StepName| match text.trim() {
            "" => Ok(open),
            "last" => Ok(StepName::Last),
            number => number.parse().map(StepName::Number).map_err(|_| EXPECTED_STEPS.to_owned()),
        };
        let Some((first, last)) = text.split_once("..") else {
            let step = if text.is_empty() { Err(EXPECTED_STEPS.to_owned()) } else { name(text, StepName::Last) }?;
            return Ok(Self { first: step, last: step, is_range: false });
        };
        let last = last.strip_prefix('=').unwrap_or(last);
        let choice =
            Self { first: name(first, StepName::Number(0))?, last: name(last, StepName::Last)?, is_range: true };
        match (choice.first, choice.last) {
            (StepName::Number(first), StepName::Number(last)) if first > last => {
                Err(format!("step {first} comes after step {last}: the smaller goes first"))
            }
            (StepName::Last, StepName::Number(_)) => Err(EXPECTED_STEPS.to_owned()),
            _ => Ok(choice),
        }
    }

    /// The steps of a replay that ends with `end`; of a damaged one those of the range that are there.
    pub fn within(self, end: u32, is_damaged: bool) -> Result<RangeInclusive<u32>, ShowError> {
        let (first, last) = (self.first.number(end), self.last.number(end));
        let last = if is_damaged && self.is_range && first <= end { last.min(end) } else { last };
        match [first, last].into_iter().find(|step| *step > end) {
            Some(step) => Err(ShowError::NoSuchStep { step, last: end }),
            None => Ok(first..=last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StepChoice, StepName};

    #[test]
    fn steps_are_a_number_or_a_range_with_open_ends() {
        let number = StepName::Number;
        for (text, first, last, is_range) in [
            ("7", number(7), number(7), false),
            ("last", StepName::Last, StepName::Last, false),
            ("3..5", number(3), number(5), true),
            ("3..=5", number(3), number(5), true),
            ("3..last", number(3), StepName::Last, true),
            ("3..", number(3), StepName::Last, true),
            ("..5", number(0), number(5), true),
            ("..", number(0), StepName::Last, true),
        ] {
            assert_eq!(StepChoice::parse(text), Ok(StepChoice { first, last, is_range }), "{text}");
        }
        for text in ["", "-1", "first", "5..3", "1...2", "1e3", "a..b", "last..5", "4294967296"] {
            assert!(StepChoice::parse(text).is_err(), "{text}");
        }
    }
}
