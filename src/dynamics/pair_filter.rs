//! Which pairs of colliders can push each other. Asked wherever pairs are found.

use crate::dynamics::apart::Apart;
use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::collider::Colliders;
use crate::math::Scalar;

/// All that decides over it.
#[derive(Clone, Copy)]
pub struct PairFilter<'a, S: Scalar> {
    /// The bodies.
    pub bodies: &'a Bodies<S>,
    /// The colliders.
    pub colliders: &'a Colliders<S>,
    /// Which bodies pass through each other.
    pub apart: &'a Apart,
}

impl<S: Scalar> PairFilter<'_, S> {
    /// Whether two colliders of these bodies, all by index, push each other when they touch. Two surfaces do not.
    #[inline(always)]
    #[must_use]
    pub fn push(&self, colliders: [u32; 2], bodies: [usize; 2]) -> bool {
        let is_dynamic = |body: usize| self.bodies.kind[body] == BodyKind::Dynamic;
        let is_sensor = |collider: u32| self.colliders.is_sensor[collider as usize];
        (is_dynamic(bodies[0]) || is_dynamic(bodies[1]))
            && !is_sensor(colliders[0])
            && !is_sensor(colliders[1])
            && !self.are_surfaces(colliders)
            && self.meet(colliders, bodies)
    }

    /// Whether both colliders are meshes.
    #[inline(always)]
    #[must_use]
    pub fn are_surfaces(&self, colliders: [u32; 2]) -> bool {
        colliders.into_iter().all(|collider| self.colliders.is_mesh[collider as usize])
    }

    /// Whether two colliders pass through each other only because both are meshes: one can move, and nothing in the scene keeps them apart.
    #[must_use]
    pub fn pass_as_surfaces(&self, colliders: [u32; 2], bodies: [usize; 2]) -> bool {
        let is_dynamic = |body: usize| self.bodies.kind[body] == BodyKind::Dynamic;
        self.are_surfaces(colliders)
            && bodies.into_iter().any(is_dynamic)
            && colliders.into_iter().all(|collider| !self.colliders.is_sensor[collider as usize])
            && self.meet(colliders, bodies)
    }

    /// Whether a sensor notices another collider where they overlap: what pushes, on a body of its own, and not both on bodies that
    /// stay where they are.
    #[must_use]
    pub fn notices(&self, [sensor, other]: [u32; 2], bodies: [usize; 2]) -> bool {
        let is_static = |body: usize| self.bodies.kind[body] == BodyKind::Static;
        self.colliders.is_sensor[sensor as usize]
            && !self.colliders.is_sensor[other as usize]
            && !(is_static(bodies[0]) && is_static(bodies[1]))
            && self.meet([sensor, other], bodies)
    }

    /// Whether they are of two bodies that do not pass through each other, and their filters let them meet.
    #[inline(always)]
    fn meet(&self, [a, b]: [u32; 2], bodies: [usize; 2]) -> bool {
        let filter = |collider: u32| self.colliders.filter[collider as usize];
        let id = |body: usize| self.bodies.id[body];
        bodies[0] != bodies[1] && filter(a).meets(filter(b)) && !self.apart.holds(id(bodies[0]), id(bodies[1]))
    }
}
