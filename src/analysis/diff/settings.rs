//! The settings in which two replays differ.

use crate::replay::Replay;

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

/// Settings in which two replays differ, in the order in which people ask for them.
#[must_use]
pub fn differing_settings(a: &Replay, b: &Replay) -> Vec<SettingDifference> {
    let (left, right) = (&a.header, &b.header);
    let whether = |same: bool| if same { "the same" } else { "another" }.to_owned();
    let inputs = |replay: &Replay| format!("{} inputs", replay.inputs.len());
    let rows = [
        ("scalar", left.scalar.to_string(), right.scalar.to_string()),
        ("semantics", left.semantics.to_string(), right.semantics.to_string()),
        ("scene", left.scene_name.clone(), right.scene_name.clone()),
        ("dt", left.dt.clone(), right.dt.clone()),
        ("steps", left.steps.to_string(), right.steps.to_string()),
        ("threads", left.threads.to_string(), right.threads.to_string()),
        ("overrides", left.overrides.join(" "), right.overrides.join(" ")),
        ("inputs", inputs(a), if a.inputs == b.inputs { inputs(a) } else { format!("{}, others", inputs(b)) }),
        ("scene text", whether(true), whether(a.scene == b.scene)),
        ("producer", left.producer.clone(), right.producer.clone()),
    ];
    let differing = rows.into_iter().filter(|(_, a, b)| a != b);
    differing.map(|(key, a, b)| SettingDifference { key, a, b }).collect()
}
