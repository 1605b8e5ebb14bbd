//! One golden and its new result: read, compared, and put in its place.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use crate::analysis::golden::{GoldenChange, golden_change, golden_log_change};
use crate::replay::{
    EmptyLists, ForeignLines, LENIENT_HINTS, LogEnd, LogError, LogOptions, LogSource, PartialFile, Replay, ReplayError,
    begins_as_a_replay, looks_like_a_replay, read_strict, rewrite, without_mark,
};
use crate::session::consistency::contradiction;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::log_origin::{is_left_by_verify, is_origin_line, stale};
use crate::cli::new_golden::{PARTIAL, looks_like_a_log, new_path, through_link, with_extension};
use crate::cli::options::available_threads;
use crate::cli::output::{check_replaceable, remove_partial};
use crate::cli::replays::EXTENSION;
use crate::cli::source::start_of;
use crate::cli::verify::LOG_EXTENSION;
use crate::report::program::command;
use crate::report::run::path_argument;
use crate::report::style::printable;

/// How the line of a golden log begins that carries the reason of its last change.
const REASON: &str = "# reason: ";

/// What may take the place of a golden, and what that changes.
pub struct Found {
    /// The new result.
    pub new: NewResult,
    /// What it changes.
    pub change: GoldenChange,
    /// The reason that the golden carries.
    pub before: Option<String>,
}

/// A new result.
pub enum NewResult {
    /// A run of this build.
    Replay(Box<Replay>),
    /// What a program printed.
    Log,
}

/// A refusal, and the status it has.
type Refused = (String, ExitStatus);

/// Reads a golden and its new result and compares them.
pub fn compare(golden_path: &Path) -> Result<Box<Found>, Refused> {
    let new = new_path(golden_path);
    if let Some(leads_to) = through_link(golden_path, &new) {
        let shown = golden_path.display();
        let refusal = match leads_to {
            Ok((real, accept)) => {
                format!("{shown} is a link to {}; to replace what it leads to: {accept}", real.display())
            }
            Err(_) => format!("{shown} is a link that leads nowhere; delete it, and accept again"),
        };
        return Err((refusal, ExitStatus::Failed));
    }
    let is_named = |extension: &str| golden_path.extension() == Some(extension.as_ref());
    let begins_so = begins_as_a_replay(&start_of(&new)) || begins_as_a_replay(&start_of(golden_path));
    if is_named(EXTENSION) || (begins_so && !is_named(LOG_EXTENSION)) {
        compare_replays(golden_path, &new)
    } else {
        compare_logs(golden_path, &new)
    }
}

fn compare_replays(golden_path: &Path, new_path: &Path) -> Result<Box<Found>, Refused> {
    let read = |path: &Path| {
        let replay = read_strict(path).map_err(|error| match error {
            ReplayError::Io { .. } | ReplayError::NotAFile { .. } => (error.to_string(), ExitStatus::Failed),
            error => (error.to_string(), ExitStatus::Damaged),
        })?;
        match contradiction(&replay) {
            None => Ok(replay),
            Some(damage) => {
                let name = path.display().to_string();
                Err((ReplayError::Damaged { name, damage }.to_string(), ExitStatus::Damaged))
            }
        }
    };
    let new = read(new_path)?;
    let golden = read(golden_path)?;
    let threads = available_threads().get();
    let change = golden_change(&golden, &new, threads, &mut |_, _| {});
    let verify = command(&format!("verify {}", path_argument(golden_path)));
    let change = change.map_err(|refusal| refused(new_path, &refusal, &verify))?;
    Ok(Box::new(Found { new: NewResult::Replay(Box::new(new)), change, before: golden.header.reason }))
}

fn compare_logs(golden_path: &Path, new_path: &Path) -> Result<Box<Found>, Refused> {
    let (new, new_end) = read_log(new_path, ForeignLines::Refuse)?;
    // With --lenient a golden may have other lines; they go with it.
    let golden = if golden_path.exists() { Some(read_log(golden_path, ForeignLines::SkipAll)?) } else { None };
    let verify = command(&format!("verify --exec COMMAND {}", path_argument(golden_path)));
    if let Some(why) = stale(golden_path, new_path) {
        return Err(refused(new_path, &why, &verify));
    }
    let change = golden_log_change(golden.as_ref().map(|(log, end)| (log, end)), (&new, &new_end))
        .map_err(|error| (error.to_string(), ExitStatus::Failed))?;
    let change = change.map_err(|refusal| refused(new_path, &refusal, &verify))?;
    Ok(Box::new(Found { new: NewResult::Log, change, before: reason_of(golden_path) }))
}

/// A fault of a log without what `--lenient` would do about it, which only commands have that read what other programs print.
fn without_options(error: &str) -> String {
    LENIENT_HINTS.iter().fold(error.to_owned(), |error, hint| error.replace(hint, ""))
}

