//! Balls that slide until they roll: what friction can give, and no more.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, chain, rounding};

/// The frequency of contacts by default, 1/s.
const OMEGA: f64 = 0.8 * std::f64::consts::SQRT_2 * 600.0;

on_every_scalar!(
    pressed_ball_along_a_wall_gets_what_friction_can_give,
    sliding_ball_comes_to_roll_at_five_sevenths,
    rolling_ball_rolls_on,
);

/// A ball flies along a wall (the plane x = 0) that a force presses it to for a while, without gravity.
///
/// Friction: `|d omega| <= mu P r / I` in every step, where the wall's impulse P follows from the momentum, `P = F dt +
/// m d v_normal`. The surface point only slows down and never turns round. Once nothing pushes, the energy never rises.
fn pressed_ball_along_a_wall_gets_what_friction_can_give<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), materials: {\"default\": (friction: 0.2)},
        bodies: [
            (name: \"wall\", kind: Static, shape: HalfSpace(normal: (1, 0, 0))),
            (name: \"ball\", position: Origin(0.25, 0, 0), linear_velocity: (0, 0, 4), mass: Total(3),
                shape: Sphere(radius: 0.25)),
        ],
        inputs: [(step: 1, through: 60, action: Force(body: \"ball\", force: (-12, 0, 0)))]",
    );
    let (mass, radius, friction) = (3.0, 0.25, 0.2);
    let moment = 0.4 * mass * radius * radius;
    // The soft wall yields by F / (m omega^2), omega = 0.8 sqrt(2) 600 / s, and the lever is shorter than the radius by half of that.
    let shorter = 12.0 / mass / (OMEGA * OMEGA) / 2.0;
    let error = 4.0 * chain::<S>(200.0, 0.1);
    let surface = |run: &Run<S>| run.velocity("ball").z + radius * run.spin("ball").y;
    let (mut velocity, mut spin, mut sliding) = (run.velocity("ball"), run.spin("ball"), surface(&run));
    let mut energy = run.energy().kinetic;
    for step in 1..=240 {
        run.step();
        let force = if step <= 60 { 12.0 } else { 0.0 };
        let impulse = force * DT + mass * (run.velocity("ball").x - velocity.x);
        let turned = (run.spin("ball") - spin).length();
        let most = friction * impulse * radius / moment;
        assert!(turned <= most + error, "step {step}: turned by {turned}, friction gives {most}");
        let now = surface(&run);
        let lever_error = shorter * run.spin("ball").length() + error;
        assert!(now <= sliding + error && now >= -lever_error, "step {step}: surface {sliding} to {now}");
        let now_energy = run.energy().kinetic;
        assert!(
            step <= 60 || now_energy <= energy + mass * 4.0 * error,
            "step {step}: energy {energy} to {now_energy}"
        );
        (velocity, spin, sliding, energy) = (run.velocity("ball"), run.spin("ball"), now, now_energy);
    }
    // It slides all the time that it is pressed: friction takes mu F t / m = 0.8 m/s from the ball and 7/2 of that, 2.8 m/s of
    // 4, from its surface. The wall takes up its load in the first step or two.
    let slowed = friction * 12.0 / mass * 60.0 * DT;
    assert_near("speed", run.velocity("ball").z, 4.0 - slowed, 2.0 * friction * 12.0 / mass * DT);
    // r x F: the arm -x and the friction -z turn the ball about -y.
    let turned = -slowed * mass * radius / moment;
    assert_near("spin", run.spin("ball").y, turned, 2.0 / 60.0 * turned.abs());
}

/// A ball that starts at v0 without spin ends rolling at 5/7 v0, whatever the friction: the angular momentum about the line of
/// contact is kept. It gets there after `2 v0 / (7 mu g)`.
///
/// The soft floor yields by at most `g / omega^2 = 9.81 / 679^2 = 0.021 mm`; the lever, radius minus half of that, is off
/// by 0.005 % and the speed by no more. A step more or less is the method's.
fn sliding_ball_comes_to_roll_at_five_sevenths<S: Scalar>() {
    for friction in [0.1, 0.3] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: {friction})}},
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"ball\", position: Origin(0, 0.25, 0), linear_velocity: (3, 0, 0), shape: Sphere(radius: 0.25))]"
        ));
        let mut steps = 0_u32;
        while run.velocity("ball").x + 0.25 * run.spin("ball").z > 0.01 {
            run.step();
            steps += 1;
            assert!(steps < 600, "the ball should come to roll");
        }
        let time = 2.0 * 3.0 / (7.0 * friction * 9.81);
        assert_near("time", f64::from(steps) * DT, time, 2.0 * DT);
        run.steps(10);
        let bound = 3.0 * (0.000_021 / 2.0 / 0.25) + 3.0 * chain::<S>(200.0, 0.1);
        assert_near("speed", run.velocity("ball").x, 3.0 * 5.0 / 7.0, bound);
        assert_near("spin", run.spin("ball").z, -3.0 * 5.0 / 7.0 / 0.25, bound / 0.25 * 2.0);
    }
}

/// A ball that rolls, `v = omega r`, rolls on for ten seconds: friction has nothing to do. The lever of the contact is shorter
/// than the radius by half the floor's overlap of 0.021 mm at most, so the speeds match anew within that share.
fn rolling_ball_rolls_on<S: Scalar>() {
    let mut run = Run::<S>::of(
        "bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.25, 0), linear_velocity: (1, 0, 0), angular_velocity: (0, 0, -4),
                shape: Sphere(radius: 0.25))]",
    );
    let share = 0.000_021 / 2.0 / 0.25;
    for _ in 0..10 {
        run.steps(60);
        let error = share + 6000.0 * 4.0 * rounding::<S>(4.0);
        assert_near_vector("velocity", run.velocity("ball"), Vec3::X, error);
        assert_near_vector("spin", run.spin("ball"), Vec3::new(0.0, 0.0, -4.0), 4.0 * error);
    }
}
