//! States that someone made up: refused by the name of the field where no state can have it, and never a panic.

use physim::math::Scalar;
use physim::session::Session;
use physim::state::visitor::FieldKind;
use physim::world::encode::table::{Field, FieldValue, ObjectFields, ObjectName, field_table};
use physim::world::encode::{Encoded, Section, State};

use crate::common::{parse, place_of, session};
use crate::on_every_scalar;

/// All shapes and kinds of bodies in contact, and inputs of every kind in the steps after [`MOMENT`].
const SCENE: &str = r#"(
    version: 1,
    name: "hostile",
    steps: 40,
    solver: Impulse(restitution_threshold: 0.1),
    materials: { "rubber": (restitution: 0.5, restitution_combine: Max, rolling_friction: 0.01, spinning_friction: 0.01) },
    bodies: [
        (name: "floor", kind: Static, shape: HalfSpace(normal: (0, 1, 0))),
        (name: "lift", kind: Kinematic, position: Origin(0, 0.1, 0), linear_velocity: (0, 0.1, 0),
            shape: Cuboid(half_extents: (1, 0.1, 1))),
        (name: "ball", position: Origin(0, 0.69, 0), shape: Sphere(radius: 0.5), angular_velocity: (1, 2, 3),
            material: "rubber"),
        (name: "pin", position: Origin(3, 0.29, 0), orientation: AxisDegrees(axis: (0, 0, 1), degrees: 90),
            shape: Capsule(half_height: 0.5, radius: 0.3), linear_damping: 0.1, angular_damping: 0.2),
        (name: "brick", position: Origin(6, 0.5, 0), shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
        (name: "club", position: Origin(-3, 0.49, 0), colliders: [
            (shape: Cuboid(half_extents: (0.5, 0.5, 0.5))),
            (shape: Sphere(radius: 0.3), offset: (1, -0.2, 0)),
        ]),
    ],
    inputs: [
        (step: 12, through: 40, action: Force(body: "club", force: (1, 2, 3), at: Local(0.1, 0.2, 0.3))),
        (step: 12, through: 13, action: Torque(body: "pin", torque: (1, 2, 3))),
        (step: 12, action: Impulse(body: "pin", impulse: (1, 0, 2), at: World(0.1, 0.2, 0.3))),
        (step: 12, action: AngularImpulse(body: "club", impulse: (1, 0, 2))),
        (step: 13, action: Spawn(name: "late", position: Origin(0, 1.7, 0), shape: Sphere(radius: 0.5))),
        (step: 13, action: SetVelocity(body: "lift", linear: (0, 1, 0))),
        (step: 14, action: Remove("pin")),
        (step: 14, action: SetGravity(0, -1, 0)),
    ],
)"#;

/// The step whose state is changed.
const MOMENT: u32 = 11;

fn in_contact<S: Scalar>() -> Session<S> {
    let mut session = session::<S>(&parse(SCENE));
    for _ in 0..MOMENT {
        session.advance(&mut ()).expect("the scene runs on");
    }
    let contacts = session.world().contacts().len();
    assert!(contacts >= 5, "the scene is full of contacts: {contacts}");
    let keeps_manifold = session.world().contacts().iter().any(|contact| contact.found_at.is_some());
    assert!(keeps_manifold, "what rests keeps its manifold");
    session
}

/// Where a section begins in all bytes of a state.
fn start_of(encoded: &Encoded, section: Section) -> usize {
    Section::ALL.into_iter().take_while(|before| *before != section).map(|before| encoded.length_of(before)).sum()
}

