//! What is to be known of a program that does not repeat: how a few more runs of it come out, and what differs between two that are asked
//! for all that they can tell of the step.

use crate::analysis::FirstDifference;
use crate::analysis::resimulated::place_and_values;
use crate::analysis::verify::log::{VerifiedLog, compare_runs};
use crate::analysis::verify::runs::Runs;

use crate::cli::guarded_program::PrintedRun;

/// How many pairs of runs are made at most: chance decides in which step a pair comes to differ, if it does.
const MAX_PAIRS: u32 = 4;

/// How many more runs are made of a program of which two differ, to see which of them is like others.
const FURTHER_RUNS: u32 = 3;

/// A run that failed.
pub struct FailedRun {
    pub number: u32,
    pub run: PrintedRun,
    pub failure: String,
}

/// Makes a few more runs, from this number on; gives back the one that failed, after which there are no more.
pub fn run_further(runs: &mut Runs<'_>, from: u32, run: &mut dyn FnMut(u32) -> PrintedRun) -> Option<FailedRun> {
    for number in from..from + FURTHER_RUNS {
        let run = run(number);
        match run.failure_by_itself() {
            Some(failure) => {
                runs.fails(number);
                return Some(FailedRun { number, run, failure });
            }
            None => runs.add(number, &run.log),
        }
    }
    None
}

/// What two further runs show that are asked for more of the step in which runs differ.
pub enum Named {
    /// How they differ in it.
    Difference(Box<FirstDifference>),
    /// That none of a few pairs differs in it, or tells more of it.
    Nothing,
    /// That a run fails that is asked for more, and how.
    Failed(String),
}

/// Looks for a pair of runs that differ in the step of which they are asked for more.
pub fn name(step: u32, run: &mut dyn FnMut(&str, u32) -> PrintedRun) -> Named {
    let mut asked = step;
    for _ in 0..MAX_PAIRS {
        // To a program that is asked for step 0, it looks as if it were asked for none.
        if asked == 0 {
            return Named::Nothing;
        }
        let [one, other] = [", once more", ", and again"].map(|what| run(&format!("{what} for step {asked}"), asked));
        let VerifiedLog { found, printed, wrong, .. } = compare_runs(&one.log, &other.log);
        let of_first = one.failure_by_itself();
        if let Some(failure) = of_first.or_else(|| other.failure(&printed, wrong.as_ref())) {
            return Named::Failed(format!("asked for more of step {asked}, it fails: {failure}"));
        }
        match found.first {
            Some(first) if first.step == asked => {
                let is_named = first.field.is_some() || first.stage.is_some() || first.order.is_some();
                return if is_named { Named::Difference(Box::new(first)) } else { Named::Nothing };
            }
            Some(first) => asked = first.step,
            None => {}
        }
    }
    Named::Nothing
}

/// The difference in words.
pub fn note(first: &FirstDifference) -> String {
    format!(
        "asked for more of step {}, two further runs differ from each other in it{}",
        first.step,
        place_and_values(first, "and")
    )
}
