//! The replays of a sweep that are in its folder already: kept, made again, or of another run and left alone.

use std::path::{Path, PathBuf};

use crate::analysis::sweep::Sweep;
use crate::analysis::sweep::row::Row;
use crate::replay::{Recovered, Replay, ReplayError, looks_like_a_replay, read_recovering};
use crate::session::consistency::examined;
use crate::session::record::RunPlan;
use crate::world::SEMANTICS_VERSION;

use crate::cli::failure::Failure;
use crate::cli::output::check_replaceable;
use crate::cli::source::is_replay;

/// The file of a run's replay.
pub fn path_of(folder: &Path, run: u64) -> PathBuf {
    folder.join(format!("{run}.mcap"))
}

/// Makes the folder, and refuses to record in the place of anything but replays of these same runs; gives back the hash
/// that each run's replay ends with, where it is there and whole.
pub fn check_folder(folder: &Path, sweep: &Sweep, runs: &[u64], force: bool) -> Result<Vec<Option<String>>, Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::Usage(format!("--record {}: cannot make this folder: {error}; name another one", folder.display()))
    })?;
    let there = |run: &u64| {
        let path = path_of(folder, *run);
        check_replaceable(&path, force, "replay", looks_like_a_replay)?;
        let replay = if force { None } else { replay_of(&path, sweep, *run)? };
        Ok(replay.as_ref().and_then(end_of))
    };
    runs.iter().map(there).collect()
}

/// The runs among those with rows whose replays are not there, not whole, or end otherwise.
pub fn to_record_again(sweep: &Sweep, rows: &[Row], recorded: &[Option<String>]) -> Vec<u64> {
    let hash = sweep.columns().iter().position(|(name, _)| name == "hash");
    let lacks = |(row, end): &(&Row, &Option<String>)| {
        // A run whose scene makes no world has neither a hash nor a replay.
        let hash = hash.and_then(|hash| row.cells.get(hash)).filter(|hash| !hash.is_empty());
        hash.is_some_and(|hash| end.as_ref() != Some(hash))
    };
    rows.iter().zip(recorded).filter(lacks).map(|(row, _)| row.run).collect()
}

/// The replay of a run, as far as it is sound, if there is one; that of another run is an error.
fn replay_of(path: &Path, sweep: &Sweep, run: u64) -> Result<Option<Replay>, Failure> {
    if !path.is_file() {
        return Ok(None);
    }
    let shown = path.display();
    let Recovered { replay, damage } = match read_recovering(path).map(examined) {
        Ok(recovered) => recovered,
        // So little is there that it may be of any run, and nothing of one is lost.
        Err(ReplayError::Damaged { .. }) => return Ok(None),
        Err(_) if !is_replay(path) => return Ok(None),
        Err(error) => {
            let next = "choose another folder for --record, or replace it with --force";
            return Err(Failure::Usage(format!("{error}; {next}")));
        }
    };
    let plan = sweep.plan(run)?;
    if let Some(difference) = difference(&replay, &plan, damage.is_some()) {
        return Err(Failure::Usage(format!(
            "{shown} is the replay of another run: {difference}; choose another folder for --record, or replace it with --force"
        )));
    }
    Ok(Some(replay).filter(|_| damage.is_none()))
}

/// What shows that a replay is of another run; nothing where it is of this one.
fn difference(replay: &Replay, plan: &RunPlan, is_damaged: bool) -> Option<String> {
    let header = &replay.header;
    if header.overrides != plan.overrides {
        let of = |overrides: &[String]| if overrides.is_empty() { "nothing".to_owned() } else { overrides.join(", ") };
        return Some(format!("it sets {}, this one {}", of(&header.overrides), of(&plan.overrides)));
    }
    if (header.scalar, header.steps) != (plan.scalar, plan.steps) {
        return Some(format!(
            "it has {} steps in {}, this one {} in {}",
            header.steps, header.scalar, plan.steps, plan.scalar
        ));
    }
    if replay.scene != plan.scene.to_canonical_ron() {
        return Some("its scene is another one".to_owned());
    }
    let of_plan = plan.scene.inputs.iter().chain(plan.extra_inputs.iter().map(|(input, _)| input));
    let of_plan: Vec<String> = of_plan.map(crate::scene::model::Input::to_ron_line).collect();
    let inputs: Vec<&str> = replay.inputs.iter().map(|input| input.text.as_str()).collect();
    let are_same = if is_damaged { inputs.len() <= of_plan.len() } else { inputs.len() == of_plan.len() }
        && inputs.iter().zip(&of_plan).all(|(a, b)| a == b);
    if !are_same || !replay.perturbations.is_empty() {
        return Some("its inputs or faults are others".to_owned());
    }
    (header.semantics != SEMANTICS_VERSION).then(|| "it was made under other semantics".to_owned())
}

/// The hash that a whole replay ends with.
fn end_of(replay: &Replay) -> Option<String> {
    replay.ending.as_ref().map(|ending| ending.root.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares a run that was made again for its replay with the row that it has.
pub fn check_repeated(sweep: &Sweep, known: &Row, again: &Row, folder: &Path) -> Result<(), Failure> {
    let Some(place) = known.first_difference(again) else { return Ok(()) };
    let (columns, cell) = (sweep.columns(), |row: &Row| row.cells.get(place).cloned().unwrap_or_default());
    let name = columns.get(place).map_or("", |(name, _)| name);
    let told = format!(": `{name}` is {}, in the row it is {}", cell(again), cell(known));
    let (run, path) = (known.run, path_of(folder, known.run));
    Err(Failure::Usage(format!(
        "run {run} was made again for its replay, and does not come to what its row has{told}; {} has what it comes to \
         now. The table is of another build or machine: begin anew with --force",
        path.display()
    )))
}
