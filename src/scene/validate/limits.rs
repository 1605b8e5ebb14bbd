//! The ranges of the numbers of a scene. They keep every number, and the first products of them, inside all three
//! scalars.

use std::fmt::{self, Display};

use crate::scene::decimal::Exact;

/// Most steps of a run.
pub const MAX_STEPS: u32 = 1_000_000_000;
/// Most colliders of a body.
pub const MAX_COLLIDERS: usize = 1024;
/// Most operations that all densities of a scene may take to be added up over its shapes: the longest formula over one shape that
/// it is rough in takes all of them.
pub(super) const MAX_DENSITY_WORK: u64 = 1 << 30;
/// Longest name in bytes.
pub const MAX_NAME_BYTES: usize = 256;
/// Most steps between keyframes.
pub(super) const MAX_KEYFRAME_STEPS: u32 = 1_000_000;

/// A closed range of numbers, its unit, and what to do about a number outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    low: Exact,
    high: Exact,
    unit: &'static str,
    pub(super) hint: &'static str,
}

impl Limits {
    const fn new(low: Exact, high: Exact, unit: &'static str, hint: &'static str) -> Self {
        Self { low, high, unit, hint }
    }

    const fn symmetric(high: i128, unit: &'static str) -> Self {
        Self::new(Exact::new(-high, 0), Exact::new(high, 0), unit, "")
    }

    /// From minus `high` to `high`, a number of the scene.
    pub(super) fn around_zero(high: Exact, unit: &'static str, hint: &'static str) -> Self {
        let low = Exact::ZERO.checked_sub(high).unwrap_or(Exact::ZERO);
        Self::new(low, high, unit, hint)
    }

    /// Whether a number that is not exact is within them.
    pub(super) fn contain_about(&self, value: f64) -> bool {
        (self.low.to_decimal().to_f64()..=self.high.to_decimal().to_f64()).contains(&value)
    }

    pub(super) fn contain(&self, value: Exact) -> bool {
        self.low <= value && value <= self.high
    }
}

impl Display for Limits {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if self.unit.is_empty() { "" } else { " " };
        write!(formatter, "a number from {} to {}{space}{}", self.low, self.high, self.unit)
    }
}

const ZERO: Exact = Exact::ZERO;
const THOUSANDTH: Exact = Exact::new(1, 3);
const MILLIONTH: Exact = Exact::new(1, 6);
const ONE: Exact = Exact::new(1, 0);
const THOUSAND: Exact = Exact::new(1000, 0);
const WORLD: Exact = Exact::new(30_000, 0);
const BILLION: Exact = Exact::new(1_000_000_000, 0);

const WIDEN: &str = "an error in the last digits grows with the distance; 30000 is the most that stays exact enough";

pub(super) const POSITION_BOUND: Limits = Limits::new(ONE, WORLD, "m", WIDEN);
pub(super) const SPEED_BOUND: Limits = Limits::new(ONE, WORLD, "m/s", "");
pub(super) const ANGULAR_SPEED_BOUND: Limits = Limits::new(ONE, WORLD, "rad/s", "");
pub(super) const ACCELERATION: Limits = Limits::symmetric(10_000, "m/s^2");
pub(super) const HERTZ: Limits = Limits::new(THOUSANDTH, THOUSAND, "Hz", "");
pub(super) const DAMPING_RATIO: Limits = Limits::new(ZERO, THOUSAND, "", "");
pub(super) const SOLVER_SPEED: Limits = Limits::new(ZERO, THOUSAND, "m/s", "");
pub(super) const SOLVER_DISTANCE: Limits = Limits::new(ZERO, ONE, "m", "");
pub(super) const PART_OF_ONE: Limits = Limits::new(ZERO, ONE, "", "");
pub(super) const FRICTION: Limits = Limits::new(ZERO, THOUSAND, "", "");
pub(super) const FRICTION_ARM: Limits =
    Limits::new(ZERO, THOUSAND, "m", "these coefficients are lengths: a ball on grass has some millimetres");
pub(super) const DENSITY: Limits =
    Limits::new(THOUSANDTH, MILLION, "kg/m^3", "for a body that nothing can move, write `kind: Static`");
const MILLION: Exact = Exact::new(1_000_000, 0);
pub(super) const SIZE: Limits =
    Limits::new(Exact::new(1, 4), Exact::new(10_000, 0), "m", "every size must be positive");
pub(super) const OFFSET: Limits = Limits::symmetric(10_000, "m");
pub(super) const POINT: Limits = Limits::symmetric(30_000, "m");
pub(super) const QUERY_REACH: Limits = Limits::new(ZERO, WORLD, "m", "");
pub(super) const QUERY_SECONDS: Limits = Limits::new(ZERO, THOUSAND, "s", "");
pub(super) const MASS: Limits = Limits::new(
    MILLIONTH,
    BILLION,
    "kg",
    "a mass must be positive; for a body that nothing can move, write `kind: Static`",
);
pub(super) const MOMENT: Limits = Limits::new(MILLIONTH, BILLION, "kg m^2", "a moment of inertia must be positive");
pub(super) const PRODUCT_OF_INERTIA: Limits = Limits::symmetric(1_000_000_000, "kg m^2");
pub(super) const DAMPING: Limits =
    Limits::new(ZERO, Exact::new(10_000, 0), "1/s", "damping only slows; it is not negative");
pub(super) const POWER_DAMPING: Limits =
    Limits::new(ZERO, ONE, "", "with `damping: Power` this is the part of the velocity lost per second");
pub(super) const GRAVITY_SCALE: Limits = Limits::symmetric(1000, "");
pub(super) const DIRECTION: Limits = Limits::new(THOUSANDTH, THOUSAND, "", "");
pub(super) const QUATERNION: Limits = Limits::new(THOUSANDTH, THOUSAND, "", "no rotation is `Quaternion(1, 0, 0, 0)`");
pub(super) const DEGREES: Limits = Limits::symmetric(36_000, "degrees");
pub(super) const RADIANS: Limits = Limits::symmetric(1000, "rad");
pub(super) const INPUT: Limits = Limits::symmetric(1_000_000_000, "");
