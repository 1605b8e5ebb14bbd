//! `physim stress`: stress-tests the guarantee on a scene.

mod exe;
mod processes;
mod repeat;
mod restarted;
mod rounds;

use std::cell::Cell;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::analysis::stress::baseline::{Baseline, baseline};
use crate::analysis::stress::{self, Attack, AttackVerdict, Finding, Target};
use crate::math::ScalarKind;
use crate::session::record::RunPlan;
use clap::Args;

use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::{TextOrJson, listed};
use crate::cli::process::can_start_programs;
use crate::cli::run_options::RunOptions;
use crate::cli::source::name_of;
use crate::report;
use crate::report::console::Console;
use crate::report::progress::Progress;
use crate::report::run::quoted;
use crate::report::stress::StressReport;

const EXAMPLES: &str = "\
Examples:
  physim stress scenes/billiards.ron                         does the guarantee hold on this scene?
  physim stress scenes/stack_20.ron --scalar f32 --steps 120
  physim stress game.ron --exe ./debug/physim --exe ./old/physim
  physim stress game.ron --only threads,restore --format json
  physim stress game.ron --fault ulp@40,object=ball,field=position.x,only=threads

The attacks are repeat, threads, lanes, restore, mid_contact, order, translated, turned, mirrored,
boosted, far_body, exe, restarted and faults. The last example plants a fault that strikes on
threads only: the row `threads` has to find it.

Exit status: 0 all that is promised holds, 1 something that is promised does not, 2 the scene is
wrong or another program cannot be used.";

/// Stress-test the guarantee on a scene: threads, vectors, restores, orders, places, other builds
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct StressArguments {
    /// The scene, a file in RON; `-` is standard input
    #[arg(value_name = "SCENE")]
    scene: PathBuf,

    #[command(flatten)]
    options: RunOptions,

    /// Another physim, such as a debug build, that has to come to the same hashes; may be repeated
    #[arg(long, value_name = "PATH")]
    exe: Vec<PathBuf>,

    /// Make these attacks only, separated by commas
    #[arg(long, value_name = "ATTACKS", value_delimiter = ',', value_parser = listed(Attack::ALL.map(Attack::name).to_vec(), parse_attack))]
    #[arg(hide_possible_values = true)]
    only: Vec<Attack>,

    /// About how many seconds to take at most: a scene too large for that is run for fewer steps and in fewer rounds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    budget: NonZeroU64,

    /// How many seconds another program may run
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = parse_seconds)]
    time_limit: NonZeroU64,

    /// How to write the result: text or json
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TextOrJson::Text, hide_possible_values = true)]
    format: TextOrJson,
}

fn parse_attack(name: &str) -> Result<Attack, String> {
    Attack::from_name(name).ok_or_else(|| {
        let names = Attack::ALL.map(Attack::name).join(", ");
        format!("there is no such attack; there are {names}")
    })
}

/// A number of seconds, with or without its unit.
fn parse_seconds(text: &str) -> Result<NonZeroU64, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse().ok();
    let is_sane = |seconds: &NonZeroU64| seconds.get() <= 1_000_000;
    number.filter(is_sane).ok_or_else(|| "expected a whole number of seconds from 1 to 1000000, such as 60".to_owned())
}

/// A run without a step is the same however it is made: that says nothing.
fn not_exercised(finding: &mut Finding) {
    if finding.verdict == AttackVerdict::Held {
        let why = "no step was taken: only the first states were compared".to_owned();
        finding.verdict = AttackVerdict::NotExercised { why };
    }
}

impl StressArguments {
    /// The options that make the run what it is, for the command to go on with.
    fn words(&self) -> String {
        self.options.words().iter().map(|word| format!(" {}", quoted(word))).collect()
    }

    /// The attacks to make, in their order.
    fn attacks(&self) -> Vec<Attack> {
        Attack::ALL.into_iter().filter(|attack| self.only.is_empty() || self.only.contains(attack)).collect()
    }
}

