//! Meshes and height fields: surfaces of triangles that are felt where they are sharp, and nowhere else.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, wide};

on_every_scalar!(
    sheet_of_a_thousand_triangles_is_a_plane,
    sheet_with_flaws_is_a_plane,
    cube_of_twelve_triangles_is_a_cuboid,
    nothing_fast_goes_through_small_triangles,
    ball_rests_in_a_valley_on_both_slopes,
    what_comes_from_behind_passes_and_gains_nothing,
    height_field_slides_as_its_slope_says,
    led_mesh_carries_what_stands_on_it,
    led_mesh_at_speed_strikes_what_is_in_its_way,
    coin_that_slaps_down_stays_on_small_triangles,
    facet_hidden_under_a_level_floor_is_not_felt,
);

/// `columns` by `rows` rectangles of so many metres about the origin, each cut in two, now along the one diagonal, now along the other.
pub(super) fn sheet([columns, rows]: [usize; 2], [width, depth]: [f64; 2]) -> (Vec<String>, Vec<String>) {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for row in 0..=rows {
        for column in 0..=columns {
            let place = |number: usize, count: usize, step: f64| (number as f64 - count as f64 / 2.0) * step;
            points.push(format!("({:.3}, 0, {:.3})", place(column, columns, width), place(row, rows, depth)));
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let (a, b) = (row * (columns + 1) + column, (row + 1) * (columns + 1) + column);
            let (c, d) = (a + 1, b + 1);
            triangles.extend(match (row + column) % 2 {
                0 => [format!("({a}, {b}, {c})"), format!("({c}, {b}, {d})")],
                _ => [format!("({a}, {b}, {d})"), format!("({a}, {d}, {c})")],
            });
        }
    }
    (points, triangles)
}

pub(super) fn mesh(points: &[String], triangles: &[String]) -> String {
    format!("Mesh(points: [{}], triangles: [{}])", points.join(", "), triangles.join(", "))
}

/// A body that nothing moves.
fn ground(shape: &str) -> String {
    format!("(name: \"ground\", kind: Static, shape: {shape})")
}

