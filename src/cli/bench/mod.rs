//! `physim bench`: what a step of a scene costs, stage by stage.

mod arguments;
mod cases;
mod earlier;
mod machine;
mod measure;

use std::cell::Cell;
use std::path::Path;

use crate::analysis::benchmark::comparison::Comparison;
use crate::analysis::benchmark::statistics::Milliseconds;
use crate::analysis::benchmark::{Benchmark, Build, ByPart, Case, CaseResult, JSON_START, Part, Settings};
use crate::session::record::RunPlan;

pub use crate::cli::bench::arguments::BenchArguments;

use crate::cli::bench::measure::{Round, measure};
use crate::cli::exit_status::ExitStatus;
use crate::cli::failure::Failure;
use crate::cli::options::TextOrJson;
use crate::cli::output::{check_are_apart, check_is_no_input, check_text_file, write_text_file};
use crate::cli::source::is_dash;
use crate::report;
use crate::report::bench::BenchReport;
use crate::report::console::Console;
use crate::report::program::command;
use crate::report::progress::Progress;

/// What the output is called in messages.
const OUTPUT: &str = "result of `bench`";

/// Runs the command.
pub fn execute(arguments: &BenchArguments, console: &mut Console) -> Result<ExitStatus, Failure> {
    let plans = cases::plans(arguments, &mut |what| console.warning(what))?;
    let cases: Vec<Case> = plans.iter().map(Case::of).collect();
    let settings = arguments.settings();
    let earlier = earlier::read(arguments.compare.as_deref(), &settings, &cases)?;
    check_output(arguments)?;
    let build = Build::this();
    if !build.release {
        console
            .warning("a debug build: its times say little about a release build; make one with cargo build --release");
    }
    let rounds = run_all(&plans, &settings)?;
    let results: Result<Vec<CaseResult>, Failure> =
        cases.into_iter().zip(&rounds).map(|(case, rounds)| result(case, rounds)).collect();
    let benchmark = Benchmark {
        schema: 1,
        command: "bench".to_owned(),
        build,
        machine: machine::this(),
        settings,
        cases: results?,
    };
    let compared = earlier.map(|earlier| earlier.compare(&benchmark));
    tell(arguments, &benchmark, compared.as_ref(), console)?;
    Ok(ExitStatus::Done)
}

/// Refuses, before anything runs, an output that could not be written.
fn check_output(arguments: &BenchArguments) -> Result<(), Failure> {
    let Some(output) = arguments.file() else { return Ok(()) };
    let scenes: Vec<&Path> = arguments.scenes.iter().map(|path| path.as_path()).collect();
    check_is_no_input(output, &scenes, arguments.force)?;
    if let Some(earlier) = &arguments.compare {
        check_are_apart(&[(earlier, "the earlier result"), (output, "the new one")])?;
    }
    check_text_file(output, arguments.force, OUTPUT, JSON_START.as_bytes())
}

/// Runs every case once in each round.
fn run_all(plans: &[RunPlan], settings: &Settings) -> Result<Vec<Vec<Round>>, Failure> {
    let steps: u64 = plans.iter().map(|plan| u64::from(plan.steps)).sum();
    let progress = Progress::new(steps * u64::from(settings.rounds), "steps");
    let taken = Cell::new(0);
    let mut rounds: Vec<Vec<Round>> = plans.iter().map(|_| Vec::new()).collect();
    let mut run_round = |number: u32| {
        plans.iter().zip(&mut rounds).try_for_each(|(plan, rounds)| {
            progress.say(|| format!("round {number}: {} {}", plan.scene.name, plan.scalar));
            let round = measure(plan, settings.warm_up, &mut || {
                taken.set(taken.get() + 1);
                progress.reached(taken.get());
            })?;
            rounds.push(round);
            Ok(())
        })
    };
    let ran = (1..=settings.rounds).try_for_each(&mut run_round);
    progress.finish();
    ran.map(|()| rounds)
}

/// What the rounds of a case come to. A benchmark of two different computations measures nothing.
fn result(case: Case, rounds: &[Round]) -> Result<CaseResult, Failure> {
    let nothing = || Failure::Usage("no round was run; give --rounds 1 or more".to_owned());
    let first = rounds.first().ok_or_else(nothing)?;
    if let Some((number, other)) = (2..).zip(&rounds[1..]).find(|(_, round)| round.hash != first.hash) {
        return Err(Failure::Ended {
            status: ExitStatus::Differs,
            kind: "differs",
            message: format!(
                "{} on {}: round {number} ended with hash {}, round 1 with {}: the run does not repeat, so its times are of different computations; `{}` says more",
                case.scene,
                case.scalar,
                other.hash,
                first.hash,
                command("stress SCENE --only repeat")
            ),
        });
    }
    let over_rounds = |part: Part| rounds.iter().map(|round| round.milliseconds(part)).collect();
    let milliseconds: ByPart<Milliseconds> =
        Part::ALL.into_iter().filter_map(|part| Some((part, Milliseconds::of(over_rounds(part))?))).collect();
    Ok(CaseResult { case, bodies: first.bodies, contacts: first.contacts, hash: first.hash.clone(), milliseconds })
}

/// Prints and writes what was measured.
fn tell(
    arguments: &BenchArguments,
    benchmark: &Benchmark,
    compared: Option<&Comparison>,
    console: &mut Console,
) -> Result<(), Failure> {
    let json = report::bench::json(benchmark, arguments.compare.as_deref(), compared);
    match &arguments.output {
        Some(path) if is_dash(path) => {
            console.result(&json);
            console.give_up_standard_output();
        }
        Some(path) => write_text_file(path, &json, arguments.force, OUTPUT, JSON_START.as_bytes())?,
        None => {}
    }
    let report = BenchReport { benchmark, earlier: arguments.compare.as_deref(), compared, output: arguments.file() };
    match arguments.format {
        TextOrJson::Text => console.result(&report::bench::text(&report)),
        TextOrJson::Json if arguments.output.as_deref().is_some_and(is_dash) => {}
        TextOrJson::Json => console.result(&json),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::analysis::benchmark::Case;

    use super::result;
    use crate::cli::bench::measure::Round;
    use crate::cli::exit_status::ExitStatus;

    #[test]
    fn rounds_that_end_differently_are_an_error() {
        let case = Case { scene: "drop".to_owned(), scalar: "f32".to_owned(), steps: 40, text: String::new() };
        let round = |hash: &str| Round { hash: hash.to_owned(), ..Round::default() };
        assert!(result(case.clone(), &[round("aa"), round("aa")]).is_ok());
        let failure = result(case, &[round("aa"), round("aa"), round("ab")]).expect_err("a difference");
        assert_eq!(failure.status(), ExitStatus::Differs);
        assert_eq!(
            failure.to_string(),
            "drop on f32: round 3 ended with hash ab, round 1 with aa: the run does not repeat, so its times are of \
             different computations; `physim stress SCENE --only repeat` says more"
        );
    }
}
