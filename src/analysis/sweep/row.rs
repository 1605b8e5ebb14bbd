//! Rows of a sweep as CSV and as JSON lines, there and back.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::analysis::sweep::{ColumnKind, Sweep};
use crate::scene::printable::printable_json;

/// A run and its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which run it is.
    pub run: u64,
    /// A cell for each column.
    pub cells: Vec<String>,
}

impl Row {
    /// The first column in which both say something else, the time apart, which comes last.
    #[must_use]
    pub fn first_difference(&self, other: &Self) -> Option<usize> {
        let columns = self.cells.len().max(other.cells.len()).saturating_sub(1);
        (0..columns).find(|&column| self.cells.get(column) != other.cells.get(column))
    }
}

/// A form of the table that programs read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// A line of names, then a line for each run (RFC 4180).
    Csv,
    /// An object on a line for each run.
    JsonLines,
}

/// Why a text is not part of a sweep.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// It is something else.
    #[error("it is not a table of a sweep")]
    NoTable,
    /// It is of another sweep.
    #[error("it belongs to another sweep: {0}")]
    OtherSweep(String),
    /// A row cannot be read.
    #[error("line {line}: {what}")]
    Row {
        /// The line.
        line: u64,
        /// What is wrong with it.
        what: String,
    },
}

impl RowFormat {
    /// The form of a text that begins like this; nothing where it is empty.
    #[must_use]
    pub const fn of(text: &[u8]) -> Option<Self> {
        match text {
            [] => None,
            [b'{', ..] => Some(Self::JsonLines),
            _ => Some(Self::Csv),
        }
    }

    /// What stands before the first row.
    #[must_use]
    pub fn head(self, sweep: &Sweep) -> String {
        match self {
            Self::Csv => csv_line(sweep.columns().iter().map(|(name, _)| name.as_str())),
            Self::JsonLines => String::new(),
        }
    }

    /// A row as a line.
    #[must_use]
    pub fn line(self, sweep: &Sweep, row: &Row) -> String {
        match self {
            Self::Csv => csv_line(row.cells.iter().map(String::as_str)),
            Self::JsonLines => json_line(&sweep.columns(), &row.cells),
        }
    }

    /// How much of a text is whole lines: what a program that was stopped wrote last may be half of one.
    #[must_use]
    pub fn whole_lines(self, text: &[u8]) -> usize {
        let (mut end, mut is_quoted) = (0, false);
        for (place, byte) in text.iter().enumerate() {
            match byte {
                b'"' if self == Self::Csv => is_quoted = !is_quoted,
                b'\n' if !is_quoted => end = place + 1,
                _ => {}
            }
        }
        end
    }

    /// The rows of a text that consists of whole lines.
    ///
    /// # Errors
    /// When it is not a table, that of another sweep, or damaged.
    pub fn read(self, sweep: &Sweep, text: &[u8]) -> Result<Vec<Row>, PartError> {
        match self {
            Self::Csv => read_csv(sweep, text),
            Self::JsonLines => read_json(sweep, text),
        }
    }
}

fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    // Writing to memory cannot fail, and the cells are text.
    let _ = writer.write_record(cells);
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn json_line(columns: &[(String, ColumnKind)], cells: &[String]) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let is_number = |text: &str| serde_json::from_str::<serde_json::Number>(text).is_ok();
    let mut line = "{\"schema\":1".to_owned();
    for ((name, kind), cell) in columns.iter().zip(cells) {
        let value = match kind {
            _ if cell.is_empty() => "null".to_owned(),
            ColumnKind::Number | ColumnKind::Setting if is_number(cell) => cell.clone(),
            ColumnKind::Number => "null".to_owned(),
            ColumnKind::Text | ColumnKind::Setting => quoted(cell),
        };
        line.push_str(&format!(",{}:{value}", quoted(name)));
    }
    printable_json(line + "}\n")
}

fn read_csv(sweep: &Sweep, text: &[u8]) -> Result<Vec<Row>, PartError> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let mut records = reader.records();
    let head = records.next().and_then(Result::ok).ok_or(PartError::NoTable)?;
    let columns = sweep.columns();
    if !head.iter().take(2).eq(columns.iter().take(2).map(|(name, _)| name.as_str())) {
        return Err(PartError::NoTable);
    }
    if !head.iter().eq(columns.iter().map(|(name, _)| name.as_str())) {
        let names: Vec<&str> = head.iter().collect();
        return Err(PartError::OtherSweep(format!("its columns are {}", names.join(","))));
    }
    let mut rows = Vec::new();
    for record in records {
        let fail = |line, what: &str| PartError::Row { line, what: what.to_owned() };
        let record = record.map_err(|error| fail(error.position().map_or(0, csv::Position::line), "it is not CSV"))?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != columns.len() {
            return Err(fail(line, &format!("{} cells where {} columns are", record.len(), columns.len())));
        }
        rows.push(checked(sweep, line, record.iter().map(str::to_owned).collect())?);
    }
    Ok(rows)
}

fn read_json(sweep: &Sweep, text: &[u8]) -> Result<Vec<Row>, PartError> {
    let columns = sweep.columns();
    let mut rows = Vec::new();
    for (line, bytes) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        let object: BTreeMap<String, &RawValue> =
            serde_json::from_slice(bytes).map_err(|error| PartError::Row { line, what: error.to_string() })?;
        if !object.contains_key("run") || !object.contains_key("sweep") {
            return Err(PartError::NoTable);
        }
        let mut cells = Vec::new();
        for (name, _) in &columns {
            let value = object.get(name).map(|value| value.get());
            let value = value.ok_or_else(|| PartError::OtherSweep(format!("it has no `{name}`")))?;
            cells.push(if value == "null" {
                String::new()
            } else {
                serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
            });
        }
        rows.push(checked(sweep, line, cells)?);
    }
    Ok(rows)
}

/// A row that says of itself that it is of this sweep.
fn checked(sweep: &Sweep, line: u64, cells: Vec<String>) -> Result<Row, PartError> {
    let fail = |what: String| PartError::Row { line, what };
    let [run, digest, ..] = cells.as_slice() else { return Err(fail("too few cells".to_owned())) };
    if digest != sweep.digest() {
        return Err(PartError::OtherSweep(format!("its digest is {digest}, that of this one {}", sweep.digest())));
    }
    let run = run.parse().map_err(|_| fail(format!("`{run}` is not a number of a run")))?;
    let settings = sweep.settings(run);
    let is_ours = run < sweep.runs() && settings.iter().zip(&cells[2..]).all(|((_, value), cell)| value == cell);
    if !is_ours {
        return Err(fail(format!("run {run} of this sweep has other settings")));
    }
    Ok(Row { run, cells })
}
