//! The report of `physim view`.

use std::path::Path;

use physim::view::fit::FittedFilm;
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{bytes, count};
use crate::report::style::printable;
use crate::report::table::Table;

/// What is on the page.
pub struct ViewReport<'a> {
    /// The runs.
    pub films: &'a [FittedFilm],
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
        let frames = count(header.frames as u64);
        let mut about = format!("{} bodies, {frames} frames", count(header.bodies.len() as u64));
        for note in &header.notes {
            about.push_str(&format!("; {note}"));
        }
        table.labelled(&printable(&header.label), about);
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
    line(&ViewJson { schema: 1, page: report.page.display().to_string(), bytes: report.bytes, runs: runs.collect() })
}
