//! What `verify` leaves in the folder for new results beside the new result itself, how long it stays there, and what becomes of a golden
//! that its own program writes.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::{Ran, physim};
use crate::verify_programs::{LOG, logs, without_origin};

/// Verifies what a command prints, with a folder for what comes out.
fn verify(folder: &Folder, command: &str, words: &[&str]) -> Ran {
    physim(folder, &[&["verify", "--new-dir", "new", "--exec", command, "a.log"], words].concat())
}

/// The names of what lies in the folder for new results.
fn left(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path("new")).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Prints more of step 1 where it is asked to.
const DETAILED: &str = "if [ {from} -eq 1 ]; then sed 's/\"b3\"/\"b3\",\"sections\":{\"s\":\"1\"}/' now.log; else cat now.log; fi";
const RACE: &str = "sed s/b3/$$/ now.log";
const CRASH: &str = "cat now.log; exit 3";

#[test]
fn what_an_earlier_run_left_goes_with_the_next() {
    let folder = logs(&LOG.replace("b2", "b3"));
    let then = |command: &str, status: i32, names: &[&str], note: &str| {
        let ran = verify(&folder, command, &[]).exits(status).stdout();
        assert_eq!(left(&folder), names, "{command}: {ran}");
        assert!(ran.contains(note), "{command}: {ran}");
    };
    then(RACE, 1, &["a.log.race"], "what it printed this time is in new/a.log.race");
    then(RACE, 1, &["a.log.race"], "new/a.log.race was of an earlier run: it was removed");
    then(DETAILED, 1, &["a.log.detail", "a.log.new"], "new/a.log.race was of an earlier run: it was removed");
    then(CRASH, 2, &["a.log.new", "a.log.partial"], "new/a.log.detail was of an earlier run: it was removed");
    then("cat now.log", 1, &["a.log.new"], "new/a.log.partial was of an earlier run: it was removed");
    then(DETAILED, 1, &["a.log.detail", "a.log.new"], "what it printed when it was asked for more of step 1 is in");
    then("cat a.log", 0, &[], "new/a.log.detail was of an earlier run: it was removed");
    // What others made stays, and nothing is written in its place.
    folder.write("new/a.log.race", LOG);
    then("cat a.log", 0, &["a.log.race"], "new/a.log.race is there, and verify did not write it: it stays");
    then(RACE, 1, &["a.log.race"], "new/a.log.race is not written: new/a.log.race is there, and verify did not write it");
    assert_eq!(folder.read("new/a.log.race"), LOG.as_bytes());
}

#[test]
fn the_race_of_a_program_without_a_golden_is_left_too() {
    let folder = logs(&LOG.replace("b2", "b3"));
    std::fs::remove_file(folder.path("a.log")).expect("removed");
    let ran = verify(&folder, RACE, &[]).exits(2).stdout();
    assert!(ran.contains("what its first run printed is in new/a.log.race"), "{ran}");
    assert_eq!(left(&folder), ["a.log.race"]);
    let log = without_origin(&folder, "new/a.log.race");
    assert!(log.starts_with(LOG.lines().next().expect("a line")) && log.lines().count() == LOG.lines().count(), "{log}");
    // As a golden it is refused, under whatever name.
    folder.write("a.log.new", folder.read("new/a.log.race"));
    let ran = physim(&folder, &["accept", "--yes", "--reason", "none", "a.log"]).exits(2);
    assert!(ran.stderr.contains("it is no new result of a.log, but what its first run printed"), "{}", ran.stderr);
}

#[test]
fn a_program_that_writes_its_own_golden_holds_to_nothing() {
    let other = LOG.replace("b2", "b3");
    for (command, said) in [
        ("tee a.log < now.log", "the program itself wrote into its golden a.log"),
        // It prints nothing, which is what people see first who let it write a file.
        ("cp now.log a.log", "the program itself wrote into its golden a.log"),
        ("cat now.log; rm a.log", "the program itself removed its golden a.log"),
        // Only the second run does.
        ("cat now.log; if [ -e n ]; then cp now.log a.log; fi; touch n", "the program itself wrote into its golden a.log"),
    ] {
        for words in [&[][..], &["--new-dir", "new"]] {
            let folder = logs(&other);
            let run = [&["verify", "--exec", command, "a.log"], words].concat();
            let ran = physim(&folder, &run).exits(2).stdout();
            let before = if words.is_empty() { "a.log.before" } else { "new/a.log.before" };
            assert!(ran.starts_with("failed ") && ran.contains(said), "{command}: {ran}");
            assert!(ran.contains(&format!("what the golden was is in {before}: put it back")), "{command}: {ran}");
            assert_eq!(folder.read(before), LOG.as_bytes(), "{command}");
            assert!(!folder.path("a.log.new").exists() && !folder.path("new/a.log.new").exists(), "{command}: {ran}");
            physim(&folder, &[&run[..], &["--bisect-exit"]].concat());
            assert_eq!(folder.read(before), LOG.as_bytes(), "{command}: what was kept first is not replaced");
        }
    }
    // Where there is none yet.
    let folder = logs(&other);
    let ran = physim(&folder, &["verify", "--exec", "tee b.log < now.log", "b.log"]).exits(2).stdout();
    assert!(ran.contains("the program itself wrote b.log, where its golden is to be"), "{ran}");
    assert_eq!(folder.names(), ["a.log", "b.log", "now.log"]);
    // One that only reads it, or writes the same, is nobody's business.
    physim(&folder, &["verify", "--exec", "cat a.log", "a.log"]).exits(0);
    assert_eq!(folder.names(), ["a.log", "b.log", "now.log"]);
}
