//! The three ways to remove overlap, and the energy of what settles under them.

use physim::math::Scalar;

use crate::physics::support::{Run, assert_near};

on_every_scalar!(dropped_box_rests_within_slop, tumbling_box_ends_below_its_energy);

/// Each correction with the overlap it leaves at rest, in metres, on a floor under 9.81 m/s^2.
///
/// `Soft`: the spring's own yield, `g / omega^2 = 0.276 mm` at 30 Hz for a cube on four corners (see `stacking`).
/// `Baumgarte` and `Projection`: anything up to the slop, which they leave alone.
const CORRECTIONS: [(&str, f64); 3] = [
    (
        "substeps: 4, iterations: 1, relax_iterations: 1, correction: Soft(hertz: 30, damping_ratio: 10, push_speed: 3)",
        2.76e-4,
    ),
    ("substeps: 1, iterations: 10, relax_iterations: 0, correction: Baumgarte(beta: 0.2, slop: 0.005)", 5e-3),
    ("substeps: 1, iterations: 10, relax_iterations: 0, correction: Projection(beta: 0.2, slop: 0.005)", 5e-3),
];

fn dropped<S: Scalar>(correction: &str, warm_starting: bool, place: &str) -> Run<S> {
    Run::of(&format!(
        "solver: Impulse(warm_starting: {warm_starting}, {correction}),
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: \"cube\", {place}, shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))]"
    ))
}

/// A cube dropped flat from half a metre: after four seconds it lies still, not above the floor and not deeper in it than its
/// correction leaves, with warm starting and without it.
fn dropped_box_rests_within_slop<S: Scalar>() {
    for (correction, overlap) in CORRECTIONS {
        for warm_starting in [true, false] {
            let mut run = dropped::<S>(correction, warm_starting, "position: Origin(0, 1, 0)");
            run.steps(240);
            let what = format!("{correction}, warm starting {warm_starting}");
            let (velocity, spin) = (run.velocity("cube"), run.spin("cube"));
            eprintln!("REST {what}: {:?} {velocity:?} {spin:?}", run.position("cube"));
            assert!(velocity.length() < 1e-3 && spin.length() < 1e-3, "{what}: {velocity:?} {spin:?}");
            let depth = 0.5 - run.position("cube").y;
            assert_near(&what, depth, overlap / 2.0, overlap / 2.0 * 1.05 + 1e-5);
        }
    }
}

/// A cube that falls on a corner and tumbles to rest never has more energy than at its start, and ends with what a cube that
/// lies has: `m g (0.5 - overlap)`.
fn tumbling_box_ends_below_its_energy<S: Scalar>() {
    for (correction, overlap) in CORRECTIONS {
        for warm_starting in [true, false] {
            let place = "position: Origin(0, 2, 0), angular_velocity: (1, 0.5, 2), linear_velocity: (1, 0, 0.5),
                orientation: AxisDegrees(axis: (1, 2, -1), degrees: 50)";
            let mut run = dropped::<S>(correction, warm_starting, place);
            let start = run.energy().total();
            let mut highest = 0.0_f64;
            for _ in 0..600 {
                run.step();
                highest = highest.max(run.energy().total() / start);
            }
            let end = run.energy().total();
            eprintln!("TUMBLE {correction} {warm_starting}: highest {highest} end {}", end / (9810.0 * 0.5));
            assert!(
                highest <= 1.0,
                "{correction}, warm starting {warm_starting}: energy rose to {highest} of its start"
            );
            assert!(run.energy().kinetic < 1e-3 * start, "{correction}: it should rest");
            let depth = 0.5 - end / 9810.0;
            assert_near(correction, depth, overlap / 2.0, overlap / 2.0 * 1.05 + 1e-5);
        }
    }
}
