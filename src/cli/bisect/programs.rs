//! Builds of physim: each runs the scene and prints its hash log.

use std::path::Path;

use crate::analysis::bisect::ask::{Ask, Told};
use crate::analysis::bisect::axis::{AxisText, SceneAxis};
use crate::analysis::bisect::logs::missing_step;
use crate::analysis::bisect::search::{Axis, Choice};

use crate::cli::bisect::commands::{last_words, read_log, search};
use crate::cli::bisect::{Answer, BisectArguments};
use crate::cli::failure::Failure;
use crate::cli::log_arguments::LogArguments;
use crate::cli::process::hear_program;
use crate::cli::source::is_dash;
use crate::cli::spilled_run::{SpilledRun, limits, whole_run};
use crate::report::run::quoted;
use crate::report::style::printable;

/// The axes that physim programs can be run with.
const PROGRAM_AXES: &str = "threads=1,2,8 and repeat=20";
/// What a physim must be able to do; older ones cannot.
const NEEDED_OPTIONS: [&str; 4] = ["--hash-log", "--trace", "--states", "--fault"];

/// Runs physim programs on a scene.
pub fn bisect(arguments: &BisectArguments, scene: &Path) -> Result<Answer, Failure> {
    if is_dash(scene) || arguments.options.inputs.as_deref().is_some_and(is_dash) {
        return Err(Failure::Usage(
            "with --axis exe scene and inputs must be files: each program reads them".to_owned(),
        ));
    }
    let planned = arguments.options.plan(scene)?;
    let axes: Result<Vec<Axis>, Failure> =
        arguments.axis.iter().map(|text| program_axis(text, planned.steps)).collect();
    let axes = axes?;
    let words = run_words(arguments, scene);
    let found = search(&axes, arguments.max as usize, &mut |choice, ask| {
        let program = program_path(chosen(&axes, choice, "exe").unwrap_or_default());
        let mut words = words.clone();
        words.extend(chosen(&axes, choice, "threads").map(|threads| format!("--threads={threads}")));
        if let Ask::Step(step) = ask {
            words.extend([format!("--trace={step}..{step}"), "--states".to_owned()]);
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let finished = whole_run(|hear| hear_program(&program, &words, None, &limits(arguments.time_limit), hear))
            .map_err(|failure| failure.to_string())?;
        read_program_log(&program, finished).map(Some)
    })?;
    let next =
        found.conditions.last().filter(|_| found.smallest.is_some()).and_then(|_| next(arguments, &axes, &words));
    Ok(Answer { found, next })
}

/// The value of an axis in a choice.
fn chosen<'a>(axes: &'a [Axis], choice: &Choice, name: &str) -> Option<&'a str> {
    let mut found = axes.iter().zip(choice).filter(|(axis, _)| axis.name == name);
    found.next().map(|(axis, value)| axis.values[*value].as_str())
}

/// What to do with two programs that diverge: record with both.
fn next(arguments: &BisectArguments, axes: &[Axis], words: &[String]) -> Option<String> {
    let programs = axes.iter().find(|axis| axis.name == "exe")?;
    let rest: Vec<String> = words.iter().filter(|word| *word != "--hash-log=-").map(|word| quoted(word)).collect();
    let program = quoted(programs.values.get(1)?);
    let scene = arguments.files.first()?;
    let name = scene.file_stem()?.to_string_lossy();
    let replay = quoted(&format!("{name}.mcap"));
    Some(format!(
        "record it with each program, such as {program} {} -o {replay}, and physim diff the two",
        rest.join(" ")
    ))
}

/// An axis of physim programs.
fn program_axis(text: &AxisText, steps: u32) -> Result<Axis, Failure> {
    match text.name.as_str() {
        "exe" if text.values.len() < 2 => {
            Err(text.wrong("it needs two programs at least, such as exe=./physim-old,./physim-new").into())
        }
        "exe" => {
            text.values.iter().try_for_each(|path| check_program(text, path))?;
            Ok(Axis { name: text.name.clone(), values: text.values.clone() })
        }
        "threads" | "repeat" => {
            let axis = SceneAxis::read(text, steps)?;
            Ok(Axis { values: axis.labels(), name: axis.name })
        }
        _ => Err(text.wrong(format!("beside exe there can only be {PROGRAM_AXES}; try this axis by itself")).into()),
    }
}

/// Refuses a path at which there is no program, before anything runs.
fn check_program(text: &AxisText, path: &str) -> Result<(), Failure> {
    if cfg!(target_family = "wasm") {
        return Ok(()); // none can be run there, which is said later
    }
    let wrong = |what: &str| Err(text.wrong(format!("{path} {what}; give the paths of two physim programs")).into());
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => wrong("is a folder"),
        Ok(metadata) if !is_executable(&metadata) => wrong("is not a program: it must not be executed"),
        Ok(_) => Ok(()),
        // A bare name may be a program that the system finds by itself.
        Err(_) if !path.contains(['/', '\\']) => Ok(()),
        Err(error) => wrong(&format!("cannot be run: {error}")),
    }
}

#[cfg(unix)]
fn is_executable(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &std::fs::Metadata) -> bool {
    true
}

/// The path of a program; a file in this folder is meant before one that the system finds elsewhere.
fn program_path(path: &str) -> String {
    let is_bare = !path.contains(['/', '\\']);
    if is_bare && Path::new(path).is_file() { Path::new(".").join(path).display().to_string() } else { path.to_owned() }
}

/// The command line that makes physim print the hash log of the run that the arguments mean.
fn run_words(arguments: &BisectArguments, scene: &Path) -> Vec<String> {
    let mut words = vec!["run".to_owned(), scene.display().to_string(), "--hash-log=-".to_owned()];
    words.extend(arguments.options.words());
    words
}

/// What a physim program told; one whose run stops on an error tells of the steps before.
fn read_program_log(program: &str, finished: SpilledRun) -> Result<Told, String> {
    let said = complaint(&finished.stderr_tail);
    let stops = finished.status == 2 && !finished.output.is_empty();
    if finished.status == 0 || stops {
        let told = read_log(finished, LogArguments::default().for_programs())?;
        if let Some(step) = missing_step(&told.log) {
            return Err(format!("{program} tells nothing of step {step}; a physim tells of every step from 0 on"));
        }
        let remark = stops.then(|| format!("stops{said}"));
        return Ok(Told { remark: remark.or(told.remark), ..told });
    }
    let refused = NEEDED_OPTIONS
        .iter()
        .find(|option| finished.stderr_tail.contains("unexpected argument") && finished.stderr_tail.contains(**option));
    Err(match refused {
        Some(option) => {
            format!("{program} knows no `run {option}`: it is a physim too old for this; take a newer build")
        }
        None => format!("{program} run ended with exit status {}{said}", finished.status),
    })
}

/// What a physim program complains of.
fn complaint(stderr_tail: &str) -> String {
    match stderr_tail.lines().find(|line| line.starts_with("error")) {
        Some(error) => format!("; {}", printable(error)),
        None => last_words(stderr_tail),
    }
}
