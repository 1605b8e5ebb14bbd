//! `diff` takes replays, traces, hash logs and ladders in any mix, and says of each pair as much as both tell.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::program::{physim, physim_with_input};
use crate::support::scenes::DROP;

/// The fault that all of these find: the falling ball is a micrometre off after the forces of step 10.
const FAULT: &str = "ulp@10,stage=forces,object=ball,field=position.y,ulps=4096";

/// A folder with two runs that diverge in step 10, as replays, traces, logs and ladders.
fn two_runs() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    for (name, fault) in [("a", None), ("b", Some(FAULT))] {
        let (replay, log) = (format!("{name}.mcap"), format!("{name}.jsonl"));
        let mut arguments = vec!["run", "drop.ron", "-o", &replay, "--hash-log", &log];
        arguments.extend(fault.iter().flat_map(|fault| ["--fault", fault]));
        physim(&folder, &arguments).exits(0);
        physim(&folder, &["trace", &replay, "--steps", "9..11"]).exits(0);
        let ladder = physim(&folder, &["ladder", &replay]).exits(0).stdout();
        folder.write(&format!("{name}.ladder"), ladder);
    }
    folder
}

fn difference(folder: &Folder, a: &str, b: &str) -> Value {
    physim(folder, &["diff", a, b, "--format", "json"]).exits(1).json()
}

#[test]
fn a_trace_names_stage_and_object_and_beside_a_replay_the_field() {
    let folder = two_runs();
    for (a, b) in [("a.trace", "b.trace"), ("a.mcap", "b.trace"), ("a.trace", "b.mcap")] {
        let found = difference(&folder, a, b);
        let first = &found["first"];
        assert_eq!(first["step"], 10, "{a} {b}");
        assert_eq!((&first["stage"], &first["section"]), (&"forces".into(), &"bodies".into()), "{a} {b}");
        // These traces hold hashes only, and a field takes both sides.
        assert_eq!((&first["object"], &first["field"]), (&"ball".into(), &Value::Null), "{a} {b}");
    }
    physim(&folder, &["trace", "b.mcap", "--steps", "10", "--states", "-o", "states.trace"]).exits(0);
    let found = difference(&folder, "a.mcap", "states.trace");
    assert_eq!((&found["first"]["stage"], &found["first"]["field"]), (&"forces".into(), &"position.y".into()));
    let bits = |side: &str| {
        let text = found["first"][side]["bits"].as_str().expect("bits");
        u64::from_str_radix(text, 16).expect("hexadecimal")
    };
    let [a, b] = ["a", "b"].map(bits);
    assert_eq!(b.wrapping_sub(a), 4096, "units in the last place");
}

#[test]
fn logs_and_ladders_tell_the_step_as_exactly_as_they_can() {
    let folder = two_runs();
    for (a, b) in [("a.jsonl", "b.jsonl"), ("a.mcap", "b.jsonl"), ("a.jsonl", "b.mcap")] {
        let found = difference(&folder, a, b);
        assert_eq!(found["first"]["step"], 10, "{a} {b}");
        assert_eq!(found["first"]["section"], "bodies", "{a} {b}");
    }
    for (a, b) in [("a.ladder", "b.ladder"), ("a.mcap", "b.ladder"), ("a.ladder", "b.mcap"), ("a.ladder", "b.jsonl")] {
        let found = difference(&folder, a, b);
        assert_eq!((&found["last_same"], &found["first"]["step"]), (&8.into(), &16.into()), "{a} {b}");
    }
}

#[test]
fn two_rounds_of_ladders_name_the_step() {
    let folder = two_runs();
    let found = difference(&folder, "a.ladder", "b.ladder");
    let gap = format!("{}..{}", found["last_same"], found["first"]["step"]);
    for name in ["a", "b"] {
        let ladder = physim(&folder, &["ladder", &format!("{name}.mcap"), "--steps", &gap]).exits(0).stdout();
        // As it may come back from a mail.
        let quoted: String = ladder.lines().map(|line| format!("> {line}\r\n")).collect();
        folder.write(&format!("{name}2.txt"), quoted);
    }
    let found = difference(&folder, "a2.txt", "b2.txt");
    assert_eq!((&found["last_same"], &found["first"]["step"]), (&9.into(), &10.into()));
}

