//! The distance of two convex cores.
//!
//! E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space", 1988. Distances from edges and faces of the simplex are taken along unit vectors, never as products of
//! lengths, so that small shapes keep their digits in fixed point.

use crate::collision::manifold::convex::polytope::CorePair;
use crate::math::{Scalar, Vec3};

/// Two convex shapes, cores of others perhaps, as the searches ask for them; lengths in the axes of the pair.
pub(in crate::collision::manifold::convex) trait Supports<S> {
    /// A direction from A to B, not zero.
    fn start(&self) -> Vec3<S>;
    /// Points of A and B with the least gap along a direction from A to B.
    fn vertex(&self, direction: Vec3<S>) -> Vertex<S>;
    /// Whether two vertices are the same.
    fn is_same(&self, one: &Vertex<S>, other: &Vertex<S>) -> bool;
    /// What the roundings of one gap can add up to, metres.
    fn rounding(&self) -> S;
    /// To how much a gap is searched for, metres: no less than the rounding.
    fn tolerance(&self) -> S;
}

impl<S: Scalar> Supports<S> for CorePair<'_, S> {
    fn start(&self) -> Vec3<S> {
        if self.offset == Vec3::ZERO { Vec3::Y } else { self.offset }
    }

    fn vertex(&self, direction: Vec3<S>) -> Vertex<S> {
        let corners = [self.a.farthest(direction), self.farthest_of_b(-direction)];
        let point = self.a.corner(corners[0]);
        Vertex { corners, point, between: self.corner_of_b(corners[1]) - point }
    }

    fn is_same(&self, one: &Vertex<S>, other: &Vertex<S>) -> bool {
        one.corners == other.corners
    }

    fn rounding(&self) -> S {
        self.rounding()
    }

    fn tolerance(&self) -> S {
        self.rounding()
    }
}

/// Most times that the simplex is moved on. What is not settled by then is answered with the nearest points found, which are never nearer
/// than the shapes, if any direction has shown that these are apart; else they count as overlapping.
const MOST_ROUNDS: usize = 32;

/// A point of A, a point of B, and what leads from the one to the other, in the axes of A.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vertex<S> {
    /// Of polyhedra and segments, the numbers of their corners.
    pub(super) corners: [u16; 2],
    /// On A.
    pub(super) point: Vec3<S>,
    pub(super) between: Vec3<S>,
}

/// Up to four vertices with their shares of the point of the simplex that is nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex<S> {
    vertices: [Vertex<S>; 4],
    shares: [S; 4],
    count: usize,
    /// The nearest point.
    nearest: Vec3<S>,
}

/// The nearest points of two cores.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest<S> {
    /// The simplex whose nearest point is the answer.
    pub(super) simplex: Simplex<S>,
    /// From the point of A to that of B.
    pub(super) between: Vec3<S>,
    /// The point of A.
    pub(super) point: Vec3<S>,
}

/// What one round of the search has before it moves on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round<'a, S> {
    pub(super) simplex: &'a Simplex<S>,
    /// From the origin to the simplex: the cores are no farther apart.
    pub(super) distance: S,
    /// The gap that the next vertex shows: the cores are no nearer.
    pub(super) shown: S,
}

/// The nearest points of two cores. Where these overlap, or are nearer than `tiny`, a point of A which B holds too but for what rounding
/// takes from that: of slender tetrahedra it takes much.
pub(super) fn nearest_points<S: Scalar, P: Supports<S>>(pair: &P, tiny: S) -> Result<Nearest<S>, Vec3<S>> {
    nearest_points_watched(pair, tiny, &mut |_| {})
}

