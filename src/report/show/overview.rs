//! A replay as a whole: its header, how it ended, what it exercised, its energies.

use std::collections::BTreeMap;

use crate::analysis::show::{EnergyAt, time_of};
use crate::replay::{Ending, InputOrigin, Replay};
use serde::Serialize;

use crate::report::json::line;
use crate::report::number::{count, counted, short};
use crate::report::run::EnergyJson;
use crate::report::style::{BAD, FAINT, GOOD, TITLE, printable};
use crate::report::table::{Cell, Table};

/// A replay to show.
pub struct Overview<'a> {
    /// Its path.
    pub name: &'a str,
    /// What was read of it.
    pub replay: &'a Replay,
    /// Energies at its keyframes.
    pub energies: Vec<EnergyAt>,
    /// Whether it could be read only in part.
    pub is_damaged: bool,
}

impl Overview<'_> {
    /// The root hash of the last step there is.
    fn hash(&self) -> Option<String> {
        self.replay.steps.last().map(|hash| blake3::Hash::from_bytes(hash.root).to_hex().to_string())
    }

    /// The name of the outcome.
    fn outcome(&self) -> Option<&'static str> {
        let ending = self.replay.ending.as_ref()?;
        Some(if ending.stop().is_some() { "stopped" } else { "completed" })
    }
}

/// For people.
pub fn text(overview: &Overview<'_>) -> String {
    let header = &overview.replay.header;
    let last = overview.replay.last_step();
    let seconds = short(time_of(overview.replay, last));
    let title = format!(
        "{}: {}, {} of {} of {} s ({seconds} s), scalar {}",
        TITLE.paint(printable(overview.name)),
        printable(&header.scene_name),
        counted(u64::from(last), "step", "steps"),
        header.steps,
        printable(&header.dt),
        header.scalar
    );
    let parts = [title + "\n", header_table(overview).render(), exercised_text(overview), energies_text(overview)];
    parts.concat()
}

fn header_table(overview: &Overview<'_>) -> Table {
    let (replay, header) = (overview.replay, &overview.replay.header);
    let mut table = Table::indented(2);
    table.labelled("final hash", overview.hash().unwrap_or_default());
    table.labelled("ended", ending_text(overview));
    let threads = counted(u64::from(header.threads), "thread", "threads");
    let from = header.scene_file.as_ref().map(|file| format!(" from {}", printable(file))).unwrap_or_default();
    table.labelled("recorded", format!("by {}{from}, on {threads}", printable(&header.producer)));
    table.labelled("versions", format!("format {}, semantics {}", header.format, header.semantics));
    if !header.overrides.is_empty() {
        table.labelled("overrides", printable(&header.overrides.join("  ")));
    }
    if let Some(reason) = &header.reason {
        table.labelled("reason", printable(reason));
    }
    table.labelled(
        "bodies",
        format!(
            "{} at the start, {} B each and {} B for each contact point",
            count(u64::from(header.bodies)),
            header.bytes_per_body,
            header.bytes_per_contact_point
        ),
    );
    table.labelled("inputs", inputs_text(replay));
    for fault in &replay.perturbations {
        table.labelled("planted fault", printable(&fault.fault));
    }
    table.labelled(
        "keyframes",
        format!("{}, one every {}", replay.keyframes.len(), counted(u64::from(header.keyframe_every), "step", "steps")),
    );
    table
}

fn ending_text(overview: &Overview<'_>) -> String {
    match overview.replay.ending.as_ref().map(Ending::stop) {
        Some(None) if overview.is_damaged => "completed; the file is damaged".to_owned(),
        Some(None) => GOOD.paint("completed"),
        Some(Some(message)) => format!("{}: {}", BAD.paint("stopped"), printable(message)),
        None => BAD.paint("without an ending: the run was killed, or the file is damaged"),
    }
}

