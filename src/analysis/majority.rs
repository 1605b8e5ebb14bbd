//! More than two recordings of what ought to be one run: which of them diverge from most of the others, and when.
//!
//! All are read once, side by side; what is held of each is the step that is being compared.

mod groups;

use crate::analysis::compare_checkpoints::Uncompared;
use crate::analysis::majority::groups::{Grouped, grouped, largest};
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
    /// What one of them tells in terms in which no other one does.
    pub uncompared: Uncompared,
    /// What one of them tells first, and not another one that agrees with it.
    untold: Option<String>,
    /// Two that differ in the first step in which any do, by their places.
    differing: Option<(usize, usize)>,
    /// Those of which no step is in another one, by their places.
    pub unshared: Vec<usize>,
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
            true if self.uncompared.count > 0 => Verdict::Failed,
            true => Verdict::Same,
        }
    }

    /// One of those that most agree with, and the one that diverges from them first: what to look at more closely.
    #[must_use]
    pub fn closest_look(&self) -> Option<(usize, usize)> {
        self.differing.or_else(|| {
            let held = self.standings.iter().position(Standing::holds)?;
            let other = self.standings.iter().position(|standing| !standing.holds())?;
            Some((held, other))
        })
    }
}

/// Compares several recordings of one run, which notes call by these names.
///
/// # Errors
/// When a log cannot be read.
pub fn compare_all(sources: &[RunSource], names: &[String]) -> Result<Majority, LogError> {
    let digits = digits_of(sources.iter());
    let mut sides: Vec<Side<'_>> = sources.iter().map(|source| Side::of(source, digits)).collect();
    let mut found = Majority { standings: vec![Standing::default(); sources.len()], ..Majority::default() };
    while let Some(step) = sides.iter().filter_map(Side::next_step).min() {
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
        let Grouped { groups, uncompared, untold, differing } =
            if found.split.is_none() { grouped(&told) } else { Grouped::default() };
        for (place, why) in uncompared {
            let name = names.get(place).map_or("", String::as_str);
            found.uncompared.add(step, || format!("what {name} tells cannot be compared with the others: {why}"));
        }
        if let Some((pair, what)) = untold.filter(|_| found.untold.is_none()) {
            let [more, less] = pair.map(|place| names.get(place).map_or("", String::as_str));
            found.untold = Some(format!("only {more} tells {what}, {less} does not: compared is what both tell"));
        }
        if groups.len() < 2 {
            continue;
        }
        found.differing = found.differing.or_else(|| closest_pair(&groups, &differing));
        match largest(&groups) {
            Some(most) => {
                let others = groups.iter().enumerate().filter(|(group, _)| *group != most);
                others.flat_map(|(_, group)| group).for_each(|place| found.standings[*place].diverges_at = Some(step));
            }
            None => {
                let numbered = groups.iter().enumerate();
                let of_group = |(number, group): (usize, &Vec<usize>)| -> Vec<(usize, usize)> {
                    group.iter().map(|place| (*place, number)).collect()
                };
                let mut members: Vec<(usize, usize)> = numbered.flat_map(of_group).collect();
                members.sort_unstable();
                found.split = Some((step, members));
            }
        }
    }
    found.unshared = (0..sides.len()).filter(|place| !sides[*place].is_shared).collect();
    for place in &found.unshared {
        let name = names.get(*place).map_or("", String::as_str);
        found.uncompared.add(sides[*place].last.unwrap_or(0), || format!("no step of {name} is in another one"));
    }
    judge_ends(&sides, &mut found);
    found.notes.extend(found.uncompared.text());
    found.notes.extend(found.untold.take());
    note_what_was_not_compared(&sides, names, &mut found);
    for ((side, source), name) in sides.into_iter().zip(sources).zip(names) {
        let end = side.series.end()?;
        if let (Some(end), RunSource::Log(log)) = (&end, source) {
            found.notes.extend(foreign_note(log, end));
            found.notes.extend(rollback_notes(log)?);
        }
        let damage = source.damage().or_else(|| end.and_then(|end| end.damage));
        found.is_damaged |= damage.is_some();
        found.notes.extend(damage.map(|damage| format!("{name} is damaged: {damage}")));
    }
    Ok(found)
}

