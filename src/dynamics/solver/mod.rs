//! The contact solver: one scheme, set by parameters, so that each method of the literature is a setting.
//!
//! prepare; then in each substep integrate velocities, warm start, solve, move, relax; then restitution, projection
//! and store. With one substep, no relaxing and Baumgarte this is classic sequential impulses (Catto 2005, Iterative
//! Dynamics with Temporal Coherence); with four substeps and soft contacts it is the soft step (Catto 2024, Solver2D).

pub mod passes;
pub mod phase;
pub mod prepare;
pub mod rows;
pub mod store;

use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{Bounds, Correction, Settings, SolverSettings};
use crate::dynamics::solver::passes::{Aim, add_up, aim, project, restitute, solve, warm_start};
use crate::dynamics::solver::phase::{Phase, PhaseObserver};
use crate::dynamics::solver::prepare::{StepContacts, prepare};
use crate::dynamics::solver::rows::Rows;
use crate::dynamics::solver::store::{SolveCounts, store};
use crate::math::{Scalar, Vec3};

/// Passes of restitution. The four corners of a box that lands flat share one bounce: a single pass gives them the right speed
/// one after the other, each taking from the others, and sends the box off spinning; four leave a thousandth of the speed.
const RESTITUTION_PASSES: u32 = 4;

/// A body that left the bounds of the run, or whose numbers are no numbers any more.
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

/// What a solve works on: the contacts of a step and the bodies they are between.
#[derive(Debug)]
pub struct Solve<'a, S: Scalar> {
    /// Rows, made anew by the solve.
    pub rows: &'a mut Rows<S>,
    /// The contacts by colour: the order in which they are solved.
    pub colouring: &'a mut Colouring,
    /// The contacts, with the impulses they keep.
    pub contacts: &'a mut [Contact<S>],
    /// Geometry of each contact.
    pub geometry: &'a [ContactGeometry<S>],
    /// The bodies.
    pub bodies: &'a mut Bodies<S>,
    /// What the step knows of each body beyond its state.
    pub motion: &'a mut Motion<S>,
    /// The settings of the run.
    pub settings: &'a Settings<S>,
}

impl<S: Scalar> Solve<'_, S> {
    /// Solves all contacts of a step while moving the bodies; `observer` sees each phase end.
    ///
    /// # Errors
    /// The first body, by index, that leaves the bounds in a substep.
    pub fn run(mut self, observer: &mut impl PhaseObserver<S>) -> Result<SolveCounts, Escape> {
        self.prepare();
        observer.phase_ended(Phase::Prepare, &self);
        for substep in 0..self.settings.solver.substeps {
            self.substep(substep, observer)?;
        }
        let bounced = self.restitute();
        observer.phase_ended(Phase::Restitution, &self);
        if let Correction::Projection { beta, slop } = self.settings.solver.correction {
            self.project_positions(beta, slop);
            observer.phase_ended(Phase::Projection, &self);
        }
        self.motion.carry_angular_momentum(self.bodies);
        observer.phase_ended(Phase::AngularMomentum, &self);
        check_bounds(self.bodies, &self.settings.bounds)?;
        let counts = store(self.rows, self.contacts);
        observer.phase_ended(Phase::Store, &self);
        Ok(SolveCounts { bounced, ..counts })
    }

    fn prepare(&mut self) {
        let contacts = StepContacts { kept: self.contacts, geometry: self.geometry };
        prepare(self.rows, contacts, self.colouring, self.bodies, self.motion);
        if !self.settings.solver.warm_starting {
            forget_impulses(self.rows);
        }
    }

    fn substep(&mut self, substep: u32, observer: &mut impl PhaseObserver<S>) -> Result<(), Escape> {
        let SolverSettings { iterations, relax_iterations, .. } = self.settings.solver;
        self.motion.integrate_velocities(self.bodies, self.settings);
        observer.phase_ended(Phase::Velocities { substep }, self);
        warm_start(self.rows, self.bodies);
        observer.phase_ended(Phase::WarmStart { substep }, self);
        aim(self.rows, self.motion, self.settings, Aim::Correct);
        for iteration in 0..iterations {
            solve(self.rows, self.bodies);
            observer.phase_ended(Phase::Iteration { substep, iteration }, self);
        }
        self.motion.integrate_positions(self.bodies, self.settings);
        observer.phase_ended(Phase::Positions { substep }, self);
        if relax_iterations > 0 {
            aim(self.rows, self.motion, self.settings, Aim::Relax);
        }
        for iteration in 0..relax_iterations {
            solve(self.rows, self.bodies);
            observer.phase_ended(Phase::Relax { substep, iteration }, self);
        }
        add_up(self.rows);
        check_bounds(self.bodies, &self.settings.bounds)
    }

    /// Applies restitution until nothing bounces any more; the number of points in the last pass.
    fn restitute(&mut self) -> u64 {
        let mut bounced = 0;
        for _ in 0..RESTITUTION_PASSES {
            bounced = restitute(self.rows, self.bodies, self.settings.solver.restitution_threshold);
            if bounced == 0 {
                break;
            }
        }
        bounced
    }

    /// Removes overlap from the positions, in as many passes as the velocities had iterations.
    fn project_positions(&mut self, beta: S, slop: S) {
        self.motion.remember_deltas();
        for _ in 0..self.settings.solver.iterations {
            project(self.rows, self.motion, beta, slop);
        }
        self.motion.apply_projection(self.bodies, self.settings);
    }

    /// The contacts as they would be kept if the solve ended now.
    #[must_use]
    pub fn contacts_now(&self) -> Vec<Contact<S>> {
        let mut contacts = self.contacts.to_vec();
        store(self.rows, &mut contacts);
        contacts
    }
}

/// Starts from nothing.
fn forget_impulses<S: Scalar>(rows: &mut Rows<S>) {
    for point in &mut rows.points {
        point.normal_impulse.fill(S::ZERO);
        for tangent in &mut point.tangent_impulse {
            tangent.fill(S::ZERO);
        }
    }
}

/// Finds the first body beyond the bounds; NaN counts as beyond.
fn check_bounds<S: Scalar>(bodies: &Bodies<S>, bounds: &Bounds<S>) -> Result<(), Escape> {
    let limits: [(EscapedQuantity, S, &[Vec3<S>]); 3] = [
        (EscapedQuantity::Position, bounds.position, &bodies.position),
        (EscapedQuantity::Speed, bounds.speed, &bodies.linear_velocity),
        (EscapedQuantity::AngularSpeed, bounds.angular_speed, &bodies.angular_velocity),
    ];
    for body in 0..bodies.len() {
        if bodies.kind[body] == BodyKind::Static {
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
