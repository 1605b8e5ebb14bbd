//! What `physim verify` proposes and leaves can be used as it stands: commands have the options without which they fail, what a run printed
//! that failed is there, and nothing is asked of a program that it cannot do.

#![cfg(unix)]

use std::process::Command;

use crate::support::folder::Folder;
use crate::support::program::{Ran, command, physim, search_path};
use crate::verify_programs::{LOG, logs};

/// Types a line into a shell.
fn sh(folder: &Folder, line: &str) -> Ran {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).env("PATH", search_path()).env_remove("CI").current_dir(folder.root());
    shell.output().expect("there is a shell").into()
}

/// What stands behind a text on its line.
fn behind<'a>(told: &'a str, before: &str) -> &'a str {
    let found = told.lines().find_map(|line| line.split_once(before));
    found.unwrap_or_else(|| panic!("{before}: {told}")).1
}

/// Prints another hash in step 1 in each second run.
const RACE: &str = "echo x >> runs; sed s/b2/b$(($(wc -l < runs) % 2))/ now.log";

#[test]
fn proposed_commands_read_logs_as_verify_did() {
    let rolled_back =
        format!("{}{}", LOG.lines().take(2).map(|line| format!("{line}\n")).collect::<String>(), &LOG[24..]);
    let banner = format!("{{\"level\":\"info\"}}\n{LOG}");
    let list = "exec: \"CMD\", golden: \"a.log\"".replace("CMD", RACE);
    for (now, golden, words, more, options) in [
        (&rolled_back, LOG, &["--resimulated"][..], "", " --resimulated"),
        (&rolled_back, LOG, &[], ", resimulated: true", " --resimulated"),
        (&banner, &banner, &["--lenient"], "", " --lenient"),
        (&rolled_back, &banner, &["--lenient", "--resimulated"], "", " --resimulated --lenient"),
        (&LOG.to_owned(), LOG, &["--time-limit", "77"], "", " --time-limit 77"),
        (&LOG.to_owned(), LOG, &["--time-limit", "77"], ", time_limit: 78", " --time-limit 78"),
        (&LOG.to_owned(), LOG, &["--time-limit", "60"], "", ""),
    ] {
        let folder = logs(now);
        folder.write("a.log", golden);
        folder.write("physim.ron", format!("(version: 1, programs: [(name: \"p\", {list}{more})])"));
        let run = [&["verify", "physim.ron", "--new-dir", "new"], words].concat();
        let ran = physim(&folder, &run).exits(1).stdout();
        let search = behind(&ran, "next: ");
        assert!(search.ends_with(&format!("--axis repeat=20{options}")), "{search}");
        let found = sh(&folder, search).exits(1).stdout();
        assert!(found.contains("does not repeat"), "{found}");
        let look = behind(&ran, "it is for looking only: ");
        let of_logs = options.split(" --time-limit").next().expect("a part");
        assert!(look.ends_with(&format!(".race{of_logs}")), "{look}");
        sh(&folder, look).exits(1);
    }
}

/// Names itself where it cannot be called by its plain name.
#[test]
fn every_format_proposes_the_same_command() {
    let folder = logs(LOG);
    for format in ["text", "json", "junit", "github"] {
        let mut verify = command(&folder, &["verify", "--exec", RACE, "a.log", "--format", format]);
        let ran: Ran = verify.env("PATH", "/usr/bin:/bin").output().expect("it starts").into();
        let told = ran.exits(1).stdout();
        let own = format!("next: {} bisect --exec ", env!("CARGO_BIN_EXE_physim"));
        assert!(told.contains(&own), "{format}: {told}");
    }
}

/// Prints hashes, and of the steps that it is asked for its objects, of which there are none in step 1 if it is `gone`.
const BALL: &str = r#"
for step in 0 1 2; do
    hash=$step; objects='[{"name":"ball","fields":{"x":1}}]'
    [ $step = 1 ] && hash=1$1
    [ $step$1 = 1gone ] && objects='[]'
    if [ $3 -gt 0 ] && [ $2 -le $step ] && [ $step -le $3 ]; then
        echo '{"step":'$step',"hash":"'$hash'","objects":'$objects'}'
    else
        echo '{"step":'$step',"hash":"'$hash'"'$4'}'
    fi
