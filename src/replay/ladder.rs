//! The ladder: about a kilobyte of text by which two people find where their runs diverge without exchanging files.
//!
//! It holds what must agree, and the hashes of a few steps: over a whole run at 0, 1, 2, 4, 8 and so on, over a part of
//! it evenly. The text is made to be pasted, so its reader forgives what pasting does to space, and nothing else; a
//! checksum at its end tells a mangled ladder from a desync.

use std::fmt::{Display, Formatter, Write};

use crate::math::ScalarKind;
use crate::replay::format::Header;
use crate::replay::step_hashes::StepHashes;
use crate::scene;

/// The first words of a ladder, before its version.
const TITLE: &str = "physim ladder";
const VERSION: u32 = 1;
/// How much of the digest of a scene is shown, in bytes.
const SCENE_BYTES: usize = 8;
/// How much of a root hash a rung shows, in bytes.
const HASH_BYTES: usize = 16;
/// The most rungs over a part of a run.
const MAX_PART_RUNGS: u32 = 24;
/// The longest text that may be a ladder, in bytes.
pub const MAX_LADDER_BYTES: usize = 64 << 10;

/// A few hashes of a run, with what must agree for them to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ladder {
    /// What must agree.
    pub settings: LadderSettings,
    /// The hashes, by rising step. At least one.
    pub rungs: Vec<Rung>,
}

/// What must agree for two runs to give the same hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderSettings {
    /// The name of the scene.
    pub scene_name: String,
    /// The number type of the run.
    pub scalar: ScalarKind,
    /// Seconds per step, as the scene writes them.
    pub dt: String,
    /// The version of the engine's results.
    pub semantics: u32,
    /// How many steps were asked for.
    pub steps: u32,
    /// The beginning of the digest of the scene's text, as 16 hexadecimal digits; early ladders do not have it.
    pub scene_digest: Option<String>,
}

/// The hash of one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The step.
    pub step: u32,
    /// The first 16 bytes of its root hash, as 32 hexadecimal digits in lower case.
    pub hash: String,
}

/// Why there is no ladder.
#[derive(Debug, thiserror::Error)]
pub enum LadderError {
    /// A ladder over steps that the run does not have.
    #[error(
        "no ladder over the steps {from} to {to}: the run has the steps 0 to {last}; choose two of them, the smaller first"
    )]
    OutsideTheRun {
        /// The first step asked for.
        from: u32,
        /// The last step asked for.
        to: u32,
        /// The last step there is.
        last: u32,
    },
    /// The run has no steps.
    #[error("no ladder: the run has no recorded step; record it again")]
    NoSteps,
    /// The text is not a ladder.
    #[error(
        "{name} is not a ladder: it does not begin with `{TITLE} {VERSION}`; paste all that `physim ladder` printed"
    )]
    NotALadder {
        /// Where the text is from.
        name: String,
    },
    /// The text is a ladder of another version.
    #[error(
        "{name} is a ladder of version {found:?}; this build reads version {VERSION}: make both ladders with one build"
    )]
    OtherVersion {
        /// Where the text is from.
        name: String,
        /// The version it states.
        found: String,
    },
    /// The text is longer than ladders are.
    #[error("{name} is longer than a ladder may be, {MAX_LADDER_BYTES} bytes; give only what `physim ladder` printed")]
    TooLong {
        /// Where the text is from.
        name: String,
    },
    /// The names in the replay make it longer than ladders are.
    #[error(
        "the ladder takes {bytes} bytes, and may take {MAX_LADDER_BYTES}: the name of the scene or its dt is too long"
    )]
    TooLarge {
        /// What it takes.
        bytes: usize,
    },
    /// The text is a ladder, but not as it was printed.
    #[error("{name}, line {line}: {what}; the ladder is not as it was printed, so paste it again as a whole")]
    Mangled {
        /// Where the text is from.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What was expected.
        what: String,
    },
}

