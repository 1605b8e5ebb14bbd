//! How the fields of the state are seen: one primitive that writing, reading, listing and changing all share.

use crate::math::{Quat, Scalar, ScalarKind, SymMat3, Vec3};

/// The type of a field in the canonical encoding; all are little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// One byte.
    U8,
    /// Four bytes, unsigned.
    U32,
    /// Four bytes, two's complement.
    I32,
    /// A number of the run's scalar.
    Scalar(ScalarKind),
}

impl FieldKind {
    /// Bytes of a field of this kind.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U32 | Self::I32 | Self::Scalar(ScalarKind::F32) => 4,
            Self::Scalar(ScalarKind::Fixed | ScalarKind::F64) => 8,
        }
    }
}

/// Something that is led over every field of the state, in the one canonical order.
///
/// A visitor sees a field's bits and gives back the bits the field is to have: a writer gives back what it saw, a
/// reader what it read.
pub trait FieldVisitor {
    /// A number: its name within its group, its kind, its bits zero-extended.
    fn number(&mut self, name: &'static str, kind: FieldKind, bits: u64) -> u64;

    /// A text; `None` leaves it as it is.
    fn text(&mut self, name: &'static str, text: &str) -> Option<String>;

    /// The fields up to the matching [`leave`](Self::leave) belong to this group, or to element `index` of it.
    fn enter(&mut self, group: &'static str, index: Option<u32>);

    /// Ends the innermost group.
    fn leave(&mut self);

    /// The last number is none that its field can have.
    fn refuse(&mut self, what: &'static str);
}

/// Leads a visitor over an unsigned number.
#[inline(always)]
pub fn visit_u32<V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, value: &mut u32) {
    *value = visitor.number(name, FieldKind::U32, u64::from(*value)) as u32;
}

/// Leads a visitor over a signed number.
#[inline(always)]
pub fn visit_i32<V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, value: &mut i32) {
    *value = visitor.number(name, FieldKind::I32, u64::from(*value as u32)) as u32 as i32;
}

/// Leads a visitor over a tag and gives back the tag it is to be.
#[inline(always)]
pub fn visit_tag<V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, tag: u8) -> u8 {
    visitor.number(name, FieldKind::U8, u64::from(tag)) as u8
}

/// Leads a visitor over a scalar.
#[inline(always)]
pub fn visit_scalar<S: Scalar, V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, value: &mut S) {
    *value = S::from_bits(visitor.number(name, FieldKind::Scalar(S::KIND), value.to_bits()));
}

/// Leads a visitor over a vector.
#[inline(always)]
pub fn visit_vec3<S: Scalar, V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, value: &mut Vec3<S>) {
    let Vec3 { x, y, z } = value;
    visitor.enter(name, None);
    visit_scalar(visitor, "x", x);
    visit_scalar(visitor, "y", y);
    visit_scalar(visitor, "z", z);
    visitor.leave();
}

/// Leads a visitor over a quaternion.
#[inline(always)]
pub fn visit_quat<S: Scalar, V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, value: &mut Quat<S>) {
    let Quat { w, x, y, z } = value;
    visitor.enter(name, None);
    visit_scalar(visitor, "w", w);
    visit_scalar(visitor, "x", x);
    visit_scalar(visitor, "y", y);
    visit_scalar(visitor, "z", z);
    visitor.leave();
}

/// Leads a visitor over a symmetric matrix.
#[inline(always)]
pub fn visit_sym_mat3<S: Scalar, V: FieldVisitor + ?Sized>(
    visitor: &mut V,
    name: &'static str,
    value: &mut SymMat3<S>,
) {
    let SymMat3 { xx, yy, zz, xy, xz, yz } = value;
    visitor.enter(name, None);
    visit_scalar(visitor, "xx", xx);
    visit_scalar(visitor, "yy", yy);
    visit_scalar(visitor, "zz", zz);
    visit_scalar(visitor, "xy", xy);
    visit_scalar(visitor, "xz", xz);
    visit_scalar(visitor, "yz", yz);
    visitor.leave();
}

/// Appends every field to a buffer.
#[derive(Debug)]
pub struct Writer<'a> {
    buffer: &'a mut Vec<u8>,
}

impl<'a> Writer<'a> {
    /// A writer that appends to `buffer`.
    pub const fn new(buffer: &'a mut Vec<u8>) -> Self {
        Self { buffer }
    }
}

impl FieldVisitor for Writer<'_> {
    #[inline(always)]
    fn number(&mut self, _: &'static str, kind: FieldKind, bits: u64) -> u64 {
        self.buffer.extend_from_slice(&bits.to_le_bytes()[..kind.width()]);
        bits
    }

    #[inline(always)]
    fn text(&mut self, _: &'static str, text: &str) -> Option<String> {
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.buffer.extend_from_slice(&length.to_le_bytes());
        self.buffer.extend_from_slice(text.as_bytes());
        None
    }

    #[inline(always)]
    fn enter(&mut self, _: &'static str, _: Option<u32>) {}

    #[inline(always)]
    fn leave(&mut self) {}

    fn refuse(&mut self, _: &'static str) {}
}

/// Why bytes are no encoded state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end within a field.
    #[error("the state ends at byte {0}, within a field")]
    Truncated(usize),
    /// Bytes follow the last field.
    #[error("{0} bytes follow the end of the state")]
    Trailing(usize),
    /// A field has a value that it cannot have.
    #[error("the state holds an impossible {what} before byte {at}")]
    Impossible {
        /// Which field.
        what: &'static str,
        /// Where it ends.
        at: usize,
    },
}

/// Reads fields from a buffer, in the order in which a [`Writer`] wrote them.
///
/// After the first error every field reads as zero; [`finish`](Self::finish) tells.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    error: Option<DecodeError>,
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0, error: None }
    }

    /// How many bytes are left: no more objects than this can follow.
    #[must_use]
    pub const fn remaining(&self) -> usize {
        self.bytes.len() - self.position
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
                self.error.get_or_insert(DecodeError::Truncated(self.bytes.len()));
                &[]
            }
        }
    }
}

impl FieldVisitor for Reader<'_> {
    fn number(&mut self, _: &'static str, kind: FieldKind, _: u64) -> u64 {
        self.take(kind.width()).iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }

    fn text(&mut self, name: &'static str, _: &str) -> Option<String> {
        let length = self.number(name, FieldKind::U32, 0) as usize;
        let bytes = self.take(length);
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text.to_owned()),
            Err(_) => {
                self.refuse(name);
                Some(String::new())
            }
        }
    }

    fn enter(&mut self, _: &'static str, _: Option<u32>) {}

    fn leave(&mut self) {}

    fn refuse(&mut self, what: &'static str) {
        self.error.get_or_insert(DecodeError::Impossible { what, at: self.position });
    }
}
