//! The three ways to remove overlap, and the energy of what settles under them.

use physim::math::Scalar;

use crate::physics::support::{DT, Run, assert_near, rounding};

on_every_scalar!(
    dropped_box_rests_within_slop,
    overlap_within_slop_is_left_alone,
    overlap_beyond_slop_is_removed,
    push_out_of_overlap_leaves_no_speed,
    tumbling_box_ends_below_its_energy,
);

/// A correction, and the overlap in metres that it leaves at rest on a floor under 9.81 m/s^2.
struct Case {
    /// Settings of the solver.
    settings: &'static str,
    /// Iterations that come to rest with warm starting. Without it there are ten times as many.
    iterations: u32,
    /// `Soft`: the spring's own yield, `g / omega^2 = 0.276 mm` at 30 Hz for a cube on four corners (see `stacking`).
    /// `Baumgarte` and `Projection`: anything up to the slop, which they leave alone.
    overlap: f64,
}

const CASES: [Case; 3] = [
    Case {
        settings: "substeps: 4, relax_iterations: 1, correction: Soft(hertz: 30, damping_ratio: 10, push_speed: 3)",
        iterations: 1,
        overlap: 2.76e-4,
    },
    Case {
        settings: "substeps: 1, relax_iterations: 0, relax_limit: 0, correction: Baumgarte(beta: 0.2, slop: 0.005)",
        iterations: 8,
        overlap: 5e-3,
    },
    Case {
        settings: "substeps: 1, relax_iterations: 0, relax_limit: 0, correction: Projection(beta: 0.2, slop: 0.005)",
        iterations: 8,
        overlap: 5e-3,
    },
];

/// A cube above a floor for each case, with warm starting and without it.
fn for_each_case<S: Scalar>(friction: f64, place: &str, mut test: impl FnMut(&str, f64, Run<S>)) {
    for Case { settings, iterations, overlap } in CASES {
        for (warm_starting, iterations) in [(true, iterations), (false, 10 * iterations)] {
            let solver = format!("warm_starting: {warm_starting}, iterations: {iterations}, {settings}");
            let run = Run::of(&format!(
                "solver: Impulse({solver}), materials: {{\"default\": (friction: {friction})}},
                bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                    (name: \"cube\", {place}, shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))]"
            ));
            test(&solver, overlap, run);
        }
    }
}

/// A cube dropped flat from half a metre: after four seconds it lies still, not above the floor and not deeper in it than its
/// correction leaves, with warm starting and without it.
fn dropped_box_rests_within_slop<S: Scalar>() {
    for_each_case::<S>(0.5, "position: Origin(0, 1, 0)", |case, overlap, mut run| {
        run.steps(240);
        let (velocity, spin) = (run.velocity("cube"), run.spin("cube"));
        assert!(velocity.length() < 1e-3 && spin.length() < 1e-3, "{case}: {velocity:?} {spin:?}");
        let depth = 0.5 - run.position("cube").y;
        assert_near(case, depth, overlap / 2.0, overlap / 2.0 * 1.05 + 1e-5);
    });
}

/// `Baumgarte` and `Projection` leave a cube that lies 3 mm deep where it is: that is less than the slop of 5 mm.
///
/// Each of the 240 steps may leave 10 roundings of its height. Eight iterations leave less than a millionth of the fall of a
/// step, `g dt^2`, as `collisions` shows for the corners of a cube without friction.
fn overlap_within_slop_is_left_alone<S: Scalar>() {
    for_each_case::<S>(0.0, "position: Origin(0, 0.497, 0)", |case, overlap, mut run| {
        if overlap < 0.003 {
            return; // the soft contact has no slop
        }
        run.steps(240);
        let bound = 240.0 * (10.0 * rounding::<S>(0.5) + 1e-6 * 9.81 * DT * DT);
        assert_near(case, 0.5 - run.position("cube").y, 0.003, bound);
    });
}

/// A cube that starts 20 mm deep is brought back to what its correction leaves: to the slop itself, by a fifth of the rest in
/// each step, or to the yield of the soft contact.
fn overlap_beyond_slop_is_removed<S: Scalar>() {
    for_each_case::<S>(0.5, "position: Origin(0, 0.48, 0)", |case, overlap, mut run| {
        run.steps(240);
        let depth = 0.5 - run.position("cube").y;
        assert_near(case, depth, overlap, 0.01 * overlap + 240.0 * 10.0 * rounding::<S>(0.5));
        assert!(run.velocity("cube").length() < 1e-3, "{case}: {:?}", run.velocity("cube"));
    });
}

/// A ball that starts 2 cm deep is moved out of the floor but not thrown: `Soft` takes the speed of the push out again in the same
/// substep (one row, so exactly), and `Projection` never has any. So it does not come above the floor either.
fn push_out_of_overlap_leaves_no_speed<S: Scalar>() {
    for Case { settings, iterations, overlap } in CASES {
        if settings.contains("Baumgarte") {
            continue; // adds the push to the speed, which is its known fault
        }
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse(iterations: {iterations}, {settings}),
            bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
                (name: \"ball\", position: Origin(0, 0.48, 0), shape: Sphere(radius: 0.5))]"
        ));
        for step in 1..=240 {
            run.step();
            let speed = run.velocity("ball").y;
            assert!(speed.abs() <= 8.0 * rounding::<S>(1.0), "{settings}: thrown at {speed} in step {step}");
        }
        let depth = 0.5 - run.position("ball").y;
        assert_near(settings, depth, overlap, 0.01 * overlap + 240.0 * 10.0 * rounding::<S>(0.5));
    }
}

/// A cube that falls on a corner and tumbles to rest never has more energy than at its start, and ends with what a cube that
/// lies has: `m g (0.5 - overlap)`.
fn tumbling_box_ends_below_its_energy<S: Scalar>() {
    let place = "position: Origin(0, 2, 0), angular_velocity: (1, 0.5, 2), linear_velocity: (1, 0, 0.5),
        orientation: AxisDegrees(axis: (1, 2, -1), degrees: 50)";
    for_each_case::<S>(0.5, place, |case, overlap, mut run| {
        let start = run.energy().total();
        for step in 0..600 {
            run.step();
            let now = run.energy().total();
            assert!(now <= start, "{case}: in step {step} the energy rose from {start} to {now}");
        }
        assert!(run.energy().kinetic < 1e-3 * start, "{case}: it should rest");
        let depth = 0.5 - run.energy().total() / 9810.0;
        assert_near(case, depth, overlap / 2.0, overlap / 2.0 * 1.05 + 1e-5);
    });
}
