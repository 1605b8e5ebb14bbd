//! The command line as its users meet it: texts, JSON, streams and exit statuses of the built program.

mod accept;
mod accept_logs;
mod bench;
mod check;
mod diff;
mod error_json;
mod help;
mod newcomer;
mod probe;
mod program_name;
mod query;
mod run;
mod run_output;
mod show;
mod show_ranges;
mod streams;
mod verify;
mod wrong_keyframe;
