//! From the triangles around a hull to its faces: triangles of one plane, and of nearly one, are one face.
//!
//! Points that are meant to lie in a plane seldom do: the corners of a dodecahedron are irrational, and a scan is noisy. A body that
//! rests on such a face has to rest on all of it, not on one of the triangles that it falls into.

use crate::geometry::hull::quickhull::{GridPoint, Triangle, difference, dot, square, widths};

/// Corners less than this part of the least width of the points, by axis, below the plane of a face belong to it.
const FLAT_PART: i64 = 1 << 12;
/// The least depth that counts as flat, in steps of the grid: points are rounded to half a step along each axis.
const LEAST_FLAT: i64 = 2;
/// What is thinner than so many steps has the faces that its points say, for there two steps are no rounding.
const THIN: i64 = 1 << 10;

/// How far below the plane of a face a corner may lie that still belongs to it, in steps of the grid.
#[must_use]
pub fn flatness(points: &[GridPoint]) -> i64 {
    let [x, y, z] = widths(points);
    let least = x.min(y).min(z);
    if least < THIN { 0 } else { LEAST_FLAT.max(least / FLAT_PART) }
}

/// The faces as loops of points, counter-clockwise as seen from outside. A point within a face is in no loop.
pub(super) fn faces_of(triangles: &[Triangle], points: &[GridPoint]) -> Vec<Vec<usize>> {
    let mut merging = Merging { triangles, points, face: exact_planes(triangles, points), flatness: flatness(points) };
    let mut is_taken = vec![false; triangles.len()];
    for seed in merging.by_size() {
        merging.grow(seed, &mut is_taken);
    }
    let mut is_done = vec![false; triangles.len()];
    let mut faces = Vec::new();
    for first in 0..triangles.len() {
        let is_rim = |&side: &usize| merging.is_rim(first, side);
        let Some(side) = (0..3).find(is_rim) else { continue };
        if !std::mem::replace(&mut is_done[merging.face[first]], true) {
            faces.push(merging.rim([first, side]));
        }
    }
    faces
}

/// For each triangle the first of those that lie in its plane and hang together with it.
fn exact_planes(triangles: &[Triangle], points: &[GridPoint]) -> Vec<usize> {
    let mut plane = vec![usize::MAX; triangles.len()];
    for first in 0..triangles.len() {
        let mut found = if plane[first] == usize::MAX { vec![first] } else { Vec::new() };
        while let Some(triangle) = found.pop() {
            plane[triangle] = first;
            found.extend(triangles[triangle].neighbours.into_iter().filter(|&neighbour| {
                let corners = triangles[neighbour].corners;
                plane[neighbour] == usize::MAX && corners.iter().all(|&corner| triangles[first].holds(points, corner))
            }));
        }
    }
    plane
}

/// Triangles that are put together to faces.
struct Merging<'a> {
    triangles: &'a [Triangle],
    points: &'a [GridPoint],
    /// The face of each triangle: the number of one of its triangles.
    face: Vec<usize>,
    /// See [`flatness`].
    flatness: i64,
}

