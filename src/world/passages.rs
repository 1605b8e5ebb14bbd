//! What went through something unseen: with `continuous: Off` nothing looks within a step, so this looks back at its end.
//!
//! Counted beside the step, never read by it. With `continuous: On` what would meet is found in the step, and nothing is
//! looked for here.

use std::sync::Arc;

use crate::collision::broad_phase::{BroadPhase, FatBox};
use crate::collision::manifold::{Manifold, collide};
use crate::dynamics::body::BodyKind;
use crate::dynamics::collider::Placement;
use crate::dynamics::contact::touching_gap;
use crate::dynamics::integrator::turned;
use crate::geometry::Shape;
use crate::math::{Scalar, Vec3};
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
    /// The least thickness of its shape, metres.
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
        if self.settings.continuous {
            return;
        }
        let boxes: Vec<FatBox<S>> = (0..self.colliders.len()).map(|collider| self.path_box(collider)).collect();
        let mut broad_phase = BroadPhase::dynamic_tree();
        broad_phase.rebuild(&boxes);
        let mut near = Vec::new();
        for collider in 0..boxes.len() {
            let FatBox::Bounded(path) = &boxes[collider] else { continue };
            let first = self.mover(collider);
            if !self.is_moved(first.body) {
                continue;
            }
            broad_phase.overlapping(&boxes, path, &mut near);
            for &other in &near {
                let second = self.mover(other as usize);
                // A pair of which both have moved is looked at once, from its first.
                let is_done = self.is_moved(second.body) && second.collider < collider;
                let [a, b] = [first, second].map(|mover| self.bodies.id[mover.body]);
                if !is_done && !self.scratch.joints.are_apart(a, b) && self.is_passage(first, second) {
                    self.scratch.counts.add(Counted::PassedThrough, 1);
                    if self.scratch.passage.is_none() {
                        self.scratch.passage = Some(self.passage_of(first, second));
                    }
                }
            }
        }
    }

    fn mover(&self, collider: usize) -> Mover {
        Mover { collider, body: self.scratch.placements[collider].body as usize }
    }

    fn is_moved(&self, body: usize) -> bool {
        let motion = &self.scratch.motion;
        motion.delta_position[body] != Vec3::ZERO || motion.delta_rotation[body] != Vec3::ZERO
    }

    /// The box that a collider was in during the step.
    fn path_box(&self, collider: usize) -> FatBox<S> {
        let mover = self.mover(collider);
        let placement = self.placement(mover, S::ONE);
        let centre = self.bodies.position[mover.body] + placement.offset;
        let Some(tight) = self.colliders.shape[collider].aabb(&placement.rotation, centre) else {
            return self.colliders.fat_box[collider];
        };
        let reach = self.colliders.reach[collider];
        let turning = (self.scratch.motion.delta_rotation[mover.body].taxicab_length() * reach).min(reach + reach);
        let now = tight.expanded(turning + touching_gap());
        FatBox::Bounded(now.union(&now.translated(-self.scratch.motion.delta_position[mover.body])))
    }

    /// Where a collider was when the step was done to this part, seen from its body.
    fn placement(&self, Mover { collider, body }: Mover, part: S) -> Placement<S> {
        let back = self.scratch.motion.delta_rotation[body] * (part - S::ONE);
        let orientation = turned(self.bodies.orientation[body], back, self.settings.rotation);
        Placement::of(u32::try_from(body).unwrap_or(u32::MAX), &self.colliders.local[collider], orientation.to_matrix())
    }

    /// How two shapes lay to each other when the step was done to this part; points with a gap up to `margin`.
    fn manifold_at(&self, first: Mover, second: Mover, part: S, margin: S) -> Manifold<S> {
        let [a, b] = [first, second].map(|mover| self.placement(mover, part));
        let ways = &self.scratch.motion.delta_position;
        let between = self.bodies.position[second.body] - self.bodies.position[first.body]
            + (ways[second.body] - ways[first.body]) * (part - S::ONE);
        let [shape_a, shape_b] = [first, second].map(|mover| &self.colliders.shape[mover.collider]);
        collide(shape_a, &a.rotation, shape_b, &b.rotation, between + b.offset - a.offset, margin)
    }

    /// Whether two shapes met on their way, and neither the start nor the end of the step saw them touch, or the end from behind: by
    /// conservative advancement, as within a substep.
    fn is_passage(&self, first: Mover, second: Mover) -> bool {
        let pushes = [first, second].into_iter().any(|mover| self.bodies.kind[mover.body] == BodyKind::Dynamic);
        if first.body == second.body || !pushes || self.is_in_contact(first, second) {
            return false;
        }
        let motion = &self.scratch.motion;
        let way = motion.delta_position[second.body] - motion.delta_position[first.body];
        let turning = [first, second].into_iter().fold(S::ZERO, |sum, Mover { collider, body }| {
            sum + motion.delta_rotation[body].length() * self.colliders.reach[collider]
        });
        let farthest = way.length() + turning;
        // What was nearer than this when the step began is in contact.
        if farthest <= self.settings.solver.speculative_distance {
            return false;
        }
        let near = touching_gap::<S>() + touching_gap();
        let look = |part: S| {
            let manifold = self.manifold_at(first, second, part, farthest * (S::ONE - part) + near);
            let gap = manifold.gap();
            gap.map(|gap| (gap, manifold.normal))
        };
        let end = look(S::ONE).filter(|(gap, _)| *gap <= touching_gap());
        let mut part = S::ZERO;
        for _ in 0..MOST_LOOKS {
            let Some((gap, normal)) = look(part) else { return false };
            if gap <= touching_gap() {
                return end.is_none_or(|(_, behind)| behind.dot(normal) < S::ZERO);
            }
            let closing = turning - way.dot(normal);
            if closing <= S::ZERO || gap >= closing * (S::ONE - part) + touching_gap() {
                return false;
            }
            part = (part + gap / closing).min(S::ONE);
        }
        end.is_none()
    }

    fn is_in_contact(&self, first: Mover, second: Mover) -> bool {
        let [a, b] = [first, second].map(|mover| self.colliders.key[mover.collider]);
        let keys = if a < b { (a, b) } else { (b, a) };
        self.contacts.binary_search_by_key(&keys, |contact| (contact.a, contact.b)).is_ok()
    }

    fn passage_of(&self, first: Mover, second: Mover) -> Passage {
        let way = |mover: Mover| self.scratch.motion.delta_position[mover.body].length().to_f64();
        let (fast, slow) = if way(second) > way(first) { (second, first) } else { (first, second) };
        let [thickness, obstacle_thickness] =
            [fast, slow].map(|mover| least_thickness(&self.colliders.shape[mover.collider]));
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

/// How thick a shape is where it is thinnest, metres; there is no end to a half-space.
fn least_thickness<S: Scalar>(shape: &Shape<S>) -> f64 {
    match shape {
        Shape::Sphere { radius } | Shape::Capsule { radius, .. } => 2.0 * radius.to_f64(),
        Shape::Cuboid { half_extents } => 2.0 * half_extents.x.min(half_extents.y).min(half_extents.z).to_f64(),
        Shape::HalfSpace { .. } => f64::INFINITY,
    }
}
