//! The settings of a scene as numbers of the run's scalar.

use crate::collision::NarrowPhase;
use crate::dynamics::settings::{
    Bounds, Clamping, Correction, DampingForm, FrictionRows, GravityMode, NormalRows, RotationUpdate, Settings,
    Softness, SolverSettings,
};
use crate::math::Scalar;
use crate::scene::model::{self, ImpulseSolver, Integrator, Scene, Solver, Switch};
use crate::scene::resolve::ResolvedBody;
use crate::scene::substeps::substeps_for;
use crate::world::build::numbers::to_scalar;
use crate::world::error::BuildError;

/// The settings of a scene.
///
/// # Errors
/// When the scalar cannot hold one of them.
pub fn settings<S: Scalar>(scene: &Scene, bodies: &[ResolvedBody]) -> Result<Settings<S>, BuildError> {
    let Integrator::SemiImplicitEuler = scene.integrator;
    let Solver::Impulse(solver) = &scene.solver;
    let (numerator, denominator) = (scene.dt.numerator(), scene.dt.denominator());
    let count = substeps_for(scene, bodies);
    let substeps = i64::from(count);
    let rate = S::from_ratio(denominator * substeps, numerator);
    let bound = |decimal| to_scalar("bounds", "limit", decimal);
    let continuous = scene.continuous == Switch::On;
    let least_margin = if continuous { least_contact_margin() } else { S::ZERO };
    let contact_margin = to_scalar::<S>("solver", "setting", &solver.speculative_distance)?.max(least_margin);
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
        solver: SolverSettings { substeps: count, ..solver_settings(solver, rate)? },
        contact_margin,
        narrow_phase: match scene.narrow_phase {
            model::NarrowPhase::Auto => NarrowPhase::Auto,
            model::NarrowPhase::Gjk => NarrowPhase::Gjk,
            model::NarrowPhase::Sat => NarrowPhase::Sat,
        },
        continuous,
        bounds: Bounds {
            position: bound(&scene.bounds.position)?,
            speed: bound(&scene.bounds.speed)?,
            angular_speed: bound(&scene.bounds.angular_speed)?,
        },
    })
}

/// The gap up to which contact points are made at least, 2^-7 m, where what moves is looked for within substeps. What touches is not looked
/// for: so a corner that comes down beside one that already touches has to be among its points. None acts before it meets something.
fn least_contact_margin<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-7)
}

