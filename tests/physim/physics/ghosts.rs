//! What does not touch does not act, and an edge that a neighbour continues is no edge.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, bits, upright_prism};

on_every_scalar!(
    ball_that_passes_another_keeps_its_velocity,
    flush_boxes_are_one_plate,
    flush_hulls_are_one_plate,
    gaps_between_level_boxes_catch_nothing_flat,
    what_lies_across_a_gap_is_held_on_both_sides,
    what_lies_across_a_seam_is_not_pressed_aside,
    tiles_that_turn_are_one_plate,
    a_step_between_boxes_is_hit,
    the_side_of_a_flush_box_is_hit,
    the_end_of_flush_boxes_is_an_edge,
);

/// A ball passes another at 1 mm with the smallest margin, and at 20 cm with one of half a metre, from several starts within a
/// step: its velocity is the same to the bit all the time.
fn ball_that_passes_another_keeps_its_velocity<S: Scalar>() {
    for (margin, gap, speed) in [(0.02, 0.001, 20.0), (0.5, 0.001, 5.0), (0.5, 0.2, 20.0), (0.5, 0.2, 200.0)] {
        for kind in ["Static", "Dynamic"] {
            for start in 0..5 {
                let (x, y) = (-5.0 - speed / 60.0 * f64::from(start) / 5.0, 1.0 + gap);
                let mut run = Run::<S>::of(&format!(
                    "gravity: (0, 0, 0), solver: Impulse(speculative_distance: {margin}),
                    materials: {{\"default\": (friction: 1, restitution: 1)}}, bodies: [
                        (name: \"still\", kind: {kind}, shape: Sphere(radius: 0.5)),
                        (name: \"ball\", position: Origin({x:.6}, {y}, 0), linear_velocity: ({speed}, 0, 0),
                            shape: Sphere(radius: 0.5))]"
                ));
                let before = bits(run.body("ball").linear_velocity);
                while run.position("ball").x < 5.0 {
                    run.step();
                    let now = run.body("ball");
                    assert_eq!(bits(now.linear_velocity), before, "{speed} m/s, gap {gap}, margin {margin}, start {x}");
                    assert_eq!(bits(now.angular_velocity), bits(Vec3::<S>::ZERO));
                }
                assert_eq!(run.velocity("still"), Vec3::ZERO);
            }
        }
    }
}

/// What slides or rolls over the ground: its shape, its height, its spin at 8 m/s.
struct Slider<'a> {
    shape: &'a str,
    orientation: &'static str,
    height: f64,
    rolls: bool,
}

/// Two seconds over this ground: to a thousandth of the 16 m, and neither up nor aside. Where it came.
fn glide_over<S: Scalar>(ground: &str, slider: &Slider<'_>, margin: f64) -> Vec3<f64> {
    let Slider { shape, orientation, height, rolls } = *slider;
    let (friction, spin) = if rolls { (0.5, -8.0 / height) } else { (0.0, 0.0) };
    let mut run = Run::<S>::of(&format!(
        "solver: Impulse(speculative_distance: {margin}), materials: {{\"default\": (friction: {friction})}},
        bodies: [{ground} (name: \"slider\", {orientation}, position: Origin(0, {height}, 0.03),
            linear_velocity: (8, 0, 0), angular_velocity: (0, 0, {spin}), shape: {shape})]"
    ));
    let mut highest = 0.0_f64;
    for _ in 0..120 {
        run.step();
        highest = highest.max((run.position("slider").y - height).abs());
    }
    let place = run.position("slider");
    let what = format!("{shape} with a margin of {margin}");
    assert_near(&what, place.x, 16.0, 0.016);
    assert!(highest < 1e-3 && (place.z - 0.03).abs() < 0.016, "{what}: {place:?}, hopped {highest}");
    place
}

/// Over twenty flush boxes as over one plate: to a thousandth of the 16 m, and neither up nor aside, at any margin. What rolls
/// goes 16 m on either; what slides without friction too.
fn flush_boxes_are_one_plate<S: Scalar>() {
    let upright = "orientation: AxisDegrees(axis: (1, 0, 0), degrees: 0)";
    let across = "orientation: AxisDegrees(axis: (1, 0, 0), degrees: 90)";
    let sliders = [
        Slider { shape: "Sphere(radius: 0.5)", orientation: upright, height: 0.5, rolls: true },
        Slider { shape: "Sphere(radius: 0.05)", orientation: upright, height: 0.05, rolls: true },
        Slider { shape: "Sphere(radius: 0.1)", orientation: upright, height: 0.1, rolls: false },
        Slider { shape: "Cuboid(half_extents: (0.3, 0.3, 0.3))", orientation: upright, height: 0.3, rolls: false },
        Slider { shape: "Capsule(half_height: 0.4, radius: 0.2)", orientation: across, height: 0.2, rolls: true },
    ];
    let tiles: String = (-1..20)
        .flat_map(|x| [-1, 0, 1].map(|z| (x, z)))
        .map(|(x, z)| {
            format!(
                "(name: \"tile {x} {z}\", kind: Static, position: Origin({x}, -0.5, {z}),
                    shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),"
            )
        })
        .collect();
    let plate = "(name: \"plate\", kind: Static, position: Origin(9, -0.5, 0),
        shape: Cuboid(half_extents: (10.5, 0.5, 1.5))),";
    for slider in sliders {
        let shape = slider.shape;
        for margin in [0.02, 0.2, 0.5] {
            let [over_tiles, over_plate] =
                [tiles.as_str(), plate].map(|ground| glide_over::<S>(ground, &slider, margin));
            assert_near(&format!("{shape} over tiles"), over_tiles.x, over_plate.x, 0.016);
        }
    }
}

