//! A hull on a half-space: the corners of the face that lies on it, and what has sunk as deep.

use crate::collision::manifold::convex::polytope::{Polytope, first_of_largest};
use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{Bearing, Carrier, MAX_POINTS, Manifold};
use crate::geometry::Hull;
use crate::geometry::hull::MAX_CORNERS;
use crate::math::{Mat3, Scalar, Vec3};

/// Corners that most hulls touch with, at most.
const FEW_CORNERS: usize = 16;

/// A hull as shape A on a half-space as shape B, whose normal `up` is in the axes of the world. Of the faces at the lowest corner the
/// one that looks down most carries the contact. The feature is the number of the corner.
pub(in crate::collision::manifold) fn hull_on_half_space<S: Scalar>(
    (hull, rotation): (&Hull<S>, &Mat3<S>),
    up: Vec3<S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let down = -rotation.transpose_mul(up);
    let height = |corner: Vec3<S>| -down.dot(corner) - up.dot(offset);
    let mut manifold = Manifold::with_normal(-up);
    manifold.carrier = Carrier::Second;
    let (lowest, depth) = first_of_largest(hull.corners(), |&corner| -height(corner));
    if -depth > margin {
        return Manifold::of_apart(manifold.normal, -depth);
    }
    let topology = hull.exact().topology();
    let faces = topology.faces_at(lowest as u16).iter().map(|&face| usize::from(face));
    let steep = |face: &usize| hull.planes()[*face].normal.dot(down);
    let Some(face) = faces.reduce(|best, next| if steep(&next) > steep(&best) { next } else { best }) else {
        return manifold;
    };
    let corners = topology.face(face);
    let flat = hull.inner_radius().scale_by_power_of_two(-10);
    // Those of other faces that are all but level, or have sunk as deep as all of these, carry it too: see `add_corners` of a face.
    let polytope = Polytope::of_hull(hull);
    let heights = corners.iter().map(|&corner| height(polytope.corner(corner)));
    let highest = heights.filter(|height| *height <= margin).fold(-depth, S::max);
    let carries = |corner: u16, height: S| {
        let is_of_face = || corners.contains(&corner) || polytope.is_on_level_face(corner, down);
        height <= highest.min(S::ZERO) || (height <= margin && is_of_face())
    };
    let mut put = |room: &mut [Candidate<S>]| {
        let (right, forward) = down.tangents();
        let mut count = 0;
        for (corner, &place) in (0..).zip(hull.corners()) {
            let separation = height(place);
            if let Some(slot) = room.get_mut(count).filter(|_| carries(corner, separation)) {
                let place = [right.dot(place), forward.dot(place)];
                *slot = Candidate { place, separation, feature: corner.into() };
                count += 1;
            }
        }
        let candidates = room.get_mut(..count).unwrap_or_default();
        let kept = reduce(candidates, flat, bearing);
        for candidate in candidates.iter().take(kept.min(MAX_POINTS)) {
            let point = *rotation * hull.corners()[candidate.feature as usize];
            manifold.push(point - up * (candidate.separation * S::HALF), candidate.separation, candidate.feature);
        }
    };
    // To clear room for all the corners that a hull may have takes longer than all else here.
    if hull.corners().iter().filter(|&&corner| height(corner) <= margin).count() <= FEW_CORNERS {
        put(&mut [Candidate::default(); FEW_CORNERS]);
    } else {
        put(&mut [Candidate::default(); MAX_CORNERS]);
    }
    manifold
}
