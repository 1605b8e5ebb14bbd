//! Random integers for generators: counter based, so that a number depends on its stream and place alone.

use crate::scene::decimal::{Decimal, Exact};

/// Digits after the point of what is drawn.
pub(super) const DRAWN_DIGITS: u32 = 9;
/// Ten to the power of [`DRAWN_DIGITS`].
const UNIT: i64 = 1_000_000_000;

/// A stream of random integers, the same on every machine.
///
/// The mixing function is SplitMix64 of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
#[derive(Clone, Debug)]
pub(super) struct RandomStream {
    key: u64,
    counter: u64,
}

impl RandomStream {
    /// The stream of these words; another word anywhere gives an unrelated stream.
    pub(super) fn new(words: &[u64]) -> Self {
        Self { key: words.iter().fold(0, |key, word| mix(key ^ mix(*word))), counter: 0 }
    }

    fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        mix(self.key.wrapping_add(self.counter.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// A whole number from `-UNIT` to `UNIT`, each equally likely.
    fn symmetric(&mut self) -> i64 {
        let count = 2 * UNIT as u64 + 1;
        let limit = u64::MAX - u64::MAX % count;
        loop {
            let drawn = self.next();
            if drawn < limit {
                return (drawn % count) as i64 - UNIT;
            }
        }
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

fn mix(word: u64) -> u64 {
    let mut word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
