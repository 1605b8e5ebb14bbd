//! A blow: the impulses of contacts that strike at the same moment, found together.
//!
//! What falls flat on two floors, or on four legs, meets in several contacts at once. One after the other they would push it
//! as if the others were not there: the first turns it, and the next throws it up. So all targets of one moment are sought
//! together, contact by contact until nothing changes any more (Gauss-Seidel), from velocities that all of them share.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::exchange::{Exchange, push_points};
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{LaneDisc, LaneRows, Rows, RowsView};
use crate::dynamics::solver::rubbing::Rubbing;
use crate::math::lanes::Watch;
use crate::math::{Scalar, Vec3};

/// Sweeps over the points of one contact, at most.
const SWEEPS: u32 = 64;
/// Passes over normals and friction of one contact, at most.
const PASSES: u32 = 256;
/// Passes over several contacts, at most.
const PASSES_OF_SEVERAL: u32 = 512;
/// After so many passes over one contact friction follows the normals by half of the way only, and each time so many later by half of that.
const PASSES_TO_HALF: u32 = 32;
/// The same over several contacts, which need long to hear of each other.
const PASSES_OF_SEVERAL_TO_HALF: u32 = 256;
/// And how many later by half of that.
const PASSES_OF_SEVERAL_TO_NEXT_HALF: u32 = 64;
/// The power of two, as a part of the speed of an impact, up to which its speeds may be wrong where something bounces: what flies
/// off keeps such an error.
const NEGLIGIBLE_OF_BOUNCES: i32 = -20;
/// The same where nothing bounces: the rows go on from there in the same substep, and what these miss of an arc is more.
const NEGLIGIBLE: i32 = -13;

/// The velocities of all bodies, linear in m/s and angular in rad/s.
pub(super) type Velocities<'a, S> = (&'a mut [Vec3<S>], &'a mut [Vec3<S>]);

/// A contact in a blow.
#[derive(Clone, Debug)]
pub(super) struct Member<S: Scalar> {
    /// The place of its rows.
    pub(super) place: usize,
    pub(super) bodies: [u32; 2],
    /// Which of its bodies impulses move.
    pub(super) is_pushed: [bool; 2],
    /// Their reduced mass, as a part of the largest in the blow.
    pub(super) mass: S,
    /// Their velocities at the end of the substep, without the blow.
    pub(super) before: PairMotion<S>,
    /// What the velocities of the substep's end have beyond those at the blow.
    pub(super) later: PairMotion<S>,
    /// What the points are driven to.
    pub(super) targets: [Target<S>; MAX_POINTS],
    /// Their speeds along the normal just before, m/s; zero of those that are not struck.
    pub(super) speeds: [S; MAX_POINTS],
    /// Whether any of them bounces.
    pub(super) bounces: bool,
    /// The impulses of its rows, put aside.
    pub(super) kept: KeptImpulses<S>,
}

/// What the points of each member are driven to.
type Targets<S> = [[Target<S>; MAX_POINTS]];

/// What a blow comes to: the velocities of the bodies of each member, and their impulses.
struct Outcome<S> {
    motions: Vec<PairMotion<S>>,
    impulses: Vec<KeptImpulses<S>>,
}

/// Contacts that strike at once. Their rows bear no other impulses meanwhile.
pub(super) struct Blow<'a, S: Scalar> {
    pub(super) members: &'a [Member<S>],
}

