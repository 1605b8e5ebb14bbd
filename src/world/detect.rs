//! Pairs and contacts of a step: fat boxes, broad phase, narrow phase, and the impulses that persist.

use crate::collision::broad_phase::FatAabb;
use crate::dynamics::body::BodyKind;
use crate::dynamics::collider::Placement;
use crate::dynamics::contact::{Contact, ContactGeometry, ContactKey, touching_gap};
use crate::dynamics::pair_filter::PairFilter;
use crate::dynamics::recycling::KeptManifold;
use crate::dynamics::solver::open::OpenPair;
use crate::dynamics::solver::poses::ColliderPair;
use crate::dynamics::solver::rows::NONE;
use crate::geometry::{Aabb, Shape};
use crate::math::{CompiledOnce, Fixed, Mat3, Scalar, Vec3};
use crate::world::counts::Counted;
use crate::world::error::StepError;
use crate::world::limits::pair_limit;
use crate::world::sighting::{Candidate, Sighting};
use crate::world::{Scratch, World};

/// Colliders that one thread places, or gives a box, in a row: at some 20 to 60 ns each.
const COLLIDERS_AT_ONCE: usize = 512;

/// The broad phase of a step as it is compiled here.
struct FindPairs;

impl CompiledOnce for FindPairs {
    type Input<'a, S: Scalar> = &'a mut World<S>;
    type Output = Result<(), StepError>;

    fn in_fixed(world: &mut World<Fixed>) -> Self::Output {
        world.find_all_pairs()
    }

    fn in_f32(world: &mut World<f32>) -> Self::Output {
        world.find_all_pairs()
    }

    fn in_f64(world: &mut World<f64>) -> Self::Output {
        world.find_all_pairs()
    }
}

/// The narrow phase of a step as it is compiled here.
struct FindContacts;

impl CompiledOnce for FindContacts {
    type Input<'a, S: Scalar> = &'a mut World<S>;
    type Output = ();

    fn in_fixed(world: &mut World<Fixed>) {
        world.find_all_contacts();
    }

    fn in_f32(world: &mut World<f32>) {
        world.find_all_contacts();
    }

    fn in_f64(world: &mut World<f64>) {
        world.find_all_contacts();
    }
}

impl<S: Scalar> World<S> {
    /// Finds the pairs of colliders whose fat boxes overlap.
    ///
    /// # Errors
    /// When there are more than [`pair_limit`].
    pub(super) fn find_pairs(&mut self) -> Result<(), StepError> {
        S::compiled_once::<FindPairs>(self)
    }

    fn find_all_pairs(&mut self) -> Result<(), StepError> {
        self.place_colliders();
        self.refresh_fat_boxes();
        self.renew_apart();
        let placements = &self.scratch.placements;
        let body_of = |collider: u32| placements[collider as usize].body as usize;
        let filter = PairFilter { bodies: &self.bodies, colliders: &self.colliders, apart: &self.scratch.apart };
        let limit = pair_limit(self.colliders.len());
        let found = self.broad_phase.pairs(
            &self.colliders.fat_box,
            |a, b| filter.push([a, b], [body_of(a), body_of(b)]),
            limit,
            &mut self.executor,
            &mut self.scratch.pairs,
        );
        found.map_err(|too_many| StepError::too_many_pairs(self.step + 1, too_many, limit, self.colliders.len()))?;
        self.scratch.counts.add(Counted::Pairs, self.scratch.pairs.len() as u64);
        Ok(())
    }

    /// Finds which bodies pass through each other.
    pub(super) fn renew_apart(&mut self) {
        if self.scratch.apart.find(&self.joints, &self.excluded) {
            self.broad_phase.forget_pairs();
        }
    }

    /// Finds where each collider is.
    fn place_colliders(&mut self) {
        let Scratch { placements, motion, .. } = &mut self.scratch;
        let (keys, locals, ids) = (&self.colliders.key, &self.colliders.local, &self.bodies.id);
        placements.resize(keys.len(), Placement::NOWHERE);
        self.executor.for_each_part(COLLIDERS_AT_ONCE, &mut placements[..], |first, placements| {
            let mut body = keys.get(first).map_or(0, |key| ids.partition_point(|&id| id < key.body));
            for (collider, placement) in (first..).zip(placements) {
                while ids[body] < keys[collider].body {
                    body += 1; // colliders are ordered by body id, as bodies are
                }
                let number = u32::try_from(body).unwrap_or(u32::MAX);
                *placement = Placement::of(number, &locals[collider], motion.rotation[body]);
            }
        });
    }

