//! Strikes: when the points of a contact meet, how fast, and what the blow has to do then.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::blow::{Blow, KeptImpulses, Member};
use crate::dynamics::solver::exchange::Growth;
use crate::dynamics::solver::normals::Target;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::prepare::{parts_of_largest, reduced_mass};
use crate::dynamics::solver::rows::{CommonRows, ContactRows, LaneRows};
use crate::math::Scalar;
use crate::math::lanes::{Block, Lanes};

/// The strike of one point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit<S> {
    /// Seconds since the start of the substep.
    pub(super) time: S,
    /// Speed along the normal just before, negative.
    pub(super) speed: S,
}

/// The strikes of the points of a contact.
pub(super) type Hits<S> = [Option<Hit<S>>; MAX_POINTS];

/// A contact that strikes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Struck<S> {
    /// The place of its rows.
    pub(super) place: u32,
    pub(super) hits: Hits<S>,
    /// Whether it may bounce.
    pub(super) bounces: bool,
}

/// Which strikes of a contact count.
struct Search<S> {
    /// Seconds since the start of the substep from which its paths are those of now.
    from: S,
    /// Impacts no faster than this are none where the contact is slow, m/s.
    least: S,
    /// Impacts no faster than this are none anywhere, m/s.
    least_of_all: S,
    /// Whether the surfaces bounce.
    bounces: bool,
}

