//! Numbers as people read them: rounded, grouped, with units.

/// A count with a space between groups of three digits: `1 234 567`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with its noun: `1 body`, `1 200 bodies`.
pub fn counted(value: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(value), if value == 1 { one } else { many })
}

/// A number with four significant digits, in scientific form where plain digits would be long.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return format!("{}", value + 0.0);
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{value:.3e}");
    }
    let decimals = [(1000.0, 0), (100.0, 1), (10.0, 2), (1.0, 3), (0.1, 4), (0.01, 5)];
    let places = decimals.iter().find(|(from, _)| size >= *from).map_or(6, |(_, places)| *places);
    let text = format!("{value:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A size in bytes: `812 B`, `61.2 KiB`, `3.4 MiB`.
pub fn bytes(value: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let in_units_of = |unit: u64| value as f64 / unit as f64;
    match value {
        0..1024 => format!("{value} B"),
        1024..1_048_576 => format!("{:.1} KiB", in_units_of(1024)),
        _ => format!("{:.1} MiB", in_units_of(1 << 20)),
    }
}

/// A time in seconds: `0.41 s`, `12.3 s`, `3 min 4 s`.
pub fn duration(seconds: f64) -> String {
    if seconds < 10.0 {
        format!("{seconds:.2} s")
    } else if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), (seconds % 60.0).floor())
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, count, counted, duration, short};

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1 000", "1 234 567"]);
        assert_eq!(counted(1, "body", "bodies"), "1 body");
        assert_eq!(counted(0, "body", "bodies"), "0 bodies");
    }

    #[test]
    fn numbers_keep_four_digits() {
        let expected = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-12.3456, "-12.35"),
            (0.012_345_6, "0.01235"),
            (0.5, "0.5"),
            (123_456.7, "123457"),
            (1e6, "1.000e6"),
            (9.9e-4, "9.900e-4"),
            (f64::INFINITY, "inf"),
        ];
        for (value, text) in expected {
            assert_eq!(short(value), text, "{value:?}");
        }
    }

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!([5, 1024, 62_669, 3 << 20].map(bytes), ["5 B", "1.0 KiB", "61.2 KiB", "3.0 MiB"]);
        assert_eq!([0.4, 12.34, 184.9].map(duration), ["0.40 s", "12.3 s", "3 min 4 s"]);
    }
}
