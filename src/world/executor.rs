//! Parallel work: cut into chunks of a fixed number of items, each with its own slots, so that neither the number of threads
//! nor the order of the chunks can reach a result.
//!
//! A plain run takes large chunks in their order. A scrambled run goes the same way with chunks of a few items, permuted and dealt
//! out to every thread, so that what threads do wrong shows in a small scene too.

use std::sync::{Arc, Mutex};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::math::SplitMix64;

/// Items in a chunk of a plain run.
const GRAIN: usize = 64;
/// Items in a chunk of a scrambled run, at most.
const SMALL_GRAIN: u64 = 4;

/// The numbers of threads that take turns, step by step, in a run [`Scheduling::ScrambledInTurn`].
pub const THREADS_IN_TURN: [u32; 4] = [1, 2, 3, 8];

/// Whether the target has threads. Where it has none, not even the code that would start one may be linked: WASI has no
/// function for it.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// How parallel work is cut and handed out. Never changes a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheduling {
    /// Large chunks in their order.
    #[default]
    Plain,
    /// Chunks of a few items, permuted, dealt out to every thread.
    Scrambled {
        /// Decides the sizes and the order of the chunks, and which thread takes which.
        seed: u64,
    },
    /// The same on 1, 2, 3 and 8 threads in turn, step by step, whatever number of threads is asked for.
    ScrambledInTurn {
        /// As in [`Scheduling::Scrambled`]; decides too which number comes first.
        seed: u64,
    },
}

/// How many threads work, and how work is handed out to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parallelism {
    /// Threads that work.
    pub threads: u32,
    /// How work is handed out.
    pub scheduling: Scheduling,
}

impl Parallelism {
    /// So many threads, as a plain run uses them.
    #[must_use]
    pub const fn plain(threads: u32) -> Self {
        Self { threads, scheduling: Scheduling::Plain }
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
    /// How often two or more chunks were shared out among two or more threads.
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

/// Some items and their slots.
type Chunk<'a, T, R> = (&'a [T], &'a mut [R]);

/// Runs independent work on one or more threads.
#[derive(Debug)]
pub struct Executor {
    /// The threads of each number in turn, made once; `None` where the calling thread works alone.
    pools: Vec<Option<Arc<ThreadPool>>>,
    /// Which of them works in this step.
    turn: usize,
    scheduling: Scheduling,
    /// What cuts and permutes the chunks of this step.
    random: SplitMix64,
    exercised: Exercised,
}

impl Default for Executor {
    fn default() -> Self {
        Self::new(Parallelism::plain(1))
    }
}

impl Executor {
    /// Work on this many threads; on one where the machine cannot give more.
    #[must_use]
    pub fn new(parallelism: Parallelism) -> Self {
        let pools = parallelism.thread_counts().into_iter().map(pool_of).collect();
        let scheduling = parallelism.scheduling;
        Self { pools, turn: 0, scheduling, random: SplitMix64::new(0), exercised: Exercised::default() }
    }

    /// Gets ready for a step: which threads work in it, and in which order, follows from its number and the seed alone.
    pub fn begin_step(&mut self, step: u32) {
        let seed = match self.scheduling {
            Scheduling::Plain => 0,
            Scheduling::Scrambled { seed } | Scheduling::ScrambledInTurn { seed } => seed,
        };
        self.turn = (u64::from(step).wrapping_add(seed) % self.pools.len().max(1) as u64) as usize;
        self.random = SplitMix64::new(seed.wrapping_mul(0x0001_0000_0001).wrapping_add(u64::from(step)));
        let threads = self.pool().map_or(1, |pool| u32::try_from(pool.current_num_threads()).unwrap_or(u32::MAX));
        if let Err(place) = self.exercised.threads.binary_search(&threads) {
            self.exercised.threads.insert(place, threads);
        }
    }

    /// What threads really did so far.
    #[must_use]
    pub const fn exercised(&self) -> &Exercised {
        &self.exercised
    }

    /// Writes `work(item)` to the slot of each item; both slices have one length.
    pub fn map<T: Sync, R: Send>(&mut self, items: &[T], slots: &mut [R], work: impl Fn(&T) -> R + Sync) {
        let grain = match self.scheduling {
            Scheduling::Plain => GRAIN,
            Scheduling::Scrambled { .. } | Scheduling::ScrambledInTurn { .. } => {
                // Two items are two chunks at least: fewer would share nothing out.
                let most = SMALL_GRAIN.min(items.len() as u64 / 2).max(1);
                1 + self.random.below(most) as usize
            }
        };
        let work_on = |(items, slots): Chunk<'_, T, R>| {
            items.iter().zip(slots).for_each(|(item, slot)| *slot = work(item));
        };
        let chunks = items.chunks(grain).zip(slots.chunks_mut(grain));
        if self.scheduling == Scheduling::Plain && self.pool().is_none() {
            // A step on one thread allocates nothing.
            return chunks.for_each(work_on);
        }
        let mut chunks: Vec<Chunk<'_, T, R>> = chunks.collect();
        if self.scheduling != Scheduling::Plain {
            self.permute(&mut chunks);
        }
        if HAS_THREADS
            && !chunks.is_empty()
            && let Some(pool) = self.pool()
        {
            self.exercised.parallel_calls += u64::from(chunks.len() > 1);
            match self.scheduling {
                Scheduling::Plain => pool.install(|| chunks.into_par_iter().for_each(work_on)),
                _ => deal(&pool, chunks, self.random.bits() as usize, &work_on),
            }
        } else {
            chunks.into_iter().for_each(work_on);
        }
    }

    /// The threads of this step, where there are more than one.
    fn pool(&self) -> Option<Arc<ThreadPool>> {
        self.pools.get(self.turn).cloned().flatten()
    }

    /// Puts chunks in a random order, each as likely as any other (Fisher and Yates).
    fn permute<C>(&mut self, chunks: &mut [C]) {
        for last in (1..chunks.len()).rev() {
            chunks.swap(last, self.random.index(last + 1));
        }
    }
}

fn pool_of(threads: u32) -> Option<Arc<ThreadPool>> {
    if !HAS_THREADS || threads < 2 {
        return None;
    }
    rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().ok().map(Arc::new)
}

/// Deals chunks out to the threads in turn, from some thread on. Left to themselves, the first thread would have done a few small
/// chunks before another woke up.
fn deal<C: Send>(pool: &ThreadPool, chunks: Vec<C>, first: usize, work_on: &(impl Fn(C) + Sync)) {
    let threads = pool.current_num_threads();
    let mut hands: Vec<Vec<C>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, chunk) in chunks.into_iter().enumerate() {
        hands[(first % threads + number) % threads].push(chunk);
    }
    let hands: Vec<Mutex<Vec<C>>> = hands.into_iter().map(Mutex::new).collect();
    pool.broadcast(|thread| {
        let hand =
            hands.get(thread.index()).and_then(|hand| hand.lock().ok().map(|mut hand| std::mem::take(&mut *hand)));
        hand.into_iter().flatten().for_each(work_on);
    });
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use super::{Executor, Parallelism, Scheduling, THREADS_IN_TURN};

