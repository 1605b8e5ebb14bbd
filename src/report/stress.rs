//! The report of `physim stress`.

use crate::analysis::stress::{Attack, AttackVerdict, DivergedRun, Finding};
use crate::session::record::RunPlan;
use serde::Serialize;

use crate::report::difference::{DifferenceJson, finding_rows, place_rows, value_rows};
use crate::report::json::line;
use crate::report::number::{count, counted};
use crate::report::program::command;
use crate::report::run::quoted;
use crate::report::style::{BAD, FAINT, GOOD, TITLE, WARNING, printable};
use crate::report::table::{Cell, Table};

/// What standard input is called where a path belongs.
const STANDARD_INPUT: &str = "<stdin>";

/// A scene that was attacked, and how it went.
pub struct StressReport<'a> {
    /// The scene's path.
    pub scene: String,
    /// How this program is started.
    pub program: String,
    /// The options that make the run what it is, as a shell takes them, each with a space before it.
    pub options: String,
    /// The run.
    pub plan: &'a RunPlan,
    /// How many steps of it were compared.
    pub steps: u32,
    /// How many were asked for.
    pub steps_asked: u32,
    /// Why it stops, if it does.
    pub stopped: Option<&'a str>,
    /// The budget in seconds.
    pub budget: u64,
    /// The findings, in the order of the attacks.
    pub findings: &'a [Finding],
}

/// The report for people: a row for each attack, each first difference below its row, and what to do next.
pub fn text(report: &StressReport<'_>) -> String {
    let mut text = head(report);
    let rows = table(report.findings);
    let mut lines = rows.lines();
    text.extend(lines.next().map(|head| format!("{head}\n")));
    for (row, finding) in lines.zip(report.findings) {
        text.push_str(&format!("{row}\n{}", detail(finding)));
    }
    text + &foot(report)
}

fn head(report: &StressReport<'_>) -> String {
    let plan = report.plan;
    let steps = counted(u64::from(report.steps), "step", "steps");
    let name = TITLE.paint(printable(&plan.scene.name));
    let mut text = format!("{name}: {steps} of {} s, scalar {}\n", plan.scene.dt, plan.scalar);
    if let Some(reason) = report.stopped {
        text.push_str(&format!("  {} the run stops then: {}\n", FAINT.paint("note:"), printable(reason)));
    } else if report.steps < report.steps_asked {
        let budget = report.budget;
        text.push_str(&format!(
            "  {} of {}, as many as the budget of {budget} s allows; more with --budget\n",
            FAINT.paint("note:"),
            counted(u64::from(report.steps_asked), "step", "steps")
        ));
    }
    text
}

fn table(findings: &[Finding]) -> String {
    let mut table = Table::indented(2);
    let faint = |label: &str| Cell::text(label).painted(FAINT);
    table.row([
        faint("attack"),
        faint("verdict"),
        Cell::number("runs").painted(FAINT),
        Cell::number("steps").painted(FAINT),
        faint("is"),
        faint("what was done"),
    ]);
    for finding in findings {
        let (verdict, done) = match &finding.verdict {
            AttackVerdict::Held => (Cell::text("held").painted(GOOD), finding.done.as_str()),
            AttackVerdict::Diverged(_) if finding.promised => {
                (Cell::text("parted").painted(BAD), finding.done.as_str())
            }
            AttackVerdict::Diverged(_) => (Cell::text("parted").painted(WARNING), finding.done.as_str()),
            AttackVerdict::Missed { .. } => (Cell::text("missed").painted(BAD), finding.done.as_str()),
            AttackVerdict::Refused(_) => (Cell::text("refused").painted(BAD), finding.done.as_str()),
            AttackVerdict::NotExercised { why } => (Cell::text("not exercised").painted(FAINT), why.as_str()),
            AttackVerdict::NotJudged { why } => (Cell::text("not judged").painted(FAINT), why.as_str()),
            AttackVerdict::NotTried { why } => (Cell::text("not tried").painted(FAINT), why.as_str()),
        };
        table.row([
            Cell::text(finding.attack.name()),
            verdict,
            Cell::number(count(finding.runs)),
            Cell::number(count(finding.steps)),
            Cell::text(if finding.promised { "promised" } else { "reported" }),
            Cell::text(printable(done)),
        ]);
    }
    table.render()
}

