//! The distance of two convex cores.
//!
//! E. G. Gilbert, D. W. Johnson, S. S. Keerthi, "A Fast Procedure for Computing the Distance Between Complex Objects in
//! Three-Dimensional Space", 1988. Whether the origin lies before a side of the simplex is told by products of lengths, without a root; in
//! fixed point these are brought to a size at which small shapes keep their digits.

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

/// How often a question's search begins again.
const MOST_RESTARTS: usize = 8;

/// Who searches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// A step, which falls back on other methods.
    ByStep,
    /// Anybody else. Beside a rim each round only halves what is left, so there are more of them; and what was shown to be apart is never
    /// said to overlap, where rounding has put the origin into a flat simplex.
    ByQuestion,
}

impl Asked {
    const fn most_rounds(self) -> usize {
        match self {
            Self::ByStep => MOST_ROUNDS,
            Self::ByQuestion => 8 * MOST_ROUNDS,
        }
    }
}

/// A point of A, a point of B, and what leads from the one to the other, in the axes of A.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Vertex<S> {
    /// Of polyhedra and segments, the numbers of their corners.
    pub(super) corners: [u16; 2],
    /// On A.
    pub(super) point: Vec3<S>,
    pub(super) between: Vec3<S>,
}

/// Up to three vertices with their weights in the point between them that is nearest to the origin; a fourth one may be tried with them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simplex<S> {
    vertices: [Vertex<S>; 4],
    /// Each over the sum of all is a share.
    weights: [S; 3],
    count: usize,
    /// The nearest point.
    nearest: Vec3<S>,
}

/// A part of the vertices of a simplex, by their places, and its point nearest to the origin.
#[derive(Clone, Copy)]
pub(super) struct Part<S> {
    places: [u8; 3],
    weights: [S; 3],
    count: u8,
    nearest: Vec3<S>,
    /// From the origin to there.
    pub(super) distance: S,
}

/// How a triangle lies, with lengths brought to a size of their own.
struct Frame<S> {
    /// From each vertex to the next, the last to the first.
    sides: [Vec3<S>; 3],
    /// Along the normal, with the vertices counter-clockwise as seen from where it leads; twice as long as the triangle is large.
    normal: Vec3<S>,
}

/// The power of two in metres that lengths are brought to in fixed point: products of four of them fit, and of slender triangles too keep
/// more digits than the lengths had.
const LEVEL: i32 = 5;

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

/// What a step finds of two cores.
pub(super) enum Found<S> {
    /// They are apart.
    Apart(Nearest<S>),
    /// They are farther apart than matters: the direction from A to B and the gap that it shows, a quarter of the distance at least.
    Beyond(Vec3<S>, S),
    /// They overlap, or are nearer than a direction can be told: a point of both, as [`nearest_points`] gives it.
    Overlapping(Vec3<S>),
}

/// The nearest points of two cores, unless these are farther apart than `enough`.
pub(super) fn nearest_points_within<S: Scalar, P: Supports<S>>(pair: &P, tiny: S, enough: S) -> Found<S> {
    let start = Simplex::of_one(pair.vertex(pair.start()));
    let mut beyond = None;
    let is_enough = |direction: Vec3<S>, distance: S, shown: S| {
        let ends = shown > enough && shown.scale_by_power_of_two(2) >= distance;
        beyond = ends.then_some((direction, shown));
        ends
    };
    let found = search(pair, start, (tiny, Asked::ByStep), &mut |_| {}, is_enough);
    match (beyond, found) {
        (Some((direction, shown)), _) => Found::Beyond(direction, shown),
        (None, Ok(nearest)) => Found::Apart(nearest),
        (None, Err(common)) => Found::Overlapping(common),
    }
}

/// The nearest points of two cores. Where these overlap, or are nearer than `tiny`, a point of A which B holds too but for what rounding
/// takes from that: of slender tetrahedra it takes much.
pub(super) fn nearest_points<S: Scalar, P: Supports<S>>(pair: &P, tiny: S) -> Result<Nearest<S>, Vec3<S>> {
    let start = Simplex::of_one(pair.vertex(pair.start()));
    search(pair, start, (tiny, Asked::ByStep), &mut |_| {}, never)
}

/// The same for a question that no step asks. Where rounding has ended the search too early, it begins again where it has come to.
pub(super) fn nearest_points_of_question<S: Scalar, P: Supports<S>>(pair: &P, tiny: S) -> Result<Nearest<S>, Vec3<S>> {
    let start = Simplex::of_one(pair.vertex(pair.start()));
    let mut best = search(pair, start, (tiny, Asked::ByQuestion), &mut |_| {}, never)?;
    for _ in 0..MOST_RESTARTS {
        let Some((direction, distance)) = best.between.normalise() else { break };
        let vertex = pair.vertex(direction);
        if distance - direction.dot(vertex.between) <= pair.tolerance() * S::TWO {
            break;
        }
        let again = search(pair, Simplex::of_one(vertex), (tiny, Asked::ByQuestion), &mut |_| {}, never);
        match again {
            Ok(again) if again.between.length() < distance => best = again,
            _ => break,
        }
    }
    Ok(best)
}

