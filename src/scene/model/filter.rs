//! Filters of a scene: which shapes meet.

use serde::{Deserialize, Serialize};

/// What a shape is and what it meets. Two shapes meet if each has a category that the mask of the other names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// The categories that it belongs to, of the scene's `categories`. Default none of them, which is `"default"`.
    pub category: Vec<String>,
    /// The categories that it meets. Default all.
    pub mask: Option<Vec<String>>,
    /// Where two shapes are of one group other than 0, that decides: they always meet if it is positive, never if it is negative.
    /// Default 0.
    pub group: i32,
}
