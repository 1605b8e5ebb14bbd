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
const DETAILED: &str =
    "if [ {from} -eq 1 ]; then sed 's/\"b3\"/\"b3\",\"sections\":{\"s\":\"1\"}/' now.log; else cat now.log; fi";
const RACE: &str = "sed s/b3/$$/ now.log";
const CRASH: &str = "cat now.log; exit 3";

#[test]
fn what_an_earlier_run_left_goes_with_the_next() {
    let folder = logs(&LOG.replace("b2", "b3"));
    let then = |command: &str, status: i32, names: &[&str], note: &str| {
        let ran = verify(&folder, command, &[]).exits(status).stdout();
        assert_eq!(left(&folder), names, "{command}: {ran}");
        assert!(ran.contains(note), "{command}: {ran}");
        // What others made is not told of as something to look at.
        let own = names.iter().filter(|name| !name.ends_with(".new") && !ran.contains("did not write it"));
        for name in own {
            let look = format!("is in new/{name}; it is for looking only: physim diff a.log new/{name}");
            assert!(ran.contains(&look), "{command}: {ran}");
            physim(&folder, &["diff", "a.log", &format!("new/{name}")]).exits(1);
        }
    };
    then(RACE, 1, &["a.log.race"], "what it printed this time is in new/a.log.race");
    // What is written anew is not told to be removed.
    let ran = verify(&folder, RACE, &[]).exits(1).stdout();
    assert!(ran.contains("what it printed this time is in new/a.log.race") && !ran.contains("it was removed"), "{ran}");
    then(DETAILED, 1, &["a.log.detail", "a.log.new"], "new/a.log.race was of an earlier run: it was removed");
    then(CRASH, 2, &["a.log.new", "a.log.partial"], "new/a.log.detail was of an earlier run: it was removed");
    then("cat now.log", 1, &["a.log.new"], "new/a.log.partial was of an earlier run: it was removed");
    then(DETAILED, 1, &["a.log.detail", "a.log.new"], "what it printed when it was asked for more of step 1 is in");
    then("cat a.log", 0, &[], "new/a.log.detail was of an earlier run: it was removed");
    // What others made stays, and nothing is written in its place.
    folder.write("new/a.log.race", LOG);
    then("cat a.log", 0, &["a.log.race"], "new/a.log.race is there, and verify did not write it: it stays");
    then(
        RACE,
        1,
        &["a.log.race"],
        "new/a.log.race is not written: new/a.log.race is there, and verify did not write it: rename or delete it",
    );
    assert_eq!(folder.read("new/a.log.race"), LOG.as_bytes());
}

#[test]
fn the_race_of_a_program_without_a_golden_is_left_too() {
    let folder = logs(&LOG.replace("b2", "b3"));
    std::fs::remove_file(folder.path("a.log")).expect("removed");
    let ran = verify(&folder, RACE, &[]).exits(2).stdout();
    assert!(
        ran.contains("what its first run printed is in new/a.log.race\n"),
        "there is nothing to compare it with: {ran}"
    );
    assert_eq!(left(&folder), ["a.log.race"]);
    let log = without_origin(&folder, "new/a.log.race");
    assert!(
        log.starts_with(LOG.lines().next().expect("a line")) && log.lines().count() == LOG.lines().count(),
        "{log}"
    );
    // As a golden it is refused, under whatever name.
    folder.write("a.log.new", folder.read("new/a.log.race"));
    let ran = physim(&folder, &["accept", "--yes", "--reason", "none", "a.log"]).exits(2);
    assert!(ran.stderr.contains("it is no new result of a.log, but what its first run printed"), "{}", ran.stderr);
}

