//! The command line: one file per subcommand, each of which parses its arguments into a plain struct, turns that once
//! into what it means, calls the library and hands the outcome to [`report`](crate::report).
//!
//! Nothing in here prints, and nothing in here simulates.

mod accept;
mod bench;
mod bisect;
mod check;
mod completions;
mod diff;
mod energy_file;
mod exit_status;
mod export;
mod failure;
mod fault;
mod fresh_runs;
mod guarded_program;
mod ladder;
mod log_arguments;
mod log_origin;
mod logged_run;
mod manifest;
mod manual;
mod minimize;
mod new_golden;
mod options;
mod output;
mod places;
mod plot;
mod plot_input;
mod probe;
mod process;
mod program;
mod query;
mod replays;
mod run;
mod run_options;
mod run_source;
mod scenes;
mod show;
mod source;
mod spilled_run;
mod step_choice;
mod stress;
mod sweep;
mod temporary_folder;
mod trace;
mod verify;
mod view;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{BISECT_EXIT, ColourWhen};
use crate::report::console::Console;
use crate::report::style::printable;

const ABOUT: &str =
    "Runs 3D rigid-body scenes that give the same bits every time, records them, and says where two runs diverge";

const EXAMPLES: &str = "\
Examples:
  physim run scenes/billiards.ron -o billiards.mcap   run a scene and record it
  physim verify billiards.mcap                        does it still give the same bits?
  physim diff billiards.mcap other.mcap               where do two runs diverge?
  physim show billiards.mcap --step 60                the state of one step

Exit status:
  0  done, or everything is the same
  1  something differs, or was recorded under other semantics
  2  wrong usage, a wrong scene, or a run that stopped on an error
  3  a replay is damaged or cannot be read";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "physim", version, long_version = options::LONG_VERSION, about = ABOUT, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, subcommand_required = true)]
struct Arguments {
    /// When to colour: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColourWhen::Auto)]
    #[arg(hide_possible_values = true)]
    color: ColourWhen,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArguments),
    Verify(verify::VerifyArguments),
    Diff(diff::DiffArguments),
    Bisect(bisect::BisectArguments),
    Show(show::ShowArguments),
    Query(query::QueryArguments),
    Probe(probe::ProbeArguments),
    Export(export::ExportArguments),
    View(view::ViewArguments),
    Plot(plot::PlotArguments),
    Sweep(sweep::SweepArguments),
    Bench(bench::BenchArguments),
    Stress(stress::StressArguments),
    Trace(trace::TraceArguments),
    Ladder(ladder::LadderArguments),
    Minimize(minimize::MinimizeArguments),
    Accept(accept::AcceptArguments),
    Check(check::CheckArguments),
    Completions(completions::CompletionsArguments),
    Manual(manual::ManualArguments),
}

impl Command {
    /// Whether `git bisect run` reads the exit status.
    const fn is_for_git_bisect(&self) -> bool {
        match self {
            Self::Verify(arguments) => arguments.bisect.bisect_exit,
            Self::Diff(arguments) => arguments.bisect.bisect_exit,
            Self::Bisect(arguments) => arguments.bisect.bisect_exit,
            _ => false,
        }
    }

    fn execute(self, console: &mut Console) -> Result<ExitStatus, Failure> {
        match self {
            Self::Run(arguments) => run::execute(arguments, console),
            Self::Verify(arguments) => verify::execute(arguments, console),
            Self::Diff(arguments) => diff::execute(&arguments, console),
            Self::Bisect(arguments) => bisect::execute(&arguments, console),
            Self::Show(arguments) => show::execute(&arguments, console),
            Self::Query(arguments) => query::execute(&arguments, console),
            Self::Probe(arguments) => probe::execute(&arguments, console),
            Self::Export(arguments) => export::execute(&arguments, console),
            Self::View(arguments) => view::execute(&arguments, console),
            Self::Plot(arguments) => plot::execute(&arguments, console),
            Self::Sweep(arguments) => sweep::execute(&arguments, console),
            Self::Bench(arguments) => bench::execute(&arguments, console),
            Self::Stress(arguments) => stress::execute(&arguments, console),
            Self::Trace(arguments) => trace::execute(&arguments, console),
            Self::Ladder(arguments) => ladder::execute(&arguments, console),
            Self::Minimize(arguments) => minimize::execute(&arguments, console),
            Self::Accept(arguments) => accept::execute(arguments, console),
            Self::Check(arguments) => Ok(check::execute(&arguments, console)),
            Self::Completions(arguments) => Ok(completions::execute(&arguments, console)),
            Self::Manual(arguments) => manual::execute(&arguments, console),
        }
    }
}

