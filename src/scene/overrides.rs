//! Changes of single keys, as `--set solver.iterations=20` makes them.
//!
//! The change is made in the canonical text of the scene, where every key is written, and the text is parsed again: so
//! any key can be set, every other number keeps its text, and the result is checked as a file is.

use std::ops::Range;

use crate::math::ScalarKind;
use crate::scene::decimal::Decimal;
use crate::scene::document::{Child, Document, Node, NodeKind};
use crate::scene::error::{Problem, SceneError, SourceText, listed, quoted};
use crate::scene::model::Scene;
use crate::scene::model::defaults::DEFAULT_MATERIAL;
use crate::scene::nearest::nearest_hint;
use crate::scene::parse::{check_syntax, parse_value, read_canonical};
use crate::scene::path::Path;
use crate::scene::validate;
use crate::scene::write_out_parts::write_out_parts;

/// What errors call the text of an override.
const SOURCE_NAME: &str = "--set";

/// Sets one key: `KEY=VALUE`, where the key's parts are joined by dots and the value is RON.
///
/// A part is a key (`solver.correction.beta`), the name of a material, shape, body or group
/// (`materials.ice.friction`, `bodies.ball.mass`), or a place in a list or tuple counted from 0 (`gravity.1`). The name of
/// a variant is not a part. Where a text stands now, its quotes may be left out (`dt=1/120`), and
/// so may those of a density that is an expression.
///
/// # Errors
/// When there is no such key, the value is not RON or of another type, or the scene it makes is not allowed. The scene
/// then stays as it was.
pub fn apply_override(scene: &mut Scene, assignment: &str) -> Result<(), SceneError> {
    let source = SourceText::new(SOURCE_NAME, assignment);
    let fail = |problem: Problem| SceneError::in_text(source.clone(), vec![problem]);
    let Some(equals) = assignment.find('=') else {
        return Err(fail(
            Problem::new(Path::root(), format!("{} sets nothing", quoted(assignment)))
                .at(0..assignment.len())
                .expected("expected `KEY=VALUE`, such as `solver.iterations=20`"),
        ));
    };
    let key = assignment.get(..equals).unwrap_or("");
    let canonical = if key.starts_with("materials.default.") {
        with_default_material(scene).to_canonical_ron()
    } else {
        scene.to_canonical_ron()
    };
    let document =
        Document::new(&canonical).ok_or_else(|| fail(Problem::new(Path::root(), "the scene has no text")))?;
    let node = find_key(&document, key).map_err(fail)?;
    let place = node.span.clone();
    let value = new_value(&source, key, document.text_of(node))?;
    let changed = format!(
        "{}{}{}",
        canonical.get(..place.start).unwrap_or(""),
        value.text,
        canonical.get(place.end..).unwrap_or("")
    );
    *scene = value.parse_in(&source, &changed, place.start)?;
    Ok(())
}

/// Whether a scene is one in which these keys were set, each `KEY=VALUE`: setting them again changes nothing. All are set at
/// once, so that it takes no longer than to read the scene. A solid that was set is no longer there, but the hulls that it was cut into:
/// such an assignment is not looked at.
#[must_use]
pub fn has_overrides(scene: &Scene, assignments: &[String]) -> bool {
    let lasting: Vec<String> =
        assignments.iter().filter(|assignment| !assignment.contains("Decomposed")).cloned().collect();
    lasting.is_empty() || set_all(scene, &lasting).is_some_and(|changed| changed == *scene)
}

/// The scene with all these keys set; nothing where one cannot be set, or lies within another.
fn set_all(scene: &Scene, assignments: &[String]) -> Option<Scene> {
    let canonical = scene.to_canonical_ron();
    let document = Document::new(&canonical)?;
    let mut changes = Vec::with_capacity(assignments.len());
    for assignment in assignments {
        let key = assignment.split_once('=')?.0;
        let node = find_key(&document, key).ok()?;
        let source = SourceText::new(SOURCE_NAME, assignment);
        changes.push((node.span.clone(), new_value(&source, key, document.text_of(node)).ok()?.text));
    }
    changes.sort_by_key(|(place, _)| place.start);
    let mut changed = String::with_capacity(canonical.len());
    let mut copied = 0;
    for (place, value) in changes {
        changed.push_str(canonical.get(copied..place.start)?);
        changed.push_str(&value);
        copied = place.end;
    }
    changed.push_str(canonical.get(copied..)?);
    read_canonical(&changed)
}

/// The value that an assignment to `key` has, where `present` stands now.
fn new_value(source: &SourceText, key: &str, present: &str) -> Result<Value, SceneError> {
    let offset = key.len() + 1;
    let is_text = if key.trim_end().ends_with(".density") {
        // A number, with a comment behind it or not, or else the text of an expression.
        let written = source.text.get(offset..).unwrap_or("");
        Decimal::new(written.split("//").next().unwrap_or("").trim()).is_err()
    } else {
        present.starts_with('"')
    };
    let mut value = Value::read(source, offset, is_text)?;
    if key.trim() == "scalar" {
        value.text = scalar_as_written(&value.text);
    }
    Ok(value)
}

