//! Pairs of shapes that are near each other and do not touch: nothing acts between them until they really meet.
//!
//! Where they meet is found by conservative advancement on the paths of the substep (B. Mirtich, "Impulse-based Dynamic
//! Simulation of Rigid Body Systems", 1996; the bound along one direction after E. Catto, "Continuous Collision", GDC 2013).
//! Along a fixed direction a shape reaches as far as its farthest point does, and a point of a body that turns strays from the
//! straight way between two moments by no more than the height of its arc. So between two moments the gap along that
//! direction is never below the straight line between the gaps then, less the heights of both arcs.

use crate::collision::Manifold;
use crate::dynamics::body::Bodies;
use crate::dynamics::contact::touching_gap;
use crate::dynamics::integrator::Motion;
use crate::dynamics::solver::foretold::Foretold;
use crate::dynamics::solver::poses::{ColliderPair, Meeting, Scenery};
use crate::dynamics::solver::rows::NONE;
use crate::math::{Scalar, Vec3};

/// Advances towards a meeting, at most. A pair that is still on its way then counts as having met.
const MOST_ADVANCES: u32 = 32;
/// Later moments that are compared with an earlier one, at most, before the shapes are looked at anew.
const MOST_SPANS: u32 = 4;
/// How often the time between two moments is halved for what turns, and for what the direction of the gap swings, at most.
const MOST_HALVINGS: u32 = 32;
const MOST_SWINGS: u32 = 3;
/// Guesses at when a gap closes, at most, before the shapes are looked at anew.
const MOST_GUESSES: u32 = 6;

/// What is known of the room between two shapes.
#[derive(Clone, Copy, Debug)]
pub struct Clearance<S> {
    /// They are at least this far apart, metres.
    gap: S,
    /// Along this unit direction from the first to the second; zero where it is not known.
    normal: Vec3<S>,
}

impl<S: Scalar> Clearance<S> {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { gap: S::ZERO, normal: Vec3::ZERO };

    /// The shapes are so far apart along this unit direction from the first to the second, metres.
    #[must_use]
    pub const fn along(normal: Vec3<S>, gap: S) -> Self {
        Self { gap, normal }
    }

    /// What a manifold shows whose points were looked for up to `margin`; `gap_along` is the gap along its normal.
    #[must_use]
    pub fn of(manifold: &Manifold<S>, margin: S, gap_along: impl FnOnce(Vec3<S>) -> S) -> Self {
        match manifold.gap() {
            Some(nearest) => Self { gap: nearest.min(gap_along(manifold.normal)), normal: manifold.normal },
            None if manifold.is_left_to_neighbours() => Self { gap: manifold.apart, normal: Vec3::ZERO },
            None if manifold.apart > margin => Self { gap: manifold.apart, normal: manifold.normal },
            None if manifold.apart > S::ZERO => {
                Self { gap: manifold.apart.min(gap_along(manifold.normal)), normal: manifold.normal }
            }
            None => Self { gap: margin, normal: Vec3::ZERO },
        }
    }
}

/// Two shapes that do not touch, and what is known of the gap between them.
#[derive(Clone, Copy, Debug)]
pub struct OpenPair<S> {
    /// Indices of the colliders.
    pub colliders: [u32; 2],
    /// Indices of their bodies.
    pub bodies: [u32; 2],
    /// As in [`ColliderPair::piece`].
    pub piece: u32,
    /// Its contact among those of the step, [`NONE`] while it has none.
    pub contact: u32,
    /// The place of its rows, [`NONE`] while it has none.
    pub rows: u32,
    /// Seconds since the start of the substep at which it parted; zero where it did before.
    pub(super) parted_at: S,
    /// The room between them at the last look.
    seen: Clearance<S>,
    /// Way of the second body since the start of the step, less that of the first, at the last look.
    seen_displacement: Vec3<S>,
    /// Rotation vectors of the bodies since the start of the step at the last look.
    seen_turns: [Vec3<S>; 2],
    /// How far turning can carry each surface, metres per radian.
    reach: [S; 2],
    /// By how much both bodies together may stray in this step from what was foretold, metres, so that the shapes stay apart, and
    /// farther than seams care for.
    pub(super) leeway: S,
}

