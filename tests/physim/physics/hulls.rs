//! Bodies made of corners: what is a box does what a box does, and what is none does what its geometry says.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, assert_near_vector, chain, rounding, upright_prism, wide};

on_every_scalar!(
    cube_of_corners_slides_as_far_as_a_cuboid,
    twenty_cubes_of_corners_stand,
    tetrahedron_weighs_and_turns_as_a_formula_says,
    points_away_from_the_origin_make_the_same_body,
    hexagonal_prism_rolls_only_where_the_slope_is_above_30_degrees,
    ball_rolls_down_a_wedge,
    balls_stay_where_they_are_on_a_level_face,
    stones_stop_at_a_thin_wall,
    prisms_with_a_foot_of_five_corners_lie_still_on_each_other,
    shell_lies_on_the_corners_of_several_faces,
);

const GRAVITY: f64 = 9.81;

/// A cube of this half edge as a hull.
fn cube(half: f64) -> String {
    let corner = |number: u32| [1, 2, 4].map(|bit| if number & bit == 0 { -half } else { half });
    let corners: Vec<_> =
        (0..8).map(|number| format!("{:?}", corner(number)).replace('[', "(").replace(']', ")")).collect();
    format!("Hull(points: [{}])", corners.join(", "))
}

/// `v^2 / (2 mu g)` = 1.147 m, as of every block; the contact's give at the start and the last step's part are worth a centimetre.
fn cube_of_corners_slides_as_far_as_a_cuboid<S: Scalar>() {
    let slide = |shape: &str| {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 0.4)}}, bodies: [
                (name: \"floor\", kind: Static, shape: Cuboid(half_extents: (10, 1, 10)), position: Origin(0, -1, 0)),
                (name: \"block\", position: Origin(0, 0.5, 0), linear_velocity: (3, 0, 0), shape: {shape})]"
        ));
        run.steps(120);
        run.position("block")
    };
    let (hull, cuboid) = (slide(&cube(0.5)), slide("Cuboid(half_extents: (0.5, 0.5, 0.5))"));
    assert_near("the hull's way", hull.x, 9.0 / (2.0 * 0.4 * GRAVITY), 0.01);
    // The same points, found in another way: what differs is rounding, which two seconds of contact do not blow up.
    assert_near_vector("hull and cuboid", hull, cuboid, 1e-5 + chain::<S>(2000.0, 0.1));
}

/// As the cuboids of `stacking.rs`, which sink by `400 g / omega^2` with springs of 60 Hz.
fn twenty_cubes_of_corners_stand<S: Scalar>() {
    let omega = 120.0 * std::f64::consts::PI;
    let mut run = Run::<S>::of(&format!(
        "solver: Impulse(substeps: 8, iterations: 1, relax_iterations: 1, correction: Soft(hertz: 60, damping_ratio: 10, push_speed: 3)),
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
        groups: [(name: \"box\", body: (shape: {}), layout: Stack(origin: (0, 0.5, 0), count: 20, spacing: (0, 1, 0)))]",
        cube(0.5)
    ));
    run.steps(1200);
    let top = run.position("box[19]");
    let sunk = 400.0 * GRAVITY / (omega * omega);
    assert_near("the top has sunk", 19.5 - top.y, sunk, 0.02 * sunk + 1e-4);
    assert!(top.x.abs() < 0.01 && top.z.abs() < 0.01, "the top is at {top:?}");
    assert!(run.energy().kinetic < 1e-3, "it stands");
}

/// Every second corner of a cube of half edge h: `V = 8/3 h^3`, and `I = m a^2 / 20` about every axis, with `a^2 = 8 h^2`.
fn tetrahedron_weighs_and_turns_as_a_formula_says<S: Scalar>() {
    let run = Run::<S>::of(
        "bodies: [(name: \"die\", shape: Hull(points: [(0.5, 0.5, 0.5), (0.5, -0.5, -0.5), (-0.5, 0.5, -0.5), (-0.5, -0.5, 0.5)]))]",
    );
    let body = run.body("die");
    let mass = 1.0 / body.inverse_mass.to_f64();
    assert_near("mass", mass, 1000.0 * 8.0 / 3.0 * 0.125, mass * chain::<S>(8.0, 0.25));
    assert_near_vector("centre", wide(body.centre), Vec3::ZERO, 2.0 * rounding::<S>(1.0));
    let scale = 4_f64.powi(body.inertia.length_exponent);
    let [xx, yy, zz, xy, xz, yz] = body.inertia.tensor.to_array().map(|entry| entry.to_f64() * scale);
    for (what, moment) in [("xx", xx), ("yy", yy), ("zz", zz)] {
        assert_near(what, moment, 8.0 * 0.25 / 20.0, chain::<S>(8.0, 0.25));
    }
    for (what, product) in [("xy", xy), ("xz", xz), ("yz", yz)] {
        assert_near(what, product, 0.0, chain::<S>(8.0, 0.25));
    }
}

/// The same points 20 m away from the body's origin: the centre of mass is there, and the body is as heavy and turns alike.
fn points_away_from_the_origin_make_the_same_body<S: Scalar>() {
    let at = |x: f64, y: f64| {
        let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.5], [0.5, 1.5, 1.0]];
        let texts: Vec<_> = points.iter().map(|[a, b, c]| format!("({}, {}, {c})", a + x, b + y)).collect();
        let run = Run::<S>::of(&format!("bodies: [(name: \"stone\", shape: Hull(points: [{}]))]", texts.join(", ")));
        run.body("stone")
    };
    let (near, far) = (at(0.0, 0.0), at(20.0, -16.0));
    assert!(near.inverse_mass == far.inverse_mass && near.inertia == far.inertia, "{near:?} {far:?}");
    let apart = wide(far.centre) - wide(near.centre);
    assert_near_vector("the centres are apart", apart, Vec3::new(20.0, -16.0, 0.0), 4.0 * rounding::<S>(32.0));
}

