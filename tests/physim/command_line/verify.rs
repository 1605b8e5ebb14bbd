//! `physim verify`.

use physim::replay::{Header, ReplayWriter, read_strict};
use physim::world::SEMANTICS_VERSION;

use crate::support::folder::Folder;
use crate::support::program::{command, physim, physim_with_input};
use crate::support::redact::{form, without_seconds};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

/// A folder with a whole replay, one with a fault hidden in it, a damaged one, and what verify must pass over.
fn replays() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "good.mcap", "--scalar", "f64"]).exits(0);
    let good = folder.read("good.mcap");
    folder.write("set/a.mcap", &good);
    folder.write("set/deeper/b.mcap", &good);
    folder.write("set/c.mcap.partial", "no replay");
    folder.write("set/d.mcap.new", "no replay");
    folder.write("set/notes.txt", "no replay");
    rewrite(&folder, "good.mcap", "parted.mcap", |header| header, 7);
    let mut damaged = good.clone();
    let place = damaged.len() * 5 / 8;
    damaged[place] ^= 1;
    folder.write("damaged.mcap", &damaged);
    folder
}

/// Writes a replay again with another header, its states from step `parts_at` on with other hashes, but for those that are kept whole: a
/// keyframe is the state of its hash, or the file is damaged.
fn rewrite(folder: &Folder, from: &str, to: &str, change: impl Fn(Header) -> Header, parts_at: u32) {
    rewrite_states(folder, from, to, change, parts_at, |_, state| state.to_vec());
}

/// The same, with the states of its keyframes changed too.
fn rewrite_states(
    folder: &Folder,
    from: &str,
    to: &str,
    change: impl Fn(Header) -> Header,
    parts_at: u32,
    change_state: impl Fn(u32, &[u8]) -> Vec<u8>,
) {
    let replay = read_strict(&folder.path(from)).expect("a whole replay");
    let header = change(replay.header.clone());
    let mut writer = ReplayWriter::create(&folder.path(to), &header, &replay.scene).expect("a new replay");
    let mut ending = replay.ending.clone().expect("an ending");
    for (step, recorded) in (0..).zip(replay.steps.iter()) {
        let mut hash = recorded;
        if step >= parts_at && replay.keyframes.get(step).is_none() {
            hash.root[0] ^= 1;
            hash.sections[1][0] ^= 1;
        }
        ending.root = hash.root;
        writer.step(step, &hash).expect("recorded");
        if writer.keyframe_due() {
            writer
                .keyframe(step, &change_state(step, &replay.keyframes.get(step).expect("a keyframe")))
                .expect("recorded");
        }
    }
    writer.finish(&ending).expect("whole");
}

#[test]
fn a_folder_means_its_replays_and_not_what_is_still_written() {
    let folder = replays();
    let ran = physim(&folder, &["verify", "set"]).exits(0);
    insta::assert_snapshot!(ran.stdout().replace('\\', "/"));
    assert_eq!(ran.stderr, "");
}

#[test]
fn results_come_in_the_order_of_the_arguments_and_the_worst_counts() {
    let folder = replays();
    for threads in ["1", "3"] {
        let ran =
            physim(&folder, &["verify", "damaged.mcap", "parted.mcap", "good.mcap", "--threads", threads]).exits(3);
        let verdicts: Vec<String> = ran
            .stdout()
            .lines()
            .filter(|line| !line.starts_with(' '))
            .map(|line| line.split_whitespace().next().unwrap_or("").to_owned())
            .collect();
        assert_eq!(verdicts, ["damaged", "diverged", "same", "1"]);
        assert!(ran.stdout().ends_with("1 passed, 2 failed\n"), "{}", ran.stdout());
    }
    physim(&folder, &["verify", "parted.mcap", "good.mcap"]).exits(1);
    physim(&folder, &["verify", "good.mcap", "set"]).exits(0);
}

#[test]
fn a_difference_and_damage_for_people() {
    let folder = replays();
    let parted = physim(&folder, &["verify", "parted.mcap"]).exits(1);
    insta::assert_snapshot!(parted.stdout());
    let damaged = physim(&folder, &["verify", "damaged.mcap"]).exits(3);
    assert!(damaged.stdout().contains("damaged.mcap is damaged: from byte "), "{}", damaged.stdout());
    assert!(damaged.stdout().contains("what is sound of it holds: steps 0 to "), "{}", damaged.stdout());
}

