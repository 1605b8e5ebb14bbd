//! What the tests share.

pub mod busy_time;
pub mod folder;
pub mod program;
pub mod redact;
pub mod scenes;
