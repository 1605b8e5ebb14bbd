//! A machine whose vectors this folder does not know: every scalar is its own lane.

use crate::math::lanes::path::{LanePath, LaneTask};
use crate::math::lanes::stepwise::InSteps;
use crate::math::scalar::Scalar;

/// Whether a path has lanes for small numbers.
pub const HAS_NARROW_LANES: bool = false;

/// The vectors that the machine has for a scalar: none.
pub trait NativeLanes: Sized {}

impl<S: Sized> NativeLanes for S {}

/// Whether this machine has the vectors of a path.
pub(super) const fn has(path: LanePath) -> bool {
    matches!(path, LanePath::Scalar)
}

/// Runs a task one lane at a time.
#[inline]
pub(super) fn run<S: Scalar, T: LaneTask<S>>(_path: LanePath, task: T) -> T::Output {
    task.run::<S>()
}

/// The same, with sums rounded in steps.
#[inline]
pub(super) fn run_in_steps<S: Scalar, T: LaneTask<S>>(_: LanePath, task: T) -> T::Output {
    InSteps(task).run::<S>()
}

/// Has the cache line of an address brought in: not here, where the language has no name for that.
#[inline]
pub(super) const fn fetch_line(_address: *const u8) {}
