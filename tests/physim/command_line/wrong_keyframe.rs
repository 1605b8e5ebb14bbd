//! A replay whose keyframe is not the state that the hash of its step is of, under good checksums: damaged, whoever reads it.

use physim::replay::{read_strict, rewrite};

use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::support::scenes::FLIGHT;

/// The keyframe that is rewritten; keyframes of the flight are 0, 4, 8 and 12.
const STEP: u32 = 8;

/// A whole replay, and the same with another state as one keyframe, sealed again.
fn replays() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    for scalar in ["fixed", "f32", "f64"] {
        let good = format!("{scalar}.mcap");
        physim(&folder, &["run", "flight.ron", "-o", &good, "--scalar", scalar]).exits(0);
        reseal(&folder, &good, &format!("{scalar}.wrong.mcap"), |state| state[4] ^= 1);
    }
    reseal(&folder, "f64.mcap", "short.mcap", |state| state.truncate(state.len() - 1));
    folder
}

/// Writes a replay again with a keyframe changed, and nothing else; the hashes stay.
fn reseal(folder: &Folder, from: &str, to: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let mut replay = read_strict(&folder.path(from)).expect("a whole replay");
    replay.keyframes.change(|keyframes| change(keyframes.get_mut(&STEP).expect("a keyframe")));
    rewrite(&replay, &folder.path(to)).expect("written");
    let again = read_strict(&folder.path(to)).expect("sound checksums");
    assert_eq!(again.steps, read_strict(&folder.path(from)).expect("a replay").steps);
}

const WHAT: &str = "the keyframe of step 8 is not the state whose hash is recorded: expected ";

#[test]
fn every_command_that_reads_states_calls_it_damaged_and_says_what_to_do() {
    let folder = replays();
    let commands: [&[&str]; 17] = [
        &["diff", "f64.mcap", "f64.wrong.mcap"],
        &["diff", "f64.wrong.mcap", "f64.mcap"],
        &["diff", "f64.wrong.mcap", "f64.wrong.mcap"],
        &["diff", "f64.mcap", "f64.wrong.mcap", "f64.mcap"],
        &["diff", "f64.mcap", "f64.wrong.mcap", "--tolerance", "1"],
        &["diff", "fixed.mcap", "fixed.wrong.mcap"],
        &["diff", "f32.mcap", "f32.wrong.mcap"],
        &["bisect", "f64.mcap", "f64.wrong.mcap"],
        &["bisect", "f64.wrong.mcap", "f64.mcap"],
        &["trace", "f64.wrong.mcap", "--steps", "9..10", "-o", "now.trace"],
        &["trace", "f64.wrong.mcap", "--steps", "2..3", "-o", "then.trace"],
        &["show", "f64.wrong.mcap"],
        &["show", "f64.wrong.mcap", "--step", "8"],
        &["show", "f64.wrong.mcap", "--step", "9"],
        &["export", "f64.wrong.mcap", "-o", "f64.csv"],
        &["view", "f64.wrong.mcap", "-o", "f64.html"],
        &["verify", "f64.wrong.mcap"],
    ];
    for arguments in commands {
        let ran = physim(&folder, arguments);
        let told = format!("{}{}", ran.stdout(), ran.stderr);
        let is_named = told.contains(WHAT) && told.contains("wrong.mcap") && told.contains("record the run again");
        assert!(ran.status == 3 && is_named, "{arguments:?}: {ran:#?}");
    }
}

#[test]
fn a_keyframe_that_holds_no_state_is_damage_too() {
    let folder = replays();
    for arguments in [&["diff", "f64.mcap", "short.mcap"][..], &["show", "short.mcap"], &["verify", "short.mcap"]] {
        let ran = physim(&folder, arguments).exits(3);
        let told = format!("{}{}", ran.stdout(), ran.stderr);
        assert!(told.contains("the keyframe of step 8 cannot be read back: the state ends at byte "), "{ran:#?}");
    }
}

#[test]
fn what_a_wrong_keyframe_says_is_shown_nowhere() {
    let folder = replays();
    let ran = physim(&folder, &["show", "f64.wrong.mcap"]).exits(3);
    let steps: Vec<String> =
        ran.stdout().lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    assert_eq!(steps[steps.len() - 3..], ["0", "4", "12"], "{ran:#?}");
    let trace = physim(&folder, &["trace", "f64.wrong.mcap", "--steps", "9..10", "-o", "now.trace"]).exits(3);
    assert!(!folder.path("now.trace").exists(), "{trace:#?}");
}

#[test]
fn several_recordings_of_which_one_is_damaged_are_not_called_the_same() {
    let folder = replays();
    let good = folder.read("f64.mcap");
    folder.write("cut.mcap", &good[..good.len() - 9]);
    for damaged in ["cut.mcap", "f64.wrong.mcap"] {
        let ran = physim(&folder, &["diff", "f64.mcap", "f64.mcap", damaged]).exits(3);
        assert!(ran.stdout().contains(&format!("note: {damaged} is damaged: ")), "{ran:#?}");
    }
}
