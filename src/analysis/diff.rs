//! Where two replays part: step, stage, section, object, field and bits.

use std::path::Path;

use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::outcome::{FirstDifference, Spread, Verdict};
use crate::analysis::rerun::{RerunError, StageStates, advance_to, advance_traced, session_at_keyframe};
use crate::analysis::verify::other_semantics;
use crate::math::{Scalar, ScalarTask};
use crate::replay::{Outcome, Recovered, Replay, ReplayError, read_recovering};
use crate::session::Session;
use crate::world::SEMANTICS_VERSION;
use crate::world::encode::State;

/// A setting in which two replays differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingDifference {
    /// Which setting.
    pub key: &'static str,
    /// As the first replay has it.
    pub a: String,
    /// As the second has it.
    pub b: String,
}

/// What comparing two replays found.
#[derive(Clone, Debug)]
pub struct Diff {
    /// The verdict.
    pub verdict: Verdict,
    /// Settings that differ.
    pub settings: Vec<SettingDifference>,
    /// The first difference of their states.
    pub first: Option<FirstDifference>,
    /// How many objects differ, from the first step on.
    pub spread: Vec<Spread>,
    /// What could not be known, and how to find out.
    pub notes: Vec<String>,
}

/// Compares two replay files; the spread is followed for `window` steps after the first difference.
///
/// Damaged files are compared as far as they can be read; the verdict is then "damaged".
///
/// # Errors
/// When one of them cannot be read at all.
pub fn diff_files(a: &Path, b: &Path, window: u32) -> Result<Diff, ReplayError> {
    Ok(diff_recovered(&read_recovering(a)?, &read_recovering(b)?, window))
}

/// Compares two replays as far as they could be read, as [`diff_files`] does.
#[must_use]
pub fn diff_recovered(a: &Recovered, b: &Recovered, window: u32) -> Diff {
    let mut diff = diff_replays(&a.replay, &b.replay, window);
    for (name, damage) in [("first", &a.damage), ("second", &b.damage)] {
        if let Some(damage) = damage {
            diff.verdict = Verdict::Damaged;
            diff.notes.push(format!("the {name} replay is damaged: {damage}; compared as far as it goes"));
        }
    }
    diff
}

/// Compares two replays that have been read.
#[must_use]
pub fn diff_replays(a: &Replay, b: &Replay, window: u32) -> Diff {
    let mut diff =
        Diff { verdict: Verdict::Same, settings: differing_settings(a, b), first: None, spread: vec![], notes: vec![] };
    if a.header.scalar != b.header.scalar {
        diff.verdict = Verdict::Diverged;
        diff.first = Some(FirstDifference { step: 0, stage: None, section: None, field: None, seen_at: None });
        diff.notes.push("the runs use different scalars, so that no bits can agree".to_owned());
    } else if let Some(step) = first_differing_step(a, b) {
        diff.verdict = Verdict::Diverged;
        a.header.scalar.dispatch(Name { a, b, step, window, diff: &mut diff });
    } else if a.steps.len() != b.steps.len() {
        diff.verdict = Verdict::Diverged;
        diff.notes.push(format!(
            "the same as far as both go: {} and {} steps",
            a.steps.len().saturating_sub(1),
            b.steps.len().saturating_sub(1)
        ));
    } else if outcomes_differ(a, b) {
        diff.verdict = Verdict::Diverged;
        diff.notes.push("the same in every step, but one run ended on an error".to_owned());
    }
    if a.header.semantics != b.header.semantics {
        diff.verdict = Verdict::OtherSemantics;
    }
    for replay in [a, b] {
        if replay.header.semantics != SEMANTICS_VERSION {
            diff.notes.push(other_semantics(&replay.header));
        }
    }
    diff
}

/// Settings in which two replays differ, in the order in which people ask for them.
fn differing_settings(a: &Replay, b: &Replay) -> Vec<SettingDifference> {
    let (left, right) = (&a.header, &b.header);
    let whether = |same: bool| if same { "the same" } else { "another" }.to_owned();
    let inputs = |replay: &Replay| format!("{} inputs", replay.inputs.len());
    let rows = [
        ("scalar", left.scalar.to_string(), right.scalar.to_string()),
        ("semantics", left.semantics.to_string(), right.semantics.to_string()),
        ("scene", left.scene_name.clone(), right.scene_name.clone()),
        ("dt", left.dt.clone(), right.dt.clone()),
        ("steps", left.steps.to_string(), right.steps.to_string()),
        ("threads", left.threads.to_string(), right.threads.to_string()),
        ("overrides", left.overrides.join(" "), right.overrides.join(" ")),
        ("inputs", inputs(a), if a.inputs == b.inputs { inputs(a) } else { format!("{}, others", inputs(b)) }),
        ("scene text", whether(true), whether(a.scene == b.scene)),
        ("producer", left.producer.clone(), right.producer.clone()),
    ];
    let differing = rows.into_iter().filter(|(_, a, b)| a != b);
    differing.map(|(key, a, b)| SettingDifference { key, a, b }).collect()
}

fn first_differing_step(a: &Replay, b: &Replay) -> Option<u32> {
    let first = a.steps.iter().zip(&b.steps).position(|(a, b)| a != b)?;
    u32::try_from(first).ok()
}

