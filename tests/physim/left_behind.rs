//! What a command that was ended from outside leaves among the temporary files, the next one removes.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::support::folder::Folder;
use crate::support::program::command;

/// The search for the smallest file that a command needs, with its temporary files in `tmp`.
fn search(folder: &Folder, test: &str, output: &str) -> Command {
    let mut command =
        command(folder, &["minimize", "commands.txt", "--test", test, "--expect", "1", "-o", output, "--force"]);
    command.env("TMPDIR", folder.path("tmp")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
fn the_folder_of_a_search_that_was_ended_is_removed_by_the_next() {
    for (signal, kept) in [("TERM", false), ("KILL", false), ("TERM", true)] {
        let folder = Folder::new();
        folder.write("commands.txt", (0..40).map(|line| format!("{line}\n")).collect::<String>());
        std::fs::create_dir(folder.path("tmp")).expect("a folder");
        // The test says that it runs and then waits. Between the fork and its program, the child still holds the lock of the
        // search: the next search takes a folder that lost its process there for one in use.
        let runs = folder.path("runs");
        let test = format!(": > '{0}'; while [ -e '{0}' ]; do sleep 0.1; done; ! grep -q 17 {{}}", runs.display());
        let mut ended = search(&folder, &test, "ended.txt").spawn().expect("it starts");
        let left = folder.path(&format!("tmp/physim-minimize-{}-0", ended.id()));
        for _ in 0..600 {
            if runs.is_file() {
                break;
            }
            sleep(Duration::from_millis(50));
        }
        let killed = Command::new("kill").args(["-s", signal, &ended.id().to_string()]).status();
        assert!(killed.is_ok_and(|status| status.success()), "kill");
        assert_eq!(ended.wait().expect("it ends").code(), None, "a signal ended it");
        assert!(left.join("candidate.txt").is_file(), "what it leaves is in its folder");
        if kept {
            folder.write(&format!("tmp/physim-minimize-{}-0/notes.txt", ended.id()), "not physim's");
        }
        let next = search(&folder, "! grep -q 17 {}", "next.txt").status().expect("it starts");
        assert!(next.success(), "{next}");
        let names = std::fs::read_dir(folder.path("tmp")).expect("a folder").flatten();
        let names: Vec<_> = names.map(|entry| entry.path()).collect();
        assert_eq!(names, if kept { vec![left] } else { vec![] }, "{signal}");
    }
}
