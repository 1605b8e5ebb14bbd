//! One golden and its new result: read, compared, and put in its place.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::analysis::golden::{GoldenChange, Refusal, golden_change, golden_log_change};
use crate::replay::{
    HashLog, LogError, Replay, ReplayError, begins_as_a_replay, looks_like_a_replay, read_hash_log, read_strict,
    rewrite,
};
use crate::session::consistency::contradiction;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::new_golden::{looks_like_a_log, new_path};
use crate::cli::options::available_threads;
use crate::cli::output::{check_replaceable, write_whole};
use crate::cli::replays::EXTENSION;
use crate::cli::source::start_of;
use crate::cli::verify::LOG_EXTENSION;
use crate::report::program::command;
use crate::report::run::quoted;

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
    /// The lines that a program printed.
    Log(String),
}

/// A refusal, and the status it has.
type Refused = (String, ExitStatus);

/// Reads a golden and its new result and compares them.
pub fn compare(golden_path: &Path) -> Result<Box<Found>, Refused> {
    let new = new_path(golden_path);
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
    let verify = command(&format!("verify {}", quoted(&golden_path.display().to_string())));
    let change = change.map_err(|refusal| refused(new_path, &refusal, &verify))?;
    Ok(Box::new(Found { new: NewResult::Replay(Box::new(new)), change, before: golden.header.reason }))
}

fn compare_logs(golden_path: &Path, new_path: &Path) -> Result<Box<Found>, Refused> {
    let new = read_log(new_path)?;
    let golden = if golden_path.exists() { Some(read_log(golden_path)?) } else { None };
    let verify = command(&format!("verify --exec COMMAND {}", quoted(&golden_path.display().to_string())));
    let change = golden_log_change(golden.as_ref(), &new).map_err(|refusal| refused(new_path, &refusal, &verify))?;
    let lines = std::fs::read_to_string(new_path);
    let lines =
        lines.map_err(|what| (format!("{}: cannot read it: {what}", new_path.display()), ExitStatus::Failed))?;
    Ok(Box::new(Found { new: NewResult::Log(lines), change, before: reason_of(golden_path) }))
}

fn refused(new_path: &Path, refusal: &Refusal, verify: &str) -> Refused {
    let shown = new_path.display();
    (format!("{shown} is refused: {refusal}; delete it, or make it anew: {verify}"), ExitStatus::Failed)
}

/// Reads a log, which has to be whole.
fn read_log(path: &Path) -> Result<HashLog, Refused> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| (format!("{name}: cannot open it: {error}"), ExitStatus::Failed))?;
    let log = read_hash_log(&name, BufReader::new(file)).map_err(|error| {
        let status = if matches!(error, LogError::Io { .. }) { ExitStatus::Failed } else { ExitStatus::Damaged };
        (error.to_string(), status)
    })?;
    match &log.damage {
        Some(damage) => Err((format!("{name} is damaged: {damage}"), ExitStatus::Damaged)),
        None => Ok(log),
    }
}

/// The reason that a golden log carries.
fn reason_of(golden_path: &Path) -> Option<String> {
    let lines = BufReader::new(File::open(golden_path).ok()?).lines().map_while(Result::ok);
    let mut comments = lines.take_while(|line| line.starts_with('#'));
    comments.find_map(|line| line.strip_prefix(REASON).map(str::to_owned))
}

/// Puts the new result in the place of the golden, with the reason in it, and removes `NAME.new`.
pub fn accept(golden_path: &Path, new: &NewResult, reason: &str) -> Result<(), Failure> {
    match new {
        NewResult::Replay(new) => {
            check_replaceable(golden_path, false, "replay", looks_like_a_replay)?;
            let mut new = Replay::clone(new);
            new.header.reason = Some(reason.to_owned());
            rewrite(&new, golden_path).map_err(Failure::writing)?;
        }
        NewResult::Log(lines) => {
            check_replaceable(golden_path, false, "hash log", looks_like_a_log)?;
            let reason: Vec<&str> = reason.split_whitespace().collect();
            write_whole(golden_path, &format!("{REASON}{}\n{lines}", reason.join(" ")))?;
        }
    }
    let path = new_path(golden_path);
    std::fs::remove_file(&path).map_err(|error| {
        Failure::Usage(format!("{} is accepted, but cannot be removed: {error}; delete it", path.display()))
    })
}