impl Ladder {
    /// The ladder of a run of `scene`, or of its part from step `from` to step `to`, whose states 0, 1, 2 and so on have
    /// `hashes`.
    ///
    /// # Errors
    /// If the run does not have those steps.
    pub fn of(header: &Header, scene: &str, hashes: &StepHashes, from: u32, to: u32) -> Result<Self, LadderError> {
        let last = hashes.len().checked_sub(1).ok_or(LadderError::NoSteps)?;
        let last = u32::try_from(last).unwrap_or(u32::MAX);
        if from > to || to > last {
            return Err(LadderError::OutsideTheRun { from, to, last });
        }
        let steps = if (from, to) == (0, last) { doubling(last) } else { even(from, to) };
        let ladder = Self::at(header, scene, hashes, &steps);
        match ladder.to_string().len() {
            bytes if bytes > MAX_LADDER_BYTES => Err(LadderError::TooLarge { bytes }),
            _ => Ok(ladder),
        }
    }

    /// The ladder of a run with rungs at those of `steps`, in rising order, that it has.
    #[must_use]
    pub fn at(header: &Header, scene: &str, hashes: &StepHashes, steps: &[u32]) -> Self {
        let rung = |&step: &u32| Some(Rung { step, hash: short(&hashes.get(step as usize)?.root) });
        let settings = LadderSettings {
            scene_name: header.scene_name.clone(),
            scalar: header.scalar,
            dt: header.dt.clone(),
            semantics: header.semantics,
            steps: header.steps,
            scene_digest: scene_digest(scene),
        };
        Self { settings, rungs: steps.iter().filter_map(rung).collect() }
    }

    /// The lines before the checksum.
    fn lines(&self) -> Vec<String> {
        let LadderSettings { scene_name, scalar, dt, semantics, steps, scene_digest } = &self.settings;
        let text = scene_digest.as_ref().map_or_else(String::new, |digest| format!(", text {digest}"));
        let mut lines = vec![
            format!("{TITLE} {VERSION}"),
            format!("scene {}", quoted(scene_name)),
            format!("scalar {scalar}, semantics {semantics}, steps {steps}, dt {}{text}", quoted(dt)),
        ];
        lines.extend(self.rungs.iter().map(|rung| format!("{} {}", rung.step, rung.hash)));
        lines
    }
}

impl Display for Ladder {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let lines = self.lines();
        for line in &lines {
            writeln!(formatter, "{line}")?;
        }
        writeln!(formatter, "{}", checksum(&lines))
    }
}

/// 0, 1, 2, 4, 8 and so on, then `last`.
fn doubling(last: u32) -> Vec<u32> {
    let powers = (0..u32::BITS).map(|exponent| 1 << exponent).take_while(|&step| step < last);
    let mut steps: Vec<u32> = std::iter::once(0).chain(powers).chain([last]).collect();
    steps.dedup();
    steps
}

/// Some steps from `from` to `to`, both included, as evenly as whole numbers allow.
fn even(from: u32, to: u32) -> Vec<u32> {
    let gaps = (to - from).min(MAX_PART_RUNGS - 1);
    let place = |rung: u32| u64::from(to - from) * u64::from(rung) / u64::from(gaps.max(1));
    // No place is beyond `to - from`, so it fits.
    (0..=gaps).map(|rung| from + u32::try_from(place(rung)).unwrap_or(0)).collect()
}

/// The digest of a scene's text, but for how often a keyframe is written, which is not part of the run; nothing where
/// this build cannot read it.
fn scene_digest(scene: &str) -> Option<String> {
    let mut scene = scene::parse("scene of the replay", scene).ok()?;
    scene.keyframe_every = 1;
    let digest = blake3::hash(scene.to_canonical_ron().as_bytes());
    Some(hexadecimal(digest.as_bytes().get(..SCENE_BYTES)?))
}

fn short(root: &[u8]) -> String {
    hexadecimal(root.get(..HASH_BYTES).unwrap_or(root))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A text as a JSON string on one line of ASCII, so that no program that carries it has a reason to change it.
fn quoted(text: &str) -> String {
    let plain = serde_json::Value::from(text).to_string();
    plain.chars().fold(String::new(), |mut quoted, letter| {
        if letter.is_ascii() && letter != '\u{7f}' {
            quoted.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                let _ = write!(quoted, "\\u{unit:04x}");
            }
        }
        quoted
    })
}

