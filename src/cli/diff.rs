//! `physim diff`: where do two runs diverge?

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::analysis::diff::{Diff, DiffOptions};
use crate::analysis::majority::compare_all;
use crate::analysis::run_source::{DiffError, RunSource, diff_sources};
use crate::analysis::tolerance::{Tolerance, diff_physically};
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::log_arguments::LogArguments;
use crate::cli::options::{BisectExit, TextOrJson, parse_whole};
use crate::cli::output::{check_is_no_input, real_path, write_text_file};
use crate::cli::replays::{check_one_reader, status_of};
use crate::cli::run_source::read_run_source;
use crate::cli::source::{is_dash, name_of};
use crate::report;
use crate::report::console::Console;
use crate::report::diff::DiffReport;
use crate::report::majority::MajorityReport;
use crate::report::physical::PhysicalReport;
use crate::report::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  physim diff mine.mcap theirs.mcap
  physim diff a.mcap b.mcap --window 60       follow the difference for 60 steps
  physim diff a.mcap b.mcap --window 300 --plot spread.svg
  physim diff mine.trace theirs.trace         traces of two machines
  physim diff mine.mcap theirs.ladder         between which steps, from a kilobyte of text
  physim diff a.log b.log                     hash logs of any program
  physim diff a.log b.log c.log               which one diverges from most, and when
  physim diff a.log b.log --resimulated       of an engine that rolls back
  physim diff fixed.mcap f64.mcap --tolerance 0.001   in metres and radians
  physim diff a.mcap b.mcap --format json
  physim run scene.ron -o - | physim diff golden.mcap -
  git bisect run sh -c 'physim run level.ron -o now.mcap || exit 125
                        physim diff --bisect-exit golden.mcap now.mcap'

A difference of two replays is named by running both again from their last keyframes before it.

Exit status: 0 the same, 1 they differ or have other semantics, 2 they cannot be compared, 3 one is damaged or unreadable.";

/// Name the first difference of two runs: step, stage, section, object, field, bits
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct DiffArguments {
    /// A replay, trace, hash log or ladder; `-` is standard input
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Another one
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Further ones: which of them all diverges from most of the others?
    #[arg(value_name = "C")]
    others: Vec<PathBuf>,

    /// For how many steps to follow how the difference spreads
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = parse_whole::<0, { u32::MAX }>)]
    window: u32,

    /// How many of the fields that differ first to list, at most
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = parse_whole::<0, { u32::MAX }>)]
    max: u32,

    /// Draw how the difference spreads into this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Compare where the bodies are instead of bits: METRES or METRES,RADIANS
    #[arg(long, value_name = "METRES[,RADIANS]", value_parser = parse_tolerance, conflicts_with_all = ["plot", "window", "max"])]
    tolerance: Option<Tolerance>,

    /// Replace the plot even if it is a file that is not an SVG
    #[arg(long, requires = "plot")]
    force: bool,

    /// How to write the result: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,

    #[command(flatten)]
    logs: LogArguments,

    #[command(flatten)]
    pub bisect: BisectExit,
}

/// Runs the command.
pub fn execute(arguments: &DiffArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let DiffArguments { a, b, others, window, max, plot, tolerance, force, format, logs, bisect: _ } = arguments;
    check_one_reader([a, b].into_iter().chain(others).map(PathBuf::as_path))?;
    if !others.is_empty() {
        return compare_several(arguments, console);
    }
    if let Some(path) = plot {
        check_is_no_input(path, &[a, b], *force)?;
    }
    let sides = [read_run_source(a, logs.for_files())?, read_run_source(b, logs.for_files())?];
    let names = [name_of(a), name_of(b)];
    if let Some(tolerance) = tolerance {
        return compare_physically(&sides, names, *tolerance, *format, console);
    }
    let options = DiffOptions { window: *window, fields: *max as usize, ..DiffOptions::default() };
    let diff = diff_sources(&sides[0], &sides[1], options).map_err(failure_of)?;
    let [a, b] = names.clone();
    let report = DiffReport { a, b, diff: &diff };
    console.result(&match format {
        TextOrJson::Text => report::diff::text(&report),
        TextOrJson::Json => report::diff::json(&report),
    });
    if let Some(path) = plot {
        draw(&diff, &names, path, *force, console)?;
    }
    Ok(status_of(diff.verdict))
}

