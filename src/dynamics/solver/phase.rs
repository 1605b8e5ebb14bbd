//! The phases of a solve, in order, and what is called at their ends.

use std::fmt::Display;

use crate::dynamics::solver::Solve;
use crate::math::Scalar;

/// A phase of the solve; substeps, iterations and passes count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Rows are made from the contacts.
    Prepare,
    /// Forces changed the velocities.
    Velocities {
        /// Of which substep.
        substep: u32,
    },
    /// What met within the substep was struck.
    Impacts {
        /// Of which substep.
        substep: u32,
    },
    /// The kept impulses were applied.
    WarmStart {
        /// Of which substep.
        substep: u32,
    },
    /// One pass over all rows.
    Iteration {
        /// Of which substep.
        substep: u32,
        /// Which pass.
        iteration: u32,
    },
    /// Velocities changed the poses.
    Positions {
        /// Of which substep.
        substep: u32,
    },
    /// One pass over all rows that takes out what the correction of overlap brought in.
    Relax {
        /// Of which substep.
        substep: u32,
        /// Which pass.
        iteration: u32,
    },
    /// What blows through something light pushed too much was taken back.
    Rebounds {
        /// Of which substep.
        substep: u32,
    },
    /// Overlap was removed from the positions.
    Projection,
    /// Bodies with unequal moments of inertia carried their angular momentum over to the new orientation.
    AngularMomentum,
    /// The impulses went back to the contacts that keep them.
    Store,
}

impl Display for Phase {
    /// The phase in reports, where everything counts from 1.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Prepare => formatter.write_str("prepare"),
            Self::Velocities { substep } => write!(formatter, "substep {} velocities", substep + 1),
            Self::Impacts { substep } => write!(formatter, "substep {} impacts", substep + 1),
            Self::WarmStart { substep } => write!(formatter, "substep {} warm start", substep + 1),
            Self::Iteration { substep, iteration } => {
                write!(formatter, "substep {} iteration {}", substep + 1, iteration + 1)
            }
            Self::Positions { substep } => write!(formatter, "substep {} positions", substep + 1),
            Self::Relax { substep, iteration } => write!(formatter, "substep {} relax {}", substep + 1, iteration + 1),
            Self::Rebounds { substep } => write!(formatter, "substep {} rebounds", substep + 1),
            Self::Projection => formatter.write_str("projection"),
            Self::AngularMomentum => formatter.write_str("angular momentum"),
            Self::Store => formatter.write_str("store"),
        }
    }
}

/// Is called at the end of each phase of a solve, and may change what the phase left.
pub trait PhaseHook<S: Scalar> {
    /// `phase` has just ended and left the solve like this.
    fn phase_ended(&mut self, phase: Phase, solve: &mut Solve<'_, S>);
}