/// The fields of a section in the order of the encoding: of a table first the constant ones of all objects, then the others.
fn in_order(objects: &[ObjectFields], section: Section) -> Vec<(&ObjectName, &Field)> {
    let first_moving = match section {
        Section::Bodies => "position.x",
        Section::Colliders => "fat_box.kind",
        _ => "",
    };
    let (mut constant, mut moving) = (Vec::new(), Vec::new());
    for ObjectFields { name, fields } in objects.iter().filter(|object| object.name.section == section) {
        let split = fields.iter().position(|field| field.path == first_moving).unwrap_or(0);
        constant.extend(fields[..split].iter().map(|field| (name, field)));
        moving.extend(fields[split..].iter().map(|field| (name, field)));
    }
    constant.append(&mut moving);
    constant
}

/// A number of a state, and where it stands in the bytes.
struct Place {
    object: ObjectName,
    path: String,
    kind: FieldKind,
    bits: u64,
    at: usize,
}

impl Place {
    /// The bytes of its state with other bits in this place, whether or not a state can have them.
    fn with_bits(&self, bytes: &[u8], bits: u64) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let width = self.kind.width();
        bytes[self.at..self.at + width].copy_from_slice(&bits.to_le_bytes()[..width]);
        bytes
    }
}

/// All numbers of a state.
fn places<S: Scalar>(state: &State<S>) -> Vec<Place> {
    let (encoded, objects, mut places) = (state.encode(), field_table(state), Vec::new());
    for section in Section::ALL {
        // A section but the first begins with the number of its objects.
        let mut at = start_of(&encoded, section) + if section == Section::World { 0 } else { 4 };
        for (object, field) in in_order(&objects, section) {
            at += match &field.value {
                FieldValue::Number(kind, bits) => {
                    let (object, path) = (object.clone(), field.path.clone());
                    places.push(Place { object, path, kind: *kind, bits: *bits, at });
                    kind.width()
                }
                FieldValue::Text(text) => 4 + text.len(),
            };
        }
    }
    places
}

/// The bytes of a state in which one number has other bits, whether or not a state can have them.
fn with_bits<S: Scalar>(state: &State<S>, object: &ObjectName, path: &str, bits: u64) -> Vec<u8> {
    let places = places(state);
    let place = places.iter().find(|place| place.object == *object && place.path == path);
    place.unwrap_or_else(|| panic!("{object} {path} is there")).with_bits(&state.encode().to_bytes(), bits)
}

fn object(section: Section, name: &str) -> ObjectName {
    ObjectName { section, object: name.to_owned() }
}

