//! What bodies weigh, where their centres of mass are and how they resist turning; and what each of their shapes adds.
//!
//! Of a body it is what the run has; of a shape it is found anew from its sizes and the density that the scene gives it.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

use crate::analysis::body_pattern::BodyPatterns;
use crate::analysis::rerun::RerunError;
use crate::analysis::show::ShowError;
use crate::analysis::show_steps::Selection;
use crate::analysis::states::{PassError, StateVisitor, StepSelection, visit_states};
use crate::dynamics::body::BodyKind;
use crate::geometry::{self, Inertia, MassProperties, Shape};
use crate::math::{Pose, Scalar, ScalarTask, Scaled};
use crate::replay::Replay;
use crate::scene::density::Density;
use crate::scene::generate::expand;
use crate::scene::model::Mass;
use crate::scene::resolve::{ResolvedBody, spawned_bodies};
use crate::scene::{self, Scene};
use crate::session::playback::PlaybackError;
use crate::world::World;
use crate::world::build::body::uneven_density;
use crate::world::encode::table::collider_name;
use crate::world::error::BuildError;

/// A body and its shapes; SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMass {
    /// Its name.
    pub name: String,
    /// How it takes part.
    pub kind: BodyKind,
    /// Kilograms; `None` of what forces do not move.
    pub mass: Option<f64>,
    /// The centre of mass in the body's frame, metres; its origin where there is no mass.
    pub centre: [f64; 3],
    /// Moments and products about the centre in the body's axes, kg m^2: `[xx, yy, zz, xy, xz, yz]`, where off the diagonal stands
    /// minus the integral of `rho x y`. `None` without a mass.
    pub inertia: Option<[f64; 6]>,
    /// Its shapes, in order.
    pub shapes: Vec<ShapeMass>,
}

/// A shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeMass {
    /// The body's name and the number of the shape: `hammer#0`.
    pub name: String,
    /// What kind of shape it is.
    pub kind: &'static str,
    /// How many corners it has, if it is a hull.
    pub corners: Option<usize>,
    /// Whether it is a sensor, which weighs nothing.
    pub is_sensor: bool,
    /// Cubic metres; `None` of a half-space and of a mesh.
    pub volume: Option<f64>,
    /// Square metres of a mesh, with both sides where it has two fronts; `None` of all else.
    pub area: Option<f64>,
    /// kg/m^3, of a mesh kg/m^2: that of its material, on average where it is uneven, scaled where the body has a total mass. `None` where it adds nothing
    /// to its body.
    pub density: Option<f64>,
    /// How its density differs from place to place, if it does.
    pub uneven: Option<UnevenDensity>,
    /// What it adds to its body, kg.
    pub mass: Option<f64>,
    /// Its centre of mass in the body's frame, metres.
    pub centre: [f64; 3],
}

/// A density that is not the same everywhere.
#[derive(Clone, Debug, PartialEq)]
pub struct UnevenDensity {
    /// As the scene has it.
    pub expression: String,
    /// The estimate of the relative error of what was added up.
    pub error: f64,
}

/// The masses of a scene as it begins, in the numbers of its run.
///
/// # Errors
/// When the scene makes no world.
pub fn masses_of_scene(scene: &Arc<Scene>) -> Result<Vec<BodyMass>, BuildError> {
    scene.scalar.dispatch(OfScene(scene))
}

struct OfScene<'a>(&'a Arc<Scene>);

impl ScalarTask for OfScene<'_> {
    type Output = Result<Vec<BodyMass>, BuildError>;

    fn run<S: Scalar>(self) -> Self::Output {
        let Self(scene) = self;
        Ok(masses_of_world(&World::<S>::build(scene)?, scene, None))
    }
}

/// The masses of the bodies of a replay at the first step of a selection.
///
/// # Errors
/// When its scene cannot be read, or this build does not come to that step as the recording did.
pub fn masses_at(replay: &Replay, selection: &Selection) -> Result<Vec<BodyMass>, ShowError> {
    let scene =
        scene::parse("scene of the replay", &replay.scene).map_err(PlaybackError::from).map_err(RerunError::from)?;
    let step = *selection.steps.start();
    let steps = StepSelection { range: step..=step, every: 1 };
    let mut masses = Masses { scene: &scene, wanted: selection.bodies.as_ref(), found: Vec::new() };
    match visit_states(replay, &steps, &mut masses) {
        Err(PassError::Rerun(error)) => Err(error.into()),
        Ok(()) => Ok(masses.found),
        Err(PassError::Visitor(never)) => match never {},
    }
}

struct Masses<'a> {
    scene: &'a Scene,
    wanted: Option<&'a BodyPatterns>,
    found: Vec<BodyMass>,
}

impl StateVisitor for Masses<'_> {
    type Error = Infallible;

    fn visit<S: Scalar>(&mut self, world: &World<S>) -> Result<(), Infallible> {
        self.found = masses_of_world(world, self.scene, self.wanted);
        Ok(())
    }
}

/// The masses of the bodies that are in a world of a scene now, those that are wanted.
#[must_use]
pub fn masses_of_world<S: Scalar>(world: &World<S>, scene: &Scene, wanted: Option<&BodyPatterns>) -> Vec<BodyMass> {
    let sources = sources_of(scene);
    let names = world.bodies().name.iter().enumerate();
    let chosen = names.filter(|(_, name)| wanted.is_none_or(|wanted| wanted.matches(name)));
    chosen.map(|(index, name)| body_mass(world, index, sources.get(&**name))).collect()
}

