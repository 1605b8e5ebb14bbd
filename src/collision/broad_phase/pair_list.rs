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
    /// How many pairs it takes that looking for more is of no use.
    hopeless: u64,
    count: u64,
}

impl<'a> PairList<'a> {
    /// An empty list in place of what `pairs` holds.
    pub(super) fn new(pairs: &'a mut Vec<(u32, u32)>, limit: usize) -> Self {
        pairs.clear();
        let limit = limit as u64;
        let hopeless = limit.saturating_mul(COUNTED_TIMES).max(limit.saturating_add(1));
        Self { pairs, limit, hopeless, count: 0 }
    }

    /// An empty list for a part of the search, where other parts have found so many pairs already: it takes and counts what may
    /// be missing still.
    pub(super) fn part<'b>(&self, pairs: &'b mut Vec<(u32, u32)>, found: u64) -> PairList<'b> {
        pairs.clear();
        let limit = self.limit.saturating_sub(found);
        PairList { pairs, limit, hopeless: self.hopeless.saturating_sub(found), count: 0 }
    }

    /// How many pairs it takes.
    pub(super) const fn limit(&self) -> u64 {
        self.limit
    }

    /// How many pairs were found.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// Adds so many pairs that a part of the search has found; those which it took.
    ///
    /// Together the parts take all pairs where there are not too many, and count as far as one search would.
    pub(super) fn add_part(&mut self, count: u64, pairs: &[(u32, u32)]) {
        let room = usize::try_from(self.limit.saturating_sub(self.count)).unwrap_or(usize::MAX);
        self.pairs.extend(pairs.iter().take(room));
        self.count = self.count.saturating_add(count).min(self.hopeless);
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
        self.count >= self.hopeless
    }

    /// The sorted pairs stay in the list; or none, when there are too many.
    pub(super) fn finish(self) -> Result<(), TooManyPairs> {
        if self.count > self.limit {
            self.pairs.clear();
            return Err(TooManyPairs { count: self.count, is_at_least: self.is_hopeless() });
        }
        // As one number each, which is compared without a branch.
        self.pairs.sort_unstable_by_key(|&(a, b)| u64::from(a) << 32 | u64::from(b));
        Ok(())
    }
}
