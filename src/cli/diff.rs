//! `physim diff`: where do two replays part?

use std::path::PathBuf;

use clap::Args;
use physim::analysis::diff::diff_recovered;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{BisectExit, TextOrJson};
use crate::cli::replays::{check_one_reader, read_replay, status_of};
use crate::cli::source::name_of;
use crate::report;
use crate::report::console::Console;
use crate::report::diff::DiffReport;

const EXAMPLES: &str = "\
Examples:
  physim diff mine.mcap theirs.mcap
  physim diff a.mcap b.mcap --window 60       follow the difference for 60 steps
  physim diff a.mcap b.mcap --format json
  physim run scene.ron -o - | physim diff golden.mcap -
  git bisect run sh -c 'physim run level.ron -o now.mcap || exit 125
                        physim diff --bisect-exit golden.mcap now.mcap'

A difference is named by running both replays again from their last keyframes before it.

Exit status: 0 the same, 1 they differ or have other semantics, 3 one is damaged or unreadable.";

/// Name the first difference of two replays: step, stage, section, object, field, bits
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiffArguments {
    /// A replay; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Another replay; `-` is standard input
    #[arg(value_name = "B")]
    b: PathBuf,

    /// For how many steps to follow how the difference spreads
    #[arg(long, value_name = "N", default_value_t = 10)]
    window: u32,

    /// How to write the result: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,

    #[command(flatten)]
    pub bisect: BisectExit,
}

/// Runs the command.
pub fn execute(arguments: &DiffArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let DiffArguments { a, b, window, format, bisect: _ } = arguments;
    check_one_reader([a.as_path(), b.as_path()].into_iter())?;
    let diff = diff_recovered(&read_replay(a)?, &read_replay(b)?, *window);
    let report = DiffReport { a: name_of(a), b: name_of(b), diff: &diff };
    console.result(&match format {
        TextOrJson::Text => report::diff::text(&report),
        TextOrJson::Json => report::diff::json(&report),
    });
    Ok(status_of(diff.verdict))
}
