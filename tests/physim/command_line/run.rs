//! `physim run`: what it takes and what it says.

use physim::replay::{InputOrigin, Outcome, read_strict};

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::redact::{form, redact};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

fn flight() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder
}

#[test]
fn the_summary_for_people() {
    let folder = flight();
    let ran = physim(&folder, &["run", "flight.ron"]).exits(0);
    insta::assert_snapshot!(redact(&ran.stdout()));
    assert_eq!(ran.stderr, "");
}

#[test]
fn the_summary_of_a_recorded_run_with_contacts() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let ran = physim(&folder, &["run", "drop.ron", "-o", "drop.mcap", "--scalar", "f64", "--threads", "2"]).exits(0);
    insta::assert_snapshot!(form(&ran.stdout()));
    assert_eq!(folder.names(), ["drop.mcap", "drop.ron"]);
}

#[test]
fn the_summary_in_json_has_the_keys_of_the_contract() {
    let folder = flight();
    let ran = physim(&folder, &["run", "flight.ron", "--format", "json", "-o", "flight.mcap"]).exits(0);
    assert_eq!(ran.stdout().lines().count(), 1);
    let mut json = ran.json();
    assert!(json["seconds"].is_f64() && json["steps_per_second"].is_f64());
    json["seconds"] = 0.into();
    json["steps_per_second"] = 0.into();
    insta::assert_snapshot!(redact(&serde_json::to_string_pretty(&json).expect("text")));
}

#[test]
fn the_same_run_gives_the_same_hash_whatever_the_threads() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let hash = |threads: &str, scalar: &str| {
        let arguments = ["run", "drop.ron", "--format", "json", "--threads", threads, "--scalar", scalar];
        physim(&folder, &arguments).exits(0).json()["hash"].as_str().expect("a hash").to_owned()
    };
    for scalar in ["fixed", "f32", "f64"] {
        assert_eq!(hash("1", scalar), hash("3", scalar));
        assert_eq!(hash("1", scalar).len(), 64);
    }
    assert_ne!(hash("1", "f32"), hash("1", "f64"));
}

#[test]
fn a_run_that_stops_keeps_its_replay_and_says_where() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    let ran = physim(&folder, &["run", "escape.ron", "-o", "escape.mcap"]).exits(2);
    insta::assert_snapshot!(form(&ran.stdout()));
    insta::assert_snapshot!(ran.stderr);
    let replay = read_strict(&folder.path("escape.mcap")).expect("a whole replay");
    let ending = replay.ending.expect("an ending");
    assert_eq!(ending.steps, 8);
    assert!(matches!(ending.outcome, Outcome::Stopped { step: 9, body: Some(body), .. } if body == "ball"));

    let json = physim(&folder, &["run", "escape.ron", "--format", "json"]).exits(2).json();
    assert_eq!((&json["steps"], &json["stopped"]["step"]), (&8.into(), &9.into()));
    assert_eq!(json["stopped"]["body"], "ball");
}

#[test]
fn too_many_bodies_in_one_place_stop_a_run_with_count_and_limit() {
    let folder = Folder::new();
    folder.write(
        "heap.ron",
        "(version: 1, name: \"heap\", bodies: [], groups: [(name: \"ball\", body: (shape: Sphere(radius: 0.1)),
            layout: Stack(origin: (0, 1, 0), count: 1000, spacing: (0, 0, 0)))])",
    );
    let ran = physim(&folder, &["run", "heap.ron", "-o", "heap.mcap"]).exits(2);
    insta::assert_snapshot!(ran.stderr);
    let ending = read_strict(&folder.path("heap.mcap")).expect("a whole replay").ending.expect("an ending");
    assert_eq!(ending.steps, 0);
    assert!(matches!(ending.outcome, Outcome::Stopped { step: 1, body: None, .. }));
}

#[test]
fn what_is_set_on_the_command_line_is_recorded() {
    let folder = flight();
    let set = ["--set", "solver.iterations=7", "--set", "gravity.1=-2"];
    let rest = ["-o", "a.mcap", "--steps", "5", "--scalar", "f32", "--keyframe-every", "2", "--reason", "because"];
    physim(&folder, &[["run", "flight.ron"].as_slice(), &set, &rest].concat()).exits(0);
    let replay = read_strict(&folder.path("a.mcap")).expect("a replay");
    let header = &replay.header;
    assert_eq!(header.overrides, ["solver.iterations=7", "gravity.1=-2"]);
    assert_eq!((header.steps, header.keyframe_every, header.scalar.name()), (5, 2, "f32"));
    assert_eq!(header.reason.as_deref(), Some("because"));
    assert_eq!(header.scene_file.as_deref(), Some("flight.ron"));
    assert!(replay.scene.contains("iterations: 7"));
    assert_eq!(replay.keyframes.steps().collect::<Vec<_>>(), [0, 2, 4]);
    physim(&folder, &["verify", "a.mcap"]).exits(0);
}

