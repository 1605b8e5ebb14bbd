//! Two series of checkpoints, from traces or hash logs: where they first differ, as exactly as both sides tell.
//!
//! Whatever both sides have of a checkpoint is compared: hash, sections, objects, fields. Any mix of detail will do; what
//! could not be named for want of detail is in the notes, with what to log next time.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::outcome::{FieldDifference, FirstDifference, OrderDifference, SideValue};
use crate::replay::{Checkpoint, FieldRecord, ObjectRecord};

/// What comparing two series found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckpointComparison {
    /// The first difference; what could not be named is `None`.
    pub first: Option<FirstDifference>,
    /// How many objects differ at the end of each step, from the first difference on, where both sides list objects.
    pub spread: Vec<(u32, usize)>,
    /// How many checkpoints both sides have and could be compared.
    pub compared: usize,
    /// How many checkpoints only the first side has.
    pub only_a: usize,
    /// How many checkpoints only the second side has.
    pub only_b: usize,
    /// From this step on only the first side goes.
    pub only_a_from: Option<u32>,
    /// From this step on only the second side goes.
    pub only_b_from: Option<u32>,
    /// What could not be known, and how to find out.
    pub notes: Vec<String>,
}

/// Compares two series, matching checkpoints by step, stage and phase.
#[must_use]
pub fn compare_checkpoints(a: &[Checkpoint], b: &[Checkpoint]) -> CheckpointComparison {
    let (of_a, of_b) = (by_step(a), by_step(b));
    let mut comparison = CheckpointComparison::default();
    let (mut incomparable, mut strangers) = (0, 0);
    for (&step, left) in &of_a {
        let right = of_b.get(&step).map_or(&[][..], Vec::as_slice);
        let places: BTreeMap<_, _> = right.iter().map(|other| (place_in_step(other), *other)).collect();
        let mut objects_at_end = None;
        let is_staged = |checkpoints: &[&Checkpoint]| checkpoints.iter().any(|checkpoint| checkpoint.stage.is_some());
        if is_staged(left) && is_staged(right) {
            let of_left: BTreeSet<_> = left.iter().map(|checkpoint| place_in_step(checkpoint)).collect();
            strangers += places.keys().filter(|place| !of_left.contains(*place)).count();
            strangers += of_left.iter().filter(|place| !places.contains_key(*place)).count();
        }
        for checkpoint in left {
            let Some(other) = places.get(&place_in_step(checkpoint)) else {
                comparison.only_a += 1;
                continue;
            };
            let pair = Pair { a: checkpoint, b: other };
            if !pair.is_comparable() {
                incomparable += 1;
                continue;
            }
            comparison.compared += 1;
            if comparison.first.is_none() {
                comparison.first = pair.first_difference(&mut comparison.notes);
            }
            objects_at_end = pair.differing_objects().or(objects_at_end);
        }
        if comparison.first.is_some() {
            comparison.spread.extend(objects_at_end.map(|objects| (step, objects)));
        }
    }
    comparison.only_b = b.len().saturating_sub(comparison.compared + incomparable);
    comparison.only_a_from = beyond(&of_a, &of_b);
    comparison.only_b_from = beyond(&of_b, &of_a);
    if strangers > 0 {
        comparison.notes.push(format!(
            "stages or phases that only one side has, and that were not compared: {strangers}; name them alike on both sides"
        ));
    }
    note_what_was_missed(&mut comparison, incomparable, &of_a, &of_b);
    comparison
}

