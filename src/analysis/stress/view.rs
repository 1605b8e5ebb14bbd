//! States of an attacked run as they would be had nothing been done to it, where an attack changes them on purpose.

use crate::collision::broad_phase::FatAabb;
use crate::dynamics::collider::ColliderKey;
use crate::dynamics::joint::WORLD;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};
use crate::scene::model::Vector;
use crate::session::Session;
use crate::world::derived::{Derived, StepData};
use crate::world::encode::State;
use crate::world::state_hash::StateHash;

/// How to look at the states of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// As they are.
    Whole,
    /// Moved back by this much.
    MovedBack(Vector),
    /// Without the static body of this name, which was there from the start; the ids of all others as if it had never been.
    Without(String),
}

impl Seen {
    /// A state seen this way.
    #[must_use]
    pub fn of<S: Scalar>(&self, mut state: State<S>) -> State<S> {
        match self {
            Self::Whole => {}
            Self::MovedBack(offset) => move_back(&mut state, offset_of(offset)),
            Self::Without(name) => leave_out(&mut state, name),
        }
        state
    }

    /// The data of a step seen this way. What is derived is differences of places, and knows bodies by their ids only.
    #[must_use]
    pub fn of_data<S: Scalar>(&self, data: StepData<S>) -> StepData<S> {
        let StepData { state, mut derived } = data;
        if let Self::Without(name) = self
            && let Some(body) = state.bodies.iter().find(|body| *body.name == **name)
        {
            leave_out_derived(&mut derived, body.id);
        }
        StepData { state: self.of(state), derived }
    }

    /// The hash of the present state of a session seen this way.
    #[must_use]
    pub fn hash<S: Scalar>(&self, session: &Session<S>) -> StateHash {
        match self {
            Self::Whole => *session.hash(),
            Self::MovedBack(_) | Self::Without(_) => self.hash_of(session.world().state()),
        }
    }

    /// The hash of a state seen this way.
    #[must_use]
    pub fn hash_of<S: Scalar>(&self, state: State<S>) -> StateHash {
        StateHash::of(&self.of(state).encode(), S::KIND)
    }
}

/// An offset as numbers; what does not fit the scalar is not an offset.
fn offset_of<S: Scalar>(Vector(x, y, z): &Vector) -> Vec3<S> {
    let number = |decimal: &crate::scene::decimal::Decimal| decimal.to_scalar().unwrap_or(S::ZERO);
    Vec3::new(number(x), number(y), number(z))
}

/// Subtracts an offset from everything in a state that is a place in the world.
fn move_back<S: Scalar>(state: &mut State<S>, offset: Vec3<S>) {
    for body in &mut state.bodies {
        body.position -= offset;
    }
    for joint in state.joints.iter_mut().filter(|joint| joint.b == WORLD) {
        joint.anchor_b -= offset;
    }
    for collider in &mut state.colliders {
        collider.fat_box = match collider.fat_box {
            FatAabb::Bounded(Aabb { min, max }) => FatAabb::Bounded(Aabb { min: min - offset, max: max - offset }),
            FatAabb::HalfSpace { normal, point } => FatAabb::HalfSpace { normal, point: point - offset },
        };
    }
}

/// The id of a body where another had never been; of that one itself an id that no body has.
const fn without(gone: u32, id: u32) -> u32 {
    match id {
        id if id == gone => u32::MAX,
        id if id > gone => id - 1,
        id => id,
    }
}

/// Takes a body out of what a step derived. A pair of it stays, as a contact of it does in the state.
fn leave_out_derived<S: Scalar>(derived: &mut Derived<S>, gone: u32) {
    let Derived {
        acting,
        forces,
        placements,
        pairs,
        geometry,
        joint_colours: _by_joint,
        colours,
        joint_rows: _rows_by_joint,
        rows,
    } = derived;
    let renumber = |key: &mut ColliderKey| key.body = without(gone, key.body);
    acting.iter_mut().for_each(|acting| acting.body = without(gone, acting.body));
    forces.retain(|forces| forces.body != gone);
    forces.iter_mut().for_each(|forces| forces.body = without(gone, forces.body));
    placements.retain(|placement| placement.key.body != gone);
    placements.iter_mut().for_each(|placement| renumber(&mut placement.key));
    pairs.iter_mut().flatten().for_each(renumber);
    let of_geometry = geometry.iter_mut().map(|geometry| &mut geometry.key);
    let of_rows = colours.iter_mut().map(|place| &mut place.key).chain(rows.iter_mut().map(|rows| &mut rows.key));
    of_geometry.chain(of_rows).flat_map(|key| [&mut key.a, &mut key.b]).for_each(renumber);
}

/// Takes a body out of a state. A contact of it stays, with an id that no body has: it ought not to be there.
fn leave_out<S: Scalar>(state: &mut State<S>, name: &str) {
    let Some(place) = state.bodies.iter().position(|body| &*body.name == name) else { return };
    let gone = state.bodies.remove(place).id;
    let renumbered = |id: u32| without(gone, id);
    let renumber = |key: &mut ColliderKey| key.body = renumbered(key.body);
    state.globals.next_body_id = state.globals.next_body_id.wrapping_sub(1);
    state.bodies.iter_mut().for_each(|body| body.id = renumbered(body.id));
    state.colliders.retain(|collider| collider.key.body != gone);
    state.colliders.iter_mut().for_each(|collider| renumber(&mut collider.key));
    for joint in &mut state.joints {
        joint.a = renumbered(joint.a);
        joint.b = if joint.b == WORLD { WORLD } else { renumbered(joint.b) };
    }
    for contact in &mut state.contacts {
        renumber(&mut contact.a);
        renumber(&mut contact.b);
    }
}
