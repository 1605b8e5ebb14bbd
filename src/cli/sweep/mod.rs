//! `physim sweep`: a scene under every combination of some settings.

mod arguments;
mod joined;
mod output;
mod pool;
mod recording;

use std::path::Path;

use crate::analysis::body_pattern::BodyPattern;
use crate::analysis::roster::name_hint;
use crate::analysis::sweep::axis::Axis;
use crate::analysis::sweep::merge::Shard;
use crate::analysis::sweep::outcome::body_names;
use crate::analysis::sweep::row::Row;
use crate::analysis::sweep::{Sweep, SweepError};
use crate::scene::error::SceneError;
use crate::session::record::RunPlan;

pub use crate::cli::sweep::arguments::SweepArguments;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::output::{check_are_apart, check_is_no_input, check_text_file, write_text_file};
use crate::cli::plot::check_picture;
use crate::cli::run_options::RunOptions;
use crate::cli::source::is_dash;
use crate::cli::sweep::output::Output;
use crate::cli::sweep::pool::{Pool, run_all};
use crate::cli::sweep::recording::path_of;
use crate::report;
use crate::report::console::Console;
use crate::report::sweep::SweepReport;
use crate::report::sweep_plot::{Measured, sweep_svg};

/// Most bodies with columns of their own.
const MOST_BODIES: usize = 500;
/// Most wrong settings that are shown.
const MOST_SHOWN: usize = 10;

/// Runs the command.
pub fn execute(arguments: &SweepArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    arguments.check()?;
    let sweep = match sweep(arguments) {
        Ok(sweep) => sweep,
        Err(Refused::Failure(failure)) => return Err(failure),
        Err(Refused::Sweep(error)) => return Err(told(error, console)),
    };
    let plotted = plotted(arguments, &sweep)?;
    if !arguments.merge.is_empty() {
        return joined::execute(arguments, &sweep, plotted, console);
    }
    let shard = arguments.shard.unwrap_or(Shard::ALL);
    let runs = shard.runs(sweep.runs());
    let steps = match sweep.check(&runs) {
        Ok(steps) => steps,
        Err(error) => return Err(told(error, console)),
    };
    check_outputs(arguments, &runs)?;
    let folder = arguments.record.as_deref();
    let recorded = match folder {
        None => Vec::new(),
        Some(folder) => recording::check_folder(folder, &sweep, &runs, arguments.force)?,
    };
    let (mut output, mut rows) = Output::open(arguments, &sweep, &runs, console)?;
    let resumed = rows.len();
    let again = recording::to_record_again(&sweep, &rows, &recorded);
    let is_to_do = |(place, run): &(usize, &u64)| *place >= resumed || again.binary_search(run).is_ok();
    let to_do: Vec<(usize, &u64)> = runs.iter().enumerate().filter(is_to_do).collect();
    let pool = Pool {
        sweep: &sweep,
        runs: &to_do.iter().map(|(_, run)| **run).collect::<Vec<u64>>(),
        steps: to_do.iter().filter_map(|(place, _)| steps.get(*place)).map(|steps| u64::from(*steps)).sum(),
        jobs: arguments.jobs(),
        record: folder,
    };
    let keeps_rows = !output.is_stream() || plotted.is_some();
    // Replays and a picture are wanted whether or not anybody reads the table.
    let ends_with_reader = output.is_stream() && folder.is_none() && plotted.is_none();
    let mut stopped = stopped_among(&sweep, &rows);
    run_all(&pool, &mut |row: Row, progress| {
        let known = rows.get(..resumed).and_then(|rows| rows.iter().find(|known| known.run == row.run));
        if let (Some(known), Some(folder)) = (known, folder) {
            return recording::check_repeated(&sweep, known, &row, folder);
        }
        stopped += stopped_among(&sweep, std::slice::from_ref(&row));
        output.write(&sweep, &row, console, progress)?;
        if ends_with_reader && !console.takes_results() {
            return Err(Failure::BrokenPipe);
        }
        if keeps_rows {
            rows.push(row);
        }
        Ok(())
    })?;
    let report = SweepReport {
        sweep: &sweep,
        rows: &rows,
        runs: runs.len(),
        shard: arguments.shard,
        resumed,
        output: output.path(),
        missing: &[],
    };
    output.finish(&report, console);
    if !again.is_empty() {
        console.note(&report::sweep::recorded_again_text(again.len() as u64));
    }
    draw(arguments, plotted, &sweep, &rows, console)?;
    if stopped > 0 {
        console.warning(&report::sweep::stopped_text(stopped));
    }
    Ok(ExitStatus::Done)
}