/// Three things on bodies that make a ground at height 0: a ball and a capsule that roll, a box that slides.
fn things_on(ground: &str, settings: &str) -> String {
    format!(
        "{settings}
        materials: {{\"default\": (friction: 0.2)}},
        bodies: [
            {ground},
            (name: \"ball\", shape: Sphere(radius: 0.25), position: Origin(-9, 0.25, 0.13),
                linear_velocity: (4, 0, 0.3), angular_velocity: (1.2, 0, -16)),
            (name: \"box\", shape: Cuboid(half_extents: (0.3, 0.2, 0.25)), position: Origin(-9, 0.2, 2.07),
                linear_velocity: (6, 0, 0.2)),
            (name: \"capsule\", shape: Capsule(half_height: 0.4, radius: 0.2), position: Origin(-9, 0.2, -2.31),
                orientation: AxisDegrees(axis: (1, 0, 0), degrees: 90),
                linear_velocity: (4, 0, 0), angular_velocity: (0, 0, -20)),
        ]"
    )
}

/// Runs things over bodies with meshes and over a plane: they go the same way, and stay down.
pub(super) fn go_as_over_a_plane<S: Scalar>(bodies: &str, settings: &str) {
    let mut over_mesh = Run::<S>::of(&things_on(bodies, settings));
    let mut over_plane = Run::<S>::of(&things_on(&ground("HalfSpace(normal: (0, 1, 0))"), settings));
    let heights = [("ball", 0.25), ("box", 0.2), ("capsule", 0.2)];
    for _ in 0..200 {
        over_mesh.step();
        over_plane.step();
        for (name, height) in heights {
            // Nothing catches: a bump of 1 mm at these speeds would throw it up by centimetres.
            assert_near(&format!("height of the {name}"), over_mesh.position(name).y, height, 5e-4);
        }
    }
    for (name, _) in heights {
        let (is, should_be) = (over_mesh.position(name), over_plane.position(name));
        assert_near(&format!("{name} along x"), is.x, should_be.x, 2e-3);
        assert_near(&format!("{name} along z"), is.z, should_be.z, 5e-3);
    }
}

/// 50 by 10 rectangles of half a metre by 80 cm.
fn sheet_of_a_thousand_triangles_is_a_plane<S: Scalar>() {
    let (points, triangles) = sheet([50, 10], [0.5, 0.8]);
    assert_eq!(triangles.len(), 1000);
    go_as_over_a_plane::<S>(&ground(&mesh(&points, &triangles)), "");
    go_as_over_a_plane::<S>(&ground(&mesh(&points, &triangles)), "continuous: Off,");
}

/// The same with each triangle there twice, every third one once more from behind, triangles without an area between them, and points of
/// their own for every triangle.
fn sheet_with_flaws_is_a_plane<S: Scalar>() {
    let (points, triangles) = sheet([50, 10], [0.5, 0.8]);
    let mut flawed = (Vec::new(), Vec::new());
    for (number, triangle) in triangles.iter().enumerate() {
        let corners: Vec<usize> =
            triangle.trim_matches(['(', ')']).split(", ").map(|corner| corner.parse().expect("a number")).collect();
        let first = flawed.0.len();
        flawed.0.extend(corners.iter().map(|&corner| points[corner].clone()));
        let (a, b, c) = (first, first + 1, first + 2);
        flawed.1.extend([format!("({a}, {b}, {c})"), format!("({b}, {c}, {a})"), format!("({a}, {a}, {c})")]);
        if number.is_multiple_of(3) {
            flawed.1.push(format!("({a}, {c}, {b})"));
        }
    }
    go_as_over_a_plane::<S>(&ground(&mesh(&flawed.0, &flawed.1)), "");
}

/// A cuboid of these half extents, as triangles seen from outside.
pub(super) fn closed_cuboid(half_extents: [f64; 3]) -> String {
    let points: Vec<String> = (0..8)
        .map(|corner| {
            [0, 1, 2].map(|axis| if corner & (1 << axis) == 0 { -half_extents[axis] } else { half_extents[axis] })
        })
        .map(|[x, y, z]| format!("({x}, {y}, {z})"))
        .collect();
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let halves = faces.iter().flat_map(|&[a, b, c, d]| [format!("({a}, {b}, {c})"), format!("({a}, {c}, {d})")]);
    mesh(&points, &halves.collect::<Vec<_>>())
}

/// A ball that is dropped beside the middle of a cube's edge rolls over it and falls, a box lies on its top, a plank tips over its edge, and
/// a ball bounces off its side: all as with a cuboid.
fn cube_of_twelve_triangles_is_a_cuboid<S: Scalar>() {
    let scene = |shape: &str| {
        format!(
            "materials: {{\"default\": (friction: 0.5)}},
            bodies: [
                (name: \"cube\", kind: Static, shape: {shape}),
                (name: \"edge\", shape: Sphere(radius: 0.2), position: Origin(1.05, 1.3, 0.3)),
                (name: \"flat\", shape: Cuboid(half_extents: (0.2, 0.1, 0.3)), position: Origin(-0.4, 1.15, 0.1)),
                (name: \"plank\", shape: Cuboid(half_extents: (0.3, 0.05, 0.1)), position: Origin(1.08, 1.06, -0.5)),
                (name: \"side\", shape: Sphere(radius: 0.2), position: Origin(-2, 0.2, 0.3), linear_velocity: (3, 1, 0)),
            ]"
        )
    };
    let (mut on_mesh, mut on_cuboid) =
        (Run::<S>::of(&scene(&closed_cuboid([1.0; 3]))), Run::<S>::of(&scene("Cuboid(half_extents: (1, 1, 1))")));
    for (count, bound) in [(20, 0.01), (25, 0.03)] {
        on_mesh.steps(count);
        on_cuboid.steps(count);
        for name in ["edge", "flat", "plank", "side"] {
            let apart = (on_mesh.position(name) - on_cuboid.position(name)).length();
            assert!(apart <= bound, "{name} is {apart} m from where it would be on a cuboid");
        }
    }
    assert!(on_mesh.position("plank").y < 1.0 && on_mesh.position("edge").x > 1.2, "both have left the top");
}

/// Balls of 5 cm at 100 m/s, aslant onto triangles of 10 cm: none goes through, whichever triangle it comes over first.
fn nothing_fast_goes_through_small_triangles<S: Scalar>() {
    let (points, triangles) = sheet([40, 40], [0.1, 0.1]);
    let balls: String = (0..5)
        .map(|number| {
            let (x, z) = (-1.93 + 0.037 * f64::from(number), -1.1 + 0.431 * f64::from(number));
            format!(
                "(name: \"ball {number}\", shape: Sphere(radius: 0.05), position: Origin({x:.3}, 0.8, {z:.3}),
                linear_velocity: (80, -60, 0), gravity_scale: 0),"
            )
        })
        .collect();
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (friction: 0)}}, bodies: [(name: \"ground\", kind: Static, shape: {}), {balls}]",
        mesh(&points, &triangles)
    ));
    for _ in 0..2 {
        run.step();
        for number in 0..5 {
            let name = format!("ball {number}");
            assert!(run.position(&name).y > 0.0, "{name} is at {:?}", run.position(&name));
        }
    }
    assert!((0..5).all(|number| run.velocity(&format!("ball {number}")).y > -1.0), "all have struck");
}

/// Two slopes of 45 degrees meet below a ball of 1 m: its centre rests at sqrt(2) above their line, and each bears `m g / sqrt(2)`.
fn ball_rests_in_a_valley_on_both_slopes<S: Scalar>() {
    let points = ["(-3, 3, -3)", "(-3, 3, 3)", "(0, 0, -3)", "(0, 0, 3)", "(3, 3, -3)", "(3, 3, 3)"].map(str::to_owned);
    let triangles = ["(0, 1, 2)", "(2, 1, 3)", "(2, 3, 4)", "(4, 3, 5)"].map(str::to_owned);
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"valley\", kind: Static, shape: {}),
            (name: \"ball\", shape: Sphere(radius: 1), position: Origin(0.2, 1.8, 0.4), angular_damping: 2),
        ]",
        mesh(&points, &triangles)
    ));
    run.steps(600);
    let place = run.position("ball");
    assert_near("height", place.y, 2.0_f64.sqrt(), 1e-3);
    assert_near("off the middle", place.x, 0.0, 1e-3);
    assert!(run.velocity("ball").length() < 1e-3, "it rests");
}

/// A ball thrown up through a sheet that looks up is not stopped, and comes down on it: at no time has it more energy than at first.
fn what_comes_from_behind_passes_and_gains_nothing<S: Scalar>() {
    let (points, triangles) = sheet([4, 4], [1.0, 1.0]);
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"sheet\", kind: Static, shape: {}),
            (name: \"ball\", shape: Sphere(radius: 0.2), position: Origin(0.3, -1, 0.2), linear_velocity: (0, 6, 0)),
        ]",
        mesh(&points, &triangles)
    ));
    let first = run.energy().total();
    let mut highest = f64::MIN;
    for _ in 0..180 {
        run.step();
        highest = highest.max(run.position("ball").y);
        assert!(run.energy().total() <= first + 1e-3 * first.abs(), "{} J of {first} J", run.energy().total());
    }
    // 6^2 / (2 g) above where it was thrown from.
    assert_near("highest", highest, -1.0 + 36.0 / (2.0 * 9.81), 0.06);
    assert_near("at rest on the front", run.position("ball").y, 0.2, 1e-3);
}

