//! Works out what the indexes and the summary of a file must say, from what its data section holds.
//!
//! Readers that seek trust these records, so a replay is only sound if they are exactly the expected bytes.

use std::collections::{BTreeMap, VecDeque};

use mcap::records::op;

use crate::replay::error::Fault;
use crate::replay::reader::chunk::{COMPRESSION, ChunkHeader};
use crate::replay::reader::container::{FileRecord, RECORD_PREFIX};

/// A record that must come: opcode and body.
pub(crate) type ExpectedRecord = (u8, Vec<u8>);

/// Where the messages of one chunk are: by channel, time and offset in the unpacked chunk.
pub(crate) type MessageOffsets = BTreeMap<u16, Vec<(u64, u64)>>;

/// The bookkeeping of a file's data section.
#[derive(Debug, Default)]
pub(crate) struct Index {
    schemas: Vec<ExpectedRecord>,
    channels: Vec<ExpectedRecord>,
    chunks: Vec<ExpectedRecord>,
    message_counts: BTreeMap<u16, u64>,
    times: Option<(u64, u64)>,
    /// The message indexes that must follow the last chunk.
    due: VecDeque<Vec<u8>>,
}

impl Index {
    /// Takes note of a schema or channel.
    pub(crate) fn definition(&mut self, opcode: u8, body: &[u8]) {
        let group = if opcode == op::SCHEMA { &mut self.schemas } else { &mut self.channels };
        group.push((opcode, body.to_vec()));
    }

    /// Takes note of a chunk whose messages are at `offsets`, and checks the times it states.
    pub(crate) fn chunk(
        &mut self,
        record: &FileRecord<'_>,
        header: &ChunkHeader,
        offsets: &MessageOffsets,
    ) -> Result<(), Fault> {
        let times = offsets.values().flatten().map(|&(time, _)| time);
        let bounds = times.clone().min().zip(times.max());
        if bounds.unwrap_or_default() != (header.start_time, header.end_time) {
            return Err(Fault::corrupt(record.offset, "a chunk that states other times than its messages have"));
        }
        if let Some((start, end)) = bounds {
            let start = self.times.map_or(start, |(first, _)| first.min(start));
            self.times = Some((start, self.times.map_or(end, |(_, last)| last.max(end))));
        }
        let first_index = record.offset + record.size();
        let mut position = first_index;
        let mut index_offsets = Vec::new();
        for (&channel, entries) in offsets {
            *self.message_counts.entry(channel).or_default() += entries.len() as u64;
            index_offsets.extend(channel.to_le_bytes());
            index_offsets.extend(position.to_le_bytes());
            let body = message_index(channel, entries);
            position += (RECORD_PREFIX + body.len()) as u64;
            self.due.push_back(body);
        }
        let mut body = Vec::new();
        put_u64s(&mut body, &[header.start_time, header.end_time, record.offset, record.size()]);
        put_bytes(&mut body, &index_offsets);
        put_u64s(&mut body, &[position - first_index]);
        put_bytes(&mut body, COMPRESSION.as_bytes());
        put_u64s(&mut body, &[header.packed_bytes, header.unpacked_bytes]);
        self.chunks.push((op::CHUNK_INDEX, body));
        Ok(())
    }

    /// Checks a message index.
    pub(crate) fn message_index(&mut self, record: &FileRecord<'_>) -> Result<(), Fault> {
        match self.due.pop_front() {
            Some(expected) if expected == record.body => Ok(()),
            _ => Err(Fault::corrupt(record.offset, "a message index that does not fit the chunk before it")),
        }
    }

    /// Checks that no message index is missing before `record`.
    pub(crate) fn none_due(&self, record: &FileRecord<'_>) -> Result<(), Fault> {
        if self.due.is_empty() {
            return Ok(());
        }
        Err(Fault::corrupt(record.offset, "a missing message index"))
    }

    /// The records of the summary, which begins at `start`, up to the footer; and the footer without its checksum.
    pub(crate) fn summary(self, start: u64) -> (Vec<ExpectedRecord>, Vec<u8>) {
        let statistics = self.statistics();
        let mut position = start;
        let (mut records, mut offsets) = (Vec::new(), Vec::new());
        for group in [self.schemas, self.channels, vec![statistics], self.chunks] {
            let length: u64 = group.iter().map(|(_, body)| (RECORD_PREFIX + body.len()) as u64).sum();
            if let Some(&(opcode, _)) = group.first() {
                let mut body = vec![opcode];
                put_u64s(&mut body, &[position, length]);
                offsets.push((op::SUMMARY_OFFSET, body));
            }
            position += length;
            records.extend(group);
        }
        records.extend(offsets);
        let mut footer = Vec::new();
        put_u64s(&mut footer, &[start, position]);
        (records, footer)
    }

    fn statistics(&self) -> ExpectedRecord {
        let (start, end) = self.times.unwrap_or_default();
        let mut body = Vec::new();
        put_u64s(&mut body, &[self.message_counts.values().sum()]);
        body.extend((self.schemas.len() as u16).to_le_bytes());
        // Channels, attachments, metadata and chunks, each in 32 bits.
        for count in [self.channels.len(), 0, 0, self.chunks.len()] {
            body.extend((count as u32).to_le_bytes());
        }
        put_u64s(&mut body, &[start, end]);
        let mut counts = Vec::new();
        for (channel, count) in &self.message_counts {
            counts.extend(channel.to_le_bytes());
            counts.extend(count.to_le_bytes());
        }
        put_bytes(&mut body, &counts);
        (op::STATISTICS, body)
    }
}

fn message_index(channel: u16, entries: &[(u64, u64)]) -> Vec<u8> {
    let mut offsets = Vec::new();
    for &(time, offset) in entries {
        put_u64s(&mut offsets, &[time, offset]);
    }
    let mut body = channel.to_le_bytes().to_vec();
    put_bytes(&mut body, &offsets);
    body
}

fn put_u64s(body: &mut Vec<u8>, values: &[u64]) {
    body.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn put_bytes(body: &mut Vec<u8>, bytes: &[u8]) {
    body.extend((bytes.len() as u32).to_le_bytes());
    body.extend(bytes);
}
