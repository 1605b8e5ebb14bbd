//! Free motion: forces to velocities, velocities to poses, and the precession of bodies with unequal moments.
//!
//! Semi-implicit Euler: velocities first, then positions with the new velocities, once per substep. A step keeps the
//! inertia of its start, so that an impulse changes the angular momentum by exactly `r x P`; the angular momentum is
//! what a body carries to its new orientation at the end of the step. Within the step a body with unequal moments turns
//! about the mean of its angular velocities at both ends (`gyroscopic`).

use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::gyroscopic::Unequal;
use crate::dynamics::settings::{DampingForm, GravityMode, RotationUpdate, Settings};
use crate::math::lanes::{Block, LANES, LanePath, LaneTask, Lanes};
use crate::math::{Mat3, Quat, Scalar, SymMat3, Vec3};
use crate::parallel::Executor;

/// Bodies whose velocities one thread integrates in a row: at 2 to 4 ns each less would not be worth another thread's coming.
const VELOCITIES_AT_ONCE: usize = 4096;
/// Bodies of unequal moments whose free turns one thread finds in a row, at some 200 ns each.
const TURNS_AT_ONCE: usize = 128;
/// Bodies whose poses one thread finds or integrates in a row, at 10 to 30 ns each.
const POSES_AT_ONCE: usize = 1024;

/// The place of a body that is not among those of unequal moments.
pub(super) const EQUAL: u32 = u32::MAX;

/// What a step knows of each body beyond its state; found anew in every step, index as in [`Bodies`].
#[derive(Clone, Debug)]
pub struct Motion<S: Scalar> {
    /// Force at the centre of mass, newtons, world frame.
    pub force: Vec<Vec3<S>>,
    /// Torque about the centre of mass, newton metres, world frame.
    pub torque: Vec<Vec3<S>>,
    /// Rotation matrix at the start of the step.
    pub rotation: Vec<Mat3<S>>,
    /// Mass times inverse inertia at the start of the step, world frame, 1/m^2; zero unless the body is dynamic.
    pub inverse_inertia: Vec<SymMat3<S>>,
    /// Acceleration by gravity and forces, m/s^2.
    pub linear_acceleration: Vec<Vec3<S>>,
    /// Angular acceleration by torques, rad/s^2.
    pub angular_acceleration: Vec<Vec3<S>>,
    /// What unequal moments of inertia add to the angular velocity with which a body turns in this step, rad/s.
    pub precession: Vec<Vec3<S>>,
    /// The dynamic bodies of unequal moments, ascending; none without gyroscopic motion.
    pub(super) unequal: Vec<Unequal<S>>,
    /// The place of each body among those, or [`EQUAL`].
    pub(super) unequal_place: Vec<u32>,
    /// Factor on the linear velocity in each substep.
    pub linear_factor: Vec<S>,
    /// Factor on the angular velocity in each substep.
    pub angular_factor: Vec<S>,
    /// Where the centre of mass was at the start of the solve, metres. A body is there and its way farther: so it is rounded
    /// once, not in every substep.
    pub start_position: Vec<Vec3<S>>,
    /// Way of the centre of mass since the start of the step, metres.
    pub delta_position: Vec<Vec3<S>>,
    /// Rotation vector since the start of the step, radians, world frame, to first order.
    pub delta_rotation: Vec<Vec3<S>>,
    /// `delta_position` and `delta_rotation` before the projection of positions.
    unprojected: (Vec<Vec3<S>>, Vec<Vec3<S>>),
}

impl<S: Scalar> Default for Motion<S> {
    fn default() -> Self {
        Self {
            force: Vec::new(),
            torque: Vec::new(),
            rotation: Vec::new(),
            inverse_inertia: Vec::new(),
            linear_acceleration: Vec::new(),
            angular_acceleration: Vec::new(),
            precession: Vec::new(),
            unequal: Vec::new(),
            unequal_place: Vec::new(),
            linear_factor: Vec::new(),
            angular_factor: Vec::new(),
            start_position: Vec::new(),
            delta_position: Vec::new(),
            delta_rotation: Vec::new(),
            unprojected: (Vec::new(), Vec::new()),
        }
    }
}

