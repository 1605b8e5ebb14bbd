//! `physim plot`: quantities of runs over time, as a picture.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::roster::roster;
use crate::analysis::states::StepSelection;
use crate::export::selection::Selection;
use crate::export::series::quantity::{ALL, Quantity};
use crate::export::series::replay::series_of_replay;
use crate::export::series::table::series_of_table;
use crate::export::series::{MOST_SERIES, Series};
use crate::replay::{Recovered, Replay, begins_as_a_replay};
use clap::{Args, ValueEnum};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{Listed, listed};
use crate::cli::output::{check_is_no_input, write_text_file};
use crate::cli::plot_input::InputKind;
use crate::cli::replays::{
    check_is_file, check_one_reader, no_such_body, read_replay, read_replay_bytes, read_stream, warn_of_stop,
};
use crate::cli::source::{START_BYTES, is_dash, name_of, start_of};
use crate::cli::step_choice::StepChoice;
use crate::report;
use crate::report::console::Console;
use crate::report::plot::{Along, Look, PlottedRun, plotted, short_names};
use crate::report::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  physim plot balls.mcap -o energy.svg                           kinetic, potential and total energy
  physim plot it1.mcap it4.mcap it8.mcap -o drift.svg            the total energy of three runs
  physim plot balls.mcap -o ball.svg --what position.y,speed --body ball
  physim plot energy.csv -o overlap.svg --what overlap --log y
  physim plot wall.mcap -o wall.svg --what y --body 'wall[3,*]' --body ball --steps 0..200
  physim plot balls.mcap -o - | rsvg-convert -z 2 -o balls.png   a PNG of twice the size

Quantities of the run: kinetic, potential, total, momentum, momentum.x (.y, .z), angular_momentum, angular_momentum.x
(.y, .z), overlap, contacts, contact_points, bodies. Of a body: position (all three), position.x (.y, .z), speed,
velocity.x (.y, .z), angular_speed, angular_velocity.x (.y, .z).

Exit status: 0 drawn, 1 this build does not come to the recorded states, 2 wrong usage or it cannot be written, 3 a replay
is damaged: what is sound of it was drawn.";

/// Draw energies, momenta, positions or contacts of runs over time, as SVG
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct PlotArguments {
    /// Replays, or CSV files of `run --energy` and `export`; `-` is standard input
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,

    /// The picture to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.svg")]
    output: PathBuf,

    /// What to draw, separated by commas [default: the energies; of several runs the total energy; of bodies the speed]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = quantities(), hide_possible_values = true)]
    what: Vec<String>,

    /// Of which bodies: a name, or a pattern with `*` and `?`; may be repeated
    #[arg(long, value_name = "PATTERN")]
    body: Vec<String>,

    /// What runs along the bottom: time or step
    #[arg(long, value_enum, value_name = "AXIS", default_value_t = AlongArgument::Time, hide_possible_values = true)]
    x: AlongArgument,

    /// Which axes are logarithmic: x, y or xy
    #[arg(long, value_enum, value_name = "AXES", hide_possible_values = true)]
    log: Option<LogAxes>,

    /// Only these steps, both ends included: `10..20`, `100..`, `..5`, `60`; `last` is the last one
    #[arg(long, value_name = "FROM..TO", value_parser = StepChoice::parse)]
    steps: Option<StepChoice>,

    /// A title above the picture
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// The width in pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 720, value_parser = clap::value_parser!(u32).range(200..=10_000))]
    width: u32,

    /// The height in pixels [default: by the number of panels]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(150..=10_000))]
    height: Option<u32>,

    /// Replace the output even if it is a file that is not an SVG
    #[arg(long)]
    force: bool,
}

/// What runs along the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AlongArgument {
    Time,
    Step,
}

/// Which axes are logarithmic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogAxes {
    X,
    Y,
    Xy,
}

/// What was found in one input.
struct Gathered {
    series: Vec<Series>,
    status: ExitStatus,
    /// Why it is not all of the run.
    notes: Vec<String>,
}

/// A parser of quantities: any text, for what is wrong is told with all there are.
fn quantities() -> Listed<String> {
    let names = ALL.iter().map(|quantity| quantity.name).chain(["position"]);
    listed(names.collect(), |text| Ok(text.to_owned()))
}

