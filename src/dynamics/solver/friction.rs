//! Friction of one contact: Coulomb's disc, twisting about the normal, rolling.

use crate::dynamics::solver::exchange::{Exchange, Push, Six, weighted_sum};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{CommonRows, LaneDisc, RowsView};
use crate::math::Scalar;
use crate::math::lanes::{Block, Flags, Lanes, Watch};

/// Solves the friction of a contact, limited by the normal impulses of its points, and pushes the bodies with all that was given.
#[inline(always)]
pub(super) fn solve_friction<L: Lanes>(
    mut exchange: Exchange<L>,
    motion: &mut PairMotion<L>,
    view: &mut RowsView<'_, L::Scalar>,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let (mut pressed, mut grip) = (L::zero(), L::zero().begin_sum());
    for point in view.points.iter() {
        let impulse: L = point.impulse.get(at);
        pressed = pressed + impulse;
        grip = L::plus_product(grip, impulse, point.radius.get(at));
    }
    let grip = L::end_sum(grip);
    watch.see_both([pressed, grip]);
    let twists = twisting_lanes(view, pressed);
    if view.patch.is_some() {
        rub_patch(&mut exchange, view, pressed, watch);
        if L::any(twists) {
            twist_patch(&mut exchange, view, (twists, pressed, grip), watch);
        }
        exchange.hand_over((view.common, at), motion, watch);
    } else {
        exchange.hand_over((view.common, at), motion, watch);
        rub_points(motion, view, watch);
        if L::any(twists) {
            twist_bodies(motion, view.common, at, (twists, pressed, grip), watch);
        }
    }
    if let Some(rolling) = &mut view.rolling {
        let arm: L = view.common.surface.rolling_friction.get(at);
        let resists = arm.differs(L::zero());
        if L::any(resists) {
            let limit = arm * pressed * view.common.inverse_length.get(at);
            watch.see(limit);
            roll((motion, view.common), rolling, at, (resists, limit), watch);
        }
    }
}

/// The lanes in which the row against twisting has something to do.
#[inline(always)]
fn twisting_lanes<L: Lanes>(view: &RowsView<'_, L::Scalar>, pressed: L) -> L::Mask {
    let twist = &view.common.twist;
    let twisted: L = twist.impulse.get(view.at);
    let is_loaded = L::or(pressed.differs(L::zero()), twisted.differs(L::zero()));
    L::and(twist.mass.get::<L>(view.at).differs(L::zero()), is_loaded)
}

/// The lanes in which a disc rubs that is pressed like this.
#[inline(always)]
fn rubbing_lanes<L: Lanes>(disc: &LaneDisc<L::Scalar>, at: usize, rubs: L::Mask, normal: L) -> L::Mask {
    let (first, second): (L, L) = (disc.impulse[0].get(at), disc.impulse[1].get(at));
    let rubbed = L::or(first.differs(L::zero()), second.differs(L::zero()));
    L::and(rubs, L::or(rubbed, normal.differs(L::zero())))
}

/// The friction of all points together, from the speeds that what presses leaves.
#[inline(always)]
fn rub_patch<L: Lanes>(
    exchange: &mut Exchange<L>,
    view: &mut RowsView<'_, L::Scalar>,
    pressed: L,
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let coefficient: L = view.common.surface.friction.get(at);
    let rubs = L::and(coefficient.differs(L::zero()), view.bodies.present[0].get::<L>(at));
    let (Some(disc), Some(patch)) = (view.friction.first_mut(), &view.patch) else { return };
    let which = rubbing_lanes(disc, at, rubs, pressed);
    if !L::any(which) {
        return;
    }
    let Exchange { speeds, given, .. } = exchange;
    let has_several = view.points.len() > 1;
    let drift = speed_of_drift((disc, view.common), view.bodies.drifts, at, watch);
    let mut speed = [speeds.along[1], speeds.along[2]];
    for ((speed, by_press), drift) in speed.iter_mut().zip(&patch.slide_by_press).zip(drift) {
        *speed = *speed + pressed_speed(by_press, at, given, has_several) + drift;
    }
    let slips;
    ([given.along[1], given.along[2]], slips) = disc.respond((speed, coefficient * pressed), at, which, watch);
    view.bodies.fates.slips[0].set::<L>(at, which, slips);
}

/// How far the speeds along the rows of a disc have grown since these were made.
#[inline(always)]
fn speed_of_drift<L: Lanes>(
    (disc, common): (&LaneDisc<L::Scalar>, &CommonRows<Block<L::Scalar>>),
    drifts: Flags,
    at: usize,
    watch: &mut Watch<L>,
) -> [L; 2] {
    if !L::any(drifts.get::<L>(at)) {
        return [L::zero(); 2];
    }
    let age: L = common.age.get(at);
    watch.see(age);
    // One zero, whether others beside it drift or not.
    [disc.drift[0].get::<L>(at) * age + L::zero(), disc.drift[1].get::<L>(at) * age + L::zero()]
}

/// The speed that comes of what presses: an impulse along the normal, and of several points those about the tangents.
#[inline(always)]
fn pressed_speed<L: Lanes>(by_press: &[Block<L::Scalar>; 3], at: usize, given: &Six<L>, has_several: bool) -> L {
    if !has_several {
        return by_press[0].get::<L>(at) * given.along[0];
    }
    let by_press = [by_press[0].get(at), by_press[1].get(at), by_press[2].get(at)];
    L::dot3(by_press, [given.along[0], given.about[1], given.about[2]])
}

