//! A program that is held to a golden hash log: how it is started, and what one run of it printed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::replay::hash_log::MAX_LOG_BYTES;
use crate::replay::{ForeignLines, HashLog, HashLogReader, LogError};

use crate::cli::process::{Ended, Hear, Limits, ProcessFailure, hear_command, hear_program};
use crate::report::run::quoted;
use crate::report::style::printable;

/// What errors call what a program prints.
const OUTPUT: &str = "its output";
/// The exit statuses by which a shell says that there is no such program, or that it must not be executed.
const NO_SUCH_PROGRAM: [i32; 2] = [126, 127];

/// As much of the output as is looked through for the step that a program has come to.
const RECENT_BYTES: usize = 4096;

/// How a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// By a line for the shell of the system.
    Shell(String),
    /// By its path, with arguments that reach it as they are.
    Words {
        /// The program.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
}

/// A program and its golden log.
#[derive(Clone, Debug)]
pub struct GuardedProgram {
    /// Its name in a list of programs; nothing where it comes from the command line.
    pub name: Option<String>,
    /// The log that it has to print.
    pub golden: PathBuf,
    /// How it is started.
    pub start: Start,
    /// The folder it runs in; nothing for the current one.
    pub folder: Option<PathBuf>,
    /// How long each run may take, in seconds, where the list says so.
    pub time_limit: Option<u32>,
    /// Whether a new result of it is to be the golden: another program of the list may have named that file first.
    pub owns_golden: bool,
}

/// What one run of a program printed.
pub struct PrintedRun {
    /// The lines of its log, as it wrote them.
    pub lines: String,
    /// Its log, as far as that can be read.
    pub log: HashLog,
    /// Why this is no whole run.
    pub failure: Option<String>,
}

impl GuardedProgram {
    /// What reports call it.
    pub fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.golden.display().to_string())
    }

    /// The command, as it would be typed in its folder.
    pub fn command_line(&self) -> String {
        match &self.start {
            Start::Shell(line) => line.clone(),
            Start::Words { program, arguments } => {
                let words: Vec<String> = std::iter::once(program).chain(arguments).map(|word| quoted(word)).collect();
                words.join(" ")
            }
        }
    }

    /// Runs it once; `progress` hears of the last step that it told of.
    pub fn run(&self, time_limit: u32, progress: &mut dyn FnMut(u32)) -> PrintedRun {
        let seconds = self.time_limit.unwrap_or(time_limit);
        let limits = Limits { time: Duration::from_secs(u64::from(seconds)), output_bytes: MAX_LOG_BYTES as usize };
        let mut printed = Vec::new();
        let ended = self.start(&limits, &mut |part| {
            printed.extend_from_slice(part);
            last_step(&printed, part.len()).into_iter().for_each(&mut *progress);
        });
        let (log, wrong) = read_printed(&printed);
        let failure = self.failure(ended, &printed, wrong).or_else(|| {
            let damage = log.damage.as_ref()?;
            Some(format!("{OUTPUT} is {damage}; does it write all of it before it ends?"))
        });
        PrintedRun { lines: log_lines(&printed), log, failure }
    }

    fn start(&self, limits: &Limits, hear: Hear<'_>) -> Result<Ended, ProcessFailure> {
        let folder = self.folder.as_deref();
        match &self.start {
            // A program that can tell more of a window of steps is asked for the least: a golden holds whole runs.
            Start::Shell(line) => hear_command(&line.replace("{from}", "0").replace("{to}", "0"), folder, limits, hear),
            Start::Words { program, arguments } => {
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                hear_program(&program_in(folder, program), &arguments, folder, limits, hear)
            }
        }
    }

    /// Why a run is no whole run, by how it ended and what is wrong with what it printed.
    fn failure(&self, ended: Result<Ended, ProcessFailure>, printed: &[u8], wrong: Option<LogError>) -> Option<String> {
        let Ended { status, stderr_tail } = match ended {
            Ok(ended) => ended,
            Err(failure @ ProcessFailure::TimedOut { .. }) if self.time_limit.is_some() => {
                return Some(failure.to_string().replace("--time-limit", "its `time_limit`"));
            }
            Err(failure) => return Some(failure.to_string()),
        };
        let last_words = match stderr_tail.trim().lines().next_back() {
            None => String::new(),
            Some(last) => format!("; the last line on stderr: {}", printable(last)),
        };
        if status != 0 {
            let hint = if NO_SUCH_PROGRAM.contains(&status) { "; is it built, and is its path right?" } else { "" };
            return Some(format!("the command ended with exit status {status}{last_words}{hint}"));
        }
        if printed.is_empty() {
            return Some(format!(
                "the command printed nothing to standard output{last_words}; it has to print a line such as \
                 {{\"step\":0,\"hash\":\"9af3\"}} for each step, see docs/hash-log.md"
            ));
        }
        wrong.map(|error| format!("{error}{last_words}"))
    }
}

