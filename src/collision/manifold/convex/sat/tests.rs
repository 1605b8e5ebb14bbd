//! What is passed over changes no answer.

use crate::collision::manifold::convex::gjk::nearest_points;
use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
use crate::collision::manifold::convex::sat::edges::best_edges;
use crate::collision::manifold::convex::sat::{
    Common, LeastOverlap, Separation, best_face_of_a, best_face_of_b, least_overlap,
};
use crate::collision::manifold::tests::{RandomShapes, hull, mesh_of, stone};
use crate::geometry::Shape;
use crate::math::{Fixed, Mat3, Scalar, SplitMix64, Vec3};

/// What is passed over for the sake of a common point changes nothing, of stones, plates and needles.
#[test]
fn a_common_point_changes_no_answer() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(77);
        let mut overlaps = 0;
        for round in 0..2400 {
            let shapes = [0, 1].map(|_| squeezed::<S>(round, &mut random));
            let turns = [random.rotation::<S>(), random.rotation()];
            let offset = random.direction::<S>() * S::from_ratio(1 + i64::from(round % 8), 8);
            let [Shape::Hull(a), Shape::Hull(b)] = &shapes else { panic!("stones are hulls") };
            let b = Core::Polytope(Polytope::of_hull(b));
            let pair = CorePair::new((Polytope::of_hull(a), &turns[0]), (b, S::ZERO, &turns[1]), offset);
            let Err(common) = nearest_points(&pair, pair.tiny()) else { continue };
            overlaps += 1;
            assert_same(&pair, common, round);
        }
        assert!(overlaps > 600, "{overlaps} overlap");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// A facet has no sides, so what is level with it may be beside it.
#[test]
fn a_common_point_of_a_facet_lies_on_it() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(78);
        let box_of =
            |half: [f64; 3]| {
                hull::<S>(&[0, 1, 2, 3, 4, 5, 6, 7].map(|corner| {
                    [0, 1, 2].map(|axis| if corner & (1 << axis) == 0 { -half[axis] } else { half[axis] })
                }))
            };
        let (crates, mut overlaps) = ([box_of([0.5; 3]), box_of([0.25, 0.5, 0.125])], 0);
        for round in 0..4000 {
            let mesh = mesh_of::<S>(&[[-8, 0, -8], [-8, 0, 8], [8, 0, -8]], &[[0, 1, 2]]);
            let (Shape::Facet(facet), Shape::Hull(b)) = (mesh.piece(0), &crates[random.index(2)]) else {
                panic!("a facet and a box")
            };
            let little = |random: &mut SplitMix64| S::ONE.scale_by_power_of_two(-6 - random.index(20) as i32);
            let eighths = |random: &mut SplitMix64| S::from_ratio((random.bits() % 25) as i64 - 12, 8);
            let [x, z] = [0, 1].map(|_| eighths(&mut random) + little(&mut random));
            let offset = Vec3::new(x, S::HALF - little(&mut random), z);
            let turn = if round % 2 == 0 { Mat3::IDENTITY } else { random.rotation() };
            let b = Core::Polytope(Polytope::of_hull(b));
            let a = Polytope::of_facet(facet);
            let mut pair = CorePair::new((a, &Mat3::IDENTITY), (b, S::ZERO, &turn), offset);
            if round % 2 == 1 {
                pair.offset -= Vec3::Y * (pair.gap_along(Vec3::Y) + little(&mut random));
            }
            let Err(common) = nearest_points(&pair, pair.tiny()) else { continue };
            overlaps += 1;
            assert_same(&pair, common, round);
        }
        assert!(overlaps > 500, "{overlaps} overlap");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

fn assert_same<S: Scalar>(pair: &CorePair<'_, S>, common: Vec3<S>, round: u32) {
    let (with, without) = (least_overlap(pair, Common::of(pair, common)), least_overlap(pair, None));
    let axis = |found: &Separation<S>| (found.normal, found.gap, found.edges);
    let told = |found: &LeastOverlap<S>| (axis(&found.best), found.edges.as_ref().map(axis));
    assert_eq!(told(&with), told(&without), "{round}, {common:?} ({})", S::KIND);
}

/// A stone, or in two rounds of three one with a side of a sixteenth or two.
fn squeezed<S: Scalar>(round: u32, random: &mut SplitMix64) -> Shape<S> {
    let points = (0..6 + random.index(30)).map(|_| {
        let [x, y, z] = random.direction::<f64>().to_array();
        let thin = 1.0 / 16.0;
        match round % 3 {
            0 => [x, y, z],
            1 => [x, y * thin, z],
            _ => [x, y * thin, z * thin],
        }
    });
    let points: Vec<_> = points.collect();
    hull(&points)
}

/// The best of the edges near the overlap is the best of all edges.
#[test]
fn no_edge_that_is_passed_over_shows_the_least_overlap() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(12);
        let (mut overlaps, mut by_edges) = (0, 0);
        for _ in 0..8000 {
            let shapes = [stone::<S>(&mut random), stone(&mut random)];
            let [Shape::Hull(a), Shape::Hull(b)] = &shapes else { panic!("stones are hulls") };
            let turns = [random.rotation::<S>(), random.rotation()];
            let offset = random.direction::<S>();
            let b = Core::Polytope(Polytope::of_hull(b));
            let pair = CorePair::new((Polytope::of_hull(a), &turns[0]), (b, S::ZERO, &turns[1]), offset);
            let Err(common) = nearest_points(&pair, pair.tiny()) else { continue };
            let found = least_overlap(&pair, Common::of(&pair, common));
            let faces = [Some(best_face_of_a(&pair, None)), best_face_of_b(&pair, None, -S::MAX)].into_iter().flatten();
            let face = faces.map(|face| face.gap).fold(-S::MAX, S::max);
            let of_all = best_edges(&pair, face, None);
            overlaps += 1;
            by_edges += i32::from(found.best.edges.is_some());
            if let Some(best) = of_all.filter(|_| found.best.edges.is_some()) {
                assert_eq!((found.best.edges, found.best.gap), (best.edges, best.gap));
            }
            // What is not taken for the best is no better than the face that was preferred.
            let preferred = (-face).scale_by_power_of_two(-10) + pair.rounding();
            let best = of_all.map_or(face, |best| best.gap);
            assert!(found.best.gap >= best - preferred - preferred, "{} of {best}", found.best.gap);
        }
        assert!(overlaps > 800 && by_edges > 80, "{overlaps} overlaps, {by_edges} by edges");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
