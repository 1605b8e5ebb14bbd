//! `physim bisect --exec`: any program that prints a hash log, and every way in which one can fail to.

#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim};

const LOG: &str = r#"{"step":0,"hash":"a1"}\n{"step":1,"hash":"b2"}\n{"step":2,"hash":"c3"}\n"#;

fn exec(folder: &Folder, command: &str, words: &[&str]) -> Ran {
    physim(folder, &[&["bisect", "--exec", command], words].concat())
}

/// The example program of somebody else's engine, which is built with the tests.
fn toy() -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_physim"));
    let toy = program.with_file_name("examples").join("lockstep_toy");
    assert!(toy.is_file(), "{}: cargo builds it with the tests", toy.display());
    toy.display().to_string()
}

#[test]
fn the_bug_of_the_toy_is_found_and_named() {
    let folder = Folder::new();
    // In step 33 a unit has three others in reach for the first time: before, no order can change a sum.
    let json = exec(&folder, &toy(), &["--axis", "repeat=30", "--format", "json"]).exits(1).json();
    let first = &json["first"];
    assert_eq!((&first["step"], &first["object"]), (&33.into(), &"unit 7".into()), "{json}");
    assert!(first["field"].as_str().is_some_and(|field| field.starts_with("velocity")), "{json}");
    assert!(json["notes"][0].as_str().is_some_and(|note| note.contains("with nothing changed: a race")), "{json}");
    assert_eq!(json["runs"], 30, "the others may part earlier");
    let sorted = format!("{} --sorted", toy());
    let ran = exec(&folder, &sorted, &["--axis", "repeat=5"]).exits(0);
    assert!(ran.stdout().ends_with("same: 5 conditions agree at every step (5 runs)\n"), "{}", ran.stdout());
}

