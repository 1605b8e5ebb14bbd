//! A balanced binary tree of boxes that is kept up to date box by box.
//!
//! Leaves go where the boxes above them grow least in surface (E. Catto, "Dynamic Bounding Volume Hierarchies", Game
//! Developers Conference 2019); heights are kept as in G. M. Adelson-Velsky, E. M. Landis, "An Algorithm for the
//! Organization of Information", 1962. No walk recurses: the height bounds every stack.
//!
//! The two children of a node stand side by side, so a walk that goes down finds both boxes at one place. So nodes move as
//! the tree changes, and the links to them follow.

mod balance;
mod known_pairs;
mod rebuild;
mod traverse;
#[cfg(test)]
mod validate;
mod way;

use std::collections::VecDeque;
use std::ops::Range;

use crate::collision::broad_phase::dynamic_tree::known_pairs::KnownPairs;
use crate::collision::broad_phase::dynamic_tree::rebuild::Item;
use crate::collision::broad_phase::fat_aabb::FatAabb;
use crate::collision::broad_phase::parts::Part;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};

/// No node.
const NONE: u32 = u32::MAX;

/// The root, which has no sibling: the place beside it stays free.
const ROOT: u32 = 0;

/// A box in the tree: a leaf with the index of its box, or an inner node with two children.
#[derive(Clone, Copy, Debug)]
struct Node<S> {
    bounds: Aabb<S>,
    parent: u32,
    kind: Kind,
    /// Edges to the deepest leaf below: 0 for a leaf.
    height: u32,
}

impl<S: Scalar> Node<S> {
    /// A place that holds no box.
    const FREE: Self = {
        let bounds = Aabb { min: Vec3::ZERO, max: Vec3::ZERO };
        Self { bounds, parent: NONE, kind: Kind::Free(NONE), height: 0 }
    };
}

/// What is below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The box of this index.
    Leaf(u32),
    /// Two nodes: this one, of an even number, and the one behind it.
    Inner(u32),
    /// Nothing: the node is unused, and so is its sibling; the first of both knows the first of the next two.
    Free(u32),
}

/// Where the box of an index is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the tree, at this node.
    Tree(u32),
    /// In the list of half-spaces.
    HalfSpace,
}

/// A half-space with the index of its box.
#[derive(Clone, Copy, Debug)]
struct Plane<S> {
    index: u32,
    normal: Vec3<S>,
    point: Vec3<S>,
}

/// The tree of bounded boxes and, beside it, the list of half-spaces.
#[derive(Clone, Debug)]
pub struct DynamicTree<S> {
    nodes: Vec<Node<S>>,
    /// The first of two unused nodes.
    first_free: u32,
    /// For each index where its box is.
    places: Vec<Place>,
    /// In ascending order of index.
    planes: Vec<Plane<S>>,
    /// Half the sum of the surfaces of all inner nodes when the tree was made anew, as long as parents stand before their children since.
    surface_anew: Option<f64>,
    /// Room for the boxes while the tree is made anew.
    items: Vec<Item>,
    /// Pairs of nodes from which the search for pairs starts.
    starts: VecDeque<(u32, u32)>,
    /// Room for what threads find.
    walks: Vec<Part>,
    /// The pairs of the search before.
    known: KnownPairs,
}