/// The row against twisting, in some lanes, from the speed that all other impulses leave.
#[inline(always)]
fn twist_patch<L: Lanes>(
    exchange: &mut Exchange<L>,
    view: &mut RowsView<'_, L::Scalar>,
    (which, pressed, grip): (L::Mask, L, L),
    watch: &mut Watch<L>,
) {
    let at = view.at;
    let Some(patch) = &view.patch else { return };
    let Exchange { speeds, given, .. } = exchange;
    let [by_first, by_second] = &patch.twist_by_slide;
    let by_slide = L::dot2([by_first.get(at), by_second.get(at)], [given.along[1], given.along[2]]);
    let by_press = pressed_speed(&patch.twist_by_press, at, given, view.points.len() > 1);
    let speed = speeds.about[0] + by_press + by_slide;
    given.about[0] = twist(view.common, at, (which, speed), (pressed, grip), watch);
}

/// The same between bodies that have been pushed by all other impulses.
#[inline(always)]
fn twist_bodies<L: Lanes>(
    motion: &mut PairMotion<L>,
    common: &mut CommonRows<Block<L::Scalar>>,
    at: usize,
    (which, pressed, grip): (L::Mask, L, L),
    watch: &mut Watch<L>,
) {
    motion.show_spins(watch);
    let normal = common.directions[0].at::<L>(at);
    let speed = common.turning(at, motion).dot(normal);
    let change = twist(common, at, (which, speed), (pressed, grip), watch);
    let mut push = Push::none();
    push.add_moment(normal * change);
    push.apply((common, at), motion, watch);
}

/// Takes the impulse about the normal to what stops this speed, or to the limit against it; what changed.
#[inline(always)]
fn twist<L: Lanes>(
    common: &mut CommonRows<Block<L::Scalar>>,
    at: usize,
    (which, speed): (L::Mask, L),
    (pressed, grip): (L, L),
    watch: &mut Watch<L>,
) -> L {
    let arm: L = common.surface.spinning_friction.get(at);
    let coefficient: L = common.surface.friction.get(at);
    let mut limit = coefficient * grip;
    if L::any(arm.differs(L::zero())) {
        limit = limit + arm * pressed * common.inverse_length.get(at);
    }
    watch.see(limit);
    let (mass, old): (L, L) = (common.twist.mass.get(at), common.twist.impulse.get(at));
    watch.see_both([speed, old]);
    let new = (old - mass * speed).larger(-limit).smaller(limit);
    let change = L::select(which, new - old, L::zero());
    watch.see(change);
    common.twist.impulse.set(at, L::select(which, new, old));
    change
}

/// The friction of each point, one after the other.
#[inline(always)]
fn rub_points<L: Lanes>(motion: &mut PairMotion<L>, view: &mut RowsView<'_, L::Scalar>, watch: &mut Watch<L>) {
    let at = view.at;
    let RowsView { bodies, common, points, friction, arms, .. } = view;
    let coefficient: L = common.surface.friction.get(at);
    let rubs = coefficient.differs(L::zero());
    if !L::any(rubs) {
        return;
    }
    let [_, first, second] = common.directions_at::<L>(at);
    for (index, (disc, arms)) in friction.iter_mut().zip(arms.iter()).enumerate() {
        let normal: L = points[index].impulse.get(at);
        let which = rubbing_lanes(disc, at, L::and(rubs, bodies.present[index].get::<L>(at)), normal);
        if L::any(which) {
            motion.show_spins(watch);
            let arms = arms.at(at);
            let moving = motion.between(arms);
            let drift = speed_of_drift((disc, common), bodies.drifts, at, watch);
            let speed = [moving.dot(first) + drift[0], moving.dot(second) + drift[1]];
            let (change, slips) = disc.respond((speed, coefficient * normal), at, which, watch);
            bodies.fates.slips[index].set::<L>(at, which, slips);
            let mut push = Push::none();
            push.add(weighted_sum([first, second], change), arms, common.inverse_length.get(at), watch);
            push.apply((common, at), motion, watch);
        }
    }
}

/// The two rows against rolling, in some lanes.
#[inline(always)]
fn roll<L: Lanes>(
    (motion, common): (&mut PairMotion<L>, &CommonRows<Block<L::Scalar>>),
    disc: &mut LaneDisc<L::Scalar>,
    at: usize,
    (which, limit): (L::Mask, L),
    watch: &mut Watch<L>,
) {
    motion.show_spins(watch);
    let [_, first, second] = common.directions_at::<L>(at);
    let turning = common.turning(at, motion);
    let (change, _) = disc.respond(([turning.dot(first), turning.dot(second)], limit), at, which, watch);
    let mut push = Push::none();
    push.add_moment(weighted_sum([first, second], change));
    push.apply((common, at), motion, watch);
}

impl<S: Scalar> LaneDisc<S> {
    /// Takes the impulses of some lanes to what stops these speeds, or to the limit against them; what changed, and where the limit
    /// was reached.
    #[inline(always)]
    fn respond<L: Lanes<Scalar = S>>(
        &mut self,
        (speed, limit): ([L; 2], L),
        at: usize,
        which: L::Mask,
        watch: &mut Watch<L>,
    ) -> ([L; 2], L::Mask) {
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
        self.impulse[0].set(at, L::select(which, new[0], old[0]));
        self.impulse[1].set(at, L::select(which, new[1], old[1]));
        let none = L::zero();
        let change = [L::select(which, new[0] - old[0], none), L::select(which, new[1] - old[1], none)];
        watch.see_both(change);
        (change, slips)
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
