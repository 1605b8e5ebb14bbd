//! The settings in which two replays differ.

use crate::replay::Replay;
use crate::scene;

/// A setting in which two replays differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingDifference {
    /// Which setting.
    pub key: &'static str,
    /// As the first replay has it.
    pub a: String,
    /// As the second has it.
    pub b: String,
}

/// Whether two scenes are the same but for how often a keyframe is written, which is not part of the run.
fn same_scene(a: &str, b: &str) -> bool {
    let without_keyframes = |text: &str| {
        let mut scene = scene::parse("scene of the replay", text).ok()?;
        scene.keyframe_every = 1;
        Some(scene.to_canonical_ron())
    };
    a == b || without_keyframes(a).is_some_and(|a| Some(a) == without_keyframes(b))
}

/// Settings in which two replays differ, in the order in which people ask for them.
#[must_use]
pub fn differing_settings(a: &Replay, b: &Replay) -> Vec<SettingDifference> {
    let (left, right) = (&a.header, &b.header);
    let whether = |same: bool| if same { "the same" } else { "another" }.to_owned();
    let inputs = |replay: &Replay| format!("{} inputs", replay.inputs.len());
    let faults = |replay: &Replay| {
        let faults: Vec<&str> = replay.perturbations.iter().map(|planted| planted.fault.as_str()).collect();
        faults.join("  ")
    };
    let rows = [
        ("scalar", left.scalar.to_string(), right.scalar.to_string()),
        ("semantics", left.semantics.to_string(), right.semantics.to_string()),
        ("scene", left.scene_name.clone(), right.scene_name.clone()),
        ("dt", left.dt.clone(), right.dt.clone()),
        ("steps", left.steps.to_string(), right.steps.to_string()),
        ("threads", left.threads.to_string(), right.threads.to_string()),
        ("overrides", left.overrides.join(" "), right.overrides.join(" ")),
        ("inputs", inputs(a), if a.inputs == b.inputs { inputs(a) } else { format!("{}, others", inputs(b)) }),
        ("planted faults", faults(a), faults(b)),
        ("scene text", whether(true), whether(same_scene(&a.scene, &b.scene))),
        ("keyframe every", left.keyframe_every.to_string(), right.keyframe_every.to_string()),
        ("producer", left.producer.clone(), right.producer.clone()),
    ];
    let differing = rows.into_iter().filter(|(_, a, b)| a != b);
    differing.map(|(key, a, b)| SettingDifference { key, a, b }).collect()
}
