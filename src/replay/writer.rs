//! Writes a replay while the run goes on.
//!
//! Nothing is ever written twice or sought back to, so a run that is killed leaves a sound beginning: all of it up to the
//! last keyframe. The same calls give the same bytes.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::replay::container_writer::ContainerWriter;
use crate::replay::error::ReplayError;
use crate::replay::format::{Clock, Ending, Header, MAX_BATCH_STEPS, PROFILE, Perturbation, RecordedInput, StepHash};
use crate::replay::hash_batch;
use crate::replay::partial_file::PartialFile;
use crate::replay::topic::Topic;

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
    container: ContainerWriter<W>,
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
        let container = ContainerWriter::start(name, sink, PROFILE, &Topic::ALL.map(Topic::definition))?;
        let mut writer = Self {
            name: name.to_owned(),
            header: header.clone(),
            clock: Clock::default(),
            next_step: 0,
            keyframe_due: None,
            batch: Vec::new(),
            last_hash: None,
            container,
        };
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
        self.write_batch()?;
        self.json(Topic::Inputs, input.step, input)
    }

    /// Records a fault planted on purpose.
    ///
    /// # Errors
    /// If it is planted after the last step, a keyframe is due, or the sink cannot be written.
    pub fn perturbation(&mut self, perturbation: &Perturbation) -> Result<(), ReplayError> {
        self.no_keyframe_due()?;
        if perturbation.step > self.header.steps {
            return Err(self.refused(format!(
                "a perturbation of state {} of a run of {} steps",
                perturbation.step, self.header.steps
            )));
        }
        self.write_batch()?;
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
            self.container.flush_chunk()?;
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
        self.container.flush_chunk()
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
        self.container.finish()
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
        let log_time = self.clock.stamp(&self.header, self.next_step.saturating_sub(1));
        self.clock.advance(log_time);
        self.container.message(topic.id(), step, log_time, data)
    }

    fn no_keyframe_due(&self) -> Result<(), ReplayError> {
        match self.keyframe_due {
            Some(due) => Err(self.refused(format!("anything before the keyframe of step {due}, which is due"))),
            None => Ok(()),
        }
    }

    fn refused(&self, what: String) -> ReplayError {
        ReplayError::Refused { name: self.name.clone(), what }
    }
}

impl<W: Write> Drop for ReplayWriter<W> {
    fn drop(&mut self) {
        // Best effort on the way out of an error. The container then keeps what it has.
        let _ = self.write_batch();
    }
}

/// How the container of a replay is written.
#[cfg(test)]
pub(crate) fn options() -> mcap::WriteOptions {
    crate::replay::container_writer::options(PROFILE)
}

fn check_header(name: &str, header: &Header) -> Result<(), ReplayError> {
    header.check().map_err(|what| ReplayError::Refused { name: name.to_owned(), what })
}