/// The point of A nearest to B, for such a question; where they overlap all the same, the farthest along a direction from A to B.
pub(super) fn nearest_point_of_question<S: Scalar, P: Supports<S>>(pair: &P, direction: Vec3<S>, tiny: S) -> Vec3<S> {
    let found = nearest_points_of_question(pair, tiny);
    found.map_or_else(|_| pair.vertex(direction).point, |nearest| nearest.point)
}

/// What a step finds, told round by round.
pub(super) fn nearest_points_watched<S: Scalar, P: Supports<S>>(
    pair: &P,
    tiny: S,
    watch: &mut impl FnMut(Round<'_, S>),
) -> Result<Nearest<S>, Vec3<S>> {
    let start = Simplex::of_one(pair.vertex(pair.start()));
    search(pair, start, (tiny, Asked::ByStep), watch, never)
}

/// Of a search that goes on to its end, whatever a round shows.
fn never<S: Scalar>(_direction: Vec3<S>, _distance: S, _shown: S) -> bool {
    false
}

/// `is_enough` is asked in each round whether its direction, the distance of the simplex and the gap that the direction shows end the search.
#[inline(always)]
fn search<S: Scalar, P: Supports<S>>(
    pair: &P,
    mut simplex: Simplex<S>,
    (tiny, asked): (S, Asked),
    watch: &mut impl FnMut(Round<'_, S>),
    mut is_enough: impl FnMut(Vec3<S>, S, S) -> bool,
) -> Result<Nearest<S>, Vec3<S>> {
    let tolerance = pair.tolerance();
    let mut is_shown_apart = false;
    for _ in 0..asked.most_rounds() {
        let apart = simplex.nearest.normalise().filter(|&(_, distance)| distance > tiny);
        let (direction, distance) = apart.ok_or_else(|| simplex.point())?;
        let next = pair.vertex(direction);
        let shown = direction.dot(next.between);
        watch(Round { simplex: &simplex, distance, shown });
        is_shown_apart |= shown > S::ZERO;
        let is_known = simplex.vertices().iter().any(|vertex| pair.is_same(vertex, &next));
        if is_known || shown >= distance - tolerance || is_enough(direction, distance, shown) {
            break;
        }
        let part = match simplex.with(next) {
            Err(_) if is_shown_apart && asked == Asked::ByQuestion => break,
            part => part?,
        };
        if part.distance >= distance {
            break; // rounding: the simplex before is as good
        }
        simplex.keep(&part);
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

    /// The point nearest to the origin.
    pub(super) const fn nearest(&self) -> Vec3<S> {
        self.nearest
    }

    /// The simplex when B has gone on a way, with the vertex that was found last there, and of the others those that are nearer.
    pub(super) fn carried(&self, way: Vec3<S>, last: Vertex<S>) -> Self {
        let mut simplex = Self::of_one(last);
        for vertex in self.vertices() {
            let vertex = Vertex { between: vertex.between + way, ..*vertex };
            let distance = simplex.nearest.length();
            let nearer = simplex.with(vertex).ok().filter(|part| part.distance < distance);
            if let Some(part) = nearer {
                simplex.keep(&part);
            }
        }
        simplex
    }

    /// The point of A that belongs to the nearest one.
    pub(super) fn point(&self) -> Vec3<S> {
        let weighted = || self.vertices().iter().zip(self.weights);
        let sum = weighted().fold(S::ZERO, |sum, (_, weight)| sum + weight);
        weighted().fold(Vec3::ZERO, |point, (vertex, weight)| point + vertex.point * (weight / sum))
    }

    pub(super) fn of_one(vertex: Vertex<S>) -> Self {
        let mut vertices = [Vertex::default(); 4];
        vertices[0] = vertex;
        Self { vertices, weights: [S::ONE, S::ZERO, S::ZERO], count: 1, nearest: vertex.between }
    }

    /// The smallest part of its vertices and one more that holds their point nearest to the origin; where they hold the origin, the point of
    /// A there.
    ///
    /// All vertices have a share in the point that was nearest, and the new one lies farther on towards the origin: what is nearest now has a
    /// share of it.
    pub(super) fn with(&mut self, next: Vertex<S>) -> Result<Part<S>, Vec3<S>> {
        let places = self.count.min(3);
        self.vertices[places] = next;
        // What is not in use stands at the first one.
        let corners = [0, 1, 2, 3].map(|place| self.between(if place <= places as u8 { place } else { 0 }));
        let corners = levelled(corners);
        match places {
            0 => Ok(self.vertex(0)),
            1 => Ok(self.on_edge(&corners, [0, 1])),
            2 => Ok(self.on_face(&corners, [0, 1, 2])),
            _ => self.on_tetrahedron(&corners),
        }
    }

    /// Keeps a part of what was tried.
    pub(super) fn keep(&mut self, part: &Part<S>) {
        let kept = part.places.map(|place| self.vertices[usize::from(place)]);
        self.vertices[..3].copy_from_slice(&kept);
        (self.weights, self.count, self.nearest) = (part.weights, usize::from(part.count), part.nearest);
    }

    fn between(&self, place: u8) -> Vec3<S> {
        self.vertices[usize::from(place)].between
    }

    /// From one vertex to another.
    fn way(&self, from: u8, to: u8) -> Vec3<S> {
        self.between(to) - self.between(from)
    }

    fn vertex(&self, place: u8) -> Part<S> {
        let nearest = self.between(place);
        let weights = [S::ONE, S::ZERO, S::ZERO];
        Part { places: [place; 3], weights, count: 1, nearest, distance: nearest.length() }
    }

    /// `corners`: where the vertices are, [`levelled`] together.
    fn on_edge(&self, corners: &[Vec3<S>; 4], [a, b]: [u8; 2]) -> Part<S> {
        let [side] = levelled([self.way(a, b)]);
        let (beyond_a, before_b) = (-side.dot(corners[usize::from(a)]), side.dot(corners[usize::from(b)]));
        if beyond_a <= S::ZERO {
            return self.vertex(a);
        }
        if before_b <= S::ZERO {
            return self.vertex(b);
        }
        let share = beyond_a / (beyond_a + before_b);
        let nearest = self.between(a) + self.way(a, b) * share;
        let weights = [before_b, beyond_a, S::ZERO];
        Part { places: [a, b, b], weights, count: 2, nearest, distance: nearest.length() }
    }

    /// The point of the two edges of a triangle nearest to the origin that end in its last vertex.
    fn on_new_edges(&self, corners: &[Vec3<S>; 4], [a, b, c]: [u8; 3]) -> Part<S> {
        let (first, second) = (self.on_edge(corners, [a, c]), self.on_edge(corners, [b, c]));
        if second.distance < first.distance { second } else { first }
    }

    /// How a triangle lies; `None` where its vertices are in a line, but for rounding.
    fn frame(&self, [a, b, c]: [u8; 3]) -> Option<Frame<S>> {
        let [first, last] = levelled([self.way(a, b), self.way(a, c)]);
        let normal = first.cross(last);
        let rounding = first.largest_component() * last.largest_component() * (S::EPSILON * S::from_i32(4));
        (normal.largest_component() > rounding).then(|| Frame { sides: [first, last - first, -last], normal })
    }

    /// A triangle of which the last vertex is new.
    fn on_face(&self, corners: &[Vec3<S>; 4], places: [u8; 3]) -> Part<S> {
        self.frame(places)
            .and_then(|frame| self.within_face(corners, places, &frame))
            .unwrap_or_else(|| self.on_new_edges(corners, places))
    }

    /// The nearest point of a triangle if that is within it.
    fn within_face(&self, corners: &[Vec3<S>; 4], places: [u8; 3], frame: &Frame<S>) -> Option<Part<S>> {
        let Frame { sides, normal } = frame;
        // How far the origin is inside of each side, times the same for all: the weight of the opposite corner. Those sides come first that
        // end in the new vertex.
        let mut weights = [S::ZERO; 3];
        for (opposite, weight) in weights.iter_mut().enumerate() {
            let side = (opposite + 1) % 3;
            *weight = -normal.cross(sides[side]).dot(corners[usize::from(places[side])]);
            if *weight <= S::ZERO {
                return None;
            }
        }
        let normal = normal.direction()?;
        let nearest = normal * normal.dot(self.between(places[0]));
        Some(Part { places, weights, count: 3, nearest, distance: nearest.length() })
    }

    /// Of the three faces that have the new vertex the nearest point; where the origin is behind all of them, the point of A there.
    fn on_tetrahedron(&self, corners: &[Vec3<S>; 4]) -> Result<Part<S>, Vec3<S>> {
        let mut best: Option<Part<S>> = None;
        let (mut point, mut left) = (Vec3::ZERO, S::ONE);
        for opposite in 0..3_u8 {
            let places = [(opposite + 1) % 3, (opposite + 2) % 3, 3];
            let start = corners[usize::from(places[0])];
            let frame = self.frame(places);
            let heights = frame
                .as_ref()
                .map(|frame| [corners[usize::from(opposite)] - start, -start].map(|way| frame.normal.dot(way)));
            // Flat: it cannot be told whether the origin is inside.
            let inside = heights.filter(|&[corner, origin]| {
                corner != S::ZERO && ((corner > S::ZERO) == (origin > S::ZERO) || origin == S::ZERO)
            });
            if let Some([corner, origin]) = inside {
                let share = (origin / corner).min(left);
                point += self.vertices[usize::from(opposite)].point * share;
                left -= share;
            } else {
                let within = frame.and_then(|frame| self.within_face(corners, places, &frame));
                let found = within.unwrap_or_else(|| self.on_new_edges(corners, places));
                best = Some(best.filter(|best| best.distance <= found.distance).unwrap_or(found));
            }
        }
        best.ok_or_else(|| point + self.vertices[3].point * left)
    }
}

/// Vectors times a power of two common to all, at which their products keep their digits.
#[inline(always)]
fn levelled<S: Scalar, const N: usize>(vectors: [Vec3<S>; N]) -> [Vec3<S>; N] {
    S::levelled(vectors.map(Vec3::to_array), LEVEL).map(Vec3::from_array)
}
