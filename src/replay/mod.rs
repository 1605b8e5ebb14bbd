//! The replay file: a recorded run in an MCAP container, written step by step and read back with every check.
//!
//! [`mod@format`] says what a replay holds and is shared by [`writer`] and [`reader`]; `docs/replay-format.md` says the same
//! for people with another MCAP tool. A state is plain bytes in here: nothing in this folder knows a world, steps
//! one, or decides whether two runs agree.

pub mod checkpoint;
mod container_writer;
pub mod error;
pub mod format;
mod hash_batch;
pub mod hash_log;
pub mod keyframes;
pub mod ladder;
pub mod partial_file;
pub mod reader;
pub mod recordable;
pub mod rewrite;
pub mod step_hashes;
mod store;
pub mod topic;
pub mod trace;
pub mod writer;

pub use checkpoint::{Checkpoint, CheckpointOrder, Digest, FieldRecord, NumberKind, ObjectRecord, ShortText};
pub use error::{Damage, DamageKind, ReplayError};
pub use format::{
    Ending, FORMAT_VERSION, FormatVersion, Header, InputOrigin, Outcome, Perturbation, RecordedInput, StepHash,
    StepTime,
};
pub use hash_log::{
    EmptyLists, ForeignLines, HashLog, HashLogReader, LENIENT_HINTS, LogEnd, LogError, LogOptions, LogPass, LogSource,
    LogSpill, MAX_LINE_BYTES, Resimulation, is_utf_16, read_hash_log, read_hash_log_with, without_mark,
    write_checkpoint,
};
pub use keyframes::Keyframes;
pub use ladder::{
    Ladder, LadderComparison, LadderError, LadderSettings, Rung, compare_ladders, looks_like_a_ladder, read_ladder,
};
pub use partial_file::PartialFile;
pub use reader::{
    Recovered, Replay, begins_as_a_replay, begins_as_mcap, looks_like_a_replay, read_recovering, read_recovering_bytes,
    read_strict, read_strict_bytes,
};
pub use rewrite::{rewrite, rewrite_stream};
pub use step_hashes::StepHashes;
pub use trace::{
    RecoveredTrace, Trace, TraceHeader, TraceWriter, looks_like_a_trace, read_trace, read_trace_bytes,
    read_trace_recovering, read_trace_recovering_bytes,
};
pub use writer::ReplayWriter;

#[cfg(test)]
mod tests;
