//! File names that a terminal or a CI service would obey: every command that says one shows it on one line, harmless.

#![cfg(unix)]

use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::support::scenes::DROP;

/// Clears the screen, begins a line that GitHub takes for a command, turns the writing round, hides letters.
const NAME: &str = "a\u{1b}[2J\n::error::forged\u{9b}31m\u{202e}x\u{200b}\u{2066}\u{feff}\u{e0041}";

fn assert_harmless(what: &[&str], said: &str) {
    for part in ["\u{1b}[2J", "\n::error", "\u{9b}", "\u{202e}", "\u{200b}", "\u{2066}", "\u{feff}", "\u{e0041}"] {
        assert!(!said.contains(part), "{part:?} comes raw out of {what:?}: {said:?}");
    }
}

#[test]
fn every_command_shows_a_hostile_name_harmlessly() {
    let folder = Folder::new();
    let [replay, scene] = [".mcap", ".ron"].map(|ending| format!("{NAME}{ending}"));
    let [missing, bad, csv, svg] = ["no.mcap", "bad.ron", ".csv", ".svg"].map(|ending| format!("{NAME}{ending}"));
    let [trace, html, small, log] = [".trace", ".html", ".small.ron", ".log"].map(|ending| format!("{NAME}{ending}"));
    let within = format!("{NAME}/x.mcap");
    folder.write(&scene, DROP);
    folder.write(&bad, "(version: 1, nome: 3)");
    folder.write("d.ron", DROP);
    let (replay, scene) = (replay.as_str(), scene.as_str());
    physim(&folder, &["run", scene, "-o", replay, "--fault", "ulp@9,object=ball,field=position.x"]).exits(0);
    physim(&folder, &["run", "d.ron", "-o", "b.mcap"]).exits(0);
    let commands: &[&[&str]] = &[
        &["run", scene, "-o", replay],
        &["run", scene, "-o", scene],
        &["run", scene, "-o", &within],
        &["run", replay],
        &["run", &missing],
        &["run", &bad],
        &["check", scene],
        &["check", &bad],
        &["show", replay],
        &["show", replay, "--step", "1"],
        &["show", replay, "--body", "nobody"],
        &["show", &missing],
        &["diff", replay, "b.mcap"],
        &["diff", "b.mcap", &missing],
        &["verify", replay],
        &["verify", replay, "--format", "github"],
        &["verify", &missing],
        &["verify", &bad],
        &["verify", "--exec", scene, &log],
        &["accept", replay],
        &["trace", replay, "--steps", "1", "-o", &trace],
        &["ladder", replay],
        &["export", replay, "-o", &csv],
        &["export", replay, "-o", replay],
        &["plot", replay, "-o", &svg],
        &["view", replay, "-o", &html],
        &["bisect", replay, "b.mcap"],
        &["minimize", replay, "b.mcap", "-o", &small],
        &["stress", "d.ron", "--exe", &missing],
        &["sweep", scene, "--axis", "steps=1,2", "-o", &csv],
        &["manual", &missing],
    ];
    let mut told = 0;
    for command in commands {
        let ran = physim(&folder, command);
        let said = format!("{}{}", String::from_utf8_lossy(&ran.bytes), ran.stderr);
        told += u32::from(said.contains("a\\u{1b}[2J") || said.contains("a\\x1b[2J"));
        // The bash of macOS is 3.2, which does not know `\U`.
        assert!(!said.contains("\\U"), "{command:?}: {said}");
        assert_harmless(command, &said);
    }
    assert!(told > 20, "only {told} commands say the name at all");
}

#[test]
fn a_name_of_many_bytes_is_shortened() {
    let folder = Folder::new();
    let long = "x".repeat(100_000);
    let ran = physim(&folder, &["show", &long]);
    assert!(ran.stderr.len() < 4_000 && ran.stderr.contains("bytes ...]"), "{} bytes", ran.stderr.len());
}

#[test]
fn an_output_that_another_is_written_into_first_is_refused_before_the_run() {
    let folder = Folder::new();
    folder.write("d.ron", DROP);
    let outputs: &[&[&str]] = &[
        &["-o", "a", "--hash-log", "a"],
        &["-o", "a", "--hash-log", "./a"],
        &["-o", "a", "--hash-log", "a.partial"],
        &["-o", "a.partial", "--energy", "a"],
    ];
    for options in outputs {
        let ran = physim(&folder, &[["run", "d.ron"].as_slice(), options].concat()).exits(2);
        assert!(ran.stderr.contains("cannot take"), "{options:?}: {}", ran.stderr);
        let left: Vec<_> = std::fs::read_dir(folder.path(".")).expect("a folder").collect();
        assert_eq!(left.len(), 1, "nothing is left behind by {options:?}: {left:?}");
    }
}

#[test]
fn a_folder_that_is_an_output_too_is_not_made() {
    let folder = Folder::new();
    folder.write("d.ron", DROP);
    let ran = physim(&folder, &["sweep", "d.ron", "--set", "steps=1,2", "-o", "x.csv", "--record", "./x.csv"]).exits(2);
    assert!(ran.stderr.contains("cannot take both the replays of --record and the table"), "{}", ran.stderr);
    assert_eq!(folder.names(), ["d.ron"]);
}

