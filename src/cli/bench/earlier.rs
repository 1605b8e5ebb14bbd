//! The earlier result that `--compare` names.

use std::path::Path;

use crate::analysis::benchmark::comparison::{Comparison, check};
use crate::analysis::benchmark::{Benchmark, Case, JSON_START, Settings};

use crate::cli::failure::Failure;
use crate::cli::replays::read_stream;
use crate::report::program::command;

/// An earlier result that did the work which is to be done now.
pub struct Earlier {
    benchmark: Benchmark,
    notes: Vec<String>,
}

impl Earlier {
    /// What has changed since.
    pub fn compare(self, now: &Benchmark) -> Comparison {
        Comparison::new(now, &self.benchmark, self.notes)
    }
}

/// Reads the earlier result, if one is named, and refuses it before anything runs where it did other work.
pub fn read(path: Option<&Path>, settings: &Settings, cases: &[Case]) -> Result<Option<Earlier>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let shown = path.display();
    let fail = |what: String| Failure::Usage(format!("--compare {shown}: {what}"));
    let make_one = format!("`{}` writes one", command("bench SCENE -o FILE"));
    if !path.exists() {
        return Err(fail(format!("there is no such file; {make_one}")));
    }
    if path.is_dir() {
        return Err(fail("this is a folder; name a result in it".to_owned()));
    }
    let bytes = read_stream(path).map_err(|failure| fail(failure.to_string()))?;
    if !bytes.starts_with(JSON_START.as_bytes()) {
        return Err(fail(format!("this is not a result of `bench`; {make_one}")));
    }
    let benchmark: Benchmark = serde_json::from_slice(&bytes)
        .map_err(|error| fail(format!("it cannot be read: {error}; measure it again; {make_one}")))?;
    let notes = check(settings, cases, &benchmark).map_err(|error| {
        fail(format!("{error}; a ratio would compare different work: measure both with the same scenes and settings"))
    })?;
    Ok(Some(Earlier { benchmark, notes }))
}
