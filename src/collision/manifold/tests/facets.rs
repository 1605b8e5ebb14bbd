//! Tests of facets and whole meshes against convex shapes.

use std::sync::Arc;

use crate::collision::gap_along;
use crate::collision::manifold::tests::{RandomShapes, cuboid, number, sphere, stone, upright, vector};
use crate::collision::manifold::{Bearing, ContactSearch, Manifold, NarrowPhase, collide, collide_by};
use crate::geometry::hull::GridPoint;
use crate::geometry::mesh::{ExactMesh, Mesh};
use crate::geometry::{Facet, Shape};
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// A mesh of points whose coordinates count eighths of a metre.
pub(in crate::collision) fn mesh_of<S: Scalar>(points: &[GridPoint], triangles: &[[u32; 3]]) -> Arc<Mesh<S>> {
    let (exact, _, _) = ExactMesh::new(points, triangles, -3).expect("a mesh");
    Arc::new(Mesh::new(Arc::new(exact)))
}

/// A roof: a ridge along z through the middle of the mesh's box, from which two slopes of 45 degrees fall by 1 m.
fn roof<S: Scalar>() -> Arc<Mesh<S>> {
    let points = [[-8, -8, -8], [-8, -8, 8], [0, 0, -8], [0, 0, 8], [8, -8, -8], [8, -8, 8]];
    mesh_of(&points, &[[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]])
}

fn facet<S: Scalar>(mesh: &Mesh<S>, number: u32) -> &Facet<S> {
    match mesh.piece(number) {
        Shape::Facet(facet) => facet,
        _ => panic!("a piece is a facet"),
    }
}

/// A facet as a piece of its mesh below a shape at `place`, seen from the mesh.
fn on<S: Scalar>(mesh: &Mesh<S>, number: u32, shape: &Shape<S>, place: Vec3<S>) -> Manifold<S> {
    let offset = place - facet(mesh, number).origin();
    let search = ContactSearch { method: NarrowPhase::Auto, own: number_of(0.01), bearing: Bearing::NONE };
    let facet = (mesh.piece(number), &Mat3::IDENTITY);
    collide_by(&search, facet, (shape, &Mat3::IDENTITY), offset, number_of(0.05))
}

fn number_of<S: Scalar>(value: f64) -> S {
    number(value)
}

/// The ridge of a roof is 0.5 m up in its mesh. A ball over it is pushed straight up by both facets there; one above a slope by that
/// slope alone, along its normal, however near the ridge.
fn a_ridge_is_felt_and_a_slope_is_a_plane<S: Scalar>() {
    let (roof, ball) = (roof::<S>(), sphere::<S>(0.25));
    let touching = |mesh: &Mesh<S>, place: Vec3<S>| {
        // Each slope is one piece, called by the first of its two triangles.
        [0, 2]
            .map(|number| on(mesh, number, &ball, place))
            .into_iter()
            .filter(|manifold| !manifold.is_empty())
            .collect::<Vec<_>>()
    };
    let over = touching(&roof, vector(0.0, 0.75, 0.1));
    assert!(!over.is_empty(), "the ridge is felt");
    for manifold in &over {
        assert!((manifold.normal - Vec3::Y).length() <= number(0.01), "{manifold:?}");
        assert!(manifold.gap().expect("a point").abs() <= number(1e-4), "{manifold:?}");
    }
    // At 0.25 m along the normal (1, 1, 0)/sqrt(2) from a point of the slope that is 5 cm from the ridge.
    let (along, up) = (0.05 / 2.0_f64.sqrt(), 0.25 / 2.0_f64.sqrt());
    let beside = touching(&roof, vector(along + up, 0.5 - along + up, 0.1));
    assert_eq!(beside.len(), 1, "{beside:?}");
    let normal = vector::<S>(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0);
    assert!((beside[0].normal - normal).length() <= number(1e-3), "{beside:?}");
}

