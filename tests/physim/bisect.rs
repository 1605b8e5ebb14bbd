//! `physim bisect`: conditions of a scene, replays, builds of physim.

use serde_json::Value;

use crate::common::package;
use crate::support::folder::Folder;
use crate::support::program::{Ran, physim, physim_with_input};
use crate::support::scenes::{DROP, FLIGHT};

const FAULT: &str = "ulp@20,object=ball,field=position.y";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder.write("flight.ron", FLIGHT);
    folder
}

/// `physim bisect` with a list of words.
fn bisect(folder: &Folder, words: &[&str]) -> Ran {
    physim(folder, &[&["bisect"], words].concat())
}

fn bisect_json(folder: &Folder, words: &[&str], status: i32) -> Value {
    bisect(folder, &[words, &["--format", "json"]].concat()).exits(status).json()
}

/// The smallest set as `axis=value` words.
fn smallest(json: &Value) -> Vec<String> {
    let changes = json["smallest"].as_array().unwrap_or_else(|| panic!("a smallest set in {json}"));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    changes.iter().map(|change| format!("{}={}", text(&change["axis"]), text(&change["to"]))).collect()
}

/// Asserts where the first difference is.
#[track_caller]
fn first_is(json: &Value, step: u32, place: [&str; 4]) {
    let first = &json["first"];
    assert_eq!(first["step"], step, "{json}");
    for (key, expected) in ["stage", "section", "object", "field"].into_iter().zip(place) {
        assert_eq!(first[key], expected, "{key} of {json}");
    }
}

const AT_THE_FAULT: [&str; 4] = ["finish", "bodies", "ball", "position.y"];

#[test]
fn the_number_of_threads_is_named_with_step_and_stage() {
    let folder = folder();
    let words = ["drop.ron", "--axis", "threads=1,2,8", "--fault", "gather@33,only=threads"];
    let json = bisect_json(&folder, &words, 1);
    assert_eq!((json["verdict"].as_str(), smallest(&json)), (Some("diverged"), vec!["threads=2".to_owned()]));
    assert_eq!((&json["first"]["step"], &json["first"]["stage"]), (&33.into(), &"narrow_phase".into()));
    // The baseline, that once more here and six times in processes of their own, and the run on two threads: the first way of
    // handing out its work shows it.
    assert_eq!((&json["schema"], &json["runs"]), (&1.into(), &9.into()));
    assert_eq!((&json["repeats"]["runs"], &json["repeats"]["differing"]), (&8.into(), &serde_json::json!([])));
    insta::assert_snapshot!(bisect(&folder, &words).exits(1).stdout());
}

/// Processes of their own run the baseline, whatever that is: the first value of each axis, not what the options would give.
#[test]
fn a_baseline_on_threads_repeats_in_other_processes() {
    let words = ["drop.ron", "--axis", "threads=2,1", "--fault", "gather@33,only=threads"];
    let json = bisect_json(&folder(), &words, 1);
    assert_eq!((&json["repeats"]["runs"], &json["repeats"]["differing"]), (&8.into(), &serde_json::json!([])));
    assert_eq!(smallest(&json), ["threads=1"]);
    assert_eq!((&json["first"]["step"], &json["first"]["stage"]), (&33.into(), &"narrow_phase".into()));
}

#[test]
fn the_fault_is_named_by_the_states_and_not_by_its_text() {
    // The truth: the states of the two runs differ first in contacts that were gathered in another order.
    let folder = folder();
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "drop.ron", "-o", "b.mcap", "--fault", "gather@33"]).exits(0);
    let diff = physim(&folder, &["diff", "a.mcap", "b.mcap", "--format", "json"]).exits(1).json();
    let words = ["drop.ron", "--axis", "threads=1,2", "--fault", "gather@33,only=threads"];
    let json = bisect_json(&folder, &words, 1);
    assert_eq!(json["first"], diff["first"], "bisect and diff name the same");
}