/// At the checkpoint of a difference: the fields that differ there, the first `most` of them, and how many objects do.
#[must_use]
pub fn at_difference(
    first: &FirstDifference,
    sides: [&[Checkpoint]; 2],
    most: usize,
) -> (Vec<FieldDifference>, Option<usize>) {
    let is_there = |checkpoint: &&Checkpoint| {
        let FirstDifference { step, stage, phase, .. } = first;
        checkpoint.step == *step && checkpoint.stage == *stage && checkpoint.phase == *phase
    };
    let [Some(a), Some(b)] = sides.map(|side| side.iter().find(is_there)) else { return (Vec::new(), None) };
    let pair = Pair { a, b };
    let fields = pair.objects().flat_map(|((section, name), a, b)| {
        let of_object = a.zip(b).map_or_else(Vec::new, |(a, b)| field_differences(&a.fields, &b.fields).collect());
        let of_object = if of_object.is_empty() { object_difference(a, b).into_iter().collect() } else { of_object };
        let (section, object) = (section.unwrap_or_default().to_owned(), name.to_owned());
        of_object.into_iter().map(move |field| FieldDifference {
            section: section.clone(),
            object: object.clone(),
            ..field
        })
    });
    (fields.take(most).collect(), pair.differing_objects())
}

type Steps<'a> = BTreeMap<u32, Vec<&'a Checkpoint>>;

fn by_step(checkpoints: &[Checkpoint]) -> Steps<'_> {
    let mut steps = Steps::new();
    for checkpoint in checkpoints {
        steps.entry(checkpoint.step).or_default().push(checkpoint);
    }
    steps
}

fn place_in_step(checkpoint: &Checkpoint) -> (Option<&str>, Option<&str>) {
    (checkpoint.stage.as_deref(), checkpoint.phase.as_deref())
}

/// The first step of one side after the last of the other.
fn beyond(one: &Steps<'_>, other: &Steps<'_>) -> Option<u32> {
    let (&last, _) = other.last_key_value()?;
    one.range(last..).map(|(&step, _)| step).find(|&step| step > last)
}

fn note_what_was_missed(comparison: &mut CheckpointComparison, incomparable: usize, a: &Steps<'_>, b: &Steps<'_>) {
    if incomparable > 0 {
        comparison.notes.push(format!(
            "checkpoints that could not be compared, because the two sides tell different things of them: {incomparable}; log the \
             same on both sides"
        ));
    }
    if comparison.compared > 0 || incomparable > 0 {
        return;
    }
    let range = |steps: &Steps<'_>| match (steps.first_key_value(), steps.last_key_value()) {
        (Some((first, _)), Some((last, _))) => format!("steps {first} to {last}"),
        _ => "no steps".to_owned(),
    };
    comparison.notes.push(format!(
        "nothing was compared: no step, stage and phase is on both sides ({} and {}); log the same checkpoints on both sides",
        range(a),
        range(b)
    ));
}

/// One checkpoint as both sides have it.
struct Pair<'a> {
    a: &'a Checkpoint,
    b: &'a Checkpoint,
}

