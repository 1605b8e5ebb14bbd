//! What `physim verify` says of names and arguments, and what it calls what it shows.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim, search_path};
use crate::verify_programs::{LOG, logs};

/// Verifies what a command prints.
fn verify(folder: &Folder, command: &str, words: &[&str]) -> Ran {
    physim(folder, &[&["verify", "--exec", command], words].concat())
}

#[test]
fn a_golden_that_only_lenient_reading_takes_is_replaced_by_what_verify_left() {
    let folder = logs(&LOG.replace("b2", "b3"));
    folder.write("hb.log", format!("engine 1.2 starts\n{LOG}"));
    let accept = ["accept", "--yes", "--reason", "b is 3", "hb.log"];
    // What somebody else put there is no word for it that a text is a log.
    folder.write("hb.log.new", LOG.replace("b2", "b3"));
    let ran = physim(&folder, &accept).exits(2);
    assert!(ran.stderr.contains("hb.log is not a hash log: rename or delete it"), "{}", ran.stderr);
    std::fs::remove_file(folder.path("hb.log.new")).expect("removed");
    let ran = verify(&folder, "cat now.log", &["hb.log", "--lenient"]).exits(1).stdout();
    assert!(ran.contains("to make it the golden: physim accept hb.log"), "{ran}");
    physim(&folder, &accept).exits(0);
    assert_eq!(folder.read("hb.log"), format!("# reason: b is 3\n{}", LOG.replace("b2", "b3")).as_bytes());
    verify(&folder, "cat now.log", &["hb.log"]).exits(0);
}

/// What is proposed to be typed is typed into `sh`, and means the file with this very name.
#[cfg(target_os = "linux")]
#[test]
fn commands_that_are_proposed_mean_goldens_whose_names_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    for name in [&b"caf\xe9.log"[..], b"it's \xff 100%d{from}.log", b"-\xfe\\n.log", b"`x`$y\"\xff.log"] {
        let folder = logs(&LOG.replace("b2", "b3"));
        let (name, golden) = (OsStr::from_bytes(name), folder.root().join(OsStr::from_bytes(name)));
        std::fs::write(&golden, LOG).expect("a name of this file system");
        let sh = |line: &str| {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).env("PATH", search_path()).env_remove("CI").current_dir(folder.root());
            Ran::from(shell.output().expect("there is a shell"))
        };
        let verify = |line: &str| {
            let ran = command(&folder, &["verify", "--exec", line, "--"]).arg(name).output();
            Ran::from(ran.expect("physim runs")).exits(1).stdout()
        };
        let proposed = |told: &str, before: &str| {
            let lines = told.lines().find_map(|line| line.split_once(before)).map(|(_, command)| command.to_owned());
            lines.unwrap_or_else(|| panic!("{before}: {told}"))
        };
        // A race: the search for it fills in the same name.
        let race = "echo x >> runs; grep -q . {golden} && sed s/a1/$(wc -l < runs)/ now.log # {from} {to}";
        let search = proposed(&verify(race), "next: ");
        sh(&search).exits(1);
        let accept = proposed(&verify("cat now.log"), "to make it the golden: ");
        sh(&format!("{accept} --yes --reason b3")).exits(0);
        let now = std::fs::read(&golden).expect("the golden");
        assert_eq!(now, format!("# reason: b3\n{}", LOG.replace("b2", "b3")).as_bytes(), "{accept}");
        std::fs::write(&golden, LOG).expect("the golden is written");
        let failed = command(&folder, &["verify", "--exec", "test -e {golden} && exit 7", "--"]).arg(name).output();
        let by_itself = proposed(&Ran::from(failed.expect("physim runs")).exits(2).stdout(), "by itself to see more: ");
        sh(&by_itself).exits(7);
    }
}

