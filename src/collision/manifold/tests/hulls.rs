//! Hulls: boxes made of their corners against what is known of boxes, and any hulls against the oracle.

use std::sync::Arc;

use super::oracle::{Rounded, best_of_fifteen, distance, gap_along, largest_gap};
use super::{
    RandomShapes, assert_manifold, capsule, collide, collide_again, cuboid, floor, number, rounding, sphere, turn,
    vector,
};
use crate::collision::manifold::{FeatureId, Manifold};
use crate::geometry::hull::{ExactHull, Hull, HullError};
use crate::geometry::{Shape, ShapeKind};
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// Gaps up to this are reported.
const MARGIN: f64 = 0.0625;

/// The hull of points in metres, which are multiples of 2^-16; its origin is theirs where they lie evenly about it.
pub(in crate::collision) fn hull<S: Scalar>(points: &[[f64; 3]]) -> Shape<S> {
    found(points).unwrap_or_else(|error| panic!("{error}: {points:?}"))
}

/// The same, where there is one.
fn found<S: Scalar>(points: &[[f64; 3]]) -> Result<Shape<S>, HullError> {
    let points: Vec<_> = points.iter().map(|point| point.map(|part| (part * 65_536.0).round() as i64)).collect();
    let (exact, _) = ExactHull::new(&points, -16)?;
    Ok(Shape::Hull(Arc::new(Hull::new(Arc::new(exact)))))
}

/// A box as a cuboid and as a hull, with half extents that are multiples of 2^-16.
fn boxes<S: Scalar>(half: [f64; 3]) -> (Shape<S>, Shape<S>) {
    let half = half.map(|part| (part * 65_536.0).round() / 65_536.0);
    let corner = |number: usize| [0, 1, 2].map(|axis| if number & (1 << axis) == 0 { -half[axis] } else { half[axis] });
    let corners: Vec<_> = (0..8).map(corner).collect();
    (cuboid(half[0], half[1], half[2]), hull(&corners))
}

/// Anything that can meet a hull: what the oracle takes it for, and what it is.
fn other<S: Scalar>(random: &mut SplitMix64) -> (Shape<S>, Shape<S>) {
    let mut size = || (2.0_f64.powf(random.between(-4.0, 0.5)) * 65_536.0).round() / 65_536.0;
    let (x, y, z) = (size(), size(), size());
    let round = |shape: Shape<S>| (shape.clone(), shape);
    match random.bits() % 4 {
        0 => round(sphere(x)),
        1 => round(capsule(x, y)),
        2 => round(cuboid(x, y, z)),
        _ => boxes([x, y, z]),
    }
}

/// Boxes of corners beside anything else, in any place: apart, they show their distance, and along the normal they are so far apart.
#[test]
fn boxes_of_corners_show_their_distance() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(51);
        let mut seen = 0;
        for _ in 0..4000 {
            let mut size = || 2.0_f64.powf(random.between(-4.0, 0.5));
            let (half, turn_a) = ([size(), size(), size()], random.rotation::<S>());
            let (known, shape) = (boxes::<S>(half), other::<S>(&mut random));
            let is_nearly_parallel = random.bits().is_multiple_of(3);
            let turn_b = if is_nearly_parallel {
                turn::<S>(random.direction(), 2.0_f64.powf(random.between(-12.0, 4.0))) * turn_a
            } else {
                random.rotation()
            };
            let [a, b] = [Rounded::new(&known.0, &turn_a), Rounded::new(&shape.0, &turn_b)];
            let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
            let touching = (a.support(direction.to_f64()) + b.support(direction.to_f64())) * random.between(0.6, 1.0);
            let offset = direction * number(touching + 2.0_f64.powf(random.between(-14.0, -3.0)));
            let Some(apart) = distance(&a, &b, offset.to_f64()).filter(|&apart| apart > 1e-5) else { continue };
            let manifold = collide(&known.1, &turn_a, &shape.1, &turn_b, offset, number(MARGIN));
            let what = format!("{:?} {:?} {offset:?} {apart} {manifold:?}", known.0, shape.0);
            seen += u32::from(apart < MARGIN);
            let allowed = 8.0 * rounding::<S>();
            if manifold.is_empty() {
                assert!(apart > MARGIN - allowed, "no point: {what}");
                continue;
            }
            let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
            assert!((deepest - apart).abs() <= allowed, "shows {deepest}: {what}");
            let along = gap_along(&a, &b, offset.to_f64(), manifold.normal.to_f64());
            // Axes that cross at a milliradian are known to a thousand roundings.
            assert!((along - apart).abs() <= 16.0 * allowed, "{along} along the normal: {what}");
        }
        assert!(seen > 400, "{seen} near");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// In each other, they leave along an axis that is as good as the best of the fifteen of two boxes.
