//! The settings of a scene as numbers of the run's scalar.

use crate::dynamics::settings::{
    Bounds, Correction, DampingForm, GravityMode, RotationUpdate, Settings, Softness, SolverSettings,
};
use crate::math::Scalar;
use crate::scene::model::{self, ImpulseSolver, Integrator, Scene, Solver, Switch};
use crate::world::build::numbers::to_scalar;
use crate::world::error::BuildError;

/// The settings of a scene.
///
/// # Errors
/// When the scalar cannot hold one of them.
pub fn settings<S: Scalar>(scene: &Scene) -> Result<Settings<S>, BuildError> {
    let Integrator::SemiImplicitEuler = scene.integrator;
    let Solver::Impulse(solver) = &scene.solver;
    let (numerator, denominator) = (scene.dt.numerator(), scene.dt.denominator());
    let substeps = i64::from(solver.substeps);
    let rate = S::from_ratio(denominator * substeps, numerator);
    let bound = |decimal| to_scalar("bounds", "limit", decimal);
    Ok(Settings {
        substep: S::fraction(numerator, denominator * substeps),
        substep_seconds: S::from_ratio(numerator, denominator * substeps),
        step_seconds: S::from_ratio(numerator, denominator),
        half_substep: S::fraction(numerator, 2 * denominator * substeps),
        rate,
        gravity_mode: match scene.gravity_mode {
            model::GravityMode::Acceleration => GravityMode::Acceleration,
            model::GravityMode::Force => GravityMode::Force,
        },
        rotation: match scene.rotation {
            model::RotationUpdate::FirstOrder => RotationUpdate::FirstOrder,
            model::RotationUpdate::ExponentialMap => RotationUpdate::ExponentialMap,
        },
        gyroscopic: scene.gyroscopic == Switch::On,
        damping: match scene.damping {
            model::DampingForm::Implicit => DampingForm::Implicit,
            model::DampingForm::Exponential => DampingForm::Exponential,
            model::DampingForm::Power => DampingForm::Power,
        },
        solver: solver_settings(solver, rate)?,
        bounds: Bounds {
            position: bound(&scene.bounds.position)?,
            speed: bound(&scene.bounds.speed)?,
            angular_speed: bound(&scene.bounds.angular_speed)?,
        },
    })
}

/// The impulse solver's settings; `rate` is the number of substeps in a second.
fn solver_settings<S: Scalar>(solver: &ImpulseSolver, rate: S) -> Result<SolverSettings<S>, BuildError> {
    let number = |decimal| to_scalar("solver", "setting", decimal);
    let correction = match &solver.correction {
        model::Correction::Soft { hertz, damping_ratio, push_speed } => {
            Correction::Soft(Softness::new(number(hertz)?, number(damping_ratio)?, number(push_speed)?, rate))
        }
        model::Correction::Baumgarte { beta, slop } => {
            Correction::Baumgarte { rate: number(beta)? * rate, slop: number(slop)? }
        }
        model::Correction::Projection { beta, slop } => {
            Correction::Projection { beta: number(beta)?, slop: number(slop)? }
        }
    };
    Ok(SolverSettings {
        substeps: solver.substeps,
        iterations: solver.iterations,
        relax_iterations: solver.relax_iterations,
        warm_starting: solver.warm_starting,
        correction,
        restitution_threshold: number(&solver.restitution_threshold)?,
        speculative_distance: number(&solver.speculative_distance)?,
    })
}
