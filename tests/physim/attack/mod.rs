//! What an attacker would try, made by generators: replays resealed with lies in them, mutated texts, the largest scenes, hostile
//! names. Everything follows from a seed, which a failure tells. `PHYSIM_ATTACK=100` tries a hundred times as much, and
//! `PHYSIM_ATTACK_SEED=7` something else.

mod changes;
mod gltf;
mod largest;
mod messages;
mod names;
mod places;
mod replays;
mod self_recording;
mod texts;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use physim::math::SplitMix64;

use crate::support::busy_time::BusyTime;

/// What no single attempt may keep a thread busy, hardly optimised.
const LONGEST: Duration = Duration::from_secs(30);

fn number_from(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not {text:?}")))
}

/// How often something is tried.
fn tries(by_default: u64) -> u64 {
    by_default * number_from("PHYSIM_ATTACK", 1)
}

/// Calls `attempt` so often, each time with random numbers of its own; of one that panics or takes long, its number is told. What
/// attempts came to is counted and printed.
#[expect(clippy::print_stderr, reason = "the numbers are what a large attack is for")]
fn attack(what: &str, times: u64, mut attempt: impl FnMut(&mut SplitMix64) -> &'static str) {
    let seed = number_from("PHYSIM_ATTACK_SEED", 12);
    let names = what.bytes().fold(0, |sum: u64, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut outcomes = std::collections::BTreeMap::<&str, u64>::new();
    let mut longest = (Duration::ZERO, 0);
    for number in 0..times {
        let mut random = SplitMix64::of_words(&[seed, number, names]);
        let start = BusyTime::start();
        let outcome = catch_unwind(AssertUnwindSafe(|| attempt(&mut random)));
        let took = start.elapsed();
        match outcome {
            Ok(outcome) => *outcomes.entry(outcome).or_default() += 1,
            Err(_) => panic!("{what}: attempt {number} of seed {seed}, see above"),
        }
        assert!(took < LONGEST, "{what}: attempt {number} of seed {seed} took {took:?}");
        longest = longest.max((took, number));
    }
    eprintln!("{what}: {times} tried, longest {:?} (attempt {}): {outcomes:?}", longest.0, longest.1);
}

/// The sides of a box in triangles, whose corner stands on the upper side along x, y and z where its number has the first, second and
/// third bit.
const SIDES_OF_A_BOX: [[u8; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

/// One of them.
fn one_of<'a, T>(random: &mut SplitMix64, choices: &'a [T]) -> &'a T {
    &choices[random.index(choices.len())]
}
