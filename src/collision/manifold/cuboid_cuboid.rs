//! Cuboid against cuboid: the axis of largest gap, then the clipped face, the two nearest edges, or the nearest corners.
//!
//! A face within 3.6 degrees of the axis carries the contact whatever axis it is, the first cuboid's before the second's:
//! so faces that are nearly parallel keep four points, under the same names while the axes between them take turns. Where
//! the features of the best axis miss each other, the cuboids are nearest at corners, which the test of axes does not know.
//!
//! Feature ids, from bit 0: for faces the two edges that make the corner (3 bits each), the incident face (3), the
//! reference face (3) and whose it is (1); for edges the edge of A (4 bits) and of B (4) and a mark; for corners the
//! number of the corner (3), whose it is (1) and a mark.

use crate::collision::manifold::cuboid_corner::NearCorners;
use crate::collision::manifold::cuboid_face::ReferenceFace;
use crate::collision::manifold::cuboid_sat::{Axis, CuboidPair, OTHERS, Separation, towards};
use crate::collision::manifold::{Bearing, Manifold};
use crate::math::{Mat3, Scalar, Vec3};

/// Marks the feature id of an edge against an edge.
const EDGE_MARK: u32 = 1 << 15;

/// The manifold of two cuboids, each given by half extents and orientation.
pub(super) fn collide<S: Scalar>(
    (half_a, rotation_a): (Vec3<S>, &Mat3<S>),
    (half_b, rotation_b): (Vec3<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, bearing): (S, Bearing),
) -> Manifold<S> {
    let pair = CuboidPair::new((half_a, rotation_a), (half_b, rotation_b), offset);
    let best = pair.most_separating_axis(margin);
    if best.gap > margin {
        return Manifold::of_apart(*rotation_a * pair.normal(best.axis), best.gap);
    }
    let best = pair.along_larger_face(best);
    let scene = Scene { pair: &pair, rotation_a, rotation_b, offset, margin, bearing };
    let manifold = match (best.axis, scene.face_manifold(best)) {
        (_, Some(manifold)) => manifold,
        (Axis::Edge { a, b, normal }, None) => scene.edge_manifold((a, b), normal, best.gap),
        (_, None) => Manifold::empty(),
    };
    if scene.is_shown(&manifold, best.gap) { manifold } else { scene.corner_manifold(best, &manifold) }
}

/// Two cuboids and how they lie in the world.
struct Scene<'a, S> {
    pair: &'a CuboidPair<S>,
    rotation_a: &'a Mat3<S>,
    rotation_b: &'a Mat3<S>,
    offset: Vec3<S>,
    margin: S,
    bearing: Bearing,
}

