//! One checkpoint as both sides have it: whether the two agree, and in what they differ.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::compare_checkpoints::sections::Sections;
use crate::analysis::compare_checkpoints::ulps::ulps_between;
use crate::analysis::compare_checkpoints::uncompared::Reason;
use crate::analysis::outcome::{FieldDifference, FirstDifference, OrderDifference, OrderOf, SideValue};
use crate::replay::{Checkpoint, FieldRecord, ObjectRecord};

/// One checkpoint as both sides have it.
pub(super) struct Pair<'a> {
    pub(super) a: &'a Checkpoint,
    pub(super) b: &'a Checkpoint,
    /// Whether what the first tells by name alone is compared, whatever the second tells of it.
    pub(super) names_suffice: bool,
}

impl Pair<'_> {
    /// Whether both tell something of the same kind.
    pub(super) fn is_comparable(&self) -> bool {
        let Self { a, b, .. } = self;
        (a.hash.is_some() && b.hash.is_some())
            || (a.sections.is_some() && b.sections.is_some())
            || self.has_comparable_objects()
    }

    /// Why not all that they tell could be compared; `None` where a hash or sections cover it, or every object is told of alike.
    pub(super) fn not_covered(&self) -> Option<Reason> {
        let Self { a, b, .. } = self;
        if a.hash.is_some() && b.hash.is_some() {
            return None;
        }
        let sections = Sections::of(a, b);
        let is_whole = sections.is_some();
        if !is_whole && a.tells_nothing() && b.tells_nothing() {
            return Some(Reason::Nothing);
        }
        let is_covered = |object: &ObjectRecord| sections.as_ref().is_some_and(|sections| sections.cover(object));
        if !self.has_objects() {
            if !is_whole {
                return Some(Reason::Told { object: None, told: [told(a), told(b)] });
            }
            return self.in_one_only(&is_covered);
        }
        self.objects().find_map(|((_, name), a, b)| {
            let (a, b) = a.zip(b).filter(|(a, b)| !self.are_told_alike(a, b) && !is_covered(a))?;
            let object = if is_whole { of_section(a) } else { name.to_owned() };
            Some(Reason::Told { object: Some(object), told: [told_of(a), told_of(b)].map(str::to_owned) })
        })
    }

    /// That an object which nothing covers is told of by one side, where the other tells of no objects at all.
    fn in_one_only(&self, is_covered: &dyn Fn(&ObjectRecord) -> bool) -> Option<Reason> {
        let uncovered = |side: &Checkpoint| {
            let object = side.objects().iter().find(|object| !is_covered(object))?;
            Some((of_section(object), told_of(object).to_owned()))
        };
        let nothing = || "nothing".to_owned();
        // What the second tells beyond the first need not be compared where the first is all that counts.
        let of_b = || if self.names_suffice { None } else { uncovered(self.b) };
        let (name, told) = match uncovered(self.a) {
            Some((name, told)) => (name, [told, nothing()]),
            None => of_b().map(|(name, told)| (name, [nothing(), told]))?,
        };
        Some(Reason::Told { object: Some(name), told })
    }

    /// The first object of which both sides tell the name alone, and that no hash and no section covers.
    pub(super) fn named_alone(&self) -> Option<String> {
        let Self { a, b, .. } = self;
        if a.hash.is_some() && b.hash.is_some() {
            return None;
        }
        let is_named = |object: &ObjectRecord| object.hash.is_none() && object.fields.is_none();
        if !a.objects().iter().any(is_named) {
            return None;
        }
        let sections = Sections::of(a, b);
        self.objects().find_map(|((_, name), a, b)| {
            let (a, b) = a.zip(b)?;
            let is_covered = sections.as_ref().is_some_and(|sections| sections.cover(a));
            (is_named(a) && is_named(b) && !is_covered).then(|| name.to_owned())
        })
    }

    /// That of an object nothing could be compared but its name, and what each side tells of it; nothing where there is no such one. Those
    /// of a section whose hash is the same are not to blame.
    fn untold_object(&self) -> Option<String> {
        let differing: BTreeSet<&str> = self.differing_sections().collect();
        self.objects().find_map(|((section, name), a, b)| {
            if section.is_some_and(|section| !differing.is_empty() && !differing.contains(section)) {
                return None;
            }
            let (a, b) = a.zip(b).filter(|(a, b)| !have_state(a, b)).map(|(a, b)| (told_of(a), told_of(b)))?;
            let told =
                if a == b { format!("both tell {a} alone") } else { format!("the first tells {a}, the second {b}") };
            Some(format!("of object {name} {told}"))
        })
    }

    /// Whether an object is on one side only, or told of alike on both. That there are none is told alike by two empty lists.
    fn has_comparable_objects(&self) -> bool {
        let are_none = self.has_objects() && self.objects().next().is_none();
        are_none
            || self.objects().any(|(_, a, b)| match (a, b) {
                (Some(a), Some(b)) => self.are_told_alike(a, b),
                _ => true,
            })
    }

    /// Whether one object is told of alike on both sides: by its hash, by its fields, or by its name alone.
    fn are_told_alike(&self, a: &ObjectRecord, b: &ObjectRecord) -> bool {
        let is_named = |object: &ObjectRecord| object.hash.is_none() && object.fields.is_none();
        have_state(a, b) || (is_named(a) && (self.names_suffice || is_named(b)))
    }

    /// Whether they differ in anything that both tell.
    pub(super) fn differs(&self) -> bool {
        self.hashes_differ()
            || self.differing_section().is_some()
            || self.objects().any(|(_, a, b)| object_difference(a, b).is_some())
    }

    fn hashes_differ(&self) -> bool {
        self.a.hash.as_ref().zip(self.b.hash.as_ref()).is_some_and(|(a, b)| a != b)
    }

    /// The first difference with the first so many fields, and notes on what is odd about it.
    pub(super) fn first_difference(&self, most: usize, notes: &mut Vec<String>) -> Option<FirstDifference> {
        let hashes = self.a.hash.as_ref().zip(self.b.hash.as_ref());
        let hashes_differ = self.hashes_differ();
        let section = self.differing_section();
        let object = self.differing_object(section.as_deref());
        let disagree = hashes_differ || section.is_some();
        if !disagree && object.is_none() {
            return None;
        }
        let order = if disagree && object.is_none() { self.order_difference() } else { None };
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
        } else if let Some(untold) = self.untold_object() {
            notes.push(format!("{place}: no field can be named: {untold}; log their fields on both sides"));
        } else if self.has_objects() {
            notes.push(format!("{place}: the hashes differ although all objects agree; log all that is hashed"));
        } else {
            notes.push(format!("{place}: no object can be named; log objects with their fields on both sides"));
        }
        if let (Some(section), Some((None, _))) = (&section, &object) {
            notes.push(format!("{place}: the section {section} differs as well; the object named is in none"));
        }
        let (of_object, field) = object.unzip();
        let of_order = order.as_ref().and_then(|order| order.section.clone());
        let section = match of_object {
            Some(own) => own.map(str::to_owned),
            None => of_order.or(section),
        };
        let field = field.map(|field| FieldDifference { section: section.clone().unwrap_or_default(), ..field });
        Some(FirstDifference {
            stage: self.a.stage.clone(),
            phase: self.a.phase.clone(),
            section,
            seen_at: field.as_ref().map(|_| self.a.step),
            fields: self.first_fields(field.as_ref(), most),
            objects: self.differing_objects().filter(|objects| *objects > 0 && order.is_none()),
            field,
            order,
            ..FirstDifference::in_step(self.a.step)
        })
    }

    /// The fields that differ, `named` among them, as many as are asked for.
    fn first_fields(&self, named: Option<&FieldDifference>, most: usize) -> Vec<FieldDifference> {
        let Some(named) = named.filter(|_| most > 0) else { return Vec::new() };
        if most == 1 {
            return vec![named.clone()];
        }
        let fields = self.objects().flat_map(|((section, name), a, b)| {
            let of_object = a.zip(b).map_or_else(Vec::new, |(a, b)| field_differences(a, b).collect());
            let of_object =
                if of_object.is_empty() { object_difference(a, b).into_iter().collect() } else { of_object };
            let (section, object) = (section.unwrap_or_default().to_owned(), name.to_owned());
            of_object.into_iter().map(move |field| FieldDifference {
                section: section.clone(),
                object: object.clone(),
                ..field
            })
        });
        let mut fields: Vec<FieldDifference> = fields.take(most).collect();
        // A section that is known to differ goes first, whatever else differs before it.
        if !fields.contains(named) {
            fields.truncate(most - 1);
            fields.insert(0, named.clone());
        }
        fields
    }

    fn has_objects(&self) -> bool {
        self.a.objects.is_some() && self.b.objects.is_some()
    }

    /// The first section whose hashes differ, or that one side lacks.
    fn differing_section(&self) -> Option<String> {
        self.differing_sections().next().map(str::to_owned)
    }

    /// All sections whose hashes differ, or that one side lacks: in the order of the first side, then the rest.
    fn differing_sections(&self) -> impl Iterator<Item = &str> {
        let told = self.a.sections.as_ref().zip(self.b.sections.as_ref());
        let [a, b] = told.map_or([&[][..], &[]], |(a, b)| [a.as_slice(), b.as_slice()]);
        let [of_a, of_b] =
            [a, b].map(|side| -> BTreeMap<_, _> { side.iter().map(|digest| (&digest.name, &digest.hash)).collect() });
        let names = a.iter().chain(b).map(|digest| &digest.name);
        names.filter(move |name| of_a.get(name) != of_b.get(name)).map(String::as_str)
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

    /// The first place at which the same objects stand in another order: in the first section that differs and in which they do, or without a
    /// section, where one is known to differ; otherwise in the first section of the first side in which they do, and at last among all.
    fn order_difference(&self) -> Option<OrderDifference> {
        let differing: Vec<&str> = self.differing_sections().collect();
        let [of_a, of_b] = [self.a, self.b].map(|side| by_section(side.objects()));
        let sections: Vec<Option<&str>> = if differing.is_empty() {
            let mut seen = BTreeSet::new();
            let sections = self.a.objects().iter().map(|object| object.section.as_deref());
            sections.filter(|section| seen.insert(*section)).collect()
        } else {
            differing.iter().copied().map(Some).chain([None]).collect()
        };
        let within = sections.into_iter().find_map(|section| {
            let (a, b) = of_a.get(&section).zip(of_b.get(&section))?;
            let place = a.iter().zip(b).position(|(a, b)| a != b)?;
            let [a, b] = [a[place], b[place]].map(str::to_owned);
            Some(OrderDifference { of: OrderOf::Objects, section: section.map(str::to_owned), place, a, b })
        });
        within.or_else(|| if differing.is_empty() { self.order_across_sections() } else { None })
    }

    /// The first place at which another object stands, of whatever section it is.
    fn order_across_sections(&self) -> Option<OrderDifference> {
        let mut pairs = self.a.objects().iter().zip(self.b.objects()).enumerate();
        let (place, (a, b)) = pairs.find(|(_, (a, b))| object_name(a) != object_name(b))?;
        let are_namesakes = a.name == b.name;
        let [a, b] = [a, b].map(|object| match &object.section {
            _ if !are_namesakes => object.name.clone(),
            Some(section) => format!("{} of section {section}", object.name),
            None => format!("{} of no section", object.name),
        });
        Some(OrderDifference { of: OrderOf::Objects, section: None, place, a, b })
    }

    /// How many objects differ; `None` where a side tells nothing of objects.
    pub(super) fn differing_objects(&self) -> Option<usize> {
        let differs =
            |(_, a, b): &(_, Option<&ObjectRecord>, Option<&ObjectRecord>)| object_difference(*a, *b).is_some();
        self.has_objects().then(|| self.objects().filter(differs).count())
    }

    /// The objects of both sides, matched by section and name: in the order of the first side, then the rest.
    fn objects(&self) -> impl Iterator<Item = (ObjectName<'_>, Option<&ObjectRecord>, Option<&ObjectRecord>)> {
        // Where one side tells nothing of objects, those of the other say nothing.
        let [a, b] = [self.a, self.b].map(|side| if self.has_objects() { side.objects() } else { &[] });
        let of_a: BTreeMap<_, _> = a.iter().map(|object| (object_name(object), object)).collect();
        let of_b: BTreeMap<_, _> = b.iter().map(|object| (object_name(object), object)).collect();
        let rest: Vec<_> = b.iter().map(object_name).filter(|name| !of_a.contains_key(name)).collect();
        let names = a.iter().map(object_name).chain(rest);
        names.map(move |name| (name, of_a.get(&name).copied(), of_b.get(&name).copied()))
    }
}

