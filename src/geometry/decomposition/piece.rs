//! A piece of the solid: what of it lies in a convex cell, with a surface that is closed at all times.
//!
//! Where a piece is cut, each loop that is left open is closed by a fan about one of its corners. In a loop that is not convex such fans
//! overlap, once with their front on this side and once on the other: that counts as nothing, in volumes as in angles, so that no polygon is
//! ever cut into triangles properly, and whatever the surface is like nothing can go wrong with it. What is built on this: the corners of a piece
//! are those of the surface of the solid (its skin), and corners of the cell within the solid.

use std::collections::BTreeMap;

use crate::geometry::decomposition::plane::{
    HalfSpace, IN_PLANE, Place, between, cross, dot, meeting_point, minus, nearest,
};
use crate::geometry::hull::{GridPoint, enclosed_volume};

/// How far a corner of a cell is moved into the cell before it is asked whether it lies in the solid, as a share of the way to its middle: it
/// may lie in the surface.
const INWARDS: f64 = 1.0 / 1024.0;
/// What encloses a smaller share of the whole, more or less than nothing, is flat.
const FLAT: f64 = 1e-6;
/// How many points may make the hull whose volume is asked for; more of them hardly add to it.
const MOST_POINTS: usize = 384;

/// A corner of the surface of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) at: Place,
    /// The corner of the solid that it is, if it is one.
    pub(super) source: Option<u32>,
}

/// A piece of the solid.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) vertices: Vec<Vertex>,
    /// Triangles of the surface of the solid, or what is left of them.
    pub(super) skin: Vec<[u32; 3]>,
    /// Triangles of the fans that close the cuts.
    caps: Vec<[u32; 3]>,
    /// The half-spaces whose common part is the cell.
    cell: Vec<HalfSpace>,
    /// Corners of the cell that lie within the solid.
    inner: Vec<Place>,
    pub(super) volume: f64,
    pub(super) hull_volume: f64,
}

impl Piece {
    /// The whole solid, in pieces that do not hang together.
    pub(super) fn whole(vertices: Vec<Vertex>, skin: Vec<[u32; 3]>) -> Vec<Self> {
        Self::from_parts(vertices, skin, Vec::new(), Vec::new()).components(&[])
    }

    fn from_parts(vertices: Vec<Vertex>, skin: Vec<[u32; 3]>, caps: Vec<[u32; 3]>, cell: Vec<HalfSpace>) -> Self {
        Self { vertices, skin, caps, cell, inner: Vec::new(), volume: 0.0, hull_volume: 0.0 }
    }

    /// By how much its hull is larger than it is.
    pub(super) fn excess(&self) -> f64 {
        let excess = self.hull_volume - self.volume;
        if excess > 0.0 { excess } else { 0.0 }
    }

    /// The places around which its hull lies, and the corners of the solid that they are.
    pub(super) fn hull_points(&self) -> Vec<Vertex> {
        let mut used = vec![false; self.vertices.len()];
        self.skin.as_flattened().iter().for_each(|&corner| used[corner as usize] = true);
        let skin = self.vertices.iter().zip(used).filter(|(_, used)| *used).map(|(vertex, _)| *vertex);
        skin.chain(self.inner.iter().map(|&at| Vertex { at, source: None })).collect()
    }

    /// Its two sides of a plane, in pieces that do not hang together: fewer than two where the plane passes by.
    pub(super) fn cut(&self, plane: &HalfSpace) -> Vec<Self> {
        let mut pieces = Vec::new();
        for side in [*plane, plane.turned()] {
            let half = self.within(&side);
            if !half.skin.is_empty() {
                pieces.extend(half.components(&self.inner_corners(&side)));
            }
        }
        pieces
    }

    /// What of its surface lies in a half-space, closed where it is cut.
    fn within(&self, side: &HalfSpace) -> Self {
        let mut clipper = Clipper::new(self, side);
        let skin = clipper.clip(&self.skin);
        let mut caps = clipper.clip(&self.caps);
        caps.extend(clipper.fans(&[&skin, &caps]));
        let Clipper { vertices, .. } = clipper;
        Self::from_parts(vertices, skin, caps, self.cell.iter().copied().chain([*side]).collect())
    }

