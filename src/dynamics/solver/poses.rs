//! Shapes where their bodies are, or will be within the substep, and the contact between two of them there.

use crate::collision::gap_along;
use crate::collision::manifold::{Bearing, ContactSearch, Manifold, ManifoldPoint, NarrowPhase, collide_by};
use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::collider::{Colliders, Placement};
use crate::dynamics::contact::{ContactGeometry, touching_gap};
use crate::dynamics::integrator::{Motion, turned_nearly};
use crate::dynamics::settings::{RotationUpdate, Settings};
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// Two colliders of different bodies.
#[derive(Clone, Copy, Debug)]
pub struct ColliderPair {
    /// Indices of the colliders.
    pub colliders: [u32; 2],
    /// Indices of their bodies.
    pub bodies: [u32; 2],
    /// Which facet of the one that is a mesh: one more than its number; 0 where neither is.
    pub piece: u32,
}

impl ColliderPair {
    /// Those of a contact.
    pub const fn of<S: Scalar>(contact: &ContactGeometry<S>) -> Self {
        let ContactGeometry { colliders, body_a, body_b, piece, .. } = *contact;
        Self { colliders, bodies: [body_a, body_b], piece }
    }

    /// The two shapes.
    #[inline]
    pub fn shapes<S: Scalar>(self, colliders: &Colliders<S>) -> [&Shape<S>; 2] {
        self.colliders.map(|collider| colliders.piece(collider, self.piece))
    }

