//! How what several recordings tell of a step falls into groups that agree.
//!
//! "Agrees" is not transitive: one that tells little agrees with two that differ from each other. So nothing here follows from the order in
//! which recordings are given; all follows from how any two of them compare:
//!
//! - Two *agree*, *differ*, or tell nothing that could be compared.
//! - A *group* is a set of recordings no two of which differ, that hang together by agreement, and to which no other one could be added.
//!   A recording may be in several.
//! - Where no two differ there is one group for all that can be compared. Where some do, each group has one of these in it.
//! - The group that is larger than each other one is right. Where there is none, nobody is.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::analysis::compare_checkpoints::{Reason, compare_checkpoints, named_alone};
use crate::replay::Checkpoint;

/// What follows for those that tell of a step, all by their places.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) outcome: Outcome,
    /// Those that tell nothing that could be compared with most of the others.
    pub(super) uncompared: Vec<Apart>,
    /// Two that agree, of which the first tells more than the second; and what.
    pub(super) untold: Option<([usize; 2], String)>,
    /// An object of which two that agree tell the name alone.
    pub(super) named_alone: Option<String>,
    /// Any two that differ.
    pub(super) differing: Vec<(usize, usize)>,
}

/// One that could not be compared with another one in a step.
#[derive(Debug)]
pub(super) struct Apart {
    pub(super) place: usize,
    /// The two, as they were compared.
    pub(super) sides: [usize; 2],
    /// How many checkpoints of the step could not be compared.
    pub(super) count: usize,
    pub(super) why: Reason,
}

/// Who is right in a step.
#[derive(Debug, Default)]
pub(super) enum Outcome {
    /// No two differ.
    #[default]
    Peace,
    /// Most agree.
    Most {
        /// Those of the largest group.
        held: Vec<usize>,
        /// Those of which one of these differs.
        odd: Vec<usize>,
    },
    /// No group is larger than each other one: those that have a voice, each with the number of those that are in the same groups.
    Split(Vec<(usize, usize)>),
}

/// How what two of them tell of a step compares.
enum Relation {
    Same,
    Differs,
    /// So many checkpoints not at all, for this reason.
    Unknown(usize, Reason),
}

/// The most groups that are looked at. Recordings of one program make as many as there are results; those that each tell other things of a
/// step could make exponentially many.
const MAX_GROUPS: usize = 256;

/// How any two of those compare that tell of a step; here they are called by their numbers among these.
struct Relations(Vec<Vec<Relation>>);

impl Relations {
    /// Takes down in `seen` what is to be said of those that agree.
    fn of(told: &[(usize, Vec<Checkpoint>)], seen: &mut Judged) -> Self {
        let mut relations: Vec<Vec<Relation>> = Vec::new();
        for (number, (place, checkpoints)) in told.iter().enumerate() {
            let mut row = Vec::new();
            for (other, member) in &told[..number] {
                let mut name_object = || {
                    seen.named_alone = seen.named_alone.take().or_else(|| named_alone(member, checkpoints));
                };
                if member == checkpoints {
                    name_object();
                    row.push(Relation::Same);
                    continue;
                }
                let compared = compare_checkpoints(member, checkpoints);
                let told_by_one = compared.told_by_one();
                row.push(match (compared.first, compared.uncompared.first) {
                    (Some(_), _) => Relation::Differs,
                    (None, Some((_, why))) => Relation::Unknown(compared.uncompared.count, why),
                    (None, None) => {
                        let pairs = [[*other, *place], [*place, *other]].into_iter().zip(told_by_one);
                        let found = pairs.filter_map(|(pair, untold)| Some((pair, untold?))).next();
                        name_object();
                        seen.untold = seen.untold.take().or(found);
                        Relation::Same
                    }
                });
            }
            relations.push(row);
        }
        Self(relations)
    }

    /// How two different ones compare.
    fn between(&self, one: usize, other: usize) -> &Relation {
        &self.0[one.max(other)][one.min(other)]
    }

