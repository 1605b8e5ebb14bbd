//! A convex polyhedron on a grid: its corners, faces and edges, exactly.

use std::ops::RangeInclusive;

use crate::geometry::hull::faces::faces_of;
use crate::geometry::hull::quickhull::{GridPoint, MAX_CORNERS, SPAN, cross, difference, triangles, widths};
use crate::geometry::hull::topology::Topology;

/// Why points have no hull with a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HullError {
    /// Fewer than four different points.
    #[error("a hull needs four points that do not lie in a plane; there are {0} different ones")]
    TooFewPoints(usize),
    /// All points on a line.
    #[error("all points lie on a line, and enclose nothing")]
    InLine,
    /// All points in a plane.
    #[error("all points lie in a plane, and enclose nothing")]
    InPlane,
    /// More corners than are worked with.
    #[error("the hull has more than {MAX_CORNERS} corners")]
    TooManyCorners,
}

/// The exponents that a grid can have: its million steps are then 2^-40 m to 2^60 m long. Scenes allow far less.
pub const EXPONENTS: RangeInclusive<i32> = -60..=40;

/// The name of a shape's content: two shapes of one name are the same to the last bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// That of content with this hash.
    #[must_use]
    pub fn of(hash: blake3::Hash) -> Self {
        Self(*hash.as_bytes())
    }

    /// The name in hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl std::fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.to_hex())
    }
}

/// A convex polyhedron with its corners on a grid: the same whatever the scalar of a run, and whatever the order of the points that it
/// was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactHull {
    /// The grid has steps of `2^exponent` metres.
    exponent: i32,
    /// From the hull's origin, in steps; ascending.
    corners: Vec<GridPoint>,
    topology: Topology,
    moments: ExactMoments,
    content: ContentHash,
}

/// Integrals over a polyhedron, in steps of its grid, about its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactMoments {
    /// Six times the volume.
    pub volume: i128,
    /// 24 times the integrals of x, y and z.
    pub first: [i128; 3],
    /// 120 times the integrals of xx, yy, zz, xy, xz and yz.
    pub second: [i128; 6],
}

impl ExactHull {
    /// The hull of points of a grid with steps of `2^exponent` metres, and the point of the grid at which its origin lies: that nearest
    /// to its centre of volume. The points span at most [`SPAN`] steps along each axis.
    ///
    /// # Errors
    /// When the points enclose no volume, or the hull has too many corners.
    pub fn new(points: &[GridPoint], exponent: i32) -> Result<(Self, GridPoint), HullError> {
        let surface = Surface::of(points)?;
        let first = surface.corners[0];
        let centre = surface.seen_from(first).moments().nearest_to_centre();
        let origin = [0, 1, 2].map(|axis| first[axis] + centre[axis]);
        Ok((surface.seen_from(origin).hull(exponent), origin))
    }

    /// The hull that has these corners, in order and seen from its own origin; `None` where there is no such hull.
    #[must_use]
    pub fn of_corners(corners: &[GridPoint], exponent: i32) -> Option<Self> {
        let is_near = |steps: &i64| steps.abs() <= SPAN;
        let fits = corners.as_flattened().iter().all(is_near) && widths(corners).into_iter().all(|width| width <= SPAN);
        if !fits || !EXPONENTS.contains(&exponent) {
            return None;
        }
        let hull = Surface::of(corners).ok()?.hull(exponent);
        let is_central = hull.moments.first.iter().all(|first| first.abs() <= 2 * hull.moments.volume);
        (is_central && hull.corners == corners).then_some(hull)
    }

    /// Every second corner of a cube of two steps, each a metre.
    #[must_use]
    pub fn tetrahedron() -> Self {
        let corners = [[-1, -1, 1], [-1, 1, -1], [1, -1, -1], [1, 1, 1]];
        let faces = vec![vec![0, 1, 2], vec![0, 2, 3], vec![0, 3, 1], vec![1, 3, 2]];
        let at = |face: &Vec<u16>| [0, 1, 2].map(|place| corners[usize::from(face[place])]);
        let triangles = faces.iter().map(at).collect();
        Surface { corners: corners.to_vec(), topology: Topology::new(faces), triangles }.hull(0)
    }

    /// The hull seen in a mirror across a coordinate axis.
    #[must_use]
    pub fn mirrored(&self, axis: usize) -> Self {
        let mut corners = self.corners.clone();
        corners.iter_mut().for_each(|corner| corner[axis] = -corner[axis]);
        Surface::of(&corners).map_or_else(|_| self.clone(), |surface| surface.hull(self.exponent))
    }

    /// The binary exponent of the grid: its steps are `2^exponent` metres.
    #[must_use]
    pub const fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The corners from the origin, in steps of the grid, ascending.
    #[must_use]
    pub fn corners(&self) -> &[GridPoint] {
        &self.corners
    }

    /// Its faces and edges.
    #[must_use]
    pub const fn topology(&self) -> &Topology {
        &self.topology
    }

    /// What it is called by its content.
    #[must_use]
    pub const fn content(&self) -> ContentHash {
        self.content
    }

    /// The normal of a face, as long as twice its area. Where its corners lie only nearly in a plane, it is that of the plane between.
    #[must_use]
    pub fn face_normal(&self, face: usize) -> GridPoint {
        let corners = self.topology.face(face);
        let from_first =
            |corner: u16| difference(self.corners[usize::from(corner)], self.corners[usize::from(corners[0])]);
        let triangles = corners[1..].windows(2).map(|pair| cross(from_first(pair[0]), from_first(pair[1])));
        triangles.fold([0; 3], |sum, normal| [0, 1, 2].map(|axis| sum[axis] + normal[axis]))
    }

