//! The passes over all rows within a substep: warm start, solve, and the pass over positions.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::body::Bodies;
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::{Clamping, Correction, NormalRows, Settings, SolverSettings};
use crate::dynamics::solver::friction::solve_friction;
use crate::dynamics::solver::normals::{NormalSolve, Target, solve_normals};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{ContactRows, PointRows, Rows};
use crate::math::Scalar;

/// Sweeps over the normal rows of one contact, at most. What they leave is taken up by the next pass.
const LOCAL_SWEEPS: u32 = 8;

/// What a velocity pass aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// No approach, and overlap removed as the settings say.
    Correct,
    /// No approach, nothing else: takes out the speed that the correction brought in.
    Relax,
}

/// Applies the kept impulses.
pub(super) fn warm_start<S: Scalar>(rows: &mut Rows<S>, bodies: &mut Bodies<S>) {
    rows.for_each(|view| {
        let (contact, [normal, first, second]) = (&*view.contact, view.contact.directions);
        let mut motion = PairMotion::load(contact.bodies, &bodies.linear_velocity, &bodies.angular_velocity);
        for point in view.points.iter().filter(|point| point.impulse != S::ZERO) {
            motion.push(normal, contact.push, &point.normal, point.impulse);
        }
        for disc in view.friction.iter().filter(|disc| disc.impulse != [S::ZERO; 2]) {
            motion.push(first, contact.push, &disc.rows[0], disc.impulse[0]);
            motion.push(second, contact.push, &disc.rows[1], disc.impulse[1]);
        }
        if contact.twist.impulse != S::ZERO {
            motion.turn(&contact.twist.row, contact.twist.impulse);
        }
        if let Some(rolling) = view.rolling {
            motion.turn(&rolling.rows[0], rolling.impulse[0]);
            motion.turn(&rolling.rows[1], rolling.impulse[1]);
        }
        motion.store(contact, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
    });
}

/// One iteration over all rows: the normals of each contact, then its friction. The largest change of a speed by a normal
/// impulse, m/s.
pub(super) fn solve<S: Scalar>(
    rows: &mut Rows<S>,
    bodies: &mut Bodies<S>,
    motion: &Motion<S>,
    settings: &Settings<S>,
    aim: Aim,
) -> S {
    let how = normal_solve(&settings.solver);
    let mut largest = S::ZERO;
    rows.for_each(|mut view| {
        let pair = view.contact.bodies;
        let moved = PairMotion::load(pair, &motion.delta_position, &motion.delta_rotation);
        let mut targets = [Target::IDLE; MAX_POINTS];
        for (target, point) in targets.iter_mut().zip(view.points.iter()) {
            *target = target_of(point, view.contact, &moved, settings, aim);
        }
        let mut now = PairMotion::load(pair, &bodies.linear_velocity, &bodies.angular_velocity);
        let change = solve_normals(&mut now, view.contact, view.points, &targets, how);
        largest = largest.max(change);
        solve_friction(&mut now, &mut view, |point| point.impulse);
        now.store(view.contact, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
    });
    largest
}

/// How the settings want normal rows solved.
pub(super) const fn normal_solve<S: Scalar>(solver: &SolverSettings<S>) -> NormalSolve {
    NormalSolve {
        sweeps: match solver.normals {
            NormalRows::Block => LOCAL_SWEEPS,
            NormalRows::PerPoint => 1,
        },
        accumulates: matches!(solver.clamping, Clamping::Accumulated),
    }
}

/// What the normal row of a point is driven to, from where the bodies are now.
#[inline(always)]
fn target_of<S: Scalar>(
    point: &PointRows<S>,
    contact: &ContactRows<S>,
    moved: &PairMotion<S>,
    settings: &Settings<S>,
    aim: Aim,
) -> Target<S> {
    let separation = point.separation + moved.along(contact.directions[0], &point.normal);
    if aim == Aim::Relax && point.impulse == S::ZERO && (separation > S::ZERO || contact.surface.restitution > S::ZERO)
    {
        return Target::IDLE; // it would stop a body that is still on its way, or one that bounces
    }
    if separation > S::ZERO {
        return Target::rigid(separation * settings.rate); // close the gap, no more
    }
    match (aim, settings.solver.correction) {
        (Aim::Relax, _) => Target::rigid(S::ZERO),
        // What was struck starts from where it would have come from: it is to end where it would have got to.
        (Aim::Correct, _) if point.struck => Target::rigid(separation * settings.rate),
        (Aim::Correct, Correction::Projection { .. }) => Target::rigid(S::ZERO),
        (Aim::Correct, Correction::Baumgarte { rate, slop }) => Target::rigid(rate * (separation + slop).min(S::ZERO)),
        (Aim::Correct, Correction::Soft(soft)) => Target {
            bias: (soft.bias_rate * separation).max(-soft.push_speed),
            mass_scale: soft.mass_scale,
            impulse_scale: soft.impulse_scale,
            acts: true,
        },
    }
}

/// Adds the normal impulses of this substep to their totals, and forgets what was struck in it.
pub(super) fn add_up<S: Scalar>(rows: &mut Rows<S>) {
    rows.for_each(|view| {
        for point in view.points {
            point.total += point.impulse;
            point.struck = false;
        }
    });
}

/// One pass over positions: nudges bodies apart by `beta` of the overlap beyond `slop`.
///
/// Works on the ways since the start of the step; the caller applies the difference to the poses.
pub(super) fn project<S: Scalar>(rows: &mut Rows<S>, motion: &mut Motion<S>, beta: S, slop: S, how: NormalSolve) {
    rows.for_each(|view| {
        let normal = view.contact.directions[0];
        let mut moved = PairMotion::load(view.contact.bodies, &motion.delta_position, &motion.delta_rotation);
        let mut nudges = [PointRows::default(); MAX_POINTS];
        let mut targets = [Target::IDLE; MAX_POINTS];
        let count = view.points.len();
        for (index, point) in view.points.iter().enumerate() {
            let overlap = -(point.separation + moved.along(normal, &point.normal) + slop);
            nudges[index] = PointRows { impulse: S::ZERO, ..*point };
            // The row's "speed" is the way so far: it is to grow by the part of the overlap.
            targets[index] = Target::rigid(-moved.along(normal, &point.normal) - overlap * beta);
            targets[index].acts = overlap > S::ZERO;
        }
        solve_normals(&mut moved, view.contact, &mut nudges[..count], &targets, how);
        moved.store(view.contact, &mut motion.delta_position, &mut motion.delta_rotation);
    });
}
