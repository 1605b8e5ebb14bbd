//! Holds what was said against what is true.

use std::collections::BTreeSet;

use crate::claim::Claim;
use crate::record::{Cause, Record, Step};

/// How an answer stands to the truth, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing was asked, or nothing said and nothing to say.
    None,
    /// It is as was said.
    Right,
    /// Nothing was said, and why.
    Withheld,
    /// Nothing was said, and not why.
    Empty,
    /// It is not as was said.
    Wrong,
}

impl Mark {
    /// The word in the table.
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "-",
            Self::Right => "right",
            Self::Withheld => "withheld",
            Self::Empty => "empty",
            Self::Wrong => "wrong",
        }
    }

    /// Whether a detector may not be marked so.
    pub const fn is_miss(self) -> bool {
        matches!(self, Self::Empty | Self::Wrong)
    }
}

/// The marks of all that was said about one bug, and what was wrong in words.
#[derive(Clone, Debug)]
pub struct Marks {
    pub step: Mark,
    pub stage: Mark,
    pub object: Mark,
    pub cause: Mark,
    /// What was wrong or empty, and who said so.
    pub misses: BTreeSet<String>,
}

impl Default for Marks {
    fn default() -> Self {
        Self { step: Mark::None, stage: Mark::None, object: Mark::None, cause: Mark::None, misses: BTreeSet::new() }
    }
}

impl Marks {
    /// Adds the marks of a claim; `parts_at` is where the clean and the buggy build part.
    pub fn add(&mut self, claim: &Claim, record: &Record, parts_at: Option<u32>) {
        let silent = if claim.notes.is_empty() { Mark::Empty } else { Mark::Withheld };
        let step = claim.step.map_or(silent, |step| step_mark(step, claim, record, parts_at));
        let stage = claim.stage.as_ref().map_or(silent, |stage| stage_mark(stage, claim, record));
        let object = match (&claim.section, &claim.object) {
            (None, None) => silent,
            (section, object) => object_mark(section.as_deref(), object.as_deref(), record),
        };
        let cause = cause_mark(claim, record);
        for (what, mark, said) in [
            ("step", step, claim.step.map(|step| step.to_string())),
            ("stage", stage, claim.stage.as_ref().map(|stage| with(stage, claim.phase.as_ref()))),
            ("object", object, claim.section.as_ref().map(|section| with(section, claim.object.as_ref()))),
            ("cause", cause, Some(format!("{:?}", claim.causes))),
        ] {
            if mark.is_miss() {
                let said = said.unwrap_or_else(|| "nothing".to_owned());
                self.misses.insert(format!("`{}`: {} {what}: {said}", claim.from, mark.word()));
            }
        }
        self.step = self.step.max(step);
        self.stage = self.stage.max(stage);
        self.object = self.object.max(object);
        self.cause = self.cause.max(cause);
    }
}

fn with(text: &str, detail: Option<&String>) -> String {
    detail.map_or_else(|| text.to_owned(), |detail| format!("{text}, {detail}"))
}

fn step_mark(step: u32, claim: &Claim, record: &Record, parts_at: Option<u32>) -> Mark {
    let right = match (record.step, claim.restored) {
        (Step::Build, None) => Some(step) == parts_at,
        (Step::Build, Some(restored)) => step > restored,
        (Step::From(first), _) => step >= first,
        (Step::AfterRestore, Some(restored)) => step == restored + 1,
        (Step::SinceRestore, Some(restored)) => step > restored,
        (Step::AfterRestore | Step::SinceRestore, None) => step >= 1,
    };
    if right { Mark::Right } else { Mark::Wrong }
}

/// A stage that cannot have touched what is said to differ is wrong whatever the bug.
fn stage_mark(stage: &str, claim: &Claim, record: &Record) -> Mark {
    let moves_bodies = ["inputs", "forces", "solve", "finish"].contains(&stage);
    let is_mixed = claim.section.as_deref() == Some("bodies") && !moves_bodies;
    if record.stages.iter().any(|right| right == stage) && !is_mixed { Mark::Right } else { Mark::Wrong }
}

fn object_mark(section: Option<&str>, object: Option<&str>, record: &Record) -> Mark {
    let said = [section, object].into_iter().flatten().collect::<Vec<_>>().join(" ");
    if record.places.iter().any(|right| said.contains(right.as_str())) { Mark::Right } else { Mark::Wrong }
}

/// A claim without a cause is a first difference and no more; `verify` says no more.
fn cause_mark(claim: &Claim, record: &Record) -> Mark {
    let said: BTreeSet<Cause> = claim.causes.clone();
    if said.is_empty() {
        return if claim.from == "bisect" { Mark::Empty } else { Mark::None };
    }
    if said.iter().all(|cause| record.causes.contains(cause)) { Mark::Right } else { Mark::Wrong }
}
