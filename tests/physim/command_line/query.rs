//! `physim query`.

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::redact::redact;

/// A ball of 0.5 falls by 10 m/s^2 from 8 m to a floor; a step takes 1/64 s.
const FALL: &str = "(version: 1, name: \"fall\", steps: 64, dt: \"1/64\", scalar: F64, gravity: (0, -10, 0), solver: Impulse(substeps: 1), bodies: [
    (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
    (name: \"ball\", position: Origin(0, 8, 0), shape: Sphere(radius: 0.5)),
], queries: {
    \"height\": Ray(from: (0, 20, 0), to: (0, 0, 0)),
    \"landing\": Meet(bodies: (\"ball\", \"floor\"), seconds: 10),
})";

fn recorded() -> Folder {
    let folder = Folder::new();
    folder.write("fall.ron", FALL);
    physim(&folder, &["run", "fall.ron", "-o", "fall.mcap"]).exits(0);
    folder
}

#[test]
fn answers_of_a_scene_and_of_its_replay() {
    let folder = recorded();
    let scene =
        physim(&folder, &["query", "fall.ron", "Contains(point: (0, 8, 0))", "height", "Contains(point: (0, 9, 0))"]);
    insta::assert_snapshot!(redact(&scene.exits(0).stdout()));
    let own = physim(&folder, &["query", "fall.mcap", "--step", "8"]).exits(0).stdout();
    insta::assert_snapshot!(redact(&own));
    let json = physim(&folder, &["query", "fall.mcap", "--step", "8", "--format", "json"]).exits(0).stdout();
    insta::assert_snapshot!(redact(&json));
    let piped = physim_with_input(&folder, &["query", "-", "--step", "8", "--format", "json"], FALL.as_bytes());
    assert_eq!(piped.exits(0).stdout(), json, "a scene is run to the step that a replay has");
}

/// Free fall in steps: after n of them `h^2 g n (n + 1) / 2`.
#[test]
fn every_step_of_a_range_is_asked() {
    let folder = recorded();
    for source in ["fall.ron", "fall.mcap"] {
        let ran = physim(&folder, &["query", source, "height", "--step", "0..20", "--format", "json"]).exits(0);
        let lines: Vec<serde_json::Value> =
            ran.stdout().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(lines.len(), 21);
        for (step, line) in (0..).zip(&lines) {
            let distance = line["queries"][0]["found"][0]["distance"].as_f64().expect("a number");
            let fallen = 10.0 / 64.0 / 64.0 * f64::from(step * (step + 1)) / 2.0;
            assert!((distance - (11.5 + fallen)).abs() < 1e-9, "{source} in step {step}: {distance}");
        }
    }
    let last = physim(&folder, &["query", "fall.mcap", "height", "--format", "json"]).exits(0).json();
    assert_eq!(last["step"], 64, "of a replay the last step");
}

#[test]
fn what_cannot_be_asked_is_told() {
    let folder = recorded();
    folder.write("plain.ron", FALL.split_once("queries").map_or("", |(before, _)| before).to_owned() + ")");
    folder.write("unopened.ron", FALL.replacen('(', "", 1));
    folder.write("empty.ron", "");
    let mut shown = Vec::new();
    for (arguments, status) in [
        (&["fall.ron", "heigth"][..], 2),
        (&["plain.ron"], 2),
        (&["fall.ron", "Ray(from: (0, 1, 0), to: (0, 1))"], 2),
        (&["fall.ron", "Between(bodies: (\"ball\", \"flor\"))"], 2),
        (&["fall.ron", "Between(bodies: (\"ball\"))"], 2),
        (&["fall.ron", "Contains(point: (0, 1, 0), filter: (see: []))"], 2),
        (&["unopened.ron", "height", "--scalar", "f64"], 2),
        (&["empty.ron", "height"], 2),
        (&["fall.ron", "height", "--step", "65"], 2),
        (&["fall.mcap", "height", "--step", "65"], 2),
        (&["fall.mcap", "height", "--scalar", "f32"], 2),
        (&["missing.mcap", "height"], 2),
    ] {
        let arguments: Vec<&str> = ["query"].iter().chain(arguments).copied().collect();
        let ran = physim(&folder, &arguments).exits(status);
        assert_eq!(ran.stdout(), "", "{arguments:?}");
        shown.push(format!("$ physim {}\n{}", arguments.join(" "), ran.stderr));
    }
    insta::assert_snapshot!(redact(&shown.join("\n")));
}

