//! The tree made anew from all its boxes: quicker than moving most of them one by one, and better shaped than what that leaves.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, NONE, Node, Place, ROOT, half_surface};
use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};

/// By how much the surfaces of all inner nodes may grow as boxes are moved where they are, until it is quicker to make the tree anew.
const WORN_OUT: f64 = 1.25;

/// A box that is to become a leaf. Small, for items are moved about many times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Item {
    index: u32,
    /// Its centre within the box of all centres, as parts of the longest side of that.
    centre: [u32; 3],
}

/// Items that are to become the subtree below a node.
struct Range {
    from: usize,
    to: usize,
    node: u32,
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
        let known = changed.iter().filter(|&&index| (index as usize) < boxes.len());
        known.for_each(|&index| self.known.change(index));
        if !self.move_boxes(changed, boxes) {
            self.begin_anew(boxes);
        }
    }

    /// Moves these boxes where they are in the tree, if it is still about as good as when it was made anew; whether it is.
    fn move_boxes(&mut self, changed: &[u32], boxes: &[FatAabb<S>]) -> bool {
        let Some(made_anew) = self.surface_anew.filter(|_| boxes.len() == self.len()) else { return false };
        for &index in changed {
            let (place, fat_box) = (self.places.get(index as usize).copied(), boxes.get(index as usize));
            let (Some(Place::Tree(leaf)), Some(FatAabb::Bounded(bounds))) = (place, fat_box) else { return false };
            if let Some(node) = self.node_mut(leaf) {
                node.bounds = *bounds;
            }
        }
        self.refit_all() <= made_anew * WORN_OUT
    }

    /// Makes the tree of these boxes.
    ///
    /// Each node splits its boxes in the middle of their order along the axis on which their centres lie farthest apart, so that
    /// its two sides differ by one box at most.
    fn begin_anew(&mut self, boxes: &[FatAabb<S>]) {
        self.nodes.clear();
        self.places.clear();
        self.planes.clear();
        self.first_free = NONE;
        let mut items = std::mem::take(&mut self.items);
        items.clear();
        for (index, fat_box) in (0..u32::MAX / 2).zip(boxes) {
            self.places.push(Place::HalfSpace);
            match fat_box {
                FatAabb::Bounded(_) => items.push(Item { index, ..Item::default() }),
                FatAabb::HalfSpace { .. } => self.insert(index, fat_box),
            }
        }
        find_centres(&mut items, boxes);
        self.grow(&mut items, boxes);
        self.items = items;
        self.surface_anew = Some(self.refit_all());
    }

    /// Adds a node for each split of the items and a leaf for each item, parents before their children.
    fn grow(&mut self, items: &mut [Item], boxes: &[FatAabb<S>]) {
        if items.is_empty() {
            return;
        }
        self.nodes.resize(2, Node::FREE);
        let mut ranges = vec![Range { from: 0, to: items.len(), node: ROOT }];
        while let Some(Range { from, to, node }) = ranges.pop() {
            let Some(items) = items.get_mut(from..to) else { continue };
            if let [Item { index, .. }] = *items {
                let parent = self.node(node).map_or(NONE, |node| node.parent);
                if let Some(FatAabb::Bounded(bounds)) = boxes.get(index as usize) {
                    self.put(node, Node { bounds: *bounds, parent, kind: Kind::Leaf(index), height: 0 });
                }
                continue;
            }
            let first = self.nodes.len() as u32;
            self.nodes.extend([Node { parent: node, ..Node::FREE }; 2]);
            if let Some(node) = self.node_mut(node) {
                node.kind = Kind::Inner(first);
            }
            let middle = items.len() / 2;
            if items.len() > 2 {
                let axis = widest_axis(items);
                items.select_nth_unstable_by_key(middle, |item| (item.centre[axis], item.index));
            }
            ranges.push(Range { from: from + middle, to, node: first + 1 });
            ranges.push(Range { from, to: from + middle, node: first });
        }
    }

    /// Takes boxes and heights of all inner nodes from their children, which stand behind them; half the sum of their surfaces, square metres.
    fn refit_all(&mut self) -> f64 {
        let mut sum = 0.0;
        for number in (0..self.nodes.len() as u32).rev() {
            self.refit(number);
            if let Some(Node { kind: Kind::Inner(_), bounds, .. }) = self.node(number) {
                sum += half_surface(bounds).to_f64();
            }
        }
        sum
    }
}

/// Finds the centres of the boxes within the box of all. What rounds there makes a tree slower, never wrong.
fn find_centres<S: Scalar>(items: &mut [Item], boxes: &[FatAabb<S>]) {
    let centre_of = |item: &Item| match boxes.get(item.index as usize) {
        Some(FatAabb::Bounded(bounds)) => bounds.min + bounds.max,
        _ => Vec3::ZERO,
    };
    let Some(first) = items.first().map(centre_of) else { return };
    let all = items
        .iter()
        .map(centre_of)
        .fold(Aabb { min: first, max: first }, |all, centre| all.union(&Aabb { min: centre, max: centre }));
    let sides = (all.max - all.min).to_array();
    let longest = sides[0].max(sides[1]).max(sides[2]).to_f64();
    let scale = if longest > 0.0 { f64::from(u32::MAX) / longest } else { 0.0 };
    for item in items {
        let centre = centre_of(item) - all.min;
        item.centre = centre.to_array().map(|part| (part.to_f64() * scale) as u32);
    }
}

/// The axis along which the centres lie farthest apart.
fn widest_axis(items: &[Item]) -> usize {
    let (mut low, mut high) = (items[0].centre, items[0].centre);
    for item in items {
        for axis in 0..3 {
            low[axis] = low[axis].min(item.centre[axis]);
            high[axis] = high[axis].max(item.centre[axis]);
        }
    }
    let [x, y, z] = [0, 1, 2].map(|axis: usize| high[axis] - low[axis]);
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
