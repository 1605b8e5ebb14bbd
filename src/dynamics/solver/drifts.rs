//! How fast rows turn away from what they were made for, where something rolls.
//!
//! Rows push along the directions of one moment, and are to leave the speeds that hold in the middle of a substep, half a substep later and
//! more: there the point is another, and so may be the normal. What is carried along with both bodies is known beforehand (`placing`). But
//! the point of what rolls goes along its surface. So the contact is looked at at another moment as well, and the speeds that the rows of
//! both see of one motion are compared. With directions of the moment of each push and speeds of the middle between two, what rolls keeps its energy to
//! second order, as the midpoint rule does; with both of one moment it would lose the part `w h / 2` of what turns, each second `w` times.

use crate::collision::manifold::{Bearing, MAX_POINTS, ManifoldPoint};
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::poses::ColliderPair;
use crate::dynamics::solver::prepare::share_of;
use crate::dynamics::solver::refresh::{slow_turning, turn_of_drifts};
use crate::dynamics::solver::rows::{Arms, ContactRows};
use crate::math::lanes::SMALL;
use crate::math::{Scalar, Vec3};

/// Contacts that a thread looks at at a time.
const LOOKS_AT_ONCE: usize = 32;

/// A contact of something that rolls, which has new rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rolling<S> {
    place: usize,
    /// Which contact of the step.
    contact: u32,
    /// Which points bore weight in the substep before.
    bearing: Bearing,
    /// For which moment its rows were made, and at which it is looked at, seconds since the start of the substep.
    moments: [S; 2],
    /// By how much the rows turn from one to the other, at most, radians.
    turn: S,
    /// Whether its gaps are those that the old rows had, not seen with the new ones.
    keeps_gaps: bool,
}

/// What drifts at one point.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PointDrift<S> {
    /// By how much the speed along the normal grows in a second, m/s^2.
    gap: S,
    /// By how much the velocity of the second body against the first does, m/s^2, world frame.
    slide: Vec3<S>,
}

/// What rolls in a substep, and how it drifts. Nothing is kept but the memory.
#[derive(Clone, Debug)]
pub(super) struct Drifts<S> {
    rolling: Vec<Rolling<S>>,
    found: Vec<[PointDrift<S>; MAX_POINTS]>,
}

impl<S> Default for Drifts<S> {
    fn default() -> Self {
        Self { rolling: Vec::new(), found: Vec::new() }
    }
}

