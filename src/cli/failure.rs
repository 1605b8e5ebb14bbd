//! Why a command could not do what it was asked to.

use std::fmt::{Display, Formatter};

use crate::replay::ReplayError;
use crate::scene::SceneError;
use crate::world::error::BuildError;

use crate::cli::exit_status::ExitStatus;
use crate::report::error::{json, scene_json};

/// A command that ended before it had a result.
#[derive(Debug)]
pub enum Failure {
    /// What was asked for cannot be: the message says what to do.
    Usage(String),
    /// A scene, an input or an override is wrong.
    Scene(SceneError),
    /// Settings of a sweep are wrong: each, and a sentence about all of them.
    Settings {
        /// What is wrong with each.
        errors: Vec<SceneError>,
        /// What came of that.
        message: String,
    },
    /// A replay cannot be read.
    Unreadable(String),
    /// A command that came to its own end, with a status of its own.
    Ended {
        /// The status to end with.
        status: ExitStatus,
        /// What kind of error it is, for machines.
        kind: &'static str,
        /// What happened.
        message: String,
    },
    /// Whoever was reading the output has gone: nothing to say, and nobody to say it to.
    BrokenPipe,
}

impl Failure {
    /// The status the program ends with.
    pub const fn status(&self) -> ExitStatus {
        match self {
            Self::Usage(_) | Self::Scene(_) | Self::Settings { .. } | Self::BrokenPipe => ExitStatus::Failed,
            Self::Unreadable(_) => ExitStatus::Damaged,
            Self::Ended { status, .. } => *status,
        }
    }

    /// The error for machines, with the number that the program ends with; nothing where nobody is there to read it.
    pub fn json(&self, exit_status: u8) -> String {
        match self {
            Self::Usage(message) => json("usage", message, exit_status),
            Self::Unreadable(message) => json("unreadable", message, exit_status),
            Self::Ended { kind, message, .. } => json(kind, message, exit_status),
            Self::Scene(error) => scene_json(std::slice::from_ref(error), exit_status),
            Self::Settings { errors, .. } => scene_json(errors, exit_status),
            Self::BrokenPipe => String::new(),
        }
    }

    /// The same, of a replay that may be damaged: whatever else is wrong, the status then says so.
    #[must_use]
    pub fn of_replay(self, is_damaged: bool) -> Self {
        match self {
            Self::Ended { status, kind, message } if is_damaged => {
                Self::Ended { status: status.max(ExitStatus::Damaged), kind, message }
            }
            other => other,
        }
    }

    /// A replay that could not be written.
    pub fn writing(error: ReplayError) -> Self {
        match error {
            ReplayError::Io { cause, .. } if cause.kind() == std::io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            other => Self::Usage(other.to_string()),
        }
    }

    /// A scene that makes no world.
    pub fn building(scene_name: &str, error: &BuildError) -> Self {
        Self::Usage(format!("{scene_name}: {error}"))
    }
}

impl Display for Failure {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(message)
            | Self::Unreadable(message)
            | Self::Settings { message, .. }
            | Self::Ended { message, .. } => formatter.write_str(message),
            Self::Scene(error) => write!(formatter, "{error}"),
            Self::BrokenPipe => formatter.write_str("the reader of the output has gone"),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        Self::Scene(error)
    }
}
