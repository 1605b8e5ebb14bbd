//! A scene run under one condition, and compared step by step with the baseline.

use crate::analysis::read_back::{NotReadBack, read_back};
use crate::math::Scalar;
use crate::parallel::Scheduling;
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::encode::reader::DecodeError;
use crate::world::error::BuildError;
use crate::world::stage::Observer;
use crate::world::state_hash::StateHash;

/// One way to run a scene.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The run.
    pub plan: RunPlan,
    /// The step after which it is restored into another world, if it is.
    pub restore: Option<u32>,
}

/// Seeds of the ways in which work is cut small and dealt out in another order, on several threads.
const SCRAMBLES: [u64; 2] = [1, 2];

/// What is said of a run that diverges only where its work is dealt out so.
const SCRAMBLED: &str = "with the work cut small and dealt out in another order";

impl Condition {
    /// The ways to hand out the work: as in a plain run, and on several threads in small pieces too, with what is said of
    /// a run that diverges that way.
    #[must_use]
    pub fn scheduled(&self) -> Vec<(Self, Option<&'static str>)> {
        let seeds = if self.plan.threads > 1 { &SCRAMBLES[..] } else { &[] };
        let mut all = vec![(self.clone(), None)];
        for &seed in seeds {
            let mut scrambled = self.clone();
            scrambled.plan.scheduling = Scheduling::Scrambled { seed };
            all.push((scrambled, Some(SCRAMBLED)));
        }
        all
    }
}

/// A run under a condition, under way.
#[derive(Debug)]
pub struct Runner<'a, S: Scalar> {
    condition: &'a Condition,
    session: Session<S>,
    refused: Option<Refusal>,
    not_encoded: Option<NotReadBack>,
}

/// A state that cannot be read back from its own bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The step whose state it is.
    pub step: u32,
    /// What is wrong with the bytes.
    pub error: DecodeError,
}

impl<'a, S: Scalar> Runner<'a, S> {
    /// The run at step 0.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn start(condition: &'a Condition) -> Result<Self, BuildError> {
        let mut runner = Self::new(condition)?;
        runner.restore_if_due()?;
        Ok(runner)
    }

    fn new(condition: &'a Condition) -> Result<Self, BuildError> {
        Ok(Self { condition, session: condition.plan.session()?, refused: None, not_encoded: None })
    }

    /// The run from a state on, put into a world that was filled with nonsense before.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn restored(condition: &'a Condition, step: u32, state: &[u8]) -> Result<Self, BuildError> {
        let mut runner = Self::new(condition)?;
        runner.restore(step, state);
        Ok(runner)
    }

    /// Takes a step; the reason when it cannot be taken.
    ///
    /// # Errors
    /// As text: it is compared with that of the other run, and shown.
    pub fn advance(&mut self, observer: &mut impl Observer<S>) -> Result<(), String> {
        if let Some(Refusal { step, error }) = &self.refused {
            return Err(format!("the state after step {step} cannot be read back: {error}"));
        }
        self.session.advance(observer).map_err(|error| error.to_string())?;
        self.restore_if_due().map_err(|error| error.to_string())
    }

    /// Goes over to another world, filled with nonsense before, when the condition wants it after this step.
    fn restore_if_due(&mut self) -> Result<(), BuildError> {
        let step = self.session.step_number();
        if self.condition.restore != Some(step) {
            return Ok(());
        }
        let bytes = self.session.encoded().to_bytes();
        // Bytes that cannot be read are told of by the restore itself.
        let wrong = read_back(&bytes, self.session.world()).err();
        self.not_encoded = wrong.filter(|wrong| !matches!(wrong, NotReadBack::Refused(_)));
        self.session = self.condition.plan.session()?;
        self.restore(step, &bytes);
        Ok(())
    }

    fn restore(&mut self, step: u32, state: &[u8]) {
        self.session.scramble(state.len() as u64);
        self.refused = self.session.restore(state).err().map(|error| Refusal { step, error });
        self.session.count_as_restored();
    }

    /// The state that could not be read back, when that is why the run cannot go on: there is nothing to compare then.
    #[must_use]
    pub const fn refused(&self) -> Option<&Refusal> {
        self.refused.as_ref()
    }

    /// What came back from the restore as another state than it was.
    #[must_use]
    pub const fn not_encoded(&self) -> Option<&NotReadBack> {
        self.not_encoded.as_ref()
    }

    /// The session.
    #[must_use]
    pub const fn session(&self) -> &Session<S> {
        &self.session
    }
}

