//! Impacts where and when they happen within a step: heights and times of many bounces, chains of balls, blows off centre.
//!
//! Between two moments of semi-implicit Euler with substeps of length h lies the parabola that begins with the velocity
//! `v - g h / 2`, so apexes are known exactly at every step, and what an elastic ball loses is lost at its impacts.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, assert_near_vector, chain, rounding};

on_every_scalar!(
    elastic_ball_keeps_its_height_over_ten_bounces,
    elastic_box_that_falls_flat_stays_level,
    only_what_is_fast_enough_is_an_impact,
    restitution_gives_its_square_of_the_height,
    bounces_end_when_their_sum_says,
    cradle_passes_the_speed_on,
    inelastic_blow_is_shared,
    slow_blows_of_what_turns_keep_the_angular_momentum,
    fast_blows_of_sticks_keep_the_angular_momentum,
    elastic_balls_keep_their_energy,
    elastic_box_keeps_its_energy_in_a_cell,
    blow_off_the_centre_of_a_rod_happens_at_its_time,
    no_blow_adds_energy,
);

const GRAVITY: f64 = 9.81;
/// The gap up to which shapes count as touching, metres.
const TOUCHING: f64 = 1.0 / 16384.0;

/// A ball that falls from this height to a floor.
fn dropped<S: Scalar>(height: f64, restitution: f64, solver: &str) -> Run<S> {
    Run::of(&format!(
        "solver: Impulse({solver}), materials: {{\"default\": (restitution: {restitution})}},
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"ball\", position: Origin(0, {}, 0), shape: Sphere(radius: 0.5))]",
        height + 0.5
    ))
}

/// How high the ball flies on the parabola on which it is.
fn apex<S: Scalar>(run: &Run<S>, substeps: u32) -> f64 {
    let speed = run.velocity("ball").y - GRAVITY * DT / f64::from(substeps) / 2.0;
    run.position("ball").y - 0.5 + speed * speed / (2.0 * GRAVITY)
}

/// Steps until the ball has bounced once more.
fn bounce<S: Scalar>(run: &mut Run<S>) {
    for _ in 0..1200 {
        let before = run.velocity("ball").y;
        run.step();
        if before < 0.0 && run.velocity("ball").y > 0.0 {
            return;
        }
    }
    panic!("the ball does not bounce any more");
}

/// e = 1, friction 0.5: a box that falls flat is struck alike at all four corners, bounces without a spin, and is as high after
/// ten bounces as at first, to a thousandth. Turned about the vertical its arms are rounded, and that stays as small as rounding.
/// A box that leans by 10 microradians has all corners struck within a 64th of a substep: that is one blow, which turns it back by
/// what it had turned, so that it leans as before after every second one.
fn elastic_box_that_falls_flat_stays_level<S: Scalar>() {
    for (half_extents, axis, radians, spin) in [
        ((0.5, 0.5, 0.5), "(0, 1, 0)", 0.0, 0.0),
        ((0.5, 0.1, 0.2), "(0, 1, 0)", 0.0, 0.0),
        ((0.5, 0.5, 0.5), "(0, 1, 0)", 0.5, 1000.0 * rounding::<S>(1.0)),
        ((0.5, 0.5, 0.5), "(1, 0, 2)", 1e-5, 1e-5 + 1000.0 * rounding::<S>(1.0)),
    ] {
        let (_, height, _) = half_extents;
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 0.5, restitution: 1)}},
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"ball\", position: Origin(0, {}, 0), orientation: AxisRadians(axis: {axis}, radians: {radians}),
                    shape: Cuboid(half_extents: {half_extents:?}))]",
            height + 1.0
        ));
        let substeps = 10;
        let start = apex(&run, substeps);
        for number in 1..=10 {
            bounce(&mut run);
            let what = format!("{half_extents:?} turned about {axis} by {radians}, bounce {number}");
            assert!(run.spin("ball").length() <= spin, "{what}: it spins by {:?}", run.spin("ball"));
            assert_near(&what, apex(&run, substeps), start, 1e-3);
        }
    }
}

