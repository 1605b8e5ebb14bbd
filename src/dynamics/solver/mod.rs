//! The contact solver: one scheme, set by parameters, so that each method of the literature is a setting.
//!
//! prepare; then in each substep integrate velocities, warm start, solve, move, relax; then restitution, projection
//! and store. With one substep, no relaxing and Baumgarte this is classic sequential impulses (Catto 2005, Iterative
//! Dynamics with Temporal Coherence); with four substeps and soft contacts it is the soft step (Catto 2024, Solver2D).

pub mod passes;
pub mod prepare;
pub mod rows;
pub mod store;

use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{Bounds, Correction, Settings};
use crate::dynamics::solver::passes::{Aim, add_up, aim, project, restitute, solve, warm_start};
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

/// Solves all contacts of a step while moving the bodies.
///
/// # Errors
/// The first body, by index, that leaves the bounds in a substep.
pub fn solve_step<S: Scalar>(
    rows: &mut Rows<S>,
    colouring: &mut Colouring,
    contacts: &mut [Contact<S>],
    geometry: &[ContactGeometry<S>],
    bodies: &mut Bodies<S>,
    motion: &mut Motion<S>,
    settings: &Settings<S>,
) -> Result<SolveCounts, Escape> {
    prepare(rows, StepContacts { kept: contacts, geometry }, colouring, bodies, motion);
    if !settings.solver.warm_starting {
        forget_impulses(rows);
    }
    for substep in 0..settings.solver.substeps {
        motion.integrate_velocities(bodies, settings);
        warm_start(rows, bodies);
        aim(rows, motion, settings, Aim::Correct);
        for _ in 0..settings.solver.iterations {
            solve(rows, bodies);
        }
        motion.integrate_positions(bodies, settings, substep);
        if settings.solver.relax_iterations > 0 {
            aim(rows, motion, settings, Aim::Relax);
        }
        for _ in 0..settings.solver.relax_iterations {
            solve(rows, bodies);
        }
        add_up(rows);
        check_bounds(bodies, &settings.bounds)?;
    }
    let mut bounced = 0;
    for _ in 0..RESTITUTION_PASSES {
        bounced = restitute(rows, bodies, settings.solver.restitution_threshold);
        if bounced == 0 {
            break;
        }
    }
    if let Correction::Projection { beta, slop } = settings.solver.correction {
        project_positions(rows, bodies, motion, settings, beta, slop);
    }
    motion.carry_angular_momentum(bodies, settings);
    check_bounds(bodies, &settings.bounds)?;
    Ok(SolveCounts { bounced, ..store(rows, contacts) })
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

/// Removes overlap from the positions, in as many passes as the velocities had iterations.
fn project_positions<S: Scalar>(
    rows: &mut Rows<S>,
    bodies: &mut Bodies<S>,
    motion: &mut Motion<S>,
    settings: &Settings<S>,
    beta: S,
    slop: S,
) {
    motion.remember_deltas();
    for _ in 0..settings.solver.iterations {
        project(rows, motion, beta, slop);
    }
    motion.apply_projection(bodies, settings);
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
