//! Programs that can tell more of some steps are asked for it; what a program prints may be longer than memory; and the files of
//! other programs are made smaller.

#![cfg(unix)]

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim};

/// A program that writes down what it is asked for, and goes its own way from a step on. Of the steps it is asked for it tells the
/// ball.
const GAME: &str = r#"
echo "$1 $2" >> asked
for step in 0 1 2 3 4; do
    x=$step
    [ $step -ge $(cat wrong_from) ] && x=9$step
    [ "$1" -gt 0 ] && [ -f shy ] && x=7$step
    if { [ "$1" -gt 0 ] && [ "$1" -le $step ] && [ $step -le "$2" ]; } || [ -f talkative ]; then
        echo '{"step":'$step',"hash":"'$x'","objects":[{"name":"ball","fields":{"x":'$x'}}]}'
    else
        echo '{"step":'$step',"hash":"'$x'"}'
    fi
done
"#;

fn game() -> Folder {
    let folder = Folder::new();
    folder.write("game.sh", GAME);
    folder.write("wrong_from", "99");
    folder
}

fn verify(folder: &Folder, words: &[&str]) -> Ran {
    physim(folder, &[&["verify", "--exec", "sh game.sh {from} {to}", "a.log"], words].concat())
}

/// A game with its golden, made by a run that tells all if it is talkative.
fn guarded(is_talkative: bool) -> Folder {
    let folder = game();
    if is_talkative {
        folder.write("talkative", "");
    }
    verify(&folder, &[]).exits(2);
    physim(&folder, &["accept", "--yes", "--reason", "first", "a.log"]).exits(0);
    for name in ["talkative", "asked"] {
        let _ = std::fs::remove_file(folder.path(name));
    }
    verify(&folder, &[]).exits(0);
    assert_eq!(folder.read("asked"), b"0 0\n", "a run that holds is asked for nothing more");
    std::fs::remove_file(folder.path("asked")).expect("the file is there");
    folder.write("wrong_from", "2");
    folder
}

#[test]
fn verify_asks_for_more_of_the_step_that_differs() {
    let folder = guarded(true);
    let json = verify(&folder, &["--format", "json"]).exits(1).json();
    assert_eq!(folder.read("asked"), b"0 0\n0 0\n2 2\n");
    let first = &json["first"];
    assert_eq!((&first["step"], &first["object"], &first["field"]), (&2.into(), &"ball".into(), &"x".into()), "{json}");
    assert_eq!((&first["a"]["value"], &first["b"]["value"]), (&"2".into(), &"92".into()), "{json}");
    let notes = json["notes"].to_string();
    assert!(!notes.contains("can be named"), "the object is named: {notes}");
    // The new result is a plain run, which a plain run has to reproduce.
    assert!(!String::from_utf8(folder.read("a.log.new")).expect("a text").contains("objects"));
}

#[test]
fn where_the_golden_tells_less_the_detail_is_kept_for_another_machine() {
    let folder = guarded(false);
    let ran = verify(&folder, &["--new-dir", "new"]).exits(1).stdout();
    assert!(ran.contains("what it printed when it was asked for more of step 2 is in new/a.log.detail"), "{ran}");
    assert!(
        ran.contains(
            "run the build that gives the golden with 2 for {from} and {to}, and compare both with `physim diff`"
        ),
        "{ran}"
    );
    let detail = String::from_utf8(folder.read("new/a.log.detail")).expect("a text");
    assert_eq!(detail.matches("objects").count(), 1, "{detail}");
    assert!(folder.path("new/a.log.new").is_file());
}