impl<S: Scalar> Blow<'_, S> {
    /// Strikes: leaves the impulses in the rows and the velocities at the end of the substep with the bodies.
    ///
    /// Newton's restitution together with friction may add energy (W. J. Stronge, "Impact Mechanics", 2000, chapter 5). Where it
    /// does, the bodies bounce by as many eighths of their restitution as it takes not to; and where even a blow without any
    /// adds energy, it is one without friction.
    pub(super) fn strike(&self, rows: &mut Rows<S>, mut velocities: Velocities<'_, S>) {
        let targets: Vec<_> = self.members.iter().map(|member| member.targets).collect();
        self.solve(rows, &mut velocities, &targets, true);
        if !self.adds_energy(rows, &velocities) {
            return;
        }
        let full = self.take(rows, &velocities);
        let dull_targets: Vec<_> = self.members.iter().map(|member| member.dull_targets(rows)).collect();
        self.solve(rows, &mut velocities, &dull_targets, true);
        let adds_energy = self.adds_energy(rows, &velocities);
        let dull = self.take(rows, &velocities);
        if adds_energy {
            self.solve(rows, &mut velocities, &targets, false);
            return;
        }
        for eighths in (1..8).rev() {
            let part = S::from_i32(eighths).scale_by_power_of_two(-3);
            self.give(rows, &mut velocities, &dull.towards(&full, part));
            if !self.adds_energy(rows, &velocities) {
                return;
            }
        }
        self.give(rows, &mut velocities, &dull);
    }

    /// Finds the velocities after normals and friction, from impulses of zero.
    fn solve(&self, rows: &mut Rows<S>, velocities: &mut Velocities<'_, S>, targets: &Targets<S>, with_friction: bool) {
        for member in self.members {
            member.write(velocities, &member.before);
        }
        self.spread(rows, velocities, targets);
        let negligible = self.negligible();
        let how = NormalSolve { sweeps: SWEEPS, accumulates: true, yields: false, negligible };
        let count = self.members.len();
        let mut rubbing = Vec::with_capacity(count);
        for (member, targets) in self.members.iter().zip(targets) {
            rubbing.push(Rubbing::of(&rows.view(member.place).1, targets, (with_friction, count == 1), negligible));
        }
        let mut last_change = S::ZERO;
        for pass in 0..if count > 1 { PASSES_OF_SEVERAL } else { PASSES } {
            let part = S::ONE.scale_by_power_of_two(-halvings(pass, count));
            let mut change = S::ZERO;
            for step in 0..count {
                let index = if pass % 2 == 1 { count - 1 - step } else { step };
                let what = (&targets[index], &mut rubbing[index]);
                let is_sure_to_rub = count > 1 || pass == 0;
                change = change.max(self.members[index].settle(rows, velocities, what, (how, part, is_sure_to_rub)));
            }
            // Points that only trade a little, and more in each pass, go towards one of many solutions that is lopsided.
            let grows_lopsided = count == 1 && rubbing[0].only_trades(change) && change > last_change;
            last_change = change;
            if grows_lopsided || (pass > 0 && change <= negligible) {
                break;
            }
        }
        let has_several = targets.iter().flatten().filter(|target| target.acts).nth(1).is_some();
        if has_several && self.members.iter().any(|member| member.bounces) {
            self.scale_to_targets(rows, velocities, targets);
        }
    }

    /// Makes the impulses together so much larger or smaller that they drive what they act on to its targets, on an average weighted
    /// with themselves.
    ///
    /// Points that nearly coincide, or hardly tilt anything, are driven there one by one only after very many passes, and what these
    /// miss is lost or won as energy. The work of a blow depends on that average alone.
    fn scale_to_targets(&self, rows: &mut Rows<S>, velocities: &mut Velocities<'_, S>, targets: &Targets<S>) {
        let pushes = self.members.iter().map(|member| member.largest_push(rows.at(member.place)));
        let largest = pushes.fold(S::ZERO, S::max);
        if largest == S::ZERO {
            return;
        }
        let (mut short, mut gained) = (S::ZERO, S::ZERO);
        for (member, targets) in self.members.iter().zip(targets) {
            let (now, rows) = (member.read(velocities), rows.at(member.place));
            let [before, now] = [&member.before, &now].map(|motion| rows.common.growth::<S>(rows.at, motion));
            for (point, target) in rows.points.iter().zip(targets) {
                let levers = point.levers_at(rows.at);
                let weight = point.impulse.0[rows.at] * member.mass / largest;
                short -= weight * (before.at(levers) + target.bias);
                gained += weight * (now.at(levers) - before.at(levers));
            }
        }
        if short <= S::ZERO || gained <= S::ZERO || short == gained {
            return;
        }
        let motions = self.members.iter().map(|member| member.before).collect();
        let nothing = Outcome { motions, impulses: vec![KeptImpulses::none(); self.members.len()] };
        let found = self.take(rows, velocities);
        self.give(rows, velocities, &nothing.towards(&found, short / gained));
    }

    /// The change of a speed, m/s, that is not worth another pass.
    fn negligible(&self) -> S {
        let speeds = self.members.iter().flat_map(|member| member.speeds);
        let fastest = speeds.fold(S::ZERO, |fastest, speed| fastest.max(-speed));
        let bounces = self.members.iter().any(|member| member.bounces);
        fastest.scale_by_power_of_two(if bounces { NEGLIGIBLE_OF_BOUNCES } else { NEGLIGIBLE })
    }

    /// Starts with one impulse for all points that are struck: of all such the nearest to their targets.
    ///
    /// What falls flat is struck alike everywhere; sweeps from the first point to the last would come near that, and leave a spin.
    fn spread(&self, rows: &mut Rows<S>, velocities: &mut Velocities<'_, S>, targets: &Targets<S>) {
        let short = self.sum_of_speeds(rows, velocities, targets);
        let bias = targets.iter().flatten().filter(|target| target.acts).fold(S::ZERO, |sum, target| sum + target.bias);
        self.push_all(rows, velocities, (targets, S::ONE));
        let gain = self.sum_of_speeds(rows, velocities, targets) - short;
        for member in self.members {
            member.write(velocities, &member.before);
        }
        let short = -(short + bias);
        let impulse = if short > S::ZERO && gain > S::ZERO { short / gain } else { S::ZERO };
        self.push_all(rows, velocities, (targets, impulse));
    }

    /// The speeds along their normals of the points that are driven somewhere, together.
    fn sum_of_speeds(&self, rows: &mut Rows<S>, velocities: &Velocities<'_, S>, targets: &Targets<S>) -> S {
        let mut sum = S::ZERO;
        for (member, targets) in self.members.iter().zip(targets) {
            let (now, rows) = (member.read(velocities), rows.at(member.place));
            let speed = rows.common.growth::<S>(rows.at, &now);
            for (point, _) in rows.points.iter().zip(targets).filter(|(_, target)| target.acts) {
                sum += speed.at(point.levers_at(rows.at));
            }
        }
        sum
    }

    /// Gives each point that is driven somewhere this impulse, m/s.
    fn push_all(&self, rows: &mut Rows<S>, velocities: &mut Velocities<'_, S>, (targets, impulse): (&Targets<S>, S)) {
        for (member, targets) in self.members.iter().zip(targets) {
            let mut now = member.read(velocities);
            let (_, view) = rows.view(member.place);
            let impulses = targets.map(|target| if target.acts { impulse } else { S::ZERO });
            for (point, impulse) in view.points.iter_mut().zip(impulses) {
                point.impulse.0[view.at] = impulse;
            }
            push_points(&view, impulses, &mut now);
            member.write(velocities, &now);
        }
    }

    /// Whether the work of the impulses is positive by more than rounding.
    fn adds_energy(&self, rows: &mut Rows<S>, velocities: &Velocities<'_, S>) -> bool {
        let (mut work, mut size) = (S::ZERO, S::ZERO);
        for member in self.members {
            let now = member.read(velocities);
            let [of_member, size_of_member] = member.work(&rows.view(member.place).1, &now);
            work += of_member * member.mass;
            size += size_of_member * member.mass;
        }
        work > size.scale_by_power_of_two(-14)
    }

    /// Takes the impulses out of the rows; with the velocities that they come to.
    fn take(&self, rows: &mut Rows<S>, velocities: &Velocities<'_, S>) -> Outcome<S> {
        let motions = self.members.iter().map(|member| member.read(velocities)).collect();
        let impulses = self.members.iter().map(|member| KeptImpulses::take(&mut rows.view(member.place).1)).collect();
        Outcome { motions, impulses }
    }

    /// Gives rows and bodies what a blow comes to.
    fn give(&self, rows: &mut Rows<S>, velocities: &mut Velocities<'_, S>, outcome: &Outcome<S>) {
        for (member, (motion, impulses)) in self.members.iter().zip(outcome.motions.iter().zip(&outcome.impulses)) {
            impulses.put_back(&mut rows.view(member.place).1);
            member.write(velocities, motion);
        }
    }
}

