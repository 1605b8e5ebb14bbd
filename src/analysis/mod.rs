//! Reads replays and runs them again: do they still reproduce, where do two diverge, what do they show.
//!
//! A re-run proves something only when it first reproduces its own recorded hashes. Nothing in here prints.

pub mod benchmark;
pub mod bisect;
pub mod body_pattern;
pub mod body_point;
pub mod checkpoints;
pub mod compare;
pub mod compare_checkpoints;
pub mod contact_samples;
pub mod coverage;
pub mod diff;
pub mod energy_gain;
pub mod golden;
pub mod joint_gaps;
pub mod lockstep;
pub mod majority;
pub mod mass;
pub mod measures;
mod meeting;
pub mod minimize;
pub mod operands;
pub mod outcome;
pub mod outline;
pub mod part_overlaps;
pub mod passing_surfaces;
pub mod probe;
pub mod query;
pub mod read_back;
pub mod replay_plan;
pub mod rerun;
pub mod resimulated;
pub mod roster;
pub mod run_source;
pub mod sensor_events;
pub mod show;
pub mod show_steps;
pub mod start_overlaps;
pub mod states;
pub mod step_difference;
pub mod stiffness;
pub mod stress;
pub mod sweep;
pub mod tolerance;
pub mod trace;
mod tunnelling;
pub mod verify;

pub use outcome::{
    FieldDifference, Finding, FirstDifference, Operand, OrderDifference, Reached, SideValue, Spread, Verdict,
};
