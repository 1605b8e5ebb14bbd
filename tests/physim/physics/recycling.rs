//! Manifolds that are kept from step to step: what rests is not looked at anew, and nothing else notices.

use physim::math::Scalar;

use crate::physics::support::Run;

on_every_scalar!(
    what_rests_keeps_its_manifolds,
    what_is_taken_away_is_noticed,
    a_slow_platform_takes_its_load_along,
    what_creeps_over_an_edge_falls
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

/// A box that is pushed over the edge of a table by 1 mm/s tips when its centre is past the edge, within the twentieth of a
/// millimetre that a kept manifold may be old; up to then it lies level.
fn what_creeps_over_an_edge_falls<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(), materials: {\"ice\": (friction: 0)}, shapes: {\"cube\": Cuboid(half_extents: (0.1, 0.1, 0.1))},
        bodies: [
            (name: \"table\", kind: Static, shape: Cuboid(half_extents: (1, 0.5, 1)), position: Origin(-1, -0.5, 0), material: \"ice\"),
            (name: \"box\", shape: Named(\"cube\"), position: Origin(-0.004, 0.1, 0), linear_velocity: (0.001, 0, 0), material: \"ice\"),
        ]",
    );
    run.steps(210);
    assert!(
        (run.position("box").y - 0.1).abs() < 1e-4,
        "3.5 mm on its way it lies level, at {} m",
        run.position("box").y
    );
    run.steps(240);
    assert!(run.position("box").y < 0.09, "3.5 mm past the edge it has tipped, and is at {} m", run.position("box").y);
}
