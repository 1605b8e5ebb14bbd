//! The hash log: a run as JSON lines, easy to print from any program and to read by eye. `docs/hash-log.md` says how.
//!
//! It is read as a stream, line by line, so that a program that is still running can be followed.

use std::io::{BufRead, Read, Write};

use crate::replay::checkpoint::json::cause;
use crate::replay::checkpoint::{Checkpoint, CheckpointOrder};

/// The longest line, in bytes.
pub const MAX_LINE_BYTES: u64 = 16 << 20;
/// The longest log, in bytes.
pub const MAX_LOG_BYTES: u64 = 1 << 30;
/// The most checkpoints of one log.
pub const MAX_CHECKPOINTS: usize = 10_000_000;
/// The most sections, objects and fields of all checkpoints of one log.
pub const MAX_DETAILS: usize = 20_000_000;

/// Why a hash log could not be read.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The operating system refused to read it.
    #[error("{name}: cannot read it: {cause}")]
    Io {
        /// The log.
        name: String,
        /// What the operating system answered.
        cause: std::io::Error,
    },
    /// A line is not what a hash log has.
    #[error("{name}, line {line}: {what}")]
    Line {
        /// The log.
        name: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong and what was expected.
        what: String,
    },
    /// The log is larger than logs may be.
    #[error("{name}, line {line}: more than {limit} {what}; log fewer steps, or less of each")]
    TooLarge {
        /// The log.
        name: String,
        /// The line at which the limit is passed, from 1.
        line: u64,
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: u64,
    },
    /// There is no checkpoint in it.
    #[error(
        "{name}: no checkpoint of a run in it{hint}; a hash log has a line such as {{\"step\":0,\"hash\":\"9af3\"}} for \
         each step, see docs/hash-log.md"
    )]
    Empty {
        /// The log.
        name: String,
        /// What there is instead, for people.
        hint: String,
    },
}

/// What to do with lines that do not begin with `{`, are not empty and are no `#` comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForeignLines {
    /// They are an error: the file is meant to be a hash log.
    Refuse,
    /// They are counted and skipped: the log is the output of a program that says other things too.
    Skip,
}

/// A hash log that has been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashLog {
    /// What errors and reports call it.
    pub name: String,
    /// The checkpoints, in order. At least one.
    pub checkpoints: Vec<Checkpoint>,
    /// How many foreign lines were skipped.
    pub foreign_lines: u64,
    /// What is missing, where the log was cut off within its last line.
    pub damage: Option<String>,
}

/// Reads a hash log in which every line must be one of a hash log.
///
/// # Errors
/// If it cannot be read, a line is not as it must be, a limit is passed, or there is no checkpoint in it.
pub fn read_hash_log(name: &str, text: impl BufRead) -> Result<HashLog, LogError> {
    read_hash_log_with(name, text, ForeignLines::Refuse)
}

/// Reads a hash log, which may be mixed with other output.
///
/// # Errors
/// As for [`read_hash_log`].
pub fn read_hash_log_with(name: &str, text: impl BufRead, foreign: ForeignLines) -> Result<HashLog, LogError> {
    let mut reader = HashLogReader::new(name, text, foreign);
    let mut checkpoints = Vec::new();
    while let Some(checkpoint) = reader.next_checkpoint()? {
        checkpoints.push(checkpoint);
    }
    if checkpoints.is_empty() {
        let hint = match (&reader.damage, reader.foreign_lines) {
            (Some(_), _) => ": it is cut off within its first line".to_owned(),
            (None, 0) => String::new(),
            (None, lines) => format!(" among {lines} other lines"),
        };
        return Err(LogError::Empty { name: name.to_owned(), hint });
    }
    let HashLogReader { name, foreign_lines, damage, .. } = reader;
    Ok(HashLog { name, checkpoints, foreign_lines, damage })
}

/// Reads a hash log checkpoint by checkpoint.
pub struct HashLogReader<R> {
    name: String,
    text: R,
    foreign: ForeignLines,
    order: CheckpointOrder,
    line: u64,
    bytes: u64,
    checkpoints: usize,
    details: usize,
    foreign_lines: u64,
    damage: Option<String>,
}

