//! Whether the records of a replay fit each other: what a header, an input or a fault says twice, it must say alike.
//!
//! The container holds each record to its form and place ([`replay::reader`](mod@crate::replay::reader)); what a scene or a fault
//! means is known here. Two of them that contradict each other are damage, whatever the hashes say.

use crate::math::{Scalar, ScalarTask};
use crate::parallel::MAX_THREADS;
use crate::replay::{Damage, Header, InputOrigin, RecordedInput, Recovered, Replay};
use crate::scene::Scene;
use crate::scene::generate::body_count;
use crate::scene::input::parse_input_line;
use crate::scene::model::Input;
use crate::scene::overrides::has_overrides;
use crate::scene::parse::parse_written_out;
use crate::session::keyframe::wrong_keyframe;
use crate::session::record::step_time;
use crate::world::SEMANTICS_VERSION;
use crate::world::encode::Section;
use crate::world::fault::Fault;

/// What in a replay contradicts itself, or cannot be read by this build though it is of its semantics version; `None` where all
/// records fit each other. A replay of another version is not judged, and of one without an ending, what its end may lack is not.
#[must_use]
pub fn contradiction(replay: &Replay) -> Option<Damage> {
    if replay.header.semantics != SEMANTICS_VERSION {
        return None;
    }
    check(replay).err().map(Damage::contradiction)
}

/// What contradicts itself in a replay whose states are to be relied on: records, or a keyframe that is not the state whose hash is
/// recorded.
#[must_use]
pub fn wrong_record_or_state(replay: &Replay) -> Option<Damage> {
    contradiction(replay).or_else(|| wrong_keyframe(replay).map(|wrong| Damage::contradiction(wrong.to_string())))
}

/// What was recovered, with what contradicts itself as its damage where it has no other: every command that takes states out of a
/// replay reads it through this.
#[must_use]
pub fn examined(mut recovered: Recovered) -> Recovered {
    if recovered.damage.is_none() {
        recovered.damage = wrong_record_or_state(&recovered.replay);
    }
    recovered
}

fn check(replay: &Replay) -> Result<(), String> {
    let name = "scene of the replay";
    let scene = parse_written_out(name, &replay.scene).map_err(|error| format!("its scene cannot be read: {error}"))?;
    check_header(&replay.header, &scene)?;
    check_inputs(replay, &scene)?;
    check_faults(replay)
}

fn check_header(header: &Header, scene: &Scene) -> Result<(), String> {
    let time = step_time(scene);
    let of_scene = |what: &str, stated: &dyn std::fmt::Debug, scene: &dyn std::fmt::Debug| {
        Err(format!("its header states {what} {stated:?}, its scene has {scene:?}"))
    };
    if header.scene_name != scene.name {
        return of_scene("the name", &header.scene_name, &scene.name);
    }
    if header.dt != scene.dt.to_string() {
        return of_scene("dt", &header.dt, &scene.dt.to_string());
    }
    if header.dt_nanoseconds != (time.numerator, time.denominator) {
        return of_scene("nanoseconds per step", &header.dt_nanoseconds, &(time.numerator, time.denominator));
    }
    if header.keyframe_every != scene.keyframe_every {
        return of_scene("a keyframe every so many steps:", &header.keyframe_every, &scene.keyframe_every);
    }
    let bodies = body_count(scene).and_then(|bodies| u32::try_from(bodies).ok());
    if bodies != Some(header.bodies) {
        return of_scene("the number of bodies", &header.bodies, &bodies.unwrap_or_default());
    }
    if !header.sections.iter().eq(Section::ALL.map(Section::name).iter()) {
        let sections = Section::ALL.map(Section::name).join(", ");
        return Err(format!("its header lists the sections {}, a state has {sections}", header.sections.join(", ")));
    }
    if !(1..=MAX_THREADS).contains(&header.threads) {
        return Err(format!("its header states {} threads, expected 1 to {MAX_THREADS}", header.threads));
    }
    let point = header.scalar.dispatch(BytesPerContactPoint);
    if header.bytes_per_contact_point != point {
        let stated = header.bytes_per_contact_point;
        return Err(format!("its header states {stated} bytes per contact point, {} has {point}", header.scalar));
    }
    if !has_overrides(scene, &header.overrides) {
        return Err(format!(
            "its header says that {} was set, its scene does not have that",
            header.overrides.join(", ")
        ));
    }
    Ok(())
}

struct BytesPerContactPoint;

impl ScalarTask for BytesPerContactPoint {
    type Output = u32;

    fn run<S: Scalar>(self) -> u32 {
        crate::session::record::bytes_per_contact_point::<S>()
    }
}

/// Each input must act in the step that it is recorded for, and those of the scene must be the scene's.
fn check_inputs(replay: &Replay, scene: &Scene) -> Result<(), String> {
    let mut of_scene = scene.inputs.iter();
    let mut are_others = false;
    for (number, recorded) in (1..).zip(&replay.inputs) {
        let input = read_input(number, recorded)?;
        if recorded.origin != InputOrigin::Scene {
            are_others = true;
        } else if are_others || of_scene.next() != Some(&input) {
            return Err(format!(
                "input {number} is recorded as one of the scene, whose own input it is not: {}",
                recorded.text
            ));
        }
    }
    match of_scene.next() {
        Some(missing) if replay.ending.is_some() => {
            Err(format!("an input of its scene is not among the recorded ones: {}", missing.to_ron_line()))
        }
        _ => Ok(()),
    }
}

fn read_input(number: usize, recorded: &RecordedInput) -> Result<Input, String> {
    let input = parse_input_line("inputs of the replay", number, &recorded.text)
        .map_err(|error| format!("input {number}, for step {}, cannot be read: {error}", recorded.step))?;
    if input.step == recorded.step {
        return Ok(input);
    }
    Err(format!("input {number} is recorded for step {} and acts in step {}", recorded.step, input.step))
}

fn check_faults(replay: &Replay) -> Result<(), String> {
    for planted in &replay.perturbations {
        let fault: Fault =
            planted.fault.parse().map_err(|error| format!("the fault {:?} cannot be read: {error}", planted.fault))?;
        if fault.step != planted.step {
            return Err(format!("the fault {:?} is recorded for step {}", planted.fault, planted.step));
        }
        fault.check_scalar(replay.header.scalar).map_err(|why| format!("the fault {:?}: {why}", planted.fault))?;
    }
    Ok(())
}
