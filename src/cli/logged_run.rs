//! How a run is made again by another physim that prints its hash log: the scene for it, its arguments, and how much it prints.

use crate::math::lanes::LanePath;
use crate::scene::Scene;
use crate::session::record::RunPlan;

/// Bytes that a step may take in a log.
const BYTES_PER_STEP: usize = 1024;
/// Bytes that a log may take beside its steps.
const BYTES_BESIDE: usize = 1 << 16;

/// The scene of a plan with all its inputs in it.
pub fn scene_with_inputs(plan: &RunPlan) -> Scene {
    let mut scene = Scene::clone(&plan.scene);
    scene.inputs.extend(plan.extra_inputs.iter().map(|(input, _)| input.clone()));
    scene
}

/// The arguments that make a physim run that scene as planned and print its hash log.
pub fn run_words(plan: &RunPlan, scene: &str) -> Vec<String> {
    let mut words = vec!["run".to_owned(), scene.to_owned(), "--hash-log=-".to_owned()];
    words.push(format!("--scalar={}", plan.scalar));
    words.push(format!("--steps={}", plan.steps));
    words.extend((plan.threads > 1).then(|| format!("--threads={}", plan.threads)));
    // Only where they are others than it would take: an older physim knows no lanes.
    words.extend((plan.lanes != LanePath::widest()).then(|| format!("--lanes={}", plan.lanes.name())));
    words.extend(plan.faults.iter().map(|fault| format!("--fault={fault}")));
    words
}

/// How much the log of so many steps may take.
pub const fn log_bytes(steps: u32) -> usize {
    BYTES_PER_STEP.saturating_mul(steps as usize).saturating_add(BYTES_BESIDE)
}
