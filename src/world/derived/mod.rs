//! What a step derives from the state on its way: forces, pairs, contact geometry, colours, solver rows.
//!
//! None of it is state: the next step makes it anew, and it enters no hash of a run. It is gathered only where somebody
//! looks into a step, so that a wrong pair is seen where pairs are found, and not where its contact is missed. A plain
//! step never builds any of this. [`fields`] lists what there is to see of each object, [`hash`] hashes it.

pub mod fields;
pub mod hash;

use std::collections::BTreeMap;

use crate::collision::manifold::Manifold;
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::{ColliderKey, ContactSurface};
use crate::dynamics::colouring::Colouring;
use crate::dynamics::contact::{Contact, ContactGeometry, ContactKey};
use crate::dynamics::integrator::Motion;
use crate::dynamics::joint::Joint;
use crate::dynamics::solver::joints::{JointRows, JointWork};
use crate::dynamics::solver::phase::Phase;
use crate::dynamics::solver::rows::{
    Arms, CommonRows, ContactRows, DiscRows, LaneRows, NONE, PatchRows, PointRows, Rows,
};
use crate::math::{Mat3, Scalar, SymMat3, Vec3};
use crate::world::World;
use crate::world::encode::State;
use crate::world::encode::table::{EachObject, Objects};
use crate::world::input::ActingForce;
use crate::world::stage::{Midway, Stage};

/// All data of a step under way: the state as it would be if the step ended here, and what the step has just derived.
#[derive(Clone, Debug, Default)]
pub struct StepData<S> {
    /// The state.
    pub state: State<S>,
    /// What the last stage or phase derived.
    pub derived: Derived<S>,
}

/// What objects are called, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) bodies: BTreeMap<u32, String>,
    pub(crate) joints: BTreeMap<u32, String>,
}

/// What a stage or phase derived; the parts that it does not derive are empty.
#[derive(Clone, Debug, Default)]
pub struct Derived<S> {
    /// Forces and torques of the inputs, in their order.
    pub acting: Vec<ActingForce<S>>,
    /// Forces and accelerations by body.
    pub forces: Vec<BodyForces<S>>,
    /// Where each collider is.
    pub placements: Vec<ColliderPlacement<S>>,
    /// The pairs whose fat boxes overlap.
    pub pairs: Vec<[ColliderKey; 2]>,
    /// The geometry of each contact.
    pub geometry: Vec<PairGeometry<S>>,
    /// Where each joint stands in the solving order.
    pub joint_colours: Vec<SolvePlace<u32>>,
    /// Where each contact stands in the solving order.
    pub colours: Vec<SolvePlace<ContactKey>>,
    /// The solver's rows by joint.
    pub joint_rows: Vec<RowsOfJoint<S>>,
    /// The solver's rows by contact.
    pub rows: Vec<RowsOfContact<S>>,
}

/// What a step knows of one body beyond its state.
#[derive(Clone, Copy, Debug)]
pub struct BodyForces<S> {
    /// The body's id.
    pub body: u32,
    /// Newtons, world frame.
    pub force: Vec3<S>,
    /// Newton metres, world frame.
    pub torque: Vec3<S>,
    /// Body frame to world frame.
    pub rotation: Mat3<S>,
    /// Mass times inverse inertia, world frame, 1/m^2.
    pub inverse_inertia: SymMat3<S>,
    /// By gravity and forces, m/s^2.
    pub linear_acceleration: Vec3<S>,
    /// By torques, rad/s^2.
    pub angular_acceleration: Vec3<S>,
    /// Added to the angular velocity by unequal moments of inertia, rad/s.
    pub precession: Vec3<S>,
    /// Damping of a substep, linear and angular.
    pub damping_factors: [S; 2],
    /// Since the start of the step, metres.
    pub displacement: Vec3<S>,
    /// Rotation vector since the start of the step, radians.
    pub rotation_vector: Vec3<S>,
}

/// Where a collider is.
#[derive(Clone, Copy, Debug)]
pub struct ColliderPlacement<S> {
    /// Which one.
    pub key: ColliderKey,
    /// From the centre of mass of its body, metres, world axes.
    pub offset: Vec3<S>,
    /// Shape frame to world frame.
    pub rotation: Mat3<S>,
}

