//! What a step costs, by stage, and what hashing and recording add to it.
//!
//! `cargo bench --bench steps -- [SCENE...] [--steps N] [--rounds N]` runs each bench scene on each scalar, rounds
//! interleaved, and prints medians in milliseconds per step. Every round must come to the same final hash: a benchmark
//! of two different computations measures nothing.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark measures time, prints it, and fails by panicking"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use physim::math::{Scalar, ScalarKind, ScalarTask};
use physim::replay::ReplayWriter;
use physim::scene::{self, Scene};
use physim::session::Session;
use physim::session::record::{RunPlan, record};
use physim::world::World;
use physim::world::schedule::Schedule;
use physim::world::stage::{Observer, Stage};

const SCENES: [&str; 5] = ["wall_40", "columns_10x10", "pile_boxes_1000", "pile_boxes_5000", "pile_spheres_5000"];

fn main() {
    let options = Options::from_arguments();
    println!("ms per step on one thread, medians of {} interleaved rounds", options.rounds);
    println!(
        "{:<18} {:<6} {:>5} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}  final hash",
        "scene", "scalar", "steps", "step", "broad", "narrow", "colour", "solve", "other", "hash%", "record%"
    );
    for name in &options.scenes {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/bench/{name}.ron"));
        let mut scene = scene::load(&path).expect("a bench scene");
        scene.steps = options.steps.unwrap_or(scene.steps);
        let scene = Arc::new(scene);
        let mut rounds: Vec<Vec<Round>> = vec![Vec::new(); ScalarKind::ALL.len()];
        for _ in 0..options.rounds {
            for (kind, rounds) in ScalarKind::ALL.into_iter().zip(&mut rounds) {
                rounds.push(kind.dispatch(Measure { scene: &scene }));
            }
        }
        for (kind, rounds) in ScalarKind::ALL.into_iter().zip(&rounds) {
            print_row(name, kind, scene.steps, rounds);
        }
    }
}

struct Options {
    scenes: Vec<String>,
    steps: Option<u32>,
    rounds: usize,
}

impl Options {
    fn from_arguments() -> Self {
        let mut options = Self { scenes: Vec::new(), steps: None, rounds: 3 };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
            match argument.as_str() {
                "--steps" => options.steps = Some(number()),
                "--rounds" => options.rounds = number() as usize,
                "--bench" => {}
                scene => options.scenes.push(scene.to_owned()),
            }
        }
        if options.scenes.is_empty() {
            options.scenes = SCENES.map(str::to_owned).to_vec();
        }
        options
    }
}

/// One round of one scene on one scalar.
#[derive(Clone)]
struct Round {
    stages: [Duration; Stage::ALL.len()],
    /// Steps without hashing, the sum of the stages.
    stepping: Duration,
    /// Encoding and hashing.
    hashing: Duration,
    /// What writing the replay adds to a run that hashes.
    recording: Duration,
    hash: String,
}

/// Adds up the time of each stage.
struct Timer {
    last: Instant,
    stages: [Duration; Stage::ALL.len()],
}

impl<S: Scalar> Observer<S> for Timer {
    fn stage_ended(&mut self, stage: Stage, _: &World<S>) {
        let now = Instant::now();
        self.stages[stage as usize] += now - self.last;
        self.last = now;
    }
}

struct Measure<'a> {
    scene: &'a Arc<Scene>,
}

impl ScalarTask for Measure<'_> {
    type Output = Round;

    fn run<S: Scalar>(self) -> Round {
        let scene = self.scene;
        let mut session =
            Session::<S>::new(scene, Schedule::new(scene.inputs.clone()), Vec::new(), 1).expect("a world");
        let mut timer = Timer { last: Instant::now(), stages: Default::default() };
        let mut hashing = Duration::ZERO;
        for _ in 0..scene.steps {
            timer.last = Instant::now();
            session.advance(&mut timer).expect("the scene runs to its end");
            hashing += timer.last.elapsed();
        }
        let hash = session.hash().hex();
        let (bare, recorded) = (run::<S>(scene, false), run::<S>(scene, true));
        assert_eq!((&bare.1, &recorded.1), (&hash, &hash), "every run computes the same");
        Round {
            stages: timer.stages,
            stepping: timer.stages.iter().sum(),
            hashing,
            recording: recorded.0.saturating_sub(bare.0),
            hash,
        }
    }
}

/// A whole run, recorded to memory or not: its time and final hash.
fn run<S: Scalar>(scene: &Arc<Scene>, to_memory: bool) -> (Duration, String) {
    let plan = RunPlan { scalar: S::KIND, ..RunPlan::new(Arc::clone(scene)) };
    let start = Instant::now();
    let mut open =
        |header: &_, scene: &_| to_memory.then(|| ReplayWriter::new("memory", Vec::new(), header, scene)).transpose();
    let (summary, _) = record(&plan, &mut open, &mut |_| {}).expect("a recorded run");
    (start.elapsed(), summary.hash.hex())
}

fn print_row(name: &str, kind: ScalarKind, steps: u32, rounds: &[Round]) {
    let per_step = |pick: &dyn Fn(&Round) -> Duration| {
        let mut values: Vec<f64> = rounds.iter().map(|round| pick(round).as_secs_f64() * 1e3).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2] / f64::from(steps)
    };
    let stage = |stage: Stage| per_step(&|round: &Round| round.stages[stage as usize]);
    let step = per_step(&|round| round.stepping);
    let named = [Stage::BroadPhase, Stage::NarrowPhase, Stage::Colouring, Stage::Solve].map(stage);
    let hash = &rounds[0].hash;
    assert!(rounds.iter().all(|round| round.hash == *hash), "every round computes the same");
    println!(
        "{name:<18} {kind:<6} {steps:>5} {step:>8.3} {:>8.3} {:>8.3} {:>8.3} {:>8.3} {:>8.3} {:>6.1}% {:>6.1}%  {}",
        named[0],
        named[1],
        named[2],
        named[3],
        step - named.iter().sum::<f64>(),
        100.0 * per_step(&|round| round.hashing) / step,
        100.0 * per_step(&|round| round.recording) / step,
        &hash[..12],
    );
}
