//! Plants one fault, finds the truth and holds the detector to it.

use std::sync::Arc;

use physim::analysis::bisect::Alone;
use physim::analysis::bisect::axis::{AxisText, SceneAxis};
use physim::analysis::bisect::scene::{SceneSearch, bisect_scene};
use physim::analysis::diff::{Diff, DiffOptions, diff_replays};
use physim::analysis::outcome::SideValue;
use physim::analysis::verify::verify_replay;
use physim::analysis::{FirstDifference, Verdict};
use physim::math::Scalar;
use physim::replay::Replay;
use physim::scene::Scene;
use physim::session::record::RunPlan;
use physim::world::fault::{Circumstance, Fault, FaultKind};

use crate::common::{faulty, plan, recorded};
use crate::proof::truth::{self, Course, Place, What, differing_section, first_difference, start};

/// A scene's clean run, in which faults are planted.
pub struct Ground {
    pub plan: RunPlan,
    pub replay: Replay,
    pub course: Course,
    pub warm_starting: bool,
    pub dt: f64,
    pub substeps: f64,
}

impl Ground {
    /// The first steps of a scene.
    pub fn new<S: Scalar>(mut scene: Scene, steps: u32, keyframe_every: u32) -> Self {
        scene.steps = steps;
        scene.keyframe_every = keyframe_every;
        let dt = scene.dt.numerator() as f64 / scene.dt.denominator() as f64;
        let plan = plan::<S>(&Arc::new(scene));
        let solver = start::<S>(&plan).world().settings().solver;
        let (warm_starting, substeps) = (solver.warm_starting, f64::from(solver.substeps));
        Self { replay: recorded(&plan), course: Course::run::<S>(&plan), plan, warm_starting, dt, substeps }
    }
}

/// A fault that was planted.
pub struct Planted {
    pub text: String,
    pub replay: Replay,
    pub course: Course,
    /// Where the runs diverge, when they do.
    pub truth: Option<Place>,
}

impl Planted {
    pub fn plant<S: Scalar>(ground: &Ground, text: String) -> Self {
        let mut plan = faulty(&ground.plan, &text);
        if text.contains("only=threads") {
            plan.threads = 2;
        }
        let course = Course::run::<S>(&plan);
        let truth = truth::find::<S>([&ground.plan, &plan], [&ground.course, &course]);
        Self { replay: recorded(&plan), text, course, truth }
    }

    /// Holds the truth itself to what the text of the fault says, where it says it all.
    pub fn check_truth(&self) -> Result<(), String> {
        let Some(truth) = &self.truth else { return Ok(()) };
        let fault: Fault = self.text.parse().map_err(|error| format!("{error}"))?;
        let stage = (fault.step > 0).then(|| fault.stage.name().to_owned());
        let named = truth.what.as_ref().map(|what| (Some(&what.object), what.field.as_ref()));
        let as_planted = truth.stage == stage && named == Some((fault.object.as_ref(), fault.field.as_ref()));
        if truth.step != fault.step || (fault.kind.names_a_field() && !as_planted) {
            return Err(format!("the truth is not where the fault was planted: {truth:?}"));
        }
        Ok(())
    }

    /// The run can be run again and be the same, and its counters tell of the fault.
    pub fn check_replay(&self) -> Result<(), String> {
        let found = verify_replay(&self.replay, self.replay.header.threads, &mut |_, _| {});
        if found.verdict != Verdict::Same || found.notes.iter().any(|note| note.contains("counts")) {
            return Err(format!("verify says {} {:?}", found.verdict, found.notes));
        }
        let counters = &self.replay.ending.as_ref().expect("an ending").counters;
        let count = |name: &str| counters.get(name).copied().unwrap_or(0);
        let counted = (count("perturbations"), count("inert faults"));
        let step = self.truth.as_ref().map(|truth| truth.step as usize);
        let expected = match step {
            None => (0, 1),
            // Where the step fails nothing of it is counted.
            Some(step) if step == self.course.states.len() => (0, 0),
            Some(_) => (1, 0),
        };
        if counted == expected { Ok(()) } else { Err(format!("counted {counted:?}, not {expected:?}")) }
    }

    /// Compares with the clean run, in both orders, and holds what is said to the truth.
    pub fn check_diff(&self, clean: &Replay, options: DiffOptions) -> Result<(), String> {
        let forwards = diff_replays(clean, &self.replay, options);
        let backwards = diff_replays(&self.replay, clean, options);
        let mirrored = self.truth.clone().map(|mut place| {
            if let Some(what) = &mut place.what {
                what.bits.reverse();
            }
            place
        });
        if let Some(wanted) = self.distance()
            && forwards.first.as_ref().and_then(|first| first.field.as_ref()?.ulps) != wanted
        {
            return Err(format!("not {wanted:?} ulps: {:?}", forwards.first));
        }
        for (diff, truth, order) in [(forwards, &self.truth, "a, b"), (backwards, &mirrored, "b, a")] {
            check_said(&diff, truth.as_ref()).map_err(|reason| format!("{order}: {reason}"))?;
        }
        if self.truth.is_none() && self.replay.steps != clean.steps {
            return Err("no byte differs, yet hashes do".to_owned());
        }
        Ok(())
    }

