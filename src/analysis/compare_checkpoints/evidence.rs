//! What each side tells of a checkpoint: by what the two are compared, and what only one of them tells. That was not compared, however
//! well the rest agrees.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::compare_checkpoints::sections::Sections;
use crate::replay::{Checkpoint, FieldRecord, NumberKind, ObjectRecord};

/// By what two checkpoints are compared: of what both tell, that which covers most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// The hash of the whole state.
    Hash,
    /// The hashes of its sections.
    Sections,
    /// The hashes of objects.
    ObjectHashes,
    /// The fields of objects.
    Fields,
    /// The names of objects, of which nothing else is told.
    Names,
    /// That there are no objects.
    NoObjects,
}

impl Basis {
    /// That all steps are the same, as far as these tell; nothing named means the hashes of replays.
    #[must_use]
    pub fn same_text(bases: &BTreeSet<Self>) -> String {
        // That the objects of some steps were none is by the way where there were any.
        let named = bases.iter().filter(|basis| bases.len() == 1 || **basis != Self::NoObjects);
        let names: Vec<&str> = named.map(|basis| basis.name()).collect();
        match names.as_slice() {
            [] | ["hash"] => "every step has the same hash".to_owned(),
            names => format!("the same {} at every step", names.join(" or ")),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::Sections => "hashes of sections",
            Self::ObjectHashes => "hashes of objects",
            Self::Fields => "fields",
            Self::Names => "names of objects",
            Self::NoObjects => "empty list of objects",
        }
    }

    /// That of two checkpoints; nothing where they tell nothing alike.
    pub(super) fn of(a: &Checkpoint, b: &Checkpoint) -> Option<Self> {
        let have_hashes = |objects: &[ObjectRecord]| objects.iter().any(|object| object.hash.is_some());
        let both = |told: &dyn Fn(&Checkpoint) -> bool| told(a) && told(b);
        if both(&|side| side.hash.is_some()) {
            Some(Self::Hash)
        } else if both(&|side| side.sections.is_some()) {
            Some(Self::Sections)
        } else if both(&|side| have_hashes(side.objects())) {
            Some(Self::ObjectHashes)
        } else if both(&|side| side.objects().iter().any(|object| object.fields.is_some())) {
            Some(Self::Fields)
        } else if both(&|side| !side.objects().is_empty()) {
            Some(Self::Names)
        } else if both(&|side| side.objects.is_some()) {
            Some(Self::NoObjects)
        } else {
            None
        }
    }
}

/// What one side tells, and the other does not at the same place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Untold {
    /// All of it.
    pub all: Checkpoints,
    /// That which nothing covers of what both tell: no hash of the state, and of objects no sections either; and all that is missing of
    /// the steps of which all is owed ([`Detail`](super::Detail)).
    pub owed: Checkpoints,
}

/// Checkpoints of which a side tells more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoints {
    /// How many.
    pub count: usize,
    /// The step of the first, and what is told of it, in words.
    pub first: Option<(u32, String)>,
}

impl Checkpoints {
    fn add(&mut self, step: u32, missing: &Missing<'_>) {
        self.count += 1;
        self.first.get_or_insert_with(|| (step, missing.text()));
    }

    /// Takes down a stage that only this side tells; nothing of the end of a step.
    pub(super) fn add_stage(&mut self, checkpoint: &Checkpoint) {
        let Some(stage) = &checkpoint.stage else { return };
        self.count += 1;
        self.first.get_or_insert_with(|| (checkpoint.step, format!("stage {stage}")));
    }

    /// Takes down an object.
    pub(super) fn add_object(&mut self, step: u32, name: &str) {
        self.count += 1;
        self.first.get_or_insert_with(|| (step, format!("object {name}")));
    }

    /// The step of the first.
    #[must_use]
    pub fn first_step(&self) -> Option<u32> {
        self.first.as_ref().map(|(step, _)| *step)
    }

    /// The first of them with how many there are in all: `the hash of step 3 (12 checkpoints in all)`.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let (step, what) = self.first.as_ref()?;
        let more = if self.count > 1 { format!(" ({} checkpoints in all)", self.count) } else { String::new() };
        Some(format!("{what} of step {step}{more}"))
    }
}

impl Untold {
    /// Takes down what one side tells of a checkpoint, and the other does not, of a step of which all of it is owed or that alone which
    /// nothing covers; gives back whether nothing covers it.
    pub(super) fn add(&mut self, told: &Checkpoint, other: &Checkpoint, is_owed: bool) -> bool {
        let Some(missing) = Missing::of(told, other) else { return false };
        self.all.add(told.step, &missing);
        if is_owed || !missing.is_covered {
            self.owed.add(told.step, &missing);
        }
        !missing.is_covered
    }
}

/// What is missing of a checkpoint that another side tells in more detail.
#[derive(Default)]
struct Missing<'a> {
    hash: bool,
    sections: bool,
    objects: bool,
    of_object: Option<MissingOfObject<'a>>,
    /// Whether something that both tell depends on all that is missing.
    is_covered: bool,
}

