//! What can be varied between two runs that ought to agree.

use std::str::FromStr;

use crate::analysis::bisect::BisectError;
use crate::math::lanes::LanePath;
use crate::parallel::MAX_THREADS;

/// Most runs of one condition; no more combinations are tried in any case.
const MAX_REPEATS: u32 = 4096;
/// Seeds of the orders that are tried when none are given.
const DEFAULT_SEEDS: [u64; 3] = [1, 2, 3];
/// The axes of a scene, as people write them.
const SCENE_AXES: &str =
    "threads=1,2,8, lanes, restore, restore=K1,K2, order, order=S1,S2, repeat=20, exe=PATH,PATH, scalar=fixed,f64";

/// An axis as it is written: `NAME` or `NAME=V1,V2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisText {
    /// Its name.
    pub name: String,
    /// Its values; none where there is no `=`.
    pub values: Vec<String>,
}

impl FromStr for AxisText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').map_or((text, None), |(name, values)| (name, Some(values)));
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(format!(
                "`{name}` is not a valid name of an axis; expected NAME or NAME=V1,V2, such as threads=1,2,8"
            ));
        }
        let values: Vec<String> =
            values.map_or(Vec::new(), |values| values.split(',').map(|value| value.trim().to_owned()).collect());
        if values.iter().any(String::is_empty) {
            return Err(format!("a value of {name} is empty; expected {name}=V1,V2"));
        }
        Ok(Self { name: name.to_owned(), values })
    }
}

impl AxisText {
    /// An error about this axis.
    #[must_use]
    pub fn wrong(&self, what: impl Into<String>) -> BisectError {
        let values = if self.values.is_empty() { String::new() } else { format!("={}", self.values.join(",")) };
        BisectError::Axis { axis: format!("{}{values}", self.name), what: what.into() }
    }

    /// How often to run the same again, where this is the axis `repeat`.
    ///
    /// # Errors
    /// When it is not one number that can be.
    pub fn repeats(&self) -> Result<u32, BisectError> {
        let number = match self.values.as_slice() {
            [value] => value.parse().ok().filter(|repeats| (2..=MAX_REPEATS).contains(repeats)),
            _ => None,
        };
        number
            .ok_or_else(|| self.wrong(format!("expected one whole number from 2 to {MAX_REPEATS}, such as repeat=20")))
    }

    /// The values of the axis `repeat`: the numbers of the runs.
    ///
    /// # Errors
    /// As [`repeats`](Self::repeats).
    pub fn repetitions(&self) -> Result<Vec<String>, BisectError> {
        Ok((1..=self.repeats()?).map(|number| number.to_string()).collect())
    }

    /// Each value read; no value twice.
    fn numbers<T: FromStr + PartialEq>(&self, holds: impl Fn(&T) -> bool, what: &str) -> Result<Vec<T>, BisectError> {
        let mut numbers: Vec<T> = Vec::new();
        for value in &self.values {
            let read = value.parse().ok().filter(|number| holds(number));
            let number = read.ok_or_else(|| self.wrong(format!("`{value}` is not {what}")))?;
            if numbers.contains(&number) {
                return Err(self.wrong(format!("`{value}` stands twice; repeat=N runs the same again")));
            }
            numbers.push(number);
        }
        Ok(numbers)
    }
}

/// Refuses two axes of one name.
///
/// # Errors
/// When there are.
pub fn check_unique(axes: &[AxisText]) -> Result<(), BisectError> {
    for (number, axis) in axes.iter().enumerate() {
        if axes[..number].iter().any(|earlier| earlier.name == axis.name) {
            return Err(axis.wrong("the axis is given twice; put all its values into one --axis"));
        }
    }
    Ok(())
}

/// Where a run is restored into another world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restore {
    /// Nowhere.
    Never,
    /// After this step.
    At(u32),
    /// After each step in turn, each in a run of its own.
    Every,
}

