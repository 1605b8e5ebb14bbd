//! Which boxes overlap.
//!
//! Every method gives exactly the same pairs: all overlapping fat boxes that the filter accepts, sorted. So the method,
//! and the shape of its search structure, cannot reach the state of a run.

mod brute_force;
mod dynamic_tree;
mod fat_aabb;
mod pair_list;
mod parts;
mod sweep_and_prune;
#[cfg(test)]
mod tests;
mod uniform_grid;

pub use dynamic_tree::DynamicTree;
pub use fat_aabb::FatAabb;
pub use pair_list::TooManyPairs;
pub use sweep_and_prune::SweepAndPrune;
pub use uniform_grid::UniformGrid;

use std::ops::Range;

use crate::collision::broad_phase::pair_list::PairList;
use crate::geometry::Aabb;
use crate::math::Scalar;
use crate::parallel::Executor;

/// Where more than one in so many boxes change at once, it is quicker to begin anew.
const REBUILT_BELOW: usize = 8;

/// A method to find overlapping boxes. Boxes are known by their index in one dense list.
#[derive(Clone, Debug)]
pub enum BroadPhase<S> {
    /// A balanced tree of boxes, kept up to date box by box.
    DynamicTree(Box<DynamicTree<S>>),
    /// Boxes sorted along one axis.
    SweepAndPrune(Box<SweepAndPrune<S>>),
    /// Boxes sorted into equal cells.
    UniformGrid(Box<UniformGrid>),
    /// Every box against every other: the oracle in tests.
    BruteForce,
}

impl<S: Scalar> BroadPhase<S> {
    /// An empty dynamic tree.
    #[must_use]
    pub fn dynamic_tree() -> Self {
        Self::DynamicTree(Box::default())
    }

    /// Nothing yet to be swept.
    #[must_use]
    pub fn sweep_and_prune() -> Self {
        Self::SweepAndPrune(Box::default())
    }

    /// An empty grid.
    #[must_use]
    pub fn uniform_grid() -> Self {
        Self::UniformGrid(Box::default())
    }

    /// Takes this list of boxes in place of all earlier ones. At most `u32::MAX / 2` boxes count.
    pub fn rebuild(&mut self, boxes: &[FatAabb<S>]) {
        match self {
            Self::DynamicTree(tree) => tree.rebuild(boxes),
            Self::SweepAndPrune(sweep) => sweep.rebuild(boxes),
            Self::UniformGrid(grid) => grid.change(),
            Self::BruteForce => {}
        }
    }

    /// Replaces the boxes at these indices; `boxes` is the whole list, with the new ones in it.
    pub fn update_all(&mut self, changed: &[u32], boxes: &[FatAabb<S>]) {
        if let Self::DynamicTree(tree) = self
            && changed.len().saturating_mul(REBUILT_BELOW) > boxes.len()
        {
            return tree.rebuild_changed(changed, boxes);
        }
        for &index in changed {
            if let Some(new) = boxes.get(index as usize) {
                self.update(index as usize, new);
            }
        }
    }

    /// Replaces the box at `index`; an index one past the last appends, any beyond is ignored.
    pub fn update(&mut self, index: usize, new: &FatAabb<S>) {
        match self {
            Self::DynamicTree(tree) => tree.update(index, new),
            Self::SweepAndPrune(sweep) => sweep.update(index, new),
            Self::UniformGrid(grid) => grid.change(),
            Self::BruteForce => {}
        }
    }

    /// Takes out the boxes at these indices; those behind them move up.
    pub fn remove(&mut self, indices: Range<usize>) {
        match self {
            Self::DynamicTree(tree) => tree.remove(indices),
            Self::SweepAndPrune(sweep) => sweep.remove(&indices),
            Self::UniformGrid(grid) => grid.change(),
            Self::BruteForce => {}
        }
    }

    /// Fills `out` with the indices of all boxes that overlap one more box, ascending. `boxes` as for [`pairs`](Self::pairs).
    pub fn overlapping(&self, boxes: &[FatAabb<S>], one: &Aabb<S>, out: &mut Vec<u32>) {
        out.clear();
        let is_found = match self {
            Self::DynamicTree(tree) => {
                tree.overlapping(one, out);
                true
            }
            Self::SweepAndPrune(sweep) => sweep.overlapping(boxes, one, out),
            Self::UniformGrid(grid) => grid.overlapping(boxes, one, out),
            Self::BruteForce => false,
        };
        if !is_found {
            brute_force::overlapping(boxes, one, out);
        }
        out.sort_unstable();
    }

    /// Tells that `accept` will take other pairs than it did in the search before, though no box has changed.
    pub fn forget_pairs(&mut self) {
        match self {
            Self::DynamicTree(tree) => tree.forget_pairs(),
            Self::SweepAndPrune(_) | Self::UniformGrid(_) | Self::BruteForce => {}
        }
    }

    /// Fills `out` with all pairs `(a, b)`, `a < b`, of overlapping boxes that `accept` takes, sorted, each once.
    ///
    /// `boxes` is the list as [`rebuild`](Self::rebuild), [`update`](Self::update) and [`remove`](Self::remove) left it. The dynamic tree
    /// does not ask again for pairs of boxes that have not changed since the search before, unless [`forget_pairs`](Self::forget_pairs) was called.
    ///
    /// # Errors
    /// When there are more than `limit`; no more than those are ever stored, and `out` is then empty.
    pub fn pairs(
        &mut self,
        boxes: &[FatAabb<S>],
        accept: impl Fn(u32, u32) -> bool + Sync,
        limit: usize,
        executor: &mut Executor,
        out: &mut Vec<(u32, u32)>,
    ) -> Result<(), TooManyPairs> {
        let mut list = PairList::new(out, limit);
        match self {
            Self::DynamicTree(tree) => tree.pairs(&accept, &mut list, executor),
            Self::SweepAndPrune(sweep) => sweep.pairs(boxes, &accept, &mut list, executor),
            Self::UniformGrid(grid) => grid.pairs(boxes, &accept, &mut list, executor),
            Self::BruteForce => brute_force::pairs(boxes, &accept, &mut list),
        }
        list.finish()?;
        if let Self::DynamicTree(tree) = self {
            tree.keep_pairs(out);
        }
        Ok(())
    }
}
