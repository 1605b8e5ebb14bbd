//! The checkpoints of a step: the end of each stage, and within the solve the end of each phase.
//!
//! Whatever names a stage, takes a trace or compares runs within a step sees the world through these.

use std::fmt::Display;

use crate::dynamics::solver::phase::Phase;
use crate::math::Scalar;
use crate::world::World;
use crate::world::derived::StepData;
use crate::world::stage::{Midway, Observer, Stage};

/// Which checkpoint of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckpointName {
    /// The stage that ends, or is under way.
    pub stage: Stage,
    /// The phase that ends, where the stage is under way.
    pub phase: Option<Phase>,
}

impl Display for CheckpointName {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.stage.name())?;
        self.phase.map_or(Ok(()), |phase| write!(formatter, ", {phase}"))
    }
}

/// Calls a function at every checkpoint of a step, with all data of the step at that checkpoint.
#[derive(Debug)]
pub struct EachCheckpoint<F>(pub F);

impl<S: Scalar, F: FnMut(CheckpointName, StepData<S>)> Observer<S> for EachCheckpoint<F> {
    fn stage_ended(&mut self, stage: Stage, world: &World<S>) {
        (self.0)(CheckpointName { stage, phase: None }, world.step_data(stage));
    }

    fn phase_ended(&mut self, phase: Phase, midway: &Midway<'_, S>) {
        (self.0)(CheckpointName { stage: Stage::Solve, phase: Some(phase) }, midway.step_data(phase));
    }
}
