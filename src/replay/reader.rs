//! Reads a replay back: strictly, where everything must hold, or as far as it goes.
//!
//! Both ways make the same checks in the same order. Every byte counts: checksums of the chunks, the data section and the
//! summary must be there and hold, every record must be the one that is due, and nothing may follow the end. No byte
//! sequence makes it panic or take memory beyond the limits in [`replay::format`](mod@crate::replay::format).

mod chunk;
mod container;
mod content;
mod fields;
pub(crate) mod file;
mod index;
pub(crate) mod message;

use std::io::Read;
use std::path::Path;

use crate::replay::error::{Damage, Fault, ReplayError};
use crate::replay::format::{Ending, Header, PROFILE, Perturbation, RecordedInput};
use crate::replay::keyframes::Keyframes;
use crate::replay::reader::content::Content;
use crate::replay::reader::file::{begins_with_profile, is_of_profile, open, read_file};
use crate::replay::step_hashes::StepHashes;

pub use file::begins_as_mcap;

/// What errors call bytes that come from no file.
const NAMELESS: &str = "the replay";

/// A recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// What must be known to replay it.
    pub header: Header,
    /// The scene, as RON text.
    pub scene: String,
    /// The inputs, in the order in which they were recorded.
    pub inputs: Vec<RecordedInput>,
    /// The faults planted while recording, in the order in which they were recorded.
    pub perturbations: Vec<Perturbation>,
    /// The hashes of the states 0, 1, 2 and so on.
    pub steps: StepHashes,
    /// Whole states, by step.
    pub keyframes: Keyframes,
    /// The final record. Always there after [`read_strict`].
    pub ending: Option<Ending>,
}

impl Replay {
    /// The last step that it holds.
    #[must_use]
    pub fn last_step(&self) -> u32 {
        u32::try_from(self.steps.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }
}

/// What could be read of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Everything before the damage.
    pub replay: Replay,
    /// The first damage, if there is any.
    pub damage: Option<Damage>,
}

/// Reads the replay at `path`, in which everything must hold.
///
/// # Errors
/// If the file cannot be read, is not a replay, is one of another format or too large, or is damaged anywhere.
pub fn read_strict(path: &Path) -> Result<Replay, ReplayError> {
    strict(&path.display().to_string(), &mut open(path)?)
}

/// Reads a replay from memory, as [`read_strict`] does.
///
/// # Errors
/// As for [`read_strict`].
pub fn read_strict_bytes(bytes: &[u8]) -> Result<Replay, ReplayError> {
    strict(NAMELESS, &mut &*bytes)
}

/// Reads the replay at `path` up to the first damage.
///
/// # Errors
/// If the file cannot be read, is not a replay, is one of another format or too large, or is damaged before its header and
/// scene are known.
pub fn read_recovering(path: &Path) -> Result<Recovered, ReplayError> {
    recovering(&path.display().to_string(), &mut open(path)?)
}

/// Reads a replay from memory, as [`read_recovering`] does.
///
/// # Errors
/// As for [`read_recovering`].
pub fn read_recovering_bytes(bytes: &[u8]) -> Result<Recovered, ReplayError> {
    recovering(NAMELESS, &mut &*bytes)
}

fn strict(name: &str, source: &mut dyn Read) -> Result<Replay, ReplayError> {
    let Recovered { replay, damage } = recovering(name, source)?;
    match damage {
        None => Ok(replay),
        Some(damage) => Err(ReplayError::Damaged { name: name.to_owned(), damage }),
    }
}

fn recovering(name: &str, source: &mut dyn Read) -> Result<Recovered, ReplayError> {
    let mut content = Content::default();
    let damage = match read_file(source, &mut content) {
        Ok(()) => None,
        Err(Fault::Damage(damage)) => Some(damage),
        Err(fault) => return Err(fault.named(name)),
    };
    match (content.into_replay().map_err(|fault| fault.named(name))?, damage) {
        (Some(replay), damage) => Ok(Recovered { replay, damage }),
        (None, Some(damage)) => Err(ReplayError::Damaged { name: name.to_owned(), damage }),
        (None, None) => Err(Fault::corrupt(0, "a file without header and scene").named(name)),
    }
}

/// Whether a file begins as a replay does, or is empty: what a new replay may take the place of.
#[must_use]
pub fn looks_like_a_replay(path: &Path) -> bool {
    begins_with_profile(path, PROFILE, true)
}

/// Whether bytes begin as those of a replay do.
#[must_use]
pub fn begins_as_a_replay(start: &[u8]) -> bool {
    is_of_profile(start, PROFILE)
}
