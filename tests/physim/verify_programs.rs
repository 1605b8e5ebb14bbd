//! `physim verify --exec`: any program held to a golden hash log, and every way in which it can fail to be.

#![cfg(unix)]

use physim::replay::{read_strict, rewrite};

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim};
use crate::support::redact::without_seconds;

/// What the programs here print where nothing is wrong.
pub const LOG: &str = "{\"step\":0,\"hash\":\"a1\"}\n{\"step\":1,\"hash\":\"b2\"}\n{\"step\":2,\"hash\":\"c3\"}\n";

/// Verifies what a command prints.
fn verify(folder: &Folder, command: &str, words: &[&str]) -> Ran {
    physim(folder, &[&["verify", "--exec", command], words].concat())
}

/// The same where CI is set.
fn in_ci(folder: &Folder, words: &[&str]) -> Ran {
    command(folder, words).env("CI", "true").output().expect("the program starts").into()
}

/// A folder in which `cat now.log` is a program, held to `a.log`.
pub fn logs(now: &str) -> Folder {
    let folder = Folder::new();
    folder.write("a.log", LOG);
    folder.write("now.log", now);
    folder
}

/// A log that `verify` left, without its first line, which tells what it is.
pub fn without_origin(folder: &Folder, name: &str) -> String {
    let text = String::from_utf8(folder.read(name)).expect("a text");
    let (origin, log) = text.split_once('\n').expect("two lines");
    assert!(origin.starts_with("# physim verify: "), "{text}");
    log.to_owned()
}

#[test]
fn every_difference_from_the_golden_counts() {
    for (now, step, note) in [
        (LOG.replace("b2", "b3"), 1, "no object can be named"),
        (LOG.replace("{\"step\":2,\"hash\":\"c3\"}\n", ""), 2, "it ends after step 1, the recording goes on to step 2"),
        (format!("{LOG}{{\"step\":3,\"hash\":\"d4\"}}\n"), 3, "it goes on to step 3, the recording ends after step 2"),
        (
            LOG.replace("{\"step\":1,\"hash\":\"b2\"}\n", ""),
            1,
            "recorded checkpoints that it did not print: 1, the first of them step 1",
        ),
        (
            LOG.replace("\"hash\":\"b2\"", "\"sections\":{\"x\":\"1\"}"),
            1,
            "1 checkpoint could not be compared, in step 1",
        ),
    ] {
        let folder = logs(&now);
        let json = verify(&folder, "cat now.log", &["a.log", "--format", "json"]).exits(1).json();
        assert_eq!((&json["verdict"], &json["repeats"]), (&"diverged".into(), &true.into()), "{json}");
        assert_eq!(json["first"]["step"].as_i64(), Some(step), "{json}");
        assert!(json["notes"].to_string().contains(note), "{json}");
        assert_eq!((&json["new"], without_origin(&folder, "a.log.new")), (&"a.log.new".into(), now));
    }
    // What is more in each step is not another run; nor are other lines, or hexadecimal digits in capitals.
    let more = LOG
        .replace("{\"step\":1,", "{\"step\":1,\"stage\":\"solve\",\"hash\":\"1\"}\nhello\n{\"step\":1,")
        .replace("b2", "B2");
    let folder = logs(&more);
    let ran = verify(&folder, "cat now.log", &["a.log"]).exits(0);
    assert!(ran.stdout().contains("were not compared: 1"), "{}", ran.stdout());
    assert_eq!(folder.names(), ["a.log", "now.log"]);
}

