//! What went through something: looked for at the end of a step, counted beside it, never read by it.
//!
//! With `continuous: Off` nothing looks within a step, so every crossing of ways is one. With `continuous: On` what would meet
//! is found in the step, and its true way may have bends: there only what has come out behind has passed, by whatever it was
//! that pulled it through.

use std::borrow::Cow;
use std::sync::Arc;

use crate::collision::broad_phase::FatAabb;
use crate::collision::gap_along;
use crate::collision::manifold::{Manifold, collide};
use crate::collision::query::part_until;
use crate::dynamics::collider::Placement;
use crate::dynamics::contact::{ContactGeometry, touching_gap};
use crate::dynamics::integrator::turned;
use crate::dynamics::pair_filter::PairFilter;
use crate::dynamics::solver::rows::NONE;
use crate::geometry::{Mesh, Shape};
use crate::math::{Mat3, Scalar, Vec3};
use crate::world::World;
use crate::world::counts::Counted;

/// Looks at a pair on its way, at most. One that is then still about to meet counts as having met.
const MOST_LOOKS: u32 = 32;

/// A body whose way in a step crosses another body, and that touched it neither when the step began nor when it ended; or that ends
/// so deep in it that it comes out behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// The step.
    pub step: u32,
    /// Of the two the body that went farther.
    pub body: Arc<str>,
    /// The way of its centre of mass in the step, metres.
    pub way: f64,
    /// The least thickness of its shape, metres; infinite of a surface.
    pub thickness: f64,
    /// What it passed through.
    pub obstacle: Arc<str>,
    /// The least thickness of the shape that it passed through, metres.
    pub obstacle_thickness: f64,
}

/// A collider and its body, by index.
#[derive(Clone, Copy)]
struct Mover {
    collider: usize,
    body: usize,
}

/// How two shapes moved against each other in a step, metres.
#[derive(Clone, Copy)]
struct Way<S> {
    /// Of the second's centre of mass against the first's.
    straight: Vec3<S>,
    /// Of a point of their surfaces by turning, at most.
    turning: S,
    /// Of a point altogether, at most.
    farthest: S,
}

impl<S: Scalar> World<S> {
    /// The first passage of the last step, in the order of the colliders.
    #[must_use]
    pub const fn passage(&self) -> Option<&Passage> {
        self.scratch.passage.as_ref()
    }

    /// Counts the pairs of shapes that passed through each other in this step, and keeps the first.
    ///
    /// Bodies are taken straight from where they were to where they are, turning at one rate.
    pub(super) fn find_passages(&mut self) {
        let pairs = if self.settings.continuous { self.fast_pairs() } else { self.crossing_pairs() };
        for [first, second] in pairs {
            if self.is_passage(first, second) {
                self.scratch.counts.add(Counted::PassedThrough, 1);
                if self.scratch.passage.is_none() {
                    self.scratch.passage = Some(self.passage_of(first, second));
                }
            }
        }
    }

    /// The pairs that the step looked at and that moved so far against each other that one may be through the other, in the
    /// order of their colliders.
    fn fast_pairs(&self) -> Vec<[Mover; 2]> {
        if !self.is_anything_fast() {
            return Vec::new();
        }
        let depth = |geometry: &ContactGeometry<S>| -geometry.manifold.gap().unwrap_or(S::ZERO);
        let closed = self.scratch.geometry.iter().map(|geometry| (geometry.colliders, depth(geometry)));
        let open = self.scratch.open.iter().filter(|open| open.contact == NONE).map(|open| (open.colliders, S::ZERO));
        let movers =
            closed.chain(open).map(|(colliders, depth)| (colliders.map(|index| self.mover(index as usize)), depth));
        let fast = movers.filter(|&([first, second], depth)| self.may_pass(first, second, depth));
        let mut pairs: Vec<_> = fast.map(|(pair, _)| pair).collect();
        pairs.sort_unstable_by_key(|pair| pair.map(|mover| mover.collider));
        // Of a mesh each facet is a pair of its own.
        pairs.dedup_by_key(|pair| pair.map(|mover| mover.collider));
        pairs
    }

