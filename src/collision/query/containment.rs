//! Whether a shape holds a point.

use crate::geometry::Shape;
use crate::geometry::shape::{across_axis, cone_ends, cone_side};
use crate::math::{Mat3, Scalar, Vec3};

/// Whether a shape turned by `rotation` holds the point at `point` from its origin, world axes, metres; its surface belongs to it. A mesh holds
/// none: it is all surface.
#[must_use]
pub fn contains<S: Scalar>(shape: &Shape<S>, rotation: &Mat3<S>, point: Vec3<S>) -> bool {
    let local = rotation.transpose_mul(point);
    match *shape {
        Shape::Sphere { radius } => local.length() <= radius,
        Shape::Capsule { half_height, radius } => from_axis(local, half_height).length() <= radius,
        Shape::Mesh(_) | Shape::Facet(_) => false,
        Shape::Cylinder { half_height, radius } => {
            local.y.abs() <= half_height && across_axis(local).length() <= radius
        }
        Shape::Cone { half_height, radius } => {
            let ((base, top), side) = (cone_ends(half_height), cone_side(half_height, radius));
            local.y >= base && S::dot2([side.x, side.y], [across_axis(local).length(), local.y - top]) <= S::ZERO
        }
        Shape::Cuboid { .. } | Shape::Hull(_) | Shape::HalfSpace { .. } => {
            shape.planes().iter().all(|plane| plane.normal.dot(local) <= plane.offset)
        }
    }
}

/// From the point of a capsule's axis that is nearest to `local`, in the capsule's own axes.
pub(super) fn from_axis<S: Scalar>(local: Vec3<S>, half_height: S) -> Vec3<S> {
    Vec3::new(local.x, local.y - local.y.clamp(-half_height, half_height), local.z)
}

#[cfg(test)]
mod tests {
    use crate::collision::query::contains;
    use crate::collision::query::ray::tests::{shapes, turned};
    use crate::math::{Fixed, Scalar, Vec3};

    /// The origin lies in every shape, what is twice as far as its surface along an axis does not.
    #[test]
    fn a_surface_parts_inside_from_outside() {
        fn check<S: Scalar>() {
            let rotation = turned::<S>();
            for (shape, reach) in shapes::<S>() {
                assert!(contains(&shape, &rotation, Vec3::ZERO), "{shape:?}");
                for (axis, reach) in reach.into_iter().enumerate() {
                    let direction = rotation.column(axis);
                    let at = |part: i64| direction * (reach * S::from_ratio(part, 100));
                    assert!(contains(&shape, &rotation, at(99)), "{shape:?} along {axis}");
                    assert!(!contains(&shape, &rotation, at(101)), "{shape:?} along {axis}");
                }
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }
}
