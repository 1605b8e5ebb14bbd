//! Finding overlaps: the tree against itself and against the half-spaces.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, Plane, ROOT};
use crate::collision::broad_phase::fat_aabb::reaches_below;
use crate::collision::broad_phase::pair_list::PairList;
use crate::collision::broad_phase::parts::search_in_parts;
use crate::geometry::Aabb;
use crate::math::Scalar;
use crate::parallel::Executor;

/// How often the walk of the tree against itself is cut at most: enough for threads to come out even.
const CUTS: usize = 128;
/// A cut for so many boxes.
const BOXES_BY_CUT: usize = 8;
/// So many boxes one thread searches alone: at some 200 ns each they would not be worth another thread's coming.
const BOXES_ALONE: usize = 1000;

/// Entries of a work stack.
///
/// A balanced tree of 2^31 leaves is at most 45 high. A walk of the tree against itself leaves at most two entries behind
/// for each level that it goes down with one node and one for each level of either side of a pair: 4 * 45 in all.
const STACK_SIZE: usize = 192;

/// A stack of fixed size.
pub(super) struct Stack<T> {
    entries: [T; STACK_SIZE],
    count: usize,
}

impl<T: Copy + Default> Stack<T> {
    pub(super) fn new(first: T) -> Self {
        let mut stack = Self { entries: [T::default(); STACK_SIZE], count: 0 };
        stack.push(first);
        stack
    }

    #[inline]
    pub(super) fn push(&mut self, entry: T) {
        debug_assert!(self.count < STACK_SIZE, "the tree is higher than a balanced tree can be");
        if let Some(slot) = self.entries.get_mut(self.count) {
            *slot = entry;
            self.count += 1;
        }
    }

    /// Pushes an entry if it is wanted. It is written in either case: boxes overlap so irregularly that a branch is guessed wrong too often.
    #[inline(always)]
    fn push_if(&mut self, entry: T, is_wanted: bool) {
        debug_assert!(self.count < STACK_SIZE, "the tree is higher than a balanced tree can be");
        if let Some(slot) = self.entries.get_mut(self.count) {
            *slot = entry;
            self.count += usize::from(is_wanted);
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        self.entries.get(self.count).copied()
    }
}

impl<S: Scalar> DynamicTree<S> {
    /// Adds all pairs of overlapping boxes that `accept` takes.
    pub(in crate::collision::broad_phase) fn pairs(
        &mut self,
        accept: &(impl Fn(u32, u32) -> bool + Sync),
        list: &mut PairList<'_>,
        executor: &mut Executor,
    ) {
        if self.renew_pairs(accept, list, executor) {
            return;
        }
        self.cut_walk();
        if executor.would_share(self.len(), BOXES_ALONE) {
            self.walk_on_threads(accept, list, executor);
            return;
        }
        for number in 0..self.starts.len() + self.planes.len() {
            self.walk(number, accept, list);
        }
    }

    /// Cuts the walk of the tree against itself near the root, into walks that are about as long as each other.
    fn cut_walk(&mut self) {
        let mut starts = std::mem::take(&mut self.starts);
        starts.clear();
        starts.push_back((ROOT, ROOT));
        for _ in 0..CUTS.min(self.len() / BOXES_BY_CUT) {
            // Those that have waited longest are the largest.
            let Some(nodes) = starts.pop_front() else { break };
            let push = |next, is_wanted: bool| starts.extend(is_wanted.then_some(next));
            if self.descend(nodes, push).is_some() {
                starts.push_back(nodes);
            }
        }
        self.starts = starts;
    }

    /// Does one of the walks, which follow each other from the pairs of nodes that they start from to the half-spaces.
    fn walk(&self, number: usize, accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        match self.starts.get(number) {
            Some(&start) => self.tree_pairs(start, accept, list),
            None => self.plane_pairs(&self.planes[number - self.starts.len()], accept, list),
        }
    }

    /// Does all of them, each with a list of its own.
    fn walk_on_threads(
        &mut self,
        accept: &(impl Fn(u32, u32) -> bool + Sync),
        list: &mut PairList<'_>,
        executor: &mut Executor,
    ) {
        let mut walks = std::mem::take(&mut self.walks);
        let count = self.starts.len() + self.planes.len();
        search_in_parts(&mut walks, count, |number, own| self.walk(number, accept, own), list, executor);
        self.walks = walks;
    }

