//! What is made simpler in the text of a scene, whatever it is: keys go back to their defaults, lists and maps lose
//! entries, numbers lose digits. A text that is not a scene any more is not tested.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::analysis::minimize::Search;
use crate::analysis::minimize::ddmin::ddmin;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::document::NodeKind;
use crate::scene::model::Scene;
use crate::scene::parse::read_canonical;
use crate::scene::short::{Part, replaced, without};

/// Keys that are no part of what is made smaller: what the scene is, or what other reductions decide.
const FIXED_PLACES: [&str; 8] =
    ["version", "name", "scalar", "steps", "bodies.*", "bodies.*.kind", "groups.*", "inputs.*"];

/// A number in a text.
struct Number {
    span: Range<usize>,
    value: Exact,
}

impl Search<'_> {
    /// Takes keys back to their defaults, and entries out of lists and maps.
    pub(super) fn fewer_keys(&mut self) -> Option<()> {
        let text = self.best.scene.to_canonical_ron();
        let is_item = |part: &Part| part.can_go && !FIXED_PLACES.contains(&part.place.as_str());
        let spans = self.defaults.written_parts(&text).into_iter().filter(is_item).map(|part| part.span);
        let spans: Vec<Range<usize>> = spans.collect();
        ddmin(&spans, &mut |kept| {
            let kept: BTreeSet<usize> = kept.iter().map(|span| span.start).collect();
            let gone: Vec<Range<usize>> = spans.iter().filter(|span| !kept.contains(&span.start)).cloned().collect();
            self.shows_text(&without(&text, &gone))
        });
        self.unless_ended()
    }

    /// Makes numbers zero, or one, or writes them with fewer digits.
    pub(super) fn simpler_numbers(&mut self) -> Option<()> {
        self.more_zeros()?;
        let text = self.best.scene.to_canonical_ron();
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        for number in self.numbers(&text) {
            if let Some(simpler) = self.simplest(&text, &changes, &number)? {
                changes.push((number.span, simpler));
            }
        }
        Some(())
    }

    fn more_zeros(&mut self) -> Option<()> {
        let text = self.best.scene.to_canonical_ron();
        let numbers = self.numbers(&text).into_iter().filter(|number| !number.value.is_zero());
        let spans: Vec<Range<usize>> = numbers.map(|number| number.span).collect();
        ddmin(&spans, &mut |kept| {
            let kept: BTreeSet<usize> = kept.iter().map(|span| span.start).collect();
            let gone = spans.iter().filter(|span| !kept.contains(&span.start));
            let zeros = gone.map(|span| (span.clone(), "0".to_owned()));
            self.shows_text(&replaced(&text, &zeros.collect::<Vec<_>>()))
        });
        self.unless_ended()
    }

    /// The numbers of a text that are not at their defaults.
    fn numbers(&mut self, text: &str) -> Vec<Number> {
        let parts = self.defaults.written_parts(text).into_iter();
        let is_number = |part: &Part| part.kind == NodeKind::Leaf && !FIXED_PLACES.contains(&part.place.as_str());
        let read = |part: Part| {
            let decimal = Decimal::new(text.get(part.value.clone())?).ok()?;
            Some(Number { span: part.value, value: decimal.exact() })
        };
        parts.filter(is_number).filter_map(read).collect()
    }

    /// The simplest text for a number with which the scene still shows it; `None` inside when there is none simpler.
    fn simplest(&mut self, text: &str, changes: &[(Range<usize>, String)], number: &Number) -> Option<Option<String>> {
        let shows = |search: &mut Self, simpler: &str| {
            let change = (number.span.clone(), simpler.to_owned());
            search.shows_text(&replaced(text, &[changes, &[change]].concat()))
        };
        let value = number.value;
        // No number is simpler than one of a single digit, except for zero, which has been tried.
        if digits(value) < 2 {
            return Some(None);
        }
        let one = Exact::new(value.coefficient().signum(), 0).to_decimal();
        if shows(self, one.as_str())? {
            return Some(Some(one.as_str().to_owned()));
        }
        // The fewest digits that do, by halving: with more digits a number is nearer to what it was.
        let (mut too_few, mut enough, mut best) = (0, digits(value), None);
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            let rounded = rounded(value, middle).to_decimal();
            if shows(self, rounded.as_str())? {
                (enough, best) = (middle, Some(rounded.as_str().to_owned()));
            } else {
                too_few = middle;
            }
        }
        Some(best)
    }

    /// Tests the scene of a text, with the steps that the best has.
    fn shows_text(&mut self, text: &str) -> Option<bool> {
        match read_canonical(text) {
            None => Some(false),
            Some(scene) => self.shows_from_here(Scene { steps: self.best.scene.steps, ..scene }),
        }
    }
}

/// How many digits a number has, without zeros in front and behind.
fn digits(value: Exact) -> u32 {
    let all = value.coefficient().unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
    let zeros = (1..all).take_while(|zeros| value.coefficient() % 10_i128.pow(*zeros) == 0);
    all - u32::try_from(zeros.count()).unwrap_or(0)
}

/// The number rounded to so many digits, halves away from zero; as it is where it has no more.
fn rounded(value: Exact, keep: u32) -> Exact {
    let all = value.coefficient().unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
    let surplus = all.saturating_sub(keep);
    let Some(unit) = 10_i128.checked_pow(surplus) else { return value };
    let coefficient = value.coefficient();
    let half = unit / 2 * coefficient.signum();
    let whole = coefficient.saturating_add(half) / unit;
    match value.scale().checked_sub(surplus) {
        Some(scale) => Exact::new(whole, scale),
        None => Exact::new(whole.saturating_mul(unit), value.scale()),
    }
}

#[cfg(test)]
mod tests {
    use super::{digits, rounded};
    use crate::scene::decimal::Decimal;

    #[test]
    fn numbers_are_rounded_to_digits() {
        let exact = |text: &str| Decimal::new(text).map(|decimal| decimal.exact()).unwrap_or_else(|e| panic!("{e}"));
        for (text, keep, expected) in [
            ("0.123456", 2, "0.12"),
            ("0.155", 2, "0.16"),
            ("-0.155", 2, "-0.16"),
            ("1234", 1, "1000"),
            ("12.5", 1, "10"),
            ("99.6", 2, "100"),
            ("0.00996", 2, "0.01"),
            ("7", 3, "7"),
        ] {
            assert_eq!(rounded(exact(text), keep).to_decimal().as_str(), expected, "{text}");
        }
        assert_eq!([digits(exact("0")), digits(exact("0.0102")), digits(exact("1200"))], [1, 3, 2]);
    }
}
