//! Bodies with every reference followed: named shapes, materials, and the one shape or the several colliders.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::geometry::hull::{HullError, MAX_CORNERS};
use crate::geometry::quadrature::Region;
use crate::scene::decimal::Decimal;
use crate::scene::error::{Problem, SceneError, listed, quoted};
use crate::scene::filter::{ResolvedFilter, resolve_filter};
use crate::scene::hull::{HullPoints, LARGEST, LEAST_EXTENT, PlacedHull, PointsError};
use crate::scene::mesh::PlacedMesh;
use crate::scene::model::defaults::DEFAULT_MATERIAL;
use crate::scene::model::{
    Action, Body, BodyKind, Collider, GroupBody, Input, Mass, Material, Orientation, Place, Scene, Shape, Vector,
};
use crate::scene::nearest::nearest_hint;
use crate::scene::path::Path;
use crate::scene::resolve_decomposed::resolve_parts_of;
use crate::scene::resolve_surface::{resolve_field, resolve_mesh};

/// How many names may lead from one to the next before there is a shape: every body that begins there follows them all.
const MAX_NAMES_IN_A_ROW: usize = 16;

/// A shape that refers to no other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResolvedShape {
    /// A ball about the origin; metres.
    Sphere {
        /// Its radius.
        radius: Decimal,
    },
    /// A box about the origin with its edges along the axes; metres.
    Cuboid {
        /// Half its edges.
        half_extents: Vector,
    },
    /// All points within `radius` of the segment from `-half_height` to `half_height` on the y axis; metres.
    Capsule {
        /// Half the length of the segment.
        half_height: Decimal,
        /// The radius.
        radius: Decimal,
    },
    /// All points within `radius` of the y axis from `-half_height` to `half_height`; metres.
    Cylinder {
        /// Half the height.
        half_height: Decimal,
        /// The radius.
        radius: Decimal,
    },
    /// A cone about the y axis, its base at `-half_height / 2`, its top at `3/2 half_height`; metres.
    Cone {
        /// Half the height.
        half_height: Decimal,
        /// The radius of the base.
        radius: Decimal,
    },
    /// A polyhedron, not about the origin.
    Hull(PlacedHull),
    /// A surface, not about the origin.
    Mesh(PlacedMesh),
    /// All points below a plane through the origin.
    HalfSpace {
        /// The direction out of the half-space, of any length but zero.
        normal: Vector,
    },
}

impl ResolvedShape {
    /// The solid that the shape is, or of a mesh the shell, in the nearest `f64`; `None` for a half-space, which has no end.
    #[must_use]
    pub fn region(&self) -> Option<Region> {
        Some(match self {
            Self::Sphere { radius } => Region::Sphere { radius: radius.to_f64() },
            Self::Cuboid { half_extents: Vector(x, y, z) } => {
                Region::Cuboid { half_extents: [x, y, z].map(Decimal::to_f64) }
            }
            Self::Capsule { half_height, radius } => {
                Region::Capsule { half_height: half_height.to_f64(), radius: radius.to_f64() }
            }
            Self::Cylinder { half_height, radius } => {
                Region::Cylinder { half_height: half_height.to_f64(), radius: radius.to_f64() }
            }
            Self::Cone { half_height, radius } => {
                Region::Cone { half_height: half_height.to_f64(), radius: radius.to_f64() }
            }
            Self::Hull(placed) => Region::Hull { hull: Arc::clone(&placed.hull), origin: placed.origin_in_metres() },
            Self::Mesh(placed) => Region::Shell { mesh: Arc::clone(&placed.mesh), origin: placed.origin_in_metres() },
            Self::HalfSpace { .. } => return None,
        })
    }
}

/// A shape of a body with its material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedCollider {
    /// The shape.
    pub shape: ResolvedShape,
    /// Where the shape's origin is in the body's frame, in metres.
    pub offset: Vector,
    /// How the shape is turned in the body's frame.
    pub orientation: Orientation,
    /// What it is made of.
    pub material: Material,
    /// What it is and what it meets.
    pub filter: ResolvedFilter,
    /// Whether it only notices what overlaps it.
    pub is_sensor: bool,
}

