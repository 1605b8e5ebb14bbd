//! What is not a question for a search, in words: two runs that do not diverge, and what does not repeat.

use crate::analysis::lockstep::LockstepOutcome;
use crate::analysis::minimize::run_setup::RunSetup;
use crate::world::fault::Fault;

use crate::cli::failure::Failure;
use crate::report::number::counted;
use crate::report::run::quoted;

/// How many runs are offered where one is not enough.
pub const SUGGESTED_RUNS: u32 = 20;

/// The options of `physim run` that make a setup.
pub fn options(setup: &RunSetup) -> String {
    let threads = if setup.threads > 1 { format!(" --threads {}", setup.threads) } else { String::new() };
    let faults = setup.faults.iter().map(|fault| format!(" --fault {}", quoted(&fault.to_string())));
    threads + &faults.collect::<String>()
}

/// A setup in words.
pub fn described(setup: &RunSetup) -> String {
    let mut text = options(setup);
    if !setup.inputs.is_empty() {
        text.push_str(&format!(" with {}", counted(setup.inputs.len() as u64, "input", "inputs")));
    }
    if text.is_empty() { "as it is".to_owned() } else { text.trim_start().to_owned() }
}

/// How many steps the whole scene needs to show it, of what runs of both setups came to.
///
/// An error when none of them diverge; and when they do not all come to the same, although each candidate is to have one run.
pub fn needed_steps(outcomes: &[LockstepOutcome], runs: u32, setups: &[RunSetup; 2]) -> Result<u32, Failure> {
    let steps: Vec<u32> = outcomes.iter().filter_map(LockstepOutcome::step).collect();
    let Some(last) = steps.iter().max() else { return Err(nothing_to_minimise(outcomes, runs, setups)) };
    if runs == 1 && outcomes.windows(2).any(|pair| pair[0] != pair[1]) {
        let first = steps.iter().min().unwrap_or(last);
        let at = if first == last { format!("at step {last}") } else { format!("at steps {first} to {last}") };
        return Err(does_not_repeat(steps.len(), outcomes.len(), &format!(", {at}")));
    }
    Ok(*last)
}

/// What shows it in some runs only, and how to go on.
pub fn does_not_repeat(shown: usize, runs: usize, how: &str) -> Failure {
    Failure::Usage(format!(
        "does not repeat: shown in {shown} of {runs} runs{how}; with --repeat {SUGGESTED_RUNS} each candidate is run up to \
         {SUGGESTED_RUNS} times, and kept when at least one of these runs shows it"
    ))
}

/// Why two setups do not diverge in any run.
fn nothing_to_minimise(outcomes: &[LockstepOutcome], runs: u32, setups: &[RunSetup; 2]) -> Failure {
    let last = outcomes.iter().fold(0_u32, |last, outcome| match outcome {
        LockstepOutcome::Same { steps } | LockstepOutcome::Interrupted { step: steps } => last.max(*steps),
        LockstepOutcome::At { .. } | LockstepOutcome::Stopped { .. } => last,
    });
    let [a, b] = setups;
    let only_one = |fault: &&Fault| !a.faults.contains(fault) || !b.faults.contains(fault);
    let faults: Vec<&Fault> = a.faults.iter().chain(&b.faults).filter(only_one).collect();
    let names: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let why = if a == b && runs > 1 {
        format!(
            "a run in this process comes out the same each time; where it differs from process to process only, keep that \
             with --test 'physim bisect {{}} --axis repeat={runs}' --expect 1"
        )
    } else if a == b {
        format!(
            "both are run in the same way, so what made them diverge was another build or a race; `physim bisect` with each \
             of them says whether this build gives what was recorded, and --repeat {SUGGESTED_RUNS} tries more often \
             whether they diverge here"
        )
    } else if !faults.is_empty() && faults.iter().all(|fault| fault.step > last) {
        format!("the last step is {last}, and what is planted comes later ({}); plant it earlier", names.join("; "))
    } else if !faults.is_empty() {
        format!("what is planted changes nothing ({}); plant something else", names.join("; "))
    } else {
        let known = format!("what they are run with ({} and {}) makes no difference", described(a), described(b));
        let by_chance = a.threads.max(b.threads) > 1 && runs == 1;
        let try_more = format!("; a race may show in some runs only: --repeat {SUGGESTED_RUNS} tries more often");
        format!("{known} in this build{}", if by_chance { &try_more } else { "" })
    };
    let (steps, tries) = (counted(u64::from(last), "step", "steps"), outcomes.len());
    let tries = if runs > 1 { format!(", in each of {tries} tries") } else { String::new() };
    Failure::Usage(format!("nothing to minimise: the two runs are the same in {steps}{tries}: {why}"))
}

#[cfg(test)]
mod tests {
    use crate::analysis::lockstep::LockstepOutcome;
    use crate::analysis::minimize::run_setup::RunSetup;

    use super::needed_steps;

    /// What becomes of outcomes at these steps; 0 stands for runs that agree.
    fn needed(steps: &[u32], runs: u32) -> Result<u32, String> {
        let outcome = |step: &u32| {
            if *step == 0 { LockstepOutcome::Same { steps: 40 } } else { LockstepOutcome::At { step: *step } }
        };
        let outcomes: Vec<LockstepOutcome> = steps.iter().map(outcome).collect();
        let setups = [RunSetup::default(), RunSetup::default()];
        needed_steps(&outcomes, runs, &setups).map_err(|failure| failure.to_string())
    }

    #[test]
    fn what_is_not_the_same_in_all_runs_needs_several_for_each_candidate() {
        assert_eq!(needed(&[7, 7, 7, 7, 7], 1), Ok(7));
        let refused = needed(&[0, 7, 0, 0, 9], 1).expect_err("it does not repeat");
        assert!(
            refused.starts_with("does not repeat: shown in 2 of 5 runs, at steps 7 to 9; with --repeat 20 "),
            "{refused}"
        );
        let refused = needed(&[7, 7, 7, 9, 7], 1).expect_err("it does not repeat");
        assert!(refused.starts_with("does not repeat: shown in 5 of 5 runs, at steps 7 to 9;"), "{refused}");
        let refused = needed(&[7, 7, 0, 7, 7], 1).expect_err("it does not repeat");
        assert!(refused.starts_with("does not repeat: shown in 4 of 5 runs, at step 7;"), "{refused}");
        assert_eq!(needed(&[0, 7, 0, 0, 9], 5), Ok(9), "the latest of them needs so many steps");
    }

    #[test]
    fn runs_that_agree_each_time_are_told_how_to_go_on() {
        let refused = needed(&[0; 5], 1).expect_err("they agree");
        assert!(refused.contains("are the same in 40 steps: both are run in the same way"), "{refused}");
        assert!(refused.contains("--repeat 20 tries more often"), "{refused}");
        let refused = needed(&[0; 9], 9).expect_err("they agree");
        assert!(refused.contains("the same in 40 steps, in each of 9 tries: "), "{refused}");
        assert!(refused.ends_with("--test 'physim bisect {} --axis repeat=9' --expect 1"), "{refused}");
    }
}
