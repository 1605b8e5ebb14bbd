//! physim: a headless, deterministic 3D rigid-body simulator.
//!
//! Data flows scene -> world -> step -> hash -> replay -> analysis -> report; a module imports only from its own floor
//! or below.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_methods,
        reason = "oracles in tests may use std; the library itself is linted without tests"
    )
)]

pub mod analysis;
mod cli;
pub mod collision;
pub mod dynamics;
pub mod export;
pub mod geometry;
pub mod math;
pub mod parallel;
pub mod replay;
mod report;
pub mod scene;
pub mod session;
pub mod state;
pub mod view;
pub mod world;

pub use cli::run_program;
