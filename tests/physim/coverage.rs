//! A run that does not put to the test what its scene claims says so; one that does says nothing.

use physim::analysis::coverage::{vacuous_replay, vacuous_run};
use physim::math::ScalarKind;
use physim::replay::read_strict;
use physim::session::record::{RunPlan, record};

use crate::common::{example_scenes, load, package, parse, recorded};
use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::support::redact::without_seconds;

#[test]
fn no_golden_raises_a_false_alarm() {
    for scene in example_scenes() {
        let stem = scene.file_stem().expect("a name").to_string_lossy().into_owned();
        for scalar in ScalarKind::ALL {
            let replay = read_strict(&package().join(format!("replays/{stem}.{scalar}.mcap"))).expect("a golden");
            assert_eq!(vacuous_replay(&replay), [""; 0], "{stem} {scalar}");
        }
        let plan = RunPlan::new(load(&scene));
        let (summary, _) = record::<Vec<u8>>(&plan, &mut |_, _, _| Ok(None), &mut |_| {}).expect("it runs");
        assert_eq!(vacuous_run(&plan, &summary), [""; 0], "{stem}");
    }
}

/// A scene, its steps, and the beginnings of the warnings that it must raise.
const VACUOUS: [(&str, u32, &[&str]); 10] = [
    (FALLING, 0, &["no step was taken"]),
    (
        r#"bodies: [(name: "a", shape: Sphere(radius: 1))], gravity: (0, 0, 0),"#,
        9,
        &["nothing moved, in none of 9 steps"],
    ),
    (FALLING, 5, &["bodies could touch, but none did"]),
    (
        r#"gravity: (0, 0, 0), materials: { "clay": (friction: 0.9) }, bodies: [
            (name: "a", shape: Sphere(radius: 1), material: "clay", linear_velocity: (1, 0, 0)),
            (name: "b", position: Origin(9, 0, 0), shape: Sphere(radius: 1)),
        ],"#,
        9,
        &["bodies could touch, but none did"],
    ),
    (
        r#"bodies: [
            (name: "lift", kind: Kinematic, shape: Cuboid(half_extents: (1, 1, 1))),
            (name: "ball", position: Origin(0, 1.5, 0), shape: Sphere(radius: 0.5)),
        ],"#,
        30,
        &["the kinematic body `lift` never moves"],
    ),
    (
        r#"bodies: [
            (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: "ball", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5)),
            (name: "pin", position: Origin(5, 99, 0), shape: Capsule(half_height: 1, radius: 0.5)),
        ],"#,
        30,
        &["no capsule touched anything"],
    ),
    (
        r#"materials: { "rubber": (restitution: 0.8) }, bodies: [
            (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: "ball", position: Origin(0, 0.51, 0), shape: Sphere(radius: 0.5), material: "rubber"),
        ],"#,
        30,
        &[
            "a material has restitution, but nothing bounced: let bodies meet faster than solver.restitution_threshold (1 m/s)",
        ],
    ),
    (
        r#"gravity: (0, 0, 0), bodies: [
            (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
            (name: "puck", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5), linear_velocity: (1, 0, 0)),
        ],"#,
        9,
        &["bodies have friction, but no contact was pressed"],
    ),
    (
        r#"bodies: [
            (name: "gate", kind: Static, position: Origin(0, -99, 0), shape: Sphere(radius: 1), sensor: true),
            (name: "ball", shape: Sphere(radius: 0.5)),
        ],"#,
        9,
        &["nothing began or ended to overlap a sensor, such as that of `gate`"],
    ),
    (
        r#"bodies: [(name: "a", shape: Sphere(radius: 1))],
           inputs: [(step: 3, action: SetGravity(0, 0, 0)), (step: 20, action: Remove("a"))],"#,
        9,
        &["1 input is for a step after the last one (9) and will not act; take 20 steps or more"],
    ),
];

/// A ball two metres above the floor: 0.64 s until it lands.
const FALLING: &str = r#"bodies: [
    (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
    (name: "ball", position: Origin(0, 2.5, 0), shape: Sphere(radius: 0.5)),
],"#;

/// It lies on its ball; the bar is off the floor.
const DUMBBELL: &str = r#"bodies: [
    (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
    (name: "dumbbell", position: Origin(0, 0.5, 0), colliders: [
        (shape: Sphere(radius: 0.5)), (shape: Cylinder(half_height: 0.3, radius: 0.1)),
    ]),
],"#;

fn scene_text(rest: &str, steps: u32) -> String {
    format!("(version: 1, name: \"vacuous\", steps: {steps}, {rest})")
}

