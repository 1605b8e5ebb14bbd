//! The one generator of random numbers: the same numbers on every machine.

/// SplitMix64: a counter in steps of the golden ratio, mixed (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", 2014). Good enough for scenes, schedules and tests; no secret is safe with it.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    counter: u64,
}

/// 2^64 over the golden ratio, made odd.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl SplitMix64 {
    /// The numbers of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { counter: seed }
    }

    /// The numbers of a list of words; another word anywhere gives unrelated numbers.
    #[must_use]
    pub fn of_words(words: &[u64]) -> Self {
        let mix = |word: u64| Self::new(word).bits();
        Self::new(words.iter().fold(0, |key, word| mix(key ^ mix(*word))).wrapping_add(STEP))
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(STEP);
        let mixed = (self.counter ^ (self.counter >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number below `limit`, each equally likely; 0 for limit 0.
    pub const fn below(&mut self, limit: u64) -> u64 {
        let Some(surplus) = u64::MAX.checked_rem(limit) else { return 0 };
        loop {
            let drawn = self.bits();
            if drawn < u64::MAX - surplus {
                return drawn % limit;
            }
        }
    }

    /// An index into so many items, each equally likely.
    pub const fn index(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}

#[cfg(test)]
impl SplitMix64 {
    /// A signed number of random size: every number of bits from 0 to 64 is as likely as any other.
    pub(crate) const fn sized(&mut self) -> i64 {
        let bits = self.bits();
        (bits as i64) >> (self.bits() % 64)
    }

    /// A number from `low` to `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use crate::math::SplitMix64;

    /// The first numbers of seed 1234567, as independent implementations publish them.
    #[test]
    fn the_numbers_are_those_of_the_literature() {
        let mut random = SplitMix64::new(1_234_567);
        let numbers = [(); 5].map(|()| random.bits());
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(numbers, published);
    }

    #[test]
    fn limits_hold_and_every_number_below_them_is_drawn() {
        let mut random = SplitMix64::new(1);
        assert_eq!((random.below(0), random.below(1), random.index(0)), (0, 0, 0));
        let mut drawn = [0_u32; 6];
        (0..600).for_each(|_| drawn[random.index(6)] += 1);
        assert!(drawn.iter().all(|count| (50..150).contains(count)), "{drawn:?}");
        // A third of all bits lies above the last whole multiple of this limit.
        let limit = (1 << 63) + (1 << 62);
        assert!((0..100).all(|_| random.below(limit) < limit));
    }

    #[test]
    fn another_word_anywhere_gives_other_numbers() {
        let first = |words: &[u64]| SplitMix64::of_words(words).bits();
        let all = [first(&[]), first(&[0]), first(&[1]), first(&[0, 0]), first(&[0, 1]), first(&[1, 0])];
        assert!((1..all.len()).all(|end| !all[..end].contains(&all[end])), "{all:?}");
    }
}
