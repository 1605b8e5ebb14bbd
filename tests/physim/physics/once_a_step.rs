//! `continuous: Off`: contacts are looked at once a step, and have rows before they touch.

use physim::math::{Scalar, Vec3};
use physim::world::counts::Counted;

use crate::physics::support::{DT, Run, assert_near, bits, rounding};

on_every_scalar!(
    slow_ball_bounces_to_the_speed_that_restitution_gives,
    what_passes_near_keeps_its_velocity,
    what_comes_near_stops_at_the_surface,
    sliding_box_stops_where_friction_says,
    neighbours_that_do_not_touch_leave_a_wall_alone,
    more_manifolds_are_kept_than_where_impacts_are_found,
);

const GRAVITY: f64 = 9.81;

/// Two equal balls with restitution 1/2 meet at 1 m/s, 17 mm a step, so that they are near before they touch: of the speed `v` against
/// each other `e v` is left, and the momentum.
fn slow_ball_bounces_to_the_speed_that_restitution_gives<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), continuous: Off, solver: Impulse(restitution_threshold: 0),
        materials: {\"rubber\": (restitution: 0.5)},
        bodies: [
            (name: \"left\", shape: Sphere(radius: 0.5), material: \"rubber\", linear_velocity: (1, 0, 0)),
            (name: \"right\", shape: Sphere(radius: 0.5), material: \"rubber\", position: Origin(1.3, 0, 0)),
        ]",
    );
    run.steps(60);
    let (left, right) = (run.velocity("left").x, run.velocity("right").x);
    assert_near("speed apart", right - left, 0.5, 1e-3);
    assert_near("momentum", left + right, 1.0, 8.0 * rounding::<S>(1.0));
}

/// A ball that passes 1 mm above another keeps its velocity to the last bit, though their contact has a row.
fn what_passes_near_keeps_its_velocity<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), continuous: Off,
        bodies: [
            (name: \"still\", shape: Sphere(radius: 0.5)),
            (name: \"passing\", shape: Sphere(radius: 0.5), position: Origin(-0.5, 1.001, 0), linear_velocity: (0.5, 0, 0)),
        ]",
    );
    let before = bits(run.body("passing").linear_velocity);
    let mut near = 0;
    for _ in 0..120 {
        run.step();
        near += run.world().counts().get(Counted::ContactPoints);
        assert_eq!(bits(run.body("passing").linear_velocity), before);
    }
    assert!(near > 0, "they were never near");
}

/// A cube that falls through the last 5 mm to the floor, slow enough to be near before it touches, ends there and not in it: its
/// way in the step is the gap, no more.
fn what_comes_near_stops_at_the_surface<S: Scalar>() {
    let mut run = Run::<S>::of(
        "continuous: Off,
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"cube\", shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), position: Origin(0, 0.505, 0), linear_velocity: (0, -0.4, 0)),
        ]",
    );
    for step in 1..=60 {
        run.step();
        let height = run.position("cube").y;
        assert!(height > 0.5 - 1e-4, "at {height} after step {step}");
    }
    assert_near("height", run.position("cube").y, 0.5, 2e-4);
    assert!(run.velocity("cube").length() < 1e-3, "{:?}", run.velocity("cube"));
}

/// A box at 2 m/s on a floor with friction 1/2 comes to rest after `v^2 / (2 mu g)`; a step's way at the start more or less.
fn sliding_box_stops_where_friction_says<S: Scalar>() {
    let mut run = Run::<S>::of(
        "continuous: Off,
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"box\", shape: Cuboid(half_extents: (0.5, 0.1, 0.5)), position: Origin(0, 0.1, 0), linear_velocity: (2, 0, 0)),
        ]",
    );
    run.steps(120);
    assert_near("way", run.position("box").x, 2.0 * 2.0 / (2.0 * 0.5 * GRAVITY), 2.0 * DT);
    assert!(run.velocity("box").length() < 1e-3, "{:?}", run.velocity("box"));
}

/// Bricks stand beside each other without a gap; while the wall of 40 settles, neighbours part and come near again. What idles so must not
/// come between those that press in the order of solving: it made the wall jump, and the bricks end 180 mm from their places.
///
/// A brick stands on two, with eight corners of `m/8 omega^2` each, so that a joint which bears `n` bricks gives way by `n g / omega^2`:
/// 40 levels by `40 * 41 / 2 g / omega^2` at most, at `omega h = 0.8 sqrt(2)`. To settle, they may come down by half of that.
fn neighbours_that_do_not_touch_leave_a_wall_alone<S: Scalar>() {
    let mut run = Run::<S>::of(
        "continuous: Off,
        solver: Impulse(substeps: 4, iterations: 1, relax_iterations: 1, relax_limit: 1, friction: Patch, correction: Soft(damping_ratio: 10, push_speed: 3)),
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
        groups: [(name: \"brick\", body: (shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            layout: Wall(origin: (-19.5, 0.5, 0), base: 40, rows: 40, spacing: (1, 1, 0), taper: true))]",
    );
    let omega = 0.8 * f64::sqrt(2.0) * 4.0 / DT;
    let most = 820.0 * GRAVITY / (omega * omega);
    let places = |run: &Run<S>| -> Vec<Vec3<f64>> {
        let bricks = (0..40).flat_map(|row| (0..40 - row).map(move |column| format!("brick[{row},{column}]")));
        bricks.map(|brick| run.position(&brick)).collect()
    };
    let start = places(&run);
    run.steps(100);
    for (brick, (was, is)) in start.into_iter().zip(places(&run)).enumerate() {
        let way = (is - was).length();
        assert!(way < most, "number {brick} has gone {way} m, not {most} m at most");
    }
}

/// A box on a platform, both turning by 0.05 rad/s: too fast to keep a manifold where impacts are found with it. Where nothing is, it serves
/// until turning has carried the surfaces, 0.87 m and 0.43 m from their middles, by an eighth of 20 mm: by 1.1 mm a step, in the second
/// and third of three.
fn more_manifolds_are_kept_than_where_impacts_are_found<S: Scalar>() {
    let recycled = |continuous: &str| {
        let mut run = Run::<S>::of(&format!(
            "continuous: {continuous},
            bodies: [
                (name: \"platform\", kind: Kinematic, shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), position: Origin(0, -0.5, 0), angular_velocity: (0, 0.05, 0)),
                (name: \"box\", shape: Cuboid(half_extents: (0.25, 0.25, 0.25)), position: Origin(0, 0.25, 0), angular_velocity: (0, 0.05, 0)),
            ]"
        ));
        run.steps(60);
        let mut kept = 0;
        for _ in 0..99 {
            run.step();
            kept += run.world().counts().by_name().get("contacts recycled").copied().unwrap_or_default();
        }
        kept
    };
    assert_eq!(recycled("On"), 0);
    assert_eq!(recycled("Off"), 66);
}
