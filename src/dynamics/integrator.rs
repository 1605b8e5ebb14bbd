//! Free motion: forces to velocities, velocities to poses, and the precession of bodies with unequal moments.
//!
//! Semi-implicit Euler: velocities first, then positions with the new velocities, once per substep. A step keeps the
//! inertia of its start, so that an impulse changes the angular momentum by exactly `r x P`; the angular momentum is
//! what a body carries to its new orientation at the end of the step. Within the step a body with unequal moments turns
//! about the mean of its angular velocities at both ends ([`FreeTurn`]).

use crate::dynamics::body::{Bodies, BodyKind};
use crate::dynamics::settings::{DampingForm, GravityMode, RotationUpdate, Settings};
use crate::geometry::Inertia;
use crate::math::{FineRotation, Mat3, Quat, Scalar, SymMat3, Vec3};

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
    unequal: Vec<Unequal<S>>,
    /// Factor on the linear velocity in each substep.
    pub linear_factor: Vec<S>,
    /// Factor on the angular velocity in each substep.
    pub angular_factor: Vec<S>,
    /// Where the centre of mass was at the start of the step, metres. A body is there and its way farther: so it is rounded
    /// once, not in every substep.
    pub start_position: Vec<Vec3<S>>,
    /// Way of the centre of mass since the start of the step, metres.
    pub delta_position: Vec<Vec3<S>>,
    /// Rotation vector since the start of the step, radians, world frame, to first order.
    pub delta_rotation: Vec<Vec3<S>>,
    /// `delta_position` and `delta_rotation` before the projection of positions.
    unprojected: (Vec<Vec3<S>>, Vec<Vec3<S>>),
    /// The body whose position advances with another rounding in this step, where such a fault is planted.
    pub misrounded: Option<usize>,
}

/// What a body of unequal moments starts a step with.
#[derive(Clone, Debug)]
struct Unequal<S: Scalar> {
    /// Index of the body.
    body: usize,
    /// Its rotation.
    rotation: FineRotation<S>,
    /// Its angular velocity, world frame.
    omega: Vec3<S>,
    /// Where it turns freely.
    free: FreeTurn<S>,
    /// For how many substeps.
    span: u32,
}

impl<S: Scalar> Unequal<S> {
    /// A body as it is now, for the next `span` substeps.
    fn new(body: usize, bodies: &Bodies<S>, settings: &Settings<S>, span: u32) -> Self {
        let rotation = FineRotation::new(bodies.orientation[body]);
        let omega = bodies.angular_velocity[body];
        let free = FreeTurn::new(&bodies.inertia[body], rotation.to_body(omega), settings, span);
        Self { body, rotation, omega, free, span }
    }

    /// The angular velocity that keeps the angular momentum at the new orientation.
    ///
    /// A body that nothing changed takes over what its free turn ends with, which the rounding of its orientation does not
    /// reach. For any other the momentum is turned; then omega changes by `I^-1` times the change of the momentum in the body's
    /// axes: `I^-1` times the whole of it would add in each step what the product of the rounded tensor and its rounded
    /// inverse misses of one.
    fn carried(&self, bodies: &Bodies<S>) -> Vec3<S> {
        self.carried_to(bodies.orientation[self.body], bodies, self.free.end)
    }