impl Merging<'_> {
    /// The triangles of a face.
    fn members(&self, face: usize) -> Vec<usize> {
        (0..self.triangles.len()).filter(|&triangle| self.face[triangle] == face).collect()
    }

    /// The sum of the normals of some triangles, each twice as long as the triangle is large.
    fn area(&self, triangles: &[usize]) -> GridPoint {
        let normals = triangles.iter().map(|&triangle| self.triangles[triangle].normal());
        normals.fold([0; 3], |sum, normal| [0, 1, 2].map(|axis| sum[axis] + normal[axis]))
    }

    /// All faces, the largest first; of several the one whose corners come first. So the order of the points does not matter.
    fn by_size(&self) -> Vec<usize> {
        let mut faces: Vec<_> = (0..self.triangles.len()).filter(|&triangle| self.face[triangle] == triangle).collect();
        faces.sort_by_cached_key(|&face| {
            let members = self.members(face);
            let corners = members.iter().flat_map(|&triangle| self.triangles[triangle].corners);
            let mut corners: Vec<_> = corners.map(|corner| self.points[corner]).collect();
            corners.sort_unstable();
            (std::cmp::Reverse(square(self.area(&members))), corners)
        });
        faces
    }

    /// Adds to a face the faces around it that lie nearly in its plane and look nearly the same way, unless these no longer have one rim.
    fn grow(&mut self, seed: usize, is_taken: &mut [bool]) {
        if is_taken[self.face[seed]] {
            return;
        }
        let own = self.members(seed);
        let (normal, origin) = (self.area(&own), self.points[self.triangles[seed].corners[0]]);
        let before = self.face.clone();
        let mut next = own;
        while let Some(triangle) = next.pop() {
            for neighbour in self.triangles[triangle].neighbours {
                let face = self.face[neighbour];
                if face == seed || is_taken[face] {
                    continue;
                }
                let members = self.members(face);
                if self.lies_in_plane(&members, normal, origin) {
                    members.iter().for_each(|&member| self.face[member] = seed);
                    next.extend(members);
                }
            }
        }
        if !self.has_one_rim(seed) {
            self.face = before;
        }
        is_taken[seed] = true;
    }

    /// Whether triangles lie no deeper below a plane than counts as flat, and look within 60 degrees the same way.
    fn lies_in_plane(&self, triangles: &[usize], normal: GridPoint, origin: GridPoint) -> bool {
        let most = i128::from(self.flatness) * i128::from(self.flatness) * square(normal);
        let mut corners = triangles.iter().flat_map(|&triangle| self.triangles[triangle].corners);
        let is_near = corners.all(|corner| {
            let depth = i128::from(dot(normal, difference(self.points[corner], origin)));
            depth * depth <= most
        });
        let (own, other) = (shortened(normal), shortened(self.area(triangles)));
        let cosine = dot(own, other);
        is_near && cosine > 0 && 4 * i128::from(cosine) * i128::from(cosine) >= square(own) * square(other)
    }

    fn is_rim(&self, triangle: usize, side: usize) -> bool {
        self.face[self.triangles[triangle].neighbours[side]] != self.face[triangle]
    }

    /// Whether the rim of a face is one loop that comes to no point twice.
    fn has_one_rim(&self, face: usize) -> bool {
        let members = self.members(face);
        let sides = members.into_iter().flat_map(|triangle| [0, 1, 2].map(|side| [triangle, side]));
        let rim: Vec<_> = sides.filter(|&[triangle, side]| self.is_rim(triangle, side)).collect();
        let Some(&first) = rim.first() else { return false };
        let mut corners = self.rim(first);
        corners.sort_unstable();
        corners.dedup();
        corners.len() == rim.len()
    }

    /// The points along the rim of a face, from an edge of it on.
    fn rim(&self, first: [usize; 2]) -> Vec<usize> {
        let mut corners = Vec::new();
        let [mut triangle, mut side] = first;
        loop {
            corners.push(self.triangles[triangle].corners[side]);
            side = (side + 1) % 3;
            let end = self.triangles[triangle].corners[side];
            // Around the corner, through the triangles of the face, to the edge of the rim that begins there.
            while !self.is_rim(triangle, side) {
                triangle = self.triangles[triangle].neighbours[side];
                side = self.triangles[triangle].corners.iter().position(|&corner| corner == end).unwrap_or(0);
            }
            if [triangle, side] == first {
                return corners;
            }
        }
    }
}

/// A vector with its longest component brought below 2^30, so that squares of products fit.
fn shortened(vector: GridPoint) -> GridPoint {
    let longest = vector.into_iter().map(i64::unsigned_abs).fold(0, u64::max);
    let shift = (64 - longest.leading_zeros()).saturating_sub(29);
    vector.map(|component| component >> shift)
}