/// The path of a program; a file in its folder is meant before one that the system finds elsewhere. What a relative path is
/// relative to when a program is started in another folder differs between systems.
fn program_in(folder: Option<&Path>, program: &str) -> String {
    // Links are not followed: some programs are told by their name what they are to be.
    match std::path::absolute(folder.unwrap_or(Path::new(".")).join(program)) {
        Ok(path) if path.is_file() => path.display().to_string(),
        _ => program.to_owned(),
    }
}

/// The log in what a program printed, up to what is wrong with it.
fn read_printed(printed: &[u8]) -> (HashLog, Option<LogError>) {
    let mut reader = HashLogReader::new(OUTPUT, printed, ForeignLines::Skip);
    let mut checkpoints = Vec::new();
    let wrong = loop {
        match reader.next_checkpoint() {
            Ok(Some(checkpoint)) => checkpoints.push(checkpoint),
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    let (foreign_lines, damage) = (reader.foreign_lines(), reader.damage().map(str::to_owned));
    let empty = || {
        let hint = if foreign_lines > 0 { format!(" among {foreign_lines} other lines") } else { String::new() };
        LogError::Empty { name: OUTPUT.to_owned(), hint }
    };
    let wrong = wrong.or_else(|| (checkpoints.is_empty() && damage.is_none()).then(empty));
    (HashLog { name: OUTPUT.to_owned(), checkpoints, foreign_lines, damage }, wrong)
}

/// The lines of a log among other output, as they were printed.
fn log_lines(printed: &[u8]) -> String {
    let lines = printed.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| line.starts_with(b"{"));
    lines.fold(String::new(), |text, line| text + &String::from_utf8_lossy(line) + "\n")
}

/// The step of the last whole line, of output whose last part has just come; it need not be right, for it is only shown.
fn last_step(printed: &[u8], part: usize) -> Option<u32> {
    let recent = &printed[printed.len().saturating_sub(part.max(RECENT_BYTES))..];
    let text = String::from_utf8_lossy(recent);
    let (_, behind) = text.rsplit_once("\"step\":")?;
    let digits: String = behind.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|_| digits.len() < behind.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::{last_step, log_lines, read_printed};

    #[test]
    fn the_log_is_taken_out_of_what_else_is_printed() {
        let printed = b"loading\n{\"step\":0,\"hash\":\"1\"}\r\n  {\"step\":1,\"hash\":\"2\"}\n\nbye {}\n";
        assert_eq!(log_lines(printed), "{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,\"hash\":\"2\"}\n");
        let (log, wrong) = read_printed(printed);
        assert_eq!((log.checkpoints.len(), log.foreign_lines, wrong.is_none()), (2, 2, true));
    }

    #[test]
    fn what_is_right_before_an_error_is_kept() {
        let (log, wrong) = read_printed(b"{\"step\":0,\"hash\":\"1\"}\n{\"stop\":1}\n{\"step\":1,\"hash\":\"2\"}\n");
        assert_eq!(log.checkpoints.len(), 1);
        assert!(wrong.is_some_and(|error| error.to_string().starts_with("its output, line 2: column")));
        let (log, wrong) = read_printed(b"{\"step\":0,\"hash\":\"1\"}\n{\"step\":1,");
        assert_eq!((log.checkpoints.len(), log.damage.is_some(), wrong.is_none()), (1, true, true));
        let (_, wrong) = read_printed(b"hello\n");
        assert!(wrong.is_some_and(|error| error.to_string().contains("in it among 1 other lines")));
    }

    #[test]
    fn progress_knows_the_last_whole_number() {
        let printed = b"{\"step\":7,\"hash\":\"1\"}\n{\"step\": 12,\"ha";
        assert_eq!(last_step(printed, printed.len()), Some(12));
        assert_eq!(last_step(b"{\"step\":1", 9), None, "it may be 10");
        assert_eq!(last_step(b"hello", 5), None);
    }
}
