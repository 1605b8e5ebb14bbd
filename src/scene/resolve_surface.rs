//! Meshes and height fields as the surfaces that they are, or what is wrong with them.

use crate::geometry::mesh::{MAX_TRIANGLES, MeshError};
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::error::Problem;
use crate::scene::hull::{LARGEST, LEAST_EXTENT};
use crate::scene::mesh::{Heights, MeshPoints, Triangles, TrianglesError};
use crate::scene::model::Vector;
use crate::scene::path::Path;
use crate::scene::resolve::ResolvedShape;

/// The surface of some triangles, which stand at a path of the scene, or of which a name is there.
pub(super) fn resolve_mesh(
    points: &MeshPoints,
    triangles: &Triangles,
    path: &Path,
    is_named: bool,
) -> Result<ResolvedShape, Problem> {
    let part = |key: &'static str| if is_named { path.clone() } else { path.key(key) };
    if points.points().is_empty() || triangles.listed().is_empty() {
        let problem = Problem::new(path.clone(), "this mesh has no triangles");
        return Err(problem.expected(
            "expected `points: [(x, y, z), ...]` and `triangles: [(0, 1, 2), ...]`, or `file: \"terrain.obj\"` in here",
        ));
    }
    let error = match points.mesh(triangles) {
        Ok(placed) => return Ok(ResolvedShape::Mesh(placed)),
        Err(error) => error,
    };
    Err(match error {
        TrianglesError::OutOfRange { point, axis } => {
            let Vector(x, y, z) = &points.points()[point];
            let path = if is_named { path.clone() } else { path.key("points").index(point).index(axis) };
            out_of_range(path, "a coordinate of a mesh", [x, y, z][axis])
        }
        TrianglesError::TooSmall | TrianglesError::Ragged(_) => Problem::new(part("points"), "this mesh is too small")
            .expected(format!("its points lie within less than {LEAST_EXTENT} m of each other along every axis")),
        TrianglesError::Mesh(MeshError::NoSuchCorner { triangle, corner, corners }) => {
            let path = if is_named { path.clone() } else { path.key("triangles").index(triangle) };
            Problem::new(path, format!("triangle {triangle} names point {corner}"))
                .expected(format!("there are {corners} points, counted from 0"))
        }
        TrianglesError::Mesh(error) => of_triangles(part("triangles"), error),
    })
}

/// The surface of a field of heights.
pub(super) fn resolve_field(
    heights: &Heights,
    spacing: &(Decimal, Decimal),
    path: &Path,
    is_named: bool,
) -> Result<ResolvedShape, Problem> {
    let part = |key: &'static str| if is_named { path.clone() } else { path.key(key) };
    // No surface comes of such a spacing, and nobody has to be told both.
    for (index, step) in [&spacing.0, &spacing.1].into_iter().enumerate() {
        if step.exact() <= Exact::ZERO {
            let path = if is_named { path.clone() } else { path.key("spacing").index(index) };
            return Err(Problem::new(path, format!("the `spacing` of a field of heights is {step}"))
                .expected("expected a number above 0, in metres"));
        }
    }
    let error = match heights.mesh(spacing) {
        Ok(placed) => return Ok(ResolvedShape::Mesh(placed)),
        Err(error) => error,
    };
    let width = heights.rows().first().map_or(0, Vec::len);
    Err(match error {
        TrianglesError::Ragged(row) if width >= 2 && heights.rows().len() >= 2 => {
            let path = if is_named { path.clone() } else { path.key("heights").index(row) };
            let count = heights.rows()[row].len();
            let word = if count == 1 { "height" } else { "heights" };
            Problem::new(path, format!("row {row} has {count} {word}"))
                .expected(format!("expected {width}, as in row 0"))
        }
        TrianglesError::Ragged(_) => Problem::new(part("heights"), "these heights span no surface")
            .expected("expected two rows at least, each of two heights or more"),
        TrianglesError::OutOfRange { point, axis: 1 } => {
            let (row, column) = (point / width.max(1), point % width.max(1));
            let path = if is_named { path.clone() } else { path.key("heights").index(row).index(column) };
            out_of_range(path, "a height", &heights.rows()[row][column])
        }
        TrianglesError::OutOfRange { axis, .. } => {
            let path = if is_named { path.clone() } else { path.key("spacing").index(axis / 2) };
            Problem::new(path, "a field of this spacing is too large")
                .expected(format!("expected all of its points within {LARGEST} m of its middle"))
        }
        TrianglesError::TooSmall => Problem::new(part("spacing"), "this field is too small")
            .expected(format!("its points lie within less than {LEAST_EXTENT} m of each other along every axis")),
        TrianglesError::Mesh(error) => of_triangles(part("heights"), error),
    })
}

fn out_of_range(path: Path, what: &str, number: &Decimal) -> Problem {
    Problem::new(path, format!("{what} is {number}, which is out of range"))
        .expected(format!("expected a number from -{LARGEST} to {LARGEST} m"))
}

fn of_triangles(path: Path, error: MeshError) -> Problem {
    match error {
        MeshError::TooManyTriangles(count) => Problem::new(path, format!("there are {count} triangles"))
            .expected(format!("expected {MAX_TRIANGLES} at most"))
            .hint("simplify the surface, or share it among several bodies"),
        error => Problem::new(path, "this mesh has no surface")
            .expected(error.to_string())
            .hint("points nearer to each other than a thousand-millionth of the size of the mesh count as one"),
    }
}
