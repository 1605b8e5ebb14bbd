//! New results beside goldens that no longer hold, and `physim accept`.

use physim::replay::{Header, Replay, read_strict, rewrite, rewrite_stream};
use physim::world::SEMANTICS_VERSION;

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim, physim_with_input};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

const GOLDEN: &str = "replays/drop.mcap";
const NEW: &str = "replays/drop.mcap.new";

/// What the engine of another day recorded: a run with a planted fault, whose record is taken out.
fn outdate(folder: &Folder, path: &str, change: impl Fn(&mut Replay)) {
    let mut replay = read_strict(&folder.path(path)).expect("a whole replay");
    replay.perturbations.clear();
    replay.ending.as_mut().expect("an ending").counters.remove("perturbations");
    change(&mut replay);
    rewrite(&replay, &folder.path(path)).expect("written anew");
}

/// A folder whose only golden no longer holds from step 7 on, although it was recorded with inputs and settings.
fn outdated() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder.write("push.ron", "(step: 3, action: AddVelocity(body: \"ball\", linear: (0.1, 0, 0)))\n");
    folder.write("replays/notes.txt", "none of ours");
    let fault = "ulp@7,object=ball,field=linear_velocity.y,ulps=-1000000";
    let rest = ["-o", GOLDEN, "--reason", "the first", "--fault", fault];
    physim(&folder, &[RUN.as_slice(), &rest].concat()).exits(0);
    outdate(&folder, GOLDEN, |_| {});
    folder
}

/// The run of the golden, as this build does it.
const RUN: [&str; 10] =
    ["run", "drop.ron", "--inputs", "push.ron", "--set", "solver.iterations=2", "--scalar", "f64", "--steps", "30"];

fn verify_with_ci(folder: &Folder, value: &str) -> Ran {
    command(folder, &["verify", GOLDEN]).env("CI", value).output().expect("the program starts").into()
}

#[test]
fn a_golden_that_does_not_hold_gets_a_new_result_beside_it() {
    let folder = outdated();
    let golden = folder.read(GOLDEN);
    let ran = physim(&folder, &["verify", "replays"]).exits(1);
    insta::assert_snapshot!(ran.stdout().replace('\\', "/"));
    assert_eq!(folder.read(GOLDEN), golden, "the golden stays");
    physim(&folder, &[RUN.as_slice(), &["-o", "plain.mcap"]].concat()).exits(0);
    assert_eq!(folder.read(NEW), folder.read("plain.mcap"), "it is the run that this build makes");
    let json = physim(&folder, &["verify", GOLDEN, "--format", "json"]).exits(1).json();
    assert_eq!((&json["new"], &json["first"]["step"]), (&NEW.into(), &7.into()));
    let names: Vec<String> = std::fs::read_dir(folder.path("replays"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), 3, "nothing else is left behind: {names:?}");
}

#[test]
fn nobody_gets_a_new_result_who_did_not_ask_for_one() {
    let folder = outdated();
    let has_new = || folder.path(NEW).exists();
    let ran = verify_with_ci(&folder, "true").exits(1);
    assert!(!has_new() && !ran.stdout().contains(".new"), "{}", ran.stdout());
    physim(&folder, &["verify", GOLDEN, "--no-new"]).exits(1);
    physim(&folder, &["verify", GOLDEN, "--bisect-exit"]).exits(1);
    physim_with_input(&folder, &["verify", "-"], &folder.read(GOLDEN)).exits(1);
    let golden = folder.read(GOLDEN);
    folder.write("half.mcap", &golden[..golden.len() / 2]);
    folder.write("half.mcap.partial", &golden[..golden.len() / 2]);
    folder.write("named.mcap.new", &golden);
    physim(&folder, &["verify", "half.mcap"]).exits(3);
    physim(&folder, &["verify", "half.mcap.partial"]).exits(3);
    physim(&folder, &["verify", "named.mcap.new"]).exits(1);
    let names = folder.names();
    let expected = ["drop.ron", "half.mcap", "half.mcap.partial", "named.mcap.new", "push.ron", "replays"];
    assert_eq!(names, expected);
    assert!(!has_new());
    verify_with_ci(&folder, "").exits(1);
    assert!(has_new(), "an empty CI is none");
}

#[test]
fn what_cannot_be_written_is_a_note_and_what_is_not_ours_stays() {
    let folder = outdated();
    folder.write(NEW, "my own notes");
    let ran = physim(&folder, &["verify", GOLDEN]).exits(1);
    assert!(ran.stdout().contains("drop.mcap.new is not written: "), "{}", ran.stdout());
    assert!(ran.stdout().contains("exists and is not a replay"), "{}", ran.stdout());
    assert_eq!(folder.read(NEW), b"my own notes");
    physim(&folder, &["accept", GOLDEN]).exits(3);
    assert_eq!(folder.read(NEW), b"my own notes");
}

