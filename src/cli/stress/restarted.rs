//! The process started again: a new one goes on from a snapshot file.

use std::path::Path;
use std::time::Duration;

use crate::analysis::FirstDifference;
use crate::analysis::bisect::ask::Ask;
use crate::analysis::compare_checkpoints::compare_checkpoints;
use crate::analysis::run_source::to_diff;
use crate::analysis::stress::{Attack, AttackVerdict, DivergedRun, Finding, Target};
use crate::replay::{Checkpoint, ForeignLines, HashLogReader, InputOrigin};
use crate::scene::Scene;
use crate::session::record::{RunPlan, Unobserved};

use crate::cli::failure::Failure;
use crate::cli::output::{Destination, recording_failure};
use crate::cli::process::{Finished, Limits, ProcessFailure, can_start_programs, run_program};
use crate::cli::stress::as_argument;
use crate::cli::stress::exe::told_here;
use crate::cli::stress::processes::held_against;
use crate::cli::temporary_folder::TemporaryFolder;
use crate::report::number::counted;
use crate::report::style::printable;

/// How many bytes of trace are read at most.
const MOST_BYTES: usize = 512 << 20;
/// From about how many steps, spread over the run, all rounds together start.
const STARTS: u32 = 16;

/// Records the run with snapshots, and lets a new process go on from each of some of them to the end.
pub fn restarted(target: &Target<'_>, limit: Duration) -> Result<Finding, Failure> {
    let not_tried = |why: &str| Ok(Finding::not_tried(Attack::Restarted, target.plan.scalar, why));
    if let Err(failure) = can_start_programs() {
        return not_tried(&failure.to_string());
    }
    let last = target.baseline.last();
    if last < 2 {
        return not_tried("the run is too short to be cut in two");
    }
    let Ok(program) = std::env::current_exe() else { return not_tried("where this program lies cannot be told") };
    let every = last.div_ceil(STARTS).max(1);
    let folder = TemporaryFolder::new("stress")?;
    let replay = folder.path("run.mcap");
    record(target.plan, last, every, &replay)?;
    let limits = Limits { time: limit, output_bytes: MOST_BYTES };
    let starts = starts_until(target.round, every, last);
    let starts = counted(starts as u64, "step", "steps");
    let done = format!("from a snapshot file after {starts}, each to the end in a new process");
    let mut found = Finding { rounds: target.round + 1, ..Finding::held(Attack::Restarted, target.plan.scalar, done) };
    for keyframe in starts_of(target.round, every, last) {
        let trace = |from: u32, to: u32, more: &[&str]| -> Result<_, Failure> {
            let (steps, keyframe) = (format!("{from}..{to}"), keyframe.to_string());
            let arguments = ["trace", as_argument(&replay)?, "--steps", &steps, "--from", &keyframe, "-o", "-"];
            Ok(run_program(as_argument(&program)?, &[&arguments, more].concat(), &limits))
        };
        let label = format!("the process started again after step {keyframe}");
        let mut finished = trace(last, last, &[])?;
        if finished.as_ref().is_ok_and(|finished| finished.status == 1) {
            // It diverges before what it was to tell of: it is asked again for all of it.
            finished = trace(keyframe + 1, last, &[])?;
        }
        found.runs += 1;
        found.verdict = match finished {
            Ok(finished) => judge(target, &finished, &label, keyframe, last),
            Err(ProcessFailure::Killed { signal, stderr_tail }) => {
                let why = ProcessFailure::Killed { signal, stderr_tail }.to_string();
                refused(label, keyframe, why)
            }
            Err(failure) => return not_tried(&format!("the program started again: {failure}")),
        };
        if let AttackVerdict::Diverged(parted) = &mut found.verdict {
            let step = parted.first.step;
            let closer = trace(step, step, &["--states"])?.ok().and_then(|told| checkpoints_of(&told, |_| true).ok());
            closer.into_iter().for_each(|told| look_closer(target, &told, parted));
        }
        if found.verdict != AttackVerdict::Held {
            break;
        }
        found.steps += u64::from(last - keyframe);
    }
    Ok(found)
}

/// The steps of a round after which a new process goes on: every so manieth, so that each round goes over the whole run.
fn starts_of(round: u32, every: u32, last: u32) -> impl Iterator<Item = u32> {
    let rounds = Attack::Restarted.rounds();
    (every..last).step_by(every as usize).skip(((round + rounds / 2) % rounds) as usize).step_by(rounds as usize)
}

/// How many steps the rounds up to this one have.
fn starts_until(round: u32, every: u32, last: u32) -> usize {
    (0..=round).map(|round| starts_of(round, every, last).count()).sum()
}

/// Records the run up to its last good step, with the state after each so many steps in it.
fn record(plan: &RunPlan, last: u32, every: u32, path: &Path) -> Result<(), Failure> {
    let mut scene = Scene::clone(&plan.scene);
    scene.keyframe_every = every;
    // The replay is to hold the inputs whatever their origin is called.
    let extra_inputs = plan.extra_inputs.iter().map(|(input, _)| (input.clone(), InputOrigin::File)).collect();
    let plan = RunPlan { scene: std::sync::Arc::new(scene), steps: last, extra_inputs, ..plan.clone() };
    let recorded = Destination::File(path.to_owned()).record(&plan, &mut Unobserved, &mut |_| {});
    recorded.map(|_| ()).map_err(|error| recording_failure(&plan.scene.name, error))
}

