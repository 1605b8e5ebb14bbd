//! Pairs of bodies that the scene excludes, found by name.

use std::collections::BTreeMap;

use crate::math::Scalar;
use crate::world::World;

impl<S: Scalar> World<S> {
    /// Finds the ids of the excluded pairs: bodies have come or gone.
    pub(super) fn find_excluded(&mut self) {
        let pairs = &self.scene.excluded_pairs;
        self.excluded.clear();
        if pairs.is_empty() {
            return;
        }
        let named = pairs.iter().flat_map(|(a, b)| [a.as_str(), b.as_str()]);
        let mut ids: BTreeMap<&str, Option<u32>> = named.map(|name| (name, None)).collect();
        for (name, &id) in self.bodies.name.iter().zip(&self.bodies.id) {
            if let Some(known) = ids.get_mut(&**name) {
                *known = Some(id);
            }
        }
        let id = |name: &str| ids.get(name).copied().flatten();
        self.excluded.extend(pairs.iter().filter_map(|(a, b)| Some([id(a)?, id(b)?])));
    }
}
