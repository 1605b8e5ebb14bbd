//! Streams: colours, pipes that close, standard output that is full.

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim};
use crate::support::scenes::FLIGHT;

const ESCAPE_CODE: &str = "\x1b[";

fn recorded() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder.write("wrong.ron", "(version: 1)");
    physim(&folder, &["run", "flight.ron", "-o", "a.mcap"]).exits(0);
    folder
}

#[test]
fn a_pipe_gets_no_colours_unless_they_are_asked_for() {
    let folder = recorded();
    for arguments in [["verify", "a.mcap"].as_slice(), &["run", "flight.ron"], &["check", "wrong.ron"], &["--help"]] {
        let plain = physim(&folder, arguments);
        assert!(!plain.stdout().contains(ESCAPE_CODE) && !plain.stderr.contains(ESCAPE_CODE), "{plain:?}");
        let never = physim(&folder, &[arguments, &["--color", "never"]].concat());
        assert!(!never.stdout().contains(ESCAPE_CODE) && !never.stderr.contains(ESCAPE_CODE), "{never:?}");
    }
    let coloured = physim(&folder, &["verify", "a.mcap", "--color", "always"]).exits(0);
    assert!(coloured.stdout().contains(ESCAPE_CODE));
    let coloured = physim(&folder, &["check", "wrong.ron", "--color=always"]).exits(2);
    assert!(coloured.stderr.contains(ESCAPE_CODE));
    physim(&folder, &["verify", "a.mcap", "--color", "pink"]).exits(2);
}

#[test]
fn the_flag_wins_over_the_environment() {
    let folder = recorded();
    let with = |variable: &str, arguments: &[&str]| -> Ran {
        command(&folder, arguments).env(variable, "1").output().expect("the program starts").into()
    };
    assert!(with("CLICOLOR_FORCE", &["verify", "a.mcap"]).stdout().contains(ESCAPE_CODE));
    assert!(with("NO_COLOR", &["verify", "a.mcap", "--color", "always"]).stdout().contains(ESCAPE_CODE));
    let both = command(&folder, &["verify", "a.mcap"]).env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").output();
    let both: Ran = both.expect("the program starts").into();
    assert!(!both.stdout().contains(ESCAPE_CODE), "NO_COLOR wins: {both:?}");
}

#[test]
fn machine_formats_are_never_coloured() {
    let folder = recorded();
    for arguments in [
        ["verify", "a.mcap", "--format", "json"].as_slice(),
        &["verify", "a.mcap", "--format", "junit"],
        &["run", "flight.ron", "--format", "json"],
        &["show", "a.mcap", "--format", "csv"],
        &["diff", "a.mcap", "a.mcap", "--format", "json"],
    ] {
        let ran = physim(&folder, &[arguments, &["--color", "always"]].concat()).exits(0);
        assert!(!ran.stdout().contains(ESCAPE_CODE), "{arguments:?}");
    }
}

/// Runs the program with a standard output that nobody reads.
fn with_closed_output(folder: &Folder, arguments: &[&str]) -> Ran {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    command(folder, arguments).stdout(writer).output().expect("the program starts").into()
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = recorded();
    for arguments in [
        ["show", "a.mcap"].as_slice(),
        &["show", "a.mcap", "--body", "ball", "--format", "csv"],
        &["verify", "a.mcap"],
        &["check", "flight.ron"],
        &["completions", "bash"],
        &["--help"],
        &["run", "flight.ron"],
    ] {
        let ran = with_closed_output(&folder, arguments);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }
    // A verdict does not get better because nobody reads it.
    let mut damaged = folder.read("a.mcap");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    folder.write("b.mcap", damaged);
    assert_eq!(with_closed_output(&folder, &["verify", "b.mcap"]).status, 3);
}

#[test]
fn a_replay_whose_reader_leaves_ends_the_run_without_a_word() {
    let folder = recorded();
    let ran = with_closed_output(&folder, &["run", "flight.ron", "-o", "-"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (2, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = recorded();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    for arguments in [["show", "a.mcap"].as_slice(), &["run", "flight.ron", "-o", "-"], &["--help"]] {
        let ran: Ran = command(&folder, arguments).stdout(full()).output().expect("the program starts").into();
        assert_eq!(ran.status, 2, "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("No space left on device"), "{arguments:?}: {ran:?}");
    }
}
