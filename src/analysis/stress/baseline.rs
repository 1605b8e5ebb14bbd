//! The run that all others are compared with.

use crate::math::{Scalar, ScalarTask};
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::error::BuildError;
use crate::world::state_hash::StateHash;

/// How a run went.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    /// The hash of every state, from state 0 on.
    pub hashes: Vec<StateHash>,
    /// How many contacts every state has.
    pub contacts: Vec<usize>,
    /// Why it could not take the step after the last, if it could not.
    pub stopped: Option<String>,
}

impl Baseline {
    /// The last step that was taken.
    #[must_use]
    pub fn last(&self) -> u32 {
        u32::try_from(self.hashes.len().saturating_sub(1)).unwrap_or(u32::MAX)
    }

    /// The steps after which there are most contacts, most first, of those before the last; at most `most`.
    #[must_use]
    pub fn busiest(&self, most: usize) -> Vec<u32> {
        let before_last = self.contacts.iter().take(self.last() as usize);
        let mut steps: Vec<(u32, usize)> =
            (0_u32..).zip(before_last.copied()).filter(|(_, contacts)| *contacts > 0).collect();
        steps.sort_by_key(|(step, contacts)| (usize::MAX - contacts, *step));
        steps.into_iter().take(most).map(|(step, _)| step).collect()
    }
}

/// Runs a plan; `go_on` hears of every step and may end the run there.
///
/// # Errors
/// When the scene makes no world.
pub fn baseline(plan: &RunPlan, go_on: &mut dyn FnMut(u32) -> bool) -> Result<Baseline, BuildError> {
    plan.scalar.dispatch(Run { plan, go_on })
}

struct Run<'a> {
    plan: &'a RunPlan,
    go_on: &'a mut dyn FnMut(u32) -> bool,
}

impl ScalarTask for Run<'_> {
    type Output = Result<Baseline, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let mut session: Session<S> = self.plan.session()?;
        let mut baseline = Baseline::default();
        loop {
            baseline.hashes.push(*session.hash());
            baseline.contacts.push(session.world().contacts().len());
            let step = session.step_number();
            if step >= self.plan.steps || !(self.go_on)(step) {
                return Ok(baseline);
            }
            if let Err(error) = session.advance(&mut ()) {
                baseline.stopped = Some(error.to_string());
                return Ok(baseline);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;
    use crate::world::state_hash::StateHash;

    #[test]
    fn the_busiest_steps_come_first_and_the_last_has_no_future() {
        let hash = StateHash { root: [0; 32], sections: [[0; 8]; 4] };
        let baseline = Baseline { hashes: vec![hash; 6], contacts: vec![0, 2, 5, 5, 1, 9], stopped: None };
        assert_eq!(baseline.last(), 5);
        assert_eq!(baseline.busiest(9), [2, 3, 1, 4]);
        assert_eq!(baseline.busiest(2), [2, 3]);
    }
}
