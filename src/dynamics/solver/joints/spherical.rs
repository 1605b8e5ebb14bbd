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
//!
//! That keeps energy and angular momentum as long as the points do meet. The spring of a soft joint gives way under what keeps a spinning
//! body on its circle, so that its impulse no longer points along the arm, and wins or loses energy: where a body spins the joint is rigid,
//! and finds the arcs in rounds (`Solve::aim_at_arcs`).
//!
//! Everything here works on lanes, without closures, which are not compiled for the vectors.

use crate::dynamics::settings::Softness;
use crate::dynamics::solver::answers::{LEVER, SHORT, STIFF, UNIT};
use crate::dynamics::solver::joints::JointPass;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::math::lanes::{Block, Lanes, Watch};
use crate::math::{LdlFactors, Mat3, Scalar, SymMat3, Vec3};

/// Up to here a place is near enough the origin for lanes of small numbers, metres.
const FAR: u32 = 1 << 17;

/// From which angle of a substep on a body counts as spinning, radians. Slower ones win or lose some 1e-5 of their energy a second.
pub(super) fn spins_from<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-6)
}

/// From which part of the longer arm on points are too far apart for a rigid joint. One that bears more than a pass can settle, as the knot of
/// a net does that holds a hundred others, whirls its light body about until nothing holds it any more.
fn open_from<S: Scalar>() -> S {
    S::ONE.scale_by_power_of_two(-6)
}

/// The rows of one ball and socket, or of several side by side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SphericalRows<T> {
    /// From the centres of mass to the two points at the start of the substep, world axes, metres.
    pub arms: [Vec3<T>; 2],
    /// Angular velocity per unit of angular impulse, of both bodies, 1/m^2.
    pub response: [SymMat3<T>; 2],
    /// What gives the impulse for a speed.
    pub inverse: LdlFactors<T>,
    /// From the first point to the second at the start of the substep, metres.
    pub separation: Vec3<T>,
    /// What the arcs of the arms add to the speed of the second point against the first, m/s.
    pub arc: Vec3<T>,
    /// How far the faster of the two bodies spins in the substep: the sum of the components of a rotation vector, radians. Zero where the
    /// points are so far apart that the joint is not to be rigid.
    pub spin: T,
    /// Impulse of the substep on the second body, m/s, world frame.
    pub impulse: Vec3<T>,
    /// Impulses of all substeps so far, m/s.
    pub total: Vec3<T>,
}

/// One end of a joint: where its body is, and how it moves and answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct End<L: Lanes> {
    /// The centre of mass of the body, or the point of the world.
    pub(super) centre: Vec3<L>,
    /// From the centre of mass to the point, body axes; zero for the world.
    pub(super) anchor: Vec3<L>,
    /// The rotation at the start of the substep, and at its end if nothing acts on the body.
    pub(super) rotations: [Mat3<L>; 2],
    /// Whether these differ.
    pub(super) turns: L::Mask,
    /// The angular velocity, rad/s.
    pub(super) omega: Vec3<L>,
    /// Mass times inverse inertia, world frame, 1/m^2.
    pub(super) inverse_inertia: SymMat3<L>,
    /// Linear velocity per unit of impulse.
    pub(super) inverse_mass: L,
}

impl<S: Scalar> SphericalRows<Block<S>> {
    /// Those of one lane.
    #[must_use]
    pub fn in_lane(&self, lane: usize) -> SphericalRows<S> {
        SphericalRows {
            arms: [self.arms[0].at(lane), self.arms[1].at(lane)],
            response: [self.response[0].at(lane), self.response[1].at(lane)],
            inverse: self.inverse.at(lane),
            separation: self.separation.at(lane),
            arc: self.arc.at(lane),
            spin: self.spin.0[lane],
            impulse: self.impulse.at(lane),
            total: self.total.at(lane),
        }
    }

