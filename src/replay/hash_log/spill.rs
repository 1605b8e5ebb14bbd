//! The text of a log that comes once, as from a program or a pipe: in memory as long as it is short, then in a nameless file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// How much of a text is kept in memory.
const MAX_IN_MEMORY: usize = 4 << 20;

/// Takes a text as it comes. A file for it is made among the temporary files of the system; it has no name, so that it goes with
/// this process, in whatever way that ends.
#[derive(Debug, Default)]
pub struct LogSpill {
    memory: Vec<u8>,
    file: Option<File>,
}

impl LogSpill {
    /// Whether nothing came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.memory.is_empty() && self.file.is_none()
    }

    /// The text that came.
    pub(super) fn into_text(mut self) -> std::io::Result<SpilledText> {
        Ok(match self.file.take() {
            None => SpilledText::Memory(self.memory.into()),
            Some(mut file) => {
                file.write_all(&self.memory)?;
                SpilledText::File(Arc::new(Mutex::new(file)))
            }
        })
    }
}

impl Write for LogSpill {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.memory.extend_from_slice(bytes);
        if self.memory.len() > MAX_IN_MEMORY {
            let file = match &mut self.file {
                Some(file) => file,
                empty => empty.insert(tempfile::tempfile()?),
            };
            file.write_all(&self.memory)?;
            self.memory.clear();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A text that came, to be read as often as that is needed.
#[derive(Clone, Debug)]
pub(super) enum SpilledText {
    Memory(Arc<[u8]>),
    File(Arc<Mutex<File>>),
}

impl SpilledText {
    /// Reads it from its start.
    pub(super) fn reader(&self) -> SpilledReader {
        SpilledReader { text: self.clone(), position: 0 }
    }
}

/// Reads a text from a place of its own: several of them may read one file in turn, or on several threads.
#[derive(Debug)]
pub(super) struct SpilledReader {
    text: SpilledText,
    position: u64,
}

impl Read for SpilledReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = match &self.text {
            SpilledText::Memory(bytes) => {
                let start = usize::try_from(self.position).unwrap_or(usize::MAX);
                bytes.get(start..).unwrap_or_default().read(buffer)?
            }
            SpilledText::File(file) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(self.position))?;
                file.read(buffer)?
            }
        };
        self.position += length as u64;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::{LogSpill, MAX_IN_MEMORY, SpilledText};

    #[test]
    fn a_long_text_is_not_held_in_memory_and_two_read_it_in_turn() {
        let mut spill = LogSpill::default();
        assert!(spill.is_empty());
        let part: Vec<u8> = (0..=255).collect();
        let parts = 3 * MAX_IN_MEMORY / part.len();
        for _ in 0..parts {
            spill.write_all(&part).expect("a temporary file");
            assert!(spill.memory.capacity() <= 2 * (MAX_IN_MEMORY + part.len()));
        }
        let text = spill.into_text().expect("a temporary file");
        assert!(matches!(text, SpilledText::File(_)));
        let (mut one, mut other) = (text.reader(), text.reader());
        let mut left = parts;
        let mut halves = [vec![0; 128], vec![0; 128]];
        while left > 0 {
            for half in &mut halves {
                one.read_exact(half).expect("as much as was written");
            }
            assert_eq!(halves.concat(), part);
            let mut whole = vec![0; 256];
            other.read_exact(&mut whole).expect("as much as was written");
            assert_eq!(whole, part);
            left -= 1;
        }
        assert_eq!(one.read(&mut [0; 8]).expect("the end"), 0);
    }
}
