//! The new results of programs: when one is left beside a golden log, when it is taken away, and what `accept` refuses.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim, search_path};
use crate::verify_programs::{LOG, logs};

/// Prints another log from the third run on; `n` counts.
const THIRD: &str = "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; if [ $n -ge 3 ]; then sed s/c3/c9/ now.log; else cat now.log; fi";

fn accept(folder: &Folder, path: &str) -> Ran {
    physim(folder, &["accept", "--yes", "--reason", "why not", path])
}

#[test]
fn the_first_golden_is_run_as_often_as_is_asked() {
    let folder = logs(LOG);
    std::fs::remove_file(folder.path("a.log")).expect("removed");
    let ran = physim(&folder, &["verify", "--exec", THIRD, "a.log"]).exits(2).stdout();
    assert!(ran.contains("it repeats: 2 runs are equal") && folder.path("a.log.new").is_file(), "{ran}");
    std::fs::remove_file(folder.path("n")).expect("removed");
    let ran = physim(&folder, &["verify", "--exec", THIRD, "a.log", "--repeat", "5"]).exits(2).stdout();
    assert!(
        ran.contains("it does not repeat, so no golden is made of it: shown is how run 3 differs from the first"),
        "{ran}"
    );
    assert!(ran.contains("of 6 runs, runs 1 and 2 are equal; runs 3 to 6 are equal"), "{ran}");
    assert_eq!(folder.read("n"), b"6\n");
    // What the earlier run left is no golden of a race.
    assert!(ran.contains("a.log.new is of an earlier run, and the program does not repeat: it was removed"), "{ran}");
    assert!(!folder.path("a.log.new").exists());
    // So of each program of a list, and where all runs are equal.
    let program =
        |name: &str| format!("(name: \"{name}\", exec: \"echo x >> {name}.n; cat now.log\", golden: \"{name}.log\")");
    folder.write("physim.ron", format!("(version: 1, programs: [{}, {}])", program("b"), program("c")));
    let ran = physim(&folder, &["verify", ".", "--repeat", "4"]).exits(2).stdout();
    assert_eq!((folder.read("b.n"), folder.read("c.n")), (b"x\nx\nx\nx\n".to_vec(), b"x\nx\nx\nx\n".to_vec()));
    assert_eq!(ran.matches("it repeats: 4 runs are equal").count(), 2, "{ran}");
}

#[test]
fn what_does_not_repeat_leaves_nothing_that_could_be_accepted() {
    let folder = logs(&LOG.replace("b2", "b3"));
    folder.write("race.sh", "sed s/b3/$$/ now.log");
    let verify = |words: &[&str]| {
        physim(&folder, &[&["verify", "--exec", "sh race.sh", "a.log"], words].concat()).exits(1).stdout()
    };
    // An earlier run that differed and repeated left this.
    physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(1);
    assert!(folder.path("a.log.new").is_file());
    let ran = verify(&["--no-new"]);
    assert!(ran.contains("a.log.new is of an earlier run, and the program does not repeat: delete it"), "{ran}");
    let ran = verify(&[]);
    assert!(ran.contains("a.log.new is of an earlier run, and the program does not repeat: it was removed"), "{ran}");
    assert!(accept(&folder, "a.log").exits(2).stderr.contains("a.log.new: there is no such file"));
    // In a folder for upload it has a name of its own, and an earlier result there goes too.
    physim(&folder, &["verify", "--exec", "cat now.log", "a.log", "--new-dir", "new"]).exits(1);
    assert!(folder.path("new/a.log.new").is_file());
    let ran = verify(&["--new-dir", "new"]);
    assert!(
        ran.contains("new/a.log.new is of an earlier run, and the program does not repeat: it was removed"),
        "{ran}"
    );
    assert!(ran.contains("what it printed this time is in new/a.log.race"), "{ran}");
    assert!(!folder.path("new/a.log.new").exists() && folder.path("new/a.log.race").is_file());
    let copied = std::process::Command::new("cp").args(["-r", "new/.", "."]).current_dir(folder.path(".")).status();
    assert!(copied.is_ok_and(|status| status.success()));
    assert!(accept(&folder, ".").exits(2).stderr.contains("there is no new result"));
    let ran: Ran = command(&folder, &["verify", "--exec", "sh race.sh", "a.log"])
        .env("CI", "1")
        .output()
        .expect("it starts")
        .into();
    let ran = ran.exits(1).stdout();
    assert!(ran.contains("it does not repeat") && !ran.contains("accept"), "{ran}");
}

