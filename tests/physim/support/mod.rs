//! What the tests share.

pub mod folder;
pub mod program;
pub mod redact;
pub mod scenes;
