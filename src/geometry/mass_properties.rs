//! Mass, centre of mass and inertia of shapes: of one density in closed form, of an uneven one as quadrature has found them.
//!
//! Lengths are first divided by a power of two near the size of the body, which is exact, so that a screw and a ship keep
//! the same relative precision in fixed point.

mod solid;
mod tensor;
#[cfg(test)]
mod tests;

use thiserror::Error;

use crate::geometry::mass_properties::solid::Solid;
use crate::geometry::mass_properties::tensor::{inverse, is_positive_definite, outer_inertia};
use crate::geometry::quadrature::Moments;
use crate::geometry::shape::Shape;
use crate::math::{Pose, Scalar, Scaled, SymMat3, Vec3};

pub use crate::geometry::mass_properties::tensor::specific_second_moment;

/// The inertia of a body divided by its mass, about its centre of mass, in body axes.
///
/// `tensor * 4^length_exponent` is in square metres. The entries of `tensor` are near one in magnitude for bodies of
/// ordinary proportions. Off-diagonal entries are minus the mean of the products, such as `-<x y>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<S> {
    /// The normalised tensor.
    pub tensor: SymMat3<S>,
    /// The inverse of `tensor`, normalised alike: `inverse / 4^length_exponent` is in 1/m^2.
    pub inverse: SymMat3<S>,
    /// The power of two by which lengths were divided.
    pub length_exponent: i32,
}

/// How heavy a body is and how its mass lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties<S> {
    /// Kilograms.
    pub mass: Scaled<S>,
    /// The centre of mass in the frame of the shapes, in metres.
    pub centre: Vec3<S>,
    /// Inertia per mass.
    pub inertia: Inertia<S>,
}

/// How dense a shape is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Density<S> {
    /// The same everywhere, kg/m^3; of a mesh, which is a shell, kg/m^2.
    Even(S),
    /// Not the same everywhere: what comes of that, about the origin of the shape.
    Uneven(Moments),
}

impl<S: Scalar> From<S> for Density<S> {
    fn from(density: S) -> Self {
        Self::Even(density)
    }
}

/// Why there are no mass properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MassError {
    /// The list of shapes is empty.
    #[error("a body with mass needs at least one shape")]
    NoShapes,
    /// A half-space has no mass.
    #[error("shape {0} is a half-space, which has no mass")]
    HalfSpace(usize),
    /// A size is zero, negative or not finite.
    #[error("shape {0} has a size that is not positive")]
    Size(usize),
    /// A hull is so thin that nothing is left of it in this scalar.
    #[error(
        "shape {0} is a hull thinner than numbers of this kind can tell; make it thicker, or choose another scalar"
    )]
    Thin(usize),
    /// A position is not finite.
    #[error("shape {0} has a position that is not finite")]
    Position(usize),
    /// A density is zero, negative or not finite.
    #[error("the density of shape {0} is not positive")]
    Density(usize),
    /// A mass is zero, negative or not finite.
    #[error("the mass is not positive")]
    Mass,
    /// The inertia tensor has a moment that is zero or negative, or is not finite.
    #[error(
        "the inertia tensor is not positive definite: about some axis numbers of this kind see no inertia; make it thicker, \
         or choose another scalar"
    )]
    NotPositiveDefinite,
    /// The principal moments differ by more than the scalar can follow.
    #[error(
        "it is too slender for numbers of this kind: its largest principal moment of inertia is more than about 2^20 \
         times the smallest in `f32`, 2^29 times in fixed point, 2^49 times in `f64`; make it thicker, or choose another scalar"
    )]
    TooSlender,
    /// One principal moment exceeds the sum of the other two.
    #[error("no body has this inertia: one principal moment exceeds the sum of the other two")]
    TriangleInequality,
}

