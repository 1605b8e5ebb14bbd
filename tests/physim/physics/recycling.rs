//! Manifolds that are kept from step to step: what rests is not looked at anew, and nothing else notices.

use physim::math::Scalar;

use crate::physics::support::Run;

on_every_scalar!(
    what_rests_keeps_its_manifolds,
    what_is_taken_away_is_noticed,
    a_slow_platform_takes_its_load_along,
    what_lies_beyond_an_edge_falls,
    what_rolls_slowly_rolls_on,
    a_slope_too_small_to_be_new_is_felt
);

/// How many contacts of a step kept their manifold.
fn recycled<S: Scalar>(run: &Run<S>) -> usize {
    run.world().counts().by_name().get("contacts recycled").map_or(0, |&count| count as usize)
}

/// Ten cubes on a floor: after a second at rest every contact between cubes keeps its manifold, and none moves by more than
/// the touching gap (2^-14 m) in the next ten.
fn what_rests_keeps_its_manifolds<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(), shapes: {\"cube\": Cuboid(half_extents: (0.5, 0.5, 0.5))},
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
        groups: [(name: \"cube\", layout: Stack(origin: (0, 0.5, 0), count: 10, spacing: (0, 1, 0)), body: (shape: Named(\"cube\")))]",
    );
    run.steps(60);
    let before: Vec<f64> = (0..10).map(|index| run.position(&format!("cube[{index}]")).y).collect();
    run.steps(600);
    assert_eq!(recycled(&run), 10);
    for (index, before) in before.into_iter().enumerate() {
        let moved = (run.position(&format!("cube[{index}]")).y - before).abs();
        assert!(moved < 6.2e-5, "cube {index} has moved by {moved} m");
    }
}

/// A box on a table that goes away in one step falls from that step on: `g dt^2 n (n + 1) / 2` in `n` steps.
fn what_is_taken_away_is_noticed<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(), shapes: {\"cube\": Cuboid(half_extents: (0.5, 0.5, 0.5))},
        bodies: [
            (name: \"table\", kind: Static, shape: Cuboid(half_extents: (2, 0.5, 2)), position: Origin(0, -0.5, 0)),
            (name: \"box\", shape: Named(\"cube\"), position: Origin(0, 0.5, 0)),
        ],
        inputs: [(step: 61, action: Remove(\"table\"))]",
    );
    run.steps(60);
    assert_eq!(recycled(&run), 1);
    let before = run.position("box").y;
    run.steps(30);
    assert_eq!(recycled(&run), 0);
    let (h, n) = (1.0 / 60.0, 30.0);
    let fallen = before - run.position("box").y;
    let expected = 9.81 * h * h * n * n / 2.0;
    assert!((fallen - expected).abs() < 9.81 * h * h * n, "fell by {fallen} m, not {expected} m");
}

/// A platform that rises by a millimetre a second, slower than any contact counts as moving, takes its load along.
fn a_slow_platform_takes_its_load_along<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(), shapes: {\"cube\": Cuboid(half_extents: (0.5, 0.5, 0.5))},
        bodies: [
            (name: \"platform\", kind: Kinematic, shape: Cuboid(half_extents: (2, 0.5, 2)), position: Origin(0, -0.5, 0), linear_velocity: (0, 0.001, 0)),
            (name: \"box\", shape: Named(\"cube\"), position: Origin(0, 0.5, 0)),
        ]",
    );
    run.steps(60);
    let gap = run.position("box").y - run.position("platform").y;
    run.steps(1200);
    assert_eq!(recycled(&run), 1);
    let later = run.position("box").y - run.position("platform").y;
    assert!((later - gap).abs() < 1e-5, "the box stood {gap} m over the platform, now {later} m");
}

/// Boxes that lie with their centres a millimetre before and a millimetre behind the edge of a table: the one keeps its manifold and
/// lies for ten seconds, the other tips.
fn what_lies_beyond_an_edge_falls<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(), shapes: {\"cube\": Cuboid(half_extents: (0.1, 0.1, 0.1))},
        bodies: [
            (name: \"table\", kind: Static, shape: Cuboid(half_extents: (1, 0.5, 1)), position: Origin(-1, -0.5, 0)),
            (name: \"before\", shape: Named(\"cube\"), position: Origin(-0.001, 0.1, 0.5)),
            (name: \"behind\", shape: Named(\"cube\"), position: Origin(0.001, 0.1, -0.5)),
        ]",
    );
    run.steps(600);
    assert_eq!(recycled(&run), 1);
    let (before, behind) = (run.position("before"), run.position("behind"));
    assert!((before.y - 0.1).abs() < 2e-4 && (before.x + 0.001).abs() < 1e-4, "the first is at {before:?}");
    assert!(behind.y < -1.0, "the second is at {behind:?}");
}

/// A capsule that rolls by 5 mm/s, slower than any contact counts as moving, rolls on as fast: a point that was kept would lag
/// behind its middle, and brake it.
fn what_rolls_slowly_rolls_on<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(),
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"roll\", shape: Capsule(half_height: 1, radius: 0.5), position: Origin(0, 0.5, 0),
                orientation: AxisDegrees(axis: (1, 0, 0), degrees: 90),
                linear_velocity: (0.005, 0, 0), angular_velocity: (0, 0, -0.01)),
        ]",
    );
    run.steps(600);
    let speed = run.velocity("roll").x;
    assert!((speed - 0.005).abs() < 1e-5, "it rolls by {speed} m/s");
}

/// A platform turns by 0.3 mrad, less than it takes to find a manifold anew, and stops: a box without friction slides down with
/// `g sin(0.3 mrad)`. What it slid while the platform turned comes on top: less than that acceleration for 0.3 s.
fn a_slope_too_small_to_be_new_is_felt<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(), materials: {\"ice\": (friction: 0)},
        bodies: [
            (name: \"platform\", kind: Kinematic, shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), position: Origin(0, -0.5, 0), material: \"ice\"),
            (name: \"box\", shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), position: Origin(0, 0.5, 0), material: \"ice\"),
        ],
        inputs: [
            (step: 61, action: SetVelocity(body: \"platform\", angular: (0, 0, -0.001))),
            (step: 79, action: SetVelocity(body: \"platform\", angular: (0, 0, 0))),
        ]",
    );
    run.steps(60);
    assert_eq!(recycled(&run), 1);
    run.steps(138);
    let acceleration = 9.81 * 3e-4;
    let least = acceleration * 2.0 * 2.0 / 2.0;
    let most = least + acceleration * 0.3 * 2.3;
    let way = run.position("box").x;
    assert!(way > least && way < most, "it slid by {way} m, not by {least} to {most} m");
}
