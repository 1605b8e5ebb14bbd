//! What a ray meets.

use crate::collision::query::{Ray, RayHit, cast_ray};
use crate::math::{Scalar, Vec3};
use crate::world::queries::{Queries, QueryFilter, first_of};
use crate::world::sensors::NamedCollider;

/// Where a ray meets a collider.
#[derive(Clone, Debug, PartialEq)]
pub struct RayAnswer<S> {
    /// What it meets.
    pub collider: NamedCollider,
    /// From the start of the ray, metres; zero where it starts inside.
    pub distance: S,
    /// Where, world frame, metres.
    pub point: Vec3<S>,
    /// The unit normal of the surface there, world axes; against the ray where it starts inside.
    pub normal: Vec3<S>,
}

impl<S: Scalar> Queries<'_, S> {
    /// What a ray meets first. The ray starts in the world frame.
    #[must_use]
    pub fn cast_ray(&self, ray: &Ray<S>, filter: &QueryFilter<'_>) -> Option<RayAnswer<S>> {
        let mut best: Option<(u32, RayHit<S>)> = None;
        self.tree.visit_on_way(ray, Vec3::ZERO, |collider| {
            let next = self.hit(ray, collider, filter).map(|hit| (collider, hit));
            best = first_of(best, next, |hit| hit.distance);
            best.map_or(ray.length, |(_, hit)| hit.distance)
        });
        best.map(|(collider, hit)| self.ray_answer(ray, collider, hit))
    }

    /// All that a ray meets, each where it meets it first, in the order in which it does.
    #[must_use]
    pub fn cast_ray_through(&self, ray: &Ray<S>, filter: &QueryFilter<'_>) -> Vec<RayAnswer<S>> {
        let mut hits: Vec<(u32, RayHit<S>)> = Vec::new();
        self.tree.visit_on_way(ray, Vec3::ZERO, |collider| {
            hits.extend(self.hit(ray, collider, filter).map(|hit| (collider, hit)));
            ray.length
        });
        hits.sort_unstable_by_key(|&(collider, hit)| (hit.distance.to_ordered(), collider));
        hits.into_iter().map(|(collider, hit)| self.ray_answer(ray, collider, hit)).collect()
    }

    fn hit(&self, ray: &Ray<S>, collider: u32, filter: &QueryFilter<'_>) -> Option<RayHit<S>> {
        if !self.is_seen(collider, filter) {
            return None;
        }
        let placed = self.placed(collider);
        let seen = Ray { origin: ray.origin - placed.origin, ..*ray };
        cast_ray(self.shape(collider), &placed.placement.rotation, &seen)
    }

    fn ray_answer(&self, ray: &Ray<S>, collider: u32, hit: RayHit<S>) -> RayAnswer<S> {
        let RayHit { distance, normal } = hit;
        RayAnswer { collider: self.named(collider), distance, point: ray.point(distance), normal }
    }
}
