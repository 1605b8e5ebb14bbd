//! The triangles of a mesh, listed or as the heights of a field: put on a grid once for all bodies that have them.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::geometry::hull::GridPoint;
use crate::geometry::mesh::{ExactMesh, LeftOut, MAX_TRIANGLES, MESH_SPAN, MeshError};
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::hull::{LARGEST, LEAST_EXTENT, largest_extent};
use crate::scene::model::Vector;

/// The most binary places of the grid of a mesh: fixed point has no more.
const MOST_PLACES: u32 = 32;

/// A mesh, where its origin lies in the frame of its points, and what of its triangles was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedMesh {
    /// The mesh about its own origin.
    pub mesh: Arc<ExactMesh>,
    /// Its origin, in steps of its grid.
    pub origin: GridPoint,
    /// What has no area, or is there twice.
    pub left_out: LeftOut,
}

impl PlacedMesh {
    /// Its origin in the frame of its points, metres.
    #[must_use]
    pub fn origin_in_metres(&self) -> [f64; 3] {
        self.origin.map(|steps| libm::scalbn(steps as f64, self.mesh.exponent()))
    }
}

/// Why a scene's triangles are no mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrianglesError {
    /// A coordinate is out of range: which one of which point.
    OutOfRange {
        /// The point, counted from 0.
        point: usize,
        /// The axis, counted from 0.
        axis: usize,
    },
    /// All points lie nearer together than [`LEAST_EXTENT`].
    TooSmall,
    /// The rows of a field differ in length, or there are fewer than two of two heights: the row.
    Ragged(usize),
    /// What is wrong with the triangles themselves.
    Mesh(MeshError),
}

/// What is listed, and the mesh once it was asked for. Copies share both.
#[derive(Debug)]
struct Known<T, K> {
    listed: Vec<T>,
    /// What the mesh was made with, and the mesh.
    mesh: OnceLock<(K, Result<PlacedMesh, TrianglesError>)>,
}

/// The points of a mesh as a scene lists them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Vector>", into = "Vec<Vector>")]
pub struct MeshPoints(Arc<Known<Vector, Triangles>>);

/// Three points of a mesh by their numbers.
type Triangle = (u32, u32, u32);

/// The triangles of a mesh by the numbers of their points. Copies share them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Triangle>", into = "Vec<Triangle>")]
pub struct Triangles(Arc<Vec<Triangle>>);

impl Triangles {
    /// The triangles, in the order of the scene.
    #[must_use]
    pub fn listed(&self) -> &[Triangle] {
        &self.0
    }
}

impl From<Vec<Triangle>> for Triangles {
    fn from(listed: Vec<Triangle>) -> Self {
        Self(Arc::new(listed))
    }
}

impl From<Triangles> for Vec<Triangle> {
    fn from(triangles: Triangles) -> Self {
        triangles.listed().to_vec()
    }
}

/// The heights of a field as a scene lists them, row by row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<Vec<Decimal>>", into = "Vec<Vec<Decimal>>")]
pub struct Heights(Arc<Known<Vec<Decimal>, (Decimal, Decimal)>>);

impl MeshPoints {
    /// The points, in the order of the scene.
    #[must_use]
    pub fn points(&self) -> &[Vector] {
        &self.0.listed
    }

    /// The mesh of these triangles of them.
    ///
    /// # Errors
    /// When a coordinate is out of range, or the triangles are no mesh.
    pub fn mesh(&self, triangles: &Triangles) -> Result<PlacedMesh, TrianglesError> {
        let make = || mesh_of(&self.0.listed, triangles.listed());
        let (of, mesh) = self.0.mesh.get_or_init(|| (triangles.clone(), make()));
        if Arc::ptr_eq(&of.0, &triangles.0) { mesh.clone() } else { make() }
    }
}

impl Heights {
    /// The heights, row by row.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Decimal>] {
        &self.0.listed
    }

    /// The mesh of the field with points so far apart along x and z.
    ///
    /// # Errors
    /// When the heights are no rectangle of two by two at least, or one is out of range.
    pub fn mesh(&self, spacing: &(Decimal, Decimal)) -> Result<PlacedMesh, TrianglesError> {
        let make = || field_mesh(&self.0.listed, spacing);
        let (of, mesh) = self.0.mesh.get_or_init(|| (spacing.clone(), make()));
        if of == spacing { mesh.clone() } else { make() }
    }
}

impl From<Vec<Vector>> for MeshPoints {
    fn from(listed: Vec<Vector>) -> Self {
        Self(Arc::new(Known { listed, mesh: OnceLock::new() }))
    }
}

impl From<MeshPoints> for Vec<Vector> {
    fn from(points: MeshPoints) -> Self {
        points.0.listed.clone()
    }
}

