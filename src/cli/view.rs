//! `physim view`: a page that plays one run, or two laid over each other.

use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::analysis::diff::settings::differing_settings;
use crate::analysis::diff::{DiffOptions, diff_recovered};
use crate::analysis::rerun::RerunError;
use crate::analysis::states::{PassError, Reporting, StepSelection, visit_states};
use crate::replay::{Ending, Recovered};
use crate::view::difference::PageDifference;
use crate::view::film::{Film, Nowhere};
use crate::view::fit::{FittedFilm, fit, smallest_size};
use crate::view::page::{START, page, size_without_data};
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{TextOrJson, parse_whole};
use crate::cli::output::{check_is_no_input, write_text_file};
use crate::cli::replays::{check_one_reader, of_rerun, read_replay, warn_of_stop};
use crate::cli::source::{is_dash, name_of};
use crate::cli::step_choice::StepChoice;
use crate::report;
use crate::report::console::Console;
use crate::report::plot::telling_names;
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::view::ViewReport;

const EXAMPLES: &str = "\
Examples:
  physim view billiards.mcap --open                    writes billiards.html and opens it
  physim view mine.mcap theirs.mcap -o desync.html     two runs laid over each other, and how a difference spread
  physim view long.mcap --steps 3000..3600             a part of a long run, in more detail

The page needs no network and no server: send it, archive it, open it anywhere. Keys are listed under `?`.
What does not fit --max-size is thinned out, first digits, then velocities, then steps; the page says what.

Exit status: 0 written, 1 this build does not come to the recorded states, 2 wrong usage or it cannot be written, 3 a
replay is damaged: what is sound of it is shown.";

/// Make a page that plays a replay in a browser, or two laid over each other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ViewArguments {
    /// A replay; `-` is standard input
    #[arg(value_name = "REPLAY")]
    replay: PathBuf,

    /// Another one, to be laid over the first
    #[arg(value_name = "OTHER")]
    other: Option<PathBuf>,

    /// The page to write, `-` for standard output [default: the replay's name, ending in .html]
    #[arg(short, long, value_name = "PAGE")]
    output: Option<PathBuf>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Only these steps, both ends included: `10..20`, `100..`, `..5`, `60`; `last` is the last one
    #[arg(long, value_name = "FROM..TO", value_parser = StepChoice::parse)]
    steps: Option<StepChoice>,

    /// The most the page may take, in MB (10^6 bytes)
    #[arg(long, value_name = "MB", default_value_t = 5, value_parser = parse_whole::<1, 1000>)]
    max_size: u32,

    /// Replace the output even if it is a file that is not a page of physim
    #[arg(long)]
    force: bool,

    /// How to write the summary: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    summary: TextOrJson,
}

/// How often, and how long after each other, the opener of the page is asked whether it failed.
const OPENING_CHECKS: u32 = 40;
const OPENING_PAUSE: Duration = Duration::from_millis(50);

/// A replay on its way into the page.
struct Source {
    name: String,
    recovered: Recovered,
    film: Film,
    /// Why its last steps are missing.
    stopped: Option<Stopped>,
}

/// Why the pass over a run ended before the run did.
enum Stopped {
    /// This build does not come to the recorded states.
    Rerun(RerunError),
    /// A body cannot be drawn.
    Nowhere(Nowhere),
}

impl Display for Stopped {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rerun(error) => write!(formatter, "{error}"),
            Self::Nowhere(nowhere) => write!(formatter, "{nowhere}"),
        }
    }
}

/// Runs the command.
pub fn execute(arguments: &ViewArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let paths: Vec<&Path> =
        [Some(&arguments.replay), arguments.other.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
    check_one_reader(paths.iter().copied())?;
    let output = arguments.output_path();
    if arguments.open && is_dash(&output) {
        return Err(Failure::Usage(
            "--open: what goes to standard output is not a file to open; give -o a name".to_owned(),
        ));
    }
    check_page(&output)?;
    check_is_no_input(&output, &paths, arguments.force)?;
    let mut sources = Vec::new();
    for path in &paths {
        sources.push(source(path, arguments)?);
    }
    let difference = sources_difference(&sources);
    let films = fitted(&mut sources, arguments)?;
    let text = page(&films, difference.as_ref());
    if is_dash(&output) {
        console.result(&text);
    } else {
        write_text_file(&output, &text, arguments.force, "page of physim", START.as_bytes())?;
        let report =
            ViewReport { films: &films, difference: difference.as_ref(), page: &output, bytes: text.len() as u64 };
        console.result(&match arguments.summary {
            TextOrJson::Text => report::view::text(&report),
            TextOrJson::Json => report::view::json(&report),
        });
    }
    if arguments.open
        && let Err(why) = open(&output)
    {
        console.warning(&format!("--open: {why}; open {} yourself", output.display()));
    }
    Ok(sources.iter().map(|source| tell(source, console)).max().unwrap_or(ExitStatus::Done))
}

impl ViewArguments {
    fn output_path(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| {
            let of_replay = if is_dash(&self.replay) { Path::new("replay") } else { self.replay.as_path() };
            of_replay.with_extension("html")
        })
    }
}

