//! A lockstep game in miniature, with two desyncs in it. It is somebody else's engine: it uses nothing of physim.
//!
//! In lockstep every player's machine runs the whole game from the same commands, so all must compute the same bits.
//! Here units march to rally points and push each other away when in reach. The pushes on a unit are gathered in a
//! `HashMap`, whose order is another in every process, and summed in that order. Two pushes give the same sum either
//! way; from the third on, rounding depends on the order. So two runs are the same until a unit has three others in
//! reach. From then on its velocity differs in the last bits, then its position, then whom it pushes, until the whole
//! game differs.
//!
//! Each step prints one line of a hash log (`docs/hash-log.md`), which is all that physim needs to find the bug:
//!
//! ```text
//! cargo build --example lockstep_toy
//! target/debug/examples/lockstep_toy > a.log
//! target/debug/examples/lockstep_toy > b.log
//! physim diff a.log b.log
//! ```
//!
//! With `--sorted` the pushes are summed in the order of the units, and every run is the same.
//!
//! The other desync comes with rollback. With `--restore-at N` the game saves itself after step N and goes on from what it has saved,
//! as a player's machine does when a command comes late; that ought to change nothing. But it saves floats as decimal text with six
//! digits, and what comes back differs in the last bits. `--exact-saves` has the remedy: it saves the bits.
//!
//! Held to a recorded log (`examples/physim.ron` names both runs), neither goes unseen:
//!
//! ```text
//! physim verify examples/physim.ron
//! ```

#![allow(
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the order of a hash map is the bug this example has, and printing is what it does"
)]

use std::collections::HashMap;
use std::process::ExitCode;

const UNITS: usize = 12;
/// The width of the field, in cells.
const FIELD: u64 = 64;
/// How near another unit must be to push, in cells.
const REACH: f32 = 4.0;
/// What a march adds to the velocity in a step, in cells.
const PACE: f32 = 0.2;
const STEPS_PER_COMMAND: u32 = 60;
const USAGE: &str = "usage: lockstep_toy [--steps N] [--seed N] [--sorted] [--restore-at N] [--exact-saves]";

struct Options {
    steps: u32,
    seed: u64,
    sorted: bool,
    restore_at: Option<u32>,
    exact_saves: bool,
}

#[derive(Clone, Copy)]
struct Vector {
    x: f32,
    y: f32,
}

struct Unit {
    position: Vector,
    velocity: Vector,
}

struct Game {
    units: Vec<Unit>,
    rally: Vector,
    /// The state of the generator that stands for the players' commands.
    random: u64,
}

impl Game {
    fn new(seed: u64) -> Self {
        let mut game = Self { units: Vec::new(), rally: Vector { x: 0.0, y: 0.0 }, random: seed };
        for _ in 0..UNITS {
            let position = game.cell();
            game.units.push(Unit { position, velocity: Vector { x: 0.0, y: 0.0 } });
        }
        game
    }

    /// The middle of some cell of the field.
    fn cell(&mut self) -> Vector {
        Vector { x: self.coordinate(), y: self.coordinate() }
    }

