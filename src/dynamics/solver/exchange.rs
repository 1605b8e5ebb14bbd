//! What passes between the two bodies of a contact, at its middle and in its own directions: how they move against each other
//! there, and the impulses that they give each other.
//!
//! All rows of a contact see the same six numbers, three speeds along its directions and three about them. So no row has to
//! know what it does to the bodies: the impulses of all are summed up here, and the bodies are pushed once.
//!
//! In lanes for small numbers none of the speeds here is watched: with velocities that are small, arms and lengths that are short and
//! directions that are no longer than one, none comes near the end of what such lanes hold.

use crate::collision::manifold::MAX_POINTS;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::{CommonRows, LaneArms, RowsView};
use crate::math::lanes::{Block, Lanes, Watch};
use crate::math::{Scalar, Vec3};

/// Up to here an impulse over the contact's length is small enough for lanes of small numbers, as arms are short there.
const STEEP: u32 = 1 << 14;

/// Six numbers of a contact, in the order of its directions: normal, first tangent, second tangent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Six<L> {
    /// Along each direction: a speed of the second body against the first, or an impulse that pushes them so, m/s.
    pub(super) along: [L; 3],
    /// About each direction, times the contact's length: the same of what turns them, m/s.
    pub(super) about: [L; 3],
}

impl<L: Lanes> Six<L> {
    /// None.
    #[inline(always)]
    pub(super) fn zero() -> Self {
        Self { along: [L::zero(); 3], about: [L::zero(); 3] }
    }

    /// Takes the impulses along the normal for the sums of what points press.
    #[inline(always)]
    pub(super) fn set_pressed(&mut self, pressed: Pressed<L>) {
        self.along[0] = pressed.along;
        self.about[1] = L::end_sum(pressed.about[0]);
        self.about[2] = L::end_sum(pressed.about[1]);
    }

    /// How the gaps of the points grow by this motion.
    #[inline(always)]
    pub(super) const fn growth(&self) -> Growth<L> {
        Growth { at_middle: self.along[0], tilts: [self.about[1], self.about[2]] }
    }
}

/// What points press: the sums of their impulses along the normal, and about the two tangents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressed<L: Lanes> {
    along: L,
    about: [L::Sum; 2],
}

impl<L: Lanes> Pressed<L> {
    /// Nothing.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { along: L::zero(), about: [L::zero().begin_sum(); 2] }
    }

    /// Adds an impulse at a point with these levers.
    #[inline(always)]
    pub(super) fn press(&mut self, levers: [L; 2], impulse: L) {
        self.along = self.along + impulse;
        for (about, lever) in self.about.iter_mut().zip(levers) {
            *about = L::plus_product(*about, lever, impulse);
        }
    }
}

/// How gaps grow: by so much in the middle of the contact, and elsewhere by tilting about its tangents as well. Speeds in m/s, or
/// ways in metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth<L> {
    pub(super) at_middle: L,
    pub(super) tilts: [L; 2],
}

impl<L: Lanes> Growth<L> {
    /// That of a point with these levers.
    #[inline(always)]
    pub(super) fn at(&self, levers: [L; 2]) -> L {
        let with_first = L::plus_product(self.at_middle.begin_sum(), levers[0], self.tilts[0]);
        L::end_sum(L::plus_product(with_first, levers[1], self.tilts[1]))
    }
}

/// The sum of two vectors, each times its part.
#[inline(always)]
pub(super) fn weighted_sum<L: Lanes>([a, b]: [Vec3<L>; 2], parts: [L; 2]) -> Vec3<L> {
    Vec3::new(L::dot2([a.x, b.x], parts), L::dot2([a.y, b.y], parts), L::dot2([a.z, b.z], parts))
}

impl<S: Scalar> LaneArms<S> {
    /// Those of the lanes from `at` on.
    #[inline(always)]
    pub(super) fn at<L: Lanes<Scalar = S>>(&self, at: usize) -> [Vec3<L>; 2] {
        [self.0[0].at(at), self.0[1].at(at)]
    }
}