#[test]
fn json_lines_have_the_keys_of_the_contract() {
    let folder = replays();
    let ran = physim(&folder, &["verify", "good.mcap", "parted.mcap", "damaged.mcap", "--format", "json"]).exits(3);
    let mut lines: Vec<serde_json::Value> =
        ran.stdout().lines().map(|line| serde_json::from_str(line).expect("a JSON object on each line")).collect();
    for line in &mut lines {
        assert!(line["damage"].is_null() == (line["verdict"] != "damaged"), "{line}");
        line["damage"] = serde_json::Value::Null;
        assert!(line["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{line}");
        line["seconds"] = 0.into();
    }
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_junit_report() {
    let folder = replays();
    let ran = physim(&folder, &["verify", "good.mcap", "parted.mcap", "--format", "junit"]).exits(1);
    assert_eq!(ran.stdout().matches(" time=\"").count(), 4, "of the report, the suite and each case: {}", ran.stdout());
    insta::assert_snapshot!(without_seconds(&ran.stdout()));
}

#[test]
fn annotations_for_github() {
    let folder = replays();
    let ran = physim(&folder, &["verify", "good.mcap", "parted.mcap", "--format", "github"]).exits(1);
    insta::assert_snapshot!(ran.stdout());
}

#[test]
fn other_semantics_are_a_verdict_of_their_own() {
    let folder = replays();
    let newer = |header: Header| Header { semantics: SEMANTICS_VERSION + 1, ..header };
    rewrite(&folder, "good.mcap", "other.mcap", newer, u32::MAX);
    let ran = physim(&folder, &["verify", "other.mcap", "--format", "json"]).exits(1);
    assert_eq!(ran.json()["verdict"], "other_semantics");
    assert!(ran.json()["steps"].is_null());
}

#[test]
fn a_run_that_stopped_verifies_when_it_stops_again() {
    let folder = Folder::new();
    folder.write("escape.ron", ESCAPE);
    physim(&folder, &["run", "escape.ron", "-o", "escape.mcap"]).exits(2);
    let ran = physim(&folder, &["verify", "escape.mcap"]).exits(0);
    assert!(ran.stdout().contains("and does so again"), "{}", ran.stdout());
}

#[test]
fn a_partial_replay_that_is_named_is_read_as_far_as_it_goes() {
    let folder = replays();
    let good = folder.read("good.mcap");
    folder.write("killed.mcap.partial", &good[..good.len() / 2]);
    let ran = physim(&folder, &["verify", "killed.mcap.partial"]).exits(3);
    assert!(ran.stdout().contains("the run was stopped before its end"), "{}", ran.stdout());
}

#[test]
fn shards_share_the_replays_out() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "good.mcap"]).exits(0);
    let good = folder.read("good.mcap");
    (0..6).for_each(|number| folder.write(&format!("set/{number}.mcap"), &good));
    let mut seen = Vec::new();
    for shard in ["hash:1/3", "hash:2/3", "hash:3/3"] {
        let ran = physim(&folder, &["verify", "set", "--shard", shard]).exits(0);
        let names = ran.stdout();
        seen.extend(names.lines().filter(|line| line.starts_with("same")).map(form));
        assert!(names.contains("of 6 replays)"), "{names}");
    }
    seen.sort();
    assert_eq!(seen.len(), 6);
    seen.dedup();
    assert_eq!(seen.len(), 6);
    physim(&folder, &["verify", "set", "--shard", "hash:4/3"]).exits(2);
}

#[test]
fn a_replay_may_come_through_a_pipe() {
    let folder = replays();
    let good = folder.read("good.mcap");
    let ran = physim_with_input(&folder, &["verify", "-"], &good).exits(0);
    assert!(ran.stdout().contains("<stdin>"), "{}", ran.stdout());
    physim_with_input(&folder, &["verify", "-"], &good[..good.len() / 2]).exits(3);
    physim_with_input(&folder, &["verify", "-"], b"nonsense").exits(3);
    physim_with_input(&folder, &["verify", "-", "-"], &good).exits(2);
}

#[test]
fn nothing_to_verify_is_an_error() {
    let folder = replays();
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    for paths in [["empty"].as_slice(), &["missing.mcap"], &["good.mcap", "missing.mcap"], &[]] {
        let ran = physim(&folder, &[["verify"].as_slice(), paths].concat()).exits(2);
        assert_eq!(ran.stdout(), "", "nothing is run before all is there");
    }
    let ran = physim(&folder, &["verify", "flight.ron"]).exits(3);
    assert!(ran.stdout().contains("it is a scene, not a replay"), "{}", ran.stdout());
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_unreadable() {
    use std::os::unix::fs::PermissionsExt;

    let folder = replays();
    std::fs::set_permissions(folder.path("good.mcap"), PermissionsExt::from_mode(0o000)).expect("a mode");
    if std::fs::read(folder.path("good.mcap")).is_ok() {
        return; // The superuser may read everything.
    }
    let ran: crate::support::program::Ran =
        command(&folder, &["verify", "good.mcap"]).output().expect("the program starts").into();
    let ran = ran.exits(3);
    assert!(ran.stdout().contains("cannot open it"), "{}", ran.stdout());
}

#[test]
fn a_planted_fault_is_marked_in_every_format() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    let fault = "ulp@7,object=ball,field=position.x";
    physim(&folder, &["run", "flight.ron", "-o", "plain.mcap"]).exits(0);
    physim(&folder, &["run", "flight.ron", "-o", "planted.mcap", "--fault", fault]).exits(0);
    let verified = |name: &str, format: &str| physim(&folder, &["verify", name, "--format", format]).exits(0);
    for format in ["text", "github", "junit"] {
        let told = verified("planted.mcap", format).stdout();
        assert!(told.contains(&format!("recorded with a planted fault: {fault}")), "{format}: {told}");
        assert!(!verified("plain.mcap", format).stdout().contains("planted fault"), "{format}");
    }
    assert_eq!(verified("planted.mcap", "json").json()["planted"], serde_json::json!([fault]));
    assert_eq!(verified("plain.mcap", "json").json()["planted"], serde_json::json!([]));
    // A replay that does not hold says it too, and so do the heads of show and diff.
    let mut cut = folder.read("planted.mcap");
    cut.truncate(cut.len() - 1);
    folder.write("cut.mcap", cut);
    let damaged = physim(&folder, &["verify", "cut.mcap"]).exits(3).stdout();
    assert!(damaged.contains(&format!("recorded with a planted fault: {fault}")), "{damaged}");
    let shown = physim(&folder, &["show", "planted.mcap"]).exits(0).stdout();
    assert!(shown.contains("planted fault") && shown.contains(fault), "{shown}");
    let differing = physim(&folder, &["diff", "plain.mcap", "planted.mcap"]).exits(1).stdout();
    assert!(differing.contains("planted faults") && differing.contains(fault), "{differing}");
}

