//! The pairs that the search before found: where few boxes have changed since, only theirs are looked for.
//!
//! They are not state: what is found does not depend on whether anything was known before.

use std::ops::Range;

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, Place};
use crate::collision::broad_phase::pair_list::PairList;
use crate::math::Scalar;
use crate::parallel::Executor;

/// Changed boxes whose pairs one thread looks for in a row: at about a microsecond each.
const BOXES_AT_ONCE: usize = 32;

/// Where more than one in so many boxes have changed, it is quicker to look for all pairs.
const SEARCHED_BELOW: usize = 3;

/// The pairs of a search, and what has changed since.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownPairs {
    /// All pairs that the filter took, sorted. They mean something only where `are_known`.
    pairs: Vec<(u32, u32)>,
    /// Whether they are all pairs but for those of changed boxes.
    are_known: bool,
    /// Room for those that were looked for anew.
    found: Vec<(u32, u32)>,
    /// The boxes that have changed, each once.
    changed: Vec<u32>,
    /// Of each box up to the last that has changed, whether it has.
    is_changed: Vec<bool>,
}

impl KnownPairs {
    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.are_known = false;
        self.settle();
    }

    /// A box has changed.
    pub(super) fn change(&mut self, index: u32) {
        if !self.are_known {
            return;
        }
        let place = index as usize;
        if self.is_changed.len() <= place {
            self.is_changed.resize(place + 1, false);
        }
        if !std::mem::replace(&mut self.is_changed[place], true) {
            self.changed.push(index);
        }
    }

    /// The boxes at these indices are gone, and those behind them have moved up.
    pub(super) fn remove(&mut self, indices: &Range<usize>) {
        if !self.are_known {
            return;
        }
        let stays = |index: u32| !indices.contains(&(index as usize));
        let move_up = |index: &mut u32| {
            if *index as usize >= indices.end {
                *index -= indices.len() as u32;
            }
        };
        self.pairs.retain(|&(a, b)| stays(a) && stays(b));
        self.pairs.iter_mut().for_each(|(a, b)| [a, b].into_iter().for_each(move_up));
        self.changed.retain(|&index| stays(index));
        self.changed.iter_mut().for_each(move_up);
        let end = indices.end.min(self.is_changed.len());
        self.is_changed.drain(indices.start.min(end)..end);
    }

    /// Keeps all pairs that a search has found, sorted, if it did not find them here.
    pub(super) fn keep(&mut self, pairs: &[(u32, u32)]) {
        if self.are_known {
            return;
        }
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        self.are_known = true;
        self.settle();
    }

    /// From here on no box counts as changed.
    fn settle(&mut self) {
        for &index in &self.changed {
            self.is_changed[index as usize] = false;
        }
        self.changed.clear();
    }

    /// Whether a box has changed.
    fn has_changed(&self, index: u32) -> bool {
        self.is_changed.get(index as usize).copied().unwrap_or(false)
    }

    /// Takes out the pairs of boxes that have changed.
    fn drop_changed(&mut self) {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.retain(|&(a, b)| !self.has_changed(a) && !self.has_changed(b));
        self.pairs = pairs;
    }

    /// Takes the pairs that were found up among the others, from the last to the first.
    fn merge_found(&mut self) {
        self.found.sort_unstable();
        let mut left = self.pairs.len();
        let mut end = left + self.found.len();
        self.pairs.resize(end, (0, 0));
        for pair in self.found.drain(..).rev() {
            while left > 0 && self.pairs[left - 1] > pair {
                (end, left) = (end - 1, left - 1);
                self.pairs[end] = self.pairs[left];
            }
            end -= 1;
            self.pairs[end] = pair;
        }
    }
}

impl<S: Scalar> DynamicTree<S> {
    /// Forgets the pairs of the search before: the filter takes others now.
    pub(in crate::collision::broad_phase) fn forget_pairs(&mut self) {
        self.known.forget();
    }

    /// Keeps all pairs that a search has found, sorted, for the next.
    pub(in crate::collision::broad_phase) fn keep_pairs(&mut self, pairs: &[(u32, u32)]) {
        self.known.keep(pairs);
    }

    /// Adds all pairs, sorted, from what is known and what has changed since; whether enough is known for that.
    ///
    /// More pairs than the list takes are left to a search from the start, which counts them.
    pub(super) fn renew_pairs(
        &mut self,
        accept: &(impl Fn(u32, u32) -> bool + Sync),
        list: &mut PairList<'_>,
        executor: &mut Executor,
    ) -> bool {
        if self.known.changed.len().saturating_mul(SEARCHED_BELOW) > self.len() {
            self.known.forget();
        }
        if !self.known.are_known {
            return false;
        }
        if !self.known.changed.is_empty() {
            self.known.drop_changed();
            self.find_changed(accept, executor);
            self.known.settle();
        }
        let is_whole = self.known.pairs.len() as u64 <= list.limit();
        if is_whole {
            list.add_part(self.known.pairs.len() as u64, &self.known.pairs);
        }
        self.known.are_known = is_whole;
        is_whole
    }

    /// Adds the pairs of the boxes that have changed to those that are known, in their places.
    fn find_changed(&mut self, accept: &(impl Fn(u32, u32) -> bool + Sync), executor: &mut Executor) {
        let mut walks = std::mem::take(&mut self.walks);
        walks.resize_with(self.known.changed.len().div_ceil(BOXES_AT_ONCE), Default::default);
        executor.for_each_part(1, &mut walks[..], |first, part| {
            let boxes = self.known.changed.chunks(BOXES_AT_ONCE).skip(first);
            for (walk, boxes) in part.iter_mut().zip(boxes) {
                walk.pairs.clear();
                boxes.iter().for_each(|&index| self.pairs_of(index, accept, &mut walk.pairs));
            }
        });
        self.known.found.extend(walks.iter().flat_map(|walk| &walk.pairs));
        self.walks = walks;
        self.known.merge_found();
    }

    /// Adds the pairs of a box that has changed. Those with another such box are found with the one of smaller index.
    fn pairs_of(&self, index: u32, accept: &impl Fn(u32, u32) -> bool, pairs: &mut Vec<(u32, u32)>) {
        let mut add = |other: u32| {
            let pair = (index.min(other), index.max(other));
            let is_found_elsewhere = other == index || (other < index && self.known.has_changed(other));
            if !is_found_elsewhere && accept(pair.0, pair.1) {
                pairs.push(pair);
            }
        };
        match self.places.get(index as usize).map(|&place| (place, self.node_of(place))) {
            Some((_, Some(node))) if node.kind == Kind::Leaf(index) => self.visit_overlapping(&node.bounds, add),
            Some((Place::HalfSpace, _)) => {
                if let Ok(place) = self.planes.binary_search_by_key(&index, |plane| plane.index) {
                    self.visit_below(&self.planes[place], |index| {
                        add(index);
                        true
                    });
                }
            }
            _ => {}
        }
    }
}
