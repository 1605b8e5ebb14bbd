//! What passes through something is counted, and nothing else is.

use std::f64::consts::FRAC_1_SQRT_2;

use physim::math::Scalar;
use physim::world::counts::Counted;

use crate::physics::support::{Run, assert_near, rounding};

on_every_scalar!(
    ball_through_a_wall_is_one_passage,
    what_gravity_made_fast_is_seen,
    stick_that_turns_through_a_peg_is_a_passage,
    what_meets_on_the_way_is_a_passage,
    what_flies_together_passes_the_wall_and_not_each_other,
    what_grazes_a_corner_slowly_is_none,
    what_misses_or_is_caught_is_none,
    what_is_pressed_through_is_told_though_it_is_looked_for,
    what_bounces_slides_off_or_spins_past_an_edge_is_none,
    surfaces_are_passed_from_the_front_only,
);

const WALL: &str = "(name: \"wall\", kind: Static, shape: Cuboid(half_extents: (0.05, 2, 2)))";

fn flight<S: Scalar>(bodies: &str, continuous: &str) -> Run<S> {
    Run::of(&format!(
        "gravity: (0, 0, 0), continuous: {continuous}, bounds: (speed: 3000, angular_speed: 3000), bodies: [{bodies}]"
    ))
}

/// How often bodies passed through each other in so many steps, and how often they were caught.
fn passed_and_caught<S: Scalar>(run: &mut Run<S>, steps: u32) -> (u64, u64) {
    let (mut passed, mut caught) = (0, 0);
    for _ in 0..steps {
        run.step();
        let count = run.world().counts().get(Counted::PassedThrough);
        assert_eq!(run.world().passage().is_some(), count > 0);
        passed += count;
        caught += run.world().counts().get(Counted::CaughtAtSpeed);
    }
    (passed, caught)
}

/// A ball at 300 m/s makes 5 m a step: it is at -2.5 m after two and at 2.5 m after three.
fn ball_through_a_wall_is_one_passage<S: Scalar>() {
    let bodies = format!(
        "{WALL}, (name: \"bullet\", position: Origin(-12.5, 0, 0), linear_velocity: (300, 0, 0),
            shape: Sphere(radius: 0.06))"
    );
    let mut run = flight::<S>(&bodies, "Off");
    assert_eq!(passed_and_caught(&mut run, 2), (0, 0));
    run.step();
    let passage = run.world().passage().expect("a passage").clone();
    assert_eq!((passage.step, &*passage.body, &*passage.obstacle), (3, "bullet", "wall"));
    assert_near("way", passage.way, 5.0, 30.0 * rounding::<S>(12.5));
    assert_near("thickness of the ball", passage.thickness, 0.12, 2.0 * rounding::<S>(0.06));
    assert_near("thickness of the wall", passage.obstacle_thickness, 0.1, 2.0 * rounding::<S>(0.05));
    assert_eq!(run.world().counts().get(Counted::PassedThrough), 1);
    assert_eq!(passed_and_caught(&mut run, 20), (0, 0), "it is told in its step, and no longer");
    // The same shot where it is looked for is a hit.
    assert_eq!(passed_and_caught(&mut flight::<S>(&bodies, "On"), 20), (0, 1));
}

