//! `physim accept` of hash logs: what it says, and what it refuses.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;

use crate::support::folder::Folder;
use crate::support::program::{Ran, physim};
use crate::verify_programs::{LOG, logs};

fn accept(folder: &Folder, words: &[&str]) -> Ran {
    physim(folder, &[&["accept"], words].concat())
}

/// A log of three steps with an object each.
fn full() -> String {
    let object = "\",\"objects\":[{\"name\":\"ball\",\"fields\":{\"x\":1}},{\"name\":\"box\",\"fields\":{\"x\":2}}]}\n";
    LOG.replace("\"}\n", object)
}

#[test]
fn a_new_golden_that_tells_less_is_said_to() {
    let folder = logs(LOG);
    folder.write("a.log", full());
    physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(1);
    let ran = accept(&folder, &["a.log"]).exits(2);
    let said = "\n  warning: it no longer tells the objects of step 0 (3 checkpoints in all)\n";
    assert!(ran.stdout().contains(said), "{}", ran.stdout());
    assert_eq!(ran.stdout().matches("tells").count(), 1, "it is said once: {}", ran.stdout());
    assert_eq!(folder.read("a.log"), full().as_bytes(), "nobody agreed");
    let ran = accept(&folder, &["a.log", "--yes", "--reason", "less", "--format", "json"]).exits(0);
    assert_eq!(ran.json()["less"], serde_json::json!(["the objects of step 0 (3 checkpoints in all)"]));
    // Beside a difference too, and not where more is told.
    folder.write("a.log.new", full().replace("b2", "b3"));
    let ran = accept(&folder, &["a.log", "--yes", "--reason", "more"]).exits(0);
    assert!(!ran.stdout().contains("no longer"), "{}", ran.stdout());
    folder.write("a.log.new", full().replace(",{\"name\":\"box\",\"fields\":{\"x\":2}}", ""));
    let ran = accept(&folder, &["a.log"]).exits(2).stdout();
    assert!(ran.contains("first difference at step 0, object box"), "{ran}");
    assert!(ran.contains("it no longer tells object box of step 0 (3 checkpoints in all)"), "{ran}");
}

#[test]
fn without_a_terminal_the_command_for_these_files_is_proposed() {
    let folder = logs(&LOG.replace("c3", "c4"));
    folder.write("other.log", LOG);
    for name in ["a.log", "other.log"] {
        physim(&folder, &["verify", "--exec", "cat now.log", name]).exits(1);
    }
    let ran = accept(&folder, &["other.log"]).exits(2);
    assert!(ran.stderr.ends_with("accept it with physim accept --yes --reason TEXT other.log\n"), "{}", ran.stderr);
    let ran = accept(&folder, &["a.log", "other.log"]).exits(2);
    assert!(ran.stderr.ends_with("accept all of them with physim accept --yes --reason TEXT a.log other.log\n"));
}

#[test]
fn a_reason_does_nothing_to_whoever_reads_it() {
    let folder = logs(LOG);
    folder.write("a.log.new", LOG.replace("c3", "c4"));
    accept(&folder, &["a.log", "--yes", "--reason", "red \u{1b}[31m\u{202e}\nand more"]).exits(0);
    let golden = String::from_utf8(folder.read("a.log")).expect("a text");
    assert!(golden.starts_with("# reason: red \\u{1b}[31m\\u{202e} and more\n{"), "{golden}");
}

/// It would be cut where it is shown, and within the line of a golden.
#[test]
fn a_reason_that_is_no_sentence_any_more_is_refused() {
    let folder = logs(LOG);
    folder.write("a.log.new", LOG.replace("c3", "c4"));
    let ran = accept(&folder, &["a.log", "--yes", "--reason", &"x".repeat(1001)]).exits(2);
    assert!(ran.stderr.contains("expected a sentence of at most 1000 bytes, this has 1001"), "{}", ran.stderr);
    accept(&folder, &["a.log", "--yes", "--reason", &"x".repeat(1000)]).exits(0);
    assert!(folder.read("a.log").starts_with(format!("# reason: {}\n", "x".repeat(1000)).as_bytes()));
}

#[test]
fn a_golden_that_is_a_link_and_a_new_result_that_is_a_folder_say_what_to_do() {
    let folder = logs(&LOG.replace("c3", "c4"));
    std::fs::create_dir(folder.path("real")).expect("a folder");
    std::fs::rename(folder.path("a.log"), folder.path("real/a.log")).expect("renamed");
    std::os::unix::fs::symlink("real/a.log", folder.path("a.log")).expect("a link");
    let verified = physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(1).stdout();
    let ran = accept(&folder, &["a.log", "--yes", "--reason", "c4"]).exits(2);
    let next = ran.stderr.split_once("to replace what it leads to: ").expect("the next step").1.trim_end();
    let advice = verified.split_once("a.log.new, and the golden is a link to ").expect("advice").1;
    assert!(advice.contains(&format!("; to make it the golden: {next}\n")), "{verified}");
    let next = next.replace("physim accept", "physim accept --yes --reason c4");
    let ran = std::process::Command::new("sh")
        .args(["-c", &next])
        .env("PATH", crate::support::program::search_path())
        .current_dir(folder.root())
        .output()
        .expect("a shell");
    assert!(ran.status.success(), "{next}: {ran:?}");
    assert!(folder.read("a.log").ends_with(b"\"c4\"}\n"), "the link leads to the new golden");
    std::fs::create_dir(folder.path("b.log.new")).expect("a folder");
    folder.write("b.log", LOG);
    let ran = accept(&folder, &["b.log"]).exits(2);
    assert!(ran.stderr.contains("b.log.new is a folder, no new result; rename it"), "{}", ran.stderr);
    let ran = physim(&folder, &["verify", "--exec", "cat now.log", "b.log"]).exits(1).stdout();
    assert!(ran.contains("b.log.new is not written: b.log.new is a folder; rename it"), "{ran}");
}

