//! Replays under good checksums whose records contradict each other, or have a part that cannot be read: always damage, never
//! "same", never a difference that a commit would be blamed for.

use std::sync::Arc;

use physim::analysis::Verdict;
use physim::analysis::verify::{Verification, verify_bytes};
use physim::math::ScalarKind;
use physim::replay::{InputOrigin, Outcome, Replay, read_strict, rewrite, rewrite_stream};
use physim::scene::input::parse_input_line;
use physim::scene::overrides::apply_override;
use physim::session::record::RunPlan;

use crate::common::{parse, recorded};
use crate::support::folder::Folder;
use crate::support::program::physim;
use crate::support::scenes::{DROP, ESCAPE};

const SCENE: &str = r#"(version: 1, name: "pushed", steps: 6, keyframe_every: 3, dt: "1/60",
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "ball", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5)),
        (name: "box", position: Origin(4, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
    ],
    inputs: [
        (step: 2, action: Impulse(body: "ball", impulse: (1, 0, 0))),
        (step: 4, action: SetGravity(0, -9, 0)),
    ],
)"#;

/// A run with everything that a replay can say twice: inputs of the scene and from a file, a fault, overrides.
fn replay() -> Replay {
    let mut scene = parse(SCENE).as_ref().clone();
    let overrides = ["solver.iterations=7", "gravity.1=-8.5", "materials.default.friction=0.25", "name=pushed"];
    for assignment in overrides {
        apply_override(&mut scene, assignment).unwrap_or_else(|error| panic!("{error}"));
    }
    let extra = parse_input_line("test", 1, r#"(step: 3, action: Impulse(body: "box", impulse: (0, 0, 1)))"#);
    recorded(&RunPlan {
        extra_inputs: vec![(extra.expect("an input"), InputOrigin::File)],
        faults: vec!["ulp@5,object=ball,field=position.x".parse().expect("a fault")],
        overrides: overrides.map(str::to_owned).to_vec(),
        scene_file: Some("pushed.ron".to_owned()),
        ..RunPlan::new(Arc::new(scene))
    })
}

fn verify(replay: &Replay) -> Verification {
    let bytes = rewrite_stream(replay, "test", Vec::new()).unwrap_or_else(|error| panic!("{error}"));
    verify_bytes(&bytes, 2, &mut |_, _| {})
}

/// The ball as the canonical text has it.
const BALL: &str = "Sphere(\n                radius: 0.5,\n            )";
/// A tetrahedron as no replay has it: it would be cut anew by whoever reads it.
const SOLID: &str = "Decomposed(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], \
    triangles: [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])";

/// One thing that is said otherwise, and what the damage must name.
type Change = (&'static str, fn(&mut Replay), &'static str);

const CHANGES: &[Change] = &[
    ("the name", |replay| replay.header.scene_name.push('!'), "states the name \"pushed!\""),
    ("dt", |replay| replay.header.dt = "1/61".to_owned(), "states dt \"1/61\""),
    ("dt, written otherwise", |replay| replay.header.dt = "2/120".to_owned(), "states dt \"2/120\""),
    ("nanoseconds", |replay| replay.header.dt_nanoseconds.0 += 1, "nanoseconds per step"),
    ("nanoseconds, not in lowest terms", |replay| replay.header.dt_nanoseconds.1 *= 2, "nanoseconds per step"),
    ("bodies", |replay| replay.header.bodies += 1, "the number of bodies 4, its scene has 3"),
    ("bytes per body", |replay| replay.header.bytes_per_body -= 1, "bytes per body"),
    ("bytes per point", |replay| replay.header.bytes_per_contact_point ^= 1, "bytes per contact point"),
    ("sections, other names", |replay| replay.header.sections[0].push('s'), "lists the sections"),
    ("sections, another order", |replay| replay.header.sections.swap(0, 1), "lists the sections"),
    ("no thread", |replay| replay.header.threads = 0, "states 0 threads"),
    ("threads", |replay| replay.header.threads = u32::MAX, "threads, expected 1 to 256"),
    ("an override", |replay| replay.header.overrides[0] = "solver.iterations=8".to_owned(), "was set"),
    ("an override of nothing", |replay| replay.header.overrides.push("bodies.bell.mass=1".to_owned()), "was set"),
    ("an override that sets nothing", |replay| replay.header.overrides.push("solver".to_owned()), "was set"),
    ("a shorter scalar", |replay| replay.header.scalar = ScalarKind::F32, "bytes per contact point"),
    ("an input of the scene", |replay| replay.inputs[0].text = replay.inputs[0].text.replace("(1,", "(2,"), "input 1"),
    ("an input less", |replay| drop(replay.inputs.remove(1)), "not among the recorded ones"),
    ("an input twice", |replay| replay.inputs.insert(1, replay.inputs[0].clone()), "input 2"),
    ("inputs in another order", |replay| replay.inputs.swap(0, 1), "input 1"),
    ("an input from elsewhere", |replay| replay.inputs[0].origin = InputOrigin::Stdin, "input 2"),
    ("an input of a file as one of the scene", |replay| replay.inputs[2].origin = InputOrigin::Scene, "input 3"),
    ("the step of an input", |replay| replay.inputs[2].step = 4, "recorded for step 4 and acts in step 3"),
    ("an input that is none", |replay| replay.inputs[2].text = "(step: 3)".to_owned(), "cannot be read"),
    ("the step of a fault", |replay| replay.perturbations[0].step = 6, "is recorded for step 6"),
    ("a fault that is none", |replay| replay.perturbations[0].fault = "gremlin@5".to_owned(), "cannot be read"),
    (
        "a fault that the scalar cannot have",
        |replay| replay.perturbations[0].fault = "nan@5,object=ball".to_owned(),
        "nan",
    ),
    ("a count", |replay| change_counts(replay, |count| count + 1), "its ending counts"),
    ("a count of what there is not", |replay| ending(replay).counters.extend([("wonders".to_owned(), 1)]), "wonders"),
    ("the scene's name", |replay| in_scene(replay, "\"pushed\"", "\"pulled\""), "states the name"),
    ("the scene's dt", |replay| in_scene(replay, "\"1/60\"", "\"1/59\""), "states dt"),
    ("the scene's keyframes", |replay| in_scene(replay, "keyframe_every: 3", "keyframe_every: 2"), "keyframe"),
    ("the scene's iterations", |replay| in_scene(replay, "iterations: 7", "iterations: 9"), "was set"),
    ("the scene's inputs", |replay| in_scene(replay, "step: 4", "step: 5"), "input 2"),
    ("a scene that is none", |replay| in_scene(replay, "bodies:", "bodys:"), "its scene cannot be read"),
    ("a solid that is not cut", |replay| in_scene(replay, BALL, SOLID), "a `Decomposed` solid"),
    ("a scene that may not be", |replay| in_scene(replay, "radius: 0.5", "radius: -0.5"), "its scene cannot be read"),
];

fn ending(replay: &mut Replay) -> &mut physim::replay::Ending {
    replay.ending.as_mut().expect("an ending")
}

fn change_counts(replay: &mut Replay, change: impl Fn(u64) -> u64) {
    let count = ending(replay).counters.values_mut().next().expect("a count");
    *count = change(*count);
}

fn in_scene(replay: &mut Replay, from: &str, to: &str) {
    assert!(replay.scene.contains(from), "{from} in {}", replay.scene);
    replay.scene = replay.scene.replacen(from, to, 1);
}

#[test]
fn what_a_run_records_contradicts_nothing() {
    let found = verify(&replay());
    assert_eq!((found.verdict, &found.damage), (Verdict::Same, &None), "{found:?}");
    assert_eq!(found.planted.len(), 1);
}

#[test]
fn records_that_contradict_each_other_are_damage_and_named() {
    let whole = replay();
    for (what, change, named) in CHANGES {
        let mut changed = whole.clone();
        change(&mut changed);
        let found = verify(&changed);
        let damage = found.damage.clone().unwrap_or_default();
        assert_eq!(found.verdict, Verdict::Damaged, "{what}: {found:?}");
        assert!(damage.contains(named), "{what}: {damage}");
        assert!(damage.ends_with("; record the run again"), "{what}: {damage}");
        assert!(found.repeats.is_none() && found.notes.is_empty(), "{what}: nothing is said of races: {found:?}");
    }
}

/// The root of a state is made of the digests of its sections: another digest beside the same root is a record that contradicts itself, in
/// whatever step it stands.
#[test]
fn a_digest_of_a_section_that_the_root_does_not_have_is_damage() {
    let whole = replay();
    assert_eq!(whole.keyframes.steps().collect::<Vec<u32>>(), [0, 3, 6]);
    for step in 0..whole.steps.len() {
        for section in 0..whole.header.sections.len() {
            let mut changed = whole.clone();
            changed.steps.change(|steps| steps[step].sections[section][7] ^= 1);
            let found = verify(&changed);
            let damage = found.damage.clone().unwrap_or_default();
            let expected =
                format!("in step {step} the recorded hash is that of the state, but the digest of its section ");
            assert_eq!(found.verdict, Verdict::Damaged, "{step}, {section}: {found:?}");
            assert!(damage.contains(&expected) && damage.contains(&whole.header.sections[section]), "{damage}");
            assert!(found.first.is_none() && found.notes.is_empty(), "{found:?}");
        }
    }
}

/// A build that makes wrong digests sees all replays so: it is to blame.
#[test]
fn where_no_step_has_the_recorded_digests_the_build_may_be_at_fault() {
    for is_short in [false, true] {
        let mut changed = replay();
        changed.steps.change(|steps| steps.iter_mut().for_each(|hash| hash.sections[1][0] ^= 1));
        if is_short {
            changed.steps.change(|steps| steps[2].root[0] ^= 1);
        }
        let found = verify(&changed);
        assert_eq!(
            (found.verdict, found.first.as_ref().map(|first| first.step)),
            (Verdict::Diverged, Some(0)),
            "{found:?}"
        );
    }
}

#[test]
fn every_command_calls_a_digest_of_a_section_that_the_root_does_not_have_damage() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap", "--keyframe-every", "8"]).exits(0);
    let whole = read_strict(&folder.path("a.mcap")).expect("a whole replay");
    for step in [8, 13] {
        let mut changed = whole.clone();
        changed.steps.change(|steps| steps[step].sections[1][0] ^= 1);
        rewrite(&changed, &folder.path("b.mcap")).expect("written anew");
        for arguments in [&["verify", "b.mcap"][..], &["diff", "a.mcap", "b.mcap"], &["diff", "b.mcap", "a.mcap"]] {
            let told = physim(&folder, arguments).exits(3).stdout();
            assert!(told.contains(&format!("in step {step} ")) && told.contains("section"), "{arguments:?}: {told}");
        }
        physim(&folder, &["verify", "--bisect-exit", "b.mcap"]).exits(125);
        // What reads states looks at the keyframes alone.
        for arguments in
            [&["show", "b.mcap"][..], &["bisect", "a.mcap", "b.mcap"], &["export", "b.mcap", "-o", "b.csv"]]
        {
            let ran = physim(&folder, arguments);
            assert!(step == 13 || ran.status == 3, "{arguments:?}: {ran:#?}");
        }
    }
}

