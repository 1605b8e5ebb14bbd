//! Strikes: when the points of a contact meet, how fast, and the blow that follows.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::friction::solve_friction;
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::refresh::small_turn;
use crate::dynamics::solver::rows::{ContactRows, LaneDisc, LaneRows, Row, RowsView, TwistRow};
use crate::math::lanes::Lanes;
use crate::math::{Scalar, Vec3};

/// Sweeps over the points of one impact, at most.
const SWEEPS: u32 = 64;
/// Passes over normals and friction of one impact, at most.
const PASSES: u32 = 32;
/// The power of two, as a part of the speed of an impact, up to which its speeds may be wrong.
const NEGLIGIBLE: i32 = -20;

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

/// Which strikes of a contact count.
struct Search<S> {
    /// Seconds since the start of the substep from which its paths are those of now.
    from: S,
    /// Impacts no faster than this are none, m/s.
    least: S,
}

impl<S: Scalar> Solve<'_, S> {
    /// When, and how fast, the points of a contact strike on the present paths: by the end of the substep, or a moment after it,
    /// so that what strikes together is not torn apart there.
    ///
    /// What has struck already in this substep, and would not bounce, is left to the rows: they stop it together with all that
    /// it rests on. Not so what spins, whose rows are true for a moment only.
    pub(super) fn hits(&self, link: u32, place: usize) -> Hits<S> {
        let mut hits = [None; MAX_POINTS];
        let contact = &self.rows.contacts[place];
        let rows = self.rows.at(place);
        let normal = rows.common.directions[0].at(rows.at);
        let motion = PairMotion::load(contact.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let mut search = None;
        for (hit, point) in hits.iter_mut().zip(rows.points) {
            let row = point.normal.at(rows.at);
            let speed = motion.along(normal, &row);
            if speed >= S::ZERO {
                continue;
            }
            let Some(search) = search.get_or_insert_with(|| self.search_of(link, contact, rows)) else { return hits };
            *hit = self.hit(contact.bodies, (normal, &row), (point.separation.0[rows.at], speed), search);
        }
        hits
    }

    /// Which strikes of a contact count, if any can.
    fn search_of(&self, link: u32, contact: &ContactRows<S>, rows: LaneRows<'_, S>) -> Option<Search<S>> {
        let solver = &self.settings.solver;
        let spins = self.shape_spin(contact) * self.settings.substep_seconds > small_turn();
        let slow = slowest_strike(self.settings);
        let free = self.impacts.free_since(contact.bodies);
        let from = if spins { free.max(contact.seen_at) } else { free };
        let has_struck = self.impacts.has_struck(link);
        if spins || !has_struck {
            let least = if has_struck { slow.max(slowest_next_strike()) } else { slow };
            return Some(Search { from, least });
        }
        let bounces = rows.common.surface.restitution.0[rows.at] > S::ZERO;
        bounces.then_some(Search { from, least: slow.max(solver.restitution_threshold) })
    }

    /// The strike of a point that approaches with `speed` at the end of the substep, if there is one worth the name. What would
    /// bounce for less than two substeps is at rest.
    fn hit(
        &self,
        bodies: [u32; 2],
        (normal, row): (Vec3<S>, &Row<S>),
        (separation, speed): (S, S),
        search: &Search<S>,
    ) -> Option<Hit<S>> {
        let h = self.settings.substep_seconds;
        let accelerations =
            PairMotion::load(bodies, &self.motion.linear_acceleration, &self.motion.angular_acceleration);
        let acceleration = accelerations.along(normal, row);
        if !is_worth_a_strike(speed, acceleration, h, search.least) {
            return None;
        }
        let least = search.least.max(acceleration.abs() * h);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let separation = separation + moved.along(normal, row);
        let path = Path { separation, start: speed - acceleration * h * S::HALF, acceleration };
        path.impact(search.from, h + self.moment()).filter(|hit| -hit.speed > least)
    }

    /// When the first point strikes within the substep.
    pub(super) fn first_strike(&self, hits: &Hits<S>) -> Option<S> {
        let first = hits.iter().flatten().map(|hit| hit.time).reduce(S::min);
        first.filter(|&time| time <= self.settings.substep_seconds)
    }

    /// How near in time, in seconds, strikes are to each other that happen at once.
    pub(super) fn moment(&self) -> S {
        self.settings.substep_seconds.scale_by_power_of_two(-6)
    }

    /// Strikes the points of a contact that meet at `time`.
    pub(super) fn strike(&mut self, place: u32, time: S, hits: &Hits<S>, bounces: bool) {
        let together = time + self.moment();
        let threshold = self.settings.solver.restitution_threshold;
        let (contact, mut view) = self.rows.view(place as usize);
        let (bodies, at) = (contact.bodies, view.at);
        let normal = view.common.directions[0].at(at);
        let before = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let moved = PairMotion::load(bodies, &self.motion.delta_position, &self.motion.delta_rotation);
        let accelerations =
            PairMotion::load(bodies, &self.motion.linear_acceleration, &self.motion.angular_acceleration);
        // At `t` the velocity is that of the parabola, `a (h/2 - t)` less than at the end.
        let later = accelerations.scaled(self.settings.substep_seconds * S::HALF - time);
        let at_blow = before.minus(&later);
        let mut targets = [Target::idle(); MAX_POINTS];
        let mut speeds = [S::ZERO; MAX_POINTS];
        for (index, point) in view.points.iter_mut().enumerate() {
            let row = point.normal.at(at);
            let speed = at_blow.along(normal, &row);
            let strikes = hits[index].is_some_and(|hit| hit.time <= together) && speed < S::ZERO;
            if !strikes {
                continue;
            }
            let restitution =
                if bounces && -speed > threshold { view.common.surface.restitution.0[at] } else { S::ZERO };
            speeds[index] = speed;
            targets[index] = Target::rigid((S::ONE + restitution) * speed - before.along(normal, &row), true);
            let is_apart = point.separation.0[at] + moved.along(normal, &row) > S::ZERO;
            point.struck.put(at, point.struck.is_set(at) || is_apart);
            self.counts.bounced += u64::from(restitution > S::ZERO);
        }
        let kept = KeptImpulses::take(&mut view);
        let now = Blow { before, targets, speeds, later }.strike(&mut view);
        for point in view.points.iter_mut() {
            point.total.0[at] += point.impulse.0[at];
        }
        kept.put_back(&mut view);
        now.scatter(&view, &mut self.bodies.linear_velocity, &mut self.bodies.angular_velocity);
        let is_pushed = view.bodies.pushed.map(|pushed| pushed.is_set(at));
        for (side, body) in bodies.into_iter().enumerate().filter(|(side, _)| is_pushed[*side]) {
            let old = [before.linear[side], before.angular[side]];
            self.motion.begin_anew(self.bodies, body as usize, old, time, self.settings);
            self.impacts.break_path(body, bodies[1 - side], time);
        }
    }
}

