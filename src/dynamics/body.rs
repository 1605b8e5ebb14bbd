//! Rigid bodies as a structure of arrays.

use std::sync::Arc;

use crate::geometry::Inertia;
use crate::math::{Pose, Quat, Scalar, Scaled, Vec3};
use crate::state::table::table;

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

    /// The word for it in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Kinematic => "kinematic",
            Self::Dynamic => "dynamic",
        }
    }
}

table! {
    /// One body: a row of [`Bodies`]. All of it is state.
    record Body;
    /// All bodies, ordered by id: one array per field, index `i` is the same body in each.
    table Bodies by id: u32;
    /// What a body keeps for as long as it is there, by column: no input and no stage of a step changes it.
    constant BodyConstants {
        /// The rank of the body's name among those of step 0, or the next free number for a spawned one.
        id: u32,
        /// The unique name.
        name: Arc<str>,
        /// How it takes part.
        kind: BodyKind,
        /// The centre of mass in the body frame, in metres from its origin.
        centre: Vec3<S>,
        /// One over the mass, in 1/kg; zero unless the body is dynamic.
        inverse_mass: Scaled<S>,
        /// Inertia per mass about the centre of mass, in the body's axes.
        inertia: Inertia<S>,
        /// Damping of the linear velocity, as the scene's form of damping reads it.
        linear_damping: S,
        /// Damping of the angular velocity.
        angular_damping: S,
        /// Factor on gravity.
        gravity_scale: S,
    }
    moving {
        /// The centre of mass in the world, in metres.
        position: Vec3<S>,
        /// Body frame to world frame.
        orientation: Quat<S>,
        /// Velocity of the centre of mass in the world, in m/s.
        linear_velocity: Vec3<S>,
        /// Angular velocity in the world frame, in rad/s.
        angular_velocity: Vec3<S>,
    }
    derived {}
}

impl<S: Scalar> Bodies<S> {
    /// The index of the body with this name.
    #[must_use]
    pub fn index_of_name(&self, name: &str) -> Option<usize> {
        self.name.iter().position(|candidate| &**candidate == name)
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
