//! What is to be kept while the scene gets smaller, from the arguments.

use std::path::Path;
use std::sync::Arc;

use crate::analysis::lockstep::LockstepOutcome;
use crate::analysis::minimize::repeated::{Repeated, Tally};
use crate::analysis::minimize::run_setup::{RunSetup, TwoSetups};
use crate::analysis::minimize::{Answer, Candidate, Oracle};
use crate::replay::{InputOrigin, Recovered, Replay};
use crate::scene::input::parse_input_line;
use crate::scene::model::Input;
use crate::scene::overrides::{apply_override, check_set_once};
use crate::scene::validate::validate;
use crate::scene::{self, Scene};
use crate::session::record::RunPlan;
use crate::world::fault::Fault;

use crate::cli::failure::Failure;
use crate::cli::fault::check_faults;
use crate::cli::minimize::MinimizeArguments;
use crate::cli::minimize::command::CommandOracle;
use crate::cli::minimize::files::inputs_path;
use crate::cli::minimize::refusal::{SUGGESTED_RUNS, described, needed_steps, options};
use crate::cli::replays::{check_one_reader, read_replay};
use crate::cli::source::{is_replay, name_of, read_scene};
use crate::report::minimize::Shown;
use crate::report::number::counted;
use crate::report::progress::Progress;
use crate::report::run::quoted;

/// How many runs the whole scene is asked about before a search that asks once each time.
const ASKED_FIRST: u32 = 5;
/// By how much more runs the smallest scene may take to show it once more than any candidate had.
const MORE_RUNS: u32 = 10;

/// What is asked of every candidate.
pub struct Question {
    /// Where the scene is from.
    pub source: String,
    /// In how many runs a candidate may show it.
    pub runs: u32,
    kind: Kind,
}

enum Kind {
    /// Setups that diverge; their oracle, once they have been seen to.
    Setups([RunSetup; 2], Option<TwoSetups>),
    /// A command.
    Command(CommandOracle),
}

impl Question {
    /// The question and the whole scene.
    pub fn of(arguments: &MinimizeArguments) -> Result<(Self, Candidate), Failure> {
        match arguments.paths.as_slice() {
            [a, b] => of_replays(arguments, a, b),
            [path] => of_scene(arguments, path),
            _ => Err(Failure::Usage("name one scene, or two replays".to_owned())),
        }
    }

