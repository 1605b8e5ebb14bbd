//! How near bodies of the world are to each other, and when they meet if nothing acts on them.

use crate::collision::query::time_of_impact::{MOST_LOOKS, time_of_impact_within};
use crate::collision::query::{Impact, Moving, closest};
use crate::math::{Scalar, Vec3};
use crate::world::queries::{Placed, Queries};
use crate::world::sensors::NamedCollider;

/// Where two bodies are nearest to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct BodiesNearest<S> {
    /// The collider of each.
    pub colliders: [NamedCollider; 2],
    /// What is between them, metres; negative where they overlap.
    pub distance: S,
    /// The unit normal from the first to the second, world axes.
    pub normal: Vec3<S>,
    /// The nearest point of each, world frame, metres.
    pub points: [Vec3<S>; 2],
}

/// When and where two bodies meet.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting<S> {
    /// The collider of each.
    pub colliders: [NamedCollider; 2],
    /// Seconds from now.
    pub time: S,
    /// Where the first is met, world frame, metres.
    pub point: Vec3<S>,
    /// The unit normal from the first to the second, world axes.
    pub normal: Vec3<S>,
    /// What is between them then, metres; negative where they overlap now. More than was asked for where they turn so fast that the search
    /// was given up: they do not meet before that time, and may or may not later.
    pub distance: S,
}

impl<S: Scalar> Queries<'_, S> {
    /// The nearest points of two bodies, by id: of all pairs of their colliders, sensors not among them. `None` where either has none.
    #[must_use]
    pub fn between_bodies(&self, bodies: [u32; 2]) -> Option<BodiesNearest<S>> {
        let mut best: Option<BodiesNearest<S>> = None;
        for [a, b] in self.pairs_of(bodies) {
            let [first, second] = [a, b].map(|collider| self.placed(collider));
            let [shape_a, shape_b] = [(a, first), (b, second)]
                .map(|(collider, placed): (u32, &Placed<S>)| (self.shape(collider), &placed.placement.rotation));
            let Some(found) = closest(shape_a, shape_b, second.origin - first.origin) else { continue };
            if best.as_ref().is_none_or(|best| found.distance < best.distance) {
                best = Some(BodiesNearest {
                    colliders: [a, b].map(|collider| self.named(collider)),
                    distance: found.distance,
                    normal: found.normal,
                    points: found.points.map(|point| point + first.origin),
                });
            }
        }
        best
    }

    /// When two bodies, by id, come within `near` of each other, metres, positive, if they go on for so many seconds as they do now, straight and turning
    /// at one rate; `None` where they do not.
    #[must_use]
    pub fn meeting_of_bodies(&self, bodies: [u32; 2], seconds: S, near: S) -> Option<Meeting<S>> {
        let mut best: Option<([u32; 2], Impact<S>)> = None;
        let mut looks = MOST_LOOKS;
        for pair in self.pairs_of(bodies) {
            let [first, second] = pair.map(|collider| self.moving(collider, seconds));
            let [from, to] = pair.map(|collider| self.world.bodies.position[self.body(collider)]);
            let impact = time_of_impact_within(&first, &second, to - from, near, &mut looks);
            if let Some(impact) = impact.filter(|impact| best.is_none_or(|(_, best)| impact.part < best.part)) {
                best = Some((pair, impact));
            }
        }
        best.map(|(pair, Impact { part, normal, point, distance })| Meeting {
            colliders: pair.map(|collider| self.named(collider)),
            time: part * seconds,
            point: self.world.bodies.position[self.body(pair[0])] + point,
            normal,
            distance,
        })
    }

    fn moving(&self, collider: u32, seconds: S) -> Moving<'_, S> {
        let (bodies, body) = (&self.world.bodies, self.body(collider));
        Moving {
            shape: self.shape(collider),
            local: self.world.colliders.local[collider as usize],
            orientation: bodies.orientation[body],
            displacement: bodies.linear_velocity[body] * seconds,
            turn: bodies.angular_velocity[body] * seconds,
        }
    }

    /// Every collider of the one body with every one of the other, sensors left out.
    fn pairs_of(&self, [a, b]: [u32; 2]) -> Vec<[u32; 2]> {
        let colliders = &self.world.colliders;
        let solid = |body: u32| {
            let own = colliders.of_body(body).filter(|&collider| !colliders.is_sensor[collider]);
            own.filter_map(|collider| u32::try_from(collider).ok())
        };
        solid(a).flat_map(|first| solid(b).map(move |second| [first, second])).collect()
    }
}
