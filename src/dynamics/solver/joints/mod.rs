//! Joints within the solve: rows by joint, eight side by side, one file per kind of joint.
//!
//! Joints are solved before the contacts in every pass, colour by colour. Their rows are made anew in every substep, behind
//! its impacts: what turns about a joint at 10 rad/s turns by 2 degrees in a substep, and an impulse along the arm of
//! yesterday would take a part of its speed.
//!
//! As with contacts, impulses are divided by the reduced mass of the two bodies, so they are speeds.

mod batch;
mod batches;
mod passes;
pub mod spherical;

use crate::dynamics::body::Bodies;
use crate::dynamics::colouring::Colouring;
use crate::dynamics::integrator::{Motion, turned_nearly};
use crate::dynamics::joint::{Joint, JointKind, WORLD};
use crate::dynamics::settings::{Settings, Softness};
use crate::dynamics::solver::by_colour::Velocities;
use crate::dynamics::solver::joints::batch::{JointBatch, LaneOfJoint};
use crate::dynamics::solver::joints::batches::{BATCHES_IN_A_PART, JointBatches};
use crate::dynamics::solver::joints::passes::{Iteration, Projection, Refresh, WarmStart};
use crate::dynamics::solver::joints::spherical::{SphericalRows, spins_from};
use crate::dynamics::solver::prepare::shares_of_inverse_mass;
use crate::math::lanes::{Block, LanePath};
use crate::math::{Mat3, Quat, Scalar, Vec3};
use crate::parallel::Executor;

/// Bodies in one part of what is shared out among threads: some ten microseconds of turning them.
const BODIES_IN_A_PART: usize = 64;
/// A body of more joints than a link of a chain has is a knot, whose joints a pass does not settle: rigid ones would whirl it about.
const MOST_OF_A_LINK: u32 = 2;

/// What a step derives from its joints.
#[derive(Clone, Debug)]
pub struct JointWork<S: Scalar> {
    /// The joints by colour: the order in which they are solved.
    pub colouring: Colouring,
    /// The indices of the bodies of each joint of the table; `None` where one of them does not exist.
    bodies: Vec<Option<[u32; 2]>>,
    /// Their rows in that order.
    batches: JointBatches<S>,
    /// Indices of the bodies that are joined, ascending.
    joined: Vec<u32>,
    /// How many joints each of these has.
    joints_of: Vec<u32>,
    /// How each of these turns in the substep.
    turns: Vec<BodyTurn<S>>,
}

impl<S: Scalar> Default for JointWork<S> {
    fn default() -> Self {
        Self {
            colouring: Colouring::default(),
            bodies: Vec::new(),
            batches: JointBatches::default(),
            joined: Vec::new(),
            joints_of: Vec::new(),
            turns: Vec::new(),
        }
    }
}

/// The rows of one joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRows<S> {
    /// Which joint of the table.
    pub joint: u32,
    /// What it leaves free.
    pub kind: JointKind,
    /// Linear velocity per unit of impulse of both bodies, together 1.
    pub inverse_mass: [S; 2],
    /// The rows that hold the two points together.
    pub point: SphericalRows<S>,
}

/// What an iteration over the joints is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointPass {
    /// The points are to meet at the end of the substep, and what parts them is taken out as the settings say.
    Correct,
    /// The same of joints whose bodies spin alone.
    Aim,
    /// The points are to move as they would if they met, and nothing else.
    Hold,
}

/// How a body turns in a substep.
#[derive(Clone, Copy, Debug, Default)]
struct BodyTurn<S: Scalar> {
    /// Its rotation at the start, and at the end if nothing acts on it.
    rotations: [Mat3<S>; 2],
    /// Whether it turns at all.
    turns: bool,
}

/// What the rows of joints are made from.
#[derive(Clone, Copy)]
pub(super) struct JointSources<'a, S: Scalar> {
    pub(super) bodies: &'a Bodies<S>,
    pub(super) motion: &'a Motion<S>,
    pub(super) settings: &'a Settings<S>,
}

