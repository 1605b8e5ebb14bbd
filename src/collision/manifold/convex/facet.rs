//! A facet of a mesh and a convex shape.
//!
//! As a shape by itself a facet is a polyhedron without thickness. As a piece of a surface it pushes only along normals that the
//! surface has there: its own, and over a side that sticks out those up to its neighbour's. What lies over a side at which the surface
//! goes on is pushed along the facet's own normal where it is above the facet, and is the neighbour's business where it is not. So
//! nothing catches on a side that cannot be felt. A facet carries a little beyond such a side, where its neighbour is level with it or
//! higher: so nothing falls between the two on its way over.

use crate::collision::manifold::convex::curved::{facet_and_round, solids};
use crate::collision::manifold::convex::face::ReferenceFace;
use crate::collision::manifold::convex::feature::{self, Touch};
use crate::collision::manifold::convex::gjk::{Found, nearest_points_within};
use crate::collision::manifold::convex::polytope::{Core, CorePair, Polytope};
use crate::collision::manifold::convex::sat::{Common, Separation, least_overlap};
use crate::collision::manifold::convex::{CoreParts, Scene, is_round};
use crate::collision::manifold::{Bearing, Carrier, MAX_POINTS, Manifold};
use crate::geometry::Shape;
use crate::geometry::hull::Plane;
use crate::geometry::mesh::{Facet, Lean, MOST_SIDES, Part};
use crate::math::{Mat3, Scalar, Vec3};

/// A facet as shape A and a convex shape with a volume as shape B. Where these are no farther apart than `own`, metres, the facet is
/// taken as a piece of its mesh; without it, and beyond it, as a shape by itself.
pub(in crate::collision::manifold) fn facet_and_convex<S: Scalar>(
    (piece, rotation_a): (&Shape<S>, &Mat3<S>),
    (shape, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, own, bearing): (S, Option<S>, Bearing),
) -> Manifold<S> {
    let Shape::Facet(facet) = piece else { return Manifold::empty() };
    let manifold = facet_manifold((facet, piece, rotation_a), (shape, rotation_b), offset, (margin, own, bearing));
    let Some(own) = own else { return manifold };
    let is_left_to_others = manifold.is_empty() && manifold.apart == S::ZERO;
    let touches = manifold.gap().is_some_and(|gap| gap <= own);
    let is_ball = matches!(shape, Shape::Sphere { .. });
    let lowest_along = |axis: Vec3<S>| {
        let axis = *rotation_a * axis;
        axis.dot(offset + shape.support(rotation_b, -axis))
    };
    let slips = || is_on_rim(&manifold, facet, rotation_a) && !facet.is_nearest_way_out(lowest_along, as_near());
    if is_left_to_others || touches && !is_ball && slips() {
        return Manifold::of_left_to_neighbours(*rotation_a * facet.normal());
    }
    manifold
}

/// By how much ways out over two facets may differ and count as alike, metres.
pub(super) fn as_near<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-14)
}

/// Whether a facet pushes along its normal a tip that overlaps it by `overlap` metres along a unit direction beyond its ridge; `smallest` is
/// the least half thickness of the two. The facet has no thickness itself, so what points at a ridge leaves the facets on both sides of it
/// sideways, and neither would push. What reaches far behind the plane of the facet is no tip, but something beside it.
pub(super) fn is_held_on_ridge<S: Scalar>(
    facet: &Facet<S>,
    (direction, overlap): (Vec3<S>, S),
    smallest: S,
    lowest_along: impl Fn(Vec3<S>) -> S,
) -> bool {
    let behind = facet.planes()[0].offset - lowest_along(facet.normal());
    direction.dot(facet.normal()) >= -as_near::<S>()
        && behind <= smallest.min(overlap.scale_by_power_of_two(4) + as_near())
        && facet.is_nearest_way_out(lowest_along, as_near())
}

/// Whether a facet would push something along its own normal that lies only on its rim.
fn is_on_rim<S: Scalar>(manifold: &Manifold<S>, facet: &Facet<S>, rotation: &Mat3<S>) -> bool {
    let mut points = [Vec3::ZERO; MAX_POINTS];
    for (place, point) in points.iter_mut().zip(manifold.points()) {
        *place = rotation.transpose_mul(point.position);
    }
    let is_front =
        rotation.transpose_mul(manifold.normal).dot(facet.normal()) >= S::ONE - S::ONE.scale_by_power_of_two(-9);
    is_front && facet.has_on_rim(points.get(..manifold.points().len()).unwrap_or_default())
}