    /// Corners that its cell may have in the solid once it ends at a plane: those that it had, and those in the plane.
    fn inner_corners(&self, side: &HalfSpace) -> Vec<Place> {
        let mut corners: Vec<Place> =
            self.inner.iter().copied().filter(|&corner| side.height(corner) <= IN_PLANE).collect();
        for (place, first) in self.cell.iter().enumerate() {
            for second in &self.cell[..place] {
                let Some(corner) = meeting_point([side, first, second]) else { continue };
                if self.cell.iter().all(|plane| plane.height(corner) <= IN_PLANE) && self.surrounds(corner) {
                    corners.push(corner);
                }
            }
        }
        corners
    }

    /// Whether a place lies in its box.
    fn surrounds(&self, place: Place) -> bool {
        let [least, most] = self.bounds();
        (0..3).all(|axis| (least[axis] - IN_PLANE..=most[axis] + IN_PLANE).contains(&place[axis]))
    }

    /// The least and the largest coordinates of its corners.
    pub(super) fn bounds(&self) -> [Place; 2] {
        let along = |axis: usize| self.vertices.iter().map(move |vertex| vertex.at[axis]);
        let pick = |axis: usize, is_better: fn(f64, f64) -> bool| {
            along(axis).reduce(|best, next| if is_better(next, best) { next } else { best }).unwrap_or(0.0)
        };
        let all = |is_better: fn(f64, f64) -> bool| [0, 1, 2].map(|axis| pick(axis, is_better));
        [all(|a, b| a < b), all(|a, b| a > b)]
    }

    /// Pieces that do not hang together, each with those of some corners of the cell that lie in it. A hollow stays with what it is in:
    /// where a part of the surface encloses less than nothing, there is one piece.
    fn components(self, corners: &[Place]) -> Vec<Self> {
        let numbers = groups(self.vertices.len(), self.skin.iter().chain(&self.caps));
        let count = numbers.iter().copied().max().map_or(0, |most| most as usize + 1);
        let mut parts: Vec<Self> =
            (0..count).map(|_| Self::from_parts(Vec::new(), Vec::new(), Vec::new(), self.cell.clone())).collect();
        let mut new_numbers = vec![0_u32; self.vertices.len()];
        for (old, vertex) in self.vertices.iter().enumerate() {
            let part = &mut parts[numbers[old] as usize];
            new_numbers[old] = part.vertices.len() as u32;
            part.vertices.push(*vertex);
        }
        let renumbered = |triangle: &[u32; 3]| triangle.map(|corner| new_numbers[corner as usize]);
        for triangle in &self.skin {
            parts[numbers[triangle[0] as usize] as usize].skin.push(renumbered(triangle));
        }
        for triangle in &self.caps {
            parts[numbers[triangle[0] as usize] as usize].caps.push(renumbered(triangle));
        }
        let touched = |part: &Self| !part.skin.is_empty() || !part.caps.is_empty();
        parts.retain(touched);
        let volumes: Vec<f64> = parts.iter().map(Self::enclosed).collect();
        let least = -FLAT * volumes.iter().map(|volume| volume.abs()).sum::<f64>();
        let is_hollow = volumes.iter().any(|&volume| volume < least);
        let mut pieces = if is_hollow { vec![self.without_unused()] } else { parts };
        pieces.iter_mut().for_each(|piece| piece.measure(corners));
        pieces.retain(|piece| piece.volume > 0.0 && piece.hull_volume > 0.0);
        pieces
    }

