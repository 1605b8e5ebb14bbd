//! Runs a scene from step 0 and records what happens.

use std::io::Write;
use std::sync::Arc;

use crate::math::lanes::LanePath;
use crate::math::{Scalar, ScalarKind, ScalarTask};
use crate::parallel::{Parallelism, Scheduling};
use crate::replay::{
    Ending, FORMAT_VERSION, Header, InputOrigin, Outcome, Perturbation, RecordedInput, ReplayError, ReplayWriter,
    StepHash, StepTime,
};
use crate::scene::Scene;
use crate::scene::model::Input;
use crate::session::Session;
use crate::world::SEMANTICS_VERSION;
use crate::world::counts::Counts;
use crate::world::encode::{Section, State};
use crate::world::energy::Energy;
use crate::world::error::{BuildError, StepError};
use crate::world::fault::Fault;
use crate::world::passages::Passage;
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
    /// How work is handed out to them; never changes a result.
    pub scheduling: Scheduling,
    /// The vectors that they work with; never changes a result.
    pub lanes: LanePath,
    /// Inputs beyond those of the scene, and where they came from.
    pub extra_inputs: Vec<(Input, InputOrigin)>,
    /// Faults that are planted on purpose.
    pub faults: Vec<Fault>,
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
    /// Whether the bodies of any state differ from those of step 0, be it that they came back to where they began.
    pub moved: bool,
    /// What the run exercised.
    pub counts: Counts,
    /// The faults that left their step with the bits that it has without them.
    pub inert: Vec<Fault>,
    /// The first body that passed through another unseen, if one did.
    pub passage: Option<Passage>,
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
    /// The plan to run a scene as it is, on one thread.
    #[must_use]
    pub fn new(scene: Arc<Scene>) -> Self {
        Self {
            scalar: scene.scalar,
            steps: scene.steps,
            scene,
            threads: 1,
            scheduling: Scheduling::Plain,
            lanes: LanePath::widest(),
            extra_inputs: Vec::new(),
            faults: Vec::new(),
            overrides: Vec::new(),
            scene_file: None,
            reason: None,
        }
    }

    /// All inputs of the run with their origins: the scene's first.
    fn inputs(&self) -> impl Iterator<Item = (&Input, InputOrigin)> {
        let of_scene = self.scene.inputs.iter().map(|input| (input, InputOrigin::Scene));
        of_scene.chain(self.extra_inputs.iter().map(|(input, origin)| (input, *origin)))
    }

    /// The simulated time of a step.
    #[must_use]
    pub fn step_time(&self) -> StepTime {
        step_time(&self.scene)
    }

    /// The session of this run at step 0.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn session<S: Scalar>(&self) -> Result<Session<S>, BuildError> {
        let schedule = Schedule::new(self.inputs().map(|(input, _)| input.clone()).collect());
        let parallelism = Parallelism { threads: self.threads, scheduling: self.scheduling, lanes: self.lanes };
        Session::with_parallelism(&self.scene, schedule, self.faults.clone(), parallelism)
    }

    /// The first record of a replay of this run; sizes are those of the session's first state.
    fn header<S: Scalar>(&self, session: &Session<S>) -> Header {
        let bodies = session.world().bodies().len();
        let StepTime { numerator, denominator } = self.step_time();
        Header {
            format: FORMAT_VERSION,
            semantics: SEMANTICS_VERSION,
            scalar: S::KIND,
            scene_name: self.scene.name.clone(),
            dt: self.scene.dt.to_string(),
            dt_nanoseconds: (numerator, denominator),
            steps: self.steps,
            keyframe_every: self.scene.keyframe_every,
            bodies: u32::try_from(bodies).unwrap_or(u32::MAX),
            bytes_per_body: bytes_per_body(session),
            bytes_per_contact_point: bytes_per_contact_point::<S>(),
            sections: Section::ALL.map(|section| section.name().to_owned()).to_vec(),
            threads: self.threads,
            overrides: self.overrides.clone(),
            scene_file: self.scene_file.clone(),
            reason: self.reason.clone(),
            producer: concat!("physim ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// The simulated time of a step of a scene.
pub(crate) fn step_time(scene: &Scene) -> StepTime {
    let (numerator, denominator) = (scene.dt.numerator(), scene.dt.denominator());
    StepTime { numerator: numerator.unsigned_abs() * 1_000_000_000, denominator: denominator.unsigned_abs() }
}

/// The encoded size of one body of a session at step 0, in bytes, as a header states it.
pub(crate) fn bytes_per_body<S: Scalar>(session: &Session<S>) -> u32 {
    let bytes = session.encoded().length_of(Section::Bodies) + session.encoded().length_of(Section::Colliders);
    u32::try_from(bytes / session.world().bodies().len().max(1)).unwrap_or(u32::MAX)
}

/// The encoded size of one contact point in bytes, as a header states it.
pub(crate) fn bytes_per_contact_point<S: Scalar>() -> u32 {
    u32::try_from(4 + 4 * S::BYTES).unwrap_or(u32::MAX)
}

/// Opens the replay of a run once its header, its scene and the bytes of its first state are known; gives back nothing when the run is
/// not to be recorded.
pub type Open<'a, W> = &'a mut dyn FnMut(&Header, &str, u64) -> Result<Option<ReplayWriter<W>>, ReplayError>;

/// Runs a plan from step 0 and records it; `progress` hears of each step taken.
///
/// A run that cannot go on is recorded up to its last good step, and the summary says why it stopped.
///
/// # Errors
/// When the scene makes no world, or the replay cannot be written.
pub fn record<W: Write>(
    plan: &RunPlan,
    open: Open<'_, W>,
    progress: &mut dyn FnMut(u32),
) -> Result<(RunSummary, Option<W>), RecordError> {
    record_with(plan, open, &mut Unobserved, progress)
}

/// As [`record`], with a stepper of the caller's own.
///
/// # Errors
/// As for [`record`].
pub fn record_with<W: Write>(
    plan: &RunPlan,
    open: Open<'_, W>,
    stepper: &mut impl Stepper,
    progress: &mut dyn FnMut(u32),
) -> Result<(RunSummary, Option<W>), RecordError> {
    plan.scalar.dispatch(Record { plan, open, stepper, progress })
}

/// Takes the steps of a run that is recorded, and may watch them. What it does reaches no result.
pub trait Stepper {
    /// Sees state 0.
    fn start<S: Scalar>(&mut self, session: &Session<S>);

    /// Takes one step.
    ///
    /// # Errors
    /// When the run cannot go on.
    fn advance<S: Scalar>(&mut self, session: &mut Session<S>) -> Result<(), StepError>;
}

/// Takes each step and watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unobserved;

impl Stepper for Unobserved {
    fn start<S: Scalar>(&mut self, _: &Session<S>) {}

    fn advance<S: Scalar>(&mut self, session: &mut Session<S>) -> Result<(), StepError> {
        session.advance(&mut ()).map(|_| ())
    }
}

struct Record<'a, W: Write, P> {
    plan: &'a RunPlan,
    open: Open<'a, W>,
    stepper: &'a mut P,
    progress: &'a mut dyn FnMut(u32),
}

impl<W: Write, P: Stepper> ScalarTask for Record<'_, W, P> {
    type Output = Result<(RunSummary, Option<W>), RecordError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { plan, open, stepper, progress } = self;
        let mut session = plan.session::<S>()?;
        let state_bytes = session.encoded().length() as u64;
        let mut writer = open(&plan.header(&session), &plan.scene.to_canonical_ron(), state_bytes)?;
        let mut stopped = None;
        if let Some(writer) = &mut writer {
            write_outside(plan, writer)?;
            stopped = write_state(&session, writer)?;
        }
        stepper.start(&session);
        let energy_at_start = session.world().energy();
        let bodies_at_start = bodies_digest(&session);
        let mut moved = false;
        while stopped.is_none() && session.step_number() < plan.steps {
            if let Err(error) = stepper.advance(&mut session) {
                stopped = Some(error);
                break;
            }
            moved |= bodies_digest(&session) != bodies_at_start;
            if let Some(writer) = &mut writer {
                stopped = write_state(&session, writer)?;
            }
            progress(session.step_number());
        }
        let summary = RunSummary {
            steps: session.step_number(),
            hash: *session.hash(),
            bodies: session.world().bodies().len(),
            contacts: session.world().contacts().len(),
            moved,
            counts: *session.totals(),
            inert: session.inert_faults().to_vec(),
            passage: session.passage().cloned(),
            energy_at_start,
            energy_at_end: session.world().energy(),
            stopped,
        };
        let sink = writer.map(|writer| writer.finish_stream(&ending(&summary))).transpose()?;
        Ok((summary, sink))
    }
}

