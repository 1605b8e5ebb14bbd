//! More than two recordings of what ought to be one run: which of them diverge from most of the others, and when.
//!
//! All are read once, side by side; what is held of each is the step that is being compared.

mod groups;

use std::collections::BTreeMap;

use crate::analysis::compare_checkpoints::Uncompared;
use crate::analysis::majority::groups::{Apart, Judged, Outcome, judge, largest};
use crate::analysis::outcome::Verdict;
use crate::analysis::resimulated::rollback_notes;
use crate::analysis::run_source::{RunSource, Series, digits_of, foreign_note};
use crate::replay::{Checkpoint, LogError};

/// How one of several recordings came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The first step in which it differs from most of the others.
    pub diverges_at: Option<u32>,
    /// Its last step, where most of the others end after another one.
    pub ends_after: Option<u32>,
}

impl Standing {
    /// Whether it is as most of the others are, as far as that is known.
    #[must_use]
    pub const fn holds(&self) -> bool {
        self.diverges_at.is_none() && self.ends_after.is_none()
    }
}

/// What comparing several recordings found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Majority {
    /// How each came out, in their order.
    pub standings: Vec<Standing>,
    /// Where no group is larger than each other one: the step, and a group's number for each of those that had not diverged before.
    pub split: Option<(u32, Vec<(usize, usize)>)>,
    /// How many steps two or more of them tell of.
    pub compared: u64,
    /// What one of them tells first, and not another one that agrees with it.
    untold: Option<String>,
    /// The first object of which those that agree tell the name alone.
    named_alone: Option<String>,
    /// Two that differ in the first step in which any do, by their places.
    differing: Option<(usize, usize)>,
    /// Whether of runs that begin at the same step no end is that of most.
    pub ends_are_split: bool,
    /// Two that begin at the same step, the first of which ends as most do and the second elsewhere.
    ending: Option<(usize, usize)>,
    /// Those of which no step is in another one, by their places.
    pub unshared: Vec<usize>,
    /// Those that in some step tell nothing that could be compared with most of the others, by their places; and what that is.
    pub uncompared: BTreeMap<usize, Uncompared>,
    /// Whether each tells of every step of which any tells.
    pub all_tell_all: bool,
    /// Whether one of them is cut off.
    pub is_damaged: bool,
    /// What else there is to say.
    pub notes: Vec<String>,
}

impl Majority {
    /// The verdict on all of them.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.is_damaged {
            return Verdict::Damaged;
        }
        let holds = self.split.is_none() && self.standings.iter().all(Standing::holds);
        match holds {
            false => Verdict::Diverged,
            true if !self.uncompared.is_empty() || !self.unshared.is_empty() => Verdict::Failed,
            true => Verdict::Same,
        }
    }

    /// Whether it agrees with the others in all that it tells: it does not diverge, and could be compared.
    #[must_use]
    pub fn agrees(&self, place: usize) -> bool {
        let is_compared = !self.unshared.contains(&place) && !self.uncompared.contains_key(&place);
        is_compared && self.standings.get(place).is_some_and(Standing::holds)
    }

    /// The same with the place in this list for each place.
    fn with_places(mut self, order: &[usize]) -> Self {
        let place = |place: usize| order.get(place).copied().unwrap_or(place);
        let pair = |(one, other): (usize, usize)| (place(one), place(other));
        let mut standings: Vec<(usize, Standing)> = order.iter().copied().zip(self.standings).collect();
        standings.sort_by_key(|(place, _)| *place);
        self.standings = standings.into_iter().map(|(_, standing)| standing).collect();
        if let Some((_, members)) = &mut self.split {
            members.iter_mut().for_each(|(member, _)| *member = place(*member));
            members.sort_unstable();
        }
        self.differing = self.differing.map(pair);
        self.ending = self.ending.map(pair);
        self.unshared.iter_mut().for_each(|unshared| *unshared = place(*unshared));
        self.uncompared = self.uncompared.into_iter().map(|(side, uncompared)| (place(side), uncompared)).collect();
        self
    }

    /// One of those that most agree with, and the one that diverges from them first: what to look at more closely.
    #[must_use]
    pub fn closest_look(&self) -> Option<(usize, usize)> {
        self.differing.or(self.ending)
    }
}

