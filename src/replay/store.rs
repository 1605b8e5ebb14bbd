//! Bytes that are written once and read back by their place: in memory as long as they are few, then in a nameless file.
//!
//! So what is read of a replay takes no more memory the more steps it has.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// How much is kept in memory.
const MAX_IN_MEMORY: usize = 1 << 20;

/// Takes bytes one after the other. The file, if one is needed, has no name, so that it goes with this process.
#[derive(Debug, Default)]
pub(super) struct Store {
    memory: Vec<u8>,
    /// How much is in the file.
    filed: u64,
    file: Option<File>,
}

impl Store {
    /// Adds bytes; gives back where they begin.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(super) fn add(&mut self, bytes: &[u8]) -> std::io::Result<u64> {
        let place = self.filed + self.memory.len() as u64;
        self.memory.extend_from_slice(bytes);
        if self.memory.len() > MAX_IN_MEMORY {
            self.flush()?;
        }
        Ok(place)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            empty => empty.insert(tempfile::tempfile()?),
        };
        file.write_all(&self.memory)?;
        self.filed += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }

    /// All that was added, to be read.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub(super) fn into_stored(mut self) -> std::io::Result<Stored> {
        if self.file.is_some() {
            self.flush()?;
        }
        Ok(match self.file {
            Some(file) => Stored::File(Arc::new(Mutex::new(file))),
            None => Stored::Memory(self.memory.into()),
        })
    }
}

/// Bytes that can be read from any place.
#[derive(Clone, Debug)]
pub(super) enum Stored {
    Memory(Arc<[u8]>),
    File(Arc<Mutex<File>>),
}

impl Stored {
    /// So many bytes from a place on.
    ///
    /// # Errors
    /// If there are not as many, or the file cannot be read.
    pub(super) fn read(&self, place: u64, length: usize) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Memory(bytes) => {
                let start = usize::try_from(place).unwrap_or(usize::MAX);
                let part = start.checked_add(length).and_then(|end| bytes.get(start..end));
                part.map(<[u8]>::to_vec).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
            }
            Self::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut part = vec![0; length];
                file.seek(SeekFrom::Start(place))?;
                file.read_exact(&mut part)?;
                Ok(part)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_IN_MEMORY, Store, Stored};

    #[test]
    fn what_is_added_is_read_back_from_any_place() {
        for count in [0, 1, 5, 3 * MAX_IN_MEMORY / 1000] {
            let mut store = Store::default();
            let part = |number: usize| vec![number as u8; 1000];
            let places: Vec<u64> = (0..count).map(|number| store.add(&part(number)).expect("room")).collect();
            let stored = store.into_stored().expect("room");
            assert_eq!(matches!(stored, Stored::File(_)), count > 5);
            for (number, place) in places.iter().enumerate().rev() {
                assert_eq!(stored.read(*place, 1000).expect("what was added"), part(number), "{number} of {count}");
            }
            assert!(stored.read(1000 * count as u64, 1).is_err(), "nothing is behind the end");
        }
    }
}
