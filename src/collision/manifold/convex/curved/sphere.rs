//! A ball against a cylinder or cone: the ball's centre and the point of the surface nearest to it.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::convex::CoreGap;
use crate::collision::manifold::round::push_between;
use crate::collision::round_surface::nearest_surface;
use crate::geometry::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// From the surface of a cylinder or cone to a point outside of it; `None` inside.
pub(in crate::collision::manifold::convex) fn gap_to_point<S: Scalar>(
    (shape, rotation): (&Shape<S>, &Mat3<S>),
    point: Vec3<S>,
) -> Option<CoreGap<S>> {
    let (outwards, distance) =
        nearest_surface(shape, rotation.transpose_mul(point)).filter(|&(_, distance)| distance > S::ZERO)?;
    let between = (*rotation * outwards) * distance;
    Some(CoreGap { point: point - between, between })
}

/// The manifold of a ball (A) and a cylinder or cone (B).
pub(in crate::collision::manifold) fn sphere_and_round<S: Scalar>(
    radius: S,
    (shape, rotation): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let Some((outwards, distance)) = nearest_surface(shape, rotation.transpose_mul(-offset)) else {
        return Manifold::empty();
    };
    let normal = -(*rotation * outwards);
    if distance - radius > margin {
        return Manifold::of_apart(normal, distance - radius);
    }
    let mut manifold = Manifold::with_normal(normal);
    push_between(&mut manifold, Vec3::ZERO, (radius, S::ZERO), distance, (margin, 0));
    manifold
}
