//! The report of `physim minimize` on a file of another program.

use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{count, counted, duration};
use crate::report::style::{TITLE, printable};
use crate::report::table::Table;

/// What a file is made smaller by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// The lines of a text.
    Lines,
    /// The values of a JSON array.
    Values,
}

impl Unit {
    /// What one and several are called.
    #[must_use]
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Lines => ("line", "lines"),
            Self::Values => ("value", "values"),
        }
    }
}

/// A search and what came of it.
pub struct ForeignReport<'a> {
    /// The whole file.
    pub from: &'a str,
    /// The smallest.
    pub to: &'a str,
    /// What is counted.
    pub unit: Unit,
    /// How much there is in the whole file.
    pub count_from: usize,
    /// How much there is in the smallest.
    pub count_to: usize,
    /// The status with which the command still ends.
    pub status: i32,
    /// The command that shows it.
    pub command: String,
    /// How many files were tested.
    pub tests: u64,
    /// Whether the budget ended the search.
    pub was_ended: bool,
    /// How long it took.
    pub seconds: f64,
}

/// The report for people.
pub fn text(report: &ForeignReport<'_>) -> String {
    let (one, many) = report.unit.names();
    let mut table = Table::indented(2);
    table.labelled("from", format!("{}, {}", printable(report.from), counted(report.count_from as u64, one, many)));
    table.labelled("shows", format!("the command ends with status {}", report.status));
    let ended = if report.was_ended { "; the budget ended the search" } else { "" };
    table.labelled("tests", format!("{} in {}{ended}", count(report.tests), duration(report.seconds)));
    let size = counted(report.count_to as u64, one, many);
    format!(
        "{}: {size}\n{}to see it:\n  {}\n",
        TITLE.paint(printable(report.to)),
        table.render(),
        printable(&report.command)
    )
}

#[derive(Serialize)]
struct ForeignJson<'a> {
    schema: u32,
    from: &'a str,
    to: &'a str,
    unit: Unit,
    from_size: usize,
    to_size: usize,
    status: i32,
    commands: [&'a str; 1],
    tests: u64,
    budget_ended: bool,
    seconds: f64,
}

/// The report for machines.
pub fn json(report: &ForeignReport<'_>) -> String {
    line(&ForeignJson {
        schema: 1,
        from: report.from,
        to: report.to,
        unit: report.unit,
        from_size: report.count_from,
        to_size: report.count_to,
        status: report.status,
        commands: [&report.command],
        tests: report.tests,
        budget_ended: report.was_ended,
        seconds: report.seconds,
    })
}
