//! The axis of least overlap of a polyhedron and another core: the normals of faces, and products of edges.
//!
//! D. Gregorius, "The Separating Axis Test between Convex Polyhedra", Game Developers Conference, 2013: two edges make a face of the
//! difference of the shapes, and so an axis that counts, only where their arcs on the sphere of normals cross.

mod common;
mod edge_set;
mod edges;
#[cfg(test)]
mod tests;

use crate::collision::manifold::convex::polytope::{Core, CorePair};
use crate::collision::manifold::convex::sat::edges::{Arc, Near, Slab, best_edges, is_shown, shown_by_edges};
use crate::geometry::hull::Plane;
use crate::math::{Scalar, Vec3};

pub(super) use crate::collision::manifold::convex::sat::common::Common;

/// A direction along which the two are compared, in the axes of A, towards B, and the gap of the cores along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Separation<S> {
    pub(super) normal: Vec3<S>,
    pub(super) gap: S,
    /// An edge of A and one of B whose product it is; `None` for the normal of a face.
    pub(super) edges: Option<[usize; 2]>,
}

/// The axis of largest gap, and where that is the normal of a face the edges that are as good.
pub(super) struct LeastOverlap<S> {
    pub(super) best: Separation<S>,
    pub(super) edges: Option<Separation<S>>,
}

/// Faces of A come before those of B and these before edges: a later one must be better by 1/1024 of the overlap and what rounding can
/// feign, so that equally good axes do not take turns. `common` is a point that both hold; without one all axes are looked at.
pub(super) fn least_overlap<S: Scalar>(pair: &CorePair<'_, S>, common: Option<Common<S>>) -> LeastOverlap<S> {
    let rounding = pair.rounding();
    least_overlap_preferring(pair, common, |gap| (-gap).max(S::ZERO).scale_by_power_of_two(-10) + rounding)
}

/// The axis of largest gap, whatever it is of; `common` as for [`least_overlap`].
pub(super) fn best_axis<S: Scalar>(pair: &CorePair<'_, S>, common: Option<Common<S>>) -> Separation<S> {
    least_overlap_preferring(pair, common, |_| S::ZERO).best
}

/// The axis of largest gap, where a later one must be better than an earlier one of this gap by so much.
#[inline(always)]
fn least_overlap_preferring<S: Scalar>(
    pair: &CorePair<'_, S>,
    common: Option<Common<S>>,
    preference: impl Fn(S) -> S,
) -> LeastOverlap<S> {
    let of_a = best_face_of_a(pair, common.as_ref());
    let common = common.map(|common| common.or_deeper(pair, &of_a, true));
    let needed = of_a.gap + preference(of_a.gap);
    let of_b = best_face_of_b(pair, common.as_ref(), needed).filter(|of_b| of_b.gap > needed);
    let common = common.map(|common| of_b.iter().fold(common, |common, of_b| common.or_deeper(pair, of_b, false)));
    let face = of_b.unwrap_or(of_a);
    let near = match (pair.b, common) {
        (Core::Polytope(b), Some(common)) => Some(Near { slab: Slab::of(pair, &face), common, b }),
        _ => None,
    };
    let edges = best_edges(pair, face.gap - preference(face.gap), near.as_ref());
    match edges {
        Some(edges) if edges.gap > face.gap + preference(face.gap) => LeastOverlap { best: edges, edges: Some(edges) },
        edges => LeastOverlap { best: face, edges },
    }
}

/// What every axis shows that counts: the normals of A, those of B, and the products of edges whose arcs cross.
pub(super) fn all_axes<S: Scalar>(pair: &CorePair<'_, S>) -> Vec<(Axis, Separation<S>)> {
    let planes_of_b = if let Core::Polytope(b) = pair.b { b.planes } else { &[] };
    let of_a = pair.a.planes.iter().map(|plane| shown_by_face_of_a(pair, plane));
    let of_b = planes_of_b.iter().map(|plane| shown_by_face_of_b(pair, plane));
    let of_a = of_a.enumerate().map(|(face, seen)| (Axis::FaceOfA(face), seen));
    let of_b = of_b.enumerate().map(|(face, seen)| (Axis::FaceOfB(face), seen));
    let mut axes: Vec<_> = of_a.chain(of_b).collect();
    for number in 0..pair.edges_of_b() {
        let arc_b = Arc::of_b(pair, number);
        let shown = (0..pair.a.topology.edges().len()).filter_map(|edge| shown_by_edges(pair, [edge, number], &arc_b));
        axes.extend(shown.filter(|found| is_shown(pair, found)).map(|found| {
            let [of_a, of_b] = found.edges.unwrap_or_default();
            (Axis::Edges(of_a, of_b), found)
        }));
    }
    axes
}

