//! Does a golden still reproduce? Runs a replay again on this build and compares every step; in [`log`], what a program printed
//! with its golden hash log; in [`runs`], how the runs of a program come out that does not repeat.

pub mod log;
pub mod runs;
mod second_look;

use std::fmt::{Display, Formatter};
use std::path::Path;

use crate::analysis::compare::compare_states;
use crate::analysis::coverage::vacuous_replay;
use crate::analysis::diff::DiffOptions;
use crate::analysis::outcome::{FirstDifference, Verdict};
use crate::analysis::read_back::read_back;
use crate::analysis::rerun::is_recorded;
use crate::analysis::verify::runs::RunOutcome;
use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::parallel::{Exercised, Parallelism};
use crate::replay::{
    Damage, Header, Outcome, Recovered, Replay, ReplayError, StepHash, read_recovering, read_recovering_bytes,
    read_strict, read_strict_bytes,
};
use crate::session::Session;
use crate::session::consistency::contradiction;
use crate::session::keyframe;
use crate::session::record::bytes_per_body;
use crate::world::SEMANTICS_VERSION;
use crate::world::encode::{Section, State};
use crate::world::error::StepError;
use crate::world::state_hash::StateHash;

/// What a golden file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoldenKind {
    /// A replay, be it damaged: this build runs it again.
    Replay,
    /// A hash log: a program prints it again.
    HashLog,
    /// Neither.
    Other,
}

/// What verifying one golden found.
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
    /// What the two sides of the first difference are, where neither is the recording: two runs of one program.
    pub sides: Option<[String; 2]>,
    /// What the golden is.
    pub kind: GoldenKind,
    /// What is wrong with the file.
    pub damage: Option<String>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// What the scene claims and a replay that holds does not guard.
    pub warnings: Vec<String>,
    /// The faults that were planted while the replay was recorded, and were planted again here.
    pub planted: Vec<String>,
    /// What threads did, where anything was run.
    pub exercised: Option<Exercised>,
    /// Whether the notes say why this build differs from the recording: what threads do, or that it does not repeat.
    pub is_explained: bool,
    /// Whether equal runs come out equal, where that was found out.
    pub repeats: Option<bool>,
    /// How each run came out of a program that does not repeat. The first notes say it in words, that it does not repeat and then this.
    pub runs: Vec<RunOutcome>,
}

/// How a run of a replay ended: what two runs are compared by.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ended {
    /// As it was recorded.
    Held,
    /// In another state after a step.
    Parts { step: u32, root: [u8; 32] },
    /// In another way.
    Otherwise(String),
}

impl Display for Ended {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Held => formatter.write_str("as recorded"),
            Self::Parts { step, .. } => write!(formatter, "from step {step} on"),
            Self::Otherwise(what) => formatter.write_str(what),
        }
    }
}

/// A run of a replay.
#[derive(Clone, Debug)]
struct Ran {
    found: Verification,
    ended: Ended,
}

impl Ran {
    const fn held(found: Verification) -> Self {
        Self { found, ended: Ended::Held }
    }

    /// A run that shows that records do not fit each other.
    fn damaged(mut found: Verification, what: String) -> Self {
        found.verdict = Verdict::Damaged;
        found.damage = Some(Damage::contradiction(what).to_string());
        Self::held(found)
    }

    /// A run that is not as recorded, for a reason.
    fn diverged(mut found: Verification, why: String) -> Self {
        found.verdict = Verdict::Diverged;
        Self { found: found.note(why.clone()), ended: Ended::Otherwise(why) }
    }
}

