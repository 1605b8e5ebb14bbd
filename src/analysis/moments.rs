//! The moments of a step: the end of each stage, and within the solve the end of each phase.
//!
//! Whatever names a stage, takes a trace or compares runs within a step sees the world through these.

use std::fmt::Display;

use crate::dynamics::contact::ContactGeometry;
use crate::dynamics::solver::phase::Phase;
use crate::math::Scalar;
use crate::world::World;
use crate::world::encode::State;
use crate::world::stage::{Midway, Observer, Stage};
use crate::world::state_hash::StateHash;

/// Which moment of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MomentName {
    /// The stage that ends, or is under way.
    pub stage: Stage,
    /// The phase that ends, where the stage is under way.
    pub phase: Option<Phase>,
}

impl Display for MomentName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.stage.name())?;
        self.phase.map_or(Ok(()), |phase| write!(formatter, ", {phase}"))
    }
}

/// What can be seen at a moment.
#[derive(Clone, Copy, Debug)]
pub enum View<'a, S: Scalar> {
    /// The world at the end of a stage.
    World(&'a World<S>),
    /// The world in the middle of its solve.
    Midway(&'a Midway<'a, S>),
}

impl<S: Scalar> View<'_, S> {
    /// All state, as it would be if the step ended here.
    #[must_use]
    pub fn state(&self) -> State<S> {
        match self {
            Self::World(world) => world.state(),
            Self::Midway(midway) => midway.state(),
        }
    }

    /// The hash of that state.
    #[must_use]
    pub fn hash(&self) -> StateHash {
        match self {
            Self::World(world) => world.hash(),
            Self::Midway(midway) => StateHash::of(&midway.state().encode(), S::KIND),
        }
    }
}

/// Calls a function at every moment of a step.
#[derive(Debug)]
pub struct EachMoment<F>(pub F);

impl<S: Scalar, F: FnMut(MomentName, View<'_, S>)> Observer<S> for EachMoment<F> {
    fn stage_ended(&mut self, stage: Stage, world: &World<S>) {
        (self.0)(MomentName { stage, phase: None }, View::World(world));
    }

    fn phase_ended(&mut self, phase: Phase, midway: &Midway<'_, S>) {
        (self.0)(MomentName { stage: Stage::Solve, phase: Some(phase) }, View::Midway(midway));
    }
}

/// The states around one moment of a step: what went into an operation and what came out of it.
#[derive(Debug)]
pub struct Around<S> {
    /// Which moment, counted from 0.
    wanted: usize,
    seen: usize,
    /// The state before, unless it is the first moment.
    pub before: Option<State<S>>,
    /// The state at the moment.
    pub at: Option<State<S>>,
    /// The geometry of the contacts, where the narrow phase found them before the moment.
    pub geometry: Vec<ContactGeometry<S>>,
}

impl<S> Around<S> {
    /// Waits for the moment of this number.
    #[must_use]
    pub const fn moment(wanted: usize) -> Self {
        Self { wanted, seen: 0, before: None, at: None, geometry: Vec::new() }
    }
}

impl<S: Scalar> Around<S> {
    fn see(&mut self, view: View<'_, S>) {
        if self.seen + 1 == self.wanted {
            self.before = Some(view.state());
        }
        if self.seen == self.wanted {
            self.at = Some(view.state());
        }
        self.seen += 1;
    }
}

impl<S: Scalar> Observer<S> for Around<S> {
    fn stage_ended(&mut self, stage: Stage, world: &World<S>) {
        if stage == Stage::NarrowPhase && self.seen < self.wanted {
            self.geometry = world.contact_geometry().to_vec();
        }
        self.see(View::World(world));
    }

    fn phase_ended(&mut self, _: Phase, midway: &Midway<'_, S>) {
        self.see(View::Midway(midway));
    }
}