/// What became of a process that could not go on at all: that is found, not a reason to stop.
fn refused(run: String, keyframe: u32, why: String) -> AttackVerdict {
    AttackVerdict::Refused(Box::new(DivergedRun { run, first: FirstDifference::in_step(keyframe), notes: vec![why] }))
}

/// Names what differs in the step in which the new process parts, where it tells all of that very step.
fn look_closer(target: &Target<'_>, told: &[Checkpoint], parted: &mut DivergedRun) {
    let step = parted.first.step;
    let Ok(mut here) = told_here(target.plan, Ask::Step(step)) else { return };
    here.retain(|checkpoint| checkpoint.step == step);
    let (_, is_other_here) = held_against(target.baseline, &here, "");
    let compared = to_diff(&compare_checkpoints(&here, told)).first.filter(|_| is_other_here.is_none());
    if let Some(first) = compared.filter(|first| first.step == step && first.stage.is_some()) {
        parted.first = first;
    }
}

fn judge(target: &Target<'_>, finished: &Finished, label: &str, keyframe: u32, last: u32) -> AttackVerdict {
    let said = printable(finished.stderr_tail.trim().lines().next_back().unwrap_or("nothing"));
    if finished.status > 1 {
        let status = finished.status;
        return refused(label.to_owned(), keyframe, format!("it ended with status {status} and said: {said}"));
    }
    let checkpoints = match checkpoints_of(finished, |checkpoint| checkpoint.stage.is_none()) {
        Ok(checkpoints) => checkpoints,
        Err(why) => return refused(label.to_owned(), keyframe, format!("what it tells is not a trace: {why}")),
    };
    if let (_, Some(parted)) = held_against(target.baseline, &checkpoints, label) {
        return AttackVerdict::Diverged(Box::new(parted));
    }
    let told = checkpoints.last().map_or(keyframe, |checkpoint| checkpoint.step);
    if finished.status == 0 && told == last {
        return AttackVerdict::Held;
    }
    let first = FirstDifference::in_step(told.saturating_add(1));
    AttackVerdict::Diverged(Box::new(DivergedRun { run: label.to_owned(), first, notes: vec![said] }))
}

/// The checkpoints that the new process tells of, of which some are kept.
fn checkpoints_of(finished: &Finished, keep: impl Fn(&Checkpoint) -> bool) -> Result<Vec<Checkpoint>, String> {
    let mut reader = HashLogReader::new("its trace", finished.stdout.as_slice(), ForeignLines::Refuse);
    let mut checkpoints = Vec::new();
    while let Some(checkpoint) = reader.next_checkpoint().map_err(|error| error.to_string())? {
        checkpoints.extend(Some(checkpoint).filter(&keep));
    }
    Ok(checkpoints)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::analysis::stress::baseline::baseline;
    use crate::analysis::stress::{AttackVerdict, Target};
    use crate::scene;
    use crate::session::record::RunPlan;

    use super::{judge, starts_of, starts_until};
    use crate::cli::process::Finished;

    #[test]
    fn every_start_has_its_round_and_leaves_a_step_to_take() {
        let all = |every, last| {
            let mut starts: Vec<u32> = (0..5).flat_map(|round| starts_of(round, every, last)).collect();
            starts.sort_unstable();
            starts
        };
        assert_eq!(all(38, 600), (1..=15).map(|part| 38 * part).collect::<Vec<_>>());
        assert_eq!(all(1, 2), [1]);
        assert_eq!(starts_of(0, 38, 600).collect::<Vec<_>>(), [114, 304, 494]);
        assert_eq!((starts_until(0, 38, 600), starts_until(4, 38, 600)), (3, 15));
    }

    #[test]
    fn what_the_new_process_tells_is_held_against_the_first_run() {
        let text = "(version: 1, name: \"fall\", steps: 4, bodies: [(name: \"ball\", shape: Sphere(radius: 1))])";
        let plan = RunPlan::new(Arc::new(scene::parse("test scene", text).expect("a scene")));
        let first = baseline(&plan, &mut |_| true).expect("a world");
        let target = Target { plan: &plan, baseline: &first, round: 0 };
        let log = |steps: &[usize], wrong: usize| -> String {
            let line = |step: usize| {
                let hash = first.hashes[if step == wrong { step - 1 } else { step }].hex();
                format!("{{\"step\":{step},\"hash\":\"{hash}\"}}\n")
            };
            steps.iter().map(|step| line(*step)).collect()
        };
        let judged = |status: i32, stdout: String| {
            let stderr_tail = "error: this build does not reproduce step 4".to_owned();
            judge(&target, &Finished { status, stdout: stdout.into_bytes(), stderr_tail }, "again", 1, 4)
        };
        let parts_at = |verdict| match verdict {
            AttackVerdict::Diverged(parted) => parted.first.step,
            other => panic!("{other:?}"),
        };
        assert_eq!(judged(0, log(&[3, 4], 9)), AttackVerdict::Held);
        assert_eq!(parts_at(judged(0, log(&[3, 4], 4))), 4);
        assert_eq!(parts_at(judged(1, log(&[3, 4], 3))), 3);
        assert_eq!(parts_at(judged(1, log(&[3], 9))), 4);
        assert_eq!(parts_at(judged(0, log(&[3], 9))), 4);
        let refused = |verdict, why| matches!(verdict, AttackVerdict::Refused(found) if found.notes[0].contains(why));
        assert!(refused(judged(2, String::new()), "status 2"));
        assert!(refused(judged(0, "garbage\n".to_owned()), "what it tells is not a trace"));
    }
}
