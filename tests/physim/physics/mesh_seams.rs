//! Surfaces that go on where triangles do not share corners: from mesh to mesh, from a mesh to a box, and over corners on a side.

use physim::math::Scalar;

use crate::physics::meshes::{closed_cuboid, go_as_over_a_plane, mesh, sheet};
use crate::physics::support::{Run, assert_near};

on_every_scalar!(
    meshes_side_by_side_are_one_plane,
    a_mesh_beside_boxes_and_hulls_is_one_plane,
    a_hidden_wall_kicks_nothing_up,
    corners_on_sides_are_not_felt,
    what_comes_down_where_tiles_meet_stays_above,
    a_hollow_box_of_thin_plates_lies_on_its_floor,
    kinks_between_bodies_turn_what_slides_and_stop_nothing,
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
    let body = |number: usize, shape: String| {
        let (key, x) = (if shape.starts_with('[') { "colliders" } else { "shape" }, 5.0 * number as f64 - 10.0);
        format!("(name: \"ground_{number}\", kind: Static, position: Origin({x}, 0, 0), {key}: {shape})")
    };
    // The wall of a closed mesh ends at its top, and is hidden by what it stands against.
    let closed = at_height_0(closed_cuboid([2.5, 0.5, 4.0]));
    for [second, fourth] in [[chunk(), chunk()], [closed.clone(), closed]] {
        let shapes = [block.clone(), second, hull.clone(), fourth, block.clone()];
        let parts: Vec<_> = shapes.into_iter().enumerate().map(|(number, shape)| body(number, shape)).collect();
        go_as_over_a_plane::<S>(&parts.join(", "), "");
        go_as_over_a_plane::<S>(&parts.join(", "), "continuous: Off,");
    }
}

