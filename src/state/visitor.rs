//! How the fields of the state are seen: one primitive that writing, reading, listing and changing all share.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

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
    #[inline(always)]
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U32 | Self::I32 | Self::Scalar(ScalarKind::F32) => 4,
            Self::Scalar(ScalarKind::Fixed | ScalarKind::F64) => 8,
        }
    }
}

/// Values that many rows share, by the hash of their bytes.
pub type SharedValues = BTreeMap<[u8; 32], Arc<dyn Any + Send + Sync>>;

/// Something that is led over every field of the state, in the one canonical order.
///
/// A visitor sees a field's bits and gives back the bits the field is to have: a writer gives back what it saw, a
/// reader what it read. Most need not know of groups, and take any value.
pub trait FieldVisitor {
    /// A number: its name within its group, its kind, its bits zero-extended.
    fn number(&mut self, name: &'static str, kind: FieldKind, bits: u64) -> u64;

    /// A text; `None` leaves it as it is.
    fn text(&mut self, name: &'static str, text: &str) -> Option<String>;

    /// The fields up to the matching [`leave`](Self::leave) belong to this group, or to element `index` of it.
    #[inline(always)]
    fn enter(&mut self, _group: &'static str, _index: Option<u32>) {}

    /// Ends the innermost group.
    #[inline(always)]
    fn leave(&mut self) {}

    /// What a reader has made so far of values that many rows share, by the hash of their bytes; `None` of other visitors.
    #[inline(always)]
    fn shared(&mut self) -> Option<&mut SharedValues> {
        None
    }

    /// The last number or text is none that its field can have; `what` names such a value, as in "exponent".
    #[inline(always)]
    fn refuse(&mut self, _what: &'static str) {}
}

/// Leads a visitor over an unsigned number.
#[inline(always)]
pub fn visit_u32<V: FieldVisitor + ?Sized>(visitor: &mut V, name: &'static str, value: &mut u32) {
    *value = visitor.number(name, FieldKind::U32, u64::from(*value)) as u32;
}

/// Leads a visitor over the number of objects of a section; gives back the number that it is to be.
pub fn visit_count<V: FieldVisitor + ?Sized>(count: usize, visitor: &mut V) -> u32 {
    let mut number = u32::try_from(count).unwrap_or(u32::MAX);
    visit_u32(visitor, "count", &mut number);
    number
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
    visitor.enter(name, None);
    visit_components(visitor, value);
    visitor.leave();
}

/// Leads a visitor over the components of a vector, within the group that it has entered.
#[inline(always)]
pub fn visit_components<S: Scalar, V: FieldVisitor + ?Sized>(visitor: &mut V, value: &mut Vec3<S>) {
    let Vec3 { x, y, z } = value;
    visit_scalar(visitor, "x", x);
    visit_scalar(visitor, "y", y);
    visit_scalar(visitor, "z", z);
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
}