impl From<Vec<Vec<Decimal>>> for Heights {
    fn from(listed: Vec<Vec<Decimal>>) -> Self {
        Self(Arc::new(Known { listed, mesh: OnceLock::new() }))
    }
}

impl From<Heights> for Vec<Vec<Decimal>> {
    fn from(heights: Heights) -> Self {
        heights.0.listed.clone()
    }
}

impl Default for MeshPoints {
    fn default() -> Self {
        Self::from(Vec::new())
    }
}

impl PartialEq for MeshPoints {
    fn eq(&self, other: &Self) -> bool {
        self.0.listed == other.0.listed
    }
}

impl PartialEq for Heights {
    fn eq(&self, other: &Self) -> bool {
        self.0.listed == other.0.listed
    }
}

impl Eq for MeshPoints {}

impl Eq for Heights {}

/// Puts points on the finest grid that their extent allows, whose steps are a power of two, and makes the mesh there.
fn mesh_of(points: &[Vector], triangles: &[Triangle]) -> Result<PlacedMesh, TrianglesError> {
    let exact: Vec<[Exact; 3]> = points.iter().map(|Vector(x, y, z)| [x, y, z].map(Decimal::exact)).collect();
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|&(a, b, c)| [a, b, c]).collect();
    placed(&exact, &triangles)
}

fn placed(points: &[[Exact; 3]], triangles: &[[u32; 3]]) -> Result<PlacedMesh, TrianglesError> {
    let (on_grid, places) = to_grid(points)?;
    let (mesh, origin, left_out) =
        ExactMesh::new(&on_grid, triangles, -(places as i32)).map_err(TrianglesError::Mesh)?;
    Ok(PlacedMesh { mesh: Arc::new(mesh), origin, left_out })
}

/// Points on the finest grid that their extent allows, and its binary places.
pub(super) fn to_grid(points: &[[Exact; 3]]) -> Result<(Vec<GridPoint>, u32), TrianglesError> {
    for (point, coordinates) in points.iter().enumerate() {
        if let Some(axis) = coordinates.iter().position(|coordinate| coordinate.abs() > LARGEST) {
            return Err(TrianglesError::OutOfRange { point, axis });
        }
    }
    let extent = largest_extent(points);
    if !extent.is_zero() && extent < LEAST_EXTENT {
        return Err(TrianglesError::TooSmall);
    }
    // Rounding may move both ends outwards, by half a step each.
    let fits = |places: &u32| extent.to_binary(*places) <= MESH_SPAN - 2;
    let places = (0..=MOST_PLACES).rev().find(fits).unwrap_or(0);
    let on_grid = points.iter().map(|point| point.map(|coordinate| coordinate.to_binary(places))).collect();
    Ok((on_grid, places))
}

/// The surface over a grid of points about the origin, columns along x and rows along z: of each cell first the triangle at its corner of
/// least x and z.
fn field_mesh(rows: &[Vec<Decimal>], (dx, dz): &(Decimal, Decimal)) -> Result<PlacedMesh, TrianglesError> {
    let width = rows.first().map_or(0, Vec::len);
    if let Some(row) = rows.iter().position(|row| row.len() != width || width < 2) {
        return Err(TrianglesError::Ragged(row));
    }
    if rows.len() < 2 {
        return Err(TrianglesError::Ragged(0));
    }
    let cells = (rows.len() - 1).saturating_mul(width - 1);
    if cells > MAX_TRIANGLES / 2 {
        return Err(TrianglesError::Mesh(MeshError::TooManyTriangles(cells.saturating_mul(2))));
    }
    let half = Exact::new(5, 1);
    // The place of a point among `count` that are `step` apart, about their middle.
    let place = |number: usize, count: usize, step: &Decimal| {
        let halves = Exact::new(2 * number as i128 - (count as i128 - 1), 0);
        halves.checked_mul(half).and_then(|steps| steps.checked_mul(step.exact()))
    };
    let far = Exact::new(i128::from(i32::MAX), 0);
    let mut points = Vec::with_capacity(rows.len() * width);
    for (row, heights) in rows.iter().enumerate() {
        for (column, height) in heights.iter().enumerate() {
            let (x, z) = (place(column, width, dx), place(row, rows.len(), dz));
            points.push([x.unwrap_or(far), height.exact(), z.unwrap_or(far)]);
        }
    }
    let mut triangles = Vec::with_capacity(2 * cells);
    for row in 0..rows.len() - 1 {
        for column in 0..width - 1 {
            let [near, far] = [row, row + 1].map(|row| (row * width + column) as u32);
            triangles.extend([[near, far, near + 1], [near + 1, far, far + 1]]);
        }
    }
    placed(&points, &triangles)
}