#[test]
fn the_scene_may_come_from_standard_input() {
    let folder = flight();
    let named = physim(&folder, &["run", "flight.ron", "--format", "json"]).exits(0).json();
    let piped = physim_with_input(&folder, &["run", "-", "--format", "json"], FLIGHT.as_bytes()).exits(0).json();
    assert_eq!(named["hash"], piped["hash"]);
    let wrong = physim_with_input(&folder, &["run", "-"], b"(version: 1)").exits(2);
    assert!(wrong.stderr.contains("<stdin>:1:1"), "{}", wrong.stderr);
    let binary = physim_with_input(&folder, &["run", "-"], b"\xff\xfe").exits(2);
    assert!(binary.stderr.contains("byte 0 is not UTF-8"), "{}", binary.stderr);
}

const PUSH: &str = "// One push.\n\n(step: 3, action: AddVelocity(body: \"ball\", linear: (0, 1, 0)))\n";

#[test]
fn inputs_may_come_from_a_file_or_standard_input() {
    let folder = flight();
    folder.write("push.ron", PUSH);
    physim(&folder, &["run", "flight.ron", "--inputs", "push.ron", "-o", "file.mcap"]).exits(0);
    let arguments = ["run", "flight.ron", "--inputs", "-", "-o", "piped.mcap"];
    physim_with_input(&folder, &arguments, PUSH.as_bytes()).exits(0);
    for (name, origin) in [("file.mcap", InputOrigin::File), ("piped.mcap", InputOrigin::Stdin)] {
        let replay = read_strict(&folder.path(name)).expect("a replay");
        assert_eq!(replay.inputs.iter().map(|input| (input.step, input.origin)).collect::<Vec<_>>(), [(3, origin)]);
    }
    physim(&folder, &["verify", "file.mcap", "piped.mcap"]).exits(0);
    // The push moves the ball by a metre per second from step 3 on: 10 steps of 1/64 s.
    let shown = physim(&folder, &["show", "file.mcap", "--step", "12", "--body", "ball", "--format", "json"]);
    assert_eq!(shown.exits(0).json()["bodies"][0]["position"][1], 10.0 / 64.0);
}

#[test]
fn wrong_inputs_are_shown_in_their_line() {
    let folder = flight();
    folder.write("push.ron", "\n(step: 3, action: Remove(\"bal\"))\n");
    let ran = physim(&folder, &["run", "flight.ron", "--inputs", "push.ron"]).exits(2);
    assert!(ran.stderr.contains("push.ron:2:"), "{}", ran.stderr);
    physim(&folder, &["run", "flight.ron", "--inputs", "none.ron"]).exits(2);
    physim(&folder, &["run", "flight.ron", "--inputs", "."]).exits(2);
    physim(&folder, &["run", "-", "--inputs", "-"]).exits(2);
}

