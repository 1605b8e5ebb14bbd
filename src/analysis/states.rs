//! One pass over the states of a replay: every state that is asked for, each proved to be the recorded one. Or over those of a new run.

use std::ops::RangeInclusive;

use crate::analysis::rerun::{RerunError, advance_to, session_at_keyframe};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::session::Session;
use crate::session::record::{RunPlan, Stepper};
use crate::world::World;
use crate::world::error::{BuildError, StepError};

/// Takes the states of a run, one after another.
pub trait StateVisitor {
    /// Why it cannot take one.
    type Error;

    /// Takes the state that a world has come to; contacts have their geometry as the step that ended there found it.
    ///
    /// # Errors
    /// When nothing more is to be visited.
    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Self::Error>;
}

/// Hands states on to another visitor and tells how many it took.
pub struct Reporting<'a, V> {
    visitor: &'a mut V,
    progress: &'a mut dyn FnMut(u64),
    visited: u64,
}

impl<'a, V> Reporting<'a, V> {
    /// Tells `progress` of each state that `visitor` took.
    pub fn new(visitor: &'a mut V, progress: &'a mut dyn FnMut(u64)) -> Self {
        Self { visitor, progress, visited: 0 }
    }
}

impl<V: StateVisitor> StateVisitor for Reporting<'_, V> {
    type Error = V::Error;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), V::Error> {
        self.visitor.visit(world)?;
        self.visited += 1;
        (self.progress)(self.visited);
        Ok(())
    }
}

/// Takes the steps of a run as a stepper does, and shows each state to a visitor: neither knows of the other.
#[derive(Debug)]
pub struct Visiting<'a, P, V: StateVisitor> {
    stepper: &'a mut P,
    visitor: &'a mut V,
    /// Why the visitor takes no more; it is then left alone, and the run goes on.
    failure: Option<V::Error>,
}

impl<'a, P, V: StateVisitor> Visiting<'a, P, V> {
    /// Both of them.
    pub const fn new(stepper: &'a mut P, visitor: &'a mut V) -> Self {
        Self { stepper, visitor, failure: None }
    }

    /// Whether the visitor took every state.
    ///
    /// # Errors
    /// Why it did not.
    pub fn finish(self) -> Result<(), V::Error> {
        self.failure.map_or(Ok(()), Err)
    }

    fn visit<S: Scalar>(&mut self, session: &Session<S>) {
        if self.failure.is_none() {
            self.failure = self.visitor.visit(session.world()).err();
        }
    }
}

impl<P: Stepper, V: StateVisitor> Stepper for Visiting<'_, P, V> {
    fn start<S: Scalar>(&mut self, session: &Session<S>) {
        self.stepper.start(session);
        self.visit(session);
    }

    fn advance<S: Scalar>(&mut self, session: &mut Session<S>) -> Result<(), StepError> {
        self.stepper.advance(session)?;
        self.visit(session);
        Ok(())
    }
}

/// Which steps of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepSelection {
    /// The first and the last; a range that goes beyond the end of the replay ends with it.
    pub range: RangeInclusive<u32>,
    /// Of these, each so many from the first on; at least 1.
    pub every: u32,
}

impl StepSelection {
    /// Every step.
    #[must_use]
    pub const fn all() -> Self {
        Self { range: 0..=u32::MAX, every: 1 }
    }

    /// The first and the last step of a replay that are meant; `None` when the replay ends before the first.
    #[must_use]
    pub fn within(&self, replay: &Replay) -> Option<RangeInclusive<u32>> {
        let (first, end) = (*self.range.start(), replay.last_step());
        let last = end.min(*self.range.end());
        (first <= last).then(|| first..=last - (last - first) % self.every.max(1))
    }

    /// How many steps of a replay are meant.
    #[must_use]
    pub fn count(&self, replay: &Replay) -> u64 {
        self.within(replay).map_or(0, |range| u64::from((range.end() - range.start()) / self.every.max(1)) + 1)
    }
}

/// Why a pass ended before its last state. The states before were visited.
#[derive(Debug)]
pub enum PassError<E> {
    /// This build does not come to the next state as the recording did.
    Rerun(RerunError),
    /// The visitor had enough.
    Visitor(E),
}

