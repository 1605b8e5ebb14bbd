//! Shapes and poses in, contacts out.
//!
//! [`broad_phase`] finds the pairs of boxes that overlap, [`manifold`] the contact points of one pair of shapes, [`gap`] how
//! far they are apart along a direction; [`query`] answers what is asked between steps. Nothing
//! here knows bodies, velocities or impulses, and nothing here keeps state that could affect later steps.

pub mod broad_phase;
pub mod gap;
pub mod manifold;
pub mod query;
mod round_surface;

pub use broad_phase::{BroadPhase, FatAabb};
pub use gap::gap_along;
pub use manifold::{Bearing, ContactSearch, FeatureId, Manifold, ManifoldPoint, NarrowPhase, collide, collide_by};
