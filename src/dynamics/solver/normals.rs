//! The normal rows of one contact, solved together.
//!
//! Solved one after the other, the points of a flat contact tilt the body while it settles, and nothing damps that. So the
//! rows of a contact are swept, up and down in turn, until little changes; the bodies see the sum.
//!
//! The sweeps know no speeds. What the impulse at a point has to be depends on the impulses at the others alone, and is kept up to date for
//! each point while these change: so one row follows on another after a comparison, a difference and a product.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::exchange::{Exchange, Growth, Pressed};
use crate::dynamics::solver::rows::{RowsView, among_others};
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
    /// Part of the speed error that is removed, 0 to 1, where the rows yield; the rest of the impulse is given back.
    pub mass_scale: L,
    /// Whether the row takes part at all.
    pub acts: L::Mask,
}

impl<L: Lanes> Target<L> {
    /// Takes no part.
    #[inline(always)]
    pub(super) fn idle() -> Self {
        Self { bias: L::zero(), mass_scale: L::zero(), acts: L::mask(0) }
    }

    /// Exactly `J v = -bias`, where it acts.
    #[inline(always)]
    pub(super) fn rigid(bias: L, acts: L::Mask) -> Self {
        Self { bias, mass_scale: L::splat(L::Scalar::ONE), acts }
    }

    /// Gives the whole impulse back in these lanes, where rows yield.
    #[inline(always)]
    pub(super) fn give_back(&mut self, lanes: L::Mask) {
        self.mass_scale = L::select(lanes, L::zero(), self.mass_scale);
    }
}

/// How normal rows are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NormalSolve<S> {
    /// Sweeps over the rows of a contact, at most; a single point has one.
    pub sweeps: u32,
    /// Whether the sum of an impulse is held above zero; else what each pass adds.
    pub accumulates: bool,
    /// Whether rows yield, as their targets say: remove a part of the error and give back the rest of the impulse.
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
    let largest = match view.points.len() {
        1 => solve_points::<L, 1>(exchange, view, targets, how, watch),
        2 => solve_points::<L, 2>(exchange, view, targets, how, watch),
        _ => solve_points::<L, MAX_POINTS>(exchange, view, targets, how, watch),
    };
    let [inverse_mass_a, inverse_mass_b] = &view.common.inverse_mass;
    largest * inverse_mass_a.get::<L>(view.at).larger(inverse_mass_b.get(view.at))
}

/// The same for at most `N` points, a number that the compiler knows; the largest change of an impulse, m/s.
#[inline(always)]
fn solve_points<L: Lanes, const N: usize>(
    exchange: &mut Exchange<L>,
    view: &mut RowsView<'_, L::Scalar>,
    targets: &[Target<L>; MAX_POINTS],
    how: NormalSolve<L::Scalar>,
    watch: &mut Watch<L>,
) -> L {
    let at = view.at;
    let mut rows = Sweeping::<L, N>::begin(&exchange.speeds.growth(), view, targets, how, watch);
    let before = rows.impulses;
    let present = [view.bodies.present[0].get::<L>(at), view.bodies.present[1].get::<L>(at)];
    let negligible = not_worth_a_sweep::<L, N>(view, how.negligible);
    rows.sweep(present, (how, negligible), watch);
    let (mut largest, mut pressed) = (L::zero(), Pressed::none());
    for (index, point) in view.points.iter_mut().enumerate().take(N) {
        point.impulse.set(at, rows.impulses[index]);
        let change = rows.impulses[index] - before[index];
        watch.see(change);
        largest = largest.larger(change.magnitude());
        if N > 1 {
            pressed.press(point.levers_at(at), change);
        } else {
            exchange.given.along[0] = change;
        }
    }
    if N > 1 {
        exchange.given.set_pressed(pressed);
    }
    exchange.given.show(watch);
    largest
}

