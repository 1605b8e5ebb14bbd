//! The hash log: a run as JSON lines, easy to print from any program and to read by eye. `docs/hash-log.md` says how.
//!
//! It is read as a stream, line by line: [`HashLogReader`] holds one line at a time, and [`LogSource`] gives such readers as often as
//! a log has to be read. `resimulation.rs` finds the lines that count where steps are told of more than once.

mod bare_number;
mod lone_surrogate;
mod not_a_log;
mod resimulation;
mod source;
mod spill;

use std::io::{BufRead, Read, Write};
use std::sync::Arc;

use crate::replay::checkpoint::json::cause;
use crate::replay::checkpoint::{Checkpoint, CheckpointOrder};
use crate::replay::hash_log::bare_number::bare_number;
use crate::replay::hash_log::lone_surrogate::lone_surrogate;
use crate::replay::hash_log::not_a_log::other_kind;
use serde::Deserialize;
use serde::de::IgnoredAny;

pub use not_a_log::is_utf_16;
pub use resimulation::{ChangedStep, Resimulation};
pub use source::{EmptyLists, LogEnd, LogOptions, LogPass, LogSource};
pub use spill::LogSpill;

/// The longest line, in bytes.
pub const MAX_LINE_BYTES: u64 = 16 << 20;
/// The most checkpoints that are read into memory at once.
pub const MAX_CHECKPOINTS: usize = 10_000_000;
/// The most checkpoints of one step.
pub const MAX_STEP_CHECKPOINTS: usize = 100_000;
/// The most sections, objects and fields that are read into memory at once, and of one step.
pub const MAX_DETAILS: usize = 20_000_000;
/// What errors say that `--lenient` does about them, of a line that is no JSON object and of one that is none of a log: for commands that
/// have it.
pub const LENIENT_HINTS: [&str; 2] =
    ["; --lenient skips other lines", "; where this is no line of the log, --lenient skips it"];
