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
            Self::Hull(ref hull) => return Some(hull.aabb(rotation).translated(centre)),
            Self::Mesh(ref mesh) => return Some(mesh.aabb(rotation).translated(centre)),
            Self::Facet(ref facet) => return Some(facet.aabb(rotation).translated(centre)),
            Self::HalfSpace { .. } => return None,
        };
        Some(Aabb::new(centre - reach, centre + reach))
    }
}

#[cfg(test)]
mod tests {
    use super::Aabb;
    use crate::geometry::shape::Shape;
    use crate::math::{Fixed, Mat3, Quat, Scalar, Vec3};

    /// Asserts that a box reaches this far from its centre to either side.
    fn assert_reach<S: Scalar>(shape: &Shape<S>, rotation: &Mat3<S>, reach: [f64; 3]) {
        let centre = Vec3::new(S::from_i32(3), S::from_i32(-2), S::ONE);
        let bounds = shape.aabb(rotation, centre).expect("a bounded shape");
        for (found, sign) in [(bounds.max - centre, 1.0), (bounds.min - centre, -1.0)] {
            for (found, wanted) in found.to_f64().into_iter().zip(reach) {
                assert!((found - sign * wanted).abs() <= 16.0 * S::EPSILON.to_f64(), "{found} {wanted}");
            }
        }
    }

    #[test]
    fn boxes_touch_their_shapes() {
        fn check<S: Scalar>() {
            let turned = Quat::from_axis_angle(Vec3::Z, S::PI / S::from_i32(6)).to_matrix();
            let (sine, cosine) = (0.5, 0.75_f64.sqrt());
            assert_reach(&Shape::Sphere { radius: S::HALF }, &turned, [0.5; 3]);
            let half_extents = Vec3::new(S::TWO, S::ONE, S::HALF);
            assert_reach(&Shape::Cuboid { half_extents }, &Mat3::IDENTITY, [2.0, 1.0, 0.5]);
            let reach = [2.0 * cosine + sine, 2.0 * sine + cosine, 0.5];
            assert_reach(&Shape::Cuboid { half_extents }, &turned, reach);
            let capsule = Shape::Capsule { half_height: S::TWO, radius: S::HALF };
            assert_reach(&capsule, &turned, [2.0 * sine + 0.5, 2.0 * cosine + 0.5, 0.5]);
            assert_eq!(Shape::HalfSpace { normal: Vec3::Y }.aabb(&turned, Vec3::<S>::ZERO), None);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn overlap_and_containment_count_touching() {
        let unit = |x: f64| Aabb::new(Vec3::new(x, 0.0, 0.0), Vec3::new(x + 1.0, 1.0, 1.0));
        assert!(unit(0.0).overlaps(&unit(1.0)) && unit(1.0).overlaps(&unit(0.0)));
        assert!(!unit(0.0).overlaps(&unit(1.5)));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            assert!(!unit(0.0).overlaps(&unit(0.0).translated(axis * 1.25)));
            assert!(!unit(0.0).overlaps(&unit(0.0).translated(axis * -1.25)));
            assert!(!unit(0.0).expanded(0.5).contains(&unit(0.0).translated(axis)));
            assert!(!unit(0.0).expanded(0.5).contains(&unit(0.0).translated(-axis)));
        }
        assert!(unit(0.0).expanded(0.5).contains(&unit(0.5)));
        let both = unit(0.0).union(&unit(3.0));
        assert_eq!(both, Aabb::new(Vec3::ZERO, Vec3::new(4.0, 1.0, 1.0)));
        assert!(both.contains(&unit(0.0)) && both.contains(&unit(3.0)) && !both.contains(&unit(3.5)));
    }
}
