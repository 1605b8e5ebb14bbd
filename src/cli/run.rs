//! `physim run`: runs a scene, and records it where a replay is asked for.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::analysis::coverage::vacuous_run;
use crate::analysis::energy_gain::energy_gained;
use crate::analysis::joint_gaps::joints_apart;
use crate::analysis::states::Visiting;
use crate::analysis::stiffness::too_stiff;
use crate::analysis::trace::TracePlan;
use crate::math::lanes::LanePath;
use crate::scene::error::listed;
use crate::session::record::{RunPlan, RunSummary};
use crate::world::counts::Counted;
use crate::world::fault::Fault;
use clap::Args;

use crate::cli::energy_file::EnergyFile;
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{TextOrJson, lane_paths, parse_threads, parse_whole};
use crate::cli::output::{Destination, check_are_apart, check_is_no_input, recording_failure};
use crate::cli::run_options::RunOptions;
use crate::cli::source::is_dash;
use crate::cli::watch::{Watch, parse_steps, trace_header};
use crate::report;
use crate::report::console::Console;
use crate::report::number::counted;
use crate::report::progress::Progress;
use crate::report::run::RunReport;

const EXAMPLES: &str = "\
Examples:
  physim run scenes/billiards.ron                          run it and see what happened
  physim run scenes/billiards.ron -o billiards.mcap        record it as well
  physim run scenes/stack_20.ron --set solver.iterations=8 --steps 3600
  physim run scenes/free_spin.ron --scalar f32 --format json
  physim run scenes/twenty_balls.ron --energy energy.csv   energies of each step, for plot
  generate_scene | physim run - --inputs moves.ron -o game.mcap

Exit status: 0 all steps were taken, 2 the scene is wrong or the run stopped on an error; its replay
then holds every step up to the last good one.";

/// Run a scene and record it
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct RunArguments {
    /// The scene, a file in RON; `-` is standard input
    #[arg(value_name = "SCENE")]
    scene: PathBuf,

    /// Record the run into this file, which appears when the run is complete; `-` is standard output
    #[arg(short, long, value_name = "REPLAY")]
    output: Option<PathBuf>,

    #[command(flatten)]
    options: RunOptions,

    /// How many threads work on the run; never changes a result
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroU32,

    /// The vectors to work with: scalar, sse2, avx2, avx512 or neon; never changes a result [default: the widest that this machine
    /// has]
    #[arg(long, value_name = "PATH", value_parser = lane_paths(), hide_possible_values = true)]
    lanes: Option<LanePath>,

    /// Store the whole state each N steps [default: the scene's]
    #[arg(long, value_name = "N", value_parser = parse_whole::<1, 1_000_000>)]
    keyframe_every: Option<u32>,

    /// How to write the summary: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,

    /// Replace the output even if it is a file that is not a replay
    #[arg(long)]
    force: bool,

    /// Why the replay is as it is: recorded in it, for replays that are kept as golden
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// Write the hash of every step as JSON lines, as docs/hash-log.md describes; `-` is standard output
    #[arg(long, value_name = "FILE")]
    hash_log: Option<PathBuf>,

    /// Write energies, momenta, overlap and contacts of every step as CSV, as `export --format energy` does; `-` is standard output
    #[arg(long, value_name = "FILE.csv")]
    energy: Option<PathBuf>,

    /// Record every stage of these steps, object by object: into a trace, or into the hash log if there is one
    #[arg(long, value_name = "FROM..TO", value_parser = parse_steps)]
    trace: Option<RangeInclusive<u32>>,

    /// The file of the trace [default: the replay's name, or the scene's, ending in .trace]
    #[arg(long, value_name = "FILE", requires = "trace", conflicts_with = "hash_log")]
    trace_output: Option<PathBuf>,

    /// Trace the fields of the objects too, not only their hashes
    #[arg(long, requires = "trace")]
    states: bool,
}

/// The run that the arguments mean.
struct Request {
    plan: RunPlan,
    destination: Destination,
    watch: Watch,
    energy: EnergyFile,
    format: TextOrJson,
}

impl RunArguments {
    fn into_request(self) -> Result<Request, Failure> {
        self.check_streams()?;
        for output in [&self.output, &self.hash_log, &self.trace_output, &self.energy].into_iter().flatten() {
            let inputs: Vec<&Path> =
                self.options.inputs.iter().map(PathBuf::as_path).chain([self.scene.as_path()]).collect();
            check_is_no_input(output, &inputs, self.force)?;
        }
        let destination = Destination::new(self.output.clone(), self.force)?;
        let plan = self.options.plan(&self.scene)?;
        let lanes = self.lanes.unwrap_or(plan.lanes);
        let mut plan = RunPlan { threads: self.threads.get(), lanes, reason: self.reason.clone(), ..plan };
        if let Some(every) = self.keyframe_every {
            Arc::make_mut(&mut plan.scene).keyframe_every = every;
        }
        let watch = self.watch(&plan)?;
        let energy = match &self.energy {
            None => Ok(EnergyFile::nothing()),
            Some(path) => EnergyFile::create(path, plan.step_time(), self.force),
        };
        let energy = match energy {
            Ok(energy) => energy,
            Err(failure) => {
                watch.discard();
                return Err(failure);
            }
        };
        Ok(Request { plan, destination, watch, energy, format: self.format })
    }

    /// The options that make the run what it is, as words of a command line.
    fn words(&self) -> Vec<String> {
        let mut words = self.options.words();
        words.extend((self.threads.get() > 1).then(|| format!("--threads={}", self.threads)));
        words.extend(self.lanes.map(|lanes| format!("--lanes={}", lanes.name())));
        words
    }

