//! `physim ladder`: a replay in a kilobyte of text, to be pasted.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::replay::Ladder;
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::replays::read_replay;
use crate::cli::source::name_of;
use crate::cli::watch::parse_steps;
use crate::report::console::Console;

const EXAMPLES: &str = "\
Examples:
  physim ladder mine.mcap                       about a kilobyte: send it to whoever has the other replay
  physim diff mine.mcap theirs.txt              between which steps do they diverge?
  physim ladder mine.mcap --steps 128..256      the next ladder, within that gap

Two or three ladders name the step without exchanging any file.

Exit status: 0 done, 2 there are no such steps, 3 the replay is damaged or unreadable.";

/// Print a replay as a kilobyte of text: hashes at exponentially spaced steps
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct LadderArguments {
    /// A replay; `-` is standard input
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// Evenly spaced rungs over this part of the run, both ends included
    #[arg(long, value_name = "FROM..TO", value_parser = parse_steps)]
    steps: Option<RangeInclusive<u32>>,
}

/// Runs the command.
pub fn execute(arguments: &LadderArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let recovered = read_replay(&arguments.replay)?;
    let replay = &recovered.replay;
    let last = u32::try_from(replay.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let (from, to) = arguments.steps.as_ref().map_or((0, last), |steps| (*steps.start(), *steps.end()));
    let ladder = Ladder::of(&replay.header, &replay.scene, &replay.steps, from, to)
        .map_err(|error| Failure::Usage(format!("{}: {error}", name_of(&arguments.replay))))?;
    console.result(&ladder.to_string());
    match recovered.damage {
        None => Ok(ExitStatus::Done),
        Some(damage) => {
            console.warning(&format!("the replay is damaged: {damage}; the ladder goes as far as it is sound"));
            Ok(ExitStatus::Damaged)
        }
    }
}
