//! What the start of a step foretells of it: what has room enough between it and all that strays from that need not be asked.

use crate::dynamics::body::Bodies;
use crate::dynamics::collider::Colliders;
use crate::dynamics::integrator::Motion;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::open::carried_along;
use crate::dynamics::solver::refresh::small_turn;
use crate::dynamics::solver::strikes::slowest_strike;
use crate::math::{Scalar, Vec3};
use crate::parallel::Executor;

/// Bodies that one thread follows in a row, at some 5 to 20 ns each.
const BODIES_AT_ONCE: usize = 1024;

/// How each body moves by what the start of the step foretells, and how far it strays from that.
#[derive(Clone, Debug)]
pub(super) struct Foretold<S> {
    /// Velocities at the start of the step, m/s.
    velocity: Vec<Vec3<S>>,
    /// Angular velocities then, with precession, rad/s.
    spin: Vec<Vec3<S>>,
    /// How far turning can carry any surface of the body, metres per radian.
    reach: Vec<S>,
    /// How far any point of the body can stray in the present substep from where it was foretold to be, metres.
    stray: Vec<S>,
    /// Whether the body moves and turns so little that nothing strikes between two such in the present substep.
    is_calm: Vec<bool>,
}

impl<S> Default for Foretold<S> {
    fn default() -> Self {
        Self { velocity: Vec::new(), spin: Vec::new(), reach: Vec::new(), stray: Vec::new(), is_calm: Vec::new() }
    }
}

impl<S: Scalar> Foretold<S> {
    /// Takes down how the bodies move at the start of a step.
    pub(super) fn begin_step(&mut self, bodies: &Bodies<S>, colliders: &Colliders<S>, motion: &Motion<S>) {
        self.velocity.clone_from(&bodies.linear_velocity);
        self.spin.clear();
        self.spin.extend(bodies.angular_velocity.iter().zip(&motion.precession).map(|(spin, more)| *spin + *more));
        self.stray.clear();
        self.stray.resize(bodies.len(), S::ZERO);
        self.is_calm.clear();
        self.is_calm.resize(bodies.len(), false);
        self.reach.clear();
        self.reach.resize(bodies.len(), S::ZERO);
        // Bodies ascend by id, and colliders by the ids of theirs.
        let mut body = 0;
        for (key, &reach) in colliders.key.iter().zip(&colliders.reach) {
            while bodies.id.get(body).is_some_and(|&id| id < key.body) {
                body += 1;
            }
            if let Some(most) = self.reach.get_mut(body) {
                *most = most.max(reach);
            }
        }
    }

    /// Finds for every body how far it strays, and whether it is calm, in a substep that begins `elapsed` seconds after the start of the
    /// step.
    pub(super) fn follow_all(
        &mut self,
        bodies: &Bodies<S>,
        motion: &Motion<S>,
        (elapsed, settings): (S, &Settings<S>),
        executor: &mut Executor,
    ) {
        let slowest = slowest_strike(settings);
        let mut found = (std::mem::take(&mut self.stray), std::mem::take(&mut self.is_calm));
        let columns = (&mut found.0[..], &mut found.1[..]);
        executor.for_each_part(BODIES_AT_ONCE, columns, |first, (strays, are_calm)| {
            for (body, (stray, is_calm)) in (first..).zip(strays.iter_mut().zip(are_calm)) {
                *stray = self.stray_of(body, bodies, motion, [elapsed, settings.substep_seconds]);
                *is_calm = self.is_calm_now(body, bodies, motion, [settings.substep_seconds, slowest]);
            }
        });
        (self.stray, self.is_calm) = found;
    }

    /// Whether a body moves and turns so little that nothing strikes between two such, and the rows of their contacts stay true, until
    /// the end of the substep of length `h`, in seconds; up to the speed `slowest`, in m/s, nothing strikes.
    fn is_calm_now(&self, body: usize, bodies: &Bodies<S>, motion: &Motion<S>, [h, slowest]: [S; 2]) -> bool {
        let spin = bodies.angular_velocity[body].taxicab_length();
        let gain = motion.linear_acceleration[body].taxicab_length()
            + motion.angular_acceleration[body].taxicab_length() * self.reach[body];
        let speed = bodies.linear_velocity[body].taxicab_length() + spin * self.reach[body] + gain * h * S::HALF;
        // Of each body less than half of what strikes, by more than any rounding.
        let is_slow = speed + speed <= slowest - slowest.scale_by_power_of_two(-4);
        is_slow & (spin * h <= small_turn::<S>() * S::HALF)
    }

    /// Whether nothing strikes between these bodies.
    #[inline(always)]
    pub(super) fn are_calm(&self, bodies: [u32; 2]) -> bool {
        bodies.iter().all(|&body| self.is_calm[body as usize])
    }

    /// Finds how far a body strays, `elapsed` seconds after the start of the step and until `ahead` seconds later.
    ///
    /// A turn that is foretold by no more than a radian, or that strays by no less, carries a point by up to two and a half times
    /// the length of its arm for each radian that it strays ([`carried_along`]).
    pub(super) fn follow(&mut self, body: usize, bodies: &Bodies<S>, motion: &Motion<S>, times: [S; 2]) {
        self.stray[body] = self.stray_of(body, bodies, motion, times);
    }

