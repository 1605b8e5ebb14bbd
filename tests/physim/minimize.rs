//! `physim minimize`: what is left is small, still shows it, and can be gone on from.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use physim::math::{Scalar, Vec3};
use physim::scene::generate::{expand, write_out_group};
use physim::scene::joints::expand_joints;
use physim::scene::model::Scene;
use physim::session::rebase::rebase;
use physim::session::record::RunPlan;

use crate::common::{example_scenes, load, package, parse};
use crate::on_every_scalar;
use crate::support::folder::Folder;
use crate::support::program::{Ran, physim};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

const FAULT: &str = "ulp@6,object=ball,field=linear_velocity.x";

/// A folder with a scene of the package.
fn with_scene(name: &str) -> Folder {
    let folder = Folder::new();
    folder.write("scene.ron", std::fs::read(package().join("scenes").join(name)).expect("a scene"));
    folder
}

/// The words of a command as a shell reads them, of those that the program prints.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in command.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            _ => words.last_mut().expect("a word").push(letter),
        }
    }
    words
}

/// Runs the commands of a report as they stand there; the last of them is a `diff`.
fn diff_as_told(folder: &Folder, json: &serde_json::Value) -> Ran {
    let commands: Vec<Vec<String>> = json["commands"]
        .as_array()
        .expect("commands")
        .iter()
        .map(|line| words(line.as_str().expect("a line")))
        .collect();
    let (diff, runs) = commands.split_last().expect("commands");
    for run in runs {
        let arguments: Vec<&str> = run.iter().skip(1).map(String::as_str).collect();
        physim(folder, &arguments);
    }
    let arguments: Vec<&str> = diff.iter().skip(1).map(String::as_str).chain(["--format", "json"]).collect();
    physim(folder, &arguments)
}

/// Minimises a scene and does what the report says to see it.
fn minimised(scene: &str, arguments: &[&str]) -> serde_json::Value {
    let folder = with_scene(scene);
    let all = [&["minimize", "scene.ron", "-o", "small.ron", "--format", "json"], arguments].concat();
    let json = physim(&folder, &all).exits(0).json();
    assert_eq!(json["budget_ended"], false, "{json}");
    let diff = diff_as_told(&folder, &json).exits(1).json();
    assert_eq!(diff["verdict"], "diverged");
    assert_eq!(diff["first"]["step"], json["step"], "{json}");
    // The report speaks of the file that was written.
    let scene = load(&folder.path("small.ron"));
    assert_eq!(json["to_size"]["bodies"], expand(&scene).expect("its bodies").len());
    assert!(!folder.names().iter().any(|name| name.ends_with(".partial") || name.ends_with(".new")));
    json
}

#[test]
fn scenes_of_50_to_1000_bodies_come_down_to_3_or_less() {
    let cases: [(&str, usize, u64, &[&str]); 6] = [
        ("bench/pile_boxes_1000.ron", 1005, 1, &["--fault", "ulp@20,object=body[3,4,5],field=linear_velocity.x"]),
        (
            "bench/wall_40.ron",
            821,
            3,
            &["--scalar", "f32", "--fault", "lost_impulse@6,object=brick[0,3]#0 | brick[1,3]#0"],
        ),
        (
            "bench/columns_10x10.ron",
            1001,
            2,
            &[
                "--scalar",
                "f64",
                "--fault",
                "ulp@5,section=contacts,object=cube[2,0,2]#0 | floor#0,field=points[0].normal_impulse",
            ],
        ),
        ("bench/pile_boxes_1000.ron", 1005, 3, &["--scalar", "f32", "--fault", "order@40"]),
        (
            "bench/pile_spheres_5000.ron",
            77,
            1,
            &[
                "--set",
                "groups.body.layout.count=(3, 8, 3)",
                "--fault",
                "ulp@30,object=body[1,7,1],field=position.y,ulps=-2",
            ],
        ),
        (
            "bench/wall_40.ron",
            56,
            3,
            &[
                "--scalar",
                "f64",
                "--set",
                "groups.brick.layout.rows=10",
                "--set",
                "groups.brick.layout.base=10",
                "--fault",
                "swap@7",
            ],
        ),
    ];
    for (scene, bodies, left, arguments) in cases {
        let json = minimised(scene, arguments);
        assert_eq!(json["from_size"]["bodies"], bodies, "{scene}");
        let to = json["to_size"]["bodies"].as_u64().expect("a count");
        assert!(to <= left, "{scene} {arguments:?}: {to} bodies are left: {json}");
        assert!(json["to_size"]["steps"].as_u64().expect("a count") <= 2, "{json}");
    }
}

