//! Golden hash logs as files: read through, or what they are instead.

use std::path::Path;

use crate::analysis::verify::{GoldenKind, Verification};
use crate::replay::{LogEnd, LogError, LogOptions, LogSource, begins_as_a_replay};

use crate::cli::manifest::is_manifest;
use crate::cli::source::{is_scene, start_of};
use crate::cli::verify::kept_golden::KeptGolden;
use crate::report::program::command;
use crate::report::run::path_argument;

/// Why a golden log cannot be compared with anything.
pub enum Unread {
    /// The operating system refused to read it.
    Unreadable(String),
    /// It is not as it must be.
    Damaged(Box<Verification>),
}

/// Reads a golden log through.
pub fn read_golden(path: &Path, kept: Option<&KeptGolden>, options: LogOptions) -> Result<(LogSource, LogEnd), Unread> {
    let name = path.display().to_string();
    let log = match kept.and_then(KeptGolden::copy) {
        Some(copy) => LogSource::of_open_file(&name, copy, options),
        None => LogSource::of_file(&name, path.to_owned(), options),
    };
    let end = log.check().map_err(|error| {
        if let LogError::Io { .. } = error {
            return Unread::Unreadable(error.to_string());
        }
        let next = "take it from its source again, or delete it and record it anew with the same command";
        let (what, kind) = match what_else(path) {
            Some(what) => (what, GoldenKind::Other),
            None => (format!("{error} ({next})"), GoldenKind::HashLog),
        };
        Unread::Damaged(Box::new(Verification::damaged_log(what, kind)))
    })?;
    Ok((log, end))
}

/// What a file is that is no hash log, and what to do with it.
fn what_else(path: &Path) -> Option<String> {
    let shown = path_argument(path);
    if begins_as_a_replay(&start_of(path)) {
        let verify = command(&format!("verify {shown}"));
        return Some(format!("it is a replay, which physim runs by itself: `{verify}`"));
    }
    if is_manifest(path) {
        let verify = command(&format!("verify {shown}"));
        return Some(format!("it is a list of programs, which says itself what is run: `{verify}`"));
    }
    is_scene(path).then(|| "it is a scene, not a hash log; the golden is what the program printed before".to_owned())
}

/// Whether a file begins as a hash log does.
pub fn is_log(path: &Path) -> bool {
    let start = start_of(path);
    let text = String::from_utf8_lossy(&start);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().is_some_and(|line| line.starts_with('{') && line.contains("\"step\""))
}