/// The manifold of a facet, as a piece of its mesh within `own`: then without points where its neighbours have to push, or nothing does.
fn facet_manifold<S: Scalar>(
    (facet, piece, rotation_a): (&Facet<S>, &Shape<S>, &Mat3<S>),
    (shape, rotation_b): (&Shape<S>, &Mat3<S>),
    offset: Vec3<S>,
    (margin, own, bearing): (S, Option<S>, Bearing),
) -> Manifold<S> {
    if is_round(shape) {
        return match own {
            Some(own) => {
                facet_and_round((facet, rotation_a), (piece, shape), rotation_b, offset, (margin, own, bearing))
            }
            None => solids((piece, rotation_a), (shape, rotation_b), offset, (margin, bearing)),
        };
    }
    let lies = Lies { relative: rotation_a.transpose() * *rotation_b, offset: rotation_a.transpose_mul(offset) };
    if let Shape::Cuboid { half_extents } = *shape {
        // Before anything is made of the cuboid: most facets end here.
        let lowest_along = |axis| lies.lowest_of_cuboid(half_extents, axis);
        let seen = seen_apart((facet, rotation_a), margin, lowest_along);
        let seen = seen.or_else(|| seen_apart_from_cuboid((facet, rotation_a), half_extents, &lies, margin));
        if let Some(apart) = seen {
            return apart;
        }
    }
    let parts = CoreParts::of(shape);
    let Some((core, radius)) = parts.core(shape) else { return Manifold::empty() };
    let Lies { relative, offset: from_facet } = lies;
    let pair = CorePair { a: Polytope::of_facet(facet), b: core, radius, relative, offset: from_facet };
    let scene = Scene { pair, rotation_a, rotation_b, offset, margin, bearing };
    if matches!(core, Core::Point) {
        return scene.ball_on_facet(facet, own);
    }
    if !matches!(shape, Shape::Cuboid { .. }) {
        let lowest_along = |axis| scene.pair.lowest_of_b(axis) - scene.pair.radius;
        if let Some(apart) = seen_apart((facet, rotation_a), margin, lowest_along) {
            return apart;
        }
    }
    match own {
        Some(own) => scene.on_surface(facet, own),
        None => scene.manifold(),
    }
}

/// How a shape lies to a facet, in the axes of the facet.
struct Lies<S> {
    /// Turns the axes of the shape into those of the facet.
    relative: Mat3<S>,
    /// From the origin of the facet to that of the shape.
    offset: Vec3<S>,
}

impl<S: Scalar> Lies<S> {
    /// At what height along a direction a cuboid begins, from the origin of the facet.
    fn lowest_of_cuboid(&self, half_extents: Vec3<S>, direction: Vec3<S>) -> S {
        direction.dot(self.offset) - half_extents.dot(self.relative.transpose_mul(direction).abs())
    }
}

/// Whether something that reaches so far before and behind the plane of a facet, metres, is behind it: most of it is.
pub(super) fn is_mostly_behind<S: Scalar>(before: S, behind: S) -> bool {
    before.scale_by_power_of_two(2) < behind
}

/// Whether something that reaches so far before and behind the plane of a facet, metres, stands across the end of the surface, and does not
/// just reach through it by what it overlaps: then the end of the surface is under it, not beside it. `smallest` is its least half thickness.
pub(super) fn stands_across<S: Scalar>(before: S, behind: S, smallest: S) -> bool {
    before.min(behind) >= smallest.scale_by_power_of_two(-2)
}

/// Most facets near a shape's box are seen to be farther than the margin along one of their own directions, how far the facet itself reaches
/// along which is known. `lowest_along` tells at what height along a direction the shape begins, from the facet's origin.
pub(super) fn seen_apart<S: Scalar>(
    (facet, rotation): (&Facet<S>, &Mat3<S>),
    margin: S,
    lowest_along: impl Fn(Vec3<S>) -> S,
) -> Option<Manifold<S>> {
    let faces = facet.planes().iter().map(|plane| (plane.normal, plane.offset));
    let sides = facet.outwards().iter().zip(facet.corners());
    let sides = sides.map(|(outwards, corner)| (*outwards, outwards.dot(*corner)));
    let mut seen = faces.chain(sides).map(|(axis, reach)| (axis, lowest_along(axis) - reach));
    let (axis, gap) = seen.find(|&(_, gap)| gap > margin)?;
    Some(Manifold::of_apart(*rotation * axis, gap))
}

/// A facet that is farther than the margin from a cuboid along an axis of the cuboid: most that are in a box around one that is aslant.
fn seen_apart_from_cuboid<S: Scalar>(
    (facet, rotation): (&Facet<S>, &Mat3<S>),
    half_extents: Vec3<S>,
    lies: &Lies<S>,
    margin: S,
) -> Option<Manifold<S>> {
    for (axis, half) in half_extents.to_array().into_iter().enumerate() {
        let axis = lies.relative.column(axis);
        let heights = facet.corners().iter().map(|&corner| axis.dot(corner));
        let (lowest, highest) =
            heights.fold((S::MAX, -S::MAX), |(lowest, highest), height| (lowest.min(height), highest.max(height)));
        let middle = axis.dot(lies.offset);
        for (gap, normal) in [(middle - half - highest, axis), (lowest - middle - half, -axis)] {
            if gap > margin {
                return Some(Manifold::of_apart(*rotation * normal, gap));
            }
        }
    }
    None
}

