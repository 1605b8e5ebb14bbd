//! Surfaces that go on where triangles do not share corners: from mesh to mesh, from a mesh to a box, and over corners on a side.

use physim::math::Scalar;

use crate::physics::meshes::{go_as_over_a_plane, mesh, sheet};

on_every_scalar!(
    meshes_side_by_side_are_one_plane,
    a_mesh_beside_boxes_and_hulls_is_one_plane,
    corners_on_sides_are_not_felt,
);

/// Bodies named by their place in the list, each with its middle at so many metres along x.
fn in_a_row(shapes: &[(f64, String)]) -> String {
    let bodies = shapes.iter().enumerate();
    let body = |(number, (x, shape)): (usize, &(f64, String))| {
        format!("(name: \"ground_{number}\", kind: Static, position: Origin({x}, 0, 0), shape: {shape})")
    };
    bodies.map(body).collect::<Vec<_>>().join(", ")
}

/// 10 by 10 rectangles of half a metre by 80 cm.
fn chunk() -> String {
    let (points, triangles) = sheet([10, 10], [0.5, 0.8]);
    mesh(&points, &triangles)
}

/// As terrain in chunks: the sides of two of them lie on each other, and belong to bodies that know nothing of each other.
fn meshes_side_by_side_are_one_plane<S: Scalar>() {
    let chunks = [-10.0, -5.0, 0.0, 5.0, 10.0].map(|x| (x, chunk()));
    go_as_over_a_plane::<S>(&in_a_row(&chunks), "");
    go_as_over_a_plane::<S>(&in_a_row(&chunks), "continuous: Off,");
    let rows = ["0, 0, 0, 0, 0, 0"; 6].join("], [");
    let field = format!("HeightField(heights: [[{rows}]], spacing: (1, 1.6))");
    go_as_over_a_plane::<S>(&in_a_row(&[-10.0, -5.0, 0.0, 5.0, 10.0].map(|x| (x, field.clone()))), "");
}

fn a_mesh_beside_boxes_and_hulls_is_one_plane<S: Scalar>() {
    let at_height_0 = |shape: String| format!("[(shape: {shape}, offset: (0, -0.5, 0))]");
    let corners: Vec<String> = (0..8)
        .map(|corner| {
            [2.5, 0.5, 4.0]
                .iter()
                .enumerate()
                .map(move |(axis, half)| if corner & (1 << axis) == 0 { -half } else { *half })
        })
        .map(|place| format!("({})", place.map(|part: f64| part.to_string()).collect::<Vec<_>>().join(", ")))
        .collect();
    let block = at_height_0("Cuboid(half_extents: (2.5, 0.5, 4))".to_owned());
    let hull = at_height_0(format!("Hull(points: [{}])", corners.join(", ")));
    let body = |(number, x, shape): (usize, f64, String)| {
        let key = if shape.starts_with('[') { "colliders" } else { "shape" };
        format!("(name: \"ground_{number}\", kind: Static, position: Origin({x}, 0, 0), {key}: {shape})")
    };
    let parts = [(0, -10.0, block.clone()), (1, -5.0, chunk()), (2, 0.0, hull), (3, 5.0, chunk()), (4, 10.0, block)];
    let bodies = parts.map(body).join(", ");
    go_as_over_a_plane::<S>(&bodies, "");
    go_as_over_a_plane::<S>(&bodies, "continuous: Off,");
}

/// Strips along z of 10, 7, 3 and 1 rectangles in turn: no corner of one is a corner of the next, but at the ends.
fn corners_on_sides_are_not_felt<S: Scalar>() {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for column in 0..25 {
        let rows = [10, 7, 3, 1][column % 4];
        let first = points.len();
        for row in 0..=rows {
            let z = 8.0 * f64::from(row) / f64::from(rows) - 4.0;
            points.extend([0, 1].map(|side| format!("({}, 0, {z:.6})", (column + side) as f64 - 12.5)));
        }
        for row in 0..rows as usize {
            let [a, c, b, d] = [0, 1, 2, 3].map(|corner| first + 2 * row + corner);
            triangles.extend([format!("({a}, {b}, {c})"), format!("({c}, {b}, {d})")]);
        }
    }
    let ground = in_a_row(&[(0.0, mesh(&points, &triangles))]);
    go_as_over_a_plane::<S>(&ground, "");
    go_as_over_a_plane::<S>(&ground, "continuous: Off,");
}