/// Why bytes are refused.
fn refusal<S: Scalar>(bytes: &[u8]) -> String {
    match State::<S>::decode(bytes) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_field_that_no_state_can_have_is_refused_by_its_name() {
    fn holds<S: Scalar>() {
        let state = in_contact::<S>().world().state();
        let ball = object(Section::Bodies, "ball");
        let club = object(Section::Colliders, "club#1");
        let world = object(Section::World, "world");
        let number = |name: &str| state.bodies.iter().position(|body| *body.name == *name).expect("a body");
        let ball_number = number("ball");
        for exponent in [i32::MAX, i32::MIN, i32::MIN / 2, 1 << 15] {
            for path in ["inertia.length_exponent", "inverse_mass.exponent"] {
                let told = refusal::<S>(&with_bits(&state, &ball, path, u64::from(exponent as u32)));
                let expected =
                    format!("an impossible exponent: bodies[{ball_number}].{path} is {exponent}, before byte");
                assert!(told.contains(&expected), "{told}");
            }
        }
        let kind = refusal::<S>(&with_bits(&state, &ball, "kind", 7));
        assert!(kind.contains(&format!("an impossible body kind: bodies[{ball_number}].kind is 7")), "{kind}");
        for path in ["friction_combine", "restitution_combine"] {
            let rule = refusal::<S>(&with_bits(&state, &club, path, 5));
            assert!(rule.contains("an impossible combine rule: colliders["), "{rule}");
            assert!(rule.contains(&format!("].{path} is 5, before byte")), "{rule}");
        }
        let step = refusal::<S>(&with_bits(&state, &world, "step", u64::from(u32::MAX)));
        assert!(step.contains("an impossible step: world.step is 4294967295"), "{step}");
        let last = object(Section::Bodies, &state.bodies.last().expect("a body").name);
        let id = refusal::<S>(&with_bits(&state, &last, "id", 0));
        assert!(id.contains("holds bodies out of order: bodies[") && id.contains("].id is not above"), "{id}");
        let key = refusal::<S>(&with_bits(&state, &club, "key.part", 0));
        assert!(key.contains("holds colliders out of order: colliders["), "{key}");
    }
    on_every_scalar!(holds);
}

#[test]
fn bytes_that_break_off_or_hold_no_tag_name_the_field() {
    fn holds<S: Scalar>() {
        let encoded = in_contact::<S>().world().snapshot();
        let bytes = encoded.to_bytes();
        let start = |section: Section| start_of(&encoded, section);
        let change = |at: usize, by: &[u8]| {
            let mut changed = bytes.clone();
            changed[at..at + by.len()].copy_from_slice(by);
            refusal::<S>(&changed)
        };
        // The first body stands behind the number of bodies: its id, the length of its name, its name, its kind.
        let first = start(Section::Bodies) + 4;
        let length = bytes[first + 4] as usize;
        let name = change(first + 8, b"\xff");
        assert!(name.contains("an impossible text: bodies[0].name is not UTF-8"), "{name}");
        let kind = change(first + 8 + length, &[9]);
        assert!(kind.contains("an impossible body kind: bodies[0].kind is 9, before byte"), "{kind}");
        let long_name = change(first + 4, &[0xff; 4]);
        assert!(long_name.contains("within bodies[0].name"), "{long_name}");
        for (section, field) in [(Section::Bodies, "bodies"), (Section::Contacts, "contacts")] {
            let many = change(start(section), &[0xff; 4]);
            assert!(many.contains(&format!(" {field}[")), "{many}");
        }
        let cut = refusal::<S>(&bytes[..first - 1]);
        assert!(cut.contains("within bodies.count"), "{cut}");
        let cut = refusal::<S>(&bytes[..bytes.len() - 1]);
        let last = format!("within contacts[{}].keeps_manifold", in_contact::<S>().world().contacts().len() - 1);
        assert!(cut.ends_with(&last), "{cut}");
        assert!(refusal::<S>(&[bytes.as_slice(), b"!"].concat()).starts_with("1 bytes follow"));
    }
    on_every_scalar!(holds);
}

/// Bits at the ends and in the middle of what a number can be.
fn extremes(kind: FieldKind, bits: u64) -> Vec<u64> {
    let width = 8 * kind.width() as u32;
    let ones = u64::MAX >> (64 - width);
    let top = 1_u64 << (width - 1);
    let mut values = vec![0, 1, 2, ones, ones - 1, top, top - 1, top + 1, top >> 1, !bits & ones, bits ^ top];
    values.extend([0x7fc0_0000, 0x7f80_0000, 0x7f7f_ffff, 0x7ff8 << 48, 0x7ff0 << 48, 1 << 13].map(|bits| bits & ones));
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn no_number_in_a_state_makes_a_run_panic() {
    fn holds<S: Scalar>() {
        let mut session = in_contact::<S>();
        let state = session.world().state();
        let (bytes, mut accepted, mut refused) = (state.encode().to_bytes(), 0, 0);
        for (number, place) in places(&state).iter().enumerate() {
            // All of them take minutes: on each scalar another third.
            for hostile in extremes(place.kind, place.bits).into_iter().skip((number + place_of::<S>()) % 3).step_by(3)
            {
                if session.restore(&place.with_bits(&bytes, hostile)).is_err() {
                    refused += 1;
                    continue;
                }
                accepted += 1;
                for _ in 0..3 {
                    // A run that stops on an error has not panicked.
                    if session.advance(&mut ()).is_err() {
                        break;
                    }
                }
            }
        }
        assert!(accepted > 1000 && refused > 20, "{accepted} accepted, {refused} refused");
    }
    on_every_scalar!(holds);
}