#[test]
fn a_difference_for_people_and_for_each_kind_of_machine_from_one_run() {
    let text = "{\"step\":0,\"hash\":\"1\",\"objects\":[{\"name\":\"unit 1\",\"fields\":{\"x\":{\"value\":1.5,\"bits\":\"3fc00000\"}}}]}\n";
    let folder = Folder::new();
    folder.write("goldens/a.log", text);
    folder.write("now.log", text.replace("1.5", "1.75").replace("3fc", "3fe"));
    let outputs = [
        "--output",
        "junit:report.xml",
        "--output",
        "github:notes.txt",
        "--output",
        "json:all.json",
        "--output",
        "text:all.txt",
    ];
    // Each run is counted: two in all, whatever is written of them.
    let counted = "echo run >> runs; cat now.log";
    let ran = verify(&folder, counted, &[&["goldens", "--color", "always"], outputs.as_slice()].concat()).exits(1);
    assert_eq!(folder.read("runs"), b"run\nrun\n");
    let plain = verify(&folder, counted, &[&["goldens"], outputs.as_slice()].concat()).exits(1).stdout();
    assert!(ran.stdout().contains('\u{1b}') && !plain.contains('\u{1b}'));
    let read = |name: &str| String::from_utf8(folder.read(name)).expect("a text");
    assert_eq!(read("all.txt"), plain, "a file has no colours, and an earlier result is replaced");
    insta::assert_snapshot!(format!(
        "{plain}\n{}\n{}\n{}",
        without_seconds(&read("report.xml")),
        read("notes.txt"),
        without_seconds(&read("all.json"))
    ));
    // The same of replays.
    folder.write("flight.ron", crate::support::scenes::FLIGHT);
    physim(&folder, &["run", "flight.ron", "-o", "flight.mcap"]).exits(0);
    physim(&folder, &[&["verify", "flight.mcap"], outputs.as_slice()].concat()).exits(0);
    assert!(read("report.xml").contains("<testcase name=\"flight.mcap\" classname=\"physim.verify\" time=\""));
    assert_eq!(read("notes.txt"), "1 passed, 0 failed\n");
}

#[test]
fn two_outputs_that_are_one_file_and_files_of_others_are_refused_before_the_run() {
    let folder = logs(LOG);
    folder.write("notes.txt", "my own notes");
    std::fs::create_dir(folder.path("new")).expect("a folder");
    for (words, complaint) in [
        (
            &["--output", "junit:x.xml", "--output", "json:./x.xml"][..],
            "./x.xml cannot take both JUnit report and results as JSON",
        ),
        (&["--output", "junit:a.log.new"], "cannot take both JUnit report and the new result of a.log"),
        (
            &["--new-dir", "new", "--output", "json:new/a.log.new"],
            "cannot take both results as JSON and the new result of a.log",
        ),
        (&["--output", "text:a.log", "--force"], "a.log is what this command reads"),
        (&["--output", "text:notes.txt"], "notes.txt exists and is not a text report of physim verify"),
        (&["--output", "junit:none/x.xml"], "the folder none does not exist"),
        (&["--output", "xml:x.xml"], "expected FORMAT:FILE"),
        (&["--output", "junit:-"], "what goes to standard output is said by --format"),
        (&["--no-new", "--new-dir", "new"], "cannot be used with"),
        (&["--new-dir", "notes.txt"], "it is a file; name a folder"),
        (&["--new-dir", "fresh", "--output", "junit:./fresh"], "cannot take both new results and JUnit report"),
    ] {
        let ran = verify(&folder, "echo run >> runs; cat now.log", &[&["a.log"], words].concat()).exits(2);
        assert!(ran.stderr.contains(complaint) && ran.stdout().is_empty(), "{words:?}: {ran:#?}");
        assert!(!folder.path("runs").exists(), "{words:?}: nothing is run");
    }
    assert_eq!(folder.names(), ["a.log", "new", "notes.txt", "now.log"]);
    folder.write("list.ron", "(version: 1, programs: [(name: \"a\", exec: \"cat now.log\", golden: \"a.log\")])");
    let ran = physim(&folder, &["verify", "list.ron", "--output", "text:list.ron", "--force"]).exits(2);
    assert!(ran.stderr.contains("list.ron is what this command reads"), "{}", ran.stderr);
}

