//! Bodies of unequal moments of inertia: what their angular velocity makes of an angular momentum that stays while they turn.
//!
//! Most of them turn little in a step and are looked at once in it. Those that turn fast are looked at in each substep, and at
//! each blow: what a blow does to a thin stick is another matter a few degrees later.

use crate::dynamics::body::Bodies;
use crate::dynamics::free_turn::{FreeTurn, Span, spare_exponent};
use crate::dynamics::integrator::{Motion, turned};
use crate::dynamics::settings::Settings;
use crate::geometry::Inertia;
use crate::math::{FineRotation, Quat, Scalar, Vec3};

/// A body of unequal moments, as it was when its inertia was last found.
#[derive(Clone, Debug)]
pub(super) struct Unequal<S: Scalar> {
    /// Index of the body.
    body: usize,
    /// Its rotation.
    rotation: FineRotation<S>,
    /// Its angular velocity, world frame.
    omega: Vec3<S>,
    /// How it would turn freely from then on.
    pub(super) free: FreeTurn<S>,
    /// Seconds from the start of the substep to then; `None` where it is looked at once in a step.
    since: Option<S>,
    /// Whether a joint or a torque turns it all along.
    is_driven: bool,
    /// Whether a joint holds it.
    is_joined: bool,
    /// How it touched something as the step began.
    touch: Touch,
    /// Its angular velocity before precession was added, and what was, rad/s, world frame.
    without: Vec3<S>,
    added: Vec3<S>,
    /// The angular velocity with which it moved in this substep, rad/s, world frame.
    moved_at: Vec3<S>,
    /// How far corrections have turned it since the last look: a rotation vector, radians, world frame.
    corrected: Vec3<S>,
}

impl<S: Scalar> Unequal<S> {
    /// A body that is yet to be looked at.
    pub(super) fn unseen(body: usize) -> Self {
        let free = FreeTurn { precession: Vec3::ZERO, end: None };
        Self {
            body,
            rotation: FineRotation::new(Quat::IDENTITY),
            omega: Vec3::ZERO,
            free,
            since: None,
            is_driven: false,
            is_joined: false,
            touch: Touch::None,
            without: Vec3::ZERO,
            added: Vec3::ZERO,
            moved_at: Vec3::ZERO,
            corrected: Vec3::ZERO,
        }
    }

    /// Looks at the body at the start of a step.
    pub(super) fn begin_step(&mut self, bodies: &Bodies<S>, settings: &Settings<S>) {
        let (orientation, span) = (bodies.orientation[self.body], Span::Substeps(settings.solver.substeps));
        *self = Self::at(self.body, bodies, orientation, settings, span, None);
    }

    /// Index of the body.
    pub(super) const fn body(&self) -> usize {
        self.body
    }

    fn at(
        body: usize,
        bodies: &Bodies<S>,
        orientation: Quat<S>,
        settings: &Settings<S>,
        span: Span<S>,
        since: Option<S>,
    ) -> Self {
        let rotation = FineRotation::new(orientation);
        let omega = bodies.angular_velocity[body];
        let free = FreeTurn::new(&bodies.inertia[body], rotation.to_body(omega), settings, span);
        Self { rotation, omega, free, since, ..Self::unseen(body) }
    }

    /// What its angular velocity has beyond that of now while it turns, on average, world frame.
    pub(super) fn precession(&self) -> Vec3<S> {
        self.rotation.to_world(self.free.precession)
    }

    /// The angular velocity that keeps the angular momentum at the orientation of now.
    ///
    /// A body that nothing changed takes over what its free turn ends with, which the rounding of its orientation does not
    /// reach. For any other the momentum is turned.
    fn carried(&self, bodies: &Bodies<S>, settings: &Settings<S>) -> Vec3<S> {
        let omega = bodies.angular_velocity[self.body];
        let Some(end) = self.free.end else { return omega };
        let orientation = bodies.orientation[self.body];
        if omega == self.omega {
            FineRotation::new(orientation).to_world(end)
        } else {
            self.carried_to(bodies, orientation, settings)
        }
    }

