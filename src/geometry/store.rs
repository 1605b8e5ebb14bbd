//! The hulls and meshes of a world, each once, however many colliders have it.

use crate::geometry::hull::HullStore;
use crate::geometry::mesh::MeshStore;

/// Shapes by their content. What is in here changes no result: it saves memory, and the time to make a shape again.
#[derive(Clone, Debug)]
pub struct ShapeStore<S> {
    /// The hulls.
    pub hulls: HullStore<S>,
    /// The meshes.
    pub meshes: MeshStore<S>,
}

impl<S> Default for ShapeStore<S> {
    fn default() -> Self {
        Self { hulls: HullStore::default(), meshes: MeshStore::default() }
    }
}
