//! Contacts whose numbers are small are solved in the lanes for such; where one was not, the contact is solved again in the others.
//!
//! What rows are multiplied with is seen once, when they are made ([`note_small_rows`]); what changes from pass to pass a [`Watch`]
//! sees on its way. No bit of a result depends on the lanes.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::collider::ContactSurface;
use crate::dynamics::solver::answers::{LEVER, SHORT, SPARED, UNIT};
use crate::dynamics::solver::by_colour::Pass;
use crate::dynamics::solver::chunk::PointFates;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{PatchRows, RowsView};
use crate::math::lanes::{Block, LANES, Lanes, SMALL, Watch};
use crate::math::{Scalar, SymMat3, Vec3};

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

/// Whether all lanes from `at` on, of the first `count`, which are taken, are among these.
#[inline(always)]
pub(super) fn are_all_of<L: Lanes>((count, at): (usize, usize), small_lanes: u8) -> bool {
    let taken = u8::MAX >> (LANES - (count - at).min(L::WIDTH));
    taken & !small_lanes == 0
}

/// Whether all lanes in view that a contact has taken are among these.
#[inline(always)]
pub(super) fn are_small<L: Lanes>(view: &RowsView<'_, L::Scalar>, small_lanes: u8) -> bool {
    are_all_of::<L>((view.bodies.count, view.at), small_lanes)
}

/// Notes in which lanes of those in view all that rows are multiplied with is small.
#[inline(always)]
pub(super) fn note_small_rows<L: Lanes>(view: &mut RowsView<'_, L::Scalar>) {
    let (at, common) = (view.at, &*view.common);
    let [mut largest, mut directions, mut levers, mut lengths, mut spared] = [L::zero(); 5];
    for direction in &common.directions {
        see(&mut directions, *direction, at);
    }
    for SymMat3 { xx, yy, zz, xy, xz, yz } in common.inverse_inertia {
        see(&mut largest, Vec3::new(xx, yy, zz), at);
        see(&mut largest, Vec3::new(xy, xz, yz), at);
    }
    for arm in common.arms.iter().chain(view.arms.iter().flat_map(|arms| &arms.0)) {
        see(&mut lengths, *arm, at);
    }
    see_number(&mut lengths, &common.length, at);
    let ContactSurface { friction, restitution, rolling_friction, spinning_friction } = &common.surface;
    let alone =
        [&common.twist.mass, &common.inverse_length, friction, restitution, rolling_friction, spinning_friction];
    for number in common.inverse_mass.iter().chain(alone) {
        see_number(&mut largest, number, at);
    }
    for point in view.points.iter() {
        point.by_others[..view.points.len() - 1].iter().for_each(|by_other| see_number(&mut spared, by_other, at));
        see_number(&mut largest, &point.radius, at);
        see_number(&mut largest, &point.drift, at);
        see_number(&mut directions, &point.mass, at);
        point.levers.iter().for_each(|lever| see_number(&mut levers, lever, at));
    }
    for disc in view.friction.iter().chain(view.rolling.as_deref()) {
        for number in disc.inverse.iter().chain(&[disc.slip_inverse]) {
            see_number(&mut largest, number, at);
        }
    }
    for number in view.friction.iter().flat_map(|disc| &disc.drift) {
        see_number(&mut largest, number, at);
    }
    if let Some(PatchRows { slide_by_press, twist_by_press, twist_by_slide }) = view.patch.as_deref() {
        for number in slide_by_press.iter().flatten().chain(twist_by_press).chain(twist_by_slide) {
            see_number(&mut largest, number, at);
        }
    }
    let mut is_small = L::mask(u8::MAX);
    let limits = [(SMALL, largest), (UNIT, directions), (LEVER, levers), (SHORT, lengths), (SPARED, spared)];
    for (limit, numbers) in limits {
        is_small = L::and(is_small, L::splat(L::Scalar::from_i32(limit as i32)).is_above(numbers));
    }
    view.bodies.has_small_rows.set::<L>(at, L::mask(u8::MAX), is_small);
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
    friction: [[Block<S>; 2]; MAX_POINTS],
    rolling: [Block<S>; 2],
    twist: Block<S>,
    fates: PointFates,
}

impl<S: Scalar> ImpulsesBefore<S> {
    #[inline(always)]
    fn of(view: &RowsView<'_, S>) -> Self {
        let nothing = [Block::ZERO; 2];
        let mut before = Self {
            points: [Block::ZERO; MAX_POINTS],
            friction: [nothing; MAX_POINTS],
            rolling: nothing,
            twist: view.common.twist.impulse,
            fates: view.bodies.fates,
        };
        for (kept, point) in before.points.iter_mut().zip(view.points.iter()) {
            *kept = point.impulse;
        }
        for (kept, disc) in before.friction.iter_mut().zip(view.friction.iter()) {
            *kept = disc.impulse;
        }
        if let Some(rolling) = &view.rolling {
            before.rolling = rolling.impulse;
        }
        before
    }

    fn put_back(&self, view: &mut RowsView<'_, S>) {
        view.common.twist.impulse = self.twist;
        view.bodies.fates = self.fates;
        for (kept, point) in self.points.iter().zip(view.points.iter_mut()) {
            point.impulse = *kept;
        }
        for (kept, disc) in self.friction.iter().zip(view.friction.iter_mut()) {
            disc.impulse = *kept;
        }
        if let Some(rolling) = view.rolling.as_deref_mut() {
            rolling.impulse = self.rolling;
        }
    }
}

#[cfg(test)]
mod tests;