/// Whether both sides tell of the state of an object: its hash, or its fields.
const fn have_state(a: &ObjectRecord, b: &ObjectRecord) -> bool {
    (a.hash.is_some() && b.hash.is_some()) || (a.fields.is_some() && b.fields.is_some())
}

/// The names of objects in their order, by section.
fn by_section(objects: &[ObjectRecord]) -> BTreeMap<Option<&str>, Vec<&str>> {
    let mut names: BTreeMap<_, Vec<_>> = BTreeMap::new();
    objects.iter().for_each(|object| names.entry(object.section.as_deref()).or_default().push(object.name.as_str()));
    names
}

/// What a checkpoint tells, in words.
fn told(checkpoint: &Checkpoint) -> String {
    let parts = [
        checkpoint.hash.as_ref().map(|_| "a hash"),
        checkpoint.sections.as_ref().map(|_| "sections"),
        checkpoint.objects.as_ref().map(|_| "objects"),
    ];
    let told = parts.into_iter().flatten().collect::<Vec<&str>>().join(" and ");
    if told.is_empty() { "nothing but an empty list".to_owned() } else { told }
}

/// An object whose section is not among those of which both sides tell the hash.
fn of_section(object: &ObjectRecord) -> String {
    match &object.section {
        Some(section) => format!("{} of section {section}, whose hash is not told on both sides,", object.name),
        None => object.name.clone(),
    }
}

