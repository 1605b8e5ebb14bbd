//! Deterministic samples of raw numbers.

/// How many random samples a test takes: `count`, or 100 times as many with `PHYSIM_LONG_TESTS=1`.
pub(super) fn sample_count(count: u64) -> u64 {
    if std::env::var_os("PHYSIM_LONG_TESTS").is_some_and(|value| value == "1") { count * 100 } else { count }
}

/// Numbers where an off-by-one would show: powers of two and squares, give or take up to two, and both signs.
pub(super) fn adversarial() -> Vec<i64> {
    let mut values = vec![0, i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1];
    let squares = [3_i64, 5, 10, 1000, 46341, 65535, 65536, 65537, 1 << 24, (1 << 31) - 1, 1 << 31, 3_037_000_499];
    let centres =
        (0..63).map(|bits| 1_i64 << bits).chain(squares.map(|root| root * root)).chain([10_i64.pow(9), 3 << 61]);
    for centre in centres {
        for offset in -2..=2 {
            let value = centre.wrapping_add(offset);
            values.extend([value, value.wrapping_neg()]);
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}
