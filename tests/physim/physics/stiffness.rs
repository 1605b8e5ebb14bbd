//! Contacts are as stiff as their substeps let them be: how far what rests sinks, what stands, what comes out of an overlap.
//!
//! By default a contact turns by `omega h = 0.8 sqrt(2)` in a substep of length h, so `omega = 679 / s` for the ten substeps of a
//! sixtieth of a second, and a load of its own weight sinks by `g / omega^2 = 0.021 mm`.

use physim::math::{Scalar, Vec3};

use crate::physics::support::{DT, Run, assert_near, rounding};

on_every_scalar!(
    sag_follows_the_substeps,
    small_things_sink_by_less_than_a_thousandth,
    towers_of_any_size_stand,
    heavy_stands_on_light,
    load_taken_away_leaves_nothing_that_jumps,
    deep_overlap_leaves_at_the_speed_asked_for,
);

const GRAVITY: f64 = 9.81;
const FLOOR: &str = "(name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),";

/// `omega^2` of contacts with so many substeps.
fn stiffness(substeps: u32) -> f64 {
    let omega = 0.8 * libm::sqrt(2.0) * f64::from(substeps) / DT;
    omega * omega
}

/// A cube sinks by `g / omega^2`: with the square of the substeps less; and with a frequency of its own by what that says.
fn sag_follows_the_substeps<S: Scalar>() {
    let hertz = 2.0 * std::f64::consts::PI * 30.0;
    let own = "correction: Soft(hertz: 30, damping_ratio: 10, push_speed: 3)";
    for (solver, stiffness) in [
        ("substeps: 2", stiffness(2)),
        ("substeps: 4", stiffness(4)),
        ("substeps: 16", stiffness(16)),
        ("", stiffness(10)),
        (&format!("substeps: 4, {own}"), hertz * hertz),
        (&format!("substeps: 16, {own}"), hertz * hertz),
    ] {
        let mut run = Run::<S>::of(&format!(
            "solver: Impulse({solver}), bodies: [{FLOOR}
                (name: \"cube\", position: Origin(0, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))]"
        ));
        run.steps(300);
        let sag = GRAVITY / stiffness;
        assert_near(
            &format!("sag with {solver}"),
            0.5 - run.position("cube").y,
            sag,
            0.01 * sag + 20.0 * rounding::<S>(0.5),
        );
    }
}

/// At the defaults a ball of 1 mm, a coin and a match sink by a thousandth of their thickness at most, and lie still.
fn small_things_sink_by_less_than_a_thousandth<S: Scalar>() {
    for (shape, half) in [
        ("Sphere(radius: 0.0005)", 0.0005),
        ("Sphere(radius: 0.001)", 0.001),
        ("Cuboid(half_extents: (0.012, 0.001, 0.012))", 0.001),
        ("Cuboid(half_extents: (0.025, 0.001, 0.001))", 0.001),
        ("Cuboid(half_extents: (0.5, 0.5, 0.5))", 0.5),
    ] {
        let mut run = Run::<S>::of(&format!(
            "materials: {{\"default\": (density: 7800)}}, bodies: [{FLOOR} (name: \"small\", position: Origin(0, {half}, 0), shape: {shape})]"
        ));
        run.steps(180);
        let sag = half - run.position("small").y;
        assert!((-1e-6..2.0 * half / 1000.0).contains(&sag), "{shape} sinks by {sag}");
        assert!(run.velocity("small").length() < 1e-3, "{shape} moves: {:?}", run.velocity("small"));
    }
}

/// Twenty cubes of any size stand for ten seconds, at the defaults: no cube drifts by a centimetre, nor by a hundredth of its
/// edge, and the top sinks by no more than what all of them weigh on their springs, `400 g / omega^2` (see `stacking`).
fn towers_of_any_size_stand<S: Scalar>() {
    for (half, substeps) in [(5.0, 10), (0.5, 10), (0.05, 16)] {
        let mut run = Run::<S>::of(&format!(
            "bodies: [{FLOOR}], groups: [(name: \"box\", body: (shape: Cuboid(half_extents: ({half}, {half}, {half}))),
                layout: Stack(origin: (0, {half}, 0), count: 20, spacing: (0, {}, 0)))]",
            2.0 * half
        ));
        run.steps(600);
        for level in 0..20 {
            let place = run.position(&format!("box[{level}]"));
            let drift = f64::max(place.x.abs(), place.z.abs());
            assert!(drift < f64::min(0.01, 0.02 * half), "half edge {half}: box {level} drifts by {drift}");
            assert!(run.velocity(&format!("box[{level}]")).length() < 0.01, "half edge {half}: box {level} moves");
        }
        let sunk = 39.0 * half - run.position("box[19]").y;
        let most = 400.0 * GRAVITY / stiffness(substeps);
        assert!((0.0..1.1 * most).contains(&sunk), "half edge {half}: the top sinks by {sunk}, and {most} was due");
    }
}

