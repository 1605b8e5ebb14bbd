//! Triangle meshes: surfaces made of facets, each of which has a front only.
//!
//! Which corners are one, which triangles are neighbours and whether the side between them sticks out is decided in whole numbers
//! ([`ExactMesh`]). [`Mesh`] is that in the scalar of a run: facets that are collided with one by one, and a tree to find them.

pub mod exact;
pub mod facet;
mod junctions;
pub mod store;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

pub use exact::{Beyond, ExactMesh, LeftOut, MAX_TRIANGLES, MESH_SPAN, MeshError};
pub use facet::{Facet, Lean, Part, Rim};
pub use store::MeshStore;

use crate::geometry::Shape;
use crate::geometry::aabb::Aabb;
use crate::geometry::hull::on_grid;
use crate::geometry::mesh::tree::FacetTree;
use crate::math::{Mat3, Scalar, Vec3};

/// A triangle mesh about the middle of its box. Metres, its own axes.
#[derive(Clone, Debug)]
pub struct Mesh<S> {
    exact: Arc<ExactMesh>,
    /// From the origin, in the order of the exact ones.
    corners: Vec<Vec3<S>>,
    /// Each a [`Shape::Facet`].
    pieces: Vec<Shape<S>>,
    tree: FacetTree<S>,
    /// To the farthest corner.
    reach: S,
}

impl<S: Scalar> Mesh<S> {
    /// A mesh in this scalar. In fixed point what is smaller than 2^-32 m is rounded.
    #[must_use]
    pub fn new(exact: Arc<ExactMesh>) -> Self {
        let sides = exact.sides();
        let facets: Vec<Facet<S>> =
            sides.iter().enumerate().map(|(triangle, &beyond)| Facet::new(&exact, triangle, beyond)).collect();
        let facets = with_sharp_corners(&exact, facets);
        let tree = FacetTree::new(&exact, &facets);
        let far = |facet: &Facet<S>| facet.corners().map(|corner| (facet.origin() + corner).length());
        let reach = facets.iter().flat_map(far).fold(S::ZERO, S::max);
        let pieces = facets.into_iter().map(|facet| Shape::Facet(Arc::new(facet))).collect();
        let corners = exact.corners().iter().map(|&corner| on_grid(corner, exact.exponent())).collect();
        Self { exact, corners, pieces, tree, reach }
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

    /// How many facets it has; never none.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether it has no facets, which it never has.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The facet of this number as a shape about its own origin; of a number too large the last one.
    #[inline]
    #[must_use]
    pub fn piece(&self, number: u32) -> &Shape<S> {
        &self.pieces[(number as usize).min(self.pieces.len() - 1)]
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
        let largest = |v: Vec3<S>| v.abs().to_array().into_iter().fold(S::ZERO, S::max);
        largest(min).max(largest(max))
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

    /// Adds to `found` the numbers of the facets whose leaves a box in the mesh's axes meets, ascending.
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
                for &corner in &self.exact.triangles()[number as usize] {
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
                let own = self.exact.triangles()[number as usize];
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
        self.facets().flat_map(|facet| facet.corners().map(|corner| facet.origin() + corner)).collect()
    }
}

/// The facets of a mesh, told at which of their corners any of them ends or falls away.
fn with_sharp_corners<S: Scalar>(exact: &ExactMesh, facets: Vec<Facet<S>>) -> Vec<Facet<S>> {
    let mut is_sharp = vec![false; exact.corners().len()];
    for (facet, corners) in facets.iter().zip(exact.triangles()) {
        for place in (0..3).filter(|&place| facet.rims()[place] != Rim::Level) {
            is_sharp[corners[place] as usize] = true;
            is_sharp[corners[(place + 1) % 3] as usize] = true;
        }
    }
    let facets = facets.into_iter().zip(exact.triangles());
    facets.map(|(facet, corners)| facet.with_sharp_corners(corners.map(|corner| is_sharp[corner as usize]))).collect()
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
