//! Spoils everything that is not state, to prove that nothing of it is.
//!
//! A restore into a garbled world, or going on from one whose derived parts are garbled, must give the same future.

use crate::collision::manifold::Manifold;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::math::{Scalar, Vec3};
use crate::world::World;
use crate::world::counts::Counted;
use crate::world::input::ActingForce;

/// A small generator of nonsense (Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators).
#[derive(Debug)]
pub(super) struct Nonsense(u64);

impl Nonsense {
    /// The nonsense of a seed.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn scalar<S: Scalar>(&mut self) -> S {
        S::from_i32((self.next() % 2000) as i32 - 1000)
    }

    fn vector<S: Scalar>(&mut self) -> Vec3<S> {
        Vec3::new(self.scalar(), self.scalar(), self.scalar())
    }
}

impl<S: Scalar> World<S> {
    /// Fills everything that is derived with nonsense, between two steps. The state stays.
    pub fn garble_derived(&mut self, seed: u64) {
        let mut nonsense = Nonsense(seed);
        let bodies = self.bodies.len();
        let scratch = &mut self.scratch;
        scratch.acting.push(ActingForce { body: 0, force: nonsense.vector(), torque: nonsense.vector() });
        scratch.motion.begin_step(bodies);
        scratch.motion.misrounded = Some(0);
        for index in 0..bodies {
            scratch.motion.force[index] = nonsense.vector();
            scratch.motion.torque[index] = nonsense.vector();
            scratch.motion.linear_acceleration[index] = nonsense.vector();
            scratch.motion.angular_acceleration[index] = nonsense.vector();
            scratch.motion.precession[index] = nonsense.vector();
            scratch.motion.linear_factor[index] = nonsense.scalar();
            scratch.motion.angular_factor[index] = nonsense.scalar();
            scratch.motion.delta_position[index] = nonsense.vector();
            scratch.motion.delta_rotation[index] = nonsense.vector();
        }
        scratch.placements.reverse();
        scratch.pairs = vec![(7, 7); (nonsense.next() % 9) as usize];
        scratch.manifolds = vec![Manifold::empty(); (nonsense.next() % 9) as usize];
        scratch.old_contacts = vec![Contact::default(); (nonsense.next() % 9) as usize];
        scratch.geometry.reverse();
        if let Some(first) = scratch.geometry.first().copied() {
            scratch.geometry.push(ContactGeometry { between: nonsense.vector(), ..first });
        }
        scratch.joints.rows.reverse();
        scratch.joints.colouring.overflow.push(u32::MAX);
        scratch.joints.find_apart(&[]);
        scratch.colouring.overflow.push(u32::MAX);
        scratch.rows.points.reverse();
        scratch.counts.add(Counted::Pairs, nonsense.next() >> 1);
        self.garble_broad_phase(&mut nonsense);
    }

    /// Builds the structure that finds pairs anew, moving every box about in a random order first.
    fn garble_broad_phase(&mut self, nonsense: &mut Nonsense) {
        self.broad_phase.rebuild(&self.colliders.fat_box);
        let mut order: Vec<usize> = (0..self.colliders.len()).collect();
        for end in (1..order.len()).rev() {
            order.swap(end, (nonsense.next() % (end as u64 + 1)) as usize);
        }
        for &index in &order {
            let other = order[(nonsense.next() % order.len() as u64) as usize];
            self.broad_phase.update(index, &self.colliders.fat_box[other]);
        }
        for &index in order.iter().rev() {
            self.broad_phase.update(index, &self.colliders.fat_box[index]);
        }
    }

    /// Fills the state itself with nonsense too: what a restore must be able to overcome.
    pub fn garble_all(&mut self, seed: u64) {
        let mut nonsense = Nonsense(!seed);
        self.step = self.step.wrapping_add(77);
        self.gravity = nonsense.vector();
        self.next_body_id = self.next_body_id.wrapping_add(5);
        for index in 0..self.bodies.len() {
            self.bodies.position[index] = nonsense.vector();
            self.bodies.linear_velocity[index] = nonsense.vector();
            self.bodies.angular_velocity[index] = nonsense.vector();
            self.bodies.centre[index] = nonsense.vector();
        }
        if self.bodies.len() > 1 {
            self.bodies.remove(0);
        }
        self.joints.reverse();
        for joint in &mut self.joints {
            (joint.anchor_a, joint.anchor_b, joint.impulse) = (nonsense.vector(), nonsense.vector(), nonsense.vector());
        }
        self.contacts.reverse();
        self.garble_derived(seed);
    }
}
