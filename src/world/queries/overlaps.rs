//! Which bodies that push each other overlap, and by how much.

use crate::collision::query::closest;
use crate::dynamics::apart::Apart;
use crate::dynamics::body::BodyKind;
use crate::dynamics::pair_filter::PairFilter;
use crate::math::Scalar;
use crate::world::World;
use crate::world::queries::{Queries, QueryFilter};
use crate::world::sensors::NamedCollider;

/// Two colliders that overlap and push each other out.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap<S> {
    /// Which, in the order of the state.
    pub colliders: [NamedCollider; 2],
    /// The least way that parts them, metres, positive.
    pub depth: S,
}

/// Meshes that pass through each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassingPairs {
    /// The first pairs.
    pub named: Vec<[NamedCollider; 2]>,
    /// How many pairs there are among those that were looked at.
    pub count: usize,
    /// Whether all pairs of meshes were looked at.
    pub are_all: bool,
}

impl<S: Scalar> Queries<'_, S> {
    /// The colliders that overlap by more than `from`, metres, and whose bodies push each other, in the order of the state. Meshes, which have no
    /// inside, are left out. At most so many pairs are looked at.
    #[must_use]
    pub fn overlaps(&self, from: S, most_looks: usize) -> Vec<Overlap<S>> {
        let mut looks = 0;
        let World { bodies, colliders: all, joints, excluded, .. } = self.world;
        let mut apart = Apart::default();
        apart.find(joints, excluded);
        let filter = PairFilter { bodies, colliders: all, apart: &apart };
        let mut found = Vec::new();
        for a in (0..).take(self.placed.len()) {
            if bodies.kind[self.body(a)] != BodyKind::Dynamic || all.is_mesh[a as usize] {
                continue;
            }
            let placed = self.placed(a);
            let rotation = &placed.placement.rotation;
            let bounds = self.shape(a).aabb(rotation, placed.origin);
            for b in self.near(bounds.as_ref(), &QueryFilter::SOLID) {
                // Of two dynamic bodies the first asks.
                let asks_too = b < a && bodies.kind[self.body(b)] == BodyKind::Dynamic;
                let is_mesh = all.is_mesh[b as usize];
                if asks_too || is_mesh || !filter.push([a, b], [self.body(a), self.body(b)]) {
                    continue;
                }
                if looks == most_looks {
                    return found;
                }
                looks += 1;
                let other = self.placed(b);
                let offset = other.origin - placed.origin;
                let near = closest((self.shape(a), rotation), (self.shape(b), &other.placement.rotation), offset);
                if let Some(near) = near.filter(|near| -near.distance > from) {
                    found.push(Overlap {
                        colliders: [a, b].map(|collider| self.named(collider)),
                        depth: -near.distance,
                    });
                }
            }
        }
        found
    }

    /// The meshes that pass through each other although one can move and nothing in the scene keeps them apart, pair by pair in the order of
    /// the state. At most so many pairs are looked at, and so many are named.
    #[must_use]
    pub fn surfaces_that_pass(&self, most_looks: usize, most_named: usize) -> PassingPairs {
        let World { bodies, colliders: all, joints, excluded, .. } = self.world;
        let mut apart = Apart::default();
        apart.find(joints, excluded);
        let filter = PairFilter { bodies, colliders: all, apart: &apart };
        let meshes: Vec<u32> =
            (0..).take(self.placed.len()).filter(|&collider| all.is_mesh[collider as usize]).collect();
        let mut pairs =
            meshes.iter().enumerate().flat_map(|(place, &a)| meshes[place + 1..].iter().map(move |&b| [a, b]));
        let mut found = PassingPairs::default();
        for pair in pairs.by_ref().take(most_looks) {
            if filter.pass_as_surfaces(pair, pair.map(|collider| self.body(collider))) {
                found.count += 1;
                if found.named.len() < most_named {
                    found.named.push(pair.map(|collider| self.named(collider)));
                }
            }
        }
        found.are_all = pairs.next().is_none();
        found
    }
}
