//! Axis-aligned boxes.

use crate::geometry::shape::{Shape, across_axis, cone_ends};
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
        // Without branches: which of the six decides is anyone's guess.
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
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
            Self::Cylinder { half_height, radius } => {
                rotation.column(1).abs() * half_height + reach_of_disc(rotation, radius)
            }
            Self::Cone { half_height, radius } => {
                let (base, top) = cone_ends(half_height);
                let (axis, disc) = (rotation.column(1), reach_of_disc(rotation, radius));
                let (base, top) = (axis * base, axis * top);
                return Some(Aabb::new((base - disc).min(top), (base + disc).max(top)).translated(centre));
            }
            Self::HalfSpace { .. } => return None,
        };
        Some(Aabb::new(centre - reach, centre + reach))
    }
}

/// How far a turned disc across y reaches from its middle along the axes.
fn reach_of_disc<S: Scalar>(rotation: &Mat3<S>, radius: S) -> Vec3<S> {
    let [x, y, z] = rotation.rows.map(|row| across_axis(row).length() * radius);
    Vec3::new(x, y, z)
}

#[cfg(test)]
mod tests {
    use super::Aabb;
    use crate::geometry::shape::Shape;
    use crate::math::{Fixed, Mat3, Quat, Scalar, SplitMix64, Vec3};

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

    /// Ten thousand points of the surface of a cylinder and a cone, turned at random: none is outside, and on every side one is near.
    #[test]
    fn boxes_of_round_shapes_hold_their_surface_and_no_more() {
        fn check<S: Scalar>() {
            let mut random = SplitMix64::new(3);
            for _ in 0..40 {
                let (half_height, radius) = (S::from_ratio(3, 4), S::from_ratio(1 + random.below(8) as i64, 4));
                let [x, y, z] = [0; 3].map(|_| S::from_ratio(random.below(2000) as i64 - 1000, 1000));
                let turned = Vec3::new(x, y, z).direction().map_or(Mat3::IDENTITY, |axis| {
                    Quat::from_axis_angle(axis, S::from_ratio(random.below(6000) as i64, 1000)).to_matrix()
                });
                for (shape, low, high, narrow) in [
                    (Shape::Cylinder { half_height, radius }, -0.75, 0.75, 1.0),
                    (Shape::Cone { half_height, radius }, -0.375, 1.125, 0.0),
                ] {
                    let bounds = shape.aabb(&turned, Vec3::ZERO).expect("a bounded shape");
                    let (mut least, mut most) = ([f64::MAX; 3], [f64::MIN; 3]);
                    let rows = turned.rows.map(Vec3::to_f64);
                    for place in 0..10_000 {
                        let (angle, end) = (f64::from(place / 2) / 5000.0 * std::f64::consts::TAU, place % 2);
                        let (height, wide) = if end == 0 { (low, 1.0) } else { (high, narrow) };
                        let wide = wide * radius.to_f64();
                        let point = [wide * angle.cos(), height, wide * angle.sin()];
                        for axis in 0..3 {
                            let along: f64 = rows[axis].iter().zip(point).map(|(a, b)| a * b).sum();
                            (least[axis], most[axis]) = (least[axis].min(along), most[axis].max(along));
                        }
                    }
                    let slack = 32.0 * S::EPSILON.to_f64();
                    for (found, seen) in bounds.min.to_f64().into_iter().zip(least) {
                        assert!(found <= seen + slack && found >= seen - slack - 1e-6, "{shape:?} {found} {seen}");
                    }
                    for (found, seen) in bounds.max.to_f64().into_iter().zip(most) {
                        assert!(found >= seen - slack && found <= seen + slack + 1e-6, "{shape:?} {found} {seen}");
                    }
                }
            }
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
