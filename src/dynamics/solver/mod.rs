//! The contact solver: one scheme, set by parameters, so that each method of the literature is a setting.
//!
//! prepare; then in each substep look again at what turns, integrate velocities, let impacts happen, warm start, carry blows through
//! joints, solve, move, relax; then projection and store. With one substep, no relaxing and Baumgarte this is classic sequential impulses (Catto
//! 2005, Iterative Dynamics with Temporal Coherence); with substeps and soft contacts it is the soft step (Catto 2024,
//! Solver2D), with impacts where and when they happen ([`impacts`]).

mod agenda;
mod alerts;
mod answers;
pub mod batches;
mod blow;
mod by_colour;
mod chunk;
mod closing;
mod drifts;
mod exchange;
mod first_looks;
mod foretold;
mod friction;
pub mod impacts;
mod joined_blows;
pub mod joints;
mod links;
mod normals;
pub mod open;
mod pair_motion;
pub mod passes;
pub mod phase;
mod placing;
pub mod poses;
pub mod prepare;
mod rebounds;
pub mod refresh;
mod rounds;
pub mod rows;
mod rubbing;
pub mod seams;
mod small;
pub mod store;
mod strays;
mod strikes;

use crate::collision::broad_phase::BroadPhase;
use crate::dynamics::apart::Apart;
use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::collider::Colliders;
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::gyroscopic::Touch;
use crate::dynamics::integrator::Motion;
use crate::dynamics::joint::Joint;
use crate::dynamics::settings::{Bounds, Correction, Settings, SolverSettings};
use crate::dynamics::solver::chunk::Chunk;
use crate::dynamics::solver::impacts::Impacts;
use crate::dynamics::solver::joints::{JointPass, JointSources, JointWork};
use crate::dynamics::solver::open::OpenPair;
use crate::dynamics::solver::passes::{VelocityPass, normal_solve, project, solve, warm_start};
use crate::dynamics::solver::phase::{Phase, PhaseHook};
use crate::dynamics::solver::poses::ColliderPair;
use crate::dynamics::solver::prepare::{Sources, StepContacts, prepare};
use crate::dynamics::solver::rebounds::may_rebound;
use crate::dynamics::solver::rows::{ContactRows, Rows};
use crate::dynamics::solver::store::{SolveCounts, store};
use crate::math::lanes::LanePath;
use crate::math::{CompiledOnce, Fixed, Scalar, Vec3};
use crate::parallel::Executor;

/// Rounds in which joints aim at the arcs of bodies that spin, at most: each leaves a part of the error that is some angle of a substep.
const AIMS: usize = 4;

/// A body that left the bounds of the run, or whose numbers became NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Escape {
    /// Index of the body.
    pub body: usize,
    /// What left its bound.
    pub quantity: EscapedQuantity,
}

/// What can leave its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EscapedQuantity {
    /// The position.
    Position,
    /// The velocity.
    Speed,
    /// The angular velocity.
    AngularSpeed,
}

/// What a solve works on: the joints and contacts of a step and the bodies they are between.
#[derive(Debug)]
pub struct Solve<'a, S: Scalar> {
    /// Rows, made anew by the solve.
    pub rows: &'a mut Rows<S>,
    /// The contacts by colour: the order in which they are solved.
    pub colouring: &'a mut Colouring,
    /// The joints, with the impulses they keep.
    pub joints: &'a mut [Joint<S>],
    /// The order and the rows of the joints, and which bodies do not collide because of them.
    pub joint_work: &'a mut JointWork<S>,
    /// The contacts, with the impulses they keep. Those that begin within the step come behind the others.
    pub contacts: &'a mut Vec<Contact<S>>,
    /// Geometry of each contact.
    pub geometry: &'a mut Vec<ContactGeometry<S>>,
    /// Pairs of shapes that do not touch yet.
    pub open: &'a mut Vec<OpenPair<S>>,
    /// Impacts within the substep.
    pub impacts: &'a mut Impacts<S>,
    /// The bodies.
    pub bodies: &'a mut Bodies<S>,
    /// Their shapes.
    pub colliders: &'a Colliders<S>,
    /// Finds what is where the boxes of the step's start were.
    pub broad_phase: &'a BroadPhase<S>,
    /// The bodies that pass through each other.
    pub apart: &'a Apart,
    /// What the step knows of each body beyond its state.
    pub motion: &'a mut Motion<S>,
    /// The settings of the run.
    pub settings: &'a Settings<S>,
    /// The lanes in which the passes work.
    pub lanes: LanePath,
    /// The threads that work.
    pub executor: &'a mut Executor,
    /// What was exercised so far.
    pub counts: SolveCounts,
}

