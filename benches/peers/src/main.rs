//! The same scenes in physim and in Rapier, in one process and in turn: times, and what came of them.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- [SCENE...]`; README.md says what is matched.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a benchmark measures time")]

mod cell;
mod clock;
mod engine;
mod own;
mod quality;
mod rapier;
mod reference;
mod table;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use physim::math::lanes::LanePath;
use physim::scene::{self, Scene};

use crate::clock::Clock;
use crate::engine::{Measured, Plan, Variant};
use crate::reference::Reference;
use crate::table::{Report, SceneRows};

/// Compares physim with Rapier on the same scenes, side by side
#[derive(Debug, Parser)]
struct Arguments {
    /// Scenes [default: all of scenes/bench]
    scenes: Vec<PathBuf>,

    /// How many steps each run takes [default: the scene's]
    #[arg(long)]
    steps: Option<u32>,

    /// Take the first N of these steps without counting them
    #[arg(long, default_value_t = 0)]
    warm_up: u32,

    /// How often each run is made, in turn with the others
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,

    /// Threads of each engine; more than one needs `--features parallel`
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,

    /// Measure the time in which the thread ran, not that which passed: for a machine that does other things too
    #[arg(long)]
    thread_time: bool,

    /// The vectors that physim works with, such as avx2 [default: the widest that the machine has]
    #[arg(long)]
    lanes: Option<LanePath>,

    /// Only these columns, by name, such as rapier-f32,fixed-matched
    #[arg(long, value_delimiter = ',', value_parser = Variant::parse)]
    only: Vec<Variant>,

    /// Print the tables as Markdown
    #[arg(long)]
    markdown: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    if let Some(lanes) = arguments.lanes.filter(|lanes| !lanes.is_available()) {
        return Err(format!("this machine has no {}", lanes.name()).into());
    }
    if arguments.threads > 1 && !cfg!(feature = "parallel") {
        return Err("Rapier was built for one thread; build with --features parallel".into());
    }
    if arguments.threads > 1 && arguments.thread_time {
        return Err("--thread-time is the time of one thread; leave it out with --threads".into());
    }
    let clock = if arguments.thread_time { Clock::Thread } else { Clock::Wall };
    let variants: Vec<Variant> =
        Variant::ALL.into_iter().filter(|one| arguments.only.is_empty() || arguments.only.contains(one)).collect();
    let mut report = Report {
        rounds: arguments.rounds,
        warm_up: arguments.warm_up,
        threads: arguments.threads,
        clock,
        variants,
        scenes: Vec::new(),
    };
    for path in scenes(arguments)? {
        let rows = measure(arguments, clock, &report.variants, &path)?;
        report.scenes.push(rows);
    }
    print!("{}", report.render(arguments.markdown));
    Ok(())
}

/// The files of the scenes, by name where they are those of the folder.
fn scenes(arguments: &Arguments) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    if !arguments.scenes.is_empty() {
        return Ok(arguments.scenes.clone());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/bench");
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "ron") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Runs every variant of a scene once in each round.
fn measure(
    arguments: &Arguments,
    clock: Clock,
    variants: &[Variant],
    path: &Path,
) -> Result<SceneRows, Box<dyn Error>> {
    let scene: Scene = scene::load(path)?;
    let name = scene.name.clone();
    let steps = arguments.steps.unwrap_or(scene.steps);
    if arguments.warm_up >= steps {
        return Err(format!("{name}: a warm-up of {} leaves nothing of {steps} steps", arguments.warm_up).into());
    }
    let lanes = arguments.lanes.unwrap_or_else(LanePath::widest);
    let plan = Plan { steps, warm_up: arguments.warm_up, threads: arguments.threads, lanes, clock };
    let reference = Reference::new(scene).map_err(|error| format!("{name}: {error}"))?;
    let mut rounds: Vec<Vec<Measured>> = variants.iter().map(|_| Vec::new()).collect();
    for round in 1..=arguments.rounds {
        for (variant, rounds) in variants.iter().zip(&mut rounds) {
            let told = format!("{name}: round {round} of {}, {variant}", arguments.rounds);
            // An engine that stops leaves an empty cell: the other engines' times of an hour are not lost with it.
            match variant.run(&reference, &plan) {
                Ok(measured) => {
                    eprintln!("{told}: {:.3} ms per step", measured.milliseconds);
                    rounds.push(measured);
                }
                Err(error) => eprintln!("{told}: stopped: {error}"),
            }
        }
    }
    let (bodies, joints) = (reference.world.bodies().len(), reference.world.joints().len());
    Ok(SceneRows { name, bodies, joints, steps, rounds })
}
