//! Replays to test with.

use std::collections::BTreeMap;

use crate::math::{ScalarKind, SplitMix64};
use crate::replay::error::ReplayError;
use crate::replay::format::{
    Ending, FORMAT_VERSION, Header, InputOrigin, Outcome, Perturbation, RecordedInput, StepHash,
};
use crate::replay::reader::Replay;
use crate::replay::writer::ReplayWriter;

pub const SCENE: &str = "(version: 1, name: \"two balls\")";

pub fn header(steps: u32, keyframe_every: u32) -> Header {
    Header {
        format: FORMAT_VERSION,
        semantics: 3,
        scalar: ScalarKind::Fixed,
        scene_name: "two balls".to_owned(),
        dt: "1/60".to_owned(),
        dt_nanoseconds: (50_000_000, 3),
        steps,
        keyframe_every,
        bodies: 2,
        bytes_per_body: 250,
        bytes_per_contact_point: 80,
        sections: ["bodies", "contacts", "clock"].map(str::to_owned).to_vec(),
        threads: 8,
        overrides: vec!["solver.iterations=20".to_owned()],
        scene_file: Some("scenes/two_balls.ron".to_owned()),
        reason: None,
        producer: "physim 0.1.0".to_owned(),
    }
}

/// Bytes that no compression can shorten and that every call gives alike.
pub fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut random = SplitMix64::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    std::iter::repeat_with(|| random.bits().to_le_bytes()).flatten().take(length).collect()
}

/// A hash in which all sections but the last change every step.
pub fn hash(step: u32, sections: usize) -> StepHash {
    let digest = |section: usize| {
        let seed = if section + 1 == sections { 0 } else { u64::from(step) + 1 };
        noise(seed * 64 + section as u64 + 1, 8).try_into().expect("8 bytes")
    };
    StepHash {
        root: noise(u64::from(step) << 32, 32).try_into().expect("32 bytes"),
        sections: (0..sections).map(digest).collect(),
    }
}

pub fn input(step: u32) -> RecordedInput {
    RecordedInput { step, origin: InputOrigin::Stdin, text: format!("Impulse(step: {step})") }
}

pub fn perturbation(step: u32) -> Perturbation {
    Perturbation { step, fault: format!("ulp@{step},object=ball,field=linear_velocity.x,ulps=-1") }
}

pub fn completed(header: &Header) -> Ending {
    let root = hash(header.steps, header.sections.len()).root;
    let counters = BTreeMap::from([("contacts".to_owned(), u64::MAX), ("spawns".to_owned(), 0)]);
    Ending { outcome: Outcome::Completed, steps: header.steps, root, counters }
}

/// The replay that [`record`] records: an input before every seventh step, a perturbation of state 2, noise as states.
pub fn replay(header: &Header, state_bytes: usize) -> Replay {
    let inputs = (1..=header.steps).filter(|step| step % 7 == 1).map(input).collect();
    let perturbations = if header.steps >= 2 { vec![perturbation(2)] } else { Vec::new() };
    let grid = (0..=header.steps).step_by(header.keyframe_every as usize);
    Replay {
        header: header.clone(),
        scene: SCENE.to_owned(),
        inputs,
        perturbations,
        steps: (0..=header.steps).map(|step| hash(step, header.sections.len())).collect(),
        keyframes: grid.map(|step| (step, noise(u64::from(step) + 1, state_bytes))).collect(),
        ending: Some(completed(header)),
    }
}

/// Records a replay up to its last step, without an ending; perturbations a step before their own.
pub fn record<W: std::io::Write>(writer: &mut ReplayWriter<W>, replay: &Replay) -> Result<(), ReplayError> {
    for (step, hash) in (0..).zip(replay.steps.iter()) {
        for input in replay.inputs.iter().filter(|input| input.step == step) {
            writer.input(input)?;
        }
        for perturbation in replay.perturbations.iter().filter(|perturbation| perturbation.step == step + 1) {
            writer.perturbation(perturbation)?;
        }
        writer.step(step, &hash)?;
        if let Some(state) = replay.keyframes.get(step) {
            writer.keyframe(step, &state)?;
        }
    }
    Ok(())
}

/// The file of a replay.
pub fn file(replay: &Replay) -> Vec<u8> {
    let mut writer = ReplayWriter::new("test", Vec::new(), &replay.header, &replay.scene).expect("a good header");
    record(&mut writer, replay).expect("a good run");
    writer.finish_stream(replay.ending.as_ref().expect("an ending")).expect("a good ending")
}

/// A whole replay in as few bytes as still have everything in them.
pub fn small() -> Replay {
    replay(&header(4, 2), 16)
}
