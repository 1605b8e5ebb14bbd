//! The integration tests, one program with a module for each theme.

mod command_line;
mod support;
