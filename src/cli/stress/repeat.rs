//! The same run again in fresh processes: what a process keeps for itself, or draws anew, must not reach a result.

use std::time::Duration;

use crate::analysis::FirstDifference;
use crate::analysis::stress::{Attack, AttackVerdict, DivergedRun, Finding, Target};

use crate::cli::failure::Failure;
use crate::cli::logged_run::{log_bytes, run_words, scene_with_inputs};
use crate::cli::process::{Limits, ProcessFailure, can_start_programs, run_program};
use crate::cli::stress::as_argument;
use crate::cli::stress::exe::log_of;
use crate::cli::stress::processes::held_against;
use crate::cli::temporary_folder::TemporaryFolder;

/// Fresh processes in the first round.
const FIRST: u32 = 2;
/// Fresh processes in each round after it.
const MORE: u32 = 3;

/// How many fresh processes there have been when a round is done.
const fn processes(round: u32) -> u32 {
    FIRST + MORE * round
}

/// Adds the runs in fresh processes to a round of runs in this one, unless that found something already.
pub fn with_fresh_processes(found: Finding, target: &Target<'_>, limit: Duration) -> Result<Finding, Failure> {
    if found.verdict != AttackVerdict::Held {
        return Ok(found);
    }
    let here = found.done.clone();
    Ok(match in_fresh_processes(target, limit)? {
        None => Finding { done: format!("{here}; no other process can be started"), ..found },
        Some(fresh) => {
            let done = format!("{here}, {}", fresh.done);
            Finding { done, ..found.and(fresh) }
        }
    })
}

/// Runs the scene in fresh processes; `None` where none can be started.
fn in_fresh_processes(target: &Target<'_>, limit: Duration) -> Result<Option<Finding>, Failure> {
    let Some(program) = std::env::current_exe().ok().filter(|_| can_start_programs().is_ok()) else {
        return Ok(None);
    };
    let folder = TemporaryFolder::new("stress")?;
    let scene = folder.write("scene.ron", &scene_with_inputs(target.plan).to_canonical_ron())?;
    let words = run_words(target.plan, as_argument(&scene)?);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let limits = Limits { time: limit, output_bytes: log_bytes(target.plan.steps) };
    let all = processes(target.round);
    let tried = target.round.checked_sub(1).map_or(0, processes);
    let done = format!("{all} in fresh processes");
    let mut found = Finding { rounds: target.round + 1, ..Finding::held(Attack::Repeat, target.plan.scalar, done) };
    for number in tried + 1..=all {
        let finished = run_program(as_argument(&program)?, &words, &limits);
        let log = match &finished {
            Ok(finished) => log_of(finished),
            Err(crash @ ProcessFailure::Killed { .. }) => Err(crash.to_string()),
            Err(failure) => {
                let agreed = number - 1;
                let done = format!("{agreed} in fresh processes, of which the next could not be used: {failure}");
                return Ok(Some(Finding { done, ..found }));
            }
        };
        let label = format!("fresh process {number}");
        let (steps, parted) = match log {
            Err(why) => (0, Some(DivergedRun { run: label, first: FirstDifference::in_step(0), notes: vec![why] })),
            Ok(log) => {
                let last = log.checkpoints.iter().map(|checkpoint| checkpoint.step).max();
                let (steps, parted) = held_against(target.baseline, &log.checkpoints, &label);
                let is_shorter = last.is_none_or(|last| last < target.baseline.last());
                let first = FirstDifference::in_step(last.map_or(0, |last| last + 1));
                let notes = vec!["it ends before that step".to_owned()];
                (steps, parted.or_else(|| is_shorter.then_some(DivergedRun { run: label, first, notes })))
            }
        };
        found.runs += 1;
        found.steps += steps.saturating_sub(1);
        if let Some(mut parted) = parted {
            let agreed = number - 1;
            parted.notes.push(match agreed {
                0 => "it does not repeat across processes".to_owned(),
                1 => "it does not repeat across processes: 1 fresh process before agreed".to_owned(),
                _ => format!("it does not repeat across processes: {agreed} fresh processes before agreed"),
            });
            found.verdict = AttackVerdict::Diverged(Box::new(parted));
            break;
        }
    }
    Ok(Some(found))
}

#[cfg(test)]
mod tests {
    use super::processes;

    #[test]
    fn each_round_starts_more_processes() {
        assert_eq!((processes(0), processes(1), processes(4)), (2, 5, 14));
    }
}
