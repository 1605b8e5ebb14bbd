//! Cuboid against capsule: the point of the capsule's axis nearest to the box, or both ends of the stretch that lies flat
//! on a face or along an edge. An axis that enters the box leaves by the separating axis of least overlap.
//!
//! Features: 0 a single point, 1 and 2 the lower and the upper end of a stretch along the capsule's axis.

use crate::collision::manifold::Manifold;
use crate::collision::manifold::capsule_capsule::Capsule;
use crate::collision::manifold::cuboid_sat::OTHERS;
use crate::collision::manifold::sphere_cuboid::clamp_to_box;
use crate::math::{Mat3, Scalar, Vec3};

/// The axis of a capsule in the axes of a box, and the box.
#[derive(Clone, Copy)]
struct Segment<S> {
    /// Half extents of the box.
    box_extents: Vec3<S>,
    /// The middle.
    centre: Vec3<S>,
    /// Unit direction.
    direction: Vec3<S>,
    half_height: S,
    /// Of the capsule.
    radius: S,
}

/// A point to report, in the axes of the box.
#[derive(Clone, Copy)]
struct Support<S> {
    /// Midway between the surfaces.
    position: Vec3<S>,
    separation: S,
    feature: u32,
}

/// The manifold of a cuboid (A) and a capsule (B).
pub(super) fn collide<S: Scalar>(
    (box_extents, rotation): (Vec3<S>, &Mat3<S>),
    capsule: Capsule<S>,
    offset: Vec3<S>,
    margin: S,
) -> Manifold<S> {
    let segment = Segment {
        box_extents,
        centre: rotation.transpose_mul(offset),
        direction: rotation.transpose_mul(capsule.axis),
        half_height: capsule.half_height,
        radius: capsule.radius,
    };
    let nearest = segment.nearest_to_box();
    let excess = segment.excess(nearest);
    if excess.length() > segment.radius + margin {
        return Manifold::of_apart_along(*rotation * excess, segment.radius);
    }
    // Of a tiny gap the direction is mostly rounding: it counts as none.
    let outside = excess.normalise().filter(|&(_, distance)| distance > segment.radius.scale_by_power_of_two(-12));
    let (normal, supports) = match outside {
        Some((normal, distance)) => (normal, segment.outside_supports(normal, nearest, distance)),
        None => segment.inside_supports(nearest),
    };
    let mut manifold = Manifold::with_normal(*rotation * normal);
    for support in supports.into_iter().flatten().filter(|support| support.separation <= margin) {
        manifold.push(*rotation * support.position, support.separation, support.feature);
    }
    let Some((normal, distance)) = outside else {
        return manifold;
    };
    if manifold.is_empty() {
        let single = segment.support(nearest, normal, distance, 0);
        manifold.push(*rotation * single.position, single.separation, single.feature);
    }
    manifold.reaching(distance - segment.radius)
}

impl<S: Scalar> Segment<S> {
    fn point(&self, along: S) -> Vec3<S> {
        self.centre + self.direction * along
    }

    /// From the nearest point of the box to a point of the segment.
    fn excess(&self, along: S) -> Vec3<S> {
        let point = self.point(along);
        point - clamp_to_box(point, self.box_extents)
    }

    /// Where the segment comes nearest to the box.
    ///
    /// The squared distance is convex and its slope is linear between the places where the segment crosses a face plane, so
    /// the zero of the slope is bracketed by those places and then found by one interpolation.
    fn nearest_to_box(&self) -> S {
        let slope = |along: S| self.direction.dot(self.excess(along));
        let (mut low, mut high) = (-self.half_height, self.half_height);
        let (mut slope_low, mut slope_high) = (slope(low), slope(high));
        if slope_low >= S::ZERO {
            return low;
        }
        if slope_high <= S::ZERO {
            return high;
        }
        let [centre, direction, extents] = [self.centre, self.direction, self.box_extents].map(Vec3::to_array);
        for axis in 0..3 {
            for bound in [-extents[axis], extents[axis]] {
                let Some(along) = self.crossing(bound - centre[axis], direction[axis]) else {
                    continue;
                };
                if along <= low || along >= high {
                    continue;
                }
                let here = slope(along);
                if here < S::ZERO {
                    (low, slope_low) = (along, here);
                } else {
                    (high, slope_high) = (along, here);
                }
            }
        }
        low + (high - low) * (-slope_low / (slope_high - slope_low))
    }

    /// Where a coordinate that grows by `rate` per metre has grown by `rise`, when that is within the segment.
    fn crossing(&self, rise: S, rate: S) -> Option<S> {
        (rise.abs() < self.half_height * rate.abs()).then(|| rise / rate)
    }

    /// The stretch of the segment that lies between the two face planes of each of these axes; `None` when it has no length.
    fn stretch_between_faces(&self, axes: &[usize]) -> Option<(S, S)> {
        let (mut low, mut high) = (-self.half_height, self.half_height);
        for &axis in axes {
            let (centre, direction) = (self.centre.to_array()[axis], self.direction.to_array()[axis]);
            let extent = self.box_extents.to_array()[axis];
            for side in [-S::ONE, S::ONE] {
                // Inside means `outwards * along <= room`.
                let (room, outwards) = (extent - centre * side, direction * side);
                match self.crossing(room, outwards) {
                    Some(along) if outwards > S::ZERO => high = high.min(along),
                    Some(along) => low = low.max(along),
                    None if room < S::ZERO => return None,
                    None => {}
                }
            }
        }
        (low < high).then_some((low, high))
    }

    /// The point below a place on the segment that lies `distance` above the box along `normal`.
    fn support(&self, along: S, normal: Vec3<S>, distance: S, feature: u32) -> Support<S> {
        let separation = distance - self.radius;
        let position = self.point(along) - normal * (self.radius + separation * S::HALF);
        Support { position, separation, feature }
    }