/// Whether a facet pushes along its normal, without a search for another direction, what reaches `behind` metres behind its plane and is not
/// mostly there: the surface goes on all around, and the shape, whose least half thickness is `smallest`, is just above it.
pub(super) fn is_on_face<S: Scalar>(facet: &Facet<S>, behind: S, own: S, smallest: S) -> bool {
    let is_shallow = behind <= facet.largest_half_extent().min(smallest * S::HALF);
    facet.is_level_around() && facet.has_blunt_corners() && -behind <= own && is_shallow
}

/// Whether a facet leaves to its neighbours what overlaps it by `overlap` metres along a unit direction in its axes that leans over a side
/// at which the surface goes on, and reaches `behind` metres behind its plane; `smallest` is its least half thickness. Such a thing is not
/// above the facet: it is beside it, on what lies beyond the neighbours, as a plate on the top of a cube is beside the lower triangles of
/// the cube's sides. To push it along the normal would be to push it off.
pub(super) fn is_left_to_neighbours<S: Scalar>(
    facet: &Facet<S>,
    direction: Vec3<S>,
    (overlap, behind): (S, S),
    smallest: S,
) -> bool {
    let along = direction.dot(facet.normal());
    // What is above the facet and deep in it crosses one of those around it by more than this.
    let is_beside = behind > overlap.max(S::ZERO).scale_by_power_of_two(2);
    // What lies on a corner that sticks out is pushed by the facets that fall away from there, from 10 degrees on.
    let is_on_corner = || along < S::ONE - S::ONE.scale_by_power_of_two(-6) && facet.is_sharp_along(direction);
    let is_past = || along < S::HALF && behind > smallest.min(facet.largest_half_extent());
    is_beside && (is_past() || is_on_corner())
}