fn inputs_text(replay: &Replay) -> String {
    let origins = [(InputOrigin::Scene, "scene"), (InputOrigin::File, "file"), (InputOrigin::Stdin, "stdin")];
    let parts: Vec<String> = origins
        .into_iter()
        .map(|(origin, name)| (replay.inputs.iter().filter(|input| input.origin == origin).count(), name))
        .filter(|(number, _)| *number > 0)
        .map(|(number, name)| format!("{number} from {name}"))
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

fn exercised_text(overview: &Overview<'_>) -> String {
    let Some(ending) = overview.replay.ending.as_ref().filter(|ending| !ending.counters.is_empty()) else {
        return String::new();
    };
    let mut table = Table::indented(4);
    for (name, number) in &ending.counters {
        table.row([Cell::text(printable(name)), Cell::number(count(*number))]);
    }
    format!("  {}\n{}", FAINT.paint("exercised, over all steps"), table.render())
}

fn energies_text(overview: &Overview<'_>) -> String {
    let mut table = Table::indented(4);
    let heads = ["step", "time (s)", "bodies", "contacts", "kinetic (J)", "potential (J)", "total (J)"];
    table.row(heads.map(|head| Cell::number(head).painted(FAINT)));
    for row in &overview.energies {
        table.row([
            Cell::number(row.step.to_string()),
            Cell::number(short(row.time)),
            Cell::number(row.bodies.to_string()),
            Cell::number(row.contacts.to_string()),
            Cell::number(short(row.energy.kinetic)),
            Cell::number(short(row.energy.potential)),
            Cell::number(short(row.energy.total())),
        ]);
    }
    format!("  {}\n{}", FAINT.paint("at the keyframes"), table.render())
}

#[derive(Serialize)]
struct OverviewJson<'a> {
    schema: u32,
    replay: &'a str,
    scene: &'a str,
    scalar: &'static str,
    dt: &'a str,
    steps: u32,
    steps_asked: u32,
    hash: Option<String>,
    outcome: Option<&'static str>,
    message: Option<&'a str>,
    damaged: bool,
    producer: &'a str,
    format: u32,
    semantics: u32,
    threads: u32,
    scene_file: Option<&'a str>,
    overrides: &'a [String],
    reason: Option<&'a str>,
    bodies: u32,
    bytes_per_body: u32,
    bytes_per_contact_point: u32,
    inputs: usize,
    faults: usize,
    planted: Vec<&'a str>,
    keyframe_every: u32,
    counts: Option<&'a BTreeMap<String, u64>>,
    energies: Vec<EnergyAtJson>,
}

#[derive(Serialize)]
struct EnergyAtJson {
    step: u32,
    time: f64,
    bodies: usize,
    contacts: usize,
    energy: EnergyJson,
}

/// For machines.
pub fn json(overview: &Overview<'_>) -> String {
    let (replay, header) = (overview.replay, &overview.replay.header);
    let ending = replay.ending.as_ref();
    let energy = |row: &EnergyAt| EnergyAtJson {
        step: row.step,
        time: row.time,
        bodies: row.bodies,
        contacts: row.contacts,
        energy: (&row.energy).into(),
    };
    line(&OverviewJson {
        schema: 1,
        replay: overview.name,
        scene: &header.scene_name,
        scalar: header.scalar.name(),
        dt: &header.dt,
        steps: replay.last_step(),
        steps_asked: header.steps,
        hash: overview.hash(),
        outcome: overview.outcome(),
        message: ending.and_then(Ending::stop),
        damaged: overview.is_damaged,
        producer: &header.producer,
        format: header.format.0,
        semantics: header.semantics,
        threads: header.threads,
        scene_file: header.scene_file.as_deref(),
        overrides: &header.overrides,
        reason: header.reason.as_deref(),
        bodies: header.bodies,
        bytes_per_body: header.bytes_per_body,
        bytes_per_contact_point: header.bytes_per_contact_point,
        inputs: replay.inputs.len(),
        faults: replay.perturbations.len(),
        planted: replay.perturbations.iter().map(|planted| planted.fault.as_str()).collect(),
        keyframe_every: header.keyframe_every,
        counts: ending.map(|ending| &ending.counters),
        energies: overview.energies.iter().map(energy).collect(),
    })
}

/// For spreadsheets: a line for each keyframe.
pub fn csv(overview: &Overview<'_>) -> String {
    let rows = overview.energies.iter().map(|row| {
        let energy = &row.energy;
        let numbers = [row.time, energy.kinetic, energy.potential, energy.total()];
        let numbers = numbers.iter().chain(&energy.linear_momentum).chain(&energy.angular_momentum);
        let numbers: Vec<String> = numbers.map(f64::to_string).collect();
        format!("{},{},{},{}\n", row.step, row.bodies, row.contacts, numbers.join(","))
    });
    "step,bodies,contacts,time,kinetic,potential,total,px,py,pz,lx,ly,lz\n".to_owned() + &rows.collect::<String>()
}