/// Without gravity a ball comes at a floor: faster than the threshold it leaves as it came, for e = 1; else it stops where the gap
/// closes, whenever in a step that is, and overlaps at no time by more than what counts as touching.
fn only_what_is_fast_enough_is_an_impact<S: Scalar>() {
    for (threshold, speed) in [(1.0, 0.3), (1.0, 0.95), (0.1, 0.09), (10.0, 3.0), (1.0, 1.05), (0.1, 0.3), (10.0, 10.5)]
    {
        for gap in [0.02, 0.021, 0.0237, 0.05] {
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: {threshold}),
                materials: {{\"default\": (restitution: 1)}},
                bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                    (name: \"ball\", position: Origin(0, {}, 0), linear_velocity: (0, -{speed}, 0), shape: Sphere(radius: 0.5))]",
                0.5 + gap
            ));
            let what = format!("threshold {threshold}, {speed} m/s from {gap} m");
            let mut deepest = 0.0_f64;
            for _ in 0..60 {
                run.step();
                deepest = deepest.max(0.5 - run.position("ball").y);
            }
            assert!(deepest <= TOUCHING, "{what}: overlaps by {deepest}");
            let end = if speed > threshold { speed } else { 0.0 };
            assert_near(&what, run.velocity("ball").y, end, 1e-3 * speed);
            if end == 0.0 {
                assert_near(&what, run.position("ball").y, 0.5, TOUCHING);
            }
        }
    }
}

/// e = 1: after ten bounces the ball still flies as high as it was at first, to a thousandth.
fn elastic_ball_keeps_its_height_over_ten_bounces<S: Scalar>() {
    for substeps in [1, 2, 4, 8] {
        for height in [0.5, 2.0, 10.0, 50.0] {
            let mut run = dropped::<S>(height, 1.0, &format!("substeps: {substeps}"));
            let start = apex(&run, substeps);
            for _ in 0..10 {
                bounce(&mut run);
            }
            let what = format!("height of {height} with {substeps} substeps");
            assert_near(&what, apex(&run, substeps), start, 1e-3 * height);
            assert!(run.spin("ball") == Vec3::ZERO && run.position("ball").x == 0.0, "{what}: it bounces upright");
        }
    }
}

/// e = 1, no friction, no weight: a box of three unequal sides flies in a cell of 2 m, strikes its walls with corners, edges and faces, and turns
/// ever faster or slower by it; what it has altogether stays to rounding for twenty seconds, with 2 substeps as with 10. A body that turns
/// between two moments while it is struck may not lose a little each time; and what comes near a wall only within a step, with a corner that
/// has hardly a speed of its own, once went back to the step's start for the blow, and won up to 0.3 percent in one.
fn elastic_box_keeps_its_energy_in_a_cell<S: Scalar>() {
    let walls = [("(1, 0, 0)", "(-1, 0, 0)"), ("(0, 1, 0)", "(0, -1, 0)"), ("(0, 0, 1)", "(0, 0, -1)")]
        .map(|(a, b)| {
            [(a, b), (b, a)].map(|(at, normal)| {
                format!("(name: \"{at}\", kind: Static, position: Origin{at}, shape: HalfSpace(normal: {normal})),")
            })
        })
        .concat()
        .concat();
    let starts = [
        ("(5, 3, 2)", "(1, 2, -3)", 10),
        ("(5, 3, 2)", "(1, 2, -3)", 2),
        ("(3.214, 0.998, 2.221)", "(-2.948, 0.878, 1.426)", 2),
        ("(-2.512, 0.286, 0.795)", "(1.206, -0.644, -2.999)", 2),
        ("(-4.683, 4.688, -3.051)", "(2.966, 2.68, -1.448)", 2),
    ];
    for (velocity, spin, substeps) in starts {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0, substeps: {substeps}),
            materials: {{\"default\": (friction: 0, restitution: 1)}},
            bodies: [{walls} (name: \"box\", position: Origin(0, 0, 0), linear_velocity: {velocity},
                angular_velocity: {spin}, mass: Total(1), shape: Cuboid(half_extents: (0.2, 0.12, 0.08)))]"
        ));
        let (energy, spun) = (run.energy().kinetic, run.spin("box"));
        // Some hundred blows of ten roundings each, of numbers down to a hundredth, and what a body turns by in each substep.
        let bound = chain::<S>(5000.0, 1e-2) * energy;
        for _ in 0..20 {
            run.steps(60);
            assert_near(&format!("{velocity}, {substeps} substeps: energy"), run.energy().kinetic, energy, bound);
        }
        let at = run.position("box");
        assert!(at.x.abs().max(at.y.abs()).max(at.z.abs()) < 1.0, "the box is in its cell: {at:?}");
        assert!(run.velocity("box").y.abs() > 0.0 && run.spin("box") != spun, "it was struck");
    }
}

