//! Clipping a face of one polyhedron to the sides of a face of another.
//!
//! I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping", 1974.

use crate::math::{Scalar, Vec3};

/// What bounds an outline: an edge of the clipped face, or a side of the clipping one. By the numbers of edges of their shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// An edge of the face that is clipped.
    Edge(u16),
    /// A side of the face that clips.
    Side(u16),
}

/// A corner of the outline.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutlineCorner<S> {
    /// Its foot in the plane of the clipping face.
    pub(super) foot: Vec3<S>,
    /// The gap above that.
    pub(super) gap: S,
    /// What bounds the outline on either side of it, in the order of the outline.
    pub(super) bounds: [Bound; 2],
}

impl<S: Scalar> OutlineCorner<S> {
    const NONE: Self = Self { foot: Vec3::ZERO, gap: S::ZERO, bounds: [Bound::Edge(0); 2] };
}

/// A convex outline of up to `N` corners.
pub(super) struct Outline<S, const N: usize> {
    corners: [OutlineCorner<S>; N],
    count: usize,
}

/// A side of the clipping face.
pub(super) struct Side<S> {
    /// Out of the face, in its plane, of length one.
    pub(super) outwards: Vec3<S>,
    /// `outwards . x` on the side.
    pub(super) offset: S,
    /// The number of its edge.
    pub(super) edge: u16,
}

impl<S: Scalar, const N: usize> Outline<S, N> {
    pub(super) fn empty() -> Self {
        Self { corners: [OutlineCorner::NONE; N], count: 0 }
    }

    /// The corners that are left.
    pub(super) fn corners(&self) -> &[OutlineCorner<S>] {
        self.corners.get(..self.count).unwrap_or_default()
    }

    /// Adds a corner; there is always room, for a cut adds one corner at most.
    pub(super) fn push(&mut self, corner: OutlineCorner<S>) {
        if let Some(slot) = self.corners.get_mut(self.count) {
            *slot = corner;
            self.count += 1;
        }
    }

    /// Cuts away what lies beyond a side and puts the rest into `kept`; false where nothing does, and nothing is put there.
    ///
    /// A corner that sticks out by no more than `slack` stays whole: in a stack of equal bodies the corners would otherwise change
    /// their names with every jitter.
    pub(super) fn cut(&self, side: &Side<S>, slack: S, kept: &mut Self) -> bool {
        let height = |corner: &OutlineCorner<S>| side.outwards.dot(corner.foot) - side.offset;
        if self.corners().iter().all(|corner| height(corner) <= slack) {
            return false;
        }
        kept.count = 0;
        for (index, corner) in self.corners().iter().enumerate() {
            let following = &self.corners[if index + 1 == self.count { 0 } else { index + 1 }];
            let (here, there) = (height(corner), height(following));
            let (bound, cut) = (corner.bounds[1], Bound::Side(side.edge));
            if here <= slack {
                kept.push(*corner);
                if there > slack {
                    kept.push(crossing((corner, here), (following, there), slack, [bound, cut]));
                }
            } else if there <= slack {
                kept.push(crossing((following, there), (corner, here), slack, [cut, bound]));
            }
        }
        true
    }
}

/// Where the outline crosses a side, or its slack where even the inner end sticks out. Always taken from the inner end to the outer, so
/// that it does not matter which way the outline runs.
fn crossing<S: Scalar>(
    (inner, low): (&OutlineCorner<S>, S),
    (outer, high): (&OutlineCorner<S>, S),
    slack: S,
    bounds: [Bound; 2],
) -> OutlineCorner<S> {
    let level = if low <= S::ZERO { S::ZERO } else { slack };
    let along = (level - low) / (high - low);
    let foot = inner.foot + (outer.foot - inner.foot) * along;
    OutlineCorner { foot, gap: inner.gap + (outer.gap - inner.gap) * along, bounds }
}
