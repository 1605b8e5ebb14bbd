//! What must hold of a tree, for tests.

use crate::collision::broad_phase::dynamic_tree::{DynamicTree, Kind, NONE, Place, ROOT};
use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::math::Scalar;

impl<S: Scalar> DynamicTree<S> {
    /// Checks every link, box, height and balance, that each of these boxes is there once, and that no node is lost.
    pub(in crate::collision::broad_phase) fn validate(&self, boxes: &[FatAabb<S>]) -> Result<(), String> {
        let bounded = boxes.iter().filter(|fat_box| matches!(fat_box, FatAabb::Bounded(_))).count();
        expect(self.places.len() == boxes.len(), || "as many places as boxes".into())?;
        expect(self.planes.len() == boxes.len() - bounded, || "as many planes as half-spaces".into())?;
        for (index, (place, fat_box)) in self.places.iter().zip(boxes).enumerate() {
            self.validate_place(index as u32, *place, fat_box)?;
        }
        expect(self.planes.is_sorted_by_key(|plane| plane.index), || "sorted planes".into())?;
        let mut used = 0;
        let mut stack: Vec<(u32, u32)> = if bounded == 0 { Vec::new() } else { vec![(ROOT, NONE)] };
        while let Some((number, parent)) = stack.pop() {
            used += 1;
            let children = self.validate_node(number, parent)?;
            stack.extend(children.into_iter().flatten().map(|child| (child, number)));
        }
        expect(used == (2 * bounded).saturating_sub(1), || format!("{used} nodes for {bounded} leaves"))?;
        let free = self.nodes.iter().filter(|node| matches!(node.kind, Kind::Free(_))).count();
        expect(used + free == self.nodes.len(), || format!("{used} used and {free} free of {}", self.nodes.len()))?;
        let mut listed = 0;
        let mut next = self.first_free;
        while let Some(Kind::Free(following)) = self.node(next).map(|node| node.kind) {
            let sibling = self.node(next + 1).map(|node| node.kind);
            expect(next.is_multiple_of(2) && sibling == Some(Kind::Free(NONE)), || {
                format!("node {next} is not the first of two")
            })?;
            listed += 2;
            next = following;
        }
        // The place beside the root is free and of no use.
        let beside = if self.nodes.is_empty() { 0 } else { 1 };
        expect(listed + beside == free, || format!("{listed} of {free} free nodes are listed"))
    }

    /// Checks that a box is where its place says.
    fn validate_place(&self, index: u32, place: Place, fat_box: &FatAabb<S>) -> Result<(), String> {
        let is_right = match (place, fat_box) {
            (Place::Tree(leaf), FatAabb::Bounded(bounds)) => {
                self.node(leaf).is_some_and(|node| node.kind == Kind::Leaf(index) && node.bounds == *bounds)
            }
            (Place::HalfSpace, FatAabb::HalfSpace { normal, point }) => {
                self.planes.iter().any(|plane| plane.index == index && plane.normal == *normal && plane.point == *point)
            }
            _ => false,
        };
        expect(is_right, || format!("box {index} is not at {place:?}"))
    }

    /// Checks one node against its children, which are returned.
    fn validate_node(&self, number: u32, parent: u32) -> Result<Option<[u32; 2]>, String> {
        let node = self.node(number).ok_or("a link to nowhere")?;
        expect(node.parent == parent, || format!("node {number} has another parent"))?;
        match node.kind {
            Kind::Free(_) => Err(format!("node {number} is free and in use")),
            Kind::Leaf(_) => {
                expect(node.height == 0, || "a leaf of height".into())?;
                Ok(None)
            }
            Kind::Inner(first) => {
                expect(first.is_multiple_of(2), || format!("the children of node {number} stand elsewhere"))?;
                let children = [first, first + 1];
                let [first, second] = children.map(|child| self.node(child));
                let (first, second) = (first.ok_or("no first child")?, second.ok_or("no second child")?);
                expect(node.bounds == first.bounds.union(&second.bounds), || format!("node {number} fits badly"))?;
                expect(node.height == 1 + first.height.max(second.height), || format!("height of node {number}"))?;
                expect(first.height.abs_diff(second.height) <= 1, || format!("node {number} leans"))?;
                Ok(Some(children))
            }
        }
    }
}

/// An error unless a condition holds.
fn expect(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}
