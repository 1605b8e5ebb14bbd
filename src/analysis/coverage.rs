//! Does a run guard what its scene claims? A replay in which nothing touches, bounces or acts holds for ever.
//!
//! The scene says what there is to be guarded, the counters say what came up. Where a claim was never put to the test,
//! a sentence says so, and what to do about it. Floating bodies (without gravity) claim no contacts.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::meeting::Meeting;
use crate::analysis::tunnelling::{passed_through, too_fast};
use crate::geometry::ShapeKind;
use crate::replay::{Outcome, Replay};
use crate::scene::decimal::Decimal;
use crate::scene::error::quoted;
use crate::scene::generate::expand;
use crate::scene::input::parse_input_line;
use crate::scene::model::{Action, BodyKind, ImpulseSolver, Input, Material, Solver, Vector};
use crate::scene::resolve::{ResolvedBody, ResolvedShape, spawned_bodies};
use crate::scene::{self, Scene};
use crate::session::record::{RunPlan, RunSummary};
use crate::world::counts::Counted;
use crate::world::encode::Section;
use crate::world::passages::Passage;

/// Bodies that are asked whether they meet others, at most: the first of so many tell.
const MOST_ASKED: usize = 1000;

const NOTHING_TOUCHED: &str = "bodies could touch, but none did: contacts, friction and restitution are not guarded";

/// What a run was made of, and what it came to.
#[derive(Clone, Debug)]
pub struct Exercise<'a> {
    /// Its scene.
    pub scene: &'a Scene,
    /// All its inputs, those of the scene too.
    pub inputs: Vec<&'a Input>,
    /// What it exercised, by name.
    pub counts: &'a BTreeMap<String, u64>,
    /// The first body that passed through another unseen, where it is known.
    pub passage: Option<&'a Passage>,
    /// Steps taken.
    pub steps: u32,
    /// Whether any number of any body changed in any step, be it that it changed back.
    pub moved: bool,
}

/// What a run that has just been made does not guard, a sentence each. Of one that stopped on an error only what passed through
/// something: that may be why.
#[must_use]
pub fn vacuous_run(plan: &RunPlan, summary: &RunSummary) -> Vec<String> {
    if summary.stopped.is_some() {
        let count = summary.counts.get(Counted::PassedThrough);
        return passed_through(plan.scene.continuous, count, summary.passage.as_ref()).into_iter().collect();
    }
    vacuous(&Exercise {
        scene: &plan.scene,
        inputs: plan.scene.inputs.iter().chain(plan.extra_inputs.iter().map(|(input, _)| input)).collect(),
        counts: &summary.counts.by_name(),
        passage: summary.passage.as_ref(),
        steps: summary.steps,
        moved: summary.moved,
    })
}

/// What a recorded run does not guard, as for [`vacuous_run`]; nothing of one that has no ending.
#[must_use]
pub fn vacuous_replay(replay: &Replay) -> Vec<String> {
    let Some(ending) = &replay.ending else { return Vec::new() };
    let Ok(scene) = scene::parse("scene of the replay", &replay.scene) else { return Vec::new() };
    if ending.outcome != Outcome::Completed {
        let count = ending.counters.get(Counted::PassedThrough.name()).copied();
        return passed_through(scene.continuous, count.unwrap_or(0), None).into_iter().collect();
    }
    let lines = (1..).zip(&replay.inputs);
    let inputs: Vec<Input> =
        lines.filter_map(|(number, recorded)| parse_input_line("inputs", number, &recorded.text).ok()).collect();
    let bodies = replay.header.sections.iter().position(|name| name == Section::Bodies.name());
    let mut digests = replay.steps.iter().map(|hash| bodies.and_then(|index| hash.sections.get(index).copied()));
    let first = digests.next();
    vacuous(&Exercise {
        scene: &scene,
        inputs: inputs.iter().collect(),
        counts: &ending.counters,
        passage: None,
        steps: ending.steps,
        moved: digests.any(|digest| Some(digest) != first),
    })
}

/// What a run claims to guard and does not, a sentence each.
#[must_use]
pub fn vacuous(exercise: &Exercise<'_>) -> Vec<String> {
    let mut warnings: Vec<String> = late_inputs(exercise).into_iter().collect();
    if exercise.steps == 0 {
        warnings.push("no step was taken: only the building of the scene is guarded; take more steps".to_owned());
        return warnings;
    }
    if !exercise.moved {
        let steps = exercise.steps;
        let when = if steps == 1 { "in the one step".to_owned() } else { format!("in none of {steps} steps") };
        warnings
            .push(format!("nothing moved, {when}: give a body a velocity, gravity or an input, or take more steps"));
        return warnings;
    }
    let claims = Claims::of(exercise);
    let too_fast = passed_through(exercise.scene.continuous, exercise.count(Counted::PassedThrough), exercise.passage)
        .or_else(|| claims.too_fast());
    warnings.extend(claims.idle_kinematic());
    warnings.extend(claims.nothing_sensed());
    if exercise.has_touched() {
        warnings.extend(claims.untouched_shapes());
        warnings.extend(claims.nothing_bounced());
        warnings.extend(claims.nothing_rubbed());
        warnings.extend(claims.nothing_lasted());
    } else if claims.contacts() {
        let advice = "; take more steps, or place and aim bodies so that they meet";
        let advice = if too_fast.is_none() { advice } else { "" };
        warnings.push(format!("{NOTHING_TOUCHED}{advice}"));
    }
    warnings.extend(too_fast);
    warnings
}

