//! Whether one condition gives the same run each time.

/// How runs of one condition were made that ought to be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// One after the other in this process.
    InProcess,
    /// Each in a process of its own.
    AcrossProcesses,
    /// Each in a process of its own, and only some of many differ.
    AfterManyRestarts,
}

impl How {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InProcess => "in_process",
            Self::AcrossProcesses => "across_processes",
            Self::AfterManyRestarts => "after_many_restarts",
        }
    }
}

/// A run that differs from the first run of the same condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferingRun {
    /// Its number: the first run is 1.
    pub run: u32,
    /// The first step in which it differs.
    pub step: u32,
}

/// A condition that was run again, with nothing changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The condition.
    pub condition: String,
    /// How its runs were made.
    pub how: How,
    /// How many runs were made, the first one included.
    pub runs: u32,
    /// Those that differ from the first, in the order in which they were made; none where the condition repeats.
    pub differing: Vec<DifferingRun>,
}

impl Repetition {
    /// A condition that has been run once.
    #[must_use]
    pub fn of(condition: impl Into<String>, how: How) -> Self {
        Self { condition: condition.into(), how, runs: 1, differing: Vec::new() }
    }

    /// Counts another run, which differs from the first in this step, or not at all.
    pub fn count(&mut self, differs_at: Option<u32>) {
        self.runs += 1;
        let run = self.runs;
        self.differing.extend(differs_at.map(|step| DifferingRun { run, step }));
    }

    /// Whether every run came out as the first.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.differing.is_empty()
    }

    /// The run that differs in the earliest step, which tells most.
    #[must_use]
    pub fn earliest(&self) -> Option<DifferingRun> {
        self.differing.iter().copied().min_by_key(|differing| differing.step)
    }
}

#[cfg(test)]
mod tests {
    use super::{DifferingRun, How, Repetition};

    #[test]
    fn runs_are_counted_from_the_first_and_the_earliest_difference_is_known() {
        let mut repetition = Repetition::of("threads=1", How::InProcess);
        assert_eq!((repetition.runs, repetition.holds(), repetition.earliest()), (1, true, None));
        for differs_at in [None, Some(9), Some(4), None, Some(4)] {
            repetition.count(differs_at);
        }
        let differing = [(3, 9), (4, 4), (6, 4)].map(|(run, step)| DifferingRun { run, step });
        assert_eq!((repetition.runs, repetition.differing.as_slice()), (6, differing.as_slice()));
        assert_eq!((repetition.holds(), repetition.earliest()), (false, Some(differing[1])));
    }
}
