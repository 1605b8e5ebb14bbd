//! Impacts: momentum, energy, restitution, and the spin of off-centre blows.
//!
//! Restitution sets the relative normal speed at the moment of the impact to `-e` times what it was, so every closed form
//! below holds to rounding. A chain from the scene to the answer has fewer than 60 roundings: masses and tensors 15, lever and
//! effective mass 15, the impact and the substep after it 15 each.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, bits, chain, rounding, wide};

on_every_scalar!(
    head_on_equal_masses_swap_velocities,
    oblique_impact_follows_its_closed_form,
    elastic_impact_on_a_cube_keeps_energy,
    off_centre_impact_spins_by_its_closed_form,
    slow_impacts_spin_in_proportion,
    central_slow_impact_gives_no_spin,
    restitution_gives_its_rebound,
    flat_box_bounces_by_its_restitution,
    rebound_height_is_the_square_of_restitution,
    below_the_threshold_nothing_bounces,
);

const ROUNDINGS: f64 = 60.0;

/// Keys of a scene without gravity and friction in which everything bounces by `restitution`.
fn frictionless(restitution: f64, bodies: &str) -> String {
    format!(
        "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0),
        materials: {{\"default\": (friction: 0, restitution: {restitution})}}, bodies: [{bodies}]"
    )
}

/// Steps until the velocity of a body changes; gives the direction of the change.
fn run_to_impact<S: Scalar>(run: &mut Run<S>, body: &str) -> Vec3<f64> {
    let before = run.body(body).linear_velocity;
    for _ in 0..600 {
        run.step();
        let now = run.body(body).linear_velocity;
        if bits(now) != bits(before) {
            assert_eq!(run.world().contact_geometry().len(), 1, "one impact");
            let change = wide(now) - wide(before);
            return change * (1.0 / change.length());
        }
    }
    panic!("no impact");
}

/// The normal, from the second to the first, with which two balls meet that fly without forces, and how fast it turns then.
fn normal_of_meeting(way: Vec3<f64>, velocity: Vec3<f64>, distance: f64) -> (Vec3<f64>, f64) {
    let (square, half) = (velocity.dot(velocity), way.dot(velocity));
    let time = (-half - libm::sqrt(half * half - square * (way.dot(way) - distance * distance))) / square;
    let normal = (way + velocity * time) * (-1.0 / distance);
    (normal, normal.cross(velocity).length() / distance)
}

/// Equal balls, e = 1, head on: they swap velocities, and nothing goes sideways or turns, to the bit.
fn head_on_equal_masses_swap_velocities<S: Scalar>() {
    let mut run = Run::<S>::of(&frictionless(
        1.0,
        "(name: \"a\", position: Origin(-1, 0, 0), linear_velocity: (2, 0, 0), shape: Sphere(radius: 0.5)),
        (name: \"b\", position: Origin(1, 0, 0), linear_velocity: (-0.75, 0, 0), shape: Sphere(radius: 0.5))",
    ));
    let start = run.energy();
    run_to_impact(&mut run, "a");
    run.steps(30);
    let bound = 2.75 * chain::<S>(ROUNDINGS, 0.5);
    assert_near_vector("a", run.velocity("a"), Vec3::new(-0.75, 0.0, 0.0), bound);
    assert_near_vector("b", run.velocity("b"), Vec3::new(2.0, 0.0, 0.0), bound);
    for name in ["a", "b"] {
        let [_, y, z] = run.velocity(name).to_array();
        assert_eq!((y, z, run.spin(name)), (0.0, 0.0, Vec3::ZERO));
    }
    let end = run.energy();
    // m = 523.6 kg: an error of v changes p by m, and the energy by m v, on each side.
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI / 8.0;
    assert_near("momentum", end.linear_momentum[0], start.linear_momentum[0], 2.0 * mass * bound);
    assert_near("energy", end.kinetic, start.kinetic, mass * (2.0 + 0.75) * bound);
}

/// Two balls of different mass, off centre, without friction: only the velocity along the normal changes, by
/// `-(1 + e) (v_rel . n) m_eff / m` with `m_eff = 1 / (1/m_a + 1/m_b)`; momentum stays, and energy for e = 1. The normal is that of
/// the meeting, or of a moment within a substep of it: what touches (0.06 mm) at the end of one substep strikes in the next.
fn oblique_impact_follows_its_closed_form<S: Scalar>() {
    for (restitution, mass_a, mass_b) in [(1.0, 2.0, 14.0), (1.0, 5.0, 0.5), (0.6, 2.0, 14.0), (0.25, 3.0, 3.0)] {
        let mut run = Run::<S>::of(&frictionless(
            restitution,
            &format!(
                "(name: \"a\", position: Origin(-1, 0.2, 0.1), linear_velocity: (3, 0, -0.5), mass: Total({mass_a}),
                    shape: Sphere(radius: 0.5)),
                (name: \"b\", position: Origin(1, -0.2, -0.2), linear_velocity: (-0.5, 0.25, 0), mass: Total({mass_b}),
                    shape: Sphere(radius: 0.3))"
            ),
        ));
        let (start, before) = (run.energy(), [run.velocity("a"), run.velocity("b")]);
        let (way, velocity) = (run.position("b") - run.position("a"), before[1] - before[0]);
        let (due, turning) = normal_of_meeting(way, velocity, 0.8);
        let normal = run_to_impact(&mut run, "a");
        assert!((normal - due).length() < turning * DT / 10.0, "{normal:?} should be {due:?}");
        let approach = -velocity.dot(normal);
        let impulse = -(1.0 + restitution) * approach / (1.0 / mass_a + 1.0 / mass_b);
        let bound = 4.0 * chain::<S>(ROUNDINGS, 1.0 / 28.0);
        assert_near_vector("a", run.velocity("a"), before[0] + normal * (impulse / mass_a), bound);
        assert_near_vector("b", run.velocity("b"), before[1] - normal * (impulse / mass_b), bound);
        run.steps(30);
        let end = run.energy();
        let momentum = Vec3::from_array(end.linear_momentum);
        let heavy = mass_a + mass_b;
        assert_near_vector("momentum", momentum, Vec3::from_array(start.linear_momentum), heavy * bound);
        let lost = (1.0 - restitution * restitution) * approach * approach / (1.0 / mass_a + 1.0 / mass_b) / 2.0;
        assert_near("energy", end.kinetic, start.kinetic - lost, heavy * 4.0 * bound);
        // The lever is parallel to the normal, so a frictionless ball cannot be turned: 1 / (0.4 r^2) = 28 answers to what
        // rounding leaves of the lever.
        for name in ["a", "b"] {
            assert_near_vector("spin", run.spin(name), Vec3::ZERO, 28.0 * 4.0 * chain::<S>(10.0, 1.0 / 28.0));
        }
    }
}

/// A ball hits a corner region of a cube, e = 1: the energy of motion and rotation together stays, as does momentum.
///
/// One row with one lever throughout the step: the impulse does the work `P (v_after + v_before) / 2 = 0`.
fn elastic_impact_on_a_cube_keeps_energy<S: Scalar>() {
    let mut run = Run::<S>::of(&frictionless(
        1.0,
        "(name: \"ball\", position: Origin(0.3, 2, 0.2), linear_velocity: (0.2, -3, 0.1), mass: Total(2),
            shape: Sphere(radius: 0.25)),
        (name: \"cube\", mass: Total(5), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)),
            orientation: AxisDegrees(axis: (1, 0.5, -1), degrees: 25), angular_velocity: (0.5, -0.25, 1))",
    ));
    let start = run.energy();
    run_to_impact(&mut run, "ball");
    let end = run.energy();
    let bound = 4.0 * chain::<S>(2.0 * ROUNDINGS, 0.1);
    assert!(run.spin("cube").length() > 1.5, "the blow should turn the cube");
    let momentum = Vec3::from_array(end.linear_momentum);
    assert_near_vector("momentum", momentum, Vec3::from_array(start.linear_momentum), 7.0 * bound);
    assert_near("energy", end.kinetic, start.kinetic, 7.0 * 4.0 * bound);
}

/// A ball of 2 kg flies into a free box, half extents (1, 0.2, 0.2) and 6 kg, at a distance d from its middle.
fn ball_against_box<S: Scalar>(restitution: f64, distance: f64, speed: f64) -> Run<S> {
    Run::of(&frictionless(
        restitution,
        &format!(
            "(name: \"ball\", position: Origin({distance}, -0.45, 0), linear_velocity: (0, {speed}, 0), mass: Total(2),
                shape: Sphere(radius: 0.2)),
            (name: \"box\", mass: Total(6), shape: Cuboid(half_extents: (1, 0.2, 0.2)))"
        ),
    ))
}

/// `lambda = (1 + e) v / (1/m_1 + 1/m_2 + d^2 / I)`, with `I = m/3 (1 + 0.04)`: the box gets `lambda / m` along y and
/// `d lambda / I` about z, positive where it is hit on the right from below; the ball keeps the rest.
fn off_centre_impact_spins_by_its_closed_form<S: Scalar>() {
    for (restitution, distance) in [(1.0, 0.8), (1.0, -0.8), (0.5, 0.8), (0.5, -0.25)] {
        let mut run = ball_against_box::<S>(restitution, distance, 3.0);
        let moment = 6.0 / 3.0 * 1.04;
        let impulse = (1.0 + restitution) * 3.0 / (1.0 / 2.0 + 1.0 / 6.0 + distance * distance / moment);
        run_to_impact(&mut run, "ball");
        // The tensor's smallest entry is 2/3 0.04 = 0.027.
        let bound = 4.0 * chain::<S>(ROUNDINGS, 0.027);
        for later in [0, 30] {
            run.steps(later);
            assert_near("ball", run.velocity("ball").y, 3.0 - impulse / 2.0, bound);
            assert_near("box", run.velocity("box").y, impulse / 6.0, bound);
            let spin = Vec3::new(0.0, 0.0, distance * impulse / moment);
            assert_near_vector("spin", run.spin("box"), spin, bound * if later > 0 { 10.0 } else { 1.0 });
        }
    }
}

/// The same blow a thousand times slower gives a thousandth of the spin, not none: nothing cuts slow rotation off.
fn slow_impacts_spin_in_proportion<S: Scalar>() {
    for speed in [1.0, 0.1, 0.01, 0.001] {
        let mut run = ball_against_box::<S>(1.0, 0.8, speed);
        let moment = 6.0 / 3.0 * 1.04;
        let impulse = 2.0 * speed / (1.0 / 2.0 + 1.0 / 6.0 + 0.64 / moment);
        for _ in 0..((0.06 / speed / DT) as u32 + 2) {
            run.step();
        }
        let bound = 4.0 * speed * chain::<S>(ROUNDINGS, 0.027 * speed) + drift_of_lever::<S>(speed);
        assert_near("spin", run.spin("box").z, 0.8 * impulse / moment, bound);
    }
}

/// What the spin of a slow impact may lose after it: nothing but the roundings of carrying it over the steps that follow.
fn drift_of_lever<S: Scalar>(speed: f64) -> f64 {
    let steps = 0.06 / speed / DT + 2.0;
    steps * 40.0 * rounding::<S>(speed)
}

/// A slow blow through the centre of mass gives no spin, to the bit.
fn central_slow_impact_gives_no_spin<S: Scalar>() {
    for speed in [1.0, 0.01] {
        let mut run = ball_against_box::<S>(1.0, 0.0, speed);
        for _ in 0..((0.06 / speed / DT) as u32 + 10) {
            run.step();
        }
        assert!(run.velocity("box").y > 0.0, "the blow should have come");
        assert_eq!(bits(run.body("box").angular_velocity), bits(Vec3::<S>::ZERO));
        assert_eq!(bits(run.body("ball").angular_velocity), bits(Vec3::<S>::ZERO));
    }
}

/// How fast a body that falls freely from or to this height above the floor is there: `(v - g h / 2)^2 + 2 g height`, as the
/// parabola through the moments of semi-implicit Euler, with substeps of length h, has the velocity `v - g h / 2` at each.
fn speed_at_floor<S: Scalar>(run: &Run<S>, body: &str, height: f64) -> f64 {
    let speed = run.velocity(body).y - 9.81 * DT / 10.0 / 2.0;
    libm::sqrt(speed * speed + 2.0 * 9.81 * height)
}

/// A ball dropped from 2 m leaves the floor with e times the speed with which it came, at the second impact too; both happen
/// within a step.
fn restitution_gives_its_rebound<S: Scalar>() {
    for restitution in [0.25, 0.5, 0.85, 1.0] {
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse(restitution_threshold: 0), materials: {{\"default\": (restitution: {restitution})}},
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"ball\", position: Origin(0, 2.3, 0), shape: Sphere(radius: 0.3))]"
        ));
        let mut bounces = 0;
        while bounces < 2 {
            let falls = run.velocity("ball").y < 0.0;
            let came = speed_at_floor(&run, "ball", run.position("ball").y - 0.3);
            run.step();
            if falls && run.velocity("ball").y > 0.0 {
                bounces += 1;
                let left = speed_at_floor(&run, "ball", run.position("ball").y - 0.3);
                assert_near("rebound", left, restitution * came, came * chain::<S>(4.0 * ROUNDINGS, 0.25));
            }
        }
        assert_eq!(run.spin("ball"), Vec3::ZERO);
    }
}

/// A cube that lands flat bounces as a ball does: its four corners share the blow, and it does not turn.
///
/// Their rows are swept until no impulse changes a speed by more than `2^-16` m/s, and each sweep leaves at most half of what
/// the one before did: `2^-14` m/s for the four. The cube's speed is the mean of its corners, its spin the difference of two
/// over their distance.
fn flat_box_bounces_by_its_restitution<S: Scalar>() {
    for restitution in [0.1, 0.25, 0.5, 0.85, 1.0] {
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse(restitution_threshold: 0), materials: {{\"default\": (friction: 0, restitution: {restitution})}},
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"cube\", position: Origin(0, 2.3, 0), shape: Cuboid(half_extents: (0.3, 0.3, 0.3)))]"
        ));
        let mut came = 0.0;
        while run.velocity("cube").y <= 0.0 {
            came = speed_at_floor(&run, "cube", run.position("cube").y - 0.3);
            run.step();
        }
        let bound = 1.0 / 16384.0 + came * chain::<S>(4.0 * ROUNDINGS, 0.25);
        for _ in 0..3 {
            let left = speed_at_floor(&run, "cube", run.position("cube").y - 0.3);
            assert_near("rebound", left, restitution * came, bound);
            assert_near_vector("spin", run.spin("cube"), Vec3::ZERO, 2.0 * bound / 0.6);
            run.step();
        }
    }
}

/// The ball comes back to `e^2` of its height. What the step leaves open is the speed of the impact: it is that of the step's
/// start, up to `g dt` less than at the floor, and the integrator's own `g h / 2`; and the place where the ball turns round,
/// `v dt` at most above or below the floor.
fn rebound_height_is_the_square_of_restitution<S: Scalar>() {
    for restitution in [0.5, 0.85, 1.0] {
        let mut run = Run::<S>::of(&format!(
            "dt: \"1/600\", solver: Impulse(restitution_threshold: 0),
            materials: {{\"default\": (restitution: {restitution})}},
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"ball\", position: Origin(0, 2.3, 0), shape: Sphere(radius: 0.3))]"
        ));
        while run.velocity("ball").y <= 0.0 {
            run.step();
        }
        let mut highest = 0.0_f64;
        while run.velocity("ball").y > 0.0 {
            run.step();
            highest = highest.max(run.position("ball").y - 0.3);
        }
        let (dt, impact) = (1.0 / 600.0, libm::sqrt(2.0 * 9.81 * 2.0));
        let speed_error = restitution * 9.81 * (dt + dt / 8.0);
        let bound = restitution * impact * speed_error / 9.81 + impact * dt + 9.81 * dt * dt;
        assert_near("height", highest, restitution * restitution * 2.0, bound);
    }
}

/// Below the threshold nothing bounces: after it has landed at 0.8 m/s the ball never moves upwards again. The push out of an
/// overlap moves the ball, but its speed is taken out again in the same substep.
fn below_the_threshold_nothing_bounces<S: Scalar>() {
    let mut run = Run::<S>::of(
        "solver: Impulse(restitution_threshold: 1), materials: {\"default\": (restitution: 0.9)},
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, 0.45, 0), linear_velocity: (0, -0.2, 0), shape: Sphere(radius: 0.43))]",
    );
    let mut fastest = 0.0_f64;
    for _ in 0..120 {
        run.step();
        fastest = fastest.max(-run.velocity("ball").y);
        let bound = 8.0 * rounding::<S>(1.0);
        assert!(run.velocity("ball").y <= bound, "the ball bounced at {}", run.velocity("ball").y);
    }
    assert!((0.2..1.0).contains(&fastest), "the ball should land, below the threshold: {fastest}");
}
