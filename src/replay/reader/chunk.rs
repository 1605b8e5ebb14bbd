//! Opens one chunk: its sizes are checked before memory is taken, its checksum before anything is made of its content.

use std::io::Read;

use mcap::sans_io::{LinearReadEvent, LinearReader, LinearReaderOptions};

use crate::replay::error::Fault;
use crate::replay::format::MAX_CHUNK_BYTES;
use crate::replay::reader::container::{FileRecord, RECORD_PREFIX};
use crate::replay::reader::fields::Fields;

/// The only compression a replay uses.
pub(crate) const COMPRESSION: &str = "zstd";

/// What a chunk states about itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkHeader {
    pub(crate) start_time: u64,
    pub(crate) end_time: u64,
    pub(crate) unpacked_bytes: u64,
    pub(crate) packed_bytes: u64,
}

impl ChunkHeader {
    /// Reads the header of a chunk and checks that the chunk can be opened.
    pub(crate) fn read(record: &FileRecord<'_>) -> Result<Self, Fault> {
        let corrupt = |what: &str| Fault::corrupt(record.offset, what);
        let mut fields = Fields::new(record.body);
        let header = (|| {
            let (start_time, end_time, unpacked_bytes) = (fields.u64()?, fields.u64()?, fields.u64()?);
            let (checksum, compression, packed_bytes) = (fields.u32()?, fields.text()?, fields.u64()?);
            Some((Self { start_time, end_time, unpacked_bytes, packed_bytes }, checksum, compression))
        })();
        let (header, checksum, compression) = header.ok_or_else(|| corrupt("a chunk without its header"))?;
        if u64::try_from(fields.rest().len()) != Ok(header.packed_bytes) {
            return Err(corrupt("a chunk of another length than its header states"));
        }
        if compression != COMPRESSION {
            return Err(corrupt("a chunk that is not compressed with zstd"));
        }
        if checksum == 0 {
            return Err(corrupt("a chunk without a checksum"));
        }
        if header.unpacked_bytes > MAX_CHUNK_BYTES {
            let (bytes, limit) = (header.unpacked_bytes, MAX_CHUNK_BYTES);
            return Err(Fault::TooLarge { what: "one chunk, unpacked,", bytes, limit });
        }
        Ok(header)
    }
}

/// Unpacks a chunk, checks it, and gives each of its records to `visit`: the offset in the unpacked chunk, the opcode, the body.
pub(crate) fn visit_records(
    record: &FileRecord<'_>,
    header: &ChunkHeader,
    mut visit: impl FnMut(u64, u8, &[u8]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    // The limit also caps the packed bytes, of which there may be a few more than unpacked ones.
    let limit = usize::try_from(header.unpacked_bytes.max(header.packed_bytes)).unwrap_or(usize::MAX);
    let options = LinearReaderOptions::default()
        .with_skip_start_magic(true)
        .with_skip_end_magic(true)
        .with_prevalidate_chunk_crcs(true)
        .with_record_length_limit(limit);
    let mut reader = LinearReader::new_with_options(options);
    let prefix = record.prefix();
    let (mut rest, mut offset) = (prefix.as_slice().chain(record.body), 0_u64);
    loop {
        let request = match reader.next_event() {
            None => return Ok(()),
            Some(Ok(LinearReadEvent::Record { opcode, data })) => {
                visit(offset, opcode, data)?;
                offset += (RECORD_PREFIX + data.len()) as u64;
                continue;
            }
            Some(Ok(LinearReadEvent::ReadRequest(request))) => request,
            Some(Err(error)) => return Err(Fault::corrupt(record.offset, format!("a chunk that fails: {error}"))),
        };
        let portion = reader.insert(request);
        let read = rest.read(portion).unwrap_or_default();
        reader.notify_read(read);
    }
}
