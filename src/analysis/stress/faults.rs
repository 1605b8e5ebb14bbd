//! Faults planted on purpose: whether they are found and named on this scene shows what the other attacks are worth.

use crate::analysis::diff::{DiffOptions, diff_replays};
use crate::analysis::outcome::FirstDifference;
use crate::analysis::stress::{Attack, AttackVerdict, Finding, Target, Tell};
use crate::dynamics::body::BodyKind;
use crate::math::{Scalar, ScalarKind, Vec3};
use crate::replay::{Outcome, Replay, ReplayWriter, read_strict_bytes};
use crate::session::Session;
use crate::session::record::{RunPlan, record};
use crate::world::World;
use crate::world::error::BuildError;
use crate::world::fault::{Fault, FaultKind};
use crate::world::stage::Stage;

/// How long a run goes on behind the step of the fault.
const STEPS_BEHIND: u32 = 2;

/// In how many steps a fault is planted at most, until it changes something.
const STEPS_TRIED: usize = 8;

/// Plants faults that suit the scene, and compares each run with the run without. A fault that changes nothing in one step is
/// planted in another.
///
/// # Errors
/// When the scene makes no world.
pub fn faults<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let not_tried = |why: &str| Ok(Finding::not_tried(Attack::Faults, S::KIND, why));
    let last = target.baseline.last();
    if last == 0 {
        return not_tried("there is no step in which a fault could strike");
    }
    let mut campaign = Campaign::default();
    for step in eventful_steps(&target.baseline.contacts, last, last_new_feature::<S>(target.plan, last)?) {
        let planted = campaign.still_open(suitable::<S>(target.plan, step)?);
        if planted.is_empty() {
            continue;
        }
        let plan = RunPlan { steps: last.min(step + STEPS_BEHIND), ..target.plan.clone() };
        let Some(clean) = recorded(&plan, tell) else { return not_tried("the run cannot be recorded") };
        if let Some(Outcome::Stopped { message, .. }) = clean.ending.as_ref().map(|ending| &ending.outcome) {
            return not_tried(&format!("the run stops before faults strike: {message}"));
        }
        for fault in planted {
            campaign.plant(fault, &plan, &clean, tell);
        }
        if campaign.missed.is_some() {
            break;
        }
    }
    if campaign.entries.is_empty() && campaign.missed.is_none() {
        return not_tried("no body ever moves");
    }
    Ok(campaign.finding(S::KIND))
}

/// What was planted so far.
#[derive(Default)]
struct Campaign {
    /// Each fault in the last of the steps in which it was planted, with whether it changed something there.
    entries: Vec<(Fault, bool)>,
    /// The fault that was not named right, and why.
    missed: Option<(Fault, String)>,
    /// Runs and steps compared.
    compared: (u64, u64),
}

impl Campaign {
    /// Those of some faults that were not planted yet, or changed nothing where they were.
    fn still_open(&self, faults: Vec<Fault>) -> Vec<Fault> {
        let has_struck =
            |fault: &Fault| self.entries.iter().any(|(planted, struck)| *struck && is_same(planted, fault));
        faults.into_iter().filter(|fault| !has_struck(fault)).collect()
    }

    /// Plants a fault in a run and judges what the comparison with the clean run says.
    fn plant(&mut self, fault: Fault, plan: &RunPlan, clean: &Replay, tell: Tell<'_>) {
        let mut faulty = plan.clone();
        faulty.faults.push(fault.clone());
        let Some(faulty) = recorded(&faulty, tell) else { return };
        self.compared.0 += 1;
        self.compared.1 += u64::from(plan.steps);
        let struck = match judge(&fault, clean, &faulty) {
            Judgement::Named => true,
            Judgement::Inert => false,
            Judgement::Missed(why) => {
                self.missed.get_or_insert((fault, why));
                return;
            }
        };
        self.entries.retain(|(planted, _)| !is_same(planted, &fault));
        self.entries.push((fault, struck));
    }

    fn finding(self, scalar: ScalarKind) -> Finding {
        let named = self.entries.iter().filter(|(_, struck)| *struck).count();
        let inert: Vec<&str> =
            self.entries.iter().filter(|(_, struck)| !struck).map(|(fault, _)| fault.kind.name()).collect();
        let inert = if inert.is_empty() { String::new() } else { format!(" ({} changed nothing)", inert.join(", ")) };
        let steps = self.entries.iter().map(|(fault, _)| fault.step);
        let place = match (steps.clone().min(), steps.max()) {
            (Some(first), Some(last)) if first < last => format!("steps {first} to {last}"),
            (first, _) => format!("step {}", first.unwrap_or(0)),
        };
        let done = format!(
            "{} planted in {place}, {named} named right{inert}",
            self.entries.len() + usize::from(self.missed.is_some())
        );
        let verdict = match self.missed {
            Some((fault, why)) => AttackVerdict::Missed { fault: fault.to_string(), why },
            None => AttackVerdict::Held,
        };
        let (runs, steps) = self.compared;
        Finding { runs, steps, verdict, ..Finding::held(Attack::Faults, scalar, done) }
    }
}

