//! Rapier as one of the engines, in f32 and in f64: two crates with one interface.

use physim::dynamics::collider::CombineRule;

/// A module with a world of the Rapier of one number type.
macro_rules! world_of {
    ($module:ident, $rapier:ident, $real:ty) => {
        pub mod $module {
            use physim::dynamics::body::BodyKind;
            use physim::dynamics::joint::JointKind;
            use physim::geometry::Shape;
            use physim::math::{Pose, Quat, Vec3};
            use $rapier::math::{Pose as TheirPose, Rotation, Vector};
            use $rapier::prelude::{
                CoefficientCombineRule, ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle,
                SphericalJointBuilder,
            };

            use crate::engine::{BodyState, Engine, Plan};
            use crate::reference::Reference;

            /// A world of Rapier with its default settings, nothing asleep.
            pub struct World {
                world: PhysicsWorld,
                handles: Vec<RigidBodyHandle>,
            }

            fn vector(of: Vec3<f64>) -> Vector {
                let [x, y, z] = of.to_array().map(|number| number as $real);
                Vector::new(x, y, z)
            }

            fn pose(of: Pose<f64>) -> TheirPose {
                let Quat { w, x, y, z } = of.orientation;
                let [w, x, y, z] = [w, x, y, z].map(|number| number as $real);
                TheirPose::from_parts(vector(of.position), Rotation::from_xyzw(x, y, z, w).normalize())
            }

            fn rule(of: super::CombineRule) -> CoefficientCombineRule {
                match of {
                    super::CombineRule::Average => CoefficientCombineRule::Average,
                    super::CombineRule::GeometricMean => CoefficientCombineRule::GeometricMean,
                    super::CombineRule::Min => CoefficientCombineRule::Min,
                    super::CombineRule::Multiply => CoefficientCombineRule::Multiply,
                    super::CombineRule::Max => CoefficientCombineRule::Max,
                }
            }

            impl World {
                /// The world of step 0.
                pub fn build(reference: &Reference, plan: &Plan) -> Result<Self, String> {
                    let mut world = PhysicsWorld::default();
                    world.gravity = vector(reference.world.gravity());
                    let parameters = &mut world.integration_parameters;
                    parameters.dt = reference.dt() as $real;
                    parameters.num_solver_iterations = 4;
                    parameters.num_internal_pgs_iterations = 1;
                    threads(&mut world, plan)?;
                    let mut made = Self { world, handles: Vec::new() };
                    made.add_bodies(reference);
                    made.add_colliders(reference);
                    made.add_joints(reference);
                    Ok(made)
                }

                fn add_bodies(&mut self, reference: &Reference) {
                    let bodies = reference.world.bodies();
                    for index in 0..bodies.len() {
                        let body = bodies.row(index);
                        let builder = match body.kind {
                            BodyKind::Static => RigidBodyBuilder::fixed(),
                            BodyKind::Kinematic => RigidBodyBuilder::kinematic_velocity_based(),
                            BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
                        };
                        let builder = builder
                            .pose(pose(Pose::new(body.position, body.orientation)))
                            .linvel(vector(body.linear_velocity))
                            .angvel(vector(body.angular_velocity))
                            .linear_damping(body.linear_damping as $real)
                            .angular_damping(body.angular_damping as $real)
                            .gravity_scale(body.gravity_scale as $real)
                            .can_sleep(false);
                        self.handles.push(self.world.bodies.insert(builder));
                    }
                }

                fn add_colliders(&mut self, reference: &Reference) {
                    let colliders = reference.world.colliders();
                    for index in 0..colliders.len() {
                        let collider = colliders.row(index);
                        let body = reference.world.bodies().index_of(collider.key.body);
                        let Some(handle) = body.and_then(|body| self.handles.get(body)) else { continue };
                        let builder = match collider.shape {
                            Shape::Sphere { radius } => ColliderBuilder::ball(radius as $real),
                            Shape::Cuboid { half_extents } => {
                                let [x, y, z] = half_extents.to_array().map(|number| number as $real);
                                ColliderBuilder::cuboid(x, y, z)
                            }
                            Shape::Capsule { half_height, radius } => {
                                ColliderBuilder::capsule_y(half_height as $real, radius as $real)
                            }
                            Shape::Hull(ref hull) => {
                                let corners: Vec<_> =
                                    hull.corners().iter().map(|&corner| vector(corner).into()).collect();
                                // Both find a hull wherever there is a volume, so that none is left out here.
                                ColliderBuilder::convex_hull(&corners).unwrap_or_else(|| ColliderBuilder::ball(0.0))
                            }
                            Shape::Cylinder { half_height, radius } => {
                                ColliderBuilder::cylinder(half_height as $real, radius as $real)
                            }
                            Shape::Cone { half_height, radius } => {
                                ColliderBuilder::cone(half_height as $real, radius as $real)
                            }
                            Shape::Mesh(ref mesh) => {
                                let corners: Vec<_> =
                                    mesh.triangles().iter().map(|&corner| vector(corner).into()).collect();
                                let triangles = (0..mesh.exact().triangles().len() as u32)
                                    .map(|first| [0, 1, 2].map(|next| 3 * first + next));
                                let flags = $rapier::geometry::TriMeshFlags::FIX_INTERNAL_EDGES
                                    | $rapier::geometry::TriMeshFlags::MERGE_DUPLICATE_VERTICES;
                                let built = ColliderBuilder::trimesh_with_flags(corners, triangles.collect(), flags);
                                built.unwrap_or_else(|_| ColliderBuilder::ball(0.0))
                            }
                            Shape::Facet(_) => ColliderBuilder::ball(0.0), // no collider has it
                            Shape::HalfSpace { normal } => {
                                ColliderBuilder::new($rapier::geometry::SharedShape::halfspace(vector(normal)))
                            }
                        };
                        // Theirs stands about the middle of its height, ours about its centre of volume.
                        let middle = match collider.shape {
                            Shape::Cone { half_height, .. } => Vec3::Y * (half_height * 0.5),
                            _ => Vec3::ZERO,
                        };
                        let local = Pose::new(collider.local.transform_point(middle), collider.local.orientation);
                        let surface = collider.surface;
                        let builder = builder
                            .position(pose(local))
                            .density(reference.densities[index] as $real)
                            .friction(surface.friction as $real)
                            .friction_combine_rule(rule(surface.friction_combine))
                            .restitution(surface.restitution as $real)
                            .restitution_combine_rule(rule(surface.restitution_combine));
                        self.world.colliders.insert_with_parent(builder, *handle, &mut self.world.bodies);
                    }
                }
            }

            impl World {
                /// What is joined to the world is joined to a fixed body without shape in its origin.
                fn add_joints(&mut self, reference: &Reference) {
                    let joints = reference.world.joints();
                    if joints.is_empty() {
                        return;
                    }
                    let ground = self.world.bodies.insert(RigidBodyBuilder::fixed());
                    let handle = |id| reference.world.bodies().index_of(id).map_or(ground, |index| self.handles[index]);
                    for joint in joints {
                        let JointKind::Spherical = joint.kind;
                        let builder = SphericalJointBuilder::new()
                            .local_anchor1(vector(joint.anchor_a))
                            .local_anchor2(vector(joint.anchor_b))
                            .contacts_enabled(joint.collides);
                        self.world.impulse_joints.insert(handle(joint.a), handle(joint.b), builder, true);
                    }
                }
            }

            #[cfg(feature = "parallel")]
            fn threads(world: &mut PhysicsWorld, plan: &Plan) -> Result<(), String> {
                world.physics_pipeline.configure_thread_pool(plan.threads as usize).map_err(|error| error.to_string())
            }

            #[cfg(not(feature = "parallel"))]
            fn threads(_: &mut PhysicsWorld, _: &Plan) -> Result<(), String> {
                Ok(())
            }

            impl Engine for World {
                fn step(&mut self) -> Result<(), String> {
                    self.world.step();
                    Ok(())
                }

                fn states(&self) -> Vec<BodyState> {
                    let state = |handle: &RigidBodyHandle| {
                        let pose = self.world.bodies[*handle].position();
                        let (place, turn) = (pose.translation, pose.rotation);
                        BodyState {
                            position: [place.x, place.y, place.z].map(f64::from),
                            orientation: [turn.w, turn.x, turn.y, turn.z].map(f64::from),
                        }
                    };
                    self.handles.iter().map(state).collect()
                }

                fn kinetic_energy(&self) -> f64 {
                    let bodies = self.handles.iter().map(|handle| &self.world.bodies[*handle]);
                    bodies.filter(|body| body.is_dynamic()).map(|body| f64::from(body.kinetic_energy())).sum()
                }
            }
        }
    };
}

world_of!(single, rapier3d, f32);
world_of!(double, rapier3d_f64, f64);