#[test]
fn a_ladder_is_about_a_kilobyte_however_long_the_run() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "--steps", "20000", "--keyframe-every", "5000", "-o", "long.mcap"]).exits(0);
    let ladder = physim(&folder, &["ladder", "long.mcap"]).exits(0).stdout();
    assert!(ladder.len() <= 1024, "{} bytes", ladder.len());
    assert!(ladder.contains("\n16384 ") && ladder.contains("\n20000 "), "{ladder}");
}

#[test]
fn the_same_run_is_the_same_in_every_form() {
    let folder = two_runs();
    let forms = ["a.mcap", "a.trace", "a.jsonl", "a.ladder"];
    for a in forms {
        for b in forms {
            // A ladder of 0, 1, 2, 4 .. 40 and a trace of 9 to 11 have no step in common.
            let apart = [a, b].contains(&"a.ladder") && [a, b].contains(&"a.trace");
            physim(&folder, &["diff", a, b]).exits(if apart { 2 } else { 0 });
        }
    }
}

#[test]
fn a_trace_of_a_run_is_that_of_its_replay() {
    let folder = two_runs();
    physim(&folder, &["run", "drop.ron", "--trace", "9..11", "--trace-output", "live.trace"]).exits(0);
    assert_eq!(folder.read("live.trace"), folder.read("a.trace"));
    let told = physim(&folder, &["run", "drop.ron", "--steps", "5", "--hash-log", "-", "--trace", "3"]).exits(0);
    let steps: Vec<Value> = told.stdout().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(steps.iter().filter(|checkpoint| checkpoint["stage"] == Value::Null).count(), 6, "the ends of 0 to 5");
    let of_three: Vec<&Value> = steps.iter().filter(|checkpoint| checkpoint["step"] == 3).collect();
    let stages: Vec<&str> = of_three
        .iter()
        .filter(|checkpoint| checkpoint["phase"] == Value::Null)
        .filter_map(|checkpoint| checkpoint["stage"].as_str())
        .collect();
    assert_eq!(stages, ["inputs", "forces", "broad_phase", "narrow_phase", "colouring", "solve", "finish"]);
    let phases: Vec<&str> = of_three.iter().filter_map(|checkpoint| checkpoint["phase"].as_str()).collect();
    let beginning =
        ["prepare", "substep 1 velocities", "substep 1 impacts", "substep 1 warm start", "substep 1 iteration 1"];
    assert_eq!(phases[..5], beginning);
    assert_eq!(phases.last(), Some(&"store"));
    assert!(told.stderr.contains("final hash"), "the summary makes room: {}", told.stderr);
}

