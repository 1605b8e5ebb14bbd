//! The ball and socket: three rows that hold a point of each body together, solved as one block.
//!
//! Arms `r` from the centres of mass to the two points, `C = x_B + r_B - x_A - r_A`, and `J v = v_B + w_B x r_B - v_A - w_A x r_A`.
//! Over the reduced mass of both bodies, the block is `K = 1 + sum of s_i [r_i] (m_i I_i^-1) [r_i]^T` with the bodies' shares `s_i`
//! of the push, together 1 (E. Catto, 2009, Modeling and Solving Constraints). So it is at least the identity.
//!
//! Where the points will be at the end of a substep is not `C + h J v`: arms move on arcs. What the arc adds, `(R r - r)/h - w x r`,
//! is known beforehand but for what the joint itself turns in the substep, and stands in the rows. With it the impulse acts
//! along the arm of the start and the points meet at the end, as in SHAKE (J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen,
//! 1977); without it the solver would take the part `(w h)^2 / 2` of the speed of whatever swings in every substep.

use crate::dynamics::joint::{Joint, WORLD};
use crate::dynamics::settings::Softness;
use crate::dynamics::solver::joints::JointSources;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::passes::VelocityPass;
use crate::math::{LdlFactors, Quat, Scalar, SymMat3, Vec3};

/// The rows of one ball and socket.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SphericalRows<S> {
    /// From the centres of mass to the two points at the start of the substep, world axes, metres.
    pub arms: [Vec3<S>; 2],
    /// Angular velocity per unit of angular impulse, of both bodies, 1/m^2.
    pub response: [SymMat3<S>; 2],
    /// What gives the impulse for a speed.
    pub inverse: LdlFactors<S>,
    /// From the first point to the second at the start of the substep, metres.
    pub separation: Vec3<S>,
    /// What the arcs of the arms add to the speed of the second point against the first, m/s.
    pub arc: Vec3<S>,
    /// Impulse of the substep on the second body, m/s, world frame.
    pub impulse: Vec3<S>,
    /// Impulses of all substeps so far, m/s.
    pub total: Vec3<S>,
}

/// One end of a joint.
struct End<S> {
    /// The centre of mass of its body, or the point of the world.
    centre: Vec3<S>,
    arm: Vec3<S>,
    arc: Vec3<S>,
    response: SymMat3<S>,
}

