//! Inputs that come beside the scene: one RON record per line, the same type as in the scene's `inputs`.

use crate::scene::document::Document;
use crate::scene::error::{Problem, SceneError, SourceText};
use crate::scene::model::{Input, Scene};
use crate::scene::parse::parse_value;
use crate::scene::path::{Path, PathStep};
use crate::scene::validate;
use crate::scene::write_out_parts::write_out_parts;

/// Reads one input; what bodies and values it names is not checked.
///
/// # Errors
/// When the line is not RON or no [`Input`]. `line_number` counts from 1.
pub fn parse_input_line(source_name: &str, line_number: usize, text: &str) -> Result<Input, SceneError> {
    let source = SourceText { name: source_name.to_owned(), text: text.to_owned(), first_line: line_number };
    parse_value(&source, |_| Ok(()))
}

/// Reads inputs, one on each line, and adds them behind those of the scene. Empty lines and lines that start with `//`
/// are skipped. The scene stays as it was when anything is wrong.
///
/// # Errors
/// The first line that is not an input; or everything that is wrong with the scene and all its inputs.
pub fn append_inputs(scene: &mut Scene, source_name: &str, text: &str) -> Result<(), SceneError> {
    let own_inputs = scene.inputs.len();
    let mut extended = scene.clone();
    let mut lines = Vec::new();
    let mut offset = 0;
    for (place, line) in text.split_inclusive('\n').enumerate() {
        let content = line.trim();
        if !content.is_empty() && !content.starts_with("//") {
            extended.inputs.push(parse_input_line(source_name, place + 1, line.trim_end())?);
            lines.push((offset, line.trim_end()));
        }
        offset += line.len();
    }
    let mut problems = validate::problems(&extended);
    if problems.is_empty() {
        match write_out_parts(&mut extended) {
            Ok(_) => {
                *scene = extended;
                return Ok(());
            }
            Err(found) => problems = found,
        }
    }
    let locate = |problem: Problem| match located(&problem.path, own_inputs, &lines) {
        Some(span) if problem.span.is_none() => problem.at(span),
        _ => problem,
    };
    let problems = problems.into_iter().map(locate).collect();
    Err(SceneError::in_text(SourceText::new(source_name, text), problems))
}

/// Where a path into the added inputs stands in their text; `lines` has the offset and content of each input's line.
fn located(path: &Path, own_inputs: usize, lines: &[(usize, &str)]) -> Option<std::ops::Range<usize>> {
    let [PathStep::Key(key), PathStep::Index(index), inner @ ..] = path.steps() else { return None };
    if key != "inputs" {
        return None;
    }
    let (offset, line) = lines.get(index.checked_sub(own_inputs)?)?;
    let document = Document::new(line)?;
    let (span, _) = document.place(&Path::from_steps(inner));
    Some(offset + span.start..offset + span.end)
}