/// A prism of six sides on rough ground tips where the plumb line from its centre leaves its face: at `pi / 6`.
fn hexagonal_prism_rolls_only_where_the_slope_is_above_30_degrees<S: Scalar>() {
    let rim: Vec<_> = (0..6_u32)
        .map(|corner| (std::f64::consts::FRAC_PI_3 * f64::from(corner)).sin_cos())
        .flat_map(|(sine, cosine)| [0.4, -0.4].map(|z| format!("({:.7}, {:.7}, {z})", 0.5 * cosine, 0.5 * sine)))
        .collect();
    for (degrees, rolls) in [(29.0_f64, false), (31.0, true)] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let mut run = Run::<S>::of(&format!(
            "gravity: ({:.7}, {:.7}, 0), materials: {{\"default\": (friction: 0.9)}}, bodies: [
                (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"prism\", position: Origin(0, 0.4330127, 0), shape: Hull(points: [{}]))]",
            GRAVITY * sine,
            -GRAVITY * cosine,
            rim.join(", ")
        ));
        run.steps(240);
        let way = run.position("prism").x;
        assert_eq!(way > 1.0, rolls, "{degrees} degrees: it came {way} m far");
        assert!(rolls || way.abs() < 0.002, "{degrees} degrees: it moved by {way} m");
    }
}

/// A ball on a wedge of 30 degrees, one hull: without slipping its centre runs down with `5/7 g sin 30`.
fn ball_rolls_down_a_wedge<S: Scalar>() {
    let (sine, cosine) = 30_f64.to_radians().sin_cos();
    let radius = 0.1;
    // The top edge at (0, 4), the slope down to (6.9282032, 0); the ball a metre down from the edge, on the surface.
    let start = [cosine + radius * sine, 4.0 - sine + radius * cosine];
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (friction: 0.8)}}, bodies: [
            (name: \"wedge\", kind: Static, shape: Hull(points: [
                (0, 4, -1), (0, 4, 1), (0, 0, -1), (0, 0, 1), (6.9282032, 0, -1), (6.9282032, 0, 1)])),
            (name: \"ball\", position: Origin({:.9}, {:.9}, 0), shape: Sphere(radius: {radius}))]",
        start[0], start[1]
    ));
    for step in 1..=90 {
        run.step();
        let time = f64::from(step) / 60.0;
        let place = run.position("ball");
        let along = (place.x - start[0]) * cosine - (place.y - start[1]) * sine;
        // A step's start is worth `a dt^2`, and the springs give way by `g / omega^2` in the first ones.
        assert_near("the way", along, 0.5 * 5.0 / 7.0 * GRAVITY * sine * time * time, 2e-3 + 0.01 * time);
        let height = (place.x - start[0]) * sine + (place.y - start[1]) * cosine;
        assert_near("the height over the slope", height, 0.0, 2e-4);
        assert_near("it stays in line", place.z, 0.0, 1e-4);
    }
}

/// Balls set down on the top of a prism push along its normal, wherever they are and however small. Along the way from the nearest point to
/// their centre, which leans by the rounding of the prism's size over their radius, those of a centimetre rolled away with 1 mm/s in `f32`.
fn balls_stay_where_they_are_on_a_level_face<S: Scalar>() {
    let places = [[0.0, 0.0], [3.25, 0.5], [-1.75, 2.5]];
    for radius in [0.01, 0.05, 0.25] {
        let balls = places.iter().enumerate().map(|(number, [x, z])| {
            format!(
                "(name: \"{number}\", position: Origin({x}, {}, {z}), shape: Sphere(radius: {radius}))",
                1.0 + radius
            )
        });
        let balls = balls.collect::<Vec<_>>().join(", ");
        let prism = upright_prism(7, 5.0, 1.0);
        let mut run = Run::<S>::of(&format!("bodies: [(name: \"prism\", kind: Static, shape: {prism}), {balls}]"));
        run.steps(300);
        for (number, [x, z]) in places.into_iter().enumerate() {
            let name = number.to_string();
            let (place, spin) = (run.position(&name), run.spin(&name));
            assert!(place.x == x && place.z == z, "{}, {radius} m: {place:?}", S::KIND);
            assert!(spin.length() == 0.0, "{}, {radius} m: {spin:?} rad/s", S::KIND);
            assert_near("its height", place.y, 1.0 + radius, 1e-4);
        }
    }
}

