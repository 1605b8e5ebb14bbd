//! The energies of a run, written while it runs.

use std::io::{BufWriter, Stdout};
use std::path::{Path, PathBuf};

use crate::analysis::states::StateVisitor;
use crate::export::energy::EnergyExporter;
use crate::export::{ExportError, Exporter};
use crate::math::Scalar;
use crate::replay::{PartialFile, StepTime};
use crate::world::World;

use crate::cli::failure::Failure;
use crate::cli::output::{check_replaceable, exporting_failure, remove_partial};
use crate::cli::source::is_dash;

/// How such a file begins.
const START: &[u8] = b"step,time,bodies,";

/// Writes the energies of each state it is shown, or does not.
pub enum EnergyFile {
    /// Nothing is written.
    Nothing,
    /// To standard output.
    StandardOutput(EnergyExporter<BufWriter<Stdout>>),
    /// Into a file that has its name only when it is complete.
    File(Box<EnergyExporter<PartialFile>>, PathBuf),
}

impl EnergyFile {
    /// Writes nothing.
    pub const fn nothing() -> Self {
        Self::Nothing
    }

    /// Writes the energies of a run with these steps; `-` is standard output.
    pub fn create(path: &Path, time: StepTime, force: bool) -> Result<Self, Failure> {
        let name = path.display().to_string();
        if is_dash(path) {
            let stream = BufWriter::new(std::io::stdout());
            return Ok(Self::StandardOutput(
                EnergyExporter::new(time, stream).map_err(|error| exporting_failure(&name, error))?,
            ));
        }
        check_replaceable(path, force, "table of energies", |path| {
            std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(START))
        })?;
        let file = PartialFile::create(path).map_err(Failure::writing)?;
        let exporter = EnergyExporter::new(time, file).map_err(|error| {
            remove_partial(path);
            exporting_failure(&name, error)
        })?;
        Ok(Self::File(Box::new(exporter), path.to_owned()))
    }

    /// Whether it takes standard output for itself.
    pub const fn takes_standard_output(&self) -> bool {
        matches!(self, Self::StandardOutput(_))
    }

    /// Takes back what was written so far.
    pub fn discard(self) {
        if let Self::File(exporter, path) = self {
            drop(exporter);
            remove_partial(&path);
        }
    }

    /// Completes what was written; `told` says whether every state was. Gives back the path, if there is one.
    pub fn finish(self, told: Result<(), ExportError>) -> Result<Option<PathBuf>, Failure> {
        let name = match &self {
            Self::Nothing => return Ok(None),
            Self::StandardOutput(_) => "standard output".to_owned(),
            Self::File(_, path) => path.display().to_string(),
        };
        let told = told.map_err(|error| exporting_failure(&name, error));
        match self {
            Self::Nothing => Ok(None),
            Self::StandardOutput(exporter) => {
                told?;
                exporter.finish().map_err(|error| exporting_failure(&name, error)).map(|_| None)
            }
            Self::File(exporter, path) => {
                // The exporter holds the file, and is gone in either case before its remains are removed.
                let finished = exporter.finish().map_err(|error| exporting_failure(&name, error));
                let completed = told.and(finished).and_then(|file| file.complete().map_err(Failure::writing));
                completed.map(Some).inspect_err(|_| remove_partial(&path))
            }
        }
    }
}

impl StateVisitor for EnergyFile {
    type Error = ExportError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ExportError> {
        match self {
            Self::Nothing => Ok(()),
            Self::StandardOutput(exporter) => exporter.visit(world),
            Self::File(exporter, _) => exporter.visit(world),
        }
    }
}
