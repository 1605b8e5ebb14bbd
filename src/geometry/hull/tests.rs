//! Hulls against what defines them: no point outside, no corner too many, whatever the order of the points.

use std::sync::Arc;

use crate::geometry::hull::quickhull::{difference, square};
use crate::geometry::hull::{ExactHull, GridPoint, Hull, HullError, MAX_CORNERS, SPAN, flatness};
use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

fn hull(points: &[GridPoint]) -> ExactHull {
    ExactHull::new(points, -16)
        .unwrap_or_else(|error| {
            panic!("{error}: {} points, among them {:?}", points.len(), &points[..points.len().min(30)])
        })
        .0
}

/// Asserts that this is the hull of the points, seen from its origin: but for what counts as flat.
fn assert_hull_of(points: &[GridPoint]) {
    let (hull, origin) = ExactHull::new(points, -16).unwrap_or_else(|error| {
        panic!("{error}: {} points, among them {:?}", points.len(), &points[..points.len().min(30)])
    });
    let (corners, topology) = (hull.corners(), hull.topology());
    let faces = topology.face_count() as i64;
    let edges = topology.edges().len() as i64;
    assert_eq!(corners.len() as i64 - edges + faces, 2, "Euler: {hull:?}");
    assert!(corners.is_sorted(), "{hull:?}");
    for corner in corners {
        let place = [0, 1, 2].map(|axis| corner[axis] + origin[axis]);
        assert!(points.contains(&place), "{place:?} is none of the points");
    }
    for face in 0..topology.face_count() {
        let (normal, loop_of_corners) = (hull.face_normal(face), topology.face(face));
        let at = |corner: u16| corners[usize::from(corner)];
        // Twice what counts as flat: the plane of a face of several triangles lies between theirs. Nothing where nothing is flat but planes.
        let flat = 2 * i128::from(flatness(points)) * (square(normal).unsigned_abs().isqrt() as i128 + 1);
        let height = |place: GridPoint| {
            [0, 1, 2]
                .map(|axis| i128::from(normal[axis]) * i128::from(place[axis] - at(loop_of_corners[0])[axis]))
                .iter()
                .sum()
        };
        for (number, &corner) in (0_u16..).zip(corners) {
            let (height, is_of_face): (i128, _) = (height(corner), loop_of_corners.contains(&number));
            let is_in_plane = height.unsigned_abs() <= flat.unsigned_abs();
            assert!(
                height <= flat && (is_in_plane || !is_of_face),
                "corner {number} is {height} above face {face}: {hull:?}"
            );
        }
        for point in points {
            let height: i128 = height(difference(*point, origin));
            assert!(height <= flat, "{point:?} is {height} above face {face}");
        }
    }
    for (number, edge) in topology.edges().iter().enumerate() {
        let [from, to] = edge.corners;
        for (face, [from, to]) in edge.faces.into_iter().zip([[from, to], [to, from]]) {
            let corners = topology.face(usize::from(face));
            let place = corners.iter().position(|&corner| corner == from).unwrap_or_else(|| panic!("edge {number}"));
            assert_eq!(corners[(place + 1) % corners.len()], to);
            assert_eq!(usize::from(topology.sides(usize::from(face))[place]), number);
        }
    }
    let moments = hull.moments();
    assert!(moments.volume > 0);
    assert!(
        moments.first.iter().all(|first| first.abs() <= 2 * moments.volume),
        "half a step from the centre: {hull:?}"
    );
    assert_eq!(ExactHull::of_corners(corners, -16).as_ref(), Some(&hull));
}

fn point(random: &mut SplitMix64, size: f64) -> GridPoint {
    [0; 3].map(|_| (random.between(-0.5, 0.5) * size) as i64)
}

