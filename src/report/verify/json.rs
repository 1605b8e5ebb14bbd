//! Verified replays as JSON lines.

use crate::analysis::verify::Verification;
use serde::Serialize;

use crate::report::difference::DifferenceJson;
use crate::report::json::line;
use crate::report::verify::VerifiedReplay;

/// The JSON of a verified replay; the first five keys are the contract of schema 1.
#[derive(Serialize)]
struct ReplayJson<'a> {
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
}

/// What threads did.
#[derive(Serialize)]
struct ExercisedJson<'a> {
    threads: &'a [u32],
    parallel_calls: u64,
}

/// One replay on one line.
pub fn replay(replay: &VerifiedReplay) -> String {
    let found: Option<&Verification> = replay.result.as_ref().ok();
    let damage = match &replay.result {
        Ok(found) => found.damage.as_deref(),
        Err(error) => Some(error.as_str()),
    };
    line(&ReplayJson {
        schema: 1,
        replay: &replay.name,
        verdict: replay.verdict().name(),
        steps: found.and_then(|found| found.steps),
        first: found.and_then(|found| found.first.as_ref()).map(DifferenceJson::from),
        scalar: found.and_then(|found| found.scalar).map(|scalar| scalar.name()),
        damage,
        notes: found.map_or(&[], |found| found.notes.as_slice()),
        new: replay.new.as_deref(),
        warnings: replay.warnings(),
        planted: found.map_or(&[], |found| found.planted.as_slice()),
        exercised: found
            .and_then(|found| found.exercised.as_ref())
            .map(|done| ExercisedJson { threads: &done.threads, parallel_calls: done.parallel_calls }),
    })
}
