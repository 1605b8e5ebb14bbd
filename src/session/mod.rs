//! A world together with what acts on it from outside: stepped, hashed, recorded to a replay and played back from one.
//!
//! Nothing in here prints or knows the clock.

pub mod playback;
pub mod record;

use std::sync::Arc;

use crate::math::Scalar;
use crate::replay::Perturbation;
use crate::scene::Scene;
use crate::world::World;
use crate::world::counts::{Counted, Counts};
use crate::world::encode::table::{ObjectName, change_field};
use crate::world::encode::visitor::{DecodeError, FieldKind};
use crate::world::encode::{Encoded, Section, State};
use crate::world::error::{BuildError, StepError};
use crate::world::schedule::Schedule;
use crate::world::stage::Observer;
use crate::world::state_hash::StateHash;

/// A world with its inputs and planted perturbations, hashed at every step.
#[derive(Debug)]
pub struct Session<S: Scalar> {
    world: World<S>,
    schedule: Schedule,
    perturbations: Vec<Perturbation>,
    encoded: Encoded,
    hash: StateHash,
    totals: Counts,
}

impl<S: Scalar> Session<S> {
    /// The session at step 0.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn new(
        scene: &Arc<Scene>,
        schedule: Schedule,
        perturbations: Vec<Perturbation>,
        threads: u32,
    ) -> Result<Self, BuildError> {
        let mut world = World::build(scene)?;
        world.set_threads(threads);
        let encoded = world.snapshot();
        let hash = StateHash::of(&encoded, S::KIND);
        let mut session = Self { world, schedule, perturbations, encoded, hash, totals: Counts::default() };
        session.perturb_and_hash();
        Ok(session)
    }

    /// Goes on from a state: every step after it is the same as if the session had come there by itself.
    ///
    /// # Errors
    /// Bytes that are no state of this scalar.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        self.replace_state(State::decode(bytes)?);
        Ok(())
    }

    /// Takes one step, applies what is planted after it, and hashes.
    ///
    /// # Errors
    /// When the run cannot go on; the session is then back at its last good state.
    pub fn advance(&mut self, observer: &mut impl Observer<S>) -> Result<&StateHash, StepError> {
        let coming = self.world.step_number() + 1;
        if let Err(error) = self.world.step(&self.schedule.acting_in(coming), observer) {
            // The encoding is still that of the last good state, and it was made from a state: it can be read.
            if let Ok(state) = State::decode(&self.encoded.bytes) {
                self.world.restore(state);
            }
            return Err(error);
        }
        self.totals.add_all(self.world.counts());
        self.perturb_and_hash();
        Ok(&self.hash)
    }

    fn perturb_and_hash(&mut self) {
        let step = self.world.step_number();
        for index in 0..self.perturbations.len() {
            if self.perturbations[index].step == step {
                self.perturb(index);
            }
        }
        self.world.encode_into(&mut self.encoded);
        self.hash = StateHash::of(&self.encoded, S::KIND);
    }

    /// Applies one planted perturbation; one that names no number, or asks for an impossible state, changes nothing.
    fn perturb(&mut self, index: usize) {
        let perturbation = &self.perturbations[index];
        let Some(section) = Section::ALL.into_iter().find(|section| section.name() == perturbation.section) else {
            return;
        };
        let object = ObjectName { section, object: perturbation.object.clone() };
        let mut state = self.world.state();
        let changed = change_field(&mut state, &object, &perturbation.field, |kind, bits| {
            shift_by_ulps::<S>(kind, bits, perturbation.ulps)
        });
        // A change that no state can have, such as an id out of order, is left undone: nothing could be read back from it.
        if changed.is_some() && state.check_order().is_ok() {
            self.world.restore(state);
            self.totals.add(Counted::Perturbations, 1);
        }
    }

    /// Replaces the state by another; what is derived from it is made anew.
    pub fn replace_state(&mut self, state: State<S>) {
        self.world.restore(state);
        self.world.encode_into(&mut self.encoded);
        self.hash = StateHash::of(&self.encoded, S::KIND);
    }

    /// Fills what is derived with nonsense; the future must stay the same.
    pub fn garble_derived(&mut self, seed: u64) {
        self.world.garble_derived(seed);
    }

    /// Fills state and derived parts alike with nonsense: what a restore must overcome.
    pub fn garble(&mut self, seed: u64) {
        self.world.garble_all(seed);
    }

    /// The step whose state this is.
    #[must_use]
    pub const fn step_number(&self) -> u32 {
        self.world.step_number()
    }

    /// The world as it is now.
    #[must_use]
    pub const fn world(&self) -> &World<S> {
        &self.world
    }

    /// The canonical bytes of the state.
    #[must_use]
    pub const fn encoded(&self) -> &Encoded {
        &self.encoded
    }

    /// The hash of the state.
    #[must_use]
    pub const fn hash(&self) -> &StateHash {
        &self.hash
    }

    /// What all steps so far exercised.
    #[must_use]
    pub const fn totals(&self) -> &Counts {
        &self.totals
    }
}

/// The bits of the number `ulps` places above this one; integers count in ones.
fn shift_by_ulps<S: Scalar>(kind: FieldKind, bits: u64, ulps: i64) -> u64 {
    match kind {
        FieldKind::Scalar(_) => S::from_ordered(S::from_bits(bits).to_ordered().wrapping_add(ulps)).to_bits(),
        FieldKind::U8 | FieldKind::U32 | FieldKind::I32 => bits.wrapping_add_signed(ulps),
    }
}
