//! Random numbers for generators: what is drawn depends on its stream and place alone.

use crate::math::SplitMix64;
use crate::scene::decimal::{Decimal, Exact};

/// Digits after the point of what is drawn.
pub(super) const DRAWN_DIGITS: u32 = 9;
/// Ten to the power of [`DRAWN_DIGITS`].
const UNIT: i64 = 1_000_000_000;

/// A stream of random integers, the same on every machine.
#[derive(Clone, Debug)]
pub(super) struct RandomStream(SplitMix64);

impl RandomStream {
    /// The stream of these words; another word anywhere gives an unrelated stream.
    pub(super) fn new(words: &[u64]) -> Self {
        Self(SplitMix64::of_words(words))
    }

    /// A whole number from `-UNIT` to `UNIT`, each equally likely.
    fn symmetric(&mut self) -> i64 {
        self.0.below(2 * UNIT as u64 + 1) as i64 - UNIT
    }

    /// A number from -1 to 1 with nine digits after the point.
    pub(super) fn signed_unit(&mut self) -> Exact {
        Exact::new(i128::from(self.symmetric()), DRAWN_DIGITS)
    }

    /// A quaternion `(w, x, y, z)` whose direction is uniformly distributed, not normalised: a point of the ball of
    /// radius 1 in four dimensions, outside the ball of radius 1/2, so that reading it loses no precision.
    pub(super) fn quaternion(&mut self) -> [Decimal; 4] {
        let radius_squared = i128::from(UNIT) * i128::from(UNIT);
        loop {
            let point = [(); 4].map(|()| i128::from(self.symmetric()));
            let length_squared: i128 = point.iter().map(|component| component * component).sum();
            if length_squared <= radius_squared && 4 * length_squared >= radius_squared {
                return point.map(|component| Exact::new(component, DRAWN_DIGITS).to_decimal());
            }
        }
    }
}
