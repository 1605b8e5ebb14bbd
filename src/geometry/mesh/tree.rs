//! Which facets of a mesh are in a box: a tree of boxes, made once.

use crate::geometry::aabb::Aabb;
use crate::geometry::hull::GridPoint;
use crate::geometry::mesh::exact::ExactMesh;
use crate::geometry::mesh::facet::Facet;
use crate::geometry::mesh::patches::Patch;
use crate::math::Scalar;

/// As many facets as a leaf holds at most.
const LEAF: usize = 4;
/// Deeper than any tree of [`MAX_TRIANGLES`](crate::geometry::mesh::MAX_TRIANGLES) facets, each level of which halves them.
const MOST_OPEN: usize = 64;

/// A box with what is in it.
#[derive(Clone, Debug)]
struct Node<S> {
    bounds: Aabb<S>,
    /// Of a leaf its first facet in the order of the leaves, else its second child; the first stands right behind it.
    start: u32,
    /// How many facets a leaf has; none else.
    count: u32,
}

/// A tree of boxes over the facets of a mesh, in the mesh's axes.
#[derive(Clone, Debug)]
pub struct FacetTree<S> {
    nodes: Vec<Node<S>>,
    /// The facets by leaf.
    leaves: Vec<Leaf<S>>,
}

/// A facet in its leaf.
#[derive(Clone, Copy, Debug)]
struct Leaf<S> {
    bounds: Aabb<S>,
    /// What the facet is called.
    name: u32,
}

impl<S: Scalar> FacetTree<S> {
    /// The tree over the facets of a mesh, which are called by their patches' smallest triangles: each node's are halved by the middles of
    /// their corners along the axis on which these lie farthest apart.
    pub(super) fn new(mesh: &ExactMesh, patches: &[Patch], facets: &[Facet<S>]) -> Self {
        let middle = |patch: &Patch| {
            let sum =
                |axis: usize| patch.corners(mesh).map(|corner| mesh.corners()[corner as usize][axis]).sum::<i64>();
            [0, 1, 2].map(|axis| sum(axis) * 3 / patch.sides().len() as i64)
        };
        let middles: Vec<GridPoint> = patches.iter().map(middle).collect();
        let mut tree = Self { nodes: Vec::new(), leaves: Vec::new() };
        let mut order: Vec<u32> = (0..facets.len() as u32).collect();
        tree.add(&mut order, 0, &middles, facets);
        let leaf = |facet: usize| Leaf { bounds: facets[facet].bounds(), name: patches[facet].name() };
        tree.leaves = order.into_iter().map(|facet| leaf(facet as usize)).collect();
        tree
    }

    /// Adds the node of some facets, which begin at `start` in the order of the leaves.
    fn add(&mut self, own: &mut [u32], start: usize, middles: &[GridPoint], facets: &[Facet<S>]) {
        let boxes = own.iter().map(|&facet| facets[facet as usize].bounds());
        let bounds = boxes.reduce(|all, next| all.union(&next)).unwrap_or_default();
        let number = self.nodes.len();
        let is_leaf = own.len() <= LEAF;
        let count = if is_leaf { own.len() as u32 } else { 0 };
        self.nodes.push(Node { bounds, start: start as u32, count });
        if is_leaf {
            return;
        }
        let width = |axis: usize| {
            let along = own.iter().map(|&facet| middles[facet as usize][axis]);
            along.clone().max().unwrap_or(0) - along.min().unwrap_or(0)
        };
        let axis = (0..3).rev().max_by_key(|&axis| width(axis)).unwrap_or(0);
        let half = own.len() / 2;
        own.select_nth_unstable_by_key(half, |&facet| (middles[facet as usize][axis], facet));
        let (low, high) = own.split_at_mut(half);
        self.add(low, start, middles, facets);
        self.nodes[number].start = self.nodes.len() as u32;
        self.add(high, start + half, middles, facets);
    }

    /// The box around all facets.
    pub(super) fn bounds(&self) -> Aabb<S> {
        self.nodes.first().map_or_else(Aabb::default, |node| node.bounds)
    }

    /// The facets of a leaf.
    fn leaves_of(&self, node: &Node<S>) -> &[Leaf<S>] {
        self.leaves.get(node.start as usize..(node.start + node.count) as usize).unwrap_or_default()
    }

    /// Adds to `found` the facets whose boxes meet a box; ascending.
    pub(super) fn near(&self, bounds: &Aabb<S>, found: &mut Vec<u32>) {
        let before = found.len();
        let mut open = [0_u32; MOST_OPEN];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            let number = open[count];
            let Some(node) = self.nodes.get(number as usize).filter(|node| node.bounds.overlaps(bounds)) else {
                continue;
            };
            if node.count > 0 {
                let near = self.leaves_of(node).iter().filter(|leaf| leaf.bounds.overlaps(bounds));
                found.extend(near.map(|leaf| leaf.name));
            } else if let Some(room) = open.get_mut(count..count + 2) {
                room.copy_from_slice(&[number + 1, node.start]);
                count += 2;
            }
        }
        found[before..].sort_unstable();
    }

    /// See [`Mesh::search`](crate::geometry::Mesh::search).
    #[inline]
    pub(super) fn search(&self, least: impl Fn(&Aabb<S>) -> S, mut look: impl FnMut(u32) -> S) {
        let mut nearest = S::MAX;
        let mut open = [(S::ZERO, 0_u32); MOST_OPEN];
        let mut count = 1;
        let bound = |number: u32| self.nodes.get(number as usize).map_or(S::MAX, |node| least(&node.bounds));
        open[0].0 = bound(0);
        while count > 0 {
            count -= 1;
            let (gap, number) = open[count];
            let Some(node) = self.nodes.get(number as usize).filter(|_| gap < nearest) else { continue };
            if node.count > 0 {
                for leaf in self.leaves_of(node) {
                    if least(&leaf.bounds) < nearest {
                        nearest = look(leaf.name);
                    }
                }
            } else if let Some(room) = open.get_mut(count..count + 2) {
                let [first, second] = [number + 1, node.start].map(|child| (bound(child), child));
                // The nearer one is looked at first.
                room.copy_from_slice(&if first.0 <= second.0 { [second, first] } else { [first, second] });
                count += 2;
            }
        }
    }
}
