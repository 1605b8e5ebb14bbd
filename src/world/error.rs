//! What can stop a world from being built, stepped or restored.

use std::sync::Arc;

use crate::collision::broad_phase::TooManyPairs;
use crate::dynamics::body::Bodies;
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::{Escape, EscapedQuantity};
use crate::geometry::MassError;
use crate::math::Scalar;
use crate::world::encode::reader::DecodeError;

/// A scene that cannot become a world.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A number that the run's scalar cannot hold.
    #[error("{owner}: the number {text} of {quantity} does not fit {scalar} numbers")]
    Range {
        /// The body or key.
        owner: String,
        /// Which number.
        quantity: &'static str,
        /// As it is written.
        text: String,
        /// The scalar.
        scalar: &'static str,
    },
    /// A body whose mass or inertia no body can have.
    #[error("body {body:?}: {error}")]
    Mass {
        /// The body.
        body: String,
        /// What is wrong.
        error: MassError,
    },
    /// An expression that is no density over a shape of a body.
    #[error("body {body:?}: the density {expression:?} cannot be used: {error}")]
    Density {
        /// The body.
        body: String,
        /// As it is written.
        expression: String,
        /// What is wrong.
        error: String,
    },
    /// A body outside the bounds of the run from the start.
    #[error("body {body:?} starts beyond the bounds of the run ({quantity}); move it, or widen `bounds`")]
    OutOfBounds {
        /// The body.
        body: String,
        /// What is beyond.
        quantity: &'static str,
    },
    /// A joint too far from one of its bodies.
    #[error(
        "joint {joint:?} is too far from the centre of mass of body {body:?}: more than about a thousand times its radius of gyration"
    )]
    FarAnchor {
        /// The joint.
        joint: String,
        /// The body.
        body: String,
    },
    /// The scene itself is wrong.
    #[error("{0}")]
    Scene(String),
}

/// A run that cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A number of a body became NaN or infinite.
    #[error(
        "step {step}: the {quantity} of body {body:?} became NaN or infinite; look at the steps before with `physim show`"
    )]
    NotANumber {
        /// The step that failed.
        step: u32,
        /// The body.
        body: Arc<str>,
        /// Which of its numbers.
        quantity: &'static str,
    },
    /// A body left the bounds.
    #[error(
        "step {step}: the {quantity} of body {body:?} left the bounds of the run ({value}; the limit is {limit}); \
         look at the steps before with `physim show`, or widen `bounds` in the scene"
    )]
    Escaped {
        /// The step that failed.
        step: u32,
        /// The body.
        body: Arc<str>,
        /// What left its bound.
        quantity: &'static str,
        /// Its value, with unit.
        value: String,
        /// The bound, with unit.
        limit: String,
    },
    /// An input names a body that does not exist at its step.
    #[error("step {step}: an input names body {body:?}, which does not exist then")]
    UnknownBody {
        /// The step.
        step: u32,
        /// The name.
        body: String,
    },
    /// An input gives a velocity to a static body.
    #[error("step {step}: an input gives a velocity to body {body:?}, which is static and never moves")]
    Unmovable {
        /// The step.
        step: u32,
        /// The name.
        body: String,
    },
    /// A body is spawned under a name that is taken.
    #[error("step {step}: body {body:?} is spawned, but a body of that name exists already")]
    NameTaken {
        /// The step.
        step: u32,
        /// The name.
        body: String,
    },
    /// The run's ids are used up.
    #[error("step {step}: no more bodies can be spawned")]
    TooManyBodies {
        /// The step.
        step: u32,
    },
    /// Too many bodies are in one place.
    #[error(
        "step {step}: {count} pairs of shapes are close enough to touch, and the limit for {colliders} shapes is {limit}; move \
         bodies that are in one place apart, or make `speculative_distance` smaller"
    )]
    TooManyPairs {
        /// The step that failed.
        step: u32,
        /// How many pairs there are, or at least are.
        count: String,
        /// The most there may be.
        limit: usize,
        /// How many shapes the bodies have.
        colliders: usize,
    },
    /// The state of the last good step cannot be read back from its own bytes.
    #[error(
        "step {step}: the state cannot be read back from its own bytes: {error}; the encoding and the state do not agree, \
         `physim stress` shows where"
    )]
    Unreadable {
        /// The step whose state it is.
        step: u32,
        /// What is wrong with the bytes.
        error: DecodeError,
    },
    /// An input whose numbers or body cannot be used.
    #[error("step {step}: {error}")]
    Input {
        /// The step.
        step: u32,
        /// What is wrong.
        error: BuildError,
    },
}

impl StepError {
    /// The error of a body that escaped in `step`.
    #[must_use]
    pub fn escaped<S: Scalar>(step: u32, bodies: &Bodies<S>, settings: &Settings<S>, escape: Escape) -> Self {
        let bounds = &settings.bounds;
        let (quantity, value, limit, unit) = match escape.quantity {
            EscapedQuantity::Position => ("position", bodies.position[escape.body], bounds.position, "m"),
            EscapedQuantity::Speed => ("velocity", bodies.linear_velocity[escape.body], bounds.speed, "m/s"),
            EscapedQuantity::AngularSpeed => {
                ("angular velocity", bodies.angular_velocity[escape.body], bounds.angular_speed, "rad/s")
            }
        };
        let body = Arc::clone(&bodies.name[escape.body]);
        if [value.x, value.y, value.z].into_iter().any(|component| !component.is_finite()) {
            return Self::NotANumber { step, body, quantity };
        }
        let [x, y, z] = value.to_f64();
        Self::Escaped {
            step,
            body,
            quantity,
            value: format!("({x:.3}, {y:.3}, {z:.3}) {unit}"),
            limit: format!("{} {unit}", limit.to_f64()),
        }
    }

    /// The error of a step in which too many shapes are near each other.
    #[must_use]
    pub fn too_many_pairs(step: u32, found: TooManyPairs, limit: usize, colliders: usize) -> Self {
        let TooManyPairs { count, is_at_least } = found;
        let count = if is_at_least { format!("at least {count}") } else { count.to_string() };
        Self::TooManyPairs { step, count, limit, colliders }
    }

    /// The step that failed.
    #[must_use]
    pub const fn step(&self) -> u32 {
        match self {
            Self::NotANumber { step, .. }
            | Self::Escaped { step, .. }
            | Self::UnknownBody { step, .. }
            | Self::Unmovable { step, .. }
            | Self::NameTaken { step, .. }
            | Self::TooManyBodies { step }
            | Self::TooManyPairs { step, .. }
            | Self::Unreadable { step, .. }
            | Self::Input { step, .. } => *step,
        }
    }

    /// The body it is about, if it is about one.
    #[must_use]
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::NotANumber { body, .. } | Self::Escaped { body, .. } => Some(body),
            Self::UnknownBody { body, .. } | Self::Unmovable { body, .. } | Self::NameTaken { body, .. } => Some(body),
            Self::TooManyBodies { .. } | Self::TooManyPairs { .. } | Self::Unreadable { .. } | Self::Input { .. } => {
                None
            }
        }
    }
}
