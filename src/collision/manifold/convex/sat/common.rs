//! A point that two polyhedra both hold, and how little an axis can show because they do: what can be passed over without a look.

use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope, first_of_largest};
use crate::collision::manifold::convex::sat::edge_set::EdgeSet;
use crate::collision::manifold::convex::sat::{Separation, flatness};
use crate::geometry::hull::Plane;
use crate::math::{Scalar, Vec3};

/// A point that both polyhedra hold. Each reaches at least as far along an axis as the point, and as the ball about it that the polyhedron
/// holds.
pub(in crate::collision::manifold::convex) struct Common<S> {
    of_a: Place<S>,
    of_b: Place<S>,
    /// The most that a polyhedron can reach less far than said.
    slack: S,
}

/// A point and a polyhedron.
struct Place<S> {
    /// In the axes of the polyhedron.
    point: Vec3<S>,
    /// How far it is below the nearest face.
    depth: S,
    /// That face, the first of several.
    face: usize,
}

impl<S: Scalar> Place<S> {
    fn of(polytope: &Polytope<'_, S>, point: Vec3<S>) -> Self {
        let (face, height) = first_of_largest(polytope.planes, |plane| plane.normal.dot(point) - plane.offset);
        Self { point, depth: -height, face }
    }

    /// How far the polyhedron reaches beyond the point along the normal of a face.
    #[inline]
    fn below(&self, plane: &Plane<S>) -> S {
        plane.offset - plane.normal.dot(self.point)
    }

    /// The edges beside the faces that the point is no farther below than this.
    fn edges_near(&self, polytope: &Polytope<'_, S>, most: S) -> EdgeSet {
        let mut edges = EdgeSet::default();
        for (face, plane) in polytope.planes.iter().enumerate() {
            if self.below(plane) <= most {
                edges.insert(polytope.topology.sides(face));
            }
        }
        edges
    }

    /// How far it reaches beyond the point at least along any normal that an edge has a share in: that lies between those of its faces.
    #[inline]
    fn below_edge(&self, polytope: &Polytope<'_, S>, edge: usize) -> S {
        let [one, other] = polytope.edge(edge).faces.map(|face| self.below(&polytope.planes[usize::from(face)]));
        one.min(other)
    }
}

impl<S: Scalar> Common<S> {
    /// A point of A, if B holds it too.
    pub(in crate::collision::manifold::convex) fn of(pair: &CorePair<'_, S>, point: Vec3<S>) -> Option<Self> {
        Self::as_deep(pair, point, -pair.tiny())
    }

    /// A point that both hold by more than rounding.
    pub(in crate::collision::manifold::convex) fn well_within(pair: &CorePair<'_, S>, point: Vec3<S>) -> Option<Self> {
        Self::as_deep(pair, point, pair.rounding())
    }

    /// A point that is so deep in both at least.
    fn as_deep(pair: &CorePair<'_, S>, point: Vec3<S>, depth: S) -> Option<Self> {
        let Core::Polytope(b) = pair.b else { return None };
        let of_a = Place::of(&pair.a, point);
        if of_a.depth < depth {
            return None;
        }
        let of_b = Place::of(&b, pair.relative.transpose_mul(point - pair.offset));
        (of_b.depth >= depth).then(|| Self { of_a, of_b, slack: flatness(pair) })
    }

    /// The point half way from the corner that is deepest below a face of the other one up to that face, if both hold that and it tells more:
    /// where they overlap by much, the point that was found first may be far off the middle. Where they overlap by little, none tells more
    /// than the slack hides.
    pub(super) fn or_deeper(self, pair: &CorePair<'_, S>, face: &Separation<S>, is_of_a: bool) -> Self {
        if pair.a.is_flat() || -face.gap <= self.slack {
            return self;
        }
        let way = face.normal * (face.gap * S::HALF);
        let middle = if is_of_a {
            pair.corner_of_b(pair.farthest_of_b(-face.normal)) - way
        } else {
            pair.a.corner(pair.a.farthest(face.normal)) + way
        };
        let middle = Self::of(pair, middle);
        middle.filter(|middle| middle.least_reach() > self.least_reach()).unwrap_or(self)
    }

    /// How far the two reach at least beyond the point along any axis, together.
    fn least_reach(&self) -> S {
        self.of_a.depth.max(S::ZERO) + self.of_b.depth.max(S::ZERO)
    }

    /// The face of A that can show most.
    pub(super) const fn face_of_a(&self) -> usize {
        self.of_a.face
    }

    /// The face of B that can show most.
    pub(super) const fn face_of_b(&self) -> usize {
        self.of_b.face
    }

    /// The most that the normal of a face of A can show as a gap.
    #[inline]
    pub(super) fn most_of_a(&self, plane: &Plane<S>) -> S {
        self.slack - self.of_b.depth.max(S::ZERO) - self.of_a.below(plane)
    }

    /// The same of a face of B.
    #[inline]
    pub(super) fn most_of_b(&self, plane: &Plane<S>) -> S {
        self.slack - self.of_a.depth.max(S::ZERO) - self.of_b.below(plane)
    }

    /// The edges of A that can show a gap of `needed`.
    pub(super) fn edges_of_a(&self, pair: &CorePair<'_, S>, needed: S) -> EdgeSet {
        self.of_a.edges_near(&pair.a, self.most_reach(needed, self.of_b.depth.max(S::ZERO)))
    }

    /// The same of B.
    pub(super) fn edges_of_b(&self, b: &Polytope<'_, S>, needed: S) -> EdgeSet {
        self.of_b.edges_near(b, self.most_reach(needed, self.of_a.depth.max(S::ZERO)))
    }

    /// How far A reaches beyond the point at least along any axis that one of its edges has a share in.
    #[inline]
    pub(super) fn reach_of_edge_of_a(&self, pair: &CorePair<'_, S>, edge: usize) -> S {
        self.of_a.below_edge(&pair.a, edge)
    }

    /// The same of an edge of B.
    #[inline]
    pub(super) fn reach_of_edge_of_b(&self, b: &Polytope<'_, S>, edge: usize) -> S {
        self.of_b.below_edge(b, edge)
    }

    /// How far one of them may reach beyond the point for an axis to show a gap of `needed`, where the other one reaches by `other` at least.
    #[inline]
    pub(super) fn most_reach(&self, needed: S, other: S) -> S {
        self.slack - needed - other
    }
}