    /// The angular velocity at an orientation; `end` is that of the free turn, where it ends there.
    fn carried_to(&self, orientation: Quat<S>, bodies: &Bodies<S>, end: Option<Vec3<S>>) -> Vec3<S> {
        let omega = bodies.angular_velocity[self.body];
        let after = FineRotation::new(orientation);
        let own = match end.filter(|_| omega == self.omega) {
            Some(end) => end,
            None => {
                let inertia = &bodies.inertia[self.body];
                let own = self.rotation.to_body(omega);
                let momentum = inertia.tensor * own;
                let change = after.to_body(self.rotation.to_world(momentum)) - momentum;
                own + inertia.inverse * change
            }
        };
        after.to_world(own)
    }
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
            linear_factor: Vec::new(),
            angular_factor: Vec::new(),
            start_position: Vec::new(),
            delta_position: Vec::new(),
            delta_rotation: Vec::new(),
            unprojected: (Vec::new(), Vec::new()),
            misrounded: None,
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
        refill(&mut self.linear_factor, bodies, S::ONE);
        refill(&mut self.angular_factor, bodies, S::ONE);
        refill(&mut self.start_position, bodies, Vec3::ZERO);
        refill(&mut self.delta_position, bodies, Vec3::ZERO);
        refill(&mut self.delta_rotation, bodies, Vec3::ZERO);
        self.misrounded = None;
    }

    /// Finds rotation matrices and world inertia for the poses of the bodies.
    pub fn find_inertia(&mut self, bodies: &Bodies<S>, settings: &Settings<S>) {
        self.unequal.clear();
        self.start_position.clone_from(&bodies.position);
        for index in 0..bodies.len() {
            let rotation = bodies.orientation[index].to_matrix();
            self.rotation[index] = rotation;
            if bodies.kind[index] != BodyKind::Dynamic {
                continue;
            }
            let inertia = &bodies.inertia[index];
            let inverse = inertia.inverse.rotated(rotation);
            self.inverse_inertia[index] =
                inverse.map(|entry| entry.scale_by_power_of_two(inertia.length_exponent.saturating_mul(-2)));
            if settings.gyroscopic && !inertia.tensor.is_isotropic() {
                let unequal = Unequal::new(index, bodies, settings, settings.solver.substeps);
                self.precession[index] = unequal.rotation.to_world(unequal.free.precession);
                self.unequal.push(unequal);
            }
        }
    }

    /// Turns forces, torques and gravity (m/s^2) into accelerations.
    pub fn find_accelerations(&mut self, bodies: &Bodies<S>, settings: &Settings<S>, gravity: Vec3<S>) {
        for index in 0..bodies.len() {
            if bodies.kind[index] != BodyKind::Dynamic {
                continue;
            }
            let inverse_mass = bodies.inverse_mass[index];
            let own_gravity = gravity * bodies.gravity_scale[index];
            let per_mass = |v: Vec3<S>| v.map(|component| inverse_mass.apply(component));
            self.linear_acceleration[index] = match settings.gravity_mode {
                GravityMode::Acceleration => own_gravity + per_mass(self.force[index]),
                GravityMode::Force => {
                    let mass = inverse_mass.recip();
                    let weight = own_gravity.map(|component| mass.apply(component));
                    per_mass(weight + self.force[index])
                }
            };
            self.angular_acceleration[index] = self.inverse_inertia[index] * per_mass(self.torque[index]);
            self.linear_factor[index] = damping_factor(bodies.linear_damping[index], settings);
            self.angular_factor[index] = damping_factor(bodies.angular_damping[index], settings);
        }
    }

    /// Advances the velocities of all dynamic bodies by one substep, damping included.
    pub fn integrate_velocities(&self, bodies: &mut Bodies<S>, settings: &Settings<S>) {
        for index in 0..bodies.len() {
            if bodies.kind[index] != BodyKind::Dynamic {
                continue;
            }
            let linear = self.linear_acceleration[index].mul_fraction(settings.substep);
            let angular = self.angular_acceleration[index].mul_fraction(settings.substep);
            bodies.linear_velocity[index] = (bodies.linear_velocity[index] + linear) * self.linear_factor[index];
            bodies.angular_velocity[index] = (bodies.angular_velocity[index] + angular) * self.angular_factor[index];
        }
    }

    /// Advances the poses of everything that moves by one substep.
    pub fn integrate_positions(&mut self, bodies: &mut Bodies<S>, settings: &Settings<S>) {
        let misrounded = self.misrounded.filter(|index| *index < bodies.len());
        let before = misrounded.map(|index| (index, bodies.position[index]));
        for index in 0..bodies.len() {
            if bodies.kind[index] == BodyKind::Static {
                continue;
            }
            let way = bodies.linear_velocity[index].mul_fraction(settings.substep);
            self.delta_position[index] += way;
            bodies.position[index] = self.start_position[index] + self.delta_position[index];
            let omega = bodies.angular_velocity[index] + self.precession[index];
            self.delta_rotation[index] += omega.mul_fraction(settings.substep);
            bodies.orientation[index] =
                advance(bodies.orientation[index], omega, settings.half_substep, settings.rotation);
        }
        if let Some((index, Vec3 { x, y, z })) = before {
            let velocity = bodies.linear_velocity[index];
            let advance = |start: S, rate: S| start.advance_misrounded(rate, settings.substep);
            bodies.position[index] = Vec3::new(advance(x, velocity.x), advance(y, velocity.y), advance(z, velocity.z));
            self.start_position[index] = bodies.position[index] - self.delta_position[index];
        }
    }

    /// Moves a body so that with its new velocities it is, `time` seconds from now, where it would have been with the old ones.
    pub fn begin_anew(
        &mut self,
        bodies: &mut Bodies<S>,
        index: usize,
        change: VelocityChange<S>,
        time: S,
        update: RotationUpdate,
    ) {
        let VelocityChange { linear: [old, new], angular: [old_spin, new_spin] } = change;
        self.delta_position[index] += (old - new) * time;
        bodies.position[index] = self.start_position[index] + self.delta_position[index];
        self.delta_rotation[index] += (old_spin - new_spin) * time;
        // Turns about different axes do not commute: there and back, not by the difference.
        let there = turned(bodies.orientation[index], old_spin * time, update);
        bodies.orientation[index] = turned(there, -new_spin * time, update);
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

    /// Gives bodies that turn fast the inertia of this substep's start, not of the step's: over a step theirs would be of
    /// another attitude altogether.
    pub fn follow_fast_turns(&mut self, bodies: &mut Bodies<S>, settings: &Settings<S>, substep: u32) {
        let fast = S::HALF * S::HALF;
        for number in 0..self.unequal.len() {
            let Unequal { body, span, .. } = self.unequal[number];
            let turn = bodies.angular_velocity[body].taxicab_length() * settings.step_seconds;
            if span != 1 && turn <= fast {
                continue;
            }
            if substep > 0 {
                bodies.angular_velocity[body] = self.unequal[number].carried(bodies);
            }
            let inertia = &bodies.inertia[body];
            let inverse = inertia.inverse.rotated(bodies.orientation[body].to_matrix());
            self.inverse_inertia[body] =
                inverse.map(|entry| entry.scale_by_power_of_two(inertia.length_exponent.saturating_mul(-2)));
            let unequal = Unequal::new(body, bodies, settings, 1);
            self.precession[body] = unequal.rotation.to_world(unequal.free.precession);
            self.unequal[number] = unequal;
        }
    }

    /// Gives a body of unequal moments the angular velocity and the inertia that it has `time` seconds after the start of the
    /// substep, and a start from where it would have come with them; whether it turns enough for that to matter.
    ///
    /// A blow answers to the inertia of its moment: that of a thin stick is another after a few degrees.
    pub fn follow_turn(&mut self, bodies: &mut Bodies<S>, body: usize, time: S, settings: &Settings<S>) -> bool {
        let omega = bodies.angular_velocity[body];
        let turn = omega * time;
        if turn.taxicab_length() <= S::ONE.scale_by_power_of_two(-10) {
            return false;
        }
        let Ok(number) = self.unequal.binary_search_by_key(&body, |unequal| unequal.body) else { return false };
        let there = turned(bodies.orientation[body], turn, settings.rotation);
        let now = self.unequal[number].carried_to(there, bodies, None);
        let inertia = &bodies.inertia[body];
        let inverse = inertia.inverse.rotated(there.to_matrix());
        self.inverse_inertia[body] =
            inverse.map(|entry| entry.scale_by_power_of_two(inertia.length_exponent.saturating_mul(-2)));
        self.precession[body] = Vec3::ZERO;
        let free = FreeTurn { precession: Vec3::ZERO, end: None };
        self.unequal[number] = Unequal { body, rotation: FineRotation::new(there), omega: now, free, span: 1 };
        bodies.angular_velocity[body] = now;
        bodies.orientation[body] = turned(there, -now * time, settings.rotation);
        self.delta_rotation[body] += (omega - now) * time;
        true
    }

    /// Carries the angular momentum of bodies with unequal moments of inertia over to their new orientation.
    pub fn carry_angular_momentum(&self, bodies: &mut Bodies<S>) {
        for unequal in &self.unequal {
            let body = unequal.body;
            let turned = self.delta_rotation[body] != Vec3::ZERO;
            if turned && bodies.angular_velocity[body] != Vec3::ZERO {
                bodies.angular_velocity[body] = unequal.carried(bodies);
            }
        }
    }
}

