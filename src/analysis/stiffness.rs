//! Contact springs that are too stiff for their substeps: what rests on them trembles.

use crate::dynamics::settings::Softness;
use crate::math::Scalar;
use crate::scene::Scene;
use crate::scene::decimal::Decimal;
use crate::scene::model::{Correction, ImpulseSolver, Solver};
use crate::scene::substeps::substeps;

/// The frequency in hertz of a scene's contact springs; `None` where it has none.
#[must_use]
pub fn contact_hertz(scene: &Scene) -> Option<f64> {
    let Solver::Impulse(ImpulseSolver { relax_iterations, .. }) = &scene.solver;
    let rate = substeps_per_second(scene);
    let hertz = asked_hertz(scene)?.unwrap_or_else(|| Softness::following(*relax_iterations, rate));
    Some(Softness::bounded(hertz, rate))
}

/// The frequency that a scene asks for, `Some(None)` where that is to follow the substeps; `None` where it has no springs.
fn asked_hertz(scene: &Scene) -> Option<Option<f64>> {
    let Solver::Impulse(ImpulseSolver { correction, .. }) = &scene.solver;
    let Correction::Soft { hertz, .. } = correction else { return None };
    Some(hertz.as_ref().map(Decimal::to_f64))
}

/// What to say of a scene whose contact springs turn by more than `sqrt(1 + relax_iterations)` radians in a substep.
///
/// From there on a warm-started contact feeds the swing of what rests on it, whatever the damping ratio.
#[must_use]
pub fn too_stiff(scene: &Scene) -> Option<String> {
    let Solver::Impulse(ImpulseSolver { relax_iterations, .. }) = &scene.solver;
    let (substeps, hertz) = (substeps(scene), contact_hertz(scene)?);
    let per_hertz = f64::TWO * f64::PI / substeps_per_second(scene);
    let bound = Scalar::sqrt(1.0 + f64::from(*relax_iterations));
    (per_hertz * hertz > bound).then(|| {
        let asked = asked_hertz(scene).flatten().filter(|&asked| asked > hertz);
        let asked = asked
            .map(|asked| format!(" ({asked} Hz are asked for; a quarter of the substeps' rate is the most there is)"))
            .unwrap_or_default();
        format!(
            "contacts are too stiff to come to rest: with solver.substeps {substeps} and solver.relax_iterations \
             {relax_iterations} their frequency may be up to {:.2} Hz and is {hertz:.2} Hz{asked}; take more substeps, or leave \
             solver.correction.hertz out, then it follows them",
            bound / per_hertz
        )
    })
}

fn substeps_per_second(scene: &Scene) -> f64 {
    f64::from(substeps(scene)) * scene.dt.denominator() as f64 / scene.dt.numerator() as f64
}

#[cfg(test)]
mod tests {
    use super::{contact_hertz, too_stiff};
    use crate::scene::{Scene, parse};

    fn with_solver(solver: &str) -> Scene {
        let text = format!("(version: 1, name: \"stiff\", solver: Impulse({solver}), bodies: [])");
        parse("stiff.ron", &text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// `omega h = 0.8 sqrt(1 + relax_iterations)`, at most a quarter of the rate; 10 substeps of 1/600 s.
    #[test]
    fn what_is_not_given_follows_the_substeps() {
        for (solver, expected) in [
            ("", 0.8 * 2.0_f64.sqrt() * 600.0),
            ("substeps: 16", 0.8 * 2.0_f64.sqrt() * 960.0),
            ("relax_iterations: 0", 0.8 * 600.0),
            ("relax_iterations: 2", 0.8 * 3.0_f64.sqrt() * 600.0),
            ("relax_iterations: 50", std::f64::consts::FRAC_PI_2 * 600.0),
        ] {
            let found = contact_hertz(&with_solver(solver)).map(|hertz| hertz * std::f64::consts::TAU);
            assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9 * expected), "{solver}: {found:?}");
        }
        assert_eq!(contact_hertz(&with_solver("correction: Soft(hertz: 30)")), Some(30.0));
        assert_eq!(contact_hertz(&with_solver("correction: Projection()")), None);
    }

    /// With one relax iteration `sqrt(2) / (2 pi)` of 600 Hz is 135.05 Hz.
    #[test]
    fn only_beyond_the_bound_something_is_said() {
        let told = |solver: &str| too_stiff(&with_solver(solver));
        assert_eq!(told(""), None);
        assert_eq!(told("correction: Soft(hertz: 135.04)"), None);
        let told_beyond = told("correction: Soft(hertz: 135.06)").unwrap_or_default();
        assert!(told_beyond.contains("up to 135.05 Hz and is 135.06 Hz"), "{told_beyond}");
        // A quarter of the rate is the most there is: two relax iterations calm it.
        let held_down = told("correction: Soft(hertz: 1000)").unwrap_or_default();
        assert!(held_down.contains("is 150.00 Hz (1000 Hz are asked for; a quarter"), "{held_down}");
        assert_eq!(told("relax_iterations: 2, correction: Soft(hertz: 1000)"), None);
        assert_eq!(told("correction: Baumgarte()"), None);
    }
}
