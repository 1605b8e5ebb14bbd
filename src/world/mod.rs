//! The world: all state of a run, and the step that takes it from one moment to the next.
//!
//! Built from a scene ([`build`]), stepped ([`step`]), encoded ([`encode`]), hashed ([`state_hash`]), saved and put
//! back ([`snapshot`]). Knows nothing of files.

pub mod build;
pub mod counts;
pub mod derived;
pub mod detect;
pub mod encode;
pub mod energy;
pub mod error;
mod excluded;
pub mod fault;
pub mod input;
pub mod limits;
pub mod passages;
mod phases;
pub mod queries;
pub mod schedule;
pub mod scramble;
pub mod sensors;
mod sighting;
pub mod snapshot;
pub mod stage;
pub mod state_hash;
pub mod step;

use std::sync::Arc;

use crate::collision::broad_phase::BroadPhase;
use crate::dynamics::apart::Apart;
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::{Colliders, Placement};
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry};
use crate::dynamics::integrator::Motion;
use crate::dynamics::joint::Joint;
use crate::dynamics::recycling::KeptManifold;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::impacts::Impacts;
use crate::dynamics::solver::joints::{JointRows, JointWork};
use crate::dynamics::solver::open::OpenPair;
use crate::dynamics::solver::prepare::reduced_mass;
use crate::dynamics::solver::rows::Rows;
use crate::geometry::Aabb;
use crate::geometry::ShapeStore;
use crate::math::lanes::LanePath;
use crate::math::{Scalar, Scaled, Vec3};
use crate::parallel::{Executor, Exercised, Parallelism};
use crate::scene::Scene;
use crate::world::counts::Counts;
use crate::world::fault::Fault;
use crate::world::input::ActingForce;
use crate::world::passages::Passage;
use crate::world::sensors::Sensing;
use crate::world::sighting::{Candidate, Sighting};

/// A version of the results: it rises when the same scene gives other bits on purpose.
pub const SEMANTICS_VERSION: u32 = 38;

/// All state of a run, with what is derived from it.
#[derive(Debug)]
pub struct World<S: Scalar> {
    /// The step whose state this is.
    step: u32,
    /// Gravity in m/s^2.
    gravity: Vec3<S>,
    /// The id of the next spawned body.
    next_body_id: u32,
    /// The bodies by id.
    bodies: Bodies<S>,
    /// The colliders by key.
    colliders: Colliders<S>,
    /// The joints by id.
    joints: Vec<Joint<S>>,
    /// The contacts by pair of keys.
    contacts: Vec<Contact<S>>,
    /// Constant during a run: what spawned bodies refer to.
    scene: Arc<Scene>,
    /// Derived from the scene: constant during a run.
    settings: Settings<S>,
    /// Derived: the hulls and meshes that colliders have or had.
    shapes: ShapeStore<S>,
    /// Derived from the fat boxes: finds their overlaps.
    broad_phase: BroadPhase<S>,
    /// Derived from the scene and the names of the bodies: pairs that pass through each other, by id.
    excluded: Vec<[u32; 2]>,
    /// Derived from where everything is: what overlaps the sensors.
    sensing: Sensing,
    /// Derived: what a step makes and the next step makes anew.
    scratch: Scratch<S>,
    /// Not part of any result: the threads that work, and what they did.
    executor: Executor,
    /// Not part of any result: the lanes in which the solver works.
    lanes: LanePath,
    /// Planted from outside: the faults that strike in the coming step.
    planted: Vec<Fault>,
}

/// What a step makes for itself and the next step makes anew; nothing in here is state.
#[derive(Debug)]
struct Scratch<S: Scalar> {
    /// Forces of this step's inputs.
    acting: Vec<ActingForce<S>>,
    /// Accelerations, inertia and ways of the bodies.
    motion: Motion<S>,
    /// Where each collider is.
    placements: Vec<Placement<S>>,
    /// The box of each collider that has one.
    tight_boxes: Vec<Option<Aabb<S>>>,
    /// Of each collider whether its fat box has changed in this step.
    moved: Vec<bool>,
    /// Those whose fat boxes have.
    moved_boxes: Vec<u32>,
    /// Overlapping pairs, as indices of colliders.
    pairs: Vec<(u32, u32)>,
    /// The same pairs, each with its contact of the step before.
    candidates: Vec<Candidate>,
    /// Those of one pair.
    pieces: Vec<u32>,
    /// What the narrow phase found for some of these, of which contacts are to be made.
    sightings: Vec<Sighting<S>>,
    /// The manifold that each pair keeps, if it keeps one; and those of the step before.
    kept: Vec<KeptManifold<S>>,
    old_kept: Vec<KeptManifold<S>>,
    /// Whether those of this step stand where they stood in the step before: then the others are older.
    are_kept_in_place: bool,
    /// Where that of each contact is.
    kept_by: Vec<u32>,
    /// The contacts of the step before.
    old_contacts: Vec<Contact<S>>,
    /// Geometry of each contact.
    geometry: Vec<ContactGeometry<S>>,
    /// The places of the contacts in the order of their keys.
    contact_order: Vec<u32>,
    /// Pairs that do not touch yet.
    open: Vec<OpenPair<S>>,
    /// Impacts within a substep.
    impacts: Impacts<S>,
    /// The bodies that pass through each other.
    apart: Apart,
    /// Order and rows of the joints.
    joints: JointWork<S>,
    /// Contacts by colour.
    colouring: Colouring,
    /// The solver's rows.
    rows: Rows<S>,
    /// What this step exercised.
    counts: Counts,
    /// The first passage of this step.
    passage: Option<Passage>,
}

