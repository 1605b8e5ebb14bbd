//! Tests of meshes: what is decided in whole numbers, and how facets are found.

use std::sync::Arc;

use crate::geometry::Aabb;
use crate::geometry::hull::GridPoint;
use crate::geometry::mesh::{Beyond, ExactMesh, Lean, LeftOut, Mesh, MeshError};
use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

fn mesh_of(points: &[GridPoint], triangles: &[[u32; 3]]) -> (ExactMesh, LeftOut) {
    let (mesh, _, left_out) = ExactMesh::new(points, triangles, 0).expect("a mesh");
    (mesh, left_out)
}

/// Two squares of 2 m side by side along x, of which the second is lifted at its far end by `rise`.
fn two_squares(rise: i64) -> ExactMesh {
    let points = [[0, 0, 0], [0, 0, 2], [2, 0, 0], [2, 0, 2], [4, rise, 0], [4, rise, 2]];
    mesh_of(&points, &[[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5]]).0
}

/// What is beyond the side between two triangles, as the first of them sees it.
fn between(mesh: &ExactMesh, first: usize, second: usize) -> Beyond {
    let (ours, theirs) = (mesh.triangles()[first], mesh.triangles()[second]);
    let is_shared = |place: usize| theirs.contains(&ours[place]) && theirs.contains(&ours[(place + 1) % 3]);
    mesh.sides()[first][(0..3).find(|&place| is_shared(place)).expect("a side in common")]
}

#[test]
fn a_side_is_level_where_the_surface_goes_on_or_rises_and_a_ridge_where_it_falls() {
    for (rise, is_ridge) in [(0, false), (1, false), (-1, true)] {
        let mesh = two_squares(rise);
        let (there, back) = (between(&mesh, 1, 2), between(&mesh, 2, 1));
        let expected = |other| if is_ridge { Beyond::Ridge(other) } else { Beyond::Level };
        assert_eq!((there, back), (expected(2), expected(1)), "{rise}");
        assert_eq!(between(&mesh, 0, 1), Beyond::Level, "within a square");
    }
}

/// A square of two triangles, and along its far side others whose corners are not its own: at these places, falling by `fall` behind.
fn uneven_seam(places: &[i64], scale: i64, skew: [i64; 3], fall: i64) -> ExactMesh {
    let at = |x: i64, y: i64, z: i64| [x * scale + skew[0] * z, y * scale + skew[1] * z, z * scale + skew[2] * x];
    let mut points = vec![at(0, 0, 0), at(0, 0, 12), at(10, 0, 0), at(10, 0, 12)];
    let mut triangles = vec![[0, 1, 2], [2, 1, 3]];
    let mut seam = vec![2_u32];
    for &place in places {
        seam.push(points.len() as u32);
        points.push(at(10, 0, place));
    }
    seam.push(3);
    let apex = points.len() as u32;
    points.push(at(20, -fall, 6));
    triangles.extend(seam.windows(2).map(|ends| [ends[0], ends[1], apex]));
    mesh_of(&points, &triangles).0
}

#[test]
fn a_surface_goes_on_over_corners_that_lie_on_a_side() {
    // The last skews put corners beside the line, where rounding to the grid leaves them.
    for (scale, skew) in [(1, [0; 3]), (1000, [7, 3, 0]), (999_983, [77_777, 3331, 41])] {
        for places in [&[6][..], &[3, 7], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]] {
            let level = uneven_seam(places, scale, skew, 0).sides();
            assert_eq!(level[1].iter().filter(|side| **side == Beyond::Level).count(), 2, "{level:?}");
            for short in &level[2..] {
                assert_eq!(short[0], Beyond::Level, "{level:?}");
            }
            let falling = uneven_seam(places, scale, skew, 5).sides();
            assert!(falling[1].iter().any(|side| matches!(side, Beyond::Ridge(other) if *other > 1)), "{falling:?}");
            assert!(falling[2..].iter().all(|short| short[0] == Beyond::Ridge(1)), "{falling:?}");
        }
    }
    // A corner beside the line leaves a gap, and both sides of it are open.
    let mut points = vec![[0, 0, 0], [0, 0, 120], [100, 0, 0], [100, 0, 120], [103, 0, 60], [200, 0, 60]];
    let triangles = [[0, 1, 2], [2, 1, 3], [2, 4, 5], [4, 3, 5]];
    assert!(mesh_of(&points, &triangles).0.sides()[1].contains(&Beyond::Nothing));
    points[4][0] = 100;
    assert_eq!(mesh_of(&points, &triangles).0.sides()[1].iter().filter(|side| **side == Beyond::Level).count(), 2);
}

