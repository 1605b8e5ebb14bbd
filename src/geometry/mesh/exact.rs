//! A triangle mesh on a grid: its corners and triangles, exactly.

use std::collections::{BTreeMap, BTreeSet};

use crate::geometry::hull::exact::EXPONENTS;
use crate::geometry::hull::{ContentHash, GridPoint, widths};
use crate::geometry::mesh::junctions::join_along_lines;

/// The most steps that a mesh spans along an axis: products of three of them fit 128 bits with room to spare.
pub const MESH_SPAN: i64 = 1 << 30;
/// The most triangles of a mesh.
pub const MAX_TRIANGLES: usize = 1 << 17;

/// Why triangles make no mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeshError {
    /// No triangle has an area.
    #[error("no triangle has an area, of {0} in all")]
    NoArea(usize),
    /// More triangles than are worked with.
    #[error("there are {0} triangles, more than {MAX_TRIANGLES}")]
    TooManyTriangles(usize),
    /// A triangle names a corner that is not there.
    #[error("triangle {triangle} names corner {corner}; there are {corners}, counted from 0")]
    NoSuchCorner {
        /// The triangle, counted from 0.
        triangle: usize,
        /// The corner that it names.
        corner: u32,
        /// How many there are.
        corners: usize,
    },
}

/// What was left out of the triangles that a mesh was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Triangles without an area.
    pub flat: usize,
    /// Triangles that are there already, with their front on the same side.
    pub repeated: usize,
}

/// A triangle mesh with its corners on a grid: the same whatever the scalar of a run. Triangles keep the order in which they were given,
/// corners ascend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactMesh {
    /// The grid has steps of `2^exponent` metres.
    exponent: i32,
    /// From the mesh's origin, in steps; ascending, each once.
    corners: Vec<GridPoint>,
    /// By the numbers of their corners, counter-clockwise as seen from the front, the smallest first.
    triangles: Vec<[u32; 3]>,
    content: ContentHash,
}