/// What stands below the row of an attack that did not hold.
fn detail(finding: &Finding) -> String {
    let mut table = Table::indented(6);
    match &finding.verdict {
        AttackVerdict::Held
        | AttackVerdict::NotTried { .. }
        | AttackVerdict::NotExercised { .. }
        | AttackVerdict::NotJudged { .. } => {}
        AttackVerdict::Missed { fault, why } => {
            table.labelled("fault", printable(fault));
            table.labelled("why", printable(why));
        }
        AttackVerdict::Diverged(parted) | AttackVerdict::Refused(parted) => {
            let DivergedRun { run, first, notes } = parted.as_ref();
            table.labelled("run", printable(run));
            place_rows(first, &mut table);
            if let Some(field) = &first.field {
                value_rows(field, ["first run", "this run"], &mut table);
            }
            let mut sentences = Table::indented(6);
            finding_rows(first, &mut sentences);
            notes.iter().for_each(|note| sentences.labelled("note", printable(note)));
            return table.render() + &sentences.render();
        }
    }
    table.render()
}

fn foot(report: &StressReport<'_>) -> String {
    let broken: Vec<&str> =
        report.findings.iter().filter(|finding| finding.is_broken()).map(|finding| finding.attack.name()).collect();
    let verdict = if broken.is_empty() {
        let tried = report.findings.iter().any(was_tried);
        if tried {
            let steps: u64 = report.findings.iter().map(|finding| finding.steps).sum();
            let runs: u64 = report.findings.iter().map(|finding| finding.runs).sum();
            let (runs, steps) = (counted(runs, "run", "runs"), counted(steps, "step", "steps"));
            format!("{}: all that is promised holds here, in {runs} and {steps}", GOOD.paint("held"))
        } else {
            nothing_tried(report)
        }
    } else {
        format!("{}: {}", BAD.paint("does not hold"), broken.join(", "))
    };
    let less = if report.steps == 0 { String::new() } else { left_out(report) };
    let next = next(report).map_or(String::new(), |next| format!("next: {next}\n"));
    format!("{verdict}\n{less}{next}")
}

fn was_tried(finding: &Finding) -> bool {
    !matches!(
        finding.verdict,
        AttackVerdict::NotTried { .. } | AttackVerdict::NotExercised { .. } | AttackVerdict::NotJudged { .. }
    )
}

/// Why nothing can be said.
fn nothing_tried(report: &StressReport<'_>) -> String {
    match (report.steps, report.steps_asked) {
        (0, 0) => "nothing was put to the test: no step was taken; give more with --steps".to_owned(),
        (0, asked) => {
            format!("nothing was put to the test: none of {} was taken", counted(u64::from(asked), "step", "steps"))
        }
        _ => "nothing was tried".to_owned(),
    }
}

/// What of the whole programme the budget left out.
fn left_out(report: &StressReport<'_>) -> String {
    let rows = report.findings.iter().filter(|finding| finding.can_go_on());
    let rows: Vec<String> =
        rows.map(|row| format!("{} {} of {}", row.attack.name(), row.rounds, row.attack.rounds())).collect();
    if rows.is_empty() {
        return String::new();
    }
    let (budget, rows) = (report.budget, rows.join(", "));
    let note = format!("the budget of {budget} s left out rounds: {rows} were made; more with --budget");
    format!("{}: {note}\n", FAINT.paint("note"))
}

