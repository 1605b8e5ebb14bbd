//! Rigid bodies as a structure of arrays.

use std::sync::Arc;

use crate::geometry::Inertia;
use crate::math::{Pose, Quat, Scalar, Scaled, Vec3};

/// How a body takes part. The numbers are those of the canonical encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum BodyKind {
    /// Never moves.
    #[default]
    Static = 0,
    /// Moves with its own velocity, whatever it meets.
    Kinematic = 1,
    /// Moved by forces and contacts.
    Dynamic = 2,
}

impl BodyKind {
    /// The kind of this number in the encoding.
    #[must_use]
    pub const fn from_u8(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::Static),
            1 => Some(Self::Kinematic),
            2 => Some(Self::Dynamic),
            _ => None,
        }
    }
}

/// One body: a row of [`Bodies`]. All of it is state.
#[derive(Clone, Debug, PartialEq)]
pub struct Body<S> {
    /// The rank of the body's name among those of step 0, or the next free number for a spawned one.
    pub id: u32,
    /// The unique name.
    pub name: Arc<str>,
    /// How it takes part.
    pub kind: BodyKind,
    /// The centre of mass in the world, in metres.
    pub position: Vec3<S>,
    /// Body frame to world frame.
    pub orientation: Quat<S>,
    /// Velocity of the centre of mass in the world, in m/s.
    pub linear_velocity: Vec3<S>,
    /// Angular velocity in the world frame, in rad/s.
    pub angular_velocity: Vec3<S>,
    /// The centre of mass in the body frame, in metres from its origin.
    pub centre: Vec3<S>,
    /// One over the mass, in 1/kg; zero unless the body is dynamic.
    pub inverse_mass: Scaled<S>,
    /// Inertia per mass about the centre of mass, in the body's axes.
    pub inertia: Inertia<S>,
    /// Damping of the linear velocity, as the scene's form of damping reads it.
    pub linear_damping: S,
    /// Damping of the angular velocity.
    pub angular_damping: S,
    /// Factor on gravity.
    pub gravity_scale: S,
}

/// All bodies, ordered by id: one array per field, index `i` is the same body in each.
#[derive(Clone, Debug)]
pub struct Bodies<S> {
    /// See [`Body::id`]; ascending.
    pub id: Vec<u32>,
    /// See [`Body::name`].
    pub name: Vec<Arc<str>>,
    /// See [`Body::kind`].
    pub kind: Vec<BodyKind>,
    /// See [`Body::position`].
    pub position: Vec<Vec3<S>>,
    /// See [`Body::orientation`].
    pub orientation: Vec<Quat<S>>,
    /// See [`Body::linear_velocity`].
    pub linear_velocity: Vec<Vec3<S>>,
    /// See [`Body::angular_velocity`].
    pub angular_velocity: Vec<Vec3<S>>,
    /// See [`Body::centre`].
    pub centre: Vec<Vec3<S>>,
    /// See [`Body::inverse_mass`].
    pub inverse_mass: Vec<Scaled<S>>,
    /// See [`Body::inertia`].
    pub inertia: Vec<Inertia<S>>,
    /// See [`Body::linear_damping`].
    pub linear_damping: Vec<S>,
    /// See [`Body::angular_damping`].
    pub angular_damping: Vec<S>,
    /// See [`Body::gravity_scale`].
    pub gravity_scale: Vec<S>,
}

impl<S: Scalar> Default for Bodies<S> {
    fn default() -> Self {
        Self {
            id: Vec::new(),
            name: Vec::new(),
            kind: Vec::new(),
            position: Vec::new(),
            orientation: Vec::new(),
            linear_velocity: Vec::new(),
            angular_velocity: Vec::new(),
            centre: Vec::new(),
            inverse_mass: Vec::new(),
            inertia: Vec::new(),
            linear_damping: Vec::new(),
            angular_damping: Vec::new(),
            gravity_scale: Vec::new(),
        }
    }
}

impl<S: Scalar> Bodies<S> {
    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The index of the body with this id.
    #[must_use]
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.id.binary_search(&id).ok()
    }

    /// The index of the body with this name.
    #[must_use]
    pub fn index_of_name(&self, name: &str) -> Option<usize> {
        self.name.iter().position(|candidate| &**candidate == name)
    }

    /// One body, gathered from the arrays.
    #[must_use]
    pub fn row(&self, index: usize) -> Body<S> {
        let Self {
            id,
            name,
            kind,
            position,
            orientation,
            linear_velocity,
            angular_velocity,
            centre,
            inverse_mass,
            inertia,
            linear_damping,
            angular_damping,
            gravity_scale,
        } = self;
        Body {
            id: id[index],
            name: Arc::clone(&name[index]),
            kind: kind[index],
            position: position[index],
            orientation: orientation[index],
            linear_velocity: linear_velocity[index],
            angular_velocity: angular_velocity[index],
            centre: centre[index],
            inverse_mass: inverse_mass[index],
            inertia: inertia[index],
            linear_damping: linear_damping[index],
            angular_damping: angular_damping[index],
            gravity_scale: gravity_scale[index],
        }
    }

    /// Adds a body at the end. Its id is larger than every other.
    pub fn push(&mut self, body: Body<S>) {
        let Body {
            id,
            name,
            kind,
            position,
            orientation,
            linear_velocity,
            angular_velocity,
            centre,
            inverse_mass,
            inertia,
            linear_damping,
            angular_damping,
            gravity_scale,
        } = body;
        self.id.push(id);
        self.name.push(name);
        self.kind.push(kind);
        self.position.push(position);
        self.orientation.push(orientation);
        self.linear_velocity.push(linear_velocity);
        self.angular_velocity.push(angular_velocity);
        self.centre.push(centre);
        self.inverse_mass.push(inverse_mass);
        self.inertia.push(inertia);
        self.linear_damping.push(linear_damping);
        self.angular_damping.push(angular_damping);
        self.gravity_scale.push(gravity_scale);
    }

    /// Takes a body out; those behind it move up and keep their order.
    pub fn remove(&mut self, index: usize) {
        let Self {
            id,
            name,
            kind,
            position,
            orientation,
            linear_velocity,
            angular_velocity,
            centre,
            inverse_mass,
            inertia,
            linear_damping,
            angular_damping,
            gravity_scale,
        } = self;
        id.remove(index);
        name.remove(index);
        kind.remove(index);
        position.remove(index);
        orientation.remove(index);
        linear_velocity.remove(index);
        angular_velocity.remove(index);
        centre.remove(index);
        inverse_mass.remove(index);
        inertia.remove(index);
        linear_damping.remove(index);
        angular_damping.remove(index);
        gravity_scale.remove(index);
    }

    /// Where the centre of mass of a body is, and how the body is turned.
    #[must_use]
    pub fn pose(&self, index: usize) -> Pose<S> {
        Pose::new(self.position[index], self.orientation[index])
    }

    /// Velocity of a point of a body, in m/s; `arm` runs from the centre of mass to the point, world frame.
    #[must_use]
    pub fn velocity_at(&self, index: usize, arm: Vec3<S>) -> Vec3<S> {
        self.linear_velocity[index] + self.angular_velocity[index].cross(arm)
    }
}