    /// Moves the fat box of each collider that leaves its own within this step, or has become much smaller than it.
    fn refresh_fat_boxes(&mut self) {
        let most = most_margin();
        let mut tight_boxes = std::mem::take(&mut self.scratch.tight_boxes);
        let mut moved = std::mem::take(&mut self.scratch.moved);
        let mut fat_boxes = std::mem::take(&mut self.colliders.fat_box);
        let mut executor = std::mem::take(&mut self.executor);
        tight_boxes.resize(fat_boxes.len(), None);
        moved.resize(fat_boxes.len(), false);
        let boxes = (&mut fat_boxes[..], (&mut tight_boxes[..], &mut moved[..]));
        executor.for_each_part(COLLIDERS_AT_ONCE, boxes, |first, (fat_boxes, (tight_boxes, moved))| {
            let boxes = fat_boxes.iter_mut().zip(tight_boxes);
            for (index, ((fat_box, tight_box), moved)) in (first..).zip(boxes.zip(moved)) {
                *moved = self.refresh_fat_box(index, fat_box, tight_box, most);
            }
        });
        let moved_boxes = &mut self.scratch.moved_boxes;
        moved_boxes.clear();
        moved_boxes.extend((0..).zip(&moved).filter(|(_, moved)| **moved).map(|(index, _)| index));
        (self.executor, self.colliders.fat_box) = (executor, fat_boxes);
        (self.scratch.tight_boxes, self.scratch.moved) = (tight_boxes, moved);
        self.broad_phase.update_all(&self.scratch.moved_boxes, &self.colliders.fat_box);
    }

    /// Finds the box of a collider as it is now, and moves its fat box, if need be; whether that has moved.
    #[inline(always)]
    fn refresh_fat_box(
        &self,
        index: usize,
        fat_box: &mut FatAabb<S>,
        tight_box: &mut Option<Aabb<S>>,
        most: S,
    ) -> bool {
        let placement = &self.scratch.placements[index];
        let body = placement.body as usize;
        let centre = self.bodies.position[body] + placement.offset;
        *tight_box = self.colliders.shape[index].aabb(&placement.rotation, centre);
        let Some(tight) = tight_box.filter(|_| self.bodies.kind[body] != BodyKind::Static) else {
            return false;
        };
        let needed = self.swept(index, &tight);
        let margin = fat_margin(&tight, most);
        let suits = |fat: &Aabb<S>| fat.contains(&needed) && needed.expanded(margin * S::TWO).contains(fat);
        if matches!(fat_box, FatAabb::Bounded(fat) if suits(fat)) {
            return false;
        }
        *fat_box = FatAabb::Bounded(needed.expanded(margin));
        true
    }

    /// The box that a collider needs in this step: where it is, and where it goes.
    #[inline(always)]
    fn swept(&self, index: usize, tight: &Aabb<S>) -> Aabb<S> {
        let near = tight.expanded(self.settings.contact_margin);
        if !self.settings.continuous {
            return near;
        }
        let body = self.scratch.placements[index].body as usize;
        let reach = self.colliders.reach[index];
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
        S::compiled_once::<FindContacts>(self);
    }

    fn find_all_contacts(&mut self) {
        std::mem::swap(&mut self.contacts, &mut self.scratch.old_contacts);
        self.find_predecessors();
        self.begin_contacts();
        let count = self.scratch.candidates.len();
        let at_once = self.sightings_at_once(count);
        for first in (0..count).step_by(at_once) {
            self.look_at_pairs(first..count.min(first + at_once));
            self.make_contacts(first);
        }
    }

    /// Takes out all contacts and open pairs.
    pub(super) fn begin_contacts(&mut self) {
        self.contacts.clear();
        self.scratch.kept_by.clear();
        self.scratch.geometry.clear();
        self.scratch.open.clear();
    }

    /// Makes contacts and open pairs of what the narrow phase found of the candidates from `first` on.
    pub(super) fn make_contacts(&mut self, first: usize) {
        for place in 0..self.scratch.sightings.len() {
            self.sort_pair(first + place, place);
        }
    }

