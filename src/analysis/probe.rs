//! One pair of shapes of a state, looked at by every method of the narrow phase, in plain numbers for people and other programs.

use crate::analysis::outline::Outline;
use crate::analysis::rerun::RerunError;
use crate::analysis::roster::name_hint;
use crate::analysis::states::{PassError, RunPassError, StateVisitor, StepSelection, visit_run, visit_states};
use crate::collision::query::look::{Axis, EpaLook, GjkLook};
use crate::collision::{Manifold, NarrowPhase};
use crate::geometry::Shape;
use crate::math::{Scalar, ScalarKind, Vec3};
use crate::replay::Replay;
use crate::session::record::RunPlan;
use crate::world::World;
use crate::world::error::{BuildError, StepError};
use crate::world::queries::{LookedAt, Unmet};

/// Two bodies, each with a `#` and the number of a shape if not the nearest is meant: `club#1`.
#[derive(Clone, Debug)]
pub struct PairName(pub [String; 2]);

/// A pair and what the methods say of it; world frame, metres.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The step of the state.
    pub step: u32,
    /// The number type.
    pub scalar: ScalarKind,
    /// The two shapes.
    pub sides: [ProbedShape; 2],
    /// The contact by each setting of the narrow phase.
    pub contacts: Vec<ProbedContact>,
    /// The setting of the run.
    pub narrow_phase: &'static str,
    /// Nearest points, or the least way out: distance, unit normal from the first to the second, the point of each.
    pub closest: Option<(f64, [f64; 3], [[f64; 3]; 2])>,
    /// The search for nearest points, where it is for the pair.
    pub gjk: Option<GjkLook<f64>>,
    /// The expanding polytope, where the shapes overlap.
    pub epa: Option<EpaLook<f64>>,
    /// The axes of separation, the largest gap first: what each is of, its direction from the first to the second, the gap.
    pub axes: Option<Vec<(Axis, [f64; 3], f64)>>,
    /// Why no step makes a contact of the two, if that is so.
    pub unmet: Option<Unmet>,
    /// The front of the triangle, where one of the two is one of a mesh.
    pub front: Option<Front>,
}

/// The front of a triangle, out of which alone it pushes.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// The unit normal, world axes.
    pub normal: [f64; 3],
    /// Whether the other shape's nearest point lies behind it.
    pub is_other_behind: bool,
}

/// One of the two shapes.
#[derive(Clone, Debug)]
pub struct ProbedShape {
    /// The collider: `club#1`.
    pub name: String,
    /// Its kind and sizes: `sphere of radius 0.5 m`.
    pub what: String,
    /// What it looks like.
    pub outline: Outline,
}

/// A contact by one setting.
#[derive(Clone, Debug)]
pub struct ProbedContact {
    /// The setting.
    pub method: &'static str,
    /// The unit normal from the first to the second.
    pub normal: [f64; 3],
    /// Its points.
    pub points: Vec<ProbedPoint>,
}

/// A point of a contact.
#[derive(Clone, Copy, Debug)]
pub struct ProbedPoint {
    /// Midway between the surfaces.
    pub position: [f64; 3],
    /// The gap; negative where the shapes overlap.
    pub gap: f64,
    /// The features that touch, as the state names them.
    pub feature: u32,
}

/// Why a pair cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No such body in that step.
    #[error("there is no body {body:?} in step {step}{hint}")]
    NoBody {
        /// The name.
        body: String,
        /// The step.
        step: u32,
        /// A name that may have been meant.
        hint: String,
    },
    /// The body has no shape of that number.
    #[error("{body} has no shape {part}: its shapes are #0 to #{last}")]
    NoPart {
        /// The body.
        body: String,
        /// The number.
        part: u32,
        /// The last that there is.
        last: usize,
    },
    /// The body has no shape at all.
    #[error("{0} has no shapes: nothing of it can touch")]
    NoShapes(String),
    /// Both are the same.
    #[error("{0} is named twice: name two bodies")]
    Twice(String),
    /// The scene makes no world.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The run stopped before the step.
    #[error(transparent)]
    Step(#[from] StepError),
    /// This build does not come to the step as the recording did.
    #[error("{0}; only keyframes can be looked at by this build")]
    Rerun(#[from] RerunError),
}

/// Runs a scene to a step and looks at a pair there, nothing where the run has no such step; `reached` is told of every step that is taken.
///
/// # Errors
/// When the run does not come that far, or there is no such pair.
pub fn probe_run(
    plan: &RunPlan,
    step: u32,
    pair: &PairName,
    reached: &mut dyn FnMut(u32),
) -> Result<Option<Probe>, ProbeError> {
    let mut probing = Probing { pair, found: None };
    match visit_run(plan, &(step..=step), &mut probing, reached) {
        Ok(()) => Ok(probing.found),
        Err(RunPassError::Visitor(error)) => Err(error),
        Err(RunPassError::Build(error)) => Err(error.into()),
        Err(RunPassError::Step(error)) => Err(error.into()),
    }
}

/// Looks at a pair in a step of a replay; nothing where that has no such step.
///
/// # Errors
/// When this build does not come to it as the recording did, or there is no such pair.
pub fn probe_replay(replay: &Replay, step: u32, pair: &PairName) -> Result<Option<Probe>, ProbeError> {
    let mut probing = Probing { pair, found: None };
    match visit_states(replay, &StepSelection { range: step..=step, every: 1 }, &mut probing) {
        Ok(()) => Ok(probing.found),
        Err(PassError::Visitor(error)) => Err(error),
        Err(PassError::Rerun(error)) => Err(error.into()),
    }
}

/// Looks at the pair in the state that it is shown.
struct Probing<'a> {
    pair: &'a PairName,
    found: Option<Probe>,
}