impl<R: BufRead> HashLogReader<R> {
    /// Reads from `text`, which errors call `name`.
    #[must_use]
    pub fn new(name: &str, text: R, foreign: ForeignLines) -> Self {
        Self {
            name: name.to_owned(),
            text,
            foreign,
            order: CheckpointOrder::default(),
            line: 0,
            bytes: 0,
            checkpoints: 0,
            details: 0,
            foreign_lines: 0,
            damage: None,
        }
    }

    /// How many foreign lines were skipped so far.
    #[must_use]
    pub fn foreign_lines(&self) -> u64 {
        self.foreign_lines
    }

    /// What is missing, once the end has been read and if the log was cut off within its last line.
    #[must_use]
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// The next checkpoint; `None` at the end.
    ///
    /// # Errors
    /// If the text cannot be read, a line is not as it must be, or a limit is passed.
    pub fn next_checkpoint(&mut self) -> Result<Option<Checkpoint>, LogError> {
        while let Some(line) = self.next_line()? {
            let content = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| self.line == 1).unwrap_or(&line).trim_ascii();
            match content.first() {
                None | Some(b'#') => {}
                Some(b'{') => return self.checkpoint(content, line.ends_with(b"\n")),
                Some(_) if self.foreign == ForeignLines::Skip => self.foreign_lines += 1,
                Some(_) => {
                    return Err(
                        self.wrong("expected a JSON object, such as {\"step\":0,\"hash\":\"9af3\"}, or a # comment")
                    );
                }
            }
        }
        Ok(None)
    }

    /// The next line with its end, which is checked for size before it is taken whole.
    fn next_line(&mut self) -> Result<Option<Vec<u8>>, LogError> {
        let mut line = Vec::new();
        let limited = self.text.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line);
        let length = limited.map_err(|cause| LogError::Io { name: self.name.clone(), cause })? as u64;
        if length == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.bytes = self.bytes.saturating_add(length);
        self.within("bytes in one line", length, MAX_LINE_BYTES)?;
        self.within("bytes", self.bytes, MAX_LOG_BYTES)?;
        Ok(Some(line))
    }

    /// Reads a line that begins with `{`; `whole` if its end was there.
    fn checkpoint(&mut self, line: &[u8], whole: bool) -> Result<Option<Checkpoint>, LogError> {
        let checkpoint: Checkpoint = match serde_json::from_slice(line) {
            Ok(checkpoint) => checkpoint,
            Err(error) if error.is_eof() && !whole => {
                self.damage = Some(format!("cut off within line {}; read up to there", self.line));
                return Ok(None);
            }
            Err(error) => {
                let what = cause(&error);
                return Err(self.wrong(&format!("column {}: {what}; see docs/hash-log.md", error.column())));
            }
        };
        self.order.admit(&checkpoint).map_err(|what| self.wrong(&what))?;
        self.checkpoints += 1;
        self.details += checkpoint.details();
        self.within("checkpoints", self.checkpoints as u64, MAX_CHECKPOINTS as u64)?;
        self.within("sections, objects and fields", self.details as u64, MAX_DETAILS as u64)?;
        Ok(Some(checkpoint))
    }

    fn within(&self, what: &'static str, amount: u64, limit: u64) -> Result<(), LogError> {
        if amount > limit {
            return Err(LogError::TooLarge { name: self.name.clone(), line: self.line, what, limit });
        }
        Ok(())
    }

    fn wrong(&self, what: &str) -> LogError {
        LogError::Line { name: self.name.clone(), line: self.line, what: what.to_owned() }
    }
}

/// Writes a checkpoint as one line of a hash log.
///
/// # Errors
/// If the sink cannot be written.
pub fn write_checkpoint(sink: &mut impl Write, checkpoint: &Checkpoint) -> std::io::Result<()> {
    serde_json::to_writer(&mut *sink, checkpoint)?;
    sink.write_all(b"\n")
}

#[cfg(test)]
mod tests;