/// A body of which everything is said; units and frames as in [`Body`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedBody {
    /// The unique name.
    pub name: String,
    /// How it takes part.
    pub kind: BodyKind,
    /// Where it is.
    pub position: Place,
    /// How it is turned.
    pub orientation: Orientation,
    /// Velocity of the centre of mass.
    pub linear_velocity: Vector,
    /// Angular velocity.
    pub angular_velocity: Vector,
    /// Its shapes, shared among the copies of a generator; empty only for a dynamic body whose mass is given.
    pub colliders: Arc<[ResolvedCollider]>,
    /// What it weighs.
    pub mass: Mass,
    /// Damping of the linear velocity.
    pub linear_damping: Decimal,
    /// Damping of the angular velocity.
    pub angular_damping: Decimal,
    /// Factor on gravity.
    pub gravity_scale: Decimal,
}

impl ResolvedShape {
    /// Whether it is a half-space, which has no end.
    #[must_use]
    pub const fn is_half_space(&self) -> bool {
        matches!(self, Self::HalfSpace { .. })
    }

    /// Whether it is a surface, which has no inside.
    #[must_use]
    pub const fn is_mesh(&self) -> bool {
        matches!(self, Self::Mesh(_))
    }
}

impl ResolvedBody {
    /// Its shapes but for the sensors.
    pub fn pushing(&self) -> impl Iterator<Item = &ResolvedCollider> {
        self.colliders.iter().filter(|collider| !collider.is_sensor)
    }
}

/// Follows the references of one body, such as one that an input spawns.
///
/// # Errors
/// When it names a shape or a material that the scene does not have, or has both a shape and colliders.
pub fn resolve_body(scene: &Scene, body: &Body) -> Result<ResolvedBody, SceneError> {
    let colliders = resolve_colliders(scene, &GroupBody::of(body), &Path::root()).map_err(SceneError::without_text)?;
    Ok(with_colliders(body.clone(), colliders.into()))
}

/// The bodies that some inputs spawn, as far as their references can be followed.
pub fn spawned_bodies<'a>(
    scene: &'a Scene,
    inputs: impl IntoIterator<Item = &'a Input>,
) -> impl Iterator<Item = ResolvedBody> {
    inputs.into_iter().filter_map(|input| match &input.action {
        Action::Spawn(body) => resolve_body(scene, body).ok(),
        _ => None,
    })
}

/// The colliders of a body, or everything that is wrong with its references.
pub(super) fn resolve_colliders(
    scene: &Scene,
    body: &GroupBody,
    path: &Path,
) -> Result<Vec<ResolvedCollider>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut colliders = Vec::new();
    let of_body = resolve_filter(scene, &body.filter, &path.key("filter"));
    let plain_where_wrong = of_body.as_ref().copied().unwrap_or(ResolvedFilter::PLAIN);
    let mut keep = |collider: &Collider, path: &Path| {
        let shapes = resolve_shapes(scene, &collider.shape, &path.key("shape"));
        let material = resolve_material(scene, collider.material.as_deref(), &path.key("material"));
        let filter = match &collider.filter {
            None => Ok(plain_where_wrong),
            Some(own) => resolve_filter(scene, own, &path.key("filter")),
        };
        match (shapes, material, filter) {
            (Ok(shapes), Ok(material), Ok(filter)) => {
                colliders.extend(shapes.into_iter().map(|shape| ResolvedCollider {
                    shape,
                    offset: collider.offset.clone(),
                    orientation: collider.orientation.clone(),
                    material: material.clone(),
                    filter,
                    is_sensor: collider.sensor,
                }));
            }
            (shapes, material, filter) => {
                problems.extend([shapes.err(), material.err(), filter.err()].into_iter().flatten());
            }
        }
    };
    if let Some(shape) = &body.shape {
        let unplaced = Collider {
            shape: shape.clone(),
            offset: Vector::default(),
            orientation: Orientation::default(),
            material: body.material.clone(),
            sensor: body.sensor,
            filter: None,
        };
        keep(&unplaced, path);
    }
    for (place, collider) in body.colliders.iter().enumerate() {
        keep(collider, &path.key("colliders").index(place));
    }
    problems.extend(of_body.err());
    if body.shape.is_some() && !body.colliders.is_empty() {
        problems.push(
            Problem::new(path.key("colliders"), "a body has either `shape` or `colliders`, not both")
                .expected("the body has a `shape` too")
                .hint("put the shape into `colliders`"),
        );
    }
    if body.shape.is_none() && body.material.is_some() {
        problems.push(
            Problem::new(path.key("material"), "`material` belongs to `shape`, and the body has none")
                .expected("this material would be used for nothing")
                .hint("give each of the `colliders` its own `material`"),
        );
    }
    if body.shape.is_none() && body.sensor {
        problems.push(
            Problem::new(path.key("sensor"), "`sensor` belongs to `shape`, and the body has none")
                .expected("nothing would be a sensor")
                .hint("write `sensor: true` in those of the `colliders` that are to be sensors"),
        );
    }
    if problems.is_empty() { Ok(colliders) } else { Err(problems) }
}