/// Which of those that hold do not tell of all steps up to their ends.
fn note_what_was_not_compared(sides: &[Side<'_>], names: &[String], found: &mut Majority) {
    let all = sides.iter().map(|side| side.steps).max().unwrap_or(0);
    for ((side, name), standing) in sides.iter().zip(names).zip(&found.standings) {
        if side.is_shared && side.steps < all && standing.diverges_at.is_none() {
            let steps = if side.steps == 1 { "one step".to_owned() } else { format!("{} steps", side.steps) };
            found
                .notes
                .push(format!("{name} tells of {steps}, another one of {all}: in the others nothing is known of it"));
        }
    }
}

/// Two that differ, the first of them one that most agree with, where most do.
fn closest_pair(groups: &[Vec<usize>], differing: &[(usize, usize)]) -> Option<(usize, usize)> {
    let held = &groups[largest(groups).unwrap_or(0)];
    let of_held = differing.iter().find_map(|&(one, other)| match [one, other].map(|place| held.contains(&place)) {
        [true, false] => Some((one, other)),
        [false, true] => Some((other, one)),
        _ => None,
    });
    of_held.or_else(|| differing.first().copied())
}

/// Those that have not diverged and end after another step than most of them.
fn judge_ends(sides: &[Side<'_>], found: &mut Majority) {
    if found.split.is_some() {
        return;
    }
    let mut ends: Vec<(u32, Vec<usize>)> = Vec::new();
    for (place, side) in sides.iter().enumerate().filter(|(place, _)| found.standings[*place].diverges_at.is_none()) {
        let Some(last) = side.last.filter(|_| side.is_shared) else { continue };
        match ends.iter_mut().find(|(end, _)| *end == last) {
            Some((_, group)) => group.push(place),
            None => ends.push((last, vec![place])),
        }
    }
    let groups: Vec<Vec<usize>> = ends.iter().map(|(_, group)| group.clone()).collect();
    let most = largest(&groups);
    if groups.len() < 2 {
        return;
    }
    for (_, (last, group)) in ends.iter().enumerate().filter(|(number, _)| Some(*number) != most) {
        group.iter().for_each(|place| found.standings[*place].ends_after = Some(*last));
    }
}

/// One recording under way.
struct Side<'a> {
    series: Series<'a>,
    /// What it tells next.
    next: Option<Checkpoint>,
    /// The step that it told of last.
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
        Self { series, next, last: None, steps: 0, is_shared: false }
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
            self.last = Some(step);
            self.steps += 1;
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::{Majority, Standing, compare_all};
    use crate::analysis::outcome::Verdict;
    use crate::analysis::run_source::RunSource;
    use crate::replay::{Checkpoint, LogSource, ObjectRecord};

    /// Compares logs of a letter for the hash of each step.
    fn compare(logs: &[&str]) -> Majority {
        let source = |hashes: &&str| {
            let checkpoints = (0..).zip(hashes.chars()).map(|(step, hash)| Checkpoint::of_hash(step, hash.to_string()));
            RunSource::Log(LogSource::of_checkpoints(hashes, checkpoints.collect()))
        };
        let names: Vec<String> = logs.iter().map(|name| (*name).to_owned()).collect();
        compare_all(&logs.iter().map(source).collect::<Vec<RunSource>>(), &names).expect("logs")
    }

    const HOLDS: Standing = Standing { diverges_at: None, ends_after: None };

    #[test]
    fn the_odd_ones_out_are_told_with_their_steps() {
        let found = compare(&["abcdef", "abcxyz", "abcdef", "abcdeg", "abcdef"]);
        let diverges = |step| Standing { diverges_at: Some(step), ..HOLDS };
        assert_eq!(found.standings, [HOLDS, diverges(3), HOLDS, diverges(5), HOLDS]);
        assert_eq!((found.verdict(), found.closest_look(), found.compared), (Verdict::Diverged, Some((0, 1)), 6));
        let same = compare(&["abc", "abc", "abc"]);
        assert_eq!((same.verdict(), same.closest_look()), (Verdict::Same, None));
    }

    /// One that tells only hashes agrees with two that differ in stages: in whatever order they stand, these differ.
    #[test]
    fn one_that_tells_little_does_not_make_others_agree() {
        let told = |stage: Option<&str>| {
            let staged =
                stage.map(|hash| Checkpoint { stage: Some("s".to_owned()), ..Checkpoint::of_hash(0, hash.to_owned()) });
            staged.into_iter().chain([Checkpoint::of_hash(0, "a")]).collect::<Vec<_>>()
        };
        let source = |stage| RunSource::Log(LogSource::of_checkpoints("log", told(stage)));
        let names = [0, 1, 2, 3].map(|number| number.to_string());
        for order in [[None, Some("1"), Some("2")], [Some("1"), None, Some("2")], [Some("1"), Some("2"), None]] {
            let found = compare_all(&order.map(source), &names).expect("logs");
            assert_eq!((found.verdict(), found.standings), (Verdict::Diverged, vec![HOLDS; 3]), "{order:?}");
            let split: Vec<usize> = (0..3).filter(|&place| order[place].is_some()).collect();
            assert_eq!(found.split, Some((0, vec![(split[0], 0), (split[1], 1)])), "{order:?}");
        }
        // Most of those that have a voice are right.
        let found = compare_all(&[None, Some("1"), Some("2"), Some("1")].map(source), &names).expect("logs");
        assert_eq!(
            found.standings.iter().map(|side| side.diverges_at).collect::<Vec<_>>(),
            [None, None, Some(0), None]
        );
    }

    #[test]
    fn without_a_largest_group_no_one_is_to_blame() {
        let found = compare(&["abc", "abd", "abe"]);
        assert_eq!(found.standings, [HOLDS; 3]);
        assert_eq!(found.split, Some((2, vec![(0, 0), (1, 1), (2, 2)])));
        assert_eq!((found.verdict(), found.closest_look()), (Verdict::Diverged, Some((0, 1))));
        let found = compare(&["abc", "abd", "abc", "abd"]);
        assert_eq!(found.split, Some((2, vec![(0, 0), (1, 1), (2, 0), (3, 1)])));
        // One that diverged before has no voice any more.
        let found = compare(&["xbc", "abd", "abc", "abc"]);
        assert_eq!(
            found.standings.iter().map(|side| side.diverges_at).collect::<Vec<_>>(),
            [Some(0), Some(2), None, None]
        );
    }

    #[test]
    fn what_cannot_be_compared_is_not_the_same() {
        let source = |checkpoints: Vec<Checkpoint>| RunSource::Log(LogSource::of_checkpoints("log", checkpoints));
        let hashes = || source(vec![Checkpoint::of_hash(0, "a"), Checkpoint::of_hash(1, "b")]);
        let objects = Checkpoint {
            step: 1,
            objects: Some(vec![ObjectRecord {
                name: "p".to_owned(),
                hash: Some("1".to_owned()),
                ..ObjectRecord::default()
            }]),
            ..Checkpoint::default()
        };
        let names = ["one", "two", "three"].map(str::to_owned);
        let other = source(vec![Checkpoint::of_hash(0, "a"), objects.clone()]);
        let found = compare_all(&[hashes(), hashes(), other], &names).expect("logs");
        assert_eq!((found.verdict(), &found.standings), (Verdict::Failed, &vec![HOLDS; 3]));
        assert!(found.notes[0].contains("in step 1: what three tells cannot be compared"), "{:?}", found.notes);
        // One that tells both goes with each of them.
        let both =
            source(vec![Checkpoint::of_hash(0, "a"), Checkpoint { hash: Some("b".to_owned()), ..objects.clone() }]);
        let other = source(vec![Checkpoint::of_hash(0, "a"), objects.clone()]);
        let found = compare_all(&[hashes(), both, other], &names).expect("logs");
        let note = "only two tells the objects of step 1, one does not: compared is what both tell";
        assert_eq!((found.verdict(), found.notes), (Verdict::Same, vec![note.to_owned()]));
        let elsewhere = source(vec![Checkpoint::of_hash(7, "a")]);
        let found = compare_all(&[hashes(), hashes(), elsewhere], &names).expect("logs");
        assert_eq!((found.verdict(), &found.standings), (Verdict::Failed, &vec![HOLDS; 3]));
        assert!(found.notes[0].contains("no step of three is in another one"), "{:?}", found.notes);
    }

    #[test]
    fn one_that_ends_elsewhere_is_told() {
        let ends = |step| Standing { ends_after: Some(step), ..HOLDS };
        assert_eq!(compare(&["abc", "ab", "abc"]).standings, [HOLDS, ends(1), HOLDS]);
        assert_eq!(compare(&["abc", "abcd", "abc"]).standings, [HOLDS, ends(3), HOLDS]);
        assert_eq!(compare(&["a", "ab", "abc"]).standings, [ends(0), ends(1), ends(2)]);
    }

    /// Whoever tells of two kinds of things makes those one that tell of one each, wherever it stands.
    #[test]
    fn the_order_of_the_logs_decides_nothing() {
        let hash = |hash: &str| Checkpoint::of_hash(0, hash);
        let objects = |hash: Option<&str>| Checkpoint {
            hash: hash.map(str::to_owned),
            objects: Some(vec![ObjectRecord {
                name: "p".to_owned(),
                hash: Some("1".to_owned()),
                ..ObjectRecord::default()
            }]),
            ..Checkpoint::default()
        };
        let standings = |told: [&Checkpoint; 3]| {
            let names = ["one", "two", "three"].map(str::to_owned);
            let source = |told: &Checkpoint| RunSource::Log(LogSource::of_checkpoints("log", vec![told.clone()]));
            let found = compare_all(&told.map(source), &names).expect("logs");
            (found.verdict(), found.closest_look(), found.standings)
        };
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let told = [hash("a"), objects(Some("a")), objects(None)];
        for order in orders {
            let (verdict, closest, standings) = standings(order.map(|place: usize| &told[place]));
            assert_eq!((verdict, closest, standings), (Verdict::Same, None, vec![HOLDS; 3]), "{order:?}");
        }
        // The first can be compared with the third alone, and differs from it.
        let told = [hash("b"), objects(None), objects(Some("a"))];
        for order in orders {
            let (verdict, closest, standings) = standings(order.map(|place| &told[place]));
            let at = |wanted: usize| order.iter().position(|place| *place == wanted).expect("one of three");
            assert_eq!((verdict, closest), (Verdict::Diverged, Some((at(2), at(0)))), "{order:?}");
            let diverges = |place: usize| standings[at(place)].diverges_at;
            assert_eq!([0, 1, 2].map(diverges), [Some(0), None, None], "{order:?}");
        }
    }

    #[test]
    fn one_that_tells_of_few_steps_is_told() {
        let log = |steps: &[u32]| {
            let told = steps.iter().map(|&step| Checkpoint::of_hash(step, "a")).collect();
            RunSource::Log(LogSource::of_checkpoints("log", told))
        };
        let names = ["one", "two", "three"].map(str::to_owned);
        let found = compare_all(&[log(&[0, 1, 2]), log(&[2]), log(&[0, 1, 2])], &names).expect("logs");
        let note = "two tells of one step, another one of 3: in the others nothing is known of it";
        assert_eq!((found.verdict(), found.notes), (Verdict::Same, vec![note.to_owned()]));
    }
}