/// The digest of all bodies in the present state.
const fn bodies_digest<S: Scalar>(session: &Session<S>) -> [u8; 8] {
    session.hash().sections[Section::Bodies as usize]
}

/// Writes what acts on the run from outside, before its first state.
fn write_outside<W: Write>(plan: &RunPlan, writer: &mut ReplayWriter<W>) -> Result<(), ReplayError> {
    for (input, origin) in plan.inputs() {
        writer.input(&RecordedInput { step: input.step, origin, text: input.to_ron_line() })?;
    }
    plan.faults
        .iter()
        .try_for_each(|fault| writer.perturbation(&Perturbation { step: fault.step, fault: fault.to_string() }))
}

/// Writes the hash of the present state, and the state itself when a keyframe is due; gives back why a keyframe could not
/// be read again, which ends the run: nobody could go on from it.
fn write_state<S: Scalar, W: Write>(
    session: &Session<S>,
    writer: &mut ReplayWriter<W>,
) -> Result<Option<StepError>, ReplayError> {
    let step = session.step_number();
    writer.step(step, &StepHash { root: session.hash().root, sections: session.hash().sections.to_vec() })?;
    if writer.keyframe_due() {
        let bytes = session.encoded().to_bytes();
        writer.keyframe(step, &bytes)?;
        return Ok(State::<S>::decode(&bytes).map_err(|error| StepError::Unreadable { step, error }).err());
    }
    Ok(None)
}

/// The final record of a run.
fn ending(summary: &RunSummary) -> Ending {
    let outcome = match &summary.stopped {
        None => Outcome::Completed,
        Some(error) => {
            Outcome::Stopped { step: error.step(), body: error.body().map(str::to_owned), message: error.to_string() }
        }
    };
    Ending { outcome, steps: summary.steps, root: summary.hash.root, counters: summary.counts.by_name() }
}
