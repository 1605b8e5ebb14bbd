//! Conditions of a scene: what parts is found, named, and told apart from what does not come out the same twice.

use std::sync::Arc;

use crate::analysis::Finding;
use crate::analysis::Verdict;
use crate::analysis::bisect::axis::{AxisText, SceneAxis};
use crate::analysis::bisect::condition::{Condition, Divergence, Recording, compare, record};
use crate::analysis::bisect::gap::{Gap, Named};
use crate::analysis::bisect::scene::{SceneSearch, bisect_scene};
use crate::analysis::bisect::{Alone, Bisection};
use crate::math::Fixed;
use crate::scene;
use crate::session::record::RunPlan;

fn plan(faults: &[&str]) -> RunPlan {
    let text = "(version: 1, name: \"drop\", steps: 30, keyframe_every: 8, bodies: [
        (name: \"floor\", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: \"box\", position: Origin(0, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: \"ball\", position: Origin(0, 1.75, 0), shape: Sphere(radius: 0.5))])";
    let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
    let faults = faults.iter().map(|fault| fault.parse().unwrap_or_else(|error| panic!("{fault}: {error}")));
    RunPlan { faults: faults.collect(), ..RunPlan::new(Arc::new(scene)) }
}

fn search(faults: &[&str], axes: &[&str], window: u32) -> Bisection {
    let plan = plan(faults);
    let read = |text: &&str| {
        let text: AxisText = text.parse().unwrap_or_else(|error| panic!("{error}"));
        SceneAxis::read(&text, plan.steps).unwrap_or_else(|error| panic!("{error}"))
    };
    let axes = axes.iter().map(read).collect();
    let search = SceneSearch { plan, axes, window, fields: 8 };
    bisect_scene(&search, &mut Alone).unwrap_or_else(|error| panic!("{error}"))
}

fn smallest(found: &Bisection) -> Vec<String> {
    let changes = found.smallest.as_ref().expect("a smallest set");
    changes.iter().map(|change| format!("{}={}", change.axis, change.to)).collect()
}

#[test]
fn conditions_that_agree_agree() {
    let found = search(&[], &["threads=1,2,3", "order", "repeat=2"], 4);
    assert_eq!((found.verdict, found.runs, found.conditions.len()), (Verdict::Same, 56, 23));
    assert_eq!(found.repeats.map(|repeats| (repeats.runs, repeats.holds())), Some((2, true)));
    assert_eq!((found.smallest, found.first), (None, None));
    let found = search(&["ulp@9,object=ball,field=position.y"], &["threads=1,2", "restore"], 4);
    assert_eq!(found.verdict, Verdict::Same, "a fault that strikes in all conditions makes no difference");
}

#[test]
fn every_restore_before_the_fault_breaks() {
    let fault = "ulp@17,object=ball,field=position.y,only=restored";
    let found = search(&[fault], &["restore"], 100);
    let remark = found.conditions[1].remark.as_deref().expect("a remark");
    assert_eq!(remark, "breaks for k = 0 to 16; tried k = 0 to 29, each 100 steps on, and 15 of them to the end");
    assert_eq!(smallest(&found), ["restore=16"]);
    let first = found.first.expect("a difference");
    assert_eq!((first.step, first.stage.as_deref()), (17, Some("finish")));
    // Those that are looked ahead for 4 steps see it from step 13 on, and every second goes on to the end.
    let found = search(&[fault], &["restore"], 4);
    let remark = found.conditions[1].remark.as_deref().expect("a remark");
    assert!(remark.starts_with("breaks for k = 0, 2, 4, 6, 8, 10, 12 to 16; tried"), "{remark}");
}

#[test]
fn chosen_restores_are_tried_in_their_order() {
    let fault = "ulp@17,object=ball,field=position.y,only=restored";
    let found = search(&[fault], &["restore=20,17,9,3"], 4);
    let tried: Vec<(&str, Option<u32>)> =
        found.conditions.iter().map(|tried| (tried.name.as_str(), tried.parts_at)).collect();
    let expected = [("restore=never", None), ("restore=20", None), ("restore=17", None), ("restore=9", Some(17))];
    assert_eq!(tried, expected);
}

#[test]
fn the_smallest_set_has_no_more_than_it_needs() {
    let fault = "ulp@17,object=box,field=linear_velocity.x,only=threads+restored";
    let found = search(&[fault], &["order", "restore", "threads=1,2"], 20);
    assert_eq!(smallest(&found), ["restore=16", "threads=2"]);
    let found = search(&["gather@25,only=threads"], &["order", "restore", "threads=1,2"], 20);
    assert_eq!(smallest(&found), ["threads=2"]);
    let first = found.first.expect("a difference");
    assert_eq!((first.step, first.stage.as_deref()), (25, Some("narrow_phase")));
}

/// A baseline, and a condition that diverges from it in step 20.
fn parted() -> (Condition, Recording, Divergence) {
    let baseline = Condition { plan: plan(&["ulp@20,object=ball,field=position.y,only=threads"]), restore: None };
    let recording = record::<Fixed>(&baseline, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    let divergence = compare::<Fixed>(&recording, &on_two_threads(&baseline), &mut |_| {});
    let divergence = divergence.unwrap_or_else(|error| panic!("{error}")).expect("they diverge");
    (baseline, recording, divergence)
}

fn on_two_threads(condition: &Condition) -> Condition {
    Condition { plan: RunPlan { threads: 2, ..condition.plan.clone() }, restore: None }
}

fn named(baseline: &Condition, recording: &Recording, divergence: &Divergence) -> Named {
    let other = on_two_threads(baseline);
    Gap { baseline: recording, conditions: [baseline, &other], names: ["one", "two"], divergence, fields: 8 }
        .name::<Fixed>(&mut Alone)
}

#[test]
fn a_gap_is_named_by_the_runs_that_show_it() {
    let (baseline, recording, divergence) = parted();
    let named = named(&baseline, &recording, &divergence);
    let field = named.first.field.expect("a field");
    assert_eq!((named.first.step, field.object.as_str(), field.ulps), (20, "ball", Some(1)));
    assert!(named.notes.is_empty(), "{:?}", named.notes);
}

#[test]
fn a_side_that_does_not_come_out_the_same_again_is_named_from_runs_that_are_watched() {
    let (baseline, recording, mut divergence) = parted();
    let hash = divergence.hash.as_mut().expect("a hash");
    hash.root[0] ^= 1;
    let seen = named(&baseline, &recording, &divergence);
    assert!(
        seen.notes[0].starts_with("two does not repeat: run once more it is another run from step 20 on"),
        "{:?}",
        seen.notes
    );
    assert!(seen.notes[1].starts_with("named from two more runs, side by side"), "{:?}", seen.notes);
    let field = seen.first.field.expect("a field");
    assert_eq!((seen.first.step, field.object.as_str(), field.ulps), (20, "ball", Some(1)));
    // Where those agree, nothing is claimed but what the hashes told.
    let clean = Condition { plan: plan(&[]), restore: None };
    let seen = named(&clean, &recording, &divergence);
    assert_eq!((seen.first.step, seen.first.stage.as_deref(), seen.first.field), (20, None, None));
    assert_eq!(seen.first.section.as_deref(), Some("bodies"), "the hashes tell the section");
    assert!(
        seen.notes[1].contains("differ in bodies; what differed first is not: watched, they agreed"),
        "{:?}",
        seen.notes
    );
}

#[test]
fn what_breaks_only_when_restored_depends_on_something_outside_the_state() {
    let found = search(&["ulp@17,object=ball,field=position.y,only=restored"], &["restore=12"], 4);
    let findings = found.first.expect("a difference").findings;
    let run = "restore=12".to_owned();
    let hidden = Finding::HiddenState { run, restored_at: 12, differs_at: 17, reproduces_from: 0 };
    assert_eq!(findings, [hidden]);
    let found = search(&["ulp@17,object=ball,field=position.y,only=threads"], &["threads=1,2"], 4);
    assert_eq!(found.first.expect("a difference").findings, []);
}

#[test]
fn a_side_that_stops_parts_from_one_that_goes_on() {
    let mut plan = plan(&["nan@12,stage=forces,object=ball,field=position.y,only=threads"]);
    plan.scalar = crate::math::ScalarKind::F64;
    let axes = vec![SceneAxis::read(&"threads=1,2".parse().expect("an axis"), 30).expect("an axis")];
    let search = SceneSearch { plan, axes, window: 4, fields: 8 };
    let found = bisect_scene(&search, &mut Alone).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((found.verdict, found.first.as_ref().map(|first| first.step)), (Verdict::Diverged, Some(12)));
    assert!(found.notes.iter().any(|note| note.starts_with("threads=2 stops in this step: ")), "{:?}", found.notes);
    assert_eq!(found.first.and_then(|first| first.stage).as_deref(), Some("forces"));
}
