//! Bodies that pass through others between two steps, where nothing looks for that, and such as can.

use std::sync::Arc;

use crate::analysis::meeting::Meeting;
use crate::geometry::{Hull, Shape};
use crate::math::{Scalar, Vec3};
use crate::scene::Scene;
use crate::scene::decimal::Decimal;
use crate::scene::error::quoted;
use crate::scene::model::{Action, BodyKind, ImpulseSolver, Input, Switch, Vector};
use crate::scene::resolve::{ResolvedBody, ResolvedShape};
use crate::world::passages::Passage;

/// What helps against passing through.
const REMEDY: &str = "set continuous to On, take shorter steps (dt) or let it be slower";

/// What to say where so many shapes passed through others, `first` before all; nothing where none did.
pub(crate) fn passed_through(continuous: Switch, count: u64, first: Option<&Passage>) -> Option<String> {
    if count == 0 {
        return None;
    }
    let (setting, unseen, remedy) = match continuous {
        Switch::Off => ("with continuous Off ", " without touching them", REMEDY),
        Switch::On => ("", "", "take shorter steps (dt) or more substeps, or let it be slower"),
    };
    let Some(Passage { step, body, way, thickness, obstacle, obstacle_thickness }) = first else {
        return Some(format!("{setting}shapes passed through others{unseen} (passed through: {count}); {remedy}"));
    };
    let (name, other) = (quoted(body), quoted(obstacle));
    let unseen = unseen.replace("them", "it");
    let obstacle_is = match obstacle_thickness.is_finite() {
        true => format!("{} m", metres(*obstacle_thickness)),
        false => "a surface".to_owned(),
    };
    let own = match thickness.is_finite() {
        true => format!("{} m thick", metres(*thickness)),
        false => "a surface".to_owned(),
    };
    Some(format!(
        "{name} moves {} m a step and is {own}, {other} is {obstacle_is}: {setting}it passed through {other} in \
         step {step}{unseen} (passed through in the run: {count}); {remedy}",
        metres(*way),
    ))
}

/// What to say of the fastest body, where it moves farther in a step than it and the thinnest other body are thick together.
/// Nothing with `continuous: On`, for then they meet within the step.
///
/// Speeds are those of the scene and its inputs: what gravity adds on the way is not known here.
pub(crate) fn too_fast(
    scene: &Scene,
    solver: &ImpulseSolver,
    bodies: &[ResolvedBody],
    inputs: &[&Input],
) -> Option<String> {
    if scene.continuous == Switch::On {
        return None;
    }
    let step = scene.dt.numerator() as f64 / scene.dt.denominator() as f64;
    let (fast, speed) = fastest(bodies, inputs)?;
    let meeting = Meeting::of(scene);
    let others = bodies.iter().filter(|other| meeting.may_push(fast, other));
    let (obstacle, thin) =
        others.filter_map(|other| Some((other, thickness(other)?))).min_by(|a, b| a.1.total_cmp(&b.1))?;
    let (travel, own) = (speed * step, thickness(fast)?);
    if travel <= thin + own + solver.speculative_distance.to_f64() {
        return None;
    }
    let (name, other) = (quoted(&fast.name), quoted(&obstacle.name));
    Some(format!(
        "{name} moves {} m a step and is {} m thick, {other} is {} m: with continuous Off it can be before {other} in one \
         step and behind it in the next, and nothing stops it; {REMEDY}",
        metres(travel),
        metres(own),
        metres(thin)
    ))
}

/// The body with the greatest speed that the scene or an input gives to one, in m/s.
fn fastest<'a>(bodies: &'a [ResolvedBody], inputs: &[&Input]) -> Option<(&'a ResolvedBody, f64)> {
    let moving = bodies.iter().filter(|body| body.kind != BodyKind::Static);
    let speeds = moving.map(|body| {
        let start = speed(&body.linear_velocity);
        let given = inputs.iter().map(|input| match &input.action {
            Action::SetVelocity { body: name, linear: Some(linear), .. } if *name == body.name => speed(linear),
            Action::AddVelocity { body: name, linear, .. } if *name == body.name => start + speed(linear),
            _ => 0.0,
        });
        (body, given.fold(start, Scalar::max))
    });
    speeds.max_by(|a, b| a.1.total_cmp(&b.1))
}

fn speed(Vector(x, y, z): &Vector) -> f64 {
    let [x, y, z] = [x, y, z].map(Decimal::to_f64);
    Vec3 { x, y, z }.length()
}

/// How thick a body is where it is thinnest, metres: of several shapes the thickest counts, of sensors none. `None` without shapes, or where
/// there is no end to it.
fn thickness(body: &ResolvedBody) -> Option<f64> {
    let shapes = body.pushing().map(|collider| match &collider.shape {
        ResolvedShape::Sphere { radius } | ResolvedShape::Capsule { radius, .. } => 2.0 * radius.to_f64(),
        ResolvedShape::Cuboid { half_extents: Vector(x, y, z) } => {
            2.0 * [x, y, z].map(Decimal::to_f64).into_iter().fold(f64::INFINITY, Scalar::min)
        }
        ResolvedShape::Hull(placed) => 2.0 * Hull::<f64>::new(Arc::clone(&placed.hull)).inner_radius(),
        ResolvedShape::Cylinder { half_height, radius } => {
            let (half_height, radius) = (half_height.to_f64(), radius.to_f64());
            Shape::Cylinder { half_height, radius }.least_thickness().unwrap_or(f64::INFINITY)
        }
        ResolvedShape::Cone { half_height, radius } => {
            let (half_height, radius) = (half_height.to_f64(), radius.to_f64());
            Shape::Cone { half_height, radius }.least_thickness().unwrap_or(f64::INFINITY)
        }
        ResolvedShape::HalfSpace { .. } => f64::INFINITY,
        ResolvedShape::Mesh(_) => 0.0,
    });
    shapes.max_by(f64::total_cmp).filter(|thickness| thickness.is_finite())
}

/// Metres with three decimals at most.
fn metres(value: f64) -> String {
    let places = if value < 0.01 { 6 } else { 3 };
    let text = format!("{value:.places$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