impl StateVisitor for Probing<'_> {
    type Error = ProbeError;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), ProbeError> {
        let [a, b] = &self.pair.0;
        let [first, second] = [Side::named(world, a)?, Side::named(world, b)?];
        if first.body == second.body {
            return Err(ProbeError::Twice(first.name));
        }
        let looked = world.queries().look_at_pair([first.body, second.body], [first.part, second.part]);
        self.found = looked.map(|looked| probe_of(world, &looked));
        Ok(())
    }
}

/// A body, and which of its shapes.
struct Side {
    name: String,
    body: u32,
    part: Option<u32>,
}

impl Side {
    /// The side of this name: a body, or a body with `#` and the number of a shape.
    fn named<S: Scalar>(world: &World<S>, text: &str) -> Result<Self, ProbeError> {
        let bodies = world.bodies();
        let of = |name: &str, part: Option<u32>| {
            let index = bodies.index_of_name(name)?;
            Some(Self { name: name.to_owned(), body: bodies.id[index], part })
        };
        let with_part = || {
            let (name, part) = text.rsplit_once('#')?;
            of(name, Some(part.parse().ok()?))
        };
        let Some(side) = of(text, None).or_else(with_part) else {
            let names: Vec<String> = bodies.name.iter().map(ToString::to_string).collect();
            let hint = name_hint(text, &names);
            return Err(ProbeError::NoBody { body: text.to_owned(), step: world.step_number(), hint });
        };
        let own = world.colliders().of_body(side.body).len();
        if own == 0 {
            return Err(ProbeError::NoShapes(side.name));
        }
        match side.part {
            Some(part) if part as usize >= own => Err(ProbeError::NoPart { body: side.name, part, last: own - 1 }),
            _ => Ok(side),
        }
    }
}

fn probe_of<S: Scalar>(world: &World<S>, looked: &LookedAt<S>) -> Probe {
    let LookedAt { colliders, triangle, shapes, rotations, origins, look, .. } = looked;
    let start = origins[0];
    let at = |place: Vec3<S>| (start + place).to_f64();
    let side = |number: usize| {
        let outline = Outline::of(&shapes[number], &rotations[number], origins[number]);
        ProbedShape { name: colliders[number].to_string(), what: described(&shapes[number], *triangle), outline }
    };
    let contact = |&(method, ref manifold): &(NarrowPhase, Manifold<S>)| ProbedContact {
        method: method_name(method),
        normal: manifold.normal.to_f64(),
        points: manifold
            .points()
            .iter()
            .map(|point| ProbedPoint {
                position: at(point.position),
                gap: point.separation.to_f64(),
                feature: point.feature.0,
            })
            .collect(),
    };
    let axes = look.axes.as_ref();
    Probe {
        step: world.step_number(),
        scalar: S::KIND,
        sides: [side(0), side(1)],
        contacts: look.contacts.iter().map(contact).collect(),
        narrow_phase: method_name(world.settings().narrow_phase),
        closest: look.closest.map(|found| (found.distance.to_f64(), found.normal.to_f64(), found.points.map(at))),
        gjk: look.gjk.as_ref().map(|gjk| gjk.in_world(start)),
        epa: look.epa.as_ref().map(EpaLook::to_f64),
        axes: axes.map(|axes| axes.iter().map(|look| (look.axis, look.normal.to_f64(), look.gap.to_f64())).collect()),
        unmet: looked.unmet,
        front: front_of(looked),
    }
}

/// The front of the triangle, where one of the two is one.
fn front_of<S: Scalar>(looked: &LookedAt<S>) -> Option<Front> {
    let side = looked.shapes.iter().position(|shape| matches!(shape, Shape::Facet(_)))?;
    let Shape::Facet(facet) = &looked.shapes[side] else { return None };
    let normal = looked.rotations[side] * facet.normal();
    let towards = looked.look.closest.map(|found| if side == 0 { found.normal } else { -found.normal });
    let is_other_behind = towards.is_some_and(|towards| towards.dot(normal) < S::ZERO);
    Some(Front { normal: normal.to_f64(), is_other_behind })
}

/// As scenes write it.
const fn method_name(method: NarrowPhase) -> &'static str {
    match method {
        NarrowPhase::Auto => "Auto",
        NarrowPhase::Gjk => "Gjk",
        NarrowPhase::Sat => "Sat",
    }
}

/// A shape in words, with its sizes in metres.
fn described<S: Scalar>(shape: &Shape<S>, triangle: Option<u32>) -> String {
    let round =
        |name: &str, half_height: S, radius: S| format!("{name} of half height {half_height} m and radius {radius} m");
    match shape {
        Shape::Sphere { radius } => format!("sphere of radius {radius} m"),
        Shape::Cuboid { half_extents: Vec3 { x, y, z } } => format!("cuboid of half extents {x}, {y}, {z} m"),
        Shape::Capsule { half_height, radius } => round("capsule", *half_height, *radius),
        Shape::Cylinder { half_height, radius } => round("cylinder", *half_height, *radius),
        Shape::Cone { half_height, radius } => round("cone", *half_height, *radius),
        Shape::HalfSpace { .. } => "half-space".to_owned(),
        Shape::Hull(hull) => {
            let topology = hull.exact().topology();
            format!("hull of {} corners, {} edges", hull.corners().len(), topology.edges().len())
        }
        Shape::Mesh(mesh) => format!("mesh of {} triangles", mesh.exact().triangles().len()),
        Shape::Facet(facet) if facet.corners().len() > 3 => {
            let corners = facet.corners().len();
            format!("flat piece of {corners} corners of a mesh, from triangle {} on", triangle.unwrap_or_default())
        }
        Shape::Facet(_) => format!("triangle {} of a mesh", triangle.unwrap_or_default()),
    }
}
