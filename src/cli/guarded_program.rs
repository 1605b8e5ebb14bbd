//! A program that is held to a golden hash log: how it is started, and what one run of it printed.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::analysis::verify::log::AskedFor;
use crate::replay::{EmptyLists, LogEnd, LogError, LogOptions, LogSource};

use crate::cli::places::{fill, fill_exactly};
use crate::cli::process::{Ended, Hear, ProcessFailure, hear_command, hear_program};
use crate::cli::spilled_run::{limits, spilled};
use crate::report::run::{quoted, shell_word, typed_shell_word};
use crate::report::style::printable;

/// What errors call what a program prints.
const OUTPUT: &str = "its output";
/// The exit statuses by which a shell says that there is no such program, or that it must not be executed.
const NO_SUCH_PROGRAM: [i32; 2] = [126, 127];

/// What stands in a command for the steps of which it is to tell all that it can.
const WINDOW: [&str; 2] = ["{from}", "{to}"];

/// As much of the output as is looked through for the step that a program has come to.
const RECENT_BYTES: usize = 4096;

/// How a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// By a line for the shell of the system.
    Shell {
        /// The line, with places in it.
        line: String,
        /// What stands in its places but for those of a window: names of files, which need not be UTF-8.
        values: Vec<(&'static str, OsString)>,
    },
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
    /// The path of that list.
    pub list: Option<PathBuf>,
    /// The log that it has to print.
    pub golden: PathBuf,
    /// How it is started.
    pub start: Start,
    /// The folder it runs in; nothing for the current one.
    pub folder: Option<PathBuf>,
    /// How long each run may take, in seconds, where the list says so.
    pub time_limit: Option<u32>,
    /// Whether its list says that it tells of steps more than once.
    pub resimulated: bool,
    /// Whether a new result of it is to be the golden: another program of the run may have named that file first.
    pub owns_golden: bool,
    /// How many programs before it in the run, of other lists, have its name and its golden.
    pub namesakes: usize,
}

/// What a program is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// How long the run may take, in seconds, where its list does not say so.
    pub time_limit: u32,
    /// How its log is read.
    pub options: LogOptions,
    /// The steps of which it is to tell all that it can.
    pub window: Window,
    /// Whether its golden tells all of these steps too.
    pub is_owed: bool,
}

/// The steps of which a program is asked for all that it can tell, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first of them.
    pub from: u32,
    /// The last.
    pub to: u32,
}

impl Window {
    /// No step: it is to tell no more of any than it always tells.
    pub const NONE: Self = Self { from: 0, to: 0 };

    /// One step.
    pub const fn of_step(step: u32) -> Self {
        Self { from: step, to: step }
    }

    /// Whether it is asked for this step. Of step 0 it cannot be.
    pub const fn has(self, step: u32) -> bool {
        step > 0 && self.from <= step && step <= self.to
    }

    /// The smallest that has this step as well.
    pub fn with(self, step: u32) -> Self {
        if self == Self::NONE {
            return Self::of_step(step);
        }
        Self { from: self.from.min(step), to: self.to.max(step) }
    }

    /// In words: `step 3`, `steps 3 to 9`.
    pub fn text(self) -> String {
        let Self { from, to } = self;
        if from == to { format!("step {from}") } else { format!("steps {from} to {to}") }
    }
}

/// What one run of a program printed.
pub struct PrintedRun {
    /// Its log, among whatever else it printed.
    pub log: LogSource,
    is_empty: bool,
    /// What is wrong with how it ended.
    wrong_end: Option<String>,
    /// The last line that it wrote to standard error, for messages.
    last_words: String,
}

impl PrintedRun {
    /// Why this is no whole run, by how it ended, and by how its log ends and what is wrong with that.
    pub fn failure(&self, end: &LogEnd, wrong: Option<&LogError>) -> Option<String> {
        if self.wrong_end.is_some() {
            return self.wrong_end.clone();
        }
        let last_words = &self.last_words;
        if self.is_empty {
            return Some(format!(
                "the command printed nothing to standard output{last_words}; it has to print a line such as \
                 {{\"step\":0,\"hash\":\"9af3\"}} for each step, see docs/hash-log.md"
            ));
        }
        match (wrong, &end.damage) {
            (None | Some(LogError::Empty { .. }), Some(damage)) => {
                Some(format!("{OUTPUT} is {damage}; does it write all of it before it ends?"))
            }
            (Some(error), _) => Some(format!("{error}{last_words}")),
            (None, None) => None,
        }
    }
}