/// What to do about the first promise that does not hold.
fn next(report: &StressReport<'_>) -> Option<String> {
    let broken = report.findings.iter().find(|finding| finding.is_broken())?;
    let (AttackVerdict::Diverged(parted) | AttackVerdict::Refused(parted)) = &broken.verdict else { return None };
    let step = parted.first.step;
    // What came on standard input is gone.
    if report.scene == STANDARD_INPUT {
        return None;
    }
    let (scene, options) = (quoted(&report.scene), &report.options);
    let axis = match broken.attack {
        Attack::Repeat => "repeat=20".to_owned(),
        Attack::Threads => "threads=1,2,3,8".to_owned(),
        Attack::Lanes => "lanes".to_owned(),
        Attack::Restore | Attack::MidContact => "restore".to_owned(),
        Attack::Order => "order".to_owned(),
        Attack::Exe => format!("exe={},{}", report.program, parted.run),
        Attack::Translated
        | Attack::Turned
        | Attack::Mirrored
        | Attack::Boosted
        | Attack::FarBody
        | Attack::Restarted
        | Attack::Faults => {
            return Some(printable(&command(&format!("run {scene}{options} --trace {step} --states"))));
        }
    };
    Some(printable(&command(&format!("bisect {scene} --axis {}{options}", quoted(&axis)))))
}

/// The JSON of an attacked scene.
#[derive(Serialize)]
struct StressJson<'a> {
    schema: u32,
    scene: &'a str,
    scalar: &'static str,
    steps: u32,
    steps_asked: u32,
    stopped: Option<&'a str>,
    verdict: &'static str,
    findings: Vec<FindingJson<'a>>,
    next: Option<String>,
}

/// One attack.
#[derive(Serialize)]
struct FindingJson<'a> {
    attack: &'static str,
    verdict: &'static str,
    promised: bool,
    done: Option<&'a str>,
    runs: u64,
    steps: u64,
    run: Option<&'a str>,
    first: Option<DifferenceJson<'a>>,
    fault: Option<&'a str>,
    why: Option<&'a str>,
    notes: &'a [String],
    /// Rounds that were made, and those that there are.
    rounds: u32,
    rounds_in_all: u32,
    exercised: Option<ExercisedJson<'a>>,
}

/// What threads did.
#[derive(Serialize)]
struct ExercisedJson<'a> {
    threads: &'a [u32],
    parallel_calls: u64,
}

impl<'a> From<&'a Finding> for FindingJson<'a> {
    fn from(finding: &'a Finding) -> Self {
        let mut json = Self {
            attack: finding.attack.name(),
            verdict: "held",
            promised: finding.promised,
            done: Some(finding.done.as_str()).filter(|done| !done.is_empty()),
            runs: finding.runs,
            steps: finding.steps,
            run: None,
            first: None,
            fault: None,
            why: None,
            notes: &[],
            rounds: finding.rounds,
            rounds_in_all: finding.attack.rounds(),
            exercised: finding
                .exercised
                .as_ref()
                .map(|done| ExercisedJson { threads: &done.threads, parallel_calls: done.parallel_calls }),
        };
        match &finding.verdict {
            AttackVerdict::Held => {}
            AttackVerdict::Diverged(parted) | AttackVerdict::Refused(parted) => {
                let is_refused = matches!(finding.verdict, AttackVerdict::Refused(_));
                json.verdict = if is_refused { "refused" } else { "parted" };
                json.why = parted.notes.first().filter(|_| is_refused).map(String::as_str);
                json.run = Some(&parted.run);
                json.first = Some(DifferenceJson::from(&parted.first));
                json.notes = &parted.notes;
            }
            AttackVerdict::Missed { fault, why } => {
                json.verdict = "missed";
                json.fault = Some(fault);
                json.why = Some(why);
            }
            AttackVerdict::NotExercised { why } => {
                json.verdict = "not_exercised";
                json.why = Some(why);
            }
            AttackVerdict::NotJudged { why } => {
                json.verdict = "not_judged";
                json.why = Some(why);
            }
            AttackVerdict::NotTried { why } => {
                json.verdict = "not_tried";
                json.why = Some(why);
            }
        }
        json
    }
}

/// The report for machines.
pub fn json(report: &StressReport<'_>) -> String {
    line(&StressJson {
        schema: 1,
        scene: &report.plan.scene.name,
        scalar: report.plan.scalar.name(),
        steps: report.steps,
        steps_asked: report.steps_asked,
        stopped: report.stopped,
        verdict: if report.findings.iter().any(Finding::is_broken) {
            "parted"
        } else if report.findings.iter().any(was_tried) {
            "held"
        } else {
            "not_tried"
        },
        findings: report.findings.iter().map(FindingJson::from).collect(),
        next: next(report),
    })
}
