//! How a pass goes over all contacts: colour after colour, each on as many threads as there are, then those behind, round after
//! round.
//!
//! On one thread each batch hands its bodies what became of them at once; on several, all do when the colour is through. Nobody
//! can tell: within a colour no two contacts share a body that they can push.

use std::slice;

use crate::dynamics::body::Bodies;
use crate::dynamics::solver::batches::Batches;
use crate::dynamics::solver::chunk::Chunk;
use crate::dynamics::solver::pair_motion::PairMotion;
use crate::dynamics::solver::rows::RowsView;
use crate::dynamics::solver::small::work_between;
use crate::math::lanes::{Block, LanePath, LaneTask, Lanes, Watch};
use crate::math::{Scalar, Vec3};
use crate::parallel::Executor;

/// What a pass does to each contact.
pub(super) trait Pass<S: Scalar>: Sync {
    /// Whether it may be made in lanes for small numbers: what it multiplies all rows with is so small that the watch sees the product.
    fn is_for_small(&self) -> bool;

    /// Works on the rows in view, between bodies that move like this; the largest change of a speed, m/s.
    ///
    /// The rows are small where the lanes are for such numbers, and so is how the bodies move: all else that is multiplied, the
    /// watch is to see.
    fn work_on<L: Lanes<Scalar = S>>(
        &self,
        now: &mut PairMotion<L>,
        view: &mut RowsView<'_, S>,
        watch: &mut Watch<L>,
    ) -> L;
}

/// The velocities of all bodies, m/s and rad/s.
pub(super) struct Velocities<'a, S> {
    pub(super) linear: &'a mut [Vec3<S>],
    pub(super) angular: &'a mut [Vec3<S>],
}

impl<'a, S: Scalar> Velocities<'a, S> {
    /// Those of these bodies.
    pub(super) const fn of(bodies: &'a mut Bodies<S>) -> Self {
        Self { linear: bodies.linear_velocity.as_mut_slice(), angular: bodies.angular_velocity.as_mut_slice() }
    }
}

/// How all bodies move while a pass goes over some contacts or joints, m/s and rad/s.
pub(super) enum Moving<'a, S> {
    /// What becomes of a batch is handed to its bodies at once.
    AtOnce(Velocities<'a, S>),
    /// The bodies stay as they are until the colour is through: linear and angular.
    Later(&'a [Vec3<S>], &'a [Vec3<S>]),
}

impl<S> Moving<'_, S> {
    /// Their velocities, linear and angular.
    #[inline(always)]
    pub(super) const fn seen(&self) -> (&[Vec3<S>], &[Vec3<S>]) {
        match self {
            Self::AtOnce(Velocities { linear, angular }) => (linear, angular),
            Self::Later(linear, angular) => (linear, angular),
        }
    }
}

/// Takes a pass over all contacts; the largest change of a speed, m/s.
pub(super) fn run_pass<S: Scalar>(
    pass: &impl Pass<S>,
    batches: &mut Batches<S>,
    Velocities { linear, angular }: Velocities<'_, S>,
    (path, executor): (LanePath, &mut Executor),
) -> S {
    let mut largest = S::ZERO;
    for colour in 0..batches.colours() {
        let chunks = batches.colour(colour);
        if executor.would_share(chunks.len(), 1) {
            let (before, spins) = (&*linear, &*angular);
            executor.for_each_part(1, &mut chunks[..], |_, chunks| {
                path.run_in_steps(OverChunks { pass, chunks, bodies: Moving::Later(before, spins) });
            });
            chunks.iter().for_each(|chunk| chunk.hand_over(linear, angular));
        } else {
            let bodies = Moving::AtOnce(Velocities { linear, angular });
            path.run_in_steps(OverChunks { pass, chunks, bodies });
        }
        largest = chunks.iter().fold(largest, |largest, chunk| largest.larger(chunk.change));
    }
    for round in 0..batches.rounds() {
        for number in 0..batches.chunks_in_round(round) {
            let chunk = batches.in_round(round, number);
            let bodies = Moving::AtOnce(Velocities { linear, angular });
            path.run_in_steps(OverChunks { pass, chunks: slice::from_mut(chunk), bodies });
            largest = largest.larger(chunk.change);
        }
    }
    largest
}

/// A pass over some chunks one after the other, as a task for lanes. One for both ways to hand over: the code of a pass takes
/// longest of all to compile.
struct OverChunks<'a, S: Scalar, P> {
    pass: &'a P,
    chunks: &'a mut [Chunk<S>],
    bodies: Moving<'a, S>,
}

impl<S: Scalar, P: Pass<S>> LaneTask<S> for OverChunks<'_, S, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { pass, chunks, mut bodies } = self;
        for chunk in chunks {
            if matches!(bodies, Moving::Later(..)) {
                chunk.expect_moved();
            }
            let mut largest = L::zero();
            for batch in 0..chunk.len() {
                for part in 0..chunk.lanes_of(batch).div_ceil(L::WIDTH) {
                    largest = largest.larger(work_at::<L>(pass, (chunk, batch, part * L::WIDTH), &mut bodies));
                }
            }
            chunk.change = largest_lane(largest);
        }
    }
}

/// Works on the rows of a batch in the lanes from `at` on, and hands over what became of their bodies; the largest change of a speed,
/// m/s.
#[inline(always)]
fn work_at<L: Lanes>(
    pass: &impl Pass<L::Scalar>,
    (chunk, batch, at): (&mut Chunk<L::Scalar>, usize, usize),
    bodies: &mut Moving<'_, L::Scalar>,
) -> L {
    let mut view = chunk.view(batch);
    view.at = at;
    let (linear, angular) = bodies.seen();
    let (now, change) = work_between::<L>(pass, &mut view, linear, angular);
    match bodies {
        Moving::AtOnce(Velocities { linear, angular }) => now.scatter(&view, linear, angular),
        Moving::Later(..) => chunk.put_moved(batch, at, &now),
    }
    change
}

/// The largest number of all lanes; zero where none is above it.
#[inline(always)]
pub(super) fn largest_lane<L: Lanes>(numbers: L) -> L::Scalar {
    let mut lanes = Block::ZERO;
    numbers.store(&mut lanes, 0);
    lanes.0.into_iter().fold(L::Scalar::ZERO, |largest, lane| largest.larger(lane))
}
