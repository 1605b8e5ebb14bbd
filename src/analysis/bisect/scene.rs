//! The conditions of one scene, in this process.

use std::sync::Arc;

use crate::analysis::bisect::axis::{Restore, SceneAxis, SceneValue};
use crate::analysis::bisect::baseline::{DIFFERS_EVERYWHERE, Repeated, repeat};
use crate::analysis::bisect::condition::{Condition, Divergence, Recording, compare, record};
use crate::analysis::bisect::gap::Gap;
use crate::analysis::bisect::order::permuted;
use crate::analysis::bisect::repetition::How;
use crate::analysis::bisect::search::{Axis, Choice, REPEAT, changes, choices, is_repetition, label};
use crate::analysis::bisect::sweep::{Sweep, sweep};
use crate::analysis::bisect::twins::watch_twins;
use crate::analysis::bisect::{BisectError, Bisection, Change, Host, Tried};
use crate::analysis::outcome::{FirstDifference, Verdict};
use crate::math::{Scalar, ScalarTask};
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// Most steps of a run: the hash of each is kept.
pub const MAX_STEPS: u32 = 10_000_000;

/// How a note begins that says that a difference could not be seen again.
pub const NOT_NAMED: &str = "what differs is not named";

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct SceneSearch {
    /// The run; its number of threads and the order of its bodies are those of the baseline unless an axis says more.
    pub plan: RunPlan,
    /// What is varied.
    pub axes: Vec<SceneAxis>,
    /// How many steps each restored run is looked ahead, where it is restored at every step.
    pub window: u32,
    /// How many fields to list, at most.
    pub fields: usize,
}

impl SceneSearch {
    /// What the others are compared with: the first value of each axis.
    #[must_use]
    pub fn baseline(&self) -> Condition {
        self.condition(&vec![0; self.axes.len()])
    }

    /// The condition of a choice; where it is to be restored at every step, without that.
    fn condition(&self, choice: &Choice) -> Condition {
        let mut condition = Condition { plan: self.plan.clone(), restore: None };
        for (axis, value) in self.axes.iter().zip(choice) {
            match axis.values[*value] {
                SceneValue::Threads(threads) => condition.plan.threads = threads,
                SceneValue::Lanes(lanes) => condition.plan.lanes = lanes,
                SceneValue::Order(Some(seed)) => condition.plan.scene = Arc::new(permuted(&condition.plan.scene, seed)),
                SceneValue::Restore(Restore::At(step)) => condition.restore = Some(step),
                SceneValue::Order(None) | SceneValue::Repeat(_) | SceneValue::Restore(_) => {}
            }
        }
        condition
    }
}

/// Runs the conditions until one diverges from the baseline, and names the difference. A baseline that diverges from itself is
/// what is found: no axis is tried then.
///
/// # Errors
/// When the axes are not as they must be, or the scene makes no world.
pub fn bisect_scene(search: &SceneSearch, host: &mut dyn Host) -> Result<Bisection, BisectError> {
    if search.plan.steps > MAX_STEPS {
        return Err(BisectError::TooManySteps { steps: search.plan.steps, limit: MAX_STEPS });
    }
    let axes: Vec<Axis> =
        search.axes.iter().map(|axis| Axis { name: axis.name.clone(), values: axis.labels() }).collect();
    let choices = choices(&axes)?;
    search.plan.scalar.dispatch(Search { search, axes, choices, host })
}

struct Search<'a> {
    search: &'a SceneSearch,
    axes: Vec<Axis>,
    choices: Vec<Choice>,
    host: &'a mut dyn Host,
}

/// The condition that diverges, with what is to be said of it.
struct Found {
    name: String,
    condition: Condition,
    changes: Vec<Change>,
    divergence: Divergence,
}

impl ScalarTask for Search<'_> {
    type Output = Result<Bisection, BisectError>;

    fn run<S: Scalar>(mut self) -> Self::Output {
        let mut found = Bisection::new();
        let baseline = self.search.baseline();
        let name = label(&self.axes, &self.choices[0]);
        let recording = record::<S>(&baseline, &mut |step| self.host.reached(&name, step))?;
        if !self.repeats::<S>(&baseline, &name, &recording, &mut found)? {
            return Ok(found);
        }
        for choice in std::mem::take(&mut self.choices).into_iter().skip(1) {
            if is_repetition(&self.axes, &choice) {
                continue;
            }
            if let Some(parted) = self.attempt::<S>(&choice, &recording, &mut found)? {
                self.tell_of::<S>(parted, &recording, (&baseline, &name), &mut found);
                break;
            }
        }
        Ok(found)
    }
}

