//! Writes a replay while the run goes on.
//!
//! Nothing is ever written twice or sought back to, so a run that is killed leaves a sound beginning: all of it up to the
//! last keyframe. The same calls give the same bytes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{Compression, McapError, WriteOptions};
use serde::Serialize;

use crate::replay::error::ReplayError;
use crate::replay::format::{
    Clock, Ending, Header, LIBRARY, MAX_BATCH_STEPS, MAX_CONTENT_BYTES, MAX_FILE_BYTES, MAX_MESSAGE_BYTES, PROFILE,
    Perturbation, RecordedInput, StepHash,
};
use crate::replay::hash_batch;
use crate::replay::partial_file::PartialFile;
use crate::replay::topic::Topic;

/// A middle level of zstd, one that does not choose its method by what the processor can do.
const COMPRESSION_LEVEL: u32 = 3;
/// A chunk that has taken more than this is closed before its keyframe, so that memory stays bounded, in bytes.
const FULL_CHUNK_BYTES: u64 = 16 << 20;
/// What MCAP adds to a message: opcode, length, channel, sequence and two times, in bytes.
const MESSAGE_OVERHEAD: u64 = 1 + 8 + 2 + 4 + 8 + 8;
/// More than the schemas and channels take, in bytes.
const DEFINITIONS_ALLOWANCE: u64 = 64 << 10;

/// The container in which nothing is sought back to.
type Container<W> = mcap::Writer<NoSeek<BoundedSink<W>>>;

/// Records one run: inputs, perturbations and steps in the order in which they happen, a keyframe after each step that
/// is a multiple of [`Header::keyframe_every`], then the ending.
///
/// Dropped without an ending, it leaves what it has, and readers will say that the run did not end.
pub struct ReplayWriter<W: Write> {
    name: String,
    header: Header,
    clock: Clock,
    /// The state the next call of `step` must bring.
    next_step: u32,
    /// The state of the keyframe that must come before anything else.
    keyframe_due: Option<u32>,
    /// The hashes of the last steps, up to `next_step`, that are not in a chunk yet.
    batch: Vec<StepHash>,
    last_hash: Option<StepHash>,
    chunk_bytes: u64,
    content_bytes: u64,
    /// `None` only while the replay is being closed.
    container: Option<Container<W>>,
}

impl ReplayWriter<PartialFile> {
    /// Opens `path` with `.partial` added, writes header and scene, and goes on from there. A `.partial` that an earlier
    /// run left is replaced.
    ///
    /// # Errors
    /// If the path is a folder, its folder is missing, the file cannot be written, or the header cannot be one.
    pub fn create(path: &Path, header: &Header, scene: &str) -> Result<Self, ReplayError> {
        let name = path.display().to_string();
        check_header(&name, header)?;
        Self::start(&name, PartialFile::create(path)?, header, scene)
    }

    /// Writes the final record, makes the file durable, and gives it its name, which is returned.
    ///
    /// # Errors
    /// If the ending does not fit what was recorded, or the file cannot be written or renamed. The `.partial` then stays.
    pub fn finish(self, ending: &Ending) -> Result<PathBuf, ReplayError> {
        self.finish_stream(ending)?.complete()
    }
}

impl<W: Write> ReplayWriter<W> {
    /// Records into `sink`, which errors call `name`.
    ///
    /// # Errors
    /// If the sink cannot be written, or the header cannot be one.
    pub fn new(name: &str, sink: W, header: &Header, scene: &str) -> Result<Self, ReplayError> {
        check_header(name, header)?;
        Self::start(name, sink, header, scene)
    }

    fn start(name: &str, sink: W, header: &Header, scene: &str) -> Result<Self, ReplayError> {
        let container = options()
            .create(NoSeek::new(BoundedSink { sink, room: MAX_FILE_BYTES }))
            .map_err(|error| failed_write(name, error))?;
        let mut writer = Self {
            name: name.to_owned(),
            header: header.clone(),
            clock: Clock::default(),
            next_step: 0,
            keyframe_due: None,
            batch: Vec::new(),
            last_hash: None,
            chunk_bytes: 0,
            content_bytes: DEFINITIONS_ALLOWANCE,
            container: Some(container),
        };
        writer.define_topics()?;
        writer.json(Topic::Header, 0, header)?;
        writer.message(Topic::Scene, 0, scene.as_bytes())?;
        Ok(writer)
    }

