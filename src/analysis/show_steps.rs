//! The states of a range of steps, one after the other, in one pass over the run.
//!
//! Nothing is kept: whoever asks gets a step at a time, and may leave.

use std::ops::{ControlFlow, RangeInclusive};

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::rerun::RerunError;
use crate::analysis::roster::{name_hint, roster};
use crate::analysis::show::{BodyView, ShowError, StepView, body_views, step_view, time_of};
use crate::analysis::states::{PassError, StateVisitor, StepSelection, visit_states};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::session::Session;
use crate::session::keyframe::check_keyframe;
use crate::world::World;

/// Bodies of one step.
#[derive(Clone, Debug)]
pub struct StepBodies {
    /// The step.
    pub step: u32,
    /// Simulated time in seconds.
    pub time: f64,
    /// Those that were asked for, in their order.
    pub bodies: Vec<BodyView>,
}

/// Which steps and bodies are to be shown.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The steps, both ends included.
    pub steps: RangeInclusive<u32>,
    /// The bodies; all of them where there is no pattern.
    pub bodies: Option<BodyPatterns>,
    /// The names of the bodies that are meant, sorted.
    pub names: Vec<String>,
}

impl Selection {
    /// The selection, if the replay has these steps and bodies.
    ///
    /// # Errors
    /// When a step is behind the end of the replay, or a pattern matches no body.
    pub fn new(replay: &Replay, steps: RangeInclusive<u32>, bodies: Option<&BodyPatterns>) -> Result<Self, ShowError> {
        let last = replay.last_step();
        if let Some(&step) = [steps.start(), steps.end()].into_iter().find(|step| **step > last) {
            return Err(ShowError::NoSuchStep { step, last });
        }
        let mut names = roster(replay)?;
        names.sort();
        let bodies = bodies.map(|patterns| patterns.among(&names)).transpose().map_err(|missing| {
            let body = missing.text().to_owned();
            ShowError::NoSuchBody { hint: name_hint(&body, &names), body }
        })?;
        if let Some(patterns) = &bodies {
            names.retain(|name| patterns.matches(name));
        }
        Ok(Self { steps, bodies, names })
    }

    pub(crate) fn as_steps(&self) -> StepSelection {
        StepSelection { range: self.steps.clone(), every: 1 }
    }

    /// How a pass went, of which some step was shown or none.
    fn outcome(&self, passed: Result<(), PassError<Left>>, shown: bool) -> Result<(), ShowError> {
        match passed {
            Err(PassError::Rerun(error)) => Err(error.into()),
            Ok(()) | Err(PassError::Visitor(Left)) if shown || self.bodies.is_none() => Ok(()),
            Ok(()) | Err(PassError::Visitor(Left)) => Err(self.not_then()),
        }
    }

    /// The error for a selection of which no step has a body.
    fn not_then(&self) -> ShowError {
        let (first, last) = (self.steps.start(), self.steps.end());
        let when = if first == last { format!("at step {first}") } else { format!("in steps {first} to {last}") };
        let bodies = self.bodies.as_ref().map_or_else(String::new, ToString::to_string);
        let is_name = self.bodies.as_ref().is_some_and(|patterns| patterns.single_name().is_some());
        ShowError::NotThen { bodies, is_name, when }
    }
}

/// Calls `visit` with the whole state of every selected step that has a selected body, in order, until it breaks.
///
/// # Errors
/// When this build does not come to a step as the recording did, or no step has such a body.
pub fn for_each_step(
    replay: &Replay,
    selection: &Selection,
    visit: &mut dyn FnMut(&StepView) -> ControlFlow<()>,
) -> Result<(), ShowError> {
    let mut views = Views { replay, selection, visit, any: false };
    let passed = visit_states(replay, &selection.as_steps(), &mut views);
    let shown = views.any;
    match (passed, selection.steps.start() == selection.steps.end()) {
        // The state of a keyframe can be shown even where this build comes to another.
        (Err(PassError::Rerun(error)), true) => replay.header.scalar.dispatch(Keyframe { views: &mut views, error }),
        (passed, _) => selection.outcome(passed, shown),
    }
}

/// As [`for_each_step`], of the bodies only: for long runs of many bodies.
///
/// # Errors
/// As for [`for_each_step`].
pub fn for_each_step_bodies(
    replay: &Replay,
    selection: &Selection,
    visit: &mut dyn FnMut(&StepBodies) -> ControlFlow<()>,
) -> Result<(), ShowError> {
    let mut rows = Rows { replay, selection, visit, any: false };
    let passed = visit_states(replay, &selection.as_steps(), &mut rows);
    selection.outcome(passed, rows.any)
}

/// Whoever asked has left.
#[derive(Debug)]
pub(crate) struct Left;

/// Whether whoever asked wants more.
pub(crate) const fn go_on(flow: ControlFlow<()>) -> Result<(), Left> {
    if flow.is_break() { Err(Left) } else { Ok(()) }
}

struct Views<'a> {
    replay: &'a Replay,
    selection: &'a Selection,
    visit: &'a mut dyn FnMut(&StepView) -> ControlFlow<()>,
    any: bool,
}

impl StateVisitor for Views<'_> {
    type Error = Left;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Left> {
        let view = step_view(self.replay, world, self.selection.bodies.as_ref());
        if view.bodies.is_empty() && self.selection.bodies.is_some() {
            return Ok(());
        }
        self.any = true;
        go_on((self.visit)(&view))
    }
}

struct Rows<'a> {
    replay: &'a Replay,
    selection: &'a Selection,
    visit: &'a mut dyn FnMut(&StepBodies) -> ControlFlow<()>,
    any: bool,
}

impl StateVisitor for Rows<'_> {
    type Error = Left;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Left> {
        let step = world.step_number();
        let bodies = body_views(world, self.selection.bodies.as_ref());
        if bodies.is_empty() && self.selection.bodies.is_some() {
            return Ok(());
        }
        self.any = true;
        go_on((self.visit)(&StepBodies { step, time: time_of(self.replay, step), bodies }))
    }
}

/// Shows the state that a keyframe holds, or gives the error for which it was not come to.
struct Keyframe<'a, 'b> {
    views: &'a mut Views<'b>,
    error: RerunError,
}

impl ScalarTask for Keyframe<'_, '_> {
    type Output = Result<(), ShowError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { views, error } = self;
        let step = *views.selection.steps.start();
        let Some(bytes) = views.replay.keyframes.get(step) else { return Err(error.into()) };
        if check_keyframe::<S>(views.replay, step, &bytes).is_err() {
            return Err(error.into());
        }
        let mut session = Session::<S>::of_replay(views.replay, 1).map_err(RerunError::from)?;
        session.restore(&bytes).map_err(|error| RerunError::Keyframe { step, error })?;
        let visited = views.visit(session.world()).map_err(PassError::Visitor);
        let shown = views.any;
        views.selection.outcome(visited, shown)
    }
}
