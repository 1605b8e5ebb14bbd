//! Columns that stay as they are for most of a run, with the encoding that they keep.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::state::visitor::{FieldVisitor, Writer, visit_count};

/// Arrays of one length, seen row by row.
pub trait Columns {
    /// How many rows there are.
    fn count(&self) -> usize;

    /// Leads a visitor over the fields of a row. What it gives back is dropped.
    fn visit_row<V: FieldVisitor + ?Sized>(&self, index: usize, visitor: &mut V);
}

/// Columns that anyone may read and nobody changes but through [`change`](Self::change), which drops what was kept of them: so the
/// kept encoding is always that of the columns as they are.
#[derive(Clone, Debug, Default)]
pub struct ConstantColumns<T> {
    columns: T,
    encoded: OnceLock<Arc<EncodedColumns>>,
}

impl<T: Columns> ConstantColumns<T> {
    /// The columns, to be changed.
    pub fn change(&mut self) -> &mut T {
        self.encoded = OnceLock::new();
        &mut self.columns
    }

    /// The canonical bytes of the columns and their digest: found when first asked for after a change, then kept.
    pub fn encoded(&self) -> &Arc<EncodedColumns> {
        self.encoded.get_or_init(|| Arc::new(EncodedColumns::of(&self.columns)))
    }
}

impl<T> Deref for ConstantColumns<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.columns
    }
}

/// The canonical bytes of some columns: the number of rows, then row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedColumns {
    bytes: Vec<u8>,
    digest: blake3::Hash,
}

impl EncodedColumns {
    /// Those of these columns, as they are now.
    fn of(columns: &impl Columns) -> Self {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes);
        visit_count(columns.count(), &mut writer);
        (0..columns.count()).for_each(|index| columns.visit_row(index, &mut writer));
        let digest = blake3::hash(&bytes);
        Self { bytes, digest }
    }

    /// Those that have these bytes.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), digest: blake3::hash(bytes) }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Their BLAKE3 hash.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        self.digest.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::state::constant::{Columns, ConstantColumns};
    use crate::state::visitor::{FieldVisitor, visit_u32};

    #[derive(Clone, Debug, Default)]
    struct Numbers(Vec<u32>);

    impl Columns for Numbers {
        fn count(&self) -> usize {
            self.0.len()
        }

        fn visit_row<V: FieldVisitor + ?Sized>(&self, index: usize, visitor: &mut V) {
            visit_u32(visitor, "number", &mut { self.0[index] });
        }
    }

    #[test]
    fn a_change_drops_what_was_kept() {
        let mut columns = ConstantColumns::<Numbers>::default();
        let empty = Arc::clone(columns.encoded());
        columns.change().0.push(7);
        let seven = Arc::clone(columns.encoded());
        assert_eq!((empty.bytes(), seven.bytes()), (&[0; 4][..], &[1, 0, 0, 0, 7, 0, 0, 0][..]));
        assert_ne!(empty.digest(), seven.digest());
        columns.change().0[0] = 8;
        assert_eq!(columns.encoded().bytes()[4], 8);
        assert_eq!(*columns.encoded().digest(), *blake3::hash(columns.encoded().bytes()).as_bytes());
    }

    #[test]
    fn what_stays_is_encoded_once() {
        let mut columns = ConstantColumns::<Numbers>::default();
        columns.change().0.extend([1, 2, 3]);
        let first = Arc::clone(columns.encoded());
        assert_eq!(columns.0.len(), 3, "reading leaves it");
        assert!(Arc::ptr_eq(&first, columns.encoded()));
        assert!(Arc::ptr_eq(&first, columns.clone().encoded()), "a copy keeps it too");
    }
}
