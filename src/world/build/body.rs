//! A body of a scene as rows of the world.

use std::sync::Arc;

use crate::dynamics::body::{Body, BodyKind};
use crate::dynamics::collider::{Collider, ColliderKey, CombineRule, Surface};
use crate::dynamics::filter::Filter;
use crate::dynamics::settings::{Bounds, Settings};
use crate::geometry::hull::on_grid;
use crate::geometry::quadrature::Region;
use crate::geometry::{Density, Inertia, MassProperties, Shape, ShapeStore};
use crate::math::{Pose, Quat, Scalar, Scaled, SymMat3, Vec3};
use crate::scene::density::{self, DensityError, Expression};
use crate::scene::filter::ResolvedFilter;
use crate::scene::model::{self, Mass, Material, Place};
use crate::scene::resolve::{ResolvedBody, ResolvedCollider, ResolvedShape};
use crate::world::build::numbers::{to_quat, to_scalar, to_scaled, to_vec3};
use crate::world::detect::fat_box;
use crate::world::error::BuildError;

/// A body with its colliders, in order.
pub type BodyWithColliders<S> = (Body<S>, Vec<Collider<S>>);

/// A shape of a body before its centre of mass is known: shape, pose in the body's frame and surface.
struct Part<S> {
    shape: Shape<S>,
    pose: Pose<S>,
    surface: Surface<S>,
    filter: Filter,
    is_sensor: bool,
}

/// What a body weighs, where its centre is, and how it resists turning.
struct Weight<S> {
    inverse_mass: Scaled<S>,
    centre: Vec3<S>,
    inertia: Inertia<S>,
}

/// Builds the body with this id; hulls and meshes come from a store.
///
/// # Errors
/// A number that does not fit, a mass or inertia that no body can have, a place beyond the bounds.
pub fn build_body<S: Scalar>(
    source: &ResolvedBody,
    id: u32,
    settings: &Settings<S>,
    store: &mut ShapeStore<S>,
) -> Result<BodyWithColliders<S>, BuildError> {
    let name = source.name.as_str();
    let parts = source.colliders.iter().map(|collider| part(name, collider, store)).collect::<Result<Vec<_>, _>>()?;
    let kind = match source.kind {
        model::BodyKind::Static => BodyKind::Static,
        model::BodyKind::Kinematic => BodyKind::Kinematic,
        model::BodyKind::Dynamic => BodyKind::Dynamic,
    };
    let weight = if kind == BodyKind::Dynamic { weigh(source, &parts)? } else { weightless() };
    let orientation = to_quat(name, &source.orientation)?;
    let position = match &source.position {
        Place::Origin(origin) => to_vec3(name, "position", origin)? + orientation.rotate(weight.centre),
        Place::CentreOfMass(centre) => to_vec3(name, "position", centre)?,
    };
    let body = Body {
        id,
        name: Arc::from(name),
        kind,
        position,
        orientation,
        linear_velocity: to_vec3(name, "linear_velocity", &source.linear_velocity)?,
        angular_velocity: to_vec3(name, "angular_velocity", &source.angular_velocity)?,
        centre: weight.centre,
        inverse_mass: weight.inverse_mass,
        inertia: weight.inertia,
        linear_damping: to_scalar(name, "linear_damping", &source.linear_damping)?,
        angular_damping: to_scalar(name, "angular_damping", &source.angular_damping)?,
        gravity_scale: to_scalar(name, "gravity_scale", &source.gravity_scale)?,
    };
    check_bounds(&body, &settings.bounds)?;
    let colliders = attach(&body, parts, settings.contact_margin);
    Ok((body, colliders))
}

