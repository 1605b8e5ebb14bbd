//! Blows on bodies that are joined to others, carried through the joints.
//!
//! A blow is found between the bodies that meet, as if nothing held them. What holds them answers at once, though: a plate that is bolted
//! to the world throws a ball back as the world itself would. So the joints and the points that were struck are solved in turn until
//! nothing changes (Gauss-Seidel), as soon as the joints have rows: the joints rigidly, the points for the speeds that all blows of the
//! substep together left. (A blow runs on through what touches: each contact of a row is struck in turn, and what the next blow took from
//! the body between two of them is not to be given back.) The impulses of this belong to the blow: no joint and no contact starts from them
//! in the next substep.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::settings::Softness;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::blow::{KeptImpulses, Member};
use crate::dynamics::solver::exchange::Exchange;
use crate::dynamics::solver::joints::JointPass;
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
            blows.push(JoinedBlow { place, bodies, struck, targets, time });
            blows.len() - 1
        });
        let blow = &mut blows[known];
        blow.time = time;
        blow.struck.iter_mut().zip(&member.targets).for_each(|(struck, target)| *struck |= target.acts);
    }

    /// Takes down what speeds the blows of this substep have left.
    pub(super) fn note_speeds_after_blows(&mut self) {
        for blow in &mut self.impacts.joined_blows {
            let now = PairMotion::load(blow.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
            let rows = self.rows.at(blow.place);
            let speeds = rows.common.growth::<S>(rows.at, &now);
            for ((target, point), struck) in blow.targets.iter_mut().zip(rows.points).zip(blow.struck) {
                if struck {
                    *target = Target::rigid(-speeds.at(point.levers_at(rows.at)), true);
                }
            }
        }
    }

    /// Lets the joints answer the blows of this substep. Their rows are those of now.
    ///
    /// Newton's restitution of several points at once may add energy, as where a joint drags along what is thrown up from a floor. Where it
    /// does, the points bounce by as many quarters of it as it takes not to.
    pub(super) fn carry_blows_through_joints(&mut self) {
        let blows = std::mem::take(&mut self.impacts.joined_blows);
        let Some(time) = blows.iter().map(|blow| blow.time).reduce(S::max) else { return };
        let of_contacts: Vec<_> =
            blows.iter().map(|blow| KeptImpulses::take(&mut self.rows.view(blow.place).1)).collect();
        let before = Before {
            velocities: self.velocities_before(&blows),
            of_joints: self.joint_work.impulses(),
            speeds: self.speeds(&blows),
        };
        for quarters in (0..=4).rev() {
            self.solve_in_turn(&blows, S::from_i32(quarters).scale_by_power_of_two(-2));
            if quarters == 0 || !self.adds_energy(&blows, &before) {
                break;
            }
            self.take_back(&blows, &before);
        }
        for (blow, kept) in blows.iter().zip(of_contacts) {
            let (_, mut view) = self.rows.view(blow.place);
            for point in view.points.iter_mut() {
                point.total.0[view.at] += point.impulse.0[view.at];
            }
            kept.put_back(&mut view);
        }
        self.joint_work.put_aside_since(&before.of_joints);
        self.begin_anew_since(&before.velocities, time);
        self.impacts.joined_blows = blows;
        self.impacts.joined_blows.clear();
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

    /// Whether the work of all impulses of the rounds is positive by more than rounding: each does its impulse times the mean of the speeds
    /// that it acts on before and after.
    fn adds_energy(&self, blows: &[JoinedBlow<S>], before: &Before<S>) -> bool {
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
            for (point, (before, after)) in rows.points.iter().zip(before.iter().zip(after)) {
                add(mass, point.impulse.0[rows.at], *before, *after);
            }
        }
        work > size.scale_by_power_of_two(-10)
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
        for &(body, [linear, angular]) in &before.velocities {
            (self.bodies.linear_velocity[body], self.bodies.angular_velocity[body]) = (linear, angular);
        }
        self.joint_work.take_back_to(&before.of_joints);
        for blow in blows {
            KeptImpulses::take(&mut self.rows.view(blow.place).1);
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
