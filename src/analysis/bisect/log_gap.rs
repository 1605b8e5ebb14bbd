//! Names the difference of two runs that come as hash logs, by asking both for more about the step in which they diverge.
//!
//! A run that is asked for more is a run of its own. Where such runs come out as the first ones did, they tell more of
//! those. Where they do not, they are compared with each other, and what is named is theirs.

use crate::analysis::bisect::Bisection;
use crate::analysis::bisect::ask::{Ask, Run};
use crate::analysis::bisect::search::Choice;
use crate::analysis::compare_checkpoints::{CheckpointComparison, Detail, compare_checkpoints, compare_series};
use crate::analysis::outcome::FirstDifference;
use crate::replay::{Checkpoint, LogSource};

/// How often both sides are asked for more, until they diverge in the step of which they told more.
const MAX_ASKED: u32 = 8;

/// Two runs and where they diverge.
pub struct Gap<'a> {
    /// The conditions: the baseline, or one that agrees with it, and the one that diverges from that.
    pub choices: [&'a Choice; 2],
    /// What reports call the two.
    pub names: [&'a str; 2],
    /// What each told.
    pub told: [&'a LogSource; 2],
    /// How many of the fields that differ first to list.
    pub fields: usize,
    /// What comparing the two found.
    pub compared: CheckpointComparison,
    /// Where they diverge.
    pub difference: FirstDifference,
    /// Whether a condition is known to come out the same each time.
    pub repeats: bool,
}

/// The step in which two further runs diverge, with all that they can tell of it.
struct Closer {
    compared: CheckpointComparison,
    /// Where each side first came out otherwise than in its first run.
    changed: [Option<u32>; 2],
}

/// Compares two logs, with so many of the fields that differ first.
///
/// # Errors
/// When one of them cannot be read.
pub fn compare_logs(a: &LogSource, b: &LogSource, fields: usize) -> Result<CheckpointComparison, String> {
    let (mut of_a, mut of_b) = (a.read(), b.read());
    let compared = compare_series(of_a.by_ref(), of_b.by_ref(), Detail { window: 0, fields, ..Detail::ALL_STEPS });
    of_a.end().and_then(|_| of_b.end()).map_err(|error| error.to_string())?;
    Ok(compared)
}

/// Where two logs part: in what both tell, or where one of them ends.
#[must_use]
pub fn first_divergence(compared: &CheckpointComparison) -> Option<FirstDifference> {
    let ends = compared.only_a_from.or(compared.only_b_from);
    compared.first.clone().or(ends.map(FirstDifference::in_step))
}

impl Gap<'_> {
    /// Names the difference, by asking both sides for more about the step where they can tell more. That a run fails which is asked
    /// for more takes nothing from what the first ones show: it is noted.
    pub fn name(mut self, run: Run<'_>, found: &mut Bisection) {
        let ends = [self.compared.only_a_from, self.compared.only_b_from];
        for (side, other) in [(0, 1), (1, 0)] {
            if let Some(from) = ends[side] {
                found
                    .notes
                    .push(format!("{} ends before step {from}, {} goes on", self.names[other], self.names[side]));
            }
        }
        let closer = self.closer(run, found).unwrap_or_else(|why| {
            found.notes.push(format!(
                "a run that is asked for more of the step in which they differ fails, so that only the first runs were compared: {why}"
            ));
            None
        });
        let may_begin_before = self.compared.may_begin_before;
        found.notes.extend(self.compared.gap_note());
        let Some((Closer { mut compared, changed }, step)) =
            closer.and_then(|closer| closer.compared.first.as_ref().map(|first| first.step).map(|step| (closer, step)))
        else {
            let mut notes = std::mem::take(&mut self.compared.notes);
            self.compared.withhold_where_it_may_begin_before(&mut notes);
            found.notes.extend(notes);
            found.first = first_divergence(&self.compared);
            return;
        };
        self.note_other_runs(changed, step, found);
        let mut notes = std::mem::take(&mut compared.notes);
        compared.may_begin_before &= may_begin_before;
        compared.withhold_where_it_may_begin_before(&mut notes);
        found.notes.extend(notes);
        found.first = compared.first;
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
            let mut changed = [None; 2];
            let mut ask = |side: usize| -> Result<Option<LogSource>, String> {
                let Some(told) = run(self.choices[side], Ask::Step(asked))? else { return Ok(None) };
                changed[side] = first_change(self.told[side], &told.log, self.difference.step);
                changes[side] = changes[side].or(changed[side]);
                Ok(Some(told.log))
            };
            let Some(a) = ask(0)? else { return Ok(None) };
            let Some(b) = ask(1)? else { return Ok(None) };
            let compared = compare_logs(&a, &b, self.fields)?;
            match first_divergence(&compared) {
                Some(difference) if difference.step == asked => {
                    // What is odd elsewhere is none of this step's business.
                    let notes = compare_checkpoints(&compared.told[0], &compared.told[1]).notes;
                    return Ok(Some(Closer { compared: CheckpointComparison { notes, ..compared }, changed }));
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

/// The first step, up to `last`, at whose end two runs of one condition have other hashes.
fn first_change(first: &LogSource, again: &LogSource, last: u32) -> Option<u32> {
    let [first, again] = [first, again].map(|log| {
        let ends = log.read().filter(move |checkpoint| checkpoint.stage.is_none() && checkpoint.step <= last);
        ends.filter_map(|checkpoint| Some(Checkpoint::of_hash(checkpoint.step, checkpoint.hash?)))
    });
    let compared = compare_series(first, again, Detail { window: 0, ..Detail::ALL_STEPS });
    first_divergence(&compared).map(|difference| difference.step)
}
