//! One checkpoint of a run, as logs and traces hold it: hashes and values as texts, with no knowledge of what they measure.
//!
//! Its JSON is one line of a hash log (`docs/hash-log.md`), and one message of a trace.

pub(super) mod json;
mod short_text;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

pub use short_text::ShortText;

/// One checkpoint of a run: the end of a step, or of a stage within it. It has a hash, sections or objects; none of them only where a
/// program told no more than an empty list of which it was not asked.
///
/// Hashes and bits are compared as texts; those made of hexadecimal digits are in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The step: state 0 is where the run begins.
    pub step: u32,
    /// The stage that has just ended; `None` at the end of the step.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::present")]
    pub stage: Option<String>,
    /// A finer place within the stage, such as `substep 1 solve 2`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::present")]
    pub phase: Option<String>,
    /// The hash of the whole state.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::hash")]
    pub hash: Option<String>,
    /// The hashes of parts of the state, in the order in which they were written; `None` where nothing is told of parts.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "json::digests")]
    pub sections: Option<Vec<Digest>>,
    /// The objects of the state, in the order in which they were written; `None` where nothing is told of objects, which is another
    /// thing than that there are none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::present")]
    pub objects: Option<Vec<ObjectRecord>>,
}

/// The hash of one section of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// The section.
    pub name: String,
    /// Its hash.
    pub hash: String,
}

/// One object of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObjectRecord {
    /// Its name, unique within its section.
    pub name: String,
    /// The section it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::present")]
    pub section: Option<String>,
    /// The hash of all its fields.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "json::hash")]
    pub hash: Option<String>,
    /// Its fields, in the order in which they were written; `None` where nothing is told of them.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "json::fields")]
    pub fields: Option<Vec<FieldRecord>>,
}

/// One field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRecord {
    /// Which field, such as `velocity.x`.
    pub path: ShortText,
    /// Its value as people read it.
    pub value: ShortText,
    /// Its exact bits in hexadecimal digits. Where both sides have them, they decide whether two fields agree.
    pub bits: Option<ShortText>,
    /// What the bits are the bits of, where that is told.
    pub kind: Option<NumberKind>,
}

/// What bits are the bits of, so that the numbers between two of them can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NumberKind {
    /// A binary32 number of IEEE 754.
    F32,
    /// A binary64 number of IEEE 754.
    F64,
    /// A fixed-point number, of two's complement in as many bits as there are digits for.
    Fixed,
}

impl NumberKind {
    /// What it is called in a log.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Fixed => "fixed",
        }
    }
}

impl ObjectRecord {
    /// The fields that are told, none where nothing is told of them.
    #[must_use]
    pub fn fields(&self) -> &[FieldRecord] {
        self.fields.as_deref().unwrap_or_default()
    }
}

impl Checkpoint {
    /// A checkpoint at the end of a step of which only the hash is known.
    #[must_use]
    pub fn of_hash(step: u32, hash: impl Into<String>) -> Self {
        Self { step, hash: Some(hash.into()), ..Self::default() }
    }

    /// The sections that are told, none where nothing is told of them.
    #[must_use]
    pub fn sections(&self) -> &[Digest] {
        self.sections.as_deref().unwrap_or_default()
    }

    /// The objects that are told, none where nothing is told of them.
    #[must_use]
    pub fn objects(&self) -> &[ObjectRecord] {
        self.objects.as_deref().unwrap_or_default()
    }

    /// Makes of lists that are empty such that are not told, but for that of the objects if it is kept; nothing may be left then.
    pub(super) fn drop_empty_lists(&mut self, keeps_objects: bool) {
        self.sections.take_if(|sections| sections.is_empty());
        self.objects.take_if(|objects| objects.is_empty() && !keeps_objects);
        for object in self.objects.iter_mut().flatten() {
            object.fields.take_if(|fields| fields.is_empty());
        }
    }

    /// Whether it tells of nothing but that there is such a checkpoint.
    #[must_use]
    pub const fn tells_nothing(&self) -> bool {
        self.hash.is_none() && self.sections.is_none() && self.objects.is_none()
    }

    /// How many records it has below itself: sections, objects and fields.
    #[must_use]
    pub fn details(&self) -> usize {
        let fields: usize = self.objects().iter().map(|object| object.fields().len()).sum();
        self.sections().len() + self.objects().len() + fields
    }

    /// Whether this can be a checkpoint; otherwise what it lacks.
    ///
    /// # Errors
    /// If it says nothing about the state, has a phase without a stage, or names a section or object twice.
    pub fn check(&self) -> Result<(), String> {
        if self.tells_nothing() {
            return Err("a checkpoint without hash, sections or objects; give at least one of them".to_owned());
        }
        if self.phase.is_some() && self.stage.is_none() {
            return Err("a phase without the stage it is in; add \"stage\"".to_owned());
        }
        let mut names = BTreeSet::new();
        for object in self.objects() {
            if !names.insert((&object.section, &object.name)) {
                return Err(format!("two objects {:?} in one section; names must be unique there", object.name));
            }
        }
        Ok(())
    }
}

/// Holds a series of checkpoints to its order: steps never go back, and the end of a step is its last checkpoint.
#[derive(Clone, Debug, Default)]
pub struct CheckpointOrder {
    step: Option<u32>,
    ended: bool,
    places: BTreeSet<(Option<String>, Option<String>)>,
}

impl CheckpointOrder {
    /// Whether this place has been passed already: the step was told of before, as where a rollback simulates it again.
    #[must_use]
    pub fn is_again(&self, checkpoint: &Checkpoint) -> bool {
        match self.step {
            Some(last) if checkpoint.step == last => {
                self.ended || self.places.contains(&(checkpoint.stage.clone(), checkpoint.phase.clone()))
            }
            Some(last) => checkpoint.step < last,
            None => false,
        }
    }

    /// Takes note of the next checkpoint of a series.
    ///
    /// # Errors
    /// If it is not a checkpoint, or cannot follow those before it; the text says what was expected.
    pub fn admit(&mut self, checkpoint: &Checkpoint) -> Result<(), String> {
        checkpoint.check()?;
        let step = checkpoint.step;
        match self.step {
            Some(last) if step < last => {
                return Err(format!("step {step} after step {last}; steps must not go back"));
            }
            Some(last) if step == last && self.ended => {
                return Err(format!(
                    "another checkpoint of step {step} after its end; the checkpoint without a stage is the last of its step"
                ));
            }
            Some(last) if step == last => {}
            _ => self.places.clear(),
        }
        if !self.places.insert((checkpoint.stage.clone(), checkpoint.phase.clone())) {
            return Err(format!(
                "the same stage and phase twice in step {step}; name each place once, such as by phase"
            ));
        }
        self.step = Some(step);
        self.ended = checkpoint.stage.is_none();
        Ok(())
    }
}
