//! Cylinders and cones: what geometry says of them, and random pairs against the oracle.

use super::hulls::{largest_gap_of_hulls, oriented_gap};
use super::oracle::Rounded;
use super::{
    RandomShapes, assert_manifold, capsule, collide, collide_again, cone, cuboid, cylinder, floor, number, rounding,
    sphere, stone, turn, vector,
};
use crate::collision::manifold::{FeatureId, Manifold};
use crate::collision::query::closest;
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// Gaps up to this are reported.
const MARGIN: f64 = 0.0625;

/// A cylinder or a cone.
fn round<S: Scalar>(random: &mut SplitMix64) -> Shape<S> {
    let (half_height, radius) = (random.between(0.2, 1.2), random.between(0.2, 1.2));
    if random.bits().is_multiple_of(2) { cylinder(half_height, radius) } else { cone(half_height, radius) }
}

fn other<S: Scalar>(random: &mut SplitMix64) -> Shape<S> {
    match random.bits() % 3 {
        0 => random.shape(),
        1 => stone(random),
        _ => round(random),
    }
}

#[test]
fn random_pairs_agree_with_the_oracle() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(71);
        let mut touching = 0;
        for number_of in 0..400 {
            let (first, second) = (round::<S>(&mut random), other::<S>(&mut random));
            let turn_a = random.rotation::<S>();
            // One in four nearly parallel.
            let turn_b = if random.bits().is_multiple_of(4) {
                turn::<S>(random.direction(), random.between(-0.5, 0.5)) * turn_a
            } else {
                random.rotation()
            };
            let [a, b] = [Rounded::new(&first, &turn_a), Rounded::new(&second, &turn_b)];
            let (direction, _) = random.direction::<S>().normalise().unwrap_or((Vec3::Y, S::ONE));
            let reach = a.support(direction.to_f64()) + b.support((-direction).to_f64());
            let offset = direction * number(reach * random.between(0.2, 1.1));
            let manifold = collide(&first, &turn_a, &second, &turn_b, offset, number(MARGIN));
            let normal = manifold.normal.to_f64();
            let best = largest_gap_of_hulls(&a, &b, offset.to_f64(), normal);
            let what = format!("{number_of}: {best} {first:?} {second:?} {offset:?} {manifold:?} ({})", S::KIND);
            // A flat face or a line may be taken that is worse by 1/1024 of the overlap and 1/4096 of half a thickness, below 0.6; a cuboid's
            // edges lean up to 1/64 where they lie side by side with a line.
            let slack = 2e-6 + 8.0 * rounding::<S>() + best.abs() / 900.0 + 0.6 / 4096.0;
            let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
            let along = oriented_gap(&a, &b, offset.to_f64(), normal);
            if manifold.is_empty() {
                assert!(best > MARGIN - slack, "unseen: {what}");
                assert!((manifold.apart.to_f64() - along).abs() <= slack, "{along} along the normal of {what}");
                continue;
            }
            touching += 1;
            assert!((deepest - best).abs() <= slack, "shows {deepest} of {what}");
            assert!(along >= best - slack, "{along} along the normal of {what}");
            for point in manifold.points() {
                let half_gap = manifold.normal * (point.separation * S::HALF);
                let (on_a, on_b) = (point.position - half_gap, point.position + half_gap - offset);
                let (outside_a, outside_b) = (a.distance(on_a.to_f64()), b.distance(on_b.to_f64()));
                // Corners stick out of a face by 1/256 of the smaller shape at most, those of a disc are up to 2 % from its rim.
                assert!(outside_a <= slack + 0.02 && outside_b <= slack + 0.02, "{outside_a} {outside_b}: {what}");
            }
            let mut features: Vec<_> = manifold.points().iter().map(|point| point.feature).collect();
            features.sort_unstable();
            features.dedup();
            assert_eq!(features.len(), manifold.points().len(), "features are unique: {what}");
            // Moved by the depth along the normal they are apart, but for what was preferred.
            if best < 0.0 {
                let moved = offset - manifold.normal * number(deepest);
                let after = collide(&first, &turn_a, &second, &turn_b, moved, number(MARGIN));
                let left = after.gap().map_or(0.0, S::to_f64);
                assert!(left >= -slack, "{left} is left of {what}");
            }
        }
        assert!(touching > 150, "{touching} touch");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

