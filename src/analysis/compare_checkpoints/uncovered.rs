//! Objects of which the first side tells, and that nothing covers of what the second does: no hash, and no telling of the object itself.

use std::collections::BTreeMap;

use crate::analysis::compare_checkpoints::sections::Sections;
use crate::replay::{Checkpoint, LogSource, ObjectRecord};

/// Steps in which the first side tells of objects that nothing covers of what the second does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uncovered {
    /// The first of them.
    pub first: u32,
    /// The last.
    pub last: u32,
    /// How many checkpoints there are of it.
    pub count: usize,
    /// The first object.
    pub object: String,
    /// Its section.
    pub section: Option<String>,
}

impl Uncovered {
    fn of(step: u32, object: &ObjectRecord) -> Self {
        Self { first: step, last: step, count: 1, object: object.name.clone(), section: object.section.clone() }
    }

    /// Takes down one more object, of this step or a later one.
    fn add(found: &mut Option<Self>, step: u32, object: &ObjectRecord) {
        match found {
            Some(found) => (found.last, found.count) = (step, found.count + 1),
            None => *found = Some(Self::of(step, object)),
        }
    }

    /// Takes down what nothing covers of a checkpoint that both sides have.
    pub(super) fn add_pair(found: &mut Option<Self>, a: &Checkpoint, b: &Checkpoint) {
        if a.objects().is_empty() || (a.hash.is_some() && b.hash.is_some()) {
            return;
        }
        let is_covered = covered_by(a, b);
        if let Some(object) = first_untold(a, b, &is_covered) {
            Self::add(found, a.step, object);
        }
    }

    /// The object with its section, in words.
    #[must_use]
    pub fn object_text(&self) -> String {
        let Self { object, section, .. } = self;
        section.as_ref().map_or_else(|| object.clone(), |section| format!("{object} of section {section}"))
    }

    /// What a program is to print, so that the object is covered without being told of.
    #[must_use]
    pub fn remedy(&self) -> String {
        let of_section = self
            .section
            .as_ref()
            .map_or_else(String::new, |section| format!(", or among its `sections` the hash of section {section}"));
        format!("let it print `hash`, the hash of the whole state, in every step{of_section}")
    }
}

/// Objects of which a log tells, behind step 0, and that none of its own hashes covers: who is compared with it has to tell of
/// them.
#[must_use]
pub fn uncovered_in(log: &LogSource) -> Option<Uncovered> {
    let mut found = None;
    for told in log.read().filter(|told| told.step > 0 && told.hash.is_none()) {
        let is_covered = covered_by(&told, &told);
        let object = told.objects().iter().find(|object| !is_covered(object));
        object.into_iter().for_each(|object| Uncovered::add(&mut found, told.step, object));
    }
    found
}

/// What a log tells of objects that nothing covers any more in the one that is to take its place: neither a hash of the state or of their
/// section, nor a telling of themselves. Steps that the other does not have are another matter.
#[must_use]
pub fn uncovered_by(log: &LogSource, other: &LogSource) -> Option<Uncovered> {
    let mut of_other = other.read().peekable();
    let mut of_step: Vec<Checkpoint> = Vec::new();
    let mut found = None;
    for told in log.read() {
        if of_step.first().is_none_or(|first| first.step != told.step) {
            of_step.clear();
            while let Some(checkpoint) = of_other.next_if(|other| other.step <= told.step) {
                of_step.extend(Some(checkpoint).filter(|checkpoint| checkpoint.step == told.step));
            }
        }
        let place = |other: &&Checkpoint| other.stage == told.stage && other.phase == told.phase;
        let Some(other) = of_step.iter().find(place).filter(|other| other.hash.is_none()) else { continue };
        let is_covered = covered_by(other, other);
        if let Some(object) = first_untold(&told, other, &is_covered) {
            Uncovered::add(&mut found, told.step, object);
        }
    }
    found
}

/// Whether the hash of a section that both tell covers an object.
fn covered_by<'a>(a: &'a Checkpoint, b: &'a Checkpoint) -> impl Fn(&ObjectRecord) -> bool + 'a {
    let sections = Sections::of(a, b);
    move |object| sections.as_ref().is_some_and(|sections| sections.cover(object))
}