    /// The angular velocity that keeps the direction of the angular momentum at another orientation, and the energy.
    ///
    /// It changes by `I^-1` times the change of the momentum in the body's axes: `I^-1` times the whole of it would add in each
    /// step what the product of the rounded tensor and its rounded inverse misses of one. What a correction turned the body by is no motion:
    /// its momentum is turned along, or a body that is pushed out of another would spin another way than before.
    fn carried_to(&self, bodies: &Bodies<S>, orientation: Quat<S>, settings: &Settings<S>) -> Vec3<S> {
        let omega = bodies.angular_velocity[self.body];
        let inertia = &bodies.inertia[self.body];
        let exponent = spare_exponent(omega);
        let after = FineRotation::new(orientation);
        let by_motion = if self.corrected == Vec3::ZERO {
            after
        } else {
            FineRotation::new(turned(orientation, -self.corrected, settings.rotation))
        };
        let [own, carried] = self.own_and_carried(omega, inertia, by_motion);
        let carried = carried * energy_factor(inertia, own, carried);
        after.to_world(carried.map(|component| component.scale_by_power_of_two(exponent)))
    }

    /// In the body's axes, its angular velocity at its last look, and the one with the same angular momentum at another rotation;
    /// both are scaled down by `spare_exponent`.
    fn own_and_carried(&self, omega: Vec3<S>, inertia: &Inertia<S>, after: FineRotation<S>) -> [Vec3<S>; 2] {
        let exponent = spare_exponent(omega);
        let own = self.rotation.to_body(omega).map(|component| component.scale_by_power_of_two(-exponent));
        let momentum = inertia.tensor * own;
        let change = after.to_body(self.rotation.to_world(momentum)) - momentum;
        [own, own + inertia.inverse * change]
    }

    /// An orientation near this one in which the body has the energy of its last look, and the turn to it, world frame. What a first
    /// turn leaves is of second order, and goes with the second.
    fn turned_to_energy(&self, bodies: &Bodies<S>, near: Quat<S>, settings: &Settings<S>) -> (Quat<S>, Vec3<S>) {
        let first = self.turn_to_energy(bodies, FineRotation::new(near));
        let nearer = turned(near, first, settings.rotation);
        let second = self.turn_to_energy(bodies, FineRotation::new(nearer));
        (turned(nearer, second, settings.rotation), first + second)
    }

    /// The small turn, world frame, that takes a body to where its angular momentum has the energy of its last look.
    ///
    /// A body that is turned by u while its momentum L stays gains the energy `u . (omega x L)`, so the least turn for an energy E is
    /// `E (omega x L) / |omega x L|^2`. What is near a principal axis needs none: there the energy hardly depends on it.
    fn turn_to_energy(&self, bodies: &Bodies<S>, after: FineRotation<S>) -> Vec3<S> {
        let omega = bodies.angular_velocity[self.body];
        let inertia = &bodies.inertia[self.body];
        let [own, carried] = self.own_and_carried(omega, inertia, after);
        let largest = own.taxicab_length().max(carried.taxicab_length());
        if largest <= S::EPSILON {
            return Vec3::ZERO;
        }
        let [own, carried] = [own, carried].map(|omega| omega * (S::ONE / largest));
        let momentum = inertia.tensor * carried;
        let missing = (own.dot(inertia.tensor * own) - carried.dot(momentum)) * S::HALF;
        let axis = carried.cross(momentum);
        let square = axis.length_squared();
        let most = S::ONE.scale_by_power_of_two(-9);
        if missing.abs() >= axis.taxicab_length() * most || square <= S::EPSILON {
            return Vec3::ZERO;
        }
        after.to_world(axis * (missing / square))
    }
}

/// The factor that gives a body the energy after a turn that it had before.
///
/// What it is turned by is a little wrong, one way or the other; a bound on what is gained alone would lose a little each time.
fn energy_factor<S: Scalar>(inertia: &Inertia<S>, before: Vec3<S>, after: Vec3<S>) -> S {
    let largest = before.taxicab_length();
    if largest <= S::EPSILON {
        return S::ONE;
    }
    let scale = S::ONE / largest;
    let twice_energy = |omega: Vec3<S>| {
        let omega = omega * scale;
        omega.dot(inertia.tensor * omega)
    };
    let [before, after] = [before, after].map(twice_energy);
    if after > S::ZERO { (before / after).sqrt() } else { S::ONE }
}

/// How a body touches others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// Not at all.
    None,
    /// With corners, edges and faces.
    Still,
    /// Where one of the two may roll on the other.
    Rolling,
}

