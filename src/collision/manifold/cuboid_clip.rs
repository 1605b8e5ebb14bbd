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

    /// An outline without corners.
    pub(super) fn empty() -> Self {
        Self { corners: [Corner::default(); MAX_CORNERS], count: 0 }
    }

    /// The corners that are left.
    pub(super) fn corners(&self) -> &[Corner<S>] {
        self.corners.get(..self.count).unwrap_or_default()
    }

    /// What is left without that which lies beyond these limits to either side along the first two coordinates. It stands here
    /// or in `spare`, whatever that held.
    ///
    /// A corner that sticks out by no more than `slack` stays whole: in a stack of equal boxes the corners would otherwise
    /// change their names with every jitter.
    pub(super) fn clip_to_rectangle<'a>(
        &'a mut self,
        spare: &'a mut Self,
        [first, second]: [S; 2],
        slack: S,
    ) -> &'a mut Self {
        let (now, spare) = self.clip(&Plane::<S, 0, false> { limit: first, slack }, spare);
        let (now, spare) = now.clip(&Plane::<S, 0, true> { limit: first, slack }, spare);
        let (now, spare) = now.clip(&Plane::<S, 1, false> { limit: second, slack }, spare);
        now.clip(&Plane::<S, 1, true> { limit: second, slack }, spare).0
    }

    /// Cuts away what lies beyond one plane, and puts the rest into `next`: what is left, and the outline that is free.
    #[inline(always)]
    fn clip<'a, const COORDINATE: usize, const IS_LOW: bool>(
        &'a mut self,
        plane: &Plane<S, COORDINATE, IS_LOW>,
        next: &'a mut Self,
    ) -> (&'a mut Self, &'a mut Self) {
        let mut heights = [S::ZERO; MAX_CORNERS];
        let mut sticks_out = false;
        for (height, corner) in heights.iter_mut().zip(self.corners()) {
            *height = plane.height(corner);
            sticks_out |= *height > plane.slack;
        }
        if !sticks_out {
            return (self, next);
        }
        self.cut(plane, &heights, next);
        (next, self)
    }

    /// Puts into `kept` what is left below a plane out of which the corners stick by these heights.
    fn cut<const COORDINATE: usize, const IS_LOW: bool>(
        &self,
        plane: &Plane<S, COORDINATE, IS_LOW>,
        heights: &[S; MAX_CORNERS],
        kept: &mut Self,
    ) {
        kept.count = 0;
        for (index, corner) in self.corners().iter().enumerate() {
            let following = if index + 1 == self.count { 0 } else { index + 1 };
            let (here, there) = (heights[index], heights[following]);
            let is_inside = here <= plane.slack;
            let edge = corner.edges[1];
            if is_inside {
                kept.push(*corner);
            }
            if is_inside && there > plane.slack {
                let next = &self.corners[following];
                kept.push(plane.crossing((corner, here), (next, there), [edge, plane.edge()]));
            } else if !is_inside && there <= plane.slack {
                let next = &self.corners[following];
                kept.push(plane.crossing((next, there), (corner, here), [plane.edge(), edge]));
            }
        }
    }

    /// Adds a corner. There is always room: a plane cuts a convex outline twice and takes at least one corner away.
    fn push(&mut self, corner: Corner<S>) {
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }
}

/// A side of the reference face: it bounds a coordinate, on the negative side or the positive one.
struct Plane<S, const COORDINATE: usize, const IS_LOW: bool> {
    /// How far from the centre it is.
    limit: S,
    /// How far corners may stick out.
    slack: S,
}

impl<S: Scalar, const COORDINATE: usize, const IS_LOW: bool> Plane<S, COORDINATE, IS_LOW> {
    /// The number of the edge that a cut by this plane makes.
    fn edge(&self) -> u8 {
        4 + 2 * COORDINATE as u8 + u8::from(IS_LOW)
    }

    /// How far a corner sticks out.
    #[inline(always)]
    fn height(&self, corner: &Corner<S>) -> S {
        let value = corner.coordinates[COORDINATE];
        (if IS_LOW { -value } else { value }) - self.limit
    }

    /// Where an edge crosses the plane, or its slack when even the inner end sticks out. Always taken from the inner end to
    /// the outer, each with its height, so that it does not matter which way the outline runs.
    #[inline(always)]
    fn crossing(&self, (inner, low): (&Corner<S>, S), (outer, high): (&Corner<S>, S), edges: [u8; 2]) -> Corner<S> {
        let level = if low <= S::ZERO { S::ZERO } else { self.slack };
        let along = (level - low) / (high - low);
        let mut coordinates = inner.coordinates;
        for (value, end) in coordinates.iter_mut().zip(outer.coordinates) {
            *value += (end - *value) * along;
        }
        let bound = self.limit + level;
        coordinates[COORDINATE] = if IS_LOW { -bound } else { bound };
        Corner { coordinates, edges }
    }
}

#[cfg(test)]
mod tests {
    use super::Outline;
    use crate::math::{Fixed, Scalar};

    /// A square standing on its corner, half the diagonal wide, at height 2.
    fn diamond<S: Scalar>(half: i32) -> Outline<S> {
        let corner = |x: i32, y: i32| [S::from_i32(x), S::from_i32(y), S::TWO];
        Outline::quadrilateral([corner(half, 0), corner(0, half), corner(-half, 0), corner(0, -half)])
    }

    #[test]
    fn a_cut_diamond_is_an_octagon_whose_edges_meet() {
        fn check<S: Scalar>() {
            let mut outline = diamond::<S>(3);
            let mut spare = diamond(1);
            let corners = outline.clip_to_rectangle(&mut spare, [S::TWO; 2], S::ZERO).corners();
            assert_eq!(corners.len(), 8);
            for (corner, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                assert_eq!(corner.edges[1], next.edges[0]);
                let [x, y, height] = corner.coordinates.map(S::to_f64);
                let sides = [x.abs().min(y.abs()), x.abs().max(y.abs())];
                assert!((sides[0] - 1.0).abs() < 1e-6 && (sides[1] - 2.0).abs() < 1e-6 && height == 2.0);
            }
            let mut edges: Vec<u8> = corners.iter().map(|corner| corner.edges[0]).collect();
            edges.sort_unstable();
            assert_eq!(edges, [0, 1, 2, 3, 4, 5, 6, 7]);
        }
        check::<Fixed>();
        check::<f32>();
        check::<f64>();
    }

    #[test]
    fn corners_within_the_slack_stay_whole() {
        let mut outline = diamond::<f64>(3);
        let mut spare = diamond(1);
        assert_eq!(outline.clip_to_rectangle(&mut spare, [2.5; 2], 0.5).corners(), diamond(3).corners());
        assert_eq!(outline.clip_to_rectangle(&mut spare, [2.5; 2], 0.25).corners().len(), 8);
    }

    #[test]
    fn nothing_is_left_of_an_outline_beyond_a_plane() {
        let mut outline = Outline::quadrilateral([[3.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 1.0, 0.0], [3.0, 1.0, 0.0]]);
        assert!(outline.clip_to_rectangle(&mut diamond(1), [2.0; 2], 0.0).corners().is_empty());
    }
}