#[test]
fn what_cannot_be_compared_or_read_says_why_and_leaves_nothing_behind() {
    let folder = two_runs();
    folder.write("empty.mcap", "");
    folder.write("words.txt", "the quick brown fox\n");
    folder.write("broken.jsonl", "{\"step\":0,\"hash\":\"ab\"}\n{\"step\":\n{\"step\":2,\"hash\":\"cd\"}\n");
    let mut trace = folder.read("a.trace");
    let middle = trace.len() / 2;
    trace[middle] ^= 4;
    folder.write("damaged.trace", &trace);
    let before = folder.names();
    for (arguments, status, answer) in [
        (&["diff", "a.mcap", "empty.mcap"][..], 3, "is empty"),
        (&["diff", "a.mcap", "drop.ron"], 3, "looks like a scene"),
        (&["diff", "a.mcap", "words.txt"], 3, "this is not a replay, trace, hash log or ladder"),
        (&["diff", "a.mcap", "broken.jsonl"], 3, "line 2"),
        (&["diff", "a.mcap", "damaged.trace"], 3, "damaged"),
        (&["diff", "a.mcap", "nowhere.trace"], 2, "no such file"),
        (&["diff", "a.trace", "b.mcap", "--tolerance", "1"], 2, "compares two replays"),
        (&["diff", "a.mcap", "b.mcap", "--tolerance=-1"], 2, "METRES"),
        (&["diff", "a.mcap", "b.mcap", "--plot", "drop.ron"], 2, "is not a picture in SVG"),
        (&["trace", "a.mcap", "--steps", "0..4000000000"], 2, "the steps 0 to 40"),
        (&["trace", "a.mcap", "--steps", "9..3"], 2, "the smaller goes first"),
        (&["trace", "a.mcap", "--steps", "3", "-o", "drop.ron"], 2, "is not a trace"),
        (&["trace", "a.trace", "--steps", "3"], 3, "is not a physim replay"),
        (&["ladder", "a.mcap", "--steps", "30..99"], 2, "0 to 40"),
        (&["run", "drop.ron", "--trace", "77..99"], 2, "ends with step 40"),
        (&["run", "drop.ron", "--hash-log", "drop.ron"], 2, "is not a hash log"),
        (&["run", "drop.ron", "-o", "-", "--hash-log", "-"], 2, "standard output"),
    ] {
        let ran = physim(&folder, arguments).exits(status);
        let said = format!("{}{}", ran.stdout(), ran.stderr);
        assert!(said.contains(answer), "{arguments:?}: {said}");
    }
    assert_eq!(folder.names(), before, "nothing was left behind");
}

#[test]
fn what_is_compared_may_come_through_a_pipe() {
    let folder = two_runs();
    for name in ["b.mcap", "b.trace", "b.jsonl", "b.ladder"] {
        let ran = physim_with_input(&folder, &["diff", "a.mcap", "-", "--format", "json"], &folder.read(name)).exits(1);
        assert_eq!(ran.json()["verdict"], "diverged", "{name}");
    }
}

#[test]
fn runs_of_different_scalars_are_compared_in_metres_and_radians() {
    let folder = two_runs();
    physim(&folder, &["run", "drop.ron", "--scalar", "f64", "-o", "f64.mcap"]).exits(0);
    let near = physim(&folder, &["diff", "a.mcap", "f64.mcap", "--tolerance", "0.001", "--format", "json"]).exits(0);
    let furthest = near.json()["furthest"]["metres"].as_f64().expect("a distance");
    assert!(furthest > 0.0 && furthest < 0.001, "they differ, a little: {furthest} m");
    // Within a tolerance below that distance the same pair is apart.
    let tight = format!("{}", furthest / 2.0);
    let apart = physim(&folder, &["diff", "a.mcap", "f64.mcap", "--tolerance", &tight, "--format", "json"]).exits(1);
    let first = &apart.json()["first"];
    assert!(
        first["metres"].as_f64().expect("a distance") > furthest / 2.0
            || first["radians"].as_f64() > Some(furthest / 2.0)
    );
}

#[test]
fn the_spread_is_drawn_and_the_way_from_body_to_body_told() {
    let folder = two_runs();
    let arguments = ["diff", "a.mcap", "b.mcap", "--window", "15", "--plot", "spread.svg", "--format", "json"];
    let found = physim(&folder, &arguments).exits(1).json();
    let svg = String::from_utf8(folder.read("spread.svg")).expect("a text");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 16, "a point for each step");
    let path = found["path"].as_array().expect("a list");
    assert_eq!((&path[0]["body"], &path[0]["from"]), (&"ball".into(), &Value::Null));
    let reached = path.iter().find(|reached| reached["body"] == "box").expect("the ball falls onto the box");
    assert_eq!((&reached["from"], &reached["through"]), (&"ball".into(), &"ball#0 | box#0".into()));
    let objects = found["spread"].as_array().expect("a list").iter().map(|spread| spread["objects"].as_u64());
    assert_eq!(objects.max().flatten().map(|most| most > 1), Some(true), "it spread");
}