    const ALL: [Parallelism; 5] = [
        Parallelism::plain(1),
        Parallelism::plain(3),
        Parallelism { threads: 1, scheduling: Scheduling::Scrambled { seed: 7 } },
        Parallelism { threads: 3, scheduling: Scheduling::Scrambled { seed: 7 } },
        Parallelism { threads: 1, scheduling: Scheduling::ScrambledInTurn { seed: 7 } },
    ];

    #[test]
    fn every_slot_gets_the_result_of_its_item_whatever_the_number_of_items() {
        for parallelism in ALL {
            let mut executor = Executor::new(parallelism);
            for items in [0, 1, 2, 3, 4, 5, 9, 63, 64, 65, 127, 128, 129, 200] {
                let items: Vec<u32> = (0..items).collect();
                let mut slots = vec![u32::MAX; items.len()];
                executor.begin_step(items.len() as u32);
                executor.map(&items, &mut slots, |item| item * 3);
                assert!(slots.iter().zip(&items).all(|(slot, item)| *slot == item * 3), "{parallelism:?}: {slots:?}");
            }
        }
    }

    /// The items in the order in which they were visited, with the threads that visited them.
    fn visits(executor: &mut Executor, step: u32) -> (Vec<u32>, usize) {
        let items: Vec<u32> = (0..40).collect();
        let seen = Mutex::new((Vec::new(), BTreeSet::new()));
        executor.begin_step(step);
        executor.map(&items, &mut [(); 40], |item| {
            let mut seen = seen.lock().unwrap_or_else(|error| panic!("{error}"));
            seen.0.push(*item);
            seen.1.insert(rayon::current_thread_index());
        });
        let (order, threads) = seen.into_inner().unwrap_or_else(|error| panic!("{error}"));
        (order, threads.len())
    }

    #[test]
    fn a_scrambled_run_takes_another_order_in_every_step_and_the_same_again() {
        let scrambled = |seed| Parallelism { threads: 1, scheduling: Scheduling::Scrambled { seed } };
        let order = |seed, step| visits(&mut Executor::new(scrambled(seed)), step).0;
        let in_order: Vec<u32> = (0..40).collect();
        assert_eq!(visits(&mut Executor::default(), 1).0, in_order);
        assert_ne!(order(1, 1), in_order);
        assert_eq!(order(1, 1), order(1, 1));
        assert_ne!(order(1, 1), order(1, 2));
        assert_ne!(order(1, 1), order(2, 1));
    }

    #[test]
    fn every_thread_takes_part_and_each_number_has_its_turn() {
        let in_turn = Parallelism { threads: 1, scheduling: Scheduling::ScrambledInTurn { seed: 0 } };
        let mut executor = Executor::new(in_turn);
        let threads: Vec<usize> = (0..8).map(|step| visits(&mut executor, step).1).collect();
        assert_eq!(threads, [1, 2, 3, 8, 1, 2, 3, 8]);
        assert_eq!(executor.exercised().threads, THREADS_IN_TURN);
        assert_eq!(executor.exercised().parallel_calls, 6);
    }

    #[test]
    fn a_chunk_alone_runs_nothing_in_parallel() {
        for parallelism in ALL {
            let mut executor = Executor::new(parallelism);
            executor.begin_step(1);
            executor.map(&[1], &mut [0], |item| item + 1);
            assert_eq!(executor.exercised().parallel_calls, 0);
        }
    }

    #[test]
    fn threads_are_kept_from_step_to_step() {
        let mut executor = Executor::new(ALL[4]);
        let mut threads = BTreeSet::new();
        for step in 0..40 {
            let seen = Mutex::new(BTreeSet::new());
            executor.begin_step(step);
            executor.map(&[0; 40], &mut [(); 40], |_| {
                let name = format!("{:?}", std::thread::current().id());
                seen.lock().unwrap_or_else(|error| panic!("{error}")).insert(name);
            });
            threads.extend(seen.into_inner().unwrap_or_else(|error| panic!("{error}")));
        }
        assert_eq!(threads.len(), 1 + 2 + 3 + 8);
    }
}
