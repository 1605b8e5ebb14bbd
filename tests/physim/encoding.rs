//! The encoding holds all state and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use physim::math::Scalar;
use physim::scene::Scene;
use physim::session::Session;
use physim::state::visitor::FieldKind;
use physim::world::encode::table::{Field, FieldValue, change_field, field_table};
use physim::world::encode::{Encoded, Section, State};
use physim::world::schedule::Schedule;
use physim::world::state_hash::StateHash;

use crate::common::{package, parse, session};
use crate::on_every_scalar;
#[cfg(unix)]
use crate::support::folder::Folder;

/// A scene in which every kind of object and field is there: all shapes, all kinds of bodies, contacts, joints, spawned bodies.
const EVERYTHING: &str = r#"(
    version: 1,
    name: "everything",
    steps: 40,
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "lift", kind: Kinematic, position: Origin(0, 0.1, 0), linear_velocity: (0, 0.1, 0),
            shape: Cuboid(half_extents: (1, 0.1, 1))),
        (name: "ball", position: Origin(0, 0.69, 0), shape: Sphere(radius: 0.5), angular_velocity: (1, 2, 3)),
        (name: "pin", position: Origin(3, 0.29, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90),
            shape: Capsule(half_height: 0.5, radius: 0.3), linear_damping: 0.1, angular_damping: 0.2),
        (name: "club", position: Origin(-3, 0.49, 0), colliders: [
            (shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            (shape: Sphere(radius: 0.3), offset: (1, -0.2, 0)),
        ]),
    ],
    joints: [
        (name: "socket", kind: Spherical, a: "club", b: "pin", at: (0, 1, 0), collide: true),
        (name: "tether", kind: Spherical, a: "ball", anchor_a: (0, 0.5, 0)),
    ],
    inputs: [(step: 5, action: Spawn(name: "late", position: Origin(0, 3, 3), shape: Sphere(radius: 0.2)))],
)"#;

/// A session in the middle of contacts.
fn in_contact<S: Scalar>() -> Session<S> {
    let mut session = session::<S>(&parse(EVERYTHING));
    for _ in 0..20 {
        session.advance(&mut ()).expect("the scene runs on");
    }
    let contacts = session.world().contacts().len();
    assert!(contacts >= 4, "the scene is full of contacts: {contacts}");
    session
}

