//! Volume and inertia of the single shapes, area and inertia of shells: in closed form, or as quadrature has found them.

use crate::geometry::hull::{ExactHull, Hull};
use crate::geometry::mass_properties::{Density, MassError};
use crate::geometry::mesh::Mesh;
use crate::geometry::quadrature::{Moments, even_shell};
use crate::geometry::shape::Shape;
use crate::math::{Scalar, Scaled, SymMat3, Vec3};

/// One shape about its own centre of mass, in its own axes.
pub(super) struct Solid<S> {
    /// Kilograms.
    pub mass: Scaled<S>,
    /// Metres.
    pub largest_half_extent: S,
    /// The centre of mass from the origin of the shape, in metres: zero where the density is even, but for hulls, whose origin is on a
    /// grid, and meshes, whose origin is in the middle of their box.
    pub centre: Vec3<S>,
    /// Inertia per mass for lengths divided by `2^length_exponent`.
    specific: SymMat3<S>,
    length_exponent: i32,
}

impl<S: Scalar> Solid<S> {
    /// The solid of this shape and density; `index` names it in errors.
    pub(super) fn new(shape: &Shape<S>, density: Density<S>, index: usize) -> Result<Self, MassError> {
        let largest_half_extent = shape.largest_half_extent().ok_or(MassError::HalfSpace(index))?;
        if !has_positive_sizes(shape) {
            let is_hull = matches!(shape, Shape::Hull(_));
            return Err(if is_hull { MassError::Thin(index) } else { MassError::Size(index) });
        }
        if let (Shape::Mesh(mesh), Density::Even(density)) = (shape, density) {
            return Self::of_shell(mesh, density, index);
        }
        let density = match density {
            Density::Even(density) if is_positive(density) => density,
            Density::Even(_) => return Err(MassError::Density(index)),
            Density::Uneven(moments) => return Ok(Self::of_moments(&moments, largest_half_extent)),
        };
        let (_, length_exponent) = largest_half_extent.to_mantissa_exponent();
        let normalised = |length: S| length.scale_by_power_of_two(-length_exponent);
        let (volume, specific) = match *shape {
            Shape::Sphere { radius } => (sphere_volume(radius), sphere_inertia(normalised(radius))),
            Shape::Cuboid { half_extents } => {
                (cuboid_volume(half_extents.to_array()), cuboid_inertia(half_extents.map(normalised).to_array()))
            }
            Shape::Capsule { half_height, radius } => {
                (capsule_volume(half_height, radius), capsule_inertia(normalised(half_height), normalised(radius)))
            }
            Shape::Cylinder { half_height, radius } => {
                (cylinder_volume(half_height, radius), cylinder_inertia(normalised(half_height), normalised(radius)))
            }
            Shape::Cone { half_height, radius } => {
                (cone_volume(half_height, radius), cone_inertia(normalised(half_height), normalised(radius)))
            }
            Shape::Hull(ref hull) => (hull_volume(hull.exact()), hull_inertia(hull.exact(), length_exponent)),
            // Meshes have been answered above, and no body has a facet.
            Shape::HalfSpace { .. } | Shape::Mesh(_) | Shape::Facet(_) => return Err(MassError::HalfSpace(index)),
        };
        let centre = if let Shape::Hull(hull) = shape { hull_centre(hull) } else { Vec3::ZERO };
        let mass = volume.mul(Scaled::new(density, 0));
        Ok(Self { mass, largest_half_extent, centre, specific, length_exponent })
    }

    /// A shell with this much mass on every square metre.
    fn of_shell(mesh: &Mesh<S>, density: S, index: usize) -> Result<Self, MassError> {
        if !is_positive(density) {
            return Err(MassError::Density(index));
        }
        let moments = even_shell(mesh.exact()).ok_or(MassError::Size(index))?;
        let shell = Self::of_moments(&moments, mesh.largest_half_extent());
        Ok(Self { mass: shell.mass.mul(Scaled::new(density, 0)), ..shell })
    }