#[test]
fn manual_pages_replace_manual_pages_only() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("man")).expect("a folder");
    physim(&folder, &["manual", "man"]).exits(0);
    physim(&folder, &["manual", "man"]).exits(0);
    folder.write("man/physim-run.1", "my notes");
    let ran = physim(&folder, &["manual", "man"]).exits(2);
    assert!(ran.stderr.contains("physim-run.1 is not a manual page"), "{}", ran.stderr);
    assert_eq!(folder.read("man/physim-run.1"), b"my notes");
    physim(&folder, &["manual", "man", "--force"]).exits(0);
}

/// The names of a scene stay readable in a table and on a page, and do nothing there.
#[test]
fn names_of_a_scene_are_shown_in_tables_and_pages_as_on_a_terminal() {
    let folder = Folder::new();
    let hostile = "a\u{2028}b\u{202e}c, \\\"d\\\"";
    folder.write("a.ron", crate::support::scenes::FLIGHT.replace("\"ball\"", &format!("\"{hostile}\"")));
    physim(&folder, &["run", "a.ron", "-o", "a.mcap"]).exits(0);
    let shown = "a\\u{2028}b\\u{202e}c, ";
    let table = physim(&folder, &["export", "a.mcap", "--format", "csv", "-o", "-"]).exits(0).stdout();
    assert!(table.contains(&format!(",\"{shown}\"\"d\"\"\",")), "{}", &table[..600]);
    let listed = physim(&folder, &["show", "a.mcap", "--step", "3", "--format", "csv"]).exits(0).stdout();
    assert!(listed.contains(&format!("\"{shown}\"\"d\"\"\",")), "{listed}");
    let page = physim(&folder, &["view", "a.mcap", "-o", "-"]).exits(0).stdout();
    let start = "<script type=\"application/json\" data-film=\"a\">";
    let header = page.split(start).nth(1).and_then(|rest| rest.split("</script>").next()).expect("a header");
    let header: serde_json::Value = serde_json::from_str(header).expect("JSON");
    let names: Vec<&str> =
        header["bodies"].as_array().expect("bodies").iter().filter_map(|body| body["name"].as_str()).collect();
    assert!(names.contains(&format!("{shown}\"d\"").as_str()), "{names:?}");
    for text in [&table, &listed, &page] {
        assert!(!text.contains(['\u{2028}', '\u{202e}']));
    }
}

/// A command that is proposed is the same for every shell that knows `$'...'`, and for those that know neither `\u` nor `\U` in it.
#[test]
fn a_name_in_a_proposed_command_is_written_byte_by_byte() {
    let folder = Folder::new();
    let name = "a\u{1b}\u{85}\u{202e}\u{e0001}b'\\.mcap";
    folder.write("d.ron", DROP);
    let ran = physim(&folder, &["run", "d.ron", "-o", name]).exits(0);
    let said = format!("{}{}", ran.stdout(), ran.stderr);
    let word = said.split_once("physim verify ").and_then(|(_, rest)| rest.lines().next()).expect("a proposal");
    assert_eq!(word, r"$'a\x1b\xc2\x85\xe2\x80\xae\xf3\xa0\x80\x81b\'\\.mcap'");
    if let Ok(taken) = std::process::Command::new("bash").args(["-c", &format!("printf %s {word}")]).output() {
        assert_eq!(taken.stdout, name.as_bytes());
    }
}

/// What XML has no character for is in no report and no picture, wherever it came from.
#[test]
fn no_report_has_what_xml_has_no_character_for() {
    let edges: String =
        (1..0x20).chain([0xd7ff, 0xe000, 0xfffd, 0xfffe, 0xffff, 0x10000]).filter_map(char::from_u32).collect();
    let name = format!("a{}.log", edges.replace('/', ""));
    let folder = Folder::new();
    let log = |value: u32| {
        let object = serde_json::json!({"name": edges, "section": edges, "fields": {edges.as_str(): {"value": format!("{edges}{value}"), "bits": "1"}}});
        let mut object = object;
        object["fields"][edges.as_str()]["bits"] = format!("{value}").into();
        format!("{}\n", serde_json::json!({"step": 0, "hash": format!("{value}"), "objects": [object]}))
    };
    folder.write(&name, log(1));
    folder.write("now.log", log(2));
    folder.write("said", &edges);
    for (command, status) in [("cat now.log", 1), ("cat said >&2; exit 3", 2)] {
        let words = ["verify", "--new-dir", "new", "--exec", command, &name, "--format", "junit"];
        let report = physim(&folder, &words).exits(status).stdout();
        let is_of_xml =
            |c: char| matches!(u32::from(c), 0x9 | 0xa | 0xd | 0x20..=0xd7ff | 0xe000..=0xfffd | 0x10000..=0x0010_ffff);
        let raw: Vec<char> = report.chars().filter(|c| !is_of_xml(*c)).collect();
        assert!(raw.is_empty(), "{raw:?}");
        assert!(report.contains("\\u{fffe}\\u{ffff}\u{10000}"), "{report}");
    }
}