impl<S: Scalar> OpenPair<S> {
    /// A pair with this room between its shapes at the start of the step; `contact` is its number, or [`NONE`].
    #[must_use]
    pub fn new(pair: ColliderPair, reach: [S; 2], seen: Clearance<S>, contact: u32) -> Self {
        let ColliderPair { colliders, bodies, piece } = pair;
        Self {
            colliders,
            bodies,
            piece,
            contact,
            rows: NONE,
            parted_at: S::ZERO,
            seen,
            seen_displacement: Vec3::ZERO,
            seen_turns: [Vec3::ZERO; 2],
            reach,
            leeway: S::ZERO,
        }
    }

    /// Finds at the start of a step how far the bodies may stray in it.
    pub(super) fn find_leeway(&mut self, foretold: &Foretold<S>, step_seconds: S) {
        let approach = foretold.approach(self.bodies, self.reach, self.seen.normal, step_seconds);
        let least = touching_gap::<S>() + (self.reach[0] + self.reach[1]).scale_by_power_of_two(-7);
        self.leeway = self.seen.gap - approach - least;
    }

    /// The two colliders.
    pub(super) const fn pair(&self) -> ColliderPair {
        ColliderPair { colliders: self.colliders, bodies: self.bodies, piece: self.piece }
    }

    /// Whether the shapes stay farther apart than `slack` metres for `time` seconds at the bodies' velocities, from what is known
    /// already.
    #[inline(always)]
    pub(super) fn stays_apart(&self, (bodies, motion): (&Bodies<S>, &Motion<S>), time: S, slack: S) -> bool {
        self.is_far_by_magnitudes((bodies, motion), time, slack) || self.room(bodies, motion, time) > slack
    }

    /// The same by the magnitudes of all motion: true only where [`room`](Self::room), which takes many more products, is larger
    /// than `slack` by more than any rounding.
    #[inline(always)]
    fn is_far_by_magnitudes(&self, (bodies, motion): (&Bodies<S>, &Motion<S>), time: S, slack: S) -> bool {
        let [a, b] = self.bodies.map(|body| body as usize);
        let way = motion.delta_position[b] - motion.delta_position[a] - self.seen_displacement;
        let velocity = bodies.linear_velocity[b] - bodies.linear_velocity[a];
        let turned = |side: usize, body: usize| {
            let (turned, spin) = (
                motion.delta_rotation[body] - self.seen_turns[side],
                bodies.angular_velocity[body] + motion.precession[body],
            );
            (turned.taxicab_length() + spin.taxicab_length() * time) * self.reach[side]
        };
        let moved = way.taxicab_length() + velocity.taxicab_length() * time + turned(0, a) + turned(1, b);
        self.seen.gap - moved > slack + S::ONE.scale_by_power_of_two(-10)
    }

    /// How far apart the shapes stay at least for `time` seconds at the bodies' velocities, from what is known already, metres.
    #[inline(always)]
    pub(super) fn room(&self, bodies: &Bodies<S>, motion: &Motion<S>, time: S) -> S {
        let [a, b] = self.bodies.map(|body| body as usize);
        let velocity = bodies.linear_velocity[b] - bodies.linear_velocity[a];
        let way = motion.delta_position[b] - motion.delta_position[a] - self.seen_displacement;
        let normal = self.seen.normal;
        let carried = |side: usize, body: usize| {
            let turned = motion.delta_rotation[body] - self.seen_turns[side];
            let turning = (bodies.angular_velocity[body] + motion.precession[body]) * time;
            carried_along(normal, turned, turning) * self.reach[side]
        };
        let (moved, approach) = if self.seen.normal == Vec3::ZERO {
            (-way.taxicab_length(), velocity.taxicab_length() * time)
        } else {
            (self.seen.normal.dot(way), -self.seen.normal.dot(velocity) * time)
        };
        self.seen.gap + moved - approach.max(S::ZERO) - carried(0, a) - carried(1, b)
    }