/// Excluded pairs and queries name bodies, and go with them.
#[test]
fn what_only_names_a_body_does_not_keep_it() {
    let folder = Folder::new();
    let scene = "(version: 1, name: \"named\", steps: 30, excluded_pairs: [(\"ball\", \"one\")],
        queries: {\"way\": Between(bodies: (\"one\", \"ball\"))}, bodies: [(name: \"ball\", shape: Sphere(radius: 0.5)),
        (name: \"one\", position: Origin(9, 1, 0), shape: Sphere(radius: 0.5))])";
    folder.write("scene.ron", scene);
    physim(&folder, &["minimize", "scene.ron", "-o", "small.ron", "--fault", FAULT]).exits(0);
    let small = load(&folder.path("small.ron"));
    assert!(small.bodies.len() == 1 && small.excluded_pairs.is_empty() && small.queries.is_empty(), "{small:?}");
}

#[test]
fn the_scene_that_is_written_says_what_it_shows() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let fault = "lost_impulse@9,object=box#0 | floor#0";
    let ran = physim(&folder, &["minimize", "drop.ron", "--fault", fault, "--color", "never"]).exits(0);
    let time = ran.stdout().lines().find(|line| line.contains("tests")).expect("a time").to_owned();
    insta::assert_snapshot!(ran.stdout().replace(&time, "  tests  <tests and time>"));
    insta::assert_snapshot!(String::from_utf8(folder.read("drop.min.ron")).expect("a text"));
    assert_eq!(ran.stderr, "");
}

#[test]
fn two_replays_are_run_again_as_they_were() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder.write("push.ron", "(step: 5, action: AddVelocity(body: \"box\", linear: (1, 0, 0)))\n");
    folder.write("both.ron", "(step: 2, action: AddVelocity(body: \"ball\", linear: (1, 0, 0)))\n");
    physim(&folder, &["run", "drop.ron", "-o", "plain.mcap"]).exits(0);
    physim(&folder, &["run", "drop.ron", "-o", "pushed.mcap", "--inputs", "push.ron"]).exits(0);
    let small = ["-o", "small.ron", "--format", "json"];
    let json =
        physim(&folder, &[&["minimize", "plain.mcap", "pushed.mcap"], small.as_slice()].concat()).exits(0).json();
    assert_eq!(json["to_size"], serde_json::json!({"bodies": 1, "steps": 1}));
    assert_eq!(String::from_utf8_lossy(&folder.read("small.ron.b.inputs")).matches("step:1").count(), 1);
    diff_as_told(&folder, &json).exits(1);
    // What both were given belongs to the scene, and goes when it is not needed.
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap", "--inputs", "both.ron"]).exits(0);
    let with_fault = ["--inputs", "both.ron", "--threads", "2", "--fault", "ulp@8,object=ball,field=position.x"];
    physim(&folder, &[&["run", "drop.ron", "-o", "b.mcap"], with_fault.as_slice()].concat()).exits(0);
    let json = physim(&folder, &[&["minimize", "a.mcap", "b.mcap"], small.as_slice()].concat()).exits(0).json();
    assert_eq!(json["to_size"], serde_json::json!({"bodies": 1, "steps": 1}));
    assert_eq!(json["conditions"][1], "--threads 2 --fault ulp@1,object=ball,field=position.x");
    diff_as_told(&folder, &json).exits(1);
}