    /// Writes everything but impulses for the ends of the lanes from `at` on; of the substep one over its length is known, 1/s, and that; and which
    /// joints may be rigid.
    #[inline(always)]
    pub(super) fn write<L: Lanes<Scalar = S>>(
        &mut self,
        at: usize,
        [a, b]: &[End<L>; 2],
        ([rate, seconds], may_be_rigid): ([S; 2], L::Mask),
        watch: &mut Watch<L>,
    ) {
        let rate = L::splat(rate);
        a.show(watch);
        b.show(watch);
        let arms = [a.arm(), b.arm()];
        let arcs = [a.arc(arms[0], rate), b.arc(arms[1], rate)];
        let responses = [a.response(), b.response()];
        let inverse_mass = [a.inverse_mass, b.inverse_mass];
        for side in 0..2 {
            self.arms[side].set(at, arms[side]);
            self.response[side].set(at, responses[side]);
            watch.see_vector_within(SHORT, arms[side]);
            watch.see_matrix(responses[side]);
        }
        let (separation, arc) = ((b.centre - a.centre) + (arms[1] - arms[0]), arcs[1] - arcs[0]);
        watch.see_vector(separation);
        watch.see_vector(arc);
        self.separation.set(at, separation);
        self.arc.set(at, arc);
        let spin = a.omega.sum_of_magnitudes().larger(b.omega.sum_of_magnitudes());
        watch.see(spin);
        let spin = spin * L::splat(seconds);
        let reach = arms[0].sum_of_magnitudes().larger(arms[1].sum_of_magnitudes());
        let is_open = separation.sum_of_magnitudes().is_above(reach * L::splat(open_from()));
        self.spin.set(at, L::select(L::but_not(may_be_rigid, is_open), spin, L::zero()));
        let block = identity() + block_of(arms[0], &responses[0]) + block_of(arms[1], &responses[1]);
        let is_pushed = L::or(inverse_mass[0].differs(L::zero()), inverse_mass[1].differs(L::zero()));
        let inverse = LdlFactors::new(block, is_pushed);
        for number in inverse.lower {
            watch.see_within(LEVER, number);
        }
        watch.see_vector_within(UNIT, inverse.inverse_pivots);
        self.inverse.set(at, inverse);
    }

    /// Takes down that a body of the joint of this lane spins so far in the substep, radians, if it did not spin farther as the rows were made.
    pub(super) fn note_spin(&mut self, lane: usize, spin: S) {
        let [a, b] = self.arms.map(|arm| arm.at::<S>(lane).taxicab_length());
        let is_open = self.separation.at::<S>(lane).taxicab_length() > a.max(b) * open_from::<S>();
        let known = &mut self.spin.0[lane];
        *known = if is_open { *known } else { known.max(spin) };
    }

    /// `J v`: the speed of the second point against the first.
    #[inline(always)]
    pub(super) fn relative<L: Lanes<Scalar = S>>(&self, at: usize, motion: &PairMotion<L>) -> Vec3<L> {
        let first = motion.linear[0] + motion.angular[0].cross(self.arms[0].at(at));
        let second = motion.linear[1] + motion.angular[1].cross(self.arms[1].at(at));
        second - first
    }

    /// Applies an impulse to both bodies.
    #[inline(always)]
    pub(super) fn apply<L: Lanes<Scalar = S>>(
        &self,
        at: usize,
        motion: &mut PairMotion<L>,
        inverse_mass: [L; 2],
        impulse: Vec3<L>,
        watch: &mut Watch<L>,
    ) {
        watch.see_vector(impulse);
        motion.linear[0] -= impulse * inverse_mass[0];
        motion.linear[1] += impulse * inverse_mass[1];
        let (on_a, on_b) = (self.arms[0].at(at).cross(impulse), self.arms[1].at(at).cross(impulse));
        watch.see_vector(on_a);
        watch.see_vector(on_b);
        motion.angular[0] -= self.response[0].at::<L>(at) * on_a;
        motion.angular[1] += self.response[1].at::<L>(at) * on_b;
    }

    /// Brings the points together at the end of the substep, as the pass says; the largest change of a speed, m/s.
    #[inline(always)]
    pub(super) fn solve<L: Lanes<Scalar = S>>(
        &mut self,
        at: usize,
        motion: &mut PairMotion<L>,
        inverse_mass: [L; 2],
        (soft, pass): (&Softness<S>, JointPass),
        watch: &mut Watch<L>,
    ) -> L {
        let mut speed = self.relative(at, motion) + self.arc.at(at);
        let old = self.impulse.at(at);
        let spins = self.spin.get::<L>(at).is_above(L::splat(spins_from()));
        let mut yields = L::mask(0);
        if pass != JointPass::Hold {
            let (bias, is_spring) = bias(self.separation.at(at), soft);
            speed += bias;
            yields = L::but_not(is_spring, spins);
        }
        watch.see_vector(speed);
        watch.see_vector(old);
        let wanted = self.inverse.at(at).solve(speed);
        let yielding = wanted * L::splat(soft.mass_scale) + old * L::splat(soft.impulse_scale);
        let mut change = -Vec3::select(yields, yielding, wanted);
        if pass == JointPass::Aim {
            change = Vec3::select(spins, change, Vec3::zero());
        }
        self.impulse.set(at, old + change);
        self.apply(at, motion, inverse_mass, change, watch);
        change.sum_of_magnitudes() * inverse_mass[0].larger(inverse_mass[1])
    }

