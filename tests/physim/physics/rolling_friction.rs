//! What slows a ball that rolls or spins: torques of at most a length times the normal force.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, chain, rounding};

on_every_scalar!(
    rolling_ball_comes_to_rest,
    ball_rests_on_a_slope_until_it_is_too_steep,
    spinning_ball_stops_after_its_time,
    without_a_coefficient_nothing_slows_a_spin,
);

const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.25;

/// A ball of radius 0.25 m on a plane of this material that rises by so many degrees along x.
fn ball<S: Scalar>(material: &str, degrees: f64, motion: &str) -> Run<S> {
    let angle = degrees.to_radians();
    let (x, y) = (-RADIUS * libm::sin(angle), RADIUS * libm::cos(angle));
    Run::of(&format!(
        "materials: {{\"grass\": ({material})}}, bodies: [
            (name: \"ground\", kind: Static, material: \"grass\", orientation: AxisDegrees(axis: (0, 0, 1), degrees: {degrees}),
                shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin({x:.9}, {y:.9}, 0), {motion} shape: Sphere(radius: {RADIUS}))]"
    ))
}

/// Friction F slows the ball, `m a = F`, and turns it forwards; the torque b N holds against its turning. It rolls, so
/// `2/5 m r^2 (a / r) = b N - F r`, and with N = m g it slows by `a = 5/7 g b / r`; it stops after `v / a` and `v^2 / (2 a)`, and
/// then it stays. The contact takes up its load in the first step or two.
fn rolling_ball_comes_to_rest<S: Scalar>() {
    for arm in [0.005, 0.02] {
        let run = &mut ball::<S>(
            &format!("rolling_friction: {arm}"),
            0.0,
            &format!("linear_velocity: (0.6, 0, -0.8), angular_velocity: ({}, 0, {}),", -0.8 / RADIUS, -0.6 / RADIUS),
        );
        let direction = Vec3::new(0.6, 0.0, -0.8);
        let slows = 5.0 / 7.0 * GRAVITY * arm / RADIUS;
        let steps = (1.0 / slows / DT) as u32;
        for step in 1..=steps {
            run.step();
            let speed = 1.0 - slows * f64::from(step) * DT;
            let what = format!("velocity with {arm} in step {step}");
            assert_near_vector(&what, run.velocity("ball"), direction * speed, 2.0 * slows * DT + 1e-3);
        }
        run.steps(10);
        let there = run.position("ball");
        assert_near("way", there.dot(direction), 1.0 / (2.0 * slows), 0.01 / (2.0 * slows));
        run.steps(300);
        assert!(run.velocity("ball").length() < 1e-5 && run.spin("ball").length() < 1e-4, "it should rest");
        let crept = (run.position("ball") - there).length();
        assert!(crept < 1e-4, "crept {crept}");
    }
}

/// On a slope the torque holds the ball as long as `tan < b / r`, here up to 1.15 degrees; steeper, it rolls with
/// `5/7 g (sin - cos b / r)`.
fn ball_rests_on_a_slope_until_it_is_too_steep<S: Scalar>() {
    let mut run = ball::<S>("rolling_friction: 0.005", 1.0, "");
    run.steps(30);
    let there = run.position("ball");
    run.steps(300);
    let crept = (run.position("ball") - there).length();
    assert!(crept < 1e-4 + 3300.0 * 10.0 * rounding::<S>(RADIUS), "crept {crept}");
    for degrees in [2.0_f64, 5.0] {
        let mut run = ball::<S>("rolling_friction: 0.005", degrees, "");
        run.steps(30);
        let before = run.velocity("ball").length();
        run.steps(60);
        let angle = degrees.to_radians();
        let due = 5.0 / 7.0 * GRAVITY * (libm::sin(angle) - libm::cos(angle) * 0.005 / RADIUS);
        assert_near(&format!("{degrees} degrees"), run.velocity("ball").length() - before, due, 0.005 * due);
    }
}

/// A ball that spins about the normal is slowed by a torque c N: its spin falls by `c g / (2/5 r^2)` a second, is gone after its
/// time, and the ball stays where it is.
fn spinning_ball_stops_after_its_time<S: Scalar>() {
    let arm = 0.002;
    for friction in [0.0, 0.5] {
        let material = format!("friction: {friction}, spinning_friction: {arm}");
        let mut run = ball::<S>(&material, 0.0, "angular_velocity: (0, 2, 0),");
        let slows = arm * GRAVITY / (0.4 * RADIUS * RADIUS);
        let steps = (2.0 / slows / DT) as u32;
        for step in 1..=steps {
            run.step();
            let due = 2.0 - slows * f64::from(step) * DT;
            assert_near(&format!("spin in step {step}"), run.spin("ball").y, due, 2.0 * slows * DT + 1e-3);
        }
        run.steps(60);
        assert!(run.spin("ball").length() < 1e-5, "it should rest: {:?}", run.spin("ball"));
        assert!(Vec3::new(run.position("ball").x, 0.0, run.position("ball").z).length() < 1e-5, "it should stay");
    }
}

/// No coefficient, no torque: a spin about the normal goes on, and so does a ball that rolls (`rolling`).
fn without_a_coefficient_nothing_slows_a_spin<S: Scalar>() {
    let mut run = ball::<S>("friction: 1", 0.0, "angular_velocity: (0, 2, 0),");
    run.steps(600);
    assert_near_vector("spin", run.spin("ball"), Vec3::new(0.0, 2.0, 0.0), 2.0 * chain::<S>(6000.0 * 4.0, 1.0));
}