impl<S: Scalar> JointSources<'_, S> {
    /// How a body turns in this substep.
    fn turn_of(&self, body: usize) -> BodyTurn<S> {
        let spin = self.bodies.angular_velocity[body] + self.motion.precession[body];
        let start = self.bodies.orientation[body];
        let turns = spin != Vec3::ZERO;
        let end = if turns { self.after(start, spin) } else { start };
        BodyTurn { rotations: [start, end].map(Quat::to_matrix), turns }
    }

    /// An orientation after a substep with this angular velocity, rad/s.
    fn after(&self, orientation: Quat<S>, spin: Vec3<S>) -> Quat<S> {
        turned_nearly(orientation, spin * self.settings.substep_seconds, self.settings.rotation)
    }
}

impl<S: Scalar> JointWork<S> {
    /// Finds the bodies of the joints, and groups the joints into colours.
    pub fn colour(&mut self, joints: &[Joint<S>], bodies: &Bodies<S>) {
        self.bodies.clear();
        self.bodies.extend(joints.iter().map(|joint| indices(joint, bodies)));
        let pairs = (0_u32..).zip(&self.bodies).filter_map(|(number, bodies)| Some((number, (*bodies)?)));
        self.colouring.assign_pairs(pairs, bodies);
        self.joined.clear();
        self.joined.extend(self.bodies.iter().flatten().flatten().filter(|&&body| body != WORLD));
        self.joined.sort_unstable();
        self.joints_of.clear();
        self.joints_of
            .extend(self.joined.chunk_by(|a, b| a == b).map(|same| u32::try_from(same.len()).unwrap_or(u32::MAX)));
        self.joined.dedup();
    }

    /// The indices of the bodies that are joined, ascending.
    pub(super) fn joined(&self) -> impl Iterator<Item = usize> {
        self.joined.iter().map(|&body| body as usize)
    }

    /// Whether a body is joined to something.
    pub(super) fn is_joined(&self, body: u32) -> bool {
        self.joined.binary_search(&body).is_ok()
    }

    /// The impulses of all joints, batch by batch.
    pub(super) fn impulses(&self) -> Vec<Vec3<Block<S>>> {
        self.batches.all().iter().map(|batch| batch.point.impulse).collect()
    }

    /// The speed of the second point of each joint against the first, m/s, in solving order.
    pub(super) fn speeds(&self, bodies: &Bodies<S>) -> Vec<Vec3<S>> {
        let speed = |batch: &JointBatch<S>, lane: usize| {
            batch.point.relative(lane, &batch.gather::<S>(lane, &bodies.linear_velocity, &bodies.angular_velocity))
        };
        self.batches.all().iter().flat_map(|batch| (0..batch.count).map(|lane| speed(batch, lane))).collect()
    }

