//! States of an attacked run as they would be had nothing been done to it, where an attack changes them on purpose.

use crate::collision::broad_phase::FatBox;
use crate::dynamics::collider::ColliderKey;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};
use crate::scene::model::Vector;
use crate::session::Session;
use crate::world::encode::State;
use crate::world::state_hash::StateHash;

/// How to look at the states of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// As they are.
    Whole,
    /// Moved back by this much.
    MovedBack(Vector),
    /// Without the static body of this name, which was there from the start; the ids of all others as if it had never been.
    Without(String),
}

impl View {
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

/// An offset as numbers; what does not fit the scalar is no offset.
fn offset_of<S: Scalar>(Vector(x, y, z): &Vector) -> Vec3<S> {
    let number = |decimal: &crate::scene::decimal::Decimal| decimal.to_scalar().unwrap_or(S::ZERO);
    Vec3::new(number(x), number(y), number(z))
}

/// Subtracts an offset from everything in a state that is a place in the world.
fn move_back<S: Scalar>(state: &mut State<S>, offset: Vec3<S>) {
    for body in &mut state.bodies {
        body.position -= offset;
    }
    for collider in &mut state.colliders {
        collider.fat_box = match collider.fat_box {
            FatBox::Bounded(Aabb { min, max }) => FatBox::Bounded(Aabb { min: min - offset, max: max - offset }),
            FatBox::HalfSpace { normal, point } => FatBox::HalfSpace { normal, point: point - offset },
        };
    }
}

/// Takes a body out of a state. A contact of it stays, with an id that no body has: it ought not to be there.
fn leave_out<S: Scalar>(state: &mut State<S>, name: &str) {
    let Some(place) = state.bodies.iter().position(|body| &*body.name == name) else { return };
    let gone = state.bodies.remove(place).id;
    let renumbered = |id: u32| match id {
        id if id == gone => u32::MAX,
        id if id > gone => id - 1,
        id => id,
    };
    let renumber = |key: &mut ColliderKey| key.body = renumbered(key.body);
    state.globals.next_body_id = state.globals.next_body_id.wrapping_sub(1);
    state.bodies.iter_mut().for_each(|body| body.id = renumbered(body.id));
    state.colliders.retain(|collider| collider.key.body != gone);
    state.colliders.iter_mut().for_each(|collider| renumber(&mut collider.key));
    for contact in &mut state.contacts {
        renumber(&mut contact.a);
        renumber(&mut contact.b);
    }
}