#[test]
fn every_restore_before_the_fault_breaks_the_run() {
    let folder = folder();
    let fault = format!("{FAULT},only=restored");
    let words = ["drop.ron", "--axis", "restore", "--fault", &fault, "--window", "40"];
    let json = bisect_json(&folder, &words, 1);
    first_is(&json, 20, AT_THE_FAULT);
    assert_eq!(smallest(&json), ["restore=19"], "the last restore before the fault is looked at");
    let remark = json["conditions"][1]["remark"].as_str().expect("a remark");
    assert!(remark.starts_with("breaks for k = 0 to 19; tried k = 0 to 39"), "{remark}");
    bisect(&folder, &["drop.ron", "--axis", "restore=20,39", "--fault", &fault]).exits(0);
}

#[test]
fn two_circumstances_make_a_set_of_two() {
    let folder = folder();
    let fault = format!("{FAULT},only=threads+restored");
    let words = ["drop.ron", "--axis", "order=5", "--axis", "restore", "--axis", "threads=1,2", "--fault", &fault];
    let json = bisect_json(&folder, &words, 1);
    assert_eq!(smallest(&json), ["restore=19", "threads=2"]);
    first_is(&json, 20, AT_THE_FAULT);
    let verdicts: Vec<&Value> =
        json["conditions"].as_array().expect("conditions").iter().map(|tried| &tried["verdict"]).collect();
    assert_eq!(verdicts, ["same", "same", "same", "same", "same", "same", "diverged"], "single changes hold");
    let (a, b) = (json["a"].as_str().expect("a"), json["b"].as_str().expect("b"));
    assert_eq!(a, "order=as written restore=never threads=1");
    assert_eq!(b, "order=as written restore=19 threads=2");
}

#[test]
fn order_threads_restores_and_repetitions_hold_on_example_scenes() {
    let folder = Folder::new();
    for scene in ["billiards", "shelf_crates", "couple"] {
        let path = package().join(format!("scenes/{scene}.ron")).display().to_string();
        let words = [&path, "--steps", "60", "--axis", "order", "--axis", "threads=1,3", "--axis", "repeat=2"];
        let json = bisect_json(&folder, &words, 0);
        assert_eq!((&json["runs"], &json["smallest"]), (&38.into(), &Value::Null), "{scene}: {json}");
        bisect(&folder, &[&path, "--steps", "60", "--axis", "restore"]).exits(0);
    }
}

#[test]
fn conditions_that_agree_for_people() {
    let folder = folder();
    let ran = bisect(&folder, &["drop.ron", "--axis", "threads=1,2", "--axis", "restore"]).exits(0);
    insta::assert_snapshot!(ran.stdout());
    assert_eq!(ran.stderr, "");
}

#[test]
fn two_replays_of_one_run() {
    let folder = folder();
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "drop.ron", "-o", "b.mcap", "--fault", FAULT]).exits(0);
    let json = bisect_json(&folder, &["a.mcap", "b.mcap"], 1);
    first_is(&json, 20, AT_THE_FAULT);
    assert!(json["smallest"].is_null(), "{json}");
    assert_eq!(json["next"], "physim minimize a.mcap b.mcap");
    bisect(&folder, &["a.mcap", "a.mcap"]).exits(0);
    let ran = physim_with_input(&folder, &["bisect", "a.mcap", "-"], &folder.read("b.mcap")).exits(1);
    assert!(ran.stdout().contains("b is <stdin>"), "{}", ran.stdout());
}

#[test]
fn a_replay_against_this_build() {
    let folder = folder();
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap"]).exits(0);
    let json = bisect_json(&folder, &["a.mcap"], 0);
    assert_eq!((&json["verdict"], &json["runs"]), (&"same".into(), &1.into()));
    // A run of another build: here one with a fault of which the recording says nothing.
    let scene = crate::common::parse(DROP);
    let faulty = crate::common::faulty(&physim::session::record::RunPlan::new(scene), FAULT);
    let mut recorded = crate::common::recorded(&faulty);
    recorded.perturbations.clear();
    write(&folder, "other.mcap", &recorded);
    let json = bisect_json(&folder, &["other.mcap"], 1);
    let first = &json["first"];
    assert_eq!((&first["step"], &first["section"], &first["stage"]), (&20.into(), &"bodies".into(), &Value::Null));
    assert_eq!((&first["object"], &first["seen_at"]), (&"ball".into(), &20.into()), "a keyframe is in that step");
    assert!(json["notes"].to_string().contains("physim trace REPLAY --steps 20 --states"), "{json}");
}

