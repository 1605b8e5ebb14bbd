//! The report of `physim run`.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::session::record::{RunPlan, RunSummary};
use crate::world::energy::Energy;
use serde::Serialize;

use crate::report::check::{seconds_text, simulated_seconds};
use crate::report::json::line;
use crate::report::number::{bytes, count, counted, duration, short};
use crate::report::program::command;
use crate::report::style::{BAD, FAINT, TITLE, is_to_be_shown, printable};
use crate::report::table::{Cell, Table};

/// A run and how it went.
pub struct RunReport<'a> {
    /// What was asked for.
    pub plan: &'a RunPlan,
    /// What happened.
    pub summary: &'a RunSummary,
    /// The replay, if there is one with a name.
    pub replay: Option<&'a Path>,
    /// Its size.
    pub replay_bytes: Option<u64>,
    /// The trace or hash log that was written, if there is one.
    pub watched: Option<PathBuf>,
    /// The table of energies, if one was written.
    pub energy: Option<PathBuf>,
    /// Time taken.
    pub seconds: f64,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// The options that make the run what it is, as words of a command line.
    pub options: Vec<String>,
}

impl RunReport<'_> {
    /// Steps taken each second; nothing where the clock saw no time pass.
    fn steps_per_second(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| f64::from(self.summary.steps) / self.seconds)
    }
}

/// The report for people.
pub fn text(report: &RunReport<'_>) -> String {
    let RunReport { plan, summary, .. } = report;
    let mut table = Table::indented(2);
    table.labelled("final hash", summary.hash.hex());
    table.labelled("bodies", count(wide(summary.bodies)));
    table.labelled("contacts", format!("{} at the end", count(wide(summary.contacts))));
    table.labelled("energy", energy_text(&summary.energy_at_start, &summary.energy_at_end));
    table.labelled("time", time_text(report));
    if let Some(path) = report.replay {
        let size = report.replay_bytes.map(|size| format!(", {}", bytes(size))).unwrap_or_default();
        table.labelled("replay", format!("{}{size}", printable(&path.display().to_string())));
    }
    if let Some(path) = &report.watched {
        table.labelled("told", printable(&path.display().to_string()));
    }
    if let Some(path) = &report.energy {
        table.labelled("energies", printable(&path.display().to_string()));
    }
    format!("{}\n{}{}{}", title(plan, summary), table.render(), exercised_text(summary), next_text(report))
}

fn title(plan: &RunPlan, summary: &RunSummary) -> String {
    let name = TITLE.paint(printable(&plan.scene.name));
    let threads = counted(u64::from(plan.threads), "thread", "threads");
    let simulated = seconds_text(&plan.scene, summary.steps);
    let how = format!("of {} s ({simulated} s), scalar {}, {threads}", plan.scene.dt, plan.scalar);
    if summary.stopped.is_some() {
        let stopped = BAD.paint(format!(
            "stopped after {} of {}",
            summary.steps,
            counted(u64::from(plan.steps), "step", "steps")
        ));
        return format!("{name}: {stopped} {how}");
    }
    format!("{name}: {} {how}", counted(u64::from(summary.steps), "step", "steps"))
}

fn energy_text(start: &Energy, end: &Energy) -> String {
    format!(
        "{} J -> {} J (kinetic {} J -> {} J)",
        short(start.total()),
        short(end.total()),
        short(start.kinetic),
        short(end.kinetic)
    )
}

fn time_text(report: &RunReport<'_>) -> String {
    let mut text = duration(report.seconds);
    if let Some(rate) = report.steps_per_second() {
        let simulated = simulated_seconds(&report.plan.scene, report.summary.steps);
        let speed = short_rate(simulated / report.seconds);
        text.push_str(&format!(", {} steps/s, {speed} times real time", short_rate(rate)));
    }
    text
}

/// A rate for people: whole above ten.
fn short_rate(rate: f64) -> String {
    if rate >= 10.0 { format!("{rate:.0}") } else { format!("{rate:.2}") }
}

/// What the run exercised, each count on a line.
fn exercised_text(summary: &RunSummary) -> String {
    let counts = summary.counts.by_name();
    if counts.is_empty() {
        return format!("  {}\n", FAINT.paint("nothing touched anything"));
    }
    let mut table = Table::indented(4);
    for (name, number) in counts {
        table.row([Cell::text(name), Cell::number(count(number))]);
    }
    format!("  {}\n{}", FAINT.paint("exercised, over all steps"), table.render())
}

/// What to try next.
fn next_text(report: &RunReport<'_>) -> String {
    let scene = report.plan.scene_file.as_deref().unwrap_or("-");
    let next = match (report.replay, &report.summary.stopped) {
        (Some(path), None) => command(&format!("verify {}", quoted(&path.display().to_string()))),
        (Some(path), Some(_)) => {
            command(&format!("show {} --step {}", quoted(&path.display().to_string()), report.summary.steps))
        }
        (None, _) if scene == "-" => return String::new(),
        (None, _) => {
            let options: String = report.options.iter().map(|word| format!(" {}", quoted(word))).collect();
            command(&format!("run {}{options} -o {}", quoted(scene), quoted(&replay_name(scene))))
        }
    };
    format!("{} {next}\n", FAINT.paint("next:"))
}

/// The name that a replay of a scene file would have.
fn replay_name(scene: &str) -> String {
    let stem = Path::new(scene).file_stem().map_or_else(|| "run".into(), |stem| stem.to_string_lossy());
    format!("{stem}.mcap")
}

