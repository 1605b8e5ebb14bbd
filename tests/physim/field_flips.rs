//! Every field of the state, flipped: each changes the hash, and the table in `docs/determinism.md` says which shape the
//! future. The table is measured here and compared with the page, so that it cannot go stale.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use physim::math::{Fixed, Scalar};
use physim::scene::Scene;
use physim::session::Session;
use physim::state::visitor::FieldKind;
use physim::world::encode::table::{FieldValue, ObjectFields, ObjectName, change_field, field_table};
use physim::world::encode::{Section, State};
use physim::world::state_hash::StateHash;

use crate::common::{package, parse, session};

/// How many steps a flip is given to show.
const STEPS: u32 = 13;

/// All shapes, all kinds of bodies, contacts of all sorts, joints, bodies that come and go.
const LIVELY: &str = r#"(
    version: 1,
    name: "lively",
    steps: 90,
    gravity: (0.5, -9.81, 0.25),
    solver: Impulse(restitution_threshold: 0.1),
    materials: {
        "rubber": (restitution: 0.5, friction: 0.3, rolling_friction: 0.01, spinning_friction: 0.01),
        "ice": (friction: 0.01, restitution_combine: Max),
        "felt": (friction: 0.6, rolling_friction: 0.02, spinning_friction: 0.02),
    },
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "lift", kind: Kinematic, position: Origin(0, 0.1, 0), linear_velocity: (0, 0.1, 0),
            angular_velocity: (0, 0.1, 0), shape: Cuboid(half_extents: (1, 0.1, 1))),
        (name: "ball", position: Origin(0, 0.75, 0), shape: Sphere(radius: 0.5), material: "rubber",
            angular_velocity: (1, 2, 3), linear_velocity: (0.1, -1, 0.2)),
        (name: "pin", position: Origin(3, 0.35, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 80),
            shape: Capsule(half_height: 0.5, radius: 0.3), linear_damping: 0.1, angular_damping: 0.2,
            linear_velocity: (0, -1, 0.5), material: "felt"),
        (name: "pebble", position: Origin(3.1, 0.95, 0.1), shape: Sphere(radius: 0.2), linear_velocity: (0, -1, 0),
            material: "felt"),
        (name: "plank", position: Origin(3, 1.2, 3), orientation: AxisDegrees(axis: (1, 2, 3), degrees: 20),
            shape: Cuboid(half_extents: (0.8, 0.1, 0.3)), linear_velocity: (0, -2, 0)),
        (name: "brick", position: Origin(-9, 0.5, 9), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: "club", position: Origin(-3, 0.55, 0), orientation: AxisDegrees(axis: (1, 1, 0), degrees: 10),
            angular_velocity: (2, 1, 3), colliders: [
            (shape: Cuboid(half_extents: (0.5, 0.5, 0.5)), material: "ice"),
            (shape: Sphere(radius: 0.3), offset: (1, -0.2, 0), orientation: AxisDegrees(axis: (0, 1, 0), degrees: 30)),
            (shape: Capsule(half_height: 0.2, radius: 0.2), offset: (-1, 0, 0.1),
                orientation: AxisDegrees(axis: (1, 0, 0), degrees: 40)),
        ]),
        (name: "ramp", kind: Static, position: Origin(9, 0.5, 0), orientation: AxisDegrees(axis: (1, 0, 2), degrees: 20),
            shape: Cuboid(half_extents: (2, 0.5, 2)), filter: (group: -1)),
        (name: "sled", position: Origin(9, 1.35, 0), orientation: AxisDegrees(axis: (1, 0, 2), degrees: 20),
            shape: Cuboid(half_extents: (0.4, 0.3, 0.5)), linear_velocity: (0.3, -0.5, 0.2), material: "felt",
            filter: (group: -2)),
        (name: "balloon", position: Origin(20, 3, 0), shape: Cuboid(half_extents: (0.5, 0.4, 0.3)), linear_damping: 700,
            angular_damping: 2050, linear_velocity: (90, 80, 70), angular_velocity: (90, 80, 70)),
        (name: "top", position: Origin(-3, 5, 4), shape: Cuboid(half_extents: (0.5, 0.2, 0.1)),
            angular_velocity: (3, 7, 1)),
        (name: "bell", position: Origin(-9, 5, 0), shape: Sphere(radius: 0.3), linear_velocity: (1, 0, 2)),
        (name: "clapper", position: Origin(-9, 4.2, 0.1), shape: Capsule(half_height: 0.3, radius: 0.2),
            angular_velocity: (1, 2, 0)),
    ],
    joints: [
        (name: "yoke", kind: Spherical, a: "bell", anchor_b: (-9, 6, 0.1)),
        (name: "tongue", kind: Spherical, a: "clapper", b: "bell", anchor_a: (0, 0.4, 0), anchor_b: (0.1, -0.4, 0)),
    ],
    inputs: [
        (step: 15, through: 80, action: Impulse(body: "ball", impulse: (1, 0, 2), at: Local(0.1, 0.2, 0.3))),
        (step: 15, through: 45, action: Impulse(body: "top", impulse: (20, 15, 25), at: Local(0.01, 0.02, 0.03))),
        (step: 22, through: 80, action: Torque(body: "club", torque: (30, 50, 10))),
        (step: 25, action: Spawn(name: "late", position: Origin(0.1, 2, 0.1), shape: Sphere(radius: 0.2))),
        (step: 45, action: Remove("pebble")),
    ],
)"#;

