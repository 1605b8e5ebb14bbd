//! Clipping the face of one cuboid against the sides of a face of another.
//!
//! I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping", 1974, on a quadrilateral and four planes.

use crate::math::Scalar;

/// Corners a quadrilateral has at most after four cuts.
const MAX_CORNERS: usize = 8;

/// A corner of the clipped face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Corner<S> {
    /// Coordinates along the two sides of the reference face, then along its normal, from the reference centre.
    pub coordinates: [S; 3],
    /// The edges that meet here, in the order of the outline: 0 to 3 edges of the clipped face, 4 to 7 cutting planes.
    pub edges: [u8; 2],
}

/// The outline of the clipped face. Each corner is named by its edges, and each edge bounds the outline once, so names are
/// unique and stay while the same edges cross the same planes.
pub(super) struct Outline<S> {
    corners: [Corner<S>; MAX_CORNERS],
    count: usize,
}

impl<S: Scalar> Outline<S> {
    /// The outline of a quadrilateral given by its corners in order; edge i leads from corner i to the next.
    pub(super) fn quadrilateral(points: [[S; 3]; 4]) -> Self {
        let mut corners = [Corner::default(); MAX_CORNERS];
        for ((corner, coordinates), edges) in corners.iter_mut().zip(points).zip([[3, 0], [0, 1], [1, 2], [2, 3]]) {
            *corner = Corner { coordinates, edges };
        }
        Self { corners, count: 4 }
    }

    /// The corners that are left.
    pub(super) fn corners(&self) -> &[Corner<S>] {
        self.corners.get(..self.count).unwrap_or_default()
    }

    /// Cuts away what lies beyond `limits` to either side along the first two coordinates.
    pub(super) fn clip_to_rectangle(&mut self, limits: [S; 2]) {
        for (coordinate, limit) in limits.into_iter().enumerate() {
            for is_low in [false, true] {
                self.clip(coordinate, limit, is_low);
            }
        }
    }

    /// Cuts away what lies beyond one plane: above `limit`, or below `-limit` for the low side.
    fn clip(&mut self, coordinate: usize, limit: S, is_low: bool) {
        let height = |corner: &Corner<S>| {
            let value = corner.coordinates[coordinate];
            if is_low { -value - limit } else { value - limit }
        };
        if self.corners().iter().all(|corner| height(corner) <= S::ZERO) {
            return;
        }
        let plane = 4 + 2 * coordinate as u8 + u8::from(is_low);
        let bound = if is_low { -limit } else { limit };
        let mut kept = Self { corners: [Corner::default(); MAX_CORNERS], count: 0 };
        let following = self.corners().iter().cycle().skip(1);
        for (corner, next) in self.corners().iter().zip(following) {
            let (here, there) = (height(corner), height(next));
            if here <= S::ZERO {
                kept.push(*corner);
            }
            let edge = corner.edges[1];
            if here <= S::ZERO && there > S::ZERO {
                kept.push(crossing((corner, here), (next, there), (coordinate, bound), [edge, plane]));
            } else if here > S::ZERO && there <= S::ZERO {
                kept.push(crossing((next, there), (corner, here), (coordinate, bound), [plane, edge]));
            }
        }
        *self = kept;
    }

    /// Adds a corner. There is always room: a plane cuts a convex outline twice and takes at least one corner away.
    fn push(&mut self, corner: Corner<S>) {
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }
}

/// Where an edge crosses a plane, from its end inside to its end outside, so that it does not matter which way the outline
/// runs. `inside` comes with its height above the plane, not positive, and `outside` with its own, positive.
fn crossing<S: Scalar>(
    (inside, low): (&Corner<S>, S),
    (outside, high): (&Corner<S>, S),
    (coordinate, bound): (usize, S),
    edges: [u8; 2],
) -> Corner<S> {
    let along = -low / (high - low);
    let mut coordinates = inside.coordinates;
    for (value, end) in coordinates.iter_mut().zip(outside.coordinates) {
        *value += (end - *value) * along;
    }
    coordinates[coordinate] = bound;
    Corner { coordinates, edges }
}