impl<S: Scalar> MassProperties<S> {
    /// The properties of shapes at poses in the body's frame, each with its density. Shapes that overlap count twice where
    /// they do.
    ///
    /// # Errors
    /// When there is no shape, one is a half-space, or a size or density is not positive.
    pub fn of_shapes<D: Copy + Into<Density<S>>>(parts: &[(Shape<S>, Pose<S>, D)]) -> Result<Self, MassError> {
        let &(_, first, _) = parts.first().ok_or(MassError::NoShapes)?;
        let mut mass = Scaled::ZERO;
        let mut size = S::ZERO;
        let mut solids = Vec::with_capacity(parts.len());
        for (index, (shape, pose, density)) in parts.iter().enumerate() {
            // Differences, not positions: a small body far from the origin of its frame keeps its precision.
            let place = pose.position - first.position;
            if !place.is_finite() || !first.position.is_finite() {
                return Err(MassError::Position(index));
            }
            let solid = Solid::new(shape, (*density).into(), index)?;
            let is_central = solid.centre == Vec3::ZERO;
            let place = if is_central { place } else { place + pose.orientation.rotate(solid.centre) };
            mass = mass.add(solid.mass);
            let [x, y, z] = place.abs().to_array();
            size = size.max(x.max(y).max(z)).max(solid.largest_half_extent);
            solids.push((solid, place, pose.orientation));
        }
        let length_exponent = size.to_mantissa_exponent().1 - 1;
        let weighted = solids.iter().map(|(solid, place, orientation)| {
            let place = place.map(|component| component.scale_by_power_of_two(-length_exponent));
            (solid.mass.div(mass).to_scalar(), place, solid, orientation)
        });
        let mut centre = Vec3::ZERO;
        for (share, place, ..) in weighted.clone() {
            centre += place * share;
        }
        let mut tensor = SymMat3::ZERO;
        for (share, place, solid, orientation) in weighted {
            let own = solid.specific_inertia(length_exponent).rotated(orientation.to_matrix());
            tensor = tensor + (own + outer_inertia(place - centre)).map(|entry| entry * share);
        }
        let inertia = Inertia::from_tensor(tensor, length_exponent)?;
        let centre = centre.map(|component| component.scale_by_power_of_two(length_exponent));
        Ok(Self { mass, centre: first.position + centre, inertia })
    }

    /// The same body with its density scaled so that it has this mass in kilograms.
    #[must_use]
    pub const fn with_total_mass(self, mass: Scaled<S>) -> Self {
        Self { mass, ..self }
    }

    /// The properties given as numbers: mass in kg, centre in m, and the inertia tensor about the centre of mass in
    /// kg m^2, entries `[xx, yy, zz, xy, xz, yz]` with signed mantissas.
    ///
    /// # Errors
    /// When the mass is not positive or no body has such an inertia. The triangle inequality may be missed by a millionth
    /// of the largest moment, for tensors that were rounded.
    pub fn given(mass: Scaled<S>, centre: Vec3<S>, inertia: [Scaled<S>; 6]) -> Result<Self, MassError> {
        if !(mass.mantissa > S::ZERO && mass.mantissa.is_finite()) {
            return Err(MassError::Mass);
        }
        if !centre.is_finite() {
            return Err(MassError::Position(0));
        }
        let specific = inertia.map(|entry| entry.div(mass));
        let [xx, yy, zz, ..] = specific;
        if [xx, yy, zz].iter().any(|moment| !(moment.mantissa > S::ZERO && moment.mantissa.is_finite())) {
            return Err(MassError::NotPositiveDefinite);
        }
        let length_exponent = xx.exponent.max(yy.exponent).max(zz.exponent).div_euclid(2);
        // An off-diagonal entry above every moment must not wrap before it is refused.
        if specific.iter().any(|entry| !entry.is_zero() && entry.exponent > 2 * length_exponent + 1) {
            return Err(MassError::NotPositiveDefinite);
        }
        let [xx, yy, zz, xy, xz, yz] = specific.map(|entry| entry.mantissa_at(2 * length_exponent));
        let tensor = SymMat3 { xx, yy, zz, xy, xz, yz };
        let inertia = Inertia::from_tensor(tensor, length_exponent)?;
        let slack = S::ONE.scale_by_power_of_two(-20);
        let moments = specific_second_moment(tensor) + SymMat3::diagonal(slack, slack, slack);
        if !is_positive_definite(moments) {
            return Err(MassError::TriangleInequality);
        }
        Ok(Self { mass, centre, inertia })
    }
}

impl<S: Scalar> Inertia<S> {
    /// The inertia of this normalised tensor.
    fn from_tensor(tensor: SymMat3<S>, length_exponent: i32) -> Result<Self, MassError> {
        if !is_positive_definite(tensor) {
            return Err(MassError::NotPositiveDefinite);
        }
        let inverse = inverse(tensor).ok_or(MassError::NotPositiveDefinite)?;
        // The traces are at least the largest moment and one over the smallest. Seen from a turned frame the inverse keeps
        // its small entries, and with them its positive sign, only while this product is well above the resolution.
        let trace = |matrix: SymMat3<S>| matrix.xx + matrix.yy + matrix.zz;
        let most = S::ONE / (S::EPSILON * S::from_i32(4));
        if trace(inverse) > most / trace(tensor) {
            return Err(MassError::TooSlender);
        }
        Ok(Self { tensor, inverse, length_exponent })
    }
}
