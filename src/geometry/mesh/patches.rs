//! Triangles that lie beside each other in one plane, joined to convex patches.
//!
//! What meets a mesh meets these one by one. So a flat face is one piece however finely it is divided: its contact has four points at
//! most, and no side within it is there to be felt. All is decided in whole numbers, and nothing hangs on the order of the corners. What
//! bends by more than rounding to the grid, or to six decimals, stays as it is, triangle by triangle.

use crate::geometry::hull::{GridPoint, widths};
use crate::geometry::mesh::exact::{Beyond, ExactMesh, difference, dot, scaled_down};

/// The most sides of a patch, so that an outline of it and a box has little room to take.
pub const MOST_SIDES: usize = 16;
/// A patch spans at most `2^4` metres along an axis, unless a triangle by itself is larger: what is measured from the middle of a patch
/// is known the less exactly the farther it lies.
const LOG_OF_MOST_SPAN: i32 = 4;
/// How far a corner may lie beside a plane or a line: this part of the mesh, as its binary logarithm, which is what six decimals leave of a
/// mesh of a metre; no more than a part of the patch, and `2^-16` m, a quarter of what counts as touching.
const LOG_OF_PART_OFF: u32 = 20;
const LOG_OF_PART_OF_PATCH: u32 = 12;
const LOG_OF_MOST_OFF: i32 = -16;
/// The most sides of triangles on one side of a patch. A strip grows triangle by triangle and is gone over for each of them, so that one
/// of all the triangles that there may be would take minutes.
const MOST_EDGES: usize = 256;
/// Times that all patches are gone over, at most; what is joined to strips in the first is joined to faces in the next.
const MOST_ROUNDS: u32 = 64;
/// Nothing is beyond a side.
const NOTHING: u32 = u32::MAX;

/// A side of a triangle: three times the number of the triangle and the number of the side.
type Edge = u32;

/// A straight side of a patch: sides of triangles one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatchSide {
    edges: Vec<Edge>,
}

/// A convex part of a plane: one triangle, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    triangles: Vec<u32>,
    /// Counter-clockwise as seen from the front.
    sides: Vec<PatchSide>,
    /// Along its normal, as long as twice its area.
    area: [i128; 3],
    /// Whether all corners of its triangles lie in its plane, and those at its rim on its sides, exactly.
    is_exact: bool,
    /// How far its corners may be off where that is not so, in steps.
    off: i64,
    /// Of its box.
    low: GridPoint,
    high: GridPoint,
}

impl PatchSide {
    /// The side of a triangle with which it begins: the triangle, and the number of the side.
    pub(super) fn first(&self) -> (u32, usize) {
        let edge = self.edges.first().copied().unwrap_or_default();
        (edge / 3, (edge % 3) as usize)
    }

    /// The numbers of all corners on it, the last of which is the first of the next side.
    pub(super) fn corners<'a>(&'a self, mesh: &'a ExactMesh) -> impl Iterator<Item = u32> + 'a {
        let last = self.edges.last().map(|&edge| end(mesh, edge));
        self.edges.iter().map(|&edge| start(mesh, edge)).chain(last)
    }

    /// Where it begins and ends.
    fn ends(&self, mesh: &ExactMesh) -> [GridPoint; 2] {
        let [first, last] = [self.edges.first(), self.edges.last()].map(|edge| edge.copied().unwrap_or_default());
        [start(mesh, first), end(mesh, last)].map(|corner| mesh.corners()[corner as usize])
    }
}

impl Patch {
    fn of_triangle(mesh: &ExactMesh, triangle: u32) -> Self {
        let placed = mesh.placed(triangle as usize);
        let of_all = |axis: usize, choose: fn(i64, i64) -> i64| {
            placed.iter().map(|corner| corner[axis]).reduce(choose).unwrap_or_default()
        };
        Self {
            triangles: vec![triangle],
            sides: (0..3).map(|place| PatchSide { edges: vec![3 * triangle + place] }).collect(),
            area: mesh.normal(triangle as usize),
            is_exact: true,
            off: 0,
            low: [0, 1, 2].map(|axis| of_all(axis, i64::min)),
            high: [0, 1, 2].map(|axis| of_all(axis, i64::max)),
        }
    }

