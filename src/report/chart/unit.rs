//! Units with prefixes, so that the numbers at an axis stay short.

use crate::report::chart::AxisKind;

/// Units that take a prefix in front of their first letter.
const PREFIXED: [&str; 6] = ["J", "m", "m/s", "s", "N", "W"];

/// A power of 1000 and the unit it makes of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaledUnit {
    /// The power of ten that numbers are divided by.
    pub exponent: i32,
    /// The unit; empty for pure numbers.
    pub text: String,
}

/// The unit in which numbers up to this size are short.
pub fn scaled_unit(unit: &str, kind: &AxisKind, size: f64) -> ScaledUnit {
    let unscaled = ScaledUnit { exponent: 0, text: unit.to_owned() };
    // Five digits are read well enough with their groups; time is told in seconds, however long.
    let (from, to) = match (kind, unit) {
        (AxisKind::Names(_), _) => return unscaled,
        (AxisKind::Whole, _) => (0.0, 1e7),
        (AxisKind::Real, "s") => (1e-2, f64::INFINITY),
        (AxisKind::Real, _) => (1e-2, 1e5),
    };
    if size == 0.0 || !size.is_finite() || (from..to).contains(&size) {
        return unscaled;
    }
    #[expect(clippy::cast_possible_truncation, reason = "at most 308 in size")]
    let exponent = 3 * libm::floor(libm::log10(size) / 3.0) as i32;
    let prefix = match exponent {
        -9 => "n",
        -6 => "µ",
        -3 => "m",
        3 => "k",
        6 => "M",
        9 => "G",
        _ => "",
    };
    if exponent == 0 {
        return unscaled;
    }
    let text = if !prefix.is_empty() && PREFIXED.contains(&unit) {
        format!("{prefix}{unit}")
    } else {
        let sign = if exponent < 0 { "−" } else { "" };
        format!("10^{{{sign}{}}} {unit}", exponent.unsigned_abs()).trim_end().to_owned()
    };
    ScaledUnit { exponent, text }
}

#[cfg(test)]
mod tests {
    use super::scaled_unit;
    use crate::report::chart::AxisKind;

    #[test]
    fn large_and_small_numbers_get_a_prefix_or_a_power() {
        let text = |unit, size| scaled_unit(unit, &AxisKind::Real, size).text;
        assert_eq!(text("J", 5.0), "J");
        assert_eq!(text("J", 99_999.0), "J");
        assert_eq!(text("J", 2.5e5), "kJ");
        assert_eq!(text("J", 2.5e7), "MJ");
        assert_eq!(text("m", 4e-5), "µm");
        assert_eq!(text("kg m/s", 2e6), "10^{6} kg m/s");
        assert_eq!(text("", 2e-4), "10^{−6}");
        assert_eq!(text("J", 1e20), "10^{18} J");
        assert_eq!(text("s", 1e6), "s");
        assert_eq!(scaled_unit("", &AxisKind::Whole, 1e6).exponent, 0);
        assert_eq!(scaled_unit("", &AxisKind::Whole, 2e8).text, "10^{6}");
    }
}
