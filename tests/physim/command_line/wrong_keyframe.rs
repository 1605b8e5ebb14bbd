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
    folder.write("again.mcap", folder.read("f64.mcap"));
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
        &["diff", "f64.mcap", "f64.wrong.mcap", "again.mcap"],
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

/// A step without a keyframe holds a root and a few bytes of each digest, which nobody can hold to each other without the state. So it is told
/// by whoever comes through the step, and as what it is: the build gives the recorded root, and is not to blame.
#[test]
fn a_digest_that_is_not_the_roots_is_damage_for_whoever_runs_through_its_step() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "good.mcap"]).exits(0);
    let mut replay = read_strict(&folder.path("good.mcap")).expect("a whole replay");
    replay.steps.change(|steps| steps[6].sections[1][3] ^= 1);
    rewrite(&replay, &folder.path("wrong.mcap")).expect("written");
    let what = "in step 6 the recorded hash is that of the state, but the digest of its section bodies is another; record the run again";
    let through: [&[&str]; 8] = [
        &["verify", "wrong.mcap"],
        &["show", "wrong.mcap", "--step", "6"],
        &["show", "wrong.mcap", "--step", "7"],
        &["trace", "wrong.mcap", "--steps", "6..7", "-o", "now.trace"],
        &["export", "wrong.mcap", "-o", "all.csv"],
        &["view", "wrong.mcap", "-o", "all.html"],
        &["query", "wrong.mcap", "--step", "7", "Nearest(at: (0, 1, 0), within: 5)"],
        &["bisect", "wrong.mcap"],
    ];
    let wrong = through.map(|arguments| {
        let ran = physim(&folder, arguments);
        let told = format!("{}{}", ran.stdout(), ran.stderr);
        let is_told = ran.status == 3 && told.contains(what) && !told.contains("this build does not reproduce");
        (!is_told).then(|| format!("{arguments:?} ends with {}: {told}", ran.status))
    });
    assert_eq!(wrong.into_iter().flatten().collect::<Vec<String>>(), [""; 0]);
    // The states of other stretches are sound, and nobody can see the step in them.
    for arguments in [
        &["show", "wrong.mcap", "--step", "5"][..],
        &["show", "wrong.mcap", "--step", "9"],
        &["trace", "wrong.mcap", "--steps", "9..10", "-o", "then.trace"],
    ] {
        physim(&folder, arguments).exits(0);
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
        let ran = physim(&folder, &["diff", "f64.mcap", "again.mcap", damaged]).exits(3);
        assert!(ran.stdout().contains(&format!("note: {damaged} is damaged: ")), "{ran:#?}");
    }
}

/// One run under the hashes of another, by what makes the other run another: scene and keyframes fit each other, and verifying it comes to
/// other states than those whose hashes it records.
fn forge(folder: &Folder, scalar: &str, other: [&str; 2]) {
    folder.write("flight.ron", FLIGHT);
    physim(folder, &["run", "flight.ron", "-o", "a.mcap", "--scalar", scalar, other[0], other[1]]).exits(0);
    physim(folder, &["run", "flight.ron", "-o", "b.mcap", "--scalar", scalar]).exits(0);
    let [a, mut b] = ["a.mcap", "b.mcap"].map(|name| read_strict(&folder.path(name)).expect("a whole replay"));
    b.steps = a.steps;
    b.ending.as_mut().expect("an ending").root = a.ending.expect("an ending").root;
    rewrite(&b, &folder.path("forged.mcap")).expect("written");
    assert_eq!(read_strict(&folder.path("forged.mcap")).expect("sound checksums").keyframes, b.keyframes);
}

#[test]
fn a_run_under_the_hashes_of_another_is_damaged_for_everyone() {
    let folder = Folder::new();
    for scalar in ["fixed", "f32", "f64"] {
        forge(&folder, scalar, ["--fault", "ulp@2,object=ball,field=position.x"]);
        let what = "the keyframe of step 4 is not the state whose hash is recorded: expected ";
        for arguments in [
            &["verify", "forged.mcap"][..],
            &["verify", "forged.mcap", "--threads", "3"],
            &["diff", "a.mcap", "forged.mcap"],
            &["bisect", "b.mcap", "forged.mcap"],
        ] {
            let ran = physim(&folder, arguments).exits(3);
            let told = format!("{}{}", ran.stdout(), ran.stderr);
            assert!(told.contains(what), "{arguments:?}: {ran:#?}");
        }
        let verified = physim(&folder, &["verify", "forged.mcap", "--format", "json"]).exits(3).json();
        assert!(
            verified["verdict"] == "damaged" && verified["first"].is_null(),
            "where it differs says nothing: {verified}"
        );
        assert!(!folder.path("forged.mcap.new").exists(), "nothing to accept in its place");
    }
}

/// So does a build see every replay whose hashes are not those that it should come to: then it is to blame, and `git bisect` is to find it.
#[test]
fn where_no_keyframe_has_the_recorded_hash_the_build_may_be_at_fault() {
    let folder = Folder::new();
    forge(&folder, "fixed", ["--set", "gravity.1=-1"]);
    let verified = physim(&folder, &["verify", "forged.mcap", "--no-new", "--format", "json"]).exits(1).json();
    assert!(verified["verdict"] == "diverged" && verified["first"]["step"] == 0, "{verified}");
}

/// What another build gives is no damage: keyframes are the states of their hashes, and only the run is another.
#[test]
fn a_replay_that_is_whole_and_does_not_hold_has_diverged() {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    physim(&folder, &["run", "flight.ron", "-o", "b.mcap", "--fault", "ulp@6,object=ball,field=position.x"]).exits(0);
    let [a, mut b] = ["a.mcap", "b.mcap"].map(|name| read_strict(&folder.path(name)).expect("a whole replay"));
    b.perturbations = a.perturbations;
    rewrite(&b, &folder.path("b.mcap")).expect("written");
    let ran = physim(&folder, &["verify", "b.mcap", "--format", "json"]).exits(1);
    assert_eq!(ran.json()["first"]["step"], 6, "{ran:#?}");
}

/// A build that reads states in another way than the one that recorded them cannot read their keyframes: where it comes to other states as
/// well, it is not known that the file is at fault.
#[test]
fn a_keyframe_that_this_build_cannot_read_is_no_excuse_for_it() {
    let folder = replays();
    let mut replay = read_strict(&folder.path("short.mcap")).expect("a whole replay");
    replay.steps.change(|steps| steps[7].root[0] ^= 1);
    rewrite(&replay, &folder.path("short.mcap")).expect("written");
    let ran = physim(&folder, &["verify", "short.mcap", "--no-new", "--format", "json"]).exits(1);
    assert_eq!(ran.json()["first"]["step"], 7, "{ran:#?}");
}
