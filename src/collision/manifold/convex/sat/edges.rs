//! Products of edges: which of them count as axes, which of those can show the least overlap, and what they show.

use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
use crate::collision::manifold::convex::sat::common::Common;
use crate::collision::manifold::convex::sat::edge_set::EdgeSet;
use crate::collision::manifold::convex::sat::{Separation, flatness};
use crate::math::{Scalar, Vec3};

/// How many edges of A are taken at a time.
const AT_A_TIME: usize = 64;

/// An edge of B in the axes of A, with the normals of its faces, which the arc between them joins on the sphere of normals.
pub(super) struct Arc<S> {
    direction: Vec3<S>,
    normals: [Vec3<S>; 2],
    sides: Sides,
}

/// On which side of nine planes through the middle of the sphere of normals an arc lies as a whole, and not within a thousandth of the plane:
/// a bit each before it, sixteen bits on one behind it. Of a line and of a flat shape's edges it is on no side of any.
#[derive(Clone, Copy, Default)]
struct Sides(u32);

impl Sides {
    fn of_arc<S: Scalar>([one, other]: [Vec3<S>; 2]) -> Self {
        Self(Self::of_point(one) & Self::of_point(other))
    }

    #[inline]
    fn of_point<S: Scalar>(Vec3 { x, y, z }: Vec3<S>) -> u32 {
        let near = S::ONE.scale_by_power_of_two(-10);
        let along = [x, y, z, x + y, x - y, y + z, y - z, z + x, z - x];
        let bit = |along: S| u32::from(along > near) | u32::from(along < -near) << 16;
        along.into_iter().enumerate().fold(0, |sides, (place, along)| sides | bit(along) << place)
    }

    /// Whether a plane parts the one arc from the other, whose normals are taken the other way round.
    const fn are_parted_from_opposite(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl<S: Scalar> Arc<S> {
    pub(super) fn of_b(pair: &CorePair<'_, S>, edge: usize) -> Self {
        let normals = match pair.b {
            Core::Polytope(b) => b.edge(edge).faces.map(|face| pair.relative * b.planes[usize::from(face)].normal),
            Core::Point | Core::Segment { .. } => [Vec3::ZERO; 2],
        };
        Self { direction: pair.direction_of_b(edge), normals, sides: Sides::of_arc(normals) }
    }

    /// Whether the arc of an edge of A crosses it, the normals of B taken the other way round.
    #[inline]
    fn crosses(&self, a: &Polytope<'_, S>, edge: usize) -> bool {
        // Each arc has its ends on either side of the other's great circle, and both lie on one half of the sphere.
        let is_across = |one: S, two: S| (one > S::ZERO) != (two > S::ZERO) && one != S::ZERO && two != S::ZERO;
        let [one, two] = self.seen_along(a, edge);
        if !is_across(one, two) {
            return false;
        }
        let [three, four] = self.normals.map(|normal| a.directions[edge].dot(normal));
        is_across(three, four) && (one > S::ZERO) == (three > S::ZERO)
    }

    /// Whether the arc of an edge of A crosses the great circle of the line, which has no faces.
    fn is_crossed_as_circle(&self, a: &Polytope<'_, S>, edge: usize) -> bool {
        let [one, two] = self.seen_along(a, edge);
        (one > S::ZERO) != (two > S::ZERO)
    }

    /// The normals beside an edge of A along the line.
    #[inline]
    fn seen_along(&self, a: &Polytope<'_, S>, edge: usize) -> [S; 2] {
        a.edge(edge).faces.map(|face| self.direction.dot(a.planes[usize::from(face)].normal))
    }
}

/// Where the edges are that can show the least overlap, along a direction.
///
/// Where cores overlap, the product that shows the least overlap is that of edges with a point each that lie no farther apart than
/// that. So neither edge is farther than that from where the cores overlap along the normal of a face, which leaves few of many.
pub(super) struct Slab<S> {
    /// In the axes of A.
    normal: Vec3<S>,
    /// In those of B.
    normal_of_b: Vec3<S>,
    /// How far an edge of A reaches along the normal at least.
    lowest_of_a: S,
    /// Where an edge of B begins along the normal at most, from the origin of B.
    highest_of_b: S,
}

impl<S: Scalar> Slab<S> {
    /// That of the cores along the normal of a face. Corners stand out of faces that are nearly flat, and what is taken for overlap may be a
    /// tiny gap between faces, which is some times that between corners.
    pub(super) fn of(pair: &CorePair<'_, S>, face: &Separation<S>) -> Self {
        let normal = face.normal;
        let most = (-face.gap).max(S::ZERO) + flatness(pair);
        let highest_of_a = normal.dot(pair.a.corner(pair.a.farthest(normal)));
        let lowest_of_b = normal.dot(pair.corner_of_b(pair.farthest_of_b(-normal)));
        Self {
            normal,
            normal_of_b: pair.relative.transpose_mul(normal),
            lowest_of_a: lowest_of_b - most,
            highest_of_b: highest_of_a + most - normal.dot(pair.offset),
        }
    }

    fn has_edge_of_a(&self, a: &Polytope<'_, S>, edge: usize) -> bool {
        let along = |corner: u16| self.normal.dot(a.corner(corner));
        a.edge(edge).corners.into_iter().any(|corner| along(corner) >= self.lowest_of_a)
    }

    fn has_edge_of_b(&self, b: &Polytope<'_, S>, edge: usize) -> bool {
        let along = |corner: u16| self.normal_of_b.dot(b.corner(corner));
        b.edge(edge).corners.into_iter().any(|corner| along(corner) <= self.highest_of_b)
    }
}

/// Where two polyhedra overlap, as far as that tells which edges count.
pub(super) struct Near<'a, S> {
    pub(super) slab: Slab<S>,
    pub(super) common: Common<S>,
    pub(super) b: Polytope<'a, S>,
}

impl<S: Scalar> Near<'_, S> {
    /// How far A reaches beyond the common point along what an edge of it shows; `None` of an edge that is elsewhere.
    fn reach_of_a(&self, pair: &CorePair<'_, S>, edge: usize) -> Option<S> {
        self.slab.has_edge_of_a(&pair.a, edge).then(|| self.common.reach_of_edge_of_a(pair, edge))
    }

