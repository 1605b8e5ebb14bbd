//! Contacts whose numbers are small are solved in the lanes for such; where one was not, the contact is solved again in the others.
//!
//! What rows are multiplied with is seen once, when they are made ([`note_small_rows`]); what changes from pass to pass a [`Watch`]
//! sees on its way. No bit of a result depends on the lanes.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::dynamics::solver::answers::UNIT;
use crate::dynamics::solver::by_colour::Pass;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{LaneDisc, Row, RowsView};
use crate::math::lanes::{Block, Flags, LANES, Lanes, SMALL, Watch};
use crate::math::{Scalar, Vec3};

/// Works on the rows in view, between bodies that move with these velocities; how they move then, and the largest change of a
/// speed, m/s.
#[inline(always)]
pub(super) fn work_between<L: Lanes>(
    pass: &impl Pass<L::Scalar>,
    view: &mut RowsView<'_, L::Scalar>,
    linear: &[Vec3<L::Scalar>],
    angular: &[Vec3<L::Scalar>],
) -> (PairMotion<L>, L) {
    let small_rows = view.bodies.has_small_rows.bits_from(view.at);
    if <L::Narrow as Lanes>::IS_NARROW && pass.is_for_small() && are_small::<L>(view, small_rows) {
        let before = ImpulsesBefore::of(view);
        let mut watch = Watch::<L::Narrow>::new();
        let mut now = PairMotion::<L::Narrow>::gather(view, linear, angular);
        now.show(&mut watch);
        let change = pass.work_on(&mut now, view, &mut watch);
        if are_small::<L>(view, watch.small_lanes()) {
            return (PairMotion::of_narrow(&now), L::widened(change));
        }
        before.put_back(view);
    }
    let mut now = PairMotion::<L>::gather(view, linear, angular);
    let change = pass.work_on(&mut now, view, &mut Watch::<L>::new());
    (now, change)
}

/// The lanes in view that a contact has taken, as bits.
#[inline(always)]
fn used_lanes<L: Lanes>(view: &RowsView<'_, L::Scalar>) -> u8 {
    let used = (view.bodies.count - view.at).min(L::WIDTH);
    u8::MAX >> (LANES - used)
}

/// Whether all lanes in view that a contact has taken are among these.
#[inline(always)]
pub(super) fn are_small<L: Lanes>(view: &RowsView<'_, L::Scalar>, small_lanes: u8) -> bool {
    used_lanes::<L>(view) & !small_lanes == 0
}

/// Notes in which lanes of those in view all that rows are multiplied with is small.
#[inline(always)]
pub(super) fn note_small_rows<L: Lanes>(view: &mut RowsView<'_, L::Scalar>) {
    let at = view.at;
    let common = &*view.common;
    let (mut largest, mut heaviest) = (L::zero(), L::zero());
    for direction in &common.directions {
        see(&mut largest, *direction, at);
    }
    see_row(&mut largest, &common.twist.row, at);
    let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = &common.surface;
    let alone = [&common.twist.mass, &common.length, friction, restitution, rolling_friction, spinning_friction];
    for number in common.inverse_mass.iter().chain(alone) {
        see_number(&mut largest, number, at);
    }
    for (index, point) in view.points.iter().enumerate() {
        see_row(&mut largest, &point.normal, at);
        for number in common.coupling[index][..view.points.len()].iter().chain(&[point.radius]) {
            see_number(&mut largest, number, at);
        }
        see_number(&mut heaviest, &point.mass, at);
    }
    for disc in view.friction.iter().chain(view.rolling.as_deref()) {
        see_row(&mut largest, &disc.rows[0], at);
        see_row(&mut largest, &disc.rows[1], at);
        for number in disc.inverse.iter().chain(&disc.drift).chain(&[disc.slip_inverse]) {
            see_number(&mut largest, number, at);
        }
    }
    let [limit, unit] = [L::splat(L::Scalar::from_i32(SMALL as i32)), L::splat(L::Scalar::from_i32(UNIT as i32))];
    let is_small = L::and(limit.is_above(largest), unit.is_above(heaviest));
    view.bodies.has_small_rows.set::<L>(at, L::mask(u8::MAX), is_small);
}

#[inline(always)]
fn see_row<L: Lanes>(largest: &mut L, row: &Row<Block<L::Scalar>>, at: usize) {
    for vector in row.jacobian.iter().chain(&row.response) {
        see(largest, *vector, at);
    }
}

#[inline(always)]
fn see<L: Lanes>(largest: &mut L, Vec3 { x, y, z }: Vec3<Block<L::Scalar>>, at: usize) {
    see_number(largest, &x, at);
    see_number(largest, &y, at);
    see_number(largest, &z, at);
}

#[inline(always)]
fn see_number<L: Lanes>(largest: &mut L, number: &Block<L::Scalar>, at: usize) {
    *largest = largest.larger(number.get::<L>(at).magnitude());
}

/// The impulses of some rows before a pass, with whether they slipped.
struct ImpulsesBefore<S> {
    points: [Block<S>; MAX_POINTS],
    friction: [DiscBefore<S>; MAX_POINTS],
    rolling: DiscBefore<S>,
    twist: Block<S>,
}

type DiscBefore<S> = ([Block<S>; 2], Flags);

impl<S: Scalar> ImpulsesBefore<S> {
    #[inline(always)]
    fn of(view: &RowsView<'_, S>) -> Self {
        let nothing = ([Block::ZERO; 2], Flags::default());
        let mut before = Self {
            points: [Block::ZERO; MAX_POINTS],
            friction: [nothing; MAX_POINTS],
            rolling: nothing,
            twist: view.common.twist.impulse,
        };
        for (kept, point) in before.points.iter_mut().zip(view.points.iter()) {
            *kept = point.impulse;
        }
        for (kept, disc) in before.friction.iter_mut().zip(view.friction.iter()) {
            *kept = (disc.impulse, disc.slips);
        }
        if let Some(rolling) = &view.rolling {
            before.rolling = (rolling.impulse, rolling.slips);
        }
        before
    }

    fn put_back(&self, view: &mut RowsView<'_, S>) {
        view.common.twist.impulse = self.twist;
        for (kept, point) in self.points.iter().zip(view.points.iter_mut()) {
            point.impulse = *kept;
        }
        let put_back = |disc: &mut LaneDisc<S>, kept: DiscBefore<S>| (disc.impulse, disc.slips) = kept;
        for (kept, disc) in self.friction.iter().zip(view.friction.iter_mut()) {
            put_back(disc, *kept);
        }
        if let Some(rolling) = view.rolling.as_deref_mut() {
            put_back(rolling, self.rolling);
        }
    }
}

#[cfg(test)]
mod tests;
