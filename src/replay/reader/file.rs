//! Reads the layers that every file of ours has, and hands what is in the messages to a [`Collector`].

use std::fs::File;
use std::io::Read;
use std::path::Path;

use mcap::records::op;

use crate::replay::error::{Fault, ReplayError};
use crate::replay::format::TRACE_PROFILE;
use crate::replay::format::{MAX_CONTENT_BYTES, MAX_FILE_BYTES, PROFILE};
use crate::replay::reader::chunk::{ChunkHeader, visit_records};
use crate::replay::reader::container::{Container, FileRecord};
use crate::replay::reader::fields::Fields;
use crate::replay::reader::index::{Index, MessageOffsets};
use crate::replay::reader::message::Message;

/// What makes something of the messages of a file, and holds them to their order.
pub(crate) trait Collector {
    /// The MCAP profile that the file must state.
    const PROFILE: &'static str;

    /// Takes a schema or channel.
    fn definition(&mut self, opcode: u8, body: &[u8]) -> Result<(), String>;

    /// Takes a message of the chunk at `byte`.
    fn message(&mut self, byte: u64, message: &Message<'_>) -> Result<(), Fault>;

    /// Whether the final record was read.
    fn has_ended(&self) -> bool;
}

/// Whether a file begins as an MCAP file of that profile does; an empty one gives `empty`.
pub(crate) fn begins_with_profile(path: &Path, expected: &str, empty: bool) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    read.is_ok() && if start.is_empty() { empty } else { is_of_profile(&start, expected) }
}

/// Whether bytes begin as an MCAP file of that profile does.
pub(crate) fn is_of_profile(start: &[u8], expected: &str) -> bool {
    // Magic, the opcode of the header and its length come first.
    let profile = start.strip_prefix(mcap::MAGIC).and_then(|header| Fields::new(header.get(1 + 8..)?).text());
    profile == Some(expected)
}

/// Whether bytes begin as those of an MCAP file do, whatever its profile: of any other the rest need not be read.
#[must_use]
pub fn begins_as_mcap(start: &[u8]) -> bool {
    start.starts_with(mcap::MAGIC)
}

/// Opens the file, unless it is larger than a replay may be.
pub(crate) fn open(path: &Path) -> Result<File, ReplayError> {
    if path.is_dir() {
        return Err(ReplayError::NotAFile { name: path.display().to_string() });
    }
    let file = File::open(path).map_err(|cause| ReplayError::io(path, "open it", cause))?;
    let stated = file.metadata().map_or(0, |metadata| metadata.len());
    if stated > MAX_FILE_BYTES {
        let fault = Fault::TooLarge { what: "the file", bytes: stated, limit: MAX_FILE_BYTES };
        return Err(fault.named(&path.display().to_string()));
    }
    Ok(file)
}

/// Reads a whole file, leaving in `content` what was sound before the first fault.
pub(crate) fn read_file<C: Collector>(source: &mut dyn Read, content: &mut C) -> Result<(), Fault> {
    let mut container = Container::new(source)?;
    check_profile(&next_record(&mut container)?, C::PROFILE)?;
    let (index, summary_start) = read_data_section(&mut container, content)?;
    read_summary(&mut container, index, summary_start)?;
    // Asking past the footer checks the closing magic and that nothing follows it.
    match container.next()? {
        None => Ok(()),
        Some(record) => Err(unexpected(&record)),
    }
}

fn next_record<'a>(container: &'a mut Container<'_>) -> Result<FileRecord<'a>, Fault> {
    container.next()?.ok_or_else(|| Fault::corrupt(0, "a file without a footer"))
}

fn unexpected(record: &FileRecord<'_>) -> Fault {
    Fault::corrupt(record.offset, format!("a record of kind 0x{:02x} where another is due", record.opcode))
}

