//! Cuboid against cuboid: the axis of least overlap, then either the clipped face or the two nearest edges.
//!
//! Feature ids, from bit 0: for faces the two edges that make the corner (3 bits each), the incident face (3), the
//! reference face (3) and whose it is (1); for edges the edge of A (4 bits) and of B (4) and a mark.

use crate::collision::manifold::cuboid_clip::{Corner, Outline};
use crate::collision::manifold::cuboid_sat::{Axis, CuboidPair, OTHERS};
use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{MAX_POINTS, Manifold};
use crate::math::{Mat3, Scalar, Vec3};

/// Marks the feature id of an edge against an edge.
const EDGE_MARK: u32 = 1 << 15;

/// The manifold of two cuboids, each given by half extents and orientation.
pub(super) fn collide<S: Scalar>(
    (half_a, rotation_a): (Vec3<S>, &Mat3<S>),
    (half_b, rotation_b): (Vec3<S>, &Mat3<S>),
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let pair = CuboidPair::new((half_a, rotation_a), (half_b, rotation_b), offset);
    let Some(separation) = pair.most_separating_axis(margin) else {
        return Manifold::empty();
    };
    match separation.axis {
        Axis::FaceA(axis) => {
            let face = ReferenceFace::new((half_a, half_b), pair.relative, pair.offset_a, axis);
            face.manifold(rotation_a, margin, 0)
        }
        Axis::FaceB(axis) => {
            let face = ReferenceFace::new((half_b, half_a), pair.relative.transpose(), -pair.offset_b, axis);
            face.manifold(rotation_b, margin, 1).flipped(-offset)
        }
        Axis::Edge { a, b, normal } => edge_manifold(&pair, (a, b), normal, (rotation_a, separation.gap, margin)),
    }
}

/// The face of one cuboid towards another, in the axes of the first, which is called the reference.
struct ReferenceFace<S> {
    reference: [S; 3],
    incident: [S; 3],
    /// The axes of the incident cuboid.
    incident_axes: [[S; 3]; 3],
    /// The centre of the incident cuboid.
    offset: [S; 3],
    /// The axis along which the face looks.
    axis: usize,
    /// Whether it looks along the negative axis.
    is_negative: bool,
}

impl<S: Scalar> ReferenceFace<S> {
    fn new((reference, incident): (Vec3<S>, Vec3<S>), relative: Mat3<S>, offset: Vec3<S>, axis: usize) -> Self {
        let offset = offset.to_array();
        Self {
            reference: reference.to_array(),
            incident: incident.to_array(),
            incident_axes: [0, 1, 2].map(|column| relative.column(column).to_array()),
            offset,
            axis,
            is_negative: offset[axis] < S::ZERO,
        }
    }

    /// The manifold with the reference as shape A; `rotation` is that of the reference, `whose` 0 for A and 1 for B.
    fn manifold(&self, rotation: &Mat3<S>, margin: S, whose: u32) -> Manifold<S> {
        let [u, v] = OTHERS[self.axis];
        let (corners, face) = self.incident_face();
        let mut outline = Outline::quadrilateral(corners.map(|corner| [corner[u], corner[v], corner[self.axis]]));
        outline.clip_to_rectangle([u, v].map(|side| self.reference[side]), self.slack());

        let prefix = (whose << 12) | (self.face_number() << 9) | (face << 6);
        let mut candidates = [Candidate::default(); 8];
        let mut count = 0;
        for corner in outline.corners() {
            let separation = self.height(corner);
            if let Some(slot) = candidates.get_mut(count).filter(|_| separation <= margin) {
                let [first, second, _] = corner.coordinates;
                let feature = prefix | (u32::from(corner.edges[0]) << 3) | u32::from(corner.edges[1]);
                *slot = Candidate { place: [first, second], separation, feature };
                count += 1;
            }
        }
        let candidates = candidates.get_mut(..count).unwrap_or_default();
        let kept = reduce(candidates, self.flatness());

        let column = rotation.column(self.axis);
        let mut manifold = Manifold::with_normal(if self.is_negative { -column } else { column });
        for candidate in candidates.iter().take(kept.min(MAX_POINTS)) {
            manifold.push(*rotation * self.midpoint(candidate), candidate.separation, candidate.feature);
        }
        manifold
    }

    /// The corners, in order, of the incident face that looks at the reference most, and the number of that face.
    fn incident_face(&self) -> ([[S; 3]; 4], u32) {
        let slopes = self.incident_axes.map(|axis| axis[self.axis]);
        let steep = slopes.map(S::abs);
        let incident = if steep[0] >= steep[1] && steep[0] >= steep[2] {
            0
        } else if steep[1] >= steep[2] {
            1
        } else {
            2
        };
        let [m, n] = OTHERS[incident];
        let is_negative = (slopes[incident] > S::ZERO) != self.is_negative;
        let extent = self.incident[incident];
        let along = if is_negative { -extent } else { extent };
        let signs = [(S::ONE, S::ONE), (-S::ONE, S::ONE), (-S::ONE, -S::ONE), (S::ONE, -S::ONE)];
        let corners = signs.map(|(side_m, side_n)| {
            let mut scales = [along; 3];
            scales[m] = self.incident[m] * side_m;
            scales[n] = self.incident[n] * side_n;
            [0, 1, 2].map(|row| self.offset[row] + S::dot3(self.incident_axes.map(|axis| axis[row]), scales))
        });
        (corners, 2 * incident as u32 + u32::from(is_negative))
    }

