//! `physim show`: what does a replay hold?

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use physim::analysis::show::{ShowError, StepView, body_track, energies, last_step, step_view};
use physim::replay::{Recovered, Replay};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::replays::read_replay;
use crate::cli::source::name_of;
use crate::report::console::Console;
use crate::report::show::{body, overview, step};

const EXAMPLES: &str = "\
Examples:
  physim show billiards.mcap                                  header, counts, energies
  physim show billiards.mcap --step 60                        every body and contact
  physim show billiards.mcap --step last --body cue_ball
  physim show billiards.mcap --body cue_ball --format csv > cue.csv

All units are SI; positions are of the centre of mass. A damaged replay is shown as far as it goes,
and the exit status is then 3.";

/// Show what a replay holds
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ShowArguments {
    /// The replay; `-` is standard input
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// Show the state of this step; `last` is the last one
    #[arg(long, value_name = "N", value_parser = parse_step)]
    step: Option<StepChoice>,

    /// Show one body: over all steps, or in the step that is given
    #[arg(long, value_name = "NAME")]
    body: Option<String>,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepChoice {
    Last,
    Number(u32),
}

fn parse_step(text: &str) -> Result<StepChoice, String> {
    match text {
        "last" => Ok(StepChoice::Last),
        _ => text.parse().map(StepChoice::Number).map_err(|_| "expected a step number or `last`".to_owned()),
    }
}

/// Runs the command.
pub fn execute(arguments: &ShowArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let Recovered { replay, damage } = read_replay(&arguments.replay)?;
    let name = name_of(&arguments.replay);
    if let Some(damage) = &damage {
        console.warning(&format!(
            "{name} is damaged: {damage}; steps 0 to {} are shown from what is sound",
            last_step(&replay)
        ));
    }
    let status = if damage.is_some() { ExitStatus::Damaged } else { ExitStatus::Done };
    match shown(arguments, &name, &replay, damage.is_some()) {
        Ok(text) => console.result(&text),
        Err(error) => {
            console.error(&format!("{name}: {error}"));
            return Ok(status.max(status_of_error(&error)));
        }
    }
    Ok(status)
}

const fn status_of_error(error: &ShowError) -> ExitStatus {
    match error {
        ShowError::NoSuchStep { .. } | ShowError::NoSuchBody { .. } => ExitStatus::Failed,
        ShowError::Rerun(_) => ExitStatus::Differs,
    }
}

fn shown(arguments: &ShowArguments, name: &str, replay: &Replay, is_damaged: bool) -> Result<String, ShowError> {
    let format = arguments.format;
    match (arguments.step, &arguments.body) {
        (None, None) => {
            let report = overview::Overview { name, replay, energies: energies(replay)?, is_damaged };
            Ok(match format {
                ShowFormat::Text => overview::text(&report),
                ShowFormat::Json => overview::json(&report),
                ShowFormat::Csv => overview::csv(&report),
            })
        }
        (None, Some(wanted)) => {
            let track = body_track(replay, wanted)?;
            Ok(match format {
                ShowFormat::Text => body::text(name, wanted, &track),
                ShowFormat::Json => body::json(wanted, &track),
                ShowFormat::Csv => body::csv(&track),
            })
        }
        (Some(choice), wanted) => {
            let number = match choice {
                StepChoice::Last => last_step(replay),
                StepChoice::Number(number) => number,
            };
            let mut view = step_view(replay, number)?;
            if let Some(wanted) = wanted {
                keep_only(&mut view, wanted)?;
            }
            Ok(match format {
                ShowFormat::Text => step::text(name, &view),
                ShowFormat::Json => step::json(&view),
                ShowFormat::Csv => step::csv(&view),
            })
        }
    }
}

/// Keeps one body and its contacts; energies and momenta stay those of all bodies.
fn keep_only(view: &mut StepView, wanted: &str) -> Result<(), ShowError> {
    view.bodies.retain(|body| body.name == wanted);
    view.contacts.retain(|contact| contact.a == wanted || contact.b == wanted);
    if view.bodies.is_empty() {
        return Err(ShowError::NoSuchBody { body: wanted.to_owned(), hint: format!(" at step {}", view.step) });
    }
    Ok(())
}
