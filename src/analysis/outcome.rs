//! What an analysis can say: verdicts and first differences.

use std::fmt::Display;

/// The verdict on a golden, or on two recordings of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Every hash is the same.
    Same,
    /// A hash differs.
    Diverged,
    /// Recorded by a version whose results differ on purpose.
    OtherSemantics,
    /// There is no whole run to compare: the program that was to make it failed, or there is no golden yet.
    Failed,
    /// The file is damaged or was cut short.
    Damaged,
}

impl Verdict {
    /// The name in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Diverged => "diverged",
            Self::OtherSemantics => "other_semantics",
            Self::Failed => "failed",
            Self::Damaged => "damaged",
        }
    }
}

impl Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(self.name())
    }
}

/// One side's value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideValue {
    /// The bits in hexadecimal, most significant digit first; empty for a text.
    pub bits: String,
    /// The value as a person reads it.
    pub value: String,
}

/// The field in which two states first differ, in canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldDifference {
    /// The section.
    pub section: String,
    /// The object by name.
    pub object: String,
    /// The field path; `None` when one side does not have the object at all.
    pub field: Option<String>,
    /// The first side; `None` when it does not have the object.
    pub a: Option<SideValue>,
    /// The second side; `None` when it does not have the object.
    pub b: Option<SideValue>,
    /// Numbers between the two values, for numbers.
    pub ulps: Option<u64>,
}

/// A number that went into an operation, as both sides had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// What it is.
    pub name: String,
    /// The first side; `None` when it does not have it.
    pub a: Option<String>,
    /// The second side.
    pub b: Option<String>,
}

/// What stands in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderOf {
    /// The objects of a checkpoint.
    Objects,
    /// The stages and phases of a step.
    Stages,
}

impl OrderOf {
    /// The name in JSON and in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Stages => "stages",
        }
    }
}

/// The first place at which the same objects, or the same stages of a step, stand in another order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderDifference {
    /// What they are.
    pub of: OrderOf,
    /// The section, where it is known.
    pub section: Option<String>,
    /// The place, counted from 0.
    pub place: usize,
    /// What the first side has there.
    pub a: String,
    /// What the second side has there.
    pub b: String,
}

/// A class of bug that stands behind a difference, where running again shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A run that is restored does not go on as it did: it depends on something that is not in the state.
    HiddenState {
        /// Which run, as the report calls it.
        run: String,
        /// The step after which it was restored.
        restored_at: u32,
        /// The step in which it then differs from what it was.
        differs_at: u32,
        /// The last step from which it still goes on as it did; 0 is its start.
        reproduces_from: u32,
    },
    /// A state cannot be read back from its own bytes.
    RefusedRestore {
        /// Which run.
        run: String,
        /// The step whose state it is.
        step: u32,
        /// What is wrong, and in which field.
        error: String,
    },
    /// A state read back from its bytes is another one, although it has the same bytes: something of it is not encoded.
    NotEncoded {
        /// Which run.
        run: String,
        /// The step whose state it is.
        step: u32,
        /// What is not what it was.
        what: String,
    },
}

impl Finding {
    /// The name in JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::HiddenState { .. } => "hidden_state",
            Self::RefusedRestore { .. } => "refused_restore",
            Self::NotEncoded { .. } => "not_encoded",
        }
    }
}

impl Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::HiddenState { run, restored_at, differs_at, reproduces_from } => {
                let start = match reproduces_from {
                    0 => "from its start".to_owned(),
                    step => format!("from step {step}"),
                };
                write!(
                    formatter,
                    "hidden state: {run} depends on something that is not in the state: restored at step {restored_at} it \
                     is another run from step {differs_at} on, {start} it is the same"
                )
            }
            Self::RefusedRestore { run, step, error } => {
                write!(formatter, "refused restore: the state of {run} after step {step} cannot be read back: {error}")
            }
            Self::NotEncoded { run, step, what } => {
                write!(formatter, "not encoded: the state of {run} after step {step}: {what}")
            }
        }
    }
}

/// Where two runs first differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstDifference {
    /// The first step whose hashes differ.
    pub step: u32,
    /// The stage of that step after which the states differ, when a re-run proves it.
    pub stage: Option<String>,
    /// The phase of the solve after which they differ.
    pub phase: Option<String>,
    /// The first section whose digests differ.
    pub section: Option<String>,
    /// Object, field and bits, when they can be known.
    pub field: Option<FieldDifference>,
    /// The step in which object and field were seen: later than `step` when only a keyframe tells.
    pub seen_at: Option<u32>,
    /// The fields that differ at that checkpoint, in canonical order, the first one included; as many as were asked for.
    pub fields: Vec<FieldDifference>,
    /// How many objects differ at that checkpoint.
    pub objects: Option<usize>,
    /// What went into the operation: the object and what it touches, as they were at the previous checkpoint.
    pub operands: Vec<Operand>,
    /// Where the same objects stand in another order, when nothing else differs; or the stages of the step.
    pub order: Option<OrderDifference>,
    /// What class of bug it is, where running again shows it.
    pub findings: Vec<Finding>,
}

impl FirstDifference {
    /// A difference of which only the step is known.
    #[must_use]
    pub fn in_step(step: u32) -> Self {
        Self { step, ..Self::default() }
    }
}

/// How the difference reached a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reached {
    /// The step at whose end it first differed.
    pub step: u32,
    /// The body.
    pub body: String,
    /// The body it came from; `None` where it began, and where nothing touched it.
    pub from: Option<String>,
    /// The contact it came through.
    pub through: Option<String>,
}

/// How many objects differ in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The step.
    pub step: u32,
    /// Objects that differ, of all sections.
    pub objects: usize,
}

/// A number of steps for people: `1 step`, `60 steps`.
pub(crate) fn steps_text(steps: u64) -> String {
    format!("{steps} {}", if steps == 1 { "step" } else { "steps" })
}
