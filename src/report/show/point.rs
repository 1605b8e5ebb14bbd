//! A point that is fixed to a body, over steps, written as the run goes on.

use serde::Serialize;

use crate::analysis::body_point::{BodyPoint, PointAt};
use crate::analysis::show_steps::Selection;
use crate::math::Vec3;
use crate::report::json;
use crate::report::number::short;
use crate::report::show::rows::RowFormat;
use crate::report::show::{VECTOR_WIDTH, tuple, vector_text};
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// Writes rows one step at a time. Nothing is written before the first row.
pub struct PointWriter<'a> {
    format: RowFormat,
    replay: &'a str,
    selection: &'a Selection,
    point: &'a BodyPoint,
    has_begun: bool,
}

#[derive(Serialize)]
struct RowJson {
    step: u32,
    time: f64,
    position: [f64; 3],
    velocity: [f64; 3],
}

impl<'a> PointWriter<'a> {
    /// A writer of what is selected of a replay.
    pub const fn new(format: RowFormat, replay: &'a str, selection: &'a Selection, point: &'a BodyPoint) -> Self {
        Self { format, replay, selection, point, has_begun: false }
    }

    /// The next row, behind what stands at the head if it is the first.
    pub fn row(&mut self, at: PointAt) -> String {
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        let head = if is_first { self.head() } else { String::new() };
        let PointAt { step, time, position, velocity } = at;
        let row = match self.format {
            RowFormat::Text => {
                let mut table = self.table();
                let speed = Vec3::from_array(velocity).length();
                table.row([
                    Cell::number(step.to_string()),
                    Cell::number(short(time)),
                    Cell::text(vector_text(position)),
                    Cell::text(vector_text(velocity)),
                    Cell::number(short(speed)),
                ]);
                table.render()
            }
            RowFormat::Csv => {
                let numbers = position.iter().chain(&velocity).map(f64::to_string).collect::<Vec<_>>();
                format!("{step},{time},{}\n", numbers.join(","))
            }
            RowFormat::Json => {
                let row = json::text(&RowJson { step, time, position, velocity });
                if is_first { row } else { format!(",{row}") }
            }
        };
        head + &row
    }

    /// What stands at the end, where anything was written.
    pub fn end(&self) -> &'static str {
        if self.has_begun && self.format == RowFormat::Json { "]}\n" } else { "" }
    }

    fn head(&self) -> String {
        let BodyPoint { body, point } = self.point;
        match self.format {
            RowFormat::Csv => "step,time,px,py,pz,vx,vy,vz\n".to_owned(),
            RowFormat::Json => {
                let body = json::text(body);
                let point = json::text(point);
                format!("{{\"schema\":1,\"body\":{body},\"point\":{point},\"track\":[")
            }
            RowFormat::Text => {
                let title = TITLE.paint(printable(self.replay));
                let mut table = self.table();
                let heads = [Cell::number("step"), Cell::number("time (s)"), Cell::text("position (m)")];
                let more = [Cell::text("velocity (m/s)"), Cell::number("speed (m/s)")];
                table.row(heads.into_iter().chain(more).map(|head| head.painted(FAINT)));
                format!("{title}: the point {} of {}\n{}", tuple(*point), printable(body), table.render())
            }
        }
    }

    /// A table as wide as all its rows will be.
    fn table(&self) -> Table {
        let steps = self.selection.steps.end().to_string().len().max("step".len());
        Table::indented(2).at_least(vec![steps, "time (s)".len(), VECTOR_WIDTH, VECTOR_WIDTH, "speed (m/s)".len()])
    }
}
