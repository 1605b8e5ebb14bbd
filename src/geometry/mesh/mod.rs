//! Triangle meshes: surfaces made of facets, each of which has a front only.
//!
//! Which corners are one, which triangles are neighbours and whether the side between them sticks out is decided in whole numbers
//! ([`ExactMesh`]), and so is which of them lie in one plane and are met as one piece (in `patches`). [`Mesh`] is that in the scalar of a
//! run: facets that are collided with one by one, and a tree to find them.

pub mod exact;
pub mod facet;
mod few;
mod junctions;
mod patches;
pub mod store;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use exact::{Beyond, ExactMesh, LeftOut, MAX_TRIANGLES, MESH_SPAN, MeshError};
pub use facet::{Facet, Lean, Part, Rim};
pub use patches::MOST_SIDES;
pub use store::MeshStore;

use crate::geometry::Shape;
use crate::geometry::aabb::Aabb;
use crate::geometry::hull::{Topology, on_grid};
use crate::geometry::mesh::facet::{both_faces, direction};
use crate::geometry::mesh::patches::{Patch, patches};
use crate::geometry::mesh::tree::FacetTree;
use crate::math::{Mat3, Scalar, Vec3};

/// A triangle mesh about the middle of its box. Metres, its own axes.
#[derive(Clone, Debug)]
pub struct Mesh<S> {
    exact: Arc<ExactMesh>,
    /// From the origin, in the order of the exact ones.
    corners: Vec<Vec3<S>>,
    /// Each a [`Shape::Facet`], ordered by the smallest triangle of each.
    pieces: Vec<Shape<S>>,
    /// By triangle, of which piece it is a part.
    piece_of: Vec<u32>,
    /// The numbers of the corners of all pieces, and where those of each begin and the last ones end.
    piece_corners: Vec<u32>,
    piece_starts: Vec<u32>,
    tree: FacetTree<S>,
    /// To the farthest corner.
    reach: S,
}

impl<S: Scalar> Mesh<S> {
    /// A mesh in this scalar. In fixed point what is smaller than 2^-32 m is rounded.
    #[must_use]
    pub fn new(exact: Arc<ExactMesh>) -> Self {
        let beyond = exact.sides();
        let patches = patches(&exact, &beyond);
        let mut piece_of = vec![0; exact.triangles().len()];
        let (mut piece_corners, mut piece_starts) = (Vec::new(), vec![0]);
        let mut topologies = BTreeMap::new();
        let mut facets = Vec::with_capacity(patches.len());
        for (piece, patch) in (0..).zip(&patches) {
            patch.triangles().iter().for_each(|&triangle| piece_of[triangle as usize] = piece);
            piece_corners.extend(patch.corners(&exact));
            piece_starts.push(piece_corners.len() as u32);
            let count = patch.sides().len();
            let topology = topologies.entry(count).or_insert_with(|| Arc::new(Topology::new(both_faces(count))));
            facets.push(Facet::new(&exact, patch, &beyond, Arc::clone(topology)));
        }
        let facets = with_sharp_corners(&exact, &patches, facets);
        let tree = FacetTree::new(&exact, &patches, &facets);
        let far = |facet: &Facet<S>| {
            facet.corners().iter().map(|&corner| (facet.origin() + corner).length()).fold(S::ZERO, S::max)
        };
        let reach = facets.iter().map(far).fold(S::ZERO, S::max);
        let pieces = facets.into_iter().map(|facet| Shape::Facet(Arc::new(facet))).collect();
        let corners = exact.corners().iter().map(|&corner| on_grid(corner, exact.exponent())).collect();
        Self { exact, corners, pieces, piece_of, piece_corners, piece_starts, tree, reach }
    }

    /// A triangle to read another mesh into.
    #[must_use]
    pub fn blank() -> Self {
        Self::new(Arc::new(ExactMesh::triangle()))
    }