/// The change of an impulse up to which another sweep is not worth it, m/s.
///
/// A tall body sways about points that are near each other: each moves nearly as far by an impulse at another as by its own, many sweeps
/// change little, and its centre moves by as much more as it is higher than they are apart. There it is the square of what is left to
/// each of them alone. Without that a pole trembles for ever.
#[inline(always)]
fn not_worth_a_sweep<L: Lanes, const N: usize>(view: &RowsView<'_, L::Scalar>, negligible: L::Scalar) -> L {
    let one = L::splat(L::Scalar::ONE);
    let Some(first) = view.points.first() else { return L::splat(negligible) };
    let mut least = one;
    for other in 1..N.min(view.points.len()) {
        // Of a point that does not count, nothing is known.
        let counts = view.bodies.present[other].get::<L>(view.at);
        let by_other = first.by_others[among_others(0, other)].get(view.at);
        least = L::select(counts, least.smaller(by_other), least);
    }
    let least_own = L::splat(L::Scalar::ONE.scale_by_power_of_two(LEAST_OWN));
    let own = (one - least).smaller(one).larger(least_own);
    L::splat(negligible) * (own * own)
}

/// The normal rows of a contact while they are swept.
struct Sweeping<L: Lanes, const N: usize> {
    /// What the impulse of each would be, with the others as they are, if it could pull, m/s.
    wanted: [L::Sum; N],
    impulses: [L; N],
    /// By how much less the first wants per unit of impulse at the second.
    by_others: [[L; N]; N],
    /// Whether it takes part.
    acts: [L::Mask; N],
}

impl<L: Lanes, const N: usize> Sweeping<L, N> {
    /// Those in view, between bodies that let the gaps grow like this. What is not there takes no part.
    #[inline(always)]
    fn begin(
        growth: &Growth<L>,
        view: &RowsView<'_, L::Scalar>,
        targets: &[Target<L>; MAX_POINTS],
        how: NormalSolve<L::Scalar>,
        watch: &mut Watch<L>,
    ) -> Self {
        let (at, none) = (view.at, L::zero());
        let mut rows = Self {
            wanted: [none.begin_sum(); N],
            impulses: [none; N],
            by_others: [[none; N]; N],
            acts: [L::mask(0); N],
        };
        for (index, point) in view.points.iter().enumerate().take(N) {
            let target = &targets[index];
            let speed = if N > 1 { growth.at(point.levers_at(at)) } else { growth.at_middle } + target.bias;
            let impulse: L = point.impulse.get(at);
            watch.see_both([speed, impulse]);
            let mut wanted = impulse - point.mass.get::<L>(at) * speed;
            if how.yields {
                watch.see(wanted);
                wanted = wanted * target.mass_scale;
            }
            (rows.impulses[index], rows.wanted[index]) = (impulse, wanted.begin_sum());
            rows.acts[index] = target.acts;
            for other in 0..N {
                if other == index {
                    continue;
                }
                let mut by_other: L = point.by_others[among_others(index, other)].get(at);
                if how.yields {
                    by_other = by_other * target.mass_scale;
                }
                rows.by_others[index][other] = by_other;
            }
        }
        rows
    }

    /// Sweeps up and down until nothing changes that is worth another pair of sweeps; a single point is solved once.
    ///
    /// The row at which a sweep ends has nothing to do in the next, which begins there. A contact is swept if its first point is there, and
    /// more than once if its second is.
    #[inline(always)]
    fn sweep(
        &mut self,
        [mut going, has_several]: [L::Mask; 2],
        (how, negligible): (NormalSolve<L::Scalar>, L),
        watch: &mut Watch<L>,
    ) {
        self.solve_point(0, (going, how), watch);
        if N == 1 {
            return;
        }
        let mut sweeps = 0;
        loop {
            for index in 1..N {
                self.solve_point(index, (going, how), watch);
            }
            sweeps += 1;
            going = L::and(going, has_several);
            if sweeps >= how.sweeps || !L::any(going) {
                return;
            }
            let mut largest = L::zero();
            for from_end in 1..N {
                let fall = self.solve_point(N - 1 - from_end, (going, how), watch);
                largest = largest.larger(fall.magnitude());
            }
            sweeps += 1;
            if sweeps >= LEAST_SWEEPS {
                going = L::and(going, largest.is_above(negligible));
            }
            if sweeps >= how.sweeps || !L::any(going) {
                return;
            }
        }
    }

