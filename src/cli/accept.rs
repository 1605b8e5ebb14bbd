//! `physim accept`: takes new results as golden, after showing what changes.

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use crate::analysis::golden::{GoldenChange, golden_change};
use crate::replay::{Replay, ReplayError, looks_like_a_replay, read_strict, rewrite};
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::new_golden::{NEW, new_path};
use crate::cli::options::{TextOrJson, available_threads};
use crate::cli::output::check_replaceable;
use crate::cli::replays::{EXTENSION, find_files};
use crate::report;
use crate::report::accept::{Candidate, Outcome};
use crate::report::console::Console;
use crate::report::program::command;
use crate::report::run::quoted;

const EXAMPLES: &str = "\
Examples:
  physim accept                                            what is new in replays/, one by one
  physim accept replays/billiards.fixed.mcap               this one
  physim accept --yes --reason 'friction is a cone now'    all of them, from a script
  physim accept < /dev/null                                only show what would change

`physim verify` writes NAME.new beside each replay NAME that no longer holds. A golden carries the
reason of its last change: `physim show NAME` tells it.

Exit status: 0 all are accepted, 1 some are left, 2 there is none or one may not be accepted, 3 one
is damaged.";

/// Take new results as golden, after showing what changed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AcceptArguments {
    /// Golden replays, their NAME.new, or folders [default: replays, or else the current folder]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Accept all without asking; needs --reason
    #[arg(long, requires = "reason")]
    yes: bool,

    /// Why they change: recorded in each golden
    #[arg(long, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,

    /// How to write what changes: text, or json (one object per line and golden)
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,
}

fn parse_reason(text: &str) -> Result<String, String> {
    let reason = text.trim();
    if reason.is_empty() { Err("expected a sentence".to_owned()) } else { Ok(reason.to_owned()) }
}

/// Runs the command.
pub fn execute(arguments: AcceptArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let AcceptArguments { paths, yes, reason, format } = arguments;
    let goldens = find_goldens(paths)?;
    let can_ask = std::io::stdin().is_terminal();
    let mode = match (yes, can_ask) {
        (true, _) => Mode::All,
        (false, true) => Mode::Ask,
        (false, false) => Mode::Show,
    };
    let mut acceptance = Acceptance { mode, reason, format, status: ExitStatus::Done };
    for golden in &goldens {
        acceptance.handle(golden, console)?;
    }
    if mode == Mode::Show && acceptance.status == ExitStatus::Differs {
        return Err(Failure::Usage(format!(
            "nothing is accepted: standard input is not a terminal, so that nobody can be asked; accept all of them with {}",
            command("accept --yes --reason TEXT")
        )));
    }
    Ok(acceptance.status)
}

/// The goldens that have a new result, as the paths name them.
fn find_goldens(mut paths: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    if paths.is_empty() {
        paths.push(PathBuf::from(if Path::new("replays").is_dir() { "replays" } else { "." }));
    }
    let is_new = |path: &Path| {
        let of_golden = path.file_stem().is_some_and(|stem| Path::new(stem).extension() == Some(EXTENSION.as_ref()));
        of_golden && path.extension() == Some(NEW.as_ref())
    };
    let mut goldens = Vec::new();
    for path in paths {
        let shown = path.display();
        if path.is_dir() {
            let found = find_files(&path, &is_new)?;
            if found.is_empty() {
                return Err(Failure::Usage(format!(
                    "{shown}: there is no new result (*.{EXTENSION}.{NEW}) in this folder; physim verify writes one \
                     beside each replay that does not hold"
                )));
            }
            goldens.extend(found.into_iter().map(|new| new.with_extension("")));
            continue;
        }
        let golden = if path.extension() == Some(NEW.as_ref()) { path.with_extension("") } else { path.clone() };
        if !new_path(&golden).is_file() {
            let new = new_path(&golden);
            return Err(Failure::Usage(format!(
                "{}: there is no such file; physim verify writes it when {} does not hold",
                new.display(),
                golden.display()
            )));
        }
        goldens.push(golden);
    }
    Ok(goldens)
}

/// What may take the place of a golden, and what that changes.
struct Found {
    golden: Replay,
    new: Replay,
    change: GoldenChange,
}

