//! Runs a scene from step 0 and records what happens.

use std::io::{Seek, Write};
use std::sync::Arc;

use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::replay::{
    Ending, FORMAT_VERSION, Header, InputOrigin, Outcome, Perturbation, RecordedInput, ReplayError, ReplayWriter,
    StepHash,
};
use crate::scene::Scene;
use crate::scene::model::Input;
use crate::session::Session;
use crate::world::SEMANTICS_VERSION;
use crate::world::counts::Counts;
use crate::world::encode::Section;
use crate::world::energy::Energy;
use crate::world::error::{BuildError, StepError};
use crate::world::schedule::Schedule;
use crate::world::state_hash::StateHash;

/// Everything that decides a run, and what a replay is to say about its making.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The scene, overrides applied.
    pub scene: Arc<Scene>,
    /// The number type; the scene's, unless the caller chose another.
    pub scalar: ScalarKind,
    /// How many steps to take.
    pub steps: u32,
    /// Threads that work; never changes a result.
    pub threads: u32,
    /// Inputs beyond those of the scene, and where they came from.
    pub extra_inputs: Vec<(Input, InputOrigin)>,
    /// Numbers that are changed on purpose.
    pub perturbations: Vec<Perturbation>,
    /// The overrides as they were given, for the record.
    pub overrides: Vec<String>,
    /// The scene's file, for the record.
    pub scene_file: Option<String>,
    /// Why this replay is what it is, for goldens.
    pub reason: Option<String>,
}

/// How a run went.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// Steps taken.
    pub steps: u32,
    /// The hash of the last state.
    pub hash: StateHash,
    /// Bodies at the end.
    pub bodies: usize,
    /// Contacts at the end.
    pub contacts: usize,
    /// What the run exercised.
    pub counts: Counts,
    /// Energy at step 0.
    pub energy_at_start: Energy,
    /// Energy at the end.
    pub energy_at_end: Energy,
    /// Why the run stopped before its end, if it did.
    pub stopped: Option<StepError>,
}

/// Why a run could not be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The scene makes no world.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The replay could not be written.
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl RunPlan {
    /// All inputs of the run with their origins: the scene's first.
    fn inputs(&self) -> impl Iterator<Item = (&Input, InputOrigin)> {
        let of_scene = self.scene.inputs.iter().map(|input| (input, InputOrigin::Scene));
        of_scene.chain(self.extra_inputs.iter().map(|(input, origin)| (input, *origin)))
    }

    /// The first record of a replay of this run; sizes are those of the session's first state.
    fn header<S: Scalar>(&self, session: &Session<S>) -> Header {
        let bodies = session.world().bodies().len();
        let (numerator, denominator) = (self.scene.dt.numerator(), self.scene.dt.denominator());
        let in_bodies = session.encoded().section(Section::Bodies).len();
        let in_colliders = session.encoded().section(Section::Colliders).len();
        Header {
            format: FORMAT_VERSION,
            semantics: SEMANTICS_VERSION,
            scalar: S::KIND,
            scene_name: self.scene.name.clone(),
            dt: self.scene.dt.to_string(),
            dt_nanoseconds: (numerator.unsigned_abs() * 1_000_000_000, denominator.unsigned_abs()),
            steps: self.steps,
            keyframe_every: self.scene.keyframe_every,
            bodies: u32::try_from(bodies).unwrap_or(u32::MAX),
            bytes_per_body: u32::try_from((in_bodies + in_colliders) / bodies.max(1)).unwrap_or(u32::MAX),
            bytes_per_contact_point: u32::try_from(4 + 4 * S::BYTES).unwrap_or(u32::MAX),
            sections: Section::ALL.map(|section| section.name().to_owned()).to_vec(),
            threads: self.threads,
            overrides: self.overrides.clone(),
            scene_file: self.scene_file.clone(),
            reason: self.reason.clone(),
            producer: concat!("physim ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// Where a run is recorded: opened when the first state is known, finished with the ending.
pub trait Recorder {
    /// The run begins with this header and canonical scene.
    ///
    /// # Errors
    /// When nothing can be written there.
    fn begin(&mut self, header: &Header, scene: &str) -> Result<(), ReplayError>;
    /// The writer, once the run has begun; `None` when nothing is recorded.
    fn sink(&mut self) -> Option<&mut dyn ReplaySink>;
}

/// What a run writes while it goes on.
pub trait ReplaySink {
    /// An input, before the first step.
    ///
    /// # Errors
    /// When it cannot be written.
    fn input(&mut self, input: &RecordedInput) -> Result<(), ReplayError>;
    /// A planted perturbation, before the first step.
    ///
    /// # Errors
    /// When it cannot be written.
    fn perturbation(&mut self, perturbation: &Perturbation) -> Result<(), ReplayError>;
    /// The hash of a step.
    ///
    /// # Errors
    /// When it cannot be written.
    fn step(&mut self, step: u32, hash: &StepHash) -> Result<(), ReplayError>;
    /// Whether the state of the last step is wanted.
    fn keyframe_due(&self) -> bool;
    /// The state of the last step.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keyframe(&mut self, step: u32, state: &[u8]) -> Result<(), ReplayError>;
}
