//! Where a ray meets a shape: closed forms, but for cylinders and cones (`ray_round`) and surfaces (`ray_surface`).
//!
//! No squares of far points enter: a ray is first taken to the point where it passes the shape, so that what is 1 km off is met as exactly
//! as what is near, in fixed point too.

use crate::collision::query::containment::from_axis;
use crate::collision::query::ray_round::round;
use crate::collision::query::ray_surface::{facet, surface};
use crate::geometry::Shape;
use crate::geometry::hull::Plane;
use crate::math::{Mat3, Scalar, Vec3};

/// A straight way with a start and an end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray<S> {
    /// Where it starts, from the origin of the shape or of the world, metres, world axes.
    pub origin: Vec3<S>,
    /// Where it leads: a unit vector.
    pub direction: Vec3<S>,
    /// How far it reaches, metres, not negative.
    pub length: S,
}

/// Where a ray meets a shape first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit<S> {
    /// From the start of the ray, metres; zero where it starts inside.
    pub distance: S,
    /// The unit normal out of the surface there, world axes; against the ray where it starts inside.
    pub normal: Vec3<S>,
}

impl<S: Scalar> Ray<S> {
    /// The point at this distance from its start.
    #[must_use]
    pub fn point(&self, distance: S) -> Vec3<S> {
        self.origin + self.direction * distance
    }

    /// The same in the axes of a shape.
    fn seen_from(&self, rotation: &Mat3<S>) -> Self {
        let [origin, direction] = [self.origin, self.direction].map(|vector| rotation.transpose_mul(vector));
        Self { origin, direction, ..*self }
    }
}

/// Where a ray meets a shape turned by `rotation`, seen from the shape's origin; touching counts.
#[must_use]
pub fn cast_ray<S: Scalar>(shape: &Shape<S>, rotation: &Mat3<S>, ray: &Ray<S>) -> Option<RayHit<S>> {
    let local = ray.seen_from(rotation);
    let hit = match *shape {
        Shape::Sphere { radius } => ball(&local, Vec3::ZERO, radius),
        Shape::Capsule { half_height, radius } => capsule(&local, half_height, radius),
        Shape::Cylinder { .. } | Shape::Cone { .. } => round(&local, shape),
        Shape::Cuboid { half_extents } => cuboid(&local, half_extents),
        Shape::Hull(ref hull) => polyhedron(&local, hull.planes()),
        Shape::HalfSpace { normal } => polyhedron(&local, &[Plane { normal, offset: S::ZERO }]),
        Shape::Facet(ref piece) => facet(&local, piece),
        Shape::Mesh(ref mesh) => surface(&local, mesh),
    };
    let hit = hit.filter(|hit| hit.distance <= ray.length)?;
    let normal = if hit.normal == Vec3::ZERO { -ray.direction } else { *rotation * hit.normal };
    Some(RayHit { normal, ..hit })
}

/// What is met at the start, whatever lies there: the caller turns the normal against the ray.
pub(super) const fn inside<S: Scalar>() -> RayHit<S> {
    RayHit { distance: S::ZERO, normal: Vec3::ZERO }
}

/// A ball about `centre`.
fn ball<S: Scalar>(ray: &Ray<S>, centre: Vec3<S>, radius: S) -> Option<RayHit<S>> {
    let start = ray.origin - centre;
    if start.length() <= radius {
        return Some(inside());
    }
    let along = -start.dot(ray.direction);
    let passed = start + ray.direction * along;
    let entered = along - half_chord(radius, passed.length())?;
    if entered < S::ZERO {
        return None; // it leads away
    }
    let normal = (start + ray.direction * entered).direction()?;
    Some(RayHit { distance: entered, normal })
}

/// Half the chord of a circle at this distance from its centre; `None` outside it.
fn half_chord<S: Scalar>(radius: S, distance: S) -> Option<S> {
    if distance > radius {
        return None;
    }
    // As large as the product of fixed point holds, for its digits: of 1 mm they would be twelve bits else.
    let (_, exponent) = radius.to_mantissa_exponent();
    let [less, more] = [radius - distance, radius + distance].map(|part| part.scale_by_power_of_two(12 - exponent));
    Some((less * more).sqrt().scale_by_power_of_two(exponent - 12))
}

