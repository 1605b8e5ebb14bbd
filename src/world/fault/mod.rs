//! Faults planted on purpose, present in every build: what shows that the detector finds them.
//!
//! A fault strikes in one step, at the end of one stage or phase, before anyone looks at what that left. [`text`] reads and
//! writes them; [`inject`] applies them to a whole world, `order` changes the order of work, `rounding` strikes between the
//! phases of a solve. No line of the step itself knows of them. Nothing in here decides whether a fault is found.

pub mod inject;
mod order;
pub(in crate::world) mod rounding;
pub mod text;

use crate::math::ScalarKind;
use crate::world::encode::Section;
use crate::world::stage::Stage;

/// What a fault does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// A number of the state is some units in the last place off; integers count in ones.
    Ulp,
    /// The position of one body is advanced with another rounding in every substep of the step: with floats as one fused
    /// operation, in fixed point (where that gives the same bits) with the product cut off instead of rounded.
    Fma,
    /// Two contacts of one body change places in the solving order, each with its whole colour.
    Swap,
    /// A contact forgets the impulses it keeps.
    LostImpulse,
    /// A contact point carries the feature id that its place in the contact had in the step before.
    StaleFeature,
    /// A sleep timer is one off. Nothing sleeps yet, so this kind is refused.
    SleepTimer,
    /// A number of the state becomes not a number.
    Nan,
    /// Contacts are coloured from the last to the first, and so solved in another order.
    Order,
    /// The results of the narrow phase are gathered as if its second half had been done first.
    Gather,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [Self; 9] = [
        Self::Ulp,
        Self::Fma,
        Self::Swap,
        Self::LostImpulse,
        Self::StaleFeature,
        Self::SleepTimer,
        Self::Nan,
        Self::Order,
        Self::Gather,
    ];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ulp => "ulp",
            Self::Fma => "fma",
            Self::Swap => "swap",
            Self::LostImpulse => "lost_impulse",
            Self::StaleFeature => "stale_feature",
            Self::SleepTimer => "sleep_timer",
            Self::Nan => "nan",
            Self::Order => "order",
            Self::Gather => "gather",
        }
    }

    /// Whether such a fault is asked which object's which field it strikes.
    #[must_use]
    pub const fn names_a_field(self) -> bool {
        matches!(self, Self::Ulp | Self::Nan)
    }

    /// The section of the object that such a fault may name, where it may name one.
    #[must_use]
    pub const fn section(self) -> Option<Section> {
        match self {
            Self::Ulp | Self::Nan | Self::Fma | Self::Swap | Self::SleepTimer => Some(Section::Bodies),
            Self::LostImpulse | Self::StaleFeature => Some(Section::Contacts),
            Self::Order | Self::Gather => None,
        }
    }

    /// The stage in which such a fault strikes, at its end or, for [`Self::Fma`], within it, unless it is told another; and
    /// whether it may be told another.
    #[must_use]
    pub const fn stage(self) -> (Stage, bool) {
        match self {
            Self::Ulp | Self::Nan | Self::LostImpulse | Self::StaleFeature | Self::SleepTimer => (Stage::Finish, true),
            Self::Fma => (Stage::Solve, false),
            Self::Gather => (Stage::NarrowPhase, false),
            Self::Swap | Self::Order => (Stage::Colouring, false),
        }
    }
}

/// A circumstance to which a fault is bound, as faults in the wild are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Circumstance {
    /// More than one thread works.
    Threads,
    /// The run went on from a restored state.
    Restored,
}

impl Circumstance {
    /// Every circumstance.
    pub const ALL: [Self; 2] = [Self::Threads, Self::Restored];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Restored => "restored",
        }
    }
}

/// A fault planted on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it does.
    pub kind: FaultKind,
    /// The step in which it strikes; 0 for the state before the first step.
    pub step: u32,
    /// The stage in which it strikes.
    pub stage: Stage,
    /// The section of its object.
    pub section: Section,
    /// The object by name; without one, the first that it can change, for [`FaultKind::Fma`] the fastest body.
    pub object: Option<String>,
    /// The path of the field that it changes.
    pub field: Option<String>,
    /// By how many units in the last place, for [`FaultKind::Ulp`].
    pub ulps: i64,
    /// It strikes only where all of these hold.
    pub only: Vec<Circumstance>,
}

impl Fault {
    /// Whether a run with this scalar can have the fault at all; otherwise why not.
    ///
    /// # Errors
    /// The reason, as a sentence.
    pub fn check_scalar(&self, scalar: ScalarKind) -> Result<(), String> {
        match self.kind {
            FaultKind::Nan if scalar == ScalarKind::Fixed => {
                Err("nan: every bit pattern of fixed point is a number; use f32 or f64".to_owned())
            }
            _ => Ok(()),
        }
    }
}
