//! The canonical encoding: the bytes of all state that can affect later steps, and of nothing else.
//!
//! Each field is listed once, in the declaration of its table or record ([`crate::state::table`]) or in [`fields`], and that serves
//! every use: writing for hash and snapshot ([`encoded`]), reading for restore, naming for diff ([`table`]), changing for faults and
//! mutation tests. Little-endian, fixed widths, no memory images.

pub mod cut;
pub mod encoded;
pub mod fields;
pub mod on_threads;
pub mod reader;
pub mod table;

use crate::dynamics::body::{Bodies, Body};
use crate::dynamics::collider::{Collider, Colliders};
use crate::dynamics::contact::Contact;
use crate::dynamics::joint::Joint;
use crate::math::Scalar;
use crate::parallel::Executor;
use crate::state::field::is_sound_exponent;
use crate::state::table::Row;
use crate::state::visitor::visit_count;
use crate::world::encode::encoded::Parts;
use crate::world::encode::fields::{Globals, visit_contact, visit_globals};
use crate::world::encode::reader::{DecodeError, FieldPlace, Reader};

pub use crate::world::encode::encoded::Encoded;

/// A section of the state, hashed on its own; or of what a step derives from it, which is not state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// What belongs to no single object: step number, gravity, counters.
    World,
    /// The bodies.
    Bodies,
    /// The colliders, with their fat boxes.
    Colliders,
    /// The joints, with their kept impulses.
    Joints,
    /// The contacts, with their kept impulses.
    Contacts,
    /// Derived: the forces of a step's inputs.
    ActingForces,
    /// Derived: forces and accelerations by body.
    Forces,
    /// Derived: where each collider is.
    Placements,
    /// Derived: the pairs whose fat boxes overlap.
    Pairs,
    /// Derived: the geometry of each contact, with what both surfaces are together.
    Geometry,
    /// Derived: where each joint stands in the solving order.
    JointColours,
    /// Derived: where each contact stands in the solving order.
    Colours,
    /// Derived: the solver's rows by joint.
    JointRows,
    /// Derived: the solver's rows by contact.
    Rows,
}

impl Section {
    /// All sections of the state, in the order of the encoding.
    pub const ALL: [Self; 5] = [Self::World, Self::Bodies, Self::Colliders, Self::Joints, Self::Contacts];

    /// All sections of what a step derives, in the order in which it does.
    pub const DERIVED: [Self; 9] = [
        Self::ActingForces,
        Self::Forces,
        Self::Placements,
        Self::Pairs,
        Self::Geometry,
        Self::JointColours,
        Self::Colours,
        Self::JointRows,
        Self::Rows,
    ];

    /// The section's name in reports and replays.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Bodies => "bodies",
            Self::Colliders => "colliders",
            Self::Joints => "joints",
            Self::Contacts => "contacts",
            Self::ActingForces => "acting_forces",
            Self::Forces => "forces",
            Self::Placements => "placements",
            Self::Pairs => "pairs",
            Self::Geometry => "geometry",
            Self::JointColours => "joint_colours",
            Self::Colours => "colours",
            Self::JointRows => "joint_rows",
            Self::Rows => "rows",
        }
    }
}

/// All state as rows: what a snapshot holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State<S> {
    /// What belongs to no single object.
    pub globals: Globals<S>,
    /// The bodies by id.
    pub bodies: Vec<Body<S>>,
    /// The colliders by key.
    pub colliders: Vec<Collider<S>>,
    /// The joints by id.
    pub joints: Vec<Joint<S>>,
    /// The contacts by pair of keys.
    pub contacts: Vec<Contact<S>>,
}

impl<S: Scalar> State<S> {
    /// The state in these parts.
    #[must_use]
    pub fn of_parts(
        globals: Globals<S>,
        bodies: &Bodies<S>,
        colliders: &Colliders<S>,
        joints: Vec<Joint<S>>,
        contacts: Vec<Contact<S>>,
    ) -> Self {
        Self {
            globals,
            bodies: (0..bodies.len()).map(|index| bodies.row(index)).collect(),
            colliders: (0..colliders.len()).map(|index| colliders.row(index)).collect(),
            joints,
            contacts,
        }
    }