#[test]
fn a_program_that_writes_its_own_golden_holds_to_nothing() {
    let other = LOG.replace("b2", "b3");
    for (command, said) in [
        ("tee a.log < now.log", "its golden a.log was written while the program ran, by it or by somebody else"),
        // It prints nothing, which is what people see first who let it write a file.
        ("cp now.log a.log", "its golden a.log was written while the program ran, by it or by somebody else"),
        ("cat now.log; rm a.log", "its golden a.log was removed while the program ran, by it or by somebody else"),
        // Only the second run does.
        (
            "cat now.log; if [ -e n ]; then cp now.log a.log; fi; touch n",
            "its golden a.log was written while the program ran, by it or by somebody else",
        ),
    ] {
        for words in [&[][..], &["--new-dir", "new"]] {
            let folder = logs(&other);
            let run = [&["verify", "--exec", command, "a.log"], words].concat();
            let ran = physim(&folder, &run).exits(2).stdout();
            let before = if words.is_empty() { "a.log.before" } else { "new/a.log.before" };
            assert!(ran.starts_with("failed ") && ran.contains(said), "{command}: {ran}");
            assert!(
                ran.contains(&format!("what the golden was is in {before}: put it back, if that was not meant")),
                "{command}: {ran}"
            );
            assert_eq!(folder.read(before), LOG.as_bytes(), "{command}");
            assert!(!folder.path("a.log.new").exists() && !folder.path("new/a.log.new").exists(), "{command}: {ran}");
            physim(&folder, &[&run[..], &["--bisect-exit"]].concat());
            assert_eq!(folder.read(before), LOG.as_bytes(), "{command}: what was kept first is not replaced");
        }
    }
    // Where there is none yet.
    let folder = logs(&other);
    let ran = physim(&folder, &["verify", "--exec", "tee b.log < now.log", "b.log"]).exits(2).stdout();
    assert!(ran.contains("b.log, where its golden is to be, was written while the program ran, by it or by"), "{ran}");
    assert_eq!(folder.names(), ["a.log", "b.log", "now.log"]);
    // One that only reads it, or writes the same, is nobody's business.
    physim(&folder, &["verify", "--exec", "cat a.log", "a.log"]).exits(0);
    assert_eq!(folder.names(), ["a.log", "b.log", "now.log"]);
}

#[test]
fn only_results_of_verify_are_replaced_by_results() {
    let folder = logs(LOG);
    let formats = ["text", "json", "junit", "github"];
    let to = |format: &str, file: &str| format!("{format}:{file}");
    let write = |golden: &str, format: &str, file: &str| {
        physim(&folder, &["verify", "--exec", "cat now.log", golden, "--no-new", "--output", &to(format, file)])
    };
    folder.write("b.log", LOG.replace("b2", "b3"));
    for format in formats {
        for golden in ["a.log", "b.log", "c.log", "a.log"] {
            // The same, diverged, no golden: each replaces what was there before.
            write(golden, format, format).exits(match golden {
                "a.log" => 0,
                "b.log" => 1,
                _ => 2,
            });
        }
        // With more behind it, or before it, it is another's.
        let results = String::from_utf8(folder.read(format)).expect("a text");
        for other in [format!("{results}my own line\n"), format!("my own line\n{results}")] {
            folder.write("other", &other);
            let ran = write("a.log", format, "other").exits(2);
            assert!(ran.stderr.contains("other exists and is not a"), "{format}: {}", ran.stderr);
            assert_eq!(folder.read("other"), other.as_bytes());
        }
    }
    for of in formats {
        for format in formats.into_iter().filter(|format| *format != of) {
            folder.write("other", folder.read(of));
            let ran = write("a.log", format, "other").exits(2);
            assert!(ran.stderr.contains("other exists and is not a"), "{of} as {format}: {}", ran.stderr);
        }
        // A part in which there is nothing, and another.
        for shard in ["hash:1/2", "hash:2/2", "hash:1/2"] {
            let words =
                ["verify", "--exec", "cat now.log", "a.log", "--no-new", "--shard", shard, "--output", &to(of, of)];
            physim(&folder, &words).exits(0);
        }
    }
    for (format, text) in [
        ("text", "same procedure as every year\n"),
        ("text", "same             \n"),
        ("text", "failed attempts: 3\n2 passed, 1 failed\n"),
        ("json", "{\"schema\":1,\"my\":\"own\"}\n"),
        ("junit", "<?xml version=\"1.0\"?>\n<testsuites name=\"mine\" tests=\"0\"></testsuites>\n"),
        ("github", "::error file=a.c::mine\n"),
    ] {
        folder.write("other", text);
        let ran = write("a.log", format, "other").exits(2);
        assert!(ran.stderr.contains("other exists and is not a"), "{text}: {}", ran.stderr);
        assert_eq!(folder.read("other"), text.as_bytes());
    }
    // What other commands say in JSON.
    folder.write("accepted.log", LOG);
    folder.write("accepted.log.new", LOG.replace("b2", "b4"));
    let said = physim(&folder, &["accept", "accepted.log", "--yes", "--reason", "b4", "--format", "json"]).exits(0);
    folder.write("other", &said.bytes);
    write("a.log", "json", "other").exits(2);
    folder.write("other", physim(&folder, &["diff", "a.log", "b.log", "--format", "json"]).exits(1).bytes);
    write("a.log", "json", "other").exits(2);
}