/// What a line that stands a step back may mean.
const RESIMULATED: &str = "where steps are simulated again, as by a rollback, --resimulated takes the last of each";

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForeignLines {
    /// They are an error: the file is meant to be a hash log.
    #[default]
    Refuse,
    /// They are counted and skipped: the log is the output of a program that says other things too.
    Skip,
    /// So are lines that begin with `{` and have no `step`: the program writes JSON of other kinds too.
    SkipAll,
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
    let mut details = 0;
    while let Some(checkpoint) = reader.next_checkpoint()? {
        details += checkpoint.details();
        checkpoints.push(checkpoint);
        reader.within("checkpoints", checkpoints.len() as u64, MAX_CHECKPOINTS as u64)?;
        reader.within("sections, objects and fields", details as u64, MAX_DETAILS as u64)?;
    }
    if checkpoints.is_empty() {
        return Err(reader.empty());
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
    /// The line that was read last, with its end.
    content: Vec<u8>,
    line: u64,
    /// The step that was told of last, and how much of it there was.
    step: Option<u32>,
    checkpoints: usize,
    details: usize,
    foreign_lines: u64,
    first_foreign: Option<u64>,
    damage: Option<String>,
    empty_lists: EmptyLists,
    /// What it is that is no text in UTF-8, by its first line.
    other_kind: Option<&'static str>,
    /// The lines at which those steps begin that count; nothing where each step is told of once.
    takes: Option<Takes>,
}

/// Which lines count of a log in which steps are told of more than once.
struct Takes {
    /// The lines at which what counts begins, step by step.
    lines: Arc<[u64]>,
    /// The next of them.
    next: usize,
    /// Whether the line that was read last counts.
    is_open: bool,
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
            content: Vec::new(),
            line: 0,
            step: None,
            checkpoints: 0,
            details: 0,
            foreign_lines: 0,
            first_foreign: None,
            damage: None,
            empty_lists: EmptyLists::OfAllSteps,
            other_kind: None,
            takes: None,
        }
    }

    /// Takes all empty lists but these for lists that are not told.
    fn of_empty_lists(self, empty_lists: EmptyLists) -> Self {
        Self { empty_lists, ..self }
    }

    /// Reads only the steps that begin at these lines, to where the next telling of a step begins.
    fn of_takes(self, lines: Arc<[u64]>) -> Self {
        Self { takes: Some(Takes { lines, next: 0, is_open: false }), ..self }
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
        while let Some(mut checkpoint) = self.next_told()? {
            if !self.counts(&checkpoint) {
                continue;
            }
            let is_again = self.order.is_again(&checkpoint);
            self.order
                .admit(&checkpoint)
                .map_err(|what| self.wrong(&if is_again { format!("{what} ({RESIMULATED})") } else { what }))?;
            if self.step != Some(checkpoint.step) {
                (self.step, self.checkpoints, self.details) = (Some(checkpoint.step), 0, 0);
            }
            self.checkpoints += 1;
            self.details += checkpoint.details();
            self.within("checkpoints of one step", self.checkpoints as u64, MAX_STEP_CHECKPOINTS as u64)?;
            self.within("sections, objects and fields of one step", self.details as u64, MAX_DETAILS as u64)?;
            let step = checkpoint.step;
            let is_of = |first, last| step > 0 && (first..=last).contains(&step);
            match self.empty_lists {
                EmptyLists::OfSteps(first, last) => checkpoint.drop_empty_lists(is_of(first, last)),
                EmptyLists::AllOfSteps(first, last) if !is_of(first, last) => checkpoint.drop_empty_lists(false),
                EmptyLists::OfAllSteps | EmptyLists::AllOfSteps(..) => {}
            }
            return Ok(Some(checkpoint));
        }
        Ok(None)
    }

    /// Whether what the last line tells counts.
    fn counts(&mut self, checkpoint: &Checkpoint) -> bool {
        let Some(takes) = &mut self.takes else { return true };
        if takes.lines.get(takes.next) == Some(&self.line) {
            takes.next += 1;
            takes.is_open = true;
        } else {
            let goes_on = self.step == Some(checkpoint.step) && !self.order.is_again(checkpoint);
            takes.is_open &= goes_on;
        }
        takes.is_open
    }

    /// What the next line of a log tells, wherever it stands; `None` at the end.
    fn next_told(&mut self) -> Result<Option<Checkpoint>, LogError> {
        loop {
            self.skip_foreign_lines();
            if !self.next_line()? {
                return Ok(None);
            }
            let content = if self.line == 1 { without_mark(&self.content) } else { &self.content };
            let content = content.trim_ascii();
            if self.line == 1 {
                self.other_kind = other_kind(content);
            }
            match content.first() {
                None | Some(b'#') => {}
                Some(first)
                    if let Some(what) = self.other_kind
                        && self.line == 1
                        && (*first == b'{' || self.foreign == ForeignLines::Refuse) =>
                {
                    return Err(self.wrong(what));
                }
                Some(b'{') => match read_line(content, self.content.ends_with(b"\n"), self.foreign) {
                    Told::Checkpoint(checkpoint) => return Ok(Some(*checkpoint)),
                    Told::Other => self.skip(),
                    Told::CutOff => {
                        self.damage = Some(format!("cut off within line {}; read up to there", self.line));
                        return Ok(None);
                    }
                    Told::Wrong(what) => return Err(self.wrong(&what)),
                },
                Some(_) if self.foreign != ForeignLines::Refuse && tells_of_step_behind(content) => {
                    return Err(self.wrong(
                        "it tells of a step behind other text; print what tells of a step on a line of its own, from the first \
                         character on",
                    ));
                }
                Some(_) if self.foreign != ForeignLines::Refuse => self.skip(),
                Some(_) => {
                    return Err(self.wrong(&format!(
                        "expected a JSON object, such as {{\"step\":0,\"hash\":\"9af3\"}}, or a # comment{}",
                        LENIENT_HINTS[0]
                    )));
                }
            }
        }
    }

    fn skip(&mut self) {
        self.foreign_lines += 1;
        self.first_foreign.get_or_insert(self.line);
    }

    /// Skips whole lines that have no `{` in them and are none of the log, as far as they have been read from the file: a program may
    /// print a hundred million of them in a second or two.
    fn skip_foreign_lines(&mut self) {
        if self.foreign == ForeignLines::Refuse || self.line == 0 {
            return;
        }
        loop {
            // What cannot be read is told by whoever reads the next line.
            let Ok(read) = self.text.fill_buf() else { return };
            let before_brace = if read.contains(&b'{') { read.split(|&byte| byte == b'{').next() } else { Some(read) };
            let Some(end) = before_brace.and_then(|part| part.iter().rposition(|&byte| byte == b'\n')) else { return };
            for line in read[..end].split(|&byte| byte == b'\n') {
                self.line += 1;
                let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
                if first.is_some_and(|&first| first != b'#') {
                    self.foreign_lines += 1;
                    self.first_foreign.get_or_insert(self.line);
                }
            }
            self.text.consume(end + 1);
        }
    }

    /// Reads the next line with its end, which is checked for size before it is taken whole; false at the end.
    fn next_line(&mut self) -> Result<bool, LogError> {
        self.content.clear();
        let limited = self.text.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut self.content);
        let length = limited.map_err(|cause| LogError::Io { name: self.name.clone(), cause })? as u64;
        self.line += u64::from(length > 0);
        self.within("bytes in one line", length, MAX_LINE_BYTES)?;
        Ok(length > 0)
    }

    /// That there is no checkpoint in it.
    fn empty(&self) -> LogError {
        let hint = match (&self.damage, self.foreign_lines) {
            (None, lines) if lines > 0 && self.other_kind.is_some() => {
                format!(": {}", self.other_kind.unwrap_or_default())
            }
            (Some(_), _) => ": it is cut off within its first line".to_owned(),
            (None, 0) => String::new(),
            (None, lines) => format!(" among {lines} other lines"),
        };
        LogError::Empty { name: self.name.clone(), hint }
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

/// A text without the mark (U+FEFF) that some programs put before UTF-8.
#[must_use]
pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// What a line tells that begins with `{`.
enum Told {
    Checkpoint(Box<Checkpoint>),
    /// It is of another kind.
    Other,
    /// The log ends within it.
    CutOff,
    Wrong(String),
}

/// Reads a line that begins with `{`; `is_whole` if its end was there.
fn read_line(line: &[u8], is_whole: bool, foreign: ForeignLines) -> Told {
    match serde_json::from_slice(line) {
        Ok(checkpoint) => Told::Checkpoint(Box::new(checkpoint)),
        Err(error) if error.is_eof() && !is_whole => Told::CutOff,
        Err(_) if foreign == ForeignLines::SkipAll && !has_step(line) => Told::Other,
        Err(error) => {
            let (column, why) = why(line, &error);
            Told::Wrong(format!("column {column}: {why}; see docs/hash-log.md"))
        }
    }
}

/// What is wrong with a line and what to do, and at which column, from 1.
fn why(line: &[u8], error: &serde_json::Error) -> (usize, String) {
    let column = error.column();
    if let Some(word) = bare_number(line, column) {
        let why = format!(
            "{word} is no JSON number: write it as a text, \"{word}\"; better still with its bits, such as \
             {{\"value\":\"NaN\",\"bits\":\"7fc00000\",\"type\":\"f32\"}}"
        );
        return (column, why);
    }
    let cause = cause(error);
    // Texts are read after the line as a whole, which knows no columns within them.
    if cause.contains("hex escape")
        && let Some((column, escape)) = lone_surrogate(line)
    {
        return (
            column,
            format!("{escape} is half a character, a lone surrogate; write the other half beside it, or other digits"),
        );
    }
    let hint = if has_step(line) { "" } else { LENIENT_HINTS[1] };
    (column, format!("{cause}{hint}"))
}

/// Whether a line tells of a step, be it JSON or nearly: a checkpoint with a comma too many, or a `NaN` as engines write it, must not be
/// passed over in both of two logs.
fn has_step(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Probe {
        step: Option<IgnoredAny>,
    }
    match serde_json::from_slice(line) {
        Ok(Probe { step }) => step.is_some(),
        Err(_) => line.windows(b"\"step\"".len()).any(|part| part == b"\"step\""),
    }
}

/// Whether a line that does not begin with `{` goes on with what tells of a step, as behind the dots of a progress bar: passed over, half of
/// a run would be unguarded.
fn tells_of_step_behind(line: &[u8]) -> bool {
    let from_brace = line.iter().position(|&byte| byte == b'{').map_or(&[][..], |start| &line[start..]);
    let mut keys = from_brace.windows(b"\"step\"".len()).enumerate().filter(|(_, part)| *part == b"\"step\"");
    keys.any(|(place, part)| from_brace[place + part.len()..].trim_ascii_start().first() == Some(&b':'))
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
