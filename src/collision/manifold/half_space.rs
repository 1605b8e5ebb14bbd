//! Sphere, capsule and cuboid against a half-space. The half-space is always shape B, its normal is in world axes.

use crate::collision::manifold::capsule_capsule::Capsule;
use crate::collision::manifold::round::push_between;
use crate::collision::manifold::{Carrier, Manifold};
use crate::math::{Mat3, Scalar, Vec3};

/// A sphere on a half-space.
pub(super) fn sphere<S: Scalar>(radius: S, up: Vec3<S>, offset: Vec3<S>, margin: S) -> Manifold<S> {
    let height = -up.dot(offset);
    let mut manifold = Manifold::with_normal(-up);
    push_between(&mut manifold, Vec3::ZERO, (radius, S::ZERO), height, (margin, 0));
    or_apart(manifold, height - radius)
}

/// A capsule on a half-space: the balls at both ends of its axis. Features: 0 the lower end in local y, 1 the upper.
pub(super) fn capsule<S: Scalar>(capsule: Capsule<S>, up: Vec3<S>, offset: Vec3<S>, margin: S) -> Manifold<S> {
    let mut manifold = Manifold::with_normal(-up);
    let mut lowest = S::MAX;
    for (feature, along) in [(0, -capsule.half_height), (1, capsule.half_height)] {
        let end = capsule.point(along);
        let height = up.dot(end - offset);
        push_between(&mut manifold, end, (capsule.radius, S::ZERO), height, (margin, feature));
        lowest = lowest.min(height);
    }
    or_apart(manifold, lowest - capsule.radius)
}

/// A cuboid on a half-space: the corners of the face that looks down most.
///
/// That face always has the deepest corner. Taking the deepest four of all eight instead would, for a tilted plate
/// thinner than the margin, take both ends of two upright edges and leave the far side without support.
/// The feature is the number of the corner: bit i is set on the positive side of axis i.
pub(super) fn cuboid<S: Scalar>(
    (half_extents, rotation): (Vec3<S>, &Mat3<S>),
    up: Vec3<S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let mut manifold = Manifold::with_normal(-up);
    manifold.carrier = Carrier::Second;
    let slope = rotation.transpose_mul(up);
    let steep = slope.abs();
    let down = if steep.y >= steep.x && steep.y >= steep.z {
        1
    } else if steep.x >= steep.z {
        0
    } else {
        2
    };
    let face_bit = 1 << down;
    let mut lowest = S::MAX;
    let face_side = if slope.to_array()[down] > S::ZERO { 0 } else { face_bit };
    for corner in (0..8_u32).filter(|corner| corner & face_bit == face_side) {
        let side = |axis: u32, extent: S| if corner & (1 << axis) == 0 { -extent } else { extent };
        let local = Vec3::new(side(0, half_extents.x), side(1, half_extents.y), side(2, half_extents.z));
        let point = *rotation * local;
        let separation = up.dot(point - offset);
        if separation <= margin {
            manifold.push(point - up * (separation * S::HALF), separation, corner);
        }
        lowest = lowest.min(separation);
    }
    or_apart(manifold, lowest)
}

/// A manifold, which without points is that of a shape this far above the plane.
fn or_apart<S: Scalar>(manifold: Manifold<S>, height: S) -> Manifold<S> {
    if manifold.is_empty() { Manifold::of_apart(manifold.normal, height) } else { manifold }
}