impl Exercise<'_> {
    fn count(&self, what: Counted) -> u64 {
        self.counts.get(what.name()).copied().unwrap_or(0)
    }

    /// Whether anything touched, be it for a moment within a step.
    fn has_touched(&self) -> bool {
        [Counted::ContactPoints, Counted::CaughtAtSpeed, Counted::Restitution]
            .into_iter()
            .any(|what| self.count(what) > 0)
    }

    /// The inputs for steps that were taken.
    fn acting(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().copied().filter(|input| input.step <= self.steps)
    }
}

/// Inputs for steps that the run does not come to.
fn late_inputs(exercise: &Exercise<'_>) -> Option<String> {
    let steps = exercise.steps;
    let late: Vec<u32> = exercise.inputs.iter().map(|input| input.step).filter(|step| *step > steps).collect();
    let inputs = if late.len() == 1 { "1 input is".to_owned() } else { format!("{} inputs are", late.len()) };
    let last = late.iter().max()?;
    Some(format!("{inputs} for a step after the last one ({steps}) and will not act; take {last} steps or more"))
}

/// What a run has that it could put to the test.
struct Claims<'a> {
    exercise: &'a Exercise<'a>,
    solver: &'a ImpulseSolver,
    /// All bodies that are there at some time.
    bodies: Vec<ResolvedBody>,
    /// Whether gravity is zero all the time.
    weightless: bool,
}

impl<'a> Claims<'a> {
    fn of(exercise: &'a Exercise<'a>) -> Self {
        let Solver::Impulse(solver) = &exercise.scene.solver;
        let mut bodies = expand(exercise.scene).unwrap_or_default();
        bodies.extend(spawned_bodies(exercise.scene, exercise.acting()));
        let turned = exercise.acting().any(|input| matches!(input.action, Action::SetGravity(_)));
        let weightless = is_zero(&exercise.scene.gravity) && !turned;
        Self { exercise, solver, bodies, weightless }
    }

    /// Bodies with a shape that nothing keeps from falling.
    fn falling(&self) -> impl Iterator<Item = &ResolvedBody> {
        let falls = |body: &&ResolvedBody| {
            body.kind == BodyKind::Dynamic && body.pushing().next().is_some() && !is_none(&body.gravity_scale)
        };
        self.bodies.iter().filter(|_| !self.weightless).filter(falls)
    }

    fn materials(&self) -> impl Iterator<Item = &Material> {
        self.bodies.iter().flat_map(ResolvedBody::pushing).map(|collider| &collider.material)
    }

    /// Whether bodies are there to touch each other: something falls or flies, and something stands in its way that it meets, other
    /// than to hold a joint, or is of a material that was chosen.
    fn contacts(&self) -> bool {
        let joined = |name: &str| {
            self.exercise.scene.joints.iter().any(|joint| joint.a == name || joint.b.as_deref() == Some(name))
        };
        let obstacle = |body: &ResolvedBody| body.kind != BodyKind::Dynamic && !joined(&body.name);
        let chosen = self.bodies.len() > 1 && self.materials().any(|material| *material != Material::default());
        let meeting = Meeting::of(self.exercise.scene);
        let flying =
            self.bodies.iter().filter(|body| body.kind == BodyKind::Dynamic && !is_zero(&body.linear_velocity));
        let in_the_way = |mover: &ResolvedBody| {
            let others = self.bodies.iter().filter(|other| chosen || obstacle(other));
            others.take(MOST_ASKED).any(|other| meeting.may_push(mover, other))
        };
        self.falling().chain(flying).take(MOST_ASKED).any(in_the_way)
    }

    /// A body that can pass through others unseen.
    fn too_fast(&self) -> Option<String> {
        let acting: Vec<&Input> = self.exercise.acting().collect();
        too_fast(self.exercise.scene, self.solver, &self.bodies, &acting)
    }

