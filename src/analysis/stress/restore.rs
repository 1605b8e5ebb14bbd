//! Restored: the state is read from its bytes into a world full of nonsense, and the future is the same.

use crate::analysis::bisect::condition::{Condition, Runner};
use crate::analysis::outcome::{FirstDifference, steps_text};
use crate::analysis::read_back::{NotReadBack, read_back};
use crate::analysis::stress::comparison::{Compared, Tally, compare};
use crate::analysis::stress::trial::Trial;
use crate::analysis::stress::{Attack, DivergedRun, Finding, Target, Tell};
use crate::math::Scalar;
use crate::session::Session;
use crate::world::error::BuildError;

/// How many rounds there are: each goes on to the end from other steps.
pub const ROUNDS: u32 = 4;
/// From how many steps, spread over the run, all rounds together go on to the end.
const FUTURES: usize = 16;
/// From how many steps with most contacts they do.
const CONTACT_FUTURES: usize = 8;

/// Restores at every step and takes the next, in the first round; then from some steps, spread over the run, to the end.
///
/// # Errors
/// When the scene makes no world.
pub fn everywhere<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let last = target.baseline.last();
    let mut tally = Tally::new();
    if target.round == 0 {
        one_step_each::<S>(target, &mut tally, tell)?;
    }
    let all = spread(last, FUTURES);
    if !tally.is_decided() {
        futures::<S>(target, &of_round(&all, target.round), &mut tally, tell)?;
    }
    let futures = until_round(&all, target.round);
    let done = format!("after each of {}, from {futures} of them to the end", steps_text(u64::from(last)));
    Ok(tally.finding::<S>(Attack::Restore, done))
}

/// Restores where most bodies touch, and runs to the end.
///
/// # Errors
/// When the scene makes no world.
pub fn mid_contact<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let all = target.baseline.busiest(CONTACT_FUTURES);
    if all.is_empty() {
        return Ok(Finding::not_tried(Attack::MidContact, S::KIND, "nothing touches anything before the last step"));
    }
    let contacts = all.iter().filter_map(|step| target.baseline.contacts.get(*step as usize));
    let most = contacts.max().copied().unwrap_or(0);
    let mut tally = Tally::new();
    futures::<S>(target, &of_round(&all, target.round), &mut tally, tell)?;
    let futures = until_round(&all, target.round);
    let done = format!("after {futures} of the steps with most contacts (up to {most}), to the end");
    Ok(tally.finding::<S>(Attack::MidContact, done))
}

/// So many steps before the last, evenly spread, from state 0 on.
fn spread(last: u32, number: usize) -> Vec<u32> {
    let number = u32::try_from(number).unwrap_or(u32::MAX).min(last).max(1);
    (0..number).map(|part| (u64::from(last) * u64::from(part) / u64::from(number)) as u32).collect()
}

/// The steps of a round: every so manieth, so that each round goes over the whole run.
fn of_round(steps: &[u32], round: u32) -> Vec<u32> {
    steps.iter().skip(round as usize).step_by(ROUNDS as usize).copied().collect()
}

/// How many steps the rounds up to this one have.
fn until_round(steps: &[u32], round: u32) -> usize {
    (0..=round).map(|round| of_round(steps, round).len()).sum()
}

/// The run restored after a step.
fn restored_after(target: &Target<'_>, step: u32) -> Trial {
    let trial = Trial::plain(format!("the run restored after step {step}"), target.plan.clone());
    Trial { condition: Condition { restore: Some(step), ..trial.condition }, ..trial }
}

