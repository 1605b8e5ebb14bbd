//! The report of `physim trace`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::Serialize;

use crate::report::json::line;
use crate::report::number::counted;
use crate::report::program::command;
use crate::report::run::quoted;
use crate::report::style::{FAINT, printable};

/// A trace that was made.
pub struct TraceReport {
    /// The replay it is of.
    pub replay: String,
    /// Its file; nothing where it went to standard output.
    pub trace: Option<PathBuf>,
    /// The steps it covers.
    pub steps: RangeInclusive<u32>,
    /// How many checkpoints there are in it.
    pub checkpoints: u64,
}

/// The report for people.
pub fn text(report: &TraceReport) -> String {
    let TraceReport { replay, trace, steps, checkpoints } = report;
    let (from, to) = (steps.start(), steps.end());
    let span = if from == to { format!("step {from}") } else { format!("steps {from} to {to}") };
    let checkpoints = counted(*checkpoints, "checkpoint", "checkpoints");
    let Some(path) = trace else { return format!("{}: {span}, {checkpoints}\n", printable(replay)) };
    let path = path.display().to_string();
    format!(
        "{}: {span}, {checkpoints}, in {}\n{} {}\n",
        printable(replay),
        printable(&path),
        FAINT.paint("next:"),
        printable(&command(&format!("diff {} OTHER.trace", quoted(&path))))
    )
}

#[derive(Serialize)]
struct TraceJson<'a> {
    schema: u32,
    replay: &'a str,
    trace: Option<String>,
    from: u32,
    to: u32,
    checkpoints: u64,
}

/// The report for machines.
pub fn json(report: &TraceReport) -> String {
    line(&TraceJson {
        schema: 1,
        replay: &report.replay,
        trace: report.trace.as_ref().map(|path| path.display().to_string()),
        from: *report.steps.start(),
        to: *report.steps.end(),
        checkpoints: report.checkpoints,
    })
}