#[test]
fn results_do_not_go_where_something_else_is_left() {
    let folder = logs(LOG);
    for name in ["race", "detail", "partial", "new", "before"] {
        let output = format!("json:new/a.log.{name}");
        let ran = verify(&folder, "echo run >> runs; cat now.log", &["--output", &output]).exits(2);
        assert!(ran.stderr.contains("cannot take both results as JSON and"), "{name}: {}", ran.stderr);
    }
    let output = "json:a.log.before";
    let ran = physim(&folder, &["verify", "--exec", "echo run >> runs", "a.log", "--output", output]).exits(2);
    assert!(ran.stderr.contains("what verify leaves of a.log"), "{}", ran.stderr);
    assert!(!folder.path("runs").exists());
}

#[test]
fn a_golden_that_is_no_plain_file_is_refused() {
    let folder = logs(LOG);
    let made = std::process::Command::new("mkfifo").arg(folder.path("pipe.log")).status();
    assert!(made.is_ok_and(|status| status.success()));
    for golden in ["pipe.log", "/dev/null"] {
        let ran = physim(&folder, &["verify", "--exec", "echo run >> runs", golden]).exits(2);
        let said = format!("{golden} is a pipe or a device, no plain file");
        assert!(ran.stderr.contains(&said) && ran.stderr.contains("into a file and name that"), "{}", ran.stderr);
    }
    let program = "(version: 1, programs: [(name: \"p\", exec: \"echo run >> runs\", golden: \"pipe.log\")])";
    folder.write("physim.ron", program);
    physim(&folder, &["verify", "."]).exits(2);
    assert!(!folder.path("runs").exists());
}

#[test]
fn what_is_proposed_to_be_run_by_itself_can_be_run() {
    let folder = logs(LOG);
    let said = "run it by itself to see more: cat 'a.log'; echo 0..0; exit 3\n";
    let ran = physim(&folder, &["verify", "--exec", "cat {golden}; echo {from}..{to}; exit 3", "a.log"]).exits(2);
    assert!(ran.stdout().contains(said), "{}", ran.stdout());
    let words = "exec: \"ls\", args: [\"--no-such={from}\", \"{to} it\"]";
    folder.write("physim.ron", format!("(version: 1, programs: [(name: \"p\", {words}, golden: \"a.log\")])"));
    let ran = physim(&folder, &["verify", "physim.ron"]).exits(2).stdout();
    assert!(ran.contains("ls --no-such=0 '0 it'\n"), "{ran}");
}

#[test]
fn ci_says_how_to_get_at_the_log() {
    let folder = logs(&LOG.replace("b2", "b3"));
    let in_ci = |words: &[&str]| -> Ran {
        let words = [&["verify", "--exec", "cat now.log"], words].concat();
        crate::support::program::command(&folder, &words).env("CI", "1").output().expect("it starts").into()
    };
    let note = "what came out here is not kept, for CI is set: --new-dir DIR writes it into a folder, for upload";
    assert!(in_ci(&["a.log"]).exits(1).stdout().contains(note));
    assert!(in_ci(&["none.log"]).exits(2).stdout().contains(note));
    for words in [&["a.log", "--no-new"][..], &["a.log", "--new-dir", "new"], &["a.log", "--bisect-exit"]] {
        assert!(!in_ci(words).exits(1).stdout().contains(note), "{words:?}");
    }
}