/// Runs the command.
pub fn execute(arguments: &PlotArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    check_one_reader(arguments.inputs.iter().map(PathBuf::as_path))?;
    check_picture(&arguments.output)?;
    let inputs: Vec<&Path> = arguments.inputs.iter().map(PathBuf::as_path).collect();
    check_is_no_input(&arguments.output, &inputs, arguments.force)?;
    let wanted = arguments.wanted()?;
    let names = short_names(&arguments.inputs.iter().map(|path| name_of(path)).collect::<Vec<String>>());
    let mut status = ExitStatus::Done;
    let mut runs = Vec::new();
    for (path, name) in inputs.into_iter().zip(names) {
        let Gathered { series, status: its_status, notes } = arguments.series(path, &wanted, console)?;
        status = status.max(its_status);
        runs.push(PlottedRun { name, series, notes });
    }
    check_number(&runs)?;
    let picture = plotted(&runs, &arguments.look());
    if is_dash(&arguments.output) {
        console.result(&picture.drawn.svg);
        console.note(&report::plot::text(&picture, None));
    } else {
        write_text_file(&arguments.output, &picture.drawn.svg, arguments.force, "picture in SVG", b"<svg")?;
        console.result(&report::plot::text(&picture, Some(&arguments.output)));
    }
    Ok(status)
}

/// Refuses a picture in any form but SVG, and says how to come to those that SVG can be turned into.
pub fn check_picture(path: &Path) -> Result<(), Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if ending == "svg" || is_dash(path) {
        return Ok(());
    }
    let svg = path.with_extension("svg");
    let (shown, svg) = (path.display(), svg.display());
    let then = match ending.as_str() {
        "png" => format!("; write {svg}, then `rsvg-convert -z 2 {svg} -o {shown}`"),
        "pdf" | "eps" | "ps" => format!("; write {svg}, then `rsvg-convert -f {ending} {svg} -o {shown}`"),
        "jpg" | "jpeg" | "gif" | "webp" => format!("; write {svg}, then `convert {svg} {shown}`"),
        _ => format!(", in a file that ends in .svg; write {svg}"),
    };
    Err(Failure::Usage(format!("{shown}: pictures are written as SVG{then}")))
}

/// Refuses more lines than anybody could tell apart.
fn check_number(runs: &[PlottedRun]) -> Result<(), Failure> {
    let lines: usize = runs.iter().map(|run| run.series.len()).sum();
    if lines <= MOST_SERIES {
        return Ok(());
    }
    Err(Failure::Usage(format!("more than {MOST_SERIES} lines cannot be told apart: choose fewer bodies with --body")))
}

impl PlotArguments {
    fn look(&self) -> Look {
        let is_log = |axis| self.log.is_some_and(|log| log == axis || log == LogAxes::Xy);
        Look {
            along: match self.x {
                AlongArgument::Time => Along::Time,
                AlongArgument::Step => Along::Steps,
            },
            log_x: is_log(LogAxes::X),
            log_y: is_log(LogAxes::Y),
            title: self.title.clone(),
            width: self.width,
            height: self.height,
        }
    }