    /// What it is, whatever the scalar.
    #[must_use]
    pub const fn exact(&self) -> &Arc<ExactMesh> {
        &self.exact
    }

    /// The facet that a triangle of this number is a part of, as a shape about its own origin; of a number too large that of the last one.
    /// Facets are called by the smallest triangle of each.
    #[inline]
    #[must_use]
    pub fn piece(&self, number: u32) -> &Shape<S> {
        let piece = self.piece_of[(number as usize).min(self.piece_of.len() - 1)];
        &self.pieces[piece as usize]
    }

    /// The numbers of the corners of the facet that a triangle is a part of.
    fn corners_of_piece(&self, number: u32) -> &[u32] {
        let piece = self.piece_of[number as usize] as usize;
        &self.piece_corners[self.piece_starts[piece] as usize..self.piece_starts[piece + 1] as usize]
    }

    /// The facets, in order.
    pub fn facets(&self) -> impl Iterator<Item = &Facet<S>> {
        self.pieces.iter().filter_map(|piece| match piece {
            Shape::Facet(facet) => Some(facet.as_ref()),
            _ => None,
        })
    }

    /// The distance of the farthest corner from the origin, metres.
    #[must_use]
    pub const fn reach(&self) -> S {
        self.reach
    }

    /// The largest coordinate of a corner, metres.
    #[must_use]
    pub fn largest_half_extent(&self) -> S {
        let Aabb { min, max } = self.bounds();
        min.largest_component().max(max.largest_component())
    }

    /// The box around it, in its own axes.
    #[must_use]
    pub fn bounds(&self) -> Aabb<S> {
        self.tree.bounds()
    }

    /// A box that holds the mesh turned by `rotation`, about its origin.
    #[must_use]
    pub fn aabb(&self, rotation: &Mat3<S>) -> Aabb<S> {
        turned(&self.bounds(), rotation)
    }

    /// Adds to `found` the numbers of the facets whose boxes a box in the mesh's axes meets, ascending.
    pub fn near(&self, bounds: &Aabb<S>, found: &mut Vec<u32>) {
        self.tree.near(bounds, found);
    }

    /// Looks at facets, those in near boxes first, as long as there are boxes nearer than what was found: `least` says how near anything
    /// in a box can be, `look` what is the nearest after a look at a facet.
    pub fn search(&self, least: impl Fn(&Aabb<S>) -> S, look: impl FnMut(u32) -> S) {
        self.tree.search(least, look);
    }

    /// How often a straight way between two places in its axes goes through it: from front to back, and from back to front. A way through
    /// a side of two facets counts for both.
    #[must_use]
    pub fn crossings(&self, from: Vec3<S>, to: Vec3<S>) -> [u32; 2] {
        let way = Aabb::new(from, from).union(&Aabb::new(to, to));
        let mut found = [0; 2];
        let overlaps = |bounds: &Aabb<S>| if bounds.overlaps(&way) { S::ZERO } else { S::MAX };
        self.tree.search(overlaps, |number| {
            if let Shape::Facet(facet) = self.piece(number)
                && let Some(from_front) = facet.is_crossed(from - facet.origin(), to - facet.origin())
            {
                found[usize::from(!from_front)] += 1;
            }
            S::ONE
        });
        found
    }

    /// The corners from its origin, in the order of those of the exact mesh.
    #[must_use]
    pub fn corners(&self) -> &[Vec3<S>] {
        &self.corners
    }

    /// How far the mesh reaches from its origin along a direction in its axes.
    #[must_use]
    pub fn reach_along(&self, direction: Vec3<S>) -> S {
        direction.dot(self.farthest_corner(direction))
    }

