//! The report of `physim view`.

use std::path::Path;

use physim::view::difference::PageDifference;
use physim::view::fit::FittedFilm;
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{bytes, counted};
use crate::report::style::printable;
use crate::report::table::Table;

/// What is on the page.
pub struct ViewReport<'a> {
    /// The runs.
    pub films: &'a [FittedFilm],
    /// What differs between two of them.
    pub difference: Option<&'a PageDifference>,
    /// The page.
    pub page: &'a Path,
    /// Its size.
    pub bytes: u64,
}

/// The report for people.
pub fn text(report: &ViewReport<'_>) -> String {
    let mut table = Table::default();
    for film in report.films {
        let header = &film.header;
        let mut about = format!(
            "{}, {}",
            counted(header.bodies.len() as u64, "body", "bodies"),
            counted(header.frames as u64, "frame", "frames")
        );
        for note in &header.notes {
            about.push_str(&format!("; {note}"));
        }
        table.labelled(&printable(&header.label), about);
    }
    if let Some(difference) = report.difference {
        let found = difference.in_short().unwrap_or_else(|| "none".to_owned());
        table.labelled("difference", printable(&found));
    }
    let page = printable(&report.page.display().to_string());
    table.labelled("page", format!("{page} ({})", bytes(report.bytes)));
    table.render()
}

#[derive(Serialize)]
struct ViewJson<'a> {
    schema: u32,
    page: String,
    bytes: u64,
    runs: Vec<RunJson<'a>>,
    difference: Option<String>,
}

#[derive(Serialize)]
struct RunJson<'a> {
    label: &'a str,
    bodies: usize,
    frames: usize,
    stride: u32,
    notes: &'a [String],
}

/// The report for machines.
pub fn json(report: &ViewReport<'_>) -> String {
    let runs = report.films.iter().map(|film| RunJson {
        label: &film.header.label,
        bodies: film.header.bodies.len(),
        frames: film.header.frames,
        stride: film.header.stride,
        notes: &film.header.notes,
    });
    line(&ViewJson {
        schema: 1,
        page: report.page.display().to_string(),
        bytes: report.bytes,
        runs: runs.collect(),
        difference: report.difference.and_then(PageDifference::in_short),
    })
}
