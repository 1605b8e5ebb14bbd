//! What can go wrong with a replay file, as values that name the file and say what to do.

use std::fmt::{Display, Formatter};
use std::path::Path;

use crate::replay::format::TRACE_VERSION;
use crate::replay::format::{FORMAT_VERSION, FormatVersion};

/// Why a replay could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The operating system refused a read, write or rename.
    #[error("{name}: cannot {action}: {cause}")]
    Io {
        /// The file.
        name: String,
        /// What was tried, as in "cannot open it".
        action: &'static str,
        /// What the operating system answered.
        cause: std::io::Error,
    },
    /// The path to write to, or to read, is not one of a file.
    #[error("{name} does not name a file; give the path of one")]
    NotAFile {
        /// The path as given.
        name: String,
    },
    /// The folder the replay should be written into does not exist.
    #[error("{name}: the folder {folder} does not exist; create it first")]
    MissingFolder {
        /// The path as given.
        name: String,
        /// The folder that is missing.
        folder: String,
    },
    /// Another run is writing the same file.
    #[error("{name}: another run is writing it; wait for its end, or record under another name")]
    InUse {
        /// The file.
        name: String,
    },
    /// The writer was called with something a replay cannot hold: a fault of the caller, not of a file.
    #[error("{name}: refused to record: {what}")]
    Refused {
        /// The replay being written.
        name: String,
        /// What was asked for and why that cannot be.
        what: String,
    },
    /// The run has more in it than a replay can hold.
    #[error("{name}: this run cannot be recorded: {what}")]
    CannotHold {
        /// The replay that is not written.
        name: String,
        /// What is too large, and what to do.
        what: String,
    },
    /// A file or a part of it is larger than a replay may be.
    #[error("{name}: {what} takes {bytes} bytes, the limit is {limit}; record fewer steps or keyframes")]
    TooLarge {
        /// The file.
        name: String,
        /// The part that is too large.
        what: &'static str,
        /// Its size in bytes.
        bytes: u64,
        /// The largest size in bytes.
        limit: u64,
    },
    /// The file is not an MCAP file, or one that physim did not write.
    #[error("{name} is not a physim replay: {what}")]
    NotAReplay {
        /// The file.
        name: String,
        /// What it is instead.
        what: String,
    },
    /// The file is a replay of another format version: not damage.
    #[error(
        "{name} has replay format {found}, written by {producer}; this build reads format {FORMAT_VERSION}: \
         read it with the build that wrote it, or record its scene again"
    )]
    OtherFormat {
        /// The file.
        name: String,
        /// The version the file states.
        found: FormatVersion,
        /// The program that wrote the file, as the file states it.
        producer: String,
    },
    /// The file is not an MCAP file, or no trace.
    #[error("{name} is not a physim trace: {what}")]
    NotATrace {
        /// The file.
        name: String,
        /// What it is instead.
        what: String,
    },
    /// The file is a trace of another format version: not damage.
    #[error(
        "{name} has trace format {found}, written by {producer}; this build reads format {TRACE_VERSION}: read it with \
         the build that wrote it, or trace the run again"
    )]
    OtherTraceFormat {
        /// The file.
        name: String,
        /// The version the file states.
        found: FormatVersion,
        /// The program that wrote the file, as the file states it.
        producer: String,
    },
    /// The file is a replay or a trace, but not as it was written.
    #[error("{name} is damaged: {damage}")]
    Damaged {
        /// The file.
        name: String,
        /// What is wrong, and where.
        damage: Damage,
    },
}

impl ReplayError {
    /// An [`Io`](Self::Io) error about the file at `path`.
    pub(crate) fn io(path: &Path, action: &'static str, cause: std::io::Error) -> Self {
        Self::Io { name: path.display().to_string(), action, cause }
    }
}

/// What to do with a replay whose records do not fit each other.
const RECORD_AGAIN: &str = "record the run again";

/// How a replay is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DamageKind {
    /// The file stops before its end: the run was killed, or the copy is incomplete. What precedes is sound.
    CutShort,
    /// Some bytes are not those that were written.
    Corrupt,
    /// Two records do not fit each other, or one cannot be read, though each is in its place. No byte can be named.
    Contradiction,
}

/// Where a replay stops being what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Whether bytes are missing or wrong.
    pub kind: DamageKind,
    /// Where in the file the part begins that could not be used, in bytes.
    pub byte: u64,
    /// What was expected there and what was found.
    pub what: String,
}

impl Damage {
    /// Records that do not fit each other, though each is in its place.
    #[must_use]
    pub const fn contradiction(what: String) -> Self {
        Self { kind: DamageKind::Contradiction, byte: 0, what }
    }
}

impl Display for Damage {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let advice = match self.kind {
            DamageKind::CutShort => "the run was stopped before its end, or the file was copied in part",
            DamageKind::Corrupt => "take the file from its source again, or record the run again",
            DamageKind::Contradiction => return write!(formatter, "{}; {RECORD_AGAIN}", self.what),
        };
        write!(formatter, "from byte {} on: {} ({advice})", self.byte, self.what)
    }
}

/// A fault found in the bytes of a replay, before it is known which file they came from.
#[derive(Debug)]
pub(crate) enum Fault {
    NotAReplay(String),
    OtherFormat {
        found: FormatVersion,
        producer: String,
    },
    TooLarge {
        what: &'static str,
        bytes: u64,
        limit: u64,
    },
    /// What was tried, and what the operating system answered.
    Io(&'static str, std::io::Error),
    Damage(Damage),
}

impl Fault {
    /// Wrong bytes in the part of the file that begins at `byte`.
    pub(crate) fn corrupt(byte: u64, what: impl Into<String>) -> Self {
        Self::Damage(Damage { kind: DamageKind::Corrupt, byte, what: what.into() })
    }

    /// The error to hand out, now that the file has a name.
    pub(crate) fn named(self, name: &str) -> ReplayError {
        let name = name.to_owned();
        match self {
            Self::NotAReplay(what) => ReplayError::NotAReplay { name, what },
            Self::OtherFormat { found, producer } => ReplayError::OtherFormat { name, found, producer },
            Self::TooLarge { what, bytes, limit } => ReplayError::TooLarge { name, what, bytes, limit },
            Self::Io(action, cause) => ReplayError::Io { name, action, cause },
            Self::Damage(damage) => ReplayError::Damaged { name, damage },
        }
    }

    /// The error to hand out about a file that is to be a trace.
    pub(crate) fn named_as_trace(self, name: &str) -> ReplayError {
        let name = name.to_owned();
        match self {
            Self::NotAReplay(what) => ReplayError::NotATrace { name, what },
            Self::OtherFormat { found, producer } => ReplayError::OtherTraceFormat { name, found, producer },
            other => other.named(&name),
        }
    }
}