impl<S: Scalar> Solve<'_, S> {
    /// When, and how fast, the points of a contact strike on the present paths: by the end of the substep, or a moment after it,
    /// so that what strikes together is not torn apart there.
    ///
    /// What has struck already in this substep, and would not bounce, is left to the rows: they stop it together with all that
    /// it rests on. Not so what spins, whose rows are true for a moment only; `spin` is its [`shape_spin`](Self::shape_spin).
    pub(super) fn hits(&self, link: u32, place: usize, spin: S) -> Hits<S> {
        let mut hits = [None; MAX_POINTS];
        let contact = &self.rows.contacts[place];
        let rows = self.rows.at(place);
        let Some(search) = self.search_of((link, spin), contact, rows) else { return hits };
        let (common, at) = (rows.common, rows.at);
        let motion = PairMotion::load(contact.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let speed = common.growth::<S>(at, &motion);
        let speed_of_centres = common.speed_of_centres::<S>(at, &motion);
        let mut changes = None;
        for (hit, point) in hits.iter_mut().zip(rows.points) {
            let levers = point.levers_at(at);
            let speed = speed.at(levers);
            if speed >= S::ZERO {
                continue;
            }
            let least = search.least_at(pace(speed, speed_of_centres), self.settings.solver.restitution_threshold);
            let [acceleration, way] = *changes.get_or_insert_with(|| self.changes(contact.bodies, common, at));
            let separation = point.separation.0[at] + way.at(levers);
            *hit = self.hit((separation, speed, acceleration.at(levers)), search.from, least);
        }
        hits
    }

    /// Which strikes of a contact count, if any can.
    fn search_of(&self, (link, spin): (u32, S), contact: &ContactRows<S>, rows: LaneRows<'_, S>) -> Option<Search<S>> {
        let solver = &self.settings.solver;
        let spins = self.outlasts_rows(spin);
        let slow = slowest_strike(self.settings);
        let free = self.impacts.free_since(contact.bodies);
        let from = if spins { free.max(contact.true_from) } else { free };
        let has_struck = self.impacts.has_struck(link);
        let least_of_all = if has_struck { slowest_next_strike() } else { S::ZERO };
        let bounces = rows.common.surface.restitution.0[rows.at] > S::ZERO;
        if spins || !has_struck {
            return Some(Search { from, least: slow.max(least_of_all), least_of_all, bounces });
        }
        let least = slow.max(solver.restitution_threshold);
        bounces.then_some(Search { from, least, least_of_all, bounces })
    }

    /// How the gaps of a contact accelerate, and how they have changed since the start of the step.
    fn changes(&self, bodies: [u32; 2], common: &CommonRows<Block<S>>, at: usize) -> [Growth<S>; 2] {
        let accelerations =
            PairMotion::load(bodies, &self.motion.linear_acceleration, &self.motion.angular_acceleration);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        [common.growth(at, &accelerations), common.growth(at, &moved)]
    }

    /// The strike of a point at a gap of `separation` that approaches with `speed` at the end of the substep, if there is one worth
    /// the name. What would bounce for less than two substeps is at rest.
    fn hit(&self, (separation, speed, acceleration): (S, S, S), from: S, least: S) -> Option<Hit<S>> {
        let h = self.settings.substep_seconds;
        if !is_worth_a_strike(speed, acceleration, h, least) {
            return None;
        }
        let least = least.max(acceleration.abs() * h);
        let path = Path { separation, start: speed - acceleration * h * S::HALF, acceleration };
        path.impact(from, h + self.moment()).filter(|hit| -hit.speed > least)
    }

    /// When the first point strikes within the substep.
    pub(super) fn first_strike(&self, hits: &Hits<S>) -> Option<S> {
        let first = hits.iter().flatten().map(|hit| hit.time).reduce(S::min);
        first.filter(|&time| time <= self.settings.substep_seconds)
    }

    /// How near in time, in seconds, strikes are to each other that happen at once.
    pub(super) fn moment(&self) -> S {
        self.settings.moment()
    }

    /// Strikes the points of contacts that meet at `time`, all at once.
    pub(super) fn strike(&mut self, struck: &[Struck<S>], time: S) {
        let mut members: Vec<Member<S>> = struck.iter().map(|struck| self.take_member(struck, time)).collect();
        self.weigh(&mut members);
        Blow { members: &members }
            .strike(self.rows, (&mut self.bodies.linear_velocity, &mut self.bodies.angular_velocity));
        members.iter().for_each(|member| self.note_joined_blow(member, time));
        for member in &members {
            let (_, mut view) = self.rows.view(member.place);
            for point in view.points.iter_mut() {
                point.total.0[view.at] += point.impulse.0[view.at];
            }
            member.kept.put_back(&mut view);
        }
        let mut moved: Vec<u32> = Vec::new();
        for member in &members {
            let Member { bodies, before, is_pushed, .. } = member;
            for (side, &body) in bodies.iter().enumerate().filter(|(side, _)| is_pushed[*side]) {
                if !moved.contains(&body) {
                    let old = [before.linear[side], before.angular[side]];
                    self.motion.begin_anew(self.bodies, body as usize, old, time, self.settings);
                    moved.push(body);
                }
                self.impacts.break_path(body, bodies[1 - side], time);
            }
        }
    }

    /// Finds the reduced masses of the contacts of a blow, against the largest.
    fn weigh(&self, members: &mut [Member<S>]) {
        let inverse_mass = |body: u32| self.bodies.inverse_mass[body as usize];
        let mass_of = |member: &Member<S>| {
            let [a, b] = member.bodies.map(inverse_mass);
            reduced_mass(a, b)
        };
        let masses: Vec<_> = members.iter().map(mass_of).collect();
        members.iter_mut().zip(parts_of_largest(&masses)).for_each(|(member, part)| member.mass = part);
    }

    /// One contact of a blow at `time`, with rows without impulses.
    fn take_member(&mut self, struck: &Struck<S>, time: S) -> Member<S> {
        let together = time + self.moment();
        let threshold = self.settings.solver.restitution_threshold;
        let (contact, mut view) = self.rows.view(struck.place as usize);
        let (bodies, at) = (contact.bodies, view.at);
        let before = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let accelerations =
            PairMotion::load(bodies, &self.motion.linear_acceleration, &self.motion.angular_acceleration);
        // At `t` the velocity is that of the parabola, `a (h/2 - t)` less than at the end.
        let later = accelerations.scaled(self.settings.substep_seconds * S::HALF - time);
        let at_blow = before.minus(&later);
        let growth = |motion: &PairMotion<S>| view.common.growth::<S>(at, motion);
        let [speed_at_blow, speed_before, way] = [growth(&at_blow), growth(&before), growth(&moved)];
        let speed_of_centres = view.common.speed_of_centres::<S>(at, &at_blow);
        let mut targets = [Target::idle(); MAX_POINTS];
        let mut speeds = [S::ZERO; MAX_POINTS];
        let mut bounces = false;
        for (index, point) in view.points.iter_mut().enumerate() {
            let levers = point.levers_at(at);
            let speed = speed_at_blow.at(levers);
            let strikes = struck.hits[index].is_some_and(|hit| hit.time <= together) && speed < S::ZERO;
            if !strikes {
                continue;
            }
            let is_fast = pace(speed, speed_of_centres) > threshold;
            let restitution = if struck.bounces && is_fast { view.common.surface.restitution.0[at] } else { S::ZERO };
            speeds[index] = speed;
            targets[index] = Target::rigid((S::ONE + restitution) * speed - speed_before.at(levers), true);
            let is_apart = point.separation.0[at] + way.at(levers) > S::ZERO;
            let fate = &mut view.bodies.fates.struck[index];
            fate.put(at, fate.is_set(at) || is_apart);
            bounces |= restitution > S::ZERO;
            self.counts.bounced += u64::from(restitution > S::ZERO);
        }
        let is_pushed = view.bodies.pushed.map(|pushed| pushed.is_set(at));
        let (place, kept) = (struck.place as usize, KeptImpulses::take(&mut view));
        Member { place, bodies, is_pushed, mass: S::ONE, before, later, targets, speeds, bounces, kept }
    }
}

