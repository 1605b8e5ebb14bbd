//! What is to be kept while the scene gets smaller, from the arguments.

use std::path::Path;
use std::sync::Arc;

use physim::analysis::lockstep::Parting;
use physim::analysis::minimize::conditions::{Condition, TwoConditions};
use physim::analysis::minimize::{Candidate, Oracle, Verdict};
use physim::replay::{InputOrigin, Recovered, Replay, looks_like_a_replay};
use physim::scene::input::parse_input_line;
use physim::scene::model::Input;
use physim::scene::overrides::apply_override;
use physim::scene::validate::validate;
use physim::scene::{self, Scene};
use physim::session::record::RunPlan;
use physim::world::fault::Fault;

use crate::cli::failure::Failure;
use crate::cli::fault::check_faults;
use crate::cli::minimize::MinimizeArguments;
use crate::cli::minimize::command::CommandOracle;
use crate::cli::minimize::files::inputs_path;
use crate::cli::replays::{check_one_reader, read_replay};
use crate::cli::source::{name_of, read_scene};
use crate::report::minimize::Shown;
use crate::report::number::counted;
use crate::report::progress::Progress;
use crate::report::run::quoted;

/// What is asked of every candidate.
pub struct Question {
    /// Where the scene is from.
    pub source: String,
    kind: Kind,
}

enum Kind {
    /// Conditions that part; their oracle, once they have been seen to.
    Conditions([Condition; 2], Option<TwoConditions>),
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
            Kind::Conditions(conditions, _) => hasher.update(format!("{conditions:?}").as_bytes()),
            Kind::Command(oracle) => {
                hasher.update(format!("{} {:?}", oracle.line_for(Path::new("{}")), oracle.expected()).as_bytes())
            }
        };
        hasher.finalize().to_hex().chars().take(16).collect()
    }

    /// Asks about the whole scene, which must show it; gives it back with the steps that are needed.
    pub fn ask_first(&mut self, mut whole: Candidate) -> Result<Candidate, Failure> {
        match &mut self.kind {
            Kind::Conditions(conditions, oracle) => {
                let progress = Progress::new(u64::from(whole.scene.steps), "steps");
                progress.say(|| "looking where the runs part".to_owned());
                let asked = TwoConditions::of(conditions.clone(), &whole, &mut |step| {
                    progress.reached(u64::from(step));
                    true
                });
                progress.finish();
                let (found, parting) = asked.map_err(|error| Failure::building(&whole.scene.name, &error))?;
                whole.scene.steps = parting.step().ok_or_else(|| nothing_to_minimise(&parting, conditions))?;
                *oracle = found;
                self.drop_needless_faults(&mut whole)?;
            }
            Kind::Command(oracle) => {
                oracle.ask_first(&whole.scene.to_canonical_ron())?;
            }
        }
        Ok(whole)
    }

    /// Drops the faults that a scene does not need to show it, and the steps that it then does not need.
    pub fn drop_needless_faults(&mut self, candidate: &mut Candidate) -> Result<(), Failure> {
        let Kind::Conditions(conditions, oracle) = &mut self.kind else { return Ok(()) };
        let Some(found) = oracle.take() else { return Ok(()) };
        let failure = |error| Failure::building(&candidate.scene.name, &error);
        let found = found.without_needless_faults(candidate).map_err(failure)?;
        let parting = found.parting(candidate, &mut |_| true).map_err(failure)?;
        *conditions = found.conditions(0);
        *oracle = Some(found);
        candidate.scene.steps = parting.step().unwrap_or(candidate.scene.steps);
        Ok(())
    }

    /// Whether a scene still shows it.
    pub fn still_shows(&mut self, candidate: &Candidate) -> bool {
        matches!(self.ask(candidate, &mut || true), Verdict::Shows { .. })
    }

    /// What a scene shows.
    pub fn shown(&self, candidate: &Candidate) -> Result<Shown, Failure> {
        match &self.kind {
            Kind::Conditions(_, Some(oracle)) => {
                let parting = oracle.parting(candidate, &mut |_| true);
                let parting = parting.map_err(|error| Failure::building(&candidate.scene.name, &error))?;
                let conditions = oracle.conditions(candidate.start).map(|condition| described(&condition));
                Ok(Shown::Parting { parting, conditions })
            }
            Kind::Conditions(_, None) => Err(Failure::Usage("the two conditions were not compared".to_owned())),
            Kind::Command(oracle) => Ok(Shown::Status { status: oracle.expected().unwrap_or_default() }),
        }
    }

    /// The commands that show it again.
    pub fn commands(&self, candidate: &Candidate, output: &Path) -> Vec<String> {
        let file = quoted(&output.display().to_string());
        match &self.kind {
            Kind::Command(oracle) => vec![oracle.line_for(output)],
            Kind::Conditions(conditions, _) => {
                let replay = |side| quoted(&output.with_extension(format!("{side}.mcap")).display().to_string());
                let mut commands = Vec::new();
                for (condition, side) in conditions.iter().zip(["a", "b"]) {
                    let condition = condition.from_start(candidate.start);
                    let inputs = match condition.inputs.as_slice() {
                        [] => String::new(),
                        _ => format!(" --inputs {}", quoted(&inputs_path(output, side).display().to_string())),
                    };
                    let replay = replay(side);
                    commands.push(format!("physim run {file}{}{inputs} -o {replay}", options(&condition)));
                }
                commands.push(format!("physim diff {} {}", replay("a"), replay("b")));
                commands
            }
        }
    }

    /// The inputs of each side that are not in the scene.
    pub fn inputs(&self, candidate: &Candidate) -> [Vec<Input>; 2] {
        match &self.kind {
            Kind::Conditions(conditions, _) => {
                conditions.clone().map(|condition| condition.from_start(candidate.start).inputs)
            }
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
            Kind::Command(_) | Kind::Conditions(..) => Vec::new(),
        }
    }
}

