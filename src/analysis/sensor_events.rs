//! What began and what ended at the sensors of a run, step by step.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::show::{ShowError, time_of};
use crate::analysis::show_steps::{Left, Selection, go_on};
use crate::analysis::states::{PassError, StateVisitor, visit_states};
use crate::math::Scalar;
use crate::replay::Replay;
use crate::world::World;
use crate::world::sensors::{Overlap, SensorEvent};

/// What happened to an overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// It is there when the steps that are shown begin.
    There,
    /// It began in this step.
    Begins,
    /// It ended in this step.
    Ends,
}

impl Happening {
    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::There => "there",
            Self::Begins => "begins",
            Self::Ends => "ends",
        }
    }
}

/// A row of a report on sensors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SensorRow {
    /// What happened.
    pub happening: Happening,
    /// Between a sensor and what.
    pub overlap: Overlap,
}

/// What happened at the sensors in a step.
#[derive(Clone, Debug)]
pub struct SensorStep {
    /// The step.
    pub step: u32,
    /// Simulated time at its end, seconds.
    pub time: f64,
    /// At least one row, sorted by sensor.
    pub rows: Vec<SensorRow>,
}

/// Calls `visit` with every selected step in which something began or ended at a sensor, in order, until it breaks; the first of
/// them tells too what was there before. How many sensors the run had at most.
///
/// # Errors
/// When this build does not come to a step as the recording did.
pub fn for_each_sensor_step(
    replay: &Replay,
    selection: &Selection,
    visit: &mut dyn FnMut(&SensorStep) -> ControlFlow<()>,
) -> Result<usize, ShowError> {
    let mut rows = Rows { replay, bodies: selection.bodies.as_ref(), visit, is_first: true, most_sensors: 0 };
    match visit_states(replay, &selection.as_steps(), &mut rows) {
        Err(PassError::Rerun(error)) => Err(error.into()),
        Ok(()) | Err(PassError::Visitor(Left)) => Ok(rows.most_sensors),
    }
}

struct Rows<'a> {
    replay: &'a Replay,
    bodies: Option<&'a BodyPatterns>,
    visit: &'a mut dyn FnMut(&SensorStep) -> ControlFlow<()>,
    is_first: bool,
    most_sensors: usize,
}

impl StateVisitor for Rows<'_> {
    type Error = Left;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Left> {
        let sensors = world.colliders().is_sensor.iter().filter(|is_sensor| **is_sensor).count();
        self.most_sensors = self.most_sensors.max(sensors);
        let mut rows: Vec<SensorRow> = world.sensor_events().into_iter().map(row_of).collect();
        if std::mem::replace(&mut self.is_first, false) {
            let begun: BTreeSet<Overlap> = rows.iter().map(|row| row.overlap.clone()).collect();
            let there = world.overlaps().iter().filter(|overlap| !begun.contains(overlap));
            rows.extend(there.map(|overlap| SensorRow { happening: Happening::There, overlap: overlap.clone() }));
        }
        if let Some(bodies) = self.bodies {
            rows.retain(|row| bodies.matches(&row.overlap.sensor.body) || bodies.matches(&row.overlap.other.body));
        }
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_by(|a, b| a.overlap.cmp(&b.overlap));
        let step = world.step_number();
        go_on((self.visit)(&SensorStep { step, time: time_of(self.replay, step), rows }))
    }
}

fn row_of(event: SensorEvent) -> SensorRow {
    match event {
        SensorEvent::Begin(overlap) => SensorRow { happening: Happening::Begins, overlap },
        SensorEvent::End(overlap) => SensorRow { happening: Happening::Ends, overlap },
    }
}