#[test]
fn hulls_of_random_points_hold_them_all() {
    let mut random = SplitMix64::new(41);
    for round in 0..400 {
        // A large grid, where points are in no special place, and tiny ones, where most are in planes with others.
        let size = [SPAN as f64 - 2.0, 1000.0, 8.0, 4.0][round % 4];
        let count = 4 + random.bits() as usize % 60;
        let points: Vec<_> = (0..count).map(|_| point(&mut random, size)).collect();
        match ExactHull::new(&points, -16) {
            Ok(_) => assert_hull_of(&points),
            Err(error) => assert!(size < 9.0 && error != HullError::TooManyCorners, "{error}: {points:?}"),
        }
    }
}

#[test]
fn the_order_of_points_and_repeated_points_do_not_matter() {
    let mut random = SplitMix64::new(42);
    for size in [1.0e6, 100.0, 5.0] {
        for _ in 0..40 {
            let points: Vec<_> = (0..30).map(|_| point(&mut random, size)).collect();
            let Ok(expected) = ExactHull::new(&points, -16) else { continue };
            let mut shuffled = points.clone();
            shuffled.extend_from_slice(&points[..7]);
            for place in (1..shuffled.len()).rev() {
                shuffled.swap(place, random.bits() as usize % (place + 1));
            }
            assert_eq!(ExactHull::new(&shuffled, -16), Ok(expected));
        }
    }
}

#[test]
fn points_on_faces_and_edges_are_no_corners() {
    // All points of a lattice in a box: its corners are left, and six faces of four corners.
    let lattice: Vec<_> =
        (0..=4).flat_map(|x| (0..=3).flat_map(move |y| (0..=5).map(move |z| [x * 7, y * 9, z * 5]))).collect();
    let found = hull(&lattice);
    assert_eq!((found.corners().len(), found.topology().face_count(), found.topology().edges().len()), (8, 6, 12));
    assert_hull_of(&lattice);
    // A prism of twelve sides, its rims with points between the corners.
    let rim = [
        [4, 0],
        [4, 1],
        [3, 3],
        [1, 4],
        [0, 4],
        [-1, 4],
        [-3, 3],
        [-4, 1],
        [-4, 0],
        [-4, -1],
        [-3, -3],
        [-1, -4],
        [0, -4],
        [1, -4],
        [3, -3],
        [4, -1],
    ];
    let prism: Vec<_> = rim.into_iter().flat_map(|[x, z]| [0, 2, 5].map(|y| [x, y, z])).collect();
    let found = hull(&prism);
    assert_eq!((found.corners().len(), found.topology().face_count()), (24, 14));
    assert_hull_of(&prism);
}

#[test]
fn slivers_and_needles_are_hulls() {
    let far = SPAN / 2;
    for points in [
        // As thin as the grid can tell, as long as it can be.
        vec![[-far, -far, 0], [far, -far, 0], [far, far, 0], [-far, far, 1]],
        vec![[-far, 0, 0], [far, 0, 1], [far, 1, 0], [far - 1, 0, 0]],
        vec![[0, 0, 0], [1, 0, 0], [0, 1, 0], [far, far, far]],
        vec![[-far, -far, -far], [far, far, far], [1 - far, -far, -far], [-far, 1 - far, -far], [far, far, far - 1]],
    ] {
        assert_hull_of(&points);
    }
}

