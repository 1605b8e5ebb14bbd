//! The integration tests, one module per theme.

mod common;
mod determinism;
mod difference;
mod encoding;
