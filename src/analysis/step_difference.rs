//! What two runs of one step differ in: the first moment, and at that moment section, object, field and operands.

use crate::analysis::compare::{StateDifference, compare_states};
use crate::analysis::diff::operands::operands;
use crate::analysis::moments::{Around, EachMoment, MomentName, View};
use crate::analysis::outcome::FirstDifference;
use crate::math::Scalar;
use crate::world::encode::State;
use crate::world::stage::Observer;

/// A moment of a step and the root hash of its state.
pub type HashedMoment = (MomentName, [u8; 32]);

/// An observer that hashes every moment.
pub fn hash_moments<S: Scalar>(moments: &mut Vec<HashedMoment>) -> impl Observer<S> {
    EachMoment(|moment: MomentName, view: View<'_, S>| moments.push((moment, view.hash().root)))
}

/// The first moment after which the states differ, or that only one side came to; and its number.
#[must_use]
pub fn first_differing(a: &[HashedMoment], b: &[HashedMoment]) -> Option<(usize, MomentName)> {
    let parted = a.iter().zip(b).position(|(a, b)| a != b);
    let index = parted.or_else(|| (a.len() != b.len()).then_some(a.len().min(b.len())))?;
    let (moment, _) = a.get(index).or(b.get(index))?;
    Some((index, *moment))
}

/// What one side is like around a moment of the step.
#[derive(Debug)]
pub struct Sight<S> {
    /// The state before the step.
    pub before_step: Option<State<S>>,
    /// The states around the moment.
    pub around: Around<S>,
}

impl<S> Sight<S> {
    /// The state at the moment before: what went into the operation.
    fn before(&self) -> Option<&State<S>> {
        self.around.before.as_ref().or(self.before_step.as_ref())
    }
}

impl FirstDifference {
    /// Takes down what differs at a moment, as both sides saw it, and what went into it.
    pub fn see<S: Scalar>(&mut self, moment: MomentName, [a, b]: [&Sight<S>; 2], fields: usize) {
        self.stage = Some(moment.stage.name().to_owned());
        self.phase = moment.phase.map(|phase| phase.to_string());
        let (Some(at_a), Some(at_b)) = (&a.around.at, &b.around.at) else { return };
        let difference = compare_states(at_a, at_b, fields);
        if let (Some(field), Some(before_a), Some(before_b)) = (difference.first(), a.before(), b.before()) {
            self.operands = operands(field, [before_a, before_b], [&a.around.geometry, &b.around.geometry]);
        }
        self.take(difference);
    }

    /// Takes down what differs. Section and object are those of the moment, where the hashes of the whole step may have
    /// told of another section.
    pub fn take(&mut self, difference: StateDifference) {
        self.seen_at = Some(self.step).filter(|_| !difference.objects.is_empty());
        self.objects = Some(difference.objects.len()).filter(|objects| *objects > 0);
        self.field = difference.first().cloned();
        if let Some(field) = &self.field {
            self.section = Some(field.section.clone());
        }
        self.fields = difference.fields;
    }
}