#[test]
fn a_run_that_stops_parts_from_one_that_goes_on_in_that_step() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "--scalar", "f64", "-o", "a.mcap"]).exits(0);
    let fault = "nan@7,stage=forces,object=ball,field=linear_velocity.x";
    physim(&folder, &["run", "drop.ron", "--scalar", "f64", "-o", "b.mcap", "--fault", fault]).exits(2);
    let found = difference(&folder, "a.mcap", "b.mcap");
    let first = &found["first"];
    assert_eq!((&first["step"], &first["stage"], &first["object"]), (&7.into(), &"forces".into(), &"ball".into()));
    assert_eq!((&first["field"], &first["b"]["value"]), (&"linear_velocity.x".into(), &"NaN".into()));
    assert!(found["notes"].to_string().contains("stops in this step"), "{}", found["notes"]);
}

#[test]
fn same_is_said_only_of_what_was_compared() {
    let folder = two_runs();
    physim(&folder, &["run", "drop.ron", "--steps", "20", "-o", "short.mcap", "--hash-log", "short.jsonl"]).exits(0);
    // A run that ends early is another run, in whatever form it is told.
    for (a, b) in
        [("short.jsonl", "a.jsonl"), ("a.mcap", "short.jsonl"), ("short.jsonl", "a.mcap"), ("short.mcap", "a.mcap")]
    {
        let found = difference(&folder, a, b);
        assert_eq!((&found["verdict"], &found["first"]), (&"diverged".into(), &Value::Null), "{a} {b}");
        assert!(found["notes"].to_string().contains("as far as both go"), "{a} {b}: {found}");
    }
    // A trace of three steps says nothing of the others.
    physim(&folder, &["trace", "b.mcap", "--steps", "2..4", "-o", "early.trace"]).exits(0);
    let few = physim(&folder, &["diff", "a.mcap", "early.trace"]).exits(0).stdout();
    assert!(few.contains("compared: 3 of 41 steps, from 2 to 4"), "{few}");
    assert!(!few.contains("every step"), "{few}");
    // Fields on one side and hashes on the other have nothing in common.
    folder.write("fields.jsonl", "{\"step\":1,\"objects\":[{\"name\":\"b\",\"fields\":{\"x\":1}}]}\n");
    folder.write("hashes.jsonl", "{\"step\":1,\"objects\":[{\"name\":\"b\",\"hash\":\"a\"}]}\n");
    let nothing = physim(&folder, &["diff", "fields.jsonl", "hashes.jsonl"]).exits(2);
    assert!(nothing.stderr.contains("could not be compared"), "{}", nothing.stderr);
    // Stages of other names are told of.
    for (name, stage) in [("one", "solve"), ("other", "solva")] {
        let log = format!("{{\"step\":1,\"stage\":\"{stage}\",\"hash\":\"1\"}}\n{{\"step\":1,\"hash\":\"1\"}}\n");
        folder.write(&format!("{name}.jsonl"), log);
    }
    let apart = physim(&folder, &["diff", "one.jsonl", "other.jsonl"]).exits(0).stdout();
    assert!(apart.contains("only one side has"), "{apart}");
}

#[test]
fn a_comparison_in_metres_minds_how_the_runs_end() {
    let folder = two_runs();
    physim(&folder, &["run", "drop.ron", "--steps", "20", "-o", "short.mcap"]).exits(0);
    let ends =
        physim(&folder, &["diff", "a.mcap", "short.mcap", "--tolerance", "1", "--format", "json"]).exits(1).json();
    assert_eq!((&ends["verdict"], &ends["first"]), (&"diverged".into(), &Value::Null));
    assert!(ends["notes"].to_string().contains("end differently"), "{ends}");
    let cut = folder.read("a.mcap");
    folder.write("cut.mcap", &cut[..cut.len() * 3 / 4]);
    let cut = physim(&folder, &["diff", "a.mcap", "cut.mcap", "--tolerance", "1", "--format", "json"]).exits(3).json();
    assert_eq!(cut["verdict"], "damaged");
    assert!(cut["notes"].to_string().contains("is damaged"), "{cut}");
}

