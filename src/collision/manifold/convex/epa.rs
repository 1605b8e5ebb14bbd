//! How little moves two overlapping convex shapes apart: the point of the surface of their difference that is nearest to the origin.
//!
//! G. van den Bergen, "Proximity Queries and Penetration Depth Computation on 3D Game Objects", Game Developers Conference, 2001: a
//! polytope within the difference grows where its faces are nearest. The origin need not be inside: a face that has it outside is the
//! nearest of all. Whatever rounding does to the polytope, an answer is a direction that was asked for and the depth that the shapes
//! have along it, so moving by the depth parts them.

use crate::collision::manifold::convex::gjk::{Supports, Vertex};
use crate::math::{Scalar, Vec3};

/// Corners of the polytope, at most.
const MOST_CORNERS: usize = 96;
/// Faces of a polytope of so many corners, all triangles.
const MOST_FACES: usize = 2 * MOST_CORNERS - 4;
/// Rounds of trying directions around the best, where the polytope was at its end before.
const MOST_REFINEMENTS: u32 = 40;
/// No number of a corner or face.
const NONE: u8 = u8::MAX;

/// A direction and how deep the shapes are in each other along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Depth<S> {
    /// The unit direction from A to B along which B leaves, in the axes of the pair.
    pub(super) normal: Vec3<S>,
    /// The gap of the cores along it, metres; negative where they overlap.
    pub(super) gap: S,
    /// Whether the search came to its end: else another direction may be better.
    pub(super) has_ended: bool,
}

/// A triangle of the polytope, counter-clockwise as seen from outside.
#[derive(Clone, Copy, Debug)]
struct Face<S> {
    corners: [u8; 3],
    /// Across the edges from each corner to the next.
    neighbours: [u8; 3],
    normal: Vec3<S>,
    /// `normal . x` on it; that of a sliver is so large that it is never the nearest, nor seen from anywhere.
    height: S,
    is_gone: bool,
}

/// An edge between faces that a new corner sees and one that it does not.
#[derive(Clone, Copy, Debug, Default)]
struct Horizon {
    from: u8,
    to: u8,
    hidden: u8,
}

/// What one round of the search has before the polytope grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round<S> {
    pub(super) corners: usize,
    pub(super) faces: usize,
    /// From the origin to the nearest face: the shapes overlap by no less.
    pub(super) nearest: S,
    /// What the shapes overlap by along the normal of that face: no way out is longer than the least of these.
    pub(super) depth: S,
}

/// The search for one pair.
struct Search<'a, S, P> {
    pair: &'a P,
    best: Depth<S>,
    corners: [Vertex<S>; MOST_CORNERS],
    corner_count: usize,
    faces: [Face<S>; MOST_FACES],
    face_count: usize,
}

/// The direction along which two overlapping shapes overlap least, to the tolerance of the pair if the search comes to its end, and never
/// worse than along the given directions.
pub(super) fn least_depth<S: Scalar, P: Supports<S>>(pair: &P, axes: impl Iterator<Item = Vec3<S>>) -> Depth<S> {
    least_depth_watched(pair, axes, &mut |_| {})
}

/// The same, told round by round.
#[inline(always)]
pub(super) fn least_depth_watched<S: Scalar, P: Supports<S>>(
    pair: &P,
    axes: impl Iterator<Item = Vec3<S>>,
    watch: &mut impl FnMut(Round<S>),
) -> Depth<S> {
    let none = Face { corners: [0; 3], neighbours: [NONE; 3], normal: Vec3::ZERO, height: S::MAX, is_gone: true };
    let best = Depth { normal: Vec3::Y, gap: -S::MAX, has_ended: false };
    let (corners, faces) = ([Vertex::default(); MOST_CORNERS], [none; MOST_FACES]);
    let mut search = Search { pair, best, corners, corner_count: 0, faces, face_count: 0 };
    axes.for_each(|axis| {
        search.support(-axis);
    });
    if search.begin().is_none() || !search.run(watch) {
        search.refine();
    }
    search.best
}

