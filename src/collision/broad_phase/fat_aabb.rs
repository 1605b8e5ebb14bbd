//! What the broad phase sees of a shape.

use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};

/// A region that holds a shape with some room to move. World axes, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FatAabb<S> {
    /// A box.
    Bounded(Aabb<S>),
    /// Everything below a plane.
    HalfSpace {
        /// The unit normal that points out of the solid side.
        normal: Vec3<S>,
        /// A point of the plane.
        point: Vec3<S>,
    },
}

impl<S: Scalar> FatAabb<S> {
    /// Whether this is a box.
    #[must_use]
    pub const fn is_bounded(&self) -> bool {
        matches!(self, Self::Bounded(_))
    }

    /// Whether the regions share a point; touching counts. Two half-spaces never overlap: nothing can come of it.
    #[inline]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bounded(a), Self::Bounded(b)) => a.overlaps(b),
            (Self::Bounded(bounded), Self::HalfSpace { normal, point })
            | (Self::HalfSpace { normal, point }, Self::Bounded(bounded)) => reaches_below(bounded, *normal, *point),
            (Self::HalfSpace { .. }, Self::HalfSpace { .. }) => false,
        }
    }
}

/// Whether the lowest corner of a box lies on or below a plane.
///
/// A box that holds another never lies higher: each rounding keeps the order. So a search may prune by outer boxes.
#[inline]
pub(super) fn reaches_below<S: Scalar>(bounded: &Aabb<S>, normal: Vec3<S>, point: Vec3<S>) -> bool {
    let lowest = |slope: S, min: S, max: S| if slope < S::ZERO { max } else { min };
    let corner = Vec3::new(
        lowest(normal.x, bounded.min.x, bounded.max.x),
        lowest(normal.y, bounded.min.y, bounded.max.y),
        lowest(normal.z, bounded.min.z, bounded.max.z),
    );
    normal.dot(corner - point) <= S::ZERO
}
