//! The integration tests: one binary, a module for each theme.

mod physics;
