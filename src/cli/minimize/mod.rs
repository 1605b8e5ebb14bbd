//! `physim minimize`: the smallest scene that still shows it; [`foreign`] does the same for the files of other programs.

mod budget;
mod command;
mod files;
mod foreign;
mod question;
mod refusal;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use crate::analysis::minimize::repeated::Repeated;
use crate::analysis::minimize::{Candidate, Minimised, minimise};
use crate::math::ScalarKind;
use crate::scene::Scene;
use crate::world::fault::Fault;
use clap::{Args, ValueHint};

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::fault::{FAULT_HELP, parse_fault};
use crate::cli::minimize::budget::{Budget, Follower, now, parse_budget, parse_seconds};
use crate::cli::minimize::files::Files;
use crate::cli::minimize::question::Question;
use crate::cli::options::{TextOrJson, parse_whole, scalars};
use crate::report;
use crate::report::console::Console;
use crate::report::minimize::{MinimizeReport, Size};

const EXAMPLES: &str = "\
Examples:
  physim minimize scene.ron --fault ulp@120,object=ball,field=position.x
  physim minimize mine.mcap theirs.mcap -o small.ron      two replays of one scene that diverge
  physim minimize scene.ron --test './my_engine {}'       keep the exit status of any program
  physim minimize commands.txt --test './game --play {}'
                                                          lines of a text, values of a JSON array
  physim minimize scene.ron --test 'physim run {}' --expect 2 --budget 500
  physim minimize scene.ron --test './my_engine {}' --repeat 20
                                                          it fails in some runs only
  physim minimize scene.ron --repeat 20                   two equal runs differ now and then

What is kept has to show in each run: the whole scene is asked about several times first, and the
search ends at once where the answers differ. With --repeat N one of N runs is enough.

Each smaller scene is kept in OUT.ron.partial; the same command goes on from it.

With --test, a file that is no scene is one of another program: of a text the lines that are needed
are kept, of a JSON array the values.

Exit status: 0 a smaller scene was written, 2 there is nothing to minimise or the usage is wrong,
3 a replay is damaged or cannot be read.";

/// Find the smallest scene that still shows it: two runs that diverge, or a program that fails
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct MinimizeArguments {
    /// A scene, with --fault or --test; two replays of one scene that diverge; or, with --test, a text of lines or a JSON array of
    /// another program
    #[arg(value_name = "SCENE | A B | FILE", required = true, num_args = 1..=2)]
    paths: Vec<PathBuf>,

    #[arg(long, value_name = "FAULT", value_parser = parse_fault, help = FAULT_HELP, conflicts_with = "test")]
    fault: Vec<Fault>,

    /// Keep the exit status of this command, in which `{}` stands for the scene's file
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    test: Option<String>,

    /// Keep this exit status of the command [default: that of the whole scene]
    #[arg(long, value_name = "STATUS", requires = "test")]
    expect: Option<i32>,

    /// Run each scene up to N times, and keep it when one of these runs shows it: for what does not repeat
    #[arg(long, value_name = "N", value_parser = parse_whole::<2, 10_000>)]
    repeat: Option<u32>,

    /// How long the command may run each time, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = parse_seconds)]
    time_limit: Duration,

    /// Where to write the smallest scene [default: SCENE.min.ron; of another file NAME.min and its extension]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,

    /// When to stop: seconds, minutes or a number of tests, such as 60s, 5m or 500
    #[arg(long, value_name = "BUDGET", default_value = "60s", value_parser = parse_budget)]
    budget: Budget,

    /// The number type to compute in: fixed, f32 or f64 [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_parser = scalars(), hide_possible_values = true)]
    scalar: Option<ScalarKind>,

    /// Set one key of the scene first, such as `steps=120`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// How to write the result: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,

    /// Replace the output even if it is a file that this command did not write
    #[arg(long)]
    force: bool,
}

impl MinimizeArguments {
    /// In how many runs a scene may show it.
    fn runs(&self) -> u32 {
        self.repeat.unwrap_or(1)
    }
}

/// Runs the command.
pub fn execute(arguments: &MinimizeArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    if let Some(path) = foreign::foreign_file(arguments) {
        return foreign::execute(arguments, path, console);
    }
    let start = now();
    let (mut question, whole) = Question::of(arguments)?;
    let source = question.source.clone();
    let files = Files::new(arguments, &question.fingerprint(&whole.scene))?;
    let size = Size { bodies: whole.bodies(), steps: whole.scene.steps };
    let first = question.ask_first(whole)?;
    let resumed = files.resume(|candidate| question.still_shows(candidate), console);
    let was_resumed = resumed.is_some();
    let mut follower = Follower::new(arguments.budget, &files);
    let (first, rejected) = resumed.unwrap_or((first, BTreeSet::new()));
    let mut repeated = Repeated::new(&mut question, arguments.runs());
    let mut found = minimise(first, rejected, &mut repeated, &mut follower);
    follower.finish()?;
    if found.was_ended {
        files.keep(&found.best, &found.rejected)?;
    }
    // A fault may act on what is gone by now.
    question.drop_needless_faults(&mut found.best)?;
    let (shown, repeat) = question.shown(&found.best)?;
    let report = MinimizeReport {
        from: &source,
        from_size: size,
        to: files.output(),
        to_size: Size { bodies: found.best.bodies(), steps: found.best.scene.steps },
        found: &found,
        shown,
        repeat,
        commands: question.commands(&found.best, files.output()),
        was_resumed,
        seconds: start.elapsed().as_secs_f64(),
    };
    let text = scene_text(&report, &found);
    // What does not repeat was shown just now, and may hide this time.
    let shows = |scene: Scene| question.runs > 1 || question.still_shows(&Candidate { scene, start: found.best.start });
    files.complete(&text, &found, shows)?;
    files.write_inputs(&question.inputs(&found.best))?;
    console.result(&match arguments.format {
        TextOrJson::Text => report::minimize::text(&report),
        TextOrJson::Json => report::minimize::json(&report),
    });
    question.warnings().iter().for_each(|warning| console.warning(warning));
    Ok(ExitStatus::Done)
}

/// The file that is written: what it shows as a comment, and the scene.
fn scene_text(report: &MinimizeReport<'_>, found: &Minimised) -> String {
    format!("{}{}", report::minimize::comment(report), found.best.scene.to_short_ron())
}
