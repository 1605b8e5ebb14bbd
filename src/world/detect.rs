//! Pairs and contacts of a step: fat boxes, broad phase, narrow phase, and the impulses that persist.

use crate::collision::broad_phase::FatBox;
use crate::collision::manifold::{Manifold, collide};
use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::geometry::{Aabb, Shape};
use crate::math::{Mat3, Quat, Scalar, Vec3};
use crate::world::counts::Counted;
use crate::world::error::StepError;
use crate::world::limits::pair_limit;
use crate::world::{Placement, World};

/// Largest margin of a fat box, as metres over ten.
const MARGIN_TENTHS: i64 = 1;

impl<S: Scalar> World<S> {
    /// Finds the pairs of colliders whose fat boxes overlap.
    ///
    /// # Errors
    /// When there are more than [`pair_limit`].
    pub(super) fn find_pairs(&mut self) -> Result<(), StepError> {
        self.place_colliders();
        self.refresh_fat_boxes();
        let (bodies, placements) = (&self.bodies, &self.scratch.placements);
        let body_of = |collider: u32| placements[collider as usize].body as usize;
        let limit = pair_limit(self.colliders.len());
        let found = self.broad_phase.pairs(
            &self.colliders.fat_box,
            |a, b| {
                let (a, b) = (body_of(a), body_of(b));
                a != b && (bodies.kind[a] == BodyKind::Dynamic || bodies.kind[b] == BodyKind::Dynamic)
            },
            limit,
            &mut self.scratch.pairs,
        );
        found.map_err(|too_many| StepError::too_many_pairs(self.step + 1, too_many, limit, self.colliders.len()))?;
        self.scratch.counts.add(Counted::Pairs, self.scratch.pairs.len() as u64);
        Ok(())
    }

    /// Finds where each collider is.
    fn place_colliders(&mut self) {
        let placements = &mut self.scratch.placements;
        placements.clear();
        let mut body = 0;
        for (key, local) in self.colliders.key.iter().zip(&self.colliders.local) {
            while self.bodies.id[body] < key.body {
                body += 1; // colliders are ordered by body id, as bodies are
            }
            let rotation = self.scratch.motion.rotation[body];
            let turned = local.orientation != Quat::IDENTITY;
            placements.push(Placement {
                body: u32::try_from(body).unwrap_or(u32::MAX),
                offset: if local.position == Vec3::ZERO { Vec3::ZERO } else { rotation * local.position },
                rotation: if turned { rotation * local.orientation.to_matrix() } else { rotation },
            });
        }
    }

    /// Moves the fat box of each collider that has left its own.
    fn refresh_fat_boxes(&mut self) {
        for index in 0..self.colliders.len() {
            let placement = &self.scratch.placements[index];
            let body = placement.body as usize;
            if self.bodies.kind[body] == BodyKind::Static {
                continue;
            }
            let centre = self.bodies.position[body] + placement.offset;
            let Some(tight) = self.colliders.shape[index].aabb(&placement.rotation, centre) else {
                continue;
            };
            let needed = tight.expanded(self.settings.solver.speculative_distance);
            let fat_box = &mut self.colliders.fat_box[index];
            if matches!(fat_box, FatBox::Bounded(fat) if fat.contains(&needed)) {
                continue;
            }
            *fat_box = FatBox::Bounded(needed.expanded(fat_margin(&tight)));
            self.broad_phase.update(index, fat_box);
        }
    }

    /// Finds the contacts of the pairs and lets them keep the impulses of their predecessors.
    pub(super) fn find_contacts(&mut self) {
        self.collide_pairs();
        self.misgather();
        std::mem::swap(&mut self.contacts, &mut self.scratch.old_contacts);
        self.contacts.clear();
        self.scratch.geometry.clear();
        let mut old = self.scratch.old_contacts.iter().peekable();
        for (&(a, b), manifold) in self.scratch.pairs.iter().zip(&self.scratch.manifolds) {
            if manifold.points().is_empty() {
                continue;
            }
            let (a, b) = (a as usize, b as usize);
            let keys = (self.colliders.key[a], self.colliders.key[b]);
            while old.next_if(|contact| (contact.a, contact.b) < keys).is_some() {}
            let previous = old.next_if(|contact| (contact.a, contact.b) == keys);
            let contact = Contact::from_manifold(keys.0, keys.1, manifold, previous);
            let (first, second) = (&self.scratch.placements[a], &self.scratch.placements[b]);
            let between = between(&self.bodies, first, second);
            self.scratch.geometry.push(ContactGeometry {
                body_a: first.body,
                body_b: second.body,
                shape_a: first.offset,
                between,
                surface: self.colliders.surface[a].combine(self.colliders.surface[b]),
                manifold: *manifold,
            });
            let kept = contact.points().iter().filter(|point| point.normal_impulse > S::ZERO).count();
            let kinds = (self.colliders.shape[a].kind(), self.colliders.shape[b].kind());
            let counts = &mut self.scratch.counts;
            counts.add_contact(kinds.0, kinds.1);
            counts.add(Counted::ContactPoints, contact.points().len() as u64);
            counts.add(Counted::WarmStarts, if self.settings.solver.warm_starting { kept as u64 } else { 0 });
            self.contacts.push(contact);
        }
    }

    /// Runs the narrow phase over all pairs.
    fn collide_pairs(&mut self) {
        let Self { bodies, colliders, scratch, settings, executor, .. } = self;
        let placements = &scratch.placements;
        let margin = settings.solver.speculative_distance;
        scratch.manifolds.resize_with(scratch.pairs.len(), Manifold::empty);
        executor.map(&scratch.pairs, &mut scratch.manifolds, |&(a, b)| {
            let (a, b) = (a as usize, b as usize);
            let (first, second) = (&placements[a], &placements[b]);
            let offset = between(bodies, first, second) + second.offset - first.offset;
            collide(&colliders.shape[a], &first.rotation, &colliders.shape[b], &second.rotation, offset, margin)
        });
    }
}

/// From the centre of mass of the first collider's body to that of the second's, world axes.
///
/// Only this difference of positions enters a collision, so that a translated scene collides the same.
fn between<S: Scalar>(bodies: &Bodies<S>, first: &Placement<S>, second: &Placement<S>) -> Vec3<S> {
    bodies.position[second.body as usize] - bodies.position[first.body as usize]
}

/// The box that the broad phase is to know for a shape that is at `centre`, turned by `rotation`.
pub(super) fn fat_box<S: Scalar>(
    shape: &Shape<S>,
    rotation: &Mat3<S>,
    centre: Vec3<S>,
    speculative_distance: S,
) -> FatBox<S> {
    match (shape, shape.aabb(rotation, centre)) {
        (_, Some(tight)) => FatBox::Bounded(tight.expanded(speculative_distance).expanded(fat_margin(&tight))),
        (Shape::HalfSpace { normal }, None) => {
            // A little above the plane, as boxes are a little larger than their shapes.
            let normal = *rotation * *normal;
            FatBox::HalfSpace { normal, point: centre + normal * speculative_distance }
        }
        (_, None) => FatBox::HalfSpace { normal: Vec3::Y, point: centre },
    }
}

/// How much larger than its shape a fat box is made: a tenth of a metre, for small shapes a quarter of their size.
fn fat_margin<S: Scalar>(tight: &Aabb<S>) -> S {
    let extent = tight.max - tight.min;
    let largest = extent.x.max(extent.y).max(extent.z);
    (largest * S::from_ratio(1, 4)).min(S::from_ratio(MARGIN_TENTHS, 10))
}
