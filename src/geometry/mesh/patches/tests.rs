//! Tests of patches: what is joined, what is not, and that what is joined is flat and convex.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::geometry::hull::{GridPoint, widths};
use crate::geometry::mesh::Mesh;
use crate::geometry::mesh::exact::{Beyond, ExactMesh, difference, dot, scaled_down};
use crate::geometry::mesh::patches::{MOST_SIDES, Patch, longest, patches};
use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

/// Steps of the grid to a metre, as in meshes of some metres that scenes make.
const METRE: i64 = 1 << 28;

fn mesh_of(points: &[GridPoint], triangles: &[[u32; 3]]) -> ExactMesh {
    ExactMesh::new(points, triangles, -28).expect("a mesh").0
}

fn patches_of(mesh: &ExactMesh) -> Vec<Patch> {
    let found = patches(mesh, &mesh.sides());
    assert_are_patches(mesh, &found);
    found
}

/// Each triangle is in one patch, and each patch is flat and convex, as far as patches may be off, and no larger than its triangles.
fn assert_are_patches(mesh: &ExactMesh, found: &[Patch]) {
    let mut triangles: Vec<u32> = found.iter().flat_map(|patch| patch.triangles().to_vec()).collect();
    triangles.sort_unstable();
    assert_eq!(triangles, (0..mesh.triangles().len() as u32).collect::<Vec<_>>());
    assert!(found.is_sorted_by_key(Patch::name));
    let widest = widths(mesh.corners()).into_iter().fold(0, i64::max);
    assert!(found.iter().all(|patch| patch.off() <= widest >> 20), "a millionth of the mesh");
    for patch in found {
        let corners: Vec<GridPoint> = patch.corners(mesh).map(|corner| mesh.corners()[corner as usize]).collect();
        assert!((3..=MOST_SIDES).contains(&corners.len()), "{corners:?}");
        let normal = scaled_down(patch.area());
        let own = patch.triangles().iter().flat_map(|&triangle| mesh.placed(triangle as usize));
        let own: Vec<GridPoint> = own.collect();
        let off = i128::from(patch.off());
        let heights = own.iter().map(|&corner| dot(normal, difference(corner, corners[0])));
        let (least, most) = heights.fold((0, 0), |(least, most), next| (next.min(least), next.max(most)));
        assert!(most - least <= 2 * (off + 1) * longest(normal), "{patch:?}");
        for (place, &from) in corners.iter().enumerate() {
            let way = difference(corners[(place + 1) % corners.len()], from);
            // Behind each side, by a cross product along the normal; every step on the way can be off once more.
            let [x, y, z] = way;
            let outwards =
                [y * normal[2] - z * normal[1], z * normal[0] - x * normal[2], x * normal[1] - y * normal[0]];
            let room = 8 * (off + 1) * longest(outwards);
            assert!(own.iter().all(|&corner| dot(outwards, difference(corner, from)) <= room), "{patch:?}");
        }
    }
}

/// A sheet of `columns` by `rows` cells over x and z with their heights, now cut along the one diagonal, now along the other.
fn sheet([columns, rows]: [i64; 2], place: impl Fn(i64, i64) -> GridPoint) -> (Vec<GridPoint>, Vec<[u32; 3]>) {
    let points = (0..=rows).flat_map(|row| (0..=columns).map(move |column| (column, row)));
    let points = points.map(|(column, row)| place(column, row)).collect();
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let halves = cells.flat_map(|(column, row)| {
        let a = (row * (columns + 1) + column) as u32;
        let (b, c) = (a + columns as u32 + 1, a + 1);
        let d = b + 1;
        if (row + column) % 2 == 0 { [[a, b, c], [c, b, d]] } else { [[a, b, d], [a, d, c]] }
    });
    (points, halves.collect())
}