    /// The bodies of each joint, and what its impulse has gained since it was this, in solving order.
    pub(super) fn gained_since<'a>(
        &'a self,
        impulses: &'a [Vec3<Block<S>>],
    ) -> impl Iterator<Item = ([u32; 2], Vec3<S>)> + 'a {
        self.batches.all().iter().zip(impulses).flat_map(|(batch, before)| {
            (0..batch.count).map(|lane| {
                let gained = batch.point.impulse.at::<S>(lane) - before.at(lane);
                ([batch.bodies[0][lane], batch.bodies[1][lane]], gained)
            })
        })
    }

    /// Gives the joints the impulses back that they had, as if nothing had come to these since.
    pub(super) fn take_back_to(&mut self, impulses: &[Vec3<Block<S>>]) {
        for (batch, kept) in self.batches.all_mut().iter_mut().zip(impulses) {
            batch.point.impulse = *kept;
        }
    }

    /// Gives the joints the impulses back that they had; what came to these since counts in the totals of the step alone.
    pub(super) fn put_aside_since(&mut self, impulses: &[Vec3<Block<S>>]) {
        for (batch, kept) in self.batches.all_mut().iter_mut().zip(impulses) {
            for lane in 0..batch.count {
                let SphericalRows { total, impulse, .. } = &mut batch.point;
                let gained = impulse.at::<S>(lane) - kept.at(lane);
                total.set::<S>(lane, total.at::<S>(lane) + gained);
            }
            batch.point.impulse = *kept;
        }
    }

    /// Takes up the joints of a step with the impulses that they keep. What their rows are is found in each substep.
    pub(super) fn prepare(&mut self, joints: &[Joint<S>], sources: JointSources<'_, S>) {
        let Self { colouring, bodies, batches, joined, joints_of, turns } = self;
        let take_up = |number: u32, batches: &mut JointBatches<S>| {
            if let (Some(joint), Some(Some(bodies))) = (joints.get(number as usize), bodies.get(number as usize)) {
                batches.push(joint.kind, &lane_of(number, (joint, *bodies), (joined, joints_of), sources));
            }
        };
        batches.clear();
        for members in &colouring.colours {
            members.iter().for_each(|&number| take_up(number, batches));
            batches.end_colour();
        }
        colouring.overflow.iter().for_each(|&number| take_up(number, batches));
        turns.resize(joined.len(), BodyTurn::default());
    }

    /// How many parts the work of a pass has that threads may share.
    pub(super) fn parts(&self) -> usize {
        self.batches.parts()
    }

    /// Makes the rows anew for where the bodies are and how they move; impulses stay.
    pub(super) fn refresh(&mut self, sources: JointSources<'_, S>, (lanes, executor): (LanePath, &mut Executor)) {
        let turn_of = |&body: &u32| sources.turn_of(body as usize);
        executor.map(BODIES_IN_A_PART, &self.joined, &mut self.turns, turn_of);
        self.make_rows(sources, (lanes, executor));
    }

    /// The same as if each body stood still as this says, so that points meet whose speeds do, not whose arcs do.
    pub(super) fn refresh_still(
        &mut self,
        orientation_of: impl Fn(usize) -> Quat<S>,
        sources: JointSources<'_, S>,
        how: (LanePath, &mut Executor),
    ) {
        self.turns.clear();
        let stands = |&body: &u32| BodyTurn { rotations: [orientation_of(body as usize).to_matrix(); 2], turns: false };
        self.turns.extend(self.joined.iter().map(stands));
        self.make_rows(sources, how);
    }

    /// Makes the rows of all joints for how their bodies turn.
    fn make_rows(&mut self, sources: JointSources<'_, S>, (lanes, executor): (LanePath, &mut Executor)) {
        let turns = &self.turns;
        executor.for_each_part(BATCHES_IN_A_PART, self.batches.all_mut(), |_, batches| {
            lanes.run_in_steps(Refresh { batches, turns, sources });
        });
    }

    /// The same of those alone whose bodies spin, for how these spin now.
    pub(super) fn refresh_spinning(&mut self, sources: JointSources<'_, S>, lanes: LanePath) {
        for batch in self.batches.all_mut().iter_mut().filter(|batch| batch.spins()) {
            for (bodies, places) in batch.bodies.iter().zip(&batch.places) {
                for (&body, &place) in bodies.iter().zip(places).filter(|(body, _)| **body != WORLD) {
                    self.turns[place as usize] = sources.turn_of(body as usize);
                }
            }
            // What spins as the substep begins counts as spinning all through it, or a joint would be rigid and soft in turn.
            let spin = batch.point.spin;
            lanes.run_in_steps(Refresh { batches: std::slice::from_mut(batch), turns: &self.turns, sources });
            batch.point.spin = spin;
        }
    }

    /// Applies the kept impulses.
    pub(super) fn warm_start(&mut self, bodies: &mut Bodies<S>, how: (LanePath, &mut Executor)) {
        self.batches.run_pass(&WarmStart, Velocities::of(bodies), how);
    }

    /// One iteration over all joints. The largest change of a speed, m/s.
    pub(super) fn solve(
        &mut self,
        bodies: &mut Bodies<S>,
        soft: &Softness<S>,
        pass: JointPass,
        how: (LanePath, &mut Executor),
    ) -> S {
        self.batches.run_pass(&Iteration { soft, pass }, Velocities::of(bodies), how)
    }

    /// Takes down of which joints a body spins by now, beside those of which one spun as the rows were made; whether there is one.
    pub(super) fn note_spins(&mut self, bodies: &Bodies<S>, settings: &Settings<S>) -> bool {
        let slow = settings.rate * spins_from::<S>();
        if !self.joined().any(|body| bodies.angular_velocity[body].taxicab_length() > slow) {
            return false;
        }
        let spin_of = |body: u32| {
            let omega = bodies.angular_velocity.get(body as usize).copied().unwrap_or(Vec3::ZERO);
            omega.taxicab_length() * settings.substep_seconds
        };
        for batch in self.batches.all_mut() {
            for lane in 0..batch.count {
                let [a, b] = [0, 1].map(|side: usize| spin_of(batch.bodies[side][lane]));
                if batch.may_be_rigid.is_set(lane) {
                    batch.point.note_spin(lane, a.max(b));
                }
            }
        }
        true
    }

    /// Adds the impulses of this substep to their totals.
    pub(super) fn accumulate_impulses(&mut self) {
        for batch in self.batches.all_mut() {
            for lane in 0..batch.count {
                let SphericalRows { total, impulse, .. } = &mut batch.point;
                total.set::<S>(lane, total.at::<S>(lane) + impulse.at(lane));
            }
        }
    }

    /// Makes the rows anew for passes over positions: see [`project`](Self::project).
    pub(super) fn begin_projection(&mut self, sources: JointSources<'_, S>, how: (LanePath, &mut Executor)) {
        self.refresh(sources, how);
        let Motion { delta_position, delta_rotation, .. } = sources.motion;
        for batch in self.batches.all_mut() {
            for lane in 0..batch.count {
                let moved = batch.gather::<S>(lane, delta_position, delta_rotation);
                let separation = batch.point.separation.at::<S>(lane) - batch.point.relative(lane, &moved);
                batch.point.separation.set(lane, separation);
            }
        }
    }

    /// One pass over positions: takes `beta` of what parts the points out of the displacements since the start of the step.
    pub(super) fn project(&mut self, motion: &mut Motion<S>, beta: S, how: (LanePath, &mut Executor)) {
        let ways = Velocities { linear: &mut motion.delta_position, angular: &mut motion.delta_rotation };
        self.batches.run_pass(&Projection { beta }, ways, how);
    }

    /// Copies the impulses to the joints that keep them.
    pub(super) fn store(&self, joints: &mut [Joint<S>]) {
        for batch in self.batches.all() {
            for (lane, &number) in batch.joints[..batch.count].iter().enumerate() {
                if let Some(joint) = joints.get_mut(number as usize) {
                    joint.impulse = batch.point.impulse.at::<S>(lane).canonical();
                }
            }
        }
    }

    /// How many joints there are in the solve.
    #[must_use]
    pub fn count(&self) -> usize {
        self.batches.all().iter().map(|batch| batch.count).sum()
    }

    /// Leaves rows that are not those of the next step, where it should make all of them anew.
    pub fn scramble(&mut self) {
        self.batches.all_mut().reverse();
    }

    /// The rows by joint, in solving order.
    pub fn rows(&self) -> impl Iterator<Item = JointRows<S>> {
        self.batches.all().iter().flat_map(|batch| (0..batch.count).map(|lane| batch.in_lane(lane)))
    }
}

