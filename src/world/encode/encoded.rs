//! The canonical bytes of a state, and how they are written: what a step leaves alone is encoded once and then shared.

use std::ops::Range;
use std::sync::Arc;

use crate::dynamics::body::Bodies;
use crate::dynamics::collider::Colliders;
use crate::dynamics::contact::Contact;
use crate::dynamics::joint::Joint;
use crate::math::Scalar;
use crate::parallel::Executor;
use crate::state::EncodedColumns;
use crate::state::visitor::{FieldVisitor, Writer, visit_count};
use crate::world::encode::Section;
use crate::world::encode::fields::{Globals, visit_contact, visit_globals};

/// The canonical bytes of a state: section by section, of each the constant columns, where it has such, and then the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// The constant columns of each section of the state, shared with the table that they are of.
    pub(super) constants: [Option<Arc<EncodedColumns>>; Section::ALL.len()],
    /// The rest of all sections, one behind the other.
    pub(super) moving: Vec<u8>,
    /// Where the rest of each section lies.
    pub(super) places: [Range<usize>; Section::ALL.len()],
}

impl Encoded {
    /// The constant columns of a section, where it has such.
    #[must_use]
    pub fn constants(&self, section: Section) -> Option<&EncodedColumns> {
        self.constants[section as usize].as_deref()
    }

    /// The bytes of a section that follow its constant columns.
    #[must_use]
    pub fn moving(&self, section: Section) -> &[u8] {
        &self.moving[self.places[section as usize].clone()]
    }

    /// How many bytes there are of all sections that follow their constant columns.
    #[must_use]
    pub const fn moving_length(&self) -> usize {
        self.moving.len()
    }

    /// How many bytes a section has.
    #[must_use]
    pub fn length_of(&self, section: Section) -> usize {
        self.constants(section).map_or(0, |constants| constants.bytes().len()) + self.moving(section).len()
    }

    /// The number of all bytes.
    #[must_use]
    pub fn length(&self) -> usize {
        Section::ALL.map(|section| self.length_of(section)).into_iter().sum()
    }

    /// All bytes in their order, in pieces.
    fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let of = |section| [self.constants(section).map_or(&[][..], EncodedColumns::bytes), self.moving(section)];
        Section::ALL.into_iter().flat_map(of)
    }

    /// The first place at which these bytes are not those of the state; `None` where all are.
    #[must_use]
    pub fn first_difference(&self, bytes: &[u8]) -> Option<usize> {
        let (mut rest, mut place) = (bytes, 0);
        for piece in self.pieces() {
            let Some(next) = rest.strip_prefix(piece) else {
                return Some(place + rest.iter().zip(piece).take_while(|(a, b)| a == b).count());
            };
            (rest, place) = (next, place + piece.len());
        }
        (!rest.is_empty()).then_some(place)
    }

    /// All bytes, one behind the other.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.length());
        self.pieces().for_each(|piece| bytes.extend_from_slice(piece));
        bytes
    }

    /// Replaces this encoding by that of the state in these parts, keeping the memory.
    pub fn write<S: Scalar>(&mut self, parts: &Parts<'_, S>, executor: &mut Executor) {
        self.constants = Section::ALL.map(|section| parts.constants(section).cloned());
        if parts.would_be_shared(executor) {
            parts.write_on_threads(self, executor);
            return;
        }
        self.moving.clear();
        for section in Section::ALL {
            let start = self.moving.len();
            let writer = &mut Writer::new(&mut self.moving);
            parts.visit_count(section, writer);
            parts.visit_rows(section, 0..parts.count(section), writer);
            self.places[section as usize] = start..self.moving.len();
        }
    }
}

/// The state in its parts.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a, S> {
    /// What belongs to no single object.
    pub globals: Globals<S>,
    /// The bodies by id.
    pub bodies: &'a Bodies<S>,
    /// The colliders by key.
    pub colliders: &'a Colliders<S>,
    /// The joints by id.
    pub joints: &'a [Joint<S>],
    /// The contacts by pair of keys.
    pub contacts: &'a [Contact<S>],
}

impl<S: Scalar> Parts<'_, S> {
    /// How many rows a section has; the world is one without a number.
    pub(super) fn count(&self, section: Section) -> usize {
        match section {
            Section::World => 1,
            Section::Bodies => self.bodies.len(),
            Section::Colliders => self.colliders.len(),
            Section::Joints => self.joints.len(),
            Section::Contacts => self.contacts.len(),
            _derived => 0,
        }
    }

    /// The constant columns of a section, led by its number of rows.
    fn constants(&self, section: Section) -> Option<&Arc<EncodedColumns>> {
        match section {
            Section::Bodies => Some(self.bodies.constants.encoded()),
            Section::Colliders => Some(self.colliders.constants.encoded()),
            _without => None,
        }
    }

    /// Leads a visitor over the number of rows of a section whose constant columns do not begin with it.
    pub(super) fn visit_count<V: FieldVisitor>(&self, section: Section, visitor: &mut V) {
        if matches!(section, Section::Joints | Section::Contacts) {
            visit_count(self.count(section), visitor);
        }
    }

    /// Leads a visitor over some rows of a section, without their constant fields.
    pub(super) fn visit_rows<V: FieldVisitor>(&self, section: Section, rows: Range<usize>, visitor: &mut V) {
        match section {
            Section::World => visit_globals(&mut { self.globals }, visitor),
            Section::Bodies => rows.for_each(|index| self.bodies.visit_moving(index, visitor)),
            Section::Colliders => rows.for_each(|index| self.colliders.visit_moving(index, visitor)),
            Section::Joints => self.joints[rows].iter().for_each(|joint| joint.clone().visit(visitor)),
            Section::Contacts => {
                self.contacts[rows].iter().for_each(|contact| visit_contact(&mut contact.clone(), visitor));
            }
            _derived => {}
        }
    }
}