    /// Whether any collider moved so far that it may be through anything at all: in most steps none did, and no pair need be asked.
    fn is_anything_fast(&self) -> bool {
        let thicknesses = self.colliders.shape.iter().filter_map(Shape::least_thickness);
        let Some(thinnest) = thicknesses.reduce(S::min) else { return false };
        // Less than half of what `may_pass` asks of two together.
        let least = thinnest.scale_by_power_of_two(-5);
        (0..self.colliders.len()).any(|collider| self.moved(self.mover(collider), Vec3::ZERO) > least)
    }

    /// The pairs of which one moved so far that it may be through the other, and whose boxes cross on their ways, in the order of their
    /// colliders.
    ///
    /// All is seen from where the body in the middle of the list went: of a cloud that falls nothing is fast then but the ground. A plane
    /// has no other side to come out on.
    fn crossing_pairs(&self) -> Vec<[Mover; 2]> {
        let frame = self.scratch.motion.delta_position.get(self.bodies.len() / 2).copied().unwrap_or(Vec3::ZERO);
        let (mut pairs, mut near) = (Vec::new(), Vec::new());
        for collider in (0..self.colliders.len()).filter(|&collider| self.is_fast(collider, frame)) {
            let mover = self.mover(collider);
            let FatAabb::Bounded(path) = self.path_box(collider, frame) else { continue };
            // Of a pair the one that moved farther finds the other, which is no farther from where its box was than that.
            let reached = path.expanded(self.moved(mover, frame));
            self.broad_phase.overlapping(&self.colliders.fat_box, &reached, &mut near);
            let others = near.iter().map(|&other| other as usize).filter(|&other| other != collider);
            pairs.extend(others.map(|other| [self.mover(collider.min(other)), self.mover(collider.max(other))]));
        }
        pairs.retain(|&[first, second]| self.may_pass(first, second, S::ZERO));
        pairs.sort_unstable_by_key(|pair| pair.map(|mover| mover.collider));
        pairs.dedup_by_key(|pair| pair.map(|mover| mover.collider));
        pairs
    }

    /// Whether a collider moved so far that it may have come through something that moved no farther.
    fn is_fast(&self, collider: usize, frame: Vec3<S>) -> bool {
        let Some(thickness) = self.colliders.shape[collider].least_thickness() else {
            // A surface that moves at all may sweep over what is thin.
            return self.colliders.is_mesh[collider] && self.moved(self.mover(collider), frame) > touching_gap();
        };
        // Half of a quarter of the thickness: see `may_pass`.
        self.moved(self.mover(collider), frame) > thickness.scale_by_power_of_two(-3)
    }

    /// How far a point of a collider moved in the step against a frame that moved by `frame`, metres, at most.
    fn moved(&self, Mover { collider, body }: Mover, frame: Vec3<S>) -> S {
        let motion = &self.scratch.motion;
        let turned = motion.delta_rotation[body].taxicab_length() * self.colliders.reach[collider];
        (motion.delta_position[body] - frame).taxicab_length() + turned
    }

    fn mover(&self, collider: usize) -> Mover {
        Mover { collider, body: self.scratch.placements[collider].body as usize }
    }

    /// The box that a collider was in during the step, in a frame that moved by `frame`.
    fn path_box(&self, collider: usize, frame: Vec3<S>) -> FatAabb<S> {
        let mover = self.mover(collider);
        let placement = self.placement(mover, S::ONE);
        let centre = self.bodies.position[mover.body] + placement.offset;
        let Some(tight) = self.colliders.shape[collider].aabb(&placement.rotation, centre) else {
            return self.colliders.fat_box[collider];
        };
        let reach = self.colliders.reach[collider];
        let turning = (self.scratch.motion.delta_rotation[mover.body].taxicab_length() * reach).min(reach + reach);
        let way = self.scratch.motion.delta_position[mover.body];
        let start = tight.expanded(turning + touching_gap()).translated(-way);
        FatAabb::Bounded(start.union(&start.translated(way - frame)))
    }

