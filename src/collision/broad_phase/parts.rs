//! A search for pairs that is done in parts, on as many threads as there are.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::collision::broad_phase::pair_list::PairList;
use crate::parallel::Executor;

/// What a part of a search has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) pairs: Vec<(u32, u32)>,
    count: u64,
}

/// Does so many parts of a search, each with a list of its own, and adds up what they find.
pub(super) fn search_in_parts(
    parts: &mut Vec<Part>,
    count: usize,
    search: impl Fn(usize, &mut PairList<'_>) + Sync,
    list: &mut PairList<'_>,
    executor: &mut Executor,
) {
    parts.resize_with(count, Part::default);
    let found = AtomicU64::new(0);
    let all = &*list;
    executor.for_each_part(1, &mut parts[..], |first, parts| {
        for (number, Part { pairs, count }) in (first..).zip(parts) {
            let mut own = all.part(pairs, found.load(Ordering::Relaxed));
            search(number, &mut own);
            *count = own.count();
            found.fetch_add(*count, Ordering::Relaxed);
        }
    });
    parts.iter().for_each(|part| list.add_part(part.count, &part.pairs));
}
