//! What two runs of one step differ in: the first checkpoint, and at that checkpoint section, object, field and operands.
//!
//! A step is looked at while it is taken, once, by the very run whose difference is to be named: every checkpoint of it is
//! hashed, and its data are kept as far as there is room. Whoever takes a step again to see more of it has to prove that
//! it was the same step ([`TakenStep::agrees_with`]).

use crate::analysis::checkpoints::{CheckpointName, EachCheckpoint};
use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::operands::operands;
use crate::analysis::outcome::FirstDifference;
use crate::math::Scalar;
use crate::world::derived::{PairGeometry, StepData};
use crate::world::encode::State;
use crate::world::stage::{Observer, Stage};

/// How many bytes of data are kept of one step.
const ROOM: usize = 256 << 20;

/// Of which checkpoints the data are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Of all, as long as there is room.
    All,
    /// Of the checkpoint of this number and the one before it.
    Around(usize),
    /// Of none: there are only the hashes.
    Nothing,
}

/// One checkpoint of a step that was taken.
#[derive(Clone, Debug)]
pub struct TakenCheckpoint<S> {
    /// Which checkpoint.
    pub name: CheckpointName,
    /// The hash of all data of the step at that checkpoint.
    pub hash: [u8; 32],
    /// Those data, where they were kept.
    data: Option<StepData<S>>,
}

/// A step that was taken, checkpoint by checkpoint.
#[derive(Clone, Debug)]
pub struct TakenStep<S> {
    /// The state before the step.
    pub before: Option<State<S>>,
    /// Its checkpoints.
    pub checkpoints: Vec<TakenCheckpoint<S>>,
    /// The geometry of its contacts, once its narrow phase was over.
    geometry: Vec<PairGeometry<S>>,
    room: usize,
}

/// How far a difference could be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// Checkpoint and data.
    Fully,
    /// The checkpoint of this number; its data were not kept.
    CheckpointOnly(usize),
    /// No checkpoint differs.
    Nothing,
}

impl<S: Scalar> TakenStep<S> {
    /// A step that is about to be taken from a state.
    #[must_use]
    pub const fn after(before: Option<State<S>>) -> Self {
        Self { before, checkpoints: Vec::new(), geometry: Vec::new(), room: ROOM }
    }

    /// The same with other room, in bytes.
    #[must_use]
    pub fn with_room(self, room: usize) -> Self {
        Self { room, ..self }
    }

    /// The observer to take the step with.
    pub fn observer(&mut self, keep: Keep) -> impl Observer<S> {
        self.observer_through(keep, |data| data)
    }

    /// As [`observer`](Self::observer), with the data looked at in another way.
    pub fn observer_through(&mut self, keep: Keep, look: impl Fn(StepData<S>) -> StepData<S>) -> impl Observer<S> {
        EachCheckpoint(move |name: CheckpointName, data: StepData<S>| self.see(name, look(data), keep))
    }

    fn see(&mut self, name: CheckpointName, data: StepData<S>, keep: Keep) {
        if name.stage == Stage::NarrowPhase {
            self.geometry.clone_from(&data.derived.geometry);
        }
        let number = self.checkpoints.len();
        let (hash, bytes) = data.hash_and_size();
        let is_kept = match keep {
            Keep::All => bytes <= self.room,
            Keep::Around(wanted) => number == wanted || number + 1 == wanted,
            Keep::Nothing => false,
        };
        if is_kept {
            self.room = self.room.saturating_sub(bytes);
        }
        self.checkpoints.push(TakenCheckpoint { name, hash: hash.root, data: is_kept.then_some(data) });
    }

    /// Whether another take of the step came to the same data, up to and with the checkpoint of this number.
    #[must_use]
    pub fn agrees_with(&self, other: &Self, last: usize) -> bool {
        let hashes = |step: &Self| -> Vec<(CheckpointName, [u8; 32])> {
            step.checkpoints.iter().take(last + 1).map(|checkpoint| (checkpoint.name, checkpoint.hash)).collect()
        };
        hashes(self) == hashes(other)
    }

    fn data(&self, checkpoint: usize) -> Option<&StepData<S>> {
        self.checkpoints.get(checkpoint)?.data.as_ref()
    }

    /// The geometry of the contacts, where they were found before the checkpoint of this number.
    fn geometry_before(&self, checkpoint: usize) -> &[PairGeometry<S>] {
        let found = self.checkpoints.iter().take(checkpoint).any(|earlier| earlier.name.stage == Stage::NarrowPhase);
        if found { &self.geometry } else { &[] }
    }

    /// The state at the previous checkpoint the one of this number: what went into the operation.
    fn state_before(&self, checkpoint: usize) -> Option<&State<S>> {
        match checkpoint.checked_sub(1) {
            None => self.before.as_ref(),
            Some(earlier) => self.data(earlier).map(|data| &data.state),
        }
    }
}