    /// Finds the contact of the step before of each pair, both being ordered by keys, and where its manifold is.
    fn find_predecessors(&mut self) {
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        let mut pieces = std::mem::take(&mut self.scratch.pieces);
        candidates.clear();
        let mut are_in_place = true;
        let mut old = (0..).zip(self.scratch.old_contacts.iter()).peekable();
        for &(a, b) in &self.scratch.pairs {
            let [key_a, key_b] = [a, b].map(|collider| self.colliders.key[collider as usize]);
            self.find_pieces([a, b], &mut pieces);
            for &piece in &pieces {
                let key = ContactKey { a: key_a, b: key_b, piece };
                while old.next_if(|(_, contact)| contact.key() < key).is_some() {}
                let previous = old.next_if(|(_, contact)| contact.key() == key).map_or(NONE, |(place, _)| place);
                let kept = self.scratch.kept_by.get(previous as usize).copied().unwrap_or(NONE);
                are_in_place &= previous == NONE || kept as usize == candidates.len();
                candidates.push(Candidate { colliders: [a, b], piece, previous, kept });
            }
        }
        drop(old);
        if !are_in_place {
            std::mem::swap(&mut self.scratch.kept, &mut self.scratch.old_kept);
        }
        self.scratch.are_kept_in_place = are_in_place;
        self.scratch.kept.resize_with(candidates.len(), KeptManifold::default);
        (self.scratch.candidates, self.scratch.pieces) = (candidates, pieces);
    }

    /// With which facets a pair is looked at, as in [`ColliderPair::piece`]: those that come near the box that the other collider needs; on a
    /// half-space with the mesh as a whole.
    fn find_pieces(&self, pair: [u32; 2], pieces: &mut Vec<u32>) {
        match pair.iter().position(|&collider| self.colliders.is_mesh[collider as usize]) {
            Some(side) => {
                let [mesh, other] = [pair[side], pair[1 - side]];
                let placed = (&self.scratch.placements[mesh as usize], &self.bodies);
                match &self.colliders.fat_box[other as usize] {
                    FatAabb::Bounded(needed) => {
                        let needed = needed.expanded(self.room_of_facets(mesh as usize));
                        self.colliders.pieces_in(mesh, placed, (&needed, self.settings.step_seconds), pieces);
                    }
                    FatAabb::HalfSpace { .. } => whole_only(pieces),
                }
            }
            None => whole_only(pieces),
        }
    }

    /// How far the facets of a mesh may get within the step beyond where its velocities carry them, metres: by what forces add to these, and as far as any
    /// shape that is pushed may stray within its fat box. What is not pushed goes where it is led.
    fn room_of_facets(&self, mesh: usize) -> S {
        let body = self.scratch.placements[mesh].body as usize;
        if self.bodies.kind[body] != BodyKind::Dynamic {
            return S::ZERO;
        }
        let time = self.settings.step_seconds;
        let gain = self.scratch.motion.linear_acceleration[body].taxicab_length()
            + self.scratch.motion.angular_acceleration[body].taxicab_length() * self.colliders.reach[mesh];
        let margin = self.scratch.tight_boxes[mesh].map_or(S::ZERO, |tight| fat_margin(&tight, most_margin()));
        gain * time * time + margin
    }

    /// Makes a contact of a pair that touches, an open pair of one that does not, and both of one that nearly does; what was found of it
    /// stands at `place`.
    fn sort_pair(&mut self, number: usize, place: usize) {
        let Candidate { colliders: [a, b], piece, previous, .. } = self.scratch.candidates[number];
        let Sighting { ref meeting, ahead, seen, may_be_on_rim, is_recycled, is_kept } = self.scratch.sightings[place];
        let gap = meeting.gap();
        // Without a look within substeps, what is near has rows at once, as is usual, and what is not is not seen.
        let is_open = ahead == S::ZERO && gap.is_none_or(|gap| gap > self.settings.gap_of_rows());
        let is_awaited = !self.settings.continuous && gap.is_some_and(|gap| gap > touching_gap());
        let is_near = gap.is_some_and(|gap| gap <= self.settings.contact_margin);
        let contact = if is_near { u32::try_from(self.contacts.len()).unwrap_or(NONE) } else { NONE };
        let bodies = [a, b].map(|collider| self.scratch.placements[collider as usize].body);
        if is_open && self.settings.continuous {
            let reach = [a, b].map(|collider| self.colliders.reach[collider as usize]);
            let pair = ColliderPair { colliders: [a, b], bodies, piece };
            self.scratch.open.push(OpenPair::new(pair, reach, seen, contact));
        }
        if !is_near {
            return;
        }
        let key = ContactKey { a: self.colliders.key[a as usize], b: self.colliders.key[b as usize], piece };
        let previous = self.scratch.old_contacts.get(previous as usize).filter(|_| !is_open);
        let found_at = self.scratch.kept.get(number).and_then(|kept| kept.found_at).filter(|_| is_kept);
        let mut contact = Contact::from_manifold(key, &meeting.manifold, previous);
        contact.found_at = found_at;
        self.scratch.counts.add(Counted::Recycled, u64::from(is_recycled));
        self.scratch.kept_by.push(u32::try_from(number).unwrap_or(NONE));
        let [surface_a, surface_b] = [a, b].map(|collider| self.colliders.surface[collider as usize]);
        self.scratch.geometry.push(ContactGeometry {
            body_a: bodies[0],
            body_b: bodies[1],
            colliders: [a, b],
            piece,
            shape_offset_a: meeting.shape_offset_a,
            centre_offset: meeting.centre_offset,
            surface: surface_a.combine(surface_b),
            manifold: meeting.manifold,
            is_open,
            is_awaited,
            ahead,
            may_be_on_rim,
            displacement_a: self.bodies.linear_velocity[bodies[0] as usize] * ahead,
            impulses: Default::default(),
        });
        let kept = contact.points().iter().filter(|point| point.normal_impulse > S::ZERO).count();
        let warm = if self.settings.solver.warm_starting { kept as u64 } else { 0 };
        self.scratch.counts.add(Counted::WarmStarts, warm);
        self.contacts.push(contact);
    }