    /// The triangles, ascending.
    pub(super) fn triangles(&self) -> &[u32] {
        &self.triangles
    }

    /// Its smallest triangle, by which it is called.
    pub(super) fn name(&self) -> u32 {
        self.triangles.first().copied().unwrap_or_default()
    }

    /// The sides, counter-clockwise as seen from the front.
    pub(super) fn sides(&self) -> &[PatchSide] {
        &self.sides
    }

    /// The numbers of its corners: the first of each side.
    pub(super) fn corners<'a>(&'a self, mesh: &'a ExactMesh) -> impl Iterator<Item = u32> + 'a {
        self.sides.iter().map(|side| side.edges.first().map_or(0, |&edge| start(mesh, edge)))
    }

    /// How far its sides may be from where those of its triangles are, in steps along an axis.
    pub(super) const fn off(&self) -> i64 {
        if self.is_exact { 0 } else { self.off }
    }

    /// Along its normal, in squared steps.
    pub(super) const fn area(&self) -> [i128; 3] {
        self.area
    }

    /// In the order in which it is known: triangles ascend, and the smallest corner comes first.
    fn in_order(mut self, mesh: &ExactMesh) -> Self {
        self.triangles.sort_unstable();
        let smallest = self.corners(mesh).enumerate().min_by_key(|&(_, corner)| corner);
        self.sides.rotate_left(smallest.map_or(0, |(place, _)| place));
        self
    }
}

/// The patches of a mesh, ordered by the smallest triangle of each; `beyond` says what lies beyond the sides of the triangles.
pub(super) fn patches(mesh: &ExactMesh, beyond: &[[Beyond; 3]]) -> Vec<Patch> {
    let mut work = Work::new(mesh, beyond);
    work.join_pairs();
    for _ in 0..MOST_ROUNDS {
        let mut has_joined = false;
        for seed in 0..work.patches.len() {
            while work.grow(seed as u32) {
                has_joined = true;
            }
        }
        if !has_joined {
            break;
        }
    }
    let mut patches: Vec<Patch> = work.patches.into_iter().flatten().map(|patch| patch.in_order(mesh)).collect();
    patches.sort_unstable_by_key(Patch::name);
    patches
}

/// Patches while they are joined.
struct Work<'a> {
    mesh: &'a ExactMesh,
    beyond: &'a [[Beyond; 3]],
    /// The side of another triangle that runs along each side, from end to end, if there is one only.
    opposite: Vec<Edge>,
    /// By the triangle with which they began; `None` where that has gone to another.
    patches: Vec<Option<Patch>>,
    /// The patch of each triangle.
    owner: Vec<u32>,
    /// How many steps a patch may span.
    most_span: i64,
    /// How many steps a corner may be off, in a patch that is large enough.
    most_off: i64,
}

impl<'a> Work<'a> {
    fn new(mesh: &'a ExactMesh, beyond: &'a [[Beyond; 3]]) -> Self {
        let triangles = mesh.triangles().len() as u32;
        let steps = |log_of_metres: i32| match log_of_metres - mesh.exponent() {
            log if log < 0 => 0,
            log => 1 << log.min(62),
        };
        let widest = widths(mesh.corners()).into_iter().fold(0, i64::max);
        Self {
            mesh,
            beyond,
            opposite: opposite_edges(mesh),
            patches: (0..triangles).map(|triangle| Some(Patch::of_triangle(mesh, triangle))).collect(),
            owner: (0..triangles).collect(),
            most_span: steps(LOG_OF_MOST_SPAN),
            most_off: (widest >> LOG_OF_PART_OFF).min(steps(LOG_OF_MOST_OFF)),
        }
    }

