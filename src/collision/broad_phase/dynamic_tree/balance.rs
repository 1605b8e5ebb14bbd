//! Keeping boxes, heights and balance right on the way up from a change.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, NONE, half_surface};
use crate::math::Scalar;

impl<S: Scalar> DynamicTree<S> {
    /// Mends boxes and heights from `start` to the root, turning nodes whose children differ in height by more than one.
    pub(super) fn refit_upwards(&mut self, start: u32) {
        let mut current = start;
        while self.node(current).is_some() {
            current = self.balance(current);
            self.refit(current);
            current = self.node(current).map_or(NONE, |node| node.parent);
        }
    }

    /// Takes box and height of an inner node from its children.
    pub(super) fn refit(&mut self, number: u32) {
        let Some(Kind::Inner([first, second])) = self.node(number).map(|node| node.kind) else {
            return;
        };
        let (Some(&first), Some(&second)) = (self.node(first), self.node(second)) else {
            return;
        };
        if let Some(node) = self.node_mut(number) {
            node.bounds = first.bounds.union(&second.bounds);
            node.height = 1 + first.height.max(second.height);
        }
    }

    /// Turns a node that leans by two, and returns what stands in its place then.
    fn balance(&mut self, number: u32) -> u32 {
        let Some(Kind::Inner([first, second])) = self.node(number).map(|node| node.kind) else {
            return number;
        };
        let (low, high) = (self.height_of(first), self.height_of(second));
        if high > low + 1 {
            self.raise(number, second, first)
        } else if low > high + 1 {
            self.raise(number, first, second)
        } else {
            number
        }
    }

    /// Lifts the higher `child` of `number` into its place.
    ///
    /// The child keeps its own higher child; its other one moves beside `sibling` below `number`. Of two equally high
    /// ones that is the one which makes the smaller box there.
    fn raise(&mut self, number: u32, child: u32, sibling: u32) -> u32 {
        let Some(Kind::Inner([first, second])) = self.node(child).map(|node| node.kind) else {
            return number;
        };
        let (stays, moves) = match self.height_of(first).cmp(&self.height_of(second)) {
            std::cmp::Ordering::Greater => (first, second),
            std::cmp::Ordering::Less => (second, first),
            std::cmp::Ordering::Equal if self.joined_surface(sibling, first) < self.joined_surface(sibling, second) => {
                (second, first)
            }
            std::cmp::Ordering::Equal => (first, second),
        };
        let parent = self.node(number).map_or(NONE, |node| node.parent);
        self.replace_child(parent, number, child);
        self.set_parent(child, parent);
        self.set_children(child, [number, stays]);
        self.set_children(number, [sibling, moves]);
        self.refit(number);
        child
    }

    /// Hangs two nodes below a third.
    fn set_children(&mut self, number: u32, children: [u32; 2]) {
        if let Some(node) = self.node_mut(number) {
            node.kind = Kind::Inner(children);
        }
        for child in children {
            self.set_parent(child, number);
        }
    }

    /// Edges from a node to its deepest leaf.
    fn height_of(&self, number: u32) -> u32 {
        self.node(number).map_or(0, |node| node.height)
    }

    /// The halved surface of the box around two nodes.
    fn joined_surface(&self, first: u32, second: u32) -> S {
        match (self.node(first), self.node(second)) {
            (Some(first), Some(second)) => half_surface(&first.bounds.union(&second.bounds)),
            _ => S::ZERO,
        }
    }
}