    /// The number of the reference face.
    fn face_number(&self) -> u32 {
        2 * self.axis as u32 + u32::from(self.is_negative)
    }

    /// The height of a corner above the face.
    fn height(&self, corner: &Corner<S>) -> S {
        let along = corner.coordinates[2];
        (if self.is_negative { -along } else { along }) - self.reference[self.axis]
    }

    /// The point midway between a candidate and its foot on the face.
    ///
    /// A corner that sticks out within the [`slack`](Self::slack) is put back onto the face.
    fn midpoint(&self, candidate: &Candidate<S>) -> Vec3<S> {
        let [u, v] = OTHERS[self.axis];
        let middle = self.reference[self.axis] + candidate.separation * S::HALF;
        let mut point = [if self.is_negative { -middle } else { middle }; 3];
        for (side, value) in [u, v].into_iter().zip(candidate.place) {
            point[side] = value.clamp(-self.reference[side], self.reference[side]);
        }
        Vec3::from_array(point)
    }

    /// How far a corner may stick out of the face and still be named as that corner, not as cut off. Without it the names in
    /// a stack of equal boxes would change with every jitter.
    fn slack(&self) -> S {
        self.smallest_side().scale_by_power_of_two(-8)
    }

    /// The difference in depth below which points count as equally deep, above what the jitter of a resting body makes.
    fn flatness(&self) -> S {
        self.smallest_side().scale_by_power_of_two(-10)
    }

    /// The smallest of the half extents that can bound the contact.
    fn smallest_side(&self) -> S {
        let [u, v] = OTHERS[self.axis];
        let [x, y, z] = self.incident;
        self.reference[u].min(self.reference[v]).min(x).min(y).min(z)
    }
}

/// The one point where the two nearest edges cross, with the axis' own gap.
///
/// Edges that would only cross beyond their ends are nearest elsewhere: then the shapes are farther apart than this axis
/// shows, and no point is given when that is beyond the margin.
fn edge_manifold<S: Scalar>(
    pair: &CuboidPair<S>,
    (axis_a, axis_b): (usize, usize),
    normal: Vec3<S>,
    (rotation_a, gap, margin): (&Mat3<S>, S, S),
) -> Manifold<S> {
    let (edge_a, corner_a) = supporting_edge(pair.half_a, axis_a, normal);
    let (edge_b, corner_b) = supporting_edge(pair.half_b, axis_b, -pair.relative.transpose_mul(normal));
    let between = pair.offset_a + pair.relative * edge_b - edge_a;
    let direction = pair.relative.column(axis_b);
    let cosine = direction.to_array()[axis_a];
    let (along_a, along_b) = (between.to_array()[axis_a], direction.dot(between));
    let (reach_a, reach_b) = (pair.half_a.to_array()[axis_a], pair.half_b.to_array()[axis_b]);
    // The nearest points of two lines with unit directions, each then held between the ends of its edge.
    let place_a = ((along_a - cosine * along_b) / (S::ONE - cosine * cosine)).clamp(-reach_a, reach_a);
    let place_b = (cosine * place_a - along_b).clamp(-reach_b, reach_b);
    let place_a = (along_a + cosine * place_b).clamp(-reach_a, reach_a);
    let mut point_a = edge_a.to_array();
    point_a[axis_a] = place_a;
    let point_a = Vec3::from_array(point_a);
    let apart = between + edge_a + direction * place_b - point_a;

    let mut manifold = Manifold::with_normal(*rotation_a * normal);
    if gap <= S::ZERO || apart.length() <= margin {
        let edges = |axis: usize, corner: u32| ((axis as u32) << 2) | corner;
        let feature = EDGE_MARK | (edges(axis_a, corner_a) << 4) | edges(axis_b, corner_b);
        manifold.push(*rotation_a * (point_a + apart * S::HALF), gap, feature);
    }
    manifold
}

/// The middle of the edge along `axis` that lies farthest in a direction, and which of the four it is.
fn supporting_edge<S: Scalar>(half_extents: Vec3<S>, axis: usize, direction: Vec3<S>) -> (Vec3<S>, u32) {
    let (half_extents, direction) = (half_extents.to_array(), direction.to_array());
    let mut middle = [S::ZERO; 3];
    let mut corner = 0;
    for (bit, side) in OTHERS[axis].into_iter().enumerate() {
        let is_negative = direction[side] < S::ZERO;
        middle[side] = if is_negative { -half_extents[side] } else { half_extents[side] };
        corner |= u32::from(is_negative) << bit;
    }
    (Vec3::from_array(middle), corner)
}