/// Which normal or which edges an axis is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The face of this number of A.
    FaceOfA(usize),
    /// The face of this number of B.
    FaceOfB(usize),
    /// The product of an edge of A and an edge of B.
    Edges(usize, usize),
}

impl Axis {
    /// The same with the two shapes exchanged.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::FaceOfA(face) => Self::FaceOfB(face),
            Self::FaceOfB(face) => Self::FaceOfA(face),
            Self::Edges(of_a, of_b) => Self::Edges(of_b, of_a),
        }
    }
}

fn shown_by_face_of_a<S: Scalar>(pair: &CorePair<'_, S>, plane: &Plane<S>) -> Separation<S> {
    let nearest = pair.corner_of_b(pair.farthest_of_b(-plane.normal));
    Separation { normal: plane.normal, gap: plane.normal.dot(nearest) - plane.offset, edges: None }
}

fn shown_by_face_of_b<S: Scalar>(pair: &CorePair<'_, S>, plane: &Plane<S>) -> Separation<S> {
    let outwards = pair.relative * plane.normal;
    let nearest = pair.a.corner(pair.a.farthest(-outwards));
    Separation { normal: -outwards, gap: outwards.dot(nearest - pair.offset) - plane.offset, edges: None }
}

fn best_face_of_a<S: Scalar>(pair: &CorePair<'_, S>, common: Option<&Common<S>>) -> Separation<S> {
    let none = Separation { normal: Vec3::Y, gap: -S::MAX, edges: None };
    let most = common.map(|common| (common.face_of_a(), |plane: &Plane<S>| common.most_of_a(plane)));
    best_face(pair.a.planes, most, -S::MAX, |plane| shown_by_face_of_a(pair, plane)).unwrap_or(none)
}

/// The best face of B, or none if none shows more than `needed`.
fn best_face_of_b<S: Scalar>(pair: &CorePair<'_, S>, common: Option<&Common<S>>, needed: S) -> Option<Separation<S>> {
    let Core::Polytope(b) = pair.b else { return None };
    let most = common.map(|common| (common.face_of_b(), |plane: &Plane<S>| common.most_of_b(plane)));
    best_face(b.planes, most, needed, |plane| shown_by_face_of_b(pair, plane))
}

/// The face that shows the largest gap, the first of several. Given the face that can show most and how much one can, those are passed over
/// that can show less than `needed`, or less than that face does.
fn best_face<S: Scalar>(
    planes: &[Plane<S>],
    most: Option<(usize, impl Fn(&Plane<S>) -> S)>,
    needed: S,
    shown: impl Fn(&Plane<S>) -> Separation<S>,
) -> Option<Separation<S>> {
    let larger = |best: Separation<S>, next: Separation<S>| if next.gap > best.gap { next } else { best };
    let Some((nearest, most)) = most else { return planes.iter().map(shown).reduce(larger) };
    let nearest = &planes[nearest];
    if most(nearest) < needed {
        return None;
    }
    let mut needed = needed.max(shown(nearest).gap);
    let mut best = None;
    for plane in planes {
        if most(plane) >= needed {
            let next = shown(plane);
            best = Some(best.map_or(next, |best| larger(best, next)));
            needed = needed.max(next.gap);
        }
    }
    best
}

/// How far corners stand out of faces that are nearly flat, or what is taken for overlap may be a gap.
fn flatness<S: Scalar>(pair: &CorePair<'_, S>) -> S {
    pair.tiny().scale_by_power_of_two(2) + pair.smallest().scale_by_power_of_two(-9)
}