done
"#;

#[test]
fn an_empty_list_counts_in_the_step_that_was_asked_for() {
    let folder = Folder::new();
    folder.write("ball.sh", BALL);
    folder.write("a.log", sh(&folder, "sh ball.sh there 1 2").bytes);
    for always in ["", " ',\"objects\":[]'"] {
        let command = format!("sh ball.sh gone {{from}} {{to}}{always}");
        let json = physim(&folder, &["verify", "--exec", &command, "a.log", "--format", "json"]).exits(1).json();
        let first = &json["first"];
        assert_eq!((&first["step"], &first["object"]), (&1.into(), &"ball".into()), "{json}");
        let notes = json["notes"].to_string();
        assert!(!notes.contains("let it print") && !notes.contains("no object can be named"), "{notes}");
        // In a run that was not asked it tells nothing.
        let command = format!("sh ball.sh there {{from}} {{to}}{always}");
        physim(&folder, &["verify", "--exec", &command, "a.log"]).exits(0);
        let each = |name: &str| format!("sh ball.sh {name} {{from}} {{to}}{always}");
        let words = ["bisect", "--exec", &each("there"), "--exec", &each("gone"), "--format", "json"];
        let json = physim(&folder, &words).exits(1).json();
        assert!(json.to_string().contains("\"object\":\"ball\""), "{json}");
    }
}

/// The names of what lies in the folder for new results.
fn left(folder: &Folder) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder.path("new"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_that_fails_leaves_what_it_printed_whichever_it_is() {
    // In its second run it prints two steps, and fails.
    let later = "if [ -e ran ]; then sed 2q FILE; exit 3; fi; touch ran; cat FILE";
    let (other, first) = (LOG.replace("b2", "b3"), "sed 2q now.log; exit 3");
    for (golden, command, words, names, said) in [
        (
            true,
            later.replace("FILE", "now.log"),
            &[][..],
            &["a.log.partial", "a.log.race"][..],
            "what run 2 printed before that is in new/a.log.partial; it is for",
        ),
        (
            true,
            later.replace("FILE", "a.log"),
            &["--repeat", "2"],
            &["a.log.partial"],
            "what run 2 printed before that is in new/a.log.partial; it is for",
        ),
        (
            false,
            later.replace("FILE", "now.log"),
            &[],
            &["a.log.partial", "a.log.race"],
            "what its first run printed is in new/a.log.race\n",
        ),
        (false, first.to_owned(), &[], &["a.log.partial"], "what it printed before that is in new/a.log.partial\n"),
        (
            true,
            first.to_owned(),
            &[],
            &["a.log.partial"],
            "what it printed before that is in new/a.log.partial; it is for",
        ),
        (false, "exit 3".to_owned(), &[], &[], "none can be made"),
    ] {
        let folder = logs(&other);
        if !golden {
            std::fs::remove_file(folder.path("a.log")).expect("removed");
        }
        let run = [&["verify", "--new-dir", "new", "--exec", &command, "a.log"], words].concat();
        let ran = physim(&folder, &run).exits(2).stdout();
        assert_eq!(left(&folder), names, "{command}: {ran}");
        assert!(ran.contains(said), "{command}: {ran}");
    }
}

#[test]
fn nothing_is_asked_of_a_step_that_a_program_does_not_reach() {
    let golden: String = (0..6).map(|step| format!("{{\"step\":{step},\"hash\":\"{step}\"}}\n")).collect();
    let folder = Folder::new();
    folder.write("a.log", &golden);
    folder.write("longer.log", golden.replace("{\"step\":5,\"hash\":\"5\"}\n", "").replace('5', "9"));
    for (command, golden, said) in [
        ("echo {from} >> asked; sed 4q a.log", "a.log", "it ends after step 3, the recording goes on to step 5"),
        ("cat a.log # {from}", "longer.log", "it goes on to step 5, the recording ends after step 4"),
    ] {
        let ran = physim(&folder, &["verify", "--exec", command, golden]).exits(1).stdout();
        assert!(ran.contains(said), "{ran}");
        assert!(!ran.contains("let it print") && !ran.contains("run the build"), "{ran}");
    }
    assert_eq!(folder.read("asked"), b"0\n0\n");
}
