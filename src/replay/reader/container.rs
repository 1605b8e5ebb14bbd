//! The outermost layer: which records a file has, and whether its data and summary checksums hold.

use mcap::McapError;
use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use crate::replay::error::{Damage, DamageKind, Fault};
use crate::replay::format::MAX_CHUNK_BYTES;
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
    /// Opcode, length and body.
    pub(crate) whole: &'a [u8],
}

/// The records of a file, in order.
pub(crate) struct Container<'a> {
    bytes: &'a [u8],
    fed: usize,
    position: usize,
    reader: LinearReader,
}

impl<'a> Container<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let options = LinearReaderOptions::default()
            .with_emit_chunks(true)
            .with_check_finishes_after_end_magic(true)
            .with_validate_data_section_crc(true)
            .with_validate_summary_section_crc(true)
            .with_record_length_limit(RECORD_LIMIT);
        Self { bytes, fed: 0, position: mcap::MAGIC.len(), reader: LinearReader::new_with_options(options) }
    }

    /// The next record; `None` after the last, when the end of the file is as it should be.
    pub(crate) fn next(&mut self) -> Result<Option<FileRecord<'a>>, Fault> {
        loop {
            let request = match self.reader.next_event() {
                None => return Ok(None),
                Some(Ok(LinearReadEvent::Record { opcode, data })) => {
                    let length = data.len();
                    return self.record(opcode, length).map(Some);
                }
                Some(Ok(LinearReadEvent::ReadRequest(request))) => request,
                Some(Err(error)) => return Err(self.fault(error)),
            };
            feed(&mut self.reader, self.bytes, &mut self.fed, request);
        }
    }

    fn record(&mut self, opcode: u8, length: usize) -> Result<FileRecord<'a>, Fault> {
        let offset = self.position;
        let whole = self.bytes.get(offset..offset + RECORD_PREFIX + length);
        let Some((whole, body)) = whole.and_then(|whole| Some((whole, whole.get(RECORD_PREFIX..)?))) else {
            return Err(Fault::corrupt(offset as u64, "a record outside the file"));
        };
        self.position += whole.len();
        Ok(FileRecord { offset: offset as u64, opcode, body, whole })
    }

    fn fault(&self, error: McapError) -> Fault {
        let byte = self.position as u64;
        match error {
            McapError::BadMagic if self.position == mcap::MAGIC.len() => {
                Fault::NotAReplay(what_else(self.bytes).to_owned())
            }
            McapError::UnexpectedEof => {
                let what = format!("the file ends at byte {} in the middle of it", self.bytes.len());
                Fault::Damage(Damage { kind: DamageKind::CutShort, byte, what })
            }
            other => Fault::corrupt(byte, other.to_string()),
        }
    }
}

/// How much of a file tells whether it is a scene: scenes may begin with long comments.
pub(crate) const START_BYTES: usize = 1 << 16;

/// What a file is that does not begin as an MCAP file does.
fn what_else(bytes: &[u8]) -> &'static str {
    let start = String::from_utf8_lossy(bytes.get(..START_BYTES).unwrap_or(bytes));
    if looks_like_a_scene(&start) {
        "it is a scene; record a run of it first: `physim run SCENE -o REPLAY`"
    } else {
        "it does not begin as an MCAP file does"
    }
}

/// Gives a reader the next bytes of `bytes`, or tells it that there are none.
pub(crate) fn feed(reader: &mut LinearReader, bytes: &[u8], fed: &mut usize, request: usize) {
    let rest = bytes.get(*fed..).unwrap_or_default();
    let portion = rest.get(..request.max(PORTION)).unwrap_or(rest);
    reader.insert(portion.len()).copy_from_slice(portion);
    reader.notify_read(portion.len());
    *fed += portion.len();
}
