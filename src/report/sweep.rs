//! The report of `physim sweep`.

use std::path::PathBuf;

use crate::analysis::sweep::merge::{Shard, ranges};
use crate::analysis::sweep::row::Row;
use crate::analysis::sweep::{ColumnKind, Sweep};

use crate::report::number::{count, counted, short};
use crate::report::style::{BAD, FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Digits of a hash that a table shows.
const HASH_DIGITS: usize = 12;
/// Letters of a setting or a message that a table shows.
const MOST_LETTERS: usize = 60;

/// A sweep and what came of it.
pub struct SweepReport<'a> {
    /// What was run.
    pub sweep: &'a Sweep,
    /// The rows there are.
    pub rows: &'a [Row],
    /// How many there should be.
    pub runs: usize,
    /// Which part of the sweep this is, if it is one.
    pub shard: Option<Shard>,
    /// How many rows were there before.
    pub resumed: usize,
    /// The file they are in.
    pub output: Option<PathBuf>,
    /// The runs that no part has.
    pub missing: &'a [u64],
}

/// The table for people: numbers rounded, hashes cut short.
pub fn table(report: &SweepReport<'_>) -> String {
    let columns = report.sweep.columns();
    let is_used =
        |place: usize| report.rows.iter().any(|row| row.cells.get(place).is_some_and(|cell| !cell.is_empty()));
    let shown: Vec<usize> = (0..columns.len())
        .filter(|place| columns[*place].0 != "sweep" && (columns[*place].0 != "stopped" || is_used(*place)))
        .collect();
    // What a run stopped with is long, and stands last.
    let (last, shown): (Vec<usize>, Vec<usize>) = shown.into_iter().partition(|place| columns[*place].0 == "stopped");
    let shown = || shown.iter().chain(&last);
    let mut table = Table::indented(0);
    table.row(shown().map(|place| heading(&columns[*place])));
    for row in report.rows {
        table.row(shown().map(|place| cell(&columns[*place], row.cells.get(*place).map_or("", String::as_str))));
    }
    table.render()
}

fn heading((name, kind): &(String, ColumnKind)) -> Cell {
    let text = printable(&name.replace("energy_drift_relative", "relative"));
    let cell = if *kind == ColumnKind::Text { Cell::text(text) } else { Cell::number(text) };
    cell.painted(FAINT)
}

fn cell((name, kind): &(String, ColumnKind), text: &str) -> Cell {
    match (kind, name.as_str()) {
        (_, "hash") => Cell::text(printable(text.get(..HASH_DIGITS).unwrap_or(text))),
        (_, "stopped") => Cell::text(shortened(text)).painted(BAD),
        (ColumnKind::Text, _) => Cell::text(shortened(text)),
        (ColumnKind::Setting, _) => Cell::number(shortened(text)),
        (ColumnKind::Number, "run" | "contacts" | "steps_taken") => Cell::number(printable(text)),
        (ColumnKind::Number, _) => Cell::number(text.parse().map_or_else(|_| printable(text), short)),
    }
}

fn shortened(text: &str) -> String {
    let text = printable(text);
    if text.chars().count() <= MOST_LETTERS {
        return text;
    }
    text.chars().take(MOST_LETTERS - 1).collect::<String>() + "…"
}

/// What was written into a file, in a few lines.
pub fn summary(report: &SweepReport<'_>) -> String {
    let SweepReport { sweep, rows, runs, shard, resumed, output, .. } = report;
    let name = output.as_ref().map(|path| printable(&path.display().to_string())).unwrap_or_default();
    let part = shard.map_or_else(String::new, |Shard { index, count: of }| {
        format!(" (part {index} of {of} of {})", counted(sweep.runs(), "run", "runs"))
    });
    let settings: Vec<String> = sweep
        .axes()
        .iter()
        .map(|axis| format!("{} {}", count(axis.values.len() as u64), printable(&axis.keys.join("+"))))
        .collect();
    let have = rows.len();
    let all = counted(*runs as u64, "run", "runs");
    let runs = if have == *runs { all } else { format!("{} of {all}", count(have as u64)) };
    let before = if *resumed > 0 { format!(", {} of them from before", count(*resumed as u64)) } else { String::new() };
    format!(
        "{}: {runs}{part}{before}\n  {} {}\n",
        TITLE.paint(&name),
        settings.join(" × "),
        FAINT.paint(sweep.digest())
    )
}

/// What is said of runs that ended with an error.
pub fn stopped_text(stopped: u64) -> String {
    let runs = counted(stopped, "run", "runs");
    format!("{runs} ended with an error before the last step: the column `stopped` says why")
}

/// What is said of runs that were made again because only their replays were missing.
pub fn recorded_again_text(again: u64) -> String {
    let runs = counted(again, "run", "runs");
    format!("{runs} made again: the table had the results, and the folder of --record lacked the replays\n")
}

/// What is said of rows of an older table that were joined in.
pub fn kept_text(kept: u64) -> String {
    format!(
        "{} kept that the parts lack and the file had before; --force leaves them out\n",
        counted(kept, "row", "rows")
    )
}

/// What is said of runs that no part has.
pub fn missing_text(report: &SweepReport<'_>) -> String {
    const MOST: usize = 200;
    let missing = report.missing.len() as u64;
    let mut list = ranges(report.missing);
    if list.len() > MOST {
        let end = list.char_indices().map(|(place, _)| place).take_while(|place| *place <= MOST).last().unwrap_or(0);
        list.truncate(end);
        list.push_str(", ...");
    }
    let runs = counted(missing, "run is", "runs are");
    format!("{runs} missing of {}: {list}", count(report.sweep.runs()))
}
