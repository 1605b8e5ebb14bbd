//! The constraint solver of a scene.

use serde::{Deserialize, Serialize};

use crate::scene::decimal::Decimal;
use crate::scene::model::defaults;

/// The constraint solver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Solver {
    /// Sequential impulses.
    Impulse(ImpulseSolver),
}

/// Sequential impulses, set so that each method of the literature is a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImpulseSolver {
    /// Parts into which the solver cuts a step. Where it is not given, 10, or as many as the smallest bodies need, up to 64:
    /// see [`substeps`](crate::scene::substeps).
    pub substeps: Option<u32>,
    /// Velocity iterations in each substep. Default 1.
    pub iterations: u32,
    /// Iterations without position correction after the positions have moved: at least so many. Default 1.
    pub relax_iterations: u32,
    /// At most so many of them while a contact still leaves with the speed of its correction; where this is below
    /// `relax_iterations`, those count. Default 8.
    pub relax_limit: u32,
    /// Whether a step starts from the impulses of the step before. Default true.
    pub warm_starting: bool,
    /// What is kept from being negative: the sum of an impulse over the iterations, or the part of each. Default
    /// `Accumulated`.
    pub clamping: Clamping,
    /// How the normal rows of a manifold are solved. Default `Block`.
    pub normals: NormalRows,
    /// Which rows of friction a manifold has. Default `PerPoint`.
    pub friction: FrictionRows,
    /// How overlap is removed. Default `Soft(damping_ratio: 10, push_speed: 3)`.
    pub correction: Correction,
    /// Approach speed in m/s up to which nothing bounces whose bodies are slow along the normal in every way. Default 1.
    pub restitution_threshold: Decimal,
    /// Gap in metres up to which a contact point is made before the shapes touch. Default 0.02.
    pub speculative_distance: Decimal,
}

/// What is kept from being negative while a contact is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clamping {
    /// The sum of a point's normal impulse over the iterations: a later one may take back what an earlier one gave.
    #[default]
    Accumulated,
    /// The part of each iteration alone: nothing is ever taken back.
    PerIteration,
}

/// How the normal rows of a manifold are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NormalRows {
    /// Together.
    #[default]
    Block,
    /// One after the other.
    PerPoint,
}

/// Which rows of friction a manifold has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FrictionRows {
    /// A central row for both directions, and one against twisting.
    Patch,
    /// A pair of rows for each point.
    #[default]
    PerPoint,
}

/// How overlap is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Correction {
    /// Contacts as damped springs: frequency in hertz, damping ratio, and the largest speed in m/s that pushes apart.
    /// Defaults: as stiff as the substeps allow, 10, 3.
    Soft {
        /// Frequency of the spring, hertz. Where it is not given it follows the substeps, each of which the spring turns by
        /// `0.8 sqrt(1 + relax_iterations)` radians.
        #[serde(default)]
        hertz: Option<Decimal>,
        /// Damping ratio; 1 is critical.
        #[serde(default = "defaults::damping_ratio")]
        damping_ratio: Decimal,
        /// Largest speed that overlap may cause, m/s.
        #[serde(default = "defaults::push_speed")]
        push_speed: Decimal,
    },
    /// A part `beta` of the overlap beyond `slop` (metres) is added to the velocities per step.
    /// Defaults 0.2, 0.005.
    Baumgarte {
        /// Part of the overlap removed per step, 0 to 1.
        #[serde(default = "defaults::beta")]
        beta: Decimal,
        /// Overlap left alone, metres.
        #[serde(default = "defaults::slop")]
        slop: Decimal,
    },
    /// A part `beta` of the overlap beyond `slop` (metres) is removed from the positions after the solve.
    /// Defaults 0.2, 0.005.
    Projection {
        /// Part of the overlap removed per pass, 0 to 1.
        #[serde(default = "defaults::beta")]
        beta: Decimal,
        /// Overlap left alone, metres.
        #[serde(default = "defaults::slop")]
        slop: Decimal,
    },
}
