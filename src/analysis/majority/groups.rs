//! How what several recordings tell of a step falls into groups that agree.

use crate::analysis::compare_checkpoints::compare_checkpoints;
use crate::replay::Checkpoint;

/// How what is told of a step falls into groups.
#[derive(Default)]
pub(super) struct Grouped {
    /// Those that agree with each other, by their places.
    pub(super) groups: Vec<Vec<usize>>,
    /// Those that tell nothing that could be compared with what another one tells, by their places; and why.
    pub(super) uncompared: Vec<(usize, String)>,
    /// Two that agree, of which the first tells more than the second: by their places; and what.
    pub(super) untold: Option<([usize; 2], String)>,
    /// Any two that differ, by their places.
    pub(super) differing: Vec<(usize, usize)>,
}

/// How what two of them tell of a step compares.
enum Relation {
    Same,
    Differs,
    /// Not at all, for this reason.
    Unknown(String),
}

/// All that is told of a step, each with the place of the one that tells it, and how any two of them compare.
struct Told<'a> {
    told: &'a [(usize, Vec<Checkpoint>)],
    relations: Vec<Vec<Relation>>,
}

impl<'a> Told<'a> {
    /// Any two are compared: that one agrees with two others does not say that these agree with each other, for it may tell less.
    fn of(told: &'a [(usize, Vec<Checkpoint>)], untold: &mut Option<([usize; 2], String)>) -> Self {
        let mut relations: Vec<Vec<Relation>> = Vec::new();
        for (number, (place, checkpoints)) in told.iter().enumerate() {
            let mut row = Vec::new();
            for (other, member) in &told[..number] {
                if member == checkpoints {
                    row.push(Relation::Same);
                    continue;
                }
                let compared = compare_checkpoints(member, checkpoints);
                let told_by_one = compared.told_by_one();
                row.push(match (compared.first, compared.uncompared.first) {
                    (Some(_), _) => Relation::Differs,
                    (None, Some((_, why))) => Relation::Unknown(why),
                    (None, None) => {
                        let pairs = [[*other, *place], [*place, *other]].into_iter().zip(told_by_one);
                        let found = pairs.filter_map(|(pair, untold)| Some((pair, untold?))).next();
                        *untold = untold.take().or(found);
                        Relation::Same
                    }
                });
            }
            relations.push(row);
        }
        Self { told, relations }
    }

    /// How two different ones compare.
    fn between(&self, one: usize, other: usize) -> &Relation {
        &self.relations[one.max(other)][one.min(other)]
    }

    /// Whether it differs from another one.
    fn is_in_conflict(&self, number: usize) -> bool {
        let mut others = (0..self.told.len()).filter(|&other| other != number);
        others.any(|other| matches!(self.between(number, other), Relation::Differs))
    }

    /// Whether it agrees with one of a group and differs from none.
    fn belongs_to(&self, number: usize, group: &[usize]) -> bool {
        let mut relations = group.iter().map(|&member| self.between(number, member));
        relations.clone().any(|relation| matches!(relation, Relation::Same))
            && !relations.any(|relation| matches!(relation, Relation::Differs))
    }

    /// Takes the next of those that wait for a group: whoever agrees with one of a group goes before those that would begin one, so that
    /// it matters little in which order they stand.
    fn take_next(&self, waiting: &mut Vec<usize>, groups: &[Vec<usize>]) -> Option<usize> {
        let next = waiting.iter().position(|&number| !self.groups_of(number, groups).is_empty());
        (!waiting.is_empty()).then(|| waiting.remove(next.unwrap_or(0)))
    }

    /// Whether one of these differs from one of those.
    fn differ(&self, these: &[usize], those: &[usize]) -> bool {
        these.iter().any(|&one| those.iter().any(|&other| matches!(self.between(one, other), Relation::Differs)))
    }

    /// Those of the groups to which it belongs, by their numbers.
    fn groups_of(&self, number: usize, groups: &[Vec<usize>]) -> Vec<usize> {
        (0..groups.len()).filter(|&group| self.belongs_to(number, &groups[group])).collect()
    }

    /// Why it cannot be compared with one of these, if that is so.
    fn uncompared(&self, number: usize, others: &[usize]) -> Option<&str> {
        others.iter().rev().find_map(|&other| match self.between(number, other) {
            Relation::Unknown(why) => Some(why.as_str()),
            Relation::Same | Relation::Differs => None,
        })
    }
}

/// Those that differ from another one make the groups. One that differs from none is of that group with which it agrees; where it agrees
/// with two that differ from each other it tells too little to have a voice.
pub(super) fn grouped(told: &[(usize, Vec<Checkpoint>)]) -> Grouped {
    let (mut uncompared, mut untold) = (Vec::new(), None);
    let all = Told::of(told, &mut untold);
    let (in_conflict, at_peace): (Vec<usize>, Vec<usize>) =
        (0..told.len()).partition(|&number| all.is_in_conflict(number));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut waiting = in_conflict;
    while let Some(number) = all.take_next(&mut waiting, &groups) {
        match all.groups_of(number, &groups)[..] {
            [] => groups.push(vec![number]),
            [first, ref others @ ..] => {
                groups[first].push(number);
                for &other in others.iter().rev() {
                    // It shows that these are one, but where they differ.
                    if !all.differ(&groups[first], &groups[other]) {
                        let members = groups.remove(other);
                        groups[first].extend(members);
                    }
                }
            }
        }
    }
    let mut waiting = at_peace;
    while let Some(number) = all.take_next(&mut waiting, &groups) {
        match all.groups_of(number, &groups)[..] {
            [group] => groups[group].push(number),
            [] => match all.uncompared(number, &groups.concat()) {
                Some(why) => uncompared.push((told[number].0, why.to_owned())),
                None => groups.push(vec![number]),
            },
            _ => {}
        }
    }
    let pairs = (0..told.len()).flat_map(|other| (0..other).map(move |one| (one, other)));
    let differing = pairs.filter(|&(one, other)| matches!(all.between(one, other), Relation::Differs));
    let differing = differing.map(|(one, other)| (told[one].0, told[other].0)).collect();
    let places = |group: Vec<usize>| group.into_iter().map(|number| told[number].0).collect();
    Grouped { groups: groups.into_iter().map(places).collect(), uncompared, untold, differing }
}

/// The group that is larger than each other one.
pub(super) fn largest(groups: &[Vec<usize>]) -> Option<usize> {
    let most = groups.iter().map(Vec::len).max()?;
    let mut found = groups.iter().enumerate().filter(|(_, group)| group.len() == most);
    let (first, _) = found.next()?;
    found.next().is_none().then_some(first)
}