/// What a joint between these bodies takes a lane with; `joined` are all that are joined, each with so many joints.
fn lane_of<S: Scalar>(
    number: u32,
    (joint, bodies): (&Joint<S>, [u32; 2]),
    (joined, joints_of): (&[u32], &[u32]),
    sources: JointSources<'_, S>,
) -> LaneOfJoint<S> {
    let place = |body: u32| joined.binary_search(&body).ok().and_then(|place| u32::try_from(place).ok());
    let count = |body: u32| place(body).and_then(|place| joints_of.get(place as usize)).copied().unwrap_or(0);
    let inverse_masses = bodies.map(|body| sources.bodies.inverse_mass.get(body as usize).copied());
    let impulse = if sources.settings.solver.warm_starting { joint.impulse } else { Vec3::ZERO };
    LaneOfJoint {
        joint: number,
        bodies,
        places: bodies.map(|body| place(body).unwrap_or(WORLD)),
        may_be_rigid: bodies.into_iter().all(|body| count(body) <= MOST_OF_A_LINK),
        anchors: [joint.anchor_a, joint.anchor_b],
        inverse_mass: shares_of_inverse_mass(inverse_masses),
        impulse,
    }
}

/// The indices of the bodies of a joint; `None` when one of them does not exist.
fn indices<S: Scalar>(joint: &Joint<S>, bodies: &Bodies<S>) -> Option<[u32; 2]> {
    let index = |id: u32| u32::try_from(bodies.index_of(id)?).ok();
    Some([index(joint.a)?, if joint.b == WORLD { WORLD } else { index(joint.b)? }])
}
