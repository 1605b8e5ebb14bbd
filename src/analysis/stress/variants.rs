//! The same scene again, on more threads, and with its bodies in another order.

use std::sync::Arc;

use crate::analysis::bisect::order::permuted;
use crate::analysis::stress::course::{Course, compare_all};
use crate::analysis::stress::{Attack, Finding, Target, Tell};
use crate::math::Scalar;
use crate::scene::Scene;
use crate::scene::generate::write_out_group;
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// The numbers of threads that are tried against one.
const THREADS: [u32; 3] = [2, 3, 8];

/// Runs the scene again.
///
/// # Errors
/// When the scene makes no world.
pub fn repeat<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let repeats = target.effort.repeats;
    let courses: Vec<Course> =
        (2..=repeats).map(|number| Course::plain(format!("run {number}"), target.plan.clone())).collect();
    let tally = compare_all::<S>(target, &courses, tell)?;
    Ok(tally.finding::<S>(Attack::Repeat, format!("{repeats} equal runs")))
}

/// Runs the scene on more threads.
///
/// # Errors
/// When the scene makes no world.
pub fn threads<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let on_threads =
        |threads| Course::plain(format!("the run on {threads} threads"), RunPlan { threads, ..target.plan.clone() });
    let tally = compare_all::<S>(target, &THREADS.map(on_threads), tell)?;
    Ok(tally.finding::<S>(Attack::Threads, "1 against 2, 3 and 8"))
}

/// Runs the scene with its bodies and groups in other orders.
///
/// # Errors
/// When the scene makes no world.
pub fn order<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let scene = &target.plan.scene;
    // Groups come behind all bodies: written out, their copies change places with them and with each other.
    let written_out = (0..scene.groups.len()).try_fold(Scene::clone(scene), |scene, _| write_out_group(&scene, 0));
    let written_out = written_out.map_err(|error| BuildError::Scene(error.to_string()))?;
    if written_out.bodies.len() < 2 {
        return Ok(Finding::not_tried(Attack::Order, S::KIND, "there are no two bodies to exchange"));
    }
    let can_stay = scene.bodies.len() > 1 || scene.groups.len() > 1;
    let in_order = |seed| {
        let source = if seed == 1 && can_stay { scene } else { &written_out };
        let plan = RunPlan { scene: Arc::new(permuted(source, seed)), ..target.plan.clone() };
        Course::plain(format!("the run in order {seed}"), plan)
    };
    let courses: Vec<Course> = (1..=target.effort.orders).map(in_order).collect();
    let tally = compare_all::<S>(target, &courses, tell)?;
    Ok(tally.finding::<S>(Attack::Order, format!("{} orders of the bodies", courses.len())))
}
