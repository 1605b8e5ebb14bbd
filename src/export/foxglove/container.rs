//! The MCAP file around the messages: topics, chunks, and an index so that players can jump.

use std::collections::BTreeMap;
use std::io::Write;

use foxglove::Encode;
use foxglove::messages::{FrameTransforms, SceneUpdate};
use mcap::McapError;
use mcap::records::{MessageHeader, Metadata};
use mcap::write::NoSeek;
use mcap::{Compression, WriteOptions};

use crate::export::ExportError;
use crate::replay::format::LIBRARY;

/// A chunk that has taken more than this is closed, in bytes: what a player reads at once.
const FULL_CHUNK_BYTES: usize = 1 << 20;
/// A low level of zstd: what takes long is the run.
const COMPRESSION_LEVEL: u32 = 1;

/// Where messages go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Topic {
    /// Poses of the bodies.
    Transforms,
    /// Shapes of the bodies.
    Scene,
    /// Contact points.
    Contacts,
}

/// Writes messages into chunks.
pub(super) struct Container<W: Write> {
    /// `None` once the file is closed.
    writer: Option<mcap::Writer<NoSeek<W>>>,
    transforms: u16,
    scene: u16,
    contacts: u16,
    description: u16,
    chunk_bytes: usize,
    message: Vec<u8>,
}

impl<W: Write> Container<W> {
    pub(super) fn start(sink: W) -> Result<Self, ExportError> {
        let options = WriteOptions::new()
            .library(LIBRARY)
            .compression(Some(Compression::Zstd))
            .compression_level(COMPRESSION_LEVEL)
            .compression_threads(0)
            .chunk_size(None)
            .disable_seeking(true);
        let mut writer = options.create(NoSeek::new(sink))?;
        let transforms = add_channel::<W, FrameTransforms>(&mut writer, "/tf")?;
        let scene = add_channel::<W, SceneUpdate>(&mut writer, "/scene")?;
        let contacts = add_channel::<W, SceneUpdate>(&mut writer, "/contacts")?;
        // Not `/robot_description`, which Foxglove would draw on top of the scene; Rerun takes any name that has it.
        let text = writer.add_schema("std_msgs/msg/String", "ros2msg", b"string data\n")?;
        let description = writer.add_channel(text, "/rerun/robot_description", "cdr", &BTreeMap::new())?;
        let (chunk_bytes, message) = (0, Vec::new());
        Ok(Self { writer: Some(writer), transforms, scene, contacts, description, chunk_bytes, message })
    }

    /// Writes a table of names and values.
    pub(super) fn metadata(&mut self, name: &str, metadata: BTreeMap<String, String>) -> Result<(), ExportError> {
        let metadata = Metadata { name: name.to_owned(), metadata };
        Ok(open(&mut self.writer)?.write_metadata(&metadata)?)
    }

    /// Writes a message that has protobuf's form.
    pub(super) fn message<M: Encode>(
        &mut self,
        topic: Topic,
        step: u32,
        nanoseconds: u64,
        message: &M,
    ) -> Result<(), ExportError> {
        let channel = match topic {
            Topic::Transforms => self.transforms,
            Topic::Scene => self.scene,
            Topic::Contacts => self.contacts,
        };
        self.message.clear();
        message.encode(&mut self.message).map_err(|error| ExportError::Format(error.to_string()))?;
        self.write(channel, step, nanoseconds)?;
        if self.chunk_bytes > FULL_CHUNK_BYTES {
            self.close_chunk()?;
        }
        Ok(())
    }

    /// Writes the text of a robot description, as ROS 2 would, in a chunk of its own: it is of an earlier time.
    pub(super) fn description(&mut self, nanoseconds: u64, text: &str) -> Result<(), ExportError> {
        let length = u32::try_from(text.len() + 1).map_err(|_| ExportError::Format("too many bodies".to_owned()))?;
        self.close_chunk()?;
        self.message.clear();
        // The form of ROS 2's messages (CDR, little-endian): what it is, the length with the zero, the text, the zero.
        self.message.extend_from_slice(&[0, 1, 0, 0]);
        self.message.extend_from_slice(&length.to_le_bytes());
        self.message.extend_from_slice(text.as_bytes());
        self.message.push(0);
        self.write(self.description, 0, nanoseconds)
    }

    /// Ends the file with its index and gives the stream back.
    pub(super) fn finish(&mut self) -> Result<W, ExportError> {
        open(&mut self.writer)?.finish()?;
        let writer = self.writer.take().ok_or_else(closed)?;
        let mut sink = writer.into_inner().into_inner();
        sink.flush()?;
        Ok(sink)
    }

    fn write(&mut self, channel_id: u16, sequence: u32, nanoseconds: u64) -> Result<(), ExportError> {
        self.chunk_bytes += self.message.len();
        let header = MessageHeader { channel_id, sequence, log_time: nanoseconds, publish_time: nanoseconds };
        Ok(open(&mut self.writer)?.write_to_known_channel(&header, &self.message)?)
    }

    fn close_chunk(&mut self) -> Result<(), ExportError> {
        self.chunk_bytes = 0;
        Ok(open(&mut self.writer)?.flush()?)
    }
}

impl<W: Write> Drop for Container<W> {
    fn drop(&mut self) {
        // Without `into_inner` the writer would end the file as if it were whole.
        if let Some(writer) = self.writer.take() {
            let _ = writer.into_inner();
        }
    }
}

fn add_channel<W: Write, M: Encode>(writer: &mut mcap::Writer<NoSeek<W>>, topic: &str) -> Result<u16, ExportError> {
    let schema = M::get_schema().ok_or_else(|| ExportError::Format(format!("{topic} has no schema")))?;
    let schema = writer.add_schema(&schema.name, &schema.encoding, &schema.data)?;
    Ok(writer.add_channel(schema, topic, &M::get_message_encoding(), &BTreeMap::new())?)
}

fn open<W: Write>(writer: &mut Option<mcap::Writer<NoSeek<W>>>) -> Result<&mut mcap::Writer<NoSeek<W>>, ExportError> {
    writer.as_mut().ok_or_else(closed)
}

fn closed() -> ExportError {
    ExportError::Format("the file is closed".to_owned())
}

impl From<McapError> for ExportError {
    fn from(error: McapError) -> Self {
        match error {
            McapError::Io(cause) => Self::Io(cause),
            other => Self::Format(other.to_string()),
        }
    }
}
