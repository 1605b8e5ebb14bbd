//! The encoding written by several threads: the rows of a few objects each, at places that are measured first.

use std::ops::Range;

use crate::math::Scalar;
use crate::parallel::Executor;
use crate::state::visitor::{FieldKind, FieldVisitor};
use crate::world::encode::Section;
use crate::world::encode::encoded::{Encoded, Parts};

/// Rows that one thread writes in a row, at some 50 to 100 ns each.
const ROWS_AT_ONCE: usize = 128;

/// Some rows of a section, behind the number of all of them where they are the first.
#[derive(Clone, Debug)]
struct Piece {
    section: Section,
    rows: Range<usize>,
    /// How many bytes they take.
    length: usize,
}

impl<S: Scalar> Parts<'_, S> {
    /// Whether there is so much that threads would share it.
    pub(super) fn would_be_shared(&self, executor: &Executor) -> bool {
        executor.would_share(Section::ALL.map(|section| self.count(section)).into_iter().sum(), ROWS_AT_ONCE)
    }

    fn visit_piece<V: FieldVisitor>(&self, piece: &Piece, visitor: &mut V) {
        if piece.rows.start == 0 {
            self.visit_count(piece.section, visitor);
        }
        self.visit_rows(piece.section, piece.rows.clone(), visitor);
    }

    /// Cuts each section into pieces; one without rows has a piece for their number.
    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for section in Section::ALL {
            let count = self.count(section);
            for from in (0..count.max(1)).step_by(ROWS_AT_ONCE) {
                pieces.push(Piece { section, rows: from..count.min(from + ROWS_AT_ONCE), length: 0 });
            }
        }
        pieces
    }

    /// Writes what follows the constant columns on threads. What it replaces is overwritten, not cleared.
    pub(super) fn write_on_threads(&self, encoded: &mut Encoded, executor: &mut Executor) {
        let mut pieces = self.pieces();
        executor.for_each_part(1, &mut pieces[..], |_, pieces| {
            for piece in pieces {
                let mut measure = Measure { length: 0 };
                self.visit_piece(piece, &mut measure);
                piece.length = measure.length;
            }
        });
        let mut end = 0;
        for piece in &pieces {
            let start = if piece.rows.start == 0 { end } else { encoded.places[piece.section as usize].start };
            end += piece.length;
            encoded.places[piece.section as usize] = start..end;
        }
        encoded.moving.resize(end, 0);
        let mut rest = &mut encoded.moving[..];
        let mut places: Vec<&mut [u8]> = pieces.iter().filter_map(|piece| rest.split_off_mut(..piece.length)).collect();
        executor.for_each_part(1, (&pieces[..], &mut places[..]), |_, (pieces, places)| {
            for (piece, place) in pieces.iter().zip(places) {
                let mut filler = Filler { rest: place };
                self.visit_piece(piece, &mut filler);
                debug_assert!(filler.rest.is_empty(), "a row is as long as it was measured");
            }
        });
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