    fn differ(&self, one: usize, other: usize) -> bool {
        one != other && matches!(self.between(one, other), Relation::Differs)
    }

    fn agree(&self, one: usize, other: usize) -> bool {
        one == other || matches!(self.between(one, other), Relation::Same)
    }

    /// The one with which most of what it tells cannot be compared, if there is such a one: how many checkpoints, and why.
    fn uncompared(&self, number: usize) -> Option<(usize, usize, &Reason)> {
        let others = (0..self.0.len()).filter(|&other| other != number);
        let unknown = others.filter_map(|other| match self.between(number, other) {
            Relation::Unknown(count, why) => Some((other, *count, why)),
            Relation::Same | Relation::Differs => None,
        });
        unknown.min_by_key(|(other, count, _)| (Reverse(*count), *other))
    }

    /// These as sets that hang together by agreement.
    fn connected(&self, numbers: &[usize]) -> Vec<Vec<usize>> {
        let mut rest = numbers.to_vec();
        let mut sets = Vec::new();
        while let Some(first) = rest.pop() {
            let (mut set, mut next) = (vec![first], 0);
            while let Some(&member) = set.get(next) {
                let (joining, others) = rest.into_iter().partition(|&other| self.agree(member, other));
                (rest, next) = (others, next + 1);
                set.extend::<Vec<usize>>(joining);
            }
            set.sort_unstable();
            sets.push(set);
        }
        sets
    }

    /// Adds all largest sets without a difference (Bron and Kerbosch, with a pivot): `chosen` with as many of the `candidates` as go with them,
    /// but none to which one of those that were `tried` before could be added. Ends where there are too many.
    fn extend(
        &self,
        chosen: &mut Vec<usize>,
        mut candidates: Vec<usize>,
        mut tried: Vec<usize>,
        found: &mut Vec<Vec<usize>>,
    ) {
        if found.len() > MAX_GROUPS {
            return;
        }
        let conflicts = |pivot: usize| candidates.iter().filter(|&&one| self.differ(pivot, one)).count();
        let Some(pivot) = candidates.iter().chain(&tried).copied().min_by_key(|&pivot| conflicts(pivot)) else {
            found.push(chosen.clone());
            return;
        };
        let branches: Vec<usize> =
            candidates.iter().copied().filter(|&one| one == pivot || self.differ(pivot, one)).collect();
        for branch in branches {
            let beside = |others: &[usize]| -> Vec<usize> {
                others.iter().copied().filter(|&other| other != branch && !self.differ(branch, other)).collect()
            };
            chosen.push(branch);
            self.extend(chosen, beside(&candidates), beside(&tried), found);
            chosen.pop();
            candidates.retain(|&other| other != branch);
            tried.push(branch);
        }
    }

    /// The groups, each with one of those `in_conflict` in it; nothing where there are too many to look at.
    fn groups(&self, in_conflict: &[usize]) -> Option<Vec<Vec<usize>>> {
        let mut without_difference = Vec::new();
        self.extend(&mut Vec::new(), (0..self.0.len()).collect(), Vec::new(), &mut without_difference);
        if without_difference.len() > MAX_GROUPS {
            return None;
        }
        let sets: BTreeSet<Vec<usize>> =
            without_difference.iter().flat_map(|numbers| self.connected(numbers)).collect();
        let is_in = |member: &usize, set: &[usize]| set.binary_search(member).is_ok();
        // What hangs together in one set may be a part of what does in another.
        let is_whole = |set: &&Vec<usize>| {
            !sets.iter().any(|other| other.len() > set.len() && set.iter().all(|member| is_in(member, other)))
        };
        let is_concerned = |set: &&Vec<usize>| set.iter().any(|member| is_in(member, in_conflict));
        Some(sets.iter().filter(is_concerned).filter(is_whole).cloned().collect())
    }
}

