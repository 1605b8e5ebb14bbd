//! What a replay must be to be called the same: what a run of its own scene, inputs and faults records.

use std::sync::Arc;

use physim::replay::{InputOrigin, Replay};
use physim::scene::{self, input::parse_input_line};
use physim::session::record::RunPlan;

use crate::common::recorded;

/// What differs between a replay and a recording of what it says it is; none of it where it is one. Free are only the number of
/// threads, names, reasons and overrides: these are no part of a run.
pub fn difference(replay: &Replay) -> Option<String> {
    let scene = scene::parse("scene", &replay.scene).expect("a replay that is verified has a scene");
    let text = scene.to_canonical_ron();
    let read = |text: &str| parse_input_line("input", 1, text).expect("an input");
    let others = replay.inputs.iter().filter(|input| input.origin != InputOrigin::Scene);
    let plan = RunPlan {
        scalar: replay.header.scalar,
        steps: replay.header.steps,
        extra_inputs: others.map(|input| (read(&input.text), input.origin)).collect(),
        faults: replay.perturbations.iter().map(|planted| planted.fault.parse().expect("a fault")).collect(),
        ..RunPlan::new(Arc::new(scene))
    };
    let mut own = recorded(&plan);
    let theirs = &replay.header;
    own.header.threads = theirs.threads;
    own.header.overrides.clone_from(&theirs.overrides);
    own.header.scene_file.clone_from(&theirs.scene_file);
    own.header.reason.clone_from(&theirs.reason);
    own.header.producer.clone_from(&theirs.producer);
    // A build that counts less than this one records fewer counts, which is noted.
    if let (Some(own), Some(theirs)) = (&mut own.ending, &replay.ending) {
        own.counters.retain(|name, _| theirs.counters.contains_key(name));
    }
    let inputs = |replay: &Replay| -> Vec<_> {
        replay.inputs.iter().map(|input| (input.step, input.origin, read(&input.text).to_ron_line())).collect()
    };
    let faults = |replay: &Replay| -> Vec<_> {
        let fault = |text: &str| text.parse::<physim::world::fault::Fault>().expect("a fault");
        replay.perturbations.iter().map(|planted| (planted.step, format!("{:?}", fault(&planted.fault)))).collect()
    };
    let parts = [
        ("header", own.header != *theirs),
        ("scene", own.scene != text),
        ("inputs", inputs(&own) != inputs(replay)),
        ("faults", faults(&own) != faults(replay)),
        ("hashes", own.steps != replay.steps),
        ("keyframes", own.keyframes != replay.keyframes),
        ("ending", own.ending != replay.ending),
    ];
    let differing: Vec<&str> = parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect();
    (!differing.is_empty()).then(|| differing.join(", "))
}