#[test]
fn a_run_of_fewer_steps_parts_from_one_that_stopped_later_by_its_end_alone() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let fault = "nan@10,object=ball,field=position.x";
    let run = |steps: &str, name: &str, status: i32| {
        let arguments = ["run", "drop.ron", "--scalar", "f64", "--steps", steps, "--fault", fault, "-o", name];
        physim(&folder, &arguments).exits(status)
    };
    run("10", "whole.mcap", 0);
    let stopped = run("20", "stopped.mcap", 2);
    assert!(stopped.stderr.contains("became NaN or infinite"), "{}", stopped.stderr);
    let found = difference(&folder, "whole.mcap", "stopped.mcap");
    assert_eq!(found["first"], Value::Null, "no step that both have differs");
    assert!(found["notes"].to_string().contains("only one run stopped"), "{found}");
}

#[cfg(unix)]
#[test]
fn a_golden_that_is_a_link_to_nowhere_does_not_hold() {
    let folder = two_runs();
    std::fs::create_dir(folder.path("goldens")).expect("a folder");
    std::os::unix::fs::symlink("nowhere.mcap", folder.path("goldens/lost.mcap")).expect("a link");
    let ran = physim(&folder, &["verify", "goldens"]);
    assert_ne!(ran.status, 0, "{ran:?}");
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = two_runs();
    let before = (folder.read("a.mcap"), folder.read("drop.ron"));
    for arguments in [
        &["diff", "a.mcap", "b.mcap", "--plot", "a.mcap", "--force"][..],
        &["trace", "a.mcap", "--steps", "3", "-o", "./a.mcap", "--force"],
        &["minimize", "drop.ron", "--fault", FAULT, "-o", "drop.ron", "--force"],
        &["run", "drop.ron", "-o", "drop.ron", "--force"],
        &["run", "drop.ron", "--hash-log", "drop.ron", "--force"],
    ] {
        let ran = physim(&folder, arguments).exits(2);
        assert!(ran.stderr.contains("is what this command reads"), "{arguments:?}: {}", ran.stderr);
    }
    assert_eq!((folder.read("a.mcap"), folder.read("drop.ron")), before);
}

#[test]
fn the_same_objects_in_another_order_are_named_by_the_first_place() {
    let folder = Folder::new();
    let log = |hash: &str, names: [&str; 3]| {
        let objects = names.map(|name| format!(r#"{{"name":"{name}","section":"pairs","fields":{{"x":1}}}}"#));
        let start = r#"{"step":0,"hash":"a"}"#;
        format!("{start}\n{{\"step\":1,\"hash\":\"{hash}\",\"objects\":[{}]}}\n", objects.join(","))
    };
    folder.write("a.jsonl", log("1", ["p | q", "p | r", "q | r"]));
    folder.write("b.jsonl", log("2", ["p | q", "q | r", "p | r"]));
    let found = difference(&folder, "a.jsonl", "b.jsonl");
    let first = &found["first"];
    assert_eq!((&first["step"], &first["section"]), (&1.into(), &"pairs".into()), "{found}");
    let order = serde_json::json!({"section": "pairs", "place": 1, "a": "p | r", "b": "q | r", "of": "objects"});
    assert_eq!((&first["order"], &first["object"]), (&order, &Value::Null), "{found}");
    assert_eq!(found["notes"], serde_json::json!([]), "the order explains the hashes: {found}");
    let ran = physim(&folder, &["diff", "a.jsonl", "b.jsonl"]).exits(1);
    let row = "order    the same objects in another order; first at place 1, counted from 0: a has p | r, b has q | r";
    assert!(ran.stdout().contains(row), "{}", ran.stdout());
    // For `bisect` too.
    let cat = |name: &str| format!("cat {name}");
    if cfg!(unix) {
        let words = ["bisect", "--exec", &cat("a.jsonl"), "--exec", &cat("b.jsonl"), "--format", "json"];
        assert_eq!(physim(&folder, &words).exits(1).json()["first"]["order"], order);
    }
}
