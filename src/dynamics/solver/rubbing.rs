//! How hard the points of a contact press for its friction, while a blow is sought.
//!
//! Friction is what the points press times its coefficient, and where it acts on a lever it lifts them off, or presses them on. Where it
//! lifts by more than they were pressed for it, what answers to what the other has just become swings between all and nothing: the end of
//! a rod that slides over a rough floor. So friction of a contact that is struck alone goes by the impulse at which both meet (Newton's
//! method, all driven points of the contact as one); and where impulses swing on, from point to point or between contacts, it follows
//! them by a part of the way.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::exchange::{Exchange, push_points};
use crate::dynamics::solver::friction::solve_friction;
use crate::dynamics::solver::normals::Target;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::passes::friction_push;
use crate::dynamics::solver::rows::RowsView;
use crate::math::lanes::Watch;
use crate::math::{Scalar, Vec3};

/// From here on, as a power of two, it matters how far friction lifts or presses on, as a part of what is pressed.
const MATTERS: i32 = -3;
/// Of what the points press together, as a power of two, what is little.
const LITTLE: i32 = -8;
/// Sweeps over the friction of one contact, at most. Each turns what slips a part of the way against its slip; and of several points, one after
/// the other, the first stops what all of them slip, and what is driven straight would leave with a spin.
const SWEEPS: u32 = 32;

/// The impulses of the points of a contact as far as its friction knows of them, m/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rubbing<S> {
    /// Whether there is any friction.
    pub(super) rubs: bool,
    /// What of a change is not worth another sweep, m/s.
    negligible: S,
    pressed: [S; MAX_POINTS],
    driven: [bool; MAX_POINTS],
    /// What the driven points are driven to on average, as in [`Target`].
    bias: S,
    /// How fast they part on average by a unit of impulse that all share alike; zero where others are struck as well.
    gain: S,
    /// The impulse that brings them there together, m/s; negative where they would have to be pulled.
    wanted: S,
    /// What they have together, m/s, and by how much that has changed in the last pass.
    sum: S,
    sum_changed: S,
    /// How friction lifts them or presses them on, where that matters.
    lift: Option<Lift<S>>,
}

/// How friction lifts points off, or presses them on.
#[derive(Clone, Copy, Debug)]
struct Lift<S> {
    /// What they have to press for the friction that there is, m/s.
    pressed: S,
    /// By how much more they have to be pressed for it, per unit of that; negative where it presses them on.
    part: S,
    /// Whether all slip, so that friction would be more if they pressed more.
    slips: bool,
}

impl<S: Scalar> Rubbing<S> {
    /// Before any pass, where the points in view are to be driven to these targets, as those of the only contact that is struck or not.
    pub(super) fn of(
        view: &RowsView<'_, S>,
        targets: &[Target<S>; MAX_POINTS],
        (rubs, is_alone): (bool, bool),
        negligible: S,
    ) -> Self {
        let mut rubbing = Self {
            rubs,
            negligible,
            pressed: [S::ZERO; MAX_POINTS],
            driven: targets.map(|target| target.acts),
            bias: S::ZERO,
            gain: S::ZERO,
            wanted: S::ZERO,
            sum: S::ZERO,
            sum_changed: S::ZERO,
            lift: None,
        };
        if rubs && is_alone {
            let share = rubbing.share();
            rubbing.bias = rubbing.mean(|index| targets[index].bias);
            let mut moved = PairMotion::default();
            push_points(view, rubbing.driven.map(|driven| if driven { share } else { S::ZERO }), &mut moved);
            rubbing.gain = rubbing.mean_growth(view, &moved);
        }
        rubbing
    }

    /// Whether the points press the same together as in the pass before, friction does not lift them, and all that still changes is a little
    /// that they trade between them, m/s.
    pub(super) fn only_trades(&self, change: S) -> bool {
        let is_settled = self.rubs && self.sum_changed <= self.negligible;
        let lifts = self.lift.is_some_and(|lift| lift.part > S::ZERO);
        is_settled && !lifts && change < self.sum.scale_by_power_of_two(LITTLE)
    }

