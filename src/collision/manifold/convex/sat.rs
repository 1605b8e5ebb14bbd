//! The axis of least overlap of a polyhedron and another core: the normals of faces, and products of edges.
//!
//! D. Gregorius, "The Separating Axis Test between Convex Polyhedra", Game Developers Conference, 2013: two edges make a face of the
//! difference of the shapes, and so an axis that counts, only where their arcs on the sphere of normals cross.

use crate::collision::manifold::convex::polytope::{Core, CorePair, Line};
use crate::math::{Scalar, Vec3};

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
/// feign, so that equally good axes do not take turns.
pub(super) fn least_overlap<S: Scalar>(pair: &CorePair<'_, S>) -> LeastOverlap<S> {
    let rounding = pair.rounding();
    let preference = |gap: S| (-gap).max(S::ZERO).scale_by_power_of_two(-10) + rounding;
    let face = best_face_of_a(pair);
    let face = best_face_of_b(pair).filter(|other| other.gap > face.gap + preference(face.gap)).unwrap_or(face);
    let edges = best_edges(pair, face.gap - preference(face.gap));
    match edges {
        Some(edges) if edges.gap > face.gap + preference(face.gap) => LeastOverlap { best: edges, edges: Some(edges) },
        edges => LeastOverlap { best: face, edges },
    }
}

fn best_face_of_a<S: Scalar>(pair: &CorePair<'_, S>) -> Separation<S> {
    let seen = pair.a.planes.iter().map(|plane| {
        let nearest = pair.corner_of_b(pair.farthest_of_b(-plane.normal));
        Separation { normal: plane.normal, gap: plane.normal.dot(nearest) - plane.offset, edges: None }
    });
    let none = Separation { normal: Vec3::Y, gap: -S::MAX, edges: None };
    seen.fold(none, |best, next| if next.gap > best.gap { next } else { best })
}

fn best_face_of_b<S: Scalar>(pair: &CorePair<'_, S>) -> Option<Separation<S>> {
    let Core::Polytope(b) = pair.b else { return None };
    let seen = b.planes.iter().map(|plane| {
        let outwards = pair.relative * plane.normal;
        let nearest = pair.a.corner(pair.a.farthest(-outwards));
        Separation { normal: -outwards, gap: outwards.dot(nearest - pair.offset) - plane.offset, edges: None }
    });
    seen.reduce(|best, next| if next.gap > best.gap { next } else { best })
}

/// An edge with the normals of its faces, which the arc between them joins on the sphere of normals.
struct Arc<S> {
    line: Line<S>,
    normals: [Vec3<S>; 2],
}

impl<S: Scalar> Arc<S> {
    /// Whether the arcs of an edge of A and an edge of B cross; the normals of B are taken the other way round.
    fn crosses(&self, other: &Self) -> bool {
        let [a, b] = self.normals.map(|normal| other.line.direction.dot(normal));
        let [c, d] = other.normals.map(|normal| self.line.direction.dot(normal));
        // Each arc has its ends on either side of the other's great circle, and both lie on one half of the sphere.
        let is_across = |one: S, two: S| (one > S::ZERO) != (two > S::ZERO) && one != S::ZERO && two != S::ZERO;
        is_across(a, b) && is_across(c, d) && (a > S::ZERO) == (c > S::ZERO)
    }

    /// Whether the arc of an edge of A crosses the great circle of a line, which has no faces.
    fn crosses_circle(&self, direction: Vec3<S>) -> bool {
        let [a, b] = self.normals.map(|normal| direction.dot(normal));
        (a > S::ZERO) != (b > S::ZERO)
    }
}

/// The product of edges with the largest gap, among those above `needed`.
fn best_edges<S: Scalar>(pair: &CorePair<'_, S>, needed: S) -> Option<Separation<S>> {
    let count = match pair.b {
        Core::Point => 0,
        Core::Segment { .. } => 1,
        Core::Polytope(b) => b.topology.edges().len(),
    };
    let mut best: Option<Separation<S>> = None;
    for number in 0..count {
        let arc_b = arc_of_b(pair, number);
        for edge in 0..pair.a.topology.edges().len() {
            let faces = pair.a.edge(edge).faces;
            let normals = faces.map(|face| pair.a.planes[usize::from(face)].normal);
            let arc_a = Arc { line: pair.a.line(edge), normals };
            let is_axis = match pair.b {
                Core::Polytope(_) => arc_a.crosses(&arc_b),
                Core::Segment { .. } | Core::Point => arc_a.crosses_circle(arc_b.line.direction),
            };
            let Some(found) = is_axis.then(|| product(&arc_a, &arc_b.line)).flatten() else { continue };
            if found.gap > best.map_or(needed, |best| best.gap) {
                best = Some(Separation { edges: Some([edge, number]), ..found });
            }
        }
    }
    best
}

fn arc_of_b<S: Scalar>(pair: &CorePair<'_, S>, edge: usize) -> Arc<S> {
    let line = pair.line_of_b(edge);
    let normals = match pair.b {
        Core::Polytope(b) => b.edge(edge).faces.map(|face| pair.relative * b.planes[usize::from(face)].normal),
        Core::Point | Core::Segment { .. } => [Vec3::ZERO; 2],
    };
    Arc { line, normals }
}

/// The gap along the product of two edges, out of A; `None` of edges within 0.06 degrees of parallel, where faces do as well.
fn product<S: Scalar>(arc: &Arc<S>, line: &Line<S>) -> Option<Separation<S>> {
    let (normal, sine) = arc.line.direction.cross(line.direction).normalise()?;
    if sine < S::ONE.scale_by_power_of_two(-10) {
        return None;
    }
    let outwards = arc.normals[0] + arc.normals[1];
    let normal = if normal.dot(outwards) < S::ZERO { -normal } else { normal };
    Some(Separation { normal, gap: normal.dot(line.start - arc.line.start), edges: None })
}
