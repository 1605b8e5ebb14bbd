//! Writes a trace while the run goes on.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::replay::checkpoint::{Checkpoint, CheckpointOrder};
use crate::replay::container_writer::ContainerWriter;
use crate::replay::error::ReplayError;
use crate::replay::format::TRACE_PROFILE;
use crate::replay::hash_log::{MAX_CHECKPOINTS, MAX_DETAILS};
use crate::replay::partial_file::PartialFile;
use crate::replay::trace::{TraceEnding, TraceHeader, TraceTopic};

/// At the end of a step, a chunk that has taken more than this is handed to the operating system, in bytes.
const STEP_CHUNK_BYTES: u64 = 256 << 10;

/// Records the checkpoints of some steps. Dropped before its end, it leaves what it has, and readers will say so.
pub struct TraceWriter<W: Write> {
    name: String,
    header: TraceHeader,
    order: CheckpointOrder,
    checkpoints: u64,
    details: u64,
    last_step: u32,
    /// The number of the next message, which is also its time.
    message: u64,
    container: ContainerWriter<W>,
}

impl TraceWriter<PartialFile> {
    /// Opens `path` with `.partial` added and writes the header. A `.partial` that an earlier run left is replaced.
    ///
    /// # Errors
    /// If the path is a folder, its folder is missing, the file cannot be written, or the header cannot be one.
    pub fn create(path: &Path, header: &TraceHeader) -> Result<Self, ReplayError> {
        let name = path.display().to_string();
        check_header(&name, header)?;
        Self::start(&name, PartialFile::create(path)?, header)
    }

    /// Writes the final record, makes the file durable, and gives it its name, which is returned.
    ///
    /// # Errors
    /// If the file cannot be written or renamed. The `.partial` then stays.
    pub fn finish(self) -> Result<PathBuf, ReplayError> {
        self.finish_stream()?.complete()
    }
}

impl<W: Write> TraceWriter<W> {
    /// Records into `sink`, which errors call `name`.
    ///
    /// # Errors
    /// If the sink cannot be written, or the header cannot be one.
    pub fn new(name: &str, sink: W, header: &TraceHeader) -> Result<Self, ReplayError> {
        check_header(name, header)?;
        Self::start(name, sink, header)
    }

    fn start(name: &str, sink: W, header: &TraceHeader) -> Result<Self, ReplayError> {
        let topics = TraceTopic::ALL.map(TraceTopic::definition);
        let mut writer = Self {
            name: name.to_owned(),
            header: header.clone(),
            order: CheckpointOrder::default(),
            checkpoints: 0,
            details: 0,
            last_step: header.from,
            message: 0,
            container: ContainerWriter::start(name, sink, TRACE_PROFILE, &topics)?,
        };
        writer.json(TraceTopic::Header, 0, header)?;
        Ok(writer)
    }

    /// Records the next checkpoint.
    ///
    /// # Errors
    /// If it is of a step that is not traced, cannot follow those before it, there are too many, or the sink cannot be
    /// written.
    pub fn checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), ReplayError> {
        let may_follow = self.header.holds(checkpoint).and_then(|()| self.order.admit(checkpoint));
        may_follow.map_err(|what| self.refused(what))?;
        self.checkpoints += 1;
        self.details += checkpoint.details() as u64;
        if self.checkpoints > MAX_CHECKPOINTS as u64 || self.details > MAX_DETAILS as u64 {
            let what = format!(
                "more than {MAX_CHECKPOINTS} checkpoints or {MAX_DETAILS} objects and fields; trace fewer steps"
            );
            return Err(self.refused(what));
        }
        self.last_step = checkpoint.step;
        self.json(TraceTopic::Checkpoints, checkpoint.step, checkpoint)?;
        if checkpoint.stage.is_none() && self.container.chunk_bytes() > STEP_CHUNK_BYTES {
            self.container.flush_chunk()?;
        }
        Ok(())
    }

    /// Writes the final record and returns the sink.
    ///
    /// # Errors
    /// If the sink cannot be written.
    pub fn finish_stream(mut self) -> Result<W, ReplayError> {
        let ending = TraceEnding { checkpoints: self.checkpoints };
        self.json(TraceTopic::End, self.last_step, &ending)?;
        self.container.finish()
    }

    fn json<T: Serialize>(&mut self, topic: TraceTopic, step: u32, value: &T) -> Result<(), ReplayError> {
        let text = serde_json::to_vec(value).map_err(|error| self.refused(error.to_string()))?;
        let time = self.message;
        self.message += 1;
        self.container.message(topic.definition().id, step, time, &text)
    }

    fn refused(&self, what: String) -> ReplayError {
        ReplayError::Refused { name: self.name.clone(), what }
    }
}

fn check_header(name: &str, header: &TraceHeader) -> Result<(), ReplayError> {
    header.check().map_err(|what| ReplayError::Refused { name: name.to_owned(), what })
}