#[test]
fn a_new_result_beside_a_golden_that_holds_is_stale_and_goes() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "-o", "drop.mcap"]).exits(0);
    folder.write("drop.mcap.new", folder.read("drop.mcap"));
    let ran = physim(&folder, &["accept", "drop.mcap", "--yes", "--reason", "none"]).exits(2);
    assert!(ran.stderr.contains("the new result equals the golden"), "{}", ran.stderr);
    let ran = physim(&folder, &["verify", "drop.mcap", "--no-new"]).exits(0);
    assert!(ran.stdout().contains("drop.mcap.new is stale, for the replay holds: delete it"), "{}", ran.stdout());
    assert!(folder.path("drop.mcap.new").exists());
    let ran = physim(&folder, &["verify", "drop.mcap"]).exits(0);
    assert!(ran.stdout().contains("drop.mcap.new is stale, for the replay holds: it was removed"), "{}", ran.stdout());
    assert!(!folder.path("drop.mcap.new").exists());
    // What is no new result is nobody's to remove.
    folder.write("drop.mcap.new", "my own notes");
    let ran = physim(&folder, &["verify", "drop.mcap"]).exits(0);
    assert!(
        ran.stdout().contains("is stale, for the replay holds, but verify did not write it: delete it"),
        "{}",
        ran.stdout()
    );
    assert_eq!(folder.read("drop.mcap.new"), b"my own notes");
}

#[test]
fn accepting_makes_the_new_result_the_golden_and_keeps_the_reason() {
    let folder = outdated();
    physim(&folder, &["verify", "replays"]).exits(1);
    let ran = physim(&folder, &["accept", "--yes", "--reason", " gravity is right now "]).exits(0);
    insta::assert_snapshot!(ran.stdout().replace('\\', "/"));
    assert_eq!(ran.stderr, "");
    assert!(!folder.path(NEW).exists());
    physim(&folder, &[RUN.as_slice(), &["-o", "told.mcap", "--reason", "gravity is right now"]].concat()).exits(0);
    assert_eq!(folder.read(GOLDEN), folder.read("told.mcap"), "the bytes are those of a run with that reason");
    physim(&folder, &["verify", "replays"]).exits(0);
    let shown = physim(&folder, &["show", GOLDEN]).exits(0).stdout();
    assert!(shown.contains("reason      gravity is right now"), "{shown}");
}

#[test]
fn without_a_terminal_it_shows_and_accepts_nothing() {
    let folder = outdated();
    physim(&folder, &["verify", "replays"]).exits(1);
    let golden = folder.read(GOLDEN);
    for (arguments, next) in [
        (["accept"].as_slice(), "accept it with physim accept --yes --reason TEXT\n"),
        (&["accept", NEW], "accept it with physim accept --yes --reason TEXT replays/drop.mcap.new\n"),
        (&["accept", GOLDEN, "--reason", "so"], "physim accept --yes --reason TEXT replays/drop.mcap\n"),
        (&["accept", "replays"], "physim accept --yes --reason TEXT replays\n"),
    ] {
        let ran = physim(&folder, arguments).exits(2);
        assert!(ran.stdout().contains("first difference at step 7"), "{}", ran.stdout());
        assert!(ran.stderr.ends_with(next), "{}", ran.stderr);
    }
    physim(&folder, &["accept", "--yes"]).exits(2);
    physim(&folder, &["accept", "--yes", "--reason", " "]).exits(2);
    assert_eq!(folder.read(GOLDEN), golden);
    assert!(folder.path(NEW).exists());
}

#[test]
fn json_says_what_changes() {
    let folder = outdated();
    physim(&folder, &["verify", "replays"]).exits(1);
    let arguments = ["accept", GOLDEN, "--yes", "--reason", "so", "--format", "json"];
    let ran = physim(&folder, &arguments).exits(0);
    assert_eq!(ran.stdout().lines().count(), 1);
    insta::assert_snapshot!(serde_json::to_string_pretty(&ran.json()).expect("text"));
}

/// A folder with a new result of which something is wrong.
fn with_new(change: impl Fn(&mut Replay)) -> Folder {
    let folder = outdated();
    physim(&folder, &["verify", "replays"]).exits(1);
    let mut replay = read_strict(&folder.path(NEW)).expect("a whole replay");
    change(&mut replay);
    folder.write(NEW, rewrite_stream(&replay, NEW, Vec::new()).expect("written anew"));
    folder
}