impl<S: Scalar> Outcome<S> {
    /// Some part of the way to another.
    fn towards(&self, other: &Self, part: S) -> Self {
        let motions = self.motions.iter().zip(&other.motions).map(|(from, to)| from.towards(to, part)).collect();
        let impulses = self.impulses.iter().zip(&other.impulses).map(|(from, to)| from.towards(to, part)).collect();
        Self { motions, impulses }
    }
}

impl<S: Scalar> Member<S> {
    /// Drives its points to their targets, and finds its friction where it is sure to rub or something has changed. The largest change
    /// of a speed along a normal, or how far friction is behind, m/s.
    fn settle(
        &self,
        rows: &mut Rows<S>,
        velocities: &mut Velocities<'_, S>,
        (targets, rubbing): (&[Target<S>; MAX_POINTS], &mut Rubbing<S>),
        (how, part, is_sure_to_rub): (NormalSolve<S>, S, bool),
    ) -> S {
        let mut now = self.read(velocities);
        let (_, mut view) = rows.view(self.place);
        rubbing.look_ahead(&view, &now);
        let (mut exchange, mut watch) = (Exchange::begin(&view, &now), Watch::new());
        let by_normals = solve_normals(&mut exchange, &mut view, targets, how, &mut watch);
        let change = by_normals.max(rubbing.follow(&view, part));
        if rubbing.rubs && (is_sure_to_rub || change > how.negligible) {
            rubbing.rub(exchange, &mut now, &mut view);
        } else {
            exchange.hand_over((view.common, view.at), &mut now, &mut watch);
        }
        self.write(velocities, &now);
        change
    }

