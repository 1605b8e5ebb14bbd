//! A mesh on a half-space touches it as its hull does.

use std::sync::Arc;

use crate::collision::manifold::tests::facets::mesh_of;
use crate::collision::manifold::tests::{cuboid, number, sorted_points, vector};
use crate::collision::manifold::{Manifold, collide};
use crate::geometry::Shape;
use crate::geometry::hull::{ExactHull, GridPoint, Hull};
use crate::math::{Fixed, Mat3, Quat, Scalar, SplitMix64, Vec3};

/// The corners of a box of 1 m by 2 m by 3 m, in eighths of a metre.
fn corners() -> Vec<GridPoint> {
    let side = |bit: usize, corner: usize, half: i64| if corner >> bit & 1 == 0 { -half } else { half };
    (0..8).map(|corner| [side(0, corner, 4), side(1, corner, 8), side(2, corner, 12)]).collect()
}

const TRIANGLES: [[u32; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

/// A rotation of any kind, or one that lays a face flat but for a little.
fn rotation<S: Scalar>(random: &mut SplitMix64) -> Mat3<S> {
    let part = |random: &mut SplitMix64, size: f64| number::<S>(random.between(-size, size));
    let size = if random.index(2) == 0 { 1.0 } else { 0.01 };
    let quat = Quat::new(S::ONE, part(random, size), part(random, size), part(random, size)).normalise();
    let quarter = [Vec3::X, Vec3::Y, Vec3::Z][random.index(3)];
    let turned = Quat::from_axis_angle(quarter, S::PI * S::HALF * S::from_i32(random.index(4) as i32));
    quat.to_matrix() * turned.to_matrix()
}

/// A box of triangles has the points of a hull of its corners, and as deep ones as a cuboid.
fn a_box_of_triangles_lies_as_its_hull<S: Scalar>() {
    let mesh = Shape::Mesh(mesh_of::<S>(&corners(), &TRIANGLES));
    let hull: Shape<S> =
        Shape::Hull(Arc::new(Hull::new(Arc::new(ExactHull::new(&corners(), -3).expect("a volume").0))));
    let cuboid = cuboid::<S>(0.5, 1.0, 1.5);
    let floor = Shape::HalfSpace { normal: Vec3::Y };
    let mut random = SplitMix64::new(11);
    let mut counts = [0; 5];
    for case in 0..2000 {
        let (turn, margin) = (rotation::<S>(&mut random), number::<S>(random.between(0.0, 0.1)));
        let lowest = cuboid.extent_along(&turn, -Vec3::Y);
        let offset = vector::<S>(0.25, 0.0, -0.5) + Vec3::Y * (lowest + number(random.between(-0.02, 0.03)));
        let on = |shape: &Shape<S>| collide(&floor, &Mat3::IDENTITY, shape, &turn, offset, margin);
        let [of_mesh, of_hull, of_cuboid] = [&mesh, &hull, &cuboid].map(on);
        let gap = |manifold: &Manifold<S>| manifold.gap().map_or(f64::MAX, S::to_f64);
        let near = (gap(&of_mesh) - gap(&of_cuboid)).abs() <= 1e-5;
        assert!(near, "case {case}: {of_mesh:?} and {of_cuboid:?}");
        assert!((of_mesh.apart - of_cuboid.apart).abs().to_f64() <= 1e-5, "case {case}: {of_mesh:?} and {of_cuboid:?}");
        let (found, expected) = (sorted_points(&of_mesh), sorted_points(&of_hull));
        counts[found.len()] += 1;
        let are_same = found.len() == expected.len()
            && found.iter().flatten().zip(expected.iter().flatten()).all(|(is, should)| (is - should).abs() <= 1e-5);
        assert!(are_same, "case {case}: {found:?} and {expected:?}");
    }
    assert!(counts.iter().all(|&count| count > 50), "every number of points occurs: {counts:?}");
}

#[test]
fn a_box_of_triangles_lies_as_its_hull_on_every_scalar() {
    a_box_of_triangles_lies_as_its_hull::<Fixed>();
    a_box_of_triangles_lies_as_its_hull::<f32>();
    a_box_of_triangles_lies_as_its_hull::<f64>();
}
