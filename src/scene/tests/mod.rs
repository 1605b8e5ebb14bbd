//! Tests of scenes as a whole, by theme.

mod bad;
mod changes;
mod files;
mod good;
