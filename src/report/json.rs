//! JSON: one object on one line, its keys in the order of its type.

use serde::Serialize;

use crate::scene::printable::printable_json;

/// The value as JSON. Numbers that JSON does not have, such as NaN, are `null`; what in a text would act on a terminal is escaped.
pub fn text(value: &(impl Serialize + ?Sized)) -> String {
    // Writing to a string fails only where a type has no JSON at all, and ours have.
    printable_json(serde_json::to_string(value).unwrap_or_default())
}

/// The value as JSON on a line of its own, as [`text`] has it.
pub fn line(value: &impl Serialize) -> String {
    text(value) + "\n"
}
