//! A scene run under one condition, and compared step by step with the baseline.

use crate::analysis::bisect::keyframes::Keyframes;
use crate::math::Scalar;
use crate::session::Session;
use crate::session::record::RunPlan;
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

/// A run under a condition, under way.
#[derive(Debug)]
pub struct Runner<'a, S: Scalar> {
    condition: &'a Condition,
    session: Session<S>,
    /// Why it cannot go on.
    halted: Option<String>,
}

impl<'a, S: Scalar> Runner<'a, S> {
    /// The run at step 0.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn start(condition: &'a Condition) -> Result<Self, BuildError> {
        let mut runner = Self { condition, session: condition.plan.session()?, halted: None };
        runner.restore_if_due()?;
        Ok(runner)
    }

    /// The run at a later step, from the bytes of its state there.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn resume(condition: &'a Condition, step: u32, state: &[u8]) -> Result<Self, BuildError> {
        let mut session: Session<S> = condition.plan.session()?;
        let halted = session.restore(state).err().map(|error| error.to_string());
        if condition.restore.is_some_and(|at| at <= step) {
            session.count_as_restored();
        }
        Ok(Self { condition, session, halted })
    }

    /// The run from a state on, put into a world that was filled with nonsense before.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn restored(condition: &'a Condition, state: &[u8]) -> Result<Self, BuildError> {
        let mut runner = Self { condition, session: condition.plan.session()?, halted: None };
        runner.restore(state);
        Ok(runner)
    }

    /// Takes a step; the reason when it cannot be taken.
    ///
    /// # Errors
    /// As text: it is compared with that of the other run, and shown.
    pub fn advance(&mut self, observer: &mut impl Observer<S>) -> Result<(), String> {
        if let Some(halted) = &self.halted {
            return Err(halted.clone());
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
        let state = self.session.encoded().bytes.clone();
        self.session = self.condition.plan.session()?;
        self.restore(&state);
        Ok(())
    }

    fn restore(&mut self, state: &[u8]) {
        self.session.garble(state.len() as u64);
        self.halted = self.session.restore(state).err().map(|error| error.to_string());
        self.session.count_as_restored();
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
    /// Some of the states.
    pub keyframes: Keyframes,
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
    let keyframes = Keyframes::new(condition.plan.scene.keyframe_every);
    let mut recording = Recording { hashes: Vec::new(), keyframes, stopped: None };
    loop {
        let session = runner.session();
        let step = session.step_number();
        recording.hashes.push(*session.hash());
        recording.keyframes.offer(step, &session.encoded().bytes);
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

/// Where a run parts from the baseline.
#[derive(Clone, Debug)]
pub struct Parting {
    /// The step.
    pub step: u32,
    /// The hash of its state then; `None` when it stopped in the step.
    pub hash: Option<StateHash>,
    /// Why it stopped, if it did.
    pub stopped: Option<String>,
    /// Some of its states before.
    pub keyframes: Keyframes,
}

/// Runs a condition as long as it agrees with the baseline.
///
/// # Errors
/// When the scene makes no world.
pub fn compare<S: Scalar>(
    baseline: &Recording,
    condition: &Condition,
    tell: &mut dyn FnMut(u32),
) -> Result<Option<Parting>, BuildError> {
    let mut runner = Runner::<S>::start(condition)?;
    let mut keyframes = Keyframes::new(condition.plan.scene.keyframe_every);
    loop {
        let session = runner.session();
        let (step, hash) = (session.step_number(), *session.hash());
        if baseline.hashes.get(step as usize) != Some(&hash) {
            return Ok(Some(Parting { step, hash: Some(hash), stopped: None, keyframes }));
        }
        keyframes.offer(step, &session.encoded().bytes);
        tell(step);
        if step == baseline.last() && baseline.stopped.is_none() {
            return Ok(None);
        }
        if let Err(reason) = runner.advance(&mut ()) {
            let step = step + 1;
            let parting = Parting { step, hash: None, stopped: Some(reason.clone()), keyframes };
            return Ok((!baseline.stops_so(step, &reason)).then_some(parting));
        }
    }
}
