//! `physim trace`: every stage of some steps of a replay, object by object.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::analysis::rerun::RerunError;
use crate::analysis::trace::{TracePlan, trace_replay};
use crate::replay::format::TRACE_VERSION;
use crate::replay::trace::TraceHeader;
use crate::replay::{Recovered, Replay};
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::TextOrJson;
use crate::cli::output::check_is_no_input;
use crate::cli::replays::read_replay;
use crate::cli::source::{is_dash, name_of};
use crate::cli::watch::{Watch, parse_steps};
use crate::report;
use crate::report::console::Console;
use crate::report::progress::Progress;
use crate::report::trace::TraceReport;

const EXAMPLES: &str = "\
Examples:
  physim trace mine.mcap --steps 118..122                 writes mine.trace
  physim trace mine.mcap --steps 120 --states -o t.trace  with every field of every object
  physim trace mine.mcap --steps 120 -o -                 as JSON lines, a hash log
  physim diff mine.trace theirs.trace

Two machines that do not agree each make a trace of the steps around the difference; `physim diff` compares them.

Exit status: 0 traced, 1 this build does not come to the recorded hashes, 2 there are no such steps, 3 the replay is
damaged or unreadable.";

/// Record every stage of some steps of a replay, object by object
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TraceArguments {
    /// A replay; `-` is standard input
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// Which steps, both ends included
    #[arg(long, value_name = "FROM..TO", value_parser = parse_steps)]
    steps: RangeInclusive<u32>,

    /// The keyframe to start from, or the last one before it [default: the last one before the steps]
    #[arg(long, value_name = "STEP")]
    from: Option<u32>,

    /// The file of the trace, `-` for JSON lines on standard output [default: the replay's name, ending in .trace]
    #[arg(short, long, value_name = "TRACE")]
    output: Option<PathBuf>,

    /// The fields of the objects too, not only their hashes
    #[arg(long)]
    states: bool,

    /// Replace the output even if it is a file that is not a trace
    #[arg(long)]
    force: bool,

    /// How to write the summary: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,
}

/// Runs the command.
pub fn execute(arguments: &TraceArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let TraceArguments { replay: path, steps, states, format, .. } = arguments;
    let recovered = read_replay(path)?;
    let replay = &recovered.replay;
    check_steps(&recovered, &name_of(path), steps)?;
    let before = steps.start().saturating_sub(1);
    if let Some(from) = arguments.from.filter(|from| *from > before) {
        return Err(Failure::Usage(format!(
            "--from {from}: a run that starts there has the steps {} to {} behind it; start at step {before} or before",
            steps.start(),
            steps.end()
        )));
    }
    let plan = TracePlan { steps: steps.clone(), states: *states, every_step: false };
    let mut watch = open(arguments, replay, &plan)?;
    if watch.takes_standard_output() {
        console.give_up_standard_output();
    }
    let progress = Progress::new(u64::from(steps.end() - steps.start()) + 1, "steps");
    let mut checkpoints = 0_u64;
    let from = arguments.from.unwrap_or(before);
    let traced = trace_replay(replay, from, &plan, &mut |checkpoint| {
        checkpoints += 1;
        progress.reached(u64::from(checkpoint.step - steps.start()));
        watch.take(&checkpoint);
    });
    progress.finish();
    match traced {
        Ok(()) => {}
        Err(RerunError::NotReproduced { .. } | RerunError::Keyframe { .. }) if recovered.damage.is_some() => {
            watch.discard();
            let damage = recovered.damage.iter().map(ToString::to_string).collect::<String>();
            return Err(Failure::Unreadable(format!("{}: {damage}", name_of(path))));
        }
        Err(RerunError::Step(error)) => console.warning(&format!("the run stops here: {error}")),
        Err(error @ RerunError::NotReproduced { .. }) => {
            watch.discard();
            let restored = replay.keyframes.within(1..=from.max(1)).next().is_some();
            let or_from_start = if restored { "; or a restored run is another one here: try --from 0" } else { "" };
            console
                .error(&format!("{error}: a trace of it has to be made by the build that recorded it{or_from_start}"));
            return Ok(ExitStatus::Differs);
        }
        Err(error) if error.is_damage() => {
            watch.discard();
            return Err(Failure::Unreadable(format!("{}: {error}", name_of(path))));
        }
        Err(error) => {
            watch.discard();
            return Err(Failure::Usage(format!("{}: {error}", name_of(path))));
        }
    }
    let written = watch.finish()?;
    let report = TraceReport { replay: name_of(path), trace: written, steps: steps.clone(), checkpoints };
    console.result(&match format {
        TextOrJson::Text => report::trace::text(&report),
        TextOrJson::Json => report::trace::json(&report),
    });
    match &recovered.damage {
        None => Ok(ExitStatus::Done),
        Some(damage) => {
            console.warning(&format!("the replay is damaged: {damage}; these steps of it are sound"));
            Ok(ExitStatus::Damaged)
        }
    }
}

fn check_steps(recovered: &Recovered, name: &str, steps: &RangeInclusive<u32>) -> Result<(), Failure> {
    let Recovered { replay, damage } = recovered;
    let last = u32::try_from(replay.steps.len().saturating_sub(1)).unwrap_or(u32::MAX);
    // The step in which a run stopped was not recorded, but what led to the stop can be traced.
    let reach = if replay.steps.len() <= replay.header.steps as usize { last.saturating_add(1) } else { last };
    if *steps.end() > reach {
        let (from, to) = (steps.start(), steps.end());
        if let Some(damage) = damage {
            return Err(Failure::Unreadable(format!(
                "{name} is damaged: {damage}; --steps {from}..{to}: what is sound of it has the steps 0 to {last}; choose among them"
            )));
        }
        return Err(Failure::Usage(format!(
            "--steps {from}..{to}: the replay has the steps 0 to {last}; choose among them"
        )));
    }
    Ok(())
}

fn open(arguments: &TraceArguments, replay: &Replay, plan: &TracePlan) -> Result<Watch, Failure> {
    let path = arguments.output.clone().unwrap_or_else(|| {
        let of_replay = if is_dash(&arguments.replay) { Path::new("replay") } else { arguments.replay.as_path() };
        of_replay.with_extension("trace")
    });
    check_is_no_input(&path, &[&arguments.replay], arguments.force)?;
    if is_dash(&path) {
        return Watch::hash_log(&path, plan.clone(), arguments.force);
    }
    let header = TraceHeader {
        format: TRACE_VERSION,
        semantics: replay.header.semantics,
        scalar: replay.header.scalar,
        scene_name: replay.header.scene_name.clone(),
        dt: replay.header.dt.clone(),
        from: *plan.steps.start(),
        to: *plan.steps.end(),
        with_states: plan.states,
        producer: concat!("physim ", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    Watch::trace(&path, &header, plan.states, arguments.force)
}
