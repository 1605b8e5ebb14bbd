//! Names the difference of two runs: both are run again from their start up to the step in which they diverge, and that step is
//! looked at while they take it.

use crate::analysis::bisect::Host;
use crate::analysis::bisect::condition::Runner;
use crate::analysis::bisect::twins::watch_twins;
use crate::analysis::compare::compare_states;
use crate::analysis::outcome::{Finding, FirstDifference};
use crate::analysis::step_difference::{Keep, Named, TakenStep};
use crate::analysis::stress::DivergedRun;
use crate::analysis::stress::baseline::Baseline;
use crate::analysis::stress::trial::Trial;
use crate::analysis::stress::view::Seen;
use crate::math::Scalar;
use crate::scene::generate::body_count;
use crate::world::encode::{Section, State};
use crate::world::state_hash::StateHash;

/// How many fields are listed, at most.
const MOST_FIELDS: usize = 4;
/// How many bodies two runs may have, times the steps for which they are watched.
const MOST_WATCHED: usize = 20_000;

/// Names the difference of two trials that diverge in `step`; the first of them is that of the baseline.
#[must_use]
pub fn name<S: Scalar>(baseline: &Baseline, trials: [&Trial; 2], step: u32) -> DivergedRun {
    let mut parted =
        DivergedRun { run: trials[1].label.clone(), first: FirstDifference::in_step(step), notes: Vec::new() };
    let reached = trials.map(|trial| Reached::<S>::of(trial, step, Keep::All));
    let [Some(a), Some(b)] = &reached else {
        parted.notes.push("run again, they do not come to that step".to_owned());
        return parted;
    };
    parted.first.findings = findings(trials[1], b, step);
    if b.refused {
        return parted;
    }
    let first = &mut parted.first;
    match first.see_steps([&a.step, &b.step], MOST_FIELDS) {
        Named::Fully => {}
        Named::Nothing => first.take(compare_states(&a.end, &b.end, MOST_FIELDS)),
        Named::CheckpointOnly(checkpoint) => {
            let again = trials.map(|trial| Reached::<S>::of(trial, step, Keep::Around(checkpoint)));
            if let [Some(again_a), Some(again_b)] = &again
                && a.step.agrees_with(&again_a.step, checkpoint)
                && b.step.agrees_with(&again_b.step, checkpoint)
            {
                first.see_steps([&again_a.step, &again_b.step], MOST_FIELDS);
            }
        }
    }
    let is_named = first.field.is_some() || first.order.is_some() || first.stage.is_some();
    let is_first_run = |hash| hash == &Seen::Whole.hash_of(a.whole_end.clone());
    if !baseline.hashes.get(step as usize).is_none_or(is_first_run) {
        parted.notes.push("does not repeat: the first run, run again, is another one".to_owned());
        name_from_twins::<S>(&mut parted, trials, step);
    } else if a.start() != b.start() {
        parted.notes.push("does not repeat: run again, they part before that step".to_owned());
        name_from_twins::<S>(&mut parted, trials, step);
    } else if !is_named {
        parted.notes.push("does not repeat: run again, both are the same".to_owned());
        name_from_twins::<S>(&mut parted, trials, step);
    }
    parted
}

/// What does not come out the same again is named from two runs that are watched side by side.
fn name_from_twins<S: Scalar>(parted: &mut DivergedRun, trials: [&Trial; 2], step: u32) {
    parted.first = FirstDifference::in_step(step);
    let conditions = trials.map(|trial| &trial.condition);
    let bodies = body_count(&conditions[0].plan.scene).unwrap_or(usize::MAX).max(1);
    let mut patience = Patience(MOST_WATCHED / bodies);
    let is_whole = trials.iter().all(|trial| trial.view == Seen::Whole);
    match is_whole.then(|| watch_twins::<S>(conditions, step, MOST_FIELDS, &mut patience)).flatten() {
        Some(watched) => {
            parted.notes.push(watched.note());
            parted.first = watched.first;
        }
        None => parted.notes.push("what differs is not named".to_owned()),
    }
}

/// Lets two runs be watched for so many steps.
struct Patience(usize);

impl Host for Patience {
    fn reached(&mut self, _: &str, _: u32) {}

    fn may_go_on(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// What a restore shows by itself.
fn findings<S>(trial: &Trial, reached: &Reached<S>, step: u32) -> Vec<Finding> {
    let Some(restored_at) = trial.condition.restore else { return Vec::new() };
    let run = trial.label.clone();
    if let Some((step, error)) = &reached.refusal {
        return vec![Finding::RefusedRestore { run, step: *step, error: error.clone() }];
    }
    let not_encoded = reached.not_encoded.as_ref().map(|what| Finding::NotEncoded {
        run: run.clone(),
        step: restored_at,
        what: what.clone(),
    });
    let hidden = Finding::HiddenState { run, restored_at, differs_at: step, reproduces_from: 0 };
    not_encoded.into_iter().chain((step >= restored_at).then_some(hidden)).collect()
}

/// A trial that has come to the end of a step, or stopped in it.
struct Reached<S> {
    step: TakenStep<S>,
    /// The state at the end, as it is looked at.
    end: State<S>,
    /// The state at the end, as it is.
    whole_end: State<S>,
    refused: bool,
    refusal: Option<(u32, String)>,
    not_encoded: Option<String>,
}

impl<S: Scalar> Reached<S> {
    fn of(trial: &Trial, step: u32, keep: Keep) -> Option<Self> {
        let mut runner = Runner::<S>::start(&trial.condition).ok()?;
        while runner.session().step_number() + 1 < step && runner.refused().is_none() {
            runner.advance(&mut ()).ok()?;
        }
        let view = &trial.view;
        let mut taken = TakenStep::after((step > 0).then(|| view.of(runner.session().world().state())));
        if step > runner.session().step_number() {
            // A step that cannot be taken to its end still had the checkpoints before.
            let _ = runner.advance(&mut taken.observer_through(keep, |data| view.of_data(data)));
        }
        let whole_end = runner.session().world().state();
        let refusal = runner.refused().map(|refused| (refused.step, refused.error.to_string()));
        Some(Self {
            step: taken,
            end: view.of(whole_end.clone()),
            whole_end,
            refused: refusal.is_some(),
            refusal,
            not_encoded: runner.not_encoded().map(ToString::to_string),
        })
    }

    /// The hash of the state before the step, as it is looked at.
    fn start(&self) -> Option<StateHash> {
        self.step.before.clone().map(|state| Seen::Whole.hash_of(state))
    }
}

/// The first section whose digests differ.
#[must_use]
pub fn first_section(a: &[[u8; 8]], b: &[[u8; 8]]) -> Option<Section> {
    Section::ALL.into_iter().zip(a.iter().zip(b)).find(|(_, (a, b))| a != b).map(|(section, _)| section)
}
