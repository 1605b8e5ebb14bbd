//! Errors for machines: what ended a command, as JSON on standard output.

use crate::scene::SceneError;
use serde::Serialize;

use crate::report::json::line;

#[derive(Serialize)]
struct FailureJson<'a> {
    schema: u32,
    error: ErrorJson<'a>,
    exit_status: u8,
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    kind: &'a str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    problems: Vec<ProblemJson<'a>>,
}

/// One thing that is wrong with a scene, an input or an override.
#[derive(Serialize)]
struct ProblemJson<'a> {
    message: &'a str,
    expected: Option<&'a str>,
    hints: &'a [String],
    path: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
}

/// An error that is one sentence.
pub fn json(kind: &str, message: &str, exit_status: u8) -> String {
    let error = ErrorJson { kind, message, file: None, line: None, column: None, problems: Vec::new() };
    line(&FailureJson { schema: 1, error, exit_status })
}

/// Errors in a scene, in inputs or overrides, with all their problems: the place is that of the first.
pub fn scene_json(errors: &[SceneError], exit_status: u8) -> String {
    let problems_of = |error| SceneError::problems(error).iter().map(move |problem| problem_json(error, problem));
    let problems: Vec<ProblemJson<'_>> = errors.iter().flat_map(problems_of).collect();
    let first = problems.first();
    let error = ErrorJson {
        kind: "scene",
        message: first.map_or("", |problem| problem.message),
        file: errors.first().and_then(SceneError::source_name),
        line: first.and_then(|problem| problem.line),
        column: first.and_then(|problem| problem.column),
        problems,
    };
    line(&FailureJson { schema: 1, error, exit_status })
}

fn problem_json<'a>(error: &'a SceneError, problem: &'a crate::scene::error::Problem) -> ProblemJson<'a> {
    let place = error.line_and_column(problem);
    ProblemJson {
        message: &problem.title,
        expected: Some(problem.expected.as_str()).filter(|expected| !expected.is_empty()),
        hints: &problem.hints,
        path: Some(problem.path.to_string()).filter(|path| !path.is_empty()),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
    }
}
