//! `physim show`: what does a replay hold?

use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;
use std::sync::Arc;

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::body_point::{BodyPoint, for_each_place};
use crate::analysis::mass::{BodyMass, masses_at, masses_of_scene};
use crate::analysis::roster::{name_hint, roster};
use crate::analysis::sensor_events::for_each_sensor_step;
use crate::analysis::show::{ShowError, energies};
use crate::analysis::show_steps::{Selection, for_each_step, for_each_step_bodies};
use crate::replay::{Recovered, Replay};
use clap::{Args, ValueEnum};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::replays::{of_rerun, read_replay};
use crate::cli::source::{is_meant_as_scene, is_scene_from_input, name_of, read_scene};
use crate::cli::step_choice::StepChoice;
use crate::report::console::Console;
use crate::report::show::point::PointWriter;
use crate::report::show::rows::{RowFormat, RowWriter};
use crate::report::show::sensors::SensorWriter;
use crate::report::show::{contacts, mass, overview, step};

const EXAMPLES: &str = "\
Examples:
  physim show billiards.mcap                                  header, counts, energies
  physim show billiards.mcap --step 60                        every body and contact
  physim show billiards.mcap --step last --body cue_ball
  physim show billiards.mcap --body cue_ball --format csv > cue.csv
  physim show billiards.mcap --body cue_ball --body ball_01
  physim show billiards.mcap --step 60 --contacts             every contact point, with its features
  physim show goals.mcap --sensors                            what entered and left each sensor
  physim show scenes/dice.ron --mass                          masses, centres and inertia
  physim show hammer.mcap --point 'hammer:(0, 0.3, 0)'        a point of a body over time
  physim show hammer.mcap --step 60 --body hammer --matrices  its frame as 4x4 matrices
  physim show billiards.mcap --step 100..last --body 'ball_*' --format json

All units are SI; positions are of the centre of mass. A damaged replay is shown as far as it goes,
and the exit status is then 3.";

/// Show what a replay holds
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowArguments {
    /// The replay; `-` is standard input. For --mass a scene will do, from there too
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// Show this step, or these in one pass: `60`, `10..20` with both ends, `100..`, `..5`; `last` is the last one
    #[arg(long, value_name = "N|A..B", value_parser = StepChoice::parse)]
    step: Option<StepChoice>,

    /// Show this body only, or those whose names match: `*` is any text, `?` any character, brackets are plain; may be
    /// repeated
    #[arg(long, value_name = "PATTERN")]
    body: Vec<String>,

    /// Show what bodies weigh, where their centres of mass are, their inertia, and what each shape adds; of a scene too
    #[arg(long, conflicts_with_all = ["sensors", "point"])]
    mass: bool,

    /// Show place and velocity of a point that is fixed to a body, in the body's frame in metres: `hammer:(0, 0.3, 0)`
    #[arg(long, value_name = "BODY:(X, Y, Z)", conflicts_with_all = ["sensors", "body"])]
    point: Option<BodyPoint>,

    /// With --step, add the 4x4 matrices from each body's frame to the world and back
    #[arg(long, requires = "step", conflicts_with_all = ["sensors", "point", "mass"])]
    matrices: bool,

    /// Show every point of every contact: shapes, triangle, place, depth, impulse, features [default: of the last step]
    #[arg(long, conflicts_with_all = ["sensors", "point", "mass", "matrices"])]
    contacts: bool,

    /// Show what begins and what ends to overlap each sensor, step by step
    #[arg(long)]
    sensors: bool,

    /// How to write it: text, json or csv
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ShowFormat::Text, hide_possible_values = true)]
    format: ShowFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShowFormat {
    Text,
    Json,
    Csv,
}

/// Runs the command.
pub fn execute(arguments: &ShowArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    if arguments.matrices && arguments.format == ShowFormat::Text && arguments.step.is_some_and(|step| step.is_range) {
        let message = "--matrices goes with a single --step, or with --format json";
        return Err(Failure::Usage(message.to_owned()));
    }
    if arguments.mass && (is_meant_as_scene(&arguments.replay) || is_scene_from_input(&arguments.replay)) {
        return show_masses_of_scene(arguments, console);
    }
    let Recovered { replay, damage } = read_replay(&arguments.replay)?;
    let name = name_of(&arguments.replay);
    if let Some(damage) = &damage {
        console.warning(&format!(
            "{name} is damaged: {damage}; steps 0 to {} are shown from what is sound",
            replay.last_step()
        ));
    }
    let status = if damage.is_some() { ExitStatus::Damaged } else { ExitStatus::Done };
    let showing = Showing {
        name: &name,
        replay: &replay,
        format: arguments.format,
        is_damaged: damage.is_some(),
        with_matrices: arguments.matrices,
    };
    match showing.show(arguments, console) {
        Ok(()) => Ok(status),
        Err(error) => {
            let (status, kind) = (status_of_error(&error), kind_of_error(&error));
            Err(Failure::Ended { status, kind, message: format!("{name}: {error}") }.of_replay(damage.is_some()))
        }
    }
}

