//! Damage under checksums that were made to fit it: what remains to give it away is the content itself.

use crate::replay::reader::read_recovering_bytes;
use crate::replay::tests::hostile::{must_refuse, record_boundaries};
use crate::replay::tests::sample;

/// The checksum of MCAP: CRC-32 with the reflected polynomial 0xedb88320 (IEEE 802.3).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

/// The file in its parts.
struct Parts {
    file: Vec<u8>,
    /// Where each record begins.
    records: Vec<usize>,
    data_end: usize,
    footer: usize,
}

impl Parts {
    fn of(file: Vec<u8>) -> Self {
        let records = record_boundaries(&file);
        let find = |opcode| records.iter().copied().find(|&start| file[start] == opcode).expect("one of each");
        let (data_end, footer) = (find(0x0f), find(0x02));
        Self { file, records, data_end, footer }
    }

    /// The file with checksums that fit it.
    fn reseal(&mut self) -> &[u8] {
        let data = crc32(&self.file[..self.data_end]);
        self.file[self.data_end + 9..self.data_end + 13].copy_from_slice(&data.to_le_bytes());
        let summary = crc32(&self.file[self.data_end + 13..self.footer + 25]);
        self.file[self.footer + 25..self.footer + 29].copy_from_slice(&summary.to_le_bytes());
        &self.file
    }
}

#[test]
fn resealing_a_sound_file_changes_nothing() {
    let file = sample::file(&sample::small());
    assert_eq!(Parts::of(file.clone()).reseal(), file);
}

#[test]
fn a_flipped_bit_in_any_byte_outside_the_packed_data_is_seen_under_new_checksums() {
    let mut parts = Parts::of(sample::file(&sample::small()));
    let sound = parts.file.clone();
    for (index, &start) in parts.records.clone().iter().enumerate().skip(1) {
        let end = parts.records.get(index + 1).copied().unwrap_or(sound.len());
        // Of a chunk only what it says about itself; of the records with checksums what they say besides.
        let end = match sound[start] {
            0x06 => start + 9 + 8 + 8 + 8 + 4 + 4 + 4 + 8,
            0x0f | 0x02 => end - 4,
            _ => end,
        };
        for byte in start..end {
            // One bit of each byte, another one each time: a check that misses one would miss its neighbours.
            parts.file[byte] ^= 1 << (byte % 8);
            must_refuse(parts.reseal(), &format!("byte {byte}"));
            parts.file.copy_from_slice(&sound);
        }
    }
}

#[test]
fn a_missing_message_index_is_seen_at_once() {
    let Parts { file, records, data_end, .. } = Parts::of(sample::file(&sample::small()));
    let chunks: Vec<usize> = (0..records.len() - 1).filter(|&index| file[records[index]] == 0x06).collect();
    let without_indexes = [&file[..records[chunks[0] + 1]], &file[records[chunks[1]]..]].concat();
    let recovered = read_recovering_bytes(&without_indexes).expect("a good beginning");
    assert_eq!(recovered.replay.steps.len(), 1);
    assert_eq!(recovered.damage.map(|damage| damage.byte), Some(records[chunks[0] + 1] as u64));

    let last = records[chunks[chunks.len() - 1] + 1];
    let recovered = read_recovering_bytes(&[&file[..last], &file[data_end..]].concat()).expect("a good beginning");
    // The checksum of the data section would tell as well, but it is the container that holds that one.
    assert_eq!(recovered.damage.map(|damage| damage.byte), Some(last as u64));
}
