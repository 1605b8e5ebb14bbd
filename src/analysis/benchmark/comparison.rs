//! A benchmark against an earlier one.

use serde::Serialize;

use crate::analysis::benchmark::statistics::geometric_mean;
use crate::analysis::benchmark::{Benchmark, ByPart, Case, CaseResult, Part, Settings};
use crate::scene;

/// Why two benchmarks cannot be compared: they did not do the same work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// A setting differs.
    #[error("it was measured with {name} {before}, not {now}")]
    Setting {
        /// The option.
        name: &'static str,
        /// Its value in the earlier result.
        before: u32,
        /// Its value now.
        now: u32,
    },
    /// The earlier result lacks a case.
    #[error("it has no {scene} on {scalar}; it has {}", known.join(", "))]
    Missing {
        /// The scene.
        scene: String,
        /// The number type.
        scalar: String,
        /// The cases that it has.
        known: Vec<String>,
    },
    /// A case runs for another number of steps.
    #[error("{scene} on {scalar} took {before} steps then, and is to take {now}")]
    Steps {
        /// The scene.
        scene: String,
        /// The number type.
        scalar: String,
        /// The steps in the earlier result.
        before: u32,
        /// The steps now.
        now: u32,
    },
    /// A scene of this name is another one.
    #[error("{scene} was another scene then: it had `{before}` where it has `{now}`")]
    Scene {
        /// The scene.
        scene: String,
        /// The first line that differs, as it was.
        before: String,
        /// The same line now.
        now: String,
    },
}

/// Checks that an earlier result did the work that is to be done now; returns what else has to be known of it.
///
/// # Errors
/// When a ratio of the two would compare different work.
pub fn check(settings: &Settings, cases: &[Case], before: &Benchmark) -> Result<Vec<String>, Incomparable> {
    let numbers = [
        ("--threads", before.settings.threads, settings.threads),
        ("--warm-up", before.settings.warm_up, settings.warm_up),
    ];
    if let Some((name, before, now)) = numbers.into_iter().find(|(_, before, now)| before != now) {
        return Err(Incomparable::Setting { name, before, now });
    }
    let mut notes = Vec::new();
    for case in cases {
        let Some(earlier) = earlier(before, case) else { return Err(missing(before, case)) };
        if earlier.case.steps != case.steps {
            let (scene, scalar) = (case.scene.clone(), case.scalar.clone());
            return Err(Incomparable::Steps { scene, scalar, before: earlier.case.steps, now: case.steps });
        }
        notes.extend(check_scene(case, &earlier.case)?);
    }
    Ok(notes)
}

fn earlier<'a>(before: &'a Benchmark, case: &Case) -> Option<&'a CaseResult> {
    before.cases.iter().find(|earlier| earlier.case.is_called_as(case))
}

fn missing(before: &Benchmark, case: &Case) -> Incomparable {
    let known = before.cases.iter().map(|earlier| format!("{} on {}", earlier.case.scene, earlier.case.scalar));
    Incomparable::Missing { scene: case.scene.clone(), scalar: case.scalar.clone(), known: known.collect() }
}

/// Compares scenes as this build reads them: what it has beyond an earlier one gets its default in both.
fn check_scene(now: &Case, before: &Case) -> Result<Option<String>, Incomparable> {
    if now.text == before.text {
        return Ok(None);
    }
    let Ok(earlier) = scene::parse(&before.scene, &before.text) else {
        return Ok(Some(format!("this build cannot read {} as it was then: it may be another scene", now.scene)));
    };
    let text = earlier.to_canonical_ron();
    let mut lines = text.lines().zip(now.text.lines()).filter(|(before, now)| before != now);
    let differing = lines.next().or_else(|| (text != now.text).then_some(("", "")));
    match differing {
        None => Ok(None),
        Some((before, text)) => {
            let [before, text] = [before, text].map(|line| line.trim().trim_end_matches(',').to_owned());
            Err(Incomparable::Scene { scene: now.scene.clone(), before, now: text })
        }
    }
}

/// Two benchmarks side by side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Each case of the later one.
    pub cases: Vec<ComparedCase>,
    /// The geometric mean of the ratios of all cases.
    pub geometric_mean: ByPart<Option<f64>>,
    /// What has to be known to judge them.
    pub notes: Vec<String>,
}

/// A case, now and before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedCase {
    /// The scene's name.
    pub scene: String,
    /// The name of the number type.
    pub scalar: String,
    /// Whether both came to the same last state.
    pub same_hash: bool,
    /// Medians now over medians before; nothing where there was no time to be measured.
    pub ratio: ByPart<Option<f64>>,
}

impl Comparison {
    /// Compares what was measured now with an earlier result that [`check`] accepts; `notes` begin with what it said.
    #[must_use]
    pub fn new(now: &Benchmark, before: &Benchmark, mut notes: Vec<String>) -> Self {
        let pairs = now.cases.iter().filter_map(|case| Some((case, earlier(before, &case.case)?)));
        let cases: Vec<ComparedCase> = pairs.map(|(case, earlier)| compared(case, earlier)).collect();
        let mean = |part: Part| {
            let ratios: Option<Vec<f64>> = cases.iter().map(|case| case.ratio.get(&part).copied().flatten()).collect();
            ratios.and_then(|ratios| geometric_mean(&ratios))
        };
        let geometric_mean = Part::ALL.into_iter().map(|part| (part, mean(part))).collect();
        notes.extend(notes_on(now, before, &cases));
        Self { cases, geometric_mean, notes }
    }
}

fn compared(now: &CaseResult, before: &CaseResult) -> ComparedCase {
    let ratio = |part: Part| {
        let (now, before) = (now.milliseconds.get(&part)?.median, before.milliseconds.get(&part)?.median);
        (now > 0.0 && before > 0.0).then(|| now / before)
    };
    ComparedCase {
        scene: now.case.scene.clone(),
        scalar: now.case.scalar.clone(),
        same_hash: now.hash == before.hash,
        ratio: Part::ALL.into_iter().map(|part| (part, ratio(part))).collect(),
    }
}

fn notes_on(now: &Benchmark, before: &Benchmark, cases: &[ComparedCase]) -> Vec<String> {
    let mut notes = Vec::new();
    let others: Vec<String> =
        cases.iter().filter(|case| !case.same_hash).map(|case| format!("{} on {}", case.scene, case.scalar)).collect();
    if !others.is_empty() {
        notes.push(format!("the final hash differs: two different computations are compared ({})", others.join(", ")));
    }
    if now.machine != before.machine {
        notes.push("it was measured on another machine".to_owned());
    }
    if now.build != before.build {
        let kind = |release| if release { "release" } else { "debug" };
        let of = |benchmark: &Benchmark| {
            let build = &benchmark.build;
            format!("{}, semantics {}, {} build", build.version, build.semantics, kind(build.release))
        };
        notes.push(format!("it was measured by another program: {} then, {} now", of(before), of(now)));
    }
    if now.settings.rounds != before.settings.rounds {
        notes.push(format!("it was measured with --rounds {}, not {}", before.settings.rounds, now.settings.rounds));
    }
    notes
}
