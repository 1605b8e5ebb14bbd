//! Pairs and contacts of a step: fat boxes, broad phase, narrow phase, and the impulses that persist.

use crate::collision::broad_phase::FatBox;
use crate::collision::gap_along;
use crate::collision::manifold::{Manifold, ManifoldPoint, collide};
use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::collider::Placement;
use crate::dynamics::contact::{Contact, ContactGeometry, touching_gap};
use crate::dynamics::solver::open::{Clearance, OpenPair};
use crate::dynamics::solver::rows::NONE;
use crate::geometry::{Aabb, Shape};
use crate::math::{Mat3, Scalar, Vec3};
use crate::world::World;
use crate::world::counts::Counted;
use crate::world::error::StepError;
use crate::world::limits::pair_limit;

/// Largest margin of a fat box, as metres over ten.
const MARGIN_TENTHS: i64 = 1;

/// The two shapes of a pair.
struct Placed<'a, S> {
    shapes: [&'a Shape<S>; 2],
    rotations: [&'a Mat3<S>; 2],
    /// From the origin of the first to that of the second, world axes.
    offset: Vec3<S>,
}

impl<S: Scalar> World<S> {
    /// Finds the pairs of colliders whose fat boxes overlap.
    ///
    /// # Errors
    /// When there are more than [`pair_limit`].
    pub(super) fn find_pairs(&mut self) -> Result<(), StepError> {
        self.place_colliders();
        self.refresh_fat_boxes();
        self.scratch.joints.find_apart(&self.joints);
        let joints = &self.scratch.joints;
        let (bodies, placements) = (&self.bodies, &self.scratch.placements);
        let body_of = |collider: u32| placements[collider as usize].body as usize;
        let limit = pair_limit(self.colliders.len());
        let found = self.broad_phase.pairs(
            &self.colliders.fat_box,
            |a, b| {
                let (a, b) = (body_of(a), body_of(b));
                a != b
                    && (bodies.kind[a] == BodyKind::Dynamic || bodies.kind[b] == BodyKind::Dynamic)
                    && !joints.are_apart(bodies.id[a], bodies.id[b])
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
            let number = u32::try_from(body).unwrap_or(u32::MAX);
            placements.push(Placement::of(number, local, self.scratch.motion.rotation[body]));
        }
    }

    /// Moves the fat box of each collider that leaves its own within this step, or has become much smaller than it.
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
            let needed = self.swept(index, &tight);
            let margin = fat_margin(&tight);
            let fat_box = &mut self.colliders.fat_box[index];
            let suits = |fat: &Aabb<S>| fat.contains(&needed) && needed.expanded(margin * S::TWO).contains(fat);
            if matches!(fat_box, FatBox::Bounded(fat) if suits(fat)) {
                continue;
            }
            *fat_box = FatBox::Bounded(needed.expanded(margin));
            self.broad_phase.update(index, fat_box);
        }
    }

    /// The box that a collider needs in this step: where it is, and where it goes.
    fn swept(&self, index: usize, tight: &Aabb<S>) -> Aabb<S> {
        let near = tight.expanded(self.settings.solver.speculative_distance);
        if !self.settings.continuous {
            return near;
        }
        let body = self.scratch.placements[index].body as usize;
        let reach = self.colliders.reach(index);
        let turning =
            (self.bodies.angular_velocity[body].taxicab_length() * self.settings.step_seconds * reach).min(reach);
        let gain = self.scratch.motion.linear_acceleration[body] * self.settings.step_seconds;
        let way = (self.bodies.linear_velocity[body] + gain) * self.settings.step_seconds;
        let near = near.expanded(turning);
        near.union(&near.translated(way))
    }

    /// Finds the contacts of the pairs and lets them keep the impulses of their predecessors.
    ///
    /// Pairs that do not touch are kept aside: they get rows when they meet within the step.
    pub(super) fn find_contacts(&mut self) {
        self.collide_pairs();
        self.misgather();
        std::mem::swap(&mut self.contacts, &mut self.scratch.old_contacts);
        self.contacts.clear();
        self.scratch.geometry.clear();
        self.scratch.open.clear();
        let old_contacts = std::mem::take(&mut self.scratch.old_contacts);
        let mut old = old_contacts.iter().peekable();
        for number in 0..self.scratch.pairs.len() {
            let (a, b) = self.scratch.pairs[number];
            let keys = (self.colliders.key[a as usize], self.colliders.key[b as usize]);
            while old.next_if(|contact| (contact.a, contact.b) < keys).is_some() {}
            let previous = old.next_if(|contact| (contact.a, contact.b) == keys);
            self.sort_pair([a, b], number, previous);
        }
        self.scratch.old_contacts = old_contacts;
    }

    /// Makes a contact of a pair that touches, an open pair of one that does not, and both of one that nearly does.
    fn sort_pair(&mut self, [a, b]: [u32; 2], number: usize, previous: Option<&Contact<S>>) {
        let manifold = self.scratch.manifolds[number];
        let gap = manifold.gap();
        // Without a look within substeps, what is near has rows at once, as is usual, and what is not is not seen.
        let far = if self.settings.continuous { touching_gap() } else { self.settings.solver.speculative_distance };
        let is_open = gap.is_none_or(|gap| gap > far);
        let is_near = gap.is_some_and(|gap| gap <= self.settings.solver.speculative_distance);
        let contact = if is_near { u32::try_from(self.contacts.len()).unwrap_or(NONE) } else { NONE };
        let [first, second] = [a, b].map(|collider| self.scratch.placements[collider as usize]);
        if is_open && self.settings.continuous {
            let reach = [a, b].map(|collider| self.colliders.reach(collider as usize));
            let seen = Clearance::of(&manifold, self.pair_margin([a, b]), |normal| self.pair_gap([a, b], normal));
            self.scratch.open.push(OpenPair::new([a, b], [first.body, second.body], reach, seen, contact));
        }
        if !is_near {
            return;
        }
        let [key_a, key_b] = [a, b].map(|collider| self.colliders.key[collider as usize]);
        let contact = Contact::from_manifold(key_a, key_b, &manifold, previous.filter(|_| !is_open));
        let [surface_a, surface_b] = [a, b].map(|collider| self.colliders.surface[collider as usize]);
        self.scratch.geometry.push(ContactGeometry {
            body_a: first.body,
            body_b: second.body,
            colliders: [a, b],
            shape_a: first.offset,
            between: between(&self.bodies, &first, &second),
            surface: surface_a.combine(surface_b),
            manifold,
            is_open,
            way_a: Vec3::ZERO,
            impulses: Default::default(),
        });
        let kept = contact.points().iter().filter(|point| point.normal_impulse > S::ZERO).count();
        let warm = if self.settings.solver.warm_starting { kept as u64 } else { 0 };
        self.scratch.counts.add(Counted::WarmStarts, warm);
        self.contacts.push(contact);
    }

    /// The gap of a pair along a unit direction from its first shape to its second, metres.
    fn pair_gap(&self, pair: [u32; 2], normal: Vec3<S>) -> S {
        let Placed { shapes: [a, b], rotations: [rotation_a, rotation_b], offset } = self.placed(pair);
        gap_along((a, rotation_a), (b, rotation_b), offset, normal)
    }

    /// The two shapes of a pair where they are at the start of the step.
    fn placed(&self, pair: [u32; 2]) -> Placed<'_, S> {
        let [first, second] = pair.map(|collider| &self.scratch.placements[collider as usize]);
        Placed {
            shapes: pair.map(|collider| &self.colliders.shape[collider as usize]),
            rotations: [&first.rotation, &second.rotation],
            offset: between(&self.bodies, first, second) + second.offset - first.offset,
        }
    }

    /// How far apart the shapes of a pair may be and still be able to meet in this step, metres.
    fn pair_margin(&self, colliders: [u32; 2]) -> S {
        let near = self.settings.solver.speculative_distance;
        if self.settings.continuous { near + self.approach_in_step(colliders) } else { near }
    }

    /// The way that the shapes of a pair can come nearer to each other in this step, at most, metres.
    fn approach_in_step(&self, colliders: [u32; 2]) -> S {
        let motion = &self.scratch.motion;
        let [a, b] = colliders.map(|collider| self.scratch.placements[collider as usize].body as usize);
        let gain = (motion.linear_acceleration[b] - motion.linear_acceleration[a]) * self.settings.step_seconds;
        let speed = (self.bodies.linear_velocity[b] - self.bodies.linear_velocity[a] + gain).taxicab_length();
        let turning = |body: usize, collider: u32| {
            self.bodies.angular_velocity[body].taxicab_length() * self.colliders.reach(collider as usize)
        };
        (speed + turning(a, colliders[0]) + turning(b, colliders[1])) * self.settings.step_seconds
    }

    /// Runs the narrow phase over all pairs.
    fn collide_pairs(&mut self) {
        let pairs = std::mem::take(&mut self.scratch.pairs);
        let mut manifolds = std::mem::take(&mut self.scratch.manifolds);
        manifolds.resize_with(pairs.len(), Manifold::empty);
        let mut executor = std::mem::take(&mut self.executor);
        executor.map(&pairs, &mut manifolds, |&(a, b)| self.collide_pair([a, b]));
        self.executor = executor;
        self.scratch.pairs = pairs;
        self.scratch.manifolds = manifolds;
    }

    /// The manifold of a pair: with points as far as the shapes can come nearer in this step, but where they touch only with
    /// those that are near.
    fn collide_pair(&self, pair: [u32; 2]) -> Manifold<S> {
        let near = self.settings.solver.speculative_distance;
        let margin = self.pair_margin(pair);
        let Placed { shapes: [a, b], rotations: [rotation_a, rotation_b], offset } = self.placed(pair);
        let manifold = collide(a, rotation_a, b, rotation_b, offset, margin);
        let is_near = |point: &ManifoldPoint<S>| point.separation <= near;
        if margin > near && manifold.points().iter().any(is_near) && !manifold.points().iter().all(is_near) {
            return collide(a, rotation_a, b, rotation_b, offset, near);
        }
        manifold
    }

    /// Puts contacts that began within the step in their places among the others, and counts those that touched.
    pub(super) fn sort_contacts(&mut self) {
        let is_sorted = self.contacts.is_sorted_by_key(|contact| (contact.a, contact.b));
        if !is_sorted {
            let mut both: Vec<_> = self.contacts.drain(..).zip(self.scratch.geometry.drain(..)).collect();
            both.sort_unstable_by_key(|(contact, _)| (contact.a, contact.b));
            (self.contacts, self.scratch.geometry) = both.into_iter().unzip();
        }
        let touched = self.contacts.iter().zip(&self.scratch.geometry).filter(|(_, geometry)| !geometry.is_open);
        for (contact, geometry) in touched {
            let [a, b] = geometry.colliders.map(|collider| self.colliders.shape[collider as usize].kind());
            self.scratch.counts.add_contact(a, b);
            self.scratch.counts.add(Counted::ContactPoints, contact.points().len() as u64);
        }
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
