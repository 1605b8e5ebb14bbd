//! The joints of a step in batches, colour by colour, then those that found no colour; and how a pass goes over them.
//!
//! On one thread each batch hands its bodies what became of them at once; on several, all do when the colour is through. Nobody
//! can tell: within a colour no two joints share a body that they can push.

use crate::dynamics::joint::JointKind;
use crate::dynamics::solver::by_colour::{Moving, Velocities, largest_lane};
use crate::dynamics::solver::joints::batch::{JointBatch, LaneOfJoint};
use crate::dynamics::solver::joints::passes::LanePass;
use crate::math::Scalar;
use crate::math::lanes::{LanePath, LaneTask, Lanes};
use crate::parallel::Executor;

/// Batches in one part of what is shared out among threads: 256 joints, some ten microseconds of a pass and more.
pub(super) const BATCHES_IN_A_PART: usize = 32;

/// All batches of a step.
#[derive(Clone, Debug)]
pub(super) struct JointBatches<S: Scalar> {
    batches: Vec<JointBatch<S>>,
    /// Where each colour ends among them.
    colour_ends: Vec<usize>,
}

impl<S: Scalar> Default for JointBatches<S> {
    fn default() -> Self {
        Self { batches: Vec::new(), colour_ends: Vec::new() }
    }
}

impl<S: Scalar> JointBatches<S> {
    /// All of them, in solving order.
    pub(super) fn all(&self) -> &[JointBatch<S>] {
        &self.batches
    }

    /// All of them, in solving order, to be changed.
    pub(super) fn all_mut(&mut self) -> &mut [JointBatch<S>] {
        &mut self.batches
    }

    /// Takes out all batches.
    pub(super) fn clear(&mut self) {
        self.batches.clear();
        self.colour_ends.clear();
    }

    /// Says that what was pushed since the colour before is a colour.
    pub(super) fn end_colour(&mut self) {
        self.colour_ends.push(self.batches.len());
    }

    /// Gives a joint the next lane since the last colour ended.
    pub(super) fn push(&mut self, kind: JointKind, joint: &LaneOfJoint<S>) {
        let first = self.colour_ends.last().copied().unwrap_or(0);
        if self.batches[first..].last().is_none_or(|last| last.is_full_for(kind)) {
            self.batches.push(JointBatch::new(kind));
        }
        if let Some(batch) = self.batches.last_mut() {
            batch.push(joint);
        }
    }

    /// How many parts it has that may be shared out.
    pub(super) fn parts(&self) -> usize {
        self.batches.len().div_ceil(BATCHES_IN_A_PART)
    }

    /// Takes a pass over all joints; the largest change of a speed, m/s.
    pub(super) fn run_pass(
        &mut self,
        pass: &impl LanePass<S>,
        Velocities { linear, angular }: Velocities<'_, S>,
        (lanes, executor): (LanePath, &mut Executor),
    ) -> S {
        let mut first = 0;
        for &end in &self.colour_ends {
            let batches = &mut self.batches[first..end];
            first = end;
            if executor.would_share(batches.len(), BATCHES_IN_A_PART) {
                let (before, spins) = (&*linear, &*angular);
                executor.for_each_part(BATCHES_IN_A_PART, &mut batches[..], |_, batches| {
                    lanes.run_in_steps(OverBatches { pass, batches, bodies: Moving::Later(before, spins) });
                });
                let worked_on = batches.iter().filter(|batch| !pass.passes_over(batch));
                worked_on.for_each(|batch| batch.hand_over(linear, angular));
            } else {
                let bodies = Moving::AtOnce(Velocities { linear, angular });
                lanes.run_in_steps(OverBatches { pass, batches, bodies });
            }
        }
        work_one_by_one(pass, &mut self.batches[first..], Velocities { linear, angular });
        self.batches.iter().fold(S::ZERO, |largest, batch| largest.larger(batch.change))
    }
}

/// A pass over some batches one after the other, as a task for lanes.
struct OverBatches<'a, S: Scalar, P> {
    pass: &'a P,
    batches: &'a mut [JointBatch<S>],
    bodies: Moving<'a, S>,
}

impl<S: Scalar, P: LanePass<S>> LaneTask<S> for OverBatches<'_, S, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { pass, batches, mut bodies } = self;
        for batch in batches {
            work_on_all::<L>(pass, batch, &mut bodies);
        }
    }
}

/// A pass over some batches whose joints are solved one after the other. No lanes: for each vector it would be compiled once more.
fn work_one_by_one<S: Scalar>(pass: &impl LanePass<S>, batches: &mut [JointBatch<S>], bodies: Velocities<'_, S>) {
    let mut bodies = Moving::AtOnce(bodies);
    for batch in batches {
        work_on_all::<S>(pass, batch, &mut bodies);
    }
}

/// Works on the joints of a batch, and hands over what became of their bodies.
#[inline(always)]
fn work_on_all<L: Lanes>(
    pass: &impl LanePass<L::Scalar>,
    batch: &mut JointBatch<L::Scalar>,
    bodies: &mut Moving<'_, L::Scalar>,
) {
    let mut largest = L::zero();
    if pass.passes_over(batch) {
        batch.change = L::Scalar::ZERO;
        return;
    }
    for part in 0..batch.count.div_ceil(L::WIDTH) {
        let at = part * L::WIDTH;
        let (linear, angular) = bodies.seen();
        let (now, change) = batch.work_between::<L>(pass, at, linear, angular);
        largest = largest.larger(change);
        match bodies {
            Moving::AtOnce(Velocities { linear, angular }) => batch.scatter(at, &now, linear, angular),
            Moving::Later(..) => batch.put_moved(at, &now),
        }
    }
    batch.change = largest_lane(largest);
}