/// What lies flat falls into no gap, and slides over one of any width that does not let it tip as over a plate. (A cube of 20 cm was stopped and
/// thrown up by gaps from half a millimetre on.)
fn gaps_between_level_boxes_catch_nothing_flat<S: Scalar>() {
    let upright = "orientation: AxisDegrees(axis: (1, 0, 0), degrees: 0)";
    let prism = upright_prism(6, 0.2, 0.1);
    for gap in [0.0005, 0.004, 0.03] {
        let tiles: String = (-1..20)
            .map(|x| {
                format!(
                    "(name: \"tile {x}\", kind: Static, position: Origin({x}, -0.5, 0),
                        shape: Cuboid(half_extents: ({}, 0.5, 1.5))),",
                    0.5 - 0.5 * gap
                )
            })
            .collect();
        for (shape, height) in [
            ("Cuboid(half_extents: (0.1, 0.1, 0.1))", 0.1),
            ("Cylinder(half_height: 0.05, radius: 0.2)", 0.05),
            (prism.as_str(), 0.1),
        ] {
            let slider = Slider { shape, orientation: upright, height, rolls: false };
            glide_over::<S>(&tiles, &slider, 0.02);
        }
    }
}

/// A plank that falls flat from a small tilt over a gap of 9 cm comes to rest on both edges.
fn what_lies_across_a_gap_is_held_on_both_sides<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [
            (name: \"left\", kind: Static, shape: Cuboid(half_extents: (1, 0.5, 1)), position: Origin(-1.045, -0.5, 0)),
            (name: \"right\", kind: Static, shape: Cuboid(half_extents: (1, 0.5, 1)), position: Origin(1.045, -0.5, 0)),
            (name: \"plank\", shape: Cuboid(half_extents: (0.15, 0.03, 0.1)), position: Origin(0, 0.0309, 0),
                orientation: AxisDegrees(axis: (0, 0, 1), degrees: 0.5)),
        ]",
    );
    run.steps(240);
    let (kinetic, overlap) = (run.energy().kinetic, run.overlaps().fold(0.0, f64::max));
    assert!(kinetic < 1e-9 && overlap < 1e-4, "{}: {kinetic} J, {overlap} m deep", S::KIND);
    let place = run.position("plank");
    assert!(place.x.abs() < 1e-3 && (place.y - 0.03).abs() < 1e-4, "{}: {place:?}", S::KIND);
}

/// Over twenty flush wedges, every second one of them upside down, and boxes of corners as over one plate, as over boxes.
fn flush_hulls_are_one_plate<S: Scalar>() {
    // Seen along z, each tile is a trapezium: 1.2 m wide above or below, 0.8 m on the other side.
    let points = |wide: f64, narrow: f64| {
        let corners = [(-wide, 0.0), (wide, 0.0), (-narrow, -0.5), (narrow, -0.5)];
        let points: Vec<_> =
            corners.iter().flat_map(|(x, y)| [-2.0, 2.0].map(|z| format!("({x}, {y}, {z})"))).collect();
        points.join(", ")
    };
    let tiles: String = (-1..20)
        .map(|x| {
            let shape = if x % 2 == 0 { points(0.6, 0.4) } else { points(0.4, 0.6) };
            format!("(name: \"tile {x}\", kind: Static, position: Origin({x}, 0, 0), shape: Hull(points: [{shape}])),")
        })
        .collect();
    let box_of_corners = "Hull(points: [(-0.3, -0.3, -0.3), (0.3, -0.3, -0.3), (-0.3, 0.3, -0.3), (-0.3, -0.3, 0.3),
        (0.3, 0.3, -0.3), (0.3, -0.3, 0.3), (-0.3, 0.3, 0.3), (0.3, 0.3, 0.3)])";
    let upright = "orientation: AxisDegrees(axis: (1, 0, 0), degrees: 0)";
    let across = "orientation: AxisDegrees(axis: (1, 0, 0), degrees: 90)";
    for slider in [
        Slider { shape: "Sphere(radius: 0.5)", orientation: upright, height: 0.5, rolls: true },
        Slider { shape: "Sphere(radius: 0.1)", orientation: upright, height: 0.1, rolls: false },
        Slider { shape: "Cuboid(half_extents: (0.3, 0.3, 0.3))", orientation: upright, height: 0.3, rolls: false },
        Slider { shape: box_of_corners, orientation: upright, height: 0.3, rolls: false },
        Slider { shape: "Capsule(half_height: 0.4, radius: 0.2)", orientation: across, height: 0.2, rolls: true },
    ] {
        for margin in [0.02, 0.2, 0.5] {
            glide_over::<S>(&tiles, &slider, margin);
        }
    }
}

