//! A rotation that keeps lengths to the last bit of a vector.

use crate::math::quat::Quat;
use crate::math::scalar::Scalar;
use crate::math::vec3::Vec3;

/// The matrix of a rotation with entries as fractions: in fixed point with 62 fraction bits instead of 32.
///
/// A plain matrix stretches a vector by a few of its own roundings. That is what a body of unequal moments would collect over
/// thousands of steps; here a product is rounded once, at the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FineRotation<S: Scalar> {
    rows: [[S::Fraction; 3]; 3],
}

impl<S: Scalar> FineRotation<S> {
    /// The rotation of an orientation.
    #[must_use]
    pub fn new(orientation: Quat<S>) -> Self {
        Self { rows: S::rotation_fractions(orientation.to_array()) }
    }

    /// A vector of the body in world axes.
    #[must_use]
    pub fn to_world(&self, v: Vec3<S>) -> Vec3<S> {
        Vec3::from_array(self.rows.map(|row| S::dot3_fraction(v.to_array(), row)))
    }

    /// A vector of the world in the body's axes.
    #[must_use]
    pub fn to_body(&self, v: Vec3<S>) -> Vec3<S> {
        let column = |index: usize| S::dot3_fraction(v.to_array(), self.rows.map(|row| row[index]));
        Vec3::new(column(0), column(1), column(2))
    }
}