/// The impulse solver's settings; `rate` is the number of substeps in a second.
fn solver_settings<S: Scalar>(solver: &ImpulseSolver, rate: S) -> Result<SolverSettings<S>, BuildError> {
    let number = |decimal| to_scalar("solver", "setting", decimal);
    let (correction, joints) = match &solver.correction {
        model::Correction::Soft { hertz, damping_ratio, push_speed } => {
            let hertz = match hertz {
                Some(hertz) => number(hertz)?,
                None => Softness::following(solver.relax_iterations, rate),
            };
            let push_speed = number(push_speed)?;
            let contacts = Softness::new(hertz, number(damping_ratio)?, push_speed, rate);
            (Correction::Soft(contacts), Softness::of_joints(hertz, push_speed, rate))
        }
        model::Correction::Baumgarte { beta, slop } => {
            let rate = number(beta)? * rate;
            (Correction::Baumgarte { rate, slop: number(slop)? }, Softness::rigid(rate))
        }
        model::Correction::Projection { beta, slop } => {
            (Correction::Projection { beta: number(beta)?, slop: number(slop)? }, Softness::rigid(S::ZERO))
        }
    };
    Ok(SolverSettings {
        substeps: 0, // known to the caller
        iterations: solver.iterations,
        relax_iterations: solver.relax_iterations,
        relax_limit: solver.relax_limit.max(solver.relax_iterations),
        warm_starting: solver.warm_starting,
        clamping: match solver.clamping {
            model::Clamping::Accumulated => Clamping::Accumulated,
            model::Clamping::PerIteration => Clamping::PerIteration,
        },
        normals: match solver.normals {
            model::NormalRows::Block => NormalRows::Block,
            model::NormalRows::PerPoint => NormalRows::PerPoint,
        },
        friction: match solver.friction {
            model::FrictionRows::Patch => FrictionRows::Patch,
            model::FrictionRows::PerPoint => FrictionRows::PerPoint,
        },
        correction,
        joints,
        restitution_threshold: number(&solver.restitution_threshold)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::collision::NarrowPhase;
    use crate::dynamics::settings::{Clamping, Correction, FrictionRows, NormalRows, Settings};
    use crate::math::{Fixed, Scalar};
    use crate::scene;
    use crate::world::build::settings::settings;

    fn of<S: Scalar>(keys: &str) -> Settings<S> {
        let text = format!("(version: 1, name: \"settings\", {keys} bodies: [])");
        let scene = scene::parse("settings.ron", &text).unwrap_or_else(|error| panic!("{error}"));
        settings(&scene, &[]).unwrap_or_else(|error| panic!("{error}"))
    }

    fn every_choice_arrives<S: Scalar>() {
        let plain = of::<S>("");
        let solver = plain.solver;
        assert!(plain.continuous && solver.warm_starting);
        let narrow_phases = ["", "narrow_phase: Gjk,", "narrow_phase: Sat,"].map(|keys| of::<S>(keys).narrow_phase);
        assert_eq!(narrow_phases, [NarrowPhase::Auto, NarrowPhase::Gjk, NarrowPhase::Sat]);
        assert_eq!((solver.substeps, solver.iterations, solver.relax_iterations, solver.relax_limit), (10, 1, 1, 8));
        let choices = (solver.clamping, solver.normals, solver.friction);
        assert_eq!(choices, (Clamping::Accumulated, NormalRows::Block, FrictionRows::PerPoint));
        let other = of::<S>(
            "continuous: Off, solver: Impulse(relax_iterations: 2, relax_limit: 5, clamping: PerIteration,
                normals: PerPoint, friction: Patch),",
        );
        let solver = other.solver;
        assert!(!other.continuous);
        assert_eq!((solver.relax_iterations, solver.relax_limit), (2, 5));
        let choices = (solver.clamping, solver.normals, solver.friction);
        assert_eq!(choices, (Clamping::PerIteration, NormalRows::PerPoint, FrictionRows::Patch));
        assert_eq!(of::<S>("solver: Impulse(relax_iterations: 20, relax_limit: 3),").solver.relax_limit, 20);
    }

    /// `omega h`, got back from the two numbers of the spring: `mass_scale / impulse_scale` is `omega h (2 zeta + omega h)`,
    /// where `zeta` is 0 here.
    fn radians_per_substep<S: Scalar>(keys: &str) -> f64 {
        let Correction::Soft(soft) = of::<S>(&format!("solver: Impulse({keys}),")).solver.correction else {
            panic!("contacts are soft");
        };
        (soft.mass_scale / soft.impulse_scale).sqrt().to_f64()
    }

    /// Up to a dozen roundings, of numbers near one in floats and of 2^-33 in fixed point.
    fn contacts_follow_the_substeps<S: Scalar>() {
        let quarter = std::f64::consts::FRAC_PI_2;
        for (relax_iterations, expected) in [(0, 0.8), (1, 0.8 * 2_f64.sqrt()), (2, 0.8 * 3_f64.sqrt()), (50, quarter)]
        {
            for substeps in [1, 8, 64] {
                let correction = "correction: Soft(damping_ratio: 0)";
                let keys = format!("substeps: {substeps}, relax_iterations: {relax_iterations}, {correction}");
                let found = radians_per_substep::<S>(&keys);
                let bound = 12.0 * (S::EPSILON.to_f64() + 1e-9);
                assert!((found - expected).abs() < bound, "{keys}: {found}, expected {expected}");
            }
        }
        // What is given is used as it is, however many substeps there are.
        let given = radians_per_substep::<S>("substeps: 16, correction: Soft(hertz: 30, damping_ratio: 0)");
        assert!((given - std::f64::consts::TAU * 30.0 / 960.0).abs() < 12.0 * (S::EPSILON.to_f64() + 1e-9), "{given}");
    }

    fn all<S: Scalar>() {
        every_choice_arrives::<S>();
        contacts_follow_the_substeps::<S>();
    }

    #[test]
    fn the_settings_are_those_of_the_scene() {
        all::<Fixed>();
        all::<f32>();
        all::<f64>();
    }
}
