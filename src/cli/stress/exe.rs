//! Other builds of the program: the same run there, step by step.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::analysis::bisect::Bisection;
use crate::analysis::bisect::ask::{Ask, Told};
use crate::analysis::bisect::logs::{bisect_logs, missing_step};
use crate::analysis::bisect::search::Axis;
use crate::analysis::stress::{Attack, AttackVerdict, DivergedRun, Finding, Target};
use crate::analysis::trace::{TracePlan, Tracer};
use crate::replay::{Checkpoint, HashLog, LogSource, read_hash_log};
use crate::session::record::{RunPlan, record_with};

use crate::cli::failure::Failure;
use crate::cli::logged_run::{log_bytes, run_words, scene_with_inputs};
use crate::cli::process::{Finished, Limits, can_start_programs, run_program};
use crate::cli::stress::as_argument;
use crate::cli::temporary_folder::TemporaryFolder;
use crate::report::number::counted;
use crate::report::style::printable;

/// The most that a build may print of a run of which it traces a step.
const MAX_TRACE_LOG_BYTES: usize = 1 << 30;

/// Runs the scene in other builds, up to the first that diverges.
pub fn other_builds(target: &Target<'_>, paths: &[PathBuf], limit: Duration) -> Result<Finding, Failure> {
    let scalar = target.plan.scalar;
    if let Err(failure) = can_start_programs() {
        return Ok(Finding::not_tried(Attack::Exe, scalar, failure.to_string()));
    }
    if paths.is_empty() {
        let why = "no other build was given: --exe PATH, such as a debug build";
        return Ok(Finding::not_tried(Attack::Exe, scalar, why));
    }
    let folder = TemporaryFolder::new("stress")?;
    let scene = folder.write("scene.ron", &scene_with_inputs(target.plan).to_canonical_ron())?;
    let (mut steps, mut runs, mut verdict) = (0, 0, AttackVerdict::Held);
    for path in paths {
        let (compared, parted) = other_build(target, path, &scene, limit)?;
        steps += compared;
        runs += 1;
        if let Some(parted) = parted {
            verdict = AttackVerdict::Diverged(Box::new(parted));
            break;
        }
    }
    let done = format!("against {}", counted(paths.len() as u64, "other build", "other builds"));
    Ok(Finding { runs, steps, verdict, ..Finding::held(Attack::Exe, scalar, done) })
}

/// Compares the run here with that of another build, which is run once more where they diverge, to name in what.
fn other_build(
    target: &Target<'_>,
    path: &Path,
    scene: &Path,
    limit: Duration,
) -> Result<(u64, Option<DivergedRun>), Failure> {
    let name = path.display().to_string();
    let axis = Axis { name: "exe".to_owned(), values: vec!["this build".to_owned(), name.clone()] };
    let words = run_words(target.plan, as_argument(scene)?);
    let program = as_argument(path)?;
    let found = bisect_logs(&[axis], 1, &mut |choice, ask| {
        if choice.first() == Some(&0) {
            let log = LogSource::of_checkpoints("this build", told_here(target.plan, ask)?);
            return Ok(Some(Told { log, remark: None }));
        }
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        let trace = if let Ask::Step(step) = ask { format!("--trace={step}..{step}") } else { String::new() };
        if !trace.is_empty() {
            words.extend([trace.as_str(), "--states"]);
        }
        let output_bytes = if trace.is_empty() { log_bytes(target.plan.steps) } else { MAX_TRACE_LOG_BYTES };
        let finished = run_program(program, &words, &Limits { time: limit, output_bytes });
        let log = log_of(&finished.map_err(|failure| failure.to_string())?)?;
        let log = LogSource::of_checkpoints("its output", log.checkpoints);
        if let Some(step) = missing_step(&log) {
            return Err(format!("it tells nothing of step {step}; a physim tells of every step from 0 on"));
        }
        Ok(Some(Told { log, remark: None }))
    });
    let Bisection { first, notes, .. } = found.map_err(|what| Failure::Usage(format!("--exe {name}: {what}")))?;
    let steps = first.as_ref().map_or(target.baseline.last(), |first| first.step);
    Ok((u64::from(steps), first.map(|first| DivergedRun { run: name, first, notes })))
}

/// What the run tells in this process.
pub fn told_here(plan: &RunPlan, ask: Ask) -> Result<Vec<Checkpoint>, String> {
    let mut checkpoints = Vec::new();
    let trace = match ask {
        Ask::Whole => TracePlan::hashes_only(),
        Ask::Step(step) => TracePlan { steps: step..=step, states: true, every_step: true },
    };
    let mut tell = |checkpoint| checkpoints.push(checkpoint);
    let recorded =
        record_with::<Vec<u8>>(plan, &mut |_, _, _| Ok(None), &mut Tracer::new(trace, &mut tell), &mut |_| {});
    recorded.map_err(|error| error.to_string())?;
    Ok(checkpoints)
}

pub fn log_of(finished: &Finished) -> Result<HashLog, String> {
    let last_words = || {
        let words = finished.stderr_tail.trim().lines().next_back().unwrap_or("nothing");
        format!("it ended with status {} and said: {}", finished.status, printable(words))
    };
    if finished.stdout.is_empty() {
        return Err(format!("it wrote no hash log; {}; is it a physim with `run --hash-log`?", last_words()));
    }
    let log = read_hash_log("its output", finished.stdout.as_slice())
        .map_err(|error| format!("{error}; is it a physim with `run --hash-log`?"))?;
    match log.damage {
        Some(damage) => Err(format!("its hash log is cut off: {damage}; {}", last_words())),
        None => Ok(log),
    }
}