impl ExactMesh {
    /// The mesh of points of a grid with steps of `2^exponent` metres; the point of the grid in the middle of their box, at which its
    /// origin lies; and what was left out. Points in the same place are one corner. The points span at most [`MESH_SPAN`] steps along
    /// each axis.
    ///
    /// # Errors
    /// When no triangle has an area, or there are too many, or one names a point that is not there.
    pub fn new(
        points: &[GridPoint],
        triangles: &[[u32; 3]],
        exponent: i32,
    ) -> Result<(Self, GridPoint, LeftOut), MeshError> {
        if triangles.len() > MAX_TRIANGLES {
            return Err(MeshError::TooManyTriangles(triangles.len()));
        }
        let mut placed = Vec::with_capacity(triangles.len());
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= points.len()) {
                return Err(MeshError::NoSuchCorner { triangle, corner, corners: points.len() });
            }
            placed.push(corners.map(|corner| points[corner as usize]));
        }
        let mut left_out = LeftOut::default();
        let mut seen = BTreeSet::new();
        placed.retain_mut(|corners| {
            let smallest = (0..3).min_by_key(|&place| corners[place]).unwrap_or(0);
            corners.rotate_left(smallest);
            let has_area = area_vector(corners) != [0; 3];
            let is_new = has_area && seen.insert(*corners);
            left_out.flat += usize::from(!has_area);
            left_out.repeated += usize::from(has_area && !is_new);
            is_new
        });
        if placed.is_empty() {
            return Err(MeshError::NoArea(triangles.len()));
        }
        let used: BTreeSet<GridPoint> = placed.as_flattened().iter().copied().collect();
        let origin = middle(&used);
        let numbers: BTreeMap<GridPoint, u32> = used.iter().copied().zip(0..).collect();
        let corners: Vec<_> = used.iter().map(|point| [0, 1, 2].map(|axis| point[axis] - origin[axis])).collect();
        let triangles = placed.iter().map(|corners| corners.map(|corner| numbers[&corner])).collect();
        Ok((Self::with_content(exponent, corners, triangles), origin, left_out))
    }

    /// The mesh of these corners and triangles as another one has them; `None` where there is no such mesh.
    #[must_use]
    pub fn of_parts(corners: &[GridPoint], triangles: &[[u32; 3]], exponent: i32) -> Option<Self> {
        let is_near = |steps: &i64| steps.abs() <= MESH_SPAN;
        if !EXPONENTS.contains(&exponent) {
            return None;
        }
        if !corners.as_flattened().iter().all(is_near) || widths(corners).into_iter().any(|width| width > MESH_SPAN) {
            return None;
        }
        let (mesh, origin, _) = Self::new(corners, triangles, exponent).ok()?;
        (origin == [0; 3] && mesh.corners == corners && mesh.triangles == triangles).then_some(mesh)
    }

    /// One triangle in a plane across y, to read another mesh into.
    #[must_use]
    pub fn triangle() -> Self {
        Self::with_content(0, vec![[-1, 0, -1], [-1, 0, 1], [1, 0, -1]], vec![[0, 1, 2]])
    }

    /// The mesh seen in a mirror across a coordinate axis: each triangle under its number, with its front still in front.
    #[must_use]
    pub fn mirrored(&self, axis: usize) -> Self {
        let mut order: Vec<(GridPoint, u32)> = self.corners.iter().copied().zip(0..).collect();
        order.iter_mut().for_each(|(corner, _)| corner[axis] = -corner[axis]);
        order.sort_unstable();
        let mut numbers = vec![0_u32; order.len()];
        for (new, &(_, old)) in (0..).zip(&order) {
            numbers[old as usize] = new;
        }
        let turned_over = |&[a, b, c]: &[u32; 3]| {
            let mut corners = [a, c, b].map(|corner| numbers[corner as usize]);
            let smallest = (0..3).min_by_key(|&place| corners[place]).unwrap_or(0);
            corners.rotate_left(smallest);
            corners
        };
        let triangles = self.triangles.iter().map(turned_over).collect();
        Self::with_content(self.exponent, order.into_iter().map(|(corner, _)| corner).collect(), triangles)
    }

    fn with_content(exponent: i32, corners: Vec<GridPoint>, triangles: Vec<[u32; 3]>) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"physim triangle mesh 1");
        hasher.update(&exponent.to_le_bytes());
        hasher.update(&(corners.len() as u64).to_le_bytes());
        corners.as_flattened().iter().for_each(|steps| {
            hasher.update(&steps.to_le_bytes());
        });
        triangles.as_flattened().iter().for_each(|corner| {
            hasher.update(&corner.to_le_bytes());
        });
        let content = ContentHash::of(hasher.finalize());
        Self { exponent, corners, triangles, content }
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

    /// The triangles by the numbers of their corners.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// What it is called by its content.
    #[must_use]
    pub const fn content(&self) -> ContentHash {
        self.content
    }

    /// The corners of a triangle.
    #[must_use]
    pub fn placed(&self, triangle: usize) -> [GridPoint; 3] {
        self.triangles[triangle].map(|corner| self.corners[corner as usize])
    }

    /// For each side of each triangle, from its corner of that number to the next, what lies beyond it.
    #[must_use]
    pub fn sides(&self) -> Vec<[Beyond; 3]> {
        let mut by_ends: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
        for (number, corners) in (0..).zip(&self.triangles) {
            for place in 0..3 {
                by_ends.entry([corners[place], corners[(place + 1) % 3]]).or_default().push(number);
            }
        }
        let side = |corners: &[u32; 3], place: usize| {
            let others = by_ends.get(&[corners[(place + 1) % 3], corners[place]]).map_or(&[][..], Vec::as_slice);
            let beyond = others.iter().map(|&other| self.beyond(corners, other));
            // Of several that meet at one side the one that leans least hides the others.
            beyond.min_by_key(Beyond::openness).unwrap_or(Beyond::Nothing)
        };
        let mut sides: Vec<_> =
            self.triangles.iter().map(|corners| [0, 1, 2].map(|place| side(corners, place))).collect();
        join_along_lines(self, &mut sides);
        sides
    }

    /// What a triangle is to another that it lies beside with the side of a number, not from end to end perhaps.
    pub(super) fn beyond_side(&self, triangle: u32, (other, side): (u32, usize)) -> Beyond {
        let apex = self.triangles[other as usize][(side + 2) % 3];
        self.beyond_apex(&self.placed(triangle as usize), other, apex)
    }

    /// What a neighbour is to a triangle.
    fn beyond(&self, corners: &[u32; 3], other: u32) -> Beyond {
        let placed = corners.map(|corner| self.corners[corner as usize]);
        let apex = self.triangles[other as usize].into_iter().find(|corner| !corners.contains(corner));
        // Without one it is the same triangle seen from behind.
        apex.map_or(Beyond::Nothing, |apex| self.beyond_apex(&placed, other, apex))
    }

    /// What a neighbour is to a triangle, by the corner that it has beyond their side.
    fn beyond_apex(&self, placed: &[GridPoint; 3], other: u32, apex: u32) -> Beyond {
        let normal = area_vector(placed);
        let height = dot(normal, difference(self.corners[apex as usize], placed[0]));
        let faces = dot(scaled_down(normal), scaled_down(area_vector(&self.placed(other as usize))));
        match height {
            _ if height < 0 => Beyond::Ridge(other),
            // Folded back onto itself.
            0 if faces < 0 => Beyond::Nothing,
            _ => Beyond::Level,
        }
    }

    /// The normal of a triangle, as long as twice its area, in squared steps.
    #[must_use]
    pub fn normal(&self, triangle: usize) -> [i128; 3] {
        area_vector(&self.placed(triangle))
    }
}

/// What lies beyond a side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// No other triangle: the mesh ends there.
    Nothing,
    /// A triangle in the same plane, or one that rises in front of it: nothing can touch the side itself.
    Level,
    /// The triangle of this number, which falls away: the side sticks out.
    Ridge(u32),
}

impl Beyond {
    /// How much of a side it leaves to be felt.
    pub(super) const fn openness(&self) -> u8 {
        match self {
            Self::Level => 0,
            Self::Ridge(_) => 1,
            Self::Nothing => 2,
        }
    }
}

/// The point of the grid in the middle of the box of some points.
pub(super) fn middle<'a>(points: impl IntoIterator<Item = &'a GridPoint, IntoIter: Clone>) -> GridPoint {
    let points = points.into_iter();
    [0, 1, 2].map(|axis| {
        let along = points.clone().map(|point| point[axis]);
        let (low, high) = (along.clone().min().unwrap_or(0), along.max().unwrap_or(0));
        low + (high - low) / 2
    })
}

pub(super) fn difference(to: GridPoint, from: GridPoint) -> [i128; 3] {
    [0, 1, 2].map(|axis| i128::from(to[axis] - from[axis]))
}

/// The normal of a triangle, as long as twice its area.
fn area_vector(corners: &[GridPoint; 3]) -> [i128; 3] {
    let (a, b) = (difference(corners[1], corners[0]), difference(corners[2], corners[0]));
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A vector made so short that the product of two fits: its longest component has 42 bits at most.
#[must_use]
pub fn scaled_down(vector: [i128; 3]) -> [i128; 3] {
    let longest = vector.into_iter().map(i128::unsigned_abs).fold(1, u128::max);
    let shift = (128 - 42_u32).saturating_sub(longest.leading_zeros());
    vector.map(|component| component / (1 << shift))
}
