//! Parallel work: cut into parts of a fixed number of items, each with memory of its own, so that neither the number of threads
//! nor the order of the parts can reach a result.
//!
//! A plain run hands out large parts in their order. A scrambled run goes the same way with parts of a few items, permuted and
//! dealt out to every thread, so that what threads do wrong shows in a small scene too.

mod executor;
mod patience;
mod shared;
mod stack;
mod team;
#[cfg(test)]
mod tests;

pub use executor::Executor;
pub use shared::columns::Columns;
pub use stack::thread_builder;

use crate::math::lanes::LanePath;

/// Most threads that a run can be asked for.
pub const MAX_THREADS: u32 = 256;

/// The numbers of threads that take turns, step by step, in a run [`Scheduling::ScrambledInTurn`].
pub const THREADS_IN_TURN: [u32; 4] = [1, 2, 3, 8];

/// How parallel work is cut and handed out. Never changes a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduling {
    /// Large parts in their order.
    #[default]
    Plain,
    /// Parts of a few items, permuted, dealt out to every thread.
    Scrambled {
        /// Decides the sizes and the order of the parts, and which thread takes which.
        seed: u64,
    },
    /// The same on 1, 2, 3 and 8 threads in turn, step by step, whatever number of threads is asked for.
    ScrambledInTurn {
        /// As in [`Scheduling::Scrambled`]; decides too which number comes first.
        seed: u64,
    },
}

/// How many threads work, how work is handed out to them, and how many numbers each takes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallelism {
    /// Threads that work.
    pub threads: u32,
    /// How work is handed out.
    pub scheduling: Scheduling,
    /// The vectors they work with.
    pub lanes: LanePath,
}

impl Parallelism {
    /// So many threads, as a plain run uses them, with the widest vectors of this machine.
    #[must_use]
    pub fn plain(threads: u32) -> Self {
        Self { threads, scheduling: Scheduling::Plain, lanes: LanePath::widest() }
    }

    /// The numbers of threads that work, in their turn.
    #[must_use]
    pub fn thread_counts(self) -> Vec<u32> {
        match self.scheduling {
            Scheduling::Plain | Scheduling::Scrambled { .. } => vec![self.threads.max(1)],
            Scheduling::ScrambledInTurn { .. } => THREADS_IN_TURN.to_vec(),
        }
    }
}

/// What threads really did. No part of any result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exercised {
    /// The numbers of threads that worked in some step, rising.
    pub threads: Vec<u32>,
    /// How often two or more parts were shared out among two or more threads.
    pub parallel_calls: u64,
}

impl Exercised {
    /// Adds what was exercised elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.threads.extend(&other.threads);
        self.threads.sort_unstable();
        self.threads.dedup();
        self.parallel_calls += other.parallel_calls;
    }
}
