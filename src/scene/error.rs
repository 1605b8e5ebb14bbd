//! What is wrong with a scene, shown with the source line it stands in.

use std::fmt::{self, Display};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::scene::path::Path;
use crate::scene::printable::{is_to_be_shown, printable};

/// Most problems that one error lists; the rest is counted.
const MAX_SHOWN: usize = 20;

/// Longest source line in bytes that is shown.
const MAX_LINE: usize = 4096;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, naming the object.
    pub title: String,
    /// What was expected at the place; stands under the source line.
    pub expected: String,
    /// What to do.
    pub hints: Vec<String>,
    /// Where in the scene; the whole scene where no place can be named.
    pub path: Path,
    /// The bytes of the source text that are meant.
    pub span: Option<Range<usize>>,
}

impl Problem {
    /// Something wrong at a path.
    #[must_use]
    pub fn new(path: Path, title: impl Into<String>) -> Self {
        Self { title: title.into(), expected: String::new(), hints: Vec::new(), path, span: None }
    }

    /// The same, with what was expected.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// The same, with what to do; nothing when the hint is empty.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        if !hint.is_empty() {
            self.hints.push(hint);
        }
        self
    }

    /// The same, at a place in the source text.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }
}

/// A text that problems point into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// Its name: a path, or what else a person would call it.
    pub name: String,
    /// The text; empty where there is none to show.
    pub text: String,
    /// The number of its first line.
    pub first_line: usize,
}

impl SourceText {
    /// A text whose lines count from 1.
    #[must_use]
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned(), first_line: 1 }
    }
}

/// A scene, an input or an override that cannot be used, with everything that is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    source_text: Option<Box<SourceText>>,
    problems: Vec<Problem>,
}

impl SceneError {
    /// Problems in a text.
    #[must_use]
    pub fn in_text(source: SourceText, problems: Vec<Problem>) -> Self {
        Self { source_text: Some(Box::new(source)), problems }
    }

    /// Problems without a text, as in a scene that a program made.
    #[must_use]
    pub const fn without_text(problems: Vec<Problem>) -> Self {
        Self { source_text: None, problems }
    }

    /// Everything that is wrong; at least one problem.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The name of the text that the problems are in, if there is one.
    #[must_use]
    pub fn source_name(&self) -> Option<&str> {
        self.source_text.as_ref().map(|source| source.name.as_str())
    }

    /// The same, with another name for the text that the problems are in.
    #[must_use]
    pub fn called(mut self, name: impl Into<String>) -> Self {
        if let Some(source) = &mut self.source_text {
            source.name = name.into();
        }
        self
    }

    /// The line and column of a problem in the text, both counted from 1, where they are known.
    #[must_use]
    pub fn line_and_column(&self, problem: &Problem) -> Option<(usize, usize)> {
        line_and_column(self.source_text.as_ref()?, problem.span.as_ref()?)
    }

    /// The message for a person, each problem with its source line, with or without terminal colours.
    #[must_use]
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let shown = self.problems.iter().take(MAX_SHOWN);
        let mut parts: Vec<String> = shown.map(|problem| renderer.render(&[self.group(problem)])).collect();
        if self.problems.len() > MAX_SHOWN {
            parts.push(format!("... and {} more problems", self.problems.len() - MAX_SHOWN));
        }
        parts.join("\n\n")
    }

    fn group<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let mut title = printable(&problem.title);
        let is_located = self.source_text.is_some() && problem.span.is_some();
        if !is_located && !problem.path.steps().is_empty() {
            title = format!("{title} (at `{}`)", problem.path);
        }
        let mut group = Group::with_title(Level::ERROR.primary_title(title));
        match (&self.source_text, &problem.span) {
            (Some(source), Some(span)) if line_around(&source.text, span.start).len() <= MAX_LINE => {
                let (line, marked) = shown_line(&source.text, &visible_part(&source.text, span));
                let mark = AnnotationKind::Primary.span(marked);
                let mark = if problem.expected.is_empty() { mark } else { mark.label(problem.expected.as_str()) };
                let number = line_and_column(source, span).map_or(source.first_line, |(number, _)| number);
                group = group
                    .element(Snippet::source(line).path(printable(&source.name)).line_start(number).annotation(mark));
            }
            (source, span) => {
                if let Some(source) = source {
                    group = group.element(origin(source, span.as_ref()));
                }
                if !problem.expected.is_empty() {
                    group = group.element(Level::NOTE.message(problem.expected.as_str()));
                }
            }
        }
        group.elements(problem.hints.iter().map(|hint| Level::HELP.message(hint.as_str())))
    }
}

/// The line that holds a byte, without its end.
fn line_around(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    text.get(start..).unwrap_or("").split('\n').next().unwrap_or("")
}

/// The line of a text that holds the marked bytes, and where they are in it. What hides or turns the direction of writing is one
/// visible character, so that columns stay; control characters are left to whoever draws the line.
fn shown_line(text: &str, marked: &Range<usize>) -> (String, Range<usize>) {
    let line = line_around(text, marked.start);
    let before = text.get(..marked.start).unwrap_or("").rsplit('\n').next().unwrap_or("");
    let visible = |part: &str| -> String {
        part.chars().map(|c| if c >= ' ' && is_to_be_shown(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
    };
    let start = visible(before).len();
    let length = visible(text.get(marked.clone()).unwrap_or("")).len();
    (visible(line.strip_suffix('\r').unwrap_or(line)), start..start + length)
}

/// The name of a text, with line and column where a span is known.
fn origin<'a>(source: &SourceText, span: Option<&Range<usize>>) -> Origin<'a> {
    let origin = Origin::path(printable(&source.name));
    match span.and_then(|span| line_and_column(source, span)) {
        Some((line, column)) => origin.line(line).char_column(column),
        None => origin,
    }
}

/// The line and column of a span's start, counted from the text's first line and from 1.
fn line_and_column(source: &SourceText, span: &Range<usize>) -> Option<(usize, usize)> {
    let before = source.text.get(..span.start).filter(|_| !source.text.is_empty())?;
    let column = before.chars().rev().take_while(|character| *character != '\n').count() + 1;
    Some((source.first_line + before.matches('\n').count(), column))
}

/// The part of a span on its first line: a whole body underlined would bury what is meant.
fn visible_part(text: &str, span: &Range<usize>) -> Range<usize> {
    let marked = text.get(span.clone()).unwrap_or("");
    let first_line = marked.split(['\n', '\r']).next().unwrap_or("");
    span.start.min(text.len())..(span.start + first_line.len()).min(text.len())
}

impl Display for SceneError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(false))
    }
}

impl std::error::Error for SceneError {}

/// A name from a scene in a message: in backticks, with control characters made visible.
#[must_use]
pub fn quoted(name: &str) -> String {
    let mut text = String::from("`");
    for character in name.chars() {
        match character {
            '"' | '\'' | '\\' => text.push(character),
            hidden if hidden >= ' ' && is_to_be_shown(hidden) => text.extend(hidden.escape_unicode()),
            other => text.extend(other.escape_debug()),
        }
    }
    text.push('`');
    text
}

/// Names as a list for a person: `` `a`, `b`, `c` ``.
#[must_use]
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MAX_LISTED: usize = 40;
    let mut quoted_names: Vec<String> = names.into_iter().take(MAX_LISTED + 1).map(quoted).collect();
    if quoted_names.len() > MAX_LISTED {
        quoted_names.truncate(MAX_LISTED);
        quoted_names.push("...".to_owned());
    }
    quoted_names.join(", ")
}
