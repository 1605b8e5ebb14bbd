//! Few numbers for many measurements.

use serde::{Deserialize, Serialize};

use crate::math::Scalar;

/// A time that was measured several times, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Milliseconds {
    /// The middle one; of an even number of times, half way between the two in the middle.
    pub median: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
}

impl Milliseconds {
    /// What these measurements come to; nothing where there are none.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        let (min, max) = (*values.first()?, *values.last()?);
        let middle = values.len() / 2;
        let above = *values.get(middle)?;
        let below = if values.len().is_multiple_of(2) { *values.get(middle.checked_sub(1)?)? } else { above };
        Some(Self { median: f64::midpoint(below, above), min, max })
    }
}

/// The geometric mean: that of ratios is the same whichever side is the base. Nothing where there are none, or one is
/// not above zero.
#[must_use]
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    if ratios.is_empty() || !ratios.iter().all(|ratio| *ratio > 0.0 && ratio.is_finite()) {
        return None;
    }
    let sum: f64 = ratios.iter().map(|ratio| Scalar::ln(*ratio)).sum();
    #[expect(clippy::cast_precision_loss, reason = "a number of scenes")]
    let count = ratios.len() as f64;
    Some(Scalar::exp(sum / count))
}

#[cfg(test)]
mod tests {
    use super::{Milliseconds, geometric_mean};

    #[test]
    fn medians_and_extremes() {
        assert_eq!(Milliseconds::of(vec![]), None);
        let of = |values: &[f64]| {
            let Milliseconds { median, min, max } = Milliseconds::of(values.to_vec()).expect("values");
            [median, min, max]
        };
        assert_eq!(of(&[2.0]), [2.0; 3]);
        assert_eq!(of(&[3.0, 1.0, 9.0]), [3.0, 1.0, 9.0]);
        assert_eq!(of(&[4.0, 1.0, 9.0, 2.0]), [3.0, 1.0, 9.0]);
    }

    #[test]
    fn the_geometric_mean_of_ratios_and_of_their_inverses_cancel() {
        let mean = geometric_mean(&[0.5, 8.0, 2.0]).expect("a mean");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        let inverse = geometric_mean(&[2.0, 0.125, 0.5]).expect("a mean");
        assert!((mean * inverse - 1.0).abs() < 1e-12, "{inverse}");
        assert_eq!([geometric_mean(&[]), geometric_mean(&[1.0, 0.0]), geometric_mean(&[f64::NAN])], [None; 3]);
    }
}