    /// The quantities that are asked for, each once.
    fn wanted(&self) -> Result<Vec<&'static Quantity>, Failure> {
        let default: &[&str] = match (self.body.is_empty(), self.inputs.len()) {
            (false, _) => &["speed"],
            (true, 1) => &["kinetic", "potential", "total"],
            (true, _) => &["total"],
        };
        let names: Vec<&str> = self.what.iter().map(|name| name.trim()).collect();
        let mut wanted = Vec::new();
        for name in if names.is_empty() { default } else { names.as_slice() } {
            let meant = Quantity::named(name);
            if meant.is_empty() {
                let known: Vec<&str> = ALL.iter().map(|quantity| quantity.name).collect();
                return Err(Failure::Usage(format!("--what: there is no `{name}`; there are {}", known.join(", "))));
            }
            wanted.extend(meant.into_iter().filter(|quantity| !wanted.contains(quantity)).collect::<Vec<_>>());
        }
        if !self.body.is_empty() && wanted.iter().all(|quantity| !quantity.is_of_body) {
            return Err(Failure::Usage(
                "--body: nothing of what is to be drawn is a body's; add --what speed".to_owned(),
            ));
        }
        Ok(wanted)
    }

    fn series(&self, path: &Path, wanted: &[&'static Quantity], console: &mut Console) -> Result<Gathered, Failure> {
        check_is_file(path)?;
        let bytes = if is_dash(path) { read_stream(path)? } else { start_of(path) };
        if !begins_as_a_replay(&bytes) {
            let series = self.series_of_table(path, &bytes, wanted)?;
            return Ok(Gathered { series, status: ExitStatus::Done, notes: Vec::new() });
        }
        let recovered = if is_dash(path) { read_replay_bytes(path, &bytes)? } else { read_replay(path)? };
        self.series_of_replay(&name_of(path), recovered, wanted, console)
    }

    /// The series of a table; `bytes` is all of standard input, or the beginning of a file.
    fn series_of_table(&self, path: &Path, bytes: &[u8], wanted: &[&'static Quantity]) -> Result<Vec<Series>, Failure> {
        let name = name_of(path);
        let open = || File::open(path).map_err(|error| Failure::Unreadable(format!("{name}: {error}")));
        let file = if is_dash(path) { None } else { Some(open()?) };
        let kind = InputKind::of(path, bytes.get(..START_BYTES).unwrap_or(bytes));
        kind.check(&name)?;
        let speed = Quantity::named("speed");
        let is_left_open = self.what.is_empty() && self.body.is_empty();
        let wanted = if kind == InputKind::BodyTable && is_left_open { speed.as_slice() } else { wanted };
        // Which step is the last one is known when all have been read.
        let selection = Selection { steps: StepSelection::all(), bodies: BodyPatterns::new(&self.body) };
        let cannot = |what: String| Failure::Usage(format!("{name}: {what}"));
        let read = match file {
            None => series_of_table(bytes, wanted, &selection),
            Some(file) => series_of_table(BufReader::new(file), wanted, &selection),
        };
        let series = self.of_steps(&name, read.map_err(|error| cannot(format!("no replay, and {error}")))?)?;
        if series.is_empty() {
            return Err(cannot("no row is of these steps and bodies".to_owned()));
        }
        let names: Vec<String> = series.iter().filter_map(|series| series.body.clone()).collect();
        // Of more series than can be drawn not all are there.
        let patterns = selection.bodies.filter(|_| series.len() <= MOST_SERIES);
        match patterns.map(|patterns| patterns.among(&names)) {
            Some(Err(missing)) => Err(cannot(format!("--body {missing}: no row is of these steps and such a body"))),
            Some(Ok(_)) | None => Ok(series),
        }
    }

    /// What of the series of a table is of the steps that are asked for.
    fn of_steps(&self, name: &str, mut series: Vec<Series>) -> Result<Vec<Series>, Failure> {
        let last = series.iter().flat_map(|series| &series.points).map(|point| point.step).max();
        let (Some(steps), Some(last)) = (self.steps, last) else { return Ok(series) };
        let range = steps.within(last, false).map_err(|error| Failure::Usage(format!("--steps: {name}: {error}")))?;
        series.iter_mut().for_each(|series| series.points.retain(|point| range.contains(&point.step)));
        series.retain(|series| !series.points.is_empty());
        Ok(series)
    }

    fn series_of_replay(
        &self,
        name: &str,
        recovered: Recovered,
        wanted: &[&'static Quantity],
        console: &mut Console,
    ) -> Result<Gathered, Failure> {
        let Recovered { replay, damage } = recovered;
        let last = replay.last_step();
        let range = self.steps.unwrap_or(StepChoice::ALL).within(last, damage.is_some());
        let range = range.map_err(|error| Failure::Usage(format!("--steps: {name}: {error}")))?;
        let bodies = self.bodies(name, &replay, wanted)?;
        let selection = Selection { steps: StepSelection { range, every: 1 }, bodies };
        let progress = Progress::new(selection.steps.count(&replay), "steps");
        progress.say(|| name.to_owned());
        let (series, stopped) = series_of_replay(&replay, wanted, &selection, &mut |states| progress.reached(states));
        progress.finish();
        let mut status = ExitStatus::Done;
        let mut notes = Vec::new();
        if warn_of_stop(name, &replay, console) {
            notes.push(format!("the run stopped on an error after step {last}"));
        }
        if let Some(error) = stopped {
            console.error(&format!("{name}: {error}: what comes before was drawn"));
            notes.push("the run could not be repeated to its end".to_owned());
            status = ExitStatus::Differs;
        }
        if let Some(damage) = damage {
            console.warning(&format!("{name} is damaged: {damage}; drawn are the steps 0 to {last}, which are sound"));
            notes.push(format!("the replay is damaged; the steps 0 to {last} are sound"));
            status = ExitStatus::Damaged;
        }
        Ok(Gathered { series, status, notes })
    }

    /// The bodies that are meant, where anything is drawn of bodies.
    fn bodies(
        &self,
        name: &str,
        replay: &Replay,
        wanted: &[&'static Quantity],
    ) -> Result<Option<BodyPatterns>, Failure> {
        let of_bodies = wanted.iter().filter(|quantity| quantity.is_of_body).count();
        if of_bodies == 0 {
            return Ok(None);
        }
        let names = roster(replay).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
        if names.is_empty() {
            let what = format!("{name} has no bodies; draw quantities of the run, such as --what total");
            return Err(Failure::Usage(what));
        }
        let patterns = BodyPatterns::new(&self.body).unwrap_or_else(|| BodyPatterns::from("*"));
        let patterns = patterns.among(&names).map_err(|missing| no_such_body(&missing, name, &names))?;
        let meant = names.iter().filter(|name| patterns.matches(name)).count();
        if meant * of_bodies > MOST_SERIES {
            return Err(Failure::Usage(format!(
                "{name}: {meant} bodies are more than can be told apart in a picture: choose some with --body"
            )));
        }
        Ok(Some(patterns))
    }
}