/// A field that falls by 3 m on every 4: a box with friction 0.5 slides down it with `g (3 - 0.5 x 4) / 5`.
fn height_field_slides_as_its_slope_says<S: Scalar>() {
    let row: Vec<String> = (0..25).map(|column| format!("{:.3}", -0.75 * f64::from(column) * 0.5)).collect();
    let rows = vec![format!("[{}]", row.join(", ")); 5].join(", ");
    // The box lies 0.2 m along the normal (3, 4)/5 above the point of the slope at x = -4, where the height is -1.5 m.
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (friction: 0.5)}},
        bodies: [
            (name: \"slope\", kind: Static, shape: HeightField(heights: [{rows}], spacing: (0.5, 0.5))),
            (name: \"box\", shape: Cuboid(half_extents: (0.3, 0.2, 0.25)), position: Origin(-3.88, -1.34, 0.1),
                orientation: AxisDegrees(axis: (0, 0, 1), degrees: -36.8698976)),
        ]"
    ));
    run.steps(60);
    let along = Vec3::new(0.8, -0.6, 0.0);
    let moved = (run.position("box") - Vec3::new(-3.88, -1.34, 0.1)).dot(along);
    assert_near("way", moved, 0.5 * 9.81 * 0.2, 0.01);
    assert!(wide(run.body("box").angular_velocity).length() < 0.01, "it does not tumble");
}

