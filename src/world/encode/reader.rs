//! Reads the fields of the state from its canonical bytes, and says where bytes are not state.

use std::fmt::{Display, Formatter};

use crate::state::visitor::{FieldKind, FieldVisitor, SharedValues};
use crate::world::encode::Section;

/// Most groups within each other; a deeper one would only be missing from the path of an error.
const MAX_DEPTH: usize = 4;

/// A field by its place in the encoding: displayed as `bodies[3].inertia.length_exponent` or `world.step`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    /// The section.
    pub section: Section,
    /// Which object of the section, counted from 0; `None` for the number of objects and in the section of the world.
    pub object: Option<u32>,
    /// The path within the object.
    pub path: String,
}

impl Display for FieldPlace {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.section.name())?;
        if let Some(object) = self.object {
            write!(formatter, "[{object}]")?;
        }
        write!(formatter, ".{}", self.path)
    }
}

/// Why bytes are not encoded state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end within a field.
    #[error("the state ends at byte {bytes}, within {field}")]
    Truncated {
        /// The field.
        field: FieldPlace,
        /// How many bytes there are.
        bytes: usize,
    },
    /// Bytes follow the last field.
    #[error("{0} bytes follow the end of the state")]
    Trailing(usize),
    /// A field has a value that it cannot have.
    #[error("the state holds an impossible {what}: {field} is {value}, before byte {at}")]
    Impossible {
        /// What the field holds, such as "exponent".
        what: &'static str,
        /// The field.
        field: FieldPlace,
        /// The value found.
        value: String,
        /// Where the field ends.
        at: usize,
    },
    /// Objects do not stand in the order of their ids.
    #[error("the state holds {} out of order: {field} is not above the one before it", field.section.name())]
    Disorder {
        /// The first id that does not rise.
        field: FieldPlace,
    },
}

impl DecodeError {
    /// The field at which reading failed; `None` when bytes are left over.
    #[must_use]
    pub const fn field(&self) -> Option<&FieldPlace> {
        match self {
            Self::Truncated { field, .. } | Self::Impossible { field, .. } | Self::Disorder { field } => Some(field),
            Self::Trailing(_) => None,
        }
    }
}

/// Reads fields from a buffer, in the order in which a [`Writer`](crate::state::visitor::Writer) wrote them.
///
/// After the first error every field reads as zero; [`finish`](Self::finish) tells.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    error: Option<DecodeError>,
    section: Section,
    object: Option<u32>,
    groups: [(&'static str, Option<u32>); MAX_DEPTH],
    depth: usize,
    /// The field read last, its kind where it is a number, and its bits.
    last: (&'static str, Option<FieldKind>, u64),
    shared: SharedValues,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            position: 0,
            error: None,
            section: Section::World,
            object: None,
            groups: [("", None); MAX_DEPTH],
            depth: 0,
            last: ("", None, 0),
            shared: SharedValues::new(),
        }
    }

    /// What follows belongs to this section, and to this object of it.
    pub const fn stand_at(&mut self, section: Section, object: Option<u32>) {
        self.section = section;
        self.object = object;
    }

    /// How many bytes were read.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// Goes on at this byte: what lies before it is known.
    pub const fn go_to(&mut self, position: usize) {
        self.position = position;
    }

    /// How many bytes are left: no more objects than this can follow.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len().saturating_sub(self.position)
    }

    /// Whether an error was met.
    #[must_use]
    pub const fn failed(&self) -> bool {
        self.error.is_some()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// The first error met, or bytes left over.
    pub fn finish(self) -> Result<(), DecodeError> {
        match self.error {
            Some(error) => Err(error),
            None if self.remaining() > 0 => Err(DecodeError::Trailing(self.remaining())),
            None => Ok(()),
        }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let end = self.position.saturating_add(length);
        match self.bytes.get(self.position..end) {
            Some(taken) if self.error.is_none() => {
                self.position = end;
                taken
            }
            _ => {
                self.fail_truncated();
                &[]
            }
        }
    }

    #[cold]
    fn fail_truncated(&mut self) {
        if self.error.is_none() {
            self.error = Some(DecodeError::Truncated { field: self.place(), bytes: self.bytes.len() });
        }
    }

    /// The field read last.
    fn place(&self) -> FieldPlace {
        let mut path = String::new();
        for (group, index) in self.groups.iter().take(self.depth) {
            let index = index.map_or_else(String::new, |index| format!("[{index}]"));
            path.push_str(&format!("{group}{index}."));
        }
        path.push_str(self.last.0);
        FieldPlace { section: self.section, object: self.object, path }
    }

    fn value(&self) -> String {
        let (_, kind, bits) = self.last;
        match kind {
            None => "not UTF-8".to_owned(),
            Some(FieldKind::I32) => (bits as u32 as i32).to_string(),
            Some(FieldKind::U8 | FieldKind::U32 | FieldKind::Scalar(_)) => bits.to_string(),
        }
    }
}

impl FieldVisitor for Reader<'_> {
    fn shared(&mut self) -> Option<&mut SharedValues> {
        Some(&mut self.shared)
    }

    fn number(&mut self, name: &'static str, kind: FieldKind, _: u64) -> u64 {
        self.last = (name, Some(kind), 0);
        let bits = self.take(kind.width()).iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
        self.last.2 = bits;
        bits
    }

    fn text(&mut self, name: &'static str, _: &str) -> Option<String> {
        let length = self.number(name, FieldKind::U32, 0) as usize;
        let bytes = self.take(length);
        self.last.1 = None;
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text.to_owned()),
            Err(_) => {
                self.refuse("text");
                Some(String::new())
            }
        }
    }

    fn enter(&mut self, group: &'static str, index: Option<u32>) {
        if let Some(place) = self.groups.get_mut(self.depth) {
            *place = (group, index);
        }
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    #[cold]
    fn refuse(&mut self, what: &'static str) {
        if self.error.is_none() {
            let (field, value) = (self.place(), self.value());
            self.error = Some(DecodeError::Impossible { what, field, value, at: self.position });
        }
    }
}
