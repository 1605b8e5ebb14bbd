//! `physim show --step A..B --body PATTERN`: many steps and bodies in one pass.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::support::folder::Folder;
use crate::support::program::{command, physim, physim_with_input};

/// Bodies whose names are hard on patterns and on CSV, one of which comes in step 6 and one of which goes in step 9.
const NAMES: &str = r#"(
    version: 1,
    name: "names",
    steps: 12,
    dt: "1/64",
    keyframe_every: 4,
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "wall[3,4]", position: Origin(0, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: "wall[3,14]", position: Origin(3, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: "wall*", position: Origin(6, 0.5, 0), shape: Sphere(radius: 0.5)),
        (name: "say \"hi\"", position: Origin(9, 9, 0), shape: Sphere(radius: 0.5)),
    ],
    inputs: [
        (step: 6, action: Spawn(name: "late", position: Origin(0, 3, 3), shape: Sphere(radius: 0.2))),
        (step: 9, action: Remove("wall[3,14]")),
    ],
)
"#;

fn recorded() -> Folder {
    let folder = Folder::new();
    folder.write("scene.ron", NAMES);
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap"]).exits(0);
    folder
}

fn show(folder: &Folder, arguments: &[&str]) -> String {
    physim(folder, &[["show", "a.mcap"].as_slice(), arguments].concat()).exits(0).stdout()
}

#[test]
fn a_range_says_of_every_step_what_the_step_alone_says() {
    let folder = recorded();
    let lines = show(&folder, &["--step", "0..last", "--format", "json"]);
    let lines: Vec<&str> = lines.lines().collect();
    assert_eq!(lines.len(), 13);
    for (step, line) in lines.iter().enumerate() {
        let alone = show(&folder, &["--step", &step.to_string(), "--format", "json"]);
        assert_eq!(alone.trim_end(), *line, "step {step}");
    }
    // A range that begins behind a keyframe is the same as that part of the whole.
    for (range, from, to) in [("5..9", 5, 9), ("8..", 8, 12), ("..3", 0, 3), ("12..last", 12, 12), ("3..=4", 3, 4)] {
        let part = show(&folder, &["--step", range, "--format", "json"]);
        assert_eq!(part.lines().collect::<Vec<_>>(), lines[from..=to], "{range}");
    }
}

#[test]
fn rows_have_step_time_and_body_in_front() {
    let folder = recorded();
    let csv = show(&folder, &["--step", "4..6", "--format", "csv"]);
    let head = "step,time,body,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep";
    assert_eq!(csv.lines().next(), Some(head));
    assert_eq!(csv.lines().count(), 1 + 5 + 5 + 6, "the body of step 6 is there from then on");
    assert!(csv.contains("\n5,0.078125,\"wall[3,4]\",") && csv.contains("\n5,0.078125,\"say \"\"hi\"\"\",9,"), "{csv}");
    // One step or one body alone keeps its columns.
    assert!(show(&folder, &["--step", "4", "--format", "csv"]).starts_with("body,px,"));
    assert!(show(&folder, &["--body", "floor", "--format", "csv"]).starts_with("step,time,px,"));
    assert!(show(&folder, &["--body", "floo?", "--format", "csv"]).starts_with(head));
    let text = show(&folder, &["--step", "4..5", "--body", "wall[3,*"]);
    insta::assert_snapshot!(text);
}