/// The first checkpoint at which the data differ, or that only one side came to.
#[must_use]
pub fn first_differing<S: Scalar>(a: &TakenStep<S>, b: &TakenStep<S>) -> Option<usize> {
    let differ = |(a, b): (&TakenCheckpoint<S>, &TakenCheckpoint<S>)| (a.name, a.hash) != (b.name, b.hash);
    let (longer, shorter) =
        (a.checkpoints.len().max(b.checkpoints.len()), a.checkpoints.len().min(b.checkpoints.len()));
    a.checkpoints.iter().zip(&b.checkpoints).position(differ).or((longer > shorter).then_some(shorter))
}

impl FirstDifference {
    /// Takes down what differs between two takes of a step.
    pub fn see_steps<S: Scalar>(&mut self, [a, b]: [&TakenStep<S>; 2], fields: usize) -> Named {
        let Some(index) = first_differing(a, b) else { return Named::Nothing };
        let Some(checkpoint) = a.checkpoints.get(index).or(b.checkpoints.get(index)) else { return Named::Nothing };
        self.stage = Some(checkpoint.name.stage.name().to_owned());
        self.phase = checkpoint.name.phase.map(|phase| phase.to_string());
        // The hashes of the whole step tell of its end: what they say of sections is not said of this checkpoint.
        self.section = None;
        let (Some(at_a), Some(at_b)) = (a.data(index), b.data(index)) else {
            let came_to_it = |step: &TakenStep<S>| index < step.checkpoints.len();
            return if came_to_it(a) && came_to_it(b) { Named::CheckpointOnly(index) } else { Named::Fully };
        };
        let difference = compare_states(at_a, at_b, fields);
        if let (Some(field), Some(before_a), Some(before_b)) =
            (difference.first(), a.state_before(index), b.state_before(index))
        {
            self.operands = operands(field, [before_a, before_b], [a, b].map(|step| step.geometry_before(index)));
        }
        self.take(difference);
        Named::Fully
    }

    /// Takes down what differs. Section and object are those of the checkpoint, where the hashes of the whole step may have
    /// told of another section.
    pub fn take(&mut self, difference: StateDifference) {
        let is_seen = !difference.objects.is_empty() || difference.order.is_some();
        self.seen_at = Some(self.step).filter(|_| is_seen);
        self.objects = Some(difference.objects.len()).filter(|objects| *objects > 0);
        self.field = difference.first().cloned();
        let section = self.field.as_ref().map(|field| field.section.clone());
        self.section =
            section.or(difference.order.as_ref().and_then(|order| order.section.clone())).or(self.section.take());
        self.fields = difference.fields;
        self.order = difference.order;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Keep, Named, TakenStep};
    use crate::analysis::outcome::FirstDifference;
    use crate::scene;
    use crate::session::record::RunPlan;

    /// The first step of a ball on a floor, as it is looked at.
    fn taken(faults: &[&str], keep: Keep, room: usize) -> TakenStep<f64> {
        let text = "(version: 1, name: \"rest\", bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.49, 0), shape: Sphere(radius: 0.5))])";
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        let faults = faults.iter().map(|fault| fault.parse().unwrap_or_else(|error| panic!("{error}"))).collect();
        let plan = RunPlan { faults, ..RunPlan::new(Arc::new(scene)) };
        let mut session = plan.session::<f64>().unwrap_or_else(|error| panic!("{error}"));
        let mut step = TakenStep::after(Some(session.world().state())).with_room(room);
        session.advance(&mut step.observer(keep)).unwrap_or_else(|error| panic!("{error}"));
        step
    }

    fn named(steps: [&TakenStep<f64>; 2]) -> (Named, FirstDifference) {
        let mut first = FirstDifference::in_step(1);
        let named = first.see_steps(steps, 4);
        (named, first)
    }

    #[test]
    fn without_room_the_checkpoint_is_named_and_another_take_names_the_rest() {
        let fault = ["ulp@1,stage=forces,object=ball,field=linear_velocity.x"];
        let all = usize::MAX;
        let (a, b) = (taken(&[], Keep::All, all), taken(&fault, Keep::All, all));
        let (how, whole) = named([&a, &b]);
        assert_eq!((how, whole.stage.as_deref()), (Named::Fully, Some("forces")));
        assert_eq!(whole.field.as_ref().map(|field| field.object.as_str()), Some("ball"));
        let (small_a, small_b) = (taken(&[], Keep::All, 0), taken(&fault, Keep::All, 0));
        let (how, first) = named([&small_a, &small_b]);
        assert_eq!((how, first.stage.as_deref(), first.field), (Named::CheckpointOnly(1), Some("forces"), None));
        let (again_a, again_b) = (taken(&[], Keep::Around(1), 0), taken(&fault, Keep::Around(1), 0));
        assert!(again_a.agrees_with(&small_a, 1) && again_b.agrees_with(&small_b, 1));
        assert!(!again_a.agrees_with(&small_b, 1), "another step is not taken for the same");
        assert_eq!(named([&again_a, &again_b]), (Named::Fully, whole));
    }
}
