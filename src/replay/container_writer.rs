//! Writes the container that every file of ours is: bounded, in chunks, with nothing sought back to.

use std::collections::BTreeMap;
use std::io::Write;

use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{Compression, McapError, WriteOptions};

use crate::replay::error::ReplayError;
use crate::replay::format::{LIBRARY, MAX_CONTENT_BYTES, MAX_FILE_BYTES, MAX_MESSAGE_BYTES};
use crate::replay::topic::Definition;

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

/// Writes messages into chunks. Dropped before its end, it leaves what it has, without a summary.
pub(crate) struct ContainerWriter<W: Write> {
    name: String,
    chunk_bytes: u64,
    content_bytes: u64,
    /// `None` once the file is closed.
    container: Option<Container<W>>,
}

impl<W: Write> ContainerWriter<W> {
    /// Begins a file of that profile, which errors call `name`, and defines its topics.
    pub(crate) fn start(name: &str, sink: W, profile: &str, topics: &[Definition]) -> Result<Self, ReplayError> {
        let mut container = options(profile)
            .create(NoSeek::new(BoundedSink { sink, room: MAX_FILE_BYTES }))
            .map_err(|error| failed_write(name, error))?;
        for topic in topics {
            let schema = container.add_schema(topic.schema_name, topic.schema_encoding, topic.schema.as_bytes());
            schema
                .and_then(|id| container.add_channel(id, topic.path, topic.message_encoding, &BTreeMap::new()))
                .map_err(|error| failed_write(name, error))?;
        }
        let (name, container) = (name.to_owned(), Some(container));
        Ok(Self { name, chunk_bytes: 0, content_bytes: DEFINITIONS_ALLOWANCE, container })
    }

    /// Puts a message into the chunk.
    pub(crate) fn message(
        &mut self,
        channel_id: u16,
        sequence: u32,
        log_time: u64,
        data: &[u8],
    ) -> Result<(), ReplayError> {
        let bytes = u64::try_from(data.len()).unwrap_or(u64::MAX);
        self.check_size("one message", bytes, MAX_MESSAGE_BYTES)?;
        self.content_bytes = self.content_bytes.saturating_add(bytes + MESSAGE_OVERHEAD);
        self.check_size("the content", self.content_bytes, MAX_CONTENT_BYTES)?;
        if self.chunk_bytes > FULL_CHUNK_BYTES {
            self.flush_chunk()?;
        }
        self.chunk_bytes += bytes + MESSAGE_OVERHEAD;
        let header = MessageHeader { channel_id, sequence, log_time, publish_time: log_time };
        let (container, name) = self.open()?;
        container.write_to_known_channel(&header, data).map_err(|error| failed_write(name, error))
    }

    /// What the chunk holds so far, in bytes.
    pub(crate) fn chunk_bytes(&self) -> u64 {
        self.chunk_bytes
    }

    /// Ends the chunk and hands everything to the operating system.
    pub(crate) fn flush_chunk(&mut self) -> Result<(), ReplayError> {
        self.chunk_bytes = 0;
        let (container, name) = self.open()?;
        container.flush().map_err(|error| failed_write(name, error))
    }

    /// Ends the file with its summary and returns the sink.
    pub(crate) fn finish(&mut self) -> Result<W, ReplayError> {
        self.flush_chunk()?;
        let Some(mut container) = self.container.take() else {
            return Err(closed(&self.name));
        };
        container.finish().map_err(|error| failed_write(&self.name, error))?;
        Ok(container.into_inner().into_inner().sink)
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
            None => Err(closed(&self.name)),
        }
    }
}

impl<W: Write> Drop for ContainerWriter<W> {
    fn drop(&mut self) {
        // Best effort on the way out of an error. Without `into_inner` the container would write a summary, as if whole.
        if self.container.is_some() {
            let _ = self.flush_chunk();
        }
        if let Some(container) = self.container.take() {
            let _ = container.into_inner();
        }
    }
}

/// How the container is written: one thread and fixed names, so that the same calls give the same bytes; chunks end only
/// where they are told to.
pub(crate) fn options(profile: &str) -> WriteOptions {
    WriteOptions::new()
        .profile(profile)
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
                "such a file takes at most {MAX_FILE_BYTES} bytes; record fewer steps or keyframes"
            ))),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.sink.flush()
    }
}

fn closed(name: &str) -> ReplayError {
    ReplayError::Refused { name: name.to_owned(), what: "it is closed".to_owned() }
}

fn failed_write(name: &str, error: McapError) -> ReplayError {
    let cause = match error {
        McapError::Io(cause) => cause,
        other => std::io::Error::other(other),
    };
    ReplayError::Io { name: name.to_owned(), action: "write it", cause }
}
