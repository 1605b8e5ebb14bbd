//! Names that a terminal, a CI service or a reader would obey or overlook: of files, of what scenes and logs name, in arguments, in
//! what other programs print. Nothing that any command prints moves the cursor, begins a line of its own, turns the writing
//! round, or is not to be seen.

#![cfg(unix)]

use physim::math::SplitMix64;
use physim::scene::printable::is_to_be_shown;
use serde_json::json;

use crate::attack::messages::{Content, seal, unseal};
use crate::attack::{attack, one_of, tries};
use crate::support::folder::Folder;
use crate::support::program::physim;
use physim::replay::topic::Topic;

/// What a hostile name is made of: escape sequences of 7 and 8 bits, ends of lines, commands of CI services, directions, and what
/// takes no room.
const PARTS: [&str; 27] = [
    "\u{1b}[2J",
    "\u{1b}]0;title\u{7}",
    "\u{1b}]8;;http://x\u{1b}\\",
    "\u{9b}31m",
    "\u{8}\u{8}",
    "\r",
    "\n",
    "\n::error::forged",
    "\n##vso[x]",
    "\u{202e}",
    "\u{2066}",
    "\u{200f}",
    "\u{61c}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{e0041}",
    "\u{e0101}",
    "\u{ad}",
    "\u{34f}",
    "\u{115f}",
    "\u{3164}",
    "\u{2028}",
    "\u{85}",
    "<b>&\"'",
    "`$(echo)`",
    "日本 größe",
];

/// A name of some such parts, without `/`, which names of files do not have.
fn hostile(random: &mut SplitMix64) -> String {
    let mut name = String::from("n");
    for _ in 0..1 + random.below(5) {
        name += &one_of(random, &PARTS).replace('/', "_");
        name.push(char::from(b'a' + random.below(26) as u8));
    }
    name
}

/// The same without what no name in a scene may have.
fn within_scene(name: &str) -> String {
    name.chars().filter(|letter| !letter.is_control() && !"[]".contains(*letter)).collect()
}

/// The commands of a table, with names in their places. A word in single quotes may have spaces.
fn commands(table: &str, place: impl Fn(&str) -> String) -> Vec<Vec<String>> {
    let filled = |word: &str| {
        let mut parts = word.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').expect("a closed brace");
            filled += &(place(name) + rest);
        }
        filled
    };
    let words = |line: &str| -> Vec<String> {
        let groups = line.split('\'').enumerate();
        let words = groups
            .flat_map(|(number, group)| if number % 2 == 1 { vec![group] } else { group.split_whitespace().collect() });
        words.map(filled).collect()
    };
    table.lines().filter(|line| !line.starts_with('#')).map(words).collect()
}

/// Runs commands, and demands that what they print is harmless.
fn all_harmless(folder: &Folder, commands: &[Vec<String>]) -> &'static str {
    let complaints: Vec<String> = commands.iter().filter_map(|words| harm(folder, words)).collect();
    assert!(complaints.is_empty(), "{} of {} commands:\n{}", complaints.len(), commands.len(), complaints.join("\n"));
    "harmless"
}

/// What a command prints that it should not.
fn harm(folder: &Folder, words: &[String]) -> Option<String> {
    let ran = physim(folder, &words.iter().map(String::as_str).collect::<Vec<_>>());
    let said = format!("{}{}", String::from_utf8_lossy(&ran.bytes), ran.stderr);
    let around = |place: usize| -> String {
        said[said.floor_char_boundary(place.saturating_sub(100))..].chars().take(160).collect()
    };
    let words = format!("{words:?}");
    let words = &words[..words.floor_char_boundary(200)];
    if let Some((place, letter)) = said.char_indices().find(|(_, letter)| *letter != '\n' && is_to_be_shown(*letter)) {
        return Some(format!("{letter:?} comes raw out of {words}: {:?}", around(place)));
    }
    if let Some(place) = ["\n::error::forged", "\n##vso", "panicked"].iter().find_map(|forged| said.find(forged)) {
        return Some(format!("{words} prints {:?}", around(place)));
    }
    (said.len() > 300_000).then(|| format!("{words} prints {} bytes: {:?}", said.len(), around(3000)))
}

const SCENE: &str = r#"(version: 1, name: SCENE, steps: 8, keyframe_every: 4,
    materials: { NAME: (friction: 0.3) }, shapes: { NAME: Sphere(radius: 0.5) }, categories: [NAME],
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: NAME, position: Origin(0, 0.6, 0), shape: Named(NAME), material: NAME, filter: (category: [NAME])),
        (name: "zone", kind: Static, position: Origin(0, 0.5, 0), shape: Sphere(radius: 1), sensor: true),
    ],
    joints: [(name: NAME, kind: Spherical, a: NAME, at: (0, 0.6, 0))],
    inputs: [(step: 3, action: Impulse(body: NAME, impulse: (1, 0, 0)))],
)"#;

/// A scene in which everything has that name.
fn scene(name: &str) -> String {
    let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
    SCENE.replace("SCENE", &quoted).replace("NAME", &quoted)
}

/// A log of an engine whose objects, fields, stages and sections have that name.
fn log(name: &str, last: &str) -> String {
    let step = |step: u32, hash: &str| {
        json!({"step": step, "stage": name, "hash": hash, "sections": {name: hash},
            "objects": [{"name": name, "fields": {name: {"value": 1.5, "bits": hash}}}]})
    };
    format!("{}\n{}\n{}\n", step(0, "01"), step(1, "02"), step(2, last))
}