const fn status_of_error(error: &ShowError) -> ExitStatus {
    match error {
        ShowError::NoSuchStep { .. } | ShowError::NoSuchBody { .. } | ShowError::NotThen { .. } => ExitStatus::Failed,
        ShowError::Rerun(error) => of_rerun(error).0,
    }
}

const fn kind_of_error(error: &ShowError) -> &'static str {
    match error {
        ShowError::NoSuchStep { .. } => "no_such_step",
        ShowError::NoSuchBody { .. } | ShowError::NotThen { .. } => "no_such_body",
        ShowError::Rerun(error) => of_rerun(error).1,
    }
}

/// Whether whoever reads the results still does.
fn go_on(console: &Console) -> ControlFlow<()> {
    if console.takes_results() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// What the bodies of a scene weigh when it begins.
fn show_masses_of_scene(arguments: &ShowArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let name = name_of(&arguments.replay);
    if arguments.step.is_some() {
        return Err(Failure::Usage(format!(
            "{name} is a scene, which has no steps: leave --step out, or record a run"
        )));
    }
    let scene = Arc::new(read_scene(&arguments.replay)?);
    let mut masses = masses_of_scene(&scene).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    if let Some(patterns) = BodyPatterns::new(&arguments.body) {
        let names: Vec<String> = masses.iter().map(|body| body.name.clone()).collect();
        let wanted = patterns.among(&names).map_err(|missing| {
            let (body, hint) = (missing.text(), name_hint(missing.text(), &names));
            Failure::Usage(format!("{name}: there is no body {body:?} in this scene{hint}"))
        })?;
        masses.retain(|body| wanted.matches(&body.name));
    }
    console.result(&masses_text(arguments.format, (&name, "as the scene begins"), 0, &masses));
    Ok(ExitStatus::Done)
}

/// What bodies weigh in a step of what is called so, in words of which.
fn masses_text(format: ShowFormat, (name, when): (&str, &str), step: u32, masses: &[BodyMass]) -> String {
    match format {
        ShowFormat::Text => mass::text(name, when, masses),
        ShowFormat::Json => mass::json(step, masses),
        ShowFormat::Csv => mass::csv(masses),
    }
}

/// A replay that is shown.
struct Showing<'a> {
    name: &'a str,
    replay: &'a Replay,
    format: ShowFormat,
    is_damaged: bool,
    with_matrices: bool,
}

