//! How far two shapes are apart along a direction, from their extents alone: a lower bound of their distance, and much
//! cheaper than a manifold.

use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// The gap of two shapes along the unit direction `normal` from A to B, in metres; negative where they overlap along it.
///
/// `offset` leads from the origin of A to that of B along the world axes. Beside a half-space there is one direction only, its
/// own.
#[must_use]
pub fn gap_along<S: Scalar>(
    (a, rotation_a): (&Shape<S>, &Mat3<S>),
    (b, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    normal: Vec3<S>,
) -> S {
    match (a, b) {
        (Shape::HalfSpace { normal: up }, _) => {
            let up = *rotation_a * *up;
            up.dot(offset) - b.extent_along(rotation_b, -up)
        }
        (_, Shape::HalfSpace { normal: up }) => {
            let up = *rotation_b * *up;
            -up.dot(offset) - a.extent_along(rotation_a, -up)
        }
        _ => normal.dot(offset) - a.extent_along(rotation_a, normal) - b.extent_along(rotation_b, -normal),
    }
}
