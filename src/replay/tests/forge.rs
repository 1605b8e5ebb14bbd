//! Replays that no writer of ours would write, with every checksum and index in place.

use std::collections::BTreeMap;
use std::io::Cursor;

use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{MessageStream, WriteOptions, Writer};

use crate::replay::topic::Topic;
use crate::replay::writer::options;

pub type Container = Writer<NoSeek<Cursor<Vec<u8>>>>;

/// A message to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    pub channel: u16,
    pub sequence: u32,
    pub time: u64,
    pub data: Vec<u8>,
}

/// The messages of a sound replay.
pub fn messages(file: &[u8]) -> Vec<Message> {
    let stream = MessageStream::new(file).expect("a sound file");
    stream
        .map(|message| {
            let message = message.expect("a sound file");
            Message {
                channel: message.channel.id,
                sequence: message.sequence,
                time: message.log_time,
                data: message.data.to_vec(),
            }
        })
        .collect()
}

/// A container with the channels of a replay and nothing else.
pub fn empty(options: WriteOptions) -> Container {
    let mut container = options.create(NoSeek::new(Cursor::new(Vec::new()))).expect("memory takes all");
    define(&mut container, &Topic::ALL);
    container
}

/// Adds the channels of those topics.
pub fn define(container: &mut Container, topics: &[Topic]) {
    for topic in topics {
        let schema = container.add_schema(topic.schema_name(), topic.schema_encoding(), topic.schema().as_bytes());
        let schema = schema.expect("memory takes all");
        container
            .add_channel(schema, topic.path(), topic.message_encoding(), &BTreeMap::new())
            .expect("memory takes all");
    }
}

pub fn put(container: &mut Container, message: &Message) {
    let Message { channel: channel_id, sequence, time: log_time, ref data } = *message;
    let header = MessageHeader { channel_id, sequence, log_time, publish_time: log_time };
    container.write_to_known_channel(&header, data).expect("memory takes all");
    if channel_id == Topic::Keyframes.id() || channel_id == Topic::End.id() {
        container.flush().expect("memory takes all");
    }
}

pub fn close(mut container: Container) -> Vec<u8> {
    container.finish().expect("memory takes all");
    container.into_inner().into_inner().into_inner()
}

/// A file of those messages, in chunks as the writer makes them.
pub fn file(messages: &[Message]) -> Vec<u8> {
    file_with(options(), messages)
}

/// A file of those messages, written in another way.
pub fn file_with(options: WriteOptions, messages: &[Message]) -> Vec<u8> {
    let mut container = empty(options);
    messages.iter().for_each(|message| put(&mut container, message));
    close(container)
}

/// The file with another format stated in its header.
pub fn with_format(file: &[u8], format: u32) -> Vec<u8> {
    let mut messages = messages(file);
    let header = String::from_utf8(messages[0].data.clone()).expect("a header is text");
    messages[0].data = header.replacen("\"format\":1,", &format!("\"format\":{format},\"new\":[],"), 1).into_bytes();
    self::file(&messages)
}