fn one_step_each<S: Scalar>(target: &Target<'_>, tally: &mut Tally, tell: Tell<'_>) -> Result<(), BuildError> {
    let mut running: Session<S> = target.plan.session()?;
    let mut scrambled: Session<S> = target.plan.session()?;
    scrambled.count_as_restored();
    for step in 0..target.baseline.last() {
        let bytes = &running.encoded().to_bytes();
        if let Err(error) = read_back(bytes, running.world()) {
            not_read_back(tally, step, &error);
            return Ok(());
        }
        scrambled.scramble(u64::from(step));
        let divergence = divergence_after_one_step(target, &mut scrambled, bytes, step);
        tally.runs += 1;
        tally.steps += 1;
        tell();
        if divergence.is_some() {
            let compared = Compared { steps: 0, divergence, stop: None };
            tally.add::<S>(target, &restored_after(target, step), compared);
            return Ok(());
        }
        if running.advance(&mut ()).is_err() {
            return Ok(());
        }
        tell();
    }
    Ok(())
}

/// The step in which a run restored from these bytes parts, if it is this one or the next.
fn divergence_after_one_step<S: Scalar>(
    target: &Target<'_>,
    scrambled: &mut Session<S>,
    bytes: &[u8],
    step: u32,
) -> Option<u32> {
    let hash_at = |step: u32| target.baseline.hashes.get(step as usize);
    if scrambled.restore(bytes).is_err() || hash_at(step) != Some(scrambled.hash()) {
        return Some(step);
    }
    let taken = scrambled.advance(&mut ()).is_ok();
    (!taken || hash_at(step + 1) != Some(scrambled.hash())).then_some(step + 1)
}

/// A state that cannot be put back as it was: no run from it is compared.
fn not_read_back(tally: &mut Tally, step: u32, error: &NotReadBack) {
    tally.runs += 1;
    let run = format!("the state after step {step}, read back");
    let first = FirstDifference { section: error.section().map(str::to_owned), ..FirstDifference::in_step(step) };
    let parted = Some(DivergedRun { run, first, notes: vec![error.to_string()] });
    match error {
        NotReadBack::Refused(_) => tally.refused = parted,
        NotReadBack::OtherBytes { .. } | NotReadBack::Lost { .. } => tally.parted = parted,
    }
}

/// Runs on from the states of some steps, which rise, to the end.
fn futures<S: Scalar>(target: &Target<'_>, steps: &[u32], tally: &mut Tally, tell: Tell<'_>) -> Result<(), BuildError> {
    let mut running: Session<S> = target.plan.session()?;
    for &step in steps {
        while running.step_number() < step {
            if running.advance(&mut ()).is_err() {
                return Ok(());
            }
            tell();
        }
        let bytes = running.encoded().to_bytes();
        if let Err(error) = read_back(&bytes, running.world()) {
            not_read_back(tally, step, &error);
            return Ok(());
        }
        let trial = restored_after(target, step);
        let mut runner = Runner::restored(&trial.condition, step, &bytes)?;
        let compared = compare::<S>(target.baseline, &trial, &mut runner, tell);
        tally.add::<S>(target, &trial, compared);
        if tally.is_decided() {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{FUTURES, ROUNDS, of_round, spread, until_round};

    #[test]
    fn steps_are_spread_from_the_start_and_leave_a_future() {
        assert_eq!(spread(600, 4), [0, 150, 300, 450]);
        assert_eq!(spread(3, 16), [0, 1, 2]);
        assert_eq!(spread(0, 16), [0]);
    }

    #[test]
    fn every_step_has_its_round_and_each_round_goes_over_the_whole_run() {
        let all = spread(600, FUTURES);
        assert_eq!(of_round(&all, 0), [0, 150, 300, 450]);
        assert_eq!(of_round(&all, 3), [112, 262, 412, 562]);
        let mut steps: Vec<u32> = (0..ROUNDS).flat_map(|round| of_round(&all, round)).collect();
        steps.sort_unstable();
        assert_eq!(steps, all);
        assert_eq!((until_round(&all, 0), until_round(&all, ROUNDS - 1)), (4, FUTURES));
        assert_eq!((until_round(&[5], 0), of_round(&[5], 1)), (1, vec![]));
    }
}