    /// Reads a state from its canonical bytes.
    ///
    /// # Errors
    /// Bytes that no state has; memory is taken only as far as the bytes reach.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let mut globals = Globals::default();
        visit_globals(&mut globals, &mut reader);
        let state = Self {
            globals,
            bodies: read_table(Section::Bodies, &mut reader),
            colliders: read_table(Section::Colliders, &mut reader),
            joints: read_rows(Section::Joints, &mut reader, Joint::blank, |row, reader| row.visit(reader)),
            contacts: read_rows(Section::Contacts, &mut reader, Contact::default, |row, reader| {
                visit_contact(row, reader);
            }),
        };
        reader.finish()?;
        state.check_order()?;
        Ok(state)
    }

    /// Every id and key rises: lookups rely on it.
    ///
    /// # Errors
    /// The first that does not.
    pub fn check_order(&self) -> Result<(), DecodeError> {
        fn check<T>(
            section: Section,
            path: &str,
            rows: &[T],
            rises: impl Fn(&T, &T) -> bool,
        ) -> Result<(), DecodeError> {
            let falls = rows.windows(2).position(|pair| matches!(pair, [a, b] if !rises(a, b)));
            falls.map_or(Ok(()), |before| {
                let object = u32::try_from(before + 1).ok();
                Err(DecodeError::Disorder { field: FieldPlace { section, object, path: path.to_owned() } })
            })
        }
        check(Section::Bodies, "id", &self.bodies, |a, b| a.id < b.id)?;
        check(Section::Colliders, "key", &self.colliders, |a, b| a.key < b.key)?;
        check(Section::Joints, "id", &self.joints, |a, b| a.id < b.id)?;
        check(Section::Contacts, "a, b and piece", &self.contacts, |a, b| a.key() < b.key())
    }

    /// Whether this state, encoded, could be read back.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let exponents = self.bodies.iter().flat_map(|body| [body.inverse_mass.exponent, body.inertia.length_exponent]);
        exponents.into_iter().all(is_sound_exponent) && self.check_order().is_ok()
    }

    /// The canonical bytes.
    #[must_use]
    pub fn encode(&self) -> Encoded {
        let (mut bodies, mut colliders) = (Bodies::default(), Colliders::default());
        self.bodies.iter().for_each(|body| bodies.push(body));
        self.colliders.iter().for_each(|collider| colliders.push(collider));
        let (joints, contacts) = (&self.joints, &self.contacts);
        let parts = Parts { globals: self.globals, bodies: &bodies, colliders: &colliders, joints, contacts };
        let mut encoded = Encoded::default();
        encoded.write(&parts, &mut Executor::default());
        encoded
    }
}

/// Reads the number of rows, then a part of each row.
fn read_rows<T>(
    section: Section,
    reader: &mut Reader<'_>,
    blank: impl Fn() -> T,
    visit: impl Fn(&mut T, &mut Reader<'_>),
) -> Vec<T> {
    reader.stand_at(section, None);
    let count = visit_count(0, reader);
    let mut rows = Vec::new();
    for number in 0..count {
        reader.stand_at(section, Some(number));
        let mut row = blank();
        visit(&mut row, reader);
        if reader.failed() {
            break;
        }
        rows.push(row);
    }
    rows
}

/// Reads the number of rows, the constant fields of all of them, then the other fields of all of them.
fn read_table<T: Row>(section: Section, reader: &mut Reader<'_>) -> Vec<T> {
    let mut rows = read_rows(section, reader, T::blank, |row, reader| row.visit_constant(reader));
    for (number, row) in (0..).zip(&mut rows) {
        reader.stand_at(section, Some(number));
        row.visit_moving(reader);
        if reader.failed() {
            break;
        }
    }
    rows
}