/// The solve of a step as it is compiled here.
struct SolveOnce;

impl CompiledOnce for SolveOnce {
    type Input<'a, S: Scalar> = (Solve<'a, S>, &'a mut dyn PhaseHook<S>);
    type Output = Result<SolveCounts, Escape>;

    fn in_fixed((solve, hook): Self::Input<'_, Fixed>) -> Self::Output {
        solve.run_all(hook)
    }

    fn in_f32((solve, hook): Self::Input<'_, f32>) -> Self::Output {
        solve.run_all(hook)
    }

    fn in_f64((solve, hook): Self::Input<'_, f64>) -> Self::Output {
        solve.run_all(hook)
    }
}

impl<S: Scalar> Solve<'_, S> {
    /// Solves all joints and contacts of a step while moving the bodies; `hook` is called at the end of each phase.
    ///
    /// # Errors
    /// The first body, by index, that leaves the bounds in a substep.
    pub fn run(self, hook: &mut dyn PhaseHook<S>) -> Result<SolveCounts, Escape> {
        S::compiled_once::<SolveOnce>((self, hook))
    }

    fn run_all(mut self, hook: &mut dyn PhaseHook<S>) -> Result<SolveCounts, Escape> {
        self.prepare();
        hook.phase_ended(Phase::Prepare, &mut self);
        for substep in 0..self.settings.solver.substeps {
            self.substep(substep, hook)?;
        }
        if let Correction::Projection { beta, slop } = self.settings.solver.correction {
            self.project_positions(beta, slop);
            hook.phase_ended(Phase::Projection, &mut self);
        }
        self.motion.carry_angular_momentum(self.bodies, self.settings);
        hook.phase_ended(Phase::AngularMomentum, &mut self);
        check_bounds(self.bodies, &self.settings.bounds)?;
        self.joint_work.store(self.joints);
        let counts = store(self.rows, self.contacts, self.geometry, self.settings.solver.friction);
        hook.phase_ended(Phase::Store, &mut self);
        Ok(SolveCounts { bounced: self.counts.bounced, caught: self.counts.caught, ..counts })
    }

    fn prepare(&mut self) {
        self.motion.begin_solve(self.bodies);
        self.motion.follow_driven(self.joint_work.joined());
        let sources = Sources::of(self.bodies, self.colliders, self.motion, self.settings);
        let contacts = StepContacts { contacts: self.contacts, geometry: self.geometry };
        prepare(self.rows, contacts, self.colouring, sources, (self.lanes, self.executor));
        for rows in &self.rows.contacts {
            let touch = if rows.may_roll { Touch::Rolling } else { Touch::Still };
            rows.bodies.iter().for_each(|&body| self.motion.note_touch(body as usize, touch));
        }
        self.lead_back();
        if !self.settings.solver.warm_starting {
            self.rows.batches.forget_impulses();
        }
        let joints = JointSources { bodies: self.bodies, motion: self.motion, settings: self.settings };
        self.joint_work.prepare(self.joints, joints);
        let pair_of_rows = |rows: &ContactRows<S>| ColliderPair::of(&self.geometry[rows.contact as usize]);
        let pairs = self.rows.contacts.iter().map(pair_of_rows).chain(self.open.iter().map(OpenPair::pair));
        self.impacts.begin_step(self.bodies.len(), pairs);
        self.impacts.foretold.begin_step(self.bodies, self.colliders, self.motion);
        for open in self.open.iter_mut() {
            open.find_leeway(&self.impacts.foretold, self.settings.step_seconds);
        }
        self.impacts.note_leeways(self.open);
        self.drop_seams();
    }

    fn substep(&mut self, substep: u32, hook: &mut dyn PhaseHook<S>) -> Result<(), Escape> {
        let SolverSettings { iterations, .. } = self.settings.solver;
        self.motion.follow_fast_turns(self.bodies, self.settings, substep);
        let substeps_left = self.settings.solver.substeps - substep;
        let left = self.settings.substep_seconds * S::from_i32(i32::try_from(substeps_left).unwrap_or(i32::MAX));
        self.wake_threads();
        self.refresh(substep, left);
        self.motion.integrate_velocities(self.bodies, self.settings, self.executor);
        hook.phase_ended(Phase::Velocities { substep }, self);
        self.strike_impacts(left);
        hook.phase_ended(Phase::Impacts { substep }, self);
        self.wake_threads();
        self.note_speeds_after_blows();
        self.refresh_joints();
        self.joint_work.warm_start(self.bodies, (self.lanes, self.executor));
        warm_start(self.rows, self.bodies, (self.lanes, self.executor));
        self.carry_blows_through_joints();
        self.aim_at_arcs();
        hook.phase_ended(Phase::WarmStart { substep }, self);
        self.motion.add_precession(self.bodies, self.settings);
        for iteration in 0..iterations {
            self.iterate(VelocityPass::Correct, JointPass::Correct);
            hook.phase_ended(Phase::Iteration { substep, iteration }, self);
        }
        self.motion.take_back_precession(self.bodies);
        self.motion.look_at_driven(self.bodies, self.settings);
        self.motion.integrate_positions(self.bodies, self.settings, (self.lanes, self.executor));
        hook.phase_ended(Phase::Positions { substep }, self);
        self.motion.note_spins(self.bodies);
        self.motion.add_precession(self.bodies, self.settings);
        self.relax(substep, hook);
        self.motion.take_back_precession(self.bodies);
        self.motion.note_corrections(self.bodies, self.settings);
        self.joint_work.accumulate_impulses();
        self.add_up();
        check_bounds(self.bodies, &self.settings.bounds)
    }

    /// One iteration over all constraints, kind by kind: what joins bodies, then what keeps them from each other. The largest
    /// change of a speed, m/s.
    fn iterate(&mut self, pass: VelocityPass, of_joints: JointPass) -> S {
        let softness = &self.settings.solver.joints;
        let by_joints = self.joint_work.solve(self.bodies, softness, of_joints, (self.lanes, self.executor));
        let sources = (&*self.motion, self.settings);
        let by_contacts = solve(self.rows, self.bodies, sources, pass, (self.lanes, self.executor));
        by_joints.max(by_contacts)
    }

    /// Wakes the threads where there are enough constraints for all: calls of a few parts follow, none of which would wake them.
    fn wake_threads(&mut self) {
        self.executor.wake_for(self.rows.batches.chunks().len() + self.joint_work.parts());
    }

    /// Adds the impulses of the substep to what its contacts had so far.
    fn add_up(&mut self) {
        let h = self.settings.substep_seconds;
        let add_up = |_, chunks: &mut [Chunk<S>]| chunks.iter_mut().for_each(|chunk| chunk.add_up(h));
        self.executor.for_each_part(1, self.rows.batches.chunks(), add_up);
    }

    /// Makes the rows of the joints anew for where the bodies are and how they move.
    fn refresh_joints(&mut self) {
        let sources = JointSources { bodies: self.bodies, motion: self.motion, settings: self.settings };
        self.joint_work.refresh(sources, (self.lanes, self.executor));
    }

    /// Lets the joints of bodies that spin aim at where the arcs of this substep end: an impulse along the arm changes the spin, and so the
    /// arc, and what misses by as little as the square of the angle in each substep wins or loses energy, and angular momentum.
    fn aim_at_arcs(&mut self) {
        if !self.joint_work.note_spins(self.bodies, self.settings) {
            return;
        }
        let still = S::ONE.scale_by_power_of_two(-14);
        let mut change = S::MAX;
        for round in 0..=AIMS {
            self.motion.look_at_driven(self.bodies, self.settings);
            let sources = JointSources { bodies: self.bodies, motion: self.motion, settings: self.settings };
            self.joint_work.refresh_spinning(sources, self.lanes);
            if round == AIMS || change < still {
                return;
            }
            let (softness, how) = (&self.settings.solver.joints, (self.lanes, &mut *self.executor));
            change = self.joint_work.solve(self.bodies, softness, JointPass::Aim, how);
        }
    }

    /// Takes out the speed that the correction brought in, until nothing changes a speed by more than a quarter of a mm/s. A pyramid
    /// of a few thousand boxes creeps by as much as is left here. Where that takes too long, rebounds are taken back.
    fn relax(&mut self, substep: u32, hook: &mut dyn PhaseHook<S>) {
        let SolverSettings { relax_iterations, relax_limit, .. } = self.settings.solver;
        let still = S::ONE.scale_by_power_of_two(-12);
        let limit = if relax_iterations == 0 { 0 } else { relax_limit.max(relax_iterations) };
        let mut change = S::ZERO;
        for iteration in 0..limit {
            change = self.iterate(VelocityPass::Relax, JointPass::Hold);
            hook.phase_ended(Phase::Relax { substep, iteration }, self);
            if iteration + 1 >= relax_iterations && change < still {
                return;
            }
        }
        if may_rebound(change) && self.take_back_rebounds() {
            hook.phase_ended(Phase::Rebounds { substep }, self);
        }
    }

    /// Removes overlap from the positions, in as many passes as the velocities had iterations.
    fn project_positions(&mut self, beta: S, slop: S) {
        self.motion.remember_deltas();
        let how = normal_solve(&self.settings.solver);
        let sources = JointSources { bodies: self.bodies, motion: self.motion, settings: self.settings };
        self.joint_work.begin_projection(sources, (self.lanes, self.executor));
        for _ in 0..self.settings.solver.iterations {
            self.joint_work.project(self.motion, beta, (self.lanes, self.executor));
            project(self.rows, self.motion, beta, slop, how);
        }
        self.motion.apply_projection(self.bodies, self.settings);
    }

    /// The joints as they would be kept if the solve ended now.
    #[must_use]
    pub fn joints_now(&self) -> Vec<Joint<S>> {
        let mut joints = self.joints.to_vec();
        self.joint_work.store(&mut joints);
        joints
    }

    /// The contacts as they would be kept if the solve ended now.
    #[must_use]
    pub fn contacts_now(&self) -> Vec<Contact<S>> {
        let mut contacts = self.contacts.to_vec();
        store(self.rows, &mut contacts, &mut self.geometry.clone(), self.settings.solver.friction);
        contacts.sort_unstable_by_key(Contact::key);
        contacts
    }
}

