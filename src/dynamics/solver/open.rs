//! Pairs of shapes that are near each other and do not touch: nothing acts between them until they really meet.
//!
//! Where they meet is found by conservative advancement on the paths of the substep (B. Mirtich, "Impulse-based Dynamic
//! Simulation of Rigid Body Systems", 1996): along the separating normal they cannot close a gap faster than their centres
//! approach and their turning carries their surfaces.

use crate::dynamics::body::Bodies;
use crate::dynamics::contact::touching_gap;
use crate::dynamics::integrator::Motion;
use crate::dynamics::solver::poses::{ColliderPair, Meeting, Scenery};
use crate::dynamics::solver::rows::NONE;
use crate::math::{Scalar, Vec3};

/// Advances towards a meeting, at most. A pair that is still on its way then counts as having met.
const MOST_ADVANCES: u32 = 32;

/// Two shapes that do not touch, and what is known of the gap between them.
#[derive(Clone, Copy, Debug)]
pub struct OpenPair<S> {
    /// Indices of the colliders.
    pub colliders: [u32; 2],
    /// Indices of their bodies.
    pub bodies: [u32; 2],
    /// Its contact among those of the step, [`NONE`] while it has none.
    pub contact: u32,
    /// The place of its rows, [`NONE`] while it has none.
    pub rows: u32,
    /// No gap was smaller than this at the last look, metres.
    gap: S,
    /// Way of the second body since the start of the step, less that of the first, at the last look.
    seen_way: Vec3<S>,
    /// Rotation vectors of the bodies since the start of the step at the last look.
    seen_turns: [Vec3<S>; 2],
    /// How far turning can carry each surface, metres per radian.
    reach: [S; 2],
}

impl<S: Scalar> OpenPair<S> {
    /// A pair with at least this gap at the start of the step; `contact` is its number, or [`NONE`].
    #[must_use]
    pub fn new(colliders: [u32; 2], bodies: [u32; 2], reach: [S; 2], gap: S, contact: u32) -> Self {
        let seen_turns = [Vec3::ZERO; 2];
        Self { colliders, bodies, contact, rows: NONE, gap, seen_way: Vec3::ZERO, seen_turns, reach }
    }

    /// The two colliders.
    pub(super) const fn pair(&self) -> ColliderPair {
        ColliderPair { colliders: self.colliders, bodies: self.bodies }
    }

    /// Whether the shapes cannot meet within `time` seconds at the bodies' velocities, from what is known already.
    #[inline(always)]
    pub(super) fn is_out_of_reach(&self, bodies: &Bodies<S>, motion: &Motion<S>, time: S) -> bool {
        let [a, b] = self.bodies.map(|body| body as usize);
        let approach = (bodies.linear_velocity[b] - bodies.linear_velocity[a]).taxicab_length() * time;
        let spin = |body: usize| (bodies.angular_velocity[body] + motion.precession[body]).taxicab_length();
        let turning = (spin(a) * self.reach[0] + spin(b) * self.reach[1]) * time;
        let way = (motion.delta_position[b] - motion.delta_position[a] - self.seen_way).taxicab_length();
        let turned = (motion.delta_rotation[a] - self.seen_turns[0]).taxicab_length() * self.reach[0]
            + (motion.delta_rotation[b] - self.seen_turns[1]).taxicab_length() * self.reach[1];
        self.gap - way - turned > approach + turning + touching_gap()
    }

    /// Keeps what a look `time` seconds after the start of the substep found.
    pub(super) fn remember(&mut self, gap: S, (bodies, motion, time): (&Bodies<S>, &Motion<S>, S)) {
        let way = |body: usize| motion.delta_position[body] + bodies.linear_velocity[body] * time;
        let [a, b] = self.bodies.map(|body| body as usize);
        self.gap = gap;
        self.seen_way = way(b) - way(a);
        self.seen_turns = [a, b].map(|body| motion.delta_rotation[body] + bodies.angular_velocity[body] * time);
    }

    /// Knows nothing of the gap any more.
    pub(super) const fn forget(&mut self) {
        self.gap = S::ZERO;
    }

    /// The speed at which the gap along `normal` can close at most, m/s.
    fn closing_speed(&self, scenery: Scenery<'_, S>, normal: Vec3<S>) -> S {
        let [a, b] = self.bodies.map(|body| scenery.bodies.linear_velocity[body as usize]);
        (a - b).dot(normal) + self.turning_speed(scenery)
    }

    /// The speed at which turning can carry the surfaces towards each other, m/s.
    fn turning_speed(&self, scenery: Scenery<'_, S>) -> S {
        let [a, b] = self.bodies.map(|body| scenery.spin(body).length());
        a * self.reach[0] + b * self.reach[1]
    }
}

/// When and how two shapes meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstTouch<S> {
    /// Seconds since the start of the substep.
    pub(super) time: S,
    /// How they lie to each other then.
    pub(super) meeting: Meeting<S>,
}

/// Finds when two shapes meet between `from` and `until`, seconds since the start of the substep; and the gap at `from`, or as
/// far as was looked: as far as they can come until `horizon`, so that what is farther needs no other look until then.
pub(super) fn first_touch<S: Scalar>(
    open: &OpenPair<S>,
    scenery: Scenery<'_, S>,
    (from, until, horizon): (S, S, S),
) -> (Option<FirstTouch<S>>, S) {
    let [a, b] = open.bodies.map(|body| body as usize);
    let fastest = (scenery.bodies.linear_velocity[b] - scenery.bodies.linear_velocity[a]).taxicab_length()
        + open.turning_speed(scenery);
    let mut time = from;
    let mut first_gap = None;
    for advance in 0..=MOST_ADVANCES {
        let end = if advance == 0 { horizon } else { until };
        let margin = fastest * (end - time) + touching_gap() + touching_gap();
        let meeting = scenery.meeting(open.pair(), time, margin);
        let Some(gap) = meeting.gap() else { return (None, first_gap.unwrap_or(margin)) };
        let seen = *first_gap.get_or_insert(gap);
        if gap <= touching_gap() || advance == MOST_ADVANCES {
            return (Some(FirstTouch { time, meeting }), seen);
        }
        let closing = open.closing_speed(scenery, meeting.manifold.normal);
        if closing <= S::ZERO {
            return (None, seen);
        }
        // In fixed point a slow pair's quotient could wrap: what is beyond the substep is not divided for.
        if gap >= closing * (until - time) + touching_gap() {
            return (None, seen);
        }
        time = (time + gap / closing).min(until);
    }
    (None, first_gap.unwrap_or(S::ZERO))
}