/// A value of an axis of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneValue {
    /// How many threads work.
    Threads(u32),
    /// With which vectors they work.
    Lanes(LanePath),
    /// Where the run is restored into another world.
    Restore(Restore),
    /// The seed of the order in which bodies and groups stand; `None` as they are written.
    Order(Option<u64>),
    /// The number of the run among equal ones.
    Repeat(u32),
}

/// An axis of a scene with its values; the first is that of the baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneAxis {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<SceneValue>,
}

impl SceneValue {
    /// The value as people read it.
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Threads(number) | Self::Repeat(number) | Self::Restore(Restore::At(number)) => number.to_string(),
            Self::Lanes(lanes) => lanes.name().to_owned(),
            Self::Restore(Restore::Never) => "never".to_owned(),
            Self::Restore(Restore::Every) => "every step".to_owned(),
            Self::Order(None) => "as written".to_owned(),
            Self::Order(Some(seed)) => seed.to_string(),
        }
    }
}

impl SceneAxis {
    /// The axis that a text means for a run of so many steps.
    ///
    /// # Errors
    /// When there is no such axis, or a value is not one of it.
    pub fn read(text: &AxisText, steps: u32) -> Result<Self, BisectError> {
        let values = match text.name.as_str() {
            "threads" => Self::threads(text)?,
            "lanes" => Self::lanes(text)?,
            "restore" => Self::restore(text, steps)?,
            "order" => Self::order(text)?,
            "repeat" => (1..=text.repeats()?).map(SceneValue::Repeat).collect(),
            _ => return Err(text.wrong(format!("a scene has no such axis; there are {SCENE_AXES}"))),
        };
        Ok(Self { name: text.name.clone(), values })
    }

    fn threads(text: &AxisText) -> Result<Vec<SceneValue>, BisectError> {
        let is_number = |threads: &u32| (1..=MAX_THREADS).contains(threads);
        let numbers = text.numbers(is_number, &format!("a number of threads from 1 to {MAX_THREADS}"))?;
        match numbers.len() {
            0 => Err(text.wrong("it has no values; expected numbers of threads, such as threads=1,2,8")),
            1 => Err(text.wrong("one value only: nothing to compare; such as threads=1,2,8")),
            _ => Ok(numbers.into_iter().map(SceneValue::Threads).collect()),
        }
    }

    /// The paths that are named, or all that this machine has.
    fn lanes(text: &AxisText) -> Result<Vec<SceneValue>, BisectError> {
        let available: Vec<&str> = LanePath::available().map(LanePath::name).collect();
        let what = format!("a path that this machine has: {}", available.join(", "));
        let named = text.numbers(|lanes: &LanePath| lanes.is_available(), &what)?;
        let lanes = if named.is_empty() { LanePath::available().collect() } else { named };
        match lanes.len() {
            0 | 1 => {
                Err(text.wrong(format!("one path only: nothing to compare; this machine has {}", available.join(", "))))
            }
            _ => Ok(lanes.into_iter().map(SceneValue::Lanes).collect()),
        }
    }

    fn restore(text: &AxisText, steps: u32) -> Result<Vec<SceneValue>, BisectError> {
        let last = steps.checked_sub(1).ok_or_else(|| text.wrong("the run has no steps after which to restore"))?;
        let numbers = text.numbers(|step| *step <= last, &format!("a step from 0 to {last}, of {steps} in all"))?;
        let restored =
            if numbers.is_empty() { vec![Restore::Every] } else { numbers.into_iter().map(Restore::At).collect() };
        Ok(std::iter::once(Restore::Never).chain(restored).map(SceneValue::Restore).collect())
    }

    fn order(text: &AxisText) -> Result<Vec<SceneValue>, BisectError> {
        let numbers = text.numbers(|_| true, "a seed, a whole number from 0 on")?;
        let seeds = if numbers.is_empty() { DEFAULT_SEEDS.to_vec() } else { numbers };
        Ok(std::iter::once(None).chain(seeds.into_iter().map(Some)).map(SceneValue::Order).collect())
    }

    /// Its values as people read them.
    #[must_use]
    pub fn labels(&self) -> Vec<String> {
        self.values.iter().map(|value| value.label()).collect()
    }
}