/// Visits the states of the selected steps in one pass, from the keyframe before the first of them. Where a keyframe does
/// not lead to a recorded state, the pass goes on from the start of the run.
///
/// # Errors
/// When the visitor ends it, or this build does not come to the recorded states.
pub fn visit_states<V: StateVisitor>(
    replay: &Replay,
    selection: &StepSelection,
    visitor: &mut V,
) -> Result<(), PassError<V::Error>> {
    match selection.within(replay) {
        None => Ok(()),
        Some(range) => replay.header.scalar.dispatch(Pass { replay, range, every: selection.every.max(1), visitor }),
    }
}

/// Why a run ended before its last state was visited.
#[derive(Debug)]
pub enum RunPassError<E> {
    /// The scene makes no world.
    Build(BuildError),
    /// A step stopped on an error.
    Step(StepError),
    /// The visitor had enough.
    Visitor(E),
}

/// Runs a scene to the last of some steps and visits the states of them; `reached` is told of every step that is taken.
///
/// # Errors
/// When the visitor ends it, or the run does not come that far.
pub fn visit_run<V: StateVisitor>(
    plan: &RunPlan,
    steps: &RangeInclusive<u32>,
    visitor: &mut V,
    reached: &mut dyn FnMut(u32),
) -> Result<(), RunPassError<V::Error>> {
    plan.scalar.dispatch(RunPass { plan, steps, visitor, reached })
}

struct RunPass<'a, V> {
    plan: &'a RunPlan,
    steps: &'a RangeInclusive<u32>,
    visitor: &'a mut V,
    reached: &'a mut dyn FnMut(u32),
}

impl<V: StateVisitor> ScalarTask for RunPass<'_, V> {
    type Output = Result<(), RunPassError<V::Error>>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { plan, steps, visitor, reached } = self;
        let mut session = plan.session::<S>().map_err(RunPassError::Build)?;
        loop {
            let step = session.step_number();
            if steps.contains(&step) {
                visitor.visit(session.world()).map_err(RunPassError::Visitor)?;
            }
            if step >= *steps.end() {
                return Ok(());
            }
            session.advance(&mut ()).map_err(RunPassError::Step)?;
            reached(session.step_number());
        }
    }
}

struct Pass<'a, V> {
    replay: &'a Replay,
    range: RangeInclusive<u32>,
    every: u32,
    visitor: &'a mut V,
}

impl<V: StateVisitor> ScalarTask for Pass<'_, V> {
    type Output = Result<(), PassError<V::Error>>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { replay, range, every, visitor } = self;
        let (first, last) = range.into_inner();
        // The geometry of contacts is found within a step, so the first step itself is taken.
        let mut reached = Reached::<S>::start(replay, first.saturating_sub(1)).map_err(PassError::Rerun)?;
        for step in (first..=last).step_by(every as usize) {
            reached.go_to(replay, step).map_err(PassError::Rerun)?;
            visitor.visit(reached.session.world()).map_err(PassError::Visitor)?;
        }
        Ok(())
    }
}

/// A session that is on its way through a replay.
struct Reached<S: Scalar> {
    session: Session<S>,
    /// Whether it began with step 0, so that there is no other way to a state.
    from_start: bool,
}

impl<S: Scalar> Reached<S> {
    fn start(replay: &Replay, step: u32) -> Result<Self, RerunError> {
        match session_at_keyframe(replay, step) {
            Ok(session) => Ok(Self { from_start: session.step_number() == 0, session }),
            Err(error) if step == 0 => Err(error),
            Err(_) => Ok(Self { session: session_at_keyframe(replay, 0)?, from_start: true }),
        }
    }

    fn go_to(&mut self, replay: &Replay, step: u32) -> Result<(), RerunError> {
        match advance_to(replay, &mut self.session, step) {
            Err(_) if !self.from_start => {
                // What hides outside the state is lost in a restored run; a run from the start has it.
                *self = Self { session: session_at_keyframe(replay, 0)?, from_start: true };
                advance_to(replay, &mut self.session, step)
            }
            result => result,
        }
    }
}
