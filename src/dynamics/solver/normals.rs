//! The normal rows of one contact, solved together.
//!
//! Solved one after the other, the points of a flat contact tilt the body while it settles, and nothing damps that. So the
//! rows of a contact are swept, up and down in turn, on their own small coupling until little changes; the bodies see the sum.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::exchange::{Exchange, Pressed};
use crate::dynamics::solver::rows::{COUPLED, RowsView};
use crate::math::Scalar;
use crate::math::lanes::{Lanes, Watch};

/// The least part of what moves a point that is taken for its own, as a power of two: that of a pole seven times as high as it is wide.
const LEAST_OWN: i32 = -3;

/// Sweeps over the rows of a contact of several points, at least, however little they change.
///
/// What one sweep leaves depends on which point comes first, so what sways on the points is pushed across its way. With one sweep, three
/// boxes with a heavy middle, one on the other, sway more and more until their points change enough for another: for ever, at 20 Hz. The
/// substep as a linear map shows it: its largest eigenvalue is 1.011 there. With two it is 1.0009 for ten prisms of six sides on four of
/// their corners; with four it was below 1 for all of these towers.
const LEAST_SWEEPS: u32 = 4;

/// What a normal row is driven to: `J v = -bias`, a part of the error at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<L: Lanes> {
    /// Minus the speed aimed at, m/s.
    pub bias: L,
    /// Part of the speed error that is removed, 0 to 1, where the rows yield.
    pub mass_scale: L,
    /// Part of the impulse that is given back, 0 to 1, where the rows yield.
    pub impulse_scale: L,
    /// Whether the row takes part at all.
    pub acts: L::Mask,
}

impl<L: Lanes> Target<L> {
    /// Takes no part.
    #[inline(always)]
    pub(super) fn idle() -> Self {
        Self { bias: L::zero(), mass_scale: L::zero(), impulse_scale: L::zero(), acts: L::mask(0) }
    }

    /// Exactly `J v = -bias`, where it acts.
    #[inline(always)]
    pub(super) fn rigid(bias: L, acts: L::Mask) -> Self {
        Self { bias, mass_scale: L::splat(L::Scalar::ONE), impulse_scale: L::zero(), acts }
    }

    /// Gives the whole impulse back in these lanes, where rows yield.
    #[inline(always)]
    pub(super) fn give_back(&mut self, lanes: L::Mask) {
        self.mass_scale = L::select(lanes, L::zero(), self.mass_scale);
        self.impulse_scale = L::select(lanes, L::splat(L::Scalar::ONE), self.impulse_scale);
    }
}

/// How normal rows are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NormalSolve<S> {
    /// Sweeps over the rows of a contact, at most; a single point has one.
    pub sweeps: u32,
    /// Whether the sum of an impulse is held above zero; else what each pass adds.
    pub accumulates: bool,
    /// Whether rows yield, as their targets say: remove a part of the error and give back a part of the impulse.
    pub yields: bool,
    /// The change of an impulse up to which another sweep is not worth it, m/s.
    pub negligible: S,
}

/// Solves the normal rows of a contact, and gives what they change; the largest change of a speed, m/s.
#[inline(always)]
pub(super) fn solve_normals<L: Lanes>(
    exchange: &mut Exchange<L>,
    view: &mut RowsView<'_, L::Scalar>,
    targets: &[Target<L>; MAX_POINTS],
    how: NormalSolve<L::Scalar>,
    watch: &mut Watch<L>,
) -> L {
    let at = view.at;
    let has_several = view.points.len() > 1;
    let growth = exchange.speeds.growth();
    let mut speeds = [L::zero().begin_sum(); MAX_POINTS];
    let mut before = [L::zero(); MAX_POINTS];
    for (index, point) in view.points.iter().enumerate() {
        let speed = if has_several { growth.at(point.levers_at(at)) } else { growth.at_middle };
        speeds[index] = (speed + targets[index].bias).begin_sum();
        before[index] = point.impulse.get(at);
        watch.see(before[index]);
    }
    sweep(view, targets, &mut speeds, (how, watch));
    let (mut largest, mut pressed) = (L::zero(), Pressed::none());
    for (index, point) in view.points.iter().enumerate() {
        let change = point.impulse.get::<L>(at) - before[index];
        watch.see(change);
        largest = largest.larger(change.magnitude());
        if has_several {
            pressed.press(point.levers_at(at), change);
        } else {
            exchange.given.along[0] = change;
        }
    }
    if has_several {
        exchange.given.set_pressed(pressed);
    }
    exchange.given.show(watch);
    let [inverse_mass_a, inverse_mass_b] = &view.common.inverse_mass;
    largest * inverse_mass_a.get::<L>(at).larger(inverse_mass_b.get(at))
}