    fn without_unused(self) -> Self {
        let mut numbers = vec![u32::MAX; self.vertices.len()];
        let mut vertices = Vec::new();
        for &corner in self.skin.as_flattened().iter().chain(self.caps.as_flattened()) {
            let number = &mut numbers[corner as usize];
            if *number == u32::MAX {
                *number = vertices.len() as u32;
                vertices.push(self.vertices[corner as usize]);
            }
        }
        let renumbered = |triangle: &[u32; 3]| triangle.map(|corner| numbers[corner as usize]);
        let (skin, caps) = (self.skin.iter().map(renumbered).collect(), self.caps.iter().map(renumbered).collect());
        Self { vertices, skin, caps, ..self }
    }

    /// Finds its volume, those of some corners of the cell that lie in it, and the volume of its hull.
    fn measure(&mut self, corners: &[Place]) {
        self.volume = self.enclosed();
        let count = self.vertices.len() as f64;
        let sum = |axis: usize| self.vertices.iter().map(|vertex| vertex.at[axis]).sum::<f64>();
        let middle = [0, 1, 2].map(|axis| sum(axis) / count);
        self.inner = corners.iter().copied().filter(|&corner| self.holds(between(corner, middle, INWARDS))).collect();
        let points: Vec<GridPoint> = self.hull_points().iter().map(|vertex| vertex.at.map(nearest)).collect();
        self.hull_volume = enclosed_volume(&points, MOST_POINTS);
    }

    /// How many triangles its surface has, those of the fans among them.
    pub(super) fn triangle_count(&self) -> usize {
        self.skin.len() + self.caps.len()
    }

    fn triangles(&self) -> impl Iterator<Item = [Place; 3]> {
        self.skin.iter().chain(&self.caps).map(|triangle| self.placed(triangle))
    }

    /// The places of the corners of a triangle.
    pub(super) fn placed(&self, triangle: &[u32; 3]) -> [Place; 3] {
        triangle.map(|corner| self.vertices[corner as usize].at)
    }

    /// What its surface encloses.
    fn enclosed(&self) -> f64 {
        let Some(origin) = self.vertices.first() else { return 0.0 };
        let from = |point: Place| minus(point, origin.at);
        self.triangles().map(|[a, b, c]| dot(from(a), cross(from(b), from(c)))).sum::<f64>() / 6.0
    }

    /// Whether its surface goes around a place: the solid angle under which it is seen from there.
    ///
    /// A. van Oosterom, J. Strackee, "The Solid Angle of a Plane Triangle", 1983.
    fn holds(&self, place: Place) -> bool {
        let half_angle = |corners: [Place; 3]| {
            let [a, b, c] = corners.map(|corner| minus(corner, place));
            let [long_a, long_b, long_c] = [a, b, c].map(|arm| dot(arm, arm).sqrt());
            let across = long_a * long_b * long_c + dot(a, b) * long_c + dot(b, c) * long_a + dot(c, a) * long_b;
            libm::atan2(dot(a, cross(b, c)), across)
        };
        self.triangles().map(half_angle).sum::<f64>() > std::f64::consts::PI
    }
}

/// Cuts triangles at a plane, those that share a side at the same place.
struct Clipper<'a> {
    vertices: Vec<Vertex>,
    /// How far each vertex lies outside: nothing where it lies in the plane.
    heights: Vec<f64>,
    /// Where sides are cut, by their ends.
    cuts: BTreeMap<[u32; 2], u32>,
    side: &'a HalfSpace,
}

impl<'a> Clipper<'a> {
    fn new(piece: &Piece, side: &'a HalfSpace) -> Self {
        let height = |vertex: &Vertex| {
            let height = side.height(vertex.at);
            if height.abs() <= IN_PLANE { 0.0 } else { height }
        };
        Self {
            heights: piece.vertices.iter().map(height).collect(),
            vertices: piece.vertices.clone(),
            cuts: BTreeMap::new(),
            side,
        }
    }

    fn clip(&mut self, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        let mut kept = Vec::new();
        for triangle in triangles {
            let heights = triangle.map(|corner| self.heights[corner as usize]);
            let below = heights.iter().filter(|height| **height < 0.0).count();
            let above = heights.iter().filter(|height| **height > 0.0).count();
            let is_kept = if below == 0 { above == 0 && self.looks_out(triangle) } else { above == 0 };
            if is_kept {
                kept.push(*triangle);
            } else if below > 0 && above > 0 {
                let polygon = self.polygon(triangle);
                kept.extend(polygon[1..].windows(2).map(|pair| [polygon[0], pair[0], pair[1]]));
            }
        }
        kept
    }

