//! Bodies and constraints: what moves, what holds it, and the solver that brings the two together.
//!
//! Works on arrays of numbers; knows nothing of scenes, files, hashes or names.

pub mod apart;
pub mod body;
pub mod collider;
pub mod colouring;
pub mod contact;
mod fields;
pub mod filter;
mod free_turn;
mod gyroscopic;
pub mod integrator;
pub mod joint;
pub mod pair_filter;
pub mod recycling;
pub mod settings;
pub mod solver;
