//! Scenes: data only, from RON text to checked bodies whose numbers are still exact decimals.
//!
//! [`model`] has the types and [`model::defaults`] what is not written. [`mod@parse`] reads a text and the files that it names, [`validate`] checks it,
//! [`generate`] expands generators into a sorted list of bodies with every reference followed ([`resolve`]), [`joints`] lists
//! what joins them.
//! [`input`] reads inputs line by line, [`query`] questions, [`overrides`] changes single keys, [`canonical`] writes the text that a replay
//! keeps. Solids that are not convex are [`decomposed`], and [`write_out_parts`] leaves their hulls in their place. [`document`] knows where in a text each value stands, and [`error`] shows it there. [`translate`] moves a
//! whole scene.
//! Nothing in here knows a world or computes with the scalars of the engine; [`decimal`] only hands numbers over to them, and
//! [`density`] formulas.

pub mod canonical;
mod cutting_effort;
pub mod decimal;
pub mod decomposed;
pub mod density;
mod diagnose;
pub mod document;
pub mod error;
pub mod filter;
mod forms;
pub mod generate;
mod gltf;
pub mod hull;
mod hull_file;
pub mod input;
pub mod joints;
pub mod mesh;
mod mesh_file;
pub mod model;
pub mod nearest;
pub mod overrides;
pub mod parse;
pub mod path;
pub mod printable;
pub mod query;
mod random;
pub mod resolve;
mod resolve_decomposed;
mod resolve_surface;
mod scene_folder;
pub mod short;
mod stl;
pub mod substeps;
pub mod time_step;
pub mod translate;
pub mod validate;
pub mod write_out_parts;

#[cfg(test)]
mod tests;

pub use error::SceneError;
pub use model::Scene;
pub use parse::{load, parse};