impl<S: Scalar> Default for DynamicTree<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Scalar> DynamicTree<S> {
    /// An empty tree.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: Vec::new(),
            first_free: NONE,
            places: Vec::new(),
            planes: Vec::new(),
            surface_anew: None,
            items: Vec::new(),
            starts: VecDeque::new(),
            walks: Vec::new(),
            known: KnownPairs::default(),
        }
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Edges from the root to the deepest leaf.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.node(ROOT).map_or(0, |node| node.height)
    }

    /// Replaces the box at `index`; an index one past the last appends, any beyond is ignored.
    pub fn update(&mut self, index: usize, new: &FatAabb<S>) {
        let Some(number) = u32::try_from(index).ok().filter(|&number| number < u32::MAX / 2) else {
            return;
        };
        if index <= self.places.len() {
            self.known.change(number);
        }
        match self.places.get(index).copied() {
            Some(Place::Tree(leaf)) => {
                if self.node(leaf).is_some_and(|node| FatAabb::Bounded(node.bounds) == *new) {
                    return;
                }
                self.remove_leaf(leaf);
            }
            Some(Place::HalfSpace) => self.planes.retain(|plane| plane.index != number),
            None if index == self.places.len() => self.places.push(Place::HalfSpace),
            None => return,
        }
        self.insert(number, new);
    }

    /// Takes out the boxes at these indices, as far as there are such; those behind them move up.
    pub fn remove(&mut self, indices: Range<usize>) {
        let end = indices.end.min(self.places.len());
        let indices = indices.start.min(end)..end;
        for index in indices.clone() {
            if let Some(&Place::Tree(leaf)) = self.places.get(index) {
                self.remove_leaf(leaf);
            }
        }
        self.places.drain(indices.clone());
        for index in indices.start..self.places.len() {
            if let Place::Tree(leaf) = self.places[index]
                && let Some(node) = self.node_mut(leaf)
            {
                node.kind = Kind::Leaf(index as u32);
            }
        }
        self.planes.retain(|plane| !indices.contains(&(plane.index as usize)));
        let behind = self.planes.iter_mut().filter(|plane| plane.index as usize >= indices.end);
        behind.for_each(|plane| plane.index -= indices.len() as u32);
        self.known.remove(&indices);
    }

    /// Takes a box that is not there yet.
    fn insert(&mut self, index: u32, new: &FatAabb<S>) {
        match *new {
            FatAabb::Bounded(bounds) => self.insert_leaf(index, &bounds),
            FatAabb::HalfSpace { normal, point } => {
                let position = self.planes.partition_point(|plane| plane.index < index);
                self.planes.insert(position, Plane { index, normal, point });
                if let Some(place) = self.places.get_mut(index as usize) {
                    *place = Place::HalfSpace;
                }
            }
        }
    }

    /// Hangs a new leaf into the tree.
    fn insert_leaf(&mut self, index: u32, bounds: &Aabb<S>) {
        self.surface_anew = None;
        let leaf = Node { bounds: *bounds, kind: Kind::Leaf(index), ..Node::FREE };
        let Some(sibling) = self.best_sibling(bounds) else {
            self.nodes.resize(self.nodes.len().max(2), Node::FREE);
            self.put(ROOT, leaf);
            return;
        };
        let Some(&old) = self.node(sibling) else { return };
        let first = self.allocate_two();
        self.put(first, Node { parent: sibling, ..old });
        self.put(first + 1, Node { parent: sibling, ..leaf });
        if let Some(node) = self.node_mut(sibling) {
            node.kind = Kind::Inner(first);
        }
        self.refit_upwards(sibling);
    }

    /// Takes a leaf out of the tree. Its sibling takes the place of the inner node that joined both.
    fn remove_leaf(&mut self, leaf: u32) {
        self.surface_anew = None;
        if leaf == ROOT {
            self.nodes.clear();
            self.first_free = NONE;
            return;
        }
        let parent = self.node(leaf).map_or(NONE, |node| node.parent);
        let grandparent = self.node(parent).map_or(NONE, |node| node.parent);
        let Some(&sibling) = self.node(leaf ^ 1) else { return };
        self.release_two(leaf & !1);
        self.put(parent, Node { parent: grandparent, ..sibling });
        self.refit_upwards(grandparent);
    }

    /// The node beside which a new box adds least surface, going down greedily; `None` in an empty tree.
    fn best_sibling(&self, bounds: &Aabb<S>) -> Option<u32> {
        let mut current = ROOT;
        let mut node = self.node(current).filter(|node| !matches!(node.kind, Kind::Free(_)))?;
        while let Kind::Inner(first) = node.kind {
            let surface = half_surface(&node.bounds);
            let combined = half_surface(&node.bounds.union(bounds));
            // A new parent here costs its whole surface; going on costs what this node and the next one grow.
            let inherited = combined - surface;
            let costs = [first, first + 1].map(|child| inherited + self.descent_cost(child, bounds));
            if combined < costs[0] && combined < costs[1] {
                break;
            }
            current = if costs[1] < costs[0] { first + 1 } else { first };
            node = self.node(current)?;
        }
        Some(current)
    }

    /// What it adds in surface to put a box at `child` or somewhere below it.
    fn descent_cost(&self, child: u32, bounds: &Aabb<S>) -> S {
        let Some(node) = self.node(child) else {
            return S::ZERO;
        };
        let combined = half_surface(&node.bounds.union(bounds));
        match node.kind {
            Kind::Inner(_) => combined - half_surface(&node.bounds),
            Kind::Leaf(_) | Kind::Free(_) => combined,
        }
    }

    /// The node of this number.
    #[inline]
    fn node(&self, number: u32) -> Option<&Node<S>> {
        self.nodes.get(number as usize)
    }

    /// The node of a place in the tree.
    fn node_of(&self, place: Place) -> Option<&Node<S>> {
        if let Place::Tree(leaf) = place { self.node(leaf) } else { None }
    }

    /// The node of this number, to change.
    #[inline]
    fn node_mut(&mut self, number: u32) -> Option<&mut Node<S>> {
        self.nodes.get_mut(number as usize)
    }

    /// Puts a node into a place and mends the links to it.
    fn put(&mut self, number: u32, node: Node<S>) {
        match node.kind {
            Kind::Leaf(index) => {
                if let Some(place) = self.places.get_mut(index as usize) {
                    *place = Place::Tree(number);
                }
            }
            Kind::Inner(first) => {
                for child in [first, first + 1] {
                    if let Some(child) = self.node_mut(child) {
                        child.parent = number;
                    }
                }
            }
            Kind::Free(_) => {}
        }
        if let Some(slot) = self.node_mut(number) {
            *slot = node;
        }
    }

    /// Room for two nodes side by side; the first of them.
    fn allocate_two(&mut self) -> u32 {
        let first = self.first_free;
        if let Some(&Node { kind: Kind::Free(next), .. }) = self.node(first) {
            self.first_free = next;
            return first;
        }
        self.nodes.extend([Node::FREE; 2]);
        self.nodes.len() as u32 - 2
    }

    /// Gives the room of two nodes back.
    fn release_two(&mut self, first: u32) {
        let next = std::mem::replace(&mut self.first_free, first);
        self.put(first, Node { kind: Kind::Free(next), ..Node::FREE });
        self.put(first + 1, Node::FREE);
    }
}

/// Half the surface of a box, by which the chance of meeting it grows.
///
/// In fixed point boxes of more than 10 km wrap here; that makes a tree slower, never wrong.
#[inline]
fn half_surface<S: Scalar>(bounds: &Aabb<S>) -> S {
    let [x, y, z] = (bounds.max - bounds.min).to_array();
    S::dot3([x, y, z], [y, z, x])
}
