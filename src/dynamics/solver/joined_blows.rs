//! Blows on bodies that are joined to others, carried through the joints.
//!
//! A blow is found between the bodies that meet, as if nothing held them. What holds them answers at once, though: a plate that is bolted
//! to the world throws a ball back as the world itself would. So the joints and the points that were struck are solved in turn until
//! nothing changes (Gauss-Seidel), as soon as the joints have rows: the joints rigidly, the points for the speeds that all blows of the
//! substep together left. (A blow runs on through what touches: each contact of a row is struck in turn, and what the next blow took from
//! the body between two of them is not to be given back.) The impulses of this belong to the blow: no joint and no contact starts from them
//! in the next substep.

use std::collections::BTreeMap;

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::integrator::turned;
use crate::dynamics::settings::Softness;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::blow::{KeptImpulses, Member};
use crate::dynamics::solver::exchange::Exchange;
use crate::dynamics::solver::joints::{JointPass, JointSources};
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::prepare::{parts_of_largest, reduced_mass};
use crate::math::lanes::{Block, Watch};
use crate::math::{Scalar, Scaled, Vec3};

/// Rounds over joints and points, at most: what is heavy on something light that is held takes many.
const MOST_ROUNDS: usize = 256;
/// Rounds where there are many joints: no more than a substep may take to relax.
const LEAST_ROUNDS: usize = 8;
/// Joints in all rounds together, where that leaves as many rounds as there are at least.
const JOINTS_IN_ALL: usize = 1 << 14;
/// Sweeps over the points of one contact, at most.
const SWEEPS: u32 = 64;

/// A contact that struck in this substep, one of whose bodies is joined to something.
#[derive(Clone, Debug)]
pub(super) struct JoinedBlow<S: Scalar> {
    /// The place of its rows.
    place: usize,
    bodies: [u32; 2],
    /// Which of its points were struck.
    struck: [bool; MAX_POINTS],
    /// The speeds of these that all blows together left.
    targets: [Target<S>; MAX_POINTS],
    /// When it was struck last, seconds since the start of the substep.
    time: S,
    /// The impulses that the blows have given these, m/s.
    impulses: [S; MAX_POINTS],
    /// The angular velocities of its bodies before it was struck first, and after all blows, rad/s.
    spins: [[Vec3<S>; 2]; 2],
}

/// A body with the velocities that it had, linear in m/s and angular in rad/s.
type BodyBefore<S> = (usize, [Vec3<S>; 2]);

/// The speeds that joints and points act on, m/s.
struct Speeds<S> {
    /// Of the second point of each joint against the first.
    joints: Vec<Vec3<S>>,
    /// Of the points of each blow along their normals.
    points: Vec<[S; MAX_POINTS]>,
}

/// What there was before the joints answered.
struct Before<S: Scalar> {
    velocities: Vec<BodyBefore<S>>,
    of_joints: Vec<Vec3<Block<S>>>,
    speeds: Speeds<S>,
}

