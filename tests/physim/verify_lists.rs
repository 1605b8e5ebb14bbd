//! Lists of programs (`physim.ron`), the example of a guarded engine, and the workflow for CI.

#![cfg(unix)]

use std::path::Path;

use crate::common::package;
use crate::support::folder::Folder;
use crate::support::program::{Ran, physim, search_path};
use crate::verify_programs::{LOG, logs};

/// The example program of somebody else's engine, which is built with the tests.
fn toy() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_physim"));
    program.with_file_name("examples").join("lockstep_toy").display().to_string()
}

/// The example of a guarded engine, with its program where the tests have it and other arguments.
fn example(change: impl Fn(String) -> String) -> Folder {
    let folder = Folder::new();
    let of_example =
        |name: &str| std::fs::read_to_string(package().join("examples/guarded").join(name)).expect("a file");
    folder.write("toy.log", of_example("toy.log"));
    let list = of_example("physim.ron").replace("../../target/debug/examples/lockstep_toy", &toy());
    folder.write("physim.ron", change(list));
    folder
}

#[test]
fn the_guarded_example_holds() {
    let folder = example(|list| list);
    let ran = physim(&folder, &["verify", "."]).exits(0);
    assert_eq!(
        ran.stdout(),
        "same             plain        log    40 steps\nsame             rolled back  log    40 steps\n2 passed, 0 failed\n"
    );
    assert_eq!(folder.names(), ["physim.ron", "toy.log"]);
}

/// A long comment before it, another name, or an end that was lost make a list no scene.
#[test]
fn a_list_is_known_by_its_keys_however_long_it_is() {
    let folder = example(|list| list);
    let list = std::fs::read_to_string(folder.path("physim.ron")).expect("the list");
    folder.write("all.ron", format!("/*{}*/\n{list}", "long ".repeat(20_000)));
    physim(&folder, &["verify", "all.ron"]).exits(0);
    folder.write("cut.ron", &list[..list.len() - 3]);
    let ran = physim(&folder, &["verify", "cut.ron"]).exits(2);
    assert!(ran.stderr.contains("cut.ron") && !ran.stderr.contains("scene, not a replay"), "{}", ran.stderr);
}