#[test]
fn boxes_of_corners_leave_along_the_best_axis() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(52);
        for _ in 0..3000 {
            let mut size = || random.between(0.2, 1.2);
            let (first, second) = ([size(), size(), size()], [size(), size(), size()]);
            let (first, second) = (boxes::<S>(first), boxes::<S>(second));
            let (turn_a, turn_b) = (random.rotation::<S>(), random.rotation::<S>());
            let [a, b] = [Rounded::new(&first.0, &turn_a), Rounded::new(&second.0, &turn_b)];
            let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
            let reach = a.support(direction.to_f64()) + b.support(direction.to_f64());
            let offset = direction * number(reach * random.between(0.3, 0.95));
            let best = best_of_fifteen(&a, &b, offset.to_f64());
            if best > -1e-3 {
                continue;
            }
            let manifold = collide(&first.1, &turn_a, &second.1, &turn_b, offset, number(MARGIN));
            let along = gap_along(&a, &b, offset.to_f64(), manifold.normal.to_f64());
            let slack = best.abs() / 900.0 + 4.0 * rounding::<S>();
            assert!((along - best).abs() <= slack, "{along} for {best}: {first:?} {second:?} {manifold:?}");
            let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
            assert!((deepest - along).abs() <= slack, "shows {deepest} of {along}: {first:?} {second:?} {manifold:?}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// The hull of a few random points, which do not happen to lie in a plane.
pub(in crate::collision) fn stone<S: Scalar>(random: &mut SplitMix64) -> Shape<S> {
    let size = random.between(0.3, 1.2);
    let count = 4 + random.bits() as usize % 20;
    loop {
        let points: Vec<_> = (0..count).map(|_| [0; 3].map(|_| random.between(-size, size))).collect();
        if let Ok(hull) = found(&points) {
            return hull;
        }
    }
}

#[test]
fn stones_agree_with_the_oracle() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(53);
        let mut touching = 0;
        for round in 0..240 {
            let first = stone::<S>(&mut random);
            let second = match round % 4 {
                0 => random.shape(),
                1 => floor(),
                _ => stone(&mut random),
            };
            let (turn_a, turn_b) = (random.rotation::<S>(), random.rotation::<S>());
            if second.kind() == ShapeKind::HalfSpace {
                continue;
            }
            let [a, b] = [Rounded::new(&first, &turn_a), Rounded::new(&second, &turn_b)];
            let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
            let reach = a.support(direction.to_f64()) + b.support((-direction).to_f64());
            let offset = direction * number(reach * random.between(0.3, 1.1));
            let manifold = collide(&first, &turn_a, &second, &turn_b, offset, number(MARGIN));
            touching += u32::from(!manifold.is_empty());
            let normal = manifold.normal.to_f64();
            let best = largest_gap_of_hulls(&a, &b, offset.to_f64(), normal);
            let what = format!("{best}: {manifold:?} ({})", S::KIND);
            let slack = 1e-6 + 8.0 * rounding::<S>() + best.abs() / 900.0;
            let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
            if manifold.is_empty() {
                assert!(best > MARGIN - slack, "unseen: {what}");
                continue;
            }
            assert!((deepest - best).abs() <= slack, "shows {deepest} of {what}");
            let along = oriented_gap(&a, &b, offset.to_f64(), normal);
            assert!(along >= best - slack, "{along} along the normal of {what}");
            for point in manifold.points() {
                let half_gap = point.separation * S::HALF;
                let on_a = point.position - manifold.normal * half_gap;
                let on_b = point.position + manifold.normal * half_gap - offset;
                let (outside_a, outside_b) = (a.distance(on_a.to_f64()), b.distance(on_b.to_f64()));
                // Corners stick out of a face by 1/256 of the smaller shape at most.
                assert!(outside_a <= slack + 0.005 && outside_b <= slack + 0.005, "{outside_a} {outside_b}: {what}");
            }
            let mut features: Vec<_> = manifold.points().iter().map(|point| point.feature).collect();
            features.sort_unstable();
            features.dedup();
            assert_eq!(features.len(), manifold.points().len(), "features are unique: {what}");
        }
        assert!(touching > 60, "{touching} touch");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A hull reaches another way along a direction than against it.
pub(super) fn oriented_gap(a: &Rounded, b: &Rounded, offset: [f64; 3], n: [f64; 3]) -> f64 {
    super::oracle::dot(n, offset) - a.support(n) - b.support(n.map(|part| -part))
}

pub(super) fn largest_gap_of_hulls(a: &Rounded, b: &Rounded, offset: [f64; 3], hint: [f64; 3]) -> f64 {
    let opposite = b.opposite();
    largest_gap(a, &opposite, offset, hint)
}

#[test]
fn exchanging_turning_and_degenerate_places_do_no_harm() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(54);
        for _ in 0..300 {
            let (first, second) = (stone::<S>(&mut random), other::<S>(&mut random).1);
            let (turn_a, turn_b) = (random.rotation::<S>(), random.rotation::<S>());
            let tiny = random.direction::<S>() * S::EPSILON;
            for offset in [random.direction::<S>(), Vec3::ZERO, tiny] {
                let forth = collide(&first, &turn_a, &second, &turn_b, offset, number(0.25));
                let back = collide(&second, &turn_b, &first, &turn_a, -offset, number(0.25));
                assert!(forth == back.flipped(-offset) || back == forth.flipped(offset), "{forth:?} {back:?}");
                let length = forth.normal.length().to_f64();
                assert!((length - 1.0).abs() <= rounding::<S>(), "{forth:?}");
                assert!(forth.points().iter().all(|point| point.position.is_finite() && point.separation.is_finite()));
                assert!(
                    offset.length() > S::HALF * S::HALF || !forth.is_empty(),
                    "in the same place: {first:?} {second:?}"
                );
            }
            // In the very same place and turned alike.
            let same = collide(&first, &turn_a, &first, &turn_a, Vec3::ZERO, number(0.25));
            assert!(!same.is_empty() && (same.normal.length().to_f64() - 1.0).abs() <= rounding::<S>(), "{same:?}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A pyramid with a square base of 3 m at `y = -0.5` and its top at `y = 1.5`, whose centre of volume is the origin.
fn pyramid<S: Scalar>() -> Shape<S> {
    hull(&[[-1.5, -0.5, -1.5], [1.5, -0.5, -1.5], [1.5, -0.5, 1.5], [-1.5, -0.5, 1.5], [0.0, 1.5, 0.0]])
}

#[test]
fn a_pyramid_meets_each_shape_where_geometry_says() {
    fn check<S: Scalar>() {
        let (upright, margin) = (Mat3::IDENTITY, number(0.125));
        let on = |shape: &Shape<S>, rotation: &Mat3<S>, offset: Vec3<S>| {
            collide(&pyramid(), &upright, shape, rotation, offset, margin)
        };
        // On the floor: the four corners of its base.
        let found = on(&floor(), &upright, vector(0.0, -0.625, 0.0));
        let base = [[1.5, 1.5], [1.5, -1.5], [-1.5, 1.5], [-1.5, -1.5]].map(|[x, z]| [x, -0.5625, z, 0.125]);
        assert_manifold(&found, [0.0, -1.0, 0.0], &base, "on the floor");
        // A box under its base, smaller than that: the corners of the box.
        let found = on(&cuboid(0.5, 0.25, 0.75), &upright, vector(0.0, -0.6875, 0.0));
        let corners = [[0.5, 0.75], [0.5, -0.75], [-0.5, 0.75], [-0.5, -0.75]].map(|[x, z]| [x, -0.46875, z, -0.0625]);
        assert_manifold(&found, [0.0, -1.0, 0.0], &corners, "on a box");
        // A ball above its top, and one under its base.
        let found = on(&sphere(0.5), &upright, vector(0.0, 2.0625, 0.0));
        assert_manifold(&found, [0.0, 1.0, 0.0], &[[0.0, 1.53125, 0.0, 0.0625]], "a ball above the top");
        let found = on(&sphere(0.5), &upright, vector(0.25, -0.875, 0.125));
        assert_manifold(&found, [0.0, -1.0, 0.0], &[[0.25, -0.4375, 0.125, -0.125]], "a ball under the base");
        // A capsule that lies under its base and is longer than that: the ends of the base.
        let lying = turn(Vec3::Z, 90.0);
        let found = on(&capsule(3.0, 0.25), &lying, vector(0.25, -0.75, 0.5));
        assert_manifold(
            &found,
            [0.0, -1.0, 0.0],
            &[[-1.5, -0.5, 0.5, 0.0], [1.5, -0.5, 0.5, 0.0]],
            "a capsule under the base",
        );
        // The side that looks along x has the normal (2, 1.5, 0) / 2.5. A ball beside its middle.
        let found = on(&sphere(0.625), &upright, vector(1.25, 0.875, 0.0));
        assert_manifold(&found, [0.8, 0.6, 0.0], &[[0.75, 0.5, 0.0, 0.0]], "a ball beside a side");
        // Its top against the top of another, upside down: corner against corner.
        let found = on(&pyramid(), &turn(Vec3::X, 180.0), vector(0.0, 3.0625, 0.0));
        assert_manifold(&found, [0.0, 1.0, 0.0], &[[0.0, 1.53125, 0.0, 0.0625]], "top on top");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

fn features<S: Scalar>(manifold: &Manifold<S>) -> Vec<FeatureId> {
    manifold.points().iter().map(|point| point.feature).collect()
}

#[test]
fn resting_hulls_keep_their_features() {
    fn check<S: Scalar>() {
        let rest_turn = turn::<S>(Vec3::Y, 30.0);
        let prism: Shape<S> = hull(&[
            [-0.5, -0.25, -0.25],
            [0.5, -0.25, -0.25],
            [-0.5, -0.25, 0.25],
            [0.5, -0.25, 0.25],
            [-0.5, 0.5, 0.0],
            [0.5, 0.5, 0.0],
        ]);
        for (under, offset, count) in [
            (floor(), vector(0.0, 0.25, 0.0), 4),
            (cuboid(2.0, 0.5, 2.0), vector(0.25, 0.75, 0.125), 4),
            (boxes([2.0, 0.5, 2.0]).1, vector(0.25, 0.75, 0.125), 4),
            (cuboid(0.25, 0.5, 0.125), vector(0.125, 0.75, 0.0), 4),
        ] {
            let manifold = |rotation: Mat3<S>, offset: Vec3<S>, bearing: &[FeatureId]| {
                let [a, b] = [(&under, &Mat3::IDENTITY), (&prism, &rotation)];
                features(&collide_again(a, b, offset, (number(MARGIN), bearing)))
            };
            let rest = manifold(rest_turn, offset, &[]);
            assert_eq!(rest.len(), count, "{under:?}");
            let mut random = SplitMix64::new(55);
            for _ in 0..300 {
                let jitter = random.direction() * number::<S>(0.0001);
                let tilt = turn(random.direction(), random.between(-0.01, 0.01));
                assert_eq!(manifold(tilt * rest_turn, offset + jitter, &rest), rest, "{under:?} {}", S::KIND);
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Bars that lie across each other and lean by up to half a degree touch at the four corners of where they cross, whichever axis shows the least
/// overlap. Along the normal of a face the deepest corner may be at the far end of a bar: then what was left was one point, and a bar that rocked a
/// little fell on the others.
#[test]
fn bars_across_each_other_touch_at_four_points() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(57);
        let (upper, lower) = (boxes::<S>([0.1, 0.05, 0.25]), boxes::<S>([0.35, 0.03, 0.03]));
        for _ in 0..2000 {
            let mut lean = || {
                let axis = Vec3::new(number(random.between(-1.0, 1.0)), S::ZERO, number(random.between(-1.0, 1.0)));
                turn::<S>(axis.direction().unwrap_or(Vec3::X), random.between(0.0, 0.5))
            };
            let (turn_a, turn_b) = (lean(), lean() * turn(Vec3::Y, random.between(-30.0, 30.0)));
            let depth = random.between(1e-4, 6e-4);
            let down = vector(random.between(-0.02, 0.02), depth - 0.08, random.between(-0.02, 0.02));
            for (a, b) in [(&upper.1, &lower.1), (&upper.0, &lower.1), (&upper.1, &lower.0)] {
                let manifold = collide(a, &turn_a, b, &turn_b, down, number(MARGIN));
                assert_eq!(manifold.points().len(), 4, "{turn_a:?} {turn_b:?} {down:?} {manifold:?}");
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