/// PowerShell's `Out-File -Encoding utf8` puts the mark of the encoding (U+FEFF) before the text: it neither hides the first line nor stays in
/// the middle of a golden, behind the reason.
#[test]
fn the_mark_of_an_encoding_breaks_no_golden() {
    let now = LOG.replace("b2", "b3");
    let marked = |text: &str| format!("\u{feff}{text}");
    let reason = ["--yes", "--reason", "marked"];
    let folder = logs(&marked(&now));
    physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(1);
    accept(&folder, &[&["a.log"], &reason[..]].concat()).exits(0);
    assert_eq!(String::from_utf8_lossy(&folder.read("a.log")), format!("# reason: marked\n{now}"));
    // Made by hand, both the golden and its new result.
    folder.write("b.log", marked(LOG));
    folder.write("b.log.new", marked(&now));
    accept(&folder, &[&["b.log"], &reason[..]].concat()).exits(0);
    assert_eq!(String::from_utf8_lossy(&folder.read("b.log")), format!("# reason: marked\n{now}"));
    for golden in ["a.log", "b.log"] {
        physim(&folder, &["verify", "--exec", "cat now.log", golden]).exits(0);
    }
}

/// There is no `--force` and no other name: what to do is said in words that `accept` has.
#[test]
fn a_golden_of_another_kind_is_refused_with_what_to_do() {
    let folder = logs(LOG);
    folder.write("a.log.new", LOG.replace("b2", "b3"));
    for (name, text) in [("a.log", format!("banner\n{LOG}")), ("a.log.partial", "notes\n".to_owned())] {
        folder.write(name, &text);
        let ran = accept(&folder, &["a.log", "--yes", "--reason", "why not"]).exits(2);
        assert!(
            ran.stderr.contains(&format!("{name} is not a hash log: rename or delete it, and accept again")),
            "{}",
            ran.stderr
        );
        assert!(!ran.stderr.contains("--force"), "{}", ran.stderr);
        assert_eq!(folder.read(name), text.as_bytes());
        folder.write("a.log", LOG);
    }
    std::fs::remove_file(folder.path("a.log.partial")).expect("removed");
    accept(&folder, &["a.log", "--yes", "--reason", "now"]).exits(0);
}

#[test]
fn a_golden_keeps_who_may_read_it() {
    for mode in [0o600, 0o640] {
        let folder = logs(LOG);
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(folder.path("a.log"), permissions).expect("its owner may");
        folder.write("a.log.new", LOG.replace("b2", "b3"));
        accept(&folder, &["a.log", "--yes", "--reason", "now"]).exits(0);
        let now = std::fs::metadata(folder.path("a.log")).expect("it is there").permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&now) & 0o777, mode);
    }
}

#[test]
fn a_new_result_that_is_a_pipe_is_named_so() {
    let folder = logs(LOG);
    let made = std::process::Command::new("mkfifo").arg(folder.path("a.log.new")).status();
    assert!(made.expect("mkfifo").success());
    let ran = accept(&folder, &["a.log", "--yes", "--reason", "now"]).exits(2);
    assert!(ran.stderr.contains("a.log.new is a pipe or a device, no new result"), "{}", ran.stderr);
}

/// Whether there is a new result is not known where it may not be looked for: that is no reason to say that there is none.
#[test]
fn a_new_result_that_may_not_be_looked_for_is_unreadable() {
    let folder = logs(LOG);
    let list = "(version: 1, programs: [(name: \"a\", exec: \"cat\", args: [\"a.log\"], golden: \"locked/a.log\")])";
    folder.write("physim.ron", list);
    folder.write("locked/a.log", LOG);
    // A link that leads to itself is as little known, to the superuser too.
    std::os::unix::fs::symlink("a.log.new", folder.path("locked/a.log.new")).expect("a link");
    let unreadable = |words: &[&str]| {
        let ran = accept(&folder, words).exits(3);
        let is_told = ran.stderr.contains("locked/a.log.new: ") && !ran.stderr.contains("there is no");
        assert!(is_told, "{words:?}: {ran:#?}");
    };
    let all: [&[&str]; 3] = [&["locked/a.log"], &["locked/a.log.new"], &["physim.ron"]];
    all.into_iter().for_each(unreadable);
    std::fs::remove_file(folder.path("locked/a.log.new")).expect("a link");
    folder.write("locked/a.log.new", LOG.replace("c3", "c4"));
    std::fs::set_permissions(folder.path("locked"), PermissionsExt::from_mode(0o000)).expect("a mode");
    if std::fs::metadata(folder.path("locked/a.log")).is_err() {
        all.into_iter().for_each(unreadable);
    }
    std::fs::set_permissions(folder.path("locked"), PermissionsExt::from_mode(0o755)).expect("a mode");
}