fn checksum(lines: &[String]) -> String {
    let hash = blake3::hash(lines.join("\n").as_bytes());
    format!("check {}", hexadecimal(hash.as_bytes().get(..4).unwrap_or_default()))
}

/// Whether a text is meant to be a ladder, whole or not.
#[must_use]
pub fn looks_like_a_ladder(text: &str) -> bool {
    normal_lines(text).next().is_some_and(|(_, line)| line.starts_with(TITLE))
}

/// The line, counted from 1, on which a ladder begins that other words stand before.
#[must_use]
pub fn line_of_a_ladder(text: &str) -> Option<usize> {
    normal_lines(text).skip(1).find(|(_, line)| line.starts_with(TITLE)).map(|(number, _)| number)
}

/// Reads a ladder from a pasted text, which errors call `name`.
///
/// # Errors
/// If it is not a ladder, or anything but the space around its words is not as it was printed.
pub fn read_ladder(name: &str, text: &str) -> Result<Ladder, LadderError> {
    let name = || name.to_owned();
    if text.len() > MAX_LADDER_BYTES {
        return Err(LadderError::TooLong { name: name() });
    }
    let lines: Vec<(usize, String)> = normal_lines(text).collect();
    let version = lines.first().and_then(|(_, line)| line.strip_prefix(TITLE)).map(str::trim);
    match version {
        None => return Err(LadderError::NotALadder { name: name() }),
        Some(found) if found != VERSION.to_string() => {
            return Err(LadderError::OtherVersion { name: name(), found: found.to_owned() });
        }
        Some(_) => {}
    }
    let mangled = |(line, what)| LadderError::Mangled { name: name(), line, what };
    let ladder = parse(&lines).map_err(mangled)?;
    let mut expected = ladder.lines();
    expected.push(checksum(&expected));
    // What reads alike may still be written differently: `007`, `+7`, another escape.
    let differing = lines.iter().zip(&expected).find(|((_, found), expected)| found != *expected);
    match differing {
        None => Ok(ladder),
        Some(((line, found), _)) if found.starts_with("check ") => {
            Err(mangled((*line, "the checksum does not fit the lines above it".to_owned())))
        }
        Some(((line, _), expected)) => Err(mangled((*line, format!("expected `{expected}`")))),
    }
}

/// The lines with their numbers, without what pasting adds: marks of quotation, fences, space around and between words.
fn normal_lines(text: &str) -> impl Iterator<Item = (usize, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bare = (1..).zip(text.split('\n')).map(|(number, line)| {
        let line = line.trim_start_matches(|letter: char| letter == '>' || letter.is_whitespace()).trim_end();
        // What is in quotes may have space within it that counts.
        let is_quote = line.starts_with("scene ") || line.starts_with("scalar ");
        let line = if is_quote { line.to_owned() } else { line.split_whitespace().collect::<Vec<_>>().join(" ") };
        (number, line)
    });
    bare.filter(|(_, line)| !line.is_empty() && !line.starts_with("```"))
}

/// Reads the lines of a ladder; otherwise the number of the line at fault and what was expected there.
fn parse(lines: &[(usize, String)]) -> Result<Ladder, (usize, String)> {
    let end = lines.last().map_or(1, |(number, _)| *number);
    let [_, scene, settings, rungs @ .., check] = lines else {
        return Err((end, "the ladder ends early".to_owned()));
    };
    if !check.1.starts_with("check ") {
        return Err((check.0, "expected the last line, `check` and 8 digits".to_owned()));
    }
    let scene_name = scene.1.strip_prefix("scene ").and_then(|name| serde_json::from_str(name).ok());
    let scene_name = scene_name.ok_or_else(|| (scene.0, "expected `scene` and its name in quotes".to_owned()))?;
    let settings = parse_settings(&settings.1, scene_name)
        .ok_or_else(|| (settings.0, "expected `scalar ..., semantics ..., steps ..., dt \"...\"`".to_owned()))?;
    let mut ladder = Ladder { settings, rungs: Vec::new() };
    for (number, line) in rungs {
        let rung = parse_rung(line).ok_or_else(|| (*number, "expected a step and 32 hexadecimal digits".to_owned()))?;
        if let Some(last) = ladder.rungs.last().filter(|last| last.step >= rung.step) {
            return Err((*number, format!("step {} after step {}, expected rising steps", rung.step, last.step)));
        }
        ladder.rungs.push(rung);
    }
    if ladder.rungs.is_empty() {
        return Err((end, "a ladder without any step".to_owned()));
    }
    Ok(ladder)
}

