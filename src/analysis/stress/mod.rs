//! Attacks the promise on a scene: the same run again, on threads, restored, in another order, elsewhere, beside a body
//! that is of no concern to it. Each attack either holds or tells the first difference.
//!
//! [`baseline`] runs the scene once, [`course`] runs it under an attack and finds the step in which it parts from that,
//! [`name`] names what differs there. [`view`] makes states comparable where an attack changes them on purpose. Nothing in
//! here knows the clock or starts a process: attacks that need either are [`Attack::Exe`] and [`Attack::Restarted`], and
//! are left to the caller.

pub mod baseline;
pub mod course;
pub mod far_body;
pub mod faults;
pub mod name;
pub mod restore;
pub mod translated;
pub mod variants;
pub mod view;

use crate::analysis::outcome::FirstDifference;
use crate::analysis::stress::baseline::Baseline;
use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// One way to attack the promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attack {
    /// The same run again.
    Repeat,
    /// More threads.
    Threads,
    /// Restored at every step, and from some of them to the end.
    Restore,
    /// Restored where most bodies touch, and run to the end.
    MidContact,
    /// Bodies and groups of the scene in another order.
    Order,
    /// The whole scene somewhere else.
    Translated,
    /// Another body far away from all others.
    FarBody,
    /// Another build of the program.
    Exe,
    /// Another process, which goes on from a snapshot file.
    Restarted,
    /// Faults planted on purpose: are they found and named?
    Faults,
}

impl Attack {
    /// Every attack, in the order in which they are made.
    pub const ALL: [Self; 10] = [
        Self::Repeat,
        Self::Threads,
        Self::Restore,
        Self::MidContact,
        Self::Order,
        Self::Translated,
        Self::FarBody,
        Self::Exe,
        Self::Restarted,
        Self::Faults,
    ];

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repeat => "repeat",
            Self::Threads => "threads",
            Self::Restore => "restore",
            Self::MidContact => "mid_contact",
            Self::Order => "order",
            Self::Translated => "translated",
            Self::FarBody => "far_body",
            Self::Exe => "exe",
            Self::Restarted => "restarted",
            Self::Faults => "faults",
        }
    }

    /// The attack of this name, if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|attack| attack.name() == name)
    }

    /// Whether it is promised to hold with this scalar, or only reported.
    #[must_use]
    pub const fn is_promised(self, scalar: ScalarKind) -> bool {
        match self {
            Self::Translated | Self::FarBody => matches!(scalar, ScalarKind::Fixed),
            _ => true,
        }
    }
}

/// How much is done; fewer runs where a scene is large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many equal runs are compared, the first one included.
    pub repeats: u32,
    /// From how many restored steps the run goes on to its end.
    pub futures: usize,
    /// From how many steps with the most contacts it does.
    pub contact_futures: usize,
    /// How many orders of the bodies are tried.
    pub orders: u64,
}

/// What all attacks but the futures of restored runs cost, in runs of the scene.
const FIXED_RUNS: u64 = 27;
/// What the futures of restored runs cost at most, in runs of the scene.
const FUTURE_RUNS: u64 = 14;

impl Effort {
    /// Everything.
    pub const FULL: Self = Self { repeats: 3, futures: 16, contact_futures: 8, orders: 3 };

    /// The most runs that the whole takes.
    pub const RUNS: u64 = FIXED_RUNS + FUTURE_RUNS;
    /// The fewest runs that the whole takes.
    pub const LEAST_RUNS: u64 = FIXED_RUNS + 3;

    /// What can be done in the time of so many runs of the scene.
    #[must_use]
    pub fn within(runs: u64) -> Self {
        let left = usize::try_from(runs.saturating_sub(FIXED_RUNS).min(FUTURE_RUNS)).unwrap_or(0);
        let part = |most: usize| (most * left / FUTURE_RUNS as usize).max(2).min(most);
        Self { futures: part(Self::FULL.futures), contact_futures: part(Self::FULL.contact_futures), ..Self::FULL }
    }
}

/// How an attack went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which attack.
    pub attack: Attack,
    /// What was done, in a few words.
    pub done: String,
    /// How many runs, or parts of runs, were compared with the first one.
    pub runs: u64,
    /// How many of their steps were compared.
    pub steps: u64,
    /// How it went.
    pub verdict: Verdict,
    /// Whether it is promised to hold; otherwise it is only reported.
    pub promised: bool,
}

/// How an attack went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every step was the same; or every planted fault was named right.
    Held,
    /// Something differs.
    Parted(Box<Parted>),
    /// A planted fault was not found, or not named right.
    Missed {
        /// The fault as it is written.
        fault: String,
        /// What was expected, and what was said instead.
        why: String,
    },
    /// Nothing was tried.
    NotTried {
        /// Why.
        why: String,
    },
}

impl Finding {
    /// Whether a promise was broken.
    #[must_use]
    pub const fn is_broken(&self) -> bool {
        self.promised && matches!(self.verdict, Verdict::Parted(_) | Verdict::Missed { .. })
    }

    /// A finding of an attack that was not made.
    #[must_use]
    pub fn not_tried(attack: Attack, scalar: ScalarKind, why: impl Into<String>) -> Self {
        let verdict = Verdict::NotTried { why: why.into() };
        Self { attack, done: String::new(), runs: 0, steps: 0, verdict, promised: attack.is_promised(scalar) }
    }
}

/// Where a run parts from the first one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parted {
    /// Which run.
    pub run: String,
    /// The first difference, as far as it is known; `a` is the first run.
    pub first: FirstDifference,
    /// What else there is to say.
    pub notes: Vec<String>,
}

/// Hears of every step that is taken.
pub type Tell<'a> = &'a mut dyn FnMut();

/// What every attack works on.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The run that is attacked.
    pub plan: &'a RunPlan,
    /// How it went when nothing was done to it.
    pub baseline: &'a Baseline,
    /// How much to do.
    pub effort: Effort,
}

/// Makes one attack. [`Attack::Exe`] and [`Attack::Restarted`] need processes and are not tried here.
///
/// # Errors
/// When the scene of the plan makes no world.
pub fn attack(attack: Attack, target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    target.plan.scalar.dispatch(Make { attack, target, tell })
}

struct Make<'a, 'b> {
    attack: Attack,
    target: &'a Target<'b>,
    tell: Tell<'a>,
}

impl ScalarTask for Make<'_, '_> {
    type Output = Result<Finding, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { attack, target, tell } = self;
        match attack {
            Attack::Repeat => variants::repeat::<S>(target, tell),
            Attack::Threads => variants::threads::<S>(target, tell),
            Attack::Restore => restore::everywhere::<S>(target, tell),
            Attack::MidContact => restore::mid_contact::<S>(target, tell),
            Attack::Order => variants::order::<S>(target, tell),
            Attack::Translated => translated::translated::<S>(target, tell),
            Attack::FarBody => far_body::far_body::<S>(target, tell),
            Attack::Faults => faults::faults::<S>(target, tell),
            Attack::Exe | Attack::Restarted => {
                Ok(Finding::not_tried(attack, S::KIND, "it needs processes, which the library does not start"))
            }
        }
    }
}
