//! The integration tests, one module per theme.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and its oracle may use what the library may not"
)]

mod command_line;
mod common;
mod damage;
mod determinism;
mod difference;
mod encoding;
mod goldens;
mod house;
mod physics;
mod scenes;
mod stress;
mod support;
