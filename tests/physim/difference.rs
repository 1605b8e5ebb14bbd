//! What `diff` says where there is no fault to name, or none that a re-run can prove; the rest is in the module `proof`.

use physim::analysis::diff::{DiffOptions, diff_replays};
use physim::analysis::{Finding, Verdict};

use crate::common::{load, package, perturbed, plan, recorded};

#[test]
fn a_fault_that_a_rerun_does_not_know_is_named_late_or_not_at_all() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let clean = recorded(&plan);
    // The record of the fault is taken out: the re-run then cannot come to the recorded hashes, as with a replay of
    // another machine whose arithmetic is off.
    let mut faulty = recorded(&perturbed(&plan, 7, "cue_ball", "linear_velocity.x", 1));
    faulty.perturbations.clear();
    let diff = diff_replays(&clean, &faulty, DiffOptions { window: 2, ..DiffOptions::default() });
    let first = diff.first.expect("a difference");
    assert_eq!(first.step, 7);
    assert_eq!(first.section.as_deref(), Some("bodies"), "the hashes tell the section");
    assert_eq!(first.stage, None, "no re-run proves a stage");
    assert_eq!(first.seen_at, Some(scene.keyframe_every), "the field comes from the next keyframe, marked late");
    assert!(!diff.notes.is_empty(), "and it says so");
    faulty.keyframes.change(|keyframes| keyframes.retain(|step, _| *step == 0));
    let diff = diff_replays(&clean, &faulty, DiffOptions { window: 2, ..DiffOptions::default() });
    assert_eq!(diff.first.expect("a difference").field, None, "without a later keyframe nothing is claimed");
}

#[test]
fn settings_are_compared_first() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let (fixed, double) = (recorded(&plan::<physim::math::Fixed>(&scene)), recorded(&plan::<f64>(&scene)));
    let diff = diff_replays(&fixed, &double, DiffOptions { window: 2, ..DiffOptions::default() });
    assert_eq!(diff.settings[0].key, "scalar");
    assert_eq!(diff.verdict, Verdict::Diverged);
    let mut shorter = plan::<f64>(&scene);
    shorter.steps = 50;
    let diff = diff_replays(&double, &recorded(&shorter), DiffOptions { window: 2, ..DiffOptions::default() });
    assert_eq!(diff.settings.iter().map(|setting| setting.key).collect::<Vec<_>>(), ["steps"]);
    let same = diff_replays(&double, &double, DiffOptions { window: 2, ..DiffOptions::default() });
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
    assert_eq!(
        diff_replays(&clean, &faulty, DiffOptions { window: 2, ..DiffOptions::default() }).verdict,
        Verdict::Same
    );
    let ending = faulty.ending.expect("an ending");
    assert_eq!(ending.counters.get("perturbations"), None, "and it is not counted as planted");
}

#[test]
fn naming_reruns_no_more_than_the_interval_of_the_last_keyframe() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let every = scene.keyframe_every;
    let step = 3 * every + every / 2;
    let mut replays =
        [plan.clone(), perturbed(&plan, step, "cue_ball", "linear_velocity.x", 1)].map(|plan| recorded(&plan));
    // Whoever started earlier would meet a state that cannot be read, or a hash that no run comes to.
    for replay in &mut replays {
        replay.keyframes.change(|keyframes| keyframes.range_mut(..3 * every).for_each(|(_, state)| state.clear()));
        replay.steps.change(|steps| steps[..3 * every as usize].iter_mut().for_each(|hash| hash.root = [7; 32]));
    }
    let diff = diff_replays(&replays[0], &replays[1], DiffOptions { window: 0, ..DiffOptions::default() });
    let first = diff.first.expect("a difference");
    assert_eq!((first.step, first.stage.as_deref()), (step, Some("finish")));
    assert_eq!(first.field.and_then(|field| field.field).as_deref(), Some("linear_velocity.x"));
    assert!(diff.notes.is_empty(), "{:?}", diff.notes);
}

