//! Runs under an attack, compared step by step with the first one.

use crate::analysis::bisect::condition::Runner;
use crate::analysis::stress::baseline::Baseline;
use crate::analysis::stress::name::name;
use crate::analysis::stress::trial::Trial;
use crate::analysis::stress::{Attack, AttackVerdict, DivergedRun, Finding, Target, Tell};
use crate::math::Scalar;
use crate::parallel::Exercised;
use crate::world::error::BuildError;

/// How far a run was compared, and the step in which it parts, with the reason if it stops there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Steps that were compared.
    pub steps: u64,
    /// The step in which it parts.
    pub divergence: Option<u32>,
    /// What to say of its stop, or of the stop of the first run.
    pub stop: Option<String>,
}

/// Runs on as long as every state is that of the first run.
pub fn compare<S: Scalar>(baseline: &Baseline, trial: &Trial, runner: &mut Runner<'_, S>, tell: Tell<'_>) -> Compared {
    let mut compared = Compared::default();
    loop {
        let step = runner.session().step_number();
        if baseline.hashes.get(step as usize) != Some(&trial.view.hash(runner.session())) {
            return Compared { divergence: Some(step), ..compared };
        }
        let is_last = step == baseline.last();
        if is_last && (baseline.stopped.is_none() || !trial.stops_alike) {
            return compared;
        }
        let stopped = runner.advance(&mut ()).err();
        tell();
        compared.steps += 1;
        let expected = baseline.stopped.as_ref().filter(|_| is_last);
        match (stopped.as_ref(), expected) {
            (None, None) => {}
            (Some(reason), Some(expected)) if reason == expected => return compared,
            _ => {
                let said = |who: &str, reason: &String| format!("{who} stops in this step: {reason}");
                let label = trial.label.as_str();
                let first = expected.map(|reason| said("the first run", reason));
                let stop = first.or_else(|| stopped.as_ref().map(|reason| said(label, reason)));
                return Compared { divergence: Some(step + 1), stop, ..compared };
            }
        }
    }
}

/// What is found while runs are compared one after the other.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Runs that were compared.
    pub runs: u64,
    /// Steps that were compared.
    pub steps: u64,
    /// The first that diverged.
    pub parted: Option<DivergedRun>,
    /// The first state that could not be put back.
    pub refused: Option<DivergedRun>,
    /// What threads did in these runs.
    pub exercised: Exercised,
}

impl Tally {
    /// Nothing so far.
    #[must_use]
    pub fn new() -> Self {
        Self { runs: 0, steps: 0, parted: None, refused: None, exercised: Exercised::default() }
    }

    /// Whether something was found, so that no more runs are needed.
    #[must_use]
    pub const fn is_decided(&self) -> bool {
        self.parted.is_some() || self.refused.is_some()
    }

    /// Adds a run that has been compared; names the difference if it diverged.
    pub fn add<S: Scalar>(&mut self, target: &Target<'_>, trial: &Trial, compared: Compared) {
        self.runs += 1;
        self.steps += compared.steps;
        if let Some(step) = compared.divergence {
            let first = Trial::plain("the first run", target.plan.clone());
            let mut parted = name::<S>(target.baseline, [&first, trial], step);
            parted.notes.splice(0..0, compared.stop);
            self.parted = Some(parted);
        }
    }

    /// The finding of an attack.
    #[must_use]
    pub fn finding<S: Scalar>(self, attack: Attack, done: impl Into<String>) -> Finding {
        let Self { runs, steps, parted, refused, exercised: _ } = self;
        let verdict = match (refused, parted) {
            (Some(refused), _) => AttackVerdict::Refused(Box::new(refused)),
            (None, Some(parted)) => AttackVerdict::Diverged(Box::new(parted)),
            (None, None) => AttackVerdict::Held,
        };
        Finding { runs, steps, verdict, ..Finding::held(attack, S::KIND, done) }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self::new()
    }
}

/// Compares runs from their start, up to the first that diverges.
///
/// # Errors
/// When the scene of one of them makes no world.
pub fn compare_all<S: Scalar>(target: &Target<'_>, trials: &[Trial], tell: Tell<'_>) -> Result<Tally, BuildError> {
    let mut tally = Tally::new();
    for trial in trials {
        let mut runner = Runner::start(&trial.condition)?;
        let compared = compare::<S>(target.baseline, trial, &mut runner, tell);
        tally.exercised.add(runner.session().world().exercised());
        tally.add::<S>(target, trial, compared);
        if tally.parted.is_some() {
            break;
        }
    }
    Ok(tally)
}