impl PrintedRun {
    /// Why this is no whole run, by reading its log through.
    pub fn failure_by_itself(&self) -> Option<String> {
        let mut pass = self.log.read();
        pass.by_ref().for_each(drop);
        let (end, wrong) = pass.known();
        self.failure(&end, wrong.as_ref())
    }
}

impl GuardedProgram {
    /// What reports call it.
    pub fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.golden.display().to_string())
    }

    /// The command, as it would be typed in its folder.
    pub fn command_line(&self) -> String {
        match &self.start {
            Start::Shell { line, values } => fill_typed(line, values, &[]),
            Start::Words { program, arguments } => {
                let words: Vec<String> = std::iter::once(program).chain(arguments).map(|word| quoted(word)).collect();
                words.join(" ")
            }
        }
    }

    /// The command as it is run for these steps.
    pub fn command_line_as_run(&self, window: Window) -> String {
        let [from, to] = [window.from, window.to].map(|step| step.to_string());
        let window = [(WINDOW[0], from.as_str()), (WINDOW[1], to.as_str())];
        match &self.start {
            Start::Shell { line, values } => fill_typed(line, values, &window),
            Start::Words { program, arguments } => {
                let arguments = arguments.iter().map(|text| fill(text, &window));
                let words: Vec<String> =
                    std::iter::once(program.clone()).chain(arguments).map(|word| quoted(&word)).collect();
                words.join(" ")
            }
        }
    }

    /// The command for a shell, in its folder and with the places of a window, or with these steps in them; nothing else in it is a place.
    pub fn command_with_places(&self, window: Window) -> String {
        let line = match &self.start {
            // Between the quotes of a value, two more change nothing but that no place stands there any more.
            Start::Shell { line, values } => {
                let values: Vec<_> =
                    values.iter().map(|(place, value)| (*place, typed_shell_word(value).replace('{', "{''"))).collect();
                fill(line, &values.iter().map(|(place, value)| (*place, value.as_str())).collect::<Vec<_>>())
            }
            Start::Words { .. } => self.command_line(),
        };
        let [from, to] = [window.from, window.to].map(|step| step.to_string());
        let line = if window == Window::NONE {
            line
        } else {
            fill(&line, &[(WINDOW[0], from.as_str()), (WINDOW[1], to.as_str())])
        };
        match &self.folder {
            Some(folder) => {
                let folder = typed_shell_word(&shell_word(folder.as_os_str())).replace('{', "{''");
                format!("cd {folder} && {line}")
            }
            None => line,
        }
    }

    /// What it is asked for when it is run for no step in particular.
    pub fn asked_for(&self) -> AskedFor {
        if self.takes_a_window() { AskedFor::Hashes } else { AskedFor::Everything }
    }

    /// Whether it can be asked for more of some steps.
    pub fn takes_a_window(&self) -> bool {
        let is_asked = |text: &String| WINDOW.iter().any(|place| text.contains(place));
        match &self.start {
            Start::Shell { line, .. } => is_asked(line),
            Start::Words { arguments, .. } => arguments.iter().any(is_asked),
        }
    }

    /// Of which steps an empty list tells something, where it is asked for these, of which its golden tells all too or may not.
    pub fn empty_lists(&self, window: Window, is_owed: bool) -> EmptyLists {
        match (self.takes_a_window(), is_owed) {
            (true, true) => EmptyLists::AllOfSteps(window.from, window.to),
            (true, false) => EmptyLists::OfSteps(window.from, window.to),
            (false, _) => EmptyLists::OfAllSteps,
        }
    }

    /// Runs it once; `progress` hears of the last step that it told of.
    pub fn run(&self, asked: Asked, progress: &mut dyn FnMut(u32)) -> PrintedRun {
        let mut recent = Vec::new();
        let (output, ended) = spilled(|hear| self.start(asked, hear), &mut |part| {
            recent.extend_from_slice(&part[part.len().saturating_sub(RECENT_BYTES)..]);
            recent.drain(..recent.len().saturating_sub(RECENT_BYTES));
            last_step(&recent).into_iter().for_each(&mut *progress);
        });
        let is_empty = output.is_empty();
        let (wrong_end, last_words) = self.wrong_end(ended);
        let resimulated = asked.options.resimulated || self.resimulated;
        let options =
            LogOptions { resimulated, empty_lists: self.empty_lists(asked.window, asked.is_owed), ..asked.options };
        match LogSource::of_spill(OUTPUT, output, options) {
            Ok(log) => PrintedRun { log, is_empty, wrong_end, last_words },
            Err(error) => PrintedRun {
                log: LogSource::of_checkpoints(OUTPUT, Vec::new()),
                is_empty,
                wrong_end: wrong_end.or_else(|| Some(error.to_string())),
                last_words,
            },
        }
    }

    fn start(&self, asked: Asked, hear: Hear<'_>) -> Result<Ended, ProcessFailure> {
        let folder = self.folder.as_deref();
        let limits = limits(self.time_limit.unwrap_or(asked.time_limit));
        let Window { from, to } = asked.window;
        let steps = [from, to].map(|step| step.to_string());
        let window = [(WINDOW[0], steps[0].as_str()), (WINDOW[1], steps[1].as_str())];
        match &self.start {
            Start::Shell { line, values } => {
                let window = window.map(|(place, step)| (place, OsStr::new(step)));
                let values = [borrowed(values).as_slice(), &window].concat();
                hear_command(&fill_exactly(line, &values), folder, &limits, hear)
            }
            Start::Words { program, arguments } => {
                let arguments: Vec<String> = arguments.iter().map(|text| fill(text, &window)).collect();
                let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
                hear_program(&program_in(folder, program), &arguments, folder, &limits, hear)
            }
        }
    }

    /// What is wrong with how a run ended, and the last line that it wrote to standard error.
    fn wrong_end(&self, ended: Result<Ended, ProcessFailure>) -> (Option<String>, String) {
        let Ended { status, stderr_tail } = match ended {
            Ok(ended) => ended,
            Err(failure) => {
                let in_list = matches!(failure, ProcessFailure::TimedOut { .. }) && self.time_limit.is_some();
                let said = failure.to_string();
                let said = if in_list { said.replace("--time-limit", "its `time_limit`") } else { said };
                return (Some(said), String::new());
            }
        };
        let last_words = match stderr_tail.trim().lines().next_back() {
            None => String::new(),
            Some(last) => format!("; the last line on stderr: {}", printable(last)),
        };
        let hint = if NO_SUCH_PROGRAM.contains(&status) { "; is it built, and is its path right?" } else { "" };
        let wrong = (status != 0).then(|| format!("the command ended with exit status {status}{last_words}{hint}"));
        (wrong, last_words)
    }
}