/// A cube of 2 m with so many cells a side on each face, every point of it turned by `turn`.
fn cube(cells: i64, turn: impl Fn([f64; 3]) -> [f64; 3]) -> ExactMesh {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for face in 0..6 {
        let (axis, side) = (face / 2, if face % 2 == 0 { 1.0 } else { -1.0 });
        let at = |column: i64, row: i64| {
            let place = |number: i64| 2.0 * number as f64 / cells as f64 - 1.0;
            let mut point = [0.0; 3];
            // Counter-clockwise as seen from outside, on either side.
            let (u, v) =
                if face % 2 == 0 { ((axis + 2) % 3, (axis + 1) % 3) } else { ((axis + 1) % 3, (axis + 2) % 3) };
            (point[axis], point[u], point[v]) = (side, place(column), place(row));
            turn(point).map(|part| (part * METRE as f64).round() as i64)
        };
        let (own, halves) = sheet([cells; 2], at);
        let first = points.len() as u32;
        points.extend(own);
        triangles.extend(halves.into_iter().map(|corners| corners.map(|corner| first + corner)));
    }
    mesh_of(&points, &triangles)
}

/// Turned by 0.6 rad about (2, 3, 6)/7.
fn aslant([x, y, z]: [f64; 3]) -> [f64; 3] {
    let (axis, (sine, cosine)) = ([2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0], 0.6_f64.sin_cos());
    let along = (axis[0] * x + axis[1] * y + axis[2] * z) * (1.0 - cosine);
    let across = [axis[1] * z - axis[2] * y, axis[2] * x - axis[0] * z, axis[0] * y - axis[1] * x];
    let part = |number: f64, place: usize| number * cosine + across[place] * sine + axis[place] * along;
    [part(x, 0), part(y, 1), part(z, 2)]
}

#[test]
fn a_face_is_one_patch_however_finely_it_is_divided() {
    let written = |point: [f64; 3]| aslant(point).map(|part| (part * 1e6).round() / 1e6);
    for cells in [1, 2, 3, 7, 10, 16] {
        for (turned, mesh) in
            [("", cube(cells, |point| point)), ("turned", cube(cells, aslant)), ("six decimals", cube(cells, written))]
        {
            let found = patches_of(&mesh);
            let sides: Vec<usize> = found.iter().map(|patch| patch.sides().len()).collect();
            assert_eq!(sides, [4; 6], "{cells} cells, {turned}");
            let area = |patch: &Patch| dot(scaled_down(patch.area()), scaled_down(patch.area())) as f64;
            let first = area(&found[0]);
            assert!(found.iter().all(|patch| (area(patch) / first - 1.0).abs() < 1e-5));
        }
    }
}

/// In whatever order its triangles come.
#[test]
fn the_order_of_triangles_does_not_matter() {
    let mut random = SplitMix64::new(3);
    let mesh = cube(9, |point| point);
    for _ in 0..20 {
        let mut triangles = mesh.triangles().to_vec();
        (1..triangles.len()).for_each(|place| triangles.swap(place, random.index(place + 1)));
        assert_eq!(patches_of(&mesh_of(mesh.corners(), &triangles)).len(), 6);
    }
}

#[test]
fn what_is_not_flat_stays_as_it_is() {
    let mut random = SplitMix64::new(5);
    let mut height = || METRE / 1024 * random.between(0.0, 1000.0) as i64;
    let heights: Vec<i64> = (0..13 * 13).map(|_| height()).collect();
    let (points, triangles) = sheet([12; 2], |x, z| [x * METRE, heights[(13 * z + x) as usize], z * METRE]);
    let mesh = mesh_of(&points, &triangles);
    assert_eq!(patches_of(&mesh).len(), triangles.len());
}

/// A sheet that is bent along x, by 1 um over 12 m at the least, is flat along z only; what is bent by less than it may be off is flat.
#[test]
fn a_gentle_bend_is_a_bend() {
    for (bend, count) in [(METRE / 8, 12), (METRE / 4096, 12), (4, 1)] {
        let (points, triangles) = sheet([12; 2], |x, z| [x * METRE, -bend * x * x, z * METRE]);
        let mesh = mesh_of(&points, &triangles);
        assert_eq!(patches_of(&mesh).len(), count, "{bend}");
    }
    // Of a dome that is nearly flat each patch is.
    for shift in 0..24 {
        let dome = |x: i64, z: i64| (METRE >> shift) * (x * x + z * z) / -32;
        let (points, triangles) = sheet([12; 2], |x, z| [x * METRE, dome(x, z), z * METRE]);
        patches_of(&mesh_of(&points, &triangles));
    }
}

