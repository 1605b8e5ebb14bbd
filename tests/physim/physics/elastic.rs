//! Elastic blows of what spins: corners, edges, rims and faces, one point or several, against walls and against each other.

use physim::math::{Scalar, SplitMix64, Vec3};

use crate::common::between;
use crate::physics::support::Run;

on_every_scalar!(spinning_bodies_keep_their_energy_between_walls, bodies_that_meet_keep_what_they_have);

/// One of each kind that is not round in every way, with unequal sides; none reaches farther than half a metre.
const STONES: [(&str, &str); 5] = [
    ("octahedron", "Hull(points: [(0.3, 0, 0), (-0.3, 0, 0), (0, 0.4, 0), (0, -0.4, 0), (0, 0, 0.5), (0, 0, -0.5)])"),
    ("box", "Cuboid(half_extents: (0.3, 0.2, 0.3464))"),
    ("cylinder", "Cylinder(half_height: 0.3, radius: 0.2)"),
    ("capsule", "Capsule(half_height: 0.3, radius: 0.2)"),
    ("cone", "Cone(half_height: 0.3, radius: 0.2)"),
];

fn vector(random: &mut SplitMix64, most: f64) -> Vec3<f64> {
    Vec3::from_array([0; 3].map(|_| between(random, -most, most)))
}

fn written(v: Vec3<f64>) -> String {
    format!("({:.3}, {:.3}, {:.3})", v.x, v.y, v.z)
}

fn spinning_bodies_keep_their_energy_between_walls<S: Scalar>() {
    let count: usize = std::env::var("COUNT").map_or(8, |text| text.parse().unwrap());
    let threshold = std::env::var("THRESHOLD").unwrap_or("0".into());
    for (name, shape) in STONES {
        let mut random = SplitMix64::of_words(&[7, 17]);
        let (mut worst, mut best, mut ends) = ((0.0_f64, 0, 0), (0.0_f64, 0, 0), Vec::new());
        for number in 0..count {
            let spin = vector(&mut random, 3.0);
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: {threshold}),
                materials: {{\"default\": (friction: 0, restitution: 1)}},
                bodies: [
                    (name: \"left\", kind: Static, position: Origin(-1, 0, 0), shape: HalfSpace(normal: (1, 0, 0))),
                    (name: \"right\", kind: Static, position: Origin(1, 0, 0), shape: HalfSpace(normal: (-1, 0, 0))),
                    (name: \"stone\", linear_velocity: (4, 0, 0), angular_velocity: {}, mass: Total(1), shape: {shape})]",
                written(spin)
            ));
            let start = run.energy().kinetic;
            let mut before = start;
            for step in 0..600 {
                run.step();
                let now = run.energy().kinetic;
                let change = now / before - 1.0;
                if change < worst.0 {
                    worst = (change, number, step);
                }
                if change > best.0 {
                    best = (change, number, step);
                }
                before = now;
            }
            ends.push(before / start - 1.0);
        }
        ends.sort_by(f64::total_cmp);
        eprintln!("{} {name}: worst {worst:?} best {best:?} ends {:.2e} .. {:.2e}, over 1e-4: {}", S::KIND, ends[0], ends[count - 1],
            ends.iter().filter(|e| e.abs() > 1e-4).count());
    }
}

fn bodies_that_meet_keep_what_they_have<S: Scalar>() {
    let count: usize = std::env::var("COUNT").map_or(4, |text| text.parse().unwrap());
    let threshold = std::env::var("THRESHOLD").unwrap_or("0".into());
    let balls = [("sphere", "Sphere(radius: 0.3)")];
    let all: Vec<_> = STONES.iter().chain(&balls).collect();
    let mut random = SplitMix64::of_words(&[7, 18]);
    for (first, (name, shape)) in all.iter().enumerate() {
        for (other_name, other) in &all[first..] {
            let mut worst = [(0.0_f64, 0); 4];
            for number in 0..count {
                let orientation = |random: &mut SplitMix64| {
                    let axis = vector(random, 1.0);
                    format!("AxisDegrees(axis: {}, degrees: {:.1})", written(axis), between(random, 0.0, 180.0))
                };
                let offset = vector(&mut random, 0.2);
                let mut run = Run::<S>::of(&format!(
                    "gravity: (0, 0, 0), solver: Impulse(restitution_threshold: {threshold}),
                    materials: {{\"default\": (friction: 0, restitution: 1)}},
                    bodies: [
                        (name: \"a\", position: Origin(-0.8, 0, 0), linear_velocity: (3, 0, 0), angular_velocity: {},
                            orientation: {}, mass: Total(1), shape: {shape}),
                        (name: \"b\", position: Origin(0.8, {:.3}, {:.3}), linear_velocity: (-3, 0, 0), angular_velocity: {},
                            orientation: {}, mass: Total(2), shape: {other})]",
                    written(vector(&mut random, 3.0)), orientation(&mut random), offset.y, offset.z,
                    written(vector(&mut random, 3.0)), orientation(&mut random),
                ));
                let mut before = run.energy();
                for _ in 0..40 {
                    run.step();
                    let now = run.energy();
                    let of = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
                    let found = [
                        before.kinetic / now.kinetic - 1.0,
                        now.kinetic / before.kinetic - 1.0,
                        of(now.linear_momentum, before.linear_momentum),
                        of(now.angular_momentum, before.angular_momentum),
                    ];
                    for (worst, found) in worst.iter_mut().zip(found) {
                        if found > worst.0 {
                            *worst = (found, number);
                        }
                    }
                    before = now;
                }
            }
            eprintln!("{} {name} {other_name}: loss, gain, p, L {worst:?}", S::KIND);
        }
    }
}