    /// How far A may reach for an edge of B to show a gap of `needed` with one of A; `None` where that is less than `least`.
    fn most_of_a_beside(&self, edge: usize, needed: S, least: S) -> Option<S> {
        let most = self.common.most_reach(needed, self.common.reach_of_edge_of_b(&self.b, edge));
        (least <= most && self.slab.has_edge_of_b(&self.b, edge)).then_some(most)
    }
}

/// An edge of A.
#[derive(Clone, Copy)]
struct EdgeOfA<S> {
    number: u16,
    /// How far A reaches along what it shows.
    reach: S,
    /// Where its arc lies.
    sides: Sides,
}

/// Some edges of A.
struct SomeEdges<S> {
    edges: [EdgeOfA<S>; AT_A_TIME],
    count: usize,
    /// The least reach.
    least: S,
}

impl<S: Scalar> SomeEdges<S> {
    /// The next ones.
    fn next(edges: &mut impl Iterator<Item = EdgeOfA<S>>) -> Self {
        let none = EdgeOfA { number: 0, reach: S::ZERO, sides: Sides::default() };
        let mut some = Self { edges: [none; AT_A_TIME], count: 0, least: S::MAX };
        for (slot, edge) in some.edges.iter_mut().zip(edges) {
            *slot = edge;
            some.count += 1;
            some.least = some.least.min(edge.reach);
        }
        some
    }
}

/// The product of edges with the largest gap, among those above `needed` and near what the polyhedra have in common, if there is one; of
/// several that of the first edge of B, and with this the first of A.
pub(super) fn best_edges<S: Scalar>(
    pair: &CorePair<'_, S>,
    needed: S,
    near: Option<&Near<'_, S>>,
) -> Option<Separation<S>> {
    let all = [pair.a.topology.edges().len(), pair.edges_of_b()];
    let [of_a, of_b] = near.map_or_else(
        || all.map(EdgeSet::first),
        |near| [near.common.edges_of_a(pair, needed), near.common.edges_of_b(&near.b, needed)],
    );
    let mut of_a = of_a.iter().filter_map(|number| {
        let reach = near.map_or(Some(S::ZERO), |near| near.reach_of_a(pair, usize::from(number)))?;
        let normals = pair.a.edge(usize::from(number)).faces.map(|face| pair.a.planes[usize::from(face)].normal);
        Some(EdgeOfA { number, reach, sides: Sides::of_arc(normals) })
    });
    let mut best = None;
    loop {
        let some = SomeEdges::next(&mut of_a);
        if some.count == 0 {
            return best;
        }
        best = better_edges(pair, (needed, best), near, (&some, &of_b));
    }
}

