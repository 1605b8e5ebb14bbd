//! Names the first difference of two replays, by running the step in which they diverge again.
//!
//! Each side starts from its last keyframe before the step, or from further back where that does not come to what was
//! recorded, and is held to its recorded hashes on the way. The step itself is looked at while it is taken.

use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::diff::{Diff, DiffOptions, stop_of};
use crate::analysis::outcome::{Finding, FirstDifference, Spread};
use crate::analysis::rerun::{RerunError, advance_to, check, session_at_keyframe};
use crate::analysis::step_difference::{Keep, Named, TakenStep};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::session::Session;
use crate::session::keyframe::check_keyframe;
use crate::world::encode::State;

/// What two sides are called.
const SIDES: [&str; 2] = ["first", "second"];
/// Up to how many bodies, times steps, a run is soon done again from its start.
const SOON_DONE: u64 = 100_000;
/// Most starts between the first and the last keyframe that are tried, where the last one does not do.
const MOST_STARTS: usize = 6;
/// What is said where a step that is too large to be kept in memory does not come out the same twice.
const ANOTHER_STEP: &str = "taken once more, the step is another one: the checkpoint is named by its hashes, the object is not; \
                            what differs does not repeat";

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
        let target = Target { step, keep: options.checkpoints.then_some(Keep::All) };
        match reach::<S>(replays, target) {
            Ok(mut sides) => {
                sides.name(&mut first, &mut diff.notes, options);
                sides.follow(options.window, first.field.as_ref(), diff);
            }
            Err(lost) => {
                let Lost { side, error, finding } = *lost;
                first.findings.extend(finding);
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
    /// The step as this very run took it; without checkpoints when the difference is in state 0.
    taken: TakenStep<S>,
    /// Why the run stopped in this step.
    stopped: Option<String>,
    /// The step from which it was run again.
    start: u32,
    /// What running it again showed about the run.
    finding: Option<Finding>,
}

/// Both sides, each proved to be as it was recorded.
pub(super) struct Sides<'a, S: Scalar>(pub(super) [Side<'a, S>; 2]);

/// A side that cannot be run again as it was recorded.
struct Lost {
    side: usize,
    error: Box<RerunError>,
    finding: Option<Finding>,
}

/// Runs both replays again up to the step in which they differ.
fn reach<S: Scalar>(replays: [&Replay; 2], target: Target) -> Result<Sides<'_, S>, Box<Lost>> {
    let one = |side: usize| {
        Side::reach_somehow(replays[side], target, &format!("the {} replay", SIDES[side]))
            .map_err(|(error, finding)| Box::new(Lost { side, error, finding }))
    };
    Ok(Sides([one(0)?, one(1)?]))
}

/// Which step is taken again, and how it is looked at.
#[derive(Clone, Copy)]
struct Target {
    step: u32,
    /// Which checkpoints are kept; `None` where none is looked at.
    keep: Option<Keep>,
}

impl Target {
    /// The same step, of which only the hashes are wanted.
    fn hashed(self) -> Self {
        Self { keep: self.keep.map(|_| Keep::Nothing), ..self }
    }
}

impl<'a, S: Scalar> Side<'a, S> {
    /// Runs a replay again: from its start where that is soon done, otherwise from its last keyframe before the step, and from
    /// further back where that does not come to what was recorded. A restore removes whatever hides outside the state.
    fn reach_somehow(
        replay: &'a Replay,
        target: Target,
        name: &str,
    ) -> Result<Self, (Box<RerunError>, Option<Finding>)> {
        let before = target.step.saturating_sub(1);
        let mut starts: Vec<u32> = replay.keyframes.within(..=before).collect();
        starts.retain(|step| *step > 0);
        let Some(last) = starts.pop() else {
            return Self::reach(replay, target, 0).map_err(|error| (Box::new(error), None));
        };
        let work = u64::from(target.step).saturating_mul(u64::from(replay.header.bodies).max(1));
        let whole = (work <= SOON_DONE).then(|| Self::reach(replay, target, 0).ok()).flatten();
        // Beside the whole run another is only held to its hashes: one such step in memory is enough.
        let beside = if whole.is_some() { target.hashed() } else { target };
        let error = match (Self::reach(replay, beside, last), &whole) {
            // The same end by another way: what the step derived was not the same, restored.
            (Ok(later), Some(whole)) if !whole.taken.agrees_with(&later.taken, usize::MAX - 1) => {
                RerunError::NotReproduced { step: target.step }
            }
            (Ok(later), _) => return Ok(whole.unwrap_or(later)),
            (Err(error), _) => error,
        };
        let refused = refusal(&error, last, name);
        let mut side = match whole {
            Some(whole) => whole,
            None => Self::reach(replay, target, 0).map_err(|error| (Box::new(error), refused.clone()))?,
        };
        side.finding = refused.or_else(|| {
            let (run, differs_at) = (name.to_owned(), step_of(&error, last));
            let reproduces_from = Self::last_good_start(replay, target.hashed(), starts, &side);
            Some(Finding::HiddenState { run, restored_at: last, differs_at, reproduces_from })
        });
        Ok(side)
    }