/// Refuses a page whose name says that it is something else: no browser would open it as one.
fn check_page(path: &Path) -> Result<(), Failure> {
    let is_page = |ending: &std::ffi::OsStr| ["html", "htm"].iter().any(|page| ending.eq_ignore_ascii_case(page));
    if is_dash(path) || path.extension().is_some_and(is_page) {
        return Ok(());
    }
    let (shown, page) = (path.display(), path.with_extension("html"));
    Err(Failure::Usage(format!(
        "-o {shown}: a page is HTML, in a file that ends in .html; write -o {}, or export the run (`{}`)",
        page.display(),
        command("export --help")
    )))
}

/// Reads a replay and gathers what the page shows of it.
fn source(path: &Path, arguments: &ViewArguments) -> Result<Source, Failure> {
    let name = name_of(path);
    let recovered = read_replay(path)?;
    let steps = arguments.steps.unwrap_or(StepChoice::ALL);
    let range = steps.within(recovered.replay.last_step(), recovered.damage.is_some());
    let range = range.map_err(|error| Failure::Usage(format!("--steps: {name}: {error}")))?;
    let selection = StepSelection { range, every: 1 };
    let progress = Progress::new(selection.count(&recovered.replay), "steps");
    let mut film = Film::default();
    let mut reached = |states| progress.reached(states);
    let mut visitor = Reporting::new(&mut film, &mut reached);
    let stopped = match visit_states(&recovered.replay, &selection, &mut visitor) {
        Ok(()) => None,
        Err(PassError::Rerun(error)) => Some(Stopped::Rerun(error)),
        Err(PassError::Visitor(nowhere)) => Some(Stopped::Nowhere(nowhere)),
    };
    progress.finish();
    match stopped {
        Some(error) if film.frames.samples.is_empty() => Err(Failure::Unreadable(format!("{name}: {error}"))),
        stopped => Ok(Source { name, recovered, film, stopped }),
    }
}

/// How two runs differ, to the end of both.
fn sources_difference(sources: &[Source]) -> Option<PageDifference> {
    let [a, b] = sources else { return None };
    if a.recovered.replay.header.scalar != b.recovered.replay.header.scalar {
        // A thousandth of the smallest thing that moves.
        let metres = smallest_size(&a.film) / 1000.0;
        let settings = differing_settings(&a.recovered.replay, &b.recovered.replay);
        return Some(PageDifference::of_places(&a.film, &b.film, &settings, metres));
    }
    let options = DiffOptions { window: u32::MAX, ..DiffOptions::default() };
    Some(PageDifference::of_bits(&diff_recovered(&a.recovered, &b.recovered, options)))
}

/// The films, each within its share of the page.
fn fitted(sources: &mut [Source], arguments: &ViewArguments) -> Result<Vec<FittedFilm>, Failure> {
    let labels = telling_names(&sources.iter().map(|source| source.name.clone()).collect::<Vec<String>>());
    let bytes = arguments.max_size as usize * 1_000_000;
    let limit = bytes.saturating_sub(size_without_data()) / sources.len().max(1);
    let fit_one = |(source, label): (&mut Source, &String)| {
        let mut notes: Vec<String> = source.stopped.iter().map(ToString::to_string).collect();
        let stop = source.recovered.replay.ending.as_ref().and_then(Ending::stop);
        notes.extend(stop.map(|message| format!("the run stopped on an error: {message}")));
        notes.extend(source.recovered.damage.as_ref().map(|damage| format!("the replay is damaged: {damage}")));
        fit(std::mem::take(&mut source.film), &source.recovered.replay, label, limit)
            .map(|mut film| {
                film.header.notes.extend(notes);
                film
            })
            .map_err(|error| Failure::Usage(format!("{}: {error}", source.name)))
    };
    sources.iter_mut().zip(&labels).map(fit_one).collect()
}

/// Says what of a replay is not shown, and what that means for the exit status.
fn tell(source: &Source, console: &mut Console) -> ExitStatus {
    let Source { name, recovered, stopped, .. } = source;
    let mut status = ExitStatus::Done;
    match stopped {
        None => {}
        Some(Stopped::Rerun(error)) => {
            console.error(&format!("{name}: {error}: what comes before is shown"));
            status = of_rerun(error).0;
        }
        Some(Stopped::Nowhere(nowhere)) => console.warning(&format!("{name}: {nowhere}; what comes before is shown")),
    }
    warn_of_stop(name, &recovered.replay, console);
    if let Some(damage) = &recovered.damage {
        let last = recovered.replay.last_step();
        console.warning(&format!("{name} is damaged: {damage}; steps 0 to {last} are sound, and shown"));
        status = ExitStatus::Damaged;
    }
    status
}

/// Opens a page in the browser of the desktop, or says why that cannot be.
fn open(page: &Path) -> Result<(), String> {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = std::process::Command::new(program);
    command.args(arguments).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut opener = command.spawn().map_err(|error| format!("{program} cannot be started ({error})"))?;
    // An opener that fails does so at once; one that is the browser itself goes on for as long as that is open.
    for _ in 0..OPENING_CHECKS {
        match opener.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{program} could not open a browser ({status})")),
            Ok(None) => std::thread::sleep(OPENING_PAUSE),
            Err(_) => return Ok(()),
        }
    }
    Ok(())
}
