//! `physim export`: the states of a run as a file that other tools read.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::roster::roster;
use crate::analysis::states::StepSelection;
use crate::export::format::ExportFormat;
use crate::export::selection::Selection;
use crate::export::{ExportPlan, Exported, OpenScratch, export};
use crate::replay::{Ending, PartialFile, Recovered, Replay};
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{TextOrJson, listed, parse_whole};
use crate::cli::output::{check_is_no_input, check_replaceable, exporting_failure, remove_partial};
use crate::cli::replays::{no_such_body, of_rerun, read_replay, warn_of_stop};
use crate::cli::source::{is_dash, name_of};
use crate::cli::step_choice::StepChoice;
use crate::report;
use crate::report::console::Console;
use crate::report::export::ExportReport;
use crate::report::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  physim export billiards.mcap -o billiards.csv                      a row for each body and step
  physim export billiards.mcap -o billiards.parquet                  the same, for pandas, polars or DuckDB
  physim export billiards.mcap -o billiards.npz                      an array for each field, for numpy
  physim export billiards.mcap -o billiards-3d.mcap                  for Foxglove and Rerun: shapes that move, contacts
  physim export billiards.mcap -o billiards.glb                      for Blender and the web: a scene that moves
  physim export billiards.mcap -o energy.csv --format energy         energies and momenta of each step
  physim export wall.mcap -o some.csv --steps 100..200 --every 10 --body 'wall[3,*]' --body ball
  physim export billiards.mcap -o - --format csv | head

All units are SI; positions are of the centre of mass. In texts a fixed-point number has all its digits; in the other
forms it is the nearest f64. docs/export.md has the columns, and how to read each form.

Exit status: 0 written, 1 this build does not come to the recorded states, 2 wrong usage or it cannot be written, 3 the
replay is damaged: what is sound of it was written.";

/// Write the states of a replay for other tools: tables, arrays, scenes that move
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ExportArguments {
    /// The replay; `-` is standard input
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// The kind of file: csv, parquet, npz, foxglove, gltf or energy [default: what the file's extension says]
    #[arg(long, value_name = "FORMAT", value_parser = listed(ExportFormat::ALL.map(ExportFormat::name).to_vec(), parse_format))]
    #[arg(hide_possible_values = true)]
    format: Option<ExportFormat>,

    /// Only these steps, both ends included: `10..20`, `100..`, `..5`, `60`; `last` is the last one
    #[arg(long, value_name = "FROM..TO", value_parser = StepChoice::parse)]
    steps: Option<StepChoice>,

    /// Only each so many steps, from the first on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_whole::<1, { u32::MAX }>)]
    every: u32,

    /// Only this body, or those that fit a pattern with `*` and `?`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    body: Vec<String>,

    /// Replace the output even if it is a file of another kind
    #[arg(long)]
    force: bool,

    /// How to write the summary: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    summary: TextOrJson,
}

fn parse_format(name: &str) -> Result<ExportFormat, String> {
    ExportFormat::from_name(name).ok_or_else(|| format!("expected {}", names_of_formats()))
}

fn names_of_formats() -> String {
    let names: Vec<&str> = ExportFormat::ALL.iter().map(|format| format.name()).collect();
    names.join(", ")
}

/// Runs the command.
pub fn execute(arguments: &ExportArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let format = arguments.chosen_format()?;
    arguments.check_output(format)?;
    let name = name_of(&arguments.replay);
    let Recovered { replay, damage } = read_replay(&arguments.replay)?;
    let plan = ExportPlan { format, selection: arguments.selection(&name, &replay, damage.is_some())? };
    if is_dash(&arguments.output) {
        console.give_up_standard_output();
    }
    let progress = Progress::new(plan.selection.steps.count(&replay), "steps");
    let written = write(arguments, &replay, &plan, &mut |states| progress.reached(states));
    progress.finish();
    let written = written?;
    let report = ExportReport {
        replay: &name,
        output: (!is_dash(&arguments.output)).then_some(arguments.output.as_path()),
        format,
        states: written.states,
        rows: written.rows,
        bytes: written.bytes,
        damage: damage.as_ref().map(ToString::to_string),
        run_stopped: replay.ending.as_ref().and_then(Ending::stop),
    };
    console.result(&match arguments.summary {
        TextOrJson::Text => report::export::text(&report),
        TextOrJson::Json => report::export::json(&report),
    });
    warn_of_stop(&name, &replay, console);
    if report.rows == 0 && format != ExportFormat::Energy {
        console.warning(&format!("{name}: no body is there in these steps; what was written has none"));
    }
    let mut status = ExitStatus::Done;
    if let Some(error) = &written.stopped {
        console.error(&format!("{name}: {error}: what comes before was written"));
        status = of_rerun(error).0;
    }
    if let Some(damage) = &damage {
        console.warning(&format!(
            "{name} is damaged: {damage}; steps 0 to {} are sound, and of them was written what was asked for",
            replay.last_step()
        ));
        status = ExitStatus::Damaged;
    }
    Ok(status)
}