/// An object of which something is missing.
struct MissingOfObject<'a> {
    name: &'a str,
    what: OfObject<'a>,
    /// Whether both sides tell its hash, or that of its section.
    is_covered: bool,
}

/// What is missing of an object that both tell of.
enum OfObject<'a> {
    Hash,
    Fields,
    /// Of this field.
    Bits(&'a str),
    /// That the bits are those of such a number, of this field.
    Type(NumberKind, &'a str),
}

impl<'a> Missing<'a> {
    fn of(told: &'a Checkpoint, other: &'a Checkpoint) -> Option<Self> {
        let hash = told.hash.is_some() && other.hash.is_none();
        let sections = told.sections.is_some() && other.sections.is_none();
        let objects = told.objects.is_some() && other.objects.is_none();
        let by_sections = Sections::of(told, other);
        let is_in_section = |object: &ObjectRecord| by_sections.as_ref().is_some_and(|sections| sections.cover(object));
        let of_object = if objects { None } else { of_objects(told.objects(), other.objects(), &is_in_section) };
        if !(hash || sections || objects || of_object.is_some()) {
            return None;
        }
        let both_hashes = told.hash.is_some() && other.hash.is_some();
        let are_covered = !objects || (by_sections.is_some() && told.objects().iter().all(is_in_section));
        let is_covered_one = of_object.as_ref().is_none_or(|missing| missing.is_covered);
        let is_covered = !hash && (both_hashes || (!sections && are_covered && is_covered_one));
        Some(Self { hash, sections, objects, of_object, is_covered })
    }

    fn text(&self) -> String {
        let of_object = self.of_object.as_ref().map(|MissingOfObject { name, what, .. }| match what {
            OfObject::Hash => format!("the hash of object {name}"),
            OfObject::Fields => format!("the fields of object {name}"),
            OfObject::Bits(field) => format!("the bits of field {field} of object {name}"),
            OfObject::Type(kind, field) => format!("the type {} of field {field} of object {name}", kind.name()),
        });
        let parts = [(self.hash, "the hash"), (self.sections, "the sections"), (self.objects, "the objects")];
        let parts = parts.into_iter().filter(|(is_missing, _)| *is_missing).map(|(_, what)| what.to_owned());
        parts.chain(of_object).collect::<Vec<String>>().join(" and ")
    }
}

/// The first object of which another side tells less, one that nothing covers before all others. One that the other does not have
/// at all differs, which is another matter.
fn of_objects<'a>(
    told: &'a [ObjectRecord],
    other: &'a [ObjectRecord],
    is_in_section: &dyn Fn(&ObjectRecord) -> bool,
) -> Option<MissingOfObject<'a>> {
    let key = |object: &'a ObjectRecord| (object.section.as_deref(), object.name.as_str());
    let mut covered = None;
    let mut uncovered = |told: &'a ObjectRecord, other: &'a ObjectRecord| {
        let what = of_object(told, other)?;
        let is_covered = (told.hash.is_some() && other.hash.is_some()) || is_in_section(told);
        let missing = MissingOfObject { name: &told.name, what, is_covered };
        if is_covered {
            covered.get_or_insert(missing);
            return None;
        }
        Some(missing)
    };
    // Logs of one printer list the same objects in the same order.
    let found = if told.len() == other.len() && told.iter().zip(other).all(|(told, other)| key(told) == key(other)) {
        told.iter().zip(other).find_map(|(told, other)| uncovered(told, other))
    } else {
        let others: BTreeMap<_, _> = other.iter().map(|object| (key(object), object)).collect();
        told.iter().find_map(|object| uncovered(object, others.get(&key(object))?))
    };
    found.or(covered)
}

fn of_object<'a>(told: &'a ObjectRecord, other: &'a ObjectRecord) -> Option<OfObject<'a>> {
    if told.hash.is_some() && other.hash.is_none() {
        return Some(OfObject::Hash);
    }
    if told.fields.is_some() && other.fields.is_none() {
        return Some(OfObject::Fields);
    }
    of_fields(told.fields(), other.fields())
}

/// The first field of which another side gives no bits, or else the first of which it gives another type or none.
fn of_fields<'a>(told: &'a [FieldRecord], other: &'a [FieldRecord]) -> Option<OfObject<'a>> {
    if told.iter().all(|field| field.bits.is_none() && field.kind.is_none()) {
        return None;
    }
    let mut lost_type = None;
    let mut lost = |field: &'a FieldRecord, other: &FieldRecord| {
        // Without bits on both sides the values are compared as texts, which may be rounded.
        if field.bits.is_some() && other.bits.is_none() {
            return Some(OfObject::Bits(&field.path));
        }
        let kind = field.kind.filter(|kind| other.kind != Some(*kind))?;
        lost_type.get_or_insert(OfObject::Type(kind, &field.path));
        None
    };
    // Logs of one printer give the same fields in the same order.
    let found = if told.len() == other.len() && told.iter().zip(other).all(|(told, other)| told.path == other.path) {
        told.iter().zip(other).find_map(|(field, other)| lost(field, other))
    } else {
        let others: BTreeMap<&str, &FieldRecord> = other.iter().map(|field| (field.path.as_str(), field)).collect();
        told.iter().find_map(|field| lost(field, others.get(field.path.as_str())?))
    };
    found.or(lost_type)
}

