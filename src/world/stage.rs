//! The stages of a step, in order, and who may watch them end.

use crate::dynamics::collider::Colliders;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::phase::Phase;
use crate::math::Scalar;
use crate::world::World;
use crate::world::encode::State;
use crate::world::encode::fields::Globals;

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
    /// Joints and contacts are grouped into colours within which no two share a body, so that their order cannot matter.
    Colouring,
    /// Joints and contacts are solved in substeps while the bodies move.
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

/// Sees the end of each stage of a step, and of each phase of its solve: hashing, timing and tracing are observers.
pub trait Observer<S: Scalar> {
    /// `stage` of the step has just ended and left this world.
    fn stage_ended(&mut self, stage: Stage, world: &World<S>);

    /// `phase` of the stage [`Stage::Solve`] has just ended.
    fn phase_ended(&mut self, _phase: Phase, _midway: &Midway<'_, S>) {}
}

/// A world in the middle of its solve.
#[derive(Debug)]
pub struct Midway<'a, S: Scalar> {
    globals: Globals<S>,
    colliders: &'a Colliders<S>,
    solve: &'a Solve<'a, S>,
}

impl<'a, S: Scalar> Midway<'a, S> {
    /// A world of which this is the solve.
    pub(super) const fn new(globals: Globals<S>, colliders: &'a Colliders<S>, solve: &'a Solve<'a, S>) -> Self {
        Self { globals, colliders, solve }
    }

    /// The solve that is under way.
    #[must_use]
    pub(super) const fn solve(&self) -> &'a Solve<'a, S> {
        self.solve
    }

    /// The state as it would be if the solve ended now.
    #[must_use]
    pub fn state(&self) -> State<S> {
        let (joints, contacts) = (self.solve.joints_now(), self.solve.contacts_now());
        State::of_parts(self.globals, self.solve.bodies, self.colliders, joints, contacts)
    }
}

/// Watches nothing.
impl<S: Scalar> Observer<S> for () {
    fn stage_ended(&mut self, _: Stage, _: &World<S>) {}
}