    /// Joins triangles in pairs, those first that have the longest side in common: a grid becomes one of cells.
    fn join_pairs(&mut self) {
        let inner = (0..self.opposite.len() as u32).filter(|&edge| self.opposite[edge as usize] > edge);
        let mut inner: Vec<Edge> = inner.filter(|&edge| self.opposite[edge as usize] != NOTHING).collect();
        inner.sort_by_key(|&edge| {
            let [from, to] =
                [start(self.mesh, edge), end(self.mesh, edge)].map(|corner| self.mesh.corners()[corner as usize]);
            std::cmp::Reverse(preference([from, to]))
        });
        for edge in inner {
            let (a, b) = (edge / 3, self.opposite[edge as usize] / 3);
            let is_alone = |triangle: u32| {
                self.patches[triangle as usize].as_ref().is_some_and(|patch| patch.triangles.len() == 1)
            };
            if is_alone(a) && is_alone(b) {
                self.join_at(a, b);
            }
        }
    }

    /// Joins a patch with that neighbour with which it has the longest side in common, of those with which it can be; whether there is any.
    fn grow(&mut self, seed: u32) -> bool {
        let Some(patch) = &self.patches[seed as usize] else { return false };
        let mut neighbours: Vec<_> = patch
            .sides
            .iter()
            .filter_map(|side| {
                let opposite = self.opposite[*side.edges.first()? as usize];
                let other = *self.owner.get(opposite as usize / 3)?;
                (other != seed).then(|| (std::cmp::Reverse(preference(side.ends(self.mesh))), other))
            })
            .collect();
        neighbours.sort_unstable();
        neighbours.into_iter().any(|(_, other)| self.join_at(seed, other))
    }

    /// Joins one patch to another, if the two have a whole side in common and make a patch together; whether they do.
    fn join_at(&mut self, own: u32, other: u32) -> bool {
        let [Some(a), Some(b)] = [own, other].map(|patch| self.patches[patch as usize].as_ref()) else { return false };
        let Some(joined) = self.common_side(a, b).and_then(|at| self.joined([a, b], at)) else { return false };
        let moved = self.patches[other as usize].take().map(|patch| patch.triangles).unwrap_or_default();
        moved.into_iter().for_each(|triangle| self.owner[triangle as usize] = own);
        self.patches[own as usize] = Some(joined);
        true
    }

    /// The numbers of the side of each of two patches that they have in common, all of it.
    fn common_side(&self, a: &Patch, b: &Patch) -> Option<[usize; 2]> {
        let is_common = |own: &PatchSide, other: &PatchSide| {
            own.edges.len() == other.edges.len()
                && own
                    .edges
                    .iter()
                    .zip(other.edges.iter().rev())
                    .all(|(&own, &other)| self.opposite[own as usize] == other)
        };
        a.sides.iter().enumerate().find_map(|(place, own)| {
            let other = b.sides.iter().position(|other| is_common(own, other))?;
            Some([place, other])
        })
    }

    /// What two patches make that have these sides in common; `None` where that is not flat, not convex, too large, or has a side beyond
    /// which the surface does not go on in one way.
    fn joined(&self, [a, b]: [&Patch; 2], [at_a, at_b]: [usize; 2]) -> Option<Patch> {
        let low = [0, 1, 2].map(|axis| a.low[axis].min(b.low[axis]));
        let high = [0, 1, 2].map(|axis| a.high[axis].max(b.high[axis]));
        let span = (0..3).map(|axis| high[axis] - low[axis]).fold(0, i64::max);
        if span > self.most_span || dot(scaled_down(a.area), scaled_down(b.area)) <= 0 {
            return None;
        }
        let off = self.most_off.min(span >> LOG_OF_PART_OF_PATCH);
        let area = [0, 1, 2].map(|axis| a.area[axis] + b.area[axis]);
        let is_exact = a.is_exact && b.is_exact && self.are_level(a, b);
        let plane = Plane { mesh: self.mesh, beyond: self.beyond, area, off: off.into() };
        let after = |patch: &Patch, at: usize| {
            let (head, tail) = patch.sides.split_at(at);
            tail[1..].iter().chain(head).cloned().collect::<Vec<_>>()
        };
        let (mut sides, others) = (after(a, at_a), after(b, at_b));
        let first = sides.first().cloned()?;
        let turn = plane.append(&mut sides, others)?;
        // From the last of the other patch's sides to the first of its own.
        let last = sides.pop()?;
        let back = plane.turn(&last, &first)?;
        match back {
            Turn::Corner => sides.push(last),
            Turn::Straight { .. } => sides[0].edges.splice(0..0, last.edges).for_each(drop),
        }
        // Last, as all triangles are looked at for it.
        if !is_exact && !self.is_flat([a, b], area, off.into()) {
            return None;
        }
        let is_exact = is_exact && [turn, back].into_iter().all(Turn::is_exact);
        let triangles = [&a.triangles[..], &b.triangles].concat();
        ((3..=MOST_SIDES).contains(&sides.len())).then_some(Patch { triangles, sides, area, is_exact, off, low, high })
    }

