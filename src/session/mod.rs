//! A world together with what acts on it from outside: stepped, hashed, recorded to a replay and played back from one.
//!
//! Nothing in here prints or knows the clock.

pub mod consistency;
pub mod keyframe;
pub mod playback;
pub mod rebase;
pub mod record;

use std::sync::Arc;

use crate::math::Scalar;
use crate::parallel::Parallelism;
use crate::scene::Scene;
use crate::world::World;
use crate::world::counts::{Counted, Counts};
use crate::world::encode::reader::DecodeError;
use crate::world::encode::{Encoded, State};
use crate::world::error::{BuildError, StepError};
use crate::world::fault::{Circumstance, Fault};
use crate::world::passages::Passage;
use crate::world::schedule::Schedule;
use crate::world::stage::Observer;
use crate::world::state_hash::StateHash;

/// A world with its inputs and planted faults, hashed at every step.
#[derive(Debug)]
pub struct Session<S: Scalar> {
    world: World<S>,
    schedule: Schedule,
    faults: Vec<Fault>,
    circumstances: Vec<Circumstance>,
    inert: Vec<Fault>,
    encoded: Encoded,
    hash: StateHash,
    totals: Counts,
    passage: Option<Passage>,
}

impl<S: Scalar> Session<S> {
    /// The session at step 0.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn new(scene: &Arc<Scene>, schedule: Schedule, faults: Vec<Fault>, threads: u32) -> Result<Self, BuildError> {
        Self::with_parallelism(scene, schedule, faults, Parallelism::plain(threads))
    }

    /// The session at step 0, its work handed out to threads in a way of the caller's choice.
    ///
    /// # Errors
    /// When the scene makes no world.
    pub fn with_parallelism(
        scene: &Arc<Scene>,
        schedule: Schedule,
        faults: Vec<Fault>,
        parallelism: Parallelism,
    ) -> Result<Self, BuildError> {
        let mut world = World::build(scene)?;
        world.set_parallelism(parallelism);
        let encoded = world.snapshot();
        let hash = StateHash::of(&encoded, S::KIND);
        let is_on_threads = parallelism.thread_counts().into_iter().any(|threads| threads > 1);
        let circumstances = if is_on_threads { vec![Circumstance::Threads] } else { Vec::new() };
        let totals = Counts::default();
        let inert = Vec::new();
        let mut session = Self { world, schedule, faults, circumstances, inert, encoded, hash, totals, passage: None };
        session.inject_into_first_state();
        Ok(session)
    }

    /// Injects what is planted in state 0, which comes of no step.
    fn inject_into_first_state(&mut self) {
        let due = self.faults_due(0);
        let clean = self.hash.root;
        due.iter().for_each(|fault| self.world.inject_one(fault));
        self.encode();
        self.count_faults(due, Some(clean));
    }

    /// From here on faults that are bound to a restored run strike too.
    pub fn count_as_restored(&mut self) {
        self.circumstances.push(Circumstance::Restored);
    }

    /// Goes on from a state: every step after it is the same as if the session had come there by itself.
    ///
    /// # Errors
    /// Bytes that are not state of this scalar.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        self.replace_state(State::decode(bytes)?);
        Ok(())
    }

    /// Takes one step, with the faults that are planted in it, and hashes.
    ///
    /// # Errors
    /// When the run cannot go on; the session is then back at its last good state.
    pub fn advance(&mut self, observer: &mut impl Observer<S>) -> Result<&StateHash, StepError> {
        let coming = self.world.step_number() + 1;
        let due = self.faults_due(coming);
        let clean = if due.is_empty() { None } else { self.root_without_faults(coming) };
        self.world.plant(due.clone());
        if let Err(error) = self.world.step(&self.schedule.acting_in(coming), observer) {
            self.go_back()?;
            return Err(error);
        }
        self.totals.add_all(self.world.counts());
        if self.passage.is_none() {
            self.passage = self.world.passage().cloned();
        }
        self.encode();
        self.count_faults(due, clean);
        Ok(&self.hash)
    }

    /// The faults that strike in a step, under the circumstances of this run.
    fn faults_due(&self, step: u32) -> Vec<Fault> {
        let holds = |fault: &&Fault| fault.only.iter().all(|needed| self.circumstances.contains(needed));
        self.faults.iter().filter(|fault| fault.step == step).filter(holds).cloned().collect()
    }

    /// The root hash that the coming step would have without faults; `None` when it would fail.
    fn root_without_faults(&self, coming: u32) -> Option<[u8; 32]> {
        // A world of its own takes that step: this one goes on as it is, with whatever it keeps beside its state.
        let mut twin = self.world.twin()?;
        twin.step(&self.schedule.acting_in(coming), &mut ()).ok()?;
        Some(twin.hash().root)
    }

    /// Puts the world back to the state that was hashed last, read from its bytes.
    fn go_back(&mut self) -> Result<(), StepError> {
        let step = self.world.step_number();
        let state = State::decode(&self.encoded.to_bytes());
        self.world.restore(state.map_err(|error| StepError::Unreadable { step, error })?);
        Ok(())
    }

    /// Counts faults as planted, or as inert when the state is as it would have been without them.
    fn count_faults(&mut self, due: Vec<Fault>, clean: Option<[u8; 32]>) {
        let is_inert = clean == Some(self.hash.root);
        self.totals.add(if is_inert { Counted::InertFaults } else { Counted::Perturbations }, due.len() as u64);
        if is_inert {
            self.inert.extend(due);
        }
    }

    fn encode(&mut self) {
        self.hash = self.world.encode_and_hash(&mut self.encoded);
    }

    /// Replaces the state by another; what is derived from it is made anew.
    pub fn replace_state(&mut self, state: State<S>) {
        self.world.restore(state);
        self.encode();
    }

    /// Fills what is derived with nonsense; the future must stay the same.
    pub fn scramble_derived(&mut self, seed: u64) {
        self.world.scramble_derived(seed);
    }

    /// Fills state and derived parts alike with nonsense: what a restore must overcome.
    pub fn scramble(&mut self, seed: u64) {
        self.world.scramble_all(seed);
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

    /// The faults so far that left their step with the bits that it has without them.
    #[must_use]
    pub fn inert_faults(&self) -> &[Fault] {
        &self.inert
    }

    /// What all steps so far exercised.
    #[must_use]
    pub const fn totals(&self) -> &Counts {
        &self.totals
    }

    /// The first body that passed through another unseen in the steps so far.
    #[must_use]
    pub const fn passage(&self) -> Option<&Passage> {
        self.passage.as_ref()
    }
}