/// How this process ends: what its command line says about that, even where the rest of it cannot be parsed.
#[derive(Clone, Copy, Debug)]
struct Ending {
    /// Whether `git bisect run` reads the exit status.
    for_git_bisect: bool,
    /// Whether an error is said as JSON too.
    in_json: bool,
}

impl Ending {
    fn of_process() -> Self {
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        let in_json = ["--format", "--summary"].iter().any(|option| {
            let joined = format!("{option}=json");
            arguments.contains(&joined) || arguments.windows(2).any(|pair| pair == [*option, "json"])
        });
        Self { for_git_bisect: arguments.iter().any(|argument| argument == BISECT_EXIT), in_json }
    }

    const fn code(self, status: ExitStatus) -> u8 {
        if self.for_git_bisect { status.code_for_git_bisect() } else { status.code() }
    }
}

/// Does what the command line of this process says, and tells how it ended.
#[must_use]
pub fn run_program() -> ExitCode {
    let ending = Ending::of_process();
    let arguments = match parsed(std::env::args_os()) {
        Ok(arguments) => arguments,
        Err(error) => return ExitCode::from(ending.code(answer_usage(&of_printable_arguments(error), ending))),
    };
    crate::report::program::call(program::name());
    let ending = Ending { for_git_bisect: arguments.command.is_for_git_bisect(), ..ending };
    let mut console = Console::new(arguments.color.choice());
    let status = arguments.command.execute(&mut console).unwrap_or_else(|failure| {
        tell(&mut console, &failure);
        if ending.in_json {
            console.result(&failure.json(ending.code(failure.status())));
        }
        failure.status()
    });
    let status = if console.finish() { status } else { status.max(ExitStatus::Failed) };
    ExitCode::from(ending.code(status))
}

/// What a command line says. `-1` is a number, which options then refuse by their own range, and no option that nobody knows.
fn parsed(arguments: impl Iterator<Item = OsString>) -> Result<Arguments, clap::Error> {
    let mut command = Arguments::command().mut_subcommands(|command| command.allow_negative_numbers(true));
    let matches = command.try_get_matches_from_mut(arguments)?;
    Arguments::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The same error about the same arguments as they may be shown: what is wrong with them quotes them.
fn of_printable_arguments(error: clap::Error) -> clap::Error {
    let arguments = std::env::args_os().map(|argument| printable(&argument.to_string_lossy()).into());
    parsed(arguments).err().filter(|shown| shown.kind() == error.kind()).unwrap_or(error)
}

/// Help and version go to standard output; a wrong command line is an error.
fn answer_usage(error: &clap::Error, ending: Ending) -> ExitStatus {
    let mut console = Console::new(ColourWhen::Auto.choice());
    let text = error.render().ansi().to_string();
    if error.use_stderr() {
        console.note(&text);
        if ending.in_json {
            let plain = error.render().to_string();
            let message = plain.strip_prefix("error: ").unwrap_or(&plain);
            let message = message.split("\n\nUsage:").next().and_then(|message| message.split("\n\nFor more").next());
            let message = message.unwrap_or("").trim();
            console.result(&crate::report::error::json("usage", message, ending.code(ExitStatus::Failed)));
        }
        return ExitStatus::Failed;
    }
    console.result(&text);
    if console.finish() { ExitStatus::Done } else { ExitStatus::Failed }
}

fn tell(console: &mut Console, failure: &Failure) {
    match failure {
        Failure::Usage(message)
        | Failure::Unreadable(message)
        | Failure::Settings { message, .. }
        | Failure::Ended { message, .. } => console.error(message),
        Failure::Scene(error) => console.note(&format!("{}\n", error.render(true))),
        Failure::BrokenPipe => {}
    }
}

/// The command line as a value, for completions and the manual.
fn command_line() -> clap::Command {
    Arguments::command()
}

#[cfg(test)]
mod tests {
    use super::command_line;

    #[test]
    fn the_command_line_is_consistent() {
        command_line().debug_assert();
    }
}
