//! Where an axis has ticks and what stands beside them: 1, 2 and 5 times powers of ten, and no two labels overlap.

use crate::report::chart::scale::Scale;
use crate::report::chart::svg::text_width;
use crate::report::chart::unit::scaled_unit;
use crate::report::chart::{Axis, AxisKind, TEXT_SIZE};

/// Most significant digits of a label; beyond them the common part goes to the name of the axis.
const MOST_DIGITS: i32 = 6;

/// A tick with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The number it stands at.
    pub at: f64,
    /// What stands beside it; empty for none.
    pub label: String,
}

/// The ticks of an axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ticks {
    /// Those with a line across the panel.
    pub marks: Vec<Tick>,
    /// Those between.
    pub minor: Vec<f64>,
    /// The name of the axis with its unit.
    pub title: String,
}

impl Ticks {
    /// The ticks of an axis of this length in pixels; `room` is what a label takes along it, with the space after it.
    pub fn new(scale: &Scale, axis: &Axis, length: f64, room: impl Fn(&str) -> f64) -> Self {
        let ticks = match &axis.kind {
            AxisKind::Names(names) => return Self::of_names(names, axis, scale, length, &room),
            _ if scale.is_log => Self::of_decades(scale, axis, length, &room),
            _ => None,
        };
        ticks.unwrap_or_else(|| Self::linear(scale, axis, length, &room))
    }

    /// The widest label in pixels.
    pub fn width(&self) -> f64 {
        self.marks.iter().map(|tick| text_width(&tick.label, TEXT_SIZE)).fold(0.0, libm::fmax)
    }

    fn linear(scale: &Scale, axis: &Axis, length: f64, room: &dyn Fn(&str) -> f64) -> Self {
        let mut wanted = libm::fmax(libm::floor(length / 36.0), 1.0);
        loop {
            let ticks = Self::spaced(scale, axis, wanted);
            if wanted <= 1.0 || ticks.fits(scale, length, room) {
                return ticks;
            }
            wanted -= 1.0;
        }
    }

    /// About so many ticks at round numbers.
    fn spaced(scale: &Scale, axis: &Axis, wanted: f64) -> Self {
        let (low, high) = (scale.low, scale.high);
        let power = nice_step(high / wanted - low / wanted);
        let power =
            if axis.kind == AxisKind::Whole && power.size() < 1.0 { Step { digit: 1.0, exponent: 0 } } else { power };
        let first = libm::ceil(low / power.size());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few ticks")]
        let steps = (libm::floor(high / power.size()) - first).clamp_to(0.0, 200.0) as u32;
        let numbers: Vec<f64> = (0..=steps).map(|step| power.times(first + f64::from(step))).collect();
        let labels = Labels::new(&numbers, &power, axis);
        let marks = numbers.iter().map(|at| Tick { at: *at, label: labels.label(*at) }).collect();
        Self { marks, minor: Vec::new(), title: labels.title }
    }

    /// Whether no label comes near the next.
    fn fits(&self, scale: &Scale, length: f64, room: &dyn Fn(&str) -> f64) -> bool {
        let labelled = self.marks.iter().filter(|tick| !tick.label.is_empty());
        let places: Vec<(f64, f64)> = labelled.map(|tick| (scale.place(tick.at) * length, room(&tick.label))).collect();
        places.windows(2).all(|pair| pair[1].0 - pair[0].0 >= (pair[0].1 + pair[1].1) / 2.0)
    }

    /// Powers of ten; `None` where too few of them stand on the axis.
    fn of_decades(scale: &Scale, axis: &Axis, length: f64, room: &dyn Fn(&str) -> f64) -> Option<Self> {
        let ends = [scale.low, scale.high].map(libm::log10);
        #[expect(clippy::cast_possible_truncation, reason = "exponents of numbers")]
        let (first, last) = (libm::ceil(ends[0] - 1e-9) as i32, libm::floor(ends[1] + 1e-9) as i32);
        if last - first < 1 {
            return Self::within_a_decade(scale, axis, length, room);
        }
        let decade = |exponent: i32| libm::pow(10.0, f64::from(exponent));
        let minor = (first - 1..=last)
            .flat_map(|exponent| (2..10).map(move |digit| f64::from(digit) * decade(exponent)))
            .filter(|number| *number > scale.low && *number < scale.high);
        let minor = if last - first > 6 { Vec::new() } else { minor.collect() };
        let unit = if axis.unit.is_empty() { String::new() } else { format!(" ({})", axis.unit) };
        let title = format!("{}{unit}", axis.name);
        (1..=400).find_map(|every| {
            let marks = (first..=last).filter(|exponent| exponent.rem_euclid(every) == 0);
            let marks = marks.map(|exponent| Tick { at: decade(exponent), label: power_label(exponent) }).collect();
            let ticks = Self { marks, minor: minor.clone(), title: title.clone() };
            ticks.fits(scale, length, room).then_some(ticks)
        })
    }

