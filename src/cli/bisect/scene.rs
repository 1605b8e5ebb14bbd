//! The conditions of one scene, in this process.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::analysis::Verdict;
use crate::analysis::bisect::axis::{AxisText, SceneAxis, SceneValue};
use crate::analysis::bisect::repetition::How;
use crate::analysis::bisect::scene::{NOT_NAMED, SceneSearch, bisect_scene};
use crate::analysis::bisect::search::REPEAT;
use crate::analysis::bisect::{Bisection, Host};
use crate::session::record::RunPlan;

use crate::cli::bisect::{Answer, BisectArguments};
use crate::cli::failure::Failure;
use crate::cli::fresh_runs::FreshRuns;
use crate::cli::run_options::RunOptions;
use crate::cli::source::{is_dash, name_of};
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::run::quoted;

/// Runs the conditions of a scene.
pub fn bisect(arguments: &BisectArguments, path: &Path) -> Result<Answer, Failure> {
    if arguments.axis.is_empty() {
        return Err(Failure::Usage(format!(
            "{}: one condition only: nothing to compare; add an axis, such as --axis threads=1,2,8 or --axis restore",
            name_of(path)
        )));
    }
    let plan = arguments.options.plan(path)?;
    let axes: Result<Vec<SceneAxis>, _> = arguments.axis.iter().map(|axis| SceneAxis::read(axis, plan.steps)).collect();
    let faults = plan.faults.len();
    let mut found = search(arguments, plan, axes?)?;
    if faults > 0 && found.verdict == Verdict::Same {
        found.notes.push("a fault was planted, and no condition makes a difference to what it does".to_owned());
    }
    let next = next(arguments, path, &found);
    Ok(Answer { found, next })
}

/// Whether a run comes out the same each time, in this process and in others.
pub fn does_it_repeat(arguments: &BisectArguments, plan: RunPlan) -> Result<Bisection, Failure> {
    let twice = SceneAxis { name: REPEAT.to_owned(), values: vec![SceneValue::Repeat(1), SceneValue::Repeat(2)] };
    search(arguments, plan, vec![twice])
}

/// Runs the conditions, with progress and processes.
fn search(arguments: &BisectArguments, plan: RunPlan, axes: Vec<SceneAxis>) -> Result<Bisection, Failure> {
    let search = SceneSearch { plan, axes, window: arguments.window, fields: arguments.max as usize };
    let progress = Progress::new(u64::from(search.plan.steps), "steps");
    let limit = Duration::from_secs(u64::from(arguments.time_limit));
    let fresh = FreshRuns::of(&search.baseline().plan, limit);
    let mut host = CommandHost { progress: &progress, fresh, watched_since: None };
    let found = bisect_scene(&search, &mut host);
    let mut found = found.inspect_err(|_| progress.finish())?;
    host.name_across_processes(&mut found);
    progress.finish();
    Ok(found)
}

/// How often a scene that does not repeat is run, where the smallest that does so is looked for.
const REPEATS: u32 = 5;
/// How long two runs are watched side by side.
const PATIENCE: Duration = Duration::from_secs(30);

/// Shows progress, starts processes and looks at the clock for a search.
struct CommandHost<'a> {
    progress: &'a Progress,
    fresh: Option<FreshRuns>,
    /// When two runs began to be watched.
    watched_since: Option<Instant>,
}

impl CommandHost<'_> {
    /// Names what shows between processes only, where two runs side by side in this one agreed.
    fn name_across_processes(&self, found: &mut Bisection) {
        let across = found.not_repeating().is_some_and(|repetition| repetition.how != How::InProcess);
        let is_named = found.first.as_ref().is_some_and(|first| first.stage.is_some());
        let Some(fresh) = self.fresh.as_ref().filter(|_| across && !is_named) else { return };
        self.progress.say(|| "the step in two processes".to_owned());
        let Some(named) = fresh.name() else { return };
        found.runs += named.runs;
        found.first = named.first;
        found.sides = Some(["a process".to_owned(), "another process".to_owned()]);
        found.notes.retain(|note| !note.starts_with(NOT_NAMED));
        found.notes.push("named from processes of their own that tell all of the step".to_owned());
    }
}

impl Host for CommandHost<'_> {
    fn reached(&mut self, name: &str, step: u32) {
        self.progress.reached(u64::from(step));
        self.progress.say(|| name.to_owned());
    }

    fn fresh_run(&mut self) -> Option<Vec<String>> {
        self.progress.say(|| "the baseline in a process of its own".to_owned());
        self.fresh.as_mut()?.next()
    }

    fn may_go_on(&mut self) -> bool {
        self.watched_since.get_or_insert_with(now).elapsed() < PATIENCE
    }
}

#[expect(clippy::disallowed_methods, reason = "bounds how long is looked closer; no result of a run depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// The command that looks for the smallest scene which still parts under the smallest set.
fn next(arguments: &BisectArguments, path: &Path, found: &Bisection) -> Option<String> {
    if is_dash(path) || arguments.options.inputs.is_some() {
        return None;
    }
    if let Some(repetition) = found.not_repeating() {
        // What differs between processes only is asked of processes; with a fault another question is asked.
        let is_asked_here = repetition.how == How::InProcess && arguments.options.fault.is_empty();
        return is_asked_here.then(|| {
            let changes = changes_of_the_scene(arguments);
            command(&format!("minimize {}{changes} --repeat {REPEATS}", quoted(&name_of(path))))
        });
    }
    let smallest = found.smallest.as_ref()?;
    let mut question = command("bisect {}");
    for change in smallest {
        let axis = arguments.axis.iter().find(|axis| axis.name == change.axis)?;
        question.push_str(&format!(" --axis {}", narrowed(axis, &change.from, &change.to)));
    }
    for fault in &arguments.options.fault {
        question.push_str(&format!(" --fault {}", quoted(&fault.to_string())));
    }
    let changes = changes_of_the_scene(arguments);
    let scene = quoted(&name_of(path));
    Some(command(&format!("minimize {scene}{changes} --test {} --expect 1", quoted(&question))))
}

/// The options that change the scene itself, for a command that goes on with it: it may then change them further.
fn changes_of_the_scene(arguments: &BisectArguments) -> String {
    let RunOptions { scalar, set, steps, .. } = &arguments.options;
    let steps = steps.map(|steps| format!("steps={steps}"));
    let sets = set.iter().cloned().chain(steps).map(|set| format!(" --set {}", quoted(&set)));
    let scalar = scalar.map(|scalar| format!(" --scalar {scalar}"));
    sets.chain(scalar).collect()
}

/// An axis with no more than the two values that matter. A restore is tried at every step again, unless its steps were
/// named: a smaller scene may part elsewhere.
fn narrowed(axis: &AxisText, from: &str, to: &str) -> String {
    match axis.name.as_str() {
        "threads" => format!("threads={from},{to}"),
        "order" => format!("order={to}"),
        "repeat" => format!("repeat={}", axis.values.join(",")),
        name if axis.values.is_empty() => name.to_owned(),
        name => format!("{name}={}", axis.values.join(",")),
    }
}
