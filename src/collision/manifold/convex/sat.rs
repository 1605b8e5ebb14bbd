//! The axis of least overlap of a polyhedron and another core: the normals of faces, and products of edges.
//!
//! D. Gregorius, "The Separating Axis Test between Convex Polyhedra", Game Developers Conference, 2013: two edges make a face of the
//! difference of the shapes, and so an axis that counts, only where their arcs on the sphere of normals cross.

use crate::collision::manifold::convex::polytope::{Core, CorePair, Line};
use crate::geometry::hull::{MAX_CORNERS, Plane};
use crate::math::{Scalar, Vec3};

/// The most edges of a polyhedron of [`MAX_CORNERS`] corners, all of whose faces are triangles.
const MOST_EDGES: usize = 3 * MAX_CORNERS - 6;

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
/// feign, so that equally good axes do not take turns. `common` is a point of A that B may hold too; without one all axes are looked at.
pub(super) fn least_overlap<S: Scalar>(pair: &CorePair<'_, S>, common: Option<Vec3<S>>) -> LeastOverlap<S> {
    let rounding = pair.rounding();
    least_overlap_preferring(pair, common, |gap| (-gap).max(S::ZERO).scale_by_power_of_two(-10) + rounding)
}

/// The axis of largest gap, whatever it is of; `common` as for [`least_overlap`].
pub(super) fn best_axis<S: Scalar>(pair: &CorePair<'_, S>, common: Option<Vec3<S>>) -> Separation<S> {
    least_overlap_preferring(pair, common, |_| S::ZERO).best
}