#[test]
fn a_fault_that_is_not_needed_goes_and_the_commands_run() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let needless = "ulp@9,object=brick,field=position.y";
    let faults = ["--fault", needless, "--fault", FAULT];
    let small = ["-o", "small.ron", "--format", "json"];
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &[&["run", "flight.ron", "-o", "b.mcap"], faults.as_slice()].concat()).exits(0);
    // What both sides have is not what they diverge by, even where it would be enough on one side.
    let early = ["--fault", "ulp@2,object=brick,field=position.y"];
    physim(&folder, &[&["run", "flight.ron", "-o", "c.mcap"], early.as_slice()].concat()).exits(0);
    physim(&folder, &[&["run", "flight.ron", "-o", "d.mcap"], early.as_slice(), faults.as_slice()].concat()).exits(0);
    let asked: [&[&str]; 3] =
        [&["flight.ron", "--fault", needless, "--fault", FAULT], &["a.mcap", "b.mcap"], &["c.mcap", "d.mcap"]];
    for asked in asked {
        let json = physim(&folder, &[&["minimize"], asked, small.as_slice()].concat()).exits(0).json();
        assert_eq!(json["to_size"]["bodies"], 1, "{json}");
        let conditions = serde_json::json!(["as it is", "--fault ulp@1,object=ball,field=linear_velocity.x"]);
        assert_eq!(json["conditions"], conditions, "{asked:?}");
        let diff = diff_as_told(&folder, &json).exits(1).json();
        assert_eq!(diff["first"]["step"], json["step"], "{json}");
    }
}

#[test]
fn a_run_that_stops_on_one_side_only_is_kept_as_that() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT.replace("steps: 12", "steps: 12, bounds: (position: 1000, speed: 64.5)"));
    folder.write("faster.ron", "(step: 5, action: AddVelocity(body: \"ball\", linear: (1, 0, 0)))\n");
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "flight.ron", "-o", "b.mcap", "--inputs", "faster.ron"]).exits(2);
    let json = physim(&folder, &["minimize", "a.mcap", "b.mcap", "--format", "json"]).exits(0).json();
    assert_eq!(json["to_size"], serde_json::json!({"bodies": 1, "steps": 1}));
    assert!(json["shows"].as_str().expect("words").contains("b stops: step 1"), "{json}");
}

#[test]
fn a_search_that_the_budget_ended_can_be_gone_on_with() {
    let folder = Folder::new();
    let wall = std::fs::read_to_string(package().join("scenes/bench/wall_40.ron")).expect("a scene");
    folder.write("scene.ron", wall.replace("base: 40, rows: 40", "base: 10, rows: 10"));
    let fault = "lost_impulse@6,object=brick[0,3]#0 | brick[1,3]#0";
    let search = |output: &str, budget: &str| {
        let arguments =
            ["minimize", "scene.ron", "--fault", fault, "-o", output, "--budget", budget, "--format", "json"];
        physim(&folder, &arguments).exits(0)
    };
    let mut rounds = Vec::new();
    loop {
        let json = search("rounds.ron", "9").json();
        let is_over = json["budget_ended"] == false;
        assert_eq!(json["resumed"], !rounds.is_empty());
        assert_eq!(folder.path("rounds.ron.partial").exists(), !is_over);
        rounds.push(json["to_size"]["bodies"].as_u64().expect("a count"));
        if is_over {
            break;
        }
        // Also what the budget left behind shows it.
        diff_as_told(&folder, &json).exits(1);
        assert!(rounds.len() < 100, "it never ends: {rounds:?}");
    }
    assert!(rounds.len() > 2 && rounds.is_sorted_by(|a, b| a >= b), "{rounds:?}");
    assert!(rounds.last() <= Some(&3), "{rounds:?}");
}

#[test]
fn the_same_budget_of_tests_gives_the_same_scene() {
    let texts: BTreeSet<Vec<u8>> = (0..2)
        .map(|_| {
            let folder = with_scene("bench/wall_40.ron");
            physim(&folder, &["minimize", "scene.ron", "--fault", "swap@7", "--budget", "40"]).exits(0);
            folder.read("scene.min.ron")
        })
        .collect();
    assert_eq!(texts.len(), 1);
}

#[test]
fn what_was_left_by_another_search_is_ignored_with_a_warning() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let search = |fault: &str, budget: &str| {
        physim(&folder, &["minimize", "flight.ron", "--fault", fault, "-o", "o.ron", "--budget", budget])
    };
    search(FAULT, "2").exits(0);
    assert!(folder.path("o.ron.partial").exists());
    let other = search("ulp@3,object=brick,field=position.y", "60s").exits(0);
    assert!(other.stderr.contains("of another search"), "{}", other.stderr);
    // Cut short, it is not taken for a scene.
    search(FAULT, "2").exits(0);
    let partial = folder.read("o.ron.partial");
    folder.write("o.ron.partial", &partial[..partial.len() / 2]);
    let cut = search(FAULT, "60s").exits(0);
    assert!(cut.stderr.contains("incomplete"), "{}", cut.stderr);
    assert!(!folder.path("o.ron.partial").exists());
}