#[test]
fn a_keyframe_that_is_not_the_state_of_its_hash_is_damage() {
    let scene = load(&package().join("scenes/free_spin.ron"));
    let mut replay = recorded(&plan::<f64>(&scene));
    let other = replay.keyframes.get(0).expect("a keyframe");
    replay.keyframes.change(|keyframes| *keyframes.get_mut(&scene.keyframe_every).expect("a keyframe") = other);
    let found = physim::analysis::verify::verify_replay(&replay, 1, &mut |_, _| {});
    assert_eq!(found.verdict, Verdict::Damaged);
    assert!(found.damage.expect("a reason").contains("is not the state whose hash is recorded"));
}

#[test]
fn a_fault_after_the_last_stage_leaves_the_counts_of_its_step() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let mut plan = plan::<f32>(&scene);
    plan.steps = 20;
    let counters = |replay: &physim::replay::Replay| replay.ending.clone().expect("an ending").counters;
    let mut clean = counters(&recorded(&plan));
    let faulty =
        counters(&recorded(&crate::common::faulty(&plan, "ulp@15,section=world,object=world,field=next_body_id")));
    clean.insert("perturbations".to_owned(), 1);
    assert_eq!(faulty, clean);
}

#[test]
fn a_run_that_a_restore_changes_is_named_from_its_start_and_the_restore_is_the_finding() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let every = scene.keyframe_every;
    let step = 3 * every + every / 2;
    let clean = recorded(&plan);
    // As with an array that is not cleared between steps: what strikes a restored run only is not in the recording.
    let mut faulty = perturbed(&plan, step, "cue_ball", "linear_velocity.x", 1);
    let differs_at = 3 * every + 4;
    let hidden = format!("ulp@{differs_at},object=ball_05,field=linear_velocity.z,only=restored");
    faulty.faults.push(hidden.parse().expect("a fault"));
    let diff = diff_replays(&clean, &recorded(&faulty), DiffOptions { window: 2, ..DiffOptions::default() });
    let first = diff.first.expect("a difference");
    assert_eq!((first.step, first.seen_at, first.stage.as_deref()), (step, Some(step), Some("finish")));
    assert_eq!(
        first.field.map(|field| field.object).as_deref(),
        Some("cue_ball"),
        "the right one, not that of the restore"
    );
    let run = "the second replay".to_owned();
    let finding = Finding::HiddenState { run, restored_at: 3 * every, differs_at, reproduces_from: 0 };
    assert_eq!(first.findings, [finding]);
    assert!(diff.notes.is_empty(), "{:?}", diff.notes);
}

#[test]
fn a_keyframe_of_another_state_is_refused_and_no_hidden_state() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let every = scene.keyframe_every;
    let step = 5 * every + 1;
    let (clean, mut faulty) = (recorded(&plan), recorded(&perturbed(&plan, step, "cue_ball", "linear_velocity.x", 1)));
    // The last keyframe is another state, by a bit of the gravity.
    let flip = |state: &mut Vec<u8>| state[4] ^= 1;
    faulty.keyframes.change(|keyframes| keyframes.get_mut(&(5 * every)).into_iter().for_each(flip));
    let first = diff_replays(&clean, &faulty, DiffOptions::default()).first.expect("a difference");
    let run = "the second replay".to_owned();
    let error = "read back, it is not the state whose hash is recorded".to_owned();
    assert_eq!(first.findings, [Finding::RefusedRestore { run, step: 5 * every, error }]);
    assert_eq!(first.field.map(|field| field.object).as_deref(), Some("cue_ball"));
}

#[test]
fn a_keyframe_that_cannot_be_read_is_a_finding_and_no_state() {
    let scene = load(&package().join("scenes/billiards.ron"));
    let plan = plan::<f64>(&scene);
    let every = scene.keyframe_every;
    let step = every + every / 2;
    let (clean, mut faulty) = (recorded(&plan), recorded(&perturbed(&plan, step, "cue_ball", "linear_velocity.x", 1)));
    let shorten = |state: &mut Vec<u8>| state.truncate(state.len() - 1);
    faulty.keyframes.change(|keyframes| keyframes.get_mut(&every).into_iter().for_each(shorten));
    let first = diff_replays(&clean, &faulty, DiffOptions::default()).first.expect("a difference");
    assert_eq!((first.step, first.field.map(|field| field.object).as_deref()), (step, Some("cue_ball")));
    match first.findings.as_slice() {
        [Finding::RefusedRestore { run, step, error }] => {
            assert_eq!((run.as_str(), *step), ("the second replay", every));
            assert!(error.contains("ends"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}
