//! The bytes of a batch of step hashes.
//!
//! Little-endian: first step `u32`, count `u32`, then by column: all roots, then all digests of each section in turn.
//! A section that does not change fills its column with one value, which the chunk's compression then folds away.

use crate::replay::format::{MAX_BATCH_STEPS, StepHash};

const PREFIX: usize = 8;
const ROOT: usize = 32;
const DIGEST: usize = 8;

/// Encodes the hashes of the states `first`, `first + 1` and so on, each of `sections` digests.
pub(crate) fn encode(first: u32, hashes: &[StepHash], sections: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(PREFIX + hashes.len() * (ROOT + DIGEST * sections));
    bytes.extend(first.to_le_bytes());
    bytes.extend(u32::try_from(hashes.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(hashes.iter().flat_map(|hash| hash.root));
    for section in 0..sections {
        bytes.extend(hashes.iter().filter_map(|hash| hash.sections.get(section)).flatten());
    }
    bytes
}

/// Decodes a batch into its first step and its hashes; otherwise says what is wrong with it.
pub(crate) fn decode(bytes: &[u8], sections: usize) -> Result<(u32, Vec<StepHash>), String> {
    let prefix = bytes.split_first_chunk::<4>().and_then(|(first, rest)| Some((first, rest.split_first_chunk::<4>()?)));
    let Some((first, (count, columns))) = prefix else {
        return Err(format!("a batch of {} bytes, expected at least {PREFIX}", bytes.len()));
    };
    let count = u32::from_le_bytes(*count);
    if count == 0 || count > MAX_BATCH_STEPS {
        return Err(format!("a batch of {count} steps, expected 1 to {MAX_BATCH_STEPS}"));
    }
    let count = count as usize;
    let expected = count * (ROOT + DIGEST * sections);
    if columns.len() != expected {
        return Err(format!("a batch of {count} steps in {} bytes, expected {expected}", columns.len()));
    }
    let (roots, digests) = columns.split_at(count * ROOT);
    let (roots, _) = roots.as_chunks::<ROOT>();
    let (digests, _) = digests.as_chunks::<DIGEST>();
    let hashes = roots
        .iter()
        .enumerate()
        .map(|(row, &root)| StepHash { root, sections: digests.iter().skip(row).step_by(count).copied().collect() })
        .collect();
    Ok((u32::from_le_bytes(*first), hashes))
}