    /// Names the question and the whole scene, so that nobody goes on with the answer to another.
    pub fn fingerprint(&self, scene: &Scene) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(scene.to_canonical_ron().as_bytes());
        match &self.kind {
            Kind::Setups(setups, _) => hasher.update(format!("{setups:?}").as_bytes()),
            Kind::Command(oracle) => {
                hasher.update(format!("{} {:?}", oracle.line_for(Path::new("{}")), oracle.expected()).as_bytes())
            }
        };
        if self.runs > 1 {
            hasher.update(format!(" repeat {}", self.runs).as_bytes());
        }
        hasher.finalize().to_hex().chars().take(16).collect()
    }

    /// Asks about the whole scene, which must show it; gives it back with the steps that are needed. It is asked several
    /// times: what does not give the same answer each time is not a question for a search that asks once.
    pub fn ask_first(&mut self, mut whole: Candidate) -> Result<Candidate, Failure> {
        let asked = if self.runs > 1 { self.runs } else { ASKED_FIRST };
        match &mut self.kind {
            Kind::Setups(setups, oracle) => {
                let progress = Progress::new(u64::from(whole.scene.steps), "steps");
                progress.say(|| "looking where the runs diverge".to_owned());
                let mut outcomes = Vec::new();
                for _ in 0..asked {
                    let (found, outcome) = TwoSetups::of(setups.clone(), &whole, &mut |step| {
                        progress.reached(u64::from(step));
                        true
                    })
                    .map_err(|error| Failure::building(&whole.scene.name, &error))?;
                    outcomes.push(outcome);
                    *oracle = oracle.take().or(found);
                }
                progress.finish();
                whole.scene.steps = needed_steps(&outcomes, self.runs, setups)?;
                self.drop_needless_faults(&mut whole)?;
            }
            Kind::Command(oracle) => {
                oracle.ask_first(whole.scene.to_canonical_ron().as_bytes(), asked, self.runs > 1)?;
            }
        }
        Ok(whole)
    }

    /// Drops the faults that a scene does not need to show it, and the steps that it then does not need.
    pub fn drop_needless_faults(&mut self, candidate: &mut Candidate) -> Result<(), Failure> {
        let Kind::Setups(setups, oracle) = &mut self.kind else { return Ok(()) };
        let Some(found) = oracle.take() else { return Ok(()) };
        let failure = |error| Failure::building(&candidate.scene.name, &error);
        let found = found.without_needless_faults(candidate, self.runs).map_err(failure)?;
        if self.runs == 1 {
            let outcome = found.outcome(candidate, &mut |_| true).map_err(failure)?;
            candidate.scene.steps = outcome.step().unwrap_or(candidate.scene.steps);
        }
        *setups = found.setups(0);
        *oracle = Some(found);
        Ok(())
    }

    /// Whether a scene still shows it.
    pub fn still_shows(&mut self, candidate: &Candidate) -> bool {
        let runs = self.runs;
        matches!(Repeated::new(self, runs).ask(candidate, &mut || true), Answer::Shows { .. })
    }

    /// What a scene shows; and in how many of its runs, where that is not each of them.
    pub fn shown(&mut self, candidate: &Candidate) -> Result<(Shown, Option<Tally>), Failure> {
        if let (1, Kind::Command(oracle)) = (self.runs, &self.kind) {
            return Ok((Shown::Status { status: oracle.expected().unwrap_or_default() }, None));
        }
        let most = if self.runs > 1 { self.runs.saturating_mul(MORE_RUNS) } else { 1 };
        let mut tally = Tally::default();
        let mut earliest: Option<LockstepOutcome> = None;
        while tally.runs < self.runs || (tally.shown == 0 && tally.runs < most) {
            let shows = match &self.kind {
                Kind::Setups(_, None) => {
                    return Err(Failure::Usage("the two setups were not compared".to_owned()));
                }
                Kind::Setups(_, Some(oracle)) => {
                    let outcome = oracle.outcome(candidate, &mut |_| true);
                    let outcome = outcome.map_err(|error| Failure::building(&candidate.scene.name, &error))?;
                    let shows = oracle.is_shown_by(&outcome);
                    let known = earliest.as_ref().and_then(LockstepOutcome::step);
                    if shows && known.is_none_or(|known| outcome.step().is_some_and(|step| step < known)) {
                        earliest = Some(outcome);
                    }
                    shows
                }
                Kind::Command(_) => matches!(self.ask(candidate, &mut || true), Answer::Shows { .. }),
            };
            tally.count(shows);
        }
        if tally.shown == 0 {
            return Err(no_longer_shown(tally, self.runs));
        }
        let shown = match &self.kind {
            Kind::Setups(setups, _) => {
                let setups = setups.clone().map(|setup| described(&setup.from_start(candidate.start)));
                let outcome = earliest.unwrap_or(LockstepOutcome::Same { steps: candidate.scene.steps });
                Shown::Divergence { outcome, conditions: setups }
            }
            Kind::Command(oracle) => Shown::Status { status: oracle.expected().unwrap_or_default() },
        };
        Ok((shown, Some(tally).filter(|_| self.runs > 1)))
    }

    /// The commands that show it again.
    pub fn commands(&self, candidate: &Candidate, output: &Path) -> Vec<String> {
        let file = quoted(&output.display().to_string());
        match &self.kind {
            Kind::Command(oracle) => vec![oracle.line_for(output)],
            // What one run on one thread makes each time is a question that one command asks.
            Kind::Setups([a, b], _) if self.runs > 1 && a == b && a.threads < 2 && a.inputs.is_empty() => {
                let options = options(&a.from_start(candidate.start));
                vec![format!("physim bisect {file}{options} --axis repeat={}", self.runs)]
            }
            Kind::Setups(setups, _) => {
                let replay = |side| quoted(&output.with_extension(format!("{side}.mcap")).display().to_string());
                let mut commands = Vec::new();
                for (setup, side) in setups.iter().zip(["a", "b"]) {
                    let setup = setup.from_start(candidate.start);
                    let inputs = match setup.inputs.as_slice() {
                        [] => String::new(),
                        _ => format!(" --inputs {}", quoted(&inputs_path(output, side).display().to_string())),
                    };
                    let replay = replay(side);
                    commands.push(format!("physim run {file}{}{inputs} -o {replay}", options(&setup)));
                }
                commands.push(format!("physim diff {} {}", replay("a"), replay("b")));
                commands
            }
        }
    }

    /// The inputs of each side that are not in the scene.
    pub fn inputs(&self, candidate: &Candidate) -> [Vec<Input>; 2] {
        match &self.kind {
            Kind::Setups(setups, _) => setups.clone().map(|setup| setup.from_start(candidate.start).inputs),
            Kind::Command(_) => [Vec::new(), Vec::new()],
        }
    }

    /// What the caller should know.
    pub fn warnings(&self) -> Vec<String> {
        match &self.kind {
            Kind::Command(oracle) if oracle.failures.0 > 0 => {
                let (count, last) = &oracle.failures;
                vec![format!("{} came to no exit status; the last: {last}", counted(*count, "test", "tests"))]
            }
            Kind::Command(_) | Kind::Setups(..) => Vec::new(),
        }
    }
}

impl Oracle for Question {
    fn ask(&mut self, candidate: &Candidate, go_on: &mut dyn FnMut() -> bool) -> Answer {
        match &mut self.kind {
            Kind::Setups(_, Some(oracle)) => oracle.ask(candidate, go_on),
            Kind::Setups(_, None) => Answer::Hides,
            Kind::Command(oracle) => oracle.ask(candidate, go_on),
        }
    }

    fn knows_step(&self) -> bool {
        matches!(self.kind, Kind::Setups(..))
    }

