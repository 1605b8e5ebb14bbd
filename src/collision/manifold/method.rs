//! Which methods find the contact of a pair of shapes: the best for each pair, or one for all that it can do.

use crate::collision::manifold::{Bearing, Manifold, Placed, collide_ordered, convex, is_in_order};
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// The methods of the narrow phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NarrowPhase {
    /// For each pair what serves it best.
    #[default]
    Auto,
    /// Distances by the algorithm of Gilbert, Johnson and Keerthi (1988), depths by that of the expanding polytope (van den Bergen 2001):
    /// of all shapes but half-spaces and meshes. Balls and capsules have closed forms between them, and balls beside cylinders and cones.
    Gjk,
    /// Axes of separation (Gottschalk 1996; Gregorius 2013), of polyhedra: cuboids and hulls. Of what is apart the gap along the best
    /// axis, which is never more than the distance and less where corners are nearest. All else as with `Auto`.
    Sat,
}

/// How the contacts of pairs are looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSearch<S> {
    /// By which method.
    pub method: NarrowPhase,
    /// The gap up to which a facet is a piece of its mesh, metres.
    pub own: S,
    /// What bore weight when it was looked at last.
    pub bearing: Bearing,
}

/// [`collide`](super::collide) by a method, with facets as pieces of their meshes: within [`ContactSearch::own`] of it, what is behind a facet
/// does not touch it, and what touches it is pushed only along normals that the surface of the mesh has there. Facets have methods of
/// their own.
#[must_use]
pub fn collide_by<S: Scalar>(
    search: &ContactSearch<S>,
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let (own, bearing) = (Some(search.own), search.bearing);
    match (a, b) {
        (Shape::Facet(_), _) => {
            convex::facet_and_convex((a, rotation_a), (b, rotation_b), offset, (margin, own, bearing))
        }
        (_, Shape::Facet(_)) => {
            convex::facet_and_convex((b, rotation_b), (a, rotation_a), -offset, (margin, own, bearing)).flipped(-offset)
        }
        _ => in_order((a, rotation_a), (b, rotation_b), offset, |first, second, offset| match search.method {
            NarrowPhase::Auto => collide_ordered(first, second, offset, (margin, bearing)),
            NarrowPhase::Gjk => by_gjk(first, second, offset, (margin, bearing)),
            NarrowPhase::Sat => by_sat(first, second, offset, (margin, bearing)),
        }),
    }
}

/// Computes a pair in the order of its shapes, and turns the answer round where that is not how it stands.
pub(super) fn in_order<'a, S: Scalar>(
    (a, rotation_a): (&'a Shape<S>, &'a Mat3<S>),
    (b, rotation_b): (&'a Shape<S>, &'a Mat3<S>),
    offset: Vec3<S>,
    compute: impl Fn(Placed<'a, S>, Placed<'a, S>, Vec3<S>) -> Manifold<S>,
) -> Manifold<S> {
    let first = Placed { shape: a, rotation: rotation_a };
    let second = Placed { shape: b, rotation: rotation_b };
    if is_in_order(first, second, offset) {
        compute(first, second, offset)
    } else {
        compute(second, first, -offset).flipped(-offset)
    }
}

/// The manifold of a pair whose kinds ascend, by nearest points and the expanding polytope where those are for it.
fn by_gjk<S: Scalar>(
    a: Placed<'_, S>,
    b: Placed<'_, S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let (first, second) = ((a.shape, a.rotation), (b.shape, b.rotation));
    match (a.shape, b.shape) {
        (Shape::Capsule { .. }, Shape::Capsule { .. }) => collide_ordered(a, b, offset, (margin, bearing)),
        (&Shape::Sphere { radius }, Shape::Cuboid { .. } | Shape::Hull(_)) => {
            convex::polyhedron_and_ball(second, radius, -offset, margin).flipped(-offset)
        }
        (
            Shape::Cuboid { .. } | Shape::Capsule { .. } | Shape::Hull(_),
            Shape::Cuboid { .. } | Shape::Capsule { .. } | Shape::Hull(_),
        ) => convex::solids(first, second, offset, (margin, bearing)),
        _ => collide_ordered(a, b, offset, (margin, bearing)),
    }
}

/// The manifold of a pair whose kinds ascend, by axes of separation where both are polyhedra.
fn by_sat<S: Scalar>(
    a: Placed<'_, S>,
    b: Placed<'_, S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    match (a.shape, b.shape) {
        (Shape::Cuboid { .. } | Shape::Hull(_), Shape::Hull(_)) => {
            convex::polyhedra_by_axes((a.shape, a.rotation), (b.shape, b.rotation), offset, (margin, bearing))
        }
        _ => collide_ordered(a, b, offset, (margin, bearing)), // two cuboids are looked at along their axes anyway
    }
}