#[test]
fn no_two_changes_hide_each_other() {
    let whole = replay();
    for (place, (first, change_first, _)) in CHANGES.iter().enumerate() {
        for (second, change_second, _) in &CHANGES[..place] {
            // The second change may find that what it is about has gone with the first.
            let changed = std::panic::catch_unwind(|| {
                let mut changed = whole.clone();
                change_second(&mut changed);
                change_first(&mut changed);
                changed
            });
            let Ok(changed) = changed else { continue };
            assert_eq!(verify(&changed).verdict, Verdict::Damaged, "{first} and {second}");
        }
    }
}

#[test]
fn another_step_or_body_of_a_stop_is_damage() {
    let stopped = recorded(&RunPlan::new(parse(ESCAPE)));
    assert_eq!(verify(&stopped).verdict, Verdict::Same);
    let changes: [fn(&mut u32, &mut Option<String>); 3] =
        [|step, _| *step += 1, |_, body| *body = None, |_, body| *body = Some("bell".to_owned())];
    for change in changes {
        let mut changed = stopped.clone();
        let Outcome::Stopped { step, body, .. } = &mut ending(&mut changed).outcome else { panic!("it stops") };
        change(step, body);
        assert_eq!(verify(&changed).verdict, Verdict::Damaged);
    }
}

