//! From a scene to the world of step 0.

pub mod body;
pub mod joint;
pub mod numbers;
pub mod settings;

use std::sync::Arc;

use crate::collision::broad_phase::BroadPhase;
use crate::dynamics::body::Bodies;
use crate::dynamics::collider::Colliders;
use crate::geometry::ShapeStore;
use crate::math::Scalar;
use crate::math::lanes::LanePath;
use crate::parallel::Executor;
use crate::scene::generate::expand;
use crate::scene::joints::expand_joints;
use crate::scene::model::{self, Scene};
use crate::world::build::body::build_body;
use crate::world::build::joint::build_joint;
use crate::world::build::numbers::to_vec3;
use crate::world::build::settings::settings;
use crate::world::error::BuildError;
use crate::world::sensors::Sensing;
use crate::world::{Scratch, World};

impl<S: Scalar> World<S> {
    /// The world of step 0 of a scene, working on one thread.
    ///
    /// The id of a body or joint is the rank of its name, so their order in the scene does not matter.
    ///
    /// # Errors
    /// When the scene names what it does not have, or its numbers do not fit the scalar or make no body.
    pub fn build(scene: &Arc<Scene>) -> Result<Self, BuildError> {
        let sources = expand(scene).map_err(|error| BuildError::Scene(error.to_string()))?;
        let settings = settings(scene, &sources)?;
        let (mut bodies, mut colliders) = (Bodies::default(), Colliders::default());
        let mut shapes = ShapeStore::default();
        let mut next_body_id = 0;
        for source in &sources {
            let (body, own) = build_body(source, next_body_id, &settings, &mut shapes)?;
            bodies.push(&body);
            own.iter().for_each(|collider| colliders.push(collider));
            next_body_id += 1;
        }
        let joints = expand_joints(scene).map_err(|error| BuildError::Scene(error.to_string()))?;
        let joints = (0_u32..).zip(&joints).map(|(id, joint)| build_joint(joint, id, &bodies));
        let joints = joints.collect::<Result<Vec<_>, BuildError>>()?;
        let mut broad_phase = match scene.broad_phase {
            model::BroadPhase::DynamicTree => BroadPhase::dynamic_tree(),
            model::BroadPhase::SweepAndPrune => BroadPhase::sweep_and_prune(),
            model::BroadPhase::UniformGrid => BroadPhase::uniform_grid(),
            model::BroadPhase::BruteForce => BroadPhase::BruteForce,
        };
        broad_phase.rebuild(&colliders.fat_box);
        let mut world = Self {
            step: 0,
            gravity: to_vec3("scene", "gravity", &scene.gravity)?,
            next_body_id,
            bodies,
            colliders,
            joints,
            contacts: Vec::new(),
            scene: Arc::clone(scene),
            settings,
            shapes,
            broad_phase,
            excluded: Vec::new(),
            sensing: Sensing::default(),
            scratch: Scratch::default(),
            executor: Executor::default(),
            lanes: LanePath::widest(),
            planted: Vec::new(),
        };
        world.find_excluded();
        world.begin_anew_sensing();
        Ok(world)
    }
}
