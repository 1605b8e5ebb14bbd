//! The conditions of one scene, in this process.

use std::path::Path;

use physim::analysis::Verdict;
use physim::analysis::bisect::Bisection;
use physim::analysis::bisect::axis::{AxisText, SceneAxis};
use physim::analysis::bisect::scene::{SceneSearch, bisect_scene};

use crate::cli::bisect::{Answer, BisectArguments};
use crate::cli::failure::Failure;
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
    let search = SceneSearch { plan, axes: axes?, window: arguments.window, fields: arguments.max as usize };
    let progress = Progress::new(u64::from(search.plan.steps), "steps");
    let found = bisect_scene(&search, &mut |name, step| {
        progress.reached(u64::from(step));
        progress.say(|| name.to_owned());
    });
    progress.finish();
    let mut found = found?;
    if faults > 0 && found.verdict == Verdict::Same {
        found.notes.push("a fault was planted, and no condition makes a difference to what it does".to_owned());
    }
    let next = next(arguments, path, &found);
    Ok(Answer { found, next })
}

/// The command that looks for the smallest scene which still parts under the smallest set.
fn next(arguments: &BisectArguments, path: &Path, found: &Bisection) -> Option<String> {
    let smallest = found.smallest.as_ref()?;
    if is_dash(path) || arguments.options.inputs.is_some() {
        return None;
    }
    let mut question = command("bisect {}");
    for change in smallest {
        let axis = arguments.axis.iter().find(|axis| axis.name == change.axis)?;
        question.push_str(&format!(" --axis {}", narrowed(axis, &change.from, &change.to)));
    }
    question.extend(arguments.options.steps.map(|steps| format!(" --steps {steps}")));
    let faults: Vec<String> = arguments.options.fault.iter().map(ToString::to_string).collect();
    for (option, values) in [("--set", &arguments.options.set), ("--fault", &faults)] {
        values.iter().for_each(|value| question.push_str(&format!(" {option} {}", quoted(value))));
    }
    if let Some(scalar) = arguments.options.scalar {
        question.push_str(&format!(" --scalar {scalar}"));
    }
    Some(command(&format!("minimize {} --test {} --expect 1", quoted(&name_of(path)), quoted(&question))))
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