#[test]
fn what_came_out_is_left_in_a_folder_of_its_own_in_ci_and_told_in_full() {
    let objects = |step: u32, x: &str| {
        format!(
            "{{\"step\":{step},\"hash\":\"{x}\",\"objects\":[{{\"name\":\"u\",\"fields\":{{\"x\":{x},\"y\":{x}}}}},{{\"name\":\"v\",\"fields\":{{\"x\":{x}}}}}]}}\n"
        )
    };
    let log = |x: &str| format!("{}{}{}", objects(0, "1"), objects(1, x), objects(2, x));
    let folder = Folder::new();
    folder.write("goldens/a.log", log("2"));
    folder.write("now.log", log("3"));
    let run = ["verify", "--exec", "cat now.log", "goldens/a.log"];
    let bare = in_ci(&folder, &run).exits(1);
    assert!(bare.stdout().contains("how it spread"), "{}", bare.stdout());
    assert!(!folder.path("goldens/a.log.new").exists(), "CI leaves nothing beside goldens");
    let ran = in_ci(&folder, &[&run[..], &["--new-dir", "out", "--output", "junit:report.xml"]].concat()).exits(1);
    insta::assert_snapshot!(ran.stdout());
    assert_eq!(without_origin(&folder, "out/goldens/a.log.new"), log("3"));
    assert!(String::from_utf8_lossy(&folder.read("report.xml")).contains("how it spread"));
    // Copied over the folder in which it ran, it is there for `accept`.
    folder.write("goldens/a.log.new", folder.read("out/goldens/a.log.new"));
    physim(&folder, &["accept", "goldens", "--yes", "--reason", "x is 3"]).exits(0);
    verify(&folder, "cat now.log", &["goldens/a.log"]).exits(0);
}

#[test]
fn a_replay_leaves_its_run_in_the_folder_too() {
    let folder = Folder::new();
    folder.write("drop.ron", crate::support::scenes::DROP);
    std::fs::create_dir(folder.path("r")).expect("a folder");
    let fault = "ulp@7,object=ball,field=linear_velocity.y,ulps=-1000000";
    physim(&folder, &["run", "drop.ron", "-o", "r/drop.mcap", "--fault", fault]).exits(0);
    // As if another build had recorded it: nothing is left of the fault but what it did.
    let mut replay = read_strict(&folder.path("r/drop.mcap")).expect("a replay");
    replay.perturbations.clear();
    replay.ending.as_mut().expect("an ending").counters.remove("perturbations");
    rewrite(&replay, &folder.path("r/drop.mcap")).expect("written");
    let ran = in_ci(&folder, &["verify", "r/drop.mcap", "--new-dir", "out"]).exits(1);
    insta::assert_snapshot!(ran.stdout());
    assert!(folder.path("out/r/drop.mcap.new").is_file() && !folder.path("r/drop.mcap.new").exists());
    // Without the folder CI tells as much, and leaves nothing.
    let full = "at that checkpoint 2 objects differ, in these fields first";
    let bare = in_ci(&folder, &["verify", "r/drop.mcap"]).exits(1);
    assert!(bare.stdout().contains(full) && ran.stdout().contains(full), "{}", bare.stdout());
    assert_eq!(folder.names(), ["drop.ron", "out", "r"]);
    // At a desk it is short.
    let here = physim(&folder, &["verify", "r/drop.mcap", "--no-new"]).exits(1);
    assert!(!here.stdout().contains(full), "{}", here.stdout());
}

