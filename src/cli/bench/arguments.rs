//! What `physim bench` is told.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use crate::analysis::benchmark::Settings;
use crate::math::ScalarKind;
use crate::math::lanes::LanePath;
use clap::Args;

use crate::cli::options::{TextOrJson, lane_paths, parse_threads, parse_whole, scalars};
use crate::cli::source::is_dash;

const EXAMPLES: &str = "\
Examples:
  physim bench scenes/bench                                 every scene of a folder
  physim bench scenes/bench/wall_40.ron --scalar fixed,f32 --rounds 5
  physim bench scenes/bench -o before.json                  keep the result
  physim bench scenes/bench --compare before.json           what has changed since?
  physim bench game.ron --steps 300 --warm-up 100 --set solver.iterations=4

Exit status: 0 measured, whatever the times are; 1 a run did not repeat, so that its times mean
nothing; 2 wrong usage, a wrong scene, a run that stopped, or an earlier result of other work.";

/// Measure what a step costs, by stage
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BenchArguments {
    /// Scenes, files in RON or folders of them; `-` is standard input
    #[arg(required = true, value_name = "SCENE")]
    pub(super) scenes: Vec<PathBuf>,

    /// The number types to compute in, separated by commas: fixed, f32, f64; may be repeated [default: the scene's]
    #[arg(long, value_name = "SCALAR", value_delimiter = ',', value_parser = scalars(), hide_possible_values = true)]
    pub(super) scalar: Vec<ScalarKind>,

    /// How many steps each run takes [default: the scene's]
    #[arg(long, value_name = "N", value_parser = parse_whole::<1, 1_000_000_000>)]
    pub(super) steps: Option<u32>,

    /// Take the first N of these steps without counting them
    #[arg(long, value_name = "N", default_value = "0", value_parser = parse_whole::<0, 1_000_000_000>)]
    warm_up: u32,

    /// How often each run is made, in turn with the others: times are medians over the rounds
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_whole::<1, 1000>)]
    rounds: u32,

    /// How many threads work on each run; never changes a result
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_threads)]
    pub(super) threads: NonZeroU32,

    /// The vectors to work with: scalar, sse2, avx2, avx512 or neon; never changes a result [default: the widest that this machine
    /// has]
    #[arg(long, value_name = "PATH", value_parser = lane_paths(), hide_possible_values = true)]
    pub(super) lanes: Option<LanePath>,

    /// Set one key of every scene, such as `solver.iterations=20`; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(super) set: Vec<String>,

    /// Compare with an earlier result, a file that `-o` wrote: times now over times then
    #[arg(long, value_name = "FILE")]
    pub(super) compare: Option<PathBuf>,

    /// Write the result as JSON into this file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// How to write the result: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    pub(super) format: TextOrJson,

    /// Replace the output even if it is a file of another kind
    #[arg(long)]
    pub(super) force: bool,
}

impl BenchArguments {
    /// The file of the result, if it goes into one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| !is_dash(path))
    }

    /// The vectors to work with.
    pub(super) fn lanes(&self) -> LanePath {
        self.lanes.unwrap_or_else(LanePath::widest)
    }

    /// How to measure.
    pub(super) fn settings(&self) -> Settings {
        Settings {
            rounds: self.rounds,
            warm_up: self.warm_up,
            threads: self.threads.get(),
            lanes: Some(self.lanes().name().to_owned()),
            set: self.set.clone(),
        }
    }
}