    /// Keeps what a look `time` seconds after the start of the substep found.
    pub(super) fn remember(&mut self, seen: Clearance<S>, (bodies, motion, time): (&Bodies<S>, &Motion<S>, S)) {
        let way = |body: usize| motion.delta_position[body] + bodies.linear_velocity[body] * time;
        let [a, b] = self.bodies.map(|body| body as usize);
        self.seen = seen;
        self.seen_displacement = way(b) - way(a);
        self.seen_turns = [a, b].map(|body| motion.delta_rotation[body] + bodies.angular_velocity[body] * time);
    }

    /// Has parted again, `time` seconds after the start of the substep; nothing is known of the gap any more.
    pub(super) const fn part(&mut self, time: S) {
        (self.rows, self.parted_at, self.seen) = (NONE, time, Clearance::UNKNOWN);
    }

    /// The speed at which the shapes can come nearer to each other at most, m/s.
    fn fastest_approach(&self, scenery: Scenery<'_, S>) -> S {
        let [a, b] = self.bodies.map(|body| scenery.bodies.linear_velocity[body as usize]);
        let [spin_a, spin_b] = self.bodies.map(|body| scenery.spin(body).length());
        (b - a).taxicab_length() + spin_a * self.reach[0] + spin_b * self.reach[1]
    }

    /// By how much, at most, the gap along a direction is below the straight line between two moments, metres: in `time` seconds
    /// in which the direction turns by `swing` radians, while the centres are `apart` metres from each other.
    ///
    /// An eighth of the squared time times the second derivative of `n(t) . x(t)`, where `x` leads from a point of the first shape
    /// to one of the second; and an eighth more of that, for neither the direction (up to a radian) nor an orientation that
    /// advances to first order turns evenly.
    fn sag(&self, scenery: Scenery<'_, S>, time: S, swing: S, apart: S) -> S {
        // No sag is larger than the shapes, and the squares of more would not fit in fixed point.
        let most = S::from_i32(8);
        let turn = |side: usize| (scenery.spin(self.bodies[side]).length() * time).min(most);
        let (turns, reach) = ([turn(0), turn(1)], self.reach);
        let carried = [turns[0] * reach[0], turns[1] * reach[1]];
        let mut sum = carried[0] * turns[0] + carried[1] * turns[1];
        if swing != S::ZERO {
            let [a, b] = self.bodies.map(|body| scenery.bodies.linear_velocity[body as usize]);
            let way = (b - a).taxicab_length() * time + carried[0] + carried[1];
            sum += (way * S::TWO + (apart + reach[0] + reach[1]) * swing) * swing;
        }
        sum.scale_by_power_of_two(-3) + sum.scale_by_power_of_two(-6)
    }

    /// The room at `from` along the direction of the last look, where the shapes stay apart along it until `until`: most do, and need no new one.
    fn stays_apart_along(&self, scenery: Scenery<'_, S>, (from, until): (S, S)) -> Option<Clearance<S>> {
        let normal = self.seen.normal;
        if normal == Vec3::ZERO {
            return None;
        }
        let gap_at = |time: S| scenery.placed(self.pair(), time).gap_along(normal);
        let least = least_gap::<S>() + self.sag(scenery, until - from, S::ZERO, S::ZERO);
        if gap_at(until) <= least {
            return None;
        }
        let gap = gap_at(from);
        (gap > least.max(touching_gap())).then(|| Clearance::along(normal, gap))
    }