impl<S: Scalar> Motion<S> {
    /// Makes room for every body and clears the accumulators of all of them, static ones too.
    pub fn begin_step(&mut self, bodies: usize) {
        fn refill<T: Clone>(array: &mut Vec<T>, length: usize, value: T) {
            array.clear();
            array.resize(length, value);
        }
        refill(&mut self.force, bodies, Vec3::ZERO);
        refill(&mut self.torque, bodies, Vec3::ZERO);
        refill(&mut self.rotation, bodies, Mat3::IDENTITY);
        refill(&mut self.inverse_inertia, bodies, SymMat3::ZERO);
        refill(&mut self.linear_acceleration, bodies, Vec3::ZERO);
        refill(&mut self.angular_acceleration, bodies, Vec3::ZERO);
        refill(&mut self.precession, bodies, Vec3::ZERO);
        refill(&mut self.unequal_place, bodies, EQUAL);
        refill(&mut self.linear_factor, bodies, S::ONE);
        refill(&mut self.angular_factor, bodies, S::ONE);
        refill(&mut self.start_position, bodies, Vec3::ZERO);
        refill(&mut self.delta_position, bodies, Vec3::ZERO);
        refill(&mut self.delta_rotation, bodies, Vec3::ZERO);
    }

    /// Takes down where the bodies are, from where the substeps move them.
    pub fn begin_solve(&mut self, bodies: &Bodies<S>) {
        self.start_position.clone_from(&bodies.position);
    }

    /// Finds rotation matrices and world inertia for the poses of the bodies.
    pub fn find_inertia(&mut self, bodies: &Bodies<S>, settings: &Settings<S>, executor: &mut Executor) {
        let found = (&mut self.rotation[..], &mut self.inverse_inertia[..]);
        executor.for_each_part(POSES_AT_ONCE, found, |first, (rotations, inverses)| {
            for (index, (rotation, inverse)) in (first..).zip(rotations.iter_mut().zip(inverses)) {
                *rotation = bodies.orientation[index].to_matrix();
                if bodies.kind[index] == BodyKind::Dynamic {
                    let inertia = &bodies.inertia[index];
                    let exponent = inertia.length_exponent.saturating_mul(-2);
                    *inverse = inertia.inverse.rotated(*rotation).map(|entry| entry.scale_by_power_of_two(exponent));
                }
            }
        });
        self.find_precession(bodies, settings, executor);
    }

    /// Finds how bodies of unequal moments turn freely.
    fn find_precession(&mut self, bodies: &Bodies<S>, settings: &Settings<S>, executor: &mut Executor) {
        let is_unequal =
            |&index: &usize| bodies.kind[index] == BodyKind::Dynamic && !bodies.inertia[index].tensor.is_isotropic();
        let count = if settings.gyroscopic { bodies.len() } else { 0 };
        self.unequal.clear();
        self.unequal.extend((0..count).filter(is_unequal).map(Unequal::unseen));
        executor.for_each_part(TURNS_AT_ONCE, &mut self.unequal[..], |_, turns| {
            turns.iter_mut().for_each(|unequal| unequal.begin_step(bodies, settings));
        });
        for (place, unequal) in (0..).zip(&self.unequal) {
            self.precession[unequal.body()] = unequal.precession();
            self.unequal_place[unequal.body()] = place;
        }
    }

    /// Turns forces, torques and gravity (m/s^2) into accelerations.
    pub fn find_accelerations(
        &mut self,
        bodies: &Bodies<S>,
        settings: &Settings<S>,
        gravity: Vec3<S>,
        executor: &mut Executor,
    ) {
        let Self { force, torque, inverse_inertia, linear_acceleration, angular_acceleration, .. } = self;
        let factors = (&mut self.linear_factor[..], &mut self.angular_factor[..]);
        let accelerations = (&mut linear_acceleration[..], &mut angular_acceleration[..]);
        executor.for_each_part(POSES_AT_ONCE, (accelerations, factors), |first, ((linear, angular), factors)| {
            for place in 0..linear.len() {
                let index = first + place;
                if bodies.kind[index] != BodyKind::Dynamic {
                    continue;
                }
                let inverse_mass = bodies.inverse_mass[index];
                let own_gravity = gravity * bodies.gravity_scale[index];
                let per_mass = |v: Vec3<S>| v.map(|component| inverse_mass.apply(component));
                linear[place] = match settings.gravity_mode {
                    GravityMode::Acceleration => own_gravity + per_mass(force[index]),
                    GravityMode::Force => {
                        let mass = inverse_mass.recip();
                        let weight = own_gravity.map(|component| mass.apply(component));
                        per_mass(weight + force[index])
                    }
                };
                angular[place] = inverse_inertia[index] * per_mass(torque[index]);
                factors.0[place] = damping_factor(bodies.linear_damping[index], settings);
                factors.1[place] = damping_factor(bodies.angular_damping[index], settings);
            }
        });
    }