#[test]
fn the_first_golden_is_recorded_by_verify_and_accept() {
    let folder = logs(LOG);
    std::fs::remove_file(folder.path("a.log")).expect("removed");
    let ran = verify(&folder, "cat now.log", &["a.log"]).exits(2);
    insta::assert_snapshot!(ran.stdout());
    let shown = physim(&folder, &["accept", "--format", "json", "a.log"]).exits(2).stdout();
    let json: serde_json::Value = serde_json::from_str(shown.lines().next().expect("a line")).expect("JSON");
    assert_eq!((&json["verdict"], &json["counts"][0]["b"]), (&serde_json::Value::Null, &3.into()), "{json}");
    let ran = physim(&folder, &["accept", "--yes", "--reason", "the first\none"]).exits(0);
    insta::assert_snapshot!(ran.stdout());
    assert_eq!(folder.read("a.log"), format!("# reason: the first one\n{LOG}").into_bytes());
    verify(&folder, "cat now.log", &["a.log"]).exits(0);
    // A program that does not repeat itself has no golden.
    let ran = verify(&folder, "echo '{\"step\":0,\"hash\":\"'$$'\"}'", &["b.log", "--format", "json"]).exits(2);
    assert_eq!((&ran.json()["verdict"], &ran.json()["repeats"]), (&"failed".into(), &false.into()), "{}", ran.stdout());
    assert!(!folder.path("b.log.new").exists());
    // In CI nobody is there to accept it.
    let ran = in_ci(&folder, &["verify", "--exec", "cat now.log", "c.log"]).exits(2);
    let how = "to make one, verify it where CI is not set and no new result is ruled out, then: physim accept c.log";
    assert!(ran.stdout().contains(how), "{}", ran.stdout());
    assert!(!folder.path("c.log.new").exists());
}

#[test]
fn accepting_a_log_shows_what_changes_and_keeps_the_reason() {
    let folder = logs(&LOG.replace("c3", "c4"));
    folder.write("a.log", format!("# reason: the first\n{LOG}"));
    verify(&folder, "cat now.log", &["a.log"]).exits(1);
    let ran = physim(&folder, &["accept", "a.log", "--yes", "--reason", "gravity is right now"]).exits(0);
    insta::assert_snapshot!(ran.stdout());
    assert!(!folder.path("a.log.new").exists());
    let ran = verify(&folder, "cat now.log", &["a.log"]).exits(0);
    assert!(ran.stdout().starts_with("same "), "{}", ran.stdout());
    // One that tells the same, and one that is cut off.
    folder.write("a.log.new", LOG.replace("c3", "c4"));
    let ran = physim(&folder, &["accept", "a.log", "--yes", "--reason", "none"]).exits(2);
    assert!(ran.stderr.contains("the new result equals the golden"), "{}", ran.stderr);
    folder.write("a.log.new", &LOG[..LOG.len() - 4]);
    let ran = physim(&folder, &["accept", "a.log", "--yes", "--reason", "none"]).exits(3);
    assert!(ran.stderr.contains("a.log.new is damaged: cut off within line 3"), "{}", ran.stderr);
}

#[test]
fn whatever_a_program_does_wrong_is_said_with_what_to_do() {
    let folder = logs(LOG);
    for (command, complaint) in [
        ("true", "the command printed nothing to standard output; it has to print a line such as"),
        ("echo why >&2", "printed nothing to standard output; the last line on stderr: why"),
        ("echo hello", "its output: no checkpoint of a run in it among 1 other lines"),
        ("head -c 4000 /dev/urandom | tr -d '{'", "its output: no checkpoint of a run in it"),
        ("cat a.log; echo '{\"stop\":1}'", "its output, line 4: column 7: unknown field `stop`"),
        ("cat a.log; echo '{\"step\":0,\"hash\":\"1\"}'", "line 4: step 0 after step 2; steps must not go back"),
        ("cat a.log; printf '{\"step\":3,'", "its output is cut off within line 4"),
        ("cat a.log; echo why >&2; exit 3", "the command ended with exit status 3; the last line on stderr: why"),
        ("./none", "ended with exit status 127; the last line on stderr: "),
        ("cat a.log; kill -SEGV $$", "the command crashed: it was ended by signal 11"),
        ("cat a.log; sleep 30", "the command still ran after 1 s and was ended; give it longer with --time-limit"),
    ] {
        let run = [&["a.log", "--time-limit", "1"], &["--format", "json"][..]].concat();
        let json = verify(&folder, command, &run).exits(2).json();
        assert_eq!(json["verdict"], "failed", "{json}");
        let notes = json["notes"].as_array().expect("a list");
        assert!(notes[0].as_str().is_some_and(|note| note.contains(complaint)), "{command}: {json}");
        let next = format!("run it by itself to see more: {command}");
        assert_eq!(notes.last().expect("a note"), &next, "{json}");
        let text = verify(&folder, command, &run[..3]).exits(2).stdout();
        assert!(text.starts_with("failed "), "{text}");
        verify(&folder, command, &[&run[..3], &["--bisect-exit"]].concat()).exits(125);
    }
    assert_eq!(folder.names(), ["a.log", "now.log"], "nothing is left behind");
}

