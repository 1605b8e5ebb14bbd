//! Joints within the solve: rows by joint, one file per kind of joint.
//!
//! Joints are solved before the contacts in every pass, colour by colour. Their rows are made anew in every substep, behind
//! its impacts: what turns about a joint at 10 rad/s turns by 2 degrees in a substep, and an impulse along the arm of
//! yesterday would take a part of its speed.
//!
//! As with contacts, impulses are divided by the reduced mass of the two bodies, so they are speeds.

pub mod spherical;

use crate::dynamics::body::Bodies;
use crate::dynamics::colouring::Colouring;
use crate::dynamics::integrator::{Motion, turned};
use crate::dynamics::joint::{Joint, JointKind, WORLD};
use crate::dynamics::settings::{Settings, Softness};
use crate::dynamics::solver::joints::spherical::SphericalRows;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::passes::VelocityPass;
use crate::dynamics::solver::prepare::shares_of_inverse_mass;
use crate::math::{Quat, Scalar, Vec3};

/// What a step derives from its joints.
#[derive(Clone, Debug)]
pub struct JointWork<S> {
    /// The joints by colour: the order in which they are solved.
    pub colouring: Colouring,
    /// Their rows in that order.
    pub rows: Vec<JointRows<S>>,
    /// Indices of the bodies that are joined, ascending.
    joined: Vec<u32>,
    /// How each body will be turned at the end of the substep, of those that are joined.
    ends: Vec<Quat<S>>,
    /// The pairs of bodies that do not collide, by id, ascending.
    apart: Vec<[u32; 2]>,
    /// Those of the search before.
    apart_before: Vec<[u32; 2]>,
}

impl<S> Default for JointWork<S> {
    fn default() -> Self {
        let (joined, ends) = (Vec::new(), Vec::new());
        let (apart, apart_before) = (Vec::new(), Vec::new());
        Self { colouring: Colouring::default(), rows: Vec::new(), joined, ends, apart, apart_before }
    }
}

/// The rows of one joint.
#[derive(Clone, Copy, Debug)]
pub struct JointRows<S> {
    /// Which joint of the table.
    pub joint: u32,
    /// What it leaves free.
    pub kind: JointKind,
    /// Indices of the two bodies, the second may be [`WORLD`].
    pub bodies: [u32; 2],
    /// Linear velocity per unit of impulse of both bodies, together 1.
    pub inverse_mass: [S; 2],
    /// The rows that hold the two points together.
    pub point: SphericalRows<S>,
}

/// What the rows of joints are made from.
#[derive(Clone, Copy)]
pub(super) struct JointSources<'a, S: Scalar> {
    pub(super) bodies: &'a Bodies<S>,
    pub(super) motion: &'a Motion<S>,
    pub(super) settings: &'a Settings<S>,
}

impl<S: Scalar> JointSources<'_, S> {
    /// The angular velocity, rad/s, with which a body turns in this substep.
    pub(super) fn spin(&self, body: usize) -> Vec3<S> {
        self.bodies.angular_velocity[body] + self.motion.precession[body]
    }

    /// How a body is turned at the end of the substep, if nothing acts on it.
    fn end_of(&self, body: usize) -> Quat<S> {
        let (orientation, spin) = (self.bodies.orientation[body], self.spin(body));
        if spin == Vec3::ZERO {
            return orientation;
        }
        turned(orientation, spin * self.settings.substep_seconds, self.settings.rotation)
    }
}

impl<S: Scalar> JointWork<S> {
    /// Finds which bodies do not collide because they are joined; whether they are others than before.
    pub fn find_apart(&mut self, joints: &[Joint<S>]) -> bool {
        std::mem::swap(&mut self.apart, &mut self.apart_before);
        self.apart.clear();
        let pairs = joints.iter().filter(|joint| !joint.collides && joint.b != WORLD);
        self.apart.extend(pairs.map(|joint| [joint.a.min(joint.b), joint.a.max(joint.b)]));
        self.apart.sort_unstable();
        self.apart != self.apart_before
    }

    /// Whether two bodies, by id, pass through each other because a joint joins them.
    #[inline(always)]
    #[must_use]
    pub fn are_apart(&self, a: u32, b: u32) -> bool {
        !self.apart.is_empty() && self.apart.binary_search(&[a.min(b), a.max(b)]).is_ok()
    }

    /// Groups the joints into colours.
    pub fn colour(&mut self, joints: &[Joint<S>], bodies: &Bodies<S>) {
        let pairs = (0_u32..).zip(joints).filter_map(|(number, joint)| Some((number, indices(joint, bodies)?)));
        self.colouring.assign_pairs(pairs, bodies);
    }

