//! Traces: what the objects of a run are like after each stage and phase of some of its steps.
//!
//! Leaves per object exist only here; the plain hash of a step stays in bulk. Within a step the hash of a checkpoint covers what
//! the step derived as well; at its end it is the root hash of the state, as everywhere.

use std::ops::RangeInclusive;

use crate::analysis::checkpoints::{CheckpointName, EachCheckpoint};
use crate::analysis::compare::side_value;
use crate::analysis::rerun::{RerunError, advance_to, check, session_at_keyframe};
use crate::math::{Scalar, ScalarTask};
use crate::replay::Replay;
use crate::replay::checkpoint::{Checkpoint, Digest, FieldRecord, ObjectRecord};
use crate::session::Session;
use crate::session::record::Stepper;
use crate::world::derived::StepData;
use crate::world::derived::hash::DataHash;
use crate::world::encode::Section;
use crate::world::encode::table::{Field, ObjectBytes, Objects, field_table, object_bytes};
use crate::world::error::StepError;
use crate::world::state_hash::StateHash;

/// What is to be told of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracePlan {
    /// The steps of which every checkpoint is told, with all objects.
    pub steps: RangeInclusive<u32>,
    /// Whether the objects come with their fields, or with their hashes alone.
    pub states: bool,
    /// Whether the end of every other step is told too, with its hashes alone.
    pub every_step: bool,
}

impl TracePlan {
    /// The plan to tell the end of every step, with its hashes alone.
    #[must_use]
    #[expect(clippy::reversed_empty_ranges, reason = "no step at all")]
    pub const fn hashes_only() -> Self {
        Self { steps: 1..=0, states: false, every_step: true }
    }
}

/// Takes the steps of a run and tells what is to be told of them.
pub struct Tracer<'a> {
    plan: TracePlan,
    tell: &'a mut dyn FnMut(Checkpoint),
}

impl<'a> Tracer<'a> {
    /// A tracer that tells checkpoints to `tell`, in their order.
    pub fn new(plan: TracePlan, tell: &'a mut dyn FnMut(Checkpoint)) -> Self {
        Self { plan, tell }
    }

    /// Tells the end of the step that a session has come to.
    fn tell_end<S: Scalar>(&mut self, session: &Session<S>) {
        let step = session.step_number();
        if self.plan.steps.contains(&step) {
            let checkpoint = end_of(step, session.hash());
            (self.tell)(with_objects(checkpoint, &session.world().state(), self.plan.states));
        } else if self.plan.every_step {
            (self.tell)(end_of(step, session.hash()));
        }
    }
}

impl Stepper for Tracer<'_> {
    fn start<S: Scalar>(&mut self, session: &Session<S>) {
        self.tell_end(session);
    }

    fn advance<S: Scalar>(&mut self, session: &mut Session<S>) -> Result<(), StepError> {
        let step = session.step_number() + 1;
        if self.plan.steps.contains(&step) {
            let states = self.plan.states;
            let tell = &mut *self.tell;
            session.advance(&mut EachCheckpoint(|name: CheckpointName, data: StepData<S>| {
                let checkpoint = checkpoint_within(step, name, &data.hash_and_size().0);
                tell(with_objects(checkpoint, &data, states));
            }))?;
        } else {
            session.advance(&mut ())?;
        }
        self.tell_end(session);
        Ok(())
    }
}

/// Runs some steps of a replay again, from the last keyframe that is not behind the step `from`, and tells every checkpoint of
/// them; every step on the way is proved to be the recorded one.
///
/// # Errors
/// When the replay cannot be run by this build, or does not come to the recorded hashes; what was told before that holds.
pub fn trace_replay(
    replay: &Replay,
    from: u32,
    plan: &TracePlan,
    tell: &mut dyn FnMut(Checkpoint),
) -> Result<(), RerunError> {
    replay.header.scalar.dispatch(TraceReplay { replay, from, plan, tell })
}

struct TraceReplay<'a> {
    replay: &'a Replay,
    from: u32,
    plan: &'a TracePlan,
    tell: &'a mut dyn FnMut(Checkpoint),
}

impl ScalarTask for TraceReplay<'_> {
    type Output = Result<(), RerunError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { replay, from, plan, tell } = self;
        let (first, last) = (*plan.steps.start(), *plan.steps.end());
        let before = first.saturating_sub(1);
        let mut session = session_at_keyframe::<S>(replay, from.min(before))?;
        advance_to(replay, &mut session, before)?;
        let mut tracer = Tracer::new(plan.clone(), tell);
        if first == 0 {
            tracer.start(&session);
        }
        while session.step_number() < last {
            tracer.advance(&mut session)?;
            check(replay, &session)?;
        }
        Ok(())
    }
}

/// The end of a step as a replay recorded it.
#[must_use]
pub fn recorded_checkpoint(replay: &Replay, step: u32) -> Option<Checkpoint> {
    let recorded = replay.steps.get(step as usize)?;
    let named = replay.header.sections.iter().zip(&recorded.sections);
    let sections = named.map(|(name, digest)| Digest { name: name.clone(), hash: hex(digest) }).collect();
    Some(Checkpoint { sections: Some(sections), ..Checkpoint::of_hash(step, hex(&recorded.root)) })
}

/// The end of a step, with the hashes of the whole state and of its sections.
fn end_of(step: u32, hash: &StateHash) -> Checkpoint {
    Checkpoint { sections: Some(state_digests(hash)), ..Checkpoint::of_hash(step, hash.hex()) }
}

/// A checkpoint within a step, with the hashes of all data, and of the sections of the state and of what was derived.
fn checkpoint_within(step: u32, name: CheckpointName, hash: &DataHash) -> Checkpoint {
    let mut sections = state_digests(&hash.state);
    sections.extend(hash.derived.iter().map(|(section, digest)| named_digest(*section, digest)));
    Checkpoint {
        stage: Some(name.stage.name().to_owned()),
        phase: name.phase.map(|phase| phase.to_string()),
        sections: Some(sections),
        ..Checkpoint::of_hash(step, hex(&hash.root))
    }
}

fn state_digests(hash: &StateHash) -> Vec<Digest> {
    Section::ALL.into_iter().zip(&hash.sections).map(|(section, digest)| named_digest(section, digest)).collect()
}

fn named_digest(section: Section, digest: &[u8; 8]) -> Digest {
    Digest { name: section.name().to_owned(), hash: hex(digest) }
}

/// A checkpoint with its objects, and their fields where those are wanted.
fn with_objects<T: Objects>(checkpoint: Checkpoint, data: &T, states: bool) -> Checkpoint {
    let mut objects: Vec<ObjectRecord> = object_bytes(data).into_iter().map(leaf).collect();
    if states {
        for (record, object) in objects.iter_mut().zip(field_table(data)) {
            record.fields = Some(object.fields.into_iter().map(field_record::<T::Scalar>).collect());
        }
    }
    Checkpoint { objects: Some(objects), ..checkpoint }
}

/// The leaf of one object in the tree of hashes.
fn leaf(object: ObjectBytes) -> ObjectRecord {
    ObjectRecord {
        hash: Some(hex(&blake3::hash(&object.bytes).as_bytes()[..8])),
        section: Some(object.name.section.name().to_owned()),
        name: object.name.object,
        fields: None,
    }
}

fn field_record<S: Scalar>(field: Field) -> FieldRecord {
    let value = side_value::<S>(&field);
    FieldRecord {
        path: field.path.into(),
        value: value.value.into(),
        bits: Some(value.bits).filter(|bits| !bits.is_empty()).map(Into::into),
        kind: None,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
