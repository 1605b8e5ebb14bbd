//! The outermost layer: which records a file has, and whether its data and summary checksums hold.

use std::io::Read;

use mcap::McapError;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use crate::replay::error::{Damage, DamageKind, Fault};
use crate::replay::format::{MAX_CHUNK_BYTES, MAX_FILE_BYTES};
use crate::scene::document::looks_like_a_scene;

/// Bytes of opcode and length before the body of a record.
pub(crate) const RECORD_PREFIX: usize = 9;
/// How much the reader is fed at a time at least, in bytes.
const PORTION: usize = 64 << 10;
/// Longer records are refused before memory is taken for them.
const RECORD_LIMIT: usize = MAX_CHUNK_BYTES as usize;

/// One record of the file, chunks unopened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FileRecord<'a> {
    /// Where its opcode is, in bytes from the start of the file.
    pub(crate) offset: u64,
    pub(crate) opcode: u8,
    pub(crate) body: &'a [u8],
}

impl FileRecord<'_> {
    /// How long it is with opcode and length.
    pub(crate) const fn size(&self) -> u64 {
        (RECORD_PREFIX + self.body.len()) as u64
    }

    /// Opcode and length, as they stand before the body.
    pub(crate) fn prefix(&self) -> [u8; RECORD_PREFIX] {
        let mut prefix = [self.opcode; RECORD_PREFIX];
        prefix[1..].copy_from_slice(&(self.body.len() as u64).to_le_bytes());
        prefix
    }
}

/// The records of a file, in order. What is held of it is one record.
pub(crate) struct Container<'a> {
    /// The beginning of the file.
    start: Vec<u8>,
    /// What comes behind that.
    rest: &'a mut dyn Read,
    fed: u64,
    position: u64,
    reader: LinearReader,
    /// The body of the record that was read last.
    body: Vec<u8>,
}

impl<'a> Container<'a> {
    pub(crate) fn new(source: &'a mut dyn Read) -> Result<Self, Fault> {
        let options = LinearReaderOptions::default()
            .with_emit_chunks(true)
            .with_check_finishes_after_end_magic(true)
            .with_validate_data_section_crc(true)
            .with_validate_summary_section_crc(true)
            .with_record_length_limit(RECORD_LIMIT);
        let mut start = Vec::new();
        let limit = START_BYTES as u64;
        source.take(limit).read_to_end(&mut start).map_err(cannot_read)?;
        let reader = LinearReader::new_with_options(options);
        let position = mcap::MAGIC.len() as u64;
        Ok(Self { start, rest: source, fed: 0, position, reader, body: Vec::new() })
    }

    /// The next record; `None` after the last, when the end of the file is as it should be.
    pub(crate) fn next(&mut self) -> Result<Option<FileRecord<'_>>, Fault> {
        let opcode = loop {
            let request = match self.reader.next_event() {
                None => return Ok(None),
                Some(Ok(LinearReadEvent::Record { opcode, data })) => {
                    self.body.clear();
                    self.body.extend_from_slice(data);
                    break opcode;
                }
                Some(Ok(LinearReadEvent::ReadRequest(request))) => request,
                Some(Err(error)) => return Err(self.fault(error)),
            };
            self.feed(request)?;
        };
        let record = FileRecord { offset: self.position, opcode, body: &self.body };
        self.position += record.size();
        Ok(Some(record))
    }

    /// Gives the reader the next bytes of the file, or tells it that there are none.
    fn feed(&mut self, request: usize) -> Result<(), Fault> {
        let portion = self.reader.insert(request.max(PORTION));
        let of_start = usize::try_from(self.fed).ok().and_then(|fed| self.start.get(fed..)).unwrap_or_default();
        let mut source = of_start.chain(&mut *self.rest);
        let mut read = 0;
        while let Some(room) = portion.get_mut(read..).filter(|room| !room.is_empty()) {
            match source.read(room) {
                Ok(0) => break,
                Ok(length) => read += length,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(cannot_read(error)),
            }
        }
        self.reader.notify_read(read);
        self.fed += read as u64;
        // What the file system states may be wrong.
        if self.fed > MAX_FILE_BYTES {
            return Err(Fault::TooLarge { what: "the file", bytes: self.fed, limit: MAX_FILE_BYTES });
        }
        Ok(())
    }

    fn fault(&self, error: McapError) -> Fault {
        let byte = self.position;
        match error {
            McapError::BadMagic if self.position == mcap::MAGIC.len() as u64 => {
                Fault::NotAReplay(what_else(&self.start).to_owned())
            }
            // Where a run was stopped there is a beginning at least.
            McapError::UnexpectedEof if self.fed == 0 => Fault::NotAReplay("it is empty".to_owned()),
            McapError::UnexpectedEof if !begins_as_mcap(&self.start) => {
                Fault::NotAReplay(what_else(&self.start).to_owned())
            }
            McapError::UnexpectedEof => {
                let what = format!("the file ends at byte {} in the middle of it", self.fed);
                Fault::Damage(Damage { kind: DamageKind::CutShort, byte, what })
            }
            other => Fault::corrupt(byte, other.to_string()),
        }
    }
}

fn cannot_read(cause: std::io::Error) -> Fault {
    Fault::Io("read it", cause)
}

/// How much of a file tells whether it is a scene: scenes may begin with long comments.
pub(crate) const START_BYTES: usize = 1 << 16;

/// Whether these first bytes are those of an MCAP file, as far as they go.
fn begins_as_mcap(start: &[u8]) -> bool {
    start.iter().zip(mcap::MAGIC).all(|(byte, magic)| byte == magic)
}

/// What a file is that does not begin as an MCAP file does.
fn what_else(bytes: &[u8]) -> &'static str {
    if looks_like_a_scene(&String::from_utf8_lossy(bytes)) {
        "it is a scene; record a run of it first: `physim run SCENE -o REPLAY`"
    } else {
        "it does not begin as an MCAP file does"
    }
}