/// What is behind a facet does not touch it as a piece of a mesh; as a shape by itself it does.
fn a_facet_has_a_front_only<S: Scalar>() {
    let sheet = mesh_of::<S>(&[[-8, 0, -8], [-8, 0, 8], [8, 0, -8]], &[[0, 1, 2]]);
    let (ball, box_below) = (sphere::<S>(0.25), cuboid::<S>(0.25, 0.25, 0.25));
    for shape in [&ball, &box_below] {
        let [front, behind] = [0.24, -0.24].map(|height| on(&sheet, 0, shape, vector(-0.5, height, -0.5)));
        assert!((front.gap().expect("touching") + number(0.01)).abs() <= number(1e-4), "{front:?}");
        assert!(behind.is_empty(), "{behind:?}");
        let offset = vector::<S>(-0.5, -0.24, -0.5) - facet(&sheet, 0).origin();
        let alone = upright(sheet.piece(0), shape, offset, 0.01);
        assert!((alone.gap().expect("touching") + number(0.01)).abs() <= number(1e-4), "{alone:?}");
        assert!(alone.normal.y < S::ZERO, "{alone:?}");
    }
}

/// As a shape by itself: the gap that a manifold shows is that of the supports along its normal, so that moving by the depth separates;
/// and it does not matter which of the two is named first.
fn moving_by_the_depth_separates<S: Scalar>() {
    let mut random = SplitMix64::new(31);
    let mut deep = 0;
    for _ in 0..3000 {
        let mut coordinate = || random.between(-9.0, 9.0) as i64;
        let points = [0, 1, 2].map(|_| [coordinate(), coordinate(), coordinate()]);
        let Ok((exact, _, _)) = ExactMesh::new(&points, &[[0, 1, 2]], -3) else { continue };
        let mesh = Mesh::<S>::new(Arc::new(exact));
        let shape = if random.bits().is_multiple_of(4) { stone(&mut random) } else { random.shape::<S>() };
        let (rotation, other, offset) = (random.rotation::<S>(), random.rotation::<S>(), random.direction::<S>());
        let piece = mesh.piece(0);
        let found = collide(piece, &rotation, &shape, &other, offset, number(0.1));
        let mirrored = collide(&shape, &other, piece, &rotation, -offset, number(0.1));
        assert_eq!(mirrored.flipped(-offset).gap(), found.gap());
        let Some(gap) = found.gap() else { continue };
        let sure = gap_along((piece, &rotation), (&shape, &other), offset, found.normal);
        // Faces within 3.6 degrees of the normal show up to 1/500 of the size more.
        let slack = number::<S>(0.006);
        assert!(gap <= sure + slack && sure <= gap + slack, "{gap} and {sure}: {found:?}");
        deep += i32::from(gap < number(-0.1));
    }
    assert!(deep > 300, "{deep}");
}

/// A whole mesh touches by the facet that comes nearest, and is as far as its nearest facet.
fn a_mesh_is_its_nearest_facet<S: Scalar>() {
    let (mesh, mut random) = (roof::<S>(), SplitMix64::new(5));
    let whole = Shape::Mesh(Arc::clone(&mesh));
    let mut touched = 0;
    for _ in 0..500 {
        let (shape, offset) = (random.shape::<S>(), random.direction::<S>() * S::TWO);
        let (rotation, other) = (random.rotation::<S>(), random.rotation::<S>());
        let found = collide(&whole, &rotation, &shape, &other, offset, number(0.1));
        let gaps = (0..4).filter_map(|number| {
            let from = offset - rotation * facet(&mesh, number).origin();
            collide(mesh.piece(number), &rotation, &shape, &other, from, number_of(0.1)).gap()
        });
        assert_eq!(found.gap(), gaps.reduce(S::min));
        touched += i32::from(!found.is_empty());
    }
    assert!(touched > 50, "{touched}");
}

#[test]
fn on_every_scalar() {
    fn check<S: Scalar>() {
        a_ridge_is_felt_and_a_slope_is_a_plane::<S>();
        a_facet_has_a_front_only::<S>();
        moving_by_the_depth_separates::<S>();
        a_mesh_is_its_nearest_facet::<S>();
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
