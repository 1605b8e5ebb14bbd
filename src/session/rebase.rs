//! A later start: the scene whose step 0 is a later step of a run.
//!
//! Bodies are where they are then and move as they do then; what bodies keep beside that, such as the impulses of
//! joints and contacts, is lost. So a run from the new scene is like the rest of the old one, but need not be the same.

use std::collections::BTreeMap;

use crate::dynamics::body::Bodies;
use crate::dynamics::joint::Joint;
use crate::math::{Quat, Scalar, ScalarTask, Vec3};
use crate::scene::Scene;
use crate::scene::decimal::Decimal;
use crate::scene::generate::write_out_group;
use crate::scene::model::{self, Action, Body, Input, Orientation, Place, Vector};
use crate::session::Session;
use crate::session::record::RunPlan;
use crate::world::World;

/// The scene of a plan that starts after `step` of its run; `None` when the run does not come that far, the caller had
/// enough (`go_on` hears of each step), or the state has numbers that no scene can have.
///
/// Faults and inputs beyond those of the scene stay with the plan: see [`shift_input`].
pub fn rebase(plan: &RunPlan, step: u32, go_on: &mut dyn FnMut(u32) -> bool) -> Option<Scene> {
    plan.scalar.dispatch(Rebase { plan, step, go_on })
}

/// An input as it is seen `by` steps later; `None` when it is over by then.
#[must_use]
pub fn shift_input(input: &Input, by: u32) -> Option<Input> {
    let last = input.through.unwrap_or(input.step);
    if last <= by {
        return None;
    }
    let mut shifted = input.clone();
    shifted.step = input.step.saturating_sub(by).max(1);
    shifted.through = input.through.map(|last| last - by);
    Some(shifted)
}

struct Rebase<'a> {
    plan: &'a RunPlan,
    step: u32,
    go_on: &'a mut dyn FnMut(u32) -> bool,
}

impl ScalarTask for Rebase<'_> {
    type Output = Option<Scene>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self { plan, step, go_on } = self;
        let mut session: Session<S> = plan.session().ok()?;
        while session.step_number() < step {
            if !go_on(session.step_number()) {
                return None;
            }
            session.advance(&mut ()).ok()?;
        }
        scene_at(plan, session.world())
    }
}

fn scene_at<S: Scalar>(plan: &RunPlan, world: &World<S>) -> Option<Scene> {
    let step = world.step_number();
    let mut scene = plan.scene.as_ref().clone();
    while !scene.groups.is_empty() {
        scene = write_out_group(&scene, 0).ok()?;
    }
    let described = descriptions(plan, &scene);
    let bodies = world.bodies();
    let moved = (0..bodies.len()).map(|index| {
        let body = described.get(&*bodies.name[index])?;
        body_at(body, bodies, index)
    });
    scene.bodies = moved.collect::<Option<_>>()?;
    scene.joints = world.joints().iter().map(|joint| joint_at(joint, bodies, &scene.joints)).collect::<Option<_>>()?;
    scene.gravity = vector(world.gravity())?;
    scene.inputs = scene.inputs.iter().filter_map(|input| shift_input(input, step)).collect();
    scene.steps = plan.steps.saturating_sub(step);
    Some(scene)
}

/// Every body that the run can have, as it is described: in the scene, or by the input that spawns it.
fn descriptions(plan: &RunPlan, scene: &Scene) -> BTreeMap<String, Body> {
    let extra = plan.extra_inputs.iter().map(|(input, _)| input);
    let spawned = plan.scene.inputs.iter().chain(extra).filter_map(|input| match &input.action {
        Action::Spawn(body) => Some(body.as_ref()),
        _ => None,
    });
    scene.bodies.iter().chain(spawned).map(|body| (body.name.clone(), body.clone())).collect()
}

fn body_at<S: Scalar>(described: &Body, bodies: &Bodies<S>, index: usize) -> Option<Body> {
    let position = vector(bodies.position[index])?;
    let has_own_centre = bodies.centre[index] != Vec3::ZERO;
    Some(Body {
        position: if has_own_centre { Place::CentreOfMass(position) } else { Place::Origin(position) },
        orientation: orientation(bodies.orientation[index])?,
        linear_velocity: vector(bodies.linear_velocity[index])?,
        angular_velocity: vector(bodies.angular_velocity[index])?,
        ..described.clone()
    })
}

/// A joint with the anchors that it has: bodies that have moved say nothing of those that were not written.
fn joint_at<S: Scalar>(joint: &Joint<S>, bodies: &Bodies<S>, described: &[model::Joint]) -> Option<model::Joint> {
    let described = described.iter().find(|described| *described.name == *joint.name)?;
    let anchor = |body: u32, anchor: Vec3<S>| {
        let centre = bodies.index_of(body).map_or(Vec3::ZERO, |index| bodies.centre[index]);
        vector(centre + anchor)
    };
    let anchor_a = Some(anchor(joint.a, joint.anchor_a)?);
    let anchor_b = Some(anchor(joint.b, joint.anchor_b)?);
    Some(model::Joint { anchor_a, anchor_b, at: None, ..described.clone() })
}

fn vector<S: Scalar>(vector: Vec3<S>) -> Option<Vector> {
    Some(Vector(decimal(vector.x)?, decimal(vector.y)?, decimal(vector.z)?))
}

fn orientation<S: Scalar>(quaternion: Quat<S>) -> Option<Orientation> {
    let Quat { w, x, y, z } = quaternion;
    Some(Orientation::Quaternion(decimal(w)?, decimal(x)?, decimal(y)?, decimal(z)?))
}

/// The shortest decimal that reads as this number. One too small for the digits of a decimal becomes zero.
fn decimal<S: Scalar>(number: S) -> Option<Decimal> {
    if !number.is_finite() {
        return None;
    }
    let exact = Decimal::new(&number.canonical().to_string());
    exact.ok().or_else(|| (number.abs() < S::ONE).then(Decimal::default))
}