#[test]
fn a_stale_new_result_is_taken_away_where_the_golden_holds() {
    let folder = logs(LOG);
    let other = LOG.replace("b2", "b3");
    folder.write("now.log", &other);
    physim(&folder, &["verify", "--exec", "cat now.log", "a.log"]).exits(1);
    folder.write("now.log", LOG);
    let with = |words: &[&str]| {
        physim(&folder, &[&["verify", "--exec", "cat now.log", "a.log"], words].concat()).exits(0).stdout()
    };
    for words in [&["--no-new"][..], &["--bisect-exit"], &["--new-dir", "new"]] {
        let ran = with(words);
        assert!(
            ran.contains("a.log.new is stale, for the golden holds: delete it") && folder.path("a.log.new").is_file(),
            "{ran}"
        );
    }
    let ran = with(&[]);
    assert!(ran.contains("a.log.new is stale, for the golden holds: it was removed"), "{ran}");
    assert_eq!(folder.names(), ["a.log", "new", "now.log"]);
    // One that was made by hand is nobody's to remove, and none is written in its place.
    folder.write("a.log.new", &other);
    let ran = with(&[]);
    assert!(ran.contains("a.log.new is stale, for the golden holds, but verify did not write it: delete it"), "{ran}");
    let ran = physim(&folder, &["verify", "--exec", "sed s/c3/c4/ now.log", "a.log"]).exits(1).stdout();
    assert!(
        ran.contains("a.log.new is there, and verify did not write it: accept it, or rename or delete it"),
        "{ran}"
    );
    assert_eq!(folder.read("a.log.new"), other.as_bytes());
    std::fs::remove_file(folder.path("a.log.new")).expect("removed");
    // Of two programs with one golden only the first has to do with its new result.
    let program = |name: &str, log: &str| format!("(name: \"{name}\", exec: \"cat {log}\", golden: \"a.log\")");
    folder.write("other.log", &other);
    folder.write(
        "physim.ron",
        format!("(version: 1, programs: [{}, {}])", program("b", "other.log"), program("c", "now.log")),
    );
    physim(&folder, &["verify", "physim.ron"]).exits(1);
    assert!(folder.path("a.log.new").is_file(), "the second holds, the first does not");
}

#[test]
fn a_new_result_of_another_golden_is_refused() {
    let folder = logs(&LOG.replace("b2", "b3"));
    let verify = |words: &[&str]| physim(&folder, &[&["verify", "--exec", "cat now.log", "a.log"], words].concat());
    verify(&[]).exits(1);
    let new = String::from_utf8(folder.read("a.log.new")).expect("a text");
    assert!(new.starts_with("# physim verify: the golden was ") && new.ends_with(&LOG.replace("b2", "b3")), "{new}");
    // A comment, or other ends of lines, make no other golden; another hash does.
    for (golden, refusal) in [
        (format!("# reason: none\r\n{}", LOG.replace('\n', "\r\n")), None),
        (LOG.replace("c3", "c4"), Some("it was made beside another golden log than a.log is now")),
    ] {
        folder.write("a.log", golden);
        let ran = physim(&folder, &["accept", "a.log"]).exits(2);
        match refusal {
            None => assert!(ran.stdout().contains("first difference at step 1"), "{}", ran.stdout()),
            Some(why) => assert!(ran.stderr.contains(why) && ran.stderr.contains("verify --exec"), "{}", ran.stderr),
        }
    }
    std::fs::remove_file(folder.path("a.log")).expect("removed");
    let ran = accept(&folder, "a.log").exits(2);
    assert!(ran.stderr.contains("it is the new result of another golden log, and there is no a.log"), "{}", ran.stderr);
    // The first one, while another one has become the golden.
    verify(&[]).exits(2);
    folder.write("a.log", LOG);
    let ran = accept(&folder, "a.log").exits(2);
    assert!(ran.stderr.contains("it was made when there was no golden a.log, and now there is one"), "{}", ran.stderr);
    // One that is accepted does not keep the line; one that was made by hand has none.
    verify(&[]).exits(1);
    accept(&folder, "a.log").exits(0);
    assert_eq!(folder.read("a.log"), format!("# reason: why not\n{}", LOG.replace("b2", "b3")).into_bytes());
    folder.write("a.log.new", LOG);
    accept(&folder, "a.log").exits(0);
    assert_eq!(folder.read("a.log"), format!("# reason: why not\n{LOG}").into_bytes());
}