fn features<S: Scalar>(manifold: &Manifold<S>) -> Vec<FeatureId> {
    manifold.points().iter().map(|point| point.feature).collect()
}

/// What lies down with the axis along x.
fn lying<S: Scalar>() -> Mat3<S> {
    Mat3::from_rows([Vec3::Y, -Vec3::X, Vec3::Z])
}

#[test]
fn what_stands_and_lies_is_held_where_geometry_says() {
    fn check<S: Scalar>() {
        let upright = Mat3::IDENTITY;
        let down = [0.0, -1.0, 0.0];
        for under in [floor(), cuboid(2.0, 0.5, 2.0)] {
            let below = if under == floor() { 0.0 } else { 0.5 };
            let on = |shape: &Shape<S>, rotation: &Mat3<S>, height: f64| {
                collide(shape, rotation, &under, &upright, vector(0.0, -height - below, 0.0), number(MARGIN))
            };
            // On its flat side: four points of the rim. On its side: both ends of the lowest line.
            let rim = |radius: f64, height: f64| {
                [[radius, 0.0], [-radius, 0.0], [0.0, radius], [0.0, -radius]].map(|[x, z]| [x, height, z, 0.0])
            };
            let found = on(&cylinder(0.5, 0.25), &upright, 0.5);
            assert_manifold(&found, down, &rim(0.25, -0.5), "a cylinder that stands");
            let found = on(&cylinder(0.5, 0.25), &lying(), 0.25);
            let ends = [[0.5, -0.25, 0.0, 0.0], [-0.5, -0.25, 0.0, 0.0]];
            assert_manifold(&found, down, &ends, "a cylinder that lies");
            let found = on(&cone(0.5, 0.75), &upright, 0.25);
            assert_manifold(&found, down, &rim(0.75, -0.25), "a cone that stands");
            // A slant of 1.25 m: its normal is (0.8, 0.6), 0.45 m from the centre. The top is 0.6 m along it from there, the rim 0.65 m.
            let cosine_sine =
                [Vec3::new(number(0.6), number(-0.8), S::ZERO), Vec3::new(number(-0.8), number(-0.6), S::ZERO)];
            let tilted = Mat3::from_rows([cosine_sine[0], cosine_sine[1], -Vec3::Z]);
            let found = on(&cone(0.5, 0.75), &tilted, 0.45);
            let line = [[-0.6, -0.45, 0.0, 0.0], [0.65, -0.45, 0.0, 0.0]];
            assert_near_manifold(&found, down, &line, "a cone that lies");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// As `assert_manifold`, for turns that are known to 2^-20.
fn assert_near_manifold<S: Scalar>(manifold: &Manifold<S>, normal: [f64; 3], expected: &[[f64; 4]], what: &str) {
    let near = |a: f64, b: f64| (a - b).abs() <= 4e-6;
    assert!(manifold.normal.to_f64().into_iter().zip(normal).all(|(a, b)| near(a, b)), "{what}: {manifold:?}");
    let found = super::sorted_points(manifold);
    assert_eq!(found.len(), expected.len(), "{what}: {found:?}");
    for wanted in expected {
        let is_there = found.iter().any(|point| point.iter().zip(wanted).all(|(a, b)| near(*a, *b)));
        assert!(is_there, "{what}: no {wanted:?} in {found:?} ({})", S::KIND);
    }
}

#[test]
fn balls_meet_side_rim_flat_side_and_top() {
    fn check<S: Scalar>() {
        let upright = Mat3::IDENTITY;
        let of = |shape: &Shape<S>, x: f64, y: f64| {
            collide(&sphere(0.625), &upright, shape, &upright, vector(-x, -y, 0.0), number(0.125))
        };
        let can = cylinder(1.0, 0.5);
        let one = |x: f64, y: f64| -> [f64; 3] { [-x, -y, 0.0] };
        assert_manifold(&of(&can, 1.125, 0.5), one(1.0, 0.0), &[[-0.625, 0.0, 0.0, 0.0]], "the side");
        assert_manifold(&of(&can, 0.25, 1.625), one(0.0, 1.0), &[[0.0, -0.625, 0.0, 0.0]], "the end");
        // 3 : 4 : 5 off the rim.
        assert_manifold(&of(&can, 0.875, 1.5), one(0.6, 0.8), &[[-0.375, -0.5, 0.0, 0.0]], "the rim");
        // Inside it leaves by the nearer of side and end.
        let depth = -0.625 - 0.125;
        let middle = |x: f64, y: f64| [x * (0.625 + depth / 2.0), y * (0.625 + depth / 2.0), 0.0, depth];
        assert_manifold(&of(&can, 0.375, 0.25), one(1.0, 0.0), &[middle(-1.0, 0.0)], "from inside, by the side");
        assert_manifold(&of(&can, 0.125, 0.875), one(0.0, 1.0), &[middle(0.0, -1.0)], "from inside, by the end");
        let tent = cone(0.5, 0.75);
        assert_manifold(&of(&tent, 0.0, 1.375), one(0.0, 1.0), &[[0.0, -0.625, 0.0, 0.0]], "the top");
        assert_manifold(&of(&tent, 0.25, -0.875), one(0.0, -1.0), &[[0.0, 0.625, 0.0, 0.0]], "the base");
        // Off the side along its normal (0.8, 0.6), from the middle of the slant, (0.375, 0.25).
        assert_near_manifold(&of(&tent, 0.875, 0.625), one(0.8, 0.6), &[[-0.5, -0.375, 0.0, 0.0]], "the slant");
        assert_manifold(&of(&tent, 1.125, -0.75), one(0.6, -0.8), &[[-0.375, 0.5, 0.0, 0.0]], "the rim of the base");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A whole turn in 96 steps, on a plane, on a box and on a hull: the two points stay where they are, under their names.
#[test]
fn what_rolls_keeps_its_points() {
    fn check<S: Scalar>() {
        let slab = super::hulls::hull(&[
            [-2.0, -0.5, -2.0],
            [2.0, -0.5, -2.0],
            [-2.0, -0.5, 2.0],
            [2.0, -0.5, 2.0],
            [-2.0, 0.5, -2.0],
            [2.0, 0.5, -2.0],
            [-2.0, 0.5, 2.0],
            [2.0, 0.5, 2.0],
        ]);
        for (under, below) in [(floor(), 0.0), (cuboid(2.0, 0.5, 2.0), 0.5), (slab, 0.5)] {
            for (shape, lean, height) in
                [(cylinder(0.5, 0.25), 90.0, 0.25), (cone(0.5, 0.75), 90.0 + 36.869_897_645_844, 0.45)]
            {
                let leaning = turn::<S>(Vec3::Z, lean);
                let seen = |degrees: f64| {
                    let rolled = leaning * turn(Vec3::Y, degrees);
                    collide(&shape, &rolled, &under, &Mat3::IDENTITY, vector(0.0, -height - below, 0.0), number(MARGIN))
                };
                let start = seen(0.0);
                assert_eq!(start.points().len(), 2, "{shape:?} {under:?} {start:?}");
                for step in 1..96 {
                    let now = seen(f64::from(step) * 3.75);
                    assert_eq!(features(&now), features(&start), "{shape:?} {under:?} {step}");
                    for (old, new) in start.points().iter().zip(now.points()) {
                        assert!((old.position - new.position).length().to_f64() < 4e-6, "{old:?} {new:?}");
                        assert!((old.separation - new.separation).abs().to_f64() < 4e-6, "{old:?} {new:?}");
                    }
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn what_stands_keeps_its_points() {
    fn check<S: Scalar>() {
        for (under, below) in [(floor::<S>(), 0.0), (cuboid(2.0, 0.5, 2.0), 0.5), (cylinder(0.5, 2.0), 0.5)] {
            for (shape, height) in [(cylinder(0.5, 0.25), 0.5), (cone(0.5, 0.75), 0.25)] {
                let rest_turn = turn::<S>(Vec3::Y, 30.0);
                let seen = |rotation: Mat3<S>, offset: Vec3<S>, bearing: &[FeatureId]| {
                    let [a, b] = [(&under, &Mat3::IDENTITY), (&shape, &rotation)];
                    features(&collide_again(a, b, offset, (number(MARGIN), bearing)))
                };
                let offset = vector(0.25, height + below, 0.125);
                let rest = seen(rest_turn, offset, &[]);
                assert_eq!(rest.len(), 4, "{shape:?} {under:?}");
                let mut random = SplitMix64::new(72);
                for _ in 0..300 {
                    let jitter = random.direction() * number::<S>(0.0001);
                    let tilt = turn(random.direction(), random.between(-0.01, 0.01));
                    assert_eq!(seen(tilt * rest_turn, offset + jitter, &rest), rest, "{shape:?} {under:?} {}", S::KIND);
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Every pair with a cylinder or cone in the very same place, turned alike or not: a contact as deep as what parts them.
#[test]
fn coincident_centres_have_a_way_out() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(73);
        for _ in 0..20 {
            for first in [cylinder::<S>(0.5, 0.75), cylinder(0.75, 0.25), cone(0.5, 0.5)] {
                for second in [
                    sphere(0.5),
                    cuboid(0.5, 0.25, 0.75),
                    capsule(0.5, 0.25),
                    stone(&mut random),
                    round(&mut random),
                    first.clone(),
                ] {
                    let turns = [random.rotation::<S>(), random.rotation()];
                    for [turn_a, turn_b] in [turns, [turns[0]; 2]] {
                        let found = collide(&first, &turn_a, &second, &turn_b, Vec3::ZERO, S::ZERO);
                        let [a, b] = [Rounded::new(&first, &turn_a), Rounded::new(&second, &turn_b)];
                        let best = largest_gap_of_hulls(&a, &b, [0.0; 3], found.normal.to_f64());
                        let gap = found.gap().map(S::to_f64).expect("a contact");
                        assert!(
                            (gap - best).abs() <= 1e-3 * (1.0 + best.abs()),
                            "{gap} of {best}: {first:?} {second:?} {found:?}"
                        );
                        let near = closest((&first, &turn_a), (&second, &turn_b), Vec3::ZERO).expect("an answer");
                        assert!(
                            (near.distance.to_f64() - best).abs() <= 1e-3 * (1.0 + best.abs()),
                            "{near:?} of {best}"
                        );
                    }
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A coin of 1 mm beside shapes of 1 km: it lies on them where they are, to the rounding of their size.
#[test]
fn a_millimetre_lies_on_a_kilometre() {
    fn check<S: Scalar>() {
        let coin = cylinder::<S>(0.0005, 0.001);
        let upright = Mat3::IDENTITY;
        for (large, height) in
            [(cuboid(1000.0, 500.0, 1000.0), 500.0), (cylinder(500.0, 1000.0), 500.0), (cone(500.0, 1000.0), -250.0)]
        {
            let sign = if height < 0.0 { -1.0 } else { 1.0 };
            for gap in [-0.0001, 0.0001] {
                let offset = vector(0.25, height + sign * (0.0005 + gap), 0.125);
                let found = collide(&large, &upright, &coin, &upright, offset, number(0.001));
                let expected = sign * (offset.y.to_f64() - height) - coin_half::<S>();
                let bound = 1e-6 + 1000.0 * 64.0 * S::EPSILON.to_f64();
                let shown = found.gap().map(S::to_f64).expect("a contact");
                assert!((shown - expected).abs() <= bound, "{shown} {expected} {found:?} ({})", S::KIND);
                assert!((found.normal.y.to_f64() - sign).abs() <= 1e-6, "{found:?}");
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

fn coin_half<S: Scalar>() -> f64 {
    number::<S>(0.0005).to_f64()
}