#[test]
fn what_a_program_printed_before_it_failed_is_compared_and_kept_for_ci() {
    let folder = logs(LOG);
    let crash = |text: &str| format!("printf '{}'; kill -KILL $$", text.replace('\n', "\\n"));
    let said = verify(&folder, &crash(LOG), &["a.log"]).exits(2).stdout();
    assert!(said.contains("what it printed before that is as recorded, up to step 2"), "{said}");
    let other = LOG.replace("b2", "b9");
    let ran =
        in_ci(&folder, &["verify", "--exec", &crash(&other), "a.log", "--new-dir", "out", "--output", "junit:r.xml"])
            .exits(2);
    assert!(
        ran.stdout().contains("differs already, as shown\n") && ran.stdout().contains("step  1\n"),
        "{}",
        ran.stdout()
    );
    assert_eq!(without_origin(&folder, "out/a.log.partial"), other);
    let report = String::from_utf8(folder.read("r.xml")).expect("a text");
    assert!(
        report.contains("<error message=\"the command crashed: it was ended by signal 9\" type=\"failed\">"),
        "{report}"
    );
}

#[test]
fn golden_logs_that_cannot_be_compared() {
    let folder = logs(LOG);
    folder.write("cut.log", &LOG[..LOG.len() - 4]);
    let said = verify(&folder, "cat now.log", &["cut.log"]).exits(3).stdout();
    assert!(said.starts_with("damaged ") && said.contains("cut.log is damaged: cut off within line 3"), "{said}");
    assert!(said.contains("what is sound of it holds: steps 0 to 1"), "{said}");
    // A line that is none of a log must not hide that its step is not verified.
    folder.write("bad.log", LOG.replace("{\"step\":1", "x\"step\":1"));
    folder.write("empty.log", "");
    folder.write("scene.log", "(version: 1)");
    folder.write("notes.log", b"\x00\xff");
    for (name, complaint) in [
        ("bad.log", "bad.log, line 2: expected a JSON object"),
        ("empty.log", "empty.log: no checkpoint of a run in it"),
        ("scene.log", "it is a scene, not a hash log"),
        ("notes.log", "notes.log, line 1: this is binary"),
    ] {
        let said = verify(&folder, "echo run >> runs; cat now.log", &[name]).exits(3).stdout();
        assert!(said.contains(complaint), "{name}: {said}");
    }
    assert!(!folder.path("runs").exists(), "nothing is run for a golden that is none");
    let said = physim(&folder, &["verify", "a.log"]).exits(3).stdout();
    assert!(
        said.contains(
            "it is a hash log, not a replay; name the command that prints it: physim verify --exec COMMAND a.log"
        ),
        "{said}"
    );
    for (words, complaint) in [
        (&["."][..], "one command cannot print 7 different logs: write {name} or {golden}"),
        (&["a.log", "cut.log"], "one command cannot print 2 different logs"),
        (&["none/a.log"], "there is no folder none"),
        (&["-"], "the golden log must be a file"),
    ] {
        let ran = verify(&folder, "cat now.log", words).exits(2);
        assert!(ran.stderr.contains(complaint), "{words:?}: {}", ran.stderr);
    }
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    assert!(verify(&folder, "true", &["empty"]).exits(2).stderr.contains("there is no golden hash log (*.log)"));
}

