//! Asks the commands of physim about one bug, and judges what they say.

use std::path::Path;

use crate::claim::{named_in, of_bisect, of_stress, of_verify};
use crate::judge::{Mark, Marks};
use crate::record::{Cause, Expect, Question, Record};
use crate::tool::{Answer, Tool, parting};

/// How one bug fared.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub kind: String,
    pub wrong: String,
    pub chance: bool,
    /// What each command came to, in a word or two.
    pub verify: &'static str,
    pub stress: String,
    pub bisect: &'static str,
    pub minimize: &'static str,
    pub marks: Marks,
    /// Seconds the commands took.
    pub seconds: f64,
}

/// What is needed to ask.
pub struct Examiner<'a> {
    /// Where the copy of the source is.
    pub folder: &'a Path,
    /// The build without a bug.
    pub clean: &'a Path,
}

/// Everything about one bug while it is asked about.
struct Case<'a> {
    record: &'a Record,
    tool: Tool<'a>,
    clean: &'a Path,
    parts_at: Option<u32>,
    marks: Marks,
}

impl Examiner<'_> {
    /// Asks every command.
    pub fn examine(&self, record: &Record, program: &Path) -> Row {
        let started = std::time::Instant::now();
        let tool = Tool { program: program.to_owned(), folder: self.folder };
        let clean = Tool { program: self.clean.to_owned(), folder: self.folder };
        let hashes = |tool: &Tool<'_>| tool.hashes(&record.scene, &record.options);
        let parts_at = parting(&hashes(&clean), &hashes(&tool));
        let mut case = Case { record, tool, clean: self.clean, parts_at, marks: Marks::default() };
        let verify = case.verify();
        let stress = case.stress();
        let bisect = case.bisect();
        let minimize = case.minimize();
        let Case { marks, .. } = case;
        let Record { name, kind, wrong, chance, .. } = record.clone();
        let seconds = started.elapsed().as_secs_f64();
        Row { name, kind, wrong, chance, verify, stress, bisect, minimize, marks, seconds }
    }
}