fn check_profile(record: &FileRecord<'_>, expected: &str) -> Result<(), Fault> {
    let mut fields = Fields::new(record.body);
    match (record.opcode, fields.text(), fields.text()) {
        (op::HEADER, Some(profile), Some(_)) if profile == expected && fields.is_empty() => Ok(()),
        (op::HEADER, Some(profile), Some(_)) => {
            let is_ours = [PROFILE, TRACE_PROFILE].contains(&profile);
            let next = if is_ours { "" } else { " (an export for Foxglove, say); take the replay it was made of" };
            Err(Fault::NotAReplay(format!("its MCAP profile is {profile:?}, expected {expected:?}{next}")))
        }
        _ => Err(unexpected(record)),
    }
}

/// Reads up to the end of the data section; returns what the summary must say, and where it begins.
fn read_data_section<C: Collector>(container: &mut Container<'_>, content: &mut C) -> Result<(Index, u64), Fault> {
    let mut index = Index::default();
    let mut content_bytes = 0_u64;
    loop {
        let record = next_record(container)?;
        match record.opcode {
            op::CHUNK => {
                index.none_due(&record)?;
                let header = ChunkHeader::read(&record)?;
                content_bytes = content_bytes.saturating_add(header.unpacked_bytes);
                if content_bytes > MAX_CONTENT_BYTES {
                    let limit = MAX_CONTENT_BYTES;
                    return Err(Fault::TooLarge { what: "the content, unpacked,", bytes: content_bytes, limit });
                }
                read_chunk(&record, &header, &mut index, content)?;
            }
            op::MESSAGE_INDEX => index.message_index(&record)?,
            op::DATA_END => {
                index.none_due(&record)?;
                check_data_end(&record, content)?;
                return Ok((index, record.offset + record.size()));
            }
            _ => return Err(unexpected(&record)),
        }
    }
}

fn read_chunk<C: Collector>(
    record: &FileRecord<'_>,
    header: &ChunkHeader,
    index: &mut Index,
    content: &mut C,
) -> Result<(), Fault> {
    let mut offsets = MessageOffsets::new();
    visit_records(record, header, |offset, opcode, body| match opcode {
        op::MESSAGE => {
            let message = Message::read(body);
            let message = message.ok_or_else(|| Fault::corrupt(record.offset, "a message without its header"))?;
            offsets.entry(message.channel).or_default().push((message.time, offset));
            content.message(record.offset, &message)
        }
        op::SCHEMA | op::CHANNEL => {
            index.definition(opcode, body);
            content.definition(opcode, body).map_err(|what| Fault::corrupt(record.offset, what))
        }
        _ => Err(Fault::corrupt(record.offset, format!("a record of kind 0x{opcode:02x} in a chunk"))),
    })?;
    index.chunk(record, header, &offsets)
}

fn check_data_end<C: Collector>(record: &FileRecord<'_>, content: &C) -> Result<(), Fault> {
    let mut fields = Fields::new(record.body);
    match fields.u32() {
        Some(checksum) if checksum != 0 && fields.is_empty() => {}
        _ => return Err(Fault::corrupt(record.offset, "a data section without a checksum")),
    }
    if !content.has_ended() {
        return Err(Fault::corrupt(record.offset, "an end of the data where the final record is due"));
    }
    Ok(())
}

fn read_summary(container: &mut Container<'_>, index: Index, start: u64) -> Result<(), Fault> {
    let (expected, footer) = index.summary(start);
    for (opcode, body) in expected {
        let record = next_record(container)?;
        if record.opcode != opcode || record.body != body {
            return Err(Fault::corrupt(record.offset, "a summary that does not fit the data"));
        }
    }
    let record = next_record(container)?;
    let checksum = record.body.strip_prefix(footer.as_slice());
    match (record.opcode, checksum) {
        (op::FOOTER, Some(&[a, b, c, d])) if [a, b, c, d] != [0; 4] => Ok(()),
        _ => Err(Fault::corrupt(record.offset, "a footer that does not fit the summary, or has no checksum")),
    }
}
