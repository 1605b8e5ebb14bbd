//! Saving a world and putting it back.

use crate::dynamics::joint::{Joint, WORLD};
use crate::math::Scalar;
use crate::parallel::Executor;
use crate::world::encode::fields::Globals;
use crate::world::encode::on_threads::Parts;
use crate::world::encode::{Encoded, State};
use crate::world::state_hash::StateHash;
use crate::world::{Scratch, World};

impl<S: Scalar> World<S> {
    /// Replaces `encoded` by the canonical bytes of this world's state, and gives back their hash. A step is over with it: the threads
    /// rest.
    pub fn encode_and_hash(&mut self, encoded: &mut Encoded) -> StateHash {
        let mut executor = std::mem::take(&mut self.executor);
        self.encode_into(encoded, &mut executor);
        let hash = StateHash::on_threads(encoded, S::KIND, &mut executor);
        executor.end_step();
        self.executor = executor;
        hash
    }

    /// Replaces `encoded` by the canonical bytes of this world's state.
    fn encode_into(&self, encoded: &mut Encoded, executor: &mut Executor) {
        // Taken apart in full: what is not encoded is named here as derived.
        let Self {
            step,
            gravity,
            next_body_id,
            bodies,
            colliders,
            joints,
            contacts,
            scene: _scene,
            settings: _settings,
            broad_phase: _broad_phase,
            scratch: _scratch,
            executor: _executor,
            lanes: _lanes,
            planted: _planted,
        } = self;
        let globals = Globals { step: *step, gravity: *gravity, next_body_id: *next_body_id };
        encoded.write(&Parts { globals, bodies, colliders, joints, contacts }, executor);
    }

    /// The canonical bytes of this world's state.
    #[must_use]
    pub fn snapshot(&self) -> Encoded {
        let mut encoded = Encoded::default();
        self.encode_into(&mut encoded, &mut Executor::default());
        encoded
    }

    /// The hash of this world's state.
    #[must_use]
    pub fn hash(&self) -> StateHash {
        StateHash::of(&self.snapshot(), S::KIND)
    }

    /// All state as rows.
    #[must_use]
    pub fn state(&self) -> State<S> {
        State::of_parts(self.globals(), &self.bodies, &self.colliders, self.joints.clone(), self.contacts.clone())
    }

    /// What belongs to no single object.
    pub(super) const fn globals(&self) -> Globals<S> {
        Globals { step: self.step, gravity: self.gravity, next_body_id: self.next_body_id }
    }

    /// Replaces all state; everything derived from it is made anew.
    ///
    /// Stepping on from here gives the same bytes as the world that the state was taken from.
    pub fn restore(&mut self, state: State<S>) {
        self.adopt(state);
        self.scratch = Scratch::default();
    }

    /// Another world in this very state, with everything derived made anew; `None` when the scene makes no world.
    #[must_use]
    pub fn twin(&self) -> Option<Self> {
        let mut twin = Self::build(&self.scene).ok()?;
        twin.restore(self.state());
        Some(twin)
    }

    /// Replaces all state within a step: what the step has made of it so far stays.
    pub(super) fn adopt(&mut self, state: State<S>) {
        let State { globals, bodies, colliders, joints, contacts } = state;
        let Globals { step, gravity, next_body_id } = globals;
        self.step = step;
        self.gravity = gravity;
        self.next_body_id = next_body_id;
        self.bodies = Default::default();
        bodies.into_iter().for_each(|body| self.bodies.push(body));
        self.colliders = Default::default();
        let known = |body: u32| self.bodies.index_of(body).is_some();
        colliders.iter().filter(|collider| known(collider.key.body)).for_each(|collider| self.colliders.push(collider));
        let joins = |joint: &Joint<S>| joint.a != joint.b && known(joint.a) && (joint.b == WORLD || known(joint.b));
        self.joints = joints.into_iter().filter(joins).collect();
        self.contacts = contacts;
        self.broad_phase.rebuild(&self.colliders.fat_box);
        self.scratch.kept.clear(); // found for shapes that may have changed
    }
}
