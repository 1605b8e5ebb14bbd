//! Finding overlaps: the tree against itself and against the half-spaces.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, Plane};
use crate::collision::broad_phase::fat_box::reaches_below;
use crate::collision::broad_phase::pair_list::PairList;
use crate::geometry::Aabb;
use crate::math::Scalar;

/// Entries of a work stack.
///
/// A balanced tree of 2^31 leaves is at most 45 high. A walk of the tree against itself leaves at most two entries behind
/// for each level that it goes down with one node and one for each level of either side of a pair: 4 * 45 in all.
const STACK_SIZE: usize = 192;

/// A stack of fixed size.
struct Stack<T> {
    entries: [T; STACK_SIZE],
    count: usize,
}

impl<T: Copy + Default> Stack<T> {
    fn new(first: T) -> Self {
        let mut stack = Self { entries: [T::default(); STACK_SIZE], count: 0 };
        stack.push(first);
        stack
    }

    #[inline]
    fn push(&mut self, entry: T) {
        debug_assert!(self.count < STACK_SIZE, "the tree is higher than a balanced tree can be");
        if let Some(slot) = self.entries.get_mut(self.count) {
            *slot = entry;
            self.count += 1;
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        self.entries.get(self.count).copied()
    }
}

impl<S: Scalar> DynamicTree<S> {
    /// Adds all pairs of overlapping boxes that `accept` takes.
    pub(in crate::collision::broad_phase) fn pairs(&self, accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        self.tree_pairs(accept, list);
        for plane in &self.planes {
            self.plane_pairs(plane, accept, list);
        }
    }

    /// Adds the boxes and half-spaces that overlap one more box.
    pub(in crate::collision::broad_phase) fn overlapping(&self, one: &Aabb<S>, out: &mut Vec<u32>) {
        let mut stack = Stack::new(self.root);
        while let Some(number) = stack.pop() {
            let Some(node) = self.node(number).filter(|node| node.bounds.overlaps(one)) else { continue };
            match node.kind {
                Kind::Leaf(index) => out.push(index),
                Kind::Inner(children) => children.into_iter().for_each(|child| stack.push(child)),
                Kind::Free(_) => {}
            }
        }
        let below = self.planes.iter().filter(|plane| reaches_below(one, plane.normal, plane.point));
        out.extend(below.map(|plane| plane.index));
    }

    /// The pairs within the tree. A node is compared with itself by its two children, each with itself and both together.
    fn tree_pairs(&self, accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        let mut stack = Stack::new((self.root, self.root));
        while let Some((a, b)) = stack.pop() {
            if list.is_hopeless() {
                return;
            }
            let (Some(first), Some(second)) = (self.node(a), self.node(b)) else {
                continue;
            };
            if a == b {
                if let Kind::Inner([left, right]) = first.kind {
                    stack.push((left, left));
                    stack.push((right, right));
                    stack.push((left, right));
                }
                continue;
            }
            if !first.bounds.overlaps(&second.bounds) {
                continue;
            }
            match (first.kind, second.kind) {
                (Kind::Leaf(a), Kind::Leaf(b)) => list.add(a, b, accept),
                (Kind::Inner([left, right]), _) if first.height >= second.height => {
                    stack.push((left, b));
                    stack.push((right, b));
                }
                (_, Kind::Inner([left, right])) => {
                    stack.push((a, left));
                    stack.push((a, right));
                }
                _ => {}
            }
        }
    }

    /// The boxes that reach below one half-space.
    fn plane_pairs(&self, plane: &Plane<S>, accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        let mut stack = Stack::new(self.root);
        while let Some(node) = stack.pop().and_then(|number| self.node(number)) {
            if list.is_hopeless() {
                return;
            }
            if !reaches_below(&node.bounds, plane.normal, plane.point) {
                continue;
            }
            match node.kind {
                Kind::Leaf(index) => list.add(index, plane.index, accept),
                Kind::Inner(children) => children.into_iter().for_each(|child| stack.push(child)),
                Kind::Free(_) => {}
            }
        }
    }
}
