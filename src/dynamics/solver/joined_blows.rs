//! Blows on bodies that are joined to others, carried through the joints.
//!
//! A blow is found between the bodies that meet, as if nothing held them. What holds them answers at once, though: a plate that is bolted
//! to the world throws a ball back as the world itself would. So the joints and the points that were struck are solved in turn until
//! nothing changes (Gauss-Seidel), as soon as the joints have rows: the joints rigidly, the points for the speeds that their blows left.
//! The impulses of this belong to the blow: no joint and no contact starts from them in the next substep.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::settings::Softness;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::blow::{KeptImpulses, Member};
use crate::dynamics::solver::exchange::Exchange;
use crate::dynamics::solver::joints::JointPass;
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::math::lanes::Watch;
use crate::math::{Scalar, Vec3};

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
    /// The speeds of the points that the blow left.
    targets: [Target<S>; MAX_POINTS],
    /// Seconds since the start of the substep.
    time: S,
}

/// A body with the velocities that it had, linear in m/s and angular in rad/s.
type Before<S> = (usize, [Vec3<S>; 2]);

impl<S: Scalar> Solve<'_, S> {
    /// Notes what a contact's part in a blow at `time` came to, if a joint holds one of its bodies.
    pub(super) fn note_joined_blow(&mut self, member: &Member<S>, time: S) {
        let &Member { place, bodies, .. } = member;
        if !bodies.iter().any(|&body| self.joint_work.is_joined(body)) {
            return;
        }
        let now = PairMotion::load(bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let rows = self.rows.at(place);
        let speeds = rows.common.growth::<S>(rows.at, &now);
        let mut targets = [Target::idle(); MAX_POINTS];
        for ((target, point), struck) in targets.iter_mut().zip(rows.points).zip(&member.targets) {
            if struck.acts {
                *target = Target::rigid(-speeds.at(point.levers_at(rows.at)), true);
            }
        }
        let blows = &mut self.impacts.joined_blows;
        blows.retain(|known| known.place != place);
        blows.push(JoinedBlow { place, bodies, targets, time });
    }

    /// Lets the joints answer the blows of this substep. Their rows are those of now.
    pub(super) fn carry_blows_through_joints(&mut self) {
        let blows = std::mem::take(&mut self.impacts.joined_blows);
        let Some(time) = blows.iter().map(|blow| blow.time).reduce(S::max) else { return };
        let before = self.velocities_before(&blows);
        let of_joints = self.joint_work.impulses();
        let of_contacts: Vec<_> =
            blows.iter().map(|blow| KeptImpulses::take(&mut self.rows.view(blow.place).1)).collect();
        let (rigid, still) = (Softness::rigid(S::ZERO), S::ONE.scale_by_power_of_two(-14));
        let rounds = JOINTS_IN_ALL / self.joint_work.count().max(1);
        for _ in 0..rounds.clamp(LEAST_ROUNDS, MOST_ROUNDS) {
            let by_joints = self.joint_work.solve(self.bodies, &rigid, JointPass::Hold, (self.lanes, self.executor));
            let by_points = blows.iter().map(|blow| self.strike_again(blow, still)).fold(S::ZERO, S::max);
            if by_joints.max(by_points) < still {
                break;
            }
        }
        for (blow, kept) in blows.iter().zip(of_contacts) {
            let (_, mut view) = self.rows.view(blow.place);
            for point in view.points.iter_mut() {
                point.total.0[view.at] += point.impulse.0[view.at];
            }
            kept.put_back(&mut view);
        }
        self.joint_work.put_aside_since(&of_joints);
        self.begin_anew_since(&before, time);
        self.impacts.joined_blows = blows;
        self.impacts.joined_blows.clear();
    }

    /// The velocities of all bodies that blows and joints can push.
    fn velocities_before(&self, blows: &[JoinedBlow<S>]) -> Vec<Before<S>> {
        let struck = blows.iter().flat_map(|blow| blow.bodies.map(|body| body as usize));
        let mut bodies: Vec<usize> = struck.chain(self.joint_work.joined()).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies.retain(|&body| !self.bodies.inverse_mass[body].is_zero());
        let velocities = |body: usize| [self.bodies.linear_velocity[body], self.bodies.angular_velocity[body]];
        bodies.into_iter().map(|body| (body, velocities(body))).collect()
    }

    /// Drives the points of a contact to the speeds that its blow left; the largest change of a speed, m/s.
    fn strike_again(&mut self, blow: &JoinedBlow<S>, negligible: S) -> S {
        let how = NormalSolve { sweeps: SWEEPS, accumulates: true, yields: false, negligible };
        let mut now = PairMotion::load(blow.bodies, &self.bodies.linear_velocity, &self.bodies.angular_velocity);
        let (_, mut view) = self.rows.view(blow.place);
        let (mut exchange, mut watch) = (Exchange::begin(&view, &now), Watch::new());
        let change = solve_normals(&mut exchange, &mut view, &blow.targets, how, &mut watch);
        exchange.hand_over((view.common, view.at), &mut now, &mut watch);
        now.scatter(&view, &mut self.bodies.linear_velocity, &mut self.bodies.angular_velocity);
        change
    }

    /// Puts the bodies whose velocities have changed on the paths that begin at `time` where they would have been without that.
    fn begin_anew_since(&mut self, before: &[Before<S>], time: S) {
        for &(body, old) in before {
            if old != [self.bodies.linear_velocity[body], self.bodies.angular_velocity[body]] {
                self.motion.begin_anew(self.bodies, body, old, time, self.settings);
            }
        }
        self.refresh_joints();
    }
}