pub(super) fn with_colliders(body: Body, colliders: Arc<[ResolvedCollider]>) -> ResolvedBody {
    ResolvedBody {
        name: body.name,
        kind: body.kind,
        position: body.position,
        orientation: body.orientation,
        linear_velocity: body.linear_velocity,
        angular_velocity: body.angular_velocity,
        colliders,
        mass: body.mass,
        linear_damping: body.linear_damping,
        angular_damping: body.angular_damping,
        gravity_scale: body.gravity_scale,
    }
}

/// The shape that one means which a question asks with.
///
/// # Errors
/// When it names a shape that the scene does not have, or is a hull that its points do not make.
pub fn resolve_query_shape(scene: &Scene, shape: &Shape) -> Result<ResolvedShape, SceneError> {
    resolve_shape(scene, shape, &Path::root()).map_err(|problem| SceneError::without_text(vec![problem]))
}

/// The one shape that a shape means, through any number of names.
pub(super) fn resolve_shape(scene: &Scene, shape: &Shape, path: &Path) -> Result<ResolvedShape, Problem> {
    let (shape, is_named) = follow_names(scene, shape, path)?;
    if matches!(shape, Shape::Decomposed { .. }) {
        return Err(Problem::new(
            path.clone(),
            "one shape is asked for here, and a solid that is decomposed is several",
        )
        .hint("write one of its hulls, or the `Hull` around all of it"));
    }
    resolve_followed(shape, path, is_named)
}

/// The shapes that a shape means, through any number of names: one, but for a solid that is decomposed.
pub(super) fn resolve_shapes(scene: &Scene, shape: &Shape, path: &Path) -> Result<Vec<ResolvedShape>, Problem> {
    let (shape, is_named) = follow_names(scene, shape, path)?;
    match resolve_parts_of(shape, path, is_named) {
        Some(parts) => parts?.hulls.iter().map(|points| resolve_hull(points, path, path)).collect(),
        None => Ok(vec![resolve_followed(shape, path, is_named)?]),
    }
}

/// The shape that a shape which is no name means.
fn resolve_followed(shape: &Shape, path: &Path, is_named: bool) -> Result<ResolvedShape, Problem> {
    Ok(match shape {
        Shape::Sphere { radius } => ResolvedShape::Sphere { radius: radius.clone() },
        Shape::Cuboid { half_extents } => ResolvedShape::Cuboid { half_extents: half_extents.clone() },
        Shape::Capsule { half_height, radius } => {
            ResolvedShape::Capsule { half_height: half_height.clone(), radius: radius.clone() }
        }
        Shape::Cylinder { half_height, radius } => {
            ResolvedShape::Cylinder { half_height: half_height.clone(), radius: radius.clone() }
        }
        Shape::Cone { half_height, radius } => {
            ResolvedShape::Cone { half_height: half_height.clone(), radius: radius.clone() }
        }
        Shape::Hull { file: Some(file), .. } | Shape::Mesh { file: Some(file), .. } => return Err(unread(file, path)),
        Shape::Hull { points, .. } if is_named => return resolve_hull(points, path, path),
        Shape::Hull { points, scale, most_corners, .. } => {
            check_without_file(points, [scale.is_some(), most_corners.is_some()], path)?;
            return resolve_hull(points, path, &path.key("points"));
        }
        Shape::HalfSpace { normal } => ResolvedShape::HalfSpace { normal: normal.clone() },
        Shape::Mesh { points, triangles, scale, .. } => {
            if scale.is_some() && !is_named {
                return Err(without_file("scale", "mesh", path));
            }
            return resolve_mesh(points, triangles, path, is_named);
        }
        Shape::HeightField { heights, spacing } => return resolve_field(heights, spacing, path, is_named),
        Shape::Named(_) | Shape::Decomposed { .. } => return Err(Problem::new(path.clone(), "this is not one shape")),
    })
}

