//! Friction of one contact: Coulomb's disc, twisting about the normal, rolling.

use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{ContactView, DiscRows, PointRows, TwistRow};
use crate::math::{Scalar, Vec3};

/// Solves the friction of a contact; `pressed` is the normal impulse of each point that limits it.
#[inline(always)]
pub(super) fn solve_friction<S: Scalar>(
    motion: &mut PairMotion<S>,
    view: &mut ContactView<'_, S>,
    pressed: impl Fn(&PointRows<S>) -> S + Copy,
) {
    let ContactView { contact, points, friction, rolling } = view;
    let surface = contact.surface;
    let tangents = [contact.directions[1], contact.directions[2]];
    let is_patch = friction.len() == 1;
    if surface.friction != S::ZERO {
        for (index, disc) in friction.iter_mut().enumerate() {
            let normal = if is_patch { sum(points, pressed) } else { points.get(index).map_or(S::ZERO, pressed) };
            if normal != S::ZERO || disc.impulse != [S::ZERO; 2] {
                solve_disc(motion, contact.push, tangents, disc, surface.friction * normal);
            }
        }
    }
    if contact.twist.mass != S::ZERO {
        let grip = if is_patch { sum(points, |point| pressed(point) * point.radius) } else { S::ZERO };
        let spinning = if surface.spinning_friction == S::ZERO {
            S::ZERO
        } else {
            surface.spinning_friction * sum(points, pressed) / contact.length
        };
        solve_twist(motion, &mut contact.twist, surface.friction * grip + spinning);
    }
    if let Some(rolling) = rolling {
        let limit = surface.rolling_friction * sum(points, pressed) / contact.length;
        solve_rolling(motion, rolling, limit);
    }
}

/// Sum over the points.
#[inline(always)]
fn sum<S: Scalar>(points: &[PointRows<S>], of: impl Fn(&PointRows<S>) -> S) -> S {
    points.iter().fold(S::ZERO, |sum, point| sum + of(point))
}

/// Two tangent rows, their impulses held within a disc.
#[inline(always)]
fn solve_disc<S: Scalar>(
    motion: &mut PairMotion<S>,
    push: [S; 2],
    tangents: [Vec3<S>; 2],
    disc: &mut DiscRows<S>,
    limit: S,
) {
    let speed = [motion.along(tangents[0], &disc.rows[0]), motion.along(tangents[1], &disc.rows[1])];
    let change = disc.respond(speed, limit);
    motion.push(tangents[0], push, &disc.rows[0], change[0]);
    motion.push(tangents[1], push, &disc.rows[1], change[1]);
}

/// The two rows against rolling.
#[inline(always)]
fn solve_rolling<S: Scalar>(motion: &mut PairMotion<S>, disc: &mut DiscRows<S>, limit: S) {
    let speed = [0, 1].map(|row: usize| motion.around(&disc.rows[row]));
    let change = disc.respond(speed, limit);
    for (row, change) in disc.rows.iter().zip(change) {
        motion.turn(row, change);
    }
}

/// The row against twisting.
#[inline(always)]
fn solve_twist<S: Scalar>(motion: &mut PairMotion<S>, twist: &mut TwistRow<S>, limit: S) {
    let old = twist.impulse;
    let new = (old - twist.mass * motion.around(&twist.row)).clamp(-limit, limit);
    twist.impulse = new;
    motion.turn(&twist.row, new - old);
}

impl<S: Scalar> DiscRows<S> {
    /// Takes the impulses to what stops these speeds, or to the limit against them; what changed.
    #[inline(always)]
    fn respond(&mut self, speed: [S; 2], limit: S) -> [S; 2] {
        let [first, second, cross] = self.inverse;
        let old = self.impulse;
        let stuck = [old[0] - S::dot2([first, cross], speed), old[1] - S::dot2([cross, second], speed)];
        self.slips = S::is_longer2(stuck, limit);
        let new = if self.slips { slip(old, speed, self.slip_inverse, limit) } else { stuck };
        self.impulse = new;
        [new[0] - old[0], new[1] - old[1]]
    }
}

/// Friction of a point that slips: at its limit, against the slip.
///
/// What would stop the point leans towards the direction in which it is easier to move, so clamping that to the disc would
/// spend a part of the limit across the slip. A step alike in all directions, then the disc, rests only where friction
/// opposes the slip.
#[inline(always)]
fn slip<S: Scalar>(old: [S; 2], speed: [S; 2], inverse: S, limit: S) -> [S; 2] {
    let pushed = [old[0] - speed[0] * inverse, old[1] - speed[1] * inverse];
    let length = S::length3([pushed[0], pushed[1], S::ZERO]);
    if length > limit { pushed.map(|impulse| impulse * (limit / length)) } else { pushed }
}