#[test]
fn values_of_axes_stand_in_the_command_and_the_smallest_set_is_found() {
    let folder = Folder::new();
    let command = format!(
        "printf '{LOG}'; if [ {{a}}{{b}} = 22 ]; then echo '{{\"step\":3,\"hash\":\"d5\"}}'; else echo \
         '{{\"step\":3,\"hash\":\"d4\"}}'; fi"
    );
    let json = exec(&folder, &command, &["--axis", "a=1,2", "--axis", "b=1,2,3", "--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["step"], &json["runs"]), (&3.into(), &8.into()), "{json}");
    assert_eq!(json["repeats"]["runs"], 4, "the baseline was run again before the axes were blamed: {json}");
    assert_eq!(json["smallest"][0]["axis"], "a");
    assert_eq!(json["smallest"][1]["to"], "2");
    assert!(json["notes"][0].as_str().is_some_and(|note| note.contains("no object can be named")), "{json}");
}

#[test]
fn commands_can_be_compared_with_each_other() {
    let folder = Folder::new();
    let (a, b) = (format!("echo hello; printf '{LOG}'"), format!("printf '{LOG}' | sed s/c3/C4/"));
    let ran = exec(&folder, &a, &["--exec", &b]).exits(1);
    insta::assert_snapshot!(ran.stdout());
    exec(&folder, &a, &["--exec", &b.replace("C4", "C3")]).exits(0);
}

#[test]
fn a_command_with_steps_in_it_is_asked_for_more() {
    let folder = Folder::new();
    folder.write("drop.ron", crate::support::scenes::DROP);
    let tool = env!("CARGO_BIN_EXE_physim");
    let command = format!("{tool} run drop.ron --hash-log - --trace {{from}}..{{to}} --states --fault gather@{{at}}");
    let json = exec(&folder, &command, &["--axis", "at=40,33", "--format", "json"]).exits(1).json();
    let first = &json["first"];
    assert_eq!((&first["step"], &first["stage"]), (&33.into(), &"narrow_phase".into()), "{json}");
    // Both contacts, and the geometry of both.
    assert_eq!((&first["section"], &first["objects"]), (&"contacts".into(), &4.into()), "{json}");
    // A program that goes another way when it is asked for more is compared with itself.
    let command = format!("printf '{LOG}' | sed s/c3/{{from}}{{x}}/");
    let json = exec(&folder, &command, &["--axis", "x=1,2", "--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["step"], &json["smallest"][0]["to"]), (&2.into(), &"2".into()), "{json}");
    let notes = json["notes"].to_string();
    assert!(notes.contains("x=1 run once more for more detail gives another hash in step 2"), "{json}");
    assert!(notes.contains("what is named is of two further runs"), "{json}");
}

#[test]
fn what_the_first_runs_show_is_told_where_a_run_for_more_fails() {
    let folder = Folder::new();
    let command = format!("if [ {{from}} -gt 0 ]; then echo oops >&2; exit 7; fi; printf '{LOG}' | sed s/c3/c{{x}}/");
    let ran = exec(&folder, &command, &["--axis", "x=1,2"]).exits(1).stdout();
    assert!(ran.contains("diverged at step 2: a is x=1, b is x=2"), "{ran}");
    let note = "so that only the first runs were compared: x=1: the command ended with exit status 7; the last line on stderr: oops";
    assert!(ran.contains(note), "{ran}");
    exec(&folder, &command, &["--axis", "x=1,2", "--bisect-exit"]).exits(1);
}

#[test]
fn a_command_that_tells_little_does_not_make_two_others_agree() {
    let folder = Folder::new();
    folder.write("hashes.log", LOG.replace("\\n", "\n"));
    for (name, hash) in [("one.log", "1"), ("two.log", "2")] {
        let staged = format!("{{\"step\":1,\"stage\":\"solve\",\"hash\":\"{hash}\"}}\n{{\"step\":1,");
        folder.write(name, LOG.replace("\\n", "\n").replace("{\"step\":1,", &staged));
    }
    let with = |files: &str, status| {
        exec(&folder, "cat {log}.log", &["--axis", &format!("log={files}")]).exits(status).stdout()
    };
    let ran = with("hashes,one,two", 1);
    assert!(ran.contains("diverged at step 1: a is log=one, b is log=two") && ran.contains("stage  solve"), "{ran}");
    assert!(ran.contains("log=one and log=two each agree with log=hashes, which tells less than they do"), "{ran}");
    with("hashes,one,one", 0);
    with("hashes,one", 0);
}

/// A command that counts its runs in a file, and prints another log in every second.
fn every_second() -> String {
    format!("n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; printf '{LOG}' | sed s/b2/$((n % 2))/")
}

#[test]
fn no_axis_is_blamed_where_the_baseline_does_not_repeat() {
    let folder = Folder::new();
    let command = format!(": {{threads}}; {}", every_second());
    let json = exec(&folder, &command, &["--axis", "threads=1,2", "--format", "json"]).exits(1).json();
    assert_eq!((&json["verdict"], &json["smallest"]), (&"diverged".into(), &serde_json::Value::Null), "{json}");
    let differing = serde_json::json!([{"run": 3, "step": 1}]);
    let repeats =
        serde_json::json!({"condition": "threads=1", "how": "across_processes", "runs": 4, "differing": differing});
    assert_eq!(json["repeats"], repeats, "{json}");
    let ran = exec(&folder, &every_second(), &["--axis", "repeat=4"]).exits(1);
    insta::assert_snapshot!(ran.stdout());
}

#[test]
fn a_log_that_ends_early_parts_where_it_ends() {
    let folder = Folder::new();
    let command = format!("printf '{LOG}' | head -n {{lines}}");
    let json = exec(&folder, &command, &["--axis", "lines=3,2", "--format", "json"]).exits(1).json();
    assert_eq!(json["first"]["step"], 2);
    assert_eq!(json["notes"][0], "lines=2 ends before step 2, lines=3 goes on");
}

#[test]
fn whatever_a_program_does_wrong_is_said_with_its_condition() {
    let folder = Folder::new();
    for (command, complaint) in [
        ("echo why >&2; exit 3", "repeat=1: the command ended with exit status 3; the last line on stderr: why"),
        (&format!("printf '{LOG}'; exit 4"), "repeat=1: the command ended with exit status 4"),
        ("/no/such/engine", "repeat=1: the command ended with exit status 127"),
        ("kill -SEGV $$", "repeat=1: the command crashed: it was ended by signal 11"),
        ("sleep 30", "repeat=1: the command still ran after 1 s and was ended; give it longer with --time-limit"),
        ("echo hello; echo world", "no checkpoint of a run in it among 2 other lines"),
        ("printf '\\377\\000\\200'", "no checkpoint of a run in it"),
        ("true", "repeat=1: its output: no checkpoint of a run in it"),
        ("echo '{\"step\":0}'", "line 1: a checkpoint without hash, sections or objects"),
        ("echo '{\"stop\":0,\"hash\":\"1\"}'", "line 1: column"),
        ("printf '{\"step\":1,\"hash\":\"1\"}\\n{\"step\":0,\"hash\":\"1\"}\\n'", "step 0 after step 1"),
    ] {
        let ran = exec(&folder, command, &["--axis", "repeat=2", "--time-limit", "1"]).exits(2);
        assert!(ran.stdout().is_empty() && ran.stderr.contains(complaint), "{command}: {}", ran.stderr);
        exec(&folder, command, &["--axis", "repeat=2", "--time-limit", "1", "--bisect-exit"]).exits(125);
    }
    assert!(folder.names().is_empty(), "nothing is left behind");
}

#[test]
fn the_second_condition_is_named_where_it_fails() {
    let folder = Folder::new();
    let command = format!("printf '{LOG}'; exit {{status}}");
    let ran = exec(&folder, &command, &["--axis", "status=0,5"]).exits(2);
    assert!(ran.stderr.starts_with("error: status=5: the command ended with exit status 5"), "{}", ran.stderr);
}

#[test]
fn wrong_axes_of_commands() {
    let folder = Folder::new();
    for (words, complaint) in [
        (&[][..], "one condition only: nothing to compare; add --axis repeat=20"),
        (&["--axis", "seed=1,2"], "there is no {seed} in the command"),
        (&["--axis", "repeat"], "expected one whole number from 2"),
        (&["--axis", "threads"], "it needs two values at least"),
        (&["--axis", "from=1,2"], "this name has a meaning of its own"),
        (&["--axis", "repeat=2", "--axis", "repeat=3"], "the axis is given twice"),
        (&["scene.ron", "--axis", "repeat=2"], "cannot be used with"),
        (&["--axis", "repeat=2", "--steps", "3"], "cannot be used with"),
        (&["--axis", "repeat=2", "--time-limit", "0"], "--time-limit"),
    ] {
        let ran = exec(&folder, "true {threads}", words).exits(2);
        assert!(ran.stdout().is_empty() && ran.stderr.contains(complaint), "{words:?}: {}", ran.stderr);
    }
}

/// Whether something becomes true within some seconds.
fn soon(is_true: &dyn Fn() -> bool) -> bool {
    (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(25));
        is_true()
    })
}

/// Whether this process was started with interrupts ignored, as a shell does in the background: so are then those that it starts.
fn are_interrupts_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
fn what_was_started_ends_with_physim_however_that_ends() {
    let folder = Folder::new();
    for signal in ["KILL", "INT", "TERM"] {
        if signal == "INT" && are_interrupts_ignored() {
            continue; // physim would run on to its time limit of a minute
        }
        // By what it does and not by its number: what has ended keeps that until somebody asks how it did.
        let line = format!("(for i in $(seq 2000); do echo >> {signal}; sleep 0.1; done) & sleep 300; wait");
        let beats = || std::fs::metadata(folder.path(signal)).map_or(0, |file| file.len());
        let mut child = command(&folder, &["bisect", "--exec", &line, "--axis", "repeat=2"]).spawn().expect("physim");
        assert!(soon(&|| beats() > 1), "the command starts");
        let sent = Command::new("kill").args([&format!("-{signal}"), "--", &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        child.wait().expect("physim ends");
        let is_still = || {
            let before = beats();
            std::thread::sleep(Duration::from_millis(700));
            beats() == before
        };
        assert!(soon(&is_still), "what was started outlived physim after {signal}");
    }
}
