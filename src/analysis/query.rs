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
use crate::world::queries::{Answer, AskError};

/// The answers of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// The step.
    pub step: u32,
    /// What each question found, or why it found nothing out, in the order in which they were asked.
    pub found: Vec<Answer>,
}

/// Takes the answers of one step after another.
pub type TakeAnswers<'a> = &'a mut dyn FnMut(&Answers) -> ControlFlow<()>;

/// Why there are no answers, or no more.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// A question has none at any of the steps.
    #[error("step {step}: {error}")]
    Ask {
        /// The first step.
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
/// When the run does not come that far; when a question has no answer at any step, after those of the others.
pub fn ask_run(
    plan: &RunPlan,
    steps: &RangeInclusive<u32>,
    queries: &[Query],
    take: TakeAnswers<'_>,
    reached: &mut dyn FnMut(u32),
) -> Result<(), QueryError> {
    let mut asking = Asking::new(queries, take);
    match visit_run(plan, steps, &mut asking, reached) {
        Ok(()) => asking.finish(),
        Err(RunPassError::Visitor(Enough)) => Ok(()),
        Err(RunPassError::Build(error)) => Err(error.into()),
        Err(RunPassError::Step(error)) => Err(error.into()),
    }
}

/// Asks at some steps of a replay.
///
/// # Errors
/// When this build does not come to them as the recording did; when a question has no answer at any step, after those of the others.
pub fn ask_replay(
    replay: &Replay,
    steps: &RangeInclusive<u32>,
    queries: &[Query],
    take: TakeAnswers<'_>,
) -> Result<(), QueryError> {
    let selection = StepSelection { range: steps.clone(), every: 1 };
    let mut asking = Asking::new(queries, take);
    match visit_states(replay, &selection, &mut asking) {
        Ok(()) => asking.finish(),
        Err(PassError::Visitor(Enough)) => Ok(()),
        Err(PassError::Rerun(error)) => Err(error.into()),
    }
}

/// Nobody takes more answers.
struct Enough;

/// Asks each state that it is shown.
struct Asking<'a> {
    queries: &'a [Query],
    take: TakeAnswers<'a>,
    /// Of each question that had no answer yet why it had none at the first step, once that is seen.
    unanswered: Option<Vec<Option<QueryError>>>,
}

impl<'a> Asking<'a> {
    fn new(queries: &'a [Query], take: TakeAnswers<'a>) -> Self {
        Self { queries, take, unanswered: None }
    }

    /// Tells of the first question that never had an answer.
    fn finish(self) -> Result<(), QueryError> {
        self.unanswered.into_iter().flatten().flatten().next().map_or(Ok(()), Err)
    }
}

impl StateVisitor for Asking<'_> {
    type Error = Enough;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Enough> {
        let step = world.step_number();
        let found = world.ask(self.queries);
        let why = |answer: &Answer| answer.clone().err().map(|error| QueryError::Ask { step, error });
        let all = self.unanswered.get_or_insert_with(|| found.iter().map(why).collect());
        for (unanswered, answer) in all.iter_mut().zip(&found) {
            if answer.is_ok() {
                *unanswered = None;
            }
        }
        match (self.take)(&Answers { step, found }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Enough),
        }
    }
}
