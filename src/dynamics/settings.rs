//! The settings of a run as numbers of its scalar. Constant during a run, so not state.

use crate::collision::{Bearing, ContactSearch, NarrowPhase};
use crate::dynamics::contact::touching_gap;
use crate::math::{Scalar, Vec3};

/// How gravity enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GravityMode {
    /// Added to the velocities.
    Acceleration,
    /// As a force `m g` in the accumulators.
    Force,
}

/// How an angular velocity turns an orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RotationUpdate {
    /// `q + dt/2 (0, omega) q`, normalised.
    FirstOrder,
    /// `exp(dt/2 (0, omega)) q`.
    ExponentialMap,
}

/// The form of damping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DampingForm {
    /// `v / (1 + c dt)`.
    Implicit,
    /// `v exp(-c dt)`.
    Exponential,
    /// `v (1 - d)^dt`.
    Power,
}

/// How overlap is removed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Correction<S> {
    /// Contacts as damped springs.
    Soft(Softness<S>),
    /// A part of the overlap is added to the velocities.
    Baumgarte {
        /// The part removed per step, over the length of a substep: 1/s.
        rate: S,
        /// Overlap left alone, in metres.
        slop: S,
    },
    /// A part of the overlap is removed from the positions after the solve.
    Projection {
        /// The part removed per pass.
        beta: S,
        /// Overlap left alone, in metres.
        slop: S,
    },
}

/// A damped spring as three numbers that are stable at any step length.
///
/// Source: Erin Catto, 2011, Soft Constraints; 2024, Solver2D.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Softness<S> {
    /// Approach rate to zero overlap, 1/s.
    pub bias_rate: S,
    /// Part of the velocity error that is removed, 0 to 1.
    pub mass_scale: S,
    /// Part of the kept impulse that is given back, 0 to 1.
    pub impulse_scale: S,
    /// Largest speed that overlap may cause, m/s.
    pub push_speed: S,
}

/// The largest speed in m/s that an error of position may cause where no setting bounds it: that of the settings that can.
const FASTEST_CORRECTION: i32 = 1000;

impl<S: Scalar> Softness<S> {
    /// The frequency in hertz that goes with so many relax iterations after each of `rate` substeps per second.
    ///
    /// A warm-started contact is damped as long as its spring turns by less than `sqrt(1 + relax_iterations)` radians in a
    /// substep, whatever its damping ratio; this is four fifths of that.
    #[must_use]
    pub fn following(relax_iterations: u32, rate: S) -> S {
        let per_substep = S::from_ratio(4, 5) * S::from_ratio(1 + i64::from(relax_iterations), 1).sqrt();
        rate * (per_substep / (S::TWO * S::PI)).min(S::from_ratio(1, 4))
    }

    /// A frequency in hertz, held down to a quarter of the rate: a faster spring cannot be followed by the steps.
    #[must_use]
    pub fn bounded(hertz: S, rate: S) -> S {
        hertz.min(rate * S::from_ratio(1, 4))
    }

    /// The spring of frequency `hertz` and this damping ratio, for substeps of which `rate` make a second.
    #[must_use]
    pub fn new(hertz: S, damping_ratio: S, push_speed: S, rate: S) -> Self {
        let omega = S::TWO * S::PI * Self::bounded(hertz, rate);
        let per_step = omega / rate;
        let damping = S::TWO * damping_ratio + per_step;
        let stiffness = per_step * damping;
        let impulse_scale = S::ONE / (S::ONE + stiffness);
        Self { bias_rate: omega / damping, mass_scale: stiffness * impulse_scale, impulse_scale, push_speed }
    }

    /// The spring of joints where contacts have the frequency `hertz`: twice as fast, as far as the steps can follow, for a joint
    /// bears what hangs on it and not only what lies on it; with half the damping ratio of contacts as they are by default.
    #[must_use]
    pub fn of_joints(hertz: S, push_speed: S, rate: S) -> Self {
        Self::new(hertz * S::TWO, S::from_i32(5), push_speed, rate)
    }

    /// No spring: the whole speed error is removed, and an error of position at this rate, 1/s.
    #[must_use]
    pub fn rigid(bias_rate: S) -> Self {
        let push_speed = S::from_i32(FASTEST_CORRECTION);
        Self { bias_rate, mass_scale: S::ONE, impulse_scale: S::ZERO, push_speed }
    }
}

