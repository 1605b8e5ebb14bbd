//! Input at the edge of what has a meaning: shapes in one place, within each other, without a length, flat, thin, and of sizes far apart.

use std::sync::Arc;

use super::facets::mesh_of;
use super::hulls::{hull, largest_gap_of_hulls};
use super::oracle::Rounded;
use super::{
    RandomShapes, capsule, collide, cone, cuboid, cylinder, floor, number, rounding, sphere, stone, upright, vector,
};
use crate::collision::gap_along;
use crate::collision::manifold::Manifold;
use crate::collision::query::closest;
use crate::geometry::hull::{ExactHull, Hull};
use crate::geometry::{Shape, ShapeKind};
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// The kinds of shapes that have a volume, one of each.
fn solids<S: Scalar>(random: &mut SplitMix64) -> [Shape<S>; 6] {
    [sphere(0.5), cuboid(0.5, 0.25, 0.75), capsule(0.5, 0.25), cylinder(0.5, 0.75), cone(0.5, 0.5), stone(random)]
}

/// A plate of 4 m and a splinter of 4 m, both 1 mm thick: a hull each.
fn thin_hulls<S: Scalar>() -> [Shape<S>; 2] {
    let boxed = |[x, y, z]: [f64; 3]| {
        let side = |number: usize, bit: usize, half: f64| if number & bit == 0 { -half } else { half };
        hull(&(0..8).map(|number| [side(number, 1, x), side(number, 2, y), side(number, 4, z)]).collect::<Vec<_>>())
    };
    [boxed([2.0, 0.0005, 2.0]), boxed([0.0005, 2.0, 0.0005])]
}

/// How much worse than the best axis may be taken, metres. Beside a capsule the stretch along an edge of a cuboid drifts by up to 1/64 of the radius, which is below 0.6 m.
fn preference<S: Scalar>(shapes: [&Shape<S>; 2], gap: f64) -> f64 {
    match shapes.map(Shape::kind) {
        [ShapeKind::Cuboid, ShapeKind::Capsule] | [ShapeKind::Capsule, ShapeKind::Cuboid] => {
            gap.abs() / 900.0 + 0.6 / 64.0
        }
        _ => 1e-3 * (1.0 + gap.abs()),
    }
}

/// The gap that a contact of two solids shows is the best that any direction shows, but for what is preferred; it is never less than minus what the two
/// reach along the normal; moved by it along the normal they touch no more.
fn assert_way_out<S: Scalar>(a: (&Shape<S>, &Mat3<S>), b: (&Shape<S>, &Mat3<S>), offset: Vec3<S>) {
    let found = collide(a.0, a.1, b.0, b.1, offset, S::ZERO);
    let what = format!("{:?} {:?} {offset:?} {found:?} ({})", a.0, b.0, S::KIND);
    let gap = found.gap().unwrap_or_else(|| panic!("no contact: {what}"));
    assert!((found.normal.length().to_f64() - 1.0).abs() <= rounding::<S>(), "no unit normal: {what}");
    let [first, second] = [Rounded::new(a.0, a.1), Rounded::new(b.0, b.1)];
    let best = largest_gap_of_hulls(&first, &second, offset.to_f64(), found.normal.to_f64());
    let slack = preference([a.0, b.0], best);
    assert!((gap.to_f64() - best).abs() <= slack, "{gap} of {best}: {what}");
    let reach = a.0.extent_along(a.1, found.normal) + b.0.extent_along(b.1, -found.normal);
    let towards = found.normal.dot(offset);
    assert!((-gap).to_f64() <= (reach - towards).to_f64() + slack, "deeper than the {reach} they reach: {what}");
    let left = gap_along(a, b, offset - found.normal * gap, found.normal);
    assert!(left.to_f64() >= -slack, "{left} is left: {what}");
    let near = closest(a, b, offset).unwrap_or_else(|| panic!("no nearest points: {what}"));
    assert!((near.distance.to_f64() - best).abs() <= slack, "{near:?} of {best}: {what}");
}

