//! Cases with known normals, points and depths.

use super::{assert_manifold, capsule, collide, cuboid, floor, number, sorted_points, sphere, turn, upright, vector};
use crate::math::{Fixed, Mat3, Scalar, Vec3};

/// Runs a generic check on all scalars.
fn on_all_scalars(fixed: fn(), single: fn(), double: fn()) {
    fixed();
    single();
    double();
}

#[test]
fn spheres() {
    fn check<S: Scalar>() {
        let (a, b) = (sphere::<S>(1.0), sphere::<S>(0.5));
        // Surfaces at 1 and 1.5 along (0.6, 0.8, 0): a gap of half a metre, its middle at 1.25.
        let offset = Vec3::new(S::from_ratio(6, 5), S::from_ratio(8, 5), S::ZERO);
        assert_manifold(&upright(&a, &b, offset, 0.75), [0.6, 0.8, 0.0], &[[0.75, 1.0, 0.0, 0.5]], "apart");
        assert!(upright(&a, &b, offset, 0.25).is_empty());
        let deep = vector(0.0, 0.0, -1.0);
        assert_manifold(&upright(&a, &b, deep, 0.0), [0.0, 0.0, -1.0], &[[0.0, 0.0, -0.75, -0.5]], "overlap");
        // The larger is computed first, and the smaller leaves it upwards: 1 + 0.5 deep, the middle at 1 - 0.75.
        assert_manifold(&upright(&a, &b, Vec3::ZERO, 0.0), [0.0, 1.0, 0.0], &[[0.0, 0.25, 0.0, -1.5]], "coincident");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn round_shapes_on_a_half_space() {
    fn check<S: Scalar>() {
        // The plane is at -1.5 and its far origin must not matter.
        let offset = vector(7.0, -1.5, -3.0);
        let down = [0.0, -1.0, 0.0];
        assert_manifold(&upright(&sphere::<S>(1.0), &floor(), offset, 0.5), down, &[[0.0, -1.25, 0.0, 0.5]], "sphere");
        let below = vector(0.0, 2.0, 0.0);
        assert_manifold(&upright(&sphere::<S>(1.0), &floor(), below, 0.0), down, &[[0.0, 0.5, 0.0, -3.0]], "below");
        let lying = collide(
            &capsule::<S>(2.0, 0.5),
            &Mat3::from_rows([Vec3::Y, -Vec3::X, Vec3::Z]),
            &floor(),
            &Mat3::IDENTITY,
            vector(0.0, -0.25, 0.0),
            S::ZERO,
        );
        let ends = [[2.0, -0.375, 0.0, -0.25], [-2.0, -0.375, 0.0, -0.25]];
        assert_manifold(&lying, down, &ends, "capsule lying");
        let standing = upright(&capsule::<S>(2.0, 0.5), &floor(), vector(0.0, -2.5, 0.0), 0.125);
        assert_manifold(&standing, down, &[[0.0, -2.5, 0.0, 0.0]], "capsule standing");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn a_cuboid_on_a_half_space_stands_on_the_four_corners_of_its_face() {
    fn check<S: Scalar>() {
        let flat = upright(&cuboid::<S>(1.0, 0.5, 2.0), &floor(), vector(0.0, -0.25, 0.0), 0.125);
        let y = -0.375;
        let corners = [[1.0, y, 2.0, -0.25], [-1.0, y, 2.0, -0.25], [1.0, y, -2.0, -0.25], [-1.0, y, -2.0, -0.25]];
        assert_manifold(&flat, [0.0, -1.0, 0.0], &corners, "flat");
        // Upside down, as a slope that looks the other way.
        let ceiling = turn::<S>(Vec3::X, 180.0);
        let above = collide(
            &cuboid::<S>(1.0, 0.5, 2.0),
            &Mat3::IDENTITY,
            &floor(),
            &ceiling,
            vector(0.0, 0.5, 0.0),
            number(0.125),
        );
        let corners = [[1.0, 0.5, 2.0, 0.0], [-1.0, 0.5, 2.0, 0.0], [1.0, 0.5, -2.0, 0.0], [-1.0, 0.5, -2.0, 0.0]];
        assert_manifold(&above, [0.0, 1.0, 0.0], &corners, "ceiling");
        // On an edge: the two corners of the edge, half a diagonal below the centre.
        let on_edge = collide(
            &cuboid::<S>(1.0, 1.0, 2.0),
            &turn(Vec3::Z, 45.0),
            &floor(),
            &Mat3::IDENTITY,
            vector(0.0, -1.5, 0.0),
            number(0.125),
        );
        let bottom = -(2.0_f64.sqrt());
        let gap = 1.5 + bottom;
        let middle = (bottom - 1.5) / 2.0;
        assert_manifold(&on_edge, [0.0, -1.0, 0.0], &[[0.0, middle, 2.0, gap], [0.0, middle, -2.0, gap]], "on edge");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn a_thin_tilted_plate_keeps_support_on_both_sides() {
    fn check<S: Scalar>() {
        let tilted = turn(Vec3::Z, 1.0);
        let lift = vector(0.0, -0.04, 0.0);
        let manifold = collide(&cuboid::<S>(1.0, 0.001, 1.0), &tilted, &floor(), &Mat3::IDENTITY, lift, number(0.1));
        let sides = manifold.points().iter().filter(|point| point.position.x > S::ZERO).count();
        assert_eq!((sides, manifold.points().len()), (2, 4));
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn sphere_and_cuboid() {
    fn check<S: Scalar>() {
        let (ball, block) = (sphere::<S>(0.5), cuboid::<S>(1.0, 2.0, 3.0));
        let face = upright(&ball, &block, vector(1.25, 0.5, 0.0), 0.0);
        assert_manifold(&face, [1.0, 0.0, 0.0], &[[0.375, 0.0, 0.0, -0.25]], "face");
        // The corner of the box is 0.3, 0.4 away in the plane of an edge.
        let offset = Vec3::new(S::from_ratio(13, 10), S::from_ratio(24, 10), S::ZERO);
        let edge = upright(&ball, &block, offset, 0.125);
        assert_manifold(&edge, [0.6, 0.8, 0.0], &[[0.3, 0.4, 0.0, 0.0]], "edge");
        // Inside, 0.25 below the top face: out through the top, 0.75 deep.
        let inside = upright(&ball, &block, vector(0.25, -1.75, 0.0), 0.0);
        assert_manifold(&inside, [0.0, -1.0, 0.0], &[[0.0, -0.125, 0.0, -0.75]], "inside");
        let centre = upright(&ball, &block, Vec3::ZERO, 0.0);
        assert_manifold(&centre, [-1.0, 0.0, 0.0], &[[0.25, 0.0, 0.0, -1.5]], "coincident");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn sphere_and_capsule() {
    fn check<S: Scalar>() {
        let (ball, pill) = (sphere::<S>(0.5), capsule::<S>(1.0, 0.25));
        let side = upright(&ball, &pill, vector(0.625, -0.5, 0.0), 0.0);
        assert_manifold(&side, [1.0, 0.0, 0.0], &[[0.4375, 0.0, 0.0, -0.125]], "side");
        let cap = upright(&ball, &pill, vector(0.0, -2.0, 0.0), 0.25);
        assert_manifold(&cap, [0.0, -1.0, 0.0], &[[0.0, -0.625, 0.0, 0.25]], "cap");
        let inside = upright(&ball, &pill, vector(0.0, 0.5, 0.0), 0.0);
        assert!(inside.normal.y == S::ZERO && inside.points().len() == 1, "a centre on the axis leaves by the side");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn capsules() {
    fn check<S: Scalar>() {
        let (a, b) = (capsule::<S>(1.0, 0.5), capsule::<S>(2.0, 0.25));
        let parallel = upright(&a, &b, vector(0.625, 2.0, 0.0), 0.0);
        let stretch = [[0.4375, 0.0, 0.0, -0.125], [0.4375, 1.0, 0.0, -0.125]];
        assert_manifold(&parallel, [1.0, 0.0, 0.0], &stretch, "side by side");
        let crossed = collide(&a, &Mat3::IDENTITY, &b, &turn(Vec3::Z, 90.0), vector(0.5, 0.25, 0.75), S::ZERO);
        assert_manifold(&crossed, [0.0, 0.0, 1.0], &[[0.0, 0.25, 0.5, 0.0]], "crossed, touching");
        let in_line = upright(&a, &b, vector(0.0, 3.5, 0.0), 0.0);
        assert_manifold(&in_line, [0.0, 1.0, 0.0], &[[0.0, 1.375, 0.0, -0.25]], "end to end");
        let coincident = upright(&a, &a, Vec3::ZERO, 0.0);
        assert!(coincident.normal.y == S::ZERO && coincident.points().len() == 2);
        assert!(coincident.points().iter().all(|point| point.separation == -S::ONE));
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn a_capsule_turned_end_over_end_touches_the_same() {
    fn check<S: Scalar>() {
        let (a, b) = (capsule::<S>(1.0, 0.5), capsule::<S>(0.75, 0.25));
        let leaning = turn(Vec3::Z, 0.5);
        let over = Mat3::from_rows([Vec3::X, -Vec3::Y, -Vec3::Z]);
        let offset = vector(0.625, 0.5, 0.0);
        let manifold = collide(&a, &Mat3::IDENTITY, &b, &leaning, offset, S::ONE);
        let turned = collide(&a, &Mat3::IDENTITY, &b, &(leaning * over), offset, S::ONE);
        assert_manifold(&turned, manifold.normal.to_f64(), &sorted_points(&manifold), "turned over");
        assert_eq!(manifold.points().len(), 2);
        // Over the common stretch of 1.25 m the gap changes by its length times the sine of half a degree.
        let change = (manifold.points()[0].separation - manifold.points()[1].separation).to_f64().abs();
        assert!((change - 1.25 * 0.5_f64.to_radians().sin()).abs() <= 1e-4, "{change}");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn cuboid_and_capsule() {
    fn check<S: Scalar>() {
        let (block, pill) = (cuboid::<S>(1.0, 0.5, 1.0), capsule::<S>(2.0, 0.25));
        let lying = Mat3::from_rows([Vec3::Y, -Vec3::X, Vec3::Z]);
        let upright_axes = Mat3::IDENTITY;
        let flat = collide(&block, &upright_axes, &pill, &lying, vector(0.0, 0.625, 0.0), S::ZERO);
        let ends = [[-1.0, 0.4375, 0.0, -0.125], [1.0, 0.4375, 0.0, -0.125]];
        assert_manifold(&flat, [0.0, 1.0, 0.0], &ends, "lying across the top");
        let diagonal = turn::<S>(Vec3::Y, 30.0) * lying;
        let (x, z) = (0.5 * 0.75_f64.sqrt(), -0.25);
        let short = collide(&block, &upright_axes, &capsule(0.5, 0.25), &diagonal, vector(0.0, 0.75, 0.0), S::ZERO);
        let ends = [[x, 0.5, z, 0.0], [-x, 0.5, -z, 0.0]];
        assert_manifold(&short, [0.0, 1.0, 0.0], &ends, "lying askew on the top");
        let standing = upright(&block, &pill, vector(0.25, 2.75, 0.0), 0.125);
        assert_manifold(&standing, [0.0, 1.0, 0.0], &[[0.25, 0.5, 0.0, 0.0]], "standing on the top");
        // Beside the vertical edge x = z = 1, along it: 0.3 and 0.4 away, 0.5 in all, from y -0.5 to 0.5.
        let beside = Vec3::new(S::from_ratio(13, 10), S::ZERO, S::from_ratio(14, 10));
        let edge = upright(&block, &pill, beside, 0.5);
        let (x, z) = (1.0 + 0.3 * 0.25, 1.0 + 0.4 * 0.25);
        assert_manifold(&edge, [0.6, 0.0, 0.8], &[[x, -0.5, z, 0.25], [x, 0.5, z, 0.25]], "along an edge");
        let sunk = collide(&block, &upright_axes, &pill, &lying, vector(0.0, 0.25, 0.0), S::ZERO);
        let ends = [[-1.0, 0.25, 0.0, -0.5], [1.0, 0.25, 0.0, -0.5]];
        assert_manifold(&sunk, [0.0, 1.0, 0.0], &ends, "axis inside, out by the top");
        let grazing = collide(&block, &upright_axes, &pill, &lying, vector(0.0, 0.5, 0.0), S::ZERO);
        let ends = [[-1.0, 0.375, 0.0, -0.25], [1.0, 0.375, 0.0, -0.25]];
        assert_manifold(&grazing, [0.0, 1.0, 0.0], &ends, "axis on the face");
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn cuboids_face_to_face() {
    fn check<S: Scalar>() {
        let unit = cuboid::<S>(0.5, 0.5, 0.5);
        let touching = upright(&unit, &unit, vector(0.0, 1.0, 0.0), 0.0);
        let corners = [[0.5, 0.5, 0.5, 0.0], [-0.5, 0.5, 0.5, 0.0], [0.5, 0.5, -0.5, 0.0], [-0.5, 0.5, -0.5, 0.0]];
        assert_manifold(&touching, [0.0, 1.0, 0.0], &corners, "touching");
        // Half over the edge, a gap of 1/16.
        let shifted = upright(&unit, &unit, vector(0.5, 1.0625, 0.25), 0.125);
        let y = 0.53125;
        let corners = [[0.0, y, 0.5, 0.0625], [0.5, y, 0.5, 0.0625], [0.0, y, -0.25, 0.0625], [0.5, y, -0.25, 0.0625]];
        assert_manifold(&shifted, [0.0, 1.0, 0.0], &corners, "shifted");
        assert!(upright(&unit, &unit, vector(0.5, 1.0625, 0.25), 0.03125).is_empty());
        // A big plate on a small post: the corners of the post, whichever is named first.
        let (post, plate) = (cuboid::<S>(0.25, 1.0, 0.25), cuboid::<S>(3.0, 0.125, 3.0));
        let resting = upright(&post, &plate, vector(0.5, 1.0625, -0.5), 0.0);
        let (y, depth) = (0.96875, -0.0625);
        let corners =
            [[0.25, y, 0.25, depth], [-0.25, y, 0.25, depth], [0.25, y, -0.25, depth], [-0.25, y, -0.25, depth]];
        assert_manifold(&resting, [0.0, 1.0, 0.0], &corners, "plate on post");
        // A crate over the rim of a large floor: its own two corners, and the rim.
        let (ground, crate_shape) = (cuboid::<S>(1000.0, 1.0, 1000.0), cuboid::<S>(0.5, 0.5, 0.5));
        let over = upright(&ground, &crate_shape, vector(999.75, 1.5, 0.0), 0.0);
        let found =
            sorted_points(&over).into_iter().map(|[x, _, z, separation]| [x, z, separation]).collect::<Vec<_>>();
        let wanted = [[999.25, -0.5, 0.0], [999.25, 0.5, 0.0], [1000.0, -0.5, 0.0], [1000.0, 0.5, 0.0]];
        assert_eq!(found, wanted, "over the rim");
        // Turned by 45 degrees above the rim, half of it hangs out: nothing touches at the middle of the rim.
        let diamond = turn(Vec3::Y, 45.0);
        let over = collide(&ground, &Mat3::IDENTITY, &crate_shape, &diamond, vector(1000.0, 1.5, 0.0), S::ZERO);
        assert!(over.points().iter().all(|point| point.position.x < number(999.5) || point.position.z.abs() > S::HALF));
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn an_octagon_of_contact_is_reduced_to_four_points_that_surround_the_centre() {
    fn check<S: Scalar>() {
        let unit = cuboid::<S>(0.5, 0.5, 0.5);
        let turned = turn(Vec3::Y, 45.0);
        let manifold = collide(&unit, &Mat3::IDENTITY, &unit, &turned, vector(0.0, 0.9375, 0.0), S::ZERO);
        assert_eq!(manifold.points().len(), 4);
        let points: Vec<_> = manifold.points().iter().map(|point| point.position.to_f64()).collect();
        for quadrant in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            assert!(points.iter().any(|[x, _, z]| x * quadrant[0] + z * quadrant[1] > 0.5), "{points:?}");
        }
        // The corners of the octagon lie at 0.5 and 0.5 tan 22.5 degrees.
        let near = 0.5 * (2.0_f64.sqrt() - 1.0);
        for [x, _, z] in points {
            let (low, high) = if x.abs() < z.abs() { (x.abs(), z.abs()) } else { (z.abs(), x.abs()) };
            assert!((low - near).abs() <= 1e-5 && (high - 0.5).abs() <= 1e-5, "{x} {z}");
        }
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn cuboids_edge_to_edge() {
    fn check<S: Scalar>() {
        let block = cuboid::<S>(1.0, 1.0, 1.0);
        // Both stand on an edge, turned against each other by a quarter: the edges cross above the centre.
        let lower = turn::<S>(Vec3::Z, 45.0);
        let upper = turn::<S>(Vec3::X, 45.0);
        let manifold = collide(&block, &lower, &block, &upper, vector(0.25, 2.75, 0.5), S::ZERO);
        let (top, bottom) = (2.0_f64.sqrt(), 2.75 - 2.0_f64.sqrt());
        // The lower edge runs along z at x = 0, the upper along x at z = 0.5.
        assert_manifold(&manifold, [0.0, 1.0, 0.0], &[[0.0, 0.5 * (top + bottom), 0.5, bottom - top]], "crossed edges");
        // The upper edge ends 50 mm beside the lower one and 300 mm above it, 304 mm away.
        let beside = vector(1.05, 2.0 * 2.0_f64.sqrt() + 0.3, 0.0);
        for (margin, count) in [(0.302, 0), (0.305, 1)] {
            let manifold = collide(&block, &lower, &block, &upper, beside, number(margin));
            assert_eq!(manifold.points().len(), count);
        }
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}

#[test]
fn half_spaces_do_not_touch_each_other() {
    fn check<S: Scalar>() {
        assert!(upright(&floor::<S>(), &floor(), Vec3::ZERO, 1.0).is_empty());
    }
    on_all_scalars(check::<Fixed>, check::<f32>, check::<f64>);
}
