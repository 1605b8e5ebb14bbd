//! Solids as the hulls that they are cut into, or what is wrong with them.

use crate::geometry::decomposition::{DecompositionError, MAX_PARTS, MAX_SOLID_TRIANGLES};
use crate::geometry::hull::MAX_CORNERS;
use crate::geometry::mesh::MeshError;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::decomposed::{
    DEFAULT_MOST_CORNERS, DEFAULT_MOST_PARTS, DEFAULT_TOLERANCE, PartSettings, Parts, SolidError,
};
use crate::scene::error::Problem;
use crate::scene::hull::{LARGEST, LEAST_EXTENT};
use crate::scene::mesh::TrianglesError;
use crate::scene::model::{Shape, Vector};
use crate::scene::path::Path;
use crate::scene::resolve::{unread, without_file};

/// The parts of a solid, which stands at a path of the scene, or of which a name is there; `None` for every other shape.
pub(super) fn resolve_parts_of(shape: &Shape, path: &Path, is_named: bool) -> Option<Result<Parts, Problem>> {
    let Shape::Decomposed { points, triangles, file, scale, most_parts, tolerance, most_corners } = shape else {
        return None;
    };
    let at = |key: &'static str| if is_named { path.clone() } else { path.key(key) };
    Some((|| {
        if let Some(file) = file {
            return Err(unread(file, path));
        }
        if scale.is_some() {
            return Err(without_file("scale", "solid", path));
        }
        if points.points().is_empty() || triangles.listed().is_empty() {
            return Err(Problem::new(path.clone(), "this solid has no triangles").expected(
                "expected `points: [(x, y, z), ...]` and `triangles: [(0, 1, 2), ...]`, or `file: \"table.obj\"` in here",
            ));
        }
        let settings = PartSettings {
            most_parts: number(*most_parts, DEFAULT_MOST_PARTS, 1..=MAX_PARTS as u32, || at("most_parts"))?,
            tolerance: tolerance_of(tolerance.as_ref(), || at("tolerance"))?,
            most_corners: number(*most_corners, DEFAULT_MOST_CORNERS, 4..=MAX_CORNERS as u32, || at("most_corners"))?,
        };
        points.parts(triangles, &settings).map_err(|error| match error {
            SolidError::Triangles(TrianglesError::OutOfRange { point, axis }) => {
                let Vector(x, y, z) = &points.points()[point];
                let path = if is_named { path.clone() } else { path.key("points").index(point).index(axis) };
                Problem::new(path, format!("a coordinate of a solid is {}, which is out of range", [x, y, z][axis]))
                    .expected(format!("expected a number from -{LARGEST} to {LARGEST} m"))
            }
            SolidError::Triangles(TrianglesError::TooSmall | TrianglesError::Ragged(_)) => {
                Problem::new(at("points"), "this solid is too small").expected(format!(
                    "it, or each part of it, is less than {LEAST_EXTENT} m long along every axis, or has no width"
                ))
            }
            SolidError::Triangles(TrianglesError::Mesh(MeshError::NoSuchCorner { triangle, corner, corners })) => {
                let path = if is_named { path.clone() } else { path.key("triangles").index(triangle) };
                Problem::new(path, format!("triangle {triangle} names point {corner}"))
                    .expected(format!("there are {corners} points, counted from 0"))
            }
            SolidError::Triangles(TrianglesError::Mesh(error)) => {
                Problem::new(at("triangles"), "these triangles enclose nothing").expected(error.to_string())
            }
            SolidError::Solid(error) => not_enclosed(error, &settings, path, is_named),
        })
    })())
}

/// What to do about triangles that enclose nothing that could be cut.
fn not_enclosed(error: DecompositionError, settings: &PartSettings, path: &Path, is_named: bool) -> Problem {
    let at = |key: &'static str| if is_named { path.clone() } else { path.key(key) };
    let at_triangle = |triangle: usize| if is_named { path.clone() } else { path.key("triangles").index(triangle) };
    match error {
        DecompositionError::TooManyTriangles(count) => {
            Problem::new(at("triangles"), format!("there are {count} triangles"))
                .expected(format!("expected {MAX_SOLID_TRIANGLES} at most in a solid that is decomposed"))
                .hint("simplify the surface: a hull has few corners anyhow")
        }
        DecompositionError::Open { triangle, .. } => {
            Problem::new(at_triangle(triangle), "the surface of this solid is not closed")
                .expected(error.to_string())
                .hint("close it where it was made (fill holes, merge points by distance), write `Hull` for its hull, or `Mesh` for the surface alone")
        }
        DecompositionError::FacesApart { triangles: [triangle, _], .. } => {
            Problem::new(at_triangle(triangle), "the triangles of this solid do not all look outwards")
                .expected(error.to_string())
                .hint("turn over the one that looks inwards: its points go counter-clockwise as seen from outside")
        }
        DecompositionError::NoVolume => Problem::new(at("triangles"), "this solid has no inside")
            .expected(error.to_string())
            .hint("write `Mesh` for the surface alone"),
        DecompositionError::TooManyPieces(count) => {
            Problem::new(at("triangles"), format!("this solid consists of {count} pieces that do not touch"))
                .expected(format!("each is one part at least, and there may be {}", settings.most_parts))
                .hint(format!("write a larger `most_parts`, {MAX_PARTS} at most, or make several bodies of it"))
        }
    }
}

fn number(
    given: Option<u32>,
    default: u32,
    range: std::ops::RangeInclusive<u32>,
    path: impl Fn() -> Path,
) -> Result<u32, Problem> {
    let value = given.unwrap_or(default);
    if range.contains(&value) {
        return Ok(value);
    }
    let problem = Problem::new(path(), format!("{value} is out of range for a solid that is decomposed"));
    Err(problem.expected(format!("expected a number from {} to {}", range.start(), range.end())))
}

fn tolerance_of(given: Option<&Decimal>, path: impl Fn() -> Path) -> Result<Decimal, Problem> {
    let value = given.cloned().unwrap_or_else(|| DEFAULT_TOLERANCE.to_decimal());
    if (Exact::ZERO..=Exact::from(10)).contains(&value.exact()) {
        return Ok(value);
    }
    Err(Problem::new(path(), format!("a tolerance of {value} is out of range"))
        .expected("expected a number from 0 to 10: by what share of its volume the parts may be larger than the solid"))
}
