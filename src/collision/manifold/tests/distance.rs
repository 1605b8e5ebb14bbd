//! Shapes that do not touch: every manifold shows their distance.
//!
//! Whoever advances two shapes by the gap that a manifold reports must neither miss them nor move them into each other. So
//! there is a point whenever the distance is below the margin, the nearest point shows no more than the distance, and along
//! the normal the shapes really are that far apart.

use super::oracle::{Rounded, distance, gap_along};
use super::{RandomShapes, collide, floor, number, rounding, turn};
use crate::collision::manifold::Manifold;
use crate::geometry::{Shape, ShapeKind};
use crate::math::{Fixed, Mat3, Scalar, ScalarKind, SplitMix64, Vec3};

/// Gaps up to this are reported.
const MARGIN: f64 = 0.0625;

/// Two shapes of any proportions, from chips to beams.
fn shape<S: Scalar>(random: &mut SplitMix64) -> Shape<S> {
    let mut size = || number::<S>(2.0_f64.powf(random.between(-4.0, 0.5)));
    let (x, y, z) = (size(), size(), size());
    match random.bits() % 4 {
        0 => Shape::Sphere { radius: x },
        1 => Shape::Capsule { half_height: x, radius: y },
        _ => Shape::Cuboid { half_extents: Vec3::new(x, y, z) },
    }
}

/// What a manifold of two cuboids may show less than the distance, beside 1/64 of it (in `f32` 1/8) where edges cross at a few
/// microradians: their direction is known to rounding over that angle, and the gap along it is less than the distance.
///
/// How far a corner of a cuboid may stick out of the face of another and still be named as lying on it, in each of two
/// directions: there the distance is that to the rim, and the gap of the face is reported.
fn slack<S: Scalar>(shapes: [&Shape<S>; 2]) -> f64 {
    let is_cuboid = |shape: &&Shape<S>| shape.kind() == ShapeKind::Cuboid;
    let sizes = shapes.into_iter().flat_map(|shape| shape.parameters()).map(Scalar::to_f64);
    if shapes.iter().all(is_cuboid) { sizes.fold(f64::MAX, f64::min) / 256.0 } else { 0.0 }
}

/// Asserts what must hold of shapes that are this far apart.
fn assert_shown<S: Scalar>(manifold: &Manifold<S>, apart: f64, along: f64, slack: f64, what: &str) {
    let allowed = 4.0 * rounding::<S>();
    let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
    if manifold.is_empty() {
        assert!(apart > MARGIN - allowed, "{apart} apart, and no point: {what}");
        return;
    }
    assert!(deepest <= apart + allowed, "{apart} apart, and the nearest point shows {deepest}: {what} {manifold:?}");
    let shown = (deepest * deepest + 2.0 * slack * slack).sqrt();
    let part = if S::KIND == ScalarKind::F32 { 8.0 } else { 64.0 };
    let allowed_below = if slack > 0.0 { allowed + apart / part } else { allowed };
    assert!(
        shown >= apart - allowed_below,
        "{apart} apart, and the nearest point shows {deepest}: {what} {manifold:?}"
    );
    // Where axes cross at a milliradian, the direction is known to a thousand roundings.
    assert!(
        (along - deepest).abs() <= 16.0 * allowed,
        "{along} along the normal, shown {deepest}: {what} {manifold:?}"
    );
}

/// Two shapes with their orientations, the second at `offset`: whether they are apart and near, and then shown rightly.
fn is_shown<S: Scalar>(shapes: &[Shape<S>; 2], turns: [Mat3<S>; 2], offset: Vec3<S>) -> bool {
    let [a, b] = [0, 1].map(|index| Rounded::new(&shapes[index], &turns[index]));
    let Some(apart) = distance(&a, &b, offset.to_f64()).filter(|&apart| apart > 1e-5) else {
        return false;
    };
    let manifold = collide(&shapes[0], &turns[0], &shapes[1], &turns[1], offset, number(MARGIN));
    let along = gap_along(&a, &b, offset.to_f64(), manifold.normal.to_f64());
    let what = format!("{shapes:?} {turns:?} {offset:?} ({})", S::KIND);
    assert_shown(&manifold, apart, along, slack([&shapes[0], &shapes[1]]), &what);
    apart < MARGIN
}

/// How far apart the origins of two shapes are, along a direction, when they touch there.
fn reach<S: Scalar>(shapes: &[Shape<S>; 2], turns: [Mat3<S>; 2], direction: Vec3<S>) -> f64 {
    [0, 1].map(|index| Rounded::new(&shapes[index], &turns[index]).support(direction.to_f64())).iter().sum()
}

#[test]
fn shapes_apart_show_their_distance() {
    fn check<S: Scalar>(cases: u32) {
        let mut random = SplitMix64::new(7);
        let mut seen = 0;
        for _ in 0..cases {
            let shapes = [shape::<S>(&mut random), shape(&mut random)];
            let turns = [random.rotation(), random.rotation()];
            let direction = random.direction::<S>().direction().unwrap_or(Vec3::Y);
            let touching = reach(&shapes, turns, direction) * random.between(0.6, 1.0);
            let offset = direction * number(touching + 2.0_f64.powf(random.between(-14.0, -3.0)));
            seen += u32::from(is_shown(&shapes, turns, offset));
        }
        assert!(seen > cases / 10, "{seen} of {cases} near");
    }
    check::<Fixed>(3000);
    check::<f32>(3000);
    check::<f64>(3000);
}

