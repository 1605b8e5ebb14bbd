//! Other builds of the program: the same run there, step by step.

use std::path::{Path, PathBuf};
use std::time::Duration;

use physim::analysis::FirstDifference;
use physim::analysis::stress::{Attack, Finding, Parted, Target, Verdict};
use physim::replay::{HashLog, read_hash_log};
use physim::scene::Scene;

use crate::cli::failure::Failure;
use crate::cli::process::{Finished, Limits, ProcessFailure, run_program};
use crate::cli::stress::as_argument;
use crate::cli::stress::processes::{Folder, held_against};
use crate::report::number::counted;

/// Bytes that a step may take in the log of another program.
const BYTES_PER_STEP: usize = 1024;
/// Bytes that the log of another program may take beside its steps.
const BYTES_BESIDE: usize = 1 << 16;

/// Runs the scene in other builds, up to the first that parts.
pub fn other_builds(target: &Target<'_>, paths: &[PathBuf], limit: Duration) -> Result<Finding, Failure> {
    let scalar = target.plan.scalar;
    if cfg!(target_family = "wasm") {
        return Ok(Finding::not_tried(Attack::Exe, scalar, ProcessFailure::Unsupported.to_string()));
    }
    if paths.is_empty() {
        let why = "no other build was given: --exe PATH, such as a debug build";
        return Ok(Finding::not_tried(Attack::Exe, scalar, why));
    }
    let folder = Folder::new()?;
    let scene = folder.write("scene.ron", &scene_with_inputs(target).to_canonical_ron())?;
    let (mut steps, mut runs, mut verdict) = (0, 0, Verdict::Held);
    for path in paths {
        let (compared, parted) = other_build(target, path, &scene, limit)?;
        steps += compared;
        runs += 1;
        if let Some(parted) = parted {
            verdict = Verdict::Parted(Box::new(parted));
            break;
        }
    }
    let done = format!("against {}", counted(paths.len() as u64, "other build", "other builds"));
    Ok(Finding { attack: Attack::Exe, done, runs, steps, verdict, promised: true })
}

/// The scene with all inputs of the run in it.
fn scene_with_inputs(target: &Target<'_>) -> Scene {
    let mut scene = Scene::clone(&target.plan.scene);
    scene.inputs.extend(target.plan.extra_inputs.iter().map(|(input, _)| input.clone()));
    scene
}

fn other_build(
    target: &Target<'_>,
    path: &Path,
    scene: &Path,
    limit: Duration,
) -> Result<(u64, Option<Parted>), Failure> {
    let name = path.display().to_string();
    let wrong = |what: String| Failure::Usage(format!("--exe {name}: {what}"));
    let steps = target.plan.steps.to_string();
    let faults: Vec<String> = target.plan.faults.iter().map(|fault| format!("--fault={fault}")).collect();
    let mut arguments =
        vec!["run", as_argument(scene)?, "--scalar", target.plan.scalar.name(), "--steps", &steps, "--hash-log", "-"];
    arguments.extend(faults.iter().map(String::as_str));
    let output_bytes = BYTES_BESIDE + BYTES_PER_STEP * (target.plan.steps as usize + 1);
    let limits = Limits { time: limit, output_bytes };
    let finished =
        run_program(as_argument(path)?, &arguments, &limits).map_err(|failure| wrong(failure.to_string()))?;
    let log = log_of(&finished).map_err(wrong)?;
    let (compared, parted) = held_against(target.baseline, &log.moments, &name);
    Ok((compared.saturating_sub(1), parted.or_else(|| length_difference(target, &log, &name))))
}

fn log_of(finished: &Finished) -> Result<HashLog, String> {
    let last_words = || {
        let words = finished.stderr_tail.trim().lines().next_back().unwrap_or("nothing");
        format!("it ended with status {} and said: {}", finished.status, words.escape_debug())
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

/// The step that only one of the two runs could take.
fn length_difference(target: &Target<'_>, log: &HashLog, name: &str) -> Option<Parted> {
    let last = log.moments.last().map_or(0, |moment| moment.step);
    let expected = target.baseline.last();
    let notes = match last.cmp(&expected) {
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Less => vec![format!("{name} stops after step {last}, and this build goes on")],
        std::cmp::Ordering::Greater => vec![format!("this build stops after step {expected}, and {name} goes on")],
    };
    let first = FirstDifference::in_step(last.min(expected).saturating_add(1));
    Some(Parted { run: name.to_owned(), first, notes })
}
