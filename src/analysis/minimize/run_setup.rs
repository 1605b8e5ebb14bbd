//! Two ways to run one scene whose results ought to agree and do not.

use std::sync::Arc;

use crate::analysis::lockstep::{LockstepOutcome, first_divergence};
use crate::analysis::minimize::{Answer, Candidate, Oracle};
use crate::replay::InputOrigin;
use crate::scene::model::{Input, Scene};
use crate::scene::validate::validate;
use crate::session::rebase::shift_input;
use crate::session::record::RunPlan;
use crate::world::error::BuildError;
use crate::world::fault::Fault;

/// How a scene is run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunSetup {
    /// Threads that work; 0 means 1.
    pub threads: u32,
    /// What is planted.
    pub faults: Vec<Fault>,
    /// Inputs beyond those of the scene.
    pub inputs: Vec<Input>,
}

impl RunSetup {
    /// The setup as it is for a scene that starts later: everything happens so much earlier, and what is over by
    /// then does not happen.
    #[must_use]
    pub fn from_start(&self, start: u32) -> Self {
        let faults = self.faults.iter().filter(|fault| fault.step >= start);
        Self {
            threads: self.threads.max(1),
            faults: faults.map(|fault| Fault { step: fault.step - start, ..fault.clone() }).collect(),
            inputs: self.inputs.iter().filter_map(|input| shift_input(input, start)).collect(),
        }
    }

    /// The plan to run a scene under this setup.
    #[must_use]
    pub fn plan(&self, scene: &Arc<Scene>) -> RunPlan {
        let extra_inputs = self.inputs.iter().map(|input| (input.clone(), InputOrigin::File)).collect();
        RunPlan {
            threads: self.threads.max(1),
            faults: self.faults.clone(),
            extra_inputs,
            ..RunPlan::new(Arc::clone(scene))
        }
    }
}

/// Says that two setups still diverge, in the way in which they did at first: by different states, or by one run
/// stopping where the other goes on.
#[derive(Clone, Debug)]
pub struct TwoSetups {
    setups: [RunSetup; 2],
    is_stop: bool,
}

impl TwoSetups {
    /// The oracle, and where the first scene diverges; without an oracle when it does not. `go_on` hears of each step.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn of(
        setups: [RunSetup; 2],
        first: &Candidate,
        go_on: &mut dyn FnMut(u32) -> bool,
    ) -> Result<(Option<Self>, LockstepOutcome), BuildError> {
        let mut oracle = Self { setups, is_stop: false };
        let outcome = oracle.outcome(first, go_on)?;
        oracle.is_stop = matches!(outcome, LockstepOutcome::Stopped { .. });
        Ok((outcome.step().map(|_| oracle), outcome))
    }

    /// The setups as they are for a scene that starts at a step of the first one.
    #[must_use]
    pub fn setups(&self, start: u32) -> [RunSetup; 2] {
        [self.setups[0].from_start(start), self.setups[1].from_start(start)]
    }

    /// The same without the faults that a candidate does not need to show it. A fault that both sides have goes from both:
    /// it is not what they diverge by. The later one of two that would each be enough goes. Each is tried in up to `runs`
    /// runs, of which one has to show it.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn without_needless_faults(mut self, candidate: &Candidate, runs: u32) -> Result<Self, BuildError> {
        let mut faults: Vec<Fault> = self.setups.iter().flat_map(|setup| setup.faults.clone()).collect();
        faults.sort_by_key(|fault| std::cmp::Reverse(fault.step));
        faults.dedup();
        for fault in faults {
            let mut less = self.clone();
            less.setups.iter_mut().for_each(|setup| setup.faults.retain(|other| *other != fault));
            for _ in 0..runs.max(1) {
                let outcome = less.outcome(candidate, &mut |_| true)?;
                if less.is_shown_by(&outcome) {
                    self = less;
                    break;
                }
            }
        }
        Ok(self)
    }

    /// Whether two runs diverge in the way in which they did at first.
    #[must_use]
    pub const fn is_shown_by(&self, outcome: &LockstepOutcome) -> bool {
        outcome.step().is_some() && self.is_stop == matches!(outcome, LockstepOutcome::Stopped { .. })
    }

    /// Whether the inputs of both setups can act: a run that stops because it misses a body shows nothing.
    fn inputs_can_act(&self, candidate: &Candidate) -> bool {
        self.setups(candidate.start).into_iter().all(|setup| {
            let mut scene = candidate.scene.clone();
            scene.inputs.extend(setup.inputs);
            validate(&scene).is_ok()
        })
    }

    /// Where the two runs of a candidate diverge.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn outcome(
        &self,
        candidate: &Candidate,
        go_on: &mut dyn FnMut(u32) -> bool,
    ) -> Result<LockstepOutcome, BuildError> {
        let scene = Arc::new(candidate.scene.clone());
        let [a, b] = self.setups(candidate.start).map(|setup| setup.plan(&scene));
        first_divergence(&a, &b, go_on)
    }
}

impl Oracle for TwoSetups {
    fn ask(&mut self, candidate: &Candidate, go_on: &mut dyn FnMut() -> bool) -> Answer {
        let has_inputs = self.setups.iter().any(|setup| !setup.inputs.is_empty());
        if has_inputs && !self.inputs_can_act(candidate) {
            return Answer::Hides;
        }
        match self.outcome(candidate, &mut |_| go_on()) {
            Ok(LockstepOutcome::Interrupted { .. }) => Answer::Interrupted,
            Ok(outcome) if self.is_shown_by(&outcome) => Answer::Shows { step: outcome.step() },
            Ok(_) | Err(_) => Answer::Hides,
        }
    }

    fn knows_step(&self) -> bool {
        true
    }

    fn run_of(&self, candidate: &Candidate) -> RunPlan {
        let [a, _] = self.setups(candidate.start);
        a.plan(&Arc::new(candidate.scene.clone()))
    }
}