/// The first object that is not covered, and of which the second side tells nothing, or none of what the first tells of its state. One that
/// is not in a list of the second differs, which is another matter.
fn first_untold<'a>(
    a: &'a Checkpoint,
    b: &Checkpoint,
    is_covered: &dyn Fn(&ObjectRecord) -> bool,
) -> Option<&'a ObjectRecord> {
    let mut uncovered = a.objects().iter().filter(|object| !is_covered(object));
    if b.objects.is_none() {
        return uncovered.next();
    }
    let key = |object: &ObjectRecord| (object.section.clone(), object.name.clone());
    let others: BTreeMap<_, _> = b.objects().iter().map(|object| (key(object), object)).collect();
    uncovered.find(|object| {
        let is_named = |object: &ObjectRecord| object.hash.is_none() && object.fields.is_none();
        let is_told = |other: &ObjectRecord| {
            (object.hash.is_some() && other.hash.is_some()) || (object.fields.is_some() && other.fields.is_some())
        };
        !is_named(object) && others.get(&key(object)).is_some_and(|other| !is_told(other))
    })
}

#[cfg(test)]
mod tests {
    use super::{Uncovered, uncovered_by};
    use crate::analysis::compare_checkpoints::compare_checkpoints;
    use crate::replay::{LogSource, read_hash_log};

    const HASH: &str = "\"hash\":\"1\"";
    const SECTIONS: &str = "\"sections\":{\"s\":\"1\"}";
    const OBJECTS: &str = "\"objects\":[{\"name\":\"a\",\"section\":\"s\",\"hash\":\"1\"},{\"name\":\"b\",\"section\":\"t\",\"fields\":{\"x\":1}}]";

    /// What is uncovered in steps 3 and 4 where the two sides tell this, and where the second takes the place of the first.
    fn uncovered(a: &str, b: &str) -> [Option<Uncovered>; 2] {
        let [a, b] = [a, b].map(|keys| {
            let text = format!("{{\"step\":3,{keys}}}\n{{\"step\":4,{keys}}}\n");
            read_hash_log("log", text.as_bytes()).expect("a log").checkpoints
        });
        let compared = compare_checkpoints(&a, &b).uncovered;
        let [a, b] = [a, b].map(|checkpoints| LogSource::of_checkpoints("log", checkpoints));
        [compared, uncovered_by(&a, &b)]
    }

    #[test]
    fn objects_are_covered_by_what_both_tell_or_by_what_the_new_one_tells() {
        let with = |parts: &[&str]| parts.join(",");
        let full = with(&[SECTIONS, OBJECTS]);
        let named = "\"objects\":[{\"name\":\"a\",\"section\":\"s\"},{\"name\":\"b\",\"section\":\"t\"}]";
        for (a, b, expected) in [
            (full.as_str(), SECTIONS, [Some("b"); 2]),
            (OBJECTS, SECTIONS, [Some("a"), Some("b")]),
            (OBJECTS, HASH, [Some("a"), None]),
            (&with(&[HASH, OBJECTS]), HASH, [None; 2]),
            (&with(&[HASH, OBJECTS]), SECTIONS, [Some("a"), Some("b")]),
            (&full, &full, [None; 2]),
            (&full, &with(&[SECTIONS, named]), [Some("b"); 2]),
            (OBJECTS, OBJECTS, [None; 2]),
            (&full, "\"sections\":{\"s\":\"1\",\"t\":\"1\"}", [Some("b"), None]),
            (SECTIONS, &full, [None; 2]),
            // What is gone from a list differs.
            (OBJECTS, "\"objects\":[]", [None; 2]),
            (named, SECTIONS, [Some("a"), Some("b")]),
        ] {
            let found = uncovered(a, b);
            let objects = found.each_ref().map(|found| found.as_ref().map(|found| found.object.as_str()));
            assert_eq!(objects, expected, "{a} beside {b}");
            for found in found.into_iter().flatten() {
                assert_eq!((found.first, found.last, found.count), (3, 4, 2), "{a} beside {b}");
            }
        }
    }

    #[test]
    fn the_remedy_names_the_section() {
        let found = uncovered(&format!("{SECTIONS},{OBJECTS}"), SECTIONS)[0].clone().expect("b");
        assert_eq!(found.object_text(), "b of section t");
        assert!(found.remedy().ends_with("in every step, or among its `sections` the hash of section t"));
        assert!(Uncovered { section: None, ..found }.remedy().ends_with("in every step"));
    }
}
