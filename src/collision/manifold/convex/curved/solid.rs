//! What a shape is to pairs with a cylinder or a cone: a solid, or a point or segment with a radius around it.

use crate::collision::manifold::convex::CoreParts;
use crate::collision::manifold::convex::gjk::{Supports, Vertex};
use crate::collision::manifold::convex::polytope::{Polytope, rounding_of, tiny_of};
use crate::geometry::Shape;
use crate::geometry::shape::{cone_ends, farthest_of_cone, on_rim};
use crate::math::{Mat3, Scalar, Vec3};

/// A convex shape in its own axes, without the radius that may go around it.
#[derive(Clone, Copy)]
pub(in crate::collision::manifold::convex) enum Solid<'a, S> {
    /// Of a ball.
    Point,
    /// A cuboid, a hull or a facet.
    Polytope(Polytope<'a, S>),
    /// Of a capsule, along y.
    Segment {
        half_height: S,
    },
    Cylinder {
        half_height: S,
        radius: S,
    },
    Cone {
        half_height: S,
        radius: S,
    },
}

impl<'a, S: Scalar> Solid<'a, S> {
    /// The solid of a shape, and the radius around it; `None` of half-spaces and whole meshes.
    pub(super) fn of(shape: &'a Shape<S>, parts: &'a CoreParts<S>) -> Option<(Self, S)> {
        Some(match *shape {
            Shape::Capsule { half_height, radius } => (Self::Segment { half_height }, radius),
            Shape::Cylinder { half_height, radius } => (Self::Cylinder { half_height, radius }, S::ZERO),
            Shape::Cone { half_height, radius } => (Self::Cone { half_height, radius }, S::ZERO),
            Shape::Hull(ref hull) => (Self::Polytope(Polytope::of_hull(hull)), S::ZERO),
            Shape::Cuboid { .. } => (Self::Polytope(parts.cuboid.as_ref()?.polytope()), S::ZERO),
            Shape::Facet(ref facet) => (Self::Polytope(Polytope::of_facet(facet)), S::ZERO),
            Shape::Sphere { radius } => (Self::Point, radius),
            Shape::HalfSpace { .. } | Shape::Mesh(_) => return None,
        })
    }

    /// A point of it that lies farthest along a direction.
    fn farthest(&self, direction: Vec3<S>) -> Vec3<S> {
        let with_sign = |length: S| if direction.y < S::ZERO { -length } else { length };
        match *self {
            Self::Point => Vec3::ZERO,
            Self::Polytope(polytope) => polytope.corner(polytope.farthest(direction)),
            Self::Segment { half_height } => Vec3::Y * with_sign(half_height),
            Self::Cylinder { half_height, radius } => on_rim(direction, radius) + Vec3::Y * with_sign(half_height),
            Self::Cone { half_height, radius } => farthest_of_cone(half_height, radius, direction),
        }
    }

    /// The largest coordinate of a point.
    fn largest(&self) -> S {
        match *self {
            Self::Point => S::ZERO,
            Self::Polytope(polytope) => polytope.largest,
            Self::Segment { half_height } => half_height,
            Self::Cylinder { half_height, radius } => half_height.max(radius),
            Self::Cone { half_height, radius } => cone_ends(half_height).1.max(radius),
        }
    }

    /// The unit normals of its flat faces.
    fn flats(&self) -> impl Iterator<Item = Vec3<S>> {
        let planes: &[_] = if let Self::Polytope(polytope) = self { polytope.planes } else { &[] };
        let ends = match self {
            Self::Cylinder { .. } => [Some(Vec3::Y), Some(-Vec3::Y)],
            Self::Cone { .. } => [None, Some(-Vec3::Y)],
            Self::Point | Self::Polytope(_) | Self::Segment { .. } => [None, None],
        };
        planes.iter().map(|plane| plane.normal).chain(ends.into_iter().flatten())
    }
}

/// How thick a shape is, or how wide a facet, where it is that least.
fn thickness<S: Scalar>(shape: &Shape<S>) -> Option<S> {
    match shape {
        Shape::Facet(facet) => Some(facet.inner_radius() * S::TWO),
        _ => shape.least_thickness(),
    }
}