fn refused(new_path: &Path, refusal: &dyn Display, verify: &str) -> Refused {
    let shown = new_path.display();
    (format!("{shown} is refused: {refusal}; delete it, or make it anew: {verify}"), ExitStatus::Failed)
}

/// Reads a log through, which has to be whole; one in which steps come again is one of a program that simulates them again.
fn read_log(path: &Path, foreign: ForeignLines) -> Result<(LogSource, LogEnd), Refused> {
    let name = path.display().to_string();
    let options = LogOptions { foreign, resimulated: true, empty_lists: EmptyLists::OfAllSteps };
    let log = LogSource::of_file(&name, path.to_owned(), options);
    let end = log.check().map_err(|error| {
        let status = if matches!(error, LogError::Io { .. }) { ExitStatus::Failed } else { ExitStatus::Damaged };
        (without_options(&error.to_string()), status)
    })?;
    match &end.damage {
        Some(damage) => Err((format!("{name} is damaged: {damage}"), ExitStatus::Damaged)),
        None => Ok((log, end)),
    }
}

/// The reason that a golden log carries.
fn reason_of(golden_path: &Path) -> Option<String> {
    let lines = BufReader::new(File::open(golden_path).ok()?).lines().map_while(Result::ok);
    let mut comments = lines.take_while(|line| line.starts_with('#'));
    comments.find_map(|line| line.strip_prefix(REASON).map(str::to_owned))
}

/// Writes a golden log: a first line, and what is in its new result.
fn write_golden(golden_path: &Path, first_line: &str) -> Result<(), Failure> {
    let io = |cause| ReplayError::Io { name: golden_path.display().to_string(), action: "write it", cause };
    let mut file = PartialFile::create(golden_path).map_err(Failure::writing)?;
    let copied = file.write_all(first_line.as_bytes()).and_then(|()| {
        let mut new = BufReader::new(File::open(new_path(golden_path))?);
        let mut line = Vec::new();
        new.read_until(b'\n', &mut line)?;
        // Which golden it was made beside is of no interest once it is the golden.
        if !is_origin_line(&line) {
            // Behind the reason the mark of an encoding would be in the middle of the text.
            file.write_all(without_mark(&line))?;
        }
        std::io::copy(&mut new, &mut file)
    });
    copied.map_err(io).and_then(|_| file.complete()).map(|_| ()).map_err(|error| {
        remove_partial(golden_path);
        Failure::writing(error)
    })
}

/// Refuses to replace what is of another kind, be it the golden or what stands where it is written.
fn check_is_of_kind(golden_path: &Path, what: &str, is_of_kind: impl Fn(&Path) -> bool) -> Result<(), Failure> {
    let paths = [golden_path.to_owned(), with_extension(golden_path, PARTIAL)];
    if let Some(other) = paths.iter().find(|path| path.is_file() && !is_of_kind(path)) {
        let shown = other.display();
        return Err(Failure::Usage(format!("{shown} is not a {what}: rename or delete it, and accept again")));
    }
    check_replaceable(golden_path, false, what, is_of_kind)
}

/// Puts the new result in the place of the golden, with the reason in it, and removes `NAME.new`.
pub fn accept(golden_path: &Path, new: &NewResult, reason: &str) -> Result<(), Failure> {
    let permissions = std::fs::metadata(golden_path).map(|golden| golden.permissions());
    match new {
        NewResult::Replay(new) => {
            check_is_of_kind(golden_path, "replay", looks_like_a_replay)?;
            let mut new = Replay::clone(new);
            new.header.reason = Some(reason.to_owned());
            rewrite(&new, golden_path).map_err(Failure::writing)?;
        }
        NewResult::Log => {
            // Where verify made the new result beside it, with --lenient, it is a log however it begins: it was read as one.
            let was_read = is_left_by_verify(&new_path(golden_path));
            let is_log = |path: &Path| looks_like_a_log(path) || (was_read && path == golden_path);
            check_is_of_kind(golden_path, "hash log", is_log)?;
            // A line of a text, which people read in an editor and on a terminal.
            let reason: Vec<String> = reason.split_whitespace().map(printable).collect();
            write_golden(golden_path, &format!("{REASON}{}\n", reason.join(" ")))?;
        }
    }
    if let Ok(permissions) = permissions {
        // The file is another one. Where it cannot have what the old one had, it is the golden all the same.
        let _ = std::fs::set_permissions(golden_path, permissions);
    }
    let path = new_path(golden_path);
    std::fs::remove_file(&path).map_err(|error| {
        Failure::Usage(format!("{} is accepted, but cannot be removed: {error}; delete it", path.display()))
    })
}