/// The axis of largest gap, where a later one must be better than an earlier one of this gap by so much.
#[inline(always)]
fn least_overlap_preferring<S: Scalar>(
    pair: &CorePair<'_, S>,
    common: Option<Vec3<S>>,
    preference: impl Fn(S) -> S,
) -> LeastOverlap<S> {
    let common = common.and_then(|point| Common::of(pair, point));
    let face = best_face_of_a(pair, common.as_ref());
    let common = common.map(|common| common.or_deeper(pair, &face));
    let needed = face.gap + preference(face.gap);
    let face = best_face_of_b(pair, common.as_ref(), needed).filter(|other| other.gap > needed).unwrap_or(face);
    let near = common.map(|common| (Slab::of(pair, &face), common));
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
        let arc_b = arc_of_b(pair, number);
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

/// A point that both cores hold. It shows without a search how little an axis can show: each core reaches at least as far as the point,
/// and as the ball about it that the core holds.
struct Common<S> {
    /// In the axes of A.
    of_a: Vec3<S>,
    /// In those of B.
    of_b: Vec3<S>,
    /// The most that a core can reach less far than said, less the radius of the ball that A holds.
    beyond_a: S,
    /// The same of B.
    beyond_b: S,
}

impl<S: Scalar> Common<S> {
    /// A point of A, if B holds it too.
    fn of(pair: &CorePair<'_, S>, point: Vec3<S>) -> Option<Self> {
        let Core::Polytope(b) = pair.b else { return None };
        let of_b = pair.relative.transpose_mul(point - pair.offset);
        let depth = |planes: &[Plane<S>], place: Vec3<S>| {
            planes.iter().map(|plane| plane.offset - plane.normal.dot(place)).fold(S::MAX, S::min)
        };
        let (depth_a, depth_b, slack) = (depth(pair.a.planes, point), depth(b.planes, of_b), flatness(pair));
        let beyond = |depth: S| slack - depth.max(S::ZERO);
        (depth_a.min(depth_b) >= -pair.tiny()).then(|| Self {
            of_a: point,
            of_b,
            beyond_a: beyond(depth_a),
            beyond_b: beyond(depth_b),
        })
    }

    /// The point half way from the corner of B that is deepest below a face of A up to that face, if both hold that and it tells more: where
    /// they overlap by much, the point that was found first may be far off the middle.
    fn or_deeper(self, pair: &CorePair<'_, S>, face: &Separation<S>) -> Self {
        if pair.a.is_flat() {
            return self;
        }
        let deepest = pair.corner_of_b(pair.farthest_of_b(-face.normal));
        let middle = Self::of(pair, deepest - face.normal * (face.gap * S::HALF));
        middle.filter(|middle| middle.beyond_a + middle.beyond_b < self.beyond_a + self.beyond_b).unwrap_or(self)
    }

    /// The most that the normal of a face of A can show as a gap.
    #[inline]
    fn most_of_a(&self, plane: &Plane<S>) -> S {
        plane.normal.dot(self.of_a) - plane.offset + self.beyond_b
    }

    /// The same of a face of B.
    #[inline]
    fn most_of_b(&self, plane: &Plane<S>) -> S {
        plane.normal.dot(self.of_b) - plane.offset + self.beyond_a
    }

    /// Whether an edge between these faces can show a gap of at least `needed` as one of A; the normal that it has a share in lies between
    /// theirs, and so does how far it reaches along that.
    fn has_edge_of_a(&self, pair: &CorePair<'_, S>, edge: usize, needed: S) -> bool {
        pair.a.edge(edge).faces.into_iter().any(|face| self.most_of_a(&pair.a.planes[usize::from(face)]) >= needed)
    }

    /// The same of an edge of B.
    fn has_edge_of_b(&self, pair: &CorePair<'_, S>, edge: usize, needed: S) -> bool {
        let Core::Polytope(b) = pair.b else { return true };
        b.edge(edge).faces.into_iter().any(|face| self.most_of_b(&b.planes[usize::from(face)]) >= needed)
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
    let most = common.map(|common| |plane: &Plane<S>| common.most_of_a(plane));
    best_face(pair.a.planes, most, -S::MAX, |plane| shown_by_face_of_a(pair, plane)).unwrap_or(none)
}

/// The best face of B, or none if none shows more than `needed`.
fn best_face_of_b<S: Scalar>(pair: &CorePair<'_, S>, common: Option<&Common<S>>, needed: S) -> Option<Separation<S>> {
    let Core::Polytope(b) = pair.b else { return None };
    let most = common.map(|common| |plane: &Plane<S>| common.most_of_b(plane));
    best_face(b.planes, most, needed, |plane| shown_by_face_of_b(pair, plane))
}

/// The face that shows the largest gap, the first of several. Those are passed over that can show less than `needed` at `most`, or less
/// than the face that can show most does.
fn best_face<S: Scalar>(
    planes: &[Plane<S>],
    most: Option<impl Fn(&Plane<S>) -> S>,
    needed: S,
    shown: impl Fn(&Plane<S>) -> Separation<S>,
) -> Option<Separation<S>> {
    let larger = |best: Separation<S>, next: Separation<S>| if next.gap > best.gap { next } else { best };
    let Some(most) = most else { return planes.iter().map(shown).reduce(larger) };
    let (nearest, at_most) = planes
        .iter()
        .map(|plane| (plane, most(plane)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    if at_most < needed {
        return None;
    }
    let needed = needed.max(shown(nearest).gap);
    planes.iter().filter(|plane| most(plane) >= needed).map(shown).reduce(larger)
}

/// An edge with the normals of its faces, which the arc between them joins on the sphere of normals.
struct Arc<S> {
    line: Line<S>,
    normals: [Vec3<S>; 2],
    /// Between the two.
    outwards: Vec3<S>,
}

impl<S: Scalar> Arc<S> {
    /// Whether the arcs of an edge of A and an edge of B cross; the normals of B are taken the other way round.
    fn crosses(&self, other: &Self) -> bool {
        // Each arc has its ends on either side of the other's great circle, and both lie on one half of the sphere.
        let is_across = |one: S, two: S| (one > S::ZERO) != (two > S::ZERO) && one != S::ZERO && two != S::ZERO;
        let [a, b] = self.normals.map(|normal| other.line.direction.dot(normal));
        if !is_across(a, b) {
            return false;
        }
        let [c, d] = other.normals.map(|normal| self.line.direction.dot(normal));
        is_across(c, d) && (a > S::ZERO) == (c > S::ZERO)
    }

    /// Whether the arc of an edge of A crosses the great circle of a line, which has no faces.
    fn crosses_circle(&self, direction: Vec3<S>) -> bool {
        let [a, b] = self.normals.map(|normal| direction.dot(normal));
        (a > S::ZERO) != (b > S::ZERO)
    }
}

/// Where the edges are that can show the least overlap, along a direction.
///
/// Where cores overlap, the product that shows the least overlap is that of edges with a point each that lie no farther apart than
/// that. So neither edge is farther than that from where the cores overlap along the normal of a face, which leaves few of many.
struct Slab<S> {
    normal: Vec3<S>,
    /// How far an edge of A reaches along the normal at least.
    lowest_of_a: S,
    /// Where an edge of B begins along the normal at most.
    highest_of_b: S,
}

impl<S: Scalar> Slab<S> {
    /// That of the cores along the normal of a face. Corners stand out of faces that are nearly flat, and what is taken for overlap may be a
    /// tiny gap between faces, which is some times that between corners.
    fn of(pair: &CorePair<'_, S>, face: &Separation<S>) -> Self {
        let normal = face.normal;
        let most = (-face.gap).max(S::ZERO) + flatness(pair);
        let highest_of_a = normal.dot(pair.a.corner(pair.a.farthest(normal)));
        let lowest_of_b = normal.dot(pair.corner_of_b(pair.farthest_of_b(-normal)));
        Self { normal, lowest_of_a: lowest_of_b - most, highest_of_b: highest_of_a + most }
    }

    fn has_edge_of_a(&self, pair: &CorePair<'_, S>, edge: usize) -> bool {
        let along = |corner: u16| self.normal.dot(pair.a.corner(corner));
        pair.a.edge(edge).corners.into_iter().any(|corner| along(corner) >= self.lowest_of_a)
    }

    fn has_edge_of_b(&self, pair: &CorePair<'_, S>, edge: usize) -> bool {
        let along = |corner: u16| self.normal.dot(pair.corner_of_b(corner));
        pair.ends_of_b(edge).into_iter().any(|corner| along(corner) <= self.highest_of_b)
    }
}

/// The product of edges with the largest gap, among those above `needed` and near what the cores have in common, if there is one.
fn best_edges<S: Scalar>(
    pair: &CorePair<'_, S>,
    needed: S,
    near: Option<&(Slab<S>, Common<S>)>,
) -> Option<Separation<S>> {
    let mut near_of_a = [0_u16; MOST_EDGES];
    let mut count = 0;
    for (number, edge) in (0_u16..).zip(0..pair.a.topology.edges().len()) {
        if near.is_none_or(|(slab, common)| common.has_edge_of_a(pair, edge, needed) && slab.has_edge_of_a(pair, edge))
        {
            near_of_a[count] = number;
            count += 1;
        }
    }
    let mut best: Option<Separation<S>> = None;
    for number in 0..pair.edges_of_b() {
        let needed = best.map_or(needed, |best| best.gap);
        if near.is_some_and(|(slab, common)| {
            !common.has_edge_of_b(pair, number, needed) || !slab.has_edge_of_b(pair, number)
        }) {
            continue;
        }
        let arc_b = arc_of_b(pair, number);
        for edge in near_of_a[..count].iter().map(|&edge| usize::from(edge)) {
            let Some(found) = shown_by_edges(pair, [edge, number], &arc_b) else { continue };
            if found.gap > best.map_or(needed, |best| best.gap) && is_shown(pair, &found) {
                best = Some(found);
            }
        }
    }
    best
}

/// What the product of an edge of A and one of B shows, if their arcs cross.
#[inline]
fn shown_by_edges<S: Scalar>(pair: &CorePair<'_, S>, edges: [usize; 2], arc_b: &Arc<S>) -> Option<Separation<S>> {
    let [edge, _] = edges;
    let normals = pair.a.edge(edge).faces.map(|face| pair.a.planes[usize::from(face)].normal);
    let arc_a = Arc { line: pair.a.line(edge), normals, outwards: pair.a.outwards(edge) };
    let is_axis = match pair.b {
        Core::Polytope(_) => arc_a.crosses(arc_b),
        Core::Segment { .. } | Core::Point => arc_a.crosses_circle(arc_b.line.direction),
    };
    let found = is_axis.then(|| product(&arc_a, &arc_b.line)).flatten()?;
    Some(Separation { edges: Some(edges), ..found })
}

/// How far corners stand out of faces that are nearly flat, or what is taken for overlap may be a gap.
fn flatness<S: Scalar>(pair: &CorePair<'_, S>) -> S {
    pair.tiny().scale_by_power_of_two(2) + pair.smallest().scale_by_power_of_two(-9)
}

/// Whether the corners bear out what two edges show. Where short edges are nearly parallel, the faces beside them are known too coarsely to
/// tell whether their arcs cross, and the product may be any direction: along it the shapes overlap by more.
fn is_shown<S: Scalar>(pair: &CorePair<'_, S>, found: &Separation<S>) -> bool {
    pair.gap_along(found.normal) >= found.gap - flatness(pair)
}

fn arc_of_b<S: Scalar>(pair: &CorePair<'_, S>, edge: usize) -> Arc<S> {
    let line = pair.line_of_b(edge);
    let normals = match pair.b {
        Core::Polytope(b) => b.edge(edge).faces.map(|face| pair.relative * b.planes[usize::from(face)].normal),
        Core::Point | Core::Segment { .. } => [Vec3::ZERO; 2],
    };
    Arc { line, normals, outwards: normals[0] + normals[1] }
}

/// The gap along the product of two edges, out of A; `None` of edges within 0.06 degrees of parallel, where faces do as well.
fn product<S: Scalar>(arc: &Arc<S>, line: &Line<S>) -> Option<Separation<S>> {
    let (normal, sine) = arc.line.direction.cross(line.direction).normalise()?;
    if sine < S::ONE.scale_by_power_of_two(-10) {
        return None;
    }
    let normal = if normal.dot(arc.outwards) < S::ZERO { -normal } else { normal };
    Some(Separation { normal, gap: normal.dot(line.start - arc.line.start), edges: None })
}

#[cfg(test)]
mod tests {
    use super::{LeastOverlap, Separation, best_edges, best_face_of_a, best_face_of_b, least_overlap};
    use crate::collision::manifold::convex::gjk::nearest_points;
    use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
    use crate::collision::manifold::tests::{RandomShapes, hull, mesh_of, stone};
    use crate::geometry::Shape;
    use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

    /// What is passed over for the sake of a common point changes nothing, of stones, plates and needles.
    #[test]
    fn a_common_point_changes_no_answer() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(77);
            let mut overlaps = 0;
            for round in 0..6000 {
                let shapes = [0, 1].map(|_| squeezed::<S>(round, &mut random));
                let turns = [random.rotation::<S>(), random.rotation()];
                let offset = random.direction::<S>() * S::from_ratio(1 + i64::from(round % 8), 8);
                let [Shape::Hull(a), Shape::Hull(b)] = &shapes else { panic!("stones are hulls") };
                let b = Core::Polytope(Polytope::of_hull(b));
                let pair = CorePair::new((Polytope::of_hull(a), &turns[0]), (b, S::ZERO, &turns[1]), offset);
                let Err(common) = nearest_points(&pair, pair.tiny()) else { continue };
                overlaps += 1;
                assert_same(&pair, common, round);
            }
            assert!(overlaps > 1500, "{overlaps} overlap");
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// A facet has no sides, so what is level with it may be beside it.
    #[test]
    fn a_common_point_of_a_facet_lies_on_it() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(78);
            let box_of = |half: [f64; 3]| {
                hull::<S>(&[0, 1, 2, 3, 4, 5, 6, 7].map(|corner| {
                    [0, 1, 2].map(|axis| if corner & (1 << axis) == 0 { -half[axis] } else { half[axis] })
                }))
            };
            let (crates, mut overlaps) = ([box_of([0.5; 3]), box_of([0.25, 0.5, 0.125])], 0);
            for round in 0..4000 {
                let mesh = mesh_of::<S>(&[[-8, 0, -8], [-8, 0, 8], [8, 0, -8]], &[[0, 1, 2]]);
                let (Shape::Facet(facet), Shape::Hull(b)) = (mesh.piece(0), &crates[random.index(2)]) else {
                    panic!("a facet and a box")
                };
                let little = |random: &mut SplitMix64| S::ONE.scale_by_power_of_two(-6 - random.index(20) as i32);
                let eighths = |random: &mut SplitMix64| S::from_ratio((random.bits() % 25) as i64 - 12, 8);
                let [x, z] = [0, 1].map(|_| eighths(&mut random) + little(&mut random));
                let offset = Vec3::new(x, S::HALF - little(&mut random), z);
                let turn = if round % 2 == 0 { Mat3::IDENTITY } else { random.rotation() };
                let b = Core::Polytope(Polytope::of_hull(b));
                let a = Polytope::of_facet(facet);
                let mut pair = CorePair::new((a, &Mat3::IDENTITY), (b, S::ZERO, &turn), offset);
                if round % 2 == 1 {
                    pair.offset -= Vec3::Y * (pair.gap_along(Vec3::Y) + little(&mut random));
                }
                let Err(common) = nearest_points(&pair, pair.tiny()) else { continue };
                overlaps += 1;
                assert_same(&pair, common, round);
            }
            assert!(overlaps > 500, "{overlaps} overlap");
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    fn assert_same<S: Scalar>(pair: &CorePair<'_, S>, common: Vec3<S>, round: u32) {
        let (with, without) = (least_overlap(pair, Some(common)), least_overlap(pair, None));
        let axis = |found: &Separation<S>| (found.normal, found.gap, found.edges);
        let told = |found: &LeastOverlap<S>| (axis(&found.best), found.edges.as_ref().map(axis));
        assert_eq!(told(&with), told(&without), "{round}, {common:?} ({})", S::KIND);
    }

    /// A stone, or in two rounds of three one with a side of a sixteenth or two.
    fn squeezed<S: Scalar>(round: u32, random: &mut SplitMix64) -> Shape<S> {
        let points = (0..6 + random.index(30)).map(|_| {
            let [x, y, z] = random.direction::<f64>().to_array();
            let thin = 1.0 / 16.0;
            match round % 3 {
                0 => [x, y, z],
                1 => [x, y * thin, z],
                _ => [x, y * thin, z * thin],
            }
        });
        let points: Vec<_> = points.collect();
        hull(&points)
    }

    /// The best of the edges near the overlap is the best of all edges.
    #[test]
    fn no_edge_that_is_passed_over_shows_the_least_overlap() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(12);
            let (mut overlaps, mut by_edges) = (0, 0);
            for _ in 0..20_000 {
                let shapes = [stone::<S>(&mut random), stone(&mut random)];
                let [Shape::Hull(a), Shape::Hull(b)] = &shapes else { panic!("stones are hulls") };
                let turns = [random.rotation::<S>(), random.rotation()];
                let offset = random.direction::<S>();
                let b = Core::Polytope(Polytope::of_hull(b));
                let pair = CorePair::new((Polytope::of_hull(a), &turns[0]), (b, S::ZERO, &turns[1]), offset);
                let Err(common) = nearest_points(&pair, pair.tiny()) else { continue };
                let found = least_overlap(&pair, Some(common));
                let faces =
                    [Some(best_face_of_a(&pair, None)), best_face_of_b(&pair, None, -S::MAX)].into_iter().flatten();
                let face = faces.map(|face| face.gap).fold(-S::MAX, S::max);
                let of_all = best_edges(&pair, face, None);
                overlaps += 1;
                by_edges += i32::from(found.best.edges.is_some());
                if let Some(best) = of_all.filter(|_| found.best.edges.is_some()) {
                    assert_eq!((found.best.edges, found.best.gap), (best.edges, best.gap));
                }
                // What is not taken for the best is no better than the face that was preferred.
                let preferred = (-face).scale_by_power_of_two(-10) + pair.rounding();
                let best = of_all.map_or(face, |best| best.gap);
                assert!(found.best.gap >= best - preferred - preferred, "{} of {best}", found.best.gap);
            }
            assert!(overlaps > 2000 && by_edges > 200, "{overlaps} overlaps, {by_edges} by edges");
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }
}
