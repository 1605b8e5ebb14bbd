//! What stands between the phases of a solve: planted faults, then whoever watches the step.

use crate::dynamics::collider::Colliders;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::phase::{Phase, PhaseHook};
use crate::math::Scalar;
use crate::world::encode::fields::Globals;
use crate::world::fault::rounding::SolveFaults;
use crate::world::stage::{Midway, Observer};

/// What happens at the end of each phase of a solve: planted faults do their damage, then the observer of the step looks.
pub(super) struct Phases<'a, S: Scalar, O> {
    pub(super) globals: Globals<S>,
    pub(super) colliders: &'a Colliders<S>,
    pub(super) faults: SolveFaults<'a, S>,
    pub(super) observer: &'a mut O,
}

impl<S: Scalar, O: Observer<S>> PhaseHook<S> for Phases<'_, S, O> {
    fn phase_ended(&mut self, phase: Phase, solve: &mut Solve<'_, S>) {
        self.faults.inject(phase, solve);
        let midway = Midway::new(self.globals, self.colliders, solve);
        self.observer.phase_ended(phase, &midway);
    }
}