impl<S: Scalar> CommonRows<Block<S>> {
    /// The normal and the two tangents.
    #[inline(always)]
    pub(super) fn directions_at<L: Lanes<Scalar = S>>(&self, at: usize) -> [Vec3<L>; 3] {
        let [normal, first, second] = &self.directions;
        [normal.at(at), first.at(at), second.at(at)]
    }

    /// From the centres of mass of both bodies to the middle of the contact, metres.
    #[inline(always)]
    pub(super) fn arms_at<L: Lanes<Scalar = S>>(&self, at: usize) -> [Vec3<L>; 2] {
        [self.arms[0].at(at), self.arms[1].at(at)]
    }

    /// How the bodies turn against each other, times the contact's length.
    #[inline(always)]
    pub(super) fn turning<L: Lanes<Scalar = S>>(&self, at: usize, motion: &PairMotion<L>) -> Vec3<L> {
        (motion.angular[1] - motion.angular[0]) * self.length.get(at)
    }

    /// How this motion of the bodies makes the gaps of the contact grow.
    #[inline(always)]
    pub(super) fn growth<L: Lanes<Scalar = S>>(&self, at: usize, motion: &PairMotion<L>) -> Growth<L> {
        let [normal, first, second] = self.directions_at(at);
        let (moving, turning) = (motion.between(self.arms_at(at)), self.turning(at, motion));
        Growth { at_middle: moving.dot(normal), tilts: [turning.dot(first), turning.dot(second)] }
    }

    /// How the centres of mass move apart along the normal, m/s.
    #[inline(always)]
    pub(super) fn speed_of_centres<L: Lanes<Scalar = S>>(&self, at: usize, motion: &PairMotion<L>) -> L {
        (motion.linear[1] - motion.linear[0]).dot(self.directions[0].at(at))
    }

    /// All six speeds of this motion; those about the directions only where something turns.
    #[inline(always)]
    pub(super) fn speeds<L: Lanes<Scalar = S>>(&self, at: usize, motion: &PairMotion<L>, turns: bool) -> Six<L> {
        let directions = self.directions_at(at);
        let moving = motion.between(self.arms_at(at));
        let mut speeds = Six::zero();
        for (speed, direction) in speeds.along.iter_mut().zip(directions) {
            *speed = moving.dot(direction);
        }
        if turns {
            let turning = self.turning(at, motion);
            for (speed, direction) in speeds.about.iter_mut().zip(directions) {
                *speed = turning.dot(direction);
            }
        }
        speeds
    }

    /// The vector with these parts along the directions.
    #[inline(always)]
    pub(super) fn in_world<L: Lanes<Scalar = S>>(&self, at: usize, parts: [L; 3]) -> Vec3<L> {
        let [normal, first, second] = self.directions_at::<L>(at);
        Vec3::new(
            L::dot3([normal.x, first.x, second.x], parts),
            L::dot3([normal.y, first.y, second.y], parts),
            L::dot3([normal.z, first.z, second.z], parts),
        )
    }
}

/// What pushes two bodies apart: a force at arms, and what only turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push<L> {
    /// Impulse over the reduced mass, world axes, m/s.
    force: Vec3<L>,
    /// Its moments and others about the centres of both bodies, over the contact's length, m/s.
    moments: [Vec3<L>; 2],
}