/// Whether a body of this angular velocity turns so far in a step that its inertia is of another attitude then.
///
/// Contacts press on arms of now: with the inertia of another attitude a capsule that turns on a floor would begin to roll. So what touches
/// something counts as fast much sooner, and what may roll at once: a coin that goes round a circle would gain a part of its energy in each of
/// its turns.
fn is_fast<S: Scalar>(omega: Vec3<S>, touch: Touch, settings: &Settings<S>) -> bool {
    let exponent = match touch {
        Touch::Rolling if settings.continuous => -10,
        Touch::Still if settings.continuous => -5,
        _ => -2,
    };
    omega.taxicab_length() * settings.step_seconds > S::ONE.scale_by_power_of_two(exponent)
}

/// Whether a body that touches something precesses by more than 4e-6 rad in a step: its angular momentum has another direction than its
/// angular velocity. What lies on a turning table would creep out or in by half a millimetre a second with the inertia of the step's start.
fn is_carried_round<S: Scalar>(precession: Vec3<S>, touch: Touch, settings: &Settings<S>) -> bool {
    touch == Touch::Still
        && settings.continuous
        && precession.taxicab_length() * settings.step_seconds > S::ONE.scale_by_power_of_two(-18)
}

impl<S: Scalar> Motion<S> {
    /// Lets the inertia of bodies that a torque or one of these joints turns all along follow them in every substep of this step, however
    /// slowly they turn: with an older one a push would change the angular momentum by more or less than itself.
    pub fn follow_driven(&mut self, joined: impl Iterator<Item = usize>) {
        for body in joined {
            if let Some(number) = self.unequal_number(body) {
                self.unequal[number].is_driven = true;
                self.unequal[number].is_joined = true;
            }
        }
        for unequal in &mut self.unequal {
            unequal.is_driven |= self.torque[unequal.body] != Vec3::ZERO;
            if unequal.is_driven {
                unequal.since = Some(S::ZERO);
            }
        }
    }

    /// Takes down that a body touches something as the step begins.
    pub fn note_touch(&mut self, body: usize, touch: Touch) {
        if let Some(number) = self.unequal_number(body) {
            let known = &mut self.unequal[number].touch;
            *known = touch.max(*known);
        }
    }

    /// Finds how those of them that a torque turns, or that turn fast, go on turning from the angular velocities with which they are about
    /// to move.
    pub fn look_at_driven(&mut self, bodies: &mut Bodies<S>, settings: &Settings<S>) {
        for number in 0..self.unequal.len() {
            let Unequal { body, omega, since, is_driven, .. } = self.unequal[number];
            let now = bodies.angular_velocity[body];
            let is_worth_it = is_fast(now, Touch::None, settings) || self.torque[body] != Vec3::ZERO;
            if is_driven && since == Some(S::ZERO) && now != omega && is_worth_it {
                self.look_at(number, bodies, (bodies.orientation[body], S::ZERO), settings);
            }
        }
    }

    /// Gives bodies that turn fast the inertia of this substep's start, not of the step's: over a step theirs would be of
    /// another attitude altogether.
    pub fn follow_fast_turns(&mut self, bodies: &mut Bodies<S>, settings: &Settings<S>, substep: u32) {
        for number in 0..self.unequal.len() {
            let Unequal { body, since, touch, ref free, .. } = self.unequal[number];
            let is_round = is_carried_round(free.precession, touch, settings);
            if since.is_some() || is_round || is_fast(bodies.angular_velocity[body], touch, settings) {
                if substep > 0 {
                    bodies.angular_velocity[body] = self.unequal[number].carried(bodies, settings);
                }
                self.look_at(number, bodies, (bodies.orientation[body], S::ZERO), settings);
            }
        }
    }