/// The approach speed up to which nothing strikes, whatever it is between, m/s.
pub(super) fn slowest_strike<S: Scalar>(settings: &Settings<S>) -> S {
    settings.solver.restitution_threshold.min(S::HALF * S::HALF)
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

/// A blow between the two bodies of a contact.
struct Blow<S: Scalar> {
    /// Their velocities at the end of the substep, without it.
    before: PairMotion<S>,
    /// What the points are driven to.
    targets: [Target<S>; MAX_POINTS],
    /// Their speeds along the normal just before, m/s; zero of those that are not struck.
    speeds: [S; MAX_POINTS],
    /// What the velocities of the substep's end have beyond those at the blow.
    later: PairMotion<S>,
}

impl<S: Scalar> Blow<S> {
    /// Strikes; the velocities at the end of the substep.
    ///
    /// Newton's restitution together with friction may add energy (W. J. Stronge, "Impact Mechanics", 2000, chapter 5). Where it
    /// does, the bodies bounce by as many eighths of their restitution as it takes not to; and where even a blow without any
    /// adds energy, it is one without friction.
    fn strike(&self, view: &mut RowsView<'_, S>) -> PairMotion<S> {
        let full = self.solve(view, &self.targets, true);
        if !self.adds_energy(view, &full) {
            return full;
        }
        let bouncing = KeptImpulses::take(view);
        let mut dull_targets = self.targets;
        for ((target, speed), point) in dull_targets.iter_mut().zip(self.speeds).zip(view.points.iter()) {
            let normal = view.common.directions[0].at(view.at);
            target.bias = speed - self.before.along(normal, &point.normal.at(view.at));
        }
        let dull = self.solve(view, &dull_targets, true);
        if self.adds_energy(view, &dull) {
            KeptImpulses::take(view);
            return self.solve(view, &self.targets, false);
        }
        let stopping = KeptImpulses::take(view);
        for eighths in (1..8).rev() {
            let part = S::from_i32(eighths).scale_by_power_of_two(-3);
            stopping.towards(&bouncing, part).put_back(view);
            let now = dull.towards(&full, part);
            if !self.adds_energy(view, &now) {
                return now;
            }
        }
        stopping.put_back(view);
        dull
    }

    /// The velocities after normals and friction, from impulses of zero.
    fn solve(
        &self,
        view: &mut RowsView<'_, S>,
        targets: &[Target<S>; MAX_POINTS],
        with_friction: bool,
    ) -> PairMotion<S> {
        let mut now = self.before;
        spread(&mut now, view, targets);
        let fastest = self.speeds.into_iter().fold(S::ZERO, |fastest, speed| fastest.max(-speed));
        let negligible = fastest.scale_by_power_of_two(NEGLIGIBLE);
        let how = NormalSolve { sweeps: SWEEPS, accumulates: true, yields: false, negligible };
        for pass in 0..PASSES {
            let change = solve_normals(&mut now, view, targets, how);
            if pass > 0 && change <= negligible {
                break;
            }
            if with_friction {
                solve_friction(&mut now, view);
            }
        }
        now
    }

    /// Whether the work of the impulses in `view` is positive by more than rounding: each does its impulse times the mean of
    /// its row's speeds before and after.
    fn adds_energy(&self, view: &RowsView<'_, S>, now: &PairMotion<S>) -> bool {
        let mean = self.before.towards(now, S::HALF).minus(&self.later);
        let at = view.at;
        let [normal, first, second] = [0, 1, 2].map(|index: usize| view.common.directions[index].at(at));
        let (mut work, mut size) = (S::ZERO, S::ZERO);
        for (point, speed) in view.points.iter().zip(self.speeds) {
            let impulse = point.impulse.0[at];
            work += impulse * mean.along(normal, &point.normal.at(at));
            size += impulse * speed.abs();
        }
        for disc in view.friction.iter() {
            let impulse = disc.impulse_in(at);
            work += impulse[0] * mean.along(first, &disc.rows[0].at(at));
            work += impulse[1] * mean.along(second, &disc.rows[1].at(at));
        }
        let TwistRow { row, impulse, .. } = &view.common.twist;
        work += impulse.0[at] * mean.around(&row.at(at));
        if let Some(rolling) = &view.rolling {
            let impulse = rolling.impulse_in(at);
            work += impulse[0] * mean.around(&rolling.rows[0].at(at));
            work += impulse[1] * mean.around(&rolling.rows[1].at(at));
        }
        work > size.scale_by_power_of_two(-14)
    }
}

/// Starts a blow with one impulse for all points that are struck: of all such the nearest to their targets.
///
/// What falls flat is struck alike everywhere; sweeps from the first point to the last would come near that, and leave a spin.
fn spread<S: Scalar>(now: &mut PairMotion<S>, view: &mut RowsView<'_, S>, targets: &[Target<S>; MAX_POINTS]) {
    let at = view.at;
    let normal = view.common.directions[0].at(at);
    let (mut short, mut coupling) = (S::ZERO, S::ZERO);
    for (index, point) in view.points.iter().enumerate().filter(|(index, _)| targets[*index].acts) {
        short -= now.along(normal, &point.normal.at(at)) + targets[index].bias;
        let others = &view.common.coupling[index][..view.points.len()];
        for (other, _) in others.iter().zip(targets).filter(|(_, target)| target.acts) {
            coupling += other.0[at];
        }
    }
    if short <= S::ZERO || coupling <= S::ZERO {
        return;
    }
    let impulse = short / coupling;
    let push = [view.common.push[0].0[at], view.common.push[1].0[at]];
    for (point, _) in view.points.iter_mut().zip(targets).filter(|(_, target)| target.acts) {
        now.push(normal, push, &point.normal.at(at), impulse);
        point.impulse.0[at] = impulse;
    }
}

/// The impulses that a contact keeps, put aside while an impact uses its rows.
struct KeptImpulses<S> {
    points: [S; MAX_POINTS],
    friction: [[S; 2]; MAX_POINTS],
    twist: S,
    rolling: [S; 2],
}

impl<S: Scalar> KeptImpulses<S> {
    fn take(view: &mut RowsView<'_, S>) -> Self {
        let at = view.at;
        let take = |disc: &mut LaneDisc<S>| {
            let impulse = disc.impulse_in(at);
            disc.set_impulse(at, [S::ZERO; 2]);
            impulse
        };
        let mut kept = Self {
            points: [S::ZERO; MAX_POINTS],
            friction: [[S::ZERO; 2]; MAX_POINTS],
            twist: std::mem::take(&mut view.common.twist.impulse.0[at]),
            rolling: view.rolling.as_deref_mut().map_or([S::ZERO; 2], take),
        };
        for (kept, point) in kept.points.iter_mut().zip(view.points.iter_mut()) {
            *kept = std::mem::take(&mut point.impulse.0[at]);
        }
        for (kept, disc) in kept.friction.iter_mut().zip(view.friction.iter_mut()) {
            *kept = take(disc);
        }
        kept
    }

    /// Some part of the way from these impulses to others.
    fn towards(&self, other: &Self, part: S) -> Self {
        let between = |from: S, to: S| from + (to - from) * part;
        let pair = |from: [S; 2], to: [S; 2]| [between(from[0], to[0]), between(from[1], to[1])];
        Self {
            points: std::array::from_fn(|index| between(self.points[index], other.points[index])),
            friction: std::array::from_fn(|index| pair(self.friction[index], other.friction[index])),
            twist: between(self.twist, other.twist),
            rolling: pair(self.rolling, other.rolling),
        }
    }

    fn put_back(&self, view: &mut RowsView<'_, S>) {
        let at = view.at;
        view.common.twist.impulse.0[at] = self.twist;
        if let Some(rolling) = &mut view.rolling {
            rolling.set_impulse(at, self.rolling);
        }
        for (kept, point) in self.points.into_iter().zip(view.points.iter_mut()) {
            point.impulse.0[at] = kept;
        }
        for (kept, disc) in self.friction.into_iter().zip(view.friction.iter_mut()) {
            disc.set_impulse(at, kept);
        }
    }
}
