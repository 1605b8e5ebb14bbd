//! What happens to a scene from outside, by step.

use serde::{Deserialize, Serialize};

use crate::scene::model::{Body, Vector};

/// Something from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// The step whose state it shapes first, from 1.
    pub step: u32,
    /// The last step in which it acts. Default `step`.
    #[serde(default)]
    pub through: Option<u32>,
    /// What it does.
    pub action: Action,
}

/// What an input does. Vectors are in the world frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Action {
    /// An impulse in N s, at a point or at the centre of mass.
    Impulse {
        /// The body it acts on.
        body: String,
        /// Newton seconds.
        impulse: Vector,
        /// Where; default the centre of mass.
        at: Option<Point>,
    },
    /// An angular impulse in N m s.
    AngularImpulse {
        /// The body it acts on.
        body: String,
        /// Newton metre seconds.
        impulse: Vector,
    },
    /// A force in N during the step, at a point or at the centre of mass.
    Force {
        /// The body it acts on.
        body: String,
        /// Newtons.
        force: Vector,
        /// Where; default the centre of mass.
        at: Option<Point>,
    },
    /// A torque in N m during the step.
    Torque {
        /// The body it acts on.
        body: String,
        /// Newton metres.
        torque: Vector,
    },
    /// Sets velocities in m/s and rad/s; a part that is not given stays.
    SetVelocity {
        /// The body.
        body: String,
        /// Velocity of the centre of mass, m/s.
        linear: Option<Vector>,
        /// Angular velocity, rad/s.
        angular: Option<Vector>,
    },
    /// Adds to velocities in m/s and rad/s; a part that is not given is zero.
    AddVelocity {
        /// The body.
        body: String,
        /// Added to the velocity, m/s. Default zero.
        #[serde(default)]
        linear: Vector,
        /// Added to the angular velocity, rad/s. Default zero.
        #[serde(default)]
        angular: Vector,
    },
    /// Sets gravity in m/s^2.
    SetGravity(Vector),
    /// A new body.
    Spawn(Box<Body>),
    /// A body leaves.
    Remove(String),
}

impl Action {
    /// The body it needs to exist already, by name.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Impulse { body, .. }
            | Self::AngularImpulse { body, .. }
            | Self::Force { body, .. }
            | Self::Torque { body, .. }
            | Self::SetVelocity { body, .. }
            | Self::AddVelocity { body, .. }
            | Self::Remove(body) => Some(body),
            Self::SetGravity(_) | Self::Spawn(_) => None,
        }
    }
}

/// A point on or off a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Point {
    /// In the world, in metres.
    World(Vector),
    /// In the body's own frame, from its origin, in metres.
    Local(Vector),
}