    /// Adds the boxes and half-spaces that overlap one more box.
    pub fn overlapping(&self, one: &Aabb<S>, out: &mut Vec<u32>) {
        self.visit_overlapping(one, |index| out.push(index));
    }

    /// Shows each box and half-space that overlaps one more box.
    #[inline(always)]
    pub(super) fn visit_overlapping(&self, one: &Aabb<S>, mut found: impl FnMut(u32)) {
        let mut stack = Stack::new(ROOT);
        stack.count = usize::from(self.node(ROOT).is_some_and(|root| root.bounds.overlaps(one)));
        while let Some(node) = stack.pop().and_then(|number| self.node(number)) {
            match node.kind {
                Kind::Leaf(index) => found(index),
                Kind::Inner(first) => {
                    for child in [first, first + 1] {
                        stack.push_if(child, self.node(child).is_some_and(|child| child.bounds.overlaps(one)));
                    }
                }
                Kind::Free(_) => {}
            }
        }
        let below = self.planes.iter().filter(|plane| reaches_below(one, plane.normal, plane.point));
        below.for_each(|plane| found(plane.index));
    }

    /// The pairs within the tree that a walk from two nodes leads to.
    fn tree_pairs(&self, start: (u32, u32), accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        let mut stack = Stack::new(start);
        while let Some(nodes) = stack.pop() {
            if list.is_hopeless() {
                return;
            }
            if let Some((a, b)) = self.descend(nodes, |next, is_wanted| stack.push_if(next, is_wanted)) {
                list.add(a, b, accept);
            }
        }
    }

    /// Takes two nodes apart into pairs of nodes below them, telling of each whether it is wanted: whether their boxes overlap; gives back the
    /// boxes of two leaves.
    ///
    /// A node is compared with itself by its two children, each with itself and both together.
    #[inline(always)]
    fn descend(&self, (a, b): (u32, u32), mut push: impl FnMut((u32, u32), bool)) -> Option<(u32, u32)> {
        let (one, other) = (self.node(a)?, self.node(b)?);
        if a == b {
            if let Kind::Inner(first) = one.kind {
                push((first, first), true);
                push((first + 1, first + 1), true);
                push((first, first + 1), self.overlap(first, first + 1));
            }
            return None;
        }
        match (one.kind, other.kind) {
            (Kind::Leaf(a), Kind::Leaf(b)) => return Some((a, b)),
            (Kind::Inner(first), _) if one.height >= other.height => {
                [first, first + 1].into_iter().for_each(|child| push((child, b), self.overlap(child, b)));
            }
            (_, Kind::Inner(first)) => {
                [first, first + 1].into_iter().for_each(|child| push((a, child), self.overlap(a, child)));
            }
            _ => {}
        }
        None
    }

    /// Whether the boxes of two nodes overlap.
    #[inline(always)]
    fn overlap(&self, a: u32, b: u32) -> bool {
        match (self.node(a), self.node(b)) {
            (Some(a), Some(b)) => a.bounds.overlaps(&b.bounds),
            _ => false,
        }
    }

    /// The boxes that reach below one half-space.
    fn plane_pairs(&self, plane: &Plane<S>, accept: &impl Fn(u32, u32) -> bool, list: &mut PairList<'_>) {
        self.visit_below(plane, |index| {
            list.add(index, plane.index, accept);
            !list.is_hopeless()
        });
    }

    /// Shows each box that reaches below a half-space, until one is told not to go on.
    #[inline(always)]
    pub(super) fn visit_below(&self, plane: &Plane<S>, mut found: impl FnMut(u32) -> bool) {
        let mut stack = Stack::new(ROOT);
        while let Some(node) = stack.pop().and_then(|number| self.node(number)) {
            if !reaches_below(&node.bounds, plane.normal, plane.point) {
                continue;
            }
            match node.kind {
                Kind::Leaf(index) if !found(index) => return,
                Kind::Inner(first) => [first, first + 1].into_iter().for_each(|child| stack.push(child)),
                Kind::Leaf(_) | Kind::Free(_) => {}
            }
        }
    }
}
