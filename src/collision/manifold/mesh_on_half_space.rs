//! A mesh on a half-space: the corners that lie on it, of whatever facets they are. Which side is the front of these does not matter.

use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{Bearing, Carrier, MAX_POINTS, Manifold};
use crate::geometry::Mesh;
use crate::math::{Mat3, Scalar, Vec3};

/// A corner that may touch, seen from the lowest: where in the plane of the contact, and by how much it is higher.
struct Corner<S> {
    number: u32,
    place: [S; 2],
    above: S,
}

/// A mesh as shape A on a half-space as shape B, whose normal `up` is in the axes of the world. What touches is the lowest corner, and with
/// it those of the flattest plane through it that has no corner below it: the face on which the hull of the mesh would lie. The feature is the number of
/// the corner.
pub(super) fn mesh_on_half_space<S: Scalar>(
    (mesh, rotation): (&Mesh<S>, &Mat3<S>),
    up: Vec3<S>,
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let down = -rotation.transpose_mul(up);
    let depth_of_plane = -up.dot(offset);
    let mut manifold = Manifold::with_normal(-up);
    manifold.carrier = Carrier::Second;
    let lowest = depth_of_plane - mesh.reach_along(down);
    if lowest > margin {
        return Manifold::of_apart(manifold.normal, lowest);
    }
    let mut near = Vec::new();
    mesh.corners_beyond(down, depth_of_plane - margin, &mut near);
    let height = |corner: u32| depth_of_plane - down.dot(mesh.corners()[corner as usize]);
    let (right, forward) = down.tangents();
    let flat = mesh.reach().scale_by_power_of_two(-10);
    keep_face(&mut near, mesh, [down, right, forward], flat);
    let mut candidates: Vec<Candidate<S>> = near
        .iter()
        .map(|&corner| {
            let place = mesh.corners()[corner as usize];
            Candidate { place: [right.dot(place), forward.dot(place)], separation: height(corner), feature: corner }
        })
        .collect();
    let kept = reduce(&mut candidates, flat, bearing);
    for candidate in candidates.iter().take(kept.min(MAX_POINTS)) {
        let point = *rotation * mesh.corners()[candidate.feature as usize];
        manifold.push(point - up * (candidate.separation * S::HALF), candidate.separation, candidate.feature);
    }
    manifold
}

/// Leaves of some corners those of one face of their hull: at the lowest, over the flattest edge there, the flatter of the two. What differs in
/// height by less than `flat` counts as in one plane.
fn keep_face<S: Scalar>(near: &mut Vec<u32>, mesh: &Mesh<S>, [down, right, forward]: [Vec3<S>; 3], flat: S) {
    let depth = |corner: u32| down.dot(mesh.corners()[corner as usize]);
    let Some(lowest) = near.iter().copied().reduce(|best, next| if depth(next) > depth(best) { next } else { best })
    else {
        return;
    };
    let from = mesh.corners()[lowest as usize];
    let corners: Vec<Corner<S>> = near
        .iter()
        .filter(|&&number| number != lowest)
        .map(|&number| {
            let way = mesh.corners()[number as usize] - from;
            Corner { number, place: [right.dot(way), forward.dot(way)], above: -down.dot(way) }
        })
        .collect();
    let Some(plane) = flattest_plane(&corners) else { return };
    let is_in_plane = |corner: &Corner<S>| corner.above - S::dot2(plane, corner.place) <= flat;
    near.clear();
    near.push(lowest);
    near.extend(corners.iter().filter(|corner| is_in_plane(corner)).map(|corner| corner.number));
    near.sort_unstable();
}

/// By how much a plane through the lowest corner rises along the two directions of the contact, which has no corner below it and rises as
/// little as any that has two others in it; of one other along the line to it, level across.
fn flattest_plane<S: Scalar>(corners: &[Corner<S>]) -> Option<[S; 2]> {
    let length = |[x, y]: [S; 2]| Vec3::new(x, y, S::ZERO).length();
    let slope = |corner: &Corner<S>| {
        let reach = length(corner.place);
        // What stands nearly above the lowest corner has no slope that fits fixed point, and none that matters.
        if reach > corner.above.scale_by_power_of_two(-12) { corner.above / reach } else { S::MAX }
    };
    let (mut edge, mut least) = (corners.first()?, S::MAX);
    for corner in corners {
        let slope = slope(corner);
        if slope < least {
            (edge, least) = (corner, slope);
        }
    }
    let reach = length(edge.place);
    if least == S::MAX || reach == S::ZERO {
        return None;
    }
    let along = edge.place.map(|part| part / reach);
    let across = [-along[1], along[0]];
    // How steeply the plane through the edge and a corner rises across the edge, on either side.
    let mut rises = [S::MAX; 2];
    for corner in corners {
        let out = S::dot2(across, corner.place);
        let above = corner.above - least * S::dot2(along, corner.place);
        let (side, out) = if out > S::ZERO { (0, out) } else { (1, -out) };
        // Corners on the line of the edge say nothing of its planes.
        if out > reach.scale_by_power_of_two(-10) {
            rises[side] = rises[side].min(above / out);
        }
    }
    let rise = match rises {
        [left, right] if left <= right => left,
        [_, right] => -right,
    };
    let rise = if rise.abs() == S::MAX { S::ZERO } else { rise };
    Some([along[0] * least + across[0] * rise, along[1] * least + across[1] * rise])
}
