//! `physim run`: runs a scene, and records it where a replay is asked for.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use physim::analysis::coverage::vacuous_run;
use physim::math::ScalarKind;
use physim::replay::{InputOrigin, Perturbation};
use physim::scene::overrides::apply_override;
use physim::session::record::RunPlan;
use physim::world::counts::Counted;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::fault::{check_faults, parse_fault};
use crate::cli::options::{TextOrJson, parse_scalar, parse_threads};
use crate::cli::output::{Destination, recording_failure};
use crate::cli::source::{is_dash, read_inputs, read_scene};
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

    /// How many steps to take [default: the scene's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000_000_000))]
    steps: Option<u32>,

    /// The number type to compute in: fixed, f32 or f64 [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_parser = parse_scalar)]
    scalar: Option<ScalarKind>,

    /// How many threads work on the run; never changes a result
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    threads: NonZeroU32,

    /// Set one key of the scene, such as `solver.iterations=20` or `bodies.cue.linear_velocity.0=7.5`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Further inputs, one RON record on each line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    inputs: Option<PathBuf>,

    /// Store the whole state each N steps [default: the scene's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    keyframe_every: Option<u32>,

    /// How to write the summary: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,

    /// Replace the output even if it is a file that is no replay
    #[arg(long)]
    force: bool,

    /// Why the replay is as it is: recorded in it, for replays that are kept as golden
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// Change a number of the state by N units in the last place after a step, to try out whether the change is found:
    /// `ulp@STEP,object=NAME,field=linear_velocity.x`, with `section=` (default bodies) and `ulps=` (default 1)
    #[arg(long, value_name = "FAULT", value_parser = parse_fault)]
    fault: Vec<Perturbation>,
}

/// The run that the arguments mean.
struct Request {
    plan: RunPlan,
    destination: Destination,
    format: TextOrJson,
}

impl RunArguments {
    fn into_request(self) -> Result<Request, Failure> {
        if is_dash(&self.scene) && self.inputs.as_deref().is_some_and(is_dash) {
            return Err(Failure::Usage("scene and inputs cannot both come from standard input".to_owned()));
        }
        let destination = Destination::new(self.output, self.force)?;
        let mut scene = read_scene(&self.scene)?;
        self.set.iter().try_for_each(|assignment| apply_override(&mut scene, assignment))?;
        scene.keyframe_every = self.keyframe_every.unwrap_or(scene.keyframe_every);
        let extra_inputs = match &self.inputs {
            None => Vec::new(),
            Some(path) => read_inputs(path, &scene)?,
        };
        let scalar = self.scalar.unwrap_or(scene.scalar);
        let scene = Arc::new(scene);
        check_faults(&self.fault, &scene, scalar, &extra_inputs)?;
        let origin = if self.inputs.as_deref().is_some_and(is_dash) { InputOrigin::Stdin } else { InputOrigin::File };
        let plan = RunPlan {
            steps: self.steps.unwrap_or(scene.steps),
            scalar,
            scene,
            threads: self.threads.get(),
            extra_inputs: extra_inputs.into_iter().map(|input| (input, origin)).collect(),
            perturbations: self.fault,
            overrides: self.set,
            scene_file: (!is_dash(&self.scene)).then(|| self.scene.display().to_string()),
            reason: self.reason,
        };
        Ok(Request { plan, destination, format: self.format })
    }
}

/// Runs the command.
pub fn execute(arguments: RunArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let Request { plan, destination, format } = arguments.into_request()?;
    if matches!(destination, Destination::StandardOutput) {
        console.give_up_standard_output();
    }
    let mut warnings = warnings_before(&plan);
    let progress = Progress::new(u64::from(plan.steps), "steps");
    let clock = Clock::start();
    let recorded = destination.record(&plan, &mut |step| progress.reached(u64::from(step)));
    let seconds = clock.seconds();
    progress.finish();
    let (summary, replay_bytes) = recorded.map_err(|error| recording_failure(&plan.scene.name, error))?;
    let planted = u64::try_from(plan.perturbations.len()).unwrap_or(u64::MAX);
    if summary.stopped.is_none() && summary.counts.get(Counted::Perturbations) < planted {
        warnings.push("not every --fault changed a number: what it names did not exist at its step".to_owned());
    }
    warnings.extend(vacuous_run(&plan, &summary));
    let report =
        RunReport { plan: &plan, summary: &summary, replay: destination.path(), replay_bytes, seconds, warnings };
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
    let late_faults = plan.perturbations.iter().filter(|fault| fault.step > plan.steps).count();
    let mut warnings = Vec::new();
    if late_faults > 0 {
        let faults = counted(late_faults as u64, "fault is", "faults are");
        warnings.push(format!("{faults} for a step after the last one ({})", plan.steps));
    }
    warnings
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
