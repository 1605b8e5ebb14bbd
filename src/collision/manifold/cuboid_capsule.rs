//! Cuboid against capsule.
use crate::collision::manifold::Manifold;
use crate::collision::manifold::capsule_capsule::Capsule;
use crate::math::{Mat3, Scalar, Vec3};
/// The manifold of a cuboid (A) and a capsule (B).
pub(super) fn collide<S: Scalar>(
    (half_extents, rotation): (Vec3<S>, &Mat3<S>),
    capsule: Capsule<S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let _ = (half_extents, rotation, capsule, offset, margin);
    Manifold::empty()
}