fn parse_settings(line: &str, scene_name: String) -> Option<LadderSettings> {
    let (scalar, rest) = line.strip_prefix("scalar ")?.split_once(", semantics ")?;
    let (semantics, rest) = rest.split_once(", steps ")?;
    let (steps, rest) = rest.split_once(", dt ")?;
    let with_digest = rest.rsplit_once(", text ").filter(|(_, digest)| is_hexadecimal(digest, 2 * SCENE_BYTES));
    let (dt, scene_digest) = with_digest.map_or((rest, None), |(dt, digest)| (dt, Some(digest.to_owned())));
    Some(LadderSettings {
        scene_name,
        scalar: ScalarKind::from_name(scalar)?,
        dt: serde_json::from_str(dt).ok()?,
        semantics: semantics.parse().ok()?,
        steps: steps.parse().ok()?,
        scene_digest,
    })
}

fn parse_rung(line: &str) -> Option<Rung> {
    let (step, hash) = line.split_once(' ')?;
    let hash = is_hexadecimal(hash, 2 * HASH_BYTES).then(|| hash.to_owned())?;
    Some(Rung { step: step.parse().ok()?, hash })
}

fn is_hexadecimal(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A setting in which two ladders differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderSetting {
    /// Which setting.
    pub key: &'static str,
    /// As the first ladder has it.
    pub a: String,
    /// As the second has it.
    pub b: String,
}

/// What two ladders say about their runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderComparison {
    /// The settings that differ.
    pub settings: Vec<LadderSetting>,
    /// How many steps both ladders show. Where this is 0, nothing is known.
    pub common: usize,
    /// The last step that both show with the same hash, before any that differs.
    pub last_same: Option<u32>,
    /// The first step that both show with different hashes.
    pub first_differing: Option<u32>,
}

impl LadderComparison {
    /// The steps of the next pair of ladders, which will narrow the gap further; `None` where nothing differs or the
    /// first difference is known to the step.
    #[must_use]
    pub fn narrowed(&self) -> Option<(u32, u32)> {
        let to = self.first_differing?;
        let from = self.last_same.unwrap_or(0);
        (to.saturating_sub(from) > 1 || (self.last_same.is_none() && to > 0)).then_some((from, to))
    }
}

/// Compares two ladders at the steps that both show.
#[must_use]
pub fn compare_ladders(a: &Ladder, b: &Ladder) -> LadderComparison {
    let (mut common, mut last_same, mut first_differing) = (0, None, None);
    for left in &a.rungs {
        let Some(right) = b.rungs.iter().find(|right| right.step == left.step) else {
            continue;
        };
        common += 1;
        if left.hash != right.hash {
            first_differing = first_differing.or(Some(left.step));
        } else if first_differing.is_none() {
            last_same = Some(left.step);
        }
    }
    LadderComparison { settings: differing_settings(&a.settings, &b.settings), common, last_same, first_differing }
}

fn differing_settings(a: &LadderSettings, b: &LadderSettings) -> Vec<LadderSetting> {
    let digests = a.scene_digest.clone().zip(b.scene_digest.clone());
    let (digest_of_a, digest_of_b) = digests.unwrap_or_default();
    let rows = [
        ("scene", a.scene_name.clone(), b.scene_name.clone()),
        ("scalar", a.scalar.to_string(), b.scalar.to_string()),
        ("dt", a.dt.clone(), b.dt.clone()),
        ("semantics", a.semantics.to_string(), b.semantics.to_string()),
        ("steps", a.steps.to_string(), b.steps.to_string()),
        ("scene text", digest_of_a, digest_of_b),
    ];
    let differing = rows.into_iter().filter(|(_, a, b)| a != b);
    differing.map(|(key, a, b)| LadderSetting { key, a, b }).collect()
}

#[cfg(test)]
mod tests;