    /// When the shapes, now seen like this, have come so near that they may touch; `None` if not before `until`.
    /// Times in seconds since the start of the substep.
    fn closes_at(&self, scenery: Scenery<'_, S>, mut seen: Clearance<S>, (mut time, until): (S, S)) -> Option<S> {
        for _ in 0..MOST_SPANS {
            // Most pairs are seen to stay apart along the direction in which they are apart now.
            let end = scenery.placed(self.pair(), until).gap_along(seen.normal);
            if end - self.sag(scenery, until - time, S::ZERO, S::ZERO) > least_gap() {
                return None;
            }
            let (next, then, sag) = self.look_ahead(scenery, &seen, (time, until))?;
            if then.gap - sag <= least_gap() {
                return Some(self.closes_between(scenery, [(time, seen), (next, then)], sag));
            }
            (time, seen) = (next, then);
        }
        Some(time)
    }

    /// A moment up to which the shapes stay apart, near to that at which the gap along their direction closes: between two
    /// moments and what is seen then, the second too near.
    ///
    /// The straight line between them is below the gap but for the sag, so the first guess is safe; from there the bracket is
    /// narrowed (M. Dowell, P. Jarratt, "A Modified Regula Falsi Method for Computing the Root of an Equation", 1971).
    fn closes_between(&self, scenery: Scenery<'_, S>, [start, end]: [(S, Clearance<S>); 2], sag: S) -> S {
        let (time, seen) = start;
        let (mut high, mut high_gap) = (end.0, end.1.gap);
        let (span, swing) = (high - time, end.1.normal - seen.normal);
        let gap_at = |at: S| {
            let turned = (seen.normal + swing * ((at - time) / span)).normalise();
            let normal = turned.map_or(seen.normal, |(normal, _)| normal);
            scenery.placed(self.pair(), at).gap_along(normal)
        };
        let part = (seen.gap - sag - least_gap()) / (seen.gap - high_gap);
        let mut low = time + span * part.clamp(S::ZERO, S::ONE);
        let mut low_gap = gap_at(low);
        let quarter = least_gap::<S>().scale_by_power_of_two(-2);
        let aim = least_gap::<S>() + sag + quarter;
        let near = (aim + quarter).max(touching_gap());
        for _ in 0..MOST_GUESSES {
            if low_gap <= near {
                break;
            }
            let part = (low_gap - aim) / (low_gap - high_gap);
            let guess = low + (high - low) * part.clamp(S::ZERO, S::ONE);
            let gap = gap_at(guess);
            if gap - sag > least_gap() {
                (low, low_gap) = (guess, gap);
                high_gap = aim + (high_gap - aim) * S::HALF;
            } else {
                (high, high_gap) = (guess, gap);
            }
        }
        low
    }

    /// A later moment between which and `time` the sag is small, what is seen then, and the sag; `None` at the end.
    fn look_ahead(
        &self,
        scenery: Scenery<'_, S>,
        seen: &Clearance<S>,
        (time, until): (S, S),
    ) -> Option<(S, Clearance<S>, S)> {
        let most = (seen.gap - least_gap()) * S::HALF;
        let mut span = until - time;
        let mut halvings = 0;
        while self.sag(scenery, span, S::ZERO, S::ZERO) > most && halvings < MOST_HALVINGS {
            span *= S::HALF;
            halvings += 1;
        }
        let fastest = self.fastest_approach(scenery);
        for _ in 0..MOST_SWINGS {
            let placed = scenery.placed(self.pair(), time + span);
            let margin = fastest * span + seen.gap + touching_gap();
            let then = Clearance::of(&placed.meeting(margin).manifold, margin, |normal| placed.gap_along(normal));
            let swing = (then.normal - seen.normal).length();
            let sag = self.sag(scenery, span, swing, placed.centre_offset.length());
            if swing <= S::ONE && sag <= most {
                return Some((time + span, then, sag));
            }
            span *= S::HALF;
        }
        // Of two directions that are as good as each other the later one may ever be the other one.
        let gap = scenery.placed(self.pair(), time + span).gap_along(seen.normal);
        let sag = self.sag(scenery, span, S::ZERO, S::ZERO);
        (time < until).then_some((time + span, Clearance { gap, ..*seen }, sag))
    }
}

