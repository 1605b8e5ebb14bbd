//! Every method of the narrow phase holds things up, stops them and lets them go, as each shape's own method does.

use physim::math::Scalar;

use crate::physics::support::{Run, assert_near};

on_every_scalar!(
    a_tower_of_all_shapes_stands_by_each_method,
    a_block_slides_as_far_by_each_method,
    a_stone_falls_through_nothing_by_any_method
);

const METHODS: [&str; 3] = ["Auto", "Gjk", "Sat"];

/// A cuboid of these half extents as a hull.
fn block(half: [f64; 3]) -> String {
    let corner = |number: usize| [0, 1, 2].map(|axis| if number & (1 << axis) == 0 { -half[axis] } else { half[axis] });
    let corners: Vec<_> =
        (0..8).map(|number| format!("{:?}", corner(number)).replace('[', "(").replace(']', ")")).collect();
    format!("Hull(points: [{}])", corners.join(", "))
}

/// Cuboids, hulls, a capsule across and a cylinder, each on the one below: what stands does not move, and is where its sizes say.
fn a_tower_of_all_shapes_stands_by_each_method<S: Scalar>() {
    for method in METHODS {
        let mut run = Run::<S>::of(&format!(
            "narrow_phase: {method}, bodies: [
                (name: \"floor\", kind: Static, shape: Cuboid(half_extents: (5, 1, 5)), position: Origin(0, -1, 0)),
                (name: \"box\", position: Origin(0, 0.25, 0), shape: Cuboid(half_extents: (0.5, 0.25, 0.5))),
                (name: \"hull\", position: Origin(0, 0.75, 0), shape: {}),
                (name: \"upper_hull\", position: Origin(0, 1.25, 0), shape: {}),
                (name: \"upper_box\", position: Origin(0, 1.75, 0), shape: Cuboid(half_extents: (0.4, 0.25, 0.4))),
                (name: \"drum\", position: Origin(0, 2.25, 0), shape: Cylinder(half_height: 0.25, radius: 0.3)),
                (name: \"lid\", position: Origin(0, 2.6, 0), shape: {}),
                (name: \"ball\", position: Origin(0, 2.95, 0), shape: Sphere(radius: 0.25)),
                (name: \"pill\", position: Origin(2, 0.25, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90),
                    shape: Capsule(half_height: 0.3, radius: 0.25))]",
            block([0.5, 0.25, 0.5]),
            block([0.45, 0.25, 0.45]),
            block([0.35, 0.1, 0.35]),
        ));
        run.steps(240);
        for (body, height) in [("box", 0.25), ("upper_hull", 1.25), ("upper_box", 1.75), ("drum", 2.25), ("lid", 2.6)] {
            let place = run.position(body);
            // Six bodies on the lowest contact, each of which gives by micrometres.
            assert_near(&format!("{body} by {method}"), place.y, height, 2e-3);
            assert!(place.x.abs() < 1e-3 && place.z.abs() < 1e-3, "{body} by {method} is at {place:?}");
        }
        // It is free to roll on what rounding makes of level.
        assert_near(&format!("the ball by {method}"), run.position("ball").y, 2.95, 2e-3);
        assert_near(&format!("the pill by {method}"), run.position("pill").y, 0.25, 1e-3);
        let kinetic = run.energy().kinetic;
        assert!(kinetic < 1e-3, "by {method} {kinetic} J");
    }
}

/// `v^2 / (2 mu g)`, with the centimetre that `hulls.rs` allows.
fn a_block_slides_as_far_by_each_method<S: Scalar>() {
    for method in METHODS {
        for shape in ["Cuboid(half_extents: (0.5, 0.5, 0.5))".to_owned(), block([0.5; 3])] {
            let mut run = Run::<S>::of(&format!(
                "narrow_phase: {method}, materials: {{\"default\": (friction: 0.4)}}, bodies: [
                    (name: \"floor\", kind: Static, shape: {}, position: Origin(0, -1, 0)),
                    (name: \"block\", position: Origin(0, 0.5, 0), linear_velocity: (3, 0, 0), shape: {shape})]",
                block([10.0, 1.0, 10.0])
            ));
            run.steps(120);
            assert_near(&format!("{shape} by {method}"), run.position("block").x, 9.0 / (2.0 * 0.4 * 9.81), 0.01);
        }
    }
}

/// At 50 m/s, 83 cm a step, edge, corner and face first, onto plates of 4 cm: everything stays above them.
fn a_stone_falls_through_nothing_by_any_method<S: Scalar>() {
    let shapes = [
        block([0.2, 0.15, 0.1]),
        "Cuboid(half_extents: (0.2, 0.15, 0.1))".to_owned(),
        "Capsule(half_height: 0.2, radius: 0.1)".to_owned(),
    ];
    let plates = [block([20.0, 0.02, 20.0]), "Cuboid(half_extents: (20, 0.02, 20))".to_owned()];
    for method in METHODS {
        for (shape, plate) in shapes.iter().flat_map(|shape| plates.iter().map(move |plate| (shape, plate))) {
            for degrees in [0, 30, 45] {
                let mut run = Run::<S>::of(&format!(
                    "narrow_phase: {method}, bodies: [
                        (name: \"plate\", kind: Static, shape: {plate}),
                        (name: \"stone\", position: Origin(0, 1.5, 0), linear_velocity: (0, -50, 0), shape: {shape},
                            orientation: AxisDegrees(axis: (1, 0, 1), degrees: {degrees}))]"
                ));
                run.steps(60);
                let place = run.position("stone");
                assert!(place.y > 0.1, "{shape} turned by {degrees} on {plate} by {method} is at {place:?}");
            }
        }
    }
}