/// A capsule along y about the origin.
fn capsule<S: Scalar>(ray: &Ray<S>, half_height: S, radius: S) -> Option<RayHit<S>> {
    if from_axis(ray.origin, half_height).length() <= radius {
        return Some(inside());
    }
    let across = |vector: Vec3<S>| Vec3::new(vector.x, S::ZERO, vector.z);
    let start = across(ray.origin);
    let side = if let Some((direction, speed)) = across(ray.direction).normalise() {
        // The cylinder about the whole axis, seen along it.
        let along = -start.dot(direction);
        let entered = along - half_chord(radius, (start + direction * along).length())?;
        if entered > ray.length * speed {
            return None;
        }
        let distance = (entered / speed).max(S::ZERO);
        let height = ray.origin.y + ray.direction.y * distance;
        if entered >= S::ZERO && height.abs() <= half_height {
            let normal = (start + direction * entered).direction()?;
            return Some(RayHit { distance, normal });
        }
        height
    } else if start.length() > radius {
        return None;
    } else {
        ray.origin.y
    };
    // What comes into the cylinder beyond an end meets the cap of that end first.
    let end = if side < S::ZERO { -half_height } else { half_height };
    ball(ray, Vec3::Y * end, radius)
}

/// The part of a ray that lies behind all planes so far.
///
/// M. Cyrus, J. Beck, "Generalized Two- and Three-Dimensional Clipping", 1978.
struct Passage<S> {
    enters: RayHit<S>,
    /// Where it ends, from the start of the ray, metres.
    leaves: S,
    /// Of the ray, metres.
    length: S,
}

impl<S: Scalar> Passage<S> {
    fn of_all(ray: &Ray<S>) -> Self {
        Self { enters: inside(), leaves: ray.length, length: ray.length }
    }

    /// Clips it by one more plane, above which the ray begins at this height and to which it comes down by so much a metre; `None` where
    /// nothing is left.
    #[inline(always)]
    fn clipped(mut self, normal: Vec3<S>, height: S, descent: S) -> Option<Self> {
        if descent > S::ZERO {
            // Each quotient is asked for only where it is at most the length, and does not overflow.
            if height > self.length * descent {
                return None;
            }
            if height > S::ZERO && height / descent >= self.enters.distance {
                self.enters = RayHit { distance: height / descent, normal };
            }
        } else if height > S::ZERO {
            return None;
        } else if height > self.length * descent {
            self.leaves = self.leaves.min(height / descent);
        }
        Some(self)
    }

    fn hit(self) -> Option<RayHit<S>> {
        (self.enters.distance <= self.leaves).then_some(self.enters)
    }
}

/// What lies behind all of these planes.
fn polyhedron<S: Scalar>(ray: &Ray<S>, planes: &[Plane<S>]) -> Option<RayHit<S>> {
    let clipped = |passage: Passage<S>, plane: &Plane<S>| {
        let height = plane.normal.dot(ray.origin) - plane.offset;
        passage.clipped(plane.normal, height, -plane.normal.dot(ray.direction))
    };
    planes.iter().try_fold(Passage::of_all(ray), clipped)?.hit()
}