#[test]
fn what_stands_in_the_name_of_a_golden_is_no_place() {
    let folder = logs(LOG);
    for name in ["{from}.log", "it's {to} {name}.log"] {
        folder.write(name, LOG);
        physim(&folder, &["verify", "--exec", "cat {golden}", name]).exits(0);
        let ran = physim(&folder, &["verify", "--exec", "sed s/b2/$$/ {golden}; : {from}", name]).exits(1).stdout();
        let next = ran.lines().find_map(|line| line.trim().strip_prefix("next: ")).expect("a command");
        assert!(ran.contains("asked for more of step 1") || ran.contains("does not repeat"), "{ran}");
        // The command that is proposed means the same file, and finds the race.
        let line = next.replacen("physim", env!("CARGO_BIN_EXE_physim"), 1).replace("repeat=20", "repeat=3");
        let line = line.replacen(&format!("{0} {0}", env!("CARGO_BIN_EXE_physim")), env!("CARGO_BIN_EXE_physim"), 1);
        let ran = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path("."))
            .output()
            .expect("a shell");
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        assert!(
            said.contains("does not repeat: equal runs differ at step 1"),
            "{line}: {said}{}",
            String::from_utf8_lossy(&ran.stderr)
        );
    }
}

#[test]
fn a_new_result_that_is_named_as_a_golden_says_what_to_name() {
    let folder = logs(&LOG.replace("b2", "b3"));
    let verify =
        |name: &str, status: i32| physim(&folder, &["verify", "--exec", "cat now.log", name]).exits(status).stdout();
    let ran = verify("a.log.new", 2);
    assert!(ran.contains("name the golden itself, a.log"), "{ran}");
    folder.write("a.log.new", LOG);
    let ran = verify("a.log.new", 1);
    assert!(
        ran.contains("a.log.new is a new result, not a golden: ")
            && ran.contains("accept a.log makes it the golden a.log"),
        "{ran}"
    );
    assert!(!folder.path("a.log.new.new").exists());
}

#[test]
fn a_run_that_fails_when_a_race_is_looked_at_is_told() {
    let folder = logs(LOG);
    folder.write("game.sh", "[ $1 -gt 0 ] && { echo oops >&2; exit 7; }; sed s/b2/$$/ a.log");
    let ran = physim(&folder, &["verify", "--exec", "sh game.sh {from} {to}", "a.log"]).exits(1).stdout();
    let said =
        "asked for more of step 1, it fails: the command ended with exit status 7; the last line on stderr: oops";
    assert!(ran.contains(said) && ran.contains("it does not repeat"), "{ran}");
    let ran = physim(&folder, &["verify", "--exec", "sh game.sh {from} {to}", "b.log"]).exits(2).stdout();
    assert!(ran.contains(said), "{ran}");
}