/// Whether two faults are of one kind and strike in the same stage, be it in other steps and objects.
fn is_same(a: &Fault, b: &Fault) -> bool {
    (a.kind, a.stage) == (b.kind, b.stage)
}

/// Steps in which a fault should change something, at most [`STEPS_TRIED`], the most promising first, each once: the latest of
/// those after which there are most contacts, by when things have begun to move, or the middle one where nothing ever touches
/// anything; then the one in which a feature was new; then some of those in which contacts came or went; then some of all.
fn eventful_steps(contacts: &[usize], last: u32, new_feature: Option<u32>) -> Vec<u32> {
    let of = |step: u32| contacts.get(step as usize).copied().unwrap_or(0);
    let busiest = (1..last).max_by_key(|step| of(*step)).filter(|step| of(*step) > 0);
    let mut steps = vec![busiest.unwrap_or(last.div_ceil(2))];
    add_evenly(&mut steps, new_feature.into_iter());
    add_evenly(&mut steps, (1..last).filter(|step| of(*step) > 0 && of(*step) != of(step - 1)));
    add_evenly(&mut steps, 1..last);
    steps
}

/// Adds as many of some steps as may still be tried, evenly from the last to the first.
fn add_evenly(steps: &mut Vec<u32>, more: impl Iterator<Item = u32>) {
    let mut more: Vec<u32> = more.filter(|step| !steps.contains(step)).collect();
    more.reverse();
    let wanted = more.len().min(STEPS_TRIED - steps.len());
    steps.extend((0..wanted).map(|part| more[part * more.len() / wanted]));
}

/// The last step before the end after which a contact has a feature that was not there before, the only place for a stale one.
fn last_new_feature<S: Scalar>(plan: &RunPlan, last: u32) -> Result<Option<u32>, BuildError> {
    let mut session: Session<S> = plan.session()?;
    let mut latest = None;
    while session.step_number() + 1 < last && session.advance(&mut ()).is_ok() {
        if session.world().has_new_feature() {
            latest = Some(session.step_number());
        }
    }
    Ok(latest)
}

/// Faults that the scene can have in a step.
fn suitable<S: Scalar>(plan: &RunPlan, step: u32) -> Result<Vec<Fault>, BuildError> {
    let mut session: Session<S> = plan.session()?;
    while session.step_number() < step && session.advance(&mut ()).is_ok() {}
    let world = session.world();
    let mut faults = Vec::new();
    if let Some((body, [place, speed])) = moving_body(world) {
        let ulp = |stage, field: String| Fault {
            stage,
            object: Some(body.clone()),
            field: Some(field),
            ..Fault::of_kind(FaultKind::Ulp, step)
        };
        faults.push(ulp(Stage::Finish, place));
        faults.push(ulp(Stage::Forces, speed));
        faults.push(Fault::of_kind(FaultKind::Fma, step));
    }
    if !world.contacts().is_empty() {
        let kinds = [FaultKind::LostImpulse, FaultKind::StaleFeature, FaultKind::Swap, FaultKind::Order];
        faults.extend(kinds.map(|kind| Fault::of_kind(kind, step)));
    }
    Ok(faults)
}

/// A dynamic body that moves or turns, and the fields along its largest velocity: a place, and that velocity.
fn moving_body<S: Scalar>(world: &World<S>) -> Option<(String, [String; 2])> {
    let bodies = world.bodies();
    (0..bodies.len()).filter(|index| bodies.kind[*index] == BodyKind::Dynamic).find_map(|index| {
        let (linear, angular) = (bodies.linear_velocity[index], bodies.angular_velocity[index]);
        let fields = if linear == Vec3::ZERO {
            let axis = largest(angular)?;
            [format!("orientation.{axis}"), format!("angular_velocity.{axis}")]
        } else {
            let axis = largest(linear)?;
            [format!("position.{axis}"), format!("linear_velocity.{axis}")]
        };
        Some((bodies.name[index].to_string(), fields))
    })
}

/// The axis along which a vector is longest; `None` when it has no length.
fn largest<S: Scalar>(vector: Vec3<S>) -> Option<char> {
    let Vec3 { x, y, z } = vector.map(S::abs);
    let axes = [('x', x), ('y', y), ('z', z)];
    let longer = |best: (char, S), next: (char, S)| if next.1 > best.1 { next } else { best };
    axes.into_iter().reduce(longer).filter(|(_, length)| *length > S::ZERO).map(|(axis, _)| axis)
}