/// A sheet that is led up at 1 m/s lifts a box that stands on it.
fn led_mesh_carries_what_stands_on_it<S: Scalar>() {
    let (points, triangles) = sheet([4, 4], [0.5, 0.5]);
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"lift\", kind: Kinematic, shape: {}, linear_velocity: (0, 1, 0)),
            (name: \"box\", shape: Cuboid(half_extents: (0.3, 0.2, 0.25)), position: Origin(0.1, 0.2, 0.1)),
        ]",
        mesh(&points, &triangles)
    ));
    run.steps(60);
    assert_near("height", run.position("box").y, 1.2, 2e-3);
    assert_near("speed", run.velocity("box").y, 1.0, 1e-2);
}

/// A sheet of triangles of 10 cm comes up at 30 m/s, half a metre a step, and another one is swung about its far end: balls that float before
/// them are struck, not passed.
fn led_mesh_at_speed_strikes_what_is_in_its_way<S: Scalar>() {
    let (points, triangles) = sheet([10, 10], [0.1, 0.1]);
    let sheet = mesh(&points, &triangles);
    let mut run = Run::<S>::of(&format!(
        "gravity: (0, 0, 0),
        materials: {{\"default\": (friction: 0)}},
        bodies: [
            (name: \"lift\", kind: Kinematic, shape: {sheet}, linear_velocity: (0, 30, 0)),
            (name: \"lifted\", shape: Sphere(radius: 0.1), position: Origin(0.03, 0.35, 0.04)),
            (name: \"bat\", kind: Kinematic, colliders: [(shape: {sheet}, offset: (1, 0, 0))], position: Origin(5, 0, 0),
                angular_velocity: (0, 0, 20)),
            (name: \"batted\", shape: Sphere(radius: 0.1), position: Origin(6.2, 0.3, 0.04)),
        ]"
    ));
    run.steps(2);
    // Without restitution they have the speed of what struck them, and lie on it.
    assert_near("speed of the lifted", run.velocity("lifted").y, 30.0, 0.01);
    assert_near("above the lift", run.position("lifted").y - run.position("lift").y, 0.1, 1e-3);
    let (arm, angle) = (run.position("batted") - run.position("bat"), 2.0 / 3.0_f64); // 20 rad/s for 2 steps
    let above = arm.dot(Vec3::new(-angle.sin(), angle.cos(), 0.0));
    assert!(above > 0.099, "the batted ball is {above} m above the bat");
    assert!(run.velocity("batted").length() > 20.0, "it was struck");
}

/// A coin of 2.5 cm by 2 mm, let go aslant from 0.5 m over cells of 30 cm, touches with its rim, spins, and slaps down on another triangle
/// than the one that it touched first: it comes to rest on them, 1 mm above.
fn coin_that_slaps_down_stays_on_small_triangles<S: Scalar>() {
    let row = "[0, 0, 0, 0, 0]";
    let mut run = Run::<S>::of(&format!(
        "bodies: [
            (name: \"ground\", kind: Static,
                shape: HeightField(heights: [{row}, {row}, {row}, {row}, {row}], spacing: (0.3, 0.3))),
            (name: \"coin\", shape: Cylinder(half_height: 0.001, radius: 0.0125), position: CentreOfMass(0.4, 0.5, -0.09),
                orientation: AxisDegrees(axis: (1, 0, 0.3), degrees: 45)),
        ]"
    ));
    run.steps(120);
    assert_near("height", run.position("coin").y, 0.001, 2e-4);
}

/// A wall that stands under the middle of a level floor and looks towards what slides over it at 1 m/s: all pass, none slower.
fn facet_hidden_under_a_level_floor_is_not_felt<S: Scalar>() {
    for shape in [
        "Cuboid(half_extents: (0.2, 0.2, 0.2))",
        "Cylinder(half_height: 0.2, radius: 0.2)",
        "Cone(half_height: 0.4, radius: 0.2)",
        "Sphere(radius: 0.2)",
    ] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 0)}},
            bodies: [
                (name: \"floor\", kind: Static, shape: Mesh(
                    points: [(-2, 0, -2), (-2, 0, 2), (0, 0, -2), (0, 0, 2), (2, 0, -2), (2, 0, 2), (0, -1, -2), (0, -1, 2)],
                    triangles: [(0, 1, 2), (2, 1, 3), (2, 3, 4), (4, 3, 5), (2, 6, 3), (3, 6, 7)])),
                (name: \"thing\", position: Origin(-1, 0.2, 0.1), linear_velocity: (1, 0, 0), shape: {shape}),
            ]"
        ));
        run.steps(120);
        assert_near(&format!("{shape} along x"), run.position("thing").x, 1.0, 0.01);
        assert_near(&format!("{shape} up"), run.position("thing").y, 0.2, 1e-3);
    }
}