/// Judges what is told of a step, each with the place of the one that tells it.
pub(super) fn judge(told: &[(usize, Vec<Checkpoint>)]) -> Judged {
    let mut seen = Judged::default();
    let relations = Relations::of(told, &mut seen);
    let numbers = 0..told.len();
    let pairs = numbers.clone().flat_map(|other| (0..other).map(move |one| (one, other)));
    let differing: Vec<(usize, usize)> = pairs.filter(|&(one, other)| relations.differ(one, other)).collect();
    let in_conflict: BTreeSet<usize> = differing.iter().flat_map(|&(one, other)| [one, other]).collect();
    let in_conflict: Vec<usize> = in_conflict.into_iter().collect();
    let (mut outcome, mut alone) = if in_conflict.is_empty() {
        let together = largest(&relations.connected(&numbers.clone().collect::<Vec<usize>>())).unwrap_or_default();
        (Outcome::Peace, numbers.filter(|number| !together.contains(number)).collect())
    } else {
        // Too many groups: each is for itself.
        let groups = relations.groups(&in_conflict);
        let groups = groups.unwrap_or_else(|| in_conflict.iter().map(|&number| vec![number]).collect());
        let is_in_one = |number: &usize| groups.iter().any(|group| group.contains(number));
        let alone: Vec<usize> = numbers.filter(|number| !is_in_one(number)).collect();
        (outcome_of(&groups, &in_conflict), alone)
    };
    if let Outcome::Most { held, odd } = &mut outcome {
        // Who only differs from others that diverge may be right.
        let (unknown, differing) =
            odd.iter().partition(|&&one| !held.iter().any(|&right| relations.differ(one, right)));
        *odd = differing;
        alone.extend::<Vec<usize>>(unknown);
        alone.sort_unstable();
    }
    let place = |number: usize| told[number].0;
    let apart = |number: usize| {
        let (other, count, why) = relations.uncompared(number)?;
        let sides = [number.min(other), number.max(other)].map(place);
        Some(Apart { place: place(number), sides, count, why: why.clone() })
    };
    Judged {
        outcome: outcome.with_places(place),
        uncompared: alone.into_iter().filter_map(apart).collect(),
        differing: differing.into_iter().map(|(one, other)| (place(one), place(other))).collect(),
        ..seen
    }
}

impl Outcome {
    /// The same with other numbers.
    fn with_places(self, place: impl Fn(usize) -> usize) -> Self {
        let places = |numbers: Vec<usize>| numbers.into_iter().map(&place).collect();
        match self {
            Self::Peace => Self::Peace,
            Self::Most { held, odd } => Self::Most { held: places(held), odd: places(odd) },
            Self::Split(members) => {
                Self::Split(members.into_iter().map(|(number, group)| (place(number), group)).collect())
            }
        }
    }
}

fn outcome_of(groups: &[Vec<usize>], in_conflict: &[usize]) -> Outcome {
    let members: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    if let Some(held) = largest(groups) {
        let odd = members.into_iter().filter(|member| !held.contains(member)).collect();
        return Outcome::Most { held, odd };
    }
    let mut seen: Vec<Vec<usize>> = Vec::new();
    let mut numbered = Vec::new();
    for member in members {
        let of_member: Vec<usize> = (0..groups.len()).filter(|&group| groups[group].contains(&member)).collect();
        // One that differs from none and is in several tells too little to have a voice.
        if of_member.len() > 1 && !in_conflict.contains(&member) {
            continue;
        }
        let number = seen.iter().position(|other| *other == of_member).unwrap_or_else(|| {
            seen.push(of_member);
            seen.len() - 1
        });
        numbered.push((member, number));
    }
    Outcome::Split(numbered)
}

/// The group that is larger than each other one.
pub(super) fn largest(groups: &[Vec<usize>]) -> Option<Vec<usize>> {
    let most = groups.iter().map(Vec::len).max()?;
    let mut found = groups.iter().filter(|group| group.len() == most);
    let first = found.next()?;
    found.next().is_none().then(|| first.clone())
}