    /// Lets `bisect` find the condition under which the fault strikes, more than one thread, and holds what it says to the truth.
    pub fn check_bisect(&self, ground: &Ground) -> Result<(), String> {
        let mut fault: Fault = self.text.parse().map_err(|error| format!("{error}"))?;
        fault.only = vec![Circumstance::Threads];
        let threads: AxisText = "threads=1,2".parse()?;
        let axis = SceneAxis::read(&threads, ground.plan.steps).map_err(|error| format!("{error}"))?;
        let plan = RunPlan { faults: vec![fault], ..ground.plan.clone() };
        let search = SceneSearch { plan, axes: vec![axis], window: 1, fields: 3 };
        let found = bisect_scene(&search, &mut Alone).map_err(|error| format!("bisect: {error}"))?;
        let Some(truth) = &self.truth else {
            let same = found.verdict == Verdict::Same && found.first.is_none();
            return if same { Ok(()) } else { Err(format!("bisect finds an inert fault: {:?}", found.first)) };
        };
        let smallest: Vec<String> = found.smallest.iter().flatten().map(|change| change.to.clone()).collect();
        let said = said(found.first.as_ref());
        if said != *truth || smallest != ["2"] {
            return Err(format!("bisect says  {said:?} under {smallest:?}\n  truth {truth:?}"));
        }
        Ok(())
    }

    /// How many units in the last place the two values are apart, where the text of the fault says it: none of whole numbers.
    fn distance(&self) -> Option<Option<u64>> {
        let fault: Fault = self.text.parse().ok()?;
        let is_told = fault.kind == FaultKind::Ulp && self.truth.is_some();
        is_told.then(|| (!is_whole(fault.field.as_deref().unwrap_or_default())).then_some(fault.ulps.unsigned_abs()))
    }

    /// Compares a replay with another record of the fault; what it says must be the truth of the states that it saw.
    pub fn check_scrambled<S: Scalar>(&self, ground: &Ground, scramble: &Scramble) -> Result<(), String> {
        let truth = self.truth.as_ref().expect("a fault that is not inert");
        let courses = [&ground.course, &self.course];
        let mut scrambled = self.replay.clone();
        match scramble {
            Scramble::Removed => scrambled.perturbations.clear(),
            Scramble::Other(text) => scrambled.perturbations[0].fault.clone_from(text),
        }
        let diff = diff_replays(&ground.replay, &scrambled, DiffOptions { window: 1, ..DiffOptions::default() });
        let first = diff.first.as_ref().ok_or("nothing is found")?;
        let section = differing_section(courses, truth.step);
        if first.step != truth.step || (section.is_some() && first.section.as_deref() != section) {
            return Err(format!("step {} {:?}, not {} {section:?}", first.step, first.section, truth.step));
        }
        if first.stage.is_some() || first.phase.is_some() || diff.notes.is_empty() {
            return Err(format!("a stage is claimed that nothing proves: {first:?}"));
        }
        let states = first.seen_at.map(|step| courses.map(|course| course.states[step as usize].to_bytes()));
        let seen = states.and_then(|[a, b]| first_difference::<S>(&a, &b));
        if said(diff.first.as_ref()).what == seen {
            Ok(())
        } else {
            Err(format!("claimed {first:?}, there is {seen:?}"))
        }
    }
}

/// What becomes of the record of a fault.
#[derive(Debug)]
pub enum Scramble {
    Removed,
    Other(String),
}

/// Where it is said that the runs diverge.
fn said(first: Option<&FirstDifference>) -> Place {
    let Some(first) = first else { return Place::default() };
    let bits = |side: &Option<SideValue>| side.as_ref().map(|side| side.bits.clone());
    let what = first.field.as_ref().map(|seen| What {
        section: seen.section.clone(),
        object: seen.object.clone(),
        field: seen.field.clone(),
        bits: [bits(&seen.a), bits(&seen.b)],
    });
    Place { step: first.step, stage: first.stage.clone(), phase: first.phase.clone(), what }
}

fn check_said(diff: &Diff, truth: Option<&Place>) -> Result<(), String> {
    let Some(truth) = truth else {
        let same = diff.verdict == Verdict::Same && diff.first.is_none();
        return if same { Ok(()) } else { Err(format!("an inert fault is found: {:?}", diff.first)) };
    };
    let said = said(diff.first.as_ref());
    if said != *truth {
        return Err(format!("says  {said:?}\n  truth {truth:?}"));
    }
    let first = diff.first.as_ref().expect("something was said");
    let section = truth.what.as_ref().map(|what| &what.section);
    let proved = first.seen_at == Some(truth.step) && diff.notes.iter().all(|note| note.contains("stops in this step"));
    let is_sound = first.findings.is_empty();
    if diff.verdict != Verdict::Diverged || first.section.as_ref() != section || !proved || !is_sound {
        return Err(format!("{} {:?} {:?} {:?}", diff.verdict, first.section, first.seen_at, diff.notes));
    }
    Ok(())
}

/// Whether a field holds whole numbers.
fn is_whole(path: &str) -> bool {
    const NAMES: [&str; 17] = [
        "body",
        "category",
        "collides",
        "corner_count",
        "count",
        "exponent",
        "feature",
        "friction_combine",
        "grid_exponent",
        "group",
        "is_sensor",
        "keeps_manifold",
        "kind",
        "length_exponent",
        "mask",
        "restitution_combine",
        "step",
    ];
    let name = path.rsplit('.').next().unwrap_or(path);
    path.contains("corners[") || NAMES.contains(&name)
}