/// What is kept from being negative while a contact is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clamping {
    /// The sum of a point's normal impulse over the iterations.
    Accumulated,
    /// The part of each iteration alone.
    PerIteration,
}

/// How the normal rows of a manifold are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalRows {
    /// Together.
    Block,
    /// One after the other.
    PerPoint,
}

/// Which rows of friction a manifold has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionRows {
    /// A central row for both directions, and one against twisting.
    Patch,
    /// A pair of rows for each point.
    PerPoint,
}

/// The impulse solver's settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverSettings<S> {
    /// Parts of a step.
    pub substeps: u32,
    /// Velocity iterations per substep.
    pub iterations: u32,
    /// Iterations without position correction, per substep: at least so many.
    pub relax_iterations: u32,
    /// At most so many of them, and never fewer than `relax_iterations`.
    pub relax_limit: u32,
    /// Whether kept impulses are applied.
    pub warm_starting: bool,
    /// What is kept from being negative.
    pub clamping: Clamping,
    /// How the normal rows of a manifold are solved.
    pub normals: NormalRows,
    /// Which rows of friction a manifold has.
    pub friction: FrictionRows,
    /// How overlap is removed.
    pub correction: Correction<S>,
    /// How joints are brought together that have come apart.
    pub joints: Softness<S>,
    /// Approach speed up to which nothing bounces whose bodies are slow along the normal in every way, m/s.
    pub restitution_threshold: S,
}

/// Limits beyond which a body has escaped, each on the magnitude of a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<S> {
    /// Position, metres.
    pub position: S,
    /// Velocity, m/s.
    pub speed: S,
    /// Angular velocity, rad/s.
    pub angular_speed: S,
}

impl<S: Scalar> Bounds<S> {
    /// Whether every component of `v` is at most `limit` in magnitude; false for NaN.
    #[inline(always)]
    #[must_use]
    pub fn holds(limit: S, v: Vec3<S>) -> bool {
        // Without branches: it is asked of all bodies in a row.
        let inside = |component: S| (component <= limit) & (component >= -limit);
        inside(v.x) & inside(v.y) & inside(v.z)
    }
}

/// All settings of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<S: Scalar> {
    /// Length of a substep in seconds.
    pub substep: S::Fraction,
    /// The same as a plain number, for times within a substep.
    pub substep_seconds: S,
    /// Length of a step in seconds.
    pub step_seconds: S,
    /// Half the length of a substep in seconds.
    pub half_substep: S::Fraction,
    /// Substeps per second.
    pub rate: S,
    /// How gravity enters.
    pub gravity_mode: GravityMode,
    /// How orientations are advanced.
    pub rotation: RotationUpdate,
    /// Whether unequal moments of inertia make a body precess.
    pub gyroscopic: bool,
    /// The form of damping.
    pub damping: DampingForm,
    /// The solver.
    pub solver: SolverSettings<S>,
    /// Gap up to which contact points are made, metres: of all collision, whatever solves it.
    pub contact_margin: S,
    /// By which methods contacts are found.
    pub narrow_phase: NarrowPhase,
    /// Whether bodies that would meet within a substep are found there.
    pub continuous: bool,
    /// Where a run must stay.
    pub bounds: Bounds<S>,
}

impl<S: Scalar> Settings<S> {
    /// The gap up to which a contact has rows, metres: what touches, or, without a look within substeps, all that is near.
    #[inline]
    #[must_use]
    pub fn gap_of_rows(&self) -> S {
        if self.continuous { touching_gap() } else { self.contact_margin }
    }

    /// How near in time, in seconds, impacts are to each other that happen at once.
    #[inline]
    #[must_use]
    pub fn moment(&self) -> S {
        self.substep_seconds.scale_by_power_of_two(-6)
    }

    /// How the contacts of pairs are looked for.
    #[inline]
    #[must_use]
    pub fn contact_search(&self) -> ContactSearch<S> {
        ContactSearch { method: self.narrow_phase, own: self.gap_of_rows(), bearing: Bearing::NONE }
    }
}