    /// The velocities of its bodies.
    fn read(&self, velocities: &Velocities<'_, S>) -> PairMotion<S> {
        PairMotion::load(self.bodies, velocities.0, velocities.1)
    }

    /// Gives its bodies these velocities, where impulses move them.
    fn write(&self, velocities: &mut Velocities<'_, S>, now: &PairMotion<S>) {
        for (side, body) in self.bodies.map(|body| body as usize).into_iter().enumerate() {
            if self.is_pushed[side] {
                (velocities.0[body], velocities.1[body]) = (now.linear[side], now.angular[side]);
            }
        }
    }

    /// The largest impulse of its points, as a speed of the heaviest in the blow, m/s.
    fn largest_push(&self, rows: LaneRows<'_, S>) -> S {
        let impulses = rows.points.iter().map(|point| point.impulse.0[rows.at] * self.mass);
        impulses.fold(S::ZERO, S::max)
    }

    /// What its points are driven to where they do not bounce.
    fn dull_targets(&self, rows: &mut Rows<S>) -> [Target<S>; MAX_POINTS] {
        let rows = rows.at(self.place);
        let before = rows.common.growth::<S>(rows.at, &self.before);
        let mut targets = self.targets;
        for ((target, speed), point) in targets.iter_mut().zip(self.speeds).zip(rows.points) {
            target.bias = speed - before.at(point.levers_at(rows.at));
        }
        targets
    }

    /// The work of the impulses in `view`, and its size: each does its impulse times the mean of its row's speeds before and
    /// after.
    fn work(&self, view: &RowsView<'_, S>, now: &PairMotion<S>) -> [S; 2] {
        let mean = self.before.towards(now, S::HALF).minus(&self.later);
        let at = view.at;
        let speeds = view.common.speeds::<S>(at, &mean, true);
        let growth = speeds.growth();
        let (mut work, mut size) = (S::ZERO, S::ZERO);
        for (point, speed) in view.points.iter().zip(self.speeds) {
            let impulse = point.impulse.0[at];
            work += impulse * growth.at(point.levers_at(at));
            size += impulse * speed.abs();
        }
        let [_, first, second] = view.common.directions_at::<S>(at);
        for (index, disc) in view.friction.iter().enumerate() {
            let along = view.arms.get(index).map_or([speeds.along[1], speeds.along[2]], |arms| {
                let moving = mean.between(arms.at(at));
                [moving.dot(first), moving.dot(second)]
            });
            work += dot(disc.impulse_in(at), along);
        }
        work += view.common.twist.impulse.0[at] * speeds.about[0];
        if let Some(rolling) = &view.rolling {
            work += dot(rolling.impulse_in(at), [speeds.about[1], speeds.about[2]]);
        }
        [work, size]
    }
}

/// How many times the part of the way has been halved by which friction follows.
fn halvings(pass: u32, count: usize) -> i32 {
    let halvings = match (count > 1, pass.checked_sub(PASSES_OF_SEVERAL_TO_HALF)) {
        (false, _) => pass / PASSES_TO_HALF,
        (true, None) => 0,
        (true, Some(more)) => 1 + more / PASSES_OF_SEVERAL_TO_NEXT_HALF,
    };
    halvings as i32
}

fn dot<S: Scalar>(a: [S; 2], b: [S; 2]) -> S {
    a[0] * b[0] + a[1] * b[1]
}

/// The impulses that a contact keeps, put aside while an impact uses its rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptImpulses<S> {
    points: [S; MAX_POINTS],
    friction: [[S; 2]; MAX_POINTS],
    twist: S,
    rolling: [S; 2],
}

impl<S: Scalar> KeptImpulses<S> {
    fn none() -> Self {
        let points = [S::ZERO; MAX_POINTS];
        Self { points, friction: [[S::ZERO; 2]; MAX_POINTS], twist: S::ZERO, rolling: [S::ZERO; 2] }
    }

    pub(super) fn take(view: &mut RowsView<'_, S>) -> Self {
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

    /// A part of the impulses along normals, and a part of all that is friction.
    pub(super) fn parts(&self, [normal, friction]: [S; 2]) -> Self {
        Self {
            points: self.points.map(|impulse| impulse * normal),
            friction: self.friction.map(|disc| disc.map(|impulse| impulse * friction)),
            twist: self.twist * friction,
            rolling: self.rolling.map(|impulse| impulse * friction),
        }
    }

    pub(super) fn put_back(&self, view: &mut RowsView<'_, S>) {
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
