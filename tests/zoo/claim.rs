//! What a command said about a difference, taken out of its JSON. Knows nothing of what is true.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::record::Cause;

/// One statement about where two runs first differ, and with what it comes.
#[derive(Clone, Debug, Default)]
pub struct Claim {
    /// Who says it: a command, or a row of `stress`.
    pub from: String,
    pub step: Option<u32>,
    pub stage: Option<String>,
    pub phase: Option<String>,
    pub section: Option<String>,
    pub object: Option<String>,
    /// What it says that the difference comes with.
    pub causes: BTreeSet<Cause>,
    /// The step after which the run that differs was restored.
    pub restored: Option<u32>,
    /// Sentences beside it.
    pub notes: String,
}

/// Words by which a command says what a difference comes with.
const WORDS: [(&str, Cause); 10] = [
    ("does not repeat", Cause::Repeat),
    ("do not repeat", Cause::Repeat),
    ("a race", Cause::Repeat),
    ("not in the state", Cause::Hidden),
    ("outside the state", Cause::Hidden),
    ("encoding leaves out", Cause::Hidden),
    ("cannot be read back", Cause::Refused),
    ("refused", Cause::Refused),
    ("holds an impossible", Cause::Refused),
    ("could not be restored", Cause::Refused),
];

/// The causes that a text names.
pub fn named_in(text: &str) -> BTreeSet<Cause> {
    let text = text.to_lowercase().replace('_', " ");
    WORDS.iter().filter(|(words, _)| text.contains(words)).map(|(_, cause)| *cause).collect()
}

/// What `physim bisect` claims; nothing where it says that all is the same.
pub fn of_bisect(answer: &Value) -> Option<Claim> {
    let verdict = text(answer, "verdict").unwrap_or_default();
    if ["same", "held", "agree"].contains(&verdict.as_str()) {
        return None;
    }
    let mut claim = Claim { from: "bisect".to_owned(), ..place(answer.get("first")) };
    claim.notes = [notes_of(answer), findings_of(answer.get("first"))].join("\n").trim().to_owned();
    claim.causes = named_in(&[&verdict, &claim.notes, &remarks(answer)].map(String::as_str).join("\n"));
    let differing = answer.get("repeats").and_then(|repeats| repeats.get("differing")).and_then(Value::as_array);
    claim.causes.extend(differing.filter(|runs| !runs.is_empty()).map(|_| Cause::Repeat));
    for change in answer.get("smallest").and_then(Value::as_array).into_iter().flatten() {
        let axis = text(change, "axis").unwrap_or_default();
        claim.causes.extend(axis_cause(&axis));
        if axis == "restore" {
            claim.restored = text(change, "to").and_then(|step| step.parse().ok());
        }
    }
    Some(claim)
}

/// What the rows of `physim stress` claim that were promised and did not hold: attack and claim.
pub fn of_stress(answer: &Value) -> Vec<(String, Claim)> {
    let rows = answer.get("findings").and_then(Value::as_array);
    let parted = rows.into_iter().flatten().filter(|row| {
        let verdict = text(row, "verdict").unwrap_or_default();
        let is_promised = row.get("promised").and_then(Value::as_bool) != Some(false);
        is_promised && !["held", "not_tried", "not_exercised", "not_judged"].contains(&verdict.as_str())
    });
    parted
        .map(|row| {
            let attack = text(row, "attack").unwrap_or_default();
            let run = text(row, "run").unwrap_or_default();
            let why = text(row, "why").unwrap_or_default();
            let mut claim = Claim { from: format!("stress {attack}"), ..place(row.get("first")) };
            claim.notes = [notes_of(row), why, findings_of(row.get("first"))].join("\n").trim().to_owned();
            claim.causes = named_in(&claim.notes);
            claim.causes.extend(axis_cause(&attack));
            claim.restored = run.rsplit_once("after step ").and_then(|(_, step)| step.parse().ok());
            (attack, claim)
        })
        .collect()
}

/// What `physim verify` claims of the replays that did not hold, and of how many.
pub fn of_verify(lines: &[Value]) -> (usize, Vec<Claim>) {
    let failed: Vec<Claim> = lines
        .iter()
        .filter(|line| text(line, "verdict").as_deref() != Some("same"))
        .map(|line| {
            let mut claim = Claim { from: "verify".to_owned(), ..place(line.get("first")) };
            claim.notes = [notes_of(line), findings_of(line.get("first"))].join("\n").trim().to_owned();
            claim.causes = named_in(&claim.notes);
            claim
        })
        .collect();
    (lines.len(), failed)
}

/// The cause that stands behind an axis of `bisect` or an attack of `stress`.
fn axis_cause(name: &str) -> Option<Cause> {
    Some(match name {
        "repeat" => Cause::Repeat,
        "threads" => Cause::Threads,
        "lanes" => Cause::Lanes,
        "restore" | "mid_contact" | "restarted" => Cause::Restore,
        "order" => Cause::Order,
        "exe" => Cause::Build,
        _ => return None,
    })
}

fn place(first: Option<&Value>) -> Claim {
    let Some(first) = first.filter(|first| first.is_object()) else { return Claim::default() };
    Claim {
        step: first.get("step").and_then(Value::as_u64).map(|step| step as u32),
        stage: text(first, "stage"),
        phase: text(first, "phase"),
        section: text(first, "section"),
        object: text(first, "object"),
        ..Claim::default()
    }
}

/// The classes of bug that stand beside a first difference, in words.
fn findings_of(first: Option<&Value>) -> String {
    let findings = first.and_then(|first| first.get("findings")).and_then(Value::as_array);
    findings.into_iter().flatten().filter_map(|finding| text(finding, "text")).collect::<Vec<_>>().join("\n")
}

fn remarks(answer: &Value) -> String {
    let tried = answer.get("conditions").and_then(Value::as_array);
    tried.into_iter().flatten().filter_map(|tried| text(tried, "remark")).collect::<Vec<_>>().join("\n")
}

fn notes_of(value: &Value) -> String {
    let notes = value.get("notes").and_then(Value::as_array);
    let all = notes.into_iter().flatten().filter_map(Value::as_str);
    all.map(str::to_owned).collect::<Vec<_>>().join("\n")
}

fn text(value: &Value, key: &str) -> Option<String> {
    Some(value.get(key)?.as_str()?.to_owned())
}