/// How far turning carries a point along a unit direction at most, metres for each metre of its arm: over one rotation vector and
/// then some part of another, both in radians. Along any direction where that is zero.
///
/// A rotation vector `w` moves a point at `r` by `w x r` and, beyond that, by no more than half of `|w|^2 |r|`.
#[inline(always)]
pub(super) fn carried_along<S: Scalar>(direction: Vec3<S>, turned: Vec3<S>, turning: Vec3<S>) -> S {
    let most = turned.taxicab_length() + turning.taxicab_length();
    if direction == Vec3::ZERO || most > S::ONE {
        return most;
    }
    let across = direction.cross(turned).taxicab_length() + direction.cross(turning).taxicab_length();
    (across + most * most * S::HALF).min(most)
}

/// The gap that an advance leaves at least, metres: half of what counts as touching.
fn least_gap<S: Scalar>() -> S {
    touching_gap::<S>() * S::HALF
}

/// The way, metres, after which a facet is looked at again that leaves what is near it to its neighbours: an eighth of how thick that is.
fn least_way<S: Scalar>(pair: ColliderPair, scenery: Scenery<'_, S>) -> S {
    let thinner = pair.thinner(scenery.bodies, scenery.colliders);
    thinner.map_or(S::ZERO, |thickness| thickness.scale_by_power_of_two(-3))
}

/// When and how two shapes meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstTouch<S> {
    /// Seconds since the start of the substep.
    pub(super) time: S,
    /// How they lie to each other then.
    pub(super) meeting: Meeting<S>,
}

/// Finds when two shapes meet between `from` and `until`, seconds since the start of the substep; and the room between them at
/// `from`. It is looked for as far as they can come until `horizon`, so that what is farther needs no other look until then.
pub(super) fn first_touch<S: Scalar>(
    open: &OpenPair<S>,
    scenery: Scenery<'_, S>,
    (from, until, horizon): (S, S, S),
) -> (Option<FirstTouch<S>>, Clearance<S>) {
    if let Some(room) = open.stays_apart_along(scenery, (from, until)) {
        return (None, room);
    }
    let fastest = open.fastest_approach(scenery);
    let mut time = from;
    let mut at_first = None;
    for advance in 0..=MOST_ADVANCES {
        let end = if advance == 0 { horizon } else { until };
        let margin = fastest * (end - time) + touching_gap() + touching_gap();
        let placed = scenery.placed(open.pair(), time);
        let meeting = placed.meeting(margin);
        let seen = Clearance::of(&meeting.manifold, margin, |normal| placed.gap_along(normal));
        let at_first = *at_first.get_or_insert(seen);
        if meeting.gap().is_none() && meeting.manifold.seen_apart().is_none_or(|apart| apart > margin) {
            let next = time + (until - from).scale_by_power_of_two(-2);
            let may_come = meeting.manifold.is_left_to_neighbours()
                && next <= until
                && fastest * (until - time) > least_way(open.pair(), scenery);
            if !may_come || advance == MOST_ADVANCES {
                return (None, at_first);
            }
            time = next;
            continue;
        }
        if meeting.gap().is_some_and(|gap| gap <= touching_gap() || advance == MOST_ADVANCES) {
            return (Some(FirstTouch { time, meeting }), at_first);
        }
        // The features of a face may show more than the face's axis does, by rounding.
        let seen = Clearance { gap: seen.gap.max(touching_gap()), ..seen };
        match open.closes_at(scenery, seen, (time, until)) {
            Some(closes) => time = closes.min(until),
            None => return (None, at_first),
        }
    }
    (None, Clearance::UNKNOWN)
}

#[cfg(test)]
mod tests;
