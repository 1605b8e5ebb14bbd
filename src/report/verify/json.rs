//! Verified goldens as JSON lines.

use crate::analysis::verify::Verification;
use crate::analysis::verify::runs::RunOutcome;
use serde::Serialize;

use crate::report::difference::DifferenceJson;
use crate::report::json::line;
use crate::report::verify::VerifiedGolden;

/// The JSON of a verified golden; the first five keys are the contract of schema 1.
#[derive(Serialize)]
struct GoldenJson<'a> {
    schema: u32,
    replay: &'a str,
    verdict: &'static str,
    steps: Option<u32>,
    first: Option<DifferenceJson<'a>>,
    scalar: Option<&'static str>,
    damage: Option<&'a str>,
    notes: &'a [String],
    new: Option<&'a str>,
    warnings: &'a [String],
    planted: &'a [String],
    exercised: Option<ExercisedJson<'a>>,
    program: Option<&'a str>,
    exec: Option<&'a str>,
    repeats: Option<bool>,
    runs: Option<Vec<RunJson>>,
    seconds: f64,
}

/// How one run of a program that does not repeat came out.
#[derive(Serialize)]
struct RunJson {
    run: u32,
    equal_to: u32,
    holds: Option<bool>,
    differs_at: Option<u32>,
}

impl From<&RunOutcome> for RunJson {
    fn from(&RunOutcome { run, equal_to, holds, differs_at }: &RunOutcome) -> Self {
        Self { run, equal_to, holds, differs_at }
    }
}

/// What threads did.
#[derive(Serialize)]
struct ExercisedJson<'a> {
    threads: &'a [u32],
    parallel_calls: u64,
}

/// One golden on one line.
pub fn golden(golden: &VerifiedGolden) -> String {
    let found: Option<&Verification> = golden.result.as_ref().ok();
    let damage = match &golden.result {
        Ok(found) => found.damage.as_deref(),
        Err(error) => Some(error.as_str()),
    };
    line(&GoldenJson {
        schema: 1,
        replay: &golden.golden,
        verdict: golden.verdict().name(),
        steps: found.and_then(|found| found.steps),
        first: found.and_then(|found| found.first.as_ref()).map(DifferenceJson::from),
        scalar: found.and_then(|found| found.scalar).map(|scalar| scalar.name()),
        damage,
        notes: found.map_or(&[], |found| found.notes.as_slice()),
        new: golden.new.as_deref(),
        warnings: golden.warnings(),
        planted: found.map_or(&[], |found| found.planted.as_slice()),
        exercised: found
            .and_then(|found| found.exercised.as_ref())
            .map(|done| ExercisedJson { threads: &done.threads, parallel_calls: done.parallel_calls }),
        program: golden.list.as_ref().map(|_| golden.name.as_str()),
        exec: golden.exec.as_deref(),
        repeats: found.and_then(|found| found.repeats),
        runs: found.filter(|found| !found.runs.is_empty()).map(|found| found.runs.iter().map(RunJson::from).collect()),
        seconds: golden.seconds,
    })
}
