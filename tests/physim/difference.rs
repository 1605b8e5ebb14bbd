//! `diff` names what differs, all of it right.

use std::collections::BTreeMap;

use physim::analysis::Verdict;
use physim::analysis::diff::diff_replays;
use physim::math::Scalar;
use physim::scene::Scene;
use physim::world::encode::State;
use physim::world::encode::table::{FieldValue, field_table};

use crate::common::{Numbers, load, package, perturbed, plan, recorded, session};

/// The numbers of a body's position and velocity that are not zero, by field path, as bits.
fn candidates<S: Scalar>(state: &State<S>, body: &str) -> BTreeMap<String, u64> {
    let table = field_table(state);
    let object = table.iter().find(|object| object.name.section.name() == "bodies" && object.name.object == body);
    let fields = &object.expect("the body exists").fields;
    fields
        .iter()
        .filter(|field| field.path.starts_with("position") || field.path.starts_with("linear_velocity"))
        .filter_map(|field| match field.value {
            FieldValue::Number(_, bits) if S::from_bits(bits) != S::ZERO => Some((field.path.clone(), bits)),
            _ => None,
        })
        .collect()
}

/// Plants one-ulp changes at random places and checks every word of what `diff` says of them.
fn diff_is_right<S: Scalar>(scene_name: &str, times: usize) {
    let mut scene = Scene::clone(&load(&package().join(format!("scenes/{scene_name}.ron"))));
    scene.steps = scene.steps.min(200);
    let scene = scene.into();
    let plan = plan::<S>(&scene);
    let clean = recorded(&plan);
    let mut numbers = Numbers::new(41);
    let mut planted = 0;
    while planted < times {
        let step = numbers.below(scene.steps as usize) as u32 + 1;
        let mut truth = session::<S>(&scene);
        for _ in 0..step {
            truth.advance(&mut ()).expect("the scene runs on");
        }
        let state = truth.world().state();
        let body = &state.bodies[numbers.below(state.bodies.len())].name;
        let fields = candidates(&state, body);
        let Some((field, &bits)) = fields.iter().nth(numbers.below(fields.len().max(1))) else { continue };
        let ulps = if numbers.below(2) == 0 { 1 } else { -1 };
        let faulty = recorded(&perturbed(&plan, step, body, field, ulps));
        let diff = diff_replays(&clean, &faulty, 2);
        let first = diff.first.as_ref().expect("a difference");
        let seen = first.field.as_ref().expect("a field");
        let wanted = S::from_ordered(S::from_bits(bits).to_ordered() + ulps).to_bits();
        let hex = |bits: u64| format!("{bits:0width$x}", width = 2 * S::BYTES);
        assert_eq!(diff.verdict, Verdict::Diverged);
        assert_eq!((first.step, first.seen_at), (step, Some(step)), "step of {body} {field}");
        assert_eq!(first.section.as_deref(), Some("bodies"));
        assert_eq!((seen.section, seen.object.as_str()), ("bodies", &**body));
        assert_eq!(seen.field.as_deref(), Some(field.as_str()));
        assert_eq!(seen.a.as_ref().map(|side| side.bits.clone()), Some(hex(bits)), "first side of {body} {field}");
        assert_eq!(seen.b.as_ref().map(|side| side.bits.clone()), Some(hex(wanted)), "second side of {body} {field}");
        assert_eq!(seen.ulps, Some(1));
        assert!(diff.notes.is_empty(), "everything is proved: {:?}", diff.notes);
        planted += 1;
    }
}

#[test]
fn a_hundred_planted_ulps_are_named_to_the_bit() {
    diff_is_right::<physim::math::Fixed>("billiards", 34);
    diff_is_right::<f32>("twenty_balls", 33);
    diff_is_right::<f64>("stack_20", 33);
}

#[test]
fn a_fault_that_a_rerun_does_not_know_is_named_late_or_not_at_all() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let clean = recorded(&plan);
    // The record of the fault is taken out: the re-run then cannot come to the recorded hashes, as with a replay of
    // another machine whose arithmetic is off.
    let mut faulty = recorded(&perturbed(&plan, 7, "cue_ball", "linear_velocity.x", 1));
    faulty.perturbations.clear();
    let diff = diff_replays(&clean, &faulty, 2);
    let first = diff.first.expect("a difference");
    assert_eq!(first.step, 7);
    assert_eq!(first.section.as_deref(), Some("bodies"), "the hashes tell the section");
    assert_eq!(first.stage, None, "no re-run proves a stage");
    assert_eq!(first.seen_at, Some(scene.keyframe_every), "the field comes from the next keyframe, marked late");
    assert!(!diff.notes.is_empty(), "and it says so");
    faulty.keyframes.retain(|step, _| *step == 0);
    let diff = diff_replays(&clean, &faulty, 2);
    assert_eq!(diff.first.expect("a difference").field, None, "without a later keyframe nothing is claimed");
}

#[test]
fn the_record_of_a_fault_is_not_what_names_it() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let clean = recorded(&plan);
    let faulty = recorded(&perturbed(&plan, 9, "cue_ball", "linear_velocity.x", 1));
    let mut scrambled = faulty.clone();
    scrambled.perturbations[0].fault = "ulp@9,object=cue_ball,field=position.y".to_owned();
    // The scrambled record makes another run, which does not reproduce the recorded hashes: it must not be believed.
    let diff = diff_replays(&clean, &scrambled, 2);
    let first = diff.first.expect("a difference");
    assert_eq!(first.step, 9);
    assert!(first.field.is_none_or(|field| field.field.as_deref() != Some("position.y")));
}

#[test]
fn settings_are_compared_first() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let (fixed, double) = (recorded(&plan::<physim::math::Fixed>(&scene)), recorded(&plan::<f64>(&scene)));
    let diff = diff_replays(&fixed, &double, 2);
    assert_eq!(diff.settings[0].key, "scalar");
    assert_eq!(diff.verdict, Verdict::Diverged);
    let mut shorter = plan::<f64>(&scene);
    shorter.steps = 50;
    let diff = diff_replays(&double, &recorded(&shorter), 2);
    assert_eq!(diff.settings.iter().map(|setting| setting.key).collect::<Vec<_>>(), ["steps"]);
    let same = diff_replays(&double, &double, 2);
    assert_eq!((same.verdict, same.first), (Verdict::Same, None));
}

#[test]
fn another_semantics_version_is_told_apart_from_a_divergence() {
    let scene = load(&package().join("scenes/free_spin.ron"));
    let mut replay = recorded(&plan::<f64>(&scene));
    replay.header.semantics += 1;
    let found = physim::analysis::verify::verify_replay(&replay, 1, &mut |_, _| {});
    assert_eq!(found.verdict, Verdict::OtherSemantics);
    assert!(found.first.is_none());
}

#[test]
fn a_fault_that_no_state_can_have_is_left_undone() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let mut plan = plan::<f64>(&scene);
    plan.steps = 20;
    let clean = recorded(&plan);
    // One more in an id puts two bodies under one number: no state could be read back from that.
    let faulty = recorded(&perturbed(&plan, 9, "ball_05", "id", 1));
    assert_eq!(diff_replays(&clean, &faulty, 2).verdict, Verdict::Same);
    let ending = faulty.ending.expect("an ending");
    assert_eq!(ending.counters.get("perturbations"), None, "and it is not counted as planted");
}
