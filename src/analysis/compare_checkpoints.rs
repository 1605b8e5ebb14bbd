//! Two series of checkpoints, from traces or hash logs: where they first differ, as exactly as both sides tell.
//!
//! Whatever both sides have of a checkpoint is compared: hash, sections, objects, fields. Any mix of detail will do; what
//! could not be named for want of detail is in the notes, with what to log next time. Both series are read once, side by side: what
//! is held of each is the step that is being compared, and the step in which they first differ.

mod evidence;
mod pair;
mod sections;
mod tally;
mod ulps;
mod uncompared;
mod uncovered;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

use crate::analysis::compare_checkpoints::pair::Pair;
use crate::analysis::compare_checkpoints::tally::Tally;
use crate::analysis::outcome::{FirstDifference, OrderDifference, OrderOf};
use crate::replay::Checkpoint;

pub use evidence::{Basis, Checkpoints, Untold};
pub use tally::StepTally;
pub use uncompared::{Reason, Uncompared};
pub use uncovered::{Uncovered, uncovered_by, uncovered_in};

/// What comparing two series found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckpointComparison {
    /// The first difference; what could not be named is `None`.
    pub first: Option<FirstDifference>,
    /// How many objects differ at the end of each step, from the first difference on, where both sides list objects.
    pub spread: Vec<(u32, usize)>,
    /// The first step after the difference from which on all that was compared is the same.
    pub healed_at: Option<u32>,
    /// How many checkpoints both sides have and could be compared.
    pub compared: usize,
    /// How many checkpoints only the first side has.
    pub only_a: usize,
    /// How many checkpoints only the second side has.
    pub only_b: usize,
    /// The first checkpoint that only the first side has: its step, and its stage.
    pub first_only_a: Option<(u32, Option<String>)>,
    /// The first checkpoint that only the second side has.
    pub first_only_b: Option<(u32, Option<String>)>,
    /// Checkpoints that tell different things on the two sides, and steps of which no checkpoint is on both.
    pub uncompared: Uncompared,
    /// What the first side tells of objects that nothing covers of what the second tells.
    pub uncovered: Option<Uncovered>,
    /// Checkpoints of which nothing was compared of an object but its name, which is all that both tell of it.
    pub named_alone: Checkpoints,
    /// By what checkpoints were compared.
    pub bases: BTreeSet<Basis>,
    /// What the first side tells and the second does not, and the other way round: it was not compared.
    pub untold: [Untold; 2],
    /// Stages of steps of which the other side tells no stage at all.
    pub stages_alone: [Checkpoints; 2],
    /// From this step on only the first side goes.
    pub only_a_from: Option<u32>,
    /// From this step on only the second side goes.
    pub only_b_from: Option<u32>,
    /// Which steps the two sides tell of.
    pub steps: StepTally,
    /// Whether the first difference is in the first checkpoint of its step that could be compared, and nobody knows whether the two were
    /// the same in the step before.
    pub may_begin_before: bool,
    /// What each side tells of the step of the first difference.
    pub told: [Vec<Checkpoint>; 2],
    /// What could not be known, and how to find out.
    pub notes: Vec<String>,
    /// That of the notes which says why the first difference is not named in full: where more is told of it, it is void.
    pub naming: Option<String>,
}

impl CheckpointComparison {
    /// What only one side tells, with the names of the two.
    pub fn untold_notes(&self, [a, b]: [&str; 2]) -> impl Iterator<Item = String> {
        self.told_by_one().into_iter().zip([[a, b], [b, a]]).filter_map(|(what, [more, less])| {
            Some(format!("only {more} tells {}, {less} does not: compared is what both tell", what?))
        })
    }

    /// Takes back the stage of a first difference that may have begun in an earlier step, and says why. Of the order of the stages it is
    /// known where it came up, and before step 0 there is nothing.
    pub fn withhold_where_it_may_begin_before(&mut self, notes: &mut Vec<String>) {
        let may_begin_before = self.may_begin_before;
        let is_withheld = |first: &&mut FirstDifference| {
            may_begin_before && first.stage.is_some() && first.order.is_none() && first.step > 0
        };
        let Some(first) = self.first.as_mut().filter(is_withheld) else { return };
        let step = first.step;
        (first.stage, first.phase) = (None, None);
        let why = match self.steps.last_same {
            None => "the two differ in the first checkpoint that both tell of".to_owned(),
            Some(same) if same + 1 == step => format!("the last checkpoints of step {same} were not compared"),
            Some(same) => format!("after step {same} the two differ in the first checkpoint that could be compared"),
        };
        notes.push(format!(
            "{why}, so no stage is named: they may have diverged before step {step}; trace earlier steps, or compare the replays"
        ));
    }

