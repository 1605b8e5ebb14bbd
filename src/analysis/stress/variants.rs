//! The same scene again, on more threads, and with its bodies in another order.

use std::sync::Arc;

use crate::analysis::bisect::order::permuted;
use crate::analysis::stress::course::{Course, compare_all};
use crate::analysis::stress::{Attack, Finding, Target, Tell};
use crate::math::Scalar;
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
    if scene.bodies.len() < 2 && scene.groups.len() < 2 {
        return Ok(Finding::not_tried(Attack::Order, S::KIND, "there are no two bodies or groups to exchange"));
    }
    let in_order = |seed| {
        let plan = RunPlan { scene: Arc::new(permuted(scene, seed)), ..target.plan.clone() };
        Course::plain(format!("the run in order {seed}"), plan)
    };
    let courses: Vec<Course> = (1..=target.effort.orders).map(in_order).collect();
    let tally = compare_all::<S>(target, &courses, tell)?;
    Ok(tally.finding::<S>(Attack::Order, format!("{} orders of the bodies", courses.len())))
}