/// A stone of five corners, at any speed and spin, never comes to the other side of a plate of 1 cm.
fn stones_stop_at_a_thin_wall<S: Scalar>() {
    let stone =
        "Hull(points: [(0.1, 0, 0), (-0.1, 0.02, 0.05), (0, 0.12, -0.03), (0.02, -0.1, 0.04), (0, 0.01, 0.11)])";
    for (number, speed) in [5.0, 40.0, 200.0, 1000.0, 2500.0].into_iter().enumerate() {
        for spin in [0.0, 15.0, 60.0] {
            let start = -0.5 - 0.37 * number as f64;
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), bounds: (position: 3000, speed: 3000, angular_speed: 30000), bodies: [
                    (name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.005, 10, 10))),
                    (name: \"stone\", position: Origin({start}, 0.1, 0.2), linear_velocity: ({speed}, 0, 0),
                        angular_velocity: ({spin}, {spin}, -{spin}), shape: {stone})]"
            ));
            let energy = run.energy().kinetic;
            for step in 1..=20 {
                run.step();
                let x = run.position("stone").x;
                assert!(x < -0.005, "{speed} m/s, {spin} rad/s: at {x} in step {step}");
                let now = run.energy().kinetic;
                assert!(
                    now <= energy * (1.0 + 1e-4),
                    "{speed} m/s, {spin} rad/s: {now} J of {energy} J in step {step}"
                );
            }
        }
    }
}

/// Two pentagonal prisms of 50 kg. Four of the five corners bear the weight, and the fifth is the deepest by less than it takes to replace one
/// of them: that it shows more than they do once made the contact one of edges, with one point, and for a step the upper prism fell.
fn prisms_with_a_foot_of_five_corners_lie_still_on_each_other<S: Scalar>() {
    let shape = upright_prism(5, 0.3, 0.05);
    let prism = |name: &str, y: f64| {
        format!("(name: \"{name}\", position: Origin(0, {y}, 0), shape: {shape}, mass: Total(50))")
    };
    let mut run = Run::<S>::of(&format!(
        "materials: {{\"default\": (friction: 0.5)}},
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))), {}, {}]",
        prism("lower", 0.05),
        prism("upper", 0.15)
    ));
    for _ in 0..120 {
        run.step();
        let speed = run.velocity("upper").length();
        assert!(speed < 5e-3, "{}: {speed} m/s", S::KIND);
    }
}

/// Five corners within 4 mm, 1.5 m apart: all faces look down or up but for some milliradians, and it lies on corners that no face has
/// together. With those of one face alone it fell on the others in each step, up to 12 mm deep and for ever, 0.5 rad/s fast.
fn shell_lies_on_the_corners_of_several_faces<S: Scalar>() {
    let shell = "Hull(points: [(0.588, -0.0014, 0.657), (0.839, 0.0019, -0.297), (-0.342, -0.0017, 0.154), (0.97, -0.0018, 0.265), (0.191, 0.0002, -0.8)])";
    let floors = [
        "shape: HalfSpace(normal: (0, 1, 0))",
        "position: Origin(0, -1, 0), shape: Cuboid(half_extents: (5, 1, 5))",
        "shape: Mesh(points: [(-5, 0, -5), (-5, 0, 5), (5, 0, 5), (5, 0, -5)], triangles: [(0, 1, 2), (0, 2, 3)])",
    ];
    for floor in floors {
        let mut run = Run::<S>::of(&format!(
            "bodies: [(name: \"floor\", kind: Static, {floor}),
                (name: \"shell\", position: Origin(0, 0.01, 0), shape: {shell})]"
        ));
        run.steps(240);
        for _ in 0..60 {
            run.step();
            let (speed, spin) = (run.velocity("shell").length(), run.spin("shell").length());
            assert!(speed < 1e-4 && spin < 1e-4, "{}, {floor}: {speed} m/s, {spin} rad/s", S::KIND);
            let deepest = run.overlaps().fold(0.0, f64::max);
            assert!(deepest < 1e-3, "{}, {floor}: {deepest} m deep", S::KIND);
        }
        let height = run.position("shell").y;
        assert!(height > 0.0, "{}, {floor}: the middle is at {height} m", S::KIND);
    }
}