impl<S: Scalar> SphericalRows<S> {
    /// Writes everything but impulses for where the bodies are now.
    pub(super) fn write(
        &mut self,
        joint: &Joint<S>,
        (bodies, inverse_mass): ([u32; 2], [S; 2]),
        sources: (JointSources<'_, S>, &[Quat<S>]),
    ) {
        let a = End::new(bodies[0], joint.anchor_a, inverse_mass[0], sources);
        let b = End::new(bodies[1], joint.anchor_b, inverse_mass[1], sources);
        self.arms = [a.arm, b.arm];
        self.response = [a.response, b.response];
        self.separation = (b.centre - a.centre) + (b.arm - a.arm);
        self.arc = b.arc - a.arc;
        self.inverse = LdlFactors::ZERO;
        if inverse_mass != [S::ZERO; 2] {
            let block = SymMat3::IDENTITY + response(a.arm, &a.response) + response(b.arm, &b.response);
            self.inverse = LdlFactors::new(block).unwrap_or(LdlFactors::ZERO);
        }
    }

    /// `J v`: the speed of the second point against the first.
    #[inline(always)]
    pub(super) fn relative(&self, motion: &PairMotion<S>) -> Vec3<S> {
        let point = |side: usize| motion.linear[side] + motion.angular[side].cross(self.arms[side]);
        point(1) - point(0)
    }

    /// Applies an impulse to both bodies.
    #[inline(always)]
    pub(super) fn apply(&self, motion: &mut PairMotion<S>, inverse_mass: [S; 2], impulse: Vec3<S>) {
        motion.linear[0] -= impulse * inverse_mass[0];
        motion.linear[1] += impulse * inverse_mass[1];
        motion.angular[0] -= self.response[0] * self.arms[0].cross(impulse);
        motion.angular[1] += self.response[1] * self.arms[1].cross(impulse);
    }

    /// Brings the points together at the end of the substep, as the pass says; the largest change of a speed, m/s.
    #[inline(always)]
    pub(super) fn solve(
        &mut self,
        motion: &mut PairMotion<S>,
        inverse_mass: [S; 2],
        soft: &Softness<S>,
        pass: VelocityPass,
    ) -> S {
        let speed = self.relative(motion) + self.arc;
        let change = match pass {
            VelocityPass::Correct => match bias(self.separation, soft) {
                Bias::Spring(bias) => {
                    let wanted = self.inverse.solve(speed + bias);
                    -(wanted * soft.mass_scale + self.impulse * soft.impulse_scale)
                }
                Bias::Fastest(bias) => -self.inverse.solve(speed + bias),
            },
            VelocityPass::Relax => -self.inverse.solve(speed),
        };
        self.impulse += change;
        self.apply(motion, inverse_mass, change);
        change.taxicab_length() * inverse_mass[0].max(inverse_mass[1])
    }

    /// Takes the part `beta` of what parts the points out of the displacements of both bodies since the start of the step.
    pub(super) fn project(&self, moved: &mut PairMotion<S>, inverse_mass: [S; 2], beta: S) {
        let separation = self.separation + self.relative(moved);
        self.apply(moved, inverse_mass, -(self.inverse.solve(separation) * beta));
    }
}

impl<S: Scalar> End<S> {
    /// The end of a joint at a body, of which it is known how it will be turned at the end of the substep.
    fn new(body: u32, anchor: Vec3<S>, inverse_mass: S, (sources, ends): (JointSources<'_, S>, &[Quat<S>])) -> Self {
        if body == WORLD {
            return Self { centre: anchor, arm: Vec3::ZERO, arc: Vec3::ZERO, response: SymMat3::ZERO };
        }
        let JointSources { bodies, motion, settings } = sources;
        let body = body as usize;
        let arm = bodies.orientation[body].rotate(anchor);
        let arc = if sources.spin(body) == Vec3::ZERO {
            Vec3::ZERO
        } else {
            (ends[body].rotate(anchor) - arm) * settings.rate - bodies.angular_velocity[body].cross(arm)
        };
        let response = motion.inverse_inertia[body].map(|entry| entry * inverse_mass);
        Self { centre: bodies.position[body], arm, arc, response }
    }
}

/// What the turning of one body adds to the block of its joint: `[r] M [r]^T`, entry by entry `(r x e_i) . M (r x e_j)`.
fn response<S: Scalar>(arm: Vec3<S>, response: &SymMat3<S>) -> SymMat3<S> {
    let Vec3 { x, y, z } = arm;
    let across = [Vec3::new(S::ZERO, z, -y), Vec3::new(-z, S::ZERO, x), Vec3::new(y, -x, S::ZERO)];
    let [of_x, of_y, of_z] = across.map(|across| *response * across);
    SymMat3 {
        xx: across[0].dot(of_x),
        yy: across[1].dot(of_y),
        zz: across[2].dot(of_z),
        xy: across[0].dot(of_y),
        xz: across[0].dot(of_z),
        yz: across[1].dot(of_z),
    }
}

/// The speed at which points are brought together.
enum Bias<S> {
    /// That of the spring, which yields.
    Spring(Vec3<S>),
    /// The largest one that a correction may cause. It does not yield: a spring that gives back a part of what it bears, and
    /// may not pull as fast as that needs, would give way for ever.
    Fastest(Vec3<S>),
}

/// The speed at which a spring brings the points together, no faster than it may.
#[inline(always)]
fn bias<S: Scalar>(separation: Vec3<S>, soft: &Softness<S>) -> Bias<S> {
    let bias = separation * soft.bias_rate;
    if bias.taxicab_length() <= soft.push_speed {
        return Bias::Spring(bias);
    }
    let length = bias.length();
    if length > soft.push_speed { Bias::Fastest(bias * (soft.push_speed / length)) } else { Bias::Spring(bias) }
}