impl Pair<'_> {
    fn is_comparable(&self) -> bool {
        let Self { a, b } = self;
        (a.hash.is_some() && b.hash.is_some())
            || (!a.sections.is_empty() && !b.sections.is_empty())
            || self.has_comparable_objects()
    }

    /// Whether an object is on one side only, or told of alike on both: by its hash, or by its fields.
    fn has_comparable_objects(&self) -> bool {
        self.objects().any(|(_, a, b)| match (a, b) {
            (Some(a), Some(b)) => {
                (a.hash.is_some() && b.hash.is_some()) || (!a.fields.is_empty() && !b.fields.is_empty())
            }
            _ => true,
        })
    }

    /// The first difference, and notes on what is odd about it.
    fn first_difference(&self, notes: &mut Vec<String>) -> Option<FirstDifference> {
        let hashes = self.a.hash.as_ref().zip(self.b.hash.as_ref());
        let hashes_differ = hashes.is_some_and(|(a, b)| a != b);
        let section = self.differing_section();
        let object = self.differing_object(section.as_deref());
        let disagree = hashes_differ || section.is_some();
        if !disagree && object.is_none() {
            return None;
        }
        let order = if disagree && object.is_none() { self.order_difference(section.as_deref()) } else { None };
        let place = place(self.a);
        if !hashes_differ && hashes.is_some() {
            notes.push(format!("{place}: the hashes agree although the states differ; hash all of the state"));
        } else if let Some((_, found)) = &object {
            if found.field.is_none() && found.a.is_some() && found.b.is_some() {
                notes.push(format!(
                    "{place}: no field can be named; log the fields of objects on both sides, traces with --states"
                ));
            }
        } else if order.is_some() {
            // Objects that stand in another order differ in no field.
        } else if self.has_objects() {
            notes.push(format!("{place}: the hashes differ although all objects agree; log all that is hashed"));
        } else {
            notes.push(format!("{place}: no object can be named; log objects with their fields on both sides"));
        }
        let (of_object, field) = object.unzip();
        let of_order = order.as_ref().and_then(|order| order.section.clone());
        let section = of_object.flatten().map(str::to_owned).or(section).or(of_order);
        let field = field.map(|field| FieldDifference { section: section.clone().unwrap_or_default(), ..field });
        Some(FirstDifference {
            stage: self.a.stage.clone(),
            phase: self.a.phase.clone(),
            section,
            seen_at: field.as_ref().map(|_| self.a.step),
            fields: field.iter().cloned().collect(),
            field,
            order,
            ..FirstDifference::in_step(self.a.step)
        })
    }

    fn has_objects(&self) -> bool {
        !self.a.objects.is_empty() && !self.b.objects.is_empty()
    }

    /// The first section whose hashes differ, or that one side lacks.
    fn differing_section(&self) -> Option<String> {
        let (a, b) = (&self.a.sections, &self.b.sections);
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let [of_a, of_b] =
            [a, b].map(|side| -> BTreeMap<_, _> { side.iter().map(|digest| (&digest.name, &digest.hash)).collect() });
        let mut names = a.iter().chain(b).map(|digest| &digest.name);
        names.find(|name| of_a.get(name) != of_b.get(name)).cloned()
    }

    /// The section of the first object that differs, and how it does: one of `section` if there is such a one.
    fn differing_object(&self, section: Option<&str>) -> Option<(Option<&str>, FieldDifference)> {
        let mut first = None;
        for ((section_of_object, name), a, b) in self.objects() {
            let Some(found) = object_difference(a, b) else {
                continue;
            };
            let is_preferred = section.is_none() || section_of_object == section;
            if first.is_none() || is_preferred {
                first = Some((section_of_object, FieldDifference { object: name.to_owned(), ..found }));
            }
            if is_preferred {
                break;
            }
        }
        first
    }

    /// The first place at which the same objects stand in another order: in the section that differs or without a
    /// section, where one is known to differ; otherwise in the first section of the first side in which they do.
    fn order_difference(&self, differing: Option<&str>) -> Option<OrderDifference> {
        let sections: Vec<Option<&str>> = match differing {
            Some(section) => vec![Some(section), None],
            None => self.a.objects.iter().map(|object| object.section.as_deref()).collect(),
        };
        sections.into_iter().find_map(|section| {
            let [of_a, of_b] = [self.a, self.b].map(|side| {
                let there = side.objects.iter().filter(|object| object.section.as_deref() == section);
                there.map(|object| object.name.as_str()).collect::<Vec<&str>>()
            });
            let place = of_a.iter().zip(&of_b).position(|(a, b)| a != b)?;
            let [a, b] = [of_a[place], of_b[place]].map(str::to_owned);
            Some(OrderDifference { section: section.map(str::to_owned), place, a, b })
        })
    }

    /// How many objects differ; `None` where a side lists none.
    fn differing_objects(&self) -> Option<usize> {
        let differs =
            |(_, a, b): &(_, Option<&ObjectRecord>, Option<&ObjectRecord>)| object_difference(*a, *b).is_some();
        self.has_objects().then(|| self.objects().filter(differs).count())
    }

    /// The objects of both sides, matched by section and name: in the order of the first side, then the rest.
    fn objects(&self) -> impl Iterator<Item = (ObjectName<'_>, Option<&ObjectRecord>, Option<&ObjectRecord>)> {
        // Without objects on one side, those of the other say nothing.
        let [a, b] =
            [&self.a.objects, &self.b.objects].map(|side| if self.has_objects() { side.as_slice() } else { &[] });
        let of_a: BTreeMap<_, _> = a.iter().map(|object| (object_name(object), object)).collect();
        let of_b: BTreeMap<_, _> = b.iter().map(|object| (object_name(object), object)).collect();
        let rest: Vec<_> = b.iter().map(object_name).filter(|name| !of_a.contains_key(name)).collect();
        let names = a.iter().map(object_name).chain(rest);
        names.map(move |name| (name, of_a.get(&name).copied(), of_b.get(&name).copied()))
    }
}

