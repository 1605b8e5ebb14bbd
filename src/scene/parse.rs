//! From a file or a text to a checked [`Scene`].

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path as FilePath;

use ron::Options;
use ron::extensions::Extensions;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::scene::diagnose;
use crate::scene::document::{Document, NodeKind, is_blank, too_deep_at};
use crate::scene::error::{Problem, SceneError, SourceText, quoted};
use crate::scene::hull_file::read_hull_files;
use crate::scene::model::Scene;
use crate::scene::model::defaults::SCENE_VERSION;
use crate::scene::path::Path;
use crate::scene::validate;
use crate::scene::write_out_parts::{DecomposedSolid, write_out_parts};

/// Largest scene file in bytes. Large scenes are written with generators.
pub const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Deepest nesting that `ron` follows, a little more than the nesting of brackets that is allowed.
const MAX_NESTING: usize = 97;

/// Reads, parses and checks a scene file.
///
/// # Errors
/// When the file cannot be read, is larger than [`MAX_FILE_BYTES`], is not text, or is not a valid scene; when it names a file that
/// cannot be read, or lies outside of its folder.
pub fn load(path: &FilePath) -> Result<Scene, SceneError> {
    Ok(load_with_solids(path)?.0)
}

/// [`load`], and what became of the solids that the scene has cut into hulls.
///
/// # Errors
/// As [`load`].
pub fn load_with_solids(path: &FilePath) -> Result<(Scene, Vec<DecomposedSolid>), SceneError> {
    let name = path.display().to_string();
    let text = read_text(path).map_err(|problem| SceneError::in_text(SourceText::new(&name, ""), vec![problem]))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(FilePath::new("."));
    parse_in(&name, &text, Some(folder))
}

/// Parses and checks a scene. `source_name` is what errors call the text, such as the path of its file.
///
/// # Errors
/// A syntax error or an unknown key alone; values that are not allowed all together. The name of a file is not allowed: only
/// [`load`] knows the folder where it lies.
pub fn parse(source_name: &str, text: &str) -> Result<Scene, SceneError> {
    Ok(parse_with_solids(source_name, text)?.0)
}

/// [`parse`], and what became of the solids that the scene has cut into hulls.
///
/// # Errors
/// As [`parse`].
pub fn parse_with_solids(source_name: &str, text: &str) -> Result<(Scene, Vec<DecomposedSolid>), SceneError> {
    parse_in(source_name, text, None)
}

/// [`parse`] of a scene as replays have it, in which solids are written out as the hulls that they were cut into: one that is not is
/// refused before it is cut.
///
/// # Errors
/// As [`parse`], and for a solid.
pub fn parse_written_out(source_name: &str, text: &str) -> Result<Scene, SceneError> {
    let source = SourceText::new(source_name, text);
    let scene: Scene = parse_value(&source, check_version)?;
    if scene.has_solids() {
        let problem = Problem::new(Path::root(), "there is a `Decomposed` solid in it");
        report(&source, vec![problem.expected("hulls: a solid is cut when a scene is loaded, before it is recorded")])?;
    }
    report(&source, validate::problems(&scene))?;
    Ok(scene)
}