/// Balls and capsules of some sizes that slide without friction at up to 16 m/s from a block, a hull or an open mesh onto a closed mesh that goes
/// on at its height keep their way. (Small fast ones were kicked up by the edge of its wall, to 27 mm.)
fn a_hidden_wall_kicks_nothing_up<S: Scalar>() {
    let before = ["Cuboid(half_extents: (1, 0.3, 1))".to_owned(), closed_cuboid([1.0, 0.3, 1.0])];
    for (shape, speed) in before.iter().flat_map(|shape| [2.0, 8.0, 16.0].map(|speed| (shape, speed))) {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 0)}}, bodies: [
                (name: \"before\", kind: Static, position: Origin(-1, -0.3, 0), shape: {shape}),
                (name: \"behind\", kind: Static, position: Origin(1, -0.3, 0), shape: {}),
                (name: \"small\", position: Origin(-0.9, 0.05, 0.03), shape: Sphere(radius: 0.05), linear_velocity: ({speed}, 0, 0)),
                (name: \"large\", position: Origin(-0.9, 0.2, 0.6), shape: Sphere(radius: 0.2), linear_velocity: ({speed}, 0, 0)),
                (name: \"bar\", position: Origin(-0.9, 0.04, -0.5), orientation: AxisDegrees(axis: (1, 0, 0), degrees: 90),
                    shape: Capsule(half_height: 0.2, radius: 0.04), linear_velocity: ({speed}, 0, 0)),
            ]",
            closed_cuboid([1.0, 0.3, 1.0])
        ));
        while run.position("small").x < 0.7 {
            run.step();
            for name in ["small", "large", "bar"] {
                let velocity = run.velocity(name);
                assert!(velocity.y.abs() < 0.02, "{name} at {speed} m/s moves with {velocity:?}: {shape}");
                assert_near(&format!("speed of the {name}"), velocity.x, speed, 1e-3 * speed);
            }
        }
    }
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

/// Where four tiles or two fields meet, each has an edge there that the others hide, and all the same they hold up what comes down.
fn what_comes_down_where_tiles_meet_stays_above<S: Scalar>() {
    let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
    let tiles = |shape: &str, y: f64| {
        let body = |(number, (x, z)): (usize, &(f64, f64))| {
            format!("(name: \"tile_{number}\", kind: Static, position: Origin({x}, {y}, {z}), shape: {shape})")
        };
        corners.iter().enumerate().map(body).collect::<Vec<_>>().join(", ")
    };
    let field = "HeightField(heights: [[0, 0], [0, 0]], spacing: (1, 1))";
    for (what, ground) in [
        ("thick tiles", tiles("Cuboid(half_extents: (0.5, 0.5, 0.5))", -0.5)),
        ("thin tiles", tiles("Cuboid(half_extents: (0.5, 0.005, 0.5))", -0.005)),
        ("fields", tiles(field, 0.0)),
    ] {
        for (x, z) in [(0.0, 0.0), (0.0, 0.2), (1e-4, 1e-5)] {
            for (shape, low) in [("Sphere(radius: 0.1)", 0.1), ("Capsule(half_height: 0.2, radius: 0.05)", 0.05)] {
                let mut run = Run::<S>::of(&format!(
                    "bodies: [{ground}, (name: \"thing\", position: Origin({x}, 0.5, {z}), shape: {shape})]"
                ));
                run.steps(90);
                let place = run.position("thing");
                assert!(place.y > low - 1e-3, "{shape} at {x}, {z} of {what} is at {place:?}");
            }
        }
    }
}

/// A box of 1 m of six plates of 1 mm that lie flush, dropped on a corner: the faces of the plates go on in each other, and its edges are felt.
fn a_hollow_box_of_thin_plates_lies_on_its_floor<S: Scalar>() {
    let plate = |half: [f64; 3], at: [f64; 3]| {
        let [half, at] = [half, at].map(|vector| format!("{vector:?}").replace('[', "(").replace(']', ")"));
        format!("(shape: Cuboid(half_extents: {half}), offset: {at})")
    };
    let (thin, inner) = (0.0005, 0.4995);
    let plates = [-inner, inner].into_iter().flat_map(|side| {
        [
            plate([0.5, thin, 0.5], [0.0, side, 0.0]),
            plate([thin, 0.499, 0.5], [side, 0.0, 0.0]),
            plate([0.499, 0.499, thin], [0.0, 0.0, side]),
        ]
    });
    let mut run = Run::<S>::of(&format!(
        "bodies: [(name: \"floor\", kind: Static, position: Origin(0, -1, 0), shape: Cuboid(half_extents: (5, 1, 5))),
            (name: \"box\", position: Origin(0, 1, 0), orientation: AxisDegrees(axis: (1, 0.2, 0.7), degrees: 50), colliders: [{}])]",
        plates.collect::<Vec<_>>().join(", ")
    ));
    run.steps(150);
    let place = run.position("box");
    assert!(place.y > 0.49, "it is at {place:?}");
}

/// Two plates of 4 m that meet at x = 0 under some degrees each: what slides over goes on at most of its speed, `g sin` and friction off.
fn kinks_between_bodies_turn_what_slides_and_stop_nothing<S: Scalar>() {
    for (first, second) in [(0.0, 0.25), (0.1, -0.1), (5.0, 6.0), (0.0, 3.0)] {
        let side = |name: &str, degrees: f64, way: f64| {
            let rise = (degrees.to_radians()).tan() * 2.0 * way;
            let (x, y) = (way * 2.0, rise);
            let mesh = mesh(
                &[[-2.0, -rise * way], [2.0, rise * way]]
                    .iter()
                    .flat_map(|[x, y]| [-1, 1].map(|z| format!("({x}, {y:.9}, {z})")))
                    .collect::<Vec<_>>(),
                &["(0, 1, 2)".to_owned(), "(2, 1, 3)".to_owned()],
            );
            format!("(name: \"{name}\", kind: Static, position: Origin({x}, {y:.9}, 0), shape: {mesh})")
        };
        for shape in ["Cuboid(half_extents: (0.2, 0.1, 0.2))", "Cylinder(half_height: 0.1, radius: 0.2)"] {
            let mut run = Run::<S>::of(&format!(
                "materials: {{\"default\": (friction: 0.05)}}, bodies: [{}, {},
                    (name: \"slider\", position: Origin(-1.5, {:.9}, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: {first}),
                        linear_velocity: (3, 0, 0), shape: {shape})]",
                side("before", first, -1.0),
                side("behind", second, 1.0),
                -1.5 * f64::tan(first.to_radians()) + 0.1 / f64::cos(first.to_radians()) + 1e-4,
            ));
            run.steps(50);
            let place = run.position("slider");
            assert!(place.x > 0.3, "{shape} over {first} and {second} degrees is at {place:?}");
        }
    }
}