/// Sweeps up and down until nothing changes that is worth another pair of sweeps; a single point is solved once.
#[inline(always)]
fn sweep<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    targets: &[Target<L>; MAX_POINTS],
    speeds: &mut [L::Sum; MAX_POINTS],
    (how, watch): (NormalSolve<L::Scalar>, &mut Watch<L>),
) {
    let mut going = view.bodies.present[0].get::<L>(view.at);
    let negligible = not_worth_a_sweep(view, how.negligible);
    for sweep in 0..how.sweeps {
        let is_backwards = sweep % 2 == 1;
        let mut changed = L::mask(0);
        for step in 0..view.points.len() {
            let index = if is_backwards { view.points.len() - 1 - step } else { step };
            let acts = L::and(targets[index].acts, going);
            if L::any(acts) {
                let has_changed = solve_point(view, (index, &targets[index]), speeds, (acts, how, negligible), watch);
                changed = L::or(changed, has_changed);
            }
        }
        going = L::and(going, view.bodies.present[1].get::<L>(view.at));
        if is_backwards && sweep + 1 >= LEAST_SWEEPS {
            going = L::and(going, changed);
        }
        if !L::any(going) {
            return;
        }
    }
}

/// The change of an impulse up to which another sweep is not worth it, m/s.
///
/// A tall body sways about points that are near each other: each moves nearly as far by an impulse at another as by its own, many sweeps
/// change little, and its centre moves by as much more as it is higher than they are apart. There it is the square of what is left to
/// each of them alone. Without that a pole trembles for ever.
#[inline(always)]
fn not_worth_a_sweep<L: Lanes>(view: &RowsView<'_, L::Scalar>, negligible: L::Scalar) -> L {
    let (at, coupling) = (view.at, &view.common.coupling);
    let Some(first) = view.points.first() else { return L::splat(negligible) };
    let mut least: L = coupling[0].get(at);
    for other in 1..view.points.len() {
        // Of a point that does not count, nothing is known.
        let counts = view.bodies.present[other].get::<L>(at);
        least = L::select(counts, least.smaller(coupling[COUPLED[0][other]].get(at)), least);
    }
    let (one, mass) = (L::Scalar::ONE, first.mass.get::<L>(at));
    let own =
        (L::splat(one) - mass * least).smaller(L::splat(one)).larger(L::splat(one.scale_by_power_of_two(LEAST_OWN)));
    L::splat(negligible) * (own * own)
}

/// Solves one row where it acts; where that changed anything worth another sweep.
#[inline(always)]
fn solve_point<L: Lanes>(
    view: &mut RowsView<'_, L::Scalar>,
    (index, target): (usize, &Target<L>),
    speeds: &mut [L::Sum; MAX_POINTS],
    (acts, how, negligible): (L::Mask, NormalSolve<L::Scalar>, L),
    watch: &mut Watch<L>,
) -> L::Mask {
    let at = view.at;
    let point = &mut view.points[index];
    let old: L = point.impulse.get(at);
    let mass: L = point.mass.get(at);
    // With a mass of at most one this keeps the change of the impulse small enough.
    let speed = L::end_sum(speeds[index]);
    watch.see(speed);
    let mut drop = mass * speed;
    if how.yields {
        watch.see(old);
        drop = L::dot2([target.mass_scale, target.impulse_scale], [drop, old]);
    }
    let new = if how.accumulates { (old - drop).larger(L::zero()) } else { old + (-drop).larger(L::zero()) };
    let change = L::select(acts, new - old, L::zero());
    if !L::any(change.differs(L::zero())) {
        return L::mask(0);
    }
    point.impulse.set(at, L::select(acts, new, old));
    for (speed, place) in speeds.iter_mut().zip(COUPLED[index]).take(view.points.len()) {
        *speed = L::plus_product(*speed, view.common.coupling[place].get(at), change);
    }
    change.magnitude().is_above(negligible)
}
