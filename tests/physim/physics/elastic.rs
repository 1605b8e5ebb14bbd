//! Blows of what spins: with corners, edges, rims and faces, one point or several, on walls and on each other, without friction.

use std::fmt::Write as _;

use physim::math::{Scalar, SplitMix64, Vec3};
use physim::world::counts::Counted;

use crate::common::between;
use crate::physics::support::{Run, assert_near, assert_near_vector, chain};

on_every_scalar!(
    spinning_bodies_keep_their_energy_between_walls,
    what_is_lost_at_the_default_threshold_is_slow,
    slow_end_of_a_fast_rod_bounces,
    what_a_slow_blow_speeds_up_still_bounces,
    bodies_that_meet_keep_energy_and_momentum,
    crowd_in_a_cell_keeps_its_energy,
    struck_points_leave_at_their_part_of_the_speed,
);

/// Bodies that are not alike in all directions; none reaches farther than half a metre, none is nearer to its centre of mass than the cone
/// with 0.142 m, and per mass no moment of inertia is below [`SMALLEST`].
const STONES: [&str; 5] = [
    "Hull(points: [(0.3, 0, 0), (-0.3, 0, 0), (0, 0.4, 0), (0, -0.4, 0), (0, 0, 0.5), (0, 0, -0.5)])",
    "Cuboid(half_extents: (0.3, 0.2, 0.35))",
    "Cylinder(half_height: 0.3, radius: 0.2)",
    "Capsule(half_height: 0.3, radius: 0.2)",
    "Cone(half_height: 0.3, radius: 0.2)",
];

/// That of the cone about its axis, `3/10 r^2`, m^2.
const SMALLEST: f64 = 0.012;

/// A gap up to which shapes count as touching, metres.
const TOUCHING: f64 = 1.0 / 16384.0;

/// By which part of itself an energy may change in a step by rounding: each of ten substeps turns a spin to the axes of the body and back,
/// rounds the rotation, both velocities and what keeps their energy, and has a blow at most: some thirty roundings, each to twice in a square.
fn rounded<S: Scalar>() -> f64 {
    2.0 * chain::<S>(10.0 * 30.0, SMALLEST)
}

fn vector(random: &mut SplitMix64, most: f64) -> Vec3<f64> {
    Vec3::from_array([0; 3].map(|_| between(random, -most, most)))
}

fn written(v: Vec3<f64>) -> String {
    format!("({:.3}, {:.3}, {:.3})", v.x, v.y, v.z)
}