    /// Gives a body of unequal moments the angular velocity and the inertia that it has `time` seconds after the start of the
    /// substep, and a start from where it would have come with them; whether it turns enough for that to matter.
    ///
    /// The path on which events are looked for turns at the mean rate of all that is left of the substep. A body that turns at
    /// the mean rate until `time` strays from it by up to an eighth of the square of the angle of that turn. Where that is more
    /// than 2^-12 rad it stays on the path, for what strays may be on the other side of what it was about to meet; its angular
    /// momentum is carried there.
    pub fn follow_turn(&mut self, bodies: &mut Bodies<S>, body: usize, time: S, settings: &Settings<S>) -> bool {
        let Some(number) = self.unequal_number(body) else { return false };
        let turn = bodies.angular_velocity[body].taxicab_length() * settings.step_seconds;
        if turn <= S::ONE.scale_by_power_of_two(-10) {
            return false;
        }
        if self.unequal[number].since.is_none() {
            // Not what its free turn ends with: that is at the end of the step.
            let now = bodies.orientation[body];
            bodies.angular_velocity[body] = self.unequal[number].carried_to(bodies, now, settings);
            self.look_at(number, bodies, (bodies.orientation[body], S::ZERO), settings);
        }
        let Unequal { since, ref rotation, .. } = self.unequal[number];
        let since = since.unwrap_or(S::ZERO);
        if time <= since {
            return false;
        }
        let omega = bodies.angular_velocity[body];
        let whole = omega + self.precession[body];
        let before = turned(bodies.orientation[body], whole * since, settings.rotation);
        let span = Span::Seconds(time - since);
        let free = FreeTurn::new(&bodies.inertia[body], rotation.to_body(omega), settings, span);
        let mean = omega + rotation.to_world(free.precession);
        let strayed = (whole - mean) * (time - since);
        let stays_on_path = strayed.taxicab_length() > S::ONE.scale_by_power_of_two(-12);
        let mean = if stays_on_path { whole } else { mean };
        let there = turned(before, mean * (time - since), settings.rotation);
        let (there, nudge) = if stays_on_path && free.end.is_some() {
            self.unequal[number].turned_to_energy(bodies, there, settings)
        } else {
            (there, Vec3::ZERO)
        };
        if let Some(end) = free.end {
            bodies.angular_velocity[body] = if stays_on_path {
                self.unequal[number].carried_to(bodies, there, settings)
            } else {
                FineRotation::new(there).to_world(end)
            };
        }
        self.delta_rotation[body] += omega * since + mean * (time - since) + nudge;
        self.look_at(number, bodies, (there, time), settings);
        true
    }

    /// Whether a body of unequal moments has turned so far since its last look, `time` seconds after the start of the substep, that
    /// its angular velocity should be looked at again.
    pub fn turns_far(&self, bodies: &Bodies<S>, body: usize, time: S) -> bool {
        let Some(number) = self.unequal_number(body) else { return false };
        let since = self.unequal[number].since.unwrap_or(S::ZERO);
        bodies.angular_velocity[body].taxicab_length() * (time - since) > S::ONE.scale_by_power_of_two(-3)
    }

    /// Finds the inertia of a body at an orientation that it has `time` seconds after the start of the substep, how it
    /// turns freely from then on, and the orientation from which it would come there.
    fn look_at(&mut self, number: usize, bodies: &mut Bodies<S>, (there, time): (Quat<S>, S), settings: &Settings<S>) {
        let body = self.unequal[number].body;
        let inertia = &bodies.inertia[body];
        let inverse = inertia.inverse.rotated(there.to_matrix());
        self.inverse_inertia[body] =
            inverse.map(|entry| entry.scale_by_power_of_two(inertia.length_exponent.saturating_mul(-2)));
        if self.torque[body] != Vec3::ZERO {
            let inverse_mass = bodies.inverse_mass[body];
            let per_mass = self.torque[body].map(|component| inverse_mass.apply(component));
            self.angular_acceleration[body] = self.inverse_inertia[body] * per_mass;
        }
        let span = if time > S::ZERO { Span::Seconds(settings.substep_seconds - time) } else { Span::Substeps(1) };
        let Unequal { is_driven, is_joined, touch, .. } = self.unequal[number];
        let anew = Unequal::at(body, bodies, there, settings, span, Some(time));
        self.unequal[number] = Unequal { is_driven, is_joined, touch, ..anew };
        self.precession[body] = self.unequal[number].precession();
        if time > S::ZERO {
            // Paths within the substep run at the angular velocity alone: so do the ways that they start from.
            let omega = bodies.angular_velocity[body];
            self.delta_rotation[body] -= omega * time;
            bodies.orientation[body] = turned(there, -(omega + self.precession[body]) * time, settings.rotation);
        }
    }