impl<S: Scalar, P: Supports<S>> Search<'_, S, P> {
    /// The point of the difference farthest along a direction.
    fn support(&mut self, direction: Vec3<S>) -> Vertex<S> {
        let point = self.pair.vertex(-direction);
        let gap = -direction.dot(point.between);
        if gap > self.best.gap {
            self.best = Depth { normal: -direction, gap, has_ended: false };
        }
        point
    }

    /// A tetrahedron as wide as the difference, or nearly; `None` where that is flat, but for rounding.
    fn begin(&mut self) -> Option<()> {
        let towards = self.pair.start().direction()?;
        let [a, b] = [self.support(towards), self.support(-towards)];
        let along = (b.between - a.between).direction()?;
        let (first, second) = along.tangents();
        let off_line = |point: Vertex<S>| along.cross(point.between - a.between).length();
        let mut c = a;
        for direction in [first, -first, second, -second] {
            let point = self.support(direction);
            c = if off_line(point) > off_line(c) { point } else { c };
        }
        let rounding = self.pair.rounding();
        if off_line(c) <= rounding {
            return None;
        }
        let across = along.cross(c.between - a.between).direction()?;
        let [above, below] = [self.support(across), self.support(-across)];
        let height = |point: Vertex<S>| across.dot(point.between - a.between);
        let d = if height(above) >= -height(below) { above } else { below };
        if height(d).abs() <= rounding {
            return None;
        }
        // Seen from outside, the first face turns counter-clockwise where the fourth corner lies behind it.
        let (b, c) = if height(d) < S::ZERO { (b, c) } else { (c, b) };
        self.corners[..4].copy_from_slice(&[a, b, c, d]);
        self.corner_count = 4;
        for (number, (corners, neighbours)) in
            [([0, 1, 2], [1, 2, 3]), ([1, 0, 3], [0, 3, 2]), ([2, 1, 3], [0, 1, 3]), ([0, 2, 3], [0, 2, 1])]
                .into_iter()
                .enumerate()
        {
            self.faces[number] = self.face(corners, neighbours);
        }
        self.face_count = 4;
        Some(())
    }

    fn face(&self, corners: [u8; 3], neighbours: [u8; 3]) -> Face<S> {
        let [a, b, c] = corners.map(|corner| self.corners[usize::from(corner)].between);
        let normal = (b - a).normalise().and_then(|(along, _)| along.cross(c - a).normalise());
        let (normal, height) = normal.map_or((Vec3::ZERO, S::MAX), |(normal, _)| (normal, normal.dot(a)));
        Face { corners, neighbours, normal, height, is_gone: false }
    }

    /// Lets the polytope grow; false where it ends before the answer is known to the tolerance.
    #[inline(always)]
    fn run(&mut self, watch: &mut impl FnMut(Round<S>)) -> bool {
        let tolerance = self.pair.tolerance();
        while self.corner_count < MOST_CORNERS {
            let mut nearest: Option<usize> = None;
            for (number, face) in self.faces[..self.face_count].iter().enumerate() {
                if !face.is_gone && nearest.is_none_or(|best| face.height < self.faces[best].height) {
                    nearest = Some(number);
                }
            }
            let Some(nearest) = nearest else { return false };
            let Face { normal, height, .. } = self.faces[nearest];
            // Nothing of the difference is nearer than the nearest face; where nothing is much farther out along its normal, that is it.
            let point = self.support(normal);
            let depth = normal.dot(point.between);
            watch(self.round(height, depth));
            if depth - height <= tolerance {
                self.best = Depth { normal: -normal, gap: -depth, has_ended: true };
                return true;
            }
            if !self.grow(nearest, point) {
                return false;
            }
        }
        false
    }

    fn round(&self, nearest: S, depth: S) -> Round<S> {
        let faces = self.faces[..self.face_count].iter().filter(|face| !face.is_gone).count();
        Round { corners: self.corner_count, faces, nearest, depth }
    }

    /// Tries directions around the best, nearer and nearer to it.
    fn refine(&mut self) {
        let mut step = S::ONE.scale_by_power_of_two(-4);
        for _ in 0..MOST_REFINEMENTS {
            let Depth { normal, gap, .. } = self.best;
            let (first, second) = normal.tangents();
            let (half_first, half_second) = (first * S::HALF, second * S::HALF);
            let ways = [first, half_first + half_second, second, half_second - half_first];
            for way in ways.into_iter().flat_map(|way| [way, -way]) {
                if let Some(direction) = (normal + way * step).direction() {
                    self.support(-direction);
                }
            }
            step = if self.best.gap > gap { step } else { step * S::HALF };
        }
    }

    /// Adds a corner that the face of this number sees; false where rounding has made what it sees no disc, and nothing is changed.
    fn grow(&mut self, start: usize, vertex: Vertex<S>) -> bool {
        let point = vertex.between;
        let slack = self.pair.rounding();
        let mut is_seen = [false; MOST_FACES];
        let mut seen = [0_u8; MOST_FACES];
        let (mut count, mut next) = (1, 0);
        (seen[0], is_seen[start]) = (start as u8, true);
        let mut horizon = [Horizon::default(); MOST_FACES];
        let mut edges = 0;
        while next < count {
            let face = self.faces[usize::from(seen[next])];
            next += 1;
            for side in 0..3 {
                let neighbour = usize::from(face.neighbours[side]);
                let Some(beyond) = self.faces.get(neighbour) else { return false };
                if is_seen[neighbour] {
                    continue;
                }
                if beyond.height < S::MAX && beyond.normal.dot(point) - beyond.height > slack {
                    (seen[count], is_seen[neighbour]) = (neighbour as u8, true);
                    count += 1;
                } else if let Some(slot) = horizon.get_mut(edges) {
                    let (from, to) = (face.corners[side], face.corners[(side + 1) % 3]);
                    *slot = Horizon { from, to, hidden: neighbour as u8 };
                    edges += 1;
                }
            }
        }
        // A face may have been taken for hidden before it was seen from elsewhere: its edge is none of the horizon.
        let mut kept = 0;
        for number in 0..edges {
            if !is_seen[usize::from(horizon[number].hidden)] {
                horizon[kept] = horizon[number];
                kept += 1;
            }
        }
        self.cover(&horizon[..kept], &seen[..count], vertex)
    }

    /// Replaces what is seen by a fan from the new corner to the horizon, if that is one loop.
    fn cover(&mut self, horizon: &[Horizon], seen: &[u8], point: Vertex<S>) -> bool {
        if horizon.len() < 3 {
            return false;
        }
        let mut starts = [NONE; MOST_CORNERS];
        for (number, edge) in horizon.iter().enumerate() {
            let Some(start) = starts.get_mut(usize::from(edge.from)).filter(|start| **start == NONE) else {
                return false;
            };
            *start = number as u8;
        }
        let mut order = [0_usize; MOST_FACES];
        let mut place = 0;
        for slot in &mut order[..horizon.len()] {
            *slot = place;
            place = usize::from(starts[usize::from(horizon[place].to)]);
            if place >= horizon.len() {
                return false;
            }
        }
        let is_one_loop = place == 0 && !order[1..horizon.len()].contains(&0);
        let room = self.faces.len() - self.face_count + seen.len();
        if !is_one_loop || room < horizon.len() {
            return false;
        }
        let top = self.corner_count as u8;
        self.corners[self.corner_count] = point;
        self.corner_count += 1;
        for &face in seen {
            self.faces[usize::from(face)].is_gone = true;
        }
        // Places of faces that are gone, then new ones.
        let mut places = [NONE; MOST_FACES];
        let fresh = self.face_count..self.faces.len();
        for (place, slot) in seen.iter().map(|&face| usize::from(face)).chain(fresh).zip(&mut places[..horizon.len()]) {
            *slot = place as u8;
        }
        self.face_count = self.face_count.max(self.face_count + horizon.len().saturating_sub(seen.len()));
        for (turn, &number) in order[..horizon.len()].iter().enumerate() {
            let Horizon { from, to, hidden } = horizon[number];
            let around = |step: usize| places[(turn + step) % horizon.len()];
            let face = self.face([from, to, top], [hidden, around(1), around(horizon.len() - 1)]);
            self.faces[usize::from(places[turn])] = face;
            let beyond = &mut self.faces[usize::from(hidden)];
            for side in 0..3 {
                if (beyond.corners[side], beyond.corners[(side + 1) % 3]) == (to, from) {
                    beyond.neighbours[side] = places[turn];
                }
            }
        }
        true
    }
}