impl Case<'_> {
    fn miss(&mut self, text: String) {
        self.marks.misses.insert(text);
    }

    /// Whether something was noticed, held against whether it had to be.
    fn noticed(&mut self, command: &str, expect: Expect, noticed: bool) {
        match (expect, noticed) {
            (Expect::Must, false) => self.miss(format!("`{command}`: notices nothing")),
            (Expect::MustNot, true) => self.miss(format!("`{command}`: a false alarm")),
            _ => {}
        }
    }

    fn verify(&mut self) -> &'static str {
        let (mut total, mut failed) = (0, Vec::new());
        for _ in 0..self.record.tries() {
            let answer = self.tool.ask(["verify", "replays", "--format", "json", "--no-new"]);
            (total, failed) = of_verify(&answer.lines);
            if total == 0 {
                self.miss(format!("`verify`: no answer ({})", last_line(&answer)));
                return "no answer";
            }
            if !failed.is_empty() {
                break;
            }
        }
        self.noticed("verify", self.record.verify, !failed.is_empty());
        // Its replays have scenes of their own: of what it names, only stage and cause can be judged here.
        for claim in &failed {
            let known = crate::claim::Claim { step: None, section: None, object: None, ..claim.clone() };
            let mut marks = Marks::default();
            marks.add(&known, self.record, None);
            let judged = marks.misses.into_iter().filter(|miss| miss.contains(" wrong "));
            self.marks.misses.extend(judged);
        }
        match failed.len() {
            0 => "same",
            some if some == total => "all differ",
            _ => "some differ",
        }
    }

    fn stress(&mut self) -> String {
        let mut arguments = vec!["stress", &self.record.scene, "--format", "json", "--budget", "6"];
        arguments.extend(self.record.options.iter().chain(&self.record.stress).map(String::as_str));
        let arguments: Vec<String> = arguments.iter().map(|argument| self.filled(argument)).collect();
        let mut rows = Vec::new();
        for _ in 0..self.record.tries() {
            let answer = self.tool.ask(&arguments);
            let Some(object) = answer.object() else {
                self.miss(format!("`stress`: no table ({})", last_line(&answer)));
                return "no table".to_owned();
            };
            rows = of_stress(object);
            if !rows.is_empty() {
                break;
            }
        }
        let (needed, also) = (&self.record.rows, &self.record.also);
        let hit = rows.iter().any(|(attack, _)| needed.contains(attack));
        if !needed.is_empty() && !hit {
            self.miss(format!("`stress`: notices nothing in {}", needed.join(", ")));
        }
        for (attack, claim) in &rows {
            if needed.contains(attack) {
                self.marks.add(claim, self.record, self.parts_at);
            } else if !also.iter().any(|name| name == "*" || name == attack) {
                self.miss(format!("`stress {attack}`: blames what has no part in it"));
            }
        }
        let names: Vec<&str> =
            rows.iter().map(|(attack, _)| attack.as_str()).filter(|name| needed.iter().any(|n| n == name)).collect();
        if names.is_empty() { "held".to_owned() } else { names.join(", ") }
    }

    fn bisect(&mut self) -> &'static str {
        let mut arguments = vec!["bisect", &self.record.scene, "--format", "json"];
        arguments.extend(self.record.options.iter().chain(&self.record.bisect).map(String::as_str));
        let arguments: Vec<String> = arguments.iter().map(|argument| self.filled(argument)).collect();
        let mut claim = None;
        for _ in 0..self.record.tries() {
            let answer = self.tool.ask(&arguments);
            let Some(object) = answer.object() else {
                self.miss(format!("`bisect`: no answer ({})", last_line(&answer)));
                return "no answer";
            };
            claim = of_bisect(object);
            if claim.is_some() {
                break;
            }
        }
        self.noticed("bisect", self.record.bisects, claim.is_some());
        if let Some(claim) = &claim {
            self.marks.add(claim, self.record, self.parts_at);
        }
        if claim.is_some() { "parts" } else { "same" }
    }

    fn minimize(&mut self) -> &'static str {
        let Some(question) = &self.record.minimize else { return "-" };
        let folder = self.tool.program.parent().unwrap_or(Path::new(".")).to_owned();
        let out = folder.join("least.ron");
        let _ = std::fs::remove_file(&out);
        let _ = std::fs::remove_file(folder.join("least.ron.partial"));
        let out = out.display().to_string();
        let mut arguments: Vec<String> = vec!["minimize".to_owned()];
        match question {
            Question::Runs(a, b) => {
                for (name, options) in [("a", a), ("b", b)] {
                    let replay = folder.join(format!("{name}.mcap")).display().to_string();
                    let run = ["run", &self.record.scene, "--force", "-o", &replay].map(str::to_owned);
                    self.tool.ask(run.iter().chain(&self.record.options).chain(options));
                    arguments.push(replay);
                }
            }
            Question::Bisect => {
                let asked: Vec<String> =
                    self.record.bisect.iter().map(|argument| quoted(&self.filled(argument))).collect();
                let test =
                    format!("{} bisect {{}} {}", quoted(&self.tool.program.display().to_string()), asked.join(" "));
                arguments.extend([
                    self.record.scene.clone(),
                    "--test".to_owned(),
                    test,
                    "--expect".to_owned(),
                    "1".to_owned(),
                ]);
                arguments.extend(self.record.options.iter().cloned());
            }
        }
        arguments.extend(["-o", &out, "--budget", "3s", "--format", "json", "--force"].map(str::to_owned));
        let answer = self.asked_until_it_shows(&arguments);
        let said =
            format!("{}\n{}", answer.lines.first().map(ToString::to_string).unwrap_or_default(), answer.complaint);
        let is_chance = self.record.causes.contains(&Cause::Repeat);
        if named_in(&said).contains(&Cause::Repeat) {
            if !is_chance {
                self.miss("`minimize`: says that it does not repeat, but it does".to_owned());
                return "wrong";
            }
            return "does not repeat";
        }
        if answer.status != Some(0) {
            self.miss(format!("`minimize`: gives up ({})", last_line(&answer)));
            return "gives up";
        }
        if self.still_shows(question, &out) {
            return "smaller scene";
        }
        self.miss("`minimize`: what it wrote does not show it".to_owned());
        "shows nothing"
    }

    /// What is answered at last: where a bug that strikes by chance did not strike in any run, there was nothing to find.
    fn asked_until_it_shows(&self, arguments: &[String]) -> Answer {
        let did_not_strike = |answer: &Answer| {
            self.record.chance && answer.complaint.contains("nothing to minimise: the two runs are the same")
        };
        let mut answer = self.tool.ask(arguments);
        for _ in 1..self.record.tries() {
            if !did_not_strike(&answer) {
                break;
            }
            answer = self.tool.ask(arguments);
        }
        answer
    }

    /// Whether a smaller scene still shows the bug.
    fn still_shows(&self, question: &Question, scene: &str) -> bool {
        (0..self.record.tries().max(6)).any(|_| match question {
            Question::Runs(a, b) => {
                let hashes = |options: &[String]| self.tool.hashes(scene, options);
                parting(&hashes(a), &hashes(b)).is_some()
            }
            Question::Bisect => {
                let arguments = self.record.bisect.iter().map(|argument| self.filled(argument));
                self.tool.ask(["bisect".to_owned(), scene.to_owned()].into_iter().chain(arguments)).status == Some(1)
            }
        })
    }

    /// An argument with the paths of the builds in it.
    fn filled(&self, argument: &str) -> String {
        let buggy = self.tool.program.display().to_string();
        argument.replace("{clean}", &self.clean.display().to_string()).replace("{buggy}", &buggy)
    }
}

impl Row {
    /// Whether everything was right, or withheld with the reason.
    pub fn is_right(&self) -> bool {
        let Marks { step, stage, object, cause, misses } = &self.marks;
        misses.is_empty() && ![step, stage, object, cause].into_iter().any(|mark: &Mark| mark.is_miss())
    }
}

fn quoted(text: &str) -> String {
    format!("'{text}'")
}

/// The last line on standard error, without paths, and not too much of it.
fn last_line(answer: &Answer) -> String {
    let line = answer.complaint.trim().lines().next_back().unwrap_or("silently");
    let words = line.split_whitespace().filter(|word| !word.contains('/'));
    words.take(20).collect::<Vec<_>>().join(" ")
}