    /// Records an input, before the step it takes part in.
    ///
    /// # Errors
    /// If that step is recorded already, a keyframe is due, or the sink cannot be written.
    pub fn input(&mut self, input: &RecordedInput) -> Result<(), ReplayError> {
        self.no_keyframe_due()?;
        if input.step == 0 || input.step < self.next_step {
            return Err(self.refused(format!("an input for step {} before step {}", input.step, self.next_step)));
        }
        self.json(Topic::Inputs, input.step, input)
    }

    /// Records a fault planted on purpose.
    ///
    /// # Errors
    /// If it is planted after the last step, a keyframe is due, or the sink cannot be written.
    pub fn perturbation(&mut self, perturbation: &Perturbation) -> Result<(), ReplayError> {
        self.no_keyframe_due()?;
        if perturbation.step > self.header.steps {
            return Err(self.refused(format!("a perturbation of state {}", perturbation.step)));
        }
        self.json(Topic::Perturbations, perturbation.step, perturbation)
    }

    /// Records the hashes of state `step`: 0 first, then each next one.
    ///
    /// # Errors
    /// If the step is not the next one, a keyframe is due, the number of sections is not that of the header, or the sink
    /// cannot be written.
    pub fn step(&mut self, step: u32, hash: &StepHash) -> Result<(), ReplayError> {
        self.no_keyframe_due()?;
        if step != self.next_step || step > self.header.steps {
            let (next, last) = (self.next_step, self.header.steps);
            return Err(self.refused(format!("step {step} where step {next} of {last} is due")));
        }
        if hash.sections.len() != self.header.sections.len() {
            let (found, expected) = (hash.sections.len(), self.header.sections.len());
            return Err(self.refused(format!("{found} section digests in step {step}, expected {expected}")));
        }
        self.batch.push(hash.clone());
        self.last_hash = Some(hash.clone());
        self.next_step = step.saturating_add(1);
        self.keyframe_due = step.is_multiple_of(self.header.keyframe_every).then_some(step);
        if self.batch.len() >= MAX_BATCH_STEPS as usize {
            self.write_batch()?;
            self.flush_chunk()?;
        }
        Ok(())
    }

    /// Whether [`keyframe`](Self::keyframe) must be called before anything else is recorded.
    #[must_use]
    pub fn keyframe_due(&self) -> bool {
        self.keyframe_due.is_some()
    }

    /// Records the whole of state `step`, whose hashes were just recorded, and hands everything to the operating system.
    ///
    /// # Errors
    /// If no keyframe is due, the state is too large, or the sink cannot be written.
    pub fn keyframe(&mut self, step: u32, state: &[u8]) -> Result<(), ReplayError> {
        if self.keyframe_due != Some(step) {
            return Err(self.refused(format!("a keyframe of step {step}, which is not due")));
        }
        self.write_batch()?;
        self.message(Topic::Keyframes, step, state)?;
        self.keyframe_due = None;
        self.flush_chunk()
    }

    /// Writes the final record and returns the sink.
    ///
    /// # Errors
    /// If the ending does not fit what was recorded, or the sink cannot be written.
    pub fn finish_stream(mut self, ending: &Ending) -> Result<W, ReplayError> {
        let last_step = self.next_step.saturating_sub(1);
        let Some(last_hash) = self.last_hash.take() else {
            return Err(self.refused("an ending before any step".to_owned()));
        };
        self.no_keyframe_due()?;
        ending.check(&self.header, last_step, &last_hash).map_err(|what| self.refused(what))?;
        self.write_batch()?;
        self.json(Topic::End, last_step, ending)?;
        self.flush_chunk()?;
        let Some(mut container) = self.container.take() else {
            return Err(self.refused("an ending after the ending".to_owned()));
        };
        container.finish().map_err(|error| failed_write(&self.name, error))?;
        Ok(container.into_inner().into_inner().sink)
    }

    fn define_topics(&mut self) -> Result<(), ReplayError> {
        let (container, name) = self.open()?;
        for topic in Topic::ALL {
            let schema = container.add_schema(topic.schema_name(), topic.schema_encoding(), topic.schema().as_bytes());
            schema
                .and_then(|id| container.add_channel(id, topic.path(), topic.message_encoding(), &BTreeMap::new()))
                .map_err(|error| failed_write(name, error))?;
        }
        Ok(())
    }

    /// Puts the hashes that wait into the chunk.
    fn write_batch(&mut self) -> Result<(), ReplayError> {
        let hashes = std::mem::take(&mut self.batch);
        let Some(count) = u32::try_from(hashes.len()).ok().filter(|&count| count > 0) else {
            return Ok(());
        };
        let first = self.next_step.saturating_sub(count);
        let bytes = hash_batch::encode(first, &hashes, self.header.sections.len());
        self.message(Topic::Hashes, self.next_step.saturating_sub(1), &bytes)
    }