#[test]
fn files() {
    attack("names of files", tries(1), |random| {
        let (folder, name) = (Folder::new(), hostile(random));
        let file = |ending: &str| format!("{name}{ending}");
        folder.write(&file(".ron"), scene("ball"));
        folder.write("b.ron", scene("ball").replace("0.6, 0)", "0.7, 0)"));
        folder.write(&file(".log"), log("unit", "03"));
        folder.write(&file(".2.log"), log("unit", "04"));
        folder.write(&file(".3.log"), log("unit", "03"));
        folder.write(&file(".txt"), "(step: 3, acton: 4)");
        folder.write(&file(".csv"), "steps,nothing\n1,2\n");
        folder.write(&file(".json"), "[1, 2, 3]");
        folder.write(
            &file("/physim.ron"),
            format!("(version: 1, programs: [(name: \"x\", exec: \"true\", golden: {:?})])", "a.log"),
        );
        folder.write(&file(".bad/physim.ron"), "(version: 1, programs: [(nome: 3)])");
        physim(&folder, &["run", &file(".ron"), "-o", &file(".mcap")]).exits(0);
        physim(&folder, &["run", "b.ron", "-o", "b.mcap"]).exits(0);
        folder.write(&file(".cut.mcap"), &folder.read("b.mcap")[..3000]);
        let print = format!("cat '{}'", file(".log").replace('\'', "'\\''"));
        let place = |what: &str| if what == "print" { print.clone() } else { file(what) };
        let commands = commands(include_str!("commands_with_files.txt"), place);
        all_harmless(&folder, &commands)
    });
}

#[test]
fn what_scenes_and_logs_name() {
    attack("names in scenes, logs and programs", tries(1), |random| {
        let (folder, name) = (Folder::new(), hostile(random));
        let inner = within_scene(&name);
        folder.write("a.ron", scene(&inner));
        folder.write("bad.ron", scene(&name).replace("radius: 0.5", "radius: -1"));
        folder.write("unknown.ron", scene(&inner).replace("impulse: (1", "impulse: (oops"));
        folder.write(
            "typo.ron",
            scene(&inner).replacen("material: \"", "material: \"x", 1).replacen("a: \"", "a: \"x", 1),
        );
        folder.write("key.ron", format!("(version: 1, {name}: 3, name: \"{inner}\")"));
        physim(&folder, &["run", "a.ron", "-o", "a.mcap"]).exits(0);
        let fault = format!("ulp@3,object={inner},field=position.x");
        physim(&folder, &["run", "a.ron", "-o", "b.mcap", "--fault", &fault]).exits(0);
        resealed(&folder, &name);
        folder.write("a.log", log(&name, "03"));
        folder.write("b.log", log(&name, "04"));
        folder.write("c.log", format!("{name}\n{}", log(&name, "04")));
        let program = format!("(name: {name:?}, exec: \"cat b.log; exit 3\", golden: \"a.log\")");
        folder.write("physim.ron", format!("(version: 1, programs: [{program}, {program}])"));
        folder.write(
            "p/physim.ron",
            format!(
                "(version: 1, programs: [{}])",
                program.replace("exit 3", "cat b.log >&2").replace("b.log", "../b.log").replace("a.log", "../a.log")
            ),
        );
        let place = |what: &str| if what == "inner" { inner.clone() } else { name.clone() };
        let commands = commands(include_str!("commands_with_names.txt"), place);
        all_harmless(&folder, &commands)
    });
}

/// Replays whose records have that name wherever a text is free.
fn resealed(folder: &Folder, name: &str) {
    let bytes = folder.read("b.mcap");
    let mut messages = unseal(&bytes);
    for message in &mut messages {
        if let (Topic::Header, Content::Json(header)) = (message.topic, &mut message.content) {
            for key in ["scene_name", "producer", "reason", "scene_file", "dt"] {
                header[key] = json!(name);
            }
            header["overrides"] = json!([name]);
        }
    }
    folder.write("header.mcap", seal(&bytes, &messages));
    let mut messages = unseal(&bytes);
    for message in &mut messages {
        if let (Topic::Perturbations | Topic::Inputs, Content::Json(record)) = (message.topic, &mut message.content) {
            let key = if message.topic == Topic::Inputs { "text" } else { "fault" };
            record[key] = json!(name);
        }
    }
    folder.write("faults.mcap", seal(&bytes, &messages));
}

#[test]
fn names_of_megabytes() {
    let folder = Folder::new();
    let long = "\u{202e}ab\u{1b}[2J".repeat(200_000);
    folder.write("a.ron", scene(&within_scene(&long)));
    folder.write(
        "b.ron",
        scene("ball").replacen("material: \"ball\"", &format!("material: \"{}\"", within_scene(&long)), 1),
    );
    folder.write("key.ron", format!("(version: 1, {}: 3)", "a".repeat(2_000_000)));
    folder.write("a.log", log(&long, "03"));
    folder.write("b.log", log(&long, "04"));
    folder.write("c.log", format!("{long}\n"));
    folder.write(
        "physim.ron",
        format!("(version: 1, programs: [(name: {long:?}, exec: \"cat b.log >&2; cat b.log\", golden: \"a.log\")])"),
    );
    folder.write("ball.ron", scene("ball"));
    physim(&folder, &["run", "ball.ron", "-o", "b.mcap"]).exits(0);
    resealed(&folder, &long);
    let argument = "\u{202e}a".repeat(30_000);
    let commands = commands(include_str!("commands_with_long_names.txt"), |_| argument.clone());
    all_harmless(&folder, &commands);
}