#[test]
fn a_keyframe_that_cannot_be_read_back_is_said_to_be_so() {
    let folder = replays();
    let cut = |step: u32, state: &[u8]| state[..state.len() - usize::from(step == 8)].to_vec();
    rewrite_states(&folder, "good.mcap", "cut.mcap", |header| header, u32::MAX, cut);
    let json = physim(&folder, &["verify", "cut.mcap", "--format", "json"]).exits(3).json();
    assert_eq!((&json["verdict"], &json["steps"]), (&"damaged".into(), &8.into()));
    let damage = json["damage"].as_str().expect("a text");
    assert!(damage.contains("the keyframe of step 8 cannot be read back: the state ends at byte"), "{damage}");
    // One that is a state, but not that of its step, is damaged too, and can be read.
    let of_start =
        |_: u32, state: &[u8]| state.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 0)).collect::<Vec<u8>>();
    rewrite_states(&folder, "good.mcap", "other.mcap", |header| header, u32::MAX, of_start);
    let said = physim(&folder, &["verify", "other.mcap"]).exits(3).stdout();
    assert!(said.contains("the keyframe of step 0 is not the state whose hash is recorded"), "{said}");
}

#[test]
fn what_threads_did_is_told_and_where_they_did_nothing_too() {
    let folder = replays();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "-o", "drop.mcap"]).exits(0);
    let told = |arguments: &[&str]| {
        let all = [["verify", "--format", "json"].as_slice(), arguments].concat();
        physim(&folder, &all).exits(0).json()["exercised"].clone()
    };
    let done = told(&["drop.mcap"]);
    assert_eq!(done["threads"], serde_json::json!([1, 2, 3, 8]));
    // Of 40 steps 30 are taken on more than one thread; in the first few the ball is not near anything. In each of the others pairs
    // and seams are looked at.
    let in_turn = done["parallel_calls"].as_u64().expect("a number");
    assert!(in_turn >= 2 * 15, "{done}");
    let done = told(&["drop.mcap", "--threads", "3"]);
    assert_eq!(done["threads"], serde_json::json!([3]));
    assert!(done["parallel_calls"].as_u64().expect("a number") > in_turn, "{done} and {in_turn} in turn");
    assert_eq!(told(&["drop.mcap", "--threads", "1"]), serde_json::json!({"threads": [1], "parallel_calls": 0}));
    assert_eq!(told(&["good.mcap"])["parallel_calls"], 0);
    let said = physim(&folder, &["verify", "good.mcap", "drop.mcap"]).exits(0).stdout();
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].ends_with("12 steps, nothing in parallel") && lines[1].ends_with("40 steps"), "{said}");
}

#[test]
fn a_replay_that_holds_on_one_thread_only_says_so_and_what_to_do() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    let fault = "ulp@17,object=box,field=position.y,only=threads";
    physim(&folder, &["run", "drop.ron", "-o", "drop.mcap", "--fault", fault]).exits(0);
    let json = physim(&folder, &["verify", "drop.mcap", "--format", "json", "--no-new"]).exits(1).json();
    assert_eq!((&json["verdict"], &json["first"]["step"]), (&"diverged".into(), &17.into()));
    assert_eq!(json["repeats"], true, "the same on as many threads: {json}");
    let notes = json["notes"].to_string();
    assert!(notes.contains("on one thread it is the same: what the threads do reaches the result"), "{notes}");
    assert!(notes.contains("next: physim bisect drop.ron --axis threads=1,2,3,8"), "{notes}");
    physim(&folder, &["verify", "drop.mcap", "--threads", "1"]).exits(0);
    physim(&folder, &["verify", "drop.mcap", "--threads", "2", "--no-new"]).exits(1);
}
