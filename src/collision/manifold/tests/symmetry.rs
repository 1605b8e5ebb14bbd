//! Exchanging the shapes, moving and turning the scene.

use super::{RandomShapes, capsule, collide, cone, cuboid, cylinder, floor, number, rounding, sphere, turn, vector};
use crate::collision::manifold::{Manifold, ManifoldPoint};
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// One shape of each kind, with two cuboids.
fn shapes<S: Scalar>() -> [Shape<S>; 8] {
    [
        sphere(0.75),
        cuboid(0.5, 1.0, 0.25),
        cuboid(0.5, 0.5, 0.5),
        capsule(0.5, 0.5),
        cylinder(0.5, 0.25),
        cylinder(0.125, 0.75),
        cone(0.5, 0.5),
        floor(),
    ]
}

#[test]
fn exchanging_the_shapes_mirrors_the_manifold_exactly() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(1);
        for first in shapes::<S>() {
            for second in shapes::<S>() {
                for _ in 0..200 {
                    let (turn_a, turn_b) = (random.rotation(), random.rotation());
                    let offset = random.direction();
                    let forth = collide(&first, &turn_a, &second, &turn_b, offset, number(0.5));
                    let back = collide(&second, &turn_b, &first, &turn_a, -offset, number(0.5));
                    // One of the two was computed, the other is its mirror image to the bit.
                    assert!(
                        forth == back.flipped(-offset) || back == forth.flipped(offset),
                        "{first:?} {second:?} {forth:?} {back:?}"
                    );
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn coincident_and_degenerate_shapes_give_finite_unit_normals() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(2);
        let tiny = S::EPSILON;
        let slivers = [
            cuboid::<S>(4.0, 0.0001, 4.0),
            cuboid(0.0001, 4.0, 0.0001),
            capsule(0.0, 0.5),
            capsule(4.0, 0.001),
            cylinder(0.0001, 4.0),
            cylinder(4.0, 0.001),
            cone(0.0001, 4.0),
            cone(4.0, 0.001),
        ];
        let all: Vec<_> = shapes().into_iter().chain(slivers).collect();
        for first in &all {
            for second in &all {
                for round in 0..40 {
                    let turned = if round % 2 == 0 { Mat3::IDENTITY } else { random.rotation() };
                    let other = if round % 4 < 2 { turned } else { random.rotation() };
                    let offset = [Vec3::ZERO, Vec3::splat(tiny), random.direction() * tiny, random.direction()];
                    let manifold = collide(first, &turned, second, &other, offset[round % 4], number(0.1));
                    assert_sound(&manifold);
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Asserts what must hold of every manifold.
fn assert_sound<S: Scalar>(manifold: &Manifold<S>) {
    let length = manifold.normal.length().to_f64();
    assert!((length - 1.0).abs() <= rounding::<S>(), "{manifold:?}");
    let mut features: Vec<_> = manifold.points().iter().map(|point| point.feature).collect();
    features.sort_unstable();
    features.dedup();
    assert_eq!(features.len(), manifold.points().len(), "features are unique: {manifold:?}");
    let is_finite = |point: &ManifoldPoint<S>| point.position.is_finite() && point.separation.is_finite();
    assert!(manifold.points().iter().all(is_finite));
}

#[test]
fn huge_floats_give_no_nan() {
    fn check<S: Scalar>(huge: S) {
        let sizes = [huge, S::ONE, S::EPSILON];
        for size in sizes {
            let all = [
                Shape::Sphere { radius: size },
                Shape::Cuboid { half_extents: Vec3::new(size, S::ONE, size) },
                Shape::Capsule { half_height: size, radius: size },
                Shape::Cylinder { half_height: size, radius: size },
                Shape::Cone { half_height: size, radius: size },
                floor(),
            ];
            for first in &all {
                for second in &all {
                    for place in [huge, S::ONE, -S::EPSILON] {
                        let manifold = collide(
                            first,
                            &Mat3::IDENTITY,
                            second,
                            &turn(Vec3::Z, 30.0),
                            Vec3::new(place, size, -place),
                            huge,
                        );
                        assert!(manifold.points().is_empty() || manifold.normal.is_finite());
                        assert!(manifold.points().iter().all(|point| point.position.is_finite()));
                    }
                }
            }
        }
    }
    check::<f32>(f32::MAX);
    check::<f64>(f64::MAX);
    check::<Fixed>(Fixed::MAX);
}

#[test]
fn turning_the_scene_by_a_quarter_turns_the_points() {
    fn check<S: Scalar>() {
        // Entries 0 and 1 only: the turn itself is exact.
        let quarter = Mat3::from_rows([Vec3::Z, Vec3::X, Vec3::Y]);
        let mut random = SplitMix64::new(3);
        for first in shapes::<S>() {
            for second in shapes::<S>() {
                for _ in 0..50 {
                    let (turn_a, turn_b) = (turn(random.direction(), 20.0), turn(random.direction(), 50.0));
                    let offset: Vec3<S> = vector(0.5, 0.25, 0.125) + random.direction() * number(0.25);
                    let margin = number(0.25);
                    let still = collide(&first, &turn_a, &second, &turn_b, offset, margin);
                    let turned =
                        collide(&first, &(quarter * turn_a), &second, &(quarter * turn_b), quarter * offset, margin);
                    assert_eq!(still.points().len(), turned.points().len());
                    // Gaps of round things are searched for to 2^-22 or rounding, their directions are known to the root of that.
                    let is_round = |shape: &Shape<S>| matches!(shape, Shape::Cylinder { .. } | Shape::Cone { .. });
                    if is_round(&first) || is_round(&second) {
                        let leans = (quarter * still.normal - turned.normal).length().to_f64();
                        assert!(leans <= 4.0 * rounding::<S>().sqrt().max(5e-4), "{first:?} {second:?} {leans}");
                        let gaps = [&still, &turned].map(|found| found.gap().map_or(0.0, S::to_f64));
                        let bound = 4.0 * rounding::<S>() + 1e-3 * gaps[0].abs() + 1e-5;
                        assert!((gaps[0] - gaps[1]).abs() <= bound, "{first:?} {second:?} {gaps:?}");
                        continue;
                    }
                    for (point, image) in still.points().iter().zip(turned.points()) {
                        let error = (quarter * point.position - image.position).length().to_f64();
                        assert!(error <= rounding::<S>(), "{first:?} {second:?} {error}");
                        assert_eq!(point.feature, image.feature);
                    }
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