    /// How thick the thinner of the two is, metres. A shell has no thickness: of one that forces move its half extent counts.
    pub fn thinner<S: Scalar>(self, bodies: &Bodies<S>, colliders: &Colliders<S>) -> Option<S> {
        let thickness = |side: usize| {
            let [collider, body] = [self.colliders[side], self.bodies[side]].map(|index| index as usize);
            let is_shell = colliders.is_mesh[collider] && bodies.kind[body] == BodyKind::Dynamic;
            if is_shell { colliders.shape[collider].largest_half_extent() } else { colliders.thickness[collider] }
        };
        match (thickness(0), thickness(1)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Two shapes, each where it is at one time.
#[derive(Clone, Copy, Debug)]
pub struct PlacedShapes<'a, S> {
    /// The shapes.
    pub(super) shapes: [&'a Shape<S>; 2],
    /// Where each is.
    pub(super) placements: [Placement<S>; 2],
    /// From the centre of mass of the first body to that of the second, world axes.
    pub centre_offset: Vec3<S>,
    /// From the origin of the first shape to that of the second, world axes.
    offset: Vec3<S>,
    search: ContactSearch<S>,
}

impl<'a, S: Scalar> PlacedShapes<'a, S> {
    /// Two shapes whose colliders are here; `centre_offset` leads from the centre of mass of the first body to that of the second, world
    /// axes.
    #[must_use]
    pub fn of(
        shapes: [&'a Shape<S>; 2],
        placements: [Placement<S>; 2],
        centre_offset: Vec3<S>,
        search: ContactSearch<S>,
    ) -> Self {
        let placements = [placements[0].of_piece(shapes[0]), placements[1].of_piece(shapes[1])];
        let [a, b] = &placements;
        Self { shapes, placements, centre_offset, offset: centre_offset + b.offset - a.offset, search }
    }

    /// The same two, of which these points bore weight at the last look.
    #[must_use]
    pub fn borne_by(mut self, bearing: Bearing) -> Self {
        self.search.bearing = bearing;
        self
    }

    /// How the shapes lie to each other; points with a gap up to `margin`.
    #[must_use]
    pub fn meeting(&self, margin: S) -> Meeting<S> {
        let [a, b] = &self.placements;
        let [first, second] = [(self.shapes[0], &a.rotation), (self.shapes[1], &b.rotation)];
        let manifold = collide_by(&self.search, first, second, self.offset, margin);
        Meeting { shape_offset_a: a.offset, centre_offset: self.centre_offset, manifold }
    }

    /// The gap along a unit direction from the first shape to the second, metres.
    #[must_use]
    pub fn gap_along(&self, normal: Vec3<S>) -> S {
        let [a, b] = &self.placements;
        gap_along((self.shapes[0], &a.rotation), (self.shapes[1], &b.rotation), self.offset, normal)
    }
}

/// How two shapes lie to each other at a moment.
#[derive(Clone, Copy, Debug)]
pub struct Meeting<S> {
    /// From the centre of mass of the first body to the origin of its shape, world axes.
    pub shape_offset_a: Vec3<S>,
    /// From the centre of mass of the first body to that of the second, world axes.
    pub centre_offset: Vec3<S>,
    /// Where and how the shapes touch.
    pub manifold: Manifold<S>,
}

impl<S: Scalar> Default for Meeting<S> {
    fn default() -> Self {
        Self { shape_offset_a: Vec3::ZERO, centre_offset: Vec3::ZERO, manifold: Manifold::empty() }
    }
}

impl<S: Scalar> Meeting<S> {
    /// The smallest gap of any point; `None` where the shapes are farther apart than was looked.
    #[must_use]
    pub fn gap(&self) -> Option<S> {
        self.manifold.gap()
    }

    /// The normal out of one of the two shapes.
    #[inline(always)]
    #[must_use]
    pub fn outwards(&self, owner: usize) -> Vec3<S> {
        if owner == 0 { self.manifold.normal } else { -self.manifold.normal }
    }

    /// Where a point of the manifold is on the surface of one of the two shapes, from the centre of mass of the other one's body.
    #[inline(always)]
    #[must_use]
    pub fn on_surface(&self, owner: usize, point: &ManifoldPoint<S>) -> Vec3<S> {
        let from_other = if owner == 0 { self.centre_offset } else { Vec3::ZERO };
        self.shape_offset_a + point.position - from_other - self.outwards(owner) * (point.separation * S::HALF)
    }

    /// The smallest gap that any point had `time` seconds before, to first order: on straight paths at the velocities of now.
    #[must_use]
    pub fn gap_before(&self, scenery: Scenery<'_, S>, bodies: [u32; 2], time: S) -> Option<S> {
        let [a, b] = bodies.map(|body| scenery.bodies.linear_velocity[body as usize]);
        let [spin_a, spin_b] = bodies.map(|body| scenery.bodies.angular_velocity[body as usize]);
        let normal = self.manifold.normal;
        let gaps = self.manifold.points().iter().map(|point| {
            let arm = self.shape_offset_a + point.position;
            let speed = b - a + spin_b.cross(arm - self.centre_offset) - spin_a.cross(arm);
            point.separation - normal.dot(speed) * time
        });
        gaps.reduce(S::min)
    }
}

/// The bodies and what they carry.
#[derive(Clone, Copy)]
pub struct Scenery<'a, S> {
    /// The bodies, at the start of the substep.
    pub bodies: &'a Bodies<S>,
    /// Their colliders.
    pub colliders: &'a Colliders<S>,
    /// What the bodies turn beyond their angular velocities, rad/s.
    pub precession: &'a [Vec3<S>],
    /// How orientations advance.
    pub update: RotationUpdate,
    /// The rotations of the bodies at the end of the substep, and when that is, where these are known already.
    ends: Option<(&'a [Mat3<S>], S)>,
    search: ContactSearch<S>,
}

impl<'a, S: Scalar> Scenery<'a, S> {
    /// The bodies as they are now, and how they go on.
    #[must_use]
    pub fn of(
        bodies: &'a Bodies<S>,
        colliders: &'a Colliders<S>,
        motion: &'a Motion<S>,
        settings: &Settings<S>,
    ) -> Self {
        let search = settings.contact_search();
        Self { search, ..Self::new(bodies, colliders, &motion.precession, settings.rotation) }
    }

    /// Bodies that are looked at within substeps, and turn by this much beyond their angular velocities, rad/s.
    #[must_use]
    pub fn new(
        bodies: &'a Bodies<S>,
        colliders: &'a Colliders<S>,
        precession: &'a [Vec3<S>],
        update: RotationUpdate,
    ) -> Self {
        let search = ContactSearch { method: NarrowPhase::Auto, own: touching_gap(), bearing: Bearing::NONE };
        Self { bodies, colliders, precession, update, ends: None, search }
    }
}

impl<'a, S: Scalar> Scenery<'a, S> {
    /// The same, with the rotations of those bodies that it will be asked for at `end`, seconds after the start of the substep.
    #[must_use]
    pub const fn with_ends(self, rotations: &'a [Mat3<S>], end: S) -> Self {
        Self { ends: Some((rotations, end)), ..self }
    }

    /// Two shapes when their bodies have moved on at their velocities for `time` seconds.
    #[must_use]
    pub fn placed(&self, pair: ColliderPair, time: S) -> PlacedShapes<'_, S> {
        let place = |side: usize| self.placement(pair.colliders[side], pair.bodies[side], time);
        let (a, b) = (place(0), place(1));
        let centre_offset = self.position(pair.bodies[1], time) - self.position(pair.bodies[0], time);
        PlacedShapes::of(pair.shapes(self.colliders), [a, b], centre_offset, self.search)
    }

    /// How two shapes lie to each other when their bodies have moved on at their velocities for `time` seconds; points with
    /// a gap up to `margin`.
    #[must_use]
    pub fn meeting(&self, pair: ColliderPair, time: S, margin: S) -> Meeting<S> {
        self.placed(pair, time).meeting(margin)
    }

    /// The angular velocity with which a body turns in this substep, rad/s.
    #[must_use]
    pub fn spin(&self, body: u32) -> Vec3<S> {
        self.bodies.angular_velocity[body as usize] + self.precession[body as usize]
    }

    /// Where the centre of mass of a body is `time` seconds later.
    #[must_use]
    pub fn position(&self, body: u32, time: S) -> Vec3<S> {
        let body = body as usize;
        self.bodies.position[body] + self.bodies.linear_velocity[body] * time
    }

    /// How a collider lies `time` seconds later.
    #[must_use]
    pub fn placement(&self, collider: u32, body: u32, time: S) -> Placement<S> {
        let rotation = match self.ends {
            Some((rotations, end)) if time == end => rotations[body as usize],
            _ => self.rotation(body, time),
        };
        Placement::of(body, &self.colliders.local[collider as usize], rotation)
    }

    /// How a body is turned `time` seconds later.
    #[must_use]
    pub fn rotation(&self, body: u32, time: S) -> Mat3<S> {
        let orientation = self.bodies.orientation[body as usize];
        if time == S::ZERO {
            return orientation.to_matrix();
        }
        turned_nearly(orientation, self.spin(body) * time, self.update).to_matrix()
    }
}