    /// The points of a capsule whose axis stays outside the box, `distance` away at `nearest` along `normal`.
    fn outside_supports(&self, normal: Vec3<S>, nearest: S, distance: S) -> [Option<Support<S>>; 2] {
        let single = self.support(nearest, normal, distance, 0);
        let stretch = match (self.face_below(normal), self.parallel_edge()) {
            (Some(face), _) => self.stretch_between_faces(&OTHERS[face]),
            (None, Some(edge)) => self.stretch_between_faces(&[edge]),
            (None, None) => None,
        };
        let Some((low, high)) = stretch else {
            return [Some(single), None];
        };
        [(low, 1), (high, 2)].map(|(along, feature)| {
            let (outwards, distance) = self.excess(along).normalise().unwrap_or((normal, S::ZERO));
            Some(self.support(along, outwards, distance, feature))
        })
    }

    /// The axis of the face whose normal this is, within 1.3 degrees.
    fn face_below(&self, normal: Vec3<S>) -> Option<usize> {
        let least = S::ONE - S::ONE.scale_by_power_of_two(-12);
        normal.abs().to_array().into_iter().position(|component| component >= least)
    }

    /// The axis of the box beside which the segment runs: it drifts from it by no more than 1/64 of the radius.
    fn parallel_edge(&self) -> Option<usize> {
        let direction = self.direction.to_array();
        OTHERS.iter().position(|&[j, k]| {
            let drift = [direction[j], direction[k]].map(|slope| (slope * self.half_height).scale_by_power_of_two(6));
            S::dot2(drift, drift) < self.radius * self.radius
        })
    }

    /// The way out for a segment that enters the box: normal and points.
    fn inside_supports(&self, nearest: S) -> (Vec3<S>, [Option<Support<S>>; 2]) {
        let heights = self.direction.abs() * self.half_height;
        let gaps = (self.centre.abs() - self.box_extents - heights).to_array();
        let face = if gaps[1] >= gaps[0] && gaps[1] >= gaps[2] {
            1
        } else if gaps[0] >= gaps[2] {
            0
        } else {
            2
        };
        let edges = (0..3).filter_map(|edge| self.edge_gap(edge));
        // An edge has to be better by 1/1024 of the overlap, so that axes that are equally good do not take turns.
        let needed = gaps[face] + (self.radius - gaps[face]).scale_by_power_of_two(-10);
        let best = edges.fold(
            (needed, None),
            |best, (gap, normal, edge)| {
                if gap > best.0 { (gap, Some((normal, edge))) } else { best }
            },
        );
        match best {
            (gap, Some((normal, edge))) => {
                (normal, [Some(self.support(self.nearest_to_edge(normal, edge), normal, gap, 0)), None])
            }
            (_, None) => self.face_supports(face, nearest),
        }
    }

    /// The points of a segment that leaves by a face. Moved by the deeper one's depth, all of it has left: also what reaches beyond the
    /// face, where no point is.
    fn face_supports(&self, face: usize, nearest: S) -> (Vec3<S>, [Option<Support<S>>; 2]) {
        let is_negative = self.centre.to_array()[face] < S::ZERO;
        let mut normal = [S::ZERO; 3];
        normal[face] = if is_negative { -S::ONE } else { S::ONE };
        let normal = Vec3::from_array(normal);
        let support = |along: S, deepest: S, feature: u32| {
            let height = normal.dot(self.point(deepest)) - self.box_extents.to_array()[face];
            Some(self.support(along, normal, height, feature))
        };
        let sinks_at_low = normal.dot(self.direction) > S::ZERO;
        let end = if sinks_at_low { -self.half_height } else { self.half_height };
        let supports = match self.stretch_between_faces(&OTHERS[face]) {
            Some((low, high)) if sinks_at_low => [support(low, end, 1), support(high, high, 2)],
            Some((low, high)) => [support(low, low, 1), support(high, end, 2)],
            None => [support(nearest, end, 0), None],
        };
        (normal, supports)
    }

    /// The gap along the product of a box edge and the segment, the unit direction towards the capsule, and the edge's axis;
    /// `None` for an edge within 0.9 degrees of parallel, where faces do as well.
    fn edge_gap(&self, edge: usize) -> Option<(S, Vec3<S>, usize)> {
        let [k, l] = OTHERS[edge];
        let direction = self.direction.to_array();
        if S::dot2([direction[k], direction[l]], [direction[k], direction[l]]) < S::ONE.scale_by_power_of_two(-12) {
            return None;
        }
        let mut normal = [S::ZERO; 3];
        (normal[k], normal[l]) = (-direction[l], direction[k]);
        let normal = Vec3::from_array(normal).direction()?;
        let distance = normal.dot(self.centre);
        let gap = distance.abs() - self.box_extents.dot(normal.abs());
        Some((gap, if distance < S::ZERO { -normal } else { normal }, edge))
    }

    /// Where the segment passes the edge along axis `edge` that lies farthest along `normal`.
    fn nearest_to_edge(&self, normal: Vec3<S>, edge: usize) -> S {
        let [k, l] = OTHERS[edge];
        let [normal, extents, centre, direction] =
            [normal, self.box_extents, self.centre, self.direction].map(Vec3::to_array);
        let toward = |axis: usize| {
            let side = if normal[axis] < S::ZERO { -extents[axis] } else { extents[axis] };
            side - centre[axis]
        };
        // Seen along the edge it is a point, and the segment a line that passes nearest to it here.
        let along = S::dot2([toward(k), toward(l)], [direction[k], direction[l]])
            / S::dot2([direction[k], direction[l]], [direction[k], direction[l]]);
        along.clamp(-self.half_height, self.half_height)
    }
}