/// Refuses a key that is set twice, or within another one that is set: which of the values would hold depends on the
/// order. Each comes as `KEY=VALUE`.
///
/// # Errors
/// At the first key that an earlier one takes in, or is taken in by.
pub fn check_set_once(assignments: &[String]) -> Result<(), SceneError> {
    let key_of = |assignment: &String| assignment.split('=').next().unwrap_or("").to_owned();
    let keys: Vec<String> = assignments.iter().map(key_of).collect();
    for (place, assignment) in assignments.iter().enumerate() {
        let Some(twice) = set_twice(&keys[..=place]) else { continue };
        let source = SourceText::new(SOURCE_NAME, assignment);
        let problem = Problem::new(Path::root(), twice).at(0..keys[place].len());
        return Err(SceneError::in_text(source, vec![problem.hint("set it once")]));
    }
    Ok(())
}

/// What is wrong with the last of some keys, each joined by dots: that an earlier one is the same, or one within the other.
#[must_use]
pub fn set_twice(keys: &[impl AsRef<str>]) -> Option<String> {
    let parts = |key: &str| key.split('.').map(|part| part.trim().to_owned()).collect::<Vec<String>>();
    let (last, earlier) = keys.split_last()?;
    let (last, of_last) = (last.as_ref(), parts(last.as_ref()));
    earlier.iter().find_map(|earlier| {
        let (key, of_key) = (earlier.as_ref(), parts(earlier.as_ref()));
        if of_key == of_last {
            return Some(format!("{} is set twice", quoted(last)));
        }
        let (outer, inner) = if of_last.starts_with(&of_key) {
            (key, last)
        } else if of_key.starts_with(&of_last) {
            (last, key)
        } else {
            return None;
        };
        Some(format!("{} is set twice: {} is a part of {}", quoted(inner), quoted(inner), quoted(outer)))
    })
}

/// A scalar as scenes write it: the command line takes `f32` for `F32`.
fn scalar_as_written(text: &str) -> String {
    let kind = ScalarKind::from_name(&text.to_lowercase());
    kind.and_then(|kind| ron::to_string(&kind).ok()).unwrap_or_else(|| text.to_owned())
}

/// The scene with the default material written out, so that its keys can be set.
fn with_default_material(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    scene.materials.entry(DEFAULT_MATERIAL.to_owned()).or_default();
    scene
}

/// The new value and where it stands in the override.
struct Value {
    text: String,
    span: Range<usize>,
    /// Whether quotes were put around what was written.
    is_quoted: bool,
}

impl Value {
    /// Reads the value from `offset` on: one RON value, or a bare text where a text is expected.
    fn read(source: &SourceText, offset: usize, expects_text: bool) -> Result<Self, SceneError> {
        let written = source.text.get(offset..).unwrap_or("");
        let value = written.trim();
        let start = offset + (written.len() - written.trim_start().len());
        let span = start..start + value.len();
        let fail = |problem| SceneError::in_text(source.clone(), vec![problem]);
        if value.is_empty() {
            let problem = Problem::new(Path::root(), "there is no value after `=`").at(offset - 1..offset);
            return Err(fail(problem.expected("expected a value in RON after this")));
        }
        if expects_text && !value.starts_with('"') {
            return Ok(Self { text: format!("\"{}\"", value.escape_default()), span, is_quoted: true });
        }
        check_syntax(value).map_err(|mut problem| {
            problem.span = problem.span.map(|inner| start + inner.start..start + inner.end);
            fail(problem)
        })?;
        // Comments around the value would swallow what follows it in the scene.
        let inner = Document::new(value).map_or(0..value.len(), |document| document.root().span.clone());
        let text = value.get(inner.clone()).unwrap_or("").to_owned();
        Ok(Self { text, span: start + inner.start..start + inner.end, is_quoted: false })
    }

    /// Parses and checks the changed text, in which the value stands at `start`; errors are shown in the override.
    fn parse_in(&self, source: &SourceText, changed: &str, start: usize) -> Result<Scene, SceneError> {
        let changed_source = SourceText::new(SOURCE_NAME, changed);
        let parsed: Result<Scene, SceneError> = parse_value(&changed_source, |_| Ok(()));
        let problems = match parsed {
            Ok(mut scene) => {
                let mut problems = validate::problems(&scene);
                if problems.is_empty() {
                    match write_out_parts(&mut scene) {
                        Ok(_) => return Ok(scene),
                        Err(found) => problems = found,
                    }
                }
                problems
            }
            Err(error) => error.problems().to_vec(),
        };
        let document = Document::new(changed);
        let shown = problems.into_iter().map(|problem| {
            let found = document.as_ref().map(|document| document.place(&problem.path).0);
            let span = problem.span.clone().or(found).unwrap_or(0..0);
            problem.at(self.shifted(&span, start))
        });
        Err(SceneError::in_text(source.clone(), shown.collect()))
    }