/// A golden outside of the working directory has its new result in a folder that says so, and the command that puts it beside the golden is
/// told; one that is inside has it where a copy of the folder brings it, whatever its path looks like.
#[test]
fn the_new_result_of_a_golden_outside_is_brought_there_by_the_command_that_is_told() {
    let folder = Folder::new();
    for inner in ["x y", "engine/goldens", "engine/x y"] {
        std::fs::create_dir_all(folder.path(inner)).expect("a folder");
    }
    let now = LOG.replace("b2", "b3");
    for golden in ["x y/g.log", "engine/x y/g.log", "engine/goldens/g.log"] {
        folder.write(golden, LOG);
    }
    folder.write("engine/now.log", &now);
    let engine = folder.path("engine");
    let inside = engine.join("goldens/g.log").display().to_string();
    let verify = |golden: &str| -> String {
        let words = ["verify", "--exec", "cat now.log", golden, "--new-dir", "new"];
        let ran: Ran = command(&folder, &words).current_dir(&engine).output().expect("it starts").into();
        ran.exits(1).stdout()
    };
    let ran = verify("../x y/g.log");
    let told = "cp 'new/outside-1/x y/g.log.new' '../x y/g.log.new' && physim accept '../x y/g.log'";
    assert!(ran.contains(&format!("to make it the golden: {told}")), "{ran}");
    // The same path within has a place of its own.
    verify("x y/g.log");
    verify(&inside);
    let shell = |line: &str| {
        let mut shell = std::process::Command::new("sh");
        let ran: Ran =
            shell.args(["-c", line]).env("PATH", search_path()).current_dir(&engine).output().expect("a shell").into();
        ran.exits(0);
    };
    shell(&format!("{told} --yes --reason moved"));
    shell("cp -r new/. . && physim accept goldens/g.log 'x y/g.log' --yes --reason copied");
    for golden in ["../x y/g.log", "x y/g.log", "goldens/g.log"] {
        shell(&format!("physim verify --exec 'cat now.log' '{golden}'"));
    }
}

#[test]
fn what_is_advised_can_be_done() {
    let folder = logs(LOG);
    // `accept` has no --lenient.
    for text in ["not a log\n", &format!("{LOG}not a log\n"), "{\"no\":\"step\"}\n"] {
        folder.write("a.log.new", text);
        let ran = accept(&folder, "a.log");
        assert!(!ran.stderr.contains("--lenient") && ran.stderr.contains("a.log.new, line "), "{}", ran.stderr);
    }
    std::fs::remove_file(folder.path("a.log.new")).expect("removed");
    // Only a new result can be accepted.
    folder.write("a.log.new.partial", "mine\n");
    let ran = physim(&folder, &["verify", "--exec", "sed s/c3/c4/ now.log", "a.log"]).exits(1).stdout();
    let said = "a.log.new.partial is there, and verify did not write it: rename or delete it";
    assert!(ran.contains(said), "{ran}");
    // What takes no standard output is not told to, and a folder is no replay.
    std::os::unix::fs::symlink("elsewhere", folder.path("link")).expect("a link");
    for output in ["json:link", "json:/dev/null", "json:."] {
        let ran = physim(&folder, &["verify", "--exec", "cat now.log", "a.log", "--output", output]).exits(2);
        assert!(!ran.stderr.contains("`-`") && !ran.stderr.contains("replay"), "{output}: {}", ran.stderr);
    }
    std::fs::create_dir(folder.path("dd")).expect("a folder");
    for output in ["junit:dd/", "junit:dd"] {
        let ran = physim(&folder, &["verify", "--exec", "cat now.log", "a.log", "--output", output]).exits(2);
        assert!(ran.stderr.contains("such as --output junit:dd/results\n"), "{}", ran.stderr);
    }
    for command in [&["export", "a.mcap", "-o", "dd"][..], &["plot", "a.mcap", "-o", "dd.svg"]] {
        folder.write("flight.ron", crate::support::scenes::FLIGHT);
        physim(&folder, &["run", "flight.ron", "-o", "a.mcap", "--force"]).exits(0);
        std::fs::create_dir_all(folder.path("dd.svg")).expect("a folder");
        let ran = physim(&folder, command).exits(2);
        assert!(!ran.stderr.contains("path of a replay"), "{command:?}: {}", ran.stderr);
    }
}