/// Under which name the inputs of a replay are to be had nobody knows: a search without them is one for another run.
#[test]
fn a_replay_with_inputs_is_offered_no_search_without_them() {
    let folder = folder();
    folder.write("push.ron", "(step: 5, action: AddVelocity(body: \"box\", linear: (1, 0, 0)))\n");
    for (inputs, next) in [
        (&[][..], "physim bisect drop.ron --axis repeat=20 --steps 40 --scalar fixed".into()),
        (&["--inputs", "push.ron"][..], Value::Null),
    ] {
        let run = [&["run", "drop.ron", "-o", "other.mcap", "--force", "--fault", FAULT], inputs].concat();
        physim(&folder, &run).exits(0);
        let path = folder.path("other.mcap");
        let mut replay = physim::replay::read_strict(&path).expect("a replay");
        replay.perturbations.clear();
        physim::replay::rewrite(&replay, &path).expect("written");
        let json = bisect_json(&folder, &["other.mcap"], 1);
        assert_eq!(json["next"], next, "{json}");
        let advice = "with the inputs that the run was given: add --inputs with their file";
        assert_eq!(json["notes"].to_string().contains(advice), next.is_null(), "{json}");
    }
}

/// Writes a replay as a run would have.
fn write(folder: &Folder, name: &str, replay: &physim::replay::Replay) {
    use physim::replay::ReplayWriter;
    let mut writer = ReplayWriter::new(name, Vec::new(), &replay.header, &replay.scene).expect("a header");
    for (step, hash) in (0..).zip(replay.steps.iter()) {
        writer.step(step, &hash).expect("a step");
        if writer.keyframe_due() {
            writer.keyframe(step, &replay.keyframes.get(step).expect("a keyframe")).expect("a keyframe");
        }
    }
    let bytes = writer.finish_stream(replay.ending.as_ref().expect("an ending")).expect("an end");
    folder.write(name, bytes);
}

