//! Does a replay still hold: run it again on this build and compare every step.

use std::path::Path;

use crate::analysis::compare::compare_states;
use crate::analysis::coverage::vacuous_replay;
use crate::analysis::outcome::{FirstDifference, Verdict};
use crate::analysis::rerun::is_recorded;
use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::replay::{
    Header, Outcome, Recovered, Replay, ReplayError, read_recovering, read_recovering_bytes, read_strict,
    read_strict_bytes,
};
use crate::session::Session;
use crate::world::SEMANTICS_VERSION;
use crate::world::encode::{Section, State};
use crate::world::error::StepError;

/// What verifying one replay found.
#[derive(Clone, Debug)]
pub struct Verification {
    /// The verdict.
    pub verdict: Verdict,
    /// The scalar of the run, when the file could be read that far.
    pub scalar: Option<ScalarKind>,
    /// Steps that were compared beyond step 0.
    pub steps: Option<u32>,
    /// The first difference from the recording (side `a`) in this build's run (side `b`).
    pub first: Option<FirstDifference>,
    /// What is wrong with the file.
    pub damage: Option<String>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What the scene claims and a replay that holds does not guard.
    pub warnings: Vec<String>,
    /// The faults that were planted while the replay was recorded, and were planted again here.
    pub planted: Vec<String>,
}

impl Verification {
    const fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            scalar: None,
            steps: None,
            first: None,
            damage: None,
            notes: vec![],
            warnings: vec![],
            planted: vec![],
        }
    }

    fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// Verifies a replay file; `progress` hears of the step reached and of how many there are.
///
/// A damaged file is verified as far as it can be read; its verdict stays "damaged".
///
/// # Errors
/// Only when there is no file to read: missing, a folder, not permitted.
pub fn verify_file(path: &Path, threads: u32, progress: &mut dyn FnMut(u32, u32)) -> Result<Verification, ReplayError> {
    match read_strict(path) {
        Err(error @ (ReplayError::Io { .. } | ReplayError::NotAFile { .. })) => Err(error),
        Err(error) => Ok(verify_damaged(&error, || read_recovering(path), threads, progress)),
        Ok(replay) => Ok(verify_replay(&replay, threads, progress)),
    }
}

/// Verifies the bytes of a replay, as [`verify_file`] does those of a file.
pub fn verify_bytes(bytes: &[u8], threads: u32, progress: &mut dyn FnMut(u32, u32)) -> Verification {
    match read_strict_bytes(bytes) {
        Err(error) => verify_damaged(&error, || read_recovering_bytes(bytes), threads, progress),
        Ok(replay) => verify_replay(&replay, threads, progress),
    }
}

/// Verifies what can be recovered of a replay that is not as it should be.
fn verify_damaged(
    error: &ReplayError,
    recover: impl FnOnce() -> Result<Recovered, ReplayError>,
    threads: u32,
    progress: &mut dyn FnMut(u32, u32),
) -> Verification {
    if matches!(error, ReplayError::OtherFormat { .. }) {
        return Verification::new(Verdict::OtherSemantics).note(error.to_string());
    }
    let mut found = match recover() {
        Ok(recovered) if !recovered.replay.steps.is_empty() => verify_replay(&recovered.replay, threads, progress),
        _ => Verification::new(Verdict::Damaged),
    };
    found.verdict = Verdict::Damaged;
    found.damage = Some(error.to_string());
    found
}

/// Verifies a replay that has been read.
pub fn verify_replay(replay: &Replay, threads: u32, progress: &mut dyn FnMut(u32, u32)) -> Verification {
    let mut found = if replay.header.semantics == SEMANTICS_VERSION {
        replay.header.scalar.dispatch(Verify { replay, threads, progress })
    } else {
        Verification::new(Verdict::OtherSemantics).note(other_semantics(&replay.header))
    };
    found.scalar = Some(replay.header.scalar);
    found.planted = replay.perturbations.iter().map(|planted| planted.fault.clone()).collect();
    if found.verdict == Verdict::Same {
        found.warnings = vacuous_replay(replay);
    }
    found
}