#[test]
fn a_replay_of_another_semantics_version_is_not_judged() {
    let whole = replay();
    for (what, change, _) in CHANGES {
        let mut changed = whole.clone();
        change(&mut changed);
        changed.header.semantics += 1;
        assert_eq!(verify(&changed).verdict, Verdict::OtherSemantics, "{what}");
    }
}

#[test]
fn every_command_calls_it_damage_and_no_commit_is_blamed() {
    let folder = Folder::new();
    folder.write("drop.ron", DROP);
    physim(&folder, &["run", "drop.ron", "-o", "a.mcap"]).exits(0);
    for (name, from, to) in [("unread.mcap", "bodies:", "bodys:"), ("renamed.mcap", "\"drop\"", "\"dropped\"")] {
        let mut changed = read_strict(&folder.path("a.mcap")).expect("a whole replay");
        in_scene(&mut changed, from, to);
        rewrite(&changed, &folder.path(name)).expect("written anew");
        let told = physim(&folder, &["verify", name]).exits(3).stdout().replace('\\', "/");
        assert!(told.starts_with("damaged"), "{told}");
        assert!(!told.contains("thread") && !told.contains("repeat"), "{told}");
        assert!(!folder.path(&format!("{name}.new")).exists(), "nothing takes its place");
        physim(&folder, &["verify", "--bisect-exit", name]).exits(125);
        physim(&folder, &["diff", "a.mcap", name]).exits(3);
        physim(&folder, &["diff", "--bisect-exit", "a.mcap", name]).exits(125);
        physim(&folder, &["ladder", name]).exits(3);
        folder.write("golden.mcap", folder.read("a.mcap"));
        folder.write("golden.mcap.new", folder.read(name));
        let refused = physim(&folder, &["accept", "golden.mcap", "--reason", "because"]).exits(3);
        assert!(refused.stderr.contains("damaged"), "{}", refused.stderr);
    }
}
