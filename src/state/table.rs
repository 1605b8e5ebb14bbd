//! The two forms in which state is declared: a `record!` of fields, and a `table!` of many records.
//!
//! A field stands in one place, with its type and its meaning. Storage, the row as a struct, adding and removing rows, and the order
//! in which visitors see the fields all follow from that, so that a new field cannot be forgotten in any of them. How a visitor is
//! led over a field is up to its type: see [`Field`](crate::state::Field).

use crate::state::visitor::FieldVisitor;

/// A row of a table, in the two parts in which tables are encoded.
pub trait Row {
    /// A row to read into; every field is overwritten.
    fn blank() -> Self;

    /// Leads a visitor over the constant fields.
    fn visit_constant<V: FieldVisitor + ?Sized>(&mut self, visitor: &mut V);

    /// Leads a visitor over the other fields.
    fn visit_moving<V: FieldVisitor + ?Sized>(&mut self, visitor: &mut V);
}

/// Declares a struct whose fields are state, in their canonical order.
///
/// ```text
/// record! {
///     /// One joint.
///     Joint {
///         /// The unique name.
///         name: Arc<str>,
///         /// Where it is.
///         position: Vec3<S>,
///     }
/// }
/// ```
macro_rules! record {
    ($(#[$about:meta])* $Record:ident { $($(#[$doc:meta])* $field:ident: $type:ty,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Record<S> {
            $($(#[$doc])* pub $field: $type,)+
        }

        impl<S: $crate::math::Scalar> $Record<S> {
            /// A record to read into; every field is overwritten.
            #[must_use]
            pub fn blank() -> Self {
                Self { $($field: $crate::state::Field::blank(),)+ }
            }

            /// Leads a visitor over all fields.
            pub fn visit<V: $crate::state::visitor::FieldVisitor + ?Sized>(&mut self, visitor: &mut V) {
                $($crate::state::Field::visit(&mut self.$field, stringify!($field), visitor);)+
            }
        }
    };
}

/// Declares a table of records as one array per field, ordered by a key. `constant` fields are those that no step changes; they
/// stand first in the canonical order, and their columns can be changed only as
/// [`ConstantColumns`](crate::state::ConstantColumns) allow it. `derived` columns are no state: each is the method of that name of
/// the record that was added.
///
/// ```text
/// table! {
///     /// One body.
///     record Body;
///     /// All bodies.
///     table Bodies by id: u32;
///     /// What stays the same while a body is there.
///     constant BodyConstants {
///         /// Ascending.
///         id: u32,
///     }
///     moving {
///         /// Where it is.
///         position: Vec3<S>,
///     }
///     derived {}
/// }
/// ```
macro_rules! table {
    (
        $(#[$about_record:meta])* record $Record:ident;
        $(#[$about_table:meta])* table $Table:ident by $key:ident: $Key:ty;
        $(#[$about_constants:meta])* constant $Constants:ident { $($(#[$constant_doc:meta])* $constant:ident: $Constant:ty,)+ }
        moving { $($(#[$moving_doc:meta])* $moving:ident: $Moving:ty,)+ }
        derived { $($(#[$derived_doc:meta])* $derived:ident: $Derived:ty,)* }
    ) => {
        $crate::state::table::record! {
            $(#[$about_record])*
            $Record {
                $($(#[$constant_doc])* $constant: $Constant,)+
                $($(#[$moving_doc])* $moving: $Moving,)+
            }
        }

        impl<S: $crate::math::Scalar> $crate::state::table::Row for $Record<S> {
            fn blank() -> Self {
                Self::blank()
            }

            fn visit_constant<V: $crate::state::visitor::FieldVisitor + ?Sized>(&mut self, visitor: &mut V) {
                $($crate::state::Field::visit(&mut self.$constant, stringify!($constant), visitor);)+
            }

            fn visit_moving<V: $crate::state::visitor::FieldVisitor + ?Sized>(&mut self, visitor: &mut V) {
                $($crate::state::Field::visit(&mut self.$moving, stringify!($moving), visitor);)+
            }
        }

        $(#[$about_constants])*
        #[derive(Clone, Debug)]
        pub struct $Constants<S> {
            $($(#[$constant_doc])* pub $constant: Vec<$Constant>,)+
        }

        impl<S: $crate::math::Scalar> Default for $Constants<S> {
            fn default() -> Self {
                Self { $($constant: Vec::new(),)+ }
            }
        }

        impl<S: $crate::math::Scalar> $crate::state::constant::Columns for $Constants<S> {
            fn count(&self) -> usize {
                self.$key.len()
            }

            #[inline(always)]
            fn visit_row<V: $crate::state::visitor::FieldVisitor + ?Sized>(&self, index: usize, visitor: &mut V) {
                $($crate::state::Field::visit(&mut Clone::clone(&self.$constant[index]), stringify!($constant), visitor);)+
            }
        }

        $(#[$about_table])*
        #[derive(Clone, Debug)]
        pub struct $Table<S> {
            /// The columns of the fields that no step changes.
            pub constants: $crate::state::ConstantColumns<$Constants<S>>,
            $($(#[$moving_doc])* pub $moving: Vec<$Moving>,)+
            $($(#[$derived_doc])* pub $derived: Vec<$Derived>,)*
        }

        impl<S: $crate::math::Scalar> Default for $Table<S> {
            fn default() -> Self {
                let constants = Default::default();
                Self { constants, $($moving: Vec::new(),)+ $($derived: Vec::new(),)* }
            }
        }

        /// Constant columns are read like all others.
        impl<S> std::ops::Deref for $Table<S> {
            type Target = $Constants<S>;

            #[inline(always)]
            fn deref(&self) -> &$Constants<S> {
                &self.constants
            }
        }

        impl<S: $crate::math::Scalar> $Table<S> {
            /// How many rows there are.
            #[must_use]
            pub fn len(&self) -> usize {
                self.$key.len()
            }

            /// Whether there are none.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.$key.is_empty()
            }

            /// The index of the row with this key.
            #[must_use]
            pub fn index_of(&self, key: $Key) -> Option<usize> {
                self.$key.binary_search(&key).ok()
            }

            /// One row, gathered from the columns.
            #[must_use]
            pub fn row(&self, index: usize) -> $Record<S> {
                $Record {
                    $($constant: Clone::clone(&self.$constant[index]),)+
                    $($moving: Clone::clone(&self.$moving[index]),)+
                }
            }

            /// Adds a row at the end. Its key is larger than every other.
            pub fn push(&mut self, row: &$Record<S>) {
                let constants = self.constants.change();
                $(constants.$constant.push(Clone::clone(&row.$constant));)+
                $(self.$moving.push(Clone::clone(&row.$moving));)+
                $(self.$derived.push(row.$derived());)*
            }

            /// Takes rows out; those behind them move up and keep their order.
            pub fn remove(&mut self, rows: impl std::ops::RangeBounds<usize> + Clone) {
                let constants = self.constants.change();
                $(constants.$constant.drain(rows.clone());)+
                $(self.$moving.drain(rows.clone());)+
                $(self.$derived.drain(rows.clone());)*
            }

            /// Leads a visitor over the fields of a row that are not constant. What it gives back is dropped.
            #[inline(always)]
            pub fn visit_moving<V: $crate::state::visitor::FieldVisitor + ?Sized>(&self, index: usize, visitor: &mut V) {
                $($crate::state::Field::visit(&mut Clone::clone(&self.$moving[index]), stringify!($moving), visitor);)+
            }
        }
    };
}

pub(crate) use {record, table};
