//! Two runs side by side, unrecorded, up to the first step after which their states differ.

use crate::math::{Scalar, ScalarTask};
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::error::{BuildError, StepError};

/// One of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// Where two runs diverge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LockstepOutcome {
    /// They do not, as far as both go; two that stop in the same step for the same reason are the same.
    Same {
        /// The last step both took.
        steps: u32,
    },
    /// Their states first differ after this step.
    At {
        /// The step; 0 when they start differently.
        step: u32,
    },
    /// They agree up to a step in which one stops and the other goes on, or stops for another reason.
    Stopped {
        /// The step that failed.
        step: u32,
        /// The sides that stopped and why: one, or both with different reasons.
        sides: Vec<(Side, String)>,
    },
    /// The caller had enough.
    Interrupted {
        /// The last step that was compared.
        step: u32,
    },
}

impl LockstepOutcome {
    /// The step in which the runs diverge, if they do.
    #[must_use]
    pub const fn step(&self) -> Option<u32> {
        match self {
            Self::At { step } | Self::Stopped { step, .. } => Some(*step),
            Self::Same { .. } | Self::Interrupted { .. } => None,
        }
    }
}

/// Runs two plans side by side and stops at the first step whose hashes differ. `go_on` hears of each step that agreed
/// and may end the comparison.
///
/// Plans of different length are compared as far as both go. Runs of different scalars never agree.
///
/// # Errors
/// When the scene of either plan makes no world.
pub fn first_divergence(
    a: &RunPlan,
    b: &RunPlan,
    go_on: &mut dyn FnMut(u32) -> bool,
) -> Result<LockstepOutcome, BuildError> {
    if a.scalar != b.scalar {
        return Ok(LockstepOutcome::At { step: 0 });
    }
    a.scalar.dispatch(Lockstep { a, b, go_on })
}

struct Lockstep<'a> {
    a: &'a RunPlan,
    b: &'a RunPlan,
    go_on: &'a mut dyn FnMut(u32) -> bool,
}

impl ScalarTask for Lockstep<'_> {
    type Output = Result<LockstepOutcome, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { a, b, go_on } = self;
        let (mut first, mut second) = (a.session::<S>()?, b.session::<S>()?);
        let steps = a.steps.min(b.steps);
        loop {
            let step = first.step_number();
            if first.hash() != second.hash() {
                return Ok(LockstepOutcome::At { step });
            }
            if step >= steps {
                return Ok(LockstepOutcome::Same { steps });
            }
            if !go_on(step) {
                return Ok(LockstepOutcome::Interrupted { step });
            }
            let stopped = (stop_of(&mut first), stop_of(&mut second));
            if let Some(outcome) = judge_stops(step, stopped) {
                return Ok(outcome);
            }
        }
    }
}

/// Takes a step; the reason why it could not be taken.
fn stop_of<S: Scalar>(session: &mut Session<S>) -> Option<StepError> {
    session.advance(&mut ()).err()
}

/// What it means when a side could not take the step after `step`.
fn judge_stops(step: u32, stopped: (Option<StepError>, Option<StepError>)) -> Option<LockstepOutcome> {
    match stopped {
        (None, None) => None,
        (Some(a), Some(b)) if a.to_string() == b.to_string() => Some(LockstepOutcome::Same { steps: step }),
        (a, b) => {
            let sides = [(Side::A, a), (Side::B, b)];
            let sides = sides.into_iter().filter_map(|(side, error)| error.map(|error| (side, error.to_string())));
            Some(LockstepOutcome::Stopped { step: step + 1, sides: sides.collect() })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{LockstepOutcome, Side, first_divergence};
    use crate::scene;
    use crate::session::record::RunPlan;

    fn plan(keys: &str) -> RunPlan {
        let text = format!(
            "(version: 1, name: \"flight\", steps: 12, dt: \"1/64\", gravity: (0, 0, 0), {keys}
             bodies: [(name: \"ball\", shape: Sphere(radius: 0.5), mass: Total(2), linear_velocity: (64, 0, 0))])"
        );
        RunPlan::new(Arc::new(scene::parse("test scene", &text).unwrap_or_else(|error| panic!("{error}"))))
    }

    fn with_fault(plan: &RunPlan, step: u32) -> RunPlan {
        let fault = format!("ulp@{step},object=ball,field=position.y");
        RunPlan { faults: vec![fault.parse().unwrap_or_else(|error| panic!("{error}"))], ..plan.clone() }
    }

    fn outcome(a: &RunPlan, b: &RunPlan) -> LockstepOutcome {
        first_divergence(a, b, &mut |_| true).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn runs_part_at_the_step_of_the_fault_and_not_before() {
        let clean = plan("");
        assert_eq!(outcome(&clean, &clean.clone()), LockstepOutcome::Same { steps: 12 });
        for step in [0, 7, 12] {
            assert_eq!(outcome(&clean, &with_fault(&clean, step)), LockstepOutcome::At { step });
        }
        let shorter = RunPlan { steps: 6, ..clean.clone() };
        assert_eq!(outcome(&shorter, &with_fault(&clean, 7)), LockstepOutcome::Same { steps: 6 });
    }

    #[test]
    fn a_side_that_stops_parts_from_one_that_goes_on() {
        let bounded = plan("bounds: (position: 8.5),");
        assert_eq!(outcome(&bounded, &bounded.clone()), LockstepOutcome::Same { steps: 8 });
        match outcome(&bounded, &plan("bounds: (position: 9.5),")) {
            LockstepOutcome::Stopped { step: 9, sides } => {
                assert!(matches!(sides.as_slice(), [(Side::A, _)]), "{sides:?}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_caller_can_end_it() {
        let clean = plan("");
        let ended = first_divergence(&clean, &clean.clone(), &mut |step| step < 3);
        assert_eq!(ended, Ok(LockstepOutcome::Interrupted { step: 3 }));
    }
}