impl Search<'_> {
    /// Runs the baseline again, before anything else is blamed; false when it does not come out the same.
    fn repeats<S: Scalar>(
        &mut self,
        baseline: &Condition,
        name: &str,
        recording: &Recording,
        found: &mut Bisection,
    ) -> Result<bool, BuildError> {
        let repetitions = self.choices.iter().skip(1).filter(|choice| is_repetition(&self.axes, choice)).count();
        let times = u32::try_from(repetitions).unwrap_or(u32::MAX).max(1);
        let Repeated { repetition, processes, note } = repeat::<S>(baseline, name, recording, times, self.host)?;
        found.runs = 1 + u64::from(times) + u64::from(processes);
        let stop = recording.stopped.as_ref().map(|why| format!("stops in step {}: {why}", recording.last() + 1));
        let again = repetition.holds().then(|| match processes {
            0 => format!("the same in {} runs, all in this process", repetition.runs),
            _ => format!("the same in {} runs, {processes} of them in processes of their own", repetition.runs),
        });
        let remarks: Vec<String> = again.into_iter().chain(stop).collect();
        let remark = (!remarks.is_empty()).then(|| remarks.join("; "));
        found.conditions.push(Tried { remark, ..Tried::same(name) });
        if let Some(earliest) = repetition.earliest() {
            found.verdict = Verdict::Diverged;
            let watched = watch_twins::<S>([baseline, baseline], earliest.step, self.search.fields, self.host);
            let shows_within = watched.is_some() && repetition.how != How::InProcess;
            found.notes.extend(if shows_within { Some(DIFFERS_EVERYWHERE) } else { note }.map(str::to_owned));
            if let Some(watched) = &watched {
                found.notes.push(watched.note());
                found.sides = Some([name.to_owned(), format!("{name}, once more")]);
            } else {
                found
                    .notes
                    .push(format!("{NOT_NAMED}: two runs that were watched side by side in this process agreed"));
                found.sides = Some([name.to_owned(), format!("{name}, run {}", earliest.run)]);
            }
            let first = watched.map(|watched| watched.first);
            found.first = Some(first.unwrap_or_else(|| FirstDifference::in_step(earliest.step)));
        }
        let holds = repetition.holds();
        found.repeats = Some(repetition);
        Ok(holds)
    }

    /// Names the difference between the baseline and the condition that diverges from it.
    fn tell_of<S: Scalar>(
        &mut self,
        parted: Found,
        recording: &Recording,
        (baseline, name): (&Condition, &str),
        found: &mut Bisection,
    ) {
        let gap = Gap {
            baseline: recording,
            conditions: [baseline, &parted.condition],
            names: [name, &parted.name],
            divergence: &parted.divergence,
            fields: self.search.fields,
        };
        let named = gap.name::<S>(self.host);
        found.verdict = Verdict::Diverged;
        found.first = Some(named.first);
        found.notes.extend(named.notes);
        // The number of a run changes nothing: a condition that shows it in a later run shows it by chance.
        let (by_chance, changes): (Vec<Change>, _) =
            parted.changes.into_iter().partition(|change| change.axis == REPEAT);
        if let Some(Change { to, .. }) = by_chance.first() {
            found.notes.push(format!("by chance: not in the first run of this condition, but in run {to}"));
        }
        found.sides = Some([name.to_owned(), parted.name]);
        found.smallest = Some(changes);
    }

    /// Which axis of a choice wants the run to be restored at every step.
    fn sweeping(&self, choice: &Choice) -> Option<usize> {
        let mut values = self.search.axes.iter().zip(choice).map(|(axis, value)| axis.values[*value]);
        values.position(|value| value == SceneValue::Restore(Restore::Every))
    }

    /// Runs one condition; `None` when it agrees with the baseline.
    fn attempt<S: Scalar>(
        &mut self,
        choice: &Choice,
        baseline: &Recording,
        found: &mut Bisection,
    ) -> Result<Option<Found>, BuildError> {
        let name = label(&self.axes, choice);
        let condition = self.search.condition(choice);
        if let Some(axis) = self.sweeping(choice) {
            return self.attempt_every::<S>(choice, axis, baseline, found);
        }
        for (condition, how) in condition.scheduled() {
            found.runs += 1;
            let divergence = compare::<S>(baseline, &condition, &mut |step| self.host.reached(&name, step))?;
            if let Some(divergence) = divergence {
                let remark = how.map(str::to_owned);
                found.conditions.push(Tried { remark, ..Tried::parts(&name, divergence.step) });
                return Ok(Some(Found { name, condition, changes: changes(&self.axes, choice), divergence }));
            }
        }
        found.conditions.push(Tried::same(&name));
        Ok(None)
    }

    /// Restores at every step in turn, and then looks closer at one after which the run breaks.
    fn attempt_every<S: Scalar>(
        &mut self,
        choice: &Choice,
        axis: usize,
        baseline: &Recording,
        found: &mut Bisection,
    ) -> Result<Option<Found>, BuildError> {
        let name = label(&self.axes, choice);
        let mut condition = self.search.condition(choice);
        let swept: Sweep =
            sweep::<S>(baseline, &condition, self.search.window, &mut |step| self.host.reached(&name, step))?;
        found.runs += swept.runs;
        let remark = Some(swept.remark());
        let Some((at, step)) = swept.nearest() else {
            found.conditions.push(Tried { remark, ..Tried::same(&name) });
            return Ok(None);
        };
        found.conditions.push(Tried { remark, ..Tried::parts(&name, step) });
        condition.restore = Some(at);
        let mut axes = self.axes.clone();
        axes[axis].values[choice[axis]] = at.to_string();
        let name = label(&axes, choice);
        found.runs += 1;
        let changes = changes(&axes, choice);
        if let Some(divergence) = compare::<S>(baseline, &condition, &mut |step| self.host.reached(&name, step))? {
            return Ok(Some(Found { name, condition, changes, divergence }));
        }
        found.verdict = Verdict::Diverged;
        found.first.get_or_insert(FirstDifference::in_step(step));
        found
            .notes
            .push(format!("{name} does not repeat: it diverged in step {step}, but not when it was run once more"));
        Ok(None)
    }
}
