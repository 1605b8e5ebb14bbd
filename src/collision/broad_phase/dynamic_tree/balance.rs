//! Keeping boxes, heights and balance right on the way up from a change.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, NONE, Node, half_surface};
use crate::math::Scalar;

impl<S: Scalar> DynamicTree<S> {
    /// Mends boxes and heights from `start` to the root, turning nodes whose children differ in height by more than one.
    pub(super) fn refit_upwards(&mut self, start: u32) {
        let mut current = start;
        while self.node(current).is_some() {
            self.balance(current);
            self.refit(current);
            current = self.node(current).map_or(NONE, |node| node.parent);
        }
    }

    /// Takes box and height of an inner node from its children.
    pub(super) fn refit(&mut self, number: u32) {
        let Some([first, second]) = self.children(number) else { return };
        if let Some(node) = self.node_mut(number) {
            node.bounds = first.bounds.union(&second.bounds);
            node.height = 1 + first.height.max(second.height);
        }
    }

    /// Turns a node that leans by two.
    fn balance(&mut self, number: u32) {
        let Some(Kind::Inner(first)) = self.node(number).map(|node| node.kind) else { return };
        let Some([low, high]) = self.children(number) else { return };
        if high.height > low.height + 1 {
            self.raise(number, first, [low, high]);
        } else if low.height > high.height + 1 {
            self.raise(number, first, [high, low]);
        }
    }

    /// Hangs a grandchild of `number` one level higher: `child` is the higher of its children, which stand from `first` on.
    ///
    /// The higher grandchild takes the place of the second child. The other one and the sibling of the child come below a node
    /// in the place of the first. Of two equally high ones that moves which makes the smaller box there.
    fn raise(&mut self, number: u32, first: u32, [sibling, child]: [Node<S>; 2]) {
        let Kind::Inner(below) = child.kind else { return };
        let (Some(&one), Some(&other)) = (self.node(below), self.node(below + 1)) else { return };
        let joined_surface = |node: &Node<S>| half_surface(&sibling.bounds.union(&node.bounds));
        let one_stays = match one.height.cmp(&other.height) {
            std::cmp::Ordering::Greater => true,
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => joined_surface(&one) >= joined_surface(&other),
        };
        let (stays, moves) = if one_stays { (one, other) } else { (other, one) };
        self.put(below, Node { parent: first, ..sibling });
        self.put(below + 1, Node { parent: first, ..moves });
        self.put(first, Node { parent: number, ..child });
        self.put(first + 1, Node { parent: number, ..stays });
        self.refit(first);
    }

    /// The children of an inner node.
    fn children(&self, number: u32) -> Option<[Node<S>; 2]> {
        match self.node(number)?.kind {
            Kind::Inner(first) => Some([*self.node(first)?, *self.node(first + 1)?]),
            Kind::Leaf(_) | Kind::Free(_) => None,
        }
    }
}
