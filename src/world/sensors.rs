//! What overlaps the sensors: looked for where a step has left everything, never read by a step.
//!
//! What overlaps follows from where the bodies are, so it is no state: a world that was restored finds the same.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;

use crate::collision::broad_phase::FatAabb;
use crate::collision::manifold::collide;
use crate::dynamics::collider::{ColliderKey, Placement};
use crate::dynamics::pair_filter::PairFilter;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};
use crate::world::World;
use crate::world::counts::Counted;
use crate::world::encode::table::collider_name;

/// A collider and the name of its body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedCollider {
    /// Which collider.
    pub key: ColliderKey,
    /// The name of its body.
    pub body: Arc<str>,
}

/// As the state names a collider: `gate#0`.
impl Display for NamedCollider {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&collider_name(Some(&self.body), self.key))
    }
}

/// A sensor and a collider that overlaps it; touching counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    /// The sensor.
    pub sensor: NamedCollider,
    /// What it notices.
    pub other: NamedCollider,
}

/// What became of an overlap in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SensorEvent {
    /// It was not there when the step began, and is there now.
    Begin(Overlap),
    /// It was there when the step began, and is there no more; either collider may be gone.
    End(Overlap),
}

/// The overlaps of now and of a step ago, each sorted.
#[derive(Clone, Debug, Default)]
pub(super) struct Sensing {
    overlaps: Vec<Overlap>,
    before: Vec<Overlap>,
    /// Whether they are those of the state as it is.
    is_known: bool,
}

impl Sensing {
    /// The state has changed between two steps.
    pub(super) const fn forget(&mut self) {
        self.is_known = false;
    }
}

/// Where a collider is, and the box around it, if one holds it.
struct Placed<S> {
    placement: Placement<S>,
    bounds: Option<Aabb<S>>,
}

impl<S: Scalar> World<S> {
    /// What overlaps the sensors now, sorted by sensor.
    #[must_use]
    pub fn overlaps(&self) -> &[Overlap] {
        &self.sensing.overlaps
    }

    /// What began and what ended in the last step, sorted by sensor; nothing in a world that was just built or restored.
    #[must_use]
    pub fn sensor_events(&self) -> Vec<SensorEvent> {
        let Sensing { overlaps, before, .. } = &self.sensing;
        let [now, then] = [overlaps, before].map(|overlaps| overlaps.iter().collect::<BTreeSet<_>>());
        let changed = now.symmetric_difference(&then).copied();
        changed
            .map(|overlap| match now.contains(overlap) {
                true => SensorEvent::Begin(overlap.clone()),
                false => SensorEvent::End(overlap.clone()),
            })
            .collect()
    }

    /// Finds what overlaps the sensors where the step has left everything, and counts what began and ended.
    pub(super) fn sense(&mut self) {
        self.sensing.before = std::mem::take(&mut self.sensing.overlaps);
        self.sensing.forget();
        self.know_overlaps();
        for event in self.sensor_events() {
            let what = match event {
                SensorEvent::Begin(_) => Counted::SensorBegins,
                SensorEvent::End(_) => Counted::SensorEnds,
            };
            self.scratch.counts.add(what, 1);
        }
    }

    /// Finds what overlaps the sensors, unless that is known.
    pub(super) fn know_overlaps(&mut self) {
        if !self.sensing.is_known {
            self.sensing.overlaps = self.find_overlaps();
            self.sensing.is_known = true;
        }
    }

    /// Finds what overlaps the sensors of a world that was just built or restored: none of it has begun in a step.
    pub(super) fn begin_anew_sensing(&mut self) {
        self.sensing.forget();
        self.know_overlaps();
        self.sensing.before.clone_from(&self.sensing.overlaps);
    }

    fn find_overlaps(&mut self) -> Vec<Overlap> {
        if !self.colliders.is_sensor.contains(&true) {
            return Vec::new();
        }
        self.renew_apart();
        let placed: Vec<Placed<S>> = (0..self.colliders.len()).map(|collider| self.place(collider)).collect();
        let all = || 0..placed.len() as u32;
        // What a blow has sent out of its box in this step is not found by that box.
        let strays: Vec<u32> = all().filter(|&collider| self.is_out(collider, &placed[collider as usize])).collect();
        let mut overlaps = Vec::new();
        let mut near = Vec::new();
        for sensor in all().filter(|&collider| self.colliders.is_sensor[collider as usize]) {
            near.clear();
            if let Some(bounds) = &placed[sensor as usize].bounds {
                self.broad_phase.overlapping(&self.colliders.fat_box, bounds, &mut near);
                near.extend_from_slice(&strays);
            } else {
                near.extend(all());
            }
            near.sort_unstable();
            near.dedup();
            for &other in near.iter().filter(|&&other| self.notices([sensor, other], &placed)) {
                let [sensor, other] = [sensor, other]
                    .map(|collider| self.named_collider(collider, placed[collider as usize].placement.body as usize));
                overlaps.push(Overlap { sensor, other });
            }
        }
        overlaps.sort_unstable();
        overlaps
    }

    fn place(&self, collider: usize) -> Placed<S> {
        let placement = self.placement_now(collider);
        let centre = self.bodies.position[placement.body as usize] + placement.offset;
        let bounds = self.colliders.shape[collider].aabb(&placement.rotation, centre);
        Placed { placement, bounds }
    }

    /// Whether a collider is not within the box that the broad phase knows.
    fn is_out(&self, collider: u32, placed: &Placed<S>) -> bool {
        match (&self.colliders.fat_box[collider as usize], &placed.bounds) {
            (FatAabb::Bounded(fat), Some(bounds)) => !fat.contains(bounds),
            _ => false,
        }
    }

    /// Where a collider is, whether or not a step has placed it since.
    pub(super) fn placement_now(&self, collider: usize) -> Placement<S> {
        let body = self.bodies.index_of(self.colliders.key[collider].body).unwrap_or_default();
        let number = u32::try_from(body).unwrap_or(u32::MAX);
        Placement::of(number, &self.colliders.local[collider], self.bodies.orientation[body].to_matrix())
    }

    /// A collider with the name of its body, both by index.
    pub(super) fn named_collider(&self, collider: u32, body: usize) -> NamedCollider {
        NamedCollider { key: self.colliders.key[collider as usize], body: Arc::clone(&self.bodies.name[body]) }
    }

    /// Whether a sensor notices another collider, and they overlap.
    fn notices(&self, pair: [u32; 2], placed: &[Placed<S>]) -> bool {
        let [sensor, other] = pair.map(|collider| &placed[collider as usize]);
        let bodies = [sensor, other].map(|one| one.placement.body as usize);
        let filter = PairFilter { bodies: &self.bodies, colliders: &self.colliders, apart: &self.scratch.apart };
        let may_overlap = match (&sensor.bounds, &other.bounds) {
            (Some(one), Some(other)) => one.overlaps(other),
            _ => true,
        };
        may_overlap && filter.notices(pair, bodies) && self.overlap(pair, [sensor, other])
    }

    fn overlap(&self, pair: [u32; 2], [a, b]: [&Placed<S>; 2]) -> bool {
        let position = |one: &Placed<S>| self.bodies.position[one.placement.body as usize];
        let between: Vec3<S> = position(b) - position(a) + b.placement.offset - a.placement.offset;
        let [shape_a, shape_b] = pair.map(|collider| &self.colliders.shape[collider as usize]);
        let manifold = collide(shape_a, &a.placement.rotation, shape_b, &b.placement.rotation, between, S::ZERO);
        manifold.gap().is_some_and(|gap| gap <= S::ZERO)
    }
}