/// Compares more than two, and the first that diverges with one of most.
fn compare_several(arguments: &DiffArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let DiffArguments { a, b, others, window, max, plot, tolerance, format, logs, .. } = arguments;
    for (option, is_given) in [("--plot", plot.is_some()), ("--tolerance", tolerance.is_some())] {
        if is_given {
            return Err(Failure::Usage(format!("{option} takes two recordings; name the two to look at")));
        }
    }
    let paths: Vec<&PathBuf> = [a, b].into_iter().chain(others).collect();
    check_are_several(&paths)?;
    let sources: Result<Vec<RunSource>, Failure> =
        paths.iter().map(|path| read_run_source(path, logs.for_files())).collect();
    let sources = sources?;
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    let found = compare_all(&sources, &names).map_err(|error| Failure::Unreadable(error.to_string()))?;
    if found.compared == 0 {
        return Err(Failure::Usage("nothing was compared: no step is in two of them; log the same steps".to_owned()));
    }
    let options = DiffOptions { window: *window, fields: *max as usize, ..DiffOptions::default() };
    let closer = found.closest_look().and_then(|(one, other)| {
        match diff_sources(&sources[one], &sources[other], options) {
            // These two tell nothing alike, and are known to differ by what a third one tells, or by where they end.
            Err(DiffError::Apart(_)) => None,
            compared => Some(compared.map(|diff| (one, other, diff)).map_err(failure_of)),
        }
    });
    let report = MajorityReport { names: &names, found: &found, closer: closer.transpose()? };
    console.result(&match format {
        TextOrJson::Text => report::majority::text(&report),
        TextOrJson::Json => report::majority::json(&report),
    });
    Ok(status_of(found.verdict()))
}

/// Refuses a file that is named twice: it would count as two of which each bears out the other.
fn check_are_several(paths: &[&PathBuf]) -> Result<(), Failure> {
    let mut seen: BTreeMap<PathBuf, &PathBuf> = BTreeMap::new();
    for path in paths.iter().filter(|path| !is_dash(path)) {
        if let Some(other) = seen.insert(real_path(path), path) {
            return Err(Failure::Usage(format!(
                "{} and {} are one file, which would count as two of them: name each recording once",
                other.display(),
                path.display()
            )));
        }
    }
    Ok(())
}

/// Why recordings cannot be compared, as the failure of a command.
fn failure_of(error: DiffError) -> Failure {
    match error {
        DiffError::Apart(why) => Failure::Usage(why),
        DiffError::Log(error) => Failure::Unreadable(error.to_string()),
    }
}

fn draw(diff: &Diff, [a, b]: &[String; 2], path: &Path, force: bool, console: &mut Console) -> Result<(), Failure> {
    if is_dash(path) {
        return Err(Failure::Usage("--plot: a plot goes into a file; give it a name, such as spread.svg".to_owned()));
    }
    if diff.spread.is_empty() {
        console.warning("no plot was drawn: nothing is known of how a difference spreads");
        return Ok(());
    }
    let svg = report::spread_plot::spread_svg(diff, &format!("{a} and {b}"));
    write_text_file(path, &svg, force, "picture in SVG", b"<svg")
}

fn compare_physically(
    sides: &[RunSource; 2],
    [a, b]: [String; 2],
    tolerance: Tolerance,
    format: TextOrJson,
    console: &mut Console,
) -> Result<ExitStatus, Failure> {
    let [RunSource::Replay(first), RunSource::Replay(second)] = sides else {
        let kinds = format!("a {} and a {}", sides[0].kind(), sides[1].kind());
        return Err(Failure::Usage(format!("--tolerance compares two replays, these are {kinds}")));
    };
    let steps = first.replay.steps.len().min(second.replay.steps.len()).saturating_sub(1);
    let progress = Progress::new(steps as u64, "steps");
    let compared = diff_physically(&first.replay, &second.replay, tolerance, &mut |step| {
        progress.reached(u64::from(step));
    });
    progress.finish();
    let names = [&a, &b];
    let mut diff = compared.map_err(|(side, error)| Failure::Usage(format!("{}: {error}", names[side])))?;
    for (name, damage) in names.into_iter().zip([&first.damage, &second.damage]) {
        let said = damage.as_ref().map(|damage| format!("{name} is damaged: {damage}; compared as far as it goes"));
        diff.notes.extend(said);
    }
    let is_damaged = first.damage.is_some() || second.damage.is_some();
    let report = PhysicalReport { a: a.clone(), b: b.clone(), tolerance, is_damaged, diff: &diff };
    console.result(&match format {
        TextOrJson::Text => report::physical::text(&report),
        TextOrJson::Json => report::physical::json(&report),
    });
    Ok(status_of(report.verdict()))
}

/// Parses `METRES` or `METRES,RADIANS`; a single number is both.
pub fn parse_tolerance(text: &str) -> Result<Tolerance, String> {
    let (metres, radians) = text.split_once(',').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number >= 0.0);
    match (number(metres), number(radians)) {
        (Some(metres), Some(radians)) => Ok(Tolerance { metres, radians }),
        _ => Err("expected METRES or METRES,RADIANS, such as 0.001 or 0.001,0.01".to_owned()),
    }
}