/// The section and name of an object.
type ObjectName<'a> = (Option<&'a str>, &'a str);

fn object_name(object: &ObjectRecord) -> ObjectName<'_> {
    (object.section.as_deref(), &object.name)
}

/// How two records of one object differ, as far as both tell: with the values of a field, otherwise with two hashes or the
/// word `exists`. Whose object it is the caller knows.
fn object_difference(a: Option<&ObjectRecord>, b: Option<&ObjectRecord>) -> Option<FieldDifference> {
    let (a, b) = match (a, b) {
        (Some(a), Some(b)) => (a, b),
        (a, b) => {
            let exists = |object: Option<&ObjectRecord>| object.map(|_| without_bits("exists"));
            return Some(FieldDifference { a: exists(a), b: exists(b), ..FieldDifference::default() });
        }
    };
    let hashes = a.hash.as_ref().zip(b.hash.as_ref()).filter(|(a, b)| a != b);
    let of_hashes = hashes.map(|(a, b)| FieldDifference {
        a: Some(without_bits(a)),
        b: Some(without_bits(b)),
        ..FieldDifference::default()
    });
    field_difference(&a.fields, &b.fields).or(of_hashes)
}

/// The first field that differs, in the order of the first side, or that one side lacks.
fn field_difference(a: &[FieldRecord], b: &[FieldRecord]) -> Option<FieldDifference> {
    let is_same = |(a, b): (&FieldRecord, &FieldRecord)| a.path == b.path && same_value(a, b);
    if a.len() == b.len() && a.iter().zip(b).all(is_same) {
        return None;
    }
    field_differences(a, b).next()
}

/// The fields that differ, in the order of the first side, then those that it lacks; none where a side tells no fields.
fn field_differences<'a>(a: &'a [FieldRecord], b: &'a [FieldRecord]) -> impl Iterator<Item = FieldDifference> + 'a {
    let [a, b] = if a.is_empty() || b.is_empty() { [&[][..], &[]] } else { [a, b] };
    let by_path =
        |side: &'a [FieldRecord]| -> BTreeMap<_, _> { side.iter().map(|field| (&field.path, field)).collect() };
    let (of_a, of_b) = (by_path(a), by_path(b));
    let rest: Vec<_> = b.iter().map(|field| &field.path).filter(|path| !of_a.contains_key(path)).collect();
    a.iter().map(|field| &field.path).chain(rest).filter_map(move |path| {
        let (left, right) = (of_a.get(path), of_b.get(path));
        if left.zip(right).is_some_and(|(left, right)| same_value(left, right)) {
            return None;
        }
        let value = |field: &&FieldRecord| SideValue {
            value: field.value.clone(),
            bits: field.bits.clone().unwrap_or_default(),
        };
        Some(FieldDifference {
            field: Some(path.clone()),
            a: left.map(value),
            b: right.map(value),
            ..FieldDifference::default()
        })
    })
}

/// Whether two fields agree: by their bits where both have them, otherwise by their text.
fn same_value(a: &FieldRecord, b: &FieldRecord) -> bool {
    match (&a.bits, &b.bits) {
        (Some(a), Some(b)) => a == b,
        _ => a.value == b.value,
    }
}

fn without_bits(value: &str) -> SideValue {
    SideValue { value: value.to_owned(), bits: String::new() }
}

/// A checkpoint in words.
fn place(checkpoint: &Checkpoint) -> String {
    let parts = [&checkpoint.stage, &checkpoint.phase].into_iter().flatten();
    parts.fold(format!("step {}", checkpoint.step), |place, part| format!("{place}, {part}"))
}

#[cfg(test)]
mod tests;
