//! The normal rows of one contact, solved together.
//!
//! Solved one after the other, the points of a flat contact tilt the body while it settles, and nothing damps that. So the
//! rows of a contact are swept, up and down in turn, on their own small coupling until little changes; the bodies see the sum.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{ContactRows, PointRows};
use crate::math::Scalar;

/// What a normal row is driven to: `J v = -bias`, a part of the error at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target<S> {
    /// Minus the speed aimed at, m/s.
    pub bias: S,
    /// Part of the speed error that is removed, 0 to 1.
    pub mass_scale: S,
    /// Part of the impulse that is given back, 0 to 1.
    pub impulse_scale: S,
    /// Whether the row takes part at all.
    pub acts: bool,
}

impl<S: Scalar> Target<S> {
    /// Takes no part.
    pub(super) const IDLE: Self = Self { bias: S::ZERO, mass_scale: S::ZERO, impulse_scale: S::ZERO, acts: false };

    /// Exactly `J v = -bias`.
    pub(super) const fn rigid(bias: S) -> Self {
        Self { bias, mass_scale: S::ONE, impulse_scale: S::ZERO, acts: true }
    }
}

/// The power of two in m/s up to which a change of an impulse is not worth another sweep: 0.12 mm/s.
const NEGLIGIBLE: i32 = -13;

/// How normal rows are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NormalSolve {
    /// Sweeps over the rows of a contact, at most.
    pub sweeps: u32,
    /// Whether the sum of an impulse is held above zero; else what each pass adds.
    pub accumulates: bool,
}

/// Solves the normal rows of a contact and applies what they change; the largest change of a speed, m/s.
#[inline(always)]
pub(super) fn solve_normals<S: Scalar>(
    motion: &mut PairMotion<S>,
    contact: &ContactRows<S>,
    points: &mut [PointRows<S>],
    targets: &[Target<S>; MAX_POINTS],
    how: NormalSolve,
) -> S {
    let normal = contact.directions[0];
    let mut speeds = [S::ZERO; MAX_POINTS];
    let mut before = [S::ZERO; MAX_POINTS];
    for (index, point) in points.iter().enumerate() {
        speeds[index] = motion.along(normal, &point.normal) + targets[index].bias;
        before[index] = point.impulse;
    }
    let sweeps = if points.len() == 1 { 1 } else { how.sweeps };
    for sweep in 0..sweeps {
        if !sweep_once(contact, points, targets, &mut speeds, (sweep % 2 == 1, how.accumulates)) {
            break;
        }
    }
    let mut sum = S::ZERO;
    let mut largest = S::ZERO;
    for (point, before) in points.iter().zip(before) {
        let change = point.impulse - before;
        if change != S::ZERO {
            motion.turn(&point.normal, change);
            sum += change;
            largest = largest.max(change.abs());
        }
    }
    motion.shove(normal, contact.push, sum);
    largest * contact.push[0].max(contact.push[1])
}

/// One sweep; whether it changed anything worth another.
#[inline(always)]
fn sweep_once<S: Scalar>(
    contact: &ContactRows<S>,
    points: &mut [PointRows<S>],
    targets: &[Target<S>; MAX_POINTS],
    speeds: &mut [S; MAX_POINTS],
    (backwards, accumulates): (bool, bool),
) -> bool {
    let count = points.len();
    let negligible = S::ONE.scale_by_power_of_two(NEGLIGIBLE);
    let mut changed = false;
    for step in 0..count {
        let index = if backwards { count - 1 - step } else { step };
        let Target { mass_scale, impulse_scale, acts, .. } = targets[index];
        if !acts {
            continue;
        }
        let point = &mut points[index];
        let old = point.impulse;
        let drop = mass_scale * (point.mass * speeds[index]) + impulse_scale * old;
        let new = if accumulates { (old - drop).max(S::ZERO) } else { old + (-drop).max(S::ZERO) };
        let change = new - old;
        if change == S::ZERO {
            continue;
        }
        point.impulse = new;
        changed |= change.abs() > negligible;
        for (speed, coupling) in speeds.iter_mut().zip(contact.coupling[index]) {
            *speed += coupling * change;
        }
    }
    changed
}