impl<L: Lanes> Push<L> {
    /// None.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self { force: Vec3::zero(), moments: [Vec3::zero(); 2] }
    }

    /// All of it without moments: an impulse over the reduced mass, world axes, m/s.
    #[inline(always)]
    pub(super) const fn force(&self) -> Vec3<L> {
        self.force
    }

    /// Adds an impulse at these arms, metres; with the inverse of the contact's length, 1/m.
    #[inline(always)]
    pub(super) fn add(&mut self, force: Vec3<L>, arms: [Vec3<L>; 2], inverse_length: L, watch: &mut Watch<L>) {
        self.force += force;
        let over_length = force * inverse_length;
        watch.see_vector_within(STEEP, over_length); // arms are short
        for (moment, arm) in self.moments.iter_mut().zip(arms) {
            *moment += arm.cross(over_length);
        }
    }

    /// Adds what turns the bodies against each other.
    #[inline(always)]
    pub(super) fn add_moment(&mut self, moment: Vec3<L>) {
        self.moments = [self.moments[0] + moment, self.moments[1] + moment];
    }

    /// Pushes the bodies.
    #[inline(always)]
    pub(super) fn apply(
        self,
        (common, at): (&CommonRows<Block<L::Scalar>>, usize),
        motion: &mut PairMotion<L>,
        watch: &mut Watch<L>,
    ) {
        let Self { force, moments: [on_a, on_b] } = self;
        watch.see_vector(on_a);
        watch.see_vector(on_b);
        motion.linear[0] -= force * common.inverse_mass[0].get(at);
        motion.linear[1] += force * common.inverse_mass[1].get(at);
        motion.angular[0] -= common.inverse_inertia[0].at::<L>(at) * on_a;
        motion.angular[1] += common.inverse_inertia[1].at::<L>(at) * on_b;
    }
}

/// What the rows of one contact give each other before the bodies are pushed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange<L> {
    /// How the bodies moved against each other when it began.
    pub(super) speeds: Six<L>,
    /// The impulses since.
    pub(super) given: Six<L>,
    /// Whether any of them turn.
    turns: bool,
}

impl<L: Lanes> Exchange<L> {
    /// One between bodies that move like this.
    #[inline(always)]
    pub(super) fn begin(view: &RowsView<'_, L::Scalar>, motion: &PairMotion<L>) -> Self {
        let resists_twisting = view.common.twist.mass.get::<L>(view.at).differs(L::zero());
        let turns = view.points.len() > 1 || L::any(resists_twisting);
        Self { speeds: view.common.speeds(view.at, motion, turns), given: Six::zero(), turns }
    }

    /// Pushes the bodies with what was given.
    #[inline(always)]
    pub(super) fn hand_over(
        self,
        (common, at): (&CommonRows<Block<L::Scalar>>, usize),
        motion: &mut PairMotion<L>,
        watch: &mut Watch<L>,
    ) {
        self.given.push(common, at, self.turns, watch).apply((common, at), motion, watch);
    }
}

impl<L: Lanes> Six<L> {
    /// Shows a watch all six.
    #[inline(always)]
    pub(super) fn show(&self, watch: &mut Watch<L>) {
        for index in 0..3 {
            watch.see(self.along[index]);
            watch.see(self.about[index]);
        }
    }

    /// These impulses as one push at the middle of the contact.
    #[inline(always)]
    pub(super) fn push(
        &self,
        common: &CommonRows<Block<L::Scalar>>,
        at: usize,
        turns: bool,
        watch: &mut Watch<L>,
    ) -> Push<L> {
        let mut push = Push::none();
        push.add(common.in_world(at, self.along), common.arms_at(at), common.inverse_length.get(at), watch);
        if turns {
            push.add_moment(common.in_world(at, self.about));
        }
        push
    }
}

/// Pushes the bodies of a contact that move like this with so much at each of its points, m/s.
pub(super) fn push_points<S: Scalar>(view: &RowsView<'_, S>, impulses: [S; MAX_POINTS], motion: &mut PairMotion<S>) {
    let at = view.at;
    let mut pressed = Pressed::none();
    for (point, impulse) in view.points.iter().zip(impulses) {
        pressed.press(point.levers_at(at), impulse);
    }
    let (mut given, mut watch) = (Six::<S>::zero(), Watch::new());
    given.set_pressed(pressed);
    given.push(view.common, at, true, &mut watch).apply((view.common, at), motion, &mut watch);
}
