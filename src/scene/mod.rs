//! Scenes: data only, from RON text to checked bodies whose numbers are still exact decimals.
//!
//! [`model`] has the types, [`mod@parse`] reads them, [`validate`] checks them, [`generate`] expands generators and defaults
//! into a sorted list of bodies and [`canonical`]
//! writes the text that a replay keeps. [`document`] knows where in a text each value stands, and [`error`] shows it.
//! Nothing in here knows a world or a scalar of the engine, beyond handing a decimal over to one.

pub mod canonical;
pub mod decimal;
pub mod defaults;
mod diagnose;
pub mod document;
pub mod error;
pub mod generate;
pub mod input;
pub mod model;
pub mod overrides;
pub mod parse;
pub mod path;
mod random;
pub mod resolve;
pub mod time_step;
pub mod validate;

#[cfg(test)]
mod tests;

pub use error::SceneError;
pub use model::Scene;
pub use parse::{load, parse};
