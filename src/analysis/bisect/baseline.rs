//! Does the baseline repeat? Asked before any axis is blamed: what differs from itself differs from everything.

use crate::analysis::bisect::Host;
use crate::analysis::bisect::condition::{Condition, Recording, compare};
use crate::analysis::bisect::repetition::{How, Repetition};
use crate::math::Scalar;
use crate::world::error::BuildError;

/// Fresh processes that are run in any case, as far as there are any: what shows beyond them shows after many restarts.
const FEW_PROCESSES: u32 = 2;

/// The baseline, run again.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// How often it came out the same, told of where it first did not.
    pub repetition: Repetition,
    /// How many of the runs were made in processes of their own.
    pub processes: u32,
    /// What the differences, or their absence elsewhere, tell of the cause.
    pub note: Option<&'static str>,
}

const KEPT_IN_PROCESS: &str = "fresh processes agree with each other: something that a process keeps from run to run, such as a counter or a \
                               cache, or an address, which fresh processes often share";
/// What is said of a difference that shows within a process and between processes.
pub const DIFFERS_EVERYWHERE: &str = "runs differ within a process and between processes: a race, an address, the order of a hash map, or the \
                                  clock";
const DIFFERS_WITHIN: &str = "runs within one process differ: a race, an address, the order of a hash map, the clock, or something that a \
                              process keeps from run to run";
const DIFFERS_BETWEEN: &str = "runs within one process agree, fresh processes do not: something that differs from process to process, such \
                               as an address, a random seed, the environment or the clock";

/// Runs the baseline again: in this process as often as asked, and in fresh processes as the host has them.
///
/// # Errors
/// When the scene makes no world.
pub fn repeat<S: Scalar>(
    baseline: &Condition,
    name: &str,
    recording: &Recording,
    times: u32,
    host: &mut dyn Host,
) -> Result<Repeated, BuildError> {
    let mut within = Repetition::of(name, How::InProcess);
    for _ in 0..times {
        let divergence = compare::<S>(recording, baseline, &mut |step| host.reached(name, step))?;
        within.count(divergence.map(|divergence| divergence.step));
    }
    let mut between = Repetition::of(name, How::AcrossProcesses);
    let mut fresh: Vec<Vec<String>> = Vec::new();
    while let Some(roots) = host.fresh_run() {
        between.count(first_other(recording, &roots));
        fresh.push(roots);
    }
    let processes = u32::try_from(fresh.len()).unwrap_or(u32::MAX);
    let fresh_agree = fresh.iter().all(|roots| Some(roots) == fresh.first());
    let note = match (within.holds(), between.holds() && fresh_agree) {
        (true, true) => None,
        (true, false) => Some(DIFFERS_BETWEEN),
        (false, _) if fresh.is_empty() => Some(DIFFERS_WITHIN),
        (false, _) if fresh_agree => Some(KEPT_IN_PROCESS),
        (false, _) => Some(DIFFERS_EVERYWHERE),
    };
    let mut repetition = if within.holds() && !between.holds() { between } else { within };
    if repetition.how == How::AcrossProcesses
        && repetition.differing.iter().all(|differing| differing.run > 1 + FEW_PROCESSES)
    {
        repetition.how = How::AfterManyRestarts;
    }
    if repetition.holds() {
        repetition.runs += processes;
    }
    Ok(Repeated { repetition, processes, note })
}

/// The first step after which a fresh process has another state than the recording, or has none where the other has one.
fn first_other(recording: &Recording, roots: &[String]) -> Option<u32> {
    let hashes = &recording.hashes;
    let differs = hashes.iter().zip(roots).position(|(hash, root)| hash.hex() != *root);
    let shorter = hashes.len().min(roots.len());
    let step = differs.or((hashes.len() != roots.len()).then_some(shorter))?;
    u32::try_from(step).ok()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::repeat;
    use crate::analysis::bisect::Host;
    use crate::analysis::bisect::condition::{Condition, Recording, record};
    use crate::analysis::bisect::repetition::How;
    use crate::scene;
    use crate::session::record::RunPlan;

    /// Processes whose logs are made up.
    struct Processes(Vec<Vec<String>>);

    impl Host for Processes {
        fn reached(&mut self, _: &str, _: u32) {}

        fn fresh_run(&mut self) -> Option<Vec<String>> {
            if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
        }
    }

    fn fall() -> (Condition, Recording, Vec<String>) {
        let text = "(version: 1, name: \"fall\", steps: 4, bodies: [(name: \"ball\", shape: Sphere(radius: 1))])";
        let plan = RunPlan::new(Arc::new(scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"))));
        let condition = Condition { plan, restore: None };
        let recording = record::<f64>(&condition, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        let roots = recording.hashes.iter().map(|hash| hash.hex()).collect();
        (condition, recording, roots)
    }

    /// How it does not repeat, in which runs and steps, and the beginning of the note.
    fn told(recording: &Recording, processes: Vec<Vec<String>>) -> (Option<How>, Vec<(u32, u32)>, String) {
        let (condition, ..) = fall();
        let found = repeat::<f64>(&condition, "as it is", recording, 2, &mut Processes(processes))
            .unwrap_or_else(|error| panic!("{error}"));
        let differing = found.repetition.differing.iter().map(|run| (run.run, run.step)).collect();
        let note: String = found.note.unwrap_or_default().split([':', ',']).next().unwrap_or_default().to_owned();
        ((!found.repetition.holds()).then_some(found.repetition.how), differing, note)
    }

    #[test]
    fn what_differs_within_a_process_and_between_processes_is_told_apart() {
        let (_, recording, roots) = fall();
        let mut other = roots.clone();
        other[3] = "0".repeat(64);
        assert_eq!(told(&recording, vec![]), (None, vec![], String::new()));
        assert_eq!(told(&recording, vec![roots.clone(); 3]), (None, vec![], String::new()));
        let between = "runs within one process agree".to_owned();
        let processes = vec![roots.clone(), other.clone()];
        assert_eq!(told(&recording, processes), (Some(How::AcrossProcesses), vec![(3, 3)], between.clone()));
        let processes = vec![roots.clone(), roots.clone(), other];
        assert_eq!(told(&recording, processes), (Some(How::AfterManyRestarts), vec![(4, 3)], between.clone()));
        let shorter = vec![roots[..2].to_vec()];
        assert_eq!(told(&recording, shorter), (Some(How::AcrossProcesses), vec![(2, 2)], between));
        // As if the first run had been another than all after it.
        let mut first = recording;
        first.hashes[2].root = [7; 32];
        let kept = "fresh processes agree with each other".to_owned();
        assert_eq!(told(&first, vec![roots.clone(); 2]), (Some(How::InProcess), vec![(2, 2), (3, 2)], kept));
        let everywhere = "runs differ within a process and between processes".to_owned();
        let processes = vec![roots.clone(), roots[..3].to_vec()];
        assert_eq!(told(&first, processes), (Some(How::InProcess), vec![(2, 2), (3, 2)], everywhere));
        assert_eq!(told(&first, vec![]).2, "runs within one process differ");
    }
}
