//! `physim accept`: takes new results as golden, after showing what changes. [`found`] has the goldens that have one, [`candidate`]
//! reads and replaces them.

mod candidate;
mod found;

use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::accept::candidate::{accept, compare};
use crate::cli::accept::found::find_goldens;
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::new_golden::new_path;
use crate::cli::options::TextOrJson;
use crate::report;
use crate::report::accept::{Candidate, Outcome};
use crate::report::console::Console;
use crate::report::program::command;
use crate::report::run::path_argument;

const EXAMPLES: &str = "\
Examples:
  physim accept                                            what is new in replays/, one by one
  physim accept replays/billiards.fixed.mcap               this one
  physim accept goldens/seed_7.log                         the log of another program, also the first
  physim accept physim.ron                                 of all programs of a list
  physim accept --yes --reason 'friction is a cone now'    all of them, from a script
  physim accept < /dev/null                                only show what would change

`physim verify` writes NAME.new beside each golden NAME that no longer holds, and for a program that
has no golden yet. A golden carries the reason of its last change: `physim show NAME` tells that of
a replay, a log begins with it.

Exit status: 0 all are accepted, 1 some are left, 2 there is none or one may not be accepted, 3 one
is damaged.";

/// Take new results as golden, after showing what changed
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AcceptArguments {
    /// Goldens, their NAME.new, lists of programs, or folders [default: replays and physim.ron, or else the current folder]
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

/// The longest reason, in bytes: what is longer would be cut where it is shown.
const LONGEST_REASON: usize = 1000;

fn parse_reason(text: &str) -> Result<String, String> {
    let reason = text.trim();
    match reason.len() {
        0 => Err("expected a sentence".to_owned()),
        bytes if bytes > LONGEST_REASON => Err(format!(
            "expected a sentence of at most {LONGEST_REASON} bytes, this has {bytes}; put the rest where it is found from there"
        )),
        _ => Ok(reason.to_owned()),
    }
}

/// Runs the command.
pub fn execute(arguments: AcceptArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let AcceptArguments { paths, yes, reason, format } = arguments;
    let named: Vec<String> = paths.iter().map(|path| format!(" {}", path_argument(path))).collect();
    let goldens = find_goldens(paths, &mut |what| console.warning(what))?;
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
            "nothing is accepted: standard input is not a terminal, so that nobody can be asked; accept {} with {}",
            if goldens.len() == 1 { "it" } else { "all of them" },
            command(&format!("accept --yes --reason TEXT{}", named.concat()))
        )));
    }
    Ok(acceptance.status)
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
        let (change, before) = (&found.change, found.before.as_deref());
        if self.format == TextOrJson::Text {
            console.result(&report::accept::text(&candidate(Outcome::Left { change, before })));
        }
        let reason = if self.wants(console)? { self.reason.clone() } else { None };
        let outcome = match &reason {
            Some(reason) => {
                accept(golden_path, &found.new, reason)?;
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
            let reason = parse_reason(&reason).map_err(|what| {
                Failure::Usage(format!("nothing is accepted: a golden carries the reason of its change: {what}"))
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
