//! Reads a replay back: strictly, where everything must hold, or as far as it goes.
//!
//! Both ways make the same checks in the same order. Every byte counts: checksums of the chunks, the data section and the
//! summary must be there and hold, every record must be the one that is due, and nothing may follow the end. No byte
//! sequence makes it panic or take memory beyond the limits in [`replay::format`](mod@crate::replay::format).

mod chunk;
mod container;
mod content;
mod fields;
mod index;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use mcap::records::op;

use crate::replay::error::{Damage, Fault, ReplayError};
use crate::replay::format::{
    Ending, Header, MAX_CONTENT_BYTES, MAX_FILE_BYTES, PROFILE, Perturbation, RecordedInput, StepHash,
};
use crate::replay::reader::chunk::{ChunkHeader, visit_records};
use crate::replay::reader::container::{Container, FileRecord};
use crate::replay::reader::content::{Content, Message};
use crate::replay::reader::fields::Fields;
use crate::replay::reader::index::{Index, MessageOffsets};

/// What errors call bytes that come from no file.
const NAMELESS: &str = "the replay";

/// A recorded run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// What must be known to replay it.
    pub header: Header,
    /// The scene, as RON text.
    pub scene: String,
    /// The inputs, in the order in which they were recorded.
    pub inputs: Vec<RecordedInput>,
    /// The faults planted while recording, in the order in which they were recorded.
    pub perturbations: Vec<Perturbation>,
    /// The hashes of the states 0, 1, 2 and so on.
    pub steps: Vec<StepHash>,
    /// Whole states, by step.
    pub keyframes: BTreeMap<u32, Vec<u8>>,
    /// The final record. Always there after [`read_strict`].
    pub ending: Option<Ending>,
}

/// What could be read of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// Everything before the damage.
    pub replay: Replay,
    /// The first damage, if there is any.
    pub damage: Option<Damage>,
}

/// Reads the replay at `path`, in which everything must hold.
///
/// # Errors
/// If the file cannot be read, is no replay, is one of another format or too large, or is damaged anywhere.
pub fn read_strict(path: &Path) -> Result<Replay, ReplayError> {
    strict(&path.display().to_string(), &load(path)?)
}

/// Reads a replay from memory, as [`read_strict`] does.
///
/// # Errors
/// As for [`read_strict`].
pub fn read_strict_bytes(bytes: &[u8]) -> Result<Replay, ReplayError> {
    strict(NAMELESS, bytes)
}

/// Reads the replay at `path` up to the first damage.
///
/// # Errors
/// If the file cannot be read, is no replay, is one of another format or too large, or is damaged before its header and
/// scene are known.
pub fn read_recovering(path: &Path) -> Result<Recovered, ReplayError> {
    recovering(&path.display().to_string(), &load(path)?)
}

/// Reads a replay from memory, as [`read_recovering`] does.
///
/// # Errors
/// As for [`read_recovering`].
pub fn read_recovering_bytes(bytes: &[u8]) -> Result<Recovered, ReplayError> {
    recovering(NAMELESS, bytes)
}

fn strict(name: &str, bytes: &[u8]) -> Result<Replay, ReplayError> {
    let Recovered { replay, damage } = recovering(name, bytes)?;
    match damage {
        None => Ok(replay),
        Some(damage) => Err(ReplayError::Damaged { name: name.to_owned(), damage }),
    }
}

fn recovering(name: &str, bytes: &[u8]) -> Result<Recovered, ReplayError> {
    let mut content = Content::default();
    let damage = match read_file(bytes, &mut content) {
        Ok(()) => None,
        Err(Fault::Damage(damage)) => Some(damage),
        Err(fault) => return Err(fault.named(name)),
    };
    match (content.into_replay(), damage) {
        (Some(replay), damage) => Ok(Recovered { replay, damage }),
        (None, Some(damage)) => Err(ReplayError::Damaged { name: name.to_owned(), damage }),
        (None, None) => Err(Fault::corrupt(0, "a file without header and scene").named(name)),
    }
}