/// What lies between three pairs of parallel planes.
fn cuboid<S: Scalar>(ray: &Ray<S>, half_extents: Vec3<S>) -> Option<RayHit<S>> {
    let mut passage = Passage::of_all(ray);
    let along = ray.origin.to_array().into_iter().zip(ray.direction.to_array());
    for ((axis, half), (start, speed)) in
        [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(half_extents.to_array()).zip(along)
    {
        passage = passage.clipped(axis, start - half, -speed)?.clipped(-axis, -start - half, speed)?;
    }
    passage.hit()
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use proptest::{prop_assert, proptest};

    use crate::collision::query::{Ray, RayHit, cast_ray, contains};
    use crate::geometry::Shape;
    use crate::geometry::hull::{ExactHull, Hull};
    use crate::math::{Fixed, Mat3, Quat, Scalar, Vec3};

    /// One of each bounded kind, and how far it reaches along its own axes.
    pub(in crate::collision::query) fn shapes<S: Scalar>() -> Vec<(Shape<S>, [S; 3])> {
        let corners =
            [[-4, -2, -1], [4, -2, -1], [-4, 2, -1], [4, 2, -1], [-4, -2, 1], [4, -2, 1], [-4, 2, 1], [4, 2, 1]];
        let (exact, _) = ExactHull::new(&corners, -2).expect("a volume");
        let quarter = |count: i64| S::from_ratio(count, 4);
        vec![
            (Shape::Sphere { radius: quarter(3) }, [quarter(3); 3]),
            (
                Shape::Cuboid { half_extents: Vec3::new(quarter(4), quarter(2), quarter(1)) },
                [quarter(4), quarter(2), quarter(1)],
            ),
            (Shape::Capsule { half_height: quarter(2), radius: quarter(1) }, [quarter(1), quarter(3), quarter(1)]),
            (Shape::Hull(Arc::new(Hull::new(Arc::new(exact)))), [quarter(4), quarter(2), quarter(1)]),
            (Shape::Cylinder { half_height: quarter(3), radius: quarter(2) }, [quarter(2), quarter(3), quarter(2)]),
        ]
    }

    pub(in crate::collision::query) fn turned<S: Scalar>() -> Mat3<S> {
        let axis = Vec3::new(S::from_ratio(3, 5), S::ZERO, S::from_ratio(4, 5));
        Quat::from_axis_angle(axis, S::from_ratio(7, 10)).to_matrix()
    }

    fn near(found: f64, expected: f64, bound: f64) -> bool {
        (found - expected).abs() <= bound
    }

    /// From 10 m and from 1 km off, along each axis of the shape: to the surface, with the normal back along the ray.
    #[test]
    fn a_ray_along_an_axis_meets_the_surface_there() {
        fn check<S: Scalar>() {
            let rotation = turned::<S>();
            for (shape, reach) in shapes::<S>() {
                for (axis, away) in [(0, 10), (1, 10), (2, 10), (0, 1000), (1, 1000), (2, 1000)] {
                    let (direction, away) = (rotation.column(axis), S::from_i32(away));
                    let ray = Ray { origin: direction * away, direction: -direction, length: away };
                    let hit = cast_ray(&shape, &rotation, &ray).expect("it leads to the middle");
                    let bound = 32.0 * S::EPSILON.to_f64() * away.to_f64();
                    assert!(
                        near(hit.distance.to_f64(), (away - reach[axis]).to_f64(), bound),
                        "{shape:?} {axis} {hit:?}"
                    );
                    // Where rounding takes the ray past the middle of something round, the normal leans by that over the radius.
                    assert!((hit.normal - direction).length().to_f64() <= 8.0 * bound, "{shape:?} {axis} {hit:?}");
                    let short = Ray { length: away - reach[axis] - S::from_ratio(1, 100), ..ray };
                    assert_eq!(cast_ray(&shape, &rotation, &short), None);
                    assert_eq!(cast_ray(&shape, &rotation, &Ray { direction, ..ray }), None, "it leads away");
                }
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn a_ray_that_starts_inside_is_met_at_once() {
        fn check<S: Scalar>() {
            for (shape, _) in shapes::<S>() {
                let ray = Ray {
                    origin: Vec3::new(S::from_ratio(1, 10), S::ZERO, S::ZERO),
                    direction: Vec3::Z,
                    length: S::ZERO,
                };
                let expected = RayHit { distance: S::ZERO, normal: -Vec3::Z };
                assert_eq!(cast_ray(&shape, &Mat3::IDENTITY, &ray), Some(expected), "{shape:?}");
            }
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// `x = 0.6 r` at height `0.8 r`, and a capsule's cap likewise.
    #[test]
    fn round_things_are_met_off_their_middle() {
        fn check<S: Scalar>() {
            let fifth = |count: i64| S::from_ratio(count, 5);
            let ray = |height: S| Ray {
                origin: Vec3::new(S::from_i32(-3), height, S::ZERO),
                direction: Vec3::X,
                length: S::from_i32(9),
            };
            let bound = 64.0 * S::EPSILON.to_f64();
            let assert_met = |hit: Option<RayHit<S>>, what: &str| {
                let hit = hit.expect("it is met");
                assert!(near(hit.distance.to_f64(), 2.4, bound), "{what}: {hit:?}");
                assert!(
                    near(hit.normal.x.to_f64(), -0.6, bound) && near(hit.normal.y.to_f64(), 0.8, bound),
                    "{what}: {hit:?}"
                );
            };
            assert_met(cast_ray(&Shape::Sphere { radius: S::ONE }, &Mat3::IDENTITY, &ray(fifth(4))), "sphere");
            let capsule = Shape::Capsule { half_height: S::ONE, radius: S::ONE };
            assert_met(cast_ray(&capsule, &Mat3::IDENTITY, &ray(fifth(9))), "upper cap");
            let grazing = Ray { origin: Vec3::new(S::from_i32(-3), S::from_ratio(201, 100), S::ZERO), ..ray(S::ZERO) };
            assert_eq!(cast_ray(&capsule, &Mat3::IDENTITY, &grazing), None);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    /// A cone with a slant of 1.25 m whose side has the normal (0.8, 0.6): half as high as its top it is 0.375 m wide.
    #[test]
    fn a_cone_is_met_on_its_side_base_and_top() {
        fn check<S: Scalar>() {
            let cone = Shape::Cone { half_height: S::HALF, radius: S::from_ratio(3, 4) };
            let bound = 64.0 * S::EPSILON.to_f64();
            let met = |origin: [i64; 3], direction: Vec3<S>, expected: f64, normal: [f64; 3]| {
                let [x, y, z] = origin.map(|quarters| S::from_ratio(quarters, 4));
                let ray = Ray { origin: Vec3::new(x, y, z), direction, length: S::from_i32(20) };
                let hit = cast_ray(&cone, &Mat3::IDENTITY, &ray).expect("it is met");
                assert!(near(hit.distance.to_f64(), expected, bound), "{hit:?} ({})", S::KIND);
                assert!(hit.normal.to_f64().into_iter().zip(normal).all(|(a, b)| near(a, b, bound)), "{hit:?}");
            };
            met([-8, 1, 0], Vec3::X, 2.0 - 0.375, [-0.8, 0.6, 0.0]);
            met([1, -8, 1], Vec3::Y, 1.75, [0.0, -1.0, 0.0]);
            // Down upon a point at half the radius: as high as (0.375, 0.25).
            met([0, 8, 0], -Vec3::Y, 1.25, [0.8, 0.6, 0.0]);
            let beside =
                Ray { origin: Vec3::new(S::ONE, S::TWO, S::ZERO), direction: -Vec3::Y, length: S::from_i32(9) };
            assert_eq!(cast_ray(&cone, &Mat3::IDENTITY, &beside), None);
            // Along a line of its side, outside of it by a thousandth.
            let out = Vec3::new(S::from_ratio(4, 5), S::from_ratio(3, 5), S::ZERO) * S::from_ratio(1, 1000);
            let down = Vec3::new(S::from_ratio(3, 5), S::from_ratio(-4, 5), S::ZERO);
            let along =
                Ray { origin: Vec3::Y * S::from_ratio(3, 4) + out - down, direction: down, length: S::from_i32(9) };
            assert_eq!(cast_ray(&cone, &Mat3::IDENTITY, &along), None);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn a_half_space_is_met_from_above_and_never_along_it() {
        let up = Shape::HalfSpace { normal: Vec3::Y };
        let ray = |origin, direction| Ray { origin, direction, length: 100.0 };
        let slanted = ray(Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.8, -0.6, 0.0));
        assert_eq!(cast_ray(&up, &Mat3::IDENTITY, &slanted), Some(RayHit { distance: 5.0, normal: Vec3::Y }));
        assert_eq!(cast_ray(&up, &Mat3::IDENTITY, &ray(Vec3::new(0.0, 3.0, 0.0), Vec3::X)), None);
        let below = ray(Vec3::new(0.0, -3.0, 0.0), Vec3::Y);
        assert_eq!(cast_ray(&up, &Mat3::IDENTITY, &below), Some(RayHit { distance: 0.0, normal: -Vec3::Y }));
    }

    proptest! {
        /// Against a walk along the ray: before the hit lies nothing, behind it the shape; without a hit there is nothing on the way.
        #[test]
        fn hits_are_where_a_walk_along_the_ray_enters(
            number in 0..6_usize,
            origin in proptest::array::uniform3(-3.0..3.0_f64),
            towards in proptest::array::uniform3(-1.0..1.0_f64),
        ) {
            let cone = Shape::Cone { half_height: 0.5, radius: 0.75 };
            let shape = shapes::<f64>().into_iter().map(|(shape, _)| shape).nth(number).unwrap_or(cone);
            let [origin, towards] = [origin, towards].map(|[x, y, z]| Vec3::new(x, y, z));
            let Some((direction, length)) = (towards - origin).normalise() else { return Ok(()) };
            let rotation = turned();
            let ray = Ray { origin, direction, length };
            let is_in = |distance: f64| contains(&shape, &rotation, ray.point(distance));
            let hit = cast_ray(&shape, &rotation, &ray);
            let free = hit.map_or(length, |hit| hit.distance);
            for place in 0..200 {
                prop_assert!(!is_in((free - 1e-9) * f64::from(place) / 200.0) || free < 1e-9, "at {place} of {hit:?}");
            }
            if let Some(hit) = hit {
                // It leans out of the surface, against the ray.
                prop_assert!(hit.normal.dot(direction) <= 1e-12);
                let sunk = ray.point(hit.distance) - hit.normal * 1e-9;
                prop_assert!(contains(&shape, &rotation, sunk), "{hit:?}");
            }
        }
    }
}