/// Shapes side by side, within a few degrees of parallel, with edges nearly flush: ends, rims and edges that almost cross.
#[test]
fn shapes_nearly_parallel_show_their_distance() {
    fn check<S: Scalar>(cases: u32) {
        let mut random = SplitMix64::new(12);
        let mut seen = 0;
        for _ in 0..cases {
            let first = shape::<S>(&mut random);
            let second = if random.bits().is_multiple_of(2) { first.clone() } else { shape(&mut random) };
            let turn_a = random.rotation();
            let turn_b = turn::<S>(random.direction(), 2.0_f64.powf(random.between(-12.0, 4.0))) * turn_a;
            let (shapes, turns) = ([first, second], [turn_a, turn_b]);
            let [side, along, across] = [0, 1, 2].map(|axis| turn_a.column((axis + random.bits() as usize % 2) % 3));
            let mut sizes = shapes.each_ref().map(|shape| shape.parameters().map(S::to_f64)).into_iter().flatten();
            let flush =
                sizes.find(|_| random.bits().is_multiple_of(3)).unwrap_or(0.0) * f64::from(random.bits() as u32 % 3);
            let nearly = |random: &mut SplitMix64| flush + 0.01 * random.between(-1.0, 1.0);
            let sideways = along * number(nearly(&mut random)) + across * number(nearly(&mut random));
            let touching = reach(&shapes, turns, side);
            let offset = side * number(touching + 2.0_f64.powf(random.between(-14.0, -3.0))) + sideways;
            seen += u32::from(is_shown(&shapes, turns, offset));
        }
        assert!(seen > cases / 10, "{seen} of {cases} near");
    }
    check::<Fixed>(6000);
    check::<f32>(6000);
    check::<f64>(6000);
}

#[test]
fn shapes_above_a_half_space_show_their_height() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(8);
        for _ in 0..2000 {
            let (shape, turned, tilt) = (shape::<S>(&mut random), random.rotation(), random.rotation());
            let up: Vec3<S> = tilt.column(1);
            let rounded = Rounded::new(&shape, &turned);
            let apart = random.between(1e-5, 0.1);
            let offset = -(up * number(rounded.support(up.to_f64()) + apart)) + tilt.column(0) * number(3.0);
            // What the offset really has.
            let apart = -super::oracle::dot(offset.to_f64(), up.to_f64()) - rounded.support(up.to_f64());
            let manifold = collide(&shape, &turned, &floor(), &tilt, offset, number(MARGIN));
            let what = format!("{shape:?} {turned:?} {tilt:?} ({})", S::KIND);
            assert_shown(&manifold, apart, apart, 0.0, &what);
            assert_eq!(collide(&floor(), &tilt, &shape, &turned, -offset, number(MARGIN)), manifold.flipped(offset));
            assert!(manifold.is_empty() || manifold.normal == -(tilt * Vec3::Y), "{what}");
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Cubes of 1 m that pass each other: where the nearest features are corners and edges, none of the fifteen axes shows how
/// far apart they are.
#[test]
fn corners_and_edges_have_their_points() {
    fn check<S: Scalar>() {
        let unit = super::cuboid::<S>(0.5, 0.5, 0.5);
        let margin = 0.25;
        // Corner against corner along a space diagonal: gaps of 3, 4 and 12 parts of 13 in 100 mm.
        let offset = [3.0, 4.0, 12.0].map(|part| S::from_ratio((1_300.0 + part * 10.0) as i64, 1_300));
        let manifold = super::upright(&unit, &unit, Vec3::from_array(offset), margin);
        let [x, y, z] = [3.0, 4.0, 12.0].map(|part: f64| 0.5 + part / 260.0);
        super::assert_manifold(&manifold, [3.0 / 13.0, 4.0 / 13.0, 12.0 / 13.0], &[[x, y, z, 0.1]], "corners");
        // Two edges side by side, 30 mm and 40 mm apart: both ends of the stretch.
        let offset = Vec3::new(S::from_ratio(103, 100), S::from_ratio(104, 100), S::from_ratio(1, 4));
        let manifold = super::upright(&unit, &unit, offset, margin);
        let points = [[0.515, 0.52, -0.25, 0.05], [0.515, 0.52, 0.5, 0.05]];
        super::assert_manifold(&manifold, [0.6, 0.8, 0.0], &points, "side by side");
        // A corner that looks at an edge: turned by 45 degrees about y and then x, its corner leads along z.
        let turned = turn::<S>(Vec3::X, 35.264_389_682_754_654) * turn(Vec3::Y, 45.0);
        let far = 0.5 * 3.0_f64.sqrt();
        let offset = super::vector(0.5 + 0.06, 0.125, 0.5 + far + 0.08);
        let manifold = collide(&unit, &Mat3::IDENTITY, &unit, &turned, offset, number(margin));
        let deepest = manifold.points().iter().map(|point| point.separation.to_f64()).fold(f64::MAX, f64::min);
        assert!((deepest - 0.1).abs() < 1e-6, "{manifold:?}");
        let normal = manifold.normal.to_f64();
        assert!(
            (normal[0] - 0.6).abs() < 1e-5 && normal[1].abs() < 1e-5 && (normal[2] - 0.8).abs() < 1e-5,
            "{normal:?}"
        );
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
