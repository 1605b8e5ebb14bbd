//! Whether the keyframes of a replay are the states whose hashes it records: whoever goes on from one relies on it.

use crate::math::{Scalar, ScalarTask};
use crate::replay::{Ending, Replay, StepHash};
use crate::world::SEMANTICS_VERSION;
use crate::world::encode::reader::DecodeError;
use crate::world::encode::{Encoded, Section};
use crate::world::error::StepError;
use crate::world::state_hash::StateHash;

/// How many digits of a hash tell it from another.
const SHOWN_DIGITS: usize = 16;

/// Why a keyframe is not the state whose hash is recorded for its step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrongKeyframe {
    /// It is a state with another hash.
    #[error(
        "the keyframe of step {step} is not the state whose hash is recorded: expected {}, it has {}",
        shown(expected),
        shown(found)
    )]
    OtherState {
        /// The step.
        step: u32,
        /// The root of the recorded hash.
        expected: [u8; 32],
        /// The root of its own.
        found: [u8; 32],
    },
    /// It is the state of the recorded root, whose sections have other digests than are recorded.
    #[error("{}", section_text(*step, *section))]
    OtherSection {
        /// The step.
        step: u32,
        /// The first section whose digest is another.
        section: Section,
    },
    /// It holds nothing that this build reads as a state.
    #[error("the keyframe of step {step} cannot be read back: {error}")]
    Unreadable {
        /// The step.
        step: u32,
        /// What is wrong with it.
        error: DecodeError,
    },
}

/// The first keyframe that is not the state whose hash is recorded for its step, and what it is; `None` where all are. One keyframe
/// at a time is in memory. A replay of another semantics version is not judged.
#[must_use]
pub fn wrong_keyframe(replay: &Replay) -> Option<WrongKeyframe> {
    first_wrong(replay, |_, _| true)
}

/// The first keyframe that this build reads as another state than the one whose hash is recorded, behind one that fits. Where none fits
/// or one cannot be read, that may be the doing of a build that hashes or reads wrongly, if the build is in question.
#[must_use]
pub fn keyframe_of_other_state(replay: &Replay) -> Option<WrongKeyframe> {
    first_wrong(replay, |wrong, one_fits| {
        one_fits && matches!(wrong, WrongKeyframe::OtherState { .. } | WrongKeyframe::OtherSection { .. })
    })
}

/// The first section of which a recorded hash has another digest than the state has, though the root is the same: no state gives such a
/// hash, so that the record contradicts itself.
#[must_use]
pub fn contradicting_section(recorded: &StepHash, hash: &StateHash) -> Option<Section> {
    let mut digests = Section::ALL.into_iter().zip(recorded.sections.iter().zip(&hash.sections));
    let (section, _) = digests.find(|(_, (recorded, now))| recorded != now)?;
    (recorded.root == hash.root).then_some(section)
}

/// That a recorded hash contradicts itself.
#[must_use]
pub fn section_text(step: u32, section: Section) -> String {
    format!(
        "in step {step} the recorded hash is that of the state, but the digest of its section {} is another",
        section.name()
    )
}

/// The first keyframe that is wrong in a way that counts, which may depend on whether one before it fits.
fn first_wrong(replay: &Replay, counts: fn(&WrongKeyframe, bool) -> bool) -> Option<WrongKeyframe> {
    let is_judged = replay.header.semantics == SEMANTICS_VERSION;
    is_judged.then(|| replay.header.scalar.dispatch(Check { replay, counts })).flatten()
}

struct Check<'a> {
    replay: &'a Replay,
    counts: fn(&WrongKeyframe, bool) -> bool,
}

impl ScalarTask for Check<'_> {
    type Output = Option<WrongKeyframe>;

    fn run<S: Scalar>(self) -> Option<WrongKeyframe> {
        let Self { replay, counts } = self;
        let (mut before, mut one_fits) = (Encoded::default(), false);
        for (step, bytes) in replay.keyframes.iter() {
            match check::<S>(replay, step, &bytes, &mut before) {
                Ok(()) => one_fits = true,
                Err(wrong) if counts(&wrong, one_fits) => return Some(wrong),
                Err(_) => {}
            }
        }
        None
    }
}

/// Whether the keyframe of a step is the state whose hash is recorded for it; of a replay of another semantics version nobody knows,
/// and it counts as that.
///
/// # Errors
/// What it is instead.
pub fn check_keyframe<S: Scalar>(replay: &Replay, step: u32, bytes: &[u8]) -> Result<(), WrongKeyframe> {
    if replay.header.semantics == SEMANTICS_VERSION {
        check::<S>(replay, step, bytes, &mut Encoded::default())
    } else {
        Ok(())
    }
}

/// Checks a keyframe; what it shares with the one before it is hashed once.
fn check<S: Scalar>(replay: &Replay, step: u32, bytes: &[u8], before: &mut Encoded) -> Result<(), WrongKeyframe> {
    // Of a damaged file the hash may be lost.
    let Some(recorded) = replay.steps.get(step as usize) else { return Ok(()) };
    match Encoded::cut::<S>(bytes, before) {
        Ok(cut) => {
            *before = cut;
            let found = StateHash::of(before, S::KIND);
            if recorded.root != found.root {
                return Err(WrongKeyframe::OtherState { step, expected: recorded.root, found: found.root });
            }
            contradicting_section(&recorded, &found)
                .map_or(Ok(()), |section| Err(WrongKeyframe::OtherSection { step, section }))
        }
        // A run that stops because its state cannot be read again keeps that state as its last.
        Err(error) => {
            let stop = replay.ending.as_ref().and_then(Ending::stop);
            let unreadable = StepError::Unreadable { step, error: error.clone() }.to_string();
            if step == replay.last_step() && stop == Some(&unreadable) {
                return Ok(());
            }
            Err(WrongKeyframe::Unreadable { step, error })
        }
    }
}

fn shown(root: &[u8; 32]) -> String {
    let hex = blake3::Hash::from_bytes(*root).to_hex();
    hex.chars().take(SHOWN_DIGITS).collect()
}
