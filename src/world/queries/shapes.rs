//! What a shape that is not in the world meets, overlaps or is near to.

use crate::collision::query::{Closest, Impact, Moving, Ray, closest, contains, time_of_impact};
use crate::geometry::{Aabb, Shape};
use crate::math::{Pose, Quat, Scalar, Vec3};
use crate::world::queries::{Queries, QueryFilter, first_of};
use crate::world::sensors::NamedCollider;

/// A shape with which a world is probed.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a, S> {
    /// The shape; a ball without a radius is a point. A half-space has no box and is near to everything.
    pub shape: &'a Shape<S>,
    /// Where it is, world frame.
    pub pose: Pose<S>,
}

/// Where a shape on its way meets a collider.
#[derive(Clone, Debug, PartialEq)]
pub struct CastAnswer<S> {
    /// What it meets.
    pub collider: NamedCollider,
    /// The part of the way that is done by then, 0 to 1.
    pub part: S,
    /// Where they touch, world frame, metres.
    pub point: Vec3<S>,
    /// The unit normal from the shape to the collider, world axes.
    pub normal: Vec3<S>,
    /// What is between them then, metres; negative where they overlap at the start.
    pub distance: S,
}

/// A collider near a shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearest<S> {
    /// What is near.
    pub collider: NamedCollider,
    /// What is between them, metres; negative where they overlap.
    pub distance: S,
    /// The unit normal from the shape to the collider, world axes.
    pub normal: Vec3<S>,
    /// The nearest point of the shape and that of the collider, world frame, metres.
    pub points: [Vec3<S>; 2],
}

impl<S: Scalar> Queries<'_, S> {
    /// What holds a point of the world frame, in the order of the state; surfaces belong to their shapes.
    #[must_use]
    pub fn containing(&self, point: Vec3<S>, filter: &QueryFilter<'_>) -> Vec<NamedCollider> {
        let holds = |&collider: &u32| {
            let placed = self.placed(collider);
            contains(self.shape(collider), &placed.placement.rotation, point - placed.origin)
        };
        self.near(Some(&Aabb::new(point, point)), filter)
            .into_iter()
            .filter(holds)
            .map(|found| self.named(found))
            .collect()
    }

    /// What a shape overlaps, in the order of the state; touching counts.
    #[must_use]
    pub fn overlapping(&self, probe: &Probe<'_, S>, filter: &QueryFilter<'_>) -> Vec<Nearest<S>> {
        self.within(probe, S::ZERO, filter)
    }

    /// What is within `reach` of a shape, metres, the nearest first.
    #[must_use]
    pub fn nearest(&self, probe: &Probe<'_, S>, reach: S, filter: &QueryFilter<'_>) -> Vec<Nearest<S>> {
        let mut found = self.within(probe, reach, filter);
        found.sort_by_key(|near| near.distance.to_ordered());
        found
    }

    /// What a shape meets first that goes straight by `displacement`, metres, without turning: the first moment at which they are within
    /// `near` of each other, metres, positive.
    #[must_use]
    pub fn cast_shape(
        &self,
        probe: &Probe<'_, S>,
        displacement: Vec3<S>,
        near: S,
        filter: &QueryFilter<'_>,
    ) -> Option<CastAnswer<S>> {
        let Pose { position, orientation } = probe.pose;
        let moving = Moving { shape: probe.shape, local: Pose::IDENTITY, orientation, displacement, turn: Vec3::ZERO };
        let mut best: Option<(u32, Impact<S>)> = None;
        self.on_way(probe, displacement, near, |collider| {
            let placed = self.placed(collider);
            let still = Moving {
                shape: self.shape(collider),
                orientation: self.orientation(collider),
                displacement: Vec3::ZERO,
                ..moving
            };
            let seen = self.is_seen(collider, filter);
            let impact = seen.then(|| time_of_impact(&moving, &still, placed.origin - position, near)).flatten();
            best = first_of(best, impact.map(|impact| (collider, impact)), |impact| impact.part);
            best.map_or(S::ONE, |(_, impact)| impact.part)
        });
        best.map(|(collider, Impact { part, normal, point, distance })| CastAnswer {
            collider: self.named(collider),
            part,
            point: position + point,
            normal,
            distance,
        })
    }

    /// Shows the colliders that a shape may meet on its way; what is told back is the part of the way that is still asked for.
    fn on_way(&self, probe: &Probe<'_, S>, displacement: Vec3<S>, near: S, mut found: impl FnMut(u32) -> S) {
        let bounds = probe.shape.aabb(&probe.pose.orientation.to_matrix(), probe.pose.position);
        let (Some(bounds), Some((direction, length))) = (bounds, displacement.normalise()) else {
            let bounds = bounds.map(|bounds| bounds.union(&bounds.translated(displacement)).expanded(near));
            self.near(bounds.as_ref(), &QueryFilter { sensors: true, ..QueryFilter::SOLID }).into_iter().for_each(
                |collider| {
                    found(collider);
                },
            );
            return;
        };
        let half_extents = (bounds.max - bounds.min) * S::HALF + Vec3::splat(near);
        let ray = Ray { origin: (bounds.min + bounds.max) * S::HALF, direction, length };
        self.tree.visit_on_way(&ray, half_extents, |collider| length * found(collider));
    }

    /// The orientation of a collider's shape.
    fn orientation(&self, collider: u32) -> Quat<S> {
        let local = &self.world.colliders.local[collider as usize];
        self.world.bodies.orientation[self.body(collider)] * local.orientation
    }

    /// What is within `reach` of a shape, in the order of the state.
    fn within(&self, probe: &Probe<'_, S>, reach: S, filter: &QueryFilter<'_>) -> Vec<Nearest<S>> {
        let rotation = probe.pose.orientation.to_matrix();
        let bounds = probe.shape.aabb(&rotation, probe.pose.position).map(|bounds| bounds.expanded(reach));
        let near = self.near(bounds.as_ref(), filter).into_iter();
        let found = near.filter_map(|collider| {
            let placed = self.placed(collider);
            let other = (self.shape(collider), &placed.placement.rotation);
            let Closest { distance, normal, points } =
                closest((probe.shape, &rotation), other, placed.origin - probe.pose.position)?;
            let points = points.map(|point| point + probe.pose.position);
            (distance <= reach).then(|| Nearest { collider: self.named(collider), distance, normal, points })
        });
        found.collect()
    }

    /// The colliders that are seen and whose boxes overlap one, in order; all of them without a box.
    pub(super) fn near(&self, bounds: Option<&Aabb<S>>, filter: &QueryFilter<'_>) -> Vec<u32> {
        let mut near = Vec::new();
        match bounds {
            Some(bounds) => self.tree.overlapping(bounds, &mut near),
            None => near.extend((0..).take(self.placed.len())),
        }
        near.retain(|&collider| self.is_seen(collider, filter));
        near.sort_unstable();
        near
    }
}
