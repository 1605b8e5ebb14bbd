//! The scene as both engines get it: read by physim's scene library, as the world of step 0 in f64.

use std::sync::Arc;

use physim::dynamics::body::BodyKind;
use physim::dynamics::filter::Filter;
use physim::geometry::MassProperties;
use physim::scene::Scene;
use physim::scene::density::Density;
use physim::scene::generate::expand;
use physim::scene::model::{Mass, Solver, Switch};
use physim::scene::overrides::apply_override;
use physim::scene::resolve::ResolvedBody;
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
    /// With the settings whose work is that of Rapier's defaults.
    pub matched: Scene,
    /// With these, and nothing found within a step, as Rapier's bodies have it unless they ask for more.
    pub once: Scene,
    /// With physim's own defaults, whatever solver it names.
    pub own: Scene,
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
        let is_weighed = |(source, kind): (&ResolvedBody, &BodyKind)| {
            *kind != BodyKind::Dynamic || !matches!(source.mass, Mass::Given { .. })
        };
        if !scene.inputs.is_empty() {
            return Err("it has inputs, which are not translated for Rapier".to_owned());
        }
        if !sources.iter().zip(&world.bodies().kind).all(is_weighed) {
            return Err("a body has its inertia given, which is not translated for Rapier".to_owned());
        }
        let surfaces = &world.colliders().surface;
        if surfaces.iter().any(|surface| surface.rolling_friction + surface.spinning_friction != 0.0) {
            return Err("a material has rolling or spinning friction, which Rapier does not have".to_owned());
        }
        let colliders = world.colliders();
        let filtered =
            colliders.filter.iter().any(|filter| *filter != Filter::PLAIN) || !scene.excluded_pairs.is_empty();
        if filtered || colliders.is_sensor.contains(&true) {
            return Err("it has filters, excluded pairs or sensors, which are not translated for Rapier".to_owned());
        }
        let densities = densities(&sources, &world)?;
        let mut matched = scene.clone();
        MATCHED.iter().try_for_each(|set| apply_override(&mut matched, set)).map_err(|error| error.to_string())?;
        let once = Scene { continuous: Switch::Off, ..matched.clone() };
        let own = Scene { solver: Solver::default(), ..scene.clone() };
        Ok(Self { matched, once, own, scene, world, densities })
    }

    /// The length of a step in seconds.
    pub fn dt(&self) -> f64 {
        self.scene.dt.numerator() as f64 / self.scene.dt.denominator() as f64
    }
}

/// The density of each collider with which its body has the mass that the scene says.
fn densities(sources: &[ResolvedBody], world: &World<f64>) -> Result<Vec<f64>, String> {
    let mut densities = Vec::new();
    for source in sources {
        let first = densities.len();
        for collider in source.colliders.iter() {
            let Density::Number(density) = &collider.material.density else {
                return Err("it has densities as formulas, which are not translated for Rapier".to_owned());
            };
            densities.push(density.to_f64());
        }
        let Mass::Total(total) = &source.mass else { continue };
        let own = &mut densities[first..];
        let part = |(place, density): (usize, &f64)| {
            let collider = world.colliders().row(first + place);
            (collider.shape, collider.local, *density)
        };
        let parts: Vec<_> = own.iter().enumerate().map(part).collect();
        let Ok(by_density) = MassProperties::of_shapes(&parts) else { continue };
        let factor = total.to_f64() / by_density.mass.to_f64();
        own.iter_mut().for_each(|density| *density *= factor);
    }
    Ok(densities)
}
