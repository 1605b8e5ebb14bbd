//! One body over time.

use physim::analysis::show::TrackPoint;
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::short;
use crate::report::show::{BODY_COLUMNS, body_columns, vector_text};
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};

/// For people.
pub fn text(replay: &str, body: &str, track: &[TrackPoint]) -> String {
    let mut table = Table::indented(2);
    let heads = ["step", "time (s)", "position (m)", "velocity (m/s)", "angular velocity (rad/s)"];
    table.row(heads.into_iter().enumerate().map(|(place, head)| {
        let cell = if place < 2 { Cell::number(head) } else { Cell::text(head) };
        cell.painted(FAINT)
    }));
    for point in track {
        table.row([
            Cell::number(point.step.to_string()),
            Cell::number(short(point.time)),
            Cell::text(vector_text(point.body.position)),
            Cell::text(vector_text(point.body.linear_velocity)),
            Cell::text(vector_text(point.body.angular_velocity)),
        ]);
    }
    format!("{}: {}\n{}", TITLE.paint(printable(replay)), printable(body), table.render())
}

#[derive(Serialize)]
struct TrackJson<'a> {
    schema: u32,
    body: &'a str,
    track: Vec<PointJson>,
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

/// For machines.
pub fn json(body: &str, track: &[TrackPoint]) -> String {
    let point = |point: &TrackPoint| PointJson {
        step: point.step,
        time: point.time,
        position: point.body.position,
        orientation: point.body.orientation,
        linear_velocity: point.body.linear_velocity,
        angular_velocity: point.body.angular_velocity,
        asleep: point.body.asleep,
    };
    line(&TrackJson { schema: 1, body, track: track.iter().map(point).collect() })
}

/// For spreadsheets: a line for each step.
pub fn csv(track: &[TrackPoint]) -> String {
    let rows = track.iter().map(|point| format!("{},{},{}\n", point.step, point.time, body_columns(&point.body)));
    format!("step,time,{BODY_COLUMNS}\n") + &rows.collect::<String>()
}