#[cfg(unix)]
#[test]
fn two_builds_of_physim() {
    let folder = folder();
    let tool = env!("CARGO_BIN_EXE_physim");
    executable(&folder, "other", &format!("#!/bin/sh\nexec {tool} \"$@\" --fault {FAULT}\n"));
    executable(&folder, "old", "#!/bin/sh\necho \"error: unexpected argument '--hash-log' found\" >&2\nexit 2\n");
    let json = bisect_json(&folder, &["drop.ron", "--axis", &format!("exe={tool},{tool}"), "--axis", "threads=1,2"], 0);
    assert_eq!((&json["verdict"], &json["runs"]), (&"same".into(), &4.into()));
    for other in ["other", "./other"] {
        let json = bisect_json(&folder, &["drop.ron", "--axis", &format!("exe={tool},{other}")], 1);
        first_is(&json, 20, AT_THE_FAULT);
        assert_eq!((smallest(&json), &json["first"]["objects"]), (vec![format!("exe={other}")], &1.into()));
        assert_eq!(json["first"]["a"]["bits"].as_str().map(str::len), Some(16), "{json}");
    }
    folder.write("plain", "no program");
    for (other, complaint) in [
        ("old", "./old knows no `run --hash-log`: it is a physim too old for this"),
        ("./missing", "./missing cannot be run"),
        ("missing", "cannot start missing"),
        ("plain", "plain is not a program"),
        (".", ". is a folder"),
        ("/bin/sh", "/bin/sh run ended with exit status"),
    ] {
        let ran = bisect(&folder, &["drop.ron", "--axis", &format!("exe={tool},{other}")]).exits(2);
        assert!(ran.stdout().is_empty() && ran.stderr.contains(complaint), "{other}: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["drop.ron", "flight.ron", "old", "other", "plain"], "nothing is left behind");
}

#[cfg(unix)]
fn executable(folder: &Folder, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    folder.write(name, script);
    std::fs::set_permissions(folder.path(name), std::fs::Permissions::from_mode(0o755)).expect("permissions");
}

#[cfg(unix)]
#[test]
fn a_build_that_tells_of_some_steps_only_is_no_witness() {
    let folder = folder();
    let tool = env!("CARGO_BIN_EXE_physim");
    executable(&folder, "last.sh", &format!("#!/bin/sh\n'{tool}' \"$@\" | tail -n 1\n"));
    let ran = bisect(&folder, &["drop.ron", "--axis", &format!("exe={tool},./last.sh")]).exits(2);
    assert!(ran.stderr.contains("tells nothing of step 0"), "{}", ran.stderr);
    let ran = physim(&folder, &["stress", "drop.ron", "--only", "exe", "--exe", "./last.sh"]).exits(2);
    assert!(ran.stderr.contains("tells nothing of step 0"), "{}", ran.stderr);
}

#[test]
fn a_wrong_axis_is_refused_with_what_there_is() {
    let folder = folder();
    for (axes, complaint) in [
        (&["thread=1,2"][..], "there are threads=1,2,8, lanes, restore, restore=K1,K2, order"),
        (&["threads"], "it has no values"),
        (&["threads="], "a value of threads is empty"),
        (&["threads=2"], "one value only"),
        (&["threads=1,0"], "`0` is not a number of threads from 1 to 256"),
        (&["threads=1,257"], "`257` is not"),
        (&["threads=1,1"], "`1` stands twice"),
        (&["=1,2"], "is not a valid name of an axis"),
        (&["restore=40"], "`40` is not a step from 0 to 39, of 40 in all"),
        (&["order=x"], "`x` is not a seed"),
        (&["repeat"], "expected one whole number from 2"),
        (&["repeat=1"], "expected one whole number from 2"),
        (&["repeat=2,3"], "expected one whole number from 2"),
        (&["repeat=5000"], "expected one whole number from 2"),
        (&["threads=1,2", "threads=1,3"], "the axis is given twice"),
        (&["repeat=4096", "threads=1,2"], "the axes have 8192 combinations, the limit is 4096"),
        (&["exe=a,b", "order"], "beside exe there can only be threads=1,2,8 and repeat=20"),
        (&["exe=a"], "it needs two programs at least"),
        (&[], "one condition only: nothing to compare"),
    ] {
        let words: Vec<&str> = axes.iter().flat_map(|axis| ["--axis", axis]).collect();
        let ran = bisect(&folder, &[&["drop.ron"], words.as_slice()].concat()).exits(2);
        assert!(ran.stdout().is_empty() && ran.stderr.contains(complaint), "{axes:?}: {}", ran.stderr);
    }
}

#[test]
fn wrong_files_are_refused_by_what_they_are() {
    let folder = folder();
    for (name, scene, more) in [
        ("a.mcap", "drop.ron", &[][..]),
        ("flight.mcap", "flight.ron", &[]),
        ("f64.mcap", "drop.ron", &["--scalar", "f64"]),
        ("set.mcap", "drop.ron", &["--set", "gravity.1=-10"]),
        ("short.mcap", "drop.ron", &["--steps", "30"]),
    ] {
        physim(&folder, &[&["run", scene, "-o", name], more].concat()).exits(0);
    }
    physim(&folder, &["trace", "a.mcap", "--steps", "3..4", "-o", "a.trace"]).exits(0);
    let whole = folder.read("a.mcap");
    folder.write("cut.mcap", &whole[..whole.len() - 60]);
    folder.write("empty.mcap", "");
    for (words, status, complaint) in [
        (&["a.mcap", "flight.mcap"][..], 2, "their scene differs (drop and flight)"),
        (&["a.mcap", "f64.mcap"], 2, "their scalar differs (fixed and f64)"),
        (&["a.mcap", "set.mcap"], 2, "their text of the scene differs"),
        (&["a.mcap", "drop.ron"], 2, "drop.ron is a scene where a replay is expected"),
        (&["drop.ron", "flight.ron"], 2, "drop.ron is a scene where a replay is expected"),
        (&["a.mcap", "a.trace"], 2, "a.trace is a trace, no replay"),
        (&["a.mcap", "missing.mcap"], 2, "there is no such file"),
        (&["missing.mcap"], 2, "there is no such file"),
        (&["missing.ron", "--axis", "order"], 2, "missing.ron"),
        (&["a.mcap", "--axis", "threads=1,2"], 2, "--axis belongs to a scene"),
        (&["a.mcap", "a.mcap", "--fault", FAULT], 2, "--fault belongs to a scene"),
        (&["a.mcap", "empty.mcap"], 3, "empty.mcap"),
        (&["empty.mcap"], 3, "empty.mcap"),
        (&["-", "-"], 2, "only one of the files can be standard input"),
        (&[], 2, "nothing to compare"),
        (&["a.mcap", "a.mcap", "a.mcap"], 2, "unexpected"),
        (&["drop.ron", "--axis", "order", "--steps", "20000000"], 2, "the limit is 10000000"),
        (&["drop.ron", "--axis", "order", "--fault", "ulp@3,object=bal,field=position.y"], 2, "bal"),
    ] {
        let ran = bisect(&folder, words).exits(status);
        assert!(ran.stdout().is_empty() && ran.stderr.contains(complaint), "{words:?}: {}", ran.stderr);
    }
    // The damaged file is marked, whichever of the two it is.
    for (words, damaged) in [(["a.mcap", "cut.mcap"], 1), (["cut.mcap", "a.mcap"], 0)] {
        let json = bisect_json(&folder, &words, 3);
        let verdicts = [0, 1].map(|side| json["conditions"][side]["verdict"] == "damaged");
        assert_eq!(verdicts, [damaged == 0, damaged == 1], "{json}");
    }
    bisect(&folder, &["cut.mcap"]).exits(3);
    let json = bisect_json(&folder, &["a.mcap", "short.mcap"], 1);
    assert_eq!((&json["verdict"], &json["next"]), (&"diverged".into(), &Value::Null));
    assert!(json["notes"].to_string().contains("40 steps and 30 steps"), "{json}");
}

#[test]
fn the_exit_status_that_git_bisect_wants() {
    let folder = folder();
    let faulty = ["drop.ron", "--bisect-exit", "--axis", "threads=1,2", "--fault", "gather@33,only=threads"];
    bisect(&folder, &faulty[..4]).exits(0);
    bisect(&folder, &faulty).exits(1);
    bisect(&folder, &["drop.ron", "--bisect-exit"]).exits(125);
    bisect(&folder, &["missing.mcap", "--bisect-exit"]).exits(125);
    bisect(&folder, &["drop.ron", "--bisect-exit", "--axis", "nothing"]).exits(125);
}

#[test]
fn number_types_part_beyond_a_tolerance_only() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let axis = ["drop.ron", "--axis", "scalar=Fixed,F64"];
    let ran = bisect(&folder, &axis).exits(2);
    let complaint = "the bits of two number types never agree; give --tolerance METRES[,RADIANS]";
    assert!(ran.stdout().is_empty() && ran.stderr.contains(complaint), "{}", ran.stderr);
    let json = bisect_json(&folder, &[&axis[..], &["--tolerance", "0.5"]].concat(), 0);
    assert_eq!(json["verdict"], "same");
    let json = bisect_json(&folder, &[&axis[..], &["--tolerance", "1e-9,1"]].concat(), 1);
    let first = &json["first"];
    assert_eq!((&first["section"], &first["field"]), (&"bodies".into(), &"position".into()), "{json}");
    assert!(first["object"].is_string() && first["a"]["value"] != first["b"]["value"], "{json}");
    assert_eq!(smallest(&json), ["scalar=f64"]);
    assert!(json["notes"][0].as_str().is_some_and(|note| note.contains(" m and ")), "{json}");
    for (words, complaint) in [
        (&["--axis", "scalar=fixed"][..], "it needs two values at least"),
        (&["--axis", "scalar=fixed,fixed"], "stands twice"),
        (&["--axis", "scalar=fixed,f16"], "expected one of fixed, f32, f64"),
        (&["--axis", "scalar=fixed,f64", "--axis", "order"], "try each by itself"),
        (&["--axis", "scalar=fixed,f64", "--scalar", "f32"], "leave --scalar out"),
        (&["--axis", "order"], "--tolerance belongs to --axis scalar=fixed,f64"),
    ] {
        let ran = bisect(&folder, &[&["drop.ron", "--tolerance", "0.001"], words].concat()).exits(2);
        assert!(ran.stderr.contains(complaint), "{words:?}: {}", ran.stderr);
    }
}
