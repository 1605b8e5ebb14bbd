//! The trace: checkpoints of a few steps of one run, in a file of its own, so that two machines can each make one and compare.
//!
//! The container is that of a replay, with the profile `physim-trace`; `docs/hash-log.md` describes a checkpoint, which
//! stands in a trace as it does on the line of a hash log.

mod reader;
mod writer;

use serde::{Deserialize, Serialize};

pub use crate::replay::trace::reader::{
    RecoveredTrace, begins_as_a_trace, looks_like_a_trace, read_trace, read_trace_bytes, read_trace_recovering,
    read_trace_recovering_bytes,
};
pub use crate::replay::trace::writer::TraceWriter;

use crate::math::ScalarKind;
use crate::replay::checkpoint::Checkpoint;
use crate::replay::format::{FormatVersion, TRACE_VERSION, scalar_name};
use crate::replay::topic::Definition;

/// What must be known to compare a trace with another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TraceHeader {
    /// The layout of this file. First, so that any build can tell a file it cannot read.
    pub format: FormatVersion,
    /// The version of the engine's results.
    pub semantics: u32,
    /// The number type of the run.
    #[serde(with = "scalar_name")]
    pub scalar: ScalarKind,
    /// The name the scene gives itself.
    pub scene_name: String,
    /// Seconds per step, in the exact text of the scene.
    pub dt: String,
    /// The first step that is traced.
    pub from: u32,
    /// The last step that is traced.
    pub to: u32,
    /// Whether objects have their fields, not only their hashes.
    pub with_states: bool,
    /// The program that wrote the file, such as `physim 0.1.0`.
    pub producer: String,
}

impl TraceHeader {
    /// Whether a trace can have this header; otherwise the reason why not.
    fn check(&self) -> Result<(), String> {
        if self.format != TRACE_VERSION {
            return Err(format!("the header states format {}, expected {TRACE_VERSION}", self.format));
        }
        if self.from > self.to {
            return Err(format!("a trace from step {} to step {}, expected the smaller first", self.from, self.to));
        }
        Ok(())
    }

    /// Whether a checkpoint is one of the steps that are traced.
    fn holds(&self, checkpoint: &Checkpoint) -> Result<(), String> {
        if (self.from..=self.to).contains(&checkpoint.step) {
            return Ok(());
        }
        Err(format!("a checkpoint of step {} in a trace of the steps {} to {}", checkpoint.step, self.from, self.to))
    }
}

/// A trace that has been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// What must be known to compare it.
    pub header: TraceHeader,
    /// The checkpoints, in order.
    pub checkpoints: Vec<Checkpoint>,
}

/// The final record: its presence says that the trace is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceEnding {
    /// How many checkpoints there are.
    checkpoints: u64,
}

/// What a message of a trace is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TraceTopic {
    /// The [`TraceHeader`], once, first.
    Header,
    /// One [`Checkpoint`] per message.
    Checkpoints,
    /// The [`TraceEnding`], once, last.
    End,
}

const HEADER_SCHEMA: &str = r#"{"type":"object","properties":{"format":{"type":"integer"},"semantics":{"type":"integer"},"scalar":{"type":"string"},"scene_name":{"type":"string"},"dt":{"type":"string"},"from":{"type":"integer"},"to":{"type":"integer"},"with_states":{"type":"boolean"},"producer":{"type":"string"}}}"#;
const CHECKPOINT_SCHEMA: &str = r#"{"type":"object","properties":{"step":{"type":"integer"},"stage":{"type":"string"},"phase":{"type":"string"},"hash":{"type":"string"},"sections":{"type":"object"},"objects":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"section":{"type":"string"},"hash":{"type":"string"},"fields":{"type":"object"}}}}}}"#;
const END_SCHEMA: &str = r#"{"type":"object","properties":{"checkpoints":{"type":"integer"}}}"#;

impl TraceTopic {
    /// Every topic, by id.
    const ALL: [Self; 3] = [Self::Header, Self::Checkpoints, Self::End];

    const fn definition(self) -> Definition {
        let (path, schema_name, schema) = match self {
            Self::Header => ("/header", "physim.TraceHeader", HEADER_SCHEMA),
            Self::Checkpoints => ("/checkpoints", "physim.Checkpoint", CHECKPOINT_SCHEMA),
            Self::End => ("/end", "physim.TraceEnd", END_SCHEMA),
        };
        let id = self as u16 + 1;
        Definition { id, path, message_encoding: "json", schema_name, schema_encoding: "jsonschema", schema }
    }

    fn from_id(id: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.definition().id == id)
    }
}

#[cfg(test)]
mod tests;
