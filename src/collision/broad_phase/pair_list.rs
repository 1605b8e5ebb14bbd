//! The pairs of a broad phase while they are found.

/// Beyond the limit pairs are counted up to this many times it, so that the count can be told.
const COUNTED_TIMES: u64 = 16;

/// More pairs than are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyPairs {
    /// How many there are.
    pub count: u64,
    /// Whether counting was given up, so that there may be more.
    pub is_at_least: bool,
}

/// A list of pairs that takes no more than a limit; beyond it they are counted for a while.
pub(super) struct PairList<'a> {
    pairs: &'a mut Vec<(u32, u32)>,
    limit: u64,
    count: u64,
}

impl<'a> PairList<'a> {
    /// An empty list in place of what `pairs` holds.
    pub(super) fn new(pairs: &'a mut Vec<(u32, u32)>, limit: usize) -> Self {
        pairs.clear();
        Self { pairs, limit: limit as u64, count: 0 }
    }

    /// Adds a pair, smaller index first, when the filter takes it.
    #[inline]
    pub(super) fn add(&mut self, a: u32, b: u32, accept: &impl Fn(u32, u32) -> bool) {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        if accept(low, high) {
            if self.count < self.limit {
                self.pairs.push((low, high));
            }
            self.count += 1;
        }
    }

    /// Whether looking for more is of no use.
    #[inline]
    pub(super) fn is_hopeless(&self) -> bool {
        self.count > self.limit && self.count >= self.limit.saturating_mul(COUNTED_TIMES)
    }

    /// The sorted pairs stay in the list; or none, when there are too many.
    pub(super) fn finish(self) -> Result<(), TooManyPairs> {
        if self.count > self.limit {
            self.pairs.clear();
            return Err(TooManyPairs { count: self.count, is_at_least: self.is_hopeless() });
        }
        self.pairs.sort_unstable();
        Ok(())
    }
}
