//! Ridges of meshes, from above and from behind: what points at one is held, and what has facets on both sides is pushed by one only.

use physim::math::Scalar;

use crate::physics::meshes::mesh;
use crate::physics::support::Run;

on_every_scalar!(
    what_points_at_a_ridge_is_held,
    what_lies_on_a_ridge_is_held_whatever_is_beyond_the_ends_of_its_facets,
    a_dish_of_sheet_metal_lies_on_a_wide_slab_as_on_a_plane,
);

/// A roof along x whose sides fall away by so much on each metre.
fn roof(slope: f64) -> String {
    let eaves = -4.0 * slope;
    let rows = [(eaves, -4), (0.0, 0), (eaves, 4)];
    let points = rows.map(|(height, z)| [-4, 4].map(|x| format!("({x}, {height}, {z})")));
    let triangles = ["(0, 2, 1)", "(1, 2, 3)", "(2, 4, 3)", "(3, 4, 5)"].map(str::to_owned);
    mesh(points.as_flattened(), &triangles)
}

/// Tips of three shapes fall on the ridge of a roof at 3 m/s, at it or a little beside. A facet has no thickness, so what points at the
/// ridge leaves each of the two sideways, and none of them was the one to push.
fn what_points_at_a_ridge_is_held<S: Scalar>() {
    let octahedron =
        "Hull(points: [(0.05, 0, 0), (-0.05, 0, 0), (0, 0.05, 0), (0, -0.05, 0), (0, 0, 0.05), (0, 0, -0.05)])";
    let shapes = [
        (octahedron, "axis: (0, 0, 1), degrees: 7"),
        ("Cuboid(half_extents: (0.05, 0.05, 0.05))", "axis: (1, 0, -1), degrees: 54.7356"),
        ("Cone(half_height: 0.02, radius: 0.03)", "axis: (0, 0, 1), degrees: 170"),
    ];
    let offsets = [0.0, 0.0001, -0.0002, 0.0003];
    for slope in [0.002, 0.01, 0.2, 0.5] {
        let places = shapes.iter().flat_map(|shape| offsets.map(|offset| (shape, offset)));
        let bodies: Vec<_> = (0..)
            .zip(places)
            .map(|(number, ((shape, turn), offset))| {
                let x = f64::from(number) * 0.2 - 1.4;
                format!(
                    "(name: \"tip {number}\", shape: {shape}, position: Origin({x:.1}, 0.2, {offset}),
                        orientation: AxisDegrees({turn}), linear_velocity: (0, -3, 0), filter: (group: -1))"
                )
            })
            .collect();
        let mut run = Run::<S>::of(&format!(
            "bodies: [(name: \"roof\", kind: Static, shape: {}), {}]",
            roof(slope),
            bodies.join(", ")
        ));
        run.steps(40);
        for number in 0..bodies.len() {
            let place = run.position(&format!("tip {number}"));
            let height = place.y + slope * place.z.abs();
            assert!(height > 0.0, "{}: tip {number} is {height} m above a roof of slope {slope}", S::KIND);
        }
    }
}

/// A level crest of 4 m between two flat sides, the facets of which have an obtuse corner at one end of it: a direction that leads out over
/// the crest leads out over the next side as well, beyond which the surface goes on, falls away by less, or rises, by the height of the far
/// point. Balls, a capsule and a cylinder lie on the crest, a metre from that corner.
fn what_lies_on_a_ridge_is_held_whatever_is_beyond_the_ends_of_its_facets<S: Scalar>() {
    let shapes = [
        ("Sphere(radius: 2)", 2.0),
        ("Sphere(radius: 0.5)", 0.5),
        ("Capsule(half_height: 0.5, radius: 0.5)", 1.0),
        ("Cylinder(half_height: 0.5, radius: 0.5)", 0.5),
    ];
    for far in [0.0, 0.1, 0.14, 0.15, 0.16, -0.5] {
        let points = ["(0, 0.15, 0)", "(4, 0.15, 0)", "(-2, 0, 1.5)", "(-2, 0, -1.5)"].map(str::to_owned);
        let points: Vec<String> = points.into_iter().chain([format!("(-4, {far}, 0)")]).collect();
        let triangles = ["(0, 2, 1)", "(0, 1, 3)", "(0, 4, 2)", "(0, 3, 4)"].map(str::to_owned);
        for (shape, height) in shapes {
            let mut run = Run::<S>::of(&format!(
                "bodies: [(name: \"ground\", kind: Static, shape: {}),
                    (name: \"it\", position: Origin(1, {}, 0), shape: {shape})]",
                mesh(&points, &triangles),
                0.151 + height,
            ));
            run.steps(15);
            let fallen = 0.15 + height - run.position("it").y;
            assert!(fallen < 2e-3, "{shape} on a crest with {far} m beyond it sinks in by {fallen} m ({})", S::KIND);
        }
    }
}

/// A dish with ten sides, every triangle from both sides, written to millimetres: so each side is creased a little.
fn dish() -> String {
    let mut points = vec!["(0, 0, 0)".to_owned()];
    for (radius, height) in [(0.22_f64, 0.0), (0.44, 0.14), (0.58, 0.44)] {
        points.extend((0..10).map(|corner| {
            let angle = f64::from(corner) * std::f64::consts::TAU / 10.0;
            format!("({:.3}, {height}, {:.3})", radius * angle.cos(), radius * angle.sin())
        }));
    }
    let mut triangles = Vec::new();
    let mut add = |[a, b, c]: [u32; 3]| triangles.extend([format!("({a}, {b}, {c})"), format!("({a}, {c}, {b})")]);
    for corner in 0..10 {
        let next = (corner + 1) % 10;
        add([0, 1 + corner, 1 + next]);
        for ring in [1, 11] {
            add([ring + corner, ring + 10 + next, ring + next]);
            add([ring + corner, ring + 10 + corner, ring + 10 + next]);
        }
    }
    mesh(&points, &triangles)
}

/// Let down tilted on a slab of 20 m, the dish rolls around its rim until it lies. Facets that look up were rammed through the slab, of which
/// much is on both sides of their planes, and those of the rim pushed from corners that were not theirs: energy came from nowhere, up to 5 %
/// in a step of what there was.
fn a_dish_of_sheet_metal_lies_on_a_wide_slab_as_on_a_plane<S: Scalar>() {
    for floor in ["HalfSpace(normal: (0, 1, 0))", "Cuboid(half_extents: (10, 0.5, 10))"] {
        let below = if floor.starts_with("Half") { 0.0 } else { -0.5 };
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"tin\": (density: 4)}}, bodies: [
                (name: \"floor\", kind: Static, position: Origin(0, {below}, 0), shape: {floor}),
                (name: \"dish\", position: Origin(0, 0.5, 0), orientation: AxisDegrees(axis: (1, 0, 0.2), degrees: 30),
                    material: \"tin\", shape: {})]",
            dish()
        ));
        let total = |run: &Run<S>| run.energy().kinetic + run.energy().potential;
        let mut before = total(&run);
        let mut rise = |run: &mut Run<S>| {
            run.step();
            let after = total(run);
            after - std::mem::replace(&mut before, after)
        };
        let highest = (0..400).map(|_| rise(&mut run)).fold(0.0, f64::max);
        assert!(highest < 0.05, "{}: {highest} J come from nowhere on {floor}", S::KIND);
        let kinetic = run.energy().kinetic;
        assert!(kinetic < 1e-6, "{}: after 400 steps it has {kinetic} J on {floor}", S::KIND);
    }
}