impl Verification {
    const fn new(verdict: Verdict) -> Self {
        Self {
            verdict,
            scalar: None,
            steps: None,
            first: None,
            sides: None,
            kind: GoldenKind::Replay,
            damage: None,
            notes: Vec::new(),
            warnings: Vec::new(),
            planted: Vec::new(),
            exercised: None,
            is_explained: false,
            repeats: None,
            runs: Vec::new(),
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
pub fn verify_file(
    path: &Path,
    parallelism: Parallelism,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Verification, ReplayError> {
    match read_strict(path) {
        Err(error @ (ReplayError::Io { .. } | ReplayError::NotAFile { .. })) => Err(error),
        Err(error) => Ok(verify_damaged(&error, || read_recovering(path), parallelism, progress)),
        Ok(replay) => Ok(verify_replay_with(&replay, parallelism, progress)),
    }
}

/// Verifies the bytes of a replay, as [`verify_file`] does those of a file, in a plain run.
pub fn verify_bytes(bytes: &[u8], threads: u32, progress: &mut dyn FnMut(u32, u32)) -> Verification {
    match read_strict_bytes(bytes) {
        Err(error) => verify_damaged(&error, || read_recovering_bytes(bytes), Parallelism::plain(threads), progress),
        Ok(replay) => verify_replay(&replay, threads, progress),
    }
}

/// Verifies what can be recovered of a replay that is not as it should be.
fn verify_damaged(
    error: &ReplayError,
    recover: impl FnOnce() -> Result<Recovered, ReplayError>,
    parallelism: Parallelism,
    progress: &mut dyn FnMut(u32, u32),
) -> Verification {
    if matches!(error, ReplayError::OtherFormat { .. }) {
        return Verification::new(Verdict::OtherSemantics).note(error.to_string());
    }
    let mut found = match recover() {
        Ok(recovered) if !recovered.replay.steps.is_empty() => {
            verify_replay_with(&recovered.replay, parallelism, progress)
        }
        _ => Verification::new(Verdict::Damaged),
    };
    found.verdict = Verdict::Damaged;
    if matches!(error, ReplayError::NotAReplay { .. }) {
        found.kind = GoldenKind::Other;
    }
    found.damage = Some(error.to_string());
    found
}

/// Verifies a replay that has been read, in a plain run.
pub fn verify_replay(replay: &Replay, threads: u32, progress: &mut dyn FnMut(u32, u32)) -> Verification {
    verify_replay_with(replay, Parallelism::plain(threads), progress)
}

/// Verifies a replay that has been read. Where it does not hold, it is run again plainly on one thread: the notes say whether what
/// threads do has a part in it, and whether it repeats.
pub fn verify_replay_with(
    replay: &Replay,
    parallelism: Parallelism,
    progress: &mut dyn FnMut(u32, u32),
) -> Verification {
    let mut found = if let Some(damage) = contradiction(replay) {
        Verification { damage: Some(damage.to_string()), ..Verification::new(Verdict::Damaged) }
    } else if replay.header.semantics == SEMANTICS_VERSION {
        let mut run = |parallelism| replay.header.scalar.dispatch(Verify { replay, parallelism, progress });
        let first = run(parallelism);
        damaged_all_along(replay, &first)
            .unwrap_or_else(|| second_look::look_again(replay, first, parallelism, &mut run))
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

/// What is known of a replay that did not hold and could not, for a keyframe of it is another state than the one whose hash it records,
/// while one before it fits: that is damage, and every command says so. It is asked only of those that do not hold, so that it costs
/// nothing for those that do; where no keyframe fits, or one cannot be read, the build may be at fault.
fn damaged_all_along(replay: &Replay, ran: &Ran) -> Option<Verification> {
    let wrong =
        (ran.found.verdict == Verdict::Diverged).then(|| keyframe::keyframe_of_other_state(replay)).flatten()?;
    let damage = Some(Damage::contradiction(wrong.to_string()).to_string());
    // Where it differs from the hashes of another state says nothing.
    let Verification { steps, exercised, .. } = ran.found.clone();
    Some(Verification { damage, steps, exercised, ..Verification::new(Verdict::Damaged) })
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
    parallelism: Parallelism,
    progress: &'a mut dyn FnMut(u32, u32),
}

impl ScalarTask for Verify<'_> {
    type Output = Ran;

    fn run<S: Scalar>(self) -> Ran {
        let Self { replay, parallelism, progress } = self;
        let found = Verification::new(Verdict::Same);
        let mut session = match Session::<S>::of_replay_with(replay, parallelism) {
            Ok(session) => session,
            Err(error) => return Ran::diverged(found, error.to_string()),
        };
        if let Err(what) = check_size_of_bodies(&replay.header, &session) {
            return Ran::damaged(found, what);
        }
        let mut ran = follow(replay, &mut session, found, progress);
        ran.found.exercised = Some(session.world().exercised().clone());
        ran
    }
}

/// The header must state the size that the bodies of state 0 have.
fn check_size_of_bodies<S: Scalar>(header: &Header, session: &Session<S>) -> Result<(), String> {
    let (stated, found) = (header.bytes_per_body, bytes_per_body(session));
    if stated == found {
        return Ok(());
    }
    Err(format!("its header states {stated} bytes per body, its bodies have {found}"))
}

/// Steps a session on as long as it is what was recorded.
fn follow<S: Scalar>(
    replay: &Replay,
    session: &mut Session<S>,
    mut found: Verification,
    progress: &mut dyn FnMut(u32, u32),
) -> Ran {
    let last = u32::try_from(replay.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let mut hashes = Hashes::default();
    loop {
        let step = session.step_number();
        found.steps = Some(step);
        let Some(recorded) = replay.steps.get(step as usize) else {
            return Ran::held(found);
        };
        match hashes.compare(step, &recorded, session.hash(), step == last) {
            Compared::Alike => {}
            Compared::Contradiction(what) => return Ran::damaged(found, what),
            Compared::Differ(first) => {
                let first = first.map_or_else(|| first_difference(replay, session, step), |first| *first);
                let ended = Ended::Parts { step: first.step, root: session.hash().root };
                (found.verdict, found.first) = (Verdict::Diverged, Some(first));
                return Ran { found, ended };
            }
        }
        if let Some(bytes) = replay.keyframes.get(step) {
            match check_keyframe(replay, &bytes, session) {
                Ok(()) => {}
                Err(Keyframe::Damaged(damage)) => {
                    found.verdict = Verdict::Damaged;
                    found.damage = Some(damage);
                    return Ran::held(found);
                }
                Err(Keyframe::Lost(why)) => return Ran::diverged(found, why),
            }
        }
        progress(step, last);
        if step == last {
            return check_ending(replay, session, found);
        }
        if let Err(error) = session.advance(&mut ()) {
            return Ran::diverged(found, format!("the recording goes on, but this build stops: {error}"));
        }
    }
}

/// How the hashes of a run compare with the recorded ones, as far as it has come.
#[derive(Default)]
struct Hashes {
    /// Whether one was recorded as it is.
    one_fits: bool,
    /// The first step whose root is the recorded one while the digest of a section is another: the record is wrong, or this build makes
    /// digests of its own, which it then does in every step.
    doubt: Option<(u32, Section)>,
}

/// How the hash of a step compares.
enum Compared {
    /// There is no reason to stop.
    Alike,
    /// The record contradicts itself.
    Contradiction(String),
    /// They differ; here, where it is not in this step that they do so first.
    Differ(Option<Box<FirstDifference>>),
}

impl Hashes {
    /// Compares the hash of the next step.
    fn compare(&mut self, step: u32, recorded: &StepHash, hash: &StateHash, is_last: bool) -> Compared {
        let is_recorded = is_recorded(recorded, hash);
        let section = keyframe::contradicting_section(recorded, hash);
        self.one_fits |= is_recorded;
        self.doubt = self.doubt.or(section.map(|section| (step, section)));
        let differs = !is_recorded && section.is_none();
        match self.doubt {
            Some((step, section)) if self.one_fits => Compared::Contradiction(keyframe::section_text(step, section)),
            Some((step, section)) if differs || is_last => Compared::Differ(Some(Box::new(FirstDifference {
                section: Some(section.name().to_owned()),
                ..FirstDifference::in_step(step)
            }))),
            None if differs => Compared::Differ(None),
            _ => Compared::Alike,
        }
    }
}

/// What is wrong with a keyframe.
enum Keyframe {
    /// It is not what was recorded.
    Damaged(String),
    /// It is, and this build cannot go on from it.
    Lost(String),
}

/// A keyframe must be the state of the step, in bytes from which that state can be read back.
fn check_keyframe<S: Scalar>(replay: &Replay, bytes: &[u8], session: &Session<S>) -> Result<(), Keyframe> {
    let step = session.step_number();
    if session.encoded().first_difference(bytes).is_some() {
        let other_bytes = || format!("the keyframe of step {step} is its state in other bytes");
        let what = keyframe::check_keyframe::<S>(replay, step, bytes)
            .map_or_else(|wrong| wrong.to_string(), |()| other_bytes());
        return Err(Keyframe::Damaged(Damage::contradiction(what).to_string()));
    }
    read_back(bytes, session.world()).map_err(|error| {
        Keyframe::Lost(format!("no run of this build can go on from its own state of step {step}: {error}"))
    })
}

/// The run must end as it did: a recorded stop must come again.
fn check_ending<S: Scalar>(replay: &Replay, session: &mut Session<S>, mut found: Verification) -> Ran {
    let Some(ending) = &replay.ending else {
        return Ran::held(found);
    };
    let counts = session.totals().by_name();
    if let Some((name, recorded)) = ending.counters.iter().find(|(name, recorded)| counts.get(*name) != Some(recorded))
    {
        let now = counts.get(name).copied().unwrap_or_default();
        return Ran::damaged(found, format!("its ending counts {recorded} {name:?}, and its run makes {now}"));
    }
    if counts.len() != ending.counters.len() {
        found = found.note("the counts of what the run exercised differ from the recorded ones");
    }
    let Outcome::Stopped { step, body, message } = &ending.outcome else {
        return Ran::held(found);
    };
    let again: Option<StepError> = session.advance(&mut ()).err();
    let Some(error) = again.filter(|error| error.to_string() == *message) else {
        return Ran::diverged(found, format!("the recorded run stopped here, this one does not: {message}"));
    };
    if (error.step(), error.body()) != (*step, body.as_deref()) {
        return Ran::damaged(found, "its ending names another step or body than its own message".to_owned());
    }
    Ran::held(found.note(format!("the run stopped on an error, and does so again: {message}")))
}

/// Names the first difference between a recording and a session that has just parted from it.
fn first_difference<S: Scalar>(replay: &Replay, session: &mut Session<S>, step: u32) -> FirstDifference {
    let recorded = replay.steps.get(step as usize).unwrap_or_default();
    let section = Section::ALL
        .iter()
        .zip(recorded.sections.iter().zip(&session.hash().sections))
        .find(|(_, (recorded, now))| recorded != now)
        .map(|(section, _)| section.name().to_owned());
    let mut first = FirstDifference { section, ..FirstDifference::in_step(step) };
    // The recording holds whole states at keyframes only: there the field can be seen, though maybe late.
    let Some(at) = replay.keyframes.within(step..).next() else {
        return first;
    };
    let bytes = replay.keyframes.get(at).unwrap_or_default();
    if keyframe::check_keyframe::<S>(replay, at, &bytes).is_err() {
        return first;
    }
    while session.step_number() < at {
        if session.advance(&mut ()).is_err() {
            return first;
        }
    }
    if let (Ok(a), Ok(b)) = (State::<S>::decode(&bytes), State::<S>::decode(&session.encoded().to_bytes())) {
        let difference = compare_states(&a, &b, DiffOptions::FIELDS);
        first.field = difference.first().cloned();
        first.objects = Some(difference.objects.len()).filter(|objects| *objects > 0);
        first.fields = difference.fields;
        first.seen_at = first.field.as_ref().map(|_| at);
    }
    first
}
