//! physim as one of the engines.

use std::sync::Arc;

use physim::math::Scalar;
use physim::parallel::Parallelism;
use physim::scene::Scene;
use physim::world::World;

use crate::engine::{BodyState, Engine, Plan};

/// A world of physim. Nothing is hashed or recorded: Rapier does neither.
pub struct Own<S: Scalar>(World<S>);

impl<S: Scalar> Own<S> {
    /// The world of step 0 of a scene.
    pub fn build(scene: &Scene, plan: &Plan) -> Result<Self, String> {
        let mut world = World::build(&Arc::new(scene.clone())).map_err(|error| error.to_string())?;
        world.set_parallelism(Parallelism { lanes: plan.lanes, ..Parallelism::plain(plan.threads) });
        Ok(Self(world))
    }
}

impl<S: Scalar> Engine for Own<S> {
    fn step(&mut self) -> Result<(), String> {
        self.0.step(&[], &mut ()).map_err(|error| error.to_string())
    }

    fn states(&self) -> Vec<BodyState> {
        let bodies = self.0.bodies();
        let state = |(position, orientation): (&physim::math::Vec3<S>, &physim::math::Quat<S>)| BodyState {
            position: position.to_f64(),
            orientation: [orientation.w, orientation.x, orientation.y, orientation.z].map(Scalar::to_f64),
        };
        bodies.position.iter().zip(&bodies.orientation).map(state).collect()
    }

    fn kinetic_energy(&self) -> f64 {
        self.0.energy().kinetic
    }
}
