//! Axis-aligned boxes.

use crate::geometry::shape::Shape;
use crate::math::{Mat3, Scalar, Vec3};

/// The points from `min` to `max` in every coordinate, both included. Metres, world axes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb<S> {
    /// The smallest coordinates.
    pub min: Vec3<S>,
    /// The largest coordinates, none below `min`.
    pub max: Vec3<S>,
}

impl<S: Scalar> Aabb<S> {
    /// The box of these corners.
    #[must_use]
    pub const fn new(min: Vec3<S>, max: Vec3<S>) -> Self {
        Self { min, max }
    }

    /// Whether the boxes share a point; touching counts.
    #[inline(always)]
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.x <= other.max.x
            && other.min.x <= self.max.x
            && self.min.y <= other.max.y
            && other.min.y <= self.max.y
            && self.min.z <= other.max.z
            && other.min.z <= self.max.z
    }

    /// Whether the other box lies in this one; touching from inside counts.
    #[inline]
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        self.min.x <= other.min.x
            && self.min.y <= other.min.y
            && self.min.z <= other.min.z
            && other.max.x <= self.max.x
            && other.max.y <= self.max.y
            && other.max.z <= self.max.z
    }

    /// The smallest box that holds both.
    #[inline(always)]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The box grown by `margin` metres to every side.
    #[inline]
    #[must_use]
    pub fn expanded(&self, margin: S) -> Self {
        let growth = Vec3::splat(margin);
        Self { min: self.min - growth, max: self.max + growth }
    }

    /// The box moved by `displacement`.
    #[inline]
    #[must_use]
    pub fn translated(&self, displacement: Vec3<S>) -> Self {
        Self { min: self.min + displacement, max: self.max + displacement }
    }
}

impl<S: Scalar> Shape<S> {
    /// The box around the shape turned by `rotation` with its origin at `centre`, exact up to rounding; `None` for a
    /// half-space, which no box holds.
    #[must_use]
    pub fn aabb(&self, rotation: &Mat3<S>, centre: Vec3<S>) -> Option<Aabb<S>> {
        let reach = match *self {
            Self::Sphere { radius } => Vec3::splat(radius),
            Self::Cuboid { half_extents } => rotation.abs() * half_extents,
            Self::Capsule { half_height, radius } => rotation.column(1).abs() * half_height + Vec3::splat(radius),
            Self::HalfSpace { .. } => return None,
        };
        Some(Aabb::new(centre - reach, centre + reach))
    }
}