/// The steps whose states are flipped.
const MOMENTS: [u32; 3] = [3, 18, 40];

/// A field by its place in the encoding: section, path with its indices taken out.
type Place = (Section, String);

/// What flipping a field did, in any scene, at any moment, on any scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Future {
    /// No state has the changed value: ids and tags that others depend on.
    #[default]
    Refused,
    /// The change stays by itself or goes.
    Alone,
    /// Other fields follow.
    Shaped,
}

/// A path without its indices: `points[].feature`.
fn normalised(path: &str) -> String {
    path.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// One unit more; or one less, where that is not a value.
fn flips<S: Scalar>(kind: FieldKind, bits: u64) -> [u64; 2] {
    [1_i64, -1].map(|by| match kind {
        FieldKind::Scalar(_) => S::from_ordered(S::from_bits(bits).to_ordered().wrapping_add(by)).to_bits(),
        FieldKind::U8 => u64::from((bits as u8).wrapping_add_signed(by as i8)),
        FieldKind::U32 | FieldKind::I32 => u64::from((bits as u32).wrapping_add_signed(by as i32)),
    })
}

/// The states with one field flipped, as far as they are states: ids must rise, tags must be known.
fn flipped<S: Scalar>(state: &State<S>, object: &ObjectName, path: &str, value: &FieldValue) -> Vec<State<S>> {
    let mut states = Vec::new();
    if let FieldValue::Number(kind, bits) = value {
        for wanted in flips::<S>(*kind, *bits) {
            let mut changed = state.clone();
            change_field(&mut changed, object, path, |_, _| wanted);
            let bytes = changed.encode().to_bytes();
            // What is read back has nothing left behind the points that count.
            let read = State::<S>::decode(&bytes).ok().filter(|read| read.encode().to_bytes() == bytes);
            states.extend(read.filter(|read| read != state));
        }
    } else if object.section == Section::Joints {
        let mut changed = state.clone();
        for joint in changed.joints.iter_mut().filter(|joint| *joint.name == *object.object) {
            joint.name = Arc::from(format!("{}'", object.object));
        }
        states.push(changed);
    } else if let Some(row) = state.bodies.iter().position(|row| *row.name == *object.object) {
        let mut changed = state.clone();
        changed.bodies[row].name = Arc::from(format!("{}'", object.object));
        states.push(changed);
    }
    states
}

/// The first field, beside the flipped one, in which two states differ. Objects are matched by their order, for a flip
/// may be that of a name.
fn other_difference(a: &[ObjectFields], b: &[ObjectFields], flipped: (&ObjectName, &str)) -> Option<String> {
    let shape = |table: &[ObjectFields]| table.iter().map(|object| object.fields.len()).collect::<Vec<_>>();
    if shape(a) != shape(b) {
        return Some("other objects".to_owned());
    }
    let fields = a.iter().zip(b).flat_map(|(a, b)| a.fields.iter().zip(&b.fields).map(|pair| (&a.name, pair)));
    let mut others = fields.filter(|(name, (a, _))| (*name, a.path.as_str()) != flipped);
    others.find(|(_, (a, b))| a != b).map(|(name, (a, _))| format!("{name} {}", a.path))
}

/// In what a run from the flipped state parts from the clean one, other than the flipped field itself.
fn consequence<S: Scalar>(
    session: &mut Session<S>,
    changed: State<S>,
    clean: &[Option<Vec<ObjectFields>>],
    at: (&ObjectName, &str),
) -> Option<String> {
    session.replace_state(changed);
    for expected in clean {
        match (session.advance(&mut ()).is_ok(), expected) {
            (true, Some(expected)) => {
                let other = other_difference(expected, &field_table(&session.world().state()), at);
                if other.is_some() {
                    return other;
                }
            }
            (false, None) => return None,
            (went_on, _) => return Some(if went_on { "it goes on" } else { "it stops" }.to_owned()),
        }
    }
    None
}

/// Flips every field of one state of a scene and takes down what it did, and where that was seen first.
fn measure<S: Scalar>(scene: &Arc<Scene>, moment: u32, table: &mut BTreeMap<Place, (Future, String)>) {
    let mut session = session::<S>(scene);
    for _ in 0..moment {
        session.advance(&mut ()).expect("the scene runs on");
    }
    let state = session.world().state();
    let truth = StateHash::of(&state.encode(), S::KIND).root;
    let clean: Vec<_> =
        (0..STEPS).map(|_| session.advance(&mut ()).is_ok().then(|| field_table(&session.world().state()))).collect();
    for object in field_table(&state) {
        for field in &object.fields {
            let (future, seen) = table.entry((object.name.section, normalised(&field.path))).or_default();
            for changed in flipped(&state, &object.name, &field.path, &field.value) {
                let hash = StateHash::of(&changed.encode(), S::KIND).root;
                assert_ne!(hash, truth, "{} {} changes the hash", object.name, field.path);
                if *future == Future::Shaped {
                    continue;
                }
                *future = Future::Alone;
                if let Some(other) = consequence(&mut session, changed, &clean, (&object.name, &field.path)) {
                    *future = Future::Shaped;
                    *seen = format!("{}, step {moment}, {} {} to {other}", S::KIND, object.name, field.path);
                }
            }
        }
    }
}

/// The table as it stands in the page: components of one vector that did the same on one line.
fn written(table: &BTreeMap<Place, (Future, String)>) -> String {
    const COMPONENTS: [&str; 10] = ["x", "y", "z", "w", "xx", "yy", "zz", "xy", "xz", "yz"];
    let mut rows: Vec<(Section, String, Future, BTreeSet<&str>)> = Vec::new();
    for ((section, path), (future, _)) in table {
        let (stem, component) = match path.rsplit_once('.') {
            Some((stem, last)) if COMPONENTS.contains(&last) => (stem, Some(last)),
            _ => (path.as_str(), None),
        };
        let found = rows.iter_mut().find(|(a, b, c, parts)| {
            (a, b.as_str(), c) == (section, stem, future) && component.is_some() && !parts.is_empty()
        });
        match found {
            Some((.., parts)) => parts.extend(component),
            None => rows.push((*section, stem.to_owned(), *future, component.into_iter().collect())),
        }
    }
    let mut text = "| section | field | affects later steps |\n|---|---|---|\n".to_owned();
    for (section, stem, future, parts) in rows {
        let parts: Vec<&str> = COMPONENTS.into_iter().filter(|part| parts.contains(part)).collect();
        let parts = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) };
        let future = match future {
            Future::Shaped => "yes",
            Future::Alone => "not alone",
            Future::Refused => "no such state",
        };
        text.push_str(&format!("| {} | `{stem}`{parts} | {future} |\n", section.name()));
    }
    text
}

#[test]
fn every_field_changes_the_hash_and_the_page_says_which_shape_the_future() {
    let mut table = BTreeMap::new();
    let lively = parse(LIVELY);
    let heavy =
        parse(&LIVELY.replace("name: \"lively\"", "name: \"heavy\", gravity_mode: Force, rotation: FirstOrder"));
    for moment in MOMENTS {
        measure::<Fixed>(&lively, moment, &mut table);
        measure::<f32>(&lively, moment, &mut table);
        measure::<f64>(&lively, moment, &mut table);
        measure::<Fixed>(&heavy, moment, &mut table);
        measure::<f32>(&heavy, moment, &mut table);
    }
    let expected = written(&table);
    let page = std::fs::read_to_string(package().join("docs/determinism.md")).expect("the page");
    let start = page.find("| section | field | affects later steps |").unwrap_or(page.len());
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    let seen: String =
        table.iter().map(|((section, path), (_, seen))| format!("{} {path}: {seen}\n", section.name())).collect();
    assert!(
        page[start..end] == expected,
        "docs/determinism.md has another table than what was measured:\n\n{expected}\nseen\n\n{seen}"
    );
}
