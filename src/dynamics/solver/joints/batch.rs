//! Eight joints of one colour side by side, one in each lane; or joints that found no colour, whose lanes are taken one after the
//! other.

use crate::dynamics::joint::{JointKind, WORLD};
use crate::dynamics::solver::joints::JointRows;
use crate::dynamics::solver::joints::passes::LanePass;
use crate::dynamics::solver::joints::spherical::{SphericalRows, spins_from};
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::small::are_all_of;
use crate::math::lanes::{Block, Flags, LANES, Lanes, Watch};
use crate::math::{Scalar, Vec3};

/// The joints of a batch, with their rows. A lane that no joint has taken joins the world to itself and pushes nothing.
#[derive(Clone, Debug)]
pub(super) struct JointBatch<S: Scalar> {
    /// What the joints leave free.
    pub(super) kind: JointKind,
    /// How many lanes are taken.
    pub(super) count: usize,
    /// Which joints of the table they are.
    pub(super) joints: [u32; LANES],
    /// Indices of the two bodies of each, or [`WORLD`].
    pub(super) bodies: [[u32; LANES]; 2],
    /// Where these bodies are among those that are joined, or [`WORLD`].
    pub(super) places: [[u32; LANES]; 2],
    /// The lanes whose joints are rigid where a body spins.
    pub(super) may_be_rigid: Flags,
    /// The lanes whose body on each side can be pushed.
    pushed: [Flags; 2],
    /// From the centres of mass to the points, body axes, metres; of the world its point.
    pub(super) anchors: [Vec3<Block<S>>; 2],
    /// Linear velocity per unit of impulse of both bodies, together 1.
    pub(super) inverse_mass: [Block<S>; 2],
    /// The rows that hold the two points together.
    pub(super) point: SphericalRows<Block<S>>,
    /// The lanes whose rows hold small numbers alone, for lanes that are for such.
    pub(super) has_small_rows: Flags,
    /// What became of the bodies in a pass, where that waits for the end of the colour.
    moved: PairMotion<Block<S>>,
    /// The largest change of a speed in the last pass, m/s.
    pub(super) change: S,
}

/// A joint that takes a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneOfJoint<S> {
    pub(super) joint: u32,
    pub(super) bodies: [u32; 2],
    /// Where these are among the bodies that are joined.
    pub(super) places: [u32; 2],
    /// Whether it is rigid where a body spins.
    pub(super) may_be_rigid: bool,
    pub(super) anchors: [Vec3<S>; 2],
    pub(super) inverse_mass: [S; 2],
    /// The impulse that it starts from, m/s.
    pub(super) impulse: Vec3<S>,
}

impl<S: Scalar> JointBatch<S> {
    /// A batch without joints.
    pub(super) fn new(kind: JointKind) -> Self {
        Self {
            kind,
            count: 0,
            joints: [0; LANES],
            bodies: [[WORLD; LANES]; 2],
            places: [[WORLD; LANES]; 2],
            may_be_rigid: Flags::default(),
            pushed: [Flags::default(); 2],
            anchors: [Vec3::default(); 2],
            inverse_mass: [Block::ZERO; 2],
            point: SphericalRows::default(),
            has_small_rows: Flags::default(),
            moved: PairMotion::default(),
            change: S::ZERO,
        }
    }

    /// Whether it has no lane for a joint of this kind.
    pub(super) fn is_full_for(&self, kind: JointKind) -> bool {
        self.kind != kind || self.count == LANES
    }

    /// Whether a body of one of its joints spins.
    pub(super) fn spins(&self) -> bool {
        self.point.spin.0.iter().any(|&spin| spin > spins_from())
    }

    /// The rows of one lane.
    pub(super) fn in_lane(&self, lane: usize) -> JointRows<S> {
        let inverse_mass = self.inverse_mass_at(lane);
        JointRows { joint: self.joints[lane], kind: self.kind, inverse_mass, point: self.point.in_lane(lane) }
    }

    /// Gives a joint the next lane.
    pub(super) fn push(&mut self, joint: &LaneOfJoint<S>) {
        let at = self.count;
        self.count += 1;
        self.joints[at] = joint.joint;
        self.may_be_rigid.put(at, joint.may_be_rigid);
        for side in 0..2 {
            self.bodies[side][at] = joint.bodies[side];
            self.places[side][at] = joint.places[side];
            self.anchors[side].set(at, joint.anchors[side]);
            self.inverse_mass[side].0[at] = joint.inverse_mass[side];
            self.pushed[side].put(at, joint.inverse_mass[side] != S::ZERO);
        }
        self.point.impulse.set(at, joint.impulse);
    }