#[test]
fn a_million_points_end_in_a_hull_or_an_error() {
    let mut random = SplitMix64::new(43);
    let inside: Vec<_> = (0..1_000_000).map(|_| point(&mut random, SPAN as f64 - 2.0)).collect();
    let mut boxed = inside.clone();
    let far = SPAN / 2;
    boxed.extend((0..8).map(|corner| [0, 1, 2].map(|axis| if corner & (1 << axis) == 0 { -far } else { far })));
    assert_eq!(hull(&boxed).corners().len(), 8);
    // On a sphere nearly all are corners; found out after a few hundred of them.
    let round: Vec<_> = inside
        .iter()
        .filter_map(|point| {
            let way = Vec3::from_array(point.map(|part| part as f64)).direction()?;
            Some(way.to_array().map(|part| (part * (far - 1) as f64) as i64))
        })
        .collect();
    assert_eq!(ExactHull::new(&round, -16), Err(HullError::TooManyCorners));
    // Most in a plane, most in a line.
    let mut flat: Vec<_> = inside.iter().map(|[x, y, _]| [x / 4096, y / 4096, 0]).collect();
    assert_eq!(ExactHull::new(&flat, -16), Err(HullError::InPlane));
    flat.push([0, 0, 1]);
    assert!(hull(&flat).corners().len() > 4);
    let sliver = [[-22371, 21629, -2628], [8737, -28769, 26547], [-18034, 18561, 1476], [-507, 25103, 18181]];
    assert_eq!(
        ExactHull::new(&sliver, -16),
        Err(HullError::InPlane),
        "within 40 of 65,536 steps: it was \"3 different ones\""
    );
    let line: Vec<_> = inside.iter().map(|[x, ..]| [*x / 2, *x, -*x]).collect();
    assert_eq!(ExactHull::new(&line, -16), Err(HullError::InPlane), "x / 2 is rounded");
    let line: Vec<_> = inside.iter().map(|[x, ..]| [*x, *x, -*x]).collect();
    assert_eq!(ExactHull::new(&line, -16), Err(HullError::InLine));
}

#[test]
fn as_many_corners_as_allowed_and_no_more() {
    // On a parabola no three points lie in a line, and every point of the two rims is a corner.
    let rim = |count: i64| (0..count).map(|x| [x * 16, x * x, 0]).collect::<Vec<_>>();
    let mut points = rim(MAX_CORNERS as i64 - 1);
    points.push([0, 0, 1000]);
    assert_eq!(hull(&points).corners().len(), MAX_CORNERS);
    let mut points = rim(MAX_CORNERS as i64);
    points.push([0, 0, 1000]);
    assert_eq!(ExactHull::new(&points, -16), Err(HullError::TooManyCorners));
}

#[test]
fn moments_are_those_of_closed_forms() {
    // A box of sides 2a, 2b, 2c about its middle: 8abc, and abc times 8/3 a^2.
    let (a, b, c) = (30_i128, 20, 7);
    let corners: Vec<_> = (0..8)
        .map(|number| [(a, 1), (b, 2), (c, 4)].map(|(half, bit)| if number & bit == 0 { -half } else { half } as i64))
        .collect();
    let found = hull(&corners);
    let moments = found.moments();
    assert_eq!((moments.volume, moments.first), (6 * 8 * a * b * c, [0; 3]));
    let second = |half: i128| 120 * 8 * a * b * c * half * half / 3;
    assert_eq!(moments.second, [second(a), second(b), second(c), 0, 0, 0]);
    // A corner of a box, cut off at 4, 8 and 12 steps: V = 64, centre at a quarter of each, integral of xx = V a^2 / 10, of xy V ab / 20.
    let (found, origin) = ExactHull::new(&[[0; 3], [4, 0, 0], [0, 8, 0], [0, 0, 12]], 0).expect("a tetrahedron");
    assert_eq!(origin, [1, 2, 3]);
    let moments = found.moments();
    assert_eq!((moments.volume, moments.first), (6 * 64, [0; 3]));
    let about_centre = |a: i128, b: i128, per: i128| 120 * 64 * a * b / per - 120 * 64 * (a / 4) * (b / 4);
    let same = |a: i128| about_centre(a, a, 10);
    let mixed = |a: i128, b: i128| about_centre(a, b, 20);
    assert_eq!(moments.second, [same(4), same(8), same(12), mixed(4, 8), mixed(4, 12), mixed(8, 12)]);
}

