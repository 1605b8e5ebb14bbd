//! Which vectors a run uses: chosen once, at the edge.

use std::str::FromStr;

use crate::math::lanes::Lanes;
use crate::math::lanes::native;
use crate::math::scalar::Scalar;

/// The vectors that a run works with. Never changes a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LanePath {
    /// None: one number at a time.
    Scalar,
    /// SSE2 of every x86-64: four f32, two f64; fixed point one at a time.
    Sse2,
    /// AVX2 of x86-64: eight f32, or four of the others.
    Avx2,
    /// AVX-512 (F and DQ) of x86-64: eight numbers of each scalar.
    Avx512,
    /// NEON of every 64-bit ARM: four f32, two f64; fixed point one at a time.
    Neon,
}

/// Work that is generic over lanes, for [`LanePath::run`]. Its `run` is `#[inline(always)]`, and so is all that it calls.
pub trait LaneTask<S: Scalar> {
    /// What the work gives back.
    type Output;
    /// Does the work.
    fn run<L: Lanes<Scalar = S>>(self) -> Self::Output;
}

impl LanePath {
    /// Every path, the plainest first.
    pub const ALL: [Self; 5] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Avx512, Self::Neon];

    /// The name on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The path of that [`name`](Self::name), if there is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|path| path.name() == name)
    }

    /// Whether this machine has it.
    #[must_use]
    pub fn is_available(self) -> bool {
        native::has(self)
    }

    /// Those that this machine has, the plainest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|path| path.is_available())
    }

    /// The widest that this machine has.
    #[must_use]
    pub fn widest() -> Self {
        Self::available().last().unwrap_or(Self::Scalar)
    }

    /// Does some work with these lanes; one number at a time where the machine does not have them.
    #[inline]
    pub fn run<S: Scalar, T: LaneTask<S>>(self, task: T) -> T::Output {
        native::run(self, task)
    }

    /// The same with lanes whose sums of products are rounded in steps: see [`Stepwise`](super::Stepwise).
    #[inline]
    pub fn run_in_steps<S: Scalar, T: LaneTask<S>>(self, task: T) -> T::Output {
        native::run_in_steps(self, task)
    }
}

impl FromStr for LanePath {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::from_name(name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name);
            format!("expected one of {}", names.join(", "))
        })
    }
}