#[test]
fn a_command_keeps_its_exit_status() {
    let folder = Folder::new();
    let crowd = "groups: [(name: \"crowd\", body: (shape: Sphere(radius: 0.1)),
        layout: Grid(origin: (0, 50, 0), count: (4, 4, 4), spacing: (1, 1, 1)))],";
    folder.write("scene.ron", ESCAPE.replace("8.5),", &format!("100), {crowd}")).replace("steps: 12", "steps: 200"));
    let command = format!("'{}' run {{}}", env!("CARGO_BIN_EXE_physim"));
    if cfg!(windows) {
        return; // the quotes above are those of a Unix shell
    }
    let arguments = ["minimize", "scene.ron", "--test", &command, "--format", "json", "--budget", "400"];
    let json = physim(&folder, &arguments).exits(0).json();
    assert_eq!((&json["status"], &json["to_size"]["bodies"]), (&2.into(), &1.into()), "{json}");
    assert!(json["to_size"]["steps"].as_u64().expect("a count") < 20, "{json}");
    physim(&folder, &["run", "scene.min.ron"]).exits(2);
    let line = json["commands"][0].as_str().expect("a line");
    let status = Command::new("sh").args(["-c", line]).current_dir(folder.root()).output().expect("a shell").status;
    assert_eq!(status.code(), Some(2), "{line}");
}

/// A command that fails in every second run, as long as the ball is there.
const EVERY_SECOND: &str =
    "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; ! grep -q ball {} || [ $((n % 2)) = 1 ]";

#[test]
fn what_does_not_repeat_is_said_before_any_search() {
    if cfg!(windows) {
        return;
    }
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let ran = physim(&folder, &["minimize", "flight.ron", "--test", EVERY_SECOND]).exits(2);
    let expected = "does not repeat: shown in 2 of 5 runs, which end with status 1; with --repeat 20 ";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
    assert_eq!(String::from_utf8_lossy(&folder.read("n")).trim(), "5", "no more runs are made");
    assert_eq!(folder.names(), ["flight.ron", "n"]);
}

#[test]
fn what_shows_in_one_of_several_runs_gets_smaller_and_says_how_often_it_shows() {
    if cfg!(windows) {
        return;
    }
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let search = |repeat: &str, more: &[&str]| {
        let words = ["minimize", "flight.ron", "--test", EVERY_SECOND, "--repeat", repeat, "--format", "json"];
        physim(&folder, &[&words, more].concat()).exits(0)
    };
    let json = search("4", &["--budget", "3"]).json();
    assert_eq!((&json["budget_ended"], &json["repeat"]), (&true.into(), &serde_json::json!({"runs": 4, "shown": 2})));
    // Another number of runs is another question.
    let other = search("6", &["--budget", "3"]);
    assert!(other.stderr.contains("of another search"), "{}", other.stderr);
    let json = search("6", &["--budget", "100000"]).json();
    assert_eq!((&json["resumed"], &json["budget_ended"]), (&true.into(), &false.into()), "{json}");
    assert_eq!(json["to_size"]["bodies"], 1, "{json}");
    assert_eq!(json["repeat"], serde_json::json!({"runs": 6, "shown": 3}), "{json}");
    let text = String::from_utf8(folder.read("flight.min.ron")).expect("a text");
    assert!(text.contains("// It shows: the command ends with status 1, in 3 of 6 runs.\n"), "{text}");
}