    /// Looks at what the points want before they get it.
    pub(super) fn look_ahead(&mut self, view: &RowsView<'_, S>, now: &PairMotion<S>) {
        if self.rubs && self.gain > S::ZERO {
            self.wanted = pressed_by(view) - (self.mean_growth(view, now) + self.bias) / self.gain;
        }
    }

    /// Follows the impulses that the points have now by this part of the way; how far off it stays, m/s.
    pub(super) fn follow(&mut self, view: &RowsView<'_, S>, part: S) -> S {
        if !self.rubs {
            return S::ZERO;
        }
        let sum = pressed_by(view);
        (self.sum, self.sum_changed) = (sum, (sum - self.sum).abs());
        // Of points that are pressed on, all have to press: what they want on average is not what the others get where one does not.
        let mut points = view.points.iter().zip(self.driven);
        let all_press = points.all(|(point, driven)| !driven || point.impulse.0[view.at] > S::ZERO);
        let is_bound =
            |lift: &Lift<S>| (lift.slips || self.wanted < lift.pressed) && (lift.part > S::ZERO || all_press);
        let meeting = self.lift.filter(is_bound).map_or(sum, |lift| lift.meet(self.wanted));
        let last = self.pressed;
        self.press(meeting, view);
        let mut off = S::ZERO;
        for (pressed, last) in self.pressed.iter_mut().zip(last) {
            let goal = *pressed;
            if part < S::ONE {
                *pressed = last + (goal - last) * part;
            }
            off = off.max((goal - *pressed).abs());
        }
        off.max((sum - meeting).abs())
    }

    /// Solves the friction of the contact for what presses, and pushes its bodies with all that was given.
    pub(super) fn rub(&mut self, exchange: Exchange<S>, now: &mut PairMotion<S>, view: &mut RowsView<'_, S>) {
        self.rub_once(exchange, now, view);
        let mut lift = self.find_lift(view);
        if let (None, Some(found)) = (self.lift, lift) {
            // The first time; what rubs was found as if it did not lift.
            let meeting = found.meet(self.wanted - found.part * found.pressed);
            if meeting < found.pressed {
                self.press(meeting, view);
                self.rub_once(Exchange::begin(view, now), now, view);
                lift = self.find_lift(view).or(lift);
            }
        }
        self.lift = lift.or(self.lift);
    }

    fn rub_once(&mut self, exchange: Exchange<S>, now: &mut PairMotion<S>, view: &mut RowsView<'_, S>) {
        self.swap(view);
        let mut watch = Watch::new();
        solve_friction(exchange, now, view, &mut watch);
        for _ in 1..SWEEPS {
            let before = impulses_of_friction(view);
            solve_friction(Exchange::begin(view, now), now, view, &mut watch);
            let changes = before.into_iter().flatten().zip(impulses_of_friction(view).into_iter().flatten());
            if changes.fold(S::ZERO, |most, (before, now)| most.max((now - before).abs())) <= self.negligible {
                break;
            }
        }
        self.swap(view);
    }

    /// Lets friction go by this much, m/s, shared as the points share what they press.
    fn press(&mut self, meeting: S, view: &RowsView<'_, S>) {
        let (sum, share) = (pressed_by(view), self.share());
        for ((pressed, driven), point) in self.pressed.iter_mut().zip(self.driven).zip(view.points.iter()) {
            let impulse = point.impulse.0[view.at];
            *pressed = match driven {
                _ if meeting == sum => impulse,
                _ if meeting < sum => impulse * (meeting / sum),
                true => impulse + (meeting - sum) * share,
                false => impulse,
            };
        }
    }