/// e = 0, no friction, no weight: a ball meets a capsule that turns by 10 rad/s, 0.17 rad a step, off its centre, and is carried round by it for some
/// steps in which it strikes again and again. What both have of angular momentum together stays to a thousandth. Where a
/// body is struck within a step, its momentum has turned by a part of the step only.
fn slow_blows_of_what_turns_keep_the_angular_momentum<S: Scalar>() {
    let mut run = Run::<S>::of(
        "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0), materials: {\"default\": (friction: 0, restitution: 0)},
        bodies: [
            (name: \"ball\", position: Origin(-0.3977, 0, 0), linear_velocity: (3, 0, 0), shape: Sphere(radius: 0.1587)),
            (name: \"capsule\", position: Origin(0.3977, -0.0775, -0.1115),
                orientation: Quaternion(0.2363, -0.2879, -0.9169, 0.1434), linear_velocity: (-3, 0, 0),
                angular_velocity: (-2.5276, -4.4338, 8.5996), shape: Capsule(half_height: 0.3076, radius: 0.2791))]",
    );
    let start = run.energy().angular_momentum;
    let size = start.iter().map(|part| part.abs()).sum::<f64>();
    for step in 1..=24 {
        run.step();
        for (now, start) in run.energy().angular_momentum.into_iter().zip(start) {
            assert_near(&format!("angular momentum in step {step}"), now, start, 1e-3 * size);
        }
    }
    assert!(run.velocity("ball").x < 0.0, "it was struck");
}

/// No friction, no weight: a stick of 1 m and 3.6 kg and a cube of 64 kg meet at 20 m/s. The stick spins by a tenth of a turn and more in
/// a step from then on, and strikes the cube again some times. What both have of angular momentum together stays, but for what
/// a lever of 2.5 mm, a twelfth of the stick's half thickness, would change.
fn fast_blows_of_sticks_keep_the_angular_momentum<S: Scalar>() {
    for restitution in ["0", "0.5"] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), materials: {{\"default\": (friction: 0, restitution: {restitution})}}, bodies: [
                (name: \"stick\", position: Origin(-1, 0.0125, -0.027), linear_velocity: (10, 0, 0),
                    orientation: Quaternion(0.764309, 0.347300, 0.045849, 0.541398), angular_velocity: (-0.4, -0.1, -0.3),
                    shape: Cuboid(half_extents: (0.5, 0.03, 0.03))),
                (name: \"cube\", position: Origin(1, 0, 0), linear_velocity: (-10, 0, 0),
                    orientation: Quaternion(-0.734956, 0.632936, 0.131938, -0.204509), angular_velocity: (-1.7, 1.9, -1),
                    shape: Cuboid(half_extents: (0.2, 0.2, 0.2)))]"
        ));
        let start = run.energy();
        run.steps(24);
        let end = run.energy();
        assert!(end.kinetic < start.kinetic, "they met");
        for (now, before) in end.angular_momentum.into_iter().zip(start.angular_momentum) {
            assert_near(&format!("angular momentum with {restitution}"), now, before, 0.0025 * 3.6 * 20.0);
        }
    }
}

/// The ball comes back to `e^2` of its height, and after the second bounce to `e^4`: to a hundredth, at the defaults.
fn restitution_gives_its_square_of_the_height<S: Scalar>() {
    for restitution in [0.3, 0.5, 0.8, 0.95] {
        for height in [1.0, 3.0, 7.0] {
            let mut run = dropped::<S>(height, restitution, "restitution_threshold: 0");
            let mut should_be = apex(&run, 10);
            for _ in 0..2 {
                should_be *= restitution * restitution;
                bounce(&mut run);
                assert_near(&format!("{height} with {restitution}"), apex(&run, 10), should_be, 0.01 * should_be);
            }
        }
    }
}