    /// Turns a body so that with its new angular velocity it has, `time` seconds after the start of the substep, the
    /// orientation that it would have had with the `old` one.
    ///
    /// Where it was looked at within two moments of that, as all is that happens at once, it is turned anew from there: the blow was
    /// found with the inertia that it had then, and with another its energy would not be what the blow left.
    pub(super) fn turn_anew(
        &mut self,
        bodies: &mut Bodies<S>,
        body: usize,
        old: Vec3<S>,
        time: S,
        settings: &Settings<S>,
    ) {
        let precession = self.precession[body];
        let looked_at = self.unequal_number(body).and_then(|number| self.unequal[number].since);
        let time = looked_at.filter(|&since| (since - time).abs() <= settings.moment() * S::TWO).unwrap_or(time);
        let there = turned(bodies.orientation[body], (old + precession) * time, settings.rotation);
        self.delta_rotation[body] += old * time;
        let new = bodies.angular_velocity[body];
        let turns = new.taxicab_length() * settings.substep_seconds > S::ONE.scale_by_power_of_two(-10);
        match self.unequal_number(body) {
            Some(number) if turns || self.unequal[number].since.is_some() => {
                self.look_at(number, bodies, (there, time), settings);
            }
            _ => {
                self.delta_rotation[body] -= new * time;
                bodies.orientation[body] = turned(there, -(new + precession) * time, settings.rotation);
            }
        }
    }

    /// Gives bodies that touch something, and that no joint holds, the angular velocities that they have in the middle of the substep on
    /// their free turn, as that is when contacts are to hold.
    ///
    /// Those that are looked at once in a step have their share of what the step's end adds in one: with all of it in every substep, the
    /// impulses of the others would add energy.
    pub fn add_precession(&mut self, bodies: &mut Bodies<S>, settings: &Settings<S>) {
        let share = S::ONE / S::from_i32(i32::try_from(settings.solver.substeps).unwrap_or(i32::MAX));
        for unequal in self.unequal.iter_mut().filter(|unequal| unequal.touch != Touch::None && !unequal.is_joined) {
            let (omega, precession) = (&mut bodies.angular_velocity[unequal.body], self.precession[unequal.body]);
            let added = if unequal.since.is_some() { precession } else { precession * share };
            (unequal.without, unequal.added) = (*omega, added);
            *omega += added;
        }
    }

    /// Takes that back. What nothing has changed has the very bits that it had before.
    pub fn take_back_precession(&self, bodies: &mut Bodies<S>) {
        for unequal in self.unequal.iter().filter(|unequal| unequal.touch != Touch::None && !unequal.is_joined) {
            let omega = &mut bodies.angular_velocity[unequal.body];
            let is_untouched = *omega == unequal.without + unequal.added;
            *omega = if is_untouched { unequal.without } else { *omega - unequal.added };
        }
    }

    /// Whether the inertia of a body is that of this substep's start, not of the step's.
    #[must_use]
    pub fn is_followed(&self, body: usize) -> bool {
        self.unequal_number(body).is_some_and(|number| self.unequal[number].since.is_some())
    }

    /// Takes down with which angular velocities bodies of unequal moments have just moved.
    pub fn note_spins(&mut self, bodies: &Bodies<S>) {
        for unequal in &mut self.unequal {
            unequal.moved_at = bodies.angular_velocity[unequal.body];
        }
    }

    /// Takes down how far corrections have turned them: by what they have lost of those velocities. What loses more than 1/128 rad in a substep
    /// is no correction, which turns slowly, but a blow that the rows have taken up.
    pub fn note_corrections(&mut self, bodies: &Bodies<S>, settings: &Settings<S>) {
        for unequal in &mut self.unequal {
            let by_correction = unequal.moved_at - bodies.angular_velocity[unequal.body];
            let turn = by_correction.mul_fraction(settings.substep);
            if turn.taxicab_length() <= S::ONE.scale_by_power_of_two(-7) {
                unequal.corrected += turn;
            }
        }
    }

    /// Carries the angular momentum of bodies with unequal moments of inertia over to their new orientation.
    pub fn carry_angular_momentum(&self, bodies: &mut Bodies<S>, settings: &Settings<S>) {
        for unequal in &self.unequal {
            let body = unequal.body;
            let turned = self.delta_rotation[body] != Vec3::ZERO;
            if turned && bodies.angular_velocity[body] != Vec3::ZERO {
                bodies.angular_velocity[body] = unequal.carried(bodies, settings);
            }
        }
    }

    /// The place of a body among those of unequal moments.
    fn unequal_number(&self, body: usize) -> Option<usize> {
        self.unequal_place.get(body).map(|&place| place as usize).filter(|&place| place < self.unequal.len())
    }
}
