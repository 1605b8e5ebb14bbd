//! Cuboids against the fifteen axes by brute force, and what must not flicker.

use super::hulls::hull;
use super::oracle::{Rounded, best_of_fifteen, dot, fifteen_axes, gap_along};
use super::{RandomShapes, collide, number, rounding, turn, vector};
use crate::collision::manifold::{FeatureId, Manifold};
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

fn deepest<S: Scalar>(manifold: &Manifold<S>) -> f64 {
    manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min)
}

/// Asserts that a pair that overlaps has depth and normal of the fifteen axes: the depth within the stated 1/1024, and a
/// normal along which it is no deeper than that. So the normal is that of the best axis unless another is as good, or unless it is that
/// of a face of the larger cuboid within 2^-10 of one that is.
fn assert_best_axis<S: Scalar>(shapes: &[Shape<S>; 2], turns: [Mat3<S>; 2], offset: Vec3<S>) -> bool {
    let [a, b] = [0, 1].map(|index| Rounded::new(&shapes[index], &turns[index]));
    let gap = best_of_fifteen(&a, &b, offset.to_f64());
    if gap > -1e-4 {
        return false;
    }
    let manifold = collide(&shapes[0], &turns[0], &shapes[1], &turns[1], offset, number(0.02));
    let what = format!("{shapes:?} {turns:?} {offset:?} {manifold:?} ({})", S::KIND);
    let allowed = gap.abs() / 900.0 + rounding::<S>();
    assert!((deepest(&manifold) - gap).abs() <= allowed, "{} of {gap}: {what}", deepest(&manifold));
    let found = manifold.normal.to_f64();
    let along = gap_along(&a, &b, offset.to_f64(), found);
    let [size_a, size_b] = shapes.each_ref().map(|shape| shape.largest_half_extent().map_or(0.0, S::to_f64));
    let larger = [(&a, size_a >= size_b), (&b, size_b >= size_a)].into_iter().filter(|(_, is_larger)| *is_larger);
    let mut axes_of_larger = larger.flat_map(|(cuboid, _)| cuboid.axes);
    let is_near = |axis: [f64; 3], slack: f64| (0..3).all(|part| (axis[part] - found[part]).abs() <= slack);
    let turn = 3.0_f64.sqrt() / 1024.0 + 1e-6; // by 2^-10 along each axis of a cuboid
    let mut is_of_larger = || axes_of_larger.any(|axis| is_near(axis, 1e-6) || is_near(axis.map(|part| -part), 1e-6));
    let is_near_best = || {
        fifteen_axes(&a, &b, offset.to_f64())
            .into_iter()
            .any(|(axis, gap_of_it)| gap_of_it >= gap - allowed && is_near(axis, turn))
    };
    assert!(along >= gap - allowed || is_of_larger() && is_near_best(), "{along} of {gap}: {what}");
    let mirrored = collide(&shapes[1], &turns[1], &shapes[0], &turns[0], -offset, number(0.02));
    assert!(mirrored.flipped(-offset) == manifold || manifold.flipped(offset) == mirrored, "{what} {mirrored:?}");
    true
}

#[test]
fn depth_and_normal_are_those_of_brute_force() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(9);
        let mut seen = 0;
        for round in 0..4000 {
            let shape = |random: &mut SplitMix64| {
                let mut size = |low, high| number(random.between(low, high));
                let half_extents = if round % 2 == 0 {
                    Vec3::new(size(0.2, 1.0), size(0.2, 1.0), size(0.2, 1.0))
                } else {
                    Vec3::new(size(1.0, 1.6), size(0.08, 0.15), size(0.08, 0.15))
                };
                Shape::<S>::Cuboid { half_extents }
            };
            let shapes = [shape(&mut random), shape(&mut random)];
            let turn_a = random.rotation();
            let nudge = turn(random.direction(), 2.0_f64.powf(random.between(-12.0, 5.0)));
            let turn_b = if random.bits().is_multiple_of(4) { nudge * turn_a } else { random.rotation() };
            let offset = random.direction() * number(1.2);
            seen += u32::from(assert_best_axis(&shapes, [turn_a, turn_b], offset));
        }
        assert!(seen > 1000, "{seen} overlap");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Beams that lie on edge, one on the other, and cross at an angle from a few degrees down to microradians: the product of the
/// nearly parallel edges is an axis like any other.
#[test]
fn edges_that_are_nearly_parallel_are_compared() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(13);
        let on_edge = turn::<S>(Vec3::X, 45.0);
        let mut seen = 0;
        for _ in 0..3000 {
            let beam = |thick: f64| Shape::Cuboid { half_extents: vector::<S>(1.5, thick, thick) };
            let (low, high) = (random.between(0.05, 0.2), random.between(0.05, 0.2));
            let angle = 2.0_f64.powf(random.between(-14.0, 3.0));
            let tilt = turn(vector(0.0, 1.0, random.between(-0.1, 0.1)), angle);
            let height = (low + high) * 2.0_f64.sqrt() - 2.0_f64.powf(random.between(-13.0, -6.0));
            let sideways = 0.02 * random.between(-1.0, 1.0) * angle.min(1.0);
            let offset = vector(random.between(-0.3, 0.3), height, sideways);
            seen += u32::from(assert_best_axis(&[beam(low), beam(high)], [on_edge, tilt * on_edge], offset));
        }
        assert!(seen > 1500, "{seen} overlap");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A cuboid as the hull of its corners.