impl Oracle for Question {
    fn ask(&mut self, candidate: &Candidate, go_on: &mut dyn FnMut() -> bool) -> Verdict {
        match &mut self.kind {
            Kind::Conditions(_, Some(oracle)) => oracle.ask(candidate, go_on),
            Kind::Conditions(_, None) => Verdict::Hides,
            Kind::Command(oracle) => oracle.ask(candidate, go_on),
        }
    }

    fn knows_step(&self) -> bool {
        matches!(self.kind, Kind::Conditions(..))
    }

    fn run_of(&self, candidate: &Candidate) -> RunPlan {
        match &self.kind {
            Kind::Conditions([a, _], _) => a.from_start(candidate.start).plan(&Arc::new(candidate.scene.clone())),
            Kind::Command(oracle) => oracle.run_of(candidate),
        }
    }
}

/// The options of `physim run` that make a condition.
fn options(condition: &Condition) -> String {
    let threads = if condition.threads > 1 { format!(" --threads {}", condition.threads) } else { String::new() };
    let faults = condition.faults.iter().map(|fault| format!(" --fault {}", quoted(&fault.to_string())));
    threads + &faults.collect::<String>()
}

/// A condition in words.
fn described(condition: &Condition) -> String {
    let mut text = options(condition);
    if !condition.inputs.is_empty() {
        text.push_str(&format!(" with {}", counted(condition.inputs.len() as u64, "input", "inputs")));
    }
    if text.is_empty() { "as it is".to_owned() } else { text.trim_start().to_owned() }
}

/// Why two conditions do not part.
fn nothing_to_minimise(parting: &Parting, conditions: &[Condition; 2]) -> Failure {
    let last = match parting {
        Parting::Same { steps } | Parting::Interrupted { step: steps } => *steps,
        Parting::At { step } | Parting::Stopped { step, .. } => *step,
    };
    let [a, b] = conditions;
    let only_one = |fault: &&Fault| !a.faults.contains(fault) || !b.faults.contains(fault);
    let faults: Vec<&Fault> = a.faults.iter().chain(&b.faults).filter(only_one).collect();
    let names: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let why = if a == b {
        "both are run in the same way, so what made them part was another build or a race; `physim bisect` with each of \
         them says whether this build gives what was recorded"
            .to_owned()
    } else if !faults.is_empty() && faults.iter().all(|fault| fault.step > last) {
        format!("the last step is {last}, and what is planted comes later ({}); plant it earlier", names.join("; "))
    } else if !faults.is_empty() {
        format!("what is planted changes nothing ({}); plant something else", names.join("; "))
    } else {
        format!("what they are run with ({} and {}) makes no difference in this build", described(a), described(b))
    };
    let steps = counted(u64::from(last), "step", "steps");
    Failure::Usage(format!("nothing to minimise: the two runs are the same in {steps}: {why}"))
}

fn of_scene(arguments: &MinimizeArguments, path: &Path) -> Result<(Question, Candidate), Failure> {
    if looks_like_a_replay(path) {
        return Err(Failure::Usage(format!(
            "{} is a replay; name the replay it parts from too, or the scene with --fault or --test",
            path.display()
        )));
    }
    let mut scene = read_scene(path)?;
    arguments.set.iter().try_for_each(|assignment| apply_override(&mut scene, assignment))?;
    scene.scalar = arguments.scalar.unwrap_or(scene.scalar);
    let kind = match &arguments.test {
        Some(command) => Kind::Command(CommandOracle::new(command, arguments.expect, arguments.time_limit)?),
        None if arguments.fault.is_empty() => {
            return Err(Failure::Usage(
                "what is to be kept? Plant a fault with --fault, name a command with --test 'COMMAND {}', or give two \
                 replays that part"
                    .to_owned(),
            ));
        }
        None => {
            check_faults(&arguments.fault, &Arc::new(scene.clone()), scene.scalar, &[])?;
            let with = Condition { faults: arguments.fault.clone(), ..Condition::default() };
            Kind::Conditions([Condition::default(), with], None)
        }
    };
    Ok((Question { source: name_of(path), kind }, Candidate { scene, start: 0 }))
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
    let mut conditions = [condition_of(a, &first)?, condition_of(b, &second)?];
    if conditions[0].inputs == conditions[1].inputs {
        // What both runs were given is no condition: it can get smaller with the scene.
        scene.inputs.append(&mut conditions[0].inputs);
        conditions[1].inputs.clear();
        validate(&scene)?;
    }
    let question = Question { source: name_of(a), kind: Kind::Conditions(conditions, None) };
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
fn condition_of(path: &Path, replay: &Replay) -> Result<Condition, Failure> {
    let faults: Result<Vec<Fault>, _> = replay.perturbations.iter().map(|planted| planted.fault.parse()).collect();
    let faults = faults.map_err(|error| Failure::Usage(format!("{}: a fault in it: {error}", name_of(path))))?;
    let given = replay.inputs.iter().filter(|input| input.origin != InputOrigin::Scene);
    let inputs: Result<Vec<Input>, _> =
        (1..).zip(given).map(|(number, input)| parse_input_line("inputs of the replay", number, &input.text)).collect();
    Ok(Condition { threads: replay.header.threads, faults, inputs: inputs? })
}