    /// Where a collider was when the step was done to this part, seen from its body.
    fn placement(&self, Mover { collider, body }: Mover, part: S) -> Placement<S> {
        let back = self.scratch.motion.delta_rotation[body] * (part - S::ONE);
        let orientation = turned(self.bodies.orientation[body], back, self.settings.rotation);
        Placement::of(u32::try_from(body).unwrap_or(u32::MAX), &self.colliders.local[collider], orientation.to_matrix())
    }

    /// How two shapes lay to each other when the step was done to this part; points with a gap up to `margin`.
    fn manifold_at(&self, first: Mover, second: Mover, part: S, margin: S) -> Manifold<S> {
        let [shape_a, shape_b] = [first, second].map(|mover| self.shape_on_way(mover));
        let ([a, b], offset) = self.placed_at(first, second, part);
        collide(&shape_a, &a, &shape_b, &b, offset, margin)
    }

    /// How two shapes were turned when the step was done to this part, and the second one's place against the first one's.
    fn placed_at(&self, first: Mover, second: Mover, part: S) -> ([Mat3<S>; 2], Vec3<S>) {
        let [a, b] = [first, second].map(|mover| self.placement(mover, part));
        let ways = &self.scratch.motion.delta_position;
        let between = self.bodies.position[second.body] - self.bodies.position[first.body]
            + (ways[second.body] - ways[first.body]) * (part - S::ONE);
        ([a.rotation, b.rotation], between + b.offset - a.offset)
    }

