//! Sphere against cuboid: the sphere's centre clamped to the box.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::round::push_between;
use crate::math::{Mat3, Scalar, Vec3};

/// The manifold of a sphere (A) and a cuboid (B).
pub(super) fn collide<S: Scalar>(
    radius: S,
    half_extents: Vec3<S>,
    rotation: &Mat3<S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let centre = rotation.transpose_mul(-offset);
    let excess = centre - clamp_to_box(centre, half_extents);
    if excess.length() > radius + margin {
        return Manifold::of_apart_along(-(*rotation * excess), radius);
    }
    let (outward, distance) = excess.normalise().unwrap_or_else(|| nearest_face(centre, half_extents));
    let mut manifold = Manifold::with_normal(-(*rotation * outward));
    push_between(&mut manifold, Vec3::ZERO, (radius, S::ZERO), distance, (margin, 0));
    manifold
}

/// The point of the box nearest to `point`, both in the axes of the box.
#[inline]
pub(super) fn clamp_to_box<S: Scalar>(point: Vec3<S>, half_extents: Vec3<S>) -> Vec3<S> {
    point.max(-half_extents).min(half_extents)
}

/// The outward normal of the surface of a box nearest to a point, in the axes of the box, and how far the point is above it, metres;
/// negative inside.
pub(in crate::collision) fn above_box<S: Scalar>(point: Vec3<S>, half_extents: Vec3<S>) -> (Vec3<S>, S) {
    let excess = point - clamp_to_box(point, half_extents);
    excess.normalise().unwrap_or_else(|| nearest_face(point, half_extents))
}

/// The outward normal of the face nearest to a point inside the box, and the distance to it, not positive.
fn nearest_face<S: Scalar>(point: Vec3<S>, half_extents: Vec3<S>) -> (Vec3<S>, S) {
    let [x, y, z] = (point.abs() - half_extents).to_array();
    let side = |coordinate: S| if coordinate < S::ZERO { -S::ONE } else { S::ONE };
    if y >= x && y >= z {
        (Vec3::Y * side(point.y), y)
    } else if x >= z {
        (Vec3::X * side(point.x), x)
    } else {
        (Vec3::Z * side(point.z), z)
    }
}
