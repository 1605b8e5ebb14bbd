//! Recorded runs: two of them, or one against this build.

use std::path::Path;

use crate::analysis::Verdict;
use crate::analysis::bisect::repetition::Repetition;
use crate::analysis::bisect::{Bisection, Tried};
use crate::analysis::diff::{DiffOptions, diff_recovered};
use crate::analysis::replay_plan::replay_plan;
use crate::analysis::verify::verify_replay;
use crate::replay::{InputOrigin, Recovered, Replay, looks_like_a_replay, looks_like_a_trace};

use crate::cli::bisect::{Answer, BisectArguments, scene};
use crate::cli::failure::Failure;
use crate::cli::replays::{check_one_reader, read_replay};
use crate::cli::source::{is_dash, is_replay, name_of};
use crate::report::difference::how_to_find_out;
use crate::report::number::counted;
use crate::report::program::command;
use crate::report::progress::Progress;
use crate::report::run::quoted;

/// Whether a file is, or by its name should be, a replay.
pub fn is_recorded(path: &Path) -> bool {
    let is_named_so = path.extension().is_some_and(|extension| extension == "mcap" || extension == "partial");
    !is_dash(path) && (is_named_so || is_replay(path))
}

/// Two replays of what ought to be one run.
pub fn bisect_two(arguments: &BisectArguments, a: &Path, b: &Path) -> Result<Answer, Failure> {
    arguments.check_for_replays()?;
    for path in [a, b] {
        refuse_other_kinds(path)?;
    }
    check_one_reader([a, b].into_iter())?;
    let (left, right) = (read_replay(a)?, read_replay(b)?);
    check_same_run([&left.replay, &right.replay], [&name_of(a), &name_of(b)])?;
    let options = DiffOptions { window: 0, fields: arguments.max as usize, ..DiffOptions::default() };
    let diff = diff_recovered(&left, &right, options);
    let mut found = Bisection { verdict: diff.verdict, first: diff.first, notes: diff.notes, ..Bisection::new() };
    let steps =
        |recovered: &Recovered| Some(counted(recovered.replay.steps.len().saturating_sub(1) as u64, "step", "steps"));
    let of_a = if left.damage.is_some() { Verdict::Damaged } else { Verdict::Same };
    found.conditions.push(Tried { verdict: of_a, remark: steps(&left), ..Tried::same(name_of(a)) });
    found.sides = found.first.as_ref().map(|_| [name_of(a), name_of(b)]);
    let (verdict, parts_at) = (found.verdict, found.first.as_ref().map(|first| first.step));
    let of_b = match (verdict, parts_at) {
        (Verdict::Damaged, _) if right.damage.is_some() => Verdict::Damaged,
        (Verdict::Damaged, None) => Verdict::Same,
        (Verdict::Damaged, Some(_)) => Verdict::Diverged,
        (verdict, _) => verdict,
    };
    found.conditions.push(Tried { verdict: of_b, parts_at, remark: steps(&right), ..Tried::same(name_of(b)) });
    let [a, b] = [a, b].map(|path| quoted(&name_of(path)));
    let next = parts_at.filter(|_| verdict == Verdict::Diverged).map(|_| command(&format!("minimize {a} {b}")));
    Ok(Answer { found, next })
}

/// A replay against what this build makes of it.
pub fn bisect_one(arguments: &BisectArguments, path: &Path) -> Result<Answer, Failure> {
    arguments.check_for_replays()?;
    refuse_other_kinds(path)?;
    let Recovered { replay, damage } = read_replay(path)?;
    let progress = Progress::new(replay.steps.len() as u64, "steps");
    let verified = verify_replay(&replay, 1, &mut |step, _| progress.reached(u64::from(step)));
    progress.finish();
    let mut found = Bisection { verdict: verified.verdict, first: verified.first, runs: 1, ..Bisection::new() };
    found.notes = verified.notes;
    // What is wrong with a file that could be read whole shows as it is run.
    if let Some(what) = verified.damage.filter(|_| damage.is_none()) {
        found.notes.push(format!("{} is damaged: {what}", name_of(path)));
    }
    let parts_at = found.first.as_ref().map(|first| first.step);
    let producer = Some(format!("recorded by {}", replay.header.producer));
    found.conditions.push(Tried { remark: producer, ..Tried::same(name_of(path)) });
    let this = concat!("physim ", env!("CARGO_PKG_VERSION"), ", this build");
    found.conditions.push(Tried { verdict: found.verdict, parts_at, ..Tried::same(this) });
    found.sides = found.first.as_ref().map(|_| [name_of(path), this.to_owned()]);
    if let Some(step) = parts_at {
        found.notes.push(how_to_find_out(step));
    }
    if found.verdict == Verdict::Diverged {
        blame_no_build(arguments, &replay, &mut found)?;
    }
    let repeats = found.repeats.as_ref().is_some_and(Repetition::holds);
    let search = (found.verdict == Verdict::Diverged && repeats).then(|| race_search(&replay)).flatten();
    // The inputs of a file are in the replay, but under which name they are to be had nobody knows.
    let has_inputs = replay.inputs.iter().any(|input| input.origin != InputOrigin::Scene);
    let (next, to_complete) = if has_inputs { (None, search) } else { (search, None) };
    found.notes.extend(to_complete.map(|search| {
        format!(
            "whether it is a race shows `{search}` with the inputs that the run was given: add --inputs with their file"
        )
    }));
    if let Some(damage) = damage {
        found.verdict = Verdict::Damaged;
        found.notes.push(format!("{} is damaged: {damage}; run again as far as it goes", name_of(path)));
    }
    Ok(Answer { found, next })
}

