//! Help, version, usage errors, completions and the manual.

use crate::support::folder::Folder;
use crate::support::program::physim;

#[test]
fn help_of_every_command() {
    let folder = Folder::new();
    let commands = [
        "",
        "run",
        "verify",
        "diff",
        "bisect",
        "trace",
        "ladder",
        "bench",
        "minimize",
        "show",
        "query",
        "accept",
        "check",
        "completions",
    ];
    for command in commands {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let ran = physim(&folder, &arguments).exits(0);
        assert_eq!(ran.stderr, "");
        assert!(ran.stdout().contains("Examples:"), "{command}");
        assert!(ran.stdout().lines().all(|line| line.chars().count() <= 100), "{command}: {}", ran.stdout());
        insta::assert_snapshot!(format!("help_{command}"), ran.stdout());
    }
}

#[test]
fn wrong_command_lines_exit_2_and_say_so_on_standard_error() {
    let folder = Folder::new();
    for arguments in [
        [].as_slice(),
        &["frobnicate"],
        &["run"],
        &["run", "a.ron", "b.ron"],
        &["run", "a.ron", "--frobnicate"],
        &["run", "a.ron", "--threads", "0"],
        &["run", "a.ron", "--threads", "257"],
        &["run", "a.ron", "--scalar", "f16"],
        &["run", "a.ron", "--steps", "-1"],
        &["run", "a.ron", "--steps", "1000000001"],
        &["run", "a.ron", "--keyframe-every", "0"],
        &["run", "a.ron", "--format", "csv"],
        &["verify", "a.mcap", "--format", "xml"],
        &["verify", "a.mcap", "--shard", "1/2"],
        &["completions", "cobol"],
        &["manual", "missing"],
    ] {
        let ran = physim(&folder, arguments).exits(2);
        assert!(ran.stdout().is_empty() && !ran.stderr.is_empty(), "{arguments:?}: {ran:?}");
    }
    for arguments in [["run", "a.ron", "--steps", "-1"], ["bench", "a.ron", "--rounds", "-2"]] {
        let said = physim(&folder, &arguments).exits(2).stderr;
        assert!(said.contains("invalid value '-") && said.contains("expected"), "{arguments:?}: {said}");
    }
}

#[test]
fn the_version_tells_what_decides_about_replays() {
    let folder = Folder::new();
    let ran = physim(&folder, &["--version"]).exits(0);
    let expected = format!(
        "physim {}\nreplay format {}\nsemantics {}\n",
        env!("CARGO_PKG_VERSION"),
        physim::replay::FORMAT_VERSION,
        physim::world::SEMANTICS_VERSION
    );
    assert_eq!(ran.stdout(), expected);
}

#[test]
fn completions_and_manual_pages() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = physim(&folder, &["completions", shell]).exits(0);
        assert!(ran.stdout().contains("keyframe-every"), "{shell}");
    }
    let ran = physim(&folder, &["manual", "."]).exits(0);
    assert_eq!(ran.stdout(), "");
    let names = folder.names();
    assert!(
        ["physim.1", "physim-run.1", "physim-verify.1"].iter().all(|page| names.contains(&(*page).to_owned())),
        "{names:?}"
    );
}