/// Every body that is in a run at some time, by name.
fn sources_of(scene: &Scene) -> BTreeMap<String, ResolvedBody> {
    let mut sources = expand(scene).unwrap_or_default();
    sources.extend(spawned_bodies(scene, &scene.inputs));
    sources.into_iter().map(|source| (source.name.clone(), source)).collect()
}

fn body_mass<S: Scalar>(world: &World<S>, index: usize, source: Option<&ResolvedBody>) -> BodyMass {
    let bodies = world.bodies();
    let has_mass = bodies.kind[index] == BodyKind::Dynamic;
    let mass = has_mass.then(|| bodies.inverse_mass[index].recip());
    let mut shapes = shapes_of(world, index);
    if let (Some(mass), Some(source)) = (mass, source) {
        weigh(&mut shapes, world, index, source);
        if let Mass::Total(_) = source.mass {
            spread(&mut shapes, mass.to_f64());
        }
    }
    BodyMass {
        name: bodies.name[index].to_string(),
        kind: bodies.kind[index],
        mass: mass.map(Scaled::to_f64),
        centre: bodies.centre[index].to_f64(),
        inertia: mass.map(|mass| kilogram_square_metres(&bodies.inertia[index], mass)),
        shapes,
    }
}

/// The inertia of a body of this mass.
fn kilogram_square_metres<S: Scalar>(inertia: &Inertia<S>, mass: Scaled<S>) -> [f64; 6] {
    let tensor = inertia.tensor;
    [tensor.xx, tensor.yy, tensor.zz, tensor.xy, tensor.xz, tensor.yz]
        .map(|entry| libm::scalbn(entry.to_f64(), 2 * inertia.length_exponent) * mass.to_f64())
}

/// The shapes of a body, still without densities.
fn shapes_of<S: Scalar>(world: &World<S>, index: usize) -> Vec<ShapeMass> {
    let (bodies, colliders) = (world.bodies(), world.colliders());
    let own = colliders.of_body(bodies.id[index]);
    own.map(|collider| {
        let (shape, local) = (&colliders.shape[collider], colliders.local[collider]);
        let in_body = Pose::new(local.position + bodies.centre[index], local.orientation);
        // With a density of 1 the mass is the volume, or the area.
        let solid = MassProperties::of_shapes(&[(shape.clone(), in_body, S::ONE)]).ok();
        let is_mesh = colliders.is_mesh[collider];
        ShapeMass {
            name: collider_name(Some(&bodies.name[index]), colliders.key[collider]),
            kind: shape.kind().name(),
            corners: if let Shape::Hull(hull) = shape { Some(hull.corners().len()) } else { None },
            is_sensor: colliders.is_sensor[collider],
            volume: solid.filter(|_| !is_mesh).map(|solid| solid.mass.to_f64()),
            area: solid.filter(|_| is_mesh).map(|solid| solid.mass.to_f64()),
            density: None,
            uneven: None,
            mass: None,
            centre: solid.map_or(in_body.position, |solid| solid.centre).to_f64(),
        }
    })
    .collect()
}

/// Gives the shapes of a body their densities, masses and centres of mass, where these follow from the scene.
fn weigh<S: Scalar>(shapes: &mut [ShapeMass], world: &World<S>, index: usize, source: &ResolvedBody) {
    if matches!(source.mass, Mass::Given { .. }) {
        return;
    }
    let (bodies, colliders) = (world.bodies(), world.colliders());
    let places = colliders.of_body(bodies.id[index]);
    for ((shape, collider), place) in shapes.iter_mut().zip(source.colliders.iter()).zip(places) {
        let Some(size) = shape.volume.or(shape.area).filter(|_| !shape.is_sensor) else { continue };
        match &collider.material.density {
            Density::Number(density) => {
                shape.density = Some(density.to_f64());
                shape.mass = Some(size * density.to_f64());
            }
            Density::Expression(expression) => {
                let solid = &colliders.shape[place];
                let Ok(geometry::Density::Uneven(moments)) = uneven_density(solid, collider, expression) else {
                    continue;
                };
                let local = colliders.local[place];
                let in_body = Pose::new(local.position + bodies.centre[index], local.orientation);
                let part = (solid.clone(), in_body, geometry::Density::Uneven(moments));
                let Ok(properties) = MassProperties::of_shapes(&[part]) else { continue };
                shape.density = Some(moments.mass / moments.volume);
                shape.mass = Some(properties.mass.to_f64());
                shape.centre = properties.centre.to_f64();
                shape.uneven = Some(UnevenDensity { expression: expression.text().to_owned(), error: moments.error });
            }
        }
    }
}

/// Spreads the given mass of a body over its shapes, as their densities say.
fn spread(shapes: &mut [ShapeMass], mass: f64) {
    let by_density: f64 = shapes.iter().filter_map(|shape| shape.mass).sum();
    let factor = mass / by_density;
    for shape in shapes {
        shape.density = shape.density.map(|density| density * factor);
        shape.mass = shape.mass.map(|mass| mass * factor);
    }
}
