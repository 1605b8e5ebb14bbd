//! Which condition makes two runs diverge that ought to agree, in which step, and in what.
//!
//! [`axis`] has what can be varied, [`search`] looks for the smallest set of changes after which a run diverges from the
//! baseline, [`condition`] runs a scene under one condition, [`sweep`] restores it
//! after every step, [`scene`] does all of it for a scene. Before an axis is blamed, [`baseline`] sees whether the run repeats
//! at all; [`repetition`] tells what gives another run each time, [`scalars`] where number types
//! drift apart. [`gap`] names the difference by running both sides again
//! from their start, [`twins`] where no run can be had again. [`logs`] does the same for whatever comes as hash logs. Nothing
//! in here starts a program or knows the clock: what needs either is asked of the [`Host`].

pub mod ask;
pub mod axis;
pub mod baseline;
pub mod condition;
pub mod gap;
pub mod log_gap;
pub mod logs;
pub mod order;
pub mod repetition;
pub mod scalars;
pub mod scene;
pub mod search;
pub mod sweep;
pub mod twins;

use crate::analysis::bisect::repetition::Repetition;
use crate::analysis::outcome::{FirstDifference, Verdict};

/// What the caller of a search does for it.
pub trait Host {
    /// Hears of the condition that is run, and of the step it has come to.
    fn reached(&mut self, name: &str, step: u32);

    /// Runs the baseline in a process of its own: the root hash of every state, in hexadecimal. `None` where there are no
    /// processes to be had, or as many as are worth their time have been run.
    fn fresh_run(&mut self) -> Option<Vec<String>> {
        None
    }

    /// Whether there is patience for more looking closer, which is slow.
    fn may_go_on(&mut self) -> bool {
        true
    }
}

/// A host that shows nothing, has no processes and all the patience there is.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Host for Alone {
    fn reached(&mut self, _: &str, _: u32) {}
}

/// One condition that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The values of its axes, or the file it came from.
    pub name: String,
    /// Whether it agrees with the first condition.
    pub verdict: Verdict,
    /// The first step in which it does not, when that is known.
    pub parts_at: Option<u32>,
    /// What else there is to say of it.
    pub remark: Option<String>,
}

impl Tried {
    /// A condition that agrees.
    #[must_use]
    pub fn same(name: impl Into<String>) -> Self {
        Self { name: name.into(), verdict: Verdict::Same, parts_at: None, remark: None }
    }

    /// A condition that diverges in a step.
    #[must_use]
    pub fn parts(name: impl Into<String>, step: u32) -> Self {
        Self { name: name.into(), verdict: Verdict::Diverged, parts_at: Some(step), remark: None }
    }
}

/// One change of the smallest set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The axis.
    pub axis: String,
    /// Its value in the baseline.
    pub from: String,
    /// Its value in the condition that diverges.
    pub to: String,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    /// Whether the conditions agree.
    pub verdict: Verdict,
    /// The conditions in the order in which they were tried, the baseline first.
    pub conditions: Vec<Tried>,
    /// The baseline run again before any axis is blamed; `None` where it was not. Where it does not hold, that is what
    /// was found: no axis is named then.
    pub repeats: Option<Repetition>,
    /// The smallest set of changes after which a run diverges from the baseline; `None` where all agree, where there are no
    /// axes, and where the baseline does not repeat.
    pub smallest: Option<Vec<Change>>,
    /// Where the two first differ: side `a` is the baseline.
    pub first: Option<FirstDifference>,
    /// What the two sides of the difference are: the baseline, and the condition that diverges from it.
    pub sides: Option<[String; 2]>,
    /// How many runs were made to find it, whole or in part; those that name the difference are not counted.
    pub runs: u64,
    /// What could not be known, and how to find out.
    pub notes: Vec<String>,
}

impl Bisection {
    /// A search that has found nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            verdict: Verdict::Same,
            conditions: Vec::new(),
            repeats: None,
            smallest: None,
            first: None,
            sides: None,
            runs: 0,
            notes: Vec::new(),
        }
    }

    /// How the baseline was run again, where it did not come out the same.
    #[must_use]
    pub fn not_repeating(&self) -> Option<&Repetition> {
        self.repeats.as_ref().filter(|repetition| !repetition.holds())
    }
}

impl Default for Bisection {
    fn default() -> Self {
        Self::new()
    }
}

/// Why conditions could not be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BisectError {
    /// The scene makes no world.
    #[error(transparent)]
    Build(#[from] crate::world::error::BuildError),
    /// An axis is not as it must be.
    #[error("--axis {axis}: {what}")]
    Axis {
        /// The axis as it was given.
        axis: String,
        /// What is wrong and what was expected.
        what: String,
    },
    /// There are more combinations than can be tried.
    #[error(
        "the axes have {combinations} combinations, the limit is {limit}; give fewer values or fewer axes at a time"
    )]
    TooManyCombinations {
        /// How many there are.
        combinations: u128,
        /// How many there may be.
        limit: u64,
    },
    /// The run is longer than hashes are kept for.
    #[error("the run has {steps} steps, the limit is {limit} for each condition; give fewer with --steps")]
    TooManySteps {
        /// Its steps.
        steps: u32,
        /// How many there may be.
        limit: u32,
    },
    /// There is nothing to compare with.
    #[error("one condition only: nothing to compare; give an axis two values, such as --axis threads=1,2")]
    OneCondition,
}

#[cfg(test)]
mod tests;