#[test]
fn it_is_said_which_of_the_two_tells_less_of_a_step() {
    let run = [r#"{"step":0,"hash":"0"}"#, r#"{"step":1,"hash":"1"}"#, r#"{"step":2,"hash":"92"}"#].join("\n");
    let goldens = [
        (
            r#"{"step":2,"stage":"solve","hash":"52"}\n{"step":2,"hash":"2"}"#,
            "tells less than the golden does, namely not stage solve of step 2",
        ),
        (
            r#"{"step":2,"hash":"2","objects":[{"name":"ball","fields":{"x":2}}]}"#,
            "tells less than the golden does, namely not the objects of step 2",
        ),
        (r#"{"step":2,"hash":"2"}"#, "neither the golden nor this run, asked for {from} and {to}, tells of step 2"),
        (
            r#"{"step":2,"objects":[{"name":"ball","fields":{"x":2}}]}"#,
            "the golden alone tells the objects of step 2, and this run, asked for {from} and {to}, alone tells the hash of step 2",
        ),
    ];
    for (golden, expected) in goldens {
        let folder = game();
        folder.write("run.log", format!("{run}\n"));
        folder.write("a.log", run.replace(r#"{"step":2,"hash":"92"}"#, &golden.replace("\\n", "\n")) + "\n");
        let words = ["verify", "--no-new", "--exec", "cat run.log # {from} {to}", "a.log"];
        let shown = physim(&folder, &words).exits(1).stdout();
        assert!(shown.contains(expected) && !shown.contains("less than this run"), "{golden}: {shown}");
    }
}

#[test]
fn a_program_that_is_changed_by_being_asked_is_said_to_be() {
    let folder = guarded(false);
    folder.write("shy", "");
    let ran = verify(&folder, &[]).exits(1).stdout();
    assert!(ran.contains("asked for more of step 2, it comes out otherwise in step 0"), "{ran}");
}

#[test]
fn of_a_program_that_does_not_repeat_two_runs_are_asked_for_more() {
    let folder = guarded(false);
    // Each run goes a way of its own from step 2 on.
    folder.write("game.sh", GAME.replace("x=9$step", "x=9$step$$"));
    let json = verify(&folder, &["--format", "json"]).exits(1).json();
    assert_eq!((&json["verdict"], &json["repeats"]), (&"diverged".into(), &false.into()), "{json}");
    let notes = json["notes"].to_string();
    let note = "asked for more of step 2, two further runs differ from each other in it: object ball, field x, 92";
    assert!(notes.contains(note) && notes.contains(" and 92"), "{notes}");
    assert_eq!(folder.read("asked"), b"0 0\n0 0\n0 0\n0 0\n0 0\n2 2\n2 2\n");
    // Without a golden, the difference itself is shown.
    std::fs::remove_file(folder.path("a.log")).expect("the file is there");
    let json = verify(&folder, &["--format", "json"]).exits(2).json();
    let first = &json["first"];
    assert_eq!((&first["step"], &first["object"], &first["field"]), (&2.into(), &"ball".into(), &"x".into()), "{json}");
}

#[test]
fn programs_of_a_list_are_asked_too_and_their_files_stay_apart() {
    let folder = guarded(false);
    let program = |name: &str| {
        format!("(name: \"{name}\", exec: \"sh\", args: [\"game.sh\", \"{{from}}\", \"{{to}}\"], golden: \"a.log\")")
    };
    let names = ["a, b", "a; b", "a_b"];
    folder.write("physim.ron", format!("(version: 1, programs: [{}])", names.map(program).join(", ")));
    physim(&folder, &["verify", "physim.ron", "--new-dir", "new"]).exits(1);
    let mut found: Vec<String> = std::fs::read_dir(folder.path("new"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    let expected = [
        "a.log.a%2C%20b.detail",
        "a.log.a%3B%20b.detail",
        "a.log.a%3B%20b.new",
        "a.log.a_b.detail",
        "a.log.a_b.new",
        "a.log.new",
    ];
    assert_eq!(found, expected);
    let failing = |name: &str| format!("(name: \"{name}\", exec: \"cat a.log; exit 3\", golden: \"a.log\")");
    folder.write("physim.ron", format!("(version: 1, programs: [{}])", names.map(failing).join(", ")));
    physim(&folder, &["verify", "physim.ron", "--new-dir", "partial"]).exits(2);
    let count = std::fs::read_dir(folder.path("partial")).expect("a folder").count();
    assert_eq!(count, 3, "each has a file of its own");
    assert!(folder.path("partial/a.log.a%2C%20b.partial").is_file());
}

#[test]
fn odd_names_of_goldens_and_outputs_are_taken_as_names() {
    let folder = Folder::new();
    let log = "{\"step\":0,\"hash\":\"1\"}\n";
    let ran = physim(&folder, &["verify", "--exec", &format!("printf '{}'", log.replace('\n', "\\n")), "--", "-x.log"]);
    let said = ran.exits(2).stdout();
    assert!(said.contains("physim accept ./-x.log"), "{said}");
    physim(&folder, &["accept", "--yes", "--reason", "first", "./-x.log"]).exits(0);
    // The program would take it for an option, and physim too without the two dashes.
    physim(&folder, &["verify", "--exec", "cat {golden}", "--", "-x.log"]).exits(0);
    assert!(physim(&folder, &["verify", "--exec", "cat {golden}", "-x.log"]).exits(2).stderr.contains("use '-- -x'"));
    // Whatever a name has in it, the shell takes it as a name.
    for name in ["a$(touch ran).log", "a'; touch ran; '.log", "a\n\\'; touch ran #.log", "{golden}.log", "{name}.log"] {
        folder.write(name, log);
        physim(&folder, &["verify", "--exec", "cat {golden}; : {name}", name]).exits(0);
    }
    assert!(!folder.path("ran").exists());
    folder.write("results/keep", "");
    let refused =
        physim(&folder, &["verify", "--exec", "cat {golden}", "--output", "text:results", "--", "-x.log"]).exits(2);
    assert!(
        refused.stderr.contains("--output text:results: this is a folder; name a file in it"),
        "{}",
        refused.stderr
    );
}

/// Prints lines until there are more than are kept in memory.
const LONG: &str =
    "awk 'BEGIN { for (i = 0; i < 300000; i++) printf \"{\\\"step\\\":%d,\\\"hash\\\":\\\"%x\\\"}\\n\", i, i * 7 }'";

#[test]
fn long_output_goes_to_a_temporary_file_that_leaves_nothing() {
    let folder = Folder::new();
    folder.write("tmp/keep", "");
    let in_tmp = |words: &[&str]| -> Ran {
        command(&folder, words).env("TMPDIR", folder.path("tmp")).output().expect("the program starts").into()
    };
    in_tmp(&["verify", "--exec", LONG, "a.log"]).exits(2);
    assert!(std::fs::metadata(folder.path("a.log.new")).expect("a file").len() > 8 << 20);
    std::fs::rename(folder.path("a.log.new"), folder.path("a.log")).expect("it is moved");
    let ran = in_tmp(&["verify", "--exec", LONG, "a.log"]).exits(0).stdout();
    assert!(ran.contains("299999 steps"), "{ran}");
    let other = LONG.replace("i * 7 }", "i * 7 + (i > 250000) }");
    let ran = in_tmp(&["bisect", "--exec", LONG, "--exec", &other, "--format", "json"]).exits(1).json();
    assert_eq!(ran["first"]["step"], 250_001, "{ran}");
    let left = std::fs::read_dir(folder.path("tmp")).expect("a folder").count();
    assert_eq!(left, 1, "only what was there");
    let nowhere: Ran = command(&folder, &["verify", "--exec", LONG, "a.log"])
        .env("TMPDIR", folder.path("not-there"))
        .output()
        .expect("the program starts")
        .into();
    let said = nowhere.exits(2).stdout();
    assert!(said.contains("no room for it among the temporary files") && said.contains("TMPDIR"), "{said}");
}

#[test]
fn what_is_empty_cannot_be_made_smaller() {
    let folder = Folder::new();
    for (content, what) in
        [("", "is empty"), ("[]", "is an array without values"), (" [ ] ", "is an array without values")]
    {
        folder.write("a.txt", content);
        let refused = physim(&folder, &["minimize", "a.txt", "--test", "false {}"]).exits(2);
        let said = format!(
            "a.txt {what}: there is nothing to make smaller; name the file with which the command ends as it must not"
        );
        assert!(refused.stderr.contains(&said), "{content:?}: {}", refused.stderr);
        assert_eq!(folder.names(), ["a.txt"]);
    }
}

#[test]
fn a_search_among_lines_goes_on_from_where_it_ended() {
    let folder = Folder::new();
    folder.write("a.txt", (0..100).map(|number| format!("command {number}\n")).collect::<String>());
    let test = "grep -q 'command 17$' {} && grep -q 'command 50$' {} && exit 4 || exit 0";
    let minimize = |more: &[&str]| physim(&folder, &[&["minimize", "a.txt", "--test", test], more].concat());
    let json = minimize(&["--budget", "12", "--format", "json"]).exits(0).json();
    assert_eq!(json["budget_ended"], true, "{json}");
    assert_eq!(folder.read("a.min.txt.partial"), folder.read("a.min.txt"));
    let left = json["to_size"].as_u64().expect("a number");
    assert!((3..100).contains(&left), "{json}");
    let ran = minimize(&["--format", "json"]).exits(0);
    assert!(ran.stderr.contains("going on from a.min.txt.partial"), "{}", ran.stderr);
    let (tests, whole) = (ran.json()["tests"].as_u64(), {
        physim(&folder, &["minimize", "a.txt", "--test", test, "-o", "b.txt", "--format", "json"]).exits(0).json()["tests"].as_u64()
    });
    assert!(tests < whole, "{tests:?} from there on, {whole:?} from the start");
    assert_eq!(folder.read("a.min.txt"), b"command 17\ncommand 50\n");
    assert_eq!(folder.names(), ["a.min.txt", "a.txt", "b.txt"]);
    // What is of another file, or does not show it, is not gone on from.
    for (content, why) in [("other\n", "is of another search"), ("command 17\n", "does not show it any more")] {
        folder.write("c.txt.partial", content);
        let refused = minimize(&["-o", "c.txt"]).exits(2);
        assert!(refused.stderr.contains(why) && refused.stderr.contains("--force"), "{}", refused.stderr);
        assert_eq!(folder.read("c.txt.partial"), content.as_bytes(), "it may be hours of work");
        folder.write("a.min.txt.partial", content);
        let ran = minimize(&["--force"]).exits(0);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        assert_eq!(folder.read("a.min.txt"), b"command 17\ncommand 50\n");
    }
}

#[test]
fn lines_of_a_text_and_values_of_an_array_are_made_fewer() {
    let folder = Folder::new();
    let lines: String = (0..200).map(|number| format!("command {number}\n")).collect();
    folder.write("commands.txt", &lines);
    // It fails as long as both are there, in this order.
    let test = "grep -q 'command 17$' {} && grep -q 'command 150$' {} && exit 4 || exit 0";
    let json = physim(&folder, &["minimize", "commands.txt", "--test", test, "--format", "json"]).exits(0).json();
    assert_eq!(folder.read("commands.min.txt"), b"command 17\ncommand 150\n");
    let sizes = (&json["from_size"], &json["to_size"], &json["unit"], &json["status"]);
    assert_eq!(sizes, (&200.into(), &2.into(), &"lines".into(), &4.into()), "{json}");
    assert_eq!(folder.names(), ["commands.min.txt", "commands.txt"]);
    let refused = physim(&folder, &["minimize", "commands.txt", "--test", test]).exits(2);
    assert!(refused.stderr.contains("commands.min.txt exists"), "{}", refused.stderr);
    folder.write(
        "level.json",
        format!("[{}]", (0..60).map(|id| format!("{{\"id\": {id}}}")).collect::<Vec<_>>().join(", ")),
    );
    let test = "python3 -c 'import json,sys; ids=[o[\"id\"] for o in json.load(open(sys.argv[1]))]; sys.exit(1 if 9 in ids and 40 in ids else 0)' {}";
    let ran = physim(&folder, &["minimize", "level.json", "--test", test, "-o", "small.json"]).exits(0).stdout();
    assert!(ran.starts_with("small.json: 2 values\n") && ran.contains("from   level.json, 60 values"), "{ran}");
    let left: Value = serde_json::from_slice(&folder.read("small.json")).expect("JSON");
    assert_eq!(left, serde_json::json!([{"id": 9}, {"id": 40}]));
    // What does not fail, and what belongs to a scene.
    let refused = physim(&folder, &["minimize", "level.json", "--test", "true {}", "-o", "x.json"]).exits(2);
    assert!(refused.stderr.contains("the command gives 0 for the whole file"), "{}", refused.stderr);
    let refused = physim(&folder, &["minimize", "level.json", "--test", "false {}", "--set", "steps=3"]).exits(2);
    assert!(refused.stderr.contains("--set belongs to a scene"), "{}", refused.stderr);
}

/// A program that prints an empty list of objects where it is not asked for objects does not say that there are none.
#[test]
fn a_list_that_is_not_asked_for_is_not_told() {
    let lists = GAME.replace("\"hash\":\"'$x'\"}'", "\"hash\":\"'$x'\",\"objects\":[]}'");
    assert_ne!(lists, GAME);
    let full = guarded(true);
    full.write("game.sh", &lists);
    let json = verify(&full, &["--format", "json"]).exits(1).json();
    let first = &json["first"];
    assert_eq!((&first["step"], &first["object"], &first["field"]), (&2.into(), &"ball".into(), &"x".into()), "{json}");
    // Its own golden has the empty lists.
    let own = game();
    own.write("game.sh", &lists);
    verify(&own, &[]).exits(2);
    physim(&own, &["accept", "--yes", "--reason", "first", "a.log"]).exits(0);
    assert!(String::from_utf8_lossy(&own.read("a.log")).contains("\"objects\":[]"));
    verify(&own, &[]).exits(0);
    own.write("wrong_from", "2");
    let json = verify(&own, &["--format", "json"]).exits(1).json();
    assert_eq!((&json["first"]["step"], &json["first"]["object"]), (&2.into(), &Value::Null), "{json}");
    let notes = json["notes"].to_string();
    assert!(notes.contains("the golden tells less than this run does") && !notes.contains("otherwise"), "{notes}");
    let [right, wrong] = ["99", "2"].map(|from| format!("echo {from} > wrong_from; sh game.sh {{from}} {{to}}"));
    let ran = physim(&own, &["bisect", "--exec", &right, "--exec", &wrong, "--format", "json"]).exits(1).json();
    assert_eq!((&ran["first"]["step"], &ran["first"]["field"]), (&2.into(), &"x".into()), "{ran}");
    let notes = ran["notes"].to_string();
    assert!(!notes.contains("another hash"), "{notes}");
}

/// A line that tells of nothing but an empty list is a checkpoint; of a program that takes a window nobody knows whether that list was
/// asked for, so that such a step could not be compared.
#[test]
fn an_empty_list_alone_tells_nothing_of_a_part() {
    let folder = Folder::new();
    for list in ["\"objects\":[]", "\"sections\":{}", "\"sections\":{},\"objects\":[]"] {
        let log = format!("{{\"step\":0,\"hash\":\"7\"}}\n{{\"step\":1,{list}}}\n{{\"step\":2,\"hash\":\"8\"}}\n");
        folder.write("now.log", &log);
        folder.write("golden.log", &log);
        physim(&folder, &["verify", "--exec", "cat now.log", "golden.log"]).exits(0);
        let parts = "cat now.log # {from} {to}";
        let json = physim(&folder, &["verify", "--no-new", "--format", "json", "--exec", parts, "golden.log"]);
        let json = json.exits(1).json();
        assert_eq!((&json["first"]["step"], &json["repeats"]), (&1.into(), &true.into()), "{list}: {json}");
        let notes = json["notes"].to_string();
        assert!(
            notes.contains("1 checkpoint could not be compared, in step 1: both tell nothing but an empty list"),
            "{notes}"
        );
        assert!(!notes.contains("otherwise"), "{notes}");
        let compared = physim(&folder, &["bisect", "--exec", parts, "--axis", "repeat=2"]).exits(2).stderr;
        assert!(compared.contains("1 checkpoint could not be compared, in step 1"), "{compared}");
    }
    // The other side tells a hash there.
    folder
        .write("golden.log", "{\"step\":0,\"hash\":\"7\"}\n{\"step\":1,\"hash\":\"7\"}\n{\"step\":2,\"hash\":\"8\"}\n");
    let told =
        physim(&folder, &["verify", "--no-new", "--exec", "cat now.log # {from} {to}", "golden.log"]).exits(1).stdout();
    assert!(told.contains("in step 1: the first tells a hash, the second nothing but an empty list"), "{told}");
}

/// What a shell and a program get of a name are its own bytes, also where they are no UTF-8.
#[cfg(target_os = "linux")]
#[test]
fn names_of_goldens_that_are_not_utf_8_reach_the_command_as_they_are() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let log = "{\"step\":0,\"hash\":\"1\"}\n";
    for name in [&b"caf\xe9.log"[..], b"it's \xff{golden}.log", b"-\xfe.log"] {
        let golden = folder.root().join(OsStr::from_bytes(name));
        std::fs::write(&golden, log).expect("a name of this file system");
        let line = "cat {golden}; printf %s {name} > told";
        let ran = command(&folder, &["verify", "--no-new", "--exec", line, "--"]).arg(OsStr::from_bytes(name)).output();
        let ran = Ran::from(ran.expect("physim runs")).exits(0);
        assert_eq!(folder.read("told"), name[..name.len() - 4], "{ran:?}");
    }
}

/// As it is said where the steps are fixed numbers: what was not logged then is of no interest.
#[test]
fn objects_that_agree_under_other_hashes_are_said_to_once_they_are_told() {
    let folder = Folder::new();
    let run = |hash: &str, objects: &str| {
        format!("{{\"step\":0,\"hash\":\"a1\"}}\n{{\"step\":1,\"hash\":\"{hash}\"{objects}}}\n")
    };
    let objects = ",\"objects\":[{\"name\":\"ball\",\"hash\":\"7\",\"fields\":{\"x\":2}}]";
    folder.write("a.log", run("b2", objects));
    folder.write("plain.log", run("b3", ""));
    folder.write("full.log", run("b3", objects));
    for command in ["if [ {from} -eq 1 ]; then cat full.log; else cat plain.log; fi # {to}", "cat full.log"] {
        let shown = physim(&folder, &["verify", "--no-new", "--exec", command, "a.log"]).exits(1).stdout();
        assert!(
            shown.contains("step 1: the hashes differ although all objects agree; log all that is hashed"),
            "{shown}"
        );
        assert!(!shown.contains("no object can be named"), "{command}: {shown}");
    }
}

/// Of a program that is asked for parts empty fields say nothing, so that nobody knows whether the objects agree.
#[test]
fn objects_of_which_nothing_is_told_are_not_said_to_agree() {
    let folder = Folder::new();
    let run = |hash: &str, objects: &str| {
        format!("{{\"step\":0,\"hash\":\"a\"}}\n{{\"step\":1,\"hash\":\"{hash}\"{objects}}}\n")
    };
    let named = ",\"objects\":[{\"name\":\"ball\",\"fields\":{}}]";
    for (name, hash, objects) in
        [("plain.log", "b", ""), ("more.log", "b", named), ("plain2.log", "c", ""), ("more2.log", "c", named)]
    {
        folder.write(name, run(hash, objects));
    }
    let commands = ["", "2"]
        .map(|of| format!("if [ {{from}} -eq 1 ]; then cat more{of}.log; else cat plain{of}.log; fi # {{to}}"));
    let json = physim(&folder, &["bisect", "--exec", &commands[0], "--exec", &commands[1], "--format", "json"])
        .exits(1)
        .json();
    let notes = json["notes"].to_string();
    assert!(notes.contains("step 1: no field can be named: of object ball both tell the name alone"), "{notes}");
    assert!(!notes.contains("objects agree"), "{notes}");
    // The golden has the fields.
    folder.write("a.log", run("c", &named.replace("{}", "{\"x\":2}")));
    let shown = physim(&folder, &["verify", "--no-new", "--exec", &commands[0], "a.log"]).exits(1).stdout();
    assert!(
        shown.contains("no field can be named: of object ball the first tells the fields, the second the name"),
        "{shown}"
    );
    assert!(
        shown.contains("this run tells less than the golden does, namely not the fields of object ball"),
        "{shown}"
    );
    assert!(!shown.contains("objects agree"), "{shown}");
}

/// A program that is asked for step 0 is asked for hashes alone, as it was before.
#[test]
fn of_step_0_no_more_is_asked() {
    let folder = guarded(true);
    folder.write("wrong_from", "0");
    let ran = verify(&folder, &["--new-dir", "new"]).exits(1).stdout();
    assert_eq!(folder.read("asked"), b"0 0\n0 0\n", "once, and whether it repeats");
    assert!(
        ran.contains("of step 0 no more can be asked: {from} and {to} are 0 where hashes are wanted alone"),
        "{ran}"
    );
    assert!(!ran.contains("asked for more of step 0") && !folder.path("new/a.log.detail").exists(), "{ran}");
}

#[test]
fn a_result_in_a_folder_that_is_missing_is_refused_by_its_name() {
    let folder = Folder::new();
    folder.write("a.txt", "one\ntwo\n");
    folder.write("drop.ron", crate::support::scenes::DROP);
    for file in ["a.txt", "drop.ron"] {
        let refused = physim(&folder, &["minimize", file, "--test", "true {}", "-o", "nodir/x"]).exits(2).stderr;
        assert!(refused.contains("nodir/x: the folder nodir does not exist; create it first"), "{file}: {refused}");
    }
}
