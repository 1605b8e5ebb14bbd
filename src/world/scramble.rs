//! Spoils everything that is not state, to prove that nothing of it is.
//!
//! A restore into a scrambled world, or going on from one whose derived parts are scrambled, must give the same future.

use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::math::{Scalar, SplitMix64, Vec3};
use crate::world::World;
use crate::world::counts::Counted;
use crate::world::input::ActingForce;
use crate::world::sighting::{Candidate, Sighting};

/// A number of no meaning.
fn number<S: Scalar>(random: &mut SplitMix64) -> S {
    S::from_i32(random.below(2000) as i32 - 1000)
}

/// A vector of no meaning.
fn vector<S: Scalar>(random: &mut SplitMix64) -> Vec3<S> {
    Vec3::new(number(random), number(random), number(random))
}

impl<S: Scalar> World<S> {
    /// Fills everything that is derived with nonsense, between two steps. The state stays.
    pub fn scramble_derived(&mut self, seed: u64) {
        let mut random = SplitMix64::new(seed);
        let bodies = self.bodies.len();
        let scratch = &mut self.scratch;
        scratch.acting.push(ActingForce { body: 0, force: vector(&mut random), torque: vector(&mut random) });
        scratch.motion.begin_step(bodies);
        for index in 0..bodies {
            scratch.motion.force[index] = vector(&mut random);
            scratch.motion.torque[index] = vector(&mut random);
            scratch.motion.linear_acceleration[index] = vector(&mut random);
            scratch.motion.angular_acceleration[index] = vector(&mut random);
            scratch.motion.precession[index] = vector(&mut random);
            scratch.motion.linear_factor[index] = number(&mut random);
            scratch.motion.angular_factor[index] = number(&mut random);
            scratch.motion.delta_position[index] = vector(&mut random);
            scratch.motion.delta_rotation[index] = vector(&mut random);
        }
        scratch.placements.reverse();
        scratch.pairs = vec![(7, 7); random.index(9)];
        scratch.sightings = vec![Sighting::default(); random.index(9)];
        scratch.candidates = vec![Candidate { colliders: [7, 7], piece: 7, previous: 7, kept: 7 }; random.index(9)];
        scratch.tight_boxes = vec![None; random.index(9)];
        scratch.moved = vec![true; random.index(9)];
        scratch.moved_boxes = vec![7; random.index(9)];
        scratch.contact_order = vec![7; random.index(9)];
        scratch.old_contacts = vec![Contact::default(); random.index(9)];
        scratch.kept.clear();
        scratch.are_kept_in_place = random.index(2) == 1;
        scratch.kept_by = vec![7; random.index(9)];
        scratch.geometry.reverse();
        if let Some(first) = scratch.geometry.first().copied() {
            scratch.geometry.push(ContactGeometry { centre_offset: vector(&mut random), ..first });
        }
        scratch.joints.scramble();
        scratch.joints.colouring.overflow.push(u32::MAX);
        scratch.apart.find::<S>(&[], &[]);
        scratch.colouring.overflow.push(u32::MAX);
        scratch.rows.place.reverse();
        scratch.counts.add(Counted::Pairs, random.bits() >> 1);
        self.scramble_broad_phase(&mut random);
    }

    /// Builds the structure that finds pairs anew, moving every box about in a random order first.
    fn scramble_broad_phase(&mut self, random: &mut SplitMix64) {
        self.broad_phase.rebuild(&self.colliders.fat_box);
        let mut order: Vec<usize> = (0..self.colliders.len()).collect();
        for end in (1..order.len()).rev() {
            order.swap(end, random.index(end + 1));
        }
        for &index in &order {
            let other = order[random.index(order.len())];
            self.broad_phase.update(index, &self.colliders.fat_box[other]);
        }
        for &index in order.iter().rev() {
            self.broad_phase.update(index, &self.colliders.fat_box[index]);
        }
    }

    /// Fills the state itself with nonsense too: what a restore must be able to overcome.
    pub fn scramble_all(&mut self, seed: u64) {
        let mut random = SplitMix64::new(!seed);
        self.step = self.step.wrapping_add(77);
        self.gravity = vector(&mut random);
        self.next_body_id = self.next_body_id.wrapping_add(5);
        for index in 0..self.bodies.len() {
            self.bodies.position[index] = vector(&mut random);
            self.bodies.linear_velocity[index] = vector(&mut random);
            self.bodies.angular_velocity[index] = vector(&mut random);
            self.bodies.constants.change().centre[index] = vector(&mut random);
        }
        if self.bodies.len() > 1 {
            self.bodies.remove(0..1);
        }
        self.joints.reverse();
        for joint in &mut self.joints {
            (joint.anchor_a, joint.anchor_b, joint.impulse) =
                (vector(&mut random), vector(&mut random), vector(&mut random));
        }
        self.contacts.reverse();
        self.scramble_derived(seed);
    }
}
