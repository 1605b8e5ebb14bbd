//! The contact of a cuboid's face: the face of the other cuboid that looks at it, clipped to its sides.
//!
//! Gaps are measured along a normal that may lean from that of the face, as where two faces are nearly parallel and edges of
//! both show the least overlap: then the other face is projected along that normal.

use crate::collision::manifold::cuboid_clip::Outline;
use crate::collision::manifold::cuboid_sat::OTHERS;
use crate::collision::manifold::reduction::{Candidate, reduce};
use crate::collision::manifold::{Bearing, Carrier, MAX_POINTS, Manifold};
use crate::math::{Mat3, Scalar, Vec3};

/// The face of one cuboid towards another, in the axes of the first, which is called the reference.
pub(super) struct ReferenceFace<S> {
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
    /// The unit direction towards the incident cuboid along which gaps are measured.
    normal: [S; 3],
    /// Whether that is another direction than the face's own.
    is_leaning: bool,
}

impl<S: Scalar> ReferenceFace<S> {
    /// The face along `axis` of the first of two cuboids; `normal` is nearly its own normal, or that normal itself.
    pub(super) fn new(
        (reference, incident): (Vec3<S>, Vec3<S>),
        relative: Mat3<S>,
        offset: Vec3<S>,
        (axis, normal): (usize, Vec3<S>),
    ) -> Self {
        let normal = normal.to_array();
        Self {
            reference: reference.to_array(),
            incident: incident.to_array(),
            incident_axes: [0, 1, 2].map(|column| relative.column(column).to_array()),
            offset: offset.to_array(),
            axis,
            is_negative: normal[axis] < S::ZERO,
            is_leaning: OTHERS[axis].into_iter().any(|side| normal[side] != S::ZERO),
            normal,
        }
    }

    /// The manifold with the reference as shape A; `rotation` is that of the reference, `whose` 0 for A and 1 for B.
    ///
    /// No point shows less than the gap along the normal, also where a corner that sticks out of a leaning face would.
    pub(super) fn manifold(
        &self,
        rotation: &Mat3<S>,
        (gap, margin, bearing): (S, S, Bearing),
        whose: u32,
    ) -> Manifold<S> {
        let [u, v] = OTHERS[self.axis];
        let (mut corners, face) = self.incident_face();
        let scale = if self.is_leaning { S::ONE / self.normal[self.axis].abs() } else { S::ONE };
        for corner in &mut corners {
            *corner = self.project(*corner, scale);
        }
        let mut outline = Outline::quadrilateral(corners);
        let mut spare = Outline::empty();
        let outline = outline.clip_to_rectangle(&mut spare, [u, v].map(|side| self.reference[side]), self.slack());

        let prefix = (whose << 12) | (self.face_number() << 9) | (face << 6);
        let mut candidates = [Candidate::default(); 8];
        let mut count = 0;
        for corner in outline.corners() {
            let [first, second, separation] = corner.coordinates;
            let separation = separation.max(gap);
            if let Some(slot) = candidates.get_mut(count).filter(|_| separation <= margin) {
                let feature = prefix | (u32::from(corner.edges[0]) << 3) | u32::from(corner.edges[1]);
                *slot = Candidate { place: [first, second], separation, feature };
                count += 1;
            }
        }
        let candidates = candidates.get_mut(..count).unwrap_or_default();
        let kept = reduce(candidates, self.flatness(), bearing);

        let column = rotation.column(self.axis);
        let mut manifold = Manifold::with_normal(match (self.is_leaning, self.is_negative) {
            (true, _) => *rotation * Vec3::from_array(self.normal),
            (false, true) => -column,
            (false, false) => column,
        });
        manifold.carrier = Carrier::First;
        for candidate in candidates.iter().take(kept.min(MAX_POINTS)) {
            manifold.push(*rotation * self.midpoint(candidate), candidate.separation, candidate.feature);
        }
        manifold
    }

    /// The corners, in order, of the incident face that looks against the normal most, and the number of that face.
    fn incident_face(&self) -> ([[S; 3]; 4], u32) {
        let [x, y, z] = &self.incident_axes;
        let slope = |axis: &[S; 3]| match (self.is_leaning, self.is_negative) {
            (true, _) => S::dot3(*axis, self.normal),
            (false, true) => -axis[self.axis],
            (false, false) => axis[self.axis],
        };
        let slopes = [slope(x), slope(y), slope(z)];
        let steep = slopes.map(S::abs);
        let incident = if steep[0] >= steep[1] && steep[0] >= steep[2] {
            0
        } else if steep[1] >= steep[2] {
            1
        } else {
            2
        };
        let [m, n] = OTHERS[incident];
        let is_negative = slopes[incident] > S::ZERO;
        let extent = self.incident[incident];
        let along = if is_negative { -extent } else { extent };
        let scaled = |axis: usize, extent: S| self.incident_axes[axis].map(|component| component * extent);
        let out = scaled(incident, along);
        let (across, up) = (scaled(m, self.incident[m]), scaled(n, self.incident[n]));
        let corner =
            |combine: fn(S, S, S) -> S| [0, 1, 2].map(|row| combine(self.offset[row] + out[row], across[row], up[row]));
        let corners = [
            corner(|middle, across, up| middle + across + up),
            corner(|middle, across, up| middle - across + up),
            corner(|middle, across, up| middle - across - up),
            corner(|middle, across, up| middle + across - up),
        ];
        (corners, 2 * incident as u32 + u32::from(is_negative))
    }

    /// The number of the reference face.
    fn face_number(&self) -> u32 {
        2 * self.axis as u32 + u32::from(self.is_negative)
    }

    /// Where the normal through a corner meets the plane of the face, by the two sides of the face, and the gap along it, which
    /// is the height times `scale`.
    #[inline(always)]
    fn project(&self, corner: [S; 3], scale: S) -> [S; 3] {
        let [u, v] = OTHERS[self.axis];
        let along = corner[self.axis];
        let height = (if self.is_negative { -along } else { along }) - self.reference[self.axis];
        if !self.is_leaning {
            return [corner[u], corner[v], height];
        }
        let gap = height * scale;
        [corner[u] - self.normal[u] * gap, corner[v] - self.normal[v] * gap, gap]
    }

    /// The point midway between a candidate and its foot on the face.
    ///
    /// A corner that sticks out within the [`slack`](Self::slack) is put back onto the face.
    fn midpoint(&self, candidate: &Candidate<S>) -> Vec3<S> {
        let [u, v] = OTHERS[self.axis];
        let half_gap = candidate.separation * S::HALF;
        let mut point = [S::ZERO; 3];
        if self.is_leaning {
            let [x, y, z] = self.normal;
            point = [x * half_gap, y * half_gap, z * half_gap];
        }
        let extent = self.reference[self.axis] + if self.is_leaning { S::ZERO } else { half_gap };
        point[self.axis] += if self.is_negative { -extent } else { extent };
        for (side, value) in [u, v].into_iter().zip(candidate.place) {
            point[side] += value.clamp(-self.reference[side], self.reference[side]);
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