/// A strip of so many cells is pieces that have as many sides of triangles on a side as there may be.
#[test]
fn a_long_strip_is_several_patches() {
    for (cells, count) in [(256, 1), (257, 2), (2000, 8)] {
        let (points, triangles) = sheet([cells, 1], |x, z| [x * METRE / 256, x * METRE / 512, z * METRE / 256]);
        let found = patches_of(&mesh_of(&points, &triangles));
        assert_are_patches(&mesh_of(&points, &triangles), &found);
        assert_eq!(found.len(), count, "{cells}");
    }
}

/// Around a hole and in an L patches are convex, and few.
#[test]
fn holes_and_inner_corners_are_left_out() {
    let whole = sheet([9; 2], |x, z| [x * METRE, 0, z * METRE]);
    let without = |is_left_out: &dyn Fn(i64, i64) -> bool| {
        let cells = (0..81).filter(|cell| !is_left_out(cell % 9, cell / 9));
        let triangles: Vec<[u32; 3]> =
            cells.flat_map(|cell| [0, 1].map(|half| whole.1[2 * cell as usize + half])).collect();
        patches_of(&mesh_of(&whole.0, &triangles)).len()
    };
    assert_eq!(without(&|_, _| false), 1);
    let counts = [without(&|x, z| x == 4 && z == 4), without(&|x, z| x > 5 && z > 3)];
    assert!(counts[0] <= 9 && counts[1] <= 4, "{counts:?}");
}

/// A disc of so many corners around its middle is one patch if half of it is one on the way there, and it may have as many sides.
#[test]
fn a_patch_has_so_many_sides_at_most() {
    for (corners, most) in [(4, 1), (8, 1), (12, 1), (16, 1), (5, 3), (17, 3), (30, 4), (64, 6)] {
        let place = |number: u32| {
            let (sine, cosine) = (f64::from(number) * std::f64::consts::TAU / f64::from(corners)).sin_cos();
            [cosine, 0.0, -sine].map(|part| (part * METRE as f64).round() as i64)
        };
        let points: Vec<GridPoint> = [[0; 3]].into_iter().chain((0..corners).map(place)).collect();
        let triangles: Vec<[u32; 3]> = (0..corners).map(|number| [0, 1 + number, 1 + (number + 1) % corners]).collect();
        let found = patches_of(&mesh_of(&points, &triangles)).len();
        assert!(found <= most, "{corners} corners: {found} patches");
    }
}

/// A sheet with a front on both sides is a patch from each, and a wall on it divides neither.
#[test]
fn both_sides_of_a_sheet_are_patches() {
    let (mut points, mut triangles) = sheet([6; 2], |x, z| [x * METRE, 0, z * METRE]);
    let back: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    triangles.extend(back);
    assert_eq!(patches_of(&mesh_of(&points, &triangles)).len(), 2);
    let apex = points.len() as u32;
    points.push([3 * METRE, METRE, 3 * METRE]);
    triangles.extend([[apex, 24, 25], [apex, 25, 24]]);
    assert_eq!(patches_of(&mesh_of(&points, &triangles)).len(), 4);
}

/// What is far from the middle of a patch is known less exactly, so there is an end to that: a plane of 64 m by 32 m is eight patches.
#[test]
fn a_patch_spans_no_more_than_some_metres() {
    let (points, triangles) = sheet([64, 32], |x, z| [x << 20, 0, z << 20]);
    let mesh = ExactMesh::new(&points, &triangles, -20).expect("a mesh").0;
    let found = patches_of(&mesh);
    let sizes = found.iter().map(|patch| patch.triangles().len());
    let mut counts = BTreeMap::new();
    sizes.for_each(|size| *counts.entry(size).or_insert(0) += 1);
    assert_eq!(counts, BTreeMap::from([(2 * 16 * 16, 8)]));
    // A triangle that is larger by itself stays.
    let large = ExactMesh::new(&[[0, 0, 0], [0, 0, 64], [64, 0, 0], [64, 0, 64]], &[[0, 1, 2], [2, 1, 3]], 0);
    assert_eq!(patches_of(&large.expect("a mesh").0).len(), 2);
}

