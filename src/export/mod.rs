//! The states of a run as files that other tools read: tables for statistics, arrays for numpy, scenes that move for viewers.
//!
//! One pass over the run, a state at a time; what is written is a plain stream, so memory does not grow with the steps. In
//! texts a fixed-point number has every digit it has; in binary forms numbers are `f64`, in fixed point the nearest.
//! Nothing in here opens files by name, prints, or knows the clock.

pub mod appearance;
pub mod body_table;
pub mod csv;
pub mod energy;
pub mod format;
pub mod foxglove;
pub mod gltf;
pub mod npz;
pub mod parquet;
pub mod selection;
pub mod series;

use std::fs::File;
use std::io::Write;

use crate::analysis::rerun::RerunError;
use crate::analysis::states::{PassError, StateVisitor, visit_states};
use crate::export::csv::CsvExporter;
use crate::export::energy::EnergyExporter;
use crate::export::format::ExportFormat;
use crate::export::foxglove::FoxgloveExporter;
use crate::export::gltf::GltfExporter;
use crate::export::npz::NpzExporter;
use crate::export::parquet::ParquetExporter;
use crate::export::selection::Selection;
use crate::math::Scalar;
use crate::replay::{Ending, Replay};
use crate::world::World;

/// Why states cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The stream takes no more, or the scratch file does not.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The format cannot hold this.
    #[error("{0}")]
    Format(String),
    /// The scene inside the replay cannot be read, or the run leaves what was recorded before the first state.
    #[error(transparent)]
    Rerun(#[from] RerunError),
}

/// Writes the states it visits to a stream.
pub trait Exporter<W>: StateVisitor<Error = ExportError> + Sized {
    /// Writes what is left and gives the stream back.
    ///
    /// # Errors
    /// When the stream takes no more.
    fn finish(self) -> Result<W, ExportError>;
}

/// What is to be written, and how.
#[derive(Clone, Debug)]
pub struct ExportPlan {
    /// The kind of file.
    pub format: ExportFormat,
    /// Which steps and bodies.
    pub selection: Selection,
}

/// Where an export may put what it has to read again before the end: files without names, gone when they are closed.
pub type OpenScratch<'a> = &'a mut dyn FnMut() -> std::io::Result<File>;

/// What was written.
#[derive(Debug)]
pub struct Exported<W> {
    /// The stream.
    pub sink: W,
    /// States written.
    pub states: u64,
    /// Bodies of all states together that were written.
    pub rows: u64,
    /// Why the last states are missing, where this build does not come to them as the recording did.
    pub stopped: Option<RerunError>,
}

/// Writes the states of a replay; `progress` hears of each state.
///
/// Where the re-run leaves what was recorded, what was sound up to there is written and the reason told.
///
/// # Errors
/// When the stream cannot be written, or the format cannot hold what is asked for.
pub fn export<W: Write + Send>(
    replay: &Replay,
    plan: &ExportPlan,
    sink: W,
    scratch: OpenScratch<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Exported<W>, ExportError> {
    let pass = Pass { replay, selection: &plan.selection, progress };
    match plan.format {
        ExportFormat::Csv => pass.write(CsvExporter::new(replay, &plan.selection, sink)?),
        ExportFormat::Parquet => pass.write(ParquetExporter::new(replay, &plan.selection, sink)?),
        ExportFormat::Npz => pass.write(NpzExporter::new(replay, &plan.selection, sink, scratch)?),
        ExportFormat::Foxglove => pass.write(FoxgloveExporter::new(replay, &plan.selection, sink)?),
        ExportFormat::Gltf => pass.write(GltfExporter::new(replay, &plan.selection, sink, scratch)?),
        ExportFormat::Energy => pass.write(EnergyExporter::new(replay.header.step_time(), sink)?),
    }
}

/// Why a run stopped before its end, with the step that failed; empty where it did not. Formats that have room for a note
/// of the run say it.
fn stop_text(replay: &Replay) -> &str {
    replay.ending.as_ref().and_then(Ending::stop).unwrap_or_default()
}

/// One pass over a replay on behalf of an exporter.
struct Pass<'a> {
    replay: &'a Replay,
    selection: &'a Selection,
    progress: &'a mut dyn FnMut(u64),
}

impl Pass<'_> {
    fn write<W, E: Exporter<W>>(self, exporter: E) -> Result<Exported<W>, ExportError> {
        let Self { replay, selection, progress } = self;
        let mut counting = Counting { exporter, selection, states: 0, rows: 0, progress };
        let stopped = match visit_states(replay, &selection.steps, &mut counting) {
            Ok(()) => None,
            Err(PassError::Visitor(error)) => return Err(error),
            Err(PassError::Rerun(error)) => Some(error),
        };
        let Counting { exporter, states, rows, .. } = counting;
        Ok(Exported { sink: exporter.finish()?, states, rows, stopped })
    }
}

/// Counts what an exporter is given.
struct Counting<'a, E> {
    exporter: E,
    selection: &'a Selection,
    states: u64,
    rows: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl<E: StateVisitor> StateVisitor for Counting<'_, E> {
    type Error = E::Error;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), E::Error> {
        self.exporter.visit(world)?;
        self.states += 1;
        self.rows += self.selection.indices(world.bodies()).count() as u64;
        (self.progress)(self.states);
        Ok(())
    }
}
