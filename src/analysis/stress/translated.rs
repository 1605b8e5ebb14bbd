//! The whole scene somewhere else: the same run, when the offset is subtracted again.

use std::sync::Arc;

use crate::analysis::stress::comparison::compare_all;
use crate::analysis::stress::trial::Trial;
use crate::analysis::stress::view::Seen;
use crate::analysis::stress::{Attack, Finding, Target, Tell};
use crate::math::Scalar;
use crate::scene::decimal::Exact;
use crate::scene::model::Vector;
use crate::scene::translate::{TooFar, translated_input, translated_scene};
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// By how many metres the scene is moved: numbers that every scalar holds exactly.
const OFFSETS: [[i64; 3]; 2] = [[64, -32, 16], [8192, -4096, 2048]];

/// Runs the scene elsewhere.
///
/// # Errors
/// When the scene makes no world.
pub fn translated<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let trials: Result<Vec<Trial>, TooFar> = OFFSETS.iter().map(|offset| trial(target.plan, *offset)).collect();
    match trials {
        Err(TooFar(why)) => Ok(Finding::not_tried(Attack::Translated, S::KIND, why)),
        Ok(trials) => {
            let by = OFFSETS.map(text).join(" and ");
            let tally = compare_all::<S>(target, &trials, tell)?;
            Ok(tally.finding::<S>(Attack::Translated, format!("moved by {by} m and back")))
        }
    }
}

fn text([x, y, z]: [i64; 3]) -> String {
    format!("({x}, {y}, {z})")
}

fn trial(plan: &RunPlan, offset: [i64; 3]) -> Result<Trial, TooFar> {
    let [x, y, z] = offset.map(|metres| Exact::from(metres).to_decimal());
    let by = Vector(x, y, z);
    let scene = Arc::new(translated_scene(&plan.scene, &by)?);
    let inputs = plan.extra_inputs.iter().map(|(input, origin)| Ok((translated_input(input, &by)?, *origin)));
    let extra_inputs = inputs.collect::<Result<Vec<_>, TooFar>>()?;
    let moved = RunPlan { scene, extra_inputs, ..plan.clone() };
    let label = format!("the run moved by {} m", text(offset));
    // The bounds are wider by the offset, so that a body may go further where it escapes.
    Ok(Trial { view: Seen::MovedBack(by), stops_alike: false, ..Trial::plain(label, moved) })
}