/// Two strips beside each other whose corners along the seam are all others.
#[test]
fn a_surface_goes_on_where_both_sides_of_a_seam_have_corners_of_their_own() {
    let line = |places: &[i64]| places.iter().map(|&z| [10, 0, z]).collect::<Vec<GridPoint>>();
    let (left, right) = (line(&[0, 3, 7, 12]), line(&[0, 4, 5, 12]));
    let mut points = vec![[0, 0, 6], [20, 0, 6]];
    points.extend(left.iter().chain(&right));
    let triangles: Vec<[u32; 3]> =
        (2..5).map(|place| [0, place + 1, place]).chain((6..9).map(|place| [1, place, place + 1])).collect();
    let sides = mesh_of(&points, &triangles).0.sides();
    let open: usize = sides.iter().flatten().filter(|side| **side == Beyond::Nothing).count();
    assert_eq!(open, 4, "the outer sides of both fans: {sides:?}");
}

#[test]
fn a_mesh_ends_where_no_triangle_follows_or_only_its_own_back() {
    let square = [[0, 0, 0], [0, 0, 2], [2, 0, 0]];
    let (alone, _) = mesh_of(&square, &[[0, 1, 2]]);
    assert_eq!(alone.sides(), [[Beyond::Nothing; 3]]);
    let (sheet, left_out) = mesh_of(&square, &[[0, 1, 2], [0, 2, 1]]);
    assert_eq!((sheet.sides(), left_out), (vec![[Beyond::Nothing; 3]; 2], LeftOut::default()));
}

/// Three walls on one side of a floor, as in a letter K: at a side where several triangles follow, each sees the one that hides the others, which is
/// the one that rises. A triangle the wrong way round follows none: there both sides end.
#[test]
fn a_side_of_many_triangles_goes_on_with_the_steepest() {
    // The floor ends at x = 0, along z. Behind it a slope down, a slope up, and a wall.
    let points = [[-4, 0, 0], [0, 0, 0], [0, 0, 4], [4, -2, 2], [4, 2, 2], [0, 4, 2]];
    let (floor, down, up, wall) = ([0, 2, 1], [1, 2, 3], [1, 2, 4], [1, 2, 5]);
    let at_seam = |triangles: &[[u32; 3]]| {
        let (mesh, left_out) = mesh_of(&points, triangles);
        assert_eq!((mesh.triangles().len(), left_out), (triangles.len(), LeftOut::default()));
        mesh.sides()
            .into_iter()
            .map(|sides| sides.into_iter().find(|side| *side != Beyond::Nothing))
            .collect::<Vec<_>>()
    };
    assert!(matches!(at_seam(&[floor, down])[0], Some(Beyond::Ridge(_))));
    for others in [&[up][..], &[wall], &[down, up], &[up, down], &[down, wall, up]] {
        let triangles: Vec<_> = [floor].into_iter().chain(others.iter().copied()).collect();
        let (mesh, _) = mesh_of(&points, &triangles);
        let place = mesh.triangles().iter().position(|corners| corners.contains(&0)).expect("the floor");
        assert_eq!(at_seam(&triangles)[place], Some(Beyond::Level), "{others:?}");
    }
    let [a, b, c] = down;
    assert_eq!(at_seam(&[floor, [a, c, b]]), [None, None], "the wrong way round");
}