impl<S: Scalar> Solve<'_, S> {
    /// Notes what a contact's part in a blow at `time` came to, if a joint holds one of its bodies.
    pub(super) fn note_joined_blow(&mut self, member: &Member<S>, time: S) {
        let &Member { place, bodies, .. } = member;
        let is_held =
            |&body: &u32| !self.bodies.inverse_mass[body as usize].is_zero() && self.joint_work.is_joined(body);
        if !bodies.iter().any(is_held) {
            return;
        }
        let blows = &mut self.impacts.joined_blows;
        let known = blows.iter().position(|known| known.place == place).unwrap_or_else(|| {
            let (struck, targets) = ([false; MAX_POINTS], [Target::idle(); MAX_POINTS]);
            let impulses = [S::ZERO; MAX_POINTS];
            let spins = [member.before.angular; 2];
            blows.push(JoinedBlow { place, bodies, struck, targets, time, impulses, spins });
            blows.len() - 1
        });
        let (blow, rows) = (&mut blows[known], self.rows.at(place));
        blow.time = time;
        for (impulse, point) in blow.impulses.iter_mut().zip(rows.points) {
            *impulse += point.impulse.0[rows.at];
        }
        blow.struck.iter_mut().zip(&member.targets).for_each(|(struck, target)| *struck |= target.acts);
    }

    /// Takes down what speeds the blows of this substep have left.
    pub(super) fn note_speeds_after_blows(&mut self) {
        for blow in &mut self.impacts.joined_blows {
            let now = PairMotion::load(blow.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
            blow.spins[1] = now.angular;
            let rows = self.rows.at(blow.place);
            let speeds = rows.common.growth::<S>(rows.at, &now);
            for ((target, point), struck) in blow.targets.iter_mut().zip(rows.points).zip(blow.struck) {
                if struck {
                    *target = Target::rigid(-speeds.at(point.levers_at(rows.at)), true);
                }
            }
        }
    }

    /// Lets the joints answer the blows of this substep.
    ///
    /// Newton's restitution of several points at once may add energy, as where a joint drags along what is thrown up from a floor. Where it
    /// does, the points bounce by as much less as it takes not to.
    pub(super) fn carry_blows_through_joints(&mut self) {
        let blows = std::mem::take(&mut self.impacts.joined_blows);
        let Some(time) = blows.iter().map(|blow| blow.time).reduce(S::max) else { return };
        self.hold_joints_still(&blows);
        let of_contacts: Vec<_> =
            blows.iter().map(|blow| KeptImpulses::take(&mut self.rows.view(blow.place).1)).collect();
        let before = Before {
            velocities: self.velocities_before(&blows),
            of_joints: self.joint_work.impulses(),
            speeds: self.speeds(&blows),
        };
        self.solve_without_gain(&blows, &before);
        for (blow, kept) in blows.iter().zip(of_contacts) {
            let (_, mut view) = self.rows.view(blow.place);
            for (point, given) in view.points.iter_mut().zip(blow.impulses) {
                point.total.0[view.at] += point.impulse.0[view.at] - given;
            }
            kept.put_back(&mut view);
        }
        self.joint_work.put_aside_since(&before.of_joints);
        self.begin_anew_since(&before.velocities, time);
        self.impacts.joined_blows = blows;
        self.impacts.joined_blows.clear();
    }

    /// Makes the rows of the joints anew for the orientations that their bodies had in the middle of the substep on the paths before the
    /// blows, where the points of a joint moved alike. Those of now are for paths that the blows have led astray, and back from there to
    /// the substep's start: what the joints answer would do work on what these miss.
    fn hold_joints_still(&mut self, blows: &[JoinedBlow<S>]) {
        let half = self.settings.substep_seconds * S::HALF;
        let mut changes = BTreeMap::new();
        for JoinedBlow { bodies, spins: [before, after], time, .. } in blows {
            for (side, body) in bodies.iter().enumerate() {
                changes.entry(*body as usize).or_insert((after[side] - before[side], *time));
            }
        }
        let (bodies, motion, rotation) = (&*self.bodies, &*self.motion, self.settings.rotation);
        let orientation_of = |body: usize| {
            let (change, time) = changes.get(&body).copied().unwrap_or((Vec3::ZERO, S::ZERO));
            let way = (bodies.angular_velocity[body] + motion.precession[body]) * half - change * (half - time);
            turned(bodies.orientation[body], way, rotation)
        };
        let sources = JointSources { bodies, motion, settings: self.settings };
        self.joint_work.refresh_still(orientation_of, sources, (self.lanes, self.executor));
    }

    /// Solves joints and points in turn, for as much of the speeds that the blows left as adds no energy.
    fn solve_without_gain(&mut self, blows: &[JoinedBlow<S>], before: &Before<S>) {
        let quarter = S::HALF * S::HALF;
        let (mut part, mut gain) = (S::ONE, self.solve_for(blows, before, S::ONE));
        while gain > S::ZERO && part > S::ZERO {
            let (larger, too_much) = (part, gain);
            part -= quarter;
            gain = self.solve_for(blows, before, part);
            if gain < S::ZERO {
                // Between the two, on a straight line, is where nothing is gained, and nothing lost.
                let between = part + (larger - part) * (gain / (gain - too_much));
                if self.solve_for(blows, before, between) > S::ZERO {
                    self.solve_for(blows, before, part);
                }
            }
        }
    }

    /// Solves joints and points in turn from where they were before, for a part of the speeds that the blows left; the energy that this
    /// adds or takes, as a part of the work of all impulses, and zero where that is no more than rounding.
    fn solve_for(&mut self, blows: &[JoinedBlow<S>], before: &Before<S>, part: S) -> S {
        self.take_back(blows, before);
        self.solve_in_turn(blows, part);
        let [work, size] = self.work(blows, before);
        if work.abs() > size.scale_by_power_of_two(-10) { work / size } else { S::ZERO }
    }

    /// Solves joints and points in turn, these for a part of the speeds that the blows left.
    fn solve_in_turn(&mut self, blows: &[JoinedBlow<S>], part: S) {
        let (rigid, still) = (Softness::rigid(S::ZERO), S::ONE.scale_by_power_of_two(-14));
        let rounds = JOINTS_IN_ALL / self.joint_work.count().max(1);
        for _ in 0..rounds.clamp(LEAST_ROUNDS, MOST_ROUNDS) {
            let by_joints = self.joint_work.solve(self.bodies, &rigid, JointPass::Hold, (self.lanes, self.executor));
            let by_points = blows.iter().map(|blow| self.strike_again(blow, part, still)).fold(S::ZERO, S::max);
            if by_joints.max(by_points) < still {
                break;
            }
        }
    }

    /// The work of all impulses of the rounds, and its size: each does its impulse times the mean of the speeds that it acts on before
    /// and after.
    fn work(&self, blows: &[JoinedBlow<S>], before: &Before<S>) -> [S; 2] {
        let after = self.speeds(blows);
        let inverse_mass = |body: u32| self.bodies.inverse_mass.get(body as usize).copied().unwrap_or(Scaled::ZERO);
        let mass_of = |[a, b]: [u32; 2]| reduced_mass(inverse_mass(a), inverse_mass(b));
        let gained: Vec<_> = self.joint_work.gained_since(&before.of_joints).collect();
        let all = gained.iter().map(|(bodies, _)| *bodies).chain(blows.iter().map(|blow| blow.bodies));
        let masses: Vec<_> = all.map(mass_of).collect();
        let mut parts = parts_of_largest(&masses);
        let (mut work, mut size) = (S::ZERO, S::ZERO);
        let mut add = |mass: S, impulse: S, before: S, after: S| {
            work += mass * impulse * (before + after) * S::HALF;
            size += mass * impulse.abs() * (before.abs() + after.abs());
        };
        let of_joints = gained.iter().zip(before.speeds.joints.iter().zip(&after.joints));
        for (((_, impulse), (before, after)), mass) in of_joints.zip(&mut parts) {
            let [impulse, before, after] = [*impulse, *before, *after].map(Vec3::to_array);
            (0..3).for_each(|axis| add(mass, impulse[axis], before[axis], after[axis]));
        }
        let of_points = blows.iter().zip(before.speeds.points.iter().zip(&after.points));
        for ((blow, (before, after)), mass) in of_points.zip(parts) {
            let rows = self.rows.at(blow.place);
            let gained = rows.points.iter().zip(blow.impulses).map(|(point, given)| point.impulse.0[rows.at] - given);
            gained
                .zip(before.iter().zip(after))
                .for_each(|(gained, (before, after))| add(mass, gained, *before, *after));
        }
        [work, size]
    }

    /// The speeds that joints and points act on.
    fn speeds(&self, blows: &[JoinedBlow<S>]) -> Speeds<S> {
        let of_points = |blow: &JoinedBlow<S>| {
            let now = PairMotion::load(blow.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
            let rows = self.rows.at(blow.place);
            let growth = rows.common.growth::<S>(rows.at, &now);
            let mut speeds = [S::ZERO; MAX_POINTS];
            let points = speeds.iter_mut().zip(rows.points);
            points.for_each(|(speed, point)| *speed = growth.at(point.levers_at(rows.at)));
            speeds
        };
        Speeds { joints: self.joint_work.speeds(self.bodies), points: blows.iter().map(of_points).collect() }
    }

    /// Undoes the rounds.
    fn take_back(&mut self, blows: &[JoinedBlow<S>], before: &Before<S>) {
        self.give_back(&before.velocities);
        self.joint_work.take_back_to(&before.of_joints);
        blows.iter().for_each(|blow| self.begin_with(blow));
    }

    /// Gives bodies the velocities that they had.
    fn give_back(&mut self, velocities: &[BodyBefore<S>]) {
        for &(body, [linear, angular]) in velocities {
            (self.bodies.linear_velocity[body], self.bodies.angular_velocity[body]) = (linear, angular);
        }
    }

    /// Lets the points of a contact begin with the impulses that the blows gave them: a joint may let them off a part of these.
    fn begin_with(&mut self, blow: &JoinedBlow<S>) {
        let (_, view) = self.rows.view(blow.place);
        for (point, impulse) in view.points.iter_mut().zip(blow.impulses) {
            point.impulse.0[view.at] = impulse;
        }
    }

    /// The velocities of all bodies that blows and joints can push.
    fn velocities_before(&self, blows: &[JoinedBlow<S>]) -> Vec<BodyBefore<S>> {
        let struck = blows.iter().flat_map(|blow| blow.bodies.map(|body| body as usize));
        let mut bodies: Vec<usize> = struck.chain(self.joint_work.joined()).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies.retain(|&body| !self.bodies.inverse_mass[body].is_zero());
        let velocities = |body: usize| [self.bodies.linear_velocity[body], self.bodies.angular_velocity[body]];
        bodies.into_iter().map(|body| (body, velocities(body))).collect()
    }

    /// Drives the points of a contact to a part of the speeds that the blows left; the largest change of a speed, m/s.
    fn strike_again(&mut self, blow: &JoinedBlow<S>, part: S, negligible: S) -> S {
        let how = NormalSolve { sweeps: SWEEPS, accumulates: true, yields: false, negligible };
        let targets = blow.targets.map(|target| Target { bias: target.bias.max(target.bias * part), ..target });
        let mut now = PairMotion::load(blow.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let (_, mut view) = self.rows.view(blow.place);
        let (mut exchange, mut watch) = (Exchange::begin(&view, &now), Watch::new());
        let change = solve_normals(&mut exchange, &mut view, &targets, how, &mut watch);
        exchange.hand_over((view.common, view.at), &mut now, &mut watch);
        now.scatter(&view, &mut self.bodies.linear_velocity, &mut self.bodies.angular_velocity);
        change
    }

    /// Puts the bodies whose velocities have changed on the paths that begin at `time` where they would have been without that.
    fn begin_anew_since(&mut self, before: &[BodyBefore<S>], time: S) {
        for &(body, old) in before {
            if old != [self.bodies.linear_velocity[body], self.bodies.angular_velocity[body]] {
                self.motion.begin_anew(self.bodies, body, old, time, self.settings);
            }
        }
        self.refresh_joints();
    }
}