    /// Solves one row in the lanes in which it acts; by how much its impulse fell.
    #[inline(always)]
    fn solve_point(
        &mut self,
        index: usize,
        (going, how): (L::Mask, NormalSolve<L::Scalar>),
        watch: &mut Watch<L>,
    ) -> L {
        let old = self.impulses[index];
        let least = if how.accumulates { L::zero() } else { old };
        let wanted = L::end_sum(self.wanted[index]).larger(least);
        let new = L::select(L::and(self.acts[index], going), wanted, old);
        let fall = old - new;
        watch.see(fall);
        self.impulses[index] = new;
        for other in 0..N {
            if other == index {
                continue;
            }
            self.wanted[other] = L::plus_product(self.wanted[other], self.by_others[other][index], fall);
        }
        fall
    }
}

#[cfg(test)]
mod tests {
    use super::{NormalSolve, Sweeping};
    use crate::math::lanes::Watch;
    use crate::math::{Fixed, Scalar, SplitMix64};

    /// Four points with a coupling `K` that is symmetric and positive definite, driven to random speeds `-b`: after many sweeps
    /// `impulse >= 0`, `K impulse + b >= 0`, and at each point one of both is zero.
    fn sweeps_lead_to_impulses_that_stop_and_never_pull<S: Scalar>() {
        let mut random = SplitMix64::new(11);
        let bound = 1e-6 + 1000.0 * S::EPSILON.to_f64(); // of roundings of some thousand changes
        for case in 0..500 {
            let mut part = || random.below(2001) as f64 / 1000.0 - 1.0;
            let factor: [[f64; 4]; 4] = [(); 4].map(|()| [(); 4].map(|()| part()));
            let bias: [f64; 4] = [(); 4].map(|()| part());
            let entry = |row: usize, column: usize| {
                let product: f64 = (0..4).map(|index| factor[row][index] * factor[column][index]).sum();
                product + if row == column { 1.0 } else { 0.0 }
            };
            let of = |number: f64| S::from_ratio((number * 1e9) as i64, 1_000_000_000);
            let mut rows = Sweeping::<S, 4> {
                wanted: [0, 1, 2, 3].map(|row: usize| of(-bias[row] / entry(row, row))),
                impulses: [S::ZERO; 4],
                by_others: [0, 1, 2, 3]
                    .map(|row: usize| [0, 1, 2, 3].map(|other: usize| of(entry(row, other) / entry(row, row)))),
                acts: [true; 4],
            };
            let how = NormalSolve { sweeps: 400, accumulates: true, yields: false, negligible: S::ZERO };
            rows.sweep([true; 2], (how, S::ZERO), &mut Watch::new());
            let impulses = rows.impulses.map(S::to_f64);
            for row in 0..4 {
                let speed = bias[row] + (0..4).map(|other| entry(row, other) * impulses[other]).sum::<f64>();
                let is_held = impulses[row] >= 0.0 && speed > -bound && (impulses[row] * speed).abs() < bound;
                assert!(is_held, "{}, case {case}, point {row}: {} and {speed}", S::KIND, impulses[row]);
            }
        }
    }

    #[test]
    fn sweeps_end_where_every_point_rests_or_is_free() {
        sweeps_lead_to_impulses_that_stop_and_never_pull::<Fixed>();
        sweeps_lead_to_impulses_that_stop_and_never_pull::<f32>();
        sweeps_lead_to_impulses_that_stop_and_never_pull::<f64>();
    }
}