impl<S: Scalar> Solve<'_, S> {
    /// Finds how the rows drift that were made for something that rolls since this substep began; `looked_at` are the places of those that
    /// were looked at in it, ascending.
    pub(super) fn find_drifts(&mut self, substep: u32, looked_at: impl Iterator<Item = usize>) {
        let mut drifts = std::mem::take(&mut self.rows.drifts);
        let mut looked_at = looked_at.peekable();
        drifts.rolling.clear();
        for place in 0..self.rows.contacts.len() {
            while looked_at.next_if(|&looked_at| looked_at < place).is_some() {}
            if self.is_rolling(place, substep) {
                drifts.rolling.push(self.rolling_at(place, looked_at.peek() == Some(&place)));
            }
        }
        if drifts.rolling.is_empty() {
            self.rows.drifts = drifts;
            return;
        }
        drifts.found.clear();
        drifts.found.resize(drifts.rolling.len(), Default::default());
        // All of the solve is read while threads look: so it lends the executor out.
        let mut executor = std::mem::take(self.executor);
        executor.map(LOOKS_AT_ONCE, &drifts.rolling, &mut drifts.found, |rolling| self.drifts_of(rolling));
        *self.executor = executor;
        for (rolling, found) in drifts.rolling.iter().zip(&drifts.found) {
            self.put_drifts(rolling, found);
        }
        self.rows.drifts = drifts;
    }

    /// Whether a contact has had rows since this substep began, of something that rolls so fast that they do not serve as they are.
    fn is_rolling(&self, place: usize, substep: u32) -> bool {
        let contact = &self.rows.contacts[place];
        let slow = slow_turning::<S>().scale_by_power_of_two(3);
        let has_new_rows = contact.rows_since == substep && contact.made_for == S::ZERO && contact.count > 0;
        let is_far = contact.rate * self.settings.substep_seconds > turn_of_drifts();
        contact.may_roll && has_new_rows && contact.rate > slow && !is_far && !contact.is_over(self.rows, place)
    }

    fn rolling_at(&self, place: usize, keeps_gaps: bool) -> Rolling<S> {
        let &ContactRows { contact, rate, .. } = &self.rows.contacts[place];
        let half = self.settings.substep_seconds * S::HALF;
        let rows = self.rows.at(place);
        let made_for = half - rows.common.age.0[rows.at];
        let other = if made_for == S::ZERO { half } else { S::ZERO };
        let turn = (made_for - other).abs() * rate;
        Rolling { place, contact, bearing: self.bearing_now(place), moments: [made_for, other], turn, keeps_gaps }
    }

    /// Writes the drifts of the points of a contact.
    fn put_drifts(&mut self, rolling: &Rolling<S>, found: &[PointDrift<S>; MAX_POINTS]) {
        let (_, view) = self.rows.view(rolling.place);
        let at = view.at;
        let [_, first, second] = view.common.directions_at::<S>(at);
        let arc = rolling.moments[0] * rolling.moments[0] * S::HALF;
        // What does not press yet is about to strike, and its body to move in another way.
        let presses = view.points.iter().any(|point| point.impulse.0[at] != S::ZERO);
        let mut largest = S::ZERO;
        for (point, found) in view.points.iter_mut().zip(found) {
            let gap = if presses { found.gap } else { S::ZERO };
            point.drift.0[at] = gap;
            if rolling.keeps_gaps {
                point.separation.0[at] -= gap * arc;
            }
            largest = largest.max(gap.abs()).max(found.slide.taxicab_length());
        }
        let slides = found.map(|found| found.slide);
        let of_patch = slides.iter().fold(Vec3::ZERO, |sum, slide| sum + *slide) * share_of(view.points.len());
        let is_patch = view.patch.is_some();
        for (disc, of_point) in view.friction.iter_mut().zip(slides) {
            let slide = if is_patch { of_patch } else { of_point };
            (disc.drift[0].0[at], disc.drift[1].0[at]) = (slide.dot(first), slide.dot(second));
        }
        view.bodies.drifts.put(at, largest != S::ZERO);
        if largest >= S::from_i32(SMALL as i32) {
            view.bodies.has_small_rows.put(at, false);
        }
    }

    /// How the points of a contact drift.
    ///
    /// A point that is not seen at the other moment, or is that of a seam then, or has jumped until then, is not said to drift: what turns with
    /// the bodies or slides with them changes its speed by no more than a part of it as large as the angle of that turn.
    fn drifts_of(&self, rolling: &Rolling<S>) -> [PointDrift<S>; MAX_POINTS] {
        let mut drifts = [PointDrift::default(); MAX_POINTS];
        let [time, other] = rolling.moments;
        let made_for = &self.geometry[rolling.contact as usize];
        let pair = ColliderPair::of(made_for);
        let scenery = self.scenery();
        let seen = scenery.placed(pair, other).borne_by(rolling.bearing).meeting(self.settings.contact_margin);
        if seen.manifold.is_empty() || self.comes_to_seam(rolling.contact as usize, &seen, other) {
            return drifts;
        }
        let motion = PairMotion {
            linear: pair.bodies.map(|body| self.bodies.linear_velocity[body as usize]),
            angular: pair.bodies.map(|body| scenery.spin(body)),
        };
        let per_second = S::ONE / (time - other);
        let normals = [made_for.manifold.normal, seen.manifold.normal];
        for (drift, point) in drifts.iter_mut().zip(made_for.manifold.points()) {
            let Some(then) = seen.manifold.points().iter().find(|then| then.feature == point.feature) else { continue };
            let arms = arms_to(point, normals[0], [made_for.shape_offset_a, made_for.centre_offset]);
            let arms_then = arms_to(then, normals[1], [seen.shape_offset_a, seen.centre_offset]);
            let [velocity, velocity_then] = [arms, arms_then].map(|arms| motion.between(arms));
            let carried = |side: usize| motion.angular[side].taxicab_length() * arms[side].taxicab_length();
            let most = (carried(0) + carried(1)) * rolling.turn * (S::TWO + S::TWO);
            if (velocity - velocity_then).taxicab_length() <= most {
                drift.gap = (velocity.dot(normals[0]) - velocity_then.dot(normals[1])) * per_second;
                drift.slide = (velocity - velocity_then) * per_second;
            }
        }
        drifts
    }
}

/// From both centres of mass to a point of a contact, metres, world axes, where rows have it; from the first centre of mass lead `offsets` to
/// the origin of the first shape and to the other centre of mass.
fn arms_to<S: Scalar>(
    point: &ManifoldPoint<S>,
    normal: Vec3<S>,
    [shape_offset, centre_offset]: [Vec3<S>; 2],
) -> Arms<S> {
    let half_gap = normal * (point.separation.max(S::ZERO) * S::HALF);
    let middle = shape_offset + point.position;
    [middle - half_gap, middle + half_gap - centre_offset]
}
