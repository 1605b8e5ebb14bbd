//! Which numbers an axis spans, and where on it a number stands.

use crate::report::chart::{Axis, AxisKind};

/// The part of the span that is left free at each end.
const MARGIN: f64 = 0.04;
/// Spans below this part of the numbers are rounding: they are shown as constant.
const ROUNDING: f64 = 1e-13;

/// The ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether equal ratios take equal room.
    pub is_log: bool,
}

impl Scale {
    /// The axis on which these numbers stand; those that are not finite, or have no logarithm, do not count.
    pub fn of(numbers: impl Iterator<Item = f64>, axis: &Axis) -> Self {
        let is_log = axis.is_log;
        let shown = numbers.filter(|number| number.is_finite() && (!is_log || *number > 0.0));
        let ends = shown.fold(None, |ends: Option<(f64, f64)>, number| {
            Some(ends.map_or((number, number), |(low, high)| (libm::fmin(low, number), libm::fmax(high, number))))
        });
        match (ends, &axis.kind) {
            (_, AxisKind::Names(names)) => {
                #[expect(clippy::cast_precision_loss, reason = "a handful of names")]
                let high = names.len().max(1) as f64 - 0.5;
                Self { low: -0.5, high, is_log: false }
            }
            (None, _) if is_log => Self { low: 1.0, high: 10.0, is_log },
            (None, _) => Self { low: 0.0, high: 1.0, is_log },
            (Some((low, high)), _) if is_log => Self::logarithmic(low, high),
            (Some((low, high)), _) => Self::linear(low, high),
        }
    }

    /// As [`of`](Self::of), without room at the ends: lines over time begin and end at the frame.
    pub fn tight(numbers: &(impl Iterator<Item = f64> + Clone), axis: &Axis) -> Self {
        let scale = Self::of(numbers.clone(), axis);
        let shown = || numbers.clone().filter(|number| number.is_finite() && (!scale.is_log || *number > 0.0));
        let (low, high) = (shown().fold(f64::INFINITY, libm::fmin), shown().fold(f64::NEG_INFINITY, libm::fmax));
        if low < high { Self { low, high, ..scale } } else { scale }
    }

    fn linear(low: f64, high: f64) -> Self {
        let size = libm::fmax(low.abs(), high.abs());
        let span = high / 2.0 - low / 2.0; // half of it: the whole may be beyond the largest number
        let ends = |low: f64, high: f64| Self {
            low: libm::fmax(low, -f64::MAX),
            high: libm::fmin(high, f64::MAX),
            is_log: false,
        };
        if span <= size * ROUNDING {
            let room = if size == 0.0 { 1.0 } else { size * 0.05 };
            return ends(low - room, high + room);
        }
        // Zero is shown where it is near, and nothing below it where nothing is.
        let margin = span * (2.0 * MARGIN);
        let near_zero = |end: f64| end.abs() <= 0.5 * span;
        let padded_low = if low >= 0.0 && near_zero(low) { 0.0 } else { low - margin };
        let padded_high = if high <= 0.0 && near_zero(high) { 0.0 } else { high + margin };
        ends(padded_low, padded_high)
    }

    fn logarithmic(low: f64, high: f64) -> Self {
        let margin = libm::fmax((libm::log10(high) - libm::log10(low)) * MARGIN, 0.02);
        let ends = [libm::log10(low) - margin, libm::log10(high) + margin].map(|power| libm::pow(10.0, power));
        Self { low: libm::fmax(ends[0], f64::MIN_POSITIVE), high: libm::fmin(ends[1], f64::MAX), is_log: true }
    }

    /// Where a number stands: 0 at the lower end, 1 at the upper.
    pub fn place(&self, number: f64) -> f64 {
        if self.is_log {
            let [low, high, number] = [self.low, self.high, number].map(libm::log10);
            return (number - low) / (high - low);
        }
        (number / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Scale;
    use crate::report::chart::Axis;

    fn scale(numbers: &[f64], is_log: bool) -> Scale {
        Scale::of(numbers.iter().copied(), &Axis::real("a", "").logarithmic(is_log))
    }

    #[test]
    fn every_number_stands_within_whatever_the_numbers_are() {
        let lists: [&[f64]; 7] = [
            &[3.0, 5.0],
            &[0.0, 0.0],
            &[-7.0],
            &[1e300, -1e300],
            &[f64::MAX, -f64::MAX],
            &[1e-300, 2e-300],
            &[1.0, 1.0 + 1e-15],
        ];
        for numbers in lists {
            let scale = scale(numbers, false);
            assert!(scale.low.is_finite() && scale.high.is_finite() && scale.low < scale.high, "{scale:?}");
            for number in numbers {
                assert!((0.0..=1.0).contains(&scale.place(*number)), "{numbers:?} {scale:?}");
            }
        }
        for numbers in [&[1e-5, 1e5][..], &[3.0], &[f64::MAX, f64::MIN_POSITIVE]] {
            let scale = scale(numbers, true);
            assert!(numbers.iter().all(|number| (0.0..=1.0).contains(&scale.place(*number))), "{scale:?}");
        }
    }

    #[test]
    fn what_has_no_place_does_not_move_the_ends() {
        assert_eq!(scale(&[1.0, f64::NAN, f64::INFINITY, 2.0], false), scale(&[1.0, 2.0], false));
        assert_eq!(scale(&[1.0, 0.0, -5.0, 2.0], true), scale(&[1.0, 2.0], true));
        assert_eq!(scale(&[], false), Scale { low: 0.0, high: 1.0, is_log: false });
    }

    #[test]
    fn zero_is_shown_where_it_is_near() {
        assert_eq!(scale(&[1.0, 9.0], false).low, 0.0);
        assert!(scale(&[8.0, 9.0], false).low > 7.0);
        assert_eq!(scale(&[-9.0, -1.0], false).high, 0.0);
    }
}