impl<S: Scalar> Scene<'_, S> {
    /// Whether the points show this gap of their axis. Otherwise its features miss each other.
    fn is_shown(&self, manifold: &Manifold<S>, gap: S) -> bool {
        let limit = if gap > S::ZERO { gap + self.pair.rounding() } else { S::MAX };
        manifold.points().iter().any(|point| point.separation <= limit)
    }

    /// The manifold of the face that is nearly perpendicular to an axis, if there is one.
    #[inline(always)]
    fn face_manifold(&self, Separation { axis, gap }: Separation<S>) -> Option<Manifold<S>> {
        let (pair, limits) = (self.pair, (gap, self.margin, self.bearing));
        let normal = pair.normal(axis);
        let face_a = if let Axis::FaceA(face) = axis { Some(face) } else { facing(normal) };
        if let Some(face) = face_a {
            let face = ReferenceFace::new((pair.half_a, pair.half_b), pair.relative, pair.offset_a, (face, normal));
            return Some(face.manifold(self.rotation_a, limits, 0));
        }
        let normal = match axis {
            Axis::FaceB(face) => -towards(pair.offset_b, face),
            _ => -pair.relative.transpose_mul(normal),
        };
        let relative = pair.relative.transpose();
        facing(normal).map(|face| {
            let face = ReferenceFace::new((pair.half_b, pair.half_a), relative, -pair.offset_b, (face, normal));
            face.manifold(self.rotation_b, limits, 1).flipped(-self.offset)
        })
    }

    /// The one point where the two nearest edges cross, with the gap of their axis.
    ///
    /// Edges that would only cross beyond their ends are nearest elsewhere: then the point shows more than the gap. Where the
    /// cuboids overlap it is held on the edges.
    #[inline(never)]
    fn edge_manifold(&self, (axis_a, axis_b): (usize, usize), normal: Vec3<S>, gap: S) -> Manifold<S> {
        let pair = self.pair;
        let (edge_a, corner_a) = supporting_edge(pair.half_a, axis_a, normal);
        let (edge_b, corner_b) = supporting_edge(pair.half_b, axis_b, -pair.relative.transpose_mul(normal));
        let between = pair.offset_a + pair.relative * edge_b - edge_a;
        let direction = pair.relative.column(axis_b);
        let cosine = direction.to_array()[axis_a];
        let [across_k, across_l] = OTHERS[axis_a].map(|axis| direction.to_array()[axis]);
        let sine_squared = S::dot2([across_k, across_l], [across_k, across_l]);
        let (along_a, along_b) = (between.to_array()[axis_a], direction.dot(between));
        let (reach_a, reach_b) = (pair.half_a.to_array()[axis_a], pair.half_b.to_array()[axis_b]);
        // The nearest points of two lines with unit directions, each then held between the ends of its edge.
        let crossing = if sine_squared > S::ZERO { (along_a - cosine * along_b) / sine_squared } else { S::ZERO };
        let place_a = crossing.clamp(-reach_a, reach_a);
        let place_b = (cosine * place_a - along_b).clamp(-reach_b, reach_b);
        let place_a = (along_a + cosine * place_b).clamp(-reach_a, reach_a);
        let mut point_a = edge_a.to_array();
        point_a[axis_a] = place_a;
        let point_a = Vec3::from_array(point_a);
        let apart = between + edge_a + direction * place_b - point_a;

        let mut manifold = Manifold::with_normal(*self.rotation_a * normal);
        let shown = if gap > S::ZERO { apart.length().max(gap) } else { gap };
        if shown <= self.margin {
            let edges = |axis: usize, corner: u32| ((axis as u32) << 2) | corner;
            let feature = EDGE_MARK | (edges(axis_a, corner_a) << 4) | edges(axis_b, corner_b);
            manifold.push(*self.rotation_a * (point_a + apart * S::HALF), shown, feature);
        }
        manifold
    }

    /// The manifold of cuboids that are nearest at a corner; `found` is what the features of the best axis gave.
    #[cold]
    #[inline(never)]
    fn corner_manifold(&self, best: Separation<S>, found: &Manifold<S>) -> Manifold<S> {
        let corners = NearCorners::of_pair(self.pair);
        let apart = corners.separation(self.pair).filter(|corner| corner.gap > best.gap);
        let Some(apart) = apart else {
            // The features missed each other by rounding only.
            let normal = self.pair.normal(best.axis);
            let found = if found.is_empty() { corners.manifold(self.rotation_a, normal, self.margin) } else { *found };
            return found.reaching(best.gap);
        };
        let normal = self.pair.normal(apart.axis);
        if apart.gap > self.margin {
            return Manifold::of_apart(*self.rotation_a * normal, apart.gap);
        }
        let on_face = self.face_manifold(apart).filter(|manifold| self.is_shown(manifold, apart.gap));
        on_face.unwrap_or_else(|| corners.manifold(self.rotation_a, normal, self.margin)).reaching(apart.gap)
    }
}

/// The axis, if any, that a unit direction follows within 3.6 degrees.
fn facing<S: Scalar>(direction: Vec3<S>) -> Option<usize> {
    let least = S::ONE - S::ONE / S::from_i32(1 << 9);
    direction.abs().to_array().into_iter().position(|cosine| cosine >= least)
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