/// What is told of an object, in words.
const fn told_of(object: &ObjectRecord) -> &'static str {
    match (object.hash.is_some(), object.fields.is_some()) {
        (true, true) => "hash and fields",
        (true, false) => "the hash",
        (false, true) => "the fields",
        (false, false) => "the name",
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
    field_difference(a, b).or(of_hashes)
}

/// The first field that differs, in the order of the first side, or that one side lacks.
fn field_difference(a: &ObjectRecord, b: &ObjectRecord) -> Option<FieldDifference> {
    let is_same = |(a, b): (&FieldRecord, &FieldRecord)| a.path == b.path && same_value(a, b);
    let (of_a, of_b) = (a.fields(), b.fields());
    if of_a.len() == of_b.len() && of_a.iter().zip(of_b).all(is_same) {
        return None;
    }
    field_differences(a, b).next()
}

/// The fields that differ, in the order of the first side, then those that it lacks; none where a side tells nothing of fields.
fn field_differences<'a>(a: &'a ObjectRecord, b: &'a ObjectRecord) -> impl Iterator<Item = FieldDifference> + 'a {
    let are_told = a.fields.is_some() && b.fields.is_some();
    let [a, b] = [a, b].map(|side| if are_told { side.fields() } else { &[] });
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
            value: field.value.to_string(),
            bits: field.bits.as_deref().unwrap_or_default().to_owned(),
        };
        Some(FieldDifference {
            field: Some(path.to_string()),
            a: left.map(value),
            b: right.map(value),
            ulps: left.zip(right).and_then(|(a, b)| ulps_between(a, b)),
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
