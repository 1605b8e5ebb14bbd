//! A hash log that can be read more than once, each time from its start.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::replay::checkpoint::Checkpoint;
use crate::replay::hash_log::resimulation::{Resimulation, resimulation_of};
use crate::replay::hash_log::spill::SpilledText;
use crate::replay::hash_log::{
    ForeignLines, HashLogReader, LogError, LogSpill, MAX_LINE_BYTES, Told, read_line, without_mark,
};

/// How much of a text is read at once.
const BUFFER_BYTES: usize = 1 << 16;

/// How a log is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogOptions {
    /// What to do with lines that are none of a hash log.
    pub foreign: ForeignLines,
    /// Whether steps may be told of more than once, of which the last telling counts.
    pub resimulated: bool,
    /// Of which steps an empty list tells something.
    pub empty_lists: EmptyLists,
}

impl LogOptions {
    /// What to give to a command, behind its other arguments, so that it reads a log in this way.
    #[must_use]
    pub fn arguments(self) -> &'static str {
        match (self.resimulated, self.foreign == ForeignLines::SkipAll) {
            (false, false) => "",
            (true, false) => " --resimulated",
            (false, true) => " --lenient",
            (true, true) => " --resimulated --lenient",
        }
    }
}

/// Of which steps an empty list tells that there is nothing. Of any other it tells no more than a list that is left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyLists {
    /// Of all.
    #[default]
    OfAllSteps,
    /// Of these, from the first to the last, that there are no objects: a program printed the log that was asked for all that it can tell of
    /// them. What has neither sections nor fields is not told of. State 0 cannot be asked for, so of that one no empty list tells anything.
    OfSteps(u32, u32),
    /// Of these, from the first to the last, that there is nothing of whatever is empty: of each of them all that there is was asked for, of
    /// the log and of that which it is compared with.
    AllOfSteps(u32, u32),
}

/// A hash log, or what else tells checkpoints. What it takes in memory does not grow with its text.
#[derive(Clone, Debug)]
pub struct LogSource {
    name: String,
    text: Text,
    options: LogOptions,
    resimulation: Option<Arc<Resimulation>>,
}

#[derive(Clone, Debug)]
enum Text {
    /// Checkpoints of this process.
    Checkpoints(Arc<[Checkpoint]>),
    File(PathBuf),
    Spilled(SpilledText),
}

impl LogSource {
    /// A file, which errors call `name`. Where steps may be told of more than once, it is read through.
    #[must_use]
    pub fn of_file(name: &str, path: PathBuf, options: LogOptions) -> Self {
        Self::of_text(name, Text::File(path), options)
    }

    /// An open file, which needs no name among files any more.
    #[must_use]
    pub fn of_open_file(name: &str, file: Arc<Mutex<File>>, options: LogOptions) -> Self {
        Self::of_text(name, Text::Spilled(SpilledText::File(file)), options)
    }

