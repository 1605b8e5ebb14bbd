//! Saving a world and putting it back.

use crate::dynamics::joint::{Joint, WORLD};
use crate::math::Scalar;
use crate::parallel::Executor;
use crate::world::encode::encoded::Parts;
use crate::world::encode::fields::Globals;
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
            shapes: _shapes,
            broad_phase: _broad_phase,
            excluded: _excluded,
            sensing: _sensing,
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
    #[must_use]
    pub const fn globals(&self) -> Globals<S> {
        Globals { step: self.step, gravity: self.gravity, next_body_id: self.next_body_id }
    }

    /// Replaces all state; everything derived from it is made anew.
    ///
    /// Stepping on from here gives the same bytes as the world that the state was taken from.
    pub fn restore(&mut self, state: State<S>) {
        self.adopt(state);
        self.scratch = Scratch::default();
        self.begin_anew_sensing();
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
        bodies.iter().for_each(|body| self.bodies.push(body));
        self.colliders = Default::default();
        let known = |body: u32| self.bodies.index_of(body).is_some();
        colliders.iter().filter(|collider| known(collider.key.body)).for_each(|collider| self.colliders.push(collider));
        let joins = |joint: &Joint<S>| joint.a != joint.b && known(joint.a) && (joint.b == WORLD || known(joint.b));
        self.joints = joints.into_iter().filter(joins).collect();
        self.contacts = contacts;
        self.broad_phase.rebuild(&self.colliders.fat_box);
        self.find_excluded();
        self.sensing.forget();
        self.scratch.kept.clear(); // found for shapes that may have changed
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::math::Scalar;
    use crate::scene;
    use crate::world::World;
    use crate::world::encode::{Section, State};
    use crate::world::state_hash::StateHash;

    fn world() -> World<f64> {
        let text = "(version: 1, name: \"two\", steps: 9, bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5))])";
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        World::build(&Arc::new(scene)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The hash of a world's state with nothing kept from before.
    fn fresh_hash(world: &World<f64>) -> StateHash {
        let state = State::<f64>::decode(&world.snapshot().to_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert!(state == world.state(), "what is kept is what there is");
        StateHash::of(&state.encode(), f64::KIND)
    }

    #[test]
    fn the_first_byte_that_differs_is_found_wherever_it_is() {
        let encoded = world().snapshot();
        let bytes = encoded.to_bytes();
        assert_eq!(encoded.first_difference(&bytes), None);
        for place in 0..bytes.len() {
            let mut other = bytes.clone();
            other[place] ^= 1;
            other[bytes.len() - 1] ^= 2;
            assert_eq!(encoded.first_difference(&other), Some(place));
            assert_eq!(encoded.first_difference(&bytes[..place]), Some(place), "cut short");
        }
        assert_eq!(encoded.first_difference(&[&bytes[..], &[0]].concat()), Some(bytes.len()), "too long");
    }

    #[test]
    fn a_changed_constant_changes_the_hash() {
        let mut world = world();
        let before = world.hash();
        world.bodies.constants.change().gravity_scale[0] = f64::TWO;
        let after = world.hash();
        assert_ne!(before.root, after.root);
        assert_ne!(before.sections[Section::Bodies as usize], after.sections[Section::Bodies as usize]);
        assert_eq!(after, fresh_hash(&world));
        world.colliders.constants.change().surface[1].friction = f64::TWO;
        assert_ne!(world.hash().root, after.root);
        assert_eq!(world.hash(), fresh_hash(&world));
    }

    #[test]
    fn a_restored_world_hashes_what_it_was_given() {
        let mut world = world();
        let before = world.hash();
        let mut state = world.state();
        state.bodies[1].linear_damping = f64::HALF;
        let expected = StateHash::of(&state.encode(), f64::KIND);
        world.restore(state);
        assert_ne!(world.hash(), before);
        assert_eq!((world.hash(), fresh_hash(&world)), (expected, expected));
    }

    #[test]
    fn columns_are_encoded_once_until_a_row_comes_or_goes() {
        let mut world = world();
        let kept = Arc::clone(world.bodies.constants.encoded());
        world.step(&[], &mut ()).unwrap_or_else(|error| panic!("{error}"));
        assert!(Arc::ptr_eq(&kept, world.bodies.constants.encoded()), "a step changes none of them");
        world.bodies.remove(0..1);
        assert_ne!(kept.digest(), world.bodies.constants.encoded().digest());
    }
}
