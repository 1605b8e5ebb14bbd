//! Reads a recording of a run, of whichever kind: its first bytes say.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use crate::analysis::run_source::RunSource;
use crate::replay::ladder::{MAX_LADDER_BYTES, line_of_a_ladder};
use crate::replay::trace::{begins_as_a_trace, read_trace_recovering, read_trace_recovering_bytes};
use crate::replay::{looks_like_a_ladder, read_hash_log, read_ladder, read_recovering_bytes};
use crate::scene::document::looks_like_a_scene;
use crate::session::consistency::examined;

use crate::cli::failure::Failure;
use crate::cli::replays::{check_is_file, read_replay, read_stream};
use crate::cli::source::{is_dash, name_of};
use crate::report::program::command;

/// As much of a file as tells its kind.
const START_BYTES: u64 = 4096;

/// Reads a replay, a trace, a hash log or a ladder.
pub fn read_run_source(path: &Path) -> Result<RunSource, Failure> {
    check_is_file(path)?;
    let name = name_of(path);
    // A pipe can be read once only.
    if is_dash(path) || !path.is_file() {
        return run_source_of(&name, &read_stream(path)?);
    }
    let unreadable = |what: String| Failure::Unreadable(format!("{name}: {what}"));
    let open = || File::open(path).map_err(|error| unreadable(format!("cannot open it: {error}")));
    let mut start = Vec::new();
    open()?
        .take(START_BYTES)
        .read_to_end(&mut start)
        .map_err(|error| unreadable(format!("cannot read it: {error}")))?;
    match kind_of(&start) {
        Kind::Trace => read_trace_recovering(path)
            .map(|trace| RunSource::Trace(Box::new(trace)))
            .map_err(|error| Failure::Unreadable(error.to_string())),
        Kind::Replay => read_replay(path).map(|replay| RunSource::Replay(Box::new(replay))),
        Kind::Log => read_hash_log(&name, BufReader::new(open()?))
            .map(RunSource::Log)
            .map_err(|error| Failure::Unreadable(error.to_string())),
        Kind::Ladder => {
            let mut bytes = Vec::new();
            let most = MAX_LADDER_BYTES as u64 + 1;
            open()?.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
            ladder(&name, &bytes)
        }
        Kind::Unknown => Err(unknown(&name, &start)),
    }
}

fn run_source_of(name: &str, bytes: &[u8]) -> Result<RunSource, Failure> {
    let unreadable = |error: String| Failure::Unreadable(error);
    match kind_of(bytes) {
        Kind::Trace => read_trace_recovering_bytes(bytes)
            .map(|trace| RunSource::Trace(Box::new(trace)))
            .map_err(|error| unreadable(format!("{name}: {error}"))),
        Kind::Replay => read_recovering_bytes(bytes)
            .map(|replay| RunSource::Replay(Box::new(examined(replay))))
            .map_err(|error| unreadable(format!("{name}: {error}"))),
        Kind::Log => read_hash_log(name, bytes).map(RunSource::Log).map_err(|error| unreadable(error.to_string())),
        Kind::Ladder => ladder(name, bytes),
        Kind::Unknown => Err(unknown(name, bytes)),
    }
}

fn ladder(name: &str, bytes: &[u8]) -> Result<RunSource, Failure> {
    let ladder = read_ladder(name, &String::from_utf8_lossy(bytes));
    ladder.map(RunSource::Ladder).map_err(|error| Failure::Unreadable(error.to_string()))
}

/// What a file is, by its first bytes.
enum Kind {
    Replay,
    Trace,
    Log,
    Ladder,
    Unknown,
}

fn kind_of(start: &[u8]) -> Kind {
    if begins_as_a_trace(start) {
        return Kind::Trace;
    }
    // A replay may be damaged from its first byte on: whatever is not text goes to its reader, which says what is wrong.
    let text = String::from_utf8_lossy(&start[..start.len().min(START_BYTES as usize)]);
    let content = text.trim_start_matches('\u{feff}').trim_start();
    if looks_like_a_ladder(&text) {
        Kind::Ladder
    } else if content.starts_with('{') || content.starts_with('#') {
        Kind::Log
    } else if start.is_empty() || (std::str::from_utf8(start).is_ok() && !start.contains(&0)) {
        Kind::Unknown
    } else {
        Kind::Replay
    }
}

fn unknown(name: &str, start: &[u8]) -> Failure {
    let what = if start.is_empty() {
        "the file is empty".to_owned()
    } else if looks_like_a_scene(&String::from_utf8_lossy(start)) {
        format!("this looks like a scene; record a run of it first: `{}`", command("run SCENE -o REPLAY"))
    } else if let Some(line) = line_of_a_ladder(&String::from_utf8_lossy(start)) {
        format!("a ladder begins on line {line}; give it alone, from that line to the one that begins with `check`")
    } else {
        "this is not a replay, trace, hash log or ladder".to_owned()
    };
    Failure::Unreadable(format!("{name}: {what}"))
}
