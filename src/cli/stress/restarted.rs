//! The process started again: a new one goes on from a snapshot file.

use std::path::Path;
use std::time::Duration;

use physim::analysis::FirstDifference;
use physim::analysis::stress::{Attack, Finding, Parted, Target, Verdict};
use physim::replay::{ForeignLines, HashLogReader, InputOrigin, Moment};
use physim::scene::Scene;
use physim::session::record::{Plainly, RunPlan};

use crate::cli::failure::Failure;
use crate::cli::output::{Destination, recording_failure};
use crate::cli::process::{Finished, Limits, can_start_programs, run_program};
use crate::cli::stress::as_argument;
use crate::cli::stress::processes::held_against;
use crate::cli::temporary_folder::TemporaryFolder;
use crate::report::style::printable;

/// About how many bytes a traced step takes for each object.
const BYTES_PER_OBJECT: usize = 6000;
/// About how many bytes of trace are asked for.
const TRACE_BYTES: usize = 16 << 20;
/// How many bytes of trace are read at most.
const MOST_BYTES: usize = 512 << 20;

/// Records the run with a snapshot where most bodies touch in its third quarter, and lets a new process go on from there.
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
    let keyframe = busiest_late_step(&target.baseline.contacts, last);
    let folder = TemporaryFolder::new("stress")?;
    let replay = folder.path("run.mcap");
    record(target.plan, last, keyframe, &replay)?;
    let limits = Limits { time: limit, output_bytes: MOST_BYTES };
    let from = first_told(target, keyframe, last);
    let trace = |from: u32| {
        let steps = format!("{from}..{last}");
        let arguments = ["trace", as_argument(&replay)?, "--steps", &steps, "-o", "-"];
        run_program(as_argument(&program)?, &arguments, &limits)
            .map_err(|failure| Failure::Usage(format!("the program started again: {failure}")))
    };
    let label = format!("the process started again after step {keyframe}");
    let mut finished = trace(from)?;
    if finished.status == 1 && from > keyframe + 1 {
        // It parts before what it was to tell of: it is asked again for all of it.
        finished = trace(keyframe + 1)?;
    }
    let verdict = judge(target, &finished, &label, last)?;
    let done = format!("from a snapshot file after step {keyframe} to the end");
    let steps = u64::from(last - keyframe);
    Ok(Finding { attack: Attack::Restarted, done, runs: 1, steps, verdict, promised: true })
}

/// The step of the third quarter after which there are most contacts.
fn busiest_late_step(contacts: &[usize], last: u32) -> u32 {
    let half = last.div_ceil(2);
    let late = half..(last - last / 4).max(half + 1);
    late.max_by_key(|step| (contacts.get(*step as usize).copied(), u32::MAX - step)).unwrap_or(1)
}

/// The first step of which the new process is to tell every moment: it proves those before by itself.
fn first_told(target: &Target<'_>, keyframe: u32, last: u32) -> u32 {
    let contacts = target.baseline.contacts.iter().max().copied().unwrap_or(0);
    let bodies = physim::scene::generate::body_count(&target.plan.scene).unwrap_or(usize::MAX);
    let objects = contacts.saturating_add(bodies.saturating_mul(2)).max(1);
    let steps = TRACE_BYTES / BYTES_PER_OBJECT.saturating_mul(objects).max(1);
    let told = u32::try_from(steps).unwrap_or(u32::MAX).clamp(1, last - keyframe);
    last + 1 - told
}

/// Records the run up to its last good step, with the state after one step in it.
fn record(plan: &RunPlan, last: u32, keyframe: u32, path: &Path) -> Result<(), Failure> {
    let mut scene = Scene::clone(&plan.scene);
    scene.keyframe_every = keyframe;
    // The replay is to hold the inputs whatever their origin is called.
    let extra_inputs = plan.extra_inputs.iter().map(|(input, _)| (input.clone(), InputOrigin::File)).collect();
    let plan = RunPlan { scene: std::sync::Arc::new(scene), steps: last, extra_inputs, ..plan.clone() };
    let recorded = Destination::File(path.to_owned()).record(&plan, &mut Plainly, &mut |_| {});
    recorded.map(|_| ()).map_err(|error| recording_failure(&plan.scene.name, error))
}