impl<S: Scalar> Scene<'_, S> {
    /// A ball and a facet: the point of the facet that is nearest to the ball's centre. With `own` as for [`facet_and_convex`].
    fn ball_on_facet(&self, facet: &Facet<S>, own: Option<S>) -> Manifold<S> {
        let (between, part) = facet.nearest(self.pair.offset);
        let front = &facet.planes()[0];
        let (height, radius) = (front.normal.dot(self.pair.offset) - front.offset, self.pair.radius);
        let is_behind = is_mostly_behind(radius + height, radius - height);
        let facing = if height < S::ZERO { -front.normal } else { front.normal };
        let (normal, distance) = between.normalise().unwrap_or((facing, S::ZERO));
        let gap = distance - self.pair.radius;
        let lean = match part {
            _ if own.is_none_or(|own| gap > own) => Lean::Between,
            _ if is_behind => Lean::Beyond,
            Part::Inside => Lean::Face,
            Part::Side(_) | Part::Corner(_) => facet.lean(normal, S::ONE.scale_by_power_of_two(-14)),
        };
        match lean {
            Lean::Beyond => Manifold::empty(),
            Lean::OverEnd if !stands_across(radius + height, radius - height, radius) => Manifold::empty(),
            Lean::Face | Lean::OverLevel => self.ball_on_front(facet),
            Lean::Between | Lean::OverEnd if gap > self.margin => Manifold::of_apart(*self.rotation_a * normal, gap),
            Lean::Between | Lean::OverEnd => {
                let (touch, number) = match part {
                    Part::Inside => (Touch::FaceCorner, 0),
                    Part::Side(side) => (Touch::EdgeCorner, side as u32),
                    Part::Corner(corner) => (Touch::Corners, corner as u32),
                };
                let normal = if part == Part::Inside { facing } else { normal };
                self.ball_at(normal, gap, feature::name(touch, [number, 0], false))
            }
        }
    }

    /// The manifold with a facet as a piece of its mesh; of all but balls.
    fn on_surface(&self, facet: &Facet<S>, own: S) -> Manifold<S> {
        let [front, back] = facet.planes();
        let lowest_along = |axis| self.pair.lowest_of_b(axis) - self.pair.radius;
        let reach = |plane: &Plane<S>| plane.offset - lowest_along(plane.normal);
        let (before, behind) = (reach(back), reach(front));
        let is_behind = is_mostly_behind(before, behind);
        if !is_behind && is_on_face(facet, behind, own, self.pair.smallest()) {
            let manifold = self.along_front(facet);
            if manifold.gap().is_some_and(|gap| gap <= own) {
                return manifold;
            }
        }
        let exact = S::ONE.scale_by_power_of_two(-14);
        let is_through = |normal: Vec3<S>, distance: S| {
            distance < self.pair.radius && normal.dot(front.normal) < S::from_ratio(-99, 100)
        };
        let is_for_neighbours = |direction: Vec3<S>, overlap: S| {
            is_left_to_neighbours(facet, direction, (overlap, behind), self.pair.smallest())
        };
        let is_across = stands_across(before, behind, self.pair.smallest());
        let is_tip = |best: &Separation<S>| {
            let seen = (best.normal, self.pair.radius - best.gap);
            is_held_on_ridge(facet, seen, self.pair.smallest(), lowest_along)
        };
        let radius = self.pair.radius;
        match nearest_points_within(&self.pair, self.pair.tiny(), self.margin.max(own) + radius) {
            Found::Beyond(normal, gap) => Manifold::of_apart(*self.rotation_a * normal, gap - radius),
            Found::Apart(nearest) => {
                let Some((normal, distance)) = nearest.between.normalise() else { return Manifold::empty() };
                if distance - self.pair.radius > own {
                    return self.apart(&nearest);
                }
                // The nearer the cores, the less is known of the direction between them.
                let slack = exact.max(self.pair.rounding() * S::TWO / distance);
                match facet.lean(normal, slack) {
                    Lean::OverEnd if is_across => self.apart(&nearest),
                    Lean::OverEnd => Manifold::empty(),
                    _ if is_behind => Manifold::empty(),
                    Lean::Face => {
                        let manifold = self.along_front(facet);
                        if manifold.is_empty() { self.apart_along(front.normal, &nearest) } else { manifold }
                    }
                    Lean::Between => self.apart(&nearest),
                    Lean::OverLevel if is_for_neighbours(normal, self.pair.radius - distance) => Manifold::empty(),
                    Lean::OverLevel => self.along_front(facet),
                    // Its core is through, but not most of it; what has no radius around its core would touch nothing.
                    Lean::Beyond if is_through(normal, distance) => self.along_front(facet),
                    Lean::Beyond => Manifold::empty(),
                }
            }
            Found::Overlapping(_) if is_behind && !is_across => Manifold::empty(),
            Found::Overlapping(common) => {
                let overlap = least_overlap(&self.pair, Common::of(&self.pair, common));
                match facet.lean(overlap.best.normal, exact) {
                    Lean::OverEnd if is_across => self.overlapping(&overlap),
                    Lean::OverEnd => Manifold::empty(),
                    _ if is_behind => Manifold::empty(),
                    Lean::Between => self.overlapping(&overlap),
                    Lean::OverLevel if is_for_neighbours(overlap.best.normal, self.pair.radius - overlap.best.gap) => {
                        Manifold::empty()
                    }
                    Lean::Face | Lean::OverLevel => self.along_front(facet),
                    // More of it is behind than in front: out it goes by the front all the same.
                    Lean::Beyond if overlap.best.normal == facet.planes()[1].normal => self.along_front(facet),
                    Lean::Beyond if is_tip(&overlap.best) => self.along_front(facet),
                    Lean::Beyond => Manifold::empty(),
                }
            }
        }
    }

    /// What is above the facet, along its normal.
    fn along_front(&self, facet: &Facet<S>) -> Manifold<S> {
        let normal = facet.normal();
        let least = self.pair.gap_along(normal) - self.pair.radius;
        let gaps = (least, self.margin);
        let over = Some(self.carried_over(facet));
        let face =
            ReferenceFace { pair: &self.pair, face: 0, normal, gaps, bearing: self.bearing, is_second: false, over };
        face.manifold(self.rotation_a)
    }

    /// How far beyond each of its sides a facet carries, metres.
    fn carried_over(&self, facet: &Facet<S>) -> [S; MOST_SIDES] {
        let size = match self.pair.b {
            Core::Point | Core::Segment { .. } => self.pair.radius.scale_by_power_of_two(-4),
            Core::Polytope(b) => b.smallest.scale_by_power_of_two(-6),
        };
        facet.carried_over(size)
    }

    /// A ball above the facet, or no farther beyond its sides than it carries.
    fn ball_on_front(&self, facet: &Facet<S>) -> Manifold<S> {
        let (front, centre) = (&facet.planes()[0], self.pair.offset);
        let mut sides = facet.outwards().iter().zip(facet.corners()).zip(self.carried_over(facet));
        let is_above = sides.all(|((outwards, corner), over)| outwards.dot(centre - *corner) <= over);
        let gap = front.normal.dot(centre) - front.offset - self.pair.radius;
        if !is_above || gap > self.margin {
            return Manifold::empty();
        }
        let name = feature::name(Touch::FaceCorner, [0, 0], false);
        Manifold { carrier: Carrier::First, ..self.ball_at(front.normal, gap, name) }
    }
}
