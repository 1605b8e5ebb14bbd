//! `physim query`: what a ray meets, what overlaps, what is near, when bodies meet.

use std::ops::{ControlFlow, RangeInclusive};
use std::path::PathBuf;

use crate::analysis::query::{Answers, QueryError, ask_replay, ask_run};
use crate::math::ScalarKind;
use crate::replay::{Recovered, Replay};
use crate::report;
use crate::report::console::Console;
use crate::report::progress::Progress;
use crate::report::query::Asked;
use crate::scene::model::Query;
use crate::scene::nearest::nearest_hint;
use crate::scene::query::parse_query;
use crate::scene::{self, Scene};
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{TextOrJson, scalars};
use crate::cli::replays::{of_rerun, read_replay};
use crate::cli::run_options::RunOptions;
use crate::cli::source::{is_dash, is_meant_as_scene, name_of, refuse_folder};
use crate::cli::step_choice::StepChoice;

const EXAMPLES: &str = "\
Examples:
  physim query scenes/dice.ron 'Ray(from: (0, 9, 0), to: (0, -1, 0))'
  physim query dice.mcap --step 60 'Ray(from: (0, 9, 0), to: (0, -1, 0), all: true)'
  physim query dice.mcap --step 60 'Overlap(shape: Sphere(radius: 1), at: (0, 1, 0))'
  physim query dice.mcap 'Nearest(at: (0, 1, 0), within: 5)' 'Contains(point: (0, 0.5, 0))'
  physim query dice.mcap 'Cast(shape: Sphere(radius: 0.2), from: (0, 9, 0), to: (0, 0, 0))'
  physim query billiards.mcap --step 0..60 'Between(bodies: (\"cue_ball\", \"ball_01\"))'
  physim query billiards.mcap --step 0 'Meet(bodies: (\"cue_ball\", \"ball_01\"), seconds: 2)'
  physim query mine.ron --step 100 sight         a question of the scene's own `queries`

Places are in metres in the world frame. What a question sees is chosen with
`filter: (sees: [\"wall\"], except: [\"ball\"], sensors: true)`. docs/scene-format.md has all questions.

Exit status: 0 answered, be it with nothing; 1 this build does not come to the recorded step; 2 a
wrong question, one that has no answer, or no such step; 3 the replay is damaged or unreadable.";

/// Ask a scene or a replay what a ray meets, what overlaps, what is near, when bodies meet
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct QueryArguments {
    /// The scene or replay; `-` is a scene from standard input
    #[arg(value_name = "SCENE|REPLAY")]
    source: PathBuf,

    /// Questions, or names of questions of the scene [default: all that the scene has]
    #[arg(value_name = "QUERY")]
    queries: Vec<String>,

    /// Ask at this step, or at these: `60`, `10..20` with both ends, `100..`; `last` is the last one [default: of a scene
    /// 0, of a replay the last]
    #[arg(long, value_name = "N|A..B", value_parser = StepChoice::parse)]
    step: Option<StepChoice>,

    /// The number type in which a scene is run: fixed, f32 or f64 [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_parser = scalars(), hide_possible_values = true)]
    scalar: Option<ScalarKind>,

    /// Set one key of a scene, as for `physim run`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// How to write it: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,
}

/// Runs the command.
pub fn execute(arguments: &QueryArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    refuse_folder(&arguments.source)?;
    if is_meant_as_scene(&arguments.source) || is_dash(&arguments.source) {
        return ask_scene(arguments, console);
    }
    if arguments.scalar.is_some() || !arguments.set.is_empty() {
        let message = "--scalar and --set change the run of a scene; a replay is asked as it was recorded";
        return Err(Failure::Usage(message.to_owned()));
    }
    let Recovered { replay, damage } = read_replay(&arguments.source)?;
    let name = name_of(&arguments.source);
    if let Some(damage) = &damage {
        let last = replay.last_step();
        console.warning(&format!("{name} is damaged: {damage}; steps 0 to {last} can be asked"));
    }
    let is_damaged = damage.is_some();
    let asked = ask_recording(arguments, (&name, &replay, is_damaged), console);
    let status = if is_damaged { ExitStatus::Damaged } else { ExitStatus::Done };
    asked.map(|()| status).map_err(|failure| failure.of_replay(is_damaged))
}

fn ask_scene(arguments: &QueryArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let QueryArguments { scalar, set, .. } = arguments;
    let options = RunOptions { steps: None, scalar: *scalar, set: set.clone(), inputs: None, fault: Vec::new() };
    let plan = options.plan(&arguments.source)?;
    let name = name_of(&arguments.source);
    let (asked, queries) = questions(arguments, &plan.scene, &name)?;
    let steps = steps_of(arguments.step, 0, plan.scene.steps, &name)?;
    let progress = Progress::new(u64::from(*steps.end()), "steps");
    let mut writer =
        Writer { arguments, name: &name, asked: &asked, seconds: &|step| plan.step_time().seconds(step), console };
    let mut take = |answers: &Answers| {
        let mut flow = ControlFlow::Continue(());
        progress.suspend(|| flow = writer.write(answers));
        flow
    };
    let answered = ask_run(&plan, &steps, &queries, &mut take, &mut |step| progress.reached(u64::from(step)));
    progress.finish();
    answered.map(|()| ExitStatus::Done).map_err(|error| failure(&name, &error))
}

