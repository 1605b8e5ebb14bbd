//! Runs a replay again, from one of its keyframes, and checks every step against what it recorded.

use crate::math::Scalar;
use crate::replay::{Damage, Replay, StepHash};
use crate::session::Session;
use crate::session::keyframe::{contradicting_section, section_text};
use crate::session::playback::PlaybackError;
use crate::world::encode::Section;
use crate::world::encode::reader::DecodeError;
use crate::world::error::StepError;
use crate::world::state_hash::StateHash;

/// Most threads that a re-run takes, whatever the replay says.
const MAX_THREADS: u32 = 16;

/// Why a replay could not be run again as it was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RerunError {
    /// Scene or inputs cannot be used.
    #[error(transparent)]
    Playback(#[from] PlaybackError),
    /// A keyframe inside it holds no state.
    #[error("the keyframe of step {step} holds no state: {error}")]
    Keyframe {
        /// Its step.
        step: u32,
        /// What is wrong with it.
        error: DecodeError,
    },
    /// The re-run stopped.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The re-run gave another hash than was recorded.
    #[error("this build does not reproduce step {step} of the replay")]
    NotReproduced {
        /// The first such step.
        step: u32,
    },
    /// The re-run gave the root that was recorded, and of a section another digest: no state gives such a hash, so that the record
    /// contradicts itself.
    #[error("{}", Damage::contradiction(section_text(*step, *section)))]
    Contradiction {
        /// The first such step.
        step: u32,
        /// The section.
        section: Section,
    },
}

impl RerunError {
    /// Whether it is the replay that is at fault, and not the build.
    #[must_use]
    pub const fn is_damage(&self) -> bool {
        matches!(self, Self::Contradiction { .. })
    }
}

/// Whether a recorded hash is this one.
#[must_use]
pub fn is_recorded(recorded: &StepHash, hash: &StateHash) -> bool {
    recorded.root == hash.root && recorded.sections.iter().eq(&hash.sections)
}

/// The session of a replay at the last keyframe that is not behind `step`; its state is proved to be the recorded one.
///
/// # Errors
/// When the replay cannot be run by this build, or its keyframe is not the state whose hash it recorded.
pub fn session_at_keyframe<S: Scalar>(replay: &Replay, step: u32) -> Result<Session<S>, RerunError> {
    // Threads reach no result, but a fault may be bound to them.
    let mut session = Session::<S>::of_replay(replay, replay.header.threads.clamp(1, MAX_THREADS))?;
    if let Some(at) = replay.keyframes.within(..=step).next_back()
        && at > 0
    {
        let state = replay.keyframes.get(at).unwrap_or_default();
        session.restore(&state).map_err(|error| RerunError::Keyframe { step: at, error })?;
        session.count_as_restored();
    }
    check(replay, &session)?;
    Ok(session)
}

/// Steps a session on to `step`, every hash on the way proved to be the recorded one.
///
/// # Errors
/// When the run stops, or a hash is another.
pub fn advance_to<S: Scalar>(replay: &Replay, session: &mut Session<S>, step: u32) -> Result<(), RerunError> {
    while session.step_number() < step {
        session.advance(&mut ())?;
        check(replay, session)?;
    }
    Ok(())
}

/// Proves that a session is at a state that the replay recorded.
///
/// # Errors
/// When its hash is another, or the recorded one contradicts itself.
pub fn check<S: Scalar>(replay: &Replay, session: &Session<S>) -> Result<(), RerunError> {
    let step = session.step_number();
    match replay.steps.get(step as usize) {
        Some(recorded) if is_recorded(&recorded, session.hash()) => Ok(()),
        Some(recorded) => Err(match contradicting_section(&recorded, session.hash()) {
            Some(section) => RerunError::Contradiction { step, section },
            None => RerunError::NotReproduced { step },
        }),
        None => Err(RerunError::NotReproduced { step }),
    }
}