#[test]
fn a_path_that_ends_as_that_of_a_folder_is_no_file() {
    let folder = logs(LOG);
    for name in ["newdir/", "newdir/.", "a.log/", "none/newdir/"] {
        let ran = verify(&folder, "echo run >> runs; cat now.log", &[name]).exits(2);
        let said = format!("there is no folder {name}; make it first");
        assert!(ran.stderr.contains(&said) && ran.stdout().is_empty(), "{name}: {}", ran.stderr);
        let ran = verify(&folder, "echo run >> runs; cat now.log", &["a.log", "--output", &format!("text:{name}")]);
        let said = format!("--output text:{name}: there is no folder {name}; make it first, and name a file in it");
        assert!(ran.stderr.contains(&said), "{name}: {}", ran.exits(2).stderr);
    }
    folder.write("physim.ron", "(version: 1, programs: [(name: \"a\", exec: \"cat now.log\", golden: \"newdir/\")])");
    let ran = physim(&folder, &["verify", "physim.ron"]).exits(2);
    assert!(ran.stderr.contains("there is no folder newdir/; make it first"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["a.log", "now.log", "physim.ron"], "nothing is run and nothing is made");
}

#[test]
fn results_of_an_earlier_run_do_not_outlast_one_that_ends_early() {
    let folder = logs(LOG);
    let outputs = ["--output", "junit:report.xml", "--output", "text:all.txt"];
    let run = |command: &str, golden: &str| verify(&folder, command, &[&[golden, "--no-new"], &outputs[..]].concat());
    run("cat now.log", "a.log").exits(0);
    assert!(folder.path("report.xml").exists() && folder.path("all.txt").exists());
    // While a program runs, be verify ended then or not.
    run("ls report.xml all.txt > there 2> /dev/null; cat now.log", "a.log").exits(0);
    assert_eq!(folder.read("there"), b"");
    // Where nothing is run.
    run("cat now.log", "none/a.log").exits(2);
    assert!(!folder.path("report.xml").exists() && !folder.path("all.txt").exists());
    // What others wrote stays, whatever happens.
    folder.write("all.txt", "my notes");
    run("cat now.log", "none/a.log").exits(2);
    run("cat now.log", "a.log").exits(2);
    assert_eq!(folder.read("all.txt"), b"my notes");
}

/// A program that tells another value in each run, of what the golden does not tell or where there is none.
#[test]
fn two_runs_of_a_program_are_not_called_recorded() {
    let counted = "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; sed \"s/c3\\\"/c3\\\",\\\"objects\\\":[{\\\"name\\\":\\\"ball\\\",\\\"fields\\\":{\\\"x\\\":$n}}]/\" keep";
    for (golden, repeat, status) in [("a.log", "2", 1), ("b.log", "1", 2)] {
        let folder = logs(LOG);
        folder.write("keep", LOG);
        let shown = verify(&folder, counted, &[golden, "--repeat", repeat, "--no-new"]).exits(status).stdout();
        let value = |label: &str, value: &str| {
            shown
                .lines()
                .any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") == format!("{label} {value}"))
        };
        assert!(value("first run", "1") && value("run 2", "2") && !shown.contains("recorded "), "{golden}: {shown}");
    }
}

#[test]
fn small_things_are_called_what_they_are() {
    let folder = logs(LOG);
    folder.write("physim.ron", "(version: 1, programs: [(name: \"a\", exec: \"cat now.log\", golden: \"a.log\")])");
    // A list is no scene.
    let shown = verify(&folder, "cat now.log", &["physim.ron"]).exits(3).stdout();
    assert!(shown.contains("it is a list of programs") && shown.contains("`physim verify physim.ron`"), "{shown}");
    assert!(!shown.contains("scene"), "{shown}");
    // One golden under two names is one.
    let shown = verify(&folder, "cat now.log", &["a.log", "./a.log"]).exits(0).stdout();
    assert!(shown.ends_with("1 passed, 0 failed\n"), "{shown}");
    // Goldens are goldens in an empty part too.
    for shard in ["hash:1/2", "hash:2/2"] {
        let shown = verify(&folder, "cat now.log", &["a.log", "--shard", shard]).exits(0).stdout();
        assert!(shown.contains("of 1 goldens)"), "{shown}");
    }
    // What cannot be seen in a command is written so that a shell reads it as what it was.
    let shown = verify(&folder, "echo '\u{1}' > seen; exit 3", &["a.log"]).exits(2).stdout();
    let line = shown.lines().find_map(|line| line.trim().strip_prefix("run it by itself to see more: "));
    let line = line.expect("a proposal").to_owned();
    assert!(line.starts_with("eval $'"), "{line}");
    std::fs::remove_file(folder.path("seen")).expect("removed");
    let ran = std::process::Command::new("bash").args(["-c", &line]).current_dir(folder.root()).status();
    assert_eq!((ran.expect("bash").code(), folder.read("seen")), (Some(3), b"\x01\n".to_vec()), "{line}");
}

/// What is there and cannot be read is not called missing, and a link that leads nowhere is no place for a golden.
#[test]
fn a_golden_that_cannot_be_looked_at_is_not_called_missing() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = logs(LOG);
    for (name, target) in [("dangling.log", "nowhere.log"), ("loop.log", "loop.log")] {
        symlink(target, folder.path(name)).expect("a link");
        let list = format!("(version: 1, programs: [(name: \"p\", exec: \"echo run >> runs\", golden: \"{name}\")])");
        folder.write("physim.ron", list);
        for words in [&["verify", "--exec", "echo run >> runs; cat now.log", name][..], &["verify", "physim.ron"]] {
            let ran = physim(&folder, words).exits(2);
            let said = format!("{name} is a link to {target} that leads to no file");
            assert!(ran.stderr.contains(&said), "{words:?}: {}", ran.stderr);
        }
    }
    // A name that is too long for the file system: whether there is such a file cannot be known.
    let long = format!("{}.log", "x".repeat(300));
    let shown = verify(&folder, "echo run >> runs; cat now.log", &[&long]).exits(3).stdout();
    assert!(shown.starts_with("unreadable ") && !shown.contains("no golden"), "{shown}");
    assert!(!folder.path("runs").exists());
    assert_eq!(folder.names(), ["a.log", "dangling.log", "loop.log", "now.log", "physim.ron"]);
    folder.write("locked/a.log", LOG);
    std::fs::set_permissions(folder.path("locked"), PermissionsExt::from_mode(0o000)).expect("a mode");
    if std::fs::metadata(folder.path("locked/a.log")).is_err() {
        // The superuser may read everything.
        let ran = verify(&folder, "echo run >> runs; cat now.log", &["locked/a.log"]);
        assert!(ran.stdout().starts_with("unreadable "), "{ran:?}");
        ran.exits(3);
    }
    std::fs::set_permissions(folder.path("locked"), PermissionsExt::from_mode(0o755)).expect("a mode");
}