    /// The corner that lies farthest along a direction in its axes, from its origin, one of several.
    #[must_use]
    pub fn farthest_corner(&self, direction: Vec3<S>) -> Vec3<S> {
        let mut best = (-S::MAX, Vec3::ZERO);
        self.tree.search(
            |bounds| -farthest_of_box(bounds, direction),
            |number| {
                for &corner in self.corners_of_piece(number) {
                    let corner = self.corners[corner as usize];
                    let along = direction.dot(corner);
                    if along > best.0 {
                        best = (along, corner);
                    }
                }
                -best.0
            },
        );
        best.1
    }

    /// Puts into `found` the numbers of the corners that lie at least this far along a unit direction in its axes, ascending.
    pub fn corners_beyond(&self, direction: Vec3<S>, least: S, found: &mut Vec<u32>) {
        found.clear();
        // As much as the roundings of a product can take away.
        let slack = self.reach * (S::EPSILON * S::from_i32(8));
        self.tree.search(
            |bounds| if farthest_of_box(bounds, direction) >= least - slack { S::ZERO } else { S::MAX },
            |number| {
                let own = self.corners_of_piece(number);
                found.extend(own.iter().filter(|&&corner| direction.dot(self.corners[corner as usize]) >= least));
                S::ONE
            },
        );
        found.sort_unstable();
        found.dedup();
    }

    /// The surface as triangles: their corners three by three from the mesh's origin, counter-clockwise as seen from the front.
    #[must_use]
    pub fn triangles(&self) -> Vec<Vec3<S>> {
        self.exact.triangles().as_flattened().iter().map(|&corner| self.corners[corner as usize]).collect()
    }

    /// The unit normal out of the front of a triangle.
    #[must_use]
    pub fn normal_of_triangle(&self, triangle: usize) -> Vec3<S> {
        direction(self.exact.normal(triangle))
    }
}

/// The facets of a mesh, told at which of their corners any of them ends or falls away.
fn with_sharp_corners<S: Scalar>(exact: &ExactMesh, patches: &[Patch], facets: Vec<Facet<S>>) -> Vec<Facet<S>> {
    let mut is_sharp = vec![false; exact.corners().len()];
    for (facet, patch) in facets.iter().zip(patches) {
        let sides = facet.rims().zip(patch.sides()).filter(|(rim, _)| *rim != Rim::Level);
        sides.flat_map(|(_, side)| side.corners(exact)).for_each(|corner| is_sharp[corner as usize] = true);
    }
    let facets = facets.into_iter().zip(patches);
    let told = |(facet, patch): (Facet<S>, &Patch)| {
        facet.with_sharp_corners(patch.corners(exact).map(|corner| is_sharp[corner as usize]))
    };
    facets.map(told).collect()
}

/// How far a box reaches along a direction.
fn farthest_of_box<S: Scalar>(bounds: &Aabb<S>, direction: Vec3<S>) -> S {
    let farther = |low: S, high: S, along: S| if along > S::ZERO { high } else { low };
    let Aabb { min, max } = bounds;
    let corner = Vec3::new(
        farther(min.x, max.x, direction.x),
        farther(min.y, max.y, direction.y),
        farther(min.z, max.z, direction.z),
    );
    direction.dot(corner)
}

/// A box around a box turned by `rotation`.
#[must_use]
pub fn turned<S: Scalar>(bounds: &Aabb<S>, rotation: &Mat3<S>) -> Aabb<S> {
    let middle = (bounds.min + bounds.max) * S::HALF;
    let half = bounds.max - middle;
    let centre = *rotation * middle;
    let reach = Vec3::from_array(rotation.rows.map(|row| row.abs().dot(half)));
    // As much as the roundings of a product can take away.
    let slack = Vec3::splat((half.taxicab_length() + middle.taxicab_length()) * (S::EPSILON * S::from_i32(4)));
    Aabb::new(centre - reach - slack, centre + reach + slack)
}

/// Two meshes are equal when they are the same to the last bit, wherever they stand in memory.
impl<S> PartialEq for Mesh<S> {
    fn eq(&self, other: &Self) -> bool {
        self.exact.content() == other.exact.content()
    }
}