/// The fall, in which another ball is spawned in step 10.
fn spawning_later() -> Folder {
    let folder = Folder::new();
    let late = FALL.replace("], queries", "], inputs: [(step: 10, action: Spawn(name: \"late\", position: Origin(5, 1, 0), shape: Sphere(radius: 0.5)))], queries");
    folder.write("late.ron", late);
    folder
}

/// A body that is spawned later has no answer before.
#[test]
fn a_body_that_is_not_there_yet_is_told() {
    let folder = spawning_later();
    let ask =
        |step: &str| physim(&folder, &["query", "late.ron", "Between(bodies: (\"late\", \"floor\"))", "--step", step]);
    let ran = ask("3").exits(2);
    assert!(ran.stderr.contains("there is no body \"late\" in this step"), "{}", ran.stderr);
    assert!(ask("10").exits(0).stdout().contains("late#0"));
}

/// The others are answered beside it, and it is where it can be.
#[test]
fn a_question_without_an_answer_leaves_the_others_alone() {
    let folder = spawning_later();
    let ask = |steps: &str, format: &str| {
        let arguments = [
            "query",
            "late.ron",
            "height",
            "Between(bodies: (\"late\", \"floor\"))",
            "--step",
            steps,
            "--format",
            format,
        ];
        physim(&folder, &arguments)
    };
    let lines: Vec<serde_json::Value> =
        ask("8..11", "json").exits(0).stdout().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 4);
    for line in &lines {
        let [height, between] = [0, 1].map(|place| &line["queries"][place]);
        assert_eq!(
            (height["found"][0]["shape"].as_str(), &height["error"]),
            (Some("ball#0"), &serde_json::Value::Null)
        );
        let is_there = line["step"].as_u64() >= Some(10);
        assert_eq!(between["found"].as_array().expect("a list").len(), usize::from(is_there), "{line}");
        assert_eq!(between["error"].as_str().is_some_and(|error| error.contains("\"late\"")), !is_there, "{line}");
    }
    let text = ask("3", "text").exits(2);
    assert!(
        text.stdout().contains("ball#0") && text.stdout().contains("no answer: there is no body"),
        "{}",
        text.stdout()
    );
    assert!(text.stderr.contains("step 3: there is no body \"late\""), "{}", text.stderr);
}

/// A hull may come from a file in a question of the scene's file, as in its bodies.
#[test]
fn a_hull_of_a_file_can_be_asked_with() {
    let folder = Folder::new();
    folder.write("cube.obj", "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n");
    folder.write(
        "fall.ron",
        FALL.replace("queries: {", "queries: { \"cube\": Overlap(shape: Hull(file: \"cube.obj\"), at: (0, 6.75, 0)),"),
    );
    let found = physim(&folder, &["query", "fall.ron", "cube", "--format", "json"]).exits(0).json();
    let found = &found["queries"][0]["found"][0];
    assert_eq!((found["shape"].as_str(), found["distance"].as_f64()), (Some("ball#0"), Some(-0.25)));
    physim(&folder, &["run", "fall.ron", "-o", "fall.mcap"]).exits(0);
    std::fs::remove_file(folder.path("cube.obj")).expect("it is there");
    physim(&folder, &["query", "fall.mcap", "cube", "--step", "0"]).exits(0);
}