fn box_of_corners<S: Scalar>(cuboid: &Shape<S>) -> Shape<S> {
    let [x, y, z] = [0, 1, 2].map(|axis| cuboid.parameters()[axis].to_f64());
    let side = |number: usize, bit: usize, half: f64| if number & bit == 0 { -half } else { half };
    hull(&(0..8).map(|number| [side(number, 1, x), side(number, 2, y), side(number, 4, z)]).collect::<Vec<_>>())
}

/// A cube that rests on a plate or another cube, tilted by up to 0.05 rad about any axis and turned about the vertical by
/// any angle, hanging over or not: its face is seen whole. So is that of a box of corners, but for one in thousands that hangs over a rim so that edge
/// against edge is a tenth as deep.
#[test]
fn faces_within_three_degrees_keep_four_points() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(10);
        let mut lost = 0;
        for _ in 0..3000 {
            let lower =
                Shape::Cuboid { half_extents: vector::<S>(random.between(0.4, 2.0), 0.3, random.between(0.4, 2.0)) };
            let upper = Shape::Cuboid { half_extents: vector(0.3, random.between(0.2, 0.6), random.between(0.2, 0.4)) };
            let half = |shape: &Shape<S>| shape.parameters()[1].to_f64();
            let yaw = turn::<S>(
                Vec3::Y,
                random.between(-180.0, 180.0) * f64::from(u8::from(!random.bits().is_multiple_of(3))),
            );
            let sideways = vector(random.between(-1.0, 1.0), 0.0, random.between(-1.0, 1.0));
            let tilt = turn(sideways, 2.0_f64.powf(random.between(-12.0, 0.05_f64.to_degrees().log2())));
            let turned = tilt * yaw;
            let reach = Rounded::new(&upper, &turned).support([0.0, -1.0, 0.0]);
            let half_width = [lower.parameters()[0].to_f64(), lower.parameters()[2].to_f64()];
            let height = half(&lower) + reach - 2.0_f64.powf(random.between(-17.0, -8.0));
            let offset = vector(random.between(-0.3, 0.3), height, random.between(-0.3, 0.3));
            let manifold = collide(&lower, &Mat3::IDENTITY, &upper, &turned, offset, number(0.0625));
            assert_eq!(manifold.points().len(), 4, "{lower:?} {upper:?} {turned:?} {offset:?} {manifold:?}");
            assert!(manifold.normal.y.to_f64() > 0.998);
            let [lower, upper] = [&lower, &upper].map(box_of_corners);
            let manifold = collide(&lower, &Mat3::IDENTITY, &upper, &turned, offset, number(0.0625));
            lost += u32::from(manifold.points().len() < 4);
            let is_above = Rounded::new(&upper, &turned);
            let hangs_over = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
                .map(|side| is_above.support(side) + dot(side, offset.to_f64()).abs());
            let is_whole = hangs_over[0] <= half_width[0] && hangs_over[1] <= half_width[1];
            assert!(!is_whole || manifold.points().len() == 4, "hulls: {turned:?} {offset:?} {manifold:?}");
        }
        assert!(lost <= 1, "{lost} boxes of corners hang by a corner");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A cube of 1 m that hangs over the rim of another, 10 micrometres deep: jitter of a micrometre and of a few microradians
/// makes faces and edges take turns as the best axis, and neither names nor normals show it.
#[test]
fn axes_that_take_turns_do_not_show() {
    fn check<S: Scalar>() {
        let unit = Shape::Cuboid { half_extents: vector::<S>(0.5, 0.5, 0.5) };
        let mut random = SplitMix64::new(11);
        for (yaw, x, z) in [(0.0, 0.3, 0.2), (30.0, -0.25, 0.125), (45.0, 0.0, 0.0), (0.0, 0.0, 0.0)] {
            let mut names: Vec<FeatureId> = Vec::new();
            for round in 0..300 {
                let tilt = turn(random.direction(), 4e-4 * random.between(-1.0, 1.0));
                let jitter = random.direction() * number::<S>(1e-6);
                let offset = vector(x, 0.99999, z) + jitter;
                let manifold =
                    collide(&unit, &Mat3::IDENTITY, &unit, &(tilt * turn(Vec3::Y, yaw)), offset, number(0.02));
                let found: Vec<_> = manifold.points().iter().map(|point| point.feature).collect();
                assert_eq!(found.len(), 4);
                assert!(round == 0 || found == names, "{names:?} became {found:?}");
                names = found;
                assert!(manifold.normal.y.to_f64() > 1.0 - 1e-9 - 1e-6 * rounding::<S>());
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
