//! What questions to a scene or a replay found.

use serde::Serialize;

use crate::analysis::query::Answers;
use crate::report::json::line;
use crate::report::number::short;
use crate::report::style::{FAINT, TITLE, printable};
use crate::report::table::{Cell, Table};
use crate::world::queries::{AskError, Found};

/// A question as it is shown: by its name in the scene, if it has one, and in full.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Its name.
    pub name: Option<String>,
    /// The question in RON.
    pub text: String,
}

/// For people: each question with a table of what it found.
pub fn text(source: &str, seconds: f64, asked: &[Asked], answers: &Answers) -> String {
    let mut text = format!("{}: step {}, {} s\n", TITLE.paint(printable(source)), answers.step, short(seconds));
    for (question, found) in asked.iter().zip(&answers.found) {
        let name = question.name.as_ref().map_or_else(String::new, |name| format!("{}: ", printable(name)));
        text += &format!("\n  {name}{}\n", FAINT.paint(printable(&question.text)));
        text += &match found {
            Ok(found) if found.is_empty() => "    nothing\n".to_owned(),
            Ok(found) => table(found),
            Err(error) => format!("    no answer: {}\n", printable(&error.to_string())),
        };
    }
    text
}

/// A column of what was found, where anything has it.
type Column = (&'static str, bool, fn(&Found) -> Option<String>);

const COLUMNS: [Column; 7] = [
    ("shape", false, |found| Some(printable(&found.shape))),
    ("other", false, |found| found.other.as_deref().map(printable)),
    ("time (s)", true, |found| found.time.map(short)),
    ("distance (m)", true, |found| found.distance.map(short)),
    ("point (m)", false, |found| found.point.map(tuple)),
    ("other point (m)", false, |found| found.other_point.map(tuple)),
    ("normal", false, |found| found.normal.map(tuple)),
];

fn table(found: &[Found]) -> String {
    let mut table = Table::indented(4);
    let columns: Vec<&Column> =
        COLUMNS.iter().filter(|(_, _, cell)| found.iter().any(|found| cell(found).is_some())).collect();
    let cell = |is_number: bool, text: String| if is_number { Cell::number(text) } else { Cell::text(text) };
    table.row(columns.iter().map(|(head, is_number, _)| cell(*is_number, (*head).to_owned()).painted(FAINT)));
    for thing in found {
        table.row(columns.iter().map(|(_, is_number, value)| cell(*is_number, value(thing).unwrap_or_default())));
    }
    table.render()
}

/// A vector. What is less than half a micrometre is rounding, and would hide the digits that count.
pub fn tuple(vector: [f64; 3]) -> String {
    let rounded = vector.map(|component| if component.abs() < 5e-7 { 0.0 } else { component });
    format!("({})", rounded.map(short).join(", "))
}

#[derive(Serialize)]
struct AnswersJson<'a> {
    schema: u32,
    step: u32,
    seconds: f64,
    queries: Vec<QueryJson<'a>>,
}

#[derive(Serialize)]
struct QueryJson<'a> {
    name: Option<&'a str>,
    query: &'a str,
    found: Vec<FoundJson<'a>>,
    /// Why it has no answer.
    error: Option<String>,
}

#[derive(Serialize)]
struct FoundJson<'a> {
    shape: &'a str,
    other: Option<&'a str>,
    seconds: Option<f64>,
    distance: Option<f64>,
    point: Option<[f64; 3]>,
    other_point: Option<[f64; 3]>,
    normal: Option<[f64; 3]>,
}

impl<'a> From<&'a Found> for FoundJson<'a> {
    fn from(found: &'a Found) -> Self {
        let Found { shape, other, distance, time, point, other_point, normal } = found;
        Self {
            shape,
            other: other.as_deref(),
            seconds: *time,
            distance: *distance,
            point: *point,
            other_point: *other_point,
            normal: *normal,
        }
    }
}

/// For machines: a line for each step.
pub fn json(seconds: f64, asked: &[Asked], answers: &Answers) -> String {
    let queries = asked.iter().zip(&answers.found).map(|(question, found)| QueryJson {
        name: question.name.as_deref(),
        query: &question.text,
        found: found.iter().flatten().map(FoundJson::from).collect(),
        error: found.as_ref().err().map(AskError::to_string),
    });
    line(&AnswersJson { schema: 1, step: answers.step, seconds, queries: queries.collect() })
}