#[test]
fn what_has_no_area_or_is_there_already_is_left_out_and_counted() {
    // Points 3 and 4 are points 1 and 2 once more; point 5 lies between points 1 and 2.
    let points = [[0, 0, 0], [0, 0, 4], [4, 0, 0], [0, 0, 4], [4, 0, 0], [2, 0, 2]];
    let triangles = [[0, 1, 2], [1, 2, 0], [0, 3, 4], [1, 5, 2], [0, 0, 1], [0, 2, 1]];
    let (mesh, left_out) = mesh_of(&points, &triangles);
    assert_eq!(left_out, LeftOut { flat: 2, repeated: 2 });
    assert_eq!(mesh.triangles().len(), 2, "one from each side");
    assert_eq!(mesh.corners().len(), 3);
    assert_eq!(ExactMesh::new(&points, &[[1, 5, 2]], 0).map(|_| ()), Err(MeshError::NoArea(1)));
    let unknown = MeshError::NoSuchCorner { triangle: 1, corner: 6, corners: 6 };
    assert_eq!(ExactMesh::new(&points, &[[0, 1, 2], [0, 6, 1]], 0).map(|_| ()), Err(unknown));
}

#[test]
fn the_parts_of_a_mesh_make_it_again_and_two_mirrors_too() {
    let mesh = two_squares(3);
    let again = ExactMesh::of_parts(mesh.corners(), mesh.triangles(), mesh.exponent());
    assert_eq!(again.as_ref().map(ExactMesh::content), Some(mesh.content()));
    for axis in 0..3 {
        let seen = mesh.mirrored(axis);
        assert_ne!(seen.content(), mesh.content(), "axis {axis}");
        assert_eq!(seen.mirrored(axis).content(), mesh.content(), "axis {axis}");
        let normal = |mesh: &ExactMesh| mesh.normal(3);
        let mut expected = normal(&mesh);
        expected[axis] = -expected[axis];
        assert_eq!(normal(&seen), expected, "the front stays in front, axis {axis}");
    }
    let mut corners = mesh.corners().to_vec();
    corners.swap(0, 1);
    assert_eq!(ExactMesh::of_parts(&corners, mesh.triangles(), 0), None, "corners ascend");
}

/// A normal leans over a ridge as far as that of the neighbour, 45 degrees here, and over the open end to its plane.
fn normals_lean_as_far_as_the_surface_does<S: Scalar>() {
    let mesh = Mesh::<S>::new(Arc::new(two_squares(-2)));
    let rising = Mesh::<S>::new(Arc::new(two_squares(2)));
    let slack = S::from_ratio(1, 1000);
    let lean_of = |mesh: &Mesh<S>, x: i64, y: i64, z: i64| {
        let direction = Vec3::new(S::from_i32(x as i32), S::from_i32(y as i32), S::from_i32(z as i32));
        let facet = mesh.facets().next().expect("the first square");
        facet.lean(direction.normalise().expect("a direction").0, slack)
    };
    let lean = |x: i64, y: i64, z: i64| lean_of(&mesh, x, y, z);
    assert_eq!(lean(0, 1, 0), Lean::Face);
    assert_eq!(lean(9, 10, 0), Lean::Between, "over the ridge");
    assert_eq!(lean(11, 10, 0), Lean::Beyond, "beyond the ridge");
    assert_eq!(lean_of(&rising, 1, 10, 0), Lean::OverLevel, "over the side at which the surface rises");
    assert_eq!(lean(0, 1, 10), Lean::Between, "over the open end");
    assert_eq!(lean(0, -1, 0), Lean::Beyond, "behind");
}

/// The tree finds the facets whose boxes a box meets, and the nearest by a measure as looking at all does, with no look at any whose box
/// shows that it is not nearer than what was found.
fn the_tree_misses_no_facet<S: Scalar>() {
    let mut random = SplitMix64::new(7);
    let mut coordinate = |span: f64| random.between(-span, span) as i64;
    let points: Vec<GridPoint> =
        (0..600).map(|_| [coordinate(9000.0), coordinate(900.0), coordinate(9000.0)]).collect();
    let triangles: Vec<[u32; 3]> = (0..200).map(|number| [3 * number, 3 * number + 1, 3 * number + 2]).collect();
    let (exact, _, _) = ExactMesh::new(&points, &triangles, -10).expect("a mesh");
    let mesh = Mesh::<S>::new(Arc::new(exact));
    let boxes: Vec<Aabb<S>> = mesh.facets().map(|facet| facet.bounds()).collect();
    for _ in 0..200 {
        let mut place = |span: f64| S::from_ratio((random.between(-span, span) * 1024.0) as i64, 1024);
        let least = Vec3::new(place(9.0), place(1.0), place(9.0));
        let asked = Aabb::new(least, least + Vec3::splat(S::ONE));
        let mut found = Vec::new();
        mesh.near(&asked, &mut found);
        assert!(found.is_sorted());
        for (number, bounds) in (0..).zip(&boxes) {
            assert_eq!(bounds.overlaps(&asked), found.contains(&number), "facet {number}");
        }
        let height = |bounds: &Aabb<S>| (bounds.min.x - least.x).abs();
        let below = |bounds: &Aabb<S>| if bounds.min.x > least.x { bounds.min.x - least.x } else { S::ZERO };
        let mut nearest = S::MAX;
        mesh.search(below, |number| {
            let bounds = &boxes[number as usize];
            assert!(below(bounds) < nearest, "facet {number} cannot be nearer");
            nearest = nearest.min(height(bounds));
            nearest
        });
        assert_eq!(Some(nearest), boxes.iter().map(height).reduce(S::min));
    }
}