/// A keyframe is hashed without a state being made of it: cut into its sections, be it beside the one before.
#[test]
fn bytes_are_cut_into_what_was_encoded_and_hash_as_that() {
    fn holds<S: Scalar>() {
        let mut session = session::<S>(&parse(EVERYTHING));
        let mut before = Encoded::default();
        for step in 0..30 {
            let bytes = session.encoded().to_bytes();
            for known in [&Encoded::default(), &before] {
                let cut = Encoded::cut::<S>(&bytes, known).expect("a state");
                assert_eq!(cut, *session.encoded(), "step {step}");
                assert_eq!(StateHash::of(&cut, S::KIND), *session.hash(), "step {step}");
            }
            before = Encoded::cut::<S>(&bytes, &before).expect("a state");
            session.advance(&mut ()).expect("the scene runs on");
        }
        let (bytes, hash) = (session.encoded().to_bytes(), *session.hash());
        for length in (0..bytes.len()).chain([bytes.len() + 1]) {
            let mut other = bytes.clone();
            other.resize(length, 0);
            assert!(Encoded::cut::<S>(&other, &before).is_err(), "{length} bytes of {}", bytes.len());
        }
        for place in 0..bytes.len() {
            let mut other = bytes.clone();
            other[place] ^= 1 << (place % 8);
            if let Ok(cut) = Encoded::cut::<S>(&other, &before) {
                assert_eq!(cut.to_bytes(), other, "byte {place}");
                assert_ne!(StateHash::of(&cut, S::KIND).root, hash.root, "byte {place}");
            }
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn every_field_changes_the_hash() {
    fn holds<S: Scalar>() {
        let session = in_contact::<S>();
        let state = State::<S>::decode(&session.encoded().to_bytes()).expect("a state");
        let truth = StateHash::of(&state.encode(), S::KIND);
        assert_eq!(truth.root, session.hash().root, "rows and live state encode alike");
        let mut hashes = BTreeSet::from([truth.root]);
        let mut fields = 0;
        for object in field_table(&state) {
            for field in object.fields {
                let mut changed = state.clone();
                let FieldValue::Number(_, old) = field.value else { continue };
                // Tags and counts shape what follows them, so that they cannot be changed alone.
                if field.path.ends_with("kind") || field.path == "count" {
                    continue;
                }
                let before = change_field(&mut changed, &object.name, &field.path, |_, bits| bits ^ 1);
                assert_eq!(before, Some(old), "{} {} is found by its path", object.name, field.path);
                let hash = StateHash::of(&changed.encode(), S::KIND);
                assert!(
                    hashes.insert(hash.root),
                    "{} {} changes the hash in a way of its own",
                    object.name,
                    field.path
                );
                fields += 1;
            }
        }
        assert!(fields > 300, "the table lists the fields: {fields}");
    }
    on_every_scalar!(holds);
}

#[test]
fn changing_live_state_changes_the_live_hash() {
    fn holds<S: Scalar>() {
        let mut session = in_contact::<S>();
        let state = session.world().state();
        let truth = session.world().hash();
        for object in field_table(&state) {
            for field in object.fields.iter().filter(|field| matches!(field.value, FieldValue::Number(..))) {
                if field.path.ends_with("kind") || field.path == "count" {
                    continue;
                }
                let mut changed = state.clone();
                change_field(&mut changed, &object.name, &field.path, |_, bits| bits ^ 1);
                if changed.check_order().is_err() || field.path == "key.body" {
                    continue; // no world has such ids
                }
                session.replace_state(changed);
                assert_ne!(session.world().hash().root, truth.root, "{} {}", object.name, field.path);
            }
        }
        session.replace_state(state);
        assert_eq!(session.world().hash(), truth, "put back, the hash is the old one");
    }
    on_every_scalar!(holds);
}

#[test]
fn what_is_not_encoded_may_be_scrambled_at_every_step() {
    fn holds<S: Scalar>() {
        let scene = parse(EVERYTHING);
        let (mut clean, mut scrambled) = (session::<S>(&scene), session::<S>(&scene));
        for step in 0..scene.steps {
            scrambled.scramble_derived(u64::from(step));
            assert_eq!(scrambled.world().hash(), *clean.hash(), "nothing scrambled is encoded");
            clean.advance(&mut ()).expect("the scene runs on");
            scrambled.advance(&mut ()).expect("the scene runs on");
            assert_eq!(scrambled.hash().root, clean.hash().root, "after step {}", step + 1);
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn a_state_read_back_is_the_same_state() {
    fn holds<S: Scalar>() {
        let session = in_contact::<S>();
        let state = State::<S>::decode(&session.encoded().to_bytes()).expect("a state");
        assert!(state == session.world().state());
        assert_eq!(state.encode(), *session.encoded());
        let bytes = &session.encoded().to_bytes();
        for length in 0..bytes.len() {
            assert!(State::<S>::decode(&bytes[..length]).is_err(), "cut to {length} bytes");
        }
    }
    on_every_scalar!(holds);
}

#[test]
fn what_is_kept_of_constant_columns_is_what_is_there_at_every_step() {
    fn holds<S: Scalar>(threads: u32) {
        let scene = EVERYTHING.replace(
            "shape: Sphere(radius: 0.2)))],",
            "shape: Sphere(radius: 0.2))),
                (step: 3, action: Spawn(name: \"early\", position: Origin(0, 5, 3), shape: Sphere(radius: 0.2))),
                (step: 4, action: Remove(\"pin\")),
                (step: 9, action: Remove(\"late\")),
                (step: 9, action: Remove(\"early\")),
                (step: 12, action: Spawn(name: \"later\", position: Origin(0, 4, 3), shape: Sphere(radius: 0.3))),
            ],",
        );
        let scene = parse(&scene);
        let mut session = Session::<S>::new(&scene, Schedule::new(scene.inputs.clone()), Vec::new(), threads)
            .expect("the scene makes a world");
        let mut constants = BTreeSet::new();
        for step in 0..=scene.steps {
            let state = State::<S>::decode(&session.encoded().to_bytes()).expect("a state");
            assert_eq!(state.encode(), *session.encoded(), "step {step}");
            assert_eq!(StateHash::of(&state.encode(), S::KIND), *session.hash(), "step {step}");
            assert!(state == session.world().state(), "step {step}");
            constants.insert(*session.encoded().constants(Section::Bodies).expect("a part").digest());
            session.advance(&mut ()).expect("the scene runs on");
        }
        assert_eq!(constants.len(), 6, "other bodies after each of five steps, and the same between them");
    }
    for threads in [1, 2] {
        holds::<physim::math::Fixed>(threads);
        holds::<f32>(threads);
        holds::<f64>(threads);
    }
}

#[test]
fn no_struct_is_taken_apart_in_part() {
    // A `..` or `_` in a pattern would let a new field through without being encoded or named as derived.
    // Tables and records need no such care: whatever a declaration lists is visited.
    let files = ["src/state/field.rs", "src/dynamics/fields.rs", "src/world/encode/fields.rs", "src/world/snapshot.rs"];
    for file in files {
        let text = std::fs::read_to_string(package().join(file)).expect("the file is there");
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.split("//").next().unwrap_or("");
            let spaced: String = code.split_whitespace().collect::<Vec<_>>().join(" ");
            let skips = ["{ .. }", ", .. }", ", ..}", "{..}", "(_)", "(_, ", ", _)", ": _ }", ": _,", "_ =>", "(..)"];
            let in_part = spaced == ".." || skips.iter().any(|skip| spaced.contains(skip));
            assert!(!in_part, "{file}:{number} takes something apart in part: {line}");
        }
    }
}

#[test]
fn scalars_and_sections_keep_their_hashes_apart() {
    let scene: Arc<Scene> = parse(EVERYTHING);
    let fixed = *session::<physim::math::Fixed>(&scene).hash();
    let double = *session::<f64>(&scene).hash();
    assert_ne!(fixed.root, double.root);
    let state = session::<f64>(&scene).world().state();
    let mut other = state.clone();
    other.globals.step += 1;
    let (before, after) = (StateHash::of(&state.encode(), f64::KIND), StateHash::of(&other.encode(), f64::KIND));
    assert_ne!(before.sections[0], after.sections[0], "the section of the change tells");
    assert_eq!(before.sections[1..], after.sections[1..], "the others do not");
}

/// The rows of the table below a heading of `docs/replay-format.md`: field and type.
fn documented(section: Section) -> Vec<(String, String)> {
    let page = std::fs::read_to_string(package().join("docs/replay-format.md")).expect("the page");
    let heading = format!("### Section `{}`", section.name());
    let below = page.split_once(&heading).unwrap_or_else(|| panic!("{heading} is missing")).1;
    let rows = below.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = rows.skip(2).map(|row| row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()));
    cells.map(|mut row| (row.nth(1).expect("a field"), row.next().expect("a type"))).collect()
}

/// The shapes that `EVERYTHING` lacks, those whose fields vary in number among them, and a contact with a triangle.
const OTHER_SHAPES: &str = "(version: 1, name: \"other_shapes\", bodies: [
    (name: \"ground\", kind: Static, shape: Mesh(points: [(0, 0, 0), (0, 0, 1), (1, 0, 0), (1, 0, 1)], triangles: [(0, 1, 2), (2, 1, 3)])),
    (name: \"can\", position: Origin(0.5, 0.499, 0.5), shape: Cylinder(half_height: 0.5, radius: 0.1)),
    (name: \"hat\", position: Origin(5, 0, 0), shape: Cone(half_height: 0.5, radius: 0.1)),
    (name: \"die\", position: Origin(0, 5, 0), shape: Hull(points: [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]))])";

/// The fields of an object as the page lists them: what belongs to one vector, quaternion or matrix is one field.
fn as_documented(fields: &[Field]) -> Vec<(String, String)> {
    const GROUPS: [(&str, &[&str]); 3] =
        [("vec3", &["x", "y", "z"]), ("quat", &["w", "x", "y", "z"]), ("sym3", &["xx", "yy", "zz", "xy", "xz", "yz"])];
    let paths: Vec<String> = fields.iter().map(|field| field.path.clone()).collect();
    let mut listed = Vec::new();
    let mut at = 0;
    while at < fields.len() {
        let (group, part) = paths[at].rsplit_once('.').unwrap_or(("", paths[at].as_str()));
        let parts_of = |names: &[&str]| names.iter().map(|name| format!("{group}.{name}")).collect::<Vec<_>>();
        let found = GROUPS.into_iter().find(|(_, names)| names[0] == part && paths[at..].starts_with(&parts_of(names)));
        let (path, kind, taken) = match (found, &fields[at].value) {
            (Some((_, names)), FieldValue::Number(FieldKind::I32, _)) => (group, "ivec3", names.len()),
            (Some((kind, names)), _) => (group, kind, names.len()),
            (None, FieldValue::Text(_)) => (paths[at].as_str(), "text", 1),
            (None, FieldValue::Number(FieldKind::U8, _)) => (paths[at].as_str(), "u8", 1),
            (None, FieldValue::Number(FieldKind::U32, _)) => (paths[at].as_str(), "u32", 1),
            (None, FieldValue::Number(FieldKind::I32, _)) => (paths[at].as_str(), "i32", 1),
            (None, FieldValue::Number(FieldKind::Scalar(_), _)) => (paths[at].as_str(), "scalar", 1),
        };
        let path = (0..4).fold(path.to_owned(), |path, index| path.replace(&format!("[{index}]"), "[i]"));
        listed.push((path, kind.to_owned()));
        at += taken;
    }
    listed
}

#[test]
fn the_layout_on_the_page_is_that_of_the_encoding() {
    let state = State::<f64>::decode(&in_contact::<f64>().encoded().to_bytes()).expect("a state");
    let mut objects = field_table(&state);
    objects.extend(field_table(&session::<f64>(&parse(OTHER_SHAPES)).world().state()));
    for section in Section::ALL {
        let rows = documented(section);
        let mut used = vec![false; rows.len()];
        for object in objects.iter().filter(|object| object.name.section == section) {
            let mut row = 0;
            for field in as_documented(&object.fields) {
                let rest = &rows[row..];
                // Points come once for each point: the page has them once.
                let place = rest.iter().position(|row| *row == field).map(|place| row + place).or_else(|| {
                    let again = rows.iter().position(|row| *row == field);
                    again.filter(|_| field.0.contains("[i]"))
                });
                let place =
                    place.unwrap_or_else(|| panic!("{} has {field:?} where the page has {rest:?}", object.name));
                used[place] = true;
                row = place + 1;
            }
        }
        for (row, used) in rows.iter().zip(used) {
            assert!(used, "the page has {row:?} in {section:?}, which no object has");
        }
    }
}

/// Reads the states whose files it is given with the example, and prints the last field of each body and the piece of each contact.
#[cfg(unix)]
const READ_STATES: &str = "import sys
from read_replay import State
scalar, *files = sys.argv[1:]
for file in files:
    state = State(open(file, 'rb').read(), scalar).read()
    print(*[repr(body['angular_velocity'][2]) for body in state['bodies']])
    print(*[contact['piece'] for contact in state['contacts']])";

#[cfg(unix)]
#[test]
#[expect(clippy::print_stderr, reason = "what is not tried has to be said")]
fn the_python_example_reads_every_state() {
    fn holds<S: Scalar>() {
        let mut other = session::<S>(&parse(OTHER_SHAPES));
        other.advance(&mut ()).expect("the scene runs on");
        let states = [in_contact::<S>().world().state(), other.world().state()];
        let folder = Folder::new();
        for (name, state) in ["everything", "other"].iter().zip(&states) {
            folder.write(name, state.encode().to_bytes());
        }
        let read = std::process::Command::new("python3")
            .args(["-c", READ_STATES, S::KIND.name(), "everything", "other"])
            .current_dir(folder.root())
            .env("PYTHONPATH", package().join("examples/read-replay"))
            .output()
            .expect("python3");
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        // Its own check is that no byte is left over.
        let text = String::from_utf8(read.stdout).expect("a text");
        let lines: Vec<Vec<f64>> = text
            .lines()
            .map(|line| line.split(' ').map(|number| number.parse().expect("a number")).collect())
            .collect();
        let expected = states.iter().flat_map(|state| {
            let velocities = state.bodies.iter().map(|body| body.angular_velocity.z.to_f64()).collect();
            [velocities, state.contacts.iter().map(|contact| f64::from(contact.piece)).collect::<Vec<_>>()]
        });
        assert_eq!(lines, expected.collect::<Vec<_>>(), "what {} holds", S::KIND.name());
        assert!(states[1].contacts.iter().any(|contact| contact.piece > 0), "one contact is with a triangle");
    }
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("examples/read-replay is not tried: there is no python3 here");
        return;
    }
    holds::<physim::math::Fixed>();
    holds::<f32>();
    holds::<f64>();
}
