//! What lies over the edge of a mesh: the triangles of the side below the edge are beside it, and do not push it off.

use physim::math::Scalar;

use crate::physics::meshes::{mesh, sheet};
use crate::physics::support::{Run, upright_prism};

on_every_scalar!(
    what_overhangs_a_cube_of_triangles_lies_as_on_a_cuboid,
    what_is_sunk_deeper_than_a_triangle_is_lifted_not_thrown,
    a_pin_that_is_deep_beside_a_diagonal_comes_up,
);

/// A cube of 2 m whose sides are so many cells wide, each of two triangles seen from outside.
pub(super) fn cube(cells: usize) -> String {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let first = points.len();
            let along = |number: usize| 2.0 * number as f64 / cells as f64 - 1.0;
            for (row, column) in (0..=cells).flat_map(|row| (0..=cells).map(move |column| (row, column))) {
                let mut place = [side; 3];
                place[(axis + 1) % 3] = along(row);
                place[(axis + 2) % 3] = along(column);
                points.push(format!("({:.6}, {:.6}, {:.6})", place[0], place[1], place[2]));
            }
            for (row, column) in (0..cells).flat_map(|row| (0..cells).map(move |column| (row, column))) {
                let a = first + row * (cells + 1) + column;
                let [b, c, d] = [a + cells + 1, a + cells + 2, a + 1];
                triangles.extend(if side > 0.0 {
                    [format!("({a}, {b}, {c})"), format!("({a}, {c}, {d})")]
                } else {
                    [format!("({a}, {c}, {b})"), format!("({a}, {d}, {c})")]
                });
            }
        }
    }
    mesh(&points, &triangles)
}

/// Things wider than a cube of 2 m, or beside its edge with their middle over it, with their half heights.
fn overhanging() -> Vec<(String, f64, f64)> {
    vec![
        ("Cuboid(half_extents: (1.3, 0.05, 1.2))".to_owned(), 0.05, 0.1),
        ("Cuboid(half_extents: (3, 0.2, 2))".to_owned(), 0.2, 0.3),
        ("Cuboid(half_extents: (0.19, 0.17, 0.25))".to_owned(), 0.17, 0.86),
        (upright_prism(8, 1.6, 0.1), 0.1, 0.3),
        ("Cylinder(half_height: 0.14, radius: 2.8)".to_owned(), 0.14, 0.02),
        ("Cone(half_height: 0.2, radius: 1.5)".to_owned(), 0.2, 0.1),
    ]
}

/// Cubes of one shape in a row, 20 m apart, with a thing on each, turned by 7 degrees and let go so high above the top.
fn things_on_cubes(shape: &str, drop: f64) -> String {
    let bodies: Vec<String> = overhanging()
        .iter()
        .enumerate()
        .map(|(number, (thing, half_height, x))| {
            let (middle, height) = (20.0 * number as f64, 1.0 + half_height + drop);
            format!(
                "(name: \"cube_{number}\", kind: Static, shape: {shape}, position: Origin({middle}, 0, 0)),
                (name: \"thing_{number}\", shape: {thing}, position: CentreOfMass({}, {}, 0.2),
                    orientation: AxisDegrees(axis: (0, 1, 0), degrees: 7))",
                middle + x,
                // A cone's centre of mass is a quarter of its height above its base.
                if thing.starts_with("Cone") { height - half_height / 2.0 } else { height }
            )
        })
        .collect();
    format!("materials: {{\"default\": (friction: 0.5)}}, bodies: [{}]", bodies.join(", "))
}

/// They lay quietly on a cuboid, and left the top of a mesh within seconds: a triangle of the side below that has only a corner at the top
/// took them for something a metre deep in front of it.
fn what_overhangs_a_cube_of_triangles_lies_as_on_a_cuboid<S: Scalar>() {
    for (cells, drop) in [(1, 0.0), (3, 0.01), (6, -0.001)] {
        let mut on_mesh = Run::<S>::of(&things_on_cubes(&cube(cells), drop));
        let mut on_cuboid = Run::<S>::of(&things_on_cubes("Cuboid(half_extents: (1, 1, 1))", drop));
        for _ in 0..60 {
            on_mesh.step();
            on_cuboid.step();
            for (number, (thing, ..)) in overhanging().iter().enumerate() {
                let name = format!("thing_{number}");
                let apart = (on_mesh.position(&name) - on_cuboid.position(&name)).length();
                assert!(apart <= 2e-3, "{thing} over {cells} cells is {apart} m from where it is on a cuboid");
            }
        }
    }
}

/// A block that begins 12 cm deep in a cube with cells of 10 cm leaves by the top.
fn what_is_sunk_deeper_than_a_triangle_is_lifted_not_thrown<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (friction: 0.5)}},
        bodies: [
            (name: \"cube\", kind: Static, shape: {}),
            (name: \"block\", shape: Cuboid(half_extents: (0.5, 0.3, 0.4)), position: Origin(0.71, 1.18, 0.1),
                orientation: AxisDegrees(axis: (0, 1, 0), degrees: 11)),
        ]",
        cube(20)
    ));
    run.steps(60);
    let place = run.position("block");
    assert!((place.x - 0.71).hypot(place.z - 0.1) < 0.02, "the block is at {place:?}");
    assert!((place.y - 1.3).abs() < 2e-3, "the block is {} m high", place.y);
}

/// Pins a centimetre thick that begin 8 mm deep in a floor, upright and aslant, on a diagonal and to both sides of it, come up, as over a
/// half-space: what is above the floor and deep in it is not left to the neighbours by both triangles.
fn a_pin_that_is_deep_beside_a_diagonal_comes_up<S: Scalar>() {
    let (points, triangles) = sheet([6, 6], [0.8, 0.8]);
    let pins: Vec<String> = (0..9)
        .map(|number| {
            // The diagonal of a cell goes through its middle.
            let (x, z) = (0.4 + 0.8 * f64::from(number % 3 - 1), 0.4 + 0.8 * f64::from(number / 3 - 1));
            format!(
                "(name: \"pin_{number}\", shape: Cuboid(half_extents: (0.005, 0.3, 0.005)), angular_damping: 3,
                    position: Origin({:.4}, 0.292, {z:.4}), orientation: AxisDegrees(axis: (1, 0, 0.4), degrees: {}))",
                x + 0.002 * f64::from(number % 4),
                number % 5
            )
        })
        .collect();
    let mut run = Run::<S>::of(&format!(
        "bodies: [(name: \"floor\", kind: Static, shape: {}), {}]",
        mesh(&points, &triangles),
        pins.join(", ")
    ));
    for step in 0..120 {
        run.step();
        for number in 0..9 {
            let height = run.position(&format!("pin_{number}")).y;
            assert!(height > 0.0, "pin {number} is {height} m high after {} steps", step + 1);
        }
    }
}