/// Runs the command.
pub fn execute(arguments: &StressArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    if !arguments.exe.is_empty() {
        can_start_programs().map_err(|failure| Failure::Usage(format!("--exe: {failure}")))?;
    }
    let mut plan = arguments.options.plan(&arguments.scene)?;
    let asked = plan.steps;
    let start = now();
    let budget = Duration::from_secs(arguments.budget.get());
    let first = first_run(&plan, budget)?;
    plan.steps = if first.stopped.is_some() { asked } else { first.last() };
    let attacks = Attacks {
        plan: &plan,
        baseline: &first,
        exe: &arguments.exe,
        limit: Duration::from_secs(arguments.time_limit.get()),
        progress: Progress::new(u64::from(stress::ALL_RUNS) * u64::from(first.last()), "steps"),
        steps: Cell::new(0),
    };
    let made = rounds::all_rounds(&attacks, arguments.attacks(), &|cost| start.elapsed() + cost <= budget);
    attacks.progress.finish();
    let mut findings = made?;
    if first.last() == 0 {
        findings.iter_mut().for_each(not_exercised);
    }
    let report = StressReport {
        scene: name_of(&arguments.scene),
        program: std::env::current_exe().map_or_else(|_| "physim".to_owned(), |path| path.display().to_string()),
        options: arguments.words(),
        plan: &plan,
        steps: first.last(),
        steps_asked: asked,
        stopped: first.stopped.as_deref(),
        budget: arguments.budget.get(),
        findings: &findings,
    };
    console.result(&match arguments.format {
        TextOrJson::Text => report::stress::text(&report),
        TextOrJson::Json => report::stress::json(&report),
    });
    Ok(if findings.iter().any(Finding::is_broken) { ExitStatus::Differs } else { ExitStatus::Done })
}

/// The run that all others are compared with, as long as the budget leaves time for the first round of the others.
fn first_run(plan: &RunPlan, budget: Duration) -> Result<Baseline, Failure> {
    let start = now();
    let share = budget / stress::FIRST_ROUND_RUNS;
    let progress = Progress::new(u64::from(plan.steps), "steps");
    progress.say(|| "the first run".to_owned());
    let ran = baseline(plan, &mut |step| {
        progress.reached(u64::from(step));
        // A run of no steps would compare nothing.
        step == 0 || start.elapsed() < share
    });
    progress.finish();
    ran.map_err(|error| Failure::building(&plan.scene.name, &error))
}

/// What the attacks on a scene need.
struct Attacks<'a> {
    plan: &'a RunPlan,
    baseline: &'a Baseline,
    exe: &'a [PathBuf],
    limit: Duration,
    progress: Progress,
    /// Steps taken so far.
    steps: Cell<u64>,
}

impl rounds::Make for Attacks<'_> {
    fn scalar(&self) -> ScalarKind {
        self.plan.scalar
    }

    /// Makes one round of an attack; gives back how long it took too.
    fn make(&self, attack: Attack, round: u32) -> Result<(Finding, Duration), Failure> {
        let start = now();
        self.progress.say(|| attack.name().to_owned());
        let target = Target { plan: self.plan, baseline: self.baseline, round };
        let found = match attack {
            Attack::Exe => exe::other_builds(&target, self.exe, self.limit)?,
            Attack::Restarted => restarted::restarted(&target, self.limit)?,
            _ => {
                let mut tell = || {
                    self.steps.set(self.steps.get() + 1);
                    self.progress.reached(self.steps.get());
                };
                let made = stress::attack(attack, &target, &mut tell);
                let found = made.map_err(|error| Failure::building(&self.plan.scene.name, &error))?;
                if attack == Attack::Repeat { repeat::with_fresh_processes(found, &target, self.limit)? } else { found }
            }
        };
        Ok((found, start.elapsed()))
    }
}

#[expect(clippy::disallowed_methods, reason = "decides how much is compared; no result of a run depends on it")]
fn now() -> Instant {
    Instant::now()
}

/// What a path is called where a program has to be started by it.
fn as_argument(path: &Path) -> Result<&str, Failure> {
    path.to_str()
        .ok_or_else(|| Failure::Usage(format!("{}: a path that is not text cannot be used here", path.display())))
}

#[cfg(test)]
mod tests {
    use super::parse_seconds;

    #[test]
    fn seconds_are_whole_and_at_least_one() {
        assert_eq!(parse_seconds("60").map(std::num::NonZeroU64::get), Ok(60));
        assert_eq!(parse_seconds("7s").map(std::num::NonZeroU64::get), Ok(7));
        for text in ["0", "", "s", "-1", "1.5", "1000001", "99999999999999999999"] {
            assert!(parse_seconds(text).is_err(), "{text}");
        }
    }
}