/// The same among some edges of A and these of B, or what was the best of others.
fn better_edges<S: Scalar>(
    pair: &CorePair<'_, S>,
    (needed, mut best): (S, Option<Separation<S>>),
    near: Option<&Near<'_, S>>,
    (of_a, of_b): (&SomeEdges<S>, &EdgeSet),
) -> Option<Separation<S>> {
    for number in of_b.iter().map(usize::from) {
        let needed = best.map_or(needed, |best| best.gap);
        let most = near.map_or(Some(S::MAX), |near| near.most_of_a_beside(number, needed, of_a.least));
        let Some(most) = most else { continue };
        let arc_b = Arc::of_b(pair, number);
        let may_cross = |edge: &&EdgeOfA<S>| edge.reach <= most && !edge.sides.are_parted_from_opposite(arc_b.sides);
        for edge in of_a.edges[..of_a.count].iter().filter(may_cross) {
            let Some(found) = shown_by_edges(pair, [usize::from(edge.number), number], &arc_b) else { continue };
            if is_better(&found, needed, best.as_ref()) && is_shown(pair, &found) {
                best = Some(found);
            }
        }
    }
    best
}

/// Whether two edges show more than is needed and than the best so far, or as much and come before that.
fn is_better<S: Scalar>(found: &Separation<S>, needed: S, best: Option<&Separation<S>>) -> bool {
    let order = |shown: &Separation<S>| shown.edges.map(|[of_a, of_b]| [of_b, of_a]);
    best.map_or(found.gap > needed, |best| {
        found.gap > best.gap || (found.gap == best.gap && order(found) < order(best))
    })
}

/// What the product of an edge of A and one of B shows, if their arcs cross.
#[inline]
pub(super) fn shown_by_edges<S: Scalar>(
    pair: &CorePair<'_, S>,
    [edge, of_b]: [usize; 2],
    arc_b: &Arc<S>,
) -> Option<Separation<S>> {
    let is_axis = match pair.b {
        Core::Polytope(_) => arc_b.crosses(&pair.a, edge),
        Core::Segment { .. } | Core::Point => arc_b.is_crossed_as_circle(&pair.a, edge),
    };
    let (normal, gap) = is_axis.then(|| product(pair, [edge, of_b], arc_b.direction)).flatten()?;
    Some(Separation { normal, gap, edges: Some([edge, of_b]) })
}

/// Whether the corners bear out what two edges show. Where short edges are nearly parallel, the faces beside them are known too coarsely to
/// tell whether their arcs cross, and the product may be any direction: along it the shapes overlap by more.
pub(super) fn is_shown<S: Scalar>(pair: &CorePair<'_, S>, found: &Separation<S>) -> bool {
    pair.gap_along(found.normal) >= found.gap - flatness(pair)
}

/// The product of an edge of A and one of B, out of A, and the gap along it; `None` of edges within 0.06 degrees of parallel, where faces do
/// as well.
fn product<S: Scalar>(
    pair: &CorePair<'_, S>,
    [of_a, of_b]: [usize; 2],
    direction_of_b: Vec3<S>,
) -> Option<(Vec3<S>, S)> {
    let a = &pair.a;
    let (normal, sine) = a.directions[of_a].cross(direction_of_b).normalise()?;
    if sine < S::ONE.scale_by_power_of_two(-10) {
        return None;
    }
    let normal = if normal.dot(a.outwards(of_a)) < S::ZERO { -normal } else { normal };
    let start = a.corner(a.edge(of_a).corners[0]);
    Some((normal, normal.dot(pair.start_of_edge_of_b(of_b) - start)))
}