    /// The integrals that mass properties are made of.
    #[must_use]
    pub const fn moments(&self) -> &ExactMoments {
        &self.moments
    }
}

impl ExactMoments {
    /// The point of the grid nearest to the centre of volume.
    fn nearest_to_centre(&self) -> GridPoint {
        self.first.map(|first| (2 * first + 4 * self.volume).div_euclid(8 * self.volume) as i64)
    }

    /// Adds the tetrahedron between the origin and a triangle.
    fn add(&mut self, [a, b, c]: [[i128; 3]; 3]) {
        let determinant = a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
        self.volume += determinant;
        for axis in 0..3 {
            self.first[axis] += determinant * (a[axis] + b[axis] + c[axis]);
        }
        for (sum, [i, j]) in self.second.iter_mut().zip([[0, 0], [1, 1], [2, 2], [0, 1], [0, 2], [1, 2]]) {
            let all = [a[i] + b[i] + c[i], a[j] + b[j] + c[j]];
            let own = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
            *sum += determinant * (own + all[0] * all[1]);
        }
    }
}

/// The surface around some points.
struct Surface {
    /// Ascending.
    corners: Vec<GridPoint>,
    topology: Topology,
    /// The very hull of the corners, which faces follow but for what counts as flat: the corners of its triangles.
    triangles: Vec<[GridPoint; 3]>,
}

impl Surface {
    fn of(points: &[GridPoint]) -> Result<Self, HullError> {
        let (mut points, mut are_fewer) = (points.to_vec(), false);
        loop {
            // Of points that are no hull without those that count as none, it is so that they enclose nothing that counts.
            let triangles = triangles(&points).map_err(|error| if are_fewer { HullError::InPlane } else { error })?;
            let faces = faces_of(&triangles, &points);
            let places = |corners: &mut dyn Iterator<Item = usize>| {
                let mut corners: Vec<_> = corners.map(|corner| points[corner]).collect();
                corners.sort_unstable();
                corners.dedup();
                corners
            };
            let corners = places(&mut faces.iter().flat_map(|face| turns_of(face, &points)));
            if corners.len() == places(&mut triangles.iter().flat_map(|triangle| triangle.corners)).len() {
                if corners.len() > MAX_CORNERS {
                    return Err(HullError::TooManyCorners);
                }
                let number = |corner: usize| corners.partition_point(|place| *place < points[corner]) as u16;
                let faces = faces.iter().map(|face| face.iter().map(|&corner| number(corner)).collect()).collect();
                let triangles =
                    triangles.iter().map(|triangle| triangle.corners.map(|corner| points[corner])).collect();
                return Ok(Self { topology: Topology::new(faces), triangles, corners });
            }
            // What lies within a face or an edge, or stands out of the middle of a face by less than counts, is no corner. The others are then seen afresh, so that the
            // hull of the corners of a hull is that hull.
            (points, are_fewer) = (corners, true);
        }
    }

    fn seen_from(&self, origin: GridPoint) -> Self {
        Self {
            corners: self.corners.iter().map(|&corner| difference(corner, origin)).collect(),
            topology: self.topology.clone(),
            triangles: self.triangles.iter().map(|corners| corners.map(|corner| difference(corner, origin))).collect(),
        }
    }

    /// The integrals over the tetrahedra between the origin and the triangles. Corners are at most 2^20 steps away, so that no sum over
    /// 2 * 255 triangles leaves 128 bits.
    fn moments(&self) -> ExactMoments {
        let mut moments = ExactMoments { volume: 0, first: [0; 3], second: [0; 6] };
        self.triangles.iter().for_each(|corners| moments.add(corners.map(|corner| corner.map(i128::from))));
        moments
    }

    fn hull(self, exponent: i32) -> ExactHull {
        let content = content(exponent, &self.corners, &self.topology);
        let moments = self.moments();
        ExactHull { exponent, corners: self.corners, topology: self.topology, moments, content }
    }
}

/// The points of a loop at which it does not go straight on.
fn turns_of(face: &[usize], points: &[GridPoint]) -> Vec<usize> {
    let at = |place: usize| points[face[place % face.len()]];
    let turns = (0..face.len()).filter(|&place| {
        let (before, here, after) = (at(place + face.len() - 1), at(place), at(place + 1));
        cross(difference(here, before), difference(after, here)) != [0; 3]
    });
    turns.map(|place| face[place]).collect()
}

/// The BLAKE3 hash of all that the hull is.
fn content(exponent: i32, corners: &[GridPoint], topology: &Topology) -> ContentHash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"physim convex hull 1");
    hasher.update(&exponent.to_le_bytes());
    hasher.update(&(corners.len() as u64).to_le_bytes());
    corners.as_flattened().iter().for_each(|coordinate| {
        hasher.update(&coordinate.to_le_bytes());
    });
    for face in 0..topology.face_count() {
        let loop_of_corners = topology.face(face);
        hasher.update(&(loop_of_corners.len() as u64).to_le_bytes());
        loop_of_corners.iter().for_each(|corner| {
            hasher.update(&corner.to_le_bytes());
        });
    }
    ContentHash(*hasher.finalize().as_bytes())
}
