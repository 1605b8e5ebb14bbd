//! `physim verify` with several programs: none may write into the golden of another.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::{command, physim};
use crate::verify_programs::{LOG, logs};

/// A list of two programs, `one` held to `a.log` and `two` to `b.log`.
fn two_programs(one: &str, two: &str) -> Folder {
    let folder = logs(&LOG.replace("b2", "b3"));
    folder.write("b.log", LOG);
    folder.write(
        "physim.ron",
        format!(
            "(version: 1, programs: [(name: \"one\", exec: {one:?}, golden: \"a.log\"), (name: \"two\", exec: {two:?}, golden: \"b.log\")])"
        ),
    );
    folder
}

/// What is said of each program, behind its verdict, and the verdicts.
fn verdicts(shown: &str) -> Vec<&str> {
    shown.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.split("  ").next()).collect()
}

#[test]
fn a_program_that_writes_the_golden_of_another_fails_with_it() {
    // The first writes what the second then prints; the second, whose golden was held to before, writes that of the first. They run at once:
    // so the second waits for the first.
    for (one, two, expected) in [
        (
            "cat a.log; cp now.log b.log",
            "until cmp -s now.log b.log; do sleep 0.02; done; cat now.log",
            ["failed", "failed"],
        ),
        (
            "cat a.log; touch ended",
            "until [ -e ended ]; do sleep 0.02; done; sleep 0.3; cat b.log; cp now.log a.log",
            ["same", "failed"],
        ),
        ("cat a.log; rm b.log", "while [ -e b.log ]; do sleep 0.02; done; cat now.log", ["failed", "failed"]),
    ] {
        let victim = if expected[0] == "same" { "a.log" } else { "b.log" };
        for words in [&["--no-new"][..], &["--new-dir", "new"]] {
            let folder = two_programs(one, two);
            let shown = physim(&folder, &[&["verify", "physim.ron"], words].concat()).exits(2).stdout();
            assert_eq!(verdicts(&shown)[..2], expected, "{one} / {two}: {shown}");
            let deed = if one.contains("rm ") { "removed" } else { "written" };
            let deed =
                format!("the golden of another {victim} was {deed} while the program ran, by it or by somebody else");
            assert!(shown.contains(&deed), "{shown}");
            let name = if victim == "a.log" { "one" } else { "two" };
            let before =
                if words[0] == "--no-new" { format!("{victim}.before") } else { format!("new/{victim}.{name}.before") };
            assert!(
                shown.contains(&format!("what the golden was is in {before}: put it back, if that was not meant")),
                "{shown}"
            );
            assert_eq!(folder.read(&before), LOG.as_bytes(), "{one} / {two}");
        }
    }
    // What is written with equal content is no other golden.
    let folder = two_programs("cp now.log x; cat b.log > y; cat y > b.log; cat a.log", "cat b.log");
    physim(&folder, &["verify", "physim.ron"]).exits(0);
}

#[test]
fn a_program_that_writes_the_golden_of_a_replay_fails() {
    let folder = Folder::new();
    folder.write("flight.ron", crate::support::scenes::FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "z.mcap"]).exits(0);
    folder.write("a.log", LOG);
    folder.write(
        "physim.ron",
        "(version: 1, programs: [(name: \"one\", exec: \"cat a.log; echo > z.mcap\", golden: \"a.log\")])",
    );
    let recorded = folder.read("z.mcap");
    let shown = physim(&folder, &["verify", "physim.ron", "z.mcap", "--threads", "1"]).exits(2).stdout();
    assert_eq!(verdicts(&shown)[..2], ["failed", "failed"], "{shown}");
    assert_eq!(folder.read("z.mcap.before"), recorded);
}