    /// The solid whose mass lies like this.
    fn of_moments(moments: &Moments, largest_half_extent: S) -> Self {
        let (_, length_exponent) = largest_half_extent.to_mantissa_exponent();
        let [xx, yy, zz, xy, xz, yz] =
            moments.inertia.map(|entry| Scaled::from_f64(entry).mantissa_at(2 * length_exponent));
        Self {
            mass: Scaled::from_f64(moments.mass),
            largest_half_extent,
            centre: Vec3::from_array(moments.centre.map(|component| Scaled::from_f64(component).to_scalar())),
            specific: SymMat3 { xx, yy, zz, xy, xz, yz },
            length_exponent,
        }
    }

    /// Inertia per mass for lengths divided by `2^length_exponent`.
    pub(super) fn specific_inertia(&self, length_exponent: i32) -> SymMat3<S> {
        let shift = 2 * (self.length_exponent - length_exponent);
        self.specific.map(|entry| entry.scale_by_power_of_two(shift))
    }
}

/// Whether every size of a shape gives it a volume.
fn has_positive_sizes<S: Scalar>(shape: &Shape<S>) -> bool {
    match *shape {
        Shape::Sphere { radius } => is_positive(radius),
        Shape::Cuboid { half_extents } => half_extents.to_array().into_iter().all(is_positive),
        Shape::Capsule { half_height, radius } => {
            half_height >= S::ZERO && half_height.is_finite() && is_positive(radius)
        }
        Shape::Cylinder { half_height, radius } | Shape::Cone { half_height, radius } => {
            is_positive(half_height) && is_positive(radius)
        }
        Shape::Hull(ref hull) => is_positive(hull.inner_radius()),
        Shape::Mesh(ref mesh) => is_positive(mesh.reach()),
        Shape::HalfSpace { .. } | Shape::Facet(_) => false,
    }
}

/// Whether a number is positive and finite.
fn is_positive<S: Scalar>(value: S) -> bool {
    value > S::ZERO && value.is_finite()
}

/// `4/3 pi r^3`.
fn sphere_volume<S: Scalar>(radius: S) -> Scaled<S> {
    let radius = Scaled::new(radius, 0);
    radius.mul(radius).mul(radius).mul(Scaled::new(S::PI * S::from_ratio(4, 3), 0))
}

/// `8 x y z`.
fn cuboid_volume<S: Scalar>(half_extents: [S; 3]) -> Scaled<S> {
    let [x, y, z] = half_extents.map(|extent| Scaled::new(extent, 1));
    x.mul(y).mul(z)
}

/// `pi r^2 (2 h + 4/3 r)`.
fn capsule_volume<S: Scalar>(half_height: S, radius: S) -> Scaled<S> {
    let length = Scaled::new(half_height, 1).add(Scaled::new(radius, 0).mul(Scaled::new(S::from_ratio(4, 3), 0)));
    let radius = Scaled::new(radius, 0);
    radius.mul(radius).mul(length).mul(Scaled::new(S::PI, 0))
}

/// `2/5 r^2` about every axis.
fn sphere_inertia<S: Scalar>(radius: S) -> SymMat3<S> {
    let moment = radius * radius * S::from_ratio(2, 5);
    SymMat3::diagonal(moment, moment, moment)
}

/// `(y^2 + z^2) / 3` and so on, for half extents.
fn cuboid_inertia<S: Scalar>([x, y, z]: [S; 3]) -> SymMat3<S> {
    let three = S::from_i32(3);
    let moment = |a: S, b: S| S::dot2([a, b], [a, b]) / three;
    SymMat3::diagonal(moment(y, z), moment(z, x), moment(x, y))
}

/// A cylinder and two half balls, each with its share of the mass.
///
/// The centre of a half ball lies `3/8 r` from its flat side, which gives the mixed term.
fn capsule_inertia<S: Scalar>(half_height: S, radius: S) -> SymMat3<S> {
    let (cylinder, caps) = (half_height * S::TWO, radius * S::from_ratio(4, 3));
    let (cylinder_share, caps_share) = (cylinder / (cylinder + caps), caps / (cylinder + caps));
    let (radius_squared, height_squared) = (radius * radius, half_height * half_height);
    let ball = radius_squared * S::from_ratio(2, 5);
    let along = S::dot2([cylinder_share, caps_share], [radius_squared * S::HALF, ball]);
    let cylinder_across = radius_squared * S::from_ratio(1, 4) + height_squared / S::from_i32(3);
    let caps_across = ball + height_squared + half_height * radius * S::from_ratio(3, 4);
    let across = S::dot2([cylinder_share, caps_share], [cylinder_across, caps_across]);
    SymMat3::diagonal(across, along, across)
}