#[test]
fn patterns_choose_bodies_and_a_name_wins_over_a_pattern() {
    let folder = recorded();
    let names = |pattern: &str| {
        let line = show(&folder, &["--step", "7", "--body", pattern, "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        let bodies = json["bodies"].as_array().expect("a list").iter();
        bodies.map(|body| body["name"].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("wall[3,4]"), ["wall[3,4]"]);
    assert_eq!(names("wall[3,*]"), ["wall[3,14]", "wall[3,4]"]);
    assert_eq!(names("*4]"), ["wall[3,14]", "wall[3,4]"]);
    assert_eq!(names("wall*"), ["wall*"], "there is a body of that name");
    assert_eq!(names("wal*").len(), 3);
    assert_eq!(names("????"), ["late"]);
    assert_eq!(names("*").len(), 6);
}

#[test]
fn several_patterns_show_the_bodies_of_each() {
    let folder = recorded();
    let bodies = ["--body", "late", "--body", "wall[3,*]"];
    let csv = show(&folder, &[&["--step", "7", "--format", "csv"][..], &bodies].concat());
    let shown: Vec<&str> = csv.lines().filter(|line| line.contains("late") || line.contains("wall")).collect();
    assert_eq!((shown.len(), csv.contains("floor")), (3, false), "{csv}");
    let rows = show(&folder, &[&["--format", "csv"][..], &bodies].concat());
    assert!(rows.contains("late") && rows.contains("wall[3,4]") && !rows.contains("floor"), "{rows}");
    let refused = |arguments: &[&str]| physim(&folder, &[&["show", "a.mcap"][..], arguments].concat()).exits(2).stderr;
    let told = refused(&["--body", "late", "--body", "flor"]);
    assert!(told.contains("there is no body \"flor\" in this replay; did you mean \"floor\"?"), "{told}");
    let told = refused(&["--body", "late", "--body", "lat?", "--step", "0..5"]);
    assert!(told.contains("no body matches \"late\" or \"lat?\" in steps 0 to 5; it is there in other"), "{told}");
}

#[test]
fn a_body_is_shown_in_the_steps_in_which_it_is_there() {
    let folder = recorded();
    let steps = |arguments: &[&str]| {
        let csv = show(&folder, &[arguments, &["--format", "csv"]].concat());
        csv.lines().skip(1).map(|line| line.split(',').next().expect("a step").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(steps(&["--body", "late"]), ["6", "7", "8", "9", "10", "11", "12"]);
    assert_eq!(steps(&["--body", "wall[3,14]", "--step", "7.."]), ["7", "8"]);
    let json = show(&folder, &["--body", "late", "--step", "3..7", "--format", "json"]);
    assert_eq!(json.lines().count(), 2);
    let ran = physim(&folder, &["show", "a.mcap", "--body", "late", "--step", "0..5"]).exits(2);
    assert!(
        ran.stderr.contains("there is no body \"late\" in steps 0 to 5; it is there in other steps"),
        "{}",
        ran.stderr
    );
    assert_eq!(ran.stdout(), "");
}

#[test]
fn what_is_not_there_is_said_with_what_is_near() {
    let folder = recorded();
    for (arguments, answer) in [
        (["--body", "flor"].as_slice(), "there is no body \"flor\" in this replay; did you mean \"floor\"?"),
        (&["--body", "walls*"], "no body matches \"walls*\""),
        (&["--body", "zzzzzzz"], "it has \"floor\", \"late\""),
        (&["--step", "3..13"], "there is no step 13: the replay holds steps 0 to 12"),
        (&["--step", "13.."], "there is no step 13"),
        (&["--step", "5..3"], "step 5 comes after step 3"),
        (&["--step", "1e1"], "expected a step number or `last`"),
    ] {
        let ran = physim(&folder, &[["show", "a.mcap"].as_slice(), arguments].concat()).exits(2);
        assert!(ran.stderr.contains(answer) && ran.stdout().is_empty(), "{arguments:?}: {ran:?}");
    }
}

#[test]
fn a_damaged_replay_is_shown_as_far_as_it_is_sound() {
    let folder = recorded();
    let whole = folder.read("a.mcap");
    let cut = &whole[..whole.len() / 2];
    let whole_rows = show(&folder, &["--step", "0..last", "--format", "csv"]);
    for range in ["0..last", "0..12"] {
        let ran = physim_with_input(&folder, &["show", "-", "--step", range, "--format", "csv"], cut).exits(3);
        assert!(ran.stderr.contains("is damaged") && ran.stdout().lines().count() > 1, "{ran:?}");
        assert!(whole_rows.starts_with(&ran.stdout()) && whole_rows != ran.stdout());
    }
    physim_with_input(&folder, &["show", "-", "--step", "12..", "--format", "csv"], cut).exits(3);
}

#[test]
fn a_reader_that_leaves_a_long_range_is_no_error() {
    let folder = Folder::new();
    // More rows than a pipe takes, so that the program cannot be done before the reader leaves.
    folder.write(
        "scene.ron",
        NAMES.replace("steps: 12", "steps: 20000").replace("keyframe_every: 4", "keyframe_every: 5000"),
    );
    physim(&folder, &["run", "scene.ron", "-o", "a.mcap"]).exits(0);
    let mut child = command(&folder, &["show", "a.mcap", "--step", "0..last", "--format", "csv"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first: Vec<String> = lines.by_ref().take(3).map(|line| line.expect("a line")).collect();
    assert!(first[2].starts_with("0,0,"), "{first:?}");
    assert!(child.try_wait().expect("a child").is_none(), "rows are left to write");
    drop(lines);
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0), "a reader that leaves is no error");
}