#[test]
fn a_golden_is_read_as_it_was_when_programs_that_run_at_once_write_it() {
    // The golden of the second is half written all the time that it runs; before it ends, it is whole again.
    let half = "while [ ! -e started ]; do sleep 0.01; done; head -c 30 now.log > b.log; touch half; while [ ! -e read ]; do sleep 0.01; done; cp keep b.log; touch whole; cat a.log";
    let slow = "touch started; while [ ! -e half ]; do sleep 0.01; done; cat keep; touch read; while [ ! -e whole ]; do sleep 0.01; done";
    let folder = two_programs(half, slow);
    folder.write("keep", LOG);
    let shown = physim(&folder, &["verify", "physim.ron", "--threads", "2"]).exits(0).stdout();
    assert_eq!(verdicts(&shown)[..2], ["same", "same"], "{shown}");
    // One that is left half written is damaged by a program, and not to be taken from its source.
    let folder = two_programs(
        "while [ ! -e started ]; do sleep 0.01; done; head -c 30 now.log > b.log; touch half; cat a.log",
        "touch started; while [ ! -e half ]; do sleep 0.01; done; cat now.log",
    );
    let shown = physim(&folder, &["verify", "physim.ron", "--threads", "2"]).exits(2).stdout();
    assert_eq!(verdicts(&shown)[1], "failed", "{shown}");
    assert!(
        shown.contains("by it, by one that ran at the same time, or by somebody else") && !shown.contains("damaged"),
        "{shown}"
    );
    assert_eq!(folder.read("b.log.before"), LOG.as_bytes());
}

/// What has no end, or waits for a writer, is not read for that.
#[test]
fn a_pipe_or_a_device_in_place_of_the_golden_is_not_read() {
    for deed in ["mkfifo a.log", "ln -s /dev/zero a.log"] {
        let folder = logs(LOG);
        folder.write("b.log", LOG);
        let line = format!("rm a.log; {deed}; cat b.log");
        let shown = physim(&folder, &["verify", "--no-new", "--exec", &line, "a.log"]).exits(2).stdout();
        assert!(
            shown.starts_with("failed") && shown.contains("its golden a.log was written while the program ran"),
            "{shown}"
        );
        assert_eq!(folder.read("a.log.before"), LOG.as_bytes(), "{deed}");
    }
}

/// A program that empties the folder of temporary files has done nothing to its golden, nor to those of others.
#[test]
fn a_program_that_empties_the_folder_of_temporary_files_is_held_to_the_golden_as_it_was() {
    let in_folder = |folder: &Folder, words: &[&str]| {
        std::fs::create_dir(folder.path("t")).expect("a folder");
        let ran = command(folder, words).env("TMPDIR", folder.path("t")).output().expect("physim runs");
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    let folder = logs(LOG);
    let shown = in_folder(&folder, &["verify", "--no-new", "--exec", "cat a.log; rm -rf t/*", "a.log"]);
    assert_eq!(verdicts(&shown)[0], "same", "{shown}");
    let folder = two_programs("rm -rf t/*; cat a.log", "cat b.log");
    let shown = in_folder(&folder, &["verify", "--no-new", "physim.ron"]);
    assert_eq!(verdicts(&shown)[..2], ["same", "same"], "{shown}");
    // What it then does to a golden is seen, and the golden is there to be put back.
    let folder = two_programs("rm -rf t/*; cat a.log; cp now.log b.log", "cat now.log");
    let shown = in_folder(&folder, &["verify", "--no-new", "physim.ron"]);
    assert_eq!(verdicts(&shown)[..2], ["failed", "failed"], "{shown}");
    assert_eq!(folder.read("b.log.before"), LOG.as_bytes(), "{shown}");
}

/// The copies of goldens have no names: nothing of them is left, however a run is ended.
#[test]
fn a_run_that_is_killed_leaves_nothing_among_the_temporary_files() {
    let folder = logs(LOG);
    std::fs::create_dir(folder.path("t")).expect("a folder");
    let words = ["verify", "--no-new", "--exec", "cat a.log; ls t > listed; kill -9 $PPID; sleep 0.1", "a.log"];
    let ran = command(&folder, &words).env("TMPDIR", folder.path("t")).output().expect("physim runs");
    assert_eq!(ran.status.code(), None, "killed: {ran:?}");
    assert_eq!((folder.read("listed"), left_in(&folder.path("t"))), (Vec::new(), 0));
}

fn left_in(folder: &std::path::Path) -> usize {
    std::fs::read_dir(folder).expect("a folder").count()
}