fn outcomes_differ(a: &Replay, b: &Replay) -> bool {
    let stopped =
        |replay: &Replay| replay.ending.as_ref().map(|ending| matches!(ending.outcome, Outcome::Stopped { .. }));
    matches!((stopped(a), stopped(b)), (Some(a), Some(b)) if a != b)
}

/// Names the first difference of two replays of one scalar.
struct Name<'a> {
    a: &'a Replay,
    b: &'a Replay,
    step: u32,
    window: u32,
    diff: &'a mut Diff,
}

impl ScalarTask for Name<'_> {
    type Output = ();

    fn run<S: Scalar>(self) {
        let Self { a, b, step, window, diff } = self;
        let mut first =
            FirstDifference { step, stage: None, section: first_section(a, b, step), field: None, seen_at: None };
        match reach::<S>(a, b, step) {
            Ok(mut sides) => {
                first.stage = sides.first_differing_stage();
                let difference = sides.difference();
                first.seen_at = difference.first.as_ref().map(|_| step);
                first.field = difference.first;
                diff.spread.push(Spread { step, objects: difference.objects });
                sides.follow(window, &mut diff.spread);
            }
            Err((side, error)) => {
                diff.notes.push(format!("object and field are not proved: of the {side} replay, {error}"));
                diff.notes.push(
                    "run `physim diff` with the build that made it, or record both runs with `--keyframe-every 1`"
                        .to_owned(),
                );
                name_at_keyframe::<S>(a, b, step, &mut first, &mut diff.spread);
            }
        }
        if let Some(field) = &first.field {
            first.section.get_or_insert(field.section.to_owned());
        }
        diff.first = Some(first);
    }
}

/// The first section whose digests differ in a step.
fn first_section(a: &Replay, b: &Replay, step: u32) -> Option<String> {
    let (left, right) = (a.steps.get(step as usize)?, b.steps.get(step as usize)?);
    let names = a.header.sections.iter().zip(&b.header.sections);
    names
        .zip(left.sections.iter().zip(&right.sections))
        .find(|((_, _), (left, right))| left != right)
        .map(|((name, _), _)| name.clone())
}

/// The two runs at the step in which they first differ, each proved to be as it was recorded.
struct Sides<'a, S: Scalar> {
    replays: [&'a Replay; 2],
    sessions: [Session<S>; 2],
    stages: Option<[StageStates<S>; 2]>,
}

/// Runs both replays again up to the step in which they differ, from their last keyframes before it.
fn reach<'a, S: Scalar>(a: &'a Replay, b: &'a Replay, step: u32) -> Result<Sides<'a, S>, (&'static str, RerunError)> {
    let one = |name: &'static str, replay: &Replay| -> Result<_, (&'static str, RerunError)> {
        let before = step.saturating_sub(1);
        let mut session = session_at_keyframe::<S>(replay, before).map_err(|error| (name, error))?;
        advance_to(replay, &mut session, before).map_err(|error| (name, error))?;
        let stages =
            (step > 0).then(|| advance_traced(replay, &mut session)).transpose().map_err(|error| (name, error))?;
        Ok((session, stages))
    };
    let ((first, first_stages), (second, second_stages)) = (one("first", a)?, one("second", b)?);
    let stages = first_stages.zip(second_stages).map(|(first, second)| [first, second]);
    Ok(Sides { replays: [a, b], sessions: [first, second], stages })
}

impl<S: Scalar> Sides<'_, S> {
    /// The first stage after which the states differ.
    fn first_differing_stage(&mut self) -> Option<&'static str> {
        let [a, b] = self.stages.take()?;
        let parted = a.0.iter().zip(&b.0).find(|((_, a), (_, b))| a != b);
        // A change after the last stage shows in no stage, only in the state at the end.
        parted.or(a.0.last().zip(b.0.last())).map(|((stage, _), _)| stage.name())
    }

    fn difference(&self) -> StateDifference {
        let [a, b] = [0, 1].map(|side| State::<S>::decode(&self.sessions[side].encoded().bytes));
        match (a, b) {
            (Ok(a), Ok(b)) => compare_states(&a, &b),
            _ => StateDifference::default(),
        }
    }

    /// Steps both on, as long as both are as recorded, and counts the objects that differ.
    fn follow(&mut self, window: u32, spread: &mut Vec<Spread>) {
        for _ in 0..window {
            let step = self.sessions[0].step_number() + 1;
            for side in 0..2 {
                if advance_to(self.replays[side], &mut self.sessions[side], step).is_err() {
                    return;
                }
            }
            spread.push(Spread { step, objects: self.difference().objects });
        }
    }
}

/// Names object and field from the next keyframe that both replays hold.
fn name_at_keyframe<S: Scalar>(
    a: &Replay,
    b: &Replay,
    step: u32,
    first: &mut FirstDifference,
    spread: &mut Vec<Spread>,
) {
    let common = a.keyframes.range(step..).find_map(|(at, left)| Some((*at, left, b.keyframes.get(at)?)));
    let Some((at, left, right)) = common else {
        return;
    };
    if let (Ok(left), Ok(right)) = (State::<S>::decode(left), State::<S>::decode(right)) {
        let difference = compare_states(&left, &right);
        first.seen_at = difference.first.as_ref().map(|_| at);
        first.field = difference.first;
        spread.push(Spread { step: at, objects: difference.objects });
    }
}
