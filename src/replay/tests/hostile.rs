//! Hostile bytes.