/// Without friction a box and a hull lie over the seam of two boxes, more on the one than on the other: so they lean by some
/// hundred-thousandths, as contacts give way, but both boxes press them straight upwards. Ten seconds move them by less than a micrometre.
fn what_lies_across_a_seam_is_not_pressed_aside<S: Scalar>() {
    let foot = [(120, 24), (-36, 120), (-120, -36), (48, -108)];
    let corner = |(x, z): (i32, i32), y: f64, part: f64| {
        format!("({}, {y}, {})", f64::from(x) * part / 1000.0, f64::from(z) * part / 1000.0)
    };
    let stone: Vec<_> = foot.into_iter().flat_map(|at| [corner(at, -0.056, 1.0), corner(at, 0.056, 0.7)]).collect();
    let stone = format!("Hull(points: [{}])", stone.join(", "));
    for shape in ["Cuboid(half_extents: (0.12, 0.056, 0.09))", &stone] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 0)}}, bodies: [
                (name: \"first\", kind: Static, position: Origin(0, -0.5, -1), shape: Cuboid(half_extents: (4, 0.5, 1))),
                (name: \"second\", kind: Static, position: Origin(0, -0.5, 1), shape: Cuboid(half_extents: (4, 0.5, 1))),
                (name: \"slider\", position: Origin(0, 0.056, 0.02),
                    orientation: AxisDegrees(axis: (0, 1, 0), degrees: 17.3), shape: {shape})]"
        ));
        let start = run.position("slider");
        run.steps(600);
        let (way, spin) = (run.position("slider") - start, run.spin("slider"));
        assert!(way.x.abs().max(way.z.abs()) < 1e-6, "{shape} went {way:?}");
        assert!(spin.y.abs() < 1e-5, "{shape} turns at {spin:?}");
    }
}

/// A ball that rolls over a turntable of 64 tiles crosses their edges aslant, and while they turn under it: it stays down.
fn tiles_that_turn_are_one_plate<S: Scalar>() {
    let middles = || (0..8).map(|i| f64::from(i) - 3.5);
    let tiles: String = middles()
        .flat_map(|x| middles().map(move |z| (x / 2.0, z / 2.0)))
        .map(|(x, z)| format!("(shape: Cuboid(half_extents: (0.25, 0.1, 0.25)), offset: ({x}, 0, {z})),"))
        .collect();
    let radius = 0.1;
    for (rate, turn, (vx, vz)) in [
        (60, 3.0, (1.0, 0.2)),
        (120, 3.0, (-0.7, 0.9)),
        (240, 3.0, (1.0, 0.0)),
        (240, 6.0, (0.4, -0.8)),
        (240, 1.0, (0.9, 0.5)),
    ] {
        let mut run = Run::<S>::of(&format!(
            "dt: \"1/{rate}\", materials: {{\"default\": (friction: 1)}}, bodies: [
                (name: \"table\", kind: Kinematic, position: Origin(0, -0.1, 0), angular_velocity: (0, {turn}, 0),
                    colliders: [{tiles}]),
                (name: \"ball\", position: Origin(0.1, {radius}, 0.03), linear_velocity: ({vx}, 0, {vz}),
                    angular_velocity: ({}, 0, {}), shape: Sphere(radius: {radius}))]",
            vz / radius,
            -vx / radius
        ));
        run.steps(rate / 20);
        let mut steps = 0;
        while run.position("ball").x.abs().max(run.position("ball").z.abs()) < 1.3 && steps < 3 * rate {
            run.step();
            steps += 1;
            let (up, height) = (run.velocity("ball").y, run.position("ball").y);
            let what = format!("step {steps} of 1/{rate} s at {turn} rad/s");
            assert!(up.abs() < 5e-3, "{what}: {up} m/s upwards");
            assert_near(&what, height, radius, 5e-4);
        }
        assert!(steps > rate / 2, "it rolled for {steps} steps");
    }
}

