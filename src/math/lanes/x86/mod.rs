//! The vectors of x86-64.
//!
//! Values of these types come about only within [`run`], in code that is compiled for their instructions and runs where the
//! machine has them; that makes each `unsafe` call of an instruction sound.
#![allow(unsafe_code, reason = "instructions of a machine; `run` has asked whether it has them")]

mod f32x4;
mod f32x8;
mod f64x2;
mod f64x4;
mod f64x8;
mod i64x4;
mod i64x8;
mod vectors;

use std::arch::x86_64::{__m128, __m128d, __m256, __m256d, __m256i, __m512d, __m512i, _MM_HINT_T0, _mm_prefetch};

use crate::math::fixed::Fixed;
use crate::math::lanes::Lanes;
use crate::math::lanes::fixed_points::FixedPoints;
use crate::math::lanes::floats::Floats;
use crate::math::lanes::path::{LanePath, LaneTask};
use crate::math::lanes::stepwise::InSteps;
use crate::math::scalar::Scalar;

/// Whether a path has lanes for small numbers.
pub const HAS_NARROW_LANES: bool = true;

/// The vectors that x86-64 has for a scalar; the scalar itself where it has none.
pub trait NativeLanes: Sized {
    /// Those of SSE2, of 128 bits.
    type Sse2: Lanes<Scalar = Self>;
    /// Those of AVX2, of 256 bits.
    type Avx2: Lanes<Scalar = Self>;
    /// Those of AVX-512, of up to 512 bits.
    type Avx512: Lanes<Scalar = Self>;
}

impl NativeLanes for f32 {
    type Sse2 = Floats<__m128>;
    type Avx2 = Floats<__m256>;
    type Avx512 = Floats<__m256>;
}

impl NativeLanes for f64 {
    type Sse2 = Floats<__m128d>;
    type Avx2 = Floats<__m256d>;
    type Avx512 = Floats<__m512d>;
}

impl NativeLanes for Fixed {
    // Its products of 32 bits have no signs.
    type Sse2 = Self;
    type Avx2 = FixedPoints<__m256i>;
    type Avx512 = FixedPoints<__m512i>;
}

/// Whether this machine has the vectors of a path.
pub(super) fn has(path: LanePath) -> bool {
    match path {
        LanePath::Scalar | LanePath::Sse2 => true,
        LanePath::Neon => false,
        LanePath::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
        LanePath::Avx512 => {
            has(LanePath::Avx2)
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
        }
    }
}

/// Runs a task in the lanes of a path; one at a time where the machine does not have it.
#[inline]
pub(super) fn run<S: Scalar, T: LaneTask<S>>(path: LanePath, task: T) -> T::Output {
    match path {
        // SAFETY: the machine has the instructions that the function is compiled for.
        LanePath::Avx512 if has(path) => unsafe { run_avx512(task) },
        // SAFETY: as above.
        LanePath::Avx2 if has(path) => unsafe { run_avx2(task) },
        // Where these are the scalar itself, its code would stand here twice.
        LanePath::Sse2 if S::Sse2::WIDTH > 1 => task.run::<S::Sse2>(),
        _ => task.run::<S>(),
    }
}

/// The same in lanes whose sums are rounded in steps.
#[inline]
pub(super) fn run_in_steps<S: Scalar, T: LaneTask<S>>(path: LanePath, task: T) -> T::Output {
    run(path, InSteps(task))
}

#[target_feature(enable = "avx2,fma")]
fn run_avx2<S: Scalar, T: LaneTask<S>>(task: T) -> T::Output {
    task.run::<S::Avx2>()
}

#[target_feature(enable = "avx2,fma,avx512f,avx512dq,avx512vl")]
fn run_avx512<S: Scalar, T: LaneTask<S>>(task: T) -> T::Output {
    task.run::<S::Avx512>()
}

/// Has the cache line of an address brought in.
#[inline]
pub(super) fn fetch_line(address: *const u8) {
    // SAFETY: a hint, which reads nothing and may be given any address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}
