//! How a pass goes over all contacts: colour after colour, each on as many threads as there are, then those that found no colour,
//! one after the other.
//!
//! On one thread each batch hands its bodies what became of them at once; on several, all do when the colour is through. Nobody
//! can tell: within a colour no two contacts share a body that they can push.

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
                for chunk in chunks {
                    path.run_in_steps(LaterHandOver { pass, chunk, linear: before, angular: spins });
                }
            });
            chunks.iter().for_each(|chunk| chunk.hand_over(linear, angular));
        } else {
            path.run_in_steps(HandOver { pass, chunks, linear, angular });
        }
        largest = chunks.iter().fold(largest, |largest, chunk| largest.larger(chunk.change));
    }
    let chunks = batches.behind();
    path.run_in_steps(HandOver { pass, chunks, linear, angular });
    chunks.iter().fold(largest, |largest, chunk| largest.larger(chunk.change))
}

/// A pass over some chunks one after the other, as a task for lanes.
struct HandOver<'a, S: Scalar, P> {
    pass: &'a P,
    chunks: &'a mut [Chunk<S>],
    linear: &'a mut [Vec3<S>],
    angular: &'a mut [Vec3<S>],
}

impl<S: Scalar, P: Pass<S>> LaneTask<S> for HandOver<'_, S, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { pass, chunks, linear, angular } = self;
        for chunk in chunks {
            let (mut largest, mut largest_alone) = (L::zero(), S::ZERO);
            for batch in 0..chunk.len() {
                let (count, is_sequence) = chunk.lanes_of(batch);
                let mut view = chunk.view(batch);
                if is_sequence {
                    for at in 0..count {
                        view.at = at;
                        let (now, change) = work_between::<S>(pass, &mut view, linear, angular);
                        largest_alone = largest_alone.larger(change);
                        now.scatter(&view, linear, angular);
                    }
                } else {
                    for part in 0..count.div_ceil(L::WIDTH) {
                        view.at = part * L::WIDTH;
                        let (now, change) = work_between::<L>(pass, &mut view, linear, angular);
                        largest = largest.larger(change);
                        now.scatter(&view, linear, angular);
                    }
                }
            }
            chunk.change = largest_alone.larger(largest_lane(largest));
        }
    }
}

/// A pass over a chunk whose bodies stay as they are until the colour is through, as a task for lanes.
struct LaterHandOver<'a, S: Scalar, P> {
    pass: &'a P,
    chunk: &'a mut Chunk<S>,
    linear: &'a [Vec3<S>],
    angular: &'a [Vec3<S>],
}

impl<S: Scalar, P: Pass<S>> LaneTask<S> for LaterHandOver<'_, S, P> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes<Scalar = S>>(self) {
        let Self { pass, chunk, linear, angular } = self;
        chunk.expect_moved();
        let mut largest = L::zero();
        for batch in 0..chunk.len() {
            for part in 0..chunk.lanes_of(batch).0.div_ceil(L::WIDTH) {
                let mut view = chunk.view(batch);
                view.at = part * L::WIDTH;
                let (now, change) = work_between::<L>(pass, &mut view, linear, angular);
                largest = largest.larger(change);
                chunk.put_moved(batch, part * L::WIDTH, &now);
            }
        }
        chunk.change = largest_lane(largest);
    }
}

/// The largest number of all lanes; zero where none is above it.
#[inline(always)]
pub(super) fn largest_lane<L: Lanes>(numbers: L) -> L::Scalar {
    let mut lanes = Block::ZERO;
    numbers.store(&mut lanes, 0);
    lanes.0.into_iter().fold(L::Scalar::ZERO, |largest, lane| largest.larger(lane))
}