/// A step of 5 cm between two boxes is no seam. A ball of half a metre without friction meets its edge under an angle whose sine is
/// 0.9: the blow along that normal takes all its approach, and leaves `3 (1 - cos^2)` forwards and `3 cos sin` upwards. A cube
/// is stopped by the face of the step.
fn a_step_between_boxes_is_hit<S: Scalar>() {
    let ground =
        "(name: \"low\", kind: Static, position: Origin(-2, -0.5, 0), shape: Cuboid(half_extents: (2, 0.5, 2))),
        (name: \"high\", kind: Static, position: Origin(2, -0.45, 0), shape: Cuboid(half_extents: (2, 0.5, 2))),";
    for margin in [0.02, 0.5] {
        let slide = |shape: &str, height: f64| {
            let mut run = Run::<S>::of(&format!(
                "solver: Impulse(speculative_distance: {margin}), materials: {{\"default\": (friction: 0)}},
                bodies: [{ground} (name: \"slider\", position: Origin(-2, {height}, 0), linear_velocity: (3, 0, 0),
                    shape: {shape})]"
            ));
            while run.velocity("slider").x > 2.99 && run.position("slider").x < 1.0 {
                run.step();
            }
            run
        };
        let run = slide("Sphere(radius: 0.5)", 0.5);
        let (sine, cosine) = (0.9, libm::sqrt(1.0 - 0.81));
        assert_near("forwards", run.velocity("slider").x, 3.0 * (1.0 - cosine * cosine), 0.02);
        assert_near("upwards", run.velocity("slider").y, 3.0 * cosine * sine, 9.81 / 60.0 + 0.02);
        let run = slide("Cuboid(half_extents: (0.3, 0.3, 0.3))", 0.3);
        assert!(run.velocity("slider").x < 2.5, "the cube should be stopped: {:?}", run.velocity("slider"));
        assert_near("place of the cube", run.position("slider").x, -0.3, 0.05);
    }
}

/// Boxes with flush tops and sides still have sides: a cube or a ball that comes from there, as high as their tops or below, against
/// the middle of one or the seam between two, stops at the side.
fn the_side_of_a_flush_box_is_hit<S: Scalar>() {
    let boxes: String = [("first", 0, 0), ("behind", 1, 0), ("beside", 0, 1)]
        .map(|(name, x, z)| {
            format!(
                "(name: \"{name}\", kind: Static, position: Origin({x}, -0.5, {z}),
                    shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),"
            )
        })
        .concat();
    for shape in ["Cuboid(half_extents: (0.3, 0.3, 0.3))", "Sphere(radius: 0.3)"] {
        for (height, z) in [(-0.6, 0.0), (-0.35, 0.0), (-0.3, 0.0), (-0.25, 0.0), (-0.3, 0.5), (-0.25, 0.5)] {
            for margin in [0.02, 0.5] {
                let mut run = Run::<S>::of(&format!(
                    "gravity: (0, 0, 0), solver: Impulse(speculative_distance: {margin}),
                    materials: {{\"default\": (friction: 0)}}, bodies: [{boxes}
                        (name: \"comes\", position: Origin(-2, {height}, {z}), linear_velocity: (3, 0, 0), shape: {shape})]"
                ));
                run.steps(60);
                let what = format!("{shape} at {height}, {z}, margin {margin}");
                assert_near(&what, run.position("comes").x, -0.8, 1e-3);
                assert!(run.velocity("comes").length() < 0.01, "{what} moves: {:?}", run.velocity("comes"));
            }
        }
    }
}

/// Where flush boxes end is an edge, though the neighbour's top is as high: a ball of half a metre that comes down at 3 m/s, 0.2 m
/// beyond it, is turned by it. The sine of the normal is 0.4, and the blow takes all the approach along it.
fn the_end_of_flush_boxes_is_an_edge<S: Scalar>() {
    for margin in [0.1, 0.5] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), solver: Impulse(speculative_distance: {margin}),
            materials: {{\"default\": (friction: 0)}}, bodies: [
                (name: \"long\", kind: Static, position: Origin(-1, -0.5, 0), shape: Cuboid(half_extents: (0.95, 0.5, 1))),
                (name: \"end\", kind: Static, position: Origin(-0.025, -0.5, 0), shape: Cuboid(half_extents: (0.025, 0.5, 1))),
                (name: \"ball\", position: Origin(0.2, 0.9, 0), linear_velocity: (0, -3, 0), shape: Sphere(radius: 0.5))]"
        ));
        run.steps(20);
        let (sine, cosine) = (0.4, libm::sqrt(1.0 - 0.16));
        assert_near("aside", run.velocity("ball").x, 3.0 * cosine * sine, 0.01);
        assert_near("downwards", run.velocity("ball").y, 3.0 * (cosine * cosine - 1.0), 0.01);
    }
}