#[test]
fn a_run_that_agrees_with_itself_is_no_question_of_its_own() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "flight.ron", "-o", "b.mcap"]).exits(0);
    for asked in [&["flight.ron"][..], &["a.mcap", "b.mcap"]] {
        let ran = physim(&folder, &[&["minimize"], asked, &["--repeat", "3"]].concat()).exits(2);
        let expected = "the two runs are the same in 12 steps, in each of 3 tries";
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert!(ran.stderr.contains("--test 'physim bisect {} --axis repeat=3' --expect 1"), "{}", ran.stderr);
    }
    let ran = physim(&folder, &["minimize", "a.mcap", "b.mcap"]).exits(2);
    assert!(ran.stderr.contains("--repeat 20 tries more often whether they diverge here"), "{}", ran.stderr);
    // What shows each time does not need it, and gets as small with it.
    let json = physim(&folder, &["minimize", "flight.ron", "--fault", FAULT, "--repeat", "2", "--format", "json"]);
    let json = json.exits(0).json();
    assert_eq!(json["to_size"], serde_json::json!({"bodies": 1, "steps": 1}), "{json}");
    assert_eq!(json["repeat"], serde_json::json!({"runs": 2, "shown": 2}), "{json}");
    diff_as_told(&folder, &json).exits(1);
}

#[test]
fn what_cannot_be_minimised_is_refused() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder.write("drop.ron", DROP);
    folder.write("mine.ron", "(not by us)");
    for (scene, replay) in [("flight.ron", "flight.mcap"), ("drop.ron", "drop.mcap"), ("flight.ron", "same.mcap")] {
        physim(&folder, &["run", scene, "-o", replay]).exits(0);
    }
    physim(&folder, &["run", "flight.ron", "-o", "f32.mcap", "--scalar", "f32"]).exits(0);
    let replay = folder.read("flight.mcap");
    folder.write("damaged.mcap", &replay[..replay.len() - 100]);
    let before = folder.names();
    let cases: [(&[&str], i32, &str); 19] = [
        (&["flight.ron"], 2, "--fault"),
        (&["flight.mcap"], 2, "is a replay"),
        (&["missing.ron", "--fault", FAULT], 2, "missing.ron"),
        (&["flight.ron", "--fault", "ulp@6,object=ball,field=nonsense"], 2, "nonsense"),
        (
            &["flight.ron", "--fault", "ulp@600,object=ball,field=position.x"],
            2,
            "the last step is 12, and ulp@600,object=ball,field=position.x comes later",
        ),
        (&["flight.mcap", "same.mcap"], 2, "both are run in the same way"),
        (&["flight.mcap", "drop.mcap"], 2, "not of one scene"),
        (&["flight.mcap", "f32.mcap"], 2, "not of one scene"),
        (&["flight.mcap", "same.mcap", "--fault", FAULT], 2, "as they were recorded"),
        (&["flight.mcap", "damaged.mcap"], 3, "damaged.mcap"),
        (&["flight.mcap", "flight.ron"], 3, "flight.ron"),
        (&["flight.ron", "--fault", FAULT, "-o", "mine.ron"], 2, "--force"),
        (&["flight.ron", "--fault", FAULT, "-o", "no/such/folder.ron"], 2, "folder.ron"),
        (&["flight.ron", "--test", "true"], 2, "`{}`"),
        (&["flight.ron", "--test", "exit 0 {}"], 2, "nothing to minimise"),
        (&["flight.ron", "--test", "exit 3 # {}", "--expect", "4"], 2, "--expect asks for 4"),
        (&["flight.ron", "--test", "/no/such/program {}"], 2, "is its path right?"),
        (&["flight.ron", "--test", "sleep 20 # {}", "--time-limit", "0.2"], 2, "still ran after 0.2 s"),
        (&["flight.ron", "--fault", FAULT, "--budget", "soon"], 2, "60s, 5m or 500"),
    ];
    for (arguments, status, words) in cases {
        if cfg!(windows) && arguments.contains(&"--test") {
            continue;
        }
        let ran = physim(&folder, &[&["minimize"], arguments].concat()).exits(status);
        assert!(ran.stdout().is_empty() && ran.stderr.contains(words), "{arguments:?}: {ran:?}");
        assert_eq!(folder.names(), before, "{arguments:?} left something behind");
    }
}

#[test]
fn a_crash_of_the_command_is_a_status_too() {
    if cfg!(windows) {
        return;
    }
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let command = "grep -q brick {} && kill -SEGV $$";
    let json = physim(&folder, &["minimize", "flight.ron", "--test", command, "--format", "json"]).exits(0).json();
    assert_eq!((&json["status"], &json["to_size"]["bodies"]), (&139.into(), &1.into()), "{json}");
}