    /// Standard output, and every file, takes one thing only.
    fn check_streams(&self) -> Result<(), Failure> {
        let outputs = [(&self.output, "the replay"), (&self.hash_log, "the hash log"), (&self.energy, "the energies")];
        let trace_path = self.trace.as_ref().filter(|_| self.hash_log.is_none()).map(|_| self.trace_path());
        let outputs: Vec<(&Path, &str)> = outputs
            .iter()
            .filter_map(|(path, what)| Some((path.as_deref()?, *what)))
            .chain(trace_path.as_deref().map(|path| (path, "the trace")))
            .collect();
        check_are_apart(&outputs)
    }

    /// The file of the trace, if one is asked for.
    fn trace_path(&self) -> PathBuf {
        self.trace_output.clone().unwrap_or_else(|| {
            let of_scene = if is_dash(&self.scene) { Path::new("run") } else { self.scene.as_path() };
            let replay = self.output.as_deref().filter(|path| !is_dash(path));
            let named = replay.unwrap_or_else(|| of_scene.file_name().map_or(of_scene, Path::new));
            named.with_extension("trace")
        })
    }

    fn watch(&self, plan: &RunPlan) -> Result<Watch, Failure> {
        if let Some(steps) = self.trace.as_ref().filter(|steps| *steps.start() > plan.steps) {
            let (from, last) = (steps.start(), plan.steps);
            return Err(Failure::Usage(format!("--trace: the run ends with step {last}, before step {from}")));
        }
        match (&self.hash_log, &self.trace) {
            (None, None) => Ok(Watch::nothing()),
            (Some(path), steps) => {
                let plain = TracePlan { states: self.states, ..TracePlan::hashes_only() };
                let steps = steps.clone().unwrap_or(plain.steps.clone());
                Watch::hash_log(path, TracePlan { steps, ..plain }, self.force)
            }
            (None, Some(steps)) => {
                Watch::trace(&self.trace_path(), &trace_header(plan, steps, self.states), self.states, self.force)
            }
        }
    }
}

/// Runs the command.
pub fn execute(arguments: RunArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let options = arguments.words();
    let Request { plan, destination, mut watch, mut energy, format } = arguments.into_request()?;
    if matches!(destination, Destination::StandardOutput)
        || watch.takes_standard_output()
        || energy.takes_standard_output()
    {
        console.give_up_standard_output();
    }
    let mut warnings = warnings_before(&plan);
    let progress = Progress::new(u64::from(plan.steps), "steps");
    let clock = Clock::start();
    let mut stepper = Visiting::new(&mut watch, &mut energy);
    let recorded = destination.record(&plan, &mut stepper, &mut |step| progress.reached(u64::from(step)));
    let told = stepper.finish();
    let seconds = clock.seconds();
    progress.finish();
    let (summary, replay_bytes) = match recorded {
        Ok(recorded) => recorded,
        Err(error) => {
            energy.discard();
            watch.discard_unless_begun();
            return Err(recording_failure(&plan.scene.name, error));
        }
    };
    let (watched, energy) = (watch.finish(), energy.finish(told));
    let (watched, energy) = (watched?, energy?);
    warnings.extend(inert_faults(&plan, &summary));
    warnings.extend(vacuous_run(&plan, &summary));
    warnings.extend(energy_gained(&plan, &summary));
    let report = RunReport {
        plan: &plan,
        summary: &summary,
        replay: destination.path(),
        replay_bytes,
        seconds,
        warnings,
        watched,
        energy,
        options,
    };
    match format {
        TextOrJson::Text => console.result(&report::run::text(&report)),
        TextOrJson::Json => console.result(&report::run::json(&report)),
    }
    report.warnings.iter().for_each(|warning| console.warning(warning));
    match &summary.stopped {
        None => Ok(ExitStatus::Done),
        Some(error) => {
            console.error(&error.to_string());
            Ok(ExitStatus::Failed)
        }
    }
}

/// What can be said about a plan before it runs.
fn warnings_before(plan: &RunPlan) -> Vec<String> {
    [too_stiff(&plan.scene), joints_apart(&plan.scene)].into_iter().flatten().collect()
}

/// What is to be said of faults that changed nothing.
fn inert_faults(plan: &RunPlan, summary: &RunSummary) -> Option<String> {
    let within = plan.faults.iter().filter(|fault| fault.step <= summary.steps).count() as u64;
    let changed = summary.counts.get(Counted::Perturbations);
    let absent = within.saturating_sub(changed + summary.inert.len() as u64);
    let mut parts = Vec::new();
    if !summary.inert.is_empty() {
        let inert: Vec<_> = summary.inert.iter().map(Fault::to_string).collect();
        let (faults, are) = if inert.len() == 1 { ("fault", "is") } else { ("faults", "are") };
        parts.push(format!(
            "{faults} {} {are} inert: the step has the same bits without; what is named was not there, rounding swallowed it, or no state can have it",
            listed(inert.iter().map(String::as_str))
        ));
    }
    if absent > 0 {
        parts.push(format!(
            "{} not planted: the circumstances it is bound to did not hold",
            counted(absent, "fault was", "faults were")
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The time a run takes, for people only: it reaches no state.
struct Clock(Instant);

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "the time shown in the summary; no result depends on it")]
    fn start() -> Self {
        Self(Instant::now())
    }

    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}
