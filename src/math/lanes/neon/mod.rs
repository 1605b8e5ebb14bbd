//! The vectors of 64-bit ARM, where every machine has them.
#![allow(unsafe_code, reason = "instructions that every machine of this kind has")]

mod f32x4;
mod f64x2;
mod i64x2;

use std::arch::aarch64::{float32x4_t, float64x2_t, int64x2_t};

use crate::math::fixed::Fixed;
use crate::math::lanes::Lanes;
use crate::math::lanes::fixed_points::FixedPoints;
use crate::math::lanes::floats::Floats;
use crate::math::lanes::path::{LanePath, LaneTask};
use crate::math::lanes::stepwise::InSteps;
use crate::math::scalar::Scalar;

/// Whether a path has lanes for small numbers.
pub const HAS_NARROW_LANES: bool = true;

/// The vectors that 64-bit ARM has for a scalar; the scalar itself where it has none.
pub trait NativeLanes: Sized {
    /// Those of NEON, of 128 bits.
    type Neon: Lanes<Scalar = Self>;
    /// Those for what is rounded in steps.
    type NeonInSteps: Lanes<Scalar = Self>;
}

impl NativeLanes for f32 {
    type Neon = Floats<float32x4_t>;
    type NeonInSteps = Self::Neon;
}

impl NativeLanes for f64 {
    type Neon = Floats<float64x2_t>;
    type NeonInSteps = Self::Neon;
}

impl NativeLanes for Fixed {
    // Products of 64 bits are faster one at a time; those of small numbers, which take one instruction, are not.
    type Neon = Self;
    type NeonInSteps = FixedPoints<int64x2_t>;
}

/// Whether this machine has the vectors of a path.
pub(super) const fn has(path: LanePath) -> bool {
    matches!(path, LanePath::Scalar | LanePath::Neon)
}

/// Runs a task in the lanes of a path; one at a time where the machine does not have it.
#[inline]
pub(super) fn run<S: Scalar, T: LaneTask<S>>(path: LanePath, task: T) -> T::Output {
    match path {
        LanePath::Neon => task.run::<S::Neon>(),
        _ => task.run::<S>(),
    }
}

/// The same in lanes whose sums are rounded in steps.
#[inline]
pub(super) fn run_in_steps<S: Scalar, T: LaneTask<S>>(path: LanePath, task: T) -> T::Output {
    match path {
        LanePath::Neon => InSteps(task).run::<S::NeonInSteps>(),
        _ => InSteps(task).run::<S>(),
    }
}

/// Has the cache line of an address brought in: not here, where the language has no name for that.
#[inline]
pub(super) const fn fetch_line(_address: *const u8) {}
