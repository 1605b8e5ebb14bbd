//! Stacks that must stand.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{Run, assert_near, upright_prism};

on_every_scalar!(
    twenty_boxes_stand_for_a_minute,
    a_hundred_times_heavier_box_stands_on_a_light_one,
    towers_that_resist_turning_little_do_not_sway
);

const GRAVITY: f64 = 9.81;
/// The contact springs of the stacks here: 60 Hz.
const OMEGA: f64 = 120.0 * std::f64::consts::PI;
const SOLVER: &str = "solver: Impulse(substeps: 8, iterations: 1, relax_iterations: 1,
    correction: Soft(hertz: 60, damping_ratio: 10, push_speed: 3))";

/// Twenty unit cubes for 60 seconds.
///
/// Sideways: a column on springs is straight as long as it does not buckle. By its own weight it does above
/// `H^3 = 7.84 E I / w`. A joint of two cubes has four corner springs `k = m_eff omega^2` with `m_eff = m / 8` (the lever of a
/// corner, `u^2 = 1/2` by `m / I = 6`, gives `1/m_eff = 2 (1 + 3) / m`) at half a metre from the axis, so it resists bending with
/// `E I = 4 k / 4 = m omega^2 / 8` for a joint per metre, against `w = m g` per metre: `H^3 = 0.98 omega^2 / g`, 24 m at 60 Hz
/// (and 15 m at 30 Hz, where a stack of 20 falls). Below that the column rights itself; what is left is a hundredth of its
/// width at most.
///
/// Downwards: a joint that bears n cubes gives way by `n m g / (4 k) = 2 n g / omega^2`, the floor by half of that, since there
/// `m_eff = m / 4`: for the top cube `(2 (1 + .. + 19) + 20) g / omega^2 = 400 g / omega^2 = 27.6 mm` in all.
fn twenty_boxes_stand_for_a_minute<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "{SOLVER},
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
        groups: [(name: \"box\", body: (shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            layout: Stack(origin: (0, 0.5, 0), count: 20, spacing: (0, 1, 0)))]"
    ));
    for second in 1..=60 {
        run.steps(60);
        let mut sunk = 0.0;
        for level in 0..20_u32 {
            let name = format!("box[{level}]");
            let place = run.position(&name);
            assert!(place.x.abs() < 0.01 && place.z.abs() < 0.01, "{name} at {place:?} after {second} s");
            let borne = f64::from(20 - level);
            sunk += if level == 0 { borne } else { 2.0 * borne } * GRAVITY / (OMEGA * OMEGA);
            let bound = 0.02 * sunk + 1e-4;
            if second >= 5 {
                assert_near(&format!("{name} after {second} s"), f64::from(level) + 0.5 - place.y, sunk, bound);
            }
        }
    }
    for level in 0..20 {
        let (velocity, spin) = (run.velocity(&format!("box[{level}]")), run.spin(&format!("box[{level}]")));
        assert!(velocity.length() < 1e-3 && spin.length() < 1e-3, "box {level} moves: {velocity:?} {spin:?}");
    }
}

/// A cube of 1000 kg on one of 10 kg, ten seconds. The light cube's corner springs are `m omega^2 / 4` to the floor and
/// `1 / (4/m + 4/M) omega^2` to the heavy cube, and each bears a quarter of `(M + m) g` and of `M g`. While they yield, friction
/// of 0.5 lets nothing move sideways by more than half of what it sinks.
fn a_hundred_times_heavier_box_stands_on_a_light_one<S: Scalar>() {
    let mut run = Run::<S>::of(&format!(
        "{SOLVER},
        bodies: [
            (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"light\", position: Origin(0, 0.5, 0), mass: Total(10), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            (name: \"heavy\", position: Origin(0, 1.5, 0), mass: Total(1000), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        ]"
    ));
    run.steps(600);
    let floor = 101.0 * GRAVITY / (OMEGA * OMEGA);
    let joint = 100.0 * (1.0 + 0.01) * GRAVITY / (OMEGA * OMEGA);
    for (name, height) in [("light", 0.5 - floor), ("heavy", 1.5 - floor - joint)] {
        let place = run.position(name);
        assert_near(name, place.y, height, 0.02 * (floor + joint));
        let sideways = Vec3::new(place.x, 0.0, place.z).length();
        assert!(sideways < 0.5 * (floor + joint), "{name} at {place:?}");
        assert!(run.velocity(name).length() < 1e-3 && run.spin(name).length() < 1e-3, "{name} moves");
    }
}

/// Plates with a ball as heavy in their middles, and prisms of five, six and ten sides, stand on each other without a motion. (The first swayed
/// by 1 mm/s for ever at three, the prisms of five sides at four: what the rows of a contact leave to each other fed it. Those of ten sides
/// swayed at ten: of their corners four were kept whose middle was not that of the foot.)
fn towers_that_resist_turning_little_do_not_sway<S: Scalar>() {
    let plate = "colliders: [(shape: Cuboid(half_extents: (0.3, 0.1, 0.3))), (shape: Sphere(radius: 0.08), material: \"heavy\")]";
    let prism = |sides| format!("shape: {}", upright_prism(sides, 0.3, 0.1));
    let towers = [(plate.to_owned(), 3), (plate.to_owned(), 4), (prism(5), 4), (prism(6), 10), (prism(10), 10)];
    for (shapes, count) in towers {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (friction: 0.6), \"heavy\": (friction: 0.6, density: 33571.7)}},
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
            groups: [(name: \"level\", body: ({shapes}),
                layout: Stack(origin: (0, 0.1, 0), count: {count}, spacing: (0, 0.2, 0)))]"
        ));
        run.steps(900);
        for level in 0..count {
            let name = format!("level[{level}]");
            let speed = run.velocity(&name).length() + run.spin(&name).length() * 0.3;
            assert!(speed < 1e-5, "{name} of {count} moves with {speed:e} m/s: {shapes}");
        }
    }
}