    fn json<T: Serialize>(&mut self, topic: Topic, step: u32, value: &T) -> Result<(), ReplayError> {
        let text = serde_json::to_vec(value).map_err(|error| self.refused(error.to_string()))?;
        self.message(topic, step, &text)
    }

    /// Puts a message into the chunk. Its time is that of the last state recorded, whatever step it is about.
    fn message(&mut self, topic: Topic, step: u32, data: &[u8]) -> Result<(), ReplayError> {
        let bytes = u64::try_from(data.len()).unwrap_or(u64::MAX);
        self.check_size("one message", bytes, MAX_MESSAGE_BYTES)?;
        self.content_bytes = self.content_bytes.saturating_add(bytes + MESSAGE_OVERHEAD);
        self.check_size("the content", self.content_bytes, MAX_CONTENT_BYTES)?;
        if self.chunk_bytes > FULL_CHUNK_BYTES {
            self.flush_chunk()?;
        }
        self.chunk_bytes += bytes + MESSAGE_OVERHEAD;
        let log_time = self.clock.stamp(&self.header, self.next_step.saturating_sub(1));
        self.clock.advance(log_time);
        let header = MessageHeader { channel_id: topic.id(), sequence: step, log_time, publish_time: log_time };
        let (container, name) = self.open()?;
        container.write_to_known_channel(&header, data).map_err(|error| failed_write(name, error))
    }

    /// Ends the chunk and hands everything to the operating system.
    fn flush_chunk(&mut self) -> Result<(), ReplayError> {
        self.chunk_bytes = 0;
        let (container, name) = self.open()?;
        container.flush().map_err(|error| failed_write(name, error))
    }

    fn no_keyframe_due(&self) -> Result<(), ReplayError> {
        match self.keyframe_due {
            Some(due) => Err(self.refused(format!("anything before the keyframe of step {due}, which is due"))),
            None => Ok(()),
        }
    }

    fn check_size(&self, what: &'static str, bytes: u64, limit: u64) -> Result<(), ReplayError> {
        if bytes > limit {
            return Err(ReplayError::TooLarge { name: self.name.clone(), what, bytes, limit });
        }
        Ok(())
    }

    /// The container, with the name to give to its errors.
    fn open(&mut self) -> Result<(&mut Container<W>, &str), ReplayError> {
        match &mut self.container {
            Some(container) => Ok((container, &self.name)),
            None => Err(ReplayError::Refused { name: self.name.clone(), what: "it is closed".to_owned() }),
        }
    }

    fn refused(&self, what: String) -> ReplayError {
        ReplayError::Refused { name: self.name.clone(), what }
    }
}

impl<W: Write> Drop for ReplayWriter<W> {
    fn drop(&mut self) {
        // Best effort on the way out of an error. Without `into_inner` the container would write a summary, as if whole.
        let _ = self.write_batch().and_then(|()| self.flush_chunk());
        if let Some(container) = self.container.take() {
            let _ = container.into_inner();
        }
    }
}

/// How the container is written: one thread and fixed names, so that the same calls give the same bytes; chunks end only
/// where they are told to.
pub(crate) fn options() -> WriteOptions {
    WriteOptions::new()
        .profile(PROFILE)
        .library(LIBRARY)
        .compression(Some(Compression::Zstd))
        .compression_level(COMPRESSION_LEVEL)
        .compression_threads(0)
        .chunk_size(None)
        .disable_seeking(true)
}

/// Refuses to grow past what a reader takes.
struct BoundedSink<W> {
    sink: W,
    room: u64,
}

impl<W: Write> Write for BoundedSink<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.sink.write(bytes)?;
        match u64::try_from(written).ok().and_then(|written| self.room.checked_sub(written)) {
            Some(room) => {
                self.room = room;
                Ok(written)
            }
            None => Err(std::io::Error::other(format!(
                "a replay takes at most {MAX_FILE_BYTES} bytes; record fewer steps or keyframes"
            ))),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.sink.flush()
    }
}

fn check_header(name: &str, header: &Header) -> Result<(), ReplayError> {
    header.check().map_err(|what| ReplayError::Refused { name: name.to_owned(), what })
}

fn failed_write(name: &str, error: McapError) -> ReplayError {
    let cause = match error {
        McapError::Io(cause) => cause,
        other => std::io::Error::other(other),
    };
    ReplayError::Io { name: name.to_owned(), action: "write it", cause }
}
