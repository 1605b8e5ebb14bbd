//! The stages of a step, in order, and who may watch them end.

use crate::math::Scalar;
use crate::world::World;

/// A stage of the step. The order of the variants is the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// What comes from outside is applied first, so that it shapes this very step.
    Inputs,
    /// Gravity, forces and torques become accelerations, at the poses the step starts from.
    Forces,
    /// Pairs whose fat boxes overlap.
    BroadPhase,
    /// Contacts of those pairs; kept impulses pass from the contacts of the step before to the same features.
    NarrowPhase,
    /// Contacts are grouped into colours within which no two share a body, so that their order cannot matter.
    Colouring,
    /// Contacts are solved in substeps while the bodies move.
    Solve,
    /// The step counts as done; what is stored gets its one bit pattern.
    Finish,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Self; 7] =
        [Self::Inputs, Self::Forces, Self::BroadPhase, Self::NarrowPhase, Self::Colouring, Self::Solve, Self::Finish];

    /// The stage's name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inputs => "inputs",
            Self::Forces => "forces",
            Self::BroadPhase => "broad_phase",
            Self::NarrowPhase => "narrow_phase",
            Self::Colouring => "colouring",
            Self::Solve => "solve",
            Self::Finish => "finish",
        }
    }
}

/// Sees the end of each stage of a step: hashing, timing and tracing are observers.
pub trait Observer<S: Scalar> {
    /// `stage` of the step has just ended and left this world.
    fn stage_ended(&mut self, stage: Stage, world: &World<S>);
}

/// Watches nothing.
impl<S: Scalar> Observer<S> for () {
    fn stage_ended(&mut self, _: Stage, _: &World<S>) {}
}