/// Where the surface goes on along one half of a straight side and falls away along the other, the side would be two things at once.
#[test]
fn a_side_is_one_thing_from_end_to_end() {
    let (mut points, mut triangles) = sheet([2, 2], |x, z| [x * METRE, 0, z * METRE]);
    assert_eq!(patches_of(&mesh_of(&points, &triangles)).len(), 1);
    // Beyond x = 2 m a slope rises beside the first row: its cell there and that of the second row stay two.
    let apex = points.len() as u32;
    points.push([3 * METRE, METRE, METRE / 2]);
    triangles.push([2, 5, apex]);
    let found = patches_of(&mesh_of(&points, &triangles));
    let place_of = |triangle: u32| found.iter().position(|patch| patch.triangles().contains(&triangle));
    assert_eq!((place_of(2), place_of(6)), (place_of(3), place_of(7)));
    assert_ne!(place_of(2), place_of(6));
    assert!(found.len() <= 4, "{}", found.len());
}

/// No way from inside a cube leads out between its pieces, whose sides and planes are a little off where it is turned: neither to corners of
/// its triangles nor elsewhere.
#[test]
fn no_way_leads_out_between_patches() {
    fn check<S: Scalar>(cells: i64, turn: impl Fn([f64; 3]) -> [f64; 3]) {
        let mesh = Mesh::<S>::new(Arc::new(cube(cells, turn)));
        let mut random = SplitMix64::new(11);
        let mut anywhere =
            || Vec3::from_array([(); 3].map(|()| S::from_ratio(random.between(-4096.0, 4096.0) as i64, 1024)));
        let elsewhere: Vec<Vec3<S>> = (0..300).map(|_| anywhere()).collect();
        // Those at edges of the cube, 1.41 m away or more, are where two faces end: to the last digit none of them may.
        let within = mesh.corners().iter().filter(|corner| corner.length() < S::from_ratio(7, 5));
        let corners = within.map(|&corner| corner + corner);
        let outside = |place: &Vec3<S>| place.length() > S::TWO; // the corners of the cube are sqrt(3) m away
        for place in corners.chain(elsewhere).filter(outside) {
            let [inwards, outwards] = mesh.crossings(Vec3::ZERO, place);
            assert!(inwards == 0 && outwards > 0, "{}, {cells} cells: {place:?}", S::KIND);
        }
    }
    for cells in [1, 5, 9] {
        check::<Fixed>(cells, aslant);
        check::<f32>(cells, aslant);
        check::<f64>(cells, aslant);
        check::<f64>(cells, |point| point);
    }
}

/// Around a hole a sheet is several patches, with corners of the one on sides of the other: where it is turned these corners lie a little
/// beside those sides, and no way leads through there either.
#[test]
fn no_way_leads_through_where_patches_meet() {
    fn check<S: Scalar>() {
        let turned = |x: i64, z: i64| {
            let place = [x, 0, z].map(|part| part as f64 / 7.0 - if part == 0 { 0.0 } else { 0.01 });
            aslant(place).map(|part| (part * METRE as f64).round() as i64)
        };
        let (points, triangles) = sheet([9; 2], turned);
        let cells = triangles.chunks(2).enumerate().filter(|(cell, _)| *cell != 40);
        let triangles: Vec<[u32; 3]> = cells.flat_map(|(_, halves)| halves.to_vec()).collect();
        let exact = mesh_of(&points, &triangles);
        assert!(patches_of(&exact).len() > 4);
        let sides = exact.sides();
        let is_at_rim = |number: u32| {
            let mut own = exact.triangles().iter().zip(&sides).filter(|(corners, _)| corners.contains(&number));
            own.any(|(corners, beyond)| {
                (0..3).any(|place| {
                    beyond[place] == Beyond::Nothing && (corners[place] == number || corners[(place + 1) % 3] == number)
                })
            })
        };
        let inner: Vec<u32> = (0..exact.corners().len() as u32).filter(|&number| !is_at_rim(number)).collect();
        assert_eq!(inner.len(), 8 * 8 - 4);
        let mesh = Mesh::<S>::new(Arc::new(exact));
        let normal = mesh.normal_of_triangle(0);
        for number in inner {
            let place = mesh.corners()[number as usize];
            let [inwards, outwards] = mesh.crossings(place + normal, place - normal);
            assert!(inwards > 0 && outwards == 0, "{}: {place:?}", S::KIND);
        }
    }
    check::<Fixed>();
    check::<f32>();
    check::<f64>();
}
