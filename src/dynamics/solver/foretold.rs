//! What the start of a step foretells of it: a body that goes on nearly as it did need not be asked about what is far from it.

use crate::dynamics::body::Bodies;
use crate::dynamics::integrator::Motion;
use crate::dynamics::solver::open::carried_along;
use crate::math::{Scalar, Vec3};

/// How each body moves by what the start of the step foretells, and whether it has kept to that so far.
#[derive(Clone, Debug)]
pub(super) struct Foretold<S> {
    /// Velocities at the start of the step, m/s.
    velocity: Vec<Vec3<S>>,
    /// Angular velocities then, with precession, rad/s.
    spin: Vec<Vec3<S>>,
    /// Whether the body is where it was foretold to be, and moves as foretold, but for the [`tolerance`].
    holds: Vec<bool>,
}

impl<S> Default for Foretold<S> {
    fn default() -> Self {
        Self { velocity: Vec::new(), spin: Vec::new(), holds: Vec::new() }
    }
}

impl<S: Scalar> Foretold<S> {
    /// Takes down how the bodies move at the start of a step.
    pub(super) fn begin_step(&mut self, bodies: &Bodies<S>, motion: &Motion<S>) {
        self.velocity.clone_from(&bodies.linear_velocity);
        self.spin.clear();
        self.spin.extend(bodies.angular_velocity.iter().zip(&motion.precession).map(|(spin, more)| *spin + *more));
        self.holds.clear();
        self.holds.resize(self.velocity.len(), true);
    }

    /// Finds whether a body keeps to what was foretold, `elapsed` seconds after the start of the step.
    #[inline(always)]
    pub(super) fn follow(&mut self, body: usize, bodies: &Bodies<S>, motion: &Motion<S>, elapsed: S) {
        let (velocity, spin) = (self.velocity[body], self.spin[body]);
        let way = motion.delta_position[body] - velocity * elapsed;
        let turn = motion.delta_rotation[body] - spin * elapsed;
        let gain = bodies.linear_velocity[body] - velocity;
        let spin_gain = bodies.angular_velocity[body] + motion.precession[body] - spin;
        let (tolerance, drift) = (tolerance::<S>(), tolerance::<S>() * elapsed);
        self.holds[body] = (way.taxicab_length() <= drift)
            & (turn.taxicab_length() <= drift)
            & (gain.taxicab_length() <= tolerance)
            & (spin_gain.taxicab_length() <= tolerance);
    }

    /// Whether two bodies keep to what was foretold.
    #[inline(always)]
    pub(super) fn holds(&self, [a, b]: [u32; 2]) -> bool {
        self.holds[a as usize] & self.holds[b as usize]
    }

    /// How much nearer two shapes can come within `time` seconds of the start of the step while both bodies keep to what was
    /// foretold, metres: along this unit direction from the first to the second, along any where it is zero.
    pub(super) fn approach(&self, bodies: [u32; 2], reach: [S; 2], normal: Vec3<S>, time: S) -> S {
        let [a, b] = bodies.map(|body| body as usize);
        let velocity = self.velocity[b] - self.velocity[a];
        let speed = if normal == Vec3::ZERO { velocity.taxicab_length() } else { (-normal.dot(velocity)).max(S::ZERO) };
        let strayed = tolerance::<S>() * time;
        let carried = |body: usize, reach: S| {
            (carried_along(normal, Vec3::ZERO, self.spin[body] * time) + strayed * (S::TWO + S::HALF)) * reach
        };
        speed * time + strayed * S::TWO + carried(a, reach[0]) + carried(b, reach[1])
    }
}

/// By how much a velocity may differ from what was foretold, in m/s and rad/s: more than gravity changes it in a step.
fn tolerance<S: Scalar>() -> S {
    S::HALF * S::HALF
}
