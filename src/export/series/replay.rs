//! Series from a replay, in one pass.

use std::convert::Infallible;

use crate::analysis::measures::Measures;
use crate::analysis::rerun::RerunError;
use crate::analysis::states::{PassError, StateVisitor, visit_states};
use crate::export::body_table::{columns, numbers};
use crate::export::energy::{COLUMNS, measure_numbers};
use crate::export::selection::Selection;
use crate::export::series::quantity::Quantity;
use crate::export::series::{Collector, Series};
use crate::math::Scalar;
use crate::replay::{Replay, StepTime};
use crate::world::World;

/// The series of these quantities; `progress` hears of each state. Where the re-run leaves what was recorded, the reason
/// is told beside what comes before.
pub fn series_of_replay(
    replay: &Replay,
    wanted: &[&'static Quantity],
    selection: &Selection,
    progress: &mut dyn FnMut(u64),
) -> (Vec<Series>, Option<RerunError>) {
    let of_bodies = wanted.iter().any(|quantity| quantity.is_of_body);
    let of_run = wanted.iter().any(|quantity| !quantity.is_of_body);
    let time = replay.header.step_time();
    let collector = Collector::new(wanted);
    let mut visitor = Visitor { collector, selection, time, of_bodies, of_run, states: 0, progress };
    let stopped = match visit_states(replay, &selection.steps, &mut visitor) {
        Ok(()) | Err(PassError::Visitor(_)) => None,
        Err(PassError::Rerun(error)) => Some(error),
    };
    (visitor.collector.finish(), stopped)
}

struct Visitor<'a> {
    collector: Collector,
    selection: &'a Selection,
    time: StepTime,
    of_bodies: bool,
    of_run: bool,
    states: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl StateVisitor for Visitor<'_> {
    type Error = Infallible;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Infallible> {
        let moment = (world.step_number(), self.time.seconds(world.step_number()));
        if self.of_run {
            let numbers = measure_numbers(&Measures::of(world));
            self.collector.take(moment, None, &|name| at(COLUMNS.into_iter(), name, &numbers));
        }
        if self.of_bodies {
            let bodies = world.bodies();
            for index in self.selection.indices(bodies) {
                let numbers = numbers(bodies, index).map(Scalar::to_f64);
                self.collector.take(moment, Some(&bodies.name[index]), &|name| at(columns(), name, &numbers));
            }
        }
        self.states += 1;
        (self.progress)(self.states);
        Ok(())
    }
}

/// The number in the column of this name.
fn at(mut columns: impl Iterator<Item = &'static str>, name: &str, numbers: &[f64]) -> f64 {
    columns.position(|column| column == name).and_then(|place| numbers.get(place)).copied().unwrap_or(f64::NAN)
}
