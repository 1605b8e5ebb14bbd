//! physim: a headless, deterministic 3D rigid-body simulator.

pub mod collision;
pub mod geometry;
pub mod math;