    /// Puts contacts that began within the step in their places among the others, and counts those that touched.
    pub(super) fn sort_contacts(&mut self) {
        if !self.contacts.is_sorted_by_key(Contact::key) {
            self.scratch.contact_order.clear();
            self.scratch.contact_order.extend(0..u32::try_from(self.contacts.len()).unwrap_or(u32::MAX));
            self.scratch.contact_order.sort_by_key(|&number| self.contacts[number as usize].key());
            gather(&mut self.contacts, &self.scratch.contact_order);
            gather(&mut self.scratch.geometry, &self.scratch.contact_order);
            self.scratch.kept_by.resize(self.scratch.contact_order.len(), NONE);
            gather(&mut self.scratch.kept_by, &self.scratch.contact_order);
        }
        let touched = self.contacts.iter().zip(&self.scratch.geometry).filter(|(_, geometry)| !geometry.is_open);
        for (contact, geometry) in touched {
            let [a, b] = geometry.colliders.map(|collider| self.colliders.shape[collider as usize].kind());
            self.scratch.counts.add_contact(a, b);
            self.scratch.counts.add(Counted::ContactPoints, contact.points().len() as u64);
        }
    }
}

/// The one piece of what is not met facet by facet.
fn whole_only(pieces: &mut Vec<u32>) {
    pieces.clear();
    pieces.push(0);
}

/// Puts the items of these places, each of them once, in their order.
fn gather<T: Copy>(items: &mut Vec<T>, places: &[u32]) {
    let gathered = places.iter().map(|&place| items[place as usize]).collect();
    *items = gathered;
}

/// The box that the broad phase is to know for a shape that is at `centre`, turned by `rotation`.
pub(super) fn fat_box<S: Scalar>(
    shape: &Shape<S>,
    rotation: &Mat3<S>,
    centre: Vec3<S>,
    contact_margin: S,
) -> FatAabb<S> {
    match tight_box(shape, rotation, centre) {
        FatAabb::Bounded(tight) => {
            FatAabb::Bounded(tight.expanded(contact_margin).expanded(fat_margin(&tight, most_margin())))
        }
        // A little above the plane, as boxes are a little larger than their shapes.
        FatAabb::HalfSpace { normal, point } => FatAabb::HalfSpace { normal, point: point + normal * contact_margin },
    }
}

/// The region of a shape that is at `centre`, turned by `rotation`, without any room.
pub(super) fn tight_box<S: Scalar>(shape: &Shape<S>, rotation: &Mat3<S>, centre: Vec3<S>) -> FatAabb<S> {
    match (shape, shape.aabb(rotation, centre)) {
        (_, Some(tight)) => FatAabb::Bounded(tight),
        (Shape::HalfSpace { normal }, None) => FatAabb::HalfSpace { normal: *rotation * *normal, point: centre },
        (_, None) => FatAabb::HalfSpace { normal: Vec3::Y, point: centre },
    }
}

/// How much larger than its shape a fat box is made at most, metres.
fn most_margin<S: Scalar>() -> S {
    S::from_ratio(1, 10)
}

/// How much larger than its shape a fat box is made: for small shapes a quarter of their size.
fn fat_margin<S: Scalar>(tight: &Aabb<S>, most: S) -> S {
    let extent = tight.max - tight.min;
    let largest = extent.x.max(extent.y).max(extent.z);
    (largest * S::HALF * S::HALF).min(most)
}
