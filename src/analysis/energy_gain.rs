//! Motion that came from nowhere: a run that ends with more energy than it began with, though nothing drives it.

use crate::scene::generate::expand;
use crate::scene::model::BodyKind;
use crate::session::record::{RunPlan, RunSummary};

/// The part of the motion at the end from which a gain is spoken of: rounding and blows stay far below it.
const TOLD_FROM: f64 = 1.0 / 32.0;

/// The speed, m/s, below which what moves counts as at rest: rounding alone makes such motion.
const AT_REST: f64 = 1e-3;

/// What to say of a run that has gained energy, most of it as motion; `None` where inputs, faults or kinematic bodies may have given it.
///
/// Bodies that overlap at the start and are pushed apart gain height; only what still moves for it at the end is spoken of.
#[must_use]
pub fn energy_gained(plan: &RunPlan, summary: &RunSummary) -> Option<String> {
    let (start, end) = (&summary.energy_at_start, &summary.energy_at_end);
    let gained = end.total() - start.total();
    let is_motion = end.kinetic - start.kinetic > gained / 2.0;
    let moves = end.kinetic > 0.5 * end.mass * AT_REST * AT_REST;
    if !(gained > end.kinetic * TOLD_FROM && is_motion && moves) || is_driven(plan) {
        return None;
    }
    Some(format!(
        "the energy rose by {gained:.3} J, though nothing drives the bodies: what turns fast on a joint or is pushed out of another needs \
         shorter substeps; take more of them (solver.substeps), or shorter steps (dt)"
    ))
}

/// Whether something outside of the bodies may have done work.
fn is_driven(plan: &RunPlan) -> bool {
    let has_inputs = !plan.scene.inputs.is_empty() || !plan.extra_inputs.is_empty();
    let is_led = || expand(&plan.scene).is_ok_and(|bodies| bodies.iter().any(|body| body.kind == BodyKind::Kinematic));
    has_inputs || !plan.faults.is_empty() || is_led()
}
