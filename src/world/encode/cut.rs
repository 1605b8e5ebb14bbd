//! The bytes of a state cut into its sections, so that they can be hashed: no state is made of them.

use std::sync::Arc;

use crate::dynamics::body::Body;
use crate::dynamics::collider::Collider;
use crate::dynamics::contact::Contact;
use crate::dynamics::joint::Joint;
use crate::math::Scalar;
use crate::state::EncodedColumns;
use crate::state::table::Row;
use crate::state::visitor::visit_count;
use crate::world::encode::fields::{Globals, visit_contact, visit_globals};
use crate::world::encode::reader::{DecodeError, Reader};
use crate::world::encode::{Encoded, Section};

impl Encoded {
    /// Cuts canonical bytes into sections; each byte is kept as it is. Constant columns that are those of `before`, another state of
    /// the same run, are shared with it.
    ///
    /// # Errors
    /// Bytes that have not the form of a state. Whether ids rise is not looked at.
    pub fn cut<S: Scalar>(bytes: &[u8], before: &Self) -> Result<Self, DecodeError> {
        let mut cut = Self::default();
        let mut reader = Reader::new(bytes);
        for section in Section::ALL {
            let start = reader.position();
            let known = before.constants(section).map(EncodedColumns::bytes);
            let middle = skip::<S>(section, known.filter(|known| bytes[start..].starts_with(known)), &mut reader);
            if reader.failed() {
                break;
            }
            cut.add(section, [&bytes[start..middle], &bytes[middle..reader.position()]], before);
        }
        reader.finish().map(|()| cut)
    }

    /// Adds a section: its constant columns, and what follows them.
    fn add(&mut self, section: Section, [constants, moving]: [&[u8]; 2], before: &Self) {
        if !constants.is_empty() {
            let known = before.constants[section as usize].as_ref().filter(|known| known.bytes() == constants);
            let known = known.map_or_else(|| Arc::new(EncodedColumns::of_bytes(constants)), Arc::clone);
            self.constants[section as usize] = Some(known);
        }
        let start = self.moving.len();
        self.moving.extend_from_slice(moving);
        self.places[section as usize] = start..self.moving.len();
    }
}

/// Leads a reader over a section, which begins with these constant columns where they are known; gives back where they end.
fn skip<S: Scalar>(section: Section, known: Option<&[u8]>, reader: &mut Reader<'_>) -> usize {
    match section {
        Section::World => {
            let start = reader.position();
            visit_globals(&mut Globals::<S>::default(), reader);
            start
        }
        Section::Bodies => skip_table::<Body<S>>(section, known, reader),
        Section::Colliders => skip_table::<Collider<S>>(section, known, reader),
        Section::Joints => {
            let mut row = Joint::<S>::blank();
            skip_list(section, reader, |reader| row.visit(reader))
        }
        Section::Contacts => {
            let mut row = Contact::<S>::default();
            skip_list(section, reader, |reader| visit_contact(&mut row, reader))
        }
        _derived => reader.position(),
    }
}

/// A section without constant columns: the number of rows, and each of them.
fn skip_list<'a>(section: Section, reader: &mut Reader<'a>, visit: impl FnMut(&mut Reader<'a>)) -> usize {
    let start = reader.position();
    reader.stand_at(section, None);
    let count = visit_count(0, reader);
    skip_rows(section, count, reader, visit);
    start
}

/// What a section of the same run begins with tells its own end: it need not be read field by field.
fn skip_table<T: Row>(section: Section, known: Option<&[u8]>, reader: &mut Reader<'_>) -> usize {
    let mut row = T::blank();
    let end = known.map(|known| reader.position() + known.len());
    reader.stand_at(section, None);
    let count = visit_count(0, reader);
    match end {
        Some(end) => reader.go_to(end),
        None => skip_rows(section, count, reader, |reader| row.visit_constant(reader)),
    }
    let middle = reader.position();
    skip_rows(section, count, reader, |reader| row.visit_moving(reader));
    middle
}

fn skip_rows<'a>(section: Section, count: u32, reader: &mut Reader<'a>, mut visit: impl FnMut(&mut Reader<'a>)) {
    for number in 0..count {
        reader.stand_at(section, Some(number));
        visit(reader);
        if reader.failed() {
            return;
        }
    }
}
