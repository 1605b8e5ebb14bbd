//! `physim show`: what does a replay hold?

use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::roster::roster;
use crate::analysis::sensor_events::for_each_sensor_step;
use crate::analysis::show::{ShowError, energies};
use crate::analysis::show_steps::{Selection, for_each_step, for_each_step_bodies};
use crate::replay::{Recovered, Replay};
use clap::{Args, ValueEnum};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::replays::read_replay;
use crate::cli::source::name_of;
use crate::cli::step_choice::StepChoice;
use crate::report::console::Console;
use crate::report::show::rows::{RowFormat, RowWriter};
use crate::report::show::sensors::SensorWriter;
use crate::report::show::{overview, step};

const EXAMPLES: &str = "\
Examples:
  physim show billiards.mcap                                  header, counts, energies
  physim show billiards.mcap --step 60                        every body and contact
  physim show billiards.mcap --step last --body cue_ball
  physim show billiards.mcap --body cue_ball --format csv > cue.csv
  physim show billiards.mcap --body cue_ball --body 'ball[0]'
  physim show goals.mcap --sensors                            what entered and left each sensor
  physim show billiards.mcap --step 100..last --body 'ball[*]' --format json

All units are SI; positions are of the centre of mass. A damaged replay is shown as far as it goes,
and the exit status is then 3.";

/// Show what a replay holds
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowArguments {
    /// The replay; `-` is standard input
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// Show this step, or these in one pass: `60`, `10..20` with both ends, `100..`, `..5`; `last` is the last one
    #[arg(long, value_name = "N|A..B", value_parser = StepChoice::parse)]
    step: Option<StepChoice>,

    /// Show this body only, or those whose names match: `*` is any text, `?` any character, brackets are plain; may be
    /// repeated
    #[arg(long, value_name = "PATTERN")]
    body: Vec<String>,

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
    let Recovered { replay, damage } = read_replay(&arguments.replay)?;
    let name = name_of(&arguments.replay);
    if let Some(damage) = &damage {
        console.warning(&format!(
            "{name} is damaged: {damage}; steps 0 to {} are shown from what is sound",
            replay.last_step()
        ));
    }
    let status = if damage.is_some() { ExitStatus::Damaged } else { ExitStatus::Done };
    let showing = Showing { name: &name, replay: &replay, format: arguments.format, is_damaged: damage.is_some() };
    match showing.show(arguments, console) {
        Ok(()) => Ok(status),
        Err(error) => {
            let failed = status.max(status_of_error(&error));
            Err(Failure::Ended { status: failed, kind: kind_of_error(&error), message: format!("{name}: {error}") })
        }
    }
}

const fn status_of_error(error: &ShowError) -> ExitStatus {
    match error {
        ShowError::NoSuchStep { .. } | ShowError::NoSuchBody { .. } | ShowError::NotThen { .. } => ExitStatus::Failed,
        ShowError::Rerun(_) => ExitStatus::Differs,
    }
}

const fn kind_of_error(error: &ShowError) -> &'static str {
    match error {
        ShowError::NoSuchStep { .. } => "no_such_step",
        ShowError::NoSuchBody { .. } | ShowError::NotThen { .. } => "no_such_body",
        ShowError::Rerun(_) => "not_reproduced",
    }
}

/// Whether whoever reads the results still does.
fn go_on(console: &Console) -> ControlFlow<()> {
    if console.takes_results() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// A replay that is shown.
struct Showing<'a> {
    name: &'a str,
    replay: &'a Replay,
    format: ShowFormat,
    is_damaged: bool,
}

impl Showing<'_> {
    fn show(&self, arguments: &ShowArguments, console: &mut Console) -> Result<(), ShowError> {
        let bodies = BodyPatterns::new(&arguments.body);
        match arguments.step {
            _ if arguments.sensors => {
                let steps = arguments.step.map_or(Ok(0..=self.replay.last_step()), |choice| self.steps(choice))?;
                self.sensors(&Selection::new(self.replay, steps, bodies.as_ref())?, console)
            }
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
                ShowFormat::Text => step::text(self.name, view),
                ShowFormat::Json => step::json(view),
                ShowFormat::Csv => step::csv(view),
            });
            ControlFlow::Break(())
        })
    }

    /// What happens at the sensors, written as soon as the run has come to it.
    fn sensors(&self, selection: &Selection, console: &mut Console) -> Result<(), ShowError> {
        let format = match self.format {
            ShowFormat::Text => RowFormat::Text,
            ShowFormat::Json => RowFormat::Json,
            ShowFormat::Csv => RowFormat::Csv,
        };
        let everybody = Selection { names: roster(self.replay)?, ..selection.clone() };
        let mut writer = SensorWriter::new(format, self.name, &everybody);
        let sensors = for_each_sensor_step(self.replay, selection, &mut |step| {
            console.result(&writer.step(step));
            go_on(console)
        })?;
        console.result(&writer.end(sensors));
        Ok(())
    }

    /// Many steps, each written as soon as the run has come to it; of a single body as one track.
    fn range(&self, selection: &Selection, single: Option<&str>, console: &mut Console) -> Result<(), ShowError> {
        let format = match self.format {
            ShowFormat::Json if single.is_none() => {
                return for_each_step(self.replay, selection, &mut |view| {
                    console.result(&step::json(view));
                    go_on(console)
                });
            }
            ShowFormat::Json => RowFormat::Json,
            ShowFormat::Text => RowFormat::Text,
            ShowFormat::Csv => RowFormat::Csv,
        };
        let mut writer = RowWriter::new(format, self.name, selection, single);
        let shown = for_each_step_bodies(self.replay, selection, &mut |step| {
            console.result(&writer.step(step));
            go_on(console)
        });
        console.result(writer.end());
        shown
    }
}