/// The geometry of a contact.
#[derive(Clone, Copy, Debug)]
pub struct PairGeometry<S> {
    /// That of its contact.
    pub key: ContactKey,
    /// From the centre of mass of the first body to its shape, metres, world axes.
    pub shape_offset_a: Vec3<S>,
    /// From the first centre of mass to the second, metres, world axes.
    pub centre_offset: Vec3<S>,
    /// Friction and restitution of both surfaces together.
    pub surface: ContactSurface<S>,
    /// Whether it does not touch yet.
    pub is_open: bool,
    /// Normal and points.
    pub manifold: Manifold<S>,
}

/// Where a constraint stands in the solving order of its kind.
#[derive(Clone, Copy, Debug)]
pub struct SolvePlace<K> {
    /// The id of the joint, or the two colliders of the contact.
    pub key: K,
    /// Which colour; the overflow is the one behind the last.
    pub colour: u32,
    /// The place within the colour.
    pub place: u32,
}

/// The solver's rows of one joint.
#[derive(Clone, Copy, Debug)]
pub struct RowsOfJoint<S> {
    /// The joint's id.
    pub joint: u32,
    /// The place in the solving order.
    pub place: u32,
    /// The rows.
    pub rows: JointRows<S>,
}

/// The solver's rows of one contact.
#[derive(Clone, Debug)]
pub struct RowsOfContact<S> {
    /// That of its contact.
    pub key: ContactKey,
    /// The place in the solving order.
    pub place: u32,
    /// What belongs to the whole contact.
    pub contact: ContactRows<S>,
    /// What its rows have in common.
    pub common: CommonRows<S>,
    /// By contact point.
    pub points: Vec<PointRows<S>>,
    /// Whether each was struck in this substep.
    pub struck: Vec<bool>,
    /// By contact point, or one for all.
    pub friction: Vec<DiscRows<S>>,
    /// Whether each slipped in the last pass.
    pub slips: Vec<bool>,
    /// The arms of friction, by contact point.
    pub arms_of_points: Vec<Arms<S>>,
    /// What friction of all points together knows of the rest.
    pub patch: Option<PatchRows<S>>,
    /// Against rolling.
    pub rolling: Option<DiscRows<S>>,
}

impl<S: Scalar> World<S> {
    /// The data of this world at the end of a stage of the step under way.
    #[must_use]
    pub fn step_data(&self, stage: Stage) -> StepData<S> {
        let scratch = &self.scratch;
        let mut derived = Derived::default();
        match stage {
            Stage::Inputs => derived.acting.clone_from(&scratch.acting),
            Stage::Forces => derived.forces = body_forces(&self.bodies, &scratch.motion),
            Stage::BroadPhase => {
                derived.placements = self.collider_placements();
                let keys = &self.colliders.key;
                derived.pairs = scratch.pairs.iter().map(|&(a, b)| [keys[a as usize], keys[b as usize]]).collect();
            }
            Stage::NarrowPhase => derived.geometry = pair_geometry(&self.contacts, &scratch.geometry),
            Stage::Colouring => {
                derived.joint_colours = joint_places(&self.joints, &scratch.joints);
                derived.colours = contact_places(&self.contacts, &scratch.colouring);
            }
            Stage::Solve | Stage::Finish => {}
        }
        StepData { state: self.state(), derived }
    }

    fn collider_placements(&self) -> Vec<ColliderPlacement<S>> {
        let placed = self.colliders.key.iter().zip(&self.scratch.placements);
        placed
            .map(|(key, placement)| ColliderPlacement {
                key: *key,
                offset: placement.offset,
                rotation: placement.rotation,
            })
            .collect()
    }
}

impl<S: Scalar> Midway<'_, S> {
    /// The data of the world at the end of a phase.
    #[must_use]
    pub fn step_data(&self, phase: Phase) -> StepData<S> {
        let solve = self.solve();
        let state = self.state();
        let mut derived = Derived {
            forces: body_forces(solve.bodies, solve.motion),
            joint_rows: joint_rows(solve.joints, solve.joint_work),
            rows: contact_rows(solve.contacts, solve.rows),
            ..Derived::default()
        };
        if phase == Phase::Prepare {
            derived.joint_colours = joint_places(solve.joints, solve.joint_work);
            derived.colours = contact_places(solve.contacts, solve.colouring);
        }
        StepData { state, derived }
    }
}

impl<S: Scalar> Objects for StepData<S> {
    type Scalar = S;

    fn for_each_object(&mut self, act: EachObject<'_>) {
        self.state.for_each_object(act);
        let names = Names { bodies: self.state.body_names(), joints: self.state.joint_names() };
        fields::for_each_derived(&mut self.derived, &names, act);
    }
}

