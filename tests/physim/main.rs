//! The integration tests, one module per theme.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and its oracle may use what the library may not"
)]

mod allocations;
mod attack;
mod bench_scenes;
mod bisect;
mod bisect_programs;
mod command_line;
mod common;
mod contradictions;
mod coverage;
mod damage;
mod determinism;
mod difference;
mod encoding;
mod engines;
mod export;
mod export_command;
mod field_flips;
mod gaps_in_logs;
mod git_bisect;
mod gltf_files;
mod goldens;
mod hash_logs;
mod hostile_names;
mod hostile_state;
mod joints;
mod kept_goldens;
mod kept_logs;
mod large_scenes;
mod left_behind;
mod log_evidence;
mod minimize;
mod named_in_logs;
mod new_results;
mod pages;
mod physics;
mod plot;
mod program_windows;
mod proof;
mod proposals;
mod queries;
mod run_sources;
mod scenes;
mod several_logs;
mod shared_goldens;
mod stress;
mod support;
mod sweep;
mod telling_races;
mod tidy;
mod uncovered_goldens;
mod verify_lists;
mod verify_names;
mod verify_programs;
mod view;
