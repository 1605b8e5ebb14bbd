//! Reads a trace back with every check that a replay gets.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use crate::replay::checkpoint::{Checkpoint, CheckpointOrder};
use crate::replay::error::{Damage, Fault, ReplayError};
use crate::replay::format::FormatVersion;
use crate::replay::format::{TRACE_PROFILE, TRACE_VERSION};
use crate::replay::hash_log::{MAX_CHECKPOINTS, MAX_DETAILS};
use crate::replay::reader::file::{Collector, begins_with_profile, is_of_profile, open, read_file};
use crate::replay::reader::message::{MAX_DEFINITIONS, Message, at, definitions_are, json};
use crate::replay::trace::{Trace, TraceEnding, TraceHeader, TraceTopic};

/// What errors call bytes that come from no file.
const NAMELESS: &str = "the trace";

/// What could be read of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredTrace {
    /// Everything before the damage.
    pub trace: Trace,
    /// The first damage, if there is any.
    pub damage: Option<Damage>,
}

/// Reads the trace at `path`, in which everything must hold.
///
/// # Errors
/// If the file cannot be read, is not a trace, is one of another format or too large, or is damaged anywhere.
pub fn read_trace(path: &Path) -> Result<Trace, ReplayError> {
    let name = path.display().to_string();
    strict(&name, recovering(&name, &mut open(path)?)?)
}

/// Reads a trace from memory, as [`read_trace`] does.
///
/// # Errors
/// As for [`read_trace`].
pub fn read_trace_bytes(bytes: &[u8]) -> Result<Trace, ReplayError> {
    strict(NAMELESS, recovering(NAMELESS, &mut &*bytes)?)
}

/// Reads the trace at `path` up to the first damage.
///
/// # Errors
/// If the file cannot be read, is not a trace, is one of another format or too large, or is damaged before its header is
/// known.
pub fn read_trace_recovering(path: &Path) -> Result<RecoveredTrace, ReplayError> {
    recovering(&path.display().to_string(), &mut open(path)?)
}

/// Reads a trace from memory, as [`read_trace_recovering`] does.
///
/// # Errors
/// As for [`read_trace_recovering`].
pub fn read_trace_recovering_bytes(bytes: &[u8]) -> Result<RecoveredTrace, ReplayError> {
    recovering(NAMELESS, &mut &*bytes)
}

/// Whether a file begins as a trace does. An empty one does not.
#[must_use]
pub fn looks_like_a_trace(path: &Path) -> bool {
    begins_with_profile(path, TRACE_PROFILE, false)
}

/// Whether bytes begin as those of a trace do.
#[must_use]
pub fn begins_as_a_trace(start: &[u8]) -> bool {
    is_of_profile(start, TRACE_PROFILE)
}

fn strict(name: &str, recovered: RecoveredTrace) -> Result<Trace, ReplayError> {
    match recovered.damage {
        None => Ok(recovered.trace),
        Some(damage) => Err(ReplayError::Damaged { name: name.to_owned(), damage }),
    }
}

fn recovering(name: &str, source: &mut dyn Read) -> Result<RecoveredTrace, ReplayError> {
    let mut content = Content::default();
    let damage = match read_file(source, &mut content) {
        Ok(()) => None,
        Err(Fault::Damage(damage)) => Some(damage),
        Err(fault) => return Err(fault.named_as_trace(name)),
    };
    match (content.header, damage) {
        (Some(header), damage) => {
            Ok(RecoveredTrace { trace: Trace { header, checkpoints: content.checkpoints }, damage })
        }
        (None, Some(damage)) => Err(ReplayError::Damaged { name: name.to_owned(), damage }),
        (None, None) => Err(Fault::corrupt(0, "a file without header").named_as_trace(name)),
    }
}

/// What has been read so far.
#[derive(Debug, Default)]
struct Content {
    /// The schemas and channels that precede the header, as opcode and body.
    definitions: Vec<(u8, Vec<u8>)>,
    header: Option<TraceHeader>,
    checkpoints: Vec<Checkpoint>,
    details: usize,
    order: CheckpointOrder,
    ended: bool,
    messages: u64,
}

