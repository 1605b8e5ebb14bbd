//! Restored: the state is read from its bytes into a world full of nonsense, and the future is the same.

use crate::analysis::bisect::condition::{Condition, Runner};
use crate::analysis::outcome::FirstDifference;
use crate::analysis::stress::course::{Compared, Course, Tally, compare};
use crate::analysis::stress::{Attack, Finding, Parted, Target, Tell};
use crate::math::Scalar;
use crate::session::Session;
use crate::world::encode::State;
use crate::world::error::BuildError;

/// Restores at every step and takes the next; then from some steps, spread over the run, to the end.
///
/// # Errors
/// When the scene makes no world.
pub fn everywhere<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let last = target.baseline.last();
    let mut tally = Tally::new();
    one_step_each::<S>(target, &mut tally, tell)?;
    let steps = spread(last, target.effort.futures);
    if tally.parted.is_none() {
        futures::<S>(target, &steps, &mut tally, tell)?;
    }
    let done = format!("after each of {last} steps, from {} of them to the end", steps.len());
    Ok(tally.finding::<S>(Attack::Restore, done))
}

/// Restores where most bodies touch, and runs to the end.
///
/// # Errors
/// When the scene makes no world.
pub fn mid_contact<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let steps = target.baseline.busiest(target.effort.contact_futures);
    if steps.is_empty() {
        return Ok(Finding::not_tried(Attack::MidContact, S::KIND, "nothing touches anything before the last step"));
    }
    let contacts = steps.iter().filter_map(|step| target.baseline.contacts.get(*step as usize));
    let most = contacts.max().copied().unwrap_or(0);
    let mut tally = Tally::new();
    futures::<S>(target, &steps, &mut tally, tell)?;
    let done = format!("after the {} steps with most contacts (up to {most}), to the end", steps.len());
    Ok(tally.finding::<S>(Attack::MidContact, done))
}

/// So many steps before the last, evenly spread, from state 0 on.
fn spread(last: u32, number: usize) -> Vec<u32> {
    let number = u32::try_from(number).unwrap_or(u32::MAX).min(last).max(1);
    (0..number).map(|part| (u64::from(last) * u64::from(part) / u64::from(number)) as u32).collect()
}

/// The run restored after a step.
fn restored_after(target: &Target<'_>, step: u32) -> Course {
    let course = Course::plain(format!("the run restored after step {step}"), target.plan.clone());
    Course { condition: Condition { restore: Some(step), ..course.condition }, ..course }
}

fn one_step_each<S: Scalar>(target: &Target<'_>, tally: &mut Tally, tell: Tell<'_>) -> Result<(), BuildError> {
    let mut running: Session<S> = target.plan.session()?;
    let mut garbled: Session<S> = target.plan.session()?;
    garbled.count_as_restored();
    for step in 0..target.baseline.last() {
        let bytes = &running.encoded().bytes;
        if let Some(parted) = encoded_again::<S>(bytes, step) {
            tally.parted = Some(parted);
            return Ok(());
        }
        garbled.garble(u64::from(step));
        let parting = parting_after_one_step(target, &mut garbled, bytes, step);
        tally.runs += 1;
        tally.steps += 1;
        tell();
        if parting.is_some() {
            let compared = Compared { steps: 0, parting, stop: None };
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
fn parting_after_one_step<S: Scalar>(
    target: &Target<'_>,
    garbled: &mut Session<S>,
    bytes: &[u8],
    step: u32,
) -> Option<u32> {
    let hash_at = |step: u32| target.baseline.hashes.get(step as usize);
    if garbled.restore(bytes).is_err() || hash_at(step) != Some(garbled.hash()) {
        return Some(step);
    }
    let taken = garbled.advance(&mut ()).is_ok();
    (!taken || hash_at(step + 1) != Some(garbled.hash())).then_some(step + 1)
}

/// A state that was read from its bytes and encoded again has to have the same bytes.
fn encoded_again<S: Scalar>(bytes: &[u8], step: u32) -> Option<Parted> {
    let note = match State::<S>::decode(bytes) {
        Err(error) => format!("the bytes of the state cannot be read: {error}"),
        Ok(state) => {
            let again = state.encode().bytes;
            let byte = bytes.iter().zip(&again).position(|(a, b)| a != b);
            let byte = byte.or_else(|| (bytes.len() != again.len()).then_some(bytes.len().min(again.len())))?;
            format!("the state read from its bytes and encoded again differs from byte {byte} on")
        }
    };
    let run = format!("the state after step {step}, encoded again");
    Some(Parted { run, first: FirstDifference::in_step(step), notes: vec![note] })
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
        let course = restored_after(target, step);
        let mut runner = Runner::restored(&course.condition, step, &running.encoded().bytes)?;
        let compared = compare::<S>(target.baseline, &course, &mut runner, tell);
        tally.add::<S>(target, &course, compared);
        if tally.parted.is_some() {
            return Ok(());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn steps_are_spread_from_the_start_and_leave_a_future() {
        assert_eq!(spread(600, 4), [0, 150, 300, 450]);
        assert_eq!(spread(3, 16), [0, 1, 2]);
        assert_eq!(spread(0, 16), [0]);
    }
}
