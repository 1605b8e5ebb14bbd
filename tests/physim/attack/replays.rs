//! Replays under good checksums in which one field, or two, say something else: "the same" is only what a run of the very scene,
//! inputs and faults in the file records.

use std::collections::BTreeMap;
use std::sync::Arc;

use physim::analysis::Verdict;
use physim::analysis::diff::{DiffOptions, diff_recovered};
use physim::analysis::verify::verify_bytes;
use physim::math::{ScalarKind, SplitMix64};
use physim::replay::topic::Topic;
use physim::replay::{InputOrigin, Recovered, read_recovering_bytes, read_strict_bytes};
use physim::scene::input::parse_input_line;
use physim::scene::overrides::apply_override;
use physim::session::consistency::examined;
use physim::session::record::RunPlan;

use crate::attack::changes::change;
use crate::attack::messages::{Message, seal, unseal};
use crate::attack::places::{Place, places};
use crate::attack::{attack, one_of, self_recording, tries};
use crate::common::{parse, recorded_bytes};
use crate::support::scenes::ESCAPE;

/// A scene that says as much as possible twice.
const FULL: &str = r#"(version: 1, name: "full", steps: 6, keyframe_every: 3, dt: "1/60",
    materials: { "rubber": (restitution: 0.5, density: "1000*(1+0.5x)") },
    shapes: { "brick": Cuboid(half_extents: (0.5, 0.25, 0.5)) },
    excluded_pairs: [("ball", "box")],
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "ball", position: Origin(0, 0.5, 0), shape: Sphere(radius: 0.5), material: "rubber"),
        (name: "box", position: Origin(4, 0.25, 0), shape: Named("brick")),
        (name: "tip", position: Origin(8, 1, 0), shape: Hull(points: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])),
    ],
    groups: [(name: "pile", layout: Stack(origin: (-4, 0.5, 0), count: 2, spacing: (0, 1, 0)), body: (shape: Sphere(radius: 0.5)))],
    joints: [(name: "tie", kind: Spherical, a: "box", b: "tip", at: (6, 0.5, 0))],
    inputs: [
        (step: 2, action: Impulse(body: "ball", impulse: (1, 0, 0))),
        (step: 3, action: Remove("pile[1]")),
        (step: 4, action: Spawn(name: "late", position: Origin(0, 4, 0), shape: Sphere(radius: 0.5))),
        (step: 4, action: SetGravity(0, -9, 0)),
    ],
)"#;

/// The replays that are changed, by number.
fn replay(number: u64) -> Vec<u8> {
    // What a formula comes to takes long, unoptimised.
    let full = if number == 0 { FULL.to_owned() } else { FULL.replace("\"1000*(1+0.5x)\"", "917") };
    let scalar = [ScalarKind::Fixed, ScalarKind::F32, ScalarKind::F64][number as usize % 3];
    if number == 3 {
        return recorded_bytes(&RunPlan::new(parse(ESCAPE)));
    }
    let mut scene = parse(&full).as_ref().clone();
    let overrides = ["solver.iterations=7", "gravity.1=-8.5", "name=full"];
    for assignment in overrides {
        apply_override(&mut scene, assignment).unwrap_or_else(|error| panic!("{error}"));
    }
    let extra = |step: u32| {
        let text = format!("(step: {step}, action: Impulse(body: \"box\", impulse: (0, 0, 1)))");
        (parse_input_line("test", 1, &text).expect("an input"), InputOrigin::File)
    };
    recorded_bytes(&RunPlan {
        scalar,
        extra_inputs: vec![extra(3), extra(5)],
        faults: vec!["ulp@5,object=ball,field=position.x".parse().expect("a fault")],
        overrides: overrides.map(str::to_owned).to_vec(),
        scene_file: Some("full.ron".to_owned()),
        ..RunPlan::new(Arc::new(scene))
    })
}

/// A replay and its fields.
struct Whole {
    bytes: Vec<u8>,
    messages: Vec<Message>,
    places: Vec<Place>,
    recovered: Recovered,
}

impl Whole {
    fn new(number: u64) -> Self {
        let bytes = replay(number);
        let messages = unseal(&bytes);
        let recovered = read_recovering_bytes(&bytes).expect("a replay");
        Self { places: places(&messages), messages, bytes, recovered }
    }

    /// Its fields by kind, such as all steps of inputs.
    fn by_kind(&self) -> Vec<Vec<Place>> {
        let mut kinds = BTreeMap::<&str, Vec<Place>>::new();
        for place in &self.places {
            kinds.entry(&place.kind).or_default().push(place.clone());
        }
        kinds.into_values().collect()
    }