#[test]
fn a_folder_of_logs_has_a_run_for_each_and_shards_share_them_out() {
    let folder = Folder::new();
    for name in ["a", "b", "it's c"] {
        folder.write(&format!("set/{name}.log"), LOG.replace("a1", &format!("{}1", name.len())));
    }
    let ran = verify(&folder, "cat set/{name}.log && cmp {golden} set/{name}.log", &["set"]).exits(0);
    assert!(ran.stdout().ends_with("3 passed, 0 failed\n"), "{}", ran.stdout());
    let lines = |shard: &str| {
        verify(&folder, "cat {golden}", &["set", "--shard", shard]).exits(0).stdout().matches("same ").count()
    };
    assert_eq!(["hash:1/2", "hash:2/2"].map(lines).iter().sum::<usize>(), 3);
}

#[test]
fn a_race_that_shows_only_in_a_later_run_is_one() {
    let folder = logs(LOG);
    let third = "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; if [ $n = 3 ]; then sed s/c3/c9/ a.log; else cat a.log; fi";
    verify(&folder, third, &["a.log", "--repeat", "2"]).exits(0);
    std::fs::remove_file(folder.path("n")).expect("removed");
    let json = verify(&folder, third, &["a.log", "--repeat", "5", "--format", "json"]).exits(1).json();
    assert_eq!(
        (&json["verdict"], &json["repeats"], &json["first"]["step"]),
        (&"diverged".into(), &false.into(), &2.into())
    );
    let notes = json["notes"].to_string();
    let runs = "of 6 runs, runs 1, 2 and 4 to 6, which are equal, are as recorded; run 3 differs from the golden from step 2 on";
    assert!(
        notes.contains("it does not repeat: runs 1 and 3 differ from each other at step 2, ") && notes.contains(runs),
        "{notes}"
    );
    assert!(json["new"].is_null() && notes.contains("a golden of what does not repeat would not hold"), "{notes}");
    assert_eq!(folder.read("n"), b"6\n", "three more, to see which of them is like others");
}

/// A program whose runs of these numbers go another way from step 2 on, and the others that of the golden.
fn racing(runs: &str) -> String {
    format!(
        "n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; case $n in {runs}) sed s/c3/c9/ a.log;; *) cat a.log;; esac"
    )
}

/// One run that is not as the others are is a race, and no result: every report says first that it is, and how all runs came out.
#[test]
fn of_a_race_every_report_says_which_run_differs_and_what_the_others_say() {
    let race = "it does not repeat: runs 1 and 2 differ from each other at step 2, with nothing changed between them: a race, \
                uninitialised memory, or something from outside, such as a clock, gets in";
    let runs = "of 5 runs, run 1 differs from the golden from step 2 on; runs 2 to 5, which are equal, are as recorded";
    let folder = logs(LOG);
    let told = |format: &str| {
        let _ = std::fs::remove_file(folder.path("n"));
        verify(&folder, &racing("1"), &["a.log", "--no-new", "--format", format]).exits(1).stdout()
    };
    let text = told("text");
    assert!(text.starts_with("diverged         a.log  log\n    it does not repeat: "), "{text}");
    assert!(text.contains(&format!("    {race}\n    {runs}\n    step  2\n")), "{text}");
    let json: serde_json::Value = serde_json::from_str(&told("json")).expect("JSON");
    assert_eq!((&json["notes"][0], &json["notes"][1]), (&race.into(), &runs.into()), "{json}");
    let run = |run: u32| {
        let (equal_to, differs_at) = if run == 1 { (1, Some(2)) } else { (2, None) };
        serde_json::json!({"run": run, "equal_to": equal_to, "holds": run > 1, "differs_at": differs_at})
    };
    assert_eq!(json["runs"], (1..=5).map(run).collect::<serde_json::Value>(), "{json}");
    let junit = told("junit");
    assert!(junit.contains(&format!("<failure message=\"{race}\" type=\"diverged\">")), "{junit}");
    assert!(junit.contains(&format!("{race}\n{runs}\nfirst difference at step 2\n")), "{junit}");
    let github = told("github");
    assert!(
        github.starts_with("::error file=a.log,title=physim verify%3A does not repeat::it does not repeat: "),
        "{github}"
    );
    assert!(github.contains(&format!("{race}%0A{runs}%0Afirst difference at step 2%0A")), "{github}");
    // A difference that comes again in every run is none.
    let json = verify(&folder, "sed s/c3/c9/ a.log", &["a.log", "--no-new", "--format", "json"]).exits(1).json();
    assert!(json["runs"].is_null() && json["repeats"] == true, "{json}");
}

