//! JSON: one object on one line, its keys in the order of its type.

use serde::Serialize;

/// The value as JSON on a line of its own. Numbers that JSON does not have, such as NaN, are `null`.
pub fn line(value: &impl Serialize) -> String {
    // Writing to a string fails only where a type has no JSON at all, and ours have.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