/// The velocities of a body before and after a blow.
#[derive(Clone, Copy, Debug)]
pub struct VelocityChange<S> {
    /// m/s.
    pub linear: [Vec3<S>; 2],
    /// rad/s.
    pub angular: [Vec3<S>; 2],
}

/// An orientation turned by a rotation vector in radians, world frame.
#[must_use]
pub fn turned<S: Scalar>(orientation: Quat<S>, turn: Vec3<S>, update: RotationUpdate) -> Quat<S> {
    advance(orientation, turn, S::fraction(1, 2), update)
}

/// How a body turns in a step in which nothing acts on it, in its own axes.
///
/// With `P = I omega` at either end and `m = I^-1 (P0 + P1) / 2`, a turn by the angle `a` about `m` means
/// `P1 - P0 = -t m x (P0 + P1)` with `t = tan(a/2) / |m|`, so `m = omega - t I^-1 (m x I m)`. As `P1 - P0` is perpendicular to `m`,
/// the energy `P . I^-1 P / 2` is the same at both ends at any length of the step: J. C. Simo, K. K. Wong, "Unconditionally
/// stable algorithms for rigid body dynamics that exactly preserve energy and momentum", 1991. The curve of omega in the
/// body is exact to rounding, only the pace along it is of second order.
#[derive(Clone, Copy, Debug)]
struct FreeTurn<S> {
    /// `m - omega`: what the mean angular velocity has beyond that of the start.
    precession: Vec3<S>,
    /// The angular velocity at the end; `None` where `m` does not solve the equation.
    end: Option<Vec3<S>>,
}