    /// Changes these fields, from behind, so that those before stay where they are; judges what comes of it.
    fn try_changed(&self, random: &mut SplitMix64, places: &[&Place]) -> &'static str {
        let mut messages = self.messages.clone();
        let mut in_order = places.to_vec();
        in_order.sort_by_key(|place| std::cmp::Reverse((place.message, format!("{:08?}", place.part))));
        for place in &in_order {
            change(random, &mut messages, place);
        }
        if messages == self.messages {
            return "nothing changed";
        }
        let bytes = seal(&self.bytes, &messages);
        let verdict = judge(&bytes, &format!("{in_order:?}"));
        if verdict == "same" {
            let is_told = |message: &Message| message.late == 0 && !message.repeats_a_key();
            assert!(messages.iter().all(is_told), "other times or keys told twice are called the same: {in_order:?}");
            return verdict;
        }
        // What does not verify is not called the same beside the replay that it was made from, either.
        if random.below(8) == 0
            && let Ok(changed) = read_recovering_bytes(&bytes)
        {
            let changed = examined(changed);
            let is_damaged = changed.damage.is_some();
            let diff = diff_recovered(&self.recovered, &changed, DiffOptions::default());
            let is_other = changed.replay.steps != self.recovered.replay.steps || is_damaged;
            assert!(diff.verdict != Verdict::Same || !is_other, "diff calls it the same: {in_order:?}");
        }
        verdict
    }
}

/// The verdict on a replay; one that is called the same must be what it says it is, and what is wrong is no race.
fn judge(bytes: &[u8], what: &str) -> &'static str {
    let found = verify_bytes(bytes, 2, &mut |_, _| {});
    match found.verdict {
        Verdict::Same => {
            let replay = read_strict_bytes(bytes).unwrap_or_else(|error| panic!("{what}: same, but {error}"));
            let difference = self_recording::difference(&replay);
            assert_eq!(difference, None, "{what} is called the same: {:?}", replay.header);
            "same"
        }
        Verdict::Damaged => {
            assert!(found.damage.is_some(), "{what}: damaged, and nothing is said of it");
            "damaged"
        }
        Verdict::Diverged => {
            assert_ne!(found.repeats, Some(false), "{what} is called a race: {found:?}");
            assert!(found.first.is_some() || !found.notes.is_empty(), "{what}: diverged, and nothing is said of it");
            "diverged"
        }
        _ => "of another version",
    }
}

#[test]
fn what_is_sealed_again_is_the_replay_byte_by_byte() {
    for number in 0..4 {
        let bytes = replay(number);
        let again = seal(&bytes, &unseal(&bytes));
        assert!(again == bytes, "replay {number}");
        assert_eq!(judge(&again, "nothing"), "same");
    }
}

#[test]
fn any_field_of_a_replay_changed() {
    for number in 0..4 {
        let whole = Whole::new(number);
        let kinds = whole.by_kind();
        let mut next = 0;
        // Each kind once at least, in an order of its own.
        attack(&format!("replay {number}, one field of {} kinds", kinds.len()), tries(kinds.len() as u64), |random| {
            let kind = &kinds[next % kinds.len()];
            next += 1;
            let place = one_of(random, kind);
            whole.try_changed(random, &[place])
        });
    }
}

#[test]
fn any_two_fields_of_a_replay_changed() {
    for number in 0..4 {
        let whole = Whole::new(number);
        let kinds = whole.by_kind();
        let pairs: Vec<(usize, usize)> = (0..kinds.len()).flat_map(|a| (0..=a).map(move |b| (a, b))).collect();
        // A stride that meets every pair before it meets one again.
        let (mut next, stride) = (0, coprime_stride(pairs.len()));
        attack(&format!("replay {number}, two fields of {} pairs of kinds", pairs.len()), tries(150), |random| {
            let (a, b) = pairs[next % pairs.len()];
            next += stride;
            let both = [one_of(random, &kinds[a]), one_of(random, &kinds[b])];
            whole.try_changed(random, &both)
        });
    }
}

/// A number of about 0.618 of `count` without a common divisor with it.
fn coprime_stride(count: usize) -> usize {
    const fn divisor(a: usize, b: usize) -> usize {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    (count * 618 / 1000 + 1..).find(|stride| divisor(*stride, count) == 1).expect("a prime is among them")
}

#[test]
fn lies_that_agree_with_each_other() {
    let whole = Whole::new(0);
    attack("one text told alike in all records", tries(120), |random| {
        let texts = ["full", "1/60", "ball", "box", "3", "6", "rubber", "0.5", "7", "-8.5", "late", "Impulse"];
        let from = *one_of(random, &texts);
        let to = crate::attack::changes::changed_token(random, from);
        let told = |text: &str| text.replace(from, &to);
        let mut messages = whole.messages.clone();
        for message in &mut messages {
            use crate::attack::messages::Content;
            match &mut message.content {
                Content::Text(text) => *text = told(text),
                Content::Json(value) if message.topic != Topic::End => {
                    let text = told(&value.to_string());
                    *value = serde_json::from_str(&text).unwrap_or_else(|_| value.clone());
                }
                _ => {}
            }
        }
        judge(&seal(&whole.bytes, &messages), &format!("{from:?} as {to:?}"))
    });
}
