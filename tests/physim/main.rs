//! The integration tests: what physim promises, seen from outside.

mod goldens;
mod scenes;
