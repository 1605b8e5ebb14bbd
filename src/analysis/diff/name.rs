//! Names the first difference of two replays, by running the step in which they part again.
//!
//! Each side starts from its last keyframe before the step and is held to its recorded hashes on the way. The step itself
//! is taken twice: once to hash every moment, once more to look at the first moment that differs.

use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::diff::{Diff, DiffOptions, stop_of};
use crate::analysis::moments::Around;
use crate::analysis::outcome::{FirstDifference, Spread};
use crate::analysis::rerun::{RerunError, advance_to, check, session_at_keyframe};
use crate::analysis::step_difference::{HashedMoment, Sight, first_differing, hash_moments};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::session::Session;
use crate::world::encode::State;
use crate::world::stage::Observer;

/// What two sides are called.
const SIDES: [&str; 2] = ["first", "second"];

/// Names the first difference of two replays of one scalar.
pub struct Naming<'a> {
    /// The two.
    pub replays: [&'a Replay; 2],
    /// The first step in which they differ.
    pub step: u32,
    /// How far to go.
    pub options: DiffOptions,
    /// What is found.
    pub diff: &'a mut Diff,
}

impl ScalarTask for Naming<'_> {
    type Output = ();

    fn run<S: Scalar>(self) {
        let Self { replays, step, options, diff } = self;
        let mut first = FirstDifference { section: first_section(replays, step), ..FirstDifference::in_step(step) };
        match reach::<S>(replays, step, options) {
            Ok(mut sides) => {
                sides.name(&mut first, &mut diff.notes, options);
                sides.follow(options.window, first.field.as_ref(), diff);
            }
            Err((side, error)) => {
                diff.notes.push(format!("object and field are not proved: of the {} replay, {error}", SIDES[side]));
                diff.notes.push(
                    "run `physim diff` with the build that made it, or make a trace there (`physim trace REPLAY \
                     --steps FROM..TO`) and compare the traces"
                        .to_owned(),
                );
                name_at_keyframe::<S>(replays, step, options, &mut first, &mut diff.spread);
            }
        }
        if let Some(field) = &first.field {
            first.section.get_or_insert(field.section.clone());
        }
        diff.first = Some(first);
    }
}

/// The first section whose digests differ in a step.
fn first_section([a, b]: [&Replay; 2], step: u32) -> Option<String> {
    let (left, right) = (a.steps.get(step as usize)?, b.steps.get(step as usize)?);
    let names = a.header.sections.iter().zip(&b.header.sections);
    names
        .zip(left.sections.iter().zip(&right.sections))
        .find(|((_, _), (left, right))| left != right)
        .map(|((name, _), _)| name.clone())
}

/// One side at the end of the step in which the two differ; of a run that stopped in it, at the end of the step before.
pub(super) struct Side<'a, S: Scalar> {
    pub(super) replay: &'a Replay,
    pub(super) session: Session<S>,
    /// The canonical bytes at the end of the step before; `None` when the difference is in state 0.
    before: Option<Vec<u8>>,
    moments: Vec<HashedMoment>,
    /// Why the run stopped in this step.
    stopped: Option<String>,
}

/// Both sides, each proved to be as it was recorded.
pub(super) struct Sides<'a, S: Scalar>(pub(super) [Side<'a, S>; 2]);

/// Runs both replays again up to the step in which they differ, from their last keyframes before it.
fn reach<S: Scalar>(
    replays: [&Replay; 2],
    step: u32,
    options: DiffOptions,
) -> Result<Sides<'_, S>, (usize, RerunError)> {
    let one = |side: usize| Side::reach(replays[side], step, options).map_err(|error| (side, error));
    Ok(Sides([one(0)?, one(1)?]))
}

