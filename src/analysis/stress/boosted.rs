//! A common velocity for everything: the same run, seen by someone who moves along.

use std::sync::Arc;

use crate::analysis::stress::distance::{Frame, apart};
use crate::analysis::stress::{Attack, AttackVerdict, Finding, Target, Tell};
use crate::dynamics::body::BodyKind;
use crate::math::{Scalar, Vec3};
use crate::scene::Scene;
use crate::scene::decimal::{Decimal, Exact};
use crate::scene::model::{Action, Input, Point, Vector};
use crate::scene::time_step::TimeStep;
use crate::scene::translate::widened;
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::error::BuildError;

/// The velocity in m/s: numbers that every scalar holds exactly.
const VELOCITY: [i32; 3] = [4, -2, 1];

/// Runs the scene with a velocity added to everything that can move.
///
/// # Errors
/// When the scene makes no world.
pub fn boosted<S: Scalar>(target: &Target<'_>, tell: Tell<'_>) -> Result<Finding, BuildError> {
    let not_tried = |why: String| Ok(Finding::not_tried(Attack::Boosted, S::KIND, why));
    let plan = match plan(target) {
        Ok(plan) => plan,
        Err(why) => return not_tried(why),
    };
    let first: Session<S> = target.plan.session()?;
    let mut second: Session<S> = plan.session()?;
    let mut state = first.world().state();
    if let Some(body) = state.bodies.iter().find(|body| body.linear_damping != S::ZERO) {
        return not_tried(format!("\"{}\" is damped: it slows down against the world", body.name));
    }
    let bodies = first.world().bodies();
    let stays = |id: u32| bodies.index_of(id).is_none_or(|index| bodies.kind[index] == BodyKind::Static);
    if let Some(joint) = state.joints.iter().find(|joint| stays(joint.a) || stays(joint.b)) {
        return not_tried(format!("the joint \"{}\" holds what does not move along", joint.name));
    }
    let [x, y, z] = VELOCITY.map(S::from_i32);
    for body in state.bodies.iter_mut().filter(|body| body.kind != BodyKind::Static) {
        body.linear_velocity += Vec3::new(x, y, z);
    }
    second.replace_state(state);
    let moving = Moving { seconds_per_step: seconds(target.plan.scene.dt) };
    match apart(&moving, [first, second], target.baseline.last(), tell) {
        Err(why) => not_tried(why),
        Ok(apart) => {
            let [x, y, z] = VELOCITY;
            let done = format!("by ({x}, {y}, {z}) m/s: {}", apart.text());
            let verdict = apart
                .parted("the run in motion")
                .map_or(AttackVerdict::Held, |parted| AttackVerdict::Diverged(Box::new(parted)));
            Ok(Finding { runs: 1, steps: apart.steps, verdict, ..Finding::held(Attack::Boosted, S::KIND, done) })
        }
    }
}

/// Someone who moves along.
struct Moving {
    seconds_per_step: f64,
}

impl<S: Scalar> Frame<S> for Moving {
    fn back(&self, place: [f64; 3], step: u32) -> [f64; 3] {
        let time = self.seconds_per_step * f64::from(step);
        let [vx, vy, vz] = VELOCITY.map(f64::from);
        let [x, y, z] = place;
        [x - vx * time, y - vy * time, z - vz * time]
    }

    /// The way of a step is rounded, so that no bit of a place is held to anything.
    fn is_exact(&self, first: &Session<S>, _: &Session<S>, _: usize) -> bool {
        first.step_number() == 0
    }

    fn concerns(&self, first: &Session<S>, body: usize) -> bool {
        first.world().bodies().kind[body] != BodyKind::Static
    }

    fn is_void(&self, first: &Session<S>) -> Option<String> {
        let bodies = first.world().bodies();
        let is_static = |id: u32| bodies.index_of(id).is_some_and(|index| bodies.kind[index] == BodyKind::Static);
        let contacts = first.world().contacts();
        let touched = contacts.iter().any(|contact| is_static(contact.a.body) || is_static(contact.b.body));
        touched.then(|| {
            let step = first.step_number();
            format!("in step {step} something touches a static body, which does not move along")
        })
    }
}

/// The plan with wider bounds, and with what comes from outside in motion too.
fn plan(target: &Target<'_>) -> Result<RunPlan, String> {
    let mut scene = Scene::clone(&target.plan.scene);
    let time = seconds(scene.dt) * f64::from(target.baseline.last());
    let furthest = VELOCITY.map(|speed| (f64::from(speed.abs()) * time).ceil() as i64 + 1);
    let by = furthest.map(|metres| Exact::from(metres).to_decimal());
    scene.bounds.position = widened(&scene.bounds.position, &vector(by)).map_err(|error| error.to_string())?;
    let faster = scene.bounds.speed.exact().checked_add(Exact::from(8));
    scene.bounds.speed = faster.map(Exact::to_decimal).ok_or("the bounds of speed have too many digits")?;
    scene.inputs = target.plan.scene.inputs.iter().map(input_in_motion).collect::<Result<_, _>>()?;
    let extra = target.plan.extra_inputs.iter().map(|(input, origin)| Ok((input_in_motion(input)?, *origin)));
    let extra_inputs = extra.collect::<Result<_, String>>()?;
    Ok(RunPlan { scene: Arc::new(scene), extra_inputs, ..target.plan.clone() })
}

fn input_in_motion(input: &Input) -> Result<Input, String> {
    let mut moving = input.clone();
    match &mut moving.action {
        Action::Impulse { at: Some(Point::World(_)), .. } | Action::Force { at: Some(Point::World(_)), .. } => {
            Err(format!("an input of step {} is for a place in the world, which does not move along", input.step))
        }
        Action::Spawn(body) => {
            Err(format!("\"{}\" is spawned at a place in the world, which does not move along", body.name))
        }
        Action::SetVelocity { linear: Some(Vector(x, y, z)), .. } => {
            let [vx, vy, vz] = VELOCITY.map(|speed| Exact::from(i64::from(speed)));
            *x = sum(x, vx)?;
            *y = sum(y, vy)?;
            *z = sum(z, vz)?;
            Ok(moving)
        }
        _ => Ok(moving),
    }
}

fn sum(number: &Decimal, by: Exact) -> Result<Decimal, String> {
    let sum = number.exact().checked_add(by);
    sum.map(Exact::to_decimal).ok_or_else(|| format!("{number} needs too many digits"))
}

fn vector([x, y, z]: [Decimal; 3]) -> Vector {
    Vector(x, y, z)
}

/// How long a step is.
fn seconds(dt: TimeStep) -> f64 {
    dt.numerator() as f64 / dt.denominator() as f64
}