impl Showing<'_> {
    fn show(&self, arguments: &ShowArguments, console: &mut Console) -> Result<(), ShowError> {
        let bodies = BodyPatterns::new(&arguments.body);
        let all_or = |choice: Option<StepChoice>| self.steps(choice.unwrap_or(StepChoice::ALL));
        if arguments.mass {
            let step = *arguments.step.map_or(Ok(0..=0), |choice| self.steps(choice))?.start();
            return self.mass(&Selection::new(self.replay, step..=step, bodies.as_ref())?, console);
        }
        if let Some(point) = &arguments.point {
            return self.point(&Selection::new(self.replay, all_or(arguments.step)?, None)?, point, console);
        }
        if arguments.sensors {
            return self.sensors(&Selection::new(self.replay, all_or(arguments.step)?, bodies.as_ref())?, console);
        }
        if arguments.contacts {
            let steps = self.steps(arguments.step.unwrap_or(StepChoice::LAST))?;
            return self.contacts(&Selection::new(self.replay, steps, bodies.as_ref())?, console);
        }
        match arguments.step {
            None if bodies.is_none() => self.overview(console),
            None => {
                let selection = Selection::new(self.replay, 0..=self.replay.last_step(), bodies.as_ref())?;
                let single = selection.bodies.as_ref().and_then(BodyPatterns::single_name);
                self.range(&selection, single, console)
            }
            Some(choice) => {
                let selection = Selection::new(self.replay, self.steps(choice)?, bodies.as_ref())?;
                if choice.is_range { self.range(&selection, None, console) } else { self.one_step(&selection, console) }
            }
        }
    }

    /// The steps that are meant; of a damaged replay those that are there.
    fn steps(&self, choice: StepChoice) -> Result<RangeInclusive<u32>, ShowError> {
        choice.within(self.replay.last_step(), self.is_damaged)
    }

    fn overview(&self, console: &mut Console) -> Result<(), ShowError> {
        let energies = energies(self.replay)?;
        let report = overview::Overview { name: self.name, replay: self.replay, energies, is_damaged: self.is_damaged };
        console.result(&match self.format {
            ShowFormat::Text => overview::text(&report),
            ShowFormat::Json => overview::json(&report),
            ShowFormat::Csv => overview::csv(&report),
        });
        Ok(())
    }

    fn one_step(&self, selection: &Selection, console: &mut Console) -> Result<(), ShowError> {
        for_each_step(self.replay, selection, &mut |view| {
            console.result(&match self.format {
                ShowFormat::Text => step::text(self.name, view, self.with_matrices),
                ShowFormat::Json => step::json(view, self.with_matrices),
                ShowFormat::Csv => step::csv(view),
            });
            ControlFlow::Break(())
        })
    }

    /// The points of all contacts, step by step.
    fn contacts(&self, selection: &Selection, console: &mut Console) -> Result<(), ShowError> {
        if self.format == ShowFormat::Csv {
            console.result(contacts::CSV_HEAD);
        }
        for_each_step(self.replay, selection, &mut |view| {
            console.result(&match self.format {
                ShowFormat::Text => contacts::text(self.name, view),
                ShowFormat::Json => contacts::json(view),
                ShowFormat::Csv => contacts::csv(view),
            });
            go_on(console)
        })
    }

    /// What the bodies of one step weigh.
    fn mass(&self, selection: &Selection, console: &mut Console) -> Result<(), ShowError> {
        let step = *selection.steps.start();
        let masses = masses_at(self.replay, selection)?;
        console.result(&masses_text(self.format, (self.name, &format!("step {step}")), step, &masses));
        Ok(())
    }

    /// A point of a body, written as soon as the run has come to it.
    fn point(&self, selection: &Selection, point: &BodyPoint, console: &mut Console) -> Result<(), ShowError> {
        if !selection.names.contains(&point.body) {
            let hint = name_hint(&point.body, &selection.names);
            return Err(ShowError::NoSuchBody { body: point.body.clone(), hint });
        }
        let mut writer = PointWriter::new(self.row_format(), self.name, selection, point);
        for_each_place(self.replay, selection, point, &mut |at| {
            console.result(&writer.row(at));
            go_on(console)
        })?;
        console.result(writer.end());
        Ok(())
    }

    const fn row_format(&self) -> RowFormat {
        match self.format {
            ShowFormat::Text => RowFormat::Text,
            ShowFormat::Json => RowFormat::Json,
            ShowFormat::Csv => RowFormat::Csv,
        }
    }

    /// What happens at the sensors, written as soon as the run has come to it.
    fn sensors(&self, selection: &Selection, console: &mut Console) -> Result<(), ShowError> {
        let everybody = Selection { names: roster(self.replay)?, ..selection.clone() };
        let mut writer = SensorWriter::new(self.row_format(), self.name, &everybody);
        let sensors = for_each_sensor_step(self.replay, selection, &mut |step| {
            console.result(&writer.step(step));
            go_on(console)
        })?;
        console.result(&writer.end(sensors));
        Ok(())
    }

    /// Many steps, each written as soon as the run has come to it; of a single body as one track.
    fn range(&self, selection: &Selection, single: Option<&str>, console: &mut Console) -> Result<(), ShowError> {
        if self.format == ShowFormat::Json && single.is_none() {
            return for_each_step(self.replay, selection, &mut |view| {
                console.result(&step::json(view, self.with_matrices));
                go_on(console)
            });
        }
        let mut writer = RowWriter::new(self.row_format(), self.name, selection, single);
        let shown = for_each_step_bodies(self.replay, selection, &mut |step| {
            console.result(&writer.step(step));
            go_on(console)
        });
        console.result(writer.end());
        shown
    }
}
