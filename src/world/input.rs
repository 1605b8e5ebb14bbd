//! What comes from outside: impulses, forces, velocities, gravity, bodies that come and go.

use crate::dynamics::body::BodyKind;
use crate::dynamics::contact::Contact;
use crate::math::{Scalar, Vec3};
use crate::scene::model::{Action, Body as SceneBody, Input, Point, Vector};
use crate::scene::resolve::resolve_body;
use crate::world::World;
use crate::world::build::body::build_body;
use crate::world::build::numbers::to_vec3;
use crate::world::counts::Counted;
use crate::world::error::{BuildError, StepError};

/// A force and torque of this step's inputs on one body.
#[derive(Clone, Copy, Debug)]
pub struct ActingForce<S> {
    /// The body's id: its index may still change while inputs are applied.
    pub body: u32,
    /// Newtons, world frame.
    pub force: Vec3<S>,
    /// Newton metres about the centre of mass, world frame.
    pub torque: Vec3<S>,
}

impl<S: Scalar> World<S> {
    /// Applies the inputs of the step that is about to be taken, in their order.
    pub(super) fn apply_inputs(&mut self, inputs: &[&Input]) -> Result<(), StepError> {
        for input in inputs {
            self.apply(&input.action)?;
            self.scratch.counts.add(Counted::Inputs, 1);
        }
        Ok(())
    }

    fn apply(&mut self, action: &Action) -> Result<(), StepError> {
        match action {
            Action::Impulse { body, impulse, at } => {
                let (index, impulse) = (self.find(body)?, self.vector(body, impulse)?);
                let arm = self.arm(index, at.as_ref())?;
                self.add_impulse(index, impulse, arm.cross(impulse));
            }
            Action::AngularImpulse { body, impulse } => {
                let (index, impulse) = (self.find(body)?, self.vector(body, impulse)?);
                self.add_impulse(index, Vec3::ZERO, impulse);
            }
            Action::Force { body, force, at } => {
                let (index, force) = (self.find(body)?, self.vector(body, force)?);
                let arm = self.arm(index, at.as_ref())?;
                self.add_acting(index, force, arm.cross(force));
            }
            Action::Torque { body, torque } => {
                let (index, torque) = (self.find(body)?, self.vector(body, torque)?);
                self.add_acting(index, Vec3::ZERO, torque);
            }
            Action::SetVelocity { body, linear, angular } => {
                let index = self.find_movable(body)?;
                if let Some(linear) = linear {
                    self.bodies.linear_velocity[index] = self.vector(body, linear)?;
                }
                if let Some(angular) = angular {
                    self.bodies.angular_velocity[index] = self.vector(body, angular)?;
                }
            }
            Action::AddVelocity { body, linear, angular } => {
                let index = self.find_movable(body)?;
                let (linear, angular) = (self.vector(body, linear)?, self.vector(body, angular)?);
                self.bodies.linear_velocity[index] += linear;
                self.bodies.angular_velocity[index] += angular;
            }
            Action::SetGravity(gravity) => self.gravity = self.vector("gravity", gravity)?,
            Action::Spawn(body) => self.spawn(body)?,
            Action::Remove(body) => self.remove(body)?,
        }
        Ok(())
    }

    /// The step that is about to be taken.
    const fn coming_step(&self) -> u32 {
        self.step + 1
    }

    fn find(&self, body: &str) -> Result<usize, StepError> {
        let unknown = || StepError::UnknownBody { step: self.coming_step(), body: body.to_owned() };
        self.bodies.index_of_name(body).ok_or_else(unknown)
    }

    fn find_movable(&self, body: &str) -> Result<usize, StepError> {
        let index = self.find(body)?;
        if self.bodies.kind[index] == BodyKind::Static {
            return Err(StepError::Unmovable { step: self.coming_step(), body: body.to_owned() });
        }
        Ok(index)
    }

    fn vector(&self, owner: &str, vector: &Vector) -> Result<Vec3<S>, StepError> {
        to_vec3(owner, "input", vector).map_err(|error| self.input_error(error))
    }

    const fn input_error(&self, error: BuildError) -> StepError {
        StepError::Input { step: self.coming_step(), error }
    }

    /// From the centre of mass to a point, world axes; zero without a point.
    fn arm(&self, index: usize, at: Option<&Point>) -> Result<Vec3<S>, StepError> {
        let name = &self.bodies.name[index];
        match at {
            None => Ok(Vec3::ZERO),
            Some(Point::World(point)) => Ok(self.vector(name, point)? - self.bodies.position[index]),
            Some(Point::Local(point)) => {
                let from_centre = self.vector(name, point)? - self.bodies.centre[index];
                Ok(self.bodies.orientation[index].rotate(from_centre))
            }
        }
    }

    fn add_acting(&mut self, index: usize, force: Vec3<S>, torque: Vec3<S>) {
        self.scratch.acting.push(ActingForce { body: self.bodies.id[index], force, torque });
    }

    /// Changes the velocities of a dynamic body at once: `dv = P / m`, `d omega = I^-1 L`.
    fn add_impulse(&mut self, index: usize, impulse: Vec3<S>, angular_impulse: Vec3<S>) {
        if self.bodies.kind[index] != BodyKind::Dynamic {
            return;
        }
        let inverse_mass = self.bodies.inverse_mass[index];
        let per_mass = |v: Vec3<S>| v.map(|component| inverse_mass.apply(component));
        let rotation = self.bodies.orientation[index].to_matrix();
        let inertia = self.bodies.inertia[index];
        let inverse = inertia.inverse.rotated(rotation);
        let turn = inverse * per_mass(angular_impulse);
        self.bodies.linear_velocity[index] += per_mass(impulse);
        self.bodies.angular_velocity[index] +=
            turn.map(|component| component.scale_by_power_of_two(inertia.length_exponent.saturating_mul(-2)));
    }

    fn spawn(&mut self, body: &SceneBody) -> Result<(), StepError> {
        let step = self.coming_step();
        if self.bodies.index_of_name(&body.name).is_some() {
            return Err(StepError::NameTaken { step, body: body.name.to_string() });
        }
        let id = self.next_body_id;
        self.next_body_id = id.checked_add(1).ok_or(StepError::TooManyBodies { step })?;
        let built = resolve_body(&self.scene, body)
            .map_err(|error| BuildError::Scene(error.to_string()))
            .and_then(|resolved| build_body(&resolved, id, &self.settings, &mut self.shapes));
        let (row, colliders) = built.map_err(|error| self.input_error(error))?;
        self.bodies.push(&row);
        for collider in &colliders {
            self.broad_phase.update(self.colliders.len(), &collider.fat_box);
            self.colliders.push(collider);
        }
        self.find_excluded();
        self.scratch.counts.add(Counted::Spawns, 1);
        Ok(())
    }

    fn remove(&mut self, body: &str) -> Result<(), StepError> {
        let index = self.find(body)?;
        let id = self.bodies.id[index];
        self.bodies.remove(index..=index);
        let colliders = self.colliders.remove_body(id);
        self.broad_phase.remove(colliders);
        self.joints.retain(|joint| joint.a != id && joint.b != id);
        let stays = |contact: &Contact<S>| contact.a.body != id && contact.b.body != id;
        // The manifolds that contacts keep are found by their places.
        let mut contacts = self.contacts.iter();
        self.scratch.kept_by.retain(|_| contacts.next().is_none_or(stays));
        self.contacts.retain(stays);
        self.scratch.acting.retain(|acting| acting.body != id);
        self.find_excluded();
        self.scratch.counts.add(Counted::Removals, 1);
        Ok(())
    }
}
