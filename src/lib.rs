//! physim: a headless, deterministic 3D rigid-body simulator.

pub mod math;
pub mod replay;
