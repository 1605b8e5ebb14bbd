//! What a golden log tells and the log that is to take its place does not: whoever accepts that gives up what was guarded.

use std::collections::BTreeMap;
use std::iter::Peekable;

use crate::replay::{Checkpoint, Digest, FieldRecord, LogPass, LogSource, ObjectRecord};

/// What is no longer told, a sentence's end for each kind: with the first of it, and how many checkpoints it is of.
#[must_use]
pub(super) fn told_no_more(golden: &LogSource, new: &LogSource) -> Vec<String> {
    let (mut of_golden, mut of_new) = (golden.read().peekable(), new.read().peekable());
    let mut lost = Lost::default();
    while let Some(step) = of_golden.peek().map(|checkpoint| checkpoint.step) {
        let told = take_step(&mut of_golden, step);
        while of_new.peek().is_some_and(|checkpoint| checkpoint.step < step) {
            of_new.next();
        }
        lost.step(step, &told, &take_step(&mut of_new, step));
    }
    lost.texts()
}

/// All that a log tells of a step that comes next in it, or nothing.
fn take_step(log: &mut Peekable<LogPass<'_>>, step: u32) -> Vec<Checkpoint> {
    std::iter::from_fn(|| log.next_if(|checkpoint| checkpoint.step == step)).collect()
}

/// What can be lost, from the coarse to the fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Step,
    Stage,
    Hash,
    Sections,
    Section,
    Objects,
    Object,
    ObjectHash,
    Fields,
    Field,
    Bits,
    Type,
}

/// What is lost: of each kind the first, in words, and how many checkpoints lose of it.
#[derive(Default)]
struct Lost(BTreeMap<Kind, (String, u64)>);

impl Lost {
    fn add(&mut self, kind: Kind, step: u32, what: impl FnOnce() -> String) {
        let (_, count) = self.0.entry(kind).or_insert_with(|| (format!("{} of step {step}", what()), 0));
        *count += 1;
    }

    fn step(&mut self, step: u32, told: &[Checkpoint], now: &[Checkpoint]) {
        if now.is_empty() {
            return self.add(Kind::Step, step, || "anything".to_owned());
        }
        for checkpoint in told {
            let place = |other: &&Checkpoint| other.stage == checkpoint.stage && other.phase == checkpoint.phase;
            match now.iter().find(place) {
                Some(other) => self.checkpoint(checkpoint, other),
                None => self.add(Kind::Stage, step, || place_text(checkpoint)),
            }
        }
    }

    fn checkpoint(&mut self, told: &Checkpoint, now: &Checkpoint) {
        let step = told.step;
        if told.hash.is_some() && now.hash.is_none() {
            self.add(Kind::Hash, step, || "the hash".to_owned());
        }
        let is_gone = |section: &&Digest| !now.sections().iter().any(|other| other.name == section.name);
        if told.sections.is_some() && now.sections.is_none() {
            self.add(Kind::Sections, step, || "the sections".to_owned());
        } else if let Some(section) = told.sections().iter().find(is_gone) {
            self.add(Kind::Section, step, || format!("section {}", section.name));
        }
        if told.objects.is_some() && now.objects.is_none() {
            return self.add(Kind::Objects, step, || "the objects".to_owned());
        }
        let key = |object: &ObjectRecord| (object.section.clone(), object.name.clone());
        let others: BTreeMap<_, _> = now.objects().iter().map(|object| (key(object), object)).collect();
        // Of each kind a checkpoint counts once, however many objects lose of it.
        let mut lost: BTreeMap<Kind, String> = BTreeMap::new();
        for object in told.objects() {
            let found = match others.get(&key(object)) {
                None => Some((Kind::Object, format!("object {}", object.name))),
                Some(other) => of_object(object, other),
            };
            if let Some((kind, what)) = found {
                lost.entry(kind).or_insert(what);
            }
        }
        lost.into_iter().for_each(|(kind, what)| self.add(kind, step, || what));
    }

    fn texts(self) -> Vec<String> {
        let text = |(what, count): (String, u64)| match count {
            1 => what,
            _ => format!("{what} ({count} checkpoints in all)"),
        };
        self.0.into_values().map(text).collect()
    }
}

/// The coarsest of what is lost of an object.
fn of_object(told: &ObjectRecord, now: &ObjectRecord) -> Option<(Kind, String)> {
    let name = &told.name;
    if told.hash.is_some() && now.hash.is_none() {
        return Some((Kind::ObjectHash, format!("the hash of object {name}")));
    }
    if told.fields.is_some() && now.fields.is_none() {
        return Some((Kind::Fields, format!("the fields of object {name}")));
    }
    let others: BTreeMap<&str, &FieldRecord> = now.fields().iter().map(|field| (field.path.as_str(), field)).collect();
    let lost = |field: &FieldRecord| match others.get(field.path.as_str()) {
        None => Some((Kind::Field, format!("field {} of object {name}", field.path))),
        Some(other) if field.bits.is_some() && other.bits.is_none() => {
            Some((Kind::Bits, format!("the bits of field {} of object {name}", field.path)))
        }
        Some(other) => {
            let kind = field.kind.filter(|kind| other.kind != Some(*kind))?;
            Some((Kind::Type, format!("the type {} of field {} of object {name}", kind.name(), field.path)))
        }
    };
    told.fields().iter().filter_map(lost).min_by_key(|(kind, _)| *kind)
}

