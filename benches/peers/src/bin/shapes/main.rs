//! Shapes in physim and in parry, the collision library of Rapier: do they agree on distances, depths and rays, and what does a call take?
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml --bin shapes`; README.md says how to read the tables.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a benchmark measures time")]

mod agreement;
mod pair;
mod speed;
mod theirs;

use clap::Parser;

/// Compares the shapes of physim with those of parry, pair by pair
#[derive(Debug, Parser)]
struct Arguments {
    /// Random pairs for each combination of shapes
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,

    /// The seed of the pairs
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Rounds in which calls are timed, in turn
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Leave the times out
    #[arg(long)]
    no_times: bool,

    /// Only rows whose name holds this text; with times also the call, as in `ray | box`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

fn main() {
    let arguments = Arguments::parse();
    let only = arguments.only.as_deref().unwrap_or_default();
    if arguments.no_times || only.is_empty() {
        agreement::distances(arguments.pairs, arguments.seed, only);
    }
    if only.is_empty() {
        agreement::rays(arguments.pairs, arguments.seed);
    }
    if !arguments.no_times {
        speed::print(arguments.rounds, arguments.seed, only);
    }
}