    /// How friction lifts the points or presses them on, where that matters.
    fn find_lift(&self, view: &RowsView<'_, S>) -> Option<Lift<S>> {
        let (pressed, slips) = self.pressed_for_friction(view);
        if pressed <= S::ZERO || self.gain <= S::ZERO {
            return None;
        }
        let (mut moved, mut watch) = (PairMotion::default(), Watch::new());
        friction_push(view, &mut watch).apply((view.common, view.at), &mut moved, &mut watch);
        let part = self.mean_growth(view, &moved) / self.gain / pressed;
        let matters = S::ONE.scale_by_power_of_two(MATTERS);
        // One point is followed as it is pressed on: where its friction turns, it may be by nothing.
        let presses_on = view.points.len() > 1 && part < -matters && part > matters * S::HALF - S::ONE;
        (part > matters || presses_on).then_some(Lift { pressed, part, slips })
    }

    /// What the points have to press for the friction that there is, m/s; and whether all that press slip.
    fn pressed_for_friction(&self, view: &RowsView<'_, S>) -> (S, bool) {
        let coefficient = view.common.surface.friction.0[view.at];
        if coefficient == S::ZERO {
            return (S::ZERO, false);
        }
        let sum = self.pressed.iter().fold(S::ZERO, |sum, pressed| sum + *pressed);
        let (mut needed, mut slip) = (S::ZERO, true);
        for (index, disc) in view.friction.iter().enumerate() {
            let pressed = if view.patch.is_some() { sum } else { self.pressed[index] };
            if view.bodies.fates.slips[index].is_set(view.at) {
                needed += pressed;
            } else {
                let [first, second] = disc.impulse_in(view.at);
                needed += Vec3::new(first, second, S::ZERO).length() / coefficient;
                slip &= pressed == S::ZERO;
            }
        }
        (needed, slip)
    }

    /// What each of the driven points has of something that all share alike.
    fn share(&self) -> S {
        let count = self.driven.iter().filter(|driven| **driven).count();
        if count == 0 { S::ZERO } else { S::from_ratio(1, count as i64) }
    }

    /// The mean over the driven points.
    fn mean(&self, of: impl Fn(usize) -> S) -> S {
        let driven = (0..MAX_POINTS).filter(|&index| self.driven[index]);
        driven.fold(S::ZERO, |sum, index| sum + of(index)) * self.share()
    }

    /// How fast the driven points part on average, m/s.
    fn mean_growth(&self, view: &RowsView<'_, S>, motion: &PairMotion<S>) -> S {
        let growth = view.common.growth::<S>(view.at, motion);
        self.mean(|index| growth.at(view.points[index].levers_at(view.at)))
    }

    /// Exchanges the impulses of the points with those that friction knows of.
    fn swap(&mut self, view: &mut RowsView<'_, S>) {
        for (pressed, point) in self.pressed.iter_mut().zip(view.points.iter_mut()) {
            std::mem::swap(pressed, &mut point.impulse.0[view.at]);
        }
    }
}

/// What friction gives at each point of a contact, along both tangents, m/s.
fn impulses_of_friction<S: Scalar>(view: &RowsView<'_, S>) -> [[S; 2]; MAX_POINTS] {
    let mut impulses = [[S::ZERO; 2]; MAX_POINTS];
    for (impulse, disc) in impulses.iter_mut().zip(view.friction.iter()) {
        *impulse = disc.impulse_in(view.at);
    }
    impulses
}

/// What all points of a contact press, m/s.
fn pressed_by<S: Scalar>(view: &RowsView<'_, S>) -> S {
    view.points.iter().fold(S::ZERO, |sum, point| sum + point.impulse.0[view.at])
}

impl<S: Scalar> Lift<S> {
    /// What is pressed where there is the friction of that, if this much is wanted with the friction that there is.
    fn meet(&self, wanted: S) -> S {
        (self.pressed + (wanted - self.pressed) / (S::ONE + self.part)).max(S::ZERO)
    }
}