/// Compares several recordings of one run, which notes call by these names. They are taken in the order of their names, so that nothing
/// follows from the order in which they are given.
///
/// # Errors
/// When a log cannot be read.
pub fn compare_all(sources: &[RunSource], names: &[String]) -> Result<Majority, LogError> {
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|&place| names.get(place));
    let ordered: Vec<&RunSource> = order.iter().filter_map(|&place| sources.get(place)).collect();
    let names: Vec<&str> = order.iter().map(|&place| names.get(place).map_or("", String::as_str)).collect();
    Ok(compare_in_order(&ordered, &names)?.with_places(&order))
}

fn compare_in_order(sources: &[&RunSource], names: &[&str]) -> Result<Majority, LogError> {
    let digits = digits_of(sources.iter().copied());
    let mut sides: Vec<Side<'_>> = sources.iter().map(|source| Side::of(source, digits)).collect();
    let mut reasons: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
    let mut found = Majority { standings: vec![Standing::default(); sources.len()], ..Majority::default() };
    let mut distinct_steps = 0;
    while let Some(step) = sides.iter().filter_map(Side::next_step).min() {
        distinct_steps += 1;
        let told: Vec<(usize, Vec<Checkpoint>)> = sides
            .iter_mut()
            .enumerate()
            .map(|(place, side)| (place, side.take(step)))
            .filter(|(place, told)| !told.is_empty() && found.standings[*place].diverges_at.is_none())
            .collect();
        if told.len() > 1 {
            found.compared += 1;
            told.iter().for_each(|(place, _)| sides[*place].is_shared = true);
        }
        let Judged { outcome, uncompared, untold, named_alone, differing } =
            if found.split.is_none() { judge(&told) } else { Judged::default() };
        for Apart { place, sides, count, why } in uncompared {
            reasons.entry(place).or_insert(sides);
            found.uncompared.entry(place).or_default().add(step, count, || why);
        }
        if let Some((pair, what)) = untold.filter(|_| found.untold.is_none()) {
            let [more, less] = pair.map(|place| names[place]);
            found.untold = Some(format!("only {more} tells {what}, {less} does not: compared is what both tell"));
        }
        found.named_alone = found.named_alone.or_else(|| Some(format!("{} of step {step}", named_alone?)));
        match outcome {
            Outcome::Peace => {}
            Outcome::Most { held, odd } => {
                found.differing = found.differing.or_else(|| closest_pair(&held, &differing));
                odd.iter().for_each(|place| found.standings[*place].diverges_at = Some(step));
            }
            Outcome::Split(members) => {
                let first_group = members.iter().filter(|(_, group)| *group == 0).map(|(place, _)| *place);
                found.differing =
                    found.differing.or_else(|| closest_pair(&first_group.collect::<Vec<_>>(), &differing));
                found.split = Some((step, members));
            }
        }
    }
    let steps: Vec<u64> = sides.iter().map(|side| side.steps).collect();
    found.all_tell_all = steps.iter().all(|&told| told == distinct_steps);
    found.unshared = (0..sides.len()).filter(|place| !sides[*place].is_shared).collect();
    let mut notes_on_files = Vec::new();
    let mut runs = Vec::new();
    for (place, ((side, source), name)) in sides.into_iter().zip(sources).zip(names).enumerate() {
        let run = Run::of(place, source, &side);
        let end = side.series.end()?;
        if let (Some(end), RunSource::Log(log)) = (&end, source) {
            notes_on_files.extend(foreign_note(log, end));
            notes_on_files.extend(rollback_notes(log)?);
        }
        let damage = source.damage().or_else(|| end.and_then(|end| end.damage));
        found.is_damaged |= damage.is_some();
        // Of one that is cut off nobody knows where the run ended.
        runs.extend(run.filter(|_| damage.is_none()));
        notes_on_files.extend(damage.map(|damage| format!("{name} is damaged: {damage}")));
    }
    judge_ends(&runs, &mut found);
    for (place, uncompared) in &found.uncompared {
        let sides = reasons.get(place).copied().unwrap_or([*place; 2]);
        let why = uncompared.why(sides.map(|side| names[side])).unwrap_or_default();
        let (name, count, steps) = (names[*place], uncompared.counted(), uncompared.steps());
        found.notes.push(format!(
            "{count} of {name} could not be compared with others, in {steps}: {why}; log the same in all"
        ));
    }
    let unshared = found.unshared.iter();
    found.notes.extend(unshared.map(|&place| {
        format!("no step of {} is in another one, so that nothing of it was compared; log the same steps", names[place])
    }));
    found.notes.extend(found.untold.take());
    if let Some(object) = found.named_alone.take().filter(|_| found.differing.is_none()) {
        found.notes.push(format!(
            "of object {object} those that agree tell the name alone, and no hash that covers it: no more of it was compared; log its \
             fields or its hash"
        ));
    }
    note_what_was_not_compared(&steps, names, &mut found);
    found.notes.extend(notes_on_files);
    Ok(found)
}

