//! One message of a file, and the definitions of channels that must precede it.

use mcap::records::op;
use serde::de::DeserializeOwned;

use crate::replay::reader::fields::Fields;
use crate::replay::topic::Definition;

/// Definitions of channels and schemas beyond this many are refused, whatever format the file has.
pub(crate) const MAX_DEFINITIONS: usize = 1024;

/// One message, taken apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message<'a> {
    pub(crate) channel: u16,
    pub(crate) time: u64,
    pub(crate) sequence: u32,
    pub(crate) data: &'a [u8],
}

impl<'a> Message<'a> {
    pub(crate) fn read(body: &'a [u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let (channel, sequence) = (fields.u16()?, fields.u32()?);
        let (time, publish_time) = (fields.u64()?, fields.u64()?);
        (time == publish_time).then_some(Self { channel, time, sequence, data: fields.rest() })
    }
}

/// Reads the record of a message.
pub(crate) fn json<T: DeserializeOwned>(data: &[u8]) -> Result<T, String> {
    serde_json::from_slice(data).map_err(|error| format!("a record that is not as expected: {error}"))
}

/// Whether a message is about that step; otherwise what is wrong.
pub(crate) fn at(message: &Message<'_>, step: u32) -> Result<(), String> {
    if message.sequence == step {
        return Ok(());
    }
    Err(format!("a record about step {step} in a message of step {}", message.sequence))
}

/// Whether a schema and a channel for each topic were read, in order. The text of a schema is for people and may differ.
pub(crate) fn definitions_are(topics: &[Definition], definitions: &[(u8, Vec<u8>)]) -> bool {
    definitions.len() == 2 * topics.len()
        && definitions.chunks_exact(2).zip(topics).all(|(pair, topic)| match pair {
            [(op::SCHEMA, schema), (op::CHANNEL, channel)] => {
                is_schema(schema, topic) == Some(true) && is_channel(channel, topic) == Some(true)
            }
            _ => false,
        })
}

fn is_schema(body: &[u8], topic: &Definition) -> Option<bool> {
    let mut fields = Fields::new(body);
    let ours =
        fields.u16()? == topic.id && fields.text()? == topic.schema_name && fields.text()? == topic.schema_encoding;
    fields.bytes()?;
    Some(ours && fields.is_empty())
}

fn is_channel(body: &[u8], topic: &Definition) -> Option<bool> {
    let mut fields = Fields::new(body);
    let ours = fields.u16()? == topic.id
        && fields.u16()? == topic.id
        && fields.text()? == topic.path
        && fields.text()? == topic.message_encoding
        && fields.bytes()?.is_empty();
    Some(ours && fields.is_empty())
}
