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

    /// The steps before the last after which there are most contacts, at most `most` of them, in their order. Of steps that
    /// have as many, some are taken that lie evenly among them.
    #[must_use]
    pub fn busiest(&self, most: usize) -> Vec<u32> {
        let before_last = self.contacts.iter().copied().take(self.last() as usize);
        let mut steps: Vec<(usize, u32)> = before_last.zip(0_u32..).filter(|(contacts, _)| *contacts > 0).collect();
        steps.sort_by_key(|(contacts, step)| (usize::MAX - contacts, *step));
        let Some(&(least, _)) = steps.get(most.min(steps.len()).wrapping_sub(1)) else { return Vec::new() };
        let (above, equal): (Vec<_>, Vec<_>) =
            steps.into_iter().filter(|(contacts, _)| *contacts >= least).partition(|(contacts, _)| *contacts > least);
        let wanted = (most - above.len()).min(equal.len());
        let evenly = (0..wanted).map(|part| equal[(2 * part + 1) * equal.len() / (2 * wanted)]);
        let mut busiest: Vec<u32> = above.iter().copied().chain(evenly).map(|(_, step)| step).collect();
        busiest.sort_unstable();
        busiest
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
    use crate::world::encode::Section;
    use crate::world::state_hash::StateHash;

    #[test]
    fn the_busiest_steps_are_spread_and_the_last_has_no_future() {
        let hash = StateHash { root: [0; 32], sections: [[0; 8]; Section::ALL.len()] };
        let of = |contacts: &[usize]| Baseline {
            hashes: vec![hash; contacts.len()],
            contacts: contacts.into(),
            stopped: None,
        };
        let baseline = of(&[0, 2, 5, 5, 1, 9]);
        assert_eq!(baseline.last(), 5);
        assert_eq!(baseline.busiest(9), [1, 2, 3, 4]);
        assert_eq!(baseline.busiest(3), [1, 2, 3]);
        assert_eq!(baseline.busiest(1), [3]);
        assert_eq!(of(&[7; 101]).busiest(4), [12, 37, 62, 87]);
        assert_eq!(of(&[0; 9]).busiest(4), [0_u32; 0]);
        assert_eq!(baseline.busiest(0), [0_u32; 0]);
    }
}