    #[inline(always)]
    fn stray_of(&self, body: usize, bodies: &Bodies<S>, motion: &Motion<S>, [elapsed, ahead]: [S; 2]) -> S {
        let (velocity, spin) = (self.velocity[body], self.spin[body]);
        let way = motion.delta_position[body] - velocity * elapsed;
        let turn = motion.delta_rotation[body] - spin * elapsed;
        let gain = bodies.linear_velocity[body] - velocity;
        let spin_gain = bodies.angular_velocity[body] + motion.precession[body] - spin;
        let turned = turn.taxicab_length() + spin_gain.taxicab_length() * ahead;
        let carried = turned * (S::TWO + S::HALF) * self.reach[body];
        way.taxicab_length() + gain.taxicab_length() * ahead + carried
    }

    /// How far a point of a body, `reach` metres from its middle, moves within `time` seconds of the start of the step if the body goes on
    /// as foretold, metres, at most.
    pub(super) fn way(&self, body: usize, reach: S, time: S) -> S {
        (self.velocity[body].taxicab_length() + self.spin[body].taxicab_length() * reach) * time
    }

    /// Whether two bodies stray together by less than this, metres.
    #[inline(always)]
    pub(super) fn holds(&self, [a, b]: [u32; 2], leeway: S) -> bool {
        self.stray[a as usize] + self.stray[b as usize] < leeway
    }

    /// How much nearer two shapes come within `time` seconds of the start of the step, at most, if both bodies go on as foretold,
    /// metres: along this unit direction from the first to the second, along any where it is zero.
    pub(super) fn approach(&self, bodies: [u32; 2], reach: [S; 2], normal: Vec3<S>, time: S) -> S {
        let [a, b] = bodies.map(|body| body as usize);
        let velocity = self.velocity[b] - self.velocity[a];
        let speed = if normal == Vec3::ZERO { velocity.taxicab_length() } else { (-normal.dot(velocity)).max(S::ZERO) };
        let carried = |body: usize, reach: S| carried_along(normal, Vec3::ZERO, self.spin[body] * time) * reach;
        speed * time + carried(a, reach[0]) + carried(b, reach[1])
    }
}

#[cfg(test)]
mod tests {
    use super::Foretold;
    use crate::dynamics::body::Bodies;
    use crate::dynamics::integrator::Motion;
    use crate::dynamics::solver::refresh::turn_of_rows;
    use crate::dynamics::solver::strikes::is_worth_a_strike;
    use crate::math::{Fixed, Scalar, SplitMix64, Vec3};

    fn vector<S: Scalar>(random: &mut SplitMix64, size: f64) -> Vec3<S> {
        Vec3::from_array([(); 3].map(|()| S::from_ratio((random.between(-size, size) * 1e9) as i64, 1_000_000_000)))
    }

    /// Points of two bodies, each within its reach, never strike along any direction where both are calm; and others do.
    fn nothing_strikes_between_calm_bodies<S: Scalar>() {
        let mut random = SplitMix64::new(23);
        let (h, slowest) = (S::from_ratio(1, 240), S::from_ratio(1, 4));
        let (mut calm, mut strikes) = (0, 0);
        for case in 0..20_000 {
            let reach = [0.5, 0.1, 0.002][case % 3];
            let [speed, spin] = [random.between(0.0, 0.2), random.between(0.0, 0.2) / reach];
            let [push, twist] = [random.between(0.0, 60.0), random.between(0.0, 20.0)];
            // In one direction, or in any.
            let is_aligned = case.is_multiple_of(2);
            let two = |random: &mut SplitMix64, size: f64| {
                let component = |v: Vec3<S>| if is_aligned { Vec3::X * v.x } else { v };
                [(); 2].map(|()| component(vector(random, size))).to_vec()
            };
            let bodies = Bodies {
                linear_velocity: two(&mut random, speed),
                angular_velocity: two(&mut random, spin),
                ..Bodies::default()
            };
            let mut motion = Motion::default();
            motion.linear_acceleration = two(&mut random, push);
            motion.angular_acceleration = two(&mut random, twist);
            let Some(normal) = two(&mut random, 1.0)[0].direction() else { continue };
            let arms = [vector::<S>(&mut random, reach), vector(&mut random, reach)];
            let foretold = Foretold { reach: arms.iter().map(|arm| arm.length()).collect(), ..Foretold::default() };
            let along = |linear: &[Vec3<S>], angular: &[Vec3<S>]| {
                let of = |side: usize| linear[side] + angular[side].cross(arms[side]);
                normal.dot(of(1) - of(0))
            };
            let speed = along(&bodies.linear_velocity, &bodies.angular_velocity);
            let gain = along(&motion.linear_acceleration, &motion.angular_acceleration);
            let turn = bodies.angular_velocity.iter().fold(S::ZERO, |sum, spin| sum + spin.taxicab_length()) * h;
            let may_strike = is_worth_a_strike(speed, gain, h, slowest) || turn > turn_of_rows();
            let are_calm = (0..2).all(|body| foretold.is_calm_now(body, &bodies, &motion, [h, slowest]));
            assert!(!(are_calm && may_strike), "{} case {case}: {speed} m/s, {gain} m/s^2", S::KIND);
            calm += u32::from(are_calm);
            strikes += u32::from(may_strike);
        }
        assert!(calm > 500 && strikes > 500, "{}: {calm} calm, {strikes} strike", S::KIND);
    }

    #[test]
    fn what_is_calm_strikes_nothing() {
        nothing_strikes_between_calm_bodies::<Fixed>();
        nothing_strikes_between_calm_bodies::<f32>();
        nothing_strikes_between_calm_bodies::<f64>();
    }
}
