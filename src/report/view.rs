//! The report of `physim view`.

use std::path::Path;

use crate::view::difference::PageDifference;
use crate::view::fit::FittedFilm;
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
            about.push_str(&format!("; {}", printable(note)));
        }
        table.labelled(&printable(&header.label), about);
    }
    if let Some(difference) = report.difference {
        let found = difference.in_short().unwrap_or_else(|| no_difference(report.films));
        table.labelled("difference", printable(&found));
    }
    let page = printable(&report.page.display().to_string());
    table.labelled("page", format!("{page} ({})", bytes(report.bytes)));
    table.render()
}

/// What is said of two runs without a difference: of the steps after the end of the shorter one nothing is known.
fn no_difference(films: &[FittedFilm]) -> String {
    let Some(EndsEarlier { run, last_step }) = ends_earlier(films) else { return "none".to_owned() };
    // Of different scalars no bits can be the same.
    let has_one_scalar = films.windows(2).all(|films| films[0].header.scalar == films[1].header.scalar);
    let same = if has_one_scalar { "the same" } else { "none" };
    format!("{same} up to step {last_step}, where {} ends", run.to_uppercase())
}

/// The shorter of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct EndsEarlier {
    run: &'static str,
    last_step: u32,
}

/// Which of two runs ends before the other, by time: their steps may differ in length.
fn ends_earlier(films: &[FittedFilm]) -> Option<EndsEarlier> {
    let [a, b] = films else { return None };
    let end = |film: &FittedFilm| f64::from(film.header.last_step) * film.header.dt;
    let is_earlier = |one: &FittedFilm, other: &FittedFilm| end(other) - end(one) > 0.5 * other.header.dt;
    match (is_earlier(a, b), is_earlier(b, a)) {
        (true, _) => Some(EndsEarlier { run: "a", last_step: a.header.last_step }),
        (_, true) => Some(EndsEarlier { run: "b", last_step: b.header.last_step }),
        _ => None,
    }
}

#[derive(Serialize)]
struct ViewJson<'a> {
    schema: u32,
    page: String,
    bytes: u64,
    runs: Vec<RunJson<'a>>,
    difference: Option<String>,
    /// Which of two runs has fewer steps to compare.
    ends_earlier: Option<EndsEarlier>,
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
        ends_earlier: ends_earlier(report.films),
    })
}