/// The solver's restitution threshold, and materials without friction and with this restitution.
fn bouncing(threshold: f64, restitution: f64) -> String {
    format!(
        "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: {threshold}),
        materials: {{\"default\": (friction: 0, restitution: {restitution})}},"
    )
}

/// A stone of 1 kg at 4 m/s between two walls 2 m apart, with a spin of up to 3 rad/s about each axis.
fn between_walls<S: Scalar>(threshold: f64, shape: &str, random: &mut SplitMix64) -> Run<S> {
    Run::of(&format!(
        "{} bodies: [
            (name: \"left\", kind: Static, position: Origin(-1, 0, 0), shape: HalfSpace(normal: (1, 0, 0))),
            (name: \"right\", kind: Static, position: Origin(1, 0, 0), shape: HalfSpace(normal: (-1, 0, 0))),
            (name: \"stone\", linear_velocity: (4, 0, 0), angular_velocity: {}, mass: Total(1), shape: {shape})]",
        bouncing(threshold, 1.0),
        written(vector(random, 3.0))
    ))
}

/// With no threshold each of 400 steps keeps the energy to rounding, whatever strikes in it, and it is neither won nor lost in sum.
fn spinning_bodies_keep_their_energy_between_walls<S: Scalar>() {
    let mut random = SplitMix64::of_words(&[7, 17]);
    for shape in STONES {
        for _ in 0..4 {
            let mut run = between_walls::<S>(0.0, shape, &mut random);
            let (mut before, mut was, mut turns) = (run.energy().kinetic, 4.0, 0);
            for step in 0..400 {
                run.step();
                let now = run.energy().kinetic;
                assert_near(&format!("{shape}: energy in step {step}"), now, before, rounded::<S>() * before);
                let speed = run.velocity("stone").x;
                turns += u32::from((speed > 0.0) != (was > 0.0));
                (before, was) = (now, speed);
                assert!(run.position("stone").x.abs() < 1.0 - 0.14, "{shape}: it stays between the walls");
            }
            assert!(turns > 5, "{shape}: it bounced {turns} times");
        }
    }
}

/// At the default threshold of 1 m/s a step loses nothing but what slow blows take, each at most `m v^2 / 2` of 1 m/s; and as what flies at
/// 4 m/s is seldom slow in every way when it strikes, three of four stones lose nothing at all.
fn what_is_lost_at_the_default_threshold_is_slow<S: Scalar>() {
    let mut random = SplitMix64::of_words(&[7, 19]);
    let (mut kept, mut all) = (0, 0);
    for shape in STONES {
        for _ in 0..8 {
            let mut run = between_walls::<S>(1.0, shape, &mut random);
            let start = run.energy().kinetic;
            let mut before = start;
            for step in 0..200 {
                run.step();
                let now = run.energy().kinetic;
                assert!(now <= before * (1.0 + rounded::<S>()), "{shape}: won {} J in step {step}", now - before);
                assert!(
                    now >= before - 0.5 - rounded::<S>() * before,
                    "{shape}: lost {} J in step {step}",
                    before - now
                );
                before = now;
            }
            all += 1;
            kept += u32::from(before > start * (1.0 - 1e-3));
        }
    }
    assert!(4 * kept >= 3 * all, "{kept} of {all} keep their energy");
}

/// A rod turns so that its end comes to a peg at 0.5 m/s only, while its middle comes, or goes, much faster: it does not come to rest there, so
/// it bounces, although the threshold is 1 m/s. The blow is `(1 + e) 0.5 / (1/m + d^2/I)`. On its way through the gap the rod turns by an angle
/// of `w gap / 0.5`, by which it is struck elsewhere, for the middle of the peg is 0.15 m from its own.
fn slow_end_of_a_fast_rod_bounces<S: Scalar>() {
    for (middle, restitution) in [(3.0, 1.0), (-2.0, 1.0), (3.0, 0.5), (6.0, 0.25)] {
        let (distance, gap, slow) = (0.6, 2.0 * TOUCHING, 0.5);
        let spin: f64 = (slow - middle) / distance;
        let mut run = Run::<S>::of(&format!(
            "{} dt: \"1/240\", bodies: [
                (name: \"peg\", kind: Static, position: Origin(-{distance}, -0.15, 0), shape: Sphere(radius: 0.1)),
                (name: \"rod\", position: Origin(0, {gap}, 0), linear_velocity: (0, {}, 0), mass: Total(6),
                    angular_velocity: (0, 0, {spin:.9}), shape: Cuboid(half_extents: (1, 0.05, 0.05)))]",
            bouncing(1.0, restitution),
            -middle
        ));
        let moment_over_mass = (1.0 + 0.05 * 0.05) / 3.0;
        run.step();
        let blow = (1.0 + restitution) * slow / (1.0 + distance * distance / moment_over_mass);
        let turned = spin.abs() * (gap + TOUCHING) / slow;
        let error = spin.abs() * turned * 0.15 + chain::<S>(300.0, moment_over_mass);
        assert_near("velocity", run.velocity("rod").y, blow - middle, error);
        assert_near("spin", run.spin("rod").z, spin - distance * blow / moment_over_mass, error / moment_over_mass);
    }
}

/// A ball flies into a wedge of two planes, at 0.9 m/s towards the one, which stops it, and at 7 m/s towards the other, 120 degrees from it:
/// being stopped makes it faster there by 0.45 m/s. Wherever in a substep it would have met the second, and meets it now, it bounces, and has
/// lost `0.9^2 / 2` alone. So it is with rows that only exist because the planes are near.
fn what_a_slow_blow_speeds_up_still_bounces<S: Scalar>() {
    let all_near = "speculative_distance: 0.03, iterations: 4";
    for (continuous, more) in [("On", ""), ("Off", all_near)] {
        let (sine, cosine): (f64, f64) = (libm::sqrt(0.75), -0.5);
        let (slow, fast, substep, radius) = (0.9, 7.0, 1.0 / 600.0, 0.1);
        let across = (fast - cosine * slow) / sine;
        for number in 0..24 {
            // Halfway through the substep it meets the first plane, and would meet the second up to a twentieth after its end.
            let y = radius + 0.5 * substep * slow;
            let from_second = radius + fast * substep * (1.0 + f64::from(number) / 500.0);
            let x = (from_second - cosine * y) / sine;
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), continuous: {continuous}, solver: Impulse({more}),
                materials: {{\"default\": (friction: 0, restitution: 1)}}, bodies: [
                    (name: \"first\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                    (name: \"second\", kind: Static, shape: HalfSpace(normal: ({sine:.9}, {cosine}, 0))),
                    (name: \"ball\", position: Origin({x:.9}, {y:.9}, 0), linear_velocity: ({:.9}, -{slow}, 0), mass: Total(2),
                        shape: Sphere(radius: {radius}))]",
                -across
            ));
            let start = run.energy().kinetic;
            run.steps(3);
            let what = format!("energy in case {number}, continuous {continuous}");
            assert_near(&what, run.energy().kinetic, start - slow * slow, start * chain::<S>(400.0, radius));
            assert!(run.velocity("ball").x > 0.0, "{what}: it met the second plane");
        }
    }
}

/// Two bodies of 1 kg and 2 kg meet at 6 m/s, of every pair of kinds, in any attitude. Energy and momentum stay to rounding. A blow is found
/// where the shapes touch, up to 2^-14 m before they meet: by then what slides at `v_t` has moved on by `v_t / v_n` of that, and the blow of
/// `2 m_r v_n` acts so far beside itself. So the angular momentum stays to `2 m_r v_t 2^-14`, with v_t no faster than all the energy allows.
fn bodies_that_meet_keep_energy_and_momentum<S: Scalar>() {
    let shapes: Vec<&str> = STONES.into_iter().chain(["Sphere(radius: 0.3)"]).collect();
    let mut random = SplitMix64::of_words(&[7, 18]);
    for (first, shape) in shapes.iter().enumerate() {
        for other in &shapes[first..] {
            for _ in 0..3 {
                let mut run = about_to_meet::<S>([shape, other], &mut random);
                let mut before = run.energy();
                let fastest = libm::sqrt(2.0 * before.kinetic / (2.0 / 3.0));
                let mut turns = 0;
                let mut was = run.velocity("a").x;
                for step in 0..30 {
                    run.step();
                    let now = run.energy();
                    let what = format!("{shape} and {other}, step {step}");
                    let bound = rounded::<S>() * before.kinetic;
                    assert_near(&format!("energy of {what}"), now.kinetic, before.kinetic, bound);
                    let [linear, old] = [now, before].map(|energy| Vec3::from_array(energy.linear_momentum));
                    assert_near_vector(&format!("momentum of {what}"), linear, old, bound);
                    let [angular, old] = [now, before].map(|energy| Vec3::from_array(energy.angular_momentum));
                    let beside = 2.0 * (2.0 / 3.0) * fastest * TOUCHING;
                    assert_near_vector(&format!("angular momentum of {what}"), angular, old, beside + bound);
                    turns += u32::from(run.velocity("a").x != was);
                    (before, was) = (now, run.velocity("a").x);
                }
                assert!(turns > 0, "{shape} and {other} met");
            }
        }
    }
}

/// Eighteen bodies of all kinds in a cell of six walls, each at up to 5 m/s and 20 rad/s along each axis: more than fifty points bounce, on
/// each other and on walls, some of them several in one substep, and near a wall only within a step. Each step keeps the energy to rounding.
fn crowd_in_a_cell_keeps_its_energy<S: Scalar>() {
    let mut random = SplitMix64::new(29);
    let mut bodies = String::new();
    for axis in ["(1, 0, 0)", "(-1, 0, 0)", "(0, 1, 0)", "(0, -1, 0)", "(0, 0, 1)", "(0, 0, -1)"] {
        let at = axis.replace('1', "2.5");
        let normal = if axis.contains('-') { axis.replace('-', "") } else { axis.replace('1', "-1") };
        let _ = write!(
            bodies,
            "(name: \"{axis}\", kind: Static, position: Origin{at}, shape: HalfSpace(normal: {normal})),"
        );
    }
    let shapes = STONES.into_iter().chain(["Sphere(radius: 0.3)"]).cycle();
    for (number, shape) in (0..18_i32).zip(shapes) {
        let place = [number % 3, number / 3 % 3, number / 9].map(|cell| 1.3 * f64::from(cell) - 1.3);
        let [velocity, spin] = [5.0, 20.0].map(|most| written(vector(&mut random, most)));
        let _ = write!(
            bodies,
            "(name: \"{number}\", position: Origin{}, mass: Total(1), shape: {shape}, linear_velocity: {velocity}, angular_velocity: {spin}),",
            written(Vec3::from_array(place))
        );
    }
    let mut run = Run::<S>::of(&format!("{} bodies: [{bodies}]", bouncing(0.0, 1.0)));
    let (mut before, mut bounced) = (run.energy().kinetic, 0);
    for step in 0..120 {
        run.step();
        bounced += run.world().counts().get(Counted::Restitution);
        let now = run.energy().kinetic;
        assert_near(&format!("energy after step {step}"), now, before, rounded::<S>() * before);
        before = now;
    }
    assert!(bounced > 50, "{bounced} points bounced");
}

/// Two bodies that will meet in a fifth of a second at most.
fn about_to_meet<S: Scalar>(shapes: [&str; 2], random: &mut SplitMix64) -> Run<S> {
    let offset = vector(random, 0.15);
    let mut body = |name: &str, place: Vec3<f64>, speed: f64, mass: u32, shape: &str| {
        let (axis, degrees) = (vector(random, 1.0), between(random, 0.0, 180.0));
        format!(
            "(name: \"{name}\", position: Origin{}, linear_velocity: ({speed}, 0, 0), angular_velocity: {},
                orientation: AxisDegrees(axis: {}, degrees: {degrees:.1}), mass: Total({mass}), shape: {shape}),",
            written(place),
            written(vector(random, 3.0)),
            written(axis)
        )
    };
    let a = body("a", Vec3::new(-0.6, 0.0, 0.0), 3.0, 1, shapes[0]);
    let b = body("b", Vec3::new(0.6, offset.y, offset.z), -3.0, 2, shapes[1]);
    Run::of(&format!("{} bodies: [{a} {b}]", bouncing(0.0, 1.0)))
}

/// A stone meets a wall once, with restitution e. From what its momenta gain, P along x and `r x P`, follows where it was struck; the work is
/// `P (v + v') / 2`, so the struck point leaves at `v' = -e v` as `-2 e dE / ((1 - e) P)`. In the step of the blow it turns on by
/// `w^2 dt` at most, in rad/s, which changes the speed of a point half a metre away by half as much.
fn struck_points_leave_at_their_part_of_the_speed<S: Scalar>() {
    let mut random = SplitMix64::of_words(&[7, 20]);
    let rate = 24_000.0;
    for shape in STONES {
        for restitution in [0.25, 0.7] {
            let mut run = Run::<S>::of(&format!(
                "{} dt: \"1/{rate}\", bodies: [
                    (name: \"right\", kind: Static, position: Origin(0.51, 0, 0), shape: HalfSpace(normal: (-1, 0, 0))),
                    (name: \"stone\", linear_velocity: (4, 0, 0), angular_velocity: {}, mass: Total(1), shape: {shape})]",
                bouncing(0.0, restitution).replace("solver: Impulse(", "solver: Impulse(substeps: 1, "),
                written(vector(&mut random, 3.0))
            ));
            let mut before = run.energy();
            while run.velocity("stone").x > 3.999 {
                before = run.energy();
                run.step();
            }
            let (now, velocity, spin) = (run.energy(), run.velocity("stone"), run.spin("stone"));
            let pushed = now.linear_momentum[0] - before.linear_momentum[0];
            let turned = |axis: usize| now.angular_momentum[axis] - before.angular_momentum[axis];
            let (arm_y, arm_z) = (-turned(2) / pushed, turned(1) / pushed);
            let leaves = velocity.x + spin.y * arm_z - spin.z * arm_y;
            let work = now.kinetic - before.kinetic;
            let should_leave = -2.0 * restitution * work / ((1.0 - restitution) * pushed);
            let drift = spin.length() * spin.length() / rate / 2.0;
            let bound = drift + 4.0 * chain::<S>(100.0, SMALLEST) / (1.0 - restitution);
            assert!(leaves < -0.5 && work < 0.0, "{shape} with {restitution}: it bounced at {leaves} m/s, {work} J");
            assert_near(&format!("{shape} with {restitution}"), leaves, should_leave, bound);
        }
    }
}
