//! `bench` measures what it says, refuses to compare different work, and asserts no time.

use serde_json::Value;

use crate::support::folder::Folder;
use crate::support::program::{Ran, physim};
use crate::support::scenes::{DROP, ESCAPE, FLIGHT};

/// The parts of a step, as JSON calls them, in the order of the columns.
const PARTS: [&str; 8] = ["step", "broad_phase", "narrow_phase", "colouring", "solve", "other", "hash", "record"];

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    folder
}

fn bench(folder: &Folder, arguments: &[&str]) -> Ran {
    physim(folder, &[&["bench", "drop.ron", "--steps", "5"][..], arguments].concat())
}

/// The form of a table: numbers, hashes and what names the machine masked.
fn masked(text: &str) -> String {
    let is_masked = |word: &str| {
        let is_hash = word.len() == 12 && word.chars().all(|digit| digit.is_ascii_hexdigit());
        word.parse::<f64>().is_ok() || is_hash || word == "-"
    };
    let mask = |word: &str| {
        let parts: Vec<&str> = word.split("..").map(|part| if is_masked(part) { "#" } else { part }).collect();
        parts.join("..")
    };
    let line = |line: &str| match line.trim_start().starts_with("physim ") {
        true => "  <program and machine>".to_owned(),
        false => line.split_whitespace().map(mask).collect::<Vec<String>>().join(" "),
    };
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}

#[test]
fn a_table_names_every_part_and_a_result_compares_with_itself() {
    let folder = folder();
    let arguments = ["--scalar", "fixed,f32", "--rounds", "2", "--warm-up", "2", "-o", "a.json"];
    insta::assert_snapshot!("bench_table", masked(&bench(&folder, &arguments).exits(0).stdout()));
    let arguments = ["--scalar", "f32", "--scalar", "fixed", "--rounds", "2", "--warm-up", "2", "--compare", "a.json"];
    insta::assert_snapshot!("bench_compare", masked(&bench(&folder, &arguments).exits(0).stdout()));
}

#[test]
fn json_has_the_work_and_the_times_of_every_part() {
    let folder = folder();
    folder.write("more/flight.ron", FLIGHT);
    folder.write("more/notes.ron", "no scene");
    let ran = physim(&folder, &["bench", "drop.ron", "more", "--format", "json", "--rounds", "1"]).exits(0).json();
    assert_eq!((&ran["schema"], &ran["command"], &ran["compare"]), (&1.into(), &"bench".into(), &Value::Null));
    let lanes = physim::math::lanes::LanePath::widest().name();
    assert_eq!(
        ran["settings"],
        serde_json::json!({"rounds": 1, "warm_up": 0, "threads": 1, "lanes": lanes, "set": []})
    );
    assert_eq!(ran["build"]["semantics"], physim::world::SEMANTICS_VERSION);
    for key in ["system", "architecture", "processor", "threads"] {
        assert!(ran["machine"].get(key).is_some(), "{key}: {ran}");
    }
    let cases = ran["cases"].as_array().expect("cases");
    assert_eq!(cases.iter().map(|case| &case["scene"]).collect::<Vec<_>>(), ["drop", "flight"]);
    for (case, file) in cases.iter().zip(["drop.ron", "more/flight.ron"]) {
        // The hash is that of a plain run: what is measured is what is run.
        let plain = physim(&folder, &["run", file, "--format", "json"]).exits(0).json();
        for key in ["hash", "bodies", "contacts", "steps", "scalar"] {
            assert_eq!(case[key], plain[key], "{key}");
        }
        let times = case["milliseconds"].as_object().expect("times");
        assert_eq!(times.len(), PARTS.len());
        for part in PARTS {
            let of = |key: &str| times[part][key].as_f64().expect("a time");
            assert!(0.0 <= of("min") && of("min") <= of("median") && of("median") <= of("max"), "{part}: {case}");
        }
        let sum: f64 = PARTS[1..7].iter().map(|part| times[*part]["median"].as_f64().expect("a time")).sum();
        let step = times["step"]["median"].as_f64().expect("a time");
        assert!((sum - step).abs() <= 1e-9 * step, "of one round the parts add up: {sum} {step}");
    }
}

