//! Questions put to the states of a run: of a scene while it is run, or of a replay.

use std::ops::{ControlFlow, RangeInclusive};

use crate::analysis::rerun::RerunError;
use crate::analysis::states::{PassError, RunPassError, StateVisitor, StepSelection, visit_run, visit_states};
use crate::math::Scalar;
use crate::replay::Replay;
use crate::scene::model::Query;
use crate::session::record::RunPlan;
use crate::world::World;
use crate::world::error::{BuildError, StepError};
use crate::world::queries::{AskError, Found};

/// The answers of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// The step.
    pub step: u32,
    /// What each question found, in the order in which they were asked.
    pub found: Vec<Vec<Found>>,
}

/// Takes the answers of one step after another.
pub type TakeAnswers<'a> = &'a mut dyn FnMut(&Answers) -> ControlFlow<()>;

/// Why there are no answers, or no more.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The world of a step has none.
    #[error("step {step}: {error}")]
    Ask {
        /// The step.
        step: u32,
        /// Why.
        error: AskError,
    },
    /// The scene makes no world.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The run stopped before the step.
    #[error(transparent)]
    Step(#[from] StepError),
    /// This build does not come to the step as the recording did.
    #[error("{0}; only keyframes can be asked by this build")]
    Rerun(#[from] RerunError),
}

/// Runs a scene to each of some steps and asks there; `reached` is told of every step that is taken.
///
/// # Errors
/// When the run does not come that far, or a step has no answer.
pub fn ask_run(
    plan: &RunPlan,
    steps: &RangeInclusive<u32>,
    queries: &[Query],
    take: TakeAnswers<'_>,
    reached: &mut dyn FnMut(u32),
) -> Result<(), QueryError> {
    match visit_run(plan, steps, &mut Asking { queries, take }, reached) {
        Ok(()) | Err(RunPassError::Visitor(None)) => Ok(()),
        Err(RunPassError::Visitor(Some(error))) => Err(error),
        Err(RunPassError::Build(error)) => Err(error.into()),
        Err(RunPassError::Step(error)) => Err(error.into()),
    }
}

/// Asks at some steps of a replay.
///
/// # Errors
/// When this build does not come to them as the recording did, or a step has no answer.
pub fn ask_replay(
    replay: &Replay,
    steps: &RangeInclusive<u32>,
    queries: &[Query],
    take: TakeAnswers<'_>,
) -> Result<(), QueryError> {
    let selection = StepSelection { range: steps.clone(), every: 1 };
    match visit_states(replay, &selection, &mut Asking { queries, take }) {
        Ok(()) | Err(PassError::Visitor(None)) => Ok(()),
        Err(PassError::Visitor(Some(error))) => Err(error),
        Err(PassError::Rerun(error)) => Err(error.into()),
    }
}

/// Asks each state that it is shown. It ends with an error, or without one where nobody takes more answers.
struct Asking<'a> {
    queries: &'a [Query],
    take: TakeAnswers<'a>,
}

impl StateVisitor for Asking<'_> {
    type Error = Option<QueryError>;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Self::Error> {
        let step = world.step_number();
        let found = world.ask(self.queries).map_err(|error| Some(QueryError::Ask { step, error }))?;
        match (self.take)(&Answers { step, found }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(None),
        }
    }
}