/// Every pair of solids in the very same place, turned alike or not, and a small one anywhere within a large one.
fn solids_within_each_other_have_a_way_out<S: Scalar>() {
    let mut random = SplitMix64::new(91);
    for _ in 0..3 {
        let all = solids::<S>(&mut random);
        for first in &all {
            for second in &all {
                let turns = [random.rotation::<S>(), random.rotation()];
                assert_way_out((first, &turns[0]), (second, &turns[1]), Vec3::ZERO);
                assert_way_out((first, &turns[0]), (second, &turns[0]), Vec3::ZERO);
            }
            for second in [sphere(0.03), cuboid(0.02, 0.03, 0.01), capsule(0.02, 0.01), cylinder(0.01, 0.02)] {
                let turns = [random.rotation::<S>(), random.rotation()];
                assert_way_out((first, &turns[0]), (&second, &turns[1]), random.direction::<S>() * number(0.05));
            }
        }
    }
}

/// A solid whose origin is on a half-space, or on a sheet, is as deep as it reaches below: it is lifted by that.
fn solids_on_what_has_no_inside<S: Scalar>() {
    let mut random = SplitMix64::new(92);
    let sheet =
        Shape::Mesh(mesh_of::<S>(&[[-64, 0, -64], [-64, 0, 64], [64, 0, -64], [64, 0, 64]], &[[0, 1, 2], [2, 1, 3]]));
    for _ in 0..20 {
        for solid in solids::<S>(&mut random) {
            let rotation = random.rotation::<S>();
            let expected = solid.extent_along(&rotation, -Vec3::Y).to_f64();
            let found = collide(&floor(), &Mat3::IDENTITY, &solid, &rotation, Vec3::ZERO, S::ZERO);
            let gap = found.gap().map(S::to_f64).expect("a contact");
            assert!((gap + expected).abs() <= 1e-5 + rounding::<S>(), "{gap} of {expected}: {solid:?} {found:?}");
            assert!((found.normal - Vec3::Y).length().to_f64() <= rounding::<S>(), "{found:?}");
            // By itself a sheet has two sides: the way out is that of the nearer one.
            let expected = expected.min(solid.extent_along(&rotation, Vec3::Y).to_f64());
            let found = collide(&sheet, &Mat3::IDENTITY, &solid, &rotation, vector(-0.5, 0.0, -1.0), S::ZERO);
            let gap = found.gap().map(S::to_f64).expect("a contact");
            assert!((gap + expected).abs() <= 2e-3 * (1.0 + expected), "{gap} of {expected}: {solid:?} {found:?}");
            assert!(found.normal.y.abs().to_f64() >= 0.99, "{found:?}");
        }
    }
}

/// Two half-spaces, two meshes and a mesh beside a half-space have no contact or one; none is no number.
fn what_has_no_inside_in_one_place<S: Scalar>() {
    let roof = [[-8, 0, -8], [-8, 0, 8], [8, 8, -8], [8, 8, 8]];
    let mesh = Shape::Mesh(mesh_of::<S>(&roof, &[[0, 1, 2], [2, 1, 3]]));
    assert!(upright(&floor::<S>(), &floor(), Vec3::ZERO, 0.1).is_empty());
    assert!(upright(&mesh, &mesh, Vec3::ZERO, 0.1).is_empty());
    let origin_of_box = collide(&floor(), &Mat3::IDENTITY, &mesh, &Mat3::IDENTITY, Vec3::ZERO, number(0.1));
    assert_eq!(origin_of_box.gap().map(S::to_f64), Some(-0.5), "its lowest corner is half its height below its middle");
}

