//! Pairs of bodies that pass through each other, whatever their shapes are.

use crate::dynamics::joint::{Joint, WORLD};
use crate::math::Scalar;

/// Those that joints join and those that the scene excludes, by id.
#[derive(Clone, Debug, Default)]
pub struct Apart {
    /// Ascending, the smaller id first.
    pairs: Vec<[u32; 2]>,
    /// Those of the search before.
    before: Vec<[u32; 2]>,
}

impl Apart {
    /// Finds them among the joints, beside some that are excluded; whether they are others than before.
    pub fn find<S: Scalar>(&mut self, joints: &[Joint<S>], excluded: &[[u32; 2]]) -> bool {
        std::mem::swap(&mut self.pairs, &mut self.before);
        self.pairs.clear();
        let joined = joints.iter().filter(|joint| !joint.collides && joint.b != WORLD);
        let joined = joined.map(|joint| [joint.a, joint.b]);
        self.pairs.extend(joined.chain(excluded.iter().copied()).map(|[a, b]| [a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        self.pairs != self.before
    }

    /// Whether two bodies, by id, pass through each other.
    #[inline(always)]
    #[must_use]
    pub fn holds(&self, a: u32, b: u32) -> bool {
        !self.pairs.is_empty() && self.pairs.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }
}