fn ask_recording(
    arguments: &QueryArguments,
    (name, replay, is_damaged): (&str, &Replay, bool),
    console: &mut Console,
) -> Result<(), Failure> {
    let scene = scene::parse("scene of the replay", &replay.scene)?;
    let (asked, queries) = questions(arguments, &scene, name)?;
    let last = replay.last_step();
    let choice = arguments.step.unwrap_or(StepChoice::LAST);
    let steps = choice.within(last, is_damaged).map_err(|error| Failure::Ended {
        status: ExitStatus::Failed,
        kind: "no_such_step",
        message: format!("{name}: {error}"),
    })?;
    let seconds = |step: u32| replay.header.seconds(step);
    let mut writer = Writer { arguments, name, asked: &asked, seconds: &seconds, console };
    ask_replay(replay, &steps, &queries, &mut |answers| writer.write(answers)).map_err(|error| failure(name, &error))
}

/// Writes the answers of each step as they come.
struct Writer<'a> {
    arguments: &'a QueryArguments,
    name: &'a str,
    asked: &'a [Asked],
    seconds: &'a dyn Fn(u32) -> f64,
    console: &'a mut Console,
}

impl Writer<'_> {
    fn write(&mut self, answers: &Answers) -> ControlFlow<()> {
        let seconds = (self.seconds)(answers.step);
        self.console.result(&match self.arguments.format {
            TextOrJson::Text => report::query::text(self.name, seconds, self.asked, answers),
            TextOrJson::Json => report::query::json(seconds, self.asked, answers),
        });
        if self.console.takes_results() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// The questions that are asked: those of the command line, or all of the scene's own.
fn questions(arguments: &QueryArguments, scene: &Scene, name: &str) -> Result<(Vec<Asked>, Vec<Query>), Failure> {
    let mut questions = Vec::new();
    if arguments.queries.is_empty() {
        questions.extend(scene.queries.iter().map(|(name, query)| named(name, query)));
    }
    for (number, text) in (1..).zip(&arguments.queries) {
        questions.push(match scene.queries.get_key_value(text.trim()) {
            Some((name, query)) => named(name, query),
            None if is_a_word(text) => return Err(unknown(text, scene, name)),
            None => {
                let query = parse_query(scene, &format!("query {number}"), text)?;
                (Asked { name: None, text: text.trim().to_owned() }, query)
            }
        });
    }
    if questions.is_empty() {
        let message = format!(
            "{name} has no `queries` of its own: ask something, such as 'Ray(from: (0, 9, 0), to: (0, -1, 0))'; \
             see `physim query --help`"
        );
        return Err(Failure::Usage(message));
    }
    Ok(questions.into_iter().unzip())
}

fn named(name: &str, query: &Query) -> (Asked, Query) {
    (Asked { name: Some(name.to_owned()), text: query.to_ron_line() }, query.clone())
}

/// Whether a text is a name and no question in RON.
fn is_a_word(text: &str) -> bool {
    !text.contains('(')
}

fn unknown(text: &str, scene: &Scene, source: &str) -> Failure {
    let names = || scene.queries.keys().map(String::as_str);
    let hint = match nearest_hint(text.trim(), names()) {
        hint if hint.is_empty() => "questions are written as in 'Contains(point: (0, 1, 0))'".to_owned(),
        hint => hint,
    };
    Failure::Usage(format!("{source} has no query {:?}; {hint}", text.trim()))
}

/// The steps of a scene that are meant.
fn steps_of(choice: Option<StepChoice>, default: u32, last: u32, name: &str) -> Result<RangeInclusive<u32>, Failure> {
    choice.map_or(Ok(default..=default), |choice| {
        choice.within(last, false).map_err(|_| {
            let message = format!("{name}: the scene runs to step {last}; --set steps=N makes it longer");
            Failure::Ended { status: ExitStatus::Failed, kind: "no_such_step", message }
        })
    })
}

fn failure(name: &str, error: &QueryError) -> Failure {
    let (status, kind) = match error {
        QueryError::Rerun(error) => of_rerun(error),
        QueryError::Ask { .. } => (ExitStatus::Failed, "no_such_body"),
        QueryError::Build(_) | QueryError::Step(_) => (ExitStatus::Failed, "run_failed"),
    };
    Failure::Ended { status, kind, message: format!("{name}: {error}") }
}