#[test]
fn inputs_after_the_end_are_warned_of() {
    let folder = flight();
    folder.write("push.ron", PUSH);
    let ran = physim(&folder, &["run", "flight.ron", "--inputs", "push.ron", "--steps", "2"]).exits(0);
    assert!(ran.stderr.starts_with("warning: 1 input "), "{}", ran.stderr);
    let json = ["run", "flight.ron", "--inputs", "push.ron", "--steps", "2", "--format", "json"];
    assert_eq!(physim(&folder, &json).exits(0).json()["warnings"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_run_of_no_steps_is_a_run() {
    let folder = flight();
    let json =
        physim(&folder, &["run", "flight.ron", "--steps", "0", "-o", "a.mcap", "--format", "json"]).exits(0).json();
    assert_eq!(json["steps"], 0);
    physim(&folder, &["verify", "a.mcap"]).exits(0);
}

#[test]
fn faults_that_name_nothing_are_refused_before_the_run() {
    let folder = flight();
    for (fault, answer) in [
        ("ulp@3,object=bal,field=position.x", "did you mean `ball`?"),
        ("ulp@3,object=ball,field=position.w", "did you mean `position.x`?"),
        ("ulp@3,section=bodys,object=ball,field=position.x", "there is no section `bodys`, only world, bodies"),
        ("bit@3,object=ball,field=position.x", "there is no kind `bit`, only ulp, fma"),
        (
            "ulp@99,object=ball,field=position.x",
            "the last step is 12, and ulp@99,object=ball,field=position.x comes later",
        ),
        ("lost_impulse@3,object=ball#0 | floor#0", "there is no body `floor`"),
    ] {
        let ran = physim(&folder, &["run", "flight.ron", "-o", "a.mcap", "--fault", fault]).exits(2);
        assert!(ran.stderr.contains(answer), "{fault}: {}", ran.stderr);
        assert_eq!(folder.names(), ["flight.ron"]);
    }
}

/// Bodies of step 0 stand before those that are spawned. Whatever a name has in it, reports tell it and faults take it.
#[test]
fn a_contact_is_planted_in_by_the_name_that_reports_tell() {
    let folder = Folder::new();
    let scene = DROP.replace("\"ball\"", "\"x | y\"").replace(
        "keyframe_every",
        "inputs: [(step: 2, action: Spawn(name: \"a#1\", position: Origin(5, 0.5, 0), shape: Sphere(radius: 0.5)))], keyframe_every",
    );
    folder.write("drop.ron", &scene);
    let run =
        |contact: &str| physim(&folder, &["run", "drop.ron", "--fault", &format!("lost_impulse@40,object={contact}")]);
    for right in ["box#0 | floor#0", "box#0 | x | y#0", "floor#0 | a#1#0"] {
        let ran = run(right).exits(0);
        assert_eq!(ran.stderr, "", "{right}");
    }
    for (wrong, answer) in [
        ("floor#0 | box#0", "the body with the smaller id stands first: `box#0 | floor#0`"),
        ("a#1#0 | floor#0", "the body with the smaller id stands first: `floor#0 | a#1#0`"),
        ("x | y#0 | box#0", "the body with the smaller id stands first: `box#0 | x | y#0`"),
        ("box#0 | flor#0", "there is no body `flor`; did you mean `floor`?"),
        ("box#0 | floor", "does not name a contact"),
    ] {
        let ran = run(wrong).exits(2);
        assert!(ran.stderr.contains(answer), "{wrong}: {}", ran.stderr);
    }
    let ran = physim(&folder, &["run", "drop.ron", "--fault", "ulp@9,object=b#1,field=position.x"]).exits(2);
    assert!(ran.stderr.contains("there is no body `b#1`; did you mean `a#1`?"), "{}", ran.stderr);
}

/// Of several faults the ones that changed nothing are told by name, whether it is one or two.
#[test]
fn faults_that_change_nothing_are_told_by_name() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let [early, missing] = ["lost_impulse@1,object=ball#0 | box#0", "lost_impulse@40,object=box#7 | floor#0"];
    let planted = "ulp@9,object=box,field=position.x";
    let run = |faults: &[&str]| {
        let faults = faults.iter().flat_map(|fault| ["--fault", fault]);
        physim(&folder, &["run", "drop.ron"].into_iter().chain(faults).collect::<Vec<_>>()).exits(0).stderr
    };
    assert_eq!(run(&[planted]), "");
    let one = run(&[early, planted]);
    assert!(one.contains(&format!("fault `{early}` is inert: the step has the same bits without")), "{one}");
    let both = run(&[early, planted, missing]);
    assert!(both.contains(&format!("faults `{early}`, `{missing}` are inert: the step")), "{both}");
}

#[test]
fn a_static_body_cannot_be_given_a_velocity() {
    let folder = Folder::new();
    folder.write(
        "floor.ron",
        r#"(version: 1, name: "floor", bodies: [(name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0)))])"#,
    );
    for action in
        [r#"SetVelocity(body: "floor", linear: (9, 0, 0))"#, r#"AddVelocity(body: "floor", linear: (9, 0, 0))"#]
    {
        let input = format!("(step: 5, action: {action})\n");
        let ran = physim_with_input(&folder, &["run", "floor.ron", "--inputs", "-"], input.as_bytes()).exits(2);
        assert!(ran.stderr.contains("is static and never moves"), "{}", ran.stderr);
    }
}

/// An arm on a pin that turns by 1.7 rad in a substep gains two thirds of its energy in two seconds; with 32 substeps nothing to speak of. What
/// is driven gains what it is given.
#[test]
fn energy_that_comes_from_nowhere_is_told() {
    let folder = Folder::new();
    let scene = |solver: &str, more: &str| {
        format!(
            "(version: 1, name: \"arm\", steps: 120, gravity: (0, 0, 0), solver: Impulse({solver}), bodies: [
                (name: \"hub\", kind: Static, shape: Sphere(radius: 0.1)),
                (name: \"arm\", position: Origin(1, 0, 0), shape: Cuboid(half_extents: (0.5, 0.05, 0.05)),
                    linear_velocity: (0, 100, 0), angular_velocity: (0, 0, 100))],
              joints: [(name: \"pin\", kind: Spherical, a: \"hub\", b: \"arm\", at: (0, 0, 0))]{more})"
        )
    };
    let push = ", inputs: [(step: 1, action: Impulse(body: \"arm\", impulse: (0, 1, 0)))]";
    for (solver, more, is_told) in
        [("substeps: 1", "", true), ("substeps: 32", "", false), ("substeps: 1", push, false)]
    {
        folder.write("arm.ron", scene(solver, more));
        let stderr = physim(&folder, &["run", "arm.ron"]).exits(0).stderr;
        assert_eq!(stderr.contains("the energy rose by"), is_told, "{solver}{more}: {stderr}");
    }
}