    /// Round numbers on less than two decades: 1, 2 and 5, or every digit; `None` where too few of them stand on the axis.
    fn within_a_decade(scale: &Scale, axis: &Axis, length: f64, room: &dyn Fn(&str) -> f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "an exponent of a number")]
        let lowest = libm::floor(libm::log10(scale.low)) as i32;
        let of_digits = |digits: &[f64]| {
            let step = |digit: f64, exponent: i32| Step { digit, exponent }.size();
            let all = (lowest..lowest + 3).flat_map(|exponent| digits.iter().map(move |digit| step(*digit, exponent)));
            let numbers: Vec<f64> = all.filter(|number| (scale.low..=scale.high).contains(number)).collect();
            let labels = Labels::new(&numbers, &Step { digit: 1.0, exponent: lowest }, axis);
            let marks = numbers.iter().map(|at| Tick { at: *at, label: labels.label(*at) }).collect();
            Self { marks, minor: Vec::new(), title: labels.title }
        };
        let digits: [&[f64]; 2] = [&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 5.0]];
        digits.into_iter().map(of_digits).find(|ticks| ticks.marks.len() > 2 && ticks.fits(scale, length, room))
    }

    fn of_names(names: &[String], axis: &Axis, scale: &Scale, length: f64, room: &dyn Fn(&str) -> f64) -> Self {
        let all: Vec<Tick> =
            (0_u32..).zip(names).map(|(at, name)| Tick { at: f64::from(at), label: name.clone() }).collect();
        let unlabelled = |every: usize| {
            let marks = all.iter().enumerate().map(|(place, tick)| match place % every {
                0 => tick.clone(),
                _ => Tick { label: String::new(), ..*tick },
            });
            Self { marks: marks.collect(), minor: Vec::new(), title: axis.name.clone() }
        };
        (1..=names.len().max(1)).map(unlabelled).find(|ticks| ticks.fits(scale, length, room)).unwrap_or_default()
    }
}

/// A power of ten as people write it.
fn power_label(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10^{{{}}}", exponent.to_string().replace('-', "−")),
    }
}

/// One digit and a power of ten: exact where its product with a whole number is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    digit: f64,
    exponent: i32,
}

impl Step {
    fn size(self) -> f64 {
        self.times(1.0)
    }

    /// So many steps. Divided for negative powers, because 0.1 is not a float and 3 / 10 is the nearest to 0.3.
    fn times(self, number: f64) -> f64 {
        let power = libm::pow(10.0, f64::from(self.exponent.abs()));
        let digits = self.digit * number + 0.0;
        if self.exponent < 0 { digits / power } else { digits * power }
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is at least so large.
fn nice_step(least: f64) -> Step {
    #[expect(clippy::cast_possible_truncation, reason = "at most 308 in size")]
    let exponent = (libm::floor(libm::log10(libm::fmax(least, 1e-290))) as i32).clamp(-290, 307);
    let candidates = [(1.0, exponent), (2.0, exponent), (5.0, exponent), (10.0, exponent)];
    let steps = candidates.map(|(digit, exponent)| match digit {
        10.0 => Step { digit: 1.0, exponent: exponent + 1 },
        _ => Step { digit, exponent },
    });
    steps.into_iter().find(|step| step.size() >= least * (1.0 - 1e-9)).unwrap_or(steps[3])
}

/// How the numbers of an axis are written.
struct Labels {
    offset: f64,
    exponent: i32,
    decimals: usize,
    title: String,
}

impl Labels {
    fn new(numbers: &[f64], step: &Step, axis: &Axis) -> Self {
        let size = |offset: f64| numbers.iter().map(|number| (number - offset).abs()).fold(0.0, libm::fmax);
        #[expect(clippy::cast_possible_truncation, reason = "at most 308 in size")]
        let digits = libm::floor(libm::log10(libm::fmax(size(0.0), 1e-300))) as i32 - step.exponent + 1;
        let wants_offset = digits > MOST_DIGITS && axis.kind == AxisKind::Real;
        let offset = numbers.first().filter(|_| wants_offset).copied().unwrap_or(0.0);
        let scaled = scaled_unit(&axis.unit, &axis.kind, size(offset));
        let decimals = |exponent: i32| usize::try_from(exponent - step.exponent).unwrap_or(0);
        let mut title = axis.name.clone();
        if wants_offset {
            let number = grouped(&format!("{:.*}", decimals(0), offset.abs()));
            let sign = if offset < 0.0 { '+' } else { '−' };
            title = format!("{title} {sign} {number} {}", axis.unit).trim_end().to_owned();
        }
        if !scaled.text.is_empty() {
            title = format!("{title} ({})", scaled.text);
        }
        Self { offset, exponent: scaled.exponent, decimals: decimals(scaled.exponent), title }
    }

    fn label(&self, number: f64) -> String {
        let power = libm::pow(10.0, f64::from(self.exponent.abs()));
        let number = number - self.offset;
        let scaled = if self.exponent < 0 { number * power } else { number / power };
        let text = format!("{:.*}", self.decimals, scaled.abs());
        let is_zero = text.chars().all(|letter| letter == '0' || letter == '.');
        let sign = if scaled < 0.0 && !is_zero { "−" } else { "" };
        format!("{sign}{}", grouped(&text))
    }
}

/// Digits before the point in groups of three, where there are more than four.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.find('.').map_or((number, ""), |point| number.split_at(point));
    if whole.len() <= 4 {
        return number.to_owned();
    }
    let mut text = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text + rest
}

/// Keeps a number between two others; one that is not a number becomes the lower.
trait ClampTo {
    fn clamp_to(self, low: f64, high: f64) -> f64;
}

impl ClampTo for f64 {
    fn clamp_to(self, low: f64, high: f64) -> f64 {
        if self > high {
            high
        } else if self > low {
            self
        } else {
            low
        }
    }
}

#[cfg(test)]
mod tests;
