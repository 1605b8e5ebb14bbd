//! Shapes attached to bodies, as a structure of arrays.

use crate::collision::broad_phase::FatBox;
use crate::geometry::Shape;
use crate::math::{Pose, Scalar};

/// Names a collider for as long as its body lives: the body's id and the collider's number within the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ColliderKey {
    /// The body's id.
    pub body: u32,
    /// The collider's number within the body, from 0.
    pub part: u32,
}

/// Surface properties that decide over a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface<S> {
    /// Coulomb friction coefficient.
    pub friction: S,
    /// Restitution, 0 to 1.
    pub restitution: S,
}

impl<S: Scalar> Surface<S> {
    /// What two touching surfaces make: the geometric mean of the frictions, the larger restitution.
    #[must_use]
    pub fn combine(self, other: Self) -> Self {
        let friction =
            if self.friction == other.friction { self.friction } else { (self.friction * other.friction).sqrt() };
        Self { friction, restitution: self.restitution.max(other.restitution) }
    }
}

/// One collider: a row of [`Colliders`]. All of it is state.
#[derive(Clone, Debug, PartialEq)]
pub struct Collider<S> {
    /// Which collider of which body.
    pub key: ColliderKey,
    /// The shape in its own frame.
    pub shape: Shape<S>,
    /// The shape's frame relative to the body's centre of mass, in the body's axes.
    pub local: Pose<S>,
    /// Friction and restitution.
    pub surface: Surface<S>,
    /// The box the broad phase knows: larger than the shape, moved only when the shape leaves it.
    pub fat_box: FatBox<S>,
}

/// All colliders, ordered by key: one array per field.
#[derive(Clone, Debug)]
pub struct Colliders<S> {
    /// See [`Collider::key`]; ascending.
    pub key: Vec<ColliderKey>,
    /// See [`Collider::shape`].
    pub shape: Vec<Shape<S>>,
    /// See [`Collider::local`].
    pub local: Vec<Pose<S>>,
    /// See [`Collider::surface`].
    pub surface: Vec<Surface<S>>,
    /// See [`Collider::fat_box`].
    pub fat_box: Vec<FatBox<S>>,
}

impl<S: Scalar> Default for Colliders<S> {
    fn default() -> Self {
        Self { key: Vec::new(), shape: Vec::new(), local: Vec::new(), surface: Vec::new(), fat_box: Vec::new() }
    }
}

impl<S: Scalar> Colliders<S> {
    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.key.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.key.is_empty()
    }

    /// The index of the collider with this key.
    #[must_use]
    pub fn index_of(&self, key: ColliderKey) -> Option<usize> {
        self.key.binary_search(&key).ok()
    }

    /// One collider, gathered from the arrays.
    #[must_use]
    pub fn row(&self, index: usize) -> Collider<S> {
        let Self { key, shape, local, surface, fat_box } = self;
        Collider {
            key: key[index],
            shape: shape[index],
            local: local[index],
            surface: surface[index],
            fat_box: fat_box[index],
        }
    }

    /// Adds a collider at the end. Its key is larger than every other.
    pub fn push(&mut self, collider: &Collider<S>) {
        let Collider { key, shape, local, surface, fat_box } = collider;
        self.key.push(*key);
        self.shape.push(*shape);
        self.local.push(*local);
        self.surface.push(*surface);
        self.fat_box.push(*fat_box);
    }

    /// Takes out every collider of a body.
    pub fn remove_body(&mut self, body: u32) {
        let first = self.key.partition_point(|key| key.body < body);
        let last = self.key.partition_point(|key| key.body <= body);
        let Self { key, shape, local, surface, fat_box } = self;
        key.drain(first..last);
        shape.drain(first..last);
        local.drain(first..last);
        surface.drain(first..last);
        fat_box.drain(first..last);
    }
}