    /// The shape that is taken along the straight way.
    fn shape_on_way(&self, mover: Mover) -> Cow<'_, Shape<S>> {
        let shape = &self.colliders.shape[mover.collider];
        match shape.least_thickness() {
            Some(thickness) if self.is_core(mover) => Cow::Owned(Shape::Sphere { radius: thickness * S::HALF }),
            _ => Cow::Borrowed(shape),
        }
    }

    /// Whether only the ball around the middle of a shape is taken along: where impacts bend ways, what turns far between them is
    /// sure to have gone straight with no other part.
    fn is_core(&self, Mover { body, .. }: Mover) -> bool {
        self.settings.continuous && self.scratch.motion.delta_rotation[body].taxicab_length() > S::HALF
    }

    /// Whether two shapes passed through each other. With `continuous: Off` they met on their way, and neither the start nor the
    /// end of the step saw them touch, or the end from behind; with `continuous: On` the end sees them from behind.
    fn is_passage(&self, first: Mover, second: Mover) -> bool {
        let is_continuous = self.settings.continuous;
        let filter = PairFilter { bodies: &self.bodies, colliders: &self.colliders, apart: &self.scratch.apart };
        let pushes = filter.push([first, second].map(|mover| mover.collider as u32), [first.body, second.body]);
        if !pushes || !is_continuous && self.is_in_contact(first, second) {
            return false;
        }
        match [first, second].map(|mover| &self.colliders.shape[mover.collider]) {
            [Shape::Mesh(mesh), _] => return self.crosses_surface((first, mesh), second),
            [_, Shape::Mesh(mesh)] => return self.crosses_surface((second, mesh), first),
            _ => {}
        }
        let way = self.way_between(first, second);
        if self.may_go_round(first, second, way) {
            return false;
        }
        // What was nearer than this when the step began is in contact.
        if !is_continuous && way.farthest <= self.settings.contact_margin {
            return false;
        }
        let Some(normal) = self.meet(first, second, way) else { return false };
        let near = if is_continuous { way.farthest } else { S::ZERO } + touching_gap();
        let end = self.manifold_at(first, second, S::ONE, near);
        match end.gap().filter(|gap| *gap <= near) {
            // What slides over the edge of a plate ends beside it, not behind; and what grazes a corner has its middle before it still.
            Some(_) => {
                let (_, offset) = self.placed_at(first, second, S::ONE);
                end.normal.dot(normal) < -S::HALF * S::HALF && offset.dot(normal) < S::ZERO
            }
            None => !is_continuous,
        }
    }

    /// Whether the middle of a shape went through a mesh from front to back; with `continuous: On` and is behind it still, for what goes
    /// round an edge cuts it short on the straight way.
    fn crosses_surface(&self, (owner, mesh): (Mover, &Mesh<S>), other: Mover) -> bool {
        let way = &self.scratch.motion.delta_position;
        let between = self.bodies.position[other.body] - self.bodies.position[owner.body];
        let moved = way[other.body] - way[owner.body];
        let seen = |part: S| {
            let [own, others] = [owner, other].map(|mover| self.placement(mover, part));
            let offset = between + moved * (part - S::ONE) + others.offset - own.offset;
            own.rotation.transpose_mul(offset)
        };
        let [inwards, outwards] = mesh.crossings(seen(S::ZERO), seen(S::ONE));
        if self.settings.continuous { inwards > outwards } else { inwards > 0 }
    }

    /// Whether two shapes moved so far against each other that one may have come out behind the other, and went straight.
    ///
    /// The middle of the one is then beyond that of the other, where it was before it by half of both thicknesses, or as much less
    /// as they were in each other by `depth`. To be sure, half of that way is enough here; and an eighth of the thinner one
    /// where they were that deep in each other. What passes in more steps than that lies in the other long enough to be seen.
    fn may_pass(&self, first: Mover, second: Mover, depth: S) -> bool {
        let motion = &self.scratch.motion;
        let straight = motion.delta_position[second.body] - motion.delta_position[first.body];
        let far = [first, second].into_iter().fold(straight.taxicab_length(), |sum, Mover { collider, body }| {
            sum + motion.delta_rotation[body].taxicab_length() * self.colliders.reach[collider]
        });
        let thickness = |mover: Mover| self.colliders.shape[mover.collider].least_thickness();
        let thicknesses = [first, second].map(thickness);
        let Some(thinner) = thicknesses.into_iter().flatten().reduce(S::min) else { return false };
        let sum = thicknesses.into_iter().flatten().fold(S::ZERO, |sum, thickness| sum + thickness);
        let eighth = thinner.scale_by_power_of_two(-3);
        let least = if depth > eighth { eighth } else { sum.scale_by_power_of_two(-2).max(eighth) };
        far > least && [first, second].into_iter().all(|mover| self.goes_straight(mover))
    }

    /// Whether a shape, or the ball around its middle, goes the straight way: not what is carried round its body's centre of mass.
    fn goes_straight(&self, mover: Mover) -> bool {
        let radius = self.colliders.shape[mover.collider].least_thickness().map(|thickness| thickness * S::HALF);
        let arm = self.colliders.local[mover.collider].position.length();
        !self.is_core(mover) || radius.is_none_or(|radius| arm <= radius)
    }

    /// How two shapes moved against each other in the step.
    fn way_between(&self, first: Mover, second: Mover) -> Way<S> {
        let motion = &self.scratch.motion;
        let straight = motion.delta_position[second.body] - motion.delta_position[first.body];
        let turning = [first, second].into_iter().fold(S::ZERO, |sum, mover| {
            let arm = if self.is_core(mover) {
                self.colliders.local[mover.collider].position.length()
            } else {
                self.colliders.reach[mover.collider]
            };
            sum + motion.delta_rotation[mover.body].length() * arm
        });
        Way { straight, turning, farthest: straight.length() + turning }
    }

    /// Whether the boxes in which two shapes were when the step began stay apart on their way.
    fn boxes_stay_apart(&self, first: Mover, second: Mover, Way { straight, turning, .. }: Way<S>) -> bool {
        let [first, second] = [first, second].map(|mover| self.scratch.tight_boxes[mover.collider]);
        let (Some(first), Some(second)) = (first, second) else { return false };
        part_until(&first.expanded(turning + touching_gap() + touching_gap()), &second, straight) > S::ONE
    }

    /// Whether two shapes stay apart along the line on which their middles lie when the step begins: most that are asked do, and need no
    /// search for their nearest points.
    fn stay_apart(&self, first: Mover, second: Mover, Way { straight, turning, .. }: Way<S>) -> bool {
        let [shape_a, shape_b] = [first, second].map(|mover| self.shape_on_way(mover));
        let is_plane = |shape: &Shape<S>| matches!(shape, Shape::HalfSpace { .. });
        if is_plane(&shape_a) || is_plane(&shape_b) {
            return false; // along whose own normal gaps are told
        }
        let ([a, b], offset) = self.placed_at(first, second, S::ZERO);
        let Some(normal) = offset.direction() else { return false };
        let gap = gap_along((&shape_a, &a), (&shape_b, &b), offset, normal);
        gap > (turning - straight.dot(normal)).max(S::ZERO) + touching_gap() + touching_gap()
    }

    /// The normal with which two shapes meet on their straight way, if they do: by conservative advancement, as within a substep.
    fn meet(&self, first: Mover, second: Mover, way: Way<S>) -> Option<Vec3<S>> {
        if self.boxes_stay_apart(first, second, way) || self.stay_apart(first, second, way) {
            return None;
        }
        let Way { straight, turning, farthest } = way;
        let near = touching_gap::<S>() + touching_gap();
        let mut part = S::ZERO;
        let mut last = None;
        for _ in 0..MOST_LOOKS {
            let manifold = self.manifold_at(first, second, part, farthest * (S::ONE - part) + near);
            let gap = manifold.gap()?;
            if gap <= touching_gap() {
                return Some(manifold.normal);
            }
            let closing = turning - straight.dot(manifold.normal);
            if closing <= S::ZERO || gap >= closing * (S::ONE - part) + touching_gap() {
                return None;
            }
            part = (part + gap / closing).min(S::ONE);
            last = Some(manifold.normal);
        }
        last
    }

    /// Whether one of two bodies that others struck in the step had a way so long and bent that it may have come to the other side
    /// of the other without meeting it.
    fn may_go_round(&self, first: Mover, second: Mover, way: Way<S>) -> bool {
        let is_bent = |one: Mover, other: Mover| self.scratch.impacts.is_struck_by_others(one.body, other.body);
        let sizes = [first, second].map(|mover| self.colliders.shape[mover.collider].largest_half_extent());
        let [Some(a), Some(b)] = sizes else { return false };
        (is_bent(first, second) || is_bent(second, first)) && way.farthest > a.max(b)
    }

    fn is_in_contact(&self, first: Mover, second: Mover) -> bool {
        let [a, b] = [first, second].map(|mover| self.colliders.key[mover.collider]);
        let keys = if a < b { (a, b) } else { (b, a) };
        let place = self.contacts.partition_point(|contact| (contact.a, contact.b) < keys);
        self.contacts.get(place).is_some_and(|contact| (contact.a, contact.b) == keys)
    }

    fn passage_of(&self, first: Mover, second: Mover) -> Passage {
        let way = |mover: Mover| self.scratch.motion.delta_position[mover.body].length().to_f64();
        let (fast, slow) = if way(second) > way(first) { (second, first) } else { (first, second) };
        let thickness = |mover: Mover| self.colliders.shape[mover.collider].least_thickness();
        let [thickness, obstacle_thickness] =
            [fast, slow].map(|mover| thickness(mover).map_or(f64::INFINITY, S::to_f64));
        Passage {
            step: self.step + 1,
            body: Arc::clone(&self.bodies.name[fast.body]),
            way: way(fast),
            thickness,
            obstacle: Arc::clone(&self.bodies.name[slow.body]),
            obstacle_thickness,
        }
    }
}