    fn run_of(&self, candidate: &Candidate) -> RunPlan {
        match &self.kind {
            Kind::Setups([a, _], _) => a.from_start(candidate.start).plan(&Arc::new(candidate.scene.clone())),
            Kind::Command(oracle) => oracle.run_of(candidate),
        }
    }
}

/// The smallest scene showed it when it was found, and never again.
fn no_longer_shown(tally: Tally, runs: u32) -> Failure {
    let more = if runs > 1 { runs.saturating_mul(MORE_RUNS) } else { SUGGESTED_RUNS };
    Failure::Usage(format!(
        "does not repeat: the smallest scene showed it when it was found, but in none of {} more; it is kept beside the \
         output, in .partial; search again with --repeat {more}",
        counted(u64::from(tally.runs), "run", "runs")
    ))
}

fn of_scene(arguments: &MinimizeArguments, path: &Path) -> Result<(Question, Candidate), Failure> {
    if is_replay(path) {
        return Err(Failure::Usage(format!(
            "{} is a replay; name the replay it diverges from too, or the scene with --fault or --test",
            path.display()
        )));
    }
    let mut scene = read_scene(path)?;
    check_set_once(&arguments.set)?;
    arguments.set.iter().try_for_each(|assignment| apply_override(&mut scene, assignment))?;
    scene.scalar = arguments.scalar.unwrap_or(scene.scalar);
    let kind = match &arguments.test {
        Some(command) => Kind::Command(CommandOracle::new(command, arguments.expect, arguments.time_limit)?),
        None if arguments.fault.is_empty() && arguments.repeat.is_some() => {
            Kind::Setups([RunSetup::default(), RunSetup::default()], None)
        }
        None if arguments.fault.is_empty() => {
            return Err(Failure::Usage(
                "what must be kept? Plant a fault with --fault, name a command with --test 'COMMAND {}', give two \
                 replays that diverge, or ask with --repeat 20 whether the run diverges from itself"
                    .to_owned(),
            ));
        }
        None => {
            check_faults(&arguments.fault, &Arc::new(scene.clone()), (scene.scalar, scene.steps), &[])?;
            let with = RunSetup { faults: arguments.fault.clone(), ..RunSetup::default() };
            Kind::Setups([RunSetup::default(), with], None)
        }
    };
    Ok((Question { source: name_of(path), runs: arguments.runs(), kind }, Candidate { scene, start: 0 }))
}

fn of_replays(arguments: &MinimizeArguments, a: &Path, b: &Path) -> Result<(Question, Candidate), Failure> {
    if !arguments.fault.is_empty()
        || arguments.test.is_some()
        || !arguments.set.is_empty()
        || arguments.scalar.is_some()
    {
        return Err(Failure::Usage(
            "two replays are run as they were recorded: --fault, --test, --set and --scalar belong to a scene"
                .to_owned(),
        ));
    }
    check_one_reader([a, b].into_iter())?;
    let (first, second) = (sound(a, read_replay(a)?)?, sound(b, read_replay(b)?)?);
    if first.scene != second.scene || first.header.scalar != second.header.scalar {
        return Err(Failure::Usage(format!(
            "{} and {} are not of one scene and scalar; `physim diff` says what differs in their settings",
            name_of(a),
            name_of(b)
        )));
    }
    let mut scene = scene::parse("scene of the replay", &first.scene)?;
    scene.scalar = first.header.scalar;
    scene.steps = first.header.steps.min(second.header.steps);
    let mut setups = [setup_of(a, &first)?, setup_of(b, &second)?];
    if setups[0].inputs == setups[1].inputs {
        // What both runs were given is not a setup: it can get smaller with the scene.
        scene.inputs.append(&mut setups[0].inputs);
        setups[1].inputs.clear();
        validate(&scene)?;
    }
    let question = Question { source: name_of(a), runs: arguments.runs(), kind: Kind::Setups(setups, None) };
    Ok((question, Candidate { scene, start: 0 }))
}

/// A replay of which every byte holds.
fn sound(path: &Path, recovered: Recovered) -> Result<Replay, Failure> {
    match recovered.damage {
        None => Ok(recovered.replay),
        Some(damage) => Err(Failure::Unreadable(format!("{}: {damage}; record the run again", name_of(path)))),
    }
}

/// How a replay was run.
fn setup_of(path: &Path, replay: &Replay) -> Result<RunSetup, Failure> {
    let faults: Result<Vec<Fault>, _> = replay.perturbations.iter().map(|planted| planted.fault.parse()).collect();
    let faults = faults.map_err(|error| Failure::Usage(format!("{}: a fault in it: {error}", name_of(path))))?;
    let given = replay.inputs.iter().filter(|input| input.origin != InputOrigin::Scene);
    let inputs: Result<Vec<Input>, _> =
        (1..).zip(given).map(|(number, input)| parse_input_line("inputs of the replay", number, &input.text)).collect();
    Ok(RunSetup { threads: replay.header.threads, faults, inputs: inputs? })
}
