//! The velocities of the two bodies of a contact, held in registers while its rows are solved.

use crate::dynamics::solver::rows::RowsView;
use crate::math::lanes::{Block, Flags, LANES, Lanes, Watch};
use crate::math::{Scalar, Vec3};

/// Linear and angular velocities of two bodies.
///
/// The same arithmetic serves positions: there the "velocities" are the ways since the start of the step, and accelerations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PairMotion<S> {
    pub(super) linear: [Vec3<S>; 2],
    pub(super) angular: [Vec3<S>; 2],
}

impl<L: Lanes> PairMotion<L> {
    /// The motions of the bodies of the lanes in view.
    #[inline(always)]
    pub(super) fn gather(
        view: &RowsView<'_, L::Scalar>,
        linear: &[Vec3<L::Scalar>],
        angular: &[Vec3<L::Scalar>],
    ) -> Self {
        let [a, b] = &view.bodies.indices;
        Self {
            linear: [L::gather(linear, a, view.at), L::gather(linear, b, view.at)],
            angular: [L::gather(angular, a, view.at), L::gather(angular, b, view.at)],
        }
    }

    /// Writes back what rows can have changed: a body that nothing pushes stays as it is.
    #[inline(always)]
    pub(super) fn scatter(
        self,
        view: &RowsView<'_, L::Scalar>,
        linear: &mut [Vec3<L::Scalar>],
        angular: &mut [Vec3<L::Scalar>],
    ) {
        for side in 0..2 {
            let (indices, which) = (&view.bodies.indices[side], view.bodies.pushed[side].bits_from(view.at));
            L::scatter(self.linear[side], linear, indices, view.at, which);
            L::scatter(self.angular[side], angular, indices, view.at, which);
        }
    }

    /// Shows a watch all that rows are multiplied with.
    #[inline(always)]
    pub(super) fn show(&self, watch: &mut Watch<L>) {
        for side in 0..2 {
            watch.see_vector(self.linear[side]);
        }
        self.show_spins(watch);
    }

    /// Shows a watch what rows are multiplied with that only turn.
    #[inline(always)]
    pub(super) fn show_spins(&self, watch: &mut Watch<L>) {
        for side in 0..2 {
            watch.see_vector(self.angular[side]);
        }
    }

    /// The same motion in lanes for numbers of every size.
    #[inline(always)]
    pub(super) fn of_narrow(narrow: &PairMotion<L::Narrow>) -> Self {
        let [a, b] = narrow.linear;
        let [spin_a, spin_b] = narrow.angular;
        Self { linear: [Vec3::widened(a), Vec3::widened(b)], angular: [Vec3::widened(spin_a), Vec3::widened(spin_b)] }
    }

    /// How the second body moves against the first at these arms from their centres, metres.
    #[inline(always)]
    pub(super) fn between(&self, arms: [Vec3<L>; 2]) -> Vec3<L> {
        let first = self.linear[0] + self.angular[0].cross(arms[0]);
        let second = self.linear[1] + self.angular[1].cross(arms[1]);
        second - first
    }
}

impl<S: Scalar> PairMotion<Block<S>> {
    /// Puts down how the bodies of the lanes from `at` on move.
    #[inline(always)]
    pub(super) fn put<L: Lanes<Scalar = S>>(&mut self, at: usize, now: &PairMotion<L>) {
        for side in 0..2 {
            self.linear[side].set(at, now.linear[side]);
            self.angular[side].set(at, now.angular[side]);
        }
    }

    /// Hands that to the bodies at these indices that can be pushed, of the first so many lanes.
    pub(super) fn hand_over(
        &self,
        (indices, pushed, count): (&[[u32; LANES]; 2], &[Flags; 2], usize),
        linear: &mut [Vec3<S>],
        angular: &mut [Vec3<S>],
    ) {
        for side in 0..2 {
            for lane in (0..count).filter(|&lane| pushed[side].is_set(lane)) {
                let body = indices[side][lane] as usize;
                linear[body] = self.linear[side].at::<S>(lane);
                angular[body] = self.angular[side].at::<S>(lane);
            }
        }
    }
}

impl<S: Scalar> PairMotion<S> {
    #[inline(always)]
    pub(super) fn load(bodies: [u32; 2], linear: &[Vec3<S>], angular: &[Vec3<S>]) -> Self {
        let [a, b] = bodies.map(|body| body as usize);
        Self { linear: [linear[a], linear[b]], angular: [angular[a], angular[b]] }
    }

    /// All velocities times a number.
    pub(super) fn scaled(&self, factor: S) -> Self {
        let [a, b] = self.linear;
        let [spin_a, spin_b] = self.angular;
        Self { linear: [a * factor, b * factor], angular: [spin_a * factor, spin_b * factor] }
    }

    /// The difference from other velocities.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let difference = |of: [Vec3<S>; 2], other: [Vec3<S>; 2]| [of[0] - other[0], of[1] - other[1]];
        Self { linear: difference(self.linear, other.linear), angular: difference(self.angular, other.angular) }
    }

    /// Some part of the way from these velocities to others.
    pub(super) fn towards(&self, other: &Self, part: S) -> Self {
        let way = other.minus(self).scaled(part);
        let sum = |of: [Vec3<S>; 2], other: [Vec3<S>; 2]| [of[0] + other[0], of[1] + other[1]];
        Self { linear: sum(self.linear, way.linear), angular: sum(self.angular, way.angular) }
    }
}
