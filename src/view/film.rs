//! What a page knows of a run, gathered in one pass.
//!
//! Memory is bounded: when there are too many samples, every second one is dropped, and from then on only every second
//! one taken.

use std::collections::BTreeMap;

use crate::analysis::contact_samples::{ContactSample, contact_samples};
use crate::analysis::measures::Measures;
use crate::analysis::states::StateVisitor;
use crate::dynamics::body::BodyKind;
use crate::export::body_table::{NUMBERS, is_finite, numbers};
use crate::math::Scalar;
use crate::view::shape::{PlacedShape, shapes_of};
use crate::world::World;

/// The most bodies of all frames together.
const MAX_BODY_SAMPLES: usize = 700_000;
/// The most contact points of all frames together.
const MAX_CONTACT_SAMPLES: usize = 120_000;
/// The most points of a curve.
const MAX_CURVE_SAMPLES: usize = 2_000;

/// Samples of every so many visits, as few as fit.
#[derive(Clone, Debug)]
pub struct Thinned<T> {
    /// Of so many visits one is kept.
    pub stride: u32,
    /// What was kept, the first visit first.
    pub samples: Vec<T>,
    visits: u64,
    size: usize,
    limit: usize,
}

impl<T> Thinned<T> {
    const fn new(limit: usize) -> Self {
        Self { stride: 1, samples: Vec::new(), visits: 0, size: 0, limit }
    }

    /// Takes the sample of the next visit, if it is to be kept. `size_of` says what a sample counts.
    fn visit(&mut self, sample: impl FnOnce() -> T, size_of: impl Fn(&T) -> usize) {
        let is_due = self.visits.is_multiple_of(u64::from(self.stride));
        self.visits += 1;
        if !is_due {
            return;
        }
        let sample = sample();
        self.size += size_of(&sample);
        self.samples.push(sample);
        if self.size > self.limit {
            self.halve();
            self.size = self.samples.iter().map(size_of).sum();
        }
    }

    /// Drops every second sample.
    pub fn halve(&mut self) {
        if self.samples.len() < 2 {
            return;
        }
        let mut keep = false;
        self.samples.retain(|_| {
            keep = !keep;
            keep
        });
        self.stride = self.stride.saturating_mul(2);
    }
}

/// A body as it is all along.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Its name.
    pub name: String,
    /// How it takes part.
    pub kind: BodyKind,
    /// Its mass in kg, where it has one.
    pub mass: Option<f64>,
    /// Its shapes, in the frame of its centre of mass.
    pub shapes: Vec<PlacedShape>,
}

/// The bodies of one state.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which actor it is, and its position, orientation and velocities.
    pub bodies: Vec<(u32, [f64; NUMBERS])>,
}

/// What is gathered of a run.
#[derive(Clone, Debug)]
pub struct Film {
    /// Every body that was seen, in the order in which they were.
    pub actors: Vec<Actor>,
    /// The states, thinned out.
    pub frames: Thinned<Frame>,
    /// The contact points, thinned out, in the order of their keys.
    pub contacts: Thinned<Vec<ContactSample>>,
    /// What sums up the states, thinned out.
    pub curve: Thinned<Measures>,
    /// Gravity in the first state, m/s^2.
    pub gravity: [f64; 3],
    /// The step of the first visit.
    pub first_step: u32,
    /// The step of the last visit.
    pub last_step: u32,
    /// The actor of each body by its id: ids are never used again, names may be.
    by_id: BTreeMap<u32, u32>,
}

impl Default for Film {
    fn default() -> Self {
        Self {
            actors: Vec::new(),
            frames: Thinned::new(MAX_BODY_SAMPLES),
            contacts: Thinned::new(MAX_CONTACT_SAMPLES),
            curve: Thinned::new(MAX_CURVE_SAMPLES),
            gravity: [0.0; 3],
            first_step: 0,
            last_step: 0,
            by_id: BTreeMap::new(),
        }
    }
}

impl Film {
    /// The actor of a body, known from now on.
    fn actor<S: Scalar>(&mut self, world: &World<S>, index: usize) -> u32 {
        let bodies = world.bodies();
        let id = bodies.id[index];
        if let Some(&actor) = self.by_id.get(&id) {
            return actor;
        }
        let actor = u32::try_from(self.actors.len()).unwrap_or(u32::MAX);
        self.by_id.insert(id, actor);
        let is_dynamic = bodies.kind[index] == BodyKind::Dynamic;
        self.actors.push(Actor {
            name: bodies.name[index].to_string(),
            kind: bodies.kind[index],
            mass: is_dynamic.then(|| bodies.inverse_mass[index].recip().to_f64()),
            shapes: shapes_of(world.colliders(), id),
        });
        actor
    }

    /// The actor of the body of this id.
    #[must_use]
    pub fn actor_of(&self, id: u32) -> Option<u32> {
        self.by_id.get(&id).copied()
    }
}

/// A body that cannot be drawn any more: what comes before it can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("from step {step} on {body:?} is nowhere: its position, orientation or velocity is not a number")]
pub struct Nowhere {
    /// The first such step.
    pub step: u32,
    /// The body.
    pub body: String,
}

/// The first body that cannot be drawn.
fn nowhere<S: Scalar>(world: &World<S>) -> Option<Nowhere> {
    let bodies = world.bodies();
    let lost = (0..bodies.len()).find(|&index| !is_finite(bodies, index))?;
    Some(Nowhere { step: world.step_number(), body: bodies.name[lost].to_string() })
}

impl StateVisitor for Film {
    type Error = Nowhere;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Self::Error> {
        if let Some(nowhere) = nowhere(world) {
            return Err(nowhere);
        }
        let bodies = world.bodies();
        if self.frames.visits == 0 {
            self.first_step = world.step_number();
            self.gravity = world.gravity().to_f64();
        }
        self.last_step = world.step_number();
        let actors: Vec<u32> = (0..bodies.len()).map(|index| self.actor(world, index)).collect();
        let frame = || Frame {
            bodies: actors
                .iter()
                .zip(0..)
                .map(|(&actor, index)| (actor, numbers(bodies, index).map(S::to_f64)))
                .collect(),
        };
        // A frame counts as one even where it is empty, so that an empty scene has its limit too.
        self.frames.visit(frame, |frame| frame.bodies.len().max(1));
        self.contacts.visit(|| contact_samples(world), |points| points.len() + 1);
        self.curve.visit(|| Measures::of(world), |_| 1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Thinned;

    #[test]
    fn samples_are_thinned_evenly_until_they_fit() {
        let mut thinned = Thinned::new(4);
        (0..100).for_each(|step| thinned.visit(|| step, |_| 1));
        assert_eq!(thinned.stride, 32);
        assert_eq!(thinned.samples, [0, 32, 64, 96]);
    }
}
