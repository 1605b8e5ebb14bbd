//! Names the difference of two runs that come as hash logs, by asking both for more about the step in which they diverge.
//!
//! A run that is asked for more is a run of its own. Where such runs come out as the first ones did, they tell more of
//! those. Where they do not, they are compared with each other, and what is named is theirs.

use crate::analysis::bisect::Bisection;
use crate::analysis::bisect::ask::{Ask, Run};
use crate::analysis::bisect::search::Choice;
use crate::analysis::compare_checkpoints::{CheckpointComparison, compare_checkpoints};
use crate::analysis::outcome::FirstDifference;
use crate::replay::Checkpoint;

/// How often both sides are asked for more, until they diverge in the step of which they told more.
const MAX_ASKED: u32 = 8;

/// Two runs and where they diverge.
pub struct Gap<'a> {
    /// The conditions: the baseline, and the one that diverges from it.
    pub choices: [&'a Choice; 2],
    /// What reports call the two.
    pub names: [&'a str; 2],
    /// What each told.
    pub told: [&'a [Checkpoint]; 2],
    /// What comparing the two found.
    pub compared: CheckpointComparison,
    /// Where they diverge.
    pub difference: FirstDifference,
    /// Whether the baseline is known to come out the same each time.
    pub repeats: bool,
}

/// The step in which two further runs diverge, with all that they can tell of it.
struct Closer {
    compared: CheckpointComparison,
    sides: [Vec<Checkpoint>; 2],
    /// Where each side first came out otherwise than in its first run.
    changed: [Option<u32>; 2],
}

/// Where two logs part: in what both tell, or where one of them ends.
#[must_use]
pub fn first_divergence(compared: &CheckpointComparison) -> Option<FirstDifference> {
    let ends = compared.only_a_from.or(compared.only_b_from);
    compared.first.clone().or(ends.map(FirstDifference::in_step))
}

impl Gap<'_> {
    /// Names the difference, by asking both sides for more about the step where they can tell more.
    ///
    /// # Errors
    /// What a run answers.
    pub fn name(self, run: Run<'_>, found: &mut Bisection) -> Result<(), String> {
        let ends = [self.compared.only_a_from, self.compared.only_b_from];
        for (side, other) in [(0, 1), (1, 0)] {
            if let Some(from) = ends[side] {
                found
                    .notes
                    .push(format!("{} ends before step {from}, {} goes on", self.names[other], self.names[side]));
            }
        }
        let closer = self.closer(run, found)?;
        let Some((Closer { compared, sides: [a, b], changed }, difference)) =
            closer.and_then(|closer| closer.compared.first.clone().map(|first| (closer, first)))
        else {
            found.notes.extend(self.compared.notes);
            found.first = Some(with_objects(&self.difference, self.told));
            return Ok(());
        };
        self.note_other_runs(changed, difference.step, found);
        found.notes.extend(compared.notes);
        found.first = Some(with_objects(&difference, [&a, &b]));
        Ok(())
    }

    /// Says that what is named is of two further runs, where those came out otherwise than the first ones.
    fn note_other_runs(&self, changed: [Option<u32>; 2], step: u32, found: &mut Bisection) {
        let changed: Vec<String> = (0..2).filter_map(|side| self.change(side, changed[side])).collect();
        if !changed.is_empty() {
            let first = self.difference.step;
            found.notes.push(format!(
                "{}; what is named is of two further runs, which were compared with each other and diverge in step {step} (the \
                 first runs diverge in step {first})",
                changed.join("; ")
            ));
        }
    }

    /// How a side came out when it was asked for more.
    fn change(&self, side: usize, changed: Option<u32>) -> Option<String> {
        let (name, at) = (self.names[side], changed?);
        let why = if self.repeats { "it does not repeat, or asking for more changes it" } else { "it does not repeat" };
        Some(format!("{name} run once more for more detail gives another hash in step {at}: {why}"))
    }

    /// Both sides once more, with all that they can tell of the step in which they diverge; `None` when that is no more than
    /// is known, or when they never diverge where they told more.
    fn closer(&self, run: Run<'_>, found: &mut Bisection) -> Result<Option<Closer>, String> {
        let mut asked = self.difference.step;
        let mut changes = [None; 2];
        for _ in 0..MAX_ASKED {
            let mut sides: [Vec<Checkpoint>; 2] = Default::default();
            let mut changed = [None; 2];
            for side in [0, 1] {
                let Some(told) = run(self.choices[side], Ask::Step(asked))? else { return Ok(None) };
                changed[side] = first_change(self.told[side], &told.checkpoints, self.difference.step);
                changes[side] = changes[side].or(changed[side]);
                sides[side] = told.checkpoints;
            }
            let [a, b] = &sides;
            match first_divergence(&compare_checkpoints(a, b)) {
                Some(difference) if difference.step == asked => {
                    sides.iter_mut().for_each(|side| side.retain(|checkpoint| checkpoint.step == asked));
                    let compared = compare_checkpoints(&sides[0], &sides[1]);
                    return Ok(Some(Closer { compared, sides, changed }));
                }
                Some(difference) => asked = difference.step,
                // They agree this time: the next two may not.
                None => {}
            }
            if changes == [None; 2] {
                // They come out as before and will do so again: what they told more of is not where they diverge.
                return Ok(None);
            }
        }
        let changed: Vec<String> = (0..2).filter_map(|side| self.change(side, changes[side])).collect();
        found.notes.push(format!(
            "{}; of {MAX_ASKED} further pairs of runs none diverges in the step of which it told more, so that only the first \
             runs were compared",
            changed.join("; ")
        ));
        Ok(None)
    }
}

/// How many objects differ at the checkpoint of a difference, where both sides list objects then.
fn objects_at(difference: &FirstDifference, sides: [&[Checkpoint]; 2]) -> Option<usize> {
    let [a, b] = sides.map(|checkpoints| -> Vec<Checkpoint> {
        let is_there = |checkpoint: &&Checkpoint| {
            let FirstDifference { step, stage, phase, .. } = difference;
            checkpoint.step == *step && checkpoint.stage == *stage && checkpoint.phase == *phase
        };
        checkpoints.iter().filter(is_there).cloned().collect()
    });
    compare_checkpoints(&a, &b).spread.first().map(|(_, objects)| *objects)
}

/// The first step, up to `last`, at whose end two runs of one condition have other hashes.
fn first_change(first: &[Checkpoint], again: &[Checkpoint], last: u32) -> Option<u32> {
    let ends = |checkpoints: &[Checkpoint]| -> Vec<Checkpoint> {
        let ends = checkpoints.iter().filter(|checkpoint| checkpoint.stage.is_none() && checkpoint.step <= last);
        ends.filter_map(|checkpoint| Some(Checkpoint::of_hash(checkpoint.step, checkpoint.hash.clone()?))).collect()
    };
    let compared = compare_checkpoints(&ends(first), &ends(again));
    first_divergence(&compared).map(|difference| difference.step)
}

/// The difference of two series, with how many objects differ then.
fn with_objects(difference: &FirstDifference, sides: [&[Checkpoint]; 2]) -> FirstDifference {
    let objects = objects_at(difference, sides).filter(|_| difference.order.is_none());
    FirstDifference { objects, ..difference.clone() }
}
