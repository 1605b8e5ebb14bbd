//! The conditions of one scene, in this process.

use std::sync::Arc;

use crate::analysis::bisect::axis::{Restore, SceneAxis, SceneValue};
use crate::analysis::bisect::condition::{Condition, Parting, Recording, compare, record};
use crate::analysis::bisect::gap::Gap;
use crate::analysis::bisect::order::permuted;
use crate::analysis::bisect::search::{Axis, Choice, changes, choices, label};
use crate::analysis::bisect::sweep::{Sweep, sweep};
use crate::analysis::bisect::{BisectError, Bisection, Change, Tried};
use crate::analysis::outcome::{FirstDifference, Verdict};
use crate::math::{Scalar, ScalarTask};
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// Most steps of a run: the hash of each is kept.
pub const MAX_STEPS: u32 = 10_000_000;

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

/// Hears of the condition that is run, and of the step it has come to.
pub type Tell<'a> = &'a mut dyn FnMut(&str, u32);

/// Runs the conditions until one parts from the baseline, and names the difference.
///
/// # Errors
/// When the axes are not as they must be, or the scene makes no world.
pub fn bisect_scene(search: &SceneSearch, tell: Tell<'_>) -> Result<Bisection, BisectError> {
    if search.plan.steps > MAX_STEPS {
        return Err(BisectError::TooManySteps { steps: search.plan.steps, limit: MAX_STEPS });
    }
    let axes: Vec<Axis> =
        search.axes.iter().map(|axis| Axis { name: axis.name.clone(), values: axis.labels() }).collect();
    let choices = choices(&axes)?;
    search.plan.scalar.dispatch(Search { search, axes, choices, tell })
}

struct Search<'a> {
    search: &'a SceneSearch,
    axes: Vec<Axis>,
    choices: Vec<Choice>,
    tell: Tell<'a>,
}

/// The condition that parts, with what is to be said of it.
struct Found {
    name: String,
    condition: Condition,
    changes: Vec<Change>,
    parting: Parting,
}

impl ScalarTask for Search<'_> {
    type Output = Result<Bisection, BisectError>;

    fn run<S: Scalar>(mut self) -> Self::Output {
        let mut found = Bisection::new();
        let baseline = self.condition(&self.choices[0]);
        let name = label(&self.axes, &self.choices[0]);
        let recording = record::<S>(&baseline, &mut |step| (self.tell)(&name, step))?;
        found.runs = 1;
        let remark =
            recording.stopped.as_ref().map(|reason| format!("stops in step {}: {reason}", recording.last() + 1));
        found.conditions.push(Tried { remark, ..Tried::same(&name) });
        for choice in std::mem::take(&mut self.choices).into_iter().skip(1) {
            let Some(parting) = self.attempt::<S>(&choice, &recording, &mut found)? else { continue };
            found.verdict = Verdict::Diverged;
            let gap = Gap {
                baseline: &recording,
                conditions: [&baseline, &parting.condition],
                names: [&name, &parting.name],
                parting: &parting.parting,
                fields: self.search.fields,
            };
            let named = gap.name::<S>();
            found.first = Some(named.first);
            found.notes.extend(named.notes);
            found.smallest = Some(parting.changes);
            break;
        }
        Ok(found)
    }
}

impl Search<'_> {
    /// The condition of a choice; where it is to be restored at every step, without that.
    fn condition(&self, choice: &Choice) -> Condition {
        let mut condition = Condition { plan: self.search.plan.clone(), restore: None };
        for (axis, value) in self.search.axes.iter().zip(choice) {
            match axis.values[*value] {
                SceneValue::Threads(threads) => condition.plan.threads = threads,
                SceneValue::Order(Some(seed)) => condition.plan.scene = Arc::new(permuted(&condition.plan.scene, seed)),
                SceneValue::Restore(Restore::At(step)) => condition.restore = Some(step),
                SceneValue::Order(None) | SceneValue::Repeat(_) | SceneValue::Restore(_) => {}
            }
        }
        condition
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
        let condition = self.condition(choice);
        if let Some(axis) = self.sweeping(choice) {
            return self.attempt_every::<S>(choice, axis, baseline, found);
        }
        found.runs += 1;
        let parting = compare::<S>(baseline, &condition, &mut |step| (self.tell)(&name, step))?;
        let Some(parting) = parting else {
            found.conditions.push(Tried::same(&name));
            return Ok(None);
        };
        found.conditions.push(Tried::parts(&name, parting.step));
        Ok(Some(Found { name, condition, changes: changes(&self.axes, choice), parting }))
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
        let mut condition = self.condition(choice);
        let swept: Sweep = sweep::<S>(baseline, &condition, self.search.window, &mut |step| (self.tell)(&name, step))?;
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
        if let Some(parting) = compare::<S>(baseline, &condition, &mut |step| (self.tell)(&name, step))? {
            return Ok(Some(Found { name, condition, changes, parting }));
        }
        found.verdict = Verdict::Diverged;
        found.first.get_or_insert(FirstDifference::in_step(step));
        found.notes.push(format!(
            "a race: {name} parted in step {step}, but not when it was run once more; try --axis repeat=20"
        ));
        Ok(None)
    }
}