/// The same, told round by round.
#[inline(always)]
pub(super) fn nearest_points_watched<S: Scalar, P: Supports<S>>(
    pair: &P,
    tiny: S,
    watch: &mut impl FnMut(Round<'_, S>),
) -> Result<Nearest<S>, Vec3<S>> {
    let mut simplex = Simplex::of_one(pair.vertex(pair.start()));
    let tolerance = pair.tolerance();
    let mut is_shown_apart = false;
    for _ in 0..MOST_ROUNDS {
        let apart = simplex.nearest.normalise().filter(|&(_, distance)| distance > tiny);
        let (direction, distance) = apart.ok_or_else(|| simplex.point())?;
        let next = pair.vertex(direction);
        let shown = direction.dot(next.between);
        watch(Round { simplex: &simplex, distance, shown });
        is_shown_apart |= shown > S::ZERO;
        let is_known = simplex.vertices().iter().any(|vertex| pair.is_same(vertex, &next));
        if is_known || shown >= distance - tolerance {
            break;
        }
        let grown = simplex.with(next)?;
        if grown.nearest.length() >= distance {
            break; // rounding: the simplex before is as good
        }
        simplex = grown;
    }
    let distance = simplex.nearest.length();
    // The direction of a tiny gap is too coarse to show it.
    if distance <= tiny || (!is_shown_apart && distance > tiny.scale_by_power_of_two(6)) {
        return Err(simplex.point());
    }
    Ok(Nearest { simplex, between: simplex.nearest, point: simplex.point() })
}

impl<S: Scalar> Simplex<S> {
    /// The vertices that have a share in the nearest point.
    pub(super) fn vertices(&self) -> &[Vertex<S>] {
        self.vertices.get(..self.count).unwrap_or_default()
    }

    /// The point of A that belongs to the nearest one.
    fn point(&self) -> Vec3<S> {
        let weighted = self.vertices().iter().zip(self.shares).map(|(vertex, share)| vertex.point * share);
        weighted.fold(Vec3::ZERO, |sum, part| sum + part)
    }

    fn of_one(vertex: Vertex<S>) -> Self {
        Self::new([vertex; 3], [S::ONE, S::ZERO, S::ZERO])
    }

    /// The smallest simplex of its vertices and one more that holds their point nearest to the origin; where they hold the origin, the point of
    /// A there.
    fn with(&self, next: Vertex<S>) -> Result<Self, Vec3<S>> {
        match *self.vertices() {
            [a] => Ok(nearest_on_edge(a, next)),
            [a, b] => Ok(Face::new([a, b, next]).nearest()),
            [a, b, c] => nearest_on_tetrahedron([a, b, c, next]),
            _ => Ok(Self::of_one(next)),
        }
    }

    /// The simplex of the vertices that have a share.
    fn new(vertices: [Vertex<S>; 3], shares: [S; 3]) -> Self {
        let mut simplex =
            Self { vertices: [Vertex::default(); 4], shares: [S::ZERO; 4], count: 0, nearest: Vec3::ZERO };
        for (vertex, share) in vertices.into_iter().zip(shares).filter(|&(_, share)| share > S::ZERO) {
            simplex.vertices[simplex.count] = vertex;
            simplex.shares[simplex.count] = share;
            simplex.count += 1;
            simplex.nearest += vertex.between * share;
        }
        simplex
    }

    /// The nearer of two.
    fn nearer(self, other: Self) -> Self {
        if other.nearest.length() < self.nearest.length() { other } else { self }
    }
}

fn nearest_on_edge<S: Scalar>(a: Vertex<S>, b: Vertex<S>) -> Simplex<S> {
    nearest_on_way(a, b, (b.between - a.between).normalise())
}

/// The same where the direction from the first vertex to the second is known, and how far that is.
#[inline(always)]
fn nearest_on_way<S: Scalar>(a: Vertex<S>, b: Vertex<S>, way: Option<(Vec3<S>, S)>) -> Simplex<S> {
    let Some((direction, length)) = way else {
        return Simplex::new([a, a, a], [S::ONE, S::ZERO, S::ZERO]);
    };
    let along = (-direction.dot(a.between)).clamp(S::ZERO, length);
    let share = along / length;
    let mut simplex = Simplex::new([a, b, b], [S::ONE - share, share, S::ZERO]);
    if share > S::ZERO && share < S::ONE {
        simplex.nearest = a.between + direction * along;
    }
    simplex
}

/// A triangle, whose lengths and directions are found once.
struct Face<S> {
    vertices: [Vertex<S>; 3],
    /// From the first vertex to the second.
    first_way: Option<(Vec3<S>, S)>,
    /// The unit normal, as the vertices turn counter-clockwise seen from where it leads; `None` where they are in a line.
    normal: Option<Vec3<S>>,
}

impl<S: Scalar> Face<S> {
    #[inline(always)]
    fn new(vertices: [Vertex<S>; 3]) -> Self {
        let [a, b, c] = vertices.map(|vertex| vertex.between);
        let first_way = (b - a).normalise();
        let across = first_way.and_then(|(along, _)| along.cross(c - a).normalise());
        Self { vertices, first_way, normal: across.map(|(normal, _)| normal) }
    }

    #[inline(never)]
    fn nearest(&self) -> Simplex<S> {
        let [a, b, c] = &self.vertices;
        let way = |from: &Vertex<S>, to: &Vertex<S>| (to.between - from.between).normalise();
        let ways = [way(b, c), way(c, a), self.first_way];
        let edges = || {
            let edge = |from: &Vertex<S>, to: &Vertex<S>, way| nearest_on_way(*from, *to, way);
            edge(a, b, ways[2]).nearer(edge(b, c, ways[0])).nearer(edge(c, a, ways[1]))
        };
        let Some(normal) = self.normal else { return edges() };
        // How far the origin is inside of each edge, and the opposite corner too: the quotient is that corner's share.
        let mut shares = [S::ZERO; 3];
        for (opposite, share) in shares.iter_mut().enumerate() {
            let [from, corner] = [1, 3].map(|step| self.vertices[(opposite + step) % 3].between);
            let Some((along, _)) = ways[opposite] else { return edges() };
            let inwards = normal.cross(along);
            let (inside, height) = (-inwards.dot(from), inwards.dot(corner - from));
            if inside <= S::ZERO || height <= S::ZERO {
                return edges();
            }
            *share = inside / height;
        }
        let sum = shares[0] + shares[1] + shares[2];
        let mut simplex = Simplex::new(self.vertices, shares.map(|share| share / sum));
        simplex.nearest = normal * normal.dot(a.between);
        simplex
    }
}

/// The point of A that belongs to the point of a triangle nearest to the origin.
pub(super) fn point_on_face<S: Scalar>(vertices: [Vertex<S>; 3]) -> Vec3<S> {
    Face::new(vertices).nearest().point()
}

/// Where the tetrahedron holds the origin, the point of A there.
fn nearest_on_tetrahedron<S: Scalar>(vertices: [Vertex<S>; 4]) -> Result<Simplex<S>, Vec3<S>> {
    let mut best: Option<Simplex<S>> = None;
    let (mut point, mut sum) = (Vec3::ZERO, S::ZERO);
    for opposite in 0..4 {
        let face = Face::new([1, 2, 3].map(|step| vertices[(opposite + step) % 4]));
        let start = face.vertices[0].between;
        let heights = face.normal.map(|normal| [vertices[opposite].between - start, -start].map(|way| normal.dot(way)));
        // Flat: it cannot be told whether the origin is inside.
        let inside = heights.filter(|&[corner, origin]| {
            corner != S::ZERO && ((corner > S::ZERO) == (origin > S::ZERO) || origin == S::ZERO)
        });
        if let Some([corner, origin]) = inside {
            let share = origin / corner;
            point += vertices[opposite].point * share;
            sum += share;
        } else {
            let found = face.nearest();
            best = Some(best.map_or(found, |best| best.nearer(found)));
        }
    }
    best.ok_or_else(|| if sum > S::ZERO { point * (S::ONE / sum) } else { vertices[0].point })
}