/// Who opens a pipe waits for somebody to write into it.
#[test]
fn a_pipe_in_a_folder_is_no_replay() {
    let folder = Folder::new();
    let made = std::process::Command::new("mkfifo").arg(folder.path("x.mcap")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    let ran = physim(&folder, &["verify", "."]).exits(2);
    assert!(ran.stderr.contains("there is no replay"), "{}", ran.stderr);
}

#[test]
fn the_race_of_the_example_is_found_and_named() {
    let folder = example(|list| list.replacen(", \"--sorted\"", "", 1));
    // Two orders of three terms may give the same sum: one run in many comes out as recorded, so it is made several times.
    let ran = physim(&folder, &["verify", "physim.ron", "--repeat", "8", "--format", "json"]).exits(1);
    let line: serde_json::Value = serde_json::from_str(ran.stdout().lines().next().expect("a line")).expect("JSON");
    assert_eq!((&line["verdict"], &line["repeats"]), (&"diverged".into(), &false.into()), "{line}");
    assert_eq!((&line["program"], &line["replay"]), (&"plain".into(), &"toy.log".into()), "{line}");
    let first = &line["first"];
    // In step 33 a unit has three others in reach for the first time.
    assert!(first["step"].as_u64().is_some_and(|step| (33..=40).contains(&step)), "{line}");
    assert!(first["object"].as_str().is_some_and(|object| object.starts_with("unit ")), "{line}");
    assert!(first["a"]["bits"] != first["b"]["bits"] && first["a"]["bits"].is_string(), "{line}");
    let notes = line["notes"].to_string();
    assert!(
        notes.contains("it does not repeat: runs 1 and ") && notes.contains(" differ from each other at step "),
        "{notes}"
    );
    assert!(notes.contains("next: physim bisect --exec ") && notes.contains("--axis repeat=20"), "{notes}");
    assert_eq!(folder.names(), ["physim.ron", "toy.log"], "no golden is made of a race");
    assert!(ran.stdout().contains("\"verdict\":\"same\""), "the other holds: {}", ran.stdout());
}

#[test]
fn the_restore_bug_of_the_example_is_found_and_named() {
    let folder = example(|list| list.replace(", \"--exact-saves\"", ""));
    let ran = physim(&folder, &["verify", "."]).exits(1);
    insta::assert_snapshot!(ran.stdout().replace(&toy(), "lockstep_toy"));
    assert_eq!(folder.names(), ["physim.ron", "toy.log"], "the golden is that of another program");
}

#[test]
fn a_list_says_what_is_wrong_with_it_at_its_place() {
    let folder = logs(LOG);
    let entry = "(name: \"a\", exec: \"cat now.log\", golden: \"a.log\")";
    for (text, complaint) in [
        ("", "the list of programs is empty"),
        ("[]", "a list of programs is a list of keys in parentheses"),
        ("(programs: [])", "does not say its format version"),
        ("(version: 2, programs: [])", "this version of the format is not supported"),
        ("(version: 1, programs: [])", "there are 0 programs"),
        ("(version: 1, programs: [(name: \"a\", exec: \"b\", golden: \"c\", arg: [])])", "unknown key `arg`"),
        ("(version: 1, programs: [(name: \"a\", exec: \"b\")])", "missing key `golden`"),
        ("(version: 1, programs: [(name: \"a\", exec: 7, golden: \"c\")])", "wrong kind of value for `exec`"),
        ("(version: 1, programs: [(name: \"a\", exec: \" \", golden: \"c\")])", "`exec` is empty"),
        ("(version: 1, programs: [(name: \"a\", exec: \"b\", golden: \"c\", time_limit: 0)])", "`time_limit` is 0"),
        (&format!("(version: 1, programs: [{entry}, {entry}])"), "two programs are called \"a\""),
        ("(version: 1, programs: [", "the text ends too early"),
    ] {
        folder.write("physim.ron", text);
        let ran = physim(&folder, &["verify", "."]).exits(2);
        assert!(ran.stderr.contains(complaint) && ran.stdout().is_empty(), "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains("physim.ron"), "{text}: {}", ran.stderr);
    }
    folder.write(
        "physim.ron",
        format!("(\n    version: 1,\n    programs: [\n        {},\n    ],\n)", entry.replace("golden", "gold")),
    );
    insta::assert_snapshot!(physim(&folder, &["verify", "physim.ron"]).exits(2).stderr);
}

#[test]
fn programs_of_a_list_run_in_its_folder_with_their_arguments_as_they_are() {
    let folder = Folder::new();
    folder.write("game/a.log", LOG);
    folder.write("game/it's b.log", LOG);
    folder.write(
        "game/physim.ron",
        "(version: 1, programs: [
            (name: \"shell\", exec: \"cat a.log | cat\", golden: \"a.log\"),
            (name: \"words\", exec: \"cat\", args: [\"it's b.log\"], golden: \"a.log\"),
            (name: \"slow\", exec: \"sleep 30\", golden: \"a.log\", time_limit: 1),
            (name: \"other\", exec: \"sed s/c3/c9/ a.log\", golden: \"a.log\"),
            (name: \"lost\", exec: \"no-such-program\", args: [], golden: \"a.log\"),
        ])",
    );
    let ran = physim(&folder, &["verify", "game", "--new-dir", "out"]).exits(2);
    let verdicts: Vec<String> = ran
        .stdout()
        .lines()
        .filter(|line| !line.starts_with(' ') && !line.is_empty())
        .map(|line| line.split("  ").next().unwrap_or("").to_owned())
        .collect();
    assert_eq!(verdicts, ["same", "same", "failed", "diverged", "failed", "2 passed, 3 failed"], "{}", ran.stdout());
    assert!(ran.stdout().contains("and was ended; give it longer with its `time_limit`"), "{}", ran.stdout());
    assert!(ran.stdout().contains("cannot start no-such-program"), "{}", ran.stdout());
    assert!(folder.path("out/game/a.log.other.new").is_file(), "it is not the golden's own");
    folder.write("game/b.log", LOG);
    let mine = physim(&folder, &["verify", "game", "--format", "github"]).exits(2).stdout();
    assert!(mine.contains("::error file=game/a.log,title=physim verify%3A other%3A diverged::"), "{mine}");
}

#[test]
fn the_workflow_of_the_page_does_what_it_says() {
    let page = std::fs::read_to_string(package().join("docs/cli.md")).expect("the page");
    let lines: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("      - run: ")).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    for (now, statuses) in [(LOG.to_owned(), [0, 0, 0]), (LOG.replace("c3", "c4"), [0, 1, 0])] {
        let folder = logs(&now);
        folder.write(
            "physim.ron",
            "(version: 1, programs: [(name: \"game\", exec: \"cat now.log\", golden: \"a.log\")])",
        );
        // Whatever builds the engine.
        folder.write("bin/cmake", "#!/bin/sh\n");
        let made = std::process::Command::new("chmod").arg("+x").arg(folder.path("bin/cmake")).status();
        assert!(made.expect("chmod").success());
        let path =
            std::env::join_paths(std::iter::once(folder.path("bin")).chain(std::env::split_paths(&search_path())));
        let path = path.expect("a search path");
        let mut shown = Vec::new();
        for (line, status) in lines.iter().zip(statuses) {
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", line]).current_dir(folder.root()).env("PATH", &path).env("CI", "true");
            let ran: Ran = shell.output().expect("a shell").into();
            shown.push(ran.exits(status).stdout());
        }
        let (diverged, report) = (statuses[1] == 1, String::from_utf8(folder.read("report.xml")).expect("a text"));
        assert_eq!(report.contains("<failure "), diverged, "{report}");
        assert_eq!(
            shown[2].contains("::error file=a.log,title=physim verify%3A game%3A diverged::"),
            diverged,
            "{shown:?}"
        );
        assert_eq!(folder.path("new/a.log.new").is_file(), diverged);
        assert!(!folder.path("a.log.new").exists());
    }
}

/// Who reads a report knows a test case by its class and name.
#[test]
fn programs_of_one_name_in_two_lists_are_two_test_cases() {
    let folder = logs(LOG);
    folder.write("both/a.log", LOG);
    let program = "(version: 1, programs: [(name: \"level 1\", exec: \"cat a.log\", golden: \"a.log\")])";
    for list in ["both/physim.ron", "both/second.ron", "physim.ron"] {
        folder.write(list, program);
    }
    let report =
        physim(&folder, &["verify", "both", "both/second.ron", "physim.ron", "--format", "junit"]).exits(0).stdout();
    for list in ["both/physim.ron", "both/second.ron", "physim.ron"] {
        let case = format!("<testcase name=\"level 1\" classname=\"physim.verify {list}\" time=");
        assert_eq!(report.matches(&case).count(), 1, "{report}");
    }
}