/// Refuses, before the first run, a table, a picture or a replay in the place of another of them.
fn check_outputs(arguments: &SweepArguments, runs: &[u64]) -> Result<(), Failure> {
    let named = [(arguments.file(), "the table"), (arguments.plot.as_deref(), "the picture")];
    let named: Vec<(&Path, &str)> = named.iter().filter_map(|(path, what)| Some(((*path)?, *what))).collect();
    check_are_apart(&named)?;
    let Some(folder) = &arguments.record else { return Ok(()) };
    named.iter().try_for_each(|named| check_are_apart(&[(folder, "the replays of --record"), *named]))?;
    // Of many replays only those can be meant that are called as the output is.
    let recorded =
        |path: &Path| runs.iter().map(|run| path_of(folder, *run)).find(|file| file.file_name() == path.file_name());
    named.iter().try_for_each(|(path, what)| match recorded(path) {
        Some(replay) => check_are_apart(&[(&replay, "a replay of --record"), (path, what)]),
        None => Ok(()),
    })
}

/// Why there is no sweep.
enum Refused {
    Failure(Failure),
    Sweep(SweepError),
}

impl<E: Into<Failure>> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::Failure(error.into())
    }
}

/// The sweep that the arguments mean.
fn sweep(arguments: &SweepArguments) -> Result<Sweep, Refused> {
    let axes = axes(arguments)?;
    let options = RunOptions {
        steps: arguments.steps,
        scalar: arguments.scalar,
        set: Vec::new(),
        inputs: arguments.inputs.clone(),
        fault: Vec::new(),
    };
    let base = options.plan(&arguments.scene)?;
    let mut wrong = match (&arguments.matrix, axes.first()) {
        (Some(path), Some(rows)) => wrong_rows(path, rows, &base),
        _ => Vec::new(),
    };
    let sweep = Sweep::new(base, arguments.scalar, arguments.steps, axes).map_err(Refused::Sweep)?;
    if !wrong.is_empty() {
        // What is wrong with the other settings is told with it.
        if let Err(SweepError::Scenes(errors)) = sweep.check(&[]) {
            let is_new = |error: &SceneError| !wrong.iter().any(|known| known.problems() == error.problems());
            let new: Vec<SceneError> = errors.into_iter().filter(is_new).collect();
            wrong.extend(new);
        }
        return Err(Refused::Sweep(SweepError::Scenes(wrong)));
    }
    if arguments.body.is_empty() {
        return Ok(sweep);
    }
    // The columns are those of the first run: they must not depend on the shard.
    sweep.check(&[0]).map_err(Refused::Sweep)?;
    let first = sweep.plan(0).map_err(|error| Refused::Sweep(SweepError::Scenes(vec![error])))?;
    let bodies = bodies(&arguments.body, &first)?;
    Ok(sweep.with_bodies(bodies))
}

/// What changes from run to run: the rows of the table, then the lists. All lists that are none are told together.
fn axes(arguments: &SweepArguments) -> Result<Vec<Axis>, Failure> {
    let mut axes: Vec<Axis> = arguments.matrix.as_deref().map(matrix).transpose()?.into_iter().collect();
    let mut wrong = Vec::new();
    for assignment in &arguments.set {
        match Axis::parse(assignment) {
            Ok(axis) => axes.push(axis),
            Err(what) => wrong.push(format!("--set: {what}")),
        }
    }
    if wrong.is_empty() { Ok(axes) } else { Err(Failure::Usage(wrong.join("; "))) }
}

/// What is wrong with rows, each checked alone, so that it is told with its place in the file; once where rows are wrong
/// alike.
fn wrong_rows(path: &Path, axis: &Axis, base: &RunPlan) -> Vec<SceneError> {
    // What is wrong with the keys is told of all of them together.
    let Ok(alone) = Sweep::new(base.clone(), None, None, vec![axis.clone()]) else { return Vec::new() };
    let mut wrong: Vec<SceneError> = Vec::new();
    for row in 0..alone.runs() {
        let Err(error) = alone.plan(row) else { continue };
        if !wrong.iter().any(|known| known.problems() == error.problems()) {
            wrong.push(error.called(format!("{} row {}", path.display(), row + 1)));
        }
    }
    wrong
}