/// Parses and checks a scene, with the files in a folder that it names.
fn parse_in(
    source_name: &str,
    text: &str,
    folder: Option<&FilePath>,
) -> Result<(Scene, Vec<DecomposedSolid>), SceneError> {
    let source = SourceText::new(source_name, text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut scene: Scene = parse_value(&source, check_version)?;
    if let Some(folder) = folder {
        report(&source, read_hull_files(&mut scene, folder))?;
    }
    report(&source, validate::problems(&scene))?;
    let solids = write_out_parts(&mut scene).or_else(|problems| report(&source, problems).map(|()| Vec::new()))?;
    Ok((scene, solids))
}

/// The dialect of RON that scenes are written in: no `Some`, and a variant's content directly in its parentheses.
#[must_use]
pub(crate) fn ron_options() -> Options {
    Options::default()
        .with_recursion_limit(MAX_NESTING)
        .with_default_extension(Extensions::IMPLICIT_SOME)
        .with_default_extension(Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// The scene of a canonical text that was changed by machine, unchecked; nothing when it is not a scene.
#[must_use]
pub fn read_canonical(text: &str) -> Option<Scene> {
    ron_options().from_str(text).ok()
}

/// Reads one value from a text: first its syntax, then `check` on its tree, then its keys and types.
pub(crate) fn parse_value<T: for<'de> Deserialize<'de>>(
    source: &SourceText,
    check: impl FnOnce(&Document<'_>) -> Result<(), Problem>,
) -> Result<T, SceneError> {
    let fail = |problem: Problem| SceneError::in_text(source.clone(), vec![problem]);
    let text = source.text.as_str();
    check_is_text(text).map_err(fail)?;
    check_syntax(text).map_err(fail)?;
    let document = Document::new(text).ok_or_else(|| fail(Problem::new(Path::root(), "this is not a value in RON")))?;
    check(&document).map_err(fail)?;
    check_duplicate_names(&document).map_err(fail)?;
    ron_options().from_str(text).map_err(|error| fail(diagnose::type_problem(&document, text, &error)))
}

/// Whether a text is one value in RON, of whatever type.
pub(crate) fn check_syntax(text: &str) -> Result<(), Problem> {
    if let Some(offset) = too_deep_at(text, MAX_NESTING - 1) {
        return Err(Problem::new(Path::root(), "brackets are nested too deeply")
            .at(offset..offset + 1)
            .expected(format!("level {MAX_NESTING} of brackets, where {} are allowed", MAX_NESTING - 1))
            .hint("a scene needs fewer than ten; is a bracket missing its end?"));
    }
    let syntax = ron_options().from_str::<IgnoredAny>(text);
    syntax.map(|_| ()).map_err(|error| diagnose::syntax_problem(text, &error))
}

/// An error with all the problems, each at its place in the text, if there are any.
pub(crate) fn report(source: &SourceText, problems: Vec<Problem>) -> Result<(), SceneError> {
    if problems.is_empty() {
        return Ok(());
    }
    let mut problems = match Document::new(&source.text) {
        Some(document) => problems.into_iter().map(|problem| located(&document, problem)).collect(),
        None => problems,
    };
    problems.sort_by_key(|problem| problem.span.as_ref().map(|span| span.start));
    Err(SceneError::in_text(source.clone(), problems))
}

fn located(document: &Document<'_>, mut problem: Problem) -> Problem {
    if problem.span.is_none() {
        let (span, steps) = document.place(&problem.path);
        if steps < problem.path.steps().len() {
            let hint = format!("the value is a default: `{}` is not written", problem.path);
            problem = problem.hint(hint);
        }
        problem.span = Some(span);
    }
    problem
}

fn check_is_text(text: &str) -> Result<(), Problem> {
    if let Some(offset) = text.find('\0') {
        let title = format!("this is not a text file: byte {offset} is zero");
        return Err(Problem::new(Path::root(), title).hint("a scene is a text in RON; see docs/scene-format.md"));
    }
    if !is_blank(text) {
        return Ok(());
    }
    // What a comment that goes on to the end hides is no empty scene.
    if let Err(error) = ron_options().from_str::<IgnoredAny>(text)
        && error.code == ron::Error::UnclosedBlockComment
    {
        return Err(diagnose::syntax_problem(text, &error));
    }
    Err(Problem::new(Path::root(), "the scene is empty")
        .hint(r#"the smallest scene is `(version: 1, name: "empty", bodies: [])`"#))
}

fn check_version(document: &Document<'_>) -> Result<(), Problem> {
    let root = document.root();
    let supported = format!("write `version: {SCENE_VERSION}`: the version of the format this program reads");
    let has_keys = root.kind == NodeKind::Fields || (root.kind == NodeKind::Tuple && root.children.is_empty());
    if !has_keys {
        return Err(Problem::new(Path::root(), "a scene is a list of keys in parentheses")
            .at(root.span.clone())
            .expected("expected `(version: 1, name: \"...\", bodies: [...])`"));
    }
    let Some(child) = root.children.iter().find(|child| document.key_text(child).as_deref() == Some("version")) else {
        let title = "the scene does not say its format version";
        return Err(Problem::new(Path::root(), title)
            .at(root.span.start..root.span.start + 1)
            .expected("missing key `version`")
            .hint(supported));
    };
    let written = document.text_of(&child.node);
    if written.parse() == Ok(SCENE_VERSION) {
        return Ok(());
    }
    Err(Problem::new(Path::root().key("version"), format!("scene format version {} is not supported", quoted(written)))
        .at(child.node.span.clone())
        .expected(format!("this program reads version {SCENE_VERSION}"))
        .hint("use a physim that reads this version, or rewrite the scene; docs/scene-format.md lists the changes"))
}

fn check_duplicate_names(document: &Document<'_>) -> Result<(), Problem> {
    let mut duplicate = None;
    document.walk(&mut |node| {
        if node.kind == NodeKind::Map && duplicate.is_none() {
            let mut names: Vec<_> = node
                .children
                .iter()
                .filter_map(|child| Some((document.key_text(child)?, child.key.clone()?)))
                .collect();
            names.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.start.cmp(&b.1.start)));
            duplicate = names.windows(2).find_map(|pair| match pair {
                [(first, _), (second, span)] if first == second => Some((second.clone(), span.clone())),
                _ => None,
            });
        }
    });
    match duplicate {
        None => Ok(()),
        Some((name, span)) => Err(Problem::new(Path::root(), format!("the name {} is given twice", quoted(&name)))
            .at(span)
            .expected("this name is already taken in this map")),
    }
}

fn read_text(path: &FilePath) -> Result<String, Problem> {
    let cannot = |why: String| Problem::new(Path::root(), format!("cannot read the scene: {why}"));
    let io_problem = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => cannot("there is no such file".to_owned()).hint("check the path; scenes end in `.ron`"),
        _ => cannot(error.to_string()),
    };
    let metadata = std::fs::metadata(path).map_err(io_problem)?;
    if metadata.is_dir() {
        return Err(
            cannot("this is a folder".to_owned()).hint("name a scene file in it, such as `scenes/billiards.ron`")
        );
    }
    let too_large =
        || cannot(format!("it is larger than {} MiB", MAX_FILE_BYTES >> 20)).hint("write many bodies as `groups`");
    if metadata.len() > MAX_FILE_BYTES {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(io_problem)?;
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(io_problem)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large());
    }
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        Problem::new(Path::root(), format!("this is not a text file: byte {offset} is not UTF-8"))
            .hint("a scene is a text in RON; see docs/scene-format.md")
    })
}