/// A plan recorded in memory.
fn recorded(plan: &RunPlan, tell: Tell<'_>) -> Option<Replay> {
    let mut open =
        |header: &_, scene: &str, _| ReplayWriter::new("a run in memory", Vec::new(), header, scene).map(Some);
    let (_, bytes) = record(plan, &mut open, &mut |_| tell()).ok()?;
    read_strict_bytes(&bytes?).ok()
}

/// What became of a fault.
enum Judgement {
    /// It was found and named.
    Named,
    /// It changed nothing.
    Inert,
    /// It was not; what was expected and what was said.
    Missed(String),
}

/// Holds what the comparison says of two runs against what was planted.
fn judge(fault: &Fault, clean: &Replay, faulty: &Replay) -> Judgement {
    let found = diff_replays(clean, faulty, DiffOptions { window: 0, ..DiffOptions::default() }).first;
    let is_inert = clean.steps == faulty.steps;
    match found {
        None if is_inert => Judgement::Inert,
        None => Judgement::Missed("the runs differ, but no difference was found".to_owned()),
        Some(first) if is_inert => {
            Judgement::Missed(format!("every hash is the same, but a difference was named: {}", place(&first)))
        }
        Some(first) if is_named(fault, &first) => Judgement::Named,
        Some(first) => Judgement::Missed(format!(
            "expected step {}, {}, and was told {}",
            fault.step,
            fault.stage.name(),
            place(&first)
        )),
    }
}

fn is_named(fault: &Fault, first: &FirstDifference) -> bool {
    let Some(field) = &first.field else { return false };
    let right_place = first.step == fault.step && first.stage.as_deref() == Some(fault.stage.name());
    let right_object = fault.object.as_ref().is_none_or(|object| *object == field.object);
    let path = field.field.as_deref().unwrap_or_default();
    let right_field = match fault.kind {
        FaultKind::LostImpulse => path.contains("impulse"),
        FaultKind::StaleFeature => path.contains("feature"),
        _ => fault.field.as_ref().is_none_or(|wanted| wanted == path),
    };
    right_place && right_object && right_field
}

fn place(first: &FirstDifference) -> String {
    let object = first.field.as_ref().map_or("no object", |field| field.object.as_str());
    let field = first.field.as_ref().and_then(|field| field.field.as_deref()).unwrap_or("no field");
    format!("step {}, {}, {object}, {field}", first.step, first.stage.as_deref().unwrap_or("no stage"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Judgement, eventful_steps, judge, recorded};
    use crate::scene;
    use crate::session::record::RunPlan;
    use crate::world::fault::Fault;

    fn fault(text: &str) -> Fault {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn what_is_named_wrong_is_missed() {
        let text = "(version: 1, name: \"flight\", steps: 9, gravity: (0, 0, 0), bodies: [
            (name: \"ball\", shape: Sphere(radius: 0.5), linear_velocity: (1, 0, 0))])";
        let scene = scene::parse("test scene", text).unwrap_or_else(|error| panic!("{error}"));
        let plan = RunPlan::new(Arc::new(scene));
        let run = |faults: Vec<Fault>| {
            let plan = RunPlan { faults, ..plan.clone() };
            recorded(&plan, &mut || {}).unwrap_or_else(|| panic!("it is recorded"))
        };
        let planted = fault("ulp@5,object=ball,field=position.x");
        let (clean, faulty) = (run(Vec::new()), run(vec![planted.clone()]));
        assert!(matches!(judge(&planted, &clean, &faulty), Judgement::Named));
        assert!(matches!(judge(&planted, &clean, &clean), Judgement::Inert));
        for other in [
            "ulp@6,object=ball,field=position.x",
            "ulp@5,object=ball,field=position.y",
            "ulp@5,object=brick,field=position.x",
            "ulp@5,object=ball,field=position.x,stage=forces",
            "lost_impulse@5",
        ] {
            match judge(&fault(other), &clean, &faulty) {
                Judgement::Missed(why) => assert!(why.ends_with("told step 5, finish, ball, position.x"), "{why}"),
                Judgement::Named | Judgement::Inert => panic!("{other}"),
            }
        }
    }

    #[test]
    fn faults_strike_where_much_touches_then_where_contacts_come_and_go_and_not_at_the_very_end() {
        assert_eq!(eventful_steps(&[3, 3, 3, 3, 9], 4, None), [3, 2, 1]);
        assert_eq!(eventful_steps(&[0, 1, 4, 4, 2, 0], 5, None), [3, 4, 2, 1]);
        assert_eq!(eventful_steps(&[0; 9], 8, None), [4, 7, 6, 5, 3, 2, 1]);
        assert_eq!(eventful_steps(&[0, 1], 1, None), [1]);
        let teetering: Vec<usize> = (0..100).map(|step| 1 + step % 2).collect();
        assert_eq!(eventful_steps(&teetering, 99, None), [97, 98, 84, 70, 56, 42, 28, 14]);
        assert_eq!(eventful_steps(&teetering, 99, Some(5))[..2], [97, 5]);
    }
}
