//! What `ron` says about a text, said for a person and at the exact place.

use std::ops::Range;

use ron::error::{Error as RonError, Position, SpannedError};

use crate::scene::document::{Document, Node, open_brackets};
use crate::scene::error::{Problem, listed, quoted};
use crate::scene::forms::{example, form_of_key, form_with_keys, form_without_keys};
use crate::scene::nearest::nearest_hint;
use crate::scene::path::Path;

/// A text that is not RON.
pub(super) fn syntax_problem(text: &str, error: &SpannedError) -> Problem {
    let start = offset_of(text, error.span.start);
    let end = offset_of(text, error.span.end);
    let problem = |title: &str| Problem::new(Path::root(), title).at(one_character(text, end));
    match &error.code {
        RonError::Eof => match open_brackets(text) {
            Some((count, last)) => {
                Problem::new(Path::root(), "the text ends too early").at(last..last + 1).expected(match count {
                    1 => "this bracket is not closed".to_owned(),
                    count => format!("this bracket is not closed, nor are {} before it", count - 1),
                })
            }
            None => problem("the text ends too early").hint("a bracket or a quote that was opened is not closed"),
        },
        RonError::ExpectedComma => problem("a comma is missing").expected("expected `,` before this"),
        RonError::TrailingCharacters => {
            problem("there is more text after the end").expected("nothing may follow the value that ends here")
        }
        RonError::ExpectedStringEnd => {
            problem("a string is not closed").at(one_character(text, start)).expected("expected a closing `\"`")
        }
        RonError::UnclosedBlockComment => problem("a comment is not closed").expected("expected `*/`"),
        RonError::ExpectedMapColon => problem("a colon is missing").expected("expected `:` after the key"),
        other => problem("this is not valid RON").expected(lower_first(&other.to_string())),
    }
}

/// A text that is RON, but does not have the keys and types it should.
pub(super) fn type_problem(document: &Document<'_>, text: &str, error: &SpannedError) -> Problem {
    let cursor = offset_of(text, error.span.end);
    let at_value = value_span(document, text, cursor);
    let problem = |title: String| Problem::new(Path::root(), title);
    match &error.code {
        RonError::NoSuchStructField { expected, found, outer } => {
            problem(format!("unknown key {}{}", quoted(found), within(outer.as_deref())))
                .at(word_before(document, found, cursor).unwrap_or(at_value))
                .expected("there is no such key here")
                .hint(nearest_hint(found, expected.iter().copied()))
                .hint(format!("the keys are {}", listed(expected.iter().copied())))
        }
        RonError::NoSuchEnumVariant { expected, found, .. } => {
            let span = word_before(document, found, cursor).unwrap_or(at_value);
            let key = document.key_of(&document.node_at(span.start).span);
            let of_key = key.map_or_else(String::new, |key| format!(" for {}", quoted(&key)));
            problem(format!("unknown choice {}{of_key}", quoted(found)))
                .at(span)
                .expected("there is no such choice here")
                .hint(nearest_hint(found, expected.iter().copied()))
                .hint(format!("the choices are {}", listed(expected.iter().copied())))
        }
        RonError::MissingStructField { field, outer } => {
            problem(format!("missing key {}{}", quoted(field), within(outer.as_deref())))
                .at(struct_ending_at(document, text, cursor).unwrap_or(at_value))
                .expected(format!("expected {} in here", quoted(&format!("{field}: ..."))))
        }
        RonError::DuplicateStructField { field, outer } => {
            problem(format!("the key {} is given twice{}", quoted(field), within(outer.as_deref())))
                .at(word_before(document, field, cursor).unwrap_or(at_value))
                .expected("this key was given before")
        }
        RonError::Message(message) => {
            let is_doubled = document.slice(&at_value).starts_with('(') && !message.contains("expression");
            let doubled = "vectors in a variant have one pair of parentheses: `Origin(0, 1, 0)`";
            problem(message.clone()).at(at_value).expected("this value").hint(if is_doubled { doubled } else { "" })
        }
        RonError::InvalidValueForType { expected, found } => {
            problem(format!("expected {expected}, found {found}")).at(at_value).expected(format!("expected {expected}"))
        }
        RonError::ExpectedDifferentLength { expected, found } => {
            let values = if *found == 1 { "value" } else { "values" };
            problem(format!("expected {}, found {found} {values}", plain_length(expected)))
                .at(struct_ending_at(document, text, cursor).unwrap_or(at_value))
                .expected("too few or too many values in here")
        }
        RonError::ExpectedStructLikeEnd => problem("there are too many values in these parentheses".to_owned())
            .at(at_value)
            .expected("expected `)` before this"),
        other => wrong_kind(document, at_value, other),
    }
}

/// A value of another kind than its key takes.
fn wrong_kind(document: &Document<'_>, at: Range<usize>, error: &RonError) -> Problem {
    if let Some((name, form)) = form_of_choice(document, &at, error) {
        let title = format!("wrong kind of value in {}", quoted(name));
        return Problem::new(Path::root(), title).at(at).expected(format!("expected {}", quoted(&form)));
    }
    let key = document.key_of(&at);
    let of_key = key.as_ref().map_or_else(String::new, |key| format!(" for {}", quoted(key)));
    let key = key.as_deref().unwrap_or("");
    let form = form_of_key(key, document.slice(&at));
    let expected = form.map_or_else(|| expectation(error), |form| format!("expected {}", quoted(&form)));
    Problem::new(Path::root(), format!("wrong kind of value{of_key}")).at(at).expected(expected).hint(example(key))
}