    /// A linear congruential generator, of which the upper bits are the good ones.
    fn coordinate(&mut self) -> f32 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) % FIELD) as f32 + 0.5
    }

    fn step(&mut self, step: u32, sorted: bool) {
        if step % STEPS_PER_COMMAND == 1 {
            self.rally = self.cell();
        }
        let pushes: Vec<Vector> = (0..UNITS).map(|number| total(&self.pushes_on(number), sorted)).collect();
        for (unit, push) in self.units.iter_mut().zip(pushes) {
            unit.march(self.rally, push);
        }
    }

    /// How the units in reach push a unit away, by their numbers.
    fn pushes_on(&self, number: usize) -> HashMap<usize, Vector> {
        let mut pushes = HashMap::new();
        let here = self.units[number].position;
        for (other, unit) in self.units.iter().enumerate() {
            let (x, y) = (here.x - unit.position.x, here.y - unit.position.y);
            let squared = x * x + y * y;
            if other != number && squared < REACH * REACH {
                pushes.insert(other, Vector { x: x / (1.0 + squared), y: y / (1.0 + squared) });
            }
        }
        pushes
    }

    /// Saves the game, and goes on from what was saved.
    fn restore(&mut self, exact: bool) {
        let saved: Vec<[String; 4]> =
            self.units.iter().map(|unit| unit.fields().map(|(_, value)| saved(value, exact))).collect();
        for (unit, fields) in self.units.iter_mut().zip(&saved) {
            let [x, y, velocity_x, velocity_y] = fields.each_ref().map(|text| loaded(text, exact));
            unit.position = Vector { x, y };
            unit.velocity = Vector { x: velocity_x, y: velocity_y };
        }
    }

    /// FNV-1a over all state that can shape the future.
    fn hash(&self) -> u64 {
        let rally = [self.rally.x, self.rally.y];
        let units = self.units.iter().flat_map(|unit| unit.fields().map(|(_, value)| value));
        let floats = rally.into_iter().chain(units).flat_map(f32::to_le_bytes);
        let bytes = self.random.to_le_bytes().into_iter().chain(floats);
        bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    /// The line of the hash log for this step.
    fn line(&self, step: u32) -> String {
        let units = self.units.iter().enumerate().map(|(number, unit)| {
            let fields = unit.fields().map(|(name, value)| {
                // JSON has no NaN and no infinity: as texts they are read.
                let quote = if value.is_finite() { "" } else { "\"" };
                format!(r#""{name}":{{"value":{quote}{value}{quote},"bits":"{:08x}"}}"#, value.to_bits())
            });
            format!(r#"{{"name":"unit {number}","fields":{{{}}}}}"#, fields.join(","))
        });
        let units: Vec<String> = units.collect();
        format!(r#"{{"step":{step},"hash":"{:016x}","objects":[{}]}}"#, self.hash(), units.join(","))
    }
}

impl Unit {
    /// One step towards the rally point, as far as the others let it.
    fn march(&mut self, rally: Vector, push: Vector) {
        let towards = |from: f32, to: f32| if to < from { -PACE } else { PACE };
        self.velocity.x = self.velocity.x / 2.0 + push.x + towards(self.position.x, rally.x);
        self.velocity.y = self.velocity.y / 2.0 + push.y + towards(self.position.y, rally.y);
        self.position.x += self.velocity.x;
        self.position.y += self.velocity.y;
    }

    /// Its whole state, by name.
    fn fields(&self) -> [(&'static str, f32); 4] {
        let Self { position, velocity } = self;
        [("x", position.x), ("y", position.y), ("velocity.x", velocity.x), ("velocity.y", velocity.y)]
    }
}

/// A number as it stands in a saved game.
fn saved(value: f32, exact: bool) -> String {
    // The bug is to go without this: six decimals read well, and are fewer than a float has.
    if exact { format!("{:08x}", value.to_bits()) } else { format!("{value:.6}") }
}

/// A number from a saved game.
fn loaded(text: &str, exact: bool) -> f32 {
    let bits = || u32::from_str_radix(text, 16).map(f32::from_bits).ok();
    if exact { bits() } else { text.parse().ok() }.unwrap_or(f32::NAN)
}

/// All pushes on a unit together.
fn total(pushes: &HashMap<usize, Vector>, sorted: bool) -> Vector {
    let mut pushes: Vec<(usize, Vector)> = pushes.iter().map(|(&number, &push)| (number, push)).collect();
    // The bug is to go without this: the sum of floats depends on the order, and that of a hash map on the process.
    if sorted {
        pushes.sort_by_key(|(number, _)| *number);
    }
    let add = |sum: Vector, (_, push): (usize, Vector)| Vector { x: sum.x + push.x, y: sum.y + push.y };
    pushes.into_iter().fold(Vector { x: 0.0, y: 0.0 }, add)
}

fn options() -> Option<Options> {
    let mut options = Options { steps: 300, seed: 7, sorted: false, restore_at: None, exact_saves: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--steps" => options.steps = arguments.next()?.parse().ok()?,
            "--seed" => options.seed = arguments.next()?.parse().ok()?,
            "--sorted" => options.sorted = true,
            "--restore-at" => options.restore_at = Some(arguments.next()?.parse().ok()?),
            "--exact-saves" => options.exact_saves = true,
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut game = Game::new(options.seed);
    println!("{}", game.line(0));
    for step in 1..=options.steps {
        game.step(step, options.sorted);
        if options.restore_at == Some(step) {
            game.restore(options.exact_saves);
        }
        println!("{}", game.line(step));
    }
    ExitCode::SUCCESS
}
