//! Reads a recording of a run, of whichever kind: its first bytes say.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use crate::analysis::run_source::RunSource;
use crate::replay::ladder::{MAX_LADDER_BYTES, line_of_a_ladder};
use crate::replay::trace::{begins_as_a_trace, read_trace_recovering, read_trace_recovering_bytes};
use crate::replay::{
    ForeignLines, LogOptions, LogSource, LogSpill, MAX_LINE_BYTES, begins_as_a_replay, is_utf_16, looks_like_a_ladder,
    read_ladder, read_recovering_bytes,
};
use crate::scene::document::looks_like_a_scene;
use crate::session::consistency::examined;

use crate::cli::failure::Failure;
use crate::cli::replays::{check_is_file, read_replay, read_replay_stream};
use crate::cli::source::{is_dash, name_of};
use crate::cli::verify::LOG_EXTENSION;
use crate::report::program::command;

/// As much of a file as tells its kind.
const START_BYTES: u64 = 4096;
/// How much of a log is copied at once.
const BUFFER_BYTES: usize = 1 << 16;

/// Reads a replay, a trace or a ladder, and the beginning of a hash log.
pub fn read_run_source(path: &Path, options: LogOptions) -> Result<RunSource, Failure> {
    check_is_file(path)?;
    let name = name_of(path);
    // A pipe can be read once only.
    if is_dash(path) || !path.is_file() {
        return of_stream(path, &name, options);
    }
    let unreadable = |what: String| Failure::Unreadable(format!("{name}: {what}"));
    let open = || File::open(path).map_err(|error| unreadable(format!("cannot open it: {error}")));
    let mut start = Vec::new();
    open()?
        .take(START_BYTES)
        .read_to_end(&mut start)
        .map_err(|error| unreadable(format!("cannot read it: {error}")))?;
    match kind_of(&start, has_the_name_of_a_log(path), options) {
        Kind::Trace => read_trace_recovering(path)
            .map(|trace| RunSource::Trace(Box::new(trace)))
            .map_err(|error| Failure::Unreadable(error.to_string())),
        Kind::Replay => read_replay(path).map(|replay| RunSource::Replay(Box::new(replay))),
        Kind::Log => Ok(RunSource::Log(LogSource::of_file(&name, path.to_owned(), options))),
        Kind::Ladder => {
            let mut bytes = Vec::new();
            let most = MAX_LADDER_BYTES as u64 + 1;
            open()?.take(most).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
            ladder(&name, &bytes)
        }
        Kind::Unknown => Err(unknown(&name, &start)),
    }
}

/// Reads what comes once. A log may be of any length: it goes to a temporary file.
fn of_stream(path: &Path, name: &str, options: LogOptions) -> Result<RunSource, Failure> {
    let unreadable = |what: String| Failure::Unreadable(format!("{name}: {what}"));
    let mut stream = stream_of(path).map_err(|error| unreadable(error.to_string()))?;
    let mut bytes = Vec::new();
    stream.by_ref().take(START_BYTES).read_to_end(&mut bytes).map_err(|error| unreadable(error.to_string()))?;
    let kind = kind_of(&bytes, false, options);
    if matches!(kind, Kind::Log) {
        let mut spill = LogSpill::default();
        let copied = copy_log(&mut bytes.as_slice().chain(stream), &mut spill);
        copied.map_err(|error| unreadable(format!("cannot be kept among the temporary files: {error}")))?;
        let log = LogSource::of_spill(name, spill, options);
        return log.map(RunSource::Log).map_err(|error| Failure::Unreadable(error.to_string()));
    }
    let bytes = match kind {
        Kind::Trace | Kind::Replay => read_replay_stream(&mut stream, bytes),
        Kind::Ladder => stream.take(MAX_LADDER_BYTES as u64 + 1).read_to_end(&mut bytes).map(|_| bytes),
        Kind::Log | Kind::Unknown => Ok(bytes),
    };
    let bytes = bytes.map_err(|error| unreadable(error.to_string()))?;
    match kind {
        Kind::Trace => read_trace_recovering_bytes(&bytes)
            .map(|trace| RunSource::Trace(Box::new(trace)))
            .map_err(|error| unreadable(error.to_string())),
        Kind::Replay => read_recovering_bytes(&bytes)
            .map(|replay| RunSource::Replay(Box::new(examined(replay))))
            .map_err(|error| unreadable(error.to_string())),
        Kind::Ladder => ladder(name, &bytes),
        Kind::Log | Kind::Unknown => Err(unknown(name, &bytes)),
    }
}

