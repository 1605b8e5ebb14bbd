//! Where two replays diverge: step, stage, phase, section, object, field and bits; how it spread, and whether it healed.
//!
//! [`name`] re-runs the step in which two replays diverge, [`operands`](crate::analysis::operands) says what went into it,
//! [`spread`] follows what came of it. The record of a planted fault helps to find nothing: it is only shown among the
//! settings.

pub mod name;
pub mod settings;
pub mod spread;

use std::collections::BTreeSet;
use std::path::Path;

use crate::analysis::compare_checkpoints::Basis;
use crate::analysis::diff::name::Naming;
use crate::analysis::diff::settings::{SettingDifference, differing_settings};
use crate::analysis::outcome::{FirstDifference, Reached, Spread, Verdict, steps_text};
use crate::analysis::verify::other_semantics;
use crate::replay::{Ending, Recovered, Replay, ReplayError, StepHash, read_recovering};
use crate::session::consistency::examined;
use crate::world::SEMANTICS_VERSION;

/// How far a comparison goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffOptions {
    /// For how many steps to follow how the difference spreads.
    pub window: u32,
    /// How many fields to list, at most.
    pub fields: usize,
    /// Whether the step is re-run checkpoint by checkpoint. Without, no stage is named, and object and field are those of the end of
    /// the step. Only the proof of the detector turns it off.
    pub checkpoints: bool,
}

impl DiffOptions {
    /// How many of the fields that differ first are listed where nobody says how many.
    pub const FIELDS: usize = 8;
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { window: 10, fields: Self::FIELDS, checkpoints: true }
    }
}

/// What comparing two runs found.
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
    /// The last step that is known to be the same, where steps between it and the first difference are not known.
    pub last_same: Option<u32>,
    /// How the difference reached each body, in the order in which it did.
    pub path: Vec<Reached>,
    /// The first step after the difference from which on both are the same again, to the end of both.
    pub healed_at: Option<u32>,
    /// What could not be known, and how to find out.
    pub notes: Vec<String>,
    /// By what the states were compared; nothing where that is the hashes of replays.
    pub bases: BTreeSet<Basis>,
}

impl Diff {
    /// A comparison that found nothing so far.
    #[must_use]
    pub const fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            settings: Vec::new(),
            first: None,
            spread: Vec::new(),
            last_same: None,
            path: Vec::new(),
            healed_at: None,
            notes: Vec::new(),
            bases: BTreeSet::new(),
        }
    }
}

/// Compares two replay files.
///
/// Damaged files are compared as far as they can be read; the verdict is then "damaged".
///
/// # Errors
/// When one of them cannot be read at all.
pub fn diff_files(a: &Path, b: &Path, options: DiffOptions) -> Result<Diff, ReplayError> {
    Ok(diff_recovered(&examined(read_recovering(a)?), &examined(read_recovering(b)?), options))
}

/// Compares two replays as far as they could be read, as [`diff_files`] does.
#[must_use]
pub fn diff_recovered(a: &Recovered, b: &Recovered, options: DiffOptions) -> Diff {
    let mut diff = diff_replays(&a.replay, &b.replay, options);
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
pub fn diff_replays(a: &Replay, b: &Replay, options: DiffOptions) -> Diff {
    let mut diff = Diff { settings: differing_settings(a, b), ..Diff::new(Verdict::Same) };
    if a.header.scalar != b.header.scalar {
        diff.verdict = Verdict::Diverged;
        diff.first = Some(FirstDifference::in_step(0));
        diff.notes.push(
            "the runs use different scalars, so that no bits can agree; compare them in metres and radians with \
             --tolerance"
                .to_owned(),
        );
    } else if let Some((step, section)) = contradiction(a, b) {
        diff.verdict = Verdict::Damaged;
        diff.notes.push(format!(
            "one of the two contradicts itself: in step {step} both have the same hash, and other digests of its section {section}; `physim \
             verify` says which"
        ));
    } else if let Some(step) = first_differing_step(a, b) {
        diff.verdict = Verdict::Diverged;
        diff.healed_at = healed_at(a, b, step);
        a.header.scalar.dispatch(Naming { replays: [a, b], step, options, diff: &mut diff });
    } else if a.steps.len() != b.steps.len() {
        diff.verdict = Verdict::Diverged;
        diff.notes.push(format!(
            "the same as far as both go: {} and {}",
            steps_text(u64::from(a.last_step())),
            steps_text(u64::from(b.last_step()))
        ));
    } else if stop_of(a) != stop_of(b) {
        diff.verdict = Verdict::Diverged;
        let message = stop_of(a).or(stop_of(b)).unwrap_or_default();
        diff.notes.push(format!("the same in every step, but only one run stopped on an error: {message}"));
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

/// The first step whose hashes differ; or that only one run could take, while the other stopped in it.
fn first_differing_step(a: &Replay, b: &Replay) -> Option<u32> {
    let differs = a.steps.iter().zip(b.steps.iter()).position(|(a, b)| a != b);
    let common = a.steps.len().min(b.steps.len());
    let stopped = || {
        let stops = |replay: &Replay| replay.steps.len() == common && stop_of(replay).is_some();
        let goes_on = |replay: &Replay| replay.steps.len() > common;
        ((stops(a) && goes_on(b)) || (stops(b) && goes_on(a))).then_some(common)
    };
    u32::try_from(differs.or_else(stopped)?).ok()
}

/// The first step of which both record the same hash, and the section of which they record other digests: no state gives both.
fn contradiction<'a>(a: &'a Replay, b: &Replay) -> Option<(usize, &'a str)> {
    let differ = |(a, b): (StepHash, StepHash)| {
        let place = a.sections.iter().zip(&b.sections).position(|(a, b)| a != b)?;
        (a.root == b.root).then_some(place)
    };
    let alike = a.header.sections == b.header.sections;
    let mut steps = a.steps.iter().zip(b.steps.iter()).enumerate().filter(|_| alike);
    let (step, place) = steps.find_map(|(step, hashes)| Some((step, differ(hashes)?)))?;
    Some((step, a.header.sections.get(place)?))
}

/// Why a recorded run stopped, if it did.
fn stop_of(replay: &Replay) -> Option<&str> {
    replay.ending.as_ref().and_then(Ending::stop)
}

/// The first step after `step` from which on the hashes are the same, as far as both go.
fn healed_at(a: &Replay, b: &Replay, step: u32) -> Option<u32> {
    if a.steps.len() != b.steps.len() {
        return None;
    }
    let last = a.steps.iter().zip(b.steps.iter()).rposition(|(a, b)| a != b)?;
    let healed = u32::try_from(last + 1).ok()?;
    (healed > step && last + 1 < a.steps.len()).then_some(healed)
}