/// Reads a golden and its new result and compares them; a refusal comes with the status it has.
fn compare(golden_path: &Path) -> Result<Box<Found>, (String, ExitStatus)> {
    let new_path = new_path(golden_path);
    let read = |path: &Path| {
        read_strict(path).map_err(|error| match error {
            ReplayError::Io { .. } | ReplayError::NotAFile { .. } => (error.to_string(), ExitStatus::Failed),
            error => (error.to_string(), ExitStatus::Damaged),
        })
    };
    let new = read(&new_path)?;
    let golden = read(golden_path)?;
    let threads = available_threads().get();
    let change = golden_change(&golden, &new, threads, &mut |_, _| {}).map_err(|refusal| {
        let shown = new_path.display();
        let verify = command(&format!("verify {}", quoted(&golden_path.display().to_string())));
        (format!("{shown} is refused: {refusal}; delete it, or make it anew: {verify}"), ExitStatus::Failed)
    })?;
    Ok(Box::new(Found { golden, new, change }))
}

/// Who decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Whoever sits at the terminal.
    Ask,
    /// All are accepted.
    All,
    /// None is, they are only shown.
    Show,
    /// None is, and none is shown any more.
    Stop,
}

/// What has been decided so far.
struct Acceptance {
    mode: Mode,
    reason: Option<String>,
    format: TextOrJson,
    status: ExitStatus,
}

impl Acceptance {
    /// Shows one candidate, asks, and accepts it if the answer is yes.
    fn handle(&mut self, golden_path: &Path, console: &mut Console) -> Result<(), Failure> {
        if self.mode == Mode::Stop {
            self.status = self.status.max(ExitStatus::Differs);
            return Ok(());
        }
        let golden = golden_path.display().to_string();
        let new = new_path(golden_path).display().to_string();
        let candidate = |outcome| Candidate { golden: &golden, new: &new, outcome };
        let found = match compare(golden_path) {
            Ok(found) => found,
            Err((refusal, status)) => {
                self.status = self.status.max(status);
                if self.format == TextOrJson::Json {
                    console.result(&report::accept::json(&candidate(Outcome::Refused(&refusal))));
                }
                console.error(&refusal);
                return Ok(());
            }
        };
        let (change, before) = (&found.change, found.golden.header.reason.as_deref());
        if self.format == TextOrJson::Text {
            console.result(&report::accept::text(&candidate(Outcome::Left { change, before })));
        }
        let reason = if self.wants(console)? { self.reason.clone() } else { None };
        let outcome = match &reason {
            Some(reason) => {
                accept(golden_path, found.new.clone(), reason)?;
                Outcome::Accepted { change, before, reason }
            }
            None => {
                self.status = self.status.max(ExitStatus::Differs);
                Outcome::Left { change, before }
            }
        };
        match self.format {
            TextOrJson::Json => console.result(&report::accept::json(&candidate(outcome))),
            TextOrJson::Text => console.result(&report::accept::answer(&candidate(outcome))),
        }
        Ok(())
    }

    /// Whether this one is to be accepted; the reason is then known.
    fn wants(&mut self, console: &mut Console) -> Result<bool, Failure> {
        let wanted = match self.mode {
            Mode::All => true,
            Mode::Show | Mode::Stop => false,
            Mode::Ask => match ask(console, "accept? [y/N/a/q] ")?.to_lowercase().as_str() {
                "y" | "yes" => true,
                "a" | "all" => {
                    self.mode = Mode::All;
                    true
                }
                "q" | "quit" => {
                    self.mode = Mode::Stop;
                    false
                }
                _ => false,
            },
        };
        if wanted && self.reason.is_none() {
            let reason = ask(console, "why does it change? (recorded in every golden accepted now) ")?;
            let reason = parse_reason(&reason).map_err(|_| {
                Failure::Usage("nothing is accepted: a golden carries the reason of its change".to_owned())
            })?;
            self.reason = Some(reason);
        }
        Ok(wanted)
    }
}

/// A line from the terminal; one that is closed says to quit.
fn ask(console: &mut Console, question: &str) -> Result<String, Failure> {
    console.note(question);
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    match read.map_err(|error| Failure::Usage(format!("cannot read the answer: {error}")))? {
        0 => Ok("q".to_owned()),
        _ => Ok(answer.trim().to_owned()),
    }
}

/// Puts the new result in the place of the golden, with the reason in it, and removes `NAME.new`.
fn accept(golden_path: &Path, mut new: Replay, reason: &str) -> Result<(), Failure> {
    check_replaceable(golden_path, false, "replay", looks_like_a_replay)?;
    new.header.reason = Some(reason.to_owned());
    rewrite(&new, golden_path).map_err(Failure::writing)?;
    let path = new_path(golden_path);
    std::fs::remove_file(&path).map_err(|error| {
        Failure::Usage(format!("{} is accepted, but cannot be removed: {error}; delete it", path.display()))
    })
}