#[test]
fn of_a_race_without_a_golden_and_of_one_that_fails_later_the_runs_are_told_too() {
    let folder = logs(LOG);
    let shown = verify(&folder, &racing("1"), &["none.log"]).exits(2).stdout();
    let told = [
        "shown is how run 2 differs from the first, ",
        "of 5 runs, run 1 is equal to no other; runs 2 to 5 are equal\n",
    ];
    assert!(told.map(|text| shown.find(text)).is_sorted() && told.iter().all(|text| shown.contains(text)), "{shown}");
    std::fs::remove_file(folder.path("n")).expect("removed");
    let fails = format!("{}; test $n != 4", racing("1"));
    let json = verify(&folder, &fails, &["a.log", "--no-new", "--format", "json"]).exits(2).json();
    assert_eq!((&json["verdict"], &json["repeats"]), (&"failed".into(), &false.into()), "{json}");
    let notes: Vec<&str> = (0..3).filter_map(|note| json["notes"][note].as_str()).collect();
    assert!(notes[0].starts_with("it does not repeat: run 4 failed: "), "{json}");
    assert!(notes[1].starts_with("it does not repeat: runs 1 and 2 differ "), "{json}");
    assert_eq!(
        notes[2],
        "of 4 runs, run 1 differs from the golden from step 2 on; runs 2 and 3, which are equal, are as recorded; run 4 failed"
    );
}

#[test]
fn of_a_program_that_fails_later_the_failure_comes_first_then_the_place_then_what_is_odd_about_it() {
    let folder = logs(&LOG.replace("b2", "b3"));
    let command = "cat now.log; if [ -e n ]; then exit 3; fi; touch n";
    let shown = verify(&folder, command, &["a.log"]).exits(2).stdout();
    let places = ["it does not repeat: run 2 failed", "step  1\n", "step 1: no object can be named"]
        .map(|text| shown.find(text));
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {shown}");
    std::fs::remove_file(folder.path("n")).expect("removed");
    let report = verify(&folder, command, &["a.log", "--format", "junit"]).exits(2).stdout();
    assert!(report.contains("<error message=\"it does not repeat: run 2 failed: "), "{report}");
    let places = [
        "run 2 failed: the command ended with exit status 3\nfirst difference at step 1\n",
        "step 1: no object can be named",
    ];
    assert!(places.map(|text| report.find(text)).is_sorted() && report.contains(places[0]), "{report}");
}

/// The first red run of somebody who logs hashes alone says what to print so that the next one names something.
#[test]
fn a_difference_of_hashes_alone_says_what_to_print() {
    let next =
        "to have object and field named, let it print `objects` with `fields` (docs/your-engine.md has printers)";
    let folder = logs(&LOG.replace("b2", "b3"));
    assert!(verify(&folder, "cat now.log", &["a.log"]).exits(1).stdout().contains(next));
    // Nothing of it where objects are told, or the log only breaks off.
    let objects = |x: u32| {
        LOG.replace("\"b2\"", &format!("\"b{x}\",\"objects\":[{{\"name\":\"unit\",\"fields\":{{\"x\":{x}}}}}]"))
    };
    folder.write("a.log", objects(2));
    folder.write("now.log", objects(3));
    let shown = verify(&folder, "cat now.log", &["a.log"]).exits(1).stdout();
    assert!(shown.contains("unit") && !shown.contains(next), "{shown}");
    folder.write("a.log", LOG);
    folder.write("now.log", LOG.replace("{\"step\":2,\"hash\":\"c3\"}\n", ""));
    assert!(!verify(&folder, "cat now.log", &["a.log"]).exits(1).stdout().contains(next));
}