/// A shape about its centre, and where that is in the frame in which the scene has it; hulls and meshes come from a store.
///
/// # Errors
/// A number that does not fit.
pub fn build_shape<S: Scalar>(
    name: &str,
    shape: &ResolvedShape,
    store: &mut ShapeStore<S>,
) -> Result<(Shape<S>, Pose<S>), BuildError> {
    let built = match shape {
        ResolvedShape::Sphere { radius } => Shape::Sphere { radius: to_scalar(name, "radius", radius)? },
        ResolvedShape::Cuboid { half_extents } => {
            Shape::Cuboid { half_extents: to_vec3(name, "half_extents", half_extents)? }
        }
        ResolvedShape::Capsule { half_height, radius } => Shape::Capsule {
            half_height: to_scalar(name, "half_height", half_height)?,
            radius: to_scalar(name, "radius", radius)?,
        },
        ResolvedShape::Cylinder { half_height, radius } => Shape::Cylinder {
            half_height: to_scalar(name, "half_height", half_height)?,
            radius: to_scalar(name, "radius", radius)?,
        },
        ResolvedShape::Cone { half_height, radius } => Shape::Cone {
            half_height: to_scalar(name, "half_height", half_height)?,
            radius: to_scalar(name, "radius", radius)?,
        },
        ResolvedShape::HalfSpace { normal } => {
            let normal = to_vec3(name, "normal", normal)?;
            Shape::HalfSpace { normal: normal.direction().unwrap_or(Vec3::Y) }
        }
        ResolvedShape::Hull(placed) => Shape::Hull(store.hulls.shared(&placed.hull)),
        ResolvedShape::Mesh(placed) => Shape::Mesh(store.meshes.shared(&placed.mesh)),
    };
    let centre = match shape {
        ResolvedShape::Hull(placed) => on_grid(placed.origin, placed.hull.exponent()),
        ResolvedShape::Mesh(placed) => on_grid(placed.origin, placed.mesh.exponent()),
        _centred => Vec3::ZERO,
    };
    Ok((built, Pose::new(centre, Quat::IDENTITY)))
}

/// The numbers of a collider.
fn part<S: Scalar>(name: &str, collider: &ResolvedCollider, store: &mut ShapeStore<S>) -> Result<Part<S>, BuildError> {
    let (shape, centre) = build_shape(name, &collider.shape, store)?;
    let frame = Pose::new(to_vec3(name, "offset", &collider.offset)?, to_quat(name, &collider.orientation)?);
    let pose = match &collider.shape {
        ResolvedShape::Hull(_) | ResolvedShape::Mesh(_) => {
            Pose::new(frame.transform_point(centre.position), frame.orientation)
        }
        _centred => frame,
    };
    Ok(Part {
        shape,
        pose,
        surface: surface(name, &collider.material)?,
        filter: filter(collider.filter),
        is_sensor: collider.is_sensor,
    })
}

/// The filter of a collider.
#[must_use]
pub const fn filter(ResolvedFilter { category, mask, group }: ResolvedFilter) -> Filter {
    Filter { category, mask, group }
}

/// The surface of a material.
fn surface<S: Scalar>(name: &str, material: &Material) -> Result<Surface<S>, BuildError> {
    Ok(Surface {
        friction: to_scalar(name, "friction", &material.friction)?,
        restitution: to_scalar(name, "restitution", &material.restitution)?,
        rolling_friction: to_scalar(name, "rolling_friction", &material.rolling_friction)?,
        spinning_friction: to_scalar(name, "spinning_friction", &material.spinning_friction)?,
        friction_combine: rule(material.friction_combine),
        restitution_combine: rule(material.restitution_combine),
    })
}

const fn rule(rule: model::CombineRule) -> CombineRule {
    match rule {
        model::CombineRule::Average => CombineRule::Average,
        model::CombineRule::GeometricMean => CombineRule::GeometricMean,
        model::CombineRule::Min => CombineRule::Min,
        model::CombineRule::Multiply => CombineRule::Multiply,
        model::CombineRule::Max => CombineRule::Max,
    }
}

