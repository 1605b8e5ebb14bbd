//! What differs between two runs of a program that does not repeat: two further runs, each asked for all that it can tell of the step.

use crate::analysis::FirstDifference;
use crate::analysis::resimulated::place_and_values;
use crate::analysis::verify::log::{VerifiedLog, verify_log};

use crate::cli::guarded_program::PrintedRun;

/// How many pairs of runs are made at most: chance decides in which step a pair comes to differ, if it does.
const MAX_PAIRS: u32 = 4;

/// How two further runs differ that were asked for more of the step in which they do; nothing where none of a few pairs does so there.
pub fn name(step: u32, run: &mut dyn FnMut(&str, u32) -> PrintedRun) -> Option<FirstDifference> {
    let mut asked = step;
    for _ in 0..MAX_PAIRS {
        // To a program that is asked for step 0, it looks as if it were asked for none.
        if asked == 0 {
            return None;
        }
        let [one, other] = [", once more", ", and again"].map(|what| run(&format!("{what} for step {asked}"), asked));
        let VerifiedLog { found, printed, wrong, .. } = verify_log(&one.log, &other.log);
        if other.failure(&printed, wrong.as_ref()).is_some() {
            return None;
        }
        match found.first {
            Some(first) if first.step == asked => {
                return Some(first).filter(|first| first.field.is_some() || first.stage.is_some());
            }
            Some(first) => asked = first.step,
            None => {}
        }
    }
    None
}

/// The same in words.
pub fn note(first: &FirstDifference) -> String {
    format!(
        "asked for more of step {}, two further runs differ from each other in it{}",
        first.step,
        place_and_values(first, "and")
    )
}