/// With no threshold the bounces from a height H end after `sqrt(2 H / g) (1 + e) / (1 - e)`: to two hundredths. What is slower
/// than `v` has less than `2 v / (g (1 - e))` to go, a hundredth of a second here.
fn bounces_end_when_their_sum_says<S: Scalar>() {
    for restitution in [0.5, 0.8] {
        let mut run = dropped::<S>(2.0, restitution, "restitution_threshold: 0");
        let mut last = 0;
        for step in 1..=600 {
            run.step();
            if run.velocity("ball").y.abs() > 0.01 {
                last = step;
            }
        }
        let time = libm::sqrt(2.0 * 2.0 / GRAVITY) * (1.0 + restitution) / (1.0 - restitution);
        assert_near(&format!("end with {restitution}"), f64::from(last) * DT, time, 0.02 * time);
    }
}

/// A ball meets nineteen at rest, with any gap between them: the last one flies off with 0.99 of the speed, and momentum and
/// energy are what they were.
fn cradle_passes_the_speed_on<S: Scalar>() {
    for gap in [0.0, 1e-5, 1e-3, 0.05] {
        let others: String = (1..20)
            .map(|k| {
                let x = f64::from(k) * (1.0 + gap);
                format!("(name: \"ball {k}\", position: Origin({x:.5}, 0, 0), shape: Sphere(radius: 0.5)),")
            })
            .collect();
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0),
            materials: {{\"default\": (friction: 0, restitution: 1)}}, bodies: [{others}
                (name: \"ball 0\", position: Origin(-1, 0, 0), linear_velocity: (3, 0, 0), shape: Sphere(radius: 0.5))]"
        ));
        run.steps(60);
        let speeds: Vec<f64> = (0..20).map(|k| run.velocity(&format!("ball {k}")).x).collect();
        assert_near(&format!("speed of the last, gap {gap}"), speeds[19], 3.0, 0.03);
        assert_near("momentum", speeds.iter().sum(), 3.0, 20.0 * 3.0 * chain::<S>(60.0, 0.5));
        assert_near("energy", speeds.iter().map(|v| v * v).sum(), 9.0, 9.0 * 40.0 * chain::<S>(60.0, 0.5));
    }
}

