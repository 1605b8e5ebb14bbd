//! The types of a scene as it is written in RON. Data only: every number is still its decimal text.
//!
//! Units are SI: metres, kilograms, seconds, newtons; angles are named for their unit. The frame is right-handed.
//! What a key has when it is not written stands in [`defaults`]; what values are allowed stands
//! in [`validate`](crate::scene::validate). A variant's content stands directly in its parentheses:
//! `Origin(0, 1, 0)`, `Impulse(substeps: 4)`, `Named("crate")`; an optional key is written without `Some`.

mod body;
pub mod defaults;
mod filter;
mod group;
mod input;
mod joint;
mod query;
mod shapes;
mod solver;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::math::ScalarKind;
use crate::scene::decimal::Decimal;
use crate::scene::time_step::TimeStep;

pub use body::{Body, BodyKind, Collider, CombineRule, Mass, Material, Orientation, Place, Shape};
pub use filter::Filter;
pub use group::{Group, GroupBody, Layout};
pub use input::{Action, Input, Point};
pub use joint::{Joint, JointKind};
pub use query::{Query, QueryFilter};
pub use solver::{Clamping, Correction, FrictionRows, ImpulseSolver, NormalRows, Solver};

/// Three decimals `(x, y, z)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vector(pub Decimal, pub Decimal, pub Decimal);

/// A scene file. `version`, `name` and `bodies` are required; every other key has the default named beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The format version; 1.
    pub version: u32,
    /// The scene's name.
    pub name: String,
    /// The number type of the run. Default `Fixed`.
    #[serde(default = "defaults::scalar")]
    pub scalar: ScalarKind,
    /// The length of a step in seconds, an exact fraction or decimal in a string. Default `"1/60"`.
    #[serde(default = "defaults::dt")]
    pub dt: TimeStep,
    /// How many steps a run takes. Default 600.
    #[serde(default = "defaults::steps")]
    pub steps: u32,
    /// Gravity in m/s^2. Default `(0, -9.81, 0)`.
    #[serde(default = "defaults::gravity")]
    pub gravity: Vector,
    /// Whether gravity enters as an acceleration or as a force `m g` in the accumulators. Default `Acceleration`.
    #[serde(default)]
    pub gravity_mode: GravityMode,
    /// How free motion is integrated. Default `SemiImplicitEuler`.
    #[serde(default)]
    pub integrator: Integrator,
    /// How an angular velocity turns an orientation. Default `ExponentialMap`.
    #[serde(default)]
    pub rotation: RotationUpdate,
    /// Whether unequal moments of inertia make a body precess. Default `On`.
    #[serde(default)]
    pub gyroscopic: Switch,
    /// The form of damping. Default `Implicit`.
    #[serde(default)]
    pub damping: DampingForm,
    /// The constraint solver. Default `Impulse(..)` with its own defaults.
    #[serde(default)]
    pub solver: Solver,
    /// Whether bodies that would meet within a substep are found there; without it what is fast passes through what is
    /// thin. Default `On`.
    #[serde(default)]
    pub continuous: Switch,
    /// How overlapping boxes are found; never changes a result. Default `DynamicTree`.
    #[serde(default)]
    pub broad_phase: BroadPhase,
    /// By which methods contacts are found. Default `Auto`.
    #[serde(default)]
    pub narrow_phase: NarrowPhase,
    /// Where and how fast bodies may go; beyond them the run stops with an error.
    #[serde(default)]
    pub bounds: Bounds,
    /// The seed of the generators. Default 0.
    #[serde(default)]
    pub seed: u64,
    /// Steps between two keyframes of a replay. Default 60.
    #[serde(default = "defaults::keyframe_every")]
    pub keyframe_every: u32,
    /// Materials by name; `"default"` may be given here, else it has the defaults of [`Material`].
    #[serde(default)]
    pub materials: BTreeMap<String, Material>,
    /// Shapes by name, to be used in bodies as `Named("crate")`.
    #[serde(default)]
    pub shapes: BTreeMap<String, Shape>,
    /// What shapes can be, to say in filters which meet; at most 31. What is none of these is `"default"`.
    #[serde(default)]
    pub categories: Vec<String>,
    /// Pairs of bodies that pass through each other, by name.
    #[serde(default)]
    pub excluded_pairs: Vec<(String, String)>,
    /// The bodies that exist at step 0.
    pub bodies: Vec<Body>,
    /// Generators, each of which writes many bodies.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// What joins bodies to each other and to the world.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// What happens from outside, by step.
    #[serde(default)]
    pub inputs: Vec<Input>,
    /// Questions by name, for `physim query`; they reach no state, so a scene without any is written without the key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub queries: BTreeMap<String, Query>,
}

/// How gravity enters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum GravityMode {
    /// Added to the velocities: exact for every mass.
    #[default]
    Acceleration,
    /// As a force `m g` among the others.
    Force,
}

/// How free motion is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Integrator {
    /// Velocities first, then positions with the new velocities.
    #[default]
    SemiImplicitEuler,
}

/// How an angular velocity turns an orientation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RotationUpdate {
    /// `q + dt/2 (0, omega) q`, normalised.
    FirstOrder,
    /// `exp(dt/2 (0, omega)) q`: exact for a constant angular velocity.
    #[default]
    ExponentialMap,
}

/// On or off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Switch {
    /// On.
    #[default]
    On,
    /// Off.
    Off,
}

/// The form of damping, with c the body's damping in 1/s (for `Power`, d the part lost per second, 0 to 1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum DampingForm {
    /// `v / (1 + c dt)`.
    #[default]
    Implicit,
    /// `v exp(-c dt)`.
    Exponential,
    /// `v (1 - d)^dt`.
    Power,
}

/// How overlapping boxes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BroadPhase {
    /// A balanced tree of fat boxes.
    #[default]
    DynamicTree,
    /// Boxes sorted along one axis.
    SweepAndPrune,
    /// Boxes sorted into equal cells.
    UniformGrid,
    /// Every pair of boxes: the oracle.
    BruteForce,
}

/// By which methods the contacts of shapes are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum NarrowPhase {
    /// For each pair what serves it best.
    #[default]
    Auto,
    /// Nearest points and the expanding polytope.
    Gjk,
    /// Axes of separation, of cuboids and hulls.
    Sat,
}

/// Limits of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bounds {
    /// Largest magnitude of a position component in metres. Default 1000; at most 30000.
    pub position: Decimal,
    /// Largest speed component in m/s. Default 1000; at most 30000.
    pub speed: Decimal,
    /// Largest angular speed component in rad/s. Default 1000; at most 30000.
    pub angular_speed: Decimal,
}
