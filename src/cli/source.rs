//! Scenes and inputs from files, or from standard input where `-` stands for the file.

use std::fs::File;
use std::io::{BufRead, Read};
use std::path::Path;

use crate::replay::begins_as_a_replay;
use crate::replay::trace::begins_as_a_trace;
use crate::scene::Scene;
use crate::scene::document::looks_like_a_scene;
use crate::scene::error::{Problem, SceneError, SourceText};
use crate::scene::input::append_inputs;
use crate::scene::model::Input;
use crate::scene::parse::{MAX_FILE_BYTES, load_with_solids, parse_with_solids};
use crate::scene::path::Path as ScenePath;
use crate::scene::write_out_parts::DecomposedSolid;

use crate::cli::failure::Failure;
use crate::report::program::command;
use crate::report::run::quoted;

/// As much of a file as tells its kind: scenes may begin with long comments.
pub const START_BYTES: usize = 1 << 16;

/// What errors call standard input.
const STANDARD_INPUT: &str = "<stdin>";

/// Whether a path stands for standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What a path is called in messages.
pub fn name_of(path: &Path) -> String {
    if is_dash(path) { STANDARD_INPUT.to_owned() } else { path.display().to_string() }
}

/// Reads and checks a scene.
pub fn read_scene(path: &Path) -> Result<Scene, SceneError> {
    Ok(read_scene_with_solids(path)?.0)
}

/// Reads and checks a scene, and tells what became of its solids.
pub fn read_scene_with_solids(path: &Path) -> Result<(Scene, Vec<DecomposedSolid>), SceneError> {
    if !is_dash(path) {
        let start = start_of(path);
        refuse_empty(path, path.is_file() && start.is_empty())?;
        refuse_recording(path, &start)?;
        return load_with_solids(path);
    }
    let bytes = read_bytes(std::io::stdin().lock());
    refuse_empty(path, bytes.as_ref().is_ok_and(Vec::is_empty))?;
    refuse_recording(path, bytes.as_deref().unwrap_or_default())?;
    let text = bytes.and_then(text_of).map_err(|what| {
        let problem = Problem::new(ScenePath::root(), format!("cannot read the scene: {what}"))
            .hint("a scene is a text in RON; see docs/scene-format.md");
        SceneError::in_text(SourceText::new(STANDARD_INPUT, ""), vec![problem])
    })?;
    parse_with_solids(STANDARD_INPUT, &text)
}

/// Whether a file begins as a scene does.
pub fn is_scene(path: &Path) -> bool {
    looks_like_a_scene(&String::from_utf8_lossy(&start_of(path)))
}

/// Whether a file is a scene, or is named as one and is nothing else, so that it is told what is wrong with it.
pub fn is_meant_as_scene(path: &Path) -> bool {
    let is_named_so = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ron"));
    is_scene(path) || is_named_so && path.is_file() && !is_replay(path)
}

/// Whether a path stands for standard input and that begins as a scene does; nothing of it is taken.
pub fn is_scene_from_input(path: &Path) -> bool {
    let begins = |start: &[u8]| looks_like_a_scene(&String::from_utf8_lossy(start));
    is_dash(path) && std::io::stdin().lock().fill_buf().is_ok_and(begins)
}

/// Refuses a folder where a scene or a replay is wanted.
pub fn refuse_folder(path: &Path) -> Result<(), Failure> {
    if !path.is_dir() {
        return Ok(());
    }
    Err(Failure::Usage(format!("{} is a folder; name a scene or a replay in it", path.display())))
}

/// Whether a file begins as a replay does.
pub fn is_replay(path: &Path) -> bool {
    begins_as_a_replay(&start_of(path))
}

/// Refuses a scene with nothing in it.
fn refuse_empty(path: &Path, is_empty: bool) -> Result<(), SceneError> {
    if !is_empty {
        return Ok(());
    }
    let problem = Problem::new(ScenePath::root(), "the scene is empty")
        .hint("docs/scene-format.md says what a scene has to have");
    Err(SceneError::in_text(SourceText::new(&name_of(path), ""), vec![problem]))
}

/// The beginning of a file, which says what it is; nothing where it is none, or standard input.
pub fn start_of(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if !is_dash(path) && path.is_file() {
        // What cannot be read says so when it is read in earnest.
        let _ = File::open(path).and_then(|file| file.take(START_BYTES as u64).read_to_end(&mut start));
    }
    start
}

/// Refuses what begins as a replay or a trace where a scene is wanted, and says which commands take it.
fn refuse_recording(path: &Path, start: &[u8]) -> Result<(), SceneError> {
    let name = name_of(path);
    let fail = |title: &str, hints: [String; 2]| {
        let problem = Problem::new(ScenePath::root(), title);
        let problem = hints.into_iter().fold(problem, Problem::hint);
        Err(SceneError::in_text(SourceText::new(&name, ""), vec![problem]))
    };
    if begins_as_a_trace(start) {
        let hint = "`diff` and `bisect` take traces".to_owned();
        return fail("this is a trace, not a scene", [hint, String::new()]);
    }
    if begins_as_a_replay(start) {
        let file = quoted(&path.display().to_string());
        let next = format!(
            "`{}` runs it again, `{}` shows it",
            command(&format!("verify {file}")),
            command(&format!("show {file}"))
        );
        let others =
            "replays are taken by view, show, export, plot, verify, diff, bisect, trace, ladder, minimize and accept"
                .to_owned();
        return fail("this is a replay, not a scene", [next, others]);
    }
    Ok(())
}

/// Reads inputs for a scene, one RON record on each line.
pub fn read_inputs(path: &Path, scene: &Scene) -> Result<Vec<Input>, Failure> {
    let name = name_of(path);
    let cannot = |what: String| Failure::Usage(format!("{name}: cannot read the inputs: {what}"));
    let text = if is_dash(path) {
        read_text(std::io::stdin().lock()).map_err(cannot)?
    } else if path.is_dir() {
        return Err(cannot("this is a folder".to_owned()));
    } else {
        let file = File::open(path).map_err(|error| cannot(error.to_string()))?;
        read_text(file).map_err(cannot)?
    };
    let mut extended = scene.clone();
    append_inputs(&mut extended, &name, &text)?;
    Ok(extended.inputs.split_off(scene.inputs.len()))
}

/// Reads a text of bounded size, or says why that is not possible.
pub fn read_text(stream: impl Read) -> Result<String, String> {
    read_bytes(stream).and_then(text_of)
}

fn read_bytes(stream: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    stream.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("this is not a text: byte {} is not UTF-8", error.utf8_error().valid_up_to()))
}
