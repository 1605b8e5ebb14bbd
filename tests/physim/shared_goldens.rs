//! Goldens that several programs of a run are held to, by a link or from several lists: each is run, and none touches what another leaves.

#![cfg(unix)]

use std::os::unix::fs::symlink;

use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::verify_programs::{LOG, without_origin};

/// A log that differs in its last step.
fn other() -> String {
    LOG.replace("c3", "c4")
}

/// A folder `G` with a golden `one.log`, to which `two.log` is a link; a program for each name, the second of which is wrong.
fn linked() -> Folder {
    let folder = Folder::new();
    folder.write("G/one.log", LOG);
    folder.write("one", LOG);
    folder.write("two", other());
    symlink("one.log", folder.path("G/two.log")).expect("a link");
    folder
}

#[test]
fn a_golden_that_is_a_link_to_another_is_verified_too() {
    let folder = linked();
    let verify =
        |words: &[&str]| physim(&folder, &[&["verify", "--exec", "echo {name} >> ran; cat {name}"], words].concat());
    let ran = verify(&["G"]).exits(1).stdout();
    assert!(ran.ends_with("1 passed, 1 failed\n"), "{ran}");
    assert!(ran.contains("same             G/one.log") && ran.contains("diverged         G/two.log"), "{ran}");
    assert!(
        ran.contains("G/two.log is the golden of another run too, under another name: this one has to print the same"),
        "{ran}"
    );
    let runs = String::from_utf8(folder.read("ran")).expect("names");
    let mut runs: Vec<&str> = runs.lines().collect();
    runs.sort_unstable(); // they run side by side
    assert_eq!(runs, ["one", "two", "two"], "what differs is run once more");
    assert!(!folder.path("G/two.log.new").exists() && !folder.path("G/one.log.new").exists());
    // With a folder of its own it is left, and is never the golden.
    verify(&["G", "--new-dir", "new"]).exits(1);
    assert_eq!(without_origin(&folder, "new/G/two.log.link.new"), other());
    std::fs::copy(folder.path("new/G/two.log.link.new"), folder.path("G/one.log.new")).expect("a copy");
    physim(&folder, &["accept", "--yes", "--reason", "none", "G/one.log"]).exits(2);
    // It is the file itself that has a new result, whichever name comes first.
    symlink("one.log", folder.path("G/a.log")).expect("a link");
    folder.write("a", LOG);
    folder.write("one", other());
    let ran = verify(&["G"]).exits(1).stdout();
    assert!(ran.contains("is in G/one.log.new; to make it the golden: physim accept G/one.log"), "{ran}");
    folder.write("one", LOG);
    // One name is one golden, however its folder is called; without a place, so is one file.
    let ran = verify(&["G/one.log", "./G/one.log", "G/../G/one.log"]).exits(0).stdout();
    assert!(ran.ends_with("1 passed, 0 failed\n"), "{ran}");
    let ran = physim(&folder, &["verify", "--exec", "cat one", "G"]).exits(0).stdout();
    assert!(ran.ends_with("1 passed, 0 failed\n"), "{ran}");
}

/// Two lists, `debug` and `release`, with a program of one name each, and one golden that both are held to.
fn two_lists(debug: &str, release: &str) -> Folder {
    let folder = Folder::new();
    folder.write("goldens/g.log", LOG);
    for (list, command) in [("debug", debug), ("release", release)] {
        let program = format!("(name: \"game\", exec: {command:?}, golden: \"../goldens/g.log\")");
        folder.write(&format!("{list}/physim.ron"), format!("(version: 1, programs: [{program}])"));
        folder.write(&format!("{list}/now.log"), other());
    }
    folder
}

#[test]
fn the_new_result_of_one_list_is_left_alone_by_another() {
    for words in [&[][..], &["--new-dir", "new"]] {
        let new = if words.is_empty() { "goldens/g.log.new" } else { "new/goldens/g.log.new" };
        // The second holds: what the first left is not stale.
        let folder = two_lists("cat now.log", "cat ../goldens/g.log");
        let ran = physim(&folder, &[&["verify", "debug", "release"], words].concat()).exits(1).stdout();
        assert!(!ran.contains("is stale"), "{ran}");
        assert_eq!(without_origin(&folder, new), other(), "{ran}");
        // It differs in another way: what the first left is the new result.
        let folder = two_lists("cat now.log", "sed s/b2/b9/ now.log");
        let ran = physim(&folder, &[&["verify", "debug", "release"], words].concat()).exits(1).stdout();
        assert_eq!(without_origin(&folder, new), other(), "{ran}");
        if words.is_empty() {
            assert!(
                ran.contains("is the golden of another program that is verified with it: this one has to print"),
                "{ran}"
            );
        } else {
            let second = without_origin(&folder, "new/goldens/g.log.game.2.new");
            assert_eq!(second, other().replace("b2", "b9"), "{ran}");
        }
    }
}

#[test]
fn what_else_two_programs_of_one_name_leave_is_told_apart() {
    let race = "sed s/b2/$$/ now.log";
    let crash = "sed 2q now.log; exit 3";
    for (command, what, status) in [(race, "race", 1), (crash, "partial", 2)] {
        // Each has a hash of its own in its first step.
        let of = |letter: &str| command.replace("now.log", &format!("now.log | sed s/a1/{letter}/"));
        let folder = two_lists(&of("debug"), &of("release"));
        let ran = physim(&folder, &["verify", "debug", "release", "--new-dir", "new"]).exits(status).stdout();
        for (name, letter) in [("game", "debug"), ("game.2", "release")] {
            let path = format!("new/goldens/g.log.{name}.{what}");
            let log = without_origin(&folder, &path);
            assert!(log.contains(&format!("\"hash\":\"{letter}\"")), "{path}: {log}");
            assert!(ran.contains(&format!(" is in {path}; it is for looking only: ")), "{path}: {ran}");
        }
        // The next run takes away both.
        for list in ["debug", "release"] {
            let program = "(name: \"game\", exec: \"cat ../goldens/g.log\", golden: \"../goldens/g.log\")";
            folder.write(&format!("{list}/physim.ron"), format!("(version: 1, programs: [{program}])"));
        }
        let ran = physim(&folder, &["verify", "debug", "release", "--new-dir", "new"]).exits(0).stdout();
        assert_eq!(ran.matches("was of an earlier run: it was removed").count(), 2, "{ran}");
    }
}

#[test]
fn a_list_that_is_named_twice_is_one() {
    let folder = two_lists("cat now.log", "cat now.log");
    let ran = physim(&folder, &["verify", "debug", "debug/physim.ron", "./debug/../debug"]).exits(1).stdout();
    assert!(ran.ends_with("0 passed, 1 failed\n"), "{ran}");
}