    /// Takes the part `beta` of what parts the points out of the displacements of both bodies since the start of the step.
    #[inline(always)]
    pub(super) fn project<L: Lanes<Scalar = S>>(
        &self,
        at: usize,
        moved: &mut PairMotion<L>,
        inverse_mass: [L; 2],
        beta: L,
        watch: &mut Watch<L>,
    ) {
        let separation = self.separation.at(at) + self.relative(at, moved);
        watch.see_vector(separation);
        self.apply(at, moved, inverse_mass, -(self.inverse.at(at).solve(separation) * beta), watch);
    }
}

impl<L: Lanes> End<L> {
    /// Shows a watch what rows are made from; rotations are of unit length, and of positions only differences count.
    #[inline(always)]
    fn show(&self, watch: &mut Watch<L>) {
        watch.see_vector_within(FAR, self.centre);
        watch.see_vector_within(SHORT, self.anchor);
        watch.see_vector(self.omega);
        watch.see_matrix_within(STIFF, self.inverse_inertia);
    }

    #[inline(always)]
    fn arm(&self) -> Vec3<L> {
        self.rotations[0] * self.anchor
    }

    /// What the arc of the arm adds to the speed of its end, m/s.
    #[inline(always)]
    fn arc(&self, arm: Vec3<L>, rate: L) -> Vec3<L> {
        let arc = (self.rotations[1] * self.anchor - arm) * rate - self.omega.cross(arm);
        Vec3::select(self.turns, arc, Vec3::zero())
    }

    #[inline(always)]
    fn response(&self) -> SymMat3<L> {
        self.inverse_inertia * self.inverse_mass
    }
}

/// What the turning of one body adds to the block of its joint: `[r] M [r]^T`, entry by entry `(r x e_i) . M (r x e_j)`.
#[inline(always)]
fn block_of<L: Lanes>(arm: Vec3<L>, response: &SymMat3<L>) -> SymMat3<L> {
    let Vec3 { x, y, z } = arm;
    let none = L::zero();
    let across = [Vec3::new(none, z, -y), Vec3::new(-z, none, x), Vec3::new(y, -x, none)];
    let [of_x, of_y, of_z] = [*response * across[0], *response * across[1], *response * across[2]];
    SymMat3 {
        xx: across[0].dot(of_x),
        yy: across[1].dot(of_y),
        zz: across[2].dot(of_z),
        xy: across[0].dot(of_y),
        xz: across[0].dot(of_z),
        yz: across[1].dot(of_z),
    }
}

#[inline(always)]
fn identity<L: Lanes>() -> SymMat3<L> {
    let (one, none) = (L::splat(L::Scalar::ONE), L::zero());
    SymMat3 { xx: one, yy: one, zz: one, xy: none, xz: none, yz: none }
}

/// The speed at which a spring brings the points together, and where it does: elsewhere it would be faster than it may, and the
/// speed is the largest one that a correction may cause. That does not yield: a spring that gives back a part of what it bears,
/// and may not pull as fast as that needs, would give way for ever.
#[inline(always)]
fn bias<L: Lanes>(separation: Vec3<L>, soft: &Softness<L::Scalar>) -> (Vec3<L>, L::Mask) {
    let bias = separation * L::splat(soft.bias_rate);
    let most = L::splat(soft.push_speed);
    let always = L::mask(u8::MAX);
    let may_be_fast = bias.sum_of_magnitudes().is_above(most);
    if !L::any(may_be_fast) {
        return (bias, always);
    }
    let length = L::length3([bias.x, bias.y, bias.z]);
    let is_fast = L::and(may_be_fast, length.is_above(most));
    // Where it is not, the quotient is of no use.
    (Vec3::select(is_fast, bias * most.over(length), bias), L::but_not(always, is_fast))
}