    /// What the push of both bodies is shared by, from lane `at` on.
    #[inline(always)]
    pub(super) fn inverse_mass_at<L: Lanes<Scalar = S>>(&self, at: usize) -> [L; 2] {
        [self.inverse_mass[0].get(at), self.inverse_mass[1].get(at)]
    }

    /// Whether all lanes from `at` on that a joint has taken are among these.
    #[inline(always)]
    pub(super) fn are_small<L: Lanes<Scalar = S>>(&self, at: usize, small_lanes: u8) -> bool {
        are_all_of::<L>((self.count, at), small_lanes)
    }

    /// Works on the joints of the lanes from `at` on, between bodies that move with these velocities: in lanes for small numbers where
    /// all is small, else in those for all; how the bodies move then, and the largest change of a speed, m/s.
    #[inline(always)]
    pub(super) fn work_between<L: Lanes<Scalar = S>>(
        &mut self,
        pass: &impl LanePass<S>,
        at: usize,
        linear: &[Vec3<S>],
        angular: &[Vec3<S>],
    ) -> (PairMotion<L>, L) {
        let small_rows = self.has_small_rows.bits_from(at);
        if <L::Narrow as Lanes>::IS_NARROW && pass.is_for_small() && self.are_small::<L>(at, small_rows) {
            let before = self.point.impulse;
            let mut watch = Watch::<L::Narrow>::new();
            let mut now = self.gather::<L::Narrow>(at, linear, angular);
            now.show(&mut watch);
            let change = pass.work_on(&mut now, self, at, &mut watch);
            if self.are_small::<L>(at, watch.small_lanes()) {
                return (PairMotion::of_narrow(&now), L::widened(change));
            }
            self.point.impulse = before;
        }
        let mut now = self.gather::<L>(at, linear, angular);
        let change = pass.work_on(&mut now, self, at, &mut Watch::<L>::new());
        (now, change)
    }

    /// The motions of the bodies of the lanes from `at` on; the world has none.
    #[inline(always)]
    pub(super) fn gather<L: Lanes<Scalar = S>>(
        &self,
        at: usize,
        linear: &[Vec3<S>],
        angular: &[Vec3<S>],
    ) -> PairMotion<L> {
        let [a, b] = &self.bodies;
        PairMotion {
            linear: [gather_or_zero(linear, a, at), gather_or_zero(linear, b, at)],
            angular: [gather_or_zero(angular, a, at), gather_or_zero(angular, b, at)],
        }
    }

    /// Writes back what rows can have changed.
    #[inline(always)]
    pub(super) fn scatter<L: Lanes<Scalar = S>>(
        &self,
        at: usize,
        motion: &PairMotion<L>,
        linear: &mut [Vec3<S>],
        angular: &mut [Vec3<S>],
    ) {
        for side in 0..2 {
            let (indices, which) = (&self.bodies[side], self.pushed[side].bits_from(at));
            L::scatter(motion.linear[side], linear, indices, at, which);
            L::scatter(motion.angular[side], angular, indices, at, which);
        }
    }

    /// Puts down what became of the bodies of the lanes from `at` on.
    #[inline(always)]
    pub(super) fn put_moved<L: Lanes<Scalar = S>>(&mut self, at: usize, now: &PairMotion<L>) {
        self.moved.put(at, now);
    }

    /// Hands that to the bodies that can be pushed.
    pub(super) fn hand_over(&self, linear: &mut [Vec3<S>], angular: &mut [Vec3<S>]) {
        self.moved.hand_over((&self.bodies, &self.pushed, self.count), linear, angular);
    }
}

/// The vectors at some indices, one in each lane; zero where there is none.
#[inline(always)]
pub(super) fn gather_or_zero<L: Lanes>(from: &[Vec3<L::Scalar>], indices: &[u32; LANES], at: usize) -> Vec3<L> {
    let mut found = Vec3::<Block<L::Scalar>>::default();
    for lane in 0..L::WIDTH {
        let body = indices[at + lane] as usize;
        if body < from.len() {
            found.set(lane, from[body]);
        }
    }
    found.at(0)
}