#[test]
fn groups_written_out_make_the_same_bodies() {
    let bench = ["wall_40.ron", "pile_boxes_1000.ron", "columns_10x10.ron", "net_20x20.ron"];
    let bench = bench.map(|name| package().join("scenes/bench").join(name));
    for path in example_scenes().iter().chain(&bench) {
        let scene = load(path);
        let mut written: Scene = scene.as_ref().clone();
        while !written.groups.is_empty() {
            written = write_out_group(&written, 0).expect("its bodies");
        }
        physim::scene::validate::validate(&written).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(expand(&written), expand(&scene), "{}", path.display());
        assert_eq!(expand_joints(&written), expand_joints(&scene), "{}", path.display());
    }
}

/// Where bodies are, by name.
fn places<S: Scalar>(scene: &Arc<Scene>, step: u32) -> Vec<(String, Vec3<S>, Vec3<S>)> {
    let mut session = RunPlan::new(Arc::clone(scene)).session::<S>().expect("a world");
    while session.step_number() < step {
        session.advance(&mut ()).expect("a step");
    }
    let bodies = session.world().bodies();
    let place = |i: usize| (bodies.name[i].to_string(), bodies.position[i], bodies.linear_velocity[i]);
    let mut places: Vec<_> = (0..bodies.len()).map(place).collect();
    places.sort_by(|a, b| a.0.cmp(&b.0));
    places
}

fn a_later_start_goes_on_as_the_run_did<S: Scalar>() {
    let text = r#"(
        version: 1, name: "life", steps: 12, dt: "1/64", gravity: (0, -1, 0),
        materials: {"ice": (friction: 0)},
        bodies: [
            (name: "ball", shape: Sphere(radius: 0.3), linear_velocity: (0.1, 0.7, 3)),
            (name: "two", position: CentreOfMass(9, 0, 0), linear_velocity: (0, 1, 0), colliders: [
                (shape: Sphere(radius: 0.5), offset: (1, 0, 0)), (shape: Sphere(radius: 0.25))]),
        ],
        groups: [(name: "row", body: (shape: Sphere(radius: 0.1)),
            layout: Stack(origin: (30, 0.7, 0), count: 3, spacing: (5, 0, 0)))],
        inputs: [
            (step: 2, action: SetGravity(0.3, -2, 0)),
            (step: 3, action: Spawn(name: "late", position: Origin(-7, 0, 0), shape: Sphere(radius: 1), material: "ice")),
            (step: 4, action: Remove("row[1]")),
            (step: 2, through: 9, action: Force(body: "ball", force: (5, 0, 0))),
            (step: 8, action: AddVelocity(body: "late", linear: (0, 0, 0.7))),
        ],
    )"#;
    let scene = Arc::new(Scene { scalar: S::KIND, ..parse(text).as_ref().clone() });
    let plan = RunPlan::new(Arc::clone(&scene));
    for start in [0, 1, 4, 6, 11] {
        let rebased = Arc::new(rebase(&plan, start, &mut |_| true).expect("a later start"));
        physim::scene::validate::validate(&rebased).unwrap_or_else(|error| panic!("{start}: {error}"));
        assert_eq!((rebased.steps, rebased.bodies.len()), (12 - start, 5), "{start}");
        assert_eq!(places::<S>(&rebased, 0), places::<S>(&scene, start), "after step {start}");
        assert_eq!(places::<S>(&rebased, 12 - start), places::<S>(&scene, 12), "from step {start}");
    }
    assert_eq!(rebase(&plan, 5, &mut |step| step < 3), None);
}

#[test]
fn a_later_start_goes_on_as_the_run_did_on_every_scalar() {
    on_every_scalar!(a_later_start_goes_on_as_the_run_did);
}

#[test]
fn the_output_has_the_name_of_the_scene() {
    let folder = Folder::new();
    folder.write("a/flight.ron", FLIGHT);
    physim(&folder, &["minimize", "a/flight.ron", "--fault", FAULT]).exits(0);
    assert!(Path::new(&folder.path("a/flight.min.ron")).exists());
}
