//! What is measured of one run of a sweep.

use std::convert::Infallible;
use std::io::Write;

use crate::analysis::measures::Measures;
use crate::analysis::states::{StateVisitor, Visiting};
use crate::math::{Scalar, ScalarTask};
use crate::replay::ReplayError;
use crate::session::record::{Open, RecordError, RunPlan, Unobserved, record_with};
use crate::world::World;
use crate::world::error::BuildError;

/// The results of a run; SI units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The root hash of the last state; nothing where the scene made no world.
    pub hash: Option<String>,
    /// Steps taken.
    pub steps: u32,
    /// Total energy at step 0.
    pub energy_at_start: f64,
    /// Total energy at the end less that at step 0, joules.
    pub energy_drift: f64,
    /// How far the total energy was from that of step 0, at most, joules.
    pub energy_departure: f64,
    /// The largest overlap of any step, metres.
    pub largest_overlap: f64,
    /// Contacts at the end.
    pub contacts: usize,
    /// Of each body that was asked for: how far it ended from where it was first, metres, and its speed at the end, m/s.
    /// Nothing where it is not there at the end.
    pub bodies: Vec<Option<(f64, f64)>>,
    /// Why the run ended before its last step, if it did.
    pub stopped: Option<String>,
}

impl Outcome {
    /// Runs a plan and measures it; `open` may record it. A run that cannot go on, or not even begin, is a result.
    ///
    /// # Errors
    /// When its replay cannot be written.
    pub fn of<W: Write>(
        plan: &RunPlan,
        bodies: &[String],
        open: Open<'_, W>,
        progress: &mut dyn FnMut(u32),
    ) -> Result<(Self, Option<W>), ReplayError> {
        let mut gauge = Gauge::new(bodies);
        let mut stepper = Unobserved;
        let recorded = record_with(plan, open, &mut Visiting::new(&mut stepper, &mut gauge), progress);
        let (summary, sink) = match recorded {
            Ok(recorded) => recorded,
            Err(RecordError::Replay(error)) => return Err(error),
            Err(RecordError::Build(error)) => {
                let bodies = vec![None; bodies.len()];
                return Ok((Self { bodies, stopped: Some(error.to_string()), ..Self::default() }, None));
            }
        };
        let outcome = Self {
            hash: Some(summary.hash.hex()),
            steps: summary.steps,
            energy_at_start: summary.energy_at_start.total(),
            energy_drift: summary.energy_at_end.total() - summary.energy_at_start.total(),
            energy_departure: gauge.energy_departure,
            largest_overlap: gauge.largest_overlap,
            contacts: summary.contacts,
            bodies: gauge.bodies.into_iter().map(|body| body.result()).collect(),
            stopped: summary.stopped.map(|error| error.to_string()),
        };
        Ok((outcome, sink))
    }

    /// The cells of the columns from the hash to the last body.
    pub(super) fn cells(&self) -> Vec<String> {
        let Some(hash) = &self.hash else { return vec![String::new(); 7 + 2 * self.bodies.len()] };
        let relative = self.energy_drift / self.energy_at_start.abs();
        let mut cells = vec![hash.clone(), self.steps.to_string()];
        let numbers = [self.energy_drift, relative, self.energy_departure, self.largest_overlap];
        cells.extend(numbers.map(number_text));
        cells.push(self.contacts.to_string());
        for body in &self.bodies {
            let (drift, speed) = body.unwrap_or((f64::NAN, f64::NAN));
            cells.extend([drift, speed].map(number_text));
        }
        cells
    }
}

/// A number with the digits that tell it from all others; nothing where it is not finite.
#[must_use]
pub fn number_text(number: f64) -> String {
    let mut text = Vec::new();
    if number.is_finite() {
        // Without a sign: -0 is no other number to whoever reads a table.
        (number + 0.0).write_decimal(&mut text);
    }
    String::from_utf8(text).unwrap_or_default()
}

/// The names of the bodies of a run at step 0.
///
/// # Errors
/// When the scene makes no world.
pub fn body_names(plan: &RunPlan) -> Result<Vec<String>, BuildError> {
    plan.scalar.dispatch(Names(plan))
}

struct Names<'a>(&'a RunPlan);

impl ScalarTask for Names<'_> {
    type Output = Result<Vec<String>, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let session = self.0.session::<S>()?;
        Ok(session.world().bodies().name.iter().map(ToString::to_string).collect())
    }
}

/// Measures each state of a run.
struct Gauge {
    energy_at_start: Option<f64>,
    energy_departure: f64,
    largest_overlap: f64,
    bodies: Vec<Tracked>,
}

/// A body on its way.
struct Tracked {
    name: String,
    /// Where it stood among the bodies when it was seen last.
    index: usize,
    first: Option<[f64; 3]>,
    /// Position and speed in the present state.
    now: Option<([f64; 3], f64)>,
}

impl Gauge {
    fn new(bodies: &[String]) -> Self {
        let track = |name: &String| Tracked { name: name.clone(), index: 0, first: None, now: None };
        let bodies = bodies.iter().map(track).collect();
        Self { energy_at_start: None, energy_departure: 0.0, largest_overlap: 0.0, bodies }
    }
}

impl Tracked {
    fn look<S: Scalar>(&mut self, world: &World<S>) {
        let bodies = world.bodies();
        let is_here = |index: usize| bodies.name.get(index).is_some_and(|name| **name == *self.name);
        let found =
            if is_here(self.index) { Some(self.index) } else { (0..bodies.len()).find(|index| is_here(*index)) };
        self.now = found.map(|index| {
            self.index = index;
            (bodies.position[index].to_f64(), length(bodies.linear_velocity[index].to_f64()))
        });
        self.first = self.first.or(self.now.map(|(position, _)| position));
    }

    fn result(&self) -> Option<(f64, f64)> {
        let (first, (position, speed)) = (self.first?, self.now?);
        Some((length([0, 1, 2].map(|axis| position[axis] - first[axis])), speed))
    }
}

impl StateVisitor for Gauge {
    type Error = Infallible;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Infallible> {
        let measures = Measures::of(world);
        let total = measures.energy.total();
        let start = *self.energy_at_start.get_or_insert(total);
        let departure = (total - start).abs();
        // Once it is not a number it stays none: no later state can be nearer than that.
        if departure > self.energy_departure || departure.is_nan() {
            self.energy_departure = departure;
        }
        if measures.largest_overlap > self.largest_overlap {
            self.largest_overlap = measures.largest_overlap;
        }
        self.bodies.iter_mut().for_each(|body| body.look(world));
        Ok(())
    }
}

fn length([x, y, z]: [f64; 3]) -> f64 {
    libm::sqrt(x * x + y * y + z * z)
}

#[cfg(test)]
mod tests {
    use super::number_text;

    #[test]
    fn numbers_are_exact_and_what_is_none_is_empty() {
        assert_eq!(number_text(0.1), "0.1");
        assert_eq!(number_text(-0.0), number_text(0.0));
        assert_eq!(number_text(1e-300).parse(), Ok(1e-300));
        assert_eq!([f64::NAN, f64::INFINITY].map(number_text), ["", ""]);
    }
}