    /// That of an object nothing but the name was compared, where nothing differs.
    #[must_use]
    pub fn named_alone_note(&self) -> Option<String> {
        let what = self.named_alone.text().filter(|_| self.first.is_none())?;
        Some(format!(
            "of {what} both tell the name alone, and no hash that covers it: no more of it was compared; log its fields or its hash"
        ))
    }

    /// That nothing is known of the steps before the first difference, back to one that is the same.
    #[must_use]
    pub fn gap_note(&self) -> Option<String> {
        let (same, step) = (self.steps.last_same?, self.first.as_ref()?.step);
        (same + 1 < step)
            .then(|| format!("the same at step {same}, not at step {step}; of the steps between nothing is known"))
    }

    /// What each side tells and the other does not, in words.
    #[must_use]
    pub fn told_by_one(&self) -> [Option<String>; 2] {
        [0, 1].map(|side| {
            let (stages, rest) = (self.stages_alone[side].text(), self.untold[side].all.text());
            let parts: Vec<String> = stages.into_iter().chain(rest).collect();
            (!parts.is_empty()).then(|| parts.join(", and "))
        })
    }
}

/// How much is told of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// For how many steps to follow how it spreads.
    pub window: u32,
    /// How many of the fields that differ first to list, at most.
    pub fields: usize,
    /// Whether the first side is all that counts: what it tells by name alone has come again where the second tells more of it. Of two
    /// equals such an object could not be compared.
    pub names_suffice: bool,
    /// Whether a checkpoint of which the first side tells nothing at all is compared, whatever the second tells of it.
    pub silence_suffices: bool,
    /// The steps, from the first to the last, of which the second side owes all that the first tells: elsewhere it may leave out what hashes
    /// that both tell cover.
    pub owed: Option<(u32, u32)>,
}

impl Detail {
    /// All steps, and one field.
    pub const ALL_STEPS: Self =
        Self { window: u32::MAX, fields: 1, names_suffice: false, silence_suffices: false, owed: None };
}

/// Compares two series that are in memory, matching checkpoints by step, stage and phase.
#[must_use]
pub fn compare_checkpoints(a: &[Checkpoint], b: &[Checkpoint]) -> CheckpointComparison {
    compare_series(a.iter(), b.iter(), Detail::ALL_STEPS)
}

/// The first object of which two tell the name alone at a checkpoint that both have, and that no hash covers.
#[must_use]
pub fn named_alone(a: &[Checkpoint], b: &[Checkpoint]) -> Option<String> {
    a.iter().find_map(|checkpoint| {
        let other = b.iter().find(|other| place_in_step(other) == place_in_step(checkpoint))?;
        Pair { a: checkpoint, b: other, names_suffice: false }.named_alone()
    })
}

/// Compares two series, each in the order of its steps, matching checkpoints by step, stage and phase. Both are read to their ends.
#[must_use]
pub fn compare_series<A, B>(a: A, b: B, detail: Detail) -> CheckpointComparison
where
    A: Iterator<Item: Told>,
    B: Iterator<Item: Told>,
{
    let (mut a, mut b) = (a.peekable(), b.peekable());
    let mut series = Series {
        detail,
        found: CheckpointComparison::default(),
        tally: Tally::default(),
        strangers: 0,
        witnessed: None,
    };
    loop {
        let steps = [next_step(&mut a), next_step(&mut b)];
        let step = match steps {
            [Some(a), Some(b)] => a.min(b),
            [Some(step), None] | [None, Some(step)] => step,
            [None, None] => break,
        };
        let (left, right) = (take_step(&mut a, step), take_step(&mut b, step));
        series.step(step, left, right);
    }
    series.finish()
}

/// A checkpoint of a series that is in memory, or one that was read and goes on to whoever keeps it.
pub trait Told: Borrow<Checkpoint> {
    /// The checkpoint itself.
    fn into_checkpoint(self) -> Checkpoint;
}

impl Told for Checkpoint {
    fn into_checkpoint(self) -> Checkpoint {
        self
    }
}

impl Told for &Checkpoint {
    fn into_checkpoint(self) -> Checkpoint {
        self.clone()
    }
}

/// The step that comes next in a series.
fn next_step<I: Iterator<Item: Borrow<Checkpoint>>>(series: &mut Peekable<I>) -> Option<u32> {
    series.peek().map(|checkpoint| checkpoint.borrow().step)
}

/// All that a series tells of a step that comes next in it, or nothing.
fn take_step<I: Iterator<Item: Borrow<Checkpoint>>>(series: &mut Peekable<I>, step: u32) -> Vec<I::Item> {
    let mut taken = Vec::new();
    while let Some(checkpoint) = series.next_if(|checkpoint| checkpoint.borrow().step == step) {
        taken.push(checkpoint);
    }
    taken
}

