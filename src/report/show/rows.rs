//! Bodies over steps, a row for each body and step, written as the run goes on.

use crate::analysis::show::BodyView;
use crate::analysis::show_steps::{Selection, StepBodies};
use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::report::json;
use crate::report::number::short;
use crate::report::show::{BODY_COLUMNS, VECTOR_WIDTH, body_columns, csv_cell, vector_text};
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// The width of a quaternion.
const QUATERNION_WIDTH: usize = 35;

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowFormat {
    /// A table for people.
    Text,
    /// One JSON object, of one body.
    Json,
    /// Lines for spreadsheets.
    Csv,
}

/// Writes rows one step at a time. Nothing is written before the first row.
pub struct RowWriter<'a> {
    format: RowFormat,
    replay: &'a str,
    selection: &'a Selection,
    /// The one body, where all steps of one are asked for: it then has no column.
    body: Option<&'a str>,
    has_begun: bool,
}

impl<'a> RowWriter<'a> {
    /// A writer of what is selected of a replay.
    pub const fn new(format: RowFormat, replay: &'a str, selection: &'a Selection, body: Option<&'a str>) -> Self {
        Self { format, replay, selection, body, has_begun: false }
    }

    /// The rows of the next step, behind what stands at the head if they are the first.
    pub fn step(&mut self, step: &StepBodies) -> String {
        let head = if self.has_begun { String::new() } else { self.head() };
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let rows = match self.format {
            RowFormat::Text => self.text(step),
            RowFormat::Csv => self.csv(step),
            RowFormat::Json => json(step, is_first),
        };
        head + &rows
    }

    /// What stands at the end, where anything was written.
    pub fn end(&self) -> &'static str {
        if self.has_begun && self.format == RowFormat::Json { "]}\n" } else { "" }
    }

    fn head(&self) -> String {
        match self.format {
            RowFormat::Csv if self.body.is_some() => format!("step,time,{BODY_COLUMNS}\n"),
            RowFormat::Csv => format!("step,time,body,{BODY_COLUMNS}\n"),
            RowFormat::Json => {
                let body = json::text(self.body.unwrap_or(""));
                format!("{{\"schema\":1,\"body\":{body},\"track\":[")
            }
            RowFormat::Text => {
                let (first, last) = (self.selection.steps.start(), self.selection.steps.end());
                let what = self.body.map_or_else(|| format!("steps {first} to {last}"), printable);
                let mut table = self.table();
                let mut heads = vec![Cell::number("step"), Cell::number("time (s)")];
                heads.extend(self.body.is_none().then(|| Cell::text("body")));
                heads.push(Cell::text("position (m)"));
                heads.extend(self.body.is_none().then(|| Cell::text("orientation (w x y z)")));
                heads.extend(["velocity (m/s)", "angular velocity (rad/s)"].map(Cell::text));
                table.row(heads.into_iter().map(|head| head.painted(FAINT)));
                format!("{}: {what}\n{}", TITLE.paint(printable(self.replay)), table.render())
            }
        }
    }

    /// A table as wide as all its rows will be.
    fn table(&self) -> Table {
        let mut widths = vec![self.selection.steps.end().to_string().len().max("step".len()), "time (s)".len()];
        if self.body.is_none() {
            let names = self.selection.names.iter().map(|name| printable(name).width());
            widths.push(names.max().unwrap_or(0).max("body".len()));
            widths.extend([VECTOR_WIDTH, QUATERNION_WIDTH]);
        } else {
            widths.push(VECTOR_WIDTH);
        }
        widths.push(VECTOR_WIDTH);
        Table::indented(2).at_least(widths)
    }

    fn text(&self, step: &StepBodies) -> String {
        let mut table = self.table();
        for body in &step.bodies {
            let mut cells = vec![Cell::number(step.step.to_string()), Cell::number(short(step.time))];
            cells.extend(self.body.is_none().then(|| Cell::text(printable(&body.name))));
            cells.push(Cell::text(vector_text(body.position)));
            cells.extend(self.body.is_none().then(|| Cell::text(vector_text(body.orientation))));
            cells.extend([body.linear_velocity, body.angular_velocity].map(|vector| Cell::text(vector_text(vector))));
            table.row(cells);
        }
        table.render()
    }

    fn csv(&self, step: &StepBodies) -> String {
        let rows = step.bodies.iter().map(|body| {
            let name = if self.body.is_some() { String::new() } else { csv_cell(&body.name) + "," };
            format!("{},{},{name}{}\n", step.step, step.time, body_columns(body))
        });
        rows.collect()
    }
}

#[derive(Serialize)]
struct PointJson {
    step: u32,
    time: f64,
    position: [f64; 3],
    orientation: [f64; 4],
    linear_velocity: [f64; 3],
    angular_velocity: [f64; 3],
    asleep: bool,
}

fn json(step: &StepBodies, is_first: bool) -> String {
    let point = |body: &BodyView| PointJson {
        step: step.step,
        time: step.time,
        position: body.position,
        orientation: body.orientation,
        linear_velocity: body.linear_velocity,
        angular_velocity: body.angular_velocity,
        asleep: body.asleep,
    };
    let points = step.bodies.iter().map(|body| json::text(&point(body)));
    let comma = if is_first { "" } else { "," };
    comma.to_owned() + &points.collect::<Vec<_>>().join(",")
}