impl ExportArguments {
    fn chosen_format(&self) -> Result<ExportFormat, Failure> {
        let format = self.format_of_name()?;
        if format == ExportFormat::Energy && !self.body.is_empty() {
            return Err(Failure::Usage("--body: a table of energies sums up all bodies; leave it out".to_owned()));
        }
        Ok(format)
    }

    fn format_of_name(&self) -> Result<ExportFormat, Failure> {
        let (chosen, output) = (self.format.or_else(|| ExportFormat::from_path(&self.output)), self.output.display());
        if chosen.is_none_or(|format| format == ExportFormat::Gltf) && self.has_extension("gltf") {
            let named = self.output.with_extension("glb");
            return Err(Failure::Usage(format!(
                "-o {output}: glTF is written as one binary file: -o {}",
                named.display()
            )));
        }
        chosen.ok_or_else(|| {
            Failure::Usage(format!("-o {output}: its extension says no format; give --format ({})", names_of_formats()))
        })
    }

    fn has_extension(&self, expected: &str) -> bool {
        self.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(expected))
    }

    fn check_output(&self, format: ExportFormat) -> Result<(), Failure> {
        if is_dash(&self.output) {
            if !format.is_text() && std::io::stdout().is_terminal() {
                let name = format.name();
                return Err(Failure::Usage(format!(
                    "{name}: refusing to write binary data to a terminal; send it to a file or a pipe"
                )));
            }
            return Ok(());
        }
        check_is_no_input(&self.output, &[&self.replay], self.force)?;
        let what = format!("{} file of physim", format.name());
        check_replaceable(&self.output, self.force, &what, |path| is_ours(path, format))
    }

    fn selection(&self, name: &str, replay: &Replay, is_damaged: bool) -> Result<Selection, Failure> {
        let steps = self.steps.unwrap_or(StepChoice::ALL).within(replay.last_step(), is_damaged);
        let range = steps.map_err(|error| Failure::Usage(format!("--steps: {name}: {error}")))?;
        let steps = StepSelection { range, every: self.every };
        let bodies = BodyPatterns::new(&self.body).map(|bodies| found_in(&bodies, name, replay)).transpose()?;
        Ok(Selection { steps, bodies })
    }
}

/// The patterns among the bodies of a replay, each of which has to mean one.
fn found_in(bodies: &BodyPatterns, name: &str, replay: &Replay) -> Result<BodyPatterns, Failure> {
    let names = roster(replay).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    bodies.among(&names).map_err(|missing| no_such_body(&missing, name, &names))
}

/// What was written, and where it went.
struct Written {
    states: u64,
    rows: u64,
    bytes: Option<u64>,
    stopped: Option<crate::analysis::rerun::RerunError>,
}

fn write(
    arguments: &ExportArguments,
    replay: &Replay,
    plan: &ExportPlan,
    progress: &mut dyn FnMut(u64),
) -> Result<Written, Failure> {
    let output = &arguments.output;
    if is_dash(output) {
        let mut scratch = tempfile::tempfile;
        // Not locked: an exporter may hand its stream to another thread.
        let Exported { mut sink, states, rows, stopped } =
            export(replay, plan, std::io::BufWriter::new(std::io::stdout()), &mut scratch, progress)
                .map_err(|error| exporting_failure("standard output", error))?;
        sink.flush().map_err(|cause| exporting_failure("standard output", cause.into()))?;
        return Ok(Written { states, rows, bytes: None, stopped });
    }
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut scratch = || tempfile::tempfile_in(folder);
    let scratch: OpenScratch<'_> = &mut scratch;
    let file = PartialFile::create(output).map_err(Failure::writing)?;
    let written = export(replay, plan, file, scratch, progress)
        .map_err(|error| exporting_failure(&output.display().to_string(), error))
        .and_then(|Exported { sink, states, rows, stopped }| {
            sink.complete().map(|_| (states, rows, stopped)).map_err(Failure::writing)
        });
    let (states, rows, stopped) = written.inspect_err(|_| remove_partial(output))?;
    let bytes = std::fs::metadata(output).ok().map(|metadata| metadata.len());
    Ok(Written { states, rows, bytes, stopped })
}

/// Whether a file is empty, or was written by an export in this format.
fn is_ours(path: &Path, format: ExportFormat) -> bool {
    let Ok(mut file) = std::fs::File::open(path) else { return false };
    let is_empty = file.metadata().is_ok_and(|metadata| metadata.len() == 0);
    is_empty || format.is_ours(&mut file).unwrap_or(false)
}
