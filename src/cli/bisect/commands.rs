//! Any commands that print a hash log.

use std::ffi::OsStr;

use crate::analysis::bisect::Bisection;
use crate::analysis::bisect::ask::{Ask, Run, Told};
use crate::analysis::bisect::axis::AxisText;
use crate::analysis::bisect::logs::bisect_logs;
use crate::analysis::bisect::search::{Axis, Choice, choices, label};
use crate::analysis::resimulated::rollback_notes;
use crate::replay::{EmptyLists, LogOptions, LogSource};

use crate::cli::bisect::{Answer, BisectArguments};
use crate::cli::failure::Failure;
use crate::cli::places::fill;
use crate::cli::process::hear_command;
use crate::cli::spilled_run::{SpilledRun, limits, whole_run};
use crate::report::progress::Progress;
use crate::report::style::printable;

/// Stands for the step to be told of as long as none is known: every run has a state 0.
const ANY_STEP: u32 = 0;
/// How much of a command is shown where there are several.
const MOST_LETTERS: usize = 60;
/// The axis whose values are the numbers of the commands.
const COMMANDS: &str = "exec";

/// Runs commands that print hash logs.
pub fn bisect(arguments: &BisectArguments) -> Result<Answer, Failure> {
    let commands = &arguments.exec;
    let mut axes = Vec::new();
    if commands.len() > 1 {
        let numbers = (1..=commands.len()).map(|number| number.to_string());
        axes.push(Axis { name: COMMANDS.to_owned(), values: numbers.collect() });
    }
    for text in &arguments.axis {
        axes.push(command_axis(text, commands)?);
    }
    if axes.is_empty() {
        return Err(Failure::Usage(
            "one condition only: nothing to compare; add --axis repeat=20 to run the same again, a second --exec, or \
             --axis NAME=V1,V2 for a {NAME} in the command"
                .to_owned(),
        ));
    }
    let takes_a_window = |command: &String| command.contains("{from}") || command.contains("{to}");
    let tells_more = commands.iter().all(takes_a_window);
    let takes_windows = commands.iter().any(takes_a_window);
    let found = search(&axes, arguments.max as usize, &mut |choice, ask| {
        let step = match ask {
            Ask::Whole => ANY_STEP,
            Ask::Step(_) if !tells_more => return Ok(None),
            Ask::Step(step) => step,
        };
        let empty_lists = if takes_windows { EmptyLists::OfSteps(step, step) } else { EmptyLists::OfAllSteps };
        let options = LogOptions { empty_lists, ..arguments.logs.for_programs() };
        let command = command_of(commands, &axes, choice, &step.to_string());
        let finished = whole_run(|hear| hear_command(OsStr::new(&command), None, &limits(arguments.time_limit), hear))
            .map_err(|failure| failure.to_string())?;
        if finished.status != 0 {
            let (status, said) = (finished.status, last_words(&finished.stderr_tail));
            return Err(format!("the command ended with exit status {status}{said}"));
        }
        let told = read_log(finished, options)?;
        let shown = (commands.len() > 1).then(|| shortened(&command));
        Ok(Some(Told { remark: told.remark.or(shown), ..told }))
    });
    found.map(|found| Answer { found, next: None })
}

/// The beginning of a command, to tell it from the others.
fn shortened(command: &str) -> String {
    match command.char_indices().nth(MOST_LETTERS) {
        None => command.to_owned(),
        Some((end, _)) => format!("{}...", &command[..end]),
    }
}

/// The command of a choice, with the values of its axes and the step that is asked for in their places.
fn command_of(commands: &[String], axes: &[Axis], choice: &Choice, step: &str) -> String {
    let mut chosen = axes.iter().zip(choice).filter(|(axis, _)| axis.name == COMMANDS);
    let command = commands.get(chosen.next().map_or(0, |(_, number)| *number)).map_or("", String::as_str);
    let of_axes = axes.iter().zip(choice).filter(|(axis, _)| axis.name != COMMANDS);
    let places: Vec<(String, &str)> =
        of_axes.map(|(axis, value)| (format!("{{{}}}", axis.name), axis.values[*value].as_str())).collect();
    let mut values: Vec<(&str, &str)> = places.iter().map(|(place, value)| (place.as_str(), *value)).collect();
    values.extend([("{from}", step), ("{to}", step)]);
    fill(command, &values)
}

fn command_axis(text: &AxisText, commands: &[String]) -> Result<Axis, Failure> {
    let name = text.name.clone();
    if name == "repeat" {
        return Ok(Axis { name, values: text.repetitions()? });
    }
    if [COMMANDS, "from", "to"].contains(&name.as_str()) {
        return Err(text.wrong("this name has a meaning of its own with --exec; take another").into());
    }
    if text.values.len() < 2 {
        let what = format!("it needs two values at least, such as {name}=1,2, to be put in the place of {{{name}}}");
        return Err(text.wrong(what).into());
    }
    let place = format!("{{{name}}}");
    if let Some(command) = commands.iter().find(|command| !command.contains(&place)) {
        let what = format!("there is no {place} in the command {command:?}; write it where its value belongs");
        return Err(text.wrong(what).into());
    }
    Ok(Axis { name, values: text.values.clone() })
}

/// Runs a search over programs, with progress; errors name the condition. Of the fields that differ first, so many are
/// listed.
pub fn search(axes: &[Axis], fields: usize, run: Run<'_>) -> Result<Bisection, Failure> {
    if cfg!(target_family = "wasm") {
        return Err(Failure::Usage("unsupported here: this build cannot start other programs".to_owned()));
    }
    let progress = Progress::new(choices(axes)?.len() as u64, "conditions");
    let mut runs = 0;
    let found = bisect_logs(axes, fields, &mut |choice, ask| {
        let name = label(axes, choice);
        progress.say(|| name.clone());
        let told = run(choice, ask).map_err(|what| format!("{name}: {what}"));
        runs += 1;
        progress.reached(runs);
        told
    });
    progress.finish();
    found.map_err(Failure::Usage)
}

/// Reads what a program printed as a hash log, among which may stand other lines.
pub fn read_log(finished: SpilledRun, options: LogOptions) -> Result<Told, String> {
    let SpilledRun { output, stderr_tail, .. } = finished;
    let log = LogSource::of_spill("its output", output, options).map_err(|error| error.to_string())?;
    let end = log.check().map_err(|error| format!("{error}{}", last_words(&stderr_tail)))?;
    let rollback = rollback_notes(&log).map_err(|error| error.to_string())?;
    let rollback = (!rollback.is_empty()).then(|| rollback.join("; "));
    Ok(Told { remark: end.damage.or(rollback), log })
}

/// The last line that a program wrote to standard error, if it wrote any.
pub fn last_words(stderr_tail: &str) -> String {
    match stderr_tail.trim().lines().next_back() {
        None => String::new(),
        Some(last) => format!("; the last line on stderr: {}", printable(last)),
    }
}