fn body_forces<S: Scalar>(bodies: &Bodies<S>, motion: &Motion<S>) -> Vec<BodyForces<S>> {
    // A step that failed on its way may have left arrays of another length.
    let known = bodies.len().min(motion.force.len());
    let row = |index: usize| BodyForces {
        body: bodies.id[index],
        force: motion.force[index],
        torque: motion.torque[index],
        rotation: motion.rotation[index],
        inverse_inertia: motion.inverse_inertia[index],
        linear_acceleration: motion.linear_acceleration[index],
        angular_acceleration: motion.angular_acceleration[index],
        precession: motion.precession[index],
        damping_factors: [motion.linear_factor[index], motion.angular_factor[index]],
        displacement: motion.delta_position[index],
        rotation_vector: motion.delta_rotation[index],
    };
    (0..known).map(row).collect()
}

fn pair_geometry<S: Scalar>(contacts: &[Contact<S>], geometry: &[ContactGeometry<S>]) -> Vec<PairGeometry<S>> {
    let row = |(contact, geometry): (&Contact<S>, &ContactGeometry<S>)| PairGeometry {
        key: contact.key(),
        shape_offset_a: geometry.shape_offset_a,
        centre_offset: geometry.centre_offset,
        surface: geometry.surface,
        is_open: geometry.is_open,
        manifold: geometry.manifold,
    };
    contacts.iter().zip(geometry).map(row).collect()
}

/// The places of the joints, in solving order.
fn joint_places<S: Scalar>(joints: &[Joint<S>], work: &JointWork<S>) -> Vec<SolvePlace<u32>> {
    solve_places(&work.colouring, |number| joints.get(number).map(|joint| joint.id))
}

/// The places of the contacts, in solving order.
fn contact_places<S: Scalar>(contacts: &[Contact<S>], colouring: &Colouring) -> Vec<SolvePlace<ContactKey>> {
    solve_places(colouring, |number| contacts.get(number).map(Contact::key))
}

/// The places in solving order; one that nothing has is left out.
fn solve_places<K>(colouring: &Colouring, key_of: impl Fn(usize) -> Option<K> + Copy) -> Vec<SolvePlace<K>> {
    let colours = colouring.colours.iter().chain([&colouring.overflow]);
    let placed = (0_u32..).zip(colours).flat_map(|(colour, members)| {
        let members = (0_u32..).zip(members);
        members.filter_map(move |(place, number)| key_of(*number as usize).map(|key| SolvePlace { key, colour, place }))
    });
    placed.collect()
}

fn joint_rows<S: Scalar>(joints: &[Joint<S>], work: &JointWork<S>) -> Vec<RowsOfJoint<S>> {
    let listed = (0_u32..).zip(work.rows());
    let row = |(place, rows): (u32, JointRows<S>)| {
        let joint = joints.get(rows.joint as usize)?.id;
        Some(RowsOfJoint { joint, place, rows })
    };
    listed.filter_map(row).collect()
}

fn contact_rows<S: Scalar>(contacts: &[Contact<S>], rows: &Rows<S>) -> Vec<RowsOfContact<S>> {
    // What parts and meets again within a step has new rows, and the old ones stay where they are, without a point.
    let mut newest = vec![NONE; contacts.len()];
    for (place, of_contact) in (0..).zip(&rows.contacts) {
        if let Some(newest) = newest.get_mut(of_contact.contact as usize) {
            *newest = place;
        }
    }
    let listed = (0_u32..).zip(&rows.contacts).filter_map(|(place, of_contact)| {
        let number = of_contact.contact as usize;
        let contact = contacts.get(number).filter(|_| newest[number] == place)?;
        let LaneRows { common, points, friction, arms, patch, rolling, fates, at } = rows.at(place as usize);
        let resists_twisting = common.twist.mass.0[at] != S::ZERO;
        Some(RowsOfContact {
            key: contact.key(),
            place,
            contact: *of_contact,
            common: common.in_lane(at),
            points: points.iter().map(|point| point.in_lane(at, points.len())).collect(),
            struck: fates.struck.iter().take(points.len()).map(|struck| struck.is_set(at)).collect(),
            slips: fates.slips.iter().take(friction.len()).map(|slips| slips.is_set(at)).collect(),
            friction: friction.iter().map(|disc| disc.in_lane(at)).collect(),
            arms_of_points: arms.iter().map(|arms| arms.in_lane(at)).collect(),
            patch: patch.map(|patch| patch.in_lane(at, points.len(), resists_twisting)),
            rolling: rolling.filter(|_| common.surface.rolling_friction.0[at] != S::ZERO).map(|disc| disc.in_lane(at)),
        })
    });
    listed.collect()
}
