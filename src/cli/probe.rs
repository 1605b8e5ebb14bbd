//! `physim probe`: how does each method see one pair of shapes?

use std::path::PathBuf;

use clap::Args;

use crate::analysis::probe::{PairName, Probe, ProbeError, probe_replay, probe_run};
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{TextOrJson, scalars};
use crate::cli::output::{check_is_no_input, write_text_file};
use crate::cli::plot::check_picture;
use crate::cli::replays::{of_rerun, read_replay};
use crate::cli::run_options::RunOptions;
use crate::cli::source::{is_dash, is_meant_as_scene, name_of, refuse_folder};
use crate::math::ScalarKind;
use crate::replay::Recovered;
use crate::report;
use crate::report::console::Console;
use crate::report::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  physim probe scenes/dice.ron ground 'cube[0,0,0]'             the pair as the scene begins
  physim probe dice.mcap ground 'cube[0,0,0]' --step 60         at a step of a replay
  physim probe mine.ron club#1 wall --step 100                  the second shape of a compound
  physim probe dice.mcap 'cube[0,0,0]' box --step last --plot pair.svg
  physim probe scenes/narrow_phase_race.ron 'gem[0,0,0]' 'crate[0,0,0]' --format json

Of bodies with several shapes the pair that is nearest is looked at, of a mesh its nearest triangle. Each method is run on the
pair, whatever the run itself uses: nearest points (GJK) with its rounds, the expanding polytope (EPA) where the shapes overlap,
and the axes of separation (SAT) of polyhedra; and the contact by each setting of `narrow_phase`. Lengths are in metres, places
in the world frame.

Exit status: 0 looked at; 1 this build does not come to the recorded step; 2 no such step or body, or
the run stopped; 3 the replay is damaged or unreadable.";

/// Look at one pair of shapes by every method of the narrow phase
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ProbeArguments {
    /// The scene or replay; `-` is a scene from standard input
    #[arg(value_name = "SCENE|REPLAY")]
    source: PathBuf,

    /// The first body; `club#1` is its second shape
    #[arg(value_name = "A")]
    a: String,

    /// The second body
    #[arg(value_name = "B")]
    b: String,

    /// At this step; `last` is the last one [default: of a scene 0, of a replay the last]
    #[arg(long, value_name = "N", value_parser = parse_step)]
    step: Option<AtStep>,

    /// Draw the two shapes with the simplex and the axes to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// The number type in which a scene is run: fixed, f32 or f64 [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_parser = scalars(), hide_possible_values = true)]
    scalar: Option<ScalarKind>,

    /// Set one key of a scene, as for `physim run`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// Replace the picture even if it is a file that is not an SVG
    #[arg(long, requires = "plot")]
    force: bool,

    /// How to write it: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,
}

/// A step by number, or the last one.
#[derive(Clone, Copy, Debug)]
enum AtStep {
    Number(u32),
    Last,
}

impl AtStep {
    const fn of(self, last: u32) -> u32 {
        match self {
            Self::Number(step) => step,
            Self::Last => last,
        }
    }
}

fn parse_step(text: &str) -> Result<AtStep, String> {
    if text == "last" {
        return Ok(AtStep::Last);
    }
    text.parse().map(AtStep::Number).map_err(|_| "a step is a whole number, or `last`".to_owned())
}

/// Runs the command.
pub fn execute(arguments: &ProbeArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    if let Some(picture) = &arguments.plot {
        check_picture(picture)?;
        check_is_no_input(picture, &[&arguments.source], arguments.force)?;
    }
    refuse_folder(&arguments.source)?;
    if is_meant_as_scene(&arguments.source) || is_dash(&arguments.source) {
        return probe_scene(arguments, console);
    }
    if arguments.scalar.is_some() || !arguments.set.is_empty() {
        let message = "--scalar and --set change the run of a scene; a replay is looked at as it was recorded";
        return Err(Failure::Usage(message.to_owned()));
    }
    probe_recording(arguments, console)
}

fn probe_scene(arguments: &ProbeArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let ProbeArguments { scalar, set, .. } = arguments;
    let options = RunOptions { steps: None, scalar: *scalar, set: set.clone(), inputs: None, fault: Vec::new() };
    let plan = options.plan(&arguments.source)?;
    let name = name_of(&arguments.source);
    let last = plan.scene.steps;
    let step = arguments.step.map_or(0, |step| step.of(last));
    if step > last {
        let message = format!("{name}: the scene runs to step {last}; --set steps=N makes it longer");
        return Err(Failure::Ended { status: ExitStatus::Failed, kind: "no_such_step", message });
    }
    let progress = Progress::new(u64::from(step), "steps");
    let probed = probe_run(&plan, step, &arguments.pair(), &mut |step| progress.reached(u64::from(step)));
    progress.finish();
    arguments.write(&name, plan.step_time().seconds(step), probed, console)?;
    Ok(ExitStatus::Done)
}

fn probe_recording(arguments: &ProbeArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let Recovered { replay, damage } = read_replay(&arguments.source)?;
    let (name, last) = (name_of(&arguments.source), replay.last_step());
    if let Some(damage) = &damage {
        console.warning(&format!("{name} is damaged: {damage}; steps 0 to {last} can be looked at"));
    }
    let status = if damage.is_some() { ExitStatus::Damaged } else { ExitStatus::Done };
    let step = arguments.step.map_or(last, |step| step.of(last));
    let written = if step > last {
        let message = format!("{name}: there is no step {step}: the replay holds steps 0 to {last}");
        Err(Failure::Ended { status: ExitStatus::Failed, kind: "no_such_step", message })
    } else {
        let probed = probe_replay(&replay, step, &arguments.pair());
        arguments.write(&name, replay.header.seconds(step), probed, console)
    };
    written.map(|()| status).map_err(|failure| failure.of_replay(damage.is_some()))
}

impl ProbeArguments {
    fn pair(&self) -> PairName {
        PairName([self.a.clone(), self.b.clone()])
    }

    fn write(
        &self,
        name: &str,
        seconds: f64,
        probed: Result<Option<Probe>, ProbeError>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let probed = probed.map_err(|error| failure(name, &error))?;
        let Some(probe) = probed else {
            let message = format!("{name}: nothing is known of this step");
            return Err(Failure::Ended { status: ExitStatus::Failed, kind: "no_such_step", message });
        };
        if let Some(picture) = &self.plot {
            let svg = report::probe_picture::svg(name, &probe);
            write_text_file(picture, &svg, self.force, "picture in SVG", b"<svg")?;
        }
        console.result(&match self.format {
            TextOrJson::Text => report::probe::text(name, seconds, &probe),
            TextOrJson::Json => report::probe::json(seconds, &probe),
        });
        Ok(())
    }
}

fn failure(name: &str, error: &ProbeError) -> Failure {
    let (status, kind) = match error {
        ProbeError::Rerun(error) => of_rerun(error),
        ProbeError::NoBody { .. } | ProbeError::NoPart { .. } | ProbeError::NoShapes(_) | ProbeError::Twice(_) => {
            (ExitStatus::Failed, "no_such_body")
        }
        ProbeError::Build(_) | ProbeError::Step(_) => (ExitStatus::Failed, "run_failed"),
    };
    Failure::Ended { status, kind, message: format!("{name}: {error}") }
}
