//! The picture of `physim plot`: quantities of runs over time, those of one kind in one panel.

use std::path::Path;

use crate::export::series::quantity::Quantity;
use crate::export::series::{Point, Series};

use crate::report::chart::palette::{COLOUR_COUNT, Style};
use crate::report::chart::{Axis, AxisKind, Chart, Drawn, Line, Panel, draw};
use crate::report::number::counted;
use crate::report::style::{FAINT, printable};

/// Pixels of the height that is not a panel's, about.
const BESIDE_PANELS: u32 = 100;
/// Pixels of the height of a panel: one alone, or one of several.
const PANEL: [u32; 2] = [300, 190];

/// What runs along the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    Time,
    Steps,
}

/// A run with what is to be drawn of it.
#[derive(Debug)]
pub struct PlottedRun {
    /// What it goes by, among the others.
    pub name: String,
    /// Its series.
    pub series: Vec<Series>,
    /// Why it is not all of the run, as the picture says it.
    pub notes: Vec<String>,
}

/// How it is to be drawn.
#[derive(Clone, Debug)]
pub struct Look {
    pub along: Along,
    pub log_x: bool,
    pub log_y: bool,
    pub title: Option<String>,
    pub width: u32,
    /// The height; otherwise what the panels take.
    pub height: Option<u32>,
}

/// What was drawn.
#[derive(Debug)]
pub struct Plotted {
    pub drawn: Drawn,
    pub panels: usize,
    pub lines: usize,
}

/// Draws the runs.
pub fn plotted(runs: &[PlottedRun], look: &Look) -> Plotted {
    let panels: Vec<Panel> = kinds(runs).into_iter().map(|kind| panel(runs, kind, look)).collect();
    let lines = panels.iter().map(|panel| panel.lines.len()).sum();
    let count = u32::try_from(panels.len()).unwrap_or(u32::MAX);
    let natural = BESIDE_PANELS.saturating_add(PANEL[usize::from(count > 1)].saturating_mul(count));
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let x = match look.along {
        Along::Time => Axis::real("time", "s"),
        Along::Steps => Axis::whole("step"),
    };
    let about = format!("{} of {}", what(runs).join(", "), names.join(", "));
    let chart = Chart {
        title: look.title.clone(),
        about,
        size: (look.width, look.height.unwrap_or(natural)),
        x: x.logarithmic(look.log_x),
        panels,
        notes: runs.iter().flat_map(|run| run.notes.iter().map(|note| format!("{}: {note}", run.name))).collect(),
    };
    Plotted { panels: chart.panels.len(), lines, drawn: draw(&chart) }
}

/// The report for people.
pub fn text(plotted: &Plotted, output: Option<&Path>) -> String {
    let panels = counted(plotted.panels as u64, "panel", "panels");
    let lines = counted(plotted.lines as u64, "line", "lines");
    let name = output.map_or_else(String::new, |path| format!("{}: ", printable(&path.display().to_string())));
    let notes: String =
        plotted.drawn.notes.iter().map(|note| format!("{} {}\n", FAINT.paint("note:"), printable(note))).collect();
    format!("{name}{lines} in {panels}\n{notes}")
}

/// What tells the files apart: their names without folders and endings, or with as many folders as it takes.
pub fn short_names(paths: &[String]) -> Vec<String> {
    first_apart(paths, &[false, true])
}

/// What tells the files apart, as [`short_names`] does, endings included.
pub fn telling_names(paths: &[String]) -> Vec<String> {
    first_apart(paths, &[true])
}

/// The shortest names that are all different, of those that keep their endings or not, in this order.
fn first_apart(paths: &[String], keep_endings: &[bool]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = paths.iter().map(|path| path.split(['/', '\\']).collect()).collect();
    let deepest = parts.iter().map(Vec::len).max().unwrap_or(1);
    let with_folders = |depth: usize, keeps_ending: bool| -> Vec<String> {
        let tail = |parts: &Vec<&str>| {
            let name = parts[parts.len().saturating_sub(depth)..].join("/");
            let stem = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(stem, _)| stem.to_owned());
            stem.filter(|_| !keeps_ending).unwrap_or(name)
        };
        parts.iter().map(tail).collect()
    };
    let are_apart = |names: &Vec<String>| {
        let mut sorted = names.clone();
        sorted.sort();
        sorted.windows(2).all(|pair| pair[0] != pair[1])
    };
    let tries = (1..=deepest).flat_map(|depth| keep_endings.iter().map(move |ending| (depth, *ending)));
    tries.map(|(depth, ending)| with_folders(depth, ending)).find(are_apart).unwrap_or_else(|| paths.to_vec())
}