/// The shape that a shape means, which is no name, and whether a name led there.
pub(super) fn follow_names<'a>(scene: &'a Scene, shape: &'a Shape, path: &Path) -> Result<(&'a Shape, bool), Problem> {
    let (mut shape, mut is_named) = (shape, false);
    // A chain longer than there are names passes through one of them twice.
    for _ in 0..=scene.shapes.len().min(MAX_NAMES_IN_A_ROW) {
        let Shape::Named(name) = shape else { return Ok((shape, is_named)) };
        is_named = true;
        shape = scene.shapes.get(name).ok_or_else(|| unknown("shape", name, &scene.shapes, path.index(0)))?;
    }
    if scene.shapes.len() > MAX_NAMES_IN_A_ROW {
        return Err(Problem::new(path.clone(), "too many names lead from here to a shape, or they lead in a circle")
            .expected(format!("expected a shape after at most {MAX_NAMES_IN_A_ROW} names"))
            .hint("name the shape that is meant in the end"));
    }
    Err(Problem::new(path.clone(), "this shape is named by itself, in a circle")
        .expected("this leads back to itself")
        .hint("one of the shapes in the circle must be a shape itself, such as a sphere or a cuboid"))
}

/// Points of a file were asked for where no file is read.
pub(super) fn unread(file: &str, path: &Path) -> Problem {
    Problem::new(path.clone(), format!("the points of {} are not here", quoted(file)))
        .expected("such a file is read only where it stands in the file of a scene: not from standard input, `--set` or inputs by line")
        .hint("write it into the scene's file, or write the points: `points: [(x, y, z), ...]`")
}

/// Refuses a key that says something of a file where there is none.
pub(super) fn without_file(key: &'static str, shape: &str, path: &Path) -> Problem {
    Problem::new(path.key(key), format!("`{key}` belongs to `file`, and the {shape} has none"))
        .hint("write the points as they should be")
}

/// Refuses a hull without a file that has what belongs to a file, or has no points either.
fn check_without_file(points: &HullPoints, has: [bool; 2], path: &Path) -> Result<(), Problem> {
    if let Some((key, _)) = ["scale", "most_corners"].into_iter().zip(has).find(|(_, has)| *has) {
        return Err(without_file(key, "hull", path));
    }
    if points.points().is_empty() {
        return Err(Problem::new(path.clone(), "this hull has no points")
            .expected("expected `points: [(x, y, z), ...]` or `file: \"shape.obj\"` in here"));
    }
    Ok(())
}

/// The hull of some points, which stand at a path of the scene, or of which a name is at this path.
fn resolve_hull(points: &HullPoints, shape: &Path, path: &Path) -> Result<ResolvedShape, Problem> {
    let count = points.points().len();
    let problem = |title: String| Problem::new(path.clone(), title);
    let error = match points.hull() {
        Ok(placed) => return Ok(ResolvedShape::Hull(placed.clone())),
        Err(error) => error,
    };
    Err(match error {
        PointsError::OutOfRange { point, axis } => {
            let Vector(x, y, z) = &points.points()[point];
            let path = if shape == path { path.clone() } else { path.index(point).index(axis) };
            Problem::new(path, format!("a coordinate of a hull is {}, which is out of range", [x, y, z][axis]))
                .expected(format!("expected a number from -{LARGEST} to {LARGEST} m"))
        }
        PointsError::TooSmall => problem("this hull is too small".to_owned()).expected(format!(
            "its {count} points lie within less than {LEAST_EXTENT} m of each other along every axis"
        )),
        PointsError::Hull(HullError::TooManyCorners) => problem("this hull has too many corners".to_owned())
            .expected(format!("more than {MAX_CORNERS} of its {count} points are corners of the hull"))
            .hint("leave out points that change the shape little"),
        PointsError::Hull(error) => problem("this hull has no volume".to_owned()).expected(error.to_string()).hint(
            "points nearer to each other than a millionth of the size of the hull count as one, and as in one plane",
        ),
    })
}

/// The material of this name, or the default one.
pub(super) fn resolve_material(scene: &Scene, name: Option<&str>, path: &Path) -> Result<Material, Problem> {
    let name = name.unwrap_or(DEFAULT_MATERIAL);
    match scene.materials.get(name) {
        Some(material) => Ok(material.clone()),
        None if name == DEFAULT_MATERIAL => Ok(Material::default()),
        None => Err(unknown("material", name, &scene.materials, path.clone())),
    }
}

fn unknown<T>(kind: &str, name: &str, known: &BTreeMap<String, T>, path: Path) -> Problem {
    let names = || known.keys().map(String::as_str);
    let choice = if known.is_empty() {
        format!("the scene has no `{kind}s`: add `{kind}s: {{\"{}\": ...}}`", name.escape_debug())
    } else {
        format!("the scene's {kind}s are {}", listed(names()))
    };
    Problem::new(path, format!("unknown {kind} {}", quoted(name)))
        .expected(format!("the scene has no {kind} of this name"))
        .hint(nearest_hint(name, names()))
        .hint(choice)
}
