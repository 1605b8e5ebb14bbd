//! Delta debugging: the fewest of some things with which a test still fails (Zeller and Hildebrandt 2002, Simplifying
//! and Isolating Failure-Inducing Input, the algorithm ddmin).

/// The items of which none can go any more: the test says yes of all of them together, and would say no if any one of
/// them were missing. Their order stays.
///
/// `test` is taken to say yes of all `items`, and is not asked about them. It answers `None` when no more tests may be
/// made; the fewest found so far are then given back, without the promise that none can go.
pub fn ddmin<T: Clone>(items: &[T], test: &mut dyn FnMut(&[T]) -> Option<bool>) -> Vec<T> {
    let mut kept = items.to_vec();
    if kept.is_empty() {
        return kept;
    }
    // Most of what is tried is not needed at all: the shortest way to find that out.
    match test(&[]) {
        Some(false) => {}
        Some(true) => return Vec::new(),
        None => return kept,
    }
    let mut parts = 2;
    while kept.len() >= 2 {
        match reduce(&kept, parts, test) {
            Some(Step::Subset(subset)) => (kept, parts) = (subset, 2),
            Some(Step::Complement(complement)) => (kept, parts) = (complement, (parts - 1).max(2)),
            Some(Step::Neither) if parts < kept.len() => parts = (2 * parts).min(kept.len()),
            Some(Step::Neither) | None => return kept,
        }
    }
    kept
}

/// What one round of tests found.
enum Step<T> {
    /// One part alone is enough.
    Subset(Vec<T>),
    /// One part is not needed.
    Complement(Vec<T>),
    /// No part is enough, and each is needed.
    Neither,
}

/// Cuts what is kept into parts and tries each of them, then all but each of them.
fn reduce<T: Clone>(kept: &[T], parts: usize, test: &mut dyn FnMut(&[T]) -> Option<bool>) -> Option<Step<T>> {
    let bound = |part: usize| part * kept.len() / parts;
    for part in 0..parts {
        let subset = kept.get(bound(part)..bound(part + 1)).unwrap_or_default();
        if test(subset)? {
            return Some(Step::Subset(subset.to_vec()));
        }
    }
    // Of two parts each is the complement of the other, and both have been tried.
    for part in (0..parts).filter(|_| parts > 2) {
        let before = kept.get(..bound(part)).unwrap_or_default();
        let behind = kept.get(bound(part + 1)..).unwrap_or_default();
        let complement = [before, behind].concat();
        if test(&complement)? {
            return Some(Step::Complement(complement));
        }
    }
    Some(Step::Neither)
}

#[cfg(test)]
mod tests {
    use proptest::collection::{btree_set, vec};
    use proptest::prelude::{any, proptest};
    use proptest::prop_assert;

    use super::ddmin;

    /// Asserts that what is kept fails, and that it does not without any one item.
    fn assert_minimal(
        kept: &[u32],
        fails: &dyn Fn(&[u32]) -> bool,
    ) -> Result<(), proptest::test_runner::TestCaseError> {
        prop_assert!(fails(kept), "what is kept does not fail: {kept:?}");
        for left_out in kept {
            let rest: Vec<u32> = kept.iter().copied().filter(|item| item != left_out).collect();
            prop_assert!(!fails(&rest), "{left_out} of {kept:?} is not needed");
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn of_needed_items_all_and_only_those_stay(count in 1_u32..200, needed in btree_set(0_u32..200, 0..6)) {
            let items: Vec<u32> = (0..count).collect();
            let needed: Vec<u32> = needed.into_iter().filter(|item| *item < count).collect();
            let mut tests = 0;
            let kept = ddmin(&items, &mut |subset| {
                tests += 1;
                Some(needed.iter().all(|item| subset.contains(item)))
            });
            prop_assert!(kept == needed, "{kept:?}");
            prop_assert!(tests <= 3 + 20 * (needed.len() + 1) * 8, "{tests} tests");
        }

        #[test]
        fn what_is_kept_is_minimal_for_any_of_several_causes(causes in vec(btree_set(0_u32..40, 1..5), 1..4)) {
            let items: Vec<u32> = (0..40).collect();
            let fails = |subset: &[u32]| causes.iter().any(|cause| cause.iter().all(|item| subset.contains(item)));
            assert_minimal(&ddmin(&items, &mut |subset| Some(fails(subset))), &fails)?;
        }

        #[test]
        fn what_is_kept_is_minimal_for_tests_without_reason(seed in any::<u64>(), count in 1_u32..24) {
            let items: Vec<u32> = (0..count).collect();
            // Whether a subset fails follows no rule at all, except that all items together do.
            let fails = |subset: &[u32]| {
                let mut hasher = blake3::Hasher::new();
                hasher.update(&seed.to_le_bytes());
                subset.iter().for_each(|item| { hasher.update(&item.to_le_bytes()); });
                subset.len() == items.len() || hasher.finalize().as_bytes()[0] < 60
            };
            assert_minimal(&ddmin(&items, &mut |subset| Some(fails(subset))), &fails)?;
        }

        #[test]
        fn when_no_more_tests_may_be_made_the_best_so_far_still_fails(budget in 0_u32..30, needed in btree_set(0_u32..50, 1..4)) {
            let items: Vec<u32> = (0..50).collect();
            let mut left = budget;
            let kept = ddmin(&items, &mut |subset| {
                left = left.checked_sub(1)?;
                Some(needed.iter().all(|item| subset.contains(item)))
            });
            prop_assert!(needed.iter().all(|item| kept.contains(item)));
        }
    }
}