/// The choice in whose parentheses the value stands, and how its values are written, if not as they stand there.
fn form_of_choice<'a>(document: &Document<'a>, at: &Range<usize>, error: &RonError) -> Option<(&'a str, String)> {
    let holds = |node: &Node| node.children.iter().any(|child| child.node.span == *at);
    let mut parent = None;
    document.walk(&mut |node| parent = if holds(node) { Some(node) } else { parent });
    let parent = parent?;
    let name = document.slice(parent.tag.as_ref()?);
    let values: Vec<&str> = parent.children.iter().map(|child| document.text_of(&child.node)).collect();
    let has_keys = parent.children.iter().any(|child| child.key.is_some());
    let form = match error {
        RonError::ExpectedRawValue if has_keys => form_without_keys(name, &values),
        _ if !has_keys => form_with_keys(name, &values),
        _ => None,
    };
    form.map(|form| (name, form))
}

fn expectation(error: &RonError) -> String {
    match error {
        RonError::ExpectedString => "expected a text in quotes, such as `\"name\"`".to_owned(),
        // The text is RON: only a number can have been read in part, up to its point or exponent.
        RonError::ExpectedComma => "expected a whole number, without a point or an exponent".to_owned(),
        RonError::ExpectedInteger => "expected a whole number".to_owned(),
        RonError::IntegerOutOfBounds => {
            "this whole number is too large, or below zero where there is nothing below".to_owned()
        }
        RonError::ExpectedBoolean => "expected `true` or `false`".to_owned(),
        RonError::ExpectedArray => "expected a list in square brackets `[...]`".to_owned(),
        RonError::ExpectedMap => "expected names and values in braces `{\"name\": ...}`".to_owned(),
        RonError::ExpectedNamedStructLike("Vector") => "expected three numbers in parentheses `(x, y, z)`".to_owned(),
        RonError::ExpectedStructLike | RonError::ExpectedNamedStructLike(_) => {
            "expected values in parentheses `(...)`".to_owned()
        }
        RonError::ExpectedRawValue => "expected a number".to_owned(),
        RonError::ExpectedIdentifier | RonError::InvalidIdentifier(_) | RonError::SuggestRawIdentifier(_) => {
            "expected one of the choices of this key, by its name".to_owned()
        }
        other => lower_first(&other.to_string()),
    }
}

/// `tuple struct Vector with 3 elements` in words for a person.
fn plain_length(expected: &str) -> String {
    match expected {
        vector if vector.contains("Vector") => "three numbers `(x, y, z)`".to_owned(),
        "a tuple of size 2" => "a pair `(.., ..)`".to_owned(),
        other => other.to_owned(),
    }
}

/// ` in a body` for the type name `Body`.
fn within(type_name: Option<&str>) -> String {
    let Some(name) = type_name else { return String::new() };
    let words = match name {
        "Scene" => "the scene",
        "GroupBody" => "the body of a group",
        "Body" => "a body",
        "Bounds" => "the bounds",
        "Material" => "a material",
        "Collider" => "a collider",
        "Filter" => "a filter",
        "QueryFilter" => "the filter of a query",
        "Group" => "a group",
        "Input" => "an input",
        "Joint" => "a joint",
        "Impulse" | "ImpulseSolver" => "`Impulse`",
        other => return format!(" in {}", quoted(other)),
    };
    format!(" in {words}")
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// The byte of a line and column that count characters from 1.
fn offset_of(text: &str, position: Position) -> usize {
    let line = text.split_inclusive('\n').take(position.line.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = text.get(line..).unwrap_or("");
    let column = rest.char_indices().nth(position.col.saturating_sub(1)).map_or(rest.len(), |(offset, _)| offset);
    line + column
}

fn one_character(text: &str, offset: usize) -> Range<usize> {
    let offset = offset.min(text.len());
    let width = text.get(offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    offset..offset + width
}

/// The value that was being read: the one that ends at the cursor, or the innermost one at it or just before it.
fn value_span(document: &Document<'_>, text: &str, cursor: usize) -> Range<usize> {
    let read = text.get(..cursor).unwrap_or("");
    let end = read.trim_end_matches([' ', '\n', '\r', '\t', ',']).len();
    let is_leaf = |node: &&Node| node.children.is_empty();
    let leaf_at = |offset: usize| Some(document.node_at(offset)).filter(is_leaf);
    let before = || leaf_at(read.trim_end_matches([' ', '\n', '\r', '\t', ',', ')']).len().checked_sub(1)?);
    let found = leaf_at(cursor).or_else(|| document.node_ending_at(end)).or_else(before);
    found.unwrap_or_else(|| document.node_at(cursor)).span.clone()
}

/// The last key or name of this text that stands before the cursor.
fn word_before(document: &Document<'_>, word: &str, cursor: usize) -> Option<Range<usize>> {
    let mut found: Option<Range<usize>> = None;
    document.walk(&mut |node| {
        let keys = node.children.iter().filter_map(|child| child.key.as_ref());
        for span in keys.chain(node.tag.as_ref()) {
            let is_later = found.as_ref().is_none_or(|other| other.start < span.start);
            if span.end <= cursor && is_later && document.slice(span) == word {
                found = Some(span.clone());
            }
        }
    });
    found
}

/// The start of the struct whose closing bracket the cursor is at.
fn struct_ending_at(document: &Document<'_>, text: &str, cursor: usize) -> Option<Range<usize>> {
    let end = cursor + text.get(cursor..)?.find(')')?;
    document.node_ending_at(end + 1).map(|node| node.span.clone())
}
