//! The run of a replay once more, as this build does it: the plan to record a new golden in the place of an old one.

use std::sync::Arc;

use crate::math::lanes::LanePath;
use crate::parallel::{MAX_THREADS, Scheduling};
use crate::replay::{InputOrigin, Replay};
use crate::scene;
use crate::scene::input::parse_input_line;
use crate::session::playback::{PlaybackError, planted_faults};
use crate::session::record::RunPlan;

/// The plan that makes the run of a replay again: its scene, inputs, scalar, steps, keyframes, overrides and faults.
///
/// # Errors
/// When scene, inputs or faults inside the replay cannot be read by this build.
pub fn replay_plan(replay: &Replay) -> Result<RunPlan, PlaybackError> {
    let header = &replay.header;
    let mut scene = scene::parse("scene of the replay", &replay.scene)?;
    scene.keyframe_every = header.keyframe_every;
    let mut extra_inputs = Vec::new();
    for (number, recorded) in (1..).zip(&replay.inputs) {
        if recorded.origin != InputOrigin::Scene {
            let input = parse_input_line("inputs of the replay", number, &recorded.text)
                .map_err(|error| PlaybackError::Input { step: recorded.step, error })?;
            extra_inputs.push((input, recorded.origin));
        }
    }
    Ok(RunPlan {
        scene: Arc::new(scene),
        scalar: header.scalar,
        steps: header.steps,
        threads: header.threads.clamp(1, MAX_THREADS),
        scheduling: Scheduling::Plain,
        lanes: LanePath::widest(),
        extra_inputs,
        faults: planted_faults(replay)?,
        overrides: header.overrides.clone(),
        scene_file: header.scene_file.clone(),
        reason: None,
    })
}