    /// Whether a triangle in the plane has the solid on this side of it.
    fn looks_out(&self, triangle: &[u32; 3]) -> bool {
        let [a, b, c] = triangle.map(|corner| self.vertices[corner as usize].at);
        dot(cross(minus(b, a), minus(c, a)), self.side.normal) > 0.0
    }

    /// What of a triangle lies on this side, where some of it does.
    fn polygon(&mut self, triangle: &[u32; 3]) -> Vec<u32> {
        let mut polygon = Vec::with_capacity(4);
        for place in 0..3 {
            let (from, to) = (triangle[place], triangle[(place + 1) % 3]);
            let [at, next] = [from, to].map(|corner| self.heights[corner as usize]);
            if at <= 0.0 {
                polygon.push(from);
            }
            if (at < 0.0 && next > 0.0) || (at > 0.0 && next < 0.0) {
                polygon.push(self.cut(from, to));
            }
        }
        polygon
    }

    fn cut(&mut self, from: u32, to: u32) -> u32 {
        let ends = [from.min(to), from.max(to)];
        if let Some(&known) = self.cuts.get(&ends) {
            return known;
        }
        let [low, high] = ends.map(|end| (self.vertices[end as usize].at, self.heights[end as usize]));
        let at = between(low.0, high.0, low.1 / (low.1 - high.1));
        let number = self.vertices.len() as u32;
        self.vertices.push(Vertex { at, source: None });
        self.heights.push(0.0);
        self.cuts.insert(ends, number);
        number
    }

    /// Fans over all that is open, each about the smallest corner of what hangs together.
    fn fans(&self, kept: &[&Vec<[u32; 3]>]) -> Vec<[u32; 3]> {
        let mut open: BTreeMap<[u32; 2], i32> = BTreeMap::new();
        for &[a, b, c] in kept.iter().copied().flatten() {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                if self.heights[from as usize] == 0.0 && self.heights[to as usize] == 0.0 {
                    *open.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
                }
            }
        }
        open.retain(|_, times| *times != 0);
        let rims: Vec<[u32; 3]> = open.keys().map(|&[from, to]| [from, to, to]).collect();
        let numbers = groups(self.vertices.len(), rims.iter());
        let mut apexes: BTreeMap<u32, u32> = BTreeMap::new();
        let mut fans = Vec::new();
        for (&[low, high], &times) in &open {
            let apex = *apexes.entry(numbers[low as usize]).or_insert(low);
            if apex != low && apex != high {
                let fan = if times > 0 { [apex, high, low] } else { [apex, low, high] };
                fans.extend(std::iter::repeat_n(fan, times.unsigned_abs() as usize));
            }
        }
        fans
    }
}

/// For each of so many vertices the number of what hangs together with it by triangles, counted by the smallest vertex in it.
fn groups<'a>(count: usize, triangles: impl Iterator<Item = &'a [u32; 3]>) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..count as u32).collect();
    fn root(parents: &mut [u32], mut vertex: u32) -> u32 {
        while parents[vertex as usize] != vertex {
            parents[vertex as usize] = parents[parents[vertex as usize] as usize];
            vertex = parents[vertex as usize];
        }
        vertex
    }
    for &[a, b, c] in triangles {
        for other in [b, c] {
            let (first, second) = (root(&mut parents, a), root(&mut parents, other));
            parents[first.max(second) as usize] = first.min(second);
        }
    }
    let mut next = 0;
    let mut numbers = vec![0_u32; count];
    for vertex in 0..count as u32 {
        let root = root(&mut parents, vertex);
        if root == vertex {
            numbers[vertex as usize] = next;
            next += 1;
        } else {
            numbers[vertex as usize] = numbers[root as usize];
        }
    }
    numbers
}