/// The kinds of what is drawn, in the order it was asked for: what has another kind is not compared on one axis, be its
/// unit the same.
fn kinds(runs: &[PlottedRun]) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for series in runs.iter().flat_map(|run| &run.series) {
        let kind = kind_of(series.quantity);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// The kind of a quantity, which is the name of an axis that shows several.
fn kind_of(quantity: &Quantity) -> &'static str {
    match quantity.unit {
        "J" => "energy",
        "kg m/s" => "momentum",
        "kg m²/s" => "angular momentum",
        "m" if quantity.label.starts_with("position") => "position",
        "m" => "overlap",
        "m/s" => "velocity",
        "rad/s" => "angular velocity",
        _ => "count",
    }
}

/// What is drawn, each once.
fn what(runs: &[PlottedRun]) -> Vec<&'static str> {
    let mut labels = Vec::new();
    for series in runs.iter().flat_map(|run| &run.series) {
        if !labels.contains(&series.quantity.label) {
            labels.push(series.quantity.label);
        }
    }
    labels
}

fn panel(runs: &[PlottedRun], kind: &str, look: &Look) -> Panel {
    let of_kind = |series: &&Series| kind_of(series.quantity) == kind;
    let mut quantities: Vec<&Quantity> = Vec::new();
    // What a line shows of a run: a quantity, or that of a body.
    let mut kinds: Vec<(&Quantity, Option<&str>)> = Vec::new();
    for series in runs.iter().flat_map(|run| run.series.iter().filter(of_kind)) {
        let kind = (series.quantity, series.body.as_deref());
        if !quantities.contains(&series.quantity) {
            quantities.push(series.quantity);
        }
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut lines = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        for series in run.series.iter().filter(of_kind) {
            let kind = kinds.iter().position(|kind| *kind == (series.quantity, series.body.as_deref())).unwrap_or(0);
            let parts = [
                (runs.len() > 1).then_some(run.name.as_str()),
                series.body.as_deref(),
                (quantities.len() > 1).then_some(series.quantity.label),
            ];
            let name = parts.into_iter().flatten().collect::<Vec<&str>>().join(" · ");
            let style = style(place, runs.len(), kind, kinds.len(), lines.len());
            let points = series.points.iter().map(|point| (x_of(point, look.along), point.value)).collect();
            lines.push(Line { name, style, has_dots: false, is_joined: true, points });
        }
    }
    let numbers = if quantities.iter().all(|quantity| quantity.is_whole()) { AxisKind::Whole } else { AxisKind::Real };
    let unit = quantities.first().map_or("", |quantity| quantity.unit);
    let name = if let [one] = quantities.as_slice() { one.label } else { kind };
    let y = Axis { name: name.to_owned(), unit: unit.to_owned(), kind: numbers, is_log: look.log_y };
    Panel { y, lines }
}

/// Colours tell runs apart and dashes what is shown of them, as far as they go.
const fn style(run: usize, runs: usize, kind: usize, kinds: usize, line: usize) -> Style {
    if runs > 1 && kinds > 1 && runs <= COLOUR_COUNT && kinds <= 5 {
        Style::of(run, kind)
    } else {
        Style::numbered(line)
    }
}

fn x_of(point: &Point, along: Along) -> f64 {
    match along {
        Along::Time => point.time,
        Along::Steps => f64::from(point.step),
    }
}

#[cfg(test)]
mod tests {
    use super::{short_names, telling_names};

    fn names(paths: &[&str]) -> Vec<String> {
        short_names(&paths.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn files_are_called_by_what_tells_them_apart() {
        assert_eq!(names(&["runs/it1.mcap", "runs/it4.mcap"]), ["it1", "it4"]);
        assert_eq!(names(&["a/run.mcap", "b/run.mcap"]), ["a/run", "b/run"]);
        assert_eq!(names(&["run.mcap", "run.csv"]), ["run.mcap", "run.csv"]);
        assert_eq!(names(&["same", "same"]), ["same", "same"]);
        assert_eq!(names(&[".hidden", "<b>.csv"]), [".hidden", "<b>"]);
    }

    #[test]
    fn endings_stay_where_they_are_wanted() {
        let names = |paths: &[&str]| telling_names(&paths.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(names(&["a/run.mcap"]), ["run.mcap"]);
        assert_eq!(names(&["A/run.mcap", "B/run.mcap"]), ["A/run.mcap", "B/run.mcap"]);
        assert_eq!(names(&["A/one.mcap", "B/two.mcap"]), ["one.mcap", "two.mcap"]);
    }
}
