//! What state is made of: the fields of records and tables, each declared once ([`table`]), and how they are seen, by whoever
//! writes, reads, lists or changes them ([`visitor`]).
//!
//! Knows what numbers, shapes and fat boxes are, and nothing of bodies or worlds.

pub mod constant;
pub mod field;
pub mod table;
pub mod visitor;

pub use constant::{ConstantColumns, EncodedColumns};
pub use field::Field;