#[test]
fn what_may_not_become_golden_is_refused_and_left_alone() {
    let refused = |folder: Folder, status: i32, answer: &str| {
        let (golden, new) = (folder.read(GOLDEN), folder.read(NEW));
        let ran = physim(&folder, &["accept", "--yes", "--reason", "so"]).exits(status);
        assert!(ran.stderr.contains(answer), "{}", ran.stderr);
        assert_eq!((folder.read(GOLDEN), folder.read(NEW)), (golden, new), "{answer}");
    };
    let renamed = |new: &mut Replay| {
        new.header.scene_name = "rise".to_owned();
        new.scene = new.scene.replacen("\"drop\"", "\"rise\"", 1);
    };
    refused(with_new(renamed), 2, "of the scene \"drop\"");
    refused(with_new(|new| new.header.scene_name = "rise".to_owned()), 3, "states the name \"rise\"");
    refused(
        with_new(|new| new.steps.change(|steps| steps[9].root[0] ^= 1)),
        2,
        "this one does not give it from step 9 on",
    );
    refused(with_new(|new| new.header.semantics += 1), 2, "this one does not give it");
    let cut = with_new(|_| {});
    let new = cut.read(NEW);
    cut.write(NEW, &new[..new.len() - 9]);
    refused(cut, 3, "is damaged");
    let broken = with_new(|_| {});
    broken.write(GOLDEN, &broken.read(GOLDEN)[..100]);
    refused(broken, 3, "is damaged");
    let orphan = with_new(|_| {});
    std::fs::remove_file(orphan.path(GOLDEN)).expect("the golden");
    physim(&orphan, &["accept", "--yes", "--reason", "so"]).exits(2);
    assert!(orphan.path(NEW).exists());
}

#[test]
fn one_that_is_refused_does_not_keep_the_next_from_being_accepted() {
    let folder = outdated();
    physim(&folder, &["verify", "replays"]).exits(1);
    folder.write("replays/a.mcap.new", "no replay");
    let ran = physim(&folder, &["accept", "--yes", "--reason", "so", "--format", "json"]).exits(3);
    let lines: Vec<serde_json::Value> =
        ran.stdout().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines[0]["refused"].is_string() && lines[0]["first"].is_null(), "{}", lines[0]);
    assert_eq!((&lines[1]["accepted"], &lines[1]["reason_before"]), (&true.into(), &"the first".into()));
}

#[test]
fn nothing_to_accept_is_an_error() {
    let folder = outdated();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    for (paths, answer) in [
        ([].as_slice(), "replays: there is no new result (*.mcap.new or *.log.new)"),
        (&["empty"], "there is no new result"),
        (&[GOLDEN], "there is no such file"),
        (&["missing.mcap"], "there is no such file"),
        (&["missing.mcap.new"], "there is no such file"),
    ] {
        let ran = physim(&folder, &[["accept"].as_slice(), paths].concat()).exits(2);
        assert!(ran.stderr.contains(answer) && ran.stdout().is_empty(), "{paths:?}: {ran:?}");
    }
}

#[test]
fn goldens_of_other_semantics_are_brought_up_to_date() {
    let folder = outdated();
    let older = |header: &mut Header| header.semantics = SEMANTICS_VERSION + 1;
    outdate(&folder, GOLDEN, |replay| older(&mut replay.header));
    let ran = physim(&folder, &["verify", "replays"]).exits(1);
    assert!(ran.stdout().contains("to make it the golden: physim accept "), "{}", ran.stdout());
    let ran = physim(&folder, &["accept", "--yes", "--reason", "friction is a cone"]).exits(0);
    assert!(ran.stdout().contains(&format!("{} -> {SEMANTICS_VERSION}", SEMANTICS_VERSION + 1)), "{}", ran.stdout());
    physim(&folder, &["verify", "replays"]).exits(0);
}

/// What a rise of the version does not touch has the hashes that it had.
#[test]
fn a_golden_of_other_semantics_and_the_same_hashes_is_brought_up_to_date() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "flight.mcap"]).exits(0);
    outdate(&folder, "flight.mcap", |replay| replay.header.semantics = SEMANTICS_VERSION + 1);
    let ran = physim(&folder, &["verify", "flight.mcap"]).exits(1);
    assert!(ran.stdout().contains("to make it the golden: physim accept "), "{}", ran.stdout());
    physim(&folder, &["accept", ".", "--yes", "--reason", "others changed"]).exits(0);
    physim(&folder, &["verify", "flight.mcap"]).exits(0);
}

#[test]
fn a_run_that_stops_is_recorded_as_such() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    physim(&folder, &["run", "escape.ron", "-o", "escape.mcap"]).exits(2);
    outdate(&folder, "escape.mcap", |replay| {
        replay.steps.change(|steps| steps[5].root[0] ^= 1);
    });
    let ran = physim(&folder, &["verify", "escape.mcap"]).exits(1);
    assert!(ran.stdout().contains("this build's run stops: step 9"), "{}", ran.stdout());
    let new = read_strict(&folder.path("escape.mcap.new")).expect("a whole replay");
    assert_eq!(new.ending.expect("an ending").steps, 8);
    physim(&folder, &["accept", ".", "--yes", "--reason", "so"]).exits(0);
}

#[test]
fn a_scene_that_this_build_refuses_has_no_new_result() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "flight.mcap"]).exits(0);
    outdate(&folder, "flight.mcap", |replay| replay.scene = "(version: 9)".to_owned());
    let ran = physim(&folder, &["verify", "flight.mcap"]).exits(3);
    assert!(ran.stdout().contains("its scene cannot be read: "), "{}", ran.stdout());
    assert_eq!(folder.names(), ["flight.mcap", "flight.ron"]);
}