/// e = 0, equal masses: each has half of the 5 m/s afterwards, 2.50 and 2.50.
fn inelastic_blow_is_shared<S: Scalar>() {
    for shape in ["Sphere(radius: 0.5)", "Cuboid(half_extents: (0.5, 0.5, 0.5))"] {
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), materials: {{\"default\": (friction: 0)}}, bodies: [
                (name: \"a\", position: Origin(-3, 0, 0), linear_velocity: (5, 0, 0), shape: {shape}),
                (name: \"b\", shape: {shape})]"
        ));
        run.steps(60);
        for name in ["a", "b"] {
            assert_near_vector(&format!("{name}, {shape}"), run.velocity(name), Vec3::new(2.5, 0.0, 0.0), 0.005);
            assert!(run.spin(name).length() < 0.005, "{shape}: {name} should not turn");
        }
        let meeting = -3.0 + 2.0; // of a, after 2 / 5 s; the rest of the second at half the speed
        assert_near("place of a", run.position("a").x, meeting + 0.6 * 2.5, 1e-3);
    }
}

/// Balls of 10 kg bounce from 5 m for 20 s. The mean squared error of the energy of 49 such balls with ODE is 18808, 2983 and
/// 185 J^2 at steps of 0.01, 0.004 and 0.001 s (SimBenchmark); each ball is alone, so four have (4/49)^2 of that.
fn elastic_balls_keep_their_energy<S: Scalar>() {
    for (rate, ode) in [(100, 18808.0), (250, 2983.0), (1000, 185.0)] {
        let balls: String = [(0, 0), (12, 0), (0, 12), (12, 12)]
            .map(|(x, z)| {
                format!(
                    "(name: \"ball {x} {z}\", position: Origin({x}, 5, {z}), mass: Total(10), shape: Sphere(radius: 0.1)),"
                )
            })
            .concat();
        let mut run = Run::<S>::of(&format!(
            "dt: \"1/{rate}\", solver: Impulse(restitution_threshold: 0),
            materials: {{\"default\": (friction: 0, restitution: 1)}},
            bodies: [{balls} (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))]"
        ));
        let start = run.energy().total();
        let mut sum = 0.0;
        for _ in 0..1000 {
            run.steps(rate / 50);
            let error = run.energy().total() - start;
            sum += error * error;
        }
        let gate = ode * (4.0 / 49.0) * (4.0 / 49.0);
        assert!(sum / 1000.0 < gate, "mean squared error at 1/{rate} s: {} J^2, ODE's is {gate}", sum / 1000.0);
    }
}

/// A rod flies sideways at v into a peg at a distance d from its middle, without friction. The blow is
/// `(1 + e) m v / (1 + m d^2 / I)`, and it comes after `gap / v`, within a step: from there on the rod flies and turns with what
/// the blow gave it,
/// for the step or so before its other end comes round. Shapes that touch may be 0.06 mm apart, which shifts the time by as much over v.
fn blow_off_the_centre_of_a_rod_happens_at_its_time<S: Scalar>() {
    for (speed, restitution, distance) in [(3.0, 1.0, 0.6), (30.0, 1.0, -0.6), (30.0, 0.5, 0.3), (7.0, 0.25, 0.9)] {
        let (gap, steps) = (1.01, (60.0 * 1.01 / speed) as u32 + 1);
        let mut run = Run::<S>::of(&format!(
            "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: 0),
            materials: {{\"default\": (friction: 0, restitution: {restitution})}}, bodies: [
                (name: \"peg\", kind: Static, position: Origin({distance}, -0.15, 0), shape: Sphere(radius: 0.1)),
                (name: \"rod\", position: Origin(0, {gap}, 0), linear_velocity: (0, -{speed}, 0), mass: Total(6),
                    shape: Cuboid(half_extents: (1, 0.05, 0.05)))]"
        ));
        let moment_over_mass = (1.0 + 0.05 * 0.05) / 3.0;
        let blow = (1.0 + restitution) * speed / (1.0 + distance * distance / moment_over_mass);
        let (after, spin) = (blow - speed, distance * blow / moment_over_mass);
        run.steps(steps);
        let error = speed * chain::<S>(200.0, 0.005);
        assert_near("velocity", run.velocity("rod").y, after, error);
        assert_near("spin", run.spin("rod").z, spin, 5.0 * error);
        let left = f64::from(steps) * DT - gap / speed;
        let shift = TOUCHING / speed;
        assert_near("place", run.position("rod").y, after * left, blow * shift + error);
        let q = run.body("rod").orientation;
        let angle = 2.0 * libm::atan2(q.z.to_f64(), q.w.to_f64());
        assert_near("angle", angle, spin * left, spin.abs() * shift + 5.0 * error);
    }
}

/// Newton's restitution and friction together can add energy: a box with restitution 0.95 and friction 5, and needles with
/// friction 2, hit a floor without gravity at 24 attitudes. A step never has more energy than the one before, but for rounding
/// and for what an overlap of a twentieth of a millimetre gives back.
fn no_blow_adds_energy<S: Scalar>() {
    for (shape, restitution, friction) in [
        ("Cuboid(half_extents: (0.1, 0.2, 0.3))", 0.95, 5.0),
        ("Cuboid(half_extents: (0.1, 0.2, 0.3))", 0.0, 2.0),
        ("Capsule(half_height: 0.5, radius: 0.005)", 0.0, 2.0),
        ("Capsule(half_height: 0.5, radius: 0.005)", 0.95, 5.0),
    ] {
        for attitude in 0..24 {
            let turn = 15.0 * f64::from(attitude);
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), bounds: (position: 1000, speed: 30000, angular_speed: 30000),
                materials: {{\"default\": (friction: {friction}, restitution: {restitution})}},
                bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                    (name: \"body\", position: Origin(0, 1, 0), linear_velocity: (6, -8, 2), mass: Total(1), shape: {shape},
                        orientation: AxisDegrees(axis: (1, 2, 3), degrees: {turn}), angular_velocity: (12, 9, -13))]"
            ));
            let start = run.energy().kinetic;
            let mut before = start;
            for step in 1..=40 {
                run.step();
                let now = run.energy().kinetic;
                let what = format!("{shape} turned by {turn}, e {restitution}, step {step}");
                assert!(now <= before + 1e-3 * start, "{what}: {before} -> {now} J");
                before = now;
            }
            assert!(before < 0.999 * start, "{shape} turned by {turn} should hit the floor");
        }
    }
}
