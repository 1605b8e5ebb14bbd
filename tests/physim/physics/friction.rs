//! Coulomb friction: what sticks, what slides, and how fast.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, chain, rounding};

on_every_scalar!(
    box_sticks_below_the_friction_angle,
    box_slides_above_the_friction_angle,
    sliding_box_stops_after_its_way,
    platform_carries_a_box,
);

const GRAVITY: f64 = 9.81;

/// A cube on a plane that rises by 30 degrees along x: tan = 0.57735.
fn slope<S: Scalar>(friction: f64) -> Run<S> {
    Run::of(&format!(
        "materials: {{\"default\": (friction: {friction})}},
        bodies: [
            (name: \"slope\", kind: Static, orientation: AxisDegrees(axis: (0, 0, 1), degrees: 30),
                shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"cube\", position: Origin(-0.25, 0.4330127019, 0),
                orientation: AxisDegrees(axis: (0, 0, 1), degrees: 30), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        ]"
    ))
}

/// Downhill, along the slope.
fn downhill() -> Vec3<f64> {
    Vec3::new(-libm::sqrt(3.0) / 2.0, -0.5, 0.0)
}

/// With mu 5 % above tan 30 degrees the cube stays for ten seconds. While the contact takes up its load, in the first half
/// second, friction has less than it needs and the cube may slide, by `g t^2 / 2` of the time until the plane bears it: two
/// steps, 5 mm. The spring of 108 Hz and damping ratio 10 then yields at the rate `omega / (2 zeta) = 34 / s`: after five seconds
/// `exp(-170)` is left of that. From there on a substep leaves 10 roundings: 2 in each of the corners' rows, 2 in the position.
fn box_sticks_below_the_friction_angle<S: Scalar>() {
    let mut run = slope::<S>(0.606);
    let start = run.position("cube");
    run.steps(30);
    let settled = run.position("cube");
    let settling = (settled - start).dot(downhill()).abs();
    run.steps(270);
    let settled = run.position("cube");
    assert!(settling < GRAVITY * (2.0 * DT) * (2.0 * DT) / 2.0, "slid {settling} m while settling");
    run.steps(600);
    let creep = (run.position("cube") - settled).length();
    let bound = 6000.0 * 10.0 * rounding::<S>(1.0);
    assert!(creep <= bound, "crept {creep:e} m in ten seconds, more than {bound:e}");
}

/// With mu below tan 30 degrees it slides with `a = g (sin - mu cos)`.
///
/// Over a time T the plane's impulses come to `m (g cos T + change of normal speed)`, and friction is mu times that: a is off
/// by mu times the normal speeds at both ends over T, and by the roundings of each substep.
fn box_slides_above_the_friction_angle<S: Scalar>() {
    for friction in [0.0, 0.3, 0.549] {
        let mut run = slope::<S>(friction);
        let normal = Vec3::new(-0.5, libm::sqrt(3.0) / 2.0, 0.0);
        run.steps(30);
        let before = run.velocity("cube");
        run.steps(60);
        let after = run.velocity("cube");
        let acceleration = (after - before).dot(downhill());
        let should_be = GRAVITY * (0.5 - friction * libm::sqrt(3.0) / 2.0);
        let bound = friction * (before.dot(normal).abs() + after.dot(normal).abs())
            + 600.0 * (20.0 * rounding::<S>(GRAVITY / 600.0) + 10.0 * rounding::<S>(7.0));
        assert_near("acceleration", acceleration, should_be, bound);
        assert!(run.spin("cube").length() < 1e-3, "it should slide, not turn: {:?}", run.spin("cube"));
    }
}

/// A box that slides at v stops after `v^2 / (2 mu g)` and `v / (mu g)`; a step can be off by its own length, in which the box
/// makes `v dt`. Then it stays, to rounding.
fn sliding_box_stops_after_its_way<S: Scalar>() {
    let mut run = Run::<S>::of(
        "materials: {\"default\": (friction: 0.4)},
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"box\", position: Origin(0, 0.2, 0), linear_velocity: (2.4, 0, -1.8),
                shape: Cuboid(half_extents: (0.6, 0.2, 0.6))),
        ]",
    );
    let (speed, deceleration) = (3.0, 0.4 * GRAVITY);
    let mut steps = 0_u32;
    while run.velocity("box").length() > 1e-3 {
        run.step();
        steps += 1;
        assert!(steps < 600, "the box should stop");
    }
    assert_near("time", f64::from(steps) * DT, speed / deceleration, 2.0 * DT);
    let way = run.position("box") - Vec3::new(0.0, 0.2, 0.0);
    assert_near("way", Vec3::new(way.x, 0.0, way.z).length(), speed * speed / (2.0 * deceleration), 2.0 * speed * DT);
    assert_near("direction", way.z / way.x, -0.75, 2.0 * DT);
    let there = run.position("box");
    run.steps(300);
    let creep = (run.position("box") - there).length();
    assert!(creep < 1e-3 * DT * 10.0 + 3000.0 * 10.0 * rounding::<S>(1.0), "crept {creep}");
}

/// A box put on a platform that moves at 1 m/s is taken along: friction speeds it up by `mu g` until it has the platform's
/// speed, after `v / (mu g)` and a way `v^2 / (2 mu g)` behind; it never overtakes by more than friction can give in a substep, and then it stays where it is.
fn platform_carries_a_box<S: Scalar>() {
    let mut run = Run::<S>::of(
        "materials: {\"default\": (friction: 0.5)},
        bodies: [
            (name: \"platform\", kind: Kinematic, linear_velocity: (1, 0, 0), shape: Cuboid(half_extents: (2, 0.25, 2))),
            (name: \"box\", position: Origin(0, 0.5, 0), shape: Cuboid(half_extents: (0.25, 0.25, 0.25))),
        ]",
    );
    let acceleration = 0.5 * GRAVITY;
    let time = 1.0 / acceleration;
    for step in 1..=360_u32 {
        run.step();
        let (elapsed, speed) = (f64::from(step) * DT, run.velocity("box").x);
        assert!(speed <= 1.0 + acceleration / 600.0, "faster than what carries it: {speed}");
        if elapsed < time {
            assert_near("speed", speed, acceleration * elapsed, acceleration * DT);
        }
    }
    assert_near("speed", run.velocity("box").x, 1.0, chain::<S>(60.0, 0.1));
    assert_eq!(run.velocity("platform"), Vec3::X, "nothing moves the platform");
    let behind = run.position("platform").x - run.position("box").x;
    assert_near("way behind", behind, 1.0 / (2.0 * acceleration), 2.0 * DT);
    run.steps(240);
    let now = run.position("platform").x - run.position("box").x;
    assert_near("way behind later", now, behind, 2400.0 * 10.0 * rounding::<S>(10.0));
}