/// Says that a replay is of another semantics version, and what to do.
#[must_use]
pub fn other_semantics(header: &Header) -> String {
    format!(
        "recorded by {} with semantics version {}; this build has version {SEMANTICS_VERSION}, whose results differ on \
         purpose: record it anew, or verify it with the build that made it",
        header.producer, header.semantics
    )
}

struct Verify<'a> {
    replay: &'a Replay,
    threads: u32,
    progress: &'a mut dyn FnMut(u32, u32),
}

impl ScalarTask for Verify<'_> {
    type Output = Verification;

    fn run<S: Scalar>(self) -> Verification {
        let Self { replay, threads, progress } = self;
        let mut session = match Session::<S>::of_replay(replay, threads) {
            Ok(session) => session,
            Err(error) => return Verification::new(Verdict::Diverged).note(error.to_string()),
        };
        let last = u32::try_from(replay.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let mut found = Verification::new(Verdict::Same);
        loop {
            let step = session.step_number();
            found.steps = Some(step);
            let Some(recorded) = replay.steps.get(step as usize) else {
                return found;
            };
            if !is_recorded(recorded, session.hash()) {
                found.verdict = Verdict::Diverged;
                found.first = Some(first_difference(replay, &mut session, step));
                return found;
            }
            if replay.keyframes.get(&step).is_some_and(|state| *state != session.encoded().bytes) {
                found.verdict = Verdict::Damaged;
                found.damage = Some(format!(
                    "the keyframe of step {step} is not the state whose hash is recorded; record the run again"
                ));
                return found;
            }
            progress(step, last);
            if step == last {
                return check_ending(replay, &mut session, found);
            }
            if let Err(error) = session.advance(&mut ()) {
                found.verdict = Verdict::Diverged;
                return found.note(format!("the recording goes on, but this build stops: {error}"));
            }
        }
    }
}

/// The run must end as it did: a recorded stop must come again.
fn check_ending<S: Scalar>(replay: &Replay, session: &mut Session<S>, mut found: Verification) -> Verification {
    let Some(ending) = &replay.ending else {
        return found;
    };
    if session.totals().by_name() != ending.counters {
        found = found.note("the counts of what the run exercised differ from the recorded ones");
    }
    match (&ending.outcome, ending.steps < replay.header.steps) {
        (Outcome::Stopped { message, .. }, _) => {
            let again: Option<StepError> = session.advance(&mut ()).err();
            if again.is_none_or(|error| error.to_string() != *message) {
                found.verdict = Verdict::Diverged;
                return found.note(format!("the recorded run stopped here, this one does not: {message}"));
            }
            found.note(format!("the run stopped on an error, and does so again: {message}"))
        }
        (Outcome::Completed, _) => found,
    }
}

/// Names the first difference between a recording and a session that has just parted from it.
fn first_difference<S: Scalar>(replay: &Replay, session: &mut Session<S>, step: u32) -> FirstDifference {
    let recorded = &replay.steps[step as usize];
    let section = Section::ALL
        .iter()
        .zip(recorded.sections.iter().zip(&session.hash().sections))
        .find(|(_, (recorded, now))| recorded != now)
        .map(|(section, _)| section.name().to_owned());
    let mut first = FirstDifference { section, ..FirstDifference::in_step(step) };
    // The recording holds whole states at keyframes only: there the field can be seen, though maybe late.
    let Some((&keyframe, bytes)) = replay.keyframes.range(step..).next() else {
        return first;
    };
    while session.step_number() < keyframe {
        if session.advance(&mut ()).is_err() {
            return first;
        }
    }
    if let (Ok(a), Ok(b)) = (State::<S>::decode(bytes), State::<S>::decode(&session.encoded().bytes)) {
        let difference = compare_states(&a, &b, 1);
        first.field = difference.first().cloned();
        first.objects = Some(difference.objects.len()).filter(|objects| *objects > 0);
        first.fields = difference.fields;
        first.seen_at = first.field.as_ref().map(|_| keyframe);
    }
    first
}