    /// The last of these starts from which the step comes out as it did from the very start; looked for by halves.
    fn last_good_start(replay: &'a Replay, target: Target, mut starts: Vec<u32>, whole: &Self) -> u32 {
        let mut good = 0;
        for _ in 0..MOST_STARTS {
            if starts.is_empty() {
                break;
            }
            let middle = starts.len() / 2;
            let later = Self::reach(replay, target, starts[middle]);
            if later.is_ok_and(|later| later.taken.agrees_with(&whole.taken, usize::MAX - 1)) {
                good = starts[middle];
                starts.drain(..=middle);
            } else {
                starts.truncate(middle);
            }
        }
        good
    }

    /// Runs a replay again from a keyframe, or from the very start; every step is proved to be the recorded one.
    fn reach(replay: &'a Replay, target: Target, start: u32) -> Result<Self, RerunError> {
        let mut session = session_at_keyframe::<S>(replay, start)?;
        advance_to(replay, &mut session, target.step.saturating_sub(1))?;
        let taken = TakenStep::after((target.step > 0).then(|| session.world().state()));
        let mut side = Self { replay, session, taken, stopped: None, start, finding: None };
        if target.step > 0 {
            side.take_step(target.keep)?;
        }
        Ok(side)
    }

    /// Takes the step, looking at its checkpoints; the end is proved to be the recorded one.
    fn take_step(&mut self, keep: Option<Keep>) -> Result<(), RerunError> {
        let stopped = match keep {
            Some(keep) => self.session.advance(&mut self.taken.observer(keep)).err(),
            None => self.session.advance(&mut ()).err(),
        };
        match (stopped, stop_of(self.replay)) {
            (None, _) => check(self.replay, &self.session),
            (Some(error), Some(message)) if error.to_string() == message => {
                self.stopped = Some(error.to_string());
                Ok(())
            }
            (Some(error), _) => Err(RerunError::Step(error)),
        }
    }

    /// The step taken once more by a run from the same start, to keep the data around one checkpoint; `None` when that run is
    /// another.
    fn taken_around(&self, step: u32, checkpoint: usize) -> Option<TakenStep<S>> {
        let target = Target { step, keep: Some(Keep::Around(checkpoint)) };
        let again = Self::reach(self.replay, target, self.start).ok()?;
        self.taken.agrees_with(&again.taken, checkpoint).then_some(again.taken)
    }

    pub(super) fn state(&self) -> State<S> {
        self.session.world().state()
    }
}

impl<S: Scalar> Sides<'_, S> {
    fn name(&mut self, first: &mut FirstDifference, notes: &mut Vec<String>, options: DiffOptions) {
        let [a, b] = [0, 1].map(|side| &self.0[side].taken);
        match first.see_steps([a, b], options.fields) {
            Named::Fully => {}
            Named::Nothing => first.take(self.difference(options.fields)),
            Named::CheckpointOnly(checkpoint) => {
                let again = [0, 1].map(|side| self.0[side].taken_around(first.step, checkpoint));
                if let [Some(a), Some(b)] = &again {
                    first.see_steps([a, b], options.fields);
                } else {
                    notes.push(ANOTHER_STEP.to_owned());
                }
            }
        }
        for (side, name) in self.0.iter().zip(SIDES) {
            first.findings.extend(side.finding.clone());
            if let Some(message) = &side.stopped {
                notes.push(format!("the {name} run stops in this step: {message}"));
            }
        }
    }

    /// How the states at the end of the step differ.
    pub(super) fn difference(&self, fields: usize) -> StateDifference {
        compare_states(&self.0[0].state(), &self.0[1].state(), fields)
    }

    /// Whether one side goes no further than this step.
    pub(super) fn has_stopped(&self) -> bool {
        self.0.iter().any(|side| side.stopped.is_some())
    }
}

/// What a keyframe that no run can go on from is, as a finding.
fn refusal(error: &RerunError, at: u32, name: &str) -> Option<Finding> {
    let error = match error {
        RerunError::Keyframe { error, .. } => error.to_string(),
        RerunError::NotReproduced { step } if *step == at => {
            "read back, it is not the state whose hash is recorded".to_owned()
        }
        _ => return None,
    };
    Some(Finding::RefusedRestore { run: name.to_owned(), step: at, error })
}

/// The step in which a run that was restored at `at` is another.
fn step_of(error: &RerunError, at: u32) -> u32 {
    match error {
        RerunError::NotReproduced { step } | RerunError::Contradiction { step, .. } => *step,
        RerunError::Step(error) => error.step(),
        RerunError::Playback(_) | RerunError::Keyframe { .. } => at,
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
    let Some(at) = a.keyframes.within(step..).find(|at| b.keyframes.contains(*at)) else {
        return;
    };
    let [left, right] = [a, b].map(|replay| replay.keyframes.get(at).unwrap_or_default());
    if [(a, &left), (b, &right)].into_iter().any(|(replay, bytes)| check_keyframe::<S>(replay, at, bytes).is_err()) {
        return;
    }
    if let (Ok(left), Ok(right)) = (State::<S>::decode(&left), State::<S>::decode(&right)) {
        let difference = compare_states(&left, &right, options.fields);
        first.seen_at = difference.first().map(|_| at);
        first.field = difference.first().cloned();
        spread.push(Spread { step: at, objects: difference.objects.len() });
        first.objects = Some(difference.objects.len()).filter(|objects| *objects > 0);
        first.fields = difference.fields;
    }
}