/// `2 pi r^2 h`, with half the height.
fn cylinder_volume<S: Scalar>(half_height: S, radius: S) -> Scaled<S> {
    let across = Scaled::new(radius, 0).mul(Scaled::new(radius, 0));
    across.mul(Scaled::new(half_height, 1)).mul(Scaled::new(S::PI, 0))
}

/// `r^2 / 2` about the axis, `r^2 / 4 + h^2 / 3` across it, with half the height.
fn cylinder_inertia<S: Scalar>(half_height: S, radius: S) -> SymMat3<S> {
    let (radius_squared, height_squared) = (radius * radius, half_height * half_height);
    let across = radius_squared * S::from_ratio(1, 4) + height_squared / S::from_i32(3);
    SymMat3::diagonal(across, radius_squared * S::HALF, across)
}

/// `2/3 pi r^2 h`, with half the height.
fn cone_volume<S: Scalar>(half_height: S, radius: S) -> Scaled<S> {
    cylinder_volume(half_height, radius).mul(Scaled::new(S::from_ratio(1, 3), 0))
}

/// `3/10 r^2` about the axis, `3/20 (r^2 + h^2)` across it through the centre, with half the height.
fn cone_inertia<S: Scalar>(half_height: S, radius: S) -> SymMat3<S> {
    let across = S::dot2([radius, half_height], [radius, half_height]) * S::from_ratio(3, 20);
    SymMat3::diagonal(across, radius * radius * S::from_ratio(3, 10), across)
}

/// A sixth of the sum of determinants.
fn hull_volume<S: Scalar>(hull: &ExactHull) -> Scaled<S> {
    scaled_ratio(hull.moments().volume, 6, 3 * hull.exponent())
}

/// The centre of volume in metres from the origin: less than a step of the grid.
fn hull_centre<S: Scalar>(hull: &Hull<S>) -> Vec3<S> {
    let moments = hull.exact().moments();
    let along = |first: i128| scaled_ratio(first, 4 * moments.volume, hull.exact().exponent()).to_scalar();
    Vec3::from_array(moments.first.map(along))
}

/// The mean of `|r|^2 I - r r^T` about the centre of volume, from exact integrals about the origin.
fn hull_inertia<S: Scalar>(hull: &ExactHull, length_exponent: i32) -> SymMat3<S> {
    let moments = hull.moments();
    let exponent = hull.exponent() - length_exponent;
    let mean = |second: i128| scaled_ratio::<S>(second, 20 * moments.volume, 2 * exponent).to_scalar();
    let centre = moments.first.map(|first| scaled_ratio::<S>(first, 4 * moments.volume, exponent).to_scalar());
    let [xx, yy, zz, xy, xz, yz] = moments.second.map(mean);
    let [x, y, z] = centre;
    let (xx, yy, zz) = (xx - x * x, yy - y * y, zz - z * z);
    SymMat3 { xx: yy + zz, yy: zz + xx, zz: xx + yy, xy: x * y - xy, xz: x * z - xz, yz: y * z - yz }
}

/// `numerator / denominator * 2^exponent`, to the last bit or two; the denominator is positive.
fn scaled_ratio<S: Scalar>(numerator: i128, denominator: i128, exponent: i32) -> Scaled<S> {
    let (numerator, above) = in_62_bits(numerator);
    let (denominator, below) = in_62_bits(denominator);
    Scaled::new(S::from_ratio(numerator, denominator), exponent + above - below)
}

/// A number as one of 62 bits times a power of two; zero as itself.
fn in_62_bits(number: i128) -> (i64, i32) {
    if number == 0 {
        return (0, 0);
    }
    let exponent = 66 - number.unsigned_abs().leading_zeros() as i32;
    let mantissa = if exponent >= 0 { number >> exponent } else { number << -exponent };
    (mantissa as i64, exponent)
}