/// No speed of the scene tells that a ball which falls 100 m comes with 44 m/s, 0.74 m a step, to a floor of 2 cm.
fn what_gravity_made_fast_is_seen<S: Scalar>() {
    let mut run = Run::<S>::of(
        "continuous: Off, bodies: [
            (name: \"floor\", kind: Static, shape: Cuboid(half_extents: (5, 0.01, 5))),
            (name: \"ball\", position: Origin(0, 100.2, 0), shape: Sphere(radius: 0.05))]",
    );
    let (passed, _) = passed_and_caught(&mut run, 300);
    assert!(run.position("ball").y < -1.0, "the ball should fall through: {:?}", run.position("ball"));
    assert_eq!(passed, 1);
}

/// A stick of 2 m that turns by half a radian a step goes through a peg at 0.97 m from its middle, where no box of its ends is,
/// and not through one at 1.2 m.
fn stick_that_turns_through_a_peg_is_a_passage<S: Scalar>() {
    let turn = |away: f64| {
        let (x, z) = (away * libm::cos(0.25), -away * libm::sin(0.25));
        let bodies = format!(
            "(name: \"stick\", angular_velocity: (0, 30, 0), shape: Cuboid(half_extents: (1, 0.01, 0.01))),
            (name: \"peg\", kind: Static, position: Origin({x:.6}, 0, {z:.6}), shape: Capsule(half_height: 1, radius: 0.02))"
        );
        passed_and_caught(&mut flight::<S>(&bodies, "Off"), 1).0
    };
    assert_eq!((turn(0.97), turn(1.2)), (1, 0));
}

/// Two balls that fly at each other pass in the middle of a step: one passage. At right angles through the same place it is one
/// where they are there together, and none where one comes later.
fn what_meets_on_the_way_is_a_passage<S: Scalar>() {
    for (x, z, speed, expected) in
        [("2.5", "0", "(-300, 0, 0)", 1), ("0", "-2.5", "(0, 0, 300)", 1), ("0", "-4.5", "(0, 0, 300)", 0)]
    {
        let bodies = format!(
            "(name: \"a\", position: Origin(-2.5, 0, 0), linear_velocity: (300, 0, 0), shape: Sphere(radius: 0.1)),
            (name: \"b\", position: Origin({x}, 0, {z}), linear_velocity: {speed}, shape: Sphere(radius: 0.1))"
        );
        let (passed, _) = passed_and_caught(&mut flight::<S>(&bodies, "Off"), 3);
        assert_eq!(passed, expected, "{x}, {z}, {speed}");
    }
}

/// Five balls side by side at 300 m/s: each is through the wall once, wherever in the list it stands, and none through its neighbour.
fn what_flies_together_passes_the_wall_and_not_each_other<S: Scalar>() {
    let ball = |number: i32| {
        format!(
            "(name: \"ball {number}\", position: Origin(-2.5, 0, {}), linear_velocity: (300, 0, 0), shape: Sphere(radius: 0.1))",
            f64::from(number) * 0.25 - 0.5
        )
    };
    let balls: Vec<String> = (0..5).map(ball).collect();
    for bodies in [format!("{WALL}, {}", balls.join(", ")), format!("{}, {WALL}", balls.join(", "))] {
        assert_eq!(passed_and_caught(&mut flight::<S>(&bodies, "Off"), 3).0, 5, "{bodies}");
    }
}

/// A cube of half a metre that turns the corner of another at 9 m/s, 0.15 m a step, and is in it at neither end: with 0.25 m and less of
/// a way it cannot have come through.
fn what_grazes_a_corner_slowly_is_none<S: Scalar>() {
    let graze = |speed: f64| {
        let way = speed / 60.0;
        let (x, y) = (0.49 + way / 2.0 * FRAC_1_SQRT_2, 0.49 - way / 2.0 * FRAC_1_SQRT_2);
        let velocity = speed * FRAC_1_SQRT_2;
        let bodies = format!(
            "(name: \"still\", kind: Static, shape: Cuboid(half_extents: (0.25, 0.25, 0.25))),
            (name: \"passing\", position: Origin({x:.6}, {y:.6}, 0), linear_velocity: (-{velocity:.6}, {velocity:.6}, 0),
                shape: Cuboid(half_extents: (0.25, 0.25, 0.25)))"
        );
        passed_and_caught(&mut flight::<S>(&bodies, "Off"), 1).0
    };
    assert_eq!((graze(9.0), graze(30.0)), (0, 1));
}

/// What flies past the wall, slantwise past its edge, or along its face with a gap of 1 mm; what flies off the wall; what ends a step within the wall and comes
/// out in front (but not what comes out behind); what lands, rests and bounces as it should.
fn what_misses_or_is_caught_is_none<S: Scalar>() {
    for (start, velocity, expected) in [
        ("(-2.5, 2.07, 0)", "(300, 0, 0)", 0),
        ("(-2.5, 0.2, 0)", "(300, 300, 0)", 0),
        ("(0.111, -5, 0)", "(0, 300, 0)", 0),
        ("(-5.02, 0, 0)", "(300, 0, 0)", 0),
        ("(-4.98, 0, 0)", "(300, 0, 0)", 1),
        ("(0.11, 0, 0)", "(300, 0, 0)", 0),
    ] {
        let bodies = format!(
            "{WALL}, (name: \"bullet\", position: Origin{start}, linear_velocity: {velocity}, shape: Sphere(radius: 0.06))"
        );
        let (passed, _) = passed_and_caught(&mut flight::<S>(&bodies, "Off"), 1);
        assert_eq!(passed, expected, "{start}, {velocity}");
    }
    let mut heap = Run::<S>::of(
        "continuous: Off, materials: {\"default\": (restitution: 0.5)}, bodies: [
            (name: \"floor\", kind: Static, shape: Cuboid(half_extents: (9, 0.5, 9)))],
        groups: [(name: \"box\", body: (shape: Cuboid(half_extents: (0.25, 0.25, 0.25))),
            layout: Grid(origin: (0, 1, 0), count: (2, 4, 2), spacing: (0.6, 0.7, 0.6)))]",
    );
    assert_eq!(passed_and_caught(&mut heap, 120).0, 0);
    assert!(heap.world().contacts().len() >= 16, "the boxes should lie on each other");
}

/// A plate that nothing stops comes down at 60 m/s on a ball on a floor: one of the two must give, and rounding says in which step.
/// From the second step on the ball may be above the plate.
fn what_is_pressed_through_is_told_though_it_is_looked_for<S: Scalar>() {
    let mut run = flight::<S>(
        "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"press\", kind: Kinematic, position: Origin(0, 2, 0), linear_velocity: (0, -60, 0),
            shape: Cuboid(half_extents: (2, 0.05, 2))),
        (name: \"ball\", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.25))",
        "On",
    );
    assert_eq!(passed_and_caught(&mut run, 1).0, 0);
    for _ in 0..3 {
        run.step();
        let is_below = run.position("ball").y < run.position("press").y;
        assert_eq!(run.world().passage().is_none(), is_below, "it is told in the step in which it happens");
        if !is_below {
            break;
        }
    }
    let passage = run.world().passage().expect("a passage").clone();
    assert_eq!((&*passage.body, &*passage.obstacle), ("press", "ball"));
    assert!(run.position("ball").y > run.position("press").y);
    assert_eq!(passed_and_caught(&mut run, 20).0, 0, "it is told in its step, and no longer");
}

/// With `continuous: On` the way of a body has bends, and it may end beside what it met: a ball that flies off a wall in the step in
/// which it came; a block that slides off its plate at 20 m/s; a stick that spins by 3 rad a step and goes over an edge, and one that
/// an edge spins.
fn what_bounces_slides_off_or_spins_past_an_edge_is_none<S: Scalar>() {
    let plate = "(name: \"plate\", kind: Static, shape: Cuboid(half_extents: (0.5, 0.0025, 0.5)))";
    for bodies in [
        format!("{WALL}, (name: \"ball\", position: Origin(-2.5, 0, 0), linear_velocity: (300, 10, 0),
            shape: Sphere(radius: 0.06))"),
        format!("{plate}, (name: \"block\", position: Origin(-0.3, 0.0425, 0), linear_velocity: (20, -0.5, 5),
            shape: Cuboid(half_extents: (0.12, 0.04, 0.3)))"),
        format!("{plate}, (name: \"stick\", position: Origin(3.577, 9.912, 3.914),
            orientation: AxisRadians(axis: (0.27, -0.99, 0.42), radians: 1.612), linear_velocity: (-72.169, -168.983, -78.971),
            angular_velocity: (376.66, -4.47, 6.13), shape: Capsule(half_height: 0.651, radius: 0.078))"),
        format!("{plate}, (name: \"stick\", position: Origin(-0.9, 3, 0), orientation: AxisRadians(axis: (0, 0, 1), radians: 1.3),
            linear_velocity: (0, -300, 0), shape: Capsule(half_height: 0.6, radius: 0.05))"),
    ] {
        let (mut passed, mut touched) = (0, false);
        let mut run = flight::<S>(&bodies, "On");
        for _ in 0..6 {
            run.step();
            passed += run.world().counts().get(Counted::PassedThrough);
            touched |= [Counted::ContactPoints, Counted::CaughtAtSpeed]
                .into_iter()
                .any(|touch| run.world().counts().get(touch) > 0);
        }
        assert_eq!((passed, touched), (0, true), "{bodies}");
    }
}

/// 0.83 m a step through a sheet of 16 triangles from above, from below, and through a side of two of them; and what slides on it. The middle
/// of the first is above the sheet in one step and below in the next.
fn surfaces_are_passed_from_the_front_only<S: Scalar>() {
    let rows = ["0, 0, 0, 0, 0"; 3].join("], [");
    let sheet = format!("(name: \"sheet\", kind: Static, shape: HeightField(heights: [[{rows}]], spacing: (1, 1)))");
    let ball = |x: f64, y: f64, speed: f64| {
        format!(
            "{sheet}, (name: \"ball\", position: Origin({x}, {y}, 0.2), linear_velocity: (0, {speed}, 0), shape: Sphere(radius: 0.1))"
        )
    };
    for (x, y, speed, expected) in [(0.3, 1.3, -50.0, 1), (0.3, -1.3, 50.0, 0)] {
        let mut run = flight::<S>(&ball(x, y, speed), "Off");
        assert_eq!(passed_and_caught(&mut run, 4).0, expected, "at {speed} m/s from {y}");
        assert!((run.position("ball").y > 0.0) == (speed > 0.0), "it is through");
        if expected == 1 {
            let mut caught = flight::<S>(&ball(x, y, speed), "On");
            assert_eq!(passed_and_caught(&mut caught, 4).0, 0);
            assert!(caught.position("ball").y > 0.0);
        }
    }
    for shape in ["Cone(half_height: 0.1, radius: 0.12)", "Cuboid(half_extents: (0.1, 0.05, 0.1))"] {
        let bodies = format!(
            "{sheet}, (name: \"slider\", position: Origin(-1.8, 0.05, 0.2), linear_velocity: (5, 0, 0), shape: {shape})"
        );
        let mut run = Run::<S>::of(&format!("bodies: [{bodies}]"));
        assert_eq!(passed_and_caught(&mut run, 30).0, 0, "{shape}");
        assert!(run.position("slider").y > 0.0);
    }
}
