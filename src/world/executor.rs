//! Parallel work: cut by a constant, gathered by index, so that the number of threads cannot reach a result.

use std::sync::Arc;

use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator};

/// Items that one task takes.
const GRAIN: usize = 64;

/// Whether the target has threads. Where it has none, not even the code that would start one may be linked: WASI has no
/// function for it.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// Runs independent work on one or more threads.
#[derive(Clone, Debug, Default)]
pub struct Executor {
    pool: Option<Arc<ThreadPool>>,
}

impl Executor {
    /// Work on this many threads; on one where the machine cannot give more.
    #[must_use]
    pub fn new(threads: u32) -> Self {
        let pool = (threads > 1 && HAS_THREADS)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build().ok())
            .flatten();
        Self { pool: pool.map(Arc::new) }
    }

    /// Writes `work(item)` to the slot of each item; both slices have one length.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], slots: &mut [R], work: impl Fn(&T) -> R + Sync) {
        match &self.pool {
            Some(pool) if HAS_THREADS => pool.install(|| {
                items
                    .par_iter()
                    .zip(slots.par_iter_mut())
                    .with_min_len(GRAIN)
                    .for_each(|(item, slot)| *slot = work(item));
            }),
            _ => items.iter().zip(slots).for_each(|(item, slot)| *slot = work(item)),
        }
    }
}
