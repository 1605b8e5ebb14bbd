//! Which steps two series tell of, counted as they come by.

/// Which steps two series tell of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTally {
    /// The first and the last step of each.
    pub ranges: [Option<(u32, u32)>; 2],
    /// The first and the last step that both tell of.
    pub common_range: Option<(u32, u32)>,
    /// How many steps both tell of.
    pub common: u64,
    /// How many steps one of them tells of at least.
    pub all: u64,
    /// The last step that both tell of before the first difference.
    pub last_same: Option<u32>,
}

/// A count under way.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) steps: StepTally,
    /// The first step of each since the last one of the other.
    alone_from: [Option<u32>; 2],
}

impl Tally {
    /// Takes down the next step, and who tells of it.
    pub(super) fn add(&mut self, step: u32, in_a: bool, in_b: bool) {
        let extend = |range: &mut Option<(u32, u32)>| *range = Some((range.map_or(step, |(first, _)| first), step));
        self.steps.all += 1;
        if in_a && in_b {
            self.steps.common += 1;
            extend(&mut self.steps.common_range);
        }
        for (side, is_there, other) in [(0, in_a, in_b), (1, in_b, in_a)] {
            if is_there {
                extend(&mut self.steps.ranges[side]);
                self.alone_from[side].get_or_insert(step);
            }
            if other {
                self.alone_from[side] = None;
            }
        }
    }

    /// Nothing has differed up to this step, of which both tell if `is_common`.
    pub(super) fn same(&mut self, step: u32, is_common: bool) {
        if is_common {
            self.steps.last_same = Some(step);
        }
    }

    /// The first step of each behind the end of the other.
    pub(super) fn beyond(&self) -> [Option<u32>; 2] {
        let [a, b] = self.steps.ranges;
        let [of_a, of_b] = self.alone_from;
        // A side that tells nothing at all has no end.
        [of_a.filter(|_| b.is_some()), of_b.filter(|_| a.is_some())]
    }
}
