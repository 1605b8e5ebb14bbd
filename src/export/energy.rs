//! A table as comma-separated text: a row for each step with what sums up its state.

use std::io::Write;

use crate::analysis::measures::Measures;
use crate::analysis::states::StateVisitor;
use crate::export::csv::push_moment;
use crate::export::{ExportError, Exporter};
use crate::math::Scalar;
use crate::replay::StepTime;
use crate::world::World;

/// The columns after step and time: whole numbers first, then SI units (J, kg m/s, kg m^2/s, m).
pub const COLUMNS: [&str; 13] = [
    "bodies",
    "contacts",
    "contact_points",
    "kinetic",
    "potential",
    "total",
    "linear_momentum_x",
    "linear_momentum_y",
    "linear_momentum_z",
    "angular_momentum_x",
    "angular_momentum_y",
    "angular_momentum_z",
    "largest_overlap",
];

/// Writes the measures of each state as a row.
pub struct EnergyExporter<W> {
    time: StepTime,
    sink: W,
}

impl<W: Write> EnergyExporter<W> {
    /// Writes the line of column names.
    ///
    /// # Errors
    /// When the stream cannot be written.
    pub fn new(time: StepTime, mut sink: W) -> Result<Self, ExportError> {
        writeln!(sink, "step,time,{}", COLUMNS.join(","))?;
        Ok(Self { time, sink })
    }
}

impl<W: Write> StateVisitor for EnergyExporter<W> {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        let mut row = Vec::new();
        push_moment(world.step_number(), self.time.seconds(world.step_number()), &mut row);
        push_measures(&Measures::of(world), &mut row);
        row.push(b'\n');
        Ok(self.sink.write_all(&row)?)
    }
}

impl<W: Write> Exporter<W> for EnergyExporter<W> {
    fn finish(mut self) -> Result<W, ExportError> {
        self.sink.flush()?;
        Ok(self.sink)
    }
}

/// Appends the cells of [`COLUMNS`].
fn push_measures(measures: &Measures, row: &mut Vec<u8>) {
    let Measures { bodies, contacts, contact_points, .. } = measures;
    for count in [bodies, contacts, contact_points] {
        row.extend_from_slice(itoa::Buffer::new().format(*count).as_bytes());
        row.push(b',');
    }
    for (position, number) in measure_numbers(measures).into_iter().skip(3).enumerate() {
        if position > 0 {
            row.push(b',');
        }
        number.write_decimal(row);
    }
}

/// The numbers of [`COLUMNS`].
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "counts of what is in memory")]
pub const fn measure_numbers(measures: &Measures) -> [f64; COLUMNS.len()] {
    let Measures { step: _, bodies, contacts, contact_points, energy, largest_overlap } = measures;
    let [px, py, pz] = energy.linear_momentum;
    let [lx, ly, lz] = energy.angular_momentum;
    let counts = [*bodies as f64, *contacts as f64, *contact_points as f64];
    let [bodies, contacts, contact_points] = counts;
    let (kinetic, potential, total) = (energy.kinetic, energy.potential, energy.total());
    [bodies, contacts, contact_points, kinetic, potential, total, px, py, pz, lx, ly, lz, *largest_overlap]
}
