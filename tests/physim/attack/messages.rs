//! A replay taken apart into its messages, and sealed again: checksums, indexes, summary and times as they must be.

use std::collections::BTreeMap;
use std::io::Cursor;

use mcap::records::MessageHeader;
use mcap::{Compression, MessageStream, Summary, WriteOptions};
use physim::replay::topic::Topic;
use serde_json::Value;

/// What a message holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Json(Value),
    /// The scene.
    Text(String),
    /// Hashes, or a state.
    Bytes(Vec<u8>),
}

impl Content {
    fn of(topic: Topic, data: &[u8]) -> Self {
        match topic {
            Topic::Scene => Self::Text(String::from_utf8(data.to_vec()).expect("a text")),
            Topic::Hashes | Topic::Keyframes => Self::Bytes(data.to_vec()),
            _ => Self::Json(serde_json::from_slice(data).expect("JSON")),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub topic: Topic,
    pub sequence: u32,
    pub content: Content,
    /// Added to the time that it must have.
    pub late: u64,
    /// Its bytes as they were: JSON may have its keys in any order.
    original: Vec<u8>,
}

impl Message {
    fn of(topic: Topic, sequence: u32, data: &[u8]) -> Self {
        let content = Content::of(topic, data);
        Self { topic, sequence, content, late: 0, original: data.to_vec() }
    }

    /// Whether it is a record that tells a key twice.
    pub fn repeats_a_key(&self) -> bool {
        let is_json = !matches!(self.topic, Topic::Scene | Topic::Hashes | Topic::Keyframes);
        is_json && matches!(self.content, Content::Bytes(_))
    }

    /// Its bytes.
    pub fn data(&self) -> Vec<u8> {
        match &self.content {
            Content::Json(_) if Content::of(self.topic, &self.original) == self.content => self.original.clone(),
            Content::Json(value) => value.to_string().into_bytes(),
            Content::Text(text) => text.clone().into_bytes(),
            Content::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// The messages of a replay.
pub fn unseal(replay: &[u8]) -> Vec<Message> {
    let messages = MessageStream::new(replay).expect("a replay").map(|message| {
        let message = message.expect("a message");
        Message::of(Topic::from_id(message.channel.id).expect("a topic"), message.sequence, &message.data)
    });
    messages.collect()
}

/// A replay of these messages, with the definitions of `like`.
pub fn seal(like: &[u8], messages: &[Message]) -> Vec<u8> {
    let summary = Summary::read(like).expect("a replay").expect("a summary");
    let options = WriteOptions::new()
        .profile("physim")
        .library("physim")
        .compression(Some(Compression::Zstd))
        .compression_level(3)
        .compression_threads(0)
        .chunk_size(None)
        .disable_seeking(true);
    let mut writer = options.create(Cursor::new(Vec::new())).expect("a writer");
    let channels: BTreeMap<_, _> = summary.channels.iter().collect();
    for channel in channels.values() {
        let schema = channel.schema.as_ref().expect("a schema");
        let id = writer.add_schema(&schema.name, &schema.encoding, &schema.data).expect("a schema");
        writer.add_channel(id, &channel.topic, &channel.message_encoding, &BTreeMap::new()).expect("a channel");
    }
    let mut clock = Clock::of(messages);
    for message in messages {
        let time = clock.stamp(message);
        let header = MessageHeader {
            channel_id: message.topic.id(),
            sequence: message.sequence,
            log_time: time,
            publish_time: time,
        };
        writer.write_to_known_channel(&header, &message.data()).expect("a message");
        if message.topic == Topic::Keyframes {
            writer.flush().expect("a chunk");
        }
    }
    writer.finish().expect("a file");
    writer.into_inner().into_inner()
}

/// The times that the messages of a replay must have by what its header states.
struct Clock {
    nanoseconds: (u64, u64),
    last: Option<u64>,
    step: u32,
}

impl Clock {
    fn of(messages: &[Message]) -> Self {
        let stated = messages.iter().find_map(|message| match &message.content {
            Content::Json(header) if message.topic == Topic::Header => {
                let part = |index: usize| header["dt_nanoseconds"][index].as_u64();
                Some((part(0)?, part(1)?))
            }
            _ => None,
        });
        let nanoseconds = stated.filter(|(_, denominator)| *denominator > 0).unwrap_or((1, 1));
        Self { nanoseconds, last: None, step: 0 }
    }

    fn stamp(&mut self, message: &Message) -> u64 {
        if message.topic == Topic::Hashes {
            self.step = message.sequence;
        }
        let exact = u128::from(self.step) * u128::from(self.nanoseconds.0) / u128::from(self.nanoseconds.1);
        let earliest = self.last.map_or(0, |last| last.saturating_add(1));
        let time = u64::try_from(exact).unwrap_or(u64::MAX).max(earliest).saturating_add(message.late);
        self.last = Some(time);
        time
    }
}