/// Finds the first body beyond the bounds; NaN counts as beyond.
fn check_bounds<S: Scalar>(bodies: &Bodies<S>, bounds: &Bounds<S>) -> Result<(), Escape> {
    let limits: [(EscapedQuantity, S, &[Vec3<S>]); 3] = [
        (EscapedQuantity::Position, bounds.position, &bodies.position),
        (EscapedQuantity::Speed, bounds.speed, &bodies.linear_velocity),
        (EscapedQuantity::AngularSpeed, bounds.angular_speed, &bodies.angular_velocity),
    ];
    let kinds = &bodies.kind[..];
    let all_hold = |(_, limit, values): &(EscapedQuantity, S, &[Vec3<S>])| {
        let moving = kinds.iter().zip(*values).map(|(kind, value)| (*kind != BodyKind::Static, *value));
        moving.fold(true, |all, (moves, value)| all & (!moves | Bounds::holds(*limit, value)))
    };
    if limits.iter().all(all_hold) {
        return Ok(());
    }
    for body in 0..bodies.len() {
        if kinds[body] == BodyKind::Static {
            continue;
        }
        for (quantity, limit, values) in limits {
            if !Bounds::holds(limit, values[body]) {
                return Err(Escape { body, quantity });
            }
        }
    }
    Ok(())
}