#[cfg(test)]
mod tests {
    use super::{Basis, Untold};
    use crate::replay::{Checkpoint, read_hash_log};

    fn checkpoint(keys: &str) -> Checkpoint {
        let log = read_hash_log("log", format!("{{\"step\":3,{keys}}}\n").as_bytes()).expect("a log");
        log.checkpoints.into_iter().next().expect("a line")
    }

    /// What the first tells beyond the second, and whether nothing covers it.
    fn untold(told: &str, other: &str) -> Option<(String, bool)> {
        let mut untold = Untold::default();
        untold.add(&checkpoint(told), &checkpoint(other), false);
        Some((untold.all.text()?, untold.owed.count > 0))
    }

    const HASH: &str = "\"hash\":\"1\"";
    const SECTIONS: &str = "\"sections\":{\"s\":\"1\"}";

    #[test]
    fn each_kind_of_evidence_is_missed() {
        let objects = |keys: &str| format!("\"objects\":[{{\"name\":\"a\"}},{{\"name\":\"ball\"{keys}}}]");
        let [hash, fields, bits, named] =
            [",\"hash\":\"1\"", ",\"fields\":{\"x\":1}", ",\"fields\":{\"x\":{\"value\":1,\"bits\":\"3f80\"}}", ""]
                .map(objects);
        let with = |a: &str, b: &str| format!("{a},{b}");
        let typed = bits.replace("\"3f80\"", "\"3f80\",\"type\":\"f32\"");
        for (told, other, text, is_uncovered) in [
            (HASH, named.as_str(), "the hash", true),
            (&with(HASH, SECTIONS), HASH, "the sections", false),
            (&with(HASH, SECTIONS), SECTIONS, "the hash", true),
            (&with(HASH, &named), HASH, "the objects", false),
            (&with(HASH, &with(SECTIONS, &named)), HASH, "the sections and the objects", false),
            (&with(SECTIONS, &named), SECTIONS, "the objects", false),
            (&hash, &fields, "the hash of object ball", true),
            (&with(HASH, &hash), &with(HASH, &fields), "the hash of object ball", false),
            (&fields, &hash, "the fields of object ball", true),
            (&objects(",\"hash\":\"1\",\"fields\":{\"x\":1}"), &hash, "the fields of object ball", false),
            (&bits, &fields, "the bits of field x of object ball", true),
            (&typed, &bits, "the type f32 of field x of object ball", true),
            (&typed, &typed.replace("f32", "fixed"), "the type f32 of field x of object ball", true),
            (&typed, &fields, "the bits of field x of object ball", true),
            // That there is none of something is told as well.
            ("\"objects\":[]", HASH, "the objects", true),
            (&with(HASH, "\"objects\":[]"), HASH, "the objects", false),
            (&with(HASH, "\"sections\":{}"), HASH, "the sections", false),
            (&objects(",\"fields\":{}"), &named, "the fields of object ball", true),
        ] {
            assert_eq!(untold(told, other), Some((format!("{text} of step 3"), is_uncovered)), "{told} beside {other}");
            assert_eq!(untold(told, told), None);
        }
        for (told, other) in [(&fields, &bits), (&named, &fields), (&bits, &typed)] {
            assert_eq!(untold(told, other), None, "{told} beside {other}");
        }
        // In whatever order they stand.
        let turned = "\"objects\":[{\"name\":\"ball\"},{\"name\":\"a\"}]";
        assert_eq!(untold(&hash, turned), Some(("the hash of object ball of step 3".to_owned(), true)));
        assert_eq!(untold(&hash, "\"objects\":[{\"name\":\"a\"}]"), None, "an object that is not there differs");
    }

    #[test]
    fn what_covers_most_is_what_they_are_compared_by() {
        let objects = "\"objects\":[{\"name\":\"a\",\"fields\":{\"x\":1}}]";
        let both = format!("{HASH},{objects}");
        let basis = |a: &str, b: &str| Basis::of(&checkpoint(a), &checkpoint(b));
        assert_eq!(basis(&both, &both), Some(Basis::Hash));
        assert_eq!(basis(&both, objects), Some(Basis::Fields));
        assert_eq!(basis(HASH, objects), None);
        assert_eq!(basis(SECTIONS, SECTIONS), Some(Basis::Sections));
        let none = "\"objects\":[]";
        let names = "\"objects\":[{\"name\":\"p\"}]";
        assert_eq!((basis(names, names), Basis::Names.name()), (Some(Basis::Names), "names of objects"));
        assert_eq!(basis(none, none), Some(Basis::NoObjects));
        let text = |bases: &[Basis]| Basis::same_text(&bases.iter().copied().collect());
        assert_eq!(text(&[Basis::NoObjects]), "the same empty list of objects at every step");
        assert_eq!(text(&[Basis::NoObjects, Basis::Hash]), "every step has the same hash");
        assert_eq!(text(&[Basis::NoObjects, Basis::Fields]), "the same fields at every step");
    }
}