impl<'a, S: Scalar> Side<'a, S> {
    fn reach(replay: &'a Replay, step: u32, options: DiffOptions) -> Result<Self, RerunError> {
        let before = step.saturating_sub(1);
        let mut session = session_at_keyframe::<S>(replay, before)?;
        advance_to(replay, &mut session, before)?;
        let mut side = Self { replay, session, before: None, moments: Vec::new(), stopped: None };
        if step > 0 {
            side.before = Some(side.session.encoded().bytes.clone());
            side.take_step(options.moments)?;
        }
        Ok(side)
    }

    /// Takes the step, hashing every moment of it; the end is proved to be the recorded one.
    fn take_step(&mut self, hash_them: bool) -> Result<(), RerunError> {
        let mut moments = Vec::new();
        let stopped = if hash_them {
            self.session.advance(&mut hash_moments(&mut moments)).err()
        } else {
            self.session.advance(&mut ()).err()
        };
        self.moments = moments;
        match (stopped, stop_of(self.replay)) {
            (None, _) => check(self.replay, &self.session),
            (Some(error), Some(message)) if error.to_string() == message => {
                self.stopped = Some(error.to_string());
                Ok(())
            }
            (Some(error), _) => Err(RerunError::Step(error)),
        }
    }

    /// Takes the step once more, to look at what is around one of its moments.
    fn look(&mut self, moment: usize) -> Sight<S> {
        let mut around = Around::moment(moment);
        self.retake(&mut around);
        Sight { before_step: self.before.as_ref().and_then(|before| State::decode(before).ok()), around }
    }

    fn retake(&mut self, observer: &mut impl Observer<S>) {
        let Some(before) = &self.before else { return };
        if self.session.restore(before).is_ok() {
            // It was taken before: it ends as it did.
            let _ = self.session.advance(observer);
        }
    }

    pub(super) fn state(&self) -> Option<State<S>> {
        State::decode(&self.session.encoded().bytes).ok()
    }
}

impl<S: Scalar> Sides<'_, S> {
    fn name(&mut self, first: &mut FirstDifference, notes: &mut Vec<String>, options: DiffOptions) {
        let [a, b] = [0, 1].map(|side| self.0[side].moments.as_slice());
        match first_differing(a, b) {
            Some((index, moment)) => {
                let [a, b] = [0, 1].map(|side| self.0[side].look(index));
                first.see(moment, [&a, &b], options.fields);
            }
            None => first.take(self.difference(options.fields)),
        }
        for (side, name) in self.0.iter().zip(SIDES) {
            if let Some(message) = &side.stopped {
                notes.push(format!("the {name} run stops in this step: {message}"));
            }
        }
    }

    /// How the states at the end of the step differ.
    pub(super) fn difference(&self, fields: usize) -> StateDifference {
        match (self.0[0].state(), self.0[1].state()) {
            (Some(a), Some(b)) => compare_states(&a, &b, fields),
            _ => StateDifference::default(),
        }
    }

    /// Whether one side goes no further than this step.
    pub(super) fn has_stopped(&self) -> bool {
        self.0.iter().any(|side| side.stopped.is_some())
    }
}

/// Names object and field from the next keyframe that both replays hold.
fn name_at_keyframe<S: Scalar>(
    [a, b]: [&Replay; 2],
    step: u32,
    options: DiffOptions,
    first: &mut FirstDifference,
    spread: &mut Vec<Spread>,
) {
    let common = a.keyframes.range(step..).find_map(|(at, left)| Some((*at, left, b.keyframes.get(at)?)));
    let Some((at, left, right)) = common else {
        return;
    };
    if let (Ok(left), Ok(right)) = (State::<S>::decode(left), State::<S>::decode(right)) {
        let difference = compare_states(&left, &right, options.fields);
        first.seen_at = difference.first().map(|_| at);
        first.field = difference.first().cloned();
        spread.push(Spread { step: at, objects: difference.objects.len() });
        first.objects = Some(difference.objects.len()).filter(|objects| *objects > 0);
        first.fields = difference.fields;
    }
}
