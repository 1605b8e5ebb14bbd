//! The meshes of a world, each once, however many colliders have it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::geometry::hull::ContentHash;
use crate::geometry::mesh::{ExactMesh, Mesh};
use crate::math::Scalar;

/// Meshes by their content. What is in here changes no result: it saves memory, and the time to make a mesh again.
#[derive(Clone, Debug)]
pub struct MeshStore<S> {
    meshes: BTreeMap<ContentHash, Arc<Mesh<S>>>,
}

impl<S> Default for MeshStore<S> {
    fn default() -> Self {
        Self { meshes: BTreeMap::new() }
    }
}

impl<S: Scalar> MeshStore<S> {
    /// The mesh in the scalar of the world.
    pub fn shared(&mut self, exact: &Arc<ExactMesh>) -> Arc<Mesh<S>> {
        let mesh = self.meshes.entry(exact.content()).or_insert_with(|| Arc::new(Mesh::new(Arc::clone(exact))));
        Arc::clone(mesh)
    }
}