    /// Whether two patches lie in one plane exactly, each of which does.
    fn are_level(&self, a: &Patch, b: &Patch) -> bool {
        let height = |corner: u32| dot(a.area, difference(self.mesh.corners()[corner as usize], [0; 3]));
        let mut corners = a.corners(self.mesh);
        let level = corners.next().map(height);
        b.corners(self.mesh).all(|corner| Some(height(corner)) == level)
    }

    /// Whether all corners of the triangles of two patches lie in a plane of this normal, but for so many steps.
    fn is_flat(&self, patches: [&Patch; 2], area: [i128; 3], off: i128) -> bool {
        let area = scaled_down(area);
        let height = |corner: GridPoint| dot(area, difference(corner, patches[0].low));
        let room = 2 * off * longest(area);
        let (mut least, mut most) = (i128::MAX, i128::MIN);
        let triangles = patches.into_iter().flat_map(|patch| &patch.triangles);
        triangles.flat_map(|&triangle| self.mesh.placed(triangle as usize)).all(|corner| {
            (least, most) = (least.min(height(corner)), most.max(height(corner)));
            most - least <= room
        })
    }
}

/// How one side of a patch follows another.
#[derive(Clone, Copy)]
enum Turn {
    Corner,
    Straight { exactly: bool },
}

impl Turn {
    const fn is_exact(self) -> bool {
        matches!(self, Self::Corner | Self::Straight { exactly: true })
    }
}

/// The plane in which two patches are joined.
struct Plane<'a> {
    mesh: &'a ExactMesh,
    beyond: &'a [[Beyond; 3]],
    area: [i128; 3],
    off: i128,
}

impl Plane<'_> {
    /// Appends sides to others, and says how they follow these; `None` where they do not as in a patch.
    fn append(&self, sides: &mut Vec<PatchSide>, mut others: Vec<PatchSide>) -> Option<Turn> {
        let (last, first) = (sides.last_mut()?, others.first_mut()?);
        let turn = self.turn(last, first)?;
        if matches!(turn, Turn::Straight { .. }) {
            last.edges.append(&mut first.edges);
            others.remove(0);
        }
        sides.append(&mut others);
        Some(turn)
    }

    /// How a side follows another; `None` where they make an inner corner, or one line beyond which the surface goes on in two ways.
    fn turn(&self, first: &PatchSide, second: &PatchSide) -> Option<Turn> {
        let [[from, corner], [_, to]] = [first, second].map(|side| side.ends(self.mesh));
        let (before, after) = (difference(corner, from), difference(to, corner));
        let room = self.off * longest(difference(to, from));
        if self.beside([from, to], corner) <= room && dot(before, after) > 0 {
            if first.edges.len() + second.edges.len() > MOST_EDGES {
                return None;
            }
            let corners = [first, second].into_iter().flat_map(|side| side.corners(self.mesh));
            let places = corners.map(|corner| self.mesh.corners()[corner as usize]);
            let beside = places.map(|place| self.beside([from, to], place)).max().unwrap_or(0);
            let is_one = beside <= room && self.is_alike(first, second);
            return is_one.then_some(Turn::Straight { exactly: beside == 0 });
        }
        (self.across(before, after) > 0).then_some(Turn::Corner)
    }

    /// How far a place lies beside a line, times the length of the line.
    fn beside(&self, [from, to]: [GridPoint; 2], place: GridPoint) -> i128 {
        self.across(difference(to, from), difference(place, from)).abs()
    }

    /// Twice the area between two vectors as seen along the axis along which the plane looks most, positive where the second is to the
    /// left of the first as seen from the front.
    fn across(&self, first: [i128; 3], second: [i128; 3]) -> i128 {
        let axis = (0..3).rev().max_by_key(|&axis: &usize| self.area[axis].unsigned_abs()).unwrap_or(0);
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        (first[u] * second[v] - first[v] * second[u]) * self.area[axis].signum()
    }

    /// Whether the surface goes on in the same way beyond two sides: both end, both are level, or both fall away as steeply.
    fn is_alike(&self, first: &PatchSide, second: &PatchSide) -> bool {
        let normal = |triangle: u32| scaled_down(self.mesh.normal(triangle as usize));
        let beyond = |side: &PatchSide| {
            let (triangle, place) = side.first();
            match self.beyond[triangle as usize][place] {
                // What falls away by rounding goes on.
                Beyond::Ridge(other) if are_alike(normal(triangle), normal(other)) => Beyond::Level,
                beyond => beyond,
            }
        };
        match (beyond(first), beyond(second)) {
            (Beyond::Ridge(one), Beyond::Ridge(other)) => are_alike(normal(one), normal(other)),
            (one, other) => one == other,
        }
    }
}