impl<S: Scalar> Search<S> {
    /// The approach speed up to which a point at this pace does not strike, m/s.
    fn least_at(&self, pace: S, threshold: S) -> S {
        if self.bounces && pace > threshold {
            slow_for(pace).max(self.least_of_all).min(self.least)
        } else {
            self.least
        }
    }
}

/// How fast two bodies move against each other along the normal of a point, m/s, whatever its own speed: their centres, or by
/// turning.
///
/// What rests moves in neither way. What tumbles may meet with a point that is slow at that moment: then its centre comes as fast as
/// turning takes the point away, or the other way round. That is a blow in passing and no coming to rest.
#[inline(always)]
pub(super) fn pace<L: Lanes>(speed: L, speed_of_centres: L) -> L {
    let by_turning = speed - speed_of_centres;
    speed.magnitude().larger(speed_of_centres.magnitude()).larger(by_turning.magnitude())
}

/// The approach speed, m/s, up to which a blow at this pace is none: to stop it takes less than 2^-14 of the energy of the motion that
/// has that pace.
#[inline(always)]
pub(super) fn slow_for<L: Lanes>(pace: L) -> L {
    pace * L::splat(L::Scalar::ONE.scale_by_power_of_two(-7))
}

/// The approach speed up to which nothing strikes that is at no higher pace, whatever it is between, m/s.
pub(super) fn slowest_strike<S: Scalar>(settings: &Settings<S>) -> S {
    settings.solver.restitution_threshold.min(S::ONE)
}

/// The approach speed up to which what has struck in a substep does not strike again in it, m/s: a blow leaves that much of a
/// fast one, which would strike at the same moment for ever.
fn slowest_next_strike<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-10)
}

/// Whether a point that approaches with `speed` at the end of a substep of length `h` can strike faster than `least` m/s, and so
/// fast that it would bounce for two substeps.
#[inline(always)]
pub(super) fn is_worth_a_strike<L: Lanes>(speed: L, acceleration: L, h: L, least: L) -> L::Mask {
    let gain = acceleration.magnitude() * h;
    (gain * L::splat(L::Scalar::HALF) - speed).is_above(least.larger(gain))
}

/// The gap of a point over the time `t` of a substep: `separation + start t + acceleration t^2/2`.
struct Path<S> {
    /// Metres, at the start of the substep.
    separation: S,
    /// The speed there, m/s.
    start: S,
    /// m/s^2
    acceleration: S,
}

impl<S: Scalar> Path<S> {
    /// Where the gap closes between two times.
    fn impact(&self, from: S, until: S) -> Option<Hit<S>> {
        let Self { separation, start, acceleration } = *self;
        let gap_at = |time: S| separation + start * time + acceleration * time * time * S::HALF;
        let (gap, now) = (gap_at(from), start + acceleration * from);
        if gap <= S::ZERO {
            return (now < S::ZERO).then_some(Hit { time: from, speed: now });
        }
        let end = gap_at(until);
        let nearly = S::ONE.scale_by_power_of_two(-20);
        if end >= nearly || (now >= S::ZERO && (acceleration >= S::ZERO || end >= S::ZERO)) {
            return None;
        }
        let struck = -(now * now - (acceleration * gap) * S::TWO).max(S::ZERO).sqrt();
        let wait = if now <= S::ZERO {
            let sum = -struck - now;
            if sum > S::ZERO { S::TWO * gap / sum } else { until }
        } else {
            (now - struck) / -acceleration
        };
        Some(Hit { time: (from + wait).min(until), speed: struck })
    }
}