    /// A range of the changed text as a range of the override: the whole value when it is not inside the value.
    fn shifted(&self, span: &Range<usize>, start: usize) -> Range<usize> {
        let end = start + self.text.len();
        let is_outside = span.start < start || span.end > end;
        // Quotes that were put around it are not in the override, and escapes neither.
        let quote = usize::from(self.is_quoted);
        let is_whole = span.start < start + quote || span.end + quote > end;
        if is_outside || (self.is_quoted && (is_whole || self.text.contains('\\'))) {
            return self.span.clone();
        }
        let shift = |place: usize| self.span.start + (place - start - quote);
        shift(span.start)..shift(span.end)
    }
}

/// The value of a key whose parts are joined by dots.
fn find_key<'a>(document: &'a Document<'_>, key: &str) -> Result<&'a Node, Problem> {
    let mut node = document.root();
    let mut offset = 0;
    for written in key.split('.') {
        let part = written.trim();
        let start = offset + (written.len() - written.trim_start().len());
        node = find_part(document, node, part)
            .ok_or_else(|| unknown_part(document, node, key, start..start + part.len()))?;
        offset += written.len() + 1;
    }
    Ok(node)
}

fn find_part<'a>(document: &Document<'_>, node: &'a Node, part: &str) -> Option<&'a Node> {
    let by_key = || node.children.iter().find(|child| part_name(document, child).as_deref() == Some(part));
    let by_place = || node.children.get(part.parse::<usize>().ok()?).filter(|child| child.key.is_none());
    by_key().or_else(by_place).map(|child| &child.node)
}

/// What a part goes by: its key, or in a list of bodies or groups its name.
fn part_name(document: &Document<'_>, child: &Child) -> Option<String> {
    let name_of = |node: &Node| {
        let name = node.children.iter().find(|inner| document.key_text(inner).as_deref() == Some("name"))?;
        ron::from_str(document.text_of(&name.node)).ok()
    };
    if child.key.is_some() { document.key_text(child) } else { name_of(&child.node) }
}

fn unknown_part(document: &Document<'_>, node: &Node, key: &str, place: Range<usize>) -> Problem {
    let part = key.get(place.clone()).unwrap_or("");
    let names: Vec<String> = node.children.iter().filter_map(|child| part_name(document, child)).collect();
    let names = || names.iter().map(String::as_str);
    let choice = match (names().next(), node.kind) {
        (Some(_), _) => format!("the keys here are {}", listed(names())),
        (None, NodeKind::Leaf) => "this value has no keys; it is set as a whole".to_owned(),
        (None, _) if node.children.is_empty() => "there is nothing in here".to_owned(),
        (None, _) => format!("the places here are 0 to {}", node.children.len() - 1),
    };
    Problem::new(Path::root(), format!("unknown key {}", quoted(part)))
        .at(place.clone())
        .expected("there is no such key here")
        .hint(
            Some(deeper_hint(document, node, key, &place))
                .filter(|hint| !hint.is_empty())
                .unwrap_or_else(|| nearest_hint(part, names())),
        )
        .hint(component_hint(node, key, place))
        .hint(choice)
}

/// `did you mean ...?` for a key that stands one level deeper, such as `iterations` of the solver.
fn deeper_hint(document: &Document<'_>, node: &Node, key: &str, place: &Range<usize>) -> String {
    let (before, part) = (key.get(..place.start).unwrap_or(""), key.get(place.clone()).unwrap_or(""));
    let outer = node
        .children
        .iter()
        .filter(|child| child.key.is_some())
        .find(|child| find_part(document, &child.node, part).is_some_and(|_| part.parse::<usize>().is_err()));
    let meant = outer.and_then(|child| document.key_text(child)).map(|outer| format!("{before}{outer}.{part}"));
    meant.map_or_else(String::new, |meant| format!("did you mean {}?", quoted(&meant)))
}

/// `did you mean ...?` for a component that was written by its letter.
fn component_hint(node: &Node, key: &str, place: Range<usize>) -> String {
    let (before, part) = (key.get(..place.start).unwrap_or(""), key.get(place).unwrap_or(""));
    let letters: &[&str] = match node.children.len() {
        3 => &["x", "y", "z"],
        4 => &["w", "x", "y", "z"],
        _ => return String::new(),
    };
    let is_tuple = node.kind == NodeKind::Tuple && node.children.iter().all(|child| child.key.is_none());
    let place = letters.iter().position(|letter| part.eq_ignore_ascii_case(letter)).filter(|_| is_tuple);
    place.map_or_else(String::new, |place| format!("did you mean {}?", quoted(&format!("{before}{place}"))))
}