    /// Advances the velocities of all dynamic bodies by one substep, damping included.
    pub fn integrate_velocities(&self, bodies: &mut Bodies<S>, settings: &Settings<S>, executor: &mut Executor) {
        let kinds = &bodies.constants.kind;
        let velocities = (&mut bodies.linear_velocity[..], &mut bodies.angular_velocity[..]);
        executor.for_each_part(VELOCITIES_AT_ONCE, velocities, |first, (linear, angular)| {
            for (index, (linear, angular)) in (first..).zip(linear.iter_mut().zip(angular)) {
                if kinds[index] == BodyKind::Dynamic {
                    let gain = self.linear_acceleration[index].mul_fraction(settings.substep);
                    let angular_gain = self.angular_acceleration[index].mul_fraction(settings.substep);
                    *linear = (*linear + gain) * self.linear_factor[index];
                    *angular = (*angular + angular_gain) * self.angular_factor[index];
                }
            }
        });
    }

    /// Advances the poses of everything that moves by one substep.
    pub fn integrate_positions(
        &mut self,
        bodies: &mut Bodies<S>,
        settings: &Settings<S>,
        (lanes, executor): (LanePath, &mut Executor),
    ) {
        let Bodies { constants, position, orientation, linear_velocity, angular_velocity, .. } = bodies;
        let Self { start_position, precession, delta_position, delta_rotation, .. } = self;
        let places = (&mut position[..], &mut delta_position[..]);
        let attitudes = (&mut orientation[..], &mut delta_rotation[..]);
        let in_lanes = turns_in_lanes(settings.rotation, lanes);
        executor.for_each_part(POSES_AT_ONCE, (places, attitudes), |first, (places, attitudes)| {
            let places = places.0.iter_mut().zip(places.1);
            let turns = attitudes.0.iter_mut().zip(attitudes.1);
            for (index, ((position, way), (orientation, turn))) in (first..).zip(places.zip(turns)) {
                if constants.kind[index] == BodyKind::Static {
                    continue;
                }
                *way += linear_velocity[index].mul_fraction(settings.substep);
                *position = start_position[index] + *way;
                let omega = angular_velocity[index] + precession[index];
                *turn += omega.mul_fraction(settings.substep);
                if !in_lanes {
                    *orientation = advance(*orientation, omega, settings.half_substep, settings.rotation);
                }
            }
            if in_lanes {
                let range = first..first + attitudes.0.len();
                let rates = (&angular_velocity[range.clone()], &precession[range.clone()]);
                let kinds = &constants.kind[range];
                lanes.run_in_steps(AdvanceInLanes {
                    attitudes: attitudes.0,
                    rates,
                    kinds,
                    half_dt: settings.half_substep,
                });
            }
        });
    }

    /// Moves a body with new velocities so that it is, `time` seconds after the start of the substep, where it would have been
    /// with the `old` ones, linear in m/s and angular in rad/s.
    pub fn begin_anew(
        &mut self,
        bodies: &mut Bodies<S>,
        body: usize,
        old: [Vec3<S>; 2],
        time: S,
        settings: &Settings<S>,
    ) {
        let [old, old_spin] = old;
        self.delta_position[body] += (old - bodies.linear_velocity[body]) * time;
        bodies.position[body] = self.start_position[body] + self.delta_position[body];
        self.turn_anew(bodies, body, old_spin, time, settings);
    }

    /// Keeps the ways so far, so that [`apply_projection`](Self::apply_projection) knows what the projection added.
    pub fn remember_deltas(&mut self) {
        self.unprojected.0.clone_from(&self.delta_position);
        self.unprojected.1.clone_from(&self.delta_rotation);
    }

    /// Moves the bodies by what the projection added to their ways.
    pub fn apply_projection(&self, bodies: &mut Bodies<S>, settings: &Settings<S>) {
        for index in 0..bodies.len() {
            bodies.position[index] = self.start_position[index] + self.delta_position[index];
            let turn = self.delta_rotation[index] - self.unprojected.1[index];
            bodies.orientation[index] = turned(bodies.orientation[index], turn, settings.rotation);
        }
    }
}

