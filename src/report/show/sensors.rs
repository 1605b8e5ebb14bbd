//! What began and what ended at the sensors of a run, written as the run goes on.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use crate::analysis::sensor_events::{SensorRow, SensorStep};
use crate::analysis::show_steps::Selection;
use crate::report::json;
use crate::report::number::short;
use crate::report::show::csv_cell;
use crate::report::show::rows::RowFormat;
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Writes rows one step at a time.
pub struct SensorWriter<'a> {
    format: RowFormat,
    replay: &'a str,
    selection: &'a Selection,
    has_begun: bool,
}

impl<'a> SensorWriter<'a> {
    /// A writer of what is selected of a replay.
    pub const fn new(format: RowFormat, replay: &'a str, selection: &'a Selection) -> Self {
        Self { format, replay, selection, has_begun: false }
    }

    /// The rows of the next step, behind what stands at the head if they are the first.
    pub fn step(&mut self, step: &SensorStep) -> String {
        let head = self.head();
        head + &step.rows.iter().map(|row| self.row(step, row)).collect::<String>()
    }

    /// What stands at the end, of a run that had so many sensors at most.
    pub fn end(&mut self, sensors: usize) -> String {
        let is_empty = !self.has_begun;
        let head = self.head();
        match (self.format, sensors) {
            (RowFormat::Text, 0) => format!("{head}  no sensors: write `sensor: true` beside the shape of a body\n"),
            (RowFormat::Text, _) if is_empty => format!("{head}  nothing overlaps a sensor\n"),
            _ => head,
        }
    }

    /// What stands before the first row; nothing later on.
    fn head(&mut self) -> String {
        if std::mem::replace(&mut self.has_begun, true) {
            return String::new();
        }
        match self.format {
            RowFormat::Json => String::new(),
            RowFormat::Csv => "step,time,sensor,event,other\n".to_owned(),
            RowFormat::Text => {
                let (first, last) = (self.selection.steps.start(), self.selection.steps.end());
                let title = format!("{}: sensors, steps {first} to {last}\n", TITLE.paint(printable(self.replay)));
                let mut table = self.table();
                let heads = [Cell::number("step"), Cell::number("time (s)"), Cell::text("sensor")];
                let more = [Cell::text("event"), Cell::text("other")];
                table.row(heads.into_iter().chain(more).map(|head| head.painted(FAINT)));
                title + &table.render()
            }
        }
    }

    fn row(&self, step: &SensorStep, row: &SensorRow) -> String {
        let [sensor, other] = [&row.overlap.sensor, &row.overlap.other].map(ToString::to_string);
        let event = row.happening.name();
        match self.format {
            RowFormat::Text => {
                let mut table = self.table();
                table.row([
                    Cell::number(step.step.to_string()),
                    Cell::number(short(step.time)),
                    Cell::text(printable(&sensor)),
                    Cell::text(event),
                    Cell::text(printable(&other)),
                ]);
                table.render()
            }
            RowFormat::Csv => {
                format!("{},{},{},{event},{}\n", step.step, step.time, csv_cell(&sensor), csv_cell(&other))
            }
            RowFormat::Json => {
                let row =
                    RowJson { schema: 1, step: step.step, time: step.time, sensor: &sensor, event, other: &other };
                json::text(&row) + "\n"
            }
        }
    }

    /// A table as wide as all its rows will be.
    fn table(&self) -> Table {
        let longest = self.selection.names.iter().map(|name| printable(name).width()).max().unwrap_or(0);
        let name = longest + "#0".len();
        let steps = self.selection.steps.end().to_string().len().max("step".len());
        Table::indented(2).at_least(vec![steps, "time (s)".len(), name, "begins".len()])
    }
}

#[derive(Serialize)]
struct RowJson<'a> {
    schema: u32,
    step: u32,
    time: f64,
    sensor: &'a str,
    event: &'a str,
    other: &'a str,
}
