//! Some rows of a section of the encoding: how many bytes they take, and these bytes written into a place of that length.
//!
//! To measure first and then to fill a place takes less time than to append, field by field, to a buffer that may have to grow.

use std::ops::Range;

use crate::math::Scalar;
use crate::state::visitor::{FieldKind, FieldVisitor};
use crate::world::encode::Section;
use crate::world::encode::encoded::Parts;

/// Some rows of a section, behind the number of all of them where they are the first.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) section: Section,
    pub(super) rows: Range<usize>,
}

impl Piece {
    /// All rows of a section, of which it has this many.
    pub(super) const fn whole(section: Section, count: usize) -> Self {
        Self { section, rows: 0..count }
    }
}

impl<S: Scalar> Parts<'_, S> {
    /// Inlined, so that where a filler has got to stands in registers.
    #[inline(always)]
    fn visit_piece<V: FieldVisitor>(&self, piece: &Piece, visitor: &mut V) {
        if piece.rows.start == 0 {
            self.visit_count(piece.section, visitor);
        }
        self.visit_rows(piece.section, piece.rows.clone(), visitor);
    }

    /// How many bytes a piece takes.
    pub(super) fn measure(&self, piece: &Piece) -> usize {
        let mut measure = Measure { length: 0 };
        self.visit_piece(piece, &mut measure);
        measure.length
    }

    /// Writes a piece into a place that is as long as it was measured.
    pub(super) fn fill(&self, piece: &Piece, place: &mut [u8]) {
        let mut filler = Filler { rest: place };
        self.visit_piece(piece, &mut filler);
        debug_assert!(filler.rest.is_empty(), "a row is as long as it was measured");
    }
}

/// Counts the bytes of fields.
struct Measure {
    length: usize,
}

impl FieldVisitor for Measure {
    #[inline(always)]
    fn number(&mut self, _: &'static str, kind: FieldKind, bits: u64) -> u64 {
        self.length += kind.width();
        bits
    }

    #[inline(always)]
    fn text(&mut self, _: &'static str, text: &str) -> Option<String> {
        self.length += size_of::<u32>() + text.len();
        None
    }
}

/// Writes fields one behind the other into a place of their length.
struct Filler<'a> {
    rest: &'a mut [u8],
}

impl Filler<'_> {
    #[inline(always)]
    fn write(&mut self, bytes: &[u8]) {
        if let Some(place) = self.rest.split_off_mut(..bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }
}

impl FieldVisitor for Filler<'_> {
    #[inline(always)]
    fn number(&mut self, _: &'static str, kind: FieldKind, bits: u64) -> u64 {
        self.write(&bits.to_le_bytes()[..kind.width()]);
        bits
    }

    #[inline(always)]
    fn text(&mut self, _: &'static str, text: &str) -> Option<String> {
        self.write(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_le_bytes());
        self.write(text.as_bytes());
        None
    }
}