fn matrix(path: &Path) -> Result<Axis, Failure> {
    let fail = |what: String| Failure::Usage(format!("--matrix {}: {what}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| {
        fail(format!(
            "cannot read it: {error}; give a table in CSV whose first line has the keys, such as seed,gravity.1"
        ))
    })?;
    let axis = Axis::from_table(std::io::BufReader::new(file)).map_err(fail)?;
    Ok(axis)
}

/// The bodies of a run that the patterns mean.
fn bodies(patterns: &[String], plan: &RunPlan) -> Result<Vec<String>, Failure> {
    let mut names = body_names(plan).map_err(|error| Failure::building(&plan.scene.name, &error))?;
    names.extend(Sweep::spawned(plan));
    let mut meant: Vec<String> = Vec::new();
    for text in patterns {
        let pattern = BodyPattern::new(text).among(names.iter().map(String::as_str));
        let matched: Vec<&String> = names.iter().filter(|name| pattern.matches(name)).collect();
        if matched.is_empty() {
            let hint = name_hint(text, &names);
            return Err(Failure::Usage(format!("--body {text}: the first run has no such body{hint}")));
        }
        for name in matched {
            if !meant.contains(name) {
                meant.push(name.clone());
            }
        }
    }
    if meant.len() > MOST_BODIES {
        let count = meant.len();
        return Err(Failure::Usage(format!(
            "--body: {count} bodies are more columns than {MOST_BODIES} bodies may have"
        )));
    }
    Ok(meant)
}

/// Says what is wrong with settings.
fn told(error: SweepError, console: &mut Console) -> Failure {
    let errors = match error {
        SweepError::Settings(what) => return Failure::Usage(what),
        SweepError::Scenes(errors) => errors,
    };
    for error in errors.iter().take(MOST_SHOWN) {
        console.note(&format!("{}\n\n", error.render(true)));
    }
    let count = errors.len();
    let more = if count > MOST_SHOWN { format!(", of which {MOST_SHOWN} are shown") } else { String::new() };
    let wrong = if count == 1 { "a setting is wrong".to_owned() } else { format!("{count} settings are wrong{more}") };
    Failure::Settings { errors, message: format!("{wrong}; no run was started") }
}

/// How many of these runs ended with an error.
fn stopped_among(sweep: &Sweep, rows: &[Row]) -> u64 {
    let column = sweep.columns().iter().position(|(name, _)| name == "stopped");
    let is_stopped = |row: &&Row| column.and_then(|column| row.cells.get(column)).is_some_and(|cell| !cell.is_empty());
    rows.iter().filter(is_stopped).count() as u64
}

/// What is to be drawn, checked before anything runs.
fn plotted(arguments: &SweepArguments, sweep: &Sweep) -> Result<Option<Measured>, Failure> {
    let Some(path) = &arguments.plot else { return Ok(None) };
    check_picture(path)?;
    if is_dash(path) {
        return Err(Failure::Usage("--plot: a plot goes into a file; give it a name, such as sweep.svg".to_owned()));
    }
    let inputs: Vec<&Path> =
        [Some(arguments.scene.as_path()), arguments.matrix.as_deref()].into_iter().flatten().collect();
    check_is_no_input(path, &inputs, arguments.force)?;
    check_text_file(path, arguments.force, "picture in SVG", b"<svg")?;
    Measured::find(sweep, arguments.what.as_deref()).map(Some).map_err(Failure::Usage)
}

fn draw(
    arguments: &SweepArguments,
    plotted: Option<Measured>,
    sweep: &Sweep,
    rows: &[Row],
    console: &mut Console,
) -> Result<(), Failure> {
    let (Some(path), Some(result)) = (&arguments.plot, plotted) else { return Ok(()) };
    let drawn = sweep_svg(sweep, rows, &result, arguments.log_axes());
    write_text_file(path, &drawn.svg, arguments.force, "picture in SVG", b"<svg")?;
    drawn.notes.iter().for_each(|note| console.warning(&format!("{}: {note}", path.display())));
    Ok(())
}