    /// Takes up the joints of a step with the impulses that they keep. What their rows are is found in each substep.
    pub(super) fn prepare(&mut self, joints: &[Joint<S>], sources: JointSources<'_, S>) {
        self.rows.clear();
        let warm = sources.settings.solver.warm_starting;
        for &number in self.colouring.colours.iter().flatten().chain(&self.colouring.overflow) {
            let Some(joint) = joints.get(number as usize) else { continue };
            let Some(bodies) = indices(joint, sources.bodies) else { continue };
            let inverse_mass =
                shares_of_inverse_mass(bodies.map(|body| sources.bodies.inverse_mass.get(body as usize).copied()));
            let impulse = if warm { joint.impulse } else { Vec3::ZERO };
            let point = SphericalRows { impulse, ..SphericalRows::default() };
            self.rows.push(JointRows { joint: number, kind: joint.kind, bodies, inverse_mass, point });
        }
        self.joined.clear();
        self.joined.extend(self.rows.iter().flat_map(|rows| rows.bodies).filter(|&body| body != WORLD));
        self.joined.sort_unstable();
        self.joined.dedup();
        self.ends.resize(sources.bodies.len(), Quat::IDENTITY);
    }

    /// Makes the rows anew for where the bodies are and how they move; impulses stay.
    pub(super) fn refresh(&mut self, joints: &[Joint<S>], sources: JointSources<'_, S>) {
        for &body in &self.joined {
            self.ends[body as usize] = sources.end_of(body as usize);
        }
        for rows in &mut self.rows {
            let Some(joint) = joints.get(rows.joint as usize) else { continue };
            match rows.kind {
                JointKind::Spherical => {
                    rows.point.write(joint, (rows.bodies, rows.inverse_mass), (sources, &self.ends));
                }
            }
        }
    }

    /// Applies the kept impulses.
    pub(super) fn warm_start(&self, bodies: &mut Bodies<S>) {
        for rows in &self.rows {
            let mut now = rows.load(&bodies.linear_velocity, &bodies.angular_velocity);
            match rows.kind {
                JointKind::Spherical => rows.point.apply(&mut now, rows.inverse_mass, rows.point.impulse),
            }
            rows.store(now, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
        }
    }

    /// One iteration over all joints. The largest change of a speed, m/s.
    pub(super) fn solve(&mut self, bodies: &mut Bodies<S>, soft: &Softness<S>, pass: VelocityPass) -> S {
        let mut largest = S::ZERO;
        for rows in &mut self.rows {
            let mut now = rows.load(&bodies.linear_velocity, &bodies.angular_velocity);
            let change = match rows.kind {
                JointKind::Spherical => rows.point.solve(&mut now, rows.inverse_mass, soft, pass),
            };
            largest = largest.max(change);
            rows.store(now, &mut bodies.linear_velocity, &mut bodies.angular_velocity);
        }
        largest
    }

    /// Adds the impulses of this substep to their totals.
    pub(super) fn accumulate_impulses(&mut self) {
        for rows in &mut self.rows {
            rows.point.total += rows.point.impulse;
        }
    }

    /// Makes the rows anew for passes over positions: see [`project`](Self::project).
    pub(super) fn begin_projection(&mut self, joints: &[Joint<S>], sources: JointSources<'_, S>) {
        self.refresh(joints, sources);
        for rows in &mut self.rows {
            let moved = rows.load(&sources.motion.delta_position, &sources.motion.delta_rotation);
            rows.point.separation -= rows.point.relative(&moved);
        }
    }

    /// One pass over positions: takes `beta` of what parts the points out of the displacements since the start of the step.
    pub(super) fn project(&self, motion: &mut Motion<S>, beta: S) {
        for rows in &self.rows {
            let mut moved = rows.load(&motion.delta_position, &motion.delta_rotation);
            match rows.kind {
                JointKind::Spherical => rows.point.project(&mut moved, rows.inverse_mass, beta),
            }
            rows.store(moved, &mut motion.delta_position, &mut motion.delta_rotation);
        }
    }

    /// Copies the impulses to the joints that keep them.
    pub(super) fn store(&self, joints: &mut [Joint<S>]) {
        for rows in &self.rows {
            if let Some(joint) = joints.get_mut(rows.joint as usize) {
                joint.impulse = rows.point.impulse.canonical();
            }
        }
    }
}

impl<S: Scalar> JointRows<S> {
    /// The motion of both bodies; the world has none.
    #[inline(always)]
    fn load(&self, linear: &[Vec3<S>], angular: &[Vec3<S>]) -> PairMotion<S> {
        let of = |values: &[Vec3<S>]| self.bodies.map(|body| values.get(body as usize).copied().unwrap_or(Vec3::ZERO));
        PairMotion { linear: of(linear), angular: of(angular) }
    }

    /// Writes back what rows can have changed.
    #[inline(always)]
    fn store(&self, motion: PairMotion<S>, linear: &mut [Vec3<S>], angular: &mut [Vec3<S>]) {
        for side in 0..2 {
            let body = self.bodies[side] as usize;
            if self.inverse_mass[side] != S::ZERO {
                linear[body] = motion.linear[side];
                angular[body] = motion.angular[side];
            }
        }
    }
}

/// The indices of the bodies of a joint; `None` when one of them does not exist.
fn indices<S: Scalar>(joint: &Joint<S>, bodies: &Bodies<S>) -> Option<[u32; 2]> {
    let index = |id: u32| u32::try_from(bodies.index_of(id)?).ok();
    Some([index(joint.a)?, if joint.b == WORLD { WORLD } else { index(joint.b)? }])
}
