//! The states of a range of steps, one after the other, in one pass over the run.
//!
//! Nothing is kept: whoever asks gets a step at a time, and may leave.

use std::ops::{ControlFlow, RangeInclusive};

use crate::analysis::body_pattern::BodyPattern;
use crate::analysis::rerun::{RerunError, advance_to, session_at_keyframe};
use crate::analysis::show::{BodyView, ShowError, StepView, body_views, last_step, step_view, time_of};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::scene::input::parse_input_line;
use crate::scene::model::Action;
use crate::scene::nearest::nearest;
use crate::session::Session;

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
    pub bodies: Option<BodyPattern>,
    /// The names of the bodies that are meant, sorted.
    pub names: Vec<String>,
}

impl Selection {
    /// The selection, if the replay has these steps and bodies.
    ///
    /// # Errors
    /// When a step is behind the end of the replay, or no body matches.
    pub fn new(replay: &Replay, steps: RangeInclusive<u32>, bodies: Option<&str>) -> Result<Self, ShowError> {
        let last = last_step(replay);
        if let Some(&step) = [steps.start(), steps.end()].into_iter().find(|step| **step > last) {
            return Err(ShowError::NoSuchStep { step, last });
        }
        let mut names = body_names(replay)?;
        let bodies = bodies.map(|text| BodyPattern::new(text).among(names.iter().map(String::as_str)));
        if let Some(pattern) = &bodies {
            let hint = hint(pattern.text(), &names);
            names.retain(|name| pattern.matches(name));
            if names.is_empty() {
                return Err(ShowError::NoSuchBody { body: pattern.text().to_owned(), hint });
            }
        }
        Ok(Self { steps, bodies, names })
    }

    /// The error for a selection of which no step has a body.
    fn not_then(&self) -> ShowError {
        let (first, last) = (self.steps.start(), self.steps.end());
        let when = if first == last { format!("at step {first}") } else { format!("in steps {first} to {last}") };
        let body = self.bodies.as_ref().map_or_else(String::new, |pattern| pattern.text().to_owned());
        ShowError::NotThen { body, when }
    }
}

/// The names of all bodies that a replay has at some step, sorted.
///
/// # Errors
/// When the replay cannot be run by this build.
pub fn body_names(replay: &Replay) -> Result<Vec<String>, ShowError> {
    replay.header.scalar.dispatch(Names(replay))
}

struct Names<'a>(&'a Replay);

impl ScalarTask for Names<'_> {
    type Output = Result<Vec<String>, ShowError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self(replay) = self;
        let session = Session::<S>::of_replay(replay, 1).map_err(RerunError::from)?;
        let mut names: Vec<String> = session.world().bodies().name.iter().map(ToString::to_string).collect();
        let lines = (1..).zip(&replay.inputs);
        let inputs = lines.filter_map(|(number, input)| parse_input_line("inputs", number, &input.text).ok());
        names.extend(inputs.filter_map(|input| match input.action {
            Action::Spawn(body) => Some(body.name),
            _ => None,
        }));
        names.sort();
        names.dedup();
        Ok(names)
    }
}

/// The name that may have been meant, or a few of those that there are.
fn hint(wanted: &str, names: &[String]) -> String {
    if let Some(name) = nearest(wanted, names.iter().map(String::as_str)) {
        return format!("; did you mean {name:?}?");
    }
    let few: Vec<String> = names.iter().take(5).map(|name| format!("{name:?}")).collect();
    let more = if names.len() > few.len() { ", ..." } else { "" };
    if few.is_empty() { "; it has no bodies".to_owned() } else { format!("; it has {}{more}", few.join(", ")) }
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
    replay.header.scalar.dispatch(Pass { replay, selection, visitor: Views { visit, any: false } })
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
    replay.header.scalar.dispatch(Pass { replay, selection, visitor: Rows { visit, any: false } })
}

/// Takes what it wants of a session at each step.
trait Visitor {
    /// Whether a step had anything to show.
    fn saw_any(&self) -> bool;