    /// What a program printed, or what came through a pipe.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn of_spill(name: &str, spill: LogSpill, options: LogOptions) -> Result<Self, LogError> {
        let text = spill.into_text().map_err(|cause| LogError::Io { name: name.to_owned(), cause })?;
        Ok(Self::of_text(name, Text::Spilled(text), options))
    }

    /// Checkpoints that are in memory.
    #[must_use]
    pub fn of_checkpoints(name: &str, checkpoints: Vec<Checkpoint>) -> Self {
        let text = Text::Checkpoints(checkpoints.into());
        Self { name: name.to_owned(), text, options: LogOptions::default(), resimulation: None }
    }

    fn of_text(name: &str, text: Text, options: LogOptions) -> Self {
        let source = Self { name: name.to_owned(), text, options, resimulation: None };
        let resimulation =
            source.reader().ok().filter(|_| options.resimulated).map(|mut reader| resimulation_of(&mut reader));
        Self { resimulation: resimulation.map(Arc::new), ..source }
    }

    /// The same text, read in another way.
    #[must_use]
    pub fn with_options(self, options: LogOptions) -> Self {
        Self::of_text(&self.name, self.text, options)
    }

    /// What errors and reports call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it is read.
    #[must_use]
    pub const fn options(&self) -> LogOptions {
        self.options
    }

    /// What steps were told of more than once, where they may be.
    #[must_use]
    pub fn resimulation(&self) -> Option<&Resimulation> {
        self.resimulation.as_deref()
    }

    /// Reads it from its start, checkpoint by checkpoint. An error is told at the end, by [`LogPass::end`].
    #[must_use]
    pub fn read(&self) -> LogPass<'_> {
        let told = match (&self.text, &self.resimulation) {
            (Text::Checkpoints(checkpoints), _) => Ok(Reading::Checkpoints(checkpoints)),
            (_, None) => self.reader().map(|reader| Reading::Text(Box::new(reader))),
            (_, Some(resimulation)) => {
                self.reader().map(|reader| Reading::Text(Box::new(reader.of_takes(resimulation.lines.clone()))))
            }
        };
        let (told, error) = match told {
            Ok(told) => (told, None),
            Err(error) => (Reading::Checkpoints(&[]), Some(error)),
        };
        LogPass { name: &self.name, told, error, checkpoints: 0, last_step: None }
    }

    /// What one telling of a step says, which begins at this line.
    ///
    /// # Errors
    /// As [`HashLogReader::next_checkpoint`].
    pub fn told_from(&self, line: u64) -> Result<Vec<Checkpoint>, LogError> {
        let mut reader = self.reader()?.of_takes([line].into());
        let mut checkpoints = Vec::new();
        while let Some(checkpoint) = reader.next_checkpoint()? {
            checkpoints.push(checkpoint);
        }
        Ok(checkpoints)
    }

    /// Reads it through; says how it ends.
    ///
    /// # Errors
    /// As [`LogPass::end`].
    pub fn check(&self) -> Result<LogEnd, LogError> {
        let mut pass = self.read();
        pass.by_ref().for_each(drop);
        pass.end()
    }

    /// Writes its lines without what else stands between them, each as it is.
    ///
    /// # Errors
    /// If it cannot be read, or the sink cannot be written.
    pub fn write_lines(&self, sink: &mut impl Write) -> std::io::Result<()> {
        let mut text = BufReader::with_capacity(BUFFER_BYTES, self.text()?);
        let mut line = Vec::new();
        let mut is_first = true;
        loop {
            line.clear();
            let length = text.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line)?;
            if length == 0 || length as u64 > MAX_LINE_BYTES {
                return Ok(());
            }
            let content = if std::mem::take(&mut is_first) { without_mark(&line) } else { &line };
            let content = content.trim_ascii();
            if content.starts_with(b"{") && !matches!(read_line(content, true, self.options.foreign), Told::Other) {
                sink.write_all(content)?;
                sink.write_all(b"\n")?;
            }
        }
    }

    /// Its text, as it is.
    fn text(&self) -> std::io::Result<Box<dyn Read + '_>> {
        Ok(match &self.text {
            Text::Checkpoints(_) => Box::new(std::io::empty()),
            Text::File(path) => Box::new(File::open(path)?),
            Text::Spilled(text) => Box::new(text.reader()),
        })
    }

    fn reader(&self) -> Result<HashLogReader<BufReader<Box<dyn Read + '_>>>, LogError> {
        let text = self.text().map_err(|cause| LogError::Io { name: self.name.clone(), cause })?;
        let text = BufReader::with_capacity(BUFFER_BYTES, text);
        Ok(HashLogReader::new(&self.name, text, self.options.foreign).of_empty_lists(self.options.empty_lists))
    }
}

/// One reading of a log, up to its end or to what is wrong with it.
pub struct LogPass<'a> {
    name: &'a str,
    told: Reading<'a>,
    error: Option<LogError>,
    checkpoints: u64,
    last_step: Option<u32>,
}

enum Reading<'a> {
    Checkpoints(&'a [Checkpoint]),
    Text(Box<HashLogReader<BufReader<Box<dyn Read + 'a>>>>),
}

/// How a log ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogEnd {
    /// How many checkpoints it has.
    pub checkpoints: u64,
    /// The last step that it tells of.
    pub last_step: Option<u32>,
    /// How many foreign lines were skipped.
    pub foreign_lines: u64,
    /// The first of them, from 1.
    pub first_foreign: Option<u64>,
    /// What is missing, where it was cut off within its last line.
    pub damage: Option<String>,
}

impl Iterator for LogPass<'_> {
    type Item = Checkpoint;

    fn next(&mut self) -> Option<Checkpoint> {
        if self.error.is_some() {
            return None;
        }
        let told = match &mut self.told {
            Reading::Checkpoints(checkpoints) => {
                let (first, rest) = checkpoints.split_first()?;
                *checkpoints = rest;
                Ok(Some(first.clone()))
            }
            Reading::Text(reader) => reader.next_checkpoint(),
        };
        match told {
            Ok(told) => {
                self.checkpoints += u64::from(told.is_some());
                self.last_step = told.as_ref().map(|checkpoint| checkpoint.step).or(self.last_step);
                told
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

impl LogPass<'_> {
    /// How the log ends, once it has been read to its end.
    ///
    /// # Errors
    /// What ended the reading before the log does; and where there is no checkpoint in it.
    pub fn end(self) -> Result<LogEnd, LogError> {
        let (known, error) = self.known();
        error.map_or(Ok(known), Err)
    }

    /// What is known of the log as far as it was read, and what is wrong with it.
    #[must_use]
    pub fn known(self) -> (LogEnd, Option<LogError>) {
        let Self { name, told, error, checkpoints, last_step } = self;
        let known = LogEnd { checkpoints, last_step, ..LogEnd::default() };
        let empty = || LogError::Empty { name: name.to_owned(), hint: String::new() };
        match told {
            Reading::Checkpoints(_) => (known, error.or_else(|| (checkpoints == 0).then(empty))),
            Reading::Text(reader) => {
                let error = error.or_else(|| (checkpoints == 0).then(|| reader.empty()));
                let HashLogReader { foreign_lines, first_foreign, damage, .. } = *reader;
                (LogEnd { foreign_lines, first_foreign, damage, ..known }, error)
            }
        }
    }
}