fn judge(target: &Target<'_>, finished: &Finished, label: &str, last: u32) -> Result<Verdict, Failure> {
    let said = printable(finished.stderr_tail.trim().lines().next_back().unwrap_or("nothing"));
    if finished.status > 1 {
        let status = finished.status;
        return Err(Failure::Usage(format!("the program started again ended with status {status} and said: {said}")));
    }
    let moments = moments_of(finished)?;
    if let (_, Some(mut parted)) = held_against(target.baseline, &moments, label) {
        parted.notes.push(said);
        return Ok(Verdict::Parted(Box::new(parted)));
    }
    let told = moments.last().map_or(0, |moment| moment.step);
    if finished.status == 0 && told == last {
        return Ok(Verdict::Held);
    }
    let first = FirstDifference::in_step(told.saturating_add(1));
    Ok(Verdict::Parted(Box::new(Parted { run: label.to_owned(), first, notes: vec![said] })))
}

/// The ends of the steps that the new process tells of.
fn moments_of(finished: &Finished) -> Result<Vec<Moment>, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::Usage(format!("the program started again: {error}"));
    let mut reader = HashLogReader::new("its trace", finished.stdout.as_slice(), ForeignLines::Refuse);
    let mut moments = Vec::new();
    while let Some(moment) = reader.next_moment().map_err(|error| wrong(&error))? {
        if moment.stage.is_none() {
            moments.push(moment);
        }
    }
    Ok(moments)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use physim::analysis::stress::baseline::baseline;
    use physim::analysis::stress::{Effort, Target, Verdict};
    use physim::scene;
    use physim::session::record::RunPlan;

    use super::{busiest_late_step, judge};
    use crate::cli::process::Finished;

    #[test]
    fn the_cut_lies_in_the_third_quarter_and_before_the_last_step() {
        assert_eq!(busiest_late_step(&[9, 0, 0, 4, 4, 9], 5), 3);
        assert_eq!(busiest_late_step(&[0; 3], 2), 1);
        assert_eq!(busiest_late_step(&[0, 1, 2, 3, 4, 5, 6, 7, 8], 8), 5);
        assert_eq!(busiest_late_step(&[0, 0, 1, 3, 2, 0, 0], 6), 3);
    }

    #[test]
    fn what_the_new_process_tells_is_held_against_the_first_run() {
        let text = "(version: 1, name: \"fall\", steps: 4, bodies: [(name: \"ball\", shape: Sphere(radius: 1))])";
        let plan = RunPlan::new(Arc::new(scene::parse("test scene", text).expect("a scene")));
        let first = baseline(&plan, &mut |_| true).expect("a world");
        let target = Target { plan: &plan, baseline: &first, effort: Effort::FULL };
        let log = |steps: &[usize], wrong: usize| -> String {
            let line = |step: usize| {
                let hash = first.hashes[if step == wrong { step - 1 } else { step }].hex();
                format!("{{\"step\":{step},\"hash\":\"{hash}\"}}\n")
            };
            steps.iter().map(|step| line(*step)).collect()
        };
        let judged = |status: i32, stdout: String| {
            let stderr_tail = "error: this build does not reproduce step 4".to_owned();
            judge(&target, &Finished { status, stdout: stdout.into_bytes(), stderr_tail }, "again", 4)
        };
        let parts_at = |verdict| match verdict {
            Ok(Verdict::Parted(parted)) => parted.first.step,
            other => panic!("{other:?}"),
        };
        assert!(matches!(judged(0, log(&[3, 4], 9)), Ok(Verdict::Held)));
        assert_eq!(parts_at(judged(0, log(&[3, 4], 4))), 4);
        assert_eq!(parts_at(judged(1, log(&[3, 4], 3))), 3);
        assert_eq!(parts_at(judged(1, log(&[3], 9))), 4);
        assert_eq!(parts_at(judged(0, log(&[3], 9))), 4);
        assert!(judged(2, String::new()).is_err());
        assert!(judged(0, "garbage\n".to_owned()).is_err());
    }
}
