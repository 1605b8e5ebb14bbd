//! Looks again at contacts whose bodies turn or slide, so that arms and normals are those of now.
//!
//! Rows are made for one moment and serve for a while. They push at the start of each substep: made for the middle of these moments, the
//! errors of their directions at the first and the last cancel to second order. What moves slowly is looked at once, for the middle of
//! the step; what moves faster as often as it turns by a small angle, at most in every substep. With `continuous: Off` the look at the
//! start of the step serves for all of it.

use crate::collision::manifold::{Bearing, FeatureId, MAX_POINTS};
use crate::dynamics::contact::{Contact, ContactGeometry, bearing_of};
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::answers::answer_again;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::poses::{ColliderPair, Meeting, Scenery};
use crate::dynamics::solver::prepare::{Sources, rewrite_contact};
use crate::dynamics::solver::rows::{ContactRows, FETCHED_AHEAD, LanePoint, LaneRows};
use crate::dynamics::solver::store::keep;
use crate::math::lanes::{Flags, fetch};
use crate::math::{Scalar, Vec3};
use crate::parallel::Executor;

/// Contacts that a thread looks at at a time.
const LOOKS_AT_ONCE: usize = 32;

/// The turn, in radians, for which the rows of a contact are true: what their straight paths miss of an arc is then a
/// two-thousandth of its radius.
pub(super) fn small_turn<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-5)
}

/// The turn, in radians, for which rows serve that are made for its middle.
pub(super) fn turn_of_rows<S: Scalar>() -> S {
    small_turn::<S>() * S::TWO
}

/// For how many substeps rows are true that turn by this angle in each, in radians: for one at least, and for `most` at most.
/// Made for the middle, they turn by a small angle before it and after it.
#[must_use]
pub fn substeps_of_small_turn<S: Scalar>(turn: S, most: u32) -> u32 {
    let (mut substeps, mut sum) = (1, turn + turn);
    while substeps < most && sum <= turn_of_rows::<S>() {
        substeps += 1;
        sum += turn;
    }
    substeps
}

/// The turn in a substep, in radians, up to which the drift of rows tells what they are in its middle.
pub(super) fn turn_of_drifts<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-2)
}

/// For which moment rows are best made that serve so many substeps of length `h` and turn at this rate, rad/s: the middle of the moments at
/// which they push, in seconds since the first. Where they turn too far in one substep for their drift to tell what they are in its middle,
/// that is the moment.
#[must_use]
pub fn moment_of_rows<S: Scalar>(substeps: u32, h: S, rate: S) -> S {
    let is_far = rate * h > turn_of_drifts();
    let halves = if is_far { substeps } else { substeps.saturating_sub(1) };
    h * S::from_i32(i32::try_from(halves).unwrap_or(i32::MAX)) * S::HALF
}

/// The rate, in rad/s, up to which rows count as not turning at all.
#[must_use]
pub fn slow_turning<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-5)
}

/// Whether two bodies turn together, rather than against each other. Rows that serve for several substeps pull both off the circle first and back
/// then, and what may roll would creep on by that: it would lose angular momentum and energy for as long as it is carried.
fn is_carried_along<S: Scalar>(bodies: [u32; 2], spins: &[Vec3<S>]) -> bool {
    let [a, b] = bodies.map(|body| spins[body as usize]);
    let slower = a.taxicab_length().min(b.taxicab_length());
    (b - a).taxicab_length() < slower * S::HALF
}

/// A point before a new look.
#[derive(Clone, Copy)]
struct OldPoint<S> {
    feature: FeatureId,
    /// The gap now.
    separation: S,
    total: S,
}

/// A look at a contact that is due.
#[derive(Clone, Copy, Debug)]
struct Look<S> {
    place: usize,
    pair: ColliderPair,
    /// For how many seconds from now.
    ahead: S,
    /// Up to which gap there are points, metres.
    margin: S,
    /// Which points bore weight in the substep before.
    bearing: Bearing,
    /// Whether the contact goes on as it was, its gaps with it, if it still is the same contact then.
    goes_on: bool,
}