    fn visit<S: Scalar>(&mut self, pass: (&Replay, &Selection), session: &Session<S>) -> ControlFlow<()>;
}

struct Views<'a> {
    visit: &'a mut dyn FnMut(&StepView) -> ControlFlow<()>,
    any: bool,
}

impl Visitor for Views<'_> {
    fn saw_any(&self) -> bool {
        self.any
    }

    fn visit<S: Scalar>(&mut self, pass: (&Replay, &Selection), session: &Session<S>) -> ControlFlow<()> {
        let (replay, selection) = pass;
        let view = step_view(replay, session, selection.bodies.as_ref());
        if view.bodies.is_empty() && selection.bodies.is_some() {
            return ControlFlow::Continue(());
        }
        self.any = true;
        (self.visit)(&view)
    }
}

struct Rows<'a> {
    visit: &'a mut dyn FnMut(&StepBodies) -> ControlFlow<()>,
    any: bool,
}

impl Visitor for Rows<'_> {
    fn saw_any(&self) -> bool {
        self.any
    }

    fn visit<S: Scalar>(&mut self, pass: (&Replay, &Selection), session: &Session<S>) -> ControlFlow<()> {
        let (replay, selection) = pass;
        let step = session.step_number();
        let bodies = body_views(session.world(), selection.bodies.as_ref());
        if bodies.is_empty() && selection.bodies.is_some() {
            return ControlFlow::Continue(());
        }
        self.any = true;
        (self.visit)(&StepBodies { step, time: time_of(replay, step), bodies })
    }
}

struct Pass<'a, V> {
    replay: &'a Replay,
    selection: &'a Selection,
    visitor: V,
}

impl<V: Visitor> ScalarTask for Pass<'_, V> {
    type Output = Result<(), ShowError>;

    fn run<S: Scalar>(mut self) -> Self::Output {
        let (first, last) = (*self.selection.steps.start(), *self.selection.steps.end());
        // Contacts are found within a step, so the first step itself is run, even where it ends at a keyframe.
        let mut session = match self.session_at::<S>(first.saturating_sub(1), first) {
            Ok(session) => session,
            Err(error) => self.at_keyframe(first).filter(|_| first == last).ok_or(error)?,
        };
        let mut was_restored = first > 1 && self.replay.keyframes.range(1..first).next().is_some();
        loop {
            let is_over = self.visitor.visit((self.replay, self.selection), &session).is_break();
            let next = session.step_number().saturating_add(1);
            if is_over || next > last {
                break;
            }
            match advance_to(self.replay, &mut session, next) {
                Ok(()) => {}
                // A restored run may be another one than that which was recorded.
                Err(_) if was_restored => {
                    session = self.session_at::<S>(0, next)?;
                    was_restored = false;
                }
                Err(error) => return Err(error.into()),
            }
        }
        if self.visitor.saw_any() || self.selection.bodies.is_none() { Ok(()) } else { Err(self.selection.not_then()) }
    }
}

impl<V> Pass<'_, V> {
    /// The session of a step, come to from the keyframe at or before `start`, or from the start where that does not lead
    /// there.
    fn session_at<S: Scalar>(&self, start: u32, step: u32) -> Result<Session<S>, RerunError> {
        let from = |start: u32| {
            let session = session_at_keyframe::<S>(self.replay, start);
            session.and_then(|mut session| advance_to(self.replay, &mut session, step).map(|()| session))
        };
        from(start).or_else(|error| if start == 0 { Err(error) } else { from(0) })
    }

    /// The state that the keyframe of a step holds, where there is one that can be read.
    fn at_keyframe<S: Scalar>(&self, step: u32) -> Option<Session<S>> {
        let bytes = self.replay.keyframes.get(&step)?;
        let mut session = Session::<S>::of_replay(self.replay, 1).ok()?;
        session.restore(bytes).ok()?;
        Some(session)
    }
}
