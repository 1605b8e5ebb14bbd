//! The tree made anew from all its boxes: quicker than moving most of them one by one, and better shaped than what that leaves.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, NONE, Node, Place};
use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::geometry::Aabb;
use crate::math::Scalar;

/// A box that is to become a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item<S> {
    index: u32,
    bounds: Aabb<S>,
    /// Twice its centre, as whole numbers that order as the coordinates do.
    centre: [i64; 3],
}

/// Items that are to become one subtree.
struct Range {
    from: usize,
    to: usize,
    parent: u32,
}

impl<S: Scalar> DynamicTree<S> {
    /// Forgets all boxes, then takes these.
    pub fn rebuild(&mut self, boxes: &[FatAabb<S>]) {
        self.known.forget();
        self.begin_anew(boxes);
    }

    /// Takes these boxes in place of all earlier ones, which are the same but for those that have changed.
    pub fn rebuild_changed(&mut self, changed: &[u32], boxes: &[FatAabb<S>]) {
        if boxes.len() != self.len() {
            self.known.forget();
        }
        let changed = changed.iter().filter(|&&index| (index as usize) < boxes.len());
        changed.for_each(|&index| self.known.change(index));
        self.begin_anew(boxes);
    }

    /// Makes the tree of these boxes.
    ///
    /// Each node splits its boxes in the middle of their order along the axis on which their centres lie farthest apart, so that
    /// its two sides differ by one box at most.
    fn begin_anew(&mut self, boxes: &[FatAabb<S>]) {
        self.nodes.clear();
        self.places.clear();
        self.planes.clear();
        (self.root, self.first_free) = (NONE, NONE);
        let mut items = std::mem::take(&mut self.items);
        items.clear();
        for (index, fat_box) in (0..u32::MAX / 2).zip(boxes) {
            self.places.push(Place::HalfSpace);
            match fat_box {
                FatAabb::Bounded(bounds) => items.push(Item::new(index, *bounds)),
                FatAabb::HalfSpace { .. } => {
                    self.insert(index, fat_box);
                }
            }
        }
        self.grow(&mut items);
        self.items = items;
        self.refit_all();
    }

    /// Adds a node for each split of the items and a leaf for each item, parents before their children.
    fn grow(&mut self, items: &mut [Item<S>]) {
        let mut ranges = vec![Range { from: 0, to: items.len(), parent: NONE }];
        while let Some(Range { from, to, parent }) = ranges.pop() {
            let Some(items) = items.get_mut(from..to).filter(|items| !items.is_empty()) else { continue };
            let number = self.nodes.len() as u32;
            let kind = if let [item] = items { Kind::Leaf(item.index) } else { Kind::Inner([NONE; 2]) };
            self.nodes.push(Node { bounds: items[0].bounds, parent, kind, height: 0 });
            self.adopt(parent, number);
            if let [item] = items {
                self.places[item.index as usize] = Place::Tree(number);
                continue;
            }
            let (axis, middle) = (widest_axis(items), items.len() / 2);
            items.select_nth_unstable_by_key(middle, |item| (item.centre[axis], item.index));
            ranges.push(Range { from: from + middle, to, parent: number });
            ranges.push(Range { from, to: from + middle, parent: number });
        }
    }

    /// Hangs a node into the free side of its parent.
    fn adopt(&mut self, parent: u32, child: u32) {
        match self.node_mut(parent).map(|node| &mut node.kind) {
            Some(Kind::Inner(children)) => children[usize::from(children[0] != NONE)] = child,
            _ => self.root = child,
        }
    }

    /// Takes boxes and heights of all inner nodes from their children, which stand behind them.
    fn refit_all(&mut self) {
        for number in (0..self.nodes.len() as u32).rev() {
            self.refit(number);
        }
    }
}

impl<S: Scalar> Item<S> {
    fn new(index: u32, bounds: Aabb<S>) -> Self {
        let centre = (bounds.min + bounds.max).to_array().map(S::to_ordered);
        Self { index, bounds, centre }
    }
}

/// The axis along which the centres lie farthest apart.
fn widest_axis<S: Scalar>(items: &[Item<S>]) -> usize {
    let (mut low, mut high) = (items[0].centre, items[0].centre);
    for item in items {
        for axis in 0..3 {
            low[axis] = low[axis].min(item.centre[axis]);
            high[axis] = high[axis].max(item.centre[axis]);
        }
    }
    let extent = |axis: usize| S::from_ordered(high[axis]) - S::from_ordered(low[axis]);
    if extent(0) >= extent(1) && extent(0) >= extent(2) {
        0
    } else if extent(1) >= extent(2) {
        1
    } else {
        2
    }
}