#[test]
fn on_every_scalar() {
    fn check<S: Scalar>() {
        normals_lean_as_far_as_the_surface_does::<S>();
        the_tree_misses_no_facet::<S>();
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Ways through a closed box of twelve triangles come in and go out, those beside it do neither.
#[test]
fn ways_through_a_surface_are_counted_by_direction() {
    fn check<S: Scalar>() {
        let corner = |number: i64| [number & 1, number >> 1 & 1, number >> 2].map(|side| side * 2048 - 1024);
        let points: Vec<GridPoint> = (0..8).map(corner).collect();
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let halves: Vec<[u32; 3]> = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let (exact, _, _) = ExactMesh::new(&points, &halves, -10).expect("a mesh");
        let mesh = Mesh::<S>::new(Arc::new(exact));
        let at = |x: i64, y: i64, z: i64| Vec3::from_array([x, y, z].map(|part| S::from_ratio(part, 16)));
        let way = |from: Vec3<S>, to: Vec3<S>| mesh.crossings(from, to);
        assert_eq!(way(at(-40, 3, 5), at(1, 3, 4)), [1, 0], "in");
        assert_eq!(way(at(1, 3, 4), at(-40, 3, 5)), [0, 1], "out");
        assert_eq!(way(at(-40, 3, 5), at(40, 2, 4)), [1, 1], "through");
        assert_eq!(way(at(-40, 17, 5), at(40, 17, 5)), [0, 0], "over it");
        assert_eq!(way(at(1, 3, 4), at(-3, 5, 6)), [0, 0], "within");
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

/// Of a bowl of nine cells all corners are at its rim, but for those of the cell in the middle. Over all sides within it rises: by
/// `2 beta` over diagonals and by `2 (4 alpha - beta)` over the others, with height `alpha (x^2 + z^2) + beta x z`.
#[test]
fn a_corner_is_sharp_where_any_of_the_triangles_around_it_ends_or_falls_away() {
    let height = |x: i64, z: i64| 4 * (x * x + z * z) + 2 * x * z;
    let places = (0..16).map(|number| [number % 4, height(number % 4, number / 4), number / 4]);
    let places: Vec<GridPoint> = places.collect();
    let cells = (0..9).map(|cell| cell / 3 * 4 + cell % 3);
    let triangles: Vec<[u32; 3]> = cells.flat_map(|a| [[a, a + 4, a + 1], [a + 1, a + 4, a + 5]]).collect();
    let (floor, _) = mesh_of(&places, &triangles);
    let floor = Mesh::<f64>::new(Arc::new(floor));
    let blunt: Vec<usize> =
        floor.facets().enumerate().filter(|(_, facet)| facet.has_blunt_corners()).map(|(number, _)| number).collect();
    assert_eq!(blunt, [8, 9], "the two of the cell in the middle");
    // The first triangle of the second cell has its corners at the rim but for one, (1, 0, 1).
    let facet = floor.facets().nth(2).expect("a facet");
    let towards = |x: f64, z: f64| facet.is_sharp_along(Vec3::new(x, 0.0, z).normalise().expect("a direction").0);
    assert!(towards(1.0, -0.5), "(2, 0, 0) is at the rim");
    assert!(!towards(0.0, -1.0), "two of its corners are as far");
    assert!(!towards(-0.5, 1.0), "(1, 0, 1) has the bowl all around it");
}
