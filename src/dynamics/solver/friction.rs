//! Friction of one contact: Coulomb's disc, twisting about the normal, rolling.

use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{CommonRows, LaneDisc, RowsView};
use crate::math::Scalar;
use crate::math::lanes::{Block, Lanes, Watch};

/// Solves the friction of a contact, limited by the normal impulses of its points.
#[inline(always)]
pub(super) fn solve_friction<L: Lanes>(
    motion: &mut PairMotion<L>,
    view: &mut RowsView<'_, L::Scalar>,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let (mut pressed, mut grip) = (L::zero(), L::zero());
    for point in view.points.iter() {
        let impulse: L = point.impulse.get(at);
        pressed = pressed + impulse;
        grip = grip + impulse * point.radius.get(at);
    }
    watch.see_both([pressed, grip]);
    solve_discs(motion, view, pressed, watch);
    let twist_mass: L = view.common.twist.mass.get(at);
    let twisted: L = view.common.twist.impulse.get(at);
    let is_loaded = L::or(pressed.differs(L::zero()), twisted.differs(L::zero()));
    let twists = L::and(twist_mass.differs(L::zero()), is_loaded);
    if L::any(twists) {
        solve_twist(motion, view.common, at, (twists, pressed, grip), watch);
    }
    if let Some(rolling) = &mut view.rolling {
        let arm: L = view.common.surface.rolling_friction.get(at);
        let resists = arm.differs(L::zero());
        if L::any(resists) {
            let limit = (arm * pressed).over(view.common.length.get(at));
            watch.see(limit);
            solve_rolling(motion, rolling, at, (resists, limit), watch);
        }
    }
}

/// The friction of each point, or of all of them together.
#[inline(always)]
fn solve_discs<L: Lanes>(
    motion: &mut PairMotion<L>,
    view: &mut RowsView<'_, L::Scalar>,
    pressed: L,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let RowsView { bodies, common, points, friction, .. } = view;
    let coefficient: L = common.surface.friction.get(at);
    let rubs = coefficient.differs(L::zero());
    if !L::any(rubs) {
        return;
    }
    let is_patch = friction.len() == 1;
    let tangents = [common.directions[1].at(at), common.directions[2].at(at)];
    let inverse_mass = [common.inverse_mass[0].get(at), common.inverse_mass[1].get(at)];
    let age: L = common.age.get(at);
    watch.see(age);
    for (index, disc) in friction.iter_mut().enumerate() {
        let normal = if is_patch { pressed } else { points[index].impulse.get::<L>(at) };
        let (first, second): (L, L) = (disc.impulse[0].get(at), disc.impulse[1].get(at));
        let rubbed = L::or(first.differs(L::zero()), second.differs(L::zero()));
        let which = L::and(L::and(rubs, bodies.present[index].get::<L>(at)), L::or(rubbed, normal.differs(L::zero())));
        if L::any(which) {
            motion.show(watch);
            let rows = [disc.rows[0].at(at), disc.rows[1].at(at)];
            let drift = [disc.drift[0].get::<L>(at) * age, disc.drift[1].get::<L>(at) * age];
            let speed =
                [motion.along(tangents[0], &rows[0]) + drift[0], motion.along(tangents[1], &rows[1]) + drift[1]];
            let change = disc.respond((speed, coefficient * normal), at, which, watch);
            motion.apply(tangents[0], inverse_mass, &rows[0], change[0]);
            motion.apply(tangents[1], inverse_mass, &rows[1], change[1]);
        }
    }
}

/// The two rows against rolling, in some lanes.
#[inline(always)]
fn solve_rolling<L: Lanes>(
    motion: &mut PairMotion<L>,
    disc: &mut LaneDisc<L::Scalar>,
    at: usize,
    (which, limit): (L::Mask, L),
    watch: &mut Watch<L>,
) {
    motion.show_spins(watch);
    let rows = [disc.rows[0].at(at), disc.rows[1].at(at)];
    let speed = [motion.around(&rows[0]), motion.around(&rows[1])];
    let change = disc.respond((speed, limit), at, which, watch);
    motion.apply_angular(&rows[0], change[0]);
    motion.apply_angular(&rows[1], change[1]);
}

/// The row against twisting, in some lanes.
#[inline(always)]
fn solve_twist<L: Lanes>(
    motion: &mut PairMotion<L>,
    common: &mut CommonRows<Block<L::Scalar>>,
    at: usize,
    (which, pressed, grip): (L::Mask, L, L),
    watch: &mut Watch<L>,
) {
    let arm: L = common.surface.spinning_friction.get(at);
    let spinning = if L::any(arm.differs(L::zero())) { (arm * pressed).over(common.length.get(at)) } else { L::zero() };
    let coefficient: L = common.surface.friction.get(at);
    let limit = coefficient * grip + spinning;
    watch.see(limit);
    motion.show_spins(watch);
    let row = common.twist.row.at(at);
    let old: L = common.twist.impulse.get(at);
    let mass: L = common.twist.mass.get(at);
    let speed = motion.around(&row);
    watch.see_both([speed, old]);
    let new = (old - mass * speed).larger(-limit).smaller(limit);
    let change = L::select(which, new - old, L::zero());
    watch.see(change);
    common.twist.impulse.set(at, L::select(which, new, old));
    motion.apply_angular(&row, change);
}

impl<S: Scalar> LaneDisc<S> {
    /// Takes the impulses of some lanes to what stops these speeds, or to the limit against them; what changed.
    #[inline(always)]
    fn respond<L: Lanes<Scalar = S>>(
        &mut self,
        (speed, limit): ([L; 2], L),
        at: usize,
        which: L::Mask,
        watch: &mut Watch<L>,
    ) -> [L; 2] {
        watch.see_both(speed);
        watch.see_both([self.impulse[0].get(at), self.impulse[1].get(at)]);
        let (first, second, cross) = (self.inverse[0].get(at), self.inverse[1].get(at), self.inverse[2].get(at));
        let old: [L; 2] = [self.impulse[0].get(at), self.impulse[1].get(at)];
        let stuck = [old[0] - L::dot2([first, cross], speed), old[1] - L::dot2([cross, second], speed)];
        let slips = L::and(which, L::is_longer2(stuck, limit));
        let mut new = stuck;
        if L::any(slips) {
            let slipped = slip(old, speed, self.slip_inverse.get(at), (limit, slips));
            new = [L::select(slips, slipped[0], stuck[0]), L::select(slips, slipped[1], stuck[1])];
        }
        self.slips.set::<L>(at, which, slips);
        self.impulse[0].set(at, L::select(which, new[0], old[0]));
        self.impulse[1].set(at, L::select(which, new[1], old[1]));
        let none = L::zero();
        let change = [L::select(which, new[0] - old[0], none), L::select(which, new[1] - old[1], none)];
        watch.see_both(change);
        change
    }
}

/// Friction of a point that slips: at its limit, against the slip.
///
/// What would stop the point leans towards the direction in which it is easier to move, so clamping that to the disc would
/// spend a part of the limit across the slip. A step alike in all directions, then the disc, rests only where friction
/// opposes the slip.
#[inline(always)]
fn slip<L: Lanes>(old: [L; 2], speed: [L; 2], inverse: L, (limit, which): (L, L::Mask)) -> [L; 2] {
    L::held_within([old[0] - speed[0] * inverse, old[1] - speed[1] * inverse], limit, which)
}
