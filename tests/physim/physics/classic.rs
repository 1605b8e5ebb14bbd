//! The settings of the texts: sequential impulses with one substep hold ten boxes, and what the texts warn of drops them.

use physim::math::Scalar;

use crate::physics::support::Run;

on_every_scalar!(classic_settings_hold_ten_boxes, what_the_texts_warn_of_drops_ten_boxes);

/// Ten unit cubes on each other with one substep, no relaxing, and these settings.
fn ten_boxes<S: Scalar>(settings: &str) -> Run<S> {
    Run::of(&format!(
        "solver: Impulse(substeps: 1, relax_iterations: 0, relax_limit: 0, {settings}),
        materials: {{\"default\": (friction: 0.6)}},
        bodies: [(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))],
        groups: [(name: \"box\", body: (shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            layout: Stack(origin: (0, 0.5, 0), count: 10, spacing: (0, 1, 0)))]"
    ))
}

/// With warm starting, impulses clamped as sums, and the normals of a contact solved together, 8 and 20 iterations hold the stack
/// for half a minute, whether overlap is removed by Baumgarte's term or from the positions. Each of ten joints is left its slop
/// of 5 mm, and what eight iterations leave of the load besides: 2 cm in all at most.
fn classic_settings_hold_ten_boxes<S: Scalar>() {
    for correction in ["Baumgarte(beta: 0.2, slop: 0.005)", "Projection(beta: 0.2, slop: 0.005)"] {
        for iterations in [8, 20] {
            let settings = format!("iterations: {iterations}, correction: {correction}");
            let mut run = ten_boxes::<S>(&settings);
            run.steps(1800);
            for level in 0..10 {
                let (place, speed) = (run.position(&format!("box[{level}]")), run.velocity(&format!("box[{level}]")));
                assert!(place.x.abs() < 0.01 && place.z.abs() < 0.01, "{settings}: box {level} drifts to {place:?}");
                assert!(speed.length() < 1e-3, "{settings}: box {level} moves: {speed:?}");
            }
            let sunk = 9.5 - run.position("box[9]").y;
            assert!((0.0..0.07).contains(&sunk), "{settings}: the top sinks by {sunk}");
        }
    }
}

/// The controls: points solved one after the other, impulses clamped in each iteration alone, one iteration, and a naive impulse
/// for each pair with push-out. Each drops the stack within a minute.
fn what_the_texts_warn_of_drops_ten_boxes<S: Scalar>() {
    for settings in [
        "iterations: 8, correction: Baumgarte(beta: 0.2, slop: 0.005), normals: PerPoint",
        "iterations: 8, correction: Baumgarte(beta: 0.2, slop: 0.005), clamping: PerIteration",
        "iterations: 1, correction: Baumgarte(beta: 0.2, slop: 0.005)",
        "iterations: 1, warm_starting: false, clamping: PerIteration, normals: PerPoint,
            correction: Projection(beta: 1, slop: 0)",
    ] {
        let mut run = ten_boxes::<S>(settings);
        let fell = (0..60).any(|_| {
            run.steps(60);
            run.position("box[9]").y < 8.5
        });
        assert!(fell, "the stack should fall: {settings}");
    }
}