/// Two solids and how they lie to each other, in the axes of A.
pub(in crate::collision::manifold::convex) struct SolidPair<'a, S> {
    pub(super) solids: [Solid<'a, S>; 2],
    /// The radii around them.
    pub(in crate::collision::manifold::convex) radii: [S; 2],
    /// Turns the axes of B into those of A.
    pub(super) relative: Mat3<S>,
    /// From the origin of A to that of B.
    pub(super) offset: Vec3<S>,
    /// The least half thickness of the two.
    pub(in crate::collision::manifold::convex) smallest: S,
}

impl<'a, S: Scalar> SolidPair<'a, S> {
    /// Two shapes that stand like this in the world; `None` where one is a half-space or a whole mesh, or a ball, for which there are
    /// quicker ways.
    pub(super) fn new(
        (a, rotation_a, parts_a): (&'a Shape<S>, &Mat3<S>, &'a CoreParts<S>),
        (b, rotation_b, parts_b): (&'a Shape<S>, &Mat3<S>, &'a CoreParts<S>),
        offset: Vec3<S>,
    ) -> Option<Self> {
        let has_ball = [a, b].iter().any(|shape| matches!(shape, Shape::Sphere { .. }));
        if has_ball { None } else { Self::with_balls((a, rotation_a, parts_a), (b, rotation_b, parts_b), offset) }
    }

    /// The same, of balls too.
    pub(in crate::collision::manifold::convex) fn with_balls(
        (a, rotation_a, parts_a): (&'a Shape<S>, &Mat3<S>, &'a CoreParts<S>),
        (b, rotation_b, parts_b): (&'a Shape<S>, &Mat3<S>, &'a CoreParts<S>),
        offset: Vec3<S>,
    ) -> Option<Self> {
        let [(first, radius_a), (second, radius_b)] = [Solid::of(a, parts_a)?, Solid::of(b, parts_b)?];
        let thinner = thickness(a)?.min(thickness(b)?);
        Some(Self {
            solids: [first, second],
            radii: [radius_a, radius_b],
            relative: rotation_a.transpose() * *rotation_b,
            offset: rotation_a.transpose_mul(offset),
            smallest: thinner * S::HALF,
        })
    }

    /// Both radii.
    pub(in crate::collision::manifold::convex) fn radius(&self) -> S {
        self.radii[0] + self.radii[1]
    }

    /// A place of B in the axes of A.
    pub(super) fn placed(&self, place: Vec3<S>) -> Vec3<S> {
        self.offset + self.relative * place
    }

    /// The same with B farther on by a way in the axes of A.
    pub(in crate::collision::manifold::convex) fn moved(&self, way: Vec3<S>) -> Self {
        Self { offset: self.offset + way, ..*self }
    }

    /// The gap of the solids along a unit direction from A to B.
    pub(super) fn gap_along(&self, normal: Vec3<S>) -> S {
        normal.dot(self.vertex(normal).between)
    }

    /// At what height along a unit direction from A to B the solid of B begins, from the origin of A.
    pub(super) fn lowest_of_b(&self, normal: Vec3<S>) -> S {
        normal.dot(self.placed(self.solids[1].farthest(-self.relative.transpose_mul(normal))))
    }

    /// Solids as near as this count as overlapping.
    pub(in crate::collision::manifold::convex) fn tiny(&self) -> S {
        tiny_of(self.rounding())
    }

    /// The normals of flat faces, each as a direction from A to B.
    pub(in crate::collision::manifold::convex) fn flats(&self) -> impl Iterator<Item = Vec3<S>> {
        let [a, b] = &self.solids;
        a.flats().chain(b.flats().map(|normal| -(self.relative * normal)))
    }
}

impl<S: Scalar> Supports<S> for SolidPair<'_, S> {
    fn start(&self) -> Vec3<S> {
        if self.offset == Vec3::ZERO { Vec3::Y } else { self.offset }
    }

    fn vertex(&self, direction: Vec3<S>) -> Vertex<S> {
        let [a, b] = &self.solids;
        let point = a.farthest(direction);
        let of_b = self.placed(b.farthest(-self.relative.transpose_mul(direction)));
        Vertex { corners: [0; 2], point, between: of_b - point }
    }

    fn is_same(&self, one: &Vertex<S>, other: &Vertex<S>) -> bool {
        one.between == other.between
    }

    fn rounding(&self) -> S {
        let [a, b] = &self.solids;
        rounding_of(a.largest() + b.largest() + self.radius())
    }

    /// A gap that something round shows is never known to the last digit: each step of a search only halves what is left.
    fn tolerance(&self) -> S {
        self.rounding().max(self.smallest.scale_by_power_of_two(-22))
    }
}
