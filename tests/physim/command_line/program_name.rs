//! Commands that are proposed name this very program, and run as they are printed.

#![cfg(unix)]

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Output};

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, search_path};
use crate::support::scenes::FLIGHT;

const PROGRAM: &str = env!("CARGO_BIN_EXE_physim");
/// Where a shell finds its own tools, and no physim.
const TOOLS: &str = "/usr/bin:/bin";

/// A folder with a scene, and with an older build that the shell would find by the name of `physim`.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("flight.ron", FLIGHT);
    folder.write("older/physim", "#!/bin/sh\necho an older build\nexit 42\n");
    std::fs::set_permissions(folder.path("older/physim"), PermissionsExt::from_mode(0o755)).expect("a program");
    folder
}

/// What `next:` says.
fn next_of(output: Output) -> String {
    let said = Ran::from(output).exits(0).stdout();
    let line = said.lines().find_map(|line| line.strip_prefix("next: ")).expect("something to do next");
    line.to_owned()
}

/// Runs a line as it was printed.
fn paste(folder: &Folder, line: &str, path: &OsStr) -> i32 {
    let shell = Command::new("/bin/sh").args(["-c", line]).current_dir(folder.root()).env("PATH", path).output();
    Ran::from(shell.expect("a shell")).status
}

#[test]
fn a_program_that_is_not_on_the_search_path_proposes_itself_by_its_path() {
    let folder = folder();
    let older = format!("{}:{TOOLS}", folder.path("older").display());
    for path in [TOOLS, older.as_str()] {
        let run = command(&folder, &["run", "flight.ron", "-o", "a.mcap"]).env("PATH", path).output();
        let next = next_of(run.expect("it runs"));
        assert_eq!(next, format!("{PROGRAM} verify a.mcap"));
        assert_eq!(paste(&folder, &next, OsStr::new(path)), 0, "{next}");
    }
    assert_eq!(paste(&folder, "physim verify a.mcap", OsStr::new(&older)), 42, "the name alone leads to another build");
}

#[test]
fn a_program_on_the_search_path_proposes_its_plain_name() {
    let folder = folder();
    let next = next_of(command(&folder, &["run", "flight.ron", "-o", "a.mcap"]).output().expect("it runs"));
    assert_eq!(next, "physim verify a.mcap");
    assert_eq!(paste(&folder, &next, &search_path()), 0);
}

#[test]
fn a_path_that_it_was_started_by_is_kept_and_quoted() {
    let folder = folder();
    for (link, shown) in [("./mine", "./mine"), ("./my own", "'./my own'")] {
        symlink(PROGRAM, folder.path(link)).expect("a link");
        let mut run = Command::new(link);
        run.args(["run", "flight.ron", "-o", "a.mcap"]).current_dir(folder.root()).env("PATH", TOOLS);
        let next = next_of(run.output().expect("it runs"));
        assert_eq!(next, format!("{shown} verify a.mcap"));
        assert_eq!(paste(&folder, &next, OsStr::new(TOOLS)), 0, "{next}");
    }
}

#[test]
fn every_command_proposes_itself() {
    let folder = folder();
    let physim = |arguments: &[&str]| {
        let output = command(&folder, arguments).env("PATH", TOOLS).output().expect("it runs");
        let ran = Ran::from(output);
        format!("{}{}", ran.stdout(), ran.stderr)
    };
    physim(&["run", "flight.ron", "-o", "a.mcap"]);
    let fault = "ulp@7,object=ball,field=position.x";
    physim(&["run", "flight.ron", "-o", "b.mcap", "--fault", fault]);
    let bound = "ulp@7,object=ball,field=position.x,only=threads";
    for (arguments, proposal) in [
        (&["run", "flight.ron"][..], "run flight.ron -o flight.mcap"),
        (&["trace", "a.mcap", "--steps", "3"], "diff a.trace OTHER.trace"),
        (&["bisect", "a.mcap", "b.mcap"], "minimize a.mcap b.mcap"),
        (&["bisect", "flight.ron", "--axis", "threads=1,2", "--fault", bound], "minimize flight.ron --test"),
        (&["bisect", "flight.ron", "a.mcap"], "bisect flight.ron --axis threads=1,2"),
        (&["diff", "flight.ron", "a.mcap"], "run SCENE -o REPLAY"),
        (&["stress", "flight.ron", "--only", "threads", "--fault", bound], "bisect flight.ron --axis threads="),
    ] {
        let said = physim(arguments);
        assert!(said.contains(&format!("{PROGRAM} {proposal}")), "{arguments:?}: {said}");
        let bare = said.replace(&format!("{PROGRAM} "), "").contains("physim ");
        assert!(!bare, "{arguments:?} proposes another program too: {said}");
    }
}
