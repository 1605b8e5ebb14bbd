//! Joints of a scene: which bodies they join, and where.

use serde::{Deserialize, Serialize};

use crate::scene::model::Vector;

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// Ball and socket: a point of each body stays together, every turn about it is free.
    Spherical,
}

/// A joint between two bodies of step 0, or between one and the world.
///
/// Where it is, is said by an anchor for each body, or by one of them, or by `at`: what is not given follows from where the
/// bodies are at step 0, so that both points coincide. Two anchors need not coincide: the joint then pulls them together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// A unique name; joints have names of their own beside those of bodies.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// The first body.
    pub a: String,
    /// The second body. Default: the world.
    #[serde(default)]
    pub b: Option<String>,
    /// The point of `a`, in its own frame from its origin, metres.
    #[serde(default)]
    pub anchor_a: Option<Vector>,
    /// The point of `b`, in its own frame from its origin, metres; without `b` a point in the world.
    #[serde(default)]
    pub anchor_b: Option<Vector>,
    /// In place of both anchors: where the joint is in the world at step 0, metres.
    #[serde(default)]
    pub at: Option<Vector>,
    /// Whether the two bodies collide with each other. Default false.
    #[serde(default)]
    pub collide: bool,
}