impl<S: Scalar> FreeTurn<S> {
    /// Most rounds in which `m` is looked for.
    const ROUNDS: u32 = 24;

    /// The turn of a body with this angular velocity at its start.
    ///
    /// A round comes closer by a factor of `|omega| dt / 2` at least, for no moment exceeds the other two together. For steps
    /// that turn the body by more than 90 degrees `t` is held at `1 / |m|`: there only the momentum bounds the energy.
    fn new(inertia: &Inertia<S>, omega: Vec3<S>, settings: &Settings<S>, span: u32) -> Self {
        let largest = |v: Vec3<S>| v.x.abs().max(v.y.abs()).max(v.z.abs());
        let close = S::EPSILON * (S::ONE + largest(omega));
        let substeps = S::from_i32(i32::try_from(span).unwrap_or(i32::MAX));
        let mut mean = omega;
        for _ in 0..Self::ROUNDS {
            let half_turn = (mean * substeps).mul_fraction(settings.half_substep).length_squared();
            let ratio = tangent_ratio(half_turn, settings.rotation, span);
            let rate = inertia.inverse * mean.cross(inertia.tensor * mean);
            let target =
                omega - (rate * (ratio.unwrap_or_else(|held| held) * substeps)).mul_fraction(settings.half_substep);
            let change = target - mean;
            if largest(change) <= close {
                let end = ratio.ok().map(|_| target + target - omega);
                return Self { precession: target - omega, end };
            }
            // Halves are slower where the turn is large, but they do not overshoot.
            mean += if half_turn > S::HALF * S::HALF { change * S::HALF } else { change };
        }
        Self { precession: mean - omega, end: None }
    }
}

/// `tan(a/2) / x` for the angle `a` by which a step turns a body, from the square of `x = |omega| dt / 2`; as an error `1 / x`,
/// at which it is held for large angles.
fn tangent_ratio<S: Scalar>(square: S, rotation: RotationUpdate, substeps: u32) -> Result<S, S> {
    if square >= S::from_i32(5) / S::from_i32(8) {
        return Err(S::ONE / square.sqrt());
    }
    Ok(match rotation {
        // The tangent of x, as the continued fraction of J. H. Lambert.
        RotationUpdate::ExponentialMap => {
            let partial = |below: S, odd: i32| S::from_i32(odd) - square / below;
            S::ONE / [7, 5, 3, 1].into_iter().fold(S::from_i32(9), partial)
        }
        // Each substep turns by 2 atan(x / n): the tangents of sums, over that of one substep.
        RotationUpdate::FirstOrder => {
            let count = S::from_i32(i32::try_from(substeps).unwrap_or(i32::MAX));
            let square = square / (count * count);
            let multiple = (1..substeps).fold(S::ONE, |sum, _| (sum + S::ONE) / (S::ONE - square * sum));
            multiple / count
        }
    })
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
