//! `physim.ron`: programs that are verified, each with its golden hash log. `docs/cli.md` says how it is written.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::scene::document::{Document, NodeKind, is_blank};
use crate::scene::error::{Problem, SceneError, SourceText};
use crate::scene::parse::{parse_value, report};
use crate::scene::path::Path as ValuePath;
use serde::Deserialize;

use crate::cli::guarded_program::{GuardedProgram, Start};
use crate::cli::source::{is_dash, read_text};

/// The name by which a list is found in a folder.
pub const MANIFEST: &str = "physim.ron";
/// The version of the format that this program reads.
const VERSION: u32 = 1;
/// Most programs of one list.
const MAX_PROGRAMS: usize = 10_000;
/// The smallest list, for messages.
const SMALLEST: &str =
    r#"(version: 1, programs: [(name: "game", exec: "build/game --log", golden: "goldens/game.log")])"#;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "physim.ron")]
struct Manifest {
    #[expect(dead_code, reason = "checked in the text, before anything else is read")]
    version: u32,
    programs: Vec<Entry>,
}

/// A program as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "programs")]
struct Entry {
    name: String,
    exec: String,
    #[serde(default)]
    args: Option<Vec<String>>,
    golden: String,
    #[serde(default)]
    time_limit: Option<u32>,
    #[serde(default)]
    resimulated: bool,
}

/// Whether a path means a list of programs: by its name, or, of another RON file, by its keys.
pub fn is_manifest(path: &Path) -> bool {
    if is_dash(path) || !path.is_file() || path.extension().is_none_or(|extension| extension != "ron") {
        return false;
    }
    let is_named_so = path.file_name().is_some_and(|name| name == MANIFEST);
    // The whole of it: a list may have ten thousand programs, and a long comment before them.
    is_named_so || File::open(path).is_ok_and(|file| read_text(file).is_ok_and(|text| reads_as_a_list(&text)))
}

/// Whether a text has the key of a list of programs; of what cannot be read at all, because it is cut off, whether the word stands there.
fn reads_as_a_list(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match Document::new(text) {
        Some(document) => {
            document.root().children.iter().any(|child| document.key_text(child).as_deref() == Some("programs"))
        }
        None => text.contains("programs:") && !text.contains("bodies:"),
    }
}

/// Reads a list of programs. Paths in it are relative to its folder, where the programs run.
pub fn read_manifest(path: &Path) -> Result<Vec<GuardedProgram>, SceneError> {
    let name = path.display().to_string();
    let text = File::open(path).map_err(|error| error.to_string()).and_then(read_text).map_err(|what| {
        let problem = Problem::new(ValuePath::root(), format!("cannot read the list of programs: {what}"));
        SceneError::in_text(SourceText::new(&name, ""), vec![problem])
    })?;
    let source = SourceText::new(&name, text.strip_prefix('\u{feff}').unwrap_or(&text));
    if is_blank(&source.text) {
        let problem = Problem::new(ValuePath::root(), "the list of programs is empty");
        return Err(SceneError::in_text(source, vec![problem.hint(format!("the smallest is `{SMALLEST}`"))]));
    }
    let manifest: Manifest = parse_value(&source, check_head)?;
    report(&source, problems(&manifest.programs))?;
    Ok(programs(manifest.programs, path))
}

/// The version first: another one may have other keys.
fn check_head(document: &Document<'_>) -> Result<(), Problem> {
    let root = document.root();
    if root.kind != NodeKind::Fields {
        return Err(Problem::new(ValuePath::root(), "a list of programs is a list of keys in parentheses")
            .at(root.span.clone())
            .expected(format!("expected `{SMALLEST}`")));
    }
    let hint = format!("write `version: {VERSION}`: the version of the format this program reads");
    let Some(child) = root.children.iter().find(|child| document.key_text(child).as_deref() == Some("version")) else {
        return Err(Problem::new(ValuePath::root(), "the list of programs does not say its format version")
            .at(root.span.start..root.span.start + 1)
            .expected("missing key `version`")
            .hint(hint));
    };
    if document.text_of(&child.node).parse() == Ok(VERSION) {
        return Ok(());
    }
    Err(Problem::new(ValuePath::root().key("version"), "this version of the format is not supported")
        .at(child.node.span.clone())
        .expected(format!("this program reads version {VERSION}"))
        .hint(hint))
}

/// What is wrong with the values, all of it.
fn problems(entries: &[Entry]) -> Vec<Problem> {
    let list = ValuePath::root().key("programs");
    if entries.is_empty() || entries.len() > MAX_PROGRAMS {
        let expected = format!("expected 1 to {MAX_PROGRAMS} programs");
        return vec![Problem::new(list, format!("there are {} programs", entries.len())).expected(expected)];
    }
    let mut problems = Vec::new();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, entry) in entries.iter().enumerate() {
        let at = |key: &'static str| list.index(place).key(key);
        for (key, text) in [("name", &entry.name), ("exec", &entry.exec), ("golden", &entry.golden)] {
            if text.trim().is_empty() || text.contains('\0') {
                problems
                    .push(Problem::new(at(key), format!("`{key}` is empty or no text")).expected("expected a text"));
            }
        }
        if let Some(other) = names.insert(&entry.name, place) {
            problems.push(
                Problem::new(at("name"), format!("two programs are called {:?}", entry.name))
                    .expected(format!("number {} of the list has this name already", other + 1))
                    .hint("names are what reports call them"),
            );
        }
        if entry.time_limit == Some(0) {
            problems.push(Problem::new(at("time_limit"), "`time_limit` is 0").expected("expected seconds, at least 1"));
        }
    }
    problems
}

/// The programs of the list at a path that holds.
fn programs(entries: Vec<Entry>, path: &Path) -> Vec<GuardedProgram> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let in_folder = |path: &str| folder.map_or_else(|| PathBuf::from(path), |folder| folder.join(path));
    let program = |entry: Entry| {
        let Entry { name, exec, args, golden, time_limit, resimulated } = entry;
        let golden = in_folder(&golden);
        let start = match args {
            None => Start::Shell { line: exec, values: Vec::new() },
            Some(arguments) => Start::Words { program: exec, arguments },
        };
        GuardedProgram {
            name: Some(name),
            list: Some(path.to_owned()),
            golden,
            start,
            folder: folder.map(Path::to_owned),
            time_limit,
            resimulated,
            // Of one list among several more is known where all of them are.
            owns_golden: true,
            namesakes: 0,
        }
    };
    entries.into_iter().map(program).collect()
}
