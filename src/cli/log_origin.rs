//! The first line of the logs that `verify` leaves, a comment: it tells them from all that others made, and of a new result which golden
//! it was made beside, so that `accept` takes none that is stale.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::replay::{ForeignLines, LogOptions, LogSource};

use crate::cli::source::start_of;

/// How the line begins, in every log that `verify` leaves.
const ORIGIN: &str = "# physim verify: ";
/// What it says where there was no golden.
const FIRST: &str = "there was no golden";
/// How it says that a log is none that could be the golden.
const NO_RESULT: &str = "no new result: ";
/// How it says which golden there was.
const BESIDE: &str = "the golden was ";
/// Digits of the hash of a golden: enough for none to be taken for another.
const DIGITS: usize = 32;

/// The first line of a new result that is made beside this golden.
pub fn origin_line(golden: &Path) -> std::io::Result<String> {
    Ok(format!("{ORIGIN}{}\n", origin(golden)?))
}

/// The first line of a log that is not to be the golden, but this.
pub fn line_of_another(what: &str) -> String {
    format!("{ORIGIN}{NO_RESULT}{what}\n")
}

/// Whether `verify` left this log, by its first line.
pub fn is_left_by_verify(log: &Path) -> bool {
    is_origin_line(&start_of(log))
}

/// Whether a line is such a line.
pub fn is_origin_line(line: &[u8]) -> bool {
    line.starts_with(ORIGIN.as_bytes())
}

/// Why a new result cannot be one of this golden; nothing where it may be, as it may where it was made by hand.
pub fn stale(golden: &Path, new: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(File::open(new).ok()?).read_line(&mut line).ok()?;
    let made_beside = line.trim_end().strip_prefix(ORIGIN)?;
    let shown = golden.display();
    if let Some(what) = made_beside.strip_prefix(NO_RESULT) {
        return Some(format!("it is no new result of {shown}, but {what}"));
    }
    match (origin(golden).ok()?, made_beside) {
        (now, then) if now == then => None,
        (now, _) if now == FIRST => {
            Some(format!("it is the new result of another golden log, and there is no {shown}"))
        }
        (_, FIRST) => Some(format!("it was made when there was no golden {shown}, and now there is one")),
        _ => Some(format!("it was made beside another golden log than {shown} is now")),
    }
}

/// What there is of a golden: the hash of its lines, without comments and however they end, for both may change on the way to another machine.
fn origin(golden: &Path) -> std::io::Result<String> {
    if !golden.exists() {
        return Ok(FIRST.to_owned());
    }
    let options = LogOptions { foreign: ForeignLines::SkipAll, ..LogOptions::default() };
    let mut hasher = blake3::Hasher::new();
    LogSource::of_file("", golden.to_owned(), options).write_lines(&mut hasher)?;
    let digits = hasher.finalize().to_hex();
    Ok(format!("{BESIDE}{}", digits.get(..DIGITS).unwrap_or_default()))
}
