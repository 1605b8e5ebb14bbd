//! Stress-tests the guarantee on a scene: the same run again, on threads, with other vectors, restored, in another order, elsewhere, beside a body
//! that is of no concern to it. Each attack either holds or tells the first difference.
//!
//! [`baseline`] runs the scene once, [`trial`] runs it under an attack and finds the step in which it diverges from that,
//! [`name`] names what differs there. [`view`] makes states comparable where an attack changes them on purpose. Nothing in
//! here knows the clock or starts a process: attacks that need either are [`Attack::Exe`] and [`Attack::Restarted`], and
//! are left to the caller, as is the part of [`Attack::Repeat`] in other processes.
//!
//! Attacks come in rounds: the first of each is always made, the others add seeds and starts as long as the caller has time.

pub mod baseline;
pub mod boosted;
pub mod comparison;
pub mod distance;
pub mod far_body;
pub mod faults;
pub mod name;
pub mod restore;
pub mod symmetry;
pub mod translated;
pub mod trial;
pub mod variants;
pub mod view;

use crate::analysis::outcome::FirstDifference;
use crate::analysis::stress::baseline::Baseline;
use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::parallel::Exercised;
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// One way to stress-test the guarantee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Attack {
    /// The same run again.
    Repeat,
    /// More threads.
    Threads,
    /// Other vectors.
    Lanes,
    /// Restored at every step, and from some of them to the end.
    Restore,
    /// Restored where most bodies touch, and run to the end.
    MidContact,
    /// Bodies and groups of the scene in another order.
    Order,
    /// The whole scene somewhere else.
    Translated,
    /// The whole scene turned about the vertical axis.
    Turned,
    /// The scene in a mirror.
    Mirrored,
    /// A common velocity for everything.
    Boosted,
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
    pub const ALL: [Self; 14] = [
        Self::Repeat,
        Self::Threads,
        Self::Lanes,
        Self::Restore,
        Self::MidContact,
        Self::Order,
        Self::Translated,
        Self::Turned,
        Self::Mirrored,
        Self::Boosted,
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
            Self::Lanes => "lanes",
            Self::Restore => "restore",
            Self::MidContact => "mid_contact",
            Self::Order => "order",
            Self::Translated => "translated",
            Self::Turned => "turned",
            Self::Mirrored => "mirrored",
            Self::Boosted => "boosted",
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
            Self::Turned | Self::Mirrored | Self::Boosted => false,
            _ => true,
        }
    }

    /// How many rounds the whole programme has.
    #[must_use]
    pub const fn rounds(self) -> u32 {
        match self {
            Self::Repeat | Self::Threads | Self::Restarted => 5,
            Self::Restore | Self::MidContact => restore::ROUNDS,
            Self::Order => 3,
            _ => 1,
        }
    }
}

/// About what the first round of all attacks costs, in runs of the scene.
pub const FIRST_ROUND_RUNS: u32 = 48;
/// About what all rounds cost, in runs of the scene.
pub const ALL_RUNS: u32 = 113;

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
    pub verdict: AttackVerdict,
    /// Whether it is promised to hold; otherwise it is only reported.
    pub promised: bool,
    /// How many rounds were made, of those that the attack has.
    pub rounds: u32,
    /// What threads did, where the attack is about them.
    pub exercised: Option<Exercised>,
}

/// How an attack went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttackVerdict {
    /// Every step was the same; or every planted fault was named right.
    Held,
    /// Something differs.
    Diverged(Box<DivergedRun>),
    /// A planted fault was not found, or not named right.
    Missed {
        /// The fault as it is written.
        fault: String,
        /// What was expected, and what was said instead.
        why: String,
    },
    /// A state could not be put back: what came after cannot be compared.
    Refused(Box<DivergedRun>),
    /// Every step was the same, but what the attack is about never came to pass.
    NotExercised {
        /// Why.
        why: String,
    },
    /// The run does not repeat, so that a difference would prove nothing.
    NotJudged {
        /// Why.
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
        let differs = matches!(
            self.verdict,
            AttackVerdict::Diverged(_) | AttackVerdict::Missed { .. } | AttackVerdict::Refused(_)
        );
        self.promised && differs
    }

    /// Whether further rounds could still find something.
    #[must_use]
    pub const fn can_go_on(&self) -> bool {
        let is_open = matches!(self.verdict, AttackVerdict::Held | AttackVerdict::NotExercised { .. });
        is_open && self.rounds < self.attack.rounds()
    }

    /// This finding and that of the next round as one.
    #[must_use]
    pub fn and(self, next: Self) -> Self {
        let verdict = match (self.verdict, next.verdict) {
            (AttackVerdict::Held, AttackVerdict::NotExercised { .. } | AttackVerdict::NotTried { .. }) => {
                AttackVerdict::Held
            }
            (_, verdict) => verdict,
        };
        let exercised = match (self.exercised, next.exercised) {
            (Some(mut first), Some(second)) => {
                first.add(&second);
                Some(first)
            }
            (first, second) => first.or(second),
        };
        let (runs, steps) = (self.runs + next.runs, self.steps + next.steps);
        Self { runs, steps, verdict, exercised, ..next }
    }

    /// A finding of an attack that was not made.
    #[must_use]
    pub fn not_tried(attack: Attack, scalar: ScalarKind, why: impl Into<String>) -> Self {
        let verdict = AttackVerdict::NotTried { why: why.into() };
        Self { verdict, ..Self::held(attack, scalar, "") }
    }

    /// A finding of an attack in which nothing was compared yet.
    #[must_use]
    pub fn held(attack: Attack, scalar: ScalarKind, done: impl Into<String>) -> Self {
        Self {
            attack,
            done: done.into(),
            runs: 0,
            steps: 0,
            verdict: AttackVerdict::Held,
            promised: attack.is_promised(scalar),
            rounds: attack.rounds(),
            exercised: None,
        }
    }
}

/// Where a run diverges from the first one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DivergedRun {
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
    /// Which round of an attack is made, from 0 on.
    pub round: u32,
}

/// Makes one round of an attack. [`Attack::Exe`] and [`Attack::Restarted`] need processes and are not tried here.
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
        let found = match attack {
            Attack::Repeat => variants::repeat::<S>(target, tell),
            Attack::Threads => variants::threads::<S>(target, tell),
            Attack::Lanes => variants::lanes::<S>(target, tell),
            Attack::Restore => restore::everywhere::<S>(target, tell),
            Attack::MidContact => restore::mid_contact::<S>(target, tell),
            Attack::Order => variants::order::<S>(target, tell),
            Attack::Translated => translated::translated::<S>(target, tell),
            Attack::Turned => symmetry::turned::<S>(target, tell),
            Attack::Mirrored => symmetry::mirrored::<S>(target, tell),
            Attack::Boosted => boosted::boosted::<S>(target, tell),
            Attack::FarBody => far_body::far_body::<S>(target, tell),
            Attack::Faults => faults::faults::<S>(target, tell),
            Attack::Exe | Attack::Restarted => {
                Ok(Finding::not_tried(attack, S::KIND, "it needs processes, which the library does not start"))
            }
        };
        // What was not tried has no rounds left.
        found.map(|found| match found.verdict {
            AttackVerdict::NotTried { .. } => found,
            _ => Finding { rounds: target.round + 1, ..found },
        })
    }
}
