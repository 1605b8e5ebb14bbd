//! The encoding written by several threads: the rows of a few objects each, at places that are measured first.

use crate::math::Scalar;
use crate::parallel::Executor;
use crate::world::encode::Section;
use crate::world::encode::encoded::{Encoded, Parts};
use crate::world::encode::piece::Piece;

/// Rows that one thread writes in a row, at some 50 to 100 ns each.
const ROWS_AT_ONCE: usize = 128;

/// Some rows of a section, and how many bytes they take.
#[derive(Clone, Debug)]
struct MeasuredPiece {
    piece: Piece,
    length: usize,
}

impl<S: Scalar> Parts<'_, S> {
    /// Whether there is so much that threads would share it.
    pub(super) fn would_be_shared(&self, executor: &Executor) -> bool {
        executor.would_share(Section::ALL.map(|section| self.count(section)).into_iter().sum(), ROWS_AT_ONCE)
    }

    /// Cuts each section into pieces; one without rows has a piece for their number.
    fn pieces(&self) -> Vec<MeasuredPiece> {
        let mut pieces = Vec::new();
        for section in Section::ALL {
            let count = self.count(section);
            for from in (0..count.max(1)).step_by(ROWS_AT_ONCE) {
                let piece = Piece { section, rows: from..count.min(from + ROWS_AT_ONCE) };
                pieces.push(MeasuredPiece { piece, length: 0 });
            }
        }
        pieces
    }

    /// Writes what follows the constant columns on threads. What it replaces is overwritten, not cleared.
    pub(super) fn write_on_threads(&self, encoded: &mut Encoded, executor: &mut Executor) {
        let mut pieces = self.pieces();
        executor.for_each_part(1, &mut pieces[..], |_, pieces| {
            for measured in pieces {
                measured.length = self.measure(&measured.piece);
            }
        });
        let mut end = 0;
        for MeasuredPiece { piece, length } in &pieces {
            let start = if piece.rows.start == 0 { end } else { encoded.places[piece.section as usize].start };
            end += length;
            encoded.places[piece.section as usize] = start..end;
        }
        encoded.moving.resize(end, 0);
        let mut rest = &mut encoded.moving[..];
        let mut places: Vec<&mut [u8]> =
            pieces.iter().filter_map(|measured| rest.split_off_mut(..measured.length)).collect();
        executor.for_each_part(1, (&pieces[..], &mut places[..]), |_, (pieces, places)| {
            for (measured, place) in pieces.iter().zip(places) {
                self.fill(&measured.piece, place);
            }
        });
    }
}