/// Values for places, as they are filled in.
fn borrowed<'a>(values: &'a [(&'a str, OsString)]) -> Vec<(&'a str, &'a OsStr)> {
    values.iter().map(|(place, value)| (*place, value.as_os_str())).collect()
}

/// A command line as people type it.
fn fill_typed(line: &str, values: &[(&'static str, OsString)], window: &[(&str, &str)]) -> String {
    let typed: Vec<_> = values.iter().map(|(place, value)| (*place, typed_shell_word(value))).collect();
    let typed = typed.iter().map(|(place, value)| (*place, value.as_str()));
    fill(line, &typed.chain(window.iter().copied()).collect::<Vec<_>>())
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

/// The step of the last whole line at the end of an output; it need not be right, for it is only shown.
fn last_step(recent: &[u8]) -> Option<u32> {
    let text = String::from_utf8_lossy(recent);
    let (_, behind) = text.rsplit_once("\"step\":")?;
    let digits: String = behind.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok().filter(|_| digits.len() < behind.trim_start().len())
}

#[cfg(test)]
mod tests {
    use super::last_step;

    #[test]
    fn progress_knows_the_last_whole_number() {
        assert_eq!(last_step(b"{\"step\":7,\"hash\":\"1\"}\n{\"step\": 12,\"ha"), Some(12));
        assert_eq!(last_step(b"{\"step\":1"), None, "it may be 10");
        assert_eq!(last_step(b"hello"), None);
    }
}