#[test]
fn an_earlier_result_of_another_computation_is_told() {
    let folder = folder();
    bench(&folder, &["-o", "a.json", "--rounds", "1"]).exits(0);
    let text = String::from_utf8(folder.read("a.json")).expect("a text");
    let hash = serde_json::from_str::<Value>(&text).expect("JSON")["cases"][0]["hash"].to_string();
    let other = text
        .replace(&hash, &format!("\"{}\"", "0".repeat(64)))
        .replace("\"semantics\":", "\"semantics\":9")
        .replace("\"system\":\"", "\"system\":\"other ");
    folder.write("other.json", &other);
    let ran = bench(&folder, &["--compare", "other.json", "--format", "json"]).exits(0).json();
    let compared = &ran["compare"];
    assert_eq!((&compared["file"], &compared["cases"][0]["same_hash"]), (&"other.json".into(), &false.into()));
    assert!(PARTS.iter().all(|part| compared["geometric_mean"].get(part).is_some()), "{compared}");
    let notes = compared["notes"].as_array().expect("notes");
    let notes: Vec<&str> = notes.iter().map(|note| note.as_str().expect("a note")).collect();
    let parts = [
        "two different computations are compared (drop on fixed)",
        "another machine",
        "another program",
        "--rounds 1, not 3",
    ];
    assert_eq!(notes.len(), parts.len(), "{notes:?}");
    assert!(parts.iter().zip(&notes).all(|(part, note)| note.contains(part)), "{notes:?}");
    let text = bench(&folder, &["--compare", "other.json"]).exits(0).stdout();
    let is_marked = |line: &str| line.starts_with("  drop ") && line.ends_with(" differs");
    assert!(text.lines().any(is_marked) && text.contains("note: the final hash differs"), "{text}");
}

#[test]
fn errors_say_what_to_do() {
    let folder = folder();
    folder.write("escape.ron", ESCAPE);
    folder.write("notes.txt", "mine");
    std::fs::create_dir(folder.path("empty")).expect("a folder");
    bench(&folder, &["-o", "a.json"]).exits(0);
    folder.write("odd.json", r#"{"schema":1,"command":"bench","build":{}}"#);
    let cases: [&[&str]; 16] = [
        &["drop.ron", "--compare", "none.json"],
        &["drop.ron", "--compare", "notes.txt"],
        &["drop.ron", "--compare", "empty"],
        &["drop.ron", "--compare", "odd.json"],
        &["drop.ron", "--compare", "a.json"],
        &["drop.ron", "--compare", "a.json", "--steps", "5", "--scalar", "f64"],
        &["drop.ron", "--compare", "a.json", "--steps", "5", "--threads", "2"],
        &["drop.ron", "--compare", "a.json", "--steps", "5", "--set", "gravity.1=-1.62"],
        &["escape.ron", "--compare", "a.json", "--steps", "5"],
        &["escape.ron"],
        &["empty"],
        &["drop.ron", "drop.ron"],
        &["drop.ron", "--warm-up", "40"],
        &["drop.ron", "-o", "notes.txt"],
        &["drop.ron", "--steps", "5", "--compare", "a.json", "-o", "./a.json"],
        &["drop.ron", "--rounds", "0"],
    ];
    let mut told = String::new();
    for arguments in cases {
        let ran = physim(&folder, &[&["bench"], arguments].concat()).exits(2);
        assert_eq!(ran.stdout(), "", "{arguments:?}");
        let lines = ran.stderr.lines().filter(|line| !line.starts_with("warning: a debug build"));
        told.push_str(&format!("{}\n{}\n", arguments.join(" "), lines.collect::<Vec<&str>>().join("\n")));
    }
    insta::assert_snapshot!("bench_errors", told);
    assert_eq!(folder.read("notes.txt"), b"mine");
}