/// A comparison under way.
struct Series {
    detail: Detail,
    found: CheckpointComparison,
    tally: Tally,
    /// Stages and phases that only one side has of a step.
    strangers: usize,
    /// The last step of which all was the same that both tell, up to the last checkpoint of each.
    witnessed: Option<u32>,
}

impl Series {
    /// Compares what both sides tell of a step.
    fn step<A: Told, B: Told>(&mut self, step: u32, left: Vec<A>, right: Vec<B>) {
        self.tally.add(step, !left.is_empty(), !right.is_empty());
        let places: BTreeMap<_, _> =
            right.iter().map(Borrow::borrow).map(|other| (place_in_step(other), other)).collect();
        self.count_strangers(&left, &right, &places);
        let was_known = self.found.first.is_some();
        let before = (self.found.compared, self.found.uncompared.count);
        let is_witnessed = self.witnessed.is_some_and(|same| same + 1 == step);
        let order = differing_order(&left, &right, &places);
        let (mut objects_at_end, mut matched, mut differs) = (None, 0, false);
        for checkpoint in left.iter().map(Borrow::borrow) {
            let Some(other) = places.get(&place_in_step(checkpoint)) else {
                self.found.only_a += 1;
                self.found.first_only_a.get_or_insert_with(|| (step, checkpoint.stage.clone()));
                continue;
            };
            let may_begin_before = !is_witnessed && self.found.compared == before.0;
            if let Some(order) = order.as_ref().filter(|order| order.place == matched) {
                differs = true;
                if self.found.first.is_none() {
                    self.found.first = Some(other_order(checkpoint, order.clone()));
                    self.found.may_begin_before = may_begin_before;
                }
            }
            matched += 1;
            let pair = Pair { a: checkpoint, b: other, names_suffice: self.detail.names_suffice };
            let is_owed = self.detail.owed.is_some_and(|(from, to)| (from..=to).contains(&step));
            if self.found.untold[0].add(checkpoint, other, is_owed) {
                Uncovered::add_pair(&mut self.found.uncovered, checkpoint, other);
            }
            self.found.untold[1].add(other, checkpoint, false);
            let is_silent = self.detail.silence_suffices && checkpoint.tells_nothing();
            if let Some(why) = pair.not_covered().filter(|_| !is_silent) {
                self.found.uncompared.add(step, 1, || why);
            }
            if !pair.is_comparable() {
                continue;
            }
            self.found.compared += 1;
            self.found.bases.extend(Basis::of(checkpoint, other));
            if let Some(object) = pair.named_alone() {
                self.found.bases.insert(Basis::Names);
                self.found.named_alone.add_object(step, &object);
            }
            if self.found.first.is_none() {
                let mut naming = Vec::new();
                self.found.first = pair.first_difference(self.detail.fields, &mut naming);
                self.found.notes.extend(naming.iter().cloned());
                self.found.naming = naming.pop();
                self.found.may_begin_before = may_begin_before && self.found.first.is_some();
            } else {
                differs = differs || pair.differs();
            }
            if self.found.first.is_some() && self.is_followed(step) {
                objects_at_end = pair.differing_objects().or(objects_at_end);
            }
        }
        self.found.only_b += right.len() - matched;
        if right.len() > matched && self.found.first_only_b.is_none() {
            let of_left: BTreeSet<_> = left.iter().map(|checkpoint| place_in_step(checkpoint.borrow())).collect();
            let alone = right.iter().map(Borrow::borrow).find(|other| !of_left.contains(&place_in_step(other)));
            self.found.first_only_b = alone.map(|alone| (step, alone.stage.clone()));
        }
        if matched == 0 && !left.is_empty() && !right.is_empty() {
            let why = || Reason::NoPlace { first: [first_place(&left), first_place(&right)] };
            self.found.uncompared.add(step, left.len().max(right.len()), why);
        }
        let [last_of_left, last_of_right] = [last_place(&left), last_place(&right)];
        let end_alike = last_of_left == last_of_right;
        let is_first = !was_known && self.found.first.is_some();
        if is_first {
            self.found.told = [
                left.into_iter().map(Told::into_checkpoint).collect(),
                right.into_iter().map(Told::into_checkpoint).collect(),
            ];
        }
        // All of it was compared, and something was.
        let is_known = self.found.compared > before.0 && self.found.uncompared.count == before.1;
        if self.found.first.is_none() {
            self.tally.same(step, is_known);
            if is_known && end_alike {
                self.witnessed = Some(step);
            }
            return;
        }
        self.found.spread.extend(objects_at_end.map(|objects| (step, objects)));
        let is_same_again = is_known && !differs && !is_first;
        match self.found.healed_at {
            None if is_same_again => self.found.healed_at = Some(step),
            Some(_) if matched > 0 && !is_same_again => self.found.healed_at = None,
            _ => {}
        }
    }

