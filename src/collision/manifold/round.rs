//! Sphere against sphere and sphere against capsule: two balls around the closest points of their cores.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::capsule_capsule::Capsule;
use crate::math::{Scalar, Vec3};

/// Two balls with centres `offset` apart.
pub(super) fn spheres<S: Scalar>(radius_a: S, radius_b: S, offset: Vec3<S>, margin: S) -> Manifold<S> {
    if offset.length() > radius_a + radius_b + margin {
        return Manifold::of_apart_along(offset, radius_a + radius_b);
    }
    let (normal, distance) = offset.normalise().unwrap_or((Vec3::Y, S::ZERO));
    let mut manifold = Manifold::with_normal(normal);
    push_between(&mut manifold, Vec3::ZERO, (radius_a, radius_b), distance, (margin, 0));
    manifold
}

/// A ball and a capsule: the ball that the capsule holds at the point of its axis nearest to the sphere's centre.
pub(super) fn sphere_and_capsule<S: Scalar>(sphere: S, capsule: Capsule<S>, offset: Vec3<S>, margin: S) -> Manifold<S> {
    let along = -capsule.axis.dot(offset);
    let nearest = offset + capsule.point(along.clamp(-capsule.half_height, capsule.half_height));
    if nearest.length() > sphere + capsule.radius + margin {
        return Manifold::of_apart_along(nearest, sphere + capsule.radius);
    }
    // A centre on the axis leaves by the side: no way out is shorter.
    let (normal, distance) = if capsule.goes_on_at(along) && is_coarse(nearest, sphere + capsule.radius) {
        across_axis(nearest, capsule.axis)
    } else {
        nearest.normalise().unwrap_or((capsule.axis.tangents().0, S::ZERO))
    };
    let mut manifold = Manifold::with_normal(normal);
    push_between(&mut manifold, Vec3::ZERO, (sphere, capsule.radius), distance, (margin, 0));
    manifold
}

/// Whether what leads from one core to another is so short, beside the radii around both, that rounding may have turned it.
pub(super) fn is_coarse<S: Scalar>(between: Vec3<S>, radii: S) -> bool {
    between.length() <= radii.scale_by_power_of_two(-6)
}

/// The unit direction of what leads away from an axis at right angles but for rounding, and how far it leads. Where it is nothing but rounding
/// any direction across the axis is as good.
pub(super) fn across_axis<S: Scalar>(between: Vec3<S>, axis: Vec3<S>) -> (Vec3<S>, S) {
    let across = between.direction().map(|direction| direction - axis * axis.dot(direction));
    let across = across.filter(|across| across.length() > S::HALF).and_then(Vec3::direction);
    let normal = across.unwrap_or_else(|| axis.tangents().0);
    (normal, normal.dot(between).max(S::ZERO))
}

/// Adds the point between two balls: `centre` is that of the first, and the second lies `distance` along the normal.
#[inline]
pub(super) fn push_between<S: Scalar>(
    manifold: &mut Manifold<S>,
    centre: Vec3<S>,
    (radius_a, radius_b): (S, S),
    distance: S,
    (margin, feature): (S, u32),
) {
    let separation = distance - (radius_a + radius_b);
    if separation <= margin {
        let position = centre + manifold.normal * (radius_a + separation * S::HALF);
        manifold.push(position, separation, feature);
    }
}