/// Runs a replay that differs a few times more: what this build does not repeat says nothing of the build.
fn blame_no_build(arguments: &BisectArguments, replay: &Replay, found: &mut Bisection) -> Result<(), Failure> {
    // What cannot be read has been told of already.
    let Ok(plan) = replay_plan(replay) else { return Ok(()) };
    let again = scene::does_it_repeat(arguments, plan)?;
    found.runs += again.runs;
    if again.not_repeating().is_some() {
        found.first = again.first;
        found.sides = again.sides;
        found.notes = again.notes;
    }
    found.repeats = again.repeats;
    Ok(())
}

/// The command that tells whether the scene of a replay gives the same run each time.
fn race_search(replay: &Replay) -> Option<String> {
    let header = &replay.header;
    let scene = quoted(header.scene_file.as_deref()?);
    let threads = if header.threads > 1 { format!(" --axis threads=1,{}", header.threads) } else { String::new() };
    let faults = replay.perturbations.iter().map(|planted| format!(" --fault {}", quoted(&planted.fault)));
    let faults: String = faults.collect();
    let set: String = header.overrides.iter().map(|set| format!(" --set {}", quoted(set))).collect();
    let (steps, scalar) = (header.steps, header.scalar);
    let run = format!("--steps {steps} --scalar {scalar}{set}{faults}");
    Some(command(&format!("bisect {scene}{threads} --axis repeat=20 {run}")))
}

/// Refuses scenes and traces by what is to be done with them.
fn refuse_other_kinds(path: &Path) -> Result<(), Failure> {
    if is_dash(path) || !path.is_file() || looks_like_a_replay(path) {
        return Ok(());
    }
    let name = path.display();
    if path.extension().is_some_and(|extension| extension == "ron") {
        return Err(Failure::Usage(format!(
            "{name} is a scene where a replay is expected; give two replays, or one scene with --axis, such as \
             `{}`",
            command(&format!("bisect {} --axis threads=1,2", quoted(&name.to_string())))
        )));
    }
    if looks_like_a_trace(path) {
        return Err(Failure::Usage(format!("{name} is a trace, no replay; physim diff compares two traces")));
    }
    Ok(())
}

/// Refuses replays of which nobody can expect that they agree.
fn check_same_run([a, b]: [&Replay; 2], names: [&str; 2]) -> Result<(), Failure> {
    let (left, right) = (&a.header, &b.header);
    let which = |same: bool| if same { "one" } else { "another" }.to_owned();
    let inputs = |replay: &Replay| format!("{} inputs", replay.inputs.len());
    let of_b = if a.inputs == b.inputs { inputs(b) } else { format!("{}, others", inputs(b)) };
    let what = [
        ("scalar", left.scalar.to_string(), right.scalar.to_string()),
        ("scene", left.scene_name.clone(), right.scene_name.clone()),
        ("dt", left.dt.clone(), right.dt.clone()),
        ("text of the scene", which(true), which(a.scene == b.scene)),
        ("input", inputs(a), of_b),
    ];
    match what.iter().find(|(_, a, b)| a != b) {
        None => Ok(()),
        Some((what, in_a, in_b)) => Err(Failure::Usage(format!(
            "{} and {} are not of one run: their {what} differs ({in_a} and {in_b}); physim diff compares them all the \
             same",
            names[0], names[1]
        ))),
    }
}