/// A word as a shell takes it. One with characters that a terminal would obey is written with escapes, as bash and zsh take them.
pub fn quoted(word: &str) -> String {
    if word.chars().any(is_to_be_shown) {
        return format!("$'{}'", word.chars().map(in_escapes).collect::<String>());
    }
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+:@%=,".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A word for the shell that runs a command line here, whose `sh` need not know `$'...'`. A name of a file need not be UTF-8.
#[cfg(unix)]
pub fn shell_word(word: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut quoted = vec![b'\''];
    for byte in word.as_bytes() {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            byte => quoted.push(*byte),
        }
    }
    quoted.push(b'\'');
    OsString::from_vec(quoted)
}

/// A word for the shell that runs a command line here: `cmd` knows double quotes alone, which no name of a file has in it there.
#[cfg(not(unix))]
pub fn shell_word(word: &OsStr) -> OsString {
    let mut quoted = OsString::from("\"");
    quoted.push(word);
    quoted.push("\"");
    quoted
}

/// A path as a program takes it that takes options too.
pub fn path_word(path: &std::path::Path) -> String {
    let shown = path.display().to_string();
    if shown.starts_with('-') { format!("./{shown}") } else { shown }
}

/// A path as a word of a command for people: one that can be typed into any POSIX shell, also where it is not UTF-8.
pub fn path_argument(path: &std::path::Path) -> String {
    match path.to_str() {
        Some(_) => quoted(&path_word(path)),
        None => typed(path.as_os_str(), b'-'),
    }
}

/// A word that [`shell_word`] made, as people type it: the same, if it is text.
pub fn typed_shell_word(word: &OsStr) -> String {
    match word.to_str() {
        Some(text) => text.to_owned(),
        None => typed(&unquoted(word), 0),
    }
}

/// The name in a word that [`shell_word`] made.
#[cfg(unix)]
fn unquoted(word: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let within = word.as_bytes().strip_prefix(b"'").and_then(|rest| rest.strip_suffix(b"'")).unwrap_or_default();
    let (mut name, mut rest) = (Vec::new(), within);
    while let Some((first, behind)) = rest.split_first() {
        name.push(*first);
        rest = if *first == b'\'' { behind.strip_prefix(b"\\''").unwrap_or(behind) } else { behind };
    }
    OsString::from_vec(name)
}

#[cfg(not(unix))]
fn unquoted(word: &OsStr) -> OsString {
    word.to_owned()
}

/// A name that is not UTF-8, in bytes: not every shell knows `$'...'`, and all know `printf`. One that begins with `option` could be taken for an option.
#[cfg(unix)]
fn typed(name: &OsStr, option: u8) -> String {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    let here = if bytes.first() == Some(&option) { "./" } else { "" };
    let escaped = bytes.iter().map(|&byte| match byte {
        plain if plain.is_ascii_alphanumeric() || b"/._-+:@=, ".contains(&plain) => char::from(plain).to_string(),
        b'%' => "%%".to_owned(),
        other => format!("\\{other:03o}"),
    });
    format!("\"$(printf '{here}{}')\"", escaped.collect::<String>())
}

#[cfg(not(unix))]
fn typed(name: &OsStr, _: u8) -> String {
    quoted(&name.to_string_lossy())
}

/// A character within `$'...'`.
fn in_escapes(letter: char) -> String {
    match letter {
        '\'' | '\\' => format!("\\{letter}"),
        '\n' | '\r' | '\t' => letter.escape_default().to_string(),
        // Byte by byte: the bash of macOS, 3.2, knows no `\u` and no `\U`.
        letter if is_to_be_shown(letter) => {
            letter.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("\\x{byte:02x}")).collect()
        }
        letter => letter.to_string(),
    }
}

fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// The JSON of a run; the first eleven keys are the contract of schema 1.
#[derive(Serialize)]
struct RunJson<'a> {
    schema: u32,
    scene: &'a str,
    scalar: &'static str,
    steps: u32,
    dt: String,
    hash: String,
    replay: Option<String>,
    bodies: usize,
    seconds: f64,
    steps_per_second: Option<f64>,
    warnings: &'a [String],
    stopped: Option<StoppedJson<'a>>,
    contacts: usize,
    energy: StartAndEnd,
    counts: BTreeMap<String, u64>,
    overrides: &'a [String],
    threads: u32,
}

#[derive(Serialize)]
struct StoppedJson<'a> {
    step: u32,
    body: Option<&'a str>,
    message: String,
}

#[derive(Serialize)]
struct StartAndEnd {
    start: EnergyJson,
    end: EnergyJson,
}

/// Energies in joules.
#[derive(Serialize)]
pub struct EnergyJson {
    kinetic: f64,
    potential: f64,
    total: f64,
}

impl From<&Energy> for EnergyJson {
    fn from(energy: &Energy) -> Self {
        Self { kinetic: energy.kinetic, potential: energy.potential, total: energy.total() }
    }
}

/// The report for machines: one object on one line.
pub fn json(report: &RunReport<'_>) -> String {
    let RunReport { plan, summary, .. } = report;
    let stopped = summary.stopped.as_ref();
    line(&RunJson {
        schema: 1,
        scene: &plan.scene.name,
        scalar: plan.scalar.name(),
        steps: summary.steps,
        dt: plan.scene.dt.to_string(),
        hash: summary.hash.hex(),
        replay: report.replay.map(|path| path.display().to_string()),
        bodies: summary.bodies,
        seconds: report.seconds,
        steps_per_second: report.steps_per_second(),
        warnings: &report.warnings,
        stopped: stopped.map(|error| StoppedJson {
            step: error.step(),
            body: error.body(),
            message: error.to_string(),
        }),
        contacts: summary.contacts,
        energy: StartAndEnd { start: (&summary.energy_at_start).into(), end: (&summary.energy_at_end).into() },
        counts: summary.counts.by_name(),
        overrides: &plan.overrides,
        threads: plan.threads,
    })
}
