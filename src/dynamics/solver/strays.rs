//! Bodies that a blow sends where nobody expected them within the step.
//!
//! The pairs of a step are those whose boxes overlap on the paths that its start foretells. A body that is struck takes another
//! path: what it can reach on it until the end of the step, and was in no pair with, becomes an open pair in the middle of
//! the step. What else has left its box in this step is found among the strays.

use crate::collision::broad_phase::{BroadPhase, FatAabb};
use crate::dynamics::pair_filter::PairFilter;
use crate::dynamics::solver::Solve;
use crate::dynamics::solver::open::{Clearance, OpenPair};
use crate::dynamics::solver::poses::ColliderPair;
use crate::dynamics::solver::rows::NONE;
use crate::geometry::Aabb;
use crate::math::{Scalar, Vec3};

/// The colliders that can reach beyond their boxes in this step.
#[derive(Clone, Debug)]
pub(super) struct Strays<S> {
    colliders: Vec<u32>,
    /// What each can reach until the end of the step, since it was last struck.
    boxes: Vec<FatAabb<S>>,
    broad_phase: BroadPhase<S>,
    /// The place of each collider above, or [`NONE`].
    places: Vec<u32>,
}

impl<S: Scalar> Default for Strays<S> {
    fn default() -> Self {
        Self { colliders: Vec::new(), boxes: Vec::new(), broad_phase: BroadPhase::dynamic_tree(), places: Vec::new() }
    }
}

impl<S: Scalar> Strays<S> {
    /// Forgets those of the step before.
    pub(super) fn begin_step(&mut self) {
        if !self.colliders.is_empty() {
            self.colliders.drain(..).for_each(|collider| self.places[collider as usize] = NONE);
            self.boxes.clear();
            self.broad_phase.rebuild(&[]);
        }
    }

    /// Adds to `found` the strays that one can meet that reaches this box, and takes it up among them.
    fn meet(&mut self, collider: u32, needed: Aabb<S>, found: &mut Vec<u32>) {
        let mut near = Vec::new();
        self.broad_phase.overlapping(&self.boxes, &needed, &mut near);
        let others = near.iter().map(|&place| self.colliders[place as usize]);
        found.extend(others.filter(|&other| other != collider));
        let place = self.place_of(collider);
        self.boxes[place] = FatAabb::Bounded(needed);
        self.broad_phase.update(place, &self.boxes[place]);
    }

    /// The place of a collider, a new one if it has none.
    fn place_of(&mut self, collider: u32) -> usize {
        let index = collider as usize;
        if self.places.len() <= index {
            self.places.resize(index + 1, NONE);
        }
        if self.places[index] == NONE {
            self.places[index] = u32::try_from(self.colliders.len()).unwrap_or(NONE);
            self.colliders.push(collider);
            self.boxes.push(FatAabb::Bounded(Aabb { min: Vec3::ZERO, max: Vec3::ZERO }));
        }
        self.places[index] as usize
    }
}

