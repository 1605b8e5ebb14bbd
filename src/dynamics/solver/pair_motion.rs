//! The velocities of the two bodies of a contact, held in registers while its rows are solved.

use crate::dynamics::solver::rows::{ContactRows, Row};
use crate::math::{Scalar, Vec3};

/// Linear and angular velocities of two bodies.
///
/// The same arithmetic serves positions: there the "velocities" are the ways since the start of the step, and accelerations.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairMotion<S> {
    pub(super) linear: [Vec3<S>; 2],
    pub(super) angular: [Vec3<S>; 2],
}

impl<S: Scalar> PairMotion<S> {
    #[inline(always)]
    pub(super) fn load(bodies: [u32; 2], linear: &[Vec3<S>], angular: &[Vec3<S>]) -> Self {
        let [a, b] = bodies.map(|body| body as usize);
        Self { linear: [linear[a], linear[b]], angular: [angular[a], angular[b]] }
    }

    /// Writes back what rows can have changed: a body that nothing pushes stays as it is.
    #[inline(always)]
    pub(super) fn store(self, rows: &ContactRows<S>, linear: &mut [Vec3<S>], angular: &mut [Vec3<S>]) {
        for side in 0..2 {
            let body = rows.bodies[side] as usize;
            if rows.push[side] != S::ZERO {
                linear[body] = self.linear[side];
                angular[body] = self.angular[side];
            }
        }
    }

    /// `J v` of one row: the relative speed along its direction.
    #[inline(always)]
    pub(super) fn along(&self, direction: Vec3<S>, row: &Row<S>) -> S {
        (self.linear[1] - self.linear[0]).dot(direction) + self.around(row)
    }

    /// `J v` of a row that only turns.
    #[inline(always)]
    pub(super) fn around(&self, row: &Row<S>) -> S {
        row.lever[1].dot(self.angular[1]) - row.lever[0].dot(self.angular[0])
    }

    /// Applies an impulse (m/s) along one row to both bodies.
    #[inline(always)]
    pub(super) fn push(&mut self, direction: Vec3<S>, push: [S; 2], row: &Row<S>, impulse: S) {
        self.shove(direction, push, impulse);
        self.turn(row, impulse);
    }

    /// The linear part of an impulse.
    #[inline(always)]
    pub(super) fn shove(&mut self, direction: Vec3<S>, push: [S; 2], impulse: S) {
        self.linear[0] -= direction * (push[0] * impulse);
        self.linear[1] += direction * (push[1] * impulse);
    }

    /// The angular part of an impulse.
    #[inline(always)]
    pub(super) fn turn(&mut self, row: &Row<S>, impulse: S) {
        self.angular[0] -= row.turn[0] * impulse;
        self.angular[1] += row.turn[1] * impulse;
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