#[test]
fn a_run_that_guards_too_little_says_what_and_what_to_do() {
    for (rest, steps, expected) in VACUOUS {
        let plan = RunPlan::new(parse(&scene_text(rest, steps)));
        let (summary, _) = record::<Vec<u8>>(&plan, &mut |_, _, _| Ok(None), &mut |_| {}).expect("it runs");
        let warnings = vacuous_run(&plan, &summary);
        assert_eq!(warnings.len(), expected.len(), "{rest}: {warnings:?}");
        for (warning, start) in warnings.iter().zip(expected) {
            assert!(warning.starts_with(start), "{warning}");
        }
        assert_eq!(vacuous_replay(&recorded(&plan)), warnings, "its replay says the same");
    }
}

#[test]
fn enough_steps_and_the_warnings_are_gone() {
    for (rest, steps) in [(FALLING, 60), (r#"bodies: [(name: "a", shape: Sphere(radius: 1))],"#, 9), (DUMBBELL, 60)] {
        let plan = RunPlan::new(parse(&scene_text(rest, steps)));
        assert_eq!(vacuous_replay(&recorded(&plan)), [""; 0], "{rest}");
    }
}

/// Two steps there and two steps back: the last state has the bodies of the first.
const THERE_AND_BACK: &str = r#"gravity: (0, 0, 0), dt: "1/64", bodies: [
    (name: "a", shape: Sphere(radius: 1)),
], inputs: [
    (step: 1, action: SetVelocity(body: "a", linear: (64, 0, 0))),
    (step: 3, action: SetVelocity(body: "a", linear: (-64, 0, 0))),
    (step: 5, action: SetVelocity(body: "a", linear: (0, 0, 0))),
],"#;

/// A body that comes, moves and goes: the last state has the bodies of the first.
const COME_AND_GONE: &str = r#"gravity: (0, 0, 0), bodies: [(name: "a", shape: Sphere(radius: 1))], inputs: [
    (step: 2, action: Spawn(name: "b", position: Origin(9, 0, 0), shape: Sphere(radius: 1), linear_velocity: (1, 0, 0))),
    (step: 7, action: Remove("b")),
],"#;

#[test]
fn a_run_that_ends_as_it_began_has_moved_nonetheless() {
    for rest in [THERE_AND_BACK, COME_AND_GONE] {
        for scalar in ScalarKind::ALL {
            let plan = RunPlan { scalar, ..RunPlan::new(parse(&scene_text(rest, 9))) };
            let (summary, _) = record::<Vec<u8>>(&plan, &mut |_, _, _| Ok(None), &mut |_| {}).expect("it runs");
            let replay = recorded(&plan);
            let bodies = |step: usize| replay.steps.get(step).expect("a step").sections[1];
            assert_eq!(bodies(0), bodies(9), "{scalar}: it ends as it began: {rest}");
            assert_eq!(vacuous_run(&plan, &summary), [""; 0], "{scalar}: {rest}");
            assert_eq!(vacuous_replay(&replay), [""; 0], "{scalar}: {rest}");
        }
    }
}

#[test]
fn a_run_that_stopped_is_not_judged() {
    let rest = r#"bounds: (position: 3), bodies: [
        (name: "floor", kind: Static, position: Origin(0, -3, 0), shape: HalfSpace(normal: (0, 1, 0))),
        (name: "ball", shape: Sphere(radius: 0.5), linear_velocity: (60, 0, 0)),
    ],"#;
    let plan = RunPlan::new(parse(&scene_text(rest, 9)));
    let (summary, _) = record::<Vec<u8>>(&plan, &mut |_, _, _| Ok(None), &mut |_| {}).expect("it runs");
    assert!(summary.stopped.is_some());
    assert_eq!(vacuous_run(&plan, &summary), [""; 0]);
    assert_eq!(vacuous_replay(&recorded(&plan)), [""; 0]);
}

#[test]
fn every_report_carries_the_warning_and_the_replay_still_holds() {
    let folder = Folder::new();
    folder.write("falling.ron", scene_text(FALLING, 5));
    let ran = physim(&folder, &["run", "falling.ron", "-o", "falling.mcap"]).exits(0);
    assert!(ran.stderr.starts_with("warning: bodies could touch, but none did"), "{}", ran.stderr);
    let json = physim(&folder, &["run", "falling.ron", "--format", "json"]).exits(0).json();
    assert_eq!(json["warnings"].as_array().map(Vec::len), Some(1));
    let verified = |format: &str| physim(&folder, &["verify", "falling.mcap", "--format", format]).exits(0);
    let reports = ["text", "github", "junit"].map(|format| without_seconds(&verified(format).stdout()));
    insta::assert_snapshot!(reports.join("\n"));
    let json = verified("json").json();
    assert!(json["warnings"][0].as_str().is_some_and(|warning| warning.starts_with("bodies could touch")), "{json}");
    assert_eq!((&json["verdict"], &json["notes"]), (&"same".into(), &serde_json::json!([])));
}