/// What is kept of the baseline.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The hash of each state.
    pub hashes: Vec<StateHash>,
    /// Why it stopped before its end, if it did.
    pub stopped: Option<String>,
}

impl Recording {
    /// The last step that was taken.
    #[must_use]
    pub fn last(&self) -> u32 {
        u32::try_from(self.hashes.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// Whether a run that stops in a step for a reason stops as this one did.
    #[must_use]
    pub fn stops_so(&self, step: u32, reason: &str) -> bool {
        step == self.last().saturating_add(1) && self.stopped.as_deref() == Some(reason)
    }
}

/// Runs the baseline to its end; `tell` hears of each step.
///
/// # Errors
/// When the scene makes no world.
pub fn record<S: Scalar>(condition: &Condition, tell: &mut dyn FnMut(u32)) -> Result<Recording, BuildError> {
    let mut runner = Runner::<S>::start(condition)?;
    let mut recording = Recording { hashes: Vec::new(), stopped: None };
    loop {
        let session = runner.session();
        let step = session.step_number();
        recording.hashes.push(*session.hash());
        tell(step);
        if step >= condition.plan.steps {
            return Ok(recording);
        }
        if let Err(reason) = runner.advance(&mut ()) {
            recording.stopped = Some(reason);
            return Ok(recording);
        }
    }
}

/// Where a run diverges from the baseline.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The step.
    pub step: u32,
    /// The hash of its state then; `None` when it stopped in the step.
    pub hash: Option<StateHash>,
    /// Why it stopped, if it did.
    pub stopped: Option<String>,
    /// The state that could not be read back, when it did not stop by itself.
    pub refused: Option<Refusal>,
    /// What a restore brought back as another state.
    pub not_encoded: Option<NotReadBack>,
}

/// Runs a condition as long as it agrees with the baseline.
///
/// # Errors
/// When the scene makes no world.
pub fn compare<S: Scalar>(
    baseline: &Recording,
    condition: &Condition,
    tell: &mut dyn FnMut(u32),
) -> Result<Option<Divergence>, BuildError> {
    let mut runner = Runner::<S>::start(condition)?;
    loop {
        let session = runner.session();
        let (step, hash) = (session.step_number(), *session.hash());
        let not_encoded = || runner.not_encoded().cloned();
        if let Some(refused) = runner.refused().cloned() {
            let (step, refused) = (refused.step, Some(refused));
            return Ok(Some(Divergence { step, hash: None, stopped: None, refused, not_encoded: not_encoded() }));
        }
        if baseline.hashes.get(step as usize) != Some(&hash) {
            let hash = Some(hash);
            return Ok(Some(Divergence { step, hash, stopped: None, refused: None, not_encoded: not_encoded() }));
        }
        tell(step);
        if step == baseline.last() && baseline.stopped.is_none() {
            return Ok(lossy_restore(condition, &runner));
        }
        if let Err(reason) = runner.advance(&mut ()) {
            let step = step + 1;
            if baseline.stops_so(step, &reason) {
                return Ok(lossy_restore(condition, &runner));
            }
            let stopped = Some(reason);
            return Ok(Some(Divergence { step, hash: None, stopped, refused: None, not_encoded: None }));
        }
    }
}

/// A run that agreed, and whose state all the same was another after its restore: what was lost has not come up in this run.
fn lossy_restore<S: Scalar>(condition: &Condition, runner: &Runner<'_, S>) -> Option<Divergence> {
    let not_encoded = Some(runner.not_encoded()?.clone());
    Some(Divergence { step: condition.restore?, hash: None, stopped: None, refused: None, not_encoded })
}
