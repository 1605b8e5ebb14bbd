//! Sides of triangles that meet along a line without having their ends in common, as where a corner of one triangle lies on the side of
//! another (a T-junction).
//!
//! From a corner where two open sides set out the same way, one with its triangle on the left and one on the right, both lines are followed
//! until they come to one corner again. What lies along both is a surface that goes on, whatever its corners.

use std::collections::BTreeMap;

use crate::geometry::hull::GridPoint;
use crate::geometry::mesh::exact::{Beyond, ExactMesh, difference, dot};

/// How far a corner may be from a line on which it counts as lying, in steps of the grid along each axis: what rounding to the grid
/// makes of a corner, and of both ends of the line. Of short lines it is a part of their length.
const MOST_OFF_LINE: i128 = 2;
const LEAST_PART: i128 = 512;
/// Open sides that begin or end in one corner, of which not more are looked at.
const MOST_AT_CORNER: usize = 16;

/// A side of a triangle that has no other along it from end to end.
#[derive(Clone, Copy, Debug)]
struct OpenSide {
    triangle: u32,
    place: usize,
    from: u32,
    to: u32,
}

/// The open sides of a mesh by the corners at which they begin and end.
struct OpenSides<'a> {
    mesh: &'a ExactMesh,
    beginning: BTreeMap<u32, Vec<OpenSide>>,
    ending: BTreeMap<u32, Vec<OpenSide>>,
}

/// What lies beyond some sides, by triangle and number.
type Found = BTreeMap<(u32, usize), Beyond>;

/// Says of sides that are open at their ends but not along their line what lies beyond them.
pub(super) fn join_along_lines(mesh: &ExactMesh, sides: &mut [[Beyond; 3]]) {
    let open = OpenSides::of(mesh, sides);
    let mut found = Found::new();
    for (corner, setting_out) in &open.beginning {
        let Some(coming_in) = open.ending.get(corner) else { continue };
        for left in setting_out.iter().take(MOST_AT_CORNER) {
            for right in coming_in.iter().take(MOST_AT_CORNER) {
                let common = open.follow(*left, *right).unwrap_or_default();
                // Of several surfaces that go on from one side, that which leans least hides the others.
                for (side, beyond) in beyond_each(mesh, &common) {
                    let known = found.entry(side).or_insert(beyond);
                    *known = if beyond.openness() < known.openness() { beyond } else { *known };
                }
            }
        }
    }
    for ((triangle, place), beyond) in found {
        sides[triangle as usize][place] = beyond;
    }
}

/// What lies beyond each of the sides: where that is several triangles one after the other, what leaves most of the side to be felt.
fn beyond_each(mesh: &ExactMesh, common: &[(OpenSide, OpenSide)]) -> Found {
    let mut found = Found::new();
    for (side, other) in common {
        let beyond = mesh.beyond_side(side.triangle, (other.triangle, other.place));
        let known = found.entry((side.triangle, side.place)).or_insert(beyond);
        *known = if beyond.openness() > known.openness() { beyond } else { *known };
    }
    found
}

impl<'a> OpenSides<'a> {
    fn of(mesh: &'a ExactMesh, sides: &[[Beyond; 3]]) -> Self {
        let (mut beginning, mut ending) = (BTreeMap::<u32, Vec<_>>::new(), BTreeMap::<u32, Vec<_>>::new());
        for ((triangle, corners), beyond) in (0..).zip(mesh.triangles()).zip(sides) {
            for place in (0..3).filter(|&place| beyond[place] == Beyond::Nothing) {
                let side = OpenSide { triangle, place, from: corners[place], to: corners[(place + 1) % 3] };
                beginning.entry(side.from).or_default().push(side);
                ending.entry(side.to).or_default().push(side);
            }
        }
        Self { mesh, beginning, ending }
    }

    /// Every two sides of which a part is common, where a line on the left, which begins with the one, and a line on the right, which ends
    /// with the other, come from one corner to one corner.
    fn follow(&self, left: OpenSide, right: OpenSide) -> Option<Vec<(OpenSide, OpenSide)>> {
        let start = self.place(left.from);
        let way = difference(self.place(left.to), start);
        let along = |corner: u32| dot(way, difference(self.place(corner), start));
        let (mut left, mut right) = (left, right);
        let mut common = Vec::new();
        // The line on the left goes on with its sides, that on the right against them.
        while along(right.from) > 0 && self.is_on_line(way, start, right.from) && self.is_on_line(way, start, left.to) {
            common.extend([(left, right), (right, left)]);
            if left.to == right.from {
                return (common.len() > 2).then_some(common);
            }
            if along(left.to) <= along(right.from) {
                left = self.next(&self.beginning, left.to, |side| along(side.to) > along(left.to))?;
            } else {
                right = self.next(&self.ending, right.from, |side| along(side.from) > along(right.from))?;
            }
        }
        None
    }

    /// The open side that goes on from a corner, if there is one only.
    fn next(
        &self,
        sides: &BTreeMap<u32, Vec<OpenSide>>,
        corner: u32,
        goes_on: impl Fn(&OpenSide) -> bool,
    ) -> Option<OpenSide> {
        let mut found = sides.get(&corner)?.iter().take(MOST_AT_CORNER).filter(|side| goes_on(side));
        let first = found.next()?;
        found.next().is_none().then_some(*first)
    }

    fn place(&self, corner: u32) -> GridPoint {
        self.mesh.corners()[corner as usize]
    }

    /// Whether a corner lies on a line through `start`, as far as the grid can tell.
    fn is_on_line(&self, way: [i128; 3], start: GridPoint, corner: u32) -> bool {
        let to = difference(self.place(corner), start);
        let across =
            [way[1] * to[2] - way[2] * to[1], way[2] * to[0] - way[0] * to[2], way[0] * to[1] - way[1] * to[0]];
        let longest = |vector: [i128; 3]| vector.map(i128::abs).into_iter().fold(0, i128::max);
        // The farther of the two ends says how exactly the line is known.
        let length = longest(way).max(longest(to));
        LEAST_PART * longest(across) <= (LEAST_PART * MOST_OFF_LINE).min(length) * length
    }
}