/// A cube with another on it that is as large and `ratio` times as heavy. The four springs of the light cube bear
/// `(1 + ratio) m g` towards the floor and `ratio m g` towards the heavy one, so the heavy cube sinks by
/// `2 (1 + ratio) g / omega^2` (see `stacking`): 4 mm at 100 : 1, 17 mm at 400 : 1, 43 mm at 1000 : 1.
fn heavy_stands_on_light<S: Scalar>() {
    for (ratio, solver, substeps) in
        [(100.0, "", 10), (400.0, "", 10), (1000.0, "", 10), (1000.0, "solver: Impulse(substeps: 16),", 16)]
    {
        let mut run = Run::<S>::of(&pressed(ratio, solver, ""));
        run.steps(600);
        let sunk = 1.5 - run.position("heavy").y;
        let due = 2.0 * (1.0 + ratio) * GRAVITY / stiffness(substeps);
        assert_near(&format!("{ratio} : 1 with {substeps} substeps"), sunk, due, 0.05 * due);
        assert!(sunk < 0.05, "{ratio} : 1 sinks by {sunk}");
        let place = run.position("heavy");
        assert!(place.x.abs() < 0.01 && place.z.abs() < 0.01, "{ratio} : 1 drifts to {place:?}");
        assert!(run.velocity("heavy").length() < 0.01, "{ratio} : 1 moves");
    }
}

fn pressed(ratio: f64, solver: &str, keys: &str) -> String {
    format!(
        "{solver} bodies: [{FLOOR}
            (name: \"light\", position: Origin(0, 0.5, 0), mass: Total(10), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            (name: \"heavy\", position: Origin(0, 1.5, 0), mass: Total({}), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))],
        {keys}",
        10.0 * ratio
    )
}

/// A load of a hundred times is gone from one step to the next: what bore it comes up again by the little it was pressed down,
/// at less than a tenth of a metre per second.
fn load_taken_away_leaves_nothing_that_jumps<S: Scalar>() {
    let mut run = Run::<S>::of(&pressed(100.0, "", "inputs: [(step: 200, action: Remove(\"heavy\"))]"));
    run.steps(199);
    assert!(
        run.position("light").y < 0.5 - 90.0 * GRAVITY / stiffness(10),
        "the load should press the light cube down"
    );
    for step in 200..=320 {
        run.step();
        let (place, velocity) = (run.position("light"), run.velocity("light"));
        assert!(velocity.length() < 0.1 && place.y < 0.501, "step {step}: {place:?} at {velocity:?}");
    }
    assert_near("height", run.position("light").y, 0.5 - GRAVITY / stiffness(10), 1e-4);
}

/// Two cubes that begin deep within each other come apart at 3 m/s at most, which is the default, or at what was asked for; and
/// afterwards they do not fly.
fn deep_overlap_leaves_at_the_speed_asked_for<S: Scalar>() {
    for push in [1.0, 3.0, 10.0] {
        for overlap in [0.1, 0.5, 0.9] {
            let mut run = Run::<S>::of(&format!(
                "gravity: (0, 0, 0), solver: Impulse(correction: Soft(push_speed: {push})), bodies: [
                    (name: \"a\", shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
                    (name: \"b\", position: Origin(0, {}, 0.01), shape: Cuboid(half_extents: (0.5, 0.5, 0.5)))]",
                1.0 - overlap
            ));
            let between = |run: &Run<S>| run.position("b") - run.position("a");
            let mut gap = between(&run);
            for step in 1..=120 {
                run.step();
                let now = between(&run);
                let (parting, speed) = ((now - gap).length(), (run.velocity("b") - run.velocity("a")).length());
                let what = format!("{overlap} m deep, push {push}, step {step}");
                assert!(parting <= push * DT * 1.001 + 1e-6, "{what}: parts by {parting} m");
                assert!(speed <= push, "{what}: {speed} m/s");
                gap = now;
            }
            assert!(gap.y > 0.999, "{overlap} m deep, push {push}: still overlaps, {gap:?}");
            assert_near("speed at the end", (run.velocity("b") - run.velocity("a")).length(), 0.0, 0.05);
            assert!(Vec3::new(gap.x, 0.0, gap.z - 0.01).length() < 0.01, "it should leave upwards: {gap:?}");
        }
    }
}