/// Whether a file begins as a replay does, or is empty: what a new replay may take the place of.
#[must_use]
pub fn looks_like_a_replay(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = File::open(path).and_then(|file| file.take(64).read_to_end(&mut start));
    // Magic, the opcode of the header, its length, then the profile with its own length.
    let profile = start.get(mcap::MAGIC.len() + 1 + 8 + 4..).unwrap_or(&[]);
    read.is_ok() && (start.is_empty() || (start.starts_with(mcap::MAGIC) && profile.starts_with(PROFILE.as_bytes())))
}

/// Reads the file into memory, unless it is larger than a replay may be.
fn load(path: &Path) -> Result<Vec<u8>, ReplayError> {
    let cannot = |action| move |cause| ReplayError::io(path, action, cause);
    let mut bytes = Vec::new();
    if path.is_dir() {
        return Err(ReplayError::NotAFile { name: path.display().to_string() });
    }
    let mut file = File::open(path).map_err(cannot("open it"))?;
    // What does not begin as a replay, or states to be too large, is not read any further.
    let magic = mcap::MAGIC.len() as u64;
    file.by_ref().take(magic).read_to_end(&mut bytes).map_err(cannot("read it"))?;
    let stated = file.metadata().map_or(0, |metadata| metadata.len());
    if stated > MAX_FILE_BYTES {
        let fault = Fault::TooLarge { what: "the file", bytes: stated, limit: MAX_FILE_BYTES };
        return Err(fault.named(&path.display().to_string()));
    }
    if bytes.len() as u64 == magic && bytes != mcap::MAGIC {
        return Ok(bytes);
    }
    // One byte more than the limit, so that the check of the size sees it: what the file system states may be wrong.
    file.take(MAX_FILE_BYTES + 1 - magic).read_to_end(&mut bytes).map_err(cannot("read it"))?;
    Ok(bytes)
}

/// Reads a whole file, leaving in `content` what was sound before the first fault.
fn read_file(bytes: &[u8], content: &mut Content) -> Result<(), Fault> {
    let size = bytes.len() as u64;
    if size > MAX_FILE_BYTES {
        return Err(Fault::TooLarge { what: "the file", bytes: size, limit: MAX_FILE_BYTES });
    }
    let mut container = Container::new(bytes);
    check_profile(&next_record(&mut container)?)?;
    let (index, summary_start) = read_data_section(&mut container, content)?;
    read_summary(&mut container, index, summary_start)?;
    // Asking past the footer checks the closing magic and that nothing follows it.
    match container.next()? {
        None => Ok(()),
        Some(record) => Err(unexpected(&record)),
    }
}

fn next_record<'a>(container: &mut Container<'a>) -> Result<FileRecord<'a>, Fault> {
    container.next()?.ok_or_else(|| Fault::corrupt(0, "a file without a footer"))
}

fn unexpected(record: &FileRecord<'_>) -> Fault {
    Fault::corrupt(record.offset, format!("a record of kind 0x{:02x} where another is due", record.opcode))
}

fn check_profile(record: &FileRecord<'_>) -> Result<(), Fault> {
    let mut fields = Fields::new(record.body);
    match (record.opcode, fields.text(), fields.text()) {
        (op::HEADER, Some(PROFILE), Some(_)) if fields.is_empty() => Ok(()),
        (op::HEADER, Some(profile), Some(_)) => {
            Err(Fault::NotAReplay(format!("its MCAP profile is {profile:?}, expected {PROFILE:?}")))
        }
        _ => Err(unexpected(record)),
    }
}

/// Reads up to the end of the data section; returns what the summary must say, and where it begins.
fn read_data_section(container: &mut Container<'_>, content: &mut Content) -> Result<(Index, u64), Fault> {
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
                return Ok((index, record.offset + record.whole.len() as u64));
            }
            _ => return Err(unexpected(&record)),
        }
    }
}

fn read_chunk(
    record: &FileRecord<'_>,
    header: &ChunkHeader,
    index: &mut Index,
    content: &mut Content,
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

fn check_data_end(record: &FileRecord<'_>, content: &Content) -> Result<(), Fault> {
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
