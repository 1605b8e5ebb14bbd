//! The report of `physim export`.

use std::path::Path;

use crate::export::format::ExportFormat;
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{bytes, count};
use crate::report::style::printable;
use crate::report::table::Table;

/// What was written.
pub struct ExportReport<'a> {
    /// The replay.
    pub replay: &'a str,
    /// The file, if it is one.
    pub output: Option<&'a Path>,
    /// Its kind.
    pub format: ExportFormat,
    /// States written.
    pub states: u64,
    /// Bodies of all states together.
    pub rows: u64,
    /// The size of the file.
    pub bytes: Option<u64>,
    /// What is damaged of the replay.
    pub damage: Option<String>,
    /// Why the run itself stopped before its end.
    pub run_stopped: Option<&'a str>,
}

/// The report for people.
pub fn text(report: &ExportReport<'_>) -> String {
    let mut table = Table::default();
    table.labelled("replay", printable(report.replay));
    table.labelled("steps", count(report.states));
    if report.format != ExportFormat::Energy {
        table.labelled("bodies × steps", count(report.rows));
    }
    if let Some(output) = report.output {
        let size = report.bytes.map_or_else(String::new, |size| format!(" ({})", bytes(size)));
        table.labelled("written", format!("{}{size}", printable(&output.display().to_string())));
    }
    table.render()
}

#[derive(Serialize)]
struct ExportJson<'a> {
    schema: u32,
    replay: &'a str,
    output: Option<String>,
    format: &'static str,
    steps: u64,
    rows: u64,
    bytes: Option<u64>,
    damage: Option<&'a str>,
    run_stopped: Option<&'a str>,
}

/// The report for machines.
pub fn json(report: &ExportReport<'_>) -> String {
    line(&ExportJson {
        schema: 1,
        replay: report.replay,
        output: report.output.map(|path| path.display().to_string()),
        format: report.format.name(),
        steps: report.states,
        rows: report.rows,
        bytes: report.bytes,
        damage: report.damage.as_deref(),
        run_stopped: report.run_stopped,
    })
}