/// What a dynamic body weighs; its sensors do not.
fn weigh<S: Scalar>(source: &ResolvedBody, parts: &[Part<S>]) -> Result<Weight<S>, BuildError> {
    let name = source.name.as_str();
    let by_density = || {
        let solid = parts.iter().zip(source.colliders.iter()).filter(|(part, _)| !part.is_sensor);
        let weighed =
            solid.map(|(part, collider)| Ok((part.shape.clone(), part.pose, density_of(name, part, collider)?)));
        Ok(MassProperties::of_shapes(&weighed.collect::<Result<Vec<_>, BuildError>>()?))
    };
    let properties = match &source.mass {
        Mass::FromDensity => by_density()?,
        Mass::Total(mass) => {
            let mass = to_scaled(name, "mass", mass)?;
            by_density()?.map(|properties| properties.with_total_mass(mass))
        }
        Mass::Given { mass, centre, inertia } => {
            let (xx, yy, zz, xy, xz, yz) = inertia;
            let mut entries = [Scaled::ZERO; 6];
            for (entry, decimal) in entries.iter_mut().zip([xx, yy, zz, xy, xz, yz]) {
                *entry = to_scaled(name, "inertia", decimal)?;
            }
            MassProperties::given(to_scaled(name, "mass", mass)?, to_vec3(name, "centre", centre)?, entries)
        }
    };
    let MassProperties { mass, centre, inertia } =
        properties.map_err(|error| BuildError::Mass { body: name.to_owned(), error })?;
    Ok(Weight { inverse_mass: mass.recip(), centre, inertia })
}

/// The density of a shape of a body: a number, or what an expression comes to over the shape as the scalar has it.
fn density_of<S: Scalar>(name: &str, part: &Part<S>, collider: &ResolvedCollider) -> Result<Density<S>, BuildError> {
    match &collider.material.density {
        density::Density::Number(number) => Ok(Density::Even(to_scalar(name, "density", number)?)),
        density::Density::Expression(expression) => {
            if let Some(number) = expression.constant() {
                return Ok(Density::Even(to_scalar(name, "density", &number)?));
            }
            uneven_density(&part.shape, collider, expression).map_err(|error| BuildError::Density {
                body: name.to_owned(),
                expression: expression.text().to_owned(),
                error: error.to_string(),
            })
        }
    }
}

/// What an expression comes to over the shape of a collider.
///
/// # Errors
/// When it is no density there; a half-space has none at all.
pub fn uneven_density<S: Scalar>(
    shape: &Shape<S>,
    collider: &ResolvedCollider,
    expression: &Expression,
) -> Result<Density<S>, DensityError> {
    let origin = match &collider.shape {
        ResolvedShape::Hull(placed) => placed.origin_in_metres(),
        ResolvedShape::Mesh(placed) => placed.origin_in_metres(),
        _centred => [0.0; 3],
    };
    let Some(region) = Region::of_shape(shape, origin) else { return Ok(Density::Even(S::ZERO)) };
    Ok(Density::Uneven(expression.moments(&region)?))
}

/// The weight of a body that forces do not move; its centre is its origin.
const fn weightless<S: Scalar>() -> Weight<S> {
    Weight {
        inverse_mass: Scaled::ZERO,
        centre: Vec3::ZERO,
        inertia: Inertia { tensor: SymMat3::IDENTITY, inverse: SymMat3::IDENTITY, length_exponent: 0 },
    }
}

/// The colliders of a body: shapes placed relative to its centre of mass, with the boxes the broad phase is to know.
fn attach<S: Scalar>(body: &Body<S>, parts: Vec<Part<S>>, contact_margin: S) -> Vec<Collider<S>> {
    let rotation = body.orientation.to_matrix();
    (0_u32..)
        .zip(parts)
        .map(|(number, part)| {
            let local = Pose::new(part.pose.position - body.centre, part.pose.orientation);
            let shape_rotation = rotation * local.orientation.to_matrix();
            let centre = body.position + rotation * local.position;
            Collider {
                key: ColliderKey { body: body.id, part: number },
                fat_box: fat_box(&part.shape, &shape_rotation, centre, contact_margin),
                shape: part.shape,
                local,
                surface: part.surface,
                filter: part.filter,
                is_sensor: part.is_sensor,
            }
        })
        .collect()
}

fn check_bounds<S: Scalar>(body: &Body<S>, bounds: &Bounds<S>) -> Result<(), BuildError> {
    let quantities = [
        ("position", bounds.position, body.position),
        ("linear_velocity", bounds.speed, body.linear_velocity),
        ("angular_velocity", bounds.angular_speed, body.angular_velocity),
    ];
    for (quantity, limit, value) in quantities {
        if !Bounds::holds(limit, value) {
            return Err(BuildError::OutOfBounds { body: body.name.to_string(), quantity });
        }
    }
    Ok(())
}