/// An orientation turned by a rotation vector in radians, world frame.
#[must_use]
pub fn turned<S: Scalar>(orientation: Quat<S>, turn: Vec3<S>, update: RotationUpdate) -> Quat<S> {
    advance(orientation, turn, S::FRACTION_HALF, update)
}

/// The same, of length one to rounding only where the exponential map turns it: for an orientation that is looked at and not kept.
#[must_use]
pub fn turned_nearly<S: Scalar>(orientation: Quat<S>, turn: Vec3<S>, update: RotationUpdate) -> Quat<S> {
    match update {
        RotationUpdate::FirstOrder => orientation.advance_first_order(turn, S::FRACTION_HALF),
        RotationUpdate::ExponentialMap => orientation.advance_nearly(turn, S::FRACTION_HALF),
    }
}

/// Angular velocities and what precession adds to them, rad/s.
type Rates<'a, S> = (&'a [Vec3<S>], &'a [Vec3<S>]);

/// Whether orientations are turned several at once.
fn turns_in_lanes(update: RotationUpdate, lanes: LanePath) -> bool {
    update == RotationUpdate::ExponentialMap && lanes != LanePath::Scalar
}

/// Turns the orientations of all bodies that move by the exponential map, as a task for lanes.
struct AdvanceInLanes<'a, S: Scalar> {
    attitudes: &'a mut [Quat<S>],
    rates: Rates<'a, S>,
    kinds: &'a [BodyKind],
    half_dt: S::Fraction,
}

impl<S: Scalar> LaneTask<S> for AdvanceInLanes<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { attitudes, rates: (spins, precessions), kinds, half_dt } = self;
        let mut first = 0;
        while first < attitudes.len() {
            let count = L::WIDTH.min(attitudes.len() - first);
            // A lane without a body, or with a static one, does not turn.
            let (mut q, mut omega) = ([Block::ZERO; 4], [Block::ZERO; 3]);
            q[0] = Block([S::ONE; LANES]);
            for lane in 0..count {
                if kinds[first + lane] == BodyKind::Static {
                    continue;
                }
                let Quat { w, x, y, z } = attitudes[first + lane];
                (q[0].0[lane], q[1].0[lane], q[2].0[lane], q[3].0[lane]) = (w, x, y, z);
                let Vec3 { x, y, z } = spins[first + lane] + precessions[first + lane];
                (omega[0].0[lane], omega[1].0[lane], omega[2].0[lane]) = (x, y, z);
            }
            let turned = L::advance(
                [q[0].get(0), q[1].get(0), q[2].get(0), q[3].get(0)],
                [omega[0].get(0), omega[1].get(0), omega[2].get(0)],
                half_dt,
            );
            for part in 0..4 {
                q[part].set(0, turned[part]);
            }
            for lane in 0..count {
                if kinds[first + lane] != BodyKind::Static {
                    attitudes[first + lane] = Quat::new(q[0].0[lane], q[1].0[lane], q[2].0[lane], q[3].0[lane]);
                }
            }
            first += count;
        }
    }
}

/// Turns an orientation for a step whose half is `half_dt`.
fn advance<S: Scalar>(orientation: Quat<S>, omega: Vec3<S>, half_dt: S::Fraction, update: RotationUpdate) -> Quat<S> {
    match update {
        RotationUpdate::FirstOrder => orientation.advance_first_order(omega, half_dt),
        RotationUpdate::ExponentialMap => orientation.advance_exponential(omega, half_dt),
    }
}

/// The factor by which damping `c` changes a velocity in one substep.
fn damping_factor<S: Scalar>(damping: S, settings: &Settings<S>) -> S {
    if damping == S::ZERO {
        return S::ONE;
    }
    let per_substep = damping.mul_fraction(settings.substep);
    match settings.damping {
        DampingForm::Implicit => S::ONE / (S::ONE + per_substep),
        DampingForm::Exponential => (-per_substep).exp(),
        DampingForm::Power => {
            let kept = S::ONE - damping;
            if kept > S::ZERO { kept.ln().mul_fraction(settings.substep).exp() } else { S::ZERO }
        }
    }
}
