//! The scene as both engines get it: read by physim's scene library, as the world of step 0 in f64.

use std::sync::Arc;

use physim::dynamics::body::BodyKind;
use physim::scene::Scene;
use physim::scene::generate::expand;
use physim::scene::model::{Mass, Solver};
use physim::scene::overrides::apply_override;
use physim::world::World;

/// What makes physim do the work of Rapier's defaults: four substeps of one iteration, friction per manifold.
const MATCHED: [&str; 5] = [
    "solver.substeps=4",
    "solver.iterations=1",
    "solver.relax_iterations=1",
    "solver.relax_limit=1",
    "solver.friction=Patch",
];

/// A scene and what the engines are built from.
pub struct Reference {
    pub scene: Scene,
    /// The solver whose work is that of Rapier's defaults.
    pub matched: Solver,
    /// Step 0.
    pub world: World<f64>,
    /// Density of each collider, kg/m^3.
    pub densities: Vec<f64>,
}

impl Reference {
    /// Reads off a scene, or says what of it only one of the engines has.
    pub fn new(scene: Scene) -> Result<Self, String> {
        let sources = expand(&scene).map_err(|error| error.to_string())?;
        let world = World::<f64>::build(&Arc::new(scene.clone())).map_err(|error| error.to_string())?;
        let is_weighed = |(source, kind): (&physim::scene::resolve::ResolvedBody, &BodyKind)| {
            *kind != BodyKind::Dynamic || source.mass == Mass::FromDensity
        };
        if !scene.inputs.is_empty() {
            return Err("it has inputs, which are not translated for Rapier".to_owned());
        }
        if !sources.iter().zip(&world.bodies().kind).all(is_weighed) {
            return Err("a body has its mass otherwise than by density, which is not translated for Rapier".to_owned());
        }
        let surfaces = &world.colliders().surface;
        if surfaces.iter().any(|surface| surface.rolling_friction + surface.spinning_friction != 0.0) {
            return Err("a material has rolling or spinning friction, which Rapier does not have".to_owned());
        }
        let of_body = |source: &physim::scene::resolve::ResolvedBody| {
            source.colliders.iter().map(|collider| collider.material.density.to_f64()).collect::<Vec<f64>>()
        };
        let densities = sources.iter().flat_map(of_body).collect();
        let mut matched = scene.clone();
        MATCHED.iter().try_for_each(|set| apply_override(&mut matched, set)).map_err(|error| error.to_string())?;
        Ok(Self { matched: matched.solver, scene, world, densities })
    }

    /// The length of a step in seconds.
    pub fn dt(&self) -> f64 {
        self.scene.dt.numerator() as f64 / self.scene.dt.denominator() as f64
    }
}