/// A capsule without a length is a ball, wherever it meets what.
fn a_capsule_without_length_is_a_ball<S: Scalar>() {
    let mut random = SplitMix64::new(93);
    let mut touching = 0;
    for _ in 0..60 {
        let [.., a, b, c, d, e] = solids::<S>(&mut random);
        for other in [sphere(0.5), a, b, c, d, e, floor()] {
            let rotations = [random.rotation::<S>(), random.rotation()];
            let offset = random.direction::<S>();
            let of = |shape: Shape<S>| collide(&shape, &rotations[0], &other, &rotations[1], offset, number(0.0625));
            let [pill, ball] = [of(capsule(0.0, 0.25)), of(sphere(0.25))];
            assert_eq!(pill.is_empty(), ball.is_empty(), "{other:?} {offset:?} {pill:?} {ball:?}");
            let gaps = [&pill, &ball].map(|found: &Manifold<S>| found.gap().map_or(0.0, S::to_f64));
            assert!(
                (gaps[0] - gaps[1]).abs() <= 1e-3 * (1.0 + gaps[1].abs()),
                "{other:?} {offset:?} {pill:?} {ball:?}"
            );
            touching += u32::from(!ball.is_empty());
        }
    }
    assert!(touching > 100, "{touching} touch");
}

/// Plates and splinters of a millimetre, beside and within everything: what overlaps by more than its own thickness has the best way out.
fn flat_and_needle_hulls_have_a_way_out<S: Scalar>() {
    let mut random = SplitMix64::new(94);
    for _ in 0..4 {
        for thin in thin_hulls::<S>() {
            for other in solids::<S>(&mut random).into_iter().chain(thin_hulls()) {
                let turns = [random.rotation::<S>(), random.rotation()];
                assert_way_out((&thin, &turns[0]), (&other, &turns[1]), Vec3::ZERO);
                assert_way_out((&other, &turns[0]), (&thin, &turns[0]), Vec3::ZERO);
            }
        }
    }
}

/// A ball of 1 mm above the top of everything of 1 km, by a tenth of its size or as deep: it is told to the rounding of a kilometre.
fn a_millimetre_lies_on_a_kilometre<S: Scalar>() {
    let step = 8192; // a mesh counts eighths of a metre
    let plain = mesh_of::<S>(
        &[[-step, 0, -step], [-step, 0, step], [step, 0, -step], [step, 0, step]],
        &[[0, 1, 2], [2, 1, 3]],
    );
    let tent = [[-step, -step], [step, -step], [0, step]];
    let corners: Vec<_> = tent.iter().flat_map(|&[x, z]| [[x, -step, z], [x, step, z]]).collect();
    let (wedge, _) = ExactHull::new(&corners, -3).expect("a hull");
    let top_of_wedge = wedge.corners().iter().map(|corner| corner[1]).max().expect("corners") as f64 / 8.0;
    for (large, top) in [
        (sphere::<S>(1000.0), 1000.0),
        (cuboid(1000.0, 500.0, 1000.0), 500.0),
        (capsule(500.0, 1000.0), 1500.0),
        (cylinder(500.0, 1000.0), 500.0),
        (Shape::Hull(Arc::new(Hull::new(Arc::new(wedge)))), top_of_wedge),
        (floor(), 0.0),
        (Shape::Mesh(plain), 0.0),
    ] {
        let ball = sphere::<S>(0.001);
        for gap in [-0.0001, 0.0001] {
            let offset = vector(0.0, top + 0.001 + gap, 0.0);
            let found = upright(&large, &ball, offset, 0.0005);
            let expected = offset.y.to_f64() - top - number::<S>(0.001).to_f64();
            let shown = found.gap().map(S::to_f64).unwrap_or_else(|| panic!("no contact: {large:?} {offset:?}"));
            let bound = 1e-6 + (top + 1.0) * 64.0 * S::EPSILON.to_f64();
            assert!((shown - expected).abs() <= bound, "{shown} of {expected}: {large:?} {found:?} ({})", S::KIND);
            assert!((found.normal.y.to_f64() - 1.0).abs() <= 1e-6, "{found:?}");
        }
    }
}

#[test]
fn on_every_scalar() {
    fn check<S: Scalar>() {
        solids_within_each_other_have_a_way_out::<S>();
        solids_on_what_has_no_inside::<S>();
        what_has_no_inside_in_one_place::<S>();
        a_capsule_without_length_is_a_ball::<S>();
        flat_and_needle_hulls_have_a_way_out::<S>();
        a_millimetre_lies_on_a_kilometre::<S>();
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