impl<S: Scalar> Default for Scratch<S> {
    fn default() -> Self {
        Self {
            acting: Vec::new(),
            motion: Motion::default(),
            placements: Vec::new(),
            tight_boxes: Vec::new(),
            moved: Vec::new(),
            moved_boxes: Vec::new(),
            pairs: Vec::new(),
            candidates: Vec::new(),
            pieces: Vec::new(),
            sightings: Vec::new(),
            kept: Vec::new(),
            old_kept: Vec::new(),
            are_kept_in_place: false,
            kept_by: Vec::new(),
            old_contacts: Vec::new(),
            geometry: Vec::new(),
            contact_order: Vec::new(),
            open: Vec::new(),
            impacts: Impacts::default(),
            apart: Apart::default(),
            joints: JointWork::default(),
            colouring: Colouring::default(),
            rows: Rows::default(),
            counts: Counts::default(),
            passage: None,
        }
    }
}

impl<S: Scalar> World<S> {
    /// The step whose state this is; 0 before the first.
    #[must_use]
    pub const fn step_number(&self) -> u32 {
        self.step
    }

    /// Gravity in m/s^2.
    #[must_use]
    pub const fn gravity(&self) -> Vec3<S> {
        self.gravity
    }

    /// The bodies by id.
    #[must_use]
    pub const fn bodies(&self) -> &Bodies<S> {
        &self.bodies
    }

    /// The colliders by key.
    #[must_use]
    pub const fn colliders(&self) -> &Colliders<S> {
        &self.colliders
    }

    /// The joints by id.
    #[must_use]
    pub fn joints(&self) -> &[Joint<S>] {
        &self.joints
    }

    /// The contacts by pair of keys.
    #[must_use]
    pub fn contacts(&self) -> &[Contact<S>] {
        &self.contacts
    }

    /// Geometry of the contacts as the last step found it, index by index; empty right after a restore.
    #[must_use]
    pub fn contact_geometry(&self) -> &[ContactGeometry<S>] {
        &self.scratch.geometry
    }

    /// The rows of the joints as the last step solved them; none right after a restore.
    pub fn joint_rows(&self) -> impl Iterator<Item = JointRows<S>> {
        self.scratch.joints.rows()
    }

    /// The settings of the run.
    #[must_use]
    pub const fn settings(&self) -> &Settings<S> {
        &self.settings
    }

    /// What the last step exercised.
    #[must_use]
    pub const fn counts(&self) -> &Counts {
        &self.scratch.counts
    }

    /// Sets how many threads work, how work is handed out to them, and with which vectors; never changes a result.
    pub fn set_parallelism(&mut self, parallelism: Parallelism) {
        self.executor = Executor::new(parallelism);
        self.lanes = parallelism.lanes;
    }

    /// What threads really did in the steps so far. No part of the state, the hash or the counts.
    #[must_use]
    pub const fn exercised(&self) -> &Exercised {
        self.executor.exercised()
    }
}

impl<S: Scalar> World<S> {
    /// Where the centre of mass of a body was when the last step began, metres.
    #[must_use]
    pub fn start_of_step(&self, body: usize) -> Vec3<S> {
        let moved = self.scratch.motion.delta_position.get(body).copied().unwrap_or(Vec3::ZERO);
        self.bodies.position[body] - moved
    }

    /// The reduced mass of a contact's bodies, kg: what turns its impulses from m/s into N s.
    #[must_use]
    pub fn reduced_mass(&self, contact: &ContactGeometry<S>) -> Scaled<S> {
        let [a, b] = [contact.body_a, contact.body_b].map(|body| self.bodies.inverse_mass[body as usize]);
        reduced_mass(a, b)
    }

    /// The reduced mass of a joint's bodies, kg: what turns its impulses from m/s into N s.
    #[must_use]
    pub fn reduced_mass_of(&self, joint: &Joint<S>) -> Scaled<S> {
        let inverse_mass =
            |id: u32| self.bodies.index_of(id).map_or(Scaled::ZERO, |body| self.bodies.inverse_mass[body]);
        reduced_mass(inverse_mass(joint.a), inverse_mass(joint.b))
    }

    /// Where the two points of a joint are, metres, world frame.
    #[must_use]
    pub fn joint_points(&self, joint: &Joint<S>) -> [Vec3<S>; 2] {
        [(joint.a, joint.anchor_a), (joint.b, joint.anchor_b)].map(|(id, anchor)| match self.bodies.index_of(id) {
            Some(body) => self.bodies.position[body] + self.bodies.orientation[body].rotate(anchor),
            None => anchor,
        })
    }
}
