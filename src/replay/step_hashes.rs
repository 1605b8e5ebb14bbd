//! The hashes of the states of a run, by step. However many there are, they take no more than a few megabytes of memory.

use std::sync::{Mutex, PoisonError};

use crate::replay::format::StepHash;
use crate::replay::store::{Store, Stored};

/// How many hashes are kept in memory before they go to a store.
const MAX_IN_MEMORY: usize = 1 << 13;
/// How many hashes are read from a store at once.
const BLOCK: usize = 1 << 10;
/// Bytes of a root, and of the digest of a section.
const ROOT: usize = 32;
const DIGEST: usize = 8;

/// The hashes of the states 0, 1, 2 and so on.
///
/// A hash that cannot be read back from a temporary file is one without sections, which no state has: so nothing that could not
/// be read is taken for the same.
#[derive(Debug, Default)]
pub struct StepHashes {
    /// Those in memory; behind the stored ones while they are read.
    memory: Vec<StepHash>,
    stored: Option<Table>,
}

/// Hashes as rows of equal length.
#[derive(Debug)]
struct Table {
    rows: Stored,
    sections: usize,
    length: usize,
    /// The block that was read last: its number, and its hashes.
    block: Mutex<(usize, Vec<StepHash>)>,
}

impl StepHashes {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stored.as_ref().map_or(self.memory.len(), |table| table.length)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hash of a state.
    #[must_use]
    pub fn get(&self, step: usize) -> Option<StepHash> {
        match &self.stored {
            None => self.memory.get(step).cloned(),
            Some(table) => (step < table.length).then(|| table.get(step)),
        }
    }

    /// The hash of the last state.
    #[must_use]
    pub fn last(&self) -> Option<StepHash> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Changes them, for whoever makes another replay of one: all are taken into memory.
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<StepHash>)) {
        let mut all: Vec<StepHash> = self.iter().collect();
        change(&mut all);
        *self = all.into();
    }

    /// All of them, in their order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = StepHash> + ExactSizeIterator + '_ {
        (0..self.len()).map(|step| self.get(step).unwrap_or_default())
    }
}

impl Table {
    fn get(&self, step: usize) -> StepHash {
        let number = step / BLOCK;
        let mut block = self.block.lock().unwrap_or_else(PoisonError::into_inner);
        if block.0 != number || block.1.is_empty() {
            *block = (number, self.read(number).unwrap_or_default());
        }
        block.1.get(step % BLOCK).cloned().unwrap_or_default()
    }

    fn read(&self, block: usize) -> std::io::Result<Vec<StepHash>> {
        let first = block * BLOCK;
        let count = self.length.saturating_sub(first).min(BLOCK);
        let row = row_bytes(self.sections);
        let bytes = self.rows.read((first * row) as u64, count * row)?;
        let hash = |row: &[u8]| {
            let (root, digests) = row.split_first_chunk::<ROOT>()?;
            Some(StepHash { root: *root, sections: digests.as_chunks::<DIGEST>().0.to_vec() })
        };
        Ok(bytes.chunks_exact(row).filter_map(hash).collect())
    }
}

const fn row_bytes(sections: usize) -> usize {
    ROOT + DIGEST * sections
}

impl From<Vec<StepHash>> for StepHashes {
    fn from(memory: Vec<StepHash>) -> Self {
        Self { memory, stored: None }
    }
}

impl FromIterator<StepHash> for StepHashes {
    fn from_iter<I: IntoIterator<Item = StepHash>>(hashes: I) -> Self {
        hashes.into_iter().collect::<Vec<StepHash>>().into()
    }
}

impl PartialEq for StepHashes {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for StepHashes {}

impl Clone for StepHashes {
    fn clone(&self) -> Self {
        let stored = self.stored.as_ref().map(|table| Table {
            rows: table.rows.clone(),
            sections: table.sections,
            length: table.length,
            block: Mutex::default(),
        });
        Self { memory: self.memory.clone(), stored }
    }
}

/// Takes hashes as they are read.
#[derive(Debug, Default)]
pub(super) struct HashesTaken {
    memory: Vec<StepHash>,
    rows: Store,
    sections: usize,
    stored: usize,
    /// The last of them.
    last: Option<StepHash>,
}

impl HashesTaken {
    /// Adds hashes, each of as many sections.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(super) fn extend(&mut self, hashes: Vec<StepHash>, sections: usize) -> std::io::Result<()> {
        self.last = hashes.last().cloned().or(self.last.take());
        self.sections = sections;
        self.memory.extend(hashes);
        if self.memory.len() > MAX_IN_MEMORY { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stored += self.memory.len();
        for StepHash { root, sections } in self.memory.drain(..) {
            self.rows.add(&[&root, sections.as_flattened()].concat())?;
        }
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.stored + self.memory.len()
    }

    pub(super) fn last(&self) -> Option<&StepHash> {
        self.last.as_ref()
    }

    /// All that were added.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(super) fn into_hashes(mut self) -> std::io::Result<StepHashes> {
        if self.stored == 0 {
            return Ok(self.memory.into());
        }
        self.flush()?;
        let table = Table {
            rows: self.rows.into_stored()?,
            sections: self.sections,
            length: self.stored,
            block: Mutex::default(),
        };
        Ok(StepHashes { memory: Vec::new(), stored: Some(table) })
    }
}

#[cfg(test)]
mod tests {
    use super::{HashesTaken, MAX_IN_MEMORY, StepHashes};
    use crate::replay::format::StepHash;

    fn hash(step: usize) -> StepHash {
        let mut root = [0; 32];
        root[..8].copy_from_slice(&step.to_le_bytes());
        StepHash { root, sections: vec![[step as u8; 8]; 3] }
    }

    #[test]
    fn stored_hashes_are_those_that_were_taken() {
        for count in [0, 1, MAX_IN_MEMORY, MAX_IN_MEMORY + 1, 5 * MAX_IN_MEMORY + 7] {
            let all: Vec<StepHash> = (0..count).map(hash).collect();
            let mut taken = HashesTaken::default();
            for part in all.chunks(60) {
                taken.extend(part.to_vec(), 3).expect("room");
            }
            assert_eq!((taken.len(), taken.last()), (count, all.last()));
            let stored = taken.into_hashes().expect("room");
            assert_eq!((stored.len(), stored.last()), (count, all.last().cloned()));
            assert!(stored.iter().eq(all.iter().cloned()) && stored.iter().rev().eq(all.iter().rev().cloned()));
            assert_eq!(stored, StepHashes::from(all));
            assert_eq!(stored.get(count), None);
            assert_eq!(stored.clone(), stored);
        }
    }
}
