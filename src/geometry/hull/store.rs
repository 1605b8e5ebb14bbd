//! The hulls of a world, each once, however many colliders have it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::geometry::hull::{ContentHash, ExactHull, Hull};
use crate::math::Scalar;

/// Hulls by their content. What is in here changes no result: it saves memory, and the time to make a hull again.
#[derive(Clone, Debug)]
pub struct HullStore<S> {
    hulls: BTreeMap<ContentHash, Arc<Hull<S>>>,
}

impl<S> Default for HullStore<S> {
    fn default() -> Self {
        Self { hulls: BTreeMap::new() }
    }
}

impl<S: Scalar> HullStore<S> {
    /// The hull in the scalar of the world.
    pub fn shared(&mut self, exact: &Arc<ExactHull>) -> Arc<Hull<S>> {
        let hull = self.hulls.entry(exact.content()).or_insert_with(|| Arc::new(Hull::new(Arc::clone(exact))));
        Arc::clone(hull)
    }
}