fn start(mesh: &ExactMesh, edge: Edge) -> u32 {
    mesh.triangles()[edge as usize / 3][edge as usize % 3]
}

fn end(mesh: &ExactMesh, edge: Edge) -> u32 {
    mesh.triangles()[edge as usize / 3][(edge as usize % 3 + 1) % 3]
}

fn longest(vector: [i128; 3]) -> i128 {
    vector.into_iter().map(i128::abs).fold(0, i128::max)
}

/// Which of several sides two patches are joined at first: the longer, and of those that are about as long, the one that lies most along
/// a direction that no grid is likely to have; so that the cells of a grid are joined to strips that all lie the same way.
fn preference([from, to]: [GridPoint; 2]) -> [i128; 2] {
    let about = |number: i128| {
        let bits = 128 - number.leading_zeros();
        let dropped = bits.saturating_sub(5);
        number >> dropped << dropped
    };
    let [x, y, z] = difference(to, from).map(i128::abs);
    [about(x * x + y * y + z * z), about(7 * x + 3 * y + 5 * z)]
}

/// The side of another triangle that runs back along each side of a triangle, where one goes on in its plane. There may be others there:
/// walls, and the backs of sheets that have a front on both sides.
fn opposite_edges(mesh: &ExactMesh) -> Vec<Edge> {
    let count = 3 * mesh.triangles().len() as u32;
    let mut by_ends: Vec<([u32; 2], Edge)> =
        (0..count).map(|edge| ([start(mesh, edge), end(mesh, edge)], edge)).collect();
    by_ends.sort_unstable();
    let normals: Vec<[i128; 3]> =
        (0..mesh.triangles().len()).map(|triangle| scaled_down(mesh.normal(triangle))).collect();
    let goes_on = |edge: Edge| {
        let ends = [end(mesh, edge), start(mesh, edge)];
        let first = by_ends.partition_point(|(known, _)| *known < ends);
        let others = by_ends[first..].iter().take_while(|(known, _)| *known == ends).map(|(_, other)| *other);
        let mut alike = others.filter(|&other| are_alike(normals[edge as usize / 3], normals[other as usize / 3]));
        alike.next().filter(|_| alike.next().is_none())
    };
    let found: Vec<Edge> = (0..count).map(|edge| goes_on(edge).unwrap_or(NOTHING)).collect();
    let is_mutual = |(edge, other): (Edge, Edge)| found.get(other as usize) == Some(&edge);
    (0..).zip(found.iter().copied()).map(|pair| if is_mutual(pair) { pair.1 } else { NOTHING }).collect()
}

/// Whether two normals, of 42 bits a component, are within a thousandth of a radian of each other.
fn are_alike(one: [i128; 3], other: [i128; 3]) -> bool {
    let across = [0, 1, 2].map(|axis: usize| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        one[u] * other[v] - one[v] * other[u]
    });
    longest(across) << 10 <= dot(one, other)
}

#[cfg(test)]
mod tests;
