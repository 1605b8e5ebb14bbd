//! What a replay holds: the types, the limits and the clock that writer and reader share.
//!
//! Anything here that changes what is in the file changes [`FORMAT_VERSION`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::math::ScalarKind;

/// The version of the replay's layout. It says nothing about whether the results still hold: see [`Header::semantics`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FormatVersion(pub u32);

impl Display for FormatVersion {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The format this build writes, and the only one it reads.
pub const FORMAT_VERSION: FormatVersion = FormatVersion(1);
/// The trace format this build writes, and the only one it reads.
pub const TRACE_VERSION: FormatVersion = FormatVersion(3);

/// The MCAP profile by which a file says that it is one of ours.
pub const PROFILE: &str = "physim";
/// The MCAP profile of a trace.
pub const TRACE_PROFILE: &str = "physim-trace";
/// The MCAP library string: fixed, so that a new version of the library alone does not change the bytes of a replay.
pub const LIBRARY: &str = "physim";

/// The largest replay file, in bytes.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
/// The most that all chunks of a replay may hold once unpacked, in bytes.
pub const MAX_CONTENT_BYTES: u64 = 2 << 30;
/// The most that one chunk may hold once unpacked, in bytes.
pub const MAX_CHUNK_BYTES: u64 = 256 << 20;
/// The largest scene, as the canonical text that stands in a replay, in bytes.
pub const MAX_SCENE_BYTES: u64 = 64 << 20;
/// The largest input or state, in bytes.
pub const MAX_MESSAGE_BYTES: u64 = 128 << 20;
/// The most steps whose hashes wait in memory for the next keyframe.
pub const MAX_BATCH_STEPS: u32 = 4096;
/// The most sections a state may have.
pub const MAX_SECTIONS: usize = 64;

/// What must be known to replay the run, and a few numbers for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The layout of this file. First, so that any build can tell a file it cannot read.
    pub format: FormatVersion,
    /// The version of the engine's results, raised by hand when they change on purpose.
    pub semantics: u32,
    /// The number type of the run.
    #[serde(with = "scalar_name")]
    pub scalar: ScalarKind,
    /// The name the scene gives itself.
    pub scene_name: String,
    /// Seconds per step, in the exact text of the scene, such as `1/60`.
    pub dt: String,
    /// Nanoseconds per step as numerator and denominator, neither of them zero: for the times in the file only.
    pub dt_nanoseconds: (u64, u64),
    /// How many steps were asked for.
    pub steps: u32,
    /// A keyframe is at state 0 and after each that many steps; at least 1.
    pub keyframe_every: u32,
    /// How many bodies state 0 has.
    pub bodies: u32,
    /// Encoded size of one body in bytes. Informative.
    pub bytes_per_body: u32,
    /// Encoded size of one contact point in bytes. Informative.
    pub bytes_per_contact_point: u32,
    /// The sections of the state, in the order in which their digests are recorded.
    pub sections: Vec<String>,
    /// How many threads ran it. Informative: the thread count never reaches the state.
    pub threads: u32,
    /// The settings changed on the command line, as `KEY=VALUE`.
    pub overrides: Vec<String>,
    /// Where the scene came from, where it came from a file.
    pub scene_file: Option<String>,
    /// Why this golden last changed, where it is one.
    pub reason: Option<String>,
    /// The program that wrote the file, such as `physim 0.1.0`.
    pub producer: String,
}

impl Header {
    /// Whether a replay can have this header; otherwise the reason why not.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.format != FORMAT_VERSION {
            return Err(format!("the header states format {}, expected {FORMAT_VERSION}", self.format));
        }
        if self.keyframe_every == 0 {
            return Err("a keyframe every 0 steps, expected at least 1".to_owned());
        }
        if self.dt_nanoseconds.0 == 0 || self.dt_nanoseconds.1 == 0 {
            return Err("a step of 0 nanoseconds, or a fraction over 0".to_owned());
        }
        if self.nanoseconds(self.steps).is_none() {
            return Err(format!("{} steps of {} s do not fit 64 bits of nanoseconds", self.steps, self.dt));
        }
        if self.sections.is_empty() || self.sections.len() > MAX_SECTIONS {
            return Err(format!("{} sections, expected 1 to {MAX_SECTIONS}", self.sections.len()));
        }
        if self.sections.iter().collect::<BTreeSet<_>>().len() != self.sections.len() {
            return Err("two sections of one name".to_owned());
        }
        Ok(())
    }

    /// Simulated time of a state in seconds, rounded once.
    #[must_use]
    pub fn seconds(&self, step: u32) -> f64 {
        self.step_time().seconds(step)
    }

    /// What times are counted by.
    #[must_use]
    pub const fn step_time(&self) -> StepTime {
        let (numerator, denominator) = self.dt_nanoseconds;
        StepTime { numerator, denominator }
    }

    /// Simulated time of a state in whole nanoseconds, rounded down; `None` where that passes 64 bits. The top values
    /// are kept free, because times in the file may have to be a little later to differ.
    fn nanoseconds(&self, step: u32) -> Option<u64> {
        let (numerator, denominator) = self.dt_nanoseconds;
        let exact = (u128::from(step) * u128::from(numerator)).checked_div(u128::from(denominator))?;
        u64::try_from(exact).ok().filter(|&time| time <= u64::MAX / 2)
    }
}

/// The simulated time that a step takes, as an exact fraction of nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTime {
    /// The nanoseconds of `denominator` steps.
    pub numerator: u64,
    /// So many steps; not zero.
    pub denominator: u64,
}