/// Copies a log, up to a line that is longer than lines may be: it may have no end, and whoever reads the log says what is wrong.
fn copy_log(stream: &mut dyn Read, spill: &mut LogSpill) -> std::io::Result<()> {
    let (mut buffer, mut of_line) = (vec![0; BUFFER_BYTES], 0);
    while of_line <= MAX_LINE_BYTES {
        let length = match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => length,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let part = &buffer[..length];
        spill.write_all(part)?;
        // A line that is too long has no end within as much as is read at once.
        of_line = match part.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => (length - end - 1) as u64,
            None => of_line + length as u64,
        };
    }
    Ok(())
}

/// Standard input, or a file that can be read once only.
fn stream_of(path: &Path) -> std::io::Result<Box<dyn Read>> {
    Ok(if is_dash(path) { Box::new(std::io::stdin().lock()) } else { Box::new(File::open(path)?) })
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

/// Whether a file is called what hash logs are.
fn has_the_name_of_a_log(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == LOG_EXTENSION)
}

fn kind_of(start: &[u8], is_named_a_log: bool, options: LogOptions) -> Kind {
    if begins_as_a_trace(start) {
        return Kind::Trace;
    }
    // A replay may be damaged from its first byte on: whatever is not text goes to its reader, which says what is wrong.
    let text = String::from_utf8_lossy(&start[..start.len().min(START_BYTES as usize)]);
    let content = text.trim_start_matches('\u{feff}').trim_start();
    if looks_like_a_ladder(&text) {
        Kind::Ladder
    } else if content.starts_with('{')
        || content.starts_with('#')
        || is_utf_16(start)
        || (is_named_a_log && !is_readable(start) && !begins_as_a_replay(start))
        || (options.foreign == ForeignLines::SkipAll && !start.is_empty() && !begins_as_a_replay(start))
    {
        Kind::Log
    } else if start.is_empty() || is_readable(start) {
        Kind::Unknown
    } else {
        Kind::Replay
    }
}

/// Whether bytes are a text, which may be cut off within a letter.
fn is_readable(bytes: &[u8]) -> bool {
    let is_text = std::str::from_utf8(bytes).map_or_else(|error| error.error_len().is_none(), |_| true);
    is_text && !bytes.contains(&0)
}

fn unknown(name: &str, start: &[u8]) -> Failure {
    let what = if start.is_empty() {
        "the file is empty".to_owned()
    } else if looks_like_a_scene(&String::from_utf8_lossy(start)) {
        format!("this looks like a scene; record a run of it first: `{}`", command("run SCENE -o REPLAY"))
    } else if let Some(line) = line_of_a_ladder(&String::from_utf8_lossy(start)) {
        format!("a ladder begins on line {line}; give it alone, from that line to the one that begins with `check`")
    } else if let Some(line) = line_of_a_log(start) {
        format!(
            "line 1 is none of a hash log, and line {line} is the first that may be; --lenient skips lines that are none"
        )
    } else {
        "this is not a replay, trace, hash log or ladder".to_owned()
    };
    Failure::Unreadable(format!("{name}: {what}"))
}

/// The first line, from 1, that looks as if it were one of a hash log.
fn line_of_a_log(start: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(start);
    let line = text.lines().position(|line| line.trim_start().starts_with('{') && line.contains("\"step\""));
    line.map(|line| line + 1)
}
