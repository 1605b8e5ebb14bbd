//! The constraint solver of a scene.

use serde::{Deserialize, Serialize};

use crate::scene::decimal::Decimal;
use crate::scene::defaults;

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
    /// Parts into which the solver cuts a step. Default 4.
    pub substeps: u32,
    /// Velocity iterations in each substep. Default 1.
    pub iterations: u32,
    /// Iterations without position correction after the positions have moved; used with `Soft`. Default 1.
    pub relax_iterations: u32,
    /// Whether a step starts from the impulses of the step before. Default true.
    pub warm_starting: bool,
    /// How overlap is removed. Default `Soft(hertz: 30, damping_ratio: 10, push_speed: 3)`.
    pub correction: Correction,
    /// Approach speed in m/s below which nothing bounces. Default 1.
    pub restitution_threshold: Decimal,
    /// Gap in metres up to which a contact point is made before the shapes touch. Default 0.02.
    pub speculative_distance: Decimal,
}

/// How overlap is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Correction {
    /// Contacts as damped springs: frequency in hertz, damping ratio, and the largest speed in m/s that pushes apart.
    /// Defaults 30, 10, 3.
    Soft {
        /// Frequency of the spring, hertz.
        #[serde(default = "defaults::hertz")]
        hertz: Decimal,
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
