//! The passes over joints, in lanes. Without closures, which are not compiled for the vectors.

use crate::dynamics::joint::{JointKind, WORLD};
use crate::dynamics::settings::Softness;
use crate::dynamics::solver::joints::batch::{JointBatch, gather_or_zero};
use crate::dynamics::solver::joints::spherical::End;
use crate::dynamics::solver::joints::{BodyTurn, JointPass, JointSources};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::math::lanes::{Block, LaneTask, Lanes, Watch};
use crate::math::{Mat3, Scalar, SymMat3, Vec3};

/// What a pass does to each joint.
pub(super) trait LanePass<S: Scalar>: Sync {
    /// Whether it may be made in lanes for small numbers: what it multiplies all rows with is so small that the watch sees the product.
    fn is_for_small(&self) -> bool;

    /// Whether it has nothing to do with the joints of a batch.
    fn passes_over(&self, _: &JointBatch<S>) -> bool {
        false
    }

    /// Works on the joints of the lanes from `at` on, between bodies that move like this; the largest change of a speed, m/s.
    ///
    /// Where the lanes are for small numbers the rows are small, and so is how the bodies move: all else that is multiplied, the
    /// watch is to see.
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        now: &mut PairMotion<L>,
        batch: &mut JointBatch<S>,
        at: usize,
        watch: &mut Watch<L>,
    ) -> L;
}

/// Applies the impulses that are there.
pub(super) struct WarmStart;

impl<S: Scalar> LanePass<S> for WarmStart {
    fn is_for_small(&self) -> bool {
        true
    }

    #[inline(always)]
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        now: &mut PairMotion<L>,
        batch: &mut JointBatch<S>,
        at: usize,
        watch: &mut Watch<L>,
    ) -> L {
        let inverse_mass = batch.inverse_mass_at(at);
        match batch.kind {
            JointKind::Spherical => batch.point.apply(at, now, inverse_mass, batch.point.impulse.at(at), watch),
        }
        L::zero()
    }
}

/// Solves each joint once.
pub(super) struct Iteration<'a, S> {
    pub(super) soft: &'a Softness<S>,
    pub(super) pass: JointPass,
}

impl<S: Scalar> LanePass<S> for Iteration<'_, S> {
    fn is_for_small(&self) -> bool {
        self.soft.bias_rate.max(self.soft.push_speed) < S::ONE.scale_by_power_of_two(10)
    }

    fn passes_over(&self, batch: &JointBatch<S>) -> bool {
        self.pass == JointPass::Aim && !batch.spins()
    }

    #[inline(always)]
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        now: &mut PairMotion<L>,
        batch: &mut JointBatch<S>,
        at: usize,
        watch: &mut Watch<L>,
    ) -> L {
        let inverse_mass = batch.inverse_mass_at(at);
        match batch.kind {
            JointKind::Spherical => batch.point.solve(at, now, inverse_mass, (self.soft, self.pass), watch),
        }
    }
}

/// Takes a part of what parts the points out of the ways since the start of the step.
pub(super) struct Projection<S> {
    pub(super) beta: S,
}

impl<S: Scalar> LanePass<S> for Projection<S> {
    fn is_for_small(&self) -> bool {
        true // a part is at most one
    }

    #[inline(always)]
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        moved: &mut PairMotion<L>,
        batch: &mut JointBatch<S>,
        at: usize,
        watch: &mut Watch<L>,
    ) -> L {
        let inverse_mass = batch.inverse_mass_at(at);
        match batch.kind {
            JointKind::Spherical => batch.point.project(at, moved, inverse_mass, L::splat(self.beta), watch),
        }
        L::zero()
    }
}

/// Makes the rows of some joints anew, as a task for lanes.
pub(super) struct Refresh<'a, S: Scalar> {
    pub(super) batches: &'a mut [JointBatch<S>],
    /// How the bodies turn that are joined.
    pub(super) turns: &'a [BodyTurn<S>],
    pub(super) sources: JointSources<'a, S>,
}

impl<S: Scalar> LaneTask<S> for Refresh<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { batches, turns, sources } = self;
        let is_for_small = sources.settings.rate < S::ONE.scale_by_power_of_two(12);
        for batch in batches {
            for part in 0..batch.count.div_ceil(L::WIDTH) {
                let at = part * L::WIDTH;
                let mut is_small = false;
                if <L::Narrow as Lanes>::IS_NARROW && is_for_small {
                    let mut watch = Watch::<L::Narrow>::new();
                    write(batch, at, turns, (sources, &mut watch));
                    is_small = batch.are_small::<L>(at, watch.small_lanes());
                }
                let small = L::mask(if is_small { u8::MAX } else { 0 });
                batch.has_small_rows.set::<L>(at, L::mask(u8::MAX), small);
                if !is_small {
                    write(batch, at, turns, (sources, &mut Watch::<L>::new()));
                }
            }
        }
    }
}

/// Makes the rows of the lanes from `at` on.
#[inline(always)]
fn write<L: Lanes>(
    batch: &mut JointBatch<L::Scalar>,
    at: usize,
    turns: &[BodyTurn<L::Scalar>],
    (sources, watch): (JointSources<'_, L::Scalar>, &mut Watch<L>),
) {
    let ends = [end_of::<L>(batch, (0, at), turns, sources), end_of::<L>(batch, (1, at), turns, sources)];
    let substep = [sources.settings.rate, sources.settings.substep_seconds];
    match batch.kind {
        JointKind::Spherical => {
            let may_be_rigid = batch.may_be_rigid.get::<L>(at);
            batch.point.write(at, &ends, (substep, may_be_rigid), watch);
        }
    }
}

/// The ends of the joints of the lanes from `at` on, on one side.
#[inline(always)]
fn end_of<L: Lanes>(
    batch: &JointBatch<L::Scalar>,
    (side, at): (usize, usize),
    turns: &[BodyTurn<L::Scalar>],
    JointSources { bodies, motion, .. }: JointSources<'_, L::Scalar>,
) -> End<L> {
    let indices = &batch.bodies[side];
    let mut centre = Vec3::<Block<L::Scalar>>::default();
    let mut anchor = Vec3::<Block<L::Scalar>>::default();
    let mut rotations = [[Vec3::<Block<L::Scalar>>::default(); 3]; 2];
    let mut inverse_inertia = SymMat3::<Block<L::Scalar>>::default();
    let mut turning = 0;
    for lane in 0..L::WIDTH {
        let (body, own) = (indices[at + lane], batch.anchors[side].at::<L::Scalar>(at + lane));
        if body == WORLD {
            centre.set(lane, own);
            continue;
        }
        let (body, turn) = (body as usize, &turns[batch.places[side][at + lane] as usize]);
        centre.set(lane, bodies.position[body]);
        anchor.set(lane, own);
        for (to, from) in rotations.iter_mut().zip(&turn.rotations) {
            for (to, from) in to.iter_mut().zip(from.rows) {
                to.set(lane, from);
            }
        }
        turning |= u8::from(turn.turns) << lane;
        inverse_inertia.set(lane, motion.inverse_inertia[body]);
    }
    let [start, end] = rotations;
    End {
        centre: centre.at(0),
        anchor: anchor.at(0),
        rotations: [
            Mat3 { rows: [start[0].at(0), start[1].at(0), start[2].at(0)] },
            Mat3 { rows: [end[0].at(0), end[1].at(0), end[2].at(0)] },
        ],
        turns: L::mask(turning),
        omega: gather_or_zero(&bodies.angular_velocity, indices, at),
        inverse_inertia: inverse_inertia.at(0),
        inverse_mass: batch.inverse_mass[side].get(at),
    }
}