impl Collector for Content {
    const PROFILE: &'static str = TRACE_PROFILE;

    fn definition(&mut self, opcode: u8, body: &[u8]) -> Result<(), String> {
        if self.header.is_some() || self.definitions.len() >= MAX_DEFINITIONS {
            return Err("a channel or schema that a trace does not have".to_owned());
        }
        self.definitions.push((opcode, body.to_vec()));
        Ok(())
    }

    fn message(&mut self, byte: u64, message: &Message<'_>) -> Result<(), Fault> {
        let corrupt = |what: String| Fault::corrupt(byte, what);
        if message.time != self.messages {
            return Err(corrupt(format!("a message at time {} where {} is due", message.time, self.messages)));
        }
        self.messages += 1;
        if self.header.is_none() {
            self.header = Some(self.read_header(byte, message)?);
            return Ok(());
        }
        if self.ended {
            return Err(corrupt("a message after the ending".to_owned()));
        }
        match TraceTopic::from_id(message.channel) {
            Some(TraceTopic::Checkpoints) => self.checkpoint(byte, message),
            Some(TraceTopic::End) => self.end(message).map_err(corrupt),
            Some(TraceTopic::Header) => Err(corrupt("a second header".to_owned())),
            None => Err(corrupt("a message of an unknown channel".to_owned())),
        }
    }

    fn has_ended(&self) -> bool {
        self.ended
    }
}

impl Content {
    /// The first message: it says first of all whether this build can read the rest.
    fn read_header(&self, byte: u64, message: &Message<'_>) -> Result<TraceHeader, Fault> {
        #[derive(Deserialize)]
        struct Probe {
            format: FormatVersion,
            #[serde(default)]
            producer: String,
        }
        let corrupt = |what: String| Fault::corrupt(byte, what);
        if message.channel != TraceTopic::Header.definition().id {
            return Err(corrupt("a trace whose first message is not its header".to_owned()));
        }
        let probe: Probe = json(message.data).map_err(corrupt)?;
        if probe.format != TRACE_VERSION {
            return Err(Fault::OtherFormat { found: probe.format, producer: probe.producer });
        }
        let header: TraceHeader = json(message.data).map_err(corrupt)?;
        header.check().and_then(|()| at(message, 0)).map_err(corrupt)?;
        if !definitions_are(&TraceTopic::ALL.map(TraceTopic::definition), &self.definitions) {
            return Err(corrupt("other channels than a trace of this format has".to_owned()));
        }
        Ok(header)
    }

    fn checkpoint(&mut self, byte: u64, message: &Message<'_>) -> Result<(), Fault> {
        let corrupt = |what: String| Fault::corrupt(byte, what);
        let checkpoint: Checkpoint = json(message.data).map_err(corrupt)?;
        at(message, checkpoint.step).map_err(corrupt)?;
        if let Some(header) = &self.header {
            header.holds(&checkpoint).map_err(corrupt)?;
        }
        self.order.admit(&checkpoint).map_err(corrupt)?;
        self.details += checkpoint.details();
        if self.checkpoints.len() >= MAX_CHECKPOINTS {
            return Err(corrupt(format!("more than {MAX_CHECKPOINTS} checkpoints")));
        }
        if self.details > MAX_DETAILS {
            return Err(corrupt(format!("more than {MAX_DETAILS} sections, objects and fields")));
        }
        self.checkpoints.push(checkpoint);
        Ok(())
    }

    fn end(&mut self, message: &Message<'_>) -> Result<(), String> {
        let ending: TraceEnding = json(message.data)?;
        if ending.checkpoints != self.checkpoints.len() as u64 {
            return Err(format!(
                "the ending states {} checkpoints, {} are there",
                ending.checkpoints,
                self.checkpoints.len()
            ));
        }
        let last = self.checkpoints.last().map(|checkpoint| checkpoint.step);
        at(message, last.or(self.header.as_ref().map(|header| header.from)).unwrap_or(0))?;
        self.ended = true;
        Ok(())
    }
}
