//! The largest scenes.
