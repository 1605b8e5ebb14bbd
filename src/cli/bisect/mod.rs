//! `physim bisect`: which condition makes two runs diverge that ought to agree, and in what?
//!
//! [`replays`] compares recorded runs, [`scene`] the conditions of a scene in this process, [`scalars`] its number types,
//! [`programs`] and [`commands`]
//! whatever prints a hash log: other builds of physim, and any program.

mod commands;
mod programs;
mod replays;
mod scalars;
mod scene;

use std::path::PathBuf;

use crate::analysis::bisect::axis::{AxisText, check_unique};
use crate::analysis::bisect::{BisectError, Bisection};
use crate::analysis::tolerance::Tolerance;
use clap::{Args, ValueHint};

use crate::cli::diff::parse_tolerance;
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::log_arguments::LogArguments;
use crate::cli::options::{BisectExit, TextOrJson, parse_whole};
use crate::cli::replays::status_of;
use crate::cli::run_options::RunOptions;
use crate::cli::verify::TIME_LIMIT;
use crate::report;
use crate::report::bisect::BisectReport;
use crate::report::console::Console;
use crate::report::program::command;

const EXAMPLES: &str = "\
Examples:
  physim bisect mine.mcap theirs.mcap                   two replays of one run
  physim bisect golden.mcap                             a replay against this build
  physim bisect scene.ron --axis threads=1,2,8 --axis restore
  physim bisect scene.ron --axis order --axis repeat=20
  physim bisect scene.ron --axis exe=./physim-old,./physim-new
  physim bisect scene.ron --axis scalar=fixed,f64 --tolerance 0.001
  physim bisect --exec './my_engine --seed 7' --axis repeat=20
  physim bisect --exec './my_engine --threads {threads}' --axis threads=1,8
  physim bisect --exec './build-a/engine' --exec './build-b/engine' --format json
  git bisect run physim bisect --bisect-exit --exec 'make -s && ./my_engine' --axis repeat=5

Axes of a scene:
  threads=1,2,8     numbers of threads
  lanes             every kind of vectors that this machine has; lanes=scalar,avx2 these
  restore           restored after each step k in turn, into a world full of nonsense
  restore=K1,K2     restored after these steps
  order, order=S    bodies and groups of the scene file in another order, by seed
  repeat=20         the same run again and again, to catch races
  exe=PATH,PATH     several physim programs, each run with --hash-log
  scalar=fixed,f64  number types, compared in metres and radians, with --tolerance; by itself
With --exec an axis may have any name: {NAME} in the command is replaced by its value. Where
{from} or {to} stands in it, the command is run again with the step that differs in its place,
to tell more of it; in the runs before that both are 0. docs/hash-log.md says what to print.

The first value of each axis is the baseline. Sets of changes are tried by growing size until
one diverges from it: the smallest set. Where another program or command diverges, the baseline
is run again first: if it differs from itself, it does not repeat, and no axis is named.

Exit status: 0 all conditions agree, 1 they diverge, 2 wrong usage, a wrong scene, or a program
that fails, hangs or prints no log, 3 a replay is damaged.";

/// Find the step, the place and the smallest set of conditions by which runs diverge that ought to agree
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BisectArguments {
    /// Two replays, one replay, or one scene with --axis
    #[arg(value_name = "FILE", num_args = 0..=2)]
    files: Vec<PathBuf>,

    /// Vary this, such as `threads=1,2,8` or `restore`; may be repeated
    #[arg(long, value_name = "NAME[=V1,V2]", value_parser = parse_axis)]
    axis: Vec<AxisText>,

    /// Run this command, which prints a hash log; may be repeated: the commands are then compared
    #[arg(long, value_name = "CMD", value_hint = ValueHint::CommandString)]
    #[arg(conflicts_with_all = ["files", "scalar", "set", "steps", "inputs", "fault", "tolerance"])]
    exec: Vec<String>,

    #[command(flatten)]
    options: RunOptions,

    #[command(flatten)]
    logs: LogArguments,

    /// How long each run of another program may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_LIMIT, value_parser = parse_whole::<1, { u32::MAX }>)]
    time_limit: u32,

    /// How many steps each restored run is looked ahead with `--axis restore`; 16 of them go on to the end
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_whole::<0, { u32::MAX }>)]
    window: u32,

    /// How many of the fields that differ first to list, at most
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parse_whole::<0, { u32::MAX }>)]
    max: u32,

    /// How far bodies may be apart with --axis scalar: METRES or METRES,RADIANS
    #[arg(long, value_name = "METRES[,RADIANS]", value_parser = parse_tolerance)]
    tolerance: Option<Tolerance>,

    /// How to write the result: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,

    #[command(flatten)]
    pub bisect: BisectExit,
}

fn parse_axis(text: &str) -> Result<AxisText, String> {
    text.parse()
}

/// What a search found, and a command that goes on from there.
struct Answer {
    found: Bisection,
    next: Option<String>,
}

/// Runs the command.
pub fn execute(arguments: &BisectArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    check_unique(&arguments.axis)?;
    let Answer { found, next } = answer(arguments)?;
    let status = status_of(found.verdict);
    let report = BisectReport { found: &found, next };
    console.result(&match arguments.format {
        TextOrJson::Text => report::bisect::text(&report),
        TextOrJson::Json => report::bisect::json(&report),
    });
    Ok(status)
}

/// Which of the ways to compare the arguments mean.
fn answer(arguments: &BisectArguments) -> Result<Answer, Failure> {
    if !arguments.exec.is_empty() {
        return commands::bisect(arguments);
    }
    match arguments.files.as_slice() {
        [a, b] => replays::bisect_two(arguments, a, b),
        [one] if replays::is_recorded(one) => replays::bisect_one(arguments, one),
        [scene] if arguments.axis.iter().any(scalars::is_scalar) => scalars::bisect(arguments, scene),
        [scene] if arguments.tolerance.is_some() => Err(Failure::Usage(format!(
            "{}: --tolerance belongs to --axis scalar=fixed,f64; other conditions have to agree in every bit",
            scene.display()
        ))),
        [scene] if arguments.axis.iter().any(|axis| axis.name == "exe") => programs::bisect(arguments, scene),
        [scene] => scene::bisect(arguments, scene),
        _ => Err(Failure::Usage(format!(
            "nothing to compare: give two replays, one replay, a scene with --axis, or --exec; see {}",
            command("bisect --help")
        ))),
    }
}

impl BisectArguments {
    /// Refuses what belongs to a scene, where there are replays.
    fn check_for_replays(&self) -> Result<(), Failure> {
        let given = [
            ("--axis", !self.axis.is_empty()),
            ("--scalar", self.options.scalar.is_some()),
            ("--set", !self.options.set.is_empty()),
            ("--steps", self.options.steps.is_some()),
            ("--inputs", self.options.inputs.is_some()),
            ("--fault", !self.options.fault.is_empty()),
            ("--tolerance", self.tolerance.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::Usage(format!(
                "{option} belongs to a scene: replays are compared as they were recorded; give the scene instead"
            ))),
        }
    }
}

impl From<BisectError> for Failure {
    fn from(error: BisectError) -> Self {
        Self::Usage(error.to_string())
    }
}