/// A stage and phase in words.
fn place_text(checkpoint: &Checkpoint) -> String {
    match (&checkpoint.stage, &checkpoint.phase) {
        (Some(stage), Some(phase)) => format!("stage {stage}, {phase}"),
        (Some(stage), None) => format!("stage {stage}"),
        (None, _) => "the end".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::told_no_more;
    use crate::replay::{LogSource, read_hash_log};

    fn lost(golden: &str, new: &str) -> Vec<String> {
        let [golden, new] = [golden, new].map(|text| {
            let log = read_hash_log("log", text.as_bytes()).expect("a log");
            LogSource::of_checkpoints("log", log.checkpoints)
        });
        told_no_more(&golden, &new)
    }

    /// Two steps of which everything is told that can be.
    fn full() -> String {
        let line = |step: u32, stage: &str| {
            format!(
                "{{\"step\":{step},{stage}\"hash\":\"1\",\"sections\":{{\"s\":\"1\",\"t\":\"2\"}},\"objects\":[{{\"name\":\"a\",\"hash\":\"1\",\
                 \"fields\":{{\"x\":{{\"value\":1,\"bits\":\"3f800000\",\"type\":\"f32\"}},\"y\":2}}}},{{\"name\":\"b\",\"hash\":\"2\"}}]}}\n"
            )
        };
        (0..2).map(|step| line(step, "\"stage\":\"solve\",") + &line(step, "")).collect()
    }

    #[test]
    fn each_kind_of_what_is_lost_is_told_with_the_first_and_the_number_of_it() {
        let full = full();
        assert_eq!(lost(&full, &full), [""; 0]);
        for (part, with, said) in [
            ("\"hash\":\"1\",\"sections\"", "\"sections\"", "the hash of step 0 (4 checkpoints in all)"),
            ("\"sections\":{\"s\":\"1\",\"t\":\"2\"},", "", "the sections of step 0 (4 checkpoints in all)"),
            (",\"t\":\"2\"", "", "section t of step 0 (4 checkpoints in all)"),
            (",{\"name\":\"b\",\"hash\":\"2\"}", "", "object b of step 0 (4 checkpoints in all)"),
            ("\"b\",\"hash\":\"2\"", "\"b\"", "the hash of object b of step 0 (4 checkpoints in all)"),
            (
                ",\"fields\":{\"x\":{\"value\":1,\"bits\":\"3f800000\",\"type\":\"f32\"},\"y\":2}",
                "",
                "the fields of object a of step 0 (4 checkpoints in all)",
            ),
            (",\"y\":2", "", "field y of object a of step 0 (4 checkpoints in all)"),
            (
                "{\"value\":1,\"bits\":\"3f800000\",\"type\":\"f32\"}",
                "1",
                "the bits of field x of object a of step 0 (4 checkpoints in all)",
            ),
            (",\"type\":\"f32\"", "", "the type f32 of field x of object a of step 0 (4 checkpoints in all)"),
        ] {
            assert!(full.contains(part), "{part}");
            assert_eq!(lost(&full, &full.replace(part, with)), [said], "{part}");
            assert_eq!(lost(&full.replace(part, with), &full), [""; 0], "to tell more is no loss: {part}");
        }
        let lines = |wanted: &dyn Fn(&str) -> bool| -> String {
            full.lines().filter(|line| wanted(line)).map(|line| format!("{line}\n")).collect()
        };
        assert_eq!(
            lost(&full, &lines(&|line| !line.contains("stage"))),
            ["stage solve of step 0 (2 checkpoints in all)"]
        );
        assert_eq!(lost(&full, &lines(&|line| line.contains("\"step\":0"))), ["anything of step 1"]);
        let hashes = "{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,\"hash\":\"1\"}\n";
        let all = ["stage solve", "the sections", "the objects"];
        assert_eq!(lost(&full, hashes), all.map(|what| format!("{what} of step 0 (2 checkpoints in all)")));
    }

    /// What was in a list that is told and empty now is lost one by one; a list is lost where it is not told.
    #[test]
    fn an_empty_list_is_told() {
        let line = |rest: &str| format!("{{\"step\":0,\"hash\":\"1\"{rest}}}\n");
        let [nothing, empty, full, bare] = [
            "",
            ",\"sections\":{},\"objects\":[]",
            ",\"sections\":{\"s\":\"1\"},\"objects\":[{\"name\":\"a\",\"fields\":{\"x\":1}}]",
            ",\"sections\":{\"s\":\"1\"},\"objects\":[{\"name\":\"a\",\"fields\":{}}]",
        ]
        .map(line);
        assert_eq!(lost(&full, &empty), ["section s of step 0", "object a of step 0"]);
        assert_eq!(lost(&full, &bare), ["field x of object a of step 0"]);
        assert_eq!(lost(&bare, &bare.replace(",\"fields\":{}", "")), ["the fields of object a of step 0"]);
        assert_eq!(lost(&empty, &nothing), ["the sections of step 0", "the objects of step 0"]);
        for (told, now) in [(&empty, &full), (&nothing, &empty), (&bare, &full)] {
            assert_eq!(lost(told, now), [""; 0], "{told}{now}");
        }
    }
}