    /// Kinematic bodies that never move.
    fn idle_kinematic(&self) -> Option<String> {
        let moves = |body: &ResolvedBody| {
            let drives = |action: &Action| match action {
                Action::SetVelocity { body: name, .. } | Action::AddVelocity { body: name, .. } => *name == body.name,
                _ => false,
            };
            !is_zero(&body.linear_velocity)
                || !is_zero(&body.angular_velocity)
                || self.exercise.acting().any(|input| drives(&input.action))
        };
        let idle = self.bodies.iter().find(|body| {
            // A sensor that rests notices more if it is kinematic.
            body.kind == BodyKind::Kinematic && body.pushing().next().is_some() && !moves(body)
        })?;
        Some(format!("the kinematic body {} never moves: give it a velocity, or make it Static", quoted(&idle.name)))
    }

    /// Kinds of shapes that fall and touch nothing; of a body of several one is enough, as of a dumbbell that lies on its balls.
    fn untouched_shapes(&self) -> Option<String> {
        let touched = |kind: &str| {
            let mut pairs = self.exercise.counts.keys().filter_map(|name| name.strip_prefix("contacts "));
            pairs.any(|pair| pair.split(" - ").any(|side| side == kind))
        };
        let kinds_of =
            |body: &ResolvedBody| -> Vec<&str> { body.pushing().map(|collider| kind_of(&collider.shape)).collect() };
        let kinds = self.falling().map(kinds_of).filter(|kinds| !kinds.iter().any(|kind| touched(kind)));
        let untouched: BTreeSet<&str> = kinds.flatten().collect();
        let names = untouched.iter().copied().collect::<Vec<_>>().join(" and no ");
        (!untouched.is_empty()).then(|| format!("no {names} touched anything, though some fall: take more steps"))
    }

    /// Sensors that had nothing to tell.
    fn nothing_sensed(&self) -> Option<String> {
        let senses = |body: &ResolvedBody| body.colliders.iter().any(|collider| collider.is_sensor);
        let told: u64 = [Counted::SensorBegins, Counted::SensorEnds].map(|what| self.exercise.count(what)).iter().sum();
        let sensor = self.bodies.iter().find(|body| senses(body)).filter(|_| told == 0)?;
        let name = quoted(&sensor.name);
        Some(format!(
            "nothing began or ended to overlap a sensor, such as that of {name}: take more steps, or let bodies come to it"
        ))
    }

    fn nothing_bounced(&self) -> Option<String> {
        let bouncy = self.materials().any(|material| !is_none(&material.restitution));
        (bouncy && self.exercise.count(Counted::Restitution) == 0).then(|| {
            let threshold = self.solver.restitution_threshold.as_str();
            format!(
                "a material has restitution, but nothing bounced: let bodies meet faster than \
                 solver.restitution_threshold ({threshold} m/s), or lower it"
            )
        })
    }

    fn nothing_rubbed(&self) -> Option<String> {
        let rough = self.materials().all(|material| !is_none(&material.friction));
        let struck: u64 =
            [Counted::Restitution, Counted::CaughtAtSpeed].map(|what| self.exercise.count(what)).iter().sum();
        (rough && self.pressed() + struck == 0)
            .then(|| "bodies have friction, but no contact was pressed: take more steps, or let bodies meet".to_owned())
    }

    /// How often a point of a contact with friction was pressed at the end of a step.
    fn pressed(&self) -> u64 {
        [Counted::FrictionSticks, Counted::FrictionSlips].map(|what| self.exercise.count(what)).iter().sum()
    }

    /// Two faces that met once, be it in two steps, have not claimed to stay.
    fn nothing_lasted(&self) -> Option<String> {
        let once = 8;
        let lasted = self.exercise.count(Counted::WarmStarts) > 0;
        (self.solver.warm_starting && self.pressed() > once && !lasted).then(|| {
            "warm starting is on, but no pressed contact lasted into a second step: take more steps, or set \
             solver.warm_starting to false"
                .to_owned()
        })
    }
}

/// The kind of a shape, as the counters call it.
const fn kind_of(shape: &ResolvedShape) -> &'static str {
    match shape {
        ResolvedShape::Sphere { .. } => ShapeKind::Sphere.name(),
        ResolvedShape::Cuboid { .. } => ShapeKind::Cuboid.name(),
        ResolvedShape::Capsule { .. } => ShapeKind::Capsule.name(),
        ResolvedShape::Hull(_) => ShapeKind::Hull.name(),
        ResolvedShape::Cylinder { .. } => ShapeKind::Cylinder.name(),
        ResolvedShape::Cone { .. } => ShapeKind::Cone.name(),
        ResolvedShape::HalfSpace { .. } => ShapeKind::HalfSpace.name(),
        ResolvedShape::Mesh(_) => ShapeKind::Mesh.name(),
    }
}

fn is_none(decimal: &Decimal) -> bool {
    decimal.exact().is_zero()
}

fn is_zero(Vector(x, y, z): &Vector) -> bool {
    [x, y, z].into_iter().all(is_none)
}
