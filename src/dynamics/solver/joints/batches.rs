//! The joints of a step in batches, colour by colour, then those that found no colour; and how a pass goes over them.
//!
//! On one thread each batch hands its bodies what became of them at once; on several, all do when the colour is through. Nobody
//! can tell: within a colour no two joints share a body that they can push.

use crate::dynamics::joint::JointKind;
use crate::dynamics::solver::by_colour::{Velocities, largest_lane};
use crate::dynamics::solver::joints::batch::{JointBatch, LaneOfJoint};
use crate::dynamics::solver::joints::passes::LanePass;
use crate::math::lanes::{LanePath, LaneTask, Lanes};
use crate::math::{Scalar, Vec3};
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

    /// Gives a joint the next lane of its colour, or, where `is_sequence`, behind all colours.
    pub(super) fn push(&mut self, kind: JointKind, joint: &LaneOfJoint<S>, is_sequence: bool) {
        let first = self.colour_ends.last().copied().unwrap_or(0);
        if self.batches[first..].last().is_none_or(|last| last.is_full_for(kind)) {
            self.batches.push(JointBatch::new(kind, is_sequence));
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
        let (mut first, mut largest) = (0, S::ZERO);
        for &end in &self.colour_ends {
            let batches = &mut self.batches[first..end];
            first = end;
            if executor.would_share(batches.len(), BATCHES_IN_A_PART) {
                let (before, spins) = (&*linear, &*angular);
                executor.for_each_part(BATCHES_IN_A_PART, &mut batches[..], |_, batches| {
                    lanes.run_in_steps(LaterHandOver { pass, batches, linear: before, angular: spins });
                });
                batches.iter().for_each(|batch| batch.hand_over(linear, angular));
                largest = batches.iter().fold(largest, |largest, batch| largest.larger(batch.change));
            } else {
                largest = largest.larger(lanes.run_in_steps(HandOver { pass, batches, linear, angular }));
            }
        }
        largest.larger(lanes.run_in_steps(HandOver { pass, batches: &mut self.batches[first..], linear, angular }))
    }
}

/// A pass over some batches one after the other, as a task for lanes; the largest change of a speed.
struct HandOver<'a, S: Scalar, P> {
    pass: &'a P,
    batches: &'a mut [JointBatch<S>],
    linear: &'a mut [Vec3<S>],
    angular: &'a mut [Vec3<S>],
}

impl<S: Scalar, P: LanePass<S>> LaneTask<S> for HandOver<'_, S, P> {
    type Output = S;

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) -> S {
        let Self { pass, batches, linear, angular } = self;
        let (mut largest, mut largest_alone) = (L::zero(), S::ZERO);
        for batch in batches {
            if pass.passes_over(batch) {
                continue;
            }
            if batch.is_sequence {
                for at in 0..batch.count {
                    let (now, change) = batch.work_between::<S>(pass, at, linear, angular);
                    largest_alone = largest_alone.larger(change);
                    batch.scatter(at, &now, linear, angular);
                }
            } else {
                for part in 0..batch.count.div_ceil(L::WIDTH) {
                    let at = part * L::WIDTH;
                    let (now, change) = batch.work_between::<L>(pass, at, linear, angular);
                    largest = largest.larger(change);
                    batch.scatter(at, &now, linear, angular);
                }
            }
        }
        largest_alone.larger(largest_lane(largest))
    }
}

/// A pass over batches whose bodies stay as they are until the colour is through, as a task for lanes.
struct LaterHandOver<'a, S: Scalar, P> {
    pass: &'a P,
    batches: &'a mut [JointBatch<S>],
    linear: &'a [Vec3<S>],
    angular: &'a [Vec3<S>],
}

impl<S: Scalar, P: LanePass<S>> LaneTask<S> for LaterHandOver<'_, S, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { pass, batches, linear, angular } = self;
        for batch in batches {
            let mut largest = L::zero();
            for part in 0..batch.count.div_ceil(L::WIDTH) {
                let at = part * L::WIDTH;
                let (now, change) = batch.work_between::<L>(pass, at, linear, angular);
                largest = largest.larger(change);
                batch.put_moved(at, &now);
            }
            batch.change = largest_lane(largest);
        }
    }
}