impl<S: Scalar> Solve<'_, S> {
    /// Adds the open pairs that struck bodies have come to have; `left` is the time in seconds until the end of the step.
    pub(super) fn add_strays(&mut self, struck: &[u32], left: S) {
        if !self.settings.continuous {
            return;
        }
        for &body in struck {
            for collider in self.colliders.of_body(self.bodies.id[body as usize]) {
                self.add_strays_of(body, collider, left);
            }
        }
    }

    fn add_strays_of(&mut self, body: u32, collider: usize, left: S) {
        let Some(needed) = self.reached(body, collider, left) else { return };
        let stays = matches!(&self.colliders.fat_box[collider], FatAabb::Bounded(fat) if fat.contains(&needed));
        if stays && self.knows_its_facets(body, collider, left) {
            return;
        }
        let (mut found, mut pieces) = (Vec::new(), Vec::new());
        self.broad_phase.overlapping(&self.colliders.fat_box, &needed, &mut found);
        let collider = u32::try_from(collider).unwrap_or(NONE);
        self.impacts.strays.meet(collider, needed, &mut found);
        for other in found {
            let Ok(place) = self.bodies.id.binary_search(&self.colliders.key[other as usize].body) else { continue };
            let other_body = u32::try_from(place).unwrap_or(NONE);
            let filter = PairFilter { bodies: self.bodies, colliders: self.colliders, apart: self.apart };
            if !filter.push([collider, other], [body as usize, place]) {
                continue;
            }
            let in_order = collider < other;
            let colliders = if in_order { [collider, other] } else { [other, collider] };
            let bodies = if in_order { [body, other_body] } else { [other_body, body] };
            if self.colliders.is_mesh[collider as usize] {
                self.own_pieces_before([collider, body], [other, other_body], left, &mut pieces);
            } else {
                self.pieces_within([other, other_body], &needed, left, &mut pieces);
            }
            for &piece in &pieces {
                self.add_stray(body, ColliderPair { colliders, bodies, piece });
            }
        }
    }

    /// Adds an open pair that a struck body has come to have, unless it had that before.
    fn add_stray(&mut self, body: u32, pair: ColliderPair) {
        let known = |known: ColliderPair| known.colliders == pair.colliders && known.piece == pair.piece;
        if self.impacts.links.of(body).any(|link| known(self.impacts.links.pair_of(link.number))) {
            return;
        }
        let reach = pair.colliders.map(|collider| self.colliders.reach[collider as usize]);
        self.open.push(OpenPair::new(pair, reach, Clearance::UNKNOWN, NONE));
        self.impacts.add_link(pair);
    }

    /// Whether all facets of a struck body's mesh that can still meet something in this step are in pairs already: it goes no farther than the
    /// start of the step foretold, but for the room that was given to it then. What is no mesh has none.
    fn knows_its_facets(&self, body: u32, collider: usize, left: S) -> bool {
        if !self.colliders.is_mesh[collider] {
            return true;
        }
        let (index, reach) = (body as usize, self.colliders.reach[collider]);
        let turn = self.motion.delta_rotation[index].taxicab_length()
            + self.bodies.angular_velocity[index].taxicab_length() * left;
        let way = self.motion.delta_position[index] + self.bodies.linear_velocity[index] * left;
        way.taxicab_length() + turn * reach <= self.impacts.foretold.way(index, reach, self.settings.step_seconds)
    }

    /// Which facets of a struck body's mesh come near another collider within `left` seconds, as in [`ColliderPair::piece`]; a half-space it
    /// meets as a whole.
    fn own_pieces_before(&self, mesh: [u32; 2], [other, other_body]: [u32; 2], left: S, pieces: &mut Vec<u32>) {
        match self.reached(other_body, other as usize, left) {
            Some(bounds) => self.pieces_within(mesh, &bounds, left, pieces),
            None => {
                pieces.clear();
                pieces.push(0);
            }
        }
    }

    /// Which facets of a collider come into a box within `left` seconds, as in [`ColliderPair::piece`].
    fn pieces_within(&self, [collider, body]: [u32; 2], needed: &Aabb<S>, left: S, pieces: &mut Vec<u32>) {
        if self.colliders.is_mesh[collider as usize] {
            let placement = self.scenery().placement(collider, body, S::ZERO);
            self.colliders.pieces_in(collider, (&placement, self.bodies), (needed, left), pieces);
        } else {
            pieces.clear();
            pieces.push(0);
        }
    }

    /// The box that a collider needs until the end of the step.
    fn reached(&self, body: u32, collider: usize, left: S) -> Option<Aabb<S>> {
        let number = u32::try_from(collider).unwrap_or(NONE);
        let placement = self.scenery().placement(number, body, S::ZERO);
        let centre = self.bodies.position[body as usize] + placement.offset;
        let tight = self.colliders.shape[collider].aabb(&placement.rotation, centre)?;
        let reach = self.colliders.reach[collider];
        let turning = (self.bodies.angular_velocity[body as usize].taxicab_length() * left * reach).min(reach);
        let near = tight.expanded(self.settings.contact_margin + turning);
        Some(near.union(&near.translated(self.bodies.linear_velocity[body as usize] * left)))
    }
}
