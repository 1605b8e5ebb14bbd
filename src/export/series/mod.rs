//! Numbers over time: one quantity of a run, or of a body in it, at each step; from replays, or from tables that were
//! exported of them.

pub mod quantity;
pub mod replay;
pub mod table;

use crate::export::series::quantity::Quantity;

/// Most series that are collected and one more, which says that there are too many.
pub const MOST_SERIES: usize = 100;

/// One number at each of some steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is.
    pub quantity: &'static Quantity,
    /// Whose it is, where it is a body's.
    pub body: Option<String>,
    /// The points, by step.
    pub points: Vec<Point>,
}

/// A number at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The step.
    pub step: u32,
    /// Its simulated time in seconds.
    pub time: f64,
    /// The number, in the unit of the quantity.
    pub value: f64,
}

/// Collects points of some quantities, for the run or by body.
#[derive(Debug)]
struct Collector {
    wanted: Vec<&'static Quantity>,
    series: Vec<Series>,
}

impl Collector {
    fn new(wanted: &[&'static Quantity]) -> Self {
        Self { wanted: wanted.to_vec(), series: Vec::new() }
    }

    /// Takes a row: `cell` gives its numbers by the names of columns.
    fn take(&mut self, (step, time): (u32, f64), body: Option<&str>, cell: &dyn Fn(&str) -> f64) {
        for quantity in self.wanted.iter().filter(|quantity| quantity.is_of_body == body.is_some()) {
            let point = Point { step, time, value: quantity.value(cell) };
            let is_ours = |series: &&mut Series| series.quantity == *quantity && series.body.as_deref() == body;
            if let Some(series) = self.series.iter_mut().find(is_ours) {
                series.points.push(point);
            } else if self.series.len() <= MOST_SERIES {
                let body = body.map(str::to_owned);
                self.series.push(Series { quantity, body, points: vec![point] });
            }
        }
    }

    /// The series in the order they were asked for, those of bodies by first appearance.
    fn finish(self) -> Vec<Series> {
        let Self { wanted, mut series } = self;
        series.sort_by_key(|series| wanted.iter().position(|quantity| *quantity == series.quantity));
        series
    }
}