impl StepTime {
    /// Simulated time of a state in seconds, rounded once.
    #[must_use]
    pub fn seconds(self, step: u32) -> f64 {
        let nanoseconds = u128::from(step) * u128::from(self.numerator);
        nanoseconds as f64 / (u128::from(self.denominator) * 1_000_000_000) as f64
    }
}

/// The hashes of one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepHash {
    /// The hash of the whole state.
    pub root: [u8; 32],
    /// The first 8 bytes of the digest of each section, in the order of [`Header::sections`].
    pub sections: Vec<[u8; 8]>,
}

/// Where an input came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputOrigin {
    /// The scene itself.
    Scene,
    /// A file named by `--inputs`.
    File,
    /// Standard input.
    Stdin,
}

/// One input as it was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedInput {
    /// The step it takes part in: it helps turn state `step - 1` into state `step`. At least 1.
    pub step: u32,
    /// Where it came from.
    pub origin: InputOrigin,
    /// The input as one line of RON.
    pub text: String,
}

/// A fault planted on purpose while recording, which a re-run plants again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Perturbation {
    /// The step in which it strikes.
    pub step: u32,
    /// What it is, as it is written on the command line.
    pub fault: String,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// All steps that were asked for were made.
    Completed,
    /// A step failed; what was recorded is good.
    Stopped {
        /// The step that failed.
        step: u32,
        /// The body at fault, where there is one.
        body: Option<String>,
        /// What went wrong.
        message: String,
    },
}

/// The final record: its presence says that the recording is whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// How the run ended.
    pub outcome: Outcome,
    /// The last good state.
    pub steps: u32,
    /// The root hash of that state.
    #[serde(with = "hex_bytes")]
    pub root: [u8; 32],
    /// How often the run did what it claims to show, by name.
    #[serde(deserialize_with = "unique_names::deserialize")]
    pub counters: BTreeMap<String, u64>,
}

impl Ending {
    /// Why the run stopped before its end, if it did.
    #[must_use]
    pub fn stop(&self) -> Option<&str> {
        match &self.outcome {
            Outcome::Completed => None,
            Outcome::Stopped { message, .. } => Some(message),
        }
    }

    /// Whether this can end a run of that header whose last recorded state is `step` with `hash`.
    pub(crate) fn check(&self, header: &Header, step: u32, hash: &StepHash) -> Result<(), String> {
        if self.steps != step {
            return Err(format!("the ending states {} steps, {step} are recorded", self.steps));
        }
        if self.root != hash.root {
            return Err("the ending's root hash is not that of the last step".to_owned());
        }
        match &self.outcome {
            Outcome::Completed if step != header.steps => {
                Err(format!("a completed run of {step} steps, the header asks for {}", header.steps))
            }
            Outcome::Stopped { step: failed, .. } if *failed < step || *failed > header.steps => {
                Err(format!("a run of {} steps that made {step} and stopped in step {failed}", header.steps))
            }
            Outcome::Completed | Outcome::Stopped { .. } => Ok(()),
        }
    }
}

/// Gives the messages of a replay their times: simulated nanoseconds, each later than the one before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    last: Option<u64>,
}

impl Clock {
    /// The time of a message about the state `step`. Messages about one state are a nanosecond apart.
    pub(crate) fn stamp(&self, header: &Header, step: u32) -> u64 {
        let earliest = self.last.map_or(0, |last| last.saturating_add(1));
        let exact = header.nanoseconds(step).unwrap_or(u64::MAX);
        if exact > earliest { exact } else { earliest }
    }

    /// Takes note of a message; false if its time is not later than that of the one before.
    pub(crate) fn advance(&mut self, time: u64) -> bool {
        let later = self.last.is_none_or(|last| time > last);
        self.last = Some(time);
        later
    }
}

/// Counts by name, of which none may be told twice: of two, JSON would take the last in silence.
mod unique_names {
    use std::collections::BTreeMap;
    use std::fmt::Formatter;

    use serde::Deserializer;
    use serde::de::{Error, MapAccess, Visitor};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, u64>, D::Error> {
        deserializer.deserialize_map(Counts)
    }

    struct Counts;

    impl<'de> Visitor<'de> for Counts {
        type Value = BTreeMap<String, u64>;

        fn expecting(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("counts by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut counts = BTreeMap::new();
            while let Some((name, count)) = map.next_entry::<String, u64>()? {
                if counts.insert(name.clone(), count).is_some() {
                    return Err(A::Error::custom(format!("the count {name:?} twice")));
                }
            }
            Ok(counts)
        }
    }
}

/// A scalar in JSON is its name on the command line.
pub(crate) mod scalar_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::math::ScalarKind;

    pub fn serialize<S: Serializer>(kind: &ScalarKind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ScalarKind, D::Error> {
        let name = String::deserialize(deserializer)?;
        ScalarKind::from_name(&name).ok_or_else(|| D::Error::custom(format!("unknown scalar `{name}`")))
    }
}

/// A hash in JSON is 64 hexadecimal digits.
mod hex_bytes {
    use std::fmt::Write;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(bytes: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(64);
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        serializer.serialize_str(&text)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        let pairs: Option<Vec<u8>> = digits.map(|digits| {
            digits
                .chunks_exact(2)
                .filter_map(|pair| u8::try_from(pair.iter().fold(0, |sum, d| sum * 16 + d)).ok())
                .collect()
        });
        pairs
            .filter(|_| text.len() == 64)
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| D::Error::custom("expected 64 hexadecimal digits"))
    }
}