    /// Whether it is of interest how the difference has spread in this step.
    fn is_followed(&self, step: u32) -> bool {
        let first = self.found.first.as_ref().map_or(step, |first| first.step);
        step - first <= self.detail.window
    }

    /// Counts stages and phases of one side alone.
    fn count_strangers<A: Borrow<Checkpoint>, B: Borrow<Checkpoint>>(
        &mut self,
        left: &[A],
        right: &[B],
        places: &BTreeMap<Place<'_>, &Checkpoint>,
    ) {
        let is_staged = left.iter().any(|checkpoint| checkpoint.borrow().stage.is_some())
            && right.iter().any(|checkpoint| checkpoint.borrow().stage.is_some());
        if is_staged {
            let of_left: BTreeSet<_> = left.iter().map(|checkpoint| place_in_step(checkpoint.borrow())).collect();
            self.strangers += places.keys().filter(|place| !of_left.contains(*place)).count();
            self.strangers += of_left.iter().filter(|place| !places.contains_key(*place)).count();
        } else if !left.is_empty() && !right.is_empty() {
            let [of_a, of_b] = &mut self.found.stages_alone;
            left.iter().for_each(|checkpoint| of_a.add_stage(checkpoint.borrow()));
            right.iter().for_each(|checkpoint| of_b.add_stage(checkpoint.borrow()));
        }
    }

    /// What was found, with what could not be known.
    fn finish(self) -> CheckpointComparison {
        let Self { mut found, tally, strangers, .. } = self;
        [found.only_a_from, found.only_b_from] = tally.beyond();
        found.steps = tally.steps;
        if strangers > 0 {
            found.notes.push(format!(
                "stages or phases that only one side has, and that were not compared: {strangers}; name them alike on both sides"
            ));
        }
        if let Some(text) = found.uncompared.text() {
            found.notes.push(text);
        } else if found.compared == 0 {
            let [a, b] = found.steps.ranges.map(|range| match range {
                Some((first, last)) => format!("steps {first} to {last}"),
                None => "no steps".to_owned(),
            });
            found.notes.push(format!(
                "nothing was compared: no step, stage and phase is on both sides ({a} and {b}); log the same checkpoints on both \
                 sides"
            ));
        }
        found.notes.extend(found.named_alone_note());
        found
    }
}

/// A stage and phase, or the end of the step.
type Place<'a> = (Option<&'a str>, Option<&'a str>);

fn place_in_step(checkpoint: &Checkpoint) -> Place<'_> {
    (checkpoint.stage.as_deref(), checkpoint.phase.as_deref())
}

/// A place in words.
fn place_text((stage, phase): Place<'_>) -> String {
    match (stage, phase) {
        (Some(stage), Some(phase)) => format!("{stage}, {phase}"),
        (Some(stage), None) => stage.to_owned(),
        (None, _) => "the end of the step".to_owned(),
    }
}

/// What a side tells of last in a step.
fn last_place<C: Borrow<Checkpoint>>(told: &[C]) -> Option<Place<'_>> {
    told.last().map(|checkpoint| place_in_step(checkpoint.borrow()))
}

/// What a side tells of first in a step, in words.
fn first_place<C: Borrow<Checkpoint>>(told: &[C]) -> String {
    told.first().map_or_else(String::new, |checkpoint| place_text(place_in_step(checkpoint.borrow())))
}

/// The first place, counted among the stages and phases that both sides have of a step, at which they have another one.
fn differing_order<A: Borrow<Checkpoint>, B: Borrow<Checkpoint>>(
    left: &[A],
    right: &[B],
    of_right: &BTreeMap<Place<'_>, &Checkpoint>,
) -> Option<OrderDifference> {
    let of_left: BTreeSet<_> = left.iter().map(|checkpoint| place_in_step(checkpoint.borrow())).collect();
    let in_a = left.iter().map(|checkpoint| place_in_step(checkpoint.borrow())).filter(|at| of_right.contains_key(at));
    let in_b = right.iter().map(|checkpoint| place_in_step(checkpoint.borrow())).filter(|at| of_left.contains(at));
    let (place, (a, b)) = in_a.zip(in_b).enumerate().find(|(_, (a, b))| a != b)?;
    Some(OrderDifference { of: OrderOf::Stages, section: None, place, a: place_text(a), b: place_text(b) })
}

/// That the stages of a step come in another order, from this checkpoint of the first side on.
fn other_order(checkpoint: &Checkpoint, order: OrderDifference) -> FirstDifference {
    FirstDifference {
        stage: checkpoint.stage.clone(),
        phase: checkpoint.phase.clone(),
        order: Some(order),
        ..FirstDifference::in_step(checkpoint.step)
    }
}

#[cfg(test)]
mod tests;