impl<S: Scalar> Look<S> {
    /// How the shapes lie to each other so many seconds from now.
    fn see(&self, scenery: Scenery<'_, S>, ahead: S) -> Meeting<S> {
        scenery.placed(self.pair, ahead).borne_by(self.bearing).meeting(self.margin)
    }
}

/// The looks of a substep, and what they show where several threads look. Nothing is kept but the memory.
#[derive(Clone, Debug)]
pub struct Looks<S> {
    due: Vec<Look<S>>,
    seen: Vec<Meeting<S>>,
}

impl<S> Default for Looks<S> {
    fn default() -> Self {
        Self { due: Vec::new(), seen: Vec::new() }
    }
}

impl<S: Scalar> Looks<S> {
    /// Looks, where several threads do; else each look is taken when its turn comes, as what it shows is then still at hand.
    fn see(&mut self, scenery: Scenery<'_, S>, executor: &mut Executor) {
        self.seen.clear();
        if executor.would_share(self.due.len(), LOOKS_AT_ONCE) {
            self.seen.resize(self.due.len(), Meeting::default());
            let see = |look: &Look<S>| look.see(scenery, look.ahead);
            executor.map(LOOKS_AT_ONCE, &self.due, &mut self.seen, see);
        }
    }
}

impl<S: Scalar> Solve<'_, S> {
    /// Looks again at what has moved, or is about to move, too far for its rows; `left` is the time in seconds until the end of the step.
    pub(super) fn refresh(&mut self, substep: u32, left: S) {
        if !self.settings.continuous {
            return;
        }
        let mut looks = std::mem::take(&mut self.rows.looks);
        looks.due.clear();
        looks.due.extend((0..self.rows.contacts.len()).filter_map(|place| self.find_look(place, substep)));
        if !looks.due.is_empty() {
            self.follow_all(left); // the looks ask at seams what is far
        }
        looks.see(Scenery::of(self.bodies, self.colliders, self.motion, self.settings), self.executor);
        for (number, look) in looks.due.iter().enumerate() {
            let next = looks.due.get(number + 1).map(|next| self.rows.contacts[next.place].contact);
            fetch(self.contacts, next);
            fetch(self.geometry, next);
            self.look(look, looks.seen.get(number));
        }
        self.find_drifts(substep, looks.due.iter().map(|look| look.place));
        self.rows.looks = looks;
    }

    /// The look at a contact that is due in a substep, if one is.
    fn find_look(&mut self, place: usize, substep: u32) -> Option<Look<S>> {
        if self.rows.contacts[place].is_over(self.rows, place) {
            return None;
        }
        let (h, substeps) = (self.settings.substep_seconds, self.settings.solver.substeps);
        let rate = self.turning_rate(place);
        // Shapes turn against each other no faster than the rows: most need not be asked.
        let may_spin = rate * h > small_turn();
        let spin = if may_spin { self.shape_spin(&self.rows.contacts[place]) } else { S::ZERO };
        let outlasts = self.outlasts_rows(spin);
        let made_for = if outlasts { self.middle_of_turn(spin, S::ZERO) } else { S::ZERO };
        let contact = &mut self.rows.contacts[place];
        (contact.true_from, contact.made_for) = (S::ZERO, made_for);
        if outlasts {
            contact.due = substep + 1;
            return Some(self.look_anew(place, made_for));
        }
        // Rows answer with the inertia that the bodies had as they were made: what goes on with a newer one would win or lose energy.
        let is_followed = contact.bodies.iter().any(|&body| self.motion.is_followed(body as usize));
        let is_due = substep >= contact.due || rate > contact.rate * S::TWO + S::ONE;
        let rolls_on =
            contact.may_roll && (is_followed || is_carried_along(contact.bodies, &self.bodies.angular_velocity));
        if !is_due && !rolls_on {
            if is_followed {
                let sources = Sources::of(self.bodies, self.colliders, self.motion, self.settings);
                answer_again(self.rows, place, sources);
            }
            return None;
        }
        let span = if rolls_on { 1 } else { substeps_of_small_turn(rate * h, substeps - substep) };
        contact.due = substep + span;
        contact.rate = rate;
        contact.rows_since = substep;
        let pair = ColliderPair::of(&self.geometry[contact.contact as usize]);
        let margin = self.settings.contact_margin;
        let ahead = moment_of_rows(span, h, rate);
        // At the start of the step rows for its first moment stand.
        let stands = substep == 0 && ahead == S::ZERO && self.geometry[contact.contact as usize].ahead == S::ZERO;
        (rate > slow_turning() && !stands).then(|| {
            let bearing = self.bearing_now(place);
            Look { place, pair, ahead, margin, bearing, goes_on: true }
        })
    }

    /// Gives contacts that were seen as they will be in the middle of some substeps the gaps of the step's start. What turns too far
    /// for that to serve all of these is looked at again at once.
    pub(super) fn lead_back(&mut self) {
        let (h, substeps) = (self.settings.substep_seconds, self.settings.solver.substeps);
        for place in 0..self.rows.contacts.len() {
            fetch(self.geometry, self.rows.contacts.get(place + FETCHED_AHEAD).map(|next| next.contact));
            let ahead = self.geometry[self.rows.contacts[place].contact as usize].ahead;
            self.date(place, ahead);
            if ahead == S::ZERO {
                continue;
            }
            self.begin_at_start(place, ahead);
            let rate = self.turning_rate(place);
            let span = substeps_of_small_turn(rate * h, substeps);
            let contact = &mut self.rows.contacts[place];
            contact.rate = rate;
            contact.due = (1..=span).find(|&span| moment_of_rows(span, h, rate) >= ahead).unwrap_or(0);
        }
    }

    /// Whether a contact whose rows turn strikes for the first time: that blow answers to the normal of its moment. What presses
    /// already has the normal of the middle of its substeps, unless its shapes turn far against each other within one.
    pub(super) fn is_first_blow(&self, place: usize) -> bool {
        if !self.settings.continuous {
            return false;
        }
        let LaneRows { points, fates, at, .. } = self.rows.at(place);
        let h = self.settings.substep_seconds;
        let turn = self.turning_rate(place) * h;
        let turns_far = self.outlasts_rows(self.shape_spin(&self.rows.contacts[place]));
        let is_first = |(point, struck): (&LanePoint<S>, &Flags)| {
            let is_still = point.impulse.0[at] == S::ZERO && point.total.0[at] == S::ZERO;
            !struck.is_set(at) && (turns_far || is_still)
        };
        turn > S::ONE.scale_by_power_of_two(-7) && points.iter().zip(&fates.struck).all(is_first)
    }

    /// Radians per second by which the rows of a contact turn, at most.
    fn turning_rate(&self, place: usize) -> S {
        let contact = &self.rows.contacts[place];
        let [a, b] = contact.bodies.map(|body| body as usize);
        let sliding = (self.bodies.linear_velocity[b] - self.bodies.linear_velocity[a]).taxicab_length();
        let spins = contact.bodies.map(|body| self.bodies.angular_velocity[body as usize].taxicab_length());
        spins[0] + spins[1] + sliding * contact.inverse_length
    }

    /// Radians per second by which the shapes of a contact turn against each other, at most; a ball about its centre does not,
    /// nor does what a turntable carries.
    pub(super) fn shape_spin(&self, contact: &ContactRows<S>) -> S {
        let spin = |side: usize| {
            let velocity = self.bodies.angular_velocity[contact.bodies[side] as usize];
            if contact.is_round[side] { Vec3::ZERO } else { velocity }
        };
        (spin(1) - spin(0)).taxicab_length()
    }

    /// Whether shapes that turn against each other at this rate, rad/s, turn farther in a substep than rows serve: never where nothing is
    /// looked at within a step.
    pub(super) fn outlasts_rows(&self, rate: S) -> bool {
        self.settings.continuous && rate * self.settings.substep_seconds > turn_of_rows()
    }

    /// The middle of the time for which rows serve that are made anew `time` seconds after the start of the substep, where the shapes
    /// turn against each other at this rate, rad/s.
    pub(super) fn middle_of_turn(&self, rate: S, time: S) -> S {
        let left = (self.settings.substep_seconds - time) * S::HALF;
        time + if rate * left > small_turn() { small_turn::<S>() / rate } else { left }
    }

    /// A look at what a contact is `time` seconds after the start of the substep, whatever it was.
    fn look_anew(&self, place: usize, time: S) -> Look<S> {
        let pair = ColliderPair::of(&self.geometry[self.rows.contacts[place].contact as usize]);
        let [a, b] = pair.colliders.map(|collider| self.colliders.reach[collider as usize]);
        let margin = self.settings.contact_margin + (a + b) * small_turn();
        Look { place, pair, ahead: time, margin, bearing: self.bearing_now(place), goes_on: false }
    }

    /// Makes the rows of a contact anew, `time` seconds after the start of the substep, for what it is at a later moment of it.
    pub(super) fn look_at(&mut self, place: usize, time: S, made_for: S) {
        self.look(&self.look_anew(place, made_for), None);
        let contact = &mut self.rows.contacts[place];
        (contact.true_from, contact.made_for) = (time, made_for);
    }

    /// Makes the rows of a contact anew for what a look shows, which may have been seen already.
    fn look(&mut self, look: &Look<S>, seen: Option<&Meeting<S>>) {
        let Look { place, pair, mut ahead, mut goes_on, .. } = *look;
        let number = self.rows.contacts[place].contact as usize;
        let mut meeting = seen.copied().unwrap_or_else(|| look.see(self.scenery(), ahead));
        if goes_on && (!self.is_continued_by(place, &meeting, ahead) || self.comes_to_seam(number, &meeting, ahead)) {
            (ahead, goes_on) = (S::ZERO, false);
            meeting = look.see(self.scenery(), S::ZERO);
        }
        let was_dropped = self.rows.contacts[place].count == 0;
        let old = self.old_points(place);
        keep(self.rows, place, &mut self.contacts[number], self.settings.solver.friction);
        let before = &self.contacts[number];
        self.contacts[number] = Contact::from_manifold(before.key(), &meeting.manifold, Some(before));
        let displacement_a = self.displacement_of(pair.bodies[0], ahead);
        let geometry = &mut self.geometry[number];
        geometry.displacement_a = displacement_a;
        geometry.shape_offset_a = meeting.shape_offset_a;
        geometry.centre_offset = meeting.centre_offset;
        geometry.manifold = meeting.manifold;
        let sources = Sources::of(self.bodies, self.colliders, self.motion, self.settings);
        rewrite_contact(self.rows, place, &self.contacts[number], geometry, sources);
        self.date(place, ahead);
        if (was_dropped || !goes_on) && self.is_at_seam(&self.geometry[number], ahead) {
            self.rows.set_count(place, 0);
        }
        if meeting.manifold.is_empty() {
            self.open_again(place, ahead);
        }
        self.continue_points(place, &old, ahead, goes_on);
    }

    /// Notes that the rows of a contact are made for `ahead` seconds after the start of the substep.
    pub(super) fn date(&mut self, place: usize, ahead: S) {
        let (_, view) = self.rows.view(place);
        view.common.age.0[view.at] = self.settings.substep_seconds * S::HALF - ahead;
    }

    /// Whether a new look, for `ahead` seconds from now, shows the same contact a little further on: features that are known, and
    /// where the normal has come by turning with the bodies.
    fn is_continued_by(&self, place: usize, meeting: &Meeting<S>, ahead: S) -> bool {
        let number = self.rows.contacts[place].contact as usize;
        let normal = self.geometry[number].manifold.normal;
        let LaneRows { common, at, .. } = self.rows.at(place);
        let since = ahead + common.age.0[at] - self.settings.substep_seconds * S::HALF;
        let turned = normal + self.turning_of_normal(number).cross(normal) * since;
        let cosine = turned.direction().map_or(S::ZERO, |turned| turned.dot(meeting.manifold.normal));
        let known = |feature: FeatureId| self.contacts[number].points().iter().any(|old| old.feature == feature);
        cosine > S::ONE - S::ONE.scale_by_power_of_two(-6)
            && meeting.manifold.points().iter().any(|point| known(point.feature))
    }

    /// Whether a contact will be with an edge that a neighbour continues, `ahead` seconds from now. Its face serves until it is there:
    /// the edge's normal would be a bump, and without any the way to the neighbour would be a fall.
    pub(super) fn comes_to_seam(&self, number: usize, meeting: &Meeting<S>, ahead: S) -> bool {
        let Meeting { shape_offset_a, centre_offset, manifold } = *meeting;
        let contact = ContactGeometry { shape_offset_a, centre_offset, manifold, ..self.geometry[number] };
        self.is_at_seam(&contact, ahead)
    }

    /// The angular velocity, rad/s, with which the face of a contact turns: it belongs to what is not round.
    fn turning_of_normal(&self, number: usize) -> Vec3<S> {
        let ContactGeometry { colliders, body_a, body_b, .. } = self.geometry[number];
        let [of_a, of_b] = [body_a, body_b].map(|body| self.bodies.angular_velocity[body as usize]);
        match colliders.map(|collider| self.colliders.turns_in_itself[collider as usize]) {
            [true, true] => Vec3::ZERO,
            [true, false] => of_b,
            [false, true] => of_a,
            [false, false] => (of_a + of_b) * S::HALF,
        }
    }

    /// Which points of a contact bore weight in the substep before.
    pub(super) fn bearing_now(&self, place: usize) -> Bearing {
        let kept = self.contacts[self.rows.contacts[place].contact as usize].points();
        let LaneRows { points, at, .. } = self.rows.at(place);
        bearing_of(kept.iter().zip(points).map(|(kept, point)| (kept.feature, point.impulse.0[at])))
    }

    /// The points of a contact with their gaps now.
    fn old_points(&self, place: usize) -> [Option<OldPoint<S>>; MAX_POINTS] {
        let contact = &self.rows.contacts[place];
        let LaneRows { common, points, at, .. } = self.rows.at(place);
        let moved = PairMotion::load(contact.bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let way = common.growth::<S>(at, &moved);
        let since = common.age.0[at] - self.settings.substep_seconds * S::HALF;
        let arc = since * since * S::HALF;
        let mut old = [None; MAX_POINTS];
        let kept = self.contacts[contact.contact as usize].points();
        for ((slot, point), kept) in old.iter_mut().zip(points).zip(kept) {
            let separation = point.separation.0[at] + way.at(point.levers_at(at)) + point.drift.0[at] * arc;
            *slot = Some(OldPoint { feature: kept.feature, separation, total: point.total.0[at] });
        }
        old
    }

    /// Gives new rows the gaps of their features, so that these change by what the bodies move and nothing else. Features
    /// that are new have the gap that was seen, and after a look at the present so have all.
    fn continue_points(&mut self, place: usize, old: &[Option<OldPoint<S>>; MAX_POINTS], ahead: S, goes_on: bool) {
        let (contact, view) = self.rows.view(place);
        let (bodies, at) = (contact.bodies, view.at);
        let now = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let [speed, way] = [now, moved].map(|motion: PairMotion<S>| view.common.growth(at, &motion));
        let kept = self.contacts[contact.contact as usize].points();
        let mut lost = old.iter().flatten().fold(S::ZERO, |sum, old| sum + old.total);
        for (point, kept) in view.points.iter_mut().zip(kept) {
            let same = old.iter().flatten().find(|old| old.feature == kept.feature);
            let levers = point.levers_at(at);
            let seen = point.separation.0[at] - speed.at(levers) * ahead;
            let separation = same.filter(|_| goes_on).map_or(seen, |old| old.separation);
            point.separation.0[at] = separation - way.at(levers);
            point.total.0[at] = same.map_or(S::ZERO, |old| old.total);
            lost -= point.total.0[at];
        }
        if let Some(LanePoint { total, .. }) = view.points.first_mut() {
            total.0[at] += lost.max(S::ZERO);
        }
    }
}