#[test]
fn what_is_left_alone_in_a_folder_is_named() {
    let folder = logs(LOG);
    folder.write("other/b.log", LOG);
    folder.write("other/b.log.new", LOG.replace("c3", "c4"));
    folder.write("set/a.log", LOG);
    folder.write("set/a.log.new", LOG.replace("c3", "c4"));
    std::os::unix::fs::symlink("../other", folder.path("set/linked")).expect("a link");
    for pipe in ["set/p.log", "set/p.log.new", "set/p"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path(pipe)).status();
        assert!(made.is_ok_and(|status| status.success()));
    }
    let linked = "set/linked is a link to a folder, which is not followed: name it too, where it is meant";
    let pipe = "is a pipe or a device, no plain file: it was passed over";
    let ran = verify(&folder, "cat now.log", &["set", "--no-new"]).exits(0);
    let told = |ran: &Ran, name: &str| ran.stderr.contains(linked) && ran.stderr.contains(&format!("{name} {pipe}"));
    assert!(told(&ran, "set/p.log") && ran.stderr.lines().count() == 2, "{}", ran.stderr);
    assert!(ran.stdout().ends_with("1 passed, 0 failed\n"), "{}", ran.stdout());
    let ran = physim(&folder, &["accept", "set", "--yes", "--reason", "c4"]).exits(0);
    assert!(told(&ran, "set/p.log.new") && ran.stderr.lines().count() == 2, "{}", ran.stderr);
    assert!(folder.path("other/b.log.new").exists());
    // Where that is all there is.
    for command in [&["verify", "--exec", "cat now.log", "set"][..], &["verify", "set"], &["accept", "set"]] {
        std::fs::remove_file(folder.path("set/a.log")).unwrap_or_default();
        let ran = physim(&folder, command).exits(2);
        assert!(ran.stderr.contains("there is no ") && ran.stderr.contains(linked), "{command:?}: {}", ran.stderr);
    }
}