#[test]
fn a_hull_in_a_scalar_has_unit_normals_and_touches_its_planes() {
    fn check<S: Scalar>() {
        let mut random = SplitMix64::new(44);
        for size in [SPAN as f64 - 2.0, 3000.0, 6.0] {
            for exponent in [-19, -4, -28] {
                let points: Vec<_> = (0..25).map(|_| point(&mut random, size)).collect();
                let Ok((exact, _)) = ExactHull::new(&points, exponent) else { continue };
                let hull = Hull::<S>::new(Arc::new(exact));
                let step = 2.0_f64.powi(exponent);
                for (corner, on_grid) in hull.corners().iter().zip(hull.exact().corners()) {
                    assert_eq!(corner.to_f64(), on_grid.map(|steps| steps as f64 * step), "exact");
                }
                let slack = 4.0 * (S::EPSILON.to_f64() * hull.reach().to_f64().max(1e-3) + 1e-9);
                for (face, plane) in hull.planes().iter().enumerate() {
                    assert!((plane.normal.length().to_f64() - 1.0).abs() <= 4.0 * S::EPSILON.to_f64() + 1e-9);
                    let highest = hull.reach_along(plane.normal).to_f64();
                    assert!((highest - plane.offset.to_f64()).abs() <= slack, "face {face}: {highest} {plane:?}");
                }
                for direction in hull.directions() {
                    assert!((direction.length().to_f64() - 1.0).abs() <= 4.0 * S::EPSILON.to_f64() + 1e-9);
                }
            }
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}

#[test]
fn the_tetrahedron_is_the_hull_of_its_corners() {
    let known = ExactHull::tetrahedron();
    assert_eq!(ExactHull::of_corners(known.corners(), 0).as_ref(), Some(&known));
}

#[test]
fn a_mirrored_hull_is_the_hull_of_mirrored_points() {
    let mut random = SplitMix64::new(45);
    for axis in 0..3 {
        let points: Vec<_> = (0..20).map(|_| point(&mut random, 900.0)).collect();
        let found = hull(&points);
        let mirrored = found.mirrored(axis);
        let mut expected = found.corners().to_vec();
        expected.iter_mut().for_each(|corner| corner[axis] = -corner[axis]);
        expected.sort_unstable();
        assert_eq!(mirrored.corners(), expected);
        assert_eq!(mirrored.moments().volume, found.moments().volume);
        assert_eq!(mirrored.mirrored(axis), found);
    }
}

/// The corners of a dodecahedron: `phi` is the golden ratio, and this is it to a few digits only.
#[test]
fn faces_that_are_flat_but_for_rounding_are_one_face() {
    for (digits, size) in [(3, 2000.0_f64), (4, 30_000.0), (6, 300_000.0)] {
        let round = |value: f64| (value * 10_f64.powi(digits)).round() / 10_f64.powi(digits);
        let phi = (1.0 + 5.0_f64.sqrt()) / 2.0;
        let (long, short) = (round(phi), round(1.0 / phi));
        let mut points = Vec::new();
        for [x, y, z] in [[1.0, 1.0, 1.0], [0.0, short, long], [short, long, 0.0], [long, 0.0, short]] {
            for number in 0..8 {
                let side = |bit: u32, value: f64| if number & bit == 0 { value } else { -value };
                points.push([side(1, x), side(2, y), side(4, z)].map(|value| (value * size).round() as i64));
            }
        }
        let found = hull(&points);
        let sides: Vec<_> = (0..found.topology().face_count()).map(|face| found.topology().face(face).len()).collect();
        assert_eq!((found.corners().len(), sides), (20, vec![5; 12]), "{digits} digits");
        assert_hull_of(&points);
    }
}

#[test]
fn a_point_that_barely_stands_out_of_a_face_is_no_corner() {
    let far = SPAN / 4;
    let mut points: Vec<_> =
        (0..8).map(|number| [0, 1, 2].map(|axis| if number & (1 << axis) == 0 { -far } else { far })).collect();
    let flat = flatness(&points);
    assert_eq!(flat, 2 * far / 4096);
    points.extend([[far + flat / 2 - 2, 10, -20], [1000, far + flat / 3, 999]]);
    assert_eq!(hull(&points).corners().len(), 8);
    assert_hull_of(&points);
    points.push([0, 0, far + 2 * flat]);
    assert_eq!(hull(&points).corners().len(), 9);
    assert_hull_of(&points);
}