/// Which of those that hold do not tell of all steps up to their ends.
fn note_what_was_not_compared(steps: &[u64], names: &[&str], found: &mut Majority) {
    let all = steps.iter().copied().max().unwrap_or(0);
    for (place, (&steps, name)) in steps.iter().zip(names).enumerate() {
        if !found.unshared.contains(&place) && steps < all && found.standings[place].diverges_at.is_none() {
            let steps = if steps == 1 { "one step".to_owned() } else { format!("{steps} steps") };
            found
                .notes
                .push(format!("{name} tells of {steps}, another one of {all}: in the others nothing is known of it"));
        }
    }
}

/// Two that differ, the first of them one of those that `held`, where one of them is.
fn closest_pair(held: &[usize], differing: &[(usize, usize)]) -> Option<(usize, usize)> {
    let of_held = differing.iter().find_map(|&(one, other)| match [one, other].map(|place| held.contains(&place)) {
        [true, false] => Some((one, other)),
        [false, true] => Some((other, one)),
        _ => None,
    });
    of_held.or_else(|| differing.first().copied())
}

/// One that tells of a run from some step to its end.
struct Run {
    place: usize,
    first: u32,
    last: u32,
}

impl Run {
    /// Traces and ladders tell of some steps only.
    fn of(place: usize, source: &RunSource, side: &Side<'_>) -> Option<Self> {
        let is_run = side.is_shared && source.is_run();
        let (first, last) = side.first.zip(side.last).filter(|_| is_run)?;
        Some(Self { place, first, last })
    }
}

/// Those that have not diverged and end after another step than most of those that begin at the same step, also where nobody can be said to
/// be right. What begins elsewhere may be a part of a run.
fn judge_ends(runs: &[Run], found: &mut Majority) {
    let mut windows: BTreeMap<u32, BTreeMap<u32, Vec<usize>>> = BTreeMap::new();
    for run in runs.iter().filter(|run| found.standings[run.place].diverges_at.is_none()) {
        windows.entry(run.first).or_default().entry(run.last).or_default().push(run.place);
    }
    for by_end in windows.into_values().filter(|by_end| by_end.len() > 1) {
        let most = largest(&by_end.values().cloned().collect::<Vec<_>>());
        found.ends_are_split |= most.is_none();
        for (last, places) in by_end {
            if most.as_ref() == Some(&places) {
                continue;
            }
            places.iter().for_each(|place| found.standings[*place].ends_after = Some(last));
            let pair = most.as_ref().and_then(|most| Some((*most.first()?, *places.first()?)));
            found.ending = found.ending.or(pair);
        }
    }
}

/// One recording under way.
struct Side<'a> {
    series: Series<'a>,
    /// What it tells next.
    next: Option<Checkpoint>,
    /// The steps that it told of first and last.
    first: Option<u32>,
    last: Option<u32>,
    /// How many steps it told of.
    steps: u64,
    /// Whether another one tells of one of its steps.
    is_shared: bool,
}

impl<'a> Side<'a> {
    fn of(source: &'a RunSource, digits: usize) -> Self {
        let mut series = source.series(digits);
        let next = series.next();
        Self { series, next, first: None, last: None, steps: 0, is_shared: false }
    }

    fn next_step(&self) -> Option<u32> {
        self.next.as_ref().map(|checkpoint| checkpoint.step)
    }

    /// All that it tells of a step, if that is the next one.
    fn take(&mut self, step: u32) -> Vec<Checkpoint> {
        let mut told = Vec::new();
        while let Some(checkpoint) = self.next.take_if(|checkpoint| checkpoint.step == step) {
            told.push(checkpoint);
            self.next = self.series.next();
        }
        if !told.is_empty() {
            self.first.get_or_insert(step);
            self.last = Some(step);
            self.steps += 1;
        }
        told
    }
}

#[cfg(test)]
mod tests;
