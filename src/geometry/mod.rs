//! Shapes without bodies: what a thing looks like, what box holds it and how heavy it is.
//!
//! Everything here is in the axes of the shape or of one body. Contacts belong to `collision`, motion to `dynamics`.

pub mod aabb;
pub mod decomposition;
pub mod hull;
pub mod mass_properties;
pub mod mesh;
pub mod planes;
pub mod quadrature;
pub mod shape;
pub mod store;

pub use aabb::Aabb;
pub use hull::{ExactHull, Hull};
pub use mass_properties::{Density, Inertia, MassError, MassProperties};
pub use mesh::{ExactMesh, Facet, Mesh};
pub use shape::{Shape, ShapeKind};
pub use store::ShapeStore;
