//! What people and machines read: texts, JSON, progress. Nothing else in the program prints.
//!
//! A report is made from what the library found, as a text; [`console`] brings it to the right stream, with colours
//! or without.

pub mod accept;
pub mod bench;
pub mod bisect;
pub mod chart;
pub mod check;
pub mod console;
pub mod diff;
pub mod difference;
pub mod error;
pub mod export;
pub mod foreign_minimize;
pub mod json;
pub mod majority;
pub mod minimize;
pub mod number;
pub mod physical;
pub mod plot;
pub mod probe;
pub mod probe_picture;
pub mod program;
pub mod progress;
pub mod query;
pub mod run;
pub mod show;
pub mod spread_plot;
pub mod stress;
pub mod style;
pub mod sweep;
pub mod sweep_plot;
pub mod table;
pub mod trace;
pub mod verify;
pub mod view;
